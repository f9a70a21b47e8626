//! Evidence with weights: the same estimators answer for simulated, enumerated and observed evidence.

use std::cmp::Ordering;
use std::ops::Add;

use super::{Counted, Sums};

/// A study's evidence and how much each distinct value of it weighs, in the order of the evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Weighted {
    /// How many replicates showed it. Integer counts merge exactly, so any split of the replicates gives equal bytes.
    Counts(Counted),
    /// The probability of it.
    Law(Vec<(Sums, f64)>),
    /// The one that was observed.
    Observed(Sums),
}

impl Weighted {
    /// Calls `each` with every distinct value and its weight, in order.
    pub fn each(&self, mut each: impl FnMut(&Sums, f64)) {
        match self {
            Weighted::Counts(all) => all.iter().for_each(|(sums, count)| each(&sums, count as f64)),
            Weighted::Law(all) => all.iter().for_each(|(sums, p)| each(sums, *p)),
            Weighted::Observed(sums) => each(sums, 1.0),
        }
    }

    /// How many replicates were drawn; `None` for a law or an observation, which have no Monte Carlo error.
    #[must_use]
    pub fn replicates(&self) -> Option<u64> {
        match self {
            Weighted::Counts(all) => Some(all.replicates()),
            Weighted::Law(_) | Weighted::Observed(_) => None,
        }
    }

    /// Adds the counts of other replicates of the same study; a law or an observation has none to add.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        match (self, other) {
            (Weighted::Counts(all), Weighted::Counts(more)) => Weighted::Counts(all.merged(&more)),
            (this, _) => this,
        }
    }

    /// How many distinct values it holds.
    #[must_use]
    pub fn distinct(&self) -> usize {
        match self {
            Weighted::Counts(all) => all.len(),
            Weighted::Law(all) => all.len(),
            Weighted::Observed(_) => 1,
        }
    }
}

/// Merges two sorted runs of distinct evidence, adding the weights of what both hold.
pub(crate) fn merge<K: Copy + Ord, W: Copy + Add<Output = W>>(
    a: &[(K, W)],
    b: &[(K, W)],
) -> Vec<(K, W)> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        i += usize::from(x.0 <= y.0);
        j += usize::from(y.0 <= x.0);
        merged.push(match x.0.cmp(&y.0) {
            Ordering::Less => x,
            Ordering::Greater => y,
            Ordering::Equal => (x.0, x.1 + y.1),
        });
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}
