//! Published tables to the digit: our judges and our rules, fed with the draws behind the tables. Some were drawn with
//! `NumPy`'s generator from seeds or from names, and are drawn again here. Others need the texts that were judged; their
//! uniforms are read from the folder that the variable `JUDGELAB_ORACLES` names, and the test says so when it is not set.

#![allow(clippy::unwrap_used, clippy::explicit_write)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use judgelab::estimators::{ESTIMATORS, Estimator, Settings};
use judgelab::evidence::{LANES, Order, Sums};
use judgelab::quantity::Level;
use judgelab::scenario::{Overrides, Plan};
use judgelab::stream::{Address, Key, Purpose, Words, recorded};
use judgelab::study::{self, Measure, Row, verdict_key};
use judgelab::world::{State, Truth};
use support::numpy::{Numpy, seed_of};
use support::{close, value};

/// Made with `NumPy`: seed, `random`, `standard_normal` and `integers(0, 36)`, each from a new generator.
type Vector = (u64, [f64; 3], [f64; 3], [u32; 5]);
const VECTORS: [Vector; 4] = [
    (
        0,
        [0.636_961_687_321_454_3, 0.269_786_713_763_870_3, 0.040_973_523_936_194_69],
        [0.125_730_221_093_393_3, -0.132_104_863_291_301_9, 0.640_422_650_443_282_1],
        [30, 22, 18, 9, 11],
    ),
    (
        399,
        [0.681_311_030_397_560_7, 0.710_982_684_755_577_5, 0.565_582_312_998_186_4],
        [-1.023_558_387_322_570_9, -0.695_629_096_995_592_3, -0.763_158_859_007_675_1],
        [34, 24, 1, 25, 18],
    ),
    (
        4_294_967_296,
        [0.889_738_791_278_134_3, 0.557_138_050_206_226_3, 0.800_908_086_891_972_1],
        [0.102_967_680_014_361_27, -0.980_527_171_030_261_3, -0.817_478_324_922_317_5],
        [18, 32, 35, 20, 10],
    ),
    (
        18_446_744_073_709_551_615,
        [0.680_026_678_961_693_1, 0.845_311_758_562_474_3, 0.007_403_081_599_260_064],
        [0.721_336_457_076_872_7, -0.970_796_168_946_513_3, 0.069_226_504_857_371_46],
        [19, 24, 34, 30, 12],
    ),
];

#[test]
fn the_generator_is_numpys() {
    for (seed, uniforms, normals, integers) in VECTORS {
        let mut rng = Numpy::new(seed);
        assert_eq!(uniforms.map(|_| rng.random()), uniforms, "{seed}");
        let mut rng = Numpy::new(seed);
        for want in normals {
            close("normal", rng.normal(), want, 1e-13 * want.abs());
        }
        let mut rng = Numpy::new(seed);
        assert_eq!(integers.map(|_| rng.below(36)), integers, "{seed}");
    }
    // The spare half of a word survives other draws.
    let mut rng = Numpy::new(12345);
    assert_eq!((rng.below(36), rng.random(), rng.below(36)), (25, 0.316_758_339_709_752_87, 8));
    close("mixed", rng.normal(), -0.870_661_737_959_085_7, 1e-13);
    assert_eq!((rng.below(36), rng.random()), (23, 0.391_109_550_601_909));
    assert_eq!(seed_of("neutro|R01|A|C"), 7_479_758_081_744_204_248);
}

const USUAL: Settings = Settings { level: Level::USUAL };

fn rule(name: &str) -> &'static Estimator {
    ESTIMATORS.iter().find(|it| it.name() == name).unwrap()
}

/// Rigidity, shares of rejections by the unpaired and the exact paired test, and the two systems' mean pass rates.
const POWERS: [(f64, [&str; 2], [&str; 2]); 3] = [
    (0.0, ["0.396", "0.328"], ["0.697", "0.799"]),
    (1.5, ["0.220", "0.257"], ["0.645", "0.730"]),
    (3.0, ["0.054", "0.176"], ["0.597", "0.657"]),
];

