//! Shards of a run: which replicates this process is to do, and the files that hold what ranges of replicates gave.

use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use judgelab::report::{About, Broken, Kind, Shard};
use judgelab::scenario::Overrides;
use judgelab::study::{Spans, share};

use super::error::{Failure, say};
use super::interrupt::Running;
use super::keep::{self, Keeper};
use super::output::Outputs;
use super::progress::Progress;
use super::run;
use super::source::{Planned, limited_file, plainly};

/// The largest shard that is read, in bytes.
const MOST: u64 = 1 << 30;

/// Which replicates are wanted.
#[derive(Debug, clap::Args)]
pub(super) struct Slice {
    /// Run the K-th of N parts of the replicates and write one shard, for `judgelab merge`; "slurm" reads them from the job array
    #[arg(long, value_name = "K/N", value_parser = part, conflicts_with = "range", conflicts_with_all = WHOLE)]
    shard: Option<(u64, u64)>,
    /// Run the replicates from A to before B, from 0 on, and write one shard
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with_all = WHOLE)]
    range: Option<Range<u64>>,
}

/// What only a whole run can do.
const WHOLE: [&str; 5] = ["mcse", "draws", "json", "fail_on", "dry_run"];

impl Slice {
    /// Whether a part of the replicates is wanted.
    pub(super) fn is_asked(&self) -> bool {
        self.shard.is_some() || self.range.is_some()
    }

    /// The replicates that are wanted of so many.
    fn wanted(&self, name: &str, replicates: u64) -> Result<Range<u64>, Failure> {
        let refused = |why: String| Err(Failure::User(format!("{name}: {why}.")));
        match (&self.range, self.shard) {
            (Some(range), _) if replicates < range.end => refused(format!(
                "--range {}..{} goes past the end; replicates run from 0 to {replicates}",
                range.start, range.end
            )),
            (Some(range), _) => Ok(range.clone()),
            (None, Some((_, n))) if replicates < n => refused(format!(
                "{n} shards are more than the {replicates} replicates; ask for fewer shards"
            )),
            (None, Some((k, n))) => Ok(share(replicates, k - 1, n)),
            (None, None) => Ok(0..replicates),
        }
    }
}

fn part(text: &str) -> Result<(u64, u64), String> {
    let (k, n) = if text == "slurm" {
        slurm(&|name| std::env::var(name).ok())?
    } else {
        let numbers =
            text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        numbers.ok_or("a shard is written K/N, such as 3/8, or slurm")?
    };
    if 0 < k && k <= n {
        Ok((k, n))
    } else {
        Err(format!("shard {k} of {n} does not exist; shards are numbered from 1 to N"))
    }
}

/// The task of a Slurm job array, as a shard; an array that was submitted with gaps cannot be one.
fn slurm(variable: &dyn Fn(&str) -> Option<String>) -> Result<(u64, u64), String> {
    let number = |name: &str| -> Result<u64, String> {
        let text = variable(name).ok_or_else(|| {
            format!("{name} is not set: this is no task of a Slurm job array (sbatch --array=1-N); write K/N")
        })?;
        text.parse().map_err(|_| format!("{name} is \"{text}\", and a whole number is expected"))
    };
    let [id, count] = [number("SLURM_ARRAY_TASK_ID")?, number("SLURM_ARRAY_TASK_COUNT")?];
    let least = number("SLURM_ARRAY_TASK_MIN").unwrap_or(0);
    // Without its last number, an array is taken to have no gaps.
    let most =
        number("SLURM_ARRAY_TASK_MAX").unwrap_or(least.saturating_add(count).saturating_sub(1));
    if !(least..=most).contains(&id) || most - least + 1 != count {
        return Err(format!(
            "the job array has {count} tasks numbered {least} to {most}; only an array without gaps says which shard \
             a task is: write K/N"
        ));
    }
    Ok((id - least + 1, count))
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let numbers = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    let range: Range<u64> = numbers.ok_or("a range is written A..B, such as 0..20480")?;
    if range.is_empty() { Err("a range ends behind its start".to_owned()) } else { Ok(range) }
}

/// What the shards of a scenario are about.
fn about(planned: &Planned, overrides: Overrides) -> About {
    let source = &planned.source;
    About::new(
        [&source.stem, &source.name, &source.text],
        &planned.files,
        overrides,
        &planned.plans,
    )
}

