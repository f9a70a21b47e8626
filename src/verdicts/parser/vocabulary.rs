//! What verdicts are called, and where a name may stand to be one.

use std::collections::BTreeMap;
use std::fmt;

use super::tokens::{Token, tokens};
use crate::evidence::Verdict;

/// What can stand before or behind a name: "Response A", "the first answer".
const NOUNS: [&str; 11] = [
    "answer",
    "assistant",
    "candidate",
    "completion",
    "model",
    "option",
    "output",
    "reply",
    "response",
    "solution",
    "system",
];

/// Where a name is a verdict. Names are the riskier, the more they occur in other senses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Behind a label, or alone on its line: "1".
    Line,
    /// There, or in double brackets: "A".
    Mark,
    /// There, or as a sentence, or opening one: "No.", "Yes, because".
    Sentence,
    /// In any assertion: "the answer is correct".
    Prose,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// In lower case, one or more.
    pub(super) words: Vec<String>,
    pub(super) verdict: Verdict,
    pub(super) place: Place,
}

/// The names of the verdicts, compared word by word without regard to case and punctuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// As written, for the modes that keep to the letter.
    exact: Vec<(String, Verdict)>,
    /// By their first word; the longest first, so that "response a" is not read as "response".
    names: BTreeMap<String, Vec<Name>>,
    /// Whether the agreed form has double brackets; if so two answers are compared ("A > B", "A is better").
    marked: bool,
}

/// Why names are no vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VocabularyError {
    /// A name without a letter or digit.
    Empty(String),
    /// One name for two verdicts.
    Twice(String),
    /// No name for one of the sides.
    Nameless,
}

impl fmt::Display for VocabularyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(name) => {
                write!(f, "the verdict name {name:?} has no letter or digit; give it a word")
            }
            Self::Twice(name) => {
                write!(f, "{name:?} names two different verdicts; keep it for one")
            }
            Self::Nameless => f.write_str("each side needs at least one verdict name"),
        }
    }
}

impl std::error::Error for VocabularyError {}

impl Vocabulary {
    /// Grades: CORRECT and INCORRECT or WRONG; read permissively also yes, no, true, false, pass, fail, y, n, 1 and 0.
    #[must_use]
    pub fn grades() -> Self {
        let of = |place, verdict, words: &[&str]| {
            words.iter().map(|it| Name::of(it, verdict, place)).collect::<Vec<_>>()
        };
        let names = [
            of(Place::Prose, Verdict::First, &["correct"]),
            of(Place::Prose, Verdict::Second, &["incorrect", "wrong"]),
            of(Place::Sentence, Verdict::First, &["yes", "true", "pass", "right"]),
            of(Place::Sentence, Verdict::Second, &["no", "false", "fail"]),
            of(Place::Line, Verdict::First, &["1", "y"]),
            of(Place::Line, Verdict::Second, &["0", "n"]),
        ];
        let exact = [
            ("CORRECT", Verdict::First),
            ("INCORRECT", Verdict::Second),
            ("WRONG", Verdict::Second),
        ];
        let exact = exact.map(|(name, verdict)| (name.to_owned(), verdict)).to_vec();
        Self { exact, names: by_first_word(names.concat()), marked: false }
    }

    /// Pairs: `[[A]]`, `[[B]]`, `[[C]]` for a tie, and comparisons such as `[[A>>B]]` and `[[A=B]]`; read permissively also 1
    /// and 2, first and second, tie and draw, each with a noun ("Response 2"), and statements ("Assistant A is better").
    #[must_use]
    pub fn pairs() -> Self {
        let mut names = Vec::new();
        for (side, verdict) in
            [(["a", "1", "first"], Verdict::First), (["b", "2", "second"], Verdict::Second)]
        {
            for name in side {
                // A number in double brackets is a rating or a source.
                let place = if name.starts_with(|c: char| c.is_ascii_digit()) {
                    Place::Line
                } else {
                    Place::Mark
                };
                names.push(Name::of(name, verdict, place));
                for noun in NOUNS {
                    names.push(Name::of(&format!("{noun} {name}"), verdict, Place::Mark));
                    // "A response" is any response, "first response" is one.
                    if 1 < name.len() {
                        names.push(Name::of(&format!("{name} {noun}"), verdict, Place::Mark));
                    }
                }
            }
        }
        names.extend(["c", "neither", "equal"].map(|it| Name::of(it, Verdict::Tie, Place::Mark)));
        names.extend(["tie", "tied", "draw"].map(|it| Name::of(it, Verdict::Tie, Place::Prose)));
        let exact = [("A", Verdict::First), ("B", Verdict::Second), ("C", Verdict::Tie)];
        let exact = exact.map(|(name, verdict)| (name.to_owned(), verdict)).to_vec();
        Self { exact, names: by_first_word(names), marked: true }
    }

