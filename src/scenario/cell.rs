//! What a cell simulates, judge by judge.

use super::found::Found;
use super::rules::{self, Rules};
use super::scored::Gives;
use super::wire::Wire;
use super::worlds::Built;
use crate::evidence::Judges;
use crate::protocol::{Design, Lean, Protocol, Seat, SheetDesign, Target, Task, Taste};

/// A judge, ready to be asked.
pub(super) enum Seated {
    /// About pairs.
    Pairs(Seat, Protocol),
    /// About single answers.
    Sheet(SheetDesign),
}

impl Seated {
    /// Verdicts a replicate.
    pub(super) fn verdicts(&self, built: &Built) -> u64 {
        match self {
            Self::Pairs(_, protocol) => {
                protocol.calls().saturating_mul(built.world.cases.len() as u64)
            }
            Self::Sheet(sheet) => sheet.world.ruled.cells() as u64,
        }
    }

    fn seat(&self) -> Option<&Seat> {
        match self {
            Self::Pairs(seat, _) => Some(seat),
            Self::Sheet(_) => None,
        }
    }
}

/// The tasks of a cell: each judge's own rules, then those that compare it with a third party.
pub(super) fn tasks(
    (cell, wire): (usize, &Wire),
    rules: &Rules,
    built: &Built,
    seated: &[Seated],
    found: &mut Vec<Found>,
) -> Vec<Task> {
    let seats: Vec<Seat> = seated.iter().filter_map(Seated::seat).cloned().collect();
    let third = rules.third_party(wire, &seats, found);
    let target = |random: bool| {
        let usual = if random { Target::Population } else { Target::World };
        wire.estimate.target.unwrap_or(usual)
    };
    let drawn = |it: &Seat| it.taste == Taste::Anew || it.lean == Lean::Anew;
    let random = built.world.is_random() || seats.iter().any(drawn);
    let design = |seats, protocol| Design { world: built.world.clone(), seats, protocol };
    let panel = rules.panel(wire, &seats, found);
    let mut of_pairs = |judge: &str, seats: Vec<Seat>, protocol: Protocol, judges: Judges| {
        let strata = built.world.strata.len();
        let estimators = rules.fed_by(Gives::Pairs(protocol), judges, strata);
        if estimators.is_empty() {
            return None;
        }
        let (judge, design) = (judge.into(), design(seats, protocol));
        if design.codebook(&estimators).is_err() {
            found.push(too_many(judges));
        }
        if 1 < design.leaning() && MOST_STANCES < design.stance_count(1) {
            found.push(too_many_lean());
        }
        Some(Task { cell, judge, design, sheet: None, estimators, target: target(random) })
    };
    let mut tasks = Vec::new();
    for it in seated {
        match it {
            Seated::Pairs(seat, protocol) => {
                let name = &*seat.name;
                tasks.extend(of_pairs(name, vec![seat.clone()], *protocol, Judges::One));
                if let Some(third) = third.filter(|third| third.name != seat.name) {
                    let both = vec![seat.clone(), third.clone()];
                    tasks.extend(of_pairs(name, both, *protocol, Judges::OwnAndThird));
                }
            }
            Seated::Sheet(sheet) => {
                let estimators = rules.fed_by(Gives::Sheet(sheet.columns()), Judges::One, 0);
                if !estimators.is_empty() {
                    let protocol = Protocol::once();
                    let (judge, design) = (sheet.name.clone(), design(Vec::new(), protocol));
                    let target = target(sheet.is_random());
                    let sheet = Some(sheet.clone());
                    tasks.push(Task { cell, judge, design, sheet, estimators, target });
                }
            }
        }
    }
    let asked = seated.iter().find_map(|it| match (it, &panel) {
        (Seated::Pairs(seat, protocol), Some(panel)) if seat.name == panel[0].name => {
            Some(*protocol)
        }
        _ => None,
    });
    if let (Some(panel), Some(protocol)) = (panel, asked) {
        tasks.extend(of_pairs(rules::PANEL, panel, protocol, Judges::Panel));
    }
    tasks
}

/// Ways to lean of judges asked together over which their evidence is averaged, one judge within the other.
const MOST_STANCES: f64 = 2e4;

fn too_many_lean() -> Found {
    let rule =
        "what judges asked together should say cannot be integrated over so many ways to lean";
    Found::new("estimate", rule, "give at most two judges a position-sd, and none above 3")
}

/// More codes than can be tabulated.
fn too_many(judges: Judges) -> Found {
    if judges == Judges::Panel {
        let rule = "so many verdicts of a panel that may be ties or invalid cannot be tabulated";
        return Found::new("estimate.panel", rule, "name fewer judges, or ask in one order");
    }
    let rule = "so many repeats of verdicts that may be ties or invalid cannot be tabulated";
    let remedy = "ask fewer times, or leave out ties or invalid replies";
    Found::new("protocol.repeats", rule, remedy)
}
