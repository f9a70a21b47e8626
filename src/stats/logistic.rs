//! A logistic fit with errors that are robust to dependence within clusters (the pair, in a swap test).
//!
//! Clusters that hold the same rows are given once with how many there are, so a fit on a table of counts costs as much as
//! the table has cells. Fractional multiplicities are weights: expected counts give the value that estimates approach.

mod apart;
mod dense;
mod robust;

use dense::{Matrix, cholesky, dot, solve_lower, solve_upper};

pub use apart::{Apart, apart};
pub use robust::{Errors, Robust};

/// The most coefficients of a fit.
pub const MOST: usize = 6;

/// One verdict: what was shown, and whether the answer shown first won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The regressors; those beyond the fit's width are ignored.
    pub x: [f64; MOST],
    /// Whether it happened.
    pub y: bool,
}

/// Rows that may depend on each other, and how many such clusters there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many clusters hold these rows; any number >= 0.
    pub times: f64,
}

/// A maximum-likelihood fit of logit P(y = 1) = x b.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The coefficients, in log-odds.
    pub coefficients: Vec<f64>,
    /// The root of the inverse information L, with L L' = (X' W X)^-1.
    root: Matrix,
}

/// Too few rows to fit anything.
pub const NO_ROWS: &str = "no verdicts to fit";
/// Two regressors, or sums of several, always move together.
pub const ALIASED: &str = "the regressors cannot be told apart in these data";
/// The likelihood has no maximum.
pub const SEPARATED: &str = "the verdicts are separated: a coefficient has no finite estimate";

/// Newton steps after which a likelihood that still rises has no maximum: the usual number is 5 to 8.
const STEPS: usize = 40;
/// Log-odds beyond which a fitted verdict is as good as certain: at a maximum no row is.
const CERTAIN: f64 = 30.0;

/// Fits the first `width` regressors by Newton's method, halving steps that do not raise the likelihood.
///
/// # Errors
/// [`NO_ROWS`], [`ALIASED`] where the information is singular, [`SEPARATED`] where the likelihood has no maximum.
pub fn fit(clusters: &[Cluster], width: usize) -> Result<Fit, &'static str> {
    let width = width.min(MOST);
    if !clusters.iter().any(|it| 0.0 < it.times && !it.rows.is_empty()) {
        return Err(NO_ROWS);
    }
    let mut at = vec![0.0; width];
    let mut height = likelihood(clusters, &at);
    for step in 0..STEPS {
        let (score, information) = slopes(clusters, &at);
        // At the start all weights are equal, so a singular information is the design's; later it is separation's.
        let why = if step == 0 { ALIASED } else { SEPARATED };
        let lower = cholesky(&information).ok_or(why)?;
        let newton = solve_upper(&lower, &solve_lower(&lower, &score));
        let gain = dot(&newton, &score);
        let mut size = 1.0;
        let (next, higher) = loop {
            let next: Vec<f64> = at.iter().zip(&newton).map(|(b, d)| b + size * d).collect();
            let higher = likelihood(clusters, &next);
            if height <= higher + 1e-12 * height.abs() || size < 1e-6 {
                break (next, higher);
            }
            size /= 2.0;
        };
        (at, height) = (next, higher);
        if largest_log_odds(clusters, &at) > CERTAIN {
            return Err(SEPARATED);
        }
        if gain <= 1e-20 * (1.0 + height.abs()) {
            let (_, information) = slopes(clusters, &at);
            let lower = cholesky(&information).ok_or(SEPARATED)?;
            return Ok(Fit { coefficients: at, root: dense::inverse_transposed(&lower) });
        }
    }
    Err(SEPARATED)
}

fn each(clusters: &[Cluster]) -> impl Iterator<Item = (&Row, f64)> {
    let some = clusters.iter().filter(|it| 0.0 < it.times);
    some.flat_map(|it| it.rows.iter().map(move |row| (row, it.times)))
}

/// The log-likelihood, each row as -ln(1 + e^-eta) without overflow.
fn likelihood(clusters: &[Cluster], at: &[f64]) -> f64 {
    let one = |(row, times): (&Row, f64)| {
        let eta = dot(at, &row.x[..at.len()]);
        let towards = if row.y { eta } else { -eta };
        let loss = libm::log1p(libm::exp(-libm::fabs(towards))) + f64::max(-towards, 0.0);
        -times * loss
    };
    each(clusters).map(one).sum()
}

fn largest_log_odds(clusters: &[Cluster], at: &[f64]) -> f64 {
    each(clusters).map(|it| libm::fabs(dot(at, &it.0.x[..at.len()]))).fold(0.0, f64::max)
}

/// Probability of y = 1 at these log-odds.
fn chance(eta: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-eta))
}

/// Score and information.
fn slopes(clusters: &[Cluster], at: &[f64]) -> (Vec<f64>, Matrix) {
    let width = at.len();
    let mut score = vec![0.0; width];
    let mut information = vec![vec![0.0; width]; width];
    for (row, times) in each(clusters) {
        let p = chance(dot(at, &row.x[..width]));
        let rest = f64::from(u8::from(row.y)) - p;
        let weight = times * p * (1.0 - p);
        for ((score, row_of), x) in score.iter_mut().zip(&mut information).zip(row.x) {
            *score += times * x * rest;
            row_of.iter_mut().zip(row.x).for_each(|(entry, other)| *entry += weight * x * other);
        }
    }
    (score, information)
}

#[cfg(test)]
mod tests;
