//! Studies: many replicates of designs over a grid, and how each rule performed.
//!
//! A range of replicates is a first-class input, and what it gives merges exactly: any split into blocks, threads or
//! ranges has the same bytes.

mod block;
mod columns;
mod counts;
mod engine;
mod parallel;
mod performance;
mod tally;

use std::ops::Range;

pub use engine::verdict_key;
pub use performance::{Figure, Measure, Performance};

use counts::Counts;
use engine::{BLOCK, Engine, Job};
use performance::{Exactly, Totals};

use crate::estimators::{Estimate, Estimator, Settings, TrueValue, Undefined};
use crate::evidence::{Reading, Sums, Weighted};
use crate::exact;
use crate::judges::Without;
use crate::protocol::{Design, Task};
use crate::stream::Words;

/// What a range of replicates gave for one task.
#[derive(Clone, Debug)]
pub enum Gathered {
    /// By reading of [`readings`]: how many replicates showed each distinct evidence.
    Counts(Vec<Weighted>),
    /// By estimator: sums over replicates that were compared with their own worlds.
    Worlds(Vec<WorldTotals>),
}

/// Exact sums over replicates that were compared one by one.
pub type WorldTotals = Totals<Exactly>;

/// The run was stopped; how many replicates of every cell were done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped(pub u64);

/// Watches a run: it is told the decisions that were made since it was last told, and returns whether to go on.
pub type Watch<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// The distinct readings of a task's rules, in the order in which [`Gathered::Counts`] holds them.
#[must_use]
pub fn readings(estimators: &[&'static Estimator]) -> Vec<&'static Reading> {
    let mut readings: Vec<&'static Reading> = Vec::new();
    for it in estimators {
        if !readings.contains(&it.reads) {
            readings.push(it.reads);
        }
    }
    readings
}

fn job(task: &Task) -> Result<Job, u64> {
    Job::new(task.design.clone(), task.estimators.clone(), task.world_by_world())
}

/// Tasks whose columns stay in a cache together.
const TOGETHER: usize = 64;

/// Simulates a range of replicates of all tasks.
///
/// # Errors
/// When `watch` says to stop.
pub fn simulate(
    tasks: &[Task],
    seed: u64,
    words: Words<'_>,
    replicates: Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Vec<Gathered>, Stopped> {
    let mut all = Vec::with_capacity(tasks.len());
    for tasks in tasks.chunks(TOGETHER) {
        // A plan has checked that every codebook can be had; a task that has none gives nothing.
        let jobs: Vec<Job> = tasks.iter().filter_map(|task| job(task).ok()).collect();
        let engine = Engine::new(seed, words, jobs);
        let each = engine.decisions();
        let start = || engine.jobs.iter().map(Gathering::new).collect::<Vec<_>>();
        let gathered = parallel::fold(
            blocks(&replicates),
            start,
            |mut all, block| {
                let n = block.end - block.start;
                for ((job, sample), gathering) in engine.jobs.iter().zip(engine.block(&block)).zip(&mut all) {
                    gathering.add(job, sample, n, settings);
                }
                watch(n * each).then_some(all)
            },
            |a, b| a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect(),
        );
        match gathered {
            Some(gathered) => all.extend(gathered.into_iter().map(Gathering::finish)),
            None => return Err(Stopped(replicates.start)),
        }
    }
    Ok(all)
}

/// A range cut at multiples of the block, so that blocks do not depend on where a range starts.
fn blocks(replicates: &Range<u64>) -> Vec<Range<u64>> {
    let mut blocks = Vec::new();
    let mut from = replicates.start;
    while from < replicates.end {
        let to = (from / BLOCK + 1).saturating_mul(BLOCK).min(replicates.end);
        blocks.push(from..to);
        from = to;
    }
    blocks
}

/// What blocks gave so far.
enum Gathering {
    Counts(Vec<Counts>),
    Worlds(Vec<WorldTotals>),
}

impl Gathering {
    fn new(job: &Job) -> Self {
        if job.world_by_world() {
            Self::Worlds(job.estimators.iter().map(|_| WorldTotals::default()).collect())
        } else {
            Self::Counts(job.readings.iter().map(|_| Counts::default()).collect())
        }
    }

    fn add(&mut self, job: &Job, mut sample: block::Sample, replicates: u64, settings: &Settings) {
        match self {
            Self::Counts(counts) => {
                for (reading, counts) in counts.iter_mut().enumerate() {
                    counts.add(sample.runs(job, reading));
                }
            }
            Self::Worlds(totals) => {
                for (it, totals) in job.estimators.iter().zip(totals) {
                    let reading = job.readings.iter().position(|reading| *reading == it.reads).unwrap_or(0);
                    for replicate in 0..usize::try_from(replicates).unwrap_or(0) {
                        let estimate = it.estimate(&sample.sums(job, reading, replicate), settings);
                        let estimand = (it.value)(&sample.expected(job, reading, replicate));
                        totals.add(&estimate, estimand, settings, 1.0);
                    }
                }
            }
        }
    }

    fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Counts(a), Self::Counts(b)) => {
                Self::Counts(a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect())
            }
            (Self::Worlds(a), Self::Worlds(b)) => {
                Self::Worlds(a.into_iter().zip(b).map(|(a, b)| a.merge(&b)).collect())
            }
            (this, _) => this,
        }
    }

    fn finish(self) -> Gathered {
        match self {
            Self::Counts(counts) => {
                Gathered::Counts(counts.into_iter().map(|it| Weighted::Counts(it.into_map())).collect())
            }
            Self::Worlds(totals) => Gathered::Worlds(totals),
        }
    }
}

