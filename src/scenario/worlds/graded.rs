//! Worlds of graded answers: one law for all cases or one a stratum, and the labelled cases beside the unlabelled.

use std::sync::Arc;

use super::{Built, answers, drawn_once};
use crate::evidence::Gold;
use crate::quantity::{NonNegative, Probability};
use crate::scenario::document::show_path;
use crate::scenario::found::Found;
use crate::scenario::wire::{Count, CountsWire, GradedWire, JointWire, LabelsWire, StratumWire};
use crate::world::{Case, Drawn, Gap, Kind, Length, MOST_STRATA, Marks, Stratum, World, normal};

/// Graded answers drawn from a law.
pub(in crate::scenario) fn graded(
    wire: &GradedWire,
    seed: u64,
    found: &mut Vec<Found>,
) -> Option<Built> {
    let systems = answers(&wire.systems, None, "world.graded", found)?;
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    let stale = wire.stale.get();
    let mut add = Adding { world: &mut world, drawn: wire.drawn, stale, seed };
    if wire.strata.is_empty() {
        let cases = wire.cases.map(|it| it.0);
        let cases = cases.or_else(|| missing("graded answers need `cases`", "cases = 300", found));
        let law = law(wire, found);
        let (cases, law) = (cases?, law?);
        let labelled = wire.labels.is_none();
        add.cases("", cases, &kind(law, stale, Marks { labelled, ..Marks::default() }));
        if let Some(labels) = &wire.labels {
            add.labels(labels, law, "world.graded.labels", found)?;
        }
    } else {
        let counts = strata_of(wire, found)?;
        for (stratum, ((name, it), cases)) in (0..).zip(wire.strata.iter().zip(counts)) {
            let rates = stratum_rates(name, it, found)?;
            let law = joint_of_rates(rates, wire.rigidity.get());
            add.cases(name, cases, &kind(law, stale, Marks { stratum, ..Marks::default() }));
            let (share, passes) = (it.share.map(Probability::get), Some(marginals(law)));
            add.world.strata.push(Stratum { name: name.clone(), share, passes });
        }
    }
    if world.cases.is_empty() {
        return missing("a world has at least one case", "cases = 100 in a stratum", found);
    }
    Some(Built {
        world: Arc::new(world),
        has_lengths: false,
        drawn: wire.drawn,
        scored: None,
        file: None,
    })
}

fn missing<T>(rule: &str, example: &str, found: &mut Vec<Found>) -> Option<T> {
    found.push(Found::new("world.graded", rule, format!("add {example}")));
    None
}

/// The pass rates that a law of labels gives the two systems.
fn marginals(law: [f64; 4]) -> [f64; 2] {
    [0, 1].map(|k: usize| {
        let each = Gold::ALL.into_iter().zip(law);
        each.filter(|(gold, _)| gold.passes()[k]).map(|it| it.1).sum()
    })
}

/// Graded answers of one law, a share of whose labels is stale.
fn kind(law: [f64; 4], stale: f64, marks: Marks) -> Kind {
    Kind { gap: Gap::Graded { law, stale }, length: Length::Fixed(0.0), marks }
}

/// A world to which cases are added.
struct Adding<'w> {
    world: &'w mut World,
    drawn: Drawn,
    /// The share of its labels that are stale.
    stale: f64,
    seed: u64,
}

impl Adding<'_> {
    /// Cases that are alike, named by their number after a prefix.
    fn cases(&mut self, prefix: &str, cases: usize, kind: &Kind) {
        let first = self.world.kinds.len();
        for case in 0..cases {
            let id = if prefix.is_empty() { case.to_string() } else { format!("{prefix} {case}") };
            if self.drawn == Drawn::Once {
                self.world.kinds.push(drawn_once(kind, self.seed, &id));
            } else if case == 0 {
                self.world.kinds.push(kind.clone());
            }
            let kind = if self.drawn == Drawn::Once { first + case } else { first };
            self.world.cases.push(Case { id, kind });
        }
    }

    /// The labelled cases.
    fn labels(
        &mut self,
        labels: &LabelsWire,
        law: [f64; 4],
        at: &str,
        found: &mut Vec<Found>,
    ) -> Option<()> {
        let half = labels.balanced.0 / 2;
        if !labels.balanced.0.is_multiple_of(2) {
            let rule =
                format!("half of the balanced labels truly pass, and {} is odd", labels.balanced.0);
            found.push(Found::new(&format!("{at}.balanced"), rule, "take an even number"));
            return None;
        }
        let [passing, failing] = given_first(law);
        let parts = [
            ("label", labels.random.0, law),
            ("passing label", labels.passing.0 + half, passing),
            ("failing label", labels.failing.0 + half, failing),
        ];
        if parts.iter().all(|it| it.1 == 0) {
            let rule = "labels are bought for at least one case";
            found.push(Found::new(at, rule, "write labels = { random = 200 }, or leave it out"));
            return None;
        }
        for (name, cases, law) in parts {
            self.cases(name, cases, &kind(law, self.stale, Marks::default()));
        }
        Some(())
    }
}

