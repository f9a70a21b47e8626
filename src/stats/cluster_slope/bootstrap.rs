//! The bootstrap that draws whole clusters: percentile and `BCa` limits of a mean or a slope from
//! the sums of each cluster.
//!
//! Below some thirty clusters the percentile interval covers too little; `BCa` repairs part of
//! that, and [`super::Errors::Cr2`] most of it.

use rand::Rng;

use super::super::interval::Interval;
use super::bca::{bca_levels, bias_correction, quantile, tail};
use super::{ClusterSums, Statistic};

/// What a cluster that is drawn several times counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicity {
    /// As often as it was drawn: the bootstrap.
    Kept,
    /// Once. That is the interval of a random subset, too narrow by a quarter or so; it stands for
    /// comparison with published figures that were computed so.
    Lost,
}

/// Resampled values of a statistic.
#[derive(Clone, Debug)]
pub struct Resampled {
    values: Vec<f64>,
    estimate: f64,
    asked: usize,
}

/// `resamples` draws of as many clusters as there are, with replacement and equal chances (their
/// counts are multinomial), and the statistic of each.
///
/// A draw takes one 32-bit word, seldom two. Resamples in which x does not vary have no slope and
/// are left out; more than one in a hundred of them make intervals refuse.
///
/// # Errors
///
/// A sum is not finite, there are fewer than two clusters with points, x does not vary at all, or
/// nothing was to be drawn.
///
/// A. C. Davison, D. V. Hinkley (1997), Bootstrap Methods and their Application, section 3.8.
pub fn resample(
    clusters: &[ClusterSums],
    statistic: Statistic,
    resamples: usize,
    multiplicity: Multiplicity,
    random: &mut impl Rng,
) -> Result<Resampled, &'static str> {
    resample_until(clusters, statistic, resamples, multiplicity, random, |_, _| false)
}

/// As [`resample`], as long as `enough` says no; it is asked after each resample, with the values so far and the estimate.
pub(super) fn resample_until(
    clusters: &[ClusterSums],
    statistic: Statistic,
    resamples: usize,
    multiplicity: Multiplicity,
    random: &mut impl Rng,
    mut enough: impl FnMut(&[f64], f64) -> bool,
) -> Result<Resampled, &'static str> {
    let units = Units::of(clusters, statistic)?;
    if resamples == 0 {
        return Err("no resample was asked for");
    }
    let estimate = units.value(units.all());
    let mut last_seen = vec![usize::MAX; units.sums.len()];
    let mut values = Vec::with_capacity(resamples);
    let mut asked = 0;
    while asked < resamples {
        let sums = match multiplicity {
            Multiplicity::Kept => units.kept(random),
            Multiplicity::Lost => units.lost(asked, &mut last_seen, random),
        };
        let value = units.value(sums);
        asked += 1;
        if !value.is_nan() {
            values.push(value);
            if enough(&values, estimate) {
                break;
            }
        }
    }
    Ok(Resampled { values, estimate, asked })
}

/// The clusters as n, x, y, xx, xy from their common centre.
pub(super) struct Units {
    sums: Vec<[f64; 5]>,
    count: u32,
    statistic: Statistic,
    /// added to every value: the mean y of the centre
    shift: f64,
}

