//! Searches by simulation: against the exact answers where there are some, and against a study of the answer where there are
//! none.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use judgelab::scenario::{Overrides, Plan, Set};
use judgelab::stats::special::{binomial_cdf, normal_density, normal_quantile};
use judgelab::stream::Words;
use judgelab::study::detect::{Answer, Impossible, Method, Parameter, Simulation, in_scenario};
use judgelab::study::{self, Measure};
use support::{plan_with, scenario};

const SELF: &str = "\
[world.sampled]
pairs = 140
better = 0.5
[judges.own.pairwise]
ability = 2.5
own = 'A'
[judges.third.pairwise]
ability = 2.5
[estimate]
rules = ['self-preference', 'position-effect']
third-party = 'third'
";

const LENGTHS: &str = "\
[world.lengths]
file = 'data/lengths14.csv'
[judges.scorer.scoring]
base = 3.0
noise = 0.5
[estimate]
rules = ['length-slope']
";

/// A path, the judge and the rule.
type Asked<'a> = (&'a str, &'a str, &'a str);

const OWN: Asked<'_> = ("judges.own.pairwise.self", "own", "self-preference");
const POSITION: Asked<'_> = ("judges.own.pairwise.position", "own", "position-effect/mid-p");
const SLOPE: &str = "judges.scorer.scoring.slope";

fn searched(
    text: &str,
    (path, judge, rule): Asked<'_>,
    simulation: Simulation<'_>,
    seed: Option<u64>,
    [from, to]: [Option<f64>; 2],
) -> Result<Answer, Impossible> {
    let wanted = Parameter {
        path,
        power: 0.8,
        judge: Some(judge),
        estimator: Some(rule),
        from: from.unwrap_or(0.0),
        to,
    };
    let overrides = Overrides { seed, replicates: None };
    let mut plan_at = |value: f64, whole: bool| {
        let set = Set { study: None, path, value, whole, overrides };
        Plan::with_set(text, &set, &mut |file| {
            fs::read_to_string(scenario(file)).map_err(|error| error.to_string())
        })
    };
    in_scenario(&wanted, simulation, &mut plan_at)
}

fn simulated(budget: u64, always: bool) -> Simulation<'static> {
    Simulation { always, budget, watch: &|_| true }
}

/// Forty searches beside the exact answer: how often their intervals miss it, and their error over the bound of 15,000
/// replicates spent at the answer itself. At confidence .95 more than 8 misses of 40 come once in 4,000 runs.
fn beside_the_exact_answer(asked: Asked<'_>) {
    let exact = searched(SELF, asked, simulated(20_000, false), None, [None; 2]).unwrap();
    assert_eq!(exact.method, Method::Exact);
    let (mut misses, mut doubts, mut squares) = (0, 0, 0.0);
    for seed in 0..40 {
        let it = searched(SELF, asked, simulated(20_000, true), Some(seed), [None; 2]).unwrap();
        assert_eq!((it.method, &it.test), (Method::Simulated, &exact.test));
        let [low, high] = it.interval;
        assert!(low <= it.value && it.value <= high && high - low < 0.06 * it.value, "{it:?}");
        misses += u32::from(!(low <= exact.value && exact.value <= high));
        squares += (it.value - exact.value) * (it.value - exact.value);
        let found = it.simulated.unwrap();
        doubts += found.notes.len();
        let spent: u64 = found.stages.iter().map(|it| it.replicates).sum();
        assert!((19_000..=20_000).contains(&spent), "{:?}", found.stages);
        // Five standard errors; the answer's own error is smaller than the confirmation's.
        assert!(
            (found.power.value - 0.8).abs() < 5.0 * 1.1 * found.power.mcse,
            "{:?}",
            found.power
        );
        let (size, real) = (found.size.unwrap(), exact.size.unwrap().value);
        assert!((size.value - real).abs() < 5.0 * (real / 2_500.0_f64).sqrt(), "{size:?} {real}");
    }
    let beside = |by: f64| {
        let it = exact.around.iter().find(|it| (it.effect / exact.value - by).abs() < 1e-9);
        it.unwrap().power
    };
    let slope = (beside(1.1) - beside(0.9)) / (0.2 * exact.value);
    let ratio = (squares / 40.0).sqrt() / ((0.16_f64 / 15_000.0).sqrt() / slope);
    assert!(misses <= 8 && 1.0 - binomial_cdf(8, 40, 0.05) < 1.0 / 4_000.0, "{misses} of 40 miss");
    // The root of a mean of 40 squares is within 1.4 times its own expectation but once in a thousand runs.
    assert!(ratio < 1.2 * 1.4, "{ratio} times the bound");
    assert!(doubts <= 2, "{doubts} doubts");
}

