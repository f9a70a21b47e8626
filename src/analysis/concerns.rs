//! What a script may want to stop at: biases that a file shows, and what it leaves undecided.

use super::{Analysis, Claim, Judge, Number, Options};

/// A bias that a script asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// The slot.
    Position,
    /// Length beyond what the label or people pay for it.
    Length,
    /// The judge's own system.
    SelfPreference,
    /// Agreement with the label that is not told from chance.
    Agreement,
    /// More grades passed, or higher ones, than by the label; or fewer, or lower ones.
    Leniency,
    /// A pass rate that the judge's errors move.
    Rate,
    /// Two systems on the same cases that differ.
    Difference,
    /// Replies that are no verdict.
    Invalid,
}

/// What a file says of a concern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is seen.
    Seen,
    /// It is not seen, or within the margin.
    Clear,
    /// The file cannot tell.
    Undecided,
}

impl Finding {
    /// What several findings of the same kind come to: what is seen once is seen, and what is seen nowhere is clear only where
    /// nothing is undecided.
    pub(super) fn together(all: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<Self> = all.into_iter().collect();
        if all.contains(&Self::Seen) {
            Self::Seen
        } else if all.is_empty() || all.contains(&Self::Undecided) {
            Self::Undecided
        } else {
            Self::Clear
        }
    }
}

impl Concern {
    /// Every concern.
    pub const ALL: [Self; 8] = [
        Self::Position,
        Self::Length,
        Self::SelfPreference,
        Self::Agreement,
        Self::Leniency,
        Self::Rate,
        Self::Difference,
        Self::Invalid,
    ];
    /// Those that comparisons can answer.
    pub const COMPARISONS: &[Self] =
        &[Self::Position, Self::Length, Self::SelfPreference, Self::Agreement, Self::Invalid];
    /// Those that grades of pass and fail can answer.
    pub const PASSES: &[Self] =
        &[Self::Agreement, Self::Leniency, Self::Rate, Self::Difference, Self::Invalid];
    /// Those that scores can answer.
    pub const SCORES: &[Self] =
        &[Self::Agreement, Self::Leniency, Self::Length, Self::Difference, Self::Invalid];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Length => "length",
            Self::SelfPreference => "self-preference",
            Self::Agreement => "agreement",
            Self::Leniency => "leniency",
            Self::Rate => "rate",
            Self::Difference => "difference",
            Self::Invalid => "invalid",
        }
    }

    /// What is seen where it is, without the judge's name.
    #[must_use]
    pub const fn seen(self) -> &'static str {
        match self {
            Self::Position => "position is seen: it prefers a slot",
            Self::Length => "length is seen: it pays more or less for it than the label does",
            Self::SelfPreference => {
                "self-preference is seen: it treats its own system otherwise than third parties do"
            }
            Self::Agreement => "agreement is not told from chance",
            Self::Leniency => "leniency is seen: it is more lenient or stricter than the label",
            Self::Rate => "rate is seen: its errors move the pass rate",
            Self::Difference => "difference is seen: two systems differ",
            Self::Invalid => "invalid is seen: a reply is no verdict",
        }
    }

    /// What one judge's verdicts say of it.
    #[must_use]
    pub fn of(self, judge: &Judge, options: &Options) -> Finding {
        match self {
            Self::Position => position(judge, options),
            // A slope alone is no bias: without a label nobody knows what length deserves.
            Self::Length => {
                let length = judge.all.length.given();
                length.map_or(Finding::Undecided, |it| tested(&it.beyond_gold, options))
            }
            Self::SelfPreference => {
                let own = judge.self_preference.given();
                own.map_or(Finding::Undecided, |it| tested(&it.share.number, options))
            }
            Self::Agreement => {
                let agreement = judge.all.agreement.given();
                agreement.map_or(Finding::Undecided, |it| beyond_chance(&it.in_systems.kappa))
            }
            Self::Invalid if 0 < judge.all.replies.invalid => Finding::Seen,
            Self::Invalid => Finding::Clear,
            // These are about grades.
            Self::Leniency | Self::Rate | Self::Difference => Finding::Undecided,
        }
    }
}

/// Seen where the test of 0 rejects.
pub(super) fn tested(it: &Number, options: &Options) -> Finding {
    match it.p {
        Some(p) if options.settings().rejects(p) => Finding::Seen,
        Some(_) => Finding::Clear,
        None => Finding::Undecided,
    }
}

/// Clear where agreement is beyond chance; without a value nothing can be told, nor without an error unless all agree.
pub(super) fn beyond_chance(it: &Number) -> Finding {
    match (it.value, it.low) {
        (_, Some(low)) if 0.0 < low => Finding::Clear,
        (_, Some(_)) => Finding::Seen,
        (Some(value), None) if 1.0 <= value => Finding::Clear,
        (_, None) => Finding::Undecided,
    }
}

fn position(judge: &Judge, options: &Options) -> Finding {
    let Some(it) = judge.all.position.given() else {
        return match &judge.all.single_order {
            Some(it) if it.with_systems.p.is_some_and(|p| options.settings().rejects(p)) => {
                Finding::Seen
            }
            _ => Finding::Undecided,
        };
    };
    match it.margin.as_ref().map(|it| it.claim) {
        Some(Claim::Biased) => Finding::Seen,
        Some(Claim::Undecided) => Finding::Undecided,
        None if it.seen => Finding::Seen,
        Some(Claim::Equivalent) | None => Finding::Clear,
    }
}

impl Analysis {
    /// The judges and concerns with this finding.
    #[must_use]
    pub fn found(
        &self,
        concerns: &[Concern],
        finding: Finding,
        options: &Options,
    ) -> Vec<(&str, Concern)> {
        let each = self.judges.iter().flat_map(|judge| concerns.iter().map(move |it| (judge, *it)));
        each.filter(|(judge, it)| it.of(judge, options) == finding)
            .map(|(judge, it)| (judge.judge.as_str(), it))
            .collect()
    }
}
