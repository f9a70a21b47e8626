//! Labels, strata and weights: coverages of corrected pass rates against an independent simulation, the slices and the
//! stratified scores in closed form, and what is refused.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::scenario::Plan;
use judgelab::study::{Measure, Row};
use support::{accept_mean, close, plan, row, rows, value};

fn corrected(world: &str, judge: &str) -> Vec<Row> {
    let text = format!(
        "seed = 13\nreplicates = 4000\n{world}\n[judges.j.pointwise]\n{judge}\n[estimate]\nrules = [\"corrected-rate\"]\n"
    );
    rows(&plan(&text)).remove(0).1
}

const LENIENT: &str = "false-negative = 0.1\nfalse-positive = 0.3";

/// n = 1000 unlabelled answers, sensitivity .9, specificity .7, random labels: coverages of the nominal 95 % by an
/// independent simulation of 4,000 replicates in `NumPy`, each known to .0035 (.0075 for the raw rate) and printed to two or
/// three digits.
#[test]
fn random_labels_have_the_coverages_of_an_independent_simulation() {
    let table = [
        ("0.7", 50, [0.69, 0.98, 0.97, 0.948, 0.93]),
        ("0.7", 200, [0.70, 0.96, 0.955, 0.945, 0.94]),
        ("0.9", 100, [0.0, 0.99, 0.961, 0.95, 0.93]),
    ];
    let names = ["raw", "rogan-gladen", "lang-reiczigel", "post-stratified", "ppi++"];
    for (rate, labels, want) in table {
        let world = format!(
            "[world.graded]\ncases = 1000\nrate = {rate}\nlabels = {{ random = {labels} }}"
        );
        let rows = corrected(&world, LENIENT);
        for (name, want) in names.into_iter().zip(want) {
            let got = value(&rows, &format!("corrected-rate/{name}"), Measure::Coverage);
            let error = libm::sqrt(2.0 * want * (1.0 - want) / 4000.0);
            close(&format!("{name} at {rate}, {labels}"), got, want, 4.0 * error + 0.005);
        }
    }
}

/// The right half of the labels by truth: corrections that carry over the share of true passes among what was passed miss,
/// by the bias that their expected evidence has; those that carry over the judge's errors hold.
#[test]
fn balanced_labels_need_the_error_rates() {
    let rows =
        corrected("[world.graded]\ncases = 1000\nrate = 0.9\nlabels = { balanced = 200 }", LENIENT);
    let coverage = |name| value(&rows, name, Measure::Coverage);
    assert!((coverage("corrected-rate/rogan-gladen") - 0.95).abs() < 0.02);
    assert!((coverage("corrected-rate/lang-reiczigel") - 0.95).abs() < 0.02);
    assert!(coverage("corrected-rate/post-stratified") < 0.01);
    // g1 = .9/1.2, g0 = .1/.8 and the pooled rate (1000 x .84 + 200 x .6)/1200: .625.
    close("bias", value(&rows, "corrected-rate/post-stratified", Measure::Mean), 0.625, 0.005);
}

/// The 300 tasks themselves (97.5 %: their own draw is counted though it is fixed) and the law that they come from (95.3 %).
#[test]
fn coverage_of_these_tasks_and_of_their_law() {
    let judge = "false-negative = 0.05\nfalse-positive = 0.3";
    let these = "[world.counts]\nboth = 122\nfirst = 0\nsecond = 0\nneither = 178\nlabels = { random = 200 }";
    let law = "[world.graded]\ncases = 300\nrate = 0.4\nlabels = { random = 200 }";
    for (world, truth, coverage, mean, sd) in
        [(these, 122.0 / 300.0, 0.975, 0.4048, 0.0542), (law, 0.4, 0.953, 0.3979, 0.0615)]
    {
        let rows = corrected(world, judge);
        let it = row(&rows, "corrected-rate/rogan-gladen");
        close("truth", it.performance.value(Measure::True).unwrap(), truth, 1e-9);
        close("estimand", it.performance.value(Measure::Estimand).unwrap(), truth, 1e-9);
        let got = it.performance.value(Measure::Coverage).unwrap();
        close("coverage", got, coverage, 4.0 * libm::sqrt(coverage * (1.0 - coverage) / 4000.0));
        close("mean", it.performance.value(Measure::Mean).unwrap(), mean, 4.0 * sd / 45.0);
        close("sd", it.performance.value(Measure::EmpiricalSe).unwrap(), sd, 0.004);
    }
}

/// Compared world by world, the correction aims at the true rate of each replicate's own tasks.
#[test]
fn a_drawn_world_has_a_true_rate_of_its_own() {
    let world = "[world.graded]\ncases = 300\nrate = 0.4\nlabels = { random = 200 }";
    let text = format!(
        "seed = 13\nreplicates = 2000\n{world}\n[judges.j.pointwise]\nfalse-negative = 0.05\nfalse-positive = 0.3\n[estimate]\n\
         target = \"world\"\nrules = [\"corrected-rate\"]\n"
    );
    let rows = rows(&plan(&text)).remove(0).1;
    let it = row(&rows, "corrected-rate/rogan-gladen");
    let estimand = it.performance.get(Measure::Estimand).unwrap();
    // The worlds differ by sqrt(.24/300) = .0283.
    close("mcse", estimand.mcse.unwrap(), 0.028_28 / libm::sqrt(2000.0), 5e-5);
    accept_mean("estimand", estimand.value.unwrap(), estimand.mcse.unwrap(), 0.4);
    assert!(0.965 < it.performance.value(Measure::Coverage).unwrap());
}

