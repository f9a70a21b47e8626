//! Krippendorff's alpha: agreement of any number of raters with gaps, on any scale of measurement.

/// How far two values are apart, squared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// 1 for different values.
    Nominal,
    /// The ratings between the two ranks, with half of those at either, squared.
    Ordinal,
    /// (a - b)^2.
    Interval,
    /// ((a - b) / (a + b))^2, for values of 0 or more.
    Ratio,
}

/// Krippendorff's alpha, 1 - observed / expected disagreement: 1 for perfect agreement, 0 for
/// values as if drawn from one urn, below for worse. Items are rows; a row holds the values its
/// raters gave and `None` for gaps, in any order. An item with a single value carries no weight.
///
/// # Errors
///
/// A value is NaN or infinite (or negative under [`Metric::Ratio`]), no item has two values, or all
/// paired values are the same, so that no disagreement is expected.
///
/// K. Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania;
/// A. F. Hayes, K. Krippendorff (2007), Communication Methods and Measures 1, 77-89.
pub fn krippendorff_alpha<R: AsRef<[Option<f64>]>>(
    items: &[R],
    metric: Metric,
) -> Result<f64, &'static str> {
    let items = paired(items, metric)?;
    let mut values: Vec<f64> = items.iter().flatten().copied().collect();
    let total = values.len() as f64;
    values.sort_by(f64::total_cmp);
    values.dedup();
    let coincidences = coincidences(&items, &values);
    let counts: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let ranks = ranks(&counts);
    let (mut observed, mut expected) = (0.0, 0.0);
    for (i, row) in coincidences.iter().enumerate() {
        for (j, together) in row.iter().enumerate().take(i) {
            let gap = match metric {
                Metric::Nominal => 1.0,
                Metric::Ordinal => ranks[i] - ranks[j],
                Metric::Interval => values[i] - values[j],
                Metric::Ratio => (values[i] - values[j]) / (values[i] + values[j]),
            };
            observed += together * gap * gap;
            expected += counts[i] * counts[j] * gap * gap;
        }
    }
    if expected > 0.0 && expected.is_finite() {
        Ok(1.0 - (total - 1.0) * observed / expected)
    } else {
        Err("all paired values are the same: no disagreement is expected")
    }
}

/// The values of the items with two or more.
fn paired<R: AsRef<[Option<f64>]>>(
    items: &[R],
    metric: Metric,
) -> Result<Vec<Vec<f64>>, &'static str> {
    let given = items.iter().flat_map(|item| item.as_ref().iter().flatten());
    if given.clone().any(|value| !value.is_finite()) {
        return Err("a value is not a finite number");
    }
    if metric == Metric::Ratio && given.clone().any(|&value| value < 0.0) {
        return Err("a ratio scale has no negative values");
    }
    // Adding 0 turns -0 into 0, so that both are one value.
    let values = |item: &R| item.as_ref().iter().flatten().map(|value| value + 0.0).collect();
    let paired: Vec<Vec<f64>> =
        items.iter().map(values).filter(|item: &Vec<f64>| item.len() > 1).collect();
    if paired.is_empty() { Err("no item has two values") } else { Ok(paired) }
}

/// How often two values meet within an item, each item weighing as much as it has values.
fn coincidences(items: &[Vec<f64>], values: &[f64]) -> Vec<Vec<f64>> {
    let mut together = vec![vec![0.0; values.len()]; values.len()];
    for item in items {
        let weight = 1.0 / (item.len() as f64 - 1.0);
        // Every value is among the distinct ones, so the partition point is its place.
        let places: Vec<usize> =
            item.iter().map(|value| values.partition_point(|other| other < value)).collect();
        for (a, &i) in places.iter().enumerate() {
            for (b, &j) in places.iter().enumerate() {
                if a != b {
                    together[i][j] += weight;
                }
            }
        }
    }
    together
}

/// The mean rank of each value.
fn ranks(counts: &[f64]) -> Vec<f64> {
    let mut below = 0.0;
    counts
        .iter()
        .map(|count| {
            below += count;
            below - 0.5 * count
        })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Published values: twelve items by four raters, 0 for a gap.
    const CANONICAL: [[u8; 4]; 12] = [
        [1, 1, 0, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [0, 5, 5, 5],
        [0, 0, 1, 1],
        [0, 3, 0, 0],
    ];

    pub(in super::super) fn canonical() -> Vec<Vec<Option<f64>>> {
        let value = |&it: &u8| (it > 0).then_some(f64::from(it));
        CANONICAL.iter().map(|item| item.iter().map(value).collect()).collect()
    }

    /// Published values.
    #[test]
    fn published_alphas_are_met() {
        for (metric, want) in [
            (Metric::Nominal, 0.743_421),
            (Metric::Ordinal, 0.815_388),
            (Metric::Interval, 0.849_107),
            (Metric::Ratio, 0.797_403),
        ] {
            let got = krippendorff_alpha(&canonical(), metric).unwrap();
            assert!((got - want).abs() < 6e-7, "{metric:?}: {got} for {want}");
        }
    }

    const ALL: [Metric; 4] = [Metric::Nominal, Metric::Ordinal, Metric::Interval, Metric::Ratio];

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let (none, one, two) = (None, Some(1.0), Some(2.0));
        for metric in ALL {
            let reason =
                |items: &[[Option<f64>; 2]]| krippendorff_alpha(items, metric).unwrap_err();
            assert!(reason(&[]).contains("two values"));
            assert!(reason(&[[one, none], [none, two]]).contains("two values"));
            assert!(reason(&[[one, one], [one, one], [two, none]]).contains("the same"));
            assert!(reason(&[[Some(0.0), Some(-0.0)]]).contains("the same"));
            assert!(reason(&[[one, Some(f64::NAN)]]).contains("finite"));
            assert!(reason(&[[one, Some(f64::INFINITY)]]).contains("finite"));
            let agreed = [[Some(0.0), Some(0.0)], [two, two]];
            assert_eq!(krippendorff_alpha(&agreed, metric), Ok(1.0));
        }
        let negative = [[Some(-1.0), one], [two, two]];
        assert!(krippendorff_alpha(&negative, Metric::Ratio).unwrap_err().contains("negative"));
        assert!(krippendorff_alpha(&negative, Metric::Interval).is_ok());
    }

    proptest! {
        #[test]
        fn only_what_a_scale_means_matters(
            cells in proptest::collection::vec(proptest::option::of(1_u8..5), 6..60),
        ) {
            let items = |f: fn(f64) -> f64| -> Vec<Vec<Option<f64>>> {
                cells.chunks(3).map(|it| it.iter().map(|x| x.map(|x| f(x.into()))).collect()).collect()
            };
            let plain = items(|x| x);
            for (metric, other) in [
                (Metric::Nominal, items(|x| (x - 2.0) * (x - 2.0) * (x - 7.0))),
                (Metric::Ordinal, items(|x| x * x * x - 50.0)),
                (Metric::Interval, items(|x| 3.0 - 7.0 * x)),
                (Metric::Ratio, items(|x| 0.125 * x)),
            ] {
                let got = krippendorff_alpha(&plain, metric);
                let same = krippendorff_alpha(&other, metric);
                match (got, same) {
                    (Ok(got), Ok(same)) => prop_assert!((got - same).abs() < 1e-10 && got <= 1.0),
                    (got, same) => prop_assert_eq!(got, same),
                }
            }
        }
    }
}
