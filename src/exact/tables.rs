//! Powers on 2 x 2 tables of two raters: every table of n items, a multinomial.

use super::Power;
use crate::stats::special::binomial_pmf;

/// Items up to which all tables are looked at: some 1.4 million.
pub const MOST_ITEMS: u64 = 200;

/// The power of a test on the table (both, first only, second only, neither) of `n` items with these probabilities.
///
/// The cells are split one after another: both, then first only among the rest, then second only, each binomial.
#[must_use]
pub fn two_raters(n: u64, law: [f64; 4], rejects: impl Fn([u64; 4]) -> bool) -> Power {
    let [both, first, second, neither] = law;
    let of = |part: f64, whole: f64| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    let rest = first + second + neither;
    let (mut power, mut seen) = (0.0, 0.0);
    for a in 0..=n {
        let p = binomial_pmf(a, n, both.clamp(0.0, 1.0));
        for b in 0..=if 1e-18 < p { n - a } else { 0 } {
            let q = p * binomial_pmf(b, n - a, of(first, rest));
            if q < 1e-18 {
                continue;
            }
            for c in 0..=n - a - b {
                let r = q * binomial_pmf(c, n - a - b, of(second, second + neither));
                seen += r;
                if 1e-18 < r && rejects([a, b, c, n - a - b - c]) {
                    power += r;
                }
            }
        }
    }
    Power { value: power.clamp(0.0, 1.0), error: libm::fabs(1.0 - seen) + 1e-13 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_sum_to_one_and_cells_have_their_shares() {
        let law = [0.4, 0.1, 0.2, 0.3];
        assert!((two_raters(12, law, |_| true).value - 1.0).abs() < 1e-13);
        let three = two_raters(12, law, |table| table[2] == 3).value;
        assert!((three - binomial_pmf(3, 12, 0.2)).abs() < 1e-13);
        assert!((two_raters(9, [1.0, 0.0, 0.0, 0.0], |it| it[0] == 9).value - 1.0).abs() < 1e-15);
    }
}
