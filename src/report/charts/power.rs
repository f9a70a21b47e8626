//! The power curve: how often a test rejects, against the number of pairs or the size of an effect. Lines are exact,
//! markers simulated; where a line crosses the target, its number is written beside it.

mod crossings;

use std::fmt::Write as _;

use super::frame::{Axis, Frame, Plot};
pub use super::lines::Point;
use super::{Hue, Look, Marker, QUIET, SMALL, Tag, band, cut_line, label, mark};
use crate::report::axis::{Format, Scale, Spread, decimals, number, percent};
use crate::report::canvas::clip;
use crate::report::canvas::{Anchor, Canvas, Dash, Stroke, Type, Weight};
use crossings::{Placed, draw_crossings, placed};

/// Intervals no taller than this many pixels hide behind the markers and are not drawn.
const MARKER_HEIGHT: f64 = 8.0;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerChart {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure, the test, the replicates.
    pub subtitle: String,
    /// What `low` and `high` of the points are, such as "95 % Wilson interval"; the chart adds how they are drawn.
    pub interval: String,
    /// What x is.
    pub x_label: String,
    /// What y is, such as "power".
    pub y_label: String,
    /// Whether equal ratios of x are equally far apart.
    pub by_ratio: bool,
    /// The power that is asked for, 0 to 1.
    pub target: f64,
    /// The nominal level of the tests, 0 to 1.
    pub level: f64,
    /// The lines.
    pub lines: Vec<Line>,
}

/// The power of one test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name in parts, beside its end: on one line where they fit.
    pub label: Vec<String>,
    /// Exact powers (x, power), x rising: drawn as a line. If empty, a line joins the simulated points.
    pub exact: Vec<(f64, f64)>,
    /// Simulated powers: drawn as markers with their intervals.
    pub points: Vec<Point>,
    /// Where it crosses the target: x, and what is written there.
    pub crossings: Vec<(f64, String)>,
}

/// The look of a line by its place: colour, dash and marker differ together.
fn look(index: usize) -> Look {
    let (hue, dash, marker) = match index % 6 {
        0 => (Hue::Blue, Dash::Solid, Marker::Circle),
        1 => (Hue::Vermilion, Dash::Dashed, Marker::Square),
        2 => (Hue::Green, Dash::DashDot, Marker::Diamond),
        3 => (Hue::Purple, Dash::Dotted, Marker::Triangle),
        4 => (Hue::Orange, Dash::Solid, Marker::Square),
        _ => (Hue::Sky, Dash::Dashed, Marker::Circle),
    };
    Look { hue, width: 2.0, dash, marker: Some(marker) }
}

/// Thin lines without markers: nothing was simulated here.
const TARGET: Look = Look { hue: Hue::Ink, width: 1.2, dash: Dash::Dashed, marker: None };
const LEVEL: Look = Look { hue: Hue::Quiet, width: 1.2, dash: Dash::Dotted, marker: None };

impl Line {
    /// Its name on one line.
    #[must_use]
    pub fn name(&self) -> String {
        self.label.join(", ")
    }

    /// Its name on one line if it fits, else a part to a line.
    fn broken(&self) -> Vec<String> {
        let whole = Tag::broken(&self.name());
        if whole.len() < 2 {
            whole
        } else {
            self.label.iter().flat_map(|it| Tag::broken(it)).collect()
        }
    }

    /// The line's points: exact, or else those simulated.
    fn course(&self) -> Vec<(f64, f64)> {
        if self.exact.is_empty() {
            self.points.iter().map(|it| (it.x, it.y)).collect()
        } else {
            self.exact.clone()
        }
    }
}

