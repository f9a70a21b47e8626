//! Dots in named rows over one number, with their intervals as bars, groups of rows under a heading, and upright lines to
//! hold them against.

use std::fmt::Write as _;

use super::frame::{Axis, Frame, Plot};
use super::{Look, Marker, QUIET, SMALL, Tag, cut_line, label, mark};
use crate::report::axis::{Format, Scale, Spread, decimals, number, percent, rounded_out};
use crate::report::canvas::clip;
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Canvas, Dash, Stroke, Type, Weight};

/// Shares are shown over at least this range, so that Monte Carlo noise is not blown up.
const LEAST_RANGE: f64 = 0.05;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotChart {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure, the bars, the replicates.
    pub subtitle: String,
    /// What the number is.
    pub x_label: String,
    /// How it is written.
    pub format: Format,
    /// The least and the greatest number that can be; what lies outside is cut off.
    pub bounds: Option<(f64, f64)>,
    /// The rows under their headings.
    pub groups: Vec<Group>,
    /// The upright lines: where, their names and looks.
    pub references: Vec<(f64, String, Look)>,
    /// What the looks of the dots say.
    pub keys: Vec<(String, Look)>,
}

/// Rows under a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The heading; none if empty.
    pub name: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its dots; a row without any says so.
    pub dots: Vec<Dot>,
}

/// A number with its interval. What is not finite is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The number.
    pub x: f64,
    /// The lower end of its interval; NaN for none.
    pub low: f64,
    /// The upper end of its interval; NaN for none.
    pub high: f64,
    /// Its colour and marker.
    pub look: Look,
}

