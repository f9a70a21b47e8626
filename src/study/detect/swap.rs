//! Questions about pairs shown in both orders: position, self-preference, length, from a judge's law or from a flip rate.

use std::collections::BTreeMap;

use super::Impossible;
use super::alike::{Alike, MOST_ALIKE, rule, told, verdict};
use super::judged::{FIRST_SHARE, Judged, LONGER, OnAPlane, quadrature};
use super::prepared::{Also, Powers, Prepared};
use super::question::{Bias, Question, Test, Truth, share};
use crate::estimators::Estimator;
use crate::evidence::Gold;
use crate::exact::{Claim, Differing};
use crate::stats::sample_size;
use crate::stats::special::normal_quantile;
use crate::world::Gap;

/// The largest number of pairs where a plane is convolved.
const MOST_ON_A_PLANE: u64 = 4_000;
/// The largest coefficient in log-odds.
const MOST_LOG_ODDS: f64 = 50.0;

/// The rule of a bias and a test.
fn rule_of(bias: Bias, test: Test) -> Result<&'static Estimator, Impossible> {
    rule(match (bias, test) {
        (Bias::SelfPreference, Test::Asymptotic | Test::Z) => "self-preference",
        (Bias::SelfPreference, _) => {
            return Err(Impossible::because(
                "self-preference is tested by a paired z test, which has no exact and no mid-p version; give --test z.",
            ));
        }
        (_, Test::Exact) => "position-effect/exact",
        (_, Test::MidP) => "position-effect/mid-p",
        (Bias::Length, _) => "win-rate/averaged",
        _ => "first-share",
    })
}

pub(super) fn prepare(question: &Question) -> Result<Prepared, Impossible> {
    let rule = rule_of(question.bias, question.test())?;
    if question.flip_rate.is_some() {
        return by_flip_rate(question, rule);
    }
    let ability = question.ability.ok_or_else(|| {
        let or = if question.bias == Bias::Position { " or --flip-rate" } else { "" };
        Impossible(format!(
            "the answer depends on how hard the pairs are; give --ability, --item-effect{or}."
        ))
    })?;
    let (gaps, cycle) = pairs(&question.truth)?;
    // The asymptotic test of length is that of the win rate, which reads the answers as they are.
    let reading =
        if question.bias == Bias::Length && rule.reads.lanes() == 3 { &LONGER } else { rule.reads };
    let judged = Judged {
        bias: question.bias,
        ability,
        taste: question.taste,
        doublings: question.doublings,
        gaps,
        cycle,
        rule,
        reading,
    };
    judged.design(0.0, false)?;
    Ok(by_judge(question, judged))
}

/// A question about a judge whose coefficients are known to be in range.
fn by_judge(question: &Question, judged: Judged) -> Prepared {
    let (rule, settings) = (judged.rule, question.settings());
    let za = normal_quantile(0.5 + question.level.get() / 2.0);
    let alike = judged.gaps.len() == 1 && question.bias != Bias::SelfPreference;
    let powers: Box<dyn Powers> = if alike {
        let by = judged.clone();
        Box::new(Alike {
            differing: Differing::new(Claim::Outside, verdict(rule, settings)),
            ways: move |effect| by.ways(effect),
            null: 0.0,
            error: quadrature(question.taste),
        })
    } else {
        Box::new(OnAPlane { judged: judged.clone(), settings })
    };
    let (effect, unit) = match question.bias {
        Bias::SelfPreference => ("self-preference", "log-odds"),
        Bias::Length => ("length preference", "log-odds per doubling"),
        _ => ("position preference", "log-odds"),
    };
    let most_effect = match question.bias {
        Bias::Length => MOST_LOG_ODDS / question.doublings.max(1.0),
        _ => MOST_LOG_ODDS,
    };
    let assumed = assumed(question, judged.ability);
    let (approximate, in_units) = (judged.clone(), judged);
    Prepared {
        powers,
        known: BTreeMap::new(),
        effect,
        unit,
        counted: "pairs",
        null: 0.0,
        least_effect: 0.0,
        most_effect,
        beyond: format!(
            "it lies between 0 and {most_effect} {unit}, beyond which every verdict is certain"
        ),
        step: 0.0625,
        most: Some(if alike { MOST_ALIKE } else { MOST_ON_A_PLANE }),
        rule: told_of(question.bias, rule),
        approximate: Box::new(move |effect, n| approximate.approximate(effect, n, za).ok()),
        in_units: Box::new(move |effect| in_units.in_units(effect).unwrap_or_default()),
        assumed,
    }
}

