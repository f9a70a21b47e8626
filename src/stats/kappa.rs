//! Agreement of two raters in a square table of counts: Cohen's kappa with its standard errors, raw
//! agreement, sensitivity and specificity.

/// Cohen's kappa of a table, with its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    /// (agreement - expected) / (1 - expected), at most 1
    pub value: f64,
    /// the large-sample standard error, for intervals
    pub error: f64,
    /// the standard error where kappa is zero, for the test of no agreement beyond chance
    pub null_error: f64,
    /// the share on the diagonal
    pub agreement: f64,
    /// the share on the diagonal that independent raters with these margins would have
    pub expected: f64,
}

/// Cohen's kappa of a k x k table given by its rows of (possibly fractional) counts.
///
/// # Errors
///
/// The reason in words: the table is not square, holds a negative or infinite count, is empty, or
/// both raters used one and the same class only, so that the expected agreement is 1.
///
/// J. Cohen (1960), Educational and Psychological Measurement 20, 37-46; errors after J. L. Fleiss,
/// J. Cohen, B. S. Everitt (1969), Psychological Bulletin 72, 323-327.
pub fn cohen_kappa<R: AsRef<[f64]>>(table: &[R]) -> Result<Kappa, &'static str> {
    let Margins { n, rows, columns, .. } = Margins::of(table)?;
    let agreement = agreement(table)?;
    let expected: f64 = rows.iter().zip(&columns).map(|(r, c)| r * c).sum();
    if expected >= 1.0 - 1e-12 {
        return Err("both raters used one class only: the expected agreement is 1");
    }
    let value = (agreement - expected) / (1.0 - expected);
    let (mut spread, mut null_spread) = (0.0, expected + expected * expected);
    for (i, row) in table.iter().enumerate() {
        for (j, count) in row.as_ref().iter().enumerate() {
            let weight = columns[i] + rows[j];
            let slack = if i == j { 1.0 - weight * (1.0 - value) } else { weight * (1.0 - value) };
            spread += count / n * slack * slack;
        }
        null_spread -= rows[i] * columns[i] * (rows[i] + columns[i]);
    }
    let centre = value - expected * (1.0 - value);
    let scale = n.sqrt() * (1.0 - expected);
    Ok(Kappa {
        value,
        error: (spread - centre * centre).max(0.0).sqrt() / scale,
        null_error: null_spread.max(0.0).sqrt() / scale,
        agreement,
        expected,
    })
}

/// The share of the counts that lies on the diagonal.
///
/// # Errors
///
/// The reason in words: the table is not square, holds a negative or infinite count, or is empty.
pub fn agreement<R: AsRef<[f64]>>(table: &[R]) -> Result<f64, &'static str> {
    let margins = Margins::of(table)?;
    Ok(margins.diagonal / margins.n)
}

/// The total, the diagonal's sum and the margins as shares.
struct Margins {
    n: f64,
    diagonal: f64,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Margins {
    fn of<R: AsRef<[f64]>>(table: &[R]) -> Result<Self, &'static str> {
        let classes = table.len();
        let (mut rows, mut columns) = (vec![0.0; classes], vec![0.0; classes]);
        let mut diagonal = 0.0;
        for (i, row) in table.iter().enumerate() {
            if row.as_ref().len() != classes {
                return Err("the table is not square");
            }
            for (j, &count) in row.as_ref().iter().enumerate() {
                if !(count >= 0.0 && count.is_finite()) {
                    return Err("the table holds a negative or infinite count");
                }
                rows[i] += count;
                columns[j] += count;
                if i == j {
                    diagonal += count;
                }
            }
        }
        let n: f64 = rows.iter().sum();
        if n <= 0.0 {
            return Err("the table is empty");
        }
        for share in rows.iter_mut().chain(&mut columns) {
            *share /= n;
        }
        Ok(Self { n, diagonal, rows, columns })
    }
}

/// How a yes/no rater does on the two true classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// the share of the true yes that was rated yes, or why there is none
    pub sensitivity: Result<f64, &'static str>,
    /// the share of the true no that was rated no, or why there is none
    pub specificity: Result<f64, &'static str>,
}

