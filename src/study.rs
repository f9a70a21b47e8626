//! Studies: many replicates of designs over a grid, and how each rule performed.
//!
//! A range of replicates is a first-class input, and what it gives merges exactly: any split into blocks, threads or
//! ranges has the same bytes.

mod block;
mod blocks;
mod certify;
mod columns;
mod counts;
pub mod detect;
mod engine;
mod parallel;
mod part;
mod performance;
mod portion;
pub mod powers;
mod precision;
mod record;
mod rejections;
mod sheets;
mod tally;

use std::ops::Range;

pub use blocks::{Spans, share};
pub use certify::certificate;
pub use engine::verdict_key;
pub use part::{Part, Unfit};
pub use performance::{Figure, Measure, Performance};
pub use portion::{Portion, portions};
pub use precision::{Enough, Precision};
pub use record::{Recorder, SHORTER};
pub use rejections::rejections;
pub use sheets::scores;

use blocks::Blocks;
use counts::Counts;
use engine::{BLOCK, Engine, Job};
use performance::{Exactly, Totals};
use sheets::SheetJob;

use crate::estimators::{Estimate, Estimator, Settings, TrueValue, Undefined};
use crate::evidence::{LANES, Reading, Sums, Weighted};
use crate::exact;
use crate::judges::Without;
use crate::protocol::{Codebook, Design, Task};
use crate::stream::Words;

/// What a range of replicates gave for one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// By reading of [`readings`]: how many replicates showed each distinct evidence; none for a reading that is folded.
    pub counts: Vec<Option<Weighted>>,
    /// By estimator: sums over replicates, where the estimator is folded replicate by replicate; else none.
    pub folded: Vec<Option<Folded>>,
}

/// Exact sums over replicates that were looked at one by one.
pub type Folded = Totals<Exactly>;

/// The run was stopped, or could not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The watch said so.
    ByWatch,
    /// A task's repeats are too many for the verdicts that its judges may give.
    TooManyRepeats,
}

/// Watches a run: it is told the decisions that were made since it was last told, and returns whether to go on.
pub type Watch<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// The distinct readings of a task's rules, in the order in which [`Gathered::counts`] holds them.
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

/// Tasks that ask about pairs, as jobs of the engine.
fn jobs<'t>(tasks: impl Iterator<Item = &'t Task>) -> Result<Vec<Job>, Stopped> {
    let job =
        |task: &Task| Job::new(task.design.clone(), task.estimators.clone(), task.world_by_world());
    tasks.map(|task| job(task).map_err(|_| Stopped::TooManyRepeats)).collect()
}

/// A reading of so many sums that move on their own has nearly as many distinct values as replicates: its estimators are
/// folded replicate by replicate, so that memory stays flat.
const FOLDED_SUMS: usize = 6;

/// Whether a reading has so many sums, and its evidence is not the same in all replicates.
fn is_wide(design: &Design, book: &Codebook, reading: &Reading, sums: usize) -> bool {
    if sums < FOLDED_SUMS {
        return false;
    }
    let steps = book.steps(reading);
    design.alike().iter().any(|(case, _)| 1 < exact::step_law(design, book, &steps, *case).len())
}

/// Whether an estimator is folded replicate by replicate.
fn is_folded(job: &Job, estimator: &Estimator) -> bool {
    place_of(&job.readings, estimator).is_some_and(|reading| job.folded[reading])
}

