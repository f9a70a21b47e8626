//! The charts of an analysis: judges side by side. Every number comes from the recorded analysis.

mod lengths;
mod own;

use super::{Found, graded, plain};
use crate::analysis::{Analysis, Detectable, Graded, Judge, Number, Position};
use crate::report::Picture;
use crate::report::axis::{self, Format, number};
use crate::report::charts::effects::{Effect, EffectChart, Mark};
use crate::report::charts::stack::StackChart;
use crate::report::grid::{Grid, Line};

/// The most rows of a chart; the tables tell of all.
const MOST_ROWS: usize = 30;
/// What the shaded region is.
const SHADED: &str = "would have stayed unseen in 1 of 5 such files or more";

/// How what is told in log-odds is written.
const LOG_ODDS: Format = Format::Number;

/// The charts of an analysis, the main one first.
pub(super) fn pictures(it: &Found) -> Vec<Picture> {
    let all = match it {
        Found::Comparisons(it) => vec![position(it), cells(it), length(it), own::own(it)],
        Found::Grades(it) => vec![means(it), differences(it), lengths::lengths(it)],
    };
    all.into_iter().flatten().collect()
}

/// A number as a mark: its value and limits, in words at its side.
fn mark(it: &Number, before: &str, format: Format) -> Mark {
    let finite = |it: Option<f64>| it.filter(|it| it.is_finite());
    let text = match (it.value, &it.reason) {
        (None, Some(why)) => match (finite(it.low), finite(it.high)) {
            (Some(low), _) => format!("{} or more: {why}", written(low, None, format)),
            (_, Some(high)) => format!("{} or less: {why}", written(high, None, format)),
            _ => why.clone(),
        },
        (None, None) => "–".to_owned(),
        (Some(value), _) => {
            let half = finite(it.low).zip(finite(it.high)).map(|(low, high)| (high - low) / 2.0);
            let limits = it.low.zip(it.high).map(|(low, high)| {
                // The sign of per cent stands once.
                let [low, high] =
                    [low, high].map(|it| written(it, half, format).replace("\u{2009}%", ""));
                format!(" ({low} to {high})")
            });
            format!("{}{}", written(value, half, format), limits.unwrap_or_default())
        }
    };
    let told = match before {
        "" => text,
        _ if it.value.is_none() => format!("{before}: {text}"),
        _ => format!("{before} {text}"),
    };
    Mark { value: it.value, low: it.low, high: it.high, told }
}

/// A value to two digits of the half width of its interval; without one, to three decimals, or to a tenth of a per cent.
fn written(value: f64, half: Option<f64>, format: Format) -> String {
    let scale = if format == Format::Percent { 100.0 } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=4")]
    let digits = half.filter(|it| 0.0 < *it).map_or(3 - 2 * usize::from(scale > 1.0), |half| {
        (1.0 - libm::floor(libm::log10(scale * half))).clamp(0.0, 4.0) as usize
    });
    match format {
        Format::Number => number(value, digits),
        Format::Percent => axis::percent(value, digits),
    }
}

/// A half width about a value, where there is one.
fn about(centre: f64, it: &Detectable) -> Option<(f64, f64)> {
    it.value.map(|half| (centre, half))
}

/// The rows of an effect chart as a table.
fn data(chart: &EffectChart) -> Grid {
    let mut head = vec!["row".to_owned()];
    let keyed = !chart.keys.is_empty();
    head.extend(keyed.then(|| "of".to_owned()));
    let words = head.len();
    head.extend(["estimate", "low", "high", "smallest detectable"].map(str::to_owned));
    let mut rows = Vec::new();
    for it in &chart.rows {
        for (k, mark) in it.marks.iter().enumerate() {
            let told = |it: Option<f64>| it.map_or("–".to_owned(), plain);
            let mut cells = vec![it.name.clone()];
            cells.extend(keyed.then(|| chart.keys.get(k).cloned().unwrap_or_default()));
            cells.extend([mark.value, mark.low, mark.high].map(told));
            cells.push(told(it.unseen.map(|it| it.1)));
            rows.push(Line::from(cells));
        }
    }
    Grid { head, words, rows, ..Grid::default() }
}

