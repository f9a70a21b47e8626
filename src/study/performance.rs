//! Performance of a rule over replicates: bias, empirical SE, RMSE, coverage, power and width, each with its Monte Carlo
//! standard error (Morris, White & Crowther 2019, table 6).

pub(super) mod certificate;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Truths;
use crate::estimators::{Estimate, Settings, Undefined};
use crate::stats::accumulate::ExactSum;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// What the rule should say: its functional at the expected evidence.
    Estimand,
    /// The same of a fair judge.
    Fair,
    /// The flip rate of the same judge without a position preference.
    Floor,
    /// The world's own value.
    True,
    /// The mean estimate, over the replicates in which it is defined.
    Mean,
    /// The mean error against the estimand.
    Bias,
    /// The standard deviation of the estimates.
    EmpiricalSe,
    /// The root of the mean squared error.
    Rmse,
    /// The share of all replicates whose interval holds the estimand.
    Coverage,
    /// The share of all replicates whose test rejects; its size, where the null is true.
    Power,
    /// The mean width of the finite intervals.
    Width,
    /// The standard error that intervals state: half the width over the normal quantile.
    ModelSe,
    /// That over the standard deviation of the estimates.
    SeRatio,
    /// The share of all replicates whose interval holds the mean estimate.
    BiasEliminated,
    /// Of the replicates that reject, the share whose estimate is on the wrong side of no effect.
    TypeS,
    /// Of the replicates that reject, how many times too large the effect is on average.
    TypeM,
}

impl Measure {
    /// Every measure, in the order of the files.
    pub const ALL: [Measure; 11] = [
        Measure::Estimand,
        Measure::Fair,
        Measure::Floor,
        Measure::True,
        Measure::Mean,
        Measure::Bias,
        Measure::EmpiricalSe,
        Measure::Rmse,
        Measure::Coverage,
        Measure::Power,
        Measure::Width,
    ];

    /// What a certificate adds.
    pub const CERTIFIED: [Measure; 5] = [
        Measure::ModelSe,
        Measure::SeRatio,
        Measure::BiasEliminated,
        Measure::TypeS,
        Measure::TypeM,
    ];

    /// Whether it is a share of replicates, which has an interval that stays honest at 0 and 1.
    #[must_use]
    pub const fn is_share(self) -> bool {
        matches!(
            self,
            Measure::Coverage | Measure::Power | Measure::BiasEliminated | Measure::TypeS
        )
    }

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Estimand => "estimand",
            Measure::Fair => "fair",
            Measure::Floor => "floor",
            Measure::True => "true",
            Measure::Mean => "mean",
            Measure::Bias => "bias",
            Measure::EmpiricalSe => "empirical_se",
            Measure::Rmse => "rmse",
            Measure::Coverage => "coverage",
            Measure::Power => "power",
            Measure::Width => "width",
            Measure::ModelSe => "model_se",
            Measure::SeRatio => "se_ratio",
            Measure::BiasEliminated => "bias_eliminated_coverage",
            Measure::TypeS => "type_s",
            Measure::TypeM => "type_m",
        }
    }
}

/// A measured number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// What is measured.
    pub measure: Measure,
    /// The number, or why there is none.
    pub value: Result<f64, Undefined>,
    /// Its Monte Carlo standard error; none for an exact number.
    pub mcse: Option<f64>,
    /// The replicates it rests on; none for an exact number.
    pub replicates: Option<u64>,
    /// The replicates in which it was undefined.
    pub undefined: u64,
}

/// The figures of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Performance {
    /// In the order of [`Measure::ALL`]; measures that the rule does not have are left out.
    pub figures: Vec<Figure>,
    /// Why estimates were undefined, and in how many replicates (or with what probability).
    pub reasons: BTreeMap<Undefined, f64>,
}

/// An interval that touches its estimand holds it. Words have 32 bits, so a planted probability, and with it the estimand,
/// is known to 2^-32; limits on a lattice meet it within this.
const TOUCH: f64 = 1e-9;

/// A sum of weighted terms.
pub trait Sum: Clone + Default {
    /// Adds a term.
    fn add(&mut self, term: f64, weight: f64);
    /// Adds another sum.
    fn merge(&mut self, other: &Self);
    /// The sum; not a number where it cannot be held.
    fn value(&self) -> f64;
}

