//! Published figures: which task and which rule they speak of.

use super::found::Found;
use super::places::{Places, Spot, Subject};
use super::wire::{PublishedWire, Quantity};

/// A published figure, placed.
#[derive(Clone, Debug)]
pub struct Published {
    /// What it is a figure of.
    pub subject: Subject,
    /// What is published of it.
    pub quantity: Quantity,
    /// The published value.
    pub value: f64,
    /// What is right, where the published value is wrong.
    pub right: Option<f64>,
    /// The decimals that were printed.
    pub digits: u8,
    /// How many studies it is an average of, where it was drawn at random.
    pub draws: Option<u64>,
    /// What it is, or what went wrong.
    pub note: String,
}

/// Places every published figure; one that fits no cell, or several, is a mistake.
pub(super) fn published(
    wires: &[PublishedWire],
    places: &Places<'_>,
    found: &mut Vec<Found>,
) -> Vec<Published> {
    let mut placed = Vec::new();
    for (k, wire) in wires.iter().enumerate() {
        let table = format!("published.{k}");
        let spot = Spot { table, at: &wire.at, judge: wire.judge.as_deref() };
        placed.extend(places.subject(&spot, &wire.estimator, found).map(|subject| Published {
            subject,
            quantity: wire.measure,
            value: wire.value,
            right: wire.right,
            digits: wire.digits,
            draws: wire.draws.map(|it| it.0),
            note: wire.note.clone(),
        }));
    }
    placed
}
