//! The analysis of a real verdict file, by the rules that the simulations certify.
//!
//! The unit is the pair (one item, two systems, one judge); several verdicts on the same presentation are repeats and are
//! never counted as independent. Beside everything that is not detected stands the smallest effect that the file would have
//! shown, and what cannot be estimated is a value with a reason.

mod detectable;
mod length;
mod number;
mod pairs;
mod position;
mod wins;

use serde::Serialize;

pub use detectable::{Detectable, POWER};
pub use length::{Length, Slope};
pub use number::Number;
pub use position::{Claim, Floor, Margin, OneOrder, Position, Share};
pub use wins::{CHOSEN, ONE_ORDER, Record, WinRate};

use pairs::{Pair, Pairs};

use crate::estimators::{ESTIMATORS, Estimator, Settings};
use crate::evidence::Order;
use crate::quantity::Level;
use crate::verdicts::Verdicts;

/// What an analysis is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The confidence level; tests reject when p <= 1 - level.
    pub level: Level,
    /// The margin of the first-shown share about one half within which a position preference is of no account.
    pub margin: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { level: Level::USUAL, margin: None }
    }
}

impl Options {
    const fn settings(&self) -> Settings {
        Settings { level: self.level }
    }
}

/// A rule by its name.
fn rule(name: &str) -> &'static Estimator {
    // The names are this room's own, and a test asks for each.
    ESTIMATORS.iter().copied().find(|it| it.name() == name).unwrap_or(ESTIMATORS[0])
}

/// What a file of comparisons says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The confidence level.
    pub level: f64,
    /// Judge by judge, in the order in which the file names them.
    pub judges: Vec<Judge>,
}

/// What one judge's verdicts say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judge {
    /// Its name.
    pub judge: String,
    /// All its pairs.
    #[serde(flatten)]
    pub all: Part,
    /// The most verdicts on one presentation; above 1 there are repeats.
    pub repeats: u64,
    /// Rows in which a system meets itself; they enter nothing.
    pub same_system: u64,
    /// Rows that ask a presentation again without a repeat of their own; they count as repeats.
    pub duplicates: u64,
    /// Pairs whose rows carry different gold labels; they count as unlabelled.
    pub gold_conflicts: u64,
    /// The same stratum by stratum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<Named>,
    /// The same repeat by repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_repeat: Vec<Named>,
}

/// A stratum or a repeat with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Its pairs.
    #[serde(flatten)]
    pub part: Part,
}

/// What some pairs of one judge say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Pairs.
    pub pairs: u64,
    /// Pairs with at least one order without a verdict.
    pub invalid: u64,
    /// Pairs that were asked in one order only.
    pub one_sided: u64,
    /// Single replies.
    pub replies: Replies,
    /// Both orders of a pair; or one, with a reason.
    pub position: Answer<Position>,
    /// One order a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_order: Option<OneOrder>,
    /// Win rates of the first system.
    pub win_rate: Answer<WinRate>,
    /// What length is paid.
    pub length: Answer<Length>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer<T> {
    /// The answer.
    Given(Box<T>),
    /// Why there is none.
    None(Number),
}

impl<T> Answer<T> {
    fn or(given: Option<T>, why: &str) -> Self {
        given.map_or_else(|| Self::None(Number::none(why)), |it| Self::Given(Box::new(it)))
    }

    /// The answer, where there is one.
    #[must_use]
    pub fn given(&self) -> Option<&T> {
        match self {
            Self::Given(it) => Some(it),
            Self::None(_) => None,
        }
    }

    /// Why there is none.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Given(_) => None,
            Self::None(it) => it.reason.as_deref(),
        }
    }
}

/// Single replies by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replies {
    /// For the answer shown first.
    pub first: u64,
    /// For neither.
    pub tie: u64,
    /// For the answer shown second.
    pub second: u64,
    /// No verdict.
    pub invalid: u64,
}

