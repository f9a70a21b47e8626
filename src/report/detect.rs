//! What could have been seen, in words, in a table, and as JSON.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::{Deserialize, Serialize};

use super::numbers::{plain, shortest, with_error};
use crate::study::detect::{self as study, Also, Answer, Around, Method, Share, Sought};

/// A number with its name and unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// What it is.
    pub name: String,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: String,
}

/// A row of the table around the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The effect.
    pub effect: f64,
    /// The number of items.
    pub items: u64,
    /// The power.
    pub power: f64,
    /// The replicates it was simulated with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicates: Option<u64>,
}

/// A share of replicates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// The share.
    pub value: f64,
    /// Its Monte Carlo standard error.
    pub mcse: f64,
    /// Wilson's 95 % interval.
    pub interval: [f64; 2],
    /// The replicates.
    pub replicates: u64,
}

/// What a part of a simulation took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// What it was for.
    pub name: String,
    /// The points.
    pub points: u64,
    /// The replicates over all of them.
    pub replicates: u64,
}

/// What a simulated answer rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    /// The replicates that were allowed.
    pub budget: u64,
    /// The confidence of the answer's interval.
    pub level: f64,
    /// The power at the answer.
    pub power: Simulated,
    /// The power without the effect.
    pub size: Option<Simulated>,
    /// What the replicates were spent on.
    pub stages: Vec<Stage>,
    /// What casts doubt on the answer.
    pub notes: Vec<String>,
}

/// The answer as scripts read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// `detect` or `plan`.
    pub question: String,
    /// The bias, or `scenario`.
    pub bias: String,
    /// The smallest effect, or the number of items.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// The power at the answer.
    pub power: Option<f64>,
    /// The power without the effect.
    pub size: Option<f64>,
    /// `exact`, `simulated` or `normal approximation`.
    pub method: String,
    /// Where the answer lies.
    pub interval: [f64; 2],
    /// How far exact powers may be from the true ones; the Monte Carlo standard error of a simulated one.
    pub error: Option<f64>,
    /// The power that was asked for.
    pub target: f64,
    /// The test.
    pub test: String,
    /// The rule with its paper.
    pub rule: String,
    /// The confidence level of the test.
    pub level: f64,
    /// Its sides.
    pub sides: u8,
    /// The effect.
    pub effect: f64,
    /// The number of items.
    pub items: u64,
    /// What is counted.
    pub counted: String,
    /// The smallest number that reaches the power at all.
    pub first: Option<u64>,
    /// Up to which numbers were looked at.
    pub scanned: Option<u64>,
    /// What was assumed.
    pub assumed: std::collections::BTreeMap<String, String>,
    /// The effect in other units.
    pub also: Vec<Named>,
    /// The answers of other tests.
    pub beside: Vec<Named>,
    /// Powers around the answer.
    pub around: Vec<Row>,
    /// What a simulation took, where one answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulation: Option<Simulation>,
}

fn named(all: &[Also]) -> Vec<Named> {
    let one =
        |it: &Also| Named { name: it.name.clone(), value: it.value, unit: it.unit.to_owned() };
    all.iter().map(one).collect()
}

fn simulated(it: &Share) -> Simulated {
    let Share { value, mcse, interval, replicates } = *it;
    Simulated { value, mcse, interval, replicates }
}

fn simulation(it: &study::Simulated) -> Simulation {
    let stage = |it: &study::Stage| Stage {
        name: it.name.to_owned(),
        points: it.points,
        replicates: it.replicates,
    };
    Simulation {
        budget: it.budget,
        level: it.level,
        power: simulated(&it.power),
        size: it.size.as_ref().map(simulated),
        stages: it.stages.iter().map(stage).collect(),
        notes: it.notes.clone(),
    }
}

/// Effect and number of items of an answer.
fn both(it: &Answer) -> (f64, u64) {
    match it.sought {
        Sought::Effect { size } => (it.value, size),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        Sought::Size { effect, .. } => (effect, it.value as u64),
    }
}

