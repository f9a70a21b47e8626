//! The chart of a length slope: the scores of one replicate over the lengths of the answers, the fitted line and the planted one.

use super::super::axis::{decimals, number};
use super::super::canvas::Dash;
use super::super::charts::scatter::{Cloud, ScatterChart, kept};
use super::super::charts::{Hue, Look};
use super::super::grid::{Grid, Line};
use super::super::numbers::plain;
use super::super::scatter::Scored;
use super::coverage::nominal;
use super::{Picture, Report};

const PLANTED: Look = Look { hue: Hue::Vermilion, width: 2.0, dash: Dash::Dashed, marker: None };

/// Scores of one replicate over lengths, with the fitted and the planted slope.
pub(super) fn lengths_chart(report: &Report) -> Option<Picture> {
    let first = report.scored.first()?;
    let panels: Vec<Cloud> = report.scored.iter().map(|it| cloud(report, it)).collect();
    let planted = if first.planted.is_some() {
        "; dashed: what was planted, before rounding and clipping to the scale"
    } else {
        ""
    };
    let all = report.scored.iter().map(|it| it.scores.every).max().unwrap_or(1);
    let chart = ScatterChart {
        id: "length-slope".to_owned(),
        title: finding(&report.scored),
        subtitle: format!(
            "Scores of replicate {}, a line for each case{}; thick: the slope fitted by {}, shaded: its {} interval ({}){planted}",
            first.replicate,
            kept(all, true),
            first.estimator,
            nominal(report),
            intervals(&report.scored),
        ),
        x_label: "length of the answer in words (log scale)".to_owned(),
        y_label: "score".to_owned(),
        cluster: "one case".to_owned(),
        whole: true,
        panels,
    };
    Some(Picture {
        name: chart.id.clone(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(&report.scored, &chart.panels),
    })
}

fn cloud(report: &Report, it: &Scored) -> Cloud {
    let mut cloud = Cloud::of(&it.scores);
    let mut names = vec![slopes(it)];
    let judges = || report.scored.iter().map(|it| &it.judge);
    if judges().any(|name| *name != it.judge) {
        names.insert(0, it.judge.clone());
    }
    cloud.name = if report.scored.len() == 1 { String::new() } else { names.join(": ") };
    if let Some(planted) = it.planted {
        let [x, y] = planted.through;
        cloud.add("planted", PLANTED, |at| y + planted.slope * (at - x));
    }
    cloud.fit(&it.scores, it.slope, [it.low, it.high]);
    cloud
}

/// A slope as it is told: two decimals, a true minus.
fn slope(value: f64) -> String {
    number(value, 2)
}

/// A planted slope: as it was written.
fn written(value: f64) -> String {
    number(value, decimals(value))
}

/// `planted 0.6, fitted 0.36`.
fn slopes(it: &Scored) -> String {
    let fitted =
        it.slope.map_or_else(|| "no slope".to_owned(), |it| format!("fitted {}", slope(it)));
    match it.planted {
        Some(planted) => format!("planted {}, {fitted}", written(planted.slope)),
        None => fitted,
    }
}

/// The intervals, panel by panel.
fn intervals(all: &[Scored]) -> String {
    let one = |it: &Scored| {
        let end = |it: Option<f64>, open: &str| it.map_or_else(|| open.to_owned(), slope);
        format!("{} to {}", end(it.low, "\u{2212}\u{221e}"), end(it.high, "\u{221e}"))
    };
    all.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn finding(all: &[Scored]) -> String {
    let fitted = list(all.iter().map(|it| it.slope), slope);
    if all.iter().any(|it| it.planted.is_none()) {
        return format!("One round of scores shows {fitted} points per doubling of length");
    }
    let planted = || all.iter().map(|it| it.planted.map(|it| it.slope));
    let expected = list(all.iter().map(|it| it.expected), slope);
    let clipped = if expected == list(planted(), slope) {
        String::new()
    } else {
        format!("; expected are {expected}, because the scale ends")
    };
    format!(
        "Planted {} points per doubling of length, one round of scores shows {fitted}{clipped}",
        list(planted(), written)
    )
}

/// `0, 0.6 and -0.4`.
fn list(values: impl Iterator<Item = Option<f64>>, tell: fn(f64) -> String) -> String {
    let told: Vec<String> = values.map(|it| it.map_or_else(|| "none".to_owned(), tell)).collect();
    match told.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => told.concat(),
    }
}

/// Every point beside the fitted and the planted value at its length.
fn data(all: &[Scored], panels: &[Cloud]) -> Grid {
    let mut rows = Vec::new();
    for (it, panel) in all.iter().zip(panels) {
        let cases = it.scores.points.iter().enumerate();
        for (case, [x, y]) in cases.flat_map(|(k, points)| points.iter().map(move |at| (k, at))) {
            let fitted =
                it.slope.map_or_else(|| "–".to_owned(), |slope| plain(it.scores.at(slope, *x)));
            let planted = it.planted.map_or_else(
                || "–".to_owned(),
                |line| plain(line.through[1] + line.slope * (x - line.through[0])),
            );
            let case = case as u64 * it.scores.every + 1;
            rows.push(Line::from(vec![
                panel.name.clone(),
                case.to_string(),
                plain(*x),
                number(*y, 0),
                fitted,
                planted,
            ]));
        }
    }
    let head = ["panel", "case", "log2 of the words", "score", "fitted", "planted"];
    Grid { head: head.map(str::to_owned).to_vec(), words: 1, rows, ..Grid::default() }
}
