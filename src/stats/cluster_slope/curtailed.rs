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

#[cfg(test)]
mod tests {
    use super::super::bca::acceleration;
    use super::super::bootstrap::{jackknife, resample};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Whether the whole bootstrap leaves 0 out.
    fn whole(clusters: &[ClusterSums], statistic: Statistic, asked: Asked, seed: u64) -> bool {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let Asked { resamples, multiplicity, which, level } = asked;
        let drawn = resample(clusters, statistic, resamples, multiplicity, &mut random);
        let interval = drawn.and_then(|mut drawn| match which {
            Which::Percentile => drawn.percentile(level),
            Which::Bca(acceleration) => drawn.bca(acceleration, level),
        });
        interval.is_ok_and(|it| !it.contains(0.0))
    }

    fn clusters(points: &[Vec<(i8, i8)>], tilt: f64) -> Vec<ClusterSums> {
        let one = |points: &Vec<(i8, i8)>| {
            let mut sums = ClusterSums::default();
            for (x, y) in points {
                sums.add(f64::from(*x), f64::from(*y) + tilt * f64::from(*x));
            }
            sums
        };
        points.iter().map(one).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Few clusters of few points: some resamples have no slope, many values tie, 0 is hit exactly.
        #[test]
        fn the_verdict_is_that_of_the_whole_bootstrap(
            points in prop::collection::vec(prop::collection::vec((-2_i8..3, -3_i8..4), 1..6), 2..14),
            tilt in prop::sample::select(vec![0.0, 0.25, 0.5, 1.0, 4.0]),
            resamples in prop::sample::select(vec![1_usize, 2, 39, 200, 999, 2000]),
            level in prop::sample::select(vec![0.5, 0.9, 0.95, 0.99]),
            lost in any::<bool>(),
            mean in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let clusters = clusters(&points, tilt);
            let statistic = if mean { Statistic::Mean } else { Statistic::Slope };
            let multiplicity = if lost { Multiplicity::Lost } else { Multiplicity::Kept };
            let pull = jackknife(&clusters, statistic).and_then(|it| acceleration(&it));
            let mut all = vec![Which::Percentile];
            all.extend(pull.ok().map(Which::Bca));
            for which in all {
                let asked = Asked { resamples, multiplicity, which, level };
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                let got = curtailed(&clusters, statistic, asked, &mut random);
                let got = got.is_ok_and(|it| it.rejects);
                prop_assert_eq!(got, whole(&clusters, statistic, asked, seed), "{:?}", which);
            }
        }
    }

    /// Fourteen cases of six lengths as noise, and with slopes that are seen more and more: the mean number of resamples of
    /// 2,000. Where nothing is to be seen a quarter of them is enough.
    #[test]
    fn most_is_saved_where_little_is_seen() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut means = Vec::new();
        for slope in [0.0, 0.1, 0.2, 0.4] {
            let mut drawn = [0, 0];
            for _ in 0..150 {
                let mut case = || {
                    let mut sums = ClusterSums::default();
                    for k in 0..6 {
                        // Twelve words of one bit and their mean: noise of variance 3.
                        let noise = f64::from((random.next_u32() & 0xFFF).count_ones()) - 6.0;
                        let x = f64::from(k) - 2.5;
                        sums.add(x, slope * x + noise);
                    }
                    sums
                };
                let clusters: Vec<ClusterSums> = (0..14).map(|_| case()).collect();
                let pull = jackknife(&clusters, Statistic::Slope).and_then(|it| acceleration(&it));
                for (k, which) in
                    [Which::Percentile, Which::Bca(pull.unwrap())].into_iter().enumerate()
                {
                    let multiplicity = Multiplicity::Kept;
                    let asked = Asked { resamples: 2000, multiplicity, which, level: 0.95 };
                    let it = curtailed(&clusters, Statistic::Slope, asked, &mut random).unwrap();
                    drawn[k] += it.drawn;
                }
            }
            means.push(drawn.map(|it| it / 150));
        }
        assert!(means[0][0] < 700 && means[0][1] < 1700, "{means:?}");
        assert!(means[0][0] < means[1][0] && means[1][0] < means[3][0], "{means:?}");
    }
}
