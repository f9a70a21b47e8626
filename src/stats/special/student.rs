//! Student's t law through the beta law, from both ends of the beta's argument.

use super::beta::{lower_tail, quantile};
use super::logit::Odds;
use super::normal::{normal_quantile, phi_upper};

/// With more degrees of freedom than this the law is the normal one to all digits.
const MANY: f64 = 1e30;

/// P(|T| >= |t|) for Student's t with `df` > 0 degrees of freedom (a fraction is allowed, infinity
/// is the normal law). Relative error about 1e-14, also far out; NaN when `df` is not positive.
#[must_use]
pub fn t_tail(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    if df > MANY {
        return 2.0 * phi_upper(t.abs());
    }
    // T^2 / (df + T^2) is Beta(1/2, df/2). The ratio is squared where it is below one, so it cannot
    // overflow.
    let root = df.sqrt();
    let at = if t.abs() > root {
        let u = root / t.abs();
        Odds { p: u * u / (1.0 + u * u), q: 1.0 / (1.0 + u * u) }
    } else {
        let v = t.abs() / root;
        Odds { p: 1.0 / (1.0 + v * v), q: v * v / (1.0 + v * v) }
    };
    lower_tail(at, 0.5 * df, 0.5)
}

/// The t with P(T <= t) = p for Student's t with `df` > 0 degrees of freedom; p in [0, 1].
/// Relative error about 1e-14; NaN outside the ranges.
#[must_use]
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if df > MANY || p <= 0.0 || p >= 1.0 {
        return normal_quantile(p);
    }
    // Both are exact: the two-sided tail beyond t, and what lies between -t and t.
    let outside = 2.0 * if p < 0.5 { p } else { 1.0 - p };
    let inside = 2.0 * (p - 0.5).abs();
    let at = quantile(Odds { p: outside, q: inside }, 0.5 * df, 0.5);
    let size = (df * (at.q / at.p)).sqrt();
    if p < 0.5 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, want: f64, relative: f64) -> bool {
        got == want || (got - want).abs() <= relative * want.abs()
    }

    /// t, df, P(|T| >= t) (series and quadrature in mpmath 1.4, 40 digits and more).
    const TAILS: [(f64, f64, f64); 29] = [
        (0.0, 5.0, 1.0),
        (1e-8, 3.0, 0.999_999_992_648_948),
        (0.1, 1.0, 0.936_548_965_138_892_9),
        (1.0, 1.0, 0.5),
        (12.706_204_736_432_095, 1.0, 0.049_999_999_998_991_3),
        (10_000_000_000.0, 1.0, 6.366_197_723_675_813e-11),
        (1e100, 1.0, 6.366_197_723_675_814e-101),
        (4.302_652_729_911_275, 2.0, 0.049_999_999_996_516_63),
        (1_000_000.0, 2.0, 9.999_999_999_985e-13),
        (0.5, 2.5, 0.657_697_919_869_714_7),
        (2.131_449_545_559_323, 15.0, 0.050_000_000_000_042_79),
        (2.463_074, 5.0, 0.057_012_937_251_893_79),
        (3.0, 4.454_39, 0.034_828_122_893_549_94),
        (10.0, 4.302_853, 0.000_386_835_542_189_584_77),
        (50.0, 10.0, 2.474_310_329_302_68e-13),
        (1.0, 30.0, 0.325_308_615_426_029_9),
        (2.0, 29.0, 0.054_943_637_182_967_19),
        (5.0, 29.0, 2.536_631_573_542_323_3e-5),
        (40.0, 29.0, 6.346_877_329_729_348e-27),
        (1.96, 139.0, 0.051_996_023_738_435_2),
        (8.0, 139.0, 4.389_452_363_100_362e-13),
        (30.0, 139.0, 1.396_727_595_800_815e-62),
        (1.96, 10_000.0, 0.050_023_520_231_833_05),
        (10.0, 10_000.0, 1.963_280_742_866_382_8e-23),
        (37.0, 10_000.0, 5.622_631_235_279_516e-281),
        (1.96, 10_000_000.0, 0.049_995_818_025_314_19),
        (6.0, 10_000_000.0, 1.973_242_733_367_783_6e-9),
        (0.001, 100_000.0, 0.999_202_117_566_887_8),
        (2.0, 0.3, 0.564_269_698_960_782_7),
    ];

    #[test]
    fn tails_match_the_references() {
        for (t, df, want) in TAILS {
            let got = t_tail(t, df);
            let relative = 1e-14 - 1e-15 * libm::log(want);
            assert!(close(got, want, relative), "t {t}, df {df}: {got:e} for {want:e}");
            assert_eq!(got, t_tail(-t, df));
        }
    }

    /// p, df, quantile (Newton on the same tails).
    const QUANTILES: [(f64, f64, f64); 25] = [
        (0.975, 1.0, 12.706_204_736_174_694),
        (0.975, 2.0, 4.302_652_729_749_462),
        (0.975, 3.0, 3.182_446_305_283_708_6),
        (0.975, 4.454_39, 2.668_236_175_472_865_4),
        (0.975, 5.0, 2.570_581_835_636_314_6),
        (0.95, 13.0, 1.770_933_395_986_872_5),
        (0.975, 29.0, 2.045_229_642_132_704),
        (0.995, 29.0, 2.756_385_903_670_605_3),
        (0.9, 139.0, 1.287_671_747_519_404),
        (0.975, 139.0, 1.977_177_724_490_333_2),
        (0.9999, 139.0, 3.820_630_454_279_111),
        (0.975, 10_000.0, 1.960_201_239_890_626),
        (0.975, 1_000_000.0, 1.959_966_356_814_106_6),
        (0.975, 100_000_000.0, 1.959_964_008_262_766_5),
        (0.025, 10.0, -2.228_138_851_986_275),
        (1e-10, 10.0, -25.466_008_021_697_725),
        (1e-100, 10.0, -25_645_257_189.481_98),
        (1e-300, 200.0, -439.076_526_583_153_4),
        (0.6, 3.0, 0.276_670_662_332_689_83),
        (0.500_01, 7.0, 2.597_460_275_967_630_4e-5),
        (0.5, 7.0, 0.0),
        (0.4, 0.5, -0.397_975_426_784_790_6),
        (1e-5, 0.7, -2_617_507.365_389_078),
        (0.001, 2.5, -13.822_193_110_865_964),
        (0.999_999, 50.0, 5.376_673_401_732_293),
    ];

    #[test]
    fn quantiles_match_the_references() {
        for (p, df, want) in QUANTILES {
            let got = t_quantile(p, df);
            assert!(close(got, want, 2e-14), "p {p}, df {df}: {got} for {want}");
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_the_normal_law() {
        assert_eq!(t_quantile(0.975, f64::INFINITY), normal_quantile(0.975));
        assert!(close(t_quantile(0.975, 1e12), normal_quantile(0.975), 1e-11));
        assert!(close(t_tail(3.0, f64::INFINITY), 0.002_699_796_063_260_189, 1e-14));
    }

    #[test]
    fn edges_and_nonsense_do_not_panic() {
        assert_eq!(
            (t_quantile(0.0, 3.0), t_quantile(1.0, 3.0)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
        assert_eq!((t_tail(f64::INFINITY, 3.0), t_tail(0.0, 3.0)), (0.0, 1.0));
        for df in [0.0, -1.0, f64::NAN] {
            assert!(t_tail(1.0, df).is_nan() && t_quantile(0.3, df).is_nan());
        }
        assert!(t_quantile(1.5, 3.0).is_nan() && t_tail(f64::NAN, 3.0).is_nan());
        for (t, df) in [(1e300, 1e-300), (1e-300, 1e300), (f64::MAX, f64::MAX)] {
            assert!((0.0..=1.0).contains(&t_tail(t, df)), "{t} {df}");
        }
    }

    proptest! {
        #[test]
        fn the_quantile_inverts_the_tail(log_df in -0.7..14.0_f64, p in 1e-12..0.5_f64) {
            let df = libm::exp(log_df);
            prop_assert!(close(t_tail(t_quantile(p, df), df), 2.0 * p, 1e-11));
        }
    }
}
