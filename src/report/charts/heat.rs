//! The map of the power over two numbers: a cell with its value for every design, and the contour of the target, drawn
//! through exact powers between the cells.

mod contour;
mod ramp;
mod room;

use super::heading::{self, MARGIN, TITLE};
use super::{GRID, INK, PAPER, QUIET, RULE, SMALL};
use crate::report::axis::percent;
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Canvas, Colour, Dash, Fill, Stroke, Type, Weight};
use contour::contour;
use ramp::{ON_DARK, ON_LIGHT, colour, is_light};
use room::{free_place, roomiest};

const NUMBERS: f64 = 11.5;
/// The width of the colour bar and its distance from the map, in pixels.
const BAR: f64 = 16.0;
const BAR_GAP: f64 = 34.0;
/// Cells narrower or lower than this hold no number, in pixels.
const LEAST_CELL: (f64, f64) = (30.0, 17.0);
/// Steps of the colour bar.
const STEPS: u32 = 50;

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure, the test, the replicates.
    pub subtitle: String,
    /// The number along the bottom.
    pub x: Side,
    /// The number along the left.
    pub y: Side,
    /// Powers at the cells, the lowest row first; none where there is none.
    pub cells: Vec<Vec<Option<f64>>>,
    /// What is said of each cell under the pointer.
    pub notes: Vec<Vec<String>>,
    /// Powers between the cells, through which the contour is drawn.
    pub mesh: Mesh,
    /// The power whose contour is drawn, 0 to 1.
    pub target: f64,
}

/// A number that varies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// What it is.
    pub label: String,
    /// Its values, rising.
    pub values: Vec<f64>,
    /// The values as they are written.
    pub texts: Vec<String>,
    /// Whether equal ratios are equally far apart between two values.
    pub by_ratio: bool,
}

/// Powers on a grid that is finer than the cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Rising.
    pub x: Vec<f64>,
    /// Rising.
    pub y: Vec<f64>,
    /// The powers, those of the first `y` first.
    pub powers: Vec<f64>,
}

impl Side {
    /// The place of a number in cells: 0 at the centre of the first, 1 at that of the second.
    fn place(&self, x: f64) -> f64 {
        let values = &self.values;
        if values.len() < 2 {
            return 0.0;
        }
        let k = values.partition_point(|it| *it <= x).clamp(1, values.len() - 1) - 1;
        let (from, to) = (values[k], values[k + 1]);
        let share = if self.by_ratio && 0.0 < from && 0.0 < x {
            libm::log(x / from) / libm::log(to / from)
        } else {
            (x - from) / (to - from)
        };
        k as f64 + share
    }
}

/// The measures of the picture in pixels.
struct Layout {
    title: Vec<String>,
    subtitle: Vec<String>,
    map: Area,
    /// Width and height of a cell.
    cell: (f64, f64),
    size: (f64, f64),
    /// The baseline of the name of the left side.
    y_name: f64,
}

impl Layout {
    /// The rectangle of a cell by column and row, the lowest row first.
    fn cell(&self, column: usize, row: usize) -> Area {
        let left = self.map.left + self.cell.0 * column as f64;
        let bottom = self.map.bottom - self.cell.1 * row as f64;
        Area { left, right: left + self.cell.0, top: bottom - self.cell.1, bottom }
    }

    /// The pixels of a place in cells.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.map.left + self.cell.0 * (x + 0.5), self.map.bottom - self.cell.1 * (y + 0.5))
    }
}

