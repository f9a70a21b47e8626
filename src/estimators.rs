//! Estimators: one table of rules on evidence. A rule never knows whether its evidence was simulated, enumerated or
//! observed.
//!
//! Each rule is a functional of a few sums: at observed sums it gives the estimate, at expected sums the estimand. Its
//! interval and its test are named by its variant (`position-effect/mid-p`). "Undefined" is a value with a reason.
//!
//! A rule that is no functional of sums (a regression, a bootstrap, the best of several) reads a sheet of scores; what it
//! should say is its expectation.

mod agreement;
mod best_of;
mod cluster_mean;
mod corrected_rate;
mod difference;
pub mod flip_rate;
mod grading;
mod joint;
mod length_slope;
pub mod panel;
pub mod planning;
mod position;
mod rating;
mod replies;
mod self_preference;
mod share;
mod slices;
mod strata;
mod stratified_rate;
mod variation;
mod win_rate;

pub use strata::MOST_WEIGHED;

use rand::Rng;

use crate::evidence::{Columns, Expected, Item, LANES, Needs, Reading, Sheet, Sums};
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

impl Settings {
    /// Whether a test with this p-value rejects.
    #[must_use]
    pub fn rejects(&self, p: f64) -> bool {
        p <= self.level.alpha()
    }
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
    /// A correlation, -1 to 1.
    Correlation,
    /// A number of judges.
    Judges,
    /// A variance of a share.
    Variance,
    /// Half the width of an interval for a share: it shrinks as cases are added.
    HalfWidth,
    /// Score points.
    Points,
    /// Score points for a doubling of length.
    PointsPerDoubling,
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
            Scale::Correlation => "correlation",
            Scale::Judges => "judges",
            Scale::Variance => "variance of a share",
            Scale::HalfWidth => "half-width of a share",
            Scale::Points => "score points",
            Scale::PointsPerDoubling => "score points per doubling",
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
    /// The judge's own slope: score points for a doubling of length.
    LengthSlope,
    /// How much better the first system's answers are, in score points.
    QualityGap,
    /// The pass rate that all candidates share.
    PassRate,
}

/// A number that sums give, or why they give none.
pub type Functional = fn(&[f64; LANES]) -> Result<f64, Undefined>;

/// A functional that knows the level, of sums over all cases.
pub type SizedFunctional = fn(&[f64; LANES], &Settings) -> Result<f64, Undefined>;

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
    pub value: Functional,
    /// What it should say at expected sums, where that is not what `value` would say there: a corrected pass rate should
    /// be the true one, whatever the correction.
    pub aim: Option<Functional>,
    /// The functional in place of `value`, at sums over all cases, where the level or the number of cases enters it; `value`
    /// is then the same at the usual level, of as many cases as its sums say.
    pub at_size: Option<SizedFunctional>,
    /// The interval and the test.
    pub limits: fn(&Sums, &Settings) -> Limits,
    /// How it answers on a sheet, for a rule that is no function of sums.
    pub sheet: Option<SheetRule>,
    /// The test alone, where it needs less than the interval; exact sums ask it at every point of a lattice.
    pub quick: Option<Quick>,
}

/// A rule's test alone.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    /// The sums that it reads, by place, in rising order; other sums do not change it.
    pub lanes: &'static [usize],
    /// The p-value that the rule's limits give, to the bit.
    pub p: fn(&Sums) -> Result<f64, Undefined>,
}

