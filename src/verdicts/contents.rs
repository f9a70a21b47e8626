//! What reading a file gives: its rows, how they were understood, and what was counted on the way.

use std::fmt;

use super::options::Coding;
use super::rows::{BadLine, Read};

/// The kind of file, recognised by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One row a verdict.
    Plain,
    /// One row a pair, one column a judge.
    Wide,
    /// One row a single answer.
    Graded,
    /// Result files of `LLMBar`.
    LlmBar,
    /// Pairwise judgments of `FastChat`, two games a line.
    FastChat,
    /// `JudgeBench`, two decisions a line.
    JudgeBench,
    /// Free-text judgments of the position bias analyzer.
    PositionBias,
    /// Annotations of `AlpacaEval`.
    AlpacaEval,
    /// Labels of `PandaLM`.
    PandaLm,
    /// Battles with a human and a judge's pick.
    Arena,
}

impl Format {
    /// The name to be printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Plain => "table of verdicts",
            Format::Wide => "table with one column per judge",
            Format::Graded => "table of grades",
            Format::LlmBar => "LLMBar results",
            Format::FastChat => "FastChat pairwise judgments",
            Format::JudgeBench => "JudgeBench judgments",
            Format::PositionBias => "position bias analyzer judgments",
            Format::AlpacaEval => "AlpacaEval annotations",
            Format::PandaLm => "PandaLM labels",
            Format::Arena => "battles with a human and a judge",
        }
    }
}

/// How it was known what verdicts name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The user said so.
    Declared,
    /// The format says so.
    Format,
    /// No value could be read otherwise.
    Values,
    /// The name of the column says so.
    Column,
    /// Only one way makes the two orders of a pair agree.
    Consistency,
}

impl Known {
    /// The reason, to follow "because".
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Known::Declared => "it was declared",
            Known::Format => "the format says so",
            Known::Values => "the values cannot be read otherwise",
            Known::Column => "the name of the column says so",
            Known::Consistency => "only so do the two orders of a pair agree",
        }
    }
}

/// What verdicts name, and how that was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coded {
    /// What verdicts name.
    pub coding: Coding,
    /// How that was known.
    pub known: Known,
}

/// What was counted while reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records of the file: lines of a table without its header, elements of a list.
    pub records: u64,
    /// Verdicts (or grades) that were read and kept.
    pub kept: u64,
    /// Records that could not be used.
    pub bad: u64,
    /// The first few of them.
    pub first_bad: Vec<BadLine>,
    /// Verdicts of judges that were not asked for.
    pub other_judges: u64,
    /// Kept verdicts that are none: missing, refused, out of format.
    pub invalid: u64,
    /// Those of them where nothing stands at all.
    pub missing: u64,
    /// Free texts that name different verdicts.
    pub conflicting: u64,
    /// Verdicts on a system against itself; left out.
    pub self_play: u64,
    /// Verdicts on a presentation that was read before, the repeat included, and say the same; left out.
    pub duplicates: u64,
    /// The same, but saying something else; left out too, the first one stands.
    pub contradicted: u64,
    /// Verdicts on a presentation that was read before, in a file without repeats, which were numbered as repeats because at
    /// least two askings of one presentation differ.
    pub numbered: u64,
    /// Pairs (judge, item, two systems, repeat) in both orders.
    pub both_orders: u64,
    /// Pairs in one order only.
    pub one_sided: u64,
    /// Answers of length 0.
    pub zero_lengths: u64,
    /// Lengths that are no whole number from 0; read as not given.
    pub odd_lengths: u64,
    /// Gold labels that are none of the two systems, nor a tie; read as not given.
    pub odd_gold: u64,
    /// Records that are not UTF-8; read as Latin-1.
    pub latin1: u64,
}

/// A file, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// Its rows.
    pub read: Read,
    /// Its kind.
    pub format: Format,
    /// What verdicts name; none for grades.
    pub coded: Option<Coded>,
    /// What was counted.
    pub counts: Counts,
    /// What a reader of the figures should know, in sentences.
    pub notes: Vec<String>,
}

/// Why a file cannot be read: its place, what stands there, the broken rule and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, from 1 (the number of the record in a JSON array); none where the whole file is meant.
    pub line: Option<u64>,
    /// The offending text, shortened; may be empty.
    pub value: String,
    /// The rule it breaks.
    pub rule: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if !self.value.is_empty() {
            write!(f, "`{}`: ", self.value)?;
        }
        write!(f, "{}; {}", self.rule, self.remedy)
    }
}

impl std::error::Error for Mistake {}
