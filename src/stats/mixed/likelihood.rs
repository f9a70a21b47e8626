//! The marginal likelihood of clusters, with its slopes.
//!
//! e^(eta/2) of a row is a product: one factor of the row, one of the node. Both are tabulated, so that a row at a node costs a
//! product and a logarithm, and no exponential.

use super::{Cluster, NO_ROWS, Row};
use crate::stats::dense::Matrix;
use crate::stats::logistic::of_odds;
use crate::stats::newton::Likelihood;
use crate::stats::quadrature::standard_normal;

/// Clusters as a likelihood in the slopes, tau and ln nu.
pub(super) struct Data<'a> {
    clusters: &'a [Cluster],
    width: usize,
    ties: bool,
    /// Log-odds that the likelihood of a cluster turns over per unit of tau and standard deviation.
    rate: f64,
    /// What the effect is multiplied by in some row, each once.
    turns: Vec<f64>,
}

/// tau at the start of a climb.
const START: f64 = 1.0;
/// Spreads beyond which a finer grid would only cost time: there is no maximum that far out.
const WIDEST: f64 = 100.0;
/// Half log-odds beyond which nothing changes: no product of two such exponentials overflows.
const FAR: f64 = 340.0;

/// x and e^x.
#[derive(Clone, Copy)]
struct Power {
    x: f64,
    exp: f64,
}

impl Power {
    fn of(x: f64) -> Self {
        let x = x.clamp(-FAR, FAR);
        Self { x, exp: libm::exp(x) }
    }
}

/// The integration at some coefficients: nodes with the logarithms of their weights, and by turn and node half of what the
/// effect adds to the log-odds.
struct Grid {
    nodes: Vec<(f64, f64)>,
    lifts: Vec<Vec<Power>>,
    ln_nu: f64,
    nu: f64,
}

/// A row at some coefficients: half its log-odds without the effect, and with it by node.
struct Seen<'a> {
    row: &'a Row,
    base: Power,
    lifts: &'a [Power],
}

impl Seen<'_> {
    /// The odds of first, neither and second at a node.
    fn odds(&self, node: usize, nu: f64) -> [f64; 3] {
        let up = self.base.exp * self.lifts[node].exp;
        [up, nu, 1.0 / up]
    }

    /// The log-likelihood of the answers at a node. What is likelier is 1 here, so that nothing cancels.
    fn height(&self, node: usize, grid: &Grid) -> f64 {
        let [first, tie, second] = self.row.said;
        let half = self.base.x + self.lifts[node].x;
        let [up, nu, down] = self.odds(node, grid.nu);
        let (against, largest) = if 0.0 < half { (second, up) } else { (first, down) };
        let half = libm::fabs(half);
        tie * (grid.ln_nu - half)
            - 2.0 * against * half
            - (first + tie + second) * libm::log((up + nu + down) / largest)
    }
}

