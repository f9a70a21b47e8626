//! Rules on scores: what they should say by closed form and by enumeration, against what they say in simulation; and their
//! bytes, which no split and no thread changes.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod support;

use std::fs;

use judgelab::estimators::{ESTIMATORS, Estimator, Settings};
use judgelab::evidence::{Ruled, Sheet};
use judgelab::protocol::Target;
use judgelab::quantity::Level;
use judgelab::scenario::Plan;
use judgelab::stats::special::binomial_cdf;
use judgelab::stream::Words;
use judgelab::study::{self, Gathered, Measure};
use support::numpy::Numpy;
use support::{accept_mean, accept_share, close, plan, row, rows, simulate, value};

const LENGTHS: &str = r#"
seed = 4
replicates = 400
[world.lengths]
file = "data/lengths14.csv"
[judges.scorer.scoring]
base = 4.0
noise = 0.5
[estimate]
rules = ["length-slope"]
[vary]
"judges.scorer.scoring.slope" = [0.0, 0.6, -0.4]
"#;

const RATED: &str = r#"
seed = 4
replicates = 4000
[world.rated]
cases = 30
gap = 0.4
[judges.ratings.scoring]
base = 3.4
noise = 0.7
session = 0.6
[judges.pairs.pairwise]
ability = 1.0101525445522108
link = "probit"
[protocol]
orders = "one"
[estimate]
rules = ["rating", "ranking", "win-rate"]
[vary]
"world.rated.cases" = [30, 120]
"#;

const CANDIDATES: &str = r#"
seed = 4
replicates = 500
[world.candidates]
cases = 200
candidates = 20
rate = 0.7
[judges.gold.pointwise]
[estimate]
rules = ["best-of"]
[vary]
"world.candidates.cases" = [100, 150, 200, 250, 300, 500]
"#;

const CLUSTERS: &str = r#"
seed = 4
[world.clusters]
sizes = "3 x 5, 9, 20"
mean = 0.85
sd = 0.35
[judges.gold.pointwise]
[estimate]
rules = ["cluster-mean"]
"#;

fn rule(name: &str) -> &'static Estimator {
    ESTIMATORS.iter().find(|it| it.name() == name).unwrap()
}

const USUAL: Settings = Settings { level: Level::USUAL };

/// Expected slopes and standard deviations of the slope: `SciPy`, from the probabilities of all scores of all cells.
#[test]
fn clipping_takes_its_part_of_a_slope() {
    let want = [(0.0, 0.062_180_46), (0.399_616_25, 0.050_959_93), (-0.396_795_68, 0.061_188_9)];
    for ((task, rows), (slope, sd)) in rows(&plan(LENGTHS)).iter().zip(want) {
        for name in ["cr2", "bca", "percentile", "as-published"] {
            let row = row(rows, &format!("length-slope/{name}"));
            let get = |measure| *row.performance.get(measure).unwrap();
            close("slope", get(Measure::Estimand).value.unwrap(), slope, 1e-8);
            close("fair", get(Measure::Fair).value.unwrap(), 0.0, 1e-9);
            let mean = get(Measure::Mean);
            accept_mean("mean", mean.value.unwrap(), mean.mcse.unwrap(), slope);
            let spread = get(Measure::EmpiricalSe);
            accept_mean("sd", spread.value.unwrap(), spread.mcse.unwrap(), sd);
        }
        assert_eq!(task.target(), Target::World);
        // Coverage by 12,000 replicates: .95 to .96, .91 to .93, .84 to .86.
        for (name, coverage) in [("cr2", 0.955), ("percentile", 0.917), ("as-published", 0.846)] {
            let share = value(rows, &format!("length-slope/{name}"), Measure::Coverage);
            accept_share(name, share, 400, coverage, 9.0);
        }
    }
    let planted: Vec<f64> = rows(&plan(LENGTHS))
        .iter()
        .map(|it| value(&it.1, "length-slope/cr2", Measure::True))
        .collect();
    assert_eq!(planted, [0.0, 0.6, -0.4]);
}

