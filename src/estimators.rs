//! Estimators: one table of rules on evidence. A rule never knows whether its evidence was simulated, enumerated or
//! observed.
//!
//! Each rule is a functional of a few sums: at observed sums it gives the estimate, at expected sums the estimand. Its
//! interval and its test are named by its variant (`position-effect/mid-p`). "Undefined" is a value with a reason.

mod agreement;
mod difference;
pub mod flip_rate;
mod grading;
mod joint;
pub mod planning;
mod position;
mod replies;
mod self_preference;
mod share;
mod win_rate;

use crate::evidence::{LANES, Needs, Reading, Sums};
use crate::quantity::Level;

/// Why a number cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Undefined(pub &'static str);

/// What all rules share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The confidence level of every interval; tests reject when p <= 1 - level.
    pub level: Level,
}

/// What a rule says of evidence. Each part answers for itself: ten flips all one way have no finite effect, a one-sided
/// interval, and p = .002.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The point estimate, or why there is none.
    pub value: Result<f64, Undefined>,
    /// The interval and the test.
    pub limits: Limits,
}

/// An interval, and the test that goes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The lower limit; minus infinity where the evidence bounds nothing.
    pub low: f64,
    /// The upper limit; infinity where the evidence bounds nothing.
    pub high: f64,
    /// The two-sided p-value of the rule's null value, or why there is no test.
    pub p: Result<f64, Undefined>,
}

impl Limits {
    /// The interval of evidence that bounds nothing, and why.
    #[must_use]
    pub const fn none(why: &'static str) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, p: Err(Undefined(why)) }
    }
}

/// The scale that a rule's numbers live on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A share, 0 to 1.
    Share,
    /// A difference of two shares, -1 to 1.
    Difference,
    /// Log-odds, any real number.
    LogOdds,
    /// A chance-corrected agreement, at most 1.
    Kappa,
    /// A number of cases.
    Cases,
}

impl Scale {
    /// The unit, in words.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Scale::Share => "share",
            Scale::Difference => "difference of shares",
            Scale::LogOdds => "log-odds",
            Scale::Kappa => "kappa",
            Scale::Cases => "cases",
        }
    }
}

/// What an estimate is compared with besides its estimand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrueValue {
    /// The world holds no such value.
    None,
    /// The share of pairs in which the first system is truly better, ties as halves.
    BetterShare,
    /// The share of cases that the first system's answer truly passes.
    FirstPasses,
    /// The share of cases that the second system's answer truly passes.
    SecondPasses,
    /// The first system's true pass rate minus the second's.
    PassDifference,
}

/// A functional that knows the level.
pub type Functional = fn(&[f64; LANES], &Settings) -> Result<f64, Undefined>;

/// A rule in one variant.
#[derive(Debug)]
pub struct Estimator {
    /// The rule, as a scenario names it.
    pub rule: &'static str,
    /// Which interval, convention or order; empty where there is only one.
    pub variant: &'static str,
    /// Whether this is the variant to rely on; the others are printed beside it.
    pub chosen: bool,
    /// One line for tables and lists.
    pub summary: &'static str,
    /// The interval and the test, with their paper.
    pub method: &'static str,
    /// The scale of its numbers.
    pub scale: Scale,
    /// The value that its test calls "no effect"; none where the rule has no test.
    pub null: Option<f64>,
    /// The world's own value of what it estimates.
    pub truth: TrueValue,
    /// The evidence that a protocol must give.
    pub needs: Needs,
    /// The sums that it reads.
    pub reads: &'static Reading,
    /// The functional: an estimate at observed sums, the estimand at expected ones.
    pub value: fn(&[f64; LANES]) -> Result<f64, Undefined>,
    /// The functional in place of `value`, at sums over all cases, where the level or the number of cases enters it; `value`
    /// is then the same at the usual level, of as many cases as its sums say.
    pub at_size: Option<Functional>,
    /// The interval and the test.
    pub limits: fn(&Sums, &Settings) -> Limits,
}

impl Estimator {
    /// `rule` or `rule/variant`.
    #[must_use]
    pub fn name(&self) -> String {
        if self.variant.is_empty() {
            self.rule.to_owned()
        } else {
            format!("{}/{}", self.rule, self.variant)
        }
    }