impl Gathered {
    /// Adds what another range of replicates gave for the same task.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Counts(a), Self::Counts(b)) => {
                Self::Counts(a.into_iter().zip(b).map(|(a, b)| a.merged(b)).collect())
            }
            (Self::Worlds(a), Self::Worlds(b)) => {
                Self::Worlds(a.into_iter().zip(b).map(|(a, b)| a.merge(&b)).collect())
            }
            (this, _) => this,
        }
    }
}

/// One estimator's row: what it should have said, and how it did.
#[derive(Clone, Debug)]
pub struct Row {
    /// The rule.
    pub estimator: &'static Estimator,
    /// Its figures, in the order of [`Measure::ALL`].
    pub performance: Performance,
    /// How many distinct evidences it was asked about.
    pub distinct: usize,
}

/// What is true of a task, by estimator: no chance in it.
#[derive(Clone, Debug)]
pub struct Truths {
    /// The functional at the expected evidence under the planted judge.
    pub estimand: Result<f64, Undefined>,
    /// The same under a fair judge.
    pub fair: Result<f64, Undefined>,
    /// For flips, the same under a judge without a position preference: the noise floor.
    pub floor: Option<Result<f64, Undefined>>,
    /// The world's own value.
    pub truth: Option<f64>,
}

/// What each rule of a task should say.
#[must_use]
pub fn truths(task: &Task) -> Vec<Truths> {
    let readings = readings(&task.estimators);
    let gold = task.estimators.iter().any(|it| it.needs.gold);
    let under = |design: &Design| {
        design.codebook(gold).map(|book| design.expected(&book, &readings)).unwrap_or_default()
    };
    let planted = under(&task.design);
    let fair = under(&task.design.fair(Without::Bias));
    let floor = under(&task.design.fair(Without::Position));
    let [first, second] = task.design.world.pass_shares();
    let better = task.design.world.better_share();
    let none = Err(Undefined("too many repeats to enumerate"));
    let truths = task.estimators.iter().map(|it| {
        let reading = readings.iter().position(|reading| *reading == it.reads).unwrap_or(0);
        let at = |sums: &Vec<[f64; crate::evidence::LANES]>| sums.get(reading).map_or(none, it.value);
        Truths {
            estimand: at(&planted),
            fair: at(&fair),
            floor: (it.rule == "flip-rate").then(|| at(&floor)),
            truth: match it.truth {
                TrueValue::None => None,
                TrueValue::BetterShare => Some(better),
                TrueValue::FirstPasses => Some(first),
                TrueValue::SecondPasses => Some(second),
                TrueValue::PassDifference => Some(first - second),
            },
        }
    });
    truths.collect()
}

