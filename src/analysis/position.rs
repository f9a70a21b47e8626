//! Position: what the two orders of a pair say together, and what one random order says alone.

use serde::{Deserialize, Serialize};

use super::detectable::{self, Detectable};
use super::jackknife::Items;
use super::number::Number;
use super::pairs::{Kind, Pair, count, in_both_orders, kinds, majorities, sums};
use super::raters::{CELLS, Raters, cell, one, raters};
use super::{Options, rule};
use crate::estimators::flip_rate::floor_bounds;
use crate::estimators::{Estimate, Limits};
use crate::evidence::{Gold, Order};
use crate::stats::clustered::RatioSums;
use crate::stats::paired::{Tails, equivalence};
use crate::stats::special::normal_quantile;

/// What a test and a margin say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The test rejects the absence of a bias, and the margin is not shown to hold.
    Biased,
    /// Two one-sided tests put the effect within the margin.
    Equivalent,
    /// Neither.
    Undecided,
}

/// The claim for a margin of the first-shown share about one half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// The margin, as a share.
    pub margin: f64,
    /// The p-value of equivalence: two one-sided tests, mid-p tails.
    pub equivalence_p: f64,
    /// What the two tests say together.
    pub claim: Claim,
    /// The pairs that decide for a judge without a preference, with power .8 at this flip rate.
    pub pairs_to_decide: Number,
}

/// What the two orders of each pair say of the slots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Pairs with a verdict in both orders; with repeats, of their majorities.
    pub valid_pairs: u64,
    /// The first slot won in both orders.
    pub first_first: u64,
    /// The second slot won in both orders.
    pub second_second: u64,
    /// The same winner, or a tie, in both orders.
    pub consistent: u64,
    /// Of the consistent pairs, ties.
    pub both_tied: u64,
    /// A tie in one order and a winner in the other: neither consistent nor a flip.
    pub half_tied: u64,
    /// Flips of valid pairs.
    pub flip_rate: Number,
    /// The bounds on the flip rate of the same judge without a preference (logistic, no ties).
    pub fair_floor: Floor,
    /// The exact sign test of FF against SS.
    pub exact_p: f64,
    /// Its mid-p version.
    pub mid_p: f64,
    /// Whether the chosen test rejects: mid-p, or with repeats the clustered one.
    pub seen: bool,
    /// The position preference in log-odds, with the limits that go with the chosen test.
    pub beta: Number,
    /// The same with Clopper-Pearson limits; without repeats only.
    pub beta_exact: Number,
    /// The same with half a flip added to both directions, which exists where one is 0.
    pub beta_haldane: Number,
    /// The share won by the answer shown first, both orders of valid pairs, ties as halves.
    pub first_share: Number,
    /// Single decisive verdicts for the answer shown first, of invalid pairs too.
    pub first_of_decisive: Share,
    /// The two orders' verdicts about the systems as those of two raters: the order with A first, and the other.
    pub between_orders: Raters,
    /// Consistent pairs of valid pairs (Shi et al. 2024).
    pub position_consistency: Number,
    /// Recency minus primacy pairs of valid pairs (Shi et al. 2024): above 0 the second slot is preferred.
    pub preference_fairness: Number,
    /// The smallest preference that these pairs would have shown at this flip rate.
    pub smallest_detectable: Detectable,
    /// The smallest share of pairs that a preference must turn, all one way, to be seen with the same power: what is left
    /// to say of a judge that hardly flips.
    pub smallest_one_way: Detectable,
    /// The claim for the margin that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
}

/// A count, what it is counted of, and the share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// The share.
    #[serde(flatten)]
    pub share: Number,
}

/// Bounds on a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Reached when all pairs are equally hard.
    pub low: f64,
    /// Reached when some pairs are certain and the others even.
    pub high: f64,
}

/// Pairs by what their two orders say, in slots and in systems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cells {
    valid: u64,
    both_tied: u64,
    half_tied: u64,
    consistent: u64,
    primacy: u64,
    recency: u64,
    /// Verdicts about the systems, order AB by order BA.
    items: Items<CELLS>,
}

impl Cells {
    fn of(kinds: &[Kind]) -> Self {
        let mut it = Self::default();
        for Kind { pair, times } in kinds {
            if let (Some(ab), Some(ba)) = (pair.said(Order::Ab), pair.said(Order::Ba)) {
                it.add(ab, ba, *times);
            }
        }
        it
    }

