//! Slow statistical certificates, run in release by `.ci/run`: `cargo test --release --test certificates -- --ignored`.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::scenario::Overrides;
use judgelab::study::{self, Measure};
use support::calibration::{
    p_values_of_differences, p_values_of_positions, ranks_of_evidence, ranks_of_judges,
    ranks_of_ratios, uniform,
};
use support::{accept_mean, accept_share, row, rows, shipped};

/// A million replicates of every cell of `swap.toml` against the law of the evidence: shares by the exact binomial test
/// at 1e-5 over the grid, means within 4 MCSE.
#[test]
#[ignore = "slow: in .ci/run, in release"]
fn a_million_replicates_agree_with_the_law() {
    let plan = shipped("swap.toml", Overrides { replicates: Some(1_000_000), seed: None });
    for (task, rows) in rows(&plan) {
        for row in &rows {
            let Ok(law) = study::exactly(&task, row.estimator, &plan.settings, 100_000_000) else {
                continue;
            };
            let name = row.estimator.name();
            for measure in [Measure::Coverage, Measure::Power] {
                if let Some(exact) = law.value(measure) {
                    accept_share(
                        &name,
                        row.performance.value(measure).unwrap(),
                        plan.replicates,
                        exact,
                        230.0,
                    );
                }
            }
            let mean = row.performance.get(Measure::Mean).unwrap();
            accept_mean(
                &name,
                mean.value.unwrap(),
                mean.mcse.unwrap(),
                law.value(Measure::Mean).unwrap(),
            );
            let (sd, exact) = (
                row.performance.get(Measure::EmpiricalSe).unwrap(),
                law.value(Measure::EmpiricalSe).unwrap(),
            );
            accept_mean(&format!("sd of {name}"), sd.value.unwrap(), sd.mcse.unwrap(), exact);
        }
    }
}

/// Monte Carlo standard errors are honest: over 400 seeds, the spread of a measure is what its MCSE says, within 12 %
/// (the spread of 400 draws has a relative standard error of 3.5 %).
#[test]
#[ignore = "slow: in .ci/run, in release"]
fn monte_carlo_errors_are_honest() {
    let measures = [
        Measure::Mean,
        Measure::EmpiricalSe,
        Measure::Rmse,
        Measure::Coverage,
        Measure::Power,
        Measure::Width,
    ];
    let mut seen = vec![Vec::new(); measures.len()];
    for seed in 0..400 {
        let plan = shipped("swap.toml", Overrides { replicates: Some(500), seed: Some(seed) });
        let (_, rows) = &rows(&plan)[3];
        let row = row(rows, "first-share");
        for (k, measure) in measures.into_iter().enumerate() {
            let figure = row.performance.get(measure).unwrap();
            seen[k].push((figure.value.unwrap(), figure.mcse.unwrap()));
        }
    }
    for (measure, seen) in measures.into_iter().zip(&seen) {
        let n = seen.len() as f64;
        let mean = seen.iter().map(|it| it.0).sum::<f64>() / n;
        let spread =
            (seen.iter().map(|it| (it.0 - mean) * (it.0 - mean)).sum::<f64>() / (n - 1.0)).sqrt();
        let mcse = seen.iter().map(|it| it.1).sum::<f64>() / n;
        assert!(
            (mcse / spread - 1.0).abs() < 0.12,
            "{}: MCSE {mcse}, spread {spread}",
            measure.name()
        );
    }
}

/// The laboratory's own calibration with many draws: p-values of exact tests under true nulls, simulated evidence in its
/// exact law, planted parameters in their posterior are uniform, by two Kolmogorov tests each at 1e-4.
#[test]
#[ignore = "slow: in .ci/run, in release"]
fn the_laboratory_is_calibrated() {
    for (what, values) in [
        ("p-values of positions", p_values_of_positions(101, 2500, 0.0)),
        ("p-values of differences", p_values_of_differences(102, 2500)),
        ("evidence", ranks_of_evidence(103, 4000, 0.0)),
        ("ratios", ranks_of_ratios(104, 40_000, 0.5)),
        ("judges", ranks_of_judges(105, 300, 400)),
    ] {
        let p = uniform(&values);
        assert!(1e-4 < p, "{what}: {} values are not uniform, p = {p:e}", values.len());
    }
}
