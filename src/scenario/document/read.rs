//! How to find every mistake in a tree with a reader that stops at the first one.
//!
//! Each error is noted, the tree is mended just enough for the reader to get past it, and it is
//! read again. What was mended is remembered, so that an error that the mending caused is not
//! taken for the author's.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

use super::Tree;
use super::place::{Step, locate, node, node_mut, remove, rename, shown, within};
use crate::scenario::mistake::wording::{self, Complaint, Found};
use crate::scenario::mistake::{Mistake, suggestion};

/// The most mistakes reported at once.
pub(crate) const MOST: usize = 50;
/// The most times that one tree is read.
const READS: usize = 500;
/// Invented nodes have spans from here on, so that errors about them are told apart.
const INVENTED: usize = usize::MAX / 2;
/// What an invented value is tried as, in this order.
const GUESSES: [&str; 7] = ["0.5", "1", "\"x\"", "true", "[]", "{}", "2026-01-31"];
/// A name that no kind has, to make the reader list those that exist.
const NO_NAME: &str = "\0";

/// What kind of mistake was noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// A key that its table does not know.
    UnknownKey,
    /// A required key that is not there.
    Missing,
    /// Anything else.
    Other,
}

/// A mistake with its kind.
#[derive(Debug, Clone)]
pub(crate) struct Noted {
    pub(crate) mistake: Mistake,
    pub(crate) nature: Nature,
}

/// What came of reading a tree.
#[derive(Debug)]
pub(crate) struct Survey<T> {
    /// The value, if there was no mistake.
    pub(crate) value: Option<T>,
    /// The mistakes, in the order in which the reader came to them.
    pub(crate) noted: Vec<Noted>,
    /// What the mended tree reads as, if it was read to its end.
    pub(crate) mended: Option<Mended<T>>,
}

/// What a tree reads as once its mistakes are mended.
#[derive(Debug)]
pub(crate) struct Mended<T> {
    pub(crate) value: T,
    /// The top keys under which something was mended.
    pub(crate) tops: BTreeSet<String>,
}

/// A place, comparable.
type Place = (usize, usize);

/// Reads a tree as a `T`, again and again until every mistake is noted.
pub(super) fn survey<T: DeserializeOwned>(tree: &Tree<'_>) -> Survey<T> {
    let mut error = match attempt::<T>(&tree.root) {
        Ok(value) => return Survey { value: Some(value), noted: Vec::new(), mended: None },
        Err(error) => error,
    };
    let mut repair = Repair::new(tree);
    let mut mended = None;
    for _ in 0..READS {
        if repair.mend(&error).is_break() || repair.noted.len() >= MOST {
            break;
        }
        match attempt::<T>(&repair.root) {
            Ok(value) => {
                mended = Some(Mended { value, tops: repair.tops() });
                break;
            }
            Err(next) => error = next,
        }
    }
    repair.settle_question(&[]);
    Survey { value: None, noted: repair.noted, mended }
}

fn attempt<T: DeserializeOwned>(root: &Spanned<DeValue<'_>>) -> Result<T, toml::de::Error> {
    T::deserialize(ValueDeserializer::from(root.clone()))
}

/// A tree on the way to being readable.
struct Repair<'s, 't> {
    tree: &'s Tree<'t>,
    root: Spanned<DeValue<'t>>,
    noted: Vec<Noted>,
    /// Tables and lists in which something was taken out or put in.
    touched: BTreeSet<Place>,
    /// Keys that were taken out, with the table they stood in.
    removed: BTreeSet<(Place, String)>,
    /// How many guesses each invented value has been through, by the start of its span.
    guesses: BTreeMap<usize, usize>,
    /// What is wrong with a choice, while the reader is being asked which choices there are.
    question: Option<Question<'t>>,
}

/// A node that does not choose one of the kinds its type has.
struct Question<'t> {
    span: Range<usize>,
    place: String,
    /// What stands there instead.
    found: DeValue<'t>,
}

impl<'s, 't> Repair<'s, 't> {
    fn new(tree: &'s Tree<'t>) -> Self {
        Self {
            tree,
            root: tree.root.clone(),
            noted: Vec::new(),
            touched: BTreeSet::new(),
            removed: BTreeSet::new(),
            guesses: BTreeMap::new(),
            question: None,
        }
    }

