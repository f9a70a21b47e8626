//! A certificate of one design: how every interval and test on offer does in it, each figure with its Monte Carlo error.

use std::ops::Range;

use super::performance::certificate::{figures, recentred};
use super::{Gathered, Measure, Row, draws, place_of, readings, rows, truths, weighted_totals};
use crate::estimators::Settings;
use crate::estimators::{Estimate, Undefined};
use crate::evidence::Weighted;
use crate::protocol::Task;

/// As [`rows`], with the measures of [`Measure::CERTIFIED`] besides. The replicates are those that were gathered; rules that
/// were folded are asked about them once more, because bias-eliminated coverage needs the mean first.
#[must_use]
pub fn certificate(
    task: &Task,
    gathered: &Gathered,
    seed: u64,
    replicates: Range<u64>,
    settings: &Settings,
) -> Vec<Row> {
    let mut rows = rows(task, gathered, settings);
    let means: Vec<Option<f64>> =
        rows.iter().map(|row| row.performance.value(Measure::Mean)).collect();
    let again = held_again(task, gathered, &means, (seed, replicates), settings);
    let (readings, truths) = (readings(&task.estimators), truths(task, settings));
    for (k, (row, truths)) in rows.iter_mut().zip(truths).enumerate() {
        let it = row.estimator;
        let more = if let Some(totals) = &gathered.folded[k] {
            let known = if task.world_by_world() {
                Err(Undefined("worlds are compared one by one"))
            } else {
                recentred(again[k].0, again[k].1)
            };
            figures(totals, (truths.estimand, truths.null), known, settings)
        } else {
            let evidence = place_of(&readings, it).and_then(|at| gathered.counts[at].as_ref());
            let Some(evidence) = evidence else { continue };
            let totals = weighted_totals(it, evidence, truths.estimand, settings);
            let (held, n) = held_in(row, evidence, means[k], settings);
            figures(&totals, (truths.estimand, truths.null), recentred(held, n), settings)
        };
        row.performance.figures.extend(more);
    }
    rows
}

fn holds(it: &Estimate, mean: f64) -> bool {
    it.limits.low <= mean && mean <= it.limits.high
}

/// Replicates whose interval holds the mean, and all of them, from counted evidence.
fn held_in(row: &Row, evidence: &Weighted, mean: Option<f64>, settings: &Settings) -> (f64, f64) {
    let (mut held, mut n) = (0.0, 0.0);
    let Some(mean) = mean else { return (held, n) };
    evidence.each(|sums, weight| {
        n += weight;
        if holds(&row.estimator.estimate(sums, settings), mean) {
            held += weight;
        }
    });
    (held, n)
}

/// The same, by estimator, for rules that were folded: their replicates are drawn again.
fn held_again(
    task: &Task,
    gathered: &Gathered,
    means: &[Option<f64>],
    (seed, replicates): (u64, Range<u64>),
    settings: &Settings,
) -> Vec<(f64, f64)> {
    let mut held = vec![(0.0, 0.0); means.len()];
    let folded = |k: usize| gathered.folded[k].is_some() && !task.world_by_world();
    let places: Vec<usize> = (0..means.len()).filter(|k| folded(*k)).collect();
    if places.is_empty() {
        return held;
    }
    let estimators = places.iter().map(|k| task.estimators[*k]).collect();
    let again = [Task { estimators, ..task.clone() }];
    let mut next = 0;
    let done = draws(&again, seed, replicates, settings, &mut |draw| {
        let k = places[next % places.len()];
        next += 1;
        if let Some(mean) = means[k] {
            held[k].1 += 1.0;
            held[k].0 += f64::from(u8::from(holds(&draw.estimate, mean)));
        }
        Ok::<(), ()>(())
    });
    // Nothing above can fail.
    done.map_or(Vec::new(), |()| held)
}
