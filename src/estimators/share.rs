//! Shares as ratios of per-pair sums, and the share won by the answer shown first.
//!
//! A pair adds x of w possible points, whatever its repeats: the share is sum x / sum w. Where every pair is a single
//! verdict the interval is Wilson's; where it is an average of two orders of a forced choice the share is
//! 1/2 + `(b - c)/2n`, half of a paired difference, and the interval is Tango's; with ties or repeats it is the t interval
//! of a ratio over pairs (Cochran 1977, section 6.3). The pair is the sampling unit throughout.

use super::{Estimator, Limits, Quick, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Item, Judges, LANES, Needs, Reading, Repeats, Sums, Votes};
use crate::stats::clustered::RatioSums;
use crate::stats::interval::wilson;
use crate::stats::paired::{mcnemar_asymptotic, tango};
use crate::stats::special::phi_upper;

/// What the sums of a share are.
pub(super) const SUMS: &[&str] = &["pairs", "w", "x", "x^2", "xw", "w^2", "odd"];

/// The sums that a pair with `x` of `w` points adds; `odd` where it has not the simple form of its interval.
pub(super) fn step(x: i64, w: i64, odd: bool) -> Sums {
    if w == 0 {
        return Sums::default();
    }
    let mut sums = [0; LANES];
    sums[..7].copy_from_slice(&[1, w, x, x * x, x * w, w * w, i64::from(odd)]);
    Sums(sums)
}

/// One verdict's points out of one, or an average over repeats.
pub(super) fn single(votes: Votes) -> Sums {
    step(votes.half_points(), 2 * votes.valid(), votes.tie > 0 || votes.valid() > 1)
}

/// The average of two orders, each weighing one half, whatever their repeats.
pub(super) fn averaged(one: Votes, other: Votes) -> Sums {
    let (k1, k2) = (one.valid(), other.valid());
    let x = one.half_points() * k2 + other.half_points() * k1;
    step(x, 4 * k1 * k2, k1 * k2 > 1 || x % 2 != 0)
}

/// The functional of every share.
pub(super) fn value(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let [_, w, x, ..] = *sums;
    if w > 0.0 { Ok(x / w) } else { Err(Undefined("no valid pair")) }
}

/// Wilson's interval and the score test of one half; a t interval over pairs with ties or repeats.
pub(super) fn single_limits(sums: &Sums, settings: &Settings) -> Limits {
    let [pairs, w, x, _, _, _, odd, ..] = sums.0;
    if pairs == 0 {
        return Limits::none("no valid pair");
    }
    if odd > 0 {
        return mean_limits(sums, settings, 0.5);
    }
    let (n, wins) = (pairs.unsigned_abs(), (x * pairs / w).unsigned_abs());
    let interval = wilson(wins, n, settings.level.get());
    let z = (2.0 * wins as f64 - n as f64) / libm::sqrt(n as f64);
    Limits { low: interval.low, high: interval.high, p: Ok(2.0 * phi_upper(libm::fabs(z))) }
}

/// As [`single_limits`], for a share that has no null value.
pub(super) fn untested_limits(sums: &Sums, settings: &Settings) -> Limits {
    Limits { p: Err(Undefined("no null value to test")), ..single_limits(sums, settings) }
}

/// `1/2 + Tango/2` and `McNemar`'s score test; a t interval over pairs with ties or repeats.
pub(super) fn paired_limits(sums: &Sums, settings: &Settings) -> Limits {
    let [pairs, _, _, _, _, _, odd, ..] = sums.0;
    if pairs == 0 {
        return Limits::none("no valid pair");
    }
    if odd > 0 {
        return mean_limits(sums, settings, 0.5);
    }
    let (b, c) = differing(sums);
    let interval = tango(b, c, pairs.unsigned_abs(), settings.level.get());
    Limits {
        low: 0.5 + interval.low / 2.0,
        high: 0.5 + interval.high / 2.0,
        p: Ok(mcnemar_asymptotic(b, c)),
    }
}

