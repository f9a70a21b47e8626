//! A pass rate from a judge and labels drawn at random from what it scored: post-stratification,
//! the joint likelihood and prediction-powered inference.
//!
//! All of them carry P(truth | judge) over from the labelled items, so labels balanced by truth
//! make them wrong (a rate of .9 reads .65 to .74). Then use [`super::lang_reiczigel`].

use super::{Calibration, Corrected, Count, judged_share};

/// The labelled items by truth (first word) and verdict (second word).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// truly passes and was passed
    pub pass_pass: u64,
    /// truly passes and was failed
    pub pass_fail: u64,
    /// truly fails and was passed
    pub fail_pass: u64,
    /// truly fails and was failed
    pub fail_fail: u64,
}

impl Labels {
    /// The judge's sensitivity and specificity among the labelled items.
    #[must_use]
    pub fn calibration(&self) -> Calibration {
        let count = |hits: u64, others: u64| Count { hits, trials: hits + others };
        Calibration {
            sensitivity: count(self.pass_pass, self.pass_fail),
            specificity: count(self.fail_fail, self.fail_pass),
        }
    }

    /// The number of labelled items.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.pass_pass + self.pass_fail + self.fail_pass + self.fail_fail
    }

    fn judged_pass(&self) -> Count {
        Count { hits: self.pass_pass, trials: self.pass_pass + self.fail_pass }
    }

    fn judged_fail(&self) -> Count {
        Count { hits: self.pass_fail, trials: self.pass_fail + self.fail_fail }
    }

    /// The judge's passes among these items and the unlabelled ones.
    fn pooled(&self, judged: Count) -> Count {
        let hits = judged.hits.min(judged.trials) + self.judged_pass().trials;
        Count { hits, trials: judged.trials + self.items() }
    }
}

/// The post-stratified rate g1 p + g0 (1-p) with its Wald interval at `level`: p is the judge's
/// rate over labelled and unlabelled items together, g the share of true passes among the labelled
/// items of either verdict, with half an item added to its passes and to its fails. Not clipped.
///
/// `judged` counts the unlabelled items only. The variance is
/// p^2 g1(1-g1)/(m1+1) + (1-p)^2 g0(1-g0)/(m0+1) + (g1-g0)^2 p(1-p)/(n+m); the half items keep it
/// from 0 when a verdict has no error among the labels.
///
/// # Errors
///
/// "no item is labelled", or the level is outside (0, 1).
pub fn post_stratified(
    judged: Count,
    labels: &Labels,
    level: f64,
) -> Result<Corrected, &'static str> {
    let half = |count: Count| (count.hits as f64 + 0.5) / (count.trials as f64 + 1.0);
    let (given_pass, given_fail) = (labels.judged_pass(), labels.judged_fail());
    let strata = Strata {
        p: labelled(labels).and(judged_share(labels.pooled(judged)))?,
        given_pass: half(given_pass),
        given_fail: half(given_fail),
    };
    let sizes = [given_pass.trials as f64 + 1.0, given_fail.trials as f64 + 1.0];
    Corrected::wald(strata.rate(), strata.variance(sizes, labels.pooled(judged).trials), level)
}

fn labelled(labels: &Labels) -> Result<(), &'static str> {
    if labels.items() > 0 { Ok(()) } else { Err("no item is labelled") }
}

/// The judge's rate and the true passes within either verdict.
struct Strata {
    p: f64,
    given_pass: f64,
    given_fail: f64,
}

impl Strata {
    fn rate(&self) -> f64 {
        self.given_pass * self.p + self.given_fail * (1.0 - self.p)
    }

    fn variance(&self, sizes: [f64; 2], pooled: u64) -> f64 {
        let spread = |q: f64| q * (1.0 - q);
        let (p, q, gap) = (self.p, 1.0 - self.p, self.given_pass - self.given_fail);
        p * p * spread(self.given_pass) / sizes[0]
            + q * q * spread(self.given_fail) / sizes[1]
            + gap * gap * spread(p) / pooled as f64
    }
}

/// The maximum of the joint likelihood of labelled and unlabelled items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// the rate with its Wald interval
    pub rate: Corrected,
    /// the judge's sensitivity, 0 to 1
    pub sensitivity: f64,
    /// the judge's specificity, 0 to 1
    pub specificity: f64,
}

