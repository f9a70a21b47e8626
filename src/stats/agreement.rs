//! Agreement of raters beyond Cohen's kappa: other corrections for chance, weights, many raters
//! with gaps, and tests of whether two raters use the classes alike.
//!
//! A table has one row for each class of the first rater and one column for each of the second; its
//! counts may be fractional. No coefficient is the right one: those whose chance term follows the
//! margins fall when a class is rare, and those whose chance term does not stay high for a rater
//! who says the common class always. So show [`prevalence_index`], [`bias_index`] and
//! [`kappa_maximum`] beside whichever is reported.

pub mod chi_square;
pub mod homogeneity;
pub mod item_errors;
pub mod krippendorff;
pub mod many;
pub mod weighted;

/// A coefficient (agreement - expected) / (1 - expected) with its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// the coefficient, at most 1
    pub value: f64,
    /// the share of agreement seen
    pub agreement: f64,
    /// the share of agreement put down to chance
    pub expected: f64,
}

impl Chance {
    /// `reason` when chance alone agrees always.
    fn of(agreement: f64, expected: f64, reason: &'static str) -> Result<Self, &'static str> {
        if expected >= 1.0 - 1e-12 {
            return Err(reason);
        }
        Ok(Self { value: (agreement - expected) / (1.0 - expected), agreement, expected })
    }
}

const ONE_CLASS: &str = "both raters used one class only: the expected agreement is 1";

/// A checked table as shares of its total.
struct Shares {
    n: f64,
    cells: Vec<Vec<f64>>,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Shares {
    fn of<R: AsRef<[f64]>>(table: &[R]) -> Result<Self, &'static str> {
        let classes = table.len();
        let mut n = 0.0;
        for row in table {
            if row.as_ref().len() != classes {
                return Err("the table is not square");
            }
            for &count in row.as_ref() {
                if !(count >= 0.0 && count.is_finite()) {
                    return Err("the table holds a negative or infinite count");
                }
                n += count;
            }
        }
        if n <= 0.0 {
            return Err("the table is empty");
        }
        let cells: Vec<Vec<f64>> =
            table.iter().map(|row| row.as_ref().iter().map(|count| count / n).collect()).collect();
        let rows = cells.iter().map(|row| row.iter().sum()).collect();
        let columns = (0..classes).map(|j| cells.iter().map(|row| row[j]).sum()).collect();
        Ok(Self { n, cells, rows, columns })
    }

    fn diagonal(&self) -> f64 {
        self.cells.iter().enumerate().map(|(i, row)| row[i]).sum()
    }

    /// The share of each class over both raters.
    fn pooled(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().zip(&self.columns).map(|(row, column)| 0.5 * (row + column))
    }

    /// The diagonal that independent raters with these margins would have.
    fn independent(&self) -> f64 {
        self.rows.iter().zip(&self.columns).map(|(row, column)| row * column).sum()
    }

    fn several_classes(&self) -> Result<f64, &'static str> {
        let classes = self.cells.len();
        if classes > 1 { Ok(classes as f64) } else { Err("the table has a single class") }
    }
}

/// Brennan and Prediger's coefficient: chance agreement is one over the number of classes, those of
/// the table, used or not. For two classes it is PABAK, the prevalence- and bias-adjusted kappa
/// 2 agreement - 1.
///
/// # Errors
///
/// The table is not square, holds a negative or infinite count, is empty or has a single class.
///
/// R. L. Brennan, D. J. Prediger (1981), Educational and Psychological Measurement 41, 687-699; T.
/// Byrt, J. Bishop, J. B. Carlin (1993), Journal of Clinical Epidemiology 46, 423-429.
pub fn brennan_prediger<R: AsRef<[f64]>>(table: &[R]) -> Result<Chance, &'static str> {
    let shares = Shares::of(table)?;
    Chance::of(shares.diagonal(), 1.0 / shares.several_classes()?, ONE_CLASS)
}

/// Gwet's AC1: chance agreement is sum pi (1 - pi) / (classes - 1), pi the share of a class over
/// both raters.
///
/// It rewards prevalence: with nearly one class in use it is high for an uninformative rater (.94
/// where Cohen's kappa is -.02).
///
/// # Errors
///
/// As [`brennan_prediger`].
///
/// K. L. Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48.
pub fn gwet_ac1<R: AsRef<[f64]>>(table: &[R]) -> Result<Chance, &'static str> {
    let shares = Shares::of(table)?;
    let spread: f64 = shares.pooled().map(|pi| pi * (1.0 - pi)).sum();
    Chance::of(shares.diagonal(), spread / (shares.several_classes()? - 1.0), ONE_CLASS)
}

