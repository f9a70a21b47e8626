//! Whether verdicts name slots or systems: declared, or deduced, and held against the two orders of the pairs.

use super::super::contents::{Coded, Known};
use super::super::options::Coding;
use super::layout::Paired;
use super::said::{Said, Under};
use super::settle::{Unsettled, under};
use crate::evidence::Verdict;

/// How the two orders of pairs agree under one reading; only decisive verdicts count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The same system twice.
    same: u64,
    /// The first slot twice.
    first: u64,
    /// The second slot twice.
    second: u64,
}

/// Pairs from which agreement is looked at at all.
const FEWEST: u64 = 10;
/// Near 0: the share of pairs that agree, under a reading that is wrong.
const HARDLY: f64 = 0.1;
/// Near 1.
const MOSTLY: f64 = 0.9;
/// Clearly more than half, enough to choose between readings that nothing else tells apart.
const CLEARLY: f64 = 0.75;

impl Tally {
    const fn pairs(self) -> u64 {
        self.same + self.first + self.second
    }

    fn share(self, of: u64) -> f64 {
        of as f64 / self.pairs().max(1) as f64
    }

    /// Whether pairs hardly ever agree. Both slots win pairs twice: no judge that leans to one slot does that.
    fn hardly_agrees(self) -> bool {
        FEWEST <= self.pairs() && self.share(self.same) <= HARDLY
    }

    fn leans_both_ways(self) -> bool {
        HARDLY <= self.share(self.first.min(self.second))
    }
}

/// Agreement under both readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tallies {
    slot: Tally,
    system: Tally,
}

impl Tallies {
    /// The two orders of one more pair, the one that was read first before the other.
    pub(super) fn add(&mut self, first: Said, second: Said) {
        for (tally, coding) in [(&mut self.slot, Coding::Slot), (&mut self.system, Coding::System)]
        {
            match (under(first, coding, true), under(second, coding, false)) {
                (Verdict::First, Verdict::Second) | (Verdict::Second, Verdict::First) => {
                    tally.same += 1;
                }
                (Verdict::First, Verdict::First) => tally.first += 1,
                (Verdict::Second, Verdict::Second) => tally.second += 1,
                _ => {}
            }
        }
    }

    const fn of(self, coding: Coding) -> Tally {
        match coding {
            Coding::Slot => self.slot,
            Coding::System => self.system,
        }
    }
}

/// How many verdicts each reading knows.
#[derive(Clone, Copy, Debug, Default)]
struct Values {
    slot_only: u64,
    system_only: u64,
    /// Both know them, and differ.
    either: u64,
    /// Of these: it is not said which system is one.
    unplaced: u64,
}

impl Values {
    fn of(all: impl Iterator<Item = Said>) -> Self {
        all.fold(Self::default(), |mut values, said| {
            match (said.slot, said.system) {
                (_, Under::Unknown) => values.slot_only += 1,
                (Under::Unknown, _) => values.system_only += 1,
                (slot, system) if slot == system => {}
                (_, system) => {
                    values.either += 1;
                    values.unplaced += u64::from(matches!(system, Under::One | Under::Two));
                }
            }
            values
        })
    }
}

/// What verdicts name, and how that is known.
pub(super) fn of_verdicts(
    said: &[[Said; 2]],
    tallies: &Tallies,
    layout: &Paired,
    declared: Option<Coding>,
    literal: u64,
    notes: &mut Vec<String>,
) -> Result<Coded, Unsettled> {
    let values = Values::of(said.iter().map(|it| it[0]));
    let coded = match declared {
        Some(coding) => {
            known_to(coding, values)?;
            Coded { coding, known: Known::Declared }
        }
        None => deduced(values, tallies, layout, literal)?,
    };
    if 0 < values.either {
        held_against(coded, tallies, notes)?;
    }
    Ok(coded)
}

