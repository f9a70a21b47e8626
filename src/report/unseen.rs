//! What a test could not have seen: the smallest effect that it detects four times in five, beside each result.
//!
//! For the position effect of pairs in both orders it is exact, at the flip rate of the cell; for the other rules it is the
//! normal approximation (z of the level plus z of the power) times the estimates' own standard deviation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Estimated, Result};
use crate::quantity::Level;
use crate::stats::special::normal_quantile;
use crate::study::Measure;
use crate::study::detect::{Bias, Question, Test, detect};

/// The power that "detectable" means.
pub(super) const POWER: f64 = 0.8;

/// The smallest effect that a rule's test detects in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Smallest {
    /// The effect, on the rule's scale, away from its null value; none where no effect is detected so often.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its Monte Carlo standard error; none for an exact number.
    pub mcse: Option<f64>,
    /// `exact`, or `normal approximation`.
    pub method: String,
}

/// Powers that were asked for already, by test, pairs and the bits of the flip rate.
type Known = BTreeMap<(&'static str, u64, u64), Smallest>;

/// Fills in the smallest detectable effect of every rule that has a test and of which nothing is told yet.
pub(super) fn fill(results: &mut [Result], level: Level) {
    let mut known = Known::new();
    for result in results {
        let flips = result.get("flip-rate").and_then(|it| it.value(Measure::Estimand));
        let flips = flips.filter(|_| result.both_orders);
        let pairs = result.pairs;
        for it in result.estimators.iter_mut().filter(|it| it.smallest.is_none()) {
            it.smallest = match (exact_test(&it.name), flips) {
                (Some(test), Some(rate)) => Some(exact(&mut known, test, pairs, rate, level)),
                _ => approximate(it, level),
            };
        }
    }
}

fn exact_test(name: &str) -> Option<Test> {
    match name {
        "position-effect/mid-p" => Some(Test::MidP),
        "position-effect/exact" => Some(Test::Exact),
        _ => None,
    }
}

fn exact(known: &mut Known, test: Test, pairs: u64, rate: f64, level: Level) -> Smallest {
    let key = (test.name(), pairs, rate.to_bits());
    let found = known.entry(key).or_insert_with(|| {
        let question = Question {
            test: Some(test),
            level,
            power: POWER,
            flip_rate: Some(rate),
            ..Question::about(Bias::Position)
        };
        let (value, reason) = match detect(&question, pairs) {
            Ok(answer) => (Some(answer.value), None),
            Err(why) => (None, Some(why.0)),
        };
        Smallest { value, reason, mcse: None, method: "exact".to_owned() }
    });
    found.clone()
}

/// Where each study meets another judge, estimates spread by more than the error of one, and flip rates differ.
pub(super) fn leaning(it: &Estimated) -> Option<Smallest> {
    it.null?;
    it.get(Measure::Power)?;
    let reason = "each replicate meets another judge: `judgelab detect --scenario` averages the power over them";
    let method = "normal approximation".to_owned();
    Some(Smallest { value: None, reason: Some(reason.to_owned()), mcse: None, method })
}

/// The most replicates without an estimate, as a share, at which a standard deviation still speaks of all.
const MOST_UNDEFINED: f64 = 0.01;

fn approximate(it: &Estimated, level: Level) -> Option<Smallest> {
    it.null?;
    it.get(Measure::Power)?;
    let method = "normal approximation".to_owned();
    let sd = it.get(Measure::EmpiricalSe)?;
    let n = sd.replicates.unwrap_or(0) + sd.undefined;
    if MOST_UNDEFINED * n as f64 <= sd.undefined as f64 {
        let reason = "the estimate is undefined in too many replicates".to_owned();
        return Some(Smallest { value: None, reason: Some(reason), mcse: None, method });
    }
    // Verdicts without chance have no spread, and a test of them sees nothing or everything.
    let spread = sd.value.filter(|it| 0.0 < *it)?;
    let z = normal_quantile(1.0 - level.alpha() / 2.0) + normal_quantile(POWER);
    let mcse = sd.mcse.map(|it| z * it);
    Some(Smallest { value: Some(z * spread), reason: None, mcse, method })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mid-p flip-rate table: .3439 log-odds at 200 pairs of which 35 % flip.
    #[test]
    fn the_position_effect_is_exact() {
        let mut known = Known::new();
        let it = exact(&mut known, Test::MidP, 200, 0.35, Level::USUAL);
        assert!((it.value.unwrap() - 0.3439).abs() < 5e-5, "{it:?}");
        assert_eq!(exact(&mut known, Test::MidP, 200, 0.35, Level::USUAL), it);
        let none = exact(&mut known, Test::MidP, 4, 0.35, Level::USUAL);
        assert!(none.value.is_none() && none.reason.is_some(), "{none:?}");
    }
}
