//! Counts that add up, a bar for each row: the parts stand in one order, each with its code and count where they fit.

use super::rows::{SAMPLE, Sheet};
use super::{Hue, INK, PAPER, SMALL};
use crate::report::axis::{Format, Scale, Spread};
use crate::report::canvas::words;
use crate::report::canvas::{Anchor, Area, Dash, Fill, Stroke, Type, Weight};

/// The colours of the parts by their place, used or not, so that a part looks alike in all charts; the codes tell them apart
/// without.
const HUES: [Hue; 7] =
    [Hue::Vermilion, Hue::Orange, Hue::Blue, Hue::Sky, Hue::Green, Hue::Purple, Hue::Quiet];

/// The chart: plain numbers in, an SVG text out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackChart {
    /// Names the picture within a page.
    pub id: String,
    /// The finding, in a sentence.
    pub title: String,
    /// What is counted.
    pub subtitle: String,
    /// What the bars are shares of.
    pub x_label: String,
    /// The parts: a short code and what it says.
    pub parts: Vec<(String, String)>,
    /// The rows: a name and a count for each part.
    pub rows: Vec<(String, Vec<u64>)>,
}

impl StackChart {
    /// The chart as an SVG text; equal charts give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let used = self.used();
        let key = |k: &usize| format!("{} {}", self.parts[*k].0, self.parts[*k].1);
        let keys: Vec<String> = used.iter().map(key).collect();
        let sheet = Sheet {
            id: &self.id,
            title: &self.title,
            subtitle: &self.subtitle,
            x_label: &self.x_label,
            scale: Scale::new(Spread::Linear, 0.0, 1.0),
            format: Format::Percent,
            keys: keys.iter().map(String::as_str).collect(),
            rows: self.rows.iter().map(|it| (it.0.as_str(), vec![self.told(&it.1)])).collect(),
        };
        let mut rows = sheet.draw();
        for (k, (x, y)) in rows.keys.clone().into_iter().enumerate() {
            let area = Area { left: x, top: y - 7.0, right: x + SAMPLE, bottom: y + 7.0 };
            part(&mut rows.canvas, area, used[k], "");
        }
        for (k, (name, counts)) in self.rows.iter().enumerate() {
            let row = rows.rooms[k];
            let all = counts.iter().sum::<u64>().max(1) as f64;
            let mut before = 0;
            for (k, count) in counts.iter().enumerate().filter(|it| 0 < *it.1) {
                let [left, right] =
                    [before, before + count].map(|it| rows.x.place(it as f64 / all));
                before += count;
                let area = Area { left, right, top: row.top + 4.0, bottom: row.bottom - 4.0 };
                let (code, what) = &self.parts[k];
                let fits =
                    |it: &String| words::width(it, SMALL, Weight::Regular) + 6.0 < right - left;
                let label = [format!("{code} {count}"), code.clone()].into_iter().find(fits);
                rows.canvas.noted(&format!("{name}: {what} {count}"), |canvas| {
                    part(canvas, area, k, &label.unwrap_or_default());
                });
            }
        }
        rows.canvas.finish(&self.title, &sheet.describe())
    }

    /// The parts that some row has; what never happens needs no key.
    #[must_use]
    pub fn used(&self) -> Vec<usize> {
        let has = |k: &usize| self.rows.iter().any(|it| it.1.get(*k).is_some_and(|it| 0 < *it));
        (0..self.parts.len()).filter(has).collect()
    }

    /// The counts of a row in words.
    fn told(&self, counts: &[u64]) -> String {
        let parts = self.parts.iter().zip(counts).filter(|it| 0 < *it.1);
        let told: Vec<String> = parts.map(|((code, _), count)| format!("{code} {count}")).collect();
        if told.is_empty() { "no pair".to_owned() } else { told.join(", ") }
    }
}

/// A part of a bar: a tint with a rim, and ink on it.
fn part(canvas: &mut crate::report::canvas::Canvas, area: Area, k: usize, label: &str) {
    let colour = HUES[k % HUES.len()].line();
    // Grid lines do not shine through.
    canvas.rect(area, Fill { colour: PAPER, opacity: 1.0 });
    canvas.rect(area, Fill { colour, opacity: 0.28 });
    let Area { left, top, right, bottom } = area;
    let rim = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    canvas.polyline(&rim, Stroke { colour, width: 1.2, dash: Dash::Solid });
    let at = (f64::midpoint(left, right), f64::midpoint(top, bottom) + 4.2);
    let kind = Type { size: SMALL, weight: Weight::Regular, colour: INK, anchor: Anchor::Middle };
    canvas.text(label, at, kind);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::canvas::xml::malformed;

    #[test]
    fn parts_fill_the_bar_and_say_what_they_are() {
        let part = |code: &str| (code.to_owned(), format!("what {code} is"));
        let chart = StackChart {
            parts: vec![part("FF"), part("never"), part("SS")],
            rows: vec![("<b>".into(), vec![3, 0, 1]), ("none".into(), vec![0, 0, 0])],
            ..StackChart::default()
        };
        let svg = chart.svg();
        assert_eq!(malformed(&svg), None);
        assert!(svg.contains(">FF 3</text>") && svg.contains(">SS 1</text>"), "{svg}");
        assert!(chart.used() == [0, 2] && !svg.contains("never"));
        assert!(svg.contains(">FF 3, SS 1</text>") && svg.contains(">no pair</text>"));
        assert!(svg.contains("&lt;b&gt;: what FF is 3") && !svg.contains("NaN"));
    }
}
