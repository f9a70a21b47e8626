//! The pass rate of the first system's unlabelled answers, corrected for the judge's errors by means of labelled ones.
//!
//! How the labels were drawn decides between the corrections. The judge's error rates carry over to labels that are
//! balanced or old (Rogan & Gladen, Lang & Reiczigel); the share of true passes among what the judge passed or failed
//! carries over to random labels only (post-stratified, prediction-powered), with half the width there. All should say
//! the true rate, which is what coverage and bias refer to.

use super::share::{ANY, SHARE};
use super::{Estimator, Limits, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, LANES, Needs, Reading, Repeats, Sums, Verdict};
use crate::quantity::Level;
use crate::stats::corrected::random_labels::{Labels, post_stratified, ppi_tuned};
use crate::stats::corrected::{Corrected, Count, Known, known, lang_reiczigel, rogan_gladen};
use crate::stats::interval::{Interval, wilson};

/// Unlabelled answers by grade, labelled ones by truth and grade.
static GRADES: Reading = Reading {
    name: "grades of the first system, labelled answers apart",
    sums: &["passed", "failed", "true pass", "false fail", "false pass", "true fail"],
    step: |it| {
        let mut sums = [0; LANES];
        if let Some(said) = it.answers[0].ab.unanimous() {
            let failed = usize::from(said != Verdict::First);
            let first = it.gold.map_or(0, |gold| if gold.passes()[0] { 2 } else { 4 });
            sums[first + failed] = 1;
        }
        Sums(sums)
    },
};

const NOTHING: &str = "the judge scored nothing";
const COIN: &str = "Youden's J is 0 or less: the judge is no better than a coin";

/// The grades of the unlabelled answers, and the labelled ones.
#[derive(Clone, Copy)]
struct Graded {
    judged: Count,
    labels: Labels,
}

impl Graded {
    fn new([passed, failed, pass_pass, pass_fail, fail_pass, fail_fail]: [u64; 6]) -> Self {
        Self {
            judged: Count { hits: passed, trials: passed + failed },
            labels: Labels { pass_pass, pass_fail, fail_pass, fail_fail },
        }
    }

    fn of(sums: &Sums) -> Self {
        Self::new([0, 1, 2, 3, 4, 5].map(|k: usize| sums.0[k].unsigned_abs()))
    }

    /// From observed sums as real numbers.
    fn of_real(sums: &[f64; LANES]) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
        let count = |k: usize| libm::rint(sums[k]) as u64;
        Self::new([0, 1, 2, 3, 4, 5].map(count))
    }

    /// With the judge's rates among the labels taken as known.
    fn by_known_rates(self, level: f64) -> Result<Corrected, &'static str> {
        lang_reiczigel(self.judged, &self.labels.calibration(), level)?;
        let share = |it: Count| it.hits as f64 / it.trials as f64;
        let it = self.labels.calibration();
        let rates =
            Known { sensitivity: share(it.sensitivity), specificity: share(it.specificity) };
        known(self.judged, &rates, level)
    }
}

/// The true rate at expected sums: Rogan and Gladen's correction is free of error there.
fn true_rate(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let [passed, failed, pass_pass, pass_fail, fail_pass, fail_fail, ..] = *sums;
    let share = |x: f64, y: f64, why| if 0.0 < x + y { Ok(x / (x + y)) } else { Err(why) };
    let p = share(passed, failed, Undefined(NOTHING))?;
    let se = share(pass_pass, pass_fail, Undefined("no labelled item truly passes"))?;
    let sp = share(fail_fail, fail_pass, Undefined("no labelled item truly fails"))?;
    let j = se + sp - 1.0;
    if 1e-9 < j { Ok((p + sp - 1.0) / j) } else { Err(Undefined(COIN)) }
}

/// The rate that the judge's error rates give; a judge that the labels do not tell from a coin gives none.
fn by_error_rates(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let it = Graded::of_real(sums);
    let rate = lang_reiczigel(it.judged, &it.labels.calibration(), Level::USUAL.get());
    rate.map(|it| it.value).map_err(Undefined)
}

fn limits(corrected: Result<Corrected, &'static str>) -> Limits {
    match corrected {
        Ok(it) => of_interval(it.interval),
        Err(why) => Limits::none(why),
    }
}

