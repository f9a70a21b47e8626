//! Places in a tree: how to find one from a span, and how to change what stands there.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeValue};

use super::show_path;

/// One step of a path into a tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// The path of a key in the table at `path`.
pub(super) fn within(path: &[Step], name: &str) -> Vec<Step> {
    path.iter().cloned().chain([Step::Key(name.to_owned())]).collect()
}

/// The path of a place as a person would write it, elements of lists left out.
pub(super) fn shown(path: &[Step]) -> String {
    show_path(path.iter().filter_map(|step| match step {
        Step::Key(name) => Some(name.as_str()),
        Step::Index(_) => None,
    }))
}

/// The path to the node whose key or value has a span.
///
/// The deepest such node, because the first table of `[[a]]` has the span of its list; only a
/// complaint about a sequence means the list.
pub(super) fn locate(
    root: &Spanned<DeValue<'_>>,
    span: &Range<usize>,
    message: &str,
) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    search(root, span, &mut Vec::new(), &mut found);
    let outermost = message.starts_with("invalid type: sequence");
    if outermost { found.into_iter().next() } else { found.pop() }
}

/// Collects the paths of all nodes with a span, outer ones before inner ones.
fn search(
    value: &Spanned<DeValue<'_>>,
    span: &Range<usize>,
    path: &mut Vec<Step>,
    found: &mut Vec<Vec<Step>>,
) {
    if value.span() == *span {
        found.push(path.clone());
    }
    match value.get_ref() {
        DeValue::Table(table) => {
            for (key, inner) in table {
                path.push(Step::Key(key.get_ref().to_string()));
                if key.span() == *span {
                    found.push(path.clone());
                }
                search(inner, span, path, found);
                path.pop();
            }
        }
        DeValue::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                path.push(Step::Index(index));
                search(inner, span, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The node at a path.
pub(super) fn node<'n, 't>(
    root: &'n Spanned<DeValue<'t>>,
    path: &[Step],
) -> Option<&'n Spanned<DeValue<'t>>> {
    path.iter().try_fold(root, |here, step| match (here.get_ref(), step) {
        (DeValue::Table(table), Step::Key(name)) => table.get(name.as_str()),
        (DeValue::Array(list), Step::Index(index)) => list.get(*index),
        _ => None,
    })
}

/// The node at a path, to be changed.
pub(super) fn node_mut<'n, 't>(
    root: &'n mut Spanned<DeValue<'t>>,
    path: &[Step],
) -> Option<&'n mut Spanned<DeValue<'t>>> {
    path.iter().try_fold(root, |here, step| match (here.get_mut(), step) {
        (DeValue::Table(table), Step::Key(name)) => table.get_mut(name.as_str()),
        (DeValue::Array(list), Step::Index(index)) => list.get_mut(*index),
        _ => None,
    })
}

/// Takes a node out of its table or list.
pub(super) fn remove(root: &mut Spanned<DeValue<'_>>, path: &[Step]) {
    let Some((last, above)) = path.split_last() else { return };
    match (node_mut(root, above).map(Spanned::get_mut), last) {
        (Some(DeValue::Table(table)), Step::Key(name)) => {
            table.remove(name.as_str());
        }
        (Some(DeValue::Array(values)), Step::Index(gone)) => {
            let old = std::mem::replace(values, DeArray::new());
            let kept = old.into_iter().enumerate().filter(|(at, _)| at != gone);
            *values = kept.map(|(_, value)| value).collect();
        }
        _ => {}
    }
}

/// Gives a key another name, at the same place and with the same span.
pub(super) fn rename(root: &mut Spanned<DeValue<'_>>, path: &[Step], name: &str) {
    let Some((Step::Key(old), above)) = path.split_last() else { return };
    let Some(DeValue::Table(table)) = node_mut(root, above).map(Spanned::get_mut) else { return };
    for (mut key, value) in std::mem::take(table) {
        if key.get_ref() == old {
            *key.get_mut() = DeString::Owned(name.to_owned());
        }
        table.insert(key, value);
    }
}
