//! Reads files of verdicts: tables, JSON lists and JSON lines, packed or not, recognised by what stands in them.
//!
//! One record is held at a time. Of a record, names and numbers are kept, of a text at most its length.

mod coding;
mod columns;
mod delimited;
mod fields;
mod flatten;
mod grades;
mod input;
mod json;
mod layout;
mod name;
mod pairs;
mod said;
mod settle;
mod shapes;
mod source;
mod word;

use std::io;

use super::contents::{Contents, Counts, Mistake};
use super::options::Options;
use super::rows::{BadLine, Read};
use fields::{Record, sentence};
use grades::Gathered;
use input::mistake;
use layout::{Layout, Naming, Rows};
use pairs::Pairs;
use source::{Source, Taken};

/// How many bad lines are named.
const NAMED: usize = 5;
/// The most rows that are counted.
const MOST_ROWS: usize = u32::MAX as usize - 1024;

/// Reads a file. Its name goes into mistakes, and names the judge where no column does.
///
/// # Errors
///
/// When the file is no text, is of no known shape, holds no verdict that can be read, or was misread: the verdicts contradict
/// the coding that was declared or deduced. In strict reading also at the first bad line.
pub fn read(name: &str, input: impl io::Read, options: &Options) -> Result<Contents, Mistake> {
    let (mut source, sample) = Source::open(name, input::open(name, input)?)?;
    if source.is_empty() {
        return Err(mistake(
            name,
            None,
            "",
            "the file has columns and no records",
            "give a file with verdicts",
        ));
    }
    let layout = shapes::recognise(&sample, options, stem(name))
        .map_err(|(rule, remedy)| mistake(name, None, "", rule, remedy))?;
    source.want(&layout.wanted());
    let mut gathering = match &layout.rows {
        Rows::Pairs(_) => Gathering::Pairs(Pairs::new(options)),
        Rows::Grades(_) => Gathering::Grades(Gathered::new(options)),
    };
    let mut bad = Bad { file: name, strict: options.strict };
    let mut number = 0;
    while let Some(taken) = source.next()? {
        number += 1;
        gathering.counts().records += 1;
        let done = match taken {
            Taken::Fields(line, fields) => {
                gathering.add(&layout, Record { fields, line, number: number - 1 })
            }
            Taken::Bad(line) => Err(line),
        };
        if let Err(line) = done {
            bad.take(line, gathering.counts())?;
        }
        if MOST_ROWS < gathering.rows() {
            return Err(mistake(name, None, "", "the file has too many verdicts", "split it"));
        }
    }
    gathering.counts().latin1 += source.latin1();
    gathering.settle(name, layout, options)
}

/// What is done about bad lines.
struct Bad<'a> {
    file: &'a str,
    strict: bool,
}

impl Bad<'_> {
    fn take(&mut self, mut line: BadLine, counts: &mut Counts) -> Result<(), Mistake> {
        line.rule = sentence(&line.rule);
        if self.strict {
            let remedy = "mend it, or read without --strict, which counts such lines and goes on";
            return Err(mistake(self.file, Some(line.line), line.value, line.rule, remedy));
        }
        counts.bad += 1;
        if counts.first_bad.len() < NAMED {
            counts.first_bad.push(line);
        }
        Ok(())
    }
}

/// What is gathered from records.
enum Gathering<'o> {
    Pairs(Pairs<'o>),
    Grades(Gathered<'o>),
}

impl Gathering<'_> {
    fn counts(&mut self) -> &mut Counts {
        match self {
            Gathering::Pairs(it) => &mut it.counts,
            Gathering::Grades(it) => &mut it.counts,
        }
    }

    fn rows(&self) -> usize {
        match self {
            Gathering::Pairs(it) => it.said.len(),
            Gathering::Grades(it) => it.grades.grades.len(),
        }
    }

    fn add(&mut self, layout: &Layout, record: Record<'_>) -> Result<(), BadLine> {
        match (self, &layout.rows) {
            (Gathering::Pairs(it), Rows::Pairs(rows)) => it.add(rows, record),
            (Gathering::Grades(it), Rows::Grades(rows)) => it.add(rows, record),
            // What is gathered was chosen by the layout.
            _ => Ok(()),
        }
    }

    fn settle(
        mut self,
        name: &str,
        layout: Layout,
        options: &Options,
    ) -> Result<Contents, Mistake> {
        if self.rows() == 0 {
            return Err(nothing(name, self.counts(), options));
        }
        let Layout { format, rows, notes } = layout;
        let mut notes: Vec<String> = notes.iter().map(|it| sentence(it)).collect();
        match (self, rows) {
            (Gathering::Pairs(mut pairs), Rows::Pairs(rows)) => {
                pairs.fit();
                let named = |it: &Naming| !matches!(it, Naming::Fixed(name) if name.is_empty());
                let repeats = rows.askings.iter().any(|it| named(&it.repeat));
                let settled = settle::settle(pairs, &rows, options.coded, repeats)
                    .map_err(|it| mistake(name, None, "", it.rule, it.remedy))?;
                notes.extend(settled.notes);
                let read = Read::Pairs(settled.verdicts);
                Ok(Contents {
                    read,
                    format,
                    coded: Some(settled.coded),
                    counts: settled.counts,
                    notes,
                })
            }
            (Gathering::Grades(grades), Rows::Grades(rows)) => {
                let repeats = matches!(rows.repeat, Naming::Column(_));
                let (grades, counts) = grades.settle(repeats);
                Ok(Contents { read: Read::Grades(grades), format, coded: None, counts, notes })
            }
            (mut other, _) => Err(nothing(name, other.counts(), options)),
        }
    }
}

/// Why nothing was kept.
fn nothing(name: &str, counts: &Counts, options: &Options) -> Mistake {
    if let Some(first) = counts.first_bad.first() {
        let rule = format!(
            "none of {} records could be read, this one because {}",
            counts.records, first.rule
        );
        let remedy = "check the columns, or say which is which with --map role=column";
        return mistake(name, Some(first.line), first.value.clone(), rule, remedy);
    }
    if 0 < counts.other_judges {
        let rule = format!("no verdict is by {}", options.judges.join(" or "));
        return mistake(name, None, "", rule, "name a judge of the file");
    }
    if 0 < counts.self_play {
        let rule = "every record compares a system with itself";
        return mistake(name, None, "", rule, "check which columns name the two systems");
    }
    mistake(name, None, "", "the file holds no verdicts", "give a file with verdicts")
}

/// What a file is called without its folder and its endings.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let mut stem = file;
    for ending in [".gz", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".result"] {
        stem = stem.strip_suffix(ending).filter(|it| !it.is_empty()).unwrap_or(stem);
    }
    if stem == "-" || stem.is_empty() { "stdin" } else { stem }
}
