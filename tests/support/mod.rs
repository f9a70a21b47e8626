//! What the integration tests share: scenarios by name, and the acceptance rule of a simulated share.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

pub mod calibration;
pub mod numpy;

use std::fs;
use std::path::{Path, PathBuf};

use judgelab::protocol::Task;
use judgelab::scenario::{Overrides, Plan};
use judgelab::stats::special::{binomial_cdf, binomial_upper};
use judgelab::stream::Words;
use judgelab::study::{self, Gathered, Measure, Row};

pub fn scenario(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name)
}

/// The plan of a shipped scenario.
pub fn shipped(name: &str, overrides: Overrides) -> Plan {
    let text = fs::read_to_string(scenario(name)).unwrap();
    plan_with(&text, overrides)
}

/// A plan from text; files are read below `scenarios`.
pub fn plan_with(text: &str, overrides: Overrides) -> Plan {
    let mut plans = Plan::all_from_toml(None, text, overrides, &mut |file| {
        fs::read_to_string(scenario(file)).map_err(|error| error.to_string())
    })
    .unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(plans.len(), 1);
    plans.remove(0)
}

pub fn plan(text: &str) -> Plan {
    plan_with(text, Overrides::default())
}

pub fn simulate(plan: &Plan) -> Vec<Gathered> {
    study::simulate(
        &plan.tasks,
        plan.seed,
        Words::Keyed,
        0..plan.replicates,
        &plan.settings,
        &|_| true,
    )
    .unwrap()
}

/// The rows of each task.
pub fn rows(plan: &Plan) -> Vec<(Task, Vec<Row>)> {
    let gathered = simulate(plan);
    let each = plan.tasks.iter().zip(&gathered);
    each.map(|(task, gathered)| (task.clone(), study::rows(task, gathered, &plan.settings)))
        .collect()
}

pub fn row<'r>(rows: &'r [Row], name: &str) -> &'r Row {
    rows.iter().find(|row| row.estimator.name() == name).unwrap_or_else(|| panic!("no {name}"))
}

pub fn value(rows: &[Row], name: &str, measure: Measure) -> f64 {
    row(rows, name)
        .performance
        .value(measure)
        .unwrap_or_else(|| panic!("{name} has no {}", measure.name()))
}

pub fn close(what: &str, got: f64, want: f64, by: f64) {
    assert!((got - want).abs() <= by, "{what}: {got} is not {want} within {by}");
}

/// The two-sided exact binomial p-value of a simulated share, twice the smaller tail.
pub fn binomial_p(share: f64, n: u64, p: f64) -> f64 {
    let count = (share * n as f64).round() as u64;
    (2.0 * binomial_cdf(count, n, p).min(binomial_upper(count, n, p))).min(1.0)
}

/// The acceptance rule: a share of replicates agrees with its exact probability unless the exact binomial test says
/// otherwise at 1e-5, divided by the number of comparisons.
pub fn accept_share(what: &str, share: f64, n: u64, p: f64, comparisons: f64) {
    let p_value = binomial_p(share, n, p.clamp(0.0, 1.0));
    assert!(
        1e-5 / comparisons <= p_value,
        "{what}: {share} of {n} does not fit {p} (p = {p_value:e})"
    );
}

/// The acceptance rule of a mean: within 4 Monte Carlo standard errors.
pub fn accept_mean(what: &str, mean: f64, mcse: f64, exact: f64) {
    assert!(
        (mean - exact).abs() <= 4.0 * mcse + 1e-12,
        "{what}: {mean} ± {mcse} does not fit {exact}"
    );
}
