//! What the rounds of a study cost: prompts counted from the protocol, words from the table or as they are given.

use std::sync::Arc;

use super::found::{Found, meant};
use super::wire::CostWire;
use crate::evidence::Asked;
use crate::protocol::{Cost, Prompts, Protocol, Rates};
use crate::quantity::{NonNegative, Positive};
use crate::world::{TableWords, World};

/// What a judge costs in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Costed {
    /// The cell.
    pub cell: usize,
    /// The judge.
    pub judge: Arc<str>,
    /// What it costs.
    pub cost: Cost,
}

/// A price list, checked.
pub(super) struct Prices<'w> {
    wire: &'w CostWire,
    rates: Rates,
    systems: Vec<String>,
    /// Words of each case's prompt without answers, and of each system's answers.
    prompt: Option<Vec<f64>>,
    answers: Vec<Option<Vec<f64>>>,
}

impl<'w> Prices<'w> {
    /// Checks what is given, and reads the words of the world's table if it is one.
    pub(super) fn new(
        wire: &'w CostWire,
        world: &World,
        table: Option<&TableWords>,
        found: &mut Vec<Found>,
    ) -> Self {
        let each = |words: Option<NonNegative>| words.map(|it| vec![it.get(); world.cases.len()]);
        let systems = systems(wire, world);
        let from_table = |k: usize| table.and_then(|it| it.answers.get(k).cloned().flatten());
        let answers: Vec<_> =
            (0..systems.len()).map(|k| each(wire.answer_words).or_else(|| from_table(k))).collect();
        let prompt = each(wire.prompt_words).or_else(|| table.and_then(|it| it.prompt.clone()));
        let prices = wire.input_price.zip(wire.output_price);
        let prices = Self {
            wire,
            rates: Rates {
                tokens_per_word: wire.tokens_per_word.map(Positive::get),
                output_tokens: wire.output_tokens.map(NonNegative::get),
                prices: prices.map(|(input, output)| [input.get(), output.get()]),
            },
            systems,
            prompt,
            answers,
        };
        prices.check(world, table, found);
        prices
    }

    fn check(&self, world: &World, table: Option<&TableWords>, found: &mut Vec<Found>) {
        let wire = self.wire;
        let mut wrong = |key: &str, rule: &str, remedy: &str| {
            found.push(Found::new(&format!("cost.{key}"), rule, remedy));
        };
        match (wire.input_price, wire.output_price) {
            (Some(_), None) => wrong("input-price", "money needs both prices", "add output-price"),
            (None, Some(_)) => wrong("output-price", "money needs both prices", "add input-price"),
            (Some(_), Some(_)) if wire.tokens_per_word.is_none() => {
                wrong("input-price", "money needs tokens", "add tokens-per-word, such as 1.3");
            }
            (Some(_), Some(_)) if wire.output_tokens.is_none() => {
                wrong("output-price", "money needs the tokens of a reply", "add output-tokens");
            }
            _ => {}
        }
        if wire.tokens_per_word.is_some()
            && (self.prompt.is_none() || self.answers.iter().any(Option::is_none))
        {
            let rule = "tokens need the words of prompts and of answers";
            let remedy = "add prompt-words and answer-words, or the columns prompt_words and words_NAME of a table";
            wrong("tokens-per-word", rule, remedy);
        }
        let twice = |k: usize| self.systems[..k].contains(&self.systems[k]);
        if self.systems.is_empty() || (0..self.systems.len()).any(twice) {
            wrong("systems", "systems are named once each", "name those that are graded");
        }
        let known = world.systems.iter().map(|it| &*it.system);
        let stranger = table.and_then(|it| it.unknown.first()).filter(|_| wire.systems.is_some());
        if let Some(unknown) = stranger {
            let rule = format!("the table has no system \"{unknown}\"");
            found.push(Found::new("cost.systems", rule, meant(unknown, known)));
        }
    }

    /// What a judge costs.
    pub(super) fn cost(&self, world: &World, protocol: &Protocol) -> Cost {
        let cases = world.cases.len();
        let sum = |parts: &[&Vec<f64>]| -> Vec<f64> {
            (0..cases).map(|k| parts.iter().filter_map(|it| it.get(k)).sum()).collect()
        };
        let prompts = if protocol.asked == Asked::Each {
            let words: Option<Vec<Vec<f64>>> = self
                .answers
                .iter()
                .map(|it| Some(sum(&[self.prompt.as_ref()?, it.as_ref()?])))
                .collect();
            Prompts {
                count: cases as u64 * self.systems.len() as u64,
                words: words.map(|it| it.concat()),
                times: u64::from(protocol.repeats),
            }
        } else {
            let of = |k: usize| {
                let name = &*world.systems[k].system;
                let place = self.systems.iter().position(|it| it == name)?;
                self.answers[place].as_ref()
            };
            let words = self.prompt.as_ref().and_then(|it| Some(sum(&[it, of(0)?, of(1)?])));
            Prompts { count: cases as u64, words, times: protocol.calls() }
        };
        Cost::of(&prompts, &self.rates)
    }
}

/// The systems whose answers are graded one by one.
pub(super) fn systems(wire: &CostWire, world: &World) -> Vec<String> {
    let compared = || world.systems.iter().map(|it| it.system.to_string()).collect();
    wire.systems.clone().unwrap_or_else(compared)
}
