//! A certificate: for one design, how each interval and test on offer does, and which one to use.

use std::fmt::Write;

use comfy_table::Cell;
use serde::{Deserialize, Serialize};

use super::table::{align, lines, notes, plain_table, push_wrapped, unanswered};
use super::{Estimated, Report, Result, figure, plain};
use crate::scenario::Plan;
use crate::study::{self, Gathered, Measure};

/// How every method did, and which to use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Which method to use, by cell, judge and what is estimated.
    pub advice: Vec<Advice>,
    /// Every figure.
    #[serde(flatten)]
    pub report: Report,
}

/// Which of the methods for one number to use in one design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The cell, by its place among the results.
    pub result: usize,
    /// The methods that estimate the same number.
    pub methods: Vec<String>,
    /// The one to use; none where none holds what it states.
    pub recommended: Option<String>,
    /// Why, and what is wrong with the others.
    pub because: String,
}

/// Half a point: what misses its level by less than this is as good as what meets it.
const TOLERANCE: f64 = 0.005;

/// Methods whose estimands differ by less estimate the same number.
const SAME: f64 = 1e-9;

impl Certificate {
    /// The certificate of a plan on what its replicates gave.
    #[must_use]
    pub fn new(plan: &Plan, gathered: &[Gathered]) -> Self {
        let rows = |(task, gathered)| {
            study::certificate(task, gathered, plan.seed, 0..plan.replicates, &plan.settings)
        };
        let rows: Vec<_> = plan.tasks.iter().zip(gathered).map(rows).collect();
        let report = Report::of_rows(plan, &rows);
        let advice = report
            .results
            .iter()
            .enumerate()
            .flat_map(|(k, result)| advice(k, result, report.level))
            .collect();
        Self { advice, report }
    }

    /// The JSON text, indented, with a line feed at the end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The certificate as text, `width` columns wide (none: as wide as it needs).
    #[must_use]
    pub fn text(&self, width: Option<u16>) -> String {
        let wrap = usize::from(width.unwrap_or(100)).clamp(40, 120);
        let mut out = String::new();
        let report = &self.report;
        let title = report.study.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
        if !report.question.is_empty() {
            push_wrapped(&mut out, &format!("{title}{}", report.question), wrap);
            out.push('\n');
        }
        for (k, result) in report.results.iter().enumerate() {
            let cell: Vec<String> = report
                .short_paths()
                .iter()
                .zip(&result.values)
                .map(|(path, value)| format!("{path} {}", value.text))
                .collect();
            let at = if cell.is_empty() { String::new() } else { format!(", {}", cell.join(", ")) };
            // Writing to a string cannot fail.
            let _ =
                writeln!(out, "{}{at} · {} cases\n{}\n", result.judge, result.pairs, table(result));
            for sentence in unanswered(result.estimators.iter()) {
                push_wrapped(&mut out, &sentence, wrap);
            }
            for advice in self.advice.iter().filter(|it| it.result == k) {
                push_wrapped(&mut out, &advice.because, wrap);
            }
            out.push('\n');
        }
        push_wrapped(&mut out, NOTES, wrap);
        push_wrapped(&mut out, &notes(report), wrap);
        out
    }
}

const NOTES: &str = "\"Stated / true se\" is the standard error that intervals state over the sd of the estimates. \
\"Re-centred\" is the coverage of the mean estimate: what coverage would be without the bias. \"Wrong sign\" and \"too large\" \
speak of the replicates that reject: the share on the wrong side of no effect, and how many times the effect is overstated.";

const COLUMNS: [(&str, Measure); 10] = [
    ("should say", Measure::Estimand),
    ("bias", Measure::Bias),
    ("sd", Measure::EmpiricalSe),
    ("stated / true se", Measure::SeRatio),
    ("coverage", Measure::Coverage),
    ("re-centred", Measure::BiasEliminated),
    ("rejects", Measure::Power),
    ("wrong sign", Measure::TypeS),
    ("too large", Measure::TypeM),
    ("width", Measure::Width),
];

fn table(result: &Result) -> String {
    let shown: Vec<(&str, Measure)> = COLUMNS
        .into_iter()
        .filter(|it| result.estimators.iter().any(|rule| rule.get(it.1).is_some()))
        .collect();
    let mut table = plain_table();
    let header = std::iter::once("method").chain(shown.iter().map(|it| it.0));
    table.set_header(header.map(Cell::new).chain([Cell::new("undefined")]));
    for it in &result.estimators {
        let mut row = vec![format!("{}{}", it.name, if it.chosen { " *" } else { "" })];
        row.extend(shown.iter().map(|(_, measure)| figure(it.get(*measure))));
        row.push(undefined(it));
        table.add_row(row.iter().map(Cell::new));
    }
    align(&mut table, 1..usize::MAX);
    lines(&table)
}

/// The share of replicates without an estimate.
fn undefined(it: &Estimated) -> String {
    let Some(mean) = it.get(Measure::Mean) else { return String::new() };
    let all = mean.replicates.unwrap_or(0) + mean.undefined;
    if mean.undefined == 0 { "none".to_owned() } else { plain(mean.undefined as f64 / all as f64) }
}

