//! A logistic fit, ties included, with errors that are robust to dependence within clusters (the pair, in a swap test).
//!
//! The odds of first, tie and second are e^(eta/2) : nu : e^(-eta/2) (R. R. Davidson 1970, Journal of the American Statistical
//! Association 65, 317-328); without ties nu is zero and this is logit P(first) = eta. Clusters that hold the same rows are
//! given once with how many there are, so a fit on a table of counts costs as much as the table has cells. Fractional
//! multiplicities are weights: expected counts give the value that estimates approach.

mod apart;
mod davidson;
mod profile;

use super::dense::{Matrix, cholesky, dot, inverse_transposed};
use super::newton::{Likelihood, maximum};
use super::sandwich::{Part, Sandwich};
pub(crate) use davidson::of_odds;
use davidson::turn;

pub use super::newton::{ALIASED, SEPARATED};
pub use super::sandwich::{Errors, Robust};
pub use apart::{Apart, apart, apart_by};
pub use profile::{Profiled, profile, ratio_test};

/// One presentation: what was shown, and how often which answer came.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The regressors that are not zero, by place; those beyond the fit's width are ignored.
    pub x: Vec<(usize, f64)>,
    /// How often the first won, neither did, and the second did.
    pub said: [f64; 3],
}

impl Row {
    /// One answer: the regressors in order, and whether it happened.
    #[must_use]
    pub fn new(x: &[f64], y: bool) -> Self {
        let x = x.iter().copied().enumerate().filter(|it| it.1 != 0.0).collect();
        Self { x, said: if y { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] } }
    }
}

/// Rows that may depend on each other, and how many such clusters there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many clusters hold these rows; any number >= 0.
    pub times: f64,
}

/// A maximum-likelihood fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The coefficients, in log-odds; where there are ties, ln nu comes last.
    pub coefficients: Vec<f64>,
    /// The log-likelihood, without the constant of counts.
    pub height: f64,
    width: usize,
    /// The root of the inverse information L, with L L' = (X' W X)^-1.
    root: Matrix,
}

/// Too few rows to fit anything.
pub const NO_ROWS: &str = "no verdicts to fit";

/// Fits the first `width` regressors, and ln nu where a row has ties, by Newton's method, halving steps that do not raise the
/// likelihood.
///
/// # Errors
/// [`NO_ROWS`], [`ALIASED`] where the information is singular, [`SEPARATED`] where the likelihood has no maximum.
pub fn fit(clusters: &[Cluster], width: usize) -> Result<Fit, &'static str> {
    let data = Data::new(clusters, width)?;
    let top = maximum(&data, vec![0.0; data.width()])?;
    let (_, information) = data.slopes(&top.at);
    let lower = cholesky(&information).ok_or(SEPARATED)?;
    let root = inverse_transposed(&lower);
    Ok(Fit { coefficients: top.at, height: top.height, width, root })
}

/// The rows as a likelihood.
pub(crate) struct Data<'a> {
    clusters: &'a [Cluster],
    regressors: usize,
    ties: bool,
}

fn each(clusters: &[Cluster]) -> impl Iterator<Item = (&Row, f64)> {
    let some = clusters.iter().filter(|it| 0.0 < it.times);
    some.flat_map(|it| it.rows.iter().map(move |row| (row, it.times)))
}

impl<'a> Data<'a> {
    pub(crate) fn new(clusters: &'a [Cluster], regressors: usize) -> Result<Self, &'static str> {
        if !each(clusters).any(|(row, _)| 0.0 < row.said.iter().sum::<f64>()) {
            return Err(NO_ROWS);
        }
        let ties = each(clusters).any(|(row, _)| 0.0 < row.said[1]);
        Ok(Self { clusters, regressors, ties })
    }

    /// How many coefficients there are, ln nu included.
    pub(crate) fn width(&self) -> usize {
        self.regressors + usize::from(self.ties)
    }

    /// Log-odds of a row and ln nu.
    fn odds(&self, row: &Row, at: &[f64]) -> (f64, Option<f64>) {
        (self.terms(row).map(|(k, x)| at[k] * x).sum(), self.ties.then(|| at[self.regressors]))
    }

    /// The regressors of a row that are fitted.
    fn terms<'r>(&self, row: &'r Row) -> impl Iterator<Item = (usize, f64)> + Clone + 'r {
        let regressors = self.regressors;
        row.x.iter().copied().filter(move |it| it.0 < regressors)
    }
}

