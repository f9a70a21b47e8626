//! Drawing the data of lines over a number: areas, bands, references, lines, markers, and the labels of each.

use super::super::frame::Plot;
use super::super::{Look, Marker, QUIET, SMALL, Tag, band, cut_line, mark};
use super::{Course, Panel, Point, Series, Shade, line, values, written};
use crate::report::axis::{Format, decimals, number, percent};
use crate::report::canvas::clip;
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Canvas, Dash, Stroke, Type, Weight};

/// Font size of what is written beside points, in pixels.
const NOTE: f64 = 11.0;
/// An area is named where it is this high, in pixels; so many places are looked at.
const HIGH_ENOUGH: f64 = 22.0;
const STEPS: u32 = 40;

/// One label of the chart: of a series or of a reference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name {
    /// Its text.
    label: String,
    /// The look of what it names.
    look: Look,
    /// Its text, broken into lines.
    pub(super) lines: Vec<String>,
}

/// Every label once, in the order of first appearance.
pub(super) fn names(panels: &[Panel]) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for panel in panels {
        let series = panel.series.iter().map(|series| (&series.label, series.look));
        let references = panel.references.iter().map(|line| (&line.label, line.look));
        for (label, look) in series.chain(references) {
            if !names.iter().any(|name| name.label == *label && name.look == look) {
                let lines = Tag::broken(label);
                names.push(Name { label: label.clone(), look, lines });
            }
        }
    }
    names
}

/// The labels at the end of a row, with the ends of their lines in its last plot.
pub(super) fn tags(names: &[Name], panel: &Panel, plot: &Plot) -> Vec<Tag> {
    let shown = |points: &[(f64, f64)]| {
        let pixels = points.iter().map(|point| plot.at(*point));
        pixels.rev().find(|at| clip::inside(*at, plot.area))
    };
    let end = |name: &Name| {
        let is = |label: &str, look: Look| label == name.label && look == name.look;
        let series = panel.series.iter().find(|one| is(&one.label, one.look));
        let reference = panel.references.iter().find(|one| is(&one.label, one.look));
        match (series, reference.map(|reference| &reference.line)) {
            (Some(series), _) => shown(&values(series)),
            (None, Some(Course::Along(points))) => shown(points),
            (None, Some(Course::Level(y))) => Some((plot.area.right - 6.0, plot.y.place(*y)))
                .filter(|at| clip::inside(*at, plot.area)),
            (None, None) => None,
        }
    };
    let tag = |name: &Name| Tag { lines: name.lines.clone(), look: name.look, end: end(name) };
    names.iter().map(tag).collect()
}

/// Draws the data of one plot: areas below bands below references below lines below markers.
pub(super) fn draw_panel(
    canvas: &mut Canvas,
    panel: &Panel,
    plot: &Plot,
    banded: bool,
    format: Format,
) {
    for shade in &panel.shades {
        draw_shade(canvas, shade, plot);
    }
    if panel.series.iter().all(|series| values(series).is_empty()) {
        let Area { left, top, right, bottom } = plot.area;
        let middle = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let kind =
            Type { size: SMALL, weight: Weight::Regular, colour: QUIET, anchor: Anchor::Middle };
        canvas.text("no values", middle, kind);
    }
    for series in &panel.series {
        let limits: Vec<_> = series.points.iter().map(|point| pixels(point, plot)).collect();
        let colour = series.look.hue.line();
        if series.alone {
            let stroke = Stroke { colour, width: 1.4, dash: Dash::Solid };
            for (x, low, high) in limits {
                cut_line(canvas, plot.area, &[(x, low), (x, high)], stroke);
            }
        } else if banded {
            band(canvas, plot.area, &limits, colour);
        }
    }
    for reference in &panel.references {
        let points: Vec<_> = match &reference.line {
            Course::Level(y) => {
                let y = plot.y.place(*y);
                vec![(plot.area.left, y), (plot.area.right, y)]
            }
            Course::Along(points) => points.iter().map(|point| plot.at(*point)).collect(),
        };
        cut_line(canvas, plot.area, &points, reference.look.stroke());
    }
    for series in panel.series.iter().filter(|it| !(it.alone && it.exact.is_empty())) {
        let points: Vec<_> = line(series).iter().map(|point| plot.at(*point)).collect();
        cut_line(canvas, plot.area, &points, series.look.stroke());
    }
    for series in &panel.series {
        draw_markers(canvas, series, plot, format);
    }
    draw_notes(canvas, panel, plot);
}

