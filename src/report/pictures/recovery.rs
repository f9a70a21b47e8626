//! The chart of recovery: what was planted against what is estimated.

use super::super::Estimated;
use super::super::axis::percent;
use super::super::canvas::Dash;
use super::super::charts::lines::{Course, LineChart, Panel, Point, Reference, Series};
use super::super::charts::{Hue, Look, Marker};
use super::super::grid::Grid;
use super::super::numbers::{plain, significant};
use super::coverage::nominal;
use super::{MOST_PANELS, Measure, Picture, Report, Result, size_name, thousands};

/// The units in which parameters of a judge are planted.
const PLANTED: [&str; 3] = ["log-odds", "score points per doubling", "score points"];
const IDENTITY: Look = Look { hue: Hue::Ink, width: 1.2, dash: Dash::Solid, marker: None };
/// The most rules of a chart.
const MOST_RULES: usize = 4;

/// The look of a rule by its place.
fn look(k: usize) -> Look {
    let (hue, marker) = match k % MOST_RULES {
        0 => (Hue::Blue, Marker::Circle),
        1 => (Hue::Vermilion, Marker::Square),
        2 => (Hue::Green, Marker::Diamond),
        _ => (Hue::Purple, Marker::Triangle),
    };
    Look { hue, width: 2.0, dash: Dash::Solid, marker: Some(marker) }
}

/// A planted parameter and its estimates.
struct Found<'r> {
    judge: &'r str,
    /// The size of the design and the judge, where these vary.
    panel: String,
    rule: &'r Estimated,
    /// What the rule should say: the planted parameter, or what the protocol leaves of it.
    planted: f64,
    mean: f64,
    sd: f64,
    coverage: Option<f64>,
}

/// Planted parameters against their estimates, where at least three are planted.
pub(super) fn recovery_chart(report: &Report) -> Option<Picture> {
    let unit = PLANTED.into_iter().find(|unit| enough(report, unit))?;
    let found = found(report, unit);
    let mut rules: Vec<&str> = Vec::new();
    let mut panels: Vec<&str> = Vec::new();
    for it in &found {
        if !rules.contains(&it.rule.name.as_str()) {
            rules.push(&it.rule.name);
        }
        if !panels.contains(&it.panel.as_str()) {
            panels.push(&it.panel);
        }
    }
    let (all, shown) = (panels.len(), panels.len().min(MOST_PANELS));
    panels.truncate(shown);
    rules.truncate(MOST_RULES);
    let ends = found.iter().flat_map(|it| [it.planted, it.mean]);
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let word = if found.iter().all(is_planted) { "planted" } else { "expected" };
    let panels = panels.into_iter().map(|name| panel(name, word, &found, &rules, (low, high)));
    let mut more = if shown < all { format!("; {shown} of {all} designs") } else { String::new() };
    if found.iter().any(|it| it.rule.get(Measure::Mean).is_some_and(|it| 0 < it.undefined)) {
        more.push_str("; replicates without an estimate are left out of the mean");
    }
    let chart = LineChart {
        id: "recovery".to_owned(),
        title: finding(&found, word),
        subtitle: format!(
            "Mean of {} estimates, bar = \u{b1}1 standard deviation of them; beside it the coverage of their intervals, level {}{more}",
            thousands(report.replicates),
            nominal(report)
        ),
        x_label: format!("{word} ({unit})"),
        y_label: format!("estimated ({unit})"),
        panels: panels.collect(),
        ..LineChart::default()
    };
    Some(Picture {
        name: "recovery".to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(&found),
    })
}

/// Whether at least three different parameters are planted in a unit.
fn enough(report: &Report, unit: &str) -> bool {
    let mut planted: Vec<f64> = found(report, unit).iter().map(|it| it.planted).collect();
    planted.sort_by(f64::total_cmp);
    planted.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    3 <= planted.len()
}

