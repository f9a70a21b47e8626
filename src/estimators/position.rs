//! The position effect of a swap test, 1/2 ln(FF/SS), in log-odds.
//!
//! For a logistic judge, with Davidson ties or without, P(FF)/P(SS) = e^(2 beta) for every item effect, so this is the
//! planted position whatever the items: taste, length and self-preference turn with the order and cancel. It equals the
//! conditional-likelihood estimator of a matched pair (Cox 1958). For other links it is its own estimand.

use super::share::{ANY, SINGLE};
use super::{Estimator, Limits, Quick, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Repeats, Sums};
use crate::stats::interval::Interval;
use crate::stats::paired;
use crate::stats::special::{t_quantile, t_tail};

static FLIP_COUNTS: Reading = Reading {
    name: "FF and SS",
    sums: &["pairs", "FF", "SS"],
    step: |it: &Item<'_>| {
        let (one, other) = (it.answers[0].ab, it.answers[0].ba);
        let mut sums = [0; LANES];
        sums[0] = i64::from(one.valid() * other.valid() > 0);
        sums[1] = i64::from(one.first) * i64::from(other.first);
        sums[2] = i64::from(one.second) * i64::from(other.second);
        Sums(sums)
    },
};

fn value(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let [_, ff, ss, ..] = *sums;
    match (ff > 0.0, ss > 0.0) {
        (true, true) => Ok(0.5 * libm::log(ff / ss)),
        (false, false) => Err(Undefined("no pair flipped")),
        _ => Err(Undefined("every flip went the same way: only a bound is known")),
    }
}

/// 1/2 logit of the limits of FF / (FF + SS); a limit of 0 or 1 is infinite.
fn half_logits(theta: Interval, p: f64) -> Limits {
    let half_logit = |theta: f64| 0.5 * logit(theta);
    Limits { low: half_logit(theta.low), high: half_logit(theta.high), p: Ok(p) }
}

fn logit(theta: f64) -> f64 {
    if theta <= 0.0 {
        f64::NEG_INFINITY
    } else if theta < 1.0 {
        libm::log(theta / (1.0 - theta))
    } else {
        f64::INFINITY
    }
}

fn flips(sums: &Sums) -> (u64, u64) {
    let [_, ff, ss, ..] = sums.0;
    (ff.unsigned_abs(), ss.unsigned_abs())
}

const POSITION: Estimator = Estimator {
    rule: "position-effect",
    variant: "mid-p",
    chosen: true,
    summary: "log-odds for whoever is shown first, free of item difficulty",
    method: "mid-p sign test of FF against SS and the interval that agrees with it (Fagerland et al. 2013)",
    scale: Scale::LogOdds,
    null: Some(0.0),
    truth: TrueValue::None,
    needs: Needs { asked: &[Asked::Both], repeats: Repeats::Once, ..ANY },
    reads: &FLIP_COUNTS,
    value,
    aim: None,
    at_size: None,
    limits: |sums, settings| {
        let (ff, ss) = flips(sums);
        half_logits(
            paired::sign_limits_midp(ff, ss, settings.level.get()),
            paired::mcnemar_mid_p(ff, ss),
        )
    },
    sheet: None,
    quick: None,
};

/// The flips alone decide.
const FLIPS: &[usize] = &[1, 2];

/// The default: mid-p.
pub(super) static MID_P: Estimator = Estimator {
    quick: Some(Quick {
        lanes: FLIPS,
        p: |sums| {
            let (ff, ss) = flips(sums);
            Ok(paired::mcnemar_mid_p(ff, ss))
        },
    }),
    ..POSITION
};

/// Conservative: the exact sign test and Clopper-Pearson limits.
pub(super) static EXACT: Estimator = Estimator {
    variant: "exact",
    chosen: false,
    method: "exact sign test (McNemar) of FF against SS and Clopper-Pearson limits (1934)",
    limits: |sums, settings| {
        let (ff, ss) = flips(sums);
        half_logits(
            paired::sign_limits_exact(ff, ss, settings.level.get()),
            paired::mcnemar_exact(ff, ss),
        )
    },
    quick: Some(Quick {
        lanes: FLIPS,
        p: |sums| {
            let (ff, ss) = flips(sums);
            Ok(paired::mcnemar_exact(ff, ss))
        },
    }),
    ..POSITION
};

static FLIP_PRODUCTS: Reading = Reading {
    name: "FF and SS over repeats",
    sums: &[
        "pairs",
        "FF",
        "SS",
        "FF^2",
        "SS^2",
        "FF SS",
        "pairs with more FF",
        "pairs with more SS",
    ],
    step: |it: &Item<'_>| {
        let Sums([pairs, f, s, ..]) = (FLIP_COUNTS.step)(it);
        let mut sums = [0; LANES];
        let (more, less) = (i64::from(s < f), i64::from(f < s));
        sums[..8].copy_from_slice(&[pairs, f, s, f * f, s * s, f * s, more, less]);
        Sums(sums)
    },
};

