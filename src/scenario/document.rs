//! A scenario file as a tree in which every key and value knows its place in the text.

mod names;
mod place;
mod read;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::mistake::{Mistakes, Source, wording};
pub(crate) use read::{MOST, Mended, Nature, Noted, Survey};

/// The deepest nesting that is read; what lies deeper could exhaust the stack.
const DEEPEST: usize = 100;

/// A table with everything under it, and the text it was read from.
///
/// This is a whole file, one study of it, or one cell of a study's grid: a value that was put in
/// from `[vary]` or from the shared part keeps the span of the line it came from.
#[derive(Debug, Clone)]
pub struct Tree<'t> {
    source: Arc<Source<'t>>,
    pub(crate) root: Spanned<DeValue<'t>>,
}

impl<'t> Tree<'t> {
    /// The text this tree was read from.
    #[must_use]
    pub fn source(&self) -> &Source<'t> {
        &self.source
    }

    /// The top table.
    #[must_use]
    pub fn table(&self) -> Option<&DeTable<'t>> {
        self.root.get_ref().as_table()
    }

    /// The value at a dotted path; parts may be quoted, a number names an element of a list.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Spanned<DeValue<'t>>> {
        let parts = parse_path(path)?;
        let (depth, found) = self.descend(&parts);
        (depth == parts.len()).then_some(found)
    }

    /// The span of the value at a dotted path.
    #[must_use]
    pub fn span(&self, path: &str) -> Option<Range<usize>> {
        self.find(path).map(Spanned::span)
    }

    /// The span of the value at a dotted path, or of the nearest table above it that exists.
    #[must_use]
    pub fn nearest(&self, path: &str) -> Range<usize> {
        self.descend(&parse_path(path).unwrap_or_default()).1.span()
    }

    /// Follows a path as far as it leads: how many parts, and the value there.
    pub(crate) fn descend(&self, parts: &[String]) -> (usize, &Spanned<DeValue<'t>>) {
        let mut here = &self.root;
        for (depth, part) in parts.iter().enumerate() {
            let next = match here.get_ref() {
                DeValue::Table(table) => table.get(part.as_str()),
                DeValue::Array(list) => part.parse().ok().and_then(|at: usize| list.get(at)),
                _ => None,
            };
            match next {
                Some(next) => here = next,
                None => return (depth, here),
            }
        }
        (parts.len(), here)
    }

    /// Puts a value at a path whose last key may be new; its table must be there.
    ///
    /// A new key takes the span `named`, so that a complaint about it points there.
    pub(crate) fn graft(
        &mut self,
        parts: &[String],
        named: Range<usize>,
        value: Spanned<DeValue<'t>>,
    ) {
        let Some((last, above)) = parts.split_last() else { return };
        let mut here = &mut self.root;
        for part in above {
            let DeValue::Table(table) = here.get_mut() else { return };
            let Some(next) = table.get_mut(part.as_str()) else { return };
            here = next;
        }
        let DeValue::Table(table) = here.get_mut() else { return };
        if let Some(old) = table.get_mut(last.as_str()) {
            *old = value;
        } else {
            table.insert(Spanned::new(named, DeString::Owned(last.clone())), value);
        }
    }

    /// The same tree without one of its top keys, and what stood there.
    pub(crate) fn split_off(mut self, key: &str) -> (Self, Option<Entry<'t>>) {
        let entry = match self.root.get_mut() {
            DeValue::Table(table) => table.remove_entry(key),
            _ => None,
        };
        (self, entry)
    }

    /// Reads the tree as a `T`, as a whole.
    ///
    /// # Errors
    /// Every mistake, up to fifty. Serde names one at a time, so each is noted and mended (a near
    /// miss renamed, a bad value taken out, a missing one invented), and the tree is read again;
    /// what the mending caused is left out.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Mistakes> {
        let survey = self.survey::<T>();
        match survey.value {
            Some(value) => Ok(value),
            None => Err(survey.noted.into_iter().map(|noted| noted.mistake).collect()),
        }
    }

    /// Reads the tree as a `T` and keeps what kind of mistake each was.
    pub(crate) fn survey<T: DeserializeOwned>(&self) -> Survey<T> {
        read::survey(self)
    }

    /// A tree over the same text.
    fn with_root(&self, root: Spanned<DeValue<'t>>) -> Self {
        Self { source: Arc::clone(&self.source), root }
    }
}

