//! Several files as one: names are brought together, and rows follow each other.
//!
//! Where a file asks what an earlier file asked (judge, item, systems in their order, repeat), it is a copy if every such row says
//! the same, and these rows are left out. If one differs, the whole file is another repeat, and its repeats bear its name.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::contents::Counts;
use super::rows::{Grades, Names, Read, Verdicts};

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
        let mut rows = more.ballots;
        let repeat =
            |own: &mut Names, distinct: bool| repeats(own, &more.repeats, distinct.then_some(file));
        let items = places(&mut self.items, &more.items);
        let systems = places(&mut self.systems, &more.systems);
        let judges = places(&mut self.judges, &more.judges);
        let strata = places(&mut self.strata, &more.strata);
        let plain = repeat(&mut self.repeats, false);
        for it in &mut rows {
            it.item = items[it.item as usize];
            it.first = systems[it.first as usize];
            it.second = systems[it.second as usize];
            it.judge = judges[it.judge as usize];
            it.stratum = strata[it.stratum as usize];
        }
        let again = again(&self.ballots, &rows, |it, own| {
            [
                it.judge,
                it.item,
                it.first,
                it.second,
                if own { it.repeat } else { plain[it.repeat as usize] },
            ]
        });
        let same =
            |it: &(u32, u32)| rows[it.0 as usize].verdict == self.ballots[it.1 as usize].verdict;
        let copied = again.iter().all(same);
        let names = if copied { plain } else { repeat(&mut self.repeats, true) };
        for it in &mut rows {
            it.repeat = names[it.repeat as usize];
        }
        add(&mut self.ballots, rows, &again, copied, counts);
    }
}

impl Grades {
    /// Adds the rows of another file.
    pub fn merge(&mut self, more: Grades, file: &str, counts: &mut Counts) {
        let mut rows = more.grades;
        let repeat =
            |own: &mut Names, distinct: bool| repeats(own, &more.repeats, distinct.then_some(file));
        let items = places(&mut self.items, &more.items);
        let systems = places(&mut self.systems, &more.systems);
        let judges = places(&mut self.judges, &more.judges);
        let strata = places(&mut self.strata, &more.strata);
        let plain = repeat(&mut self.repeats, false);
        for it in &mut rows {
            it.item = items[it.item as usize];
            it.system = systems[it.system as usize];
            it.judge = judges[it.judge as usize];
            it.stratum = strata[it.stratum as usize];
        }
        let again = again(&self.grades, &rows, |it, own| {
            [it.judge, it.item, it.system, if own { it.repeat } else { plain[it.repeat as usize] }]
        });
        let bits = |it: f64| it.to_bits();
        let same = |it: &(u32, u32)| {
            bits(rows[it.0 as usize].score) == bits(self.grades[it.1 as usize].score)
        };
        let copied = again.iter().all(same);
        let names = if copied { plain } else { repeat(&mut self.repeats, true) };
        for it in &mut rows {
            it.repeat = names[it.repeat as usize];
        }
        add(&mut self.grades, rows, &again, copied, counts);
        self.binary &= more.binary;
    }
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

/// Rows of a file whose key an earlier row has, each with that row. The key is told whether the row is an earlier one.
fn again<R, K: Hash + Eq>(own: &[R], more: &[R], key: impl Fn(&R, bool) -> K) -> Vec<(u32, u32)> {
    let state = FixedState::default();
    let of = |row: u32| key(&own[row as usize], true);
    let mut table: HashTable<u32> = HashTable::with_capacity(own.len());
    for (row, it) in (0_u32..).zip(own) {
        table.insert_unique(state.hash_one(key(it, true)), row, |it| state.hash_one(of(*it)));
    }
    let met = |(row, it): (u32, &R)| {
        let key = key(it, false);
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
