//! Room on a map: where the contour's label hides least, and where a cell's number keeps off the contour.

use crate::report::canvas::Area;
use crate::report::canvas::clip;

/// The point of the contours from which the numbers in the cells are farthest: there its label hides least.
pub(super) fn roomiest(
    lines: &[Vec<(f64, f64)>],
    (map, cell): (Area, (f64, f64)),
    wide: f64,
) -> Option<(f64, f64)> {
    let inside = |at: &(f64, f64)| {
        map.left + wide / 2.0 <= at.0
            && at.0 <= map.right - wide / 2.0
            && map.top + 9.0 <= at.1
            && at.1 <= map.bottom - 9.0
    };
    // How far the nearest cell's centre is, in half widths of what stands there and on the label.
    let room = |at: &(f64, f64)| {
        let off = |x: f64, from: f64, side: f64| {
            let place = (x - from) / side;
            (place - libm::floor(place) - 0.5).abs() * side
        };
        let across = off(at.0, map.left, cell.0) / (wide / 2.0 + 9.0);
        let along = off(at.1, map.bottom, cell.1) / 15.0;
        across.max(along)
    };
    let points = lines.iter().flatten().filter(|at| inside(at));
    points.copied().reduce(|best, at| if room(&best) < room(&at) { at } else { best })
}

/// The centre of a cell, or the place nearest to it where a number so wide is crossed by nothing.
pub(super) fn free_place(
    cell: Area,
    half: f64,
    lines: &[Vec<(f64, f64)>],
    label: Option<Area>,
) -> (f64, f64) {
    let middle = (f64::midpoint(cell.left, cell.right), f64::midpoint(cell.top, cell.bottom));
    let most = ((cell.right - cell.left) / 2.0 - half, (cell.bottom - cell.top) / 2.0 - 8.0);
    let free = |at: &(f64, f64)| {
        let area =
            Area { left: at.0 - half, right: at.0 + half, top: at.1 - 8.0, bottom: at.1 + 8.0 };
        let covered = label.is_some_and(|it| {
            it.left < area.right
                && area.left < it.right
                && it.top < area.bottom
                && area.top < it.bottom
        });
        !covered && lines.iter().all(|line| clip::polyline(line, area).is_empty())
    };
    let mut places: Vec<(f64, f64)> = Vec::new();
    for across in [0.0, -0.5, 0.5, -1.0, 1.0] {
        for along in [0.0, -0.5, 0.5, -1.0, 1.0] {
            places.push((across * most.0.max(0.0), along * most.1.max(0.0)));
        }
    }
    places.sort_by(|a, b| (a.0 * a.0 + a.1 * a.1).total_cmp(&(b.0 * b.0 + b.1 * b.1)));
    let all = places.into_iter().map(|by| (middle.0 + by.0, middle.1 + by.1));
    all.into_iter().find(free).unwrap_or(middle)
}
