//! The tally of a block of replicates: what each pair adds to a reading's sums, by one look-up a replicate.
//!
//! Sums that are constant, or multiples of another, over all codes are not counted twice; what remains is packed into
//! 16-bit lanes of 64-bit words, which are emptied into wide integers before they can overflow.

use crate::evidence::{LANES, Reading, Sums};
use crate::protocol::Codebook;

/// Lanes in a word.
const PER_WORD: usize = 4;

/// How one of a reading's sums is had from what is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lane {
    /// Every pair adds this.
    Constant(i64),
    /// `times` / `over` of an earlier sum.
    Multiple { of: usize, times: i64, over: i64 },
    /// Counted in this packed lane, each step raised by `raised` so that none is negative.
    Counted { lane: usize, raised: i64 },
}

/// What a pair of each code adds to a reading, tabulated.
#[derive(Clone, Debug)]
pub(super) struct Table {
    lanes: Vec<Lane>,
    counted: usize,
    /// By code, `words` words each; empty where a step does not fit 16 bits.
    packed: Vec<u64>,
    /// By code, `counted` raised steps each.
    plain: Vec<i64>,
    /// Pairs after which a packed lane may be full.
    room: u32,
}

impl Table {
    pub(super) fn new(book: &Codebook, reading: &Reading) -> Self {
        let steps = book.steps(reading);
        let possible: Vec<bool> = (0..book.size()).map(|code| book.answers(code).is_some()).collect();
        let seen: Vec<&Sums> = steps.iter().zip(&possible).filter(|it| *it.1).map(|it| it.0).collect();
        let mut lanes: Vec<Lane> = Vec::new();
        let mut counted: Vec<(usize, i64)> = Vec::new();
        for j in 0..LANES {
            let lane = reduced(&seen, j, &lanes).unwrap_or_else(|| {
                let raised = -seen.iter().map(|it| it.0[j]).min().unwrap_or(0).min(0);
                counted.push((j, raised));
                Lane::Counted { lane: counted.len() - 1, raised }
            });
            lanes.push(lane);
        }
        let raised = |step: &Sums, possible: bool| -> Vec<i64> {
            counted.iter().map(|(j, raised)| if possible { step.0[*j] + raised } else { 0 }).collect()
        };
        let plain: Vec<i64> = steps.iter().zip(&possible).flat_map(|(step, ok)| raised(step, *ok)).collect();
        let largest = plain.iter().copied().max().unwrap_or(0).max(1);
        let words = counted.len().div_ceil(PER_WORD);
        let packed = if largest <= 8192 {
            let codes = plain.chunks(counted.len().max(1));
            codes.flat_map(|steps| (0..words).map(|word| pack(steps, word))).collect()
        } else {
            Vec::new()
        };
        let room = u32::try_from(i64::from(u16::MAX) / largest).unwrap_or(u32::MAX).max(1);
        Self { lanes, counted: counted.len(), packed, plain, room }
    }

    fn words(&self) -> usize {
        self.counted.div_ceil(PER_WORD)
    }

    /// The sums that counted lanes stand for after `pairs` pairs.
    fn sums(&self, counted: &[i64], pairs: i64) -> Sums {
        let mut sums = [0; LANES];
        for (j, lane) in self.lanes.iter().enumerate() {
            sums[j] = match *lane {
                Lane::Constant(step) => pairs * step,
                Lane::Multiple { of, times, over } => sums[of] * times / over,
                Lane::Counted { lane, raised } => counted[lane] - pairs * raised,
            };
        }
        Sums(sums)
    }
}

/// A sum that need not be counted: the same for every possible code, or a multiple of an earlier sum.
fn reduced(seen: &[&Sums], j: usize, lanes: &[Lane]) -> Option<Lane> {
    let first = seen.first()?.0[j];
    if seen.iter().all(|it| it.0[j] == first) {
        return Some(Lane::Constant(first));
    }
    lanes.iter().enumerate().find_map(|(of, lane)| {
        if !matches!(lane, Lane::Counted { .. }) {
            return None;
        }
        let (over, times) = seen.iter().map(|it| (it.0[of], it.0[j])).find(|it| it.0 != 0)?;
        seen.iter()
            .all(|it| it.0[j] * over == it.0[of] * times)
            .then_some(Lane::Multiple { of, times, over })
    })
}

fn pack(steps: &[i64], word: usize) -> u64 {
    let lanes = steps.iter().skip(PER_WORD * word).take(PER_WORD);
    lanes.enumerate().map(|(k, step)| step.unsigned_abs() << (16 * k)).sum()
}

/// The sums of each replicate of a block.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// `words` a replicate, word by word.
    packed: Vec<u64>,
    /// `counted` a replicate, lane by lane; empty until the packed lanes are first emptied.
    wide: Vec<i64>,
    replicates: usize,
    pending: u32,
    pairs: i64,
}

impl Tally {
    pub(super) fn new(table: &Table, replicates: usize) -> Self {
        let words = if table.packed.is_empty() { 0 } else { table.words() };
        Self { packed: vec![0; words * replicates], wide: Vec::new(), replicates, pending: 0, pairs: 0 }
    }

    /// Adds a pair, given its code in each replicate.
    pub(super) fn add(&mut self, table: &Table, codes: &[u32]) {
        self.pairs += 1;
        match table.words() {
            0 => {}
            words if table.packed.is_empty() => {
                debug_assert!(0 < words);
                self.widen(table);
                for lane in 0..table.counted {
                    let sums = &mut self.wide[lane * self.replicates..][..self.replicates];
                    for (sum, code) in sums.iter_mut().zip(codes) {
                        *sum += table.plain[*code as usize * table.counted + lane];
                    }
                }
            }
            words => {
                for (word, sums) in self.packed.chunks_exact_mut(self.replicates).enumerate() {
                    for (sum, code) in sums.iter_mut().zip(codes) {
                        *sum += table.packed[*code as usize * words + word];
                    }
                }
                self.pending += 1;
                if self.pending == table.room {
                    self.empty(table);
                }
            }
        }
    }

