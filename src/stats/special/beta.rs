//! The beta law: its distribution function by a continued fraction behind a saddle-point density,
//! and its quantile by inverting the nearer tail.

use super::logit::{LogTail, Odds, invert};
use super::normal::normal_quantile;
use std::f64::consts::TAU;

/// P(X <= x) for X ~ Beta(a, b): the regularised incomplete beta function, x in [0, 1], a and b >
/// 0.
///
/// Relative error about 1e-14 + 3e-16 |a (1 - x) - b x|, which is what the rounding of x itself
/// does; NaN outside the ranges. DLMF 8.17.22 for the fraction, Loader (2000) for the density
/// before it.
#[must_use]
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    tail_at(x, a, b, false)
}

/// P(X > x) for X ~ Beta(a, b), without the cancellation of `1 - beta_cdf`.
#[must_use]
pub fn beta_upper(x: f64, a: f64, b: f64) -> f64 {
    tail_at(x, a, b, true)
}

/// The x with `beta_cdf(x, a, b) = p`, p in [0, 1]; relative error about 1e-14 at either end, 0
/// where the answer is below the smallest positive number. NaN outside the ranges.
#[must_use]
pub fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || !is_shape(a) || !is_shape(b) {
        return f64::NAN;
    }
    quantile(Odds::new(p), a, b).p
}

fn is_shape(a: f64) -> bool {
    a > 0.0 && a.is_finite()
}

fn tail_at(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    if !(0.0..=1.0).contains(&x) || !is_shape(a) || !is_shape(b) {
        return f64::NAN;
    }
    let law = Beta::new(a, b);
    let at = Odds::new(x);
    if upper { law.mirrored().lower(at.mirrored()) } else { law.lower(at) }
}

/// P(X <= x) with x given from both ends; `a` and `b` positive.
pub(super) fn lower_tail(at: Odds, a: f64, b: f64) -> f64 {
    Beta::new(a, b).lower(at)
}

/// The quantile for a probability given from both ends; `a` and `b` positive.
pub(in crate::stats) fn quantile(p: Odds, a: f64, b: f64) -> Odds {
    if p.p > 0.5 {
        return quantile(p.mirrored(), b, a).mirrored();
    }
    if p.p <= 0.0 {
        return Odds { p: 0.0, q: 1.0 };
    }
    let law = Beta::new(a, b);
    let spread = (1.0 / a + 1.0 / b).sqrt();
    let start = libm::log(a / b) + normal_quantile(p.p) * spread;
    invert(Odds::from_log_odds(start), libm::log(p.p), |at| law.log_lower(at))
}

/// A beta law with the part of its density that does not depend on the argument.
struct Beta {
    a: f64,
    b: f64,
    constant: f64,
}

impl Beta {
    fn new(a: f64, b: f64) -> Self {
        let n = a + b;
        let shape = 0.5 * libm::log(a * (b / n) / TAU);
        Self { a, b, constant: shape + stirling_error(n) - stirling_error(a) - stirling_error(b) }
    }

    fn mirrored(&self) -> Self {
        Self { a: self.b, b: self.a, constant: self.constant }
    }

    /// The logarithm of x^a (1-x)^b / B(a, b), which is the density in the log-odds of x.
    fn log_density(&self, at: Odds) -> f64 {
        let n = self.a + self.b;
        self.constant - deviance(self.a, n * at.p) - deviance(self.b, n * at.q)
    }

    /// Whether the fraction for the lower tail converges fast here.
    fn is_low(&self, at: Odds) -> bool {
        at.p < (self.a + 1.0) / (self.a + self.b + 2.0)
    }

    fn lower(&self, at: Odds) -> f64 {
        if at.p <= 0.0 || at.q <= 0.0 {
            return if at.p <= 0.0 { 0.0 } else { 1.0 };
        }
        let density = libm::exp(self.log_density(at));
        if self.is_low(at) {
            density * tail_ratio(at, self.a, self.b)
        } else {
            1.0 - density * tail_ratio(at.mirrored(), self.b, self.a)
        }
    }

