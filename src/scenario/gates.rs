//! Conditions on the results of a study: together they are its gate.

use super::found::{Found, meant};
use super::places::{Places, Spot, Subject};
use super::wire::{GateWire, Quantity};
use crate::protocol::Changes;

/// A condition, placed.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A figure lies within bounds.
    Bound {
        /// What it is a figure of.
        subject: Subject,
        /// Which figure.
        quantity: Quantity,
        /// It is no smaller.
        at_least: Option<f64>,
        /// It is no larger.
        at_most: Option<f64>,
    },
    /// No answer of the first system fails where the second's passes.
    NoRegression {
        /// In cases of these strata.
        strata: Vec<String>,
        /// The judge that says so.
        judge: String,
        /// The cases that break it.
        regressed: Vec<String>,
    },
}

/// What is known of the cases of a task.
pub(super) struct Known<'k> {
    /// Those that changed, where no chance decides and a table names them.
    pub changes: Option<&'k Changes>,
    /// By case of the world: its name and its stratum.
    pub strata: Vec<(&'k str, String)>,
}

/// Places every condition. `known` tells of a task's cases.
pub(super) fn conditions<'k>(
    wires: &[GateWire],
    places: &Places<'_>,
    known: impl Fn(usize) -> Known<'k>,
    found: &mut Vec<Found>,
) -> Vec<Condition> {
    let mut placed = Vec::new();
    for (k, wire) in wires.iter().enumerate() {
        let spot = Spot { table: format!("gate.{k}"), at: &wire.at, judge: wire.judge.as_deref() };
        let condition = match (&wire.estimator, &wire.no_regression_in) {
            (Some(name), None) => bound(wire, &spot, name, places, found),
            (None, Some(strata)) => no_regression(strata, wire, &spot, places, &known, found),
            _ => {
                let rule = "a condition bounds an estimator, or names strata";
                let remedy = "write estimator = \"RULE\" with at-least or at-most, or no-regression-in = [\"STRATUM\"]";
                found.push(Found::new(&spot.table, rule, remedy));
                None
            }
        };
        placed.extend(condition);
    }
    placed
}

fn bound(
    wire: &GateWire,
    spot: &Spot<'_>,
    name: &str,
    places: &Places<'_>,
    found: &mut Vec<Found>,
) -> Option<Condition> {
    let before = found.len();
    if let (None, None) = (wire.at_least, wire.at_most) {
        let remedy = "add at-least = 0.0 or at-most = 0.0";
        found.push(Found::new(&spot.table, "this condition has no bound", remedy));
    }
    for (key, bound) in [("at-least", wire.at_least), ("at-most", wire.at_most)] {
        if bound.is_some_and(|it| !it.is_finite()) {
            found.push(Found::new(&spot.key(key), "a bound is a finite number", "give a number"));
        }
    }
    if let (Some(least), Some(most)) = (wire.at_least, wire.at_most)
        && most < least
    {
        let rule = format!("nothing is at least {least} and at most {most}");
        found.push(Found::new(&spot.key("at-most"), rule, "exchange the two bounds"));
    }
    let subject = places.subject(spot, name, found)?;
    if matches!(subject, Subject::Cost { .. }) && wire.measure != Quantity::Estimand {
        let rule = "a cost has no measures";
        found.push(Found::new(&spot.key("measure"), rule, "remove this key"));
    }
    (found.len() == before).then_some(Condition::Bound {
        subject,
        quantity: wire.measure,
        at_least: wire.at_least,
        at_most: wire.at_most,
    })
}

fn no_regression<'k>(
    strata: &[String],
    wire: &GateWire,
    spot: &Spot<'_>,
    places: &Places<'_>,
    known: impl Fn(usize) -> Known<'k>,
    found: &mut Vec<Found>,
) -> Option<Condition> {
    let at = spot.key("no-regression-in");
    if wire.at_least.is_some() || wire.at_most.is_some() {
        let remedy = "write a second [[gate]] for the bound";
        found.push(Found::new(&at, "strata take no bound", remedy));
        return None;
    }
    let (cell, judge) = places.judge(spot, found)?;
    let task = places.tasks.iter().position(|it| it.cell == cell && *it.judge == *judge)?;
    let known = known(task);
    let Some(changes) = known.changes else {
        let rule = "regressions are listed where no chance decides";
        let remedy = "take [world.table], graded truths, and a pointwise judge without errors";
        found.push(Found::new(&at, rule, remedy));
        return None;
    };
    let mut names: Vec<&str> = known.strata.iter().map(|it| it.1.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.iter().all(|it| it.is_empty()) {
        let remedy = "add a column `stratum` to the table";
        found.push(Found::new(&at, "the table tells no strata", remedy));
        return None;
    }
    if strata.is_empty() {
        let rule = "this condition names no stratum";
        found.push(Found::new(&at, rule, format!("there are {}", names.join(", "))));
        return None;
    }
    for (k, unknown) in strata.iter().enumerate().filter(|it| !names.contains(&it.1.as_str())) {
        let rule = format!("there is no stratum \"{unknown}\"");
        found.push(Found::new(&format!("{at}.{k}"), rule, meant(unknown, names.iter().copied())));
    }
    let inside = |case: &&String| {
        let stratum = known.strata.iter().find(|it| it.0 == case.as_str()).map(|it| &it.1);
        stratum.is_some_and(|it| strata.iter().any(|critical| critical == it))
    };
    Some(Condition::NoRegression {
        strata: strata.to_vec(),
        judge: judge.to_owned(),
        regressed: changes.regressed.iter().filter(inside).cloned().collect(),
    })
}
