//! A plan: a scenario in which names are resolved, worlds are built, and nothing can be wrong any more.

mod spoken;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::costs::Costed;
use super::document::{Document, Mended, Tree};
use super::found::Found;
use super::gates::Condition;
use super::grid::{Grid, Level};
use super::lookup;
use super::mistake::{Mistake, Mistakes, sentence, shorten};
use super::published::Published;
use super::rules::{self, Rules, protocol_of};
use super::wire::{Chosen, JudgeWire, TableWire, Wire, WorldWire};
use super::worlds::{self, Built};
use crate::estimators::Settings;
use crate::judges::{Judge, Pairwise};
use crate::protocol::{Changes, Design, Protocol, Seat, Target, Task, Taste};
use crate::stream::{Address, Purpose, Words, normal};
use crate::world::{Case, Drawn, Table, TableMistake, Wanted};

/// A study that can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name under `[studies]`, if the file holds several.
    pub name: Option<String>,
    /// The question it answers.
    pub question: String,
    /// The seed of every draw.
    pub seed: u64,
    /// Replicates a cell.
    pub replicates: u64,
    /// What all rules share.
    pub settings: Settings,
    /// The varied paths.
    pub paths: Vec<String>,
    /// The cells of the grid: a value for each path.
    pub cells: Vec<Vec<Level>>,
    /// What is simulated, cell by cell, judge by judge.
    pub tasks: Vec<Task>,
    /// The files that the scenario names, in order.
    pub files: Vec<String>,
    /// Figures that were published.
    pub published: Vec<Published>,
    /// Conditions on the results.
    pub gate: Vec<Condition>,
    /// What each judge costs in each cell, where prices are given.
    pub costs: Vec<Costed>,
    /// The currency of the prices.
    pub currency: String,
    /// By task: the cases that changed from the second system to the first, where a table names them and no chance decides.
    pub changes: Vec<Option<Changes>>,
    /// More cells along a varied position, for which exact values are drawn as a line; nothing is simulated there.
    pub curve: Option<Curve>,
}

/// Cells between the cells of the grid.
#[derive(Clone, Debug)]
pub struct Curve {
    /// A value for each path.
    pub cells: Vec<Vec<Level>>,
    /// One task for each judge of each cell.
    pub tasks: Vec<Task>,
}

/// Points of a curve.
const CURVE_POINTS: u32 = 33;
/// Cases of all worlds of a study: more would fill the memory.
const MOST_CASES: usize = 20_000_000;
/// Verdicts of all judges of a cell in one replicate: each has a key of its own in memory.
const MOST_VERDICTS: u64 = 20_000_000;
/// Cells that a curve may have.
const MOST_CURVE_CELLS: usize = 2_000;

/// What the caller sets in place of the scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The seed.
    pub seed: Option<u64>,
    /// Replicates a cell.
    pub replicates: Option<u64>,
}

/// Hands over the text of a file that a scenario names, or says why it cannot.
pub type Open<'o> = &'o mut dyn FnMut(&str) -> Result<String, String>;

impl Plan {
    /// Reads a scenario that holds one study. `open` is handed the name of each file that it names and returns its text.
    ///
    /// # Errors
    /// Every mistake, each with its line, its rule and its remedy.
    pub fn from_toml(text: &str, open: Open<'_>) -> Result<Self, Mistakes> {
        let mut plans = Self::all_from_toml(None, text, Overrides::default(), open)?;
        if let (1, Some(plan)) = (plans.len(), plans.pop()) {
            return Ok(plan);
        }
        let document = Document::parse(None, text)?;
        let (rule, remedy) =
            ("the scenario holds several studies", "read them with `all_from_toml`");
        Err(Mistake::at(document.tree(), "studies", rule, remedy).into())
    }

    /// Reads every study of a scenario. `file` names it in mistakes.
    ///
    /// # Errors
    /// Every mistake, each with its line, its rule and its remedy.
    pub fn all_from_toml(
        file: Option<&str>,
        text: &str,
        overrides: Overrides,
        open: Open<'_>,
    ) -> Result<Vec<Self>, Mistakes> {
        let document = Document::parse(file, text)?;
        let mut plans = Vec::new();
        let mut mistakes = document.misnamed();
        for study in document.studies()? {
            let built = Grid::check::<Wire>(&study.tree).and_then(|(grid, points)| {
                let points =
                    points.into_iter().map(|point| (point.levels, point.content)).collect();
                let mut plan =
                    Builder::new(&grid, overrides, open).plan(study.name.clone(), points)?;
                plan.curve = curve(&grid, overrides, open);
                Ok(plan)
            });
            match built {
                Ok(plan) => plans.push(plan),
                Err(more) => {
                    mistakes.extend(more);
                    mistakes.extend(beside(&study.tree, overrides, open));
                }
            }
        }
        Mistakes::gather(mistakes).or(plans)
    }