/// A key with its value.
pub(crate) type Entry<'t> = (Spanned<DeString<'t>>, Spanned<DeValue<'t>>);

/// One study of a file: its name under `[studies]` (none if the file is one study) and its tables,
/// the shared ones included.
#[derive(Debug, Clone)]
pub struct Study<'t> {
    /// The name under `[studies]`.
    pub name: Option<String>,
    /// Its tables; the study's own replace shared ones of the same name as a whole.
    pub tree: Tree<'t>,
}

/// A scenario file without syntax mistakes.
#[derive(Debug, Clone)]
pub struct Document<'t> {
    tree: Tree<'t>,
}

impl<'t> Document<'t> {
    /// Parses a text. A byte order mark, either kind of line end and an empty text are fine.
    ///
    /// # Errors
    /// The syntax mistakes, at most one a line; a list or text that is never closed hides those
    /// inside it. Tables more than about a hundred levels deep are refused.
    pub fn parse(file: Option<&str>, text: &'t str) -> Result<Self, Mistakes> {
        let source = Source::new(file, text);
        if let Some(at) = too_deep(text) {
            return Err(source.mistake(at..at, wording::TOO_DEEP, wording::FLATTEN).into());
        }
        let (root, errors) = DeTable::parse_recoverable(text);
        let span = root.span();
        let root = Spanned::new(span, DeValue::Table(root.into_inner()));
        let mistakes = syntax_mistakes(&source, &root, &errors);
        mistakes.or(Self { tree: Tree { source: Arc::new(source), root } })
    }

    /// The whole file, `[studies]` included.
    #[must_use]
    pub fn tree(&self) -> &Tree<'t> {
        &self.tree
    }

    /// The studies of the file in file order, or the file itself as one study without a name.
    ///
    /// # Errors
    /// `studies` that is not a table of tables, or is empty.
    pub fn studies(&self) -> Result<Vec<Study<'t>>, Mistakes> {
        let (shared, studies) = self.tree.clone().split_off("studies");
        let Some((key, studies)) = studies else {
            return Ok(vec![Study { name: None, tree: shared }]);
        };
        let source = self.tree.source();
        let DeValue::Table(tables) = studies.get_ref() else {
            let remedy = "write a table [studies.NAME] for each study";
            return Err(source.mistake(key.span(), "`studies` holds no study", remedy).into());
        };
        let mut found = Vec::new();
        let mut mistakes = Vec::new();
        for (name, study) in tables {
            if let DeValue::Table(own) = study.get_ref() {
                let tree = shared.with_root(overridden(&shared, own, study.span()));
                found.push(Study { name: Some(name.get_ref().to_string()), tree });
            } else {
                let rule = "a study is a table";
                let remedy = "write its keys under [studies.NAME], or move this key out";
                mistakes.push(source.mistake(study.span(), rule, remedy));
            }
        }
        if tables.is_empty() {
            let remedy = "write a table [studies.NAME] for each study, or remove `studies`";
            mistakes.push(source.mistake(key.span(), "`studies` holds no study", remedy));
        }
        Mistakes::gather(mistakes).or(found)
    }
}

/// The shared tables, each replaced as a whole where the study has its own.
fn overridden<'t>(
    shared: &Tree<'t>,
    own: &DeTable<'t>,
    span: Range<usize>,
) -> Spanned<DeValue<'t>> {
    let mut merged = DeTable::new();
    for (key, value) in shared.table().into_iter().flatten() {
        if !own.contains_key(key.get_ref().as_ref()) {
            merged.insert(key.clone(), value.clone());
        }
    }
    for (key, value) in own {
        merged.insert(key.clone(), value.clone());
    }
    Spanned::new(span, DeValue::Table(merged))
}

/// The parts of a dotted path; parts in double or single quotes may hold dots.
///
/// Nothing for an empty part or a quote that is not closed.
pub(crate) fn parse_path(path: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = path.trim();
    loop {
        let end = match rest.chars().next()? {
            quote @ ('"' | '\'') => closing(rest, quote)?,
            _ => rest.find('.').unwrap_or(rest.len()),
        };
        let part = rest[..end].trim();
        parts.push(match part.chars().next()? {
            '"' | '\'' => match DeValue::parse(part).ok()?.into_inner() {
                DeValue::String(text) => text.into_owned(),
                _ => return None,
            },
            _ => part.to_owned(),
        });
        match rest[end..].trim_start().strip_prefix('.') {
            Some(next) => rest = next.trim_start(),
            None => return rest[end..].trim().is_empty().then_some(parts),
        }
    }
}

