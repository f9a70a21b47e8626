//! The bootstrap of a paired difference: the law of the resampled mean, exactly, and resampled counts for what has none.

use rand::Rng;
use rand_distr::{Binomial, Distribution};

use super::interval::Interval;

/// The percentile interval of the mean of n values of which `b` are 1, `c` are -1 and the rest 0, by the exact law of the
/// bootstrap (the limit of infinitely many resamples): the smallest means whose probability of not being exceeded reaches
/// (1 - level)/2 and (1 + level)/2. Means are multiples of 1/n. n = 0 gives (-1, 1).
///
/// Efron & Tibshirani (1993), section 13.3; the resampled sum is a sum of n independent steps, so its law is the n-fold
/// convolution of the observed one, O(n^2).
#[must_use]
pub fn percentile(b: u64, c: u64, n: u64, level: f64) -> Interval {
    if n == 0 || n < b + c {
        return Interval { low: -1.0, high: 1.0 };
    }
    let law = sum_law(b as f64 / n as f64, c as f64 / n as f64, n);
    let quantile = |p: f64| {
        let mut sum = 0.0;
        let at = law.iter().position(|q| {
            sum += q;
            // A sum that reaches p up to rounding has reached it.
            p - 1e-12 <= sum
        });
        (at.unwrap_or(law.len() - 1) as f64 - n as f64) / n as f64
    };
    Interval { low: quantile((1.0 - level) / 2.0), high: quantile((1.0 + level) / 2.0) }
}

/// The law of the sum of n steps of 1 (probability `up`), -1 (`down`) or 0, from -n to n.
fn sum_law(up: f64, down: f64, n: u64) -> Vec<f64> {
    let n = usize::try_from(n).unwrap_or(0);
    let mut law = vec![0.0; 2 * n + 1];
    law[n] = 1.0;
    let mut next = law.clone();
    for step in 1..=n {
        for at in n - step..=n + step {
            let stay = law[at] * (1.0 - up - down);
            let from_below = if 0 < at { law[at - 1] * up } else { 0.0 };
            let from_above = law.get(at + 1).map_or(0.0, |p| p * down);
            next[at] = stay + from_below + from_above;
        }
        std::mem::swap(&mut law, &mut next);
    }
    law
}

/// Counts of a resample of as many items: a multinomial draw, by conditional binomials. No item is ever touched, so the
/// cost does not depend on their number.
///
/// L. Devroye (1986), Non-Uniform Random Variate Generation, section XI.1.4.
#[must_use]
pub fn resampled(counts: &[u64], random: &mut impl Rng) -> Vec<u64> {
    let mut left: u64 = counts.iter().sum();
    let mut rest = left as f64;
    let mut drawn = Vec::with_capacity(counts.len());
    for count in counts {
        let p = if 0.0 < rest { (*count as f64 / rest).min(1.0) } else { 0.0 };
        let taken = Binomial::new(left, p).map_or(0, |law| law.sample(random));
        drawn.push(taken);
        left -= taken;
        rest -= *count as f64;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The lesson's 22 / 3 / 11 of 36 and the labelled set's 38 / 14 of 300: exact bootstrap quantiles, computed elsewhere.
    #[test]
    fn published_differences_have_their_exact_quantiles() {
        for (b, c, n, low, high) in [(3, 11, 36, -15.0 / 36.0, -1.0 / 36.0), (38, 14, 300, 10.0 / 300.0, 38.0 / 300.0)] {
            let interval = percentile(b, c, n, 0.95);
            assert!((interval.low - low).abs() < 1e-12 && (interval.high - high).abs() < 1e-12, "{interval:?}");
        }
    }

    #[test]
    fn degenerate_counts_do_not_panic() {
        assert_eq!(percentile(0, 0, 5, 0.95), Interval { low: 0.0, high: 0.0 });
        assert_eq!(percentile(0, 0, 0, 0.95), Interval { low: -1.0, high: 1.0 });
        assert_eq!(percentile(4, 0, 4, 0.95), Interval { low: 1.0, high: 1.0 });
    }

    /// Resampled counts have the multinomial's means and covariances: 20,000 draws, within 5 standard errors.
    #[test]
    fn resampled_counts_are_multinomial() {
        let counts = [3_u64, 11, 22, 0];
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let draws: Vec<Vec<u64>> = (0..20_000).map(|_| resampled(&counts, &mut random)).collect();
        let n = 36.0;
        assert!(draws.iter().all(|it| it.iter().sum::<u64>() == 36 && it[3] == 0));
        for i in 0..3 {
            for j in 0..3 {
                let (p, q) = (counts[i] as f64 / n, counts[j] as f64 / n);
                let want = if i == j { n * p * (1.0 - p) } else { -n * p * q };
                let products = draws.iter().map(|it| (it[i] as f64 - n * p) * (it[j] as f64 - n * q));
                let got = products.sum::<f64>() / draws.len() as f64;
                assert!((got - want).abs() < 5.0 * 1.5 * 9.0 / 141.0, "{i} {j}: {got} {want}");
            }
        }
    }
}