/// What is written beside points: to the lower right, else to the upper left, and nowhere if neither has room.
fn draw_notes(canvas: &mut Canvas, panel: &Panel, plot: &Plot) {
    let points = panel.series.iter().flat_map(|it| &it.points);
    let mut taken: Vec<Area> = points.map(|it| reach(it, plot)).collect();
    let noted = panel.series.iter().flat_map(|it| it.points.iter().zip(&it.notes));
    for (point, note) in noted {
        let (x, y) = plot.at((point.x, point.y));
        let wide = words::width(note, NOTE, Weight::Regular);
        // A line that rises through the points passes above what is lower right, and below what is upper left.
        let places = [
            (x + 8.0, y + 13.0, Anchor::Start, x + 8.0),
            (x - 8.0, y - 13.0, Anchor::End, x - 8.0 - wide),
        ];
        let free = places.into_iter().find_map(|(at, y, anchor, left)| {
            let place = Area { left, top: y - 7.0, right: left + wide, bottom: y + 7.0 };
            let inside = plot.area.left <= left && place.right <= plot.area.right;
            let clear = inside && !taken.iter().any(|it| overlap(it, &place));
            clear.then_some((at, y, anchor, place))
        });
        if let Some((at, y, anchor, place)) = free {
            let kind = Type { size: NOTE, weight: Weight::Regular, colour: QUIET, anchor };
            canvas.text(note, (at, y + 4.0), kind);
            taken.push(place);
        }
    }
}

/// The room that a point takes up with its interval, in pixels.
fn reach(point: &Point, plot: &Plot) -> Area {
    let (x, low, high) = pixels(point, plot);
    let y = plot.y.place(point.y);
    // A comparison with a missing limit leaves the marker alone.
    let (top, bottom) = ((y - 6.0).min(high), (y + 6.0).max(low));
    Area { left: x - 6.0, top, right: x + 6.0, bottom }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/// An area, with its name where it is high enough for it.
fn draw_shade(canvas: &mut Canvas, shade: &Shade, plot: &Plot) {
    let pixels = |&(x, low, high): &(f64, f64, f64)| {
        (plot.x.place(x), plot.y.place(low), plot.y.place(high))
    };
    let edges: Vec<_> = shade.edges.iter().map(pixels).collect();
    band(canvas, plot.area, &edges, shade.hue.line());
    let half = words::width(&shade.label, SMALL, Weight::Bold) / 2.0;
    let Area { left, right, top, bottom } = plot.area;
    let places = (0..=STEPS).filter_map(|k| {
        let x = left + (right - left) * f64::from(k) / f64::from(STEPS);
        // The lowest roof and the highest floor over the whole width of the name.
        let ends = [x - half - 4.0, x, x + half + 4.0].map(|x| edges_at(&edges, x));
        let fold = |all: [f64; 3], pick: fn(f64, f64) -> f64| all.into_iter().reduce(pick);
        let roof = fold(ends.map(|it| it.1), f64::max)?.max(top);
        let floor = fold(ends.map(|it| it.0), f64::min)?.min(bottom);
        let certain = ends.iter().all(|it| it.0.is_finite() && it.1.is_finite());
        (certain && HIGH_ENOUGH <= floor - roof).then_some((
            floor - roof,
            x,
            f64::midpoint(roof, floor),
        ))
    });
    if let Some((_, x, y)) = places.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1))) {
        let (weight, anchor) = (Weight::Bold, Anchor::Middle);
        let kind = Type { size: SMALL, weight, colour: shade.hue.text(), anchor };
        canvas.text(&shade.label, (x, y + 4.3), kind);
    }
}

/// The lower and the upper edge of an area at x, in pixels; NaN outside.
fn edges_at(edges: &[(f64, f64, f64)], x: f64) -> (f64, f64) {
    let within = edges.windows(2).find(|pair| pair[0].0 <= x && x <= pair[1].0);
    within.map_or((f64::NAN, f64::NAN), |pair| {
        let share = (x - pair[0].0) / (pair[1].0 - pair[0].0).max(f64::MIN_POSITIVE);
        let at = |a: f64, b: f64| a + share * (b - a);
        (at(pair[0].1, pair[1].1), at(pair[0].2, pair[1].2))
    })
}

/// A marker at every simulated point, explained under the pointer.
fn draw_markers(canvas: &mut Canvas, series: &Series, plot: &Plot, format: Format) {
    let look = series.look;
    for point in &series.points {
        let at = plot.at((point.x, point.y));
        if !clip::inside(at, plot.area) {
            continue;
        }
        let x = number(point.x, decimals(point.x));
        let y = match format {
            Format::Percent => percent(point.y, 2),
            Format::Number => written(format, point.y),
        };
        let note = format!("{}, at {x}: {y}", series.label);
        canvas.noted(&note, |canvas| {
            mark(canvas, look.marker.unwrap_or(Marker::Circle), at, look.hue.line());
        });
    }
}

/// The interval of a point in pixels: x, lower end, upper end.
fn pixels(point: &Point, plot: &Plot) -> (f64, f64, f64) {
    (plot.x.place(point.x), plot.y.place(point.low), plot.y.place(point.high))
}

/// The height in pixels of the tallest interval; none where there are no intervals.
pub(super) fn tallest(panels: &[Panel], plot: &Plot) -> Option<f64> {
    let points = panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
    let heights = points.map(|point| pixels(point, plot)).map(|(_, low, high)| low - high);
    heights.filter(|height| !height.is_nan()).reduce(f64::max)
}