impl<'a> Data<'a> {
    pub(super) fn new(clusters: &'a [Cluster], width: usize) -> Result<Self, &'static str> {
        let rows = || some(clusters).flat_map(|it| &it.rows);
        let answers = |it: &Cluster| it.rows.iter().flat_map(|row| row.said).sum::<f64>();
        let most = some(clusters).map(answers).fold(0.0, f64::max);
        if most == 0.0 {
            return Err(NO_ROWS);
        }
        let mut turns: Vec<f64> = Vec::new();
        for row in rows() {
            if !turns.contains(&row.z) {
                turns.push(row.z);
            }
        }
        let steepest = turns.iter().copied().map(libm::fabs).fold(0.0, f64::max);
        // With n answers to a cluster its likelihood narrows like 1/sqrt(n).
        let rate = steepest * (most / 4.0).sqrt().max(1.0);
        Ok(Self { clusters, width, ties: rows().any(|row| 0.0 < row.said[1]), rate, turns })
    }

    pub(super) fn start(&self) -> Vec<f64> {
        let mut start = vec![0.0; self.width + 1 + usize::from(self.ties)];
        start[self.width] = START;
        start
    }

    fn grid(&self, at: &[f64]) -> Grid {
        let tau = at[self.width];
        let nodes = standard_normal(libm::fabs(tau * self.rate).min(WIDEST));
        let lift =
            |turn: &f64| nodes.iter().map(|(u, _)| Power::of(0.5 * turn * tau * u)).collect();
        let ln_nu = self.ties.then(|| Power::of(at[self.width + 1]));
        Grid {
            lifts: self.turns.iter().map(lift).collect(),
            nodes: nodes.iter().map(|(u, weight)| (*u, libm::log(*weight))).collect(),
            ln_nu: ln_nu.map_or(0.0, |it| it.x),
            nu: ln_nu.map_or(0.0, |it| it.exp),
        }
    }

    fn terms<'r>(&self, row: &'r Row) -> impl Iterator<Item = (usize, f64)> + 'r {
        let width = self.width;
        row.x.iter().copied().filter(move |it| it.0 < width)
    }

    /// The rows of a cluster at some coefficients.
    fn seen<'r>(&self, cluster: &'r Cluster, at: &[f64], grid: &'r Grid) -> Vec<Seen<'r>> {
        let one = |row: &'r Row| {
            let eta: f64 = self.terms(row).map(|(k, x)| at[k] * x).sum();
            let turn = self.turns.iter().position(|it| *it == row.z).unwrap_or(0);
            Seen { row, base: Power::of(0.5 * eta), lifts: &grid.lifts[turn] }
        };
        cluster.rows.iter().map(one).collect()
    }

    /// Score and information of a cluster in its own coordinates: the log-odds of each row, tau, ln nu. The information is what
    /// the complete data would have less what the missing effect takes away.
    fn local(rows: &[Seen<'_>], grid: &Grid) -> (Vec<f64>, Matrix) {
        let count = rows.len();
        let (shares, _) = shares(rows, grid);
        let mut mean = vec![0.0; count + 2];
        let mut information = vec![vec![0.0; count + 2]; count + 2];
        let mut scores = vec![0.0; count + 2];
        for (node, share) in shares.into_iter().enumerate().filter(|it| 1e-18 <= it.1) {
            scores.fill(0.0);
            for (k, seen) in rows.iter().enumerate() {
                let it = of_odds(seen.odds(node, grid.nu), seen.row.said);
                let lever = seen.row.z * grid.nodes[node].0;
                scores[k] = it.score[0];
                scores[count] += lever * it.score[0];
                scores[count + 1] += it.score[1];
                let [along, across, own] = it.weight.map(|weight| share * weight);
                let parts = [
                    (k, k, along),
                    (k, count, lever * along),
                    (k, count + 1, across),
                    (count, count, lever * lever * along),
                    (count, count + 1, lever * across),
                    (count + 1, count + 1, own),
                ];
                for (i, j, part) in parts {
                    information[i][j] += part;
                }
            }
            for i in 0..count + 2 {
                mean[i] += share * scores[i];
                for j in i..count + 2 {
                    information[i][j] -= share * scores[i] * scores[j];
                }
            }
        }
        for i in 0..count + 2 {
            for j in i..count + 2 {
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

/// The shares of the nodes in the likelihood of a cluster, and its logarithm.
fn shares(rows: &[Seen<'_>], grid: &Grid) -> (Vec<f64>, f64) {
    let joint = |(node, (_, ln_weight)): (usize, &(f64, f64))| {
        ln_weight + rows.iter().map(|it| it.height(node, grid)).sum::<f64>()
    };
    let mut shares: Vec<f64> = grid.nodes.iter().enumerate().map(joint).collect();
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for share in &mut shares {
        *share = libm::exp(*share - most);
    }
    let sum: f64 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    (shares, most + libm::log(sum))
}

fn some(clusters: &[Cluster]) -> impl Iterator<Item = &Cluster> {
    clusters.iter().filter(|it| 0.0 < it.times)
}

impl Likelihood for Data<'_> {
    fn height(&self, at: &[f64]) -> f64 {
        let grid = self.grid(at);
        let one =
            |cluster: &Cluster| cluster.times * shares(&self.seen(cluster, at, &grid), &grid).1;
        some(self.clusters).map(one).sum()
    }

    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let grid = self.grid(at);
        let mut score = vec![0.0; at.len()];
        let mut information = vec![vec![0.0; at.len()]; at.len()];
        for cluster in some(self.clusters) {
            let (local, weights) = Self::local(&self.seen(cluster, at, &grid), &grid);
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
        let ties = if self.ties { libm::fabs(at[self.width + 1]) } else { 0.0 };
        rows.map(eta).fold(ties, f64::max)
    }
}
