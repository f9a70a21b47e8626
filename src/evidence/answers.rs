//! Answers to one pair of systems A and B, in the slots in which they were shown.

use std::cmp::Ordering;

/// What a judge said of a presentation, in slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The answer that was shown first.
    First,
    /// Neither.
    Tie,
    /// The answer that was shown second.
    Second,
    /// A reply that is no verdict (out of format, refused, missing).
    Invalid,
}

/// Which system was shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// A first.
    Ab,
    /// B first.
    Ba,
}

impl Order {
    /// Both orders, A first.
    pub const BOTH: [Order; 2] = [Order::Ab, Order::Ba];

    /// `AB` or `BA`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Order::Ab => "AB",
            Order::Ba => "BA",
        }
    }
}

/// A gold label: which system is better, or which of the two answers pass, where one was bought. It may be stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gold {
    /// The first system, A; of two graded answers only A's passes.
    A,
    /// Neither; of two graded answers none passes.
    Tie,
    /// The second system, B; of two graded answers only B's passes.
    B,
    /// Both graded answers pass.
    Both,
}

impl Gold {
    /// Every label.
    pub const ALL: [Gold; 4] = [Gold::A, Gold::Tie, Gold::B, Gold::Both];

    /// The label of two graded answers.
    #[must_use]
    pub const fn graded(a: bool, b: bool) -> Self {
        match (a, b) {
            (true, false) => Gold::A,
            (false, false) => Gold::Tie,
            (false, true) => Gold::B,
            (true, true) => Gold::Both,
        }
    }

    /// Whether A's and B's answer pass.
    #[must_use]
    pub const fn passes(self) -> [bool; 2] {
        [matches!(self, Gold::A | Gold::Both), matches!(self, Gold::B | Gold::Both)]
    }

    /// The label as a comparison: two answers that pass are tied.
    #[must_use]
    pub const fn compared(self) -> Self {
        match self {
            Gold::Both => Gold::Tie,
            other => other,
        }
    }

    /// The label of a true difference, A minus B, given the margin within which a pair counts as tied.
    #[must_use]
    pub fn of(difference: f64, margin: f64) -> Self {
        if libm::fabs(difference) <= margin {
            Gold::Tie
        } else if difference < 0.0 {
            Gold::B
        } else {
            Gold::A
        }
    }
}

/// The verdicts of one judge on one pair in one order, over its repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    /// For the answer shown first.
    pub first: u8,
    /// For neither.
    pub tie: u8,
    /// For the answer shown second.
    pub second: u8,
    /// No verdict.
    pub invalid: u8,
}

impl Votes {
    /// One verdict more.
    #[must_use]
    pub fn plus(mut self, verdict: Verdict) -> Self {
        let count = match verdict {
            Verdict::First => &mut self.first,
            Verdict::Tie => &mut self.tie,
            Verdict::Second => &mut self.second,
            Verdict::Invalid => &mut self.invalid,
        };
        *count = count.saturating_add(1);
        self
    }

    /// How many are verdicts.
    #[must_use]
    pub fn valid(self) -> i64 {
        i64::from(self.first) + i64::from(self.tie) + i64::from(self.second)
    }

    /// Half points of the answer shown first: 2 for a win, 1 for a tie.
    #[must_use]
    pub fn half_points(self) -> i64 {
        2 * i64::from(self.first) + i64::from(self.tie)
    }

    /// The same votes told of the other slot.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { first: self.second, second: self.first, ..self }
    }

    /// What more of the valid votes say than anything else; a tie where nothing leads, none without a valid vote.
    #[must_use]
    pub fn majority(self) -> Option<Verdict> {
        if self.valid() == 0 {
            return None;
        }
        Some(match self.first.cmp(&self.second) {
            Ordering::Greater if self.tie < self.first => Verdict::First,
            Ordering::Less if self.tie < self.second => Verdict::Second,
            _ => Verdict::Tie,
        })
    }

    /// The one verdict that all valid votes share.
    #[must_use]
    pub fn unanimous(self) -> Option<Verdict> {
        match (self.first, self.tie, self.second) {
            (1.., 0, 0) => Some(Verdict::First),
            (0, 1.., 0) => Some(Verdict::Tie),
            (0, 0, 1..) => Some(Verdict::Second),
            _ => None,
        }
    }
}

/// The verdicts of one judge on one pair, by the order shown. An order that was not asked has no votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// With A first.
    pub ab: Votes,
    /// With B first.
    pub ba: Votes,
}

impl Answers {
    /// One verdict more.
    #[must_use]
    pub fn plus(mut self, order: Order, verdict: Verdict) -> Self {
        match order {
            Order::Ab => self.ab = self.ab.plus(verdict),
            Order::Ba => self.ba = self.ba.plus(verdict),
        }
        self
    }

    /// All votes, told of system A's slot being "first".
    #[must_use]
    pub fn for_a(self) -> Votes {
        let turned = self.ba.turned();
        Votes {
            first: self.ab.first.saturating_add(turned.first),
            tie: self.ab.tie.saturating_add(turned.tie),
            second: self.ab.second.saturating_add(turned.second),
            invalid: self.ab.invalid.saturating_add(turned.invalid),
        }
    }

    /// Each order's votes boiled down to one verdict.
    #[must_use]
    pub fn majorities(self) -> Self {
        let one = |votes: Votes| match votes.majority() {
            Some(verdict) => Votes::default().plus(verdict),
            None if votes.invalid > 0 => Votes::default().plus(Verdict::Invalid),
            None => votes,
        };
        Self { ab: one(self.ab), ba: one(self.ba) }
    }
}

/// One pair as a rule sees it: the answers of the judges it compares, and the gold label where there is one.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The judge; the own judge and the third party; or the panel.
    pub answers: &'a [Answers],
    /// Which system is better, if known.
    pub gold: Option<Gold>,
    /// The stratum of the case, from 0; 0 where strata are not told apart.
    pub stratum: u8,
    /// The length of A's answer against B's; equal where lengths are not looked at.
    pub length: Ordering,
    /// The share of the population that its stratum is, in units of 1e-9; 0 where that is not known.
    pub share: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(first: u8, tie: u8, second: u8, invalid: u8) -> Votes {
        Votes { first, tie, second, invalid }
    }

    #[test]
    fn majorities_of_repeats() {
        assert_eq!(votes(2, 0, 1, 5).majority(), Some(Verdict::First));
        assert_eq!(votes(1, 0, 1, 0).majority(), Some(Verdict::Tie));
        assert_eq!(votes(1, 2, 0, 0).majority(), Some(Verdict::Tie));
        assert_eq!(votes(1, 1, 0, 0).majority(), Some(Verdict::Tie));
        assert_eq!(votes(0, 0, 0, 3).majority(), None);
        let answers = Answers { ab: votes(0, 0, 0, 2), ba: votes(0, 1, 2, 0) }.majorities();
        assert_eq!((answers.ab, answers.ba), (votes(0, 0, 0, 1), votes(0, 0, 1, 0)));
    }

    #[test]
    fn votes_told_of_system_a() {
        let answers =
            Answers::default().plus(Order::Ab, Verdict::First).plus(Order::Ba, Verdict::First);
        assert_eq!(answers.for_a(), votes(1, 0, 1, 0));
    }

    #[test]
    fn gold_labels_have_a_margin() {
        assert_eq!(
            [0.3, 0.31, -0.3, -0.31].map(|d| Gold::of(d, 0.3)),
            [Gold::Tie, Gold::A, Gold::Tie, Gold::B]
        );
        assert_eq!(Gold::of(0.0, 0.0), Gold::Tie);
    }
}