    /// The lower tail's logarithm and its slopes; it does not underflow where the tail itself
    /// would.
    fn log_lower(&self, at: Odds) -> LogTail {
        let bend = self.a * at.q - self.b * at.p;
        let log_density = self.log_density(at);
        if self.is_low(at) {
            let ratio = tail_ratio(at, self.a, self.b);
            return LogTail { value: log_density + libm::log(ratio), slope: 1.0 / ratio, bend };
        }
        let density = libm::exp(log_density);
        let tail = 1.0 - density * tail_ratio(at.mirrored(), self.b, self.a);
        LogTail { value: libm::log(tail), slope: density / tail, bend }
    }
}

/// The lower tail over the density in log-odds: the even part of the continued fraction DLMF
/// 8.17.22, by Lentz's method, for x below about the mean.
///
/// The argument enters through a q - b p, so nothing cancels where it is close to 1 (many degrees
/// of freedom of a t law).
fn tail_ratio(at: Odds, a: f64, b: f64) -> f64 {
    let lead = a * at.q - b * at.p + 1.0;
    let mut value = a * lead / (a + 1.0);
    let (mut front, mut back) = (value, 0.0);
    let mut m = 0.0;
    // About sqrt(max(a, b)) rounds are needed near the mean; the bound only ends what cannot
    // converge.
    while m < 1e6 {
        m += 1.0;
        let shift = a + 2.0 * m - 1.0;
        let step = m * (b - m) * at.p / shift;
        let top = (a + m - 1.0) * (a + b + m - 1.0) * at.p / shift * step;
        let bottom = m + step + (a + m) * (lead + m * (1.0 + at.q)) / (shift + 2.0);
        back = 1.0 / (bottom + top * back);
        front = bottom + top / front;
        let change = front * back;
        value *= change;
        if (change - 1.0).abs() <= f64::EPSILON || change.is_nan() {
            break;
        }
    }
    1.0 / value
}

/// k ln(k/m) + m - k, without cancellation where k is near m; k >= 0 and m > 0.
///
/// C. Loader (2000), Fast and accurate computation of binomial probabilities (the deviance D0).
pub(super) fn deviance(k: f64, m: f64) -> f64 {
    let gap = k - m;
    if gap.abs() >= 0.1 * (k + m) {
        // The rounding of the quotient counts k times, so the quotient with fewer digits to lose is
        // taken; what is left is below the spacing of the numbers times |k - m|.
        let log_ratio = if gap > -0.5 * m { libm::log1p(gap / m) } else { libm::log(k / m) };
        return if k == 0.0 { m } else { k * log_ratio - gap };
    }
    let v = gap / (k + m);
    let mut sum = gap * v;
    let mut power = 2.0 * k * v;
    let mut odd = 1.0;
    loop {
        power *= v * v;
        odd += 2.0;
        let next = sum + power / odd;
        if next == sum || next.is_nan() {
            return next;
        }
        sum = next;
    }
}

/// ln Gamma(z) minus Stirling's (z - 1/2) ln z - z + ln(2 pi)/2, for z > 0.
///
/// Half-integers up to 15 are tabulated (counts, Jeffreys shapes and t degrees of freedom are among
/// them); the asymptotic series serves above, the recurrence from z to z + 1 below.
pub(super) fn stirling_error(z: f64) -> f64 {
    if z > 15.0 {
        return stirling_series(z);
    }
    let twice = 2.0 * z;
    if twice >= 1.0 && libm::floor(twice) == twice {
        // Truncation is exact here: `twice` is an integer from 1 to 30.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return STIRLING_ERRORS[twice as usize - 1];
    }
    let mut correction = 0.0;
    let mut z = z;
    while z <= 15.0 {
        let log_ratio = if z < 1.0 { libm::log1p(z) - libm::log(z) } else { libm::log1p(1.0 / z) };
        correction += (z + 0.5) * log_ratio - 1.0;
        z += 1.0;
    }
    correction + stirling_series(z)
}

