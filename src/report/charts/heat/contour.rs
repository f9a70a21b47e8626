//! The lines on which a surface has a given height, by marching squares (Lorensen and Cline 1987, in the plane): straight
//! within a square, and joined from square to square.

/// A point of the plane.
type At = (f64, f64);

/// The lines of height `target` on a mesh with columns `xs` and rows `ys`; `heights` holds the first row first. Squares with
/// a corner that is not finite are left out, and a mesh that is not full has none.
pub(super) fn contour(xs: &[f64], ys: &[f64], heights: &[f64], target: f64) -> Vec<Vec<At>> {
    if heights.len() != xs.len() * ys.len() {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    for (row, y) in ys.windows(2).enumerate() {
        for (column, x) in xs.windows(2).enumerate() {
            let at = |right: usize, up: usize| {
                let height = heights[(row + up) * xs.len() + column + right];
                ((x[right], y[up]), height - target)
            };
            square([at(0, 0), at(1, 0), at(1, 1), at(0, 1)], &mut pieces);
        }
    }
    joined(pieces)
}

/// The pieces within one square, whose corners follow its rim.
fn square(corners: [(At, f64); 4], pieces: &mut Vec<[At; 2]>) {
    if corners.iter().any(|it| !it.1.is_finite()) {
        return;
    }
    let cuts: Vec<At> = (0..4).filter_map(|k| cut(corners[k], corners[(k + 1) % 4])).collect();
    match *cuts {
        [a, b] => pieces.push([a, b]),
        // A saddle: the height of the middle tells which corners hang together.
        [a, b, c, d] => {
            let middle: f64 = corners.iter().map(|it| it.1).sum();
            let with_first = (0.0 <= middle) == (0.0 <= corners[0].1);
            pieces.extend(if with_first { [[a, b], [c, d]] } else { [[a, d], [b, c]] });
        }
        _ => {}
    }
}

/// Where the height is 0 between two corners. The ends are taken in one order, so that neighbours find the same point.
fn cut(a: (At, f64), b: (At, f64)) -> Option<At> {
    if (0.0 <= a.1) == (0.0 <= b.1) {
        return None;
    }
    let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    let share = a.1 / (a.1 - b.1);
    let between = |from: f64, to: f64| from + share * (to - from);
    Some((between(a.0.0, b.0.0), between(a.0.1, b.0.1)))
}

/// Pieces joined at their ends to lines as long as can be.
fn joined(mut pieces: Vec<[At; 2]>) -> Vec<Vec<At>> {
    let mut lines = Vec::new();
    while let Some([a, b]) = pieces.pop() {
        let mut line = vec![a, b];
        for _ in 0..2 {
            while let Some(k) =
                line.last().and_then(|end| pieces.iter().position(|it| it.contains(end)))
            {
                let [a, b] = pieces.swap_remove(k);
                line.push(if line.last() == Some(&a) { b } else { a });
            }
            line.reverse();
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_cut_along_a_straight_line() {
        let (xs, ys) = ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]);
        let heights: Vec<f64> = ys.iter().flat_map(|y| xs.map(|x| x + y)).collect();
        let lines = contour(&xs, &ys, &heights, 2.5);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|(x, y)| (x + y - 2.5).abs() < 1e-12));
        let mut ends = [lines[0][0], lines[0][lines[0].len() - 1]];
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(ends, [(0.5, 2.0), (2.5, 0.0)]);
    }

    #[test]
    fn a_hill_has_a_closed_line_and_a_saddle_two() {
        let axis = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let hill: Vec<f64> =
            axis.iter().flat_map(|y: &f64| axis.map(|x: f64| -(x * x + y * y))).collect();
        let lines = contour(&axis, &axis, &hill, -2.5);
        assert_eq!((lines.len(), lines[0].first()), (1, lines[0].last()));
        let two = contour(&[0.0, 1.0], &[0.0, 1.0], &[1.0, 0.0, 0.0, 1.0], 0.6);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn nothing_is_drawn_where_nothing_is_known() {
        assert!(contour(&[0.0, 1.0], &[0.0, 1.0], &[0.0, f64::NAN, 1.0, 1.0], 0.5).is_empty());
        assert!(contour(&[0.0, 1.0], &[0.0], &[0.0], 0.5).is_empty());
        assert!(contour(&[0.0, 1.0], &[0.0, 1.0], &[1.0; 4], 0.5).is_empty());
    }
}
