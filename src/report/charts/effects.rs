//! Effects side by side, a row for each: one mark or several with their intervals over one scale, and behind them the region
//! in which an effect would have stayed unseen.

use super::rows::{Rows, SAMPLE, Sheet, middle};
use super::{Hue, INK, Look, Marker, cut_line, mark};
use crate::report::axis::{Format, Scale, Spread, rounded_out};
use crate::report::canvas::{Area, Dash, Fill, Stroke};

/// The looks of the marks of a row, in turn.
const LOOKS: [(Hue, Marker, Dash); 2] =
    [(Hue::Blue, Marker::Circle, Dash::Solid), (Hue::Vermilion, Marker::Diamond, Dash::Dashed)];

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectChart {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// The measure, the intervals.
    pub subtitle: String,
    /// What is measured.
    pub x_label: String,
    /// Whether it is a share, written as per cent and never outside 0 and 1.
    pub share: bool,
    /// The value of no effect, if there is one.
    pub null: Option<f64>,
    /// What the first and the second mark of a row are, where there are two.
    pub keys: Vec<String>,
    /// What the shaded region is; nothing is shaded without.
    pub shaded: String,
    /// The rows.
    pub rows: Vec<Effect>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// Centre and half width of the region in which an effect would have stayed unseen.
    pub unseen: Option<(f64, f64)>,
    /// Its marks.
    pub marks: Vec<Mark>,
}

/// A value with its interval; both may be missing, and a limit may be infinite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// The value.
    pub value: Option<f64>,
    /// The lower limit.
    pub low: Option<f64>,
    /// The upper limit.
    pub high: Option<f64>,
    /// The numbers in words, or why there are none.
    pub told: String,
}

impl EffectChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        if !self.shaded.is_empty() {
            keys.push(&self.shaded);
        }
        let told = |it: &Effect| it.marks.iter().map(|it| it.told.clone()).collect();
        let (low, high) = self.range();
        let sheet = Sheet {
            id: &self.id,
            title: &self.title,
            subtitle: &self.subtitle,
            x_label: &self.x_label,
            scale: Scale::new(Spread::Linear, low, high),
            format: if self.share { Format::Percent } else { Format::Number },
            keys,
            rows: self.rows.iter().map(|it| (it.name.as_str(), told(it))).collect(),
        };
        let mut rows = sheet.draw();
        self.draw_keys(&mut rows);
        if let Some(null) = self.null {
            let x = rows.x.place(null);
            let stroke = Stroke { colour: INK, width: 1.2, dash: Dash::Solid };
            rows.canvas.line((x, rows.area.top), (x, rows.area.bottom), stroke);
        }
        for (k, it) in self.rows.iter().enumerate() {
            let row = rows.rooms[k];
            shade(&mut rows, &row, it);
            draw(&mut rows, &row, it);
        }
        rows.canvas.finish(&self.title, &sheet.describe())
    }

    fn draw_keys(&self, rows: &mut Rows) {
        for (k, (x, y)) in rows.keys.clone().into_iter().enumerate() {
            if k < self.keys.len() {
                let look = look(k);
                rows.canvas.line((x, y), (x + SAMPLE, y), look.stroke());
                mark(&mut rows.canvas, marker(look), (x + SAMPLE / 2.0, y), look.hue.line());
            } else {
                let area = Area { left: x, top: y - 7.0, right: x + SAMPLE, bottom: y + 7.0 };
                rows.canvas.rect(area, SHADE);
            }
        }
    }

    /// The range of the values, their finite limits and the shaded regions, rounded outward.
    fn range(&self) -> (f64, f64) {
        let marks = self.rows.iter().flat_map(|it| &it.marks);
        let ends = marks.flat_map(|it| [it.value, it.low, it.high]).flatten();
        let regions = self.rows.iter().filter_map(|it| it.unseen);
        let regions = regions.flat_map(|(at, half)| [at - half, at + half]);
        // Where nothing bounds an effect, the axis must not suggest that it is small.
        let marks = self.rows.iter().flat_map(|it| &it.marks);
        let open = marks.flat_map(|it| [it.low, it.high]).flatten().any(f64::is_infinite);
        let room = self.null.filter(|_| open && !self.share);
        let room = room.into_iter().flat_map(|null| [null - 1.0, null + 1.0]);
        let all = ends.chain(regions).chain(self.null).chain(room).filter(|it| it.is_finite());
        let (low, high) = all.fold((f64::NAN, f64::NAN), |(a, b), x| (x.min(a), x.max(b)));
        if low.is_nan() {
            return if self.share { (0.0, 1.0) } else { (-1.0, 1.0) };
        }
        let (low, high) = rounded_out(low, high, 6);
        // A share has no place outside 0 and 1, a difference of shares does.
        if self.share && self.null.is_none() { (low.max(0.0), high.min(1.0)) } else { (low, high) }
    }
}

