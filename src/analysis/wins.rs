//! The win rate of system A by every convention for orders, ties and flips.

use std::cmp::Ordering;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::number::Number;
use super::pairs::{Kind, in_both_orders, sums};
use super::{Options, rule};
use crate::evidence::{Order, Verdict, Votes};

/// A convention: its name, the rule, and what others call it.
const CONVENTIONS: [(&str, &str); 4] = [
    ("averaged", "win-rate/averaged"),
    ("conservative", "win-rate/conservative"),
    ("majority", "win-rate/majority"),
    ("agreed", "win-rate/agreed"),
];

/// The convention that is relied on for both orders, and for one.
pub const CHOSEN: &str = "averaged";
/// The convention for one order a pair.
pub const ONE_ORDER: &str = "one-order";

/// Wins, losses and ties of A over pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Pairs won by A.
    pub wins: u64,
    /// Pairs won by B.
    pub losses: u64,
    /// Neither.
    pub ties: u64,
}

/// A's win rates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinRate {
    /// System A.
    pub of: String,
    /// System B; the number of systems where A met several.
    pub against: String,
    /// The convention to rely on.
    pub chosen: String,
    /// By convention: `averaged` half votes, `conservative` a win only where both orders agree, `majority` (tie, A) is a win,
    /// `agreed` of the pairs with the same winner in both orders, `first-order` and `second-order` A shown first and second.
    #[serde(flatten)]
    pub rates: IndexMap<String, Number>,
    /// Pairs by the conservative convention.
    pub conservative_record: Record,
    /// Pairs by the majority of the decisive votes.
    pub majority_record: Record,
}

/// The win rates of some pairs; none without a pair.
pub(super) fn win_rate(
    pairs: &[Kind],
    of: String,
    against: String,
    options: &Options,
) -> Option<WinRate> {
    if pairs.is_empty() {
        return None;
    }
    let settings = options.settings();
    let both = in_both_orders(pairs);
    let say = |name: &str, pairs: &[Kind]| {
        let rule = rule(name);
        Number::estimate(rule, &rule.estimate(&sums(rule, pairs), &settings))
    };
    let mut rates = IndexMap::new();
    if both.is_empty() {
        rates.insert(ONE_ORDER.to_owned(), say("win-rate/random-order", pairs));
    } else {
        for (name, rule) in CONVENTIONS {
            rates.insert(name.to_owned(), say(rule, &both));
        }
        rates.insert("shown-first".to_owned(), say("win-rate/one-order", &both));
        rates.insert("shown-second".to_owned(), say("win-rate/other-order", &both));
    }
    Some(WinRate {
        of,
        against,
        chosen: if both.is_empty() { ONE_ORDER } else { CHOSEN }.to_owned(),
        rates,
        conservative_record: record(&both, |all| all.unanimous().unwrap_or(Verdict::Tie)),
        majority_record: record(&both, |all| match all.first.cmp(&all.second) {
            Ordering::Greater => Verdict::First,
            Ordering::Equal => Verdict::Tie,
            Ordering::Less => Verdict::Second,
        }),
    })
}

/// Pairs with a verdict in both orders by what all votes on them, told of A, say together.
fn record(pairs: &[Kind], together: fn(Votes) -> Verdict) -> Record {
    let mut record = Record::default();
    let valid = |it: &&Kind| Order::BOTH.into_iter().all(|order| 0 < it.pair.votes(order).valid());
    for Kind { pair, times } in pairs.iter().filter(valid) {
        *match together(pair.answers.for_a()) {
            Verdict::First => &mut record.wins,
            Verdict::Second => &mut record.losses,
            Verdict::Tie | Verdict::Invalid => &mut record.ties,
        } += times;
    }
    record
}
