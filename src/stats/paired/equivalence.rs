//! Two one-sided tests that a paired difference is small: equivalence of the two directions.

use crate::stats::special::{binomial_cdf, binomial_upper, phi_upper};

/// How the two tails of an equivalence test are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tails {
    /// All of the observed count.
    Exact,
    /// Half of it (mid-p).
    MidP,
}

/// The p-value of two one-sided tests that (b - c)/2n lies within plus or minus `margin`, 0 < margin < 1/2: the larger of
/// two binomial tails of b among b + c at 1/2 +- margin n/(b + c). Equivalence is claimed when it is at most the level.
///
/// Where all pairs that differ together could not reach the margin, nothing is left to test and the p-value is 0.
/// Schuirmann's two tests (1987) given the pairs that differ.
#[must_use]
pub fn equivalence(b: u64, c: u64, n: u64, margin: f64, tails: Tails) -> f64 {
    let all = b.saturating_add(c);
    let reach = if all == 0 { f64::INFINITY } else { margin * n as f64 / all as f64 };
    if 0.5 <= reach {
        return 0.0;
    }
    let half = |k: u64, p: f64| match tails {
        Tails::Exact => 0.0,
        Tails::MidP => 0.5 * crate::stats::special::binomial_pmf(k, all, p),
    };
    let (low, high) = (0.5 - reach, 0.5 + reach);
    let too_few = binomial_upper(b, all, low) - half(b, low);
    let too_many = binomial_cdf(b, all, high) - half(b, high);
    too_few.max(too_many).max(0.0)
}

/// The same by Wald's error, `sqrt((f/4 - d^2)/n)` with d = (b - c)/2n and f = (b + c)/n.
#[must_use]
pub fn equivalence_wald(b: u64, c: u64, n: u64, margin: f64) -> f64 {
    let n = n as f64;
    let (d, share) = ((b as f64 - c as f64) / (2.0 * n), (b as f64 + c as f64) / n);
    let room = margin - libm::fabs(d);
    let error = libm::sqrt(((share / 4.0 - d * d) / n).max(0.0));
    if error > 0.0 { phi_upper(room / error) } else { f64::from(u8::from(room <= 0.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 52 and 53 of 105 flips among 300 pairs, margin 5 points: by hand, P(Bin(105, .3571) >= 52) and its mirror
    /// (`SciPy` 1.17: binom.sf(51, 105, 0.5 - 15/105)).
    #[test]
    fn the_tails_are_binomial() {
        let p = equivalence(52, 53, 300, 0.05, Tails::Exact);
        assert!((p - 0.002_547_841_836_112_284_4).abs() < 1e-15, "{p}");
        assert!(equivalence(52, 53, 300, 0.05, Tails::MidP) < p);
        assert_eq!(equivalence(0, 0, 10, 0.05, Tails::Exact), 0.0);
        assert!(0.99 < equivalence(60, 2, 100, 0.05, Tails::Exact));
        assert!(
            (equivalence_wald(52, 53, 300, 0.05) - phi_upper(0.048_333 / 0.017_078)).abs() < 1e-4
        );
    }
}
