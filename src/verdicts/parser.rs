//! Reads the verdict in a judge's free text, and counts what is none.
//!
//! A reply out of format is never turned into a verdict: where a text might be read in two ways, it is
//! [`Outcome::Missing`] or [`Outcome::Conflicting`], both are counted, and both are [`Verdict::Invalid`] to the estimators.
//!
//! | | strict | marked | permissive |
//! |---|---|---|---|
//! | what is read | `[[A]]` at the end; a word in its exact case on the last line | the last `[[A]]` anywhere | marks, lines, labels (`Verdict: b`), sentences |
//! | two different verdicts | conflicting | the last wins | the last explicit one wins over what stands before it, if nothing explicit in its line and nothing after it says otherwise; else conflicting |
//!
//! *Marked* is the rule of published verdict files. *Permissive* passes over what does not assert a verdict: quotations and
//! quoted lines, reasoning up to `</think>`, questions, conditions ("if it is correct"), offered alternatives ("CORRECT or
//! WRONG"), descriptions ("the correct answer is Paris"), half praise ("partly correct"). A negation turns a grade round
//! ("not correct") or, where its reach is unclear, leaves no verdict. It reads English, and text it does not know is no verdict.

mod mentions;
mod tokens;
mod vocabulary;
mod words;

use serde::{Deserialize, Serialize};

pub use vocabulary::{Vocabulary, VocabularyError};

use crate::evidence::Verdict;
use mentions::{Mention, mentions};
use words::announces;

/// How much of a reply may carry its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The reply is, or ends in, exactly one verdict in the agreed form.
    Strict,
    /// The last verdict in double brackets counts, and nothing else does.
    Marked,
    /// Any wording that asserts a verdict.
    Permissive,
}

/// What a reply says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// First, tie or second; pass is first, fail is second. Never [`Verdict::Invalid`].
    Verdict(Verdict),
    /// Different verdicts, none of which settles the matter.
    Conflicting,
    /// No verdict.
    Missing,
}

impl Outcome {
    /// What the estimators count.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Outcome::Verdict(verdict) => verdict,
            Outcome::Conflicting | Outcome::Missing => Verdict::Invalid,
        }
    }
}

/// How many replies said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// For the answer shown first, or pass.
    pub first: u64,
    /// For neither.
    pub tie: u64,
    /// For the answer shown second, or fail.
    pub second: u64,
    /// Different verdicts in one reply.
    pub conflicting: u64,
    /// No verdict in the reply.
    pub missing: u64,
}

impl Tally {
    /// One reply more.
    #[must_use]
    pub fn plus(mut self, outcome: Outcome) -> Self {
        *match outcome {
            Outcome::Verdict(Verdict::First) => &mut self.first,
            Outcome::Verdict(Verdict::Tie) => &mut self.tie,
            Outcome::Verdict(Verdict::Second) => &mut self.second,
            Outcome::Conflicting => &mut self.conflicting,
            Outcome::Missing | Outcome::Verdict(Verdict::Invalid) => &mut self.missing,
        } += 1;
        self
    }

    /// How many replies were read.
    #[must_use]
    pub const fn replies(self) -> u64 {
        self.first + self.tie + self.second + self.out_of_format()
    }

    /// How many of them are no verdict.
    #[must_use]
    pub const fn out_of_format(self) -> u64 {
        self.conflicting + self.missing
    }
}

/// A vocabulary and a mode of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parser {
    /// What verdicts are called.
    pub vocabulary: Vocabulary,
    /// How much of a reply may carry them.
    pub mode: Mode,
}

impl Parser {
    /// What a reply says. Time grows with its length only.
    #[must_use]
    pub fn read(&self, reply: &str) -> Outcome {
        match self.mode {
            Mode::Strict => self.strict(reply),
            Mode::Marked => {
                self.marks(reply).last().map_or(Outcome::Missing, |it| Outcome::Verdict(it.0))
            }
            Mode::Permissive => settle(&mentions(&self.vocabulary, &tokens::tokens(reply))),
        }
    }

    /// How many of some replies say what.
    #[must_use]
    pub fn tally<'a>(&self, replies: impl IntoIterator<Item = &'a str>) -> Tally {
        replies.into_iter().fold(Tally::default(), |tally, reply| tally.plus(self.read(reply)))
    }

    fn strict(&self, reply: &str) -> Outcome {
        let found: Vec<(Verdict, bool)> = if self.vocabulary.marked() {
            self.marks(reply).map(|(verdict, rest)| (verdict, trimmed(rest).is_empty())).collect()
        } else {
            let lines = reply.trim_end().lines().rev().enumerate();
            let mut found: Vec<_> =
                lines.filter_map(|(i, line)| Some((self.line(line)?, i == 0))).collect();
            found.reverse();
            found
        };
        match found.as_slice() {
            [first, rest @ ..] if rest.iter().any(|it| it.0 != first.0) => Outcome::Conflicting,
            [.., (verdict, true)] => Outcome::Verdict(*verdict),
            _ => Outcome::Missing,
        }
    }

    /// The verdict that a line is to the letter, behind an announcement or without one.
    fn line(&self, line: &str) -> Option<Verdict> {
        self.vocabulary.exact(trimmed(line)).or_else(|| {
            let (label, verdict) = line.rsplit_once(':')?;
            self.vocabulary.exact(trimmed(verdict)).filter(|_| announces(label))
        })
    }

    /// Every `[[verdict]]` in its exact case, with the text behind it.
    fn marks<'a>(&'a self, reply: &'a str) -> impl Iterator<Item = (Verdict, &'a str)> {
        let mut start = 0;
        reply.match_indices("]]").filter_map(move |(end, close)| {
            let before = &reply[start..end];
            start = end + close.len();
            let (_, inner) = before.rsplit_once("[[")?;
            Some((self.vocabulary.exact(inner)?, &reply[start..]))
        })
    }
}

/// Without the emphasis, quotes and stops around it, which are not the verdict and no reason to refuse it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ".!*`\"'“”".contains(c))
}

/// One verdict out of all that were asserted, or none.
fn settle(mentions: &[Mention]) -> Outcome {
    let deciding = mentions.iter().rposition(|it| it.explicit);
    let Some(chosen) = deciding.map(|it| &mentions[it]).or(mentions.last()) else {
        return Outcome::Missing;
    };
    // The last explicit verdict settles other wordings before it, and explicit verdicts on earlier lines.
    let settled = |i, it: &Mention| {
        deciding.is_some_and(|d| i < d) && !(it.explicit && it.line == chosen.line)
    };
    if mentions.iter().enumerate().all(|(i, it)| it.verdict == chosen.verdict || settled(i, it)) {
        Outcome::Verdict(chosen.verdict)
    } else {
        Outcome::Conflicting
    }
}

#[cfg(test)]
mod tests;
