//! A block of replicates: the columns of one case at a time, and each job's tallies.

use std::ops::Range;

use ndarray::{Array2, ArrayView1};

use super::columns::{add_fixed, add_levels, weigh};
use super::engine::{CaseLaw, Engine, Job, Slot};
use super::tally::Tally;
use crate::evidence::{Asked, LANES, Order, Sums};
use crate::protocol::Taste;
use crate::stream::{Key, Purpose, normal, threshold};
use crate::world::{Gap, Kind, Length, State};

/// Columns of one case, filled when they are first asked for.
#[derive(Debug)]
pub(super) struct Block<'a> {
    engine: &'a Engine<'a>,
    first: u64,
    /// Replicates in the block.
    pub n: usize,
    slot: &'a Slot,
    /// Words by ask, and which are filled.
    words: Array2<u32>,
    filled: Vec<bool>,
    /// Opinions by judge, and which are filled.
    tastes: Array2<f64>,
    opined: Vec<bool>,
    /// A column of words for what is drawn otherwise.
    scratch: Vec<u32>,
    /// The states of the kind that is filled: levels, or differences, labels and length ratios one by one.
    state_id: Option<usize>,
    levels: Vec<u32>,
    states: Vec<State>,
    /// Digits by judge and order, and the law that filled them.
    digits: Array2<u32>,
    filled_by: Vec<Option<usize>>,
    /// What was said, in the code of the job at hand.
    codes: Vec<u32>,
}

impl<'a> Block<'a> {
    pub(super) fn new(engine: &'a Engine<'a>, replicates: &Range<u64>) -> Self {
        let n = usize::try_from(replicates.end - replicates.start).unwrap_or(0);
        let (asks, judges) = (engine.asks.len(), engine.judges.len());
        Self {
            engine,
            first: replicates.start,
            n,
            slot: &engine.slots[0],
            words: Array2::zeros((asks, n)),
            filled: vec![false; asks],
            tastes: Array2::zeros((judges, n)),
            opined: vec![false; judges],
            scratch: vec![0; n],
            state_id: None,
            levels: vec![0; n],
            states: Vec::new(),
            digits: Array2::zeros((2 * judges, n)),
            filled_by: vec![None; 2 * judges],
            codes: vec![0; n],
        }
    }

    /// Turns to another case: nothing is filled yet.
    pub(super) fn turn_to(&mut self, slot: usize) {
        self.slot = &self.engine.slots[slot];
        self.filled.fill(false);
        self.opined.fill(false);
        self.filled_by.fill(None);
        self.state_id = None;
    }

    /// Fills the codes of a job's answers to the case.
    pub(super) fn decide(&mut self, job: &Job, law: &CaseLaw) {
        self.draw_state(&job.design.world.kinds[law.kind], law);
        for seat in 0..job.design.seats.len() {
            for order in job.design.protocol.orders() {
                self.answer(job, law, seat, *order);
            }
        }
        self.encode(job, law);
    }

    fn draw(&mut self, key: &Key) {
        self.engine.words.fill(key, self.first, &mut self.scratch);
    }

    fn draw_state(&mut self, kind: &Kind, law: &CaseLaw) {
        let one_by_one = kind.levels().is_none() || law.thresholds.is_empty();
        if self.state_id == Some(law.state_id) && (!one_by_one || !self.states.is_empty()) {
            return;
        }
        self.state_id = Some(law.state_id);
        let slot = self.slot;
        let gap_key = if kind.gap.purpose() == Purpose::Truth { &slot.truth } else { &slot.quality };
        if kind.levels().is_some() {
            self.levels.fill(0);
            if !matches!(kind.gap, Gap::Fixed { .. }) {
                self.draw(gap_key);
                gap_levels(&kind.gap, &self.scratch, &mut self.levels);
            }
            if let Length::Either(_) = kind.length {
                self.draw(&slot.length);
                for (level, word) in self.levels.iter_mut().zip(&self.scratch) {
                    *level = 2 * *level + kind.length.level(*word);
                }
            }
        }
        self.states.clear();
        if one_by_one {
            self.draw(gap_key);
            self.states.extend(self.scratch.iter().map(|word| {
                let (gap, gold) = kind.gap.drawn(*word);
                State { gap, gold, length: 0.0, reworded: kind.reworded }
            }));
            self.draw(&slot.length);
            for (state, word) in self.states.iter_mut().zip(&self.scratch) {
                state.length = kind.length.drawn(*word);
            }
        }
    }

