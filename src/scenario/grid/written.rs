//! What is written under `[vary]` and `[vary-together]`: paths, lists, and what can be wrong with them.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::{Axis, EXACT, Grid, Level, MOST_CELLS, entries};
use crate::scenario::document::{Entry, MOST, Tree, parse_path, show_path};
use crate::scenario::mistake::{Mistake, Source, shorten, wording};

impl<'t> Grid<'t> {
    /// The grid of what is sound under `[vary]` and `[vary-together]`, and the mistakes.
    pub(super) fn collect(tree: &Tree<'t>) -> (Self, Vec<Mistake>) {
        let (base, together) = tree.clone().split_off("vary-together");
        let (base, vary) = base.split_off("vary");
        let mut grid = Self { base, axes: Vec::new() };
        let mut mistakes = Vec::new();
        let rows = grid.table(together.as_ref(), &mut mistakes, Self::list);
        mistakes.extend(grid.tie(&rows));
        let alone = |grid: &Self, entry: &Entry<'t>| {
            let axis = grid.list(entry)?;
            let again = repeated(grid.base.source(), &axis.values);
            if again.is_empty() { Ok(axis) } else { Err(again) }
        };
        grid.table(vary.as_ref(), &mut mistakes, alone);
        let cells = grid.size();
        if let (true, Some((_, place))) = (MOST_CELLS < cells, vary.or(together)) {
            let more = if cells == usize::MAX { "more than " } else { "" };
            let rule =
                format!("the grid has {more}{cells} cells, and a study at most {MOST_CELLS}");
            let remedy = "shorten a list, or split the study";
            mistakes.push(tree.source().mistake(place.span(), rule, remedy));
            grid.axes.clear();
        }
        (grid, mistakes)
    }

    /// Adds the lines of a table of paths; gives the places of the new axes.
    fn table(
        &mut self,
        entry: Option<&Entry<'t>>,
        mistakes: &mut Vec<Mistake>,
        line: impl Fn(&Self, &Entry<'t>) -> Result<Axis<'t>, Vec<Mistake>>,
    ) -> Range<usize> {
        let from = self.axes.len();
        let Some((key, entry)) = entry else { return from..from };
        let DeValue::Table(table) = entry.get_ref() else {
            let name = key.get_ref();
            let rule = format!("`{name}` is a table of paths");
            let remedy =
                format!("write [{name}] and under it lines like \"protocol.orders\" = [\"both\"]");
            mistakes.push(self.base.source().mistake(key.span(), rule, remedy));
            return from..from;
        };
        for (path, list) in table {
            match line(self, &(path.clone(), list.clone())) {
                Ok(axis) => self.axes.push(axis),
                Err(wrong) => mistakes.extend(wrong),
            }
        }
        from..self.axes.len()
    }

    /// Ties the axes of `[vary-together]` to the first of them.
    fn tie(&mut self, rows: &Range<usize>) -> Vec<Mistake> {
        let source = self.base.source();
        let Some((first, others)) = self.axes[rows.clone()].split_first() else {
            return Vec::new();
        };
        let (rows_of, line) = (first.values.len(), source.line(first.span.start));
        let mut mistakes = Vec::new();
        for other in others.iter().filter(|it| it.values.len() != rows_of) {
            let rule = format!(
                "paths that vary together have lists of one length, and this has {} values where that of line {line} has {rows_of}",
                other.values.len()
            );
            mistakes.push(source.mistake(other.span.clone(), rule, "give each row a value"));
        }
        let row = |k: usize| -> Vec<&str> {
            self.axes[rows.clone()]
                .iter()
                .filter_map(|it| Some(it.levels.get(k)?.text.as_str()))
                .collect()
        };
        let again = (0..rows_of).find(|k| (0..*k).any(|before| row(before) == row(*k)));
        if let (true, Some(again)) = (mistakes.is_empty(), again) {
            let remedy = "keep one, because equal cells would be printed twice";
            let place = first.values[again].span();
            mistakes.push(source.mistake(place, "this row of values is listed twice", remedy));
        }
        if mistakes.is_empty() {
            self.axes[rows.clone()].iter_mut().skip(1).for_each(|it| it.tied = true);
        } else {
            self.axes.truncate(rows.start);
        }
        mistakes
    }

    /// One line: a path and the list of its values.
    fn list(&self, (key, list): &Entry<'t>) -> Result<Axis<'t>, Vec<Mistake>> {
        let source = self.base.source();
        let wrong = |span: Range<usize>, (rule, remedy): (String, String)| {
            vec![source.mistake(span, rule, remedy)]
        };
        let path = key.get_ref().to_string();
        let DeValue::Array(values) = list.get_ref() else {
            return Err(wrong(list.span(), no_list(source, &path, list)));
        };
        let keys = parse_path(&path).ok_or_else(|| {
            let rule = "this is no path: parts stand between dots".to_owned();
            let remedy = "write it like judges.NAME.pairwise.position, with quotes around a part \
                          that holds a dot";
            wrong(key.span(), (rule, remedy.to_owned()))
        })?;
        self.leads(&keys).map_err(|told| wrong(key.span(), told))?;
        if let Some(other) = self.axes.iter().find(|it| meets(&it.keys, &keys)) {
            let line = source.line(other.span.start);
            let rule = format!("this path and that of line {line} vary the same place");
            return Err(wrong(key.span(), (rule, "keep one of the two".to_owned())));
        }
        if values.is_empty() {
            let told = ("there is nothing to vary", "give at least one value or remove the line");
            return Err(wrong(list.span(), (told.0.to_owned(), told.1.to_owned())));
        }
        let values: Vec<_> = values.iter().cloned().collect();
        let levels = values.iter().map(|value| level(source, value)).collect();
        Ok(Axis { path, keys, span: key.span(), values, levels, tied: false })
    }

    /// Whether the table in which a path ends exists; the rule and the remedy if it does not.
    pub(super) fn leads(&self, keys: &[String]) -> Result<(), (String, String)> {
        let above = &keys[..keys.len() - 1];
        let mut place = self.base.root.get_ref();
        for (depth, part) in keys.iter().enumerate() {
            let DeValue::Table(table) = place else {
                let holder = show_path(keys[..depth].iter().map(String::as_str));
                let rule = format!("`{holder}` is no table, so nothing in it can be varied");
                return Err((rule, "let the path end before, or lead it elsewhere".to_owned()));
            };
            match table.get(part.as_str()) {
                Some(next) => place = next.get_ref(),
                None if depth == above.len() => break,
                None => {
                    let holder = show_path(keys[..depth].iter().map(String::as_str));
                    return Err(wording::unknown_entry(part, &holder, &entries(table)));
                }
            }
        }
        Ok(())
    }
}

/// Whether one path is the other, or leads into it.
fn meets(one: &[String], other: &[String]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b)
}

