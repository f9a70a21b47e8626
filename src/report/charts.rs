//! What every line chart shares: a palette for light and dark screens, looks that differ by more
//! than their colour, the frame around the data, and labels beside the lines they name.

pub mod dots;
pub mod effects;
pub mod frame;
mod heading;
pub mod heat;
pub mod lines;
pub mod power;
mod rows;
pub mod scatter;
pub mod stack;
pub mod swap;

use super::axis::dodge;
use super::canvas::clip;
use super::canvas::words;
use super::canvas::{Anchor, Area, Canvas, Colour, Dash, Fill, Stroke, Type, Weight};

/// The ground of the picture.
pub const PAPER: Colour = Colour { light: (0xff, 0xff, 0xff), dark: (0x17, 0x1a, 0x1f) };
/// Titles, names and reference lines.
pub const INK: Colour = Colour { light: (0x21, 0x25, 0x29), dark: (0xe8, 0xea, 0xed) };
/// Subtitles and the numbers along the axes.
pub const QUIET: Colour = Colour { light: (0x4d, 0x54, 0x5b), dark: (0xb4, 0xbb, 0xc3) };
/// Axis lines and ticks.
pub const RULE: Colour = Colour { light: (0x7a, 0x7c, 0x7f), dark: (0x8b, 0x93, 0x9c) };
/// Grid lines.
pub const GRID: Colour = Colour { light: (0xe4, 0xe7, 0xeb), dark: (0x30, 0x36, 0x3d) };

/// Font size of running text in pixels.
pub const SMALL: f64 = 12.0;
/// Height of a line of running text in pixels.
pub const LEADING: f64 = 15.0;
/// Width of the line drawn beside a label, in pixels.
const SAMPLE: f64 = 36.0;
/// From the edge of the plot to the sample beside a label, in pixels.
const GAP: f64 = 22.0;
/// The least height that a label takes up, in pixels.
const LABEL: f64 = 18.0;

/// The shape drawn where something was simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square on its side.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle on its side.
    Triangle,
}

/// The eight line colours: those of Okabe and Ito (2008), "Color universal design", without the
/// yellow, each with a lighter face for dark screens and a tone dark enough to be read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hue {
    /// `#0072B2`.
    Blue,
    /// `#D55E00`.
    Vermilion,
    /// `#009E73`.
    Green,
    /// `#CC79A7`.
    Purple,
    /// `#E69F00`.
    Orange,
    /// `#56B4E9`.
    Sky,
    /// The colour of the text.
    Ink,
    /// The colour of quiet text.
    Quiet,
}

impl Hue {
    /// The colour of lines and markers.
    #[must_use]
    pub fn line(self) -> Colour {
        let (light, dark) = match self {
            Self::Blue => ((0x00, 0x72, 0xb2), (0x5a, 0xb4, 0xf0)),
            Self::Vermilion => ((0xd5, 0x5e, 0x00), (0xff, 0x8f, 0x45)),
            Self::Green => ((0x00, 0x9e, 0x73), (0x2f, 0xc9, 0x9e)),
            Self::Purple => ((0xcc, 0x79, 0xa7), (0xe5, 0x9c, 0xc5)),
            Self::Orange => ((0xe6, 0x9f, 0x00), (0xf5, 0xb9, 0x42)),
            Self::Sky => ((0x56, 0xb4, 0xe9), (0xa3, 0xd8, 0xf7)),
            Self::Ink => return INK,
            Self::Quiet => return QUIET,
        };
        Colour { light, dark }
    }

    /// The colour of text beside such a line: a contrast of at least 4.5 to 1 on either ground.
    #[must_use]
    pub fn text(self) -> Colour {
        let light = match self {
            Self::Blue => (0x00, 0x65, 0x9e),
            Self::Vermilion => (0xb3, 0x4a, 0x00),
            Self::Green => (0x00, 0x74, 0x54),
            Self::Purple => (0x9c, 0x44, 0x78),
            Self::Orange => (0x8a, 0x5d, 0x00),
            Self::Sky => (0x1f, 0x6c, 0x9c),
            Self::Ink => return INK,
            Self::Quiet => return QUIET,
        };
        Colour { light, dark: self.line().dark }
    }
}

/// How a series or a reference looks: in the plot and beside its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Its colour.
    pub hue: Hue,
    /// The width of its line in pixels.
    pub width: f64,
    /// How its line is broken.
    pub dash: Dash,
    /// The shape at simulated points; references have none.
    pub marker: Option<Marker>,
}

