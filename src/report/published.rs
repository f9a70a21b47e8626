//! Published figures beside the exact and the simulated ones, each with a verdict.

use serde::{Deserialize, Serialize};

use super::known::{Figure, Known, error_of};
use super::numbers::plain;
use crate::scenario::{Plan, Published, Quantity};

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

/// Every published figure of a plan.
pub(super) fn compare(known: &mut Known<'_>) -> Vec<Compared> {
    let plan = known.plan();
    plan.published.iter().map(|it| compared(plan, it, known)).collect()
}

fn compared(plan: &Plan, it: &Published, known: &mut Known<'_>) -> Compared {
    let figure = known.figure(it.subject, it.quantity);
    let Figure { what, exact, simulated, mcse, spread } = figure;
    let spread =
        if it.quantity == Quantity::Power { share_spread(exact.or(simulated)) } else { spread };
    let verdict = verdict(it, exact, simulated, error_of(mcse, plan.replicates), spread);
    Compared {
        study: plan.name.clone().unwrap_or_default(),
        what,
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
