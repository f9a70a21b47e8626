//! Shares: paired differences, equivalence of the two orders, one pass rate, and two of them.

use std::collections::BTreeMap;

use super::Impossible;
use super::alike::{Alike, MOST_ALIKE, rule, told, verdict};
use super::prepared::{Also, Powers, Prepared};
use super::question::{Question, Test, share};
use crate::exact::{Claim, Differing, Power, rates};
use crate::stats::interval::{clopper_pearson, mid_p, wilson};
use crate::stats::paired::{Tails, equivalence as equivalent, equivalence_wald};
use crate::stats::sample_size;
use crate::stats::special::normal_quantile;
use crate::stats::two_shares::{fisher, fisher_mid_p, pooled_z};

/// The largest number of cases in each of two sets whose powers are summed.
const MOST_IN_A_SET: u64 = 3_000;

/// The normal quantile of a two-sided test.
fn two_sided(question: &Question) -> f64 {
    normal_quantile(0.5 + question.level.get() / 2.0)
}

fn points(name: &str) -> Box<dyn Fn(f64) -> Vec<Also>> {
    let name = name.to_owned();
    Box::new(move |effect| vec![Also { name: name.clone(), value: 100.0 * effect, unit: "points" }])
}

/// The paired difference of two systems' pass rates.
pub(super) fn difference(question: &Question) -> Result<Prepared, Impossible> {
    let psi = share(
        question.discordant,
        "--discordant (to detect) or --rates (to plan)",
        "the share of cases on which the systems differ",
        "cases",
    )?;
    let rule = rule(match question.test() {
        Test::Exact => "difference/exact",
        Test::MidP => "difference/mid-p",
        Test::Asymptotic | Test::Z => "difference/asymptotic",
    })?;
    let za = two_sided(question);
    Ok(Prepared {
        powers: Box::new(Alike {
            differing: Differing::new(Claim::Outside, verdict(rule, question.settings())),
            ways: move |delta| Ok([f64::midpoint(psi, delta), f64::midpoint(psi, -delta)]),
            null: 0.0,
            error: 0.0,
        }),
        known: BTreeMap::new(),
        effect: "difference of pass rates",
        unit: "share",
        counted: "cases",
        null: 0.0,
        least_effect: 0.0,
        most_effect: psi,
        beyond: format!("systems that differ on a share of {psi} differ by at most that"),
        step: psi / 64.0,
        most: Some(MOST_ALIKE),
        rule: told(rule),
        approximate: Box::new(move |delta, n| Some(sample_size::connor(psi, delta, n, za))),
        in_units: points("difference of pass rates"),
        assumed: vec![(
            "discordant share",
            format!("{psi:.4} at the difference sought, b + c ~ Bin(n, {psi:.4})"),
        )],
    })
}

/// Powers to claim that a position preference lies within a margin, where there is none.
struct Equivalence<F> {
    /// The test at a margin.
    test: F,
    flips: f64,
}

impl<F: Fn(u64, u64, u64, f64) -> bool> Equivalence<F> {
    fn powers(
        &self,
        margin: f64,
        sizes: std::ops::RangeInclusive<u64>,
        one_way: f64,
    ) -> Vec<Power> {
        let mut it = Differing::new(Claim::Within, |b, c, n| (self.test)(b, c, n, margin));
        sizes.map(|size| it.power(size, self.flips, one_way)).collect()
    }
}

impl<F: Fn(u64, u64, u64, f64) -> bool> Powers for Equivalence<F> {
    fn power(&mut self, margin: f64, size: u64) -> Result<Option<Power>, Impossible> {
        if margin <= 0.0 {
            return Ok(Some(Power { value: 0.0, error: 0.0 }));
        }
        Ok(self.powers(margin, size..=size, 0.5).pop())
    }

    fn curve(&mut self, margin: f64, to: u64) -> Result<Vec<Power>, Impossible> {
        Ok(self.powers(margin, 1..=to, 0.5))
    }

    /// The chance to claim equivalence at the margin itself.
    fn size(&mut self, margin: f64, size: u64) -> Result<Option<Power>, Impossible> {
        let one_way = (0.5 + margin / self.flips).min(1.0);
        Ok(self.powers(margin, size..=size, one_way).pop())
    }
}

pub(super) fn equivalence(question: &Question) -> Result<Prepared, Impossible> {
    let flips = share(question.flip_rate, "--flip-rate", "the flip rate", "pairs")?;
    let alpha = question.level.alpha();
    let test = question.test();
    let rejects = move |b: u64, c: u64, n: u64, margin: f64| {
        let p = match test {
            Test::Exact => equivalent(b, c, n, margin, Tails::Exact),
            Test::MidP => equivalent(b, c, n, margin, Tails::MidP),
            Test::Asymptotic | Test::Z => equivalence_wald(b, c, n, margin),
        };
        p <= alpha
    };
    let rule = match test {
        Test::Exact => {
            "two one-sided tests of FF - SS within the margin, exact binomial tails given FF + SS"
        }
        Test::MidP => {
            "two one-sided tests of FF - SS within the margin, mid-p binomial tails given FF + SS"
        }
        Test::Asymptotic | Test::Z => {
            "two one-sided tests of FF - SS within the margin, Wald's error"
        }
    };
    let za = normal_quantile(question.level.get());
    Ok(Prepared {
        powers: Box::new(Equivalence { test: rejects, flips }),
        known: BTreeMap::new(),
        effect: "margin",
        unit: "share",
        counted: "pairs",
        null: 0.0,
        least_effect: 0.0,
        most_effect: flips / 2.0,
        beyond: format!(
            "with a flip rate of {flips} the first-shown share lies within {} of one half anyway",
            flips / 2.0
        ),
        step: flips / 128.0,
        most: Some(MOST_IN_A_SET),
        rule: rule.to_owned(),
        approximate: Box::new(move |margin, n| {
            Some(sample_size::equivalence(flips, margin, n, za))
        }),
        in_units: points("margin of the first-shown share about one half"),
        assumed: vec![
            ("flip rate", format!("{flips}, FF + SS ~ Bin(n, {flips})")),
            ("true position preference", "none".to_owned()),
            (
                "size",
                "at the margin itself: the chance to call a bias of that size equivalent"
                    .to_owned(),
            ),
        ],
    })
}

