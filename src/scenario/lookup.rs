//! Judges that look rows up in the world's table: how they are written, and what they read there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::document::show_path;
use super::found::Found;
use super::wire::{JudgeWire, ProtocolWire};
use crate::evidence::{Asked, Verdict};
use crate::judges::Recorded;
use crate::protocol::Combine;
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

impl JudgeWire {
    /// Whether it grades answers one by one.
    pub(super) fn grades(&self) -> bool {
        match self {
            JudgeWire::Pointwise(_) => true,
            JudgeWire::Recorded(it) => it.says == Content::Grades,
            JudgeWire::Pairwise(_) | JudgeWire::Scripted(_) => false,
        }
    }

    /// Whether it looks rows up.
    pub(super) fn looks_up(&self) -> bool {
        matches!(self, JudgeWire::Recorded(_))
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
pub(super) fn check(name: &str, protocol: &ProtocolWire, found: &mut Vec<Found>) -> Option<()> {
    if protocol.repeats.0 == 1 || protocol.combine == Combine::Majority {
        return Some(());
    }
    let rule =
        format!("the judge \"{name}\" has one verdict an order, and repeating it adds nothing");
    found.push(Found::new("protocol.repeats", rule, "set repeats = 1"));
    None
}

/// Reads the columns of a recorded judge.
pub(super) fn recorded(
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
