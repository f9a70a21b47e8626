//! What could have been seen, in words, in a table, and as JSON.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use super::numbers::{plain, shortest};
use crate::study::detect::{Also, Answer, Method, Sought};

/// A number with its name and unit.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    value: f64,
    unit: &'a str,
}

/// A row of the table around the answer.
#[derive(Serialize)]
struct Row {
    effect: f64,
    items: u64,
    power: f64,
}

/// The answer as scripts read it.
#[derive(Serialize)]
struct Json<'a> {
    question: &'static str,
    bias: &'static str,
    value: f64,
    unit: &'a str,
    power: Option<f64>,
    size: Option<f64>,
    method: &'static str,
    interval: [f64; 2],
    /// How far the powers may be from the true ones.
    error: Option<f64>,
    target: f64,
    test: &'a str,
    rule: &'a str,
    level: f64,
    sides: u8,
    effect: f64,
    items: u64,
    counted: &'a str,
    first: Option<u64>,
    scanned: Option<u64>,
    assumed: std::collections::BTreeMap<&'static str, &'a str>,
    also: Vec<Named<'a>>,
    beside: Vec<Named<'a>>,
    around: Vec<Row>,
}

fn named(all: &[Also]) -> Vec<Named<'_>> {
    all.iter().map(|it| Named { name: &it.name, value: it.value, unit: it.unit }).collect()
}

/// Effect and number of items of an answer.
fn both(it: &Answer) -> (f64, u64) {
    match it.sought {
        Sought::Effect { size } => (it.value, size),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        Sought::Size { effect, .. } => (effect, it.value as u64),
    }
}

/// The answer as JSON.
#[must_use]
pub fn json(it: &Answer) -> String {
    let (effect, items) = both(it);
    let (question, first, scanned) = match it.sought {
        Sought::Effect { .. } => ("detect", None, None),
        Sought::Size { first, scanned, .. } => ("plan", Some(first), Some(scanned)),
    };
    let row = |it: &crate::study::detect::Around| Row {
        effect: it.effect,
        items: it.size,
        power: it.power,
    };
    let json = Json {
        question,
        bias: it.bias,
        value: it.value,
        unit: it.unit,
        power: it.power.map(|it| it.value),
        size: it.size.map(|it| it.value),
        method: it.method.name(),
        interval: it.interval,
        error: it.power.map(|it| it.error),
        target: it.target,
        test: &it.test,
        rule: &it.rule,
        level: it.level,
        sides: it.sides,
        effect,
        items,
        counted: it.counted,
        first,
        scanned,
        assumed: it.assumed.iter().map(|(name, value)| (*name, value.as_str())).collect(),
        also: named(&it.also),
        beside: named(&it.beside),
        around: it.around.iter().map(row).collect(),
    };
    format!("{}\n", serde_json::to_string_pretty(&json).unwrap_or_default())
}

/// The answer in words: a sentence, the test with its size and power, what was assumed, and a small table.
#[must_use]
pub fn text(it: &Answer) -> String {
    let mut lines = vec![sentence(it), String::new()];
    lines.push(format!("Test   {} ({}; level {})", it.test, it.rule, it.level));
    if let Some(size) = it.size {
        lines.push(format!("Size   {} {}", plain(size.value), size_of(it)));
    }
    let power = it.power.map_or("not summed: too many tables".to_owned(), |it| plain(it.value));
    lines.push(format!("Power  {power} at the answer; {} was asked for", it.target));
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
    let unit = if matches!(it.unit, "log-odds" | "log-odds per doubling") { it.unit } else { "" };
    let test = &it.test;
    match it.sought {
        Sought::Effect { .. } => {
            let points = it.also.iter().find(|it| it.unit == "points" && it.value != 0.0);
            let points = points.map(|it| format!(" ({:.2} points)", it.value)).unwrap_or_default();
            format!(
                "With {items} {}, the smallest {} that the {test} test sees with power {} is {}{}{points}.",
                it.counted,
                it.effect,
                it.target,
                plain(effect),
                if unit.is_empty() { String::new() } else { format!(" {unit}") },
            )
        }
        Sought::Size { first, scanned, .. } => {
            let steady = if it.method == Method::NormalApproximation {
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
        table.add_row(vec![first, plain(row.power), if here { "<" } else { "" }.to_owned()]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}
