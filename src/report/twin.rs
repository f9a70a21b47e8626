//! A twin as a scenario that runs, its pairs as a table, and the predictive check in words.

use std::fmt::Write;

use super::csv::text as table_of;
use super::numbers::{decimals, plain};
use crate::analysis::{Orders, Parameter, Prediction, Twin};
use crate::evidence::Gold;

/// More pairs than these make the search for the smallest bias long: it then waits until it is asked for.
const MOST_SEARCHED: usize = 1000;

/// The scenario of a twin. `file` is what it was fitted to, `table` the name of its pairs' file, where it has one.
#[must_use]
pub fn scenario(twin: &Twin, file: &str, table: Option<&str>) -> String {
    let mut out = String::new();
    let quoted = |it: &str| toml::Value::String(it.to_owned()).to_string();
    let file = file.chars().filter(|it| !it.is_control()).collect::<String>();
    let _ = writeln!(
        out,
        "# A judge and a world fitted to {file}: {} pairs.\n# Estimates are of maximum likelihood, their standard errors by the observed information.",
        twin.pairs.len()
    );
    for note in &twin.notes {
        let _ = writeln!(out, "# Note: {}", one_line(note));
    }
    let question = format!("What does {} do, and what does the next round need?", twin.judge);
    let _ = writeln!(
        out,
        "\nquestion = {}\nseed = 1\nreplicates = 1000\n",
        quoted(&one_line(&question))
    );
    let systems = twin.systems.each_ref().map(|it| quoted(it)).join(", ");
    let pairs = twin.pairs.len();
    let _ = match table {
        Some(name) => writeln!(
            out,
            "[world.table]\nfile = {}\nsystems = [{systems}]\npairs = {pairs}  # more than the file's are the file's anew",
            quoted(name)
        ),
        None => writeln!(
            out,
            "[world.sampled]\npairs = {pairs}\nbetter = \"first\"  # no label tells quality\nsystems = [{systems}]"
        ),
    };
    let _ = writeln!(out, "\n[judges.{}.pairwise]", quoted(&twin.judge));
    for it in &twin.parameters {
        parameter(&mut out, it);
        if it.key == "taste" && 0.0 < it.value {
            out.push_str(
                "taste-drawn = \"anew\"  # other pairs like these, not these opinions of them\n",
            );
        }
        if it.key == "self"
            && let Some(own) = &twin.own
        {
            let _ = writeln!(out, "own = {}", quoted(own));
        }
    }
    let _ = writeln!(out, "\n[protocol]\norders = \"{}\"", twin.orders.name());
    if 1 < twin.repeats {
        let _ = writeln!(out, "repeats = {}", twin.repeats);
    }
    estimate(&mut out, twin, table.is_some());
    out
}

fn parameter(out: &mut String, it: &Parameter) {
    // More digits than the error has are noise, and fewer would not be the estimate.
    let value = decimals(it.value, 6);
    let _ = write!(out, "{} = {value}", it.key);
    let mut words = Vec::new();
    words.extend(it.error.map(|error| format!("standard error {}", plain(error))));
    words.extend(it.limits.map(|limits| {
        let high = if limits.high.is_finite() { plain(limits.high) } else { "no bound".to_owned() };
        format!("profile limits {} to {high}", plain(limits.low))
    }));
    words.extend(it.remark.clone());
    if !words.is_empty() {
        let _ = write!(out, "  # {}", one_line(&words.join("; ")));
    }
    out.push('\n');
}

fn estimate(out: &mut String, twin: &Twin, has_table: bool) {
    let mut rules = match twin.orders {
        Orders::Both => vec!["flip-rate", "first-share", "win-rate", "position-effect"],
        Orders::Random => vec!["first-share", "win-rate", "position-effect"],
        Orders::One | Orders::Other => vec!["first-share", "win-rate"],
    };
    if twin.labelled && twin.orders != Orders::Random {
        rules.push("accuracy");
    }
    let rules = rules.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "\n[estimate]\nrules = [{rules}]");
    let rule = match (twin.orders, twin.repeats) {
        (Orders::Both, 1) => "position-effect/mid-p",
        (Orders::Both, _) => "position-effect/clustered",
        (Orders::Random, _) => "position-effect/marginal",
        _ => return,
    };
    let pairs = if has_table { "world.table.pairs" } else { "world.sampled.pairs" };
    let name = toml::Value::String(twin.judge.clone()).to_string();
    let lines = [
        "[detect]  # the smallest position preference that these pairs show".to_owned(),
        format!(
            "parameter = {}",
            toml::Value::String(format!("judges.{}.pairwise.position", bare(&twin.judge, &name)))
        ),
        format!("estimator = \"{rule}\""),
    ];
    // A power that no law sums takes a simulation: not in every run.
    let summed = rule == "position-effect/mid-p" && twin.pairs.len() <= MOST_SEARCHED;
    out.push('\n');
    if !summed {
        out.push_str(
            "# Remove the marks to have `run` and `detect --scenario` search; it takes a while.\n",
        );
    }
    for line in lines {
        let _ = writeln!(out, "{}{line}", if summed { "" } else { "# " });
    }
    let _ = writeln!(
        out,
        "# What the next round needs to see the fitted position: judgelab plan --scenario FILE --parameter {pairs} --estimator {rule}"
    );
}

