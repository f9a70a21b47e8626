//! Precision: replicates are added until every requested measure is known well enough.
//!
//! After each batch the replicates that should suffice are foretold from the Monte Carlo errors so far, so a long study is
//! looked at a few times only. The batches follow from counts alone: any number of threads ends at the same replicate.

use super::{Figure, Gathered, Measure, rows};
use crate::estimators::Settings;
use crate::protocol::Task;
use crate::stats::interval::wilson;
use crate::stats::special::normal_quantile;

/// How well measures are to be known.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The largest Monte Carlo standard error of any requested measure, in its own unit.
    pub mcse: f64,
    /// The measures.
    pub measures: Vec<Measure>,
    /// At least so many replicates a cell.
    pub least: u64,
    /// At most so many replicates a cell.
    pub most: u64,
}

/// Replicates are added in multiples of this.
const BATCH: u64 = 1024;

/// Whether so many replicates are enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Enough {
    /// They are, or no more are allowed; the largest error of a requested measure over the one that was asked for.
    Yes(f64),
    /// So many should be tried next.
    Next(u64),
}

impl Precision {
    /// Whether the replicates are enough that gave this; what is tried next depends on them alone.
    #[must_use]
    pub fn enough(
        &self,
        tasks: &[Task],
        gathered: &[Gathered],
        settings: &Settings,
        replicates: u64,
    ) -> Enough {
        let ratio = worst(tasks, gathered, self, settings, replicates);
        if ratio <= 1.0 || self.most <= replicates {
            return Enough::Yes(ratio);
        }
        Enough::Next(after(replicates, ratio).min(self.most))
    }
}

/// Errors shrink with the root of the replicates. A forecast from few of them is uncertain, so none more than doubles.
fn after(replicates: u64, ratio: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most doubled")]
    let wanted = (replicates as f64 * (ratio * ratio).min(2.0)) as u64;
    (wanted.max(replicates + 1)).div_ceil(BATCH).saturating_mul(BATCH)
}

/// The largest error of a requested measure, over the error that is asked for.
fn worst(
    tasks: &[Task],
    gathered: &[Gathered],
    precision: &Precision,
    settings: &Settings,
    replicates: u64,
) -> f64 {
    let mut worst = 0.0;
    for (task, gathered) in tasks.iter().zip(gathered) {
        for row in rows(task, gathered, settings) {
            for measure in &precision.measures {
                let Some(figure) = row.performance.get(*measure) else { continue };
                let Ok(value) = figure.value else { continue };
                let share = measure.is_share();
                let n = figure.replicates.unwrap_or(replicates);
                let error = if share { share_error(value, n) } else { mcse(figure) };
                worst = f64::max(worst, error / precision.mcse);
            }
        }
    }
    worst
}

/// One replicate has no error to tell; an exact figure has none to fear.
fn mcse(figure: &Figure) -> f64 {
    match (figure.mcse, figure.replicates) {
        (Some(mcse), _) if mcse.is_finite() => mcse,
        (None, None) => 0.0,
        _ => f64::INFINITY,
    }
}

/// The error of a share: half the width of Wilson's interval in standard errors. At a share of 0 or 1 the usual one is 0,
/// and the study would stop at once.
fn share_error(share: f64, n: u64) -> f64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let count = libm::rint(share * n as f64) as u64;
    let interval = wilson(count, n, 0.95);
    (interval.high - interval.low) / (2.0 * normal_quantile(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_share_is_known_at_once() {
        // 0 of 100: Wilson's upper limit is z^2 / (n + z^2) = .0369935, R: binom::binom.wilson(0, 100).
        assert!((share_error(0.0, 100) - 0.036_993_5 / 3.919_928).abs() < 1e-6);
        // Far from the ends it is the usual error.
        assert!((share_error(0.5, 10_000) - 0.005).abs() < 2e-6);
    }

    #[test]
    fn forecasts_grow_by_batches_and_at_most_double() {
        assert_eq!(after(1024, 1.01), 2048);
        assert_eq!(after(10_240, 1.1), 13_312);
        assert_eq!(after(10_240, 50.0), 20_480);
        assert_eq!(after(1000, 1.0001), 1024);
    }
}
