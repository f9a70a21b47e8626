//! The page of an analysis of verdict files, from its record alone.

use maud::html;

use super::{Page, Section, Shown, table};
use crate::analysis::{Detectable, Number, Source};
use crate::report::analysis::{Found, Recorded, parts};
use crate::report::grid::{Grid, Line};

/// The page: what was asked, the answer, charts, judge by judge, what could not be seen, what is taken for granted, how the
/// files were read.
pub(in crate::report) fn page(it: &Recorded) -> String {
    let mut sections: Vec<Section> = overview(it).into_iter().collect();
    sections.push(judges(it));
    sections.extend(together(it));
    sections.extend(unseen(it));
    sections.push(assumptions(it));
    sections.push(how(it));
    let page = Page {
        kind: "verdict files".to_owned(),
        question: question(it),
        answer: parts::answer(&it.found),
        figures: figures(it),
        sections,
    };
    page.html()
}

#[cfg(feature = "charts")]
fn figures(it: &Recorded) -> Vec<Shown> {
    let all = it.pictures().into_iter();
    all.map(|it| Shown { svg: it.svg, caption: it.caption, data: it.data }).collect()
}

#[cfg(not(feature = "charts"))]
fn figures(_: &Recorded) -> Vec<Shown> {
    Vec::new()
}

/// The heading: whose verdicts, in which files.
fn question(it: &Recorded) -> String {
    let names: Vec<&str> = match &it.found {
        Found::Comparisons(it) => it.judges.iter().map(|it| it.judge.as_str()).collect(),
        Found::Grades(it) => it.judges.iter().map(|it| it.judge.as_str()).collect(),
    };
    let whose = match names.as_slice() {
        [one] => format!("does the judge {} do", shortened(one)),
        all => format!("do {} judges do", all.len()),
    };
    let files = it.files();
    let last = |it: &Source| shortened(it.file.rsplit(['/', '\\']).next().unwrap_or_default());
    let where_ = match files {
        [] => String::new(),
        [one] => format!(" in {}", last(one)),
        [one, ..] => {
            format!(" in {} and {} more", last(one), parts::some(files.len() as u64 - 1, "file"))
        }
    };
    format!("What {whose}{where_}, and what could have been seen?")
}

/// A name of at most 40 characters; a heading holds no more.
fn shortened(name: &str) -> String {
    if name.chars().count() <= 40 {
        return name.to_owned();
    }
    let start: String = name.chars().take(39).collect();
    format!("{start}…")
}

fn overview(it: &Recorded) -> Option<Section> {
    let Found::Comparisons(found) = &it.found else { return None };
    let grid = parts::overview(found);
    let body = html! {
        p.note { "Pairs are the unit; FF and SS are pairs in which the first or the second slot won in both orders." }
        (table(&grid, "All judges"))
    };
    Some(Section { id: "results", heading: "Position, side by side".into(), body })
}

fn judges(it: &Recorded) -> Section {
    let body = html! {
        @for said in parts::each(&it.found) {
            h3 { (said.judge) }
            @for sentence in &said.sentences { p { (sentence) } }
            @for grid in &said.tables { (table(grid, &named(&said.judge, grid))) }
        }
    };
    Section { id: "judges", heading: "Judge by judge".into(), body }
}

/// What a table is called by those who hear it.
fn named(judge: &str, grid: &Grid) -> String {
    format!("{judge}: {}", grid.head.first().map_or("", String::as_str))
}

fn together(it: &Recorded) -> Option<Section> {
    let (sentences, tables) = parts::together(&it.found);
    if sentences.is_empty() && tables.is_empty() {
        return None;
    }
    let body = html! {
        @for sentence in &sentences { p { (sentence) } }
        @for grid in &tables { (table(grid, &named("All judges", grid))) }
    };
    Some(Section { id: "together", heading: "Judges compared".into(), body })
}

