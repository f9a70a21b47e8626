//! Slices: the difference of two systems within each stratum, and whether any slice lost, with the error of the whole
//! family held. An aggregate may rise while one slice collapses.

use super::difference::DIFFERENCE;
use super::strata::{MOST, NEEDS, ONE_BY_ONE, both};
use super::{Estimator, Limits, Settings, TrueValue, Undefined};
use crate::evidence::{Item, LANES, Reading, Sums};
use crate::stats::multiplicity::{benjamini_hochberg, holm};
use crate::stats::paired;
use crate::stats::special::binomial_upper;

/// The sums of the stratum S alone, so that its law can be enumerated.
const fn reading<const S: u8>(name: &'static str) -> Reading {
    Reading { name, sums: &["cases", "first only", "second only"], step: step::<S> }
}

fn step<const S: u8>(it: &Item<'_>) -> Sums {
    let mut sums = [0; LANES];
    if let (true, Some([first, second])) = (it.stratum == S, both(it)) {
        sums[..3].copy_from_slice(&[1, i64::from(first && !second), i64::from(second && !first)]);
    }
    Sums(sums)
}

static READINGS: [Reading; MOST] = [
    reading::<0>("passes of both answers, stratum 1"),
    reading::<1>("passes of both answers, stratum 2"),
    reading::<2>("passes of both answers, stratum 3"),
    reading::<3>("passes of both answers, stratum 4"),
    reading::<4>("passes of both answers, stratum 5"),
    reading::<5>("passes of both answers, stratum 6"),
    reading::<6>("passes of both answers, stratum 7"),
    reading::<7>("passes of both answers, stratum 8"),
];

const NO_CASE: &str = "the slice has no case with two valid grades";

const SLICE: Estimator = Estimator {
    rule: "slices",
    chosen: false,
    truth: TrueValue::None,
    needs: NEEDS,
    value: |sums| {
        let [cases, first, second, ..] = *sums;
        if 0.0 < cases { Ok((first - second) / cases) } else { Err(Undefined(NO_CASE)) }
    },
    limits: |sums, settings| {
        let [n, b, c] = [0, 1, 2].map(|k: usize| sums.0[k].unsigned_abs());
        if n == 0 {
            return Limits::none(NO_CASE);
        }
        let it = paired::tango(b, c, n, settings.level.get());
        Limits { low: it.low, high: it.high, p: Ok(paired::mcnemar_mid_p(b, c)) }
    },
    ..DIFFERENCE
};

const fn slice(stratum: usize, variant: &'static str) -> Estimator {
    Estimator {
        variant,
        summary: "pass rate of the first system minus the second's, within one stratum",
        reads: &READINGS[stratum],
        ..SLICE
    }
}

/// Each slice by itself, in the order of the strata.
pub(super) static ONE: [Estimator; MOST] = [
    slice(0, "1"),
    slice(1, "2"),
    slice(2, "3"),
    slice(3, "4"),
    slice(4, "5"),
    slice(5, "6"),
    slice(6, "7"),
    slice(7, "8"),
];

/// The largest loss: first minus second in the slice in which the second system loses most.
fn worst(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let slices = (0..MOST).filter(|s| 0.0 < sums[*s]);
    let losses = slices.map(|s| (sums[MOST + s] - sums[2 * MOST + s]) / sums[s]);
    losses.reduce(f64::max).ok_or(Undefined(NO_CASE))
}

/// The one-sided mid-p value of "the second system lost": b cases pass for the first only, c for the second only.
fn lost(b: u64, c: u64) -> f64 {
    f64::midpoint(binomial_upper(b, b + c, 0.5), binomial_upper(b + 1, b + c, 0.5)).min(1.0)
}

type Adjust = fn(&[f64]) -> Result<Vec<f64>, &'static str>;