/// Scott's pi: chance agreement is sum pi^2, pi the share of a class over both raters.
///
/// # Errors
///
/// The table is not square, holds a negative or infinite count or is empty, or both raters used one
/// and the same class only.
///
/// W. A. Scott (1955), Public Opinion Quarterly 19, 321-325.
pub fn scott_pi<R: AsRef<[f64]>>(table: &[R]) -> Result<Chance, &'static str> {
    let shares = Shares::of(table)?;
    Chance::of(shares.diagonal(), shares.pooled().map(|pi| pi * pi).sum(), ONE_CLASS)
}

/// The correlation of two raters' classes, -1 to 1: for two classes Matthews' coefficient (phi),
/// for more its generalisation `R_K`.
///
/// # Errors
///
/// The table is not square, holds a negative or infinite count or is empty, or a rater used one
/// class only, so that nothing correlates.
///
/// B. W. Matthews (1975), Biochimica et Biophysica Acta 405, 442-451; J. Gorodkin (2004),
/// Computational Biology and Chemistry 28, 367-374.
pub fn matthews<R: AsRef<[f64]>>(table: &[R]) -> Result<f64, &'static str> {
    let shares = Shares::of(table)?;
    let spread = |margin: &[f64]| 1.0 - margin.iter().map(|share| share * share).sum::<f64>();
    let (rows, columns) = (spread(&shares.rows), spread(&shares.columns));
    if rows <= 1e-12 || columns <= 1e-12 {
        return Err("a rater used one class only");
    }
    let covariance = shares.diagonal() - shares.independent();
    Ok(covariance / (rows.sqrt() * columns.sqrt()))
}

/// The largest Cohen's kappa that raters with these margins could reach.
///
/// # Errors
///
/// As [`scott_pi`].
///
/// J. Cohen (1960), Educational and Psychological Measurement 20, 37-46 (kappa maximum).
pub fn kappa_maximum<R: AsRef<[f64]>>(table: &[R]) -> Result<f64, &'static str> {
    let shares = Shares::of(table)?;
    let most = shares.rows.iter().zip(&shares.columns).map(|(row, column)| row.min(*column)).sum();
    Ok(Chance::of(most, shares.independent(), ONE_CLASS)?.value)
}

/// (a - d) / n of the table a b / c d, -1 to 1: how unequal the agreed classes are.
///
/// # Errors
///
/// The table holds a negative or infinite count, or is empty.
///
/// T. Byrt, J. Bishop, J. B. Carlin (1993), Journal of Clinical Epidemiology 46, 423-429.
pub fn prevalence_index(table: [[f64; 2]; 2]) -> Result<f64, &'static str> {
    let shares = Shares::of(&table)?;
    Ok(shares.cells[0][0] - shares.cells[1][1])
}

/// (b - c) / n of the table a b / c d, -1 to 1: how much oftener the first rater says the first
/// class.
///
/// # Errors
///
/// As [`prevalence_index`].
pub fn bias_index(table: [[f64; 2]; 2]) -> Result<f64, &'static str> {
    let shares = Shares::of(&table)?;
    Ok(shares.cells[0][1] - shares.cells[1][0])
}

#[cfg(test)]
mod tests {
    use super::super::kappa::cohen_kappa;
    use super::*;
    use proptest::prelude::*;

