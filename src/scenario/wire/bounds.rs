//! Conditions on results and the price of a round, as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Quantity;
use crate::quantity::{NonNegative, Positive};

/// A condition on a result: a bound on a figure, or strata in which nothing may get worse.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GateWire {
    /// The cell: varied paths and their values.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, serde_json::Value>")]
    pub at: IndexMap<String, toml::Value>,
    /// The judge; needed where there are several.
    pub judge: Option<String>,
    /// The rule with its variant, such as `difference/bootstrap`, or a cost, such as `cost/money`.
    pub estimator: Option<String>,
    /// Which figure of it.
    #[serde(default)]
    pub measure: Quantity,
    /// The figure is no smaller than this.
    pub at_least: Option<f64>,
    /// The figure is no larger than this.
    pub at_most: Option<f64>,
    /// In place of a figure: strata of the table in which no answer of the second system passes where the first's fails.
    pub no_regression_in: Option<Vec<String>>,
}

/// What a round costs. Calls are counted; words, tokens and money are told where what they need is given.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CostWire {
    /// Words of a prompt, the answers in it left out; by default those of the table's column `prompt_words`.
    pub prompt_words: Option<NonNegative>,
    /// Words of an answer; by default those of the table's columns `words_NAME`.
    pub answer_words: Option<NonNegative>,
    /// The systems whose answers are graded one by one; the two that are compared by default.
    pub systems: Option<Vec<String>>,
    /// Tokens a word.
    pub tokens_per_word: Option<Positive>,
    /// Tokens of a reply.
    pub output_tokens: Option<NonNegative>,
    /// The price of a million input tokens.
    pub input_price: Option<NonNegative>,
    /// The price of a million output tokens.
    pub output_price: Option<NonNegative>,
    /// The currency of the prices.
    #[serde(default)]
    pub currency: String,
}
