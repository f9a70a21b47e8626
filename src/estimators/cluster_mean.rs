//! The mean score of cases that come in clusters: questions of one document, of one domain, of one author. Cases of a cluster
//! are alike, so they tell less than as many cases of their own, and the cluster is the sampling unit.
//!
//! With few clusters the usual remedies are too narrow themselves. The sandwich of Bell and `McCaffrey` with Satterthwaite's
//! degrees of freedom and the wild cluster bootstrap hold their level; the percentile bootstrap over clusters does not.
//! The test asks about the mean that is claimed; where the claim is the truth, its rejections are its size.

use rand::Rng;

use super::{
    Estimate, Estimator, Limits, ON_SHEETS, Scale, Settings, SheetRule, TrueValue, Undefined,
};
use crate::evidence::{Columns, Expected, Sheet};
use crate::stats::cluster_slope::bootstrap::{Multiplicity, resample};
use crate::stats::cluster_slope::wild::{self, Weights, Wild};
use crate::stats::cluster_slope::{self, ClusterSums, Errors, Statistic, percentile};
use crate::stats::interval::Interval;

/// Resamples of the percentile bootstrap, and samples of the wild one: with the data themselves 1,000 and 400, of which the
/// usual levels are whole numbers.
const RESAMPLES: usize = 999;
const SAMPLES: usize = 399;

const NO_CASE: Undefined = Undefined("no case");
const NO_CLAIM: Undefined = Undefined("no mean is claimed");

/// The sums of each cluster.
fn clusters(sheet: &Sheet<'_>) -> Vec<ClusterSums> {
    let mut from = 0;
    let one = |size: &usize| {
        let place = from..from + size;
        from += size;
        let scores = sheet.scores.get(place).unwrap_or_default();
        let y: u64 = scores.iter().copied().map(u64::from).sum();
        let yy: u64 = scores.iter().copied().map(|it| u64::from(it) * u64::from(it)).sum();
        let n = scores.len() as f64;
        ClusterSums { n, y: y as f64, yy: yy as f64, ..ClusterSums::default() }
    };
    sheet.ruled.clusters.iter().map(one).collect()
}

/// The mean of all cases, each counting once.
fn mean(clusters: &[ClusterSums]) -> Result<f64, Undefined> {
    let (n, y) = clusters.iter().fold((0.0, 0.0), |(n, y), it| (n + it.n, y + it.y));
    if 0.0 < n { Ok(y / n) } else { Err(NO_CASE) }
}

fn estimand(expected: &Expected<'_>) -> Result<f64, Undefined> {
    let n = expected.scores.len() as f64;
    if n == 0.0 { Err(NO_CASE) } else { Ok(expected.scores.iter().sum::<f64>() / n) }
}

/// An interval, and the p-value of what is claimed.
fn limits(
    sheet: &Sheet<'_>,
    interval: Interval,
    p: impl FnOnce(f64) -> Result<f64, &'static str>,
) -> Limits {
    let p = sheet.ruled.claimed.map_or(Err(NO_CLAIM), |null| p(null).map_err(Undefined));
    Limits { low: interval.low, high: interval.high, p }
}

fn estimate(
    sheet: &Sheet<'_>,
    of: impl FnOnce(&[ClusterSums]) -> Result<Limits, &'static str>,
) -> Estimate {
    let clusters = clusters(sheet);
    Estimate { value: mean(&clusters), limits: of(&clusters).unwrap_or_else(Limits::none) }
}

/// The t interval of a standard error, or the z interval where `df` is infinite.
fn robust(sheet: &Sheet<'_>, settings: &Settings, errors: Errors, df: Option<f64>) -> Estimate {
    estimate(sheet, |clusters| {
        let mut it = cluster_slope::mean(clusters, errors)?;
        it.df = df.unwrap_or(it.df);
        Ok(limits(sheet, it.interval(settings.level.get()), |null| Ok(it.p_value(null))))
    })
}

fn bootstrapped(sheet: &Sheet<'_>, settings: &Settings, random: &mut dyn Rng) -> Estimate {
    let mut random = random;
    estimate(sheet, |clusters| {
        let kept = Multiplicity::Kept;
        let mut drawn = resample(clusters, Statistic::Mean, RESAMPLES, kept, &mut random)?;
        let interval = drawn.percentile(settings.level.get())?;
        Ok(limits(sheet, interval, |null| drawn.p_value(null)))
    })
}

