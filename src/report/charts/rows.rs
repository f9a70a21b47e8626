//! Charts of named rows: at the left a name, in the middle what is drawn over one scale, at the right the numbers in words.
//!
//! The rows grow with what they hold, so that long names and reasons never touch their neighbours.

use super::{GRID, INK, LEADING, PAPER, QUIET, RULE, SMALL};
use crate::report::axis::{Format, Scale, spacing};
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Canvas, Dash, Fill, Stroke, Type, Weight};

/// Blank margin around the picture, in pixels.
const MARGIN: f64 = 24.0;
/// Font size of the title, in pixels.
const TITLE: f64 = 17.0;
/// The least and the most width of the column of names, in pixels.
const NAMES: (f64, f64) = (110.0, 250.0);
/// Width of the plot, in pixels.
const PLOT: f64 = 440.0;
/// Width of the column of numbers, in pixels.
const NUMBERS: f64 = 250.0;
/// Between the columns, in pixels.
const BETWEEN: f64 = 16.0;
/// Between the edge of the plot and the outermost values, in pixels.
const PAD: f64 = 10.0;
/// Height of the line of keys, in pixels.
const KEY: f64 = 22.0;

/// What stands around the rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet<'a> {
    /// Names the picture within a page.
    pub(super) id: &'a str,
    /// The finding.
    pub(super) title: &'a str,
    /// The measure, the intervals.
    pub(super) subtitle: &'a str,
    /// What is measured along the bottom.
    pub(super) x_label: &'a str,
    /// The range of the values.
    pub(super) scale: Scale,
    /// How they are written.
    pub(super) format: Format,
    /// What the looks say; as wide as their text and a sample of it.
    pub(super) keys: Vec<&'a str>,
    /// Name and numbers of each row.
    pub(super) rows: Vec<(&'a str, Vec<String>)>,
}

/// A sheet with its rows, to be drawn on.
#[derive(Debug)]
pub(super) struct Rows {
    /// The sheet.
    pub(super) canvas: Canvas,
    /// From values to pixels.
    pub(super) x: Scale,
    /// The plot of all rows.
    pub(super) area: Area,
    /// The room of each row.
    pub(super) rooms: Vec<Area>,
    /// The left edge and the middle of the sample of each key.
    pub(super) keys: Vec<(f64, f64)>,
}

/// Width of the sample before a key, in pixels.
pub(super) const SAMPLE: f64 = 26.0;

fn kind(anchor: Anchor) -> Type {
    Type { size: SMALL, weight: Weight::Regular, colour: INK, anchor }
}