/// A coin is refused, and the share of refusals is counted.
#[test]
fn a_judge_like_a_coin_is_refused() {
    let world = "[world.graded]\ncases = 300\nrate = 0.4\nlabels = { random = 200 }";
    let rows = corrected(world, "false-negative = 0.45\nfalse-positive = 0.5");
    let it = row(&rows, "corrected-rate/lang-reiczigel");
    let mean = it.performance.get(Measure::Mean).unwrap();
    assert!(0.8 * 4000.0 < mean.undefined as f64, "{mean:?}");
    assert!(it.performance.reasons.keys().all(|why| why.0.contains("not told from a coin")));
    let raw = row(&rows, "corrected-rate/raw").performance.get(Measure::Mean).unwrap();
    assert_eq!(raw.undefined, 0);
}

const STRATA: &str = r#"
seed = 3
replicates = 4000
[world.graded]
[world.graded.strata]
wide = { share = 0.5, cases = 40, rates = [0.8, 0.7] }
middle = { share = 0.3, cases = 30, rates = [0.5, 0.6] }
narrow = { share = 0.2, cases = 30, rates = [0.4, 0.4] }
[judges.gold.pointwise]
[estimate]
rules = ["pass-rate", "stratified-rate", "slices", "difference"]
"#;

/// The score is the sum of share times rate, .63; its variance the sum of w^2 p(1-p)/n; the plain rate is that of the cases.
#[test]
fn scores_are_weighed_by_the_shares_of_the_population() {
    let rows = rows(&plan(STRATA)).remove(0).1;
    let score = row(&rows, "stratified-rate/first");
    for measure in [Measure::Estimand, Measure::True] {
        close("score", score.performance.value(measure).unwrap(), 0.63, 1e-9);
    }
    let mean = score.performance.get(Measure::Mean).unwrap();
    accept_mean("mean", mean.value.unwrap(), mean.mcse.unwrap(), 0.63);
    let variance = 0.25 * 0.16 / 40.0 + 0.09 * 0.25 / 30.0 + 0.04 * 0.24 / 30.0;
    close(
        "sd",
        score.performance.value(Measure::EmpiricalSe).unwrap(),
        libm::sqrt(variance),
        0.002,
    );
    close("coverage", score.performance.value(Measure::Coverage).unwrap(), 0.945, 0.015);
    close("plain", value(&rows, "pass-rate/first", Measure::Estimand), 0.59, 1e-9);
    close("plain", value(&rows, "pass-rate/first", Measure::True), 0.63, 1e-9);
    close("difference", value(&rows, "stratified-rate/difference", Measure::Estimand), 0.02, 1e-9);
    for (slice, want) in [("slices/1", 0.1), ("slices/2", -0.1), ("slices/3", 0.0)] {
        close(slice, value(&rows, slice, Measure::Estimand), want, 1e-9);
    }
    close("worst", value(&rows, "slices/holm", Measure::Estimand), 0.1, 1e-9);
    assert!(rows.iter().all(|it| it.estimator.name() != "slices/4"));
    // Weights of the analyst stand in place of the world's shares.
    let weights = "weights = { wide = 0.2, middle = 0.3, narrow = 0.5 }\nrules";
    let own = rows_of(&STRATA.replace("rules", weights));
    close("own", value(&own, "stratified-rate/first", Measure::Estimand), 0.51, 1e-9);
}

fn rows_of(text: &str) -> Vec<Row> {
    rows(&plan(text)).remove(0).1
}

/// A stratum that no case is from: the plain rate is the same whatever it is, the score is refused.
#[test]
fn an_unsampled_stratum_is_invisible() {
    let at = |rate: &str| {
        let narrow = "narrow = { share = 0.2, cases = 30, rates = [0.4, 0.4] }";
        let none = format!("narrow = {{ share = 0.2, cases = 0, rate = {rate} }}");
        rows_of(&STRATA.replace(narrow, &none).replace("4000", "100"))
    };
    let (never, always) = (at("0.0"), at("1.0"));
    for measure in [Measure::Estimand, Measure::Mean, Measure::EmpiricalSe] {
        let plain = |rows: &[Row]| value(rows, "pass-rate/first", measure);
        assert_eq!(plain(&never), plain(&always));
    }
    close("never", value(&never, "pass-rate/first", Measure::True), 0.55, 1e-9);
    close("always", value(&always, "pass-rate/first", Measure::True), 0.75, 1e-9);
    let score = row(&never, "stratified-rate/first").performance.get(Measure::Estimand).unwrap();
    assert!(score.value.unwrap_err().0.contains("no cases"));
    let slice = row(&never, "slices/3").performance.get(Measure::Mean).unwrap();
    assert_eq!(slice.undefined, 100);
}

