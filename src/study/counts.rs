//! Counts of distinct evidence, merged from blocks in any order to the same value.

use std::collections::BTreeMap;

use crate::evidence::{Sums, merge};

/// Sorted runs, the longest first, each at least twice as long as the next: adding a block costs little however many
/// distinct values there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(Vec<Vec<(Sums, u64)>>);

impl Counts {
    /// Adds sorted, distinct sums with their counts.
    pub(super) fn add(&mut self, mut runs: Vec<(Sums, u64)>) {
        while let Some(last) = self.0.pop_if(|last| last.len() < 2 * runs.len()) {
            runs = merge(&last, &runs);
        }
        self.0.push(runs);
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|runs| self.add(runs));
        self
    }

    pub(super) fn into_map(self) -> BTreeMap<Sums, u64> {
        self.0.into_iter().reduce(|a, b| merge(&a, &b)).unwrap_or_default().into_iter().collect()
    }
}
