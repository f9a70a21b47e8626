//! Published figures beside the exact and the simulated ones, each with a verdict.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::numbers::plain;
use crate::estimators::{Estimator, Settings};
use crate::evidence::Weighted;
use crate::protocol::Task;
use crate::scenario::{Plan, Published, Quantity};
use crate::study::{self, Folded, Gathered, Measure, Row};

/// A published figure and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The study.
    pub study: String,
    /// The judge, the rule and what of it.
    pub what: String,
    /// As published.
    pub published: f64,
    /// The decimals that were printed.
    pub digits: u8,
    /// What is right, where the published value is wrong.
    pub right: Option<f64>,
    /// By enumeration or in closed form.
    pub exact: Option<f64>,
    /// By simulation.
    pub simulated: Option<f64>,
    /// Its Monte Carlo standard error.
    pub mcse: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// What it is, or what went wrong.
    pub note: String,
}

/// What is to be said of a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It agrees: to its printed digits, or within four standard deviations of the study it was drawn in.
    Agrees,
    /// It is wrong, and what is called right agrees.
    Wrong,
    /// Nobody expected this.
    Differs,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Wrong => "published is wrong",
            Verdict::Differs => "DIFFERS",
        }
    }
}

/// The most steps of a convolution for a published figure: about a tenth of a second.
const MOST: usize = 10_000_000;

