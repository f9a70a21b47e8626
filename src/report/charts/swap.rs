//! The chart of the swap study: the win rate of the first system against the position bias of the
//! judge, for one order, the other, both averaged, and the pairs on which both orders agree.

mod draw;

use super::frame::{Axis, Frame};
use super::{Hue, Look, Marker, label};
use crate::report::axis::{Format, Scale, Spread, decimals, number, percent, rounded_out};
use crate::report::canvas::Dash;
use draw::{Name, draw_panel, names, tags, tallest};

/// The win rate is shown over at least this range, so that Monte Carlo noise is not blown up.
const LEAST_RANGE: f64 = 0.05;

/// Intervals no taller than this many pixels hide behind the markers and are not drawn.
const MARKER_HEIGHT: f64 = 8.0;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwapChart {
    /// Names the picture within a page, such as `swap`.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure, the judge, the number of replicates.
    pub subtitle: String,
    /// What `low` and `high` of the points are, such as "95 % Monte Carlo interval"; the chart adds
    /// to the subtitle how they are drawn. Empty where there are none.
    pub interval: String,
    /// What x is, such as "position bias (log-odds)".
    pub x_label: String,
    /// What y is, such as "win rate of the first system".
    pub y_label: String,
    /// One plot or several side by side over the same axes.
    pub panels: Vec<Panel>,
}

/// One plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What sets it apart, such as "14 pairs"; may be empty for a single one.
    pub name: String,
    /// The ways to count verdicts.
    pub series: Vec<Series>,
    /// What the verdicts are held against.
    pub references: Vec<Reference>,
}

/// One way to count verdicts, along the bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, beside the end of its line. Series of equal name and role are one label.
    pub label: String,
    /// What it is, which decides its colour, dash and marker.
    pub role: Role,
    /// What was simulated: drawn as markers.
    pub points: Vec<Point>,
    /// Exact values (x, win rate): drawn as a line. If empty, a line joins the simulated points.
    pub exact: Vec<(f64, f64)>,
}

/// A simulated win rate. What is not finite is not drawn; infinite limits reach to the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The position bias in log-odds.
    pub x: f64,
    /// The win rate, 0 to 1.
    pub y: f64,
    /// The lower end of its interval; NaN for none.
    pub low: f64,
    /// The upper end of its interval; NaN for none.
    pub high: f64,
}

/// What a series counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Verdicts on one order only (the first system always first).
    OneOrder,
    /// Verdicts on the other order only (the first system always second).
    OtherOrder,
    /// Both orders averaged.
    Averaged,
    /// Only pairs with the same verdict in both orders.
    Agreed,
    /// Anything else; the number picks one of four further looks.
    Other(usize),
}

impl Role {
    /// Colour, dash and marker, all three different for different roles.
    #[must_use]
    pub fn look(self) -> Look {
        let (hue, dash, marker) = match self {
            Self::OneOrder => (Hue::Vermilion, Dash::Solid, Marker::Circle),
            Self::OtherOrder => (Hue::Purple, Dash::Dashed, Marker::Square),
            Self::Averaged => (Hue::Blue, Dash::Solid, Marker::Diamond),
            Self::Agreed => (Hue::Green, Dash::DashDot, Marker::Triangle),
            Self::Other(index) => match index % 4 {
                0 => (Hue::Orange, Dash::Dashed, Marker::Circle),
                1 => (Hue::Sky, Dash::DashDot, Marker::Square),
                2 => (Hue::Quiet, Dash::Dotted, Marker::Diamond),
                _ => (Hue::Orange, Dash::Dotted, Marker::Triangle),
            },
        };
        Look { hue, width: 2.0, dash, marker: Some(marker) }
    }
}

/// A line to hold the series against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name, beside its right end.
    pub label: String,
    /// What it is.
    pub kind: Standard,
    /// Where it runs.
    pub line: Course,
}

/// What the series are held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// The share of pairs in which the first system is truly better.
    Truth,
    /// The win rate under the same judge without its biases.
    Fair,
}

