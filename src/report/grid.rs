//! A table of words and numbers, apart from how it is written: as text, Markdown or LaTeX, or in a page.

use std::fmt::Write as _;

use comfy_table::Cell;

use super::table::{align, lines, plain_table};

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What stands above it.
    pub caption: String,
    /// The headings.
    pub head: Vec<String>,
    /// Leading columns that hold words; the others hold numbers and stand to the right.
    pub words: usize,
    /// The rows.
    pub rows: Vec<Line>,
    /// Sentences below it.
    pub notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// A text for each column.
    pub cells: Vec<String>,
    /// Whether it is the one to rely on, among variants.
    pub chosen: bool,
}

impl From<Vec<String>> for Line {
    fn from(cells: Vec<String>) -> Self {
        Self { cells, chosen: false }
    }
}

impl Grid {
    /// For a terminal: columns, no rules. Variants to rely on bear a star.
    #[must_use]
    pub fn text(&self) -> String {
        let mut table = plain_table();
        table.set_header(self.head.iter().map(Cell::new));
        for row in &self.rows {
            table.add_row(self.starred(row).iter().map(Cell::new));
        }
        align(&mut table, self.words..usize::MAX);
        let caption =
            if self.caption.is_empty() { String::new() } else { format!("{}\n", self.caption) };
        format!("{caption}{}\n", lines(&table))
    }

    /// For a pull request.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|it| markdown(it)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut out = String::new();
        if !self.caption.is_empty() {
            let _ = writeln!(out, "**{}**\n", markdown(&self.caption));
        }
        out.push_str(&line(&self.head));
        let rule = |k: usize| if k < self.words { "---" } else { "---:" };
        let rules: Vec<&str> = (0..self.head.len()).map(rule).collect();
        let _ = writeln!(out, "| {} |", rules.join(" | "));
        for row in &self.rows {
            out.push_str(&line(&self.starred(row)));
        }
        for note in &self.notes {
            let _ = writeln!(out, "\n{}", markdown(note));
        }
        out
    }

    /// For a paper: a `table` with the rules of the booktabs package.
    #[must_use]
    pub fn latex(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|it| latex(it)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let columns: String =
            (0..self.head.len()).map(|k| if k < self.words { 'l' } else { 'r' }).collect();
        let mut out = String::from("\\begin{table}\n\\centering\n");
        if !self.caption.is_empty() {
            let _ = writeln!(out, "\\caption{{{}}}", latex(&self.caption));
        }
        let _ = writeln!(out, "\\begin{{tabular}}{{{columns}}}\n\\toprule");
        out.push_str(&line(&self.head));
        out.push_str("\\midrule\n");
        for row in &self.rows {
            out.push_str(&line(&self.starred(row)));
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
        for note in &self.notes {
            let _ = writeln!(out, "\n{}", latex(note));
        }
        out.push_str("\\end{table}\n");
        out
    }

    /// The cells of a row; a star after the last word marks the one to rely on.
    fn starred(&self, row: &Line) -> Vec<String> {
        let mut cells = row.cells.clone();
        if row.chosen
            && let Some(cell) = self.words.checked_sub(1).and_then(|at| cells.get_mut(at))
        {
            cell.push_str(" *");
        }
        cells
    }
}

/// Text that Markdown reads as text.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text that LaTeX reads as text.
fn latex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '±' => out.push_str("$\\pm$"),
            '−' => out.push_str("$-$"),
            '∞' => out.push_str("$\\infty$"),
            '–' => out.push_str("--"),
            '·' => out.push_str("$\\cdot$"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    // A minus before a number is no hyphen.
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => format!("$-${}", &out[1..]),
        _ => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid {
            caption: "judge_1 · rule".into(),
            head: vec!["variant".into(), "mean".into()],
            words: 1,
            rows: vec![
                Line { cells: vec!["a|b".into(), "-0.5 ±0.1".into()], chosen: true },
                vec!["50 %".into(), "∞".into()].into(),
            ],
            notes: Vec::new(),
        }
    }

    #[test]
    fn one_table_in_three_dresses() {
        assert_eq!(
            grid().text(),
            "judge_1 · rule\nvariant       mean\na|b *    -0.5 ±0.1\n50 %             ∞\n"
        );
        assert_eq!(
            grid().markdown(),
            "**judge\\_1 · rule**\n\n| variant | mean |\n| --- | ---: |\n| a\\|b \\* | -0.5 ±0.1 |\n| 50 % | ∞ |\n"
        );
        let latex = grid().latex();
        assert!(
            latex.contains("\\begin{tabular}{lr}")
                && latex.contains("\\caption{judge\\_1 $\\cdot$ rule}"),
            "{latex}"
        );
        assert!(
            latex.contains("a|b * & $-$0.5 $\\pm$0.1 \\\\")
                && latex.contains("50 \\% & $\\infty$ \\\\"),
            "{latex}"
        );
    }
}