impl Sum for f64 {
    fn add(&mut self, term: f64, weight: f64) {
        *self += term * weight;
    }
    fn merge(&mut self, other: &Self) {
        *self += other;
    }
    fn value(&self) -> f64 {
        *self
    }
}

/// Sums that do not depend on the order or the split of their terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exactly(ExactSum);

impl Sum for Exactly {
    fn add(&mut self, term: f64, weight: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "weights are counts"
        )]
        self.0.add(term, weight as u64);
    }
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
    fn value(&self) -> f64 {
        self.0.value().unwrap_or(f64::NAN)
    }
}

/// Sums over replicates (or over a law) from which all measures follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals<S> {
    weight: S,
    defined: S,
    /// Powers 1 to 4 of the estimate.
    estimate: [S; 4],
    /// Powers 1 to 4 of its error.
    error: [S; 4],
    /// The estimand and its square, over the replicates in which it is defined.
    estimand: [S; 2],
    compared: S,
    covered: S,
    rejected: S,
    finite: S,
    /// Powers 1 to 4 of the width of finite intervals.
    width: [S; 4],
    /// Replicates that reject and have an estimate; those of them on the wrong side of the null; how far they lie from it,
    /// and the square of that. Nothing where the rule has no test.
    significant: S,
    wrong_side: S,
    away: [S; 2],
    /// Limits and p-values with their squares, over the replicates in which they are finite.
    limits: [Limit<S>; 3],
    reasons: BTreeMap<Undefined, S>,
}

/// A limit or a p-value: how often it is finite, its sum and the sum of its squares.
type Limit<S> = [S; 3];

impl<S: Sum> Totals<S> {
    /// Adds an estimate with its estimand; `null` is the value that the rule's test calls no effect.
    pub fn add(
        &mut self,
        it: &Estimate,
        (estimand, null): (Result<f64, Undefined>, Option<f64>),
        settings: &Settings,
        weight: f64,
    ) {
        self.weight.add(1.0, weight);
        let (low, high) = (it.limits.low, it.limits.high);
        match it.value {
            Ok(value) => {
                self.defined.add(1.0, weight);
                powers(&mut self.estimate, value, weight);
                if let Ok(estimand) = estimand {
                    powers(&mut self.error, value - estimand, weight);
                }
            }
            Err(why) => self.reasons.entry(why).or_default().add(1.0, weight),
        }
        if let Ok(estimand) = estimand {
            self.compared.add(1.0, weight);
            powers(&mut self.estimand, estimand, weight);
            let holds = low - TOUCH <= estimand && estimand <= high + TOUCH;
            self.covered.add(f64::from(u8::from(holds)), weight);
        }
        let rejects = it.limits.p.is_ok_and(|p| settings.rejects(p));
        self.rejected.add(f64::from(u8::from(rejects)), weight);
        if let (true, Ok(value), Some(null)) = (rejects, it.value, null) {
            self.significant.add(1.0, weight);
            let wrong = estimand.is_ok_and(|estimand| (value - null) * (estimand - null) < 0.0);
            self.wrong_side.add(f64::from(u8::from(wrong)), weight);
            powers(&mut self.away, libm::fabs(value - null), weight);
        }
        if low.is_finite() && high.is_finite() {
            self.finite.add(1.0, weight);
            powers(&mut self.width, high - low, weight);
        }
        let p = it.limits.p.unwrap_or(f64::NAN);
        for (sums, x) in self.limits.iter_mut().zip([low, high, p]) {
            if x.is_finite() {
                sums[0].add(1.0, weight);
                powers(&mut sums[1..], x, weight);
            }
        }
    }

    /// The mean of the lower limit (0), the upper limit (1) or the p-value (2) where finite, and its Monte Carlo error.
    pub(crate) fn mean_limit(&self, which: usize) -> Option<(f64, f64)> {
        let [n, sum, squares] = self.limits.get(which)?.each_ref().map(Sum::value);
        let mean = sum / n;
        let sd = libm::sqrt((squares / n - mean * mean).max(0.0));
        (0.0 < n).then(|| (mean, sd / libm::sqrt(n)))
    }

