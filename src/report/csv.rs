//! CSV: one row for each cell, judge, estimator and measure; and, on request, one for each replicate's estimate.

use csv::{Terminator, WriterBuilder};

use super::Report;
use crate::estimators::Estimate;
use crate::evidence::Verdict;
use crate::verdicts::{NO_LENGTH, Verdicts};

/// Columns of the draws after the varied paths.
pub const DRAWS_HEADER: [&str; 8] =
    ["replicate", "judge", "estimator", "value", "low", "high", "p", "undefined"];

pub(super) fn text(records: impl IntoIterator<Item = Vec<String>>) -> String {
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

/// A file of verdicts, a row each: `pair,first,second,verdict,judge`, then `repeat`, `length_first`, `length_second`, `gold`
/// and `stratum` where there are such. Verdict and label name the slot.
///
/// Readers call the system A that they meet first; so a row that shows the first system first comes first.
#[must_use]
pub fn verdicts(it: &Verdicts) -> String {
    let rows = &it.ballots;
    let lengths = rows.iter().any(|it| it.length_first != NO_LENGTH);
    let gold = rows.iter().any(|it| it.gold != Verdict::Invalid);
    let told = [1 < it.repeats.len(), lengths, lengths, gold, 1 < it.strata.len()];
    let more = ["repeat", "length_first", "length_second", "gold", "stratum"];
    let some = |all: [String; 5]| all.into_iter().zip(told).filter(|it| it.1).map(|it| it.0);
    let mut header = ["pair", "first", "second", "verdict", "judge"].map(String::from).to_vec();
    header.extend(some(more.map(String::from)));
    let slot = |it: Verdict, none: &str| match it {
        Verdict::First => "first".to_owned(),
        Verdict::Tie => "tie".to_owned(),
        Verdict::Second => "second".to_owned(),
        Verdict::Invalid => none.to_owned(),
    };
    let length = |it: u32| if it == NO_LENGTH { String::new() } else { it.to_string() };
    let leading = rows.iter().position(|it| it.first < it.second).unwrap_or(0);
    let (before, after) = rows.split_at(leading.min(rows.len()));
    let ordered = after.iter().take(1).chain(before).chain(after.iter().skip(1));
    let row = |row: &crate::verdicts::Ballot| {
        let mut cells = vec![
            it.items.name(row.item).to_owned(),
            it.systems.name(row.first).to_owned(),
            it.systems.name(row.second).to_owned(),
            slot(row.verdict, "invalid"),
            it.judges.name(row.judge).to_owned(),
        ];
        cells.extend(some([
            it.repeats.name(row.repeat).to_owned(),
            length(row.length_first),
            length(row.length_second),
            slot(row.gold, ""),
            it.strata.name(row.stratum).to_owned(),
        ]));
        cells
    };
    text(std::iter::once(header).chain(ordered.map(row)))
}
