//! The looks of the swap study: the win rate of the first system against the position bias of the judge, for one order,
//! the other, both averaged, and the pairs on which both orders agree.

use super::{Hue, Look, Marker};
use crate::report::canvas::Dash;

/// What a series counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Verdicts on one order only (the first system always first).
    OneOrder,
    /// Verdicts on the other order only (the first system always second).
    OtherOrder,
    /// Both orders averaged.
    Averaged,
    /// Only pairs with the same verdict in both orders.
    Agreed,
    /// Anything else; the number picks one of four further looks.
    Other(usize),
}

impl Role {
    /// Colour, dash and marker, all three different for different roles.
    #[must_use]
    pub fn look(self) -> Look {
        let (hue, dash, marker) = match self {
            Self::OneOrder => (Hue::Vermilion, Dash::Solid, Marker::Circle),
            Self::OtherOrder => (Hue::Purple, Dash::Dashed, Marker::Square),
            Self::Averaged => (Hue::Blue, Dash::Solid, Marker::Diamond),
            Self::Agreed => (Hue::Green, Dash::DashDot, Marker::Triangle),
            Self::Other(index) => match index % 4 {
                0 => (Hue::Orange, Dash::Dashed, Marker::Circle),
                1 => (Hue::Sky, Dash::DashDot, Marker::Square),
                2 => (Hue::Quiet, Dash::Dotted, Marker::Diamond),
                _ => (Hue::Orange, Dash::Dotted, Marker::Triangle),
            },
        };
        Look { hue, width: 2.0, dash, marker: Some(marker) }
    }
}

/// What the series are held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// The share of pairs in which the first system is truly better.
    Truth,
    /// The win rate under the same judge without its biases.
    Fair,
}

impl Standard {
    /// Thin lines without markers: nothing was simulated here.
    #[must_use]
    pub fn look(self) -> Look {
        let (hue, dash) = match self {
            Self::Truth => (Hue::Ink, Dash::Solid),
            Self::Fair => (Hue::Quiet, Dash::Dotted),
        };
        Look { hue, width: 1.3, dash, marker: None }
    }
}
