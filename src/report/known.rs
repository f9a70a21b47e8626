//! What is known of a figure that a scenario speaks of: exactly, by simulation, or both. Laws and rows are computed once.

use std::collections::BTreeMap;

use crate::estimators::{Estimator, Settings};
use crate::evidence::Weighted;
use crate::protocol::Task;
use crate::scenario::{Plan, Quantity, Subject};
use crate::study::{self, Folded, Gathered, Measure, Row};

/// The most steps of a convolution for a figure: about a tenth of a second.
const MOST: usize = 10_000_000;

/// Laws of evidence by task and reading; none where it cannot be had.
type Laws = BTreeMap<(usize, &'static str), Option<Weighted>>;

/// What a plan and its replicates know.
pub(super) struct Known<'k> {
    plan: &'k Plan,
    gathered: &'k [Gathered],
    laws: Laws,
    /// By task.
    rows: &'k [Vec<Row>],
}

/// A figure.
pub(super) struct Figure {
    /// The judge, the rule, what of it, and the cell.
    pub what: String,
    /// By enumeration or in closed form.
    pub exact: Option<f64>,
    /// By simulation.
    pub simulated: Option<f64>,
    /// Its Monte Carlo standard error.
    pub mcse: Option<f64>,
    /// The standard deviation of the rule's estimates.
    pub spread: f64,
}

/// Exact, simulated, and the Monte Carlo error of the latter.
type Numbers = (Option<f64>, Option<f64>, Option<f64>);

impl<'k> Known<'k> {
    pub(super) fn new(plan: &'k Plan, gathered: &'k [Gathered], rows: &'k [Vec<Row>]) -> Self {
        Self { plan, gathered, laws: BTreeMap::new(), rows }
    }

    pub(super) fn plan(&self) -> &'k Plan {
        self.plan
    }

    /// What is known of a figure.
    pub(super) fn figure(&mut self, subject: Subject, quantity: Quantity) -> Figure {
        match subject {
            Subject::Rule { task, estimator } => self.of_rule(task, estimator, quantity),
            Subject::Cost { cost, measure } => {
                let it = &self.plan.costs[cost];
                Figure {
                    what: format!(
                        "{} {}{}",
                        it.judge,
                        measure.name(),
                        Self::place(self.plan, it.cell)
                    ),
                    exact: it.cost.get(measure),
                    simulated: None,
                    mcse: None,
                    spread: 0.0,
                }
            }
        }
    }

    /// The cell, as a phrase; nothing where there is only one.
    fn place(plan: &Plan, cell: usize) -> String {
        let cell: Vec<&str> = plan.cells[cell].iter().map(|level| level.text.as_str()).collect();
        if cell.is_empty() { String::new() } else { format!(" at {}", cell.join(", ")) }
    }

    fn of_rule(&mut self, at: usize, estimator: usize, quantity: Quantity) -> Figure {
        let plan = self.plan;
        let task = &plan.tasks[at];
        let gathered = &self.gathered[at];
        let row = &self.rows[at][estimator];
        let rule = row.estimator;
        let (exact, simulated, mcse) = match measure(quantity) {
            Some(
                measure @ (Measure::Estimand | Measure::Fair | Measure::Floor | Measure::True),
            ) => {
                let figure = row.performance.get(measure);
                let value = figure.and_then(|it| it.value.ok());
                match figure.and_then(|it| it.mcse) {
                    None => (value, None, None),
                    mcse => (None, value, mcse),
                }
            }
            // What a rule on scores should say is its expectation.
            Some(Measure::Mean) if task.sheet.is_some() => {
                let figure = row.performance.get(Measure::Mean);
                let exact = row.performance.value(Measure::Estimand);
                (exact, figure.and_then(|it| it.value.ok()), figure.and_then(|it| it.mcse))
            }
            Some(measure) => {
                let law = law_of(&mut self.laws, at, task, rule);
                let under = |law: &Weighted| study::under(law, task, rule, &plan.settings).ok();
                let exact = law.and_then(under).and_then(|it| it.value(measure));
                let figure = row.performance.get(measure);
                (exact, figure.and_then(|it| it.value.ok()), figure.and_then(|it| it.mcse))
            }
            None => {
                let place =
                    study::readings(&task.estimators).iter().position(|it| *it == rule.reads);
                let counts = place.and_then(|place| gathered.counts[place].as_ref());
                // What is folded replicate by replicate has no counts; its law may be had.
                let evidence = match counts {
                    Some(counts) => Some(counts),
                    None => law_of(&mut self.laws, at, task, rule),
                };
                match evidence {
                    Some(evidence) => limits(rule, quantity, evidence, &plan.settings),
                    None => folded_limits(quantity, gathered.folded[estimator].as_ref()),
                }
            }
        };
        Figure {
            what: format!(
                "{} {} {}{}",
                task.judge,
                rule.name(),
                words(quantity),
                Self::place(plan, task.cell)
            ),
            exact,
            simulated,
            mcse,
            spread: match quantity {
                // What the figure of one study varies by, from the Monte Carlo error over all of them.
                Quantity::EmpiricalSe | Quantity::Low | Quantity::High | Quantity::P => {
                    mcse.unwrap_or(0.0) * libm::sqrt(plan.replicates as f64)
                }
                _ => row.performance.value(Measure::EmpiricalSe).unwrap_or(0.0),
            },
        }
    }
}

