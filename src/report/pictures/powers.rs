//! The charts of the power: a curve where one number is varied, maps where two are. Nothing is computed here.

mod maps;

use super::super::Report;
use super::super::axis::{decimals, number, percent};
use super::super::charts::power::{Line, Point, PowerChart};
use super::super::grid::{Grid, Line as Row};
use super::super::numbers::{plain, shortest};
use super::super::powers::{Along, Crossing, PowerSurface, Powers};
use super::{Picture, thousands};

/// The most lines of a chart; the others are told by the tables.
const MOST_LINES: usize = 6;
/// What is measured in log-odds, by the last key of its path.
const LOG_ODDS: [&str; 6] = ["position", "length", "self", "family", "ability", "taste"];

/// The charts of a report's powers.
pub(super) fn power_charts(report: &Report) -> Vec<Picture> {
    let Some(powers) = &report.powers else { return Vec::new() };
    match powers.along.as_slice() {
        [along] => curve(report, powers, along).into_iter().collect(),
        [first, second] => maps::maps(report, powers, [first, second]),
        _ => Vec::new(),
    }
}

/// A varied number: its short name, and its name with the unit.
struct Named {
    short: String,
    /// Whether it counts pairs or cases.
    counts: bool,
    /// Whether it takes whole numbers only.
    whole: bool,
    label: String,
}

impl Named {
    fn new(report: &Report, along: &Along) -> Self {
        let short = report.short_paths().swap_remove(along.axis);
        let path = report.paths[along.axis].as_str();
        let last = path.rsplit('.').next().unwrap_or(path);
        let counts = matches!(last, "pairs" | "cases");
        let mut label = short.clone();
        if LOG_ODDS.contains(&last) && path.starts_with("judges.") {
            label.push_str(" (log-odds)");
        } else if along.by_ratio {
            label.push_str(" (log scale)");
        }
        Self { short, counts, whole: along.whole, label }
    }

    /// A number of it, as a phrase: `105 pairs`, `position 0.47`.
    fn phrase(&self, text: &str) -> String {
        if self.counts {
            format!("{text} {}", self.short)
        } else {
            format!("{} of {text}", self.short)
        }
    }
}

/// What sets a surface apart from the others, in as few parts as do.
fn label(report: &Report, powers: &Powers, it: &PowerSurface) -> Vec<String> {
    let differ = |of: &dyn Fn(&PowerSurface) -> &str| {
        powers.surfaces.iter().any(|other| of(other) != of(it))
    };
    let mut parts = Vec::new();
    if differ(&|it| &it.judge) {
        parts.push(it.judge.clone());
    }
    if differ(&|it| &it.estimator) || powers.surfaces.len() == 1 {
        parts.push(it.estimator.clone());
    }
    let short = report.short_paths();
    let along = |axis: usize| powers.along.iter().any(|it| it.axis == axis);
    let names = short.iter().enumerate().filter(|it| !along(it.0)).map(|it| it.1);
    for (name, value) in names.zip(&it.beside) {
        let counts = matches!(name.as_str(), "pairs" | "cases");
        let text = &value.text;
        parts.push(if counts { format!("{text} {name}") } else { format!("{name} {text}") });
    }
    parts
}

fn curve(report: &Report, powers: &Powers, along: &Along) -> Option<Picture> {
    let named = Named::new(report, along);
    let lines: Vec<(&PowerSurface, Line)> = powers
        .surfaces
        .iter()
        .map(|it| (it, line(report, powers, it, along, &named)))
        .filter(|it| !(it.1.exact.is_empty() && it.1.points.is_empty()))
        .collect();
    let all = lines.len();
    let lines: Vec<(&PowerSurface, Line)> = lines.into_iter().take(MOST_LINES).collect();
    if lines.is_empty() {
        return None;
    }
    let title = finding(report, powers, &lines, &named);
    let level = 1.0 - report.level;
    let mut parts = vec![format!(
        "Power of {} at level {}",
        tests(lines.iter().map(|it| it.0)),
        percent_of(level)
    )];
    let exact = lines.iter().filter(|it| !it.1.exact.is_empty()).count();
    let replicates = thousands(report.replicates);
    parts.push(match exact {
        0 => format!("markers are {replicates} replicates each, nothing is exact"),
        n if n == lines.len() => format!("lines are exact, markers {replicates} replicates each"),
        _ => format!("lines without a band are exact, markers {replicates} replicates each"),
    });
    if lines.len() < all {
        parts.push(format!("{} of {all} tests, the others in the tables", lines.len()));
    }
    let chart = PowerChart {
        id: "power-curve".to_owned(),
        title,
        subtitle: parts.join("; "),
        interval: "95\u{2009}% Wilson interval".to_owned(),
        x_label: named.label,
        y_label: "power: share of studies in which the test rejects".to_owned(),
        by_ratio: along.by_ratio,
        target: powers.target,
        level,
        lines: lines.into_iter().map(|it| it.1).collect(),
    };
    Some(Picture {
        name: "power-curve".to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: curve_data(report, powers, along),
    })
}