/// The law of labels given that the first system's answer passes, and that it fails. Where that never happens the second
/// system's answer is as likely to pass as ever.
fn given_first(law: [f64; 4]) -> [[f64; 4]; 2] {
    let [_, second] = marginals(law);
    [true, false].map(|passes| {
        let mut part = [0.0; 4];
        for (part, (gold, p)) in part.iter_mut().zip(Gold::ALL.into_iter().zip(law)) {
            *part = if gold.passes()[0] == passes { p } else { 0.0 };
        }
        let sum: f64 = part.iter().sum();
        if 0.0 < sum {
            return part.map(|p| p / sum);
        }
        Gold::ALL.map(|gold| match gold.passes() {
            [first, _] if first != passes => 0.0,
            [_, true] => second,
            [_, false] => 1.0 - second,
        })
    })
}

/// The one law of all cases.
fn law(wire: &GradedWire, found: &mut Vec<Found>) -> Option<[f64; 4]> {
    let stray = [("difference", wire.difference.is_some()), ("both", wire.both.is_some())];
    if let (None, Some((key, _))) = (wire.discordant, stray.iter().find(|it| it.1)) {
        let rule = format!("`{key}` belongs to `discordant`");
        let at = format!("world.graded.{key}");
        found.push(Found::new(&at, rule, "add discordant = 0.2, or remove this key"));
        return None;
    }
    let twin = wire.rate.map(|rate| [rate, rate]);
    match (wire.rates.xor(twin), wire.joint, wire.discordant) {
        _ if wire.rates.is_some() && twin.is_some() => {
            let rule = "graded answers have one of `rate`, `rates`, `joint` and `discordant`";
            found.push(Found::new("world.graded", rule, "keep one of them"));
            None
        }
        (Some(rates), None, None) => {
            let [first, second] = rates.map(Probability::get);
            let fresh = joint_of_rates([first, second], wire.rigidity.get());
            let leaked = joint_of_rates([wire.memorised.get(), second], wire.rigidity.get());
            let share = wire.leaked.get();
            Some([0, 1, 2, 3].map(|k: usize| (1.0 - share) * fresh[k] + share * leaked[k]))
        }
        (None, Some(joint), None) => joint_of_weights(joint, found),
        (None, None, Some(discordant)) => joint_of_discordance(discordant.get(), wire, found),
        (None, None, None) => missing(
            "graded answers have `rates`, `joint` or `discordant`",
            "rates = [0.7, 0.8]",
            found,
        ),
        _ => {
            let rule = "graded answers have one of `rate`, `rates`, `joint` and `discordant`";
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

/// How many cases each stratum has: as it says, or its share of all cases.
fn strata_of(wire: &GradedWire, found: &mut Vec<Found>) -> Option<Vec<usize>> {
    let at = "world.graded.strata";
    let mut refuse = |path: &str, rule: String, remedy: &str| {
        found.push(Found::new(path, rule, remedy));
    };
    if MOST_STRATA < wire.strata.len() {
        let rule = format!(
            "{} strata are told apart, and at most {MOST_STRATA} can be",
            wire.strata.len()
        );
        refuse(at, rule, "join small strata");
        return None;
    }
    let whole = [
        wire.rate.is_some(),
        wire.rates.is_some(),
        wire.joint.is_some(),
        wire.labels.is_some(),
        wire.discordant.is_some(),
        wire.difference.is_some(),
        wire.both.is_some(),
    ];
    if whole.contains(&true) || wire.leaked != Probability::ZERO {
        let rule = "with strata each has `rates` of its own, and none has labels or leaks";
        refuse(
            "world.graded",
            rule.to_owned(),
            "remove rate, rates, joint, discordant, difference, both, labels and leaked",
        );
        return None;
    }
    let shares: Vec<f64> =
        wire.strata.values().filter_map(|it| it.share.map(Probability::get)).collect();
    let each = wire.strata.len();
    if shares.len() == each {
        let sum: f64 = shares.iter().sum();
        if 1e-6 < libm::fabs(sum - 1.0) {
            refuse(at, shares_rule("the strata's shares", sum), "give shares that sum to 1");
            return None;
        }
    } else if !shares.is_empty() {
        refuse(at, "some strata have a share and some have none".to_owned(), "give each a share");
        return None;
    }
    let own: Vec<usize> = wire.strata.values().filter_map(|it| it.cases.map(|it| it.0)).collect();
    match (wire.cases, own.len()) {
        (Some(all), 0) if shares.len() == each => Some(divided(all.0, &shares)),
        (None, n) if n == each => Some(own),
        _ => {
            let rule = "either the world has `cases` and each stratum a `share`, or each stratum has `cases`";
            refuse(at, rule.to_owned(), "write cases = 100 in each stratum, or once for the world");
            None
        }
    }
}

/// What is wrong with shares that do not sum to 1.
pub(in crate::scenario) fn shares_rule(whose: &str, sum: f64) -> String {
    format!("{whose} sum to {}, not 1", libm::rint(sum * 1e6) / 1e6)
}

/// Cases by share, rounded by largest remainders so that none is left over.
fn divided(all: usize, shares: &[f64]) -> Vec<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most a million"
    )]
    let mut counts: Vec<usize> =
        shares.iter().map(|it| libm::floor(it * all as f64 + 1e-9) as usize).collect();
    let rest = |k: usize| shares[k] * all as f64 - libm::floor(shares[k] * all as f64 + 1e-9);
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| rest(*b).total_cmp(&rest(*a)));
    let left = all.saturating_sub(counts.iter().sum());
    for k in order.into_iter().cycle().take(left) {
        counts[k] += 1;
    }
    counts
}

