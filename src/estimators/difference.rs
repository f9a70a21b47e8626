//! The difference of two systems' pass rates on the same cases, first minus second, as a judge (or the gold label) grades
//! them: paired intervals and tests, beside the unpaired ones that waste the pairing.
//!
//! b cases pass for the first system only, c for the second only: the difference is (b - c)/n.

use super::share::ANY;
use super::{Estimator, Limits, Quick, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Gold, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};
use crate::stats::interval::Interval;
use crate::stats::special::{normal_quantile, phi_upper};
use crate::stats::{bootstrap, paired};

/// Cases by which of the two answers pass, as graded.
static PASSES: Reading = Reading {
    name: "passes of both answers",
    sums: &["both", "first only", "second only", "neither"],
    step: |it: &Item<'_>| {
        let answers = it.answers[0];
        let mut sums = [0; LANES];
        match (answers.ab.unanimous(), answers.ba.unanimous()) {
            (Some(Verdict::First), Some(Verdict::First)) => sums[0] = 1,
            (Some(Verdict::First), Some(_)) => sums[1] = 1,
            (Some(_), Some(Verdict::First)) => sums[2] = 1,
            (Some(_), Some(_)) => sums[3] = 1,
            _ => {}
        }
        Sums(sums)
    },
};

/// Both, first only, second only, neither.
fn cells(sums: &Sums) -> [u64; 4] {
    [0, 1, 2, 3].map(|k: usize| sums.0[k].unsigned_abs())
}

fn value(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let [both, first, second, neither, ..] = *sums;
    let n = both + first + second + neither;
    if n > 0.0 { Ok((first - second) / n) } else { Err(Undefined("no case with two valid grades")) }
}

fn limits(interval: Interval, p: f64) -> Limits {
    Limits { low: interval.low, high: interval.high, p: Ok(p) }
}

const NO_CASE: Limits = Limits::none("no case with two valid grades");

/// The default: Tango's interval and the mid-p test.
pub(super) const DIFFERENCE: Estimator = Estimator {
    rule: "difference",
    variant: "mid-p",
    chosen: true,
    summary: "pass rate of the first system minus the second's, paired",
    method: "Tango's score interval (1998); McNemar's mid-p test (Fagerland et al. 2013)",
    scale: Scale::Difference,
    null: Some(0.0),
    truth: TrueValue::PassDifference,
    needs: Needs { asked: &[Asked::Each], repeats: Repeats::Once, ..ANY },
    reads: &PASSES,
    value,
    aim: None,
    at_size: None,
    limits: |sums, settings| {
        let [both, b, c, neither] = cells(sums);
        let n = both + b + c + neither;
        if n == 0 {
            NO_CASE
        } else {
            limits(paired::tango(b, c, n, settings.level.get()), paired::mcnemar_mid_p(b, c))
        }
    },
    sheet: None,
    quick: None,
};

/// The cases on which the systems differ, in both directions.
fn differing(sums: &Sums) -> (u64, u64) {
    let [_, b, c, _] = cells(sums);
    (b, c)
}

/// The cases on which the systems differ alone decide.
const DIFFERING: &[usize] = &[1, 2];

/// The same in a static place.
pub(super) static MID_P: Estimator = Estimator {
    quick: Some(Quick {
        lanes: DIFFERING,
        p: |sums| {
            let (b, c) = differing(sums);
            Ok(paired::mcnemar_mid_p(b, c))
        },
    }),
    ..DIFFERENCE
};

/// Newcombe's interval and the exact test.
pub(super) static EXACT: Estimator = Estimator {
    variant: "exact",
    chosen: false,
    method: "Newcombe's square-and-add interval (1998, method 10); McNemar's exact test",
    limits: |sums, settings| {
        let [both, b, c, neither] = cells(sums);
        if both + b + c + neither == 0 {
            return NO_CASE;
        }
        let interval = paired::newcombe([[both, b], [c, neither]], settings.level.get());
        limits(interval, paired::mcnemar_exact(b, c))
    },
    quick: Some(Quick {
        lanes: DIFFERING,
        p: |sums| {
            let (b, c) = differing(sums);
            Ok(paired::mcnemar_exact(b, c))
        },
    }),
    ..DIFFERENCE
};

/// The closed form and the asymptotic test.
pub(super) static ASYMPTOTIC: Estimator = Estimator {
    variant: "asymptotic",
    chosen: false,
    method: "normal interval with sqrt(b + c - (b - c)^2/n)/n; McNemar's asymptotic test",
    limits: |sums, settings| {
        let [both, b, c, neither] = cells(sums);
        let n = (both + b + c + neither) as f64;
        if n == 0.0 {
            return NO_CASE;
        }
        let (d, s) = (b as f64 - c as f64, (b + c) as f64);
        let half = z(settings) * libm::sqrt((s - d * d / n).max(0.0)) / n;
        limits(Interval { low: d / n - half, high: d / n + half }, paired::mcnemar_asymptotic(b, c))
    },
    quick: Some(Quick {
        lanes: DIFFERING,
        p: |sums| {
            let (b, c) = differing(sums);
            Ok(paired::mcnemar_asymptotic(b, c))
        },
    }),
    ..DIFFERENCE
};

