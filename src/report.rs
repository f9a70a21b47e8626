//! Reports: what a study found, as sentences, tables, CSV, JSON and charts. Nothing here opens a file or prints.
//!
//! A [`Report`] holds every number that a table or a chart shows, so that both can be drawn again without computing.

mod allocation;
pub mod analysis;
mod assumptions;
pub mod axis;
#[cfg(feature = "charts")]
pub mod canvas;
mod certificate;
#[cfg(feature = "charts")]
pub mod charts;
mod costs;
mod csv;
pub mod detect;
mod format;
mod gate;
mod grid;
mod identified;
mod known;
mod manifest;
mod numbers;
mod page;
#[cfg(feature = "charts")]
mod pictures;
mod powers;
mod published;
mod scatter;
mod shard;
mod table;
pub mod twin;
mod unseen;
mod words;

use serde::{Deserialize, Serialize};

pub use allocation::{Allocation, Way};
pub use assumptions::Assumption;
pub use certificate::{Advice, Certificate};
pub use costs::CostRow;
pub use csv::{DRAWS_HEADER, draw_row, draws_header, performance, verdicts};
pub use format::{as_latex, as_markdown, as_summary};
pub use gate::{Checked, Gate, Outcome};
pub use grid::{Grid, Line};
pub use identified::{identified, identified_in_file};
pub use manifest::{Analyzed, Made, Manifest, digest, outputs};
pub use numbers::{figure, plain};
pub use page::page;
#[cfg(feature = "charts")]
pub use pictures::{Picture, pictures};
pub use powers::{Along, Crossing, PowerSurface, Powers};
pub use published::{Compared, Verdict, summary};
pub use scatter::{Planted, Scored};
pub use shard::{About, Broken, Kind, Merger, PlansAndFiles, Shard};
pub use table::{document, grids, text};
pub use unseen::Smallest;
pub use words::answer;

use known::Known;

use crate::evidence::Asked;
use crate::protocol::Task;
use crate::scenario::{Guide, Plan};
use crate::stats::interval::wilson;
use crate::study::{self, Figure, Gathered, Measure, Row};

/// The version of the shape of `report.json`.
pub const SCHEMA_VERSION: u32 = 1;

/// What a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The shape of this file.
    pub schema_version: u32,
    /// The version of the laboratory.
    pub version: String,
    /// The version of its random numbers.
    pub stream: String,
    /// The study's name, where the scenario holds several.
    pub study: Option<String>,
    /// The question.
    pub question: String,
    /// The answer, in sentences made from the numbers.
    pub answer: Vec<String>,
    /// What a teacher projects beside the study.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide: Option<Guide>,
    /// The seed.
    pub seed: u64,
    /// Replicates a cell.
    pub replicates: u64,
    /// The precision that replicates were added for, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precise>,
    /// The confidence level.
    pub level: f64,
    /// The varied paths.
    pub paths: Vec<String>,
    /// One entry for each judge of each cell.
    pub results: Vec<Result>,
    /// Published figures beside the exact and the simulated ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Compared>,
    /// Conditions on the results, and whether they hold; none where the scenario has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What a round costs, where the scenario has prices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<CostRow>,
    /// The currency of the prices.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub currency: String,
    /// What a search found, where the scenario has a table `[detect]` and there is an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detect: Option<detect::Found>,
    /// What is exactly true along the first varied position, between the cells.
    pub curve: Vec<CurvePoint>,
    /// What the study takes for granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
    /// What it was made from, for whoever repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Exact powers between the cells, where a varied number or two make a chart of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub powers: Option<Powers>,
    /// Scores of one replicate over the lengths of the answers, where a rule fits their slope.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scored: Vec<Scored>,
}

/// A precision that replicates were added for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precise {
    /// The largest Monte Carlo standard error that was asked for.
    pub asked: f64,
    /// The largest that is left.
    pub left: f64,
}

impl Precise {
    /// What is left is `ratio` times what was asked.
    #[must_use]
    pub fn new(asked: f64, ratio: f64) -> Self {
        Self { asked, left: asked * ratio }
    }

    /// In a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        let [asked, left] = [self.asked, self.left].map(|it| numbers::significant(it, 2));
        if self.left <= self.asked {
            format!(
                "Replicates were added until no error was above {asked}; the largest is {left}."
            )
        } else {
            format!(
                "NOT PRECISE ENOUGH: an error of {left} is left where {asked} was asked; raise --max-replicates."
            )
        }
    }
}

/// How the rules did that look at one judge in one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Result {
    /// The value of each varied path.
    pub values: Vec<Value>,
    /// The judge.
    pub judge: String,
    /// What its estimands refer to: `world` or `population`.
    pub target: String,
    /// Pairs of the world.
    pub pairs: u64,
    /// Verdicts a replicate.
    pub calls: u64,
    /// Whether both orders are asked.
    pub both_orders: bool,
    /// The first and the second system.
    pub systems: [String; 2],
    /// The strata by name, where they are told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<String>,
    /// The cases that changed from the second system to the first, where a table names them and no chance decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Changed>,
    /// The rules.
    pub estimators: Vec<Estimated>,
}

