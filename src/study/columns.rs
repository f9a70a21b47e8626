//! Columns of a block: words become digits of a code, replicate by replicate. The hot path of the laboratory.

mod cells;

use std::hint::select_unpredictable;

pub(super) use cells::{Anew, Axes, Axis};

use crate::judges::Thresholds;

/// 2^32, the threshold of what always happens.
const ALWAYS: u64 = 1 << 32;

/// The law of one verdict, by cell of the pair's state and the judge's opinion, and what each verdict weighs.
#[derive(Debug)]
pub(super) struct Law {
    /// Of first, tie, second (0) and invalid.
    weights: [u32; 4],
    bounds: Bounds,
}

/// What is known of the thresholds in each cell.
#[derive(Debug)]
enum Bounds {
    /// A choice that knows neither ties nor invalid replies and is not certain: "first" where the word lies below.
    Forced(Vec<u32>),
    /// Any other.
    Any(Vec<Thresholds>),
    /// A choice that knows neither ties nor invalid replies: below both it is "first", above both "second".
    ForcedBetween(Vec<[u32; 2]>),
    /// Any other: each threshold lies between these.
    AnyBetween(Vec<[Thresholds; 2]>),
}

impl Law {
    /// The law whose thresholds lie between these two, by cell.
    pub(super) fn new(cells: &[[Thresholds; 2]], weights: [u32; 4]) -> Self {
        let bounds = if cells.iter().all(|[low, high]| low == high) {
            match cells.iter().map(|[at, _]| forced(*at)?.try_into().ok()).collect() {
                Some(below) => Bounds::Forced(below),
                None => Bounds::Any(cells.iter().map(|it| it[0]).collect()),
            }
        } else {
            match cells
                .iter()
                .map(|[low, high]| Some(around(forced(*low)?, forced(*high)?)))
                .collect()
            {
                Some(between) => Bounds::ForcedBetween(between),
                None => Bounds::AnyBetween(cells.iter().map(|it| wider(*it)).collect()),
            }
        };
        Self { weights, bounds }
    }

    /// Adds to `digits` what each word's verdict weighs; `ask` tells the thresholds of a replicate in doubt.
    pub(super) fn add(
        &self,
        digits: &mut [u32],
        words: &[u32],
        cells: &[u32],
        ask: impl Fn(usize) -> Thresholds,
    ) {
        let (first, weights) = (self.weights[0], &self.weights);
        let column = (digits, words, cells);
        match &self.bounds {
            Bounds::Forced(below) => match *below.as_slice() {
                [below] => each(column, |_, word, _| given(word < below, first)),
                [zero, one] => {
                    each(column, |_, word, cell| {
                        given(word < if cell == 0 { zero } else { one }, first)
                    });
                }
                ref below => each(column, |_, word, cell| given(word < below[cell], first)),
            },
            Bounds::Any(laws) => {
                if let [law] = *laws.as_slice() {
                    let stairs = Stairs::new(law, *weights);
                    each(column, |_, word, _| stairs.at(word));
                } else {
                    each(column, |_, word, cell| weights[verdict(word, laws[cell])]);
                }
            }
            Bounds::ForcedBetween(bounds) => each(column, |r, word, cell| {
                let [low, high] = bounds[cell];
                // That is low <= word <= high in one comparison: the first half of two would be a coin toss.
                let doubt = word.wrapping_sub(low) <= high - low;
                if doubt { weights[verdict(word, ask(r))] } else { given(word < low, first) }
            }),
            Bounds::AnyBetween(bounds) => each(column, |r, word, cell| {
                let [low, high] = bounds[cell].map(|it| verdict(word, it));
                weights[if low == high { low } else { verdict(word, ask(r)) }]
            }),
        }
    }
}

/// Adds to each digit the weight of a replicate, its word and its cell.
fn each(
    (digits, words, cells): (&mut [u32], &[u32], &[u32]),
    weight: impl Fn(usize, u32, usize) -> u32,
) {
    for (r, ((digit, word), cell)) in digits.iter_mut().zip(words).zip(cells).enumerate() {
        *digit += weight(r, *word, *cell as usize);
    }
}

/// The threshold of a choice that knows neither ties nor invalid replies.
fn forced(law: Thresholds) -> Option<u64> {
    let [first, tie, end] = law.0;
    (first == tie && end == ALWAYS).then_some(first)
}

/// The words of which a threshold between these two does not decide, and one more at either end: a rounding of the link
/// may move a threshold by one.
fn around(low: u64, high: u64) -> [u32; 2] {
    [low.saturating_sub(1), high + 1].map(|word| u32::try_from(word).unwrap_or(u32::MAX))
}

