//! Axes: from values to pixels and back to the few round numbers worth printing, and labels that
//! keep out of each other's way.

mod dodge;

pub use dodge::dodge;

/// The thin blank between thousands and before a per-cent sign.
const THIN: char = '\u{2009}';

/// More decimals than this no axis needs; steps finer than that are written as powers of ten.
const MOST_DECIMALS: usize = 9;

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; only values above zero have a place.
    Log,
}

/// How values are written beside an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// As they are.
    #[default]
    Number,
    /// Shares as per cent: 0.25 is written 25 %.
    Percent,
}

impl Format {
    /// The value as text, with as many decimals as tell two values apart that differ by `step`.
    #[must_use]
    pub fn label(self, value: f64, step: f64) -> String {
        match self {
            Self::Number => number(value, decimals(step)),
            Self::Percent => percent(value, decimals(100.0 * step)),
        }
    }
}

/// A range of values laid onto a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    spread: Spread,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale for values from `low` to `high`, in either order, laid onto 0 to 1. Limits that
    /// leave no range (equal, not finite, or not above zero on a logarithmic scale) are moved apart.
    #[must_use]
    pub fn new(spread: Spread, low: f64, high: f64) -> Self {
        let (low, high) = match spread {
            Spread::Linear => apart(low, high),
            Spread::Log => apart_by_ratio(low, high),
        };
        Self { spread, low, high, from: 0.0, to: 1.0 }
    }

    /// The same values laid onto the pixels `from` to `to`; `to` may be the smaller.
    #[must_use]
    pub fn onto(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// The least and the greatest value of the range.
    #[must_use]
    pub fn limits(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// How values are spread.
    #[must_use]
    pub fn spread(&self) -> Spread {
        self.spread
    }

    /// The pixel at which a value lies, beyond the ends for values out of range; NaN for a value
    /// that has no place (NaN, or not above zero on a logarithmic scale). Infinite values lie
    /// infinitely far out.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.spread {
            Spread::Linear => {
                // Halved, so that the difference of two huge limits does not overflow.
                (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
            }
            Spread::Log if value > 0.0 => {
                let (low, high) = (libm::log(self.low), libm::log(self.high));
                (libm::log(value) - low) / (high - low)
            }
            Spread::Log => f64::NAN,
        };
        self.from + share * (self.to - self.from)
    }

    /// Round values within the range, upward, about `wanted` of them (at least two are sought):
    /// multiples of 1, 2 or 5 times a power of ten, or those numbers themselves on a logarithmic
    /// scale.
    #[must_use]
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        match self.spread {
            Spread::Linear => linear_ticks(self.low, self.high, wanted),
            Spread::Log => log_ticks(self.low, self.high, wanted),
        }
    }
}

/// Two finite limits in order with some room between them. Limits that differ by less than their
/// twelfth digit count as equal: their labels could not tell them apart.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let only = match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            let least = (1e-12 * low.abs().max(high.abs())).max(1e-290);
            if high / 2.0 - low / 2.0 > least {
                return (low, high);
            }
            if low / 2.0 - high / 2.0 > least {
                return (high, low);
            }
            low
        }
        (true, false) => low,
        (false, true) => high,
        (false, false) => return (0.0, 1.0),
    };
    let room = if only.abs() < 1e-280 { 1.0 } else { only.abs() / 10.0 };
    ((only - room).max(f64::MIN), (only + room).min(f64::MAX))
}

/// Two positive finite limits in order with some room between them.
fn apart_by_ratio(low: f64, high: f64) -> (f64, f64) {
    let usable = |value: f64| value.is_normal() && value > 0.0;
    match (usable(low), usable(high)) {
        (true, true) if low * (1.0 + 1e-9) < high => (low, high),
        (true, true) if high * (1.0 + 1e-9) < low => (high, low),
        (false, false) => (1.0, 10.0),
        (first, _) => {
            let only = if first { low } else { high };
            ((only / 2.0).max(f64::MIN_POSITIVE), (only * 2.0).min(f64::MAX))
        }
    }
}

/// Ten to the size of a whole power, sign aside, by multiplication, which is exact up to 10^22.
fn tens(power: i32) -> f64 {
    (0..power.unsigned_abs()).fold(1.0, |product, _| product * 10.0)
}

/// A step of 1, 2 or 5 times a power of ten: its leading digit and the power.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    digit: f64,
    power: i32,
}

