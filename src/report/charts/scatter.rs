//! Dots in clusters, each cluster joined by a thin line, with fitted lines through them; one plot, or several over the same
//! axes.

use super::frame::{Axis, Frame, Plot};
use super::lines::{Course, Reference};
use super::{Hue, Look, QUIET, RULE, SMALL, Tag, band, cut_line, label};
use crate::report::axis::{Format, Scale, Spread, number};
use crate::report::canvas::clip;
use crate::report::canvas::{Anchor, Canvas, Dash, Fill, Stroke, Type, Weight};
use crate::stats::cluster_slope::scatter::Scatter;

/// The radius of a dot in pixels.
const DOT: f64 = 2.3;
/// Where y counts, clusters are moved apart by at most this much, so that equal dots do not hide one another.
pub const APART: f64 = 0.15;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterChart {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// What the dots, lines and areas are.
    pub subtitle: String,
    /// What x is; equal ratios are equally far apart.
    pub x_label: String,
    /// What y is.
    pub y_label: String,
    /// What a joined cluster is, such as "one case".
    pub cluster: String,
    /// Whether every y is a whole number: clusters are then moved apart by up to [`APART`].
    pub whole: bool,
    /// The plots.
    pub panels: Vec<Cloud>,
}

/// One plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// What sets it apart; may be empty for a single one.
    pub name: String,
    /// Points (x, y), cluster by cluster.
    pub clusters: Vec<Vec<(f64, f64)>>,
    /// The area between two lines: (x, low, high).
    pub fan: Vec<(f64, f64, f64)>,
    /// The colour of that area.
    pub hue: Option<Hue>,
    /// Lines through the points.
    pub lines: Vec<Reference>,
}

/// The look of a fitted line.
pub const FITTED: Look = Look { hue: Hue::Blue, width: 2.6, dash: Dash::Solid, marker: None };
/// Pieces of the area between two lines that cross.
const PIECES: u32 = 16;

/// How the points of a chart were thinned and moved, to be said beside what they are; nothing where they are all there.
#[must_use]
pub fn kept(every: u64, whole: bool) -> String {
    let thinned = match every {
        0 | 1 => String::new(),
        k => format!(" (one case in {k} is drawn, from the first on)"),
    };
    let moved = if whole { format!(", moved apart by up to {APART}") } else { String::new() };
    format!("{thinned}{moved}")
}

impl Cloud {
    /// The points of a scatter over log2 of the lengths, over the lengths themselves.
    #[must_use]
    pub fn of(scatter: &Scatter) -> Self {
        let cluster = |it: &Vec<[f64; 2]>| it.iter().map(|[x, y]| (libm::exp2(*x), *y)).collect();
        Self { clusters: scatter.points.iter().map(cluster).collect(), ..Self::default() }
    }

    /// The ends of its points as log2 of the length.
    fn ends(&self) -> Option<(f64, f64)> {
        let all = self.clusters.iter().flatten().map(|it| libm::log2(it.0));
        all.fold(None, |ends: Option<(f64, f64)>, x| {
            Some(ends.map_or((x, x), |(low, high)| (low.min(x), high.max(x))))
        })
    }

    /// Adds a line that is straight over log2 of the length, from end to end of the points.
    pub fn add(&mut self, label: &str, look: Look, at: impl Fn(f64) -> f64) {
        let Some((low, high)) = self.ends() else { return };
        let line = Course::Along([low, high].map(|x| (libm::exp2(x), at(x))).to_vec());
        self.lines.push(Reference { label: label.to_owned(), look, line });
    }

    /// Adds the fitted line through the centre of all points, and the area that it sweeps between the limits of its slope.
    pub fn fit(&mut self, scatter: &Scatter, slope: Option<f64>, limits: [Option<f64>; 2]) {
        let (Some(slope), Some((low, high))) = (slope, self.ends()) else { return };
        if let [Some(least), Some(most)] = limits {
            let edge = |k: u32| {
                let x = low + (high - low) * f64::from(k) / f64::from(PIECES);
                let [a, b] = [least, most].map(|slope| scatter.at(slope, x));
                (libm::exp2(x), a.min(b), a.max(b))
            };
            self.fan = (0..=PIECES).map(edge).collect();
        }
        self.hue = Some(FITTED.hue);
        self.add("fitted", FITTED, |x| scatter.at(slope, x));
    }
}

