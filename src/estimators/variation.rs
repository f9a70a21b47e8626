//! Noise of a run against noise of the cases: how much a score moves when the same cases are run again, and how much when
//! they are drawn anew (Miller 2024: the variance of a score is (between + within/K)/n for n cases run K times).
//!
//! A case passes a run where the verdict is for the first system; a tie is no pass. A case whose runs are not all valid is
//! left out. The variances are plug-in moments, so that of the cases is low by a share 1/n of a score's variance.

use super::share::{ANY, SHARE};
use super::{Estimator, Limits, Scale, Settings, TrueValue, Undefined};
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Sums};
use crate::stats::clustered::RatioSums;
use crate::stats::interval::Interval;
use crate::stats::special::normal_quantile;

static PASSES: Reading = Reading {
    name: "passes of repeated runs",
    sums: &["cases", "runs", "passes", "passes^2", "passes^3", "passes^4"],
    step: |it: &Item<'_>| {
        let votes = it.answers[0].ab;
        let (runs, passes) = (votes.valid(), i64::from(votes.first));
        let mut sums = [0; LANES];
        if 0 < runs && votes.invalid == 0 {
            sums[..6].copy_from_slice(&[
                1,
                runs,
                passes,
                passes.pow(2),
                passes.pow(3),
                passes.pow(4),
            ]);
        }
        Sums(sums)
    },
};

/// What the sums tell of y, the share of its runs that a case passes.
struct Moments {
    cases: f64,
    /// K, the runs of a case.
    runs: f64,
    /// Mean of y^0 to y^4.
    of: [f64; 5],
}

impl Moments {
    fn new(sums: &[f64; LANES]) -> Result<Self, Undefined> {
        let [cases, runs, passes @ ..] = *sums;
        if cases <= 0.0 {
            return Err(Undefined("no case whose runs are all valid"));
        }
        let runs = runs / cases;
        let (mut of, mut scale) = ([1.0; 5], cases);
        for (moment, sum) in of[1..].iter_mut().zip(passes) {
            scale *= runs;
            *moment = sum / scale;
        }
        Ok(Self { cases, runs, of })
    }

    /// As [`Moments::new`], where runs must tell noise from spread.
    fn repeated(sums: &[f64; LANES]) -> Result<Self, Undefined> {
        let it = Self::new(sums)?;
        if it.runs < 1.5 {
            return Err(Undefined("one run does not tell its noise from the spread of the cases"));
        }
        Ok(it)
    }

    /// The terms c0 + c1 y + c2 y^2 whose mean is the noise of a run: the unbiased variance of a case's runs.
    fn within(&self) -> [f64; 3] {
        let k = self.runs / (self.runs - 1.0);
        [0.0, k, -k]
    }

    /// The terms whose mean is the variance of the cases' shares, noise included.
    fn total(&self) -> [f64; 3] {
        let mean = self.of[1];
        [mean * mean, -2.0 * mean, 1.0]
    }

    /// The terms whose mean is the variance of the cases' own pass rates: the rest without the noise of their runs.
    fn between(&self) -> [f64; 3] {
        let (total, within) = (self.total(), self.within());
        [0, 1, 2].map(|k: usize| total[k] - within[k] / self.runs)
    }

    fn mean(&self, [c0, c1, c2]: [f64; 3]) -> f64 {
        c0 + c1 * self.of[1] + c2 * self.of[2]
    }

    /// The t interval of a mean of terms over cases. Those of a variance move with the mean, and at the mean not at all,
    /// so to first order they are a mean of terms too.
    fn interval(
        &self,
        [c0, c1, c2]: [f64; 3],
        settings: &Settings,
    ) -> Result<Interval, &'static str> {
        let square = [c0 * c0, 2.0 * c0 * c1, c1 * c1 + 2.0 * c0 * c2, 2.0 * c1 * c2, c2 * c2];
        let squares: f64 = square.iter().zip(self.of).map(|(c, moment)| c * moment).sum();
        let sum = self.cases * self.mean([c0, c1, c2]);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let cases = self.cases as u64;
        RatioSums::of_mean(cases, sum, self.cases * squares).interval(settings.level.get())
    }

    /// Half the 95 % interval of a normal with this variance over cases.
    fn half_width(&self, variance: f64) -> f64 {
        normal_quantile(0.975) * libm::sqrt(variance.max(0.0) / self.cases)
    }
}

/// The limits of a variance, or of what rises with it.
fn limits(
    moments: Result<Moments, Undefined>,
    terms: fn(&Moments) -> [f64; 3],
    rises: fn(&Moments, f64) -> f64,
    settings: &Settings,
) -> Limits {
    let interval = moments.map_err(|why| why.0).and_then(|moments| {
        let Interval { low, high } = moments.interval(terms(&moments), settings)?;
        Ok(Interval { low: rises(&moments, low), high: rises(&moments, high) })
    });
    match interval {
        Ok(Interval { low, high }) => {
            Limits { low, high, p: Err(Undefined("no null value to test")) }
        }
        Err(why) => Limits::none(why),
    }
}

