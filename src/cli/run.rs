//! `judgelab run`: scenarios in, tables on stdout, files in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use judgelab::report::{self, Made, Manifest, Outcome, Precise, Report};
use judgelab::scenario::{Overrides, Plan, Replicates, Seed};
use judgelab::stream::Words;
use judgelab::study::{self, Measure, Precision};

use super::error::Failure;
use super::format::{Form, written};
use super::interrupt::Running;
use super::keep::{self, Keeper};
use super::output::{MANIFEST, Outputs};
use super::progress::Progress;
use super::shards;
use super::size;
use super::source::{Planned, read_all};

/// What is typed after `run`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Args {
    /// Scenario files, folders of them, or - for standard input
    #[arg(required = true)]
    pub(super) scenarios: Vec<PathBuf>,
    /// The folder of the results; each scenario gets a folder in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(super) out: PathBuf,
    /// Replicates a cell, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = replicates, allow_negative_numbers = true)]
    replicates: Option<u64>,
    /// Go on until no Monte Carlo standard error of the --measures is above X; the scenario's replicates are the least
    #[arg(long, value_name = "X", value_parser = mcse, allow_negative_numbers = true)]
    mcse: Option<f64>,
    /// The measures that --mcse speaks of
    #[arg(long, value_name = "M,..", value_delimiter = ',', default_value = "mean,coverage,power", value_parser = measure, requires = "mcse")]
    measures: Vec<Measure>,
    /// The most replicates a cell under --mcse
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = replicates, allow_negative_numbers = true, requires = "mcse")]
    max_replicates: u64,
    /// The seed, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Threads; all cores by default. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// No progress and no notes; results are printed all the same
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print report.json alone; of several studies a list
    #[arg(long)]
    json: bool,
    /// How the tables are printed
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
    /// Write every replicate's estimates to draws.csv as well
    #[arg(long)]
    draws: bool,
    /// Write the answers of one replicate as a file of verdicts, which `analyze` and `fit` read; of several cells, a folder with
    /// a file of each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "range", "dry_run"])]
    pub(super) export_verdicts: Option<PathBuf>,
    /// The replicate that --export-verdicts writes, from 0
    #[arg(long, value_name = "R", default_value_t = 0, requires = "export_verdicts")]
    pub(super) replicate: u64,
    /// End with exit code 1 where a [[gate]] fails, or where Monte Carlo error leaves it undecided
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    #[command(flatten)]
    pub(super) keep: keep::Keeping,
    #[command(flatten)]
    pub(super) slice: shards::Slice,
    /// Run nothing: print the decisions, the core-hours that they take here, the memory, and how many tasks to ask for
    #[arg(long, conflicts_with_all = ["mcse", "shard", "range", "resume"])]
    dry_run: bool,
}

/// What a script may want to stop at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A gate fails
    Gate,
    /// A gate is undecided
    Undecided,
}

fn whole(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "a whole number is expected here; write it in digits".to_owned())
}

/// The flag takes what the scenario takes, so that every run can be written down as a scenario.
pub(super) fn replicates(text: &str) -> Result<u64, String> {
    whole(text).and_then(Replicates::try_from).map(|it| it.0)
}

fn mcse(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(mcse) if (1e-9..=1e9).contains(&mcse) => Ok(mcse),
        _ => Err("an error is a number above 0, such as 0.005".to_owned()),
    }
}

/// Measures that have a Monte Carlo error.
const MEASURED: [Measure; 7] = [
    Measure::Mean,
    Measure::Bias,
    Measure::EmpiricalSe,
    Measure::Rmse,
    Measure::Coverage,
    Measure::Power,
    Measure::Width,
];

