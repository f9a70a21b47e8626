//! `judgelab run`: scenarios in, tables on stdout, files in a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use judgelab::report::{self, Manifest, Report};
use judgelab::scenario::{Overrides, Plan};
use judgelab::stream::Words;
use judgelab::study;

use super::error::Failure;
use super::output::{self, Waiting};
use super::progress::{Progress, interrupt};
use super::source::{Source, sources};

/// What is typed after `run`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenario files, folders of them, or - for standard input
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// The folder of the results; each scenario gets a folder in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Replicates a cell, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    replicates: Option<u64>,
    /// The seed, in place of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads; all cores by default. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// No progress and no notes; results are printed all the same
    #[arg(long, short)]
    quiet: bool,
    /// Print report.json alone
    #[arg(long)]
    json: bool,
    /// Write every replicate's estimates to draws.csv as well
    #[arg(long)]
    draws: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let sources = sources(&args.scenarios)?;
    distinct_stems(&sources)?;
    if let Some(threads) = args.threads {
        // The pool is built once in a process; a second call could only repeat the first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    }
    let overrides = Overrides { seed: args.seed, replicates: args.replicates };
    let mut plans = Vec::new();
    for source in &sources {
        plans.push(source.plans(overrides)?);
    }
    let stop = interrupt();
    let mut reports = Vec::new();
    let mut written = Vec::new();
    for (source, (plans, files)) in sources.iter().zip(&plans) {
        for plan in plans {
            let folder = args.out.join(&source.stem).join(plan.name.as_deref().unwrap_or(""));
            let report = one(args, source, plan, files, &folder, stop.clone())?;
            reports.push(report);
            written.push(folder);
        }
    }
    super::print(&shown(args, &reports, &written))
}

fn shown(args: &Args, reports: &[Report], written: &[PathBuf]) -> String {
    if args.json {
        return match reports {
            [one] => one.json(),
            all => format!("{}\n", serde_json::to_string_pretty(all).unwrap_or_default()),
        };
    }
    let width = terminal_size();
    let mut text: Vec<String> = reports.iter().map(|it| report::text(it, width)).collect();
    if !args.quiet {
        let folders: Vec<String> = written.iter().map(|it| it.display().to_string()).collect();
        text.push(format!("Tables, report.json and charts: {}\n", folders.join(", ")));
    }
    text.join("\n")
}

/// The width of the terminal that stdout is, if it is one.
fn terminal_size() -> Option<u16> {
    use std::io::IsTerminal;
    let columns = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    columns.filter(|_| std::io::stdout().is_terminal())
}

fn distinct_stems(sources: &[Source]) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for source in sources {
        if !seen.insert(&source.stem) {
            return Err(Failure::user(format!(
                "{}: another scenario is called \"{}\" too and both would be written to one folder; rename one, or run \
                 them apart.",
                source.name, source.stem
            )));
        }
    }
    Ok(())
}

/// Runs one study and writes its files.
fn one(
    args: &Args,
    source: &Source,
    plan: &Plan,
    files: &[(String, String)],
    folder: &Path,
    stop: Arc<AtomicBool>,
) -> Result<Report, Failure> {
    // The folder is tried before the work: it would be a pity to find out afterwards.
    let mut waiting = vec![output::open(&folder.join("report.json"))?];
    let progress = Progress::new(&source.stem, plan.decisions(), args.quiet || args.json, stop);
    progress.announce(plan.decisions(), expected(plan));
    let gathered = study::simulate(
        &plan.tasks,
        plan.seed,
        Words::Keyed,
        0..plan.replicates,
        &plan.settings,
        &|decisions| progress.made(decisions),
    )
    .map_err(|_| interrupted(source, plan, &progress))?;
    let report = Report::new(plan, &gathered);
    waiting[0].write(report.json().as_bytes())?;
    let mut names = vec!["report.json".to_owned()];
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), Failure> {
        let mut file = output::open(&folder.join(name))?;
        file.write(bytes)?;
        waiting.push(file);
        names.push(name.to_owned());
        Ok(())
    };
    add("performance.csv", report::performance(&report).as_bytes())?;
    for picture in report::pictures(&report) {
        add(&format!("charts/{}.svg", picture.name), picture.svg.as_bytes())?;
    }
    if args.draws {
        waiting.push(draws(plan, folder, &progress, source)?);
        names.push("draws.csv".to_owned());
    }
    let mut file = output::open(&folder.join("manifest.json"))?;
    names.push("manifest.json".to_owned());
    file.write(Manifest::new(plan, &source.text, files, &names).json().as_bytes())?;
    waiting.push(file);
    progress.finish();
    if progress.stopped() {
        return Err(interrupted(source, plan, &progress));
    }
    let stale = stale(folder, &names);
    output::place(waiting)?;
    for path in stale {
        // An old file that cannot be removed is no reason to fail a run whose own files stand.
        let _ = fs::remove_file(path);
    }
    Ok(report)
}

fn interrupted(source: &Source, plan: &Plan, progress: &Progress) -> Failure {
    progress.finish();
    let each = (plan.decisions() / plan.replicates.max(1)).max(1);
    let done = (progress.done() / each).min(plan.replicates);
    Failure::Interrupted(format!(
        "{}: interrupted; about {done} of {} replicates were done and nothing was written.",
        source.name, plan.replicates
    ))
}

/// Files of an earlier run that this one does not write again.
fn stale(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    let text = fs::read_to_string(folder.join("manifest.json")).unwrap_or_default();
    let Ok(before) = serde_json::from_str::<Manifest>(&text) else { return Vec::new() };
    let plain = |name: &&String| !name.contains("..") && !Path::new(name.as_str()).is_absolute();
    before.outputs.iter().filter(plain).filter(|it| !names.contains(it)).map(|it| folder.join(it)).collect()
}

/// How long the study should take: a small piece of it is timed.
fn expected(plan: &Plan) -> std::time::Duration {
    const WORTH_TIMING: u64 = 200_000_000;
    if plan.decisions() < WORTH_TIMING {
        return std::time::Duration::ZERO;
    }
    let piece = 512.min(plan.replicates);
    let start = Instant::now();
    // Whether the piece is finished does not matter: only its time is used.
    let _ = study::simulate(&plan.tasks, plan.seed, Words::Keyed, 0..piece, &plan.settings, &|_| true);
    let threads = rayon::current_num_threads() as f64;
    start.elapsed().mul_f64(plan.replicates as f64 / piece as f64 / threads)
}

fn draws(plan: &Plan, folder: &Path, progress: &Progress, source: &Source) -> Result<Waiting, Failure> {
    let mut file = output::open(&folder.join("draws.csv"))?;
    file.write(report::draws_header(&plan.paths).as_bytes())?;
    let mut lines = String::new();
    study::draws(&plan.tasks, plan.seed, 0..plan.replicates, &plan.settings, &mut |draw| {
        let task = &plan.tasks[draw.task];
        let values: Vec<String> = plan.cells[task.cell].iter().map(|level| level.text.clone()).collect();
        let name = draw.estimator.name();
        lines.push_str(&report::draw_row(&values, draw.replicate, &task.judge, &name, &draw.estimate));
        if 1 << 16 < lines.len() {
            file.write(lines.as_bytes())?;
            lines.clear();
        }
        if progress.stopped() { Err(interrupted(source, plan, progress)) } else { Ok(()) }
    })?;
    file.write(lines.as_bytes())?;
    Ok(file)
}