/// The percentile bootstrap over cases, by its exact law; it rejects when the interval leaves 0 out.
pub(super) static BOOTSTRAP: Estimator = Estimator {
    variant: "bootstrap",
    chosen: false,
    method: "percentile bootstrap over cases, its exact law; rejects when the interval leaves 0 out",
    limits: |sums, settings| {
        let [both, b, c, neither] = cells(sums);
        let n = both + b + c + neither;
        if n == 0 {
            return NO_CASE;
        }
        let interval = bootstrap::percentile(b, c, n, settings.level.get());
        // The interval is all that this rule has; its verdict is told as a p-value of 0 or 1.
        let inside = interval.low <= 0.0 && 0.0 <= interval.high;
        limits(interval, f64::from(u8::from(inside)))
    },
    ..DIFFERENCE
};

/// As if the two systems had been graded on different cases.
pub(super) static UNPAIRED: Estimator = Estimator {
    variant: "unpaired",
    chosen: false,
    summary: "the same as if the systems had been graded on different cases",
    method: "unpooled normal interval; pooled z test of two proportions",
    limits: |sums, settings| {
        let [both, b, c, neither] = cells(sums).map(|it| it as f64);
        let n = both + b + c + neither;
        if n == 0.0 {
            return NO_CASE;
        }
        let (p, q) = ((both + b) / n, (both + c) / n);
        let half = z(settings) * libm::sqrt((p * (1.0 - p) + q * (1.0 - q)) / n);
        let pooled = f64::midpoint(p, q);
        let error = libm::sqrt(2.0 * pooled * (1.0 - pooled) / n);
        let test = if 0.0 < error { 2.0 * phi_upper(libm::fabs(p - q) / error) } else { 1.0 };
        limits(Interval { low: p - q - half, high: p - q + half }, test)
    },
    ..DIFFERENCE
};

fn z(settings: &Settings) -> f64 {
    normal_quantile(0.5 + settings.level.get() / 2.0)
}

/// Which system is ahead: 1 or 0 in each replicate, so that its mean is how often.
const RANKING: Estimator = Estimator {
    rule: "ranking",
    variant: "first-ahead",
    chosen: false,
    summary: "1 where the first system passes more cases than the second",
    method: "no interval: the mean over replicates is how often",
    scale: Scale::Share,
    null: None,
    truth: TrueValue::None,
    value: |sums| {
        let [_, first, second, ..] = *sums;
        value(sums).map(|_| f64::from(u8::from(second < first)))
    },
    limits: |_, _| Limits::none("a rank has no interval"),
    ..DIFFERENCE
};

/// How often the first system comes out ahead.
pub(super) static FIRST_AHEAD: Estimator = RANKING;

/// Passes as graded and as they should be, on the cases with two valid grades.
static RANKS: Reading = Reading {
    name: "passes of both answers, as graded and as labelled",
    sums: &["cases", "first only", "second only", "truly first only", "truly second only"],
    step: |it: &Item<'_>| {
        let Sums([both, first, second, neither, ..]) = (PASSES.step)(it);
        let cases = both + first + second + neither;
        let mut sums = [0; LANES];
        if let (1, Some(gold)) = (cases, it.gold) {
            let truly = |label| i64::from(gold == label);
            sums[..5].copy_from_slice(&[1, first, second, truly(Gold::A), truly(Gold::B)]);
        }
        Sums(sums)
    },
};

/// How often the judge ranks the two systems as the labels of the same cases do; level is a rank of its own.
pub(super) static RANKED_RIGHT: Estimator = Estimator {
    variant: "right",
    summary: "1 where the judge ranks the two systems as the gold labels do, level included",
    needs: Needs { gold: true, ..DIFFERENCE.needs },
    reads: &RANKS,
    value: |sums| {
        let [cases, first, second, truly_first, truly_second, ..] = *sums;
        if cases == 0.0 {
            return Err(Undefined("no labelled case with two valid grades"));
        }
        // Sums that are equal as counts may differ in the last bits as expectations.
        let sign = |difference: f64| {
            if libm::fabs(difference) <= 1e-9 * cases { 0.0 } else { difference.signum() }
        };
        let right = sign(first - second) == sign(truly_first - truly_second);
        Ok(f64::from(u8::from(right)))
    },
    ..RANKING
};

/// How often the two are level.
pub(super) static LEVEL: Estimator = Estimator {
    variant: "level",
    summary: "1 where both systems pass equally many cases",
    value: |sums| {
        let [_, first, second, ..] = *sums;
        value(sums).map(|_| f64::from(u8::from(second == first)))
    },
    ..RANKING
};