fn measure(text: &str) -> Result<Measure, String> {
    let known = MEASURED.into_iter().find(|it| it.name() == text.trim().replace('-', "_"));
    let names = MEASURED.map(Measure::name).join(", ");
    known.ok_or_else(|| format!("the measures with a Monte Carlo error are {names}"))
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    whole(text).and_then(Seed::try_from).map(|it| it.0)
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=1024).contains(&threads) => Ok(threads),
        _ => Err("1 to 1024 threads can work; leave the option out for all cores".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (running, start) = (Running::watched(), Instant::now());
    let overrides = Overrides { seed: args.seed, replicates: args.replicates };
    let planned = read_all(&args.scenarios, overrides)?;
    distinct_stems(&planned)?;
    let mut plans = planned.iter().flat_map(|it| &it.plans);
    if !args.fail_on.is_empty() && plans.all(|plan| plan.gate.is_empty()) {
        let message =
            "--fail-on: no study has a gate; add a table [[gate]] to one, or leave the option out.";
        return Err(Failure::User(message.to_owned()));
    }
    if let Some(threads) = args.threads {
        // The pool is built once in a process; a second call could only repeat the first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    if args.dry_run {
        return size::tell(&running, &planned);
    }
    super::export::export(args, &planned)?;
    if args.slice.is_asked() {
        return shards::run(args, overrides, &planned, (&running, start));
    }
    let mut reports = Vec::new();
    let mut folders = Vec::new();
    let mut checkpoints = Vec::new();
    for it in &planned {
        let mut keeper = shards::whole(args, overrides, it, (&running, start))?;
        checkpoints.push(keeper.file());
        for (number, plan) in it.plans.iter().enumerate() {
            let study = Study { args, planned: it, plan, running: &running };
            reports.push(study.run(&mut keeper, number)?);
            folders.push(study.folder().display().to_string());
        }
    }
    keep::discard(&running, &checkpoints);
    ended(&args.ending(), &reports, &folders)
}

/// How results are shown, and what the command ends with.
#[derive(Debug)]
pub(super) struct Ending<'a> {
    pub(super) quiet: bool,
    pub(super) json: bool,
    pub(super) format: Form,
    pub(super) fail_on: &'a [FailOn],
}

impl Args {
    /// What `--mcse` asks for of a study.
    fn precision(&self, plan: &Plan) -> Option<Precision> {
        let (least, most) = (plan.replicates, self.max_replicates.max(plan.replicates));
        self.mcse.map(|mcse| Precision { mcse, measures: self.measures.clone(), least, most })
    }

    /// The same as it is typed, and the most replicates.
    pub(super) fn precision_asked(&self, plans: &[Plan]) -> Option<(String, u64)> {
        let mcse = self.mcse?;
        let names: Vec<&str> = self.measures.iter().map(|it| it.name()).collect();
        let most = plans.iter().map(|it| it.replicates).fold(self.max_replicates, u64::max);
        let typed = format!("--mcse {mcse} --measures {} --max-replicates {most}", names.join(","));
        Some((typed, most))
    }

    fn ending(&self) -> Ending<'_> {
        Ending { quiet: self.quiet, json: self.json, format: self.format, fail_on: &self.fail_on }
    }
}

/// Shows the results, and stops at gates.
pub(super) fn ended(
    ending: &Ending<'_>,
    reports: &[Report],
    folders: &[String],
) -> Result<(), Failure> {
    super::print(&shown(ending, reports, folders))?;
    let stops = stops(ending, reports, folders);
    if stops.is_empty() { Ok(()) } else { Err(Failure::Gate(stops.join("\n"))) }
}

/// The gates that a script is to stop at, each with its study's folder.
fn stops(args: &Ending<'_>, reports: &[Report], folders: &[String]) -> Vec<String> {
    let stops_at = |outcome| match outcome {
        Outcome::Passes => false,
        Outcome::Undecided => args.fail_on.contains(&FailOn::Undecided),
        Outcome::Fails => args.fail_on.contains(&FailOn::Gate),
    };
    let gates = reports.iter().zip(folders).filter_map(|(it, at)| Some((it.gate.as_ref()?, at)));
    let stopped = gates.filter(|it| it.0.conditions.iter().any(|it| stops_at(it.outcome)));
    stopped.map(|(gate, folder)| format!("{folder}: {}", gate.sentence())).collect()
}

fn shown(args: &Ending<'_>, reports: &[Report], folders: &[String]) -> String {
    if args.json {
        return match reports {
            [one] => one.json(),
            all => format!("{}\n", serde_json::to_string_pretty(all).unwrap_or_default()),
        };
    }
    let mut text = written(reports, args.format, terminal_size());
    if !args.quiet && args.format == Form::Text {
        let folders = folders.join(", ");
        text.extend(["\nTables, report.json, report.html and charts: ", &folders, "\n"]);
    }
    text
}

