//! The exact room: the law of the evidence, convolved over pairs, so that powers and coverages carry no Monte Carlo error.
//!
//! Here stands the plain convolution: any design, any reading. It is the oracle of the engine and of the faster sums:
//! [`Lattice`] for rules that read at most two sums that vary, [`Differing`] for identical pairs that differ one way or the
//! other, [`rates`] for binomials, [`tables`] for two raters. Each gives a [`Power`] with a bound on its error.

mod axes;
mod differing;
mod lattice;
mod power;
pub mod rates;
mod run;
pub mod tables;

use std::collections::BTreeMap;

use crate::evidence::{LANES, Reading, Sums, Weighted, merge};
use crate::protocol::{Codebook, Design};

pub use differing::{Claim, Differing};
pub use lattice::{Lattice, Unfit, curve};
pub use power::{Laws, power};

/// Ways to lean over which laws are summed one by one.
const MOST_STANCES: f64 = 1e5;

/// The probability that a test rejects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The probability, 0 to 1.
    pub value: f64,
    /// How far the true one may lie from it: dropped tails, quadrature and rounding.
    pub error: f64,
}

/// The law of what one case adds to a reading's sums.
#[must_use]
pub fn step_law(design: &Design, book: &Codebook, steps: &[Sums], case: usize) -> Vec<(Sums, f64)> {
    let mut law: BTreeMap<Sums, f64> = BTreeMap::new();
    design.law(book, case, &mut |code, p| *law.entry(steps[code as usize]).or_insert(0.0) += p);
    law.into_iter().filter(|it| 0.0 < it.1).collect()
}

/// The law of a reading's sums over all pairs of a design's world: independent pairs, each with its own law, given how far
/// its judges lean.
///
/// # Errors
/// The pair that was reached when it was clear that the convolution takes more than `most` steps (a distinct sum met by a
/// step is one): a law never gets shorter, so what it has to meet still is a lower bound.
pub fn enumerate(
    design: &Design,
    book: &Codebook,
    reading: &Reading,
    most: usize,
) -> Result<Weighted, usize> {
    let verdicts = design.verdicts_an_order();
    if MOST_STANCES < design.stance_count(verdicts) {
        return Err(0);
    }
    let stances = design.stances(verdicts);
    let most = most / stances.len();
    let mut whole: Vec<(Sums, f64)> = Vec::new();
    for stance in &stances {
        let mut law = given(&stance.at, book, reading, most)?;
        for it in &mut law {
            it.1 *= stance.weight;
        }
        whole = if whole.is_empty() { law } else { merge(&whole, &law) };
    }
    Ok(Weighted::Law(whole))
}

/// The law of a reading's sums where pairs are independent: every lean is fixed.
fn given(
    design: &Design,
    book: &Codebook,
    reading: &Reading,
    most: usize,
) -> Result<Vec<(Sums, f64)>, usize> {
    let steps = book.steps(reading);
    let laws: Vec<(Vec<(Sums, f64)>, u64)> = design
        .alike()
        .into_iter()
        .map(|(case, alike)| (step_law(design, book, &steps, case), alike))
        .collect();
    // Few sums are convolved as few: a law is copied at every step.
    match reading.lanes() {
        ..=4 => convolved::<4>(&laws, most),
        5..=8 => convolved::<8>(&laws, most),
        _ => convolved::<LANES>(&laws, most),
    }
}

/// Sums of which the first so many may differ from 0, with their probabilities.
pub type Law<const N: usize> = Vec<([i64; N], f64)>;

/// The convolution of laws, each as often as it is alike.
fn convolved<const N: usize>(
    laws: &[(Vec<(Sums, f64)>, u64)],
    most: usize,
) -> Result<Vec<(Sums, f64)>, usize> {
    let ahead =
        |(step, alike): &(Vec<(Sums, f64)>, u64)| (step.len() as u64).saturating_mul(*alike);
    let mut ahead: u64 = laws.iter().map(ahead).sum();
    let mut law: Law<N> = vec![([0; N], 1.0)];
    let (mut pairs, mut taken) = (0, 0_u64);
    for (step, alike) in laws {
        let narrow = |(sums, p): &(Sums, f64)| (std::array::from_fn(|k| sums.0[k]), *p);
        let step: Law<N> = step.iter().map(narrow).collect();
        for _ in 0..*alike {
            if (most as u64) < taken.saturating_add(ahead.saturating_mul(law.len() as u64)) {
                return Err(pairs);
            }
            taken += (law.len() * step.len()) as u64;
            ahead -= step.len() as u64;
            law = convolve(&law, &step);
            pairs += 1;
        }
    }
    let widen = |(narrow, p): ([i64; N], f64)| {
        let mut sums = Sums::default();
        sums.0[..N].copy_from_slice(&narrow);
        (sums, p)
    };
    Ok(law.into_iter().map(widen).collect())
}

/// The law of the sum of two independent steps. Adding a constant keeps the order of sums, so each step's shifted copy
/// is sorted already and the copies are merged.
#[must_use]
pub fn convolve<const N: usize>(law: &[([i64; N], f64)], step: &[([i64; N], f64)]) -> Law<N> {
    let shifted = |(add, q): &([i64; N], f64)| -> Law<N> {
        let plus = |sums: &[i64; N]| std::array::from_fn(|k| sums[k] + add[k]);
        law.iter().map(|(sums, p)| (plus(sums), p * q)).collect()
    };
    let mut copies: Vec<Law<N>> = step.iter().map(shifted).collect();
    while 1 < copies.len() {
        copies = copies
            .chunks(2)
            .map(|two| if let [a, b] = two { merge(a, b) } else { two[0].clone() })
            .collect();
    }
    copies.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten fair coins: binomial coefficients over 1,024, exactly.
    #[test]
    fn coins_are_binomial() {
        let coin = [([0], 0.5), ([1], 0.5)];
        let mut law = vec![([0], 1.0)];
        for _ in 0..10 {
            law = convolve(&law, &coin);
        }
        let counts: Vec<f64> = law.iter().map(|it| it.1 * 1024.0).collect();
        assert_eq!(counts, [1.0, 10.0, 45.0, 120.0, 210.0, 252.0, 210.0, 120.0, 45.0, 10.0, 1.0]);
    }
}
