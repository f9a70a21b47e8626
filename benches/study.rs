//! What a decision costs in a study, whole: words, verdicts, tallies, distinct evidence, tests.
//!
//! `cargo bench --bench study` prints divan's table, then the best time of each work in ns a decision, on one thread
//! and on two. The power study of self-preference has peers in `peers/`: 140 pairs, judged in both orders by a judge
//! that prefers its own answers and by a third party, 10,000 replicates. Exact powers of the same test, and the search for
//! the smallest preference that it sees, are timed in ms.

use std::process::ExitCode;
use std::time::Instant;

use divan::Bencher;
use divan::counter::ItemsCount;
use judgelab::exact::Laws;
use judgelab::protocol::Task;
use judgelab::scenario::Plan;
use judgelab::stream::Words;
use judgelab::study;
use judgelab::study::detect::{Bias, Question, detect};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Quality drawn once, so that all pairs differ and replicates share them.
const FIXED: &str = "quality = { sd = 0.4 }\ndrawn = \"once\"";
/// Quality drawn anew, from a continuous law.
const CONTINUOUS: &str = "quality = { sd = 0.4 }";
/// Quality drawn anew, from equally probable values.
const LEVELS: &str = "quality = { sd = 0.4, levels = 4096 }";

const ONE_CELL: &str = "[0.5]";
const THREE_CELLS: &str = "[0.0, 0.5, 1.0]";

/// Replicates a cell, and of a smoke test.
const REPLICATES: u64 = 10_000;
const FEW: u64 = 600;

/// A work by its name, its plan, and its targets in ns a decision on one thread.
struct Work {
    name: &'static str,
    plan: Plan,
    target: f64,
}

impl Work {
    fn all() -> Result<Vec<Self>, String> {
        let work = |name, text: &str, target| {
            let plan = Plan::from_toml(text, &mut |_| Err("no file is named".to_owned()));
            plan.map(|plan| Self { name, plan, target })
                .map_err(|mistakes| format!("{name}: {mistakes}"))
        };
        Ok(vec![
            work("fixed truth, one cell", &power_study(FIXED, ONE_CELL), 2.0)?,
            work("fixed truth, three cells", &power_study(FIXED, THREE_CELLS), 1.0)?,
            work("continuous quality", &power_study(CONTINUOUS, ONE_CELL), 30.0)?,
            work("4096 levels of quality", &power_study(LEVELS, ONE_CELL), 4.0)?,
            work("scenarios/swap.toml, all rules", include_str!("../scenarios/swap.toml"), 4.0)?,
        ])
    }

    /// Runs so many replicates from the first word to the last test; returns what was done, for the optimiser to respect.
    fn run(&self, replicates: u64) -> usize {
        let Plan { tasks, seed, settings, .. } = &self.plan;
        let gathered =
            study::simulate(tasks, *seed, Words::Keyed, 0..replicates, settings, &|_| true);
        let each = tasks.iter().zip(gathered.unwrap_or_default());
        each.flat_map(|(task, gathered)| study::rows(task, &gathered, settings))
            .map(|row| row.distinct)
            .sum()
    }

    fn decisions(&self, replicates: u64) -> u64 {
        replicates * self.plan.tasks.iter().map(Task::decisions).sum::<u64>()
    }

    /// The best of some runs, in ns a decision.
    fn best(&self, pool: &ThreadPool, runs: usize) -> f64 {
        let time = |_| {
            let start = Instant::now();
            divan::black_box(pool.install(|| self.run(REPLICATES)));
            start.elapsed().as_nanos() as f64 / self.decisions(REPLICATES) as f64
        };
        (0..runs).map(time).fold(f64::INFINITY, f64::min)
    }
}

fn power_study(world: &str, preferences: &str) -> String {
    format!(
        r#"
        seed = 1
        [world.sampled]
        pairs = 140
        {world}
        [judges.own.pairwise]
        ability = 2.5
        own = "A"
        [judges.third.pairwise]
        ability = 2.5
        [estimate]
        rules = ["self-preference"]
        third-party = "third"
        [vary]
        "judges.own.pairwise.self" = {preferences}
        "#
    )
}

