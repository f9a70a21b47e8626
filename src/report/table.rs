//! Tables as text: one for each judge and rule, the true values beside the estimates.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};

use super::grid::{Grid, Line};
use super::{Estimated, Report, Result, figure, summary};
use crate::study::Measure;

/// A column: its heading and the measure it shows.
const COLUMNS: [(&str, Measure); 10] = [
    ("should say", Measure::Estimand),
    ("fair judge", Measure::Fair),
    ("noise floor", Measure::Floor),
    ("truth", Measure::True),
    ("mean", Measure::Mean),
    ("bias", Measure::Bias),
    ("sd", Measure::EmpiricalSe),
    ("rmse", Measure::Rmse),
    ("coverage", Measure::Coverage),
    ("rejects", Measure::Power),
];

/// The whole report as text, `width` columns wide (none: as wide as it needs): question, answer, tables, notes.
#[must_use]
pub fn text(report: &Report, width: Option<u16>) -> String {
    let mut out = String::new();
    let wrap = usize::from(width.unwrap_or(100)).clamp(40, 120);
    let title = report.study.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
    if !report.question.is_empty() {
        push_wrapped(&mut out, &format!("{title}{}", report.question), wrap);
        out.push('\n');
    }
    for sentence in &report.answer {
        push_wrapped(&mut out, sentence, wrap);
        out.push('\n');
    }
    for grid in grids(report) {
        out.push_str(&grid.text());
        for note in &grid.notes {
            push_wrapped(&mut out, note, wrap);
        }
        out.push('\n');
    }
    for sentence in changed(report) {
        push_wrapped(&mut out, &sentence, wrap);
        out.push('\n');
    }
    if let Some(costs) = super::costs::grid(report) {
        out.push_str(&costs.text());
        out.push('\n');
    }
    if let Some(gate) = &report.gate {
        out.push_str("gate\n");
        for it in &gate.conditions {
            push_wrapped(&mut out, &format!("{:<9} {}", it.outcome.word(), it.line()), wrap);
        }
        push_wrapped(&mut out, &gate.sentence(), wrap);
        out.push('\n');
    }
    if let Some(precision) = &report.precision {
        push_wrapped(&mut out, &precision.words(), wrap);
    }
    push_wrapped(&mut out, &notes(report), wrap);
    out
}

