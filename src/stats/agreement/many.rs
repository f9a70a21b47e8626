//! Agreement of many raters, who need not have rated everything.
//!
//! Except for Conger's, the coefficients read counts: one row for each item, one column for each
//! class, and in it how many raters put the item there. So raters may differ from item to item.

use super::Chance;

const ONE_CLASS: &str = "all raters used one class only: the expected agreement is 1";

/// The parts that all coefficients share.
pub(super) struct Panel {
    pub(super) items: f64,
    /// the raters of each item
    pub(super) raters: Vec<f64>,
    /// the agreeing share of the pairs of raters, averaged over the items with two raters or more
    agreement: f64,
    /// the share of each class, every rated item with equal weight
    pub(super) classes: Vec<f64>,
}

impl Panel {
    pub(super) fn of<R: AsRef<[f64]>>(counts: &[R]) -> Result<Self, &'static str> {
        let width = counts.first().map_or(0, |row| row.as_ref().len());
        let mut classes = vec![0.0; width];
        let (mut raters, mut items, mut paired, mut agreement) = (Vec::new(), 0.0, 0.0, 0.0);
        for row in counts {
            let row = row.as_ref();
            if row.len() != width {
                return Err("the rows differ in length");
            }
            if !row.iter().all(|&count| count >= 0.0 && count.is_finite() && count.fract() == 0.0) {
                return Err("a count of raters is not a whole number");
            }
            let all: f64 = row.iter().sum();
            raters.push(all);
            if all > 0.0 {
                items += 1.0;
                for (share, count) in classes.iter_mut().zip(row) {
                    *share += count / all;
                }
            }
            if all > 1.0 {
                paired += 1.0;
                let pairs: f64 = row.iter().map(|count| count * (count - 1.0)).sum();
                agreement += pairs / (all * (all - 1.0));
            }
        }
        if paired == 0.0 {
            return Err("no item has two raters");
        }
        for share in &mut classes {
            *share /= items;
        }
        Ok(Self { items, raters, agreement: agreement / paired, classes })
    }

    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        self.classes.iter().map(|&share| term(share)).sum()
    }

    fn several_classes(&self) -> Result<f64, &'static str> {
        let classes = self.classes.len();
        if classes > 1 { Ok(classes as f64) } else { Err("the table has a single class") }
    }
}

/// Fleiss' kappa: chance agreement is sum p^2, p the share of a class over all raters.
///
/// Items rated once count in p, and items with different numbers of raters are allowed, with equal
/// weight each (Gwet 2014, section 2.5).
///
/// # Errors
///
/// A row is of another length or holds what is no count, no item has two raters, or all raters used
/// one class only, so that the expected agreement is 1.
///
/// J. L. Fleiss (1971), Psychological Bulletin 76, 378-382.
pub fn fleiss_kappa<R: AsRef<[f64]>>(counts: &[R]) -> Result<Chance, &'static str> {
    let panel = Panel::of(counts)?;
    Chance::of(panel.agreement, panel.sum(|p| p * p), ONE_CLASS)
}

/// The standard error of Fleiss' kappa where raters agree by chance only, for the test kappa /
/// error against the normal law. It is no basis for an interval.
///
/// # Errors
///
/// As [`fleiss_kappa`], and when items differ in their number of raters.
///
/// J. L. Fleiss, J. C. M. Nee, J. R. Landis (1979), Psychological Bulletin 86, 974-977.
pub fn fleiss_null_error<R: AsRef<[f64]>>(counts: &[R]) -> Result<f64, &'static str> {
    let panel = Panel::of(counts)?;
    let raters = panel.raters[0];
    if panel.raters.iter().any(|&other| other != raters) {
        return Err("the items differ in their number of raters");
    }
    let spread = panel.sum(|p| p * (1.0 - p));
    if spread <= 1e-12 {
        return Err(ONE_CLASS);
    }
    let skew = panel.sum(|p| p * (1.0 - p) * (1.0 - 2.0 * p));
    let scale = panel.items * raters * (raters - 1.0);
    Ok((2.0 * (spread * spread - skew).max(0.0) / scale).sqrt() / spread)
}

/// Gwet's AC1 for many raters: chance agreement is sum p (1 - p) / (classes - 1).
///
/// # Errors
///
/// As [`fleiss_kappa`], but one class in use is an answer; a single column is none.
///
/// K. L. Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48.
pub fn gwet_ac1<R: AsRef<[f64]>>(counts: &[R]) -> Result<Chance, &'static str> {
    let panel = Panel::of(counts)?;
    let expected = panel.sum(|p| p * (1.0 - p)) / (panel.several_classes()? - 1.0);
    Chance::of(panel.agreement, expected, ONE_CLASS)
}

