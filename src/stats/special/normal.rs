//! The normal law: its distribution function through `libm::erfc`, its quantile by Wichura's
//! rational approximations.

use std::f64::consts::FRAC_1_SQRT_2;

/// P(Z <= x) of the standard normal law, x any number.
///
/// Relative error below 1e-15 for |x| < 2, growing like x^2 * 1e-16 in the lower tail.
#[must_use]
pub fn phi(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// P(Z > x) of the standard normal law, without the cancellation of `1 - phi(x)`.
#[must_use]
pub fn phi_upper(x: f64) -> f64 {
    0.5 * libm::erfc(x * FRAC_1_SQRT_2)
}

/// The density of the standard normal law at x.
#[must_use]
pub fn normal_density(x: f64) -> f64 {
    const ONE_OVER_ROOT_TWO_PI: f64 = 0.398_942_280_401_432_7;
    ONE_OVER_ROOT_TWO_PI * libm::exp(-0.5 * x * x)
}

/// The x with `phi(x) = p`, p in [0, 1]; -inf at 0, inf at 1, NaN elsewhere.
///
/// Relative error below 1e-15 from the smallest subnormal p to 1 - 2^-53. It uses `+ - * /`, `sqrt`
/// and, outside .075..=.925, one `libm::log`; hence the same bits everywhere.
///
/// M. J. Wichura (1988), Algorithm AS 241 (PPND16): The percentage points of the normal
/// distribution. Applied Statistics 37, 477-484.
#[must_use]
#[inline]
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * horner(r, &CENTRE_TOP) / horner(r, &CENTRE_BOTTOM);
    }
    tail_quantile(p, q)
}

/// The two outer pieces of AS 241, where q = p - 1/2 lies outside -.425..=.425.
fn tail_quantile(p: f64, q: f64) -> f64 {
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 || tail.is_nan() {
        return if tail == 0.0 { q * f64::INFINITY } else { f64::NAN };
    }
    let r = (-libm::log(tail)).sqrt();
    let size = if r <= 5.0 {
        horner(r - 1.6, &MIDDLE_TOP) / horner(r - 1.6, &MIDDLE_BOTTOM)
    } else {
        horner(r - 5.0, &FAR_TOP) / horner(r - 5.0, &FAR_BOTTOM)
    };
    if q < 0.0 { -size } else { size }
}

/// The polynomial with these coefficients, constant first, in pairs (Estrin's scheme): its chain of
/// dependent operations is a third as long as Horner's, and this is the laboratory's hottest call.
#[inline]
fn horner(r: f64, c: &[f64; 8]) -> f64 {
    let square = r * r;
    let low = (c[0] + c[1] * r) + (c[2] + c[3] * r) * square;
    let high = (c[4] + c[5] * r) + (c[6] + c[7] * r) * square;
    low + high * (square * square)
}

