//! Scenarios: what the user wrote, read into a plan in which nothing can be wrong. Nothing here opens a file.

mod cell;
mod costs;
mod document;
mod found;
mod gates;
mod grid;
mod guide;
mod lookup;
mod mistake;
mod places;
mod plan;
mod published;
mod rules;
mod scored;
mod set;
mod wire;
mod worlds;

pub use costs::Costed;
pub use document::{Document, Study, Tree};
pub use gates::Condition;
pub use grid::{Axis, Cell, Grid, Level, MOST_CELLS, Point};
pub use guide::Guide;
pub use mistake::{Mistake, Mistakes, Source, suggestion};
pub use places::Subject;
pub use plan::{Along, Between, Curve, Open, Overrides, Plan};
pub use published::Published;
pub use set::Set;
pub use wire::{Detect, Quantity, Replicates, Seed, Wire};

/// The JSON Schema of a scenario, `[vary]` and `[studies]` included.
#[must_use]
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Wire).to_value();
    let study = serde_json::json!({ "type": "object", "description": "Tables of one study; they replace shared ones." });
    if let Some(properties) = schema.get_mut("properties").and_then(|it| it.as_object_mut()) {
        properties.insert(
            "vary".into(),
            serde_json::json!({
                "type": "object",
                "description": "Paths of the scenario and the values they take: every combination is a cell.",
                "additionalProperties": { "type": "array", "minItems": 1 }
            }),
        );
        properties.insert(
            "vary-together".into(),
            serde_json::json!({
                "type": "object",
                "description": "Paths that vary as one, with lists of one length: every row is a cell.",
                "additionalProperties": { "type": "array", "minItems": 1 }
            }),
        );
        properties.insert(
            "studies".into(),
            serde_json::json!({ "type": "object", "description": "Several studies in one file.", "additionalProperties": study }),
        );
    }
    if let Some(all) = schema.as_object_mut()
        && let Some(required) = all.remove("required")
    {
        all.insert(
            "anyOf".into(),
            serde_json::json!([{ "required": required }, { "required": ["studies"] }]),
        );
    }
    schema
}
