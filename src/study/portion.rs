//! Portions: tasks that are simulated together, prepared once and then run range by range.

use std::ops::Range;

use super::blocks::Blocks;
use super::engine::{BLOCK, Engine};
use super::sheets::{self, SheetJob};
use super::{Gathered, Gathering, Stopped, Watch, jobs, parallel};
use crate::estimators::Settings;
use crate::protocol::Task;
use crate::stream::Words;

/// Tasks whose columns stay in a cache together.
const TOGETHER: usize = 64;

/// Replicates in a block whose replicates are looked at one by one: they take long, and a study of two thousand of them
/// should keep many cores busy.
const FOLDED_BLOCK: u64 = 128;

/// The places of the tasks that are simulated together: those about pairs by the dozen, each sheet alone.
#[must_use]
pub fn portions(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut portions = Vec::new();
    for (k, chunk) in tasks.chunks(TOGETHER).enumerate() {
        let places = (0..chunk.len()).map(|place| k * TOGETHER + place);
        let (sheets, pairs): (Vec<usize>, Vec<usize>) =
            places.partition(|place| tasks[*place].sheet.is_some());
        portions.extend(Some(pairs).filter(|it| !it.is_empty()));
        portions.extend(sheets.into_iter().map(|place| vec![place]));
    }
    portions
}

/// Tasks that are ready to be simulated: keys are hashed and laws tabulated.
pub struct Portion<'a>(Work<'a>);

enum Work<'a> {
    Pairs(Box<Engine<'a>>),
    Sheet(Box<SheetJob<'a>>),
}

impl std::fmt::Debug for Portion<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if matches!(self.0, Work::Pairs(_)) { "pairs" } else { "a sheet" };
        f.debug_tuple("Portion").field(&kind).finish()
    }
}

impl<'a> Portion<'a> {
    /// Prepares the tasks at the places of one of [`portions`].
    ///
    /// # Errors
    /// When a task cannot be tabulated (a plan has checked that it can).
    pub fn new(
        tasks: &'a [Task],
        places: &[usize],
        seed: u64,
        words: Words<'a>,
    ) -> Result<Self, Stopped> {
        let chosen = places.iter().map(|place| &tasks[*place]);
        if let [place] = *places
            && let Some(job) = SheetJob::new(&tasks[place], seed, words)
        {
            return Ok(Self(Work::Sheet(Box::new(job))));
        }
        Ok(Self(Work::Pairs(Box::new(Engine::new(seed, words, jobs(chosen)?)))))
    }

    /// Simulates a range of replicates from its start on, until `watch` says stop; blocks that were begun are finished.
    /// Tells the replicate up to which it came, and what those before it gave, task by task.
    #[must_use]
    pub fn simulate(
        &self,
        replicates: &Range<u64>,
        settings: &Settings,
        watch: Watch<'_>,
    ) -> (u64, Vec<Gathered>) {
        match &self.0 {
            Work::Pairs(engine) => pairs(engine, replicates, settings, watch),
            Work::Sheet(job) => {
                let (end, gathered) = sheets::simulate(job, replicates, settings, watch);
                (end, vec![gathered])
            }
        }
    }
}

/// Simulates tasks that ask about pairs, all together.
fn pairs(
    engine: &Engine<'_>,
    replicates: &Range<u64>,
    settings: &Settings,
    watch: Watch<'_>,
) -> (u64, Vec<Gathered>) {
    let each = engine.decisions();
    let start = || engine.jobs.iter().map(|it| Gathering::new(it, settings)).collect::<Vec<_>>();
    let folded = engine.jobs.iter().any(|it| it.folded.contains(&true));
    let (end, gathered) = parallel::fold(
        &Blocks::new(replicates, if folded { FOLDED_BLOCK } else { BLOCK }),
        start,
        |all, block| {
            let n = block.end - block.start;
            for ((job, sample), gathering) in engine.jobs.iter().zip(engine.block(&block)).zip(all)
            {
                gathering.add(job, sample, n, settings);
            }
            watch(n * each)
        },
        |a, b| a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect(),
    );
    (end, gathered.into_iter().map(Gathering::finish).collect())
}