impl Units {
    pub(super) fn of(clusters: &[ClusterSums], statistic: Statistic) -> Result<Self, &'static str> {
        // The fit refuses what has no estimate, for its own reasons.
        let fit = super::Fit::of(clusters, statistic)?;
        let sums: Vec<_> = fit.clusters.iter().map(|it| [it.n, it.x, it.y, it.xx, it.xy]).collect();
        let count = u32::try_from(sums.len()).map_err(|_| "more than 2^32 clusters")?;
        let shift = if statistic == Statistic::Mean { fit.mean } else { 0.0 };
        Ok(Self { sums, count, statistic, shift })
    }

    fn all(&self) -> [f64; 5] {
        self.sums.iter().fold([0.0; 5], added)
    }

    /// The values of resamples, of which those that are not a number are left out.
    pub(super) fn resampled(&self, mut values: Vec<f64>) -> Result<Resampled, &'static str> {
        let asked = values.len();
        if asked == 0 {
            return Err("no resample was asked for");
        }
        values.retain(|value| !value.is_nan());
        Ok(Resampled { values, estimate: self.value(self.all()), asked })
    }

    /// The statistic of these sums, NaN where x does not vary.
    pub(super) fn value(&self, [n, x, y, xx, xy]: [f64; 5]) -> f64 {
        if self.statistic == Statistic::Mean {
            return self.shift + y / n;
        }
        let spread = n * xx - x * x;
        if spread > 1e-12 * n * xx { (n * xy - x * y) / spread } else { f64::NAN }
    }

    pub(super) fn kept(&self, random: &mut impl Rng) -> [f64; 5] {
        let mut sums = [0.0; 5];
        for _ in 0..self.count {
            sums = added(sums, &self.sums[below(self.count, random)]);
        }
        sums
    }

    /// `last_seen` holds the number of the resample that drew a cluster last.
    fn lost(&self, number: usize, last_seen: &mut [usize], random: &mut impl Rng) -> [f64; 5] {
        let mut sums = [0.0; 5];
        for _ in 0..self.count {
            let drawn = below(self.count, random);
            if last_seen[drawn] != number {
                last_seen[drawn] = number;
                sums = added(sums, &self.sums[drawn]);
            }
        }
        sums
    }
}

fn added(mut sums: [f64; 5], unit: &[f64; 5]) -> [f64; 5] {
    for (sum, it) in sums.iter_mut().zip(unit) {
        *sum += it;
    }
    sums
}

/// A whole number from 0 to `count` - 1, all exactly equally likely.
///
/// D. Lemire (2019), ACM Transactions on Modeling and Computer Simulation 29, 3.
pub(super) fn below(count: u32, random: &mut impl Rng) -> usize {
    const LOW: u64 = 0xFFFF_FFFF;
    let count = u64::from(count);
    let mut product = u64::from(random.next_u32()) * count;
    if product & LOW < count {
        let uneven = (1 << 32) % count;
        while product & LOW < uneven {
            product = u64::from(random.next_u32()) * count;
        }
    }
    (product >> 32) as usize
}

impl Resampled {
    /// The values, in no order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The statistic of the clusters themselves.
    #[must_use]
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// How many resamples had no value.
    #[must_use]
    pub fn undefined(&self) -> usize {
        self.asked - self.values.len()
    }

    /// The percentile interval at a `level` in (0, 1), quantiles as [`quantile`].
    ///
    /// # Errors
    ///
    /// The level is outside (0, 1), or more than 1 % of the resamples have no value.
    pub fn percentile(&mut self, level: f64) -> Result<Interval, &'static str> {
        let tail = tail(level)?;
        self.between([tail, 1.0 - tail])
    }

    /// The bias-corrected and accelerated interval at a `level` in (0, 1), for the acceleration of
    /// the jackknife over clusters ([`super::bca::acceleration`]).
    ///
    /// # Errors
    ///
    /// As [`Resampled::percentile`], and when all resamples lie on one side of the estimate or the
    /// acceleration is too large for the level.
    ///
    /// B. Efron (1987), Journal of the American Statistical Association 82, 171-185.
    pub fn bca(&mut self, acceleration: f64, level: f64) -> Result<Interval, &'static str> {
        let bias = bias_correction(&self.values, self.estimate)?;
        self.between(bca_levels(bias, acceleration, level)?)
    }

    /// Whether all but one in a hundred resamples have a value.
    pub(super) fn enough(&self) -> Result<(), &'static str> {
        if self.asked < 100 * self.undefined() {
            return Err("x does not vary in too many resamples");
        }
        Ok(())
    }

    fn between(&mut self, [low, high]: [f64; 2]) -> Result<Interval, &'static str> {
        self.enough()?;
        let mut at = |p| quantile(&mut self.values, p).ok_or("no resample has a value");
        Ok(Interval { low: at(low)?, high: at(high)? })
    }
}

