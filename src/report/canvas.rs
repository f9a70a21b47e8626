//! The canvas: eight kinds of mark on a sheet of pixels, written as one deterministic SVG text.
//!
//! plotters holds the pen and nothing else. Its SVG back end rounds to whole pixels, so marks are
//! drawn on a sheet ten times as large and scaled down by the view box; its head, its font noise
//! and its missing description are replaced here. Charts never see plotters.

pub mod clip;
pub mod style;
pub mod words;
pub(super) mod xml;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::{FontStyle, RGBAColor, ShapeStyle, TextStyle};

use style::Rgb;
pub use style::{Anchor, Area, Colour, Dash, Fill, Stroke, Type, Weight};
use xml::{escaped, printable};

/// The fonts asked for, in order; text stays text, so the reader's machine picks the first it has.
pub const FONTS: &str = "Inter, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Virtual units to one pixel.
const FINE: f64 = 10.0;

/// The back end's own divisor of font sizes (`plotters-svg`), undone here.
const FONT_RATIO: f64 = 1.24;

/// Sheets are kept within this many pixels a side, so that virtual units always fit an `i32`.
const LARGEST: f64 = 20_000.0;

/// A sheet being drawn on. Points that are not finite are never drawn.
#[derive(Debug)]
pub struct Canvas {
    id: String,
    width: f64,
    height: f64,
    body: String,
    faces: BTreeMap<Rgb, Rgb>,
}

impl Canvas {
    /// An empty sheet of `width` x `height` pixels (1 to 20,000 each, else moved into that range).
    /// `id` names the picture within a page that holds several; characters other than ASCII
    /// letters, digits and hyphens become hyphens.
    #[must_use]
    pub fn new(id: &str, width: f64, height: f64) -> Self {
        let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let id = format!("chart-{}", id.chars().map(keep).collect::<String>());
        let side = |pixels: f64| {
            if pixels.is_finite() { pixels.clamp(1.0, LARGEST).round() } else { 1.0 }
        };
        let (width, height) = (side(width), side(height));
        Self { id, width, height, body: String::new(), faces: BTreeMap::new() }
    }

    /// Fills a rectangle.
    pub fn rect(&mut self, area: Area, fill: Fill) {
        let corners = (fine((area.left, area.top)), fine((area.right, area.bottom)));
        if let (Some(upper), Some(lower)) = corners {
            let style = self.paint(fill);
            self.pen(|pen| pen.draw_rect(upper, lower, &style, true));
        }
    }

