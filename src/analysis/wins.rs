//! The win rate of system A by every convention for orders, ties and flips.

use indexmap::IndexMap;
use serde::Serialize;

use super::number::Number;
use super::pairs::{Pair, sums};
use super::{Options, rule};
use crate::evidence::{Gold, Order};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Pairs won by A.
    pub wins: u64,
    /// Pairs won by B.
    pub losses: u64,
    /// Neither.
    pub ties: u64,
}

/// A's win rates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WinRate {
    /// System A.
    pub of: String,
    /// System B; the number of systems where A met several.
    pub against: String,
    /// The convention to rely on.
    pub chosen: &'static str,
    /// By convention: `averaged` half votes, `conservative` a win only where both orders agree, `majority` (tie, A) is a win,
    /// `agreed` of the pairs with the same winner in both orders, `first-order` and `second-order` A shown first and second.
    #[serde(flatten)]
    pub rates: IndexMap<&'static str, Number>,
    /// Pairs by the conservative convention.
    pub conservative_record: Record,
    /// Pairs by the majority of the decisive votes.
    pub majority_record: Record,
}

/// The win rates of some pairs; none without a pair.
pub(super) fn win_rate(
    pairs: &[Pair],
    of: String,
    against: String,
    options: &Options,
) -> Option<WinRate> {
    if pairs.is_empty() {
        return None;
    }
    let settings = options.settings();
    let asked = |it: &&Pair| it.asked(Order::Ab) && it.asked(Order::Ba);
    let both: Vec<Pair> = pairs.iter().filter(asked).copied().collect();
    let say = |name: &str, pairs: &[Pair]| {
        let rule = rule(name);
        Number::estimate(rule, &rule.estimate(&sums(rule, pairs), &settings))
    };
    let mut rates = IndexMap::new();
    if both.is_empty() {
        rates.insert(ONE_ORDER, say("win-rate/random-order", pairs));
    } else {
        for (name, rule) in CONVENTIONS {
            rates.insert(name, say(rule, &both));
        }
        rates.insert("shown-first", say("win-rate/one-order", &both));
        rates.insert("shown-second", say("win-rate/other-order", &both));
    }
    Some(WinRate {
        of,
        against,
        chosen: if both.is_empty() { ONE_ORDER } else { CHOSEN },
        rates,
        conservative_record: record(&both, |ab, ba| if ab == ba { ab } else { Gold::Tie }),
        majority_record: record(&both, majority),
    })
}

/// The decisive verdict where the other order ties; a tie where two decisive verdicts differ.
const fn majority(ab: Gold, ba: Gold) -> Gold {
    match (ab, ba) {
        (Gold::A, Gold::B) | (Gold::B, Gold::A) => Gold::Tie,
        (Gold::A, _) | (_, Gold::A) => Gold::A,
        (Gold::B, _) | (_, Gold::B) => Gold::B,
        _ => Gold::Tie,
    }
}

/// Pairs with one verdict an order (with repeats, their majority) by what the two say together.
fn record(pairs: &[Pair], together: fn(Gold, Gold) -> Gold) -> Record {
    let mut record = Record::default();
    for pair in pairs {
        let pair = pair.majorities();
        if let (Some(ab), Some(ba)) = (pair.said(Order::Ab), pair.said(Order::Ba)) {
            *match together(ab, ba) {
                Gold::A => &mut record.wins,
                Gold::B => &mut record.losses,
                Gold::Tie | Gold::Both => &mut record.ties,
            } += 1;
        }
    }
    record
}
