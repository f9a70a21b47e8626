//! A question: which bias, by which test, and what is known of the pairs.

use super::Impossible;
use super::prepared::Prepared;
use super::{agreement, rates, swap};
use crate::estimators::Settings;
use crate::quantity::Level;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// A preference for the answer shown first, from pairs shown in both orders.
    Position,
    /// A preference for the judge's own answers, against a third party.
    SelfPreference,
    /// A preference for the longer answer, from pairs shown in both orders.
    Length,
    /// A difference between two systems graded on the same cases.
    Difference,
    /// Agreement beyond chance of two raters.
    Agreement,
    /// A pass rate below a fixed one.
    PassRate,
    /// A pass rate that has fallen between two independent sets of cases.
    Drift,
    /// The absence of a position preference beyond a margin.
    Equivalence,
}

impl Bias {
    /// Every bias, in the order of the help.
    pub const ALL: [Self; 8] = [
        Self::Position,
        Self::SelfPreference,
        Self::Length,
        Self::Difference,
        Self::Agreement,
        Self::PassRate,
        Self::Drift,
        Self::Equivalence,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::SelfPreference => "self-preference",
            Self::Length => "length",
            Self::Difference => "difference",
            Self::Agreement => "agreement",
            Self::PassRate => "pass-rate",
            Self::Drift => "drift",
            Self::Equivalence => "equivalence",
        }
    }

    /// One line on it.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Position => "a preference for the answer shown first; pairs in both orders",
            Self::SelfPreference => {
                "a preference for the judge's own answers, against a third party"
            }
            Self::Length => "a preference for the longer answer; pairs in both orders",
            Self::Difference => "a difference between two systems graded on the same cases",
            Self::Agreement => "Cohen's kappa of two raters above or below a value",
            Self::PassRate => "a pass rate below a fixed one",
            Self::Drift => "a pass rate that fell between two independent sets of cases",
            Self::Equivalence => "no position preference beyond a margin",
        }
    }
}

/// A test by its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Exact: its size never exceeds the level.
    Exact,
    /// Mid-p: the observed count weighs one half.
    MidP,
    /// The asymptotic test, its power summed exactly.
    Asymptotic,
    /// The same test, planned by the normal approximation.
    Z,
}

impl Test {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::MidP => "mid-p",
            Self::Asymptotic => "asymptotic",
            Self::Z => "z",
        }
    }

    /// The name beside other answers.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Exact => "exact test",
            Self::MidP => "mid-p test",
            Self::Asymptotic => "asymptotic test",
            Self::Z => "z test",
        }
    }
}

/// Which system is truly better in a pair.
#[derive(Clone, Debug, PartialEq)]
pub enum Truth {
    /// Either, with probability 1/2, anew in each replicate.
    Random,
    /// The first system in every other pair.
    Even,
    /// Always the first.
    First,
    /// True differences, pair by pair; repeated where there are more pairs.
    Given(Vec<f64>),
}

impl Truth {
    pub(super) fn told(&self) -> String {
        match self {
            Self::Random => {
                "random: -1 or +1 with probability 1/2, anew in each replicate".to_owned()
            }
            Self::Even => "even: the first system is better in every other pair".to_owned(),
            Self::First => "first: the first system is better in every pair".to_owned(),
            Self::Given(gaps) => {
                format!(
                    "{} true differences as given, repeated where there are more pairs",
                    gaps.len()
                )
            }
        }
    }
}

/// What is asked, and what is known. Numbers are checked when the question is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The bias.
    pub bias: Bias,
    /// The test; mid-p by default, or the only one there is.
    pub test: Option<Test>,
    /// The confidence level; tests reject when p <= 1 - level.
    pub level: Level,
    /// The power that is wanted, above the test's size and below 1.
    pub power: f64,
    /// One side only, for kappa.
    pub one_sided: bool,
    /// How much a unit of true difference moves the judge, in log-odds.
    pub ability: Option<f64>,
    /// The standard deviation of the judge's own opinion of a pair, in log-odds.
    pub taste: f64,
    /// Which system is truly better.
    pub truth: Truth,
    /// In place of a judge: the share of pairs that flip, at the bias sought.
    pub flip_rate: Option<f64>,
    /// The share of cases on which the two systems differ, at the difference sought.
    pub discordant: Option<f64>,
    /// The pass rate without a change.
    pub rate: Option<f64>,
    /// The shares of "yes" of the two raters.
    pub margins: [f64; 2],
    /// The kappa of the null.
    pub kappa: f64,
    /// Doublings by which one answer is longer.
    pub doublings: f64,
}

