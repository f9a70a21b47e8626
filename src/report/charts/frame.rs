//! The frame of a line chart: title, subtitle, one plot or several of equal size with their grid
//! and axes, and room at the right for labels.

use super::heading::{self, MARGIN, TITLE};
use super::{GRID, INK, PAPER, QUIET, RULE, SMALL, Tag};
use crate::report::axis::{Format, Scale, spacing};
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Canvas, Colour, Dash, Fill, Stroke, Type, Weight};

/// Font size of the numbers along the axes, in pixels.
const NUMBERS: f64 = 11.5;
/// Between plots that stand side by side, in pixels.
const BETWEEN: f64 = 26.0;
/// Between the edge of a plot and the outermost values, so that markers are not cut, in pixels.
const PAD: f64 = 14.0;
/// The height of a named row, in pixels.
const ROW: f64 = 21.0;
/// The most room that the name of a row takes up, in pixels.
const NAME: f64 = 250.0;
/// At most so many plots stand side by side.
const MOST_COLUMNS: usize = 3;

/// An axis: what it shows, over which range, and how its numbers are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// The range of values.
    pub scale: Scale,
    /// How the numbers are written.
    pub format: Format,
}

/// What stands around the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Names the picture within a page.
    pub id: String,
    /// The finding.
    pub title: String,
    /// The measure, the band, the number of replicates.
    pub subtitle: String,
    /// The axis along the bottom, shared by all plots.
    pub x: Axis,
    /// The axis at the left, shared by all plots.
    pub y: Axis,
    /// The names of the plots; one empty name for a single plot without.
    pub panels: Vec<String>,
    /// The labels to be written at the right, broken into lines.
    pub labels: Vec<Vec<String>>,
    /// Names of rows along the left in place of numbers, from top to bottom, with their weights; the y axis then runs from
    /// 0 at the bottom to the number of names.
    pub names: Vec<(String, Weight)>,
}

/// One plot within the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// Its rectangle.
    pub area: Area,
    /// From values to pixels, rightward.
    pub x: Scale,
    /// From values to pixels, upward.
    pub y: Scale,
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
}

impl Plot {
    /// The pixels of a value; not finite where an axis has no place for it.
    #[must_use]
    pub fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }
}

/// The measures of the whole picture in pixels.
struct Layout {
    title: Vec<String>,
    subtitle: Vec<String>,
    width: f64,
    height: f64,
    /// The top of the first row's names.
    top: f64,
    plots: Vec<Area>,
    columns: usize,
}

impl Frame {
    /// Draws the frame and hands back the sheet with the plots to be filled, in the order of their
    /// names.
    #[must_use]
    pub fn draw(&self) -> (Canvas, Vec<Plot>) {
        let layout = self.layout();
        let mut canvas = Canvas::new(&self.id, layout.width, layout.height);
        let ground = Area { left: 0.0, top: 0.0, right: layout.width, bottom: layout.height };
        canvas.rect(ground, Fill { colour: PAPER, opacity: 1.0 });
        self.write_head(&mut canvas, &layout);
        let mut plots = Vec::new();
        for (index, (name, &area)) in self.panels.iter().zip(&layout.plots).enumerate() {
            let plot = Plot {
                area,
                x: self.x.scale.onto(area.left + PAD, area.right - PAD),
                y: self.y.scale.onto(area.bottom, area.top),
                row: index / layout.columns,
                column: index % layout.columns,
            };
            let kind =
                Type { size: SMALL, weight: Weight::Bold, colour: INK, anchor: Anchor::Start };
            for line in words::wrap(name, SMALL, Weight::Bold, area.right - area.left, 1) {
                canvas.text(&line, (area.left, area.top - 10.0), kind);
            }
            self.draw_y(&mut canvas, &plot);
            self.draw_x(&mut canvas, &plot);
            plots.push(plot);
        }
        (canvas, plots)
    }

