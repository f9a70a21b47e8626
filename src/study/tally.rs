//! The tally of a block of replicates: what every reading of a job needs, by one look-up a pair and replicate.
//!
//! Over the codes of a pair, a sum is an affine function of a *field*, a step that starts at 0 and has no common factor;
//! many sums share a field. What is counted is either the fields of all readings, or how often each code came up, as
//! takes fewer words: 16-bit lanes of 64-bit words, which are emptied into wide integers before they can overflow.

use crate::evidence::{LANES, Reading, Sums};
use crate::protocol::Codebook;

/// Lanes in a word.
const PER_WORD: usize = 4;
/// The largest step that is counted in lanes.
const LARGEST: i64 = 8192;

/// What is counted, and how the readings of a job follow from it.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// By word, by code: packed steps; empty where a step does not fit.
    packed: Vec<Vec<u64>>,
    /// By counter, by code; empty where steps are packed.
    plain: Vec<Vec<i64>>,
    counters: usize,
    /// Pairs after which a packed lane may be full.
    room: u32,
    views: Vec<View>,
}

/// How a reading's sums follow from what is counted.
#[derive(Clone, Debug)]
struct View {
    sums: [Affine; LANES],
    /// What every pair adds to the reading's fields.
    base: Vec<i64>,
    /// By counter: what a count adds to the reading's fields.
    by: Vec<Vec<i64>>,
    /// The largest step of a field.
    largest: i64,
}

/// `times` a field, and `plus` for every pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Affine {
    field: usize,
    times: i64,
    plus: i64,
}

impl Table {
    pub(super) fn new(book: &Codebook, readings: &[&Reading]) -> Self {
        let possible: Vec<u32> =
            (0..book.size()).filter(|code| book.answers(*code).is_some()).collect();
        let mut fields: Vec<Vec<i64>> = Vec::new();
        let forms: Vec<(Vec<usize>, [Affine; LANES])> = readings
            .iter()
            .map(|reading| {
                let steps = book.steps(reading);
                let seen: Vec<&Sums> = possible.iter().map(|code| &steps[*code as usize]).collect();
                reduce(&seen, &mut fields)
            })
            .collect();
        // The last code comes up as often as is left.
        let codes = possible.len().saturating_sub(1);
        let by_code = codes.div_ceil(PER_WORD) < fields.len().div_ceil(PER_WORD);
        let views =
            forms.iter().map(|(used, sums)| View::new(used, sums, &fields, by_code)).collect();
        let counted: Vec<Vec<i64>> = if by_code {
            (0..codes).map(|k| (0..=codes).map(|code| i64::from(code == k)).collect()).collect()
        } else {
            fields
        };
        let spread = |steps: &Vec<i64>| {
            let mut all = vec![0; book.size() as usize];
            possible.iter().zip(steps).for_each(|(code, step)| all[*code as usize] = *step);
            all
        };
        let plain: Vec<Vec<i64>> = counted.iter().map(spread).collect();
        let largest = plain.iter().flatten().copied().max().unwrap_or(0).max(1);
        let room = u32::try_from(i64::from(u16::MAX) / largest).unwrap_or(u32::MAX).max(1);
        let counters = plain.len();
        let (packed, plain) = if largest <= LARGEST {
            (plain.chunks(PER_WORD).map(pack).collect(), Vec::new())
        } else {
            (Vec::new(), plain)
        };
        Self { packed, plain, counters, room, views }
    }

    /// How many sums of a reading are told apart: others are affine functions of one of them.
    pub(super) fn sums_of(&self, reading: usize) -> usize {
        self.views[reading].base.len()
    }
}

/// A reading's sums as affine functions of fields, which are added to the fields that there are.
fn reduce(steps: &[&Sums], fields: &mut Vec<Vec<i64>>) -> (Vec<usize>, [Affine; LANES]) {
    let mut used: Vec<usize> = Vec::new();
    let mut sums = [Affine::default(); LANES];
    for (j, sum) in sums.iter_mut().enumerate() {
        let column = || steps.iter().map(|step| step.0[j]);
        sum.plus = column().min().unwrap_or(0);
        sum.times = column().fold(0, |all, step| common_factor(all, step - sum.plus));
        if sum.times == 0 {
            continue;
        }
        let field: Vec<i64> = column().map(|step| (step - sum.plus) / sum.times).collect();
        let id = place(fields, field);
        sum.field = place(&mut used, id);
    }
    (used, sums)
}

/// Where an item is in a list; at its end, if it was not there.
fn place<T: PartialEq>(all: &mut Vec<T>, it: T) -> usize {
    all.iter().position(|other| *other == it).unwrap_or_else(|| {
        all.push(it);
        all.len() - 1
    })
}

fn common_factor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

/// Up to four counters' steps as one word a code.
fn pack(counters: &[Vec<i64>]) -> Vec<u64> {
    let mut words = vec![0; counters.first().map_or(0, Vec::len)];
    for (lane, steps) in counters.iter().enumerate() {
        for (word, step) in words.iter_mut().zip(steps) {
            *word |= step.unsigned_abs() << (16 * lane);
        }
    }
    words
}

