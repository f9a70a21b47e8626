//! From rows to pairs: what one judge said of one item and two systems, in both orders and over all repeats.
//!
//! The two systems of a pair have one orientation throughout: A is the one that the file names first. An item of two strata
//! is two items, because files number the items of each set anew.

use std::cmp::Ordering;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::estimators::Estimator;
use crate::evidence::{Answers, Gold, Item, Order, Sums, Verdict, Votes};
use crate::verdicts::{Ballot, NO_LENGTH};

/// One item, two systems, one judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub stratum: u32,
    pub item: u32,
    /// A and B, by their places: A's is smaller.
    pub systems: [u32; 2],
    /// The judge's verdicts.
    pub answers: Answers,
    /// Which system is better, where a label says so.
    pub gold: Option<Gold>,
    /// The lengths of A's and B's answer, where the file gives both.
    pub lengths: Option<[u32; 2]>,
}

impl Pair {
    /// What identifies it.
    pub(super) const fn key(&self) -> (u32, u32, [u32; 2]) {
        (self.stratum, self.item, self.systems)
    }

    /// The pair as a rule sees it.
    fn item(&self) -> Item<'_> {
        let length = self.lengths.map_or(Ordering::Equal, |[a, b]| a.cmp(&b));
        let answers = std::slice::from_ref(&self.answers);
        Item { answers, gold: self.gold, stratum: 0, length, share: 0 }
    }

    /// The verdicts of an order; none where that order was not asked.
    pub(super) fn votes(&self, order: Order) -> Votes {
        match order {
            Order::Ab => self.answers.ab,
            Order::Ba => self.answers.ba,
        }
    }

    /// The same with each order's repeats boiled down to their majority.
    pub(super) fn majorities(&self) -> Self {
        Self { answers: self.answers.majorities(), ..*self }
    }

    /// Whether an order was asked, with or without a verdict.
    pub(super) fn asked(&self, order: Order) -> bool {
        self.votes(order) != Votes::default()
    }

    /// The verdict of an order, told of A; none where it has no vote, or its repeats differ.
    pub(super) fn said(&self, order: Order) -> Option<Gold> {
        let votes = match order {
            Order::Ab => self.answers.ab,
            Order::Ba => self.answers.ba.turned(),
        };
        votes.unanimous().and_then(class)
    }
}

/// A verdict told of A as a label.
pub(super) const fn class(verdict: Verdict) -> Option<Gold> {
    match verdict {
        Verdict::First => Some(Gold::A),
        Verdict::Tie => Some(Gold::Tie),
        Verdict::Second => Some(Gold::B),
        Verdict::Invalid => None,
    }
}

/// The other slot's verdict.
pub(super) const fn turned(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::First => Verdict::Second,
        Verdict::Second => Verdict::First,
        same => same,
    }
}

/// A judge's pairs, and what its rows held besides.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// In the order of strata and items.
    pub all: Vec<Pair>,
    /// Rows in which a system meets itself; they tell of the slot alone and enter nothing.
    pub same_system: u64,
    /// Rows that ask the same presentation, with the same repeat name, again.
    pub duplicates: u64,
    /// Pairs whose rows carry different gold labels; they count as unlabelled.
    pub gold_conflicts: u64,
    /// The most verdicts of one order.
    pub most_repeats: u64,
}

/// A row's place, with what its pair is known by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    stratum: u32,
    item: u32,
    systems: [u32; 2],
    row: u32,
}

/// The pairs of some rows of one judge.
pub(super) fn pairs(ballots: &[Ballot], rows: &[u32]) -> Pairs {
    let mut out = Pairs::default();
    let mut keyed = Vec::with_capacity(rows.len());
    for &row in rows {
        let it = &ballots[row as usize];
        if it.first == it.second {
            out.same_system += 1;
            continue;
        }
        let systems = [it.first.min(it.second), it.first.max(it.second)];
        keyed.push(Keyed { stratum: it.stratum, item: it.item, systems, row });
    }
    keyed.sort_unstable();
    let mut asked: Vec<(Order, u32)> = Vec::new();
    for group in
        keyed.chunk_by(|a, b| (a.stratum, a.item, a.systems) == (b.stratum, b.item, b.systems))
    {
        let rows = group.iter().map(|it| &ballots[it.row as usize]);
        out.all.push(pair(group[0], rows.clone(), &mut out.gold_conflicts));
        asked.clear();
        asked.extend(rows.map(|it| (order(it), it.repeat)));
        for order in Order::BOTH {
            let of_order = asked.iter().filter(|it| it.0 == order).count() as u64;
            out.most_repeats = out.most_repeats.max(of_order);
        }
        asked.sort_unstable();
        out.duplicates += asked.windows(2).filter(|it| it[0] == it[1]).count() as u64;
    }
    out
}