/// The place of an estimator's reading among the readings of its task.
fn place_of(readings: &[&'static Reading], estimator: &Estimator) -> Option<usize> {
    readings.iter().position(|it| *it == estimator.reads)
}

/// Simulates a range of replicates of all tasks.
///
/// # Errors
/// When `watch` says to stop, or when a task cannot be tabulated (a plan has checked that it can).
pub fn simulate(
    tasks: &[Task],
    seed: u64,
    words: Words<'_>,
    replicates: Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Vec<Gathered>, Stopped> {
    let mut all = vec![None; tasks.len()];
    for places in portions(tasks) {
        let portion = Portion::new(tasks, &places, seed, words)?;
        let (end, gathered) = portion.simulate(&replicates, settings, watch);
        if end < replicates.end {
            return Err(Stopped::ByWatch);
        }
        for (place, gathered) in places.into_iter().zip(gathered) {
            all[place] = Some(gathered);
        }
    }
    Ok(all.into_iter().flatten().collect())
}

/// What blocks gave so far.
struct Gathering {
    counts: Vec<Option<Counts>>,
    folded: Vec<Option<Folded>>,
    /// By estimator: what it should say, where that is the same in all replicates.
    estimands: Vec<Result<f64, Undefined>>,
}

impl Gathering {
    fn new(job: &Job, settings: &Settings) -> Self {
        let folded = |it: &&&Estimator| is_folded(job, it);
        let counted =
            |reading: &Reading| job.estimators.iter().any(|it| it.reads == reading && !folded(&it));
        let estimands = if job.estimators.iter().any(|it| folded(&it)) && !job.world_by_world() {
            let expected = job.design.expected(&job.book, &job.readings);
            let cases = job.design.world.cases.len();
            let value = |it: &&'static Estimator| match place_of(&job.readings, it) {
                Some(reading) => it.estimand(&expected[reading], cases, settings),
                None => Err(Undefined("not read")),
            };
            job.estimators.iter().map(value).collect()
        } else {
            Vec::new()
        };
        Self {
            counts: job.readings.iter().map(|it| counted(it).then(Counts::default)).collect(),
            folded: job.estimators.iter().map(|it| folded(&it).then(Folded::default)).collect(),
            estimands,
        }
    }

    fn add(&mut self, job: &Job, mut sample: block::Sample, replicates: u64, settings: &Settings) {
        for (k, it) in job.estimators.iter().enumerate() {
            let (Some(totals), Some(reading)) = (&mut self.folded[k], place_of(&job.readings, it))
            else {
                continue;
            };
            for replicate in 0..usize::try_from(replicates).unwrap_or(0) {
                let estimate = it.estimate(&sample.sums(job, reading, replicate), settings);
                let estimand = if let Some(estimand) = self.estimands.get(k) {
                    *estimand
                } else {
                    let cases = job.design.world.cases.len();
                    it.estimand(&sample.expected(job, reading, replicate), cases, settings)
                };
                totals.add(&estimate, (estimand, it.null), settings, 1.0);
            }
        }
        for (reading, counts) in self.counts.iter_mut().enumerate() {
            if let Some(counts) = counts {
                counts.add(sample.runs(job, reading));
            }
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            counts: both(self.counts, other.counts, Counts::merge),
            folded: both(self.folded, other.folded, |a, b| a.merge(&b)),
            estimands: self.estimands,
        }
    }

    fn finish(self) -> Gathered {
        let weighted = |counts: Counts| Weighted::Counts(counts.into_one());
        Gathered {
            counts: self.counts.into_iter().map(|it| it.map(weighted)).collect(),
            folded: self.folded,
        }
    }
}

/// Merges two lists place by place.
fn both<T>(a: Vec<Option<T>>, b: Vec<Option<T>>, merge: impl Fn(T, T) -> T) -> Vec<Option<T>> {
    a.into_iter().zip(b).map(|(a, b)| Some(merge(a?, b?))).collect()
}

impl Gathered {
    /// Adds what another range of replicates gave for the same task.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            counts: both(self.counts, other.counts, Weighted::merged),
            folded: both(self.folded, other.folded, |a, b| a.merge(&b)),
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
    /// The value that its test calls no effect.
    pub null: Option<f64>,
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
    /// The value that the rule's test calls no effect; none where it has no test.
    pub null: Option<f64>,
}

/// What each rule of a task should say.
#[must_use]
pub fn truths(task: &Task, settings: &Settings) -> Vec<Truths> {
    if let Some(sheet) = &task.sheet {
        return sheets::truths(sheet, task);
    }
    let readings = readings(&task.estimators);
    let under = |design: &Design| {
        design
            .codebook(&task.estimators)
            .map(|book| design.expected(&book, &readings))
            .unwrap_or_default()
    };
    let planted = under(&task.design);
    let fair = task.design.fair(Without::Bias).map(|it| under(&it));
    let floor = task.design.fair(Without::Position).map(|it| under(&it));
    let [first, second] = task.design.world.pass_shares();
    let better = task.design.world.better_share();
    let cases = task.design.world.cases.len();
    let truths = task.estimators.iter().map(|it| {
        let at = |sums: &Vec<[f64; LANES]>| match place_of(&readings, it)
            .and_then(|reading| sums.get(reading))
        {
            Some(sums) => it.estimand(sums, cases, settings),
            None => Err(Undefined("too many repeats to enumerate")),
        };
        let without = |sums: &Option<Vec<[f64; LANES]>>| {
            sums.as_ref().map_or(Err(Undefined("this judge has no fair self")), at)
        };
        Truths {
            estimand: at(&planted),
            fair: without(&fair),
            floor: (it.rule == "flip-rate").then(|| without(&floor)),
            null: it.null,
            truth: match it.truth {
                TrueValue::None
                | TrueValue::LengthSlope
                | TrueValue::QualityGap
                | TrueValue::PassRate => None,
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
    let truths = truths(task, settings);
    let each = task.estimators.iter().copied().zip(truths).enumerate().collect();
    let row = |(k, (estimator, truths)): (usize, (&'static Estimator, Truths))| {
        if let Some(totals) = &gathered.folded[k] {
            let replicates = Some(totals.replicates());
            let by_world = task.world_by_world();
            let performance = Performance::new(totals, &truths, replicates, by_world);
            return Some(Row { estimator, performance, distinct: 0, null: truths.null });
        }
        let evidence = gathered.counts[place_of(&readings, estimator)?].as_ref()?;
        let totals = weighted_totals(estimator, evidence, truths.estimand, settings);
        let performance = Performance::new(&totals, &truths, evidence.replicates(), false);
        Some(Row { estimator, performance, distinct: evidence.distinct(), null: truths.null })
    };
    parallel::map(each, row).into_iter().flatten().collect()
}

/// [`rows`] of every task, in order.
#[must_use]
pub fn all_rows(tasks: &[Task], gathered: &[Gathered], settings: &Settings) -> Vec<Vec<Row>> {
    let each = tasks.iter().zip(gathered).collect();
    parallel::map(each, |(task, gathered)| rows(task, gathered, settings))
}

/// How a rule performs on weighted evidence, given its estimand: each distinct evidence is estimated once.
fn weighted_totals(
    estimator: &Estimator,
    evidence: &Weighted,
    estimand: Result<f64, Undefined>,
    settings: &Settings,
) -> Totals<f64> {
    let mut totals = Totals::default();
    evidence.each(|sums, weight| {
        let against = (estimand, estimator.null);
        totals.add(&estimator.estimate(sums, settings), against, settings, weight);
    });
    totals
}

/// The law of the evidence that a rule reads, for [`under`]; rules that share a reading share it.
///
/// # Errors
/// Why the law cannot be had: worlds compared one by one, or more than `most` steps of the convolution.
pub fn law(task: &Task, estimator: &'static Estimator, most: usize) -> Result<Weighted, Undefined> {
    if task.sheet.is_some() {
        return Err(Undefined("a sheet is no sum"));
    }
    if task.world_by_world() {
        return Err(Undefined("worlds are compared one by one"));
    }
    let book = task.design.codebook(&[estimator]);
    let book = book.map_err(|_| Undefined("too many repeats to enumerate"))?;
    let law = exact::enumerate(&task.design, &book, estimator.reads, most);
    law.map_err(|_| Undefined("too much to enumerate"))
}

/// How a rule performs under the law of its evidence: no Monte Carlo error.
///
/// # Errors
/// When the task has no truth to compare with.
pub fn under(
    law: &Weighted,
    task: &Task,
    estimator: &'static Estimator,
    settings: &Settings,
) -> Result<Performance, Undefined> {
    let one = Task { estimators: vec![estimator], ..task.clone() };
    let truths = truths(&one, settings).pop().ok_or(Undefined("no rule"))?;
    let totals = weighted_totals(estimator, law, truths.estimand, settings);
    Ok(Performance::new(&totals, &truths, None, false))
}

/// How a rule performs by the law of its evidence: [`law`] and [`under`] in one.
///
/// # Errors
/// Why the law cannot be had: worlds compared one by one, or more than `most` steps of the convolution.
pub fn exactly(
    task: &Task,
    estimator: &'static Estimator,
    settings: &Settings,
    most: usize,
) -> Result<Performance, Undefined> {
    under(&law(task, estimator, most)?, task, estimator, settings)
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
    // A plan has checked that every task can be tabulated.
    let jobs = jobs(tasks.iter().filter(|task| task.sheet.is_none())).unwrap_or_default();
    let engine = (!jobs.is_empty()).then(|| Engine::new(seed, Words::Keyed, jobs));
    let sheets: Vec<Option<SheetJob<'_>>> =
        tasks.iter().map(|task| SheetJob::new(task, seed, Words::Keyed)).collect();
    let size = if sheets.iter().any(Option::is_some) { sheets::BLOCK } else { BLOCK };
    for block in Blocks::new(&replicates, size).iter() {
        let samples = engine.as_ref().map(|it| it.block(&block)).unwrap_or_default();
        let scores: Vec<_> =
            sheets.iter().map(|it| it.as_ref().map(|job| job.block(&block))).collect();
        for replicate in block.clone() {
            let r = usize::try_from(replicate - block.start).unwrap_or(0);
            let mut pairs = engine.iter().flat_map(|it| &it.jobs).zip(&samples);
            for (task, sheet) in sheets.iter().zip(&scores).enumerate() {
                if let (Some(job), Some(scores)) = sheet {
                    for (estimator, estimate) in
                        job.estimates(scores, block.start, replicate, settings)
                    {
                        let sums = &sheets::NO_SUMS;
                        each(Draw { replicate, task, estimator, estimate, sums })?;
                    }
                    continue;
                }
                let Some((job, sample)) = pairs.next() else { continue };
                for estimator in &job.estimators {
                    let Some(reading) = place_of(&job.readings, estimator) else { continue };
                    let sums = sample.sums(job, reading, r);
                    let estimate = estimator.estimate(&sums, settings);
                    each(Draw { replicate, task, estimator, estimate, sums: &sums })?;
                }
            }
        }
    }
    Ok(())
}
