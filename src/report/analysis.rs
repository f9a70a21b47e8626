//! What a real file says: plain sentences first, then tables, and the same numbers as JSON.

mod forms;
mod graded;
mod latent;
pub(super) mod parts;
#[cfg(feature = "charts")]
mod pictures;
mod recorded;
mod sentences;
mod tables;

pub use recorded::{Found, Recorded};

use super::grid::Grid;
pub(super) use super::numbers::plain;
use super::numbers::{decimals, digits_for, significant};
use super::page::analysis as page;
use super::table::push_wrapped;
use crate::analysis::{Number, Source};

/// What is said of one judge: its name, sentences and tables.
pub(super) struct Said {
    pub(super) judge: String,
    pub(super) sentences: Vec<String>,
    pub(super) tables: Vec<Grid>,
}

/// What is said of each judge.
pub(super) fn each(it: &Found) -> Vec<Said> {
    match it {
        Found::Comparisons(it) => {
            let said = |judge: &crate::analysis::Judge| Said {
                judge: judge.judge.clone(),
                sentences: sentences::judge(judge, 1.0 - it.level),
                tables: tables::judge(judge),
            };
            it.judges.iter().map(said).collect()
        }
        Found::Grades(it) => {
            let said = |judge: &crate::analysis::JudgeGrades| Said {
                judge: judge.judge.clone(),
                sentences: graded::sentences(judge, it.binary),
                tables: graded::tables(judge),
            };
            it.judges.iter().map(said).collect()
        }
    }
}

/// What is said of all judges together.
pub(super) fn together(it: &Found) -> (Vec<String>, Vec<Grid>) {
    match it {
        Found::Comparisons(it) => (sentences::together(it), tables::together(it)),
        Found::Grades(it) => graded::together(it),
    }
}

/// How the files were read, a sentence each.
fn read(files: &[Source]) -> Vec<String> {
    let told = files.iter().map(|it| (sentences::source(it), &it.notes));
    told.flat_map(|(told, notes)| std::iter::once(told).chain(notes.iter().cloned())).collect()
}

/// A value with its interval, to the digits that the interval leaves; a dash for none.
pub(super) fn stated(it: &Number) -> String {
    let limits = it.low.zip(it.high).filter(|(low, high)| low.is_finite() || high.is_finite());
    let (value, (low, high)) = match (it.value, limits) {
        (Some(value), Some(limits)) => (value, limits),
        (Some(value), None) => return plain(value),
        // Verdicts that are separated have a bound and no value.
        (None, Some((low, high))) => return format!("– [{}, {}]", plain(low), plain(high)),
        (None, None) => return "–".to_owned(),
    };
    // An interval is about four standard errors wide; one that is open has half of it.
    let error = match (low.is_finite(), high.is_finite()) {
        (true, true) => (high - low) / 4.0,
        (true, false) => (value - low) / 2.0,
        _ => (high - value) / 2.0,
    };
    // Two digits of the error; one of it where that takes more than four decimals.
    let digits = digits_for(error).min(4).max(digits_for(10.0 * error));
    let digits = if 0.0 < error { digits } else { 4 };
    let [value, low, high] = [value, low, high].map(|it| decimals(it, digits));
    format!("{value} [{low}, {high}]")
}

/// A value alone, or a dash.
fn value(it: &Number) -> String {
    it.value.map_or("–".to_owned(), plain)
}

/// A p-value: four decimals, or two digits where it is smaller.
pub(super) fn p(p: f64) -> String {
    if p == 0.0 || 0.001 <= p { plain(p) } else { significant_p(p) }
}

fn significant_p(p: f64) -> String {
    if p < 1e-6 { format!("{p:.1e}") } else { significant(p, 2) }
}

/// A number to two decimals, for sentences.
fn short(it: f64) -> String {
    decimals(it, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_interval_leaves() {
        let told = |value: f64, low: f64, high: f64| {
            let number = Number { low: Some(low), high: Some(high), ..Number::exact(value) };
            stated(&number)
        };
        // Errors of .07, .0003 and .000004 and an open interval.
        assert_eq!(told(0.601_23, 0.46, 0.74), "0.601 [0.460, 0.740]");
        assert_eq!(told(1.0, 0.998_8, 1.0), "1.0000 [0.9988, 1.0000]");
        assert_eq!(told(0.5, 0.499_992, 0.500_008), "0.500000 [0.499992, 0.500008]");
        assert_eq!(told(18.0, 14.0, f64::INFINITY), "18.0 [14.0, ∞]");
        assert_eq!(told(0.5, 0.5, 0.5), "0.5000 [0.5000, 0.5000]");
        assert_eq!(stated(&Number::exact(0.25)), "0.2500");
        assert_eq!(stated(&Number::none("why")), "–");
        let bound =
            Number { low: Some(f64::NEG_INFINITY), high: Some(-1.73), ..Number::none("why") };
        assert_eq!(stated(&bound), "– [-∞, -1.7300]");
    }
}
