//! Splits of a budget by formula, against the engine: the best split has the variance that it promises, and the others what
//! they are said to cost. Variances of simulated estimates are held within four of their standard errors.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::stats::allocation::labels;
use judgelab::stats::corrected::Known;
use judgelab::stats::corrected::label_split::{Split, label_variance, neyman, published};
use judgelab::study::Measure;
use support::{plan, rows, value};

/// The variance of a rule's estimates.
fn variance(world: &str, judge: &str, rule: &str, replicates: u32) -> f64 {
    let text = format!(
        "seed = 31\nreplicates = {replicates}\n[world.graded]\n{world}\n[judges.j.pointwise]\n{judge}\n[estimate]\nrules = \
         [\"corrected-rate\"]\n"
    );
    let rows = rows(&plan(&text)).remove(0).1;
    let sd = value(&rows, rule, Measure::EmpiricalSe);
    sd * sd
}

/// Labels by class for Rogan and Gladen's correction: 23 true passes and 177 true fails, against the published rule's 64 and
/// 136 (19 % more variance) and halves (59 % more). What the unlabelled answers add is taken off.
#[test]
fn labels_by_class() {
    const REPLICATES: u32 = 20_000;
    let rates = Known { sensitivity: 0.9, specificity: 0.7 };
    let theta = 1.0 / 6.0;
    let simulated = |split: Split| {
        let Split { passes, fails } = split;
        let world = format!(
            "cases = 1000\nrate = {theta}\nlabels = {{ passing = {passes}, failing = {fails} }}"
        );
        let judge = "false-negative = 0.1\nfalse-positive = 0.3";
        let all = variance(&world, judge, "corrected-rate/rogan-gladen", REPLICATES);
        all - 0.24 / 1000.0 / 0.36
    };
    let best = neyman(200, theta, &rates).unwrap();
    let theirs = published(200, 0.4, &rates, 10).unwrap();
    let halves = Split { passes: 100, fails: 100 };
    let [best_got, theirs_got, halves_got] = [best, theirs, halves].map(simulated);
    let of = |split| label_variance(split, theta, &rates).unwrap();
    // Of a ratio of two variances; to first order the formula leaves out that J is estimated.
    let by = 4.0 * (4.0 / f64::from(REPLICATES)).sqrt();
    for (got, split, more) in [(theirs_got, theirs, 0.19), (halves_got, halves, 0.59)] {
        let ratio = of(split) / of(best);
        assert!((ratio - 1.0 - more).abs() < 0.005, "{ratio}");
        assert!((got / best_got / ratio - 1.0).abs() < by + 0.02, "{} {ratio}", got / best_got);
    }
}

/// Labels against calls: 455 and 4008 where a label costs a hundred calls and they correlate by .7, worth 813 labels; more
/// calls or more labels for the same money are worth less.
#[test]
fn labels_against_calls() {
    const REPLICATES: u32 = 4000;
    let best = labels(0.7, 1.0, 0.01, 500.0).unwrap();
    assert_eq!((best.labelled, best.unlabelled), (455, 4008));
    // Half of the answers pass and 15 % of the grades are wrong: the correlation is 1 - .3.
    let judge = "false-negative = 0.15\nfalse-positive = 0.15";
    let worth = |labelled: u64, unlabelled: u64| {
        let world = format!("cases = {unlabelled}\nrate = 0.5\nlabels = {{ random = {labelled} }}");
        0.25 / variance(&world, judge, "corrected-rate/ppi++", REPLICATES)
    };
    let by = 4.0 * (2.0 / f64::from(REPLICATES)).sqrt();
    for (labelled, unlabelled, effective) in
        [(455, 4008, best.effective), (371, 12_529, 707.9), (495, 500, 656.9)]
    {
        let rest = 1.0 - 0.49;
        let all = (labelled + unlabelled) as f64;
        let formula = 1.0 / (rest / labelled as f64 + 0.49 / all);
        assert!((formula / effective - 1.0).abs() < 0.02, "{formula} {effective}");
        let got = worth(labelled, unlabelled);
        assert!((got / formula - 1.0).abs() < by, "{labelled}, {unlabelled}: {got} {formula}");
    }
}