fn lane(word: u64, lane: usize) -> u64 {
    word >> (16 * lane) & u64::from(u16::MAX)
}

impl View {
    fn new(used: &[usize], sums: &[Affine; LANES], fields: &[Vec<i64>], by_code: bool) -> Self {
        let own: Vec<&Vec<i64>> = used.iter().map(|id| &fields[*id]).collect();
        let largest = own.iter().flat_map(|field| field.iter().copied()).max().unwrap_or(0);
        let last: Vec<i64> = own.iter().filter_map(|field| field.last().copied()).collect();
        let codes = fields.first().map_or(0, Vec::len);
        if by_code {
            let step = |code: usize| {
                own.iter().zip(&last).map(|(field, last)| field[code] - last).collect()
            };
            let by = (0..codes.saturating_sub(1)).map(step).collect();
            Self { sums: *sums, base: last, by, largest }
        } else {
            let step = |id: usize| used.iter().map(|used| i64::from(*used == id)).collect();
            Self {
                sums: *sums,
                base: vec![0; used.len()],
                by: (0..fields.len()).map(step).collect(),
                largest,
            }
        }
    }

    /// Whether the fields of so many pairs fit one word.
    fn fits(&self, pairs: i64) -> bool {
        self.base.len() <= PER_WORD && self.largest * pairs <= i64::from(u16::MAX)
    }

    /// The sums that fields stand for after `pairs` pairs.
    fn sums(&self, fields: impl Fn(usize) -> i64, pairs: i64) -> Sums {
        Sums(self.sums.map(|sum| {
            let varies = if sum.times == 0 { 0 } else { sum.times * fields(sum.field) };
            varies + sum.plus * pairs
        }))
    }
}

/// Fields side by side in a word. Negative ones borrow from their neighbours, which a sum of words gives back.
fn side_by_side(fields: &[i64]) -> u64 {
    let places = fields.iter().enumerate();
    places
        .fold(0_u64, |word, (lane, field)| word.wrapping_add(field.cast_unsigned() << (16 * lane)))
}

/// The sums of each replicate of a block.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// A word a replicate, word by word.
    packed: Vec<u64>,
    /// A count a replicate, counter by counter; empty until the packed lanes are first emptied.
    wide: Vec<i64>,
    /// The keys of the reading at hand.
    keys: Vec<u64>,
    replicates: usize,
    pending: u32,
    pairs: i64,
}

impl Tally {
    pub(super) fn new(table: &Table, replicates: usize) -> Self {
        let packed = vec![0; table.packed.len() * replicates];
        let wide = vec![0; table.plain.len() * replicates];
        Self { packed, wide, keys: Vec::new(), replicates, pending: 0, pairs: 0 }
    }

    /// Adds a pair, given its code in each replicate.
    pub(super) fn add(&mut self, table: &Table, codes: &[u32]) {
        self.pairs += 1;
        for (steps, counts) in table.plain.iter().zip(self.wide.chunks_exact_mut(self.replicates)) {
            for (count, code) in counts.iter_mut().zip(codes) {
                *count += steps[*code as usize];
            }
        }
        for (steps, counts) in
            table.packed.iter().zip(self.packed.chunks_exact_mut(self.replicates))
        {
            for (count, code) in counts.iter_mut().zip(codes) {
                *count += steps[*code as usize];
            }
        }
        self.pending += 1;
        if self.pending == table.room {
            self.empty(table);
        }
    }

    /// Moves the packed lanes into the wide counts.
    fn empty(&mut self, table: &Table) {
        self.pending = 0;
        if table.packed.is_empty() {
            return;
        }
        self.wide.resize(table.counters * self.replicates, 0);
        for (k, counts) in self.wide.chunks_exact_mut(self.replicates).enumerate() {
            let words = &self.packed[k / PER_WORD * self.replicates..][..self.replicates];
            for (count, word) in counts.iter_mut().zip(words) {
                *count += lane(*word, k % PER_WORD).cast_signed();
            }
        }
        self.packed.fill(0);
    }

    /// The count of one replicate.
    fn count(&self, counter: usize, replicate: usize) -> i64 {
        let wide = self.wide.get(counter * self.replicates + replicate).copied().unwrap_or(0);
        let word =
            self.packed.get(counter / PER_WORD * self.replicates + replicate).copied().unwrap_or(0);
        wide + lane(word, counter % PER_WORD).cast_signed()
    }

    /// The sums of a reading in one replicate.
    pub(super) fn sums(&self, table: &Table, reading: usize, replicate: usize) -> Sums {
        let view = &table.views[reading];
        let mut fields = [0; LANES];
        for (field, base) in fields.iter_mut().zip(&view.base) {
            *field = base * self.pairs;
        }
        for (counter, by) in view.by.iter().enumerate() {
            let count = self.count(counter, replicate);
            for (field, by) in fields.iter_mut().zip(by) {
                *field += by * count;
            }
        }
        view.sums(|field| fields[field], self.pairs)
    }