    /// Verdicts of the whole study.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.tasks.iter().map(Task::decisions).sum::<u64>().saturating_mul(self.replicates)
    }
}

/// Mistakes of meaning in those tables that can be read, beside others that cannot.
fn beside(tree: &Tree<'_>, overrides: Overrides, open: Open<'_>) -> Vec<Mistake> {
    let Some((cell, Mended { value, tops })) = Grid::mended::<Wire>(tree) else {
        return Vec::new();
    };
    let Ok(grid) = Grid::of(&cell) else { return Vec::new() };
    let mut builder = Builder::new(&grid, overrides, open);
    let found = builder.cell(0, &value, &mut Vec::new());
    let mut mistakes = if tops.contains("world") { Vec::new() } else { builder.mistakes };
    mistakes
        .extend(found.into_iter().filter(|it| it.stands_beside(&tops)).map(|it| it.placed(&cell)));
    mistakes
}

/// The exact curve along the first varied position with three values or more.
fn curve(grid: &Grid<'_>, overrides: Overrides, open: Open<'_>) -> Option<Curve> {
    let (axis, numbers) = grid.axes().iter().enumerate().find_map(|(k, axis)| {
        let numbers: Option<Vec<f64>> = axis.levels().iter().map(|level| level.number).collect();
        let numbers = numbers
            .filter(|it| 3 <= it.len() && axis.path().ends_with(".position") && grid.is_alone(k))?;
        Some((k, numbers))
    })?;
    let (low, high) =
        numbers.iter().fold((f64::MAX, f64::MIN), |it, x| (it.0.min(*x), it.1.max(*x)));
    let texts: Vec<String> = (0..CURVE_POINTS)
        .map(|k| format!("{:?}", low + (high - low) * f64::from(k) / f64::from(CURVE_POINTS - 1)))
        .collect();
    let grid = grid.with_numbers(axis, &texts);
    if MOST_CURVE_CELLS < grid.size() {
        return None;
    }
    let points = grid.read::<Wire>().ok()?;
    let points = points.into_iter().map(|point| (point.levels, point.content)).collect();
    let plan = Builder::new(&grid, overrides, open).plan(None, points).ok()?;
    Some(Curve { cells: plan.cells, tasks: plan.tasks })
}

/// What is gathered while cells are built.
struct Builder<'g, 't, 'o> {
    grid: &'g Grid<'t>,
    overrides: Overrides,
    open: Open<'o>,
    seed: u64,
    texts: BTreeMap<String, Option<String>>,
    files: Vec<String>,
    /// Worlds that cells share, by how they are written.
    worlds: BTreeMap<String, Option<Built>>,
    /// Cases of all these worlds.
    cases: usize,
    costs: Vec<Costed>,
    mistakes: Vec<Mistake>,
}

impl<'g, 't, 'o> Builder<'g, 't, 'o> {
    fn new(grid: &'g Grid<'t>, overrides: Overrides, open: Open<'o>) -> Self {
        Self {
            grid,
            overrides,
            open,
            seed: 0,
            texts: BTreeMap::new(),
            files: Vec::new(),
            worlds: BTreeMap::new(),
            cases: 0,
            costs: Vec::new(),
            mistakes: Vec::new(),
        }
    }

    fn plan(
        mut self,
        name: Option<String>,
        points: Vec<(Vec<Level>, Wire)>,
    ) -> Result<Plan, Mistakes> {
        self.refuse_varied(&["seed", "replicates", "level", "question"]);
        let Some((_, first)) = points.first() else { return Err(Mistakes::gather(self.mistakes)) };
        self.seed = self.overrides.seed.unwrap_or(first.seed.0);
        let (question, settings) =
            (first.question.trim().to_owned(), Settings { level: first.level });
        let replicates = self.overrides.replicates.unwrap_or(first.replicates.0);
        let spoken = (first.published.clone(), first.gate.clone());
        let currency = first.cost.as_ref().map(|it| it.currency.clone()).unwrap_or_default();
        let mut tasks = Vec::new();
        for (cell, (_, wire)) in points.iter().enumerate() {
            // The tree of a cell is asked only where a mistake must be placed: building it costs more than the cell.
            let found = self.cell(cell, wire, &mut tasks);
            if !found.is_empty() {
                let tree = self.grid.cell(cell).tree;
                self.mistakes.extend(found.into_iter().map(|it| it.placed(&tree)));
            }
            if 50 < self.mistakes.len() {
                break;
            }
        }
        let cells: Vec<Vec<Level>> = points.into_iter().map(|it| it.0).collect();
        let mut found = Vec::new();
        let (published, gate, changes) = self.spoken_of(&spoken, &cells, &tasks, &mut found);
        if !found.is_empty() {
            let tree = self.grid.cell(0).tree;
            self.mistakes.extend(found.into_iter().map(|it| it.placed(&tree)));
        }
        let plan = Plan {
            name,
            question,
            seed: self.seed,
            replicates,
            settings,
            paths: self.grid.axes().iter().map(|axis| axis.path().to_owned()).collect(),
            cells,
            tasks,
            files: self.files,
            published,
            gate,
            costs: self.costs,
            currency,
            changes,
            curve: None,
        };
        Mistakes::gather(self.mistakes).or(plan)
    }

