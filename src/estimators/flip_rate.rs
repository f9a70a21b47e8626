//! The flip rate: how often a verdict changes when the order is turned. It holds noise as well as position, so it is
//! read beside its fair floor, the flip rate of the same judge without a preference for a position.

use super::share::{SUMS, step, untested_limits, value};
use super::{Estimator, Scale, TrueValue};
use crate::evidence::{Asked, Item, Judges, Needs, Reading, Repeats};

static FLIPS: Reading = Reading {
    name: "flips",
    sums: SUMS,
    step: |it: &Item<'_>| {
        let (one, other) = (it.answers[0].ab, it.answers[0].ba);
        let flips = i64::from(one.first) * i64::from(other.first)
            + i64::from(one.second) * i64::from(other.second);
        let ways = one.valid() * other.valid();
        step(flips, ways, ways > 1)
    },
};

/// (FF + SS) / valid pairs, ties in the denominator. With repeats, the share of all combinations of the two orders.
pub(super) static FLIP_RATE: Estimator = Estimator {
    rule: "flip-rate",
    variant: "",
    chosen: false,
    summary: "share of pairs whose winner changes with the order",
    method: "Wilson (1927); t over pairs with repeats",
    scale: Scale::Share,
    null: None,
    truth: TrueValue::None,
    needs: Needs {
        asked: &[Asked::Both],
        repeats: Repeats::Any,
        gold: false,
        strata: false,
        lengths: false,
        judges: Judges::One,
    },
    reads: &FLIPS,
    value,
    aim: None,
    at_size: None,
    limits: untested_limits,
    sheet: None,
    quick: None,
};

/// Bounds on the fair floor of the flip rate that a swap table alone identifies, for a logistic judge without ties.
///
/// `ff` and `ss` are shares of the valid pairs. The lower bound is reached when all pairs have the same item effect,
/// the upper one when some are certain and the others even:
/// `[2 sqrt(ff ss) / (1 - (sqrt ff - sqrt ss)^2), (sqrt ff + sqrt ss)^2 / 2]`.
#[must_use]
pub fn floor_bounds(ff: f64, ss: f64) -> (f64, f64) {
    let (f, s) = (libm::sqrt(ff), libm::sqrt(ss));
    let rest = 1.0 - (f - s) * (f - s);
    // Where every pair flips the same way (rest 0) nothing is left to flip without the preference.
    let low = if rest > 0.0 { 2.0 * f * s / rest } else { 0.0 };
    (low, (f + s) * (f + s) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn the_floor_of_thirty_and_two_flips() {
        let (low, high) = floor_bounds(0.30, 0.02);
        close(low, 0.186, 5e-4);
        close(high, 0.237, 5e-4);
    }

    /// Independent check: for equal item effects the lower bound is the floor itself, and it lies within the bounds
    /// for a mixture of easy and hard pairs.
    #[test]
    fn the_floor_lies_within_its_bounds() {
        let s = |x: f64| 1.0 / (1.0 + libm::exp(-x));
        let law = |b: f64, effects: &[f64]| {
            let n = effects.len() as f64;
            let ff: f64 = effects.iter().map(|u| s(b + u) * s(b - u)).sum::<f64>() / n;
            let ss: f64 = effects.iter().map(|u| s(-b + u) * s(-b - u)).sum::<f64>() / n;
            (ff, ss)
        };
        for b in [0.0, 0.4, 1.2, 3.0] {
            let (ff, ss) = law(b, &[1.7]);
            let (f0, s0) = law(0.0, &[1.7]);
            close(floor_bounds(ff, ss).0, f0 + s0, 1e-12);
            let (ff, ss) = law(b, &[0.0, 0.3, 2.0, 5.0]);
            let (f0, s0) = law(0.0, &[0.0, 0.3, 2.0, 5.0]);
            let (low, high) = floor_bounds(ff, ss);
            assert!(low <= f0 + s0 + 1e-12 && f0 + s0 <= high + 1e-12);
        }
        assert_eq!(floor_bounds(1.0, 0.0), (0.0, 0.5));
    }
}
