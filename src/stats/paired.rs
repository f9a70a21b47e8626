//! Paired yes/no data: the `McNemar` family on the discordant counts, with the limits that agree
//! with its tests, (in `difference`) intervals for the paired difference, and (in `power`) exact powers.
//!
//! `b` and `c` are the two discordant counts (b-type: yes then no); the concordant pairs only enter
//! through `n`, the number of all pairs.

mod difference;
mod equivalence;
mod power;

pub use difference::{newcombe, tango};
pub use equivalence::{Tails, equivalence, equivalence_wald};
pub use power::{MOST_DISCORDANT, Region, Test};

use super::interval::{Interval, clopper_pearson, mid_p};
use super::special::binomial::Binomial;
use super::special::logit::Odds;
use super::special::phi_upper;

/// Two-sided exact conditional p-value, 2 P(Bin(b + c, 1/2) <= min(b, c)), at most 1.
///
/// Relative error about 1e-14, also for tens of thousands of pairs; up to 62 discordant pairs it is
/// the correctly rounded fraction.
#[must_use]
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let (below, at) = lower_half(b, c);
    (2.0 * (below + at)).min(1.0)
}

/// Two-sided mid-p value: the exact one less P(X = min), or 1 - P(X = b)/2 when b = c > 0, and 1
/// without discordant pairs. Accuracy as in [`mcnemar_exact`].
///
/// M. W. Fagerland, S. Lydersen, P. Laake (2013), BMC Medical Research Methodology 13:91.
#[must_use]
pub fn mcnemar_mid_p(b: u64, c: u64) -> f64 {
    let (below, at) = lower_half(b, c);
    if b == c {
        return if b == 0 { 1.0 } else { 1.0 - 0.5 * at };
    }
    2.0 * below + at
}

/// Two-sided asymptotic p-value of (b - c)^2 / (b + c) without continuity correction; 1 without
/// discordant pairs.
///
/// Q. `McNemar` (1947), Psychometrika 12, 153-157.
#[must_use]
pub fn mcnemar_asymptotic(b: u64, c: u64) -> f64 {
    if b == c {
        return 1.0;
    }
    2.0 * phi_upper(b.abs_diff(c) as f64 / (b as f64 + c as f64).sqrt())
}

/// P(X < m) and P(X = m) for X ~ Bin(b + c, 1/2) and m = min(b, c).
fn lower_half(b: u64, c: u64) -> (f64, f64) {
    let (k, n) = (b.min(c), b.saturating_add(c));
    if n > 62 {
        let term = Binomial::new(k, n);
        let middle = Odds { p: 0.5, q: 0.5 };
        let at = term.pmf(middle);
        return (at * term.below(middle), at);
    }
    // Whole numbers below 2^64, so that a p-value equal to a round level is found equal.
    let (mut choose, mut below) = (1_u64, 0_u64);
    for i in 0..k {
        below += choose;
        choose = choose * (n - i) / (i + 1);
    }
    let all = (1_u64 << n) as f64;
    (below as f64 / all, choose as f64 / all)
}

/// Mid-p limits for theta = P(b-type | discordant).
///
/// They agree with [`mcnemar_mid_p`]: p <= 1 - level exactly when `low >= 1/2` or `high <= 1/2`.
#[must_use]
pub fn sign_limits_midp(b: u64, c: u64, level: f64) -> Interval {
    snapped(mid_p(b, b.saturating_add(c), level))
}

/// Clopper-Pearson limits for theta = P(b-type | discordant).
///
/// They agree with [`mcnemar_exact`]: p <= 1 - level exactly when `low >= 1/2` or `high <= 1/2`.
#[must_use]
pub fn sign_limits_exact(b: u64, c: u64, level: f64) -> Interval {
    snapped(clopper_pearson(b, b.saturating_add(c), level))
}