#[test]
fn intervals_hold_the_smallest_self_preference() {
    beside_the_exact_answer(OWN);
}

#[test]
fn intervals_hold_the_smallest_position_preference() {
    beside_the_exact_answer(POSITION);
}

#[test]
fn sizes_are_found_too() {
    let text = SELF.replace("own = 'A'", "own = 'A'\nself = 1.0");
    let asked = ("world.sampled.pairs", "own", "self-preference");
    let mut misses = 0;
    for seed in 0..20 {
        let it = searched(&text, asked, simulated(8_000, true), Some(seed), [None; 2]).unwrap();
        assert_eq!(it.method, Method::Simulated);
        // 105 pairs by the exact sum.
        misses += u32::from(!(it.interval[0] <= 105.0 && 105.0 <= it.interval[1]));
        assert!((it.value - 105.0).abs() < 15.0 && it.size.is_none(), "{it:?}");
    }
    // More than 5 of 20 come once in 3,000 runs.
    assert!(misses <= 5, "{misses} of 20 miss");
}

/// The same power from a study of the answer: other replicates, and the estimates in place of the tests alone.
fn in_a_study(text: &str, set: &str, rule: &str, replicates: u64) -> f64 {
    let overrides = Overrides { seed: None, replicates: Some(replicates) };
    let plan = plan_with(&text.replace("SOUGHT", set), overrides);
    let (_, rows) = support::rows(&plan).remove(0);
    let row = rows.iter().find(|it| it.estimator.name() == rule).unwrap();
    row.performance.value(Measure::Power).unwrap()
}

#[test]
fn slopes_without_a_law_are_found() {
    for (rule, budget) in [("cr2", 8_000), ("percentile", 3_000), ("bca", 3_000)] {
        let rule = format!("length-slope/{rule}");
        let asked = (SLOPE, "scorer", rule.as_str());
        let it = searched(LENGTHS, asked, simulated(budget, false), None, [None; 2]).unwrap();
        assert_eq!(it.method, Method::Simulated);
        assert_eq!((it.unit, it.counted, it.target), ("score points per doubling", "cases", 0.8));
        assert!(it.rule.starts_with(&rule) && rule.ends_with(&it.test), "{}", it.rule);
        let text = LENGTHS.replace("noise = 0.5", "noise = 0.5\nslope = SOUGHT");
        let power = in_a_study(&text, &it.value.to_string(), &rule, 1_500);
        let error = (0.16 / 1_500.0 + 0.16 / (0.7 * budget as f64)).sqrt();
        assert!((power - 0.8).abs() < 4.0 * error, "{rule}: {power} at {it:?}");
    }
}

#[test]
fn a_fit_without_a_law_is_found() {
    let text = "\
[world.sampled]
pairs = 60
better = 0.5
length = { ratio = 2.0 }
[judges.biased.pairwise]
ability = 1.0
position = SOUGHT
[estimate]
rules = ['joint-fit']
";
    let asked = ("judges.biased.pairwise.position", "biased", "joint-fit/position");
    let at_null = text.replace("SOUGHT", "0.0");
    let it = searched(&at_null, asked, simulated(3_000, false), None, [None; 2]).unwrap();
    assert_eq!(it.method, Method::Simulated);
    let power = in_a_study(text, &it.value.to_string(), asked.2, 1_500);
    let error = (0.16_f64 / 1_500.0 + 0.16 / 2_000.0).sqrt();
    assert!((power - 0.8).abs() < 4.0 * error, "{power} at {it:?}");
}