/// The rule with its paper; for length, what stands in the place of FF and SS.
fn told_of(bias: Bias, rule: &Estimator) -> String {
    if bias == Bias::Length && rule.rule == "position-effect" {
        return format!(
            "{}'s sign test, of the pairs that both orders give to the longer answer against those for the shorter",
            rule.name()
        );
    }
    told(rule)
}

fn assumed(question: &Question, ability: f64) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("truth", question.truth.told()),
        ("ability", format!("{ability} log-odds a unit of true difference")),
    ];
    if question.taste > 0.0 {
        all.push(("taste", format!("standard deviation {} log-odds", question.taste)));
    }
    if question.bias == Bias::Length {
        all.push((
            "length",
            format!("doublings by which one answer is longer: {}", question.doublings),
        ));
    }
    if question.bias == Bias::SelfPreference {
        let third = "a third party judges the same pairs with the same ability and no preference";
        all.push(("compared with", third.to_owned()));
    }
    all
}

/// The distinct truths of pairs, and which of them each pair has.
fn pairs(truth: &Truth) -> Result<(Vec<Gap>, Vec<usize>), Impossible> {
    let fixed = |gap: f64| Gap::Fixed { gap, gold: Gold::of(gap, 0.0) };
    match truth {
        Truth::Random => Ok((vec![Gap::Sign(0.5)], vec![0])),
        Truth::First => Ok((vec![fixed(1.0)], vec![0])),
        Truth::Even => Ok((vec![fixed(1.0), fixed(-1.0)], vec![0, 1])),
        Truth::Given(gaps) => {
            if gaps.is_empty() || gaps.iter().any(|gap| !gap.is_finite()) {
                return Err(Impossible::because(
                    "the truths are finite numbers, one for each pair; give at least one.",
                ));
            }
            let mut distinct: Vec<f64> = gaps.clone();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            let place = |gap: &f64| distinct.binary_search_by(|it| it.total_cmp(gap)).unwrap_or(0);
            let cycle = gaps.iter().map(place).collect();
            Ok((distinct.iter().map(|gap| fixed(*gap)).collect(), cycle))
        }
    }
}

/// One way's share of the flips at a position preference: FF to SS is e^(2 beta), whatever the pairs.
fn one_way(effect: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-2.0 * effect))
}

fn by_flip_rate(question: &Question, rule: &'static Estimator) -> Result<Prepared, Impossible> {
    if question.bias != Bias::Position {
        return Err(Impossible(format!(
            "a flip rate says nothing about {}; give --ability or --item-effect.",
            question.bias.name()
        )));
    }
    let flips = share(question.flip_rate, "--flip-rate", "the flip rate", "pairs")?;
    let za = normal_quantile(0.5 + question.level.get() / 2.0);
    Ok(Prepared {
        powers: Box::new(Alike {
            differing: Differing::new(Claim::Outside, verdict(rule, question.settings())),
            ways: move |effect| Ok([flips * one_way(effect), flips * one_way(-effect)]),
            null: 0.0,
            error: 0.0,
        }),
        known: BTreeMap::new(),
        effect: "position preference",
        unit: "log-odds",
        counted: "pairs",
        null: 0.0,
        least_effect: 0.0,
        most_effect: MOST_LOG_ODDS,
        beyond: "it lies between 0 and 50 log-odds, beyond which every verdict is certain"
            .to_owned(),
        step: 0.0625,
        most: Some(MOST_ALIKE),
        rule: told(rule),
        approximate: Box::new(move |effect, n| {
            Some(sample_size::sign_test(flips, one_way(effect), n, za))
        }),
        in_units: Box::new(move |effect| {
            let value = 100.0 * flips * (one_way(effect) - 0.5);
            vec![Also { name: FIRST_SHARE.to_owned(), value, unit: "points" }]
        }),
        assumed: vec![(
            "flip rate",
            format!("{flips} at the bias sought, FF + SS ~ Bin(n, {flips})"),
        )],
    })
}
