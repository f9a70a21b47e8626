//! Score and square-and-add intervals for the difference of two paired shares.

use crate::stats::interval::{Interval, wilson};
use crate::stats::root::{Sample, bracketed_root};
use crate::stats::special::normal_quantile;

/// Tango's score interval for the paired difference (b - c)/n of `n` pairs, in [-1, 1].
///
/// The whole range without pairs or for a level outside (0, 1); an `n` below b + c is read as b +
/// c.
///
/// T. Tango (1998), Statistics in Medicine 17, 891-908.
#[must_use]
pub fn tango(b: u64, c: u64, n: u64, level: f64) -> Interval {
    let n = n.max(b.saturating_add(c));
    if n == 0 || !(0.0 < level && level < 1.0) {
        return Interval { low: -1.0, high: 1.0 };
    }
    let z = -normal_quantile(0.5 * (1.0 - level));
    // The lower limit is the upper one of the reversed difference.
    Interval { low: -tango_upper(c, b, n, z), high: tango_upper(b, c, n, z) }
}

/// The difference at which Tango's score has fallen to -z.
fn tango_upper(b: u64, c: u64, n: u64, z: f64) -> f64 {
    /// What stands for the infinite score at a difference of 1.
    const FAR: f64 = 1e9;
    let (b, c, n) = (b as f64, c as f64, n as f64);
    let estimate = (b - c) / n;
    if estimate >= 1.0 {
        return 1.0;
    }
    let score = |difference: f64| {
        let miss = b - c - n * difference;
        // The rarer kind's probability solves a quadratic; taken for the kind that is rarer under
        // this difference, the discriminant is a sum and cannot cancel.
        let (size, rarer, other) =
            if difference < 0.0 { (-difference, b, c) } else { (difference, c, b) };
        let linear = (2.0 * n - other + rarer) * size - b - c;
        let product = rarer * size * (1.0 - size);
        let root = (linear * linear + 8.0 * n * product).sqrt();
        // Of the two forms of the root, the one whose terms have one sign.
        let share = if linear > 0.0 {
            2.0 * product / (root + linear)
        } else {
            (root - linear) / (4.0 * n)
        };
        let variance = n * (2.0 * share + size * (1.0 - size));
        if variance > 0.0 { (miss / variance.sqrt()).max(-FAR) + z } else { -FAR }
    };
    bracketed_root(Sample { x: estimate, y: z }, Sample { x: 1.0, y: -FAR }, 1e-15, score)
}

/// Newcombe's method 10 for the paired difference (b - c)/n of the table (a, b; c, d): the Wilson
/// limits of both margins, squared and added with the continuity-corrected correlation.
///
/// The whole range [-1, 1] without pairs or for a level outside (0, 1).
///
/// R. G. Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10.
#[must_use]
pub fn newcombe(table: [[u64; 2]; 2], level: f64) -> Interval {
    let [[both, only_first], [only_second, neither]] = table;
    let first = both.saturating_add(only_first);
    let second = both.saturating_add(only_second);
    let n = first.saturating_add(only_second).saturating_add(neither);
    if n == 0 || !(0.0 < level && level < 1.0) {
        return Interval { low: -1.0, high: 1.0 };
    }
    let (p1, p2) = (first as f64 / n as f64, second as f64 / n as f64);
    let (w1, w2) = (wilson(first, n, level), wilson(second, n, level));
    let phi = corrected_correlation(table.map(|row| row.map(|count| count as f64)));
    let reach = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
    let difference = (only_first as f64 - only_second as f64) / n as f64;
    Interval {
        low: (difference - reach(p1 - w1.low, w2.high - p2)).max(-1.0),
        high: (difference + reach(w1.high - p1, p2 - w2.low)).min(1.0),
    }
}