/// Cases that changed from the second system to the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// Only the first system's answer passes.
    pub improved: Vec<String>,
    /// Only the second system's answer passes.
    pub regressed: Vec<String>,
}

/// A varied value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// As it is written.
    pub text: String,
    /// As a number, if it is one.
    pub number: Option<f64>,
}

/// One rule's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimated {
    /// `rule` or `rule/variant`.
    pub name: String,
    /// The rule.
    pub rule: String,
    /// The variant, if there are several.
    pub variant: String,
    /// Whether this is the variant to rely on.
    pub chosen: bool,
    /// One line on what it estimates.
    pub summary: String,
    /// The interval and the test.
    pub method: String,
    /// The unit of its numbers.
    pub unit: String,
    /// The value that its test calls no effect.
    pub null: Option<f64>,
    /// The figures.
    pub figures: Vec<Measured>,
    /// Why estimates were undefined, and in how many replicates.
    pub undefined: Vec<Reason>,
    /// The smallest effect that its test detects here; none without a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is measured.
    pub measure: String,
    /// The number; none where it is undefined.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its Monte Carlo standard error; none for an exact number.
    pub mcse: Option<f64>,
    /// For a share of replicates, the limits of Wilson's 95 % interval, which stay honest at 0 and 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The replicates it rests on; none for an exact number.
    pub replicates: Option<u64>,
    /// Replicates in which it was undefined.
    pub undefined: u64,
}

/// A reason and its count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Why.
    pub reason: String,
    /// In how many replicates.
    pub replicates: f64,
}

/// Exact values at one point of the curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The value of each varied path.
    pub values: Vec<Value>,
    /// The judge.
    pub judge: String,
    /// By estimator name: what it should say, and what it should say of a fair judge.
    pub estimands: Vec<(String, Option<f64>, Option<f64>)>,
}

impl Report {
    /// The report of a plan on what its replicates gave.
    #[must_use]
    pub fn new(plan: &Plan, gathered: &[Gathered]) -> Self {
        let rows = study::all_rows(&plan.tasks, gathered, &plan.settings);
        let mut report = Self::of_rows(plan, &rows);
        unseen::fill(&mut report.results, plan.settings.level);
        let mut known = Known::new(plan, gathered, &rows);
        report.published = published::compare(&mut known);
        report.gate = gate::gate(&mut known);
        report.curve = curve(plan);
        report.powers = powers::powers(plan, &report);
        report.scored = scatter::scored(plan);
        report.answer = answer(&report);
        report
    }

    /// A report of a plan on each task's rows, without an answer, published figures, a gate or a curve.
    fn of_rows(plan: &Plan, rows: &[Vec<Row>]) -> Self {
        let mut results: Vec<Result> = Vec::new();
        let mut last = None;
        for (at, (task, rows)) in plan.tasks.iter().zip(rows).enumerate() {
            let leans = 0 < task.design.leaning();
            let rows = rows.iter().map(|row| {
                let it = Estimated::new(row);
                let smallest = if leans { unseen::leaning(&it) } else { None };
                Estimated { smallest, ..it }
            });
            // A judge's own rules and those that compare it with a third party stand together.
            match results.last_mut() {
                Some(result) if last == Some((task.cell, task.judge.clone())) => {
                    result.estimators.extend(rows);
                }
                _ => results.push(Result::new(plan, at, rows.collect())),
            }
            last = Some((task.cell, task.judge.clone()));
        }
        Self {
            schema_version: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            stream: crate::stream::VERSION.to_owned(),
            study: plan.name.clone(),
            question: plan.question.clone(),
            answer: Vec::new(),
            guide: plan.guide.clone(),
            seed: plan.seed,
            replicates: plan.replicates,
            precision: None,
            level: plan.settings.level.get(),
            paths: plan.paths.clone(),
            results,
            published: Vec::new(),
            gate: None,
            costs: costs::rows(plan),
            currency: plan.currency.clone(),
            detect: None,
            curve: Vec::new(),
            assumptions: assumptions::of(plan),
            made: None,
            powers: None,
            scored: Vec::new(),
        }
    }

    /// Adds what the search of a table `[detect]` found, or the sentence that says why there is no answer.
    pub fn add_search(&mut self, found: std::result::Result<&study::detect::Answer, &str>) {
        match found {
            Ok(answer) => {
                self.answer.push(detect::told(answer));
                self.detect = Some(detect::Found::new(answer));
            }
            Err(why) => self.answer.push(format!("[detect] has no answer: {why}")),
        }
    }

