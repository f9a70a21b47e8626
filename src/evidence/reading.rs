//! A reading: the few integer sums over pairs that a rule needs, and what one pair adds to them.
//!
//! Small evidence keeps the number of distinct values, and with it memory and time, bounded however many replicates are
//! run: 102,000 replicates of a swap test hold some 1,700 distinct (FF, SS).

use super::Item;

/// The most sums that a reading may have: three for each of eight strata, or four for each of six.
pub const LANES: usize = 24;

/// Integer sums over pairs, in the order that the reading names them; unused ones are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sums(pub [i64; LANES]);

impl Sums {
    /// The sums of two disjoint sets of pairs.
    #[must_use]
    pub fn plus(mut self, step: Sums) -> Self {
        for (sum, step) in self.0.iter_mut().zip(step.0) {
            *sum += step;
        }
        self
    }

    /// The sums of so many equal pairs.
    #[must_use]
    pub fn times(self, many: i64) -> Self {
        Self(self.0.map(|sum| sum * many))
    }

    /// As real numbers, the form in which an estimand's expected sums come too.
    #[must_use]
    pub fn real(self) -> [f64; LANES] {
        self.0.map(|sum| sum as f64)
    }
}

/// Which orders a protocol asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// A is always shown first.
    One,
    /// B is always shown first.
    Other,
    /// Each pair is asked in both orders.
    Both,
    /// Each pair is asked once, in a random order.
    Random,
    /// The two answers of a pair are graded one by one, pass or fail.
    Each,
}

/// How many verdicts of an order a rule can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Exactly one (or a majority, which is one).
    Once,
    /// Two or more.
    Many,
    /// Any number.
    Any,
}

/// The judges whose answers to a pair a rule looks at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judges {
    /// One judge.
    One,
    /// The judge of its own answers, then a third party.
    OwnAndThird,
    /// All judges of the panel, in the order in which it names them.
    Panel,
}

/// The evidence that a rule needs. A protocol that cannot give it is a mistake in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The protocols whose orders feed the rule.
    pub asked: &'static [Asked],
    /// The repeats that it can use.
    pub repeats: Repeats,
    /// Whether it compares with gold labels.
    pub gold: bool,
    /// Whether it tells strata apart.
    pub strata: bool,
    /// Whether it looks at which answer is longer.
    pub lengths: bool,
    /// Which judges' answers it looks at together.
    pub judges: Judges,
}

/// The sums that a rule reads.
#[derive(Debug)]
pub struct Reading {
    /// A name that no other reading has.
    pub name: &'static str,
    /// What each sum is.
    pub sums: &'static [&'static str],
    /// What one pair adds.
    pub step: fn(&Item<'_>) -> Sums,
}

impl Reading {
    /// How many sums it has.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        self.sums.len()
    }
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
