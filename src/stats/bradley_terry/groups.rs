//! Who can be compared with whom: the strongly connected groups of "has beaten or tied with", and the parts that never met.

use super::{Contest, Contests};

/// The systems by what their contests can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The group of each system, as a place in `members`.
    pub of: Vec<usize>,
    /// Systems that beat each other, directly or around corners; a group of one is undefeated, winless, in between, or never
    /// asked. A group that beat another stands before it.
    pub members: Vec<Vec<usize>>,
    /// The part of each system: between parts nothing was asked.
    pub parts: Vec<usize>,
    /// Systems that were asked about and never lost nor tied.
    pub undefeated: Vec<usize>,
    /// Systems that were asked about and never won nor tied.
    pub winless: Vec<usize>,
}

impl Groups {
    /// Whether all differences have finite estimates, as far as the systems go.
    #[must_use]
    pub fn connected(&self) -> bool {
        self.members.len() < 2
    }

    /// Whether both systems of a contest are in one group.
    pub(super) fn inside(&self, it: &Contest) -> bool {
        self.of[it.first] == self.of[it.second]
    }

    /// Above zero where the first of two systems is in a group that stands before the other's, below zero where after.
    pub(super) fn ahead(&self, [one, other]: [usize; 2]) -> f64 {
        self.of[other] as f64 - self.of[one] as f64
    }
}

/// Groups and parts by reachability: few systems, so the closure of the relation is soon made.
#[must_use]
pub fn groups(contests: &Contests) -> Groups {
    let systems = contests.systems;
    let mut beat = vec![vec![false; systems]; systems];
    for it in contests.alike.iter().filter(|it| it.first != it.second) {
        beat[it.first][it.second] |= 0.0 < it.said[0] + it.said[1];
        beat[it.second][it.first] |= 0.0 < it.said[1] + it.said[2];
    }
    let met: Vec<Vec<bool>> =
        (0..systems).map(|j| (0..systems).map(|k| beat[j][k] || beat[k][j]).collect()).collect();
    let lost = |k: usize| (0..systems).any(|j| beat[j][k]);
    let won = |k: usize| beat[k].contains(&true);
    let undefeated = (0..systems).filter(|k| won(*k) && !lost(*k)).collect();
    let winless = (0..systems).filter(|k| lost(*k) && !won(*k)).collect();
    let above = closure(beat);
    let parts = classes(&closure(met));
    // Whoever reaches more systems stands higher; members of a group reach the same.
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut of = classes(&above);
    for k in 0..systems {
        if of[k] == members.len() {
            members.push(Vec::new());
        }
        members[of[k]].push(k);
    }
    let reached = |group: &Vec<usize>| above[group[0]].iter().filter(|it| **it).count();
    members.sort_by_key(|group| std::cmp::Reverse(reached(group)));
    for (place, group) in members.iter().enumerate() {
        for k in group {
            of[*k] = place;
        }
    }
    Groups { of, members, parts, undefeated, winless }
}

/// Reachability (Warshall), every system reaching itself.
fn closure(mut reach: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let systems = reach.len();
    for k in 0..systems {
        reach[k][k] = true;
        let through = reach[k].clone();
        for row in reach.iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&through).for_each(|(to, on)| *to |= on);
        }
    }
    reach
}

/// Classes of systems that reach each other, numbered in the order in which they come.
fn classes(reach: &[Vec<bool>]) -> Vec<usize> {
    let mut of: Vec<usize> = Vec::new();
    let mut next = 0;
    for (k, reached) in reach.iter().enumerate() {
        let mate = (0..k).find(|j| reached[*j] && reach[*j][k]);
        of.push(mate.map_or(next, |j| of[j]));
        next += usize::from(mate.is_none());
    }
    of
}
