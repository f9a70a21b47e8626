//! A pass rate corrected for the judge's errors, which are known or measured on a labelled set.
//!
//! Two assumptions are on offer, and the way the labels were drawn decides between them.
//!
//! * P(judge | truth) is the same in the labelled set and in what the judge scored:
//!   [`rogan_gladen`], [`lang_reiczigel`] and [`known`]. The labelled set may be balanced, old or
//!   drawn by its labels.
//! * P(truth | judge) is the same, which needs labels drawn at random: [`random_labels`], with half
//!   the width where it holds and a large bias where it does not.
//!
//! # When there is no answer
//!
//! Everything of the first kind divides by Youden's J = sensitivity + specificity - 1. Measured
//! rates are refused when the lower limit of the interval for J at the level in use is 0 or less
//! ([`youden`]): a judge not told from a coin says nothing about the rate, and beyond 0 the sign of
//! the correction would turn.

use super::interval::{Interval, wilson};
use super::special::normal_quantile;

pub mod label_split;
pub mod random_labels;

/// `hits` out of `trials`, with `hits <= trials`; what is above counts as `trials`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// how often it happened
    pub hits: u64,
    /// how often it could have
    pub trials: u64,
}

impl Count {
    /// The share, or nothing without trials.
    pub(super) fn share(self) -> Option<f64> {
        (self.trials > 0).then(|| self.hits.min(self.trials) as f64 / self.trials as f64)
    }

    /// `hits + 1` of `trials + 2`: what Lang and Reiczigel put in place of the share.
    fn plus_one(self) -> f64 {
        (self.hits.min(self.trials) as f64 + 1.0) / (self.trials as f64 + 2.0)
    }
}

/// What the labelled set says of the judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// of the items that truly pass, how many the judge passed
    pub sensitivity: Count,
    /// of the items that truly fail, how many the judge failed
    pub specificity: Count,
}

/// A corrected rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// the rate; it can fall outside \[0, 1\]
    pub value: f64,
    /// its standard error
    pub error: f64,
    /// its two-sided interval
    pub interval: Interval,
}

impl Corrected {
    /// The same with the rate and its limits cut to \[0, 1\]. Averages of clipped rates are biased,
    /// so clip for display only.
    #[must_use]
    pub fn clipped(self) -> Self {
        let value = self.value.clamp(0.0, 1.0);
        Self { value, interval: clipped(self.interval), ..self }
    }

    /// Value and limits `value -+ z error` from the variance, which must not be 0.
    fn wald(value: f64, variance: f64, level: f64) -> Result<Self, &'static str> {
        if variance <= 0.0 {
            return Err("no count varies: the delta method gives an interval without width");
        }
        let error = variance.sqrt();
        let reach = reach(level)? * error;
        let interval = Interval { low: value - reach, high: value + reach };
        Ok(Self { value, error, interval })
    }
}

fn clipped(limits: Interval) -> Interval {
    Interval { low: limits.low.clamp(0.0, 1.0), high: limits.high.clamp(0.0, 1.0) }
}

/// The normal quantile of a two-sided level.
fn reach(level: f64) -> Result<f64, &'static str> {
    if 0.0 < level && level < 1.0 {
        Ok(-normal_quantile(0.5 * (1.0 - level)))
    } else {
        Err("the level lies outside (0, 1)")
    }
}

/// Youden's J with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Youden {
    /// sensitivity + specificity - 1: 1 for a perfect judge, 0 for a coin
    pub value: f64,
    /// its two-sided interval
    pub interval: Interval,
}

/// Youden's J of a labelled set, at a `level` in (0, 1).
///
/// J is the difference of two independent shares, the passes among true passes and among true
/// fails, and its interval adds the squares of the distances to their Wilson limits.
///
/// # Errors
///
/// The labelled set lacks true passes or true fails, or the level is no level.
///
/// R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
pub fn youden(calibration: &Calibration, level: f64) -> Result<Youden, &'static str> {
    reach(level)?;
    let (se, sp) = rates(calibration)?;
    let limits = |count: Count| wilson(count.hits, count.trials, level);
    let (of_se, of_sp) = (limits(calibration.sensitivity), limits(calibration.specificity));
    let value = se + sp - 1.0;
    let below = libm::hypot(se - of_se.low, sp - of_sp.low);
    let above = libm::hypot(of_se.high - se, of_sp.high - sp);
    Ok(Youden { value, interval: Interval { low: value - below, high: value + above } })
}

fn rates(calibration: &Calibration) -> Result<(f64, f64), &'static str> {
    let se = calibration.sensitivity.share().ok_or("no labelled item truly passes")?;
    let sp = calibration.specificity.share().ok_or("no labelled item truly fails")?;
    Ok((se, sp))
}