fn effects(name: &str, mut chart: EffectChart) -> Option<Picture> {
    if chart.rows.is_empty() {
        return None;
    }
    let left = chart.rows.len().saturating_sub(MOST_ROWS);
    chart.rows.truncate(MOST_ROWS);
    if 0 < left {
        chart.subtitle = format!("{}; {left} more rows are in the tables", chart.subtitle);
    }
    if chart.rows.iter().all(|it| it.unseen.is_none()) {
        chart.shaded.clear();
    }
    name.clone_into(&mut chart.id);
    Some(Picture {
        name: name.to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(&chart),
    })
}

/// A level in words: `95 %`.
fn percent(level: f64) -> String {
    format!("{} %", libm::rint(level * 1e4) / 100.0)
}

/// How many of some, in words.
fn of(count: usize, all: usize, what: &str) -> String {
    let s = if all == 1 { "" } else { "s" };
    match (count, all) {
        (0, 1) => format!("The {what} shows no"),
        (1, 1) => format!("The {what} shows a"),
        (0, _) => format!("None of {all} {what}s shows a"),
        (1, _) => format!("1 of {all} {what}{s} shows a"),
        _ => format!("{count} of {all} {what}{s} show a"),
    }
}

fn positions(it: &Analysis) -> Vec<(&Judge, &Position)> {
    it.judges.iter().filter_map(|judge| Some((judge, judge.all.position.given()?))).collect()
}

/// The position preference of each judge, with what would have stayed unseen.
fn position(it: &Analysis) -> Option<Picture> {
    let all = positions(it);
    let seen = all.iter().filter(|it| it.1.seen).count();
    let mut rows = Vec::new();
    for judge in &it.judges {
        let name = judge.judge.clone();
        rows.push(match (judge.all.position.given(), &judge.all.single_order) {
            (Some(it), _) => Effect {
                name,
                // Where no preference at all could have been seen, the region has no end.
                unseen: Some((0.0, it.smallest_detectable.value.unwrap_or(f64::INFINITY))),
                marks: vec![mark(&it.beta, "", LOG_ODDS)],
            },
            (None, Some(it)) => Effect {
                name,
                unseen: None,
                marks: vec![mark(&it.with_systems, "one order", LOG_ODDS)],
            },
            (None, None) => {
                let told = judge.all.position.reason().unwrap_or("no value").to_owned();
                Effect { name, unseen: None, marks: vec![Mark { told, ..Mark::default() }] }
            }
        });
    }
    // What no row shows needs no explanation.
    let open = |it: &Mark| [it.low, it.high].into_iter().flatten().any(f64::is_infinite);
    let arrow = rows.iter().flat_map(|it| &it.marks).any(open);
    let arrow = if arrow { "; an arrow where nothing bounds it" } else { "" };
    let grey = rows.iter().any(|it| it.unseen.is_some_and(|it| it.1.is_infinite()));
    let grey = if grey {
        "; a row is grey from edge to edge where no preference could have been seen"
    } else {
        ""
    };
    let title = if all.is_empty() {
        "No pair was asked in both orders".to_owned()
    } else {
        format!("{} position bias", of(seen, all.len(), "judge"))
    };
    effects(
        "position",
        EffectChart {
            title,
            subtitle: format!(
                "Position preference, above 0 for the answer shown first, with its {} interval{arrow}{grey}",
                percent(it.level)
            ),
            x_label: "position preference (log-odds)".to_owned(),
            null: Some(0.0),
            shaded: SHADED.to_owned(),
            rows,
            ..EffectChart::default()
        },
    )
}