/// A declared coding must know all values.
fn known_to(coding: Coding, values: Values) -> Result<(), Unsettled> {
    let (unknown, name) = match coding {
        Coding::Slot => (values.system_only, "systems"),
        Coding::System => (values.slot_only, "slots"),
    };
    if unknown == 0 {
        return Ok(());
    }
    Err(Unsettled {
        rule: format!(
            "verdicts were declared to be coded by {coding}, and {unknown} of them name {name}"
        ),
        remedy: format!("declare --coded {} or leave it out", coding.other()),
    })
}

fn deduced(
    values: Values,
    tallies: &Tallies,
    layout: &Paired,
    literal: u64,
) -> Result<Coded, Unsettled> {
    let by = |coding, known| Ok(Coded { coding, known });
    if let Some(coding) = layout.coding {
        return by(coding, Known::Format);
    }
    match (values.slot_only, values.system_only) {
        (0, 0) if values.either == 0 => return by(Coding::Slot, Known::Values),
        (0, 1..) => return by(Coding::System, Known::Values),
        (1.., 0) => return by(Coding::Slot, Known::Values),
        _ => {}
    }
    if values.either <= 2 * literal {
        return by(Coding::System, Known::Values);
    }
    // "A" where systems have other names is the slot of the row, unless the pairs say otherwise.
    if values.either == values.unplaced {
        return by(Coding::Slot, Known::Values);
    }
    if let Some(coding) = layout.hint {
        return by(coding, Known::Column);
    }
    let clear = |coding: Coding| {
        let tally = tallies.of(coding);
        FEWEST <= tally.pairs() && CLEARLY <= tally.share(tally.same)
    };
    match (clear(Coding::Slot), clear(Coding::System)) {
        (true, false) => by(Coding::Slot, Known::Consistency),
        (false, true) => by(Coding::System, Known::Consistency),
        _ => Err(Unsettled {
            rule: "the verdicts may name slots or systems, and nothing in the file tells which"
                .to_owned(),
            remedy: "declare --coded slot or --coded system".to_owned(),
        }),
    }
}

/// A reading under which hardly a pair agrees, where nearly all would under the other, is a misread.
fn held_against(coded: Coded, tallies: &Tallies, notes: &mut Vec<String>) -> Result<(), Unsettled> {
    let (own, other) = (tallies.of(coded.coding), tallies.of(coded.coding.other()));
    if !own.hardly_agrees() || other.share(other.same) < MOSTLY {
        return Ok(());
    }
    let compared = format!(
        "read as coded by {}, {} of {} decisive pairs agree in both orders ({} pick the first slot twice, {} the second); read \
         as coded by {}, {} of {} do",
        coded.coding,
        own.same,
        own.pairs(),
        own.first,
        own.second,
        coded.coding.other(),
        other.same,
        other.pairs()
    );
    if own.leans_both_ways() {
        return Err(Unsettled {
            rule: format!("the verdicts were misread: {compared}"),
            remedy: format!(
                "declare --coded {}, or check which columns hold the systems shown first and second",
                coded.coding.other()
            ),
        });
    }
    if coded.known != Known::Declared {
        notes.push(format!(
            "Verdicts are read as coded by {}, because {}. {}{}: either this judge nearly always picks one slot, or the \
             file is coded by {} and --coded {} is needed.",
            coded.coding,
            coded.known.reason(),
            compared[..1].to_uppercase(),
            &compared[1..],
            coded.coding.other(),
            coded.coding.other()
        ));
    }
    Ok(())
}

/// What gold labels name: a label is the same system in both orders.
pub(super) fn of_gold(said: &[[Said; 2]], tallies: &Tallies, layout: &Paired) -> Coding {
    if let Some(coding) = layout.gold_coding {
        return coding;
    }
    match tallies.slot.same.cmp(&tallies.system.same) {
        std::cmp::Ordering::Less => Coding::System,
        std::cmp::Ordering::Greater => Coding::Slot,
        std::cmp::Ordering::Equal => {
            let values = Values::of(said.iter().map(|it| it[1]));
            if 0 < values.unplaced { Coding::Slot } else { Coding::System }
        }
    }
}
