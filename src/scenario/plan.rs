//! A plan: a scenario in which names are resolved, worlds are built, and nothing can be wrong any more.

mod between;
mod spoken;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cell::{self, Seated};
use super::costs::Costed;
use super::document::{Document, Mended, Tree};
use super::found::Found;
use super::gates::Condition;
use super::grid::{Grid, Level};
use super::guide::Guide;
use super::lookup;
use super::mistake::{Mistake, Mistakes, sentence, shorten};
use super::published::Published;
use super::rules::{self, Rules};
use super::scored::{self, Gives, gives};
use super::wire::{Chosen, Detect, JudgeWire, LengthsWire, TableWire, Wire, WorldWire};
use super::worlds::{self, Built};
use crate::estimators::Settings;
use crate::judges::{Judge, Pairwise};
use crate::protocol::{Changes, Lean, Opinion, Seat, SheetDesign, Task, Taste};
use crate::stream::{Words, normal};
use crate::world::{Case, Drawn, Scored, Table, TableMistake, Wanted};

pub use between::{Along, Between};

/// A study that can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name under `[studies]`, if the file holds several.
    pub name: Option<String>,
    /// The question it answers.
    pub question: String,
    /// What a teacher projects beside it.
    pub guide: Option<Guide>,
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
    /// What `detect` looks for.
    pub detect: Option<Detect>,
    /// More cells along a varied position, for which exact values are drawn as a line; nothing is simulated there.
    pub curve: Option<Curve>,
    /// More cells along one varied number or two, for charts of the power.
    pub between: Option<Between>,
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
/// Scores of a cell in one replicate, where answers are scored one by one: a block of replicates is kept.
const MOST_SCORES: u64 = 1_000_000;
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
                plan.between = between::between(&grid, &plan, overrides, open);
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
    // Published figures and conditions speak of the cells of the grid, which these are not.
    let points = points.into_iter().map(|point| (point.levels, point.content.unspoken())).collect();
    let plan = Builder::new(&grid, overrides, open).plan(None, points).ok()?;
    Some(Curve { cells: plan.cells, tasks: plan.tasks })
}