/// What became of the pairs when their orders were swapped.
fn cells(it: &Analysis) -> Option<Picture> {
    let all = positions(it);
    let first = all.first()?;
    // The systems have names where all judges compared the same two.
    let names =
        |judge: &Judge| judge.all.win_rate.given().map(|it| [it.of.clone(), it.against.clone()]);
    let same = names(first.0).filter(|it| all.iter().all(|one| names(one.0).as_ref() == Some(it)));
    let several = |it: &[String; 2]| it.iter().any(|it| it.ends_with(" systems"));
    let twice = |k: usize| match same.as_ref().filter(|it| !several(it)) {
        Some(names) => format!("{} twice", names[k]),
        None => format!("the {} system twice", ["first-named", "second-named"][k]),
    };
    let parts = [
        ("FF", "first slot twice".to_owned()),
        ("SS", "second slot twice".to_owned()),
        ("A", twice(0)),
        ("B", twice(1)),
        ("T", "a tie in both orders".to_owned()),
        ("H", "a tie in one order".to_owned()),
        ("?", "no verdict in an order".to_owned()),
    ];
    let counts = |(judge, it): &(&Judge, &Position)| {
        let table = &it.between_orders.table;
        let invalid = judge.all.invalid;
        let counts = [
            it.first_first,
            it.second_second,
            table[0][0],
            table[2][2],
            it.both_tied,
            it.half_tied,
            invalid,
        ];
        (judge.judge.clone(), counts.to_vec())
    };
    let rows: Vec<(String, Vec<u64>)> = all.iter().take(MOST_ROWS).map(counts).collect();
    let parts = parts.map(|it| (it.0.to_owned(), it.1)).to_vec();
    let chart = StackChart {
        id: "swap-cells".to_owned(),
        title: "What became of the pairs when their order was swapped".to_owned(),
        subtitle: "Pairs by their two verdicts, the shares of each judge's; FF beyond SS, or the reverse, is position bias"
            .to_owned(),
        x_label: "share of the pairs asked in both orders".to_owned(),
        parts,
        rows,
    };
    Some(Picture {
        name: chart.id.clone(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: counted(&chart),
    })
}

/// The counts of a stack chart as a table.
fn counted(chart: &StackChart) -> Grid {
    let used = chart.used();
    let mut head = vec!["judge".to_owned()];
    head.extend(used.iter().map(|k| chart.parts[*k].1.clone()));
    let line = |it: &(String, Vec<u64>)| {
        let counts = used.iter().map(|k| it.1[*k].to_string());
        Line::from(std::iter::once(it.0.clone()).chain(counts).collect::<Vec<_>>())
    };
    let rows = chart.rows.iter().map(line).collect();
    Grid { head, words: 1, rows, ..Grid::default() }
}

/// What a doubling of length is worth to each judge, beside the label's.
fn length(it: &Analysis) -> Option<Picture> {
    let judges = it.judges.iter().filter_map(|judge| Some((judge, judge.all.length.given()?)));
    let judges: Vec<_> = judges.collect();
    let labelled = |it: &crate::analysis::Length| it.gold.number.value.is_some();
    let any = judges.iter().any(|it| labelled(it.1));
    let rows = judges.iter().map(|(judge, it)| {
        let mut marks = vec![mark(&it.slope.number, if any { "judge" } else { "" }, LOG_ODDS)];
        if any {
            marks.push(mark(&it.gold.number, "label", LOG_ODDS));
        }
        // What is seen of a judge with labels is what it pays beyond them.
        let centre = it.gold.number.value.filter(|_| it.beyond_gold.value.is_some());
        let unseen = about(centre.unwrap_or(0.0), &it.smallest_detectable);
        Effect { name: judge.judge.clone(), unseen, marks }
    });
    let alpha = 1.0 - it.level;
    let beyond = |it: &crate::analysis::Length| it.beyond_gold.p.is_some_and(|p| p <= alpha);
    let seen = judges.iter().filter(|it| beyond(it.1)).count();
    let keys = if any { vec!["the judge".to_owned(), "the label".to_owned()] } else { Vec::new() };
    let title = if any {
        format!("{} slope of length unlike the label's", of(seen, judges.len(), "judge"))
    } else {
        "What a doubling of length is worth to a judge".to_owned()
    };
    let beside = if any { "" } else { "; without a label nobody knows what length deserves" };
    effects(
        "length",
        EffectChart {
            title,
            subtitle: format!(
                "Log-odds for an answer twice as long, with the {} interval{beside}",
                percent(it.level)
            ),
            x_label: "log-odds per doubling of length".to_owned(),
            null: Some(0.0),
            keys,
            shaded: if any {
                format!("a difference from the label that {SHADED}")
            } else {
                SHADED.to_owned()
            },
            rows: rows.collect(),
            ..EffectChart::default()
        },
    )
}

/// How grades are written: pass rates as per cent.
const fn format(it: &Graded) -> Format {
    if it.binary { Format::Percent } else { Format::Number }
}

/// `judge: system`, or the one of the two that tells rows apart.
fn row_name(it: &Graded, judge: &str, system: &str) -> String {
    match (it.judges.len(), system) {
        (_, "") => judge.to_owned(),
        (1, system) => system.to_owned(),
        (_, system) => format!("{judge}: {system}"),
    }
}

/// The mean grade of each system, and the pass rate corrected for the judge's errors.
fn means(it: &Graded) -> Option<Picture> {
    let mut rows = Vec::new();
    let systems = it.judges.iter().flat_map(|it| &it.systems);
    let any = systems.clone().any(|it| it.corrected.given().is_some());
    for judge in &it.judges {
        for system in &judge.systems {
            let mut marks = vec![mark(&system.mean, if any { "graded" } else { "" }, format(it))];
            if let Some(corrected) = system.corrected.given() {
                marks.push(mark(graded::relied(corrected), "corrected", format(it)));
            }
            let name = row_name(it, &judge.judge, &system.system);
            rows.push(Effect { name, unseen: None, marks });
        }
    }
    let [what, title] = match (it.binary, any) {
        (true, true) => ["pass rate", "Pass rates as graded, and corrected for the judge's errors"],
        (true, false) => ["pass rate", "Pass rates as graded"],
        _ => ["mean score", "Mean scores"],
    };
    let keys = if any {
        vec!["as graded, all cases".to_owned(), "corrected, unlabelled cases".to_owned()]
    } else {
        Vec::new()
    };
    effects(
        "grades",
        EffectChart {
            title: title.to_owned(),
            subtitle: format!("With the {} interval; the case is the unit", percent(it.level)),
            x_label: what.to_owned(),
            share: it.binary,
            keys,
            rows,
            ..EffectChart::default()
        },
    )
}

/// Two systems on the same cases.
fn differences(it: &Graded) -> Option<Picture> {
    let mut rows = Vec::new();
    let alpha = 1.0 - it.level;
    let mut seen = 0;
    for judge in &it.judges {
        for pair in &judge.comparisons {
            let [one, other] = &pair.systems;
            let number = &pair.difference.number;
            seen += usize::from(number.p.is_some_and(|p| p <= alpha));
            rows.push(Effect {
                name: row_name(it, &judge.judge, &format!("{one} minus {other}")),
                unseen: about(0.0, &pair.difference.smallest_detectable),
                marks: vec![mark(number, "", format(it))],
            });
        }
    }
    effects(
        "differences",
        EffectChart {
            title: format!("{} difference", of(seen, rows.len(), "comparison")),
            subtitle: format!(
                "Difference of the mean grades over the same cases, with its {} interval",
                percent(it.level)
            ),
            x_label: format!(
                "first minus second ({})",
                if it.binary { "percentage points" } else { "score points" }
            ),
            share: it.binary,
            null: Some(0.0),
            shaded: SHADED.to_owned(),
            rows,
            ..EffectChart::default()
        },
    )
}