impl Found {
    /// The answer in plain numbers and words.
    #[must_use]
    pub fn new(it: &Answer) -> Self {
        let (effect, items) = both(it);
        let (question, first, scanned) = match it.sought {
            Sought::Effect { .. } => ("detect", None, None),
            Sought::Size { first, scanned, .. } => ("plan", Some(first), Some(scanned)),
        };
        let row = |it: &Around| Row {
            effect: it.effect,
            items: it.size,
            power: it.power,
            replicates: it.trials,
        };
        let assumed = it.assumed.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Self {
            question: question.to_owned(),
            bias: it.bias.to_owned(),
            value: it.value,
            unit: it.unit.to_owned(),
            power: it.power.map(|it| it.value),
            size: it.size.map(|it| it.value),
            method: it.method.name().to_owned(),
            interval: it.interval,
            error: it.power.map(|it| it.error),
            target: it.target,
            test: it.test.clone(),
            rule: it.rule.clone(),
            level: it.level,
            sides: it.sides,
            effect,
            items,
            counted: it.counted.to_owned(),
            first,
            scanned,
            assumed: assumed.collect(),
            also: named(&it.also),
            beside: named(&it.beside),
            around: it.around.iter().map(row).collect(),
            simulation: it.simulated.as_ref().map(simulation),
        }
    }
}

/// The answer as JSON.
#[must_use]
pub fn json(it: &Answer) -> String {
    format!("{}\n", serde_json::to_string_pretty(&Found::new(it)).unwrap_or_default())
}

/// The answer in words: a sentence, the test with its size and power, what was assumed, and a small table.
#[must_use]
pub fn text(it: &Answer) -> String {
    let mut lines = vec![sentence(it), String::new()];
    lines.push(format!("Test   {} ({}; level {})", it.test, it.rule, it.level));
    if let Some(found) = &it.simulated {
        lines.extend(by_simulation(it, found));
    } else {
        if let Some(size) = it.size {
            lines.push(format!("Size   {} {}", plain(size.value), size_of(it)));
        }
        let power = it.power.map_or("not summed: too many tables".to_owned(), |it| plain(it.value));
        lines.push(format!("Power  {power} at the answer; {} was asked for", it.target));
    }
    if it.method == Method::NormalApproximation {
        lines.push(
            "Method normal approximation: the answer is a formula's, the powers are exact"
                .to_owned(),
        );
    }
    for (name, value) in &it.assumed {
        lines.push(format!("Given  {name}: {value}"));
    }
    if !it.also.is_empty() {
        lines.push(String::new());
        lines.push("The same effect in other units:".to_owned());
        lines.extend(it.also.iter().map(|it| format!("  {:>12}  {}", amount(it), it.name)));
    }
    if !it.beside.is_empty() {
        lines.push(String::new());
        lines.push("Other tests and formulas say:".to_owned());
        lines.extend(it.beside.iter().map(|it| format!("  {:>12}  {}", amount(it), it.name)));
    }
    lines.push(String::new());
    lines.push(table(it));
    format!("{}\n", lines.join("\n").trim_end())
}

/// The lines on size, power and method of a simulated answer.
fn by_simulation(it: &Answer, found: &study::Simulated) -> Vec<String> {
    let share = |it: &Share| {
        let [low, high] = it.interval.map(plain);
        format!("{} [{low}, {high}], {} replicates,", with_error(it.value, it.mcse), it.replicates)
    };
    let mut lines = Vec::new();
    lines.extend(found.size.iter().map(|size| format!("Size   {} {}", share(size), size_of(it))));
    lines.push(format!(
        "Power  {} at the answer; {} was asked for",
        share(&found.power),
        it.target
    ));
    let spent: u64 = found.stages.iter().map(|it| it.replicates).sum();
    lines.push(format!(
        "Method simulated with {spent} replicates, none used twice; the interval holds the answer with confidence {}",
        found.level
    ));
    for stage in &found.stages {
        lines.push(format!("       {:>7}  {}", stage.replicates, stage.name));
    }
    lines.extend(found.notes.iter().map(|note| format!("Note   {note}")));
    lines
}