/// A limit within rounding of 1/2 is 1/2: it belongs to a p-value equal to 1 - level.
fn snapped(limits: Interval) -> Interval {
    let snap = |x: f64| if (x - 0.5).abs() < 1e-14 { 0.5 } else { x };
    Interval { low: snap(limits.low), high: snap(limits.high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, want: f64, relative: f64) -> bool {
        got == want || (got - want).abs() <= relative * want.abs()
    }

    /// Published values, 5.3, 5.4 and 5.6: b, c, asymptotic, exact, mid-p, each with the printed digits.
    #[test]
    fn published_p_values_are_met() {
        const ROWS: [(u64, u64, f64, f64, f64); 3] = [
            (1, 7, 0.033_895, 0.070_312_5, 0.039_062_5),
            (6, 16, 0.033_006, 0.052_478_8, 0.034_689_7),
            (86, 150, 3.099_3e-5, 3.715_94e-5, 2.893_39e-5),
        ];
        const SIGNS: [(u64, u64, f64, f64); 3] = [
            (9, 12, 0.145_996, 0.092_285),
            (15, 20, 0.041_389_5, 0.026_603_7),
            (8, 10, 0.109_375, 0.065_429_7),
        ];
        for (b, c, asymptotic, exact, mid) in ROWS {
            assert!(close(mcnemar_asymptotic(b, c), asymptotic, 2e-5), "{b} {c}");
            assert!(close(mcnemar_exact(b, c), exact, 2e-6), "{b} {c}");
            assert!(close(mcnemar_mid_p(b, c), mid, 2e-6), "{b} {c}");
        }
        for (x, n, exact, mid) in SIGNS {
            assert!(close(mcnemar_exact(x, n - x), exact, 4e-6), "{x}/{n}");
            assert!(close(mcnemar_mid_p(x, n - x), mid, 6e-6), "{x}/{n}");
        }
    }

    /// b, c, exact, mid-p, asymptotic (mpmath 1.4, 40 digits; the exact ones equal `SciPy` 1.17,
    /// binomtest, to its own accuracy).
    const P_VALUES: [(u64, u64, f64, f64, f64); 25] = [
        (0, 0, 1.0, 1.0, 1.0),
        (0, 1, 1.0, 0.5, 0.317_310_507_862_914_1),
        (1, 1, 1.0, 0.75, 1.0),
        (0, 5, 0.0625, 0.031_25, 0.025_347_318_677_468_263),
        (3, 3, 1.0, 0.843_75, 1.0),
        (7, 1, 0.070_312_5, 0.039_062_5, 0.033_894_853_524_689_274),
        (12, 2, 0.012_939_453_125, 0.007_385_253_906_25, 0.007_526_315_166_457_885),
        (40, 40, 1.0, 0.955_536_060_613_046_4, 1.0),
        (31, 31, 1.0, 0.949_538_156_826_429_5, 1.0),
        (32, 31, 1.0, 0.900_653_246_252_033_1, 0.899_741_298_687_171_5),
        (45, 60, 0.171_564_697_154_242_08, 0.144_782_339_330_050_16, 0.143_234_907_524_669_7),
        (20, 10, 0.098_737_146_705_389_02, 0.070_755_545_981_228_35, 0.067_889_154_861_829_02),
        (
            133,
            10,
            1.383_339_296_556_836_4e-28,
            7.428_512_242_076_318e-29,
            8.168_081_626_295_551e-25,
        ),
        (
            160,
            17,
            2.436_134_291_454_798e-30,
            1.345_719_088_298_329_4e-30,
            6.020_821_755_216_969e-27,
        ),
        (
            238,
            7,
            3.513_231_880_176_107_5e-61,
            1.807_839_723_022_742_6e-61,
            2.730_677_579_837_463_4e-49,
        ),
        (25, 4, 0.000_103_715_807_199_478_15, 5.947_612_226_009_369e-5, 9.635_090_009_780_23e-5),
        (1000, 1000, 1.0, 0.991_080_494_427_072_8, 1.0),
        (
            1000,
            1100,
            0.030_720_707_864_242_296,
            0.029_110_633_685_909_038,
            0.029_096_331_741_252_215,
        ),
        (5000, 5400, 9.116_949_314_540_886e-5, 8.760_347_563_991_922e-5, 8.769_942_375_590_233e-5),
        (20_000, 20_000, 1.0, 0.998_005_301_064_900_2, 1.0),
        (
            20_000,
            20_500,
            0.013_153_825_113_143_827,
            0.012_972_777_064_649_76,
            0.012_972_622_999_043_58,
        ),
        (
            17_000,
            23_000,
            2.079_606_616_709_729_3e-198,
            1.808_098_004_998_948e-198,
            9.813_427_854_296_374e-198,
        ),
        (
            30_000,
            31_000,
            5.234_151_802_504_87e-5,
            5.145_153_560_074_173_6e-5,
            5.146_295_898_608_474e-5,
        ),
        (
            0,
            900,
            2.366_104_372_333_549_4e-271,
            1.183_052_186_166_774_7e-271,
            9.813_427_854_296_374e-198,
        ),
        (
            5,
            1000,
            4.958_817_894_529_366_4e-290,
            2.491_781_148_621_865_5e-290,
            3.112_585_094_103_484e-216,
        ),
    ];

    #[test]
    fn p_values_match_the_references() {
        for (b, c, exact, mid, asymptotic) in P_VALUES {
            let relative = 2e-14 + 3e-16 * b.abs_diff(c) as f64;
            for (b, c) in [(b, c), (c, b)] {
                assert!(close(mcnemar_exact(b, c), exact, relative), "exact {b} {c}");
                assert!(close(mcnemar_mid_p(b, c), mid, relative), "mid-p {b} {c}");
                assert!(close(mcnemar_asymptotic(b, c), asymptotic, 3e-13), "asymptotic {b} {c}");
            }
        }
        assert_eq!(mcnemar_exact(0, 2000), 0.0);
        assert!(mcnemar_exact(0, 1070) > 0.0, "subnormal, not zero");
    }

    /// Whole-number and saddle-point sums meet: the same table through both.
    #[test]
    fn the_two_ways_to_sum_agree() {
        for n in 1..=62_u64 {
            for b in 0..=n / 2 {
                let (below, at) = lower_half(b, n - b);
                let (middle, term) = (Odds::new(0.5), Binomial::new(b, n));
                assert!(close(term.pmf(middle), at, 2e-14), "{b} of {n}");
                assert!(close(term.pmf(middle) * term.below(middle), below, 2e-14), "{b} of {n}");
            }
        }
    }

    /// p <= 1 - level exactly when 1/2 is no inner point, ties at levels such as 3/4 included.
    #[test]
    fn tests_and_limits_decide_alike() {
        for level in [0.5, 0.75, 0.8, 0.875, 0.9, 0.95, 0.968_75, 0.99, 0.999] {
            for b in 0..=60_u64 {
                for c in 0..=60_u64 {
                    let excludes = |limits: Interval| limits.low >= 0.5 || limits.high <= 0.5;
                    let mid = mcnemar_mid_p(b, c) <= 1.0 - level;
                    assert_eq!(mid, excludes(sign_limits_midp(b, c, level)), "{b} {c} {level}");
                    let exact = mcnemar_exact(b, c) <= 1.0 - level;
                    assert_eq!(exact, excludes(sign_limits_exact(b, c, level)), "{b} {c} {level}");
                }
            }
        }
        assert_eq!(sign_limits_midp(0, 0, 0.95), Interval::UNIT);
        // A tie: with b = 2, c = 0 the mid-p value is exactly 1/4.
        assert_eq!(mcnemar_mid_p(2, 0), 0.25);
        assert_eq!(sign_limits_midp(2, 0, 0.75).low, 0.5);
    }

    proptest! {
        #[test]
        fn p_values_fall_with_imbalance(n in 1_u64..5000, b in 1_u64..2500) {
            let b = b % (n / 2 + 1);
            prop_assume!(b > 0);
            let (further, p) = (mcnemar_mid_p(b - 1, n - b + 1), mcnemar_mid_p(b, n - b));
            prop_assert!(further < p || p == 0.0);
            prop_assert!(mcnemar_mid_p(b, n - b) <= mcnemar_exact(b, n - b));
        }
    }

    #[test]
    fn nonsense_does_not_panic() {
        assert_eq!(mcnemar_asymptotic(u64::MAX, u64::MAX), 1.0);
        assert_eq!(mcnemar_exact(0, u64::MAX), 0.0);
    }
}
