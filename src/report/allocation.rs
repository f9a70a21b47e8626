//! How to spend a budget, in sentences and a table around the answer.

use comfy_table::Cell;
use serde::Serialize;

use super::numbers::significant;
use super::table::{align, lines, plain_table, push_wrapped};

/// An answer about a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Allocation {
    /// What was asked, as the command names it.
    pub question: &'static str,
    /// The answer, in sentences.
    pub answer: Vec<String>,
    /// What to buy, by name.
    pub best: Vec<(&'static str, f64)>,
    /// The names of the table's columns.
    pub columns: Vec<&'static str>,
    /// Ways to spend the budget, the best and those beside it.
    pub rows: Vec<Way>,
}

/// One way to spend a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// What it is called.
    pub name: String,
    /// Its numbers, by column; none where one does not apply.
    pub values: Vec<Option<f64>>,
}

impl Allocation {
    /// The JSON text, indented, with a line feed at the end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Sentences, then the table.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        push_wrapped(&mut out, &self.answer.join(" "), 100);
        out.push('\n');
        let mut table = plain_table();
        table.set_header(std::iter::once("").chain(self.columns.iter().copied()).map(Cell::new));
        for way in &self.rows {
            let numbers = way.values.iter().map(|it| it.map_or_else(String::new, number));
            table.add_row(std::iter::once(way.name.clone()).chain(numbers).map(Cell::new));
        }
        align(&mut table, 1..usize::MAX);
        out.push_str(&lines(&table));
        out.push('\n');
        out
    }
}

/// Whole numbers as they are, others to four digits.
fn number(value: f64) -> String {
    if value == libm::rint(value) && value.abs() < 1e15 {
        format!("{value}")
    } else {
        significant(value, 4)
    }
}