impl ScatterChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let keys = self.keys();
        let frame = self.frame(&keys);
        let (mut canvas, plots) = frame.draw();
        for (index, (panel, plot)) in self.panels.iter().zip(&plots).enumerate() {
            self.draw(&mut canvas, panel, plot);
            if plots.get(index + 1).is_none_or(|next| next.row > plot.row) {
                label(&mut canvas, plot.area, &tags(&keys, panel, plot));
            }
        }
        canvas.finish(&self.title, &self.describe())
    }

    /// Labels and looks of what is drawn, each once: the lines, then the clusters.
    fn keys(&self) -> Vec<(String, Look)> {
        let mut keys: Vec<(String, Look)> = Vec::new();
        for line in self.panels.iter().flat_map(|it| &it.lines) {
            let key = (line.label.clone(), line.look);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        if self.panels.iter().any(|it| !it.clusters.is_empty()) && !self.cluster.is_empty() {
            let look = Look { hue: Hue::Quiet, width: 0.5, dash: Dash::Solid, marker: None };
            keys.push((self.cluster.clone(), look));
        }
        keys
    }

    fn frame(&self, keys: &[(String, Look)]) -> Frame {
        let points = || self.panels.iter().flat_map(|it| &it.clusters).flatten();
        let span = |values: &mut dyn Iterator<Item = f64>| {
            values
                .filter(|it| it.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let (left, right) = span(&mut points().map(|it| it.0));
        let (low, high) = span(&mut points().map(|it| it.1));
        let room = if self.whole { 0.35 } else { 0.06 * (high - low).max(1e-9) };
        let axis =
            |label: &str, scale| Axis { label: label.to_owned(), scale, format: Format::Number };
        Frame {
            id: self.id.clone(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: axis(&self.x_label, Scale::new(Spread::Log, left, right)),
            y: axis(&self.y_label, Scale::new(Spread::Linear, low - room, high + room)),
            panels: self.panels.iter().map(|it| it.name.clone()).collect(),
            labels: keys.iter().map(|it| Tag::broken(&it.0)).collect(),
            names: Vec::new(),
        }
    }

    fn draw(&self, canvas: &mut Canvas, panel: &Cloud, plot: &Plot) {
        if panel.clusters.iter().all(Vec::is_empty) {
            let area = plot.area;
            let at = (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
            let (weight, anchor) = (Weight::Regular, Anchor::Middle);
            canvas.text("no values", at, Type { size: SMALL, weight, colour: QUIET, anchor });
        }
        let place = |k: usize, (x, y): (f64, f64)| plot.at((x, y + self.apart(k, panel)));
        let stroke = Stroke { colour: RULE, width: 0.5, dash: Dash::Solid };
        for (k, cluster) in panel.clusters.iter().enumerate() {
            let points: Vec<_> = cluster.iter().map(|it| place(k, *it)).collect();
            canvas.decoration(|canvas| cut_line(canvas, plot.area, &points, stroke));
        }
        for (k, cluster) in panel.clusters.iter().enumerate() {
            for point in cluster.iter().map(|it| place(k, *it)) {
                if clip::inside(point, plot.area) {
                    canvas.circle(point, DOT, Fill { colour: QUIET, opacity: 0.75 });
                }
            }
        }
        let fan: Vec<_> = panel
            .fan
            .iter()
            .map(|(x, low, high)| (plot.x.place(*x), plot.y.place(*low), plot.y.place(*high)))
            .collect();
        band(canvas, plot.area, &fan, panel.hue.unwrap_or(Hue::Ink).line());
        for line in &panel.lines {
            cut_line(canvas, plot.area, &course(line, plot), line.look.stroke());
        }
    }

    /// How far a cluster's dots are moved up.
    fn apart(&self, k: usize, panel: &Cloud) -> f64 {
        let share = (k as f64 + 0.5) / panel.clusters.len() as f64 - 0.5;
        if self.whole { 2.0 * APART * share } else { 0.0 }
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self) -> String {
        let told = self.panels.iter().map(|panel| {
            let points = panel.clusters.iter().flatten().count();
            let lines = panel.lines.iter().filter_map(|line| {
                let Course::Along(points) = &line.line else { return None };
                let (from, to) = (points.first()?, points.last()?);
                let [x, y, u, v] = [from.0, from.1, to.0, to.1];
                let [x, u] = [x, u].map(|it| number(it, 0));
                Some(format!(
                    "{} from {} at {x} to {} at {u}",
                    line.label,
                    number(y, 2),
                    number(v, 2)
                ))
            });
            let lines: Vec<String> = lines.collect();
            let name =
                if panel.name.is_empty() { String::new() } else { format!("{}: ", panel.name) };
            let lines =
                if lines.is_empty() { String::new() } else { format!("; {}", lines.join("; ")) };
            format!("{name}{points} points{lines}")
        });
        format!("{} along {}. {}.", self.y_label, self.x_label, told.collect::<Vec<_>>().join(". "))
    }
}

/// A line in pixels.
fn course(line: &Reference, plot: &Plot) -> Vec<(f64, f64)> {
    match &line.line {
        Course::Level(y) => {
            let y = plot.y.place(*y);
            vec![(plot.area.left, y), (plot.area.right, y)]
        }
        Course::Along(points) => points.iter().map(|it| plot.at(*it)).collect(),
    }
}

/// The labels, each at the end of its line.
fn tags(keys: &[(String, Look)], panel: &Cloud, plot: &Plot) -> Vec<Tag> {
    let end = |key: &(String, Look)| {
        let line = panel.lines.iter().find(|it| it.label == key.0 && it.look == key.1)?;
        clip::polyline(&course(line, plot), plot.area).last()?.last().copied()
    };
    let tag = |key: &(String, Look)| Tag { lines: Tag::broken(&key.0), look: key.1, end: end(key) };
    keys.iter().map(tag).collect()
}
