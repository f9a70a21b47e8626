//! A verdict before it is known whether it names a slot or a system.

use super::fields::Fields;
use super::layout::{Code, Turn};
use super::word::{Word, word};
use crate::evidence::Verdict;

/// A verdict under one of the two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Under {
    /// This one, in slots.
    Is(Verdict),
    /// System one, whichever that is.
    One,
    /// System two.
    Two,
    /// This reading does not know the value.
    Unknown,
}

/// What a cell says, read as a slot and read as a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) slot: Under,
    pub(super) system: Under,
}

impl Said {
    /// The same, however it is read.
    pub(super) const fn plainly(verdict: Verdict) -> Self {
        Self { slot: Under::Is(verdict), system: Under::Is(verdict) }
    }

    /// A slot, and no system.
    pub(super) const fn slot(verdict: Verdict) -> Self {
        Self { slot: Under::Is(verdict), system: Under::Unknown }
    }
}

/// Which of the systems one and two was shown first in this record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turned {
    No,
    Yes,
    Unplaced,
}

/// Reads the turn of a record; the cell that says nothing else.
pub(super) fn turned(turn: Turn, fields: Fields<'_>) -> Result<Turned, &[u8]> {
    let (column, from_one) = match turn {
        Turn::Straight => return Ok(Turned::No),
        Turn::Turned => return Ok(Turned::Yes),
        Turn::Unplaced => return Ok(Turned::Unplaced),
        Turn::By { column, from_one } => (column, from_one),
    };
    let cell = fields.get(column);
    let is = |words: &[&str]| words.iter().any(|it| cell.eq_ignore_ascii_case(it.as_bytes()));
    let (straight, turned) = if from_one { ("1", "2") } else { ("0", "1") };
    if is(&[
        straight, "ab", "a", "a first", "false", "no", "original", "normal", "straight", "forward",
        "12", "first",
    ]) {
        Ok(Turned::No)
    } else if is(&[
        turned, "ba", "b", "b first", "true", "yes", "swapped", "swap", "reversed", "turned", "21",
        "second",
    ]) {
        Ok(Turned::Yes)
    } else {
        Err(cell)
    }
}

/// What a cell says, given the names of the system shown first and second; none where it is no verdict at all.
pub(super) fn said(cell: &[u8], code: Code, shown: [&[u8]; 2], turned: Turned) -> Option<Said> {
    let named = match shown.map(|it| it == cell) {
        _ if cell.is_empty() => None,
        [true, _] => Some(Verdict::First),
        [_, true] => Some(Verdict::Second),
        _ => match shown.map(|it| it.eq_ignore_ascii_case(cell)) {
            [true, false] => Some(Verdict::First),
            [false, true] => Some(Verdict::Second),
            _ => None,
        },
    };
    let says = match code {
        Code::Preference => preference(cell)?,
        Code::FromZero => match cell {
            b"0" => Word::One,
            b"1" => Word::Two,
            _ => word(cell).filter(|it| matches!(it, Word::Invalid | Word::Missing))?,
        },
        Code::Word | Code::Text => match (word(cell), named) {
            (Some(Word::Missing | Word::Invalid) | None, Some(named)) => {
                return Some(Said { slot: Under::Unknown, system: Under::Is(named) });
            }
            (says, _) => says?,
        },
    };
    let mut said = match says {
        Word::Slot(verdict) => Said::slot(verdict),
        Word::Tie => Said::plainly(Verdict::Tie),
        Word::Invalid | Word::Missing => Said::plainly(Verdict::Invalid),
        Word::One => label(true, turned),
        Word::Two => label(false, turned),
    };
    if let Some(named) = named {
        said.system = Under::Is(named);
    }
    Some(said)
}

fn label(one: bool, turned: Turned) -> Said {
    let of = |first| Under::Is(if first { Verdict::First } else { Verdict::Second });
    let system = match turned {
        Turned::No => of(one),
        Turned::Yes => of(!one),
        Turned::Unplaced if one => Under::One,
        Turned::Unplaced => Under::Two,
    };
    Said { slot: of(one), system }
}

fn preference(cell: &[u8]) -> Option<Word> {
    if let Some(word) = word(cell).filter(|it| matches!(it, Word::Invalid | Word::Missing)) {
        return Some(word);
    }
    let value: f64 = str::from_utf8(cell).ok()?.parse().ok()?;
    match value {
        it if it == 0.0 || it == 1.5 => Some(Word::Tie),
        it if (1.0..1.5).contains(&it) => Some(Word::One),
        it if 1.5 < it && it <= 2.0 => Some(Word::Two),
        _ => None,
    }
}
