//! What a real file says: plain sentences first, then tables, and the same numbers as JSON.

mod graded;
mod sentences;
mod tables;

use serde::Serialize;

use super::numbers::{decimals, plain, significant};
use super::table::push_wrapped;
use crate::analysis::{Analysis, Graded, Number, Source};

/// The analysis of comparisons as JSON.
#[must_use]
pub fn json(it: &Analysis) -> String {
    pretty(it)
}

/// The analysis of grades as JSON.
#[must_use]
pub fn graded_json(it: &Graded) -> String {
    pretty(it)
}

fn pretty(it: &impl Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(it).unwrap_or_default())
}

/// The analysis of comparisons in words and tables, `width` columns wide.
#[must_use]
pub fn text(it: &Analysis, width: Option<u16>) -> String {
    let wrap = usize::from(width.unwrap_or(100)).clamp(40, 120);
    let mut out = read(&it.files, wrap);
    for judge in &it.judges {
        out.push_str(&judge.judge);
        out.push('\n');
        for sentence in sentences::judge(judge, 1.0 - it.level) {
            push_wrapped(&mut out, &sentence, wrap);
        }
        out.push('\n');
        for table in tables::judge(judge) {
            out.push_str(&table);
            out.push('\n');
        }
    }
    for sentence in sentences::together(it) {
        push_wrapped(&mut out, &sentence, wrap);
    }
    for table in tables::together(it) {
        out.push('\n');
        out.push_str(&table);
    }
    out
}

/// The analysis of grades in words and tables.
#[must_use]
pub fn graded_text(it: &Graded, width: Option<u16>) -> String {
    let wrap = usize::from(width.unwrap_or(100)).clamp(40, 120);
    format!("{}{}", read(&it.files, wrap), graded::text(it, wrap))
}

/// How the files were read.
fn read(files: &[Source], wrap: usize) -> String {
    let mut out = String::new();
    for it in files {
        push_wrapped(&mut out, &sentences::source(it), wrap);
        for note in &it.notes {
            push_wrapped(&mut out, note, wrap);
        }
    }
    if !files.is_empty() {
        out.push('\n');
    }
    out
}

/// A value with its interval, or a dash.
fn stated(it: &Number) -> String {
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
fn p(p: f64) -> String {
    if p == 0.0 || 0.001 <= p { plain(p) } else { significant_p(p) }
}

fn significant_p(p: f64) -> String {
    if p < 1e-6 { format!("{p:.1e}") } else { significant(p, 2) }
}

/// A number to two decimals, for sentences.
fn short(it: f64) -> String {
    decimals(it, 2)
}