/// The region in which nothing would have been seen.
const SHADE: Fill = Fill { colour: super::QUIET, opacity: 0.2 };

fn look(k: usize) -> Look {
    let (hue, marker, dash) = LOOKS[k.min(1)];
    Look { hue, width: 2.0, dash, marker: Some(marker) }
}

fn marker(look: Look) -> Marker {
    look.marker.unwrap_or(Marker::Circle)
}

fn shade(rows: &mut Rows, row: &Area, it: &Effect) {
    let Some((at, half)) = it.unseen else { return };
    let [left, right] =
        [at - half, at + half].map(|x| rows.x.place(x).clamp(rows.area.left, rows.area.right));
    if left < right {
        let area = Area { left, right, top: row.top + 3.0, bottom: row.bottom - 3.0 };
        rows.canvas.rect(area, SHADE);
    }
}

/// The marks of a row, one above the other.
fn draw(rows: &mut Rows, row: &Area, it: &Effect) {
    let area = rows.area;
    for (k, one) in it.marks.iter().enumerate() {
        let look = look(k);
        let y = middle(row) + 13.0 * (k as f64 - (it.marks.len() as f64 - 1.0) / 2.0);
        let note = format!("{}: {}", it.name, one.told);
        let ends = [one.low.unwrap_or(f64::NAN), one.high.unwrap_or(f64::NAN)];
        let x = rows.x;
        rows.canvas.noted(&note, |canvas| {
            // What bounds nothing on either side is no interval.
            if ends.iter().any(|it| it.is_finite()) && ends.iter().all(|it| !it.is_nan()) {
                let edges = [area.left + 1.0, area.right - 1.0];
                let at = [0, 1].map(|k| x.place(ends[k]).clamp(edges[0], edges[1]));
                cut_line(canvas, area, &[(at[0], y), (at[1], y)], look.stroke());
                for (k, side) in [(0, 1.0), (1, -1.0)] {
                    let fill = Fill { colour: look.hue.line(), opacity: 1.0 };
                    if ends[k].is_infinite() {
                        let tip = edges[k];
                        let back = tip + 9.0 * side;
                        canvas.polygon(&[(tip, y), (back, y - 5.0), (back, y + 5.0)], fill);
                    } else {
                        let stroke = Stroke { dash: Dash::Solid, ..look.stroke() };
                        canvas.line((at[k], y - 4.0), (at[k], y + 4.0), stroke);
                    }
                }
            }
            if let Some(value) = one.value.filter(|it| it.is_finite()) {
                mark(canvas, marker(look), (x.place(value), y), look.hue.line());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::canvas::xml::malformed;

    fn one(value: Option<f64>, low: f64, high: f64) -> Mark {
        Mark { value, low: Some(low), high: Some(high), told: "as told".to_owned() }
    }

    fn row(name: &str, marks: Vec<Mark>) -> Effect {
        Effect { name: name.to_owned(), unseen: Some((0.0, 0.5)), marks }
    }

    #[test]
    fn half_infinite_intervals_are_arrows_and_undefined_values_words() {
        let chart = EffectChart {
            null: Some(0.0),
            rows: vec![
                row("a&b\"", vec![one(Some(1.0), 0.5, 1.5)]),
                row("<script>", vec![one(None, 0.7, f64::INFINITY)]),
                row("none", vec![Mark { told: "no pair flipped".to_owned(), ..Mark::default() }]),
            ],
            ..EffectChart::default()
        };
        let svg = chart.svg();
        assert_eq!(malformed(&svg), None);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<script>"));
        assert!(svg.contains(">no pair flipped</text>"));
        // A disc and its rim for the one value; a polygon for the one arrow.
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polygon").count()), (2, 1));
        assert_eq!(chart.range(), (-1.0, 1.5));
    }

    #[test]
    fn an_empty_chart_says_so() {
        let svg = EffectChart::default().svg();
        assert_eq!(malformed(&svg), None);
        assert!(svg.contains(">no values</text>"));
    }
}
