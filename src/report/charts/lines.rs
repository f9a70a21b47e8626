//! Lines over a number: simulated points with their intervals, exact lines, references, and the areas between lines; one
//! plot, or several over the same axes.

mod draw;

use super::frame::{Axis, Frame};
use super::{Hue, Look, label};
use crate::report::axis::{Format, Scale, Spread, decimals, number, percent, rounded_out};
use draw::{Name, draw_panel, names, tags, tallest};

/// Shares are shown over at least this range, so that Monte Carlo noise is not blown up.
const LEAST_RANGE: f64 = 0.05;

/// Intervals no taller than this many pixels hide behind the markers and are not drawn.
const MARKER_HEIGHT: f64 = 8.0;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// Names the picture within a page, such as `swap`.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure and the number of replicates.
    pub subtitle: String,
    /// What `low` and `high` of the points are, such as "95 % Monte Carlo interval"; the chart adds
    /// to the subtitle how they are drawn. Empty where there are none.
    pub interval: String,
    /// What x is, such as "position bias (log-odds)".
    pub x_label: String,
    /// How x is written.
    pub x_format: Format,
    /// Whether equal ratios of x are equally far apart.
    pub by_ratio: bool,
    /// What y is, such as "win rate of the first system".
    pub y_label: String,
    /// How y is written.
    pub y_format: Format,
    /// What the lines are, over their column in a table: "win rate".
    pub measured: String,
    /// The least and the greatest y that can be; what lies outside is no value and is cut off.
    pub bounds: Option<(f64, f64)>,
    /// One plot or several side by side over the same axes.
    pub panels: Vec<Panel>,
}

/// One plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What sets it apart, such as "14 pairs"; may be empty for a single one.
    pub name: String,
    /// The areas below everything else.
    pub shades: Vec<Shade>,
    /// What was simulated.
    pub series: Vec<Series>,
    /// What the series are held against.
    pub references: Vec<Reference>,
}

/// The area between two lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// What it is, written into it where there is room.
    pub label: String,
    /// Its colour.
    pub hue: Hue,
    /// Its lower and its upper edge at each x: (x, low, high).
    pub edges: Vec<(f64, f64, f64)>,
}

/// One line with its simulated points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, beside the end of its line. Series of equal name and look are one label.
    pub label: String,
    /// Its colour, dash and marker.
    pub look: Look,
    /// What was simulated: drawn as markers.
    pub points: Vec<Point>,
    /// Exact values (x, y): drawn as a line. If empty, a line joins the simulated points.
    pub exact: Vec<(f64, f64)>,
    /// Whether the points stand alone: no line joins them, and their intervals are bars, as beside a line that is exact between
    /// them too.
    pub alone: bool,
    /// What is written beside each point where there is room; may be shorter than the points.
    pub notes: Vec<String>,
}

impl Series {
    /// A line through exact values, with what was simulated as markers.
    #[must_use]
    pub fn new(label: &str, look: Look, points: Vec<Point>, exact: Vec<(f64, f64)>) -> Self {
        Self { label: label.to_owned(), look, points, exact, alone: false, notes: Vec::new() }
    }
}

/// A simulated value. What is not finite is not drawn; infinite limits reach to the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number along the bottom.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The lower end of its interval; NaN for none.
    pub low: f64,
    /// The upper end of its interval; NaN for none.
    pub high: f64,
}

/// A line to hold the series against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name, beside its right end.
    pub label: String,
    /// Its colour and dash.
    pub look: Look,
    /// Where it runs.
    pub line: Course,
}

/// Where a reference runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// At one value, from edge to edge.
    Level(f64),
    /// Through the points (x, y).
    Along(Vec<(f64, f64)>),
}

