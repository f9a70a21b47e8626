//! A question made ready: its powers, its range, its units, and its formulas.

use super::search::{Effect, Size, smallest_effect, smallest_size};
use super::{Answer, Around, Bias, Impossible, Method, Question, Sought, Test};
use crate::exact::Power;
use crate::stats::sample_size::needed;
use crate::stats::special::normal_quantile;

/// A number in another unit, or of another test.
#[derive(Clone, Debug, PartialEq)]
pub struct Also {
    /// What it is.
    pub name: String,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// The powers of a test, by effect and number of items. Here they are summed; a simulation may stand in their place.
pub trait Powers {
    /// The power; none where none can be had.
    ///
    /// # Errors
    /// Why an effect or a size is out of the question.
    fn power(&mut self, effect: f64, size: u64) -> Result<Option<Power>, Impossible>;

    /// The powers at every size from 1 to `to`.
    ///
    /// # Errors
    /// As [`Powers::power`].
    fn curve(&mut self, effect: f64, to: u64) -> Result<Vec<Power>, Impossible> {
        (1..=to).map(|size| Ok(self.power(effect, size)?.unwrap_or(NOTHING))).collect()
    }

    /// The power without the effect: the test's real size.
    ///
    /// # Errors
    /// As [`Powers::power`].
    fn size(&mut self, effect: f64, size: u64) -> Result<Option<Power>, Impossible>;
}

const NOTHING: Power = Power { value: 0.0, error: 1.0 };

/// A power by normal approximation, by effect and real number of items; none where the effect cannot be.
pub(super) type Approximate = Box<dyn Fn(f64, f64) -> Option<f64>>;
/// An effect in other units.
pub(super) type InUnits = Box<dyn Fn(f64) -> Vec<Also>>;

/// A question made ready.
pub(super) struct Prepared {
    pub powers: Box<dyn Powers>,
    /// The effect's name.
    pub effect: &'static str,
    pub unit: &'static str,
    pub counted: &'static str,
    /// No effect.
    pub null: f64,
    /// The largest effect there is.
    pub most_effect: f64,
    /// Why a larger one is none.
    pub beyond: String,
    /// The first step of the search away from the null.
    pub step: f64,
    /// The largest size whose powers are summed; none where a formula answers.
    pub most: Option<u64>,
    pub rule: String,
    pub approximate: Approximate,
    pub in_units: InUnits,
    pub assumed: Vec<(&'static str, String)>,
}

impl Prepared {
    /// Refuses effects that are none, or out of range.
    pub(super) fn check_effect(&self, effect: f64) -> Result<(), Impossible> {
        if effect == self.null || !effect.is_finite() {
            return Err(Impossible(format!(
                "a {} of {effect} is no effect, and no number of {} finds what is not there; give another.",
                self.effect, self.counted
            )));
        }
        if self.most_effect < effect || effect < self.null {
            return Err(Impossible(format!("a {} of {effect} cannot be: {}.", self.effect, self.beyond)));
        }
        Ok(())
    }

    /// The smallest effect at a size, its interval, and how it was come by.
    pub(super) fn effect_for(
        &mut self,
        question: &Question,
        size: u64,
    ) -> Result<(f64, [f64; 2], Method), Impossible> {
        let range = Effect { null: self.null, most: self.most_effect, step: self.step };
        if question.test() == Test::Z {
            let target = question.power;
            let approximate = &self.approximate;
            let mut by_formula = |effect: f64, size: u64| {
                let value = approximate(effect, size as f64);
                Ok(value.map(|value| Power { value, error: 0.0 }))
            };
            let value = smallest_effect(&mut by_formula, size, target, range)
                .map_err(|it| it.told(self, question, size))?
                .value;
            return Ok((value, [value, value], Method::NormalApproximation));
        }
        let powers = &mut self.powers;
        let mut exactly = |effect: f64, size: u64| powers.power(effect, size);
        match smallest_effect(&mut exactly, size, question.power, range) {
            Ok(found) => Ok((found.value, found.interval, Method::Exact)),
            Err(none) => Err(none.told(self, question, size)),
        }
    }

    /// The sizes that an effect needs, and how they were come by.
    pub(super) fn size_for(
        &mut self,
        question: &Question,
        effect: f64,
    ) -> Result<(Size, Method), Impossible> {
        let guess = needed(question.power, |n| (self.approximate)(effect, n).unwrap_or(0.0));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 1e15")]
        let near = if guess.is_finite() { libm::ceil(guess) as u64 } else { u64::MAX };
        let (true, Some(most)) = (question.test() != Test::Z, self.most) else {
            if near == u64::MAX {
                return Err(Impossible(format!(
                    "no number of {} finds a {} of {effect} with a power of {}: it is too small.",
                    self.counted, self.effect, question.power
                )));
            }
            return Ok((Size { first: near, good: near, scanned: near }, Method::NormalApproximation));
        };
        if most < near {
            let about = if near == u64::MAX {
                "no number that can be told".to_owned()
            } else {
                format!("about {near}")
            };
            return Err(Impossible(format!(
                "a {} of {effect} needs {about} {} by the normal approximation, and exact powers are summed up to {most}; \
                 ask for a larger effect, or for --test z.",
                self.effect, self.counted
            )));
        }
        let powers = &mut self.powers;
        let mut curve = |to: u64| powers.curve(effect, to);
        smallest_size(&mut curve, question.power, near, most)?.map(|it| (it, Method::Exact)).ok_or_else(
            || {
                Impossible(format!(
                    "no number of {} up to {most} finds a {} of {effect} with a power of {}.",
                    self.counted, self.effect, question.power
                ))
            },
        )
    }

    /// The interval rule, half of whose samples see the effect: what is often called detectable.
    pub(super) fn half_seen(&self, question: &Question, size: u64) -> Option<Also> {
        let psi = question.discordant.filter(|_| question.bias == Bias::Difference)?;
        let z = normal_quantile(0.5 + question.level.get() / 2.0);
        let value = z * libm::sqrt(psi / size as f64);
        let name = "half-width of the interval, which is seen half of the time".to_owned();
        Some(Also { name, value, unit: self.unit })
    }

    /// Published formulas that are no test of ours.
    pub(super) fn published(&self, question: &Question, effect: f64) -> Vec<Also> {
        if question.bias == Bias::Agreement {
            return super::agreement::published(question, effect);
        }
        Vec::new()
    }

    /// All of it together.
    pub(super) fn answer(
        self,
        question: &Question,
        sought: Sought,
        value: f64,
        interval: [f64; 2],
        (power, size, method): (Option<Power>, Option<Power>, Method),
        beside: Vec<Also>,
        around: Vec<Around>,
    ) -> Answer {
        let (effect, unit) = match sought {
            Sought::Effect { .. } => (value, self.unit),
            Sought::Size { effect, .. } => (effect, self.counted),
        };
        Answer {
            sought,
            bias: question.bias,
            effect: self.effect,
            value,
            unit,
            counted: self.counted,
            interval,
            target: question.power,
            power,
            size,
            method,
            test: question.test(),
            rule: self.rule,
            level: question.level.get(),
            sides: if question.one_sided { 1 } else { 2 },
            assumed: self.assumed,
            also: (self.in_units)(effect),
            beside,
            around,
        }
    }
}