/// Brennan and Prediger's coefficient for many raters (Randolph's free-marginal kappa): chance
/// agreement is one over the number of columns.
///
/// # Errors
///
/// As [`gwet_ac1`].
///
/// J. J. Randolph (2005), Free-marginal multirater kappa. Joensuu Learning and Instruction
/// Symposium.
pub fn brennan_prediger<R: AsRef<[f64]>>(counts: &[R]) -> Result<Chance, &'static str> {
    let panel = Panel::of(counts)?;
    Chance::of(panel.agreement, 1.0 / panel.several_classes()?, ONE_CLASS)
}

/// Conger's kappa, Cohen's for many raters: chance agreement is that of raters who keep their own
/// margins. Items are rows, raters columns, entries classes below `classes` or nothing.
///
/// # Errors
///
/// A row is of another length, a class is `classes` or more, no item has two raters, a rater has
/// rated nothing, or all raters used one class only.
///
/// A. J. Conger (1980), Psychological Bulletin 88, 322-328; with gaps K. L. Gwet (2014), Handbook
/// of Inter-Rater Reliability, 4th ed.
pub fn conger_kappa<R: AsRef<[Option<usize>]>>(
    ratings: &[R],
    classes: usize,
) -> Result<Chance, &'static str> {
    let raters = ratings.first().map_or(0, |row| row.as_ref().len());
    let mut counts = vec![vec![0.0; classes]; ratings.len()];
    let mut margins = vec![vec![0.0; classes]; raters];
    for (row, count) in ratings.iter().zip(&mut counts) {
        if row.as_ref().len() != raters {
            return Err("the rows differ in length");
        }
        for (rating, margin) in row.as_ref().iter().zip(&mut margins) {
            let Some(class) = *rating else { continue };
            if classes <= class {
                return Err("a class is not among the classes");
            }
            count[class] += 1.0;
            margin[class] += 1.0;
        }
    }
    let panel = Panel::of(&counts)?;
    for margin in &mut margins {
        let rated: f64 = margin.iter().sum();
        if rated == 0.0 {
            return Err("a rater has rated nothing");
        }
        for count in margin {
            *count /= rated;
        }
    }
    // The mean over ordered pairs of different raters of the product of their margins.
    let pairs = (raters * (raters - 1)) as f64;
    let expected = (0..classes).map(|class| {
        let sum: f64 = margins.iter().map(|margin| margin[class]).sum();
        let squares: f64 = margins.iter().map(|margin| margin[class] * margin[class]).sum();
        (sum * sum - squares) / pairs
    });
    Chance::of(panel.agreement, expected.sum(), ONE_CLASS)
}

#[cfg(test)]
mod tests {
    use super::super::super::kappa::cohen_kappa;
    use super::super::krippendorff::tests::canonical;
    use super::super::scott_pi;
    use super::*;

    const WIKIPEDIA: [[f64; 5]; 10] = [
        [0.0, 0.0, 0.0, 0.0, 14.0],
        [0.0, 2.0, 6.0, 4.0, 2.0],
        [0.0, 0.0, 3.0, 5.0, 6.0],
        [0.0, 3.0, 9.0, 2.0, 0.0],
        [2.0, 2.0, 8.0, 1.0, 1.0],
        [7.0, 7.0, 0.0, 0.0, 0.0],
        [3.0, 2.0, 6.0, 3.0, 0.0],
        [2.0, 5.0, 3.0, 2.0, 2.0],
        [6.0, 5.0, 2.0, 1.0, 0.0],
        [0.0, 2.0, 2.0, 3.0, 7.0],
    ];

    /// Published values.
    #[test]
    fn the_published_fleiss_kappa_is_met() {
        let got = fleiss_kappa(&WIKIPEDIA).unwrap();
        assert!((got.value - 0.209_931).abs() < 6e-7, "{got:?}");
        assert!((got.agreement - 0.378_022).abs() < 6e-7);
        assert!((got.expected - 0.212_755).abs() < 6e-7);
        let error = fleiss_null_error(&WIKIPEDIA).unwrap();
        assert!((error - 0.016_965_1).abs() < 6e-8 && (got.value / error - 12.3743).abs() < 6e-5);
        let free = brennan_prediger(&WIKIPEDIA).unwrap();
        assert!((free.value - (got.agreement - 0.2) / 0.8).abs() < 1e-15);
    }

