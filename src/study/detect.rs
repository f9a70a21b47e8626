//! What could have been seen: the smallest effect that a test detects with the items at hand, and the items that an effect
//! needs. Powers are summed exactly; where there is no law to sum they are simulated, and where a normal approximation is
//! asked for, it is named so.
//!
//! A [`Question`] says what is known; [`detect`] and [`plan`] answer it, or say in a sentence why nothing can.

mod agreement;
mod alike;
mod crossing;
mod judged;
mod prepared;
mod question;
mod rates;
mod scenario;
mod search;
mod simulated;
mod swap;

pub use crossing::Stage;
pub use prepared::{Also, Powers};
pub use question::{Bias, Question, Test, Truth};
pub use scenario::{Parameter, PlanAt, in_scenario};
pub use search::{CurveTo, Effect, Found, Missed, PowerAt, Size, smallest_effect, smallest_size};
pub use simulated::{BUDGET, Share, Simulated, Simulation};

use crate::exact::Power;
use prepared::Worked;

/// A question without an answer: one sentence that says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible(pub String);

impl Impossible {
    fn because(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl From<String> for Impossible {
    fn from(why: String) -> Self {
        Self(why)
    }
}

/// How an answer was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Powers summed over the law of the evidence.
    Exact,
    /// A published formula on the normal scale; the power beside it is exact all the same.
    NormalApproximation,
    /// Powers that were simulated: the answer has an interval, its power a Monte Carlo error.
    Simulated,
}

impl Method {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::NormalApproximation => "normal approximation",
            Method::Simulated => "simulated",
        }
    }
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sought {
    /// The smallest effect at this size.
    Effect {
        /// Pairs, cases or labels.
        size: u64,
    },
    /// The size that this effect needs.
    Size {
        /// In the question's own unit.
        effect: f64,
        /// The smallest size that reaches the power at all, where the power is a saw-tooth.
        first: u64,
        /// Sizes up to which powers were looked at.
        scanned: u64,
    },
}

/// A row of the small table around an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around {
    /// The effect.
    pub effect: f64,
    /// The size.
    pub size: u64,
    /// Its power.
    pub power: f64,
    /// The replicates it was simulated with; none where it is exact.
    pub trials: Option<u64>,
}

/// What could be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was asked for.
    pub sought: Sought,
    /// The bias, or `scenario`.
    pub bias: &'static str,
    /// The effect's name, such as `position preference`, or a path of a scenario.
    pub effect: String,
    /// The smallest effect, or the number of items.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What is counted: pairs, cases, items.
    pub counted: &'static str,
    /// The interval that the answer lies in: the search's tolerance and the powers' error.
    pub interval: [f64; 2],
    /// The power that was asked for.
    pub target: f64,
    /// The power at the answer, exact or simulated; none where neither can be had.
    pub power: Option<Power>,
    /// The test's real size: its power without an effect.
    pub size: Option<Power>,
    /// How the value was come by.
    pub method: Method,
    /// The test by its short name.
    pub test: String,
    /// The rule and its paper.
    pub rule: String,
    /// The confidence level.
    pub level: f64,
    /// Sides of the test, 1 or 2.
    pub sides: u8,
    /// What was assumed, as name and value.
    pub assumed: Vec<(&'static str, String)>,
    /// The effect in other units.
    pub also: Vec<Also>,
    /// The answers of other tests and formulas.
    pub beside: Vec<Also>,
    /// Powers around the answer.
    pub around: Vec<Around>,
    /// What a simulation took and how sure it is, where one answered.
    pub simulated: Option<Simulated>,
}

/// The smallest effect that the question's test detects with `size` items.
///
/// # Errors
/// One sentence why there is none.
pub fn detect(question: &Question, size: u64) -> Result<Answer, Impossible> {
    question.check(Some(size))?;
    let mut it = question.prepare()?;
    if let Some(most) = it.most.filter(|most| *most < size) {
        return Err(Impossible(format!(
            "the powers of {size} {} are more than can be summed; ask about at most {most}, or by --scenario, which simulates \
             what is too large.",
            it.counted
        )));
    }
    let (value, interval, method) = it.effect_for(question, size)?;
    let power = it.power(value, size)?;
    let null = match it.known.get(&(it.null.to_bits(), size)) {
        Some(known) if question.bias != Bias::Equivalence => *known,
        _ => it.powers.size(value, size)?,
    };
    let mut beside = Vec::new();
    for test in question.other_tests() {
        let other = Question { test: Some(test), ..question.clone() };
        if let Ok((value, ..)) = other.prepare().and_then(|mut it| it.effect_for(&other, size)) {
            beside.push(Also { name: test.label().to_owned(), value, unit: it.unit });
        }
    }
    beside.extend(it.formulas(question, size));
    let mut around = Vec::new();
    for share in [0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5] {
        let effect = it.null + (value - it.null) * share;
        if effect <= it.most_effect {
            let power = it.power(effect, size)?;
            around.extend(power.map(|power| Around {
                effect,
                size,
                power: power.value,
                trials: None,
            }));
        }
    }
    let sought = Sought::Effect { size };
    let found = Worked { value, interval, power, size: null, method, beside, around };
    Ok(it.answer(question, sought, found))
}

/// The items that the question's test needs for an effect: the smallest number from which the power stays.
///
/// # Errors
/// One sentence why there is none.
pub fn plan(question: &Question, effect: f64) -> Result<Answer, Impossible> {
    question.check(None)?;
    let mut it = question.prepare()?;
    it.check_effect(effect)?;
    let (sizes, method) = it.size_for(question, effect)?;
    let power = it.power(effect, sizes.good)?;
    let null = it.powers.size(effect, sizes.good)?;
    let mut beside = Vec::new();
    for test in question.other_tests() {
        let other = Question { test: Some(test), ..question.clone() };
        if let Ok((sizes, _)) = other.prepare().and_then(|mut it| it.size_for(&other, effect)) {
            let value = sizes.good as f64;
            beside.push(Also { name: test.label().to_owned(), value, unit: it.counted });
        }
    }
    if question.by_formula() {
        beside.extend(real_powers(question, effect, sizes.good));
    }
    beside.extend(it.published(question, effect));
    let mut around = Vec::new();
    for size in neighbours(&sizes) {
        if let Some(power) = it.power(effect, size)? {
            around.push(Around { effect, size, power: power.value, trials: None });
        }
    }
    let sought = Sought::Size { effect, first: sizes.first, scanned: sizes.scanned };
    let value = sizes.good as f64;
    let interval = [value, value];
    let found = Worked { value, interval, power, size: null, method, beside, around };
    Ok(it.answer(question, sought, found))
}

/// What summed tests see at a size that a formula gave.
fn real_powers(question: &Question, effect: f64, size: u64) -> Vec<Also> {
    let one = |test: Test| {
        let other = Question { test: Some(test), ..question.clone() };
        let power = other.prepare().and_then(|mut it| it.power(effect, size)).ok()??;
        let name = format!("power of the {} at {size}", test.label());
        Some(Also { name, value: power.value, unit: "power" })
    };
    question.other_tests().into_iter().filter_map(one).collect()
}

/// Sizes worth showing around an answer, rising.
fn neighbours(sizes: &Size) -> Vec<u64> {
    let good = sizes.good;
    let mut all = vec![good / 2, good * 3 / 4, sizes.first.saturating_sub(1), sizes.first];
    all.extend([good.saturating_sub(1), good, good + 1, good + good / 4, good + good / 2]);
    all.retain(|size| 0 < *size);
    all.sort_unstable();
    all.dedup();
    all
}