/// With repeats: `FF_i = f1 f2`, `SS_i = s1 s2`, errors and test clustered by pair.
pub(super) static CLUSTERED: Estimator = Estimator {
    variant: "clustered",
    summary: "log-odds for whoever is shown first, repeats clustered by pair",
    method: "linearised log ratio with pairs as clusters, t test of the mean of FF - SS; sign test of pairs where one-sided",
    needs: Needs { asked: &[Asked::Both], repeats: Repeats::Many, ..ANY },
    reads: &FLIP_PRODUCTS,
    limits: clustered_limits,
    ..POSITION
};

fn clustered_limits(sums: &Sums, settings: &Settings) -> Limits {
    let [n, f, s, ff, ss, fs, ..] = sums.real();
    let level = settings.level.get();
    let (more, less) = (sums.0[6].unsigned_abs(), sums.0[7].unsigned_abs());
    if more + less == 0 && f == 0.0 && s == 0.0 {
        return Limits::none("no pair flipped");
    }
    let difference = f - s;
    let spread = ff - 2.0 * fs + ss - difference * difference / n;
    // The influence of pair i on ln(F/S) is FF_i/F - SS_i/S, which sums to 0.
    let variance = ff / (f * f) - 2.0 * fs / (f * s) + ss / (s * s);
    if n < 2.0 || f == 0.0 || s == 0.0 || spread <= 0.0 || variance <= 1e-12 {
        // Too little to linearise: the pairs by the sign of their flips, one-sided where they are.
        let theta = paired::sign_limits_midp(more, less, level);
        return half_logits(theta, paired::mcnemar_mid_p(more, less));
    }
    let t = difference / libm::sqrt(n / (n - 1.0) * spread);
    let half = t_quantile(0.5 + level / 2.0, n - 1.0) * libm::sqrt(n / (n - 1.0) * variance);
    let centre = libm::log(f / s);
    let p = Ok(t_tail(libm::fabs(t), n - 1.0));
    Limits { low: 0.5 * (centre - half), high: 0.5 * (centre + half), p }
}

/// From one random order a pair: the *marginal* logit of the first-shown share, which items attenuate.
pub(super) static MARGINAL: Estimator = Estimator {
    variant: "marginal",
    summary: "logit of the share won by the answer shown first; items attenuate it",
    method: "Wilson limits (1927) on the logit scale and the score test; t over pairs with ties or repeats",
    needs: Needs { asked: &[Asked::Random], ..ANY },
    reads: &SINGLE,
    value: |sums| {
        let share = super::share::value(sums)?;
        if 0.0 < share && share < 1.0 {
            Ok(logit(share))
        } else {
            Err(Undefined("every verdict went to the same slot: only a bound is known"))
        }
    },
    limits: |sums, settings| {
        let share = super::share::single_limits(sums, settings);
        Limits { low: logit(share.low), high: logit(share.high), p: share.p }
    },
    ..POSITION
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::Estimate;
    use crate::quantity::Level;

    fn at(rule: &Estimator, sums: &[i64]) -> Estimate {
        let mut all = [0; LANES];
        all[..sums.len()].copy_from_slice(sums);
        rule.estimate(&Sums(all), &Settings { level: Level::USUAL })
    }

    /// Published values: FF 133, SS 10.
    #[test]
    fn the_worked_value_of_a_large_table() {
        let it = at(&EXACT, &[419, 133, 10]);
        for (got, want) in [
            (it.value.unwrap(), 1.293_882),
            (it.limits.low, 0.973_672),
            (it.limits.high, 1.672_770),
        ] {
            assert!((got - want).abs() < 5e-7, "{got} {want}");
        }
    }

    #[test]
    fn one_sided_tables_have_half_infinite_intervals_and_no_flips_the_whole_line() {
        for rule in [&MID_P, &EXACT] {
            let it = at(rule, &[20, 10, 0]);
            assert_eq!(
                it.value,
                Err(Undefined("every flip went the same way: only a bound is known"))
            );
            assert!(0.0 < it.limits.low && it.limits.low < 1.0 && it.limits.high == f64::INFINITY);
            let it = at(rule, &[20, 0, 0]);
            assert_eq!(it.value, Err(Undefined("no pair flipped")));
            assert_eq!((it.limits.low, it.limits.high), (f64::NEG_INFINITY, f64::INFINITY));
            assert_eq!(it.limits.p, Ok(1.0));
        }
        assert!((at(&EXACT, &[20, 10, 0]).limits.p.unwrap() - 0.001_953_125).abs() < 1e-15);
    }

    /// With one repeat the clustered error is close to the delta-method one, 1/2 sqrt(1/FF + 1/SS).
    #[test]
    fn clustered_errors_reduce_to_the_delta_method() {
        let it = at(&CLUSTERED, &[4190, 1330, 100, 1330, 100, 0]);
        let half = (it.limits.high - it.limits.low) / 2.0;
        let delta = 1.96 * 0.5 * libm::sqrt(1.0 / 1330.0 + 1.0 / 100.0);
        assert!((half / delta - 1.0).abs() < 1e-3, "{half} {delta}");
    }
}