/// How the rules of a task performed on what was gathered.
#[must_use]
pub fn rows(task: &Task, gathered: &Gathered, settings: &Settings) -> Vec<Row> {
    let readings = readings(&task.estimators);
    let truths = truths(task);
    let each = task.estimators.iter().zip(truths).enumerate();
    each.map(|(k, (estimator, truths))| {
        let (performance, distinct) = match gathered {
            Gathered::Counts(all) => {
                let reading = readings.iter().position(|it| *it == estimator.reads).unwrap_or(0);
                let totals = weighted_totals(estimator, &all[reading], truths.estimand, settings);
                let replicates = all[reading].replicates();
                (Performance::new(estimator, &totals, &truths, replicates, false), all[reading].distinct())
            }
            Gathered::Worlds(all) => {
                let replicates = Some(all[k].replicates());
                (Performance::new(estimator, &all[k], &truths, replicates, true), 0)
            }
        };
        Row { estimator, performance, distinct }
    })
    .collect()
}

/// How a rule performs on weighted evidence, given its estimand: each distinct evidence is estimated once.
fn weighted_totals(
    estimator: &Estimator,
    evidence: &Weighted,
    estimand: Result<f64, Undefined>,
    settings: &Settings,
) -> Totals<f64> {
    let mut totals = Totals::default();
    evidence.each(|sums, weight| totals.add(&estimator.estimate(sums, settings), estimand, settings, weight));
    totals
}

/// How a rule performs by the law of its evidence: no Monte Carlo error.
///
/// # Errors
/// Why the law cannot be had: worlds compared one by one, or more than `most` distinct sums.
pub fn exactly(
    task: &Task,
    estimator: &'static Estimator,
    settings: &Settings,
    most: usize,
) -> Result<Performance, Undefined> {
    if task.world_by_world() {
        return Err(Undefined("worlds are compared one by one"));
    }
    let gold = estimator.needs.gold;
    let book = task.design.codebook(gold).map_err(|_| Undefined("too many repeats to enumerate"))?;
    let law = exact::enumerate(&task.design, &book, estimator.reads, most)
        .map_err(|_| Undefined("too many distinct sums to enumerate"))?;
    let one = Task { estimators: vec![estimator], ..task.clone() };
    let truths = truths(&one).pop().ok_or(Undefined("no rule"))?;
    let totals = weighted_totals(estimator, &law, truths.estimand, settings);
    Ok(Performance::new(estimator, &totals, &truths, None, false))
}

/// One estimate of one replicate.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The replicate.
    pub replicate: u64,
    /// The task, by its place in the list.
    pub task: usize,
    /// The rule.
    pub estimator: &'static Estimator,
    /// What it said.
    pub estimate: Estimate,
    /// The sums that it read.
    pub sums: &'a Sums,
}

/// Simulates again and hands over every estimate of every replicate, in order; memory stays flat.
///
/// # Errors
/// The first error that `each` returns.
pub fn draws<E>(
    tasks: &[Task],
    seed: u64,
    replicates: Range<u64>,
    settings: &Settings,
    each: &mut dyn FnMut(Draw<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let jobs: Vec<Job> = tasks.iter().filter_map(|task| job(task).ok()).collect();
    let engine = Engine::new(seed, Words::Keyed, jobs);
    for block in blocks(&replicates) {
        let samples = engine.block(&block);
        for replicate in block.clone() {
            let r = usize::try_from(replicate - block.start).unwrap_or(0);
            for (task, (job, sample)) in engine.jobs.iter().zip(&samples).enumerate() {
                for estimator in &job.estimators {
                    let reading = job.readings.iter().position(|it| *it == estimator.reads).unwrap_or(0);
                    let sums = sample.sums(job, reading, r);
                    let estimate = estimator.estimate(&sums, settings);
                    each(Draw { replicate, task, estimator, estimate, sums: &sums })?;
                }
            }
        }
    }
    Ok(())
}
