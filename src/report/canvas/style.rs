//! How marks look: colours with a face for dark screens, strokes, fills and types.

/// A red, green and blue value.
pub type Rgb = (u8, u8, u8);

/// One colour with its two faces: as written in the file, and as shown where the reader's screen
/// prefers a dark scheme. Two colours with equal light faces must have equal dark faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// The literal colour, for paper and light screens.
    pub light: Rgb,
    /// The colour that replaces it on dark screens.
    pub dark: Rgb,
}

/// How a line is broken, so that lines differ by more than their colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Long strokes.
    Dashed,
    /// Short strokes.
    Dotted,
    /// A long and a short stroke in turn.
    DashDot,
}

impl Dash {
    /// The SVG dash array in tenths of a pixel, absent for an unbroken line.
    pub(super) fn array(self) -> Option<&'static str> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some("70 45"),
            Self::Dotted => Some("20 35"),
            Self::DashDot => Some("90 35 20 35"),
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width in pixels, kept to tenths.
    pub width: f64,
    /// How it is broken.
    pub dash: Dash,
}

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Its colour.
    pub colour: Colour,
    /// Its opacity, 0 to 1.
    pub opacity: f64,
}

/// Which end of a text lies at the point given for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at the point.
    Start,
    /// The text is centred on the point.
    Middle,
    /// The text ends at the point.
    End,
}

impl Anchor {
    /// The SVG keyword.
    pub(super) fn keyword(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// How heavy a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Running text.
    Regular,
    /// Titles and names.
    Bold,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Font size in pixels.
    pub size: f64,
    /// Its weight.
    pub weight: Weight,
    /// Its colour.
    pub colour: Colour,
    /// Which end lies at the point.
    pub anchor: Anchor,
}

/// A rectangle in pixels; y grows downward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}
