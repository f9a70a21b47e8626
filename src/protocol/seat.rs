//! A seat: a judge with its name and its opinions of the pairs, which it may share with others.

use std::sync::Arc;

use crate::judges::Judge;
use crate::stream::{Address, Key, Purpose};

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
}
