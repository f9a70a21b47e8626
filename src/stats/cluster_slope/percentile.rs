//! The test that goes with the percentile bootstrap over clusters: where the interval would end at the null value.

use rand::Rng;

use super::bootstrap::{Resampled, Units};
use super::{ClusterSums, Statistic};

impl Resampled {
    /// The two-sided p-value of a null value: twice the smaller probability at which a quantile meets it (quantiles as
    /// [`super::bca::quantile`]), so that p <= 1 - level where the percentile interval leaves it out. It is 0 where all
    /// resamples lie beyond the null value: so many resamples cannot tell how small p is.
    ///
    /// # Errors
    ///
    /// More than 1 % of the resamples have no value.
    pub fn p_value(&self, null: f64) -> Result<f64, &'static str> {
        self.enough()?;
        let upside_down = self.values().iter().map(|it| -it);
        let below = reached(self.values().iter().copied(), null);
        let above = reached(upside_down, -null);
        Ok((2.0 * below.min(above)).min(1.0))
    }
}

/// The largest probability whose quantile does not exceed `null`; 0 where there is none.
fn reached(values: impl ExactSizeIterator<Item = f64>, null: f64) -> f64 {
    let last = values.len() as f64 - 1.0;
    let (mut count, mut low, mut high) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
    for it in values {
        if it <= null {
            count += 1.0;
            low = low.max(it);
        } else {
            high = high.min(it);
        }
    }
    if low == f64::NEG_INFINITY {
        0.0
    } else if high == f64::INFINITY {
        1.0
    } else {
        (count - 1.0 + (null - low) / (high - low)) / last
    }
}

/// Whether the percentile bootstrap rejects a null value: p <= `alpha`, as [`Resampled::p_value`] says it of resamples that
/// keep multiplicity, on the same random words. It draws only until both tails hold so many resamples that the verdict is known.
///
/// # Errors
///
/// As [`super::bootstrap::resample`] and [`Resampled::p_value`], where all resamples were drawn.
pub fn rejects(
    clusters: &[ClusterSums],
    (statistic, resamples): (Statistic, usize),
    null: f64,
    alpha: f64,
    random: &mut impl Rng,
) -> Result<bool, &'static str> {
    let units = Units::of(clusters, statistic)?;
    // With so many on a side the quantile at alpha/2 lies on that side of the null value, however the others fall and
    // however many have no value.
    let enough = libm::floor((resamples as f64 - 1.0) * alpha / 2.0) + 2.0;
    let (mut below, mut above) = (0.0, 0.0);
    let mut values = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        let value = units.value(units.kept(random));
        below += f64::from(u8::from(value <= null));
        above += f64::from(u8::from(null <= value));
        if enough <= below && enough <= above {
            return Ok(false);
        }
        values.push(value);
    }
    Ok(units.resampled(values)?.p_value(null)? <= alpha)
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::{Multiplicity, resample};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Quantiles of 1, 2, 3, 5: 1 + 3p below 3, then 3 + 2(3p - 2).
    #[test]
    fn p_inverts_the_quantiles() {
        for (null, want) in [(1.5, 0.5 / 3.0), (3.0, 2.0 / 3.0), (4.0, 2.5 / 3.0), (0.9, 0.0)] {
            assert!((reached([5.0, 1.0, 3.0, 2.0].into_iter(), null) - want).abs() < 1e-15);
        }
        assert_eq!(reached([5.0, 1.0].into_iter(), 5.0), 1.0);
    }

    proptest! {
        /// The interval leaves a null value out where the test rejects it, and a verdict that stops early is the same.
        #[test]
        fn test_interval_and_curtailed_verdict_agree(
            points in proptest::collection::vec((1_u8..30, 0.0..1.0_f64), 2..12),
            null in 0.0..1.0_f64, alpha in 0.01..0.4_f64, seed in 0_u64..1000,
        ) {
            let sums = |(n, share): &(u8, f64)| {
                let (n, y) = (f64::from(*n), f64::from(*n) * share);
                ClusterSums { n, y, yy: y, ..ClusterSums::default() }
            };
            let clusters: Vec<ClusterSums> = points.iter().map(sums).collect();
            let what = (Statistic::Mean, 199);
            let start = || ChaCha8Rng::seed_from_u64(seed);
            let mut all =
                resample(&clusters, what.0, what.1, Multiplicity::Kept, &mut start()).unwrap();
            let p = all.p_value(null).unwrap();
            let quick = rejects(&clusters, what, null, alpha, &mut start()).unwrap();
            prop_assert_eq!(quick, p <= alpha);
            prop_assume!((p - alpha).abs() > 1e-9);
            let limits = all.percentile(1.0 - alpha).unwrap();
            prop_assert_eq!(quick, !limits.contains(null), "{} {:?}", p, limits);
        }
    }

    #[test]
    fn a_slope_is_tested_too() {
        let clusters = super::super::tests::lesson(1);
        let random = &mut ChaCha8Rng::seed_from_u64(1);
        let mut rejected = |null| rejects(&clusters, (Statistic::Slope, 999), null, 0.05, random);
        assert_eq!([0.0, 0.36].map(|null| rejected(null).unwrap()), [true, false]);
        assert!(rejected(f64::NAN).is_ok());
        assert!(rejects(&clusters[..1], (Statistic::Mean, 9), 0.0, 0.05, random).is_err());
        assert!(rejects(&clusters, (Statistic::Mean, 0), 0.0, 0.05, random).is_err());
    }
}
