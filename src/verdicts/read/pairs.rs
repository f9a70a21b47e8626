//! Takes verdicts on pairs out of records.

use super::super::contents::Counts;
use super::super::options::Options;
use super::super::parser::{Mode, Outcome, Parser, Vocabulary};
use super::super::rows::{BadLine, Ballot, NO_LENGTH, Verdicts};
use super::fields::{Fields, Record, quoted};
use super::layout::{Asking, Code, Lengths, Paired, Systems};
use super::name::{Scratch, place};
use super::said::{Said, Turned, said, turned};
use super::word::{Word, word};
use crate::evidence::Verdict;

/// Verdicts that were read, and what each cell and each gold label says under both readings.
#[derive(Debug)]
pub(super) struct Pairs<'o> {
    pub(super) verdicts: Verdicts,
    pub(super) said: Vec<[Said; 2]>,
    pub(super) counts: Counts,
    /// Verdicts that are the very name of a system, of more than one letter.
    pub(super) literal: u64,
    options: &'o Options,
    /// Reads free text as asked, and strictly; made when the first text comes.
    parsers: Option<[Parser; 2]>,
    scratch: Scratch,
}

impl<'o> Pairs<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        let mut verdicts = Verdicts::default();
        verdicts.strata.place("");
        verdicts.repeats.place("");
        Self {
            verdicts,
            said: Vec::new(),
            counts: Counts::default(),
            literal: 0,
            options,
            parsers: None,
            scratch: Scratch::default(),
        }
    }

    /// Adds the verdicts of a record; the first thing that was wrong with it.
    pub(super) fn add(&mut self, layout: &Paired, record: Record<'_>) -> Result<(), BadLine> {
        self.scratch.latin1 = false;
        let done = self.record(layout, record);
        self.counts.latin1 += u64::from(self.scratch.latin1);
        done.map_err(|(value, rule)| BadLine { line: record.line, value, rule })
    }

    fn record(&mut self, layout: &Paired, record: Record<'_>) -> Result<(), (String, String)> {
        let last = self.last();
        let Verdicts { items, strata, .. } = &mut self.verdicts;
        let scratch = &mut self.scratch;
        let item = place(scratch, items, &layout.item, record, [last.item; 2], Some("item"))?;
        let stratum = place(scratch, strata, &layout.stratum, record, [last.stratum; 2], None)?;
        let line = u32::try_from(record.line).unwrap_or(u32::MAX);
        let row = Ballot { line, item, stratum, ..last };
        let mut done = Ok(());
        for asking in &layout.askings {
            let one = self.asking(asking, record, row);
            done = done.and(one);
        }
        done
    }

    /// The last row, whose names are likely to come again.
    fn last(&self) -> Ballot {
        self.verdicts.ballots.last().copied().unwrap_or(Ballot {
            line: 0,
            item: 0,
            first: 0,
            second: 0,
            judge: 0,
            stratum: 0,
            repeat: 0,
            length_first: NO_LENGTH,
            length_second: NO_LENGTH,
            verdict: Verdict::Invalid,
            gold: Verdict::Invalid,
        })
    }

    /// Adds one verdict of a record, whose line, item and stratum stand in the row.
    fn asking(
        &mut self,
        asking: &Asking,
        record: Record<'_>,
        row: Ballot,
    ) -> Result<(), (String, String)> {
        let fields = record.fields;
        let turned = turned(asking.turn, fields).map_err(|cell| {
            let rule = "the order is none of 0 and 1, AB and BA, false and true";
            (quoted(cell), rule.to_owned())
        })?;
        let Verdicts { systems, judges, repeats, .. } = &mut self.verdicts;
        let scratch = &mut self.scratch;
        if !self.options.judges.is_empty() {
            let name = scratch.name(&asking.judge, record)?;
            if !self.options.judges.iter().any(|it| it == name) {
                self.counts.other_judges += 1;
                return Ok(());
            }
        }
        let [one, two] = match &asking.systems {
            Systems::OneTwo(one, two) if turned == Turned::Yes => [two, one],
            Systems::Shown(one, two) | Systems::OneTwo(one, two) => [one, two],
        };
        let near = [row.second, row.first];
        let first = place(scratch, systems, one, record, near, Some("system shown first"))?;
        let near = [row.first, row.second];
        let second = place(scratch, systems, two, record, near, Some("system shown second"))?;
        if first == second {
            self.counts.self_play += 1;
            return Ok(());
        }
        let judge = place(scratch, judges, &asking.judge, record, [row.judge; 2], Some("judge"))?;
        let repeat = place(scratch, repeats, &asking.repeat, record, [row.repeat; 2], None)?;
        let shown = [first, second];
        let verdict = self.verdict(asking, fields, shown, turned)?;
        let gold = self.gold(asking, fields, shown, turned);
        let [length_first, length_second] = self.lengths(&asking.lengths, fields, turned);
        let row = Ballot { first, second, judge, repeat, length_first, length_second, ..row };
        self.push(row, [verdict, gold]);
        Ok(())
    }

    fn push(&mut self, ballot: Ballot, said: [Said; 2]) {
        // By a quarter, not by doubling: room that is not needed would be half of all memory.
        if self.said.len() == self.said.capacity() {
            let more = self.said.len() / 4 + 1024;
            self.said.reserve_exact(more);
            self.verdicts.ballots.reserve_exact(more);
        }
        self.verdicts.ballots.push(ballot);
        self.said.push(said);
    }

    fn verdict(
        &mut self,
        asking: &Asking,
        fields: Fields<'_>,
        shown: [u32; 2],
        turned: Turned,
    ) -> Result<Said, (String, String)> {
        let cell = fields.get(asking.verdict);
        if asking.code == Code::Text {
            return Ok(self.text(cell));
        }
        let names = shown.map(|it| self.verdicts.systems.name(it).as_bytes());
        let said = said(cell, asking.code, names, turned).ok_or_else(|| {
            let rule = "it is no verdict: neither of the two systems, no slot (first, second, A, B, 1, 2) and no tie";
            (quoted(cell), rule.to_owned())
        })?;
        self.literal += u64::from(1 < cell.len() && names.contains(&cell));
        self.counts.missing +=
            u64::from(said == Said::plainly(Verdict::Invalid) && word(cell) == Some(Word::Missing));
        Ok(said)
    }

    fn text(&mut self, cell: &[u8]) -> Said {
        if cell.is_empty() {
            self.counts.missing += 1;
            return Said::plainly(Verdict::Invalid);
        }
        let text = self.scratch.text(cell);
        let [parser, strict] = self.parsers.get_or_insert_with(|| {
            [self.options.mode, Mode::Strict]
                .map(|mode| Parser { vocabulary: Vocabulary::pairs(), mode })
        });
        let outcome = parser.read(text);
        // The last mark wins, and a text with several of them is counted all the same.
        let conflicting = outcome == Outcome::Conflicting
            || parser.mode == Mode::Marked && strict.read(text) == Outcome::Conflicting;
        self.counts.conflicting += u64::from(conflicting);
        match outcome.verdict() {
            it @ (Verdict::Invalid | Verdict::Tie) => Said::plainly(it),
            it => Said::slot(it),
        }
    }

    fn gold(
        &mut self,
        asking: &Asking,
        fields: Fields<'_>,
        shown: [u32; 2],
        turned: Turned,
    ) -> Said {
        let none = Said::plainly(Verdict::Invalid);
        let Some((column, code)) = asking.gold else { return none };
        let names = shown.map(|it| self.verdicts.systems.name(it).as_bytes());
        said(fields.get(column), code, names, turned).unwrap_or_else(|| {
            self.counts.odd_gold += 1;
            none
        })
    }

    fn lengths(&mut self, lengths: &Lengths, fields: Fields<'_>, turned: Turned) -> [u32; 2] {
        let mut found = [0, 1].map(|side: usize| {
            let columns = &lengths.columns[side];
            columns
                .iter()
                .map(|it| length(fields, *it, lengths.texts, &mut self.counts.odd_lengths))
                .fold(NO_LENGTH, |sum, it| match (sum, it) {
                    (sum, None) => sum,
                    (NO_LENGTH, Some(it)) => it,
                    (sum, Some(it)) => sum.saturating_add(it).min(NO_LENGTH - 1),
                })
        });
        self.counts.zero_lengths += found.iter().filter(|it| **it == 0).count() as u64;
        if lengths.of_systems && turned == Turned::Yes {
            found.swap(0, 1);
        }
        found
    }

    /// Gives back the room that is not used.
    pub(super) fn fit(&mut self) {
        self.verdicts.ballots.shrink_to_fit();
    }
}

/// A length: a whole number in a cell, or the characters of a text.
pub(super) fn length(fields: Fields<'_>, column: usize, text: bool, odd: &mut u64) -> Option<u32> {
    if text {
        return fields.characters(column);
    }
    let cell = fields.get(column);
    if cell.is_empty() {
        return None;
    }
    let number = digits(cell).or_else(|| {
        let real = libm::round(str::from_utf8(cell).ok()?.parse::<f64>().ok()?);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies within"
        )]
        (0.0..f64::from(NO_LENGTH)).contains(&real).then_some(real as u32)
    });
    let number = number.filter(|it| *it != NO_LENGTH);
    *odd += u64::from(number.is_none() && !matches!(word(cell), Some(Word::Missing)));
    number
}

/// A number of up to nine digits.
fn digits(cell: &[u8]) -> Option<u32> {
    let short = (1..=9).contains(&cell.len()) && cell.iter().all(u8::is_ascii_digit);
    short.then(|| cell.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
}
