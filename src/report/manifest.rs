//! The manifest of a run: what is needed to repeat it, and nothing of the machine, the clock or the threads. That of an analysis
//! names what was read and what was written.

use std::fmt::Write;

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use serde::{Deserialize, Serialize};

use crate::analysis::Source;
use crate::scenario::Plan;

/// The BLAKE2b-256 digest of some bytes, in hexadecimal.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let hash: [u8; 32] = Blake2b::<U32>::digest(bytes).into();
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What is needed to repeat a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the laboratory.
    pub version: String,
    /// The version of its random numbers.
    pub stream: String,
    /// The study's name, where the scenario holds several.
    pub study: Option<String>,
    /// The seed that was used.
    pub seed: u64,
    /// The replicates that were used.
    pub replicates: u64,
    /// The digest of the scenario.
    pub scenario_blake2b: String,
    /// The scenario.
    pub scenario: String,
    /// The files it names and their digests.
    pub files: Vec<(String, String)>,
    /// What the run wrote.
    pub outputs: Vec<String>,
}

/// What a report was made from: with the version, the seed and the replicates, all that a repetition needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The digest of the scenario.
    pub scenario_blake2b: String,
    /// The scenario.
    pub scenario: String,
    /// The files it names and their digests.
    pub files: Vec<(String, String)>,
}

impl Made {
    /// What a plan was made from: a scenario and `files` (names and texts).
    #[must_use]
    pub fn new(plan: &Plan, scenario: &str, files: &[(String, String)]) -> Self {
        Self {
            scenario_blake2b: digest(scenario.as_bytes()),
            scenario: scenario.to_owned(),
            files: digests(plan, files),
        }
    }
}

fn digests(plan: &Plan, files: &[(String, String)]) -> Vec<(String, String)> {
    let named = files.iter().filter(|file| plan.files.contains(&file.0));
    named.map(|(name, text)| (name.clone(), digest(text.as_bytes()))).collect()
}

impl Manifest {
    /// The manifest of a plan that was read from `scenario` and from `files` (names and texts).
    #[must_use]
    pub fn new(
        plan: &Plan,
        scenario: &str,
        files: &[(String, String)],
        outputs: &[String],
    ) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            stream: crate::stream::VERSION.to_owned(),
            study: plan.name.clone(),
            seed: plan.seed,
            replicates: plan.replicates,
            scenario_blake2b: digest(scenario.as_bytes()),
            scenario: scenario.to_owned(),
            outputs: outputs.to_vec(),
            files: digests(plan, files),
        }
    }

    /// The JSON text, indented, with a line feed at the end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// What an analysis read and wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analyzed {
    /// The version of the laboratory.
    pub version: String,
    /// The files of verdicts that were read.
    pub files: Vec<String>,
    /// What the analysis wrote.
    pub outputs: Vec<String>,
}

impl Analyzed {
    /// The manifest of an analysis.
    #[must_use]
    pub fn new(files: &[Source], outputs: &[String]) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: files.iter().map(|it| it.file.clone()).collect(),
            outputs: outputs.to_vec(),
        }
    }

    /// The JSON text, indented, with a line feed at the end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The files that the text of a manifest of either kind names as written; none where it is no manifest.
#[must_use]
pub fn outputs(text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Outputs {
        outputs: Vec<String>,
    }
    serde_json::from_str::<Outputs>(text).map(|it| it.outputs).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_manifest_name_what_was_written() {
        let names = ["report.json".to_owned(), "length.svg".to_owned()];
        assert_eq!(outputs(&Analyzed::new(&[], &names).json()), names);
        assert_eq!(outputs("{\"seed\": 1, \"outputs\": [\"a\"]}"), ["a"]);
        assert!(outputs("").is_empty() && outputs("{\"outputs\": 3}").is_empty());
    }

    /// `hashlib.blake2b(b"abc", digest_size=32).hexdigest()` of Python.
    #[test]
    fn digests_are_blake2b_256() {
        assert_eq!(
            digest(b"abc"),
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
        );
    }
}