    /// Fills the digits of a judge's answers in an order, unless an equal law has filled them.
    fn answer(&mut self, job: &Job, law: &CaseLaw, seat: usize, order: Order) {
        let judge = job.judges[seat];
        let place = 2 * judge + order as usize;
        let id = law.ids[seat][order as usize];
        if self.filled_by[place] == Some(id) {
            return;
        }
        self.filled_by[place] = Some(id);
        let weights = job.book.weights(seat, order);
        let by_element = law.thresholds.is_empty();
        let opinions = job.design.seats[seat].taste == Taste::Anew;
        if by_element && opinions {
            self.opine(judge);
        }
        self.digits.row_mut(place).fill(0);
        for repeat in 0..job.design.protocol.repeats {
            let ask = self.ask(judge, order, repeat);
            let (Some(digits), Some(words)) =
                (self.digits.row_mut(place).into_slice(), self.words.row(ask).to_slice())
            else {
                continue;
            };
            if by_element {
                let tastes = self.tastes.row(judge);
                let taste = |r: usize| if opinions { tastes[r] } else { law.tastes[seat] };
                for (r, (digit, word)) in digits.iter_mut().zip(words).enumerate() {
                    let chances = job.design.chances_in(seat, &self.states[r], taste(r), order);
                    *digit += weigh(*word, chances.thresholds(), weights);
                }
            } else {
                match law.thresholds[seat][order as usize].as_slice() {
                    [one] => add_fixed(digits, words, *one, weights),
                    laws => add_levels(digits, words, &self.levels, laws, weights),
                }
            }
        }
    }

    /// The column of words of an ask.
    fn ask(&mut self, judge: usize, order: Order, repeat: u8) -> usize {
        let ask = self.engine.asks.iter().position(|it| *it == (judge, order, repeat)).unwrap_or(0);
        if !std::mem::replace(&mut self.filled[ask], true)
            && let Some(column) = self.words.row_mut(ask).into_slice()
        {
            self.engine.words.fill(&self.slot.verdicts[ask], self.first, column);
        }
        ask
    }

    fn opine(&mut self, judge: usize) {
        if !std::mem::replace(&mut self.opined[judge], true) {
            self.draw(&self.slot.tastes[judge]);
            for (taste, word) in self.tastes.row_mut(judge).iter_mut().zip(&self.scratch) {
                *taste = normal(*word);
            }
        }
    }

    /// Adds the digits up.
    fn encode(&mut self, job: &Job, law: &CaseLaw) {
        match law.golds.as_slice() {
            _ if !job.book.has_gold() => self.codes.fill(0),
            [one] => self.codes.fill(*one),
            golds if self.states.is_empty() => {
                for (code, level) in self.codes.iter_mut().zip(&self.levels) {
                    *code = golds[*level as usize];
                }
            }
            _ => {
                for (code, state) in self.codes.iter_mut().zip(&self.states) {
                    *code = job.book.gold(state.gold);
                }
            }
        }
        if job.design.protocol.asked == Asked::Random {
            return self.encode_random(job);
        }
        for judge in &job.judges {
            for order in job.design.protocol.orders() {
                add(&mut self.codes, self.digits.row(2 * judge + *order as usize));
            }
        }
    }

