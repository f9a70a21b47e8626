//! Several files as one: names are brought together, and rows follow each other.
//!
//! Where a file asks what an earlier file asked (judge, item, systems in their order, repeat), it is a copy if every such row says
//! the same, and these rows are left out. If one differs, the whole file is another repeat, and its repeats bear its name.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::contents::Counts;
use super::rows::{Ballot, Grade, Grades, Names, Read, Verdicts};

impl Read {
    /// Adds the rows of another file. What is left out, or becomes a repeat, is added to these counts.
    ///
    /// # Errors
    ///
    /// The other file's rows, where one file holds pairs and the other grades.
    pub fn merge(&mut self, more: Read, file: &str, counts: &mut Counts) -> Result<(), Box<Read>> {
        match (self, more) {
            (Read::Pairs(own), Read::Pairs(more)) => own.merge(more, file, counts),
            (Read::Grades(own), Read::Grades(more)) => own.merge(more, file, counts),
            (_, more) => return Err(Box::new(more)),
        }
        Ok(())
    }
}

impl Verdicts {
    /// Adds the rows of another file.
    pub fn merge(&mut self, more: Verdicts, file: &str, counts: &mut Counts) {
        let places = Places {
            items: places(&mut self.items, &more.items),
            systems: places(&mut self.systems, &more.systems),
            judges: places(&mut self.judges, &more.judges),
            strata: places(&mut self.strata, &more.strata),
        };
        let repeats = (&mut self.repeats, &more.repeats, file);
        join(&mut self.ballots, more.ballots, &places, repeats, counts);
    }
}

impl Grades {
    /// Adds the rows of another file.
    pub fn merge(&mut self, more: Grades, file: &str, counts: &mut Counts) {
        let places = Places {
            items: places(&mut self.items, &more.items),
            systems: places(&mut self.systems, &more.systems),
            judges: places(&mut self.judges, &more.judges),
            strata: places(&mut self.strata, &more.strata),
        };
        let repeats = (&mut self.repeats, &more.repeats, file);
        join(&mut self.grades, more.grades, &places, repeats, counts);
        self.binary &= more.binary;
    }
}

/// Where the names of another file stand in our lists.
struct Places {
    items: Vec<u32>,
    systems: Vec<u32>,
    judges: Vec<u32>,
    strata: Vec<u32>,
}

/// What verdicts and grades have in common.
trait Row {
    /// What two rows share that are verdicts on the same, but for the repeat.
    type Key: Hash + Eq;

    fn turn_to(&mut self, places: &Places);
    fn key(&self) -> Self::Key;
    fn repeat(&self) -> u32;
    fn set_repeat(&mut self, repeat: u32);
    fn says_as(&self, other: &Self) -> bool;
}

impl Row for Ballot {
    type Key = [u32; 4];

    fn turn_to(&mut self, places: &Places) {
        self.item = places.items[self.item as usize];
        self.first = places.systems[self.first as usize];
        self.second = places.systems[self.second as usize];
        self.judge = places.judges[self.judge as usize];
        self.stratum = places.strata[self.stratum as usize];
    }

    fn key(&self) -> [u32; 4] {
        [self.judge, self.item, self.first, self.second]
    }

    fn repeat(&self) -> u32 {
        self.repeat
    }

    fn set_repeat(&mut self, repeat: u32) {
        self.repeat = repeat;
    }

    fn says_as(&self, other: &Self) -> bool {
        self.verdict == other.verdict
    }
}

impl Row for Grade {
    type Key = [u32; 3];

    fn turn_to(&mut self, places: &Places) {
        self.item = places.items[self.item as usize];
        self.system = places.systems[self.system as usize];
        self.judge = places.judges[self.judge as usize];
        self.stratum = places.strata[self.stratum as usize];
    }

    fn key(&self) -> [u32; 3] {
        [self.judge, self.item, self.system]
    }

    fn repeat(&self) -> u32 {
        self.repeat
    }

    fn set_repeat(&mut self, repeat: u32) {
        self.repeat = repeat;
    }

    fn says_as(&self, other: &Self) -> bool {
        self.score.to_bits() == other.score.to_bits()
    }
}

/// Appends the rows of another file. Where all that are there already say the same it is a copy of them; else its repeats are
/// others.
fn join<R: Row>(
    own: &mut Vec<R>,
    mut rows: Vec<R>,
    places: &Places,
    (names, more, file): (&mut Names, &Names, &str),
    counts: &mut Counts,
) {
    let plain = repeats(names, more, None);
    let numbered: Vec<u32> = rows.iter().map(Row::repeat).collect();
    for it in &mut rows {
        it.turn_to(places);
        it.set_repeat(plain[it.repeat() as usize]);
    }
    let again = again(own, &rows);
    let copied = again.iter().all(|it| rows[it.0 as usize].says_as(&own[it.1 as usize]));
    if !copied {
        let names = repeats(names, more, Some(file));
        for (it, repeat) in rows.iter_mut().zip(numbered) {
            it.set_repeat(names[repeat as usize]);
        }
    }
    add(own, rows, &again, copied, counts);
}

/// For each name of a list its place in another, to which it is added.
fn places(own: &mut Names, more: &Names) -> Vec<u32> {
    more.iter().map(|name| own.place(name)).collect()
}

/// The same for repeats, which bear the name of a file where one is given.
fn repeats(own: &mut Names, more: &Names, file: Option<&str>) -> Vec<u32> {
    let name = |repeat: &str| match (file, repeat) {
        (None, _) => repeat.to_owned(),
        (Some(file), "") => file.to_owned(),
        (Some(file), _) => format!("{file}/{repeat}"),
    };
    more.iter().map(|it| own.place(&name(it))).collect()
}

/// Rows of a file whose key and repeat an earlier row has, each with that row.
fn again<R: Row>(own: &[R], more: &[R]) -> Vec<(u32, u32)> {
    let state = FixedState::default();
    let key = |it: &R| (it.key(), it.repeat());
    let of = |row: u32| key(&own[row as usize]);
    let mut table: HashTable<u32> = HashTable::with_capacity(own.len());
    for (row, it) in (0_u32..).zip(own) {
        table.insert_unique(state.hash_one(key(it)), row, |it| state.hash_one(of(*it)));
    }
    let met = |(row, it): (u32, &R)| {
        let key = key(it);
        Some((row, *table.find(state.hash_one(&key), |it| of(*it) == key)?))
    };
    (0_u32..).zip(more).filter_map(met).collect()
}

/// Appends rows, of a copy only those that are new.
fn add<R>(own: &mut Vec<R>, more: Vec<R>, again: &[(u32, u32)], copied: bool, counts: &mut Counts) {
    if copied {
        counts.duplicates += again.len() as u64;
        let mut left_out = again.iter().map(|it| it.0).peekable();
        let new = (0_u32..).zip(more).filter(|(row, _)| left_out.next_if_eq(row).is_none());
        own.extend(new.map(|it| it.1));
    } else {
        counts.numbered += again.len() as u64;
        own.extend(more);
    }
}
