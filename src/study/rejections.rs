//! How often a test rejects: what a search asks, and nothing else of an estimate.

use std::ops::Range;

use super::blocks::Blocks;
use super::counts::Counts;
use super::engine::{BLOCK, Engine, Job};
use super::sheets::{self, SheetJob};
use super::{Stopped, Watch, parallel};
use crate::estimators::{Estimator, Settings};
use crate::protocol::Task;
use crate::stream::Words;

/// How many replicates of a range a rule's test rejects. Bootstraps stop as soon as their verdict is certain.
///
/// # Errors
/// When `watch` says to stop, or when the task cannot be tabulated.
pub fn rejections(
    task: &Task,
    rule: &'static Estimator,
    seed: u64,
    replicates: &Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<u64, Stopped> {
    let one = Task { estimators: vec![rule], ..task.clone() };
    if let Some(job) = SheetJob::new(&one, seed, Words::Keyed) {
        return on_sheets(&job, one.decisions(), replicates, settings, watch);
    }
    let job = Job::new(one.design, one.estimators, false).map_err(|_| Stopped::TooManyRepeats)?;
    let engine = Engine::new(seed, Words::Keyed, vec![job]);
    let (job, each) = (&engine.jobs[0], engine.decisions());
    let one_by_one = job.folded[0];
    let (end, (mut rejected, counts)) = parallel::fold(
        &Blocks::new(replicates, BLOCK),
        || (0, Counts::default()),
        |(rejected, counts), block| {
            let n = block.end - block.start;
            for mut sample in engine.block(&block) {
                if one_by_one {
                    for replicate in 0..usize::try_from(n).unwrap_or(0) {
                        let sums = sample.sums(job, 0, replicate);
                        *rejected += u64::from(rule.rejects(&sums, settings));
                    }
                } else {
                    counts.add(sample.runs(job, 0));
                }
            }
            watch(n * each)
        },
        |a, b| (a.0 + b.0, a.1.merge(b.1)),
    );
    if end < replicates.end {
        return Err(Stopped::ByWatch);
    }
    for (sums, count) in counts.into_one().iter() {
        rejected += if rule.rejects(&sums, settings) { count } else { 0 };
    }
    Ok(rejected)
}

fn on_sheets(
    job: &SheetJob<'_>,
    each: u64,
    replicates: &Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<u64, Stopped> {
    let (end, rejected) = parallel::fold(
        &Blocks::new(replicates, sheets::BLOCK),
        || 0,
        |rejected, block| {
            let scores = job.block(&block);
            for replicate in block.clone() {
                let rejects = job.rejects(&scores, block.start, replicate, settings);
                *rejected += u64::from(rejects);
            }
            watch((block.end - block.start) * each)
        },
        |a, b| a + b,
    );
    if end < replicates.end { Err(Stopped::ByWatch) } else { Ok(rejected) }
}