/// The correlation of the two answers, a positive one shrunk by n/2 in its numerator; 0 when a
/// margin is empty.
fn corrected_correlation([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let margins = ((a + b) * (c + d)).sqrt() * ((a + c) * (b + d)).sqrt();
    if margins == 0.0 {
        return 0.0;
    }
    let cross = a * d - b * c;
    let numerator = if cross > 0.0 { (cross - 0.5 * (a + b + c + d)).max(0.0) } else { cross };
    numerator / margins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(got: Interval, low: f64, high: f64, tolerance: f64) -> bool {
        (got.low - low).abs() <= tolerance && (got.high - high).abs() <= tolerance
    }

    /// Published values: the table, then Newcombe and Tango, to six places.
    #[test]
    fn published_differences_are_met() {
        type Row = ([[u64; 2]; 2], (f64, f64), (f64, f64));
        const ROWS: [Row; 3] = [
            ([[36, 12], [2, 0]], (0.056_930, 0.340_428), (0.061_112, 0.344_709)),
            ([[1, 7], [1, 12]], (0.025_559, 0.506_920), (0.026_003, 0.517_232)),
            ([[59, 16], [6, 80]], (0.004_625, 0.118_621), (0.005_433, 0.124_023)),
        ];
        for (table, square_and_add, score) in ROWS {
            let got = newcombe(table, 0.95);
            assert!(near(got, square_and_add.0, square_and_add.1, 6e-7), "{table:?} {got:?}");
            let [[a, b], [c, d]] = table;
            let got = tango(b, c, a + b + c + d, 0.95);
            assert!(near(got, score.0, score.1, 6e-7), "{table:?} {got:?}");
        }
    }

    /// Where the score equation is solved by hand: no discordant pair, and all of one kind.
    #[test]
    fn tango_has_its_closed_forms() {
        for level in [0.5, 0.95, 0.999] {
            let z = -normal_quantile(0.5 * (1.0 - level));
            for n in [1_u64, 2, 10, 140, 100_000] {
                let share = z * z / (n as f64 + z * z);
                assert!(near(tango(0, 0, n, level), -share, share, 1e-12), "{n}");
                let low = (n as f64 - z * z) / (n as f64 + z * z);
                assert!(near(tango(n, 0, n, level), low, 1.0, 1e-12), "{n}");
                assert!(near(tango(0, n, n, level), -1.0, -low, 1e-12), "{n}");
            }
        }
    }

    /// The restricted maximum of the likelihood in q = P(c-type) at a given difference, by ternary
    /// search instead of the quadratic.
    fn restricted_q(b: f64, c: f64, n: f64, difference: f64) -> f64 {
        let part =
            |count: f64, p: f64| if count == 0.0 { 0.0 } else { count * libm::log(p.max(1e-300)) };
        let likelihood = |q: f64| {
            part(b, q + difference) + part(c, q) + part(n - b - c, 1.0 - 2.0 * q - difference)
        };
        let (mut low, mut high) = ((-difference).max(0.0), 0.5 * (1.0 - difference));
        for _ in 0..200 {
            let (left, right) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
            if likelihood(left) < likelihood(right) { low = left } else { high = right }
        }
        0.5 * (low + high)
    }

    proptest! {
        #[test]
        fn tango_solves_the_score_equation(
            a in 0_u64..40, b in 0_u64..40, c in 0_u64..40, level in 0.5..0.999_f64,
        ) {
            let n = a + b + c;
            prop_assume!(n > 0);
            let limits = tango(b, c, n, level);
            let z = -normal_quantile(0.5 * (1.0 - level));
            prop_assert!(limits.contains((b as f64 - c as f64) / n as f64));
            let (b, c, n) = (b as f64, c as f64, n as f64);
            for (limit, sign) in [(limits.low, 1.0), (limits.high, -1.0)] {
                if limit.abs() < 1.0 - 1e-9 {
                    let q = restricted_q(b, c, n, limit);
                    let spread = (n * (2.0 * q + limit - limit * limit)).sqrt();
                    let score = (b - c - n * limit) / spread;
                    prop_assert!((score - sign * z).abs() < 1e-4, "{} for {}", score, sign * z);
                }
            }
        }

        #[test]
        fn differences_turn_with_the_roles(
            a in 0_u64..60, b in 0_u64..60, c in 0_u64..60, d in 0_u64..60,
        ) {
            let n = a + b + c + d;
            let (one, other) = (tango(b, c, n, 0.95), tango(c, b, n, 0.95));
            prop_assert!(near(one, -other.high, -other.low, 1e-13));
            let (one, other) = (newcombe([[a, b], [c, d]], 0.95), newcombe([[a, c], [b, d]], 0.95));
            prop_assert!(near(one, -other.high, -other.low, 1e-13));
            prop_assert!(-1.0 <= one.low && one.low <= one.high && one.high <= 1.0);
        }
    }

    #[test]
    fn nonsense_gives_the_whole_range() {
        const WHOLE: Interval = Interval { low: -1.0, high: 1.0 };
        assert_eq!(tango(0, 0, 0, 0.95), WHOLE);
        assert_eq!(newcombe([[0, 0], [0, 0]], 0.95), WHOLE);
        assert_eq!(tango(9, 9, 3, 0.95), tango(9, 9, 18, 0.95));
        for level in [0.0, 1.0, f64::NAN] {
            assert_eq!(tango(3, 1, 9, level), WHOLE);
            assert_eq!(newcombe([[3, 1], [1, 3]], level), WHOLE);
        }
    }
}
