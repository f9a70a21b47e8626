//! Where a figure stands that is spoken of: in which cell, of which judge, by which rule or cost.

use indexmap::IndexMap;

use super::costs::Costed;
use super::found::{Found, meant};
use super::grid::{Axis, Grid, Level};
use crate::protocol::{CostMeasure, Task};

/// What a figure is a figure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A rule, by its task in the plan and its place in the task.
    Rule {
        /// The task.
        task: usize,
        /// The rule.
        estimator: usize,
    },
    /// A cost, by its place in the plan.
    Cost {
        /// Which judge's in which cell.
        cost: usize,
        /// Which figure of it.
        measure: CostMeasure,
    },
}

/// What can be spoken of.
pub(super) struct Places<'p> {
    pub grid: &'p Grid<'p>,
    pub cells: &'p [Vec<Level>],
    pub tasks: &'p [Task],
    pub costs: &'p [Costed],
}

/// How a place is written.
pub(super) struct Spot<'w> {
    /// The table that speaks, such as `published.3`.
    pub table: String,
    pub at: &'w IndexMap<String, toml::Value>,
    pub judge: Option<&'w str>,
}

impl Spot<'_> {
    /// The path of one of its keys.
    pub(super) fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.table)
    }
}

impl<'p> Places<'p> {
    /// The one cell and the one judge that are meant.
    pub(super) fn judge(
        &self,
        spot: &Spot<'_>,
        found: &mut Vec<Found>,
    ) -> Option<(usize, &'p str)> {
        let cell = self.cell(spot, found)?;
        let mut judges: Vec<&str> = Vec::new();
        for it in self.tasks.iter().filter(|it| it.cell == cell) {
            if !judges.contains(&&*it.judge) {
                judges.push(&it.judge);
            }
        }
        match (spot.judge, judges.as_slice()) {
            (None, [one]) => Some((cell, one)),
            (None, _) => {
                let remedy = "add judge = \"NAME\"";
                found.push(Found::new(&spot.table, "the study has several judges", remedy));
                None
            }
            (Some(judge), all) => {
                let known = all.iter().find(|it| **it == judge);
                if known.is_none() {
                    let rule = format!("there is no judge \"{judge}\"");
                    found.push(Found::new(&spot.key("judge"), rule, meant(judge, judges.clone())));
                }
                known.map(|it| (cell, *it))
            }
        }
    }

    /// What a name such as `difference/exact` or `cost/calls` stands for there.
    pub(super) fn subject(
        &self,
        spot: &Spot<'_>,
        name: &str,
        found: &mut Vec<Found>,
    ) -> Option<Subject> {
        let (cell, judge) = self.judge(spot, found)?;
        let here = |it: &&Costed| it.cell == cell && *it.judge == *judge;
        let costs = self.costs.iter().enumerate().filter(|it| here(&it.1));
        let tasks =
            self.tasks.iter().enumerate().filter(|it| it.1.cell == cell && *it.1.judge == *judge);
        let rules = tasks.flat_map(|(task, it)| {
            let names = it.estimators.iter().enumerate();
            names.map(move |(estimator, it)| (it.name(), Subject::Rule { task, estimator }))
        });
        let costs = costs.flat_map(|(cost, it)| {
            let told =
                CostMeasure::ALL.into_iter().filter(|measure| it.cost.get(*measure).is_some());
            told.map(move |measure| (measure.name().to_owned(), Subject::Cost { cost, measure }))
        });
        let names: Vec<(String, Subject)> = rules.chain(costs).collect();
        let subject = names.iter().find(|it| it.0 == name);
        if subject.is_none() {
            let at = spot.key("estimator");
            let of_cost = name.starts_with("cost/");
            let rule = if of_cost {
                format!("this study does not tell \"{name}\"")
            } else {
                format!("this study has no rule \"{name}\"")
            };
            let known = names.iter().map(|it| it.0.as_str());
            let known = known.filter(|it| of_cost == it.starts_with("cost/"));
            let known: Vec<&str> = known.collect();
            let remedy =
                if known.is_empty() { "add a table [cost]".to_owned() } else { meant(name, known) };
            found.push(Found::new(&at, rule, remedy));
        }
        subject.map(|it| it.1)
    }

    fn cell(&self, spot: &Spot<'_>, found: &mut Vec<Found>) -> Option<usize> {
        let at = spot.key("at");
        let paths: Vec<&str> = self.grid.axes().iter().map(Axis::path).collect();
        if let Some(unknown) = spot.at.keys().find(|path| !paths.contains(&path.as_str())) {
            let rule = format!("\"{unknown}\" is not varied");
            found.push(Found::new(&at, rule, meant(unknown, paths.iter().copied())));
            return None;
        }
        let fits = |levels: &Vec<Level>| {
            let each = paths.iter().zip(levels);
            let mut given = each.filter_map(|(path, level)| Some((spot.at.get(*path)?, level)));
            given.all(|(value, level)| is(value, level))
        };
        let mut fitting = self.cells.iter().enumerate().filter(|it| fits(it.1)).map(|it| it.0);
        match (fitting.next(), fitting.next()) {
            (Some(cell), None) => Some(cell),
            (None, _) => {
                let remedy = "name values that stand under [vary]";
                found.push(Found::new(&at, "no cell has these values", remedy));
                None
            }
            _ => {
                let remedy = "name a value for each varied path";
                found.push(Found::new(&at, "several cells fit", remedy));
                None
            }
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
