//! A report for a pull request or a paper: Markdown, LaTeX, and a short summary for a comment.

use std::fmt::Write as _;

use super::grid::{Grid, Line, markdown};
use super::table::{grids, notes, published};
use super::{Report, figure, summary};
use crate::study::Measure;

/// Reports as Markdown: question, answer, tables, how they were made.
#[must_use]
pub fn as_markdown(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        head(&mut out, report);
        for grid in grids(report).into_iter().chain(super::costs::grid(report)) {
            let _ = writeln!(out, "{}", grid.markdown());
        }
        if let Some(gate) = &report.gate {
            let _ = writeln!(out, "{}\n", markdown(&gate.sentence()));
        }
        let _ = writeln!(out, "{}\n", markdown(&notes(report)));
    }
    if let (Some(grid), Some(all)) =
        (published(reports), summary(reports.iter().flat_map(|it| &it.published)))
    {
        let _ = writeln!(out, "{}\n{}", grid.markdown(), markdown(&all));
    }
    out
}

/// Question and answer.
fn head(out: &mut String, report: &Report) {
    let name = report.study.as_ref().map(|it| format!("{it}: ")).unwrap_or_default();
    let words: Vec<&str> = report.question.split_whitespace().collect();
    let _ = writeln!(out, "### {}{}\n", markdown(&name), markdown(&words.join(" ")));
    for sentence in &report.answer {
        let _ = writeln!(out, "- {}", markdown(sentence));
    }
    out.push('\n');
}

/// Reports as LaTeX tables, the question and the notes as comments.
#[must_use]
pub fn as_latex(reports: &[Report]) -> String {
    let mut out = String::from("% Needs \\usepackage{booktabs}.\n");
    let comment = |out: &mut String, text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let _ = writeln!(out, "% {}", words.join(" "));
    };
    for report in reports {
        comment(&mut out, &report.question);
        comment(&mut out, &notes(report));
        for grid in grids(report).into_iter().chain(super::costs::grid(report)) {
            out.push_str(&grid.latex());
        }
    }
    out.extend(published(reports).map(|it| it.latex()));
    out
}

/// Reports as a comment of a few lines each.
#[must_use]
pub fn as_summary(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        head(&mut out, report);
        if let Some(gate) = &report.gate {
            let _ = writeln!(out, "{}\n", markdown(&gate.sentence()));
        }
        if let Some(grid) = chosen(report) {
            let _ = writeln!(out, "{}", grid.markdown());
        }
        let _ = writeln!(
            out,
            "judgelab {}, seed {}, {} replicates a cell.\n",
            report.version, report.seed, report.replicates
        );
    }
    out.extend(summary(reports.iter().flat_map(|it| &it.published)).map(|it| markdown(&it) + "\n"));
    out
}

/// The most lines of a summary's table.
const MOST_LINES: usize = 12;

/// The rules to rely on, in the last cells of the grid.
fn chosen(report: &Report) -> Option<Grid> {
    let mut head = report.short_paths();
    head.extend(["judge", "rule"].map(str::to_owned));
    let words = head.len();
    head.extend(["should say", "mean", "rejects"].map(str::to_owned));
    let mut rows: Vec<Line> = Vec::new();
    for result in report.results.iter().rev() {
        for it in result.estimators.iter().rev().filter(|it| it.chosen) {
            let mut cells: Vec<String> = result.values.iter().map(|it| it.text.clone()).collect();
            cells.extend([result.judge.clone(), it.name.clone()]);
            let shown = [Measure::Estimand, Measure::Mean, Measure::Power];
            cells.extend(shown.map(|measure| figure(it.get(measure))));
            rows.push(cells.into());
        }
    }
    let left = rows.len().saturating_sub(MOST_LINES);
    rows.truncate(MOST_LINES);
    rows.reverse();
    let caption = if left == 0 {
        String::new()
    } else {
        format!("the last {MOST_LINES} rows; {left} more in the full report")
    };
    (!rows.is_empty()).then_some(Grid { caption, head, words, rows, ..Grid::default() })
}
