//! The engine: blocks of replicates, all cells at once. A column of words is filled once a decision and serves every
//! cell that shares its address; what is said becomes a code, and the code is looked up.

mod case_law;

use std::collections::BTreeMap;
use std::ops::Range;

pub(super) use case_law::CaseLaw;
use case_law::{Named, Names};

use super::block::{Block, Sample};
use super::tally::Table;
use crate::estimators::Estimator;
use crate::evidence::{LANES, Order, Reading, Sums};
use crate::judges::Chances;
use crate::protocol::{Codebook, Design, Lean, Opinion, Taste};
use crate::stream::{Address, Key, Purpose, Words};
use crate::world::{Mood, State};

/// Replicates in a block: columns of a few kilobytes that stay in the first cache.
pub(super) const BLOCK: u64 = 1024;

/// A design to simulate: its codes, its tables, and its laws by kind of case.
#[derive(Debug)]
pub(super) struct Job {
    pub design: Design,
    pub estimators: Vec<&'static Estimator>,
    pub readings: Vec<&'static Reading>,
    /// By seat: which of the engine's judges it is.
    pub judges: Vec<usize>,
    /// By seat: which of the engine's opinions it has.
    pub opinions: Vec<usize>,
    /// By seat, by order, by repeat: which of the engine's asks it is.
    pub asks: Vec<[Vec<usize>; 2]>,
    pub book: Codebook,
    pub table: Table,
    /// By reading: whether its estimators are folded replicate by replicate.
    pub folded: Vec<bool>,
    /// Steps by code, for the estimands of drawn worlds; empty where they are not compared replicate by replicate.
    pub steps: Vec<Vec<Sums>>,
    /// By distinct law of a case (its kind, and its tastes where they are drawn once).
    laws: Vec<CaseLaw>,
    /// By case.
    law_of: Vec<usize>,
    /// By slot: the case whose columns it holds.
    case_of: Vec<Option<usize>>,
}

/// The keys of one case, shared by all jobs that hold it.
#[derive(Debug)]
pub(super) struct Slot {
    pub truth: Key,
    pub quality: Key,
    pub length: Key,
    pub which: Key,
    /// By ask.
    pub verdicts: Vec<Key>,
    /// By opinion.
    pub tastes: Vec<Key>,
}

/// Everything that is prepared once a study.
#[derive(Debug)]
pub(super) struct Engine<'a> {
    pub jobs: Vec<Job>,
    pub words: Words<'a>,
    pub slots: Vec<Slot>,
    pub judges: Vec<String>,
    /// By judge: where its lean lives, if it is drawn.
    pub leans: Vec<Option<Key>>,
    /// Whose opinions there are.
    pub opinions: Vec<Opinion>,
    /// Distinct (judge, order, repeat).
    pub asks: Vec<(usize, Order, u8)>,
}

impl Job {
    pub(super) fn new(
        design: Design,
        estimators: Vec<&'static Estimator>,
        world_by_world: bool,
    ) -> Result<Self, u64> {
        let book = design.codebook(&estimators)?;
        let readings = super::readings(&estimators);
        let table = Table::new(&book, &readings);
        let folded = |(place, reading): (usize, &&Reading)| {
            world_by_world || super::is_wide(&design, &book, reading, table.sums_of(place))
        };
        let folded = readings.iter().enumerate().map(folded).collect();
        let steps = if world_by_world {
            readings.iter().map(|it| book.steps(it)).collect()
        } else {
            Vec::new()
        };
        Ok(Self {
            design,
            estimators,
            readings,
            judges: Vec::new(),
            opinions: Vec::new(),
            asks: Vec::new(),
            book,
            table,
            folded,
            steps,
            laws: Vec::new(),
            law_of: Vec::new(),
            case_of: Vec::new(),
        })
    }

