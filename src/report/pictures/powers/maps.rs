//! Maps of the power over two varied numbers, one for each rule about each judge.

use std::fmt::Write as _;

use super::super::super::axis::{number, percent};
use super::super::super::charts::heat::{HeatMap, Mesh, Side};
use super::super::super::grid::{Grid, Line};
use super::super::super::numbers::{plain, shortest};
use super::super::super::powers::{Along, PowerSurface, Powers};
use super::super::super::{Report, Value};
use super::super::{Picture, thousands};
use super::{Named, label, percent_of};

/// The most maps of a study.
const MOST_MAPS: usize = 6;

/// A simulated power: the two numbers, and the power with the limits of its interval.
type Simulated = ([f64; 2], [f64; 3]);

/// The maps of a report; the number of pairs lies along the bottom.
pub(super) fn maps(report: &Report, powers: &Powers, along: [&Along; 2]) -> Vec<Picture> {
    let surfaces = powers.surfaces.iter().take(MOST_MAPS);
    let maps = surfaces.filter_map(|it| Map::new(report, powers, it, along).picture());
    let mut maps: Vec<Picture> = maps.collect();
    if 1 < maps.len() {
        for (k, it) in maps.iter_mut().enumerate() {
            it.name = format!("{}-{}", it.name, k + 1);
        }
    }
    maps
}

/// What a map is made of.
struct Map<'r> {
    report: &'r Report,
    target: f64,
    surface: &'r PowerSurface,
    label: String,
    simulated: Vec<Simulated>,
    /// Which of the two numbers lies along the bottom, and which along the left.
    across: usize,
    up: usize,
    named: [Named; 2],
    sides: [Side; 2],
}

impl<'r> Map<'r> {
    fn new(
        report: &'r Report,
        powers: &Powers,
        surface: &'r PowerSurface,
        along: [&Along; 2],
    ) -> Self {
        let named = along.map(|it| Named::new(report, it));
        let simulated = surface.simulated(report, &along.map(Along::clone));
        let sides = [0, 1].map(|k| side(report, along[k], &named[k], &simulated, k));
        let turned = named[1].counts && !named[0].counts;
        let (across, up) = if turned { (1, 0) } else { (0, 1) };
        let label = label(report, powers, surface).join(", ");
        Self { report, target: powers.target, surface, label, simulated, across, up, named, sides }
    }

    fn picture(self) -> Option<Picture> {
        let rows = || self.sides[self.up].values.iter();
        let columns = || self.sides[self.across].values.iter();
        let of_row = |y: &f64| columns().map(|x| self.power(self.at(*x, *y))).collect::<Vec<_>>();
        let cells: Vec<Vec<Option<f64>>> = rows().map(of_row).collect();
        if cells.iter().flatten().all(Option::is_none) {
            return None;
        }
        let across = self.sides[self.across].values.len();
        let notes = (0..self.sides[self.up].values.len())
            .map(|row| (0..across).map(|column| self.note(column, row)).collect());
        let level = percent_of(1.0 - self.report.level);
        let chart = HeatMap {
            id: "power-map".to_owned(),
            title: self.finding(&cells),
            subtitle: format!(
                "Power of {} at level {level}, in per cent rounded down; {}",
                self.label,
                self.how()
            ),
            notes: notes.collect(),
            mesh: self.mesh(&cells),
            cells,
            target: self.target,
            x: self.sides[self.across].clone(),
            y: self.sides[self.up].clone(),
        };
        Some(Picture {
            name: "power-map".to_owned(),
            svg: chart.svg(),
            caption: format!("{}. {}.", chart.title, chart.subtitle),
            data: self.data(),
        })
    }

    /// The simulated cells; the exact powers between them are too many to read.
    fn data(&self) -> Grid {
        let line = |(at, power): &Simulated| {
            let mut cells = vec![shortest(at[self.across]), shortest(at[self.up])];
            cells.extend(power.map(plain));
            Line::from(cells)
        };
        let [x, y] = [self.across, self.up].map(|it| self.named[it].label.clone());
        let mut head = vec![x, y];
        head.extend(["simulated", "low", "high"].map(str::to_owned));
        let rows = self.simulated.iter().map(line).collect();
        Grid { head, rows, ..Grid::default() }
    }

