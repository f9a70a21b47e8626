//! Identical pairs that differ one way, the other way, or not at all: swapped pairs that flip to the first or to the second
//! answer shown, cases that only one system passes.
//!
//! D of n pairs differ, D ~ Bin(n, share), and X ~ Bin(D, one way) of these differ the one way. A sign test looks at X and D.

use super::Power;
use super::run::{Known, Run, find};
use crate::stats::special::{binomial_cdf, binomial_pmf, binomial_upper};

/// What a test does with one run of neighbouring counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It rejects outside it: the middle is nothing out of the way. Its verdict hangs on the pairs that differ alone.
    Outside,
    /// It rejects within it: the middle is equivalence. Its verdict hangs on all pairs.
    Within,
}

/// The power of a test of (X, D - X) among n pairs.
pub struct Differing<F> {
    claim: Claim,
    /// Whether (X, D - X) of n pairs is rejected.
    rejects: F,
    /// By D.
    runs: Vec<Option<Known>>,
    /// The pairs that `runs` were found at.
    at: u64,
    /// The chance of one way that `given` was summed for, and by D the probability to reject.
    one_way: f64,
    given: Vec<Option<f64>>,
}

impl<F> std::fmt::Debug for Differing<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Differing")
            .field("claim", &self.claim)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

fn whole(x: i64) -> u64 {
    u64::try_from(x).unwrap_or(0)
}

fn signed(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

impl<F: Fn(u64, u64, u64) -> bool> Differing<F> {
    /// A test, asked with (X, D - X, n).
    #[must_use]
    pub fn new(claim: Claim, rejects: F) -> Self {
        Self { claim, rejects, runs: Vec::new(), at: 0, one_way: f64::NAN, given: Vec::new() }
    }

    /// The power at `pairs` pairs of which a `share` differs on average, `one_way` of these the one way.
    pub fn power(&mut self, pairs: u64, share: f64, one_way: f64) -> Power {
        let depends = self.claim == Claim::Within && self.at != pairs;
        if depends || self.one_way.to_bits() != one_way.to_bits() {
            self.given.clear();
            self.one_way = one_way;
        }
        let moved = depends;
        self.at = pairs;
        let (weights, from) = weights(pairs, share);
        let (mut power, mut seen) = (0.0, 0.0);
        for (differing, weight) in (from..).zip(&weights) {
            power += weight * self.given(differing, moved);
            seen += weight;
        }
        let error = libm::fabs(1.0 - seen) + 1e-14;
        Power { value: power.clamp(0.0, 1.0), error }
    }

    /// The probability to reject when so many pairs differ.
    fn given(&mut self, differing: u64, moved: bool) -> f64 {
        let place = usize::try_from(differing).unwrap_or(usize::MAX - 1);
        if self.given.len() <= place {
            self.given.resize(place + 1, None);
            self.runs.resize(self.runs.len().max(place + 1), None);
        }
        if let Some(known) = self.given[place] {
            return known;
        }
        let run = self.run(differing, place, moved);
        let (n, p) = (differing, self.one_way);
        let below = if run.low <= 0 { 0.0 } else { binomial_cdf(whole(run.low - 1), n, p) };
        let above = binomial_upper(whole(run.high + 1), n, p);
        let rejects = match (self.claim, run.is_empty()) {
            (Claim::Outside, true) => 1.0,
            (Claim::Outside, false) => below + above,
            (Claim::Within, true) => 0.0,
            (Claim::Within, false) => (1.0 - below - above).max(0.0),
        };
        self.given[place] = Some(rejects);
        rejects
    }

    fn run(&mut self, differing: u64, place: usize, moved: bool) -> Run {
        let known = self.runs[place];
        if let (Some(known), false) = (known, moved) {
            return known.run;
        }
        let inside = |at: i64| {
            let b = whole(at);
            (self.rejects)(b, differing - b, self.at) == (self.claim == Claim::Within)
        };
        let range = Run { low: 0, high: signed(differing) };
        let guess = self.runs.get(place.wrapping_sub(1)).copied().flatten().map(|it| it.run);
        // An even split of an odd number is not asked from the neighbour's middle alone.
        let middle = signed(differing / 2);
        let guess = guess.filter(|it| !it.is_empty()).unwrap_or(Run { low: middle, high: middle });
        let known = known.filter(|it| !it.run.is_empty());
        let run = find(range, known, guess, &mut { inside }).within(range);
        self.runs[place] = Some(Known { asked: range, run });
        run
    }
}

/// The probabilities of Bin(n, p) where they count, and the first count they stand for.
fn weights(n: u64, p: f64) -> (Vec<f64>, u64) {
    let mode = mode(n, p);
    let peak = binomial_pmf(mode, n, p);
    let (odds, total) = (p / (1.0 - p), n as f64);
    let least = peak * 1e-20;
    let (mut below, mut above) = (Vec::new(), vec![peak]);
    let (mut term, mut k) = (peak, mode);
    while 0 < k && least < term {
        term *= k as f64 / ((total - k as f64 + 1.0) * odds);
        k -= 1;
        below.push(term);
    }
    let from = k;
    (term, k) = (peak, mode);
    while k < n && least < term {
        term *= (total - k as f64) * odds / (k as f64 + 1.0);
        k += 1;
        above.push(term);
    }
    below.reverse();
    below.extend(above);
    (below, from)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of at most n")]
fn mode(n: u64, p: f64) -> u64 {
    ((n as f64 * p) as u64).min(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::paired::{mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p};

    /// Every D and X, asked one by one.
    fn slowly(test: fn(u64, u64) -> f64, n: u64, share: f64, one_way: f64) -> f64 {
        let given = |d: u64| -> f64 {
            let rejected = (0..=d).filter(|x| test(*x, d - x) <= 1.0 - 0.95);
            rejected.map(|x| binomial_pmf(x, d, one_way)).sum()
        };
        (0..=n).map(|d| binomial_pmf(d, n, share) * given(d)).sum()
    }

    #[test]
    fn the_border_is_the_whole_table() {
        for test in [mcnemar_exact, mcnemar_mid_p, mcnemar_asymptotic] {
            let rejects = |b: u64, c: u64, _: u64| test(b, c) <= 1.0 - 0.95;
            let mut fast = Differing::new(Claim::Outside, rejects);
            for (n, share, one_way) in
                [(1, 0.3, 0.5), (40, 0.3, 0.7), (40, 1.0, 0.7), (90, 0.0, 0.5), (200, 0.15, 0.9)]
            {
                let got = fast.power(n, share, one_way);
                let want = slowly(test, n, share, one_way);
                assert!((got.value - want).abs() < 1e-13, "{n} {share} {one_way}: {got:?} {want}");
                assert!(got.error < 1e-12);
            }
        }
    }

    /// Fagerland's worked design: shares .20 and .10, 234 pairs (`SciPy` sums).
    #[test]
    fn the_worked_powers() {
        for (test, want) in [
            (mcnemar_exact as fn(u64, u64) -> f64, 0.775_56),
            (mcnemar_mid_p, 0.806_59),
            (mcnemar_asymptotic, 0.809_59),
        ] {
            let rejects = |b: u64, c: u64, _: u64| test(b, c) <= 1.0 - 0.95;
            let got = Differing::new(Claim::Outside, rejects).power(234, 0.3, 2.0 / 3.0).value;
            assert!((got - want).abs() < 6e-6, "{got} {want}");
        }
    }
}