    /// Published values: table, PABAK, AC1, Scott's pi, Matthews' coefficient.
    #[test]
    fn published_alternatives_are_met() {
        const ROWS: [([[f64; 2]; 2], [f64; 4]); 4] = [
            ([[20.0, 5.0], [10.0, 15.0]], [0.4, 0.405_941, 0.393_939, 0.408_248]),
            ([[40.0, 9.0], [6.0, 45.0]], [0.7, 0.700_748, 0.699_248, 0.700_786]),
            ([[80.0, 10.0], [5.0, 5.0]], [0.7, 0.808_000, 0.314_286, 0.326_732]),
            ([[118.0, 5.0], [2.0, 0.0]], [0.888, 0.940_776, -0.028_807, -0.026_029]),
        ];
        for (table, want) in ROWS {
            let got = [
                brennan_prediger(&table).unwrap().value,
                gwet_ac1(&table).unwrap().value,
                scott_pi(&table).unwrap().value,
                matthews(&table).unwrap(),
            ];
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 6e-7, "{table:?}: {got} for {want}");
            }
        }
    }

    #[test]
    fn the_companions_are_those_of_their_definitions() {
        let table = [[80.0, 10.0], [5.0, 5.0]];
        assert!((prevalence_index(table).unwrap() - 0.75).abs() < 1e-15);
        assert!((bias_index(table).unwrap() - 0.05).abs() < 1e-15);
        // Margins .9/.1 and .85/.15: at most .95 agree, .78 by chance.
        assert!((kappa_maximum(&table).unwrap() - 0.17 / 0.22).abs() < 1e-14);
        // Equal margins reach 1, and disjoint ones nothing above 0.
        assert!((kappa_maximum(&[[3.0, 2.0], [2.0, 9.0]]).unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(kappa_maximum(&[[0.0, 9.0], [0.0, 0.0]]), Ok(0.0));
        assert!((scott_pi(&table).unwrap().agreement - 0.85).abs() < 1e-15);
        assert_eq!(brennan_prediger(&table).unwrap().expected, 0.5);
        // Three classes, by hand: agreement .7; BP (.7 - 1/3) / (2/3).
        let table = [[3.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 0.0, 2.0]];
        assert!((brennan_prediger(&table).unwrap().value - 0.55).abs() < 1e-14);
        // pi = (.4, .3, .3): sum pi (1 - pi) / 2 = .33.
        assert!((gwet_ac1(&table).unwrap().expected - 0.33).abs() < 1e-14);
        assert!((scott_pi(&table).unwrap().expected - 0.34).abs() < 1e-14);
        // scikit-learn's matthews_corrcoef formula: (7*10 - 34) / (100 - 34).
        assert!((matthews(&table).unwrap() - 36.0 / 66.0).abs() < 1e-14);
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let one: &[&[f64]] = &[&[9.0, 0.0], &[0.0, 0.0]];
        assert_eq!(scott_pi(one), Err(ONE_CLASS));
        assert_eq!(kappa_maximum(one), Err(ONE_CLASS));
        assert_eq!(matthews(one), Err("a rater used one class only"));
        assert_eq!(matthews(&[[3.0, 6.0], [0.0, 0.0]]), Err("a rater used one class only"));
        // These two do have an answer there.
        assert_eq!(brennan_prediger(one).unwrap().value, 1.0);
        assert_eq!(gwet_ac1(one).unwrap().value, 1.0);
        for method in [brennan_prediger, gwet_ac1, scott_pi] {
            assert!(method(&[&[1.0][..], &[3.0]]).unwrap_err().contains("square"));
            assert!(method(&[&[1.0, f64::NAN][..], &[3.0, 1.0]]).unwrap_err().contains("negative"));
            assert!(method(&[]).unwrap_err().contains("empty"));
        }
        assert_eq!(gwet_ac1(&[[4.0]]), Err("the table has a single class"));
        assert_eq!(brennan_prediger(&[[4.0]]), Err("the table has a single class"));
        assert!(prevalence_index([[0.0; 2]; 2]).unwrap_err().contains("empty"));
        assert!(bias_index([[-1.0, 2.0], [0.0, 0.0]]).unwrap_err().contains("negative"));
    }

    proptest! {
        #[test]
        fn the_coefficients_are_ordered_as_their_chance_terms(
            cells in proptest::array::uniform4(1_u32..50),
        ) {
            let c = cells.map(f64::from);
            let table = [[c[0], c[1]], [c[2], c[3]]];
            let kappa = cohen_kappa(&table).unwrap();
            let scott = scott_pi(&table).unwrap();
            let (ac1, bp) = (gwet_ac1(&table).unwrap(), brennan_prediger(&table).unwrap());
            // Two classes: sum pi^2 >= 1/2 >= 2 pi (1 - pi); Scott's pi is never above kappa.
            prop_assert!(scott.value <= bp.value + 1e-12 && bp.value <= ac1.value + 1e-12);
            prop_assert!(scott.value <= kappa.value + 1e-12);
            prop_assert!(kappa.value <= kappa_maximum(&table).unwrap() + 1e-12);
            let phi = matthews(&table).unwrap();
            prop_assert!(kappa.value.abs() <= phi.abs() + 1e-12 && phi.abs() <= 1.0 + 1e-12);
        }
    }
}