    /// Draws a straight line between two points in pixels.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        if let (Some(from), Some(to)) = (fine(from), fine(to)) {
            let style = self.ink(stroke);
            self.dashed(stroke.dash, |canvas| {
                canvas.pen(|pen| pen.draw_line(from, to, &style));
            });
        }
    }

    /// Draws a line through the points, in pixels; a point that is not finite breaks it.
    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let style = self.ink(stroke);
        for run in points.split(|point| fine(*point).is_none()).filter(|run| run.len() > 1) {
            self.dashed(stroke.dash, |canvas| {
                canvas.pen(|pen| pen.draw_path(run.iter().filter_map(|p| fine(*p)), &style));
            });
        }
    }

    /// Fills a polygon whose corners are given in pixels; corners that are not finite are left out.
    pub fn polygon(&mut self, corners: &[(f64, f64)], fill: Fill) {
        let corners: Vec<_> = corners.iter().filter_map(|corner| fine(*corner)).collect();
        if corners.len() > 2 {
            let style = self.paint(fill);
            self.pen(|pen| pen.fill_polygon(corners, &style));
        }
    }

    /// Fills a circle; centre and radius in pixels.
    pub fn circle(&mut self, centre: (f64, f64), radius: f64, fill: Fill) {
        if let Some(centre) = fine(centre) {
            let style = self.paint(fill);
            self.pen(|pen| pen.draw_circle(centre, units(radius), &style, true));
        }
    }

    /// Writes one line of text; `at` is a point of its baseline in pixels. White space runs
    /// together, and characters that XML cannot hold are left out.
    pub fn text(&mut self, text: &str, at: (f64, f64), kind: Type) {
        let words = printable(text);
        let Some(at) = fine(at).filter(|_| !words.is_empty()) else { return };
        self.faces.insert(kind.colour.light, kind.colour.dark);
        let (r, g, b) = kind.colour.light;
        let style = match kind.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::Bold => FontStyle::Bold,
        };
        let font = ("sans-serif", kind.size * FINE * FONT_RATIO, style);
        let ink = RGBAColor(r, g, b, 1.0);
        let style = TextStyle::from(font).color(&ink);
        let anchor = format!("text-anchor=\"{}\"", kind.anchor.keyword());
        let size = format!("font-size=\"{}\"", units(kind.size));
        // The back end knows three heights but not the baseline, and repeats the font each time.
        self.pen_with(
            |tag| {
                let tag = tag
                    .replace(" dy=\"0.76em\"", "")
                    .replace(" font-family=\"sans-serif\"", "")
                    .replace("text-anchor=\"start\"", &anchor);
                replace_attribute(&tag, "font-size=\"", &size)
            },
            |pen| pen.draw_text(&words, &style, at),
        );
    }

    /// Draws a group that readers of the picture may skip: grids, ticks, leaders.
    pub fn decoration(&mut self, draw: impl FnOnce(&mut Self)) {
        self.group("<g aria-hidden=\"true\">", "", draw);
    }

    /// Draws a group that browsers explain with `note` under the pointer.
    pub fn noted(&mut self, note: &str, draw: impl FnOnce(&mut Self)) {
        let title = format!("<title>{}</title>\n", escaped(note));
        self.group("<g>", &title, draw);
    }

    /// The finished SVG: `title` and `description` are what a screen reader says of it.
    #[must_use]
    pub fn finish(self, title: &str, description: &str) -> String {
        let Self { id, width, height, body, faces } = self;
        let (wide, high) = (width * FINE, height * FINE);
        let (title, description) = (escaped(title), escaped(description));
        let dark = dark_style(&id, &faces);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {wide} {high}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" font-family=\"{FONTS}\" \
             stroke-linejoin=\"round\">\n\
             <title id=\"{id}-title\">{title}</title>\n\
             <desc id=\"{id}-desc\">{description}</desc>\n{dark}{body}</svg>\n"
        )
    }

    /// Draws inside a group opened by `tag`; nothing is left of a group that stays empty.
    fn group(&mut self, tag: &str, head: &str, draw: impl FnOnce(&mut Self)) {
        let start = self.body.len();
        let _ = write!(self.body, "{tag}\n{head}");
        let inside = self.body.len();
        draw(self);
        if self.body.len() == inside {
            self.body.truncate(start);
        } else {
            self.body.push_str("</g>\n");
        }
    }

    /// The dash array is set on a group, from which lines inherit it: the back end has none.
    fn dashed(&mut self, dash: Dash, draw: impl FnOnce(&mut Self)) {
        match dash.array() {
            None => draw(self),
            Some(array) => {
                self.group(&format!("<g stroke-dasharray=\"{array}\">"), "", draw);
            }
        }
    }

    /// The back end's style of a line, its colour noted for the dark scheme.
    fn ink(&mut self, stroke: Stroke) -> ShapeStyle {
        let (r, g, b) = stroke.colour.light;
        self.faces.insert(stroke.colour.light, stroke.colour.dark);
        let stroke_width = units(stroke.width);
        ShapeStyle { color: RGBAColor(r, g, b, 1.0), filled: false, stroke_width }
    }

    /// The back end's style of an area, its colour noted for the dark scheme.
    fn paint(&mut self, fill: Fill) -> ShapeStyle {
        let (r, g, b) = fill.colour.light;
        self.faces.insert(fill.colour.light, fill.colour.dark);
        let opacity = if fill.opacity.is_finite() { fill.opacity.clamp(0.0, 1.0) } else { 1.0 };
        ShapeStyle { color: RGBAColor(r, g, b, opacity), filled: true, stroke_width: 0 }
    }

    /// Draws one mark.
    fn pen<E>(&mut self, draw: impl FnOnce(&mut SVGBackend<'_>) -> Result<(), E>) {
        self.pen_with(str::to_owned, draw);
    }

    /// Draws one mark on a sheet of its own and keeps the tags between that sheet's head and end,
    /// each passed through `mend` and one to a line.
    fn pen_with<E>(
        &mut self,
        mend: impl Fn(&str) -> String,
        draw: impl FnOnce(&mut SVGBackend<'_>) -> Result<(), E>,
    ) {
        let mut sheet = String::new();
        let mut pen = SVGBackend::with_string(&mut sheet, (1, 1));
        // Writing into memory cannot fail; were it to, the mark would be missing, nothing worse.
        let _ = draw(&mut pen);
        drop(pen);
        let mut writing = false;
        for line in sheet.lines().skip(1).filter(|line| *line != "</svg>") {
            // A text's content stands on a line of its own, where viewers would see blanks.
            let content = writing && !line.starts_with('<');
            if content {
                self.body.push_str(line);
                continue;
            }
            let tag = line.replace(" opacity=\"1\"", "").replace(" \"/>", "\"/>");
            self.body.push_str(&mend(&tag));
            writing = line.starts_with("<text");
            if !writing {
                self.body.push('\n');
            }
        }
    }
}

/// The rules that recolour the picture on dark screens: literal colours stay as attributes, which
/// viewers without style sheets understand, and selectors on those attributes override them.
fn dark_style(id: &str, faces: &BTreeMap<Rgb, Rgb>) -> String {
    let mut rules = String::new();
    for (light, dark) in faces.iter().filter(|(light, dark)| light != dark) {
        for property in ["fill", "stroke"] {
            let (light, dark) = (hex(*light), hex(*dark));
            let _ = write!(rules, "#{id} [{property}=\"{light}\"]{{{property}:{dark}}}");
        }
    }
    if rules.is_empty() {
        return rules;
    }
    format!("<style>@media (prefers-color-scheme:dark){{{rules}}}</style>\n")
}

/// A colour as the back end writes it; attribute selectors heed the case.
fn hex((r, g, b): Rgb) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// A point in virtual units, absent unless both coordinates are finite.
fn fine((x, y): (f64, f64)) -> Option<(i32, i32)> {
    // The clamp keeps the cast exact; nothing that far out could be seen.
    #[allow(clippy::cast_possible_truncation)]
    let unit = |pixels: f64| (pixels.clamp(-LARGEST, 2.0 * LARGEST) * FINE).round() as i32;
    (x.is_finite() && y.is_finite()).then(|| (unit(x), unit(y)))
}

/// A length in virtual units, at least one.
fn units(pixels: f64) -> u32 {
    // NaN clamps to itself and casts to 0, which `max` mends.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let units = (pixels.clamp(0.0, LARGEST) * FINE).round() as u32;
    units.max(1)
}

/// Replaces the attribute that starts with `start` (name, equals sign, quotation mark).
fn replace_attribute(tag: &str, start: &str, with: &str) -> String {
    let Some((before, rest)) = tag.split_once(start) else { return tag.to_owned() };
    let Some((_, after)) = rest.split_once('"') else { return tag.to_owned() };
    format!("{before}{with}{after}")
}

#[cfg(test)]
mod tests {
    use super::xml::malformed;
    use super::*;

    const INK: Colour = Colour { light: (0x21, 0x25, 0x29), dark: (0xe6, 0xe8, 0xeb) };
    const BLUE: Colour = Colour { light: (0x00, 0x72, 0xb2), dark: (0x56, 0xb4, 0xe9) };

    fn sheet() -> Canvas {
        let mut canvas = Canvas::new("swap/one", 300.0, 200.0);
        let stroke = Stroke { colour: BLUE, width: 2.0, dash: Dash::Dashed };
        let kind = Type { size: 12.0, weight: Weight::Bold, colour: INK, anchor: Anchor::End };
        canvas.text("a < b & \"c\" 'd' > \u{3b1}\u{1}\n e", (100.0, 50.25), kind);
        canvas.polyline(&[(1.0, 2.0), (3.04, 4.06), (f64::NAN, 1.0), (5.0, 6.0)], stroke);
        canvas.noted("A & B: 74 %", |canvas| {
            canvas.circle((5.0, 6.0), 3.0, Fill { colour: BLUE, opacity: 0.18 });
        });
        canvas
    }

    #[test]
    fn the_text_is_well_formed_and_says_what_it_shows() {
        let svg = sheet().finish("One < two", "A \"sentence\" & numbers");
        assert_eq!(malformed(&svg), None, "{svg}");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"chart-swap-one\""));
        assert!(
            svg.contains("width=\"300\" height=\"200\" viewBox=\"0 0 3000 2000\" role=\"img\"")
        );
        assert!(svg.contains("aria-labelledby=\"chart-swap-one-title chart-swap-one-desc\""));
        assert!(svg.contains("<title id=\"chart-swap-one-title\">One &lt; two</title>"));
        assert!(svg.contains("A &quot;sentence&quot; &amp; numbers</desc>"));
    }

    #[test]
    fn text_stays_text_and_is_tidied() {
        let svg = sheet().finish("", "");
        let line = svg.lines().find(|line| line.starts_with("<text")).unwrap_or("");
        assert_eq!(
            line,
            "<text x=\"1000\" y=\"503\" text-anchor=\"end\" font-size=\"120\" fill=\"#212529\" \
             font-weight=\"bold\">a &lt; b &amp; &quot;c&quot; &apos;d&apos; &gt; \u{3b1} e</text>"
        );
    }

    #[test]
    fn lines_are_kept_to_tenths_of_a_pixel_and_break_at_what_is_missing() {
        let svg = sheet().finish("", "");
        let dashed = "<g stroke-dasharray=\"70 45\">\n<polyline fill=\"none\" stroke=\"#0072B2\" \
                      stroke-width=\"20\" points=\"10,20 30,41\"/>\n</g>\n";
        assert!(svg.contains(dashed), "{svg}");
        assert_eq!(svg.matches("<polyline").count(), 1);
    }

    #[test]
    fn dark_screens_recolour_what_was_used() {
        let svg = sheet().finish("", "");
        assert!(svg.contains("#chart-swap-one [fill=\"#212529\"]{fill:#E6E8EB}"), "{svg}");
        assert!(svg.contains("#chart-swap-one [stroke=\"#0072B2\"]{stroke:#56B4E9}"));
        assert!(!Canvas::new("", 1.0, 1.0).finish("", "").contains("<style>"));
    }

    #[test]
    fn nothing_strange_reaches_the_file() {
        let mut canvas = Canvas::new("", f64::NAN, 1e300);
        let stroke = Stroke { colour: INK, width: f64::NAN, dash: Dash::Solid };
        let fill = Fill { colour: INK, opacity: f64::NAN };
        canvas.line((f64::NAN, 0.0), (1.0, 1.0), stroke);
        canvas.line((-1e300, 0.0), (1e300, 1.0), stroke);
        canvas.circle((f64::INFINITY, 0.0), 2.0, fill);
        canvas.polygon(&[(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)], fill);
        canvas.decoration(|_| ());
        canvas.text(
            " \n ",
            (1.0, 1.0),
            Type { size: 12.0, weight: Weight::Regular, colour: INK, anchor: Anchor::Start },
        );
        let svg = canvas.finish("", "");
        assert_eq!(malformed(&svg), None, "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<g"));
        assert_eq!(svg.matches("<line").count(), 1);
    }

    #[test]
    fn equal_drawings_are_equal_bytes() {
        assert_eq!(sheet().finish("t", "d"), sheet().finish("t", "d"));
    }
}
