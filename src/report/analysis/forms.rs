//! An analysis as text, for a pull request, for a paper, and as a comment of a few lines.

use std::fmt::Write as _;

use super::{Found, Grid, Recorded, Said, each, push_wrapped, read, tables, together};
use crate::report::grid::markdown;

/// The most judges that a comment of a few lines tells of.
const MOST_JUDGES: usize = 12;

impl Recorded {
    /// Sentences and tables for a terminal `width` columns wide.
    #[must_use]
    pub fn text(&self, width: Option<u16>) -> String {
        let wrap = usize::from(width.unwrap_or(100)).clamp(40, 120);
        let mut out = String::new();
        let sentences = |out: &mut String, all: &[String]| {
            for it in all {
                push_wrapped(out, it, wrap);
            }
        };
        sentences(&mut out, &read(self.files()));
        for Said { judge, sentences: said, tables } in each(&self.found) {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = writeln!(out, "{judge}");
            sentences(&mut out, &said);
            for grid in &tables {
                let _ = write!(out, "\n{}", grid.text());
                sentences(&mut out, &grid.notes);
            }
        }
        let (said, tables) = together(&self.found);
        if !said.is_empty() {
            out.push('\n');
        }
        sentences(&mut out, &said);
        for grid in &tables {
            let _ = write!(out, "\n{}", grid.text());
        }
        out
    }

    /// Markdown: how the files were read, then judge by judge.
    #[must_use]
    pub fn as_markdown(&self) -> String {
        let mut out = String::from("### Verdict files\n\n");
        bullets(&mut out, &read(self.files()));
        for Said { judge, sentences, tables } in each(&self.found) {
            let _ = writeln!(out, "### {}\n", markdown(&judge));
            bullets(&mut out, &sentences);
            for grid in &tables {
                let _ = writeln!(out, "{}", grid.markdown());
            }
        }
        let (sentences, tables) = together(&self.found);
        if !sentences.is_empty() || !tables.is_empty() {
            out.push_str("### All judges\n\n");
        }
        bullets(&mut out, &sentences);
        for grid in &tables {
            let _ = writeln!(out, "{}", grid.markdown());
        }
        out
    }

    /// LaTeX tables, the sentences as comments.
    #[must_use]
    pub fn as_latex(&self) -> String {
        let mut out = String::from("% Needs \\usepackage{booktabs}.\n");
        let comments = |out: &mut String, all: &[String]| {
            for it in all {
                let words: Vec<&str> = it.split_whitespace().collect();
                let _ = writeln!(out, "% {}", words.join(" "));
            }
        };
        comments(&mut out, &read(self.files()));
        for Said { judge, sentences, tables } in each(&self.found) {
            comments(&mut out, std::slice::from_ref(&judge));
            comments(&mut out, &sentences);
            for grid in tables {
                out.push_str(&Grid { caption: judge.clone(), ..grid }.latex());
            }
        }
        let (sentences, tables) = together(&self.found);
        comments(&mut out, &sentences);
        out.extend(tables.iter().map(Grid::latex));
        out
    }

    /// Markdown of a few lines: the first sentences on each judge, and one table of all of them.
    #[must_use]
    pub fn as_summary(&self) -> String {
        let mut out = String::from("### Verdict files\n\n");
        let all = each(&self.found);
        for it in all.iter().take(MOST_JUDGES) {
            let first: Vec<&str> = it.sentences.iter().take(2).map(String::as_str).collect();
            let _ = writeln!(out, "- **{}**: {}", markdown(&it.judge), markdown(&first.join(" ")));
        }
        if MOST_JUDGES < all.len() {
            let _ = writeln!(out, "- {} more in the full report", all.len() - MOST_JUDGES);
        }
        if let Found::Comparisons(it) = &self.found {
            let mut grid = tables::overview(it);
            grid.rows.truncate(MOST_JUDGES);
            let _ = write!(out, "\n{}", grid.markdown());
        }
        let _ = writeln!(out, "\njudgelab {}, level {}.", self.version, self.level());
        out
    }
}

fn bullets(out: &mut String, sentences: &[String]) {
    for it in sentences {
        let _ = writeln!(out, "- {}", markdown(it));
    }
    if !sentences.is_empty() {
        out.push('\n');
    }
}
