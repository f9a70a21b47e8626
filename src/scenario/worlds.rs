//! Worlds from what is written: sampled pairs, graded answers, counts.

use std::sync::Arc;

use super::found::Found;
use super::wire::{Better, BetterWord, CountsWire, GradedWire, JointWire, LengthWire, SampledWire};
use crate::evidence::Gold;
use crate::quantity::{NonNegative, Probability};
use crate::stream::{Address, Purpose, Words};
use crate::world::{Answer, Case, Drawn, Gap, Kind, Length, Marks, Quality, World, normal};

/// A world, and what is known of it.
#[derive(Clone)]
pub(super) struct Built {
    pub world: Arc<World>,
    /// Whether answers have lengths.
    pub has_lengths: bool,
    /// Whether it is drawn once or anew.
    pub drawn: Drawn,
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
    let gap = match &kind.gap {
        Gap::Fixed { .. } => kind.gap.clone(),
        it => {
            let (gap, gold) = it.drawn(word(it.purpose()));
            Gap::Fixed { gap, gold }
        }
    };
    Kind { gap, length: Length::Fixed(kind.length.drawn(word(Purpose::Length))), ..kind.clone() }
}

/// Graded answers drawn from a law.
pub(super) fn graded(wire: &GradedWire, seed: u64, found: &mut Vec<Found>) -> Option<Built> {
    let systems = answers(&wire.systems, None, "world.graded", found)?;
    let law = graded_law(wire, found)?;
    let kind = Kind { gap: Gap::Graded(law), length: Length::Fixed(0.0), marks: Marks::default() };
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    for case in 0..wire.cases.0 {
        let id = case.to_string();
        if wire.drawn == Drawn::Once {
            world.kinds.push(drawn_once(&kind, seed, &id));
        } else if world.kinds.is_empty() {
            world.kinds.push(kind.clone());
        }
        world.cases.push(Case { id, kind: world.kinds.len() - 1 });
    }
    Some(Built { world: Arc::new(world), has_lengths: false, drawn: wire.drawn, file: None })
}

/// The probabilities of the labels of [`Gold::ALL`], by whichever of the three ways they are written.
fn graded_law(wire: &GradedWire, found: &mut Vec<Found>) -> Option<[f64; 4]> {
    let stray = [("difference", wire.difference.is_some()), ("both", wire.both.is_some())];
    if let (None, Some((key, _))) = (wire.discordant, stray.iter().find(|it| it.1)) {
        let rule = format!("`{key}` belongs to `discordant`");
        let at = format!("world.graded.{key}");
        found.push(Found::new(&at, rule, "add discordant = 0.2, or remove this key"));
        return None;
    }
    match (wire.rates, wire.joint, wire.discordant) {
        (Some(rates), None, None) => {
            let [first, second] = rates.map(Probability::get);
            let fresh = joint_of_rates([first, second], wire.rigidity.get());
            let leaked = joint_of_rates([wire.memorised.get(), second], wire.rigidity.get());
            let share = wire.leaked.get();
            Some([0, 1, 2, 3].map(|k: usize| (1.0 - share) * fresh[k] + share * leaked[k]))
        }
        (None, Some(joint), None) => joint_of_weights(joint, found),
        (None, None, Some(discordant)) => joint_of_discordance(discordant.get(), wire, found),
        (None, None, None) => {
            let rule = "graded answers have `rates`, `joint` or `discordant`";
            found.push(Found::new("world.graded", rule, "add rates = [0.7, 0.8]"));
            None
        }
        _ => {
            let rule = "graded answers have only one of `rates`, `joint` and `discordant`";
            found.push(Found::new("world.graded", rule, "keep one of them"));
            None
        }
    }
}

/// The law of a share of discordant cases and the difference of the two pass rates.
fn joint_of_discordance(psi: f64, wire: &GradedWire, found: &mut Vec<Found>) -> Option<[f64; 4]> {
    let delta = wire.difference.unwrap_or(0.0);
    if delta.is_nan() || psi < libm::fabs(delta) {
        let rule = format!("a difference is no larger than the discordant share, {psi}");
        let remedy = "give a smaller difference, or more discordant cases";
        found.push(Found::new("world.graded.difference", rule, remedy));
        return None;
    }
    let both = wire.both.map_or((1.0 - psi) / 2.0, Probability::get);
    let first = f64::midpoint(psi, delta);
    let neither = 1.0 - psi - both;
    if neither < -1e-12 {
        let rule = format!("`both` and the discordant share, {psi}, are at most 1 together");
        found.push(Found::new("world.graded.both", rule, "give smaller shares"));
        return None;
    }
    Some([first, neither.max(0.0), psi - first, both])
}

