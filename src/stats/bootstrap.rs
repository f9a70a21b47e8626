//! The bootstrap of a paired difference: the law of the resampled mean, exactly, and resampled counts for what has none.

use std::f64::consts::TAU;

use rand::Rng;
use rand_distr::{Binomial, Distribution};

use super::interval::Interval;

/// The percentile interval of the mean of n values of which `b` are 1, `c` are -1 and the rest 0, by the exact law of the
/// bootstrap (the limit of infinitely many resamples): the smallest means whose probability of not being exceeded reaches
/// (1 - level)/2 and (1 + level)/2. Means are multiples of 1/n. n = 0 gives (-1, 1).
///
/// Efron & Tibshirani (1993), section 13.3. The resampled sum is a sum of n independent steps: its distribution function is
/// read off its characteristic function on a lattice of 40 standard deviations, so the cost grows with sqrt(n).
#[must_use]
pub fn percentile(b: u64, c: u64, n: u64, level: f64) -> Interval {
    if n == 0 || n < b + c {
        return Interval { low: -1.0, high: 1.0 };
    }
    if b + c == 0 || b == n || c == n {
        let mean = (b as f64 - c as f64) / n as f64;
        return Interval { low: mean, high: mean };
    }
    let law = SumLaw::new(b as f64 / n as f64, c as f64 / n as f64, n);
    let quantile = |p: f64| law.quantile(p) / n as f64;
    Interval { low: quantile((1.0 - level) / 2.0), high: quantile(0.5 + level / 2.0) }
}

/// The law of a sum of n steps of 1, -1 or 0, on a window of the integers outside of which nothing is left.
struct SumLaw {
    /// The smallest sum of the window.
    lowest: f64,
    /// How many sums it holds.
    size: u32,
    /// The characteristic function at 2 pi k / size, k from 0 to size/2.
    transform: Vec<(f64, f64)>,
}

impl SumLaw {
    fn new(up: f64, down: f64, n: u64) -> Self {
        let (n, mean) = (n as f64, up - down);
        let sd = libm::sqrt(n * (up + down - mean * mean));
        let size = libm::ceil(40.0 * sd + 60.0).min(2.0 * n + 1.0);
        // Kept on the possible sums, -n to n.
        let lowest = libm::rint(n * mean - size / 2.0).clamp(-n, n + 1.0 - size);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 2^32 by its construction"
        )]
        let size = size as u32;
        let at = |k: u32| {
            let angle = TAU * f64::from(k) / f64::from(size);
            // One step's characteristic function, as modulus and argument, to the power of n.
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let (re, im) = (1.0 - up - down + (up + down) * cos, (up - down) * sin);
            (libm::pow(libm::hypot(re, im), n), n * libm::atan2(im, re))
        };
        Self { lowest, size, transform: (0..=size / 2).map(at).collect() }
    }

    /// The probability of at most the `m`-th sum of the window, m from 1.
    fn cdf(&self, m: u32) -> f64 {
        let size = f64::from(self.size);
        let mut sum = f64::from(m);
        for (k, (modulus, argument)) in (0_u32..).zip(&self.transform).skip(1) {
            let half = TAU * f64::from(k) / size / 2.0;
            // The sum of exp(-i angle s) over the first m sums of the window.
            let ratio = libm::sin(half * f64::from(m)) / libm::sin(half);
            let phase = argument - 2.0 * half * (self.lowest + (f64::from(m) - 1.0) / 2.0);
            // Terms k and size - k are conjugate; the middle one of an even size stands alone.
            let weight = if 2 * k == self.size { 1.0 } else { 2.0 };
            sum += weight * modulus * ratio * libm::cos(phase);
        }
        sum / size
    }

    /// The smallest sum whose probability of not being exceeded reaches p; one that reaches it up to rounding has.
    fn quantile(&self, p: f64) -> f64 {
        let (mut below, mut reached) = (0, self.size);
        while 1 < reached - below {
            let middle = below + (reached - below) / 2;
            if p - 1e-11 <= self.cdf(middle) { reached = middle } else { below = middle }
        }
        self.lowest + f64::from(reached) - 1.0
    }
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
        for (b, c, n, low, high) in
            [(3, 11, 36, -15.0 / 36.0, -1.0 / 36.0), (38, 14, 300, 10.0 / 300.0, 38.0 / 300.0)]
        {
            let interval = percentile(b, c, n, 0.95);
            assert!(
                (interval.low - low).abs() < 1e-12 && (interval.high - high).abs() < 1e-12,
                "{interval:?}"
            );
        }
    }

    /// The plain convolution, as an oracle: the same quantiles for all small tables and for some large ones.
    #[test]
    fn the_transform_agrees_with_the_convolution() {
        let plain = |b: u64, c: u64, n: u64, p: f64| {
            let (size, up, down) =
                (usize::try_from(n).unwrap(), b as f64 / n as f64, c as f64 / n as f64);
            let mut law = vec![0.0; 2 * size + 1];
            law[size] = 1.0;
            for _ in 0..n {
                let old = law.clone();
                for at in 0..law.len() {
                    let stay = old[at] * (1.0 - up - down);
                    let from =
                        |k: Option<usize>| k.and_then(|k| old.get(k)).copied().unwrap_or(0.0);
                    law[at] = stay + up * from(at.checked_sub(1)) + down * from(Some(at + 1));
                }
            }
            let mut sum = 0.0;
            let at = law.iter().position(|q| {
                sum += q;
                p - 1e-11 <= sum
            });
            (at.unwrap() as f64 - n as f64) / n as f64
        };
        let mut tables = vec![(38, 14, 300), (3, 11, 36), (150, 20, 400), (1, 0, 500), (0, 2, 90)];
        tables.extend(
            (1..7_u64).flat_map(|n| (0..=n).flat_map(move |b| (0..=n - b).map(move |c| (b, c, n)))),
        );
        for (b, c, n) in tables {
            let got = percentile(b, c, n, 0.95);
            let want = [0.025, 0.975].map(|p| plain(b, c, n, p));
            let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
            assert!(
                close(got.low, want[0]) && close(got.high, want[1]),
                "{b} {c} {n}: {got:?} {want:?}"
            );
        }
    }

    #[test]
    fn degenerate_counts_do_not_panic() {
        assert_eq!(percentile(0, 0, 5, 0.95), Interval { low: 0.0, high: 0.0 });
        assert_eq!(percentile(0, 0, 0, 0.95), Interval { low: -1.0, high: 1.0 });
        assert_eq!(percentile(4, 0, 4, 0.95), Interval { low: 1.0, high: 1.0 });
    }

    /// Value stability of the sampler: these counts change only with a value-breaking entry in the changelog.
    #[test]
    fn resampled_counts_stay() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let draws: Vec<Vec<u64>> =
            (0..3).map(|_| resampled(&[3, 11, 22, 1000], &mut random)).collect();
        assert_eq!(draws, RECORDED);
    }

    const RECORDED: [[u64; 4]; 3] = [[1, 9, 15, 1011], [2, 10, 24, 1000], [3, 11, 24, 998]];

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
                let products =
                    draws.iter().map(|it| (it[i] as f64 - n * p) * (it[j] as f64 - n * q));
                let got = products.sum::<f64>() / draws.len() as f64;
                assert!((got - want).abs() < 5.0 * 1.5 * 9.0 / 141.0, "{i} {j}: {got} {want}");
            }
        }
    }
}
