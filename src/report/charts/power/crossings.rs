//! Where lines cross the target: a ring on the line, a thread down to the axis, and the number where it finds room.

use super::super::frame::Plot;
use super::super::{PAPER, SMALL, cut_line};
use super::{Line, look};
use crate::report::canvas::clip;
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Canvas, Dash, Fill, Stroke, Type, Weight};

/// A crossing, and where its number is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    line: usize,
    crossing: usize,
    /// The baseline's point and which end of the text lies there; none where there is no room.
    pub at: Option<((f64, f64), Anchor)>,
}

impl Placed {
    pub(super) fn is(&self, line: usize, crossing: usize) -> bool {
        (self.line, self.crossing) == (line, crossing)
    }
}

/// From a ring to its number, in pixels.
const APART: f64 = 9.0;
/// The radius of a ring.
const RING: f64 = 5.2;

/// Finds room for every number: left above the ring, where a rising line leaves it, or right below; else none.
pub(super) fn placed(lines: &[Line], target: f64, plot: &Plot) -> Vec<Placed> {
    let courses: Vec<Vec<(f64, f64)>> =
        lines.iter().map(|it| it.course().into_iter().map(|p| plot.at(p)).collect()).collect();
    let mut taken: Vec<Area> = Vec::new();
    // Rings and markers are no ground to write on.
    for line in lines {
        let rings = line.crossings.iter().map(|it| plot.at((it.0, target)));
        let markers = line.points.iter().map(|it| plot.at((it.x, it.y)));
        taken.extend(rings.chain(markers).map(|at| around(at, RING)));
        taken.extend(line.points.iter().map(|it| {
            let x = plot.x.place(it.x);
            let (top, bottom) = (plot.y.place(it.high), plot.y.place(it.low));
            Area { left: x - 2.0, right: x + 2.0, top, bottom }
        }));
    }
    let mut placed = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        for (j, (x, text)) in line.crossings.iter().enumerate() {
            let at = plot.at((*x, target));
            let wide = words::width(text, SMALL, Weight::Bold);
            let free = |it: &((f64, f64), Anchor)| {
                let area = box_of(it.0, it.1, wide);
                let crossed = courses.iter().any(|line| !clip::polyline(line, area).is_empty());
                let covered = taken.iter().any(|other| meet(*other, area));
                clip::inside((area.left, area.top), plot.area)
                    && clip::inside((area.right, area.bottom), plot.area)
                    && !crossed
                    && !covered
            };
            let (left, right) = (at.0 - APART, at.0 + APART);
            let (above, below) = (at.1 - 8.0, at.1 + 16.0);
            let found = [
                ((left, above), Anchor::End),
                ((right, below), Anchor::Start),
                ((right, above), Anchor::Start),
                ((left, below), Anchor::End),
            ]
            .into_iter()
            .find(free);
            taken.extend(found.map(|it| box_of(it.0, it.1, wide)));
            placed.push(Placed { line: k, crossing: j, at: found });
        }
    }
    placed
}

/// The room of a text with its baseline at a point.
fn box_of((x, y): (f64, f64), anchor: Anchor, wide: f64) -> Area {
    let left = if anchor == Anchor::End { x - wide } else { x };
    Area { left: left - 2.0, right: left + wide + 2.0, top: y - 11.0, bottom: y + 4.0 }
}

fn around((x, y): (f64, f64), by: f64) -> Area {
    Area { left: x - by, right: x + by, top: y - by, bottom: y + by }
}

fn meet(a: Area, b: Area) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/// Draws threads, rings and numbers.
pub(super) fn draw_crossings(
    canvas: &mut Canvas,
    (lines, target): (&[Line], f64),
    plot: &Plot,
    placed: &[Placed],
) {
    for it in placed {
        let (x, text) = &lines[it.line].crossings[it.crossing];
        let (hue, at) = (look(it.line).hue, plot.at((*x, target)));
        if !clip::inside(at, plot.area) {
            continue;
        }
        let thread = Stroke { colour: hue.line(), width: 0.9, dash: Dash::Dotted };
        canvas.decoration(|canvas| {
            let foot = (at.0, plot.area.bottom);
            cut_line(canvas, plot.area, &[(at.0, at.1 + RING), foot], thread);
        });
        canvas.circle(at, RING, Fill { colour: hue.line(), opacity: 1.0 });
        canvas.circle(at, RING - 2.0, Fill { colour: PAPER, opacity: 1.0 });
        if let Some((at, anchor)) = it.at {
            let (weight, colour) = (Weight::Bold, hue.text());
            canvas.text(text, at, Type { size: SMALL, weight, colour, anchor });
        }
    }
}
