//! Tests that two independent shares are equal: x of n against y of m.

use super::special::{binomial_pmf, phi_upper};

/// Two-sided p-value of the pooled z test; 1 where all are hits or none is, or where a sample is empty.
#[must_use]
pub fn pooled_z(x: u64, n: u64, y: u64, m: u64) -> f64 {
    let (a, b) = (x as f64 / n as f64, y as f64 / m as f64);
    let pooled = (x as f64 + y as f64) / (n as f64 + m as f64);
    let error = libm::sqrt(pooled * (1.0 - pooled) * (1.0 / n as f64 + 1.0 / m as f64));
    if error > 0.0 { 2.0 * phi_upper(libm::fabs(a - b) / error) } else { 1.0 }
}

/// Fisher's exact test, two-sided by doubling the smaller tail, at most 1.
#[must_use]
pub fn fisher(x: u64, n: u64, y: u64, m: u64) -> f64 {
    let (at, smaller) = tails(x, n, y, m);
    (2.0 * (smaller + at)).min(1.0)
}

/// The mid-p version of [`fisher`]: what was observed counts one half.
#[must_use]
pub fn fisher_mid_p(x: u64, n: u64, y: u64, m: u64) -> f64 {
    let (at, smaller) = tails(x, n, y, m);
    (2.0 * smaller + at).min(1.0)
}

/// P(X = x) and the smaller of P(X < x) and P(X > x), X hypergeometric given x + y.
fn tails(x: u64, n: u64, y: u64, m: u64) -> (f64, f64) {
    let hits = x + y;
    if n == 0 || m == 0 || hits == 0 || hits == n + m {
        return (1.0, 0.0);
    }
    // The ratio of binomials is the same for every p; at the pooled share nothing underflows.
    let pooled = hits as f64 / (n + m) as f64;
    let joint = binomial_pmf(x, n, pooled) * binomial_pmf(y, m, pooled);
    let at = joint / binomial_pmf(hits, n + m, pooled);
    let (total, other, all) = (n as f64, m as f64, hits as f64);
    let (mut below, mut term, mut k) = (0.0, at, x as f64);
    while 0.0 < k && other - all + k > 0.0 && below * 1e-17 < term {
        term *= k * (other - all + k) / ((total - k + 1.0) * (all - k + 1.0));
        below += term;
        k -= 1.0;
    }
    let (mut above, mut term, mut k) = (0.0, at, x as f64);
    while k < total && k < all && above * 1e-17 < term {
        term *= (total - k) * (all - k) / ((k + 1.0) * (other - all + k + 1.0));
        above += term;
        k += 1.0;
    }
    (at, below.min(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 of 30 against 18 of 30 (`SciPy` 1.17, hypergeom: pmf .025 968 4, cdf below .008 634 5; the table is symmetric, so
    /// doubling is `fisher_exact`'s .069 205 8).
    #[test]
    fn references() {
        assert!((fisher(10, 30, 18, 30) - 0.069_205_806_312_317_08).abs() < 1e-14);
        let (at, smaller) = tails(10, 30, 18, 30);
        assert!((2.0 * (at + smaller) - 0.069_205_806_312_317_08).abs() < 1e-14);
        assert!(fisher_mid_p(10, 30, 18, 30) < fisher(10, 30, 18, 30));
        // z = (1/3 - 3/5) / sqrt(2 (28/60) (32/60) / 30)
        assert!((pooled_z(10, 30, 18, 30) - 0.038_41).abs() < 5e-5);
        assert_eq!((fisher(0, 5, 0, 5), pooled_z(0, 5, 0, 5), fisher(5, 5, 5, 5)), (1.0, 1.0, 1.0));
    }

    #[test]
    fn the_points_sum_to_one() {
        for (n, m, hits) in [(7_u64, 9_u64, 5_u64), (7, 3, 8), (1, 1, 1)] {
            let range = hits.saturating_sub(m)..=hits.min(n);
            let sum: f64 = range.map(|x| tails(x, n, hits - x, m).0).sum();
            assert!((sum - 1.0).abs() < 1e-13);
        }
    }
}
