//! The chart of slices: what changes from one system to the other in each stratum, and over all cases.

use super::super::Estimated;
use super::super::axis::number;
use super::super::canvas::Dash;
use super::super::charts::dots::{Dot, DotChart, Group, Row};
use super::super::charts::{Hue, Look, Marker};
use super::super::grid::Grid;
use super::super::numbers::{plain, points};
use super::{Format, Measure, Picture, Report, Result, cell_name, thousands};

const ALL: &str = "difference/mid-p";
/// The most cells of a chart; more are told by the tables.
const MOST_CELLS: usize = 4;

const GAIN: Look =
    Look { hue: Hue::Blue, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Circle) };
const LOSS: Look =
    Look { hue: Hue::Vermilion, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Square) };
const SAME: Look =
    Look { hue: Hue::Quiet, width: 1.6, dash: Dash::Solid, marker: Some(Marker::Diamond) };
const NONE: Look = Look { hue: Hue::Ink, width: 1.2, dash: Dash::Solid, marker: None };

/// A change from the first system to the second in a slice.
struct Change<'r> {
    slice: &'r str,
    exact: f64,
    mean: f64,
    sd: f64,
}

/// The change of each slice in at most four cells of the first judge.
pub(super) fn slices_chart(report: &Report) -> Option<Picture> {
    let has = |it: &&Result| it.get("slices/1").is_some() && !it.strata.is_empty();
    let first = report.results.iter().find(has)?;
    let mine = report.results.iter().filter(|it| it.judge == first.judge).filter(has);
    let cells: Vec<(&Result, Vec<Change<'_>>)> = mine.map(|it| (it, changes(it))).collect();
    let (all, shown) = (cells.len(), cells.len().min(MOST_CELLS));
    let cells = &cells[..shown];
    let [before, after] = &first.systems;
    let more = if shown < all { format!("; {shown} of {all} cells") } else { String::new() };
    let groups = cells.iter().map(|(it, changes)| Group {
        name: cell_name(report, &it.values),
        rows: changes.iter().map(row).collect(),
    });
    let chart = DotChart {
        id: "slices".to_owned(),
        title: finding(cells, after),
        subtitle: format!(
            "Pass rate of {after} minus that of {before} by slice; marker = mean of {} replicates, bar = \u{b1}1 standard deviation of an estimate{more}",
            thousands(report.replicates)
        ),
        x_label: format!("change from {before} to {after}"),
        format: Format::Percent,
        bounds: Some((-1.0, 1.0)),
        groups: groups.collect(),
        references: vec![(0.0, "no change".to_owned(), NONE)],
        keys: vec![
            ("truly gains".to_owned(), GAIN),
            ("truly loses".to_owned(), LOSS),
            ("truly the same".to_owned(), SAME),
        ],
    };
    Some(Picture {
        name: "slices".to_owned(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(report, cells),
    })
}

fn changes(result: &Result) -> Vec<Change<'_>> {
    let all = result.get(ALL).and_then(|it| change("all cases", it));
    let slices = result
        .strata
        .iter()
        .enumerate()
        .filter_map(|(k, name)| change(name, result.get(&format!("slices/{}", k + 1))?));
    all.into_iter().chain(slices).collect()
}

/// The rule says the first system minus the second; a change is the other way round.
fn change<'r>(slice: &'r str, it: &Estimated) -> Option<Change<'r>> {
    Some(Change {
        slice,
        exact: -it.value(Measure::Estimand)?,
        mean: -it.value(Measure::Mean)?,
        sd: it.value(Measure::EmpiricalSe).unwrap_or(f64::NAN),
    })
}

fn row(it: &Change<'_>) -> Row {
    let look = match it.exact {
        by if by < -1e-9 => LOSS,
        by if 1e-9 < by => GAIN,
        _ => SAME,
    };
    let dot = Dot { x: it.mean, low: it.mean - it.sd, high: it.mean + it.sd, look };
    Row { name: it.slice.to_owned(), dots: vec![dot] }
}

fn data(report: &Report, cells: &[(&Result, Vec<Change<'_>>)]) -> Grid {
    let mut rows = Vec::new();
    for (result, changes) in cells {
        for it in changes {
            let mut cells = vec![cell_name(report, &result.values), it.slice.to_owned()];
            cells.extend([it.exact, it.mean, it.sd].map(plain));
            rows.push(cells.into());
        }
    }
    let head = ["cell", "slice", "exact", "mean", "sd"].map(str::to_owned).to_vec();
    Grid { head, words: 2, rows, ..Grid::default() }
}

/// The title: the slice that loses most, beside all cases.
fn finding(cells: &[(&Result, Vec<Change<'_>>)], after: &str) -> String {
    let moves = |by: f64| {
        format!("{} {} points", if by < 0.0 { "loses" } else { "gains" }, points(by.abs()))
    };
    let slices = cells.iter().flat_map(|(_, all)| {
        let whole = all.iter().find(|it| it.slice == "all cases").map(|it| it.exact);
        all.iter().filter(|it| it.slice != "all cases").map(move |it| (it, whole))
    });
    match slices.min_by(|a, b| a.0.exact.total_cmp(&b.0.exact)) {
        Some((worst, Some(whole))) => format!(
            "{after} {} over all cases and {} in {}",
            moves(whole),
            moves(worst.exact),
            worst.slice
        ),
        Some((worst, None)) => format!("{after} {} in {}", moves(worst.exact), worst.slice),
        None => format!("{} slices", number(cells.len() as f64, 0)),
    }
}
