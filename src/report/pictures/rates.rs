//! The chart of a corrected rate: what the judge says of a true rate, and what is left after its correction.

use super::super::Estimated;
use super::super::canvas::Dash;
use super::super::charts::lines::{Course, LineChart, Panel, Point, Reference, Series};
use super::super::charts::{Hue, Look, Marker};
use super::super::numbers::points;
use super::{Format, MOST_PANELS, Measure, Picture, Report, Result, size_name, thousands};

const RAW: &str = "corrected-rate/raw";
const TRUE: Look = Look { hue: Hue::Ink, width: 1.2, dash: Dash::Solid, marker: None };
const SAID: Look =
    Look { hue: Hue::Vermilion, width: 2.0, dash: Dash::Dashed, marker: Some(Marker::Square) };

const CORRECTED: Look =
    Look { hue: Hue::Blue, width: 2.0, dash: Dash::Solid, marker: Some(Marker::Circle) };

/// The judge's rate and the corrected one against the true rate, where it takes at least three values.
pub(super) fn rate_chart(report: &Report) -> Option<Picture> {
    let raw = |it: &Result| it.get(RAW)?.value(Measure::True);
    let results: Vec<(&Result, f64)> =
        report.results.iter().filter_map(|it| Some((it, raw(it)?))).collect();
    // The correction to rely on.
    let mut rules = results.first()?.0.estimators.iter();
    let corrected = rules.find(|it| it.rule == "corrected-rate" && it.chosen)?.name.as_str();
    let mut groups: Vec<(String, Vec<(&Result, f64)>)> = Vec::new();
    for it in &results {
        let size = size_name(report, &it.0.values);
        let name =
            if size.is_empty() { it.0.judge.clone() } else { format!("{}, {size}", it.0.judge) };
        match groups.iter_mut().find(|group| group.0 == name) {
            Some(group) => group.1.push(*it),
            None => groups.push((name, vec![*it])),
        }
    }
    groups.retain(|it| 3 <= distinct(&it.1));
    groups.truncate(MOST_PANELS);
    if groups.is_empty() {
        return None;
    }
    let chart = LineChart {
        id: "corrected-rate".to_owned(),
        title: finding(&results, corrected),
        subtitle: format!(
            "Share of answers that pass, mean of {} replicates",
            thousands(report.replicates)
        ),
        interval: "\u{b1}1 standard deviation of the estimates".to_owned(),
        x_label: "true share of answers that pass".to_owned(),
        x_format: Format::Percent,
        y_label: "reported share".to_owned(),
        y_format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        measured: "rate".to_owned(),
        panels: groups.iter().map(|(name, results)| panel(name, results, corrected)).collect(),
        ..LineChart::default()
    };
    Some(Picture::of_lines("corrected-rate".to_owned(), &chart))
}

fn distinct(results: &[(&Result, f64)]) -> usize {
    let mut rates: Vec<f64> = results.iter().map(|it| it.1).collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    rates.len()
}

fn panel(name: &str, results: &[(&Result, f64)], corrected: &str) -> Panel {
    let mut results = results.to_vec();
    results.sort_by(|a, b| a.1.total_cmp(&b.1));
    let points = |rule: &str| -> Vec<Point> {
        results.iter().filter_map(|(it, x)| scattered(it.get(rule)?, *x)).collect()
    };
    let name_of = corrected.rsplit('/').next().unwrap_or(corrected);
    // Cells that differ in more than the rate are no course of anything: their points stand alone.
    let alone = distinct(&results) < results.len();
    let series = |label: &str, look, rule| Series {
        alone,
        ..Series::new(label, look, points(rule), Vec::new())
    };
    let series = vec![
        series("the judge", SAID, RAW),
        series(&format!("corrected ({name_of})"), CORRECTED, corrected),
    ];
    let ends = [results.first(), results.last()].into_iter().flatten();
    let identity = ends.map(|it| (it.1, it.1)).collect();
    let truth =
        Reference { label: "true rate".to_owned(), look: TRUE, line: Course::Along(identity) };
    Panel { name: name.to_owned(), shades: Vec::new(), series, references: vec![truth] }
}

/// The mean of estimates, and one standard deviation to either side.
fn scattered(it: &Estimated, x: f64) -> Option<Point> {
    let (y, sd) = (it.value(Measure::Mean)?, it.value(Measure::EmpiricalSe).unwrap_or(f64::NAN));
    Some(Point { x, y, low: y - sd, high: y + sd })
}

/// The title: the judge's worst error, and what the correction leaves there.
fn finding(results: &[(&Result, f64)], corrected: &str) -> String {
    let sized = results.iter().filter_map(|(it, truth)| {
        let mean = |rule: &str| it.get(rule)?.value(Measure::Mean);
        Some((mean(RAW)? - truth, mean(corrected).map(|it| it - truth), *truth))
    });
    match sized.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) {
        Some((off, left, truth)) => {
            let left = left.map_or(String::new(), |it| {
                format!("; corrected, it is off by {}", points(it.abs()))
            });
            let way = if off < 0.0 { "below" } else { "above" };
            format!(
                "The judge reports {} points {way} a true {}\u{2009}%{left}",
                points(off.abs()),
                points(truth)
            )
        }
        None => "The judge's rate against the true rate".to_owned(),
    }
}
