//! The chart of rankings: how often the system that should be ahead is not, against the number of pairs or cases.

use super::super::axis::percent;
use super::super::canvas::Dash;
use super::super::charts::lines::{LineChart, Panel, Point, Series};
use super::super::charts::{Hue, Look, Marker};
use super::{
    Format, MOST_PANELS, Measure, Picture, Report, Result, Value, group_name, others, thousands,
};

/// The rankings by first system, and what says how often both are level.
const RULES: [(&str, Option<&str>); 2] =
    [("ranking/first-ahead", Some("ranking/level")), ("ranking/one-order", None)];

/// The look of a judge by its place.
fn look(k: usize) -> Look {
    let (hue, dash, marker) = match k % 4 {
        0 => (Hue::Blue, Dash::Solid, Marker::Circle),
        1 => (Hue::Vermilion, Dash::Dashed, Marker::Square),
        2 => (Hue::Green, Dash::DashDot, Marker::Diamond),
        _ => (Hue::Purple, Dash::Dotted, Marker::Triangle),
    };
    Look { hue, width: 2.0, dash, marker: Some(marker) }
}

/// The error of the ranking along the number of pairs or cases, a line for each judge, a plot for each other value.
pub(super) fn ranking_chart(report: &Report) -> Option<Picture> {
    let sizes = ["pairs", "cases"];
    let axis = report
        .paths
        .iter()
        .position(|path| path.rsplit('.').next().is_some_and(|key| sizes.contains(&key)))?;
    let (mut panels, mut judges): (Vec<Vec<Value>>, Vec<&str>) = (Vec::new(), Vec::new());
    for result in report.results.iter().filter(|it| error(it, axis).is_some()) {
        let group = others(&result.values, axis);
        if !panels.contains(&group) {
            panels.push(group);
        }
        if !judges.contains(&result.judge.as_str()) {
            judges.push(&result.judge);
        }
    }
    panels.truncate(MOST_PANELS);
    judges.truncate(4);
    let panels: Vec<Panel> =
        panels.iter().map(|group| panel(report, axis, group, &judges)).collect();
    let points = || panels.iter().flat_map(|it| &it.series).flat_map(|it| &it.points);
    if !panels.iter().flat_map(|it| &it.series).any(|it| 3 <= it.points.len()) {
        return None;
    }
    let (least, most) =
        points().fold((f64::INFINITY, 0.0_f64), |(a, b), it| (a.min(it.x), b.max(it.x)));
    let short = report.short_paths().swap_remove(axis);
    let chart = LineChart {
        id: "ranking".to_owned(),
        title: finding(&panels, &short),
        subtitle: format!(
            "Share of {} replicates in which the system that should be ahead is behind or level",
            thousands(report.replicates)
        ),
        interval: "95\u{2009}% Monte Carlo interval".to_owned(),
        by_ratio: 8.0 * least <= most,
        x_label: if 8.0 * least <= most { format!("{short} (log scale)") } else { short },
        y_label: "ranked wrongly or not at all".to_owned(),
        y_format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        measured: "judge".to_owned(),
        panels,
        ..LineChart::default()
    };
    Some(Picture::of_lines("ranking".to_owned(), &chart))
}

/// The share of replicates in which the system that should be ahead is not, with its interval.
fn error(result: &Result, axis: usize) -> Option<Point> {
    let (rule, level) = RULES.into_iter().find(|it| result.get(it.0).is_some())?;
    let mean = |name: &str| result.get(name)?.value(Measure::Mean);
    let ahead = mean(rule)?;
    let first = 0.5 < result.get(rule)?.value(Measure::Estimand)?;
    let y = if first { 1.0 - ahead } else { ahead + level.map_or(Some(0.0), mean)? };
    let n = result.get(rule)?.get(Measure::Mean)?.replicates?;
    let half = 1.96 * libm::sqrt((y * (1.0 - y)).max(0.0) / n as f64);
    Some(Point { x: result.values[axis].number?, y, low: y - half, high: y + half })
}

fn panel(report: &Report, axis: usize, group: &[Value], judges: &[&str]) -> Panel {
    let series = judges.iter().enumerate().filter_map(|(k, judge)| {
        let mine = report
            .results
            .iter()
            .filter(|it| it.judge == **judge && others(&it.values, axis) == group);
        let mut points: Vec<Point> = mine.filter_map(|it| error(it, axis)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        (!points.is_empty()).then(|| Series::new(judge, look(k), points, Vec::new()))
    });
    Panel { name: group_name(report, axis, group), series: series.collect(), ..Panel::default() }
}

/// The title: the error at the fewest and at the most, of the line that starts highest.
fn finding(panels: &[Panel], size: &str) -> String {
    let lines = panels.iter().flat_map(|it| &it.series);
    let ends = lines.filter_map(|it| Some((it.points.first()?, it.points.last()?)));
    match ends.max_by(|a, b| a.0.y.total_cmp(&b.0.y)) {
        Some((few, many)) => format!(
            "The wrong system or none is ahead in {} of the tests with {} {size}, in {} with {}",
            percent(few.y, 1),
            few.x,
            percent(many.y, 1),
            many.x
        ),
        None => "Ranking errors".to_owned(),
    }
}