/// The length of the quoted part that a text begins with.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if letter == quote {
            return Some(at + 1);
        } else {
            escaped = letter == '\\' && quote == '"';
        }
    }
    None
}

/// A path in the way a person would write it: the inverse of [`parse_path`].
pub(crate) fn show_path<'p>(parts: impl IntoIterator<Item = &'p str>) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    let shown = |part: &str| {
        let plain = !part.is_empty() && part.chars().all(bare);
        let quoted = || format!("\"{}\"", part.chars().map(escaped).collect::<String>());
        if plain { part.to_owned() } else { quoted() }
    };
    parts.into_iter().map(shown).collect::<Vec<_>>().join(".")
}

/// The place where brackets and dotted keys nest deeper than is safe to build, found without
/// building anything.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut dots, mut depth) = (0, 0, 0);
    let mut open: Vec<usize> = Vec::new();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'#' => at += bytes[at..].iter().take_while(|it| **it != b'\n').count(),
            b'"' | b'\'' => at += text_length(&bytes[at..]),
            b'.' => (dots, at) = (dots + 1, at + 1),
            b'[' | b'{' => {
                open.push(dots + 1);
                depth += dots + 1;
                (dots, at) = (0, at + 1);
            }
            b']' | b'}' => {
                depth -= open.pop().unwrap_or(0);
                (dots, at) = (0, at + 1);
            }
            b',' | b'\n' => (dots, at) = (0, at + 1),
            _ => at += 1,
        }
        if depth + dots > DEEPEST {
            return Some(at.min(text.len()));
        }
    }
    None
}

/// The length in bytes of the quoted text that a slice begins with, the rest if it is not closed.
fn text_length(bytes: &[u8]) -> usize {
    let quote = bytes[0];
    let long = bytes.starts_with(&[quote; 3]);
    let mut at = if long { 3 } else { 1 };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 2,
            b'\n' if !long => return at,
            _ if *byte != quote => at += 1,
            _ if !long => return at + 1,
            _ if bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The parser's errors as mistakes: one a line, and none inside a list, table or text that is
/// never closed, because there every line is read as something it is not.
fn syntax_mistakes(
    source: &Source<'_>,
    root: &Spanned<DeValue<'_>>,
    errors: &[toml::de::Error],
) -> Mistakes {
    let mut begun = BTreeMap::new();
    note_ends(root, &mut begun);
    let mut found = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let open = UNCLOSED.iter().any(|start| error.message().starts_with(start));
        match begun.get(&span.end).filter(|_| open) {
            Some(start) => found.push((*start..span.end, error.message(), true)),
            None => found.push((span, error.message(), false)),
        }
    }
    found.sort_by_key(|(span, ..)| span.start);
    let mut hidden_to = None;
    found.retain(|(span, _, open)| {
        let seen = hidden_to.is_none_or(|end| span.start > end);
        if seen && *open {
            hidden_to = Some(span.end);
        }
        seen
    });
    found.dedup_by_key(|(span, ..)| source.line(span.start));
    let told = found.into_iter().take(MOST).map(|(span, message, _)| {
        let (rule, remedy) = match (message.starts_with("string values"), span.is_empty()) {
            (true, true) => wording::parse("missing value"),
            _ => wording::parse(message),
        };
        source.mistake(span, rule, remedy)
    });
    told.collect()
}

/// How the parser's messages about what is never closed begin.
const UNCLOSED: [&str; 5] = [
    "unclosed array",
    "unclosed inline",
    "invalid basic string",
    "invalid literal string",
    "invalid multi-line",
];

/// For each end of a text, list or table in braces, where the outermost one that ends there begins.
fn note_ends(value: &Spanned<DeValue<'_>>, begun: &mut BTreeMap<usize, usize>) {
    let span = value.span();
    if matches!(value.get_ref(), DeValue::String(_) | DeValue::Array(_) | DeValue::Table(_)) {
        begun.entry(span.end).or_insert(span.start);
    }
    match value.get_ref() {
        DeValue::Table(table) => table.values().for_each(|it| note_ends(it, begun)),
        DeValue::Array(list) => list.iter().for_each(|it| note_ends(it, begun)),
        _ => {}
    }
}

#[cfg(test)]
pub(crate) mod tests;
