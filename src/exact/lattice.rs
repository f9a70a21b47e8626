//! The law of the evidence on a dense lattice, pair by pair, and the power of a rule's test on it.
//!
//! A test that reads at most two sums that vary on their own (FF and SS; the sum and the squares of a z test; one share)
//! lives on a plane of small whole numbers. Adding a pair is a handful of shifted additions, and the test is asked only
//! along the border of what it accepts, so one pass gives the power at every number of pairs.

use super::Power;
use super::axes::Axes;
use super::run::{Known, Run, find};
use crate::estimators::{Estimator, Settings};
use crate::evidence::Sums;

/// The mass that may be dropped from the tails, over all pairs.
const DROPPED: f64 = 1e-12;
/// Cells of a plane that fit: 256 MB.
const MOST_CELLS: i64 = 1 << 25;
/// Rounding of a probability, a pair: each pair multiplies and adds.
const ROUNDING: f64 = 1e-15;

/// Why a law has no lattice here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// More than two sums vary on their own.
    MoreThanAPlane,
    /// The plane would be too large.
    TooLarge,
}

/// The law of what a rule's test reads, after some pairs.
#[derive(Debug)]
pub struct Lattice {
    rule: &'static Estimator,
    settings: Settings,
    axes: Axes,
    pairs: i64,
    /// Mass that may go with each pair.
    budget: f64,
    dropped: f64,
    plane: Plane,
    spare: Vec<f64>,
    /// By row: what is known of it from fewer pairs.
    known: Vec<Option<Known>>,
}

/// Probabilities over rows and columns, both ends included; `origin` is the first cell of the memory.
#[derive(Debug)]
struct Plane {
    rows: Run,
    columns: Run,
    origin: [i64; 2],
    stride: usize,
    cells: Vec<f64>,
}

/// A place as a number of cells; places are never negative.
fn place(at: i64) -> usize {
    usize::try_from(at).unwrap_or(0)
}

impl Plane {
    fn row(&self, row: i64) -> &[f64] {
        let start = place(row - self.origin[0]) * self.stride;
        let [low, high] =
            [self.columns.low, self.columns.high].map(|at| place(at - self.origin[1]));
        &self.cells[start + low..=start + high]
    }
}

impl Lattice {
    /// The law before the first of at most `most` pairs, whose laws take the given steps.
    ///
    /// # Errors
    /// When the test reads more than two sums that vary on their own.
    pub fn new(
        rule: &'static Estimator,
        settings: Settings,
        laws: &[&[(Sums, f64)]],
        most: u64,
    ) -> Result<Self, Unfit> {
        let steps: Vec<Sums> = laws.iter().flat_map(|law| law.iter().map(|it| it.0)).collect();
        let all: Vec<usize> = (0..rule.reads.lanes()).collect();
        let lanes = rule.quick.map_or(all.as_slice(), |quick| quick.lanes);
        let axes = Axes::of(&steps, lanes).ok_or(Unfit::MoreThanAPlane)?;
        let point = Run { low: 0, high: 0 };
        Ok(Self {
            rule,
            settings,
            axes,
            pairs: 0,
            budget: DROPPED / most.max(1) as f64,
            dropped: 0.0,
            plane: Plane {
                rows: point,
                columns: point,
                origin: [0, 0],
                stride: 1,
                cells: vec![1.0],
            },
            spare: Vec::new(),
            known: Vec::new(),
        })
    }

