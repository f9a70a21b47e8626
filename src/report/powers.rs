//! Exact powers between the cells, and where they cross the target: all that a power curve or a map shows beside the cells.

use serde::{Deserialize, Serialize};

use super::{Report, Value};
use crate::scenario::Plan;
use crate::study::Measure;
use crate::study::powers::{self, Surface, TARGET};

/// Exact powers along one varied number or two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Powers {
    /// The numbers that vary: one for a curve, two for a map.
    pub along: Vec<Along>,
    /// The power that is asked for.
    pub target: f64,
    /// One for each judge and rule, and for each value of what else varies.
    pub surfaces: Vec<PowerSurface>,
}

/// A varied number that a chart runs along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Along {
    /// Its place among the varied paths.
    pub axis: usize,
    /// Whether equal ratios are equally far apart.
    pub by_ratio: bool,
    /// Whether it takes whole numbers only.
    pub whole: bool,
}

/// The powers of one rule about one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerSurface {
    /// The values of the paths that do not run along, in order.
    pub beside: Vec<Value>,
    /// The judge.
    pub judge: String,
    /// The rule with its variant.
    pub estimator: String,
    /// Values of the first number, rising.
    pub x: Vec<f64>,
    /// Values of the second, rising; empty for a curve.
    pub y: Vec<f64>,
    /// Exact powers, those of the first `y` first; empty where there are none.
    pub powers: Vec<f64>,
    /// How far the true powers may lie from them.
    pub error: Option<f64>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where a curve crosses the target; on a map, every row along the number of pairs or cases.
    pub crossings: Vec<Crossing>,
}

/// Where a curve crosses the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The number; of pairs or cases, the smallest from which the power stays.
    pub at: f64,
    /// It lies between these.
    pub within: [f64; 2],
    /// Whether larger numbers have the larger power.
    pub rises: bool,
    /// Whether it is read off exact powers; else off simulated ones, and `within` are the crossings of their intervals.
    pub exact: bool,
    /// On a map, the value of the other number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<f64>,
}

impl Crossing {
    fn new(it: powers::Crossing, exact: bool) -> Self {
        Self { at: it.at, within: [it.low, it.high], rises: it.rises, exact, other: it.other }
    }
}

/// A simulated power at a number, with its interval.
pub(super) type Simulated = (f64, [f64; 3]);

impl PowerSurface {
    /// What was simulated of it: the varied numbers, and the power with the limits of its interval.
    pub(super) fn simulated(&self, report: &Report, along: &[Along]) -> Vec<([f64; 2], [f64; 3])> {
        let mine = |values: &[Value]| {
            let others =
                values.iter().enumerate().filter(|it| along.iter().all(|a| a.axis != it.0));
            others.map(|it| it.1).eq(&self.beside)
        };
        let results = report.results.iter().filter(|it| it.judge == self.judge && mine(&it.values));
        let point = |it: &super::Result| {
            let power = it.get(&self.estimator)?.get(Measure::Power)?;
            let [low, high] = power.interval?;
            let mut at = [0.0; 2];
            for (at, along) in at.iter_mut().zip(along) {
                *at = it.values[along.axis].number?;
            }
            Some((at, [power.value?, low, high]))
        };
        let mut points: Vec<_> = results.filter_map(point).collect();
        points.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]).then(a.0[0].total_cmp(&b.0[0])));
        points
    }
}

/// The exact powers of a plan, and the crossings of what was simulated where there are none.
pub(super) fn powers(plan: &Plan, report: &Report) -> Option<Powers> {
    let between = plan.between.as_ref()?;
    let along = between.along.iter();
    let along: Vec<Along> =
        along.map(|it| Along { axis: it.axis, by_ratio: it.by_ratio, whole: it.whole }).collect();
    let surfaces = powers::surfaces(plan).into_iter().map(|it| surface(it, report, &along));
    let surfaces: Vec<PowerSurface> = surfaces.collect();
    (!surfaces.is_empty()).then_some(Powers { along, target: TARGET, surfaces })
}

fn surface(it: Surface, report: &Report, along: &[Along]) -> PowerSurface {
    let (powers, error, reason) = match it.powers {
        Ok(powers) => {
            let error = powers.iter().fold(0.0_f64, |most, it| most.max(it.error));
            (powers.into_iter().map(|it| it.value).collect(), Some(error), None)
        }
        Err(why) => (Vec::new(), None, Some(why.0.to_owned())),
    };
    let mut surface = PowerSurface {
        beside: super::values(&it.beside),
        judge: it.judge.to_string(),
        estimator: it.estimator.name(),
        x: it.x,
        y: it.y,
        powers,
        error,
        reason,
        crossings: it.crossings.into_iter().map(|it| Crossing::new(it, true)).collect(),
    };
    if let (true, [one]) = (surface.powers.is_empty(), along) {
        let points = surface.simulated(report, along);
        let points: Vec<Simulated> = points.into_iter().map(|it| (it.0[0], it.1)).collect();
        let crossing = powers::simulated_crossing(&points, one.by_ratio);
        surface.crossings = crossing.map(|it| Crossing::new(it, false)).into_iter().collect();
    }
    surface
}
