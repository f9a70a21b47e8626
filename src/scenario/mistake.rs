//! A mistake in a scenario file: its place, what stands there, the broken rule and the remedy.

pub(crate) mod wording;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use super::document::Tree;

/// The longest offending text that a mistake quotes, in characters.
const QUOTED: usize = 60;

/// The text of a scenario file with the name it goes by and the places where its lines begin.
#[derive(Debug, Clone)]
pub struct Source<'t> {
    file: Option<String>,
    text: &'t str,
    lines: Vec<usize>,
}

impl<'t> Source<'t> {
    /// Takes a text, and the file name to be shown before the line number if there is one.
    #[must_use]
    pub fn new(file: Option<&str>, text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { file: file.map(str::to_owned), text, lines }
    }

    /// The file name shown before line numbers.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The whole text, a byte order mark included, so that spans index into it.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Line and column of a byte offset, both from 1; columns count characters (a tab is one).
    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.lines[line - 1];
        let offset = self.text.floor_char_boundary(offset).max(start);
        let before = self.text[start..offset].trim_start_matches('\u{feff}');
        (line, before.chars().count() + 1)
    }

    /// The line of a byte offset, from 1.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).max(1)
    }

    /// A mistake at a span of this text.
    ///
    /// An empty span quotes its line; on a blank line it moves back to the nearest header, or to
    /// the nearest line with something on it. The empty span at the very start stands for the
    /// document as a whole, and quotes nothing.
    #[must_use]
    pub fn mistake(
        &self,
        span: Range<usize>,
        rule: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Mistake {
        let mut span = self.inside(span);
        let mut quoted = span.clone();
        if span.is_empty() && span.start > 0 {
            quoted = self.content(self.line(span.start));
            if quoted.is_empty() {
                quoted = self.before(span.start);
                span = quoted.clone();
            }
        }
        let (line, column) = self.position(span.start);
        let value = shorten(&self.text[quoted]);
        let (rule, remedy) = (sentence(&rule.into()), sentence(&remedy.into()));
        Mistake { file: self.file.clone(), line, column, span, value, rule, remedy }
    }

    /// The span, moved to whole characters of the text.
    fn inside(&self, span: Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start.min(self.text.len()));
        let end = self.text.ceil_char_boundary(span.end.min(self.text.len()));
        start..end.max(start)
    }

    /// What stands on a line, without the white space around it.
    fn content(&self, line: usize) -> Range<usize> {
        let start = self.lines[line - 1];
        let end = self.lines.get(line).copied().unwrap_or(self.text.len());
        let whole = &self.text[start..end];
        let kept = whole.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let start = start + (whole.len() - kept.len());
        start..start + kept.trim_end().len()
    }

    /// The nearest header before an offset, or else the nearest line that is not blank.
    fn before(&self, offset: usize) -> Range<usize> {
        let earlier = || (1..=self.line(offset)).rev().map(|line| self.content(line));
        let header = |span: &Range<usize>| {
            let text = &self.text[span.clone()];
            text.starts_with('[') && text.ends_with(']')
        };
        let filled = |span: &Range<usize>| !span.is_empty();
        earlier().find(header).or_else(|| earlier().find(filled)).unwrap_or(0..0)
    }
}

/// Cuts a text to its first line and to a length worth quoting; control characters become spaces.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let mut kept: String =
        line.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if kept.len() < text.trim().len() {
        kept.truncate(kept.trim_end().len());
        kept.push('…');
    }
    kept
}

/// The longest rule or remedy, in characters.
const LONGEST: usize = 800;

/// A rule or a remedy as part of one sentence, whatever it quotes: on one line, and not without end.
pub(crate) fn sentence(text: &str) -> String {
    let mut kept: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

/// One mistake: its place, the offending text, the rule it breaks and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The file, as the caller named it.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The place in bytes of the text; empty where something is missing.
    pub span: Range<usize>,
    /// The offending text, shortened to one line; empty where nothing stands.
    pub value: String,
    /// The rule that was broken, a clause without its full stop.
    pub rule: String,
    /// What to do about it, a clause without its full stop.
    pub remedy: String,
}

