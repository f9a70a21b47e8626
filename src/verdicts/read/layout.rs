//! Where the verdicts of a record stand.

use super::super::contents::Format;
use super::super::options::Coding;

/// Where a name comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// The same for all records.
    Fixed(String),
    /// A column.
    Column(usize),
    /// Several columns, joined by `/` where they are not empty.
    Joined(Vec<usize>),
    /// One of so many parts of a column.
    Part { column: usize, separator: char, part: usize, of: usize },
    /// The number of the record, from 0.
    Number,
    /// A digest of texts, which stands for them.
    Digest(Vec<usize>),
    /// Whichever of two systems the column does not name.
    Other { column: usize, systems: [String; 2] },
}

impl Naming {
    /// The columns that it reads.
    pub(super) fn columns(&self) -> Vec<usize> {
        match self {
            Naming::Fixed(_) | Naming::Number => Vec::new(),
            Naming::Column(column) | Naming::Part { column, .. } | Naming::Other { column, .. } => {
                vec![*column]
            }
            Naming::Joined(columns) | Naming::Digest(columns) => columns.clone(),
        }
    }
}

/// Which of the systems one and two was shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// System one.
    Straight,
    /// System two.
    Turned,
    /// What a column says, in which 1 or 0 stands for straight.
    By { column: usize, from_one: bool },
    /// It is not said which system is one.
    Unplaced,
}

/// The two systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Systems {
    /// As they were shown.
    Shown(Naming, Naming),
    /// Systems one and two, whichever was shown first.
    OneTwo(Naming, Naming),
}

/// How a cell says a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// In a word.
    Word,
    /// 0 for one, 1 for two.
    FromZero,
    /// A number from 1 to 2: near 1 for one, near 2 for two, halfway (or 0) for a tie.
    Preference,
    /// In free text.
    Text,
}

/// Where the lengths of the two answers stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lengths {
    /// Columns of each, to be summed.
    pub(super) columns: [Vec<usize>; 2],
    /// Whether they are those of systems one and two, not of slots.
    pub(super) of_systems: bool,
    /// Whether the columns hold the texts themselves.
    pub(super) texts: bool,
}

/// One verdict that each record gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asking {
    pub(super) systems: Systems,
    pub(super) turn: Turn,
    pub(super) judge: Naming,
    pub(super) repeat: Naming,
    pub(super) verdict: usize,
    pub(super) code: Code,
    pub(super) gold: Option<(usize, Code)>,
    pub(super) lengths: Lengths,
}

/// Where the verdicts on pairs stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paired {
    pub(super) item: Naming,
    pub(super) stratum: Naming,
    pub(super) askings: Vec<Asking>,
    /// What verdicts name, where the format says so.
    pub(super) coding: Option<Coding>,
    /// What the name of the column hints at.
    pub(super) hint: Option<Coding>,
    /// What gold labels name, where the format says so.
    pub(super) gold_coding: Option<Coding>,
}

/// Where the grades of single answers stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graded {
    pub(super) item: Naming,
    pub(super) stratum: Naming,
    pub(super) system: Naming,
    pub(super) repeat: Naming,
    /// Judges, the columns of their grades, and whether these are free texts.
    pub(super) judges: Vec<(Naming, usize, bool)>,
    pub(super) label: Option<usize>,
    /// The column of the length, and whether it holds the text itself.
    pub(super) length: Option<(usize, bool)>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Pairs(Paired),
    Grades(Graded),
}

/// How a file is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) format: Format,
    pub(super) rows: Rows,
    pub(super) notes: Vec<String>,
}

impl Layout {
    /// The columns that are read, and whether only the length of their texts is.
    pub(super) fn wanted(&self) -> Vec<(usize, bool)> {
        let mut wanted = Vec::new();
        let mut named =
            |naming: &Naming| wanted.extend(naming.columns().into_iter().map(|it| (it, false)));
        match &self.rows {
            Rows::Pairs(it) => {
                named(&it.item);
                named(&it.stratum);
                for asking in &it.askings {
                    let (Systems::Shown(a, b) | Systems::OneTwo(a, b)) = &asking.systems;
                    [a, b, &asking.judge, &asking.repeat].into_iter().for_each(&mut named);
                }
                for asking in &it.askings {
                    wanted.push((asking.verdict, false));
                    wanted.extend(asking.gold.map(|it| (it.0, false)));
                    if let Turn::By { column, .. } = asking.turn {
                        wanted.push((column, false));
                    }
                    let texts = asking.lengths.texts;
                    wanted.extend(asking.lengths.columns.iter().flatten().map(|it| (*it, texts)));
                }
            }
            Rows::Grades(it) => {
                [&it.item, &it.stratum, &it.system, &it.repeat].into_iter().for_each(&mut named);
                it.judges.iter().for_each(|judge| named(&judge.0));
                wanted.extend(it.judges.iter().map(|judge| (judge.1, false)));
                wanted.extend(it.label.map(|it| (it, false)));
                wanted.extend(it.length);
            }
        }
        wanted.sort_unstable();
        wanted.dedup_by_key(|it| it.0);
        wanted
    }
}