impl Question {
    /// A question about a bias, with everything else at its default.
    #[must_use]
    pub const fn about(bias: Bias) -> Self {
        Self {
            bias,
            test: None,
            level: Level::USUAL,
            power: 0.8,
            one_sided: false,
            ability: None,
            taste: 0.0,
            truth: Truth::Random,
            flip_rate: None,
            discordant: None,
            rate: None,
            margins: [0.5; 2],
            kappa: 0.0,
            doublings: 1.0,
        }
    }

    pub(super) const fn settings(&self) -> Settings {
        Settings { level: self.level }
    }

    /// The test that is asked with.
    #[must_use]
    pub fn test(&self) -> Test {
        self.test.unwrap_or(match self.bias {
            Bias::SelfPreference | Bias::Agreement => Test::Z,
            _ => Test::MidP,
        })
    }

    /// Whether the answer is a formula's. The z test of self-preference is its only test, and is summed.
    #[must_use]
    pub fn by_formula(&self) -> bool {
        self.test() == Test::Z && self.bias != Bias::SelfPreference
    }

    /// Tests whose answers stand beside.
    pub(super) fn other_tests(&self) -> Vec<Test> {
        let all: &[Test] = match self.bias {
            Bias::SelfPreference | Bias::Agreement => &[],
            _ => &[Test::Exact, Test::MidP, Test::Asymptotic],
        };
        all.iter().copied().filter(|it| *it != self.test()).collect()
    }

    pub(super) fn check(&self, size: Option<u64>) -> Result<(), Impossible> {
        if !(0.0 < self.power && self.power < 1.0) {
            let why = if 1.0 <= self.power {
                "is never reached with certainty"
            } else {
                "asks for nothing: every test has it"
            };
            return Err(Impossible(format!(
                "a power of {} {why}; ask for one above 0 and below 1, such as 0.8.",
                self.power
            )));
        }
        if size == Some(0) {
            return Err(Impossible::because(
                "without pairs there is nothing to see; give at least two.",
            ));
        }
        if self.flip_rate.is_some() && self.ability.is_some() {
            return Err(Impossible::because(
                "a flip rate stands in place of a judge; give --flip-rate, or --ability or --item-effect.",
            ));
        }
        Ok(())
    }

    /// Everything that the answer needs.
    pub(super) fn prepare(&self) -> Result<Prepared, Impossible> {
        match self.bias {
            Bias::Position | Bias::SelfPreference | Bias::Length => swap::prepare(self),
            Bias::Difference => rates::difference(self),
            Bias::Equivalence => rates::equivalence(self),
            Bias::PassRate => rates::pass_rate(self),
            Bias::Drift => rates::drift(self),
            Bias::Agreement => agreement::prepare(self),
        }
    }
}

/// A share that must be there, above 0 and below 1 or at most 1; `counted` are what it is a share of.
pub(super) fn share(
    value: Option<f64>,
    flag: &str,
    what: &str,
    counted: &str,
) -> Result<f64, Impossible> {
    match value {
        Some(0.0) => Err(Impossible(format!(
            "where {what} is 0 none says anything about it, whatever the number of {counted}; give a share above 0."
        ))),
        Some(share) if 0.0 < share && share <= 1.0 => Ok(share),
        Some(other) => Err(Impossible(format!(
            "{what} is a share between 0 and 1, not {other}; give a share, not a percentage."
        ))),
        None => Err(Impossible(format!("the answer depends on {what}; give {flag}."))),
    }
}
