//! Labels drawn at random against labels drawn half by half: `scenarios/calibration-sets.toml` against an independent
//! simulation of 4,000 replicates (`NumPy`), and against values in closed form.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use judgelab::report::Certificate;
use judgelab::scenario::{Overrides, Plan};
use judgelab::study::{self, Measure};
use support::{accept_mean, close, rows, simulate, value};

const SCENARIO: &str = include_str!("../scenarios/calibration-sets.toml");

fn study_of(name: &str, replicates: u64) -> Plan {
    let overrides = Overrides { replicates: Some(replicates), seed: None };
    let plans = Plan::all_from_toml(None, SCENARIO, overrides, &mut |_| Err("no file".to_owned()));
    plans.unwrap().into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap()
}

const RULES: [&str; 5] = ["raw", "rogan-gladen", "lang-reiczigel", "post-stratified", "ppi++"];

/// Coverage and width of each rule at (true rate, sensitivity, specificity, labels) = (.7 .9 .7 50), (.7 .9 .7 200),
/// (.9 .9 .7 100), (.7 .75 .65 100), (.95 .95 .8 100), all with 1,000 unlabelled answers; two or three digits are printed.
/// The raw rate had Wald limits there.
const TABLE: [[(f64, f64); 5]; 5] = [
    [(0.69, 0.056), (0.98, 0.378), (0.97, 0.396), (0.948, 0.201), (0.93, 0.199)],
    [(0.70, 0.056), (0.96, 0.194), (0.955, 0.198), (0.945, 0.105), (0.94, 0.105)],
    [(0.00, 0.045), (0.99, 0.223), (0.961, 0.224), (0.950, 0.104), (0.93, 0.102)],
    [(0.00, 0.060), (0.985, 0.484), (0.974, 0.487), (0.941, 0.166), (0.935, 0.166)],
    [(0.00, 0.035), (0.98, 0.140), (0.951, 0.143), (0.953, 0.072), (0.89, 0.067)],
];

/// The mean width of a rule's limits cut to 0 to 1, their sd, and how many replicates had none.
struct Width {
    mean: f64,
    sd: f64,
    refused: f64,
}

fn widths(plan: &Plan, task: usize) -> BTreeMap<&'static str, Width> {
    let mut all: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    let one = &plan.tasks[task..=task];
    let done = study::draws(one, plan.seed, 0..plan.replicates, &plan.settings, &mut |draw| {
        let of = all.entry(draw.estimator.variant).or_default();
        if draw.estimate.value.is_ok() {
            of.push(draw.estimate.limits.high.min(1.0) - draw.estimate.limits.low.max(0.0));
        }
        Ok::<(), ()>(())
    });
    assert_eq!(done, Ok(()));
    let summed = |it: Vec<f64>| {
        let n = it.len() as f64;
        let mean = it.iter().sum::<f64>() / n;
        let squares: f64 = it.iter().map(|x| (x - mean) * (x - mean)).sum();
        let refused = 1.0 - n / plan.replicates as f64;
        Width { mean, sd: (squares / n).sqrt(), refused }
    };
    all.into_iter().map(|(name, it)| (name, summed(it))).collect()
}

/// Tolerances: four standard errors of both simulations and what rounding hides. Limits that were refused (Youden's J not
/// clearly above 0) were printed there: a mean width lies between that of the others and theirs with 1 for each refused one.
#[test]
fn random_labels_agree_with_an_independent_simulation() {
    let plan = study_of("drawn-at-random", 4000);
    let n = plan.replicates as f64;
    for (task, ((_, rows), table)) in rows(&plan).iter().zip(TABLE).enumerate() {
        let widths = widths(&plan, task);
        for (rule, (coverage, width)) in RULES.into_iter().zip(table) {
            let name = format!("corrected-rate/{rule}");
            let error = (2.0 * coverage * (1.0 - coverage) / n).sqrt();
            let got = value(rows, &name, Measure::Coverage);
            close(&format!("coverage of {name} in row {task}"), got, coverage, 4.0 * error + 0.005);
            let it = &widths[rule];
            let by = 4.0 * it.sd * (2.0 / n).sqrt() + 0.0005;
            let (low, high) = (it.mean, it.mean * (1.0 - it.refused) + it.refused);
            assert!(
                low - by <= width && width <= high + by,
                "width of {name} in row {task}: {low} to {high} by {by}, not {width}"
            );
        }
    }
}

/// Half by half, only what carries over the judge's error rates is right; the others say what their expected evidence
/// says: g1 p + g0 (1 - p) with the shares of passes among the labels, at any size.
#[test]
fn balanced_labels_need_the_error_rates() {
    let plan = study_of("half-and-half", 2000);
    let cells = [
        (0.7, 0.9, 0.7, 50.0),
        (0.7, 0.9, 0.7, 200.0),
        (0.9, 0.9, 0.7, 100.0),
        (0.7, 0.75, 0.65, 100.0),
        (0.95, 0.95, 0.8, 100.0),
    ];
    for ((_, rows), (rate, se, sp, labels)) in rows(&plan).iter().zip(cells) {
        let of = |name: &str, measure| value(rows, &format!("corrected-rate/{name}"), measure);
        for (name, low) in [("lang-reiczigel", 0.94), ("rogan-gladen", 0.89)] {
            assert!(low < of(name, Measure::Coverage), "{name} at {rate}, {labels}");
        }
        let passed = rate * se + (1.0 - rate) * (1.0 - sp);
        let (g1, g0) = (se / (se + 1.0 - sp), (1.0 - se) / (1.0 - se + sp));
        let p = (1000.0 * passed + labels * (se + 1.0 - sp) / 2.0) / (1000.0 + labels);
        let mean = of("post-stratified", Measure::Mean);
        // Half an item in each stratum moves the shares towards 1/2, by less than 1/labels.
        close("post-stratified", mean, g1 * p + g0 * (1.0 - p), 1.0 / labels);
        assert!(mean < rate - 0.1 && of("post-stratified", Measure::Coverage) < 0.5);
        let (raw, mcse) = {
            let it =
                support::row(rows, "corrected-rate/raw").performance.get(Measure::Mean).unwrap();
            (it.value.unwrap(), it.mcse.unwrap())
        };
        accept_mean("raw", raw, mcse, passed);
    }
}

/// Which to use: the post-stratified rate where labels are random, Lang and Reiczigel's or Rogan and Gladen's where they are
/// balanced; the raw rate nowhere.
#[test]
fn certificates_tell_which_to_use() {
    let advised = |name: &str, replicates| {
        let plan = study_of(name, replicates);
        Certificate::new(&plan, &simulate(&plan)).advice
    };
    let random = advised("drawn-at-random", 10_000);
    assert_eq!(random.len(), 5);
    for it in &random {
        let recommended = it.recommended.as_deref();
        assert_eq!(recommended, Some("corrected-rate/post-stratified"), "{}", it.because);
        assert!(it.because.contains("corrected-rate/raw covers"), "{}", it.because);
    }
    let balanced = advised("half-and-half", 2000);
    for it in &balanced {
        let recommended = it.recommended.as_deref().unwrap();
        assert!(
            ["corrected-rate/lang-reiczigel", "corrected-rate/rogan-gladen"].contains(&recommended),
            "{}",
            it.because
        );
        assert!(it.because.contains("corrected-rate/post-stratified covers"), "{}", it.because);
    }
}
