//! Promises of the streams: recorded words stay, nothing that is added moves an existing draw, and no split, order or
//! thread count changes a byte. Statistical tests state their alpha and use fixed seeds, so they never flicker.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::evidence::Order;
use judgelab::scenario::Overrides;
use judgelab::stats::special::phi_upper;
use judgelab::stream::{Address, Purpose, Words, uniform};
use judgelab::study::{self, Gathered, verdict_key};
use proptest::prelude::*;
use support::{plan, shipped, simulate};

fn words(address: Address, n: usize) -> Vec<u32> {
    let mut column = vec![0; n];
    Words::Keyed.fill(&address.key(), 0, &mut column);
    column
}

/// Value stability: these words change only with the stream version and a value-breaking entry in the changelog. The
/// keys and the first block were computed with Python's `hashlib.blake2b` and an independent `ChaCha8`.
#[test]
fn recorded_words_stay() {
    let verdict = Address::root(7, Purpose::Verdict).at("judge", "primacy").at("case", "0");
    let verdict = verdict.at("order", "AB").at("repeat", "0");
    assert_eq!(verdict.clone().key(), verdict_key(7, "primacy", "0", Order::Ab, 0));
    assert_eq!(words(verdict, 4), RECORDED_VERDICT);
    assert_eq!(words(Address::root(0, Purpose::Truth).at("case", "x"), 4), RECORDED_TRUTH);
}

const RECORDED_VERDICT: [u32; 4] = [1_438_843_714, 1_884_124_349, 1_785_073_221, 790_365_817];
const RECORDED_TRUTH: [u32; 4] = [3_892_443_984, 574_108_057, 1_221_482_435, 492_538_652];

#[test]
fn a_column_starts_anywhere() {
    let key = Address::root(1, Purpose::Taste).at("judge", "j").key();
    let mut all = vec![0; 3000];
    Words::Keyed.fill(&key, 0, &mut all);
    for (first, n) in [(0, 1), (15, 3), (16, 16), (700, 1300), (2999, 1)] {
        let mut part = vec![0; n];
        Words::Keyed.fill(&key, first as u64, &mut part);
        assert_eq!(part, all[first..first + n], "from {first}");
    }
}

const BASE: &str = r#"
seed = 3
replicates = 300
[world.sampled]
pairs = 20
better = 0.7
[judges.one.pairwise]
ability = 1.5
position = 0.8
taste = 0.7
[estimate]
rules = ["position-effect", "win-rate"]
"#;

fn counts_of<'g>(
    gathered: &'g [Gathered],
    plan: &judgelab::scenario::Plan,
    judge: &str,
) -> Vec<&'g Gathered> {
    plan.tasks.iter().zip(gathered).filter(|it| &*it.0.judge == judge).map(|it| it.1).collect()
}

fn same(a: &Gathered, b: &Gathered) -> bool {
    a == b
}

#[test]
fn adding_a_judge_a_case_or_an_estimator_moves_no_draw() {
    let base = plan(BASE);
    let before = simulate(&base);
    let judge = plan(&BASE.replace("[estimate]", "[judges.two.pairwise]\nability = 3\n[estimate]"));
    assert!(same(counts_of(&simulate(&judge), &judge, "one")[0], &before[0]), "a judge");
    let rule = plan(&BASE.replace("\"win-rate\"", "\"win-rate\", \"flip-rate\", \"kappa\""));
    let old = &before[0].counts;
    assert_eq!(old[..], simulate(&rule)[0].counts[..old.len()], "an estimator");
    // A world of more pairs holds the smaller one: a varied number of pairs gives the cell its own numbers.
    let case = plan(&format!("{BASE}\n[vary]\n\"world.sampled.pairs\" = [5, 20, 35]\n"));
    assert!(same(&simulate(&case)[1], &before[0]), "a case");
}

#[test]
fn more_replicates_continue_the_run() {
    let short = plan(BASE);
    let long = plan(&BASE.replace("300", "1700"));
    let range = |plan: &judgelab::scenario::Plan, range| {
        study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true)
            .unwrap()
    };
    assert!(same(&range(&long, 0..300)[0], &simulate(&short)[0]));
}

