//! What a comparison of graded answers could have seen: the cases that its difference needs, and the smallest difference
//! that its cases resolve at the discordance they show.
//!
//! The interval rule asks that the interval around the difference leave 0 out: a difference of just that size does so in
//! one half of all samples. The others ask for a power of .8. The level is that of the study.

use super::difference::DIFFERENCE;
use super::share::ANY;
use super::{Estimator, Limits, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Repeats, Sums};
use crate::quantity::Level;
use crate::stats::interval::wilson;
use crate::stats::paired::{Region, Test, mcnemar_exact, mcnemar_mid_p};
use crate::stats::planning::{paired_cases, paired_difference, two_proportions};
use crate::stats::special::normal_quantile;

/// The power that is asked for.
pub const POWER: f64 = 0.8;

const USUAL: Settings = Settings { level: Level::USUAL };

/// The number of cases, whole, or why there is none.
fn cases(n: f64) -> Result<f64, Undefined> {
    // A number that is whole but for rounding is that number.
    let whole = libm::ceil(n * (1.0 - 1e-12));
    if n.is_finite() { Ok(whole) } else { Err(Undefined("the two rates are equal")) }
}

/// Shares of both, first only, second only, neither.
fn shares(sums: &[f64; LANES]) -> Result<[f64; 4], Undefined> {
    let [both, first, second, neither, ..] = *sums;
    let n = both + first + second + neither;
    if n > 0.0 {
        Ok([both, first, second, neither].map(|it| it / n))
    } else {
        Err(Undefined("no case with two valid grades"))
    }
}

/// By Connor's formula, given a power.
fn paired(sums: &[f64; LANES], settings: &Settings, power: f64) -> Result<f64, Undefined> {
    let [_, first, second, _] = shares(sums)?;
    cases(paired_cases(first + second, first - second, settings.level.get(), power))
}

fn unpaired(sums: &[f64; LANES], settings: &Settings) -> Result<f64, Undefined> {
    let [both, first, second, _] = shares(sums)?;
    let (p, q) = (both + first, both + second);
    if first == second {
        return Err(Undefined("the two rates are equal"));
    }
    cases(two_proportions(p, q, settings.level.get(), POWER))
}

const NEEDED: Estimator = Estimator {
    rule: "cases-needed",
    variant: "paired",
    chosen: true,
    summary: "cases that both systems answer at which the paired test sees this difference four times in five",
    method: "Connor (1987), paired z test; no interval: read that of the difference",
    scale: Scale::Cases,
    null: None,
    truth: TrueValue::None,
    value: |sums| paired(sums, &USUAL, POWER),
    at_size: Some(|sums, settings| paired(sums, settings, POWER)),
    // What is known of the difference is its interval; where that holds 0, no number of cases is an upper limit.
    limits: |_, _| {
        Limits::none("a number of cases has no interval of its own: read that of the difference")
    },
    ..DIFFERENCE
};

/// Both systems on the same cases.
pub(super) static NEEDED_PAIRED: Estimator = NEEDED;

/// Each system on cases of its own.
pub(super) static NEEDED_UNPAIRED: Estimator = Estimator {
    variant: "unpaired",
    chosen: false,
    summary: "cases a system, each on cases of its own, at which this difference is seen four times in five",
    method: "pooled z test of two proportions (Fleiss 1981, equation 3.14); no interval: read that of the difference",
    value: |sums| unpaired(sums, &USUAL),
    at_size: Some(unpaired),
    ..NEEDED
};

/// At which the interval leaves 0 out in one half of all samples.
pub(super) static NEEDED_INTERVAL: Estimator = Estimator {
    variant: "interval",
    chosen: false,
    summary: "cases at which an interval around this difference just leaves 0 out: it is seen one time in two",
    method: "z^2 psi / delta^2 at a discordance psi; no interval: read that of the difference",
    value: |sums| paired(sums, &USUAL, 0.5),
    at_size: Some(|sums, settings| paired(sums, settings, 0.5)),
    ..NEEDED
};

/// Cases, and those of them in which one of the two answers passes.
static DISCORDANCE: Reading = Reading {
    name: "discordant cases",
    sums: &["cases", "discordant"],
    step: |it: &Item<'_>| {
        let mut sums = [0; LANES];
        if let (Some(first), Some(second)) =
            (it.answers[0].ab.unanimous(), it.answers[0].ba.unanimous())
        {
            sums[0] = 1;
            sums[1] = i64::from(first != second);
        }
        Sums(sums)
    },
};

/// Cases and the share of them that is discordant.
fn discordance(sums: &[f64; LANES]) -> Result<(f64, f64), Undefined> {
    let [n, discordant, ..] = *sums;
    match (0.0 < n, 0.0 < discordant) {
        (false, _) => Err(Undefined("no case with two valid grades")),
        (_, false) => Err(Undefined("no discordant case")),
        _ => Ok((n, discordant / n)),
    }
}