    /// Fleiss (1971), table 1: thirty patients, six raters, five diagnoses; figures by statsmodels and R's irr.
    #[test]
    fn the_diagnoses_of_1971_are_met() {
        let patients = "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 \
                        00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006";
        let count = |digit: char| f64::from(digit.to_digit(10).unwrap());
        let counts: Vec<Vec<f64>> =
            patients.split_whitespace().map(|it| it.chars().map(count).collect()).collect();
        let totals: Vec<f64> = (0..5).map(|k| counts.iter().map(|it| it[k]).sum()).collect();
        assert_eq!(totals, [26.0, 26.0, 30.0, 55.0, 43.0]);
        let (got, error) = (fleiss_kappa(&counts).unwrap(), fleiss_null_error(&counts).unwrap());
        assert!((got.value - 0.430_245).abs() < 6e-7, "{got:?}");
        assert!((error - 0.024_373_9).abs() < 6e-8 && (got.value / error - 17.651_83).abs() < 6e-5);
        let free = brennan_prediger(&counts).unwrap();
        assert!((free.value - 0.444_444).abs() < 6e-7, "{free:?}");
    }

    /// By irrCAC: four raters, twelve items, gaps; letters a to e.
    #[test]
    fn published_coefficients_with_gaps_are_met() {
        let letter = |value: f64| (1_u8..=5).position(|class| f64::from(class) == value);
        let ratings: Vec<Vec<Option<usize>>> = canonical()
            .iter()
            .map(|item| item.iter().map(|it| it.and_then(letter)).collect())
            .collect();
        let counts: Vec<Vec<f64>> = ratings
            .iter()
            .map(|item| {
                let of = |class| item.iter().filter(|it| **it == Some(class)).count() as f64;
                (0..5).map(of).collect()
            })
            .collect();
        for (got, want) in [
            (gwet_ac1(&counts), 0.775_44),
            (fleiss_kappa(&counts), 0.761_17),
            (brennan_prediger(&counts), 0.772_73),
            (conger_kappa(&ratings, 5), 0.762_07),
        ] {
            let got = got.unwrap();
            assert!((got.value - want).abs() < 5.1e-6, "{got:?} for {want}");
            assert!((got.agreement - 0.818_18).abs() < 5.1e-6);
        }
        assert!(fleiss_null_error(&counts).unwrap_err().contains("number of raters"));
    }

    /// With two raters of everything Fleiss' kappa is Scott's pi and Conger's is Cohen's.
    #[test]
    fn two_raters_give_the_two_rater_coefficients() {
        let (table, times) = ([[20.0, 5.0], [10.0, 15.0]], [[20, 5], [10, 15]]);
        let (mut ratings, mut counts) = (Vec::new(), Vec::new());
        for (i, row) in times.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                for _ in 0..count {
                    ratings.push([Some(i), Some(j)]);
                    counts.push([(2 - i - j) as f64, (i + j) as f64]);
                }
            }
        }
        let near = |got: f64, want: f64| (got - want).abs() < 1e-13;
        assert!(near(fleiss_kappa(&counts).unwrap().value, scott_pi(&table).unwrap().value));
        let cohen = cohen_kappa(&table).unwrap();
        assert!(near(conger_kappa(&ratings, 2).unwrap().value, cohen.value));
        let pair = super::super::gwet_ac1(&table).unwrap();
        assert!(near(gwet_ac1(&counts).unwrap().value, pair.value));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        for method in [fleiss_kappa, gwet_ac1, brennan_prediger] {
            assert_eq!(method(&[]), Err("no item has two raters"));
            assert_eq!(method(&[vec![1.0, 0.0], vec![0.0, 1.0]]), Err("no item has two raters"));
            assert_eq!(method(&[vec![2.0, 0.0], vec![2.0]]), Err("the rows differ in length"));
            for odd in [-1.0, 0.5, f64::NAN, f64::INFINITY] {
                assert!(method(&[vec![2.0, odd]]).unwrap_err().contains("whole number"));
            }
        }
        let one = [[3.0, 0.0], [3.0, 0.0]];
        assert_eq!(fleiss_kappa(&one), Err(ONE_CLASS));
        assert_eq!(fleiss_null_error(&one), Err(ONE_CLASS));
        assert_eq!(gwet_ac1(&one).unwrap().value, 1.0);
        assert_eq!(gwet_ac1(&[[3.0]]), Err("the table has a single class"));
        let none = None;
        assert_eq!(conger_kappa(&[[Some(0), Some(0)]], 2), Err(ONE_CLASS));
        assert_eq!(conger_kappa(&[[Some(0), Some(2)]], 2), Err("a class is not among the classes"));
        assert_eq!(conger_kappa(&[[Some(0), none]], 2), Err("no item has two raters"));
        assert_eq!(conger_kappa(&[[Some(0), Some(1), none]], 2), Err("a rater has rated nothing"));
        assert_eq!(conger_kappa::<Vec<Option<usize>>>(&[], 2), Err("no item has two raters"));
        let ragged = [vec![Some(0), Some(1)], vec![Some(0)]];
        assert_eq!(conger_kappa(&ragged, 2), Err("the rows differ in length"));
    }
}
