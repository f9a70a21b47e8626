//! The bootstrap's verdict on no slope alone: it stops as soon as both tails hold enough values for an interval that no
//! later resample can move away from 0. The verdict is that of the whole bootstrap, from the same generator.
//!
//! Only an interval that holds 0 can be foreseen long before the end; one that leaves it out needs nearly all resamples.
//! So most is saved where the power is low.

use rand::Rng;

use super::super::special::normal_quantile;
use super::bca::{bca_levels, tail};
use super::bootstrap::{Multiplicity, resample_until};
use super::{ClusterSums, Statistic};

/// Which interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Which {
    /// The percentile interval.
    Percentile,
    /// The `BCa` interval, with this acceleration.
    Bca(f64),
}

/// What is asked of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// How many resamples there would be.
    pub resamples: usize,
    /// What a cluster that is drawn several times counts for.
    pub multiplicity: Multiplicity,
    /// The interval.
    pub which: Which,
    /// Its level, in (0, 1).
    pub level: f64,
}

/// A verdict, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the interval leaves 0 out. An interval that cannot be given does not.
    pub rejects: bool,
    /// Resamples that were drawn and had a value.
    pub drawn: usize,
}

/// Whether the interval of [`super::bootstrap::resample`] leaves 0 out.
///
/// # Errors
///
/// As [`super::bootstrap::resample`].
pub fn curtailed(
    clusters: &[ClusterSums],
    statistic: Statistic,
    asked: Asked,
    random: &mut impl Rng,
) -> Result<Verdict, &'static str> {
    let Asked { resamples, multiplicity, which, level } = asked;
    let mut tails = [0, 0];
    let needed = percentile_needs(resamples, level);
    let mut settled = false;
    let enough = |values: &[f64], estimate: f64| {
        let last = values.last().copied().unwrap_or(f64::NAN);
        tails[0] += usize::from(last <= 0.0);
        tails[1] += usize::from(0.0 <= last);
        settled = match which {
            Which::Percentile => needed.is_some_and(|it| it[0] <= tails[0] && it[1] <= tails[1]),
            Which::Bca(acceleration) => {
                // A look costs as much as some draws.
                values.len().is_multiple_of(LOOK) && tails[0].min(tails[1]) > 1 && {
                    let needs = bca_needs(values, estimate, resamples, acceleration, level);
                    needs.is_some_and(|it| it[0] <= tails[0] && it[1] <= tails[1])
                }
            }
        };
        settled
    };
    let mut drawn = resample_until(clusters, statistic, resamples, multiplicity, random, enough)?;
    let count = drawn.values().len();
    if settled {
        return Ok(Verdict { rejects: false, drawn: count });
    }
    let interval = match which {
        Which::Percentile => drawn.percentile(level),
        Which::Bca(acceleration) => drawn.bca(acceleration, level),
    };
    Ok(Verdict { rejects: interval.is_ok_and(|it| !it.contains(0.0)), drawn: count })
}

/// Draws between two looks at `BCa`'s levels.
const LOOK: usize = 50;
/// Rounding moves levels by less than this.
const SLACK: f64 = 1e-9;

/// How many values at most 0 and at least 0 are enough for quantiles at these probabilities to enclose 0. Resamples without
/// a value only make both numbers smaller.
fn needs(resamples: usize, low: f64, high: f64) -> Option<[usize; 2]> {
    let last = resamples.checked_sub(1)? as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "below the number of resamples"
    )]
    let place = |p: f64| (last * p.clamp(0.0, 1.0)) as usize;
    // The lower quantile lies between the order statistics at its place and the next, the upper one not below its own.
    Some([place(low) + 2, resamples - place(high)])
}

fn percentile_needs(resamples: usize, level: f64) -> Option<[usize; 2]> {
    let tail = tail(level).ok()?;
    needs(resamples, tail, 1.0 - tail)
}

/// As [`percentile_needs`], for whatever share of all resamples will lie below the estimate.
fn bca_needs(
    values: &[f64],
    estimate: f64,
    resamples: usize,
    acceleration: f64,
    level: f64,
) -> Option<[usize; 2]> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Values as good as equal to the estimate count half, and how good that is depends on the range in the end. Whatever is
    // this close may still fall on either side; later values would have to lie a thousand million times further out to
    // take in more.
    let near = 1e-3 * (high - low);
    let below = values.iter().filter(|it| **it - estimate < -near).count();
    let above = values.iter().filter(|it| near < **it - estimate).count();
    let all = resamples as f64;
    let bias = |share: f64| (0.0 < share && share < 1.0).then(|| normal_quantile(share));
    let [least, most] = [bias(below as f64 / all)?, bias((all - above as f64) / all)?];
    let lower = bca_levels(most, acceleration, level).ok()?[0];
    let upper = bca_levels(least, acceleration, level).ok()?[1];
    needs(resamples, lower + SLACK, upper - SLACK)
}
