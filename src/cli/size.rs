//! The size of a job before it runs: a second of it is timed on one core.

use std::fmt::Write;
use std::time::{Duration, Instant};

use judgelab::scenario::Plan;
use judgelab::stream::Words;
use judgelab::study::{Part, Portion, portions};

use super::error::Failure;
use super::interrupt::Running;
use super::run::titled;
use super::source::Planned;

/// How long all studies together are tried.
const TRIED: Duration = Duration::from_millis(1200);
/// A task of a job array should last so long: much longer than it takes to start, and not so long that losing it hurts.
const TASK_SECONDS: f64 = 600.0;
/// More tasks than this are a burden on a scheduler.
const MOST_TASKS: u64 = 1000;

/// What a study takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    /// Verdicts.
    pub(super) decisions: u64,
    /// Seconds on one core.
    pub(super) seconds: f64,
    /// Bytes of distinct evidence at the end.
    pub(super) bytes: f64,
}

impl Size {
    /// How many tasks of minutes it makes, at most one for each replicate.
    pub(super) fn tasks(self, replicates: u64) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        let tasks = (self.seconds / TASK_SECONDS).ceil() as u64;
        tasks.clamp(1, replicates.min(MOST_TASKS))
    }
}

/// What a scenario takes, by study.
pub(super) fn measure(running: &Running, planned: &Planned) -> Vec<Size> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let studies = u32::try_from(planned.plans.len()).unwrap_or(u32::MAX).max(1);
    let each = |plan: &Plan| one(running, plan, TRIED / studies);
    let all = || planned.plans.iter().map(each).collect();
    // Where no thread can be had, this one will do.
    match pool {
        Ok(pool) => pool.install(all),
        Err(_) => all(),
    }
}

/// Tries a study: each portion for its share of the time, twice as many replicates at each try.
fn one(running: &Running, plan: &Plan, time: Duration) -> Size {
    let portions = portions(&plan.tasks);
    let share = time / u32::try_from(portions.len()).unwrap_or(u32::MAX).max(1);
    let mut size = Size { decisions: plan.decisions(), ..Size::default() };
    for places in portions {
        let start = Instant::now();
        let Ok(portion) = Portion::new(&plan.tasks, &places, plan.seed, Words::Keyed) else {
            continue;
        };
        let prepared = start.elapsed().as_secs_f64();
        let (mut from, mut n) = (0, 1);
        let (mut tries, mut part) = (Vec::new(), Part::none(places.len()));
        while from < plan.replicates && !running.stopped() {
            let began = Instant::now();
            let until = (from + n).min(plan.replicates);
            let watch = |_| start.elapsed() < 3 * share;
            let (end, gathered) = portion.simulate(&(from..until), &plan.settings, &watch);
            let seconds = began.elapsed().as_secs_f64();
            for (place, gathered) in gathered.into_iter().enumerate() {
                // The ranges follow each other.
                let _ = part.add(place, from..end, gathered);
            }
            tries.push((end, seconds / (end - from).max(1) as f64, part.bytes().len() as f64));
            (from, n) = (end, 2 * n);
            if share < start.elapsed() {
                break;
            }
        }
        let all = plan.replicates as f64;
        size.seconds += prepared + all * tries.last().map_or(0.0, |it| it.1);
        size.bytes += grown(&tries, all);
    }
    size
}

/// Distinct evidence grows with a power of the replicates, less than the first.
fn grown(tries: &[(u64, f64, f64)], replicates: f64) -> f64 {
    let [.., (n, _, few), (m, _, more)] = tries else {
        return tries.last().map_or(0.0, |it| it.2);
    };
    let slope = libm::log(more / few) / libm::log(*m as f64 / *n as f64);
    more * libm::pow(replicates / *m as f64, slope.clamp(0.0, 1.0))
}

/// Bytes in memory for a byte of a shard: numbers take eight, and lists are copied when they grow.
const IN_MEMORY: f64 = 12.0;

/// Tells what scenarios take.
pub(super) fn tell(running: &Running, all: &[Planned]) -> Result<(), Failure> {
    let mut text = String::new();
    for planned in all {
        let sizes = measure(running, planned);
        if running.stopped() {
            return Err(Failure::Interrupted(running.message()));
        }
        for (plan, size) in planned.plans.iter().zip(&sizes) {
            let _ = writeln!(
                text,
                "{}: {} decisions ({} replicates of {} {}), about {}, {} MB of counts.",
                titled(planned, plan),
                counted(size.decisions as f64),
                plan.replicates,
                plan.cells.len(),
                if plan.cells.len() == 1 { "cell" } else { "cells" },
                core_time(size.seconds),
                megabytes(size.bytes * IN_MEMORY),
            );
        }
        text.push_str(&advice(planned, &sizes));
    }
    super::print(&text)
}

/// How a scenario is best run.
fn advice(planned: &Planned, sizes: &[Size]) -> String {
    let all = total(sizes);
    let most = planned.plans.iter().map(|it| it.replicates).max().unwrap_or(1);
    let tasks = all.tasks(most);
    let name = &planned.source.name;
    let here = rayon::current_num_threads();
    if tasks == 1 {
        return format!("{name}: one task; run it here, {}.\n", over(all.seconds, here as u64));
    }
    format!(
        "{name}: {} in all; here, {}; as {tasks} tasks of a core each, {}.\n  judgelab submit {} --slurm --tasks {tasks}\n",
        core_time(all.seconds),
        over(all.seconds, here as u64),
        over(all.seconds, tasks),
        super::keep::quoted(name),
    )
}

/// The sizes of studies together.
pub(super) fn total(sizes: &[Size]) -> Size {
    sizes.iter().fold(Size::default(), |a, b| Size {
        decisions: a.decisions.saturating_add(b.decisions),
        seconds: a.seconds + b.seconds,
        bytes: a.bytes + b.bytes,
    })
}

fn over(seconds: f64, cores: u64) -> String {
    let cores_said = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    format!("about {} on {cores_said}", spoken(seconds / cores as f64))
}

fn core_time(seconds: f64) -> String {
    if seconds < 360.0 {
        format!("{} of one core", spoken(seconds))
    } else {
        format!("{:.1} core-hours", seconds / 3600.0)
    }
}

/// A time as one says it.
pub(super) fn spoken(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} hours", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

fn counted(n: f64) -> String {
    match n {
        n if n < 1e6 => format!("{n:.0}"),
        n if n < 1e9 => format!("{:.0} million", n / 1e6),
        n if n < 1e12 => format!("{:.1} billion", n / 1e9),
        n => format!("{:.1} trillion", n / 1e12),
    }
}

fn megabytes(bytes: f64) -> String {
    if bytes < 1e6 { "under 1".to_owned() } else { format!("about {:.0}", bytes / 1e6) }
}
