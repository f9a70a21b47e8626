//! Scores beside human scores and beside length.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::Options;
use super::super::detectable::{Detectable, by_error};
use super::super::number::Number;
use super::super::position::ratio_of;
use crate::stats::cluster_slope::scatter::Scatter;
use crate::stats::cluster_slope::{ClusterSums, Errors, slope};
use crate::stats::clustered::RatioSums;
use crate::stats::interval::Interval;
use crate::stats::special::t_quantile;
use crate::verdicts::{Grade, NO_LENGTH};

/// The unit of a slope of scores.
const UNIT: &str = "score points per doubling";
const METHOD: &str = "least squares, errors clustered by case: CR2 with Satterthwaite's degrees of freedom (Pustejovsky & Tipton 2018)";

/// Scores of one judge over all systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Answers with a score and a human score.
    pub labelled: u64,
    /// Judge minus human: what the judge is more lenient by.
    pub leniency: Number,
    /// Krippendorff's alpha of judge and human on the interval scale.
    pub krippendorff_alpha: Number,
    /// Score points for a doubling of length.
    pub length_slope: Number,
    /// The same of the human scores, on the labelled answers.
    pub human_length_slope: Number,
    /// The slope of judge minus human: what the judge pays for length beyond what people do.
    pub beyond_human: Number,
    /// The smallest slope that these scores would have shown, beyond the human one where there is one.
    pub smallest_detectable: Detectable,
    /// Some of the scores over log2 of the lengths, for a picture; none where no answer has a length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_lengths: Option<Scatter>,
    /// The centre of the human scores over log2 of the lengths, through which their line goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human_centre: Option<[f64; 2]>,
}

/// The most points of one judge that are kept for a picture.
const MOST_POINTS: usize = 300;

/// The scores of one judge; none without a score.
pub(super) fn scores(grades: &[Grade], options: &Options) -> Option<Scores> {
    let valid: Vec<&Grade> = grades.iter().filter(|it| it.score.is_finite()).collect();
    if valid.is_empty() {
        return None;
    }
    let labelled: Vec<&Grade> = valid.iter().copied().filter(|it| it.label.is_finite()).collect();
    let length_slope = slope_of(&valid, |it| it.score, options);
    let beyond_human = slope_of(&labelled, |it| it.score - it.label, options);
    let compared = if beyond_human.value.is_some() { &beyond_human } else { &length_slope };
    Some(Scores {
        labelled: labelled.len() as u64,
        leniency: leniency(&labelled, options),
        krippendorff_alpha: alpha(&labelled, options),
        smallest_detectable: by_error(compared, UNIT, options.level),
        over_lengths: over_lengths(&valid, |it| it.score),
        human_centre: over_lengths(&labelled, |it| it.label).map(|it| it.centre),
        human_length_slope: slope_of(&labelled, |it| it.label, options),
        length_slope,
        beyond_human,
    })
}

/// The mean over answers of judge minus human, cases as clusters.
fn leniency(grades: &[&Grade], options: &Options) -> Number {
    let mut by_case: BTreeMap<(u32, u32), (f64, f64)> = BTreeMap::new();
    for it in grades {
        let sum = by_case.entry((it.stratum, it.item)).or_default();
        *sum = (sum.0 + it.score - it.label, sum.1 + 1.0);
    }
    if by_case.is_empty() {
        return Number::none("the file holds no human score");
    }
    let mut sums = RatioSums::default();
    for (x, w) in by_case.values() {
        sums.add(*x, *w);
    }
    let number = ratio_of(&sums, options);
    match sums.p_value(0.0) {
        Ok(p) => number.with_p(p).by("t over cases"),
        Err(_) => number,
    }
}

/// What some answers add to Krippendorff's alpha of two raters on the interval scale.
#[derive(Clone, Copy, Default)]
struct Alpha {
    /// How many values there are.
    values: f64,
    sum: f64,
    squares: f64,
    /// The squares of the differences.
    apart: f64,
}

