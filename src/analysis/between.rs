//! Two judges, or two prompts of one judge, on the same pairs: how far they agree, and how they differ in position, length
//! and agreement with the label. The pair carries both, so what makes a pair hard cancels.

use serde::{Deserialize, Serialize};

use super::agreement::in_slots;
use super::detectable::{self, Detectable};
use super::jackknife::Items;
use super::length::{self, by_judge, measured, stacked};
use super::number::Number;
use super::pairs::Pair;
use super::raters::{CELLS, Raters, cell, raters};
use super::{Answer, Options};
use crate::evidence::Order;
use crate::stats::clustered::RatioSums;
use crate::stats::swap_difference::{Swap, swap_difference};

/// Two judges on the pairs that both judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Between {
    /// The first judge and the second.
    pub judges: [String; 2],
    /// Pairs that both judged.
    pub pairs: u64,
    /// Agreement of their verdicts about the systems, presentation by presentation.
    pub in_systems: Answer<Raters>,
    /// Agreement of their verdicts about the slots.
    pub in_slots: Answer<Raters>,
    /// The first judge's first-shown share minus the second's, over pairs with a verdict of both in both orders.
    pub first_share: Difference,
    /// The first judge's position preference minus the second's, in log-odds.
    pub position: Difference,
    /// The first judge's slope per doubling of length minus the second's.
    pub length: Difference,
    /// The first judge's share of right verdicts minus the second's; a reply that is no verdict is wrong.
    pub accuracy: Difference,
}

/// A paired difference, and the smallest that would have been seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// First minus second.
    #[serde(flatten)]
    pub number: Number,
    /// What these pairs would have shown.
    pub smallest_detectable: Detectable,
}

impl Difference {
    pub(super) fn of(number: Number, unit: &'static str, options: &Options) -> Self {
        let smallest_detectable = detectable::by_error(&number, unit, options.level);
        Self { number, smallest_detectable }
    }
}

/// Pairs of one judge beside the same pairs of another; both are in the order of their keys.
pub(super) fn joined<'p>(
    first: &'p [Pair],
    second: &'p [Pair],
) -> impl Iterator<Item = (&'p Pair, &'p Pair)> {
    let mut rest = second.iter().peekable();
    first.iter().filter_map(move |one| {
        while rest.next_if(|it| it.key() < one.key()).is_some() {}
        rest.next_if(|it| it.key() == one.key()).map(|other| (one, other))
    })
}

/// The comparison of two judges; none where they share no pair.
pub(super) fn between(
    names: [&str; 2],
    first: &[Pair],
    second: &[Pair],
    options: &Options,
) -> Option<Between> {
    let both: Vec<(Pair, Pair)> =
        joined(first, second).map(|(a, b)| (a.majorities(), b.majorities())).collect();
    if both.is_empty() {
        return None;
    }
    let agree = |slots| {
        let items = cells(&both, slots);
        let given = (0 < items.len()).then(|| raters(&items, options));
        Answer::or(given, "no presentation has a verdict of both")
    };
    Some(Between {
        judges: names.map(str::to_owned),
        pairs: both.len() as u64,
        in_systems: agree(false),
        in_slots: agree(true),
        first_share: Difference::of(first_share(&both, options), "share", options),
        position: Difference::of(position(&both, options), "log-odds", options),
        length: Difference::of(slopes(&both, options), length::UNIT, options),
        accuracy: Difference::of(accuracy(&both, options), "share", options),
    })
}

/// First judge by second, pair by pair.
fn cells(both: &[(Pair, Pair)], slots: bool) -> Items<CELLS> {
    let mut items = Items::default();
    for (one, other) in both {
        let mut cells = [0; CELLS];
        for order in Order::BOTH {
            if let (Some(a), Some(b)) = (one.said(order), other.said(order)) {
                let told = |it| if slots { in_slots(it, order) } else { it };
                cells[cell(told(a), told(b))] += 1;
            }
        }
        if cells != [0; CELLS] {
            items.add(cells);
        }
    }
    items
}

/// The mean of differences, with its t interval and test.
fn mean(differences: impl Iterator<Item = f64>, none: &'static str, options: &Options) -> Number {
    let mut sums = RatioSums::default();
    differences.for_each(|it| sums.add(it, 1.0));
    if sums.items == 0 {
        return Number::none(none);
    }
    let number = super::position::ratio_of(&sums, options);
    match sums.p_value(0.0) {
        Ok(p) => number.with_p(p).by("paired t over pairs"),
        Err(_) => number,
    }
}

/// A pair's points of the slot shown first, of one, over both orders.
fn first_points(pair: &Pair) -> Option<f64> {
    let [ab, ba] = Order::BOTH.map(|order| pair.votes(order));
    (0 < ab.valid() && 0 < ba.valid()).then(|| (ab.half_points() + ba.half_points()) as f64 / 4.0)
}

fn first_share(both: &[(Pair, Pair)], options: &Options) -> Number {
    let differences = both.iter().filter_map(|(a, b)| Some(first_points(a)? - first_points(b)?));
    mean(differences, "no pair has verdicts of both judges in both orders", options)
}

/// The difference of 1/2 ln(FF/SS).
fn position(both: &[(Pair, Pair)], options: &Options) -> Number {
    let swap = |pair: &Pair| {
        let [ab, ba] = Order::BOTH.map(|order| pair.votes(order));
        (0 < ab.valid() && 0 < ba.valid()).then(|| {
            match (ab.first * ba.first, ab.second * ba.second) {
                (1.., _) => Swap::First,
                (_, 1..) => Swap::Second,
                _ => Swap::Other,
            }
        })
    };
    let mut table = [[0; 3]; 3];
    for (a, b) in both {
        if let (Some(a), Some(b)) = (swap(a), swap(b)) {
            table[a as usize][b as usize] += 1;
        }
    }
    match swap_difference(table) {
        Ok(it) => Number::exact(it.value)
            .with_se(it.error)
            .within(it.interval(options.level.get()))
            .with_p(it.p_value(0.0))
            .by("paired influence of each pair on 1/2 ln(FF/SS), normal limits"),
        Err(why) => Number::none(why),
    }
}

fn slopes(both: &[(Pair, Pair)], options: &Options) -> Number {
    let (first, second): (Vec<Pair>, Vec<Pair>) = both.iter().copied().unzip();
    let (first, second) = (measured(&first), measured(&second));
    if first.is_empty() || second.is_empty() {
        return Number::none("the file gives no lengths above 0");
    }
    match stacked([(&first, &by_judge), (&second, &by_judge)], &length::log_ratio) {
        Ok(it) => length::stated(it, options),
        Err(why) => Number::none(why),
    }
}

fn accuracy(both: &[(Pair, Pair)], options: &Options) -> Number {
    let right = |pair: &Pair| {
        let gold = pair.gold?;
        let asked: Vec<Order> = Order::BOTH.into_iter().filter(|it| pair.asked(*it)).collect();
        let right = asked.iter().filter(|it| pair.said(**it) == Some(gold)).count();
        (!asked.is_empty()).then(|| right as f64 / asked.len() as f64)
    };
    let differences = both.iter().filter_map(|(a, b)| Some(right(a)? - right(b)?));
    mean(differences, "no pair has a label", options)
}
