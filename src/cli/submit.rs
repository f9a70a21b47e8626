//! `judgelab submit`: a script that runs a scenario on a cluster, to be read before it is run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use judgelab::scenario::Overrides;

use super::error::Failure;
use super::interrupt::Running;
use super::keep::quoted;
use super::output::Outputs;
use super::run::{replicates, seed};
use super::size;
use super::source::{Planned, plainly, read_all};

/// What is typed after `submit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The scenario
    scenario: PathBuf,
    /// For Slurm: an array of shards, and a merge that waits for it
    #[arg(long, required = true)]
    slurm: bool,
    /// How many tasks the replicates are split into; `run --dry-run` says how many are sensible
    #[arg(long, value_name = "N", value_parser = tasks, allow_negative_numbers = true)]
    tasks: u64,
    /// The time limit of a task, as sbatch takes it
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = plain)]
    time: String,
    /// The partition
    #[arg(long, value_name = "NAME", value_parser = plain)]
    partition: Option<String>,
    /// The account
    #[arg(long, value_name = "NAME", value_parser = plain)]
    account: Option<String>,
    /// The memory of a task, as sbatch takes it
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = plain)]
    mem: String,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::run::threads, allow_negative_numbers = true)]
    cores: usize,
    /// The folder of the results; the scenario gets a folder in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Replicates a cell, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = replicates, allow_negative_numbers = true)]
    replicates: Option<u64>,
    /// The seed, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Run the script as well
    #[arg(long)]
    go: bool,
}

fn tasks(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(tasks) if (1..=1_000_000).contains(&tasks) => Ok(tasks),
        _ => Err("a job array has 1 to 1000000 tasks".to_owned()),
    }
}

/// A word that needs no quotes in a script.
fn plain(text: &str) -> Result<String, String> {
    let sound = |c: char| c.is_ascii_alphanumeric() || "-_.:,+/".contains(c);
    if text.chars().all(sound) && text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        Ok(text.to_owned())
    } else {
        Err("letters, digits and -_.:,+/ are expected here".to_owned())
    }
}

pub(super) fn submit(args: &Args) -> Result<(), Failure> {
    if args.scenario.as_os_str() == "-" {
        let message = "-: tasks cannot read standard input; name a file.";
        return Err(Failure::User(message.to_owned()));
    }
    let running = Running::watched();
    let overrides = Overrides { seed: args.seed, replicates: args.replicates };
    let planned = read_all(std::slice::from_ref(&args.scenario), overrides)?;
    let [planned] = planned.as_slice() else {
        return Err(Failure::User(format!(
            "{}: the folder holds several scenarios; submit them one by one.",
            args.scenario.display()
        )));
    };
    let most = planned.plans.iter().map(|it| it.replicates).max().unwrap_or(0);
    if most < args.tasks {
        return Err(Failure::User(format!(
            "{}: {} tasks are more than the {most} replicates; ask for fewer.",
            planned.source.name, args.tasks
        )));
    }
    let script = script(args, planned)?;
    let folder = args.out.join(&planned.source.stem);
    let mut outputs = Outputs::new(&running, folder.clone());
    outputs.add("slurm.sh", script.as_bytes())?;
    outputs.place_beside()?;
    let file = folder.join("slurm.sh");
    super::print(&format!("{script}\n{}", told(args, planned, &running, &file)))?;
    if args.go { go(&file) } else { Ok(()) }
}

/// Where the script stands, and how long its tasks take.
fn told(args: &Args, planned: &Planned, running: &Running, file: &Path) -> String {
    let size = size::total(&size::measure(running, planned));
    let each = size.seconds / args.tasks as f64 / args.cores as f64;
    let mut text = format!(
        "{} is the script above. Each of its {} tasks takes about {}, if its cores are like this one.\n",
        file.display(),
        args.tasks,
        size::spoken(each)
    );
    let most = planned.plans.iter().map(|it| it.replicates).max().unwrap_or(1);
    if each < 60.0 && 1 < args.tasks {
        let fewer = size.tasks(most);
        let _ = writeln!(
            text,
            "That is short: a task takes seconds to start. Ask for fewer, such as --tasks {fewer}."
        );
    }
    if !args.go {
        let _ = writeln!(text, "Submit it with: bash {}", quoted(&file.display().to_string()));
    }
    text
}

fn go(file: &Path) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::User(format!("{}: {why}.", file.display())));
    match Command::new("bash").arg(file).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => refused(format!("the script ended with {status}; see what sbatch says")),
        Err(error) => refused(format!("bash cannot be run ({})", plainly(&error))),
    }
}

/// What was typed in place of the scenario's settings.
fn changed(args: &Args) -> String {
    let all = [("--seed", args.seed), ("--replicates", args.replicates)];
    let typed = all.iter().filter_map(|(flag, value)| Some(format!(" {flag} {}", (*value)?)));
    typed.collect()
}

/// Where the tasks run.
fn place(args: &Args) -> String {
    let all = [("partition", &args.partition), ("account", &args.account)];
    let typed = all
        .iter()
        .filter_map(|(flag, value)| Some(format!("#SBATCH --{flag}={}\n", value.as_ref()?)));
    typed.collect()
}

/// The script: it submits the shards and the merge.
fn script(args: &Args, planned: &Planned) -> Result<String, Failure> {
    let missing = |what: &str, error: &std::io::Error| {
        Failure::User(format!("submit: {what} cannot be told ({}).", plainly(error)))
    };
    let here = std::env::current_dir().map_err(|it| missing("this folder", &it))?;
    let program = std::env::current_exe().map_err(|it| missing("this program", &it))?;
    let shown = |path: &Path| quoted(&path.display().to_string());
    let folder = args.out.join(&planned.source.stem);
    let (logs, shards) = (folder.join("logs"), folder.join("shards"));
    let name: String = planned
        .source
        .stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let (changed, place) = (changed(args), place(args));
    let (tasks, time, mem, cores) = (args.tasks, &args.time, &args.mem, args.cores);
    let (scenario, out) = (shown(&args.scenario), shown(&args.out));
    let (program, here) = (shown(&program), shown(&here));
    let (shard_log, merge_log) =
        (shown(&logs.join("shard-%a.txt")), shown(&logs.join("merge.txt")));
    let (logs, shards) = (shown(&logs), shown(&shards));
    Ok(format!(
        r#"#!/usr/bin/env bash
# Runs {scenario} on a Slurm cluster: {tasks} shards, then a merge. Written by `judgelab submit`: read it, change it, run it.
# Shards that stand are skipped and unfinished ones go on, so it can be run again after a failure.
set -euo pipefail
cd {here}
mkdir -p {logs}

shards=$(sbatch --parsable --output={shard_log} <<'END'
#!/bin/bash
#SBATCH --job-name=judgelab-{name}
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --time={time}
#SBATCH --mem={mem}
{place}#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
# exec: the signal reaches judgelab, which saves what is done; the task goes on from there when it is queued again.
exec {program} run {scenario}{changed} --out {out} --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --resume --threads {cores}
END
)
shards=${{shards%%;*}}

merge=$(sbatch --parsable --output={merge_log} --dependency=afterok:"$shards" --kill-on-invalid-dep=yes <<'END'
#!/bin/bash
#SBATCH --job-name=judgelab-{name}-merge
#SBATCH --ntasks=1
#SBATCH --time={time}
#SBATCH --mem={mem}
{place}exec {program} merge {shards} --out {out}
END
)
echo "shards: job $shards; merge: job ${{merge%%;*}}"
"#
    ))
}
