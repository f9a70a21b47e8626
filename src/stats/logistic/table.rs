//! Rows of clusters, one behind the other in a few long lists: millions of them take no list each.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::Cluster;

/// Rows in clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Regressors of all rows: place and value.
    terms: Vec<(usize, f64)>,
    /// Where each row's terms end, and what was said: how often the first won, neither did, and the second did.
    rows: Vec<(usize, [f64; 3])>,
    /// Where each cluster's rows end, and how many such clusters there are.
    clusters: Vec<(usize, f64)>,
}

impl Table {
    /// The rows of some clusters.
    #[must_use]
    pub fn of(clusters: &[Cluster]) -> Self {
        let mut table = Self::default();
        for it in clusters {
            it.rows.iter().for_each(|row| table.row(row.x.iter().copied(), row.said));
            table.end(it.times);
        }
        table
    }

    /// Adds a row to the cluster that is open: the regressors that are not zero, by place, and what was said.
    pub fn row(&mut self, x: impl IntoIterator<Item = (usize, f64)>, said: [f64; 3]) {
        self.terms.extend(x);
        self.rows.push((self.terms.len(), said));
    }

    /// Ends a cluster, of which there are so many; one without rows is none.
    pub fn end(&mut self, times: f64) {
        if self.rows_before(self.clusters.len()) < self.rows.len() {
            self.clusters.push((self.rows.len(), times));
        }
    }

    /// Forgets all rows, and keeps the room.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.rows.clear();
        self.clusters.clear();
    }

    /// How many clusters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many clusters are just like this one.
    pub(super) fn times(&self, cluster: usize) -> f64 {
        self.clusters[cluster].1
    }

    fn rows_before(&self, cluster: usize) -> usize {
        cluster.checked_sub(1).map_or(0, |it| self.clusters[it].0)
    }

    /// Calls `f` with the regressors of each row, what was said, and how many such clusters there are; those of which there are
    /// none are passed over.
    pub(super) fn each(&self, mut f: impl FnMut(&[(usize, f64)], [f64; 3], f64)) {
        let (mut row, mut term) = (0, 0);
        for (end, times) in &self.clusters {
            for (to, said) in &self.rows[row..*end] {
                if 0.0 < *times {
                    f(&self.terms[term..*to], *said, *times);
                }
                term = *to;
            }
            row = *end;
        }
    }

    /// Calls `f` with the regressors of each row of a cluster, and what was said.
    pub(super) fn each_of(&self, cluster: usize, mut f: impl FnMut(&[(usize, f64)], [f64; 3])) {
        let rows = self.rows_before(cluster)..self.clusters[cluster].0;
        let mut term = rows.start.checked_sub(1).map_or(0, |it| self.rows[it].0);
        for (end, said) in &self.rows[rows] {
            f(&self.terms[term..*end], *said);
            term = *end;
        }
    }

    /// The rows of a cluster as bits, by which alike clusters are known.
    fn bits(&self, cluster: usize) -> impl Iterator<Item = u64> + '_ {
        let rows = self.rows_before(cluster)..self.clusters[cluster].0;
        rows.flat_map(|row| {
            let start = row.checked_sub(1).map_or(0, |it| self.rows[it].0);
            let (end, said) = &self.rows[row];
            let terms = self.terms[start..*end].iter();
            let terms = terms.flat_map(|(place, x)| [*place as u64, x.to_bits()]);
            terms.chain([u64::MAX]).chain(said.iter().map(|it| it.to_bits()))
        })
    }

    /// One cluster of so many, the first of them first.
    pub(super) fn every(&self, one_of: usize) -> Self {
        let mut part = Self::default();
        for cluster in (0..self.len()).step_by(one_of) {
            self.each_of(cluster, |x, said| part.row(x.iter().copied(), said));
            part.end(self.times(cluster));
        }
        part
    }

    /// The same clusters once, in the order in which they come first, with how many there are. Worth its while where few
    /// designs differ.
    #[must_use]
    pub fn alike(&self) -> Self {
        let state = FixedState::default();
        let hash = |table: &Self, cluster: usize| {
            let mut hasher = state.build_hasher();
            table.bits(cluster).for_each(|it| hasher.write_u64(it));
            hasher.finish()
        };
        let mut out = Self::default();
        let mut places: HashTable<usize> = HashTable::new();
        for cluster in 0..self.len() {
            let hashed = hash(self, cluster);
            let same = |it: &usize| out.bits(*it).eq(self.bits(cluster));
            if let Some(it) = places.find(hashed, same) {
                out.clusters[*it].1 += self.times(cluster);
                continue;
            }
            let place = out.len();
            self.each_of(cluster, |x, said| out.row(x.iter().copied(), said));
            out.end(self.times(cluster));
            places.insert_unique(hashed, place, |it| hash(&out, *it));
        }
        out
    }
}
