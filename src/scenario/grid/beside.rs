//! What can be said of a study beside its mistakes: which of them follow from others, and what it reads as once mended.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::{Grid, entries};
use crate::scenario::document::{Mended, Tree, parse_path};
use crate::scenario::mistake::{Mistake, suggestion};

impl<'t> Grid<'t> {
    /// Whether a path leads nowhere only because an entry on its way is misspelt, which is noted.
    pub(super) fn follows(&self, tree: &Tree<'t>, mistake: &Mistake, noted: &[Mistake]) -> bool {
        let tables = ["vary", "vary-together"].into_iter().filter_map(|it| tree.find(it));
        let mut paths = tables.filter_map(|it| it.get_ref().as_table()).flat_map(DeTable::keys);
        let path =
            paths.find(|it| it.span() == mistake.span).and_then(|it| parse_path(it.get_ref()));
        let Some(parts) = path else { return false };
        let (depth, holder) = self.base.descend(&parts);
        let (Some(part), Some(table)) = (parts.get(depth), holder.get_ref().as_table()) else {
            return false;
        };
        let near = suggestion(part, entries(table));
        let mut keys = table.keys().filter(|key| near == Some(key.get_ref().as_ref()));
        keys.any(|key| noted.iter().any(|it| it.span == key.span()))
    }

    /// The first cell of what is sound in a study, with its mistakes mended.
    pub(crate) fn mended<T: DeserializeOwned>(tree: &Tree<'t>) -> Option<(Tree<'t>, Mended<T>)> {
        let (grid, _) = Self::collect(tree);
        let cell = grid.cell(0).tree;
        let survey = cell.survey::<T>();
        let sound = survey.value.map(|value| Mended { value, tops: BTreeSet::new() });
        Some((cell, sound.or(survey.mended)?))
    }
}
