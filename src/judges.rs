//! Judges: the probability of each verdict, given what is shown. Nothing here draws, and nothing here knows a protocol.

pub mod lexical;
mod pairwise;
mod pointwise;
mod recorded;
mod scoring;
mod scripted;

use std::fmt::Debug;

pub use pairwise::{Link, Pairwise};
pub use pointwise::{By, Pointwise};
pub use recorded::Recorded;
pub use scoring::{HIGHEST, ScoreLaw, Scoring};
pub use scripted::{Says, Scripted};

use crate::evidence::Verdict;
use crate::stream::threshold;
use crate::world::{Pair, Shown};

/// The probabilities of the four verdicts; they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// For the answer shown first.
    pub first: f64,
    /// For neither.
    pub tie: f64,
    /// For the answer shown second.
    pub second: f64,
    /// No verdict.
    pub invalid: f64,
}

impl Chances {
    /// Cumulated thresholds of one word: first | tie | second | invalid.
    #[must_use]
    pub fn thresholds(&self) -> Thresholds {
        // From both ends, so that verdicts that cannot happen have exactly no room: neither a tie nor an invalid reply.
        let end = threshold(1.0 - self.invalid);
        let first = threshold(self.first).min(end);
        let tie = if self.tie == 0.0 {
            first
        } else {
            threshold(self.first + self.tie).clamp(first, end)
        };
        Thresholds([first, tie, end])
    }
}

/// A word below the first threshold says "first", below the second "tie", below the third "second", else "invalid".
///
/// More position moves verdicts one way only, and zero ties or invalid replies leave the others unmoved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thresholds(pub [u64; 3]);

impl Thresholds {
    /// What a word says.
    #[must_use]
    pub fn verdict(self, word: u32) -> Verdict {
        let below = |k: usize| u64::from(word) < self.0[k];
        match (below(0), below(1), below(2)) {
            (true, ..) => Verdict::First,
            (_, true, _) => Verdict::Tie,
            (.., true) => Verdict::Second,
            _ => Verdict::Invalid,
        }
    }
}

/// Biases that a fair judge does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// Position, length, self-preference and family preference.
    Bias,
    /// Position alone.
    Position,
}

/// A judge: a probability model of its verdicts. One that grades single answers says "first" for pass, "second" for fail.
pub trait Judge: Debug + Send + Sync {
    /// The probability of each verdict on a presentation.
    ///
    /// The chance of "first", that of "first" or "tie", and that of a valid verdict must each move one way only, or not
    /// at all, with the true difference, the length ratio, the taste and the lean, the others held. The engine bounds
    /// them between the corners of a cell of draws; a judge that breaks this is simulated wrongly, without notice.
    fn chances(&self, shown: &Shown<'_>) -> Chances;

    /// The same judge, ability, taste, ties and format kept, without a bias; none for a judge that has no fair self.
    fn fair(&self, without: Without) -> Option<Box<dyn Judge>>;

    /// How many log-odds a unit of true difference, a doubling of length, and standard deviations of taste and lean are worth.
    /// Exact sums choose their steps by it.
    fn rates(&self) -> Rates;

    /// Which verdicts it can give at all, besides first and second.
    fn alphabet(&self) -> Alphabet;

    /// The contrasts that it weighs, if it is a sum of such.
    fn contrasts(&self, shown: &Shown<'_>) -> Option<Contrasts> {
        let _ = shown;
        None
    }

    /// Values of one contrast of a pair, the others held, at which the chances bend or turn: where exact sums split.
    fn turns(&self, pair: &Pair<'_>, along: Along) -> Turns {
        let (_, _) = (pair, along);
        Turns::default()
    }
}

/// What a judge of log-odds weighs in a presentation, the answer shown first minus the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrasts {
    /// Length, in doublings.
    pub length: f64,
    /// Its own answer.
    pub own: f64,
    /// An answer of its family.
    pub family: f64,
}

/// The verdicts that a judge can give besides first and second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// It may say "tie".
    pub ties: bool,
    /// Its reply may be no verdict.
    pub invalid: bool,
}

/// A contrast of a pair that may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The true difference.
    Gap,
    /// The length ratio.
    Length,
    /// The judge's opinion.
    Taste,
}

/// Where the chances of a pair are not smooth, or change fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turns {
    /// Where they bend or jump.
    pub bends: Vec<f64>,
    /// Where they pass one half.
    pub centres: Vec<f64>,
}

/// How fast a judge's log-odds move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Per unit of true difference.
    pub gap: f64,
    /// Per doubling of length.
    pub length: f64,
    /// Per standard deviation of taste; 0 for a judge without one.
    pub taste: f64,
    /// Per standard deviation of its leaning to the answer shown first; 0 for a judge that leans the same in all replicates.
    pub lean: f64,
    /// Whether length and taste move the chances through one sum of log-odds, so that two normals are one.
    pub pooled: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_is_certain_and_nothing_has_no_room() {
        let law =
            |first, tie, second, invalid| Chances { first, tie, second, invalid }.thresholds().0;
        assert_eq!(law(1.0, 0.0, 0.0, 0.0), [1 << 32; 3]);
        assert_eq!(law(0.0, 0.0, 1.0, 0.0), [0, 0, 1 << 32]);
        assert_eq!(law(0.0, 0.0, 0.0, 1.0), [0, 0, 0]);
        assert_eq!(law(0.25, 0.25, 0.25, 0.25), [1 << 30, 1 << 31, 3 << 30]);
    }
}
