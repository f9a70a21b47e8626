//! What a user tells the readers beyond the file itself.

use std::fmt;
use std::str::FromStr;

use super::parser::Mode;

/// What a verdict names: the place in which an answer was shown, or the system that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// "A" is the answer shown first.
    Slot,
    /// "A" is the same system in both orders.
    System,
}

impl Coding {
    /// `slot` or `system`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Coding::Slot => "slot",
            Coding::System => "system",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Coding::Slot => Coding::System,
            Coding::System => Coding::Slot,
        }
    }
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Coding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Coding::Slot, Coding::System]
            .into_iter()
            .find(|it| it.name() == text)
            .ok_or_else(|| format!("a coding is slot or system, not {text}"))
    }
}

/// How the cases with a human label were drawn, which decides how a pass rate is corrected. The readers do not look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// At random from the cases that were judged.
    Random,
    /// So many of each label.
    Balanced,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The item: the question that was answered.
    Pair,
    /// The system shown first.
    First,
    /// The system shown second.
    Second,
    /// The first system in an order that does not change with the slots.
    One,
    /// The second system in an order that does not change with the slots.
    Two,
    /// Which of these two was shown first.
    Order,
    /// What the judge said; of single answers, its grade.
    Verdict,
    /// What people, or a key, say.
    Gold,
    /// The judge.
    Judge,
    /// Which of several askings it was.
    Repeat,
    /// The stratum of the item.
    Stratum,
    /// The length of the answer shown first.
    LengthFirst,
    /// The length of the answer shown second.
    LengthSecond,
    /// The length of the first system's answer.
    LengthOne,
    /// The length of the second system's answer.
    LengthTwo,
    /// The system that wrote a single answer.
    System,
    /// The length of a single answer.
    Length,
}

impl Role {
    /// Every role, by the name that a column map gives it.
    pub const ALL: [(&'static str, Role); 17] = [
        ("pair", Role::Pair),
        ("first", Role::First),
        ("second", Role::Second),
        ("one", Role::One),
        ("two", Role::Two),
        ("order", Role::Order),
        ("verdict", Role::Verdict),
        ("gold", Role::Gold),
        ("judge", Role::Judge),
        ("repeat", Role::Repeat),
        ("stratum", Role::Stratum),
        ("length_first", Role::LengthFirst),
        ("length_second", Role::LengthSecond),
        ("length_one", Role::LengthOne),
        ("length_two", Role::LengthTwo),
        ("system", Role::System),
        ("length", Role::Length),
    ];

    /// The name that a column map gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Role::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }

    /// The role of a name in a column map, where `item`, `winner` and `score` are other words for pair and verdict.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = match name {
            "item" => "pair",
            "winner" | "score" => "verdict",
            "label" => "gold",
            other => other,
        };
        Role::ALL.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}

/// How to read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Columns by role, as the file names them; values inside JSON objects and lists are named with dots
    /// (`meta.id`, `judgments.0.decision`). What is not mapped is recognised by its name.
    pub map: Vec<(Role, String)>,
    /// What verdicts name; deduced where it is not declared.
    pub coded: Option<Coding>,
    /// The only judges to read; all where it is empty.
    pub judges: Vec<String>,
    /// The column of the gold label.
    pub gold: Option<String>,
    /// How much of a judge's free text may carry its verdict.
    pub mode: Mode,
    /// Whether the first bad line is a mistake.
    pub strict: bool,
    /// How the labelled cases were drawn.
    pub labels: Labels,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            map: Vec::new(),
            coded: None,
            judges: Vec::new(),
            gold: None,
            mode: Mode::Marked,
            strict: false,
            labels: Labels::Unknown,
        }
    }
}

impl Options {
    /// Reads a column map: `pair=id,first=model_a,winner=pick`.
    ///
    /// # Errors
    ///
    /// Where a part is no `role=column`, or a role is none or comes twice.
    pub fn parse_map(text: &str) -> Result<Vec<(Role, String)>, String> {
        let mut map: Vec<(Role, String)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (role, column) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is no role=column; write for example pair=id"))?;
            let role = Role::named(role.trim()).ok_or_else(|| {
                let all: Vec<&str> = Role::ALL.iter().map(|it| it.0).collect();
                format!(
                    "`{}` is no role of a column; the roles are {}",
                    role.trim(),
                    all.join(", ")
                )
            })?;
            if map.iter().any(|it| it.0 == role) {
                return Err(format!("the role {} has two columns; keep one", role.name()));
            }
            map.push((role, column.trim().to_owned()));
        }
        Ok(map)
    }
}
