//! The laboratory's own calibration: what must be uniform is, by two Kolmogorov tests each at 1e-4, and what is wrong on
//! purpose is seen. Seeds are fixed; `certificates.rs` holds the same with tens of times the draws.

mod support;

use support::calibration::{
    kolmogorov, p_values_of_differences, p_values_of_positions, ranks_of_evidence, ranks_of_judges,
    ranks_of_ratios, uniform,
};

/// Chance to fail without a fault.
const ALPHA: f64 = 1e-4;

#[track_caller]
fn calibrated(values: &[f64], at_least: usize) {
    let p = uniform(values);
    assert!(at_least <= values.len(), "{} values", values.len());
    assert!(ALPHA < p, "{} values are not uniform: p = {p:e}", values.len());
}

#[track_caller]
fn seen(values: &[f64]) {
    let p = uniform(values);
    assert!(p < 1e-8, "{} values look uniform: p = {p:e}", values.len());
}

/// Kolmogorov's test against `SciPy`'s `kstwobign.sf(1)` and `.sf(1.5)`: distances of a single step.
#[test]
fn the_test_of_uniformity() {
    for (lambda, want) in [(1.0, 0.269_999_671_677_355_4), (1.5, 0.022_217_962_616_525_23)] {
        // n values at the left of their cells, moved down by what makes the distance lambda.
        let n = 400_u32;
        let root = f64::from(n).sqrt();
        let distance: f64 = lambda / (root + 0.12 + 0.11 / root);
        let values: Vec<f64> =
            (0..n).map(|k| (f64::from(k + 1) / f64::from(n) - distance).clamp(0.0, 1.0)).collect();
        let got = kolmogorov(&values);
        assert!((got - want).abs() < 1e-9, "{got} {want}");
    }
    assert!(0.9 < kolmogorov(&(0..100).map(|k| (f64::from(k) + 0.5) / 100.0).collect::<Vec<_>>()));
}

/// Exact sign tests of swaps and of paired differences, randomised over their steps, under true nulls.
#[test]
fn p_values_of_true_nulls_are_uniform() {
    calibrated(&p_values_of_positions(1, 60, 0.0), 2000);
    calibrated(&p_values_of_differences(2, 60), 2000);
    seen(&p_values_of_positions(1, 60, 0.4));
}

/// Simulated evidence ranked in its exact law; the law of a judge whose position differs by a fifth is found out.
#[test]
fn evidence_ranks_uniformly_in_its_law() {
    calibrated(&ranks_of_evidence(3, 120, 0.0), 4000);
    seen(&ranks_of_evidence(3, 120, 0.2));
}

/// Planted log ratios in their Dirichlet(1/2) posterior; a posterior from another prior is found out.
#[test]
fn planted_ratios_rank_uniformly_in_their_posterior() {
    calibrated(&ranks_of_ratios(4, 1500, 0.5), 1500);
    seen(&ranks_of_ratios(4, 1500, 1.5));
}

/// Planted preferences in their posterior over a population of judges.
#[test]
fn planted_preferences_rank_uniformly_in_their_posterior() {
    calibrated(&ranks_of_judges(5, 60, 40), 2400);
}