/// Sensitivity and specificity of a 2 x 2 table of counts: rows are the truth, columns the rating,
/// the first of each is "yes". Counts must not be negative.
#[must_use]
pub fn accuracy(table: [[f64; 2]; 2]) -> Accuracy {
    let share = |right: f64, wrong: f64, reason| {
        let all = right + wrong;
        if right >= 0.0 && wrong >= 0.0 && all > 0.0 { Ok(right / all) } else { Err(reason) }
    };
    let [[yes_yes, yes_no], [no_yes, no_no]] = table;
    Accuracy {
        sensitivity: share(yes_yes, yes_no, "no item is truly positive"),
        specificity: share(no_no, no_yes, "no item is truly negative"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Published values: table, kappa, standard error, null standard error (NaN: not printed there).
    #[test]
    fn published_kappas_are_met() {
        let rows: [(&[&[f64]], f64, f64, f64); 5] = [
            (&[&[20.0, 5.0], &[10.0, 15.0]], 0.4, 0.126_996, 0.138_564),
            (
                &[&[75.0, 1.0, 4.0], &[5.0, 4.0, 1.0], &[0.0, 0.0, 10.0]],
                0.676_471,
                0.087_703,
                0.076_187,
            ),
            (&[&[40.0, 9.0], &[6.0, 45.0]], 0.699_519, 0.071_394, f64::NAN),
            (&[&[80.0, 10.0], &[5.0, 5.0]], 0.318_182, 0.133_457, f64::NAN),
            (&[&[118.0, 5.0], &[2.0, 0.0]], -0.023_392, f64::NAN, f64::NAN),
        ];
        for (table, value, error, null_error) in rows {
            let got = cohen_kappa(table).unwrap();
            for (got, want) in
                [(got.value, value), (got.error, error), (got.null_error, null_error)]
            {
                assert!(want.is_nan() || (got - want).abs() < 6e-7, "{table:?}: {got} for {want}");
            }
        }
        // The same published values: the interval, and R vcd's SexualFun table.
        let got = cohen_kappa(&[[75.0, 1.0, 4.0], [5.0, 4.0, 1.0], [0.0, 0.0, 10.0]]).unwrap();
        let reach = 1.959_963_984_540_054 * got.error;
        assert!(
            (got.value - reach - 0.504_576).abs() < 6e-7
                && (got.value + reach - 0.848_365).abs() < 6e-7
        );
        let table = [
            [7.0, 7.0, 2.0, 3.0],
            [2.0, 8.0, 3.0, 7.0],
            [1.0, 5.0, 4.0, 9.0],
            [2.0, 8.0, 9.0, 14.0],
        ];
        let got = cohen_kappa(&table).unwrap();
        assert!((got.value - 0.129_330).abs() < 6e-7 && (got.error - 0.068_599).abs() < 6e-7);
        assert!((got.agreement - 33.0 / 91.0).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |table: &[&[f64]]| cohen_kappa(table).unwrap_err();
        assert!(reason(&[]).contains("empty"));
        assert!(reason(&[&[0.0, 0.0], &[0.0, 0.0]]).contains("empty"));
        assert!(reason(&[&[9.0, 0.0], &[0.0, 0.0]]).contains("expected agreement is 1"));
        assert!(reason(&[&[1.0, 2.0], &[3.0]]).contains("square"));
        assert!(reason(&[&[1.0, -2.0], &[3.0, 1.0]]).contains("negative"));
        assert!(reason(&[&[1.0, f64::NAN], &[3.0, 1.0]]).contains("negative or infinite"));
        assert!(agreement(&[[9.0, 0.0], [0.0, 0.0]]) == Ok(1.0));
        assert!(agreement::<[f64; 1]>(&[]).is_err());
    }

    #[test]
    fn accuracy_reads_rows_as_truth() {
        let got = accuracy([[80.0, 20.0], [15.0, 45.0]]);
        assert_eq!((got.sensitivity, got.specificity), (Ok(0.8), Ok(0.75)));
        let got = accuracy([[0.0, 0.0], [15.0, 45.0]]);
        assert_eq!(
            (got.sensitivity, got.specificity),
            (Err("no item is truly positive"), Ok(0.75))
        );
        assert!(accuracy([[1.0, 0.0], [0.0, 0.0]]).specificity.is_err());
    }

    proptest! {
        #[test]
        fn kappa_is_free_of_scale_and_of_who_is_first(
            cells in proptest::array::uniform9(0_u32..50),
        ) {
            let c = cells.map(f64::from);
            let table = [[c[0], c[1], c[2]], [c[3], c[4], c[5]], [c[6], c[7], c[8]]];
            let turned = [[c[0], c[3], c[6]], [c[1], c[4], c[7]], [c[2], c[5], c[8]]];
            if let Ok(kappa) = cohen_kappa(&table) {
                prop_assert!(kappa.value <= 1.0 + 1e-12 && kappa.error >= 0.0);
                let other = cohen_kappa(&turned).unwrap();
                prop_assert!((kappa.value - other.value).abs() < 1e-12);
                prop_assert!((kappa.error - other.error).abs() < 1e-7);
                let double = cohen_kappa(&table.map(|row| row.map(|x| 4.0 * x))).unwrap();
                prop_assert!((double.value - kappa.value).abs() < 1e-12);
                prop_assert!((2.0 * double.null_error - kappa.null_error).abs() < 1e-7);
            }
        }
    }
}
