//! How much a score rises with length: the pooled least-squares slope of scores on log2 words, over cases that each hold the
//! same answer at several lengths. The case is the sampling unit.
//!
//! With few cases the percentile bootstrap over cases is too narrow; the sandwich of Bell and `McCaffrey` with
//! Satterthwaite's degrees of freedom holds its level (Pustejovsky & Tipton 2018).

use rand::Rng;

use super::{
    Estimate, Estimator, Limits, ON_SHEETS, Scale, Settings, SheetRule, TrueValue, Undefined,
};
use crate::evidence::{Columns, Expected, Ruled, Sheet};
use crate::stats::cluster_slope::bootstrap::{Multiplicity, Resampled, jackknife, resample};
use crate::stats::cluster_slope::curtailed::{Asked, Which, curtailed};
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
    for it in clusters {
        all.merge(it);
    }
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

/// The verdict of [`bootstrapped`] alone, from as many resamples as it takes.
fn leaves_zero_out(
    clusters: &[ClusterSums],
    multiplicity: Multiplicity,
    which: Which,
    settings: &Settings,
    random: &mut dyn Rng,
) -> bool {
    let (mut random, level) = (random, settings.level.get());
    let asked = Asked { resamples: RESAMPLES, multiplicity, which, level };
    curtailed(clusters, Statistic::Slope, asked, &mut random).is_ok_and(|it| it.rejects)
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
    quick: None,
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
        quick: Some(|sheet, settings, random| {
            let clusters = of_sheet(sheet);
            let acceleration = jackknife(&clusters, Statistic::Slope)
                .and_then(|values| bca::acceleration(&values));
            acceleration.is_ok_and(|acceleration| {
                leaves_zero_out(
                    &clusters,
                    Multiplicity::Kept,
                    Which::Bca(acceleration),
                    settings,
                    random,
                )
            })
        }),
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
        quick: Some(|sheet, settings, random| {
            leaves_zero_out(
                &of_sheet(sheet),
                Multiplicity::Kept,
                Which::Percentile,
                settings,
                random,
            )
        }),
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
        quick: Some(|sheet, settings, random| {
            leaves_zero_out(
                &of_sheet(sheet),
                Multiplicity::Lost,
                Which::Percentile,
                settings,
                random,
            )
        }),
        ..RULE
    }),
    ..SLOPE
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Level;
    use crate::stream::{Address, Purpose, generator};

    const USUAL: Settings = Settings { level: Level::USUAL };

    fn said(it: &Estimator, ruled: &Ruled, scores: &[u8]) -> Estimate {
        let key = Address::root(1, Purpose::Resample).key();
        let rule = it.sheet.unwrap();
        (rule.estimate)(&Sheet { ruled, scores }, &USUAL, &mut generator(&key, 0))
    }

    /// Sxy / Sxx = 2 / 4 by hand; the bootstraps draw the same cases, and one that forgets how often is narrower.
    #[test]
    fn a_slope_by_hand() {
        let lengths = [0.0, 1.0, 2.0].repeat(6);
        let ruled = Ruled { cases: 6, columns: 3, lengths, ..Ruled::default() };
        let scores = [1, 2, 3, 3, 3, 3].repeat(3);
        let all = [&CR2, &BCA, &PERCENTILE, &AS_PUBLISHED].map(|it| said(it, &ruled, &scores));
        for it in &all {
            assert!((it.value.unwrap() - 0.5).abs() < 1e-15, "{it:?}");
            assert!(it.limits.low < 0.5 && 0.5 < it.limits.high, "{it:?}");
        }
        let width = |k: usize| all[k].limits.high - all[k].limits.low;
        assert!(width(3) < 0.9 * width(2) && width(2) < width(0), "{all:?}");
        assert_eq!(said(&PERCENTILE, &ruled, &scores), said(&PERCENTILE, &ruled, &scores));
        let flat = said(&CR2, &ruled, &[4; 18]);
        assert!(flat.value == Ok(0.0) && flat.limits.p.is_err(), "{flat:?}");
    }

    #[test]
    fn lengths_that_do_not_vary_have_no_slope() {
        let ruled = Ruled { cases: 3, columns: 2, lengths: vec![5.0; 6], ..Ruled::default() };
        for it in [&CR2, &BCA, &PERCENTILE, &AS_PUBLISHED] {
            let it = said(it, &ruled, &[1, 2, 3, 4, 5, 1]);
            assert_eq!(it.value, Err(Undefined("lengths do not vary")));
            assert_eq!(it.limits, Limits::none("x does not vary"));
        }
    }
}
