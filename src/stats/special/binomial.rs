//! The binomial law: its point probability by Loader's saddle-point expansion, its tails by summing
//! ratios of neighbouring terms.

use super::beta::{deviance, stirling_error};
use super::logit::Odds;
use std::f64::consts::TAU;

/// P(X = k) for X ~ Bin(n, p), p in [0, 1]; 0 when k > n, NaN for another p.
///
/// Relative error about 1e-15 + 3e-16 |k - n p|, which is what the rounding of p itself does. C.
/// Loader (2000), Fast and accurate computation of binomial probabilities.
#[must_use]
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k > n {
        return 0.0;
    }
    Binomial::new(k, n).pmf(Odds::new(p))
}

/// P(X <= k) for X ~ Bin(n, p), p in [0, 1]; NaN for another p. It sums the shorter tail, which
/// takes some sqrt(n) additions.
#[must_use]
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k >= n { 1.0 } else { lower_sum(k, n, Odds::new(p)) }
}

/// P(X >= k) for X ~ Bin(n, p), p in [0, 1]; NaN for another p. Accurate where it is small.
#[must_use]
pub fn binomial_upper(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k == 0 {
        1.0
    } else if k > n {
        0.0
    } else {
        // X >= k says that at most n - k trials failed.
        lower_sum(n - k, n, Odds::new(p).mirrored())
    }
}

/// P(X <= k), k < n.
fn lower_sum(k: u64, n: u64, at: Odds) -> f64 {
    if at.p <= 0.0 || at.q <= 0.0 {
        return if at.p <= 0.0 { 1.0 } else { 0.0 };
    }
    if k as f64 <= n as f64 * at.p {
        let term = Binomial::new(k, n);
        term.pmf(at) * (1.0 + term.below(at))
    } else {
        let term = Binomial::new(n - k - 1, n);
        let at = at.mirrored();
        1.0 - term.pmf(at) * (1.0 + term.below(at))
    }
}

/// One point k of a binomial law of n trials, with the part of its probability that does not depend
/// on p.
pub(crate) struct Binomial {
    k: f64,
    rest: f64,
    n: f64,
    constant: f64,
}

impl Binomial {
    /// The point `k` of `n` trials; `k <= n`.
    pub(crate) fn new(k: u64, n: u64) -> Self {
        let (k, rest, n) = (k as f64, n.saturating_sub(k) as f64, n as f64);
        let constant = if k == 0.0 || rest == 0.0 {
            0.0
        } else {
            let shape = -0.5 * libm::log(TAU * k * (rest / n));
            shape + stirling_error(n) - stirling_error(k) - stirling_error(rest)
        };
        Self { k, rest, n, constant }
    }

    /// ln P(X = k); -inf where the probability is zero.
    pub(crate) fn log_pmf(&self, at: Odds) -> f64 {
        if self.k == 0.0 {
            return if self.n == 0.0 { 0.0 } else { self.n * log_of(at.q, at.p) };
        }
        if self.rest == 0.0 {
            return self.n * log_of(at.p, at.q);
        }
        let (hits, misses) = (self.n * at.p, self.n * at.q);
        if hits <= 0.0 || misses <= 0.0 {
            return f64::NEG_INFINITY;
        }
        self.constant - deviance(self.k, hits) - deviance(self.rest, misses)
    }

    /// P(X = k).
    pub(crate) fn pmf(&self, at: Odds) -> f64 {
        libm::exp(self.log_pmf(at))
    }

    /// P(X < k) / P(X = k): the terms below k, each from its neighbour, until they no longer count.
    pub(crate) fn below(&self, at: Odds) -> f64 {
        let odds = at.q / at.p;
        let (mut hits, mut misses) = (self.k, self.rest);
        let (mut term, mut sum) = (1.0, 0.0);
        while hits > 0.0 {
            misses += 1.0;
            term *= hits * odds / misses;
            sum += term;
            hits -= 1.0;
            if term < sum * 1e-17 {
                break;
            }
        }
        sum
    }
}