impl LineChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let lone = [Panel::default()];
        let panels = if self.panels.is_empty() { &lone[..] } else { &self.panels[..] };
        let names = names(panels);
        let mut frame = self.frame(panels, &names);
        // How tall intervals are drawn depends on the height of the plots, not on the subtitle.
        let tallest = frame.draw().1.first().and_then(|plot| tallest(panels, plot));
        let banded = tallest.is_some_and(|pixels| pixels > MARKER_HEIGHT);
        frame.subtitle = self.subtitle(tallest.map(|_| banded));
        let (mut canvas, plots) = frame.draw();
        for (index, (panel, plot)) in panels.iter().zip(&plots).enumerate() {
            draw_panel(&mut canvas, panel, plot, banded, self.y_format);
            let next = plots.get(index + 1);
            if next.is_none_or(|next| next.row > plot.row) {
                label(&mut canvas, plot.area, &tags(&names, panel, plot));
            }
        }
        canvas.finish(&self.title, &self.describe(panels))
    }

    /// The frame around the data, not yet with its full subtitle.
    fn frame(&self, panels: &[Panel], names: &[Name]) -> Frame {
        let (left, right) = span(panels.iter().flat_map(xs));
        let (low, high) = self.range(panels);
        let spread = if self.by_ratio { Spread::Log } else { Spread::Linear };
        Frame {
            id: self.id.clone(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: Axis {
                label: self.x_label.clone(),
                scale: Scale::new(spread, left, right),
                format: self.x_format,
            },
            y: Axis {
                label: self.y_label.clone(),
                scale: Scale::new(Spread::Linear, low, high),
                format: self.y_format,
            },
            panels: panels.iter().map(|panel| panel.name.clone()).collect(),
            labels: names.iter().map(|name| name.lines.clone()).collect(),
            names: Vec::new(),
        }
    }

    /// The subtitle, which also says how the intervals are drawn, or why they are not.
    fn subtitle(&self, banded: Option<bool>) -> String {
        let drawn = match banded.filter(|_| !self.interval.is_empty()) {
            None => String::new(),
            Some(true) if self.panels.iter().flat_map(|it| &it.series).all(|it| it.alone) => {
                format!("bar = {}", self.interval)
            }
            Some(true) => format!("band = {}", self.interval),
            Some(false) => format!("{} narrower than the markers", self.interval),
        };
        let parts = [self.subtitle.as_str(), drawn.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The range of values to show: wide enough, rounded outward, within the bounds.
    fn range(&self, panels: &[Panel]) -> (f64, f64) {
        let (floor, roof) = self.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let possible = |y: &f64| (floor..=roof).contains(y);
        let (low, high) = span(panels.iter().flat_map(ys).filter(possible));
        let (least, most) = span(panels.iter().flat_map(ends).filter(possible));
        // The last hair of an interval is not worth a further step of the axis.
        let hair = (high.max(most) - low.min(least)) / 200.0;
        let (mut low, mut high) = (low.min(least + hair), high.max(most - hair));
        if low.is_nan() || high.is_nan() {
            return self.bounds.unwrap_or((0.0, 1.0));
        }
        if self.bounds.is_some() {
            let more = ((LEAST_RANGE - (high - low)) / 2.0).max(0.0);
            low = (low - more).max(floor).min(roof - LEAST_RANGE);
            high = (high + more).max(floor + LEAST_RANGE).min(roof);
        }
        let (low, high) = rounded_out(low, high, 6);
        (low.max(floor), high.min(roof))
    }

    /// A clause with the numbers of one line; none without numbers.
    fn tell(&self, label: &str, points: &[(f64, f64)]) -> Option<String> {
        let (first, last) = (points.first()?, points.last()?);
        let at = |point: &(f64, f64)| match self.x_format {
            Format::Number => number(point.0, decimals(point.0)),
            Format::Percent => percent(point.0, decimals(libm::rint(point.0 * 1e9) / 1e7)),
        };
        let [from, to] = [first, last].map(|point| written(self.y_format, point.1));
        Some(if points.len() == 1 {
            format!("{label} {to}")
        } else {
            format!("{label} from {from} at {} to {to} at {}", at(first), at(last))
        })
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self, panels: &[Panel]) -> String {
        let mut sentences = Vec::new();
        for panel in panels {
            let series =
                panel.series.iter().map(|series| self.tell(&series.label, &values(series)));
            let references = panel.references.iter().map(|reference| match &reference.line {
                Course::Level(y) => self.tell(&reference.label, &[(0.0, *y)]),
                Course::Along(points) => self.tell(&reference.label, points),
            });
            let told: Vec<String> = series.chain(references).flatten().collect();
            let told = if told.is_empty() { "no values".to_owned() } else { told.join("; ") };
            let name = if panel.name.is_empty() { &self.y_label } else { &panel.name };
            sentences.push(if name.is_empty() { told } else { format!("{name}: {told}") });
        }
        let along = if self.x_label.is_empty() { "x" } else { &self.x_label };
        format!("Along {along}. {}.", sentences.join(". "))
    }
}

/// The points of a series' line: exact where it has exact values.
fn line(series: &Series) -> Vec<(f64, f64)> {
    if series.exact.is_empty() {
        series.points.iter().map(|point| (point.x, point.y)).collect()
    } else {
        series.exact.clone()
    }
}

/// The finite points of a series' line, or those simulated if it has no line.
fn values(series: &Series) -> Vec<(f64, f64)> {
    let finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
    let mut values: Vec<_> = line(series).into_iter().filter(finite).collect();
    if values.is_empty() {
        values = series.points.iter().map(|point| (point.x, point.y)).filter(finite).collect();
    }
    values
}

/// Every x of a plot.
fn xs(panel: &Panel) -> Vec<f64> {
    let series = panel.series.iter();
    let simulated = series.clone().flat_map(|one| one.points.iter().map(|point| point.x));
    let exact = series.flat_map(|one| one.exact.iter().map(|point| point.0));
    let references = panel.references.iter().flat_map(|one| match &one.line {
        Course::Level(_) => Vec::new(),
        Course::Along(points) => points.iter().map(|point| point.0).collect(),
    });
    simulated.chain(exact).chain(references).collect()
}

/// Every value of a plot, of lines and of areas.
fn ys(panel: &Panel) -> Vec<f64> {
    let series = panel.series.iter();
    let simulated = series.clone().flat_map(|one| one.points.iter().map(|point| point.y));
    let exact = series.flat_map(|one| one.exact.iter().map(|point| point.1));
    let references = panel.references.iter().flat_map(|one| match &one.line {
        Course::Level(y) => vec![*y],
        Course::Along(points) => points.iter().map(|point| point.1).collect(),
    });
    let edges = panel.shades.iter().flat_map(|one| one.edges.iter().flat_map(|at| [at.1, at.2]));
    simulated.chain(exact).chain(references).chain(edges).collect()
}

/// Both ends of every interval of a plot.
fn ends(panel: &Panel) -> Vec<f64> {
    let points = panel.series.iter().flat_map(|series| &series.points);
    points.flat_map(|point| [point.low, point.high]).collect()
}

/// The least and the greatest of the finite values; NaN for none.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values = values.filter(|value| value.is_finite());
    values.fold((f64::NAN, f64::NAN), |(low, high), value| (value.min(low), value.max(high)))
}

/// A value as it is told: shares to a tenth of a per cent, others to the third decimal.
fn written(format: Format, y: f64) -> String {
    match format {
        Format::Percent => percent(y, 1),
        Format::Number => number(y, decimals(libm::rint(y * 1e3) / 1e3)),
    }
}

#[cfg(test)]
mod tests;