impl Look {
    /// The stroke of the line.
    #[must_use]
    pub fn stroke(self) -> Stroke {
        Stroke { colour: self.hue.line(), width: self.width, dash: self.dash }
    }
}

/// Draws a marker with a rim of paper, which keeps overlapping ones apart.
pub fn mark(canvas: &mut Canvas, marker: Marker, at: (f64, f64), colour: Colour) {
    for (grown, colour) in [(1.3, PAPER), (0.0, colour)] {
        shape(canvas, marker, at, grown, Fill { colour, opacity: 1.0 });
    }
}

/// Fills the shape of a marker, grown by some pixels on every side.
fn shape(canvas: &mut Canvas, marker: Marker, (x, y): (f64, f64), grown: f64, fill: Fill) {
    let corners: &[(f64, f64)] = match marker {
        Marker::Circle => return canvas.circle((x, y), 3.7 + grown, fill),
        Marker::Square => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        Marker::Diamond => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
        Marker::Triangle => &[(0.0, -1.4), (1.35, 0.9), (-1.35, 0.9)],
    };
    let size = 3.3 + grown;
    let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x + size * dx, y + size * dy)).collect();
    canvas.polygon(&corners, fill);
}

/// A label to be set beside the end of its line.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// The label, broken into lines.
    pub lines: Vec<String>,
    /// The look of what it names.
    pub look: Look,
    /// Where the line ends, in pixels; absent for what has no end in this plot.
    pub end: Option<(f64, f64)>,
}

impl Tag {
    /// Breaks a label so that the column of labels stays of a bearable width.
    #[must_use]
    pub fn broken(label: &str) -> Vec<String> {
        words::wrap(label, SMALL, Weight::Bold, 190.0, 3)
    }

    /// The width in pixels of a column that holds these labels and their samples.
    #[must_use]
    pub fn column(labels: &[Vec<String>]) -> f64 {
        let widths = labels.iter().flatten().map(|line| words::width(line, SMALL, Weight::Bold));
        let widest = widths.fold(0.0, f64::max);
        if widest > 0.0 { GAP + SAMPLE + 8.0 + widest } else { 0.0 }
    }

    /// The height in pixels that a label of so many lines takes up.
    #[must_use]
    pub fn height(lines: usize) -> f64 {
        LABEL.max(LEADING * lines as f64 + 4.0)
    }
}

/// Writes the labels to the right of a plot, each as near to the end of its line as the others
/// allow, beside a sample of the line and joined to its end by a thin leader.
pub fn label(canvas: &mut Canvas, area: Area, tags: &[Tag]) {
    let tags: Vec<&Tag> = tags.iter().filter(|tag| !tag.lines.is_empty()).collect();
    let middle = f64::midpoint(area.top, area.bottom);
    let wanted: Vec<f64> = tags.iter().map(|tag| tag.end.map_or(middle, |end| end.1)).collect();
    let heights: Vec<f64> = tags.iter().map(|tag| Tag::height(tag.lines.len())).collect();
    // A label may reach above and below the plot by half its height, as the ends do.
    let room = (area.top - LABEL / 2.0, area.bottom + LABEL / 2.0);
    let placed = dodge(&wanted, &heights, room.0, room.1);
    let start = area.right + GAP;
    for (tag, &y) in tags.iter().zip(&placed) {
        // A line that ends far inside the plot is not led across the others.
        if let Some(end) = tag.end.filter(|end| area.right - end.0 < 40.0) {
            let stroke = Stroke { colour: tag.look.hue.line(), width: 0.7, dash: Dash::Solid };
            let path = [(end.0 + 6.0, end.1), (area.right + 2.0, end.1), (start - 4.0, y)];
            canvas.decoration(|canvas| canvas.polyline(&path, stroke));
        }
        canvas.line((start, y), (start + SAMPLE, y), tag.look.stroke());
        if let Some(marker) = tag.look.marker {
            mark(canvas, marker, (start + SAMPLE / 2.0, y), tag.look.hue.line());
        }
        let colour = tag.look.hue.text();
        let kind = Type { size: SMALL, weight: Weight::Bold, colour, anchor: Anchor::Start };
        let first = y + 4.3 - LEADING * (tag.lines.len() as f64 - 1.0) / 2.0;
        for (index, line) in tag.lines.iter().enumerate() {
            let at = (start + SAMPLE + 8.0, first + LEADING * index as f64);
            canvas.text(line, at, kind);
        }
    }
}

