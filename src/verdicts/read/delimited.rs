//! Tables: lines of fields between commas, tabs or semicolons.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::super::contents::Mistake;
use super::super::rows::BadLine;
use super::input::{Input, LONGEST_RECORD, Opened, endless, unreadable};

/// A table past its header.
pub(super) struct Delimited<'r> {
    file: String,
    reader: Reader<Bounded<'r>>,
    left: Rc<Cell<usize>>,
    columns: usize,
}

/// What a record is.
pub(super) enum Line {
    /// Fields, on this line.
    Fields(u64),
    Bad(BadLine),
}

impl<'r> Delimited<'r> {
    /// Opens a table and reads its header.
    pub(super) fn open(file: &str, opened: Opened<'r>) -> Result<(Self, Vec<String>), Mistake> {
        let left = Rc::new(Cell::new(LONGEST_RECORD));
        let reader = ReaderBuilder::new()
            .delimiter(delimiter(&opened.head))
            .flexible(true)
            .has_headers(false)
            .buffer_capacity(1 << 16)
            .from_reader(Bounded { input: opened.input, left: Rc::clone(&left) });
        let mut table = Self { file: file.to_owned(), reader, left, columns: 0 };
        let mut header = ByteRecord::new();
        table.fill(&mut header)?;
        table.columns = header.len();
        let names =
            header.iter().map(|it| String::from_utf8_lossy(it.trim_ascii()).into_owned()).collect();
        Ok((table, names))
    }

    /// The next record; none at the end.
    pub(super) fn next(&mut self, record: &mut ByteRecord) -> Result<Option<Line>, Mistake> {
        let Some(line) = self.fill(record)? else { return Ok(None) };
        if record.len() == self.columns {
            return Ok(Some(Line::Fields(line)));
        }
        let rule = format!("this line has {} fields and the header {}", record.len(), self.columns);
        Ok(Some(Line::Bad(BadLine { line, value: String::new(), rule })))
    }

    /// Reads a record, and gives its line.
    fn fill(&mut self, record: &mut ByteRecord) -> Result<Option<u64>, Mistake> {
        self.left.set(LONGEST_RECORD);
        let before = self.reader.position().line();
        match self.reader.read_byte_record(record) {
            Ok(true) => Ok(Some(record.position().map_or(before, csv::Position::line))),
            Ok(false) => Ok(None),
            Err(_) if self.left.get() == 0 => Err(endless(&self.file, before)),
            Err(error) => Err(unreadable(&self.file, Some(before), &io::Error::other(error))),
        }
    }
}

/// An input that refuses to give more than one record may hold.
struct Bounded<'r> {
    input: Input<'r>,
    left: Rc<Cell<usize>>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other("the record is too long"));
        }
        let most = buffer.len().min(left);
        let read = self.input.read(&mut buffer[..most])?;
        self.left.set(left - read);
        Ok(read)
    }
}

/// The separator that occurs most in the header, outside quotes.
fn delimiter(head: &[u8]) -> u8 {
    let mut quoted = false;
    let header = head.iter().take_while(|byte| {
        quoted ^= **byte == b'"';
        quoted || **byte != b'\n'
    });
    let mut counts = [(b'\t', 0), (b',', 0), (b';', 0), (b'|', 0)];
    let mut inside = false;
    for byte in header {
        inside ^= *byte == b'"';
        if let Some(count) = counts.iter_mut().find(|it| it.0 == *byte && !inside) {
            count.1 += 1;
        }
    }
    // Of equal counts the first is taken: a comma also where there is one column.
    let most = counts.iter().map(|it| it.1).max().unwrap_or(0);
    counts.iter().find(|it| it.1 == most && 0 < most).map_or(b',', |it| it.0)
}
