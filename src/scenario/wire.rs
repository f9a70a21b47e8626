//! A scenario as it is written: one type for the whole file, read by serde with the place of every mistake.
//!
//! Enums are externally tagged and unknown keys are refused everywhere, so that a mistake is told with its line.

mod bounds;
mod clusters;

use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

pub(super) use bounds::{CostWire, GateWire};
pub(super) use clusters::ClustersWire;

use super::guide::Guide;
use super::lookup::{LexicalWire, RecordedWire};
use crate::evidence::Asked;
use crate::judges::{Pairwise, Pointwise, Scoring, Scripted};
use crate::protocol::{Combine, Target};
use crate::quantity::{Level, NonNegative, Points, Positive, Probability};
use crate::world::Drawn;

/// A whole number within bounds, with the sentence that says so.
macro_rules! whole {
    ($(#[$doc:meta])* $name:ident, $type:ty, $low:literal ..= $high:literal, $rule:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(try_from = "i64")]
        pub struct $name(#[schemars(range(min = $low, max = $high))] pub $type);

        impl TryFrom<i64> for $name {
            type Error = String;
            fn try_from(value: i64) -> Result<Self, String> {
                let bounds: std::ops::RangeInclusive<i64> = $low..=$high;
                match <$type>::try_from(value) {
                    Ok(it) if bounds.contains(&value) => Ok(Self(it)),
                    _ => Err(format!($rule, value)),
                }
            }
        }
    };
}

whole!(
    /// Replicates a cell.
    Replicates, u64, 1..=1_000_000_000,
    "a cell has 1 to 1000000000 replicates, not {}; 2000 give a share to about one point"
);
whole!(
    /// Pairs of a sampled world.
    Pairs, usize, 1..=1_000_000,
    "a sampled world has 1 to 1000000 pairs, not {}; give the number of pairs that are judged"
);
whole!(
    /// Cases of a sort.
    Count, usize, 0..=1_000_000,
    "a count of cases is 0 to 1000000, not {}; count the cases of this sort"
);
whole!(
    /// Candidates of which the best is chosen.
    Candidates, usize, 2..=1_000,
    "the best is chosen of 2 to 1000 candidates, not {}; give the number of candidates"
);
whole!(
    /// Verdicts of an order.
    Times, u8, 1..=255,
    "an order is asked 1 to 255 times, not {}; 1 asks once"
);
whole!(
    /// Values of a continuous quality that is cut into steps.
    Levels, u32, 2..=65_536,
    "a quality has 2 to 65536 levels, not {}; leave the key out for a continuous one"
);
whole!(
    /// The seed of every draw.
    Seed, u64, 0..=9_223_372_036_854_775_807_i64,
    "a seed is a whole number from 0, not {}; any such number will do"
);

/// A study as it is written. `[vary]` is read beside it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "judgelab scenario")]
pub struct Wire {
    /// The question that the study answers, in prose.
    #[serde(default)]
    pub question: String,
    /// The seed of every draw.
    #[serde(default = "first_seed")]
    pub seed: Seed,
    /// Replicates a cell.
    #[serde(default = "usual_replicates")]
    pub replicates: Replicates,
    /// The confidence level of every interval; tests reject when p <= 1 - level.
    #[serde(default = "usual_level")]
    pub level: Level,
    /// What a teacher projects beside the study.
    pub guide: Option<Guide>,
    /// What is judged.
    pub world: WorldWire,
    /// The judges by name, in the order of the tables.
    pub judges: IndexMap<String, JudgeWire>,
    /// What is asked.
    #[serde(default)]
    pub protocol: ProtocolWire,
    /// What is estimated.
    pub estimate: EstimateWire,
    /// Figures that were published, to be held against the exact and the simulated ones.
    #[serde(default)]
    pub published: Vec<PublishedWire>,
    /// Conditions on the results; `run --fail-on gate` fails where they do.
    #[serde(default)]
    pub gate: Vec<GateWire>,
    /// What a round costs.
    pub cost: Option<CostWire>,
    /// What `judgelab detect` looks for in this scenario.
    pub detect: Option<Detect>,
}

impl Wire {
    /// The same study without what is said of its cells.
    pub(super) fn unspoken(self) -> Self {
        Self { published: Vec::new(), gate: Vec::new(), ..self }
    }
}

/// What is looked for in a scenario: the value of a parameter at which a rule's test reaches a power.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Detect {
    /// The path of a number of the scenario, such as judges.NAME.pairwise.position or world.sampled.pairs.
    pub parameter: String,
    /// The power that is wanted; 0.8 by default.
    pub power: Option<Probability>,
    /// The judge; needed where there are several.
    pub judge: Option<String>,
    /// The rule with its variant, such as position-effect/mid-p; needed where several have a test.
    pub estimator: Option<String>,
    /// The value without the effect, where the search starts; 0 by default.
    pub from: Option<f64>,
    /// The largest value that is looked at.
    pub to: Option<f64>,
    /// Replicates of the search where powers are simulated; 20,000 by default.
    pub budget: Option<Replicates>,
    /// Whether powers are simulated even where they can be summed.
    #[serde(default)]
    pub simulate: bool,
}

/// A figure that was published.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedWire {
    /// The cell: varied paths and their values.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, serde_json::Value>")]
    pub at: IndexMap<String, toml::Value>,
    /// The judge; needed where there are several.
    pub judge: Option<String>,
    /// The rule with its variant, such as `win-rate/averaged`, or a cost, such as `cost/calls`.
    pub estimator: String,
    /// What is published of it.
    #[serde(default)]
    pub measure: Quantity,
    /// The published value.
    pub value: f64,
    /// What is right, where the published value is wrong.
    pub right: Option<f64>,
    /// The decimals that were printed.
    pub digits: u8,
    /// How many studies of this size the figure is an average of, where it was drawn at random.
    pub draws: Option<Replicates>,
    /// What it is, or what went wrong.
    #[serde(default)]
    pub note: String,
}

