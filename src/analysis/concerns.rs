//! What a script may want to stop at: biases that a file shows, and what it leaves undecided.

use super::{Analysis, Claim, Judge, Number, Options};

/// A bias that a script asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// The slot.
    Position,
    /// Length beyond what the label pays for it.
    Length,
    /// The judge's own system.
    SelfPreference,
    /// Agreement with the label that is not told from chance.
    Agreement,
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

impl Concern {
    /// Every concern.
    pub const ALL: [Self; 5] =
        [Self::Position, Self::Length, Self::SelfPreference, Self::Agreement, Self::Invalid];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Length => "length",
            Self::SelfPreference => "self-preference",
            Self::Agreement => "agreement",
            Self::Invalid => "invalid",
        }
    }

    /// What one judge's verdicts say of it.
    #[must_use]
    pub fn of(self, judge: &Judge, options: &Options) -> Finding {
        let tested = |it: &Number| match it.p {
            Some(p) if options.settings().rejects(p) => Finding::Seen,
            Some(_) => Finding::Clear,
            None => Finding::Undecided,
        };
        match self {
            Self::Position => position(judge, options),
            // A slope alone is no bias: without a label nobody knows what length deserves.
            Self::Length => {
                judge.all.length.given().map_or(Finding::Undecided, |it| tested(&it.beyond_gold))
            }
            Self::SelfPreference => judge
                .self_preference
                .given()
                .map_or(Finding::Undecided, |it| tested(&it.share.number)),
            Self::Agreement => match judge.all.agreement.given() {
                Some(it) if it.in_systems.kappa.low.is_some_and(|low| 0.0 < low) => Finding::Clear,
                Some(_) => Finding::Seen,
                None => Finding::Undecided,
            },
            Self::Invalid if 0 < judge.all.replies.invalid => Finding::Seen,
            Self::Invalid => Finding::Clear,
        }
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