/// Means, standard deviations and ranks by quadrature over the drift (`SciPy`). More cases do not help: the standard deviation
/// stays above that of the two drifts.
#[test]
fn a_session_is_one_observation() {
    let want = [(0.820_440_14, 0.669_776_15), (0.804_271_14, 0.678_382_01)];
    let all = rows(&plan(RATED));
    for ((_, rows), (sd, ahead)) in all.iter().step_by(2).zip(want) {
        let it = &row(rows, "rating/difference").performance;
        close("shrunk", it.value(Measure::Estimand).unwrap(), 0.376_762_85, 1e-8);
        assert_eq!(it.value(Measure::True), Some(0.4));
        let get = |measure| *it.get(measure).unwrap();
        let (mean, spread) = (get(Measure::Mean), get(Measure::EmpiricalSe));
        accept_mean("mean", mean.value.unwrap(), mean.mcse.unwrap(), 0.376_762_85);
        accept_mean("sd", spread.value.unwrap(), spread.mcse.unwrap(), sd);
        close("ahead", value(rows, "rating/first-ahead", Measure::Estimand), ahead, 1e-7);
        let share = value(rows, "rating/first-ahead", Measure::Mean);
        accept_share("ahead", share, 4000, ahead, 3.0);
        assert!(value(rows, "rating/difference", Measure::Coverage) < 0.5);
    }
    // Of 30 pairs the better system wins most with the probability of 16 or more.
    let (task, pairs) = &all[1];
    assert_eq!((&*task.judge, task.cases()), ("pairs", 30));
    let p = value(pairs, "win-rate/one-order", Measure::Estimand);
    close("p", p, 0.656_916_08, 1e-8);
    let share = value(pairs, "ranking/one-order", Measure::Mean);
    accept_share("pairs", share, 4000, 1.0 - binomial_cdf(15, 30, p), 3.0);
}

/// The expected best of 20 binomial shares, by the 20th power of the distribution function (`SciPy`).
#[test]
fn the_best_of_twenty_is_too_good() {
    let want = [0.7834, 0.7685, 0.7595, 0.7533, 0.7487, 0.7379];
    for ((task, rows), best) in rows(&plan(CANDIDATES)).iter().zip(want) {
        close("best", value(rows, "best-of/seen", Measure::Estimand), best, 5e-5);
        close("fresh", value(rows, "best-of/fresh", Measure::Estimand), 0.7, 1e-9);
        assert_eq!(task.target(), Target::Population);
        for name in ["seen", "fresh", "optimism"] {
            let it = &row(rows, &format!("best-of/{name}")).performance;
            let mean = it.get(Measure::Mean).unwrap();
            let exact = it.value(Measure::Estimand).unwrap();
            accept_mean(name, mean.value.unwrap(), mean.mcse.unwrap(), exact);
        }
    }
    let at_200 = &rows(&plan(CANDIDATES))[2].1;
    close("best of 200", value(at_200, "best-of/seen", Measure::Estimand), 0.759_482, 5e-7);
}

/// A judge that errs moves every candidate's pass rate: .7 * .9 + .3 * .2.
#[test]
fn candidates_are_graded_by_a_judge() {
    let text = CANDIDATES.replace(
        "[judges.gold.pointwise]",
        "[judges.lax.pointwise]\nfalse-negative = 0.1\nfalse-positive = 0.2",
    );
    let at_100 = &rows(&plan(&text))[0].1;
    close("fresh", value(at_100, "best-of/fresh", Measure::Estimand), 0.69, 1e-8);
    assert_eq!(row(at_100, "best-of/fresh").performance.value(Measure::True), Some(0.7));
}

fn range(plan: &Plan, range: std::ops::Range<u64>) -> Vec<Gathered> {
    study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true).unwrap()
}

