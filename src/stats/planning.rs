//! How many cases see a difference, and which difference so many cases see.
//!
//! `psi` is the share of discordant cases, `delta` the difference of two paired shares, at most `psi` in size; `level` is
//! that of the interval, 1 minus that of the two-sided test; `power` is the probability with which the test is to reject.

use super::special::normal_quantile;

/// The quantiles of the level and of the power.
fn quantiles(level: f64, power: f64) -> (f64, f64) {
    (normal_quantile(0.5 + level / 2.0), normal_quantile(power))
}

/// Cases *a system* at which the pooled z test of two proportions sees `p` against `q`, if each system is asked other
/// cases; not rounded, infinite where the two are equal.
///
/// J. L. Fleiss (1981), Statistical Methods for Rates and Proportions, 2nd edition, equation 3.14, without its correction.
#[must_use]
pub fn two_proportions(p: f64, q: f64, level: f64, power: f64) -> f64 {
    let (a, b) = quantiles(level, power);
    let pooled = f64::midpoint(p, q);
    let null = libm::sqrt(2.0 * pooled * (1.0 - pooled));
    let sum = a * null + b * libm::sqrt(p * (1.0 - p) + q * (1.0 - q));
    sum * sum / ((p - q) * (p - q))
}

/// Cases at which the paired z test sees `delta`; not rounded, infinite where it is 0.
///
/// R. J. Connor (1987), Sample size for testing differences in proportions for the paired-sample design. Biometrics 43,
/// 207-211.
#[must_use]
pub fn paired_cases(psi: f64, delta: f64, level: f64, power: f64) -> f64 {
    let (a, b) = quantiles(level, power);
    let sum = a * libm::sqrt(psi) + b * libm::sqrt((psi - delta * delta).max(0.0));
    sum * sum / (delta * delta)
}

/// The smallest difference that the paired z test sees in `n` cases: [`paired_cases`] turned round. None where even a
/// difference of `psi`, all discordant cases on one side, is too small.
#[must_use]
pub fn paired_difference(psi: f64, n: f64, level: f64, power: f64) -> Option<f64> {
    let (a, b) = quantiles(level, power);
    // delta sqrt(n) - a sqrt(psi) = b sqrt(psi - delta^2), squared, is a quadratic in delta; with no less power than one
    // half the larger root is the one that was not made by squaring.
    let under = n + b * b - a * a;
    let delta =
        libm::sqrt(psi) * (a * libm::sqrt(n) + b * libm::sqrt(under.max(0.0))) / (n + b * b);
    (0.0 <= under && delta <= psi).then_some(delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, by: f64) -> bool {
        (got - want).abs() <= by
    }

    /// R's documented `power.prop.test(p1 = .50, p2 = .75, power = .90)`; the three of .7 in Python with `SciPy` 1.17:
    /// 1250.717, 293.151 and 61.599.
    #[test]
    fn two_proportions_agree_with_r() {
        assert!(close(two_proportions(0.5, 0.75, 0.95, 0.9), 76.706_93, 1e-5));
        for (q, n) in [(0.75, 1251.0), (0.8, 294.0), (0.9, 62.0)] {
            assert_eq!(two_proportions(0.7, q, 0.95, 0.8).ceil(), n);
            assert_eq!(two_proportions(q, 0.7, 0.95, 0.8).ceil(), n);
        }
        assert_eq!(two_proportions(0.7, 0.7, 0.95, 0.8), f64::INFINITY);
    }

    /// Connor's formula evaluated in Python 3.11 with the quantiles of `SciPy` 1.17.
    #[test]
    fn connor_is_met_and_turned_round() {
        const WANT: [(f64, f64, f64); 4] = [
            (0.20, 0.10, 233.094_538_204_673_9),
            (0.15, 0.05, 154.598_569_560_211_08),
            (0.30, 0.10, 76.087_484_493_180_16),
            (0.12, 0.08, 978.748_780_829_063_7),
        ];
        for (first, second, n) in WANT {
            let (psi, delta) = (first + second, first - second);
            let cases = paired_cases(psi, delta, 0.95, 0.8);
            assert!(close(cases, n, 1e-9), "{first} {second}: {cases}");
            let back = paired_difference(psi, cases, 0.95, 0.8).unwrap();
            assert!(close(back, delta, 1e-12), "{first} {second}: {back}");
        }
        assert_eq!(paired_cases(0.2, 0.0, 0.95, 0.8), f64::INFINITY);
    }

    #[test]
    fn too_few_discordant_cases_see_nothing() {
        assert_eq!(paired_difference(0.01, 300.0, 0.95, 0.8), None);
        assert_eq!(paired_difference(0.5, 2.0, 0.95, 0.8), None);
        assert_eq!(paired_difference(0.5, 0.0, 0.95, 0.8), None);
        assert!(paired_difference(0.05, 300.0, 0.95, 0.8).is_some());
    }
}