/// The analysis of comparisons.
#[must_use]
pub fn analyze(verdicts: &Verdicts, options: &Options) -> Analysis {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); verdicts.judges.len()];
    for (row, it) in (0..).zip(&verdicts.ballots) {
        if let Some(of_judge) = rows.get_mut(it.judge as usize) {
            of_judge.push(row);
        }
    }
    let names = verdicts.judges.iter().map(str::to_owned);
    let judges = names
        .zip(&rows)
        .filter(|it| !it.1.is_empty())
        .map(|(name, rows)| judge(name, verdicts, rows, options))
        .collect();
    Analysis { level: options.level.get(), judges }
}

fn judge(judge: String, verdicts: &Verdicts, rows: &[u32], options: &Options) -> Judge {
    let all: Pairs = pairs::pairs(&verdicts.ballots, rows);
    let repeats = all.most_repeats;
    let of = |pairs: &[Pair], repeats| part(pairs, repeats, verdicts, options);
    let mut strata = Vec::new();
    for group in all.pairs.chunk_by(|a, b| a.stratum == b.stratum) {
        let name = verdicts.strata.name(group[0].stratum).to_owned();
        strata.push(Named { name, part: of(group, 1 < repeats) });
    }
    if strata.len() < 2 {
        strata.clear();
    }
    Judge {
        judge,
        all: of(&all.pairs, 1 < repeats),
        repeats,
        same_system: all.same_system,
        duplicates: all.duplicates,
        gold_conflicts: all.gold_conflicts,
        strata,
        by_repeat: by_repeat(verdicts, rows, options),
    }
}

/// Each repeat by itself, where rows name several.
fn by_repeat(verdicts: &Verdicts, rows: &[u32], options: &Options) -> Vec<Named> {
    let repeat = |row: &u32| verdicts.ballots[*row as usize].repeat;
    let mut names: Vec<u32> = rows.iter().map(repeat).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 || MOST_REPEATS < names.len() {
        return Vec::new();
    }
    let one = |name: &u32| {
        let own: Vec<u32> = rows.iter().filter(|row| repeat(row) == *name).copied().collect();
        let it = pairs::pairs(&verdicts.ballots, &own);
        Named {
            name: verdicts.repeats.name(*name).to_owned(),
            part: part(&it.pairs, 1 < it.most_repeats, verdicts, options),
        }
    };
    names.iter().map(one).collect()
}

/// More repeats than these are not told one by one.
const MOST_REPEATS: usize = 20;

fn part(pairs: &[Pair], repeats: bool, verdicts: &Verdicts, options: &Options) -> Part {
    let lost = |pair: &Pair, order| pair.asked(order) && pair.votes(order).valid() == 0;
    let mut replies = Replies::default();
    for votes in pairs.iter().flat_map(|it| [it.answers.ab, it.answers.ba]) {
        replies.first += u64::from(votes.first);
        replies.tie += u64::from(votes.tie);
        replies.second += u64::from(votes.second);
        replies.invalid += u64::from(votes.invalid);
    }
    let count = |f: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|it| f(it)).count() as u64;
    let (of, against) = opponents(pairs, verdicts);
    Part {
        pairs: pairs.len() as u64,
        invalid: count(&|it| Order::BOTH.into_iter().any(|order| lost(it, order))),
        one_sided: count(&|it| it.asked(Order::Ab) != it.asked(Order::Ba)),
        replies,
        position: Answer::or(
            position::position(pairs, repeats, options),
            "no pair was asked in both orders",
        ),
        single_order: position::one_order(pairs, options),
        win_rate: Answer::or(wins::win_rate(pairs, of, against, options), "there is no pair"),
        length: Answer::or(length::length(pairs, options), "the file gives no lengths above 0"),
    }
}

/// System A and system B of some pairs, by name; a number where there are several.
fn opponents(pairs: &[Pair], verdicts: &Verdicts) -> (String, String) {
    let name = |k: usize| {
        let mut all: Vec<u32> = pairs.iter().map(|it| it.systems[k]).collect();
        all.sort_unstable();
        all.dedup();
        match all.as_slice() {
            [one] => verdicts.systems.name(*one).to_owned(),
            several => format!("{} systems", several.len()),
        }
    };
    (name(0), name(1))
}
