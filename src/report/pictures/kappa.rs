//! The chart of agreement and kappa: the same errors at different prevalence.

use super::super::axis::{decimals, number};
use super::super::canvas::Dash;
use super::super::charts::lines::{LineChart, Panel, Series};
use super::super::charts::{Hue, Look, Marker};
use super::super::numbers::points;
use super::{
    Format, MOST_PANELS, Measure, Picture, Report, Result, axis_label, mean, others, thousands,
};

const AGREEMENT: &str = "grading/agreement/first";
const KAPPA: &str = "grading/kappa/first";

const LOOKS: [(&str, &str, Look); 2] = [
    (
        AGREEMENT,
        "agreement",
        Look { hue: Hue::Vermilion, width: 2.0, dash: Dash::Dashed, marker: Some(Marker::Square) },
    ),
    (
        KAPPA,
        "kappa",
        Look { hue: Hue::Blue, width: 2.0, dash: Dash::Solid, marker: Some(Marker::Circle) },
    ),
];

/// The path of the share of answers that truly pass.
const PREVALENCE: &str = "world.graded.rate";

/// Agreement and kappa along the prevalence, for each judge beside the others.
pub(super) fn kappa_chart(report: &Report) -> Option<Picture> {
    let axis = report.paths.iter().position(|it| it == PREVALENCE)?;
    let has = |it: &&Result| it.get(AGREEMENT).is_some() && it.get(KAPPA).is_some();
    let results: Vec<&Result> = report.results.iter().filter(has).collect();
    let first = others(&results.first()?.values, axis);
    let mut panels: Vec<(&str, Vec<&Result>)> = Vec::new();
    // Where more than the prevalence varies, the first of the other values is shown.
    for result in results.iter().filter(|it| others(&it.values, axis) == first) {
        match panels.iter_mut().find(|it| it.0 == result.judge) {
            Some(panel) => panel.1.push(result),
            None => panels.push((&result.judge, vec![result])),
        }
    }
    panels.retain(|it| 3 <= it.1.len());
    panels.truncate(MOST_PANELS);
    if panels.is_empty() {
        return None;
    }
    let chart = LineChart {
        id: "kappa".to_owned(),
        title: finding(&panels, axis),
        subtitle: format!(
            "Agreement of a judge with the true grades, and what of it is beyond chance; lines join exact values, markers {} replicates",
            thousands(report.replicates)
        ),
        interval: "95\u{2009}% Monte Carlo interval".to_owned(),
        x_label: axis_label(report, axis),
        x_format: Format::Percent,
        y_label: "agreement, and kappa on the same scale".to_owned(),
        bounds: Some((-1.0, 1.0)),
        measured: "measure".to_owned(),
        panels: panels.iter().map(|(name, results)| panel(name, results, axis)).collect(),
        ..LineChart::default()
    };
    Some(Picture::of_lines("kappa".to_owned(), &chart))
}

fn panel(name: &str, results: &[&Result], axis: usize) -> Panel {
    let x = |it: &Result| it.values[axis].number.unwrap_or(f64::NAN);
    let mut results = results.to_vec();
    results.sort_by(|a, b| x(a).total_cmp(&x(b)));
    let series = LOOKS.into_iter().map(|(rule, label, look)| {
        let exact = results
            .iter()
            .filter_map(|it| Some((x(it), it.get(rule)?.value(Measure::Estimand)?)))
            .collect();
        let points = results.iter().filter_map(|it| mean(it, rule, x(it))).collect();
        Series { alone: true, ..Series::new(label, look, points, exact) }
    });
    Panel { name: name.to_owned(), series: series.collect(), ..Panel::default() }
}

/// The title: the prevalence at which agreement and kappa lie farthest apart.
fn finding(panels: &[(&str, Vec<&Result>)], axis: usize) -> String {
    let value = |it: &Result, rule: &str| it.get(rule)?.value(Measure::Estimand);
    let all = panels.iter().flat_map(|(judge, all)| all.iter().map(move |it| (*judge, *it)));
    let sized =
        all.filter_map(|(judge, it)| Some((judge, it, value(it, AGREEMENT)?, value(it, KAPPA)?)));
    match sized.max_by(|a, b| (a.2 - a.3).total_cmp(&(b.2 - b.3))) {
        Some((judge, it, agreement, kappa)) => format!(
            "Where {}\u{2009}% truly pass, {judge} agrees in {}\u{2009}%, with a kappa of {}",
            number(
                100.0 * it.values[axis].number.unwrap_or(f64::NAN),
                decimals(libm::rint(it.values[axis].number.unwrap_or(f64::NAN) * 1e9) / 1e7)
            ),
            points(agreement),
            number(libm::rint(kappa * 100.0) / 100.0, 2)
        ),
        None => "Agreement and kappa against prevalence".to_owned(),
    }
}
