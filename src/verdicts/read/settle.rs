//! Decides what verdicts name, and which rows stand.

use std::collections::BTreeMap;

use super::super::contents::{Coded, Counts};
use super::super::options::Coding;
use super::super::rows::{Ballot, Verdicts};
use super::coding::{self, Tallies};
use super::layout::Paired;
use super::pairs::Pairs;
use super::said::{Said, Under};
use crate::evidence::Verdict;

/// Why verdicts cannot be settled.
#[derive(Debug)]
pub(super) struct Unsettled {
    pub(super) rule: String,
    pub(super) remedy: String,
}

/// Verdicts in slots, with their counts, notes, and how their coding was known.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) verdicts: Verdicts,
    pub(super) counts: Counts,
    pub(super) coded: Coded,
    pub(super) notes: Vec<String>,
}

/// Settles all rows of a file.
pub(super) fn settle(
    pairs: Pairs<'_>,
    layout: &Paired,
    declared: Option<Coding>,
    repeats: bool,
) -> Result<Settled, Unsettled> {
    let Pairs { mut verdicts, said, mut counts, literal, .. } = pairs;
    let found = presentations(&verdicts.ballots, &said, verdicts.items.len());
    let mut notes = Vec::new();
    let coded = coding::of_verdicts(&said, &found.verdicts, layout, declared, literal, &mut notes)?;
    let gold = coding::of_gold(&said, &found.gold, layout);
    for (row, ballot) in verdicts.ballots.iter_mut().enumerate() {
        let straight = found.turned.get(row).is_none_or(|turned| !turned);
        ballot.verdict = under(said[row][0], coded.coding, straight);
        ballot.gold = under(said[row][1], gold, straight);
    }
    counts.both_orders = found.both;
    counts.one_sided = found.different - 2 * found.both;
    once(&mut verdicts, &found.again, repeats, &mut counts);
    counts.kept = verdicts.ballots.len() as u64;
    counts.invalid =
        verdicts.ballots.iter().filter(|it| it.verdict == Verdict::Invalid).count() as u64;
    Ok(Settled { verdicts, counts, coded, notes })
}

/// A verdict under one reading, or under the other where this one does not know it.
pub(super) fn under(said: Said, coding: Coding, straight: bool) -> Verdict {
    let (mut under, other) = match coding {
        Coding::Slot => (said.slot, said.system),
        Coding::System => (said.system, said.slot),
    };
    if under == Under::Unknown {
        under = other;
    }
    match (under, straight) {
        (Under::Is(verdict), _) => verdict,
        (Under::One, true) | (Under::Two, false) => Verdict::First,
        (Under::Two, true) | (Under::One, false) => Verdict::Second,
        (Under::Unknown, _) => Verdict::Invalid,
    }
}

/// What is known of the presentations of a file.
#[derive(Debug, Default)]
struct Presentations {
    /// How many there are.
    different: u64,
    /// Pairs of them that are the two orders of one pair.
    both: u64,
    /// Rows on a presentation that was read before, each with the row that was.
    again: Vec<(u32, u32)>,
    /// Whether the other order of the pair was read before this row; empty where nothing depends on it.
    turned: Vec<bool>,
    /// Agreement between the two orders, under both readings.
    verdicts: Tallies,
    gold: Tallies,
}

/// What tells the pairs of an item apart, the lower system first, and whether this is also the one shown first.
fn key(ballot: &Ballot) -> ([u32; 4], bool) {
    let straight = ballot.first < ballot.second;
    let (low, high) =
        if straight { (ballot.first, ballot.second) } else { (ballot.second, ballot.first) };
    ([ballot.judge, ballot.repeat, low, high], straight)
}

/// Rows by item, in file order, and where each item starts: a counting sort, in which the rows of a pair lie next to each other.
fn by_item(ballots: &[Ballot], items: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; items + 1];
    for ballot in ballots {
        starts[ballot.item as usize + 1] += 1;
    }
    for item in 0..items {
        starts[item + 1] += starts[item];
    }
    let mut rows = vec![0; ballots.len()];
    for (row, ballot) in (0_u32..).zip(ballots) {
        let next = &mut starts[ballot.item as usize];
        rows[*next as usize] = row;
        *next += 1;
    }
    // Each start has moved to the start of the next item.
    starts.rotate_right(1);
    starts[0] = 0;
    (rows, starts)
}

fn presentations(ballots: &[Ballot], said: &[[Said; 2]], items: usize) -> Presentations {
    let of = |row: u32| key(&ballots[row as usize]);
    let places =
        |said: &[Said; 2]| said.iter().any(|it| matches!(it.system, Under::One | Under::Two));
    let mut found = Presentations::default();
    if said.iter().any(places) {
        found.turned = vec![false; said.len()];
    }
    let (mut rows, starts) = by_item(ballots, items);
    for item in starts.windows(2) {
        let rows = &mut rows[item[0] as usize..item[1] as usize];
        rows.sort_unstable_by_key(|row| (of(*row), *row));
        for pair in rows.chunk_by(|a, b| of(*a).0 == of(*b).0) {
            let straight = pair.partition_point(|row| !of(*row).1);
            let (turned, straight) = pair.split_at(straight);
            found.pair(turned, straight, said);
        }
    }
    found.again.sort_unstable();
    found
}

impl Presentations {
    /// Adds the rows of a pair by the order shown, each in file order.
    fn pair(&mut self, one: &[u32], other: &[u32], said: &[[Said; 2]]) {
        for rows in [one, other] {
            if let [first, again @ ..] = rows {
                self.different += 1;
                self.again.extend(again.iter().map(|row| (*row, *first)));
            }
        }
        let ([a, ..], [b, ..]) = (one, other) else { return };
        self.both += 1;
        let (first, second) = (a.min(b), a.max(b));
        let [early, late] = [first, second].map(|it| said[*it as usize]);
        self.verdicts.add(early[0], late[0]);
        self.gold.add(early[1], late[1]);
        if !self.turned.is_empty() {
            for row in if a < b { other } else { one } {
                self.turned[*row as usize] = true;
            }
        }
    }
}

/// Leaves each presentation once, or numbers its askings where the file names no repeats and two askings differ.
fn once(verdicts: &mut Verdicts, again: &[(u32, u32)], repeats: bool, counts: &mut Counts) {
    let ballots = &mut verdicts.ballots;
    let says = |row: u32, ballots: &[Ballot]| ballots[row as usize].verdict;
    let differ =
        again.iter().filter(|(row, first)| says(*row, ballots) != says(*first, ballots)).count()
            as u64;
    if 0 < differ && !repeats {
        counts.numbered = again.len() as u64;
        let first = verdicts.repeats.place("1");
        for it in ballots.iter_mut() {
            it.repeat = first;
        }
        let mut askings: BTreeMap<u32, u32> = BTreeMap::new();
        for (row, first) in again {
            let asking = askings.entry(*first).and_modify(|it| *it += 1).or_insert(2);
            ballots[*row as usize].repeat = verdicts.repeats.place(&asking.to_string());
        }
        return;
    }
    counts.contradicted = differ;
    counts.duplicates = again.len() as u64 - differ;
    // Rows are left out in file order, which is the order of the list.
    let mut left_out = again.iter().map(|it| it.0).peekable();
    let mut rows = 0..;
    ballots.retain(|_| left_out.next_if_eq(&rows.next().unwrap_or(u32::MAX)).is_none());
}
