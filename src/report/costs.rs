//! What a round costs, judge by judge and in total.

use serde::{Deserialize, Serialize};

use super::grid::{Grid, Line};
use super::{Report, Value, values};
use crate::protocol::{Cost, CostMeasure};
use crate::scenario::Plan;

/// What a judge costs in a cell, or all judges together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostRow {
    /// The value of each varied path.
    pub values: Vec<Value>,
    /// The judge; none for all together.
    pub judge: Option<String>,
    /// Calls.
    pub calls: u64,
    /// Words of all prompts, where they are known.
    pub words: Option<f64>,
    /// The median words of a prompt.
    pub median_words: Option<f64>,
    /// Tokens read.
    pub input_tokens: Option<f64>,
    /// Tokens written.
    pub output_tokens: Option<f64>,
    /// Money, in the currency of the prices.
    pub money: Option<f64>,
}

/// The rows of a plan: each cell's judges and, of several, their sum.
pub(super) fn rows(plan: &Plan) -> Vec<CostRow> {
    let mut rows = Vec::new();
    for cell in plan.costs.chunk_by(|a, b| a.cell == b.cell) {
        let mut push = |judge: Option<String>, cost: Cost| {
            rows.push(CostRow {
                values: values(&plan.cells[cell[0].cell]),
                judge,
                calls: cost.calls,
                words: cost.words,
                median_words: cost.median_words,
                input_tokens: cost.input_tokens,
                output_tokens: cost.output_tokens,
                money: cost.money,
            });
        };
        for it in cell {
            push(Some(it.judge.to_string()), it.cost);
        }
        if let [first, others @ ..] = cell
            && !others.is_empty()
        {
            push(None, others.iter().fold(first.cost, |sum, it| sum.plus(it.cost)));
        }
    }
    rows
}

/// The table, with those columns that are known; nothing without prices.
pub(super) fn grid(report: &Report) -> Option<Grid> {
    if report.costs.is_empty() {
        return None;
    }
    let all = CostMeasure::ALL.into_iter();
    let shown: Vec<CostMeasure> =
        all.filter(|it| report.costs.iter().any(|row| row.get(*it).is_some())).collect();
    let mut head = report.short_paths();
    head.push("judge".to_owned());
    head.extend(shown.iter().map(|it| heading(*it, &report.currency)));
    let line = |row: &CostRow| -> Line {
        let mut cells: Vec<String> = row.values.iter().map(|value| value.text.clone()).collect();
        cells.push(row.judge.clone().unwrap_or_else(|| "total".to_owned()));
        cells.extend(shown.iter().map(|it| number(*it, row.get(*it))));
        cells.into()
    };
    Some(Grid {
        caption: "cost of one round".to_owned(),
        head,
        words: report.paths.len() + 1,
        rows: report.costs.iter().map(line).collect(),
        ..Grid::default()
    })
}

impl CostRow {
    fn get(&self, measure: CostMeasure) -> Option<f64> {
        match measure {
            CostMeasure::Calls => Some(self.calls as f64),
            CostMeasure::Words => self.words,
            CostMeasure::MedianWords => self.median_words,
            CostMeasure::InputTokens => self.input_tokens,
            CostMeasure::OutputTokens => self.output_tokens,
            CostMeasure::Money => self.money,
        }
    }
}

fn heading(measure: CostMeasure, currency: &str) -> String {
    match measure {
        CostMeasure::Calls => "calls".to_owned(),
        CostMeasure::Words => "words".to_owned(),
        CostMeasure::MedianWords => "median words".to_owned(),
        CostMeasure::InputTokens => "input tokens".to_owned(),
        CostMeasure::OutputTokens => "output tokens".to_owned(),
        CostMeasure::Money if currency.is_empty() => "money".to_owned(),
        CostMeasure::Money => currency.to_owned(),
    }
}

/// Counts are whole; half a word is a median, and money has four decimals.
fn number(measure: CostMeasure, value: Option<f64>) -> String {
    let digits = match measure {
        CostMeasure::MedianWords => 1,
        CostMeasure::Money => 4,
        _ => 0,
    };
    value.map_or("–".to_owned(), |it| format!("{it:.digits$}"))
}
