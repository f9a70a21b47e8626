//! Errors of a logistic fit that hold when rows of a cluster depend on each other.
//!
//! CR2 (Bell and `McCaffrey` 2002; Pustejovsky & Tipton 2018, Journal of Business & Economic Statistics 36, 672-683) divides
//! each cluster's residuals by the root of what the fit left of them, in the metric of the working weights, and gives each
//! coefficient the degrees of freedom by which its variance estimate would match a chi-square (Satterthwaite). With
//! Q = W^1/2 X L of a cluster and G = Q'Q all of it takes place in as many dimensions as there are coefficients:
//! Q' (I - Q Q')^-1/2 = (I - G)^-1/2 Q'.

use super::dense::{Matrix, dot, eigen, transposed_times};
use super::{Cluster, Fit, chance};
use crate::stats::interval::Interval;
use crate::stats::special::{t_quantile, t_tail};

/// Which errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Of the model: every row independent.
    Model,
    /// Clustered, without a correction (Liang & Zeger 1986), normal limits.
    Cr0,
    /// Clustered, with the correction of Bell and `McCaffrey` and Satterthwaite's degrees of freedom.
    Cr2,
}

/// A coefficient with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Robust {
    /// The coefficient, in log-odds.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The degrees of freedom of its t distribution; infinity for a normal one.
    pub df: f64,
}

impl Robust {
    /// The t interval; `level` in (0, 1).
    #[must_use]
    pub fn interval(&self, level: f64) -> Interval {
        let half = t_quantile(0.5 + level / 2.0, self.df) * self.error;
        Interval { low: self.value - half, high: self.value + half }
    }

    /// The two-sided p-value of a null value.
    #[must_use]
    pub fn p_value(&self, null: f64) -> f64 {
        t_tail((self.value - null) / self.error, self.df)
    }
}

/// Fewer clusters cannot vary.
const FEW: &str = "fewer than two clusters";
/// A cluster that decides a coefficient alone.
const ALONE: &str = "one cluster alone decides a coefficient";
/// All clusters say the same.
const NO_SPREAD: &str = "the clusters do not vary";

/// What a cluster adds to the sums of CR2.
struct Part {
    times: f64,
    /// (I - G)^-1/2 of its G, as eigenvalues of G and eigenvectors.
    values: Vec<f64>,
    vectors: Matrix,
    /// L' X' (y - p).
    score: Vec<f64>,
}

impl Fit {
    /// A coefficient, by its place, with its error.
    ///
    /// # Errors
    /// Why no error can be given: fewer than two clusters, no variation, or one cluster that decides a coefficient alone.
    pub fn coefficient(
        &self,
        clusters: &[Cluster],
        place: usize,
        errors: Errors,
    ) -> Result<Robust, &'static str> {
        let value = self.coefficients[place];
        // e_k in the basis of L: L'e_k, row k of L.
        let unit = &self.root[place];
        if errors == Errors::Model {
            return Ok(Robust { value, error: dot(unit, unit).sqrt(), df: f64::INFINITY });
        }
        let parts: Vec<Part> =
            clusters.iter().filter(|it| 0.0 < it.times).map(|it| self.part(it)).collect();
        if parts.iter().map(|it| it.times).sum::<f64>() < 2.0 {
            return Err(FEW);
        }
        let corrected = errors == Errors::Cr2;
        if corrected && parts.iter().any(|it| it.values.iter().any(|g| 1.0 - 1e-9 < *g)) {
            return Err(ALONE);
        }
        let root = |g: f64| if corrected { 1.0 / (1.0 - g).sqrt() } else { 1.0 };
        let variance: f64 = parts
            .iter()
            .map(|it| {
                let x = dot(&it.apply(unit, root), &it.score);
                it.times * x * x
            })
            .sum();
        if variance <= 1e-24 * dot(unit, unit) {
            return Err(NO_SPREAD);
        }
        let df = if corrected { satterthwaite(&parts, unit) } else { f64::INFINITY };
        Ok(Robust { value, error: variance.sqrt(), df })
    }

    fn part(&self, cluster: &Cluster) -> Part {
        let width = self.coefficients.len();
        let mut gram = vec![vec![0.0; width]; width];
        let mut score = vec![0.0; width];
        for row in &cluster.rows {
            let p = chance(dot(&self.coefficients, &row.x[..width]));
            let q = transposed_times(&self.root, &row.x[..width]);
            let rest = f64::from(u8::from(row.y)) - p;
            for j in 0..width {
                score[j] += q[j] * rest;
                for k in 0..width {
                    gram[j][k] += p * (1.0 - p) * q[j] * q[k];
                }
            }
        }
        let (values, vectors) = eigen(&gram);
        Part { times: cluster.times, values, vectors, score }
    }
}

impl Part {
    /// f(G) x.
    fn apply(&self, x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        for (value, vector) in self.values.iter().zip(&self.vectors) {
            let along = f(*value) * dot(vector, x);
            out.iter_mut().zip(vector).for_each(|(out, v)| *out += along * v);
        }
        out
    }
}

/// `(sum |u_g|^2)^2 / sum (u_g' u_h)^2` over pairs of clusters, under independent working residuals: `u_g' u_h` is
/// `-b_g' b_h` between clusters and `a_g' a_g - b_g' b_g` within one, with `b = (I - G)^-1/2 G c` and
/// `a'a = c' (I - G)^-1 G c`.
fn satterthwaite(parts: &[Part], unit: &[f64]) -> f64 {
    let width = unit.len();
    let mut outer = vec![vec![0.0; width]; width];
    let (mut trace, mut squares) = (0.0, 0.0);
    for it in parts {
        let b = it.apply(unit, |g| g / (1.0 - g).sqrt());
        let a = dot(unit, &it.apply(unit, |g| g / (1.0 - g)));
        let own = dot(&b, &b);
        let within = a - own;
        trace += it.times * within;
        squares += it.times * (within * within - own * own);
        for j in 0..width {
            for k in 0..width {
                outer[j][k] += it.times * b[j] * b[k];
            }
        }
    }
    let between: f64 = outer.iter().flatten().map(|x| x * x).sum();
    trace * trace / (squares + between)
}