    fn refuse_varied(&mut self, keys: &[&str]) {
        for axis in self.grid.axes() {
            if keys.contains(&axis.path()) {
                let rule = format!("`{}` is the same in all cells", axis.path());
                let remedy = "vary a path under world, judges, protocol or estimate";
                let source_tree = self.grid.cell(0).tree;
                self.mistakes.push(source_tree.source().mistake(axis.span(), rule, remedy));
            }
        }
    }

    fn cell(&mut self, cell: usize, wire: &Wire, tasks: &mut Vec<Task>) -> Vec<Found> {
        let mut found = Vec::new();
        let rules = Rules::new(&wire.estimate, &wire.judges, &wire.protocol, &mut found);
        wire.judges.keys().for_each(|name| rules::check_name(name, &mut found));
        let Some(built) = self.world(&wire.world, rules.wanted(), &mut found) else { return found };
        if wire.judges.is_empty() {
            found.push(Found::new(
                "judges",
                "a study needs a judge",
                "add a table [judges.NAME.pairwise]",
            ));
        }
        let seats: Vec<Seat> = wire
            .judges
            .iter()
            .filter_map(|(name, judge)| self.seat(name, judge, wire, &built, &mut found))
            .collect();
        if seats.len() < wire.judges.len() {
            return found;
        }
        let judges = wire.judges.values();
        let calls: u64 = judges.map(|judge| protocol_of(judge, &wire.protocol).calls()).sum();
        let verdicts = calls.saturating_mul(built.world.cases.len() as u64);
        if MOST_VERDICTS < verdicts {
            let rule = format!(
                "a cell asks {verdicts} verdicts a replicate, and at most {MOST_VERDICTS} fit"
            );
            found.push(Found::new("world", rule, "take fewer cases, repeats or judges"));
            return found;
        }
        self.price(cell, wire, &built, &mut found);
        let third = rules.third_party(wire, &seats, &mut found);
        let random = built.world.is_random() || seats.iter().any(|seat| seat.taste == Taste::Anew);
        let usual = if random { Target::Population } else { Target::World };
        let target = wire.estimate.target.unwrap_or(usual);
        let mut push = |seats: Vec<Seat>, protocol: Protocol, judges: usize| {
            let estimators = rules.fed_by(&protocol, judges);
            if !estimators.is_empty() {
                let judge = seats[0].name.clone();
                let design = Design { world: built.world.clone(), seats, protocol };
                if design.codebook(&estimators).is_err() {
                    let rule = "so many repeats of verdicts that may be ties or invalid cannot be tabulated";
                    let remedy = "ask fewer times, or leave out ties or invalid replies";
                    found.push(Found::new("protocol.repeats", rule, remedy));
                }
                tasks.push(Task { cell, judge, design, estimators, target });
            }
        };
        for (seat, judge) in seats.iter().zip(wire.judges.values()) {
            let protocol = protocol_of(judge, &wire.protocol);
            push(vec![seat.clone()], protocol, 1);
            if let Some(third) = third.filter(|third| third.name != seat.name) {
                push(vec![seat.clone(), third.clone()], protocol, 2);
            }
        }
        found
    }

    fn world(&mut self, wire: &WorldWire, wanted: Wanted, found: &mut Vec<Found>) -> Option<Built> {
        let key = format!("{wire:?}{wanted:?}");
        if let Some(known) = self.worlds.get(&key) {
            return known.clone();
        }
        let before = found.len();
        let built = match wire {
            WorldWire::Sampled(wire) => worlds::sampled(wire, self.seed, found),
            WorldWire::Table(wire) => self.table(wire, wanted, found),
            WorldWire::Graded(wire) => worlds::graded(wire, self.seed, found),
            WorldWire::Counts(wire) => worlds::counts(wire, found),
        };
        let built = built.filter(|_| found.len() == before);
        self.cases += built.as_ref().map_or(0, |built| built.world.cases.len());
        if MOST_CASES < self.cases {
            let rule =
                format!("the worlds of all cells have more than {MOST_CASES} cases together");
            found.push(Found::new("world", rule, "take fewer cases, or vary the world less"));
            return None;
        }
        self.worlds.insert(key, built.clone());
        built
    }

