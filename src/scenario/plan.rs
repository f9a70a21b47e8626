//! A plan: a scenario in which names are resolved, worlds are built, and nothing can be wrong any more.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::document::{Document, Tree, show_path};
use super::grid::{Grid, Level};
use super::mistake::{Mistake, Mistakes, suggestion};
use super::wire::{Better, BetterWord, Chosen, EstimateWire, JudgeWire, LengthWire, SampledWire, TableWire, Wire, WorldWire};
use crate::estimators::{ESTIMATORS, Estimator, Settings, rules};
use crate::evidence::Gold;
use crate::judges::{Judge, Pairwise};
use crate::protocol::{Design, Protocol, Seat, Target, Task, Taste};
use crate::quantity::LogOdds;
use crate::stream::{Address, Purpose, Words, normal};
use crate::world::{Answer, Case, Drawn, Gap, Kind, Length, Quality, Table, World};

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
        let (rule, remedy) = ("the scenario holds several studies", "read them with `all_from_toml`");
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
        let mut mistakes = Vec::new();
        for study in document.studies()? {
            let built = Grid::check::<Wire>(&study.tree).and_then(|(grid, points)| {
                let points = points.into_iter().map(|point| (point.levels, point.content)).collect();
                let mut plan = Builder::new(&grid, overrides, open).plan(study.name.clone(), points)?;
                plan.curve = curve(&grid, overrides, open);
                Ok(plan)
            });
            match built {
                Ok(plan) => plans.push(plan),
                Err(more) => mistakes.extend(more),
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

/// The exact curve along the first varied position with three values or more.
fn curve(grid: &Grid<'_>, overrides: Overrides, open: Open<'_>) -> Option<Curve> {
    let (axis, numbers) = grid.axes().iter().enumerate().find_map(|(k, axis)| {
        let numbers: Option<Vec<f64>> = axis.levels().iter().map(|level| level.number).collect();
        let numbers = numbers.filter(|it| 3 <= it.len() && axis.path().ends_with(".position"))?;
        Some((k, numbers))
    })?;
    let (low, high) = numbers.iter().fold((f64::MAX, f64::MIN), |it, x| (it.0.min(*x), it.1.max(*x)));
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
    mistakes: Vec<Mistake>,
}

#[derive(Clone)]
struct Built {
    world: Arc<World>,
    has_lengths: bool,
    drawn: Drawn,
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
            mistakes: Vec::new(),
        }
    }

    fn plan(mut self, name: Option<String>, points: Vec<(Vec<Level>, Wire)>) -> Result<Plan, Mistakes> {
        self.refuse_varied(&["seed", "replicates", "level", "question"]);
        let Some((_, first)) = points.first() else { return Err(Mistakes::gather(self.mistakes)) };
        self.seed = self.overrides.seed.unwrap_or(first.seed.0);
        let (question, settings) = (first.question.trim().to_owned(), Settings { level: first.level });
        let replicates = self.overrides.replicates.unwrap_or(first.replicates.0);
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
        let plan = Plan {
            name,
            question,
            seed: self.seed,
            replicates,
            settings,
            paths: self.grid.axes().iter().map(|axis| axis.path().to_owned()).collect(),
            cells: points.into_iter().map(|it| it.0).collect(),
            tasks,
            files: self.files,
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
        let Some(built) = self.world(&wire.world, &mut found) else { return found };
        let protocol = Protocol {
            asked: wire.protocol.orders.into(),
            repeats: wire.protocol.repeats.0,
            combine: wire.protocol.combine,
        };
        let (single, paired) = chosen_rules(&wire.estimate, &protocol, &mut found);
        if wire.judges.is_empty() {
            found.push(Found::new("judges", "a study needs a judge", "add a table [judges.NAME.pairwise]"));
        }
        let seats: Vec<Seat> =
            wire.judges.iter().map(|(name, judge)| self.seat(name, judge, &built, &mut found)).collect();
        let third = third_party(wire, &paired, &seats, &mut found);
        let target = wire.estimate.target.unwrap_or(if built.world.is_random() || any_taste(&seats) {
            Target::Population
        } else {
            Target::World
        });
        for seat in &seats {
            let mut push = |seats: Vec<Seat>, estimators: &[&'static Estimator]| {
                if !estimators.is_empty() {
                    let design = Design { world: built.world.clone(), seats, protocol };
                    let judge = seat.name.clone();
                    tasks.push(Task { cell, judge, design, estimators: estimators.to_vec(), target });
                }
            };
            push(vec![seat.clone()], &single);
            if let Some(third) = third.filter(|third| third.name != seat.name) {
                push(vec![seat.clone(), third.clone()], &paired);
            }
        }
        let books = tasks.iter().filter(|task| task.cell == cell).map(|task| {
            task.design.codebook(task.estimators.iter().any(|it| it.needs.gold))
        });
        if books.into_iter().any(|book| book.is_err()) {
            let rule = "so many repeats of verdicts that may be ties or invalid cannot be tabulated";
            found.push(Found::new("protocol.repeats", rule, "ask fewer times, or leave out ties or invalid replies"));
        }
        found
    }

    fn world(&mut self, wire: &WorldWire, found: &mut Vec<Found>) -> Option<Built> {
        let key = format!("{wire:?}");
        if let Some(known) = self.worlds.get(&key) {
            return known.clone();
        }
        let before = found.len();
        let built = match wire {
            WorldWire::Sampled(wire) => sampled(wire, self.seed, found),
            WorldWire::Table(wire) => self.table(wire, found),
        };
        let built = built.filter(|_| found.len() == before);
        self.worlds.insert(key, built.clone());
        built
    }

    fn table(&mut self, wire: &TableWire, found: &mut Vec<Found>) -> Option<Built> {
        let systems = answers(&wire.systems, wire.families.as_ref(), "world.table", found)?;
        if !self.texts.contains_key(&wire.file) {
            self.files.push(wire.file.clone());
            let text = (self.open)(&wire.file);
            if let Err(why) = &text {
                let rule = format!("the file \"{}\" cannot be read ({why})", wire.file);
                found.push(Found::new("world.table.file", rule, "name a CSV file, relative to the scenario"));
            }
            self.texts.insert(wire.file.clone(), text.ok());
        }
        let text = self.texts.get(&wire.file)?.as_ref()?;
        match Table::read(text, systems, wire.cases == Chosen::Differing) {
            Ok(table) => Some(Built {
                world: Arc::new(table.world),
                has_lengths: table.has_lengths,
                drawn: Drawn::Once,
            }),
            Err(mistakes) => {
                self.mistakes.extend(mistakes.into_iter().map(|it| Mistake {
                    file: Some(wire.file.clone()),
                    line: it.line,
                    column: 1,
                    span: 0..0,
                    value: it.value,
                    rule: it.rule,
                    remedy: it.remedy,
                }));
                None
            }
        }
    }

    fn seat(&self, name: &str, wire: &JudgeWire, built: &Built, found: &mut Vec<Found>) -> Seat {
        let (judge, taste): (Arc<dyn Judge>, Taste) = match wire {
            JudgeWire::Scripted(judge) => (Arc::new(judge.clone()), Taste::None),
            JudgeWire::Pairwise(judge) => {
                check_pairwise(name, judge, built, found);
                (Arc::new(judge.clone()), self.taste(name, judge, built))
            }
        };
        Seat { name: name.into(), judge, taste }
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
                    Address::root(self.seed, Purpose::Taste).at("judge", name).at("case", &case.id).key()
                };
                Taste::Once(cases.map(|case| normal(Words::Keyed.once(&at(case)))).collect())
            }
        }
    }
}

