//! The scores of one replicate over the lengths of the answers, with the slope that was fitted to them and the one that was
//! planted: what a picture of a length slope shows.

use serde::{Deserialize, Serialize};

use super::{Value, values};
use crate::evidence::Columns;
use crate::protocol::{Rater, Task};
use crate::scenario::Plan;
use crate::stats::cluster_slope::scatter::Scatter;
use crate::study;

/// The replicate whose scores are kept.
const REPLICATE: u64 = 0;
/// The most cells whose scores are kept: the first ones of different planted slopes.
const MOST_CELLS: usize = 3;
/// The most points of all cells together.
const MOST_POINTS: usize = 300;

/// The scores of a judge in one replicate of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// The value of each varied path.
    pub values: Vec<Value>,
    /// The judge.
    pub judge: String,
    /// The replicate.
    pub replicate: u64,
    /// The rule with its variant that fitted the slope.
    pub estimator: String,
    /// The fitted slope in score points per doubling, over all cases; none where it is undefined.
    pub slope: Option<f64>,
    /// The lower limit of its interval; none where nothing bounds it.
    pub low: Option<f64>,
    /// The upper limit of its interval; none where nothing bounds it.
    pub high: Option<f64>,
    /// What the slope is expected to be: clipping at the ends of the scale takes its part of the planted one.
    pub expected: Option<f64>,
    /// The planted line, where the judge has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planted: Option<Planted>,
    /// The lowest and the highest score that it can give.
    pub scale: [f64; 2],
    /// The scores over log2 of the words, case by case.
    pub scores: Scatter,
}

/// What the scores are made from before noise, rounding and clipping: a line over log2 of the words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planted {
    /// Score points per doubling.
    pub slope: f64,
    /// A point that the line goes through.
    pub through: [f64; 2],
}

/// The scores that a report keeps; none for a study without a length slope.
pub(super) fn scored(plan: &Plan) -> Vec<Scored> {
    let mut chosen: Vec<(&Task, Option<Planted>)> = Vec::new();
    for task in plan.tasks.iter().filter(|it| has_slope(it)) {
        let planted = planted(task);
        if chosen.len() < MOST_CELLS && chosen.iter().all(|it| it.1 != planted) {
            chosen.push((task, planted));
        }
    }
    let most = MOST_POINTS / chosen.len().max(1);
    chosen.into_iter().filter_map(|(task, planted)| one(plan, task, planted, most)).collect()
}

fn has_slope(task: &Task) -> bool {
    let lengths = task.sheet.as_ref().is_some_and(|it| it.columns() == Columns::Lengths);
    lengths && task.estimators.iter().any(|it| it.rule == "length-slope")
}

fn planted(task: &Task) -> Option<Planted> {
    match &task.sheet.as_ref()?.rater {
        Rater::Scoring(judge) => {
            let through = [libm::log2(judge.reference_words.get()), judge.base.get()];
            Some(Planted { slope: judge.slope.get(), through })
        }
        Rater::Grading(_) => None,
    }
}

fn one(plan: &Plan, task: &Task, planted: Option<Planted>, most: usize) -> Option<Scored> {
    let design = task.sheet.as_ref()?;
    let ruled = &design.world.ruled;
    let scores = study::scores(task, plan.seed, REPLICATE)?;
    let point = |case: usize, column: usize| {
        let place = ruled.place(case, column);
        Some([*ruled.lengths.get(place)?, f64::from(*scores.get(place)?)])
    };
    let case = |case| (0..ruled.columns).filter_map(|column| point(case, column)).collect();
    let cases: Vec<Vec<[f64; 2]>> = (0..ruled.cases).map(case).collect();
    let slopes = || task.estimators.iter().copied().filter(|it| it.rule == "length-slope");
    let estimator = slopes().find(|it| it.chosen).or_else(|| slopes().next())?;
    let alone = [Task { estimators: vec![estimator], ..task.clone() }];
    let mut said = None;
    let range = REPLICATE..REPLICATE + 1;
    let looked = study::draws(&alone, plan.seed, range, &plan.settings, &mut |draw| {
        said = Some(draw.estimate);
        Ok::<(), ()>(())
    });
    let estimate = said.filter(|_| looked.is_ok())?;
    let truths = study::truths(&alone[0], &plan.settings);
    let finite = |x: f64| x.is_finite().then_some(x);
    let scale = match &design.rater {
        Rater::Scoring(judge) => [judge.low, judge.high].map(f64::from),
        Rater::Grading(_) => [0.0, 1.0],
    };
    Some(Scored {
        values: values(&plan.cells[task.cell]),
        judge: task.judge.to_string(),
        replicate: REPLICATE,
        estimator: estimator.name(),
        slope: estimate.value.ok().and_then(finite),
        low: finite(estimate.limits.low),
        high: finite(estimate.limits.high),
        expected: truths.first().and_then(|it| it.estimand.ok()),
        planted,
        scale,
        scores: Scatter::of(&cases, most)?,
    })
}