/// The smallest adjusted p-value, and limits of the largest loss: the largest lower and the largest upper limit of
/// intervals that hold together (Bonferroni).
fn any(sums: &Sums, settings: &Settings, adjust: Adjust) -> Limits {
    let of = |k: usize, s: usize| sums.0[k * MOST + s].unsigned_abs();
    let cells: Vec<[u64; 3]> =
        (0..MOST).filter(|s| 0 < of(0, *s)).map(|s| [of(0, s), of(1, s), of(2, s)]).collect();
    let p_values: Vec<f64> = cells.iter().map(|[_, b, c]| lost(*b, *c)).collect();
    let smallest = match adjust(&p_values).map(|it| it.into_iter().reduce(f64::min)) {
        Ok(Some(p)) => p,
        Ok(None) => return Limits::none(NO_CASE),
        Err(why) => return Limits::none(why),
    };
    let level = 1.0 - settings.level.alpha() / cells.len() as f64;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for [n, b, c] in cells {
        let it = paired::tango(b, c, n, level);
        (low, high) = (low.max(it.low), high.max(it.high));
    }
    Limits { low, high, p: Ok(smallest) }
}

const ANY_LOSS: Estimator = Estimator {
    variant: "holm",
    summary: "the largest loss of the second system in a slice; rejects where any slice is flagged",
    method: "one-sided mid-p tests adjusted by Holm (1979); Tango's intervals at Bonferroni's level",
    reads: &ONE_BY_ONE,
    value: worst,
    limits: |sums, settings| any(sums, settings, holm),
    ..SLICE
};

/// Flagged by Holm: the chance of any false flag is held.
pub(super) static HOLM: Estimator = Estimator { chosen: true, ..ANY_LOSS };

/// Flagged by Benjamini and Hochberg: the expected share of false flags is held.
pub(super) static BH: Estimator = Estimator {
    variant: "bh",
    method: "one-sided mid-p tests adjusted by Benjamini & Hochberg (1995); intervals as for holm",
    limits: |sums, settings| any(sums, settings, benjamini_hochberg),
    ..ANY_LOSS
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Level;

    const SETTINGS: Settings = Settings { level: Level::USUAL };

    /// Cases, first only and second only of each stratum.
    fn sums(strata: &[[i64; 3]]) -> Sums {
        let mut sums = [0; LANES];
        for (s, cells) in strata.iter().enumerate() {
            for (k, it) in cells.iter().enumerate() {
                sums[k * MOST + s] = *it;
            }
        }
        Sums(sums)
    }

    /// scipy.stats.binom: (sf(b-1, b+c, .5) + sf(b, b+c, .5))/2 of 9/2, 5/4 and 1/7; statsmodels' multipletests.
    #[test]
    fn a_loss_is_flagged_at_adjusted_p_values() {
        let it = sums(&[[40, 9, 2], [40, 5, 4], [20, 1, 7]]);
        for (rule, want) in [(&HOLM, 0.057_861_328_125), (&BH, 0.057_861_328_125)] {
            let got = rule.estimate(&it, &SETTINGS);
            assert!((got.value.unwrap() - 7.0 / 40.0).abs() < 1e-15);
            assert!((got.limits.p.unwrap() - want).abs() < 1e-14, "{}: {got:?}", rule.name());
            assert!(got.limits.low < 7.0 / 40.0 && 7.0 / 40.0 < got.limits.high);
        }
        // Two losses of the same size: the second step of Benjamini and Hochberg needs no doubling.
        let twice = sums(&[[40, 9, 2], [40, 9, 2]]);
        let p = |rule: &Estimator| rule.estimate(&twice, &SETTINGS).limits.p.unwrap();
        assert!((p(&HOLM) - 2.0 * p(&BH)).abs() < 1e-15);
    }

    /// A gain is no loss, however sure it is.
    #[test]
    fn gains_are_not_flagged() {
        let it = sums(&[[2000, 20, 260], [2000, 15, 250]]);
        assert!(0.999 < HOLM.estimate(&it, &SETTINGS).limits.p.unwrap());
        assert!(HOLM.estimate(&it, &SETTINGS).value.unwrap() < -0.1);
    }

    #[test]
    fn a_slice_without_cases_is_undefined() {
        let none = Sums::default();
        for it in ONE.iter().chain([&HOLM, &BH]) {
            let got = it.estimate(&none, &SETTINGS);
            assert_eq!(got.value, Err(Undefined(NO_CASE)), "{}", it.name());
            assert_eq!(got.limits, Limits::none(NO_CASE));
        }
    }
}
