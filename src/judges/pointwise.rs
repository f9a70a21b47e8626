//! The pointwise judge: it grades one answer, pass or fail, with fixed error rates.
//!
//! A correct answer fails with probability `false-negative`, and `reworded` more where its wording differs from the
//! reference; a wrong answer passes with probability `false-positive`. Sensitivity is 1 - false-negative, specificity
//! 1 - false-positive.

use serde::{Deserialize, Serialize};

use super::{Alphabet, Chances, Judge, Rates, Without};
use crate::quantity::Probability;
use crate::world::Shown;

/// What a judge's error rates refer to.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// What is true.
    #[default]
    Truth,
    /// The gold label, which may be stale.
    Label,
}

/// A judge that grades one answer. Rates are probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Pointwise {
    /// What it grades by; a correct answer is one that passes by it.
    pub by: By,
    /// The probability that a correct answer fails.
    pub false_negative: Probability,
    /// The probability that a wrong answer passes.
    pub false_positive: Probability,
    /// In place of both: the probability that the grade is the true one.
    pub agreement: Option<Probability>,
    /// How much likelier a correct answer is to fail whose wording differs from the reference.
    pub reworded: Probability,
    /// The probability of a reply that is no verdict.
    pub invalid: Probability,
}

impl Default for Pointwise {
    fn default() -> Self {
        Self {
            by: By::Truth,
            false_negative: Probability::ZERO,
            false_positive: Probability::ZERO,
            agreement: None,
            reworded: Probability::ZERO,
            invalid: Probability::ZERO,
        }
    }
}

impl Judge for Pointwise {
    /// "First" stands for pass, "second" for fail.
    fn chances(&self, shown: &Shown<'_>) -> Chances {
        let more = if shown.reworded() { self.reworded.get() } else { 0.0 };
        let error = self.agreement.map(|it| 1.0 - it.get());
        let right = match self.by {
            By::Truth => shown.passes(),
            By::Label => shown.passes_label(),
        };
        let passes = if right {
            1.0 - (error.unwrap_or(self.false_negative.get()) + more).min(1.0)
        } else {
            error.unwrap_or(self.false_positive.get())
        };
        let (valid, invalid) = (1.0 - self.invalid.get(), self.invalid.get());
        Chances { first: passes * valid, tie: 0.0, second: (1.0 - passes) * valid, invalid }
    }

    /// Without the penalty for other wording; error rates are its ability.
    fn fair(&self, _: Without) -> Option<Box<dyn Judge>> {
        Some(Box::new(Self { reworded: Probability::ZERO, ..self.clone() }))
    }

    fn rates(&self) -> Rates {
        Rates::default()
    }

    fn alphabet(&self) -> Alphabet {
        Alphabet { ties: false, invalid: 0.0 < self.invalid.get() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Order;
    use crate::world::{Answer, Marks, Mood, Pair};

    #[test]
    fn each_answer_is_graded_by_its_own_truth_and_wording() {
        let p = |x| Probability::new(x).unwrap();
        let judge = Pointwise {
            false_negative: p(0.3),
            false_positive: p(0.02),
            reworded: p(0.3),
            invalid: p(0.5),
            ..Pointwise::default()
        };
        let answers = ["a", "b"].map(|name| Answer { system: name.into(), family: name.into() });
        let at = |passes: [bool; 2], reworded: [bool; 2]| {
            let marks = Marks { reworded, ..Marks::default() };
            let pair = Pair {
                gap: 0.0,
                length: 0.0,
                answers: &answers,
                mood: Mood::default(),
                passes,
                marks,
            };
            Order::BOTH.map(|order| judge.chances(&pair.shown(order)).first)
        };
        let close = |got: [f64; 2], want: [f64; 2]| {
            got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-15)
        };
        assert!(close(at([true, false], [false, false]), [0.35, 0.01]));
        assert!(close(at([true, true], [true, false]), [0.2, 0.35]));
    }
}
