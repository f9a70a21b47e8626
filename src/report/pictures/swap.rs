//! The chart of the swap study: win rates against the position bias of the judge.

use super::super::CurvePoint;
use super::super::charts::lines::{Course, LineChart, Panel, Reference, Series};
use super::super::charts::swap::{Role, Standard};
use super::super::numbers::points;
use super::{
    Format, Measure, Picture, Report, Result, Value, by_others, group_name, mean, others, safe,
    thousands,
};

const WAYS: [(&str, &str, Role); 4] = [
    ("win-rate/one-order", "one order", Role::OneOrder),
    ("win-rate/other-order", "the other order", Role::OtherOrder),
    ("win-rate/averaged", "both averaged", Role::Averaged),
    ("win-rate/agreed", "agreed pairs only", Role::Agreed),
];

/// Win rate against position bias, for each judge whose position is varied and that is asked in both orders.
pub(super) fn swap_charts(report: &Report) -> Vec<Picture> {
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
    let panels: Vec<Panel> = by_others(&results, axis)
        .into_iter()
        .map(|(others, results)| panel(report, axis, judge, &others, &results))
        .collect();
    let chart = LineChart {
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
        y_format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        measured: "win rate".to_owned(),
        panels,
        ..LineChart::default()
    };
    Some(Picture::of_lines(format!("swap-{}", safe(judge, "judge")), &chart))
}

fn panel(
    report: &Report,
    axis: usize,
    judge: &str,
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
        let points = results.iter().filter_map(|it| mean(it, name, x(&it.values))).collect();
        Series::new(label, role.look(), points, exact)
    });
    let fair: Vec<(f64, f64)> = curve
        .iter()
        .filter_map(|it| Some((x(&it.values), at(it, "win-rate/averaged")?.1?)))
        .collect();
    let mut references = vec![Reference {
        label: "fair judge".into(),
        look: Standard::Fair.look(),
        line: Course::Along(fair),
    }];
    let truth = results.first().and_then(|it| it.get("win-rate/averaged")?.value(Measure::True));
    if let Some(truth) = truth {
        references.insert(
            0,
            Reference {
                label: "truth".into(),
                look: Standard::Truth.look(),
                line: Course::Level(truth),
            },
        );
    }
    let name = group_name(report, axis, values);
    Panel { name, series: series.collect(), references, shades: Vec::new() }
}

fn at(point: &CurvePoint, name: &str) -> Option<(Option<f64>, Option<f64>)> {
    point.estimands.iter().find(|it| it.0 == name).map(|it| (it.1, it.2))
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
