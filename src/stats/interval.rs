//! Two-sided intervals for a single proportion: Wilson, Clopper-Pearson, mid-p and Jeffreys.
//!
//! Everywhere `x` is the number of successes among `n` independent trials and `level` the
//! confidence, such as .95. Without trials, and for a level outside (0, 1), the interval is (0, 1);
//! an `x` above `n` is read as `n`.

use super::special::beta;
use super::special::binomial::Binomial;
use super::special::logit::{LogTail, Odds, invert};
use super::special::normal_quantile;

/// The two limits of an interval, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// the lower limit
    pub low: f64,
    /// the upper limit
    pub high: f64,
}

impl Interval {
    /// The whole range of a proportion.
    pub const UNIT: Self = Self { low: 0.0, high: 1.0 };

    /// Whether `x` lies in the interval, limits included.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// The distance of the limits.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// The weight of the observed count itself in the tail that a limit leaves out.
#[derive(Clone, Copy)]
enum Observed {
    /// It counts whole: Clopper-Pearson.
    Whole,
    /// It counts half: mid-p.
    Half,
}

impl Observed {
    fn weight(self) -> f64 {
        match self {
            Self::Whole => 1.0,
            Self::Half => 0.5,
        }
    }
}

/// The probability left out on either side, or nothing when the level is outside (0, 1).
fn one_tail(level: f64) -> Option<f64> {
    (0.0 < level && level < 1.0).then_some(0.5 * (1.0 - level))
}

/// Wilson's score interval: the theta whose score test does not reject.
///
/// E. B. Wilson (1927), Journal of the American Statistical Association 22, 209-212; Newcombe
/// (1998), Statistics in Medicine 17, 857-872, method 3.
#[must_use]
pub fn wilson(x: u64, n: u64, level: f64) -> Interval {
    match one_tail(level) {
        Some(tail) if n > 0 => wilson_at(x.min(n) as f64, n as f64, -normal_quantile(tail)),
        _ => Interval::UNIT,
    }
}

/// Wilson's limits for a (possibly fractional) count and the normal quantile `z`.
fn wilson_at(x: f64, n: f64, z: f64) -> Interval {
    let squared = z * z;
    let half = z * (x * ((n - x) / n) + 0.25 * squared).sqrt();
    let high = (x + 0.5 * squared + half) / (n + squared);
    // The two roots multiply to x^2 / (n (n + z^2)), which spares the lower one a subtraction.
    let low = x * (x / n) / ((n + squared) * high);
    Interval { low: if x > 0.0 { low } else { 0.0 }, high: if x < n { high.min(1.0) } else { 1.0 } }
}

/// The exact interval of Clopper and Pearson: both one-sided binomial tests kept at (1 - level)/2.
///
/// Limits are good to about 1e-14. The time grows with the root of `n` (0.5 us at hundreds).
///
/// C. J. Clopper, E. S. Pearson (1934), Biometrika 26, 404-413.
#[must_use]
pub fn clopper_pearson(x: u64, n: u64, level: f64) -> Interval {
    inverted(x, n, level, Observed::Whole)
}

/// The mid-p interval: the theta at which P(X < x) + P(X = x)/2, and the same from above, reach
/// (1 - level)/2. It agrees with the mid-p test and lies inside Clopper-Pearson.
///
/// Limits are good to about 1e-14. The time grows with the root of `n` (0.5 us at hundreds).
///
/// Newcombe (1998), Statistics in Medicine 17, 857-872, method 6.
#[must_use]
pub fn mid_p(x: u64, n: u64, level: f64) -> Interval {
    inverted(x, n, level, Observed::Half)
}

fn inverted(x: u64, n: u64, level: f64, observed: Observed) -> Interval {
    match one_tail(level) {
        Some(tail) if n > 0 => {
            let x = x.min(n);
            Interval {
                low: upper_limit(n - x, n, tail, observed).q,
                high: upper_limit(x, n, tail, observed).p,
            }
        }
        _ => Interval::UNIT,
    }
}

/// The theta at which P(X < x) + w P(X = x) has fallen to `tail`; the lower limit is the upper one
/// of the failures, seen from the other end.
fn upper_limit(x: u64, n: u64, tail: f64, observed: Observed) -> Odds {
    let weight = observed.weight();
    if x == n {
        return Odds { p: 1.0, q: 0.0 };
    }
    let log_tail = libm::log(tail);
    if x == 0 {
        // w (1 - theta)^n = tail
        let log_q = (log_tail - libm::log(weight)) / n as f64;
        return Odds { p: -libm::expm1(log_q), q: libm::exp(log_q) };
    }
    let start = wilson_at(x as f64 + weight - 0.5, n as f64, -normal_quantile(tail));
    let term = Binomial::new(x, n);
    let (hits, misses) = (x as f64, (n - x) as f64);
    invert(Odds::new(start.high), log_tail, |at| {
        // With T = P(X < x) + w P(X = x) and L the log-odds of theta, dT/dL = -P(X = x) g.
        let g = weight * misses * at.p + (1.0 - weight) * hits * at.q;
        let g_slope = at.p * at.q * (weight * misses - (1.0 - weight) * hits);
        let ratio = weight + term.below(at);
        LogTail {
            value: term.log_pmf(at) + libm::log(ratio),
            slope: -g / ratio,
            bend: hits * at.q - misses * at.p + g_slope / g,
        }
    })
}

/// Jeffreys' equal-tailed interval: quantiles of Beta(x + 1/2, n - x + 1/2), with 0 at x = 0 and 1
/// at x = n.
///
/// L. D. Brown, T. T. Cai, A. Das Gupta (2001), Statistical Science 16, 101-133.
#[must_use]
pub fn jeffreys(x: u64, n: u64, level: f64) -> Interval {
    let Some(tail) = one_tail(level).filter(|_| n > 0) else { return Interval::UNIT };
    let x = x.min(n);
    let (a, b) = (x as f64 + 0.5, (n - x) as f64 + 0.5);
    Interval {
        low: if x == 0 { 0.0 } else { beta::quantile(Odds::new(tail), a, b).p },
        high: if x == n { 1.0 } else { beta::quantile(Odds::new(tail), b, a).q },
    }
}

#[cfg(test)]
mod tests {
    use super::super::special::{binomial_pmf, binomial_upper};
    use super::*;
    use proptest::prelude::*;