/// The answer of a search in a sentence or two, as a study's report tells it.
#[must_use]
pub fn told(it: &Answer) -> String {
    let mut told = vec![sentence(it)];
    if let Some(found) = &it.simulated {
        let power = with_error(found.power.value, found.power.mcse);
        told.push(format!("Its power there is {power}."));
        told.extend(found.notes.iter().map(|note| format!("But {note}")));
    }
    told.join(" ")
}

fn size_of(it: &Answer) -> &'static str {
    match it.bias {
        "equivalence" => "is the chance to claim equivalence at the margin itself",
        _ => "is its chance to reject without the effect",
    }
}

/// A number in its unit: points to two decimals, sizes whole.
fn amount(it: &Also) -> String {
    match it.unit {
        "points" => format!("{:.2} points", it.value),
        "share" | "log-odds" | "kappa" | "log-odds per doubling" | "power" => plain(it.value),
        _ => shortest(it.value),
    }
}

fn sentence(it: &Answer) -> String {
    let (effect, items) = both(it);
    // What is a share or a kappa by its name needs no unit.
    let unit =
        if matches!(it.unit, "log-odds" | "log-odds per doubling" | "score points per doubling") {
            it.unit
        } else {
            ""
        };
    let test = &it.test;
    match it.sought {
        Sought::Effect { .. } => {
            let points = it.also.iter().find(|it| it.unit == "points" && it.value != 0.0);
            let points = points.map(|it| format!(" ({:.2} points)", it.value)).unwrap_or_default();
            format!(
                "With {items} {}, the smallest {} that the {test} test sees with power {} is {}{}{points}{}.",
                it.counted,
                it.effect,
                it.target,
                if it.simulated.is_some() { shortest(effect) } else { plain(effect) },
                if unit.is_empty() { String::new() } else { format!(" {unit}") },
                within(it),
            )
        }
        Sought::Size { first, scanned, .. } => {
            let steady = if it.simulated.is_some() {
                return format!(
                    "{} = {items} reaches power {} by the {test} test{}; a saw-tooth of the power is smoothed over.",
                    it.effect,
                    it.target,
                    within(it)
                );
            } else if it.method == Method::NormalApproximation {
                "by the normal approximation".to_owned()
            } else if first < items {
                format!(
                    "for good; {first} do so first, but some larger numbers do not (looked at up to {scanned})"
                )
            } else {
                format!("and so does every larger number (looked at up to {scanned})")
            };
            if it.bias == "scenario" {
                return format!(
                    "{} = {items} reaches power {} by the {test} test, {steady}.",
                    it.effect, it.target
                );
            }
            format!(
                "{items} {} see a {} of {} with power {} by the {test} test, {steady}.",
                it.counted,
                it.effect,
                shortest(effect),
                it.target
            )
        }
    }
}

/// The interval of a simulated answer.
fn within(it: &Answer) -> String {
    if it.simulated.is_none() {
        return String::new();
    }
    let [low, high] = it.interval.map(shortest);
    format!(" [{low}, {high}], by simulation")
}

fn table(it: &Answer) -> String {
    if it.around.is_empty() {
        return String::new();
    }
    let (effect, items) = both(it);
    let mut table = Table::new();
    table.load_style(NOTHING);
    let by_effect = matches!(it.sought, Sought::Effect { .. });
    table.set_header(vec![if by_effect { it.effect.as_str() } else { it.counted }, "power", ""]);
    for row in &it.around {
        let first = if by_effect { plain(row.effect) } else { row.size.to_string() };
        let here = if by_effect { row.effect == effect } else { row.size == items };
        let (power, beside) = match row.trials {
            Some(n) => {
                let error = libm::sqrt(row.power * (1.0 - row.power) / n as f64);
                (with_error(row.power, error), format!("of {n}"))
            }
            None => (plain(row.power), if here { "<" } else { "" }.to_owned()),
        };
        table.add_row(vec![first, power, beside]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}
