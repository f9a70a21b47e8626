//! A part of a study: what some of its replicates gave, task by task, as values that merge exactly and as bytes.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::blocks::Spans;
use super::performance::Exactly;
use super::{Folded, Gathered, place_of, readings};
use crate::estimators::{Estimator, Undefined};
use crate::evidence::{Counted, Weighted};
use crate::protocol::Task;

/// What some replicates of a study gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part(Vec<Held>);

/// Which replicates of a task there are, and what they gave.
#[derive(Clone, Debug, Default, PartialEq)]
struct Held {
    spans: Spans,
    gathered: Option<Gathered>,
}

/// Why bytes are no part of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(pub &'static str);

impl Part {
    /// No replicates of so many tasks.
    #[must_use]
    pub fn none(tasks: usize) -> Self {
        Self(vec![Held::default(); tasks])
    }

    /// How many tasks there are.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.0.len()
    }

    /// The replicates of a task; none of one that is not there.
    #[must_use]
    pub fn spans(&self, task: usize) -> Spans {
        self.0.get(task).map(|it| it.spans.clone()).unwrap_or_default()
    }

    /// The replicates that every task has; nothing where some task has others.
    #[must_use]
    pub fn common_spans(&self) -> Option<Spans> {
        let (first, rest) = self.0.split_first()?;
        rest.iter().all(|it| it.spans == first.spans).then(|| first.spans.clone())
    }

    /// Replicates over all tasks.
    #[must_use]
    pub fn replicates(&self) -> u64 {
        self.0.iter().map(|it| it.spans.count()).sum()
    }

    /// Adds what a range of replicates gave for a task.
    ///
    /// # Errors
    /// Replicates that are there already.
    pub fn add(
        &mut self,
        task: usize,
        range: Range<u64>,
        gathered: Gathered,
    ) -> Result<(), Range<u64>> {
        let Some(held) = self.0.get_mut(task).filter(|_| !range.is_empty()) else { return Ok(()) };
        let more = Held { spans: range.into(), gathered: Some(gathered) };
        *held = std::mem::take(held).merge(more)?;
        Ok(())
    }

    /// Both parts in one. Merging is exact and knows no order.
    ///
    /// # Errors
    /// Replicates that both parts hold.
    pub fn merge(self, other: Self) -> Result<Self, Range<u64>> {
        let pairs = self.0.into_iter().zip(other.0);
        pairs.map(|(a, b)| a.merge(b)).collect::<Result<_, _>>().map(Self)
    }

    /// What the replicates gave, task by task; nothing where some task has none.
    #[must_use]
    pub fn gathered(self) -> Option<Vec<Gathered>> {
        self.0.into_iter().map(|it| it.gathered).collect()
    }

    /// Whether it can be of these tasks: as many rules and readings, each with what its rules look at.
    #[must_use]
    pub fn fits(&self, tasks: &[Task]) -> bool {
        let fits = |task: &Task, held: &Held| {
            let readings = readings(&task.estimators);
            held.gathered.as_ref().is_none_or(|it| {
                let rule = |(k, rule): (usize, &&Estimator)| {
                    let counts =
                        place_of(&readings, rule).and_then(|place| it.counts[place].as_ref());
                    it.folded[k].is_some() || counts.is_some()
                };
                it.counts.len() == readings.len()
                    && it.folded.len() == task.estimators.len()
                    && task.estimators.iter().enumerate().all(rule)
            })
        };
        tasks.len() == self.0.len() && tasks.iter().zip(&self.0).all(|(task, it)| fits(task, it))
    }

    /// The part as bytes: equal parts have equal bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let wire: Vec<HeldWire> = self.0.iter().map(HeldWire::new).collect();
        // Numbers and texts in memory can always be written.
        postcard::to_allocvec(&wire).unwrap_or_default()
    }

    /// Reads a part from the start of some bytes, and gives the rest.
    ///
    /// # Errors
    /// Why the bytes hold none.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), Unfit> {
        let (wire, rest): (Vec<HeldWire>, _) =
            postcard::take_from_bytes(bytes).map_err(|_| Unfit("the counts cannot be read"))?;
        let held = wire.into_iter().map(HeldWire::held).collect::<Result<_, _>>()?;
        Ok((Self(held), rest))
    }
}