    fn near(got: Interval, low: f64, high: f64, tolerance: f64) -> bool {
        (got.low - low).abs() <= tolerance && (got.high - high).abs() <= tolerance
    }

    /// Good in each limit's smaller end, so that limits near 0 and near 1 are both held.
    fn close(got: Interval, low: f64, high: f64, relative: f64) -> bool {
        [(got.low, low), (got.high, high)]
            .iter()
            .all(|(got, want)| (got - want).abs() <= relative * want.max(1e-3 * (1.0 - want)))
    }

    /// Published values (Newcombe 1998, to five places).
    #[test]
    fn published_intervals_are_met() {
        type Row = (u64, u64, (f64, f64), (f64, f64));
        const ROWS: [Row; 4] = [
            (81, 263, (0.255_29, 0.366_21), (0.252_74, 0.367_62)),
            (15, 148, (0.062_39, 0.160_49), (0.057_84, 0.161_65)),
            (0, 20, (0.0, 0.161_13), (0.0, 0.168_43)),
            (1, 29, (0.006_11, 0.171_76), (0.000_87, 0.177_64)),
        ];
        for (x, n, score, exact) in ROWS {
            assert!(near(wilson(x, n, 0.95), score.0, score.1, 5.1e-6), "Wilson {x}/{n}");
            assert!(near(clopper_pearson(x, n, 0.95), exact.0, exact.1, 5.1e-6), "exact {x}/{n}");
        }
        assert!(near(jeffreys(81, 263, 0.95), 0.254_52, 0.365_65, 5.1e-6));
        assert!(near(jeffreys(15, 148, 0.95), 0.060_45, 0.157_64, 5.1e-6));
        // statsmodels 0.15, proportion_confint(method = "wilson")
        assert!(near(
            wilson(250, 10_000, 0.95),
            0.022_117_561_585_524_42,
            0.028_247_236_866_618_34,
            1e-14
        ));
        assert!(near(wilson(3, 7, 0.8), 0.225_988_111_614_525_78, 0.658_302_946_379_093_4, 1e-14));
    }