impl Alpha {
    fn plus(self, it: &Grade) -> Self {
        let (a, b) = (it.score, it.label);
        Self {
            values: self.values + 2.0,
            sum: self.sum + a + b,
            squares: self.squares + a * a + b * b,
            apart: self.apart + (a - b) * (a - b),
        }
    }

    fn less(self, other: Self) -> Self {
        Self {
            values: self.values - other.values,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
            apart: self.apart - other.apart,
        }
    }

    fn value(self) -> Result<f64, &'static str> {
        let spread = self.values * self.squares - self.sum * self.sum;
        if self.values < 2.0 {
            return Err("the file holds no human score");
        }
        if spread <= 1e-12 * self.values * self.squares {
            return Err("all scores are the same");
        }
        Ok(1.0 - self.apart * (self.values - 1.0) / spread)
    }
}

/// Krippendorff's alpha of judge and human, with its jackknife error over cases.
fn alpha(grades: &[&Grade], options: &Options) -> Number {
    let mut by_case: BTreeMap<(u32, u32), Alpha> = BTreeMap::new();
    for it in grades {
        let case = by_case.entry((it.stratum, it.item)).or_default();
        *case = case.plus(it);
    }
    let all = grades.iter().fold(Alpha::default(), |sum, it| sum.plus(it));
    let number = Number::of(all.value());
    let left: Result<Vec<f64>, _> = by_case.values().map(|it| all.less(*it).value()).collect();
    let (Some(value), Ok(left)) = (number.value, left) else { return number };
    let n = left.len() as f64;
    let mean = left.iter().sum::<f64>() / n;
    let spread: f64 = left.iter().map(|it| (it - mean) * (it - mean)).sum();
    let error = ((n - 1.0) / n * spread).sqrt();
    if n < 2.0 || error <= 1e-12 {
        return number;
    }
    let half = t_quantile(0.5 + options.level.get() / 2.0, n - 1.0) * error;
    number
        .with_se(error)
        .within(Interval { low: value - half, high: (value + half).min(1.0) })
        .by("jackknife over cases (Efron & Stein 1981)")
}

/// Log2 of an answer's length, where that is known and above 0.
fn doublings(it: &Grade) -> Option<f64> {
    (it.length != NO_LENGTH && 0 < it.length).then(|| libm::log2(f64::from(it.length)))
}

/// Scores over log2 of the length, thinned, cases as clusters.
fn over_lengths(grades: &[&Grade], of: impl Fn(&Grade) -> f64) -> Option<Scatter> {
    let mut by_case: BTreeMap<(u32, u32), Vec<[f64; 2]>> = BTreeMap::new();
    for it in grades {
        if let Some(x) = doublings(it) {
            by_case.entry((it.stratum, it.item)).or_default().push([x, of(it)]);
        }
    }
    let cases: Vec<_> = by_case.into_values().collect();
    Scatter::of(&cases, MOST_POINTS)
}

/// A slope on log2 of the length, cases as clusters.
fn slope_of(grades: &[&Grade], of: impl Fn(&Grade) -> f64, options: &Options) -> Number {
    let mut by_case: BTreeMap<(u32, u32), ClusterSums> = BTreeMap::new();
    for it in grades {
        if let Some(x) = doublings(it) {
            // Sums cancel less about a round number: lengths are some hundreds, 2^8.
            by_case.entry((it.stratum, it.item)).or_default().add(x - 8.0, of(it));
        }
    }
    if by_case.is_empty() {
        return Number::none("no answer has a length above 0 and the scores to compare");
    }
    let clusters: Vec<ClusterSums> = by_case.into_values().collect();
    match slope(&clusters, Errors::Cr2) {
        Ok(it) => Number::exact(it.value)
            .with_se(it.error)
            .within(it.interval(options.level.get()))
            .with_p(it.p_value(0.0))
            .by(METHOD),
        Err(why) => Number::none(why),
    }
}