    /// Adds the sums of other replicates.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        for (a, b) in self.plain().into_iter().zip(other.clone().plain()) {
            a.merge(b);
        }
        for (why, sum) in &other.reasons {
            self.reasons.entry(*why).or_default().merge(sum);
        }
        self
    }

    fn plain(&mut self) -> Vec<&mut S> {
        let mut all =
            vec![&mut self.weight, &mut self.defined, &mut self.compared, &mut self.covered];
        all.extend([&mut self.rejected, &mut self.finite]);
        all.extend([&mut self.significant, &mut self.wrong_side]);
        all.extend(&mut self.away);
        all.extend(&mut self.estimate);
        all.extend(&mut self.error);
        all.extend(&mut self.estimand);
        all.extend(&mut self.width);
        all.extend(self.limits.iter_mut().flatten());
        all
    }

    /// The sums in a fixed order, without those of the reasons.
    pub(super) fn sums(&self) -> Vec<S> {
        self.clone().plain().into_iter().map(|it| it.clone()).collect()
    }

    /// Why estimates were undefined, and how often.
    pub(super) fn reasons(&self) -> &BTreeMap<Undefined, S> {
        &self.reasons
    }

    /// The totals of [`Totals::sums`] and of reasons; nothing where these are not as many sums.
    pub(super) fn from_sums(sums: Vec<S>, reasons: BTreeMap<Undefined, S>) -> Option<Self> {
        let mut totals = Self { reasons, ..Self::default() };
        let places = totals.plain();
        if places.len() != sums.len() {
            return None;
        }
        for (place, sum) in places.into_iter().zip(sums) {
            *place = sum;
        }
        Some(totals)
    }

    /// How many replicates were added.
    #[must_use]
    pub fn replicates(&self) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let replicates = self.weight.value() as u64;
        replicates
    }
}

fn powers<S: Sum>(sums: &mut [S], x: f64, weight: f64) {
    let mut power = x;
    for sum in sums {
        sum.add(power, weight);
        power *= x;
    }
}

/// Mean, standard deviation (n - 1) and kurtosis from power sums.
struct Moments {
    mean: f64,
    sd: f64,
    kurtosis: f64,
}

impl Moments {
    /// `n` is the number of replicates, or the probability for a law, whose standard deviation divides by it.
    fn new<S: Sum>(sums: &[S; 4], n: f64, of_replicates: bool) -> Self {
        let [m1, m2, m3, m4] = [0, 1, 2, 3].map(|k| sums[k].value() / n);
        let variance = (m2 - m1 * m1).max(0.0);
        let fourth = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1 * m1 * m1 * m1;
        let correction = if of_replicates { n / (n - 1.0) } else { 1.0 };
        Self {
            mean: m1,
            sd: libm::sqrt(variance * correction),
            kurtosis: if 0.0 < variance { (fourth / (variance * variance)).max(1.0) } else { 3.0 },
        }
    }
}

const NEVER: Undefined = Undefined("undefined in every replicate");
const ONCE: Undefined = Undefined("defined in fewer than two replicates");

