//! The analysis of a real verdict file, by the rules that the simulations certify.
//!
//! The unit is the pair (one item, two systems, one judge); several verdicts on the same presentation are repeats and are
//! never counted as independent. Beside everything that is not detected stands the smallest effect that the file would have
//! shown, and what cannot be estimated is a value with a reason.

mod agreement;
mod between;
mod concerns;
mod detectable;
mod grades;
mod identified;
mod jackknife;
mod judges;
mod latent;
mod length;
mod number;
mod own;
mod pairs;
mod panel;
mod position;
mod ranking;
mod raters;
mod repetition;
mod source;
mod twin;
mod wins;

use serde::{Deserialize, Serialize};

pub use agreement::{Agreement, OrderAgreement};
pub use between::{Between, Difference};
pub use concerns::{Concern, Finding};
pub use detectable::{Detectable, POWER};
pub use grades::{
    Compared, Corrected, Graded, Grading, JudgeGrades, Passes, Scores, Slice, SystemGrades,
    Unlabelled, analyze_grades,
};
pub use identified::{Standing, Standings, Told, identified};
pub use judges::analyze;
pub use latent::{Closest, Estimated, Latent};
pub use length::{Controlled, Length, Slope};
pub use number::Number;
pub use own::{SelfPreference, Third};
pub use panel::{Errors, Panel};
pub use position::{Claim, Floor, Margin, OneOrder, Position, Share};
pub use ranking::{Ranked, Ranking};
pub use raters::Raters;
pub use repetition::Repetition;
pub use source::Source;
pub use twin::{Described, Orders, Parameter, Predicted, Prediction, Twin, predict, twin};
pub use wins::{CHOSEN, ONE_ORDER, Record, WinRate};

use crate::estimators::{ESTIMATORS, Estimator, Settings};
use crate::quantity::Level;
use crate::verdicts::Labels;

/// What an analysis is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The confidence level; tests reject when p <= 1 - level.
    pub level: Level,
    /// The margin of the first-shown share about one half within which a position preference is of no account.
    pub margin: Option<f64>,
    /// The judges to tell of; all where it is empty.
    pub judges: Vec<String>,
    /// The judges whose majority is the gold label; the file's own label where it is empty.
    pub gold: Vec<String>,
    /// Which system belongs to which judge: judge and system.
    pub own: Vec<(String, String)>,
    /// How the labelled cases were drawn.
    pub labels: Labels,
    /// The system that all others are set against at equal lengths; those that met where none is named.
    pub baseline: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: Level::USUAL,
            margin: None,
            judges: Vec::new(),
            gold: Vec::new(),
            own: Vec::new(),
            labels: Labels::Unknown,
            baseline: None,
        }
    }
}

impl Options {
    const fn settings(&self) -> Settings {
        Settings { level: self.level }
    }

    /// Whether a judge is told of, and is no gold label itself.
    fn tells_of(&self, judge: &str) -> bool {
        let named = |all: &[String]| all.iter().any(|it| it == judge);
        (self.judges.is_empty() || named(&self.judges)) && !named(&self.gold)
    }
}

/// A rule by its name.
fn rule(name: &str) -> &'static Estimator {
    // The names are this room's own, and a test asks for each.
    ESTIMATORS.iter().copied().find(|it| it.name() == name).unwrap_or(ESTIMATORS[0])
}

/// What a file of comparisons says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The confidence level.
    pub level: f64,
    /// The files, where rows were read from some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Source>,
    /// Judge by judge, in the order in which the file names them.
    pub judges: Vec<Judge>,
    /// Two judges on the same pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Between>,
    /// All judges together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// The systems by strength, all judges together, where there are several judges and three systems or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Answer<Ranking>>,
    /// The judges whose majority is the gold label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
}

/// The judges whose majority is the gold label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct People {
    /// Their names.
    pub judges: Vec<String>,
    /// Pairs on which they have a majority for A, for neither, and for B; without a majority it is neither.
    pub labels: [u64; 3],
    /// Two of them on the same pairs.
    pub between: Vec<Between>,
    /// All of them together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
}

