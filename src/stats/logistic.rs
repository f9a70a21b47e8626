//! A logistic fit, ties included, with errors that are robust to dependence within clusters (the pair, in a swap test).
//!
//! The odds of first, tie and second are e^(eta/2) : nu : e^(-eta/2) (R. R. Davidson 1970, Journal of the American Statistical
//! Association 65, 317-328); without ties nu is zero and this is logit P(first) = eta. Clusters that hold the same rows are
//! given once with how many there are, so a fit on a table of counts costs as much as the table has cells. Fractional
//! multiplicities are weights: expected counts give the value that estimates approach.

mod apart;
mod davidson;
mod profile;
mod table;

use super::dense::{Matrix, cholesky, dot, inverse_transposed};
use super::newton::{Likelihood, Look, maximum};
use super::sandwich::{Part, Sandwich};
pub(crate) use davidson::of_odds;
use davidson::turn;

pub use super::newton::{ALIASED, SEPARATED};
pub use super::sandwich::{Errors, Robust};
pub use apart::{Apart, apart, apart_by};
pub use profile::{Profiled, profile, ratio_test};
pub use table::Table;

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
    Table::of(clusters).fit(width)
}

impl Table {
    /// As [`fit`], without a list for each row.
    ///
    /// # Errors
    /// As [`fit`].
    pub fn fit(&self, width: usize) -> Result<Fit, &'static str> {
        let data = Data::new(self, width)?;
        let (coefficients, top) = maximum(&data, self.start(&data))?;
        let lower = cholesky(&top.information).ok_or(SEPARATED)?;
        let root = inverse_transposed(&lower);
        Ok(Fit { coefficients, height: top.height, width, root })
    }

    /// Where a climb starts: near the top, which a part of many clusters tells; otherwise at zero.
    fn start(&self, data: &Data<'_>) -> Vec<f64> {
        let part = (MANY <= self.len()).then(|| self.every(ONE_OF));
        let near = part.and_then(|it| it.fit(data.regressors).ok()).map(|it| it.coefficients);
        near.filter(|it| it.len() == data.width()).unwrap_or_else(|| vec![0.0; data.width()])
    }
}

/// So many clusters are worth a look at a part of them, one of so many.
const MANY: usize = 1 << 15;
const ONE_OF: usize = 32;

/// The rows as a likelihood.
pub(crate) struct Data<'a> {
    table: &'a Table,
    regressors: usize,
    ties: bool,
}

