//! Graded answers: pass rates, and how a judge's grades compare with the gold label: agreement, kappa, and the two kinds
//! of error.
//!
//! Kappa is not transportable across pass rates; read it with the false-negative and false-positive rates.

use super::share::{ANY, SHARE, SUMS, single, step, untested_limits};
use super::{Estimator, Limits, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};
use crate::stats::kappa::cohen_kappa;
use crate::stats::special::{normal_quantile, phi_upper};

const PASS_RATE: Estimator = Estimator {
    rule: "pass-rate",
    method: "Wilson (1927); t over cases with repeats",
    null: None,
    needs: Needs { asked: &[Asked::Each], ..ANY },
    limits: untested_limits,
    ..SHARE
};

static FIRST_PASSES: Reading =
    Reading { name: "passes of the first system", sums: SUMS, step: |it| single(it.answers[0].ab) };
static SECOND_PASSES: Reading = Reading {
    name: "passes of the second system",
    sums: SUMS,
    step: |it| single(it.answers[0].ba),
};

/// As graded; the truth stands beside it.
pub(super) static FIRST: Estimator = Estimator {
    variant: "first",
    summary: "share of cases that the first system's answer passes, as graded",
    truth: TrueValue::FirstPasses,
    reads: &FIRST_PASSES,
    ..PASS_RATE
};

/// As graded; the truth stands beside it.
pub(super) static SECOND: Estimator = Estimator {
    variant: "second",
    summary: "share of cases that the second system's answer passes, as graded",
    truth: TrueValue::SecondPasses,
    reads: &SECOND_PASSES,
    ..PASS_RATE
};

/// The first answer's grade and truth; none without a valid grade or a label.
fn first_grade(it: &Item<'_>) -> Option<(bool, bool)> {
    Some((it.answers[0].ab.unanimous()? == Verdict::First, it.gold?.passes()[0]))
}

fn second_grade(it: &Item<'_>) -> Option<(bool, bool)> {
    Some((it.answers[0].ba.unanimous()? == Verdict::First, it.gold?.passes()[1]))
}

/// True pass, false pass, false fail, true fail: `[said and true, said and false, ...]`.
fn table(grades: [Option<(bool, bool)>; 2]) -> Sums {
    let mut sums = [0; LANES];
    for (said, truth) in grades.into_iter().flatten() {
        sums[2 * usize::from(!said) + usize::from(!truth)] += 1;
    }
    Sums(sums)
}

const CELLS: &[&str] = &["true pass", "false pass", "false fail", "true fail"];

static GRADES_FIRST: Reading = Reading {
    name: "grade x truth, first system",
    sums: CELLS,
    step: |it| table([first_grade(it), None]),
};
static GRADES_SECOND: Reading = Reading {
    name: "grade x truth, second system",
    sums: CELLS,
    step: |it| table([None, second_grade(it)]),
};

const NEEDS: Needs = Needs { asked: &[Asked::Each], repeats: Repeats::Once, gold: true, ..ANY };

const GRADING: Estimator = Estimator {
    rule: "grading",
    method: "Wilson (1927)",
    null: None,
    truth: TrueValue::None,
    needs: NEEDS,
    reads: &GRADES_FIRST,
    ..SHARE
};

/// x of w, as counts of a binomial.
fn share(x: f64, w: f64, why: &'static str) -> Result<f64, Undefined> {
    if w > 0.0 { Ok(x / w) } else { Err(Undefined(why)) }
}

fn wilson_of(x: i64, w: i64, settings: &Settings) -> Limits {
    let mut sums = Sums::default();
    for (count, x) in [(x, 1), (w - x, 0)] {
        let one = step(x, 1, false);
        for (sum, step) in sums.0.iter_mut().zip(one.0) {
            *sum += count * step;
        }
    }
    untested_limits(&sums, settings)
}

const NO_GRADE: &str = "no valid grade";

const AGREEMENT: Estimator = Estimator {
    variant: "agreement/first",
    summary: "share of the first system's answers that the judge grades as the gold label does",
    value: |sums| {
        let [a, b, c, d, ..] = *sums;
        share(a + d, a + b + c + d, NO_GRADE)
    },
    limits: |sums, settings| {
        let [a, b, c, d, ..] = sums.0;
        wilson_of(a + d, a + b + c + d, settings)
    },
    ..GRADING
};

