//! The mean of cases in clusters: what each test rejects of a true mean, by simulations made elsewhere; and the world itself.

#![allow(clippy::unwrap_used)]

mod support;

use std::ops::Range;

use judgelab::protocol::Task;
use judgelab::scenario::{Overrides, Plan};
use judgelab::study::{self, Measure};
use support::{accept_mean, close, plan, row, rows, shipped, value};

/// Sizes of the tests at a level of .05 by sizes of clusters, and the studies that each is a share of: `NumPy`, binary
/// outcomes, log-odds of a cluster's pass rate normal (.85, .35), the test of the true mean.
const METHODS: [(&str, f64); 7] = [
    ("naive", 20_000.0),
    ("cr0", 20_000.0),
    ("cr1", 20_000.0),
    ("percentile", 3000.0),
    ("wild-rademacher", 5000.0),
    ("wild-webb", 5000.0),
    ("cr2", 20_000.0),
];
const SIZES: [(&str, [f64; 7]); 4] = [
    ("6 x 30", [0.141, 0.136, 0.051, 0.141, 0.039, 0.059, 0.051]),
    ("10 x 30", [0.140, 0.096, 0.050, 0.096, 0.053, 0.052, 0.050]),
    ("30 x 30", [0.139, 0.064, 0.051, 0.065, 0.054, 0.052, 0.051]),
    ("100, 60, 40, 30, 20, 15, 10, 10, 5, 5", [0.211, 0.166, 0.103, 0.110, 0.049, 0.055, 0.055]),
];

/// In how many replicates each rule's test rejects.
fn counts(plan: &Plan, task: &Task, replicates: &Range<u64>) -> Vec<u64> {
    let count = |rule| {
        study::rejections(task, rule, plan.seed, replicates, &plan.settings, &|_| true).unwrap()
    };
    task.estimators.iter().map(|rule| count(*rule)).collect()
}

/// All 28 sizes, within four standard errors of the difference of two simulations.
fn sizes_are_met(replicates: u64) {
    let plan = shipped("few-clusters.toml", Overrides::default());
    for (task, (clusters, want)) in plan.tasks.iter().zip(SIZES) {
        assert_eq!(plan.cells[task.cell][0].text, clusters);
        let counts = counts(&plan, task, &(0..replicates));
        for ((name, draws), want) in METHODS.into_iter().zip(want) {
            let place = task.estimators.iter().position(|it| it.variant == name).unwrap();
            let (n, p) = (replicates as f64, counts[place] as f64 / replicates as f64);
            let error = (p * (1.0 - p) / n + want * (1.0 - want) / draws).sqrt();
            close(&format!("{clusters}, {name}"), p, want, 4.0 * error);
        }
    }
}

#[test]
fn sizes_of_all_methods_are_met() {
    sizes_are_met(1500);
}

#[test]
#[ignore = "slow: in .ci/run, in release"]
fn sizes_of_all_methods_are_met_closely() {
    sizes_are_met(20_000);
}

const SMALL: &str = r#"
seed = 5
replicates = 600
[world.clusters]
sizes = [12, 8, 8, 3, 9]
mean = 0.4
sd = 0.8
[judges.gold.pointwise]
[judges.lax.pointwise]
false-negative = 0.1
false-positive = 0.3
[estimate]
rules = ["cluster-mean"]
"#;

/// Population rates by quadrature over the normal (`SciPy`); the judge's errors move what it should say, not the truth. The
/// variance of the mean is sum n^2 v / N^2 + sum n w / N^2, v the variance of a cluster's rate and w the mean of p (1 - p).
#[test]
fn the_world_has_its_moments() {
    let all = rows(&plan(SMALL));
    let (rate, square) = (RATE, SQUARE);
    for ((_, rows), (slope, base)) in all.iter().zip([(1.0, 0.0), (0.6, 0.3)]) {
        let it = &row(rows, "cluster-mean/cr2").performance;
        let mean = base + slope * rate;
        close("estimand", it.value(Measure::Estimand).unwrap(), mean, 1e-9);
        close("true", it.value(Measure::True).unwrap(), rate, 1e-9);
        let get = |measure| *it.get(measure).unwrap();
        let drawn = get(Measure::Mean);
        accept_mean("mean", drawn.value.unwrap(), drawn.mcse.unwrap(), mean);
        let between = slope * slope * (square - rate * rate);
        let second = base * base + 2.0 * base * slope * rate + slope * slope * square;
        let within = mean - second;
        let sizes = [12.0, 8.0, 8.0, 3.0, 9.0_f64];
        let squares: f64 = sizes.iter().map(|it| it * it).sum();
        let sd = ((squares * between + 40.0 * within) / 1600.0).sqrt();
        let spread = get(Measure::EmpiricalSe);
        accept_mean("sd", spread.value.unwrap(), spread.mcse.unwrap(), sd);
    }
    // A claim that is the truth is the null value; the lax judge's mean is another.
    let null = |k: usize| row(&all[k].1, "cluster-mean/cr2").null.unwrap();
    assert!((null(0) - rate).abs() < 1e-9 && null(0) == null(1));
    let power = |k: usize| value(&all[k].1, "cluster-mean/cr2", Measure::Power);
    assert!(power(0) < 0.08, "{}", power(0));
}

