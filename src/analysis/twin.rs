//! From a file back to the laboratory: a judge and a world fitted to the file, and whether they give the file's own figures.
//!
//! The judge is the logistic one with a taste per pair; its coefficients are maximum-likelihood estimates. The world is the
//! file's own pairs where labels or lengths tell of them, else pairs of which nothing is known but which system leads.

mod fitted;
mod predicted;

use super::Options;
use super::judges::{Of, judged};
use super::pairs::{Pair, pairs};
use crate::evidence::{Gold, Order};
use crate::stats::interval::Interval;
use crate::verdicts::{Ballot, Verdicts};

pub use predicted::{Predicted, Prediction, predict};

/// A judge and a world that are fitted to a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    /// The judge.
    pub judge: String,
    /// The two systems; A and B where the file has more.
    pub systems: [String; 2],
    /// Whether the judge's own system is one of the two.
    pub own: Option<String>,
    /// What was fitted, in the order in which a scenario tells it.
    pub parameters: Vec<Parameter>,
    /// The pairs.
    pub pairs: Vec<Described>,
    /// Whether a label tells which answer is better, in some pair.
    pub labelled: bool,
    /// Whether answers differ in length.
    pub lengths: bool,
    /// In which orders pairs were asked.
    pub orders: Orders,
    /// How often a presentation was asked, mostly.
    pub repeats: u8,
    /// What the twin leaves out, in sentences.
    pub notes: Vec<String>,
    /// The file's own figures.
    figures: predicted::Figures,
}

/// A coefficient of the judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in a scenario.
    pub key: &'static str,
    /// The estimate; 0 where it is not identified.
    pub value: f64,
    /// Its standard error.
    pub error: Option<f64>,
    /// Limits at the level of the options, where an error alone misleads.
    pub limits: Option<Interval>,
    /// Why it is left at 0, or how it is to be read.
    pub remark: Option<String>,
}

/// A pair of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name.
    pub id: String,
    /// Which system the label calls better.
    pub gold: Option<Gold>,
    /// The lengths of A's and B's answer, above 0.
    pub lengths: Option<[u32; 2]>,
}

/// In which orders pairs were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// Pairs in both.
    Both,
    /// Each in one, some with A first and some with B first.
    Random,
    /// All with A first.
    One,
    /// All with B first.
    Other,
}

impl Orders {
    /// The word of a scenario.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Random => "random",
            Self::One => "one",
            Self::Other => "other",
        }
    }

    fn of(pairs: &[Pair]) -> Self {
        let any = |asked: &dyn Fn(&Pair) -> bool| pairs.iter().any(asked);
        let (ab, ba) = (any(&|it| it.asked(Order::Ab)), any(&|it| it.asked(Order::Ba)));
        match (any(&|it| it.asked(Order::Ab) && it.asked(Order::Ba)), ab, ba) {
            (true, ..) => Self::Both,
            (false, true, true) => Self::Random,
            (false, _, false) => Self::One,
            (false, false, true) => Self::Other,
        }
    }
}

/// The most repeats that a twin asks: more would ask too much of the tables of a study.
const MOST_REPEATS: u64 = 5;

/// The most pairs that a twin holds.
const MOST_PAIRS: usize = 10_000;

/// A name that a table and a path can hold.
fn printable(name: &str) -> String {
    let name: String = name.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    match name.trim() {
        "" => "judge".to_owned(),
        name => name.to_owned(),
    }
}

