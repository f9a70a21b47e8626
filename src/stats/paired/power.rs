//! Powers of the tests on discordant counts, by enumeration.
//!
//! Of n cases M ~ Bin(n, psi) are discordant, and of these X ~ Bin(M, (psi + delta)/2 psi) on the first side: the power is
//! the sum over M of P(M) P(the test rejects X | M).

use super::super::root::{Sample, bracketed_root};
use super::super::special::{binomial_cdf, binomial_pmf};

/// The most discordant cases, on average, whose laws are summed.
pub const MOST_DISCORDANT: f64 = 2000.0;

/// A paired test by its two-sided p-value, from the discordant counts; it falls the further they are apart.
pub type Test = fn(u64, u64) -> f64;

/// What a test rejects in n cases at a discordance.
#[derive(Clone, Debug)]
pub struct Region {
    psi: f64,
    /// By number of discordant cases: it, its probability, and the largest smaller count at which the test rejects.
    rows: Vec<(u64, f64, u64)>,
}

impl Region {
    /// The region in which `test` has p <= `alpha`. None without a discordant case to expect, with more than
    /// [`MOST_DISCORDANT`] of them, or where `psi` is no share above 0.
    #[must_use]
    pub fn new(test: Test, n: u64, psi: f64, alpha: f64) -> Option<Self> {
        let mean = n as f64 * psi;
        if !(0.0 < psi && psi <= 1.0 && 0.0 < mean && mean <= MOST_DISCORDANT) {
            return None;
        }
        // Beyond eight standard deviations, and ten cases for laws that are no normal, less than 1e-13 is left.
        let reach = 8.0 * libm::sqrt(mean * (1.0 - psi)) + 10.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3000")]
        let (from, to) = ((mean - reach).max(0.0) as u64, (mean + reach) as u64);
        let mut rows = Vec::new();
        let mut smaller = None;
        for m in from..=to.min(n) {
            // One case more never narrows the region, so the search goes on where it stood.
            let mut next = smaller.map_or(0, |it: u64| it + 1);
            while 2 * next < m && test(next, m - next) <= alpha {
                smaller = Some(next);
                next += 1;
            }
            rows.extend(smaller.map(|it| (m, binomial_pmf(m, n, psi), it)));
        }
        Some(Self { psi, rows })
    }

    /// The power at a difference, -`psi` to `psi`.
    #[must_use]
    pub fn power(&self, delta: f64) -> f64 {
        let share = (0.5 + delta / (2.0 * self.psi)).clamp(0.0, 1.0);
        let sides = |m, k| binomial_cdf(k, m, share) + binomial_cdf(k, m, 1.0 - share);
        self.rows.iter().map(|(m, p, k)| p * sides(*m, *k)).sum()
    }

    /// The smallest difference that is seen with this power, to 1e-9; none where even `psi` is not.
    #[must_use]
    pub fn difference(&self, power: f64) -> Option<f64> {
        let lacks = |delta: f64| self.power(delta) - power;
        let (low, high) = (lacks(0.0), lacks(self.psi));
        if high < 0.0 || 0.0 <= low {
            return None;
        }
        let at = |x, y| Sample { x, y };
        Some(bracketed_root(at(0.0, low), at(self.psi, high), 1e-9, lacks))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p};
    use super::*;

    /// Summed in Python 3.11 with `scipy.stats.binom` 1.17: shares .20 and .10, n = 234.
    #[test]
    fn powers_are_those_of_the_double_sum() {
        const WANT: [(Test, f64); 3] =
            [(mcnemar_exact, 0.775_56), (mcnemar_mid_p, 0.806_59), (mcnemar_asymptotic, 0.809_59)];
        for (test, power) in WANT {
            let got = Region::new(test, 234, 0.3, 0.05).unwrap().power(0.1);
            assert!((got - power).abs() < 5.1e-6, "{got} {power}");
        }
    }

    /// Six cases, all discordant: the exact test rejects 0 and 6 alone.
    #[test]
    fn a_small_region_is_what_it_is_by_hand() {
        let region = Region::new(mcnemar_exact, 6, 1.0, 0.05).unwrap();
        assert!((region.power(0.0) - 2.0 / 64.0).abs() < 1e-15);
        assert!((region.power(0.5) - (libm::pow(0.75, 6.0) + libm::pow(0.25, 6.0))).abs() < 1e-15);
        assert!((region.power(1.0) - 1.0).abs() < 1e-15);
        let seen = region.difference(0.8).unwrap();
        assert!((region.power(seen) - 0.8).abs() < 1e-7);
        assert!(Region::new(mcnemar_exact, 5, 1.0, 0.05).unwrap().difference(0.8).is_none());
    }

    #[test]
    fn nonsense_has_no_region() {
        for (n, psi) in [(0, 0.5), (10, 0.0), (10, -1.0), (10, 1.5), (10, f64::NAN), (1 << 40, 0.5)]
        {
            assert!(Region::new(mcnemar_exact, n, psi, 0.05).is_none(), "{n} {psi}");
        }
    }
}