/// The difference of two runs of all cases has twice the noise of one.
fn run_to_run(moments: &Moments, within: f64) -> f64 {
    moments.half_width(2.0 * within / moments.runs)
}

/// The noise of one case's runs.
pub(super) static WITHIN: Estimator = Estimator {
    rule: "variation",
    variant: "within",
    summary: "run-to-run variance: how much one run of a case varies around the case's own pass rate",
    method: "t over cases",
    scale: Scale::Variance,
    null: None,
    truth: TrueValue::None,
    needs: Needs { asked: &[Asked::One, Asked::Both, Asked::Each], ..ANY },
    reads: &PASSES,
    value: |sums| Moments::repeated(sums).map(|it| it.mean(it.within())),
    limits: |sums, settings| {
        limits(Moments::repeated(&sums.real()), Moments::within, |_, it| it, settings)
    },
    ..SHARE
};

/// The spread of the cases' own pass rates.
pub(super) static BETWEEN: Estimator = Estimator {
    variant: "between",
    summary: "variance of the cases' own pass rates; an estimate may be below 0",
    method: "t over cases, to first order",
    value: |sums| Moments::repeated(sums).map(|it| it.mean(it.between())),
    limits: |sums, settings| {
        limits(Moments::repeated(&sums.real()), Moments::between, |_, it| it, settings)
    },
    ..WITHIN
};

/// What a move must clear that is not noise of the runs.
pub(super) static RUN_TO_RUN: Estimator = Estimator {
    variant: "run-to-run",
    summary: "95 % half-width of the difference of two scores on the same cases, each of all its runs",
    scale: Scale::HalfWidth,
    value: |sums| Moments::repeated(sums).map(|it| run_to_run(&it, it.mean(it.within()))),
    limits: |sums, settings| {
        limits(Moments::repeated(&sums.real()), Moments::within, run_to_run, settings)
    },
    ..WITHIN
};

/// What a score may be off by, since other cases could have been drawn.
pub(super) static SAMPLING: Estimator = Estimator {
    variant: "sampling",
    summary: "95 % half-width of a score over cases that could have been drawn, noise of the runs included",
    scale: Scale::HalfWidth,
    value: |sums| Moments::new(sums).map(|it| it.half_width(it.mean(it.total()))),
    limits: |sums, settings| {
        limits(Moments::new(&sums.real()), Moments::total, Moments::half_width, settings)
    },
    ..BETWEEN
};

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::evidence::{Answers, Votes};
    use crate::quantity::Level;

    /// `NumPy`: y = [4, 3, 0, 1, 4, 2, 4] of 4; within = mean(y(1 - y) 4/3), total = var(y), between = total - within/4, and
    /// t intervals of the terms.
    #[test]
    fn variances_of_seven_cases() {
        let mut sums = Sums::default();
        for first in [4, 3, 0, 1, 4, 2, 4] {
            let ab = Votes { first, second: 4 - first, ..Votes::default() };
            let answers = [Answers { ab, ..Answers::default() }];
            sums = sums.plus((PASSES.step)(&Item {
                answers: &answers,
                gold: None,
                stratum: 0,
                length: Ordering::Equal,
                share: 0,
            }));
        }
        let settings = Settings { level: Level::USUAL };
        for (it, value, low, high) in WANT {
            let got = it.estimate(&sums, &settings);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(near(got.value.unwrap(), value), "{}: {got:?}", it.name());
            assert!(near(got.limits.low, low) && near(got.limits.high, high), "{got:?}");
        }
    }

    #[test]
    fn one_run_does_not_tell_its_noise() {
        let votes = Votes { first: 1, ..Votes::default() };
        let answers = [Answers { ab: votes, ..Answers::default() }];
        let sums = (PASSES.step)(&Item {
            answers: &answers,
            gold: None,
            stratum: 0,
            length: Ordering::Equal,
            share: 0,
        });
        assert!((WITHIN.value)(&sums.real()).is_err() && (SAMPLING.value)(&sums.real()).is_ok());
        assert!((SAMPLING.value)(&[0.0; LANES]).is_err());
    }

    const WANT: [(&Estimator, f64, f64, f64); 4] = [
        (&WITHIN, 0.119_047_619_0, -0.020_654_488_0, 0.258_749_726_1),
        (&BETWEEN, 0.110_544_217_7, -0.035_224_146_3, 0.256_312_581_7),
        (&RUN_TO_RUN, 0.180_735_901_7, 0.000_000_000_0, 0.266_455_091_0),
        (&SAMPLING, 0.277_483_639_6, 0.097_393_152_3, 0.380_143_281_4),
    ];
}