/// The cases that changed, by name, for each judge that says so without chance.
pub(super) fn changed(report: &Report) -> Vec<String> {
    let list = |cases: &[String]| match cases {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    let each = report.results.iter().filter_map(|it| Some((it, it.changed.as_ref()?)));
    each.map(|(result, it)| {
        let cell: Vec<&str> = result.values.iter().map(|it| it.text.as_str()).collect();
        let at = if cell.is_empty() { String::new() } else { format!(" at {}", cell.join(", ")) };
        let [first, second] = &result.systems;
        format!(
            "{}{at}: from {second} to {first} improved: {}; regressed: {}.",
            result.judge,
            list(&it.improved),
            list(&it.regressed)
        )
    })
    .collect()
}

/// The published figures of a document beside what is known of them, study by study; none without figures.
pub(super) fn published(reports: &[Report]) -> Option<Grid> {
    let number =
        |it: Option<f64>, digits: usize| it.map(|it| format!("{it:.digits$}")).unwrap_or_default();
    let mut rows: Vec<Line> = Vec::new();
    let mut last = "";
    for it in reports.iter().flat_map(|it| &it.published) {
        let digits = usize::from(it.digits).max(4);
        let mcse = it.mcse.filter(|_| it.simulated.is_some());
        let study = if it.study == last { "" } else { &it.study };
        last = &it.study;
        let cells = vec![
            study.to_owned(),
            it.what.clone(),
            it.verdict.words().to_owned(),
            format!("{:.1$}", it.published, digits),
            number(it.right, digits),
            number(it.exact, digits),
            number(it.simulated, digits),
            number(mcse, digits),
        ];
        rows.push(cells.into());
    }
    let head = ["study", "figure", "verdict", "published", "right", "exact", "simulated", "MCSE"];
    let head = head.map(str::to_owned).to_vec();
    let caption = "published figures".to_owned();
    (!rows.is_empty()).then_some(Grid { caption, head, words: 3, rows, ..Grid::default() })
}

/// The published figures as text, and one line on all of them; none without figures.
#[must_use]
pub fn document(reports: &[Report]) -> Option<String> {
    let summary = summary(reports.iter().flat_map(|it| &it.published))?;
    let mut out = format!("{}\n", published(reports)?.text());
    push_wrapped(&mut out, &summary, 100);
    Some(out)
}

pub(super) fn plain_table() -> Table {
    let mut table = Table::new();
    table.load_style(style());
    table.set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// Sets padding, and aligns columns of numbers to the right.
pub(super) fn align(table: &mut Table, numbers: std::ops::Range<usize>) {
    for (k, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_constraint(ColumnConstraint::ContentWidth);
        if numbers.contains(&k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

pub(super) fn lines(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Each judge with each of its rules, in order.
fn sections(report: &Report) -> Vec<(&str, &str)> {
    let mut all: Vec<(&str, &str)> = Vec::new();
    for result in &report.results {
        for it in &result.estimators {
            if !all.contains(&(&result.judge, &it.rule)) {
                all.push((&result.judge, &it.rule));
            }
        }
    }
    // Judges in their order, rules within; a cell may add a judge's rule late.
    let judges: Vec<&str> = report.results.iter().map(|it| it.judge.as_str()).collect();
    all.sort_by_key(|(judge, _)| judges.iter().position(|it| it == judge));
    all
}

/// One table for each judge and each of its rules.
#[must_use]
pub fn grids(report: &Report) -> Vec<Grid> {
    sections(report).into_iter().filter_map(|(judge, rule)| grid(report, judge, rule)).collect()
}

/// One judge and one rule: a line for each cell and variant.
fn grid(report: &Report, judge: &str, rule: &str) -> Option<Grid> {
    let rows: Vec<(&Result, &Estimated)> = report
        .results
        .iter()
        .filter(|result| result.judge == judge)
        .flat_map(|result| {
            result.estimators.iter().filter(|it| it.rule == rule).map(move |it| (result, it))
        })
        .collect();
    let (_, first) = rows.first()?;
    let variants = rows.iter().any(|(_, it)| it.variant != first.variant);
    let shown: Vec<(&str, Measure)> = COLUMNS
        .into_iter()
        .filter(|(_, measure)| rows.iter().any(|(_, it)| it.get(*measure).is_some()))
        .collect();
    let undefined =
        rows.iter().any(|(_, it)| it.get(Measure::Mean).is_some_and(|it| 0 < it.undefined));
    let mut head: Vec<String> = report.short_paths();
    head.extend(variants.then(|| "variant".to_owned()));
    head.extend(shown.iter().map(|(name, _)| (*name).to_owned()));
    head.extend(undefined.then(|| "defined".to_owned()));
    let line = |(result, it): &(&Result, &Estimated)| {
        let mut cells: Vec<String> = result.values.iter().map(|value| value.text.clone()).collect();
        cells.extend(variants.then(|| it.variant.clone()));
        cells.extend(shown.iter().map(|(_, measure)| figure(it.get(*measure))));
        cells.extend(undefined.then(|| defined(it)));
        Line { cells, chosen: variants && it.chosen }
    };
    let mut units: Vec<&str> = Vec::new();
    for (_, it) in rows.iter().filter(|it| !it.1.unit.is_empty()) {
        if !units.contains(&it.unit.as_str()) {
            units.push(&it.unit);
        }
    }
    let unit = if units.is_empty() { String::new() } else { format!(" ({})", units.join("; ")) };
    let what = if variants { String::new() } else { format!(": {}", first.summary) };
    Some(Grid {
        caption: format!("{judge} · {rule}{unit}{what}"),
        head,
        words: report.paths.len() + usize::from(variants),
        rows: rows.iter().map(line).collect(),
        notes: unanswered(rows.iter().map(|it| it.1)),
    })
}

/// A rule under the heading and nothing else.
fn style() -> comfy_table::TableStyle {
    comfy_table::TableStyle::default()
}

fn defined(it: &Estimated) -> String {
    let Some(mean) = it.get(Measure::Mean) else { return String::new() };
    let all = mean.replicates.unwrap_or(0) + mean.undefined;
    if mean.undefined == 0 || all == 0 {
        return "all".to_owned();
    }
    format!("{:.1} %", 100.0 * (all - mean.undefined) as f64 / all as f64)
}

/// For rules without an estimate in any replicate, a sentence that says why.
pub(super) fn unanswered<'a>(rules: impl Iterator<Item = &'a Estimated>) -> Vec<String> {
    let mut why: Vec<(String, Vec<&str>)> = Vec::new();
    let never = |it: &&Estimated| {
        it.get(Measure::Mean).is_some_and(|it| it.replicates == Some(0) && 0 < it.undefined)
    };
    for it in rules.filter(never) {
        let reasons: Vec<&str> = it.undefined.iter().map(|it| &*it.reason).collect();
        let reasons = reasons.join(" or ");
        match why.iter_mut().find(|(known, _)| *known == reasons) {
            Some((_, names)) if names.contains(&&*it.name) => {}
            Some((_, names)) => names.push(&it.name),
            None => why.push((reasons, vec![&it.name])),
        }
    }
    let sentence = |(reason, names): (String, Vec<&str>)| {
        format!("No estimate of {}: {reason}.", names.join(", "))
    };
    why.into_iter().map(sentence).collect()
}

pub(super) fn notes(report: &Report) -> String {
    let targets: Vec<&str> = report.results.iter().map(|it| it.target.as_str()).collect();
    let world = match (targets.contains(&"world"), targets.contains(&"population")) {
        (true, false) => "these cases as they were drawn (world)",
        (false, _) => "the average over worlds drawn anew (population)",
        _ => "this world or the population, as each cell says",
    };
    let round = |x: f64| libm::rint(x * 1e8) / 1e8;
    let (level, alpha) = (round(100.0 * report.level), round(1.0 - report.level));
    format!(
        "{} replicates a cell, seed {}, {}. \"Should say\" is the rule at the expected answers of {world}; ± is one Monte \
         Carlo standard error, numbers without it are exact. Coverage of the {level} % interval and rejections at p <= \
         {alpha} count all replicates; mean, bias, sd and rmse only those in which the estimate is defined. * marks the variant to rely on.",
        report.replicates, report.seed, report.stream
    )
}

pub(super) fn push_wrapped(out: &mut String, text: &str, width: usize) {
    for paragraph in text.split("\n\n") {
        let mut column = 0;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count();
            if 0 < column && width < column + 1 + length {
                out.push('\n');
                column = 0;
            } else if 0 < column {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += length;
        }
        out.push('\n');
    }
}
