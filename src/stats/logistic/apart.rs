//! Which regressors of a fit the data can tell apart, by the null space of the design matrix.

use super::super::dense::{Matrix, dot, solve_lower, solve_upper};
use super::{Cluster, Row, fitted};

/// Regressors that data tell apart, and enough of them to fit the rest away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// By place: whether no combination of the other regressors makes this one up.
    pub identified: Vec<bool>,
    /// The places of a largest set of regressors of which none is a combination of the others, rising. Every identified
    /// one is among them, and its coefficient is the same whichever others are left out.
    pub kept: Vec<usize>,
}

/// A residual below this share of a column is rounding.
const ROUNDING: f64 = 1e-9;

/// Tells the first `width` regressors apart.
///
/// Each regressor that is a combination of kept ones gives a vector of the null space of the design matrix; together they
/// are a basis of it. A coefficient is identified exactly where all of them are 0.
#[must_use]
pub fn apart(clusters: &[Cluster], width: usize) -> Apart {
    let mut gram: Matrix = vec![vec![0.0; width]; width];
    let some = clusters.iter().filter(|it| 0.0 < it.times);
    for Row { x, .. } in some.flat_map(|it| &it.rows) {
        for (j, x_j) in fitted(x, width) {
            fitted(x, width).for_each(|(k, x_k)| gram[j][k] += x_j * x_k);
        }
    }
    apart_by(&gram)
}

/// As [`apart`], from the products of the columns: the Gram matrix of the design.
#[must_use]
pub fn apart_by(gram: &[Vec<f64>]) -> Apart {
    let mut it = Apart { identified: vec![true; gram.len()], kept: Vec::new() };
    // The factor of the kept regressors' Gram matrix grows by a row with each.
    let mut lower: Matrix = Vec::new();
    for (place, products) in gram.iter().enumerate() {
        let with: Vec<f64> = it.kept.iter().map(|other| products[*other]).collect();
        let mut row = solve_lower(&lower, &with);
        let (whole, rest) = (products[place], products[place] - dot(&row, &row));
        if ROUNDING * whole < rest {
            row.push(rest.sqrt());
            lower.push(row);
            it.kept.push(place);
            continue;
        }
        it.identified[place] = false;
        let square: Matrix = lower.iter().map(|row| padded(row, lower.len())).collect();
        for (other, share) in it.kept.iter().zip(solve_upper(&square, &row)) {
            if ROUNDING < share.abs() {
                it.identified[*other] = false;
            }
        }
    }
    it
}

fn padded(row: &[f64], width: usize) -> Vec<f64> {
    let mut row = row.to_vec();
    row.resize(width, 0.0);
    row
}

impl Apart {
    /// The place of a regressor among the kept ones; none where it is not identified.
    #[must_use]
    pub fn place(&self, of: usize) -> Option<usize> {
        let identified = self.identified.get(of).copied().unwrap_or(false);
        self.kept.iter().position(|kept| *kept == of).filter(|_| identified)
    }

    /// The same clusters with the kept regressors alone, in front.
    #[must_use]
    pub fn reduced(&self, clusters: &[Cluster]) -> Vec<Cluster> {
        let moved = |(place, x): &(usize, f64)| {
            Some((self.kept.iter().position(|kept| kept == place)?, *x))
        };
        let row = |it: &Row| Row { x: it.x.iter().filter_map(moved).collect(), said: it.said };
        let one =
            |it: &Cluster| Cluster { rows: it.rows.iter().map(row).collect(), times: it.times };
        clusters.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(all: &[[f64; 4]]) -> Vec<Cluster> {
        let row = |it: &[f64; 4]| Row::new(it, false);
        vec![Cluster { rows: all.iter().map(row).collect(), times: 1.0 }]
    }

    #[test]
    fn regressors_apart_are_all_kept() {
        let all = rows(&[
            [1.0, 1.0, 1.0, 1.0],
            [1.0, -1.0, 1.0, 1.0],
            [1.0, 1.0, -1.0, 1.0],
            [1.0, 1.0, 1.0, -1.0],
        ]);
        let it = apart(&all, 4);
        assert_eq!((it.identified, it.kept), (vec![true; 4], vec![0, 1, 2, 3]));
    }

    /// The second and the third are one, the first and the fourth stand for themselves.
    #[test]
    fn twins_are_found() {
        let all = rows(&[
            [1.0, 1.0, 1.0, 1.0],
            [1.0, -1.0, -1.0, 1.0],
            [1.0, 1.0, 1.0, -1.0],
            [1.0, 0.5, 0.5, 0.0],
        ]);
        let it = apart(&all, 4);
        assert_eq!((&it.identified, &it.kept), (&vec![true, false, false, true], &vec![0, 1, 3]));
        assert_eq!([0, 1, 2, 3].map(|k| it.place(k)), [Some(0), None, None, Some(2)]);
        assert_eq!(it.reduced(&all)[0].rows[3].x, [(0, 1.0), (1, 0.5)]);
    }

    /// The fourth is half the sum of the first two, the third is apart; a column of zeros is nobody's.
    #[test]
    fn combinations_of_several_are_found() {
        let all = rows(&[
            [1.0, 1.0, 0.3, 1.0],
            [1.0, -1.0, 0.0, 0.0],
            [1.0, 3.0, -2.0, 2.0],
            [1.0, 0.0, 1.0, 0.5],
        ]);
        assert_eq!(apart(&all, 4).identified, [false, false, true, false]);
        let all = rows(&[[1.0, 0.0, 1.0, 2.0], [1.0, 0.0, -1.0, 1.0], [1.0, 0.0, 0.0, 5.0]]);
        assert_eq!(apart(&all, 4).identified, [true, false, true, true]);
    }
}
