//! The chart of competing intervals: how often each holds what it should.

use super::super::axis::percent;
use super::super::canvas::Dash;
use super::super::charts::dots::{Dot, DotChart, Group, Row};
use super::super::charts::{Hue, Look, Marker};
use super::super::grid::Grid;
use super::super::numbers::plain;
use super::super::{Estimated, Measured};
use super::{Format, Measure, Picture, Report, Result, cell_name, thousands};

/// The most cells and the most rows of a chart; more are told by the tables.
const MOST_CELLS: usize = 8;
const MOST_ROWS: usize = 40;

const HOLDS: Look =
    Look { hue: Hue::Blue, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Circle) };
const SHORT: Look =
    Look { hue: Hue::Vermilion, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Square) };
const WIDE: Look =
    Look { hue: Hue::Green, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Diamond) };
/// So many Monte Carlo errors below its level, an interval falls short; a bar reaches two of them.
const CERTAIN: f64 = 3.3;
const NOMINAL: Look = Look { hue: Hue::Ink, width: 1.2, dash: Dash::Dashed, marker: None };

/// The coverage of the first rule that states several intervals for the same number, in at most eight cells.
pub(super) fn coverage_chart(report: &Report) -> Option<Picture> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for result in &report.results {
        for it in &result.estimators {
            let name = (result.judge.as_str(), it.rule.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.into_iter().find_map(|(judge, rule)| chart(report, judge, rule))
}

/// The variants of a rule with a coverage, if there are several and all should say the same.
fn variants<'r>(result: &'r Result, rule: &str) -> Vec<&'r Estimated> {
    let covered = |it: &&Estimated| it.rule == rule && coverage(it).is_some();
    let all: Vec<&Estimated> = result.estimators.iter().filter(covered).collect();
    let aim = |it: &Estimated| it.value(Measure::Estimand);
    let same = all.windows(2).all(|pair| match (aim(pair[0]), aim(pair[1])) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    });
    // Where none is to be relied on, the variants are no rivals.
    let rivals = 1 < all.len() && all.iter().any(|it| it.chosen);
    if same && rivals { all } else { Vec::new() }
}

/// A coverage with its interval.
fn coverage(it: &Estimated) -> Option<&Measured> {
    it.get(Measure::Coverage).filter(|it| it.value.is_some() && it.interval.is_some())
}

fn chart(report: &Report, judge: &str, rule: &str) -> Option<Picture> {
    let mine = report.results.iter().filter(|it| it.judge == judge);
    let cells: Vec<(&Result, Vec<&Estimated>)> =
        mine.map(|it| (it, variants(it, rule))).filter(|it| !it.1.is_empty()).collect();
    let rows: usize = cells.iter().map(|it| it.1.len()).sum();
    if cells.is_empty() || MOST_CELLS < cells.len() || MOST_ROWS < rows {
        return None;
    }
    let groups = cells.iter().map(|(result, all)| Group {
        name: cell_name(report, &result.values),
        rows: all.iter().map(|it| row(it, report.level)).collect(),
    });
    let chart = DotChart {
        id: "coverage".to_owned(),
        title: finding(report, &cells, rule),
        subtitle: format!(
            "Share of {} replicates whose interval holds what {rule} of {judge} should say; bar = 95\u{2009}% Wilson interval",
            thousands(report.replicates)
        ),
        x_label: "coverage".to_owned(),
        format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        groups: groups.collect(),
        references: vec![(report.level, format!("nominal {}", nominal(report)), NOMINAL)],
        keys: vec![
            ("nominal within the bar".to_owned(), HOLDS),
            ("less than nominal".to_owned(), SHORT),
            ("more than nominal".to_owned(), WIDE),
        ],
    };
    Some(Picture {
        name: "coverage".to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(&cells, report),
    })
}

fn row(it: &Estimated, level: f64) -> Row {
    let dot = coverage(it).and_then(|it| {
        let [low, high] = it.interval?;
        let look = match (low <= level, level <= high) {
            (true, true) => HOLDS,
            (_, false) => SHORT,
            (false, true) => WIDE,
        };
        Some(Dot { x: it.value?, low, high, look })
    });
    let name = if it.variant.is_empty() { &it.rule } else { &it.variant };
    let name = if it.chosen { format!("{name} *") } else { name.clone() };
    Row { name, dots: dot.into_iter().collect() }
}

fn data(cells: &[(&Result, Vec<&Estimated>)], report: &Report) -> Grid {
    let mut rows = Vec::new();
    for (result, all) in cells {
        for it in all {
            let Some((value, [low, high])) =
                coverage(it).and_then(|it| Some((it.value?, it.interval?)))
            else {
                continue;
            };
            let mut cells = vec![cell_name(report, &result.values), it.name.clone()];
            cells.extend([value, low, high].map(plain));
            rows.push(cells.into());
        }
    }
    let head = ["cell", "interval", "coverage", "low", "high"].map(str::to_owned).to_vec();
    Grid { head, words: 2, rows, ..Grid::default() }
}

/// The level with its decimals.
pub(super) fn nominal(report: &Report) -> String {
    let digits = super::super::axis::decimals(libm::rint(report.level * 1e9) / 1e7);
    percent(report.level, digits)
}

/// The title: which intervals fall short of their level, the worst by how much, and whether the chosen one does.
fn finding(report: &Report, cells: &[(&Result, Vec<&Estimated>)], rule: &str) -> String {
    let all = || cells.iter().flat_map(|(cell, all)| all.iter().map(move |it| (*cell, *it)));
    let short = |it: &Estimated| {
        let by = |it: &Measured| Some(it.value? + CERTAIN * it.mcse?);
        coverage(it).and_then(by).is_some_and(|most| most < report.level)
    };
    let covers = |it: &Estimated| coverage(it).and_then(|it| it.value).unwrap_or(f64::NAN);
    let nominal = nominal(report);
    let mut names: Vec<&str> = Vec::new();
    for (_, it) in all().filter(|it| short(it.1)) {
        if !names.contains(&it.variant.as_str()) {
            names.push(&it.variant);
        }
    }
    let worst = all().filter(|it| short(it.1)).min_by(|a, b| covers(a.1).total_cmp(&covers(b.1)));
    let Some((cell, worst)) = worst else {
        return format!("No interval for {rule} falls short of its {nominal}");
    };
    let at = cell_name(report, &cell.values);
    let at = if at.is_empty() { String::new() } else { format!(" (at {at})") };
    let chosen =
        all().map(|it| it.1).filter(|it| it.chosen && !names.contains(&it.variant.as_str()));
    let least = chosen.min_by(|a, b| covers(a).total_cmp(&covers(b)));
    let least = least.map_or(String::new(), |it| {
        format!("; {} never less than {}", it.variant, percent(covers(it), 1))
    });
    format!(
        "A {nominal} interval for {rule} may hold {}: {}{at}{least}",
        percent(covers(worst), 1),
        worst.variant
    )
}