/// Laws of evidence by task and reading, each computed once; none where it cannot be had.
type Laws = BTreeMap<(usize, &'static str), Option<Weighted>>;

/// Every published figure of a plan.
pub(super) fn compare(plan: &Plan, gathered: &[Gathered]) -> Vec<Compared> {
    let mut laws = Laws::new();
    let mut rows: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
    let one = |it: &Published| {
        let (task, gathered) = (&plan.tasks[it.task], &gathered[it.task]);
        let rows =
            rows.entry(it.task).or_insert_with(|| study::rows(task, gathered, &plan.settings));
        compared(plan, it, task, &rows[it.estimator], gathered, &mut laws)
    };
    plan.published.iter().map(one).collect()
}

fn compared(
    plan: &Plan,
    it: &Published,
    task: &Task,
    row: &Row,
    gathered: &Gathered,
    laws: &mut Laws,
) -> Compared {
    let estimator = row.estimator;
    let key = (it.task, estimator.reads.name);
    let enumerate = || study::law(task, estimator, MOST).ok();
    let (exact, simulated, mcse) = match measure(it.quantity) {
        Some(measure @ (Measure::Estimand | Measure::Fair | Measure::Floor | Measure::True)) => {
            (row.performance.value(measure), None, None)
        }
        // What a rule on scores should say is its expectation.
        Some(Measure::Mean) if task.sheet.is_some() => {
            let figure = row.performance.get(Measure::Mean);
            let exact = row.performance.value(Measure::Estimand);
            (exact, figure.and_then(|it| it.value.ok()), figure.and_then(|it| it.mcse))
        }
        Some(measure) => {
            let law = laws.entry(key).or_insert_with(enumerate).as_ref();
            let law = law.and_then(|law| study::under(law, task, estimator, &plan.settings).ok());
            let figure = row.performance.get(measure);
            let simulated = figure.and_then(|it| it.value.ok());
            (law.and_then(|it| it.value(measure)), simulated, figure.and_then(|it| it.mcse))
        }
        None => {
            let reading = study::readings(&task.estimators);
            let reading = reading.iter().position(|it| *it == estimator.reads);
            let counts = reading.and_then(|reading| gathered.counts[reading].as_ref());
            // What is folded replicate by replicate has no counts; its law may be had.
            let evidence = match counts {
                Some(counts) => Some(counts),
                None => laws.entry(key).or_insert_with(enumerate).as_ref(),
            };
            match evidence {
                Some(evidence) => limits(it.quantity, estimator, &plan.settings, evidence),
                None => folded_limits(it.quantity, gathered.folded[it.estimator].as_ref()),
            }
        }
    };
    let spread = match it.quantity {
        Quantity::Power => share_spread(exact.or(simulated)),
        // What the figure of one study varies by, from the Monte Carlo error over all of them.
        Quantity::EmpiricalSe | Quantity::Low | Quantity::High | Quantity::P => {
            mcse.unwrap_or(0.0) * libm::sqrt(plan.replicates as f64)
        }
        _ => row.performance.value(Measure::EmpiricalSe).unwrap_or(0.0),
    };
    let verdict = verdict(it, exact, simulated, error_of(mcse, plan.replicates), spread);
    let cell: Vec<&str> = plan.cells[task.cell].iter().map(|level| level.text.as_str()).collect();
    let at = if cell.is_empty() { String::new() } else { format!(" at {}", cell.join(", ")) };
    Compared {
        study: plan.name.clone().unwrap_or_default(),
        what: format!("{} {} {}{at}", task.judge, estimator.name(), words(it.quantity)),
        published: it.value,
        digits: it.digits,
        right: it.right,
        exact,
        simulated,
        mcse,
        verdict,
        note: it.note.clone(),
    }
}

/// A Monte Carlo error of 0 says that all replicates agreed: an event as rare as 12 in so many may have been missed.
fn error_of(mcse: Option<f64>, replicates: u64) -> f64 {
    match mcse {
        Some(0.0) => 3.0 / replicates as f64,
        other => other.unwrap_or(0.0),
    }
}

fn share_spread(p: Option<f64>) -> f64 {
    p.map_or(0.0, |p| libm::sqrt(p * (1.0 - p)))
}

fn verdict(
    it: &Published,
    exact: Option<f64>,
    simulated: Option<f64>,
    mcse: f64,
    spread: f64,
) -> Verdict {
    let Some(known) = exact.or(simulated) else { return Verdict::Differs };
    let half = 0.5 * libm::pow(10.0, -f64::from(it.digits)) * (1.0 + 1e-9);
    let monte_carlo = if exact.is_some() { 0.0 } else { 4.0 * mcse };
    let chance = it.draws.map_or(0.0, |n| 4.0 * spread / libm::sqrt(n as f64));
    // The simulation must itself agree with what is exact.
    let sound = match (exact, simulated) {
        (Some(exact), Some(simulated)) => libm::fabs(exact - simulated) <= 4.5 * mcse + 1e-12,
        _ => true,
    };
    let near = |value: f64, by: f64| sound && libm::fabs(value - known) <= by;
    match it.right {
        Some(right) if near(right, half + monte_carlo) && !near(it.value, half) => Verdict::Wrong,
        None if near(it.value, half + monte_carlo + chance) => Verdict::Agrees,
        _ => Verdict::Differs,
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

/// The mean limit or p-value; exact where every replicate has the same evidence.
fn limits(
    quantity: Quantity,
    estimator: &Estimator,
    settings: &Settings,
    evidence: &Weighted,
) -> (Option<f64>, Option<f64>, Option<f64>) {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    evidence.each(|sums, weight| {
        let limits = (estimator.limits)(sums, settings);
        let x = match quantity {
            Quantity::Low => limits.low,
            Quantity::High => limits.high,
            _ => limits.p.unwrap_or(f64::NAN),
        };
        if x.is_finite() {
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
    let sd = libm::sqrt((squares / n - mean * mean).max(0.0));
    (None, Some(mean), Some(sd / libm::sqrt(n)))
}

/// One line on all figures: how many agree, how many are wrong and why. None without figures.
#[must_use]
pub fn summary<'c>(all: impl IntoIterator<Item = &'c Compared>) -> Option<String> {
    let all: Vec<&Compared> = all.into_iter().collect();
    if all.is_empty() {
        return None;
    }
    let count = |verdict| all.iter().filter(|it| it.verdict == verdict).count();
    let wrong: Vec<String> = all
        .iter()
        .filter(|it| it.verdict == Verdict::Wrong)
        .map(|it| {
            let right = it.right.map(plain).unwrap_or_default();
            format!("{} is {right}, not {} ({})", it.what, plain(it.published), it.note)
        })
        .collect();
    let mut line = format!("{} of {} published figures agree", count(Verdict::Agrees), all.len());
    if !wrong.is_empty() {
        let are = if wrong.len() == 1 { "is" } else { "are" };
        line = format!("{line}; {} {are} wrong: {}", wrong.len(), wrong.join("; "));
    }
    let unexplained = count(Verdict::Differs);
    if 0 < unexplained {
        line = format!("{line}; {unexplained} DIFFER without an explanation");
    }
    line.push('.');
    Some(line)
}
