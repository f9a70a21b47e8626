//! The grid of a study: every combination of the values under `[vary]`, each put into the tree. Paths under
//! `[vary-together]` move as one: their first values stand in one row, their second in the next.

mod beside;
mod written;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{MOST, Nature, Noted, Survey, Tree, parse_path, show_path};
use super::mistake::{Mistake, Mistakes, wording};

/// The most cells that a study may have.
pub const MOST_CELLS: usize = 100_000;
/// A key that no table has, to ask whether a table takes any key.
const NO_NAME: &str = "\0";
/// Whole numbers up to this size, 2^53, are told apart as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// One value of one varied path, for tables and charts.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The value as text: a number in decimals as it was written, a string without its quotes.
    pub text: String,
    /// The value as a number, if it is one.
    pub number: Option<f64>,
}

/// A varied path with its values.
#[derive(Debug, Clone)]
pub struct Axis<'t> {
    path: String,
    keys: Vec<String>,
    span: Range<usize>,
    values: Vec<Spanned<DeValue<'t>>>,
    levels: Vec<Level>,
    /// Whether it moves with the axis before it.
    tied: bool,
}

impl Axis<'_> {
    /// The dotted path, as written.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The values in the order of the file.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The place of the path in the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// One point of the grid: its values, one for each path, and the tree with these values in it.
#[derive(Debug, Clone)]
pub struct Cell<'t> {
    /// The values, in the order of the paths.
    pub levels: Vec<Level>,
    /// The study without `[vary]`, with the values at their paths; each keeps its span.
    pub tree: Tree<'t>,
}

/// One point of the grid, read.
#[derive(Debug, Clone)]
pub struct Point<T> {
    /// The values, in the order of the paths.
    pub levels: Vec<Level>,
    /// What the tree with these values reads as.
    pub content: T,
}

/// The cells of a study in reading order: the first path is the outermost, the last one varies
/// fastest. A study without `[vary]` has one cell.
#[derive(Debug, Clone)]
pub struct Grid<'t> {
    base: Tree<'t>,
    axes: Vec<Axis<'t>>,
}

impl<'t> Grid<'t> {
    /// The grid of a study.
    ///
    /// # Errors
    /// Every path that leads nowhere or meets another, every list that is empty, is no list, or
    /// holds a value twice, and a grid of more than [`MOST_CELLS`] cells. Whether a table takes
    /// the last key of a path is found by [`Grid::read`].
    pub fn of(tree: &Tree<'t>) -> Result<Self, Mistakes> {
        let (grid, mistakes) = Self::collect(tree);
        Mistakes::gather(mistakes).or(grid)
    }

    /// The grid of a study with every cell read.
    ///
    /// # Errors
    /// The mistakes of [`Grid::of`] and [`Grid::read`] together. A path with a mistake is left out
    /// of the grid when the rest is read, and missing keys are then not complained about, because
    /// the path may have been meant to give them.
    pub fn check<T: DeserializeOwned>(tree: &Tree<'t>) -> Result<(Self, Vec<Point<T>>), Mistakes> {
        let (grid, mut mistakes) = Self::collect(tree);
        if mistakes.is_empty() {
            let points = grid.read()?;
            return Ok((grid, points));
        }
        let noted = grid.star::<T>().into_iter().filter(|it| it.nature != Nature::Missing);
        let noted: Vec<Mistake> = noted.map(|it| it.mistake).collect();
        mistakes.retain(|it| !grid.follows(tree, it, &noted));
        mistakes.extend(noted);
        Err(Mistakes::gather(mistakes))
    }

    /// The varied paths, the outermost first.
    #[must_use]
    pub fn axes(&self) -> &[Axis<'t>] {
        &self.axes
    }

    /// The number of cells, 1 to [`MOST_CELLS`].
    #[must_use]
    pub fn size(&self) -> usize {
        let free = self.axes.iter().filter(|it| !it.tied);
        free.fold(1, |cells, axis| cells.saturating_mul(axis.values.len()))
    }