    /// Fits everything together.
    fn layout(&self) -> Layout {
        let count = self.panels.len().max(1);
        let rows = count.div_ceil(MOST_COLUMNS);
        let columns = count.div_ceil(rows);
        let (wide, high) = match (columns, rows) {
            (1, 1) => (560.0, 350.0),
            (2, 1) => (310.0, 320.0),
            (2, _) => (310.0, 230.0),
            (_, 1) => (225.0, 300.0),
            _ => (225.0, 210.0),
        };
        // Labels that need more room than the plot is high make it higher.
        let labels: f64 = self.labels.iter().map(|lines| Tag::height(lines.len())).sum();
        let high = if self.names.is_empty() { high } else { ROW * self.names.len() as f64 };
        let high = labels.max(high);
        let left = MARGIN + self.widest_y_number() + 9.0;
        let across = wide * columns as f64 + BETWEEN * (columns as f64 - 1.0);
        let width = left + across + Tag::column(&self.labels) + MARGIN;
        let room = width - 2.0 * MARGIN;
        let title = words::wrap(&self.title, TITLE, Weight::Bold, room, 4);
        let subtitle = words::wrap(&self.subtitle, SMALL, Weight::Regular, room, 6);
        let head = heading::height(&title, &subtitle);
        let axis_name = if self.y.label.is_empty() { 0.0 } else { 26.0 };
        let top = MARGIN + head + 10.0 + axis_name;
        let bare = self.panels.iter().all(String::is_empty) && self.names.is_empty();
        let name = if bare { 6.0 } else { 28.0 };
        let below = 30.0;
        let place = |index: usize| {
            let (row, column) = ((index / columns) as f64, (index % columns) as f64);
            let left = left + column * (wide + BETWEEN);
            let top = top + name + row * (name + high + below);
            Area { left, top, right: left + wide, bottom: top + high }
        };
        let x_name = if self.x.label.is_empty() { 0.0 } else { 16.0 };
        let height = top + rows as f64 * (name + high + below) + x_name + MARGIN - 14.0;
        let plots = (0..count).map(place).collect();
        Layout { title, subtitle, width, height, top, plots, columns }
    }

    /// The width in pixels of the widest number or name along the left.
    fn widest_y_number(&self) -> f64 {
        if !self.names.is_empty() {
            let names = self.names.iter();
            let widths = names.map(|(name, weight)| words::width(name, SMALL, *weight).min(NAME));
            return widths.fold(0.0, f64::max);
        }
        let ticks = self.y.scale.ticks(6);
        let step = spacing(&ticks);
        let numbers = ticks.iter().map(|tick| self.y.format.label(*tick, step));
        numbers.map(|text| words::width(&text, NUMBERS, Weight::Regular)).fold(0.0, f64::max)
    }

    /// Title, subtitle and the names of both axes.
    fn write_head(&self, canvas: &mut Canvas, layout: &Layout) {
        let mut kind = heading::write(canvas, &layout.title, &layout.subtitle);
        let room = layout.width - 2.0 * MARGIN;
        for line in words::wrap(&self.y.label, SMALL, Weight::Regular, room, 1) {
            canvas.text(&line, (MARGIN, layout.top - 8.0), kind);
        }
        let left = layout.plots.iter().map(|area| area.left).fold(f64::INFINITY, f64::min);
        let right = layout.plots.iter().map(|area| area.right).fold(0.0, f64::max);
        kind = Type { anchor: Anchor::Middle, ..kind };
        for line in words::wrap(&self.x.label, SMALL, Weight::Regular, right - left, 1) {
            let at = (f64::midpoint(left, right), layout.height - MARGIN + 8.0);
            canvas.text(&line, at, kind);
        }
    }

    /// Horizontal grid lines, and the numbers beside the first plot of a row.
    fn draw_y(&self, canvas: &mut Canvas, plot: &Plot) {
        if !self.names.is_empty() {
            return self.draw_names(canvas, plot);
        }
        let ticks = self.y.scale.ticks(6);
        let step = spacing(&ticks);
        let kind = numbers(Anchor::End);
        for tick in ticks {
            let y = plot.y.place(tick);
            let stroke = hairline(GRID);
            canvas.decoration(|canvas| {
                canvas.line((plot.area.left, y), (plot.area.right, y), stroke);
            });
            if plot.column == 0 {
                let text = self.y.format.label(tick, step);
                canvas.text(&text, (plot.area.left - 9.0, y + 4.1), kind);
            }
        }
    }

    /// The names of rows, each with a faint line through its row; headings stand to the left and have none.
    fn draw_names(&self, canvas: &mut Canvas, plot: &Plot) {
        let Area { left, right, .. } = plot.area;
        for (k, (name, weight)) in self.names.iter().enumerate() {
            let y = plot.y.place((self.names.len() - k) as f64 - 0.5);
            let heading = *weight == Weight::Bold;
            let (anchor, x) = if heading {
                (Anchor::Start, MARGIN)
            } else {
                let stroke = hairline(GRID);
                canvas.decoration(|canvas| canvas.line((left, y), (right, y), stroke));
                (Anchor::End, left - 9.0)
            };
            let kind = Type { size: SMALL, weight: *weight, colour: INK, anchor };
            let room = if heading { right - MARGIN } else { NAME };
            for line in words::wrap(name, SMALL, *weight, room, 1) {
                canvas.text(&line, (x, y + 4.1), kind);
            }
        }
    }