/// Sensitivity, specificity and J, where J is clearly above 0.
fn clear_rates(calibration: &Calibration, level: f64) -> Result<(f64, f64, f64), &'static str> {
    let found = youden(calibration, level)?;
    if found.interval.low <= 0.0 {
        return Err("the judge is not told from a coin: the interval of Youden's J reaches 0");
    }
    let (se, sp) = rates(calibration)?;
    Ok((se, sp, found.value))
}

fn judged_share(judged: Count) -> Result<f64, &'static str> {
    judged.share().ok_or("the judge scored nothing")
}

/// Rogan and Gladen's rate (p + sp - 1) / J from the judge's passes and a labelled set, with its
/// delta-method (Wald) interval at `level`, neither clipped.
///
/// The variance is \[p(1-p)/n + (1-theta)^2 sp(1-sp)/m0 + theta^2 se(1-se)/m1\] / J^2. The labelled
/// items are taken as independent of the scored ones.
///
/// # Errors
///
/// The reason in words: nothing was scored or labelled, J is not clearly above 0 at `level`, no
/// count varies, or the level is outside (0, 1).
///
/// W. J. Rogan, B. Gladen (1978), American Journal of Epidemiology 107, 71-76.
pub fn rogan_gladen(
    judged: Count,
    calibration: &Calibration,
    level: f64,
) -> Result<Corrected, &'static str> {
    let p = judged_share(judged)?;
    let (se, sp, j) = clear_rates(calibration, level)?;
    let value = (p + sp - 1.0) / j;
    let [of_p, of_se, of_sp] = variances(judged, calibration, [p, se, sp]);
    let variance = of_p + value * value * of_se + (1.0 - value) * (1.0 - value) * of_sp;
    Corrected::wald(value, variance / (j * j), level)
}

/// q (1 - q) / trials for the judge's rate, the sensitivity and the specificity.
fn variances(judged: Count, calibration: &Calibration, rates: [f64; 3]) -> [f64; 3] {
    let trials = [judged.trials, calibration.sensitivity.trials, calibration.specificity.trials];
    std::array::from_fn(|i| rates[i] * (1.0 - rates[i]) / trials[i] as f64)
}

/// The judge's sensitivity and specificity, given as known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// P(judged a pass | truly passes), in \[0, 1\]
    pub sensitivity: f64,
    /// P(judged a fail | truly fails), in \[0, 1\]
    pub specificity: f64,
}

impl Known {
    /// The true rate that gives the judge's rate `p`; it carries the limits of an interval for `p`
    /// over as well. Not clipped.
    ///
    /// # Errors
    ///
    /// A rate is outside \[0, 1\], or J is 0 or less.
    pub fn corrected(&self, p: f64) -> Result<f64, &'static str> {
        Ok((p + self.specificity - 1.0) / self.youden()?)
    }

    fn youden(&self) -> Result<f64, &'static str> {
        let unit = 0.0..=1.0;
        if !(unit.contains(&self.sensitivity) && unit.contains(&self.specificity)) {
            return Err("sensitivity or specificity lies outside [0, 1]");
        }
        let j = self.sensitivity + self.specificity - 1.0;
        if j > 0.0 {
            Ok(j)
        } else {
            Err("Youden's J is 0 or less: the judge is no better than a coin")
        }
    }
}

/// Rogan and Gladen's rate with the judge's error rates known, with its Wald interval at `level`,
/// neither clipped. For better limits carry those of Wilson or Clopper-Pearson over by
/// [`Known::corrected`].
///
/// # Errors
///
/// As [`Known::corrected`], and when nothing was scored, the judge passed all or none, or the level
/// is outside (0, 1).
pub fn known(judged: Count, rates: &Known, level: f64) -> Result<Corrected, &'static str> {
    let (p, j) = (judged_share(judged)?, rates.youden()?);
    let variance = p * (1.0 - p) / judged.trials as f64 / (j * j);
    Corrected::wald(rates.corrected(p)?, variance, level)
}

