//! How the files were read: what was counted on the way, and what a reader of the figures should know.

use serde::{Deserialize, Serialize};

use crate::verdicts::Contents;

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub file: String,
    /// Its kind.
    pub format: String,
    /// What its verdicts name, `slot` or `system`; none for grades.
    pub coded: Option<String>,
    /// How that was known.
    pub coded_because: Option<String>,
    /// Records of the file.
    pub records: u64,
    /// Verdicts or grades that were kept.
    pub kept: u64,
    /// Records that could not be used.
    pub bad: u64,
    /// The first of them: line, text, rule.
    pub first_bad: Vec<(u64, String, String)>,
    /// Kept verdicts that are none.
    pub invalid: u64,
    /// Free texts that name different verdicts.
    pub conflicting: u64,
    /// Verdicts on a system against itself; left out.
    pub self_play: u64,
    /// Verdicts that repeat an earlier one word for word; left out.
    pub duplicates: u64,
    /// Verdicts that contradict an earlier one on the same presentation; left out.
    pub contradicted: u64,
    /// Askings of the same presentation that were numbered as repeats.
    pub numbered: u64,
    /// Answers of length 0.
    pub zero_lengths: u64,
    /// What a reader of the figures should know.
    pub notes: Vec<String>,
}

impl Source {
    /// What is told of a file.
    #[must_use]
    pub fn new(file: &str, it: &Contents) -> Self {
        let counts = &it.counts;
        let bad = counts.first_bad.iter();
        Self {
            file: file.to_owned(),
            format: it.format.name().to_owned(),
            coded: it.coded.map(|it| it.coding.name().to_owned()),
            coded_because: it.coded.map(|it| it.known.reason().to_owned()),
            records: counts.records,
            kept: counts.kept,
            bad: counts.bad,
            first_bad: bad.map(|it| (it.line, it.value.clone(), it.rule.clone())).collect(),
            invalid: counts.invalid,
            conflicting: counts.conflicting,
            self_play: counts.self_play,
            duplicates: counts.duplicates,
            contradicted: counts.contradicted,
            numbered: counts.numbered,
            zero_lengths: counts.zero_lengths,
            notes: it.notes.clone(),
        }
    }
}