/// Pairs that gave both points to the one side, and to the other.
fn differing(sums: &Sums) -> (u64, u64) {
    let [pairs, _, x, xx, ..] = sums.0;
    // x is 4, 2 or 0 of 4 points, so x - 2 is 2 for each of b pairs and -2 for each of c.
    let difference = (x - 2 * pairs) / 2;
    let discordant = (xx - 4 * x + 4 * pairs) / 4;
    let b = i64::midpoint(discordant, difference).unsigned_abs();
    (b, ((discordant - difference) / 2).unsigned_abs())
}

/// The test of [`paired_limits`] alone.
pub(super) const PAIRED_TEST: Quick = Quick {
    lanes: &[0, 1, 2, 3, 4, 5, 6],
    p: |sums| {
        if sums.0[0] == 0 {
            return Err(Undefined("no valid pair"));
        }
        if sums.0[6] > 0 {
            return ratio(sums).p_value(0.5).map_err(Undefined);
        }
        let (b, c) = differing(sums);
        Ok(mcnemar_asymptotic(b, c))
    },
};

/// The t interval of a ratio over pairs, and its test of `null`.
pub(super) fn mean_limits(sums: &Sums, settings: &Settings, null: f64) -> Limits {
    let ratio = ratio(sums);
    match (ratio.interval(settings.level.get()), ratio.p_value(null)) {
        (Ok(interval), Ok(p)) => Limits { low: interval.low, high: interval.high, p: Ok(p) },
        (Err(why), _) | (_, Err(why)) => Limits::none(why),
    }
}

pub(super) fn ratio(sums: &Sums) -> RatioSums {
    let [w, x, xx, xw, ww] = [1, 2, 3, 4, 5].map(|lane: usize| sums.0[lane] as f64);
    RatioSums { items: sums.0[0].unsigned_abs(), w, x, xx, xw, ww }
}

static BOTH: Reading = Reading {
    name: "first-shown points, both orders",
    sums: SUMS,
    step: |it: &Item<'_>| averaged(it.answers[0].ab, it.answers[0].ba),
};

/// 1/2 + (FF - SS)/2n, half of a paired difference.
pub(super) static FIRST_SHARE: Estimator =
    Estimator { needs: Needs { asked: &[Asked::Both], ..ANY }, quick: Some(PAIRED_TEST), ..SHARE };

pub(super) static SINGLE: Reading = Reading {
    name: "first-shown points, one order a pair",
    sums: SUMS,
    step: |it: &Item<'_>| {
        let answers = it.answers[0];
        single(if answers.ab == Votes::default() { answers.ba } else { answers.ab })
    },
};

/// The same from one order a pair: it holds the systems' difference too, unless the order is random.
pub(super) static FIRST_SHARE_SINGLE: Estimator = Estimator {
    variant: "single-order",
    summary: "share won by the answer shown first, one order a pair",
    method: "Wilson (1927) and the score test of 1/2; t over pairs with ties or repeats",
    needs: Needs { asked: &[Asked::One, Asked::Other, Asked::Random], ..ANY },
    reads: &SINGLE,
    limits: single_limits,
    ..SHARE
};

/// Any number of repeats, no labels, one judge.
pub(super) const ANY: Needs = Needs {
    asked: &[],
    repeats: Repeats::Any,
    gold: false,
    strata: false,
    lengths: false,
    judges: Judges::One,
};

/// What the shares have in common: an average of both orders.
pub(super) const SHARE: Estimator = Estimator {
    rule: "first-share",
    variant: "",
    chosen: false,
    summary: "share won by the answer shown first, both orders",
    method: "1/2 + Tango/2 (Tango 1998) and McNemar's score test; t over pairs with ties or repeats",
    scale: Scale::Share,
    null: Some(0.5),
    truth: TrueValue::None,
    needs: ANY,
    reads: &BOTH,
    value,
    aim: None,
    at_size: None,
    limits: paired_limits,
    sheet: None,
    quick: None,
};
