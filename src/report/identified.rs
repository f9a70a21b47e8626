//! What the designs of a plan can tell apart, in sentences.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::table::push_wrapped;
use crate::analysis::{Standing as InFile, Standings};
use crate::evidence::Asked;
use crate::protocol::{Remedy, Standing, Task, standings};
use crate::scenario::Plan;

/// For each judge, what its designs say of each bias; cells that say the same are told once.
#[must_use]
pub fn identified(plan: &Plan) -> String {
    let mut out = String::new();
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for (judge, tasks) in by_judge(plan) {
        for task in tasks {
            let gold = plan.tasks.iter().any(|it| {
                it.cell == task.cell
                    && it.judge == task.judge
                    && it.estimators.iter().any(|it| it.needs.gold)
            });
            let Some(standings) = standings(&task.design, gold) else { continue };
            let says: Vec<String> = standings.iter().map(|it| sentence(it, task)).collect();
            if !told.iter().any(|it| it.0 == judge && it.1 == says) {
                told.push((judge.to_owned(), says));
            }
        }
    }
    for (k, (judge, says)) in told.iter().enumerate() {
        let others = told.iter().filter(|it| it.0 == *judge).count();
        let nth = 1 + told[..k].iter().filter(|it| it.0 == *judge).count();
        let which = if others < 2 { String::new() } else { format!(" (design {nth} of {others})") };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {judge}{which}:");
        for sentence in says {
            push_wrapped(&mut out, &format!("- {sentence}"), 100);
        }
    }
    if told.is_empty() {
        out.push_str(
            "  No judge here weighs contrasts of a pair: there is nothing to be told apart.\n",
        );
    }
    out
}

/// For each judge of a verdict file, what its columns say of each bias.
#[must_use]
pub fn identified_in_file(all: &[Standings]) -> String {
    let mut out = String::new();
    for it in all {
        let plural = if it.pairs == 1 { "" } else { "s" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {} ({} pair{plural}):", it.judge, it.pairs);
        for told in &it.biases {
            let says = match &told.standing {
                InFile::Identified => "identified".to_owned(),
                InFile::Absent(why) => format!("not told: {why}"),
                InFile::Aliased(with, remedy) => aliased(with, *remedy),
            };
            push_wrapped(&mut out, &format!("- {}: {says}.", told.bias.name()), 100);
        }
    }
    out
}

/// What a bias cannot be told from, and what would help.
fn aliased(with: &[&str], remedy: Option<Remedy>) -> String {
    let remedy = remedy.map_or_else(
        || "no data of the kinds known here would separate them".to_owned(),
        |it| format!("to separate them, {}", it.words()),
    );
    format!("aliased with {}; {remedy}", with.join(" and with "))
}

/// The tasks of each judge, in the judges' order; of a cell's tasks the one that asks most judges.
fn by_judge(plan: &Plan) -> Vec<(&str, Vec<&Task>)> {
    let mut order: Vec<&str> = Vec::new();
    let mut widest: BTreeMap<(&str, usize), &Task> = BTreeMap::new();
    for task in &plan.tasks {
        if !order.contains(&&*task.judge) {
            order.push(&task.judge);
        }
        let entry = widest.entry((&task.judge, task.cell)).or_insert(task);
        if entry.design.seats.len() < task.design.seats.len() {
            *entry = task;
        }
    }
    let tasks = |judge: &str| widest.iter().filter(|it| it.0.0 == judge).map(|it| *it.1).collect();
    order.iter().map(|judge| (*judge, tasks(judge))).collect()
}

fn sentence(it: &Standing, task: &Task) -> String {
    let name = it.bias.name();
    if it.aliased.is_empty() {
        let marginal = task.design.protocol.asked == Asked::Random;
        let how = if marginal { ", as the log-odds over pairs of any difficulty" } else { "" };
        return format!("{name}: identified{how}.");
    }
    format!("{name}: {}.", aliased(&it.aliased, it.remedy))
}