    /// The JSON text, indented, with a line feed at the end. Numbers that are not finite are null.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The report of a JSON text that this version has written.
    ///
    /// # Errors
    /// What is wrong with the text, and what to do.
    pub fn from_json(text: &str) -> std::result::Result<Self, String> {
        #[derive(Deserialize)]
        struct Shape {
            schema_version: u32,
        }
        match serde_json::from_str::<Shape>(text) {
            Ok(it) if it.schema_version != SCHEMA_VERSION => Err(format!(
                "the report has shape {} and this judgelab reads shape {SCHEMA_VERSION}; use the version that wrote it, or run the scenario again",
                it.schema_version
            )),
            _ => serde_json::from_str(text).map_err(|error| {
                format!(
                    "line {}: this is no report of judgelab ({error}); run the scenario again",
                    error.line()
                )
            }),
        }
    }

    /// The varied paths, as short as they can be told apart: the last key, or more of them.
    #[must_use]
    pub fn short_paths(&self) -> Vec<String> {
        let parts: Vec<Vec<&str>> =
            self.paths.iter().map(|path| path.split('.').collect()).collect();
        let tail =
            |k: usize, keys: usize| parts[k][parts[k].len().saturating_sub(keys)..].join(".");
        let alone = |k: usize, keys: usize| {
            (0..parts.len()).all(|j| j == k || tail(j, keys) != tail(k, keys))
        };
        (0..parts.len())
            .map(|k| {
                (1..=parts[k].len())
                    .find(|keys| alone(k, *keys))
                    .map_or(self.paths[k].clone(), |it| tail(k, it))
            })
            .collect()
    }
}

impl Result {
    fn new(plan: &Plan, at: usize, estimators: Vec<Estimated>) -> Self {
        let task = &plan.tasks[at];
        let design = &task.design;
        let changed = plan.changes[at].as_ref();
        Self {
            values: values(&plan.cells[task.cell]),
            judge: task.judge.to_string(),
            target: task.target().name().to_owned(),
            pairs: task.cases(),
            calls: task.calls(),
            both_orders: design.protocol.asked == Asked::Both,
            systems: [0, 1].map(|k| design.world.systems[k].system.to_string()),
            strata: design.world.strata.iter().map(|it| it.name.clone()).collect(),
            changed: changed.map(|it| Changed {
                improved: it.improved.clone(),
                regressed: it.regressed.clone(),
            }),
            estimators,
        }
    }

    /// A rule's figures by its full name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Estimated> {
        self.estimators.iter().find(|it| it.name == name)
    }
}

fn values(levels: &[crate::scenario::Level]) -> Vec<Value> {
    levels.iter().map(|it| Value { text: it.text.clone(), number: it.number }).collect()
}

fn curve(plan: &Plan) -> Vec<CurvePoint> {
    let Some(curve) = &plan.curve else { return Vec::new() };
    let point = |task: &Task| {
        let truths = study::truths(task, &plan.settings);
        let estimands = task.estimators.iter().zip(truths);
        CurvePoint {
            values: values(&curve.cells[task.cell]),
            judge: task.judge.to_string(),
            estimands: estimands
                .map(|(it, truth)| (it.name(), truth.estimand.ok(), truth.fair.ok()))
                .collect(),
        }
    };
    curve.tasks.iter().map(point).collect()
}

impl Estimated {
    fn new(row: &Row) -> Self {
        let it = row.estimator;
        let undefined = row.performance.reasons.iter();
        Self {
            name: it.name(),
            rule: it.rule.to_owned(),
            variant: it.variant.to_owned(),
            chosen: it.chosen,
            summary: it.summary.to_owned(),
            method: it.method.to_owned(),
            unit: it.scale.unit().to_owned(),
            null: row.null,
            undefined: undefined
                .map(|(why, count)| Reason { reason: why.0.to_owned(), replicates: *count })
                .collect(),
            figures: row.performance.figures.iter().map(Measured::new).collect(),
            smallest: None,
        }
    }

    /// A figure by its measure.
    #[must_use]
    pub fn get(&self, measure: Measure) -> Option<&Measured> {
        self.figures.iter().find(|it| it.measure == measure.name())
    }

    /// The value of a figure, if it has one.
    #[must_use]
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.get(measure)?.value
    }
}

impl Measured {
    fn new(it: &Figure) -> Self {
        let share = it.measure.is_share();
        let finite = |x: f64| x.is_finite().then_some(x);
        let interval = match (it.value, it.replicates) {
            (Ok(value), Some(n)) if share => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a count"
                )]
                let count = libm::rint(value * n as f64) as u64;
                let interval = wilson(count, n, 0.95);
                Some([interval.low, interval.high])
            }
            _ => None,
        };
        Self {
            measure: it.measure.name().to_owned(),
            value: it.value.ok().and_then(finite),
            reason: it.value.err().map(|why| why.0.to_owned()),
            mcse: it.mcse.and_then(finite),
            interval,
            replicates: it.replicates,
            undefined: it.undefined,
        }
    }
}
