//! Sheets: rules that are no functions of sums look at replicates one by one. Scores are drawn in blocks, each cell from an
//! address of its own; bootstraps draw anew in each replicate.

use std::ops::Range;

use super::performance::Exactly;
use super::{Blocks, Gathered, Totals, Truths, Watch, parallel};
use crate::estimators::{Estimate, Estimator, Settings, SheetRule, Undefined};
use crate::evidence::{Sheet, Sums};
use crate::judges::{ScoreLaw, Without};
use crate::protocol::{SheetDesign, Task};
use crate::stream::{Address, Key, Purpose, Words, generator, normal};
use crate::world::Answered;

/// Replicates in a block: few, because each is looked at for long and there may be many cells.
pub(super) const BLOCK: u64 = 64;

/// A task's sheet, with everything that is prepared once a study.
pub(super) struct SheetJob<'a> {
    task: &'a Task,
    design: &'a SheetDesign,
    words: Words<'a>,
    /// By cell.
    keys: Vec<Key>,
    /// By cell: which of the distinct (worth, session or cluster) it has.
    kind_of: Vec<usize>,
    kinds: Vec<(f64, usize)>,
    /// By kind: the law of its scores, where sessions do not drift.
    laws: Vec<ScoreLaw>,
    /// By session or cluster.
    sessions: Vec<Key>,
    /// By rule: where its bootstrap draws.
    resamples: Vec<Key>,
}

/// The scores of a block of replicates, replicate by replicate, cell by cell.
pub(super) struct Scores {
    cells: usize,
    all: Vec<u8>,
}

impl<'a> SheetJob<'a> {
    /// Nothing for a task that is no sheet.
    pub(super) fn new(task: &'a Task, seed: u64, words: Words<'a>) -> Option<Self> {
        let design = task.sheet.as_ref()?;
        let (world, judge) = (&design.world, &*design.name);
        let at = |purpose| Address::root(seed, purpose).at("judge", judge);
        let mut kinds: Vec<(f64, usize)> = Vec::new();
        let (mut keys, mut kind_of) = (Vec::new(), Vec::new());
        let session_of = world.sessions();
        for (row, case) in world.cases.iter().enumerate() {
            for (column, name) in world.columns.iter().enumerate() {
                keys.push(at(Purpose::Verdict).at("case", case).at("column", name).key());
                let session = session_of.get(world.ruled.place(row, column)).copied().unwrap_or(0);
                let kind = (design.worth(row, column), session);
                // Cells of a cluster stand together, and clusters are many.
                let known = kinds.iter().rposition(|it| *it == kind);
                kind_of.push(known.unwrap_or(kinds.len()));
                if known.is_none() {
                    kinds.push(kind);
                }
            }
        }
        let laws = if 0.0 < design.drift() {
            Vec::new()
        } else {
            kinds.iter().map(|kind| design.law(kind.0, 0.0)).collect()
        };
        let session = |k: usize| match world.answered {
            // What a cluster is like does not depend on the judge.
            Answered::Clusters { .. } => {
                Address::root(seed, Purpose::Quality).at("cluster", &k.to_string()).key()
            }
            _ => at(Purpose::Session).at("session", &k.to_string()).key(),
        };
        let sessions = session_of.iter().max().map_or(0, |last| last + 1);
        let resample = |it: &&Estimator| at(Purpose::Resample).at("rule", it.rule).key();
        Some(Self {
            task,
            design,
            words,
            keys,
            kind_of,
            laws,
            sessions: (0..sessions).map(session).collect(),
            resamples: task.estimators.iter().map(resample).collect(),
            kinds,
        })
    }

    /// Draws a block of replicates.
    pub(super) fn block(&self, replicates: &Range<u64>) -> Scores {
        let n = usize::try_from(replicates.end - replicates.start).unwrap_or(0);
        let cells = self.keys.len();
        let mut all = vec![0; cells * n];
        let drifting = self.drifting(replicates.start, n);
        let mut words = vec![0; n];
        for (cell, (key, kind)) in self.keys.iter().zip(&self.kind_of).enumerate() {
            self.words.fill(key, replicates.start, &mut words);
            for (r, word) in words.iter().enumerate() {
                let law = drifting.get(*kind).map_or_else(|| &self.laws[*kind], |laws| &laws[r]);
                all[r * cells + cell] = law.score(*word);
            }
        }
        Scores { cells, all }
    }