const FALSE_NEGATIVE: Estimator = Estimator {
    variant: "false-negative/first",
    summary: "share of the first system's correct answers that fail",
    value: |sums| share(sums[2], sums[0] + sums[2], "no correct answer"),
    limits: |sums, settings| wilson_of(sums.0[2], sums.0[0] + sums.0[2], settings),
    ..GRADING
};

const FALSE_POSITIVE: Estimator = Estimator {
    variant: "false-positive/first",
    summary: "share of the first system's wrong answers that pass",
    value: |sums| share(sums[1], sums[1] + sums[3], "no wrong answer"),
    limits: |sums, settings| wilson_of(sums.0[1], sums.0[1] + sums.0[3], settings),
    ..GRADING
};

const KAPPA: Estimator = Estimator {
    variant: "kappa/first",
    summary: "agreement beyond chance on the first system's answers",
    method: "normal interval with the error of Fleiss, Cohen & Everitt (1969); test of 0 with its null error",
    scale: Scale::Kappa,
    null: Some(0.0),
    value: |sums| cohen_kappa(&rows(sums)).map(|it| it.value).map_err(Undefined),
    limits: |sums, settings| kappa_limits(&rows(&sums.real()), settings),
    ..GRADING
};

fn rows(sums: &[f64; LANES]) -> [[f64; 2]; 2] {
    [[sums[0], sums[1]], [sums[2], sums[3]]]
}

/// The normal interval of Cohen's kappa and its test of 0.
pub(super) fn kappa_limits<R: AsRef<[f64]>>(rows: &[R], settings: &Settings) -> Limits {
    match cohen_kappa(rows) {
        Ok(kappa) if 0.0 < kappa.null_error => {
            let p = 2.0 * phi_upper(libm::fabs(kappa.value) / kappa.null_error);
            if kappa.error == 0.0 {
                // Perfect agreement has no spread to make an interval of; its test stands.
                return Limits { p: Ok(p), ..Limits::none("no error can be given for this table") };
            }
            let half = normal_quantile(0.5 + settings.level.get() / 2.0) * kappa.error;
            Limits { low: kappa.value - half, high: (kappa.value + half).min(1.0), p: Ok(p) }
        }
        Ok(_) => Limits::none("no error can be given for this table"),
        Err(why) => Limits::none(why),
    }
}

/// Agreement on the first system's answers.
pub(super) static AGREEMENT_FIRST: Estimator = AGREEMENT;
/// Agreement on the second system's answers.
pub(super) static AGREEMENT_SECOND: Estimator = Estimator {
    variant: "agreement/second",
    summary: "the same for the second system",
    reads: &GRADES_SECOND,
    ..AGREEMENT
};
/// Correct answers of the first system that fail.
pub(super) static FALSE_NEGATIVE_FIRST: Estimator = FALSE_NEGATIVE;
/// Correct answers of the second system that fail.
pub(super) static FALSE_NEGATIVE_SECOND: Estimator = Estimator {
    variant: "false-negative/second",
    summary: "the same for the second system",
    reads: &GRADES_SECOND,
    ..FALSE_NEGATIVE
};
/// Wrong answers of the first system that pass.
pub(super) static FALSE_POSITIVE_FIRST: Estimator = FALSE_POSITIVE;
/// Wrong answers of the second system that pass.
pub(super) static FALSE_POSITIVE_SECOND: Estimator = Estimator {
    variant: "false-positive/second",
    summary: "the same for the second system",
    reads: &GRADES_SECOND,
    ..FALSE_POSITIVE
};
/// Kappa on the first system's answers.
pub(super) static KAPPA_FIRST: Estimator = KAPPA;
/// Kappa on the second system's answers.
pub(super) static KAPPA_SECOND: Estimator = Estimator {
    variant: "kappa/second",
    summary: "the same for the second system",
    reads: &GRADES_SECOND,
    ..KAPPA
};
