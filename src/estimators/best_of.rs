//! The best of several candidates: its share of passes on the cases that it was chosen on is too high even if all candidates
//! are equal (the winner's curse); on fresh cases it is not.
//!
//! Among candidates that are level, the first is chosen.

use super::{
    Estimate, Estimator, Limits, ON_SHEETS, Scale, Settings, SheetRule, TrueValue, Undefined,
};
use crate::evidence::{Columns, Expected, Sheet};
use crate::stats::interval::wilson;

const NO_CASE: Undefined = Undefined("no case to choose on, or none that is fresh");
const TOO_MUCH: Undefined = Undefined("too much to enumerate");

/// The winner's passes on the cases that it was chosen on, and on fresh ones.
struct Winner {
    seen: i64,
    fresh: i64,
    of_seen: usize,
    of_fresh: usize,
}

impl Winner {
    fn of(sheet: &Sheet<'_>) -> Result<Self, Undefined> {
        let ruled = sheet.ruled;
        let (of_seen, of_fresh) = (ruled.seen(), ruled.held_out);
        let totals = (0..ruled.columns).map(|column| (column, sheet.total(column, 0..of_seen)));
        let best = totals.reduce(|best, it| if best.1 < it.1 { it } else { best });
        match best {
            Some((column, seen)) if 0 < of_seen && 0 < of_fresh => {
                let fresh = sheet.total(column, of_seen..ruled.cases);
                Ok(Self { seen, fresh, of_seen, of_fresh })
            }
            _ => Err(NO_CASE),
        }
    }

    fn seen(&self) -> f64 {
        self.seen as f64 / self.of_seen as f64
    }

    fn fresh(&self) -> f64 {
        self.fresh as f64 / self.of_fresh as f64
    }
}

/// Laws of totals as (probability, probability of less) by total.
fn laws(expected: &Expected<'_>) -> Result<Vec<Vec<[f64; 2]>>, Undefined> {
    let mut laws: Vec<Vec<[f64; 2]>> = Vec::new();
    for column in 0..expected.ruled.columns {
        let mut below = 0.0;
        let law: Vec<[f64; 2]> = (expected.total)(column)
            .into_iter()
            .map(|p| {
                let it = [p, below];
                below += p;
                it
            })
            .collect();
        if law.is_empty() {
            return Err(TOO_MUCH);
        }
        laws.push(law);
    }
    Ok(laws)
}

/// Probability of a total, and of a lower one.
fn at(law: &[[f64; 2]], total: usize) -> [f64; 2] {
    law.get(total).copied().unwrap_or([0.0, 1.0])
}

/// The expected share of the best: the sum over totals of the probability that some candidate reaches them.
fn expected_seen(expected: &Expected<'_>) -> Result<f64, Undefined> {
    let laws = laws(expected)?;
    let most = laws.iter().map(Vec::len).max().unwrap_or(0);
    let reached = |total: usize| 1.0 - laws.iter().map(|law| at(law, total)[1]).product::<f64>();
    let seen = expected.ruled.seen();
    if seen == 0 { Err(NO_CASE) } else { Ok((1..most).map(reached).sum::<f64>() / seen as f64) }
}

/// The expected share of the chosen candidate on fresh cases: each candidate's, by its probability of being chosen.
fn expected_fresh(expected: &Expected<'_>) -> Result<f64, Undefined> {
    let (laws, ruled) = (laws(expected)?, expected.ruled);
    let most = laws.iter().map(Vec::len).max().unwrap_or(0);
    if ruled.held_out == 0 {
        return Err(NO_CASE);
    }
    let mut share = 0.0;
    for column in 0..ruled.columns {
        // Earlier candidates must do worse, later ones no better.
        let chosen: f64 = (0..most)
            .map(|total| {
                let each = laws.iter().enumerate().map(|(other, law)| {
                    let [p, below] = at(law, total);
                    match other.cmp(&column) {
                        std::cmp::Ordering::Less => below,
                        std::cmp::Ordering::Equal => p,
                        std::cmp::Ordering::Greater => below + p,
                    }
                });
                each.product::<f64>()
            })
            .sum();
        let fresh = ruled.seen()..ruled.cases;
        let sum: f64 = fresh.map(|case| expected.scores[ruled.place(case, column)]).sum();
        share += chosen * sum / ruled.held_out as f64;
    }
    Ok(share)
}

const BEST: Estimator =
    Estimator { rule: "best-of", scale: Scale::Share, truth: TrueValue::PassRate, ..ON_SHEETS };