/// Draws a line through points in pixels, cut at the edge of the plot.
pub fn cut_line(canvas: &mut Canvas, area: Area, points: &[(f64, f64)], stroke: Stroke) {
    for piece in clip::polyline(points, area) {
        canvas.polyline(&piece, stroke);
    }
}

/// Fills the band between the lower and the upper limits at each x (all in pixels), cut at the edge
/// of the plot. A limit that is NaN breaks the band; a limit without neighbours is drawn as a bar.
/// Infinite limits reach to the edge.
pub fn band(canvas: &mut Canvas, area: Area, limits: &[(f64, f64, f64)], colour: Colour) {
    let edge = |y: f64| y.clamp(area.top - 1e4, area.bottom + 1e4);
    let missing =
        |&(x, low, high): &(f64, f64, f64)| !x.is_finite() || low.is_nan() || high.is_nan();
    for run in limits.split(missing).filter(|run| !run.is_empty()) {
        if let [(x, low, high)] = *run {
            let stroke = Stroke { colour, width: 1.4, dash: Dash::Solid };
            cut_line(canvas, area, &[(x, edge(low)), (x, edge(high))], stroke);
            continue;
        }
        let there = run.iter().map(|&(x, low, _)| (x, edge(low)));
        let back = run.iter().rev().map(|&(x, _, high)| (x, edge(high)));
        let corners: Vec<_> = there.chain(back).collect();
        canvas.polygon(&clip::polygon(&corners, area), Fill { colour, opacity: 0.18 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUES: [Hue; 8] = [
        Hue::Blue,
        Hue::Vermilion,
        Hue::Green,
        Hue::Purple,
        Hue::Orange,
        Hue::Sky,
        Hue::Ink,
        Hue::Quiet,
    ];

    /// Relative luminance, WCAG 2.2.
    fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_either_ground() {
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
        for hue in HUES {
            let text = hue.text();
            assert!(contrast(text.light, PAPER.light) >= 4.5, "{hue:?} on white");
            assert!(contrast(text.dark, PAPER.dark) >= 4.5, "{hue:?} on dark");
            assert!(contrast(hue.line().dark, PAPER.dark) >= 3.0, "{hue:?} line on dark");
        }
    }

    #[test]
    fn a_light_face_has_one_dark_face_only() {
        let mut all: Vec<Colour> = vec![PAPER, INK, QUIET, RULE, GRID];
        all.extend(HUES.into_iter().flat_map(|hue| [hue.line(), hue.text()]));
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            assert!(a.light != b.light || a.dark == b.dark, "{a:?} {b:?}");
        }
    }

    #[test]
    fn labels_keep_their_distance_and_their_text() {
        let look =
            Look { hue: Hue::Blue, width: 2.0, dash: Dash::Solid, marker: Some(Marker::Square) };
        let tag =
            |text: &str, y: f64| Tag { lines: Tag::broken(text), look, end: Some((395.0, y)) };
        let mut canvas = Canvas::new("", 600.0, 300.0);
        let area = Area { left: 50.0, top: 20.0, right: 400.0, bottom: 280.0 };
        label(&mut canvas, area, &[tag("b", 101.0), tag("a", 100.0), tag("c", 100.5)]);
        let svg = canvas.finish("", "");
        let mut heights: Vec<i32> = svg
            .lines()
            .filter(|line| line.starts_with("<text"))
            .filter_map(|line| line.split("y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(heights.len(), 3);
        heights.sort_unstable();
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 160), "{heights:?}");
    }

    #[test]
    fn a_band_breaks_where_a_limit_is_missing_and_ends_at_the_edge() {
        let area = Area { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let mut canvas = Canvas::new("", 100.0, 100.0);
        let limits = [
            (10.0, 60.0, 40.0),
            (20.0, f64::INFINITY, f64::NEG_INFINITY),
            (30.0, f64::NAN, 40.0),
            (40.0, 60.0, 40.0),
            (f64::NAN, 60.0, 40.0),
        ];
        band(&mut canvas, area, &limits, INK);
        let svg = canvas.finish("", "");
        assert_eq!((svg.matches("<polygon").count(), svg.matches("<polyline").count()), (1, 1));
        assert!(svg.contains("fill=\"#212529\" points=\"") && svg.contains("opacity=\"0.18\""));
        let numbers = svg.split("points=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for number in numbers.flat_map(|list| list.split([' ', ','])) {
            let number: i32 = number.parse().unwrap_or(-1);
            assert!((0..=1000).contains(&number), "{svg}");
        }
    }
}
