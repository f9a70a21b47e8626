//! Standings against the null space of the design matrix, found anew by Gauss' elimination; and each of its vectors as two
//! judges and worlds with different truths and one likelihood.

use proptest::prelude::*;

use super::*;

/// A basis of the vectors v with M v = 0; `columns` are those of M.
fn null_space(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let width = columns.len();
    let height = columns.first().map_or(0, Vec::len);
    let mut rows: Vec<Vec<f64>> =
        (0..height).map(|i| columns.iter().map(|column| column[i]).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let at = pivots.len();
        let largest =
            (at..height).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
        let Some(row) = largest.filter(|row| 1e-9 < rows[*row][column].abs()) else { continue };
        rows.swap(at, row);
        let pivot = rows[at].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let times = row[column] / pivot[column];
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x = if i == at { p / pivot[column] } else { *x - times * p };
            }
        }
        pivots.push(column);
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut vector = vec![0.0; width];
        vector[column] = 1.0;
        for (row, pivot) in rows.iter().zip(&pivots) {
            vector[*pivot] = -row[column];
        }
        vector
    })
    .collect()
}

/// Differences and lengths that may be told apart, without repeats.
fn kinds(chosen: &[bool]) -> Vec<(f64, f64)> {
    let all = [-1.0, 0.0, 0.5, 1.0].map(|length| [(1.0, length), (-1.0, length)]).concat();
    all.into_iter().zip(chosen).filter(|it| *it.1).map(|it| it.0).collect()
}

fn judge([position, length, own, family]: [f64; 4], has_family: bool) -> Pairwise {
    Pairwise {
        ability: odds(1.0),
        position: odds(position),
        length: odds(length),
        self_preference: odds(own),
        family: odds(family),
        own: Some("A".to_owned()),
        own_family: has_family.then(|| "B".to_owned()),
        ..Pairwise::default()
    }
}

const ASKED: [Asked; 4] = [Asked::One, Asked::Other, Asked::Both, Asked::Random];

proptest! {
    /// A bias is identified exactly if every vector of the null space is 0 there.
    #[test]
    fn a_bias_is_identified_if_the_null_space_says_so(
        chosen in proptest::collection::vec(proptest::bool::ANY, 8),
        asked in 0..4_usize,
        family in proptest::bool::ANY,
        third in proptest::bool::ANY,
        gold in proptest::bool::ANY,
    ) {
        let cases = kinds(&chosen);
        prop_assume!(!cases.is_empty());
        let mut judges = vec![judge([0.3, 0.2, 0.4, 0.1], family)];
        judges.extend(third.then(|| Pairwise { ability: odds(1.0), ..Pairwise::default() }));
        let design = design(ASKED[asked], &cases, judges);
        let facts = Facts { asked: ASKED[asked], gold, third, twins: false };
        let columns = Columns::new(&pairs(&design).unwrap(), facts).0;
        let matrix: Vec<Vec<f64>> = columns.iter().map(|it| it.1.clone()).collect();
        let null = null_space(&matrix);
        for vector in &null {
            for row in 0..matrix[0].len() {
                let sum: f64 = matrix.iter().zip(vector).map(|(column, v)| column[row] * v).sum();
                prop_assert!(sum.abs() < 1e-9);
            }
        }
        for it in standings(&design, gold).unwrap() {
            let at = columns.iter().position(|column| column.0 == it.bias.name()).unwrap();
            let identified = null.iter().all(|vector| vector[at].abs() < 1e-9);
            prop_assert_eq!(it.aliased.is_empty(), identified, "{:?} {:?}", it, cases);
        }
    }

    /// Judges and worlds that differ by a vector of the null space answer alike, to the last probability.
    #[test]
    fn vectors_of_the_null_space_are_pairs_of_worlds(
        chosen in proptest::collection::vec(proptest::bool::ANY, 8),
        asked in 0..3_usize,
        family in proptest::bool::ANY,
    ) {
        let cases = kinds(&chosen);
        prop_assume!(!cases.is_empty());
        let biases = [0.3, 0.2, 0.4, 0.1];
        // The matrix holds two pairs of each kind, each with a difference of its own.
        let twice = [cases.clone(), cases].concat();
        let one = design(ASKED[asked], &twice, vec![judge(biases, family)]);
        let facts = Facts { asked: ASKED[asked], gold: false, third: false, twins: false };
        let columns = Columns::new(&pairs(&one).unwrap(), facts).0;
        let matrix: Vec<Vec<f64>> = columns.iter().map(|it| it.1.clone()).collect();
        for vector in null_space(&matrix) {
            let moved = [0, 1, 2, 3].map(|k| biases[k] + vector[k]);
            let gaps = twice.iter().zip(&vector[4..]).map(|(it, v)| (it.0 + v, it.1)).collect::<Vec<_>>();
            same(&one, &design(ASKED[asked], &gaps, vec![judge(moved, family)]));
        }
    }
}
