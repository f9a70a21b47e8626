//! CSV: one row for each cell, judge, estimator and measure; and, on request, one for each replicate's estimate.

use csv::{Terminator, WriterBuilder};

use super::Report;
use crate::estimators::Estimate;

/// Columns of the draws after the varied paths.
pub const DRAWS_HEADER: [&str; 8] =
    ["replicate", "judge", "estimator", "value", "low", "high", "p", "undefined"];

fn text(records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .flexible(true)
        .from_writer(Vec::new());
    for record in records {
        // Writing to memory cannot fail.
        let _ = writer.write_record(&record);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// `performance.csv`: `<varied paths>,judge,estimator,target,measure,value,mcse,replicates,undefined`.
///
/// Numbers round-trip; `mcse` and `replicates` are empty for exact values, `value` where it is undefined.
#[must_use]
pub fn performance(report: &Report) -> String {
    let mut header = report.paths.clone();
    header.extend(
        ["judge", "estimator", "target", "measure", "value", "mcse", "replicates", "undefined"]
            .map(String::from),
    );
    let number = |it: Option<f64>| it.map(|it| it.to_string()).unwrap_or_default();
    let rows = report.results.iter().flat_map(|result| {
        result.estimators.iter().flat_map(move |it| {
            it.figures.iter().map(move |figure| {
                let mut row: Vec<String> =
                    result.values.iter().map(|value| value.text.clone()).collect();
                row.extend([
                    result.judge.clone(),
                    it.name.clone(),
                    result.target.clone(),
                    figure.measure.clone(),
                ]);
                row.extend([number(figure.value), number(figure.mcse)]);
                row.extend([
                    figure.replicates.map(|n| n.to_string()).unwrap_or_default(),
                    figure.undefined.to_string(),
                ]);
                row
            })
        })
    });
    text(std::iter::once(header).chain(rows))
}

/// The header line of `draws.csv`.
#[must_use]
pub fn draws_header(paths: &[String]) -> String {
    let columns = paths.iter().cloned().chain(DRAWS_HEADER.map(String::from));
    text([columns.collect()])
}

/// A line of `draws.csv`. Infinite limits are `inf` and `-inf`; an undefined number is empty.
#[must_use]
pub fn draw_row(
    values: &[String],
    replicate: u64,
    judge: &str,
    estimator: &str,
    it: &Estimate,
) -> String {
    let number = |it: f64| it.to_string();
    let mut row = values.to_vec();
    row.extend([replicate.to_string(), judge.to_owned(), estimator.to_owned()]);
    row.push(it.value.map(number).unwrap_or_default());
    row.extend([number(it.limits.low), number(it.limits.high)]);
    row.push(it.limits.p.map(number).unwrap_or_default());
    row.push(it.value.err().map(|why| why.0.to_owned()).unwrap_or_default());
    text([row])
}
