//! The charts of the power: a curve where one number is varied, maps where two are. Nothing is computed here.

use super::super::axis::{decimals, number, percent};
use super::super::charts::heat::{HeatMap, Mesh, Side};
use super::super::charts::power::{Line, Point, PowerChart};
use super::super::grid::{Grid, Line as Row};
use super::super::numbers::{plain, shortest};
use super::super::powers::{Along, Crossing, PowerSurface, Powers};
use super::super::{Report, Value};
use super::{Picture, thousands};

/// The most lines of a chart; the others are told by the tables.
const MOST_LINES: usize = 6;
/// The most maps of a study.
const MOST_MAPS: usize = 6;
/// What is measured in log-odds, by the last key of its path.
const LOG_ODDS: [&str; 6] = ["position", "length", "self", "family", "ability", "taste"];

/// The charts of a report's powers.
pub(super) fn power_charts(report: &Report) -> Vec<Picture> {
    let Some(powers) = &report.powers else { return Vec::new() };
    match powers.along.as_slice() {
        [along] => curve(report, powers, along).into_iter().collect(),
        [first, second] => maps(report, powers, [first, second]),
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
            let mut cells = vec![name.clone(), shortest(x), exact.map_or_else(dash, |it| plain(*it))];
            cells.extend((0..3).map(|k| drawn.map_or_else(dash, |it| plain(it.1[k]))));
            rows.push(Row::from(cells));
        }
    }
    let x = Named::new(report, along).label;
    let head = ["test", &x, "exact", "simulated", "low", "high"].map(str::to_owned).to_vec();
    Grid { caption: String::new(), head, words: 1, rows }
}