    /// Whether estimands are compared replicate by replicate.
    pub(super) fn world_by_world(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Verdicts a replicate.
    pub(super) fn decisions(&self) -> u64 {
        self.design.world.cases.len() as u64
            * self.design.seats.len() as u64
            * self.design.protocol.calls()
    }

    fn prepare(&mut self, slot_of: &BTreeMap<&str, usize>, names: &mut Names) {
        self.case_of = vec![None; slot_of.len()];
        let world = self.design.world.clone();
        let mut seen: BTreeMap<(usize, Vec<u64>), usize> = BTreeMap::new();
        let mut kinds = Vec::new();
        for (case, it) in world.cases.iter().enumerate() {
            let tastes: Vec<f64> =
                self.design.seats.iter().map(|seat| fixed_taste(&seat.taste, case)).collect();
            let bits = tastes.iter().map(|taste| taste.to_bits()).collect();
            let law = *seen.entry((it.kind, bits)).or_insert_with(|| {
                kinds.push((it.kind, tastes));
                kinds.len() - 1
            });
            self.law_of.push(law);
            self.case_of[slot_of[it.id.as_str()]] = Some(case);
        }
        let (laws, named) = (kinds.len(), Named::new(self, names));
        self.laws =
            kinds.into_iter().map(|kind| CaseLaw::new(self, kind, laws, &named, names)).collect();
    }

    /// The expected step of a reading in a state, moods given: the estimand's part of one pair of this world.
    pub(super) fn in_state(&self, steps: &[Sums], state: &State, moods: &[Mood]) -> [f64; LANES] {
        let chances: Vec<[Chances; 2]> = moods
            .iter()
            .enumerate()
            .map(|(seat, mood)| self.design.chances(seat, state, *mood))
            .collect();
        let mut sums = [0.0; LANES];
        self.book.law(&chances, self.book.mark(state), &mut |code, p| {
            for (sum, step) in sums.iter_mut().zip(steps[code as usize].0) {
                *sum += p * step as f64;
            }
        });
        sums
    }
}

fn fixed_taste(taste: &Taste, case: usize) -> f64 {
    if let Taste::Once(tastes) = taste { tastes[case] } else { 0.0 }
}

impl<'a> Engine<'a> {
    pub(super) fn new(seed: u64, words: Words<'a>, mut jobs: Vec<Job>) -> Self {
        let mut judges: Vec<String> = Vec::new();
        let mut leans: Vec<Option<Key>> = Vec::new();
        let mut opinions: Vec<Opinion> = Vec::new();
        let mut asks: Vec<(usize, Order, u8)> = Vec::new();
        for job in &mut jobs {
            for seat in &job.design.seats {
                let judge = index_of(&mut judges, seat.name.to_string());
                leans.resize(judges.len(), None);
                if seat.lean == Lean::Anew {
                    leans[judge] = Some(Lean::key(seed, &seat.name));
                }
                job.judges.push(judge);
                job.opinions.push(index_of(&mut opinions, seat.opinion.clone()));
                job.asks.push(Order::BOTH.map(|order| {
                    let asked = job.design.protocol.orders().contains(&order);
                    let repeats = 0..if asked { job.design.protocol.repeats } else { 0 };
                    repeats.map(|repeat| index_of(&mut asks, (judge, order, repeat))).collect()
                }));
            }
        }
        let worlds: Vec<_> = jobs.iter().map(|job| job.design.world.clone()).collect();
        let mut slot_of: BTreeMap<&str, usize> = BTreeMap::new();
        let mut slots = Vec::new();
        for case in worlds.iter().flat_map(|world| &world.cases) {
            slot_of.entry(&case.id).or_insert_with(|| {
                slots.push(Slot::new(seed, &case.id, &judges, &opinions, &asks));
                slots.len() - 1
            });
        }
        let mut names = Names::default();
        for job in &mut jobs {
            job.prepare(&slot_of, &mut names);
        }
        Self { jobs, words, slots, judges, leans, opinions, asks }
    }

    /// Verdicts a replicate, over all jobs.
    pub(super) fn decisions(&self) -> u64 {
        self.jobs.iter().map(Job::decisions).sum()
    }

    /// Simulates up to [`BLOCK`] replicates of every job.
    pub(super) fn block(&self, replicates: &Range<u64>) -> Vec<Sample> {
        let mut block = Block::new(self, replicates);
        let mut samples: Vec<Sample> =
            self.jobs.iter().map(|job| Sample::new(job, block.n)).collect();
        for slot in 0..self.slots.len() {
            block.turn_to(slot);
            for (job, sample) in self.jobs.iter().zip(&mut samples) {
                if let Some(case) = job.case_of[slot] {
                    block.decide(job, &job.laws[job.law_of[case]]);
                    sample.add(job, &job.laws[job.law_of[case]], &block);
                }
            }
        }
        samples
    }
}

impl Slot {
    fn new(
        seed: u64,
        case: &str,
        judges: &[String],
        opinions: &[Opinion],
        asks: &[(usize, Order, u8)],
    ) -> Self {
        let of = |purpose| Address::root(seed, purpose).at("case", case).key();
        Self {
            truth: of(Purpose::Truth),
            quality: of(Purpose::Quality),
            length: of(Purpose::Length),
            which: of(Purpose::WhichOrder),
            verdicts: asks
                .iter()
                .map(|ask| verdict_key(seed, &judges[ask.0], case, ask.1, ask.2))
                .collect(),
            tastes: opinions.iter().map(|it| it.key(seed, case)).collect(),
        }
    }
}

/// Where a judge's verdict on a case lives, given the order shown and the repeat, from 0.
#[must_use]
pub fn verdict_key(seed: u64, judge: &str, case: &str, order: Order, repeat: u8) -> Key {
    Address::root(seed, Purpose::Verdict)
        .at("judge", judge)
        .at("case", case)
        .at("order", order.name())
        .at("repeat", &repeat.to_string())
        .key()
}

pub(super) fn index_of<T: PartialEq>(all: &mut Vec<T>, it: T) -> usize {
    all.iter().position(|other| *other == it).unwrap_or_else(|| {
        all.push(it);
        all.len() - 1
    })
}

#[cfg(test)]
mod tests;