fn of_interval(it: Interval) -> Limits {
    Limits { low: it.low, high: it.high, p: Err(Undefined("no null value to test")) }
}

fn usual(settings: &Settings) -> f64 {
    settings.level.get()
}

const CORRECTED: Estimator = Estimator {
    rule: "corrected-rate",
    null: None,
    truth: TrueValue::FirstPasses,
    needs: Needs { asked: &[Asked::Each], repeats: Repeats::Once, gold: true, ..ANY },
    reads: &GRADES,
    value: by_error_rates,
    aim: Some(true_rate),
    ..SHARE
};

/// As the judge says.
pub(super) static RAW: Estimator = Estimator {
    variant: "raw",
    summary: "pass rate of the first system's unlabelled answers, as graded",
    method: "Wilson (1927), blind to the judge's errors",
    value: |sums| {
        let [passed, failed, ..] = *sums;
        let all = passed + failed;
        if 0.0 < all { Ok(passed / all) } else { Err(Undefined(NOTHING)) }
    },
    limits: |sums, settings| {
        let Count { hits, trials } = Graded::of(sums).judged;
        if trials == 0 {
            return Limits::none(NOTHING);
        }
        of_interval(wilson(hits, trials, usual(settings)))
    },
    ..CORRECTED
};

/// The judge's error rates taken as known.
pub(super) static KNOWN: Estimator = Estimator {
    variant: "known",
    summary: "corrected for the judge's error rates as if the labels told them without error",
    method: "Wald interval with known error rates: too short by what the labels leave open",
    limits: |sums, settings| limits(Graded::of(sums).by_known_rates(usual(settings))),
    ..CORRECTED
};

/// The delta method.
pub(super) static ROGAN_GLADEN: Estimator = Estimator {
    variant: "rogan-gladen",
    summary: "corrected for the judge's error rates among the labels",
    method: "Rogan & Gladen (1978), delta method; refused unless Youden's J is clearly above 0",
    limits: |sums, settings| {
        let it = Graded::of(sums);
        limits(rogan_gladen(it.judged, &it.labels.calibration(), usual(settings)))
    },
    ..CORRECTED
};

/// The default, however the labels were drawn.
pub(super) static LANG_REICZIGEL: Estimator = Estimator {
    variant: "lang-reiczigel",
    chosen: true,
    summary: "the same with limits that hold their level, for labels drawn in any way",
    method: "Lang & Reiczigel (2014); refused unless Youden's J is clearly above 0",
    limits: |sums, settings| {
        let it = Graded::of(sums);
        limits(lang_reiczigel(it.judged, &it.labels.calibration(), usual(settings)))
    },
    ..CORRECTED
};

/// For random labels.
pub(super) static POST_STRATIFIED: Estimator = Estimator {
    variant: "post-stratified",
    summary: "true passes among what the judge passed and failed; for labels drawn at random",
    method: "post-stratified by the verdict with half an item added, Wald interval",
    value: |sums| {
        let it = Graded::of_real(sums);
        let rate = post_stratified(it.judged, &it.labels, Level::USUAL.get());
        rate.map(|it| it.value).map_err(Undefined)
    },
    limits: |sums, settings| {
        let it = Graded::of(sums);
        limits(post_stratified(it.judged, &it.labels, usual(settings)))
    },
    ..CORRECTED
};

/// For random labels.
pub(super) static PPI: Estimator = Estimator {
    variant: "ppi++",
    summary: "prediction-powered: the labels' mean moved by the judge; for labels drawn at random",
    method: "Angelopoulos, Duchi & Zrnic (2023), Wald interval, a little short",
    value: |sums| {
        let it = Graded::of_real(sums);
        let rate = ppi_tuned(it.judged, &it.labels, Level::USUAL.get());
        rate.map(|it| it.rate.value).map_err(Undefined)
    },
    limits: |sums, settings| {
        let it = Graded::of(sums);
        limits(ppi_tuned(it.judged, &it.labels, usual(settings)).map(|it| it.rate))
    },
    ..CORRECTED
};

#[cfg(test)]
mod tests;