/// A rule on a sheet of scores.
#[derive(Clone, Copy, Debug)]
pub struct SheetRule {
    /// The sheets that it reads.
    pub columns: Columns,
    /// The estimate, its interval and its test. Bootstraps draw from the generator.
    pub estimate: fn(&Sheet<'_>, &Settings, &mut dyn Rng) -> Estimate,
    /// What it should say: its expectation over sheets.
    pub estimand: fn(&Expected<'_>) -> Result<f64, Undefined>,
    /// Whether its test rejects, where that takes less than the estimate; the same verdict on the same random words.
    pub quick: Option<Verdict>,
}

/// Whether a rule's test rejects on a sheet.
pub type Verdict = fn(&Sheet<'_>, &Settings, &mut dyn Rng) -> bool;

impl SheetRule {
    /// Whether its test rejects. What cannot be tested is not rejected.
    pub fn rejects(&self, sheet: &Sheet<'_>, settings: &Settings, random: &mut dyn Rng) -> bool {
        if let Some(verdict) = self.quick {
            return verdict(sheet, settings, random);
        }
        let said = (self.estimate)(sheet, settings, random);
        said.limits.p.is_ok_and(|p| settings.rejects(p))
    }
}

/// What rules on sheets leave out.
const ON_SHEETS: Estimator = Estimator {
    rule: "",
    variant: "",
    chosen: false,
    summary: "",
    method: "",
    scale: Scale::Points,
    null: None,
    truth: TrueValue::None,
    needs: share::ANY,
    reads: &NO_SUMS,
    value: |_| Err(NO_SHEET),
    aim: None,
    at_size: None,
    limits: |_, _| Limits::none(NO_SHEET.0),
    sheet: None,
    quick: None,
};

const NO_SHEET: Undefined = Undefined("it reads a sheet of scores");

/// The reading of rules that read no sums.
static NO_SUMS: Reading =
    Reading { name: "no sums", sums: &[], step: |_: &Item<'_>| Sums::default() };

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

    /// What it should say of so many cases: the estimand, given the expected sums of one.
    ///
    /// # Errors
    /// Why there is nothing that it should say.
    pub fn estimand(
        &self,
        expected: &[f64; LANES],
        cases: usize,
        settings: &Settings,
    ) -> Result<f64, Undefined> {
        // Ratios do not know how many cases there are; a half-width does, and so does a rule that says so.
        match (self.aim, self.scale) {
            (Some(aim), _) => aim(expected),
            (None, Scale::HalfWidth) => (self.value)(&expected.map(|sum| sum * cases as f64)),
            (None, _) => self.value_at(expected, cases as f64, settings),
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

    /// The two-sided p-value of the rule's test.
    ///
    /// # Errors
    /// Why the rule has no test, or none on this evidence.
    pub fn p(&self, sums: &Sums, settings: &Settings) -> Result<f64, Undefined> {
        match &self.quick {
            Some(quick) => (quick.p)(sums),
            None => (self.limits)(sums, settings).p,
        }
    }

    /// Whether the rule's test rejects. What cannot be tested is not rejected.
    #[must_use]
    pub fn rejects(&self, sums: &Sums, settings: &Settings) -> bool {
        self.p(sums, settings).is_ok_and(|p| settings.rejects(p))
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
    &joint::CONDITIONAL,
    &panel::MEAN,
    &panel::VOTE,
    &panel::ACCURACY,
    &panel::ERROR_CORRELATION,
    &panel::EFFECTIVE_JUDGES,
    &variation::WITHIN,
    &variation::BETWEEN,
    &variation::RUN_TO_RUN,
    &variation::SAMPLING,
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
    &win_rate::FIRST_AHEAD,
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
    &corrected_rate::RAW,
    &corrected_rate::KNOWN,
    &corrected_rate::ROGAN_GLADEN,
    &corrected_rate::LANG_REICZIGEL,
    &corrected_rate::POST_STRATIFIED,
    &corrected_rate::PPI,
    &slices::ONE[0],
    &slices::ONE[1],
    &slices::ONE[2],
    &slices::ONE[3],
    &slices::ONE[4],
    &slices::ONE[5],
    &slices::ONE[6],
    &slices::ONE[7],
    &slices::HOLM,
    &slices::BH,
    &stratified_rate::FIRST,
    &stratified_rate::SECOND,
    &stratified_rate::PAIRED_DIFFERENCE,
    &length_slope::CR2,
    &length_slope::BCA,
    &length_slope::PERCENTILE,
    &length_slope::AS_PUBLISHED,
    &rating::DIFFERENCE,
    &rating::FIRST_AHEAD,
    &best_of::SEEN,
    &best_of::FRESH,
    &best_of::OPTIMISM,
    &cluster_mean::CR2,
    &cluster_mean::CR1,
    &cluster_mean::CR0,
    &cluster_mean::NAIVE,
    &cluster_mean::PERCENTILE,
    &cluster_mean::WILD_RADEMACHER,
    &cluster_mean::WILD_WEBB,
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

    /// Exact sums ask the test alone: it must say what the limits say.
    #[test]
    fn the_test_alone_is_the_test_of_the_limits() {
        let settings = Settings { level: Level::USUAL };
        for it in ESTIMATORS {
            let Some(quick) = it.quick else { continue };
            for k in 0..400_i64 {
                let (n, b, c) = (30 + k % 7, k % 17, (k / 17) % 13);
                let mut sums = [0; LANES];
                let filled: &[i64] = match it.reads.sums.first() {
                    Some(&"both") => &[n - b - c, b, c, 0],
                    Some(&"pairs") if it.reads.sums.len() == 3 => &[n, b, c],
                    _ => &[n, 4 * n, 2 * (b - c), 4 * (b + c), 8 * (b - c), 16 * n, 0],
                };
                sums[..filled.len()].copy_from_slice(filled);
                let (alone, all) =
                    (it.p(&Sums(sums), &settings), (it.limits)(&Sums(sums), &settings).p);
                assert_eq!(alone, all, "{} at {filled:?}", it.name());
                for lane in (0..it.reads.lanes()).filter(|lane| !quick.lanes.contains(lane)) {
                    let mut other = sums;
                    other[lane] += 3;
                    assert_eq!((quick.p)(&Sums(other)), alone, "{}: lane {lane}", it.name());
                }
            }
        }
    }
}