/// ln p of a point known from both ends, accurate near 1.
fn log_of(p: f64, q: f64) -> f64 {
    if p < 0.5 { libm::log(p) } else { libm::log1p(-q) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, want: f64, relative: f64) -> bool {
        got == want || (got - want).abs() <= relative * want.abs()
    }

    /// k, n, p, P(X = k), P(X <= k), P(X >= k) (mpmath 1.4, 50 digits).
    const POINTS: [(u64, u64, f64, f64, f64, f64); 30] = [
        (0, 1, 0.5, 0.5, 0.5, 1.0),
        (1, 1, 0.3, 0.3, 1.0, 0.3),
        (0, 20, 0.1, 0.121_576_654_590_569_27, 0.121_576_654_590_569_27, 1.0),
        (3, 20, 0.1, 0.190_119_871_376_198_9, 0.867_046_676_565_664_9, 0.323_073_194_810_534),
        (20, 20, 0.1, 1.000_000_000_000_001_1e-20, 1.0, 1.000_000_000_000_001_1e-20),
        (5, 10, 0.5, 0.246_093_75, 0.623_046_875, 0.623_046_875),
        (9, 12, 0.5, 0.053_710_937_5, 0.980_712_890_625, 0.072_998_046_875),
        (15, 20, 0.5, 0.014_785_766_601_562_5, 0.994_091_033_935_546_9, 0.020_694_732_666_015_625),
        (
            29,
            140,
            0.5,
            6.196_281_673_172_163e-13,
            8.319_422_317_362_201e-13,
            0.999_999_999_999_787_7,
        ),
        (70, 140, 0.5, 0.067_313_244_548_632_8, 0.533_656_622_274_316_4, 0.533_656_622_274_316_4),
        (86, 236, 0.5, 8.225_466_219_559_522e-6, 1.857_968_069_785_721e-5, 0.999_989_645_785_521_7),
        (12, 140, 0.085, 0.119_547_384_841_809_28, 0.587_995_519_293_131_3, 0.531_551_865_548_678),
        (3, 140, 0.3, 7.255_476_136_908_815e-18, 7.636_069_438_199_565e-18, 1.0),
        (100, 140, 0.3, 5.801_073_103_527_106e-24, 1.0, 6.977_108_217_913_632e-24),
        (0, 1000, 0.001, 0.367_695_424_770_964_06, 0.367_695_424_770_964_06, 1.0),
        (
            1,
            1000,
            0.001,
            0.368_063_488_259_223_25,
            0.735_758_913_030_187_3,
            0.632_304_575_229_035_9,
        ),
        (1000, 1000, 0.999, 0.367_695_424_770_963_73, 1.0, 0.367_695_424_770_963_73),
        (500, 1000, 0.5, 0.025_225_018_178_360_8, 0.512_612_509_089_180_4, 0.512_612_509_089_180_4),
        (300, 1000, 0.5, 5.065_988_280_449_261e-38, 8.832_839_003_975_068e-38, 1.0),
        (100, 1000, 0.5, 5.958_935_980_362_645e-162, 6.701_717_790_006_296e-162, 1.0),
        (
            5000,
            10_000,
            0.5,
            0.007_978_646_139_382_154,
            0.503_989_323_069_691_1,
            0.503_989_323_069_691_1,
        ),
        (
            4800,
            10_000,
            0.5,
            2.672_969_179_421_909e-6,
            3.296_757_799_336_221e-5,
            0.999_969_705_391_186,
        ),
        (4000, 10_000, 0.5, 2.906_489_316_174_930_3e-90, 8.702_158_206_134_392e-90, 1.0),
        (
            20_000,
            40_000,
            0.5,
            0.003_989_397_870_199_723,
            0.501_994_698_935_099_8,
            0.501_994_698_935_099_8,
        ),
        (
            19_500,
            40_000,
            0.5,
            1.485_239_380_542_135_3e-8,
            2.937_990_775_181_282_4e-7,
            0.999_999_721_053_316_2,
        ),
        (17_000, 40_000, 0.5, 2.715_086_117_107_811_4e-199, 1.039_803_308_354_864_6e-198, 1.0),
        (
            7,
            100_000,
            0.0001,
            0.090_078_324_671_708_62,
            0.220_207_134_094_76,
            0.869_871_190_576_948_6,
        ),
        (
            30,
            100_000,
            0.0001,
            1.708_407_723_395_628_6e-7,
            0.999_999_920_333_055_6,
            2.505_077_167_296_908e-7,
        ),
        (
            99_990,
            100_000,
            0.9999,
            0.125_116_291_681_693_7,
            0.542_076_541_384_301_6,
            0.583_039_750_297_392_1,
        ),
        (60, 62, 0.5, 4.100_452_616_340_178e-16, 1.0, 4.237_062_090_073_351_3e-16),
    ];

    #[test]
    fn probabilities_match_the_references() {
        for (k, n, p, at, lower, upper) in POINTS {
            let relative = 1e-14 + 3e-16 * (k as f64 - n as f64 * p).abs();
            let got = (binomial_pmf(k, n, p), binomial_cdf(k, n, p), binomial_upper(k, n, p));
            assert!(close(got.0, at, relative), "pmf {k} of {n} at {p}: {:e} for {at:e}", got.0);
            assert!(
                close(got.1, lower, relative),
                "cdf {k} of {n} at {p}: {:e} for {lower:e}",
                got.1
            );
            assert!(
                close(got.2, upper, relative),
                "upper {k} of {n} at {p}: {:e} for {upper:e}",
                got.2
            );
        }
    }

    #[test]
    fn edges_and_nonsense_do_not_panic() {
        assert_eq!(binomial_pmf(0, 0, 0.3), 1.0);
        assert_eq!((binomial_pmf(0, 5, 0.0), binomial_pmf(1, 5, 0.0)), (1.0, 0.0));
        assert_eq!((binomial_pmf(5, 5, 1.0), binomial_pmf(4, 5, 1.0)), (1.0, 0.0));
        assert_eq!((binomial_cdf(2, 5, 0.0), binomial_cdf(2, 5, 1.0)), (1.0, 0.0));
        assert_eq!((binomial_upper(2, 5, 0.0), binomial_upper(2, 5, 1.0)), (0.0, 1.0));
        assert_eq!((binomial_pmf(6, 5, 0.3), binomial_cdf(6, 5, 0.3)), (0.0, 1.0));
        assert_eq!((binomial_upper(6, 5, 0.3), binomial_upper(0, 5, 0.3)), (0.0, 1.0));
        for p in [-0.1, 1.1, f64::NAN] {
            assert!(binomial_pmf(1, 2, p).is_nan() && binomial_cdf(1, 2, p).is_nan());
            assert!(binomial_upper(1, 2, p).is_nan());
        }
        for p in [5e-324, 1e-300, 1.0 - 1e-16] {
            for k in [0, 1, 999, 1000] {
                assert!((0.0..=1.0).contains(&binomial_cdf(k, 1000, p)), "{k} {p}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_points_sum_to_the_tails(n in 1_u64..300, p in 0.0..=1.0_f64, k in 0_u64..300) {
            let k = k % (n + 1);
            let lower: f64 = (0..=k).map(|i| binomial_pmf(i, n, p)).sum();
            prop_assert!((binomial_cdf(k, n, p) - lower).abs() < 1e-12);
            let upper: f64 = (k..=n).map(|i| binomial_pmf(i, n, p)).sum();
            prop_assert!((binomial_upper(k, n, p) - upper).abs() < 1e-12);
        }
    }
}