    /// Names of the user's own: first (pass), tie and second (fail). They are read where they stand alone: on a line, behind
    /// a label, in double brackets. Fits "GRADE: I" and "Output (a)".
    ///
    /// # Errors
    /// When a side has no name, a name has no letter or digit, or two verdicts share one.
    pub fn named(first: &[&str], tie: &[&str], second: &[&str]) -> Result<Self, VocabularyError> {
        if first.is_empty() || second.is_empty() {
            return Err(VocabularyError::Nameless);
        }
        let (mut exact, mut names) = (Vec::new(), Vec::<Name>::new());
        for (side, verdict) in
            [(first, Verdict::First), (tie, Verdict::Tie), (second, Verdict::Second)]
        {
            for written in side {
                let name = Name::of(written, verdict, Place::Mark);
                if name.words.is_empty() {
                    return Err(VocabularyError::Empty((*written).to_owned()));
                }
                if names.iter().any(|it| it.words == name.words && it.verdict != verdict) {
                    return Err(VocabularyError::Twice((*written).to_owned()));
                }
                exact.push((written.trim().to_owned(), verdict));
                names.push(name);
            }
        }
        Ok(Self { exact, names: by_first_word(names), marked: false })
    }

    /// The same names, agreed on in double brackets.
    #[must_use]
    pub fn in_brackets(self) -> Self {
        Self { marked: true, ..self }
    }

    pub(super) const fn marked(&self) -> bool {
        self.marked
    }

    /// The verdict that a text is, to the letter; where two answers are compared also "A>B", "A>>B" and "A=B".
    pub(super) fn exact(&self, text: &str) -> Option<Verdict> {
        let named = |text: &str| self.exact.iter().find(|it| it.0 == text.trim()).map(|it| it.1);
        named(text).or_else(|| {
            let at = text.find(['>', '<', '='])?;
            let (left, rest) = text.split_at(at);
            let right = rest.trim_start_matches(['>', '<', '=']);
            let sign: Vec<char> = rest[..rest.len() - right.len()].chars().collect();
            compared(named(left)?, &sign, named(right)?).filter(|_| self.marked)
        })
    }

    /// The longest name that starts here.
    pub(super) fn name(&self, tokens: &[Token]) -> Option<&Name> {
        let Some(Token::Word(first)) = tokens.first() else { return None };
        self.names.get(first)?.iter().find(|name| {
            name.words.len() <= tokens.len()
                && name.words.iter().zip(tokens).all(|(word, token)| token.is(word))
        })
    }
}

impl Name {
    fn of(written: &str, verdict: Verdict, place: Place) -> Self {
        let words = tokens(written).into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        });
        Self { words: words.collect(), verdict, place }
    }
}

fn by_first_word(names: Vec<Name>) -> BTreeMap<String, Vec<Name>> {
    let mut sorted = BTreeMap::<String, Vec<Name>>::new();
    for name in names {
        sorted.entry(name.words[0].clone()).or_default().push(name);
    }
    for names in sorted.values_mut() {
        names.sort_by_key(|it| std::cmp::Reverse(it.words.len()));
    }
    sorted
}

/// Whether a word is what an answer is called.
pub(super) fn is_noun(word: &str) -> bool {
    NOUNS.contains(&word)
}

/// What "left sign right" says of two sides; signs of one kind, up to three.
pub(super) fn compared(left: Verdict, sign: &[char], right: Verdict) -> Option<Verdict> {
    let sides = [left, right];
    if sides != [Verdict::First, Verdict::Second] && sides != [Verdict::Second, Verdict::First] {
        return None;
    }
    match sign {
        ['>'] | ['>', '>'] | ['>', '>', '>'] => Some(left),
        ['<'] | ['<', '<'] | ['<', '<', '<'] => Some(right),
        ['='] | ['=', '='] => Some(Verdict::Tie),
        _ => None,
    }
}