impl Performance {
    /// Measures a rule by its totals. `replicates` is none for a law; `by_world` where each replicate had its own estimand.
    pub(super) fn new<S: Sum>(
        totals: &Totals<S>,
        truths: &Truths,
        replicates: Option<u64>,
        by_world: bool,
    ) -> Self {
        let n = totals.weight.value();
        let defined = totals.defined.value();
        let drawn = replicates.is_some();
        let mut figures = exact_figures(totals, truths, replicates, by_world);
        let count = |x: f64| if drawn { libm::rint(x) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let mut push = |measure, value: Result<(f64, f64), Undefined>, over: f64| {
            figures.push(Figure {
                measure,
                value: value.map(|it| it.0),
                mcse: value.ok().filter(|_| drawn).map(|it| it.1),
                replicates: replicates.map(|_| over as u64),
                undefined: count(n - over) as u64,
            });
        };
        let enough = if drawn { 1.5 } else { 0.0 };
        let spread = Moments::new(&totals.estimate, defined, drawn);
        let error = Moments::new(&totals.error, defined, drawn);
        let some = |value: (f64, f64)| if 0.0 < defined { Ok(value) } else { Err(NEVER) };
        let two = |value: (f64, f64)| if enough < defined { Ok(value) } else { Err(ONCE) };
        let root = libm::sqrt(defined);
        // With one replicate there is a mean but nothing to tell its Monte Carlo error from.
        push(Measure::Mean, some((spread.mean, spread.sd / root)), defined);
        let compared = |value: Result<(f64, f64), Undefined>| {
            if by_world { value } else { truths.estimand.and(value) }
        };
        push(Measure::Bias, compared(some((error.mean, error.sd / root))), defined);
        let se_error = spread.sd * libm::sqrt((spread.kurtosis - 1.0) / defined) / 2.0;
        push(Measure::EmpiricalSe, two((spread.sd, se_error)), defined);
        push(Measure::Rmse, compared(two(rmse(totals, defined))), defined);
        let share = |sum: &S, of: f64| {
            let p = sum.value() / of;
            (p, libm::sqrt(p * (1.0 - p) / of))
        };
        let all = totals.compared.value();
        let covered = if 0.0 < all { Ok(share(&totals.covered, all)) } else { Err(NEVER) };
        push(Measure::Coverage, compared(covered), all);
        if truths.null.is_some() {
            push(Measure::Power, Ok(share(&totals.rejected, n)), n);
        }
        let finite = totals.finite.value();
        let [w1, w2] = [0, 1].map(|k| totals.width[k].value() / finite);
        let width_sd = libm::sqrt((w2 - w1 * w1).max(0.0) * finite / (finite - 1.0).max(1.0));
        let width = if 0.0 < finite {
            Ok((w1, width_sd / libm::sqrt(finite)))
        } else {
            Err(Undefined("infinite in every replicate"))
        };
        push(Measure::Width, width, finite);
        let reasons = totals.reasons.iter().map(|(why, sum)| (*why, sum.value())).collect();
        Self { figures, reasons }
    }

    /// One of its figures.
    #[must_use]
    pub fn get(&self, measure: Measure) -> Option<&Figure> {
        self.figures.iter().find(|it| it.measure == measure)
    }

    /// The value of a figure, if it has one.
    #[must_use]
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.get(measure)?.value.ok()
    }
}

/// The root of the mean squared error and its error, by the delta method.
fn rmse<S: Sum>(totals: &Totals<S>, defined: f64) -> (f64, f64) {
    let [_, e2, _, e4] = [0, 1, 2, 3].map(|k| totals.error[k].value() / defined);
    let root = libm::sqrt(e2);
    let error = libm::sqrt((e4 - e2 * e2).max(0.0) / (defined - 1.0));
    (root, if 0.0 < root { error / (2.0 * root) } else { 0.0 })
}

fn exact_figures<S: Sum>(
    totals: &Totals<S>,
    truths: &Truths,
    replicates: Option<u64>,
    by_world: bool,
) -> Vec<Figure> {
    let exact =
        |measure, value| Figure { measure, value, mcse: None, replicates: None, undefined: 0 };
    let mut figures = Vec::new();
    if by_world {
        // The mean over the worlds that were drawn; the worlds are a sample, so it has a Monte Carlo error.
        let n = totals.compared.value();
        let [mean, square] = [0, 1].map(|k| totals.estimand[k].value() / n);
        let sd = libm::sqrt((square - mean * mean).max(0.0));
        let value = if 0.0 < n { Ok(mean) } else { Err(NEVER) };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        figures.push(Figure {
            measure: Measure::Estimand,
            value,
            mcse: Some(sd / libm::sqrt(n)),
            replicates: replicates.map(|_| n as u64),
            undefined: (totals.weight.value() - n) as u64,
        });
    } else {
        figures.push(exact(Measure::Estimand, truths.estimand));
    }
    figures.push(exact(Measure::Fair, truths.fair));
    figures.extend(truths.floor.map(|floor| exact(Measure::Floor, floor)));
    figures.extend(truths.truth.map(|truth| exact(Measure::True, Ok(truth))));
    figures
}
