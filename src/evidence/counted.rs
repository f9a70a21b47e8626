//! Counts of distinct evidence, kept as narrow as the evidence is: a reading of three sums takes four words an entry.

use std::cmp::Ordering;

use super::{LANES, Sums};

/// Distinct sums in ascending order, and how many replicates showed each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    lanes: usize,
    /// Entry by entry, the first `lanes` sums; the others are 0.
    sums: Vec<i64>,
    counts: Vec<u64>,
}

impl Counted {
    /// No counts, of a reading with so many sums (at most [`LANES`]).
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        Self { lanes: lanes.min(LANES), ..Self::default() }
    }

    /// Counts of sums in any order.
    #[must_use]
    pub fn of(lanes: usize, mut all: Vec<(Sums, u64)>) -> Self {
        all.sort_unstable();
        let mut counted = Self::new(lanes);
        for (sums, count) in all {
            counted.push(&sums.0[..counted.lanes], count);
        }
        counted
    }

    /// How many sums an entry has, the sums of all entries one after the other, and the counts.
    #[must_use]
    pub fn parts(&self) -> (usize, &[i64], &[u64]) {
        (self.lanes, &self.sums, &self.counts)
    }

    /// The counts of such [`parts`](Self::parts); nothing where they are not in order, or do not fit.
    #[must_use]
    pub fn from_parts(lanes: usize, sums: Vec<i64>, counts: Vec<u64>) -> Option<Self> {
        let fits = lanes <= LANES && Some(sums.len()) == lanes.checked_mul(counts.len());
        let some = counts.iter().try_fold(0_u64, |all, it| all.checked_add(*it)).is_some();
        let it = Self { lanes, sums, counts };
        let rising = |entry: usize| it.narrow(entry) < it.narrow(entry + 1);
        let sound = fits
            && some
            && it.counts.iter().all(|count| 0 < *count)
            && (1..it.len()).all(|entry| rising(entry - 1));
        sound.then_some(it)
    }

    /// Adds an entry that is not below the last one.
    fn push(&mut self, sums: &[i64], count: u64) {
        let last = self.sums.len().saturating_sub(self.lanes);
        match self.counts.last_mut() {
            Some(known) if self.sums[last..] == *sums => *known += count,
            _ => {
                self.sums.extend_from_slice(sums);
                self.counts.push(count);
            }
        }
    }

    /// How many distinct values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many replicates there are.
    #[must_use]
    pub fn replicates(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn narrow(&self, entry: usize) -> &[i64] {
        &self.sums[entry * self.lanes..][..self.lanes]
    }

    /// Every distinct value and its count, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Sums, u64)> + '_ {
        self.counts.iter().enumerate().map(|(entry, count)| {
            let mut sums = [0; LANES];
            sums[..self.lanes].copy_from_slice(self.narrow(entry));
            (Sums(sums), *count)
        })
    }

    /// The counts of both, of other replicates of the same reading.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let lanes = self.lanes.max(other.lanes);
        let mut merged = Self {
            lanes,
            sums: Vec::with_capacity(self.sums.len() + other.sums.len()),
            counts: Vec::with_capacity(self.len() + other.len()),
        };
        let (mut i, mut j) = (0, 0);
        while i < self.len() && j < other.len() {
            let (a, b) = (self.narrow(i), other.narrow(j));
            let order = a.cmp(b);
            let mut count = 0;
            if order != Ordering::Greater {
                count += self.counts[i];
                i += 1;
            }
            if order != Ordering::Less {
                count += other.counts[j];
                j += 1;
            }
            merged.push(if order == Ordering::Greater { b } else { a }, count);
        }
        for (rest, from) in [(self, i), (other, j)] {
            merged.sums.extend_from_slice(&rest.sums[(from * rest.lanes).min(rest.sums.len())..]);
            merged.counts.extend_from_slice(&rest.counts[from..]);
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn sums(a: i64, b: i64) -> Sums {
        let mut all = [0; LANES];
        (all[0], all[1]) = (a, b);
        Sums(all)
    }

    /// Against an ordered map, over runs that overlap in part.
    #[test]
    fn counts_merge_as_a_map_does() {
        let mut map: BTreeMap<Sums, u64> = BTreeMap::new();
        let mut all = Counted::new(2);
        for run in 0..9_i64 {
            let entries: Vec<(Sums, u64)> = (0..40)
                .map(|k| {
                    (sums((k * 7 + run) % 11 - 3, (k * k + run) % 5), 1 + (k % 3).unsigned_abs())
                })
                .collect();
            for (sums, count) in &entries {
                *map.entry(*sums).or_insert(0) += count;
            }
            let run = Counted::of(2, entries);
            all = if run.len().is_multiple_of(2) { all.merged(&run) } else { run.merged(&all) };
        }
        assert_eq!(all.iter().collect::<Vec<_>>(), map.clone().into_iter().collect::<Vec<_>>());
        assert_eq!(all.replicates(), map.values().sum::<u64>());
        assert_eq!(all.merged(&Counted::new(2)), all);
        assert_eq!(Counted::new(2).merged(&all), all);
    }

    /// A reading whose sums are all the same has one entry, even without sums.
    #[test]
    fn no_sums_are_one_entry() {
        let all = Counted::of(0, vec![(sums(0, 0), 2), (sums(0, 0), 3)]);
        assert_eq!((all.len(), all.replicates()), (1, 5));
        assert_eq!(all.merged(&all).replicates(), 10);
    }
}
