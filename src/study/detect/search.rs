//! The searches: the effect at which a power is reached, and the size from which it stays.

use super::Impossible;
use crate::exact::Power;
use crate::stats::root::{Sample, bracketed_root};

/// How close a found effect is to the true one, relative to its size.
const TOLERANCE: f64 = 1e-9;

/// Where an effect is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// No effect.
    pub null: f64,
    /// The largest effect there is.
    pub most: f64,
    /// The first step away from the null; it doubles until the power is reached.
    pub step: f64,
}

/// An effect that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The smallest effect with the power.
    pub value: f64,
    /// The bracket it lies in, the powers' error included.
    pub interval: [f64; 2],
}

/// Why no effect was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Missed {
    /// The test rejects as often without an effect.
    Size(f64),
    /// The power stays below this ceiling, which it has at this effect.
    Ceiling(f64, f64),
    /// No power can be had.
    NoPower,
    /// Something else is wrong with the question.
    Other(Impossible),
}

/// The words that a search's failure is told in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<'w> {
    pub effect: &'w str,
    pub unit: &'w str,
    pub counted: &'w str,
    pub target: f64,
    pub size: u64,
}

impl Missed {
    pub(super) fn told(self, words: &Told<'_>) -> Impossible {
        let Told { effect, unit, counted: all, target, size } = *words;
        let counted = if size == 1 { all.trim_end_matches('s') } else { all };
        match self {
            Self::Size(null) => Impossible(format!(
                "without any {effect} the test rejects with probability {null:.4} already, so a power of {target} asks for no \
                 effect; ask for more."
            )),
            Self::Ceiling(ceiling, _) if ceiling < 1e-9 => Impossible(format!(
                "{size} {counted} cannot show a {effect}: whatever they say, the test does not reject; take more {all}."
            )),
            Self::Ceiling(ceiling, at) => Impossible(format!(
                "with {size} {counted} no {effect} is seen with a power of {target}: the power is at most {ceiling:.3} (at \
                 {at:.2}{}{unit}); take more {all}, or ask for less.",
                if unit.is_empty() { "" } else { " " }
            )),
            Self::NoPower => Impossible(format!("no power can be given for {size} {counted}.")),
            Self::Other(why) => why,
        }
    }
}

/// Powers by effect and size, as a search asks for them.
pub type PowerAt<'p> = &'p mut dyn FnMut(f64, u64) -> Result<Option<Power>, Impossible>;

/// The smallest effect above the null at which the power reaches the target. Where a guess is close on either side, the search
/// starts there.
///
/// # Errors
/// Why there is none.
pub fn smallest_effect(
    power: PowerAt<'_>,
    size: u64,
    target: f64,
    range: Effect,
    guess: Option<f64>,
) -> Result<Found, Missed> {
    let mut error: f64 = 0.0;
    // How far the power lies above the target.
    let mut above = |x: f64| -> Result<Sample, Missed> {
        let power = power(x, size).map_err(Missed::Other)?.ok_or(Missed::NoPower)?;
        error = error.max(power.error);
        Ok(Sample { x, y: power.value - target })
    };
    let start = above(range.null)?;
    if 0.0 <= start.y {
        return Err(Missed::Size(start.y + target));
    }
    if let Some(guess) = guess {
        let [low, high] = [0.92, 1.08].map(|by| range.null + by * (guess - range.null));
        let low = above(low)?;
        if low.y < 0.0 {
            let high = above(high.min(range.most))?;
            if 0.0 <= high.y {
                let value = crossing(&mut above, low, high)?;
                return Ok(widened(value, error));
            }
        }
    }
    // The best effect so far, and the one before it.
    let (mut best, mut low, mut last) = (start, start, start);
    let mut step = range.step;
    while last.x < range.most {
        let here = above((range.null + step).min(range.most))?;
        if 0.0 <= here.y {
            let value = crossing(&mut above, last, here)?;
            return Ok(widened(value, error));
        }
        if best.y < here.y {
            (low, best) = (last, here);
        }
        (last, step) = (here, 2.0 * step);
    }
    // The power does not rise to the end: its summit lies between the neighbours of the best effect so far.
    let high = (range.null + 2.0 * (best.x - range.null)).clamp(best.x, range.most);
    let (from, mut last) = (low.x, low);
    for k in 1..16 {
        let here = above(from + (high - from) * f64::from(k) / 16.0)?;
        if 0.0 <= here.y {
            let value = crossing(&mut above, last, here)?;
            return Ok(widened(value, error));
        }
        if best.y < here.y {
            best = here;
        }
        last = here;
    }
    Err(Missed::Ceiling(best.y + target, best.x))
}

/// Powers err by so little that only the search's tolerance widens the interval visibly.
fn widened(value: f64, error: f64) -> Found {
    let by = error + 20.0 * TOLERANCE * libm::fabs(value);
    Found { value, interval: [value - by, value + by] }
}

