//! A simulated study, written as a file of verdicts and analysed, gives the simulation's own estimates exactly.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use judgelab::analysis::{Analysis, Number, Options, analyze};
use judgelab::report;
use judgelab::scenario::Plan;
use judgelab::study::{self, Recorder};
use judgelab::verdicts::{self, Read};

/// The estimates of a replicate, by rule.
fn estimates(plan: &Plan, replicate: u64) -> BTreeMap<String, Option<f64>> {
    let mut all = BTreeMap::new();
    study::draws(&plan.tasks, plan.seed, replicate..replicate + 1, &plan.settings, &mut |it| {
        all.insert(it.estimator.name(), it.estimate.value.ok());
        if it.estimator.name() == "position-effect/mid-p" {
            for (name, sum) in ["n", "FF", "SS"].into_iter().zip(it.sums.0) {
                all.insert(name.to_owned(), Some(sum as f64));
            }
        }
        Ok::<(), ()>(())
    })
    .unwrap();
    all
}

/// The analysis of what is exported and read again.
fn analysed(plan: &Plan, replicate: u64) -> Analysis {
    let recorder = Recorder::new(&plan.tasks, plan.seed).unwrap();
    let text = report::verdicts(&recorder.replicate(replicate));
    let read = verdicts::read("x.csv", text.as_bytes(), &verdicts::Options::default()).unwrap();
    assert_eq!(read.counts.bad + read.counts.duplicates + read.counts.contradicted, 0);
    let Read::Pairs(it) = read.read else { panic!("no comparisons") };
    analyze(&it, &Options::default())
}

const WORLD: &str = "seed = 11\nreplicates = 50\n[world.sampled]\npairs = 150\nquality = { sd = 1.0, gap = 0.2, margin = 0.3 }\n\
    length = { log-normal = 0.5 }\nsystems = [\"new\", \"old\"]\n";
const JUDGE: &str = "[judges.mine.pairwise]\nability = 1.0\nposition = 0.4\nlength = 0.3\ntaste = 0.8\nties = 0.3\ninvalid = 0.02\n";

#[test]
fn an_exported_replicate_is_analysed_to_its_own_estimates() {
    let rules = "[estimate]\nrules = [\"flip-rate\", \"first-share\", \"win-rate\", \"agreed-pairs\", \"position-effect\", \"accuracy\", \"kappa\"]\n";
    let plan = support::plan(&format!("{WORLD}{JUDGE}{rules}"));
    for replicate in [0, 1, 17] {
        let (own, all) = (estimates(&plan, replicate), analysed(&plan, replicate));
        let judge = &all.judges[0];
        assert_eq!(judge.judge, "mine");
        let position = judge.all.position.given().unwrap();
        for (name, count) in [
            ("n", position.valid_pairs),
            ("FF", position.first_first),
            ("SS", position.second_second),
        ] {
            assert_eq!(own[name], Some(count as f64), "{name} of replicate {replicate}");
        }
        let wins = judge.all.win_rate.given().unwrap();
        let agreement = judge.all.agreement.given().unwrap();
        let number = |it: &Number| it.value;
        for (rule, value) in [
            ("flip-rate", number(&position.flip_rate)),
            ("first-share", number(&position.first_share)),
            ("position-effect/mid-p", number(&position.beta)),
            ("position-effect/exact", number(&position.beta_exact)),
            ("win-rate/one-order", number(&wins.rates["shown-first"])),
            ("win-rate/averaged", number(&wins.rates["averaged"])),
            ("win-rate/conservative", number(&wins.rates["conservative"])),
            ("win-rate/majority", number(&wins.rates["majority"])),
            ("win-rate/agreed", number(&wins.rates["agreed"])),
            ("accuracy/swap", number(&agreement.together)),
            ("kappa/swap", number(&agreement.together_kappa)),
            ("accuracy/one-order", number(&agreement.by_order[0].accuracy_of_valid)),
        ] {
            let own = own.get(rule).unwrap_or_else(|| panic!("{rule} is none of {own:?}"));
            assert_eq!(*own, value, "{rule} of replicate {replicate}");
        }
    }
}

/// Repeats, one random order and a table world take other ways through the engine.
#[test]
fn other_protocols_are_exported_too() {
    let flips = "[estimate]\nrules = [\"flip-rate\", \"first-share\", \"position-effect\"]\n";
    let repeats = format!("{WORLD}drawn = \"once\"\n{JUDGE}[protocol]\nrepeats = 3\n{flips}");
    let plan = support::plan(&repeats);
    let (own, all) = (estimates(&plan, 4), analysed(&plan, 4));
    assert_eq!(all.judges[0].repeats, 3);
    let position = all.judges[0].all.position.given().unwrap();
    assert_eq!(own["flip-rate"], position.flip_rate.value);
    assert_eq!(own["first-share"], position.first_share.value);
    assert_eq!(own["position-effect/clustered"], position.beta.value);

    let random = format!(
        "{WORLD}{JUDGE}[protocol]\norders = \"random\"\n[estimate]\nrules = [\"first-share\", \"position-effect\", \"win-rate\"]\n"
    );
    let plan = support::plan(&random);
    for replicate in 0..4 {
        let (own, all) = (estimates(&plan, replicate), analysed(&plan, replicate));
        let one = all.judges[0].all.single_order.as_ref().unwrap();
        assert_eq!(own["first-share/single-order"], one.first_share.value);
        assert_eq!(own["position-effect/marginal"], one.marginal.value);
        let wins = all.judges[0].all.win_rate.given().unwrap();
        assert_eq!(own["win-rate/random-order"], wins.rates["one-order"].value);
    }
}

/// Self-preference needs two judges: both are in the file.
#[test]
fn a_file_holds_every_judge_of_a_cell() {
    let plan = support::plan(&format!(
        "{WORLD}[judges.own.pairwise]\nability = 1.0\nself = 1.0\nown = \"new\"\n[judges.third.pairwise]\nability = 1.0\n[estimate]\nthird-party = \"third\"\nrules = [\"self-preference\"]\n"
    ));
    let all = analysed(&plan, 0);
    let names: Vec<&str> = all.judges.iter().map(|it| it.judge.as_str()).collect();
    assert_eq!(names, ["own", "third"]);
    assert_eq!(all.judges[1].all.pairs, 150);
}
