//! Takes grades of single answers out of records.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::super::contents::Counts;
use super::super::options::Options;
use super::super::parser::{Parser, Vocabulary};
use super::super::rows::{BadLine, Grade, Grades, NO_LENGTH};
use super::fields::{Record, quoted};
use super::layout::Graded;
use super::name::{Scratch, place};
use super::pairs::length;
use super::word::grade;
use crate::evidence::Verdict;

/// Grades that were read.
#[derive(Debug)]
pub(super) struct Gathered<'o> {
    pub(super) grades: Grades,
    pub(super) counts: Counts,
    options: &'o Options,
    /// Made when the first text comes.
    parser: Option<Parser>,
    scratch: Scratch,
}

impl<'o> Gathered<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        let mut grades = Grades::default();
        grades.strata.place("");
        grades.repeats.place("");
        Self {
            grades,
            counts: Counts::default(),
            options,
            parser: None,
            scratch: Scratch::default(),
        }
    }

    /// Adds the grades of a record; the first thing that was wrong with it.
    pub(super) fn add(&mut self, layout: &Graded, record: Record<'_>) -> Result<(), BadLine> {
        self.scratch.latin1 = false;
        let done = self.record(layout, record);
        self.counts.latin1 += u64::from(self.scratch.latin1);
        done.map_err(|(value, rule)| BadLine { line: record.line, value, rule })
    }

    fn record(&mut self, layout: &Graded, record: Record<'_>) -> Result<(), (String, String)> {
        let fields = record.fields;
        let Grades { items, systems, judges, strata, repeats, grades, .. } = &mut self.grades;
        let near = |of: fn(&Grade) -> u32| [grades.last().map_or(0, of); 2];
        let nears = [near(|it| it.stratum), near(|it| it.system), near(|it| it.repeat)];
        let last_judge = near(|it| it.judge);
        let scratch = &mut self.scratch;
        let item = place(scratch, items, &layout.item, record, near(|it| it.item), Some("item"))?;
        let stratum = place(scratch, strata, &layout.stratum, record, nears[0], None)?;
        let system = place(scratch, systems, &layout.system, record, nears[1], None)?;
        let repeat = place(scratch, repeats, &layout.repeat, record, nears[2], None)?;
        let odd = &mut self.counts.odd_lengths;
        let length = layout.length.and_then(|(column, text)| length(fields, column, text, odd));
        self.counts.zero_lengths += u64::from(length == Some(0));
        let label = layout.label.map_or(f64::NAN, |column| {
            grade(fields.get(column)).unwrap_or_else(|| {
                self.counts.odd_gold += 1;
                f64::NAN
            })
        });
        for (judge, column, text) in &layout.judges {
            let chosen = &self.options.judges;
            let name = scratch.name(judge, record)?;
            if !chosen.is_empty() && !chosen.iter().any(|it| it == name) {
                self.counts.other_judges += 1;
                continue;
            }
            let judge = place(scratch, judges, judge, record, last_judge, Some("judge"))?;
            let cell = fields.get(*column);
            let score = if *text {
                let mode = self.options.mode;
                let parser = self
                    .parser
                    .get_or_insert_with(|| Parser { vocabulary: Vocabulary::grades(), mode });
                match parser.read(scratch.text(cell)).verdict() {
                    Verdict::First => 1.0,
                    Verdict::Second => 0.0,
                    Verdict::Tie | Verdict::Invalid => f64::NAN,
                }
            } else {
                let rule = "it is no grade: no number, and neither pass nor fail";
                grade(cell).ok_or_else(|| (quoted(cell), rule.to_owned()))?
            };
            self.counts.missing += u64::from(cell.is_empty());
            let line = u32::try_from(record.line).unwrap_or(u32::MAX);
            let length = length.unwrap_or(NO_LENGTH);
            grades.push(Grade { line, item, system, judge, stratum, repeat, length, score, label });
        }
        Ok(())
    }

    /// Leaves each asking once, or numbers askings where the file names no repeats and two of them differ.
    pub(super) fn settle(mut self, repeats: bool) -> (Grades, Counts) {
        let grades = &mut self.grades.grades;
        let again = again(grades);
        let says = |row: u32| grades[row as usize].score.to_bits();
        let differ =
            again.iter().filter(|(row, first, _)| says(*row) != says(*first)).count() as u64;
        if 0 < differ && !repeats {
            self.counts.numbered = again.len() as u64;
            let first = self.grades.repeats.place("1");
            for it in grades.iter_mut() {
                it.repeat = first;
            }
            for (row, _, asking) in again {
                grades[row as usize].repeat = self.grades.repeats.place(&asking.to_string());
            }
        } else {
            self.counts.contradicted = differ;
            self.counts.duplicates = again.len() as u64 - differ;
            let mut left_out = again.iter().map(|it| it.0).peekable();
            let mut rows = 0..;
            grades.retain(|_| left_out.next_if_eq(&rows.next().unwrap_or(u32::MAX)).is_none());
        }
        self.counts.kept = grades.len() as u64;
        self.counts.invalid = grades.iter().filter(|it| it.score.is_nan()).count() as u64;
        let pass = |it: f64| it.is_nan() || it == 0.0 || it == 1.0;
        self.grades.binary = grades.iter().all(|it| pass(it.score) && pass(it.label));
        (self.grades, self.counts)
    }
}

/// Rows on an asking that was read before: the row, the first one, and which asking it is.
fn again(grades: &[Grade]) -> Vec<(u32, u32, u32)> {
    let state = FixedState::default();
    let key = |row: u32| {
        let it = &grades[row as usize];
        [it.judge, it.item, it.system, it.repeat]
    };
    let mut table: HashTable<(u32, u32)> = HashTable::with_capacity(grades.len());
    let mut again = Vec::new();
    for row in 0..u32::try_from(grades.len()).unwrap_or(u32::MAX) {
        let own = key(row);
        let hash = state.hash_one(own);
        if let Some((first, asking)) = table.find_mut(hash, |it| key(it.0) == own) {
            *asking += 1;
            again.push((row, *first, *asking));
        } else {
            table.insert_unique(hash, (row, 1), |it| state.hash_one(key(it.0)));
        }
    }
    again
}
