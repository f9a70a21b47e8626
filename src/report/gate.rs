//! The gate of a study: each condition with its number and its verdict, and the verdict of all together.

use serde::{Deserialize, Serialize};

use super::known::{Known, error_of};
use super::numbers::plain;
use crate::scenario::Condition;

/// What is to be said of a condition, or of all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It holds.
    Passes,
    /// The Monte Carlo error leaves it open.
    Undecided,
    /// It does not hold, or there is no number to hold it against.
    Fails,
}

impl Outcome {
    /// In one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Passes => "PASSES",
            Outcome::Undecided => "UNDECIDED",
            Outcome::Fails => "FAILS",
        }
    }
}

/// A condition and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The judge, the rule and what of it; or the strata.
    pub what: String,
    /// The number; none where it is undefined or a count.
    pub value: Option<f64>,
    /// Its Monte Carlo standard error; none for an exact number.
    pub mcse: Option<f64>,
    /// It is to be no smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// It is to be no larger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// The cases that break it, where it is about strata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regressed: Option<Vec<String>>,
    /// Whether it holds.
    pub outcome: Outcome,
}

/// All conditions of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// Each condition, in the order of the file.
    pub conditions: Vec<Checked>,
    /// The worst of their outcomes.
    pub outcome: Outcome,
}

/// How many Monte Carlo standard errors from its bound a simulated number must lie to decide a condition.
const DECIDED: f64 = 2.0;

/// The gate of a plan; none where it has no condition.
pub(super) fn gate(known: &mut Known<'_>) -> Option<Gate> {
    let plan = known.plan();
    let conditions: Vec<Checked> = plan.gate.iter().map(|it| checked(it, known)).collect();
    let outcome = conditions.iter().map(|it| it.outcome).max()?;
    Some(Gate { conditions, outcome })
}

fn checked(condition: &Condition, known: &mut Known<'_>) -> Checked {
    match condition {
        Condition::NoRegression { strata, judge, regressed } => Checked {
            what: format!("{judge}: no regression in {}", strata.join(", ")),
            value: None,
            mcse: None,
            at_least: None,
            at_most: None,
            outcome: if regressed.is_empty() { Outcome::Passes } else { Outcome::Fails },
            regressed: Some(regressed.clone()),
        },
        Condition::Bound { subject, quantity, at_least, at_most } => {
            let figure = known.figure(*subject, *quantity);
            let exact = figure.exact;
            let error =
                if exact.is_some() { 0.0 } else { error_of(figure.mcse, known.plan().replicates) };
            let value = exact.or(figure.simulated);
            Checked {
                what: figure.what,
                value,
                mcse: figure.mcse.filter(|_| exact.is_none()),
                at_least: *at_least,
                at_most: *at_most,
                regressed: None,
                outcome: outcome(value, error, *at_least, *at_most),
            }
        }
    }
}

/// What a number says of its bounds. One that is not there holds no bound.
fn outcome(value: Option<f64>, error: f64, at_least: Option<f64>, at_most: Option<f64>) -> Outcome {
    let Some(value) = value else { return Outcome::Fails };
    // How far inside each bound it lies.
    let room = [at_least.map(|it| value - it), at_most.map(|it| it - value)];
    let room = room.into_iter().flatten().fold(f64::INFINITY, f64::min);
    // Exact numbers are on the bound but for rounding.
    let rounding = 1e-12 * libm::fabs(value).clamp(1.0, 1e9);
    if 0.0 < error && libm::fabs(room) < DECIDED * error {
        Outcome::Undecided
    } else if -rounding <= room {
        Outcome::Passes
    } else {
        Outcome::Fails
    }
}

impl Checked {
    /// The condition as a line: what it asks, and the number.
    #[must_use]
    pub fn line(&self) -> String {
        if let Some(cases) = &self.regressed {
            let cases = if cases.is_empty() { "none".to_owned() } else { cases.join(", ") };
            return format!("{}: {cases}", self.what);
        }
        let bounds = [("at least", self.at_least), ("at most", self.at_most)];
        let bounds: Vec<String> =
            bounds.iter().filter_map(|it| Some(format!("{} {}", it.0, plain(it.1?)))).collect();
        let value = self.value.map_or("undefined".to_owned(), plain);
        let error = self.mcse.map(|it| format!(" ±{}", plain(it))).unwrap_or_default();
        format!("{} is {value}{error}, to be {}", self.what, bounds.join(" and "))
    }
}

impl Gate {
    /// How it ended, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let count = |outcome| self.conditions.iter().filter(|it| it.outcome == outcome).count();
        let all = self.conditions.len();
        match self.outcome {
            Outcome::Passes if all == 1 => "The gate PASSES: its condition holds.".to_owned(),
            Outcome::Passes => format!("The gate PASSES: all {all} conditions hold."),
            Outcome::Fails => {
                format!("The gate FAILS: {} of {all} conditions broken.", count(Outcome::Fails))
            }
            Outcome::Undecided => format!(
                "The gate is UNDECIDED: {} of {all} conditions within {DECIDED} Monte Carlo standard errors of a bound; more \
                 replicates decide.",
                count(Outcome::Undecided)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_passes_fails_or_leaves_it_open() {
        let at = |value, error| outcome(Some(value), error, Some(0.8), None);
        assert_eq!(at(0.85, 0.01), Outcome::Passes);
        assert_eq!(at(0.815, 0.01), Outcome::Undecided);
        assert_eq!(at(0.785, 0.01), Outcome::Undecided);
        assert_eq!(at(0.75, 0.01), Outcome::Fails);
        assert_eq!(at(0.8, 0.0), Outcome::Passes);
        assert_eq!(at(0.799_999, 0.0), Outcome::Fails);
        assert_eq!(outcome(Some(3.0), 0.0, Some(1.0), Some(2.0)), Outcome::Fails);
        assert_eq!(outcome(Some(1.5), 0.0, Some(1.0), Some(2.0)), Outcome::Passes);
        assert_eq!(outcome(None, 0.0, None, Some(2.0)), Outcome::Fails);
        assert_eq!(outcome(Some(f64::NEG_INFINITY), 0.0, Some(-9.0), None), Outcome::Fails);
        assert_eq!(outcome(Some(f64::NEG_INFINITY), 0.0, None, Some(2.0)), Outcome::Passes);
    }

    #[test]
    fn the_worst_condition_decides() {
        assert!(Outcome::Passes < Outcome::Undecided && Outcome::Undecided < Outcome::Fails);
    }
}
