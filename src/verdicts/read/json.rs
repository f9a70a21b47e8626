//! JSON: an object a line, or a list of objects, or objects one after the other.

use std::io::{BufRead, Read};

use super::super::contents::Mistake;
use super::input::{Input, LONGEST_RECORD, Opened, endless, unreadable};

/// How records follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// One a line.
    Lines,
    /// Elements of a list.
    List,
    /// Objects over several lines.
    Objects,
}

/// Records of a JSON file, as bytes; one is held at a time.
pub(super) struct Json<'r> {
    file: String,
    input: Input<'r>,
    style: Style,
    /// Bytes of the last record.
    pub(super) record: Vec<u8>,
    /// The line, or the number of the record in a list or among objects.
    number: u64,
    /// Whether the list was opened, and whether it was closed.
    opened: bool,
    closed: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A record, on this line.
    Record(u64),
    /// A record or a list that the file breaks off.
    Cut(u64),
    End,
}

/// Where in a record a scan is.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    depth: usize,
    text: bool,
    escaped: bool,
}

impl Scan {
    /// Takes a byte; whether a record ends with it.
    fn ends(&mut self, byte: u8) -> bool {
        if self.text {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.text = false;
                return self.depth == 0;
            }
            return false;
        }
        match byte {
            b'"' => self.text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

impl<'r> Json<'r> {
    /// Opens a JSON file; gives the file back where it is none.
    pub(super) fn open(file: &str, opened: Opened<'r>) -> Result<Self, Opened<'r>> {
        let head = opened.head.trim_ascii_start();
        let style = match head.first() {
            Some(b'[') if is_list(head) => Style::List,
            Some(b'{') if is_object(head) && lies_in_lines(head) => Style::Lines,
            Some(b'{') if is_object(head) => Style::Objects,
            _ => return Err(opened),
        };
        let input = opened.input;
        Ok(Self {
            file: file.to_owned(),
            input,
            style,
            record: Vec::new(),
            number: 0,
            opened: false,
            closed: false,
        })
    }

    /// Reads the next record into [`Self::record`].
    pub(super) fn next(&mut self) -> Result<Next, Mistake> {
        self.record.clear();
        if self.style == Style::Lines { self.line() } else { self.value() }
    }

    fn line(&mut self) -> Result<Next, Mistake> {
        loop {
            self.record.clear();
            self.number += 1;
            let most = LONGEST_RECORD as u64 + 1;
            let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.record);
            let read = read.map_err(|it| unreadable(&self.file, Some(self.number), &it))?;
            if LONGEST_RECORD < read {
                return Err(endless(&self.file, self.number));
            }
            if read == 0 {
                return Ok(Next::End);
            }
            if !self.record.trim_ascii().is_empty() {
                return Ok(Next::Record(self.number));
            }
        }
    }

    fn value(&mut self) -> Result<Next, Mistake> {
        let Some(first) = self.skip()? else {
            let cut = self.style == Style::List && !self.closed;
            self.closed = true;
            return Ok(if cut { Next::Cut(self.number + 1) } else { Next::End });
        };
        self.number += 1;
        let bare = !matches!(first, b'{' | b'[' | b'"');
        let mut scan = Scan::default();
        loop {
            let chunk = self
                .input
                .fill_buf()
                .map_err(|it| unreadable(&self.file, Some(self.number), &it))?;
            if chunk.is_empty() {
                self.closed = true;
                return Ok(if bare { Next::Record(self.number) } else { Next::Cut(self.number) });
            }
            let end = if bare {
                // Its first byte belongs to it, whatever it is.
                let from = usize::from(self.record.is_empty());
                let ends =
                    |it: &u8| matches!(it, b',' | b']' | b'{' | b'[') || it.is_ascii_whitespace();
                chunk[from..].iter().position(ends).map(|it| it + from)
            } else {
                chunk.iter().position(|it| scan.ends(*it)).map(|it| it + 1)
            };
            let taken = end.unwrap_or(chunk.len());
            self.record.extend_from_slice(&chunk[..taken]);
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Next::Record(self.number));
            }
            if LONGEST_RECORD < self.record.len() {
                return Err(endless(&self.file, self.number));
            }
        }
    }

    /// Passes over what stands between records; the first byte of the next, none at the end.
    fn skip(&mut self) -> Result<Option<u8>, Mistake> {
        loop {
            let chunk = self
                .input
                .fill_buf()
                .map_err(|it| unreadable(&self.file, Some(self.number), &it))?;
            let Some(byte) = chunk.first().copied() else { return Ok(None) };
            match byte {
                b'[' if self.style == Style::List && !self.opened => self.opened = true,
                b']' if self.style == Style::List => self.closed = true,
                b',' => {}
                it if it.is_ascii_whitespace() => {}
                _ => return Ok(Some(byte)),
            }
            self.input.consume(1);
        }
    }
}

fn is_list(head: &[u8]) -> bool {
    let inside = head[1..].trim_ascii_start();
    let words: [&[u8]; 3] = [b"null", b"true", b"false"];
    words.iter().any(|it| inside.starts_with(it))
        || inside.first().is_none_or(|it| b"{][\"-0123456789".contains(it))
}

fn is_object(head: &[u8]) -> bool {
    matches!(head[1..].trim_ascii_start().first(), Some(b'"' | b'}') | None)
}

/// Whether the first line is an object, or at least the second starts one.
fn lies_in_lines(head: &[u8]) -> bool {
    let mut lines =
        head.split(|it| *it == b'\n').map(<[u8]>::trim_ascii).filter(|it| !it.is_empty());
    let first = lines.next().unwrap_or_default();
    let whole = first.len() == head.trim_ascii_end().len();
    whole && 1 < first.len()
        || serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok()
        || 1 < first.len() && lines.next().is_some_and(|it| it.starts_with(b"{"))
}