impl Sheet<'_> {
    /// Draws what stands around the rows.
    pub(super) fn draw(&self) -> Rows {
        let widest = self.rows.iter().map(|it| words::width(it.0, SMALL, Weight::Bold));
        let named = widest.fold(NAMES.0, f64::max).min(NAMES.1);
        let width = 2.0 * MARGIN + named + PLOT + NUMBERS + 2.0 * BETWEEN;
        let room = width - 2.0 * MARGIN;
        let title = words::wrap(self.title, TITLE, Weight::Bold, room, 3);
        let subtitle = words::wrap(self.subtitle, SMALL, Weight::Regular, room, 4);
        let keys = self.places(room);
        let head = 23.0 * title.len() as f64 + 17.0 * subtitle.len() as f64;
        let lines_of_keys = keys.last().map_or(0.0, |it| it.1 + 1.0);
        let top = MARGIN + head + KEY * lines_of_keys + 12.0;
        let names: Vec<Vec<String>> =
            self.rows.iter().map(|it| words::wrap(it.0, SMALL, Weight::Bold, named, 3)).collect();
        let numbers: Vec<Vec<String>> = self.rows.iter().map(|it| broken(&it.1)).collect();
        let left = MARGIN + named + BETWEEN;
        let mut y = top;
        let mut rows = Vec::new();
        for (name, numbers) in names.iter().zip(&numbers) {
            let lines = name.len().max(numbers.len()).max(1);
            let bottom = y + LEADING * lines as f64 + 13.0;
            rows.push(Area { left, top: y, right: left + PLOT, bottom });
            y = bottom;
        }
        let area = Area { left, top, right: left + PLOT, bottom: y.max(top + 20.0) };
        let x = self.scale.onto(area.left + PAD, area.right - PAD);
        let mut canvas = Canvas::new(self.id, width, area.bottom + 44.0 + MARGIN - 8.0);
        let ground = Area { left: 0.0, top: 0.0, right: width, bottom: area.bottom + 100.0 };
        canvas.rect(ground, Fill { colour: PAPER, opacity: 1.0 });
        write(&mut canvas, &title, (MARGIN, MARGIN + 13.0), TITLE);
        write(&mut canvas, &subtitle, (MARGIN, MARGIN + 12.0 + 23.0 * title.len() as f64), SMALL);
        let first = MARGIN + head + 12.0;
        let placed = |(x, line): &(f64, f64)| (MARGIN + x, first + KEY * line);
        let keys: Vec<(f64, f64)> = keys.iter().map(placed).collect();
        for (name, at) in self.keys.iter().zip(&keys) {
            canvas.text(name, (at.0 + SAMPLE + 7.0, at.1 + 4.2), kind(Anchor::Start));
        }
        let mut it = Rows { canvas, x, area, rooms: rows, keys };
        self.ruled(&mut it);
        self.named(&mut it, &names, &numbers);
        it
    }

    /// Where the keys stand: from the left, and in which line.
    fn places(&self, room: f64) -> Vec<(f64, f64)> {
        let (mut x, mut line) = (0.0, 0.0);
        let mut all = Vec::new();
        for name in &self.keys {
            let wide = SAMPLE + 7.0 + words::width(name, SMALL, Weight::Regular) + 22.0;
            if 0.0 < x && room < x + wide {
                (x, line) = (0.0, line + 1.0);
            }
            all.push((x, line));
            x += wide;
        }
        all
    }

    /// Upright grid lines with their numbers, lines between the rows, and what is measured.
    fn ruled(&self, it: &mut Rows) {
        let Area { left, right, top, bottom } = it.area;
        let ticks = self.scale.ticks(6);
        let step = spacing(&ticks);
        let hair = |colour| Stroke { colour, width: 1.0, dash: Dash::Solid };
        let (x, between) = (it.x, it.rooms.iter().map(|it| it.bottom).collect::<Vec<_>>());
        it.canvas.decoration(|canvas| {
            for tick in &ticks {
                let x = x.place(*tick);
                canvas.line((x, top), (x, bottom + 5.0), hair(GRID));
            }
            for y in between {
                canvas.line((MARGIN, y), (right + BETWEEN + NUMBERS, y), hair(GRID));
            }
            canvas.line((left, bottom), (right, bottom), hair(RULE));
        });
        for tick in ticks {
            let quiet = Type { colour: QUIET, ..kind(Anchor::Middle) };
            it.canvas.text(&self.format.label(tick, step), (x.place(tick), bottom + 20.0), quiet);
        }
        for line in words::wrap(self.x_label, SMALL, Weight::Regular, PLOT, 1) {
            let middle = f64::midpoint(left, right);
            it.canvas.text(&line, (middle, bottom + 40.0), kind(Anchor::Middle));
        }
    }

    /// The names at the left, and the numbers at the right.
    fn named(&self, it: &mut Rows, names: &[Vec<String>], numbers: &[Vec<String>]) {
        let edges = [MARGIN, it.area.right + BETWEEN];
        for (k, row) in it.rooms.iter().enumerate() {
            for (lines, left, weight) in
                [(&names[k], edges[0], Weight::Bold), (&numbers[k], edges[1], Weight::Regular)]
            {
                let kind = Type { weight, ..kind(Anchor::Start) };
                let y = middle(row) - LEADING * (lines.len() as f64 - 1.0) / 2.0 + 4.2;
                for (k, line) in lines.iter().enumerate() {
                    it.canvas.text(line, (left, y + LEADING * k as f64), kind);
                }
            }
        }
        if self.rows.is_empty() {
            let at = (f64::midpoint(it.area.left, it.area.right), it.area.top + 14.0);
            it.canvas.text("no values", at, Type { colour: QUIET, ..kind(Anchor::Middle) });
        }
    }

    /// What the picture shows, in numbers, for those who do not see it.
    pub(super) fn describe(&self) -> String {
        let rows =
            self.rows.iter().map(|(name, numbers)| format!("{name}: {}", numbers.join("; ")));
        let rows: Vec<String> = rows.collect();
        let rows = if rows.is_empty() { "no values".to_owned() } else { rows.join(". ") };
        format!("{}. {rows}.", self.x_label)
    }
}

/// The middle of a row.
pub(super) fn middle(row: &Area) -> f64 {
    f64::midpoint(row.top, row.bottom)
}

/// Numbers in words, two lines each at most.
fn broken(numbers: &[String]) -> Vec<String> {
    let lines = if numbers.len() == 1 { 3 } else { 2 };
    numbers.iter().flat_map(|it| words::wrap(it, SMALL, Weight::Regular, NUMBERS, lines)).collect()
}

fn write(canvas: &mut Canvas, lines: &[String], (x, y): (f64, f64), size: f64) {
    let (weight, colour, leading) =
        if size == TITLE { (Weight::Bold, INK, 23.0) } else { (Weight::Regular, QUIET, 17.0) };
    for (k, line) in lines.iter().enumerate() {
        let kind = Type { size, weight, colour, anchor: Anchor::Start };
        canvas.text(line, (x, y + leading * k as f64), kind);
    }
}