/// The width of the terminal that stdout is, if it is one.
pub(super) fn terminal_size() -> Option<u16> {
    use std::io::IsTerminal;
    let columns = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    columns.filter(|_| std::io::stdout().is_terminal())
}

/// Stems that differ only in case are equal: some file systems do not tell them apart.
fn distinct_stems(planned: &[Planned]) -> Result<(), Failure> {
    let mut seen = BTreeMap::new();
    for it in planned {
        let source = &it.source;
        if let Some(other) = seen.insert(source.stem.to_lowercase(), &source.name) {
            return Err(Failure::User(format!(
                "{}: its results and those of {other} would go to one folder, \"{}\"; rename one, or run them apart.",
                source.name, source.stem
            )));
        }
    }
    Ok(())
}

/// Where the results of a study go.
pub(super) fn folder(out: &Path, planned: &Planned, plan: &Plan) -> PathBuf {
    let folder = out.join(&planned.source.stem);
    plan.name.as_ref().map_or(folder.clone(), |name| folder.join(name))
}

/// What a study is called in messages.
pub(super) fn titled(planned: &Planned, plan: &Plan) -> String {
    let study = plan.name.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
    format!("{}{study}", planned.source.name)
}

/// A study that is being run.
struct Study<'a> {
    args: &'a Args,
    planned: &'a Planned,
    plan: &'a Plan,
    running: &'a Running,
}

impl Study<'_> {
    /// Where its results go.
    fn folder(&self) -> PathBuf {
        folder(&self.args.out, self.planned, self.plan)
    }

    /// Simulates it and writes its files.
    fn run(&self, keeper: &mut Keeper<'_>, number: usize) -> Result<Report, Failure> {
        let plan = self.plan;
        let most = self.args.precision(plan).map_or(plan.replicates, |it| it.most);
        let decisions = plan.decisions() / plan.replicates * most;
        self.running.begin(titled(self.planned, plan), most, decisions);
        if self.args.keep.resume {
            keep::sweep(&self.folder());
            keep::sweep(&self.folder().join("charts"));
        }
        // A file is opened before the work: it would be a pity to find out afterwards that none can be.
        let mut outputs = Outputs::new(self.running, self.folder());
        outputs.open("report.json")?;
        let (replicates, ratio, gathered) = self.simulate(keeper, number)?;
        let plan = &Plan { replicates, ..plan.clone() };
        let precise = ratio.zip(self.args.mcse).map(|it| Precise::new(it.1, it.0));
        let draws = |outputs: &mut Outputs<'_>| {
            if !self.args.draws {
                return Ok(());
            }
            outputs.open("draws.csv")?;
            self.draws(plan, outputs)
        };
        results((self.running, self.planned, plan), outputs, (&gathered, precise), draws)
    }

    /// How many replicates there are, the largest error over the one asked for, and what they gave.
    fn simulate(
        &self,
        keeper: &mut Keeper<'_>,
        number: usize,
    ) -> Result<(u64, Option<f64>, Vec<study::Gathered>), Failure> {
        let plan = self.plan;
        let quiet = self.args.quiet || self.args.json;
        let progress =
            Progress::new(&self.planned.source.stem, plan.decisions(), quiet, self.running);
        if !progress.is_hidden() {
            progress.announce(plan.decisions(), self.expected());
        }
        progress.made(keeper.decisions(number, plan));
        let Some(precision) = self.args.precision(plan) else {
            keeper.simulate(number, plan, &progress)?;
            return Ok((plan.replicates, None, keeper.gathered(number)));
        };
        let (replicates, ratio) = keeper.simulate_to(number, (plan, &precision), &progress)?;
        Ok((replicates, Some(ratio), keeper.gathered(number)))
    }

    fn interrupted(&self) -> Failure {
        Failure::Interrupted(self.running.message())
    }

    /// How long the simulation should take: a small piece of it is timed.
    fn expected(&self) -> Duration {
        const WORTH_TIMING: u64 = 200_000_000;
        const PIECE: u64 = 50_000_000;
        let plan = self.plan;
        if plan.decisions() < WORTH_TIMING {
            return Duration::ZERO;
        }
        let each = (plan.decisions() / plan.replicates).max(1);
        let piece = (PIECE / each).clamp(1, 512).min(plan.replicates);
        let start = Instant::now();
        // Whether the piece is finished does not matter: only its time is used.
        let _ = study::simulate(
            &plan.tasks,
            plan.seed,
            Words::Keyed,
            0..piece,
            &plan.settings,
            &|_| !self.running.stopped(),
        );
        let threads = rayon::current_num_threads() as f64;
        let seconds =
            start.elapsed().as_secs_f64() * plan.replicates as f64 / piece as f64 / threads;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    fn draws(&self, plan: &Plan, outputs: &mut Outputs<'_>) -> Result<(), Failure> {
        outputs.write(report::draws_header(&plan.paths).as_bytes())?;
        let mut lines = String::new();
        study::draws(&plan.tasks, plan.seed, 0..plan.replicates, &plan.settings, &mut |draw| {
            let task = &plan.tasks[draw.task];
            let values: Vec<String> =
                plan.cells[task.cell].iter().map(|level| level.text.clone()).collect();
            let name = draw.estimator.name();
            lines.push_str(&report::draw_row(
                &values,
                draw.replicate,
                &task.judge,
                &name,
                &draw.estimate,
            ));
            if 1 << 16 < lines.len() {
                outputs.write(lines.as_bytes())?;
                lines.clear();
            }
            if self.running.stopped() { Err(self.interrupted()) } else { Ok(()) }
        })?;
        outputs.write(lines.as_bytes())
    }
}