/// The joint maximum-likelihood estimate of rate, sensitivity and specificity, in closed form: the
/// post-stratified rate without the half items. Not clipped.
///
/// # Errors
///
/// No labelled item was passed, or none failed; the estimated rate is 0 or 1, so that one of the
/// judge's rates has no items; or the level is outside (0, 1).
///
/// A. Tenenbein (1970), Journal of the American Statistical Association 65, 1350-1361.
pub fn joint_likelihood(judged: Count, labels: &Labels, level: f64) -> Result<Joint, &'static str> {
    let pooled = labels.pooled(judged);
    let strata = Strata {
        p: labelled(labels).and(judged_share(pooled))?,
        given_pass: labels.judged_pass().share().ok_or("the judge passed no labelled item")?,
        given_fail: labels.judged_fail().share().ok_or("the judge failed no labelled item")?,
    };
    let rate = strata.rate();
    if rate <= 0.0 || rate >= 1.0 {
        return Err("the labelled items are all passes or all fails");
    }
    let sizes = [labels.judged_pass().trials as f64, labels.judged_fail().trials as f64];
    Ok(Joint {
        rate: Corrected::wald(rate, strata.variance(sizes, pooled.trials), level)?,
        sensitivity: strata.given_pass * strata.p / rate,
        specificity: (1.0 - strata.given_fail) * (1.0 - strata.p) / (1.0 - rate),
    })
}

/// Means and second moments of truth Y and verdict f, 1 for a pass.
struct Moments {
    m: f64,
    truth: f64,
    verdict: f64,
    var_truth: f64,
    var_verdict: f64,
    covariance: f64,
    var_unlabelled: f64,
    unlabelled: f64,
    n: f64,
}

impl Moments {
    /// Variances that divide by the number of items.
    fn of(judged: Count, labels: &Labels) -> Result<Self, &'static str> {
        let (unlabelled, m) = (judged_share(judged)?, labels.items() as f64);
        labelled(labels)?;
        let truth = (labels.pass_pass + labels.pass_fail) as f64 / m;
        let verdict = labels.judged_pass().trials as f64 / m;
        Ok(Self {
            m,
            truth,
            verdict,
            var_truth: truth * (1.0 - truth),
            var_verdict: verdict * (1.0 - verdict),
            covariance: labels.pass_pass as f64 / m - truth * verdict,
            var_unlabelled: unlabelled * (1.0 - unlabelled),
            unlabelled,
            n: judged.trials as f64,
        })
    }

    /// Y + lambda (mean of the unlabelled f - f): the rate and its variance, whose first part is
    /// divided by `labels` and its second by `others`.
    fn rate(&self, lambda: f64, labels: f64, others: f64) -> (f64, f64) {
        let value = self.truth + lambda * (self.unlabelled - self.verdict);
        let residual =
            self.var_truth + lambda * (lambda * self.var_verdict - 2.0 * self.covariance);
        // Rounding may leave a residual just below 0 where the judge is always right.
        (value, residual.max(0.0) / labels + lambda * lambda * self.var_unlabelled / others)
    }
}

/// Prediction-powered inference: the judge's rate on the unlabelled items plus the mean error found
/// on the labelled ones, with its Wald interval at `level`, not clipped. Variances divide by the
/// number of items, as in the published package.
///
/// # Errors
///
/// No item is labelled or none unlabelled, no count varies, or the level is outside (0, 1).
///
/// A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic (2023), Science 382, 669-674.
pub fn ppi(judged: Count, labels: &Labels, level: f64) -> Result<Corrected, &'static str> {
    let moments = Moments::of(judged, labels)?;
    let (value, variance) = moments.rate(1.0, moments.m, moments.n);
    Corrected::wald(value, variance, level)
}

/// A tuned prediction-powered rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuned {
    /// the rate with its Wald interval
    pub rate: Corrected,
    /// how far the judge was trusted: 0 uses the labels alone, 1 is [`ppi`]
    pub lambda: f64,
}

/// PPI++: Y + lambda (f unlabelled - f labelled) with lambda = Cov(Y, f) / (Var f + (m/n) Var f
/// unlabelled), the value of least variance, and its Wald interval at `level`, not clipped.
/// Variances divide by the number of items less one.
///
/// A judge whose verdicts never vary gets lambda 0. The interval ignores that lambda was estimated
/// and is a little short (coverage .93 for .95 at 50 to 200 labels, .89 at a rate of .95).
///
/// # Errors
///
/// Fewer than two items are labelled or unlabelled, no count varies, or the level is outside (0,
/// 1).
///
/// A. N. Angelopoulos, J. C. Duchi, T. Zrnic (2023), arXiv 2311.01453.
pub fn ppi_tuned(judged: Count, labels: &Labels, level: f64) -> Result<Tuned, &'static str> {
    let of = Moments::of(judged, labels)?;
    if of.m < 2.0 || of.n < 2.0 {
        return Err("fewer than two items are labelled or unlabelled");
    }
    let (rest, others) = (of.m - 1.0, of.n - 1.0);
    let spread = of.var_verdict * of.m / rest + of.m * of.var_unlabelled / others;
    let lambda = if spread > 0.0 { of.covariance * of.m / rest / spread } else { 0.0 };
    let (value, variance) = of.rate(lambda, rest, others);
    Ok(Tuned { rate: Corrected::wald(value, variance, level)?, lambda })
}