    fn add(&mut self, ab: Gold, ba: Gold, times: u64) {
        self.valid += times;
        self.items.add_many(one(cell(ab, ba)), times);
        let count = |it: bool| if it { times } else { 0 };
        self.both_tied += count(ab == Gold::Tie && ba == Gold::Tie);
        self.half_tied += count((ab == Gold::Tie) != (ba == Gold::Tie));
        self.consistent += count(ab == ba);
        // Points of the first slot minus points of the second: A is first in AB and second in BA.
        let lean = |it: Gold| match it {
            Gold::A => 1,
            Gold::B => -1,
            Gold::Tie | Gold::Both => 0,
        };
        let slots: i32 = lean(ab) - lean(ba);
        self.primacy += count(0 < slots);
        self.recency += count(slots < 0);
    }
}

/// The analysis of pairs that were asked in both orders; none where no pair was.
pub(super) fn position(pairs: &[Kind], repeats: bool, options: &Options) -> Option<Position> {
    let both = in_both_orders(pairs);
    if both.is_empty() {
        return None;
    }
    let single = if repeats { majorities(&both) } else { both.clone() };
    let settings = options.settings();
    let of = |name: &str, pairs: &[Kind]| -> (Number, Estimate) {
        let rule = rule(name);
        let it = rule.estimate(&sums(rule, pairs), &settings);
        (Number::estimate(rule, &it), it)
    };
    let flip_sums = sums(rule("position-effect/mid-p"), &single).0;
    let [n, ff, ss] = [0, 1, 2].map(|k: usize| flip_sums[k].unsigned_abs());
    let cells = Cells::of(&single);
    let (mid, mid_estimate) = of("position-effect/mid-p", &single);
    let (exact, exact_estimate) = of("position-effect/exact", &single);
    let beta = if repeats {
        with_error(of("position-effect/clustered", &both).0, options)
    } else {
        Number { se: conditional_error(ff as f64, ss as f64), ..mid }
    };
    Some(Position {
        valid_pairs: n,
        first_first: ff,
        second_second: ss,
        consistent: cells.consistent,
        both_tied: cells.both_tied,
        half_tied: cells.half_tied,
        flip_rate: of("flip-rate", &both).0,
        fair_floor: floor(n, ff, ss),
        exact_p: p(&exact_estimate.limits),
        mid_p: p(&mid_estimate.limits),
        seen: settings.rejects(beta.p.unwrap_or(1.0)),
        beta,
        beta_exact: Number { se: conditional_error(ff as f64, ss as f64), ..exact },
        beta_haldane: haldane(ff, ss, options),
        first_share: of("first-share", &both).0,
        first_of_decisive: first_of_decisive(pairs, options),
        between_orders: raters(&cells.items, options),
        position_consistency: share_of(cells.consistent, n, options),
        preference_fairness: fairness(&cells, options),
        smallest_detectable: detectable::position(n, ff + ss, options.level),
        smallest_one_way: detectable::one_way_share(n, options),
        margin: options.margin.map(|margin| claim(margin, [n, ff, ss], options)),
    })
}

fn p(limits: &Limits) -> f64 {
    // The sign tests have a p-value for every table.
    limits.p.unwrap_or(1.0)
}

/// The delta-method error of 1/2 ln(FF/SS).
fn conditional_error(ff: f64, ss: f64) -> Option<f64> {
    (0.0 < ff && 0.0 < ss).then(|| 0.5 * libm::sqrt(1.0 / ff + 1.0 / ss))
}

/// The error that a symmetric interval was made with, on the normal scale.
fn with_error(number: Number, options: &Options) -> Number {
    let half = number.high.zip(number.low).map(|(high, low)| (high - low) / 2.0);
    let z = normal_quantile(0.5 + options.level.get() / 2.0);
    Number {
        se: half.filter(|it| it.is_finite() && number.value.is_some()).map(|it| it / z),
        ..number
    }
}

fn haldane(ff: u64, ss: u64, options: &Options) -> Number {
    if ff + ss == 0 {
        return Number::none("no pair flipped");
    }
    let [f, s] = [ff, ss].map(|it| it as f64 + 0.5);
    let (value, se) = (0.5 * libm::log(f / s), 0.5 * libm::sqrt(1.0 / f + 1.0 / s));
    let half = normal_quantile(0.5 + options.level.get() / 2.0) * se;
    let mut number =
        Number::exact(value).with_se(se).by("half a flip added to both directions (Haldane 1956)");
    (number.low, number.high) = (Some(value - half), Some(value + half));
    number
}

fn floor(n: u64, ff: u64, ss: u64) -> Floor {
    let share = |it: u64| if n == 0 { 0.0 } else { it as f64 / n as f64 };
    let (low, high) = floor_bounds(share(ff), share(ss));
    Floor { low, high }
}