impl Likelihood for Data<'_> {
    fn height(&self, at: &[f64]) -> f64 {
        let one = |(row, times): (&Row, f64)| {
            let (eta, ln_nu) = self.odds(row, at);
            times * davidson::height(eta, ln_nu, row.said)
        };
        each(self.clusters).map(one).sum()
    }

    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let width = at.len();
        let mut score = vec![0.0; width];
        let mut information = vec![vec![0.0; width]; width];
        for (row, times) in each(self.clusters) {
            let (eta, ln_nu) = self.odds(row, at);
            let turn = turn(eta, ln_nu, row.said);
            for (j, x) in self.terms(row) {
                score[j] += times * x * turn.score[0];
                for (k, other) in self.terms(row) {
                    information[j][k] += times * turn.weight[0] * x * other;
                }
                if self.ties {
                    information[j][width - 1] += times * turn.weight[1] * x;
                    information[width - 1][j] += times * turn.weight[1] * x;
                }
            }
            if self.ties {
                score[width - 1] += times * turn.score[1];
                information[width - 1][width - 1] += times * turn.weight[2];
            }
        }
        (score, information)
    }

    fn reach(&self, at: &[f64]) -> f64 {
        let ties = if self.ties { libm::fabs(at[self.regressors]) } else { 0.0 };
        each(self.clusters).map(|it| libm::fabs(self.odds(it.0, at).0)).fold(ties, f64::max)
    }
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
        let mut contrast = vec![0.0; self.coefficients.len()];
        contrast[place] = 1.0;
        self.contrasts(clusters, &[contrast], errors).remove(0)
    }

    /// Weighted sums of coefficients, with their errors; one pass over the clusters for all.
    #[must_use]
    pub fn contrasts(
        &self,
        clusters: &[Cluster],
        contrasts: &[Vec<f64>],
        errors: Errors,
    ) -> Vec<Result<Robust, &'static str>> {
        let sums = self.sandwich(clusters, contrasts, errors);
        let value = |it: &Vec<f64>| dot(it, &self.coefficients);
        contrasts.iter().enumerate().map(|(k, it)| sums.robust(k, value(it))).collect()
    }

    /// The clustered sums of the fit.
    fn sandwich(&self, clusters: &[Cluster], contrasts: &[Vec<f64>], errors: Errors) -> Sandwich {
        let mut sums = self.no_clusters(contrasts, errors);
        if errors != Errors::Model {
            let some = clusters.iter().filter(|it| 0.0 < it.times);
            some.for_each(|it| sums.add(&self.part(it)));
        }
        sums
    }

    /// Sums to which clusters are to be added.
    pub(crate) fn no_clusters(&self, contrasts: &[Vec<f64>], errors: Errors) -> Sandwich {
        let units = contrasts.iter().map(|it| self.turned(it.iter().copied().enumerate()));
        Sandwich::new(errors, self.coefficients.len(), units.collect())
    }

    /// L'x.
    pub(crate) fn turned(&self, x: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut out = vec![0.0; self.root.len()];
        for (k, x) in x {
            out.iter_mut().zip(&self.root[k]).for_each(|(out, entry)| *out += entry * x);
        }
        out
    }

    /// What a cluster adds to the sums.
    pub(crate) fn part(&self, cluster: &Cluster) -> Part {
        let last = self.coefficients.len() - 1;
        let data = Data {
            clusters: &[],
            regressors: self.width,
            ties: self.width < self.coefficients.len(),
        };
        let mut part = Part {
            times: cluster.times,
            halves: Vec::new(),
            score: vec![0.0; self.coefficients.len()],
        };
        for row in &cluster.rows {
            let (eta, ln_nu) = data.odds(row, &self.coefficients);
            let turn = turn(eta, ln_nu, row.said);
            let q = self.turned(data.terms(row));
            part.score.iter_mut().zip(&q).for_each(|(score, q)| *score += q * turn.score[0]);
            let [along, across, own] = turn.roots();
            let mut half: Vec<f64> = q.iter().map(|q| along * q).collect();
            if data.ties {
                let nu = self.turned(std::iter::once((last, 1.0)));
                half.iter_mut().zip(&nu).for_each(|(half, nu)| *half += across * nu);
                part.score.iter_mut().zip(&nu).for_each(|(score, nu)| *score += nu * turn.score[1]);
                part.halves.push(nu.iter().map(|nu| own * nu).collect());
            }
            part.halves.push(half);
        }
        part
    }
}

#[cfg(test)]
mod tests;