/// A mistake whose place is a path of the cell.
struct Found {
    path: String,
    rule: String,
    remedy: String,
}

impl Found {
    fn new(path: &str, rule: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.to_owned(), rule: rule.into(), remedy: remedy.into() }
    }

    fn placed(self, tree: &Tree<'_>) -> Mistake {
        Mistake::at(tree, &self.path, self.rule, self.remedy)
    }
}

fn any_taste(seats: &[Seat]) -> bool {
    seats.iter().any(|seat| seat.taste == Taste::Anew)
}

/// "did you mean", or the list of what there is.
fn meant<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str> + Clone) -> String {
    match suggestion(word, candidates.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", candidates.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// The rules that look at one judge, and those that compare it with a third party.
fn chosen_rules(
    wire: &EstimateWire,
    protocol: &Protocol,
    found: &mut Vec<Found>,
) -> (Vec<&'static Estimator>, Vec<&'static Estimator>) {
    if wire.rules.is_empty() {
        found.push(Found::new("estimate.rules", "a study needs a rule", format!("there are {}", rules().join(", "))));
    }
    let mut chosen: Vec<&'static Estimator> = Vec::new();
    for (k, rule) in wire.rules.iter().enumerate() {
        let at = format!("estimate.rules.{k}");
        if wire.rules[..k].contains(rule) {
            found.push(Found::new(&at, "this rule is named twice", "name it once"));
            continue;
        }
        let variants: Vec<_> = ESTIMATORS.iter().copied().filter(|it| it.rule == rule).collect();
        if variants.is_empty() {
            let known = rules();
            found.push(Found::new(&at, format!("there is no rule \"{rule}\""), meant(rule, known.iter().copied())));
            continue;
        }
        let before = chosen.len();
        chosen.extend(variants.iter().filter(|it| protocol.feeds(&it.needs).is_ok()));
        if chosen.len() == before
            && let Some(Err((rule_text, remedy))) = variants.first().map(|it| protocol.feeds(&it.needs))
        {
            found.push(Found::new(&at, format!("this protocol cannot feed \"{rule}\": {rule_text}"), remedy));
        }
    }
    chosen.into_iter().partition(|it| it.needs.judges == 1)
}

fn third_party<'s>(
    wire: &Wire,
    paired: &[&'static Estimator],
    seats: &'s [Seat],
    found: &mut Vec<Found>,
) -> Option<&'s Seat> {
    let rule = paired.first()?.rule;
    let names = wire.judges.keys().map(String::as_str);
    let Some(third) = &wire.estimate.third_party else {
        let (what, remedy) = (format!("\"{rule}\" compares a judge with a third party"), "set third-party to a judge's name");
        found.push(Found::new("estimate.rules", what, remedy));
        return None;
    };
    if wire.judges.len() < 2 {
        let remedy = "add a second table under [judges]";
        found.push(Found::new("estimate.third-party", format!("\"{rule}\" needs two judges"), remedy));
        return None;
    }
    let seat = seats.iter().find(|seat| *seat.name == **third);
    if seat.is_none() {
        found.push(Found::new("estimate.third-party", format!("there is no judge \"{third}\""), meant(third, names)));
    }
    seat
}

fn check_pairwise(name: &str, judge: &Pairwise, built: &Built, found: &mut Vec<Found>) {
    let at = |key: &str| show_path(["judges", name, "pairwise", key]);
    let systems = &built.world.systems;
    let mut known = |key: &str, effect: &str, value: Option<&String>, strength: LogOdds, names: [&str; 2]| match value {
        Some(own) if !names.contains(&own.as_str()) => {
            found.push(Found::new(&at(key), format!("the world has no {effect} \"{own}\""), meant(own, names)));
        }
        None if strength != LogOdds::ZERO => {
            let remedy = format!("set {key} to \"{}\" or \"{}\"", names[0], names[1]);
            let rule = format!("a judge that prefers its own {effect} must say which that is");
            found.push(Found::new(&at(if key == "own" { "self" } else { "family" }), rule, remedy));
        }
        _ => {}
    };
    let systems_of = [&*systems[0].system, &*systems[1].system];
    known("own", "system", judge.own.as_ref(), judge.self_preference, systems_of);
    let families = [&*systems[0].family, &*systems[1].family];
    known("own-family", "family", judge.own_family.as_ref(), judge.family, families);
    if judge.length != LogOdds::ZERO && !built.has_lengths {
        let (rule, remedy) = ("the world tells no lengths", "give it lengths, or set length = 0");
        found.push(Found::new(&at("length"), rule, remedy));
    }
}

fn answers(
    systems: &[String; 2],
    families: Option<&[String; 2]>,
    at: &str,
    found: &mut Vec<Found>,
) -> Option<[Answer; 2]> {
    if systems[0] == systems[1] {
        let rule = "a system is not compared with itself";
        found.push(Found::new(&format!("{at}.systems"), rule, "name two systems"));
        return None;
    }
    let families = families.unwrap_or(systems);
    Some([0, 1].map(|k| Answer { system: systems[k].as_str().into(), family: families[k].as_str().into() }))
}

fn sampled(wire: &SampledWire, seed: u64, found: &mut Vec<Found>) -> Option<Built> {
    let systems = answers(&wire.systems, wire.families.as_ref(), "world.sampled", found)?;
    let gap = match (wire.better, wire.quality) {
        (Some(Better::Share(share)), None) => Some(Gap::Sign(share.get())),
        (Some(Better::Word(_)), None) => None,
        (None, Some(it)) => {
            if it.gap.is_nan() || 1e6 < it.gap.abs() {
                let rule = format!("a difference in quality is a finite number, not {}", it.gap);
                found.push(Found::new("world.sampled.quality.gap", rule, "give a finite number"));
                return None;
            }
            Some(Gap::Normal(Quality {
                mean: it.gap,
                sd: it.sd.get() * std::f64::consts::SQRT_2,
                margin: it.margin.get(),
                levels: it.levels.map(|it| it.0),
            }))
        }
        (both, _) => {
            let rule = "a sampled world has either `better` or `quality`";
            let remedy = if both.is_some() { "remove one of them" } else { "add better = 0.5, or a table `quality`" };
            found.push(Found::new("world.sampled", rule, remedy));
            return None;
        }
    };
    let length = wire.length.map_or(Length::Fixed(0.0), |length| match length {
        LengthWire::Ratio(ratio) => Length::Either(libm::log2(ratio.get())),
        LengthWire::FirstLonger(ratio) => Length::Fixed(libm::log2(ratio.get())),
        LengthWire::LogNormal(sd) if sd.get() == 0.0 => Length::Fixed(0.0),
        LengthWire::LogNormal(sd) => {
            Length::Normal(0.0, sd.get() * std::f64::consts::SQRT_2 / std::f64::consts::LN_2)
        }
    });
    let mut world = World { systems, kinds: Vec::new(), cases: Vec::new() };
    for case in 0..wire.pairs.0 {
        let id = case.to_string();
        let kind = Kind { gap: gap.clone().unwrap_or_else(|| undrawn(wire, case)), length };
        let kind = if wire.drawn == Drawn::Once { drawn_once(&kind, seed, &id) } else { kind };
        // The kinds of a world drawn anew are one or two; those of a world drawn once are not worth a search.
        let known = if wire.drawn == Drawn::Once { None } else { world.kinds.iter().position(|it| *it == kind) };
        let place = known.unwrap_or_else(|| {
            world.kinds.push(kind);
            world.kinds.len() - 1
        });
        world.cases.push(Case { id, kind: place });
    }
    Some(Built { world: Arc::new(world), has_lengths: wire.length.is_some(), drawn: wire.drawn })
}

/// The true difference of a case that no chance decides.
fn undrawn(wire: &SampledWire, case: usize) -> Gap {
    let first = wire.better != Some(Better::Word(BetterWord::Even)) || case.is_multiple_of(2);
    if first {
        Gap::Fixed { gap: 1.0, gold: Gold::A }
    } else {
        Gap::Fixed { gap: -1.0, gold: Gold::B }
    }
}

/// The state of a case that is drawn once: that of replicate 0.
fn drawn_once(kind: &Kind, seed: u64, case: &str) -> Kind {
    let word = |purpose| Words::Keyed.once(&Address::root(seed, purpose).at("case", case).key());
    let gap = match &kind.gap {
        Gap::Fixed { .. } => kind.gap.clone(),
        it => {
            let purpose = if matches!(it, Gap::Sign(_)) { Purpose::Truth } else { Purpose::Quality };
            let (gap, gold) = it.drawn(word(purpose));
            Gap::Fixed { gap, gold }
        }
    };
    Kind { gap, length: Length::Fixed(kind.length.drawn(word(Purpose::Length))) }
}