/// 1000 trials of 100 cases a row, each row from seed 11: the difficulties of a trial, then A's grades, then B's. The log-odds
/// of 0.7 and 0.8 were rounded to three decimals, and a difficulty counts against both systems: with more decimals the first
/// power is 0.395.
#[test]
fn the_power_table_to_the_digit() {
    let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    for (rigidity, powers, rates) in POWERS {
        let mut rng = Numpy::new(11);
        let (mut rejections, mut passes) = ([0_u32; 2], [0_u32; 2]);
        for _ in 0..1000 {
            let difficulty: Vec<f64> = (0..100).map(|_| rng.normal()).collect();
            let graded = [0.847, 1.386].map(|odds: f64| {
                let grade = |z: &f64| rng.random() < logistic(odds - rigidity * z);
                difficulty.iter().map(grade).collect::<Vec<bool>>()
            });
            let mut sums = [0; LANES];
            for (a, b) in graded[0].iter().zip(&graded[1]) {
                sums[2 * usize::from(!a) + usize::from(!b)] += 1;
                passes[0] += u32::from(*a);
                passes[1] += u32::from(*b);
            }
            for (count, name) in
                rejections.iter_mut().zip(["difference/unpaired", "difference/exact"])
            {
                let p = rule(name).estimate(&Sums(sums), &USUAL).limits.p.unwrap();
                *count += u32::from(p <= 0.05);
            }
        }
        let shown = |count: u32, of: u32| format!("{:.3}", f64::from(count) / f64::from(of));
        assert_eq!(rejections.map(|it| shown(it, 1000)), powers, "{rigidity}");
        assert_eq!(passes.map(|it| shown(it, 100_000)), rates, "{rigidity}");
    }
}

fn self_preference(bonus: f64, pairs: usize) -> Plan {
    support::plan(&format!(
        "replicates = 400\n[world.sampled]\npairs = {pairs}\nbetter = 0.5\n[judges.own.pairwise]\nability = 2.5\n\
         self = {bonus}\nown = \"A\"\n[judges.third.pairwise]\nability = 2.5\n[estimate]\nrules = [\"self-preference\"]\n\
         third-party = \"third\"\n"
    ))
}

/// The words of 400 studies, seeds 0 to 399: which answer is better, then the verdicts of the own judge with its answer
/// first and second, then those of the third party.
fn studies(plan: &Plan, pairs: usize) -> BTreeMap<Key, Vec<u32>> {
    let mut words: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
    for seed in 0..400 {
        let mut rng = Numpy::new(seed);
        for case in 0..pairs {
            let key = Address::root(plan.seed, Purpose::Truth).at("case", &case.to_string()).key();
            // Index 1 is better by one, and truth is A's below one half.
            let word = if rng.below(2) == 1 { 0 } else { u32::MAX };
            words.entry(key).or_default().push(word);
        }
        for (judge, order) in
            [("own", Order::Ab), ("own", Order::Ba), ("third", Order::Ab), ("third", Order::Ba)]
        {
            for case in 0..pairs {
                let key = verdict_key(plan.seed, judge, &case.to_string(), order, 0);
                words.entry(key).or_default().push(recorded(rng.random()));
            }
        }
    }
    words
}

/// Bonus, pairs, mean gap, share of studies that detect it: as they would have been with the average over both orders that
/// the text describes, from the same draws.
const AVERAGED: [(f64, usize, &str, &str); 6] = [
    (0.0, 14, "-0.003", "0.0425"),
    (0.0, 140, "-0.001", "0.0450"),
    (0.5, 14, "0.033", "0.0800"),
    (0.5, 140, "0.035", "0.3250"),
    (1.0, 14, "0.076", "0.1750"),
    (1.0, 140, "0.076", "0.9125"),
];

#[test]
fn the_self_preference_table_with_a_real_average() {
    for (bonus, pairs, gap, detected) in AVERAGED {
        let plan = self_preference(bonus, pairs);
        let words = studies(&plan, pairs);
        let words = Words::Recorded(&words);
        let (settings, going) = (&plan.settings, |_: u64| true);
        let gathered =
            study::simulate(&plan.tasks, plan.seed, words, 0..400, settings, &going).unwrap();
        let rows = study::rows(&plan.tasks[0], &gathered[0], &plan.settings);
        let at = |measure| value(&rows, "self-preference", measure);
        let shown = (format!("{:.3}", at(Measure::Mean)), format!("{:.4}", at(Measure::Power)));
        assert_eq!(shown, (gap.to_owned(), detected.to_owned()), "{bonus} {pairs}");
    }
}

