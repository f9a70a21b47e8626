//! Agreement with a gold label: order by order, both orders together, and over all verdicts in systems and in slots.

use serde::{Deserialize, Serialize};

use super::jackknife::Items;
use super::number::Number;
use super::pairs::{Kind, count, in_both_orders, majorities, sums};
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
pub(super) fn agreement(pairs: &[Kind], options: &Options) -> Option<Agreement> {
    let mut pairs = majorities(pairs);
    pairs.retain(|it| it.pair.gold.is_some());
    if pairs.is_empty() {
        return None;
    }
    let both = in_both_orders(&pairs);
    let of_both = count(&both);
    let in_both = |it: &&Kind| Order::BOTH.into_iter().all(|order| right(it, order));
    let both_right = count(both.iter().filter(in_both));
    let mut labels = [0; 3];
    for Kind { pair, times } in &pairs {
        pair.gold.into_iter().for_each(|it| labels[it as usize] += times);
    }
    let orders = [(Order::Ab, "one-order"), (Order::Ba, "other-order")];
    let asked = |it: &&(Order, &str)| pairs.iter().any(|kind| kind.pair.asked(it.0));
    Some(Agreement {
        labelled_pairs: count(&pairs),
        labels,
        by_order: orders
            .iter()
            .filter(asked)
            .map(|(order, variant)| by_order(&pairs, *order, variant, options))
            .collect(),
        accuracy: accuracy(&pairs, options),
        both_right: Share {
            count: both_right,
            of: of_both,
            share: share_of(both_right, of_both, options),
        },
        together: say("accuracy/swap", &both, options),
        together_kappa: say("kappa/swap", &both, options),
        in_systems: raters(&cells(&pairs, false), options),
        in_slots: raters(&cells(&pairs, true), options),
        codings: CODINGS.to_owned(),
    })
}

/// Whether the verdict of an order is the label's.
fn right(it: &Kind, order: Order) -> bool {
    it.pair.said(order) == it.pair.gold
}

fn say(name: &str, pairs: &[Kind], options: &Options) -> Number {
    if pairs.is_empty() {
        return Number::none("no labelled pair was asked in both orders");
    }
    let rule = rule(name);
    Number::estimate(rule, &rule.estimate(&sums(rule, pairs), &options.settings()))
}

fn by_order(pairs: &[Kind], order: Order, variant: &str, options: &Options) -> OrderAgreement {
    let asked: Vec<Kind> = pairs.iter().filter(|it| it.pair.asked(order)).copied().collect();
    let of = count(&asked);
    let count = count(asked.iter().filter(|it| right(it, order)));
    let mut items = Items::default();
    for Kind { pair, times } in &asked {
        if let (Some(said), Some(gold)) = (pair.said(order), pair.gold) {
            items.add_many(one(cell(said, gold)), *times);
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
fn accuracy(pairs: &[Kind], options: &Options) -> Number {
    let mut sums = RatioSums::default();
    for it in pairs {
        let asked: Vec<Order> = Order::BOTH.into_iter().filter(|o| it.pair.asked(*o)).collect();
        let right = asked.iter().filter(|order| right(it, **order)).count();
        if !asked.is_empty() {
            sums.add_many(right as f64 / asked.len() as f64, 1.0, it.times);
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
fn cells(pairs: &[Kind], slots: bool) -> Items<CELLS> {
    let mut items = Items::default();
    for Kind { pair, times } in pairs {
        let mut cells = [0; CELLS];
        for order in Order::BOTH {
            if let (Some(said), Some(gold)) = (pair.said(order), pair.gold) {
                let told = |it| if slots { in_slots(it, order) } else { it };
                cells[cell(told(said), told(gold))] += 1;
            }
        }
        if cells != [0; CELLS] {
            items.add_many(cells, *times);
        }
    }
    items
}