fn stratum_rates(name: &str, it: &StratumWire, found: &mut Vec<Found>) -> Option<[f64; 2]> {
    match (it.rates, it.rate) {
        (Some(rates), None) => Some(rates.map(Probability::get)),
        (None, Some(rate)) => Some([rate.get(); 2]),
        _ => {
            let at = show_path(["world", "graded", "strata", name]);
            let rule = "a stratum has either `rates` or `rate`";
            found.push(Found::new(&at, rule, "write rates = [0.7, 0.8]"));
            None
        }
    }
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
pub(in crate::scenario) fn counts(
    wire: &CountsWire,
    seed: u64,
    found: &mut Vec<Found>,
) -> Option<Built> {
    let systems = answers(&wire.systems, None, "world.counts", found)?;
    let counts = [
        (Gold::Both, wire.both),
        (Gold::A, wire.first),
        (Gold::B, wire.second),
        (Gold::Tie, wire.neither),
    ];
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    let marks = Marks { labelled: wire.labels.is_none(), ..Marks::default() };
    for (place, (gold, count)) in counts.into_iter().enumerate() {
        let [a, b] = gold.passes().map(|passes| f64::from(u8::from(passes)));
        let gap = Gap::Fixed { gap: a - b, gold };
        world.kinds.push(Kind { gap, length: Length::Fixed(0.0), marks });
        let next = world.cases.len();
        world
            .cases
            .extend((next..next + count.0).map(|id| Case { id: id.to_string(), kind: place }));
    }
    let all = world.cases.len();
    if all == 0 {
        let rule = "a world has at least one case";
        found.push(Found::new("world.counts", rule, "give a count above 0"));
        return None;
    }
    let mut drawn = Drawn::Once;
    if let Some(labels) = &wire.labels {
        drawn = Drawn::Anew;
        let share = |count: Count| count.0 as f64 / all as f64;
        let law = [wire.first, wire.neither, wire.second, wire.both].map(share);
        let mut add = Adding { world: &mut world, drawn, stale: 0.0, seed };
        add.labels(labels, law, "world.counts.labels", found)?;
    }
    Some(Built { world: Arc::new(world), has_lengths: false, drawn, scored: None, file: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law_of(text: &str) -> Result<[f64; 4], usize> {
        let wire: GradedWire = toml::from_str(&format!("cases = 3\n{text}")).unwrap();
        let mut found = Vec::new();
        law(&wire, &mut found).ok_or(found.len())
    }

    /// A key that belongs to all cases would be passed over in silence where each stratum has its own law.
    #[test]
    fn strata_leave_no_room_for_a_law_of_all_cases() {
        let strata = "[strata.easy]\ncases = 3\nrates = [0.9, 0.8]\n";
        for key in ["discordant = 0.2", "difference = 0.1", "both = 0.4", "rate = 0.5"] {
            let wire: GradedWire = toml::from_str(&format!("{key}\n{strata}")).unwrap();
            let mut found = Vec::new();
            assert!(strata_of(&wire, &mut found).is_none() && found.len() == 1, "{key}");
        }
        let wire: GradedWire = toml::from_str(strata).unwrap();
        assert_eq!(strata_of(&wire, &mut Vec::new()), Some(vec![3]));
    }

    /// First only, neither, second only, both.
    #[test]
    fn a_discordance_and_a_difference_make_a_law() {
        let close = |text: &str, want: [f64; 4]| {
            let got = law_of(text).unwrap();
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
            assert_eq!(law_of(text), Err(1), "{text}");
        }
    }
}