/// The keeper of a whole run.
pub(super) fn whole<'r>(
    args: &run::Args,
    overrides: Overrides,
    planned: &Planned,
    (running, start): (&'r Running, Instant),
) -> Result<Keeper<'r>, Failure> {
    let mut about = about(planned, overrides);
    let mut most = about.most();
    if let Some((words, replicates)) = args.precision_asked(&planned.plans) {
        (about.precision, most) = (Some(words), replicates);
    }
    let file = args.out.join(&about.name).join("checkpoint.judgelab");
    let spans = Spans::from(0..most);
    Keeper::new(running, (&args.keep, start), file, about, spans)
}

/// Where the shard of a range stands.
pub(super) fn file_of(out: &Path, name: &str, range: &Range<u64>) -> PathBuf {
    out.join(name).join("shards").join(format!("{:010}-{:010}.shard", range.start, range.end))
}

/// Runs a part of each scenario and writes its shard; one that stands is left as it is.
pub(super) fn run(
    args: &run::Args,
    overrides: Overrides,
    all: &[Planned],
    (running, start): (&Running, Instant),
) -> Result<(), Failure> {
    let mut told = Vec::new();
    for planned in all {
        let about = about(planned, overrides);
        let range = args.slice.wanted(&planned.source.name, about.most())?;
        let file = file_of(&args.out, &about.name, &range);
        let shown = file.display().to_string();
        let of = format!("replicates {}..{} of {}", range.start, range.end, about.most());
        if stands(&file, &about)? {
            told.push(format!("{shown}: {of} are there already.\n"));
            continue;
        }
        let checkpoint = file.with_extension("checkpoint");
        let keeper = Keeper::new(running, (&args.keep, start), checkpoint, about, range.into())?;
        one(args, planned, (running, &file), keeper)?;
        told.push(format!("{shown}: {of}.\n"));
    }
    if args.quiet { Ok(()) } else { super::print(&told.concat()) }
}

/// Whether a shard is there already.
fn stands(file: &Path, ours: &About) -> Result<bool, Failure> {
    let refused = |why: String| Err(Failure::User(format!("{}: {why}.", file.display())));
    if !file.exists() {
        return Ok(false);
    }
    match read(file) {
        Ok(shard) => match shard.about.differs(ours) {
            None => Ok(true),
            Some(other) => refused(format!(
                "a shard of another run stands here: it has {other}; remove it, or choose another folder with --out"
            )),
        },
        Err(why) => refused(format!("{why}; remove it, or choose another folder with --out")),
    }
}

/// Simulates and writes one shard.
fn one(
    args: &run::Args,
    planned: &Planned,
    (running, file): (&Running, &Path),
    mut keeper: Keeper<'_>,
) -> Result<(), Failure> {
    keep::sweep(file);
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut outputs = Outputs::new(running, folder.to_owned());
    outputs.open(&file.file_name().unwrap_or_default().to_string_lossy())?;
    for (number, plan) in planned.plans.iter().enumerate() {
        let wanted = keeper.wanted(plan);
        let decisions = wanted * (plan.decisions() / plan.replicates);
        running.begin(run::titled(planned, plan), wanted, decisions);
        let progress = Progress::new(&planned.source.stem, decisions, args.quiet, running);
        progress.made(keeper.decisions(number, plan));
        keeper.simulate(number, plan, &progress)?;
    }
    let checkpoint = keeper.file();
    outputs.write(&keeper.into_shard().bytes())?;
    outputs.place()?;
    keep::discard(running, &[checkpoint]);
    Ok(())
}

/// Reads a shard.
///
/// # Errors
/// Why it is none, as part of a sentence.
pub(super) fn read(file: &Path) -> Result<Shard, String> {
    let bytes = limited_file(file, MOST).map_err(|why| format!("it cannot be read ({why})"))?;
    match Shard::from_bytes(&bytes) {
        Ok(shard) if shard.kind == Kind::Checkpoint => {
            Err("it is the checkpoint of an unfinished run and no shard".to_owned())
        }
        Ok(shard) => Ok(shard),
        Err(why) => Err(why.to_string()),
    }
}

/// A checkpoint that is no shard yet.
pub(super) fn read_checkpoint(file: &Path) -> Result<Shard, Broken> {
    Shard::from_bytes(&limited_file(file, MOST).unwrap_or_default())
}

/// The files of a folder of shards.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Those that are called shards, in order of their names.
    pub(super) shards: Vec<PathBuf>,
    /// Checkpoints of shards that are not finished.
    pub(super) unfinished: Vec<PathBuf>,
    /// Any others.
    pub(super) foreign: Vec<PathBuf>,
}

