//! `judgelab merge`: shards in, the files of the whole run out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judgelab::report::{About, Kind, Merger, Shard};
use judgelab::study::Spans;

use super::error::Failure;
use super::format::Form;
use super::interrupt::Running;
use super::output::{Outputs, write_new};
use super::run::{Ending, FailOn, ended, folder, results, threads, titled};
use super::shards::{fill, list, note, out_of, read};
use super::source::{Planned, Source, source};

/// What is typed after `merge`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folders of shards, or shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// The folder of the results; the scenario gets a folder in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Write one shard of all that there is in place of results, also where replicates are missing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "fail_on"])]
    out_shard: Option<PathBuf>,
    /// The scenario, where it names files that are too large to be held in shards
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// Threads; all cores by default. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// No notes; results are printed all the same
    #[arg(long, short)]
    quiet: bool,
    /// Print report.json alone; of several studies a list
    #[arg(long)]
    json: bool,
    /// How the tables are printed
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
    /// End with exit code 1 where a [[gate]] fails, or where Monte Carlo error leaves it undecided
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
}

pub(super) fn merge(args: &Args) -> Result<(), Failure> {
    let running = Running::watched();
    if let Some(threads) = args.threads {
        // The pool is built once in a process; a second call could only repeat the first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    let files = files(&args.shards)?;
    let shard = merged(&running, &files)?;
    if let Some(file) = &args.out_shard {
        write_new(file, &shard.bytes())?;
        let most = shard.about.most();
        note(args.quiet, &format!("{}: replicates {} of {most}.", file.display(), shard.spans));
        return Ok(());
    }
    missing(args, &shard)?;
    let planned = planned(args, &shard.about)?;
    let fit = planned.plans.iter().zip(&shard.parts).all(|(plan, part)| part.fits(&plan.tasks));
    if !fit {
        let message =
            "the counts do not fit the scenario; the shards were made by another judgelab";
        return Err(Failure::User(format!("{}: {message}.", files[0].display())));
    }
    let (mut reports, mut folders) = (Vec::new(), Vec::new());
    for (plan, part) in planned.plans.iter().zip(shard.parts) {
        running.begin(titled(&planned, plan), plan.replicates, plan.decisions());
        running.made(plan.decisions());
        let folder = folder(&args.out, &planned, plan);
        let mut outputs = Outputs::new(&running, folder.clone());
        outputs.open("report.json")?;
        let gathered = part.gathered().unwrap_or_default();
        let at = (&*running, &planned, plan);
        reports.push(results(at, outputs, (&gathered, None), |_| Ok(()))?);
        folders.push(folder.display().to_string());
    }
    let ending =
        Ending { quiet: args.quiet, json: args.json, format: args.format, fail_on: &args.fail_on };
    ended(&ending, &reports, &folders)
}

/// The shards that are named, and those of the folders that are named.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let listed = list(path)?;
        if let Some(foreign) = listed.foreign.first() {
            return Err(Failure::User(format!(
                "{}: a folder of shards holds nothing else; move this file, or name the shards.",
                foreign.display()
            )));
        }
        if listed.shards.is_empty() {
            return Err(Failure::User(format!(
                "{}: the folder holds no shard; `judgelab run SCENARIO --shard K/N` writes one.",
                path.display()
            )));
        }
        files.extend(listed.shards);
    }
    Ok(files)
}

/// All shards in one.
fn merged(running: &Running, files: &[PathBuf]) -> Result<Shard, Failure> {
    let mut merger = Merger::default();
    let mut first: Option<(About, &Path)> = None;
    let mut ranges = Ranges::default();
    for file in files {
        if running.stopped() {
            return Err(Failure::Interrupted(running.message()));
        }
        let refused = |why: String| Failure::User(format!("{}: {why}.", file.display()));
        let shard = read(file)
            .map_err(|why| refused(format!("{why}; remove it and run its range again")))?;
        let (about, other) = first.get_or_insert((shard.about.clone(), file));
        if let Some(differs) = shard.about.differs(about) {
            return Err(refused(format!(
                "it has {differs} as {} has; merge the shards of one run only",
                other.display()
            )));
        }
        ranges.add(&shard.spans, file)?;
        merger.add(shard.parts).map_err(|it| refused(twice(&it)))?;
    }
    let parts = merger.finish().map_err(|it| Failure::User(twice(&it)))?;
    let spans = ranges.spans();
    match first {
        Some((about, _)) => Ok(Shard { kind: Kind::Shard, about, spans, parts }),
        None => Err(Failure::User("no shard is named; name a folder of shards.".to_owned())),
    }
}

fn twice(range: &std::ops::Range<u64>) -> String {
    format!("replicates {}..{} are there twice", range.start, range.end)
}

/// Which file holds which replicates, by the first of them.
#[derive(Debug, Default)]
struct Ranges<'f>(BTreeMap<u64, (u64, &'f Path)>);

impl<'f> Ranges<'f> {
    fn add(&mut self, spans: &Spans, file: &'f Path) -> Result<(), Failure> {
        for range in spans.ranges() {
            let before = self.0.range(..range.end).next_back();
            if let Some((start, (end, other))) = before.filter(|it| range.start < it.1.0) {
                return Err(Failure::User(format!(
                    "{}: replicates {}..{} are in {} too; merge one of the two.",
                    file.display(),
                    range.start.max(*start),
                    range.end.min(*end),
                    other.display()
                )));
            }
            self.0.insert(range.start, (range.end, file));
        }
        Ok(())
    }

    fn spans(&self) -> Spans {
        // Neighbours join; overlaps were refused.
        Spans::joined(self.0.iter().map(|(start, (end, _))| *start..*end))
    }
}

/// Refuses to report on a part of the replicates, and tells what fills the gaps.
fn missing(args: &Args, shard: &Shard) -> Result<(), Failure> {
    let most = shard.about.most();
    let missing = shard.spans.missing(0..most);
    if missing.is_empty() {
        return Ok(());
    }
    let shards = args.shards[0].as_path();
    let folder = if shards.is_dir() { shards } else { shards.parent().unwrap_or(shards) };
    let out = out_of(folder, &shard.about).unwrap_or_else(|| args.out.clone());
    let again = args.shards.iter().map(|it| super::keep::quoted(&it.display().to_string()));
    Err(Failure::User(format!(
        "{}: {} of {most} replicates are missing ({missing}). Run them, and merge again:\n{}  judgelab merge {} --out {}",
        shards.display(),
        missing.count(),
        fill(&shard.about, &missing, &out),
        again.collect::<Vec<_>>().join(" "),
        super::keep::quoted(&args.out.display().to_string()),
    )))
}

/// The plans that the shards are about.
fn planned(args: &Args, about: &About) -> Result<Planned, Failure> {
    let known = args.scenario.as_deref().map(source).transpose().map_err(Failure::User)?;
    if let Some(other) = known.as_ref().filter(|it| it.text != about.scenario) {
        return Err(Failure::User(format!(
            "{}: it is not the scenario of the shards.",
            other.name
        )));
    }
    let mut open = |name: &str| match &known {
        Some(source) => {
            source.file(name).map_err(|why| format!("the file \"{name}\" cannot be read ({why})"))
        }
        None => Err(format!(
            "the file \"{name}\" is too large to be held in shards; name the scenario with --scenario"
        )),
    };
    let (plans, files) = about.plans(&mut open).map_err(|why| {
        Failure::User(format!("{}: {}.", about.typed, why.trim_end_matches(['.', '\n'])))
    })?;
    let source = Source::known(&about.typed, &about.name, &about.scenario);
    Ok(Planned { source, plans, files })
}