    /// x, n, level and the mid-p limits (root finding in mpmath 1.4, 40 digits).
    const MID_P: [(u64, u64, f64, f64, f64); 20] = [
        (81, 263, 0.95, 0.254_402_104_945_522_4, 0.365_773_474_257_777_1),
        (15, 148, 0.95, 0.060_063_602_665_532_186, 0.158_121_733_050_611_83),
        (0, 20, 0.95, 0.0, 0.139_108_340_668_265_16),
        (1, 29, 0.95, 0.001_724_770_114_705_127_6, 0.158_537_383_681_465_4),
        (29, 29, 0.95, 0.901_855_372_322_704_3, 1.0),
        (0, 1, 0.95, 0.0, 0.95),
        (1, 1, 0.9, 0.099_999_999_999_999_98, 1.0),
        (1, 2, 0.95, 0.025_000_000_000_000_022, 0.975),
        (3, 4, 0.5, 0.557_543_997_339_924_2, 0.873_085_472_487_519),
        (5, 14, 0.8, 0.208_089_953_987_226_3, 0.533_945_645_138_576_7),
        (12, 36, 0.99, 0.158_599_111_062_982_1, 0.549_659_942_876_781),
        (70, 140, 0.95, 0.417_596_646_383_593_2, 0.582_403_353_616_406_8),
        (17, 32, 0.95, 0.359_448_497_332_896_4, 0.697_618_990_134_875_6),
        (133, 143, 0.95, 0.878_904_112_690_694_7, 0.963_934_502_057_235_9),
        (1, 1000, 0.95, 5.002_028_527_649_278e-5, 0.004_921_761_610_439_747_6),
        (999, 1000, 0.999, 0.990_703_544_802_993_6, 0.999_998_999_999_833_9),
        (250, 10_000, 0.95, 0.022_074_452_623_657_176, 0.028_200_506_383_238_136),
        (5000, 10_000, 0.95, 0.490_200_876_221_961_5, 0.509_799_123_778_038_5),
        (20, 100_000, 0.999_999_999_9, 3.009_279_132_992_185_7e-5, 0.000_647_000_529_101_779),
        (20_100, 40_000, 0.95, 0.497_600_057_413_090_3, 0.507_399_580_810_331_2),
    ];

    /// The same for Clopper-Pearson.
    const EXACT: [(u64, u64, f64, f64, f64); 20] = [
        (81, 263, 0.95, 0.252_736_745_585_271_15, 0.367_621_922_601_351_35),
        (15, 148, 0.95, 0.057_844_010_083_448_57, 0.161_650_490_349_479),
        (0, 20, 0.95, 0.0, 0.168_433_470_983_085_3),
        (1, 29, 0.95, 0.000_872_646_883_579_922_8, 0.177_644_295_488_722_9),
        (29, 29, 0.95, 0.880_555_130_930_497_3, 1.0),
        (0, 1, 0.95, 0.0, 0.975),
        (1, 1, 0.9, 0.049_999_999_999_999_99, 1.0),
        (1, 2, 0.95, 0.012_579_117_093_425_06, 0.987_420_882_906_574_9),
        (3, 4, 0.5, 0.456_321_714_580_919_7, 0.930_604_859_102_099_6),
        (5, 14, 0.8, 0.185_134_176_131_216_2, 0.563_107_694_440_086_7),
        (12, 36, 0.99, 0.150_857_108_533_685_45, 0.560_663_624_674_247_9),
        (70, 140, 0.95, 0.414_390_042_013_289_33, 0.585_609_957_986_710_7),
        (17, 32, 0.95, 0.347_436_809_286_392_87, 0.709_060_177_093_984_7),
        (133, 143, 0.95, 0.875_156_847_057_542_4, 0.965_958_464_642_388_3),
        (1, 1000, 0.95, 2.531_748_749_129_406_5e-5, 0.005_558_924_279_826_672),
        (999, 1000, 0.999, 0.990_046_185_659_049_2, 0.999_999_499_875_083_4),
        (250, 10_000, 0.95, 0.022_028_967_353_280_76, 0.028_251_857_385_923_226),
        (5000, 10_000, 0.95, 0.490_151_380_589_980_5, 0.509_848_619_410_019_5),
        (20, 100_000, 0.999_999_999_9, 2.912_856_695_390_286_5e-5, 0.000_653_134_202_869_027),
        (20_100, 40_000, 0.95, 0.497_587_618_953_306, 0.507_412_018_048_159_4),
    ];

    /// The same for Jeffreys.
    const JEFFREYS: [(u64, u64, f64, f64, f64); 6] = [
        (81, 263, 0.95, 0.254_521_934_991_023_5, 0.365_647_499_174_082_4),
        (15, 148, 0.95, 0.060_448_517_009_296_446, 0.157_643_143_478_741_17),
        (1, 29, 0.95, 0.003_746_173_649_057_076, 0.150_077_686_002_231_73),
        (0, 20, 0.95, 0.0, 0.116_638_982_904_875_4),
        (20, 20, 0.9, 0.909_523_573_462_127_6, 1.0),
        (250, 10_000, 0.95, 0.022_075_972_339_293_634, 0.028_198_894_414_276_69),
    ];