/// A share of items, each counted once.
pub(super) fn share_of(count: u64, of: u64, options: &Options) -> Number {
    if of == 0 {
        return Number::none("nothing was counted");
    }
    let interval = crate::stats::interval::wilson(count, of, options.level.get());
    Number::exact(count as f64 / of as f64).within(interval).by("Wilson (1927)")
}

/// A ratio over items, with the t interval of a ratio.
pub(super) fn ratio_of(sums: &RatioSums, options: &Options) -> Number {
    let number = Number::of(sums.ratio());
    let Ok(interval) = sums.interval(options.level.get()) else { return number };
    let number = number.within(interval).by("t interval of a ratio over pairs (Cochran 1977)");
    Number { se: sums.error().ok(), ..number }
}

fn first_of_decisive(pairs: &[Kind], options: &Options) -> Share {
    let (mut count, mut of) = (0, 0);
    let mut sums = RatioSums::default();
    for Kind { pair, times } in pairs {
        let votes = Order::BOTH.map(|order| pair.votes(order));
        let first: u64 = votes.iter().map(|it| u64::from(it.first)).sum();
        let decisive: u64 = first + votes.iter().map(|it| u64::from(it.second)).sum::<u64>();
        if 0 < decisive {
            sums.add_many(first as f64, decisive as f64, *times);
        }
        (count, of) = (count + first * times, of + decisive * times);
    }
    Share { count, of, share: ratio_of(&sums, options) }
}

fn fairness(cells: &Cells, options: &Options) -> Number {
    let n = cells.valid;
    if n == 0 {
        return Number::none("no pair has a verdict in both orders");
    }
    let (r, p) = (cells.recency as f64, cells.primacy as f64);
    let interval =
        crate::stats::paired::tango(cells.recency, cells.primacy, n, options.level.get());
    Number::exact((r - p) / n as f64).within(interval).by("paired difference, Tango (1998)")
}

fn claim(margin: f64, [n, ff, ss]: [u64; 3], options: &Options) -> Margin {
    let equivalence_p = if n == 0 { 1.0 } else { equivalence(ff, ss, n, margin, Tails::MidP) };
    let settings = options.settings();
    let claim = if settings.rejects(equivalence_p) {
        Claim::Equivalent
    } else if settings.rejects(crate::stats::paired::mcnemar_mid_p(ff, ss)) {
        Claim::Biased
    } else {
        Claim::Undecided
    };
    let rate = if n == 0 { 0.0 } else { (ff + ss) as f64 / n as f64 };
    let pairs = Some(rate).filter(|it| 0.0 < *it);
    let pairs = pairs.and_then(|it| detectable::pairs_to_decide(margin, it, options));
    let pairs_to_decide = match pairs {
        Some(pairs) => {
            Number::exact(pairs as f64).by("power .8 of the two tests at this flip rate")
        }
        None if rate == 0.0 => Number::none("no pair flipped: these pairs tell no flip rate"),
        None => Number::none("no number of pairs that can be had decides at this flip rate"),
    };
    Margin { margin, equivalence_p, claim, pairs_to_decide }
}

/// What one order a pair says of the slots, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneOrder {
    /// Pairs with a verdict.
    pub valid_pairs: u64,
    /// Pairs in which A, the system that the file names first, was shown first.
    pub a_first: u64,
    /// The share won by the answer shown first, ties as halves. It holds the systems' difference too, unless the order was
    /// drawn at random.
    pub first_share: Number,
    /// The logit of that share; items attenuate it.
    pub marginal: Number,
    /// The intercept of a logistic fit that holds the systems' strengths, which an unbalanced order does not fake or hide.
    pub with_systems: Number,
}

/// The analysis of pairs that were asked in one order only; none where no pair was.
pub(super) fn one_order(pairs: &[Pair], options: &Options) -> Option<OneOrder> {
    let one = |it: &&Pair| it.asked(Order::Ab) != it.asked(Order::Ba);
    let one: Vec<Pair> = pairs.iter().filter(one).copied().collect();
    if one.is_empty() {
        return None;
    }
    let settings = options.settings();
    let kinds = kinds(&one);
    let of = |name: &str| {
        let rule = rule(name);
        Number::estimate(rule, &rule.estimate(&sums(rule, &kinds), &settings))
    };
    Some(OneOrder {
        valid_pairs: count(kinds.iter().filter(|it| 0 < it.pair.answers.for_a().valid())),
        a_first: count(kinds.iter().filter(|it| it.pair.asked(Order::Ab))),
        first_share: of("first-share/single-order"),
        marginal: of("position-effect/marginal"),
        with_systems: super::length::position_with_systems(&one, options),
    })
}
