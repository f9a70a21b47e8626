//! Whether two raters use the classes alike: tests of a square table's margins and of its symmetry,
//! `McNemar`'s test for more than two classes.

use super::Shares;
use super::chi_square::chi_square_upper;

/// A chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// the statistic, 0 or more
    pub statistic: f64,
    /// its degrees of freedom
    pub df: u64,
    /// the probability of a statistic at least as large where the hypothesis holds
    pub p: f64,
}

impl ChiSquare {
    fn of(statistic: f64, df: u64) -> Result<Self, &'static str> {
        if df == 0 {
            return Err("the raters never disagree: there is nothing to compare");
        }
        Ok(Self { statistic, df, p: chi_square_upper(statistic, df) })
    }
}

/// The Stuart-Maxwell test that both raters use every class equally often, for a table of counts;
/// asymptotic, so it wants some ten disagreements for each class.
///
/// The degrees of freedom are the classes less one where disagreements link all of them, and less
/// where they do not (a class never disputed drops out).
///
/// # Errors
///
/// The table is not square, holds a negative or infinite count or is empty, or the raters never
/// disagree.
///
/// A. Stuart (1955), Biometrika 42, 412-416; A. E. Maxwell (1970), British Journal of Psychiatry
/// 116, 651-655.
pub fn stuart_maxwell<R: AsRef<[f64]>>(table: &[R]) -> Result<ChiSquare, &'static str> {
    let Shares { n, cells, rows, columns } = Shares::of(table)?;
    let classes = rows.len();
    let mut gap: Vec<f64> = rows.iter().zip(&columns).map(|(r, c)| n * (r - c)).collect();
    // The covariance is the Laplacian of the disagreements: each group of linked classes has one
    // pivot too many, which elimination leaves at 0 with all of its row.
    let mut covariance = vec![vec![0.0; classes]; classes];
    for i in 0..classes {
        for j in (0..classes).filter(|&j| j != i) {
            let disputed = n * (cells[i][j] + cells[j][i]);
            covariance[i][j] = -disputed;
            covariance[i][i] += disputed;
        }
    }
    let scale: Vec<f64> = (0..classes).map(|i| covariance[i][i]).collect();
    let (mut statistic, mut df) = (0.0, 0);
    for i in 0..classes {
        let pivot = covariance[i][i];
        if pivot <= 1e-9 * scale[i] {
            continue;
        }
        statistic += gap[i] * gap[i] / pivot;
        df += 1;
        let (done, rest) = covariance.split_at_mut(i + 1);
        let (row, first) = (&done[i], gap[i]);
        for (other, its_gap) in rest.iter_mut().zip(&mut gap[i + 1..]) {
            let factor = other[i] / pivot;
            *its_gap -= factor * first;
            for (cell, above) in other.iter_mut().zip(row).skip(i + 1) {
                *cell -= factor * above;
            }
        }
    }
    ChiSquare::of(statistic, df)
}