/// What lies in a folder of shards, or in the folder `shards` in it.
pub(super) fn list(folder: &Path) -> Result<Listed, Failure> {
    let inner = folder.join("shards");
    let folder = if inner.is_dir() { &inner } else { folder };
    let cannot = |error: &std::io::Error| {
        let why = plainly(error);
        Failure::User(format!(
            "{}: the folder cannot be read ({why}); name a folder of shards.",
            folder.display()
        ))
    };
    let mut listed = Listed::default();
    for entry in fs::read_dir(folder).map_err(|it| cannot(&it))? {
        let path = entry.map_err(|it| cannot(&it))?.path();
        let hidden = path.file_name().is_none_or(|it| it.to_string_lossy().starts_with('.'));
        if hidden || path.is_dir() {
            continue;
        }
        match path.extension().and_then(|it| it.to_str()) {
            Some("shard") => listed.shards.push(path),
            Some("checkpoint") => listed.unfinished.push(path),
            _ => listed.foreign.push(path),
        }
    }
    for all in [&mut listed.shards, &mut listed.unfinished, &mut listed.foreign] {
        all.sort();
    }
    Ok(listed)
}

/// The command that runs a scenario, as it was typed.
pub(super) fn typed(about: &About) -> String {
    let mut typed = format!("judgelab run {}", keep::quoted(&about.typed));
    for (flag, value) in [("--seed", about.seed), ("--replicates", about.replicates)] {
        if let Some(value) = value {
            let _ = write!(typed, " {flag} {value}");
        }
    }
    typed
}

/// The commands that fill what is missing of a scenario's replicates: at most twenty, and how many ranges more there are.
pub(super) fn fill(about: &About, missing: &Spans, out: &Path) -> String {
    const SHOWN: usize = 20;
    let typed = typed(about);
    let out = keep::quoted(&out.display().to_string());
    let ranges = missing.ranges();
    let lines = ranges.iter().take(SHOWN);
    let mut lines: Vec<String> = lines
        .map(|it| format!("  {typed} --range {}..{} --out {out} --resume\n", it.start, it.end))
        .collect();
    if SHOWN < ranges.len() {
        lines.push(format!("  and {} ranges more\n", ranges.len() - SHOWN));
    }
    lines.concat()
}

/// The folder of results in which a folder of shards lies: two above it, where it is called as `run` calls it.
pub(super) fn out_of(folder: &Path, about: &About) -> Option<PathBuf> {
    let named = |path: &Path, name: &str| path.file_name().is_some_and(|it| it == name);
    let scenario = if named(folder, "shards") { folder.parent()? } else { folder };
    let out = scenario.parent().filter(|_| named(scenario, &about.name))?;
    Some(if out.as_os_str().is_empty() { PathBuf::from(".") } else { out.to_owned() })
}

/// Says something on stderr unless the user wants quiet.
pub(super) fn note(quiet: bool, message: &str) {
    if !quiet {
        say(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_a_job_array_is_a_shard() {
        let task = |id: &str, count: &str, least: &str, most: &str| {
            let all = [("ID", id), ("COUNT", count), ("MIN", least), ("MAX", most)];
            let all =
                all.map(|(name, value)| (format!("SLURM_ARRAY_TASK_{name}"), value.to_owned()));
            slurm(&|name| {
                all.iter()
                    .find(|it| it.0 == name)
                    .map(|it| it.1.clone())
                    .filter(|it| !it.is_empty())
            })
        };
        assert_eq!(task("0", "5", "0", "4"), Ok((1, 5)));
        assert_eq!(task("4", "5", "0", "4"), Ok((5, 5)));
        assert_eq!(task("7", "3", "5", "7"), Ok((3, 3)));
        assert!(task("3", "2", "3", "7").unwrap_err().contains("without gaps"));
        assert!(task("7", "2", "3", "7").unwrap_err().contains("without gaps"));
        assert!(task("", "5", "0", "4").unwrap_err().contains("SLURM_ARRAY_TASK_ID is not set"));
        assert!(task("x", "5", "0", "4").unwrap_err().contains("is \"x\""));
    }

    #[test]
    fn parts_and_ranges_are_read() {
        assert_eq!(part("3/8"), Ok((3, 8)));
        for wrong in ["0/8", "9/8", "3", "3/0", "a/b", "-1/8"] {
            assert!(part(wrong).is_err(), "{wrong}");
        }
        assert_eq!(range("5..9"), Ok(5..9));
        for wrong in ["5..5", "9..5", "5", "..9", "-1..4"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