/// What may be published of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// What it should say.
    #[default]
    Estimand,
    /// The same of a fair judge.
    Fair,
    /// The flip rate without a position preference.
    Floor,
    /// The world's own value.
    True,
    /// The mean estimate.
    Mean,
    /// The standard deviation of the estimates.
    EmpiricalSe,
    /// The share of intervals that hold the estimand.
    Coverage,
    /// The share of tests that reject.
    Power,
    /// The mean lower limit.
    Low,
    /// The mean upper limit.
    High,
    /// The mean width of the finite intervals.
    Width,
    /// The mean p-value.
    P,
}

const fn first_seed() -> Seed {
    Seed(1)
}

const fn usual_replicates() -> Replicates {
    Replicates(2000)
}

const fn usual_level() -> Level {
    Level::USUAL
}

/// What is judged.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WorldWire {
    /// Pairs drawn from a law.
    Sampled(SampledWire),
    /// Cases from a CSV file.
    Table(TableWire),
    /// Graded answers of two systems, drawn from a law.
    Graded(GradedWire),
    /// Graded answers of two systems, as counts of cases.
    Counts(CountsWire),
    /// One answer to each case at several lengths, scored: a CSV file of word counts.
    Lengths(LengthsWire),
    /// Two systems whose answers are rated one by one, each system in a session of its own, or compared.
    Rated(RatedWire),
    /// Candidates of equal pass rate, of which the best is chosen.
    Candidates(CandidatesWire),
    /// Graded answers to cases that come in clusters: questions of one document or domain.
    Clusters(ClustersWire),
}

/// One answer to each case at several lengths, from a CSV file with a column `id` and a column of word counts for each length.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LengthsWire {
    /// The file, relative to the scenario.
    pub file: String,
}

/// Two systems whose answers are rated one by one, each system in a session of its own, or compared.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RatedWire {
    /// How many cases.
    pub cases: Pairs,
    /// How much better the first system's answers are, in score points.
    pub gap: Points,
    /// The names of the first and the second system.
    #[serde(default = "a_and_b")]
    pub systems: [String; 2],
}

/// Candidates of equal pass rate, of which the best is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CandidatesWire {
    /// How many cases the best is chosen on; it is measured again on as many fresh ones.
    pub cases: Pairs,
    /// How many candidates.
    pub candidates: Candidates,
    /// The pass rate of every candidate.
    pub rate: Probability,
}