/// Lang and Reiczigel's interval at `level` around Rogan and Gladen's rate; interval clipped to
/// \[0, 1\], rate not.
///
/// z^2/2 is added to the judge's passes and fails and 1 to either outcome of the calibration; the
/// standard error given is the one at these counts, and the interval is centred on their rate plus
/// a shift, not on `value`. It holds its level where the Wald interval covers too much (.96 for
/// .98).
///
/// # Errors
///
/// As [`rogan_gladen`].
///
/// Z. Lang, J. Reiczigel (2014), Preventive Veterinary Medicine 113, 13-22; for judges C. Lee et
/// al. (2025), arXiv 2511.21140.
pub fn lang_reiczigel(
    judged: Count,
    calibration: &Calibration,
    level: f64,
) -> Result<Corrected, &'static str> {
    let z = reach(level)?;
    let p = judged_share(judged)?;
    let (_, sp, j) = clear_rates(calibration, level)?;
    let squared = z * z;
    let n = judged.trials as f64 + squared;
    let p_near = (judged.hits.min(judged.trials) as f64 + 0.5 * squared) / n;
    let (se_near, sp_near) =
        (calibration.sensitivity.plus_one(), calibration.specificity.plus_one());
    let j_near = se_near + sp_near - 1.0;
    if j_near <= 0.0 {
        return Err("the judge is not told from a coin: the interval of Youden's J reaches 0");
    }
    let centre = (p_near + sp_near - 1.0) / j_near;
    let of_se = se_near * (1.0 - se_near) / (calibration.sensitivity.trials as f64 + 2.0);
    let of_sp = sp_near * (1.0 - sp_near) / (calibration.specificity.trials as f64 + 2.0);
    let shift = 2.0 * squared * (centre * of_se - (1.0 - centre) * of_sp);
    let rest = 1.0 - centre;
    let variance = p_near * (1.0 - p_near) / n + rest * rest * of_sp + centre * centre * of_se;
    let error = variance.sqrt() / j_near;
    let middle = centre + shift;
    let interval = clipped(Interval { low: middle - z * error, high: middle + z * error });
    Ok(Corrected { value: (p + sp - 1.0) / j, error, interval })
}

#[cfg(test)]
mod tests {
    use super::super::interval::clopper_pearson;
    use super::*;

    pub(super) fn count(hits: u64, trials: u64) -> Count {
        Count { hits, trials }
    }

    fn calibration(se: (u64, u64), sp: (u64, u64)) -> Calibration {
        Calibration { sensitivity: count(se.0, se.1), specificity: count(sp.0, sp.1) }
    }

    /// The published figures of 300 tasks, recovered with z = 1.96.
    #[test]
    fn the_published_correction_is_met() {
        let (judged, labels) = (count(175, 300), calibration((74, 75), (88, 125)));
        let got = rogan_gladen(judged, &labels, 0.95).unwrap();
        assert!((got.value - 0.416_023_166_023_165_9).abs() < 1e-14);
        assert!((got.error - 0.054_349_657_641_298_69).abs() < 1e-14);
        let limits = (got.value - 1.96 * got.error, got.value + 1.96 * got.error);
        assert!((limits.0 - 0.309_497_837_046_220_47).abs() < 1e-14);
        assert!((limits.1 - 0.522_548_495_000_111_4).abs() < 1e-14);
        assert!((got.interval.low - limits.0).abs() < 3e-6 && got.interval.low > limits.0);
        assert!((got.interval.high - limits.1).abs() < 3e-6 && got.interval.high < limits.1);
        let rates = Known { sensitivity: 74.0 / 75.0, specificity: 0.704 };
        let sure = known(judged, &rates, 0.95).unwrap();
        assert_eq!(sure.value, got.value);
        assert!((sure.error - 0.041_211_996_323_840_09).abs() < 1e-14);
        // Their shares of the variance.
        let [of_p, of_se, of_sp] = variances(judged, &labels, [175.0 / 300.0, 74.0 / 75.0, 0.704]);
        let all = (got.error * rates.youden().unwrap()).powi(2);
        let parts =
            [of_p, got.value * got.value * of_se, (1.0 - got.value) * (1.0 - got.value) * of_sp];
        for (part, want) in parts.iter().zip([0.574_981_245, 0.021_545_289, 0.403_473_464]) {
            assert!((part / all - want).abs() < 1e-8);
        }
    }

    /// Published values (epiR): limits carried over with known rates.
    #[test]
    fn limits_are_carried_over() {
        let rates = Known { sensitivity: 0.96, specificity: 0.89 };
        let near = |p: f64, want: f64| (rates.corrected(p).unwrap() - want).abs() < 5.1e-8;
        let apparent = wilson(23, 150, 0.95);
        assert!(
            (apparent.low - 0.104_400).abs() < 6e-7 && (apparent.high - 0.219_580).abs() < 6e-7
        );
        assert!(near(23.0 / 150.0, 0.050_980_4));
        assert!(near(apparent.low, -0.006_588_8) && near(apparent.high, 0.128_917_5));
        let exact = clopper_pearson(23, 150, 0.95);
        assert!(near(exact.low, -0.012_056_5) && near(exact.high, 0.130_752_6));
        let wald = known(count(3, 150), &rates, 0.95).unwrap();
        assert!(wald.value < 0.0 && wald.interval.low < wald.value);
        let cut = wald.clipped();
        assert_eq!((cut.value, cut.interval.low), (0.0, 0.0));
        assert_eq!((cut.error, cut.interval.high), (wald.error, wald.interval.high.max(0.0)));
    }

