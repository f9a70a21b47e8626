//! All biases at once: a logistic fit of "the answer shown first wins" on the slot, the longer answer, the first system's
//! answer and the gold label, with errors clustered by pair.
//!
//! In slots, every contrast turns with the order and the intercept does not: it is the position effect. Where the gold label
//! carries the whole true difference the coefficients are the planted ones; a difference that the label does not tell (or a
//! taste) attenuates all of them, which conditioning on the pair does not suffer. But that leaves nothing but the position:
//! lengths, systems and labels turn with the order and cancel, so the conditional logit of a swap test is 1/2 ln(FF/SS),
//! the estimator `position-effect`, and stands here with the limits that fits of it print.
//!
//! A coefficient that the pairs at hand cannot tell from others has no estimate; those that they can keep theirs.

use std::cmp::Ordering;

use super::share::ANY;
use super::{Estimator, Limits, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Gold, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};
use crate::stats::logistic::{self, Cluster, Errors, Fit, Row};
use crate::stats::special::{normal_quantile, phi_upper};

/// First of both orders, A twice, B twice, second of both orders.
const PATTERNS: usize = 4;

static PATTERN_COUNTS: Reading = Reading {
    name: "answers by better and longer system",
    sums: &[
        "A better and longer: FF",
        "AA",
        "BB",
        "SS",
        "A better, B longer: FF",
        "AA",
        "BB",
        "SS",
        "B better, A longer: FF",
        "AA",
        "BB",
        "SS",
        "B better and longer: FF",
        "AA",
        "BB",
        "SS",
    ],
    step: |it: &Item<'_>| {
        let mut sums = [0; LANES];
        if let Some(place) = place(it) {
            sums[place] = 1;
        }
        Sums(sums)
    },
};

/// The cell of a pair; none where a label is missing or a tie, the lengths are equal, or an order has no choice.
fn place(it: &Item<'_>) -> Option<usize> {
    let better = match it.gold?.compared() {
        Gold::A => 0,
        Gold::B => 1,
        Gold::Tie | Gold::Both => return None,
    };
    let longer = match it.length {
        Ordering::Greater => 0,
        Ordering::Less => 1,
        Ordering::Equal => return None,
    };
    let said = |verdict: Option<Verdict>| match verdict? {
        Verdict::First => Some(0),
        Verdict::Second => Some(1),
        Verdict::Tie | Verdict::Invalid => None,
    };
    let (one, other) = (said(it.answers[0].ab.unanimous())?, said(it.answers[0].ba.unanimous())?);
    // AB and BA: first, first; first, second is A twice; second, first is B twice; second, second.
    Some(PATTERNS * (2 * better + longer) + 2 * one + other)
}

/// Each cell as clusters of two verdicts.
fn clusters(counts: &[f64; LANES]) -> Vec<Cluster> {
    let sign = |k: usize| if k == 0 { 1.0 } else { -1.0 };
    let one = |(place, times): (usize, &f64)| {
        let (better, longer) = (sign(place / PATTERNS / 2), sign(place / PATTERNS % 2));
        let row =
            |turn: f64, first: bool| Row::new(&[1.0, turn * longer, turn, turn * better], first);
        let (ab, ba) = (place % PATTERNS / 2 == 0, place % 2 == 0);
        Cluster { rows: vec![row(1.0, ab), row(-1.0, ba)], times: *times }
    };
    counts.iter().enumerate().filter(|it| 0.0 < *it.1).map(one).collect()
}

const COEFFICIENTS: usize = 4;

/// Why a coefficient has no estimate, by its place.
const ALIASED: [&str; COEFFICIENTS] = [
    "aliased: in these pairs the slot cannot be told from the answers",
    "aliased: in these pairs the longer answer cannot be told from the system or the label; padded twins would",
    "aliased: in these pairs the system cannot be told from the longer answer or the label; a third party or twins would",
    "aliased: in these pairs the better answer cannot be told from the system or the longer one; other pairs would",
];

/// A fit of what the pairs tell apart, its data, and where a coefficient stands in it.
fn fitted(counts: &[f64; LANES], place: usize) -> Result<(Vec<Cluster>, Fit, usize), &'static str> {
    let data = clusters(counts);
    match logistic::fit(&data, COEFFICIENTS) {
        Err(logistic::ALIASED) => {
            let apart = logistic::apart(&data, COEFFICIENTS);
            let place = apart.place(place).ok_or(ALIASED[place])?;
            let fewer = apart.reduced(&data);
            let fit = logistic::fit(&fewer, apart.kept.len())?;
            Ok((fewer, fit, place))
        }
        fit => Ok((data, fit?, place)),
    }
}