    /// Adds a pair, independent of the others, with this law.
    ///
    /// # Errors
    /// When the plane would be too large.
    pub fn add(&mut self, law: &[(Sums, f64)]) -> Result<(), Unfit> {
        let steps: Vec<([i64; 2], f64)> =
            law.iter().map(|(sums, p)| (self.axes.place(sums), *p)).collect();
        let reach = |k: usize| {
            let each = steps.iter().map(|it| it.0[k]);
            each.fold((i64::MAX, i64::MIN), |it, at| (it.0.min(at), it.1.max(at)))
        };
        let grown =
            |run: Run, (low, high): (i64, i64)| Run { low: run.low + low, high: run.high + high };
        let rows = grown(self.plane.rows, reach(0));
        let columns = grown(self.plane.columns, reach(1));
        let [height, width] = [rows, columns].map(|run| run.high - run.low + 1);
        if MOST_CELLS < height.saturating_mul(width) {
            return Err(Unfit::TooLarge);
        }
        let mut cells = std::mem::take(&mut self.spare);
        cells.clear();
        cells.resize(place(height * width), 0.0);
        let mut sums = vec![0.0; place(width)];
        let mut by_row = Vec::with_capacity(place(height));
        for (row, target) in (rows.low..).zip(cells.chunks_exact_mut(place(width))) {
            for ([down, right], p) in &steps {
                let from = row - down;
                if self.plane.rows.low <= from && from <= self.plane.rows.high {
                    let source = self.plane.row(from);
                    let start = place(self.plane.columns.low + right - columns.low);
                    for (cell, mass) in target[start..].iter_mut().zip(source) {
                        *cell += p * mass;
                    }
                }
            }
            let mut whole = 0.0;
            for (sum, cell) in sums.iter_mut().zip(target.iter()) {
                *sum += cell;
                whole += cell;
            }
            by_row.push(whole);
        }
        self.spare = std::mem::replace(&mut self.plane.cells, cells);
        self.plane.origin = [rows.low, columns.low];
        self.plane.stride = place(width);
        self.plane.rows = self.trimmed(rows, &by_row);
        self.plane.columns = self.trimmed(columns, &sums);
        self.pairs += 1;
        Ok(())
    }

    /// A range without the ends that hold next to nothing.
    fn trimmed(&mut self, mut run: Run, masses: &[f64]) -> Run {
        let quarter = self.budget / 4.0;
        let mut gone = 0.0;
        for mass in masses {
            if run.high <= run.low || quarter < gone + mass {
                break;
            }
            gone += mass;
            run.low += 1;
        }
        self.dropped += gone;
        gone = 0.0;
        for mass in masses.iter().rev() {
            if run.high <= run.low || quarter < gone + mass {
                break;
            }
            gone += mass;
            run.high -= 1;
        }
        self.dropped += gone;
        run
    }

    /// The power of the test at the pairs so far.
    pub fn power(&mut self) -> Power {
        let rows = self.plane.rows;
        self.known.resize(self.known.len().max(place(rows.high) + 1), None);
        let (rule, settings, pairs, axes) = (self.rule, &self.settings, self.pairs, &self.axes);
        let mut above = Run::EMPTY;
        let mut sums = Sums::default();
        let mut rejected = 0.0;
        for row in rows.low..=rows.high {
            let masses = self.plane.row(row);
            let Some(first) = masses.iter().position(|mass| 0.0 < *mass) else { continue };
            let last = masses.iter().rposition(|mass| 0.0 < *mass).unwrap_or(first);
            let column = |at: usize| self.plane.columns.low + i64::try_from(at).unwrap_or(0);
            let mut accepts = |column: i64| {
                axes.fill(pairs, [row, column], &mut sums);
                !rule.rejects(&sums, settings)
            };
            // At its start a line may hold pairs that are all equal, which no z test can reject: it is asked by itself.
            rejected += if accepts(column(first)) { 0.0 } else { masses[first] };
            let inner = Run { low: column(first) + 1, high: column(last) };
            let known = &mut self.known[place(row)];
            let run = find(inner, *known, above, &mut accepts);
            *known = Some(Known { asked: inner, run });
            above = run;
            let (start, end) = if run.is_empty() {
                (last + 1, last + 1)
            } else {
                (
                    place(run.low - self.plane.columns.low),
                    place(run.high - self.plane.columns.low) + 1,
                )
            };
            rejected += masses[first + 1..start].iter().sum::<f64>();
            rejected += masses[end..=last].iter().sum::<f64>();
        }
        let error = self.dropped + ROUNDING * self.pairs as f64;
        Power { value: rejected.clamp(0.0, 1.0), error }
    }
}

/// The power of a rule's test for pairs in order, each with its law by place, at every number of pairs up to all of them.
///
/// # Errors
/// As [`Lattice::new`] and [`Lattice::add`].
pub fn curve(
    rule: &'static Estimator,
    settings: Settings,
    laws: &[&[(Sums, f64)]],
    pairs: impl Iterator<Item = usize>,
    most: u64,
) -> Result<Vec<Power>, Unfit> {
    let mut lattice = Lattice::new(rule, settings, laws, most)?;
    pairs
        .map(|law| {
            lattice.add(laws[law])?;
            Ok(lattice.power())
        })
        .collect()
}

#[cfg(test)]
mod tests;