fn wild(sheet: &Sheet<'_>, settings: &Settings, of: Weights, random: &mut dyn Rng) -> Estimate {
    let mut random = random;
    estimate(sheet, |clusters| {
        let it = Wild::new(clusters, of, SAMPLES, &mut random)?;
        Ok(limits(sheet, it.interval(settings.level.get()), |null| Ok(it.p_value(null))))
    })
}

/// The verdict of a bootstrap that ends when it is decided.
fn curtailed(
    sheet: &Sheet<'_>,
    rejects: impl FnOnce(&[ClusterSums], f64) -> Result<bool, &'static str>,
) -> bool {
    let claimed = sheet.ruled.claimed;
    claimed.is_some_and(|null| rejects(&clusters(sheet), null).unwrap_or(false))
}

fn wild_rejects(sheet: &Sheet<'_>, settings: &Settings, of: Weights, random: &mut dyn Rng) -> bool {
    let mut random = random;
    curtailed(sheet, |clusters, null| {
        wild::rejects(clusters, (of, SAMPLES), null, settings.level.alpha(), &mut random)
    })
}

const MEAN: Estimator = Estimator {
    rule: "cluster-mean",
    summary: "mean score of cases in clusters",
    scale: Scale::Share,
    truth: TrueValue::PassRate,
    ..ON_SHEETS
};

const RULE: SheetRule = SheetRule {
    columns: Columns::Clusters,
    estimate: |sheet, settings, _| robust(sheet, settings, Errors::Cr2, None),
    estimand,
    quick: None,
};

/// The default: the sandwich for few clusters.
pub(super) static CR2: Estimator = Estimator {
    variant: "cr2",
    chosen: true,
    method: "CR2 sandwich over clusters, t with Satterthwaite's df (Bell & McCaffrey 2002)",
    sheet: Some(RULE),
    ..MEAN
};

/// The sandwich with the usual correction.
pub(super) static CR1: Estimator = Estimator {
    variant: "cr1",
    method: "sandwich over clusters times G/(G - 1), t with G - 1 df",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, _| robust(sheet, settings, Errors::Cr1, None),
        ..RULE
    }),
    ..MEAN
};

/// The clustered standard error of evaluation reports, read off the normal law.
pub(super) static CR0: Estimator = Estimator {
    variant: "cr0",
    method: "plain sandwich over clusters, z (Miller 2024)",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, _| robust(sheet, settings, Errors::Cr0, Some(f64::INFINITY)),
        ..RULE
    }),
    ..MEAN
};

/// What is usually printed.
pub(super) static NAIVE: Estimator = Estimator {
    variant: "naive",
    method: "t over cases, as if there were no clusters",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, _| robust(sheet, settings, Errors::Independent, None),
        ..RULE
    }),
    ..MEAN
};

/// The usual bootstrap of clusters.
pub(super) static PERCENTILE: Estimator = Estimator {
    variant: "percentile",
    method: "percentile bootstrap over clusters, 999 resamples",
    sheet: Some(SheetRule {
        estimate: bootstrapped,
        quick: Some(|sheet, settings, random| {
            let mut random = random;
            curtailed(sheet, |clusters, null| {
                let (what, alpha) = ((Statistic::Mean, RESAMPLES), settings.level.alpha());
                percentile::rejects(clusters, what, null, alpha, &mut random)
            })
        }),
        ..RULE
    }),
    ..MEAN
};

/// The wild bootstrap with signs.
pub(super) static WILD_RADEMACHER: Estimator = Estimator {
    variant: "wild-rademacher",
    method: "wild cluster bootstrap-t, null imposed, signs (all of them up to 12 clusters, else 399 samples), inverted (Cameron, Gelbach & Miller 2008)",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, random| wild(sheet, settings, Weights::Rademacher, random),
        quick: Some(|sheet, settings, random| {
            wild_rejects(sheet, settings, Weights::Rademacher, random)
        }),
        ..RULE
    }),
    ..MEAN
};

/// The wild bootstrap with six points.
pub(super) static WILD_WEBB: Estimator = Estimator {
    variant: "wild-webb",
    method: "wild cluster bootstrap-t, null imposed, Webb's six points, 399 samples, inverted (Webb 2023)",
    sheet: Some(SheetRule {
        estimate: |sheet, settings, random| wild(sheet, settings, Weights::Webb, random),
        quick: Some(|sheet, settings, random| wild_rejects(sheet, settings, Weights::Webb, random)),
        ..RULE
    }),
    ..MEAN
};
