//! Opens what was handed in: unpacked, without a byte order mark, with its start at hand.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::super::contents::Mistake;
use super::fields::sentence;

/// The most bytes of one record. A quote that is never closed must not take in a whole file.
pub(super) const LONGEST_RECORD: usize = 64 << 20;

/// Bytes from which the kind of file is told.
const HEAD: u64 = 64 << 10;

/// What is read from.
pub(super) type Input<'r> = Box<dyn BufRead + 'r>;

/// An open file, whose start may be looked at.
pub(super) struct Opened<'r> {
    /// The start, which the input gives again.
    pub(super) head: Vec<u8>,
    pub(super) input: Input<'r>,
}

/// Opens a file. Names what it is where it is no text.
pub(super) fn open<'r>(name: &str, input: impl Read + 'r) -> Result<Opened<'r>, Mistake> {
    let failed = |error: &io::Error| unreadable(name, None, error);
    let (head, input) =
        headed(BufReader::with_capacity(1 << 16, input)).map_err(|it| failed(&it))?;
    let (head, input): (Vec<u8>, Input<'r>) = if head.starts_with(&[0x1F, 0x8B]) {
        let unpacked = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input));
        headed(unpacked)
            .map(|(head, input)| (head, Box::new(input) as Input<'r>))
            .map_err(|it| failed(&it))?
    } else {
        (head, Box::new(input))
    };
    let mut opened = Opened { head, input };
    if opened.head.starts_with(b"\xEF\xBB\xBF") {
        opened.head.drain(..3);
        opened.input.consume(3);
    }
    match foreign(&opened.head) {
        Some((rule, remedy)) => Err(mistake(name, None, "", rule, remedy)),
        None => Ok(opened),
    }
}

/// The start of an input, and an input that gives it again.
fn headed<R: BufRead>(mut input: R) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((head.clone(), io::Cursor::new(head).chain(input)))
}

/// What a file is that is no UTF-8 text, and what to do about it.
fn foreign(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const UTF16: (&str, &str) =
        ("the file is UTF-16", "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8");
    if head.iter().all(u8::is_ascii_whitespace) {
        return Some(("the file holds nothing", "give a file with verdicts"));
    }
    if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
        return Some(UTF16);
    }
    if head.starts_with(b"PK\x03\x04") {
        return Some((
            "the file is a zip archive or a spreadsheet",
            "unpack it, or export the sheet as CSV",
        ));
    }
    if head.starts_with(b"PAR1") {
        return Some(("the file is Parquet", "export it as CSV or JSONL"));
    }
    let start = &head[..head.len().min(512)];
    let zeros: usize = start.iter().map(|it| usize::from(*it == 0)).sum();
    match zeros {
        0 => None,
        _ if start.len() < 3 * zeros => Some(UTF16),
        _ => Some(("the file is binary", "export it as CSV or JSONL")),
    }
}

/// A mistake in a file.
pub(super) fn mistake(
    file: &str,
    line: Option<u64>,
    value: impl Into<String>,
    rule: impl Into<String>,
    remedy: impl Into<String>,
) -> Mistake {
    Mistake {
        file: sentence(file),
        line,
        value: sentence(&value.into()),
        rule: sentence(&rule.into()),
        remedy: sentence(&remedy.into()),
    }
}

/// What the reading itself ended with.
pub(super) fn unreadable(file: &str, line: Option<u64>, error: &io::Error) -> Mistake {
    let rule = format!("the file cannot be read on: {error}");
    mistake(file, line, "", rule, "check that it is whole")
}

/// A record without an end.
pub(super) fn endless(file: &str, line: u64) -> Mistake {
    let rule =
        format!("the record that starts here does not end within {} MiB", LONGEST_RECORD >> 20);
    mistake(file, Some(line), "", rule, "close the quote or bracket that was opened there")
}
