//! Powers on independent binomial counts: one share against a fixed value, two shares against each other.

use super::Power;
use super::run::{Known, Run, find};
use crate::stats::special::{binomial_cdf, binomial_pmf, binomial_upper};

/// Rounding of a sum of binomial probabilities.
const ROUNDING: f64 = 1e-13;

fn whole(x: i64) -> u64 {
    u64::try_from(x).unwrap_or(0)
}

fn signed(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

#[expect(clippy::cast_possible_truncation, reason = "a count of at most n")]
fn middle(n: u64, p: f64) -> Run {
    let at = (n as f64 * p) as i64;
    Run { low: at, high: at }
}

/// P(X leaves the run), X ~ Bin(n, p).
fn outside(run: Run, n: u64, p: f64) -> f64 {
    if run.is_empty() {
        return 1.0;
    }
    let below = if run.low <= 0 { 0.0 } else { binomial_cdf(whole(run.low - 1), n, p) };
    below + binomial_upper(whole(run.high + 1), n, p)
}

/// The power of a test that one share is `null`, at a true share `p` and `n` cases. `rejects` is asked with a count.
///
/// The test must accept one run of counts; the count nearest to `null` is asked first.
#[must_use]
pub fn one_share(n: u64, null: f64, p: f64, rejects: impl Fn(u64) -> bool) -> Power {
    let range = Run { low: 0, high: signed(n) };
    let run = find(range, None, middle(n, null), &mut |at| !rejects(whole(at)));
    Power { value: outside(run, n, p).clamp(0.0, 1.0), error: ROUNDING }
}

/// The power of a test that two shares are equal, at true shares `p` of `n` cases each. `rejects` is asked with both
/// counts.
///
/// For each count of the first the test must accept one run of counts of the second.
#[must_use]
pub fn two_shares(n: [u64; 2], p: [f64; 2], rejects: impl Fn(u64, u64) -> bool) -> Power {
    let range = Run { low: 0, high: signed(n[1]) };
    let (mut power, mut seen) = (0.0, 0.0);
    let mut known: Option<Known> = None;
    for first in 0..=n[0] {
        let weight = binomial_pmf(first, n[0], p[0]);
        if weight < 1e-18 {
            continue;
        }
        seen += weight;
        let guess = middle(n[1], first as f64 / n[0].max(1) as f64);
        let near = known.filter(|it| !it.run.is_empty());
        let run = find(range, near, guess, &mut |at| !rejects(first, whole(at)));
        known = Some(Known { asked: range, run });
        power += weight * outside(run, n[1], p[1]);
    }
    Power { value: power.clamp(0.0, 1.0), error: libm::fabs(1.0 - seen) + ROUNDING }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::wilson;

    #[test]
    fn one_share_is_summed_as_everywhere() {
        for (n, null, p) in [(1, 0.5, 0.5), (20, 0.3, 0.6), (57, 0.9, 0.99), (57, 0.9, 1.0)] {
            let rejects = |x: u64| !wilson(x, n, 0.95).contains(null);
            let slow: f64 = (0..=n).filter(|x| rejects(*x)).map(|x| binomial_pmf(x, n, p)).sum();
            let fast = one_share(n, null, p, rejects).value;
            assert!((fast - slow).abs() < 1e-13, "{n} {null} {p}: {fast} {slow}");
        }
    }

    #[test]
    fn two_shares_are_summed_as_everywhere() {
        for (n, p) in [([5, 9], [0.2, 0.9]), ([30, 30], [0.5, 0.75]), ([30, 30], [0.0, 0.3])] {
            let rejects = |a: u64, b: u64| {
                let (a, b) = (a as f64 / n[0] as f64, b as f64 / n[1] as f64);
                0.25 < (a - b).abs()
            };
            let mut slow = 0.0;
            for a in 0..=n[0] {
                for b in (0..=n[1]).filter(|b| rejects(a, *b)) {
                    slow += binomial_pmf(a, n[0], p[0]) * binomial_pmf(b, n[1], p[1]);
                }
            }
            let fast = two_shares(n, p, rejects).value;
            assert!((fast - slow).abs() < 1e-13, "{n:?} {p:?}: {fast} {slow}");
        }
    }
}