/// As published: the "average" adds two booleans, which is their OR, and halves it.
const AS_PUBLISHED: [(f64, usize, &str, &str); 6] = [
    (0.0, 14, "0.001", "0.005"),
    (0.0, 140, "-0.001", "0.045"),
    (0.5, 14, "0.020", "0.025"),
    (0.5, 140, "0.020", "0.245"),
    (1.0, 14, "0.047", "0.077"),
    (1.0, 140, "0.047", "0.765"),
];

#[test]
fn the_self_preference_table_as_published() {
    for (bonus, pairs, gap, detected) in AS_PUBLISHED {
        let plan = self_preference(bonus, pairs);
        let design = &plan.tasks[0].design;
        let words = studies(&plan, pairs);
        let (mut total, mut rejections) = (0_i64, 0_u32);
        let drawn = |key: &Key, study: usize| words[key][study];
        for study in 0..400 {
            // Pairs, points, and their products, out of four points a pair.
            let mut sums = [0_i64; LANES];
            for case in 0..pairs {
                let id = case.to_string();
                let truth = Address::root(plan.seed, Purpose::Truth).at("case", &id).key();
                let kind = &design.world.kinds[0];
                let Truth { gap, gold, .. } = kind.gap.drawn(drawn(&truth, study));
                let state = State { gap, gold, length: 0.0, marks: kind.marks };
                let wins = [0, 1].map(|seat: usize| {
                    Order::BOTH.map(|order| {
                        let key = verdict_key(plan.seed, &design.seats[seat].name, &id, order, 0);
                        let ends = design
                            .chances_in(seat, &state, judgelab::world::Mood::default(), order)
                            .thresholds()
                            .0;
                        (u64::from(drawn(&key, study)) < ends[0]) == (order == Order::Ab)
                    })
                });
                let [own, third] = wins.map(|[ab, ba]| i64::from(ab || ba));
                let x = 2 * (own - third);
                for (sum, step) in sums.iter_mut().zip([1, 4, x, x * x, 4 * x, 16]) {
                    *sum += step;
                }
            }
            total += sums[2];
            let p = rule("self-preference").estimate(&Sums(sums), &USUAL).limits.p;
            rejections += u32::from(p.is_ok_and(|p| p <= 0.05));
        }
        let mean = total as f64 / (4 * 400 * pairs) as f64;
        let shown = (format!("{mean:.3}"), format!("{:.3}", f64::from(rejections) / 400.0));
        assert_eq!(shown, (gap.to_owned(), detected.to_owned()), "{bonus} {pairs}");
    }
}

/// The folder of the recorded decisions, or a note that this was not tested.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("JUDGELAB_ORACLES").map(PathBuf::from);
    if folder.is_none() {
        // Not by a macro of the test harness, which hides what passing tests print.
        let note = "JUDGELAB_ORACLES names no folder of recorded decisions: their tables were not compared";
        writeln!(std::io::stderr(), "{note}").unwrap();
    }
    folder
}

/// One study of the lesson's document.
fn lesson(name: &str) -> Plan {
    let text = fs::read_to_string(support::scenario("lesson.toml")).unwrap();
    let overrides = Overrides { replicates: Some(1), seed: None };
    let plans = Plan::all_from_toml(None, &text, overrides, &mut |file| {
        fs::read_to_string(support::scenario(file)).map_err(|error| error.to_string())
    });
    plans.unwrap().into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap()
}

