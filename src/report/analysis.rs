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
use super::numbers::{decimals, significant};
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

/// A value with its interval, or a dash.
pub(super) fn stated(it: &Number) -> String {
    let value = it.value.map_or("–".to_owned(), plain);
    match (it.low, it.high) {
        (Some(low), Some(high)) if low.is_finite() || high.is_finite() => {
            format!("{value} [{}, {}]", plain(low), plain(high))
        }
        _ => value,
    }
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
