//! What stands over a chart: its finding and its measure.

use super::{INK, QUIET, SMALL};
use crate::report::canvas::{Anchor, Canvas, Type, Weight};

/// Blank margin around a picture, in pixels.
pub(super) const MARGIN: f64 = 26.0;
/// Font size of the title, in pixels.
pub(super) const TITLE: f64 = 17.0;
/// From a line of the title to the next, in pixels.
const TITLE_LINE: f64 = 23.0;
/// The same of the subtitle.
const LINE: f64 = 17.0;

/// How high so many lines of a title and of a subtitle are, in pixels.
pub(super) fn height(title: &[String], subtitle: &[String]) -> f64 {
    TITLE_LINE * title.len() as f64 + LINE * subtitle.len() as f64
}

/// Writes title and subtitle in the upper left; gives the type of the small text that follows.
pub(super) fn write(canvas: &mut Canvas, title: &[String], subtitle: &[String]) -> Type {
    let large = Type { size: TITLE, weight: Weight::Bold, colour: INK, anchor: Anchor::Start };
    let mut y = MARGIN + 13.0;
    for line in title {
        canvas.text(line, (MARGIN, y), large);
        y += TITLE_LINE;
    }
    let small = Type { size: SMALL, weight: Weight::Regular, ..large };
    y -= 1.0;
    for line in subtitle {
        canvas.text(line, (MARGIN, y), Type { colour: QUIET, ..small });
        y += LINE;
    }
    small
}
