//! A sum of floating-point terms with whole-number weights whose order, grouping and split cannot
//! change a bit of the result.

use serde::{Deserialize, Serialize};

/// The unit in which terms are counted, as its reciprocal: 2^40.
const UNITS: f64 = 1_099_511_627_776.0;

/// An exact sum: every term is rounded to the nearest multiple of 2^-40 (9.1e-13), half to even,
/// and counted in whole numbers.
///
/// Positive and negative terms are summed apart, each up to 2^128 units (3.1e26). Such sums only
/// grow, so whether one overflows does not depend on the order either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactSum {
    above: u128,
    below: u128,
    overflowed: bool,
}

impl ExactSum {
    /// Every sum that overflowed is this one, so that equal contents stay equal values.
    const OVERFLOWED: Self = Self { above: 0, below: 0, overflowed: true };

    /// The empty sum.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `term` `weight` times. A weight of 0 adds nothing, whatever the term; a term that is
    /// not finite or does not fit makes the sum overflow for good.
    pub fn add(&mut self, term: f64, weight: u64) {
        const LIMIT: f64 = 3.0e38;
        if weight == 0 || self.overflowed {
            return;
        }
        let units = libm::rint(term * UNITS);
        if units.is_nan() || units.abs() > LIMIT {
            *self = Self::OVERFLOWED;
            return;
        }
        // Below the limit, which is less than 2^128, a whole number converts exactly.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let amount = (units.abs() as u128).checked_mul(u128::from(weight));
        let side = if units < 0.0 { &mut self.below } else { &mut self.above };
        match amount.and_then(|amount| side.checked_add(amount)) {
            Some(sum) => *side = sum,
            None => *self = Self::OVERFLOWED,
        }
    }

    /// Adds all that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        let above = self.above.checked_add(other.above);
        let below = self.below.checked_add(other.below);
        *self = match (above, below) {
            (Some(above), Some(below)) if !self.overflowed && !other.overflowed => {
                Self { above, below, overflowed: false }
            }
            _ => Self::OVERFLOWED,
        };
    }

    /// The sum, rounded once to the nearest f64; nothing once it overflowed.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        if self.overflowed {
            return None;
        }
        let size = self.above.abs_diff(self.below) as f64 / UNITS;
        Some(if self.above < self.below { -size } else { size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum_of(terms: &[(f64, u64)]) -> ExactSum {
        let mut sum = ExactSum::new();
        for &(term, weight) in terms {
            sum.add(term, weight);
        }
        sum
    }

    #[test]
    fn small_sums_are_exact() {
        assert_eq!(ExactSum::new().value(), Some(0.0));
        assert_eq!(sum_of(&[(0.5, 3), (-0.25, 2), (1e6, 1)]).value(), Some(1_000_001.0));
        // The plain sum of these is 0.
        assert_eq!(sum_of(&[(1e17, 1), (1.0, 1), (-1e17, 1)]).value(), Some(1.0));
        assert_eq!(sum_of(&[(-1.5, 10)]).value(), Some(-15.0));
        // Half a unit goes to the even neighbour; less than half a unit is nothing.
        let unit = 1.0 / UNITS;
        assert_eq!(sum_of(&[(0.5 * unit, 8), (1.5 * unit, 1)]).value(), Some(2.0 * unit));
        assert_eq!(sum_of(&[(0.4 * unit, u64::MAX)]).value(), Some(0.0));
    }

    #[test]
    fn what_does_not_fit_is_no_number() {
        for term in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e27] {
            assert_eq!(sum_of(&[(1.0, 1), (term, 1), (2.0, 1)]).value(), None, "{term}");
            assert_eq!(sum_of(&[(1.0, 1), (term, 0)]).value(), Some(1.0), "{term}");
        }
        assert_eq!(sum_of(&[(1e8, u64::MAX)]).value(), None);
        assert_eq!(sum_of(&[(2e26, 1), (-2e26, 1)]).value(), Some(0.0));
        assert_eq!(sum_of(&[(2e26, 1), (2e26, 1)]).value(), None);
        let mut sum = sum_of(&[(2e26, 1)]);
        sum.merge(&sum_of(&[(2e26, 1)]));
        assert_eq!(sum, sum_of(&[(f64::NAN, 1)]));
    }

    fn term() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => -1e6..1e6_f64,
            4 => -1e-9..1e-9_f64,
            2 => -2e26..2e26_f64,
            1 => Just(1e-13),
            1 => Just(-0.0),
        ]
    }

    proptest! {
        #[test]
        fn order_split_and_grouping_do_not_matter(
            terms in proptest::collection::vec((term(), 0_u64..2000), 0..40),
            cut in 0_usize..40, turn in 0_usize..40,
        ) {
            let whole = sum_of(&terms);
            let mut turned = terms.clone();
            turned.rotate_left(if terms.is_empty() { 0 } else { turn % terms.len() });
            turned.reverse();
            prop_assert_eq!(whole, sum_of(&turned));
            let (left, right) = terms.split_at(cut.min(terms.len()));
            let mut merged = sum_of(right);
            merged.merge(&sum_of(left));
            prop_assert_eq!(whole, merged);
            let singly: Vec<_> =
                terms.iter().flat_map(|&(x, w)| [(x, w / 3), (x, w - w / 3)]).collect();
            prop_assert_eq!(whole, sum_of(&singly));
        }

        #[test]
        fn it_is_the_sum_to_half_a_unit_per_term(
            terms in proptest::collection::vec((-1e3..1e3_f64, 1_u64..100), 1..40),
        ) {
            let plain: f64 = terms.iter().map(|&(x, w)| x * w as f64).sum();
            let count: u64 = terms.iter().map(|&(_, w)| w).sum();
            let slack = 0.5 * count as f64 / UNITS + 1e-9;
            prop_assert!((sum_of(&terms).value().unwrap() - plain).abs() <= slack);
        }
    }
}
