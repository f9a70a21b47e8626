//! Two judges, or two prompts of one, on the same pairs in both orders: how their position effects differ.

use super::sandwich::Robust;
use super::special::normal_quantile;

/// Of one judge on one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// The first shown won in both orders.
    First,
    /// The second shown won in both orders.
    Second,
    /// Anything else: consistent, or with a tie.
    Other,
}

/// Where one judge never flips one way.
pub const ONE_SIDED: &str =
    "a judge whose flips all go one way: its position effect is bounded on one side only";

/// The position effect of the first judge less that of the second, each 1/2 ln(FF/SS), from pairs that both judged: `table`
/// counts them by the first judge (row) and the second (column) in the order of [`Swap`]. The error is that of the differences of each
/// pair's influence, so what both judges find in a pair cancels; normal limits.
///
/// # Errors
/// [`ONE_SIDED`].
pub fn swap_difference(table: [[u64; 3]; 3]) -> Result<Robust, &'static str> {
    let cells = table.map(|row| row.map(|count| count as f64));
    let rows = cells.map(|row| row.iter().sum::<f64>());
    let columns: Vec<f64> = (0..3).map(|k| cells.iter().map(|row| row[k]).sum()).collect();
    let [one, other] = [[rows[0], rows[1]], [columns[0], columns[1]]];
    if one.iter().chain(&other).any(|count| *count == 0.0) {
        return Err(ONE_SIDED);
    }
    let effect = |[first, second]: [f64; 2]| 0.5 * libm::log(first / second);
    let pull = |[first, second]: [f64; 2], k: usize| [0.5 / first, -0.5 / second, 0.0][k];
    let mut variance = 0.0;
    for (j, row) in cells.iter().enumerate() {
        for (k, count) in row.iter().enumerate() {
            let pull = pull(one, j) - pull(other, k);
            variance += count * pull * pull;
        }
    }
    let value = effect(one) - effect(other);
    if variance <= 0.0 {
        return Err("the two judges flip on the same pairs in the same way");
    }
    Ok(Robust { value, error: variance.sqrt(), df: f64::INFINITY })
}

/// The smallest effect that a two-sided normal test of this level finds with this power, when its estimate has this error.
#[must_use]
pub fn smallest_detectable(error: f64, level: f64, power: f64) -> f64 {
    (normal_quantile(0.5 + level / 2.0) + normal_quantile(power)) * error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::logistic::{self, Cluster, Errors, Row};

    /// The same as a logistic fit within flips: the log-odds of first among flips is 2 beta, with a cluster per pair (CR0).
    #[test]
    fn it_is_a_fit_on_the_flips_clustered_by_pair() {
        let table = [[30, 4, 20], [3, 9, 6], [25, 8, 200]];
        let got = swap_difference(table).unwrap();
        let mut clusters = Vec::new();
        for (j, row) in table.iter().enumerate() {
            for (k, times) in row.iter().enumerate() {
                let one = (j < 2).then(|| Row::new(&[1.0, 1.0], j == 0));
                let other = (k < 2).then(|| Row::new(&[1.0, 0.0], k == 0));
                let rows = one.into_iter().chain(other).collect();
                clusters.push(Cluster { rows, times: *times as f64 });
            }
        }
        let fit = logistic::fit(&clusters, 2).unwrap();
        let want = fit.coefficient(&clusters, 1, Errors::Cr0).unwrap();
        assert!((got.value - 0.5 * want.value).abs() < 1e-9, "{got:?} {want:?}");
        assert!((got.error - 0.5 * want.error).abs() < 1e-9, "{got:?} {want:?}");
    }

    /// Judges on disjoint flips are independent: the variances 1/4 (1/FF + 1/SS) add up, up to no covariance at all.
    #[test]
    fn apart_they_add_up() {
        let got = swap_difference([[0, 0, 20], [0, 0, 5], [16, 8, 100]]).unwrap();
        let want = 0.25 * (1.0 / 20.0 + 1.0 / 5.0 + 1.0 / 16.0 + 1.0 / 8.0);
        assert!((got.error * got.error - want).abs() < 1e-12);
        assert!((got.value - 0.5 * libm::log(2.0)).abs() < 1e-12);
        let found = smallest_detectable(1.0, 0.95, 0.8);
        assert!((found - 2.801_585_218).abs() < 1e-8, "{found}");
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        assert_eq!(swap_difference([[3, 0, 2], [0, 0, 0], [1, 1, 9]]), Err(ONE_SIDED));
        assert_eq!(swap_difference([[0; 3]; 3]), Err(ONE_SIDED));
        assert!(swap_difference([[7, 0, 0], [0, 4, 0], [0, 0, 50]]).is_err());
    }
}
