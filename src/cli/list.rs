//! `judgelab list`: what there is, in lines taken from the code.

use judgelab::estimators::ESTIMATORS;
use judgelab::scenario::schema;
use judgelab::study::detect::Bias;

use super::presets::PRESETS;

/// The scenarios that are shipped.
const SHIPPED: [(&str, &str); 16] = [
    ("swap", include_str!("../../scenarios/swap.toml")),
    ("teach-swapping", include_str!("../../scenarios/teach-swapping.toml")),
    ("teach-fourteen-pairs", include_str!("../../scenarios/teach-fourteen-pairs.toml")),
    ("teach-kappa", include_str!("../../scenarios/teach-kappa.toml")),
    ("teach-lenient", include_str!("../../scenarios/teach-lenient.toml")),
    ("lesson-position", include_str!("../../scenarios/lesson-position.toml")),
    ("graders-swap", include_str!("../../scenarios/graders-swap.toml")),
    ("three-biases", include_str!("../../scenarios/three-biases.toml")),
    ("power-curve", include_str!("../../scenarios/power-curve.toml")),
    ("power-map", include_str!("../../scenarios/power-map.toml")),
    ("few-clusters", include_str!("../../scenarios/few-clusters.toml")),
    ("calibration-sets", include_str!("../../scenarios/calibration-sets.toml")),
    ("lesson", include_str!("../../scenarios/lesson.toml")),
    ("graders", include_str!("../../scenarios/graders.toml")),
    ("labelled-set", include_str!("../../scenarios/labelled-set.toml")),
    ("evaluation", include_str!("../../scenarios/evaluation.toml")),
];

pub(super) fn list() -> String {
    let mut out = String::from("Judges (a table [judges.NAME.KIND] each):\n");
    for (kind, what) in judge_kinds() {
        row(&mut out, &kind, &what);
    }
    out.push_str(
        "\nRules (for [estimate] rules; a rule prints every variant that its protocol feeds):\n",
    );
    for it in ESTIMATORS {
        row(&mut out, &it.name(), it.summary);
    }
    out.push_str("\nBiases (for `detect` and `plan`):\n");
    for it in Bias::ALL {
        row(&mut out, it.name(), it.summary());
    }
    out.push_str("\nPublished judges (for `new --judge NAME`):\n");
    for it in &PRESETS {
        row(&mut out, it.name, &it.summary());
    }
    out.push_str("\nScenarios (in the folder scenarios):\n");
    for (name, text) in SHIPPED {
        row(&mut out, name, &question(text));
    }
    out
}

/// The widest line.
const WIDTH: usize = 100;
/// Where meanings begin.
const MARGIN: usize = 32;

/// A name and its meaning, which goes on below itself where the line ends.
fn row(out: &mut String, name: &str, what: &str) {
    let mut line = format!("  {name:<width$}", width = MARGIN - 2);
    for word in what.split_whitespace() {
        if WIDTH < line.chars().count() + 1 + word.chars().count() {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(MARGIN);
        }
        if !line.ends_with(' ') {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(&line);
    out.push('\n');
}

/// The kinds and the sentences that document them.
fn judge_kinds() -> Vec<(String, String)> {
    let schema = schema();
    let kinds = schema.pointer("/$defs/JudgeWire/oneOf").and_then(|it| it.as_array());
    let kind = |it: &serde_json::Value| {
        let name = it.pointer("/required/0")?.as_str()?.to_owned();
        Some((name, it.get("description")?.as_str()?.to_owned()))
    };
    kinds.map(|all| all.iter().filter_map(kind).collect()).unwrap_or_default()
}

/// The first sentence of a scenario's question.
fn question(text: &str) -> String {
    let table: Option<toml::Table> = text.parse().ok();
    let question = table.as_ref().and_then(|it| it.get("question")?.as_str()).unwrap_or_default();
    let end = question.find(['?', '.']).map_or(question.len(), |at| at + 1);
    question[..end].to_owned()
}
