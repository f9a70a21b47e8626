//! The page of a simulated study, from its report alone.

use maud::{Markup, html};

use super::{Page, Section, Shown, table};
use crate::report::grid::{Grid, Line};
use crate::report::numbers::{figure, plain, significant};
use crate::report::table::{changed, grids, notes, published};
use crate::report::unseen::{POWER, Smallest};
use crate::report::{Estimated, Report, Result, costs};
use crate::study::Measure;

/// The page of a report: question, answer, charts, tables, what could not be seen, assumptions, how it was run.
#[must_use]
pub fn page(report: &Report) -> String {
    let mut sections: Vec<Section> = classroom(report).into_iter().collect();
    sections.push(results(report));
    sections.extend(unseen(report));
    sections.extend(more(report));
    sections.extend(assumptions(report));
    sections.push(how(report));
    let name = report.study.as_ref().map(|it| format!(" · {it}")).unwrap_or_default();
    let page = Page {
        kind: format!("simulated study{name}"),
        question: report.question.clone(),
        answer: report.answer.clone(),
        figures: figures(report),
        sections,
    };
    page.html()
}

#[cfg(feature = "charts")]
fn figures(report: &Report) -> Vec<Shown> {
    let all = crate::report::pictures(report).into_iter();
    all.map(|it| Shown { svg: it.svg, caption: it.caption, data: it.data }).collect()
}

#[cfg(not(feature = "charts"))]
fn figures(_: &Report) -> Vec<Shown> {
    Vec::new()
}

/// What a teacher projects: the prediction first, the answer of the exercise folded, with the figures that the run checked.
fn classroom(report: &Report) -> Option<Section> {
    let guide = report.guide.as_ref()?;
    let body = html! {
        h3 { "Before you look" }
        p { (guide.prediction) }
        h3 { "What to notice" }
        ul { @for it in &guide.notice { li { (it) } } }
        h3 { "Exercise" }
        p { (guide.exercise) }
        details {
            summary { "The answer" }
            p { (guide.answer) }
            @if let Some(summary) = crate::report::summary(&report.published) {
                p.note { "This run has computed the figures of the answer again: " (summary) }
            }
        }
    };
    Some(Section { id: "classroom", heading: "For the classroom".into(), body })
}

fn results(report: &Report) -> Section {
    let body = html! {
        p.note { (notes(report)) }
        @for grid in grids(report) {
            h3 { (grid.caption) }
            (table(&Grid { caption: String::new(), ..grid.clone() }, &grid.caption))
        }
        @for sentence in changed(report) { p { (sentence) } }
    };
    Section { id: "results", heading: "Results".into(), body }
}

/// The rules with a test, each with the effect that it could have seen.
fn unseen(report: &Report) -> Option<Section> {
    let mut head = vec!["judge".to_owned(), "test".to_owned()];
    head.extend(report.short_paths());
    let words = head.len();
    head.extend(["should say", "rejects", "smallest detectable", "how"].map(str::to_owned));
    let line = |result: &Result, it: &Estimated, smallest: &Smallest| {
        let mut cells = vec![result.judge.clone(), it.name.clone()];
        cells.extend(result.values.iter().map(|it| it.text.clone()));
        cells.push(figure(it.get(Measure::Estimand)));
        cells.push(figure(it.get(Measure::Power)));
        cells.push(amount(smallest));
        cells.push(match &smallest.reason {
            Some(reason) => reason.clone(),
            None => smallest.method.clone(),
        });
        Line { cells, chosen: false }
    };
    let mut rows = Vec::new();
    for result in &report.results {
        // The variants that one does not rely on would say the same thing again.
        for it in result.estimators.iter().filter(|it| it.chosen) {
            rows.extend(it.smallest.as_ref().map(|smallest| line(result, it, smallest)));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let grid = Grid { head, words, rows, ..Grid::default() };
    let body = html! {
        p {
            "\"Not detected\" is no answer by itself. Beside each test stands the effect that it sees "
            (plain(100.0 * POWER).trim_end_matches('0').trim_end_matches('.')) " % of the time with these pairs, in the unit of the rule and "
            "away from no effect; anything smaller would mostly have stayed unseen."
        }
        (table(&grid, "What this could not see"))
    };
    Some(Section { id: "unseen", heading: "What this could not see".into(), body })
}

fn amount(it: &Smallest) -> String {
    match (it.value, it.mcse) {
        (None, _) => "–".to_owned(),
        (Some(value), Some(error)) if 0.0 < error => {
            format!("{} ±{}", significant(value, 3), significant(error, 1))
        }
        (Some(value), _) => significant(value, 4),
    }
}

/// Published figures, gate and costs, where the study has them.
fn more(report: &Report) -> Vec<Section> {
    let mut all = Vec::new();
    if let Some(grid) = published(std::slice::from_ref(report)) {
        let body = html! {
            @if let Some(summary) = crate::report::summary(&report.published) { p { (summary) } }
            (table(&grid, "Published figures"))
        };
        all.push(Section { id: "published", heading: "Published figures".into(), body });
    }
    if let Some(gate) = &report.gate {
        let rows =
            gate.conditions.iter().map(|it| vec![it.outcome.word().to_owned(), it.line()].into());
        let head = vec!["outcome".to_owned(), "condition".to_owned()];
        let grid = Grid { head, words: 2, rows: rows.collect(), ..Grid::default() };
        let body = html! { p { (gate.sentence()) } (table(&grid, "Gate")) };
        all.push(Section { id: "gate", heading: "Gate".into(), body });
    }
    if let Some(grid) = costs::grid(report) {
        let body = table(&grid, "Costs");
        all.push(Section { id: "costs", heading: "Costs".into(), body });
    }
    all
}

fn assumptions(report: &Report) -> Option<Section> {
    if report.assumptions.is_empty() {
        return None;
    }
    let rows =
        report.assumptions.iter().map(|it| vec![it.what.clone(), it.flatters.clone()].into());
    let head = vec!["assumed".to_owned(), "whom it flatters".to_owned()];
    let grid = Grid { head, words: 2, rows: rows.collect(), ..Grid::default() };
    let body = table(&grid, "Assumptions");
    Some(Section { id: "assumptions", heading: "What is taken for granted".into(), body })
}

fn how(report: &Report) -> Section {
    let facts: Vec<(&str, String)> = [
        ("judgelab", report.version.clone()),
        ("random numbers", report.stream.clone()),
        ("seed", report.seed.to_string()),
        ("replicates a cell", report.replicates.to_string()),
        ("level of intervals and tests", format!("{} %", trimmed(100.0 * report.level))),
    ]
    .into_iter()
    .collect();
    let body: Markup = html! {
        p { "The same version, scenario and seed give the same numbers on every machine and with any number of threads." }
        dl {
            @for (name, value) in &facts { dt { (name) } dd { (value) } }
            @if let Some(made) = &report.made {
                dt { "scenario (BLAKE2b-256)" } dd { code { (made.scenario_blake2b) } }
                @for (name, digest) in &made.files { dt { (name) " (BLAKE2b-256)" } dd { code { (digest) } } }
            }
        }
        @if let Some(made) = &report.made {
            p { "To repeat it, save the scenario below and run " code { "judgelab run scenario.toml --seed " (report.seed) " --replicates " (report.replicates) } "." }
            details { summary { "The scenario" } pre tabindex="0" { (made.scenario) } }
        }
    };
    Section { id: "how", heading: "How it was run".into(), body }
}

/// A number in as few digits as it has, eight at most.
fn trimmed(value: f64) -> String {
    format!("{}", libm::rint(value * 1e8) / 1e8)
}