impl<'a> Data<'a> {
    pub(crate) fn new(table: &'a Table, regressors: usize) -> Result<Self, &'static str> {
        let (mut some, mut ties) = (false, false);
        table.each(|_, said, _| {
            some |= 0.0 < said.iter().sum::<f64>();
            ties |= 0.0 < said[1];
        });
        if some { Ok(Self { table, regressors, ties }) } else { Err(NO_ROWS) }
    }

    /// How many coefficients there are, ln nu included.
    pub(crate) fn width(&self) -> usize {
        self.regressors + usize::from(self.ties)
    }
}

/// The regressors among the first so many.
fn fitted(x: &[(usize, f64)], regressors: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
    x.iter().copied().filter(move |it| it.0 < regressors)
}

/// The log-odds of a row.
fn eta(x: &[(usize, f64)], regressors: usize, at: &[f64]) -> f64 {
    fitted(x, regressors).map(|(k, x)| at[k] * x).sum()
}

impl Likelihood for Data<'_> {
    fn height(&self, at: &[f64]) -> f64 {
        let ln_nu = self.ties.then(|| at[self.regressors]);
        let mut height = 0.0;
        self.table.each(|x, said, times| {
            height += times * davidson::height(eta(x, self.regressors, at), ln_nu, said);
        });
        height
    }

    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let it = self.look(at);
        (it.score, it.information)
    }

    fn reach(&self, at: &[f64]) -> f64 {
        let mut reach = if self.ties { libm::fabs(at[self.regressors]) } else { 0.0 };
        self.table.each(|x, _, _| reach = reach.max(libm::fabs(eta(x, self.regressors, at))));
        reach
    }

    fn look(&self, at: &[f64]) -> Look {
        let (regressors, width) = (self.regressors, at.len());
        let ln_nu = self.ties.then(|| at[regressors]);
        let mut height = 0.0;
        let mut reach = ln_nu.map_or(0.0, libm::fabs);
        let mut score = vec![0.0; width];
        let mut information = vec![0.0; width * width];
        self.table.each(|x, said, times| {
            let eta = eta(x, regressors, at);
            let (loss, turn) = davidson::seen(eta, ln_nu, said);
            height += times * loss;
            reach = reach.max(libm::fabs(eta));
            for (j, x_j) in fitted(x, regressors) {
                score[j] += times * x_j * turn.score[0];
                let weight = times * turn.weight[0] * x_j;
                let line = &mut information[j * width..][..width];
                fitted(x, regressors).for_each(|(k, x_k)| line[k] += weight * x_k);
                if ln_nu.is_some() {
                    line[regressors] += times * turn.weight[1] * x_j;
                }
            }
            if ln_nu.is_some() {
                score[regressors] += times * turn.score[1];
                information[width * width - 1] += times * turn.weight[2];
            }
        });
        if self.ties {
            for k in 0..regressors {
                information[regressors * width + k] = information[k * width + regressors];
            }
        }
        let information = information.chunks(width.max(1)).map(<[f64]>::to_vec).collect();
        Look { height, score, information, reach }
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
        self.contrasts(clusters, &[self.unit(place)], errors).remove(0)
    }

    /// The contrast that is the coefficient at a place.
    #[must_use]
    pub fn unit(&self, place: usize) -> Vec<f64> {
        (0..self.coefficients.len()).map(|k| f64::from(u8::from(k == place))).collect()
    }

    /// Weighted sums of coefficients, with their errors; one pass over the clusters for all.
    #[must_use]
    pub fn contrasts(
        &self,
        clusters: &[Cluster],
        contrasts: &[Vec<f64>],
        errors: Errors,
    ) -> Vec<Result<Robust, &'static str>> {
        self.of_table(&Table::of(clusters), contrasts, errors)
    }

    /// As [`Fit::contrasts`], from the table that was fitted.
    #[must_use]
    pub fn of_table(
        &self,
        table: &Table,
        contrasts: &[Vec<f64>],
        errors: Errors,
    ) -> Vec<Result<Robust, &'static str>> {
        let mut sums = self.no_clusters(contrasts, errors);
        if errors != Errors::Model {
            self.add(table, &mut sums);
        }
        let value = |it: &Vec<f64>| dot(it, &self.coefficients);
        contrasts.iter().enumerate().map(|(k, it)| sums.robust(k, value(it))).collect()
    }

    /// Sums to which clusters are to be added.
    pub(crate) fn no_clusters(&self, contrasts: &[Vec<f64>], errors: Errors) -> Sandwich {
        Sandwich::new(errors, &self.root, contrasts)
    }

    /// L'x.
    pub(crate) fn turned(&self, x: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut out = vec![0.0; self.root.len()];
        for (k, x) in x {
            out.iter_mut().zip(&self.root[k]).for_each(|(out, entry)| *out += entry * x);
        }
        out
    }

    /// Adds the clusters of a table to the sums.
    pub(crate) fn add(&self, table: &Table, sums: &mut Sandwich) {
        let mut part = Part::default();
        for cluster in 0..table.len() {
            let times = table.times(cluster);
            if 0.0 < times {
                self.part(table, cluster, &mut part);
                sums.add(&part, times);
            }
        }
    }

    /// What a cluster adds to the sums.
    fn part(&self, table: &Table, cluster: usize, part: &mut Part) {
        let ties = self.width < self.coefficients.len();
        part.clear();
        table.each_of(cluster, |x, _| fitted(x, self.width).for_each(|(k, _)| part.touch(k)));
        if ties {
            part.touch(self.width);
        }
        let ln_nu = ties.then(|| self.coefficients[self.width]);
        table.each_of(cluster, |x, said| {
            let turn = turn(eta(x, self.width, &self.coefficients), ln_nu, said);
            let [along, across, own] = turn.roots();
            part.half();
            for (k, x) in fitted(x, self.width) {
                part.add(k, along * x, turn.score[0] * x);
            }
            if ties {
                part.add(self.width, across, turn.score[1]);
                part.half();
                part.add(self.width, own, 0.0);
            }
        });
    }
}

#[cfg(test)]
mod tests;
