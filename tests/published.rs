//! Every published figure of the shipped documents agrees, or is wrong in the way that its note says; none differs without an
//! explanation. The tolerance of a figure that was drawn at random is four standard deviations of the study it was drawn in.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use judgelab::report::{Report, Verdict};
use judgelab::scenario::{Overrides, Plan};
use judgelab::stream::Words;
use judgelab::study;

/// Figures that agree, and figures that are wrong, in a document.
fn verdicts(name: &str, replicates: u64) -> [usize; 2] {
    let text = fs::read_to_string(support::scenario(name)).unwrap();
    let overrides = Overrides { replicates: Some(replicates), seed: None };
    let plans = Plan::all_from_toml(None, &text, overrides, &mut |file| {
        fs::read_to_string(support::scenario(file)).map_err(|error| error.to_string())
    });
    let mut count = [0; 2];
    for plan in plans.unwrap_or_else(|mistakes| panic!("{mistakes}")) {
        let range = 0..plan.replicates;
        let gathered =
            study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true)
                .unwrap();
        for it in Report::new(&plan, &gathered).published {
            match it.verdict {
                Verdict::Agrees => count[0] += 1,
                Verdict::Wrong => count[1] += 1,
                Verdict::Differs => panic!("{name}, {}: {it:#?}", it.study),
            }
        }
    }
    count
}

#[test]
fn the_lesson() {
    assert_eq!(verdicts("lesson.toml", 1000), [105, 8]);
}

#[test]
fn the_page_on_evaluation() {
    assert_eq!(verdicts("evaluation.toml", 100), [64, 2]);
}

#[test]
fn the_page_on_graders() {
    assert_eq!(verdicts("graders.toml", 500), [25, 0]);
}

#[test]
fn the_chapter_on_labelled_sets() {
    assert_eq!(verdicts("labelled-set.toml", 500), [31, 4]);
}

/// Sizes of seven tests of a mean with four sets of clusters.
#[test]
fn few_clusters() {
    assert_eq!(verdicts("few-clusters.toml", 500), [28, 0]);
}