/// Graded answers of two systems, drawn from a law.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GradedWire {
    /// How many cases; with strata that have cases of their own, none.
    pub cases: Option<Pairs>,
    /// The pass rates of the first and the second system, at average difficulty.
    pub rates: Option<[Probability; 2]>,
    /// In place of rates: the pass rate of one system, beside a second one that is as good.
    pub rate: Option<Probability>,
    /// How much a difficulty that both systems share moves their pass rates: log-odds per standard deviation.
    #[serde(default = "nothing")]
    pub rigidity: NonNegative,
    /// The share of cases that leaked to the first system.
    #[serde(default = "never")]
    pub leaked: Probability,
    /// The first system's pass rate on leaked cases.
    #[serde(default = "never")]
    pub memorised: Probability,
    /// The share of the gold labels that have gone stale: their reference no longer holds and fails every right answer.
    #[serde(default = "never")]
    pub stale: Probability,
    /// In place of rates: how cases divide, as weights of any size.
    pub joint: Option<JointWire>,
    /// Strata by name, in the order of the tables, each with its rates.
    #[serde(default)]
    pub strata: IndexMap<String, StratumWire>,
    /// Further cases whose gold labels are bought; the others have none.
    pub labels: Option<LabelsWire>,
    /// In place of rates: the share of cases that only one of the two systems passes.
    pub discordant: Option<Probability>,
    /// With `discordant`: the first system's pass rate minus the second's, no larger than `discordant`; 0 by default.
    pub difference: Option<f64>,
    /// With `discordant`: the share of cases that both pass; by default half of those that are not discordant.
    pub both: Option<Probability>,
    /// Whether truth is drawn once or anew in each replicate.
    #[serde(default = "anew")]
    pub drawn: Drawn,
    /// The names of the first and the second system.
    #[serde(default = "a_and_b")]
    pub systems: [String; 2],
}

/// A stratum of graded answers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StratumWire {
    /// The share of the population that it is; shares sum to 1.
    pub share: Option<Probability>,
    /// How many of its cases there are, 0 if none was sampled; its share of all cases by default.
    pub cases: Option<Count>,
    /// The pass rates of the first and the second system.
    pub rates: Option<[Probability; 2]>,
    /// In place of rates: the pass rate of both.
    pub rate: Option<Probability>,
}

/// Cases with a gold label, beside those without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LabelsWire {
    /// Drawn as the other cases are.
    pub random: Count,
    /// Half of them truly pass, half truly fail; an even number.
    pub balanced: Count,
    /// The first system's answer truly passes.
    pub passing: Count,
    /// The first system's answer truly fails.
    pub failing: Count,
}

impl Default for LabelsWire {
    fn default() -> Self {
        Self { random: Count(0), balanced: Count(0), passing: Count(0), failing: Count(0) }
    }
}

/// How cases divide over two graded answers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JointWire {
    /// Both pass.
    pub both: NonNegative,
    /// Only the first system's passes.
    pub first: NonNegative,
    /// Only the second system's passes.
    pub second: NonNegative,
    /// Neither passes.
    pub neither: NonNegative,
}

/// Graded answers of two systems, as counts of cases.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountsWire {
    /// Cases in which both pass.
    pub both: Count,
    /// Cases in which only the first system's answer passes.
    pub first: Count,
    /// Cases in which only the second system's answer passes.
    pub second: Count,
    /// Cases in which neither passes.
    pub neither: Count,
    /// Further cases whose gold labels are bought, drawn anew from these shares; the others have none.
    pub labels: Option<LabelsWire>,
    /// The names of the first and the second system.
    #[serde(default = "a_and_b")]
    pub systems: [String; 2],
}

/// Pairs drawn from a law.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SampledWire {
    /// How many pairs.
    pub pairs: Pairs,
    /// The probability that the first system is truly better in a pair (true difference 1, else -1); or "even", where
    /// it is better in every other pair, the first one included; or "first", where it always is.
    pub better: Option<Better>,
    /// Latent quality, normal for each answer.
    pub quality: Option<QualityWire>,
    /// The lengths of the two answers; the same by default.
    pub length: Option<LengthWire>,
    /// Whether truth, quality and length are drawn once or anew in each replicate.
    #[serde(default = "anew")]
    pub drawn: Drawn,
    /// The names of the first and the second system.
    #[serde(default = "a_and_b")]
    pub systems: [String; 2],
    /// Their families; each its own by default.
    pub families: Option<[String; 2]>,
}

const fn anew() -> Drawn {
    Drawn::Anew
}

fn a_and_b() -> [String; 2] {
    ["A", "B"].map(String::from)
}

/// Latent quality: each answer's is normal, and the better one is truly better.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct QualityWire {
    /// The standard deviation of one answer's quality.
    pub sd: Positive,
    /// The mean difference, first system minus second.
    #[serde(default)]
    pub gap: f64,
    /// A pair whose difference is at most this is truly tied.
    #[serde(default = "nothing")]
    pub margin: NonNegative,
    /// Cuts the difference into this many equally probable values: 4096 are much faster than a continuous one.
    pub levels: Option<Levels>,
}

