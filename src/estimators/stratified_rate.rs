//! Scores as sums over strata of share times pass rate, with the shares that the population has, not those of the cases.

use super::difference::DIFFERENCE;
use super::share::SHARE;
use super::strata::{FIRST as FIRST_SUMS, NEEDS, PAIRED, SECOND as SECOND_SUMS, score, weighed};
use super::{Estimator, Limits, Settings, TrueValue, Undefined};
use crate::evidence::Sums;
use crate::stats::special::{normal_quantile, phi_upper};

/// The normal interval of a sum of w m with the variance sum w^2 (v - m^2)/(n - 1), where m and v are the means of what a
/// case adds and of its square.
fn limits(sums: &Sums, settings: &Settings, cut: [f64; 2]) -> Limits {
    let real = sums.real();
    let value = match score(&real) {
        Ok(value) => value,
        Err(why) => return Limits::none(why.0),
    };
    let mut variance = 0.0;
    for it in weighed(&real) {
        if it.cases < 2.0 {
            return Limits::none("a stratum has a single case: its spread is not known");
        }
        let mean = it.surplus / it.cases;
        variance += it.share * it.share * (it.squares / it.cases - mean * mean) / (it.cases - 1.0);
    }
    if variance <= 0.0 {
        return Limits::none("no stratum varies: the normal interval has no width");
    }
    let error = libm::sqrt(variance);
    let half = normal_quantile(0.5 + settings.level.get() / 2.0) * error;
    Limits {
        low: (value - half).max(cut[0]),
        high: (value + half).min(cut[1]),
        p: Ok(2.0 * phi_upper(libm::fabs(value) / error)),
    }
}

const RATE: Estimator = Estimator {
    rule: "stratified-rate",
    method: "normal interval, cut to [0, 1], with the stratified standard error (Cochran 1977, section 5.10)",
    null: None,
    needs: NEEDS,
    value: score,
    limits: |sums, settings| Limits {
        p: Err(Undefined("no null value to test")),
        ..limits(sums, settings, [0.0, 1.0])
    },
    ..SHARE
};

/// The first system's.
pub(super) static FIRST: Estimator = Estimator {
    variant: "first",
    summary: "sum over strata of share times the first system's pass rate, as graded",
    truth: TrueValue::FirstPasses,
    reads: &FIRST_SUMS,
    ..RATE
};

/// The second system's.
pub(super) static SECOND: Estimator = Estimator {
    variant: "second",
    summary: "sum over strata of share times the second system's pass rate, as graded",
    truth: TrueValue::SecondPasses,
    reads: &SECOND_SUMS,
    ..RATE
};

/// First minus second, paired within strata.
pub(super) static PAIRED_DIFFERENCE: Estimator = Estimator {
    rule: "stratified-rate",
    variant: "difference",
    chosen: false,
    summary: "sum over strata of share times the first system's pass rate minus the second's",
    method: "normal interval and z test with the stratified standard error, paired within strata",
    needs: NEEDS,
    reads: &PAIRED,
    value: score,
    limits: |sums, settings| limits(sums, settings, [-1.0, 1.0]),
    ..DIFFERENCE
};

#[cfg(test)]
mod tests {
    use super::super::strata::MOST_WEIGHED;
    use super::*;
    use crate::evidence::LANES;
    use crate::quantity::Level;

    const SETTINGS: Settings = Settings { level: Level::USUAL };

    /// By stratum: cases, the two counts, and the share in hundredths.
    fn sums(strata: &[[i64; 4]]) -> Sums {
        let mut sums = [0; LANES];
        for (s, [cases, first, second, share]) in strata.iter().enumerate() {
            let share = cases * share * 10_000_000;
            for (k, it) in [cases, first, second, &share].into_iter().enumerate() {
                sums[k * MOST_WEIGHED + s] = *it;
            }
        }
        Sums(sums)
    }

    /// numpy: w = [.5, .3, .2], p = [16/20, 5/10, 2/5], sqrt(sum(w**2 * p*(1-p)/(n-1))), and for the
    /// difference d = [3/20, -1/10, 2/5], v = [5/20, 3/10, 2/5], sqrt(sum(w**2 * (v-d**2)/(n-1))); scipy.stats.norm.sf.
    #[test]
    fn the_stratified_error_is_that_of_numpy() {
        let z = 1.959_963_984_540_054;
        let got =
            FIRST.estimate(&sums(&[[20, 16, 0, 50], [10, 5, 0, 30], [5, 2, 0, 20]]), &SETTINGS);
        assert!((got.value.unwrap() - 0.63).abs() < 1e-15);
        let error = (got.limits.high - got.limits.low) / (2.0 * z);
        assert!((error - 0.083_697_450_127_795_03).abs() < 1e-14, "{error}");
        let paired = sums(&[[20, 4, 1, 50], [10, 1, 2, 30], [5, 2, 0, 20]]);
        let got = PAIRED_DIFFERENCE.estimate(&paired, &SETTINGS);
        assert!((got.value.unwrap() - 0.125).abs() < 1e-15);
        let error = (got.limits.high - got.limits.low) / (2.0 * z);
        assert!((error - 0.091_068_221_969_200_53).abs() < 1e-14, "{error}");
        assert!(
            (got.limits.p.unwrap() - 0.169_877_556_681_611_86).abs() < 1e-13,
            "{:?}",
            got.limits.p
        );
    }

    /// The score does not ask how many cases a stratum has, only what share of the population it is.
    #[test]
    fn what_is_not_sampled_is_not_scored() {
        let unseen = FIRST.estimate(&sums(&[[20, 16, 0, 50], [10, 5, 0, 30]]), &SETTINGS);
        assert!(unseen.value.unwrap_err().0.contains("no cases"));
        assert_eq!(unseen.limits.high, f64::INFINITY);
        let single = FIRST.estimate(&sums(&[[20, 16, 0, 80], [1, 1, 0, 20]]), &SETTINGS);
        assert!((single.value.unwrap() - 0.84).abs() < 1e-15);
        assert_eq!(single.limits.low, f64::NEG_INFINITY);
        let sure = FIRST.estimate(&sums(&[[20, 20, 0, 80], [3, 0, 0, 20]]), &SETTINGS);
        assert!((sure.value.unwrap() - 0.8).abs() < 1e-15);
        assert_eq!(sure.limits.low, f64::NEG_INFINITY);
    }
}
