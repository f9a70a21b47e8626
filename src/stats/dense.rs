//! Small dense symmetric matrices: at most some dozens of rows, so the textbook algorithms are the fast ones.

/// Rows of a square matrix.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// A pivot below this share of its diagonal is rounding: the matrix is singular.
const SINGULAR: f64 = 1e-11;

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The lower triangle C with C C' = a; none where a is not positive definite.
pub(crate) fn cholesky(a: &Matrix) -> Option<Matrix> {
    let n = a.len();
    let mut lower = vec![vec![0.0; n]; n];
    for j in 0..n {
        let rest = a[j][j] - dot(&lower[j][..j], &lower[j][..j]);
        if rest.is_nan() || rest <= SINGULAR * a[j][j] || a[j][j] <= 0.0 {
            return None;
        }
        lower[j][j] = rest.sqrt();
        for i in j + 1..n {
            lower[i][j] = (a[i][j] - dot(&lower[i][..j], &lower[j][..j])) / lower[j][j];
        }
    }
    Some(lower)
}

/// x with C x = b.
pub(crate) fn solve_lower(lower: &Matrix, b: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for (row, b) in lower.iter().zip(b) {
        let k = x.len();
        x.push((b - dot(&row[..k], &x)) / row[k]);
    }
    x
}

/// x with C' x = b.
pub(crate) fn solve_upper(lower: &Matrix, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    for j in (0..n).rev() {
        let rest: f64 = (j + 1..n).map(|i| lower[i][j] * x[i]).sum();
        x[j] = (b[j] - rest) / lower[j][j];
    }
    x
}

/// L = C'^-1, an upper triangle with L L' = (C C')^-1.
pub(crate) fn inverse_transposed(lower: &Matrix) -> Matrix {
    let n = lower.len();
    let columns: Matrix = (0..n)
        .map(|k| {
            let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(j == k))).collect();
            solve_upper(lower, &unit)
        })
        .collect();
    (0..n).map(|j| columns.iter().map(|column| column[j]).collect()).collect()
}

/// Eigenvalues and eigenvectors (as rows) of a symmetric matrix, by Jacobi's rotations.
///
/// Golub & Van Loan (2013), Matrix Computations, 4th ed., section 8.5.
pub(crate) fn eigen(a: &Matrix) -> (Vec<f64>, Matrix) {
    let n = a.len();
    let mut a = a.clone();
    let mut vectors: Matrix =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..50 {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        let all: f64 = a.iter().flatten().map(|x| x * x).sum();
        if off <= 1e-32 * all {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    ((0..n).map(|k| a[k][k]).collect(), vectors)
}

/// One rotation that makes a[p][q] zero.
fn rotate(a: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for k in 0..a.len() {
        (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
        (vectors[p][k], vectors[q][k]) =
            (c * vectors[p][k] - s * vectors[q][k], s * vectors[p][k] + c * vectors[q][k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} and {b}");
    }

    #[test]
    fn factors_multiply_back() {
        let a = vec![vec![4.0, 2.0, 0.4], vec![2.0, 5.0, 1.0], vec![0.4, 1.0, 3.0]];
        let lower = cholesky(&a).unwrap();
        let x = solve_upper(&lower, &solve_lower(&lower, &[1.0, -2.0, 0.5]));
        for (row, b) in a.iter().zip([1.0, -2.0, 0.5]) {
            close(dot(row, &x), b);
        }
        let root = inverse_transposed(&lower);
        for (j, row) in a.iter().enumerate() {
            for k in 0..3 {
                // a L L' is the identity.
                let entry: f64 = (0..3).map(|i| row[i] * dot(&root[i], &root[k])).sum();
                close(entry, f64::from(u8::from(j == k)));
            }
        }
        assert!(cholesky(&vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
    }

    /// The eigenvalues of this matrix are 1, 2 and 4 (`numpy.linalg.eigvalsh`).
    #[test]
    fn eigenvalues_and_vectors() {
        let a = vec![vec![2.0, 1.0, 0.0], vec![1.0, 3.0, 1.0], vec![0.0, 1.0, 2.0]];
        let (values, vectors) = eigen(&a);
        for (value, vector) in values.iter().zip(&vectors) {
            for (row, x) in a.iter().zip(vector) {
                close(dot(row, vector), value * x);
            }
            close(dot(vector, vector), 1.0);
        }
        let mut sorted = values;
        sorted.sort_by(f64::total_cmp);
        sorted.iter().zip([1.0, 2.0, 4.0]).for_each(|(a, b)| close(*a, b));
    }
}