    /// The line along the bottom with its ticks and numbers.
    fn draw_x(&self, canvas: &mut Canvas, plot: &Plot) {
        let Area { left, right, bottom, .. } = plot.area;
        let ticks = self.x_ticks(right - left);
        let step = spacing(&ticks);
        let stroke = hairline(RULE);
        canvas.decoration(|canvas| {
            canvas.line((left, bottom), (right, bottom), stroke);
            for &tick in &ticks {
                let x = plot.x.place(tick);
                canvas.line((x, bottom), (x, bottom + 5.0), stroke);
            }
        });
        for &tick in &ticks {
            let text = self.x.format.label(tick, step);
            canvas.text(&text, (plot.x.place(tick), bottom + 19.0), numbers(Anchor::Middle));
        }
    }

    /// As many round numbers as stand side by side without touching.
    fn x_ticks(&self, room: f64) -> Vec<f64> {
        let mut best = Vec::new();
        for wanted in 2..=6 {
            let ticks = self.x.scale.ticks(wanted);
            let step = spacing(&ticks);
            let numbers = ticks.iter().map(|tick| self.x.format.label(*tick, step));
            let widest = numbers
                .map(|text| words::width(&text, NUMBERS, Weight::Regular))
                .fold(24.0, f64::max);
            if best.is_empty() || (widest + 16.0) * ticks.len() as f64 <= room {
                best = ticks;
            }
        }
        best
    }
}

/// The type of the numbers along an axis.
fn numbers(anchor: Anchor) -> Type {
    Type { size: NUMBERS, weight: Weight::Regular, colour: QUIET, anchor }
}

/// A line of one pixel.
fn hairline(colour: Colour) -> Stroke {
    Stroke { colour, width: 1.0, dash: Dash::Solid }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::axis::Spread;

    fn frame(panels: usize, labels: usize, x: (f64, f64)) -> Frame {
        let axis = |low, high, format| Axis {
            label: "axis".to_owned(),
            scale: Scale::new(Spread::Linear, low, high),
            format,
        };
        Frame {
            id: String::new(),
            title: "title".to_owned(),
            subtitle: String::new(),
            x: axis(x.0, x.1, Format::Number),
            y: axis(0.0, 1.0, Format::Percent),
            panels: (0..panels).map(|index| format!("plot {index}")).collect(),
            labels: vec![vec!["label".to_owned()]; labels],
            names: Vec::new(),
        }
    }

    #[test]
    fn plots_fill_rows_of_at_most_three_and_share_their_axes() {
        for (count, rows, columns) in [(1, 1, 1), (3, 1, 3), (4, 2, 2), (5, 2, 3), (7, 3, 3)] {
            let (_, plots) = frame(count, 2, (0.0, 2.0)).draw();
            assert_eq!(plots.len(), count);
            let last = plots.iter().map(|plot| (plot.row, plot.column)).max();
            assert_eq!(last, Some((rows - 1, (count - 1) % columns)));
            for pair in plots.windows(2).filter(|pair| pair[0].row == pair[1].row) {
                assert_eq!(pair[0].at((1.0, 0.3)).1, pair[1].at((1.0, 0.3)).1);
                assert!(pair[0].area.right < pair[1].area.left);
            }
        }
    }

    #[test]
    fn many_labels_make_the_plots_higher() {
        let height = |labels| {
            let (_, plots) = frame(1, labels, (0.0, 2.0)).draw();
            plots[0].area.bottom - plots[0].area.top
        };
        assert_eq!(height(3), height(8));
        assert!(height(60) >= 60.0 * Tag::height(1));
    }

    #[test]
    fn numbers_along_the_bottom_keep_apart() {
        let narrow = frame(3, 2, (0.0, 2_000_000.0));
        let ticks = narrow.x_ticks(225.0);
        let step = spacing(&ticks);
        let widths = ticks
            .iter()
            .map(|tick| words::width(&Format::Number.label(*tick, step), NUMBERS, Weight::Regular));
        assert!(ticks.len() >= 2 && widths.fold(0.0, f64::max) * (ticks.len() as f64) < 225.0);
        assert!(frame(1, 2, (0.0, 2.0)).x_ticks(560.0).len() > ticks.len());
    }
}