/// The files that follow from the report: table, charts, page.
pub(super) fn draw(report: &Report, outputs: &mut Outputs<'_>) -> Result<(), Failure> {
    outputs.add("performance.csv", report::performance(report).as_bytes())?;
    for picture in report::pictures(report) {
        outputs.add(&unused(&outputs.names(), &picture.name), picture.svg.as_bytes())?;
    }
    outputs.add("report.html", report::page(report).as_bytes())
}

/// Answers the table `[detect]`, if there is one.
fn search(
    running: &Running,
    planned: &Planned,
    plan: &Plan,
    report: &mut Report,
) -> Result<(), Failure> {
    if plan.detect.is_none() {
        return Ok(());
    }
    let overrides = Overrides { seed: Some(plan.seed), replicates: None };
    let watch = |_| !running.stopped();
    let found = super::search::of_table(plan, &planned.source, overrides, &watch);
    if running.stopped() {
        return Err(Failure::Interrupted(running.message()));
    }
    report.add_search(found.as_ref().map_err(|it| it.0.as_str()));
    Ok(())
}

/// Writes the files of a study on what its replicates gave; the first of them was opened before the work.
pub(super) fn results(
    (running, planned, plan): (&Running, &Planned, &Plan),
    mut outputs: Outputs<'_>,
    (gathered, precise): (&[study::Gathered], Option<Precise>),
    draws: impl FnOnce(&mut Outputs<'_>) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    let mut report = Report::new(plan, gathered);
    report.precision = precise;
    search(running, planned, plan, &mut report)?;
    report.made = Some(Made::new(plan, &planned.source.text, &planned.files));
    let json = report.json();
    outputs.write(json.as_bytes())?;
    // Drawn from what was written, so that whoever draws it again gets the same bytes.
    let written = Report::from_json(&json)
        .map_err(|why| Failure::User(format!("{}: {why}.", planned.source.name)))?;
    draw(&written, &mut outputs)?;
    draws(&mut outputs)?;
    outputs.open(MANIFEST)?;
    let manifest = Manifest::new(plan, &planned.source.text, &planned.files, &outputs.names());
    outputs.write(manifest.json().as_bytes())?;
    if running.stopped() {
        return Err(Failure::Interrupted(running.message()));
    }
    outputs.place()?;
    Ok(report)
}

/// The file of a chart: two judges whose names cannot be part of a file name must not share one.
fn unused(names: &[String], chart: &str) -> String {
    let numbered = (2..).map(|k| format!("charts/{chart}-{k}.svg"));
    let mut all = std::iter::once(format!("charts/{chart}.svg")).chain(numbered);
    all.find(|it| !names.contains(it)).unwrap_or_default()
}