    /// The two numbers in the order of the file, from those along the bottom and the left.
    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        if self.across == 0 { [x, y] } else { [y, x] }
    }

    fn exact(&self, at: [f64; 2]) -> Option<f64> {
        let it = self.surface;
        let x = it.x.iter().position(|x| *x == at[0])?;
        let y = it.y.iter().position(|y| *y == at[1])?;
        it.powers.get(y * it.x.len() + x).copied()
    }

    fn simulated(&self, at: [f64; 2]) -> Option<[f64; 3]> {
        self.simulated.iter().find(|it| it.0 == at).map(|it| it.1)
    }

    /// The exact power, or else the simulated one.
    fn power(&self, at: [f64; 2]) -> Option<f64> {
        self.exact(at).or_else(|| self.simulated(at).map(|it| it[0]))
    }

    /// What is said of a cell under the pointer.
    fn note(&self, column: usize, row: usize) -> String {
        let (across, up) = (&self.sides[self.across], &self.sides[self.up]);
        let at = self.at(across.values[column], up.values[row]);
        let mut note = format!(
            "{}, {}",
            self.named[self.across].phrase(&across.texts[column]),
            self.named[self.up].phrase(&up.texts[row])
        );
        if let Some(exact) = self.exact(at) {
            let _ = write!(note, "; exact {}", percent(exact, 1));
        }
        if let Some([y, low, high]) = self.simulated(at).map(|it| it.map(|it| percent(it, 1))) {
            let _ = write!(note, "; simulated {y} ({low} to {high})");
        }
        note
    }

    /// Where the numbers come from, and how far simulation is from them.
    fn how(&self) -> String {
        let replicates = thousands(self.report.replicates);
        let largest =
            |all: &mut dyn Iterator<Item = f64>| number(100.0 * all.fold(0.0, f64::max), 1);
        if self.surface.powers.is_empty() {
            let halves = &mut self.simulated.iter().map(|it| (it.1[2] - it.1[1]) / 2.0);
            return format!(
                "{replicates} replicates a cell, 95\u{2009}% Wilson intervals of at most ±{} points; the line is drawn between \
                 simulated cells",
                largest(halves)
            );
        }
        let off = |it: &Simulated| Some((it.1[0] - self.exact(it.0)?).abs());
        format!(
            "cells and line are exact; simulated powers ({replicates} replicates a cell) are at most {} points off",
            largest(&mut self.simulated.iter().filter_map(off))
        )
    }

    /// The powers through which the contour runs: those between the cells, or the cells themselves.
    fn mesh(&self, cells: &[Vec<Option<f64>>]) -> Mesh {
        let it = self.surface;
        if it.powers.is_empty() {
            let powers = cells.iter().flatten().map(|it| it.unwrap_or(f64::NAN)).collect();
            let [x, y] = [self.across, self.up].map(|k| self.sides[k].values.clone());
            return Mesh { x, y, powers };
        }
        if self.across == 0 {
            return Mesh { x: it.x.clone(), y: it.y.clone(), powers: it.powers.clone() };
        }
        let column = |x: usize| (0..it.y.len()).map(move |y| it.powers[y * it.x.len() + x]);
        let powers = (0..it.x.len()).flat_map(column).collect();
        Mesh { x: it.y.clone(), y: it.x.clone(), powers }
    }

    /// The title: what the smallest and the largest effect of the map take that reach the target in it, if exact powers
    /// tell; else whether the target is reached at all.
    fn finding(&self, cells: &[Vec<Option<f64>>]) -> String {
        let all = || cells.iter().flatten().flatten();
        let target = percent(self.target, 0);
        if all().all(|it| *it < self.target) {
            let most = percent(all().copied().fold(0.0, f64::max), 1);
            return format!("{target} power is out of reach here: the most is {most}");
        }
        if all().all(|it| self.target <= *it) {
            return format!("{} has {target} power or more everywhere here", self.label);
        }
        let up = &self.sides[self.up];
        let told = |(value, text): (&f64, &String)| {
            let mut crossings = self.surface.crossings.iter();
            let crossing = crossings.find(|it| it.other == Some(*value))?;
            let takes = self.named[self.across].phrase(&number(crossing.at, 0));
            Some(format!("{takes} at a {}", self.named[self.up].phrase(text)))
        };
        let mut rows = up.values.iter().zip(&up.texts).filter_map(told);
        match (rows.next(), rows.next_back()) {
            (Some(first), Some(last)) => format!("{target} power takes {first}, but {last}"),
            (Some(only), None) => format!("{target} power takes {only}"),
            _ => format!("Where {} has {target} power", self.label),
        }
    }
}

/// A varied number with its values as the scenario has them.
fn side(
    report: &Report,
    along: &Along,
    named: &Named,
    simulated: &[Simulated],
    which: usize,
) -> Side {
    let mut values: Vec<f64> = simulated.iter().map(|it| it.0[which]).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let written = |x: &f64| {
        let mut all = report.results.iter().map(|it| &it.values[along.axis]);
        let text = all
            .find(|it: &&Value| it.number == Some(*x))
            .map(|it| it.text.replace('-', "\u{2212}"));
        if along.whole { number(*x, 0) } else { text.unwrap_or_default() }
    };
    let texts = values.iter().map(written).collect();
    Side { label: named.label.clone(), values, texts, by_ratio: along.by_ratio }
}
