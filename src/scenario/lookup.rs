//! Judges that look rows up in the world's table: how they are written, and what they read there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::document::show_path;
use super::found::Found;
use super::wire::{JudgeWire, ProtocolWire, TableWire};
use crate::evidence::{Asked, Verdict};
use crate::judges::Recorded;
use crate::judges::lexical::{Metric, passes};
use crate::protocol::Combine;
use crate::quantity::Probability;
use crate::verdicts::{Mode, Parser, Vocabulary};
use crate::world::{Cell, TableMistake, columns};

/// A judge whose verdicts are columns of the world's table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RecordedWire {
    /// How its columns' names begin: `NAME_SYSTEM` for grades; `NAME_AB` and `NAME_BA`, the first system shown first and
    /// second, for preferences.
    pub column: String,
    /// What they hold.
    #[serde(default)]
    pub says: Content,
    /// Reads free-text replies; without it a field is one word.
    pub parser: Option<Mode>,
}

/// What a recorded judge's columns hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// Of each answer: pass or 1, fail or 0, or invalid.
    #[default]
    Grades,
    /// Of each order: first or A, second or B (by place, not by system), tie or C, or invalid.
    Preferences,
}

/// A program that grades an answer by the words it shares with a reference.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LexicalWire {
    /// What is compared of the texts in the columns `reference` and `answer_SYSTEM`.
    pub metric: Option<Metric>,
    /// In place of a metric: how the names of columns begin that hold the scores, `NAME_SYSTEM`.
    pub scores: Option<String>,
    /// An answer passes whose score reaches this.
    #[serde(default = "one_half")]
    pub threshold: Probability,
}

const fn one_half() -> Probability {
    Probability::HALF
}

impl JudgeWire {
    /// Whether it grades answers one by one.
    pub(super) fn grades(&self) -> bool {
        match self {
            JudgeWire::Pointwise(_) | JudgeWire::Lexical(_) => true,
            JudgeWire::Recorded(it) => it.says == Content::Grades,
            JudgeWire::Pairwise(_) | JudgeWire::Scoring(_) | JudgeWire::Scripted(_) => false,
        }
    }

    /// Whether it looks rows up.
    pub(super) fn looks_up(&self) -> bool {
        matches!(self, JudgeWire::Recorded(_) | JudgeWire::Lexical(_))
    }
}

pub(super) fn no_table(name: &str) -> Found {
    let rule = "this judge looks its verdicts up in a table, and the world has none";
    Found::new(
        &show_path(["judges", name]),
        rule,
        "use [world.table], with the verdicts as columns",
    )
}

/// What is written is one verdict an order.
fn check(name: &str, protocol: &ProtocolWire, found: &mut Vec<Found>) -> Option<()> {
    if protocol.repeats.0 == 1 || protocol.combine == Combine::Majority {
        return Some(());
    }
    let rule =
        format!("the judge \"{name}\" has one verdict an order, and repeating it adds nothing");
    found.push(Found::new("protocol.repeats", rule, "set repeats = 1"));
    None
}

/// A lexical judge has a metric or scores.
fn check_lexical(name: &str, wire: &LexicalWire, found: &mut Vec<Found>) -> Option<()> {
    let remedy = match (wire.metric, &wire.scores) {
        (Some(_), None) | (None, Some(_)) => return Some(()),
        (Some(_), Some(_)) => "remove one of them",
        (None, None) => "add metric = \"token-f1\", or scores = \"f1\" for columns f1_SYSTEM",
    };
    let rule = "a lexical judge compares texts by a metric, or reads their scores";
    found.push(Found::new(&show_path(["judges", name, "lexical"]), rule, remedy).alone());
    None
}

/// What a judge reads in the text of the world's table; none where `found` says why, or the world's own mistake does.
pub(super) fn read(
    name: &str,
    judge: &JudgeWire,
    (table, text): (&TableWire, Option<&str>),
    protocol: &ProtocolWire,
    found: &mut Vec<Found>,
) -> Option<Result<Recorded, Vec<TableMistake>>> {
    check(name, protocol, found)?;
    let text = text?;
    match judge {
        JudgeWire::Recorded(it) => Some(recorded(it, text, &table.systems, protocol.orders.into())),
        JudgeWire::Lexical(it) => {
            check_lexical(name, it, found)?;
            Some(lexical(it, text, &table.systems))
        }
        _ => None,
    }
}