/// Which system a row shows first.
pub(super) const fn order(ballot: &Ballot) -> Order {
    if ballot.first < ballot.second { Order::Ab } else { Order::Ba }
}

fn pair<'b>(key: Keyed, rows: impl Iterator<Item = &'b Ballot>, conflicts: &mut u64) -> Pair {
    let Keyed { stratum, item, systems, .. } = key;
    let mut pair =
        Pair { stratum, item, systems, answers: Answers::default(), gold: None, lengths: None };
    let mut differ = false;
    for row in rows {
        let order = order(row);
        pair.answers = pair.answers.plus(order, row.verdict);
        let told = |verdict| if order == Order::Ab { verdict } else { turned(verdict) };
        if let Some(gold) = class(told(row.gold)) {
            differ |= pair.gold.is_some_and(|before| before != gold);
            pair.gold = Some(gold);
        }
        if row.length_first != NO_LENGTH && row.length_second != NO_LENGTH {
            let [a, b] = [row.length_first, row.length_second];
            pair.lengths = Some(if order == Order::Ab { [a, b] } else { [b, a] });
        }
    }
    if differ {
        *conflicts += 1;
        pair.gold = None;
    }
    pair
}

/// Pairs that no rule tells apart, and how many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// One of them: its answers and its label are those of all, its item, systems and lengths are its own.
    pub pair: Pair,
    /// How many they are.
    pub times: u64,
}

impl Kind {
    /// What [`kinds`] tells apart.
    fn key(pair: &Pair) -> [u8; 10] {
        let [ab, ba] = [pair.answers.ab, pair.answers.ba];
        let gold = pair.gold.map_or(0, |it| 1 + it as u8);
        let length = match pair.item().length {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        let [a, b] = [ab, ba].map(|it| [it.first, it.tie, it.second, it.invalid]);
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], gold, length]
    }
}

/// Pairs by kinds, in the order in which these come first: a million pairs are a few dozen kinds.
pub(super) fn kinds<'p>(pairs: impl IntoIterator<Item = &'p Pair>) -> Vec<Kind> {
    let state = FixedState::default();
    let mut all: Vec<Kind> = Vec::new();
    let mut places: HashTable<([u8; 10], usize)> = HashTable::new();
    for pair in pairs {
        let key = Kind::key(pair);
        let hash = state.hash_one(key);
        if let Some((_, place)) = places.find(hash, |it| it.0 == key) {
            all[*place].times += 1;
        } else {
            places.insert_unique(hash, (key, all.len()), |it| state.hash_one(it.0));
            all.push(Kind { pair: *pair, times: 1 });
        }
    }
    all
}

/// How many pairs of some kinds there are.
pub(super) fn count<'k>(kinds: impl IntoIterator<Item = &'k Kind>) -> u64 {
    kinds.into_iter().map(|it| it.times).sum()
}

/// The kinds of pairs that were asked in both orders.
pub(super) fn in_both_orders(kinds: &[Kind]) -> Vec<Kind> {
    let asked = |it: &&Kind| it.pair.asked(Order::Ab) && it.pair.asked(Order::Ba);
    kinds.iter().filter(asked).copied().collect()
}

/// The same pairs with each order's repeats boiled down to their majority.
pub(super) fn majorities(kinds: &[Kind]) -> Vec<Kind> {
    kinds.iter().map(|it| Kind { pair: it.pair.majorities(), ..*it }).collect()
}

/// The sums that a rule reads of some pairs.
pub(super) fn sums(rule: &Estimator, kinds: &[Kind]) -> Sums {
    let step = rule.reads.step;
    let one = |it: &Kind| step(&it.pair.item()).times(it.times.cast_signed());
    kinds.iter().fold(Sums::default(), |sums, it| sums.plus(one(it)))
}
