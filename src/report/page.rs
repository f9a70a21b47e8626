//! One self-contained page: no network, no script, no other file; for light and dark screens and for paper.
//!
//! A page is put together from parts that its maker fills with numbers of a report; it computes nothing.

pub(super) mod analysis;
pub(super) mod glossary;
mod study;

use super::grid::Grid;
use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use study::page;

/// The style sheet, whole.
const STYLE: &str = include_str!("page/style.css");

/// What a page is made of, from top to bottom.
#[derive(Debug)]
pub(super) struct Page {
    /// What it is: `simulated study`, `verdict file`.
    pub(super) kind: String,
    /// The question, whose first sentence is the heading.
    pub(super) question: String,
    /// The answer, in sentences.
    pub(super) answer: Vec<String>,
    /// Charts, the main one first.
    pub(super) figures: Vec<Shown>,
    /// Everything else.
    pub(super) sections: Vec<Section>,
}

/// A chart, and its numbers as a table.
#[derive(Debug)]
pub(super) struct Shown {
    /// The SVG text.
    pub(super) svg: String,
    /// What it shows, in a sentence.
    pub(super) caption: String,
    /// Its numbers.
    pub(super) data: Grid,
}

/// A part of a page with a heading of its own.
#[derive(Debug)]
pub(super) struct Section {
    /// The name of its place in the page.
    pub(super) id: &'static str,
    /// Its heading.
    pub(super) heading: String,
    /// What it says.
    pub(super) body: Markup,
}

/// A table; what is wider than the screen scrolls by itself, with the keyboard too.
pub(super) fn table(grid: &Grid, label: &str) -> Markup {
    let class = |k: usize| (grid.words <= k).then_some("n");
    html! {
        div.wide tabindex="0" role="region" aria-label=(label) {
            table {
                @if !grid.caption.is_empty() { caption { (grid.caption) } }
                thead { tr {
                    @for (k, name) in grid.head.iter().enumerate() {
                        th scope="col" class=[class(k)] { (glossary::linked(name)) }
                    }
                } }
                tbody {
                    @for row in &grid.rows {
                        tr class=[row.chosen.then_some("chosen")] {
                            @for (k, cell) in row.cells.iter().enumerate() {
                                @if k == 0 && 0 < grid.words && grid.words < grid.head.len() {
                                    th scope="row" { (cell) }
                                } @else {
                                    td class=[class(k)] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
        @for note in &grid.notes { p.note { (note) } }
    }
}

/// The first sentence of a text, and the rest.
fn split(text: &str) -> (String, String) {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    // A point within a number or a file name ends no sentence.
    let ends = text.match_indices(['?', '.']).map(|(at, _)| at + 1);
    let mut ends = ends.filter(|end| text[*end..].starts_with(' '));
    let end = ends.next().unwrap_or(text.len());
    // A sentence that fills half the screen is no heading.
    if end <= 160 {
        (text[..end].to_owned(), text[end..].trim().to_owned())
    } else {
        (String::new(), text)
    }
}

impl Page {
    /// The HTML text.
    pub(super) fn html(&self) -> String {
        let (heading, rest) = split(&self.question);
        let heading = if heading.is_empty() { format!("A {}", self.kind) } else { heading };
        let body = html! {
            @if !self.answer.is_empty() {
                div.answer { @for sentence in &self.answer { p { (sentence) } } }
            }
            @for (k, it) in self.figures.iter().enumerate() { (figure(k, it)) }
            @for part in &self.sections {
                section aria-labelledby={ (part.id) "-h" } id=(part.id) {
                    h2 id={ (part.id) "-h" } { (part.heading) }
                    (part.body)
                }
            }
        };
        let words = glossary::used(&format!("{}{}", self.question, body.0));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content="judgelab";
                    title { (heading) " · judgelab" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "To the answer" }
                    header {
                        p.kicker { "judgelab · " (self.kind) }
                        h1 { (heading) }
                        @if !rest.is_empty() { p { (rest) } }
                        nav aria-label="Parts of this page" { ul {
                            @for part in &self.sections {
                                li { a href={ "#" (part.id) } { (part.heading) } }
                            }
                            @if words.is_some() { li { a href="#words" { "Words" } } }
                        } }
                    }
                    main #main {
                        (body)
                        @if let Some(words) = words {
                            section aria-labelledby="words-h" #words {
                                h2 #words-h { "Words" }
                                (words)
                            }
                        }
                    }
                }
            }
        };
        let mut text = page.into_string();
        text.push('\n');
        text
    }
}

fn figure(k: usize, it: &Shown) -> Markup {
    html! {
        figure {
            div.wide tabindex="0" role="region" aria-label={ "Chart " (k + 1) } { (PreEscaped(&it.svg)) }
            figcaption { (it.caption) }
            @if !it.data.rows.is_empty() {
                details {
                    summary { "The numbers of this chart" }
                    (table(&it.data, &format!("Numbers of chart {}", k + 1)))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_the_heading() {
        assert_eq!(
            split("Does it  cancel?\nAnd what is left?"),
            ("Does it cancel?".into(), "And what is left?".into())
        );
        assert_eq!(
            split("At 0.5 log-odds, what is seen? More.").0,
            "At 0.5 log-odds, what is seen?"
        );
        assert_eq!(split(&"long ".repeat(40)).0, "");
        assert_eq!(split("").0, "");
    }

    #[test]
    fn text_stays_text() {
        let page = Page {
            kind: "simulated study".into(),
            question: "Is <script>alert(1)</script> a name?".into(),
            answer: vec!["a&b\" beats <b>".into()],
            figures: Vec::new(),
            sections: vec![Section {
                id: "results",
                heading: "Results".into(),
                body: table(
                    &Grid {
                        head: vec!["<i>".into()],
                        words: 1,
                        rows: vec![vec!["</td>".into()].into()],
                        ..Grid::default()
                    },
                    "a\"b",
                ),
            }],
        };
        let text = page.html();
        assert!(!text.contains("<script>") && !text.contains("<b>") && !text.contains("<i>"));
        assert!(text.contains("a&amp;b&quot; beats &lt;b&gt;"));
        assert!(text.contains("aria-label=\"a&quot;b\""));
    }
}
