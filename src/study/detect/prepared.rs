//! A question made ready: its powers, its range, its units, and its formulas.

use std::collections::BTreeMap;

use super::search::{Effect, Missed, Size, Told, smallest_effect, smallest_size};
use super::{Answer, Around, Bias, Impossible, Method, Question, Sought};
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

/// How the answer of a formula is called.
const FORMULA: &str = "normal approximation";
const NOTHING: Power = Power { value: 0.0, error: 1.0 };

/// A power by normal approximation, by effect and real number of items; none where the effect cannot be.
pub(super) type Approximate = Box<dyn Fn(f64, f64) -> Option<f64>>;
/// An effect in other units.
pub(super) type InUnits = Box<dyn Fn(f64) -> Vec<Also>>;

/// What was found for a question.
pub(super) struct Worked {
    pub value: f64,
    pub interval: [f64; 2],
    pub power: Option<Power>,
    pub size: Option<Power>,
    pub method: Method,
    pub beside: Vec<Also>,
    pub around: Vec<Around>,
}

/// A question made ready.
pub(super) struct Prepared {
    pub powers: Box<dyn Powers>,
    /// Powers that were summed already, by the bits of their effect and their size.
    pub known: BTreeMap<(u64, u64), Option<Power>>,
    /// The effect's name.
    pub effect: &'static str,
    pub unit: &'static str,
    pub counted: &'static str,
    /// No effect.
    pub null: f64,
    /// The smallest effect there is: the null, or less where effects have two directions.
    pub least_effect: f64,
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
        if self.most_effect < effect || effect < self.least_effect {
            return Err(Impossible(format!(
                "a {} of {effect} cannot be: {}.",
                self.effect, self.beyond
            )));
        }
        Ok(())
    }

    /// The power at an effect and a size; each is summed once.
    pub(super) fn power(&mut self, effect: f64, size: u64) -> Result<Option<Power>, Impossible> {
        let key = (effect.to_bits(), size);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let power = self.powers.power(effect, size)?;
        self.known.insert(key, power);
        Ok(power)
    }

    /// The smallest effect at a size by the formula alone.
    pub(super) fn effect_by_formula(&self, size: u64, target: f64) -> Result<f64, Missed> {
        let mut power = |effect: f64, size: u64| {
            let value = (self.approximate)(effect, size as f64);
            Ok(value.map(|value| Power { value, error: 0.0 }))
        };
        smallest_effect(&mut power, size, target, self.range(), None).map(|found| found.value)
    }

    const fn range(&self) -> Effect {
        Effect { null: self.null, most: self.most_effect, step: self.step }
    }

    fn told(&self, question: &Question, size: u64) -> Told<'_> {
        let target = question.power;
        Told { effect: self.effect, unit: self.unit, counted: self.counted, target, size }
    }

    /// The smallest effect at a size, its interval, and how it was come by.
    pub(super) fn effect_for(
        &mut self,
        question: &Question,
        size: u64,
    ) -> Result<(f64, [f64; 2], Method), Impossible> {
        let by_formula = self.effect_by_formula(size, question.power);
        if question.by_formula() {
            let value = by_formula.map_err(|it| it.told(&self.told(question, size)))?;
            return Ok((value, [value, value], Method::NormalApproximation));
        }
        let range = self.range();
        let mut exactly = |effect: f64, size: u64| self.power(effect, size);
        match smallest_effect(&mut exactly, size, question.power, range, by_formula.ok()) {
            Ok(found) => Ok((found.value, found.interval, Method::Exact)),
            Err(none) => Err(none.told(&self.told(question, size))),
        }
    }

    /// The size that an effect needs by the formula alone; none beyond 10^12.
    fn size_by_formula(&self, effect: f64, target: f64) -> Option<u64> {
        let size = needed(target, |n| (self.approximate)(effect, n).unwrap_or(0.0));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 1e13")]
        size.is_finite().then(|| libm::ceil(size - 1e-9).max(1.0) as u64)
    }

    /// The sizes that an effect needs, and how they were come by.
    pub(super) fn size_for(
        &mut self,
        question: &Question,
        effect: f64,
    ) -> Result<(Size, Method), Impossible> {
        let near = self.size_by_formula(effect, question.power);
        let none = |self_: &Self, most: u64| {
            Impossible(format!(
                "no number of {} up to {most} finds a {} of {effect} with a power of {}; ask for a larger effect, or for less \
                 power.",
                self_.counted, self_.effect, question.power
            ))
        };
        let (false, Some(most)) = (question.by_formula(), self.most) else {
            let size = near.ok_or_else(|| none(self, 1_000_000_000_000))?;
            let sizes = Size { first: size, good: size, scanned: size };
            return Ok((sizes, Method::NormalApproximation));
        };
        let near = near.ok_or_else(|| none(self, most))?;
        if most < near {
            let or = if question.bias == Bias::SelfPreference { "" } else { ", or for --test z" };
            return Err(Impossible(format!(
                "a {} of {effect} needs about {near} {} by the normal approximation, and powers are summed up to {most}; ask for \
                 a larger effect{or}.",
                self.effect, self.counted
            )));
        }
        let powers = &mut self.powers;
        let mut curve = |to: u64| powers.curve(effect, to);
        let found = smallest_size(&mut curve, question.power, near, most)?;
        found.map(|it| (it, Method::Exact)).ok_or_else(|| none(self, most))
    }

    /// What formulas say beside a detected effect.
    pub(super) fn formulas(&self, question: &Question, size: u64) -> Vec<Also> {
        let mut all = Vec::new();
        if let (false, Ok(value)) =
            (question.by_formula(), self.effect_by_formula(size, question.power))
        {
            all.push(Also { name: FORMULA.to_owned(), value, unit: self.unit });
        }
        all.extend(self.half_seen(question, size));
        all
    }

    /// The interval rule, half of whose samples see the effect: what is often called detectable.
    fn half_seen(&self, question: &Question, size: u64) -> Option<Also> {
        let psi = question.discordant.filter(|_| question.bias == Bias::Difference)?;
        let z = normal_quantile(0.5 + question.level.get() / 2.0);
        let value = z * libm::sqrt(psi / size as f64);
        let name = "half-width of the interval, which is seen half of the time".to_owned();
        Some(Also { name, value, unit: self.unit })
    }

    /// What formulas say beside a planned size.
    pub(super) fn published(&self, question: &Question, effect: f64) -> Vec<Also> {
        if question.bias == Bias::Agreement {
            return super::agreement::published(question, effect);
        }
        let size = self.size_by_formula(effect, question.power).filter(|_| !question.by_formula());
        let also =
            |size: u64| Also { name: FORMULA.to_owned(), value: size as f64, unit: self.counted };
        size.map(also).into_iter().collect()
    }

    /// All of it together.
    pub(super) fn answer(self, question: &Question, sought: Sought, found: Worked) -> Answer {
        let Worked { value, interval, power, size, method, beside, around } = found;
        let (effect, unit) = match sought {
            Sought::Effect { .. } => (value, self.unit),
            Sought::Size { effect, .. } => (effect, self.counted),
        };
        Answer {
            sought,
            bias: question.bias.name(),
            effect: self.effect.to_owned(),
            value,
            unit,
            counted: self.counted,
            interval,
            target: question.power,
            power,
            size,
            method,
            test: question.test().name().to_owned(),
            rule: self.rule,
            level: question.level.get(),
            sides: if question.one_sided { 1 } else { 2 },
            assumed: self.assumed,
            also: (self.in_units)(effect),
            beside,
            around,
            simulated: None,
        }
    }
}
