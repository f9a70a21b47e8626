//! The fields of a record, whatever file it came from.

use csv::ByteRecord;

/// Wanted values of a record, by column; one buffer is reused for all records.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    bytes: Vec<u8>,
    cells: Vec<(usize, usize)>,
}

impl Row {
    /// Forgets the values, for a record of so many columns.
    pub(super) fn clear(&mut self, columns: usize) {
        self.bytes.clear();
        self.cells.clear();
        self.cells.resize(columns, (0, 0));
    }

    /// Sets a value; of two for one column the later stands.
    pub(super) fn set(&mut self, column: usize, value: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value);
        if self.cells.len() <= column {
            self.cells.resize(column + 1, (0, 0));
        }
        self.cells[column] = (start, self.bytes.len());
    }

    /// A value as it stands; empty where there is none.
    pub(super) fn get(&self, column: usize) -> &[u8] {
        self.cells.get(column).map_or(b"", |it| &self.bytes[it.0..it.1])
    }

    /// The values of a record of a table.
    pub(super) fn of(record: &ByteRecord) -> Self {
        let mut row = Row::default();
        row.clear(record.len());
        record.iter().enumerate().for_each(|(column, value)| row.set(column, value));
        row
    }
}

/// A record, with its line and its number from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) line: u64,
    pub(super) number: u64,
}

/// The fields of a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fields<'a> {
    /// Of a table.
    Table(&'a ByteRecord),
    /// Of a JSON file. Of texts only the length is kept, as a number.
    Flat(&'a Row),
}

impl<'a> Fields<'a> {
    /// A value without white space around it; empty where there is none.
    pub(super) fn get(&self, column: usize) -> &'a [u8] {
        match *self {
            Fields::Table(record) => record.get(column).unwrap_or(b"").trim_ascii(),
            Fields::Flat(row) => row.get(column).trim_ascii(),
        }
    }

    /// The length of a text in characters; none where it is no text.
    pub(super) fn characters(&self, column: usize) -> Option<u32> {
        match *self {
            Fields::Table(record) => Some(characters(record.get(column)?)),
            Fields::Flat(row) => str::from_utf8(row.get(column)).ok()?.parse().ok(),
        }
    }
}

/// How many characters a text has.
pub(super) fn characters(text: &[u8]) -> u32 {
    let count = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX - 1)
}

/// A text to be quoted: its start, on one line.
pub(super) fn quoted(value: &[u8]) -> String {
    let start = &value[..value.len().min(400)];
    let mut kept = shown(&String::from_utf8_lossy(start), 60);
    if kept.len() < value.len() && !kept.ends_with('…') {
        kept.push('…');
    }
    kept
}

/// A part of a sentence, whatever names of the file it holds: on one line, and not without end.
pub(super) fn sentence(text: &str) -> String {
    shown(text, 800)
}

fn shown(text: &str, most: usize) -> String {
    let plain =
        |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    let mut kept: String = text.chars().take(most).map(plain).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}