impl Mistake {
    /// A mistake at the value of a dotted path (`judges."my judge".pairwise.position`, an element
    /// of a list by its number from 0), or at the nearest table above it that exists.
    ///
    /// A path into a cell of the grid finds the line of a varied value inside `[vary]`.
    #[must_use]
    pub fn at(
        tree: &Tree<'_>,
        path: &str,
        rule: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        tree.source().mistake(tree.nearest(path), rule, remedy)
    }

    /// A mistake from the message and the span of an error of `toml` or `serde`, retold as a rule
    /// and a remedy; a message of our own in the form `rule; remedy` is passed through.
    #[must_use]
    pub fn from_error(source: &Source<'_>, message: &str, span: Option<Range<usize>>) -> Self {
        let (rule, remedy) = wording::syntax(message)
            .unwrap_or_else(|| wording::retold(message, &wording::Found::default()));
        source.mistake(span.unwrap_or(0..0), rule, remedy)
    }

    /// The order in which mistakes are shown: by place, then by wording.
    fn order(&self, other: &Self) -> Ordering {
        // A mistake in a table has a line and no span.
        let key = |it: &Self| (it.line, it.span.start, it.span.end);
        (self.file.cmp(&other.file))
            .then(key(self).cmp(&key(other)))
            .then_with(|| (&self.rule, &self.remedy).cmp(&(&other.rule, &other.remedy)))
            .then_with(|| self.value.cmp(&other.value))
    }
}

impl fmt::Display for Mistake {
    /// One sentence: ``FILE:LINE: `VALUE`: RULE; REMEDY.``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}: ", self.line)?,
            None => write!(f, "line {}: ", self.line)?,
        }
        if !self.value.is_empty() {
            write!(f, "`{}`: ", self.value)?;
        }
        f.write_str(&self.rule)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        let last = if self.remedy.is_empty() { &self.rule } else { &self.remedy };
        if last.ends_with(['.', '?', '!']) { Ok(()) } else { f.write_str(".") }
    }
}

impl std::error::Error for Mistake {}

/// Mistakes in the order of their places, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    /// Sorts mistakes by place and keeps one of those that are equal.
    #[must_use]
    pub fn gather(mistakes: impl IntoIterator<Item = Mistake>) -> Self {
        let mut all: Vec<Mistake> = mistakes.into_iter().collect();
        all.sort_by(Mistake::order);
        all.dedup();
        Self(all)
    }

    /// `value` if nothing is wrong, and the mistakes if something is.
    ///
    /// # Errors
    /// The mistakes themselves, if there are any.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The mistakes, in the order of their places.
    pub fn iter(&self) -> std::slice::Iter<'_, Mistake> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Self {
        Self(vec![mistake])
    }
}

impl FromIterator<Mistake> for Mistakes {
    fn from_iter<I: IntoIterator<Item = Mistake>>(mistakes: I) -> Self {
        Self::gather(mistakes)
    }
}

impl IntoIterator for Mistakes {
    type Item = Mistake;
    type IntoIter = std::vec::IntoIter<Mistake>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'m> IntoIterator for &'m Mistakes {
    type Item = &'m Mistake;
    type IntoIter = std::slice::Iter<'m, Mistake>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Mistakes {
    /// One sentence a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.0.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// The candidate that a word was probably meant to be: the nearest one by edit distance (insert,
/// delete, replace, swap two neighbours), if no more than a third of its letters differ.
///
/// Case, and `_` for `-`, cost nothing; of equally near candidates the first is taken.
#[must_use]
pub fn suggestion<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let letters = |text: &str| -> Option<Vec<char>> {
        let plain: Vec<char> = text.chars().take(QUOTED + 1).collect();
        let folded = plain.iter().map(|c| if *c == '_' { '-' } else { c.to_ascii_lowercase() });
        (plain.len() <= QUOTED).then(|| folded.collect())
    };
    let typed = letters(word)?;
    let near = |candidate: &'c str| {
        let meant = letters(candidate)?;
        let longer = typed.len().max(meant.len());
        let distance = edits(&typed, &meant);
        (distance <= (longer / 3).max(1) && distance < longer).then_some((distance, candidate))
    };
    let nearest = candidates.into_iter().filter(|it| *it != word).filter_map(near);
    nearest.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance between two words.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, typed) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, meant) in to.iter().enumerate() {
            let replaced = last[j] + usize::from(typed != meant);
            let mut cost = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *typed == to[j - 1] && from[i - 1] == *meant {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests;