/// 0..700 + 700..2000 is 0..2000, for counted evidence and for worlds compared one by one.
#[test]
fn a_split_changes_no_byte() {
    for target in ["population", "world"] {
        let text = BASE.replace("\"win-rate\"", "\"win-rate\", \"kappa\"");
        let plan = plan(&text.replace("[estimate]", &format!("[estimate]\ntarget = \"{target}\"")));
        let range = |range| {
            study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true)
                .unwrap()
                .remove(0)
        };
        let whole = range(0..2000);
        assert!(same(&range(0..700).merge(range(700..2000)), &whole), "{target}");
        assert!(same(&range(700..2000).merge(range(0..700)), &whole), "{target}, other order");
        assert!(!same(&range(0..1999), &whole));
    }
}

#[test]
fn threads_change_no_byte() {
    let plan = shipped("swap.toml", Overrides { replicates: Some(3000), seed: None });
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulate(&plan))
    };
    let one = with(1);
    for threads in [2, 7] {
        assert!(with(threads).iter().zip(&one).all(|(a, b)| same(a, b)), "{threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..Default::default() })]
    /// Any partition of the replicates, merged in any order, gives the whole.
    #[test]
    fn any_partition_gives_the_whole(mut cuts in prop::collection::vec(1_u64..1500, 0..6), turn in 0_usize..6) {
        let plan = plan(BASE);
        let range = |range: std::ops::Range<u64>| {
            study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true).unwrap().remove(0)
        };
        cuts.extend([0, 1500]);
        cuts.sort_unstable();
        let mut parts: Vec<Gathered> = cuts.windows(2).map(|cut| range(cut[0]..cut[1])).collect();
        let turn = turn % parts.len();
        parts.rotate_left(turn);
        let merged = parts.into_iter().reduce(Gathered::merge).unwrap();
        prop_assert!(same(&merged, &range(0..1500)));
    }
}

/// Kolmogorov-Smirnov tests of 40 streams of 50,000 uniforms, each at alpha = 1e-4 / 40 (asymptotic tail
/// 2 exp(-2 n D^2)).
#[test]
fn uniforms_are_uniform() {
    let n = 50_000;
    for stream in 0..40 {
        let mut sample: Vec<f64> =
            words(Address::root(11, Purpose::Verdict).at("case", &stream.to_string()), n)
                .into_iter()
                .map(uniform)
                .collect();
        sample.sort_by(f64::total_cmp);
        let distance = sample
            .iter()
            .enumerate()
            .map(|(k, u)| (u - k as f64 / n as f64).abs().max((k + 1) as f64 / n as f64 - u))
            .fold(0.0, f64::max);
        let p = 2.0 * libm::exp(-2.0 * n as f64 * distance * distance);
        assert!(1e-4 / 40.0 < p, "stream {stream}: D = {distance}");
    }
}

/// Correlations within a stream (lags 1, 2, 16, 64) and across neighbouring addresses (case, order, judge, purpose,
/// seed), each at alpha = 1e-4 / 9, normal approximation with n = 100,000.
#[test]
fn uniforms_are_uncorrelated() {
    let n = 100_000;
    let at = |seed, purpose, judge: &str, case: &str, order: &str| {
        let address =
            Address::root(seed, purpose).at("judge", judge).at("case", case).at("order", order);
        words(address, n).into_iter().map(uniform).collect::<Vec<f64>>()
    };
    let base = at(1, Purpose::Verdict, "a", "1", "AB");
    let correlated = |what: &str, x: &[f64], y: &[f64]| {
        let products: f64 = x.iter().zip(y).map(|(x, y)| (x - 0.5) * (y - 0.5)).sum();
        let z = 12.0 * products / (x.len().min(y.len()) as f64).sqrt();
        assert!(1e-4 / 9.0 < 2.0 * phi_upper(z.abs()), "{what}: z = {z}");
    };
    for lag in [1, 2, 16, 64] {
        correlated(&format!("lag {lag}"), &base[lag..], &base[..n - lag]);
    }
    correlated("case", &base, &at(1, Purpose::Verdict, "a", "2", "AB"));
    correlated("order", &base, &at(1, Purpose::Verdict, "a", "1", "BA"));
    correlated("judge", &base, &at(1, Purpose::Verdict, "b", "1", "AB"));
    correlated("purpose", &base, &at(1, Purpose::Taste, "a", "1", "AB"));
    correlated("seed", &base, &at(2, Purpose::Verdict, "a", "1", "AB"));
}