/// Advice on each number that a judge's rules estimate.
fn advice(result: usize, of: &Result, level: f64) -> Vec<Advice> {
    let mut groups: Vec<Vec<&Estimated>> = Vec::new();
    for it in &of.estimators {
        let fits = |group: &&mut Vec<&Estimated>| {
            let first = group[0];
            let (a, b) = (first.value(Measure::Estimand), it.value(Measure::Estimand));
            first.rule == it.rule && a.zip(b).is_some_and(|(a, b)| libm::fabs(a - b) <= SAME)
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(it),
            None => groups.push(vec![it]),
        }
    }
    groups
        .iter()
        .filter(|group| group[0].value(Measure::Coverage).is_some())
        .map(|group| choose(result, group, level))
        .collect()
}

/// What a method fails to hold; none where it holds what it states.
fn failing(it: &Estimated, level: f64) -> Option<String> {
    let coverage = it.get(Measure::Coverage)?;
    if let (Some(value), Some([_, high])) = (coverage.value, coverage.interval)
        && high < level - TOLERANCE
    {
        return Some(format!(
            "{} covers {} where {} is stated",
            it.name,
            plain(value),
            plain(level)
        ));
    }
    let size = it.get(Measure::Power)?;
    let no_effect =
        it.null.zip(it.value(Measure::Estimand)).is_some_and(|(a, b)| libm::fabs(a - b) <= SAME);
    match (size.value, size.interval) {
        (Some(value), Some([low, _])) if no_effect && 1.0 - level + TOLERANCE < low => {
            Some(format!(
                "{} rejects {} of true nulls where {} is stated",
                it.name,
                plain(value),
                plain(1.0 - level)
            ))
        }
        _ => None,
    }
}

/// Widths that differ by less than this share are as good as equal.
const AS_NARROW: f64 = 0.01;

/// The mean width; infinite where some replicate has no finite interval: a method whose interval is often the whole line
/// is not the narrowest.
fn width(it: &Estimated) -> f64 {
    match it.get(Measure::Width) {
        Some(width) if width.undefined == 0 => width.value.unwrap_or(f64::INFINITY),
        _ => f64::INFINITY,
    }
}

/// The best of methods that hold what they state, and why.
fn best<'a>(sound: &[&'a Estimated], level: f64) -> Option<(&'a Estimated, &'static str)> {
    let narrowest = sound.iter().map(|it| width(it)).fold(f64::INFINITY, f64::min);
    let power = |it: &Estimated| it.value(Measure::Power).unwrap_or(0.0);
    let miss = |it: &Estimated| {
        it.value(Measure::Coverage).map_or(1.0, |coverage| libm::fabs(coverage - level))
    };
    let ranked = |better: &dyn Fn(&Estimated, &Estimated) -> std::cmp::Ordering| {
        let order = |a: &&&Estimated, b: &&&Estimated| better(a, b).then(b.chosen.cmp(&a.chosen));
        sound.iter().min_by(order).copied()
    };
    if narrowest.is_finite() {
        let close = |it: &&&Estimated| width(it) <= narrowest * (1.0 + AS_NARROW);
        let order = |a: &&&Estimated, b: &&&Estimated| {
            b.chosen.cmp(&a.chosen).then(miss(a).total_cmp(&miss(b)))
        };
        let it = sound.iter().filter(close).min_by(order).copied()?;
        let why = if width(it) == narrowest {
            "it has the narrowest intervals"
        } else {
            "it has intervals as narrow as any, within 1 %"
        };
        return Some((it, why));
    }
    if sound.iter().any(|it| it.value(Measure::Power).is_some()) {
        let it = ranked(&|a, b| power(b).total_cmp(&power(a)))?;
        return Some((it, "it sees the effect most often"));
    }
    // Without a test: the fewest replicates without an interval, then the width of the others.
    let gaps = |it: &Estimated| it.get(Measure::Width).map_or(u64::MAX, |width| width.undefined);
    let given = |it: &Estimated| it.value(Measure::Width).unwrap_or(f64::INFINITY);
    let it = ranked(&|a, b| gaps(a).cmp(&gaps(b)).then(given(a).total_cmp(&given(b))))?;
    Some((it, "it has the narrowest intervals where there is one"))
}

fn choose(result: usize, group: &[&Estimated], level: f64) -> Advice {
    let failures: Vec<String> = group.iter().filter_map(|it| failing(it, level)).collect();
    let sound: Vec<&Estimated> =
        group.iter().copied().filter(|it| failing(it, level).is_none()).collect();
    // So few replicates may not show that a method fails: it is used only where no other is seen to hold.
    let covers = |it: &Estimated| it.value(Measure::Coverage).unwrap_or(level);
    let (held, doubtful): (Vec<_>, Vec<_>) =
        sound.iter().copied().partition(|it| level - TOLERANCE <= covers(it));
    let doubts = doubtful.iter().filter(|_| !held.is_empty()).map(|it| {
        format!(
            "{} covers {}, and more replicates would have to clear it",
            it.name,
            plain(covers(it))
        )
    });
    let failures: Vec<String> = failures.into_iter().chain(doubts).collect();
    let best = best(if held.is_empty() { &sound } else { &held }, level);
    let failed =
        if failures.is_empty() { String::new() } else { format!("; {}", failures.join("; ")) };
    let because = match best {
        Some((best, _)) if group.len() == 1 => format!("{} holds what it states.", best.name),
        Some((best, why)) => {
            format!("Use {}: of the methods that hold what they state {why}{failed}.", best.name)
        }
        None => format!("No method on offer holds what it states: {}.", failures.join("; ")),
    };
    Advice {
        result,
        methods: group.iter().map(|it| it.name.clone()).collect(),
        recommended: best.map(|it| it.0.name.clone()),
        because,
    }
}