/// The rate without a change, strictly between 0 and 1.
fn rate(question: &Question) -> Result<f64, Impossible> {
    let rate = share(question.rate, "--rate", "the pass rate without a change", "cases")?;
    if rate < 1.0 {
        return Ok(rate);
    }
    Err(Impossible::because("a pass rate of 1 leaves no chance to pass or fail; give one below 1."))
}

/// Powers of one pass rate against a fixed one.
struct OneRate<F> {
    rate: f64,
    rejects: F,
}

impl<F: Fn(u64, u64) -> bool> Powers for OneRate<F> {
    fn power(&mut self, drop: f64, size: u64) -> Result<Option<Power>, Impossible> {
        let p = (self.rate - drop).max(0.0);
        Ok(Some(rates::one_share(size, self.rate, p, |x| (self.rejects)(x, size))))
    }

    fn size(&mut self, _: f64, size: u64) -> Result<Option<Power>, Impossible> {
        self.power(0.0, size)
    }
}

pub(super) fn pass_rate(question: &Question) -> Result<Prepared, Impossible> {
    let rate = rate(question)?;
    let (test, level) = (question.test(), question.level.get());
    let rejects = move |x: u64, n: u64| {
        let interval = match test {
            Test::Exact => clopper_pearson(x, n, level),
            Test::MidP => mid_p(x, n, level),
            Test::Asymptotic | Test::Z => wilson(x, n, level),
        };
        !interval.contains(rate)
    };
    let rule = match test {
        Test::Exact => {
            "the fixed rate lies outside the Clopper-Pearson interval (1934), an exact binomial test"
        }
        Test::MidP => "the fixed rate lies outside the mid-p interval, a mid-p binomial test",
        Test::Asymptotic | Test::Z => {
            "the fixed rate lies outside Wilson's interval (1927), the score test"
        }
    };
    let za = two_sided(question);
    Ok(Prepared {
        powers: Box::new(OneRate { rate, rejects }),
        known: BTreeMap::new(),
        effect: "drop of the pass rate",
        unit: "share",
        counted: "cases",
        null: 0.0,
        least_effect: 0.0,
        most_effect: rate,
        beyond: format!("a pass rate of {rate} drops by at most that"),
        step: rate / 64.0,
        most: Some(20_000),
        rule: rule.to_owned(),
        approximate: Box::new(move |drop, n| {
            Some(sample_size::one_share(rate, rate - drop, n, za))
        }),
        in_units: points("drop of the pass rate"),
        assumed: vec![("pass rate to compare with", format!("{rate}, fixed"))],
    })
}

/// Powers of two pass rates of sets of equal size.
struct TwoRates<F> {
    rate: f64,
    rejects: F,
}

impl<F: Fn(u64, u64, u64) -> bool> Powers for TwoRates<F> {
    fn power(&mut self, drop: f64, size: u64) -> Result<Option<Power>, Impossible> {
        let p = [self.rate, (self.rate - drop).max(0.0)];
        Ok(Some(rates::two_shares([size, size], p, |x, y| (self.rejects)(x, y, size))))
    }

    fn size(&mut self, _: f64, size: u64) -> Result<Option<Power>, Impossible> {
        self.power(0.0, size)
    }
}

pub(super) fn drift(question: &Question) -> Result<Prepared, Impossible> {
    let rate = rate(question)?;
    let (test, alpha) = (question.test(), question.level.alpha());
    let rejects = move |x: u64, y: u64, n: u64| {
        let p = match test {
            Test::Exact => fisher(x, n, y, n),
            Test::MidP => fisher_mid_p(x, n, y, n),
            Test::Asymptotic | Test::Z => pooled_z(x, n, y, n),
        };
        p <= alpha
    };
    let rule = match test {
        Test::Exact => "Fisher's exact test of two shares, the smaller tail doubled",
        Test::MidP => "Fisher's mid-p test of two shares, the smaller tail doubled",
        Test::Asymptotic | Test::Z => "pooled z test of two shares",
    };
    let za = two_sided(question);
    Ok(Prepared {
        powers: Box::new(TwoRates { rate, rejects }),
        known: BTreeMap::new(),
        effect: "drop of the pass rate",
        unit: "share",
        counted: "cases in each set",
        null: 0.0,
        least_effect: 0.0,
        most_effect: rate,
        beyond: format!("a pass rate of {rate} drops by at most that"),
        step: rate / 64.0,
        most: Some(MOST_IN_A_SET),
        rule: rule.to_owned(),
        approximate: Box::new(move |drop, n| {
            Some(sample_size::two_shares([rate, rate - drop], n, za))
        }),
        in_units: points("drop of the pass rate"),
        assumed: vec![
            ("pass rate before", format!("{rate}")),
            ("sets", "two independent sets of cases of this size; for the same cases ask for `difference`".to_owned()),
        ],
    })
}
