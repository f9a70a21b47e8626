//! The colour ramp: viridis (Smith and van der Walt, 2015), whose lightness rises evenly, so that it is ordered for every
//! eye and in grey.

use super::super::Colour;
use super::fixed;

/// Viridis at eleven even steps.
const ANCHORS: [(u8, u8, u8); 11] = [
    (0x44, 0x01, 0x54),
    (0x48, 0x25, 0x76),
    (0x41, 0x44, 0x87),
    (0x35, 0x5f, 0x8d),
    (0x2a, 0x78, 0x8e),
    (0x21, 0x91, 0x8c),
    (0x22, 0xa8, 0x84),
    (0x44, 0xbf, 0x70),
    (0x7a, 0xd1, 0x51),
    (0xbd, 0xdf, 0x26),
    (0xfd, 0xe7, 0x25),
];

/// Numbers on light cells.
pub(super) const ON_LIGHT: Colour = fixed(0x12, 0x14, 0x17);
/// Numbers on dark cells.
pub(super) const ON_DARK: Colour = fixed(0xfd, 0xfd, 0xfe);

/// The colour of a share, 0 to 1.
pub(super) fn colour(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (ANCHORS.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 to 9")]
    let k = (libm::floor(place) as usize).min(ANCHORS.len() - 2);
    let rest = place - k as f64;
    let (a, b) = (ANCHORS[k], ANCHORS[k + 1]);
    let mix = |a: u8, b: u8| {
        let value = libm::round(f64::from(a) + rest * (f64::from(b) - f64::from(a)));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let value = value.clamp(0.0, 255.0) as u8;
        value
    };
    fixed(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Relative luminance, WCAG 2.2.
pub(super) fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// Whether dark numbers are read better on the colour of this share: above this luminance black has the larger contrast.
pub(super) fn is_light(share: f64) -> bool {
    0.18 < luminance(colour(share).light)
}