/// Grades every answer by its words, or by the score that the table holds of them.
fn lexical(
    wire: &LexicalWire,
    text: &str,
    systems: &[String; 2],
) -> Result<Recorded, Vec<TableMistake>> {
    let grade =
        |score| if passes(score, wire.threshold.get()) { Verdict::First } else { Verdict::Second };
    let named = |what: &str| systems.each_ref().map(|it| format!("{what}_{it}"));
    let (metric, scores) = match (wire.metric, &wire.scores) {
        (metric, None) => (metric.unwrap_or(Metric::TokenF1), None),
        (_, scores) => (Metric::TokenF1, scores.as_deref()),
    };
    let Some(scores) = scores else {
        let [first, second] = named("answer");
        let rows = columns(text, &["reference".to_owned(), first, second])?;
        let graded = rows.into_iter().map(|[reference, first, second]| {
            [first, second].map(|answer| grade(metric.score(&answer.text, &reference.text)))
        });
        return Ok(Recorded::new(graded.collect()));
    };
    let mut mistakes = Vec::new();
    let rows = columns(text, &named(scores))?.into_iter().map(|row| {
        row.map(|cell| match cell.text.parse() {
            Ok(score) if (0.0..=1.0).contains(&score) => grade(score),
            _ => {
                let rule = "a score is a number, 0 to 1".to_owned();
                let remedy = "mend the number, or name another column".to_owned();
                mistakes.push(TableMistake { line: cell.line, value: cell.text, rule, remedy });
                Verdict::Second
            }
        })
    });
    let rows = rows.collect();
    if mistakes.is_empty() { Ok(Recorded::new(rows)) } else { Err(mistakes) }
}

/// Reads the columns of a recorded judge.
fn recorded(
    wire: &RecordedWire,
    text: &str,
    systems: &[String; 2],
    asked: Asked,
) -> Result<Recorded, Vec<TableMistake>> {
    let name = |end: &str| format!("{}_{end}", wire.column);
    let rows: Vec<[Option<Cell>; 2]> = match (wire.says, asked) {
        (Content::Grades, _) => both(text, &systems.each_ref().map(|it| name(it)))?,
        (Content::Preferences, Asked::One) => {
            columns(text, &[name("AB")])?.into_iter().map(|[it]| [Some(it), None]).collect()
        }
        (Content::Preferences, Asked::Other) => {
            columns(text, &[name("BA")])?.into_iter().map(|[it]| [None, Some(it)]).collect()
        }
        (Content::Preferences, _) => both(text, &["AB", "BA"].map(name))?,
    };
    let mut mistakes = Vec::new();
    let parser = wire.parser.map(|mode| {
        let vocabulary = match wire.says {
            Content::Grades => Vocabulary::grades(),
            Content::Preferences => Vocabulary::pairs(),
        };
        Parser { vocabulary, mode }
    });
    let mut read = |cell: Option<Cell>| {
        let Some(Cell { line, text }) = cell else { return Verdict::Invalid };
        match &parser {
            Some(parser) => parser.read(&text).verdict(),
            None => word(wire.says, &text).unwrap_or_else(|| {
                mistakes.push(no_word(wire.says, line, text));
                Verdict::Invalid
            }),
        }
    };
    let verdicts = rows.into_iter().map(|row| row.map(&mut read)).collect();
    if mistakes.is_empty() { Ok(Recorded::new(verdicts)) } else { Err(mistakes) }
}

fn both(text: &str, names: &[String; 2]) -> Result<Vec<[Option<Cell>; 2]>, Vec<TableMistake>> {
    Ok(columns(text, names)?.into_iter().map(|row| row.map(Some)).collect())
}

fn word(says: Content, text: &str) -> Option<Verdict> {
    Some(match (says, text) {
        (Content::Grades, "pass" | "1") | (Content::Preferences, "first" | "A") => Verdict::First,
        (Content::Grades, "fail" | "0") | (Content::Preferences, "second" | "B") => Verdict::Second,
        (Content::Preferences, "tie" | "C") => Verdict::Tie,
        (_, "invalid") => Verdict::Invalid,
        _ => return None,
    })
}

fn no_word(says: Content, line: usize, value: String) -> TableMistake {
    let rule = match says {
        Content::Grades => "a grade is pass or 1, fail or 0, or invalid",
        Content::Preferences => "a preference is first or A, second or B, tie or C, or invalid",
    };
    let remedy =
        "mend the word (invalid, for a reply that is no verdict), or set parser to read free text";
    TableMistake { line, value, rule: rule.to_owned(), remedy: remedy.to_owned() }
}
