//! A block of replicates: the columns of one case at a time, and each job's tallies.

use std::hint::select_unpredictable;
use std::ops::Range;

use ndarray::Array2;

use super::columns::Axis;
use super::engine::{CaseLaw, Engine, Job, Slot};
use super::tally::Tally;
use crate::evidence::{Asked, Counted, LANES, Order, Sums};
use crate::protocol::{Lean, Taste};
use crate::stream::{Purpose, normal};
use crate::world::{Gap, Kind, Length, Mood, State};

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
    drawn: Drawn,
    /// The states whose cells are filled, and the cells.
    state_id: Option<usize>,
    cells: Vec<u32>,
    /// Cells of the state and a judge's mood, and words of which order is shown.
    scratch: Vec<u32>,
    /// Digits by judge and order, and the law that filled them.
    digits: Array2<u32>,
    filled_by: Vec<Option<usize>>,
    /// What was said, in the code of the job at hand.
    codes: Vec<u32>,
}

/// The words that draw what a judge is shown, its opinion and its lean.
#[derive(Debug)]
struct Drawn {
    gap: Vec<u32>,
    length: Vec<u32>,
    /// By opinion, and which are filled.
    tastes: Array2<u32>,
    opined: Vec<bool>,
    /// By judge; the same for all cases.
    leans: Array2<u32>,
}

impl Drawn {
    /// The state of a replicate.
    fn state(&self, kind: &Kind, replicate: usize) -> State {
        let length = kind.length.drawn(self.length[replicate]);
        State::new(kind.gap.drawn(self.gap[replicate]), length, kind.marks)
    }

    /// What is drawn of a judge in a replicate.
    fn mood(&self, job: &Job, law: &CaseLaw, seat: usize, replicate: usize) -> Mood {
        let it = &job.design.seats[seat];
        let taste = match it.taste {
            Taste::Anew => normal(self.tastes[[job.opinions[seat], replicate]]),
            _ => law.tastes[seat],
        };
        let lean = match it.lean {
            Lean::Anew => normal(self.leans[[job.judges[seat], replicate]]),
            Lean::At(lean) => lean,
        };
        Mood { taste, lean }
    }
}

impl<'a> Block<'a> {
    pub(super) fn new(engine: &'a Engine<'a>, replicates: &Range<u64>) -> Self {
        let n = usize::try_from(replicates.end - replicates.start).unwrap_or(0);
        let (asks, judges) = (engine.asks.len(), engine.judges.len());
        let opinions = engine.opinions.len();
        let (gap, length) = (vec![0; n], vec![0; n]);
        let mut leans = Array2::zeros((judges, n));
        for (key, mut words) in engine.leans.iter().zip(leans.rows_mut()) {
            if let (Some(key), Some(words)) = (key, words.as_slice_mut()) {
                engine.words.fill(key, replicates.start, words);
            }
        }
        Self {
            engine,
            first: replicates.start,
            n,
            slot: &engine.slots[0],
            words: Array2::zeros((asks, n)),
            filled: vec![false; asks],
            drawn: Drawn {
                gap,
                length,
                tastes: Array2::zeros((opinions, n)),
                opined: vec![false; opinions],
                leans,
            },
            state_id: None,
            cells: vec![0; n],
            scratch: vec![0; n],
            digits: Array2::zeros((2 * judges, n)),
            filled_by: vec![None; 2 * judges],
            codes: vec![0; n],
        }
    }