impl Standard {
    /// Thin lines without markers: nothing was simulated here.
    #[must_use]
    pub fn look(self) -> Look {
        let (hue, dash) = match self {
            Self::Truth => (Hue::Ink, Dash::Solid),
            Self::Fair => (Hue::Quiet, Dash::Dotted),
        };
        Look { hue, width: 1.3, dash, marker: None }
    }
}

/// Where a reference runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// At one win rate, 0 to 1, from edge to edge.
    Level(f64),
    /// Through the points (x, win rate).
    Along(Vec<(f64, f64)>),
}

impl SwapChart {
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
            draw_panel(&mut canvas, panel, plot, banded);
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
        let (low, high) = win_rates(panels);
        Frame {
            id: self.id.clone(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: Axis {
                label: self.x_label.clone(),
                scale: Scale::new(Spread::Linear, left, right),
                format: Format::Number,
            },
            y: Axis {
                label: self.y_label.clone(),
                scale: Scale::new(Spread::Linear, low, high),
                format: Format::Percent,
            },
            panels: panels.iter().map(|panel| panel.name.clone()).collect(),
            labels: names.iter().map(|name| name.lines.clone()).collect(),
        }
    }

    /// The subtitle, which also says how the intervals are drawn, or why they are not.
    fn subtitle(&self, banded: Option<bool>) -> String {
        let drawn = match banded.filter(|_| !self.interval.is_empty()) {
            None => String::new(),
            Some(true) => format!("band = {}", self.interval),
            Some(false) => format!("{} narrower than the markers", self.interval),
        };
        let parts = [self.subtitle.as_str(), drawn.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self, panels: &[Panel]) -> String {
        let mut sentences = Vec::new();
        for panel in panels {
            let series = panel.series.iter().map(|series| tell(&series.label, &values(series)));
            let references = panel.references.iter().map(|reference| match &reference.line {
                Course::Level(y) => tell(&reference.label, &[(0.0, *y)]),
                Course::Along(points) => tell(&reference.label, points),
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

/// Every win rate of a plot.
fn ys(panel: &Panel) -> Vec<f64> {
    let series = panel.series.iter();
    let simulated = series.clone().flat_map(|one| one.points.iter().map(|point| point.y));
    let exact = series.flat_map(|one| one.exact.iter().map(|point| point.1));
    let references = panel.references.iter().flat_map(|one| match &one.line {
        Course::Level(y) => vec![*y],
        Course::Along(points) => points.iter().map(|point| point.1).collect(),
    });
    simulated.chain(exact).chain(references).collect()
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

/// The range of win rates to show: wide enough, rounded outward, within 0 and 1. What lies outside
/// 0 and 1 is no win rate (normal intervals may reach there) and is cut off.
fn win_rates(panels: &[Panel]) -> (f64, f64) {
    let rate = |y: &f64| (0.0..=1.0).contains(y);
    let (low, high) = span(panels.iter().flat_map(ys).filter(rate));
    let (least, most) = span(panels.iter().flat_map(ends).filter(rate));
    // The last hair of an interval is not worth a further step of the axis.
    let hair = (high.max(most) - low.min(least)) / 200.0;
    let (low, high) = (low.min(least + hair), high.max(most - hair));
    if low.is_nan() || high.is_nan() {
        return (0.0, 1.0);
    }
    let more = ((LEAST_RANGE - (high - low)) / 2.0).max(0.0);
    let low = (low - more).clamp(0.0, 1.0 - LEAST_RANGE);
    let high = (high + more).clamp(LEAST_RANGE, 1.0);
    let (low, high) = rounded_out(low, high, 6);
    (low.max(0.0), high.min(1.0))
}

/// A clause with the numbers of one line; none without numbers.
fn tell(label: &str, points: &[(f64, f64)]) -> Option<String> {
    let (first, last) = (points.first()?, points.last()?);
    let at = |point: &(f64, f64)| number(point.0, decimals(point.0));
    Some(if points.len() == 1 {
        format!("{label} {}", percent(last.1, 1))
    } else {
        let (from, to) = (percent(first.1, 1), percent(last.1, 1));
        format!("{label} from {from} at {} to {to} at {}", at(first), at(last))
    })
}

#[cfg(test)]
mod tests;
