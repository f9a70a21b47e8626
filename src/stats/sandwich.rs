//! Errors of a likelihood fit that hold when rows of a cluster depend on each other.
//!
//! CR2 (Bell and `McCaffrey` 2002; Pustejovsky & Tipton 2018, Journal of Business & Economic Statistics 36, 672-683) divides
//! each cluster's residuals by the root of what the fit left of them, in the metric of the working weights, and gives each
//! coefficient the degrees of freedom by which its variance estimate would match a chi-square (Satterthwaite). With
//! Q = W^1/2 X L of a cluster and G = Q'Q all of it takes place in as many dimensions as there are coefficients:
//! Q' (I - Q Q')^-1/2 = (I - G)^-1/2 Q'. W may join several answers of one row, as it does where ties are an answer.

use super::dense::{Matrix, dot, eigen};
use super::interval::Interval;
use super::special::{t_quantile, t_tail};

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

/// What one cluster brings, in the basis of L, where L L' is the inverse information.
#[derive(Debug)]
pub(crate) struct Part {
    /// How many clusters bring just this.
    pub(crate) times: f64,
    /// Rows of Q: the sum of their squares is the cluster's information.
    pub(crate) halves: Matrix,
    /// L' times its score.
    pub(crate) score: Vec<f64>,
}

/// A sum over clusters, and sums for each contrast that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Sandwich {
    errors: Errors,
    clusters: f64,
    /// Directions that one cluster decides alone: its answers say nothing about their error.
    alone: Vec<Vec<f64>>,
    /// The sum of the squares of corrected scores: the covariance in the basis of L.
    meat: Matrix,
    along: Vec<Along>,
}

/// Sums along one contrast c, given as L'c.
#[derive(Clone, Debug)]
struct Along {
    unit: Vec<f64>,
    variance: f64,
    trace: f64,
    squares: f64,
    outer: Matrix,
}

impl Sandwich {
    /// For contrasts c given as L'c.
    pub(crate) fn new(errors: Errors, width: usize, units: Vec<Vec<f64>>) -> Self {
        let square = || vec![vec![0.0; width]; width];
        let along = |unit| Along { unit, variance: 0.0, trace: 0.0, squares: 0.0, outer: square() };
        let along = units.into_iter().map(along).collect();
        Self { errors, clusters: 0.0, alone: Vec::new(), meat: square(), along }
    }

    pub(crate) fn add(&mut self, part: &Part) {
        let corrected = self.errors == Errors::Cr2;
        let axes = if corrected { axes(&part.halves) } else { Vec::new() };
        self.clusters += part.times;
        let (alone, axes): (Vec<Axis>, Vec<Axis>) =
            axes.into_iter().partition(|it| 1.0 - 1e-9 < it.value);
        self.alone.extend(alone.into_iter().map(|it| it.vector));
        let score = apply(&axes, &part.score, 1.0, |g| 1.0 / (1.0 - g).sqrt());
        add_square(&mut self.meat, &score, part.times);
        for it in &mut self.along {
            let x = dot(&it.unit, &score);
            it.variance += part.times * x * x;
            if corrected {
                it.add(&axes, part.times);
            }
        }
    }