    /// Published values: judged, labels, rate, limits.
    #[test]
    fn lang_reiczigel_meets_its_published_values() {
        type Row = ((u64, u64), (u64, u64), (u64, u64), [f64; 3]);
        const ROWS: [Row; 3] = [
            ((4060, 11_281), (178, 179), (358, 359), [0.360_127, 0.348_769, 0.372_182]),
            ((400, 1000), (180, 200), (140, 200), [0.166_667, 0.056_351, 0.262_733]),
            ((620, 1000), (80, 90), (45, 60), [0.579_130, 0.468_548, 0.683_384]),
        ];
        for (judged, se, sp, [value, low, high]) in ROWS {
            let (judged, labels) = (count(judged.0, judged.1), calibration(se, sp));
            let got = lang_reiczigel(judged, &labels, 0.95).unwrap();
            for (got, want) in
                [(got.value, value), (got.interval.low, low), (got.interval.high, high)]
            {
                assert!((got - want).abs() < 1.1e-6, "{judged:?}: {got} for {want}");
            }
        }
        let got = rogan_gladen(count(620, 1000), &calibration((80, 90), (45, 60)), 0.95).unwrap();
        assert!((got.value - 0.579_130).abs() < 6e-7 && (got.error - 0.053_244_8).abs() < 6e-8);
        // Nothing passed: the raw limits would start below 0.
        let got = lang_reiczigel(count(0, 50), &calibration((40, 40), (40, 40)), 0.95).unwrap();
        assert_eq!((got.value, got.interval.low), (0.0, 0.0));
        assert!(got.interval.high > 0.05 && got.error > 0.0);
    }

    #[test]
    fn a_judge_like_a_coin_is_refused() {
        let judged = count(60, 100);
        // J = .1 on 2 x 100 labels: Newcombe's lower limit is -.037; on 2 x 1000 it is .057.
        for (size, refused) in [(100, true), (1000, false)] {
            let labels = calibration((60 * size / 100, size), (50 * size / 100, size));
            let found = youden(&labels, 0.95).unwrap();
            assert!((found.value - 0.1).abs() < 1e-15);
            assert_eq!(found.interval.low <= 0.0, refused);
            for method in [rogan_gladen, lang_reiczigel] {
                let got = method(judged, &labels, 0.95);
                assert_eq!(got.is_err(), refused, "{got:?}");
                assert!(!refused || got.unwrap_err().contains("not told from a coin"));
            }
        }
        // Worse than a coin, which an unguarded formula would turn round.
        assert!(rogan_gladen(judged, &calibration((20, 100), (30, 100)), 0.95).is_err());
        let rates = Known { sensitivity: 0.4, specificity: 0.6 };
        assert!(known(judged, &rates, 0.95).unwrap_err().contains("0 or less"));
    }

    /// Newcombe (1998), example a: 56/70 - 48/80 by method 10.
    #[test]
    fn the_interval_of_youden_is_the_published_one() {
        let got = youden(&calibration((56, 70), (32, 80)), 0.95).unwrap();
        assert!((got.value - 0.2).abs() < 1e-15);
        assert!((got.interval.low - 0.052_4).abs() < 6e-5, "{got:?}");
        assert!((got.interval.high - 0.333_9).abs() < 6e-5);
        let perfect = youden(&calibration((9, 9), (9, 9)), 0.95).unwrap();
        assert!((perfect.interval.high - 1.0).abs() < 1e-15 && perfect.interval.low < 0.7);
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let labels = calibration((74, 75), (88, 125));
        let (judged, none) = (count(5, 9), count(0, 0));
        for method in [rogan_gladen, lang_reiczigel] {
            assert!(method(none, &labels, 0.95).unwrap_err().contains("scored nothing"));
            let missing = Calibration { sensitivity: none, ..labels };
            assert!(method(judged, &missing, 0.95).unwrap_err().contains("truly passes"));
            let missing = Calibration { specificity: none, ..labels };
            assert!(method(judged, &missing, 0.95).unwrap_err().contains("truly fails"));
            for level in [0.0, 1.0, -1.0, f64::NAN] {
                assert!(method(judged, &labels, level).unwrap_err().contains("level"));
            }
        }
        let perfect = calibration((50, 50), (50, 50));
        assert!(rogan_gladen(count(0, 9), &perfect, 0.95).unwrap_err().contains("no count varies"));
        for odd in [f64::NAN, -0.1, 1.1] {
            let rates = Known { sensitivity: odd, specificity: 0.9 };
            assert!(known(judged, &rates, 0.95).unwrap_err().contains("outside [0, 1]"));
        }
    }
}