impl Held {
    fn merge(self, other: Self) -> Result<Self, Range<u64>> {
        let spans = self.spans.with(&other.spans)?;
        let gathered = match (self.gathered, other.gathered) {
            (Some(a), Some(b)) => Some(a.merge(b)),
            (a, b) => a.or(b),
        };
        Ok(Self { spans, gathered })
    }
}

/// The shape of a task's replicates in bytes.
#[derive(Serialize, Deserialize)]
struct HeldWire {
    spans: Vec<(u64, u64)>,
    counts: Vec<Option<CountsWire>>,
    folded: Vec<Option<FoldedWire>>,
}

/// Distinct evidence, entry by entry, and how many replicates showed each.
#[derive(Serialize, Deserialize)]
struct CountsWire {
    lanes: usize,
    sums: Vec<i64>,
    counts: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct FoldedWire {
    sums: Vec<Exactly>,
    reasons: Vec<(String, Exactly)>,
}

impl HeldWire {
    fn new(held: &Held) -> Self {
        let ranges = held.spans.ranges().iter();
        let counts = |it: &Weighted| match it {
            Weighted::Counts(all) => {
                let (lanes, sums, counts) = all.parts();
                Some(CountsWire { lanes, sums: sums.to_vec(), counts: counts.to_vec() })
            }
            Weighted::Law(_) | Weighted::Observed(_) => None,
        };
        let folded = |it: &Folded| FoldedWire {
            sums: it.sums(),
            reasons: it
                .reasons()
                .iter()
                .map(|(why, sum)| (why.0.to_owned(), sum.clone()))
                .collect(),
        };
        let gathered = held.gathered.as_ref();
        Self {
            spans: ranges.map(|it| (it.start, it.end)).collect(),
            counts: gathered.map_or(Vec::new(), |it| {
                it.counts.iter().map(|it| it.as_ref().and_then(counts)).collect()
            }),
            folded: gathered.map_or(Vec::new(), |it| {
                it.folded.iter().map(|it| it.as_ref().map(folded)).collect()
            }),
        }
    }

    /// The replicates, once everything about them fits.
    fn held(self) -> Result<Held, Unfit> {
        let mut spans = Spans::default();
        for (start, end) in self.spans {
            let more = Spans::from(start..end);
            let sound = !more.is_empty();
            spans = spans.with(&more).ok().filter(|_| sound).ok_or(Unfit("its ranges overlap"))?;
        }
        let replicates = spans.count();
        let counts = |it: CountsWire| {
            let counted = Counted::from_parts(it.lanes, it.sums, it.counts);
            let counted = counted.filter(|it| it.replicates() == replicates);
            counted.map(Weighted::Counts).ok_or(Unfit("its counts are not those of its replicates"))
        };
        let folded = |it: FoldedWire| {
            let reasons = it.reasons.into_iter().map(|(why, sum)| (known(&why), sum)).collect();
            let folded = Folded::from_sums(it.sums, reasons);
            let folded = folded.filter(|it| it.replicates() == replicates);
            folded.ok_or(Unfit("its sums are not those of its replicates"))
        };
        let gathered =
            Gathered { counts: each(self.counts, counts)?, folded: each(self.folded, folded)? };
        Ok(Held { gathered: (0 < replicates).then_some(gathered), spans })
    }
}

fn each<W, T>(
    all: Vec<Option<W>>,
    read: impl Fn(W) -> Result<T, Unfit>,
) -> Result<Vec<Option<T>>, Unfit> {
    all.into_iter().map(|it| it.map(&read).transpose()).collect()
}

/// A reason as one that lives as long as the process; there are a few dozen of them.
fn known(reason: &str) -> Undefined {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reason) = known.get(reason) {
        return Undefined(reason);
    }
    let reason: &'static str = Box::leak(reason.to_owned().into_boxed_str());
    known.insert(reason);
    Undefined(reason)
}

#[cfg(test)]
mod tests;
