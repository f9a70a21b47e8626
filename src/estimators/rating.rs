//! Two systems rated one by one: the difference of their mean scores. An analyst who rates each system in a session of its own
//! cannot tell a better system from a session in which the judge drifted up.

use super::{Estimate, Estimator, Limits, ON_SHEETS, Scale, SheetRule, TrueValue, Undefined};
use crate::evidence::{Columns, Expected, Sheet};
use crate::stats::clustered::RatioSums;

const NO_CASE: Undefined = Undefined("no case");

/// Mean score of the first system minus the second's.
fn difference(cases: usize, score: impl Fn(usize, usize) -> f64) -> Result<f64, Undefined> {
    if cases == 0 {
        return Err(NO_CASE);
    }
    let sum: f64 = (0..cases).map(|case| score(case, 0) - score(case, 1)).sum();
    Ok(sum / cases as f64)
}

fn of_sheet(sheet: &Sheet<'_>) -> Result<f64, Undefined> {
    difference(sheet.ruled.cases, |case, column| sheet.score(case, column) as f64)
}

const RATING: Estimator = Estimator { rule: "rating", ..ON_SHEETS };

/// The difference of means, as if cases were all that varied.
pub(super) static DIFFERENCE: Estimator = Estimator {
    variant: "difference",
    chosen: true,
    summary: "mean score of the first system minus the second's, rated one by one",
    method: "paired t over cases, which knows nothing of sessions",
    null: Some(0.0),
    truth: TrueValue::QualityGap,
    sheet: Some(SheetRule {
        columns: Columns::Systems,
        estimate: |sheet, settings, _| {
            let mut sums = RatioSums::default();
            for case in 0..sheet.ruled.cases {
                sums.add((sheet.score(case, 0) - sheet.score(case, 1)) as f64, 1.0);
            }
            let limits = match (sums.interval(settings.level.get()), sums.p_value(0.0)) {
                (Ok(it), Ok(p)) => Limits { low: it.low, high: it.high, p: Ok(p) },
                (Err(why), _) | (_, Err(why)) => Limits::none(why),
            };
            Estimate { value: of_sheet(sheet), limits }
        },
        estimand: |expected| {
            let ruled = expected.ruled;
            difference(ruled.cases, |case, column| expected.scores[ruled.place(case, column)])
        },
        quick: None,
    }),
    ..RATING
};

/// How often the first system's mean is the higher one.
pub(super) static FIRST_AHEAD: Estimator = Estimator {
    variant: "first-ahead",
    summary: "1 where the first system's mean score is the higher one",
    method: "no interval: the mean over replicates is how often",
    scale: Scale::Share,
    sheet: Some(SheetRule {
        columns: Columns::Systems,
        estimate: |sheet, _, _| Estimate {
            value: of_sheet(sheet).map(|it| f64::from(u8::from(0.0 < it))),
            limits: Limits::none("a rank has no interval"),
        },
        estimand: ahead,
        quick: None,
    }),
    ..RATING
};

/// The probability that the first system's total is the higher one.
fn ahead(expected: &Expected<'_>) -> Result<f64, Undefined> {
    let [first, second] = [0, 1].map(|column| (expected.total)(column));
    if first.is_empty() || second.is_empty() {
        return Err(Undefined("too much to enumerate"));
    }
    let (mut below, mut ahead) = (0.0, 0.0);
    for (total, p) in first.iter().enumerate() {
        ahead += p * below;
        below += second.get(total).copied().unwrap_or(0.0);
    }
    Ok(ahead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::Settings;
    use crate::evidence::Ruled;
    use crate::quantity::Level;
    use crate::stream::{Address, Purpose, generator};

    /// Differences 1, 0 and 2: the mean is 1, its error 1/sqrt 3; t and p of 2 degrees of freedom from `SciPy`.
    #[test]
    fn a_difference_by_hand() {
        let ruled = Ruled { cases: 3, columns: 2, ..Ruled::default() };
        let sheet = Sheet { ruled: &ruled, scores: &[5, 4, 3, 3, 4, 2] };
        let random = &mut generator(&Address::root(1, Purpose::Resample).key(), 0);
        let settings = Settings { level: Level::USUAL };
        let it = (DIFFERENCE.sheet.unwrap().estimate)(&sheet, &settings, random);
        assert_eq!(it.value, Ok(1.0));
        assert!(
            (it.limits.low + 1.484_138).abs() < 1e-6 && (it.limits.high - 3.484_138).abs() < 1e-6
        );
        assert!((it.limits.p.unwrap() - 0.225_403_33).abs() < 1e-8);
        let ahead = (FIRST_AHEAD.sheet.unwrap().estimate)(&sheet, &settings, random);
        assert_eq!(ahead.value, Ok(1.0));
    }

    /// Totals 0 to 2 against 0 to 1: P(1 > 0) + P(2 > 0 or 1).
    #[test]
    fn the_probability_to_be_ahead_sums_over_totals() {
        let ruled = Ruled { cases: 1, columns: 2, ..Ruled::default() };
        let total = |column: usize| if column == 0 { vec![0.2, 0.3, 0.5] } else { vec![0.4, 0.6] };
        let expected = Expected { ruled: &ruled, scores: &[1.3, 0.6], total: &total };
        assert!((ahead(&expected).unwrap() - (0.3 * 0.4 + 0.5)).abs() < 1e-15);
        let none = Expected { total: &|_| Vec::new(), ..expected };
        assert_eq!(ahead(&none), Err(Undefined("too much to enumerate")));
    }
}