impl Step {
    /// The step that comes nearest, by ratio, to cutting the range into `parts` parts.
    fn dividing(low: f64, high: f64, parts: usize) -> Self {
        let rough = (high / parts as f64 - low / parts as f64).max(f64::MIN_POSITIVE);
        // The floor of the logarithm of a finite number lies within +-324.
        #[allow(clippy::cast_possible_truncation)]
        let power = libm::floor(libm::log10(rough)) as i32;
        let lead = if power < 0 { rough * tens(power) } else { rough / tens(power) };
        // Halfway between 1, 2, 5 and 10 by ratio lie the square roots of 2, 10 and 50.
        let square = lead * lead;
        let halfway = [(2.0, 1.0), (10.0, 2.0), (50.0, 5.0)];
        match halfway.into_iter().find(|(bound, _)| square < *bound) {
            Some((_, digit)) => Self { digit, power },
            None => Self { digit: 1.0, power: power + 1 },
        }
    }

    /// The `count`-fold of the step. One division by a power of ten gives the double nearest to the
    /// decimal, so that a tick at three tenths is 0.3 and not 0.30000000000000004.
    fn times(self, count: f64) -> f64 {
        let whole = count * self.digit;
        if self.power < 0 { whole / tens(self.power) } else { whole * tens(self.power) }
    }

    /// How many steps lead from zero to the value.
    fn steps_to(self, value: f64) -> f64 {
        let whole =
            if self.power < 0 { value * tens(self.power) } else { value / tens(self.power) };
        whole / self.digit
    }
}

/// Multiples of a round step within the limits.
fn linear_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let step = Step::dividing(low, high, wanted.clamp(2, 50).saturating_sub(1));
    let first = libm::ceil(step.steps_to(low) - 1e-9);
    let last = libm::floor(step.steps_to(high) + 1e-9);
    let mut ticks = Vec::new();
    let mut count = first;
    while count <= last && ticks.len() < 64 {
        // Adding zero turns a negative zero into zero.
        ticks.push(step.times(count) + 0.0);
        count += 1.0;
    }
    // Limits that differ in their last digits, or near the end of the numbers, lose their steps.
    ticks.retain(|tick| tick.is_finite());
    ticks.dedup();
    ticks
}

/// 1, 2 and 5 times the powers of ten within the limits; powers of ten alone, then every second,
/// third, ... of them when that is too many; a linear axis' numbers when it is fewer than three.
fn log_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let most = wanted.clamp(2, 50) * 3 / 2;
    let within = |value: &f64| {
        value.is_finite() && *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9)
    };
    let decade = |power: i32| if power < 0 { 1.0 / tens(power) } else { tens(power) };
    // Limits of a logarithmic scale are normal numbers: their logarithms lie within +-308.
    #[allow(clippy::cast_possible_truncation)]
    let (first, last) =
        (libm::floor(libm::log10(low)) as i32, libm::floor(libm::log10(high)) as i32);
    let powers = (first..=last.max(first)).collect::<Vec<_>>();
    let fine: Vec<f64> = powers
        .iter()
        .flat_map(|&power| [1.0, 2.0, 5.0].map(|digit| Step { digit, power }.times(1.0)))
        .filter(within)
        .collect();
    if fine.len() < 3 {
        return linear_ticks(low, high, wanted).into_iter().filter(|tick| *tick > 0.0).collect();
    }
    if fine.len() <= most {
        return fine;
    }
    let whole: Vec<f64> = powers.iter().map(|&power| decade(power)).filter(within).collect();
    let every = whole.len().div_ceil(most).max(1);
    whole.into_iter().step_by(every).collect()
}

/// The limits moved outward to multiples of the round step that gives about `wanted` ticks.
#[must_use]
pub fn rounded_out(low: f64, high: f64, wanted: usize) -> (f64, f64) {
    let (low, high) = apart(low, high);
    let step = Step::dividing(low, high, wanted.clamp(2, 50).saturating_sub(1));
    let outer = (
        step.times(libm::floor(step.steps_to(low) + 1e-9)) + 0.0,
        step.times(libm::ceil(step.steps_to(high) - 1e-9)) + 0.0,
    );
    if outer.0.is_finite() && outer.1.is_finite() { outer } else { (low, high) }
}

