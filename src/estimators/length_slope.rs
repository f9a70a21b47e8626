//! How much a score rises with length: the pooled least-squares slope of scores on log2 words, over cases that each hold the
//! same answer at several lengths. The case is the sampling unit.
//!
//! With few cases the percentile bootstrap over cases is too narrow; the sandwich of Bell and `McCaffrey` with
//! Satterthwaite's degrees of freedom holds its level (Pustejovsky & Tipton 2018).

use rand::Rng;

use super::{Estimate, Estimator, Limits, ON_SHEETS, Scale, SheetRule, TrueValue, Undefined};
use crate::evidence::{Columns, Expected, Ruled, Sheet};
use crate::stats::cluster_slope::bootstrap::{Multiplicity, Resampled, jackknife, resample};
use crate::stats::cluster_slope::{self, ClusterSums, Errors, Statistic, bca};
use crate::stats::interval::Interval;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// The sums of each case.
fn clusters(ruled: &Ruled, score: impl Fn(usize, usize) -> f64) -> Vec<ClusterSums> {
    let one = |case: usize| {
        let mut sums = ClusterSums::default();
        for column in 0..ruled.columns {
            let length = ruled.lengths.get(ruled.place(case, column));
            sums.add(length.copied().unwrap_or(0.0), score(case, column));
        }
        sums
    };
    (0..ruled.cases).map(one).collect()
}

fn of_sheet(sheet: &Sheet<'_>) -> Vec<ClusterSums> {
    clusters(sheet.ruled, |case, column| sheet.score(case, column) as f64)
}

/// The pooled slope.
fn slope(clusters: &[ClusterSums]) -> Result<f64, Undefined> {
    let mut all = ClusterSums::default();
    clusters.iter().for_each(|it| all.merge(it));
    let spread = all.n * all.xx - all.x * all.x;
    // What is smaller than the rounding of the sums is no variation.
    if 1e-12 * all.n * all.xx < spread {
        Ok((all.n * all.xy - all.x * all.y) / spread)
    } else {
        Err(Undefined("lengths do not vary"))
    }
}

fn estimand(expected: &Expected<'_>) -> Result<f64, Undefined> {
    let ruled = expected.ruled;
    slope(&clusters(ruled, |case, column| expected.scores[ruled.place(case, column)]))
}

/// The interval of a bootstrap is all that it has: its verdict on no slope is told as a p-value of 0 or 1.
fn bootstrapped(
    clusters: &[ClusterSums],
    multiplicity: Multiplicity,
    random: &mut dyn Rng,
    interval: impl Fn(&mut Resampled) -> Result<Interval, &'static str>,
) -> Estimate {
    let mut random = random;
    let drawn = resample(clusters, Statistic::Slope, RESAMPLES, multiplicity, &mut random);
    let limits = match drawn.and_then(|mut drawn| interval(&mut drawn)) {
        Ok(it) => {
            Limits { low: it.low, high: it.high, p: Ok(f64::from(u8::from(it.contains(0.0)))) }
        }
        Err(why) => Limits::none(why),
    };
    Estimate { value: slope(clusters), limits }
}

fn percentile(
    sheet: &Sheet<'_>,
    level: f64,
    multiplicity: Multiplicity,
    random: &mut dyn Rng,
) -> Estimate {
    bootstrapped(&of_sheet(sheet), multiplicity, random, |drawn| drawn.percentile(level))
}

const SLOPE: Estimator = Estimator {
    rule: "length-slope",
    summary: "score points for a doubling of length",
    scale: Scale::PointsPerDoubling,
    null: Some(0.0),
    truth: TrueValue::LengthSlope,
    ..ON_SHEETS
};

const RULE: SheetRule = SheetRule {
    columns: Columns::Lengths,
    estimate: |sheet, settings, _| {
        let clusters = of_sheet(sheet);
        let limits = match cluster_slope::slope(&clusters, Errors::Cr2) {
            Ok(it) => {
                let interval = it.interval(settings.level.get());
                Limits { low: interval.low, high: interval.high, p: Ok(it.p_value(0.0)) }
            }
            Err(why) => Limits::none(why),
        };
        Estimate { value: slope(&clusters), limits }
    },
    estimand,
};

/// The default: the sandwich for few cases.
pub(super) static CR2: Estimator = Estimator {
    variant: "cr2",
    chosen: true,
    method: "CR2 sandwich over cases, t with Satterthwaite's df (Pustejovsky & Tipton 2018)",
    sheet: Some(RULE),
    ..SLOPE
};

/// The bootstrap, corrected for bias and skewness.
pub(super) static BCA: Estimator = Estimator {
    variant: "bca",
    method: "BCa bootstrap over cases, 2,000 resamples (Efron 1987)",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, random| {
            let clusters = of_sheet(sheet);
            let acceleration = jackknife(&clusters, Statistic::Slope)
                .and_then(|values| bca::acceleration(&values));
            bootstrapped(&clusters, Multiplicity::Kept, random, |drawn| {
                drawn.bca(acceleration?, settings.level.get())
            })
        },
        ..RULE
    }),
    ..SLOPE
};

/// The usual bootstrap.
pub(super) static PERCENTILE: Estimator = Estimator {
    variant: "percentile",
    method: "percentile bootstrap over cases, 2,000 resamples; rejects when it leaves 0 out",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, random| {
            percentile(sheet, settings.level.get(), Multiplicity::Kept, random)
        },
        ..RULE
    }),
    ..SLOPE
};

/// A bootstrap that passes the drawn cases through a set.
pub(super) static AS_PUBLISHED: Estimator = Estimator {
    variant: "as-published",
    method: "percentile of 2,000 resamples in which a case counts once however often it is drawn: no bootstrap",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, random| {
            percentile(sheet, settings.level.get(), Multiplicity::Lost, random)
        },
        ..RULE
    }),
    ..SLOPE
};
