//! A source of records: a table or a JSON file.

use std::collections::VecDeque;

use csv::ByteRecord;

use super::super::contents::Mistake;
use super::super::rows::BadLine;
use super::columns::Sample;
use super::delimited::{Delimited, Line};
use super::fields::{Fields, Row, quoted};
use super::flatten::Paths;
use super::input::Opened;
use super::json::{Json, Next};

/// Records and bytes from which the shape is made out.
const SAMPLE: usize = 256;
const SAMPLE_BYTES: usize = 1 << 20;

/// What a source gives.
pub(super) enum Taken<'a> {
    /// A record, and its line.
    Fields(u64, Fields<'a>),
    /// A record that cannot be used.
    Bad(BadLine),
}

/// Records of a file; the first ones were looked at, and come again.
pub(super) enum Source<'r> {
    Table { table: Delimited<'r>, first: VecDeque<(Line, ByteRecord)>, record: ByteRecord },
    Json { json: Json<'r>, first: VecDeque<(Next, Vec<u8>)>, paths: Paths, row: Row, latin1: u64 },
}

impl<'r> Source<'r> {
    /// Opens a file, and looks at its start.
    pub(super) fn open(file: &str, opened: Opened<'r>) -> Result<(Self, Sample), Mistake> {
        match Json::open(file, opened) {
            Ok(json) => Self::json(json),
            Err(opened) => Self::table(file, opened),
        }
    }

    fn table(file: &str, opened: Opened<'r>) -> Result<(Self, Sample), Mistake> {
        let (mut table, columns) = Delimited::open(file, opened)?;
        let mut rows = Vec::new();
        let (mut first, mut bytes) = (VecDeque::new(), 0);
        while first.len() < SAMPLE && bytes < SAMPLE_BYTES {
            let mut record = ByteRecord::new();
            let Some(line) = table.next(&mut record)? else { break };
            bytes += record.as_slice().len();
            if matches!(line, Line::Fields(_)) {
                rows.push(Row::of(&record));
            }
            first.push_back((line, record));
        }
        let sample = Sample::new(columns, rows);
        Ok((Source::Table { table, first, record: ByteRecord::new() }, sample))
    }

    fn json(mut json: Json<'r>) -> Result<(Self, Sample), Mistake> {
        let mut paths = Paths::new();
        let mut rows = Vec::new();
        let (mut first, mut bytes) = (VecDeque::new(), 0);
        while first.len() < SAMPLE && bytes < SAMPLE_BYTES {
            let next = json.next()?;
            if next == Next::End {
                break;
            }
            bytes += json.record.len();
            let mut row = Row::default();
            let again = json.record.clone();
            let record = text(&mut json.record);
            if matches!(next, Next::Record(_)) && paths.learn(record, &mut row).is_ok() {
                rows.push(row);
            }
            first.push_back((next, again));
        }
        let sample = Sample::new(paths.names(), rows);
        Ok((Source::Json { json, first, paths, row: Row::default(), latin1: 0 }, sample))
    }

    /// Whether there is no record at all.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Source::Table { first, .. } => first.is_empty(),
            Source::Json { first, .. } => first.is_empty(),
        }
    }

    /// From now on only these columns are taken, of which some are texts whose length is.
    pub(super) fn want(&mut self, wanted: &[(usize, bool)]) {
        if let Source::Json { paths, .. } = self {
            *paths = paths.only(wanted);
        }
    }

    /// Records that were not UTF-8, as far as the source itself met them.
    pub(super) fn latin1(&self) -> u64 {
        match self {
            Source::Table { .. } => 0,
            Source::Json { latin1, .. } => *latin1,
        }
    }

    /// The next record; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Taken<'_>>, Mistake> {
        match self {
            Source::Table { table, first, record } => {
                let line = match first.pop_front() {
                    Some((line, again)) => {
                        *record = again;
                        Some(line)
                    }
                    None => table.next(record)?,
                };
                Ok(line.map(|line| match line {
                    Line::Fields(line) => Taken::Fields(line, Fields::Table(record)),
                    Line::Bad(bad) => Taken::Bad(bad),
                }))
            }
            Source::Json { json, first, paths, row, latin1 } => {
                let next = match first.pop_front() {
                    Some((next, again)) => {
                        json.record = again;
                        next
                    }
                    None => json.next()?,
                };
                let line = match next {
                    Next::End => return Ok(None),
                    Next::Cut(line) => {
                        let rule = "the file breaks off here".to_owned();
                        let value = quoted(&json.record);
                        return Ok(Some(Taken::Bad(BadLine { line, value, rule })));
                    }
                    Next::Record(line) => line,
                };
                let mut done = paths.take(&json.record, row);
                if done.is_err() && str::from_utf8(&json.record).is_err() {
                    *latin1 += 1;
                    done = paths.take(text(&mut json.record), row);
                }
                Ok(Some(match done {
                    Ok(()) => Taken::Fields(line, Fields::Flat(row)),
                    Err(error) => {
                        let rule = format!("it is no JSON object: {error}");
                        Taken::Bad(BadLine { line, value: quoted(&json.record), rule })
                    }
                }))
            }
        }
    }
}

/// A record as UTF-8; where it is not, it is read as Latin-1.
fn text(record: &mut Vec<u8>) -> &[u8] {
    if str::from_utf8(record).is_err() {
        let decoded: String = record.iter().copied().map(char::from).collect();
        *record = decoded.into_bytes();
    }
    record
}