    /// The value of the contrast at a place, with its error.
    pub(crate) fn robust(&self, place: usize, value: f64) -> Result<Robust, &'static str> {
        let it = &self.along[place];
        if self.errors == Errors::Model {
            return Ok(Robust { value, error: dot(&it.unit, &it.unit).sqrt(), df: f64::INFINITY });
        }
        self.told(&it.unit)?;
        if it.variance <= 1e-24 * dot(&it.unit, &it.unit) {
            return Err(NO_SPREAD);
        }
        let between: f64 = it.outer.iter().flatten().map(|x| x * x).sum();
        let corrected = self.errors == Errors::Cr2;
        let df =
            if corrected { it.trace * it.trace / (it.squares + between) } else { f64::INFINITY };
        Ok(Robust { value, error: it.variance.sqrt(), df })
    }

    /// The covariance of all coefficients in the basis of L; the unit matrix for the errors of the model. It holds for contrasts
    /// that [`Sandwich::told`] passes.
    pub(crate) fn meat(&self) -> Matrix {
        if self.errors == Errors::Model {
            let width = self.meat.len();
            let unit = |j: usize| (0..width).map(|k| f64::from(u8::from(j == k))).collect();
            return (0..width).map(unit).collect();
        }
        self.meat.clone()
    }

    /// Whether a contrast, given as L'c, has an error at all.
    pub(crate) fn told(&self, unit: &[f64]) -> Result<(), &'static str> {
        if self.errors != Errors::Model && self.clusters < 2.0 {
            return Err(FEW);
        }
        let size = dot(unit, unit).sqrt();
        let decides = |axis: &Vec<f64>| 1e-6 * size < dot(axis, unit).abs();
        if self.alone.iter().any(decides) { Err(ALONE) } else { Ok(()) }
    }
}

impl Along {
    /// `(sum |u_g|^2)^2 / sum (u_g' u_h)^2` over pairs of clusters, under independent working residuals: `u_g' u_h` is
    /// `-b_g' b_h` between clusters and `a_g' a_g - b_g' b_g` within one, with `b = (I - G)^-1/2 G c` and
    /// `a'a = c' (I - G)^-1 G c`.
    fn add(&mut self, axes: &[Axis], times: f64) {
        let b = apply(axes, &self.unit, 0.0, |g| g / (1.0 - g).sqrt());
        let a = dot(&self.unit, &apply(axes, &self.unit, 0.0, |g| g / (1.0 - g)));
        let own = dot(&b, &b);
        let within = a - own;
        self.trace += times * within;
        self.squares += times * (within * within - own * own);
        add_square(&mut self.outer, &b, times);
    }
}

fn add_square(to: &mut Matrix, b: &[f64], times: f64) {
    for (row, x) in to.iter_mut().zip(b) {
        row.iter_mut().zip(b).for_each(|(entry, y)| *entry += times * x * y);
    }
}

/// An eigenvector of G with an eigenvalue above zero.
struct Axis {
    value: f64,
    vector: Vec<f64>,
}

/// The axes of G = Q'Q, taken from Q Q' where a cluster has fewer rows than there are coefficients.
fn axes(halves: &Matrix) -> Vec<Axis> {
    let Some(width) = halves.first().map(Vec::len) else { return Vec::new() };
    if width < halves.len() {
        let mut gram = vec![vec![0.0; width]; width];
        for q in halves {
            add_square(&mut gram, q, 1.0);
        }
        let (values, vectors) = eigen(&gram);
        return values
            .into_iter()
            .zip(vectors)
            .map(|(value, vector)| Axis { value, vector })
            .collect();
    }
    let gram: Matrix = halves.iter().map(|q| halves.iter().map(|r| dot(q, r)).collect()).collect();
    let (values, vectors) = eigen(&gram);
    let largest = values.iter().copied().fold(0.0, f64::max);
    let axis = |(value, along): (f64, Vec<f64>)| {
        let mut vector = vec![0.0; width];
        for (q, share) in halves.iter().zip(along) {
            vector.iter_mut().zip(q).for_each(|(v, q)| *v += share / value.sqrt() * q);
        }
        Axis { value, vector }
    };
    // An eigenvalue that is rounding has no axis.
    values.into_iter().zip(vectors).filter(|it| 1e-13 * largest < it.0).map(axis).collect()
}

/// f(G) x, where f(0) is `base`.
fn apply(axes: &[Axis], x: &[f64], base: f64, f: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut out: Vec<f64> = x.iter().map(|x| base * x).collect();
    for it in axes {
        let along = (f(it.value) - base) * dot(&it.vector, x);
        out.iter_mut().zip(&it.vector).for_each(|(out, v)| *out += along * v);
    }
    out
}