    /// The top keys under which something was mended.
    fn tops(&self) -> BTreeSet<String> {
        let under = |root: &Spanned<DeValue<'_>>| -> BTreeMap<String, String> {
            let table = root.get_ref().as_table().into_iter().flatten();
            table.map(|(key, value)| (key.get_ref().to_string(), format!("{value:?}"))).collect()
        };
        let (before, after) = (under(&self.tree.root), under(&self.root));
        let keys = before.keys().chain(after.keys());
        keys.filter(|key| before.get(*key) != after.get(*key)).cloned().collect()
    }

    /// Notes an error unless mending caused it, and mends the tree; breaks if nothing can be done.
    fn mend(&mut self, error: &toml::de::Error) -> ControlFlow<()> {
        let message = error.message();
        let span = error.span().unwrap_or(self.root.span());
        let Some(path) = locate(&self.root, &span, message) else {
            let (rule, remedy) = wording::retold(message, &Found::default());
            if span.start < INVENTED {
                self.note(span, (rule, remedy), Nature::Other);
            }
            return ControlFlow::Break(());
        };
        let invented = span.start >= INVENTED;
        match wording::complaint(message) {
            Complaint::Missing(name) => self.missing(path, name, invented),
            Complaint::UnknownKey(known) if !invented => self.unknown_key(&path, &span, &known),
            Complaint::UnknownChoice(known) if invented => self.answered(path, &span, &known),
            Complaint::UnknownChoice(known) => self.unknown_choice(&path, &span, &known),
            Complaint::NoKind | Complaint::SeveralKinds => self.ask(&path),
            Complaint::NoChoice if !invented => self.ask(&path),
            _ if invented => self.guess_again(path, &span),
            _ => self.bad_value(&path, &span, message),
        }
    }

    fn note(&mut self, span: Range<usize>, told: (String, String), nature: Nature) {
        let mistake = self.tree.source().mistake(span, told.0, told.1);
        self.noted.push(Noted { mistake, nature });
    }

    /// A required key is missing: notes it, and invents a value so that others can be missed too.
    fn missing(&mut self, path: Vec<Step>, name: &str, invented: bool) -> ControlFlow<()> {
        let Some(table) = node(&self.root, &path) else { return ControlFlow::Break(()) };
        let span = table.span();
        if table.get_ref().get(name).is_some() {
            return self.abandon(path);
        }
        if !invented && !self.removed.contains(&(place(&span), name.to_owned())) {
            self.note(span, wording::missing(name, &shown(&path)), Nature::Missing);
        }
        self.invent(&path, name, guess(0));
        ControlFlow::Continue(())
    }

    /// A key is unknown: notes it, and reads it as the key that was probably meant.
    fn unknown_key(
        &mut self,
        path: &[Step],
        span: &Range<usize>,
        known: &[&str],
    ) -> ControlFlow<()> {
        let Some((Step::Key(name), above)) = path.split_last() else {
            return ControlFlow::Break(());
        };
        // The grid and the studies are taken off before a tree is read, so no reader lists them.
        let ours = ["vary", "studies"].into_iter().filter(|it| above.is_empty() && it != name);
        let ours = ours.filter(|it| !known.contains(it));
        let listed: Vec<&str> = known.iter().copied().chain(ours).collect();
        let told = wording::unknown_key(name, &shown(above), &listed);
        self.note(span.clone(), told, Nature::UnknownKey);
        let meant = suggestion(name, known.iter().copied());
        let table = node(&self.root, above);
        let taken = |name: &str| table.is_some_and(|it| it.get_ref().get(name).is_some());
        match meant.filter(|meant| !taken(meant)) {
            Some(meant) => rename(&mut self.root, path, meant),
            None => remove(&mut self.root, path),
        }
        ControlFlow::Continue(())
    }

    /// A choice is unknown: notes it, and reads it as the one that was probably meant.
    fn unknown_choice(
        &mut self,
        path: &[Step],
        span: &Range<usize>,
        known: &[&str],
    ) -> ControlFlow<()> {
        let Some(found) = node(&self.root, path) else { return ControlFlow::Break(()) };
        let text = found.get_ref().as_str().filter(|_| found.span() == *span).map(str::to_owned);
        if let Some(text) = text {
            if self.touched.contains(&place(span)) {
                return self.take_out(path);
            }
            self.note(span.clone(), wording::unknown_choice(&text, &shown(path), known), OTHER);
            self.touched.insert(place(span));
            let meant = suggestion(&text, known.iter().copied()).or(known.first().copied());
            let meant = DeValue::String(DeString::Owned(meant.unwrap_or_default().to_owned()));
            if let Some(found) = node_mut(&mut self.root, path) {
                *found = Spanned::new(span.clone(), meant);
            }
            return ControlFlow::Continue(());
        }
        let Some((Step::Key(name), above)) = path.split_last() else {
            return ControlFlow::Break(());
        };
        let meant = suggestion(name, known.iter().copied());
        if meant.is_none() && !found.get_ref().is_table() {
            return self.ask(above);
        }
        self.note(span.clone(), wording::unknown_choice(name, &shown(above), known), OTHER);
        match meant {
            Some(meant) => {
                rename(&mut self.root, path, meant);
                ControlFlow::Continue(())
            }
            None if above.is_empty() => self.take_out(path),
            None => self.take_out(above),
        }
    }

    /// A node chooses no kind, or more than one: asks the reader which kinds there are, by a name
    /// that is none of them, so that the remedy can list them.
    fn ask(&mut self, path: &[Step]) -> ControlFlow<()> {
        let Some(node) = node_mut(&mut self.root, path) else { return ControlFlow::Break(()) };
        let span = node.span();
        if self.touched.contains(&place(&span)) {
            return self.abandon(path.to_vec());
        }
        let empty = DeValue::Table(DeTable::new());
        let found = std::mem::replace(node.get_mut(), empty.clone());
        if span.start < INVENTED {
            self.question = Some(Question { span, place: shown(path), found });
        }
        self.invent(path, NO_NAME, empty);
        ControlFlow::Continue(())
    }

    /// The reader listed the choices for something invented: takes the first of them, or the one
    /// that was there among others.
    fn answered(
        &mut self,
        path: Vec<Step>,
        span: &Range<usize>,
        known: &[&str],
    ) -> ControlFlow<()> {
        let found = self.settle_question(known);
        let (Some(first), Some((Step::Key(name), above))) = (known.first(), path.split_last())
        else {
            return self.guess_again(path, span);
        };
        if name == NO_NAME {
            let Some(DeValue::Table(mut table)) = found else {
                rename(&mut self.root, &path, first);
                return ControlFlow::Continue(());
            };
            let chosen = known.iter().find_map(|kind| table.remove_entry(*kind));
            match (chosen, node_mut(&mut self.root, above).map(Spanned::get_mut)) {
                (Some((key, value)), Some(DeValue::Table(table))) => {
                    table.clear();
                    table.insert(key, value);
                }
                _ => rename(&mut self.root, &path, first),
            }
            return ControlFlow::Continue(());
        }
        match node_mut(&mut self.root, &path).map(Spanned::get_mut) {
            Some(DeValue::String(text)) if *text == "x" => {
                *text = DeString::Owned((*first).to_owned());
                ControlFlow::Continue(())
            }
            _ => self.guess_again(path, span),
        }
    }

    /// Notes what the reader was asked about, if anything, with the kinds there are, and gives
    /// back what stood there.
    fn settle_question(&mut self, known: &[&str]) -> Option<DeValue<'t>> {
        let Question { span, place, found } = self.question.take()?;
        let told = match &found {
            DeValue::Table(table) => {
                let named: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
                wording::no_one_kind(&place, known, &named)
            }
            other => wording::no_choice(&Found(Some(other)), known),
        };
        self.note(span, told, OTHER);
        Some(found)
    }

    /// A value does not fit: notes it unless something inside was mended, and takes it out.
    fn bad_value(&mut self, path: &[Step], span: &Range<usize>, message: &str) -> ControlFlow<()> {
        self.settle_question(&[]);
        let found = node(&self.root, path).map(Spanned::get_ref);
        let told = wording::retold(message, &Found(found));
        if !self.touched.contains(&place(span)) {
            self.note(span.clone(), told, OTHER);
        }
        self.take_out(path)
    }

    /// Puts an invented value under a key of the table at `path`.
    fn invent(&mut self, path: &[Step], name: &str, value: DeValue<'t>) {
        let at = INVENTED + 2 * self.guesses.len();
        self.guesses.insert(at, 0);
        self.touch(&within(path, name));
        if let Some(DeValue::Table(table)) = node_mut(&mut self.root, path).map(Spanned::get_mut) {
            let key = Spanned::new(at..at + 1, DeString::Owned(name.to_owned()));
            table.insert(key, Spanned::new(at..at + 1, value));
        }
    }

    /// An invented value does not fit: tries the next guess, and gives up its table after the last.
    fn guess_again(&mut self, mut path: Vec<Step>, span: &Range<usize>) -> ControlFlow<()> {
        let next = self.guesses.entry(span.start).or_insert(0);
        *next += 1;
        let next = *next;
        if next < GUESSES.len() {
            if let Some(found) = node_mut(&mut self.root, &path) {
                *found.get_mut() = guess(next);
            }
            return ControlFlow::Continue(());
        }
        path.pop();
        self.abandon(path)
    }

    /// Gives up a node that cannot be mended: tries something else if it was invented itself.
    fn abandon(&mut self, path: Vec<Step>) -> ControlFlow<()> {
        match node(&self.root, &path).map(Spanned::span) {
            Some(span) if span.start >= INVENTED => self.guess_again(path, &span),
            _ => self.take_out(&path),
        }
    }

    /// Takes a node out of the tree and remembers that it is gone.
    fn take_out(&mut self, path: &[Step]) -> ControlFlow<()> {
        let Some((last, above)) = path.split_last() else { return ControlFlow::Break(()) };
        if let (Step::Key(name), Some(table)) = (last, node(&self.root, above)) {
            self.removed.insert((place(&table.span()), name.clone()));
        }
        self.touch(path);
        remove(&mut self.root, path);
        ControlFlow::Continue(())
    }

    /// Remembers that something inside every table and list above `path` was changed.
    fn touch(&mut self, path: &[Step]) {
        for depth in 0..path.len() {
            if let Some(above) = node(&self.root, &path[..depth]) {
                self.touched.insert(place(&above.span()));
            }
        }
    }
}

const OTHER: Nature = Nature::Other;

fn place(span: &Range<usize>) -> Place {
    (span.start, span.end)
}

/// The value that a missing one is tried as.
fn guess(number: usize) -> DeValue<'static> {
    let text = GUESSES.get(number).copied().unwrap_or_default();
    DeValue::parse(text).map_or(DeValue::Boolean(false), Spanned::into_inner)
}
