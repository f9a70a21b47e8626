//! A scenario in which one number is set again and again: what a search for a parameter asks for.

use super::document::Document;
use super::grid::Grid;
use super::mistake::Mistakes;
use super::plan::{Builder, Open, Overrides, Plan};
use super::wire::Wire;

/// A path of a scenario and the value to put there.
#[derive(Clone, Copy, Debug)]
pub struct Set<'s> {
    /// The study, where the scenario holds several.
    pub study: Option<&'s str>,
    /// The dotted path.
    pub path: &'s str,
    /// The value.
    pub value: f64,
    /// Whether it is written as a whole number.
    pub whole: bool,
    /// What else is set in place of the scenario's.
    pub overrides: Overrides,
}

impl Plan {
    /// The plan of one study of a scenario with a number put at a path; nothing else of it may vary.
    ///
    /// # Errors
    /// In one sentence: the mistakes of the scenario, a path that leads nowhere, or a value that cannot stand there.
    pub fn with_set(text: &str, set: &Set<'_>, open: Open<'_>) -> Result<Self, String> {
        let told = |mistakes: Mistakes| {
            let first = mistakes.into_iter().next();
            first.map_or_else(String::new, |it| format!("{}; {}", it.rule, it.remedy))
        };
        let document = Document::parse(None, text).map_err(told)?;
        let studies = document.studies().map_err(told)?;
        let chosen = match (set.study, studies.as_slice()) {
            (None, [one]) => one,
            (None, all) => {
                let names: Vec<&str> = all.iter().filter_map(|it| it.name.as_deref()).collect();
                return Err(format!(
                    "the scenario holds several studies; choose one of {}",
                    names.join(", ")
                ));
            }
            (Some(name), all) => all
                .iter()
                .find(|it| it.name.as_deref() == Some(name))
                .ok_or_else(|| format!("there is no study {name}"))?,
        };
        let number =
            if set.whole { format!("{:.0}", set.value) } else { format!("{:?}", set.value) };
        let grid = Grid::of(&chosen.tree).map_err(told)?;
        let grid =
            grid.set(set.path, &number).map_err(|(rule, remedy)| format!("{rule}; {remedy}"))?;
        if let Some(other) = grid.axes().iter().find(|it| 1 < it.levels().len()) {
            return Err(format!("the scenario varies {} too; give it one value", other.path()));
        }
        let points = grid.read::<Wire>().map_err(told)?;
        let points = points.into_iter().map(|point| (point.levels, point.content)).collect();
        Builder::new(&grid, set.overrides, open).plan(chosen.name.clone(), points).map_err(told)
    }
}
