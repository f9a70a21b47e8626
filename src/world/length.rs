//! The length ratio of the two answers of a case, in doublings (log2 of A's length over B's).

use super::nodes::{self, Node};
use crate::stream::normal;

/// The length ratio of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// The same in every replicate.
    Fixed(f64),
    /// This many doublings for A or for B, each with probability 1/2, anew in each replicate.
    Either(f64),
    /// Normal with this mean and standard deviation, anew in each replicate: both lengths log-normal.
    Normal(f64, f64),
}

impl Length {
    /// How many values it may take; `None` if continuous.
    #[must_use]
    pub const fn levels(&self) -> Option<usize> {
        match self {
            Length::Fixed(_) => Some(1),
            Length::Either(_) => Some(2),
            Length::Normal(..) => None,
        }
    }

    /// The level that a word draws: A is longer below one half.
    #[must_use]
    pub const fn level(&self, word: u32) -> u32 {
        match self {
            Length::Either(_) => word >> 31,
            _ => 0,
        }
    }

    /// The ratio of a level.
    #[must_use]
    pub fn state(&self, level: u32) -> f64 {
        match self {
            Length::Fixed(doublings) => *doublings,
            Length::Either(doublings) if level == 0 => *doublings,
            Length::Either(doublings) => -*doublings,
            Length::Normal(mean, _) => *mean,
        }
    }

    /// The ratio that a word draws.
    #[must_use]
    pub fn drawn(&self, word: u32) -> f64 {
        match self {
            Length::Normal(mean, sd) => mean + sd * normal(word),
            _ => self.state(self.level(word)),
        }
    }

    /// Ratios and their probabilities, for exact sums. `rate` is how many log-odds a doubling is worth; the integrand may
    /// bend at `bends` and passes one half at `centres`.
    #[must_use]
    pub fn nodes(&self, rate: f64, bends: &[f64], centres: &[f64]) -> Vec<Node<f64>> {
        if let Length::Normal(mean, sd) = self {
            return nodes::normal(*mean, *sd, rate, bends, centres);
        }
        let levels: u32 = if matches!(self, Length::Either(_)) { 2 } else { 1 };
        let weight = 1.0 / f64::from(levels);
        (0..levels).map(|level| Node { at: self.state(level), weight }).collect()
    }
}