#[cfg(test)]
mod tests {
    use super::super::{lang_reiczigel, rogan_gladen};
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const LABELS: Labels = Labels { pass_pass: 80, pass_fail: 10, fail_pass: 15, fail_fail: 45 };
    const JUDGED: Count = Count { hits: 620, trials: 1000 };

    fn near(got: f64, want: f64) -> bool {
        (got - want).abs() < 6e-7
    }

    /// Published values.
    #[test]
    fn published_values_are_met() {
        let got = ppi(JUDGED, &LABELS, 0.95).unwrap();
        assert!(near(got.value, 0.586_667));
        assert!(near(got.interval.low, 0.514_939) && near(got.interval.high, 0.658_394));
        let got = ppi_tuned(JUDGED, &LABELS, 0.95).unwrap();
        assert!(near(got.lambda, 0.573_505), "{got:?}");
        assert!(near(got.rate.value, 0.592_353) && near(got.rate.error, 0.031_946), "{got:?}");
        let got = joint_likelihood(JUDGED, &LABELS, 0.95).unwrap();
        assert!(near(got.rate.value, 0.592_344));
        assert!(near(got.sensitivity, 0.883_894) && near(got.specificity, 0.759_186));
        // The judge's rate on the unlabelled items alone gives the "test margin".
        let test_margin = Strata { p: 0.62, given_pass: 80.0 / 95.0, given_fail: 10.0 / 55.0 };
        assert!(near(test_margin.rate(), 0.591_196));
        let got = post_stratified(JUDGED, &LABELS, 0.95).unwrap();
        // By hand: p = 715/1150, g1 = 80.5/96, g0 = 10.5/56.
        let (p, g1, g0) = (715.0 / 1150.0, 80.5 / 96.0, 10.5 / 56.0);
        assert!((got.value - (g1 * p + g0 * (1.0 - p))).abs() < 1e-15);
        let variance: f64 = p * p * g1 * (1.0 - g1) / 96.0
            + (1.0 - p) * (1.0 - p) * g0 * (1.0 - g0) / 56.0
            + (g1 - g0) * (g1 - g0) * p * (1.0 - p) / 1150.0;
        assert!((got.error - variance.sqrt()).abs() < 1e-15);
    }

    /// The likelihood is no larger anywhere near its closed-form maximum.
    #[test]
    fn the_joint_estimate_is_a_maximum() {
        let log_likelihood = |theta: f64, se: f64, sp: f64| {
            let pass = theta * se + (1.0 - theta) * (1.0 - sp);
            let cells = [
                (80.0, theta * se),
                (10.0, theta * (1.0 - se)),
                (15.0, (1.0 - theta) * (1.0 - sp)),
                (45.0, (1.0 - theta) * sp),
                (620.0, pass),
                (380.0, 1.0 - pass),
            ];
            cells.iter().map(|(count, q)| count * libm::log(*q)).sum::<f64>()
        };
        let best = joint_likelihood(JUDGED, &LABELS, 0.95).unwrap();
        let at = [best.rate.value, best.sensitivity, best.specificity];
        let top = log_likelihood(at[0], at[1], at[2]);
        for i in 0..3 {
            for step in [-1e-3, 1e-3] {
                let mut near = at;
                near[i] += step;
                assert!(log_likelihood(near[0], near[1], near[2]) < top);
            }
        }
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let (none, empty) = (Labels::default(), Count::default());
        assert_eq!(post_stratified(JUDGED, &none, 0.95), Err("no item is labelled"));
        assert_eq!(ppi(JUDGED, &none, 0.95), Err("no item is labelled"));
        assert_eq!(ppi(empty, &LABELS, 0.95), Err("the judge scored nothing"));
        assert!(joint_likelihood(JUDGED, &none, 0.95).is_err());
        // Labelled items alone still make an estimate; the unlabelled may be missing.
        assert!(near(joint_likelihood(empty, &LABELS, 0.95).unwrap().rate.value, 0.6));
        let one = Labels { pass_pass: 1, ..none };
        assert!(ppi_tuned(JUDGED, &one, 0.95).unwrap_err().contains("fewer than two"));
        assert!(joint_likelihood(JUDGED, &one, 0.95).unwrap_err().contains("failed no"));
        assert!(post_stratified(JUDGED, &one, 0.95).is_ok());
        let sure = Labels { pass_pass: 5, pass_fail: 5, ..none };
        assert!(joint_likelihood(JUDGED, &sure, 0.95).unwrap_err().contains("all passes"));
        assert!(ppi(JUDGED, &LABELS, 1.0).unwrap_err().contains("level"));
        // A judge of one word carries nothing: the labels' own mean is left.
        let same = Labels { pass_pass: 30, fail_pass: 20, ..none };
        let got = ppi_tuned(Count { hits: 9, trials: 9 }, &same, 0.95).unwrap();
        assert_eq!((got.lambda, got.rate.value), (0.0, 0.6));
        // A judge that is always right is trusted nearly whole.
        let right = Labels { pass_pass: 60, fail_fail: 40, ..none };
        let got = ppi_tuned(Count { hits: 6000, trials: 10_000 }, &right, 0.95).unwrap();
        assert!((got.lambda - 1.0 / 1.01).abs() < 1e-4 && (got.rate.value - 0.6).abs() < 1e-12);
    }