/// The exact powers of a curve, and beside them what was simulated at the same place.
fn curve_data(report: &Report, powers: &Powers, along: &Along) -> Grid {
    let mut rows = Vec::new();
    for it in powers.surfaces.iter().take(MOST_LINES) {
        let simulated = it.simulated(report, std::slice::from_ref(along));
        let mut all: Vec<f64> = it.x.clone();
        all.extend(simulated.iter().map(|it| it.0[0]));
        all.sort_by(f64::total_cmp);
        all.dedup();
        let name = label(report, powers, it).join(", ");
        for x in all {
            let exact = it.x.iter().position(|at| *at == x).and_then(|at| it.powers.get(at));
            let drawn = simulated.iter().find(|it| it.0[0] == x);
            let dash = || "–".to_owned();
            let mut cells =
                vec![name.clone(), shortest(x), exact.map_or_else(dash, |it| plain(*it))];
            cells.extend((0..3).map(|k| drawn.map_or_else(dash, |it| plain(it.1[k]))));
            rows.push(Row::from(cells));
        }
    }
    let x = Named::new(report, along).label;
    let head = ["test", &x, "exact", "simulated", "low", "high"].map(str::to_owned).to_vec();
    Grid { head, words: 1, rows, ..Grid::default() }
}

/// The rules of some surfaces, each once.
fn tests<'s>(all: impl Iterator<Item = &'s PowerSurface>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for it in all {
        if !names.contains(&it.estimator.as_str()) {
            names.push(&it.estimator);
        }
    }
    names.join(", ")
}

fn line(report: &Report, powers: &Powers, it: &PowerSurface, along: &Along, named: &Named) -> Line {
    let simulated = it.simulated(report, std::slice::from_ref(along)).into_iter();
    let points = simulated.map(|(at, [y, low, high])| Point { x: at[0], y, low, high });
    Line {
        label: label(report, powers, it),
        exact: it.x.iter().copied().zip(it.powers.iter().copied()).collect(),
        points: points.collect(),
        crossings: it.crossings.iter().map(|it| (it.at, crossing_text(it, named))).collect(),
    }
}

/// A crossing as it is written: an exact one to the digits that its neighbours agree on, a simulated one with its limits.
fn crossing_text(it: &Crossing, named: &Named) -> String {
    let [low, high] = it.within;
    let text = if it.exact && it.at == libm::rint(it.at) && named.whole {
        number(it.at, 0)
    } else if it.exact {
        rounded(it.at, (high - low) / 10.0)
    } else {
        let by = (high - low) / 4.0;
        format!("{} ({} to {})", rounded(it.at, by), rounded(low, by), rounded(high, by))
    };
    named.phrase(&text)
}

/// A number to the decimals of a step, which is rounded down to a power of ten.
fn rounded(value: f64, step: f64) -> String {
    let places = (0..6).find(|k| 0.1_f64.powi(*k) <= step).unwrap_or(6);
    number(value, usize::try_from(places).unwrap_or(0))
}

fn percent_of(share: f64) -> String {
    percent(share, decimals(libm::rint(share * 1e9) / 1e7))
}

/// The title: who reaches the target first and last, or that none does.
fn finding(
    report: &Report,
    powers: &Powers,
    lines: &[(&PowerSurface, Line)],
    named: &Named,
) -> String {
    let target = percent(powers.target, 0);
    let rising = lines.iter().filter_map(|(it, line)| {
        let crossing = it.crossings.iter().position(|it| it.rises)?;
        Some((it.crossings[crossing].at, &line.crossings[crossing].1, line.name()))
    });
    let mut rising: Vec<_> = rising.collect();
    rising.sort_by(|a, b| a.0.total_cmp(&b.0));
    let below = lines.iter().filter(|it| highest(&it.1) < powers.target).count();
    let below = match below {
        0 => String::new(),
        1 => "; 1 line stays below".to_owned(),
        n => format!("; {n} lines stay below"),
    };
    let a = if named.counts { "" } else { "a " };
    match rising.as_slice() {
        [] => never(report, lines, &target, named),
        [(_, at, name)] if lines.len() == 1 => {
            format!("{target} power takes {a}{at} ({name})")
        }
        [(_, at, name)] => format!("{target} power takes {a}{at} with {name}{below}"),
        [(_, least, first), .., (_, most, last)] => {
            format!("{target} power takes {a}{least} with {first}, {a}{most} with {last}{below}")
        }
    }
}

/// The highest power of a line.
fn highest(line: &Line) -> f64 {
    let simulated = line.points.iter().map(|it| it.y).filter(|_| line.exact.is_empty());
    line.exact.iter().map(|it| it.1).chain(simulated).fold(0.0, f64::max)
}

/// The title where no line rises to the target: the best of them at its best.
fn never(report: &Report, lines: &[(&PowerSurface, Line)], target: &str, named: &Named) -> String {
    let all = lines.iter().flat_map(|(_, line)| {
        let simulated = line.points.iter().map(|it| (it.x, it.y));
        if line.exact.is_empty() { simulated.collect() } else { line.exact.clone() }
    });
    let all: Vec<(f64, f64)> = all.collect();
    let best = all.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let least = all.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    match (best, least) {
        (_, Some((x, least))) if report.powers.as_ref().is_some_and(|it| it.target <= least) => {
            let at = named.phrase(&number(x, decimals(x)));
            format!("Power is above {target} everywhere: at least {} (at {at})", percent(least, 1))
        }
        (Some((x, best)), _) if best < report.powers.as_ref().map_or(1.0, |it| it.target) => {
            let at = named.phrase(&number(x, decimals(x)));
            format!(
                "{target} power is out of reach here: the most is {} (at {at})",
                percent(best, 1)
            )
        }
        _ => format!("Power along {}", named.short),
    }
}
