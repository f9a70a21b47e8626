//! The protocol: which presentations are asked, and how their answers combine. It owns the law of one pair.

mod changes;
mod codebook;
mod cost;
mod design;
mod identified;
mod seat;
mod sheet;
mod stances;
mod task;

use serde::{Deserialize, Serialize};

pub use changes::Changes;
pub use codebook::{Codebook, Decoded, MOST_CODES, Marked};
pub use cost::{Cost, CostMeasure, Prompts, Rates};
pub use design::Design;
pub use identified::{Bias, Remedy, Standing, standings};
pub use seat::{Lean, Opinion, Seat, Taste};
pub use sheet::{Rater, SheetDesign};
pub use task::{Target, Task};

use crate::evidence::{Answers, Asked, Needs, Order, Repeats};

/// How an order's repeats enter a rule.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// Each verdict counts.
    #[default]
    Each,
    /// The majority of an order's valid verdicts counts as one verdict.
    Majority,
}

/// What is asked of each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// In which orders.
    pub asked: Asked,
    /// How often in each order, 1 to 255.
    pub repeats: u8,
    /// How the repeats of an order combine.
    pub combine: Combine,
}

impl Protocol {
    /// One order, once: what is asked where nothing is asked of pairs.
    #[must_use]
    pub const fn once() -> Self {
        Self { asked: Asked::One, repeats: 1, combine: Combine::Each }
    }

    /// The orders in which a pair may be shown.
    #[must_use]
    pub const fn orders(&self) -> &'static [Order] {
        match self.asked {
            Asked::One => &[Order::Ab],
            Asked::Other => &[Order::Ba],
            Asked::Both | Asked::Random | Asked::Each => &Order::BOTH,
        }
    }

    /// Verdicts asked of one judge on one pair.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        let orders = if matches!(self.asked, Asked::Both | Asked::Each) { 2 } else { 1 };
        orders * self.repeats as u64
    }

    /// The answers as rules see them.
    #[must_use]
    pub fn combined(&self, answers: Answers) -> Answers {
        match self.combine {
            Combine::Each => answers,
            Combine::Majority => answers.majorities(),
        }
    }

    /// Whether a rule with these needs can be fed.
    ///
    /// # Errors
    /// What is missing, and the remedy.
    pub fn feeds(&self, needs: &Needs) -> Result<(), (&'static str, &'static str)> {
        if !needs.asked.contains(&self.asked) {
            return Err(match needs.asked {
                [Asked::Both] => ("it needs both orders", "set orders = \"both\""),
                [Asked::Random] => ("it needs one random order a pair", "set orders = \"random\""),
                [Asked::Each] => {
                    ("it needs answers that are graded one by one", "use pointwise judges")
                }
                _ if self.asked == Asked::Each => {
                    ("it needs answers that are compared", "use pairwise judges")
                }
                _ => ("the orders asked do not feed it", "set orders = \"both\""),
            });
        }
        let many = 1 < self.repeats && self.combine == Combine::Each;
        match needs.repeats {
            Repeats::Once if many => Err((
                "it needs one verdict an order",
                "set repeats = 1, or combine = \"majority\" to make the repeats one verdict",
            )),
            Repeats::Many if !many => {
                Err(("it needs repeats", "set repeats = 2 or more, and combine = \"each\""))
            }
            _ => Ok(()),
        }
    }
}