/// The probabilities of the labels of two systems with these pass rates at average difficulty, given a shared difficulty
/// z, standard normal, that moves both by `rigidity` log-odds per standard deviation.
fn joint_of_rates(rates: [f64; 2], rigidity: f64) -> [f64; 4] {
    let mut law = [0.0; 4];
    for node in normal(0.0, 1.0, rigidity, &[], &[0.0]) {
        let [a, b] = rates.map(|rate| {
            // A rate of 0 or 1 is certain at every difficulty.
            if rate == 0.0 || rate == 1.0 {
                return rate;
            }
            let odds = rate / (1.0 - rate) * libm::exp(rigidity * node.at);
            odds / (1.0 + odds)
        });
        let each = [a * (1.0 - b), (1.0 - a) * (1.0 - b), (1.0 - a) * b, a * b];
        for (sum, p) in law.iter_mut().zip(each) {
            *sum += node.weight * p;
        }
    }
    law
}

fn joint_of_weights(joint: JointWire, found: &mut Vec<Found>) -> Option<[f64; 4]> {
    let weights = [joint.first, joint.neither, joint.second, joint.both].map(NonNegative::get);
    let sum: f64 = weights.iter().sum();
    if sum == 0.0 {
        let rule = "the weights of a joint law sum to more than 0";
        found.push(Found::new("world.graded.joint", rule, "give at least one weight"));
        return None;
    }
    Some(weights.map(|weight| weight / sum))
}

/// Graded answers as counts: both, first only, second only, neither, in this order.
pub(super) fn counts(wire: &CountsWire, found: &mut Vec<Found>) -> Option<Built> {
    let systems = answers(&wire.systems, None, "world.counts", found)?;
    let counts = [
        (Gold::Both, wire.both),
        (Gold::A, wire.first),
        (Gold::B, wire.second),
        (Gold::Tie, wire.neither),
    ];
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    for (place, (gold, count)) in counts.into_iter().enumerate() {
        let [a, b] = gold.passes().map(|passes| f64::from(u8::from(passes)));
        let gap = Gap::Fixed { gap: a - b, gold };
        world.kinds.push(Kind { gap, length: Length::Fixed(0.0), marks: Marks::default() });
        let next = world.cases.len();
        world
            .cases
            .extend((next..next + count.0).map(|id| Case { id: id.to_string(), kind: place }));
    }
    if world.cases.is_empty() {
        found.push(Found::new(
            "world.counts",
            "a world has at least one case",
            "give a count above 0",
        ));
        return None;
    }
    Some(Built { world: Arc::new(world), has_lengths: false, drawn: Drawn::Once, file: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(text: &str) -> Result<[f64; 4], usize> {
        let wire: GradedWire = toml::from_str(&format!("cases = 3\n{text}")).unwrap();
        let mut found = Vec::new();
        graded_law(&wire, &mut found).ok_or(found.len())
    }

    /// First only, neither, second only, both.
    #[test]
    fn a_discordance_and_a_difference_make_a_law() {
        let close = |text: &str, want: [f64; 4]| {
            let got = law(text).unwrap();
            let near = got.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-15);
            assert!(near, "{text}: {got:?}");
        };
        close("discordant = 0.3\ndifference = 0.1", [0.2, 0.35, 0.1, 0.35]);
        close("discordant = 0.3", [0.15, 0.35, 0.15, 0.35]);
        close("discordant = 0.3\ndifference = -0.3\nboth = 0.7", [0.0, 0.0, 0.3, 0.7]);
        close("discordant = 0.4\ndifference = 0.4\nboth = 0.6", [0.4, 0.0, 0.0, 0.6]);
        close("discordant = 0", [0.0, 0.5, 0.0, 0.5]);
    }

    #[test]
    fn a_law_that_cannot_be_is_one_mistake() {
        for text in [
            "",
            "both = 0.2",
            "rates = [0.5, 0.5]\ndifference = 0.1",
            "rates = [0.5, 0.5]\ndiscordant = 0.1",
            "discordant = 0.1\ndifference = 0.11",
            "discordant = 0.1\ndifference = nan",
            "discordant = 0.1\nboth = 0.95",
            "discordant = 0.1\njoint = { both = 1, first = 1, second = 1, neither = 1 }",
        ] {
            assert_eq!(law(text), Err(1), "{text}");
        }
    }
}