/// What one judge's verdicts say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judge {
    /// Its name.
    pub judge: String,
    /// All its pairs.
    #[serde(flatten)]
    pub all: Part,
    /// The most verdicts on one presentation; above 1 there are repeats.
    pub repeats: u64,
    /// Rows in which a system meets itself; they enter nothing.
    pub same_system: u64,
    /// Rows that ask a presentation again without a repeat of their own; they count as repeats.
    pub duplicates: u64,
    /// Pairs whose rows carry different gold labels; they count as unlabelled.
    pub gold_conflicts: u64,
    /// What it gives its own system's answers.
    pub self_preference: Answer<SelfPreference>,
    /// The systems by strength, with the biases and without, where there are three or more.
    pub ranking: Answer<Ranking>,
    /// How far it repeats itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<Repetition>,
    /// Win rates by pair of systems, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<WinRate>,
    /// The same stratum by stratum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<Named>,
    /// The same repeat by repeat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_repeat: Vec<Named>,
}

/// A stratum or a repeat with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Its pairs.
    #[serde(flatten)]
    pub part: Part,
    /// Among several strata, the p-value of the position test with the error of all of them held (Holm).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holm: Option<f64>,
    /// The same with the rate of false discoveries held (Benjamini & Hochberg).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bh: Option<f64>,
}

/// What some pairs of one judge say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Pairs.
    pub pairs: u64,
    /// Pairs with at least one order without a verdict.
    pub invalid: u64,
    /// Pairs that were asked in one order only.
    pub one_sided: u64,
    /// Single replies.
    pub replies: Replies,
    /// Both orders of a pair; or one, with a reason.
    pub position: Answer<Position>,
    /// One order a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_order: Option<OneOrder>,
    /// Win rates of the first system.
    pub win_rate: Answer<WinRate>,
    /// Agreement with the label.
    pub agreement: Answer<Agreement>,
    /// What length is paid.
    pub length: Answer<Length>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer<T> {
    /// The answer.
    Given(Box<T>),
    /// Why there is none.
    None(Number),
}

impl<T> Answer<T> {
    fn or(given: Option<T>, why: &str) -> Self {
        given.map_or_else(|| Self::None(Number::none(why)), |it| Self::Given(Box::new(it)))
    }

    /// The answer, where there is one.
    #[must_use]
    pub fn given(&self) -> Option<&T> {
        match self {
            Self::Given(it) => Some(it),
            Self::None(_) => None,
        }
    }

    /// Why there is none.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Given(_) => None,
            Self::None(it) => it.reason.as_deref(),
        }
    }
}

/// Single replies by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    /// For the answer shown first.
    pub first: u64,
    /// For neither.
    pub tie: u64,
    /// For the answer shown second.
    pub second: u64,
    /// No verdict.
    pub invalid: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that this room asks for, wherever it writes them.
    #[test]
    fn every_rule_that_is_asked_for_is_there() {
        let sources = [
            include_str!("analysis/agreement.rs"),
            include_str!("analysis/own.rs"),
            include_str!("analysis/position.rs"),
            include_str!("analysis/wins.rs"),
            include_str!("analysis/grades/compared.rs"),
            include_str!("analysis/grades/corrected.rs"),
        ];
        let rules: Vec<String> = ESTIMATORS.iter().map(|it| it.name()).collect();
        let heads: Vec<&str> = ESTIMATORS.iter().map(|it| it.rule).collect();
        let mut asked = 0;
        for quoted in sources.iter().flat_map(|it| it.split('"').skip(1).step_by(2)) {
            let head = quoted.split('/').next().unwrap_or("");
            let whole = quoted.contains('/') && !quoted.contains([' ', '{']);
            if whole && heads.contains(&head) {
                asked += 1;
                assert!(rules.iter().any(|it| it == quoted), "{quoted}");
            }
        }
        assert!(15 < asked, "{asked}");
        for name in
            ["kappa/one-order", "kappa/other-order", "accuracy/one-order", "accuracy/other-order"]
        {
            assert_eq!(rule(name).name(), name);
        }
        assert_eq!(rule("self-preference").name(), "self-preference");
    }
}