    fn widen(&mut self, table: &Table) {
        self.wide.resize(table.counted * self.replicates, 0);
    }

    /// Moves the packed lanes into the wide ones.
    fn empty(&mut self, table: &Table) {
        self.widen(table);
        for lane in 0..table.counted {
            let from = &mut self.packed[lane / PER_WORD * self.replicates..][..self.replicates];
            let to = &mut self.wide[lane * self.replicates..][..self.replicates];
            for (to, from) in to.iter_mut().zip(from) {
                *to += i64::from((*from >> (16 * (lane % PER_WORD))) as u16);
            }
        }
        self.packed.fill(0);
        self.pending = 0;
    }

    /// The sums of one replicate.
    pub(super) fn sums(&self, table: &Table, replicate: usize) -> Sums {
        let mut counted = [0; LANES];
        for (lane, count) in counted.iter_mut().enumerate().take(table.counted) {
            if let Some(wide) = self.wide.get(lane * self.replicates + replicate) {
                *count += wide;
            }
            if let Some(word) = self.packed.get(lane / PER_WORD * self.replicates + replicate) {
                *count += i64::from((*word >> (16 * (lane % PER_WORD))) as u16);
            }
        }
        table.sums(&counted, self.pairs)
    }

    /// The distinct sums of the block in order, and how many replicates had each.
    pub(super) fn runs(&mut self, table: &Table) -> Vec<(Sums, u64)> {
        // One word that was never emptied is a key by itself: sorting words is much cheaper than sorting sums.
        let mut sums: Vec<(Sums, u64)> = if table.words() == 1 && self.wide.is_empty() {
            self.packed.sort_unstable();
            let keys = self.packed.chunk_by(|a, b| a == b);
            keys.map(|run| (decode(table, run[0], self.pairs), run.len() as u64)).collect()
        } else {
            (0..self.replicates).map(|replicate| (self.sums(table, replicate), 1)).collect()
        };
        sums.sort_unstable();
        sums.dedup_by(|b, a| a.0 == b.0 && {
            a.1 += b.1;
            true
        });
        sums
    }
}

fn decode(table: &Table, word: u64, pairs: i64) -> Sums {
    let mut counted = [0; LANES];
    for (lane, count) in counted.iter_mut().enumerate().take(PER_WORD) {
        *count = i64::from((word >> (16 * lane)) as u16);
    }
    table.sums(&counted, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::ESTIMATORS;
    use crate::evidence::{Asked, Item, Repeats};
    use crate::judges::Alphabet;
    use crate::protocol::{Combine, Protocol};
    use crate::stream::{Address, Purpose, Words};

    /// Columns and pair-by-pair addition agree for every reading, with ties and invalid replies, over more pairs than a
    /// packed lane holds.
    #[test]
    fn columns_equal_steps() {
        let words = |label: &str, pair: usize, n: usize| {
            let mut column = vec![0_u32; n];
            Words::Keyed.fill(&Address::root(5, Purpose::Verdict).at(label, &pair.to_string()).key(), 0, &mut column);
            column
        };
        for it in ESTIMATORS {
            let repeats = if it.needs.repeats == Repeats::Many { 3 } else { 1 };
            let protocol = Protocol { asked: it.needs.asked[0], repeats, combine: Combine::Each };
            let alphabets = vec![Alphabet { ties: true, invalid: true }; it.needs.judges];
            let book = Codebook::new(protocol, &alphabets, it.needs.gold).unwrap();
            let table = Table::new(&book, it.reads);
            let possible: Vec<u32> = (0..book.size()).filter(|code| book.answers(*code).is_some()).collect();
            let (n, pairs) = (40, 5000);
            let mut tally = Tally::new(&table, n);
            let mut plain = vec![Sums::default(); n];
            for pair in 0..pairs {
                let codes: Vec<u32> =
                    words(&it.name(), pair, n).iter().map(|w| possible[*w as usize % possible.len()]).collect();
                tally.add(&table, &codes);
                for (sums, code) in plain.iter_mut().zip(&codes) {
                    let (answers, gold) = book.answers(*code).unwrap();
                    *sums = sums.plus((it.reads.step)(&Item { answers: &answers, gold }));
                }
            }
            for (replicate, sums) in plain.iter().enumerate() {
                assert_eq!(tally.sums(&table, replicate), *sums, "{}", it.name());
            }
            let runs: u64 = tally.clone().runs(&table).iter().map(|run| run.1).sum();
            assert_eq!(runs, n as u64);
        }
    }

    /// A forced choice asked once leaves FF and SS to count: one word a replicate.
    #[test]
    fn what_need_not_be_counted_is_not() {
        let protocol = Protocol { asked: Asked::Both, repeats: 1, combine: Combine::Each };
        let book = Codebook::new(protocol, &[Alphabet { ties: false, invalid: false }], false).unwrap();
        for it in ESTIMATORS.iter().filter(|it| it.needs.judges == 1 && !it.needs.gold) {
            if it.needs.asked.contains(&Asked::Both) && it.needs.repeats != Repeats::Many {
                let table = Table::new(&book, it.reads);
                assert_eq!(table.words(), 1, "{}: {:?}", it.name(), table.lanes);
            }
        }
    }
}
