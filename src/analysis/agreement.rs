//! Agreement with a gold label: order by order, both orders together, and over all verdicts in systems and in slots.

use serde::{Deserialize, Serialize};

use super::jackknife::Items;
use super::number::Number;
use super::pairs::{Pair, sums};
use super::position::{Share, ratio_of, share_of};
use super::raters::{CELLS, Raters, cell, one, raters};
use super::{Options, rule};
use crate::evidence::{Gold, Order};
use crate::stats::clustered::RatioSums;

/// Why agreement in slots is not agreement in systems.
const CODINGS: &str = "in systems the classes are as common as each system is better; in slots, with both orders asked, first \
    and second are equally common, so chance agrees differently and kappa differs";

/// How far a judge agrees with the label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Pairs with a label.
    pub labelled_pairs: u64,
    /// Labels for A, neither, B.
    pub labels: [u64; 3],
    /// With A shown first; with B shown first.
    pub by_order: Vec<OrderAgreement>,
    /// The mean over pairs of the share of right verdicts; a reply that is no verdict is wrong.
    pub accuracy: Number,
    /// Pairs that are right in both orders.
    pub both_right: Share,
    /// Right verdicts of both orders together, a tie where they disagree.
    pub together: Number,
    /// Kappa of the same.
    pub together_kappa: Number,
    /// All verdicts, told of the systems.
    pub in_systems: Raters,
    /// All verdicts, told of the slots.
    pub in_slots: Raters,
    /// Why the two differ.
    pub codings: String,
}

/// Agreement in one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderAgreement {
    /// `A first` or `B first`.
    pub order: String,
    /// Right verdicts of labelled pairs; a reply that is no verdict is wrong.
    pub accuracy: Share,
    /// The same of the replies that are verdicts.
    pub accuracy_of_valid: Number,
    /// Verdict by label, among the replies that are verdicts.
    #[serde(flatten)]
    pub raters: Raters,
}

/// The agreement of some pairs with their labels; none without a label. With repeats, of the majorities.
pub(super) fn agreement(pairs: &[Pair], options: &Options) -> Option<Agreement> {
    let labelled = |it: &&Pair| it.gold.is_some();
    let pairs: Vec<Pair> = pairs.iter().filter(labelled).map(Pair::majorities).collect();
    if pairs.is_empty() {
        return None;
    }
    let both: Vec<Pair> =
        pairs.iter().filter(|it| it.asked(Order::Ab) && it.asked(Order::Ba)).copied().collect();
    let right = both
        .iter()
        .filter(|it| Order::BOTH.into_iter().all(|order| it.said(order) == it.gold))
        .count() as u64;
    let mut labels = [0; 3];
    pairs.iter().filter_map(|it| it.gold).for_each(|it| labels[it as usize] += 1);
    let orders = [(Order::Ab, "one-order"), (Order::Ba, "other-order")];
    let asked = |it: &&(Order, &str)| pairs.iter().any(|pair| pair.asked(it.0));
    Some(Agreement {
        labelled_pairs: pairs.len() as u64,
        labels,
        by_order: orders
            .iter()
            .filter(asked)
            .map(|(order, variant)| by_order(&pairs, *order, variant, options))
            .collect(),
        accuracy: accuracy(&pairs, options),
        both_right: Share {
            count: right,
            of: both.len() as u64,
            share: share_of(right, both.len() as u64, options),
        },
        together: say("accuracy/swap", &both, options),
        together_kappa: say("kappa/swap", &both, options),
        in_systems: raters(&cells(&pairs, false), options),
        in_slots: raters(&cells(&pairs, true), options),
        codings: CODINGS.to_owned(),
    })
}

fn say(name: &str, pairs: &[Pair], options: &Options) -> Number {
    if pairs.is_empty() {
        return Number::none("no labelled pair was asked in both orders");
    }
    let rule = rule(name);
    Number::estimate(rule, &rule.estimate(&sums(rule, pairs), &options.settings()))
}

fn by_order(pairs: &[Pair], order: Order, variant: &str, options: &Options) -> OrderAgreement {
    let asked: Vec<Pair> = pairs.iter().filter(|it| it.asked(order)).copied().collect();
    let of = asked.len() as u64;
    let count = asked.iter().filter(|it| it.said(order) == it.gold).count() as u64;
    let mut items = Items::default();
    for pair in &asked {
        if let (Some(said), Some(gold)) = (pair.said(order), pair.gold) {
            items.add(one(cell(said, gold)));
        }
    }
    let kappa = say(&format!("kappa/{variant}"), &asked, options);
    OrderAgreement {
        order: if order == Order::Ab { "A first" } else { "B first" }.to_owned(),
        accuracy: Share { count, of, share: share_of(count, of, options) },
        accuracy_of_valid: say(&format!("accuracy/{variant}"), &asked, options),
        raters: Raters { kappa, ..raters(&items, options) },
    }
}

/// The mean over pairs of the share of right replies.
fn accuracy(pairs: &[Pair], options: &Options) -> Number {
    let mut sums = RatioSums::default();
    for pair in pairs {
        let asked: Vec<Order> = Order::BOTH.into_iter().filter(|it| pair.asked(*it)).collect();
        let right = asked.iter().filter(|it| pair.said(**it) == pair.gold).count();
        if !asked.is_empty() {
            sums.add(right as f64 / asked.len() as f64, 1.0);
        }
    }
    ratio_of(&sums, options)
}

/// A label told of the slots of an order: "A" is the answer shown first.
pub(super) const fn in_slots(it: Gold, order: Order) -> Gold {
    match (order, it) {
        (Order::Ba, Gold::A) => Gold::B,
        (Order::Ba, Gold::B) => Gold::A,
        (_, same) => same,
    }
}

/// Verdict by label, pair by pair.
fn cells(pairs: &[Pair], slots: bool) -> Items<CELLS> {
    let mut items = Items::default();
    for pair in pairs {
        let mut cells = [0; CELLS];
        for order in Order::BOTH {
            if let (Some(said), Some(gold)) = (pair.said(order), pair.gold) {
                let told = |it| if slots { in_slots(it, order) } else { it };
                cells[cell(told(said), told(gold))] += 1;
            }
        }
        if cells != [0; CELLS] {
            items.add(cells);
        }
    }
    items
}
