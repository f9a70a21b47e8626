//! What a cell simulates, judge by judge.

use super::found::Found;
use super::rules::Rules;
use super::scored::Gives;
use super::wire::Wire;
use super::worlds::Built;
use crate::protocol::{Design, Protocol, Seat, SheetDesign, Target, Task, Taste};

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
    let random = built.world.is_random() || seats.iter().any(|seat| seat.taste == Taste::Anew);
    let design = |seats, protocol| Design { world: built.world.clone(), seats, protocol };
    let mut of_pairs = |seats: Vec<Seat>, protocol: Protocol| {
        let estimators =
            rules.fed_by(Gives::Pairs(protocol), seats.len(), built.world.strata.len());
        if estimators.is_empty() {
            return None;
        }
        let judge = seats[0].name.clone();
        let design = design(seats, protocol);
        if design.codebook(&estimators).is_err() {
            let rule =
                "so many repeats of verdicts that may be ties or invalid cannot be tabulated";
            let remedy = "ask fewer times, or leave out ties or invalid replies";
            found.push(Found::new("protocol.repeats", rule, remedy));
        }
        Some(Task { cell, judge, design, sheet: None, estimators, target: target(random) })
    };
    let mut tasks = Vec::new();
    for it in seated {
        match it {
            Seated::Pairs(seat, protocol) => {
                tasks.extend(of_pairs(vec![seat.clone()], *protocol));
                if let Some(third) = third.filter(|third| third.name != seat.name) {
                    tasks.extend(of_pairs(vec![seat.clone(), third.clone()], *protocol));
                }
            }
            Seated::Sheet(sheet) => {
                let estimators = rules.fed_by(Gives::Sheet(sheet.columns()), 1, 0);
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
    tasks
}