    /// The functional at sums of which each stands for `times` as much: expected sums are told a case, and a rule that knows
    /// the number of cases needs those of all of them.
    ///
    /// # Errors
    /// Why the functional has no value there.
    pub fn value_at(
        &self,
        sums: &[f64; LANES],
        times: f64,
        settings: &Settings,
    ) -> Result<f64, Undefined> {
        match self.at_size {
            Some(functional) => functional(&sums.map(|it| it * times), settings),
            None => (self.value)(sums),
        }
    }

    /// The estimate, its interval and its test.
    #[must_use]
    pub fn estimate(&self, sums: &Sums, settings: &Settings) -> Estimate {
        Estimate {
            value: self.value_at(&sums.real(), 1.0, settings),
            limits: (self.limits)(sums, settings),
        }
    }
}

/// Every rule in every variant, in the order in which tables print them.
pub static ESTIMATORS: &[&Estimator] = &[
    &flip_rate::FLIP_RATE,
    &share::FIRST_SHARE,
    &share::FIRST_SHARE_SINGLE,
    &win_rate::ONE_ORDER,
    &win_rate::OTHER_ORDER,
    &win_rate::RANDOM_ORDER,
    &win_rate::AVERAGED,
    &win_rate::CONSERVATIVE,
    &win_rate::MAJORITY,
    &win_rate::AGREED,
    &win_rate::KEPT,
    &win_rate::KEPT_RIGHT,
    &position::MID_P,
    &position::EXACT,
    &position::CLUSTERED,
    &position::MARGINAL,
    &agreement::ACCURACY_ONE,
    &agreement::ACCURACY_OTHER,
    &agreement::ACCURACY_SWAP,
    &agreement::DECISIVE_ONE,
    &agreement::DECISIVE_OTHER,
    &agreement::DECISIVE_SWAP,
    &agreement::ACCURACY_A_BETTER,
    &agreement::ACCURACY_B_BETTER,
    &agreement::KAPPA_ONE,
    &agreement::KAPPA_OTHER,
    &agreement::KAPPA_SWAP,
    &self_preference::SELF_PREFERENCE,
    &joint::POSITION,
    &joint::LONGER,
    &joint::FIRST_SYSTEM,
    &joint::BETTER,
    &grading::FIRST,
    &grading::SECOND,
    &difference::MID_P,
    &difference::EXACT,
    &difference::ASYMPTOTIC,
    &difference::BOOTSTRAP,
    &difference::UNPAIRED,
    &difference::FIRST_AHEAD,
    &difference::LEVEL,
    &difference::RANKED_RIGHT,
    &planning::NEEDED_PAIRED,
    &planning::NEEDED_UNPAIRED,
    &planning::NEEDED_INTERVAL,
    &planning::RESOLUTION_MID_P,
    &planning::RESOLUTION_EXACT,
    &planning::RESOLUTION_Z,
    &planning::RESOLUTION_INTERVAL,
    &planning::RESOLUTION_STEP,
    &grading::AGREEMENT_FIRST,
    &grading::AGREEMENT_SECOND,
    &grading::FALSE_NEGATIVE_FIRST,
    &grading::FALSE_NEGATIVE_SECOND,
    &grading::FALSE_POSITIVE_FIRST,
    &grading::FALSE_POSITIVE_SECOND,
    &grading::KAPPA_FIRST,
    &grading::KAPPA_SECOND,
    &replies::FIRST,
    &replies::TIE,
    &replies::SECOND,
    &replies::INVALID,
];

/// The names of all rules, each once.
#[must_use]
pub fn rules() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for it in ESTIMATORS {
        if !names.contains(&it.rule) {
            names.push(it.rule);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_readings_are_told_apart() {
        let mut names: Vec<String> = ESTIMATORS.iter().map(|it| it.name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ESTIMATORS.len());
        for (a, b) in ESTIMATORS.iter().flat_map(|a| ESTIMATORS.iter().map(move |b| (a, b))) {
            let same_step = std::ptr::fn_addr_eq(a.reads.step, b.reads.step);
            assert!(a.reads.name != b.reads.name || same_step, "{} and {}", a.name(), b.name());
        }
    }
}
