//! A scripted judge: it says what a test tells it, without chance. It tests protocols and reports without statistics.

use serde::{Deserialize, Serialize};

use super::{Along, Alphabet, Chances, Judge, Rates, Turns, Without};
use crate::world::{Pair, Shown};

/// What a scripted judge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// Always the answer shown first.
    First,
    /// Always the answer shown second.
    Second,
    /// Always a tie.
    Tie,
    /// Never a verdict.
    Invalid,
    /// The truly better answer; a tie between equals.
    Better,
    /// The truly worse answer; a tie between equals.
    Worse,
}

/// A judge without chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scripted {
    /// What it says.
    pub says: Says,
}

impl Judge for Scripted {
    fn chances(&self, shown: &Shown<'_>) -> Chances {
        let says = match self.says {
            Says::Better | Says::Worse if shown.gap() == 0.0 => Says::Tie,
            Says::Better if 0.0 < shown.gap() => Says::First,
            Says::Worse if shown.gap() < 0.0 => Says::First,
            Says::Better | Says::Worse => Says::Second,
            plain => plain,
        };
        let chance = |of: Says| f64::from(u8::from(says == of));
        Chances {
            first: chance(Says::First),
            tie: chance(Says::Tie),
            second: chance(Says::Second),
            invalid: chance(Says::Invalid),
        }
    }

    fn fair(&self, _: Without) -> Option<Box<dyn Judge>> {
        None
    }

    fn rates(&self) -> Rates {
        Rates::default()
    }

    fn alphabet(&self) -> Alphabet {
        Alphabet { ties: true, invalid: self.says == Says::Invalid }
    }

    fn turns(&self, _: &Pair<'_>, along: Along) -> Turns {
        let bends = if along == Along::Gap { vec![0.0] } else { Vec::new() };
        Turns { bends, centres: Vec::new() }
    }
}