/// The tests alone reject where the estimates do.
#[test]
fn tests_alone_say_what_estimates_say() {
    let text = LENGTHS.replace("noise = 0.5", "noise = 0.5\nslope = 0.1");
    for text in [&text, SELF, &fs::read_to_string(scenario("three-biases.toml")).unwrap()] {
        let plan = plan_with(text, Overrides { seed: Some(5), replicates: Some(300) });
        for (task, rows) in support::rows(&plan) {
            for row in rows.iter().filter(|it| it.estimator.null.is_some()) {
                let power = row.performance.value(Measure::Power).unwrap();
                let range = 0..300;
                let rejected =
                    study::rejections(&task, row.estimator, 5, &range, &plan.settings, &|_| true);
                let name = row.estimator.name();
                assert_eq!(rejected.unwrap() as f64 / 300.0, power, "{name}");
            }
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let percentile = (SLOPE, "scorer", "length-slope/percentile");
    let works = [(SELF, OWN, 5_000), (LENGTHS, percentile, 1_000)];
    for (text, asked, budget) in works {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| searched(text, asked, simulated(budget, true), None, [None; 2]))
                .unwrap()
        };
        let one = with(1);
        for threads in [2, 5] {
            let other = with(threads);
            assert_eq!(one, other);
            assert_eq!(
                judgelab::report::detect::json(&one),
                judgelab::report::detect::json(&other)
            );
        }
    }
}

#[test]
fn what_has_no_answer_says_so() {
    let refused = |text: &str, asked, budget, ends| {
        searched(text, asked, simulated(budget, true), None, ends).unwrap_err().0
    };
    let told = refused(SELF, OWN, 2_000, [Some(2.0), None]);
    assert!(told.starts_with("judges.own.pairwise.self <= 2: with 2 the test rejects"), "{told}");
    let told = refused(SELF, OWN, 2_000, [None, Some(0.4)]);
    assert!(
        told.contains("self >= 0.4, if a power of 0.8 is reached at all: with 140 pairs"),
        "{told}"
    );
    let told = refused(SELF, OWN, 999, [None; 2]);
    assert!(told.contains("1000 to 1000000000 replicates, not 999"), "{told}");
    let pairs = ("world.sampled.pairs", "own", "self-preference");
    let told = refused(SELF, pairs, 2_000, [None, Some(300.0)]);
    assert!(told.contains("no world.sampled.pairs up to 300 reaches a power of 0.8"), "{told}");
    let stopped = Simulation { always: true, budget: 2_000, watch: &|_| false };
    let told = searched(SELF, OWN, stopped, None, [None; 2]).unwrap_err().0;
    assert!(told.contains("interrupted"), "{told}");
}

/// What the search took on 140 pairs: the errors of 200 answers over the bound of as many replicates at the answer itself,
/// beside those of a grid of twelve points that takes the first above the target. Some seconds.
#[test]
#[ignore = "a certificate"]
fn the_search_is_nearly_as_good_as_the_bound() {
    let exact = searched(SELF, OWN, simulated(20_000, false), None, [None; 2]).unwrap();
    let (mut squares, mut grid) = (0.0, 0.0);
    for seed in 0..200 {
        let it = searched(SELF, OWN, simulated(20_000, true), Some(seed), [None; 2]).unwrap();
        squares += (it.value - exact.value).powi(2);
        grid += (first_over(seed, 15_000) - exact.value).powi(2);
    }
    let z = normal_quantile(0.8);
    let slope = (z + normal_quantile(0.975)) * normal_density(z) / exact.value;
    let bound = (0.16_f64 / 15_000.0).sqrt() / slope;
    let [ratio, grid] = [squares, grid].map(|it| (it / 200.0).sqrt() / bound);
    // 1.08 and 8.39 where it was last looked at.
    assert!(ratio < 1.3 && 3.0 < grid, "{ratio} and {grid} times the bound");
}

/// The first of twelve points from .3 to 1.4 whose simulated power is over the target.
fn first_over(seed: u64, budget: u64) -> f64 {
    let points: Vec<String> = (0..12).map(|k| format!("{:.1}", 0.3 + 0.1 * f64::from(k))).collect();
    let text = format!("{SELF}[vary]\n'judges.own.pairwise.self' = [{}]\n", points.join(", "));
    let plan = plan_with(&text, Overrides { seed: Some(seed), replicates: Some(budget / 12) });
    let words = Words::Keyed;
    let all = 0..plan.replicates;
    let gathered =
        study::simulate(&plan.tasks, seed, words, all, &plan.settings, &|_| true).unwrap();
    for (task, gathered) in plan.tasks.iter().zip(&gathered) {
        let rows = study::rows(task, gathered, &plan.settings);
        let row = rows.iter().find(|it| it.estimator.name() == "self-preference");
        let power = row.and_then(|it| it.performance.value(Measure::Power));
        if power.is_some_and(|power| 0.8 <= power) {
            return points[task.cell].parse().unwrap();
        }
    }
    1.4
}