/// Where the power crosses the target between two effects.
fn crossing(
    above: &mut impl FnMut(f64) -> Result<Sample, Missed>,
    low: Sample,
    high: Sample,
) -> Result<f64, Missed> {
    let asked = std::cell::RefCell::new((above, Ok(())));
    let tolerance = TOLERANCE * libm::fabs(high.x).max(1e-6);
    let value = bracketed_root(low, high, tolerance, |x| {
        let mut it = asked.borrow_mut();
        match (it.0)(x) {
            Ok(sample) => sample.y,
            Err(why) => {
                it.1 = Err(why);
                f64::NAN
            }
        }
    });
    let (above, asked) = asked.into_inner();
    asked?;
    // The root is as good from either side; an answer reaches the power.
    let mut value = value;
    for _ in 0..8 {
        if 0.0 <= above(value)?.y {
            break;
        }
        value = (value + 2.0 * tolerance).min(high.x);
    }
    Ok(value)
}

/// Sizes that reach a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The smallest that reaches it.
    pub first: u64,
    /// The smallest from which it stays.
    pub good: u64,
    /// Up to which it was looked at.
    pub scanned: u64,
}

/// The powers at all sizes from 1 to a number.
pub type CurveTo<'p> = &'p mut dyn FnMut(u64) -> Result<Vec<Power>, Impossible>;

/// The sizes that reach a power; none if none up to `most` does. Powers of discrete tests are saw-teeth: the search goes on
/// until a quarter more items, and fifty, have shown no power below the target.
///
/// # Errors
/// As the curve.
pub fn smallest_size(
    curve: CurveTo<'_>,
    target: f64,
    near: u64,
    most: u64,
) -> Result<Option<Size>, Impossible> {
    let settled = |good: u64| (good + good / 4).saturating_add(50);
    let mut to = settled(near.saturating_add(near / 8)).min(most);
    loop {
        let powers = curve(to)?;
        let reaches = |power: &Power| target <= power.value;
        let place = |at: usize| u64::try_from(at).unwrap_or(u64::MAX);
        let first = powers.iter().position(reaches).map(|at| place(at) + 1);
        let good = powers.iter().rposition(|power| !reaches(power)).map_or(1, |at| place(at) + 2);
        if let Some(first) = first
            && (settled(good) <= to || to == most && good <= to)
        {
            return Ok(Some(Size { first, good, scanned: to }));
        }
        if most <= to {
            return Ok(None);
        }
        to = settled(good).max(to.saturating_mul(2)).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn exactly(value: f64) -> Power {
        Power { value, error: 0.0 }
    }

    #[test]
    fn a_rising_power_is_crossed_where_it_is() {
        let mut power = |x: f64, _: u64| Ok(Some(exactly(1.0 - libm::exp(-x))));
        let range = Effect { null: 0.0, most: 50.0, step: 0.125 };
        let found = smallest_effect(&mut power, 1, 0.8, range, None).unwrap();
        assert!((found.value - libm::log(5.0)).abs() < 1e-8, "{found:?}");
        assert!(found.interval[0] <= libm::log(5.0) && libm::log(5.0) <= found.interval[1]);
    }

    #[test]
    fn a_summit_is_found_on_both_sides() {
        let mut power = |x: f64, _: u64| Ok(Some(exactly(x * libm::exp(1.0 - x))));
        let range = Effect { null: 0.0, most: 50.0, step: 0.35 };
        let found = smallest_effect(&mut power, 1, 0.99, range, None).unwrap();
        assert!((found.value * libm::exp(1.0 - found.value) - 0.99).abs() < 1e-8, "{found:?}");
        let mut low = |x: f64, n: u64| Ok(power(x, n)?.map(|it| exactly(0.5 * it.value)));
        let none = smallest_effect(&mut low, 1, 0.99, range, None).unwrap_err();
        assert!(
            matches!(none, Missed::Ceiling(top, at) if (top - 0.5).abs() < 0.01 && (at - 1.0).abs() < 0.2),
            "{none:?}"
        );
        let none = smallest_effect(&mut |_, _| Ok(Some(exactly(0.9))), 1, 0.8, range, None);
        assert_eq!(none, Err(Missed::Size(0.9)));
    }

    #[test]
    fn a_saw_tooth_has_a_first_size_and_one_for_good() {
        let saw = |n: u64| {
            if n < 40 {
                0.1
            } else if n == 45 || n == 61 {
                0.79
            } else {
                0.85
            }
        };
        let mut curve = |to: u64| Ok((1..=to).map(|n| exactly(saw(n))).collect());
        let it = smallest_size(&mut curve, 0.8, 30, 10_000).unwrap().unwrap();
        assert_eq!((it.first, it.good), (40, 62));
        let mut never = |to: u64| Ok(vec![exactly(0.5); usize::try_from(to).unwrap()]);
        assert_eq!(smallest_size(&mut never, 0.8, 30, 500), Ok(None));
    }
}