/// The smallest distance between neighbours, which tells how many decimals they need; 1 for fewer
/// than two values.
#[must_use]
pub fn spacing(ticks: &[f64]) -> f64 {
    let gaps = ticks.windows(2).map(|pair| (pair[1] - pair[0]).abs()).filter(|gap| *gap > 0.0);
    let least = gaps.fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// How many decimals tell values apart that differ by `step`: 0.25 needs two, 20 none.
#[must_use]
pub fn decimals(step: f64) -> usize {
    let mut scaled = step.abs();
    for decimals in 0..MOST_DECIMALS {
        // A step read off two ticks carries their rounding, hence the tolerance.
        if !scaled.is_finite() || (scaled - scaled.round()).abs() <= 1e-6 * scaled {
            return decimals;
        }
        scaled *= 10.0;
    }
    MOST_DECIMALS
}

/// A number with thin blanks between thousands (from 1 000 on) and a true minus sign. Numbers
/// of 10^15 and more are written as a power of ten.
#[must_use]
pub fn number(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "not a number".to_owned();
    }
    let size = value.abs();
    if size.is_finite() && size >= 1e15 {
        return format!("{value:e}").replace('-', "\u{2212}");
    }
    let digits = if size.is_finite() {
        format!("{size:.*}", decimals.min(MOST_DECIMALS))
    } else {
        "\u{221e}".to_owned()
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut out = String::new();
    // What rounds to nothing has no sign.
    if value < 0.0 && digits.chars().any(|c| c != '0' && c != '.') {
        out.push('\u{2212}');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.chars().count() - index) % 3 == 0 {
            out.push(THIN);
        }
        out.push(digit);
    }
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// A share as per cent, with a thin blank before the sign.
#[must_use]
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{}{THIN}%", number(100.0 * share, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_exact_decimals() {
        let ticks = Scale::new(Spread::Linear, 0.0, 1.0).ticks(11);
        assert_eq!(ticks, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        assert_eq!(Scale::new(Spread::Linear, 0.45, 0.86).ticks(5), [0.5, 0.6, 0.7, 0.8]);
        assert_eq!(Scale::new(Spread::Linear, 2.0, -1.0).ticks(4), [-1.0, 0.0, 1.0, 2.0]);
        assert_eq!(Scale::new(Spread::Linear, 120.0, 990.0).ticks(6), [200.0, 400.0, 600.0, 800.0]);
    }

    #[test]
    fn log_ticks_are_one_two_five_then_tens_then_fewer() {
        let ticks = Scale::new(Spread::Log, 20.0, 2000.0).ticks(6);
        assert_eq!(ticks, [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0]);
        let ticks = Scale::new(Spread::Log, 1e-3, 1e3).ticks(6);
        assert_eq!(ticks, [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3]);
        assert_eq!(Scale::new(Spread::Log, 1.0, 1e40).ticks(6).len(), 9);
        assert_eq!(Scale::new(Spread::Log, 30.0, 45.0).ticks(4), [30.0, 35.0, 40.0, 45.0]);
    }

    #[test]
    fn strange_limits_still_make_an_axis() {
        let strange = [0.0, -0.0, 1.0, -3.0, 1e300, -1.7e308, 1.7e308, 5e-324, 1.0 + 1e-15];
        let strange = strange.into_iter().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        let strange: Vec<f64> = strange.collect();
        for spread in [Spread::Linear, Spread::Log] {
            for (&low, &high) in strange.iter().flat_map(|a| strange.iter().map(move |b| (a, b))) {
                let scale = Scale::new(spread, low, high).onto(0.0, 100.0);
                let (from, to) = scale.limits();
                assert!(from < to && from.is_finite() && to.is_finite(), "{low} {high}");
                let ticks = scale.ticks(6);
                assert!(ticks.len() <= 64 && ticks.iter().all(|tick| tick.is_finite()));
                assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]), "{low} {high}: {ticks:?}");
                let (out_low, out_high) = rounded_out(low, high, 6);
                assert!(out_low < out_high, "{low} {high}");
            }
        }
    }

    #[test]
    fn values_are_placed_in_proportion() {
        let scale = Scale::new(Spread::Linear, 0.0, 4.0).onto(300.0, 100.0);
        assert_eq!(scale.place(1.0), 250.0);
        assert_eq!(scale.place(5.0), 50.0);
        let scale = Scale::new(Spread::Log, 1.0, 100.0).onto(0.0, 10.0);
        assert!((scale.place(10.0) - 5.0).abs() < 1e-12);
        assert!(scale.place(0.0).is_nan() && scale.place(f64::NAN).is_nan());
        assert_eq!(scale.place(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn limits_are_rounded_outward() {
        assert_eq!(rounded_out(0.47, 0.836, 6), (0.4, 0.9));
        assert_eq!(rounded_out(0.4, 0.9, 6), (0.4, 0.9));
        assert_eq!(rounded_out(0.6901, 0.7121, 5), (0.69, 0.715));
    }

    #[test]
    fn numbers_are_written_as_a_reader_writes_them() {
        assert_eq!(number(1_234_567.0, 0), "1\u{2009}234\u{2009}567");
        assert_eq!(number(999.5, 1), "999.5");
        assert_eq!(number(-0.25, 2), "\u{2212}0.25");
        assert_eq!(number(-0.001, 2), "0.00");
        assert_eq!(number(f64::NEG_INFINITY, 2), "\u{2212}\u{221e}");
        assert_eq!(percent(0.7453, 1), "74.5\u{2009}%");
        assert_eq!(Format::Percent.label(0.705, 0.005), "70.5\u{2009}%");
        assert_eq!(Format::Number.label(0.5, 0.5), "0.5");
        assert_eq!((decimals(0.25), decimals(20.0), decimals(f64::NAN)), (2, 0, 0));
        assert_eq!(decimals(spacing(&[0.0, 0.1, 0.2, 0.3])), 1);
    }
}