/// As [`around`], for all thresholds.
fn wider([low, high]: [Thresholds; 2]) -> [Thresholds; 2] {
    [Thresholds(low.0.map(|it| it.saturating_sub(1))), Thresholds(high.0.map(|it| it + 1))]
}

/// The verdict of a word: how many thresholds it has reached.
fn verdict(word: u32, law: Thresholds) -> usize {
    law.0.map(|threshold| usize::from(threshold <= u64::from(word))).iter().sum()
}

/// The weight if the condition holds, else 0. Whether it holds is a coin toss, so it must not become a branch.
fn given(condition: bool, weight: u32) -> u32 {
    select_unpredictable(condition, weight, 0)
}

/// The weight of a word's verdict, a staircase over the words.
struct Stairs {
    start: u32,
    /// From which word on, and how much the weight rises there (or falls: sums wrap around).
    steps: [(u32, u32); 3],
}

impl Stairs {
    fn new(law: Thresholds, weights: [u32; 4]) -> Self {
        let [first, tie, second, invalid] = weights;
        let rises =
            [tie.wrapping_sub(first), second.wrapping_sub(tie), invalid.wrapping_sub(second)];
        // A threshold of 2^32 lies above every word.
        let step = |k: usize| u32::try_from(law.0[k]).map_or((0, 0), |from| (from, rises[k]));
        Self { start: first, steps: [step(0), step(1), step(2)] }
    }

    fn at(&self, word: u32) -> u32 {
        let [tie, second, invalid] = self.steps.map(|(from, rise)| given(from <= word, rise));
        self.start.wrapping_add(tie).wrapping_add(second).wrapping_add(invalid)
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "small")]
mod tests {
    use super::*;

    const WEIGHTS: [u32; 4] = [1, 4, 0, 16];

    fn laws() -> Vec<Thresholds> {
        let at = |first, tie, end| Thresholds([first, tie, end]);
        let (quarter, half) = (1 << 30, 1 << 31);
        let certain =
            [at(ALWAYS, ALWAYS, ALWAYS), at(0, 0, ALWAYS), at(0, 0, 0), at(0, ALWAYS, ALWAYS)];
        let forced = [at(half, half, ALWAYS), at(quarter, quarter, ALWAYS), at(1, 1, ALWAYS)];
        certain.into_iter().chain(forced).chain([at(quarter, half, 3 * quarter)]).collect()
    }

    fn words() -> Vec<u32> {
        let edges = [0, 1 << 30, 1 << 31, 3 << 30, u32::MAX];
        edges
            .iter()
            .flat_map(|edge| (0..5).map(move |step| edge.wrapping_add(step).wrapping_sub(2)))
            .collect()
    }

    /// What is added to 7 by laws that are known to lie between bounds, against one word at a time.
    fn check(cells: &[[Thresholds; 2]], law_of: impl Fn(usize) -> Thresholds) {
        let words = words();
        for shift in 0..cells.len() {
            let of: Vec<u32> =
                (0..cells.len() as u32).cycle().skip(shift).take(words.len()).collect();
            let at = |r: usize| law_of(of[r] as usize);
            let mut digits = vec![7; words.len()];
            Law::new(cells, WEIGHTS).add(&mut digits, &words, &of, at);
            for (r, word) in words.iter().enumerate() {
                let reached = at(r).0.iter().filter(|it| **it <= u64::from(*word)).count();
                assert_eq!(digits[r], 7 + WEIGHTS[reached], "{word} in {cells:?}");
            }
        }
    }

    #[test]
    fn columns_agree_with_one_word_at_a_time() {
        let laws = laws();
        for start in 0..laws.len() {
            for n in 1..=3 {
                let some: Vec<Thresholds> =
                    (start..start + n).map(|k| laws[k % laws.len()]).collect();
                check(&some.iter().map(|it| [*it; 2]).collect::<Vec<_>>(), |cell| some[cell]);
            }
        }
    }

    /// Bounds decide what they can, and the judge is asked about the rest.
    #[test]
    fn bounds_decide_as_the_law_between_them() {
        for law in laws() {
            for far in [0, 1, 1 << 20, 1 << 31] {
                let low = Thresholds(law.0.map(|it| it.saturating_sub(far)));
                let high = Thresholds(law.0.map(|it| (it + far).min(ALWAYS)));
                check(&[[low, high], [low, law], [law, high]], |_| law);
            }
        }
    }
}
