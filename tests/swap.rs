//! The figures of `scenarios/swap.toml`: estimands to seven digits, and the simulation by the acceptance rule (a share's
//! count against its exact probability at 1e-5 over the grid, a mean within 4 MCSE). The seed was fixed before looking.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unwrap_used)]

mod support;

use judgelab::evidence::Asked;
use judgelab::scenario::Overrides;
use judgelab::study::{self, Measure};
use support::{accept_mean, accept_share, close, row, rows, shipped, value};

const POSITIONS: [f64; 4] = [0.0, 0.5, 1.2, 2.0];

#[test]
fn estimands_are_the_published_ones() {
    let flips = [0.140_207_4, 0.155_322_2, 0.227_957_7, 0.380_231_6];
    let averaged = [0.7121, 0.7083, 0.6904, 0.6529];
    #[expect(clippy::approx_constant, reason = "a win rate, not pi/4")]
    let one_order = [0.7121, 0.7442, 0.7854, 0.8361];
    let all = rows(&shipped("swap.toml", Overrides { replicates: Some(50), seed: None }));
    assert_eq!(all.len(), 8);
    for (cell, (task, rows)) in all.iter().enumerate() {
        let k = cell / 2;
        assert_eq!(task.design.world.cases.len(), [14, 140][cell % 2]);
        assert_eq!(task.design.protocol.asked, Asked::Both);
        let estimand = |name: &str| value(rows, name, Measure::Estimand);
        close("flip rate", estimand("flip-rate"), flips[k], 1e-7);
        close("floor", value(rows, "flip-rate", Measure::Floor), flips[0], 1e-7);
        close("averaged", estimand("win-rate/averaged"), averaged[k], 5e-5);
        close("one order", estimand("win-rate/one-order"), one_order[k], 5e-5);
        close("fair", value(rows, "win-rate/averaged", Measure::Fair), 0.7121, 5e-5);
        close("true", value(rows, "win-rate/averaged", Measure::True), 0.75, 1e-9);
        // For the logistic link the rule's estimand is the planted position, whatever the items.
        close("position", estimand("position-effect/mid-p"), POSITIONS[k], 1e-9);
        // First-share minus one half is one order minus the average of the orders, identically.
        let lift = estimand("win-rate/one-order") - estimand("win-rate/averaged");
        close("lift", estimand("first-share") - 0.5, lift, 1e-12);
    }
}

#[test]
fn sizes_of_the_position_test_are_exact() {
    let plan = shipped("swap.toml", Overrides { replicates: Some(1), seed: None });
    for (cell, mid_p, exact) in [(0, 0.00199, 0.00023), (1, 0.04586, 0.02936)] {
        let task = &plan.tasks[cell];
        for (variant, size) in [("mid-p", mid_p), ("exact", exact)] {
            let rule = task
                .estimators
                .iter()
                .find(|it| it.name() == format!("position-effect/{variant}"))
                .unwrap();
            let law = study::exactly(task, rule, &plan.settings, 100_000_000).unwrap();
            close(variant, law.value(Measure::Power).unwrap(), size, 5e-6);
        }
    }
}

/// Every coverage and power of the 14-pair cells, and those of the position rules at 140 pairs, against the law.
#[test]
fn the_simulation_agrees_with_the_law_of_the_evidence() {
    let plan = shipped("swap.toml", Overrides::default());
    let all = rows(&plan);
    let comparisons = 8.0 * 14.0 * 2.0;
    for (task, rows) in &all {
        let small = task.design.world.cases.len() == 14;
        for row in rows.iter().filter(|row| small || row.estimator.rule == "position-effect") {
            let law = study::exactly(task, row.estimator, &plan.settings, 100_000_000).unwrap();
            let name = row.estimator.name();
            for measure in [Measure::Coverage, Measure::Power] {
                if let Some(exact) = law.value(measure) {
                    let share = row.performance.value(measure).unwrap();
                    accept_share(&name, share, plan.replicates, exact, comparisons);
                }
            }
            if let (Some(mean), Some(exact)) =
                (row.performance.get(Measure::Mean), law.value(Measure::Mean))
                && mean.undefined == 0
            {
                accept_mean(&name, mean.value.unwrap(), mean.mcse.unwrap(), exact);
            }
        }
    }
}

/// Coverage counts all replicates and is at least nominal unless P(Bin(R, .95) <= x) < 1e-4.
#[test]
fn the_position_intervals_cover() {
    let plan = shipped("swap.toml", Overrides::default());
    for (_, rows) in rows(&plan) {
        for name in ["position-effect/mid-p", "position-effect/exact"] {
            let coverage = row(&rows, name).performance.get(Measure::Coverage).unwrap();
            assert_eq!(coverage.replicates, Some(plan.replicates));
            let count = (coverage.value.unwrap() * plan.replicates as f64).round() as u64;
            let p = judgelab::stats::special::binomial_cdf(count, plan.replicates, 0.95);
            assert!(1e-4 <= p, "{name}: {count} of {}", plan.replicates);
        }
    }
}

/// One replicate and a million of a small cell both work; measures that one replicate cannot have say why.
#[test]
fn one_replicate_has_a_mean_and_no_spread() {
    let all = rows(&shipped("swap.toml", Overrides { replicates: Some(1), seed: None }));
    let flip = row(&all[7].1, "flip-rate");
    assert!(flip.performance.get(Measure::Mean).unwrap().value.is_ok());
    let spread = flip.performance.get(Measure::EmpiricalSe).unwrap();
    assert_eq!(spread.value.unwrap_err().0, "defined in fewer than two replicates");
}
