//! Cutting lines and areas at the edge of a plot, so that nothing outside the axes is drawn and
//! nothing is moved onto the border as if it were a value there.

use super::Area;

/// A point in pixels.
type At = (f64, f64);

/// Whether the point is finite and inside the area or on its edge.
#[must_use]
pub fn inside((x, y): At, area: Area) -> bool {
    // Comparisons with NaN are false, so a missing value is nowhere.
    area.left <= x && x <= area.right && area.top <= y && y <= area.bottom
}

/// The part of the segment inside the area, with its direction kept; none if it misses the area or
/// an end is not finite. Liang and Barsky (1984), "A new concept and method for line clipping",
/// ACM Transactions on Graphics 3(1), 1-22.
#[must_use]
pub fn segment(from: At, to: At, area: Area) -> Option<(At, At)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if !(dx.is_finite() && dy.is_finite()) {
        return None;
    }
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let edges = [
        (-dx, from.0 - area.left),
        (dx, area.right - from.0),
        (-dy, from.1 - area.top),
        (dy, area.bottom - from.1),
    ];
    for (toward, distance) in edges {
        if toward == 0.0 {
            if distance < 0.0 {
                return None;
            }
        } else if toward < 0.0 {
            enter = enter.max(distance / toward);
        } else {
            leave = leave.min(distance / toward);
        }
    }
    let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
    // Whole segments come back bit for bit.
    let start = if enter == 0.0 { from } else { at(enter) };
    let end = if leave == 1.0 { to } else { at(leave) };
    (enter <= leave).then_some((start, end))
}

/// The pieces of the line through `points` that lie inside the area. A point that is not finite
/// breaks the line there.
#[must_use]
pub fn polyline(points: &[At], area: Area) -> Vec<Vec<At>> {
    let mut pieces: Vec<Vec<At>> = Vec::new();
    for pair in points.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1], area) else { continue };
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&from) && from == pair[0] => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
    }
    pieces
}

/// The part of the polygon inside the area, empty when they do not meet; corners that are not
/// finite are left out. Sutherland and Hodgman (1974), "Reentrant polygon clipping",
/// Communications of the ACM 17(1), 32-42. A polygon cut into several parts keeps them joined
/// along the edge of the area, which a fill does not show.
#[must_use]
pub fn polygon(corners: &[At], area: Area) -> Vec<At> {
    let finite = |corner: &&At| corner.0.is_finite() && corner.1.is_finite();
    let whole: Vec<At> = corners.iter().filter(finite).copied().collect();
    let right = half(&whole, |p| p.0 - area.left);
    let left = half(&right, |p| area.right - p.0);
    let below = half(&left, |p| p.1 - area.top);
    half(&below, |p| area.bottom - p.1)
}

/// The part of the polygon where `depth` (linear in the coordinates) is not negative.
fn half(corners: &[At], depth: impl Fn(At) -> f64) -> Vec<At> {
    let mut kept = Vec::new();
    let Some(mut from) = corners.last().copied() else { return kept };
    for &to in corners {
        let (before, after) = (depth(from), depth(to));
        if (before < 0.0) != (after < 0.0) {
            let share = before / (before - after);
            kept.push((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)));
        }
        if after >= 0.0 {
            kept.push(to);
        }
        from = to;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { left: 10.0, top: 20.0, right: 110.0, bottom: 70.0 };

    #[test]
    fn a_segment_inside_is_left_alone() {
        let (from, to) = ((10.1, 20.3), (99.7, 69.9));
        assert_eq!(segment(from, to, AREA), Some((from, to)));
    }

    #[test]
    fn a_segment_is_cut_where_it_crosses_the_edges() {
        // The line y = x + 5 enters at the left edge and leaves at the lower one.
        assert_eq!(segment((0.0, 5.0), (100.0, 105.0), AREA), Some(((15.0, 20.0), (65.0, 70.0))));
        assert_eq!(segment((60.0, 45.0), (60.0, 500.0), AREA), Some(((60.0, 45.0), (60.0, 70.0))));
    }

    #[test]
    fn what_misses_the_area_or_is_not_finite_is_gone() {
        assert_eq!(segment((0.0, 0.0), (200.0, 10.0), AREA), None);
        assert_eq!(segment((0.0, 65.0), (30.0, 95.0), AREA), None);
        assert_eq!(segment((f64::NAN, 30.0), (50.0, 30.0), AREA), None);
        assert_eq!(segment((20.0, 30.0), (50.0, f64::INFINITY), AREA), None);
        assert!(!inside((50.0, f64::NAN), AREA) && !inside((9.9, 30.0), AREA));
    }

    #[test]
    fn a_missing_value_breaks_the_line_and_the_edge_does_too() {
        let points = [(20.0, 30.0), (30.0, 30.0), (f64::NAN, 30.0), (40.0, 30.0), (50.0, 30.0)];
        let pieces = polyline(&points, AREA);
        assert_eq!(pieces, vec![points[..2].to_vec(), points[3..].to_vec()]);
        // Out below and back in: two pieces, not one along the border.
        let dip = [(20.0, 60.0), (40.0, 80.0), (60.0, 60.0)];
        let pieces = polyline(&dip, AREA);
        let expected = vec![vec![(20.0, 60.0), (30.0, 70.0)], vec![(50.0, 70.0), (60.0, 60.0)]];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn a_polygon_is_cut_to_the_area() {
        let tall = [(20.0, 0.0), (60.0, 0.0), (60.0, 100.0), (f64::NAN, 3.0), (20.0, 100.0)];
        let cut = polygon(&tall, AREA);
        let mut corners = cut.clone();
        corners.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        corners.dedup();
        assert_eq!(corners, vec![(20.0, 20.0), (20.0, 70.0), (60.0, 20.0), (60.0, 70.0)]);
        assert!(polygon(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], AREA).is_empty());
    }
}
