//! A seat: a judge with its name and its opinions of the pairs, which it may share with others.

use std::sync::Arc;

use crate::judges::Judge;
use crate::stream::{Address, Key, Purpose};
use crate::world::Mood;

/// A judge's opinions of the pairs.
#[derive(Clone, Debug, PartialEq)]
pub enum Taste {
    /// It has none.
    None,
    /// Drawn anew in each replicate.
    Anew,
    /// Drawn once, in standard deviations, by case.
    Once(Vec<f64>),
}

/// How far a judge leans to the answer shown first, beyond its position preference: one draw for a whole study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lean {
    /// Drawn anew in each replicate.
    Anew,
    /// This many standard deviations; 0 for a judge that leans the same in all replicates.
    At(f64),
}

impl Lean {
    /// Where the lean of a judge lives.
    #[must_use]
    pub fn key(seed: u64, judge: &str) -> Key {
        Address::root(seed, Purpose::Lean).at("judge", judge).key()
    }
}

/// Whose opinion a judge has: judges with the same one err together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opinion {
    /// The judge's own, by its name.
    Own(Arc<str>),
    /// One that several judges share, by the name of the opinion.
    Shared(Arc<str>),
}

impl Opinion {
    /// Where the opinion of a case lives.
    #[must_use]
    pub fn key(&self, seed: u64, case: &str) -> Key {
        let (label, name) = match self {
            Opinion::Own(judge) => ("judge", judge),
            Opinion::Shared(name) => ("opinion", name),
        };
        Address::root(seed, Purpose::Taste).at(label, name).at("case", case).key()
    }
}

/// A judge with its name and its opinions.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The judge's name; part of the address of its verdicts.
    pub name: Arc<str>,
    /// The judge.
    pub judge: Arc<dyn Judge>,
    /// How its opinions are drawn.
    pub taste: Taste,
    /// Whose they are.
    pub opinion: Opinion,
    /// How far it leans to the answer shown first.
    pub lean: Lean,
}

impl Seat {
    /// What is drawn of the judge, given its opinion of a pair; one whose lean is not drawn yet stands upright.
    #[must_use]
    pub(crate) fn mood(&self, taste: f64) -> Mood {
        let lean = if let Lean::At(lean) = self.lean { lean } else { 0.0 };
        Mood { taste, lean }
    }
}