fn found<'r>(report: &'r Report, unit: &str) -> Vec<Found<'r>> {
    let mut judges: Vec<&str> = report.results.iter().map(|it| it.judge.as_str()).collect();
    judges.dedup();
    let several = judges.windows(2).any(|pair| pair[0] != pair[1]);
    let mut all = Vec::new();
    for result in &report.results {
        let size = size_name(report, &result.values);
        let panel = match (several, size.is_empty()) {
            (true, true) => result.judge.clone(),
            (true, false) => format!("{}, {size}", result.judge),
            (false, _) => size,
        };
        let alone =
            |it: &Estimated| result.estimators.iter().filter(|e| e.rule == it.rule).count() == 1;
        for rule in
            result.estimators.iter().filter(|it| it.unit == unit && (it.chosen || alone(it)))
        {
            all.extend(one(result, rule, panel.clone()));
        }
    }
    all
}

fn one<'r>(result: &'r Result, rule: &'r Estimated, panel: String) -> Option<Found<'r>> {
    Some(Found {
        judge: &result.judge,
        panel,
        rule,
        planted: rule.value(Measure::Estimand)?,
        mean: rule.value(Measure::Mean)?,
        sd: rule.value(Measure::EmpiricalSe)?,
        coverage: rule.value(Measure::Coverage),
    })
}

/// Whether what a rule should say is the parameter itself, as far as that is known.
fn is_planted(it: &Found<'_>) -> bool {
    it.rule.value(Measure::True).is_none_or(|truth| (truth - it.planted).abs() < 1e-9)
}

fn panel(
    name: &str,
    word: &str,
    found: &[Found<'_>],
    rules: &[&str],
    (low, high): (f64, f64),
) -> Panel {
    let series = rules.iter().enumerate().filter_map(|(k, rule)| {
        let mine = || found.iter().filter(|it| it.panel == name && it.rule.name == **rule);
        let point = |it: &Found<'_>| Point {
            x: it.planted,
            y: it.mean,
            low: it.mean - it.sd,
            high: it.mean + it.sd,
        };
        let points: Vec<Point> = mine().map(point).collect();
        let notes = mine().map(|it| it.coverage.map_or_else(String::new, |it| percent(it, 1)));
        let notes = notes.collect();
        let series = Series::new(rule, look(k), points, Vec::new());
        (!series.points.is_empty()).then_some(Series { alone: true, notes, ..series })
    });
    Panel {
        name: name.to_owned(),
        shades: Vec::new(),
        series: series.collect(),
        references: vec![Reference {
            label: format!("as {word}"),
            look: IDENTITY,
            line: Course::Along(vec![(low, low), (high, high)]),
        }],
    }
}

fn data(found: &[Found<'_>]) -> Grid {
    let rows = found.iter().map(|it| {
        let mut cells = vec![it.judge.to_owned(), it.panel.clone(), it.rule.name.clone()];
        cells.extend([it.planted, it.mean, it.sd].map(plain));
        cells.push(it.coverage.map_or_else(|| "–".to_owned(), plain));
        cells.into()
    });
    let head = ["judge", "design", "rule", "planted", "mean", "sd", "coverage"];
    Grid {
        head: head.map(str::to_owned).to_vec(),
        words: 3,
        rows: rows.collect(),
        ..Grid::default()
    }
}

/// A number with a true minus sign.
fn minus(value: f64, digits: u32) -> String {
    significant(value, digits).replace('-', "\u{2212}")
}

/// The title: how far the means are off, against their scatter.
fn finding(found: &[Found<'_>], word: &str) -> String {
    let off = |it: &Found<'_>| (it.mean - it.planted).abs();
    let Some(worst) = found.iter().max_by(|a, b| off(a).total_cmp(&off(b))) else {
        return format!("Estimated against {word}");
    };
    if off(worst) <= worst.sd {
        return format!(
            "Every mean estimate lies within {} of what {} {word}, less than one estimate scatters",
            significant(off(worst), 2),
            if word == "planted" { "was" } else { "is" }
        );
    }
    let at = if worst.panel.is_empty() { String::new() } else { format!(" ({})", worst.panel) };
    format!(
        "{} {}, estimated {} on average{at}: {} misses by {}",
        if word == "planted" { "Planted" } else { "Expected" },
        minus(worst.planted, 3),
        minus(worst.mean, 2),
        worst.rule.name,
        significant(off(worst), 2)
    )
}