    /// The cells in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'t>> + '_ {
        (0..self.size()).map(|number| self.cell(number))
    }

    /// One cell by its number, from 0; a number beyond the last starts again at the first.
    #[must_use]
    pub fn cell(&self, number: usize) -> Cell<'t> {
        let mut rest = number;
        let mut chosen = vec![0; self.axes.len()];
        for (choice, axis) in chosen.iter_mut().zip(&self.axes).rev() {
            *choice = rest % axis.values.len();
            rest /= if axis.tied { 1 } else { axis.values.len() };
        }
        self.chosen(&chosen)
    }

    /// The cell with the values of these numbers, one for each path.
    fn chosen(&self, chosen: &[usize]) -> Cell<'t> {
        let mut tree = self.base.clone();
        let mut levels = Vec::with_capacity(self.axes.len());
        for (axis, choice) in self.axes.iter().zip(chosen) {
            tree.graft(&axis.keys, axis.span.clone(), axis.values[*choice].clone());
            levels.push(axis.levels[*choice].clone());
        }
        Cell { levels, tree }
    }

    /// The axes that move with an axis, itself included, if it is the first of them.
    fn group(&self, axis: usize) -> Range<usize> {
        let tied = self.axes.iter().skip(axis + 1).take_while(|it| it.tied).count();
        axis..axis + 1 + tied
    }

    /// Whether an axis moves with no other.
    pub(super) fn is_alone(&self, axis: usize) -> bool {
        self.axes.get(axis).is_some_and(|it| !it.tied) && self.group(axis).len() == 1
    }

    /// The same grid with other numbers, given as text, on one axis: for curves between the cells. Texts that are no
    /// TOML value are left out.
    #[must_use]
    pub fn with_numbers<'s>(&self, axis: usize, texts: &'s [String]) -> Grid<'s>
    where
        't: 's,
    {
        let mut grid: Grid<'s> = self.clone();
        if let Some(axis) = grid.axes.get_mut(axis) {
            let parsed = texts.iter().filter_map(|text| Some((text, DeValue::parse(text).ok()?)));
            let (levels, values) = parsed
                .map(|(text, value)| {
                    let level = Level { text: text.clone(), number: text.parse().ok() };
                    (level, Spanned::new(axis.span.clone(), value.into_inner()))
                })
                .unzip();
            (axis.levels, axis.values) = (levels, values);
        }
        grid
    }

    /// The same grid with one path set to a number, given as text; a path that is varied is no longer.
    ///
    /// # Errors
    /// A path that leads nowhere, with the rule and the remedy.
    pub fn set<'s>(&self, path: &str, text: &'s String) -> Result<Grid<'s>, (String, String)>
    where
        't: 's,
    {
        let texts = std::slice::from_ref(text);
        if let Some(axis) = self.axes.iter().position(|it| it.path == path) {
            if self.axes[axis].tied || self.group(axis).len() != 1 {
                let rule = "this path is varied together with others, so it cannot be set alone";
                return Err((rule.to_owned(), "leave it out of [vary-together]".to_owned()));
            }
            return Ok(self.with_numbers(axis, texts));
        }
        let keys = parse_path(path).ok_or_else(|| {
            let remedy = "write it like judges.NAME.pairwise.position, with quotes around a part that holds a dot";
            ("this is no path: parts stand between dots".to_owned(), remedy.to_owned())
        })?;
        self.leads(&keys)?;
        let mut grid: Grid<'s> = self.clone();
        let (values, levels) = (Vec::new(), Vec::new());
        grid.axes.push(Axis {
            path: path.to_owned(),
            keys,
            span: 0..0,
            values,
            levels,
            tied: false,
        });
        Ok(grid.with_numbers(grid.axes.len() - 1, texts))
    }

    /// Reads every cell as a `T`.
    ///
    /// # Errors
    /// Every mistake, up to fifty, each once however many cells share it; a mistake in a varied
    /// value points at its line in `[vary]`. First one value at a time is varied, and only if
    /// these cells are sound every combination is read.
    pub fn read<T: DeserializeOwned>(&self) -> Result<Vec<Point<T>>, Mistakes> {
        let noted = self.star::<T>();
        if !noted.is_empty() {
            return Err(noted.into_iter().map(|it| it.mistake).collect());
        }
        let mut points = Vec::with_capacity(self.size());
        let mut noted = Vec::new();
        for cell in self.cells() {
            let survey: Survey<T> = cell.tree.survey();
            noted.extend(survey.noted);
            if let (Some(content), true) = (survey.value, noted.is_empty()) {
                points.push(Point { levels: cell.levels, content });
            }
            if noted.len() >= MOST {
                break;
            }
        }
        noted.into_iter().map(|it| it.mistake).collect::<Mistakes>().or(points)
    }

    /// The mistakes of the paths that would make new entries, and of the rest of the grid.
    fn star<T: DeserializeOwned>(&self) -> Vec<Noted> {
        let mut sound = Self { base: self.base.clone(), axes: Vec::new() };
        let mut strays = Vec::new();
        for axis in &self.axes {
            match self.silently_new::<T>(axis) {
                Some(mistake) => strays.push(Noted { mistake, nature: Nature::Other }),
                None => sound.axes.push(axis.clone()),
            }
        }
        let mut noted = sound.one_at_a_time::<T>();
        noted.retain(|it| strays.is_empty() || it.nature != Nature::Missing);
        noted.extend(strays);
        noted
    }

    /// The mistakes of the first cell and of those that differ from it in one value.
    fn one_at_a_time<T: DeserializeOwned>(&self) -> Vec<Noted> {
        let first = vec![0; self.axes.len()];
        let mut noted: Vec<Noted> = self.chosen(&first).tree.survey::<T>().noted;
        let mut known: BTreeSet<(usize, String)> = noted.iter().map(seen).collect();
        for (number, axis) in self.axes.iter().enumerate().filter(|it| !it.1.tied) {
            for choice in 1..axis.values.len() {
                let mut chosen = first.clone();
                chosen[self.group(number)].fill(choice);
                let survey: Survey<T> = self.chosen(&chosen).tree.survey();
                noted.extend(survey.noted.into_iter().filter(|it| known.insert(seen(it))));
                if noted.len() >= MOST {
                    return noted;
                }
            }
        }
        noted
    }

    /// The mistake of a path that would make a new entry in a table which takes any key, such as
    /// a misspelt judge. A table with fixed keys refuses a key that it cannot know; one that does
    /// not would have taken the new entry without a word.
    fn silently_new<T: DeserializeOwned>(&self, axis: &Axis<'t>) -> Option<Mistake> {
        let (last, above) = axis.keys.split_last()?;
        let (_, table) = self.base.descend(above);
        let table = table.get_ref().as_table()?;
        if table.contains_key(last.as_str()) {
            return None;
        }
        let mut probe = self.base.clone();
        for other in self.axes.iter().filter(|it| it.path != axis.path) {
            probe.graft(&other.keys, other.span.clone(), other.values[0].clone());
        }
        let mut keys = axis.keys.clone();
        NO_NAME.clone_into(keys.last_mut()?);
        probe.graft(&keys, axis.span.clone(), axis.values[0].clone());
        let survey: Survey<T> = probe.survey();
        let refused = |it: &Noted| it.nature == Nature::UnknownKey && it.mistake.span == axis.span;
        if survey.noted.iter().any(refused) || survey.value.is_none() && survey.mended.is_none() {
            return None;
        }
        let place = show_path(above.iter().map(String::as_str));
        let (rule, remedy) = wording::unknown_entry(last, &place, &entries(table));
        Some(self.base.source().mistake(axis.span.clone(), rule, remedy))
    }
}

/// The keys of a table.
fn entries<'a>(table: &'a DeTable<'_>) -> Vec<&'a str> {
    table.keys().map(|key| key.get_ref().as_ref()).collect()
}

/// What makes two reports of a mistake the same.
fn seen(noted: &Noted) -> (usize, String) {
    (noted.mistake.span.start, format!("{}; {}", noted.mistake.rule, noted.mistake.remedy))
}

#[cfg(test)]
mod tests;