/// Bowker's test that every disagreement is as frequent as its mirror image, for a table of counts;
/// asymptotic. With two classes it is `McNemar`'s chi-square without continuity correction.
///
/// The degrees of freedom are the pairs of classes that were disputed at all, classes
/// (classes - 1) / 2 at most; counting undisputed pairs as well would only weaken the test.
///
/// # Errors
///
/// As [`stuart_maxwell`].
///
/// A. H. Bowker (1948), Journal of the American Statistical Association 43, 572-574.
pub fn bowker<R: AsRef<[f64]>>(table: &[R]) -> Result<ChiSquare, &'static str> {
    let Shares { n, cells, .. } = Shares::of(table)?;
    let (mut statistic, mut df) = (0.0, 0);
    for (i, row) in cells.iter().enumerate() {
        for (j, one) in row.iter().enumerate().take(i) {
            let other = cells[j][i];
            if one + other > 0.0 {
                statistic += n * (one - other) * (one - other) / (one + other);
                df += 1;
            }
        }
    }
    ChiSquare::of(statistic, df)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VISION: [[f64; 4]; 4] = [
        [1520.0, 266.0, 124.0, 66.0],
        [234.0, 1512.0, 432.0, 78.0],
        [117.0, 362.0, 1772.0, 205.0],
        [36.0, 82.0, 179.0, 492.0],
    ];

    fn near(got: ChiSquare, statistic: f64, df: u64, p: f64) -> bool {
        (got.statistic - statistic).abs() < 6e-6 && got.df == df && (got.p - p).abs() < 6e-8
    }

    /// Published values (unaided distance vision; two classes, `McNemar` without correction).
    #[test]
    fn published_tests_are_met() {
        assert!(near(stuart_maxwell(&VISION).unwrap(), 11.956_57, 3, 0.007_533_4));
        assert!(near(bowker(&VISION).unwrap(), 19.106_55, 6, 0.003_987_4));
        let two = [[794.0, 86.0], [150.0, 570.0]];
        for got in [stuart_maxwell(&two).unwrap(), bowker(&two).unwrap()] {
            assert!((got.statistic - 17.3559).abs() < 6e-5 && got.df == 1, "{got:?}");
            assert!((got.p - 3.0993e-5).abs() < 6e-10, "{got:?}");
        }
    }

    #[test]
    fn undisputed_classes_drop_out() {
        // The vision table with a class nobody uses and one never disputed.
        let mut wide = vec![vec![0.0; 6]; 6];
        for (i, row) in VISION.iter().enumerate() {
            wide[i + 1][1..5].copy_from_slice(row);
        }
        wide[5][5] = 77.0;
        assert!(near(stuart_maxwell(&wide).unwrap(), 11.956_57, 3, 0.007_533_4));
        assert!(near(bowker(&wide).unwrap(), 19.106_55, 6, 0.003_987_4));
        // Two groups of classes that are never mistaken for one another: the tests add up.
        let apart = [
            [9.0, 4.0, 0.0, 0.0],
            [12.0, 3.0, 0.0, 0.0],
            [0.0, 0.0, 5.0, 7.0],
            [0.0, 0.0, 2.0, 8.0],
        ];
        let want = 64.0 / 16.0 + 25.0 / 9.0;
        for got in [stuart_maxwell(&apart).unwrap(), bowker(&apart).unwrap()] {
            assert!((got.statistic - want).abs() < 1e-12 && got.df == 2, "{got:?}");
        }
    }

    #[test]
    fn what_cannot_be_tested_says_why() {
        for method in [stuart_maxwell, bowker] {
            assert!(method(&[[3.0, 0.0], [0.0, 9.0]]).unwrap_err().contains("never disagree"));
            assert!(method(&[[0.0, 0.0], [0.0, 0.0]]).unwrap_err().contains("empty"));
            assert!(method(&[[1.0, 2.0]]).unwrap_err().contains("square"));
        }
    }

    proptest! {
        #[test]
        fn the_order_of_raters_and_classes_does_not_matter(
            cells in proptest::array::uniform9(0_u32..40),
        ) {
            let c = cells.map(f64::from);
            let table = [[c[0], c[1], c[2]], [c[3], c[4], c[5]], [c[6], c[7], c[8]]];
            let turned = [[c[0], c[3], c[6]], [c[1], c[4], c[7]], [c[2], c[5], c[8]]];
            let renamed = [[c[8], c[6], c[7]], [c[2], c[0], c[1]], [c[5], c[3], c[4]]];
            for method in [stuart_maxwell, bowker] {
                let Ok(got) = method(&table) else { continue };
                for other in [method(&turned).unwrap(), method(&renamed).unwrap()] {
                    prop_assert_eq!(got.df, other.df);
                    prop_assert!((got.statistic - other.statistic).abs() < 1e-9 * (1.0 + got.statistic));
                }
            }
        }
    }
}