    /// The sums of a reading in the block and how many replicates had each; the same sums may come up several times.
    pub(super) fn runs(&mut self, table: &Table, reading: usize) -> Vec<(Sums, u64)> {
        let view = &table.views[reading];
        // Fields that fit one word are a key: sorting words is much cheaper than sorting sums.
        if self.wide.is_empty() && view.fits(self.pairs) {
            self.fill_keys(view);
            self.keys.sort_unstable();
            let runs = self.keys.chunk_by(|a, b| a == b);
            let decode = |key: u64| view.sums(|field| lane(key, field).cast_signed(), self.pairs);
            runs.map(|run| (decode(run[0]), run.len() as u64)).collect()
        } else {
            (0..self.replicates)
                .map(|replicate| (self.sums(table, reading, replicate), 1))
                .collect()
        }
    }

    /// The fields of each replicate, side by side in a word.
    fn fill_keys(&mut self, view: &View) {
        let base = side_by_side(&view.base).wrapping_mul(self.pairs.unsigned_abs());
        self.keys.clear();
        self.keys.resize(self.replicates, base);
        for (counter, by) in view.by.iter().enumerate() {
            let by = side_by_side(by);
            let words = &self.packed[counter / PER_WORD * self.replicates..];
            for (key, word) in self.keys.iter_mut().zip(words) {
                *key = key.wrapping_add(lane(*word, counter % PER_WORD).wrapping_mul(by));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::ESTIMATORS;
    use crate::evidence::{Asked, Item, Judges, Repeats};
    use crate::judges::Alphabet;
    use crate::protocol::{Combine, Decoded, Marked, Protocol};

    const PLAIN: Marked = Marked { gold: false, unlabelled: false, strata: 1, lengths: false };
    use crate::stream::{Address, Purpose, Words};

    /// Columns and pair-by-pair addition agree for every reading, with ties and invalid replies, over more pairs than a
    /// packed lane holds.
    #[test]
    fn columns_equal_steps() {
        let words = |label: &str, pair: usize, n: usize| {
            let mut column = vec![0_u32; n];
            Words::Keyed.fill(
                &Address::root(5, Purpose::Verdict).at(label, &pair.to_string()).key(),
                0,
                &mut column,
            );
            column
        };
        for it in ESTIMATORS.iter().filter(|it| it.sheet.is_none()) {
            let repeats = if it.needs.repeats == Repeats::Many { 3 } else { 1 };
            let protocol = Protocol { asked: it.needs.asked[0], repeats, combine: Combine::Each };
            let alphabets = vec![
                Alphabet { ties: true, invalid: true };
                if it.needs.judges == Judges::One { 1 } else { 2 }
            ];
            let (gold, strata) = (it.needs.gold, if it.needs.strata { 3 } else { 1 });
            let marked = Marked { gold, unlabelled: gold, strata, lengths: it.needs.lengths };
            let book = Codebook::new(protocol, &alphabets, marked).unwrap();
            let table = Table::new(&book, &[it.reads]);
            let possible: Vec<u32> =
                (0..book.size()).filter(|code| book.answers(*code).is_some()).collect();
            let (n, pairs) = (40, 5000);
            let mut tally = Tally::new(&table, n);
            let mut plain = vec![Sums::default(); n];
            for pair in 0..pairs {
                let codes: Vec<u32> = words(&it.name(), pair, n)
                    .iter()
                    .map(|w| possible[*w as usize % possible.len()])
                    .collect();
                tally.add(&table, &codes);
                for (sums, code) in plain.iter_mut().zip(&codes) {
                    let Decoded { answers, gold, stratum, length } = book.answers(*code).unwrap();
                    *sums = sums.plus((it.reads.step)(&Item {
                        answers: &answers,
                        gold,
                        stratum,
                        length,
                        share: 0,
                    }));
                }
            }
            for (replicate, sums) in plain.iter().enumerate() {
                assert_eq!(tally.sums(&table, 0, replicate), *sums, "{}", it.name());
            }
            let runs: u64 = tally.runs(&table, 0).iter().map(|run| run.1).sum();
            assert_eq!(runs, n as u64);
        }
    }

    /// A forced choice asked once leaves the counts of four answers, whatever the rules.
    #[test]
    fn what_need_not_be_counted_is_not() {
        let protocol = Protocol { asked: Asked::Both, repeats: 1, combine: Combine::Each };
        let book =
            Codebook::new(protocol, &[Alphabet { ties: false, invalid: false }], PLAIN).unwrap();
        let fed = ESTIMATORS
            .iter()
            .filter(|it| it.needs.judges == Judges::One && protocol.feeds(&it.needs).is_ok());
        let readings: Vec<&Reading> = fed.map(|it| it.reads).collect();
        assert!(1 < readings.len());
        assert_eq!(Table::new(&book, &readings).packed.len(), 1);
    }
}