#[test]
fn splits_and_threads_change_no_byte() {
    for text in [LENGTHS, RATED, CANDIDATES, CLUSTERS] {
        let plan = plan(text);
        let whole = range(&plan, 0..150);
        let parts = [range(&plan, 0..70), range(&plan, 70..71), range(&plan, 71..150)];
        let merged = parts
            .into_iter()
            .rev()
            .reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect());
        assert!(merged.unwrap() == whole);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| range(&plan, 0..150)) == whole, "{threads} threads");
        }
        // What is handed over one by one has the mean that was gathered.
        let mut sums = vec![0.0; plan.tasks.len()];
        let first = |task: usize| plan.tasks[task].estimators[0].name();
        study::draws(&plan.tasks, plan.seed, 0..150, &plan.settings, &mut |draw| {
            if draw.estimator.name() == first(draw.task) {
                sums[draw.task] += draw.estimate.value.unwrap();
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        for ((task, gathered), sum) in plan.tasks.iter().zip(&whole).zip(&sums) {
            let rows = study::rows(task, gathered, &plan.settings);
            let mean = rows[0].performance.value(Measure::Mean).unwrap();
            close("draws", sum / 150.0, mean, 1e-9);
        }
    }
}

/// Where all replicates have the same scores, what a bootstrap says differs between them by its own draws only.
#[test]
fn bootstraps_draw_anew_in_each_replicate() {
    let plan = plan(&LENGTHS.replace("noise = 0.5", "noise = 0.00001"));
    let mut said = Vec::new();
    study::draws(&plan.tasks[1..2], plan.seed, 0..3, &plan.settings, &mut |draw| {
        if draw.estimator.variant != "cr2" {
            said.push((draw.estimator.variant, draw.estimate));
        }
        Ok::<(), ()>(())
    })
    .unwrap();
    let of =
        |variant: &str| said.iter().filter(|it| it.0 == variant).map(|it| it.1).collect::<Vec<_>>();
    for variant in ["bca", "percentile", "as-published"] {
        let all = of(variant);
        assert!(all.len() == 3 && all.iter().all(|it| it.value == all[0].value), "{variant}");
        assert!(all[1..].iter().all(|it| it.limits.low != all[0].limits.low), "{variant}: {all:?}");
    }
}

/// Another judge, a longer file or more replicates move no score.
#[test]
fn more_of_anything_moves_no_draw() {
    let alone = simulate(&plan(RATED));
    let beside = plan(
        &RATED.replace("[protocol]", "[judges.again.scoring]\nbase = 3\nnoise = 1\n[protocol]"),
    );
    let of = beside.tasks.iter().zip(simulate(&beside)).filter(|it| &*it.0.judge == "ratings");
    let same = of.zip(alone.iter().step_by(2)).all(|((_, a), b)| a == *b);
    assert!(same);
}

/// What cannot be asked is told with its place and a remedy.
#[test]
fn what_does_not_fit_together_is_a_mistake() {
    let told = |text: &str| {
        let mut open = |_: &str| Ok("id,a,b\nq,1,2\nr,3,4\n".to_owned());
        match Plan::from_toml(text, &mut open) {
            Ok(_) => panic!("no mistake in {text}"),
            Err(mistakes) => mistakes.to_string(),
        }
    };
    let has = |text: &str, words: &str| {
        let told = told(text);
        assert!(told.contains(words), "{told}");
    };
    has(&LENGTHS.replace("length-slope", "rating"), "it needs scores of two systems");
    has(&LENGTHS.replace("length-slope", "win-rate"), "it needs pairs");
    has(&LENGTHS.replace("noise = 0.5", "noise = 0.0"), "above 0");
    has(&LENGTHS.replace("noise = 0.5", "noise = 0.5\nhigh = 1"), "not from 1 to 1");
    has(&LENGTHS.replace("noise = 0.5", "noise = 0.5\nhigh = 11"), "at most 10");
    has(&LENGTHS.replace("base = 4.0\n", ""), "needs the key `base`");
    has(&LENGTHS.replace("[estimate]", "[judges.p.pairwise]\n[estimate]"), "use a scoring judge");
    has(&LENGTHS.replace("[estimate]", "[estimate]\ntarget = \"world\""), "leave `target` out");
    has(&LENGTHS.replace("[estimate]", "[protocol]\nrepeats = 3\n[estimate]"), "scored once");
    has(&RATED.replace("session = 0.6", "slope = 0.6"), "tells no lengths");
    has(&RATED.replace("session = 0.6", "session = -0.6"), "at least 0");
    has(&RATED.replace("gap = 0.4", "gap = nan"), "score points lies between");
    has(&CANDIDATES.replace("candidates = 20", "candidates = 1"), "2 to 1000");
    has(
        &CANDIDATES.replace("gold.pointwise]", "gold.pointwise]\ninvalid = 0.1"),
        "leave `invalid` out",
    );
    has(&CANDIDATES.replace("300, 500]", "300, 50000]"), "at most 1000000 fit");
    let sampled = "[world.sampled]\npairs = 4\nbetter = 0.5\n[judges.s.scoring]\nbase = 4\nnoise = 1\n\
                   [estimate]\nrules = [\"win-rate\"]";
    has(sampled, "a scoring judge scores answers one by one");
    let mut open = |_: &str| Ok("id,a,b\nq,0,2\n".to_owned());
    let table = Plan::from_toml(LENGTHS, &mut open).unwrap_err().to_string();
    assert!(table.contains("data/lengths14.csv:2") && table.contains("above 0"), "{table}");
    let mut open = |_: &str| Err("gone".to_owned());
    let table = Plan::from_toml(LENGTHS, &mut open).unwrap_err().to_string();
    assert!(table.contains("cannot be read (gone)"), "{table}");
}

/// The recorded scores give the published slopes and intervals to the digit, with the generator that drew them. The records
/// are not shipped: the variable `JUDGELAB_ORACLES` names their folder.
#[test]
fn recorded_scores_give_the_published_intervals() {
    let Ok(folder) = std::env::var("JUDGELAB_ORACLES") else {
        eprintln!("JUDGELAB_ORACLES is not set: recorded scores are not looked at");
        return;
    };
    let recorded = fs::read_to_string(format!("{folder}/lesson/verbosity_scores.csv")).unwrap();
    let published = [
        ("0.0", 0.050_229_200_373_601_714, [-0.031_196_489_263_154_013, 0.158_547_549_597_404_08]),
        ("0.6", 0.364_026_291_794_815_1, [0.284_464_207_954_053_1, 0.434_831_256_788_3]),
        ("-0.4", -0.491_010_748_243_053_85, [-0.603_401_468_565_828_1, -0.380_158_278_958_658]),
    ];
    for (gamma, slope, limits) in published {
        let (mut scores, mut lengths) = (Vec::new(), Vec::new());
        for line in recorded.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            if fields[1] == gamma {
                lengths.push(libm::log2(fields[4].parse().unwrap()));
                scores.push(fields[8].trim_end_matches(".0").parse::<u8>().unwrap());
            }
        }
        let ruled = Ruled { cases: 14, columns: 6, lengths, ..Ruled::default() };
        assert_eq!(scores.len(), ruled.cells());
        let sheet = Sheet { ruled: &ruled, scores: &scores };
        let rule = rule("length-slope/as-published").sheet.unwrap();
        let said = (rule.estimate)(&sheet, &USUAL, &mut Numpy::new(3));
        close("slope", said.value.unwrap(), slope, 1e-12);
        close("low", said.limits.low, limits[0], 1e-11);
        close("high", said.limits.high, limits[1], 1e-11);
    }
}
