//! What a teacher projects beside a study: what to predict, what to notice, an exercise and its answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The guide to a study. The figures of the answer stand under `[[published]]` too, so that every run checks them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Guide {
    /// What to write down before looking.
    pub prediction: String,
    /// What to notice in the charts and tables, a sentence each.
    pub notice: Vec<String>,
    /// What to work out by oneself.
    pub exercise: String,
    /// The answer to the exercise.
    pub answer: String,
}