/// Rule and remedy for a line of `[vary]` that holds no list.
fn no_list(source: &Source<'_>, path: &str, value: &Spanned<DeValue<'_>>) -> (String, String) {
    let rule = "a varied path takes a list of values".to_owned();
    if !value.get_ref().is_table() {
        let text = shorten(source.text().get(value.span()).unwrap_or_default());
        return (rule, format!("put it in brackets: [{text}]"));
    }
    let mut parts = vec![path.to_owned()];
    let mut here = value.get_ref();
    while let Some((key, inner)) = here.as_table().and_then(|table| table.iter().next()) {
        parts.push(key.get_ref().to_string());
        here = inner.get_ref();
    }
    let whole = shorten(&show_path(parts.iter().map(String::as_str)));
    (rule, format!("write the whole path in quotes: '{whole}' = [...]"))
}

/// The values that stand in a list for the second time.
fn repeated(source: &Source<'_>, values: &[Spanned<DeValue<'_>>]) -> Vec<Mistake> {
    let mut known = BTreeSet::new();
    let again = values.iter().filter(|value| {
        let level = level(source, value);
        let key = match level.number.filter(|number| number.abs() <= EXACT) {
            Some(number) => ("number", (number + 0.0).to_bits().to_string()),
            None => (value.get_ref().type_str(), level.text),
        };
        !known.insert(key)
    });
    let remedy = "keep one, because equal cells would be printed twice";
    let told = again.map(|it| source.mistake(it.span(), "this value is listed twice", remedy));
    told.take(MOST).collect()
}

/// A value as text and number.
fn level(source: &Source<'_>, value: &Spanned<DeValue<'_>>) -> Level {
    let plain = |text: &str| text.strip_prefix('+').unwrap_or(text).to_owned();
    match value.get_ref() {
        DeValue::String(text) => Level { text: text.to_string(), number: None },
        DeValue::Integer(whole) => {
            let decimal = match whole.radix() {
                10 => plain(whole.as_str()),
                radix => u128::from_str_radix(whole.as_str(), radix)
                    .map_or_else(|_| whole.to_string(), |number| number.to_string()),
            };
            Level { number: decimal.parse().ok(), text: decimal }
        }
        DeValue::Float(number) => {
            Level { text: plain(number.as_str()), number: number.as_str().parse().ok() }
        }
        DeValue::Boolean(answer) => Level { text: answer.to_string(), number: None },
        DeValue::Datetime(date) => Level { text: date.to_string(), number: None },
        DeValue::Array(_) | DeValue::Table(_) => {
            let text = source.text().get(value.span()).unwrap_or_default();
            let words: Vec<&str> = text.split_whitespace().collect();
            Level { text: words.join(" "), number: None }
        }
    }
}
