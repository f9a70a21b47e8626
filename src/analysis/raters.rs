//! Two raters of the same answers: agreement, and what corrects it for chance, with what each of these hides beside it.

use serde::{Deserialize, Serialize};

use super::Options;
use super::jackknife::Items;
use super::number::Number;
use super::position::share_of;
use crate::evidence::Gold;
use crate::stats::agreement::{gwet_ac1, kappa_maximum, matthews};
use crate::stats::kappa::{agreement, cohen_kappa};
use crate::stats::special::normal_quantile;

/// Cells of first rater by second: A, tie, B each; in slots, first, tie, second.
pub(super) const CELLS: usize = 9;

/// How two raters agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raters {
    /// Verdicts that both gave.
    pub verdicts: u64,
    /// The table, first rater by second: A, tie, B (in slots: first, tie, second).
    pub table: [[u64; 3]; 3],
    /// The share of equal verdicts.
    pub raw: Number,
    /// Cohen's kappa.
    pub kappa: Number,
    /// The largest kappa that these margins allow.
    pub kappa_maximum: Number,
    /// Gwet's AC1, over the classes in use.
    pub ac1: Number,
    /// Matthews' correlation; for three classes its generalisation.
    pub mcc: Number,
    /// Where the second rater says the first class, how often the first does.
    pub sensitivity: Number,
    /// Where the second rater says the last class, how often the first does.
    pub specificity: Number,
    /// The second rater's share of the first class among its decisive verdicts.
    pub prevalence: Number,
}

/// The cell of a verdict and another.
pub(super) const fn cell(first: Gold, second: Gold) -> usize {
    3 * (first as usize) + second as usize
}

/// One item in one cell.
pub(super) const fn one(cell: usize) -> [u32; CELLS] {
    let mut cells = [0; CELLS];
    cells[cell] = 1;
    cells
}

/// The classes that either rater uses, as a square table.
fn used(table: &[f64; CELLS]) -> Vec<Vec<f64>> {
    let at = |i: usize, j: usize| table[3 * i + j];
    let used: Vec<usize> =
        (0..3).filter(|k| (0..3).any(|other| 0.0 < at(*k, other) + at(other, *k))).collect();
    used.iter().map(|i| used.iter().map(|j| at(*i, *j)).collect()).collect()
}

/// The share of the cells `hit` among the cells `all`.
fn share(
    table: &[f64; CELLS],
    hit: &[usize],
    all: &[usize],
    why: &'static str,
) -> Result<f64, &'static str> {
    let sum = |cells: &[usize]| cells.iter().map(|cell| table[*cell]).sum::<f64>();
    if 0.0 < sum(all) { Ok(sum(hit) / sum(all)) } else { Err(why) }
}

/// How two raters agree on some items; each item may hold several verdicts.
pub(super) fn raters(items: &Items<CELLS>, options: &Options) -> Raters {
    let table = items.table();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
    let count = |it: f64| it as u64;
    let cells = table.map(count);
    let simple = items.simple();
    // A sample of single verdicts has a binomial share; several on one item do not.
    let share_in = |hit: &'static [usize], all: &'static [usize], why: &'static str| {
        let sum = |of: &[usize]| of.iter().map(|cell| cells[*cell]).sum::<u64>();
        if simple && 0 < sum(all) {
            share_of(sum(hit), sum(all), options)
        } else {
            items.number(&move |table| share(table, hit, all, why), options)
        }
    };
    Raters {
        verdicts: cells.iter().sum(),
        table: [0, 3, 6].map(|row: usize| [cells[row], cells[row + 1], cells[row + 2]]),
        raw: if simple {
            share_of(cells[0] + cells[4] + cells[8], cells.iter().sum(), options)
        } else {
            items.number(&|table| agreement(&used(table)), options)
        },
        kappa: kappa(items, &table, simple, options),
        kappa_maximum: Number::of(kappa_maximum(&used(&table))),
        ac1: items.number(&|table| gwet_ac1(&used(table)).map(|it| it.value), options),
        mcc: items.number(&|table| matthews(&used(table)), options),
        sensitivity: share_in(&[0], &[0, 3, 6], "the second rater never says the first class"),
        specificity: share_in(&[8], &[2, 5, 8], "the second rater never says the last class"),
        prevalence: share_in(&[0, 3, 6], &[0, 3, 6, 2, 5, 8], "the second rater never decides"),
    }
}

fn kappa(items: &Items<CELLS>, table: &[f64; CELLS], simple: bool, options: &Options) -> Number {
    let value = |table: &[f64; CELLS]| cohen_kappa(&used(table)).map(|it| it.value);
    if !simple {
        return items.number(&value, options);
    }
    match cohen_kappa(&used(table)) {
        Ok(it) if 0.0 < it.error => {
            let half = normal_quantile(0.5 + options.level.get() / 2.0) * it.error;
            let mut number = Number::exact(it.value).with_se(it.error);
            (number.low, number.high) = (Some(it.value - half), Some((it.value + half).min(1.0)));
            number.by("normal interval with the error of Fleiss, Cohen & Everitt (1969)")
        }
        Ok(it) => Number::exact(it.value),
        Err(why) => Number::none(why),
    }
}