fn coefficient(counts: &[f64; LANES], place: usize) -> Result<f64, Undefined> {
    let (_, fit, place) = fitted(counts, place).map_err(Undefined)?;
    Ok(fit.coefficients[place])
}

fn limits(sums: &Sums, settings: &Settings, place: usize) -> Limits {
    let robust = fitted(&sums.real(), place)
        .and_then(|(data, fit, place)| fit.coefficient(&data, place, Errors::Cr2));
    match robust {
        Ok(robust) => {
            let interval = robust.interval(settings.level.get());
            Limits { low: interval.low, high: interval.high, p: Ok(robust.p_value(0.0)) }
        }
        Err(why) => Limits::none(why),
    }
}

const JOINT: Estimator = Estimator {
    rule: "joint-fit",
    variant: "position",
    chosen: true,
    summary: "log-odds for whoever is shown first, the other biases held",
    method: "logistic fit, errors clustered by pair: CR2 with Satterthwaite's degrees of freedom (Pustejovsky & Tipton 2018)",
    scale: Scale::LogOdds,
    null: Some(0.0),
    truth: TrueValue::None,
    needs: Needs {
        asked: &[Asked::Both],
        repeats: Repeats::Once,
        gold: true,
        lengths: true,
        ..ANY
    },
    reads: &PATTERN_COUNTS,
    value: |counts| coefficient(counts, 0),
    aim: None,
    at_size: None,
    limits: |sums, settings| limits(sums, settings, 0),
    sheet: None,
    quick: None,
};

/// The intercept.
pub(super) static POSITION: Estimator = JOINT;
/// The contrast of lengths, by its sign.
pub(super) static LONGER: Estimator = Estimator {
    variant: "longer",
    summary: "log-odds for the longer answer, the other biases held",
    value: |counts| coefficient(counts, 1),
    limits: |sums, settings| limits(sums, settings, 1),
    ..JOINT
};
/// The contrast of systems.
pub(super) static FIRST_SYSTEM: Estimator = Estimator {
    variant: "first-system",
    summary: "log-odds for the first system's answer beyond what it deserves, the other biases held",
    value: |counts| coefficient(counts, 2),
    limits: |sums, settings| limits(sums, settings, 2),
    ..JOINT
};
/// The contrast of the label.
pub(super) static BETTER: Estimator = Estimator {
    variant: "better",
    summary: "log-odds for the truly better answer, the biases held",
    value: |counts| coefficient(counts, 3),
    limits: |sums, settings| limits(sums, settings, 3),
    ..JOINT
};

/// Pairs whose answers are both for the first slot, and both for the second.
fn flips(counts: &[f64; LANES]) -> [f64; 2] {
    let cells = PATTERN_COUNTS.sums.len();
    [0, PATTERNS - 1].map(|k| counts[..cells].iter().skip(k).step_by(PATTERNS).sum())
}

const ONE_WAY: &str = "every flip went the same way: the conditional likelihood has no maximum";

/// The maximum of the conditional likelihood of the pairs: of a pair that flips, FF has the chance e^(2b)/(1 + e^(2b)); a
/// pair that does not says nothing.
fn conditional(counts: &[f64; LANES]) -> Result<f64, Undefined> {
    match flips(counts) {
        [ff, ss] if 0.0 < ff && 0.0 < ss => Ok(0.5 * libm::log(ff / ss)),
        [0.0, 0.0] => Err(Undefined("no pair flipped")),
        _ => Err(Undefined(ONE_WAY)),
    }
}