/// As it is usually reported.
pub(super) static SEEN: Estimator = Estimator {
    variant: "seen",
    summary: "share of passes of the best candidate, on the cases that it was chosen on",
    method: "no interval: the best of several is no binomial share",
    sheet: Some(SheetRule {
        columns: Columns::Candidates,
        estimate: |sheet, _, _| Estimate {
            value: Winner::of(sheet).map(|it| it.seen()),
            limits: Limits::none("the best of several is no binomial share"),
        },
        estimand: expected_seen,
        quick: None,
    }),
    ..BEST
};

/// As it should be.
pub(super) static FRESH: Estimator = Estimator {
    variant: "fresh",
    chosen: true,
    summary: "share of passes of the best candidate, on as many fresh cases",
    method: "Wilson (1927)",
    sheet: Some(SheetRule {
        columns: Columns::Candidates,
        estimate: |sheet, settings, _| fresh(sheet, settings),
        estimand: expected_fresh,
        quick: None,
    }),
    ..BEST
};

fn fresh(sheet: &Sheet<'_>, settings: &Settings) -> Estimate {
    match Winner::of(sheet) {
        Ok(it) => {
            let interval =
                wilson(it.fresh.unsigned_abs(), it.of_fresh as u64, settings.level.get());
            let p = Err(Undefined("no null value to test"));
            let limits = Limits { low: interval.low, high: interval.high, p };
            Estimate { value: Ok(it.fresh()), limits }
        }
        Err(why) => Estimate { value: Err(why), limits: Limits::none(why.0) },
    }
}

/// How much too high the first is.
pub(super) static OPTIMISM: Estimator = Estimator {
    variant: "optimism",
    summary: "share of passes of the best candidate: on the cases that it was chosen on, minus fresh ones",
    method: "no interval: the mean over replicates is the winner's curse",
    scale: Scale::Difference,
    truth: TrueValue::None,
    sheet: Some(SheetRule {
        columns: Columns::Candidates,
        estimate: |sheet, _, _| Estimate {
            value: Winner::of(sheet).map(|it| it.seen() - it.fresh()),
            limits: Limits::none("the best of several is no binomial share"),
        },
        estimand: |expected| Ok(expected_seen(expected)? - expected_fresh(expected)?),
        quick: None,
    }),
    ..BEST
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Ruled;
    use crate::quantity::Level;
    use crate::stream::{Address, Purpose, generator};

    fn said(it: &Estimator, ruled: &Ruled, scores: &[u8]) -> Result<f64, Undefined> {
        let random = &mut generator(&Address::root(1, Purpose::Resample).key(), 0);
        let settings = Settings { level: Level::USUAL };
        (it.sheet.unwrap().estimate)(&Sheet { ruled, scores }, &settings, random).value
    }

    /// Two cases seen and two fresh ones, three candidates: the second passes most, then it passes one in two.
    #[test]
    fn the_winner_is_measured_again() {
        let ruled = Ruled { cases: 4, columns: 3, held_out: 2, ..Ruled::default() };
        let scores = [1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1];
        let all = [&SEEN, &FRESH, &OPTIMISM].map(|it| said(it, &ruled, &scores).unwrap());
        assert_eq!(all, [1.0, 0.5, 0.5]);
        // Among equals the first is chosen.
        let level = [0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0];
        assert_eq!(said(&FRESH, &ruled, &level), Ok(0.0));
        let stale = Ruled { held_out: 0, ..ruled };
        assert_eq!(said(&FRESH, &stale, &scores), Err(NO_CASE));
    }

    /// One fair coin each: the best of two passes with 3/4; the first is chosen unless only the second passes.
    #[test]
    fn expectations_by_hand() {
        let ruled = Ruled { cases: 2, columns: 2, held_out: 1, ..Ruled::default() };
        let coin = |_: usize| vec![0.5, 0.5];
        let expected = Expected { ruled: &ruled, scores: &[0.5, 0.5, 0.2, 0.6], total: &coin };
        assert!((expected_seen(&expected).unwrap() - 0.75).abs() < 1e-15);
        assert!((expected_fresh(&expected).unwrap() - (0.75 * 0.2 + 0.25 * 0.6)).abs() < 1e-15);
        let none = Expected { total: &|_| Vec::new(), ..expected };
        assert_eq!(expected_seen(&none), Err(TOO_MUCH));
    }
}