    /// A draw of `Bin(n, p)` by counting.
    fn binomial(n: u64, p: f64, random: &mut ChaCha8Rng) -> u64 {
        (0..n).filter(|_| f64::from(random.next_u32()) < p * 4_294_967_296.0).count() as u64
    }

    fn labels(m: u64, [theta, se, sp]: [f64; 3], random: &mut ChaCha8Rng) -> Labels {
        let passes = binomial(m, theta, random);
        let pass_pass = binomial(passes, se, random);
        let fail_fail = binomial(m - passes, sp, random);
        let (pass_fail, fail_pass) = (passes - pass_pass, m - passes - fail_fail);
        Labels { pass_pass, pass_fail, fail_pass, fail_fail }
    }

    /// Worked table 2.8, the row of rate .9, se .9, sp .7 with 100 labels drawn at random among 1,100:
    /// coverage and mean width at 95 %. 1,500 replicates, within 4 standard errors of the coverage
    /// (that row's own error added) and 4 % of the width.
    #[test]
    fn the_published_coverage_is_met() {
        type Method = fn(Count, &Labels) -> Result<Corrected, &'static str>;
        const ROW: [(&str, Method, f64, f64); 5] = [
            ("Wald", |u, l| rogan_gladen(u, &l.calibration(), 0.95), 0.99, 0.223),
            ("Lang-Reiczigel", |u, l| lang_reiczigel(u, &l.calibration(), 0.95), 0.961, 0.224),
            ("PPI", |u, l| ppi(u, l, 0.95), 0.945, 0.135),
            ("PPI++", |u, l| ppi_tuned(u, l, 0.95).map(|it| it.rate), 0.93, 0.102),
            ("post-stratified", |u, l| post_stratified(u, l, 0.95), 0.95, 0.104),
        ];
        let truth = [0.9, 0.9, 0.7];
        let mut random = ChaCha8Rng::seed_from_u64(28);
        let mut found = [(0.0, 0.0, 0.0); ROW.len()];
        for _ in 0..1500 {
            let set = labels(100, truth, &mut random);
            let rest = labels(1000, truth, &mut random);
            let judged = Count { hits: rest.judged_pass().trials, trials: 1000 };
            for ((_, method, ..), (valid, held, width)) in ROW.iter().zip(&mut found) {
                if let Ok(got) = method(judged, &set) {
                    *valid += 1.0;
                    *held += f64::from(u8::from(got.interval.contains(0.9)));
                    *width += got.clipped().interval.width();
                }
            }
        }
        for ((name, _, coverage, width), (valid, held, sum)) in ROW.iter().zip(found) {
            assert!(valid > 1400.0, "{name}: {valid} valid");
            let error = (coverage * (1.0 - coverage) / 1500.0).sqrt() + 0.002;
            assert!((held / valid - coverage).abs() < 4.0 * error, "{name}: {}", held / valid);
            assert!((sum / valid / width - 1.0).abs() < 0.04, "{name}: width {}", sum / valid);
        }
    }
}
