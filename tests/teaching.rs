//! The scenarios to teach with: every figure of an answer is one that the run computes, and the page shows the guide first.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::report::{self, Report, Verdict};
use judgelab::scenario::Overrides;
use support::{shipped, simulate};

/// The report of a scenario, through its file.
fn reported(name: &str) -> Report {
    let plan = shipped(&format!("{name}.toml"), Overrides { replicates: Some(200), seed: None });
    Report::from_json(&Report::new(&plan, &simulate(&plan)).json()).unwrap()
}

/// The percentages in a text: numbers before ` %`, with as many decimals as they are written with.
fn percentages(text: &str) -> Vec<(f64, usize)> {
    let pieces: Vec<&str> = text.split(" %").collect();
    let last = |piece: &&str| {
        let number = piece.rsplit(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
        let decimals = number.split_once('.').map_or(0, |it| it.1.len());
        Some((number.parse().ok()?, decimals))
    };
    pieces[..pieces.len() - 1].iter().filter_map(last).collect()
}

/// Each share in the answer is the exact or simulated value of a figure of the run, rounded, or one of `worked`, which a test works
/// out by hand.
fn answers(name: &str, figures: usize, worked: &[f64]) {
    let report = reported(name);
    assert_eq!(report.published.len(), figures, "{name}");
    for it in &report.published {
        assert_eq!(it.verdict, Verdict::Agrees, "{name}: {it:#?}");
    }
    let answer = report.guide.as_ref().unwrap().answer.split_whitespace().collect::<Vec<_>>();
    let answer = answer.join(" ");
    let stated = percentages(&answer);
    assert!(3 <= stated.len(), "{name}: {stated:?}");
    for (stated, decimals) in stated {
        let half = 0.5 * 0.1_f64.powi(i32::try_from(decimals).unwrap()) + 1e-6;
        let known = report.published.iter().filter_map(|it| {
            let error = it.mcse.filter(|_| it.exact.is_none()).unwrap_or(0.0);
            Some((100.0 * it.exact.or(it.simulated)?, 400.0 * error))
        });
        let mut known = known.chain(worked.iter().map(|it| (*it, 0.0)));
        assert!(known.any(|(it, by)| (it - stated).abs() <= half + by), "{name}: {stated} %");
    }
}

#[test]
fn swapping() {
    answers("teach-swapping", 4, &[]);
}

#[test]
fn fourteen_pairs() {
    answers("teach-fourteen-pairs", 5, &[]);
}

/// By chance the careful judge agrees in 0.95 x 0.86 + 0.05 x 0.14 of the cases.
#[test]
fn kappa() {
    answers("teach-kappa", 7, &[100.0 * (0.95 * 0.86 + 0.05 * 0.14)]);
}

#[test]
fn a_lenient_judge() {
    answers("teach-lenient", 4, &[]);
}

#[test]
fn the_guide_stands_before_the_results_and_its_answer_is_folded() {
    let page = report::page(&reported("teach-kappa"));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("<h2 id=\"classroom-h\">For the classroom</h2>") < place("id=\"results\""));
    let answer = place("<summary>The answer</summary>");
    assert!(place(">Before you look<") < place(">What to notice<"));
    assert!(place(">Exercise<") < answer && answer < place("kappa is (90"));
    assert!(place("7 of 7 published figures agree") < place("id=\"results\""));
}

#[test]
fn the_main_chart_is_the_one_that_the_lesson_is_about() {
    for (name, main) in [
        ("teach-swapping", "swap-judge"),
        ("teach-fourteen-pairs", "power-curve"),
        ("teach-kappa", "kappa"),
        ("teach-lenient", "corrected-rate"),
    ] {
        let pictures = report::pictures(&reported(name));
        assert_eq!(pictures[0].name, main);
        assert!(pictures.len() <= 4);
    }
}

/// A guide says the same in every cell, and all of it is needed.
#[test]
fn a_guide_is_whole() {
    let text = std::fs::read_to_string(support::scenario("teach-kappa.toml")).unwrap();
    let cut = text.replace("prediction = '''", "predicition = '''");
    let mistakes = judgelab::scenario::Plan::from_toml(&cut, &mut |_| Err(String::new()));
    assert!(mistakes.unwrap_err().to_string().contains("prediction"));
}
