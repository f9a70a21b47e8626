//! What a script may want to stop at in a file of grades.

use super::super::concerns::{Concern, Finding, beyond_chance, tested};
use super::super::{Number, Options};
use super::{Corrected, Graded, JudgeGrades, Scores};

impl Graded {
    /// The concerns that these grades can answer.
    #[must_use]
    pub const fn concerns(&self) -> &'static [Concern] {
        if self.binary { Concern::PASSES } else { Concern::SCORES }
    }

    /// The judges and concerns with this finding.
    #[must_use]
    pub fn found(
        &self,
        concerns: &[Concern],
        finding: Finding,
        options: &Options,
    ) -> Vec<(&str, Concern)> {
        let each = self.judges.iter().flat_map(|judge| concerns.iter().map(move |it| (judge, *it)));
        each.filter(|(judge, it)| self.finding(judge, *it, options) == finding)
            .map(|(judge, it)| (judge.judge.as_str(), it))
            .collect()
    }

    /// What one judge's grades say of a concern.
    fn finding(&self, judge: &JudgeGrades, of: Concern, options: &Options) -> Finding {
        let systems = judge.systems.iter();
        match of {
            Concern::Agreement if self.binary => Finding::together(systems.map(|it| {
                it.agreement.given().map_or(Finding::Undecided, |it| beyond_chance(&it.kappa))
            })),
            Concern::Leniency if self.binary => {
                Finding::together(systems.map(|it| tested(&it.leniency, options)))
            }
            Concern::Rate => Finding::together(
                systems.map(|it| it.corrected.given().map_or(Finding::Undecided, rate)),
            ),
            Concern::Difference => Finding::together(
                judge.comparisons.iter().map(|it| tested(&it.difference.number, options)),
            ),
            Concern::Invalid if judge.systems.iter().any(|it| 0 < it.invalid) => Finding::Seen,
            Concern::Invalid => Finding::Clear,
            Concern::Agreement | Concern::Leniency | Concern::Length => {
                let Some(scores) = &judge.scores else { return Finding::Undecided };
                match of {
                    Concern::Agreement => beyond_chance(&scores.krippendorff_alpha),
                    Concern::Leniency => lenient(scores, options),
                    // As with comparisons, a slope alone is no bias.
                    _ => tested(&scores.beyond_human, options),
                }
            }
            Concern::Position | Concern::SelfPreference => Finding::Undecided,
        }
    }
}

/// A judge that gives every answer as much more than people do leaves no variation to test, and no doubt.
fn lenient(of: &Scores, options: &Options) -> Finding {
    match (of.leniency.p, of.leniency.value) {
        (None, Some(value)) if 1 < of.labelled && value == 0.0 => Finding::Clear,
        (None, Some(_)) if 1 < of.labelled => Finding::Seen,
        _ => tested(&of.leniency, options),
    }
}

/// The errors move a pass rate that lies outside the limits of the corrected one. Until somebody says how the labels were
/// drawn, nobody knows which correction that is.
fn rate(it: &Corrected) -> Finding {
    let corrected: &Number = match it.chosen.as_deref() {
        Some("post_stratified") => &it.post_stratified,
        Some(_) => &it.lang_reiczigel,
        None => return Finding::Undecided,
    };
    match (corrected.value, it.raw.value) {
        (Some(_), Some(raw)) if corrected.excludes(raw) => Finding::Seen,
        (Some(_), Some(_)) => Finding::Clear,
        _ => Finding::Undecided,
    }
}
