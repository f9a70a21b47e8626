//! The upper tail of the chi-square law with a whole number of degrees of freedom.

/// P(X >= x) for X ~ chi-square with `df` degrees of freedom: a finite sum of positive terms, so it
/// is relative-accurate in the far tail (about 1e-15 (df + x)). NaN for a negative or NaN `x` and
/// for 0 degrees of freedom.
///
/// The incomplete gamma function lowers its shape by one at a time, down to erfc or to the
/// exponential: DLMF 8.8.2 with 8.4.5 and 8.4.6.
#[must_use]
pub fn chi_square_upper(x: f64, df: u64) -> f64 {
    if x.is_nan() || x < 0.0 || df == 0 {
        return f64::NAN;
    }
    if x.is_infinite() {
        return 0.0;
    }
    let y = 0.5 * x;
    let (steps, offset) = (df / 2, if df.is_multiple_of(2) { 0.0 } else { 0.5 });
    let rest = if offset > 0.0 { libm::erfc(y.sqrt()) } else { 0.0 };
    if steps == 0 || y == 0.0 {
        return if y == 0.0 { 1.0 } else { rest };
    }
    // The terms are y^s e^-y / Gamma(s + 1), s = offset, offset + 1, ...; they rise up to s = y and
    // fall beyond. Starting from the largest of them, what underflows does not matter.
    let last = offset + (steps - 1) as f64;
    let first = (offset + (y - offset).floor()).clamp(offset, last);
    let largest = libm::exp(first * libm::log(y) - y - libm::lgamma(first + 1.0));
    let mut sum = largest;
    let (mut term, mut s) = (largest, first);
    while offset < s && sum * 1e-18 < term {
        term *= s / y;
        s -= 1.0;
        sum += term;
    }
    (term, s) = (largest, first);
    while s < last && sum * 1e-18 < term {
        s += 1.0;
        term *= y / s;
        sum += term;
    }
    (rest + sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x, degrees of freedom, tail (gammainc in mpmath 1.4, 40 digits).
    const TAILS: [(f64, u64, f64); 26] = [
        (0.001, 1, 0.974_772_879_369_960_4),
        (3.841_458_820_694_124, 1, 0.050_000_000_000_000_06),
        (100.0, 1, 1.523_970_604_832_105e-23),
        (1200.0, 1, 6.099_568_814_808_433_4e-263),
        (0.5, 2, 0.778_800_783_071_404_9),
        (1400.0, 2, 9.859_676_543_759_77e-305),
        (11.956_57, 3, 0.007_533_423_737_336_816),
        (1e-6, 3, 0.999_999_999_734_038_5),
        (9.487_729_036_781_154, 4, 0.050_000_000_000_000_06),
        (1.0, 5, 0.962_565_773_247_296_4),
        (60.0, 5, 1.215_456_977_718_304e-11),
        (19.106_55, 6, 0.003_987_420_188_996_104),
        (0.01, 9, 0.999_999_999_999_159_1),
        (25.0, 10, 0.005_345_505_487_134_064),
        (15.0, 15, 0.451_417_211_225_725_26),
        (300.0, 21, 3.181_025_503_035_613_5e-51),
        (30.0, 45, 0.958_106_324_085_405_5),
        (61.656_233_376_279_55, 45, 0.050_000_000_000_000_114),
        (80.0, 100, 0.929_664_933_340_605_1),
        (124.342_113, 100, 0.050_000_002_549_929_9),
        (400.0, 101, 3.405_225_713_921_970_4e-37),
        (1500.0, 1770, 0.999_999_125_103_365_3),
        (1770.0, 1770, 0.495_529_872_658_665_94),
        (1900.0, 1771, 0.016_661_573_418_587_82),
        (2500.0, 1770, 5.142_037_901_087_885e-28),
        (900.0, 1770, 1.0),
    ];

    #[test]
    fn tails_match_the_references() {
        for (x, df, want) in TAILS {
            let got = chi_square_upper(x, df);
            let relative = 1e-14 + 2e-15 * (x + df as f64);
            assert!((got - want).abs() <= relative * want, "{x} df {df}: {got:e} for {want:e}");
        }
    }

    #[test]
    fn edges_and_nonsense_do_not_panic_or_hang() {
        for df in [1, 2, 3, 1000] {
            assert_eq!(chi_square_upper(0.0, df), 1.0);
            assert_eq!(chi_square_upper(f64::INFINITY, df), 0.0);
            assert_eq!(chi_square_upper(f64::MAX, df), 0.0);
            assert!((chi_square_upper(1e-300, df) - 1.0).abs() < 1e-15);
            assert!(chi_square_upper(-1.0, df).is_nan() && chi_square_upper(f64::NAN, df).is_nan());
        }
        assert!(chi_square_upper(3.0, 0).is_nan());
        assert!((chi_square_upper(3.0, u64::MAX) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn it_falls_with_x_and_rises_with_df() {
        for df in 1..80 {
            let mut before = 1.0;
            for i in 1..200 {
                let x = 0.7 * f64::from(i);
                let tail = chi_square_upper(x, df);
                // Near 1 the rounding of a tail is larger than its fall.
                assert!(tail < before * (1.0 + 1e-14), "{x} {df}");
                assert!(tail <= chi_square_upper(x, df + 1) * (1.0 + 1e-14), "{x} {df}");
                assert!(tail > 0.9 || tail < before, "{x} {df}");
                before = tail;
            }
        }
    }
}