impl PowerChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let (labels, noted) = self.arranged();
        let mut frame = self.frame(&labels);
        // How tall intervals are drawn depends on the height of the plot, not on the subtitle.
        let tallest = frame.draw().1.first().and_then(|plot| self.tallest(plot));
        let shown = tallest.is_some_and(|pixels| pixels > MARKER_HEIGHT);
        frame.subtitle = self.subtitle(tallest.map(|_| shown));
        let (mut canvas, plots) = frame.draw();
        for plot in &plots {
            self.draw(&mut canvas, plot, shown);
            draw_crossings(&mut canvas, (&self.lines, self.target), plot, &noted);
            label(&mut canvas, plot.area, &self.tags(&labels, plot));
        }
        canvas.finish(&self.title, &self.describe())
    }

    /// The labels, and the crossings with their numbers where they find room. Numbers without room make labels longer, and
    /// many labels a plot higher, so that both are asked again until they agree.
    fn arranged(&self) -> (Vec<Vec<String>>, Vec<Placed>) {
        let (mut labels, mut noted) = (self.labels(&[]), Vec::new());
        for _ in 0..3 {
            let plots = self.frame(&labels).draw().1;
            noted = plots
                .first()
                .map(|plot| placed(&self.lines, self.target, plot))
                .unwrap_or_default();
            let next = self.labels(&noted);
            if next == labels {
                break;
            }
            labels = next;
        }
        (labels, noted)
    }

    fn frame(&self, labels: &[Vec<String>]) -> Frame {
        let xs = || {
            let all = self.lines.iter().flat_map(|line| {
                let simulated = line.points.iter().map(|it| it.x);
                line.exact.iter().map(|it| it.0).chain(simulated)
            });
            all.filter(|x| x.is_finite())
        };
        let spread = if self.by_ratio { Spread::Log } else { Spread::Linear };
        let (low, high) =
            (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
        Frame {
            id: self.id.clone(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: Axis {
                label: self.x_label.clone(),
                scale: Scale::new(spread, low, high),
                format: Format::Number,
            },
            y: Axis {
                label: self.y_label.clone(),
                scale: Scale::new(Spread::Linear, 0.0, 1.0),
                format: Format::Percent,
            },
            panels: vec![String::new()],
            labels: labels.to_vec(),
            names: Vec::new(),
        }
    }

    /// The labels of the lines, of the target and of the level; crossings that found no room are told here.
    fn labels(&self, noted: &[Placed]) -> Vec<Vec<String>> {
        let mut labels: Vec<Vec<String>> = Vec::new();
        for (k, line) in self.lines.iter().enumerate() {
            let mut lines = line.broken();
            for (j, (_, text)) in line.crossings.iter().enumerate() {
                if noted.iter().any(|it| it.is(k, j) && it.at.is_none()) {
                    lines.extend(Tag::broken(&format!("{} at {text}", percent(self.target, 0))));
                }
            }
            labels.push(lines);
        }
        labels.push(Tag::broken(&format!("target {}", percent(self.target, 0))));
        let level = decimals(100.0 * self.level);
        labels.push(Tag::broken(&format!("level {}", percent(self.level, level))));
        labels
    }

    fn tags(&self, labels: &[Vec<String>], plot: &Plot) -> Vec<Tag> {
        let end = |line: &Line| {
            let pixels = line.course().into_iter().map(|it| plot.at(it));
            pixels.rev().find(|at| clip::inside(*at, plot.area))
        };
        let edge = |y: f64| Some((plot.area.right - 6.0, plot.y.place(y)));
        let lines = self.lines.iter().enumerate().map(|(k, line)| (look(k), end(line)));
        let rules = [(TARGET, edge(self.target)), (LEVEL, edge(self.level))];
        let all = lines.chain(rules).zip(labels);
        all.map(|((look, end), lines)| Tag { lines: lines.clone(), look, end }).collect()
    }

    /// Level and target below intervals below lines below markers.
    fn draw(&self, canvas: &mut Canvas, plot: &Plot, shown: bool) {
        for (y, look) in [(self.level, LEVEL), (self.target, TARGET)] {
            let y = plot.y.place(y);
            canvas.line((plot.area.left, y), (plot.area.right, y), look.stroke());
        }
        if self.lines.iter().all(|line| line.course().is_empty()) {
            let middle = f64::midpoint(plot.area.left, plot.area.right);
            let at = (middle, f64::midpoint(plot.area.top, plot.area.bottom));
            let (weight, anchor) = (Weight::Regular, Anchor::Middle);
            canvas.text("no values", at, Type { size: SMALL, weight, colour: QUIET, anchor });
        }
        for (k, line) in self.lines.iter().enumerate().filter(|_| shown) {
            let limits =
                |it: &Point| (plot.x.place(it.x), plot.y.place(it.low), plot.y.place(it.high));
            let limits: Vec<_> = line.points.iter().map(limits).collect();
            let colour = look(k).hue.line();
            if line.exact.is_empty() {
                band(canvas, plot.area, &limits, colour);
            } else {
                // Beside an exact line, only what was simulated has an interval.
                let stroke = Stroke { colour, width: 1.4, dash: Dash::Solid };
                for (x, low, high) in limits {
                    cut_line(canvas, plot.area, &[(x, low), (x, high)], stroke);
                }
            }
        }
        for (k, line) in self.lines.iter().enumerate() {
            let points: Vec<_> = line.course().into_iter().map(|it| plot.at(it)).collect();
            cut_line(canvas, plot.area, &points, look(k).stroke());
        }
        for (k, line) in self.lines.iter().enumerate() {
            draw_markers(canvas, line, look(k), plot);
        }
    }

    /// The height in pixels of the tallest interval; none where there are no intervals.
    fn tallest(&self, plot: &Plot) -> Option<f64> {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let heights = points.map(|it| plot.y.place(it.low) - plot.y.place(it.high));
        heights.filter(|height| height.is_finite()).reduce(f64::max)
    }

    /// The subtitle, which also says how the intervals are drawn, or why they are not.
    fn subtitle(&self, shown: Option<bool>) -> String {
        let bars = self.lines.iter().any(|it| !it.exact.is_empty());
        let drawn = match shown.filter(|_| !self.interval.is_empty()) {
            None => String::new(),
            Some(true) => format!("{} = {}", if bars { "bar" } else { "band" }, self.interval),
            Some(false) => format!("{} narrower than the markers", self.interval),
        };
        let parts = [self.subtitle.as_str(), drawn.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self) -> String {
        let told = |line: &Line| {
            let course = line.course();
            let (first, last) = (course.first()?, course.last()?);
            let at = |x: f64| number(x, decimals(x));
            let mut told = format!(
                "{}: from {} at {} to {} at {}",
                line.name(),
                percent(first.1, 1),
                at(first.0),
                percent(last.1, 1),
                at(last.0)
            );
            for (_, text) in &line.crossings {
                let _ = write!(told, ", {} at {text}", percent(self.target, 0));
            }
            Some(told)
        };
        let told: Vec<String> = self.lines.iter().filter_map(told).collect();
        let told = if told.is_empty() { "no values".to_owned() } else { told.join("; ") };
        format!("Power along {}. {told}.", self.x_label)
    }
}

/// A marker at every simulated point, explained under the pointer.
fn draw_markers(canvas: &mut Canvas, line: &Line, look: Look, plot: &Plot) {
    for point in &line.points {
        let at = plot.at((point.x, point.y));
        if !clip::inside(at, plot.area) {
            continue;
        }
        let x = number(point.x, decimals(point.x));
        let [y, low, high] = [point.y, point.low, point.high].map(|it| percent(it, 1));
        let note = format!("{}, at {x}: {y} ({low} to {high})", line.name());
        canvas.noted(&note, |canvas| {
            mark(canvas, look.marker.unwrap_or(Marker::Circle), at, look.hue.line());
        });
    }
}

#[cfg(test)]
mod tests;
