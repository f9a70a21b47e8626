//! A small reader of plain tables of verdicts, for tests of the analysis alone.

use judgelab::evidence::Verdict;
use judgelab::verdicts::{Ballot, NO_LENGTH, Verdicts};

/// The columns of a table, by name; empty where it has none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) item: &'static str,
    pub(crate) judge: &'static str,
    pub(crate) first: &'static str,
    /// The winner by its name.
    pub(crate) winner: &'static str,
    pub(crate) gold: &'static str,
    pub(crate) stratum: &'static str,
    pub(crate) repeat: &'static str,
    /// The lengths of the two systems' answers, or of the two slots' where `by_slot`.
    pub(crate) lengths: [&'static str; 2],
    pub(crate) by_slot: bool,
    pub(crate) second: &'static str,
}

/// The other of two systems where the table does not name it.
const SYSTEMS: [&str; 2] = ["output_1", "output_2"];

pub(crate) fn verdicts(text: &str, columns: Columns) -> Verdicts {
    let mut out = Verdicts::default();
    out.strata.place("");
    out.repeats.place("");
    if columns.second.is_empty() {
        for it in SYSTEMS {
            out.systems.place(it);
        }
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    for (line, record) in (2..).zip(reader.records()) {
        let record = record.unwrap();
        let cell = |name: &str| {
            let at = headers.iter().position(|it| it == name)?;
            record.get(at).filter(|it| !it.is_empty())
        };
        let first = cell(columns.first).unwrap();
        let other = SYSTEMS[usize::from(first == SYSTEMS[0])];
        let second = if columns.second.is_empty() { other } else { cell(columns.second).unwrap() };
        let slot = |name: &str| match cell(name) {
            Some(it) if it == first => Verdict::First,
            Some(it) if it == second => Verdict::Second,
            Some("tie") => Verdict::Tie,
            _ => Verdict::Invalid,
        };
        let mut lengths = columns
            .lengths
            .map(|name| cell(name).and_then(|it| it.parse().ok()).unwrap_or(NO_LENGTH));
        if !columns.by_slot && first == SYSTEMS[1] {
            lengths.reverse();
        }
        let verdict = slot(columns.winner);
        let gold = slot(columns.gold);
        out.ballots.push(Ballot {
            line,
            item: out.items.place(cell(columns.item).unwrap()),
            first: out.systems.place(first),
            second: out.systems.place(second),
            judge: out.judges.place(cell(columns.judge).unwrap_or("judge")),
            stratum: out.strata.place(cell(columns.stratum).unwrap_or("")),
            repeat: out.repeats.place(cell(columns.repeat).unwrap_or("")),
            length_first: lengths[0],
            length_second: lengths[1],
            verdict,
            gold,
        });
    }
    out
}
