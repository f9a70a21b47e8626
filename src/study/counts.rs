//! Counts of distinct evidence, merged from blocks in any order to the same value.

use crate::evidence::Counted;

/// Sorted runs, the longest first, each at least twice as long as the next: adding a block costs little however many
/// distinct values there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(Vec<Counted>);

impl Counts {
    /// Adds the counts of a block.
    pub(super) fn add(&mut self, mut runs: Counted) {
        while let Some(last) = self.0.pop_if(|last| last.len() < 2 * runs.len()) {
            runs = last.merged(&runs);
        }
        self.0.push(runs);
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|runs| self.add(runs));
        self
    }

    pub(super) fn into_one(self) -> Counted {
        self.0.into_iter().reduce(|a, b| a.merged(&b)).unwrap_or_default()
    }
}
