//! The chart of the flips: how many are noise, and how many a preference for a position adds.

use super::super::CurvePoint;
use super::super::canvas::Dash;
use super::super::charts::lines::{LineChart, Panel, Series, Shade};
use super::super::charts::{Hue, Look, Marker};
use super::super::numbers::points;
use super::{
    Format, Measure, Picture, Report, Result, Value, axis_label, by_others, group_name, mean,
    others, safe, thousands,
};

const RULE: &str = "flip-rate";
const RATE: Look =
    Look { hue: Hue::Vermilion, width: 2.0, dash: Dash::Solid, marker: Some(Marker::Circle) };
const FLOOR: Look = Look { hue: Hue::Blue, width: 2.0, dash: Dash::Dashed, marker: None };

/// The flip rate above its noise floor along a varied number of a judge: one chart for each judge that varies, of its first
/// such number (position before ability).
pub(super) fn flip_charts(report: &Report) -> Vec<Picture> {
    let mut judges: Vec<&str> = Vec::new();
    for result in report.results.iter().filter(|it| parts(it).is_some()) {
        if !judges.contains(&result.judge.as_str()) {
            judges.push(&result.judge);
        }
    }
    judges.into_iter().filter_map(|judge| chart(report, judge)).collect()
}

/// The noise floor and the flip rate, exactly.
fn parts(result: &Result) -> Option<(f64, f64)> {
    let it = result.get(RULE)?;
    Some((it.value(Measure::Floor)?, it.value(Measure::Estimand)?))
}

fn chart(report: &Report, judge: &str) -> Option<Picture> {
    let of = |key: &str| {
        report.paths.iter().position(|path| {
            let path = path.strip_prefix("judges.").and_then(|it| it.strip_suffix(key));
            path.is_some_and(|it| it.trim_matches('"') == judge)
        })
    };
    let axis = of(".pairwise.position").or_else(|| of(".pairwise.ability"))?;
    let results: Vec<&Result> = report
        .results
        .iter()
        .filter(|it| it.judge == judge && parts(it).is_some() && it.values[axis].number.is_some())
        .collect();
    // Pairs change neither part: only the last of cells that say the same is shown.
    let mut panels: Vec<Panel> = Vec::new();
    let groups = by_others(&results, axis);
    let several = 1 < groups.len();
    for (others, results) in groups {
        let name = group_name(report, axis, &others);
        let panel = panel(axis, name, &results, between(report, axis, &others, &results));
        match panels.iter_mut().find(|it| it.shades == panel.shades) {
            Some(same) => *same = panel,
            None => panels.push(panel),
        }
    }
    if let ([panel], true) = (panels.as_mut_slice(), several) {
        panel.name.clear();
    }
    if panels.iter().all(|it| it.shades[0].edges.len() < 2) {
        return None;
    }
    let chart = LineChart {
        id: format!("flips-{judge}"),
        title: finding(&results, judge),
        subtitle: format!(
            "Share of pairs whose verdict changes when the order does; lines are exact, markers {} replicates",
            thousands(report.replicates)
        ),
        interval: "95\u{2009}% Monte Carlo interval".to_owned(),
        x_label: axis_label(report, axis),
        y_label: "pairs that flip".to_owned(),
        y_format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        measured: "flips".to_owned(),
        panels,
        ..LineChart::default()
    };
    Some(Picture::of_lines(format!("flips-{}", safe(judge, "judge")), &chart))
}

/// Noise floor and flip rate between the cells, where the position is varied: it does not move the floor.
fn between(
    report: &Report,
    axis: usize,
    beside: &[Value],
    results: &[&Result],
) -> Vec<(f64, f64, f64)> {
    let first = results.first().filter(|_| report.paths[axis].ends_with(".position"));
    let Some((first, (floor, _))) = first.and_then(|it| Some((it, parts(it)?))) else {
        return Vec::new();
    };
    let curve = report
        .curve
        .iter()
        .filter(|it| it.judge == first.judge && others(&it.values, axis) == beside);
    let point = |it: &CurvePoint| {
        let rate = it.estimands.iter().find(|it| it.0 == RULE)?.1?;
        Some((it.values[axis].number?, floor, rate))
    };
    curve.filter_map(point).collect()
}

/// A plot: exact values at the cells and between them, and what was simulated.
fn panel(axis: usize, name: String, results: &[&Result], between: Vec<(f64, f64, f64)>) -> Panel {
    let x = |it: &Result| it.values[axis].number.unwrap_or(f64::NAN);
    let mut results = results.to_vec();
    results.sort_by(|a, b| x(a).total_cmp(&x(b)));
    let at_cells =
        results.iter().filter_map(|it| parts(it).map(|(floor, rate)| (x(it), floor, rate)));
    let mut exact: Vec<(f64, f64, f64)> = at_cells.chain(between).collect();
    exact.sort_by(|a, b| a.0.total_cmp(&b.0));
    exact.dedup_by(|a, b| (a.0 - b.0).abs() < 1e-12);
    let simulated = results.iter().filter_map(|it| mean(it, RULE, x(it))).collect();
    let rates = exact.iter().map(|it| (it.0, it.2)).collect();
    let floors = exact.iter().map(|it| (it.0, it.1)).collect();
    let noise = exact.iter().map(|it| (it.0, 0.0, it.1)).collect();
    Panel {
        name,
        shades: vec![
            Shade { label: "noise".to_owned(), hue: FLOOR.hue, edges: noise },
            Shade { label: "added by the position".to_owned(), hue: RATE.hue, edges: exact },
        ],
        series: vec![
            Series { alone: true, ..Series::new("all flips", RATE, simulated, rates) },
            Series {
                alone: true,
                ..Series::new("without a position preference", FLOOR, Vec::new(), floors)
            },
        ],
        references: Vec::new(),
    }
}

/// The title: the two parts where the position adds most.
fn finding(results: &[&Result], judge: &str) -> String {
    let all = results.iter().filter_map(|it| parts(it));
    match all.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))) {
        Some((floor, rate)) if 5e-4 < rate - floor => format!(
            "{}\u{2009}% of {judge}'s pairs flip; {} points of that are noise without any position preference",
            points(rate),
            points(floor)
        ),
        _ => format!("{judge}'s flips are noise: the position adds none"),
    }
}