const RATE: f64 = 0.586_806_132_639;
const SQUARE: f64 = 0.373_785_825_968;

/// Rejections counted alone are those of the whole estimates, whatever the split.
#[test]
fn the_verdict_alone_is_the_verdict() {
    let plan = plan(&SMALL.replace("mean = 0.4", "mean = 0.4\nclaimed = 0.75"));
    let count = |plan: &Plan, range| counts(plan, &plan.tasks[0], &range);
    let whole = count(&plan, 0..600);
    let (_, rows) = &rows(&plan)[0];
    for (row, count) in rows.iter().zip(&whole) {
        let power = row.performance.value(Measure::Power).unwrap();
        close(&row.estimator.name(), power * 600.0, *count as f64, 1e-9);
        assert_eq!(row.null, Some(0.75));
    }
    let parts = [count(&plan, 0..70), count(&plan, 70..600)];
    let sum: Vec<u64> = parts[0].iter().zip(&parts[1]).map(|(a, b)| a + b).collect();
    assert_eq!(sum, whole);
    // Of five clusters' thirty-two signs none are rare enough to reject anything.
    let listed = rows.iter().position(|it| it.estimator.variant == "wild-rademacher").unwrap();
    assert!(whole.iter().enumerate().all(|(k, it)| (k == listed) == (*it < 10)), "{whole:?}");
    assert_eq!(row(rows, "cluster-mean/wild-rademacher").performance.value(Measure::Width), None);
}

/// A cluster's pass rate does not depend on the judge, and more clusters leave those that were there as they are: of two
/// judges that grade the same large clusters the means go together, and so do those of a world and of a larger one.
#[test]
fn what_clusters_are_like_is_shared() {
    let text = SMALL.replace("[12, 8, 8, 3, 9]", "\"3 x 400\"");
    let means = |text: &str| {
        let plan = plan(text);
        let mut means = vec![Vec::new(); plan.tasks.len()];
        study::draws(&plan.tasks, plan.seed, 0..60, &plan.settings, &mut |draw| {
            if draw.estimator.variant == "naive" {
                means[draw.task].push(draw.estimate.value.unwrap());
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        means
    };
    let of_three = means(&text);
    let of_four = means(&text.replace("3 x 400", "3 x 400, 1"));
    let correlation = |a: &[f64], b: &[f64]| {
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let product = |x: &[f64], y: &[f64]| {
            x.iter().zip(y).map(|(x1, y1)| (x1 - mean(x)) * (y1 - mean(y))).sum::<f64>()
        };
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    };
    assert!(0.9 < correlation(&of_three[0], &of_three[1]));
    let near = of_three[0].iter().zip(&of_four[0]).all(|(a, b)| (a - b).abs() < 1.0 / 1200.0);
    assert!(near, "one more case moves a mean of 1,200 by less than a case");
}

/// What cannot be asked is told with its place and a remedy.
#[test]
fn what_cannot_be_asked_of_clusters_is_told() {
    let told = |text: &str| match Plan::from_toml(text, &mut |_| Err(String::new())) {
        Ok(_) => panic!("no mistake in {text}"),
        Err(mistakes) => mistakes.to_string(),
    };
    let has = |from: &str, to: &str, words: &str| {
        let told = told(&SMALL.replacen(from, to, 1));
        assert!(told.contains(words), "{told}");
    };
    has("[12, 8, 8, 3, 9]", "\"6 by 30\"", "not \"6 by 30\"");
    has("[12, 8, 8, 3, 9]", "[12, 0]", "1 case or more");
    has("sd = 0.8", "sd = -0.8", "at least 0");
    has("sd = 0.8", "sd = 0.8\nclaimed = 70", "give a share");
    has("[judges.gold.pointwise]", "[judges.gold.pairwise]", "use a pointwise judge");
    has("cluster-mean", "best-of", "use a world.candidates");
    has("false-negative = 0.1", "agreement = 0.9", "not both");
    has("false-negative = 0.1", "invalid = 0.1", "leave `invalid` out");
}
