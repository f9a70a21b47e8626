//! Published figures: which task and which rule they speak of.

use super::found::{Found, meant};
use super::grid::{Grid, Level};
use super::wire::{PublishedWire, Quantity};
use crate::protocol::Task;

/// A published figure, placed.
#[derive(Clone, Debug)]
pub struct Published {
    /// The task it speaks of, by its place in the plan.
    pub task: usize,
    /// The rule, by its place in the task.
    pub estimator: usize,
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
    grid: &Grid<'_>,
    cells: &[Vec<Level>],
    tasks: &[Task],
    found: &mut Vec<Found>,
) -> Vec<Published> {
    let mut placed = Vec::new();
    for (k, wire) in wires.iter().enumerate() {
        let at = |key: &str| format!("published.{k}.{key}");
        let Some(cell) = cell(wire, grid, cells, &at("at"), found) else { continue };
        let judges: Vec<&str> =
            tasks.iter().filter(|it| it.cell == cell).map(|it| &*it.judge).collect();
        let judge = match &wire.judge {
            Some(judge) if judges.contains(&judge.as_str()) => judge.as_str(),
            None if judges.windows(2).all(|two| two[0] == two[1]) => {
                judges.first().copied().unwrap_or("")
            }
            Some(judge) => {
                found.push(Found::new(
                    &at("judge"),
                    format!("there is no judge \"{judge}\""),
                    meant(judge, judges),
                ));
                continue;
            }
            None => {
                found.push(Found::new(
                    &at("estimator"),
                    "the study has several judges",
                    "add judge = \"NAME\"",
                ));
                continue;
            }
        };
        let mine =
            tasks.iter().enumerate().filter(|(_, it)| it.cell == cell && *it.judge == *judge);
        let names: Vec<(usize, usize, String)> = mine
            .flat_map(|(task, it)| {
                it.estimators.iter().enumerate().map(move |(e, it)| (task, e, it.name()))
            })
            .collect();
        let Some((task, estimator, _)) = names.iter().find(|it| it.2 == wire.estimator) else {
            let rule = format!("this study has no rule \"{}\"", wire.estimator);
            found.push(Found::new(
                &at("estimator"),
                rule,
                meant(&wire.estimator, names.iter().map(|it| it.2.as_str())),
            ));
            continue;
        };
        placed.push(Published {
            task: *task,
            estimator: *estimator,
            quantity: wire.measure,
            value: wire.value,
            right: wire.right,
            digits: wire.digits,
            draws: wire.draws.map(|it| it.0),
            note: wire.note.clone(),
        });
    }
    placed
}

/// The one cell that a figure names.
fn cell(
    wire: &PublishedWire,
    grid: &Grid<'_>,
    cells: &[Vec<Level>],
    at: &str,
    found: &mut Vec<Found>,
) -> Option<usize> {
    let paths: Vec<&str> = grid.axes().iter().map(super::grid::Axis::path).collect();
    if let Some(unknown) = wire.at.keys().find(|path| !paths.contains(&path.as_str())) {
        let rule = format!("\"{unknown}\" is not varied");
        found.push(Found::new(at, rule, meant(unknown, paths.iter().copied())));
        return None;
    }
    let fits = |levels: &Vec<Level>| {
        paths
            .iter()
            .zip(levels)
            .all(|(path, level)| wire.at.get(*path).is_none_or(|value| is(value, level)))
    };
    let mut fitting = cells.iter().enumerate().filter(|it| fits(it.1)).map(|it| it.0);
    match (fitting.next(), fitting.next()) {
        (Some(cell), None) => Some(cell),
        (None, _) => {
            found.push(Found::new(
                at,
                "no cell has these values",
                "name values that stand under [vary]",
            ));
            None
        }
        _ => {
            found.push(Found::new(at, "several cells fit", "name a value for each varied path"));
            None
        }
    }
}

fn is(value: &toml::Value, level: &Level) -> bool {
    let number = value.as_float().or_else(|| value.as_integer().map(|it| it as f64));
    match (number, level.number) {
        (Some(a), Some(b)) => a == b,
        // A list or table is compared as what it says, however it is spaced.
        _ if value.is_array() || value.is_table() => {
            let said: Result<toml::Table, _> = toml::from_str(&format!("x = {}", level.text));
            said.is_ok_and(|it| it.get("x") == Some(value))
        }
        _ => value.as_str() == Some(level.text.as_str()),
    }
}