/// Each test with the effect that these files would have shown.
fn unseen(it: &Recorded) -> Option<Section> {
    let alpha = 1.0 - it.level();
    let line = |it: (String, &'static str, &Number, Option<f64>, &Detectable)| {
        let (who, test, number, p, detectable) = it;
        let found = match p {
            Some(p) if p <= alpha => "seen",
            Some(_) => "not seen",
            None => "no test",
        };
        Line::from(vec![
            who,
            test.to_owned(),
            found.to_owned(),
            parts::stated(number),
            p.map_or("–".to_owned(), parts::p),
            detectable.value.map_or("–".to_owned(), parts::plain),
            detectable.unit.clone(),
            detectable.reason.clone().unwrap_or_else(|| detectable.method.clone()),
        ])
    };
    let rows: Vec<Line> = parts::tests(&it.found).into_iter().map(line).collect();
    if rows.is_empty() {
        return None;
    }
    let head = ["whose", "effect", "found", "estimate", "p", "smallest detectable", "unit", "how"];
    let head = head.map(str::to_owned).to_vec();
    let grid = Grid { head, words: 3, rows, ..Grid::default() };
    let body = html! {
        p {
            "\"Not seen\" is no answer by itself. Beside each test stands the effect that it sees four times in five with these "
            "files; anything smaller would mostly have stayed unseen."
        }
        (table(&grid, "What this could not see"))
    };
    Some(Section { id: "unseen", heading: "What this could not see".into(), body })
}

fn assumptions(it: &Recorded) -> Section {
    let line = |it: [&str; 2]| Line::from(it.map(str::to_owned).to_vec());
    let rows = parts::assumptions(&it.found).into_iter().map(line).collect();
    let head = vec!["assumed".to_owned(), "whom it flatters".to_owned()];
    let grid = Grid { head, words: 2, rows, ..Grid::default() };
    let body = table(&grid, "Assumptions");
    Section { id: "assumptions", heading: "What is taken for granted".into(), body }
}

fn how(it: &Recorded) -> Section {
    let count = |it: u64| it.to_string();
    let line = |it: &Source| {
        let coded = it.coded.as_deref().unwrap_or("–").to_owned();
        let why = it.coded_because.as_deref().unwrap_or("–").to_owned();
        let mut cells = vec![it.file.clone(), it.format.clone(), coded, why];
        cells.extend([
            count(it.records),
            count(it.kept),
            count(it.bad),
            count(it.invalid),
            count(it.conflicting),
            count(it.self_play),
            count(it.duplicates),
            count(it.contradicted),
            count(it.numbered),
            count(it.zero_lengths),
        ]);
        Line::from(cells)
    };
    let head = [
        "file",
        "format",
        "verdicts name the",
        "known because",
        "records",
        "kept",
        "bad",
        "no verdict",
        "conflicting",
        "against itself",
        "duplicates",
        "contradicted",
        "numbered repeats",
        "length 0",
    ];
    let rows = it.files().iter().map(line).collect();
    let grid = Grid { head: head.map(str::to_owned).to_vec(), words: 4, rows, ..Grid::default() };
    let body = html! {
        @if !grid.rows.is_empty() { (table(&grid, "Files")) }
        @for file in it.files() {
            @if !file.notes.is_empty() || !file.first_bad.is_empty() {
                h3 { (file.file) }
                @for note in &file.notes { p { (note) } }
                @if !file.first_bad.is_empty() {
                    p { "The first lines that could not be used:" }
                    ul { @for (number, text, rule) in &file.first_bad {
                        li { "line " (number) ": " code { (text) } ": " (rule) }
                    } }
                }
            }
        }
        dl {
            dt { "judgelab" } dd { (it.version) }
            dt { "level of intervals and tests" } dd { (libm::rint(it.level() * 1e8) / 1e6) " %" }
        }
    };
    Section { id: "how", heading: "How the files were read".into(), body }
}