    /// By kind, by replicate: the law of its scores, where sessions drift.
    fn drifting(&self, first: u64, n: usize) -> Vec<Vec<ScoreLaw>> {
        let sd = self.design.drift();
        if !self.laws.is_empty() {
            return Vec::new();
        }
        let drifts: Vec<Vec<f64>> = self
            .sessions
            .iter()
            .map(|key| {
                let mut words = vec![0; n];
                self.words.fill(key, first, &mut words);
                words.into_iter().map(|word| sd * normal(word)).collect()
            })
            .collect();
        let kinds = self.kinds.iter();
        kinds
            .map(|(worth, session)| {
                drifts[*session].iter().map(|drift| self.design.law(*worth, *drift)).collect()
            })
            .collect()
    }

    /// The sheet of the `r`-th replicate of a block.
    fn sheet<'s>(&'s self, scores: &'s Scores, r: u64) -> Sheet<'s> {
        let at = usize::try_from(r).unwrap_or(0) * scores.cells;
        Sheet { ruled: &self.design.world.ruled, scores: &scores.all[at..][..scores.cells] }
    }

    /// Whether the first rule's test rejects in a replicate: the verdict of [`SheetJob::estimates`], with no more draws than
    /// it takes.
    pub(super) fn rejects(
        &self,
        scores: &Scores,
        first: u64,
        replicate: u64,
        settings: &Settings,
    ) -> bool {
        let rule = self.task.estimators.first().and_then(|it| it.sheet.as_ref());
        let (Some(rule), Some(key)) = (rule, self.resamples.first()) else { return false };
        let sheet = self.sheet(scores, replicate - first);
        rule.rejects(&sheet, settings, &mut generator(key, replicate))
    }

    /// What each rule says of a replicate of a block that begins with replicate `first`.
    pub(super) fn estimates(
        &self,
        scores: &Scores,
        first: u64,
        replicate: u64,
        settings: &Settings,
    ) -> Vec<(&'static Estimator, Estimate)> {
        let sheet = self.sheet(scores, replicate - first);
        let each = self.task.estimators.iter().zip(&self.resamples);
        each.filter_map(|(it, key)| {
            let rule = it.sheet.as_ref()?;
            let mut random = generator(key, replicate);
            Some((*it, (rule.estimate)(&sheet, settings, &mut random)))
        })
        .collect()
    }
}

/// The scores of one replicate of a task's sheet, case by case; none for a task that is no sheet.
#[must_use]
pub fn scores(task: &Task, seed: u64, replicate: u64) -> Option<Vec<u8>> {
    let job = SheetJob::new(task, seed, Words::Keyed)?;
    Some(job.block(&(replicate..replicate + 1)).all)
}

/// Simulates a range of replicates of a sheet, up to where `watch` says stop.
pub(super) fn simulate(
    job: &SheetJob<'_>,
    replicates: &Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> (u64, Gathered) {
    let task = job.task;
    let should: Vec<_> =
        task.estimators.iter().map(|it| (estimand(job.design, it), task.null(it))).collect();
    let start = || vec![Totals::<Exactly>::default(); task.estimators.len()];
    let (end, folded) = parallel::fold(
        &Blocks::new(replicates, BLOCK),
        start,
        |all, block| {
            let scores = job.block(&block);
            for replicate in block.clone() {
                let estimates = job.estimates(&scores, block.start, replicate, settings);
                for ((totals, should), (_, it)) in all.iter_mut().zip(&should).zip(&estimates) {
                    totals.add(it, *should, settings, 1.0);
                }
            }
            watch((block.end - block.start) * task.decisions())
        },
        |a, b| a.into_iter().zip(b).map(|(a, b)| a.merge(&b)).collect(),
    );
    let folded = folded.into_iter().map(Some).collect();
    (end, Gathered { counts: vec![None; super::readings(&task.estimators).len()], folded })
}

const NO_SHEET: Undefined = Undefined("the rule reads no sheet");

fn estimand(design: &SheetDesign, it: &Estimator) -> Result<f64, Undefined> {
    it.sheet.as_ref().map_or(Err(NO_SHEET), |rule: &SheetRule| design.estimand(rule))
}

/// What each rule of a sheet should say.
pub(super) fn truths(design: &SheetDesign, task: &Task) -> Vec<Truths> {
    let fair = design.fair(Without::Bias);
    let same = fair.rater == design.rater;
    let one = |it: &&'static Estimator| {
        let planted = estimand(design, it);
        Truths {
            estimand: planted,
            fair: if same { planted } else { estimand(&fair, it) },
            floor: None,
            truth: design.truth(it.truth),
            null: task.null(it),
        }
    };
    task.estimators.iter().map(one).collect()
}

/// The sums of a rule that reads none.
pub(super) const NO_SUMS: Sums = Sums([0; crate::evidence::LANES]);