const fn never() -> Probability {
    Probability::ZERO
}

const fn nothing() -> NonNegative {
    NonNegative::ZERO
}

/// The lengths of the two answers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum LengthWire {
    /// One is this many times as long as the other, each with probability one half.
    Ratio(Positive),
    /// The first system's answer is this many times as long as the second's.
    FirstLonger(Positive),
    /// Both are log-normal: the standard deviation of the natural logarithm of one length.
    LogNormal(NonNegative),
}

/// Cases from a CSV file with columns `id`, `truth_NAME` and, where used, `stratum`, `labelled`, `words_NAME`,
/// `reworded_NAME`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableWire {
    /// The file, relative to the scenario.
    pub file: String,
    /// The names of the first and the second system.
    pub systems: [String; 2],
    /// Which cases to compare the systems on.
    #[serde(default)]
    pub cases: Chosen,
    /// How many pairs, where they are not those of the table: the first of them, and beyond the last the table anew.
    pub pairs: Option<Pairs>,
    /// Their families; each its own by default.
    pub families: Option<[String; 2]>,
}

/// Which cases to compare the systems on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// All of them.
    #[default]
    All,
    /// Those in which the two systems' truths differ.
    Differing,
}

/// A judge by its kind.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum JudgeWire {
    /// Compares two answers, by a link of log-odds.
    Pairwise(Pairwise),
    /// Grades one answer, pass or fail, with fixed error rates.
    Pointwise(Pointwise),
    /// Gives one answer a score, such as 1 to 5.
    Scoring(Scoring),
    /// Says what it is told, without chance.
    Scripted(Scripted),
    /// Says what is written in columns of the world's table.
    Recorded(RecordedWire),
    /// Grades by the words an answer shares with a reference; a real program.
    Lexical(LexicalWire),
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ProtocolWire {
    /// In which orders.
    pub orders: Orders,
    /// How often in each order.
    pub repeats: Times,
    /// How the repeats of an order combine.
    pub combine: Combine,
}

impl Default for ProtocolWire {
    fn default() -> Self {
        Self { orders: Orders::Both, repeats: Times(1), combine: Combine::Each }
    }
}

/// In which orders a pair is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Orders {
    /// The first system is always shown first.
    One,
    /// The second system is always shown first.
    Other,
    /// Both orders.
    #[default]
    Both,
    /// One random order a pair.
    Random,
}

impl From<Orders> for Asked {
    fn from(orders: Orders) -> Self {
        match orders {
            Orders::One => Asked::One,
            Orders::Other => Asked::Other,
            Orders::Both => Asked::Both,
            Orders::Random => Asked::Random,
        }
    }
}

/// What is estimated.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EstimateWire {
    /// The rules, by name.
    pub rules: Vec<String>,
    /// The shares of the population that strata are, by name; they sum to 1. They stand in place of the world's own.
    #[serde(default)]
    pub weights: IndexMap<String, Probability>,
    /// The judge that the others are compared with, for rules that need a third party.
    pub third_party: Option<String>,
    /// Two to five judges that rules of a panel look at together.
    pub panel: Option<Vec<String>>,
    /// What estimands refer to: `world` compares each replicate with the world that it drew.
    pub target: Option<Target>,
}

/// How it is decided which system is truly better.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[serde(untagged)]
pub enum Better {
    /// The first with this probability.
    Share(Probability),
    /// A word: "even" or "first".
    Word(BetterWord),
}

/// A true order of the systems that is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BetterWord {
    /// Every other pair, the first one included.
    Even,
    /// Every pair.
    First,
}

impl<'de> Deserialize<'de> for Better {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BetterVisitor)
    }
}

struct BetterVisitor;

impl Visitor<'_> for BetterVisitor {
    type Value = Better;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a probability, \"even\" or \"first\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Better, E> {
        Probability::new(value).map(Better::Share).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Better, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Better, E> {
        match value {
            "even" => Ok(Better::Word(BetterWord::Even)),
            "first" => Ok(Better::Word(BetterWord::First)),
            other => Err(E::custom(format!(
                "`better` is a probability, \"even\" or \"first\", not \"{other}\"; write a number without quotes"
            ))),
        }
    }
}