/// What is read of a recorded grade: judge, system, case, and the word that makes our judge grade as it did. A grade was
/// turned round where the uniform fell below the rate of its error; ours pass below the probability of a pass.
fn grades(folder: &Path) -> Vec<([String; 3], u32)> {
    let text = fs::read_to_string(folder.join("lesson/pointwise_decisions.csv")).unwrap();
    let mut grades = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let judge = match fields[0].split(' ').next().unwrap() {
            "G1" => "lazy",
            "G2" => "strict",
            "G3" => "good",
            _ => continue,
        };
        let (right, uniform) = (fields[3] == "1", fields[6].parse::<f64>().unwrap());
        let word = recorded(if right { 1.0 - uniform } else { uniform });
        grades.push(([judge, fields[1], fields[2]].map(str::to_owned), word));
    }
    grades
}

fn told(plan: &Plan, words: &BTreeMap<Key, Vec<u32>>) -> Vec<(usize, String, Vec<Row>)> {
    let words = Words::Recorded(words);
    let gathered =
        study::simulate(&plan.tasks, plan.seed, words, 0..1, &plan.settings, &|_| true).unwrap();
    let each = plan.tasks.iter().zip(&gathered);
    each.map(|(task, it)| {
        (task.cell, task.judge.to_string(), study::rows(task, it, &plan.settings))
    })
    .collect()
}

/// Judge, agreement, kappa, false negatives of 74 and false positives of 34, share that passes.
const JUDGES: [(&str, &str, &str, f64, f64, &str); 4] = [
    ("lazy", "0.685", "0.000", 0.0, 34.0, "1.000"),
    ("strict", "0.667", "0.399", 36.0, 0.0, "0.352"),
    ("good", "0.843", "0.659", 13.0, 4.0, "0.602"),
    ("lexical", "0.870", "0.730", 14.0, 0.0, "0.556"),
];

#[test]
fn the_table_of_judges_to_the_digit() {
    let Some(folder) = folder() else { return };
    let plan = lesson("judges-against-labels");
    let mut words = BTreeMap::new();
    for ([judge, system, case], word) in grades(&folder) {
        let case = format!("{system}/{case}");
        words.insert(verdict_key(plan.seed, &judge, &case, Order::Ab, 0), vec![word]);
    }
    assert_eq!(words.len(), 3 * 108);
    for ((_, judge, rows), want) in told(&plan, &words).iter().zip(JUDGES) {
        let at = |name: &str| value(rows, name, Measure::Mean);
        let shown = |name: &str| format!("{:.3}", at(name));
        assert_eq!(judge, want.0);
        assert_eq!(shown("grading/agreement/first"), want.1, "{judge}");
        assert_eq!(shown("grading/kappa/first"), want.2, "{judge}");
        close(judge, 74.0 * at("grading/false-negative/first"), want.3, 1e-9);
        close(judge, 34.0 * at("grading/false-positive/first"), want.4, 1e-9);
        assert_eq!(shown("pass-rate/first"), want.5, "{judge}");
    }
}

#[test]
fn the_table_of_judges_by_system_to_the_digit() {
    let Some(folder) = folder() else { return };
    let plan = lesson("judges-by-system");
    let of = |system: &str, order: Order, plan: &Plan| {
        let mut words = BTreeMap::new();
        for ([judge, its, case], word) in grades(&folder) {
            if its == system {
                words.insert(verdict_key(plan.seed, &judge, &case, order, 0), vec![word]);
            }
        }
        words
    };
    for (systems, cell, wanted) in [
        (["A", "C"], 0, [["0.333", "0.417"], ["0.500", "0.750"], ["0.583", "0.500"]]),
        (["A2", "C"], 1, [["0.306", "0.417"], ["0.556", "0.750"], ["0.583", "0.500"]]),
    ] {
        let mut words = of(systems[0], Order::Ab, &plan);
        words.extend(of(systems[1], Order::Ba, &plan));
        assert_eq!(words.len(), 3 * 2 * 36);
        let all = told(&plan, &words);
        let rows = all.iter().filter(|it| it.0 == cell);
        for ((_, judge, rows), want) in rows.zip(wanted) {
            let shown = |name: &str| format!("{:.3}", value(rows, name, Measure::Mean));
            let got = [shown("pass-rate/first"), shown("pass-rate/second")];
            assert_eq!(got, want, "{judge} {systems:?}");
        }
    }
}
