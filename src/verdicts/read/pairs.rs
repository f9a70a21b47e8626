//! Takes verdicts on pairs out of records.

use super::super::contents::Counts;
use super::super::options::Options;
use super::super::parser::{Mode, Outcome, Parser, Vocabulary};
use super::super::rows::{BadLine, Ballot, NO_LENGTH, Names, Verdicts};
use super::fields::{Fields, quoted};
use super::layout::{Asking, Code, Lengths, Naming, Paired, Systems};
use super::name::Scratch;
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
    parser: Parser,
    strict: Parser,
    scratch: Scratch,
}

/// The names of a record, by place.
struct Places {
    item: u32,
    stratum: u32,
}

impl<'o> Pairs<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        let mut verdicts = Verdicts::default();
        verdicts.strata.place("");
        verdicts.repeats.place("");
        let parser = |mode| Parser { vocabulary: Vocabulary::pairs(), mode };
        Self {
            verdicts,
            said: Vec::new(),
            counts: Counts::default(),
            literal: 0,
            options,
            parser: parser(options.mode),
            strict: parser(Mode::Strict),
            scratch: Scratch::default(),
        }
    }

    /// Adds the verdicts of a record; the first thing that was wrong with it.
    pub(super) fn add(
        &mut self,
        layout: &Paired,
        fields: Fields<'_>,
        line: u64,
        number: u64,
    ) -> Result<(), BadLine> {
        self.scratch.latin1 = false;
        let done = self.record(layout, fields, line, number);
        self.counts.latin1 += u64::from(self.scratch.latin1);
        done.map_err(|(value, rule)| BadLine { line, value, rule })
    }

    fn record(
        &mut self,
        layout: &Paired,
        fields: Fields<'_>,
        line: u64,
        number: u64,
    ) -> Result<(), (String, String)> {
        let Verdicts { items, strata, .. } = &mut self.verdicts;
        let item = place(&mut self.scratch, items, &layout.item, fields, number, "item")?;
        let stratum = strata.place(self.scratch.name(&layout.stratum, fields, number)?);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let mut done = Ok(());
        for asking in &layout.askings {
            let one = self.asking(asking, fields, number, line, &Places { item, stratum });
            done = done.and(one);
        }
        done
    }

    fn asking(
        &mut self,
        asking: &Asking,
        fields: Fields<'_>,
        number: u64,
        line: u32,
        at: &Places,
    ) -> Result<(), (String, String)> {
        let turned = turned(asking.turn, fields).map_err(|cell| {
            (quoted(cell), "the order is none of 0 and 1, AB and BA, false and true".to_owned())
        })?;
        let Verdicts { systems, judges, repeats, .. } = &mut self.verdicts;
        let scratch = &mut self.scratch;
        if !self.options.judges.is_empty() {
            let name = scratch.name(&asking.judge, fields, number)?;
            if !self.options.judges.iter().any(|it| it == name) {
                self.counts.other_judges += 1;
                return Ok(());
            }
        }
        let [one, two] = match &asking.systems {
            Systems::OneTwo(one, two) if turned == Turned::Yes => [two, one],
            Systems::Shown(one, two) | Systems::OneTwo(one, two) => [one, two],
        };
        let first = place(scratch, systems, one, fields, number, "system shown first")?;
        let second = place(scratch, systems, two, fields, number, "system shown second")?;
        if first == second {
            self.counts.self_play += 1;
            return Ok(());
        }
        let judge = place(scratch, judges, &asking.judge, fields, number, "judge")?;
        let repeat = repeats.place(scratch.name(&asking.repeat, fields, number)?);
        let shown = [first, second];
        let verdict = self.verdict(asking, fields, shown, turned)?;
        let gold = self.gold(asking, fields, shown, turned);
        let [length_first, length_second] = self.lengths(&asking.lengths, fields, turned);
        let Places { item, stratum } = *at;
        let unsettled = Verdict::Invalid;
        self.push(
            Ballot {
                line,
                item,
                first,
                second,
                judge,
                stratum,
                repeat,
                length_first,
                length_second,
                verdict: unsettled,
                gold: unsettled,
            },
            [verdict, gold],
        );
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
        let outcome = self.parser.read(text);
        // The last mark wins, and a text with several of them is counted all the same.
        let conflicting = outcome == Outcome::Conflicting
            || self.parser.mode == Mode::Marked && self.strict.read(text) == Outcome::Conflicting;
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
    let number = str::from_utf8(cell).ok().and_then(|it| {
        it.parse::<u32>().ok().or_else(|| {
            let real = libm::round(it.parse::<f64>().ok()?);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it lies within"
            )]
            (0.0..f64::from(NO_LENGTH)).contains(&real).then_some(real as u32)
        })
    });
    let number = number.filter(|it| *it != NO_LENGTH);
    *odd += u64::from(number.is_none() && !matches!(word(cell), Some(Word::Missing)));
    number
}

/// The place of the name that a record gives to something that must have one.
pub(super) fn place(
    scratch: &mut Scratch,
    names: &mut Names,
    naming: &Naming,
    fields: Fields<'_>,
    number: u64,
    what: &str,
) -> Result<u32, (String, String)> {
    match scratch.name(naming, fields, number)? {
        "" => Err((String::new(), format!("the {what} is not named"))),
        name => Ok(names.place(name)),
    }
}