/// Fits a twin to the first judge that the options tell of.
///
/// # Errors
/// One sentence why there is none: no such judge, no verdict.
pub fn twin(verdicts: &Verdicts, options: &Options) -> Result<Twin, String> {
    let judged = judged(verdicts, options);
    let first = judged.told.first();
    let of = first.ok_or("no judge is left to fit; name one that is no gold label with --judge")?;
    let named = verdicts.judges.name(of.place);
    let judge = printable(named);
    let every = of.pairs.all.len().div_ceil(MOST_PAIRS).max(1);
    let pairs: Vec<Pair> = of.pairs.all.iter().step_by(every).copied().collect();
    let pairs = pairs.as_slice();
    if pairs.iter().all(|it| it.answers.for_a().valid() == 0) {
        return Err(format!("{judge}: no reply is a verdict, so there is nothing to fit"));
    }
    let systems = two_systems(pairs, verdicts);
    let own = options.own.iter().find(|it| it.0 == named).map(|it| printable(&it.1));
    let lengths = pairs.iter().any(|it| super::length::log_ratio(it).is_some_and(|x| x != 0.0));
    let mut notes = notes(of, judged.told.len(), pairs);
    if systems.is_none() {
        notes.push(
            "the file compares several pairs of systems, which are called A and B here: A is the one that it names first."
                .to_owned(),
        );
    }
    if 1 < every {
        notes.push(format!("of {} pairs one in {every} is taken.", of.pairs.all.len()));
    }
    let orders = Orders::of(pairs);
    let parameters = fitted::parameters(pairs, own.as_deref(), systems.as_ref(), options)
        .map_err(|why| format!("{judge}: {why}"))?;
    let repeats = usual_repeats(pairs);
    if MOST_REPEATS < repeats {
        notes.push(format!(
            "presentations were mostly asked {repeats} times; the twin asks {MOST_REPEATS} times."
        ));
    }
    Ok(Twin {
        judge,
        own: own.filter(|own| systems.as_ref().is_some_and(|it| it.contains(own))),
        systems: systems.unwrap_or(["A", "B"].map(str::to_owned)),
        parameters,
        pairs: described(pairs, verdicts),
        labelled: pairs.iter().any(|it| it.gold.is_some()),
        lengths,
        orders,
        repeats: u8::try_from(repeats.min(MOST_REPEATS)).unwrap_or(1),
        notes,
        figures: predicted::Figures::of(pairs),
    })
}

/// The names of the two systems, where all pairs compare the same two.
fn two_systems(pairs: &[Pair], verdicts: &Verdicts) -> Option<[String; 2]> {
    let first = pairs.first()?.systems;
    let same = pairs.iter().all(|it| it.systems == first);
    let names = first.map(|it| printable(verdicts.systems.name(it)));
    (same && names[0] != names[1]).then_some(names)
}

fn notes(of: &Of, judges: usize, pairs: &[Pair]) -> Vec<String> {
    let count = |what: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|it| what(it)).count();
    let mut notes = Vec::new();
    if 1 < judges {
        notes.push(format!(
            "the file has {judges} judges; this is the first one that was asked for, and --judge names another."
        ));
    }
    let one_sided = count(&|it| it.asked(Order::Ab) != it.asked(Order::Ba));
    if 0 < one_sided && one_sided < pairs.len() {
        notes.push(format!(
            "{one_sided} of {} pairs were asked in one order only; the twin asks both.",
            pairs.len()
        ));
    }
    let same = of.pairs.same_system;
    if 0 < same {
        notes.push(format!("{same} verdicts on a system against itself are left out."));
    }
    notes
}

/// How often a presentation was asked, mostly; the smaller number where two are as usual.
fn usual_repeats(pairs: &[Pair]) -> u64 {
    let mut counts = std::collections::BTreeMap::new();
    for votes in pairs.iter().flat_map(|it| Order::BOTH.map(|order| it.votes(order))) {
        let asked = votes.valid().unsigned_abs() + u64::from(votes.invalid);
        if 0 < asked {
            *counts.entry(asked).or_insert(0_u64) += 1;
        }
    }
    counts.into_iter().rev().max_by_key(|it| it.1).map_or(1, |it| it.0)
}

/// The pairs with names of their own.
fn described(pairs: &[Pair], verdicts: &Verdicts) -> Vec<Described> {
    let mut names = std::collections::BTreeSet::new();
    let strata = 1 < pairs.chunk_by(|a, b| a.stratum == b.stratum).count();
    let systems = pairs.windows(2).any(|it| it[0].systems != it[1].systems);
    let one = |it: &Pair| {
        let mut id = verdicts.items.name(it.item).trim().to_owned();
        if strata {
            id = format!("{}/{id}", verdicts.strata.name(it.stratum));
        }
        if systems {
            let [a, b] = it.systems.map(|it| verdicts.systems.name(it));
            id = format!("{id}: {a} and {b}");
        }
        while !names.insert(id.clone()) {
            id.push('\'');
        }
        let lengths = it.lengths.filter(|it| it.iter().all(|x| 0 < *x));
        Described { id, gold: it.gold, lengths }
    };
    pairs.iter().map(one).collect()
}

/// All rows as the pairs of one judge.
fn all_pairs(ballots: &[Ballot]) -> Vec<Pair> {
    let rows: Vec<u32> = (0..).take(ballots.len()).collect();
    pairs(ballots, &rows).all
}