    /// Turns to another case: nothing is filled yet.
    pub(super) fn turn_to(&mut self, slot: usize) {
        self.slot = &self.engine.slots[slot];
        self.filled.fill(false);
        self.drawn.opined.fill(false);
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

    fn draw_state(&mut self, kind: &Kind, law: &CaseLaw) {
        if self.state_id.replace(law.state_id) == Some(law.state_id) {
            return;
        }
        let (words, slot, drawn) = (&self.engine.words, self.slot, &mut self.drawn);
        self.cells.fill(0);
        if !matches!(kind.gap, Gap::Fixed { .. }) {
            let key =
                if kind.gap.purpose() == Purpose::Truth { &slot.truth } else { &slot.quality };
            words.fill(key, self.first, &mut drawn.gap);
            match law.axes.gap {
                Axis::Values(_) => kind.gap.fill_levels(&drawn.gap, &mut self.cells),
                parts @ Axis::Parts(_) => parts.refine(&mut self.cells, &drawn.gap, |_| 0),
            }
        }
        if !matches!(kind.length, Length::Fixed(_)) {
            words.fill(&slot.length, self.first, &mut drawn.length);
            law.axes.length.refine(&mut self.cells, &drawn.length, |word| kind.length.level(word));
        }
    }

    /// Fills the digits of a judge's answers in an order, unless an equal law has filled them.
    fn answer(&mut self, job: &Job, law: &CaseLaw, seat: usize, order: Order) {
        let judge = job.judges[seat];
        let place = 2 * judge + order as usize;
        let id = law.ids[seat][order as usize];
        if self.filled_by[place].replace(id) == Some(id) {
            return;
        }
        let it = &job.design.seats[seat];
        let (opines, leans) = (it.taste == Taste::Anew, it.lean == Lean::Anew);
        if opines || leans {
            self.scratch.copy_from_slice(&self.cells);
        }
        if opines {
            self.opine(job.opinions[seat], law.axes.taste);
        }
        if leans && let Some(words) = self.drawn.leans.row(judge).to_slice() {
            law.axes.lean.refine(&mut self.scratch, words, |_| 0);
        }
        for ask in &job.asks[seat][order as usize] {
            self.fill_words(*ask);
        }
        let Some(digits) = self.digits.row_mut(place).into_slice() else { return };
        digits.fill(0);
        let kind = &job.design.world.kinds[law.kind];
        let drawn = &self.drawn;
        let ask_judge = |r: usize| {
            let (state, mood) = (drawn.state(kind, r), drawn.mood(job, law, seat, r));
            job.design.chances_in(seat, &state, mood, order).thresholds()
        };
        let cells = if opines || leans { &self.scratch } else { &self.cells };
        for ask in &job.asks[seat][order as usize] {
            if let Some(words) = self.words.row(*ask).to_slice() {
                law.laws[seat][order as usize].add(digits, words, cells, ask_judge);
            }
        }
    }

    /// Fills the words of an ask.
    fn fill_words(&mut self, ask: usize) {
        if !std::mem::replace(&mut self.filled[ask], true)
            && let Some(column) = self.words.row_mut(ask).into_slice()
        {
            self.engine.words.fill(&self.slot.verdicts[ask], self.first, column);
        }
    }

    /// Fills the words of a judge's opinions, and moves on to their cells.
    fn opine(&mut self, opinion: usize, axis: Axis) {
        if let Some(words) = self.drawn.tastes.row_mut(opinion).into_slice() {
            if !std::mem::replace(&mut self.drawn.opined[opinion], true) {
                self.engine.words.fill(&self.slot.tastes[opinion], self.first, words);
            }
            axis.refine(&mut self.scratch, words, |_| 0);
        }
    }

    /// Adds the digits up.
    fn encode(&mut self, job: &Job, law: &CaseLaw) {
        match law.golds.as_slice() {
            _ if !job.book.has_marks() => self.codes.fill(0),
            [Some(one)] => self.codes.fill(*one),
            golds => {
                let kind = &job.design.world.kinds[law.kind];
                for (r, (code, cell)) in self.codes.iter_mut().zip(&self.cells).enumerate() {
                    let label = golds[*cell as usize];
                    *code = label.unwrap_or_else(|| job.book.mark(&self.drawn.state(kind, r)));
                }
            }
        }
        if job.design.protocol.asked == Asked::Random {
            return self.encode_random(job);
        }
        for judge in &job.judges {
            for order in job.design.protocol.orders() {
                let digits = self.digits.row(2 * judge + *order as usize);
                if let Some(digits) = digits.to_slice() {
                    self.codes.iter_mut().zip(digits).for_each(|(code, digit)| *code += digit);
                }
            }
        }
    }

    /// One random order a pair, the same for all judges: A first below one half.
    fn encode_random(&mut self, job: &Job) {
        self.engine.words.fill(&self.slot.which, self.first, &mut self.scratch);
        let half = 1 << 31;
        let shown = Order::BOTH.map(|order| job.book.order(order));
        for (code, word) in self.codes.iter_mut().zip(&self.scratch) {
            *code += shown[usize::from(half <= *word)];
        }
        for judge in &job.judges {
            let [ab, ba] = Order::BOTH.map(|order| self.digits.row(2 * judge + order as usize));
            for (((code, word), ab), ba) in self.codes.iter_mut().zip(&self.scratch).zip(ab).zip(ba)
            {
                *code += select_unpredictable(*word < half, *ab, *ba);
            }
        }
    }
}

/// What a block of replicates gave a job.
#[derive(Debug)]
pub(super) struct Sample {
    tally: Tally,
    /// By reading, replicate by replicate: the expected sums of its world, where worlds are compared one by one.
    expected: Vec<Vec<[f64; LANES]>>,
}

impl Sample {
    pub(super) fn new(job: &Job, n: usize) -> Self {
        Self {
            tally: Tally::new(&job.table, n),
            expected: job.steps.iter().map(|_| vec![[0.0; LANES]; n]).collect(),
        }
    }

    fn expect(&mut self, job: &Job, law: &CaseLaw, block: &Block<'_>) {
        let kind = &job.design.world.kinds[law.kind];
        for (reading, (sums, steps)) in self.expected.iter_mut().zip(&job.steps).enumerate() {
            for (r, sums) in sums.iter_mut().enumerate() {
                let step = if let Some(by_cell) = law.expected.get(reading) {
                    by_cell[block.cells[r] as usize]
                } else {
                    let mood = |seat| block.drawn.mood(job, law, seat, r);
                    let moods: Vec<Mood> = (0..job.design.seats.len()).map(mood).collect();
                    job.in_state(steps, &block.drawn.state(kind, r), &moods)
                };
                for (sum, step) in sums.iter_mut().zip(step) {
                    *sum += step;
                }
            }
        }
    }

    /// Adds the case whose codes the block holds.
    pub(super) fn add(&mut self, job: &Job, law: &CaseLaw, block: &Block<'_>) {
        self.tally.add(&job.table, &block.codes);
        self.expect(job, law, block);
    }

    /// The distinct sums of a reading, in order, with their counts.
    pub(super) fn runs(&mut self, job: &Job, reading: usize) -> Counted {
        let lanes = job.readings[reading].lanes();
        Counted::of(lanes, self.tally.runs(&job.table, reading))
    }

    /// The sums of a reading in one replicate.
    pub(super) fn sums(&self, job: &Job, reading: usize, replicate: usize) -> Sums {
        self.tally.sums(&job.table, reading, replicate)
    }

    /// The expected sums of a reading in one replicate's world, a pair.
    pub(super) fn expected(&self, job: &Job, reading: usize, replicate: usize) -> [f64; LANES] {
        let pairs = job.design.world.cases.len() as f64;
        self.expected[reading][replicate].map(|sum| sum / pairs)
    }
}
