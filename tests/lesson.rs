//! `scenarios/lesson-position.toml`: the exact figures of the fourteen discordant cases, and, fed with the uniforms that
//! the lesson drew, its published table to the digit.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use judgelab::evidence::Order;
use judgelab::scenario::Overrides;
use judgelab::stream::{Words, recorded};
use judgelab::study::{self, Measure, verdict_key};
use support::numpy::{Numpy, seed_of};
use support::{close, row, shipped, value};

#[test]
fn the_exact_figures() {
    let plan = shipped("lesson-position.toml", Overrides { replicates: Some(100), seed: None });
    let want = [
        ("neutral", 1.96, 14.0, 0.258, 0.258),
        ("primacy", 3.19, 16.66, 0.377, 0.282),
        ("recency", 3.19, 11.34, 0.187, 0.282),
    ];
    for ((task, rows), (judge, flips, first, one_order, averaged)) in
        support::rows(&plan).iter().zip(want)
    {
        assert_eq!((&*task.judge, task.design.world.cases.len()), (judge, 14));
        let estimand = |name: &str| value(rows, name, Measure::Estimand);
        close("flips", 14.0 * estimand("flip-rate"), flips, 5e-3);
        close("first", 28.0 * estimand("first-share"), first, 5e-3);
        close("one order", estimand("win-rate/one-order"), one_order, 5e-4);
        close("averaged", estimand("win-rate/averaged"), averaged, 5e-4);
        close("true", value(rows, "win-rate/averaged", Measure::True), 3.0 / 14.0, 1e-12);
        assert_eq!(row(rows, "flip-rate").performance.get(Measure::Estimand).unwrap().mcse, None);
    }
}

/// Each verdict was drawn from a generator of its own, seeded by the judge, the case and the systems in the order shown.
#[test]
fn the_published_table_to_the_digit() {
    let plan = shipped("lesson-position.toml", Overrides { replicates: Some(1), seed: None });
    let mut words = BTreeMap::new();
    for task in &plan.tasks {
        let judge = if *task.judge == *"neutral" { "neutro" } else { &*task.judge };
        for case in &task.design.world.cases {
            for (order, shown) in Order::BOTH.into_iter().zip(["A|C", "C|A"]) {
                let mut rng = Numpy::new(seed_of(&format!("{judge}|{}|{shown}", case.id)));
                let key = verdict_key(plan.seed, &task.judge, &case.id, order, 0);
                words.insert(key, vec![recorded(rng.random())]);
            }
        }
    }
    assert_eq!(words.len(), 84);
    let words = Words::Recorded(&words);
    let gathered =
        study::simulate(&plan.tasks, plan.seed, words, 0..1, &plan.settings, &|_| true).unwrap();
    let published =
        [(0.0, 14.0, ".286", ".286"), (5.0, 19.0, ".500", ".321"), (3.0, 11.0, ".214", ".321")];
    for ((task, gathered), (flips, first, one_order, averaged)) in
        plan.tasks.iter().zip(&gathered).zip(published)
    {
        let rows = study::rows(task, gathered, &plan.settings);
        let mean = |name: &str| value(&rows, name, Measure::Mean);
        assert_eq!(14.0 * mean("flip-rate"), flips, "{}", task.judge);
        close("first", 28.0 * mean("first-share"), first, 1e-12);
        assert_eq!(format!("{:.3}", mean("win-rate/one-order")).trim_start_matches('0'), one_order);
        assert_eq!(format!("{:.3}", mean("win-rate/averaged")).trim_start_matches('0'), averaged);
    }
}

/// Exact powers of the paired z test of self-preference, truth drawn anew (computed independently, by a lattice of sums and
/// squares): own bonus, pairs, power.
#[test]
fn the_exact_powers_of_self_preference() {
    const POWERS: [(f64, usize, f64); 6] = [
        (0.0, 14, 0.043_28),
        (0.0, 140, 0.052_14),
        (0.5, 14, 0.069_79),
        (0.5, 140, 0.353_43),
        (1.0, 14, 0.160_83),
        (1.0, 140, 0.900_25),
    ];
    for (bonus, pairs, power) in POWERS {
        let plan = support::plan(&format!(
            "replicates = 1\n[world.sampled]\npairs = {pairs}\nbetter = 0.5\n[judges.own.pairwise]\nability = 2.5\nself = \
             {bonus}\nown = \"A\"\n[judges.third.pairwise]\nability = 2.5\n[estimate]\nrules = [\"self-preference\"]\n\
             third-party = \"third\"\n"
        ));
        let task = &plan.tasks[0];
        let law = study::exactly(task, task.estimators[0], &plan.settings, usize::MAX).unwrap();
        close(&format!("{bonus} {pairs}"), law.value(Measure::Power).unwrap(), power, 5.1e-6);
    }
}
