//! Which charts a report has, and what they show: every number comes from the report.

mod powers;

use super::charts::swap::{Course, Panel, Point, Reference, Role, Series, Standard, SwapChart};
use super::grid::{Grid, Line};
use super::numbers::{plain, points, shortest};
use super::{CurvePoint, Report, Result, Value};
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

/// The charts of a report.
#[must_use]
pub fn pictures(report: &Report) -> Vec<Picture> {
    let mut pictures = swap_charts(report);
    pictures.extend(powers::power_charts(report));
    pictures
}

const WAYS: [(&str, &str, Role); 4] = [
    ("win-rate/one-order", "one order", Role::OneOrder),
    ("win-rate/other-order", "the other order", Role::OtherOrder),
    ("win-rate/averaged", "both averaged", Role::Averaged),
    ("win-rate/agreed", "agreed pairs only", Role::Agreed),
];

/// The most panels of a chart; more cells are told by the tables.
const MOST_PANELS: usize = 6;

/// Win rate against position bias, for each judge whose position is varied and that is asked in both orders.
fn swap_charts(report: &Report) -> Vec<Picture> {
    let varied = report.paths.iter().enumerate();
    let positions = varied.filter_map(|(axis, path)| {
        let judge =
            path.strip_prefix("judges.")?.strip_suffix(".pairwise.position")?.trim_matches('"');
        Some((axis, judge))
    });
    positions.filter_map(|(axis, judge)| swap_chart(report, axis, judge)).collect()
}

fn swap_chart(report: &Report, axis: usize, judge: &str) -> Option<Picture> {
    let results: Vec<&Result> = report
        .results
        .iter()
        .filter(|it| it.judge == judge && it.both_orders && it.get("win-rate/averaged").is_some())
        .collect();
    let first = *results.first()?;
    let mut panels: Vec<(Vec<Value>, Vec<&Result>)> = Vec::new();
    for result in results {
        let others = others(&result.values, axis);
        match panels.iter_mut().find(|panel| panel.0 == others) {
            Some(panel) => panel.1.push(result),
            None => panels.push((others, vec![result])),
        }
    }
    panels.truncate(MOST_PANELS);
    let short = report.short_paths();
    let names: Vec<&String> =
        short.iter().enumerate().filter(|it| it.0 != axis).map(|it| it.1).collect();
    let panels: Vec<Panel> = panels
        .into_iter()
        .map(|(others, results)| panel(report, axis, judge, &names, &others, &results))
        .collect();
    let chart = SwapChart {
        id: format!("swap-{judge}"),
        title: finding(report, judge),
        subtitle: format!(
            "Win rate of {}; lines are exact, markers {} replicates",
            first.systems[0],
            thousands(report.replicates)
        ),
        interval: "95 % Monte Carlo interval".to_owned(),
        x_label: "position bias (log-odds)".to_owned(),
        y_label: format!("win rate of {}", first.systems[0]),
        panels,
    };
    let name = if judge.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        judge
    } else {
        "judge"
    };
    Some(Picture {
        name: format!("swap-{name}"),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(&chart),
    })
}

/// The simulated points of a chart beside the exact values at the same place.
fn data(chart: &SwapChart) -> Grid {
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
    let head = ["panel", "win rate", &chart.x_label, "exact", "simulated", "low", "high"];
    Grid { head: head.map(str::to_owned).to_vec(), words: 2, rows, ..Grid::default() }
}

fn others(values: &[Value], axis: usize) -> Vec<Value> {
    values.iter().enumerate().filter(|it| it.0 != axis).map(|it| it.1.clone()).collect()
}

fn panel(
    report: &Report,
    axis: usize,
    judge: &str,
    names: &[&String],
    values: &[Value],
    results: &[&Result],
) -> Panel {
    let curve: Vec<&CurvePoint> = report
        .curve
        .iter()
        .filter(|it| it.judge == judge && others(&it.values, axis) == values)
        .collect();
    let x = |values: &[Value]| values[axis].number.unwrap_or(f64::NAN);
    let series = WAYS.iter().map(|(name, label, role)| {
        let exact = curve.iter().filter_map(|it| Some((x(&it.values), at(it, name)?.0?))).collect();
        let points = results.iter().filter_map(|it| point(it, name, x(&it.values))).collect();
        Series { label: (*label).to_owned(), role: *role, points, exact }
    });
    let fair: Vec<(f64, f64)> = curve
        .iter()
        .filter_map(|it| Some((x(&it.values), at(it, "win-rate/averaged")?.1?)))
        .collect();
    let mut references = vec![Reference {
        label: "fair judge".into(),
        kind: Standard::Fair,
        line: Course::Along(fair),
    }];
    let truth = results.first().and_then(|it| it.get("win-rate/averaged")?.value(Measure::True));
    if let Some(truth) = truth {
        references.insert(
            0,
            Reference { label: "truth".into(), kind: Standard::Truth, line: Course::Level(truth) },
        );
    }
    let name: Vec<String> = names
        .iter()
        .zip(values)
        .map(|(name, value)| {
            if *name == "pairs" {
                format!("{} pairs", value.text)
            } else {
                format!("{name} {}", value.text)
            }
        })
        .collect();
    Panel { name: name.join(", "), series: series.collect(), references }
}

fn at(point: &CurvePoint, name: &str) -> Option<(Option<f64>, Option<f64>)> {
    point.estimands.iter().find(|it| it.0 == name).map(|it| (it.1, it.2))
}

fn point(result: &Result, name: &str, x: f64) -> Option<Point> {
    let mean = result.get(name)?.get(Measure::Mean)?;
    let (y, half) = (mean.value?, 1.96 * mean.mcse.unwrap_or(f64::NAN));
    Some(Point { x, y, low: y - half, high: y + half })
}

/// The title: what is left, at the strongest bias.
fn finding(report: &Report, judge: &str) -> String {
    let beyond = |it: &Result, name: &str| {
        let it = it.get(name)?;
        Some(it.value(Measure::Estimand)? - it.value(Measure::Fair)?)
    };
    let mine = report.results.iter().filter(|it| it.judge == judge);
    let sized = mine.filter_map(|it| {
        Some((beyond(it, "win-rate/one-order")?, beyond(it, "win-rate/averaged")?))
    });
    match sized.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) {
        Some((one, left)) if 5e-4 < left.abs() && 5e-4 < one.abs() => format!(
            "One order moves the win rate by {} points; averaging both leaves {}",
            points(one).replace('-', "−"),
            points(left).replace('-', "−")
        ),
        Some(_) => "Averaging the two orders cancels the position bias here".to_owned(),
        None => "Win rate against position bias".to_owned(),
    }
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
