//! Decides what verdicts name, and which rows stand.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

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
    let found = presentations(&verdicts.ballots, &said);
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

/// What tells pairs apart, the lower system first, and whether this is also the one shown first.
fn key(ballot: &Ballot) -> ([u32; 5], bool) {
    let straight = ballot.first < ballot.second;
    let (low, high) =
        if straight { (ballot.first, ballot.second) } else { (ballot.second, ballot.first) };
    ([ballot.judge, ballot.item, ballot.repeat, low, high], straight)
}

/// The two orders of a pair have one hash, so that both lie next to each other.
fn hash(state: &FixedState, [judge, item, repeat, low, high]: [u32; 5]) -> u64 {
    let two = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
    state.hash_one((two(judge, item), two(low, high), repeat))
}

fn presentations(ballots: &[Ballot], said: &[[Said; 2]]) -> Presentations {
    let state = FixedState::default();
    let at = |row: u32| key(&ballots[row as usize]);
    let places =
        |said: &[Said; 2]| said.iter().any(|it| matches!(it.system, Under::One | Under::Two));
    let mut found = Presentations::default();
    if said.iter().any(places) {
        found.turned = vec![false; said.len()];
    }
    let mut table: HashTable<u32> = HashTable::with_capacity(ballots.len());
    for (row, ballot) in (0_u32..).zip(ballots) {
        let (pair, straight) = key(ballot);
        let hashed = hash(&state, pair);
        let seen = |order: bool| table.find(hashed, |it| at(*it) == (pair, order)).copied();
        // Mostly the two orders of a pair are next to each other.
        let before = row.checked_sub(1).filter(|it| at(*it) == (pair, !straight));
        let partner = before.or_else(|| seen(!straight));
        let turned = found.turned.get_mut(row as usize);
        if let Some(first) = seen(straight) {
            found.again.push((row, first));
            if let (Some(turned), Some(partner)) = (turned, partner) {
                *turned = partner < first;
            }
            continue;
        }
        table.insert_unique(hashed, row, |it| hash(&state, at(*it).0));
        found.different += 1;
        if let Some(partner) = partner {
            found.both += 1;
            if let Some(turned) = turned {
                *turned = true;
            }
            let [first, second] = [partner, row].map(|it| said[it as usize]);
            found.verdicts.add(first[0], second[0]);
            found.gold.add(first[1], second[1]);
        }
    }
    found
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
