//! Worlds from what is written: sampled pairs, graded answers, counts.

mod graded;

use std::sync::Arc;

use super::found::Found;
use super::wire::{Better, BetterWord, LengthWire, SampledWire};
use crate::evidence::Gold;
use crate::stream::{Address, Purpose, Words};
use crate::world::{Answer, Case, Drawn, Gap, Kind, Length, Marks, Quality, Scored, State, World};

pub(super) use graded::{counts, graded, shares_rule};

/// A world, and what is known of it.
#[derive(Clone)]
pub(super) struct Built {
    pub world: Arc<World>,
    /// Whether answers have lengths.
    pub has_lengths: bool,
    /// Whether it is drawn once or anew.
    pub drawn: Drawn,
    /// Answers that are scored one by one, if it holds any.
    pub scored: Option<Arc<Scored>>,
    /// The file of a table; none for other worlds, whose cases have no names.
    pub file: Option<Arc<str>>,
}

/// The two systems, with their families.
pub(super) fn answers(
    systems: &[String; 2],
    families: Option<&[String; 2]>,
    at: &str,
    found: &mut Vec<Found>,
) -> Option<[Answer; 2]> {
    if systems[0] == systems[1] {
        let rule = "a system is not compared with itself";
        found.push(Found::new(&format!("{at}.systems"), rule, "name two systems"));
        return None;
    }
    let families = families.unwrap_or(systems);
    Some([0, 1].map(|k| Answer {
        system: systems[k].as_str().into(),
        family: families[k].as_str().into(),
    }))
}

/// Pairs drawn from a law.
pub(super) fn sampled(wire: &SampledWire, seed: u64, found: &mut Vec<Found>) -> Option<Built> {
    let systems = answers(&wire.systems, wire.families.as_ref(), "world.sampled", found)?;
    let gap = match (wire.better, wire.quality) {
        (Some(Better::Share(share)), None) => Some(Gap::Sign(share.get())),
        (Some(Better::Word(_)), None) => None,
        (None, Some(it)) => {
            if it.gap.is_nan() || 1e6 < it.gap.abs() {
                let rule = format!("a difference in quality is a finite number, not {}", it.gap);
                found.push(Found::new("world.sampled.quality.gap", rule, "give a finite number"));
                return None;
            }
            Some(Gap::Normal(Quality {
                mean: it.gap,
                sd: it.sd.get() * std::f64::consts::SQRT_2,
                margin: it.margin.get(),
                levels: it.levels.map(|it| it.0),
            }))
        }
        (both, _) => {
            let rule = "a sampled world has either `better` or `quality`";
            let remedy = if both.is_some() {
                "remove one of them"
            } else {
                "add better = 0.5, or a table `quality`"
            };
            found.push(Found::new("world.sampled", rule, remedy));
            return None;
        }
    };
    let length = wire.length.map_or(Length::Fixed(0.0), |length| match length {
        LengthWire::Ratio(ratio) => Length::Either(libm::log2(ratio.get())),
        LengthWire::FirstLonger(ratio) => Length::Fixed(libm::log2(ratio.get())),
        LengthWire::LogNormal(sd) if sd.get() == 0.0 => Length::Fixed(0.0),
        LengthWire::LogNormal(sd) => {
            Length::Normal(0.0, sd.get() * std::f64::consts::SQRT_2 / std::f64::consts::LN_2)
        }
    });
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    for case in 0..wire.pairs.0 {
        let id = case.to_string();
        let gap = gap.clone().unwrap_or_else(|| undrawn(wire, case));
        let kind = Kind { gap, length, marks: Marks::default() };
        let kind = if wire.drawn == Drawn::Once { drawn_once(&kind, seed, &id) } else { kind };
        // The kinds of a world drawn anew are one or two; those of a world drawn once are not worth a search.
        let known = if wire.drawn == Drawn::Once {
            None
        } else {
            world.kinds.iter().position(|it| *it == kind)
        };
        let place = known.unwrap_or_else(|| {
            world.kinds.push(kind);
            world.kinds.len() - 1
        });
        world.cases.push(Case { id, kind: place });
    }
    Some(Built {
        world: Arc::new(world),
        has_lengths: wire.length.is_some(),
        drawn: wire.drawn,
        scored: None,
        file: None,
    })
}

/// The true difference of a case that no chance decides.
fn undrawn(wire: &SampledWire, case: usize) -> Gap {
    let first = wire.better != Some(Better::Word(BetterWord::Even)) || case.is_multiple_of(2);
    if first {
        Gap::Fixed { gap: 1.0, gold: Gold::A }
    } else {
        Gap::Fixed { gap: -1.0, gold: Gold::B }
    }
}

/// The state of a case that is drawn once: that of replicate 0.
fn drawn_once(kind: &Kind, seed: u64, case: &str) -> Kind {
    let word = |purpose| Words::Keyed.once(&Address::root(seed, purpose).at("case", case).key());
    let truth = kind.gap.drawn(word(kind.gap.purpose()));
    let State { gap, gold, length, marks } =
        State::new(truth, kind.length.drawn(word(Purpose::Length)), kind.marks);
    Kind { gap: Gap::Fixed { gap, gold }, length: Length::Fixed(length), marks }
}
