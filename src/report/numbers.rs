//! Numbers as people read them: to their uncertainty, and never more.

use super::Measured;

/// A number with four decimals, a true minus, and no minus zero.
#[must_use]
pub fn plain(value: f64) -> String {
    decimals(value, 4)
}

pub(super) fn decimals(value: f64, digits: usize) -> String {
    if value == f64::INFINITY {
        return "∞".to_owned();
    }
    if value == f64::NEG_INFINITY {
        return "-∞".to_owned();
    }
    let text = format!("{value:.digits$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A number in as few digits as tell it apart, ten at most.
pub(super) fn shortest(value: f64) -> String {
    format!("{}", libm::rint(value * 1e10) / 1e10)
}

/// A figure with its uncertainty: `0.7083 ±0.0009` to two digits of its Monte Carlo standard error, `0.7083` if exact, a
/// dash if undefined; a share of none or all replicates with the limits of its interval, because its error is 0.
#[must_use]
pub fn figure(it: Option<&Measured>) -> String {
    let Some(it) = it else { return String::new() };
    match (it.value, it.mcse, it.interval) {
        (None, ..) => "–".to_owned(),
        (Some(value), Some(0.0), Some([low, high])) => {
            format!("{} [{}, {}]", plain(value), plain(low), plain(high))
        }
        (Some(value), Some(error), _) => with_error(value, error),
        (Some(value), ..) => plain(value),
    }
}

/// A number and its Monte Carlo standard error, to two digits of that.
pub(super) fn with_error(value: f64, error: f64) -> String {
    if error <= ROUNDING || error.is_nan() {
        return plain(value);
    }
    let digits = digits_for(error);
    format!("{} ±{}", decimals(value, digits), decimals(error, digits))
}

/// A smaller Monte Carlo error is the rounding of sums: every replicate said the same.
const ROUNDING: f64 = 1e-12;

/// Decimals that show two digits of an error, at most 8.
pub(super) fn digits_for(error: f64) -> usize {
    let size = libm::floor(libm::log10(error));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=8")]
    let digits = (1.0 - size).clamp(0.0, 8.0) as usize;
    digits
}

/// A number to so many significant digits.
pub(super) fn significant(value: f64, digits: u32) -> String {
    if value == 0.0 || !value.is_finite() {
        return plain(value);
    }
    let size = libm::floor(libm::log10(value.abs()));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=12"
    )]
    let places = (f64::from(digits) - 1.0 - size).clamp(0.0, 12.0) as usize;
    decimals(value, places)
}

/// A share or a difference of shares as points: `12.4`.
pub(super) fn points(share: f64) -> String {
    decimals(100.0 * share, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(value: f64, mcse: f64) -> Measured {
        Measured {
            measure: "power".into(),
            value: Some(value),
            reason: None,
            mcse: Some(mcse),
            interval: Some([0.0, 0.0019]),
            replicates: Some(2000),
            undefined: 0,
        }
    }

    #[test]
    fn numbers_are_shown_to_their_uncertainty() {
        assert_eq!(figure(Some(&measured(0.708_312, 0.000_91))), "0.70831 ±0.00091");
        assert_eq!(figure(Some(&measured(12.345, 3.2))), "12.3 ±3.2");
        assert_eq!(figure(Some(&measured(0.0, 0.0))), "0.0000 [0.0000, 0.0019]");
        assert_eq!(plain(-0.000_01), "0.0000");
        assert_eq!(points(-0.0592), "-5.9");
        assert_eq!([significant(-1.2, 3), significant(0.042_93, 2)], ["-1.20", "0.043"]);
    }
}