impl HeatMap {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let layout = self.layout();
        let mut canvas = Canvas::new(&self.id, layout.size.0, layout.size.1);
        let ground = Area { left: 0.0, top: 0.0, right: layout.size.0, bottom: layout.size.1 };
        canvas.rect(ground, Fill { colour: PAPER, opacity: 1.0 });
        self.write_head(&mut canvas, &layout);
        self.draw_cells(&mut canvas, &layout);
        self.draw_sides(&mut canvas, &layout);
        let label = self.draw_contour(&mut canvas, &layout);
        self.write_numbers(&mut canvas, &layout, label);
        self.draw_bar(&mut canvas, &layout);
        canvas.finish(&self.title, &self.describe())
    }

    fn layout(&self) -> Layout {
        let columns = self.x.values.len().max(1) as f64;
        let rows = self.y.values.len().max(1) as f64;
        let widest = |texts: &[String]| {
            let widths = texts.iter().map(|it| words::width(it, NUMBERS, Weight::Regular));
            widths.fold(0.0, f64::max)
        };
        let wide = (560.0 / columns).clamp(6.0, 84.0).max((widest(&self.x.texts) + 8.0).min(120.0));
        let high = (380.0 / rows).clamp(6.0, 46.0);
        let left = MARGIN + widest(&self.y.texts).min(150.0) + 9.0;
        let map_wide = wide * columns;
        let bar = BAR_GAP + BAR + 50.0;
        let width = (left + map_wide + bar + MARGIN).max(520.0);
        let room = width - 2.0 * MARGIN;
        let title = words::wrap(&self.title, TITLE, Weight::Bold, room, 4);
        let subtitle = words::wrap(&self.subtitle, SMALL, Weight::Regular, room, 6);
        let head = heading::height(&title, &subtitle);
        let y_name = MARGIN + head + 28.0;
        let top = y_name + 10.0;
        let map = Area { left, top, right: left + map_wide, bottom: top + high * rows };
        let size = (width, map.bottom + 30.0 + 18.0 + MARGIN - 8.0);
        Layout { title, subtitle, map, cell: (wide, high), size, y_name }
    }

    fn write_head(&self, canvas: &mut Canvas, layout: &Layout) {
        let mut kind = heading::write(canvas, &layout.title, &layout.subtitle);
        let room = layout.size.0 - 2.0 * MARGIN;
        for line in words::wrap(&self.y.label, SMALL, Weight::Regular, room, 1) {
            canvas.text(&line, (MARGIN, layout.y_name), kind);
        }
        kind.anchor = Anchor::Middle;
        let middle = f64::midpoint(layout.map.left, layout.map.right);
        for line in words::wrap(&self.x.label, SMALL, Weight::Regular, room, 1) {
            canvas.text(&line, (middle, layout.map.bottom + 40.0), kind);
        }
    }

    /// A coloured rectangle for every cell, explained under the pointer.
    fn draw_cells(&self, canvas: &mut Canvas, layout: &Layout) {
        for (row, values) in self.cells.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let fill = value.filter(|it| it.is_finite()).map_or(GRID, colour);
                let note = self.notes.get(row).and_then(|row| row.get(column));
                canvas.noted(note.map_or("", |it| it.as_str()), |canvas| {
                    canvas.rect(layout.cell(column, row), Fill { colour: fill, opacity: 1.0 });
                });
            }
        }
    }

    /// The power of every cell in per cent, where cells are large enough, out of the way of the contour and its label.
    fn write_numbers(&self, canvas: &mut Canvas, layout: &Layout, label: Option<Area>) {
        if layout.cell.0 < LEAST_CELL.0 || layout.cell.1 < LEAST_CELL.1 {
            return;
        }
        let lines = self.contours(layout);
        for (row, values) in self.cells.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let (ink, text) = match value.filter(|it| it.is_finite()) {
                    Some(it) if is_light(it) => (ON_LIGHT, whole_percent(it)),
                    Some(it) => (ON_DARK, whole_percent(it)),
                    None => (QUIET, "\u{2013}".to_owned()),
                };
                let half = words::width(&text, NUMBERS, Weight::Regular) / 2.0 + 3.0;
                let at = free_place(layout.cell(column, row), half, &lines, label);
                let (weight, anchor) = (Weight::Regular, Anchor::Middle);
                let kind = Type { size: NUMBERS, weight, colour: ink, anchor };
                canvas.text(&text, (at.0, at.1 + 4.1), kind);
            }
        }
    }

    /// The values along the bottom and the left; where they do not fit, every second, third, ... of them.
    fn draw_sides(&self, canvas: &mut Canvas, layout: &Layout) {
        let kind = |anchor| Type { size: NUMBERS, weight: Weight::Regular, colour: QUIET, anchor };
        let widths = self.x.texts.iter().map(|it| words::width(it, NUMBERS, Weight::Regular));
        let every = steps((widths.fold(0.0, f64::max) + 6.0) / layout.cell.0);
        for (k, text) in self.x.texts.iter().enumerate().step_by(every) {
            let x = layout.at((k as f64, 0.0)).0;
            tick(canvas, (x, layout.map.bottom), (x, layout.map.bottom + 4.0));
            for line in words::wrap(text, NUMBERS, Weight::Regular, 114.0, 1) {
                canvas.text(&line, (x, layout.map.bottom + 18.0), kind(Anchor::Middle));
            }
        }
        let every = steps(15.0 / layout.cell.1);
        for (k, text) in self.y.texts.iter().enumerate().step_by(every) {
            let y = layout.at((0.0, k as f64)).1;
            tick(canvas, (layout.map.left - 4.0, y), (layout.map.left, y));
            for line in words::wrap(text, NUMBERS, Weight::Regular, 150.0, 1) {
                canvas.text(&line, (layout.map.left - 8.0, y + 4.1), kind(Anchor::End));
            }
        }
    }

    /// The lines on which the power is the target, in pixels.
    fn contours(&self, layout: &Layout) -> Vec<Vec<(f64, f64)>> {
        let xs: Vec<f64> = self.mesh.x.iter().map(|x| self.x.place(*x)).collect();
        let ys: Vec<f64> = self.mesh.y.iter().map(|y| self.y.place(*y)).collect();
        let lines = contour(&xs, &ys, &self.mesh.powers, self.target);
        lines.into_iter().map(|line| line.into_iter().map(|it| layout.at(it)).collect()).collect()
    }

    /// Draws the contour and its label, and hands back where the label stands.
    fn draw_contour(&self, canvas: &mut Canvas, layout: &Layout) -> Option<Area> {
        let lines = self.contours(layout);
        for (colour, width) in [(PAPER, 5.0), (INK, 2.2)] {
            for line in &lines {
                super::cut_line(
                    canvas,
                    layout.map,
                    line,
                    Stroke { colour, width, dash: Dash::Solid },
                );
            }
        }
        let text = percent(self.target, 0);
        let wide = words::width(&text, SMALL, Weight::Bold) + 10.0;
        let at = roomiest(&lines, (layout.map, layout.cell), wide)?;
        let area = Area {
            left: at.0 - wide / 2.0,
            right: at.0 + wide / 2.0,
            top: at.1 - 9.0,
            bottom: at.1 + 9.0,
        };
        canvas.rect(area, Fill { colour: PAPER, opacity: 1.0 });
        let (weight, anchor) = (Weight::Bold, Anchor::Middle);
        let kind = Type { size: SMALL, weight, colour: INK, anchor };
        canvas.text(&text, (at.0, at.1 + 4.3), kind);
        Some(area)
    }

    /// The colour bar at the right, with the target marked.
    fn draw_bar(&self, canvas: &mut Canvas, layout: &Layout) {
        let Area { right, top, bottom, .. } = layout.map;
        let (left, bar_right) = (right + BAR_GAP, right + BAR_GAP + BAR);
        let y = |share: f64| bottom - share * (bottom - top);
        canvas.decoration(|canvas| {
            for k in 0..STEPS {
                let (from, to) = (f64::from(k), f64::from(k + 1));
                let steps = f64::from(STEPS);
                // Each step reaches under the next, so that no seam shows.
                let over = if k + 1 < STEPS { 1.0 } else { 0.0 };
                let area = Area {
                    left,
                    right: bar_right,
                    top: y(to / steps) - over,
                    bottom: y(from / steps),
                };
                let fill = colour((from + 0.5) / steps);
                canvas.rect(area, Fill { colour: fill, opacity: 1.0 });
            }
        });
        let bold = |at: f64| (at - self.target).abs() < 1e-9;
        let few = bottom - top < 90.0;
        let ticks = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].into_iter().enumerate();
        let ticks = ticks.filter(|it| !few || it.0 == 0 || it.0 == 5).map(|it| it.1);
        for share in ticks {
            tick(canvas, (bar_right, y(share)), (bar_right + 4.0, y(share)));
            let (weight, ink) =
                if bold(share) { (Weight::Bold, INK) } else { (Weight::Regular, QUIET) };
            let kind = Type { size: NUMBERS, weight, colour: ink, anchor: Anchor::Start };
            canvas.text(&percent(share, 0), (bar_right + 8.0, y(share) + 4.1), kind);
        }
        let stroke = Stroke { colour: INK, width: 2.2, dash: Dash::Solid };
        canvas.line((left - 3.0, y(self.target)), (bar_right + 4.0, y(self.target)), stroke);
        let kind =
            Type { size: NUMBERS, weight: Weight::Regular, colour: INK, anchor: Anchor::Start };
        canvas.text("power", (left, layout.y_name), kind);
    }

    /// What the picture shows, in numbers, for those who do not see it.
    fn describe(&self) -> String {
        let corner = |row: Option<&Vec<Option<f64>>>, last: bool| {
            let value = row.and_then(|row| if last { row.last() } else { row.first() });
            value.copied().flatten().map_or_else(|| "no value".to_owned(), |it| percent(it, 1))
        };
        let [first, last] = [self.cells.first(), self.cells.last()];
        let end = |side: &Side, last: bool| {
            let text = if last { side.texts.last() } else { side.texts.first() };
            text.cloned().unwrap_or_default()
        };
        let told: Vec<String> = [(false, false), (true, false), (false, true), (true, true)]
            .into_iter()
            .map(|(right, upper)| {
                let value = corner(if upper { last } else { first }, right);
                format!("{value} at {} and {}", end(&self.x, right), end(&self.y, upper))
            })
            .collect();
        format!("Power over {} and {}: {}.", self.x.label, self.y.label, told.join(", "))
    }
}

/// Every how many labels are written, given how many cells one takes.
fn steps(cells: f64) -> usize {
    (1..64_usize).find(|every| cells <= *every as f64).unwrap_or(64)
}

/// A power in whole per cent, but never one that it has not reached: 99.7 % is no 100, nor is 79.6 % 80.
fn whole_percent(power: f64) -> String {
    let shown = libm::floor(100.0 * power + 1e-9);
    format!("{shown:.0}")
}

fn tick(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64)) {
    let stroke = Stroke { colour: RULE, width: 1.0, dash: Dash::Solid };
    canvas.decoration(|canvas| canvas.line(from, to, stroke));
}

/// A colour that is the same on light and on dark screens.
const fn fixed(r: u8, g: u8, b: u8) -> Colour {
    Colour { light: (r, g, b), dark: (r, g, b) }
}

#[cfg(test)]
mod tests;
