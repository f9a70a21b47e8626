//! Weighted kappa of two raters with ordered classes.

use super::super::kappa::Kappa;
use super::{ONE_CLASS, Shares};

/// How much a disagreement counts as agreement, by the distance of the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Nothing: Cohen's kappa.
    Identity,
    /// 1 - |i - j| / (classes - 1).
    Linear,
    /// 1 - (i - j)^2 / (classes - 1)^2.
    Quadratic,
}

impl Weights {
    fn at(self, i: usize, j: usize, classes: usize) -> f64 {
        if i == j {
            return 1.0;
        }
        let distance = i.abs_diff(j) as f64 / (classes - 1) as f64;
        match self {
            Self::Identity => 0.0,
            Self::Linear => 1.0 - distance,
            Self::Quadratic => 1.0 - distance * distance,
        }
    }
}

/// Kappa with weights, its classes in the order of the table: weighted agreement, what independent
/// raters with these margins would have of it, and both large-sample standard errors.
///
/// # Errors
///
/// The table is not square, holds a negative or infinite count or is empty, or both raters used one
/// and the same class only, so that the expected agreement is 1.
///
/// J. Cohen (1968), Psychological Bulletin 70, 213-220; errors after J. L. Fleiss, J. Cohen, B. S.
/// Everitt (1969), Psychological Bulletin 72, 323-327, eqs. 8 and 9.
pub fn weighted_kappa<R: AsRef<[f64]>>(
    table: &[R],
    weights: Weights,
) -> Result<Kappa, &'static str> {
    let shares = Shares::of(table)?;
    let classes = table.len();
    let mut agreement = 0.0;
    // The mean weight of a class of either rater against the margin of the other.
    let (mut of_row, mut of_column) = (vec![0.0; classes], vec![0.0; classes]);
    for (i, j) in pairs(classes) {
        let weight = weights.at(i, j, classes);
        agreement += weight * shares.cells[i][j];
        of_row[i] += weight * shares.columns[j];
        of_column[j] += weight * shares.rows[i];
    }
    let expected: f64 = shares.rows.iter().zip(&of_row).map(|(share, mean)| share * mean).sum();
    if expected >= 1.0 - 1e-12 {
        return Err(ONE_CLASS);
    }
    let (beyond, missing) = (1.0 - expected, 1.0 - agreement);
    let centre = agreement * expected - 2.0 * expected + agreement;
    let (mut spread, mut null_spread) = (-centre * centre, -expected * expected);
    for (i, j) in pairs(classes) {
        let weight = weights.at(i, j, classes);
        let mean = of_row[i] + of_column[j];
        let slack = weight * beyond - mean * missing;
        spread += shares.cells[i][j] * slack * slack;
        null_spread += shares.rows[i] * shares.columns[j] * (weight - mean) * (weight - mean);
    }
    let root = shares.n.sqrt() * beyond;
    Ok(Kappa {
        value: (agreement - expected) / beyond,
        error: spread.max(0.0).sqrt() / (root * beyond),
        null_error: null_spread.max(0.0).sqrt() / root,
        agreement,
        expected,
    })
}

/// The places of a square table, row by row.
fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |i| (0..classes).map(move |j| (i, j)))
}

#[cfg(test)]
mod tests {
    use super::super::super::kappa::cohen_kappa;
    use super::*;
    use proptest::prelude::*;

    const FUN: [[f64; 4]; 4] =
        [[7.0, 7.0, 2.0, 3.0], [2.0, 8.0, 3.0, 7.0], [1.0, 5.0, 4.0, 9.0], [2.0, 8.0, 9.0, 14.0]];

    /// Published values (R vcd and statsmodels); the null errors from statsmodels 0.15.
    #[test]
    fn published_weighted_kappas_are_met() {
        let rows = [
            (Weights::Identity, 0.129_330, 0.068_599, NULLS[0]),
            (Weights::Linear, 0.237_381, 0.078_316, NULLS[1]),
            (Weights::Quadratic, 0.332_046, 0.097_298, NULLS[2]),
        ];
        for (weights, value, error, null_error) in rows {
            let got = weighted_kappa(&FUN, weights).unwrap();
            assert!((got.value - value).abs() < 6e-7, "{weights:?} {got:?}");
            assert!((got.error - error).abs() < 6e-7, "{weights:?} {got:?}");
            assert!((got.null_error - null_error).abs() < 1e-12, "{weights:?} {got:?}");
        }
    }

    const NULLS: [f64; 3] =
        [0.061_183_460_559_768_324, 0.076_990_312_088_550_53, 0.104_349_375_073_475_62];

    #[test]
    fn what_cannot_be_estimated_says_why() {
        for weights in [Weights::Identity, Weights::Linear, Weights::Quadratic] {
            assert_eq!(weighted_kappa(&[[9.0, 0.0], [0.0, 0.0]], weights), Err(ONE_CLASS));
            assert_eq!(weighted_kappa(&[[9.0]], weights), Err(ONE_CLASS));
            assert!(weighted_kappa::<[f64; 2]>(&[], weights).is_err());
            assert!(weighted_kappa(&[[1.0, 2.0]], weights).unwrap_err().contains("square"));
            // Raters of one class each, but not the same: nothing is expected, nothing agrees.
            let got = weighted_kappa(&[[0.0, 9.0], [0.0, 0.0]], weights).unwrap();
            assert_eq!((got.value, got.error), (0.0, 0.0));
        }
    }

    proptest! {
        #[test]
        fn without_weights_it_is_cohens(cells in proptest::array::uniform9(0_u32..50)) {
            let c = cells.map(f64::from);
            let table = [[c[0], c[1], c[2]], [c[3], c[4], c[5]], [c[6], c[7], c[8]]];
            let turned = [[c[0], c[3], c[6]], [c[1], c[4], c[7]], [c[2], c[5], c[8]]];
            if let Ok(want) = cohen_kappa(&table) {
                let got = weighted_kappa(&table, Weights::Identity).unwrap();
                prop_assert!((got.value - want.value).abs() < 1e-12);
                prop_assert!((got.error - want.error).abs() < 1e-7);
                prop_assert!((got.null_error - want.null_error).abs() < 1e-7);
                for weights in [Weights::Linear, Weights::Quadratic] {
                    let got = weighted_kappa(&table, weights).unwrap();
                    let other = weighted_kappa(&turned, weights).unwrap();
                    prop_assert!(got.value <= 1.0 + 1e-12);
                    prop_assert!((got.value - other.value).abs() < 1e-11);
                    prop_assert!((got.error - other.error).abs() < 1e-6);
                }
            }
        }
    }
}