const UNSEEN: Undefined = Undefined("so few discordant cases that no difference would be seen");

/// A resolution from the number of cases and their discordance.
type Resolution = fn(f64, f64, &Settings) -> Result<f64, Undefined>;

fn at(sums: &[f64; LANES], settings: &Settings, of: Resolution) -> Result<f64, Undefined> {
    let (n, psi) = discordance(sums)?;
    of(n, psi, settings)
}

/// A resolution rises with the discordance, of which alone there is doubt: its limits are those of the discordance.
fn limits(sums: &Sums, settings: &Settings, of: Resolution) -> Limits {
    const NO_TEST: Limits = Limits::none("a resolution has no test");
    let [n, discordant, ..] = sums.0;
    let range = wilson(discordant.unsigned_abs(), n.unsigned_abs(), settings.level.get());
    let end = |psi: f64| if 0.0 < psi { of(n as f64, psi, settings).ok() } else { Some(0.0) };
    Limits {
        low: end(range.low).unwrap_or(f64::NEG_INFINITY),
        high: end(range.high).unwrap_or(f64::INFINITY),
        ..NO_TEST
    }
}

#[expect(clippy::unnecessary_wraps, reason = "one of several resolutions")]
fn by_interval(n: f64, psi: f64, settings: &Settings) -> Result<f64, Undefined> {
    Ok(normal_quantile(0.5 + settings.level.get() / 2.0) * libm::sqrt(psi / n))
}

fn by_z(n: f64, psi: f64, settings: &Settings) -> Result<f64, Undefined> {
    paired_difference(psi, n, settings.level.get(), POWER).ok_or(UNSEEN)
}

fn by_enumeration(n: f64, psi: f64, settings: &Settings, test: Test) -> Result<f64, Undefined> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of cases")]
    let n = libm::rint(n) as u64;
    let region = Region::new(test, n, psi, settings.level.alpha());
    let region = region.ok_or(Undefined("too many discordant cases to enumerate: read z"))?;
    region.difference(POWER).ok_or(UNSEEN)
}

fn by_mid_p(n: f64, psi: f64, settings: &Settings) -> Result<f64, Undefined> {
    by_enumeration(n, psi, settings, mcnemar_mid_p)
}

fn by_exact(n: f64, psi: f64, settings: &Settings) -> Result<f64, Undefined> {
    by_enumeration(n, psi, settings, mcnemar_exact)
}

const RESOLUTION: Estimator = Estimator {
    rule: "resolution",
    variant: "mid-p",
    chosen: true,
    summary: "smallest difference that the mid-p test sees four times in five, at this discordance in so many cases",
    method: "power of the mid-p test by enumeration; interval from Wilson's for the discordance",
    scale: Scale::Difference,
    null: None,
    truth: TrueValue::None,
    needs: Needs { asked: &[Asked::Each], repeats: Repeats::Once, ..ANY },
    reads: &DISCORDANCE,
    value: |sums| at(sums, &USUAL, by_mid_p),
    aim: None,
    at_size: Some(|sums, settings| at(sums, settings, by_mid_p)),
    limits: |sums, settings| limits(sums, settings, by_mid_p),
    quick: None,
    sheet: None,
};

/// By the mid-p test, the usual one.
pub(super) static RESOLUTION_MID_P: Estimator = RESOLUTION;

/// By the exact test.
pub(super) static RESOLUTION_EXACT: Estimator = Estimator {
    variant: "exact",
    chosen: false,
    summary: "the same for the exact test",
    method: "power of the exact test by enumeration; interval from Wilson's for the discordance",
    value: |sums| at(sums, &USUAL, by_exact),
    at_size: Some(|sums, settings| at(sums, settings, by_exact)),
    limits: |sums, settings| limits(sums, settings, by_exact),
    ..RESOLUTION
};

/// By the z test, in closed form.
pub(super) static RESOLUTION_Z: Estimator = Estimator {
    variant: "z",
    chosen: false,
    summary: "the same for the z test",
    method: "Connor's formula (1987) solved for the difference; interval from Wilson's for the discordance",
    value: |sums| at(sums, &USUAL, by_z),
    at_size: Some(|sums, settings| at(sums, settings, by_z)),
    limits: |sums, settings| limits(sums, settings, by_z),
    ..RESOLUTION
};

/// By the interval rule, which has a power of one half.
pub(super) static RESOLUTION_INTERVAL: Estimator = Estimator {
    variant: "interval",
    chosen: false,
    summary: "smallest difference whose interval leaves 0 out: it is seen one time in two",
    method: "z sqrt(psi / n) at a discordance psi; interval from Wilson's for the discordance",
    value: |sums| at(sums, &USUAL, by_interval),
    at_size: Some(|sums, settings| at(sums, settings, by_interval)),
    limits: |sums, settings| limits(sums, settings, by_interval),
    ..RESOLUTION
};