    /// One random order a pair, the same for all judges: A first below one half.
    fn encode_random(&mut self, job: &Job) {
        let slot = self.slot;
        self.draw(&slot.which);
        let half = 1 << 31;
        let shown = Order::BOTH.map(|order| job.book.order(order));
        for (code, word) in self.codes.iter_mut().zip(&self.scratch) {
            *code += shown[usize::from(half <= *word)];
        }
        for judge in &job.judges {
            let [ab, ba] = Order::BOTH.map(|order| self.digits.row(2 * judge + order as usize));
            for (((code, word), ab), ba) in self.codes.iter_mut().zip(&self.scratch).zip(ab).zip(ba) {
                *code += if *word < half { *ab } else { *ba };
            }
        }
    }
}

fn add(codes: &mut [u32], digits: ArrayView1<'_, u32>) {
    if let Some(digits) = digits.to_slice() {
        for (code, digit) in codes.iter_mut().zip(digits) {
            *code += digit;
        }
    }
}

fn gap_levels(gap: &Gap, words: &[u32], levels: &mut [u32]) {
    if let Gap::Sign(p) = gap {
        let below = threshold(*p);
        for (level, word) in levels.iter_mut().zip(words) {
            *level = u32::from(below <= u64::from(*word));
        }
    } else {
        for (level, word) in levels.iter_mut().zip(words) {
            *level = gap.level(*word);
        }
    }
}

/// What a block of replicates gave a job.
#[derive(Debug)]
pub(super) struct Sample {
    /// By reading.
    tallies: Vec<Tally>,
    /// By reading, replicate by replicate: the expected sums of its world, where worlds are compared one by one.
    expected: Vec<Vec<[f64; LANES]>>,
}

impl Sample {
    pub(super) fn new(job: &Job, n: usize) -> Self {
        Self {
            tallies: job.tables.iter().map(|table| Tally::new(table, n)).collect(),
            expected: job.steps.iter().map(|_| vec![[0.0; LANES]; n]).collect(),
        }
    }

    fn expect(&mut self, job: &Job, law: &CaseLaw, block: &Block<'_>) {
        for (reading, (sums, steps)) in self.expected.iter_mut().zip(&job.steps).enumerate() {
            for (r, sums) in sums.iter_mut().enumerate() {
                let step = match law.expected.get(reading) {
                    Some(by_level) => by_level[block.levels[r] as usize],
                    None => job.in_state(steps, &block.states[r], &block.tastes_of(job, law, r)),
                };
                for (sum, step) in sums.iter_mut().zip(step) {
                    *sum += step;
                }
            }
        }
    }

    /// Adds the case whose codes the block holds.
    pub(super) fn add(&mut self, job: &Job, law: &CaseLaw, block: &Block<'_>) {
        for (tally, table) in self.tallies.iter_mut().zip(&job.tables) {
            tally.add(table, &block.codes);
        }
        self.expect(job, law, block);
    }

    /// The distinct sums of a reading, in order, with their counts.
    pub(super) fn runs(&mut self, job: &Job, reading: usize) -> Vec<(Sums, u64)> {
        self.tallies[reading].runs(&job.tables[reading])
    }

    /// The sums of a reading in one replicate.
    pub(super) fn sums(&self, job: &Job, reading: usize, replicate: usize) -> Sums {
        self.tallies[reading].sums(&job.tables[reading], replicate)
    }

    /// The expected sums of a reading in one replicate's world, a pair.
    pub(super) fn expected(&self, job: &Job, reading: usize, replicate: usize) -> [f64; LANES] {
        let pairs = job.design.world.cases.len() as f64;
        self.expected[reading][replicate].map(|sum| sum / pairs)
    }
}

impl Block<'_> {
    fn tastes_of(&self, job: &Job, law: &CaseLaw, replicate: usize) -> Vec<f64> {
        let seats = job.design.seats.iter().enumerate();
        seats
            .map(|(seat, it)| match it.taste {
                Taste::Anew => self.tastes[[job.judges[seat], replicate]],
                _ => law.tastes[seat],
            })
            .collect()
    }
}