/// The first five terms of the asymptotic series; the sixth is below 3e-16 for z > 15.
fn stirling_series(z: f64) -> f64 {
    let r = 1.0 / (z * z);
    let inner = 1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0);
    (1.0 / 12.0 - r * (1.0 / 360.0 - r * inner)) / z
}

/// The errors at 1/2, 1, 3/2, ..., 15 (mpmath 1.4, 50 digits, rounded).
const STIRLING_ERRORS: [f64; 30] = [
    0.153_426_409_720_027_36,
    0.081_061_466_795_327_26,
    0.054_814_121_051_917_65,
    0.041_340_695_955_409_3,
    0.033_162_873_519_936_29,
    0.027_677_925_684_998_34,
    0.023_746_163_656_297_496,
    0.020_790_672_103_765_093,
    0.018_488_450_532_673_187,
    0.016_644_691_189_821_193,
    0.015_134_973_221_917_378,
    0.013_876_128_823_070_748,
    0.012_810_465_242_920_227,
    0.011_896_709_945_891_77,
    0.011_104_559_758_206_917,
    0.010_411_265_261_972_096,
    0.009_799_416_126_158_804,
    0.009_255_462_182_712_733,
    0.008_768_700_134_139_386,
    0.008_330_563_433_362_87,
    0.007_934_114_564_314_02,
    0.007_573_675_487_951_841,
    0.007_244_554_301_320_383,
    0.006_942_840_107_209_53,
    0.006_665_247_032_707_682,
    0.006_408_994_188_004_207,
    0.006_171_712_263_039_458,
    0.005_951_370_112_758_847_5,
    0.005_746_216_513_010_115_5,
    0.005_554_733_551_962_801,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, want: f64, relative: f64) -> bool {
        got == want || (got - want).abs() <= relative * want.abs()
    }

    /// x, a, b, P(X <= x), P(X > x) (the hypergeometric series in mpmath 1.4, 50 digits).
    const TAILS: [(f64, f64, f64, f64, f64); 30] = [
        (0.5, 0.5, 0.5, 0.5, 0.5),
        (1e-10, 0.5, 0.5, 6.366_197_723_781_917e-6, 0.999_993_633_802_276_2),
        (0.25, 0.5, 2.5, 0.746_830_004_899_677_3, 0.253_169_995_100_322_6),
        (0.3, 1.0, 1.0, 0.3, 0.700_000_000_000_000_1),
        (0.2, 2.0, 3.0, 0.180_800_000_000_000_02, 0.819_199_999_999_999_9),
        (0.9, 2.0, 3.0, 0.9963, 0.003_699_999_999_999_997_6),
        (0.05, 3.0, 40.0, 0.351_013_609_346_228_05, 0.648_986_390_653_772),
        (0.2, 3.0, 40.0, 0.994_443_826_977_619, 0.005_556_173_022_380_945),
        (0.5, 10.0, 10.0, 0.5, 0.5),
        (0.1, 10.0, 10.0, 3.929_882_327_128_002e-6, 0.999_996_070_117_672_9),
        (0.01, 10.0, 10.0, 8.509_104_732_905_515e-16, 0.999_999_999_999_999_1),
        (0.7, 20.0, 5.0, 0.111_075_223_260_922_19, 0.888_924_776_739_077_8),
        (0.999, 20.0, 5.0, 0.999_999_999_958_163_8, 4.183_618_590_979_387e-11),
        (0.001, 20.0, 5.0, 1.058_557_792_304_886e-56, 1.0),
        (0.3, 81.5, 182.5, 0.385_622_940_505_605_97, 0.614_377_059_494_394),
        (0.2, 81.5, 182.5, 1.621_007_590_034_94e-5, 0.999_983_789_924_099_6),
        (0.45, 81.5, 182.5, 0.999_998_734_463_571_7, 1.265_536_428_323_977_6e-6),
        (0.5, 1000.0, 1000.0, 0.5, 0.5),
        (0.45, 1000.0, 1000.0, 3.683_198_869_007_578e-6, 0.999_996_316_801_131),
        (0.3, 1000.0, 1000.0, 4.230_925_036_907_744_4e-78, 1.0),
        (0.15, 1000.0, 1000.0, 4.733_619_516_532_258e-295, 1.0),
        (0.5, 20_000.0, 20_000.0, 0.5, 0.5),
        (0.49, 20_000.0, 20_000.0, 3.162_108_174_853_296_6e-5, 0.999_968_378_918_251_5),
        (0.52, 20_000.0, 20_000.0, 0.999_999_999_999_999_4, 6.063_666_676_301_753e-16),
        (0.501, 100_000.0, 100_000.0, 0.814_453_255_442_443_3, 0.185_546_744_557_556_76),
        (0.001, 0.01, 0.02, 0.622_375_911_327_775_4, 0.377_624_088_672_224_63),
        (0.9999, 0.01, 0.02, 0.722_655_596_577_076_8, 0.277_344_403_422_923_16),
        (0.5, 0.1, 50.0, 1.0, 5.060_105_777_610_535e-18),
        (1e-6, 0.5, 5000.0, 0.079_653_709_663_197_4, 0.920_346_290_336_802_6),
        (0.2, 10_000.0, 30_000.0, 9.960_767_429_018_08e-131, 1.0),
    ];

    #[test]
    fn tails_match_the_references() {
        for (x, a, b, lower, upper) in TAILS {
            let relative = 1e-14 + 3e-16 * (a * (1.0 - x) - b * x).abs();
            let (got, above) = (beta_cdf(x, a, b), beta_upper(x, a, b));
            assert!(close(got, lower, relative), "cdf({x}, {a}, {b}) {got:e} for {lower:e}");
            assert!(close(above, upper, relative), "upper({x}, {a}, {b}) {above:e} for {upper:e}");
        }
        assert!((beta_cdf(0.5, 1e8, 1e8) - 0.5).abs() < 1e-11);
    }

    /// p, a, b, quantile (Newton on the same series, 50 digits).
    const QUANTILES: [(f64, f64, f64, f64); 20] = [
        (0.025, 5.0, 135.0, 0.011_781_120_624_322_823),
        (0.975, 5.0, 135.0, 0.072_040_236_663_221_94),
        (0.025, 1.0, 28.0, 0.000_903_798_755_658_057_8),
        (0.025, 0.5, 20.5, 2.424_647_845_924_274_7e-5),
        (0.5, 0.5, 0.5, 0.5),
        (1e-6, 0.5, 0.5, 2.467_401_100_270_31e-12),
        (0.3, 2.0, 2.0, 0.363_257_491_090_567_6),
        (0.025, 81.5, 182.5, 0.254_521_934_991_023_5),
        (0.975, 81.5, 182.5, 0.365_647_499_174_082_4),
        (1e-10, 3.0, 4.0, 0.000_171_019_530_239_864_3),
        (1e-100, 3.0, 4.0, 1.709_975_946_676_697e-34),
        (0.025, 20_001.0, 20_000.0, 0.495_112_737_398_288_76),
        (0.999, 1000.0, 10.0, 0.997_057_065_940_617_7),
        (0.4, 0.01, 0.02, 6.326_204_317_623_122e-23),
        (0.001, 0.5, 5000.0, 1.570_875_690_959_967_7e-10),
        (0.9, 0.1, 50.0, 0.005_356_922_152_505_186_5),
        (0.025, 100_000.0, 100_000.0, 0.497_808_701_431_692_04),
        (0.01, 30.0, 0.5, 0.894_492_976_256_469_8),
        (0.5, 200.0, 0.3, 0.999_633_770_747_789_9),
        (0.75, 7.25, 1.5, 0.922_259_561_004_258_7),
    ];

    #[test]
    fn quantiles_match_the_references() {
        for (p, a, b, want) in QUANTILES {
            let got = beta_quantile(p, a, b);
            let relative = 2e-14 + 1e-15 / a.min(b);
            assert!(close(got, want, relative), "quantile({p}, {a}, {b}) {got:e} for {want:e}");
        }
    }

    /// `special` is a second implementation, good to its subtraction of log-gammas.
    #[test]
    fn another_crate_agrees() {
        use special::Beta as _;
        for i in 1..200 {
            let (a, b) = (0.5 + 0.37 * f64::from(i), 20.0 / f64::from(i) + 0.5);
            let x = f64::from(i % 19 + 1) / 20.0;
            let other = x.inc_beta(a, b, a.ln_beta(b));
            assert!((beta_cdf(x, a, b) - other).abs() < 1e-11, "{x} {a} {b}");
        }
    }

    #[test]
    fn edges_and_nonsense_do_not_panic_or_hang() {
        assert_eq!((beta_cdf(0.0, 2.0, 3.0), beta_cdf(1.0, 2.0, 3.0)), (0.0, 1.0));
        assert_eq!((beta_upper(0.0, 2.0, 3.0), beta_upper(1.0, 2.0, 3.0)), (1.0, 0.0));
        assert_eq!((beta_quantile(0.0, 2.0, 3.0), beta_quantile(1.0, 2.0, 3.0)), (0.0, 1.0));
        let odd = [f64::NAN, -1.0, 0.0, 1e-320, 1e-9, 0.5, 1e300, f64::MAX, f64::INFINITY];
        for a in odd {
            for b in odd {
                for p in [f64::NAN, -0.1, 0.0, 5e-324, 0.3, 1.0 - 1e-16, 1.0, 1.1] {
                    let all = [beta_cdf(p, a, b), beta_upper(p, a, b), beta_quantile(p, a, b)];
                    if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) {
                        assert!(all.iter().all(|v| v.is_nan()));
                    }
                }
            }
        }
    }

    #[test]
    fn the_stirling_error_is_smooth_between_its_pieces() {
        // Series at 15.5, table at 15, recurrence beside the table's entries.
        for z in [0.5, 1.0, 2.5, 7.0, 14.5, 15.0] {
            let step = 1e-7;
            let bracket = (stirling_error(z - step), stirling_error(z), stirling_error(z + step));
            assert!((0.5 * (bracket.0 + bracket.2) - bracket.1).abs() < 1e-12 / z.min(1.0), "{z}");
        }
        // ln Gamma(1e-3) = 6.907178885383853661... (mpmath)
        let z: f64 = 1e-3;
        let rest = (z - 0.5) * libm::log(z) - z + 0.5 * libm::log(TAU);
        assert!(close(stirling_error(z) + rest, 6.907_178_885_383_853, 1e-14));
    }

    proptest! {
        #[test]
        fn the_quantile_inverts_the_cdf(
            log_a in -2.0..9.0_f64, log_b in -2.0..9.0_f64, z in -8.0..8.0_f64,
        ) {
            let (a, b) = (libm::exp(log_a), libm::exp(log_b));
            let p = super::super::phi(z);
            prop_assume!(p < 1.0);
            let x = beta_quantile(p, a, b);
            // Where x itself carries too few digits for p, the neighbours of x must enclose p.
            let below = beta_cdf(x * (1.0 - 4e-15), a, b) * (1.0 - 1e-12);
            let above = beta_cdf((x * (1.0 + 4e-15)).min(1.0), a, b) * (1.0 + 1e-12);
            prop_assert!(below <= p && p <= above, "{} {} {}", below, p, above);
        }

        #[test]
        fn the_tails_sum_to_one(x in 0.0..=1.0_f64, a in 0.01..500.0_f64, b in 0.01..500.0_f64) {
            prop_assert!((beta_cdf(x, a, b) + beta_upper(x, a, b) - 1.0).abs() < 1e-13);
        }
    }
}