/// A name as a part of a path: in quotes where it is no bare key.
fn bare<'a>(name: &'a str, quoted: &'a str) -> &'a str {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) { name } else { quoted }
}

fn one_line(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}

/// The pairs of a twin as the table of its world: `id`, the truths of both systems, their lengths, and whether a label is
/// there. None where nothing tells the pairs apart.
#[must_use]
pub fn table(twin: &Twin) -> Option<String> {
    if !twin.labelled && !twin.lengths {
        return None;
    }
    let unlabelled = twin.labelled && twin.pairs.iter().any(|it| it.gold.is_none());
    let [a, b] = &twin.systems;
    let mut header = vec!["id".to_owned(), format!("truth_{a}"), format!("truth_{b}")];
    if twin.lengths {
        header.extend([format!("words_{a}"), format!("words_{b}")]);
    }
    header.extend(unlabelled.then(|| "labelled".to_owned()));
    let row = |it: &crate::analysis::Described| {
        let truths = match it.gold {
            Some(Gold::A) => ["1", "0"],
            Some(Gold::B) => ["0", "1"],
            None if !twin.labelled => ["1", "0"],
            _ => ["0", "0"],
        };
        let mut cells = vec![it.id.clone()];
        cells.extend(truths.map(str::to_owned));
        if twin.lengths {
            cells.extend(it.lengths.unwrap_or([1, 1]).map(|it| it.to_string()));
        }
        cells.extend(unlabelled.then(|| u8::from(it.gold.is_some()).to_string()));
        cells
    };
    Some(table_of(std::iter::once(header).chain(twin.pairs.iter().map(row))))
}

/// The fitted coefficients and the predictive check, in words and a table.
#[must_use]
pub fn text(twin: &Twin, prediction: &Prediction) -> String {
    let pairs = twin.pairs.len();
    let plural = if pairs == 1 { "" } else { "s" };
    let mut out = format!("{}, fitted to {pairs} pair{plural}:\n", twin.judge);
    for it in &twin.parameters {
        let error = it.error.map(|error| format!(" (standard error {})", plain(error)));
        let remark = it.remark.as_ref().map(|it| format!(" – {it}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "  {:<9} {:>8}{}{remark}",
            it.key,
            plain(it.value),
            error.unwrap_or_default()
        );
    }
    for note in &twin.notes {
        let _ = writeln!(out, "Note: {note}");
    }
    let missed: Vec<&str> = prediction.missed().map(|it| it.name).collect();
    let files = prediction.files;
    let _ = if missed.is_empty() {
        writeln!(
            out,
            "\nPredictive check: {files} files simulated from the twin are like the real one in every figure.\n"
        )
    } else {
        writeln!(
            out,
            "\nPredictive check: {files} files simulated from the twin are not like the real one in: {}. There the judge does what this model cannot.\n",
            missed.join(", ")
        )
    };
    let _ =
        writeln!(out, "{:<34} {:>10} {:>10} {:>9} {:>7}", "", "the file", "the twin", "sd", "p");
    for it in &prediction.figures {
        let count = it.name.ends_with(')') || it.name.starts_with("same");
        let file = if count { format!("{:.0}", it.file) } else { plain(it.file) };
        let mean = if count { decimals(it.mean, 2) } else { plain(it.mean) };
        let sd = if count { decimals(it.sd, 2) } else { plain(it.sd) };
        let _ = writeln!(out, "{:<34} {file:>10} {mean:>10} {sd:>9} {:>7}", it.name, plain(it.p));
    }
    out
}
