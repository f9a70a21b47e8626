//! A mistake that is found in a cell, before it is placed in the text.

use std::collections::BTreeSet;

use super::document::Tree;
use super::mistake::{Mistake, suggestion};

/// A mistake whose place is a path of the cell.
pub(super) struct Found {
    path: String,
    rule: String,
    remedy: String,
    /// Whether it depends on nothing but its own table.
    alone: bool,
}

impl Found {
    pub(super) fn new(path: &str, rule: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.to_owned(), rule: rule.into(), remedy: remedy.into(), alone: false }
    }

    /// The same mistake, which depends on nothing but its own table.
    pub(super) fn alone(self) -> Self {
        Self { alone: true, ..self }
    }

    /// Whether it would be there had the tables of these names not been mended.
    pub(super) fn stands_beside(&self, mended: &BTreeSet<String>) -> bool {
        let top = self.path.split('.').next().unwrap_or_default();
        let leans: &[&str] = match top {
            "judges" => &["world"],
            "protocol" => &["judges", "estimate"],
            "estimate" => &["judges", "protocol", "world"],
            _ => &[],
        };
        !mended.contains(top) && (self.alone || leans.iter().all(|it| !mended.contains(*it)))
    }

    pub(super) fn placed(self, tree: &Tree<'_>) -> Mistake {
        Mistake::at(tree, &self.path, self.rule, self.remedy)
    }
}

/// "did you mean", or the list of what there is.
pub(super) fn meant<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str> + Clone,
) -> String {
    match suggestion(word, candidates.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", candidates.into_iter().collect::<Vec<_>>().join(", ")),
    }
}