impl DotChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let frame = self.frame();
        let (mut canvas, plots) = frame.draw();
        for plot in &plots {
            self.draw_references(&mut canvas, plot);
            self.draw_rows(&mut canvas, plot, frame.names.len());
            let keys = self.used().zip(&frame.labels);
            let tags: Vec<Tag> = keys
                .map(|((_, look), lines)| Tag { lines: lines.clone(), look: *look, end: None })
                .collect();
            label(&mut canvas, plot.area, &tags);
        }
        canvas.finish(&self.title, &self.describe())
    }

    fn frame(&self) -> Frame {
        let mut names = Vec::new();
        for group in &self.groups {
            if !group.name.is_empty() {
                names.push((group.name.clone(), Weight::Bold));
            }
            names.extend(group.rows.iter().map(|row| (row.name.clone(), Weight::Regular)));
        }
        if names.is_empty() {
            names.push(("no values".to_owned(), Weight::Regular));
        }
        let (low, high) = self.range();
        Frame {
            id: self.id.clone(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: Axis {
                label: self.x_label.clone(),
                scale: Scale::new(Spread::Linear, low, high),
                format: self.format,
            },
            y: Axis {
                label: String::new(),
                scale: Scale::new(Spread::Linear, 0.0, names.len() as f64),
                format: Format::Number,
            },
            panels: vec![String::new()],
            labels: self.used().map(|(name, _)| Tag::broken(name)).collect(),
            names,
        }
    }

    /// The keys of the looks that some dot has.
    fn used(&self) -> impl Iterator<Item = &(String, Look)> {
        let dots = || self.groups.iter().flat_map(|it| &it.rows).flat_map(|it| &it.dots);
        self.keys.iter().filter(move |key| dots().any(|dot| dot.look == key.1))
    }

    /// The range of numbers to show: wide enough, rounded outward, within the bounds.
    fn range(&self) -> (f64, f64) {
        let (floor, roof) = self.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let dots = self.groups.iter().flat_map(|it| &it.rows).flat_map(|it| &it.dots);
        let all = dots.flat_map(|it| [it.x, it.low, it.high]);
        let all = all.chain(self.references.iter().map(|it| it.0));
        let all = all.filter(|x| x.is_finite() && (floor..=roof).contains(x));
        let (low, high) = all
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (x.min(low), x.max(high)));
        if high < low {
            return self.bounds.unwrap_or((0.0, 1.0));
        }
        let more = ((LEAST_RANGE - (high - low)) / 2.0).max(0.0);
        let (low, high) = rounded_out((low - more).max(floor), (high + more).min(roof), 6);
        (low.max(floor), high.min(roof))
    }

    /// The upright lines, their names above them where they do not touch.
    fn draw_references(&self, canvas: &mut Canvas, plot: &Plot) {
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (x, name, look) in &self.references {
            let x = plot.x.place(*x);
            let ends = [(x, plot.area.top - 4.0), (x, plot.area.bottom)];
            if !(plot.area.left..=plot.area.right).contains(&x) {
                continue;
            }
            canvas.line(ends[0], ends[1], look.stroke());
            let half = words::width(name, SMALL, Weight::Bold) / 2.0;
            let middle = x.min(plot.area.right - half).max(plot.area.left + half);
            if taken.iter().all(|it| middle + half + 8.0 < it.0 || it.1 + 8.0 < middle - half) {
                let (weight, colour) = (Weight::Bold, look.hue.text());
                let kind = Type { size: SMALL, weight, colour, anchor: Anchor::Middle };
                canvas.text(name, (middle, plot.area.top - 9.0), kind);
                taken.push((middle - half, middle + half));
            }
        }
    }

    fn draw_rows(&self, canvas: &mut Canvas, plot: &Plot, names: usize) {
        let mut k = 0;
        for group in &self.groups {
            k += usize::from(!group.name.is_empty());
            for row in &group.rows {
                let y = plot.y.place((names - k) as f64 - 0.5);
                k += 1;
                if row.dots.iter().all(|it| !it.x.is_finite()) {
                    let at = (f64::midpoint(plot.area.left, plot.area.right), y + 4.1);
                    let (weight, anchor) = (Weight::Regular, Anchor::Middle);
                    canvas.text(
                        "no value",
                        at,
                        Type { size: SMALL, weight, colour: QUIET, anchor },
                    );
                }
                for dot in &row.dots {
                    self.draw_dot(canvas, plot, y, (&row.name, dot));
                }
            }
        }
    }

    fn draw_dot(&self, canvas: &mut Canvas, plot: &Plot, y: f64, (name, dot): (&str, &Dot)) {
        let [x, low, high] = [dot.x, dot.low, dot.high].map(|it| plot.x.place(it));
        let colour = dot.look.hue.line();
        let stroke = Stroke { colour, width: 1.6, dash: Dash::Solid };
        cut_line(canvas, plot.area, &[(low, y), (high, y)], stroke);
        if clip::inside((x, y), plot.area) {
            let note = format!("{name}: {}", self.told(dot));
            canvas.noted(&note, |canvas| {
                mark(canvas, dot.look.marker.unwrap_or(Marker::Circle), (x, y), colour);
            });
        }
    }

    /// A dot in numbers.
    fn told(&self, dot: &Dot) -> String {
        let text = |x: f64| match self.format {
            Format::Percent => percent(x, 1),
            Format::Number => number(x, decimals(libm::rint(x * 1e3) / 1e3)),
        };
        let mut out = text(dot.x);
        if dot.low.is_finite() && dot.high.is_finite() {
            // Writing to a string cannot fail.
            let _ = write!(out, " ({} to {})", text(dot.low), text(dot.high));
        }
        out
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self) -> String {
        let mut sentences = Vec::new();
        for group in &self.groups {
            let told = group.rows.iter().map(|row| {
                let dots: Vec<String> = row.dots.iter().map(|it| self.told(it)).collect();
                let dots = if dots.is_empty() { "no value".to_owned() } else { dots.join(", ") };
                format!("{} {dots}", row.name)
            });
            let told = told.collect::<Vec<_>>().join("; ");
            let named = !group.name.is_empty();
            sentences.push(if named { format!("{}: {told}", group.name) } else { told });
        }
        format!("{}. {}.", self.x_label, sentences.join(". "))
    }
}

#[cfg(test)]
mod tests;