/// What is gathered while cells are built.
pub(super) struct Builder<'g, 't, 'o> {
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
    pub(super) fn new(grid: &'g Grid<'t>, overrides: Overrides, open: Open<'o>) -> Self {
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

    pub(super) fn plan(
        mut self,
        name: Option<String>,
        points: Vec<(Vec<Level>, Wire)>,
    ) -> Result<Plan, Mistakes> {
        self.refuse_varied(&["seed", "replicates", "level", "question", "guide"]);
        let Some((_, first)) = points.first() else { return Err(Mistakes::gather(self.mistakes)) };
        self.seed = self.overrides.seed.unwrap_or(first.seed.0);
        let (question, settings) =
            (first.question.trim().to_owned(), Settings { level: first.level });
        let replicates = self.overrides.replicates.unwrap_or(first.replicates.0);
        let (spoken, detect) =
            ((first.published.clone(), first.gate.clone()), first.detect.clone());
        let guide = first.guide.clone();
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
            guide,
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
            detect,
            curve: None,
            between: None,
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

    fn cell(&mut self, number: usize, wire: &Wire, tasks: &mut Vec<Task>) -> Vec<Found> {
        let mut found = Vec::new();
        let rules = Rules::new(wire, &mut found);
        wire.judges.keys().for_each(|name| rules::check_name(name, &mut found));
        let Some(built) = self.world(wire, rules.wanted(), &mut found) else { return found };
        rules.check_world(&built.world, &mut found);
        if wire.judges.is_empty() {
            found.push(Found::new(
                "judges",
                "a study needs a judge",
                "add a table [judges.NAME.pairwise]",
            ));
        }
        let mut seated = Vec::new();
        for (name, judge) in &wire.judges {
            // One that can give nothing is noted with the rules.
            if let Ok(given) = gives(&wire.world, judge, &wire.protocol) {
                seated.extend(self.seated((name, judge), given, wire, &built, &mut found));
            }
        }
        if seated.len() < wire.judges.len() {
            return found;
        }
        let verdicts = seated.iter().map(|it| it.verdicts(&built)).fold(0, u64::saturating_add);
        let sheets = seated.iter().any(|it| matches!(it, Seated::Sheet(_)));
        let most = if sheets { MOST_SCORES } else { MOST_VERDICTS };
        if most < verdicts {
            let rule =
                format!("a cell asks {verdicts} verdicts a replicate, and at most {most} fit");
            found.push(Found::new("world", rule, "take fewer cases, repeats or judges"));
            return found;
        }
        self.price(number, wire, &built, &mut found);
        if sheets {
            scored::check_study(wire, &mut found);
        }
        tasks.extend(cell::tasks((number, wire), &rules, &built, &seated, &mut found));
        found
    }

    fn world(&mut self, wire: &Wire, wanted: Wanted, found: &mut Vec<Found>) -> Option<Built> {
        let weights = &wire.estimate.weights;
        let key = format!("{:?}{wanted:?}{weights:?}", wire.world);
        if let Some(known) = self.worlds.get(&key) {
            return known.clone();
        }
        let before = found.len();
        let built = match &wire.world {
            WorldWire::Sampled(wire) => worlds::sampled(wire, self.seed, found),
            WorldWire::Table(wire) => self.table(wire, wanted, found),
            WorldWire::Graded(wire) => worlds::graded(wire, self.seed, found),
            WorldWire::Counts(wire) => worlds::counts(wire, self.seed, found),
            WorldWire::Lengths(wire) => self.lengths(wire, found),
            WorldWire::Rated(wire) => scored::rated(wire, found),
            WorldWire::Candidates(wire) => Some(scored::candidates(wire)),
            WorldWire::Clusters(wire) => Some(scored::clusters(wire)),
        };
        let built = built.and_then(|built| rules::weighted(built, weights, found));
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
        let text = self.text(&wire.file, "world.table.file", found)?;
        let table = Table::read(&text, systems, wanted);
        match table.map(|it| match wire.pairs {
            Some(pairs) => it.of_size(pairs.0),
            None => it,
        }) {
            Ok(table) => Some(Built {
                world: Arc::new(table.world),
                has_lengths: table.has_lengths,
                drawn: Drawn::Once,
                scored: None,
                file: Some(wire.file.as_str().into()),
            }),
            Err(mistakes) => self.mistaken(&wire.file, mistakes),
        }
    }

    fn lengths(&mut self, wire: &LengthsWire, found: &mut Vec<Found>) -> Option<Built> {
        let text = self.text(&wire.file, "world.lengths.file", found)?;
        match Scored::lengths(&text) {
            Ok(scored) => Some(scored::lengths(scored)),
            Err(mistakes) => self.mistaken(&wire.file, mistakes),
        }
    }

    /// The text of a table, read once.
    fn text(&mut self, file: &str, at: &str, found: &mut Vec<Found>) -> Option<String> {
        if !self.texts.contains_key(file) {
            self.files.push(file.to_owned());
            let text = (self.open)(file);
            if let Err(why) = &text {
                let rule = format!("the file \"{file}\" cannot be read ({why})");
                found.push(Found::new(at, rule, "name a CSV file, relative to the scenario"));
            }
            self.texts.insert(file.to_owned(), text.ok());
        }
        let text = self.texts.get(file)?.clone()?;
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let rule = format!("the file \"{file}\" is empty");
            let remedy = "give it a line of column names, and a line for each case";
            found.push(Found::new(at, rule, remedy));
            return None;
        }
        Some(text)
    }

    /// Notes the mistakes of a table that gives no world.
    fn mistaken(&mut self, file: &str, mistakes: Vec<TableMistake>) -> Option<Built> {
        self.in_file(file, mistakes);
        None
    }

    /// A judge, ready to be asked for what it gives.
    fn seated(
        &mut self,
        (name, judge): (&str, &JudgeWire),
        given: Gives,
        wire: &Wire,
        built: &Built,
        found: &mut Vec<Found>,
    ) -> Option<Seated> {
        match given {
            Gives::Pairs(protocol) => {
                Some(Seated::Pairs(self.seat(name, judge, wire, built, found)?, protocol))
            }
            Gives::Sheet(_) => {
                let (world, rater) =
                    (built.scored.clone()?, scored::rater(name, judge, built, found)?);
                Some(Seated::Sheet(SheetDesign { world, name: name.into(), rater }))
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
        let mut opinion = Opinion::Own(name.into());
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
                if let Some(shared) = &judge.opinion {
                    opinion = Opinion::Shared(shared.as_str().into());
                }
                (Arc::new(judge.clone()), self.taste(&opinion, judge, built))
            }
            JudgeWire::Scoring(_) => return None,
        };
        let lean = if judge.rates().lean > 0.0 { Lean::Anew } else { Lean::At(0.0) };
        Some(Seat { name: name.into(), judge, taste, opinion, lean })
    }

    fn taste(&self, opinion: &Opinion, judge: &Pairwise, built: &Built) -> Taste {
        if judge.taste.get() == 0.0 {
            return Taste::None;
        }
        match judge.taste_drawn.unwrap_or(built.drawn) {
            Drawn::Anew => Taste::Anew,
            Drawn::Once => {
                let cases = built.world.cases.iter();
                let at = |case: &Case| opinion.key(self.seed, &case.id);
                Taste::Once(cases.map(|case| normal(Words::Keyed.once(&at(case)))).collect())
            }
        }
    }
}