/// The simulated cells of a map; the exact powers between them are too many to read.
fn map_data(
    report: &Report,
    it: &PowerSurface,
    labels: [&str; 2],
    along: [&Along; 2],
    turned: bool,
) -> Grid {
    let simulated = it.simulated(report, &[along[0].clone(), along[1].clone()]);
    let line = |(at, power): &([f64; 2], [f64; 3])| {
        let [x, y] = if turned { [at[1], at[0]] } else { *at };
        let mut cells = vec![shortest(x), shortest(y)];
        cells.extend(power.map(plain));
        Row::from(cells)
    };
    let head = [labels[0], labels[1], "simulated", "low", "high"].map(str::to_owned).to_vec();
    Grid { caption: String::new(), head, words: 0, rows: simulated.iter().map(line).collect() }
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

fn maps(report: &Report, powers: &Powers, along: [&Along; 2]) -> Vec<Picture> {
    // The number of pairs lies along the bottom.
    let named = along.map(|it| Named::new(report, it));
    let turned = named[1].counts && !named[0].counts;
    let maps = powers
        .surfaces
        .iter()
        .take(MOST_MAPS)
        .filter_map(|it| map(report, powers, it, along, &named, turned));
    let mut maps: Vec<Picture> = maps.collect();
    if 1 < maps.len() {
        for (k, it) in maps.iter_mut().enumerate() {
            it.name = format!("{}-{}", it.name, k + 1);
        }
    }
    maps
}

fn map(
    report: &Report,
    powers: &Powers,
    it: &PowerSurface,
    along: [&Along; 2],
    named: &[Named; 2],
    turned: bool,
) -> Option<Picture> {
    let simulated = it.simulated(report, &[along[0].clone(), along[1].clone()]);
    let sides = [0, 1].map(|k| side(report, along[k], &named[k], &simulated, k));
    let exact = |at: [f64; 2]| {
        let x = it.x.iter().position(|x| *x == at[0])?;
        let y = it.y.iter().position(|y| *y == at[1])?;
        it.powers.get(y * it.x.len() + x).copied()
    };
    let of = |at: [f64; 2]| simulated.iter().find(|it| it.0 == at).map(|it| it.1);
    let (mut cells, mut notes) = (Vec::new(), Vec::new());
    let (across, up) = if turned { (1, 0) } else { (0, 1) };
    for (row, y) in sides[up].values.iter().enumerate() {
        let (mut values, mut told) = (Vec::new(), Vec::new());
        for (column, x) in sides[across].values.iter().enumerate() {
            let at = if turned { [*y, *x] } else { [*x, *y] };
            values.push(exact(at).or_else(|| of(at).map(|it| it[0])));
            let mut note = format!(
                "{}, {}",
                named[across].phrase(&sides[across].texts[column]),
                named[up].phrase(&sides[up].texts[row])
            );
            if let Some(exact) = exact(at) {
                note.push_str(&format!(": exact {}", percent(exact, 1)));
            }
            if let Some([y, low, high]) = of(at).map(|it| it.map(|it| percent(it, 1))) {
                note.push_str(&format!("; simulated {y} ({low} to {high})"));
            }
            told.push(note);
        }
        cells.push(values);
        notes.push(told);
    }
    if cells.iter().flatten().all(Option::is_none) {
        return None;
    }
    let mesh = mesh(it, &sides, &cells, turned);
    let label = label(report, powers, it).join(", ");
    let widest = simulated.iter().map(|it| (it.1[2] - it.1[1]) / 2.0).fold(0.0, f64::max);
    let level = percent_of(1.0 - report.level);
    let replicates = thousands(report.replicates);
    let how = if it.powers.is_empty() {
        format!(
            "{replicates} replicates a cell, 95\u{2009}% Wilson intervals up to ±{} wide; the line runs between simulated cells",
            percent(widest, 1)
        )
    } else {
        let off = 100.0 * off(&simulated, &exact);
        format!(
            "cells and line are exact; simulated powers ({replicates} replicates a cell) are at most {} points off",
            number(off, 1)
        )
    };
    let title = map_finding(it, &cells, &sides, [across, up], named, (powers.target, &label));
    let [x, y] = if turned {
        let [a, b] = sides;
        [b, a]
    } else {
        sides
    };
    let chart = HeatMap {
        id: "power-map".to_owned(),
        title,
        subtitle: format!("Power of {label} at level {level}, in per cent rounded down; {how}"),
        x,
        y,
        cells,
        notes,
        mesh,
        target: powers.target,
    };
    Some(Picture {
        name: "power-map".to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: map_data(report, it, [&named[across].label, &named[up].label], along, turned),
    })
}

/// The largest distance of a simulated power from its exact one.
fn off(simulated: &[([f64; 2], [f64; 3])], exact: &dyn Fn([f64; 2]) -> Option<f64>) -> f64 {
    let off = simulated.iter().filter_map(|(at, it)| Some((it[0] - exact(*at)?).abs()));
    off.fold(0.0, f64::max)
}

/// A varied number with its values as the scenario has them.
fn side(
    report: &Report,
    along: &Along,
    named: &Named,
    simulated: &[([f64; 2], [f64; 3])],
    which: usize,
) -> Side {
    let mut values: Vec<f64> = simulated.iter().map(|it| it.0[which]).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let written = |x: &f64| {
        let all = report.results.iter().map(|it| &it.values[along.axis]);
        let text = all.into_iter().find(|it| it.number == Some(*x)).map(|it: &Value| &it.text);
        if along.whole {
            number(*x, 0)
        } else {
            text.cloned().unwrap_or_default().replace('-', "\u{2212}")
        }
    };
    let texts = values.iter().map(written).collect();
    Side { label: named.label.clone(), values, texts, by_ratio: along.by_ratio }
}

/// The powers through which the contour runs: those between the cells, or the cells themselves.
fn mesh(it: &PowerSurface, sides: &[Side; 2], cells: &[Vec<Option<f64>>], turned: bool) -> Mesh {
    let (across, up) = if turned { (1, 0) } else { (0, 1) };
    if it.powers.is_empty() {
        let powers = cells.iter().flatten().map(|it| it.unwrap_or(f64::NAN)).collect();
        return Mesh { x: sides[across].values.clone(), y: sides[up].values.clone(), powers };
    }
    if !turned {
        return Mesh { x: it.x.clone(), y: it.y.clone(), powers: it.powers.clone() };
    }
    let column = |x: usize| (0..it.y.len()).map(move |y| it.powers[y * it.x.len() + x]);
    Mesh { x: it.y.clone(), y: it.x.clone(), powers: (0..it.x.len()).flat_map(column).collect() }
}

/// The title: what the smallest and the largest effect of the map take that reach the target in it, if exact powers tell; else
/// whether the target is reached at all.
fn map_finding(
    it: &PowerSurface,
    cells: &[Vec<Option<f64>>],
    sides: &[Side; 2],
    [across, up]: [usize; 2],
    named: &[Named; 2],
    (target, label): (f64, &str),
) -> String {
    let all = || cells.iter().flatten().flatten();
    let shown = percent(target, 0);
    if all().all(|it| *it < target) {
        let most = percent(all().copied().fold(0.0, f64::max), 1);
        return format!("{shown} power is out of reach here: the most is {most}");
    }
    if all().all(|it| target <= *it) {
        return format!("{label} has {shown} power or more everywhere here");
    }
    let told = |row: usize| {
        let value = sides[up].values[row];
        let crossing = it.crossings.iter().find(|it| it.other == Some(value))?;
        let takes = named[across].phrase(&number(crossing.at, 0));
        Some(format!("{takes} at a {}", named[up].phrase(&sides[up].texts[row])))
    };
    let mut rows = (0..sides[up].values.len()).filter_map(told);
    match (rows.next(), rows.next_back()) {
        (Some(first), Some(last)) => format!("{shown} power takes {first}, but {last}"),
        (Some(only), None) => format!("{shown} power takes {only}"),
        _ => format!("Where {label} has {shown} power"),
    }
}