/// The mean limit or p-value; exact where every replicate has the same evidence.
fn limits(
    rule: &Estimator,
    quantity: Quantity,
    evidence: &Weighted,
    settings: &Settings,
) -> Numbers {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    evidence.each(|sums, weight| {
        let limits = (rule.limits)(sums, settings);
        let x = match quantity {
            Quantity::Low => limits.low,
            Quantity::High => limits.high,
            _ => limits.p.unwrap_or(f64::NAN),
        };
        // A limit that bounds nothing counts as what it is: leaving it out would make the mean too good.
        if !x.is_nan() {
            n += weight;
            sum += weight * x;
            squares += weight * x * x;
        }
    });
    if n == 0.0 {
        return (None, None, None);
    }
    let mean = sum / n;
    if evidence.distinct() == 1 || evidence.replicates().is_none() {
        return (Some(mean), None, None);
    }
    if !mean.is_finite() {
        return (None, Some(mean), None);
    }
    let sd = libm::sqrt((squares / n - mean * mean).max(0.0));
    (None, Some(mean), Some(sd / libm::sqrt(n)))
}

/// The law of what a rule reads in a task, computed once.
fn law_of<'l>(
    laws: &'l mut Laws,
    at: usize,
    task: &Task,
    rule: &'static Estimator,
) -> Option<&'l Weighted> {
    let law = laws.entry((at, rule.reads.name));
    law.or_insert_with(|| study::law(task, rule, MOST).ok()).as_ref()
}

/// The mean limit or p-value of a rule that was folded replicate by replicate.
fn folded_limits(
    quantity: Quantity,
    totals: Option<&Folded>,
) -> (Option<f64>, Option<f64>, Option<f64>) {
    let which = match quantity {
        Quantity::Low => 0,
        Quantity::High => 1,
        _ => 2,
    };
    let mean = totals.and_then(|totals| totals.mean_limit(which));
    (None, mean.map(|it| it.0), mean.map(|it| it.1))
}

/// A Monte Carlo error of 0 says that all replicates agreed: an event as rare as 12 in so many may have been missed.
pub(super) fn error_of(mcse: Option<f64>, replicates: u64) -> f64 {
    match mcse {
        Some(0.0) => 3.0 / replicates as f64,
        other => other.unwrap_or(0.0),
    }
}

const fn measure(quantity: Quantity) -> Option<Measure> {
    match quantity {
        Quantity::Estimand => Some(Measure::Estimand),
        Quantity::Fair => Some(Measure::Fair),
        Quantity::Floor => Some(Measure::Floor),
        Quantity::True => Some(Measure::True),
        Quantity::Mean => Some(Measure::Mean),
        Quantity::EmpiricalSe => Some(Measure::EmpiricalSe),
        Quantity::Coverage => Some(Measure::Coverage),
        Quantity::Power => Some(Measure::Power),
        Quantity::Width => Some(Measure::Width),
        Quantity::Low | Quantity::High | Quantity::P => None,
    }
}

const fn words(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Low => "lower limit",
        Quantity::High => "upper limit",
        Quantity::Width => "width",
        Quantity::P => "p-value",
        Quantity::Estimand => "should say",
        Quantity::Fair => "fair judge",
        Quantity::Floor => "noise floor",
        Quantity::True => "truth",
        Quantity::Mean => "mean",
        Quantity::EmpiricalSe => "sd",
        Quantity::Coverage => "coverage",
        Quantity::Power => "rejects",
    }
}