    #[test]
    fn limits_match_the_references() {
        for (x, n, level, low, high) in MID_P {
            let got = mid_p(x, n, level);
            assert!(close(got, low, high, 1e-13), "mid-p {x}/{n} {got:?} for {low} {high}");
        }
        for (x, n, level, low, high) in EXACT {
            let got = clopper_pearson(x, n, level);
            assert!(close(got, low, high, 1e-13), "exact {x}/{n} {got:?} for {low} {high}");
        }
        for (x, n, level, low, high) in JEFFREYS {
            let got = jeffreys(x, n, level);
            assert!(close(got, low, high, 1e-13), "Jeffreys {x}/{n} {got:?} for {low} {high}");
        }
    }

    #[test]
    fn clopper_pearson_is_a_beta_quantile() {
        for (x, n, level, ..) in EXACT {
            let (tail, a, b) = (0.5 * (1.0 - level), x as f64, (n - x) as f64);
            let low =
                if x == 0 { 0.0 } else { super::super::special::beta_quantile(tail, a, b + 1.0) };
            let got = clopper_pearson(x, n, level).low;
            assert!((got - low).abs() <= 1e-12 * low, "{x}/{n} {got} {low}");
        }
    }

    const ALL: [fn(u64, u64, f64) -> Interval; 4] = [wilson, clopper_pearson, mid_p, jeffreys];

    #[test]
    fn edges_are_closed_and_nonsense_gives_the_whole_range() {
        for method in ALL {
            for n in [1, 2, 30, 100_000, 1 << 40] {
                assert_eq!(method(0, n, 0.95).low, 0.0);
                assert_eq!(method(n, n, 0.95).high, 1.0);
                assert_eq!(method(n.saturating_add(5), n, 0.95), method(n, n, 0.95));
            }
            assert_eq!(method(0, 0, 0.95), Interval::UNIT);
            for level in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
                assert_eq!(method(3, 9, level), Interval::UNIT);
            }
            for level in [1e-12, 1.0 - f64::EPSILON] {
                for x in 0..=30 {
                    let limits = method(x, 30, level);
                    assert!(0.0 <= limits.low && limits.low <= limits.high && limits.high <= 1.0);
                }
            }
        }
        assert!((Interval::UNIT.width() - 1.0).abs() < 1e-15);
    }

    /// The tail that each limit must leave out, summed by the other code path.
    #[test]
    fn the_limits_leave_out_what_they_say() {
        for n in [1_u64, 2, 3, 10, 61, 140, 1000, 20_000] {
            for x in [1, 2, 5, n / 7, n / 3, n / 2, n.saturating_sub(2), n].map(|x| x.clamp(1, n)) {
                for level in [1e-6, 0.2, 0.95, 0.999_999, 1.0 - 1e-13] {
                    let want = 0.5 * (1.0 - level);
                    let exact = clopper_pearson(x, n, level).low;
                    let got = binomial_upper(x, n, exact);
                    assert!((got / want - 1.0).abs() < 1e-10, "exact {x}/{n} {level}: {got}");
                    let half = mid_p(x, n, level).low;
                    let got = binomial_upper(x, n, half) - 0.5 * binomial_pmf(x, n, half);
                    assert!((got / want - 1.0).abs() < 1e-10, "mid-p {x}/{n} {level}: {got}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn limits_hold_the_estimate_rise_with_it_and_nest(
            n in 1_u64..3000, x in 0_u64..3000, level in 0.5..0.999_f64,
        ) {
            let x = x % (n + 1);
            for method in ALL {
                let limits = method(x, n, level);
                prop_assert!(limits.contains(x as f64 / n as f64));
                let mirror = method(n - x, n, level);
                prop_assert!((limits.low - (1.0 - mirror.high)).abs() < 1e-14);
                if x < n {
                    let next = method(x + 1, n, level);
                    prop_assert!(limits.low <= next.low && limits.high <= next.high);
                }
                let wider = method(x, n, 0.5 + 0.5 * level);
                prop_assert!(wider.low <= limits.low && limits.high <= wider.high);
            }
            let (inner, outer) = (mid_p(x, n, level), clopper_pearson(x, n, level));
            prop_assert!(outer.low <= inner.low && inner.high <= outer.high);
        }
    }
}