    fn table(&mut self, wire: &TableWire, wanted: Wanted, found: &mut Vec<Found>) -> Option<Built> {
        let wanted = Wanted { differing: wire.cases == Chosen::Differing, ..wanted };
        let systems = worlds::answers(&wire.systems, wire.families.as_ref(), "world.table", found)?;
        if !self.texts.contains_key(&wire.file) {
            self.files.push(wire.file.clone());
            let text = (self.open)(&wire.file);
            if let Err(why) = &text {
                let rule = format!("the file \"{}\" cannot be read ({why})", wire.file);
                found.push(Found::new(
                    "world.table.file",
                    rule,
                    "name a CSV file, relative to the scenario",
                ));
            }
            self.texts.insert(wire.file.clone(), text.ok());
        }
        let text = self.texts.get(&wire.file)?.as_ref()?;
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let rule = format!("the file \"{}\" is empty", wire.file);
            let remedy = "give it a line of column names, and a line for each case";
            found.push(Found::new("world.table.file", rule, remedy));
            return None;
        }
        match Table::read(text, systems, wanted) {
            Ok(table) => Some(Built {
                world: Arc::new(table.world),
                has_lengths: table.has_lengths,
                drawn: Drawn::Once,
                file: Some(wire.file.as_str().into()),
            }),
            Err(mistakes) => {
                self.in_file(&wire.file, mistakes);
                None
            }
        }
    }

    /// Mistakes in a file, told with its own lines.
    fn in_file(&mut self, file: &str, mistakes: Vec<TableMistake>) {
        self.mistakes.extend(mistakes.into_iter().map(|it| Mistake {
            file: Some(file.to_owned()),
            line: it.line,
            column: 1,
            span: 0..0,
            value: shorten(&it.value),
            rule: sentence(&it.rule),
            remedy: it.remedy,
        }));
    }

    /// A judge that looks its verdicts up in the world's table; none if they cannot be read.
    fn looked_up(
        &mut self,
        name: &str,
        judge: &JudgeWire,
        wire: &Wire,
        found: &mut Vec<Found>,
    ) -> Option<Arc<dyn Judge>> {
        let WorldWire::Table(table) = &wire.world else {
            found.push(lookup::no_table(name));
            return None;
        };
        let text = self.texts.get(&table.file).and_then(Option::as_deref);
        match lookup::read(name, judge, (table, text), &wire.protocol, found)? {
            Ok(judge) => Some(Arc::new(judge)),
            Err(mistakes) => {
                self.in_file(&table.file, mistakes);
                None
            }
        }
    }

    fn seat(
        &mut self,
        name: &str,
        judge: &JudgeWire,
        wire: &Wire,
        built: &Built,
        found: &mut Vec<Found>,
    ) -> Option<Seat> {
        let (judge, taste): (Arc<dyn Judge>, Taste) = match judge {
            JudgeWire::Recorded(_) | JudgeWire::Lexical(_) => {
                (self.looked_up(name, judge, wire, found)?, Taste::None)
            }
            JudgeWire::Scripted(judge) => (Arc::new(judge.clone()), Taste::None),
            JudgeWire::Pointwise(judge) => {
                rules::check_pointwise(name, judge, found);
                (Arc::new(judge.clone()), Taste::None)
            }
            JudgeWire::Pairwise(judge) => {
                rules::check_pairwise(name, judge, built, found);
                (Arc::new(judge.clone()), self.taste(name, judge, built))
            }
        };
        Some(Seat { name: name.into(), judge, taste })
    }

    fn taste(&self, name: &str, judge: &Pairwise, built: &Built) -> Taste {
        if judge.taste.get() == 0.0 {
            return Taste::None;
        }
        match judge.taste_drawn.unwrap_or(built.drawn) {
            Drawn::Anew => Taste::Anew,
            Drawn::Once => {
                let cases = built.world.cases.iter();
                let at = |case: &Case| {
                    Address::root(self.seed, Purpose::Taste)
                        .at("judge", name)
                        .at("case", &case.id)
                        .key()
                };
                Taste::Once(cases.map(|case| normal(Words::Keyed.once(&at(case)))).collect())
            }
        }
    }
}
