//! The marginal likelihood of clusters, with its slopes.

use super::{Cluster, NO_ROWS, Row};
use crate::stats::dense::Matrix;
use crate::stats::logistic::{answer_height, turn};
use crate::stats::newton::Likelihood;
use crate::stats::quadrature::standard_normal;

/// Clusters as a likelihood in the slopes, tau and ln nu.
pub(super) struct Data<'a> {
    clusters: &'a [Cluster],
    width: usize,
    ties: bool,
    /// Log-odds that the likelihood of a cluster turns over per unit of tau and standard deviation.
    rate: f64,
}

/// tau at the start of a climb.
const START: f64 = 1.0;
/// Spreads beyond which a finer grid would only cost time: there is no maximum that far out.
const WIDEST: f64 = 100.0;

impl<'a> Data<'a> {
    pub(super) fn new(clusters: &'a [Cluster], width: usize) -> Result<Self, &'static str> {
        let rows = || some(clusters).flat_map(|it| &it.rows);
        let answers = |it: &Cluster| it.rows.iter().flat_map(|row| row.said).sum::<f64>();
        let most = some(clusters).map(answers).fold(0.0, f64::max);
        if most == 0.0 {
            return Err(NO_ROWS);
        }
        let steepest = rows().map(|row| libm::fabs(row.z)).fold(0.0, f64::max);
        // With n answers to a cluster its likelihood narrows like 1/sqrt(n).
        let rate = steepest * (most / 4.0).sqrt().max(1.0);
        Ok(Self { clusters, width, ties: rows().any(|row| 0.0 < row.said[1]), rate })
    }

    pub(super) fn start(&self) -> Vec<f64> {
        let mut start = vec![0.0; self.width + 1 + usize::from(self.ties)];
        start[self.width] = START;
        start
    }

    fn nodes(&self, at: &[f64]) -> Vec<(f64, f64)> {
        standard_normal(libm::fabs(at[self.width] * self.rate).min(WIDEST))
    }

    fn terms<'r>(&self, row: &'r Row) -> impl Iterator<Item = (usize, f64)> + 'r {
        let width = self.width;
        row.x.iter().copied().filter(move |it| it.0 < width)
    }

    /// The log-odds of each row where the effect is zero.
    fn fixed(&self, cluster: &Cluster, at: &[f64]) -> Vec<f64> {
        let eta = |row: &Row| self.terms(row).map(|(k, x)| at[k] * x).sum();
        cluster.rows.iter().map(eta).collect()
    }

    fn ln_nu(&self, at: &[f64]) -> Option<f64> {
        self.ties.then(|| at[self.width + 1])
    }

    /// The log-likelihood of a cluster at each node, its weight included.
    fn joint(&self, cluster: &Cluster, at: &[f64], nodes: &[(f64, f64)]) -> Vec<f64> {
        let fixed = self.fixed(cluster, at);
        let (tau, ln_nu) = (at[self.width], self.ln_nu(at));
        let one = |(u, weight): &(f64, f64)| {
            let rows = cluster.rows.iter().zip(&fixed);
            let said = rows.map(|(row, eta)| answer_height(eta + row.z * tau * u, ln_nu, row.said));
            libm::log(*weight) + said.sum::<f64>()
        };
        nodes.iter().map(one).collect()
    }

    /// Score and information of a cluster in its own coordinates: the log-odds of each row, tau, ln nu. The information is what
    /// the complete data would have less what the missing effect takes away.
    fn local(&self, cluster: &Cluster, at: &[f64], nodes: &[(f64, f64)]) -> (Vec<f64>, Matrix) {
        let rows = cluster.rows.len();
        let fixed = self.fixed(cluster, at);
        let (tau, ln_nu) = (at[self.width], self.ln_nu(at));
        let joint = self.joint(cluster, at, nodes);
        let most = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = joint.iter().map(|it| libm::exp(it - most)).sum();
        let mut mean = vec![0.0; rows + 2];
        let mut information = vec![vec![0.0; rows + 2]; rows + 2];
        let mut scores = vec![0.0; rows + 2];
        for ((u, _), height) in nodes.iter().zip(&joint) {
            let share = libm::exp(height - most) / sum;
            if share < 1e-18 {
                continue;
            }
            scores.fill(0.0);
            for (k, (row, eta)) in cluster.rows.iter().zip(&fixed).enumerate() {
                let it = turn(eta + row.z * tau * u, ln_nu, row.said);
                let lever = row.z * u;
                scores[k] = it.score[0];
                scores[rows] += lever * it.score[0];
                scores[rows + 1] += it.score[1];
                let [along, across, own] = it.weight.map(|weight| share * weight);
                let parts = [
                    (k, k, along),
                    (k, rows, lever * along),
                    (k, rows + 1, across),
                    (rows, rows, lever * lever * along),
                    (rows, rows + 1, lever * across),
                    (rows + 1, rows + 1, own),
                ];
                for (i, j, part) in parts {
                    information[i][j] += part;
                }
            }
            for i in 0..rows + 2 {
                mean[i] += share * scores[i];
                for j in i..rows + 2 {
                    information[i][j] -= share * scores[i] * scores[j];
                }
            }
        }
        for i in 0..rows + 2 {
            for j in i..rows + 2 {
                information[i][j] += mean[i] * mean[j];
                information[j][i] = information[i][j];
            }
        }
        (mean, information)
    }

    /// What the coordinates of a cluster are in those of the fit: the regressors of each row, tau, ln nu.
    fn map(&self, cluster: &Cluster) -> Vec<Vec<(usize, f64)>> {
        let rows = cluster.rows.iter().map(|row| self.terms(row).collect());
        let ties = if self.ties { vec![(self.width + 1, 1.0)] } else { Vec::new() };
        rows.chain([vec![(self.width, 1.0)], ties]).collect()
    }
}

fn some(clusters: &[Cluster]) -> impl Iterator<Item = &Cluster> {
    clusters.iter().filter(|it| 0.0 < it.times)
}

impl Likelihood for Data<'_> {
    fn height(&self, at: &[f64]) -> f64 {
        let nodes = self.nodes(at);
        let one = |cluster: &Cluster| {
            let joint = self.joint(cluster, at, &nodes);
            let most = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = joint.iter().map(|it| libm::exp(it - most)).sum();
            cluster.times * (most + libm::log(sum))
        };
        some(self.clusters).map(one).sum()
    }

    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let nodes = self.nodes(at);
        let mut score = vec![0.0; at.len()];
        let mut information = vec![vec![0.0; at.len()]; at.len()];
        for cluster in some(self.clusters) {
            let (local, weights) = self.local(cluster, at, &nodes);
            let map = self.map(cluster);
            for (i, terms) in map.iter().enumerate() {
                for (k, x) in terms {
                    score[*k] += cluster.times * x * local[i];
                    for (j, others) in map.iter().enumerate() {
                        let weight = cluster.times * x * weights[i][j];
                        for (l, y) in others {
                            information[*k][*l] += weight * y;
                        }
                    }
                }
            }
        }
        (score, information)
    }

    fn reach(&self, at: &[f64]) -> f64 {
        let rows = some(self.clusters).flat_map(|it| &it.rows);
        let eta = |row: &Row| {
            let fixed: f64 = self.terms(row).map(|(k, x)| at[k] * x).sum();
            libm::fabs(fixed).max(libm::fabs(row.z * at[self.width]))
        };
        let ties = self.ln_nu(at).map_or(0.0, libm::fabs);
        rows.map(eta).fold(ties, f64::max)
    }
}
