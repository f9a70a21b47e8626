//! Which charts a report has, and what they show: every number comes from the report. The shape of the report decides
//! which charts apply; the first is the main one.

mod coverage;
mod flips;
mod kappa;
mod lengths;
mod powers;
mod ranking;
mod rates;
mod recovery;
mod slices;
mod swap;

use super::axis::Format;
use super::charts::lines::{LineChart, Point};
use super::grid::{Grid, Line};
use super::numbers::{plain, shortest};
use super::{Report, Result, Value};
use crate::study::Measure;

/// A chart: the stem of its file name, and its SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The stem of its file name.
    pub name: String,
    /// The SVG text.
    pub svg: String,
    /// What it shows, in a sentence.
    pub caption: String,
    /// Its numbers.
    pub data: Grid,
}

/// The most charts of a report; the tables tell the rest.
const MOST: usize = 4;

/// The charts of a report, the main one first.
#[must_use]
pub fn pictures(report: &Report) -> Vec<Picture> {
    let mut pictures = swap::swap_charts(report);
    pictures.extend(rates::rate_chart(report));
    pictures.extend(kappa::kappa_chart(report));
    pictures.extend(slices::slices_chart(report));
    pictures.extend(lengths::lengths_chart(report));
    pictures.extend(powers::power_charts(report));
    pictures.extend(flips::flip_charts(report));
    pictures.extend(ranking::ranking_chart(report));
    pictures.extend(recovery::recovery_chart(report));
    pictures.extend(coverage::coverage_chart(report));
    pictures.truncate(MOST);
    pictures
}

/// The most panels of a chart; more cells are told by the tables.
const MOST_PANELS: usize = 6;

impl Picture {
    /// The picture of lines over a number.
    fn of_lines(name: String, chart: &LineChart) -> Self {
        Self {
            name,
            svg: chart.svg(),
            caption: format!("{}. {}.", chart.title, chart.subtitle),
            data: data(chart),
        }
    }
}

/// The simulated points of a chart beside the exact values at the same place.
fn data(chart: &LineChart) -> Grid {
    let mut rows = Vec::new();
    for panel in &chart.panels {
        for series in &panel.series {
            rows.extend(series.points.iter().map(|it| {
                let exact = series.exact.iter().find(|at| (at.0 - it.x).abs() < 1e-12);
                let mut cells = vec![panel.name.clone(), series.label.clone(), shortest(it.x)];
                cells.push(exact.map_or_else(|| "–".to_owned(), |at| plain(at.1)));
                cells.extend([it.y, it.low, it.high].map(plain));
                Line::from(cells)
            }));
        }
    }
    let what = if chart.measured.is_empty() { "line" } else { &chart.measured };
    let head = ["panel", what, &chart.x_label, "exact", "simulated", "low", "high"];
    Grid { head: head.map(str::to_owned).to_vec(), words: 2, rows, ..Grid::default() }
}

/// The values of all varied paths but one.
fn others(values: &[Value], axis: usize) -> Vec<Value> {
    values.iter().enumerate().filter(|it| it.0 != axis).map(|it| it.1.clone()).collect()
}

/// Results that agree in all varied paths but one, in the order of their first; six groups at most.
fn by_others<'r>(results: &[&'r Result], axis: usize) -> Vec<(Vec<Value>, Vec<&'r Result>)> {
    let mut groups: Vec<(Vec<Value>, Vec<&Result>)> = Vec::new();
    for result in results {
        let others = others(&result.values, axis);
        match groups.iter_mut().find(|group| group.0 == others) {
            Some(group) => group.1.push(result),
            None => groups.push((others, vec![result])),
        }
    }
    groups.truncate(MOST_PANELS);
    groups
}

/// What sets a group apart: `14 pairs, ability 2`.
fn group_name(report: &Report, axis: usize, values: &[Value]) -> String {
    let short = report.short_paths();
    let names = short.iter().enumerate().filter(|it| it.0 != axis).map(|it| it.1);
    let parts = names.zip(values).map(|(name, value)| {
        let text = &value.text;
        if matches!(name.as_str(), "pairs" | "cases") {
            format!("{text} {name}")
        } else {
            format!("{name} {text}")
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// A cell in words: `position 1.2, 14 pairs`; empty where nothing varies.
fn cell_name(report: &Report, values: &[Value]) -> String {
    group_name(report, usize::MAX, values)
}

/// The number of pairs or cases of a cell, where it varies: `14 pairs`.
fn size_name(report: &Report, values: &[Value]) -> String {
    let sizes = report.short_paths().into_iter().zip(values);
    let mut sizes = sizes.filter(|(name, _)| matches!(name.as_str(), "pairs" | "cases"));
    sizes.next().map(|(name, value)| format!("{} {name}", value.text)).unwrap_or_default()
}

/// A varied number along the bottom of a chart, with its unit.
fn axis_label(report: &Report, axis: usize) -> String {
    let path = report.paths[axis].as_str();
    let short = report.short_paths().swap_remove(axis);
    match path.rsplit('.').next().unwrap_or(path) {
        "position" if path.starts_with("judges.") => "position bias (log-odds)".to_owned(),
        "ability" if path.starts_with("judges.") => {
            "ability (log-odds per unit of true difference)".to_owned()
        }
        "rate" if path.starts_with("world.") => "share of answers that truly pass".to_owned(),
        _ => short,
    }
}

/// The mean estimate of a rule with its 95 % Monte Carlo interval.
fn mean(result: &Result, name: &str, x: f64) -> Option<Point> {
    let mean = result.get(name)?.get(Measure::Mean)?;
    let (y, half) = (mean.value?, 1.96 * mean.mcse.unwrap_or(f64::NAN));
    Some(Point { x, y, low: y - half, high: y + half })
}

/// A name that a file may bear.
fn safe<'n>(name: &'n str, instead: &'n str) -> &'n str {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.chars().all(plain) { name } else { instead }
}

/// A count with thin spaces between thousands.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if 0 < k && (digits.len() - k).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
