//! Memory is flat in replicates: a study ten times as long peaks within a few megabytes of the shorter one.
//!
//! Linux only, by the high-water mark that the kernel keeps of a process. The shorter study runs first, so what the
//! longer one needs beyond it shows. As a test it runs a hundredth of the replicates.

use std::process::ExitCode;

use judgelab::scenario::Plan;
use judgelab::stream::Words;
use judgelab::study;

/// Growth that is allowed, in MiB: threads hold what their blocks gave, and the allocator keeps some of it.
const MOST: f64 = 8.0;

/// The most memory that this process has had, in MiB; none where the kernel does not tell.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Runs every replicate and every test of a study; returns how many distinct evidences it kept.
fn run(plan: &Plan, replicates: u64) -> usize {
    let Plan { tasks, seed, settings, .. } = plan;
    let gathered = study::simulate(tasks, *seed, Words::Keyed, 0..replicates, settings, &|_| true);
    let each = tasks.iter().zip(gathered.unwrap_or_default());
    each.flat_map(|(task, gathered)| study::rows(task, &gathered, settings))
        .map(|row| row.distinct)
        .sum()
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "figures are what a bench is for")]
fn main() -> ExitCode {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    let few = if asked("--bench") && !asked("--test") { 100_000 } else { 1_000 };
    let text = include_str!("../scenarios/swap.toml");
    let plan = match Plan::from_toml(text, &mut |_| Err("no file is named".to_owned())) {
        Ok(plan) => plan,
        Err(mistakes) => {
            eprintln!("{mistakes}");
            return ExitCode::FAILURE;
        }
    };
    let mut peaks = Vec::new();
    for replicates in [few, 10 * few] {
        let distinct = run(&plan, replicates);
        if let Some(peak) = peak() {
            println!(
                "swap.toml, {replicates:>8} replicates: peak {peak:>6.1} MiB, {distinct} distinct evidences"
            );
            peaks.push(peak);
        }
    }
    match peaks.as_slice() {
        [short, long] if short + MOST < *long => {
            eprintln!(
                "memory grows with replicates: by {:.1} MiB, and {MOST} are allowed",
                long - short
            );
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
