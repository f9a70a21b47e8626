//! A logistic fit, ties included, with a random effect per cluster: what one pair adds to all answers about it.
//!
//! The log-odds of a row are its regressors times their slopes plus z tau u, with u standard normal and drawn once per
//! cluster: the taste of a judge for one answer of a pair, which turns with the order (z = 1 and -1). Ties as in
//! [`super::logistic`]. The likelihood is integrated over u by equal steps, to about twelve digits, so that a large tau costs
//! time and not truth; errors come from the observed information (T. A. Louis 1982, Journal of the Royal Statistical Society B
//! 44, 226-233).
//!
//! Of a swap test with one answer per order and no ties the position effect here *is* 1/2 ln(FF/SS): conditional on u the
//! flips say all there is about it.

mod likelihood;

use super::dense::{Matrix, cholesky, inverse_transposed};
use super::interval::Interval;
use super::newton::{Likelihood, Profile, SEPARATED, Top, supremum};
use super::sandwich::Robust;
use likelihood::Data;

pub use super::logistic::{ALIASED, NO_ROWS};

/// One presentation: its regressors that are not zero, by place, the sign of the cluster's effect, and how often the first won,
/// neither did, and the second did.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Place and value.
    pub x: Vec<(usize, f64)>,
    /// What the effect of the cluster is multiplied by.
    pub z: f64,
    /// Answers for the first, for neither, for the second.
    pub said: [f64; 3],
}

/// Rows that share one draw of the effect, and how many clusters are like this.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many clusters hold these rows; any number >= 0.
    pub times: f64,
}

impl Cluster {
    /// A pair A, B: what favours A (the gold label, the length, whose answer it is: these turn with the order and take the first
    /// places), and the answers with A first and with B first, each as (first, tie, second) in slots. The position takes the
    /// place after.
    #[must_use]
    pub fn pair(favours: &[f64], answers: [[f64; 3]; 2]) -> Self {
        let row = |turn: f64, said: [f64; 3]| {
            let turned = favours.iter().enumerate().map(|(k, x)| (k, turn * x));
            let position = std::iter::once((favours.len(), 1.0));
            Row { x: turned.filter(|it| it.1 != 0.0).chain(position).collect(), z: turn, said }
        };
        let [ab, ba] = answers;
        Self { rows: vec![row(1.0, ab), row(-1.0, ba)], times: 1.0 }
    }
}

/// A maximum-likelihood fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The slopes, in log-odds, then tau (>= 0), then ln nu where there were ties.
    pub coefficients: Vec<f64>,
    /// The log-likelihood, without the constant of counts.
    pub height: f64,
    /// The inverse of the observed information.
    pub covariance: Matrix,
    width: usize,
}

/// Log-odds beyond which a verdict is as good as certain.
const CERTAIN: f64 = 30.0;
/// Information about tau, per answer, that is none.
const FLAT: f64 = 1e-10;

/// Fits the first `width` regressors, tau, and ln nu where a row has ties.
///
/// # Errors
/// [`NO_ROWS`]; [`ALIASED`] where regressors move together, or tau and ln nu cannot be told apart; [`SEPARATED`] where the
/// likelihood has no maximum: answers that always, or never, turn with the order.
pub fn fit(clusters: &[Cluster], width: usize) -> Result<Fit, &'static str> {
    let data = Data::new(clusters, width)?;
    let start = data.start();
    let (_, design) = data.slopes(&start);
    if (0..width).any(|k| design[k][k] == 0.0) {
        return Err(ALIASED);
    }
    let mut top = supremum(&data, start);
    if CERTAIN < data.reach(&top.at) {
        return Err(SEPARATED);
    }
    // The effect of a cluster is as often negative as positive: tau has no sign.
    top.at[width] = libm::fabs(top.at[width]);
    let (_, information) = data.slopes(&top.at);
    let said = |it: &Cluster| it.times * it.rows.iter().flat_map(|row| row.said).sum::<f64>();
    let answers: f64 = clusters.iter().map(said).sum();
    // Where no answer shares its effect with another, the information about tau is rounding.
    if information[width][width] <= FLAT * answers {
        return Err(ALIASED);
    }
    let lower = cholesky(&information).ok_or(ALIASED)?;
    let root = inverse_transposed(&lower);
    let covariance =
        root.iter().map(|a| root.iter().map(|b| super::dense::dot(a, b)).collect()).collect();
    Ok(Fit { coefficients: top.at, height: top.height, covariance, width })
}

impl Fit {
    /// The slope at a place, or what stands behind the slopes.
    #[must_use]
    pub fn coefficient(&self, place: usize) -> Robust {
        let error = self.covariance[place][place].sqrt();
        Robust { value: self.coefficients[place], error, df: f64::INFINITY }
    }

    /// tau, the spread of the effects in log-odds. At zero, the edge of what is possible, its error means nothing: ask for
    /// [`Fit::limits`].
    #[must_use]
    pub fn taste(&self) -> Robust {
        self.coefficient(self.width)
    }

    /// ln nu.
    #[must_use]
    pub fn ties(&self) -> Option<Robust> {
        (self.width + 1 < self.coefficients.len()).then(|| self.coefficient(self.width + 1))
    }

    /// Limits of a coefficient by the profile likelihood of the clusters that were fitted, infinite where there is none; those of
    /// tau (the place after the slopes) stop at zero.
    ///
    /// # Errors
    /// As [`fit`].
    pub fn limits(
        &self,
        clusters: &[Cluster],
        place: usize,
        level: f64,
    ) -> Result<Interval, &'static str> {
        let data = Data::new(clusters, self.width)?;
        let top = Top { at: self.coefficients.clone(), height: self.height };
        let least = if place == self.width { 0.0 } else { f64::NEG_INFINITY };
        // Not too far off, the others follow the one that is held as they do where the likelihood is a normal one.
        let beside = &self.covariance[place];
        let far = 4.0 * self.coefficient(place).error;
        let start = |value: f64| {
            let moved = (value - self.coefficients[place]).clamp(-far, far) / beside[place];
            self.coefficients.iter().zip(beside).map(|(it, share)| it + moved * share).collect()
        };
        let seen = Profile { of: &data, top: &top, place, start: &start, least };
        Ok(seen.limits(self.coefficient(place).error, level))
    }
}

#[cfg(test)]
mod tests;
