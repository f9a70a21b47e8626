//! A sheet: small whole scores of single answers, cases by columns, for rules that are no functions of a few sums.

use std::fmt;
use std::ops::Range;

/// What the columns of a sheet are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The same answer to a case at several lengths.
    Lengths,
    /// Two systems, the first and the second.
    Systems,
    /// Candidates, of which the best is chosen.
    Candidates,
    /// One answer to each case; cases come in clusters.
    Clusters,
}

/// Which cells a sheet has, and what an analyst knows of them before the scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruled {
    /// How many cases, at least 1.
    pub cases: usize,
    /// How many columns, at least 1.
    pub columns: usize,
    /// How many cases, the last ones, were not looked at when a candidate was chosen.
    pub held_out: usize,
    /// The length of each cell's answer as log2 of its words, case by case; empty where lengths are not told.
    pub lengths: Vec<f64>,
    /// How many cases each cluster has, in the order of the cases; empty where cases are their own clusters.
    pub clusters: Vec<usize>,
    /// The mean score that is claimed, and that tests of the mean ask about; none where nothing is claimed.
    pub claimed: Option<f64>,
}

impl Ruled {
    /// How many cells there are.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.cases * self.columns
    }

    /// The place of a cell among all of them, case by case.
    #[must_use]
    pub const fn place(&self, case: usize, column: usize) -> usize {
        case * self.columns + column
    }

    /// How many cases a choice may look at.
    #[must_use]
    pub const fn seen(&self) -> usize {
        self.cases.saturating_sub(self.held_out)
    }
}

/// A sheet with its scores.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// Its cells.
    pub ruled: &'a Ruled,
    /// Their scores, case by case; as many as there are cells.
    pub scores: &'a [u8],
}

impl Sheet<'_> {
    /// The score of a cell.
    #[must_use]
    pub fn score(&self, case: usize, column: usize) -> i64 {
        self.scores.get(self.ruled.place(case, column)).copied().map_or(0, i64::from)
    }

    /// The sum of a column's scores over some cases.
    #[must_use]
    pub fn total(&self, column: usize, cases: Range<usize>) -> i64 {
        cases.map(|case| self.score(case, column)).sum()
    }
}

/// What a sheet is expected to hold.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// Its cells.
    pub ruled: &'a Ruled,
    /// The expected score of each cell, case by case.
    pub scores: &'a [f64],
    /// The law of a column's total over the cases that are not held out: its probabilities from a total of 0 on. Columns are
    /// independent of each other, unless they are lengths.
    pub total: &'a dyn Fn(usize) -> Vec<f64>,
}

impl fmt::Debug for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expected").field("scores", &self.scores).finish_non_exhaustive()
    }
}
