//! A pair of answers and what a judge is shown of it.

use std::sync::Arc;

use super::Marks;
use crate::evidence::Order;

/// Who wrote an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The system's name.
    pub system: Arc<str>,
    /// The family it belongs to.
    pub family: Arc<str>,
}

/// What is drawn of a judge, in standard deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mood {
    /// Its own opinion of a pair, in favour of A; it turns with the order.
    pub taste: f64,
    /// How far it leans to the answer shown first; the same for all pairs of a study.
    pub lean: f64,
}

/// A pair of answers, by systems A and B, in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<'a> {
    /// True difference in quality, A minus B.
    pub gap: f64,
    /// log2 of the length of A's answer over B's, in doublings.
    pub length: f64,
    /// A's and B's answer.
    pub answers: &'a [Answer; 2],
    /// What is drawn of the judge that is asked.
    pub mood: Mood,
    /// Whether A's and B's answer truly pass.
    pub passes: [bool; 2],
    /// What is fixed of the case.
    pub marks: Marks,
}

/// What a judge sees: contrasts, the answer shown first minus the answer shown second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown<'a> {
    gap: f64,
    length: f64,
    answers: [&'a Answer; 2],
    taste: f64,
    lean: f64,
    passes: bool,
    reworded: bool,
    stale: bool,
    row: u32,
    order: Order,
}

impl<'a> Pair<'a> {
    /// The presentation in an order. This is the only constructor of [`Shown`], so the swap cannot be forgotten: the
    /// other order turns every contrast.
    #[must_use]
    pub fn shown(&self, order: Order) -> Shown<'a> {
        let [a, b] = self.answers;
        match order {
            Order::Ab => Shown {
                gap: self.gap,
                length: self.length,
                answers: [a, b],
                taste: self.mood.taste,
                lean: self.mood.lean,
                passes: self.passes[0],
                reworded: self.marks.reworded[0],
                stale: self.marks.stale,
                row: self.marks.row,
                order,
            },
            Order::Ba => Shown {
                gap: -self.gap,
                length: -self.length,
                answers: [b, a],
                taste: -self.mood.taste,
                lean: self.mood.lean,
                passes: self.passes[1],
                reworded: self.marks.reworded[1],
                stale: self.marks.stale,
                row: self.marks.row,
                order,
            },
        }
    }
}

impl Shown<'_> {
    /// True difference in quality.
    #[must_use]
    pub const fn gap(&self) -> f64 {
        self.gap
    }

    /// log2 of the length ratio, in doublings.
    #[must_use]
    pub const fn length(&self) -> f64 {
        self.length
    }

    /// The judge's opinion of this pair, in standard deviations of its taste.
    #[must_use]
    pub const fn taste(&self) -> f64 {
        self.taste
    }

    /// How far the judge leans to the answer shown first in this study, in standard deviations of its leaning.
    #[must_use]
    pub const fn lean(&self) -> f64 {
        self.lean
    }

    /// Whether the answer shown first (or alone) truly passes.
    #[must_use]
    pub const fn passes(&self) -> bool {
        self.passes
    }

    /// Whether the answer shown first (or alone) passes by the gold label: a stale one fails every right answer.
    #[must_use]
    pub const fn passes_label(&self) -> bool {
        self.passes && !self.stale
    }

    /// Whether the wording of the answer shown first (or alone) differs from the reference.
    #[must_use]
    pub const fn reworded(&self) -> bool {
        self.reworded
    }

    /// The case's row in its table, and the order shown: where a judge that looks its verdicts up finds them.
    #[must_use]
    pub const fn place(&self) -> (u32, Order) {
        (self.row, self.order)
    }

    /// 1 if `is` holds for the first answer only, -1 if for the second only, else 0.
    #[must_use]
    pub fn contrast(&self, is: impl Fn(&Answer) -> bool) -> f64 {
        f64::from(u8::from(is(self.answers[0]))) - f64::from(u8::from(is(self.answers[1])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_order_turns_every_contrast() {
        let answer = |name: &str| Answer { system: name.into(), family: name.into() };
        let answers = [answer("a"), answer("b")];
        let pair = Pair {
            gap: 0.7,
            length: -1.5,
            answers: &answers,
            mood: Mood { taste: 0.3, lean: 0.5 },
            passes: [true, false],
            marks: Marks { reworded: [false, true], ..Marks::default() },
        };
        let [ab, ba] = Order::BOTH.map(|order| pair.shown(order));
        assert_eq!((ab.gap(), ab.length(), ab.taste()), (0.7, -1.5, 0.3));
        assert_eq!((ba.gap(), ba.length(), ba.taste()), (-0.7, 1.5, -0.3));
        let own = |shown: Shown<'_>| shown.contrast(|it| &*it.system == "a");
        assert_eq!((own(ab), own(ba)), (1.0, -1.0));
        assert_eq!(
            (ab.passes(), ab.reworded(), ba.passes(), ba.reworded()),
            (true, false, false, true)
        );
    }
}