/// Cases by share are rounded by largest remainders, and none is left over.
#[test]
fn cases_are_divided_by_share() {
    let strata = "[world.graded.strata]\na = { share = 0.335, rate = 0.5 }\nb = { share = 0.335, rate = 0.5 }\nc = { share = 0.33, \
                  rate = 0.5 }";
    let text = format!(
        "[world.graded]\ncases = 100\n{strata}\n[judges.j.pointwise]\n[estimate]\nrules = [\"slices\"]\n"
    );
    let plan = plan(&text);
    assert_eq!(plan.tasks[0].design.world.census(), [34, 33, 33]);
}

/// What is told of a mistaken scenario: the line, and what it says.
fn refused(text: &str) -> String {
    Plan::from_toml(text, &mut |_| Err("no file".to_owned())).unwrap_err().to_string()
}

#[test]
fn what_does_not_add_up_is_refused_with_its_line() {
    let shares = refused(&STRATA.replace("share = 0.3", "share = 0.4"));
    assert!(shares.contains("the strata's shares sum to 1.1, not 1"), "{shares}");
    let weights = "weights = { wide = 0.5, middle = 0.3, narrow = 0.1 }\nrules";
    let weights = refused(&STRATA.replace("rules", weights));
    assert!(weights.starts_with("11: ") || weights.contains("11:"), "{weights}");
    assert!(weights.contains("the weights of the strata sum to 0.9, not 1"), "{weights}");
    let nameless = "weights = { wide = 0.5, middle = 0.5 }\nrules";
    let nameless = refused(&STRATA.replace("rules", nameless));
    assert!(nameless.contains("the stratum \"narrow\" has no weight"), "{nameless}");
    let graded = |world: &str, rules: &str| {
        refused(&format!(
            "[world.graded]\n{world}\n[judges.j.pointwise]\n[estimate]\nrules = [\"{rules}\"]\n"
        ))
    };
    for (world, rules, says) in [
        ("cases = 9\nrate = 0.5", "corrected-rate", "needs labelled and unlabelled cases"),
        ("cases = 9\nrate = 0.5", "slices", "needs strata"),
        ("cases = 9\nrate = 0.5\nlabels = { balanced = 5 }", "corrected-rate", "5 is odd"),
        ("cases = 9\nrate = 0.5\nlabels = {}", "corrected-rate", "at least one case"),
        ("rate = 0.5", "pass-rate", "need `cases`"),
        (
            "cases = 9\nrate = 0.5\nrates = [0.5, 0.6]",
            "pass-rate",
            "one of `rate`, `rates`, `joint` and `discordant`",
        ),
        ("cases = 9\nstrata = { a = { share = 1.0 } }", "slices", "either `rates` or `rate`"),
        ("cases = 9\nstrata = { a = { rate = 0.5 } }", "slices", "each stratum a `share`"),
        (
            "strata = { a = { cases = 3, rate = 0.5 } }",
            "stratified-rate",
            "the shares of the strata",
        ),
        (
            "cases = 9\nrate = 0.5\nstrata = { a = { share = 1.0, rate = 0.5 } }",
            "slices",
            "of its own",
        ),
        ("strata = { a = { cases = 0, rate = 0.5 } }", "slices", "at least one case"),
    ] {
        let told = graded(world, rules);
        assert!(told.contains(says), "{world}: {told}");
    }
}

/// Labels of either truth are what they are called, whatever the second system does.
#[test]
fn passing_labels_pass_and_failing_labels_fail() {
    let text = "[world.graded]\ncases = 4\nrates = [0.3, 0.6]\nlabels = { passing = 3, failing = 5 }\n[judges.j.pointwise]\n\
                [estimate]\nrules = [\"corrected-rate\"]\n";
    let world = plan(text).tasks[0].design.world.clone();
    for case in &world.cases {
        let kind = &world.kinds[case.kind];
        let first: Vec<bool> = kind
            .gap
            .nodes(1.0, &[], &[])
            .iter()
            .filter(|it| 0.0 < it.weight)
            .map(|it| it.at.gold.passes()[0])
            .collect();
        match case.id.split(' ').next() {
            Some("passing") => assert!(kind.marks.labelled && first.iter().all(|it| *it)),
            Some("failing") => assert!(kind.marks.labelled && first.iter().all(|it| !*it)),
            _ => assert!(!kind.marks.labelled && first.contains(&true) && first.contains(&false)),
        }
    }
    assert_eq!(world.census(), [4, 3, 5]);
}

/// Ten cases that pass or fail take 2 (1 + ... + 10) steps: a bound of 110 is enough and one of 109 is not.
#[test]
fn a_law_is_refused_when_and_only_when_it_takes_too_many_steps() {
    let text = "[world.graded]\ncases = 10\nrate = 0.4\n[judges.j.pointwise]\n[estimate]\nrules = [\"pass-rate\"]\n";
    let task = plan(text).tasks.remove(0);
    assert!(judgelab::study::law(&task, task.estimators[0], 110).is_ok());
    assert!(judgelab::study::law(&task, task.estimators[0], 109).is_err());
}
