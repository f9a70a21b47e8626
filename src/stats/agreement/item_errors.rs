//! Standard errors of many raters' coefficients, with the items as a sample and the raters as they are.

use super::many::{Panel, brennan_prediger, fleiss_kappa, gwet_ac1};

/// The standard error of [`gwet_ac1`].
///
/// K. L. Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48; with gaps Gwet (2014), Handbook of
/// Inter-Rater Reliability, 4th ed., section 5.3.
///
/// # Errors
/// As [`gwet_ac1`], or fewer than two items.
pub fn gwet_ac1_error<R: AsRef<[f64]>>(counts: &[R]) -> Result<f64, &'static str> {
    let whole = gwet_ac1(counts)?;
    let others = counts[0].as_ref().len() as f64 - 1.0;
    linearised(counts, whole.value, whole.expected, |share| (1.0 - share) / others)
}

/// The standard error of [`fleiss_kappa`] for an interval, whatever the agreement.
///
/// # Errors
/// As [`fleiss_kappa`], or fewer than two items.
pub fn fleiss_error<R: AsRef<[f64]>>(counts: &[R]) -> Result<f64, &'static str> {
    let whole = fleiss_kappa(counts)?;
    linearised(counts, whole.value, whole.expected, |share| share)
}

/// The standard error of [`brennan_prediger`], whose expected agreement does not vary.
///
/// # Errors
/// As [`brennan_prediger`], or fewer than two items.
pub fn brennan_prediger_error<R: AsRef<[f64]>>(counts: &[R]) -> Result<f64, &'static str> {
    let whole = brennan_prediger(counts)?;
    linearised(counts, whole.value, whole.expected, |_| whole.expected)
}

/// The spread of what each item adds to the coefficient. `chance` is the derivative, by halves, of the expected agreement in the
/// share of a class.
fn linearised<R: AsRef<[f64]>>(
    counts: &[R],
    value: f64,
    expected: f64,
    chance: impl Fn(f64) -> f64,
) -> Result<f64, &'static str> {
    let panel = Panel::of(counts)?;
    let rows: Vec<&[f64]> = counts.iter().map(AsRef::as_ref).collect();
    let rated: Vec<(&[f64], f64)> =
        rows.into_iter().zip(panel.raters.iter().copied()).filter(|it| 0.0 < it.1).collect();
    let items = rated.len() as f64;
    if items < 2.0 {
        return Err("fewer than two items");
    }
    let paired = rated.iter().filter(|it| 1.0 < it.1).count() as f64;
    let one = |(row, raters): &(&[f64], f64)| {
        let pairs: f64 = row.iter().map(|count| count * (count - 1.0)).sum();
        // An item with one rater tells nothing of agreement.
        let beyond = if 1.0 < *raters { pairs / (raters * (raters - 1.0)) - expected } else { 0.0 };
        let own = beyond * items / paired / (1.0 - expected);
        let by_chance: f64 = row
            .iter()
            .zip(&panel.classes)
            .map(|(count, share)| count / raters * chance(*share))
            .sum();
        own - 2.0 * (1.0 - value) * (by_chance - expected) / (1.0 - expected) - value
    };
    let squares: f64 = rated.iter().map(one).map(|gap| gap * gap).sum();
    Ok((squares / (items * (items - 1.0))).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve items, four raters, gaps and five classes: errors as `irrCAC` 0.4.4 prints them.
    #[test]
    fn four_raters_with_gaps() {
        let items = [
            "111", "2223", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3",
        ];
        let counts = items.map(|item| {
            let mut row = [0.0; 5];
            item.bytes().for_each(|digit| row[usize::from(digit - b'1')] += 1.0);
            row
        });
        let close = |a: f64, b: f64| assert!((a - b).abs() < 6e-6, "{a} and {b}");
        close(gwet_ac1_error(&counts).unwrap(), 0.142_95);
        close(fleiss_error(&counts).unwrap(), 0.153_02);
        close(brennan_prediger_error(&counts).unwrap(), 0.144_72);
        assert!(gwet_ac1_error(&counts[..1]).is_err());
    }
}