/// Given the pair.
pub(super) static CONDITIONAL: Estimator = Estimator {
    variant: "conditional-logit",
    chosen: false,
    summary: "log-odds for whoever is shown first, given the pair: whatever turns with the order cancels, and is not told",
    method: "conditional logit with a stratum for each pair (Cox 1958; Chamberlain 1980), Wald interval and test",
    value: conditional,
    limits: |sums, settings| match conditional(&sums.real()) {
        Ok(value) => {
            let [ff, ss] = flips(&sums.real());
            let error = 0.5 * libm::sqrt(1.0 / ff + 1.0 / ss);
            let half = normal_quantile(0.5 + settings.level.get() / 2.0) * error;
            let p = 2.0 * phi_upper(libm::fabs(value) / error);
            Limits { low: value - half, high: value + half, p: Ok(p) }
        }
        Err(Undefined(why)) => Limits::none(why),
    },
    ..JOINT
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Level;

    /// 400 pairs in sixteen cells; coefficients and CR2 errors from their definition with full matrices in `NumPy`.
    #[test]
    fn sixteen_cells() {
        let counts = [33, 51, 6, 10, 21, 44, 17, 18, 20, 41, 21, 18, 17, 19, 47, 17];
        let mut sums = [0; LANES];
        sums[..16].copy_from_slice(&counts);
        let sums = Sums(sums);
        let settings = Settings { level: Level::USUAL };
        let want = [WANT_POSITION, WANT_LONGER, WANT_SYSTEM, WANT_BETTER];
        for (it, (value, error, df)) in
            [&POSITION, &LONGER, &FIRST_SYSTEM, &BETTER].iter().zip(want)
        {
            let got = it.estimate(&sums, &settings);
            assert!((got.value.unwrap() - value).abs() < 1e-7, "{}: {:?}", it.name(), got.value);
            let half = crate::stats::special::t_quantile(0.975, df) * error;
            assert!(
                (got.limits.high - (value + half)).abs() < 1e-5,
                "{}: {:?}",
                it.name(),
                got.limits
            );
        }
    }

    const WANT_POSITION: (f64, f64, f64) = (0.154_731_912_12, 0.068_331_963_05, 394.148_010_8);
    const WANT_LONGER: (f64, f64, f64) = (0.359_612_663_97, 0.080_314_989_47, 391.987_907_2);
    const WANT_SYSTEM: (f64, f64, f64) = (0.349_084_009_05, 0.080_048_685_34, 391.982_904_9);
    const WANT_BETTER: (f64, f64, f64) = (0.432_189_495_12, 0.080_189_489_23, 392.024_548_8);

    fn at(counts: [i64; 16]) -> (Sums, Settings) {
        let mut sums = [0; LANES];
        sums[..16].copy_from_slice(&counts);
        (Sums(sums), Settings { level: Level::USUAL })
    }

    /// Published: FF 133 and SS 10 give 1.293882 with an error of .163950, wherever they stand, and by the maximum of the
    /// conditional likelihood, found here by halving.
    #[test]
    fn the_conditional_logit_is_the_swap_estimator() {
        let (sums, settings) = at([100, 90, 30, 4, 20, 50, 6, 1, 3, 10, 40, 0, 10, 50, 0, 5]);
        let got = CONDITIONAL.estimate(&sums, &settings);
        assert!((got.value.unwrap() - 1.293_882).abs() < 5e-7);
        assert!((got.limits.high - (1.293_882 + 1.959_964 * 0.163_950)).abs() < 2e-6);
        let slope = |b: f64| 133.0 - 143.0 / (1.0 + libm::exp(-2.0 * b));
        let (mut low, mut high) = (0.0, 5.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if 0.0 < slope(middle) { low = middle } else { high = middle }
        }
        assert!((got.value.unwrap() - low).abs() < 1e-12);
        let (sums, settings) = at([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0]);
        assert_eq!(CONDITIONAL.estimate(&sums, &settings).value, Err(Undefined(ONE_WAY)));
    }

    /// The first system always gives the longer answer: slot and label are told, those two are not.
    #[test]
    fn aliased_coefficients_have_no_estimate() {
        let (sums, settings) = at([33, 51, 6, 10, 0, 0, 0, 0, 20, 41, 21, 18, 0, 0, 0, 0]);
        let told =
            [&POSITION, &LONGER, &FIRST_SYSTEM, &BETTER].map(|it| it.estimate(&sums, &settings));
        for (k, aliased) in [false, true, true, false].into_iter().enumerate() {
            let (value, p) = (told[k].value, told[k].limits.p);
            assert_eq!(value.is_err(), aliased, "{value:?}");
            if aliased {
                assert_eq!((value, p), (Err(Undefined(ALIASED[k])), Err(Undefined(ALIASED[k]))));
            }
        }
        // The same pairs with the system left out, by Newton's steps in Python.
        for (it, want) in [(told[0], 0.287_119_612_257), (told[3], 0.287_119_612_257)] {
            assert!((it.value.unwrap() - want).abs() < 1e-10, "{:?}", it.value);
            assert!(it.limits.low < want && want < it.limits.high);
        }
    }

    #[test]
    fn without_lengths_there_is_nothing_to_fit() {
        let got = POSITION.estimate(&Sums::default(), &Settings { level: Level::USUAL });
        assert_eq!(got.value, Err(Undefined(logistic::NO_ROWS)));
    }
}