fn pool(threads: usize) -> Result<ThreadPool, String> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())
}

/// Whether times are asked for, as divan sees it.
fn timing() -> bool {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    asked("--bench") && !asked("--test")
}

#[divan::bench(args = 0..5, sample_count = 20)]
fn study_on_one_thread(bencher: Bencher<'_, '_>, work: usize) {
    let replicates = if timing() { REPLICATES } else { FEW };
    let work = &Work::all().expect("the works are valid scenarios")[work];
    let pool = pool(1).expect("a thread can be had");
    bencher
        .counter(ItemsCount::new(work.decisions(replicates)))
        .bench(|| pool.install(|| work.run(replicates)));
}

/// Exact work on the self-preference test: one power, the powers at every number of pairs, a smallest effect.
#[derive(Clone, Copy, Debug)]
enum Exactly {
    Power,
    Curve,
    Smallest,
}

/// What is asked, the pairs, and the target in ms.
const EXACT: [(Exactly, u64, f64); 6] = [
    (Exactly::Power, 14, 5.0),
    (Exactly::Power, 140, 5.0),
    (Exactly::Power, 1000, 500.0),
    (Exactly::Curve, 140, 10.0),
    (Exactly::Smallest, 14, 200.0),
    (Exactly::Smallest, 140, 200.0),
];

/// Does exact work on pairs whose truth is random; returns a power or an effect, for the optimiser to respect.
fn exactly(what: Exactly, pairs: u64) -> Result<f64, String> {
    if let Exactly::Smallest = what {
        let question = Question { ability: Some(2.5), ..Question::about(Bias::SelfPreference) };
        return detect(&question, pairs).map(|answer| answer.value).map_err(|why| why.0);
    }
    let text =
        power_study("better = 0.5", ONE_CELL).replace("pairs = 140", &format!("pairs = {pairs}"));
    let plan = Plan::from_toml(&text, &mut |_| Err("no file is named".to_owned()));
    let plan = plan.map_err(|mistakes| mistakes.to_string())?;
    let task = plan.tasks.first().ok_or("no task")?;
    let rule = task.estimators.first().ok_or("no rule")?;
    let laws = Laws::of(&task.design, rule).map_err(|unfit| format!("{unfit:?}"))?;
    let powers = match what {
        Exactly::Curve => laws.curve(rule, plan.settings),
        _ => laws.power(rule, plan.settings).map(|power| vec![power]),
    };
    let powers = powers.map_err(|unfit| format!("{unfit:?}"))?;
    powers.last().map(|power| power.value).ok_or_else(|| "no power".to_owned())
}

#[divan::bench(args = 0..EXACT.len(), sample_count = 10, sample_size = 1)]
fn exact_powers(bencher: Bencher<'_, '_>, work: usize) {
    let (what, pairs, _) = EXACT[work];
    let pairs = if timing() { pairs } else { 14 };
    bencher.bench(|| exactly(what, pairs));
}

/// A line for each exact work: best of five.
#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn exact_figures() -> Result<(), String> {
    println!("\n{:<28}{:>12}{:>10}", "exact, ms", "best", "target");
    for (what, pairs, target) in EXACT {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            divan::black_box(exactly(what, pairs)?);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        println!("{:<28}{best:>12.2}{target:>10}", format!("{what:?}, {pairs} pairs"));
    }
    Ok(())
}

/// A line for each work: best of nine, as a shared machine needs.
#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn figures() -> Result<(), String> {
    println!("\n{:<28}{:>12}{:>12}{:>10}", "ns a decision", "1 thread", "2 threads", "target");
    for work in Work::all()? {
        let [one, two] = [work.best(&pool(1)?, 9), work.best(&pool(2)?, 9)];
        println!("{:<28}{one:>12.2}{two:>12.2}{:>10}", work.name, work.target);
    }
    exact_figures()
}

#[expect(clippy::print_stderr, reason = "a bench that cannot run says why")]
fn main() -> ExitCode {
    divan::main();
    match if timing() { figures() } else { Ok(()) } {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