const CENTRE_TOP: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const CENTRE_BOTTOM: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_545,
];
const MIDDLE_TOP: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    7.745_450_142_783_414e-4,
];
const MIDDLE_BOTTOM: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const FAR_TOP: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const FAR_BOTTOM: [f64; 8] = [
    1.0,
    0.599_832_206_555_887_9,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, want: f64, relative: f64) -> bool {
        got == want || (got - want).abs() <= relative * want.abs()
    }

    /// p and its quantile (mpmath 1.4, 60 digits).
    const QUANTILES: [(f64, f64); 45] = [
        (5e-324, -38.467_405_617_144_344),
        (1e-310, -37.663_060_331_949_524),
        (1e-300, -37.047_096_299_361_2),
        (1e-200, -30.205_594_179_579_64),
        (1e-100, -21.273_453_560_965_326),
        (1e-50, -14.933_337_534_788_489),
        (1e-30, -11.464_024_688_443_615),
        (1e-20, -9.262_340_089_798_407),
        (1e-16, -8.222_082_216_130_435),
        (1e-12, -7.034_483_825_301_132),
        (1.3e-11, -6.667_611_456_510_741),
        (1.4e-11, -6.656_723_091_518_184),
        (1e-10, -6.361_340_902_404_057),
        (1e-8, -5.612_001_244_174_789),
        (1e-6, -4.753_424_308_822_899),
        (1e-5, -4.264_890_793_922_825),
        (0.0001, -3.719_016_485_455_680_4),
        (0.001, -3.090_232_306_167_813_6),
        (0.005, -2.575_829_303_548_901),
        (0.01, -2.326_347_874_040_841),
        (0.025, -1.959_963_984_540_054_3),
        (0.05, -1.644_853_626_951_472_6),
        (0.0749, -1.440_238_267_527_963_7),
        (0.0751, -1.438_825_392_752_54),
        (0.1, -1.281_551_565_544_600_4),
        (0.2, -0.841_621_233_572_914_2),
        (0.3, -0.524_400_512_708_040_8),
        (0.4, -0.253_347_103_135_799_7),
        (0.49, -0.025_068_908_258_711_057),
        (0.499_999_9, -2.506_628_274_703_106_3e-7),
        (0.5, 0.0),
        (0.500_000_1, 2.506_628_273_311_648e-7),
        (0.6, 0.253_347_103_135_799_7),
        (0.75, 0.674_489_750_196_081_7),
        (0.8, 0.841_621_233_572_914_4),
        (0.9249, 1.438_825_392_752_540_3),
        (0.9251, 1.440_238_267_527_964),
        (0.95, 1.644_853_626_951_472_2),
        (0.975, 1.959_963_984_540_053_8),
        (0.99, 2.326_347_874_040_840_8),
        (0.995, 2.575_829_303_548_900_4),
        (0.9999, 3.719_016_485_455_708_4),
        (0.999_999, 4.753_424_308_817_087),
        (0.999_999_999_9, 6.361_340_889_697_422),
        (0.999_999_999_999_999_9, 8.209_536_151_601_387),
    ];

    #[test]
    fn quantiles_match_the_references() {
        for (p, want) in QUANTILES {
            let got = normal_quantile(p);
            assert!(close(got, want, 1e-15), "p {p:e}: {got:e} for {want:e}");
        }
        // The two sides agree to the bit where 1 - p is exact.
        for i in 1..512 {
            let p = f64::from(i) / 1024.0;
            assert_eq!(normal_quantile(p), -normal_quantile(1.0 - p));
        }
    }

    #[test]
    fn quantiles_outside_the_range_do_not_panic() {
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        for p in [-1e-300, 1.0 + f64::EPSILON, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(normal_quantile(p).is_nan(), "{p}");
        }
    }

    /// The bits of a few quantiles; a change of any is value-breaking.
    #[test]
    fn quantiles_keep_their_bits() {
        let bits: Vec<u64> =
            [0.3, 0.975, 1e-3, 1e-20].iter().map(|&p| normal_quantile(p).to_bits()).collect();
        assert_eq!(
            bits,
            [
                13_826_270_636_307_301_883,
                4_611_505_712_243_081_090,
                13_837_513_040_186_066_033,
                13_844_775_888_831_658_572,
            ]
        );
    }

    /// x, P(Z <= x), P(Z > x) (mpmath 1.4, 60 digits).
    const TAILS: [(f64, f64, f64); 32] = [
        (-38.0, 2.885_428_35e-316, 1.0),
        (-37.5, 4.605_353_009_581_955e-308, 1.0),
        (-30.0, 4.906_713_927_148_187e-198, 1.0),
        (-20.0, 2.753_624_118_606_233_7e-89, 1.0),
        (-15.0, 3.670_966_199_312_751e-51, 1.0),
        (-10.0, 7.619_853_024_160_525e-24, 1.0),
        (-8.0, 6.220_960_574_271_784e-16, 0.999_999_999_999_999_3),
        (-7.0, 1.279_812_543_885_835e-12, 0.999_999_999_998_720_1),
        (-6.0, 9.865_876_450_376_98e-10, 0.999_999_999_013_412_3),
        (-5.0, 2.866_515_718_791_939e-7, 0.999_999_713_348_428_1),
        (-4.0, 3.167_124_183_311_992_4e-5, 0.999_968_328_758_166_9),
        (-3.0, 0.001_349_898_031_630_094_6, 0.998_650_101_968_369_9),
        (-2.575_829_303_548_900_4, 0.005_000_000_000_000_005, 0.995),
        (-2.0, 0.022_750_131_948_179_21, 0.977_249_868_051_820_8),
        (-1.959_963_984_540_054, 0.025_000_000_000_000_012, 0.975),
        (-1.644_853_626_951_472_2, 0.050_000_000_000_000_05, 0.95),
        (-1.0, 0.158_655_253_931_457_05, 0.841_344_746_068_542_9),
        (-0.75, 0.226_627_352_376_868_2, 0.773_372_647_623_131_8),
        (-0.5, 0.308_537_538_725_986_9, 0.691_462_461_274_013_1),
        (-0.25, 0.401_293_674_317_076_3, 0.598_706_325_682_923_7),
        (-0.001, 0.499_601_057_786_088_93, 0.500_398_942_213_911),
        (-1e-10, 0.499_999_999_960_105_75, 0.500_000_000_039_894_2),
        (0.0, 0.5, 0.5),
        (1e-10, 0.500_000_000_039_894_2, 0.499_999_999_960_105_75),
        (0.1, 0.539_827_837_277_029, 0.460_172_162_722_971),
        (0.5, 0.691_462_461_274_013_1, 0.308_537_538_725_986_9),
        (1.0, 0.841_344_746_068_542_9, 0.158_655_253_931_457_05),
        (1.5, 0.933_192_798_731_141_9, 0.066_807_201_268_858_07),
        (2.0, 0.977_249_868_051_820_8, 0.022_750_131_948_179_21),
        (3.0, 0.998_650_101_968_369_9, 0.001_349_898_031_630_094_6),
        (5.0, 0.999_999_713_348_428_1, 2.866_515_718_791_939e-7),
        (8.0, 0.999_999_999_999_999_3, 6.220_960_574_271_784e-16),
    ];

    #[test]
    fn tails_match_the_references() {
        for (x, lower, upper) in TAILS {
            // x / sqrt(2) is rounded, and the tail's logarithm changes by x^2 times that.
            let relative = 1e-15 + 2e-16 * x * x;
            assert!(close(phi(x), lower, relative), "phi({x}) {:e} for {lower:e}", phi(x));
            assert!(close(phi_upper(x), upper, relative), "upper({x})");
            assert_eq!(phi(x), phi_upper(-x));
        }
        assert!(close(normal_density(1.5), 0.129_517_595_665_891_73, 1e-15));
        assert!(phi(f64::NAN).is_nan());
        assert_eq!((phi(f64::INFINITY), phi(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    proptest! {
        #[test]
        fn the_quantile_inverts_the_cdf(x in -37.0..8.0_f64) {
            // Seen from above, p itself has only 2^-53 of absolute resolution.
            let slack = if x > 0.0 { 1e-15 * (1.0 + 1.0 / normal_density(x)) } else { 1e-13 };
            prop_assert!((normal_quantile(phi(x)) - x).abs() <= slack);
        }

        #[test]
        fn the_quantile_rises(p in 1e-300..1.0_f64, q in 1e-300..1.0_f64) {
            let (low, high) = if p < q { (p, q) } else { (q, p) };
            prop_assert!(normal_quantile(low) <= normal_quantile(high));
        }
    }
}