fn step_of(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    if 0.0 < sums[0] { Ok(1.0 / sums[0]) } else { Err(Undefined("no case with two valid grades")) }
}

/// What one case moves.
pub(super) static RESOLUTION_STEP: Estimator = Estimator {
    variant: "step",
    chosen: false,
    summary: "what a single case moves: no rate of so many cases lies between two steps",
    method: "1/n, exactly",
    value: step_of,
    at_size: Some(|sums, _| step_of(sums)),
    limits: |sums, _| match step_of(&sums.real()) {
        Ok(step) => Limits { low: step, high: step, ..Limits::none("a step has no test") },
        Err(why) => Limits::none(why.0),
    },
    ..RESOLUTION
};

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(values: &[f64]) -> [f64; LANES] {
        let mut sums = [0.0; LANES];
        sums[..values.len()].copy_from_slice(values);
        sums
    }

    fn counts(values: &[i64]) -> Sums {
        let mut sums = [0; LANES];
        sums[..values.len()].copy_from_slice(values);
        Sums(sums)
    }

    fn near(got: Result<f64, Undefined>, want: f64, by: f64) -> bool {
        got.is_ok_and(|got| (got - want).abs() <= by)
    }

    /// Python with `SciPy` 1.17: 1250.717 a system; by Connor's formula 233.095, by the interval 115.244, and 347.474 at .99.
    #[test]
    fn cases_are_rounded_up_and_know_the_level() {
        let independent = [525.0, 175.0, 225.0, 75.0];
        assert_eq!(NEEDED_UNPAIRED.value_at(&sums(&independent), 1.0, &USUAL), Ok(1251.0));
        assert_eq!(NEEDED_PAIRED.value_at(&sums(&[0.6, 0.2, 0.1, 0.1]), 7.0, &USUAL), Ok(234.0));
        assert_eq!(NEEDED_INTERVAL.value_at(&sums(&[0.6, 0.2, 0.1, 0.1]), 7.0, &USUAL), Ok(116.0));
        let wider = Settings { level: Level::new(0.99).unwrap() };
        assert_eq!(NEEDED_PAIRED.value_at(&sums(&[0.6, 0.2, 0.1, 0.1]), 7.0, &wider), Ok(348.0));
    }

    #[test]
    fn equal_rates_need_no_number_of_cases() {
        for it in [&NEEDED_PAIRED, &NEEDED_UNPAIRED, &NEEDED_INTERVAL] {
            let why = it.value_at(&sums(&[5.0, 3.0, 3.0, 1.0]), 1.0, &USUAL).unwrap_err();
            assert_eq!(why.0, "the two rates are equal");
            let why = it.value_at(&sums(&[]), 1.0, &USUAL).unwrap_err();
            assert_eq!(why.0, "no case with two valid grades");
        }
    }

    /// The z test in closed form and the others by summing the double binomial law in Python 3.11 with `SciPy` 1.17.
    #[test]
    fn resolutions_of_52_discordant_cases_in_300() {
        let seen = sums(&[300.0, 52.0]);
        let rules = [
            (&RESOLUTION_INTERVAL, 0.0471),
            (&RESOLUTION_Z, 0.0671),
            (&RESOLUTION_EXACT, 0.0691),
            (&RESOLUTION_MID_P, 0.0663),
        ];
        for (rule, want) in rules {
            let got = rule.value_at(&seen, 1.0, &USUAL);
            assert!(near(got, want, 5.1e-5), "{}: {got:?}", rule.name());
            assert_eq!(
                rule.value_at(&seen.map(|it| it / 300.0), 300.0, &USUAL).is_ok(),
                got.is_ok()
            );
            let limits = (rule.limits)(&counts(&[300, 52]), &USUAL);
            assert!(limits.low < want && want < limits.high, "{}: {limits:?}", rule.name());
        }
        assert!(near(RESOLUTION_STEP.value_at(&seen, 1.0, &USUAL), 1.0 / 300.0, 0.0));
    }

    #[test]
    fn nothing_is_resolved_without_discordant_cases() {
        for it in [&RESOLUTION_INTERVAL, &RESOLUTION_Z, &RESOLUTION_EXACT, &RESOLUTION_MID_P] {
            let value = |values: &[f64]| it.value_at(&sums(values), 1.0, &USUAL).unwrap_err().0;
            assert_eq!(value(&[0.0, 0.0]), "no case with two valid grades");
            assert_eq!(value(&[20.0, 0.0]), "no discordant case");
            let limits = (it.limits)(&counts(&[20, 0]), &USUAL);
            assert_eq!(limits.low, 0.0, "{}", it.name());
        }
        assert_eq!(RESOLUTION_Z.value_at(&sums(&[300.0, 3.0]), 1.0, &USUAL), Err(UNSEEN));
        assert_eq!(RESOLUTION_EXACT.value_at(&sums(&[300.0, 3.0]), 1.0, &USUAL), Err(UNSEEN));
    }
}