/// The statistic without each of the clusters in turn.
///
/// # Errors
///
/// A sum is not finite, there are fewer than three clusters with points, or x does not vary without
/// one of them.
pub fn jackknife(clusters: &[ClusterSums], statistic: Statistic) -> Result<Vec<f64>, &'static str> {
    let units = Units::of(clusters, statistic)?;
    if units.count < 3 {
        return Err("fewer than three clusters");
    }
    let without = |left_out: usize| {
        let others = units.sums.iter().enumerate().filter(|(at, _)| *at != left_out);
        units.value(others.fold([0.0; 5], |sums, (_, unit)| added(sums, unit)))
    };
    let values: Vec<f64> = (0..units.sums.len()).map(without).collect();
    if values.iter().any(|value| value.is_nan()) {
        return Err("x does not vary without one of the clusters");
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::super::bca::{acceleration, jackknife_error};
    use super::super::tests::lesson;
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn points(values: &[f64]) -> Vec<ClusterSums> {
        let sums = |&y: &f64| {
            let mut sums = ClusterSums::default();
            sums.add(0.0, y);
            sums
        };
        values.iter().map(sums).collect()
    }

    /// Figures of 14 cases by 6 lengths: slope, and the limits of 2,000 published resamples with
    /// multiplicity kept and lost. Either side's Monte Carlo error is about .004 at the limits.
    #[test]
    fn published_slopes_and_intervals_are_met() {
        const ROWS: [(f64, [f64; 2], [f64; 2]); 3] = [
            (0.050_229_200_373_601_714, [-0.066, 0.185], [-0.031_196, 0.158_548]),
            (0.364_026_291_794_815_1, [0.260, 0.453], [0.284_464, 0.434_831]),
            (-0.491_010_748_243_053_85, [-0.634, -0.355], [-0.603_401, -0.380_158]),
        ];
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for (scores, (slope, kept, lost)) in ROWS.into_iter().enumerate() {
            let clusters = lesson(scores);
            for (multiplicity, want) in [(Multiplicity::Kept, kept), (Multiplicity::Lost, lost)] {
                let mut drawn =
                    resample(&clusters, Statistic::Slope, 20_000, multiplicity, &mut random)
                        .unwrap();
                assert!((drawn.estimate() - slope).abs() < 1e-13, "{}", drawn.estimate());
                let got = drawn.percentile(0.95).unwrap();
                for (got, want) in [(got.low, want[0]), (got.high, want[1])] {
                    assert!((got - want).abs() < 0.016, "{slope} {multiplicity:?} {got} {want}");
                }
            }
        }
    }

    /// All 4^4 resamples of four unequal clusters, listed, against the drawn ones.
    #[test]
    fn the_drawn_law_is_the_listed_one() {
        let clusters = lesson(1)[..4].to_vec();
        let slope_of = |counts: [f64; 4]| {
            let mut all = ClusterSums::default();
            for (it, w) in clusters.iter().zip(counts) {
                let (n, x, y) = (w * it.n, w * it.x, w * it.y);
                all.merge(&ClusterSums { n, x, y, xx: w * it.xx, xy: w * it.xy, yy: 0.0 });
            }
            (all.n * all.xy - all.x * all.y) / (all.n * all.xx - all.x * all.x)
        };
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for multiplicity in [Multiplicity::Kept, Multiplicity::Lost] {
            let mut listed = Vec::new();
            for code in 0..256_usize {
                let mut counts = [0.0_f64; 4];
                for step in 0..4 {
                    counts[code >> (2 * step) & 3] += 1.0;
                }
                if multiplicity == Multiplicity::Lost {
                    counts = counts.map(|count| count.min(1.0));
                }
                listed.push(slope_of(counts));
            }
            let drawn =
                resample(&clusters, Statistic::Slope, 40_000, multiplicity, &mut random).unwrap();
            assert_eq!(drawn.undefined(), 0);
            for edge in [0.18, 0.2, 0.22, 0.24, 0.26] {
                let share = |values: &[f64]| {
                    values.iter().filter(|&&it| it < edge).count() as f64 / values.len() as f64
                };
                let (got, want) = (share(drawn.values()), share(&listed));
                assert!((got - want).abs() < 4.0 * 0.0025, "{multiplicity:?} {edge} {got} {want}");
            }
        }
    }

    /// Published values: all 256 resamples of 0, 1, 1, 3; and the law of the drawn means.
    #[test]
    fn the_exhaustive_bootstrap_of_a_mean_is_met() {
        let data = [0.0, 1.0, 1.0, 3.0];
        let mut means: Vec<f64> = (0..256_usize)
            .map(|code| (0..4).map(|step| data[code >> (2 * step) & 3]).sum::<f64>() / 4.0)
            .collect();
        let centre = means.iter().sum::<f64>() / 256.0;
        let variance = means.iter().map(|it| (it - centre) * (it - centre)).sum::<f64>() / 256.0;
        assert_eq!((centre, variance), (1.25, 0.296_875));
        assert_eq!(quantile(&mut means, 0.025), Some(0.25));
        assert_eq!(quantile(&mut means, 0.975), Some(2.5));
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let kept = Multiplicity::Kept;
        let mut drawn =
            resample(&points(&data), Statistic::Mean, 40_000, kept, &mut random).unwrap();
        let got = drawn.percentile(0.95).unwrap();
        assert!((got.low - 0.25).abs() < 1e-12 && (got.high - 2.5).abs() < 1e-12);
        let mean = drawn.values().iter().sum::<f64>() / 40_000.0;
        assert!((mean - 1.25).abs() < 4.0 * (variance / 40_000.0).sqrt());
    }

    /// A mean's acceleration is the third moment's sum over six times the second's to 3/2, and the
    /// jackknife's error of a mean is s / sqrt(n); `BCa` then leans to the long tail.
    #[test]
    fn bca_of_a_skewed_mean_leans_to_its_tail() {
        let data = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 9.0];
        let values = jackknife(&points(&data), Statistic::Mean).unwrap();
        assert!((values[7] - 1.0).abs() < 1e-14 && (values[0] - 16.0 / 7.0).abs() < 1e-14);
        let gaps = data.map(|it| it - 2.0);
        let squares: f64 = gaps.iter().map(|gap| gap * gap).sum();
        let cubes: f64 = gaps.iter().map(|gap| gap * gap * gap).sum();
        let a = acceleration(&values).unwrap();
        assert!((a - cubes / (6.0 * squares.powi(3).sqrt())).abs() < 1e-12 && a > 0.0);
        let error = jackknife_error(&values).unwrap();
        assert!((error - (squares / 56.0).sqrt()).abs() < 1e-12);
        let (mut random, kept) = (ChaCha8Rng::seed_from_u64(4), Multiplicity::Kept);
        let mut drawn =
            resample(&points(&data), Statistic::Mean, 20_000, kept, &mut random).unwrap();
        let (plain, bca) = (drawn.percentile(0.95).unwrap(), drawn.bca(a, 0.95).unwrap());
        assert!(plain.low < bca.low && plain.high < bca.high, "{plain:?} {bca:?}");
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (kept, slope) = (Multiplicity::Kept, Statistic::Slope);
        let flat = points(&[1.0, 2.0, 3.0]);
        let reason = |got: Result<Resampled, _>| got.unwrap_err();
        assert_eq!(reason(resample(&flat, slope, 9, kept, &mut random)), "x does not vary");
        assert!(reason(resample(&flat[..1], slope, 9, kept, &mut random)).contains("two clusters"));
        let none = resample(&flat, Statistic::Mean, 0, kept, &mut random);
        assert!(reason(none).contains("no resample"));
        // Two clusters, each at one x: half of the resamples have no slope.
        let mut pair = [ClusterSums::default(); 2];
        pair[0].add(0.0, 1.0);
        pair[1].add(1.0, 3.0);
        let mut drawn = resample(&pair, slope, 1000, kept, &mut random).unwrap();
        assert!(drawn.undefined() > 400 && (drawn.estimate() - 2.0).abs() < 1e-15);
        assert!(drawn.percentile(0.95).unwrap_err().contains("too many resamples"));
        assert!(drawn.bca(0.0, 0.95).is_err());
        assert!(jackknife(&pair, slope).unwrap_err().contains("three clusters"));
        let mut three = [pair[0], pair[1], pair[0]];
        assert!(jackknife(&three, slope).unwrap_err().contains("without one"));
        three[2].xx = f64::NAN;
        assert_eq!(jackknife(&three, slope), Err("a sum is not finite"));
        for level in [0.0, 1.0, f64::NAN] {
            assert!(drawn.percentile(level).unwrap_err().contains("level"));
        }
    }
}
