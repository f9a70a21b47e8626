//! Drawing the data of the swap chart: bands, references, lines, markers, and the labels of each.

use super::super::frame::Plot;
use super::super::{Look, Marker, QUIET, SMALL, Tag, band, cut_line, mark};
use super::{Course, Panel, Point, Series, line, values};
use crate::report::axis::{decimals, number, percent};
use crate::report::canvas::clip;
use crate::report::canvas::{Anchor, Area, Canvas, Type, Weight};

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
        let series = panel.series.iter().map(|series| (&series.label, series.role.look()));
        let references = panel.references.iter().map(|line| (&line.label, line.kind.look()));
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
        let series = panel.series.iter().find(|one| is(&one.label, one.role.look()));
        let reference = panel.references.iter().find(|one| is(&one.label, one.kind.look()));
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

/// Draws the data of one plot: bands below references below lines below markers.
pub(super) fn draw_panel(canvas: &mut Canvas, panel: &Panel, plot: &Plot, banded: bool) {
    if panel.series.iter().all(|series| values(series).is_empty()) {
        let Area { left, top, right, bottom } = plot.area;
        let middle = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let kind =
            Type { size: SMALL, weight: Weight::Regular, colour: QUIET, anchor: Anchor::Middle };
        canvas.text("no values", middle, kind);
    }
    for series in panel.series.iter().filter(|_| banded) {
        let limits: Vec<_> = series.points.iter().map(|point| pixels(point, plot)).collect();
        band(canvas, plot.area, &limits, series.role.look().hue.line());
    }
    for reference in &panel.references {
        let points: Vec<_> = match &reference.line {
            Course::Level(y) => {
                let y = plot.y.place(*y);
                vec![(plot.area.left, y), (plot.area.right, y)]
            }
            Course::Along(points) => points.iter().map(|point| plot.at(*point)).collect(),
        };
        cut_line(canvas, plot.area, &points, reference.kind.look().stroke());
    }
    for series in &panel.series {
        let points: Vec<_> = line(series).iter().map(|point| plot.at(*point)).collect();
        cut_line(canvas, plot.area, &points, series.role.look().stroke());
    }
    for series in &panel.series {
        draw_markers(canvas, series, plot);
    }
}

/// A marker at every simulated point, explained under the pointer.
fn draw_markers(canvas: &mut Canvas, series: &Series, plot: &Plot) {
    let look = series.role.look();
    for point in &series.points {
        let at = plot.at((point.x, point.y));
        if !clip::inside(at, plot.area) {
            continue;
        }
        let x = number(point.x, decimals(point.x));
        let note = format!("{}, at {x}: {}", series.label, percent(point.y, 2));
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
