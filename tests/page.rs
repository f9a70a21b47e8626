//! The page of a study: text stays text, whatever the names; large reports stay small and quick.

#![allow(clippy::unwrap_used)]

mod support;

use std::fmt::Write as _;
use std::time::Instant;

use judgelab::report::{self, Report};
use support::{plan, simulate};

fn reported(text: &str) -> Report {
    let plan = plan(text);
    let gathered = simulate(&plan);
    Report::from_json(&Report::new(&plan, &gathered).json()).unwrap()
}

#[test]
fn names_that_look_like_markup_stay_names() {
    let long = "x".repeat(80);
    let text = format!(
        "question = '''Is <img src=x onerror=alert(1)> \"safe\" & 'sound'?'''\nseed = 1\nreplicates = 50\n\
         [world.sampled]\npairs = 6\nbetter = 0.5\nsystems = ['<script>alert(1)</script>', 'a&b\"{long}']\n\
         [judges.'<b>{long}'.pairwise]\nability = 1\nposition = 1\n\
         [estimate]\nrules = ['flip-rate', 'win-rate', 'position-effect']\n\
         [vary]\n'judges.\"<b>{long}\".pairwise.position' = [0, 1]\n"
    );
    let page = report::page(&reported(&text));
    assert!(
        !page.contains("<script>") && !page.contains("<img") && !page.contains("<b>"),
        "{page}"
    );
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") || page.contains("&lt;b&gt;xxx")
    );
}

/// Nothing flips and nothing varies: undefined effects, shares of 0 and 1, one pair.
#[test]
fn a_page_of_undefined_numbers_is_a_page() {
    let text = "seed = 1\nreplicates = 20\n[world.sampled]\npairs = 1\nbetter = 0.5\n[judges.sure.pairwise]\nability = 50\n\
                [estimate]\nrules = ['flip-rate', 'win-rate', 'position-effect']\n";
    let page = report::page(&reported(text));
    assert!(page.contains("<h1>") && page.ends_with("</html>\n"));
    assert!(!page.contains("NaN"), "{page}");
}

#[test]
fn fifty_cells_of_five_judges_are_under_two_megabytes_and_a_second() {
    let mut text = String::from(
        "question = '''How large is a large report?'''\nseed = 1\nreplicates = 20\n[world.sampled]\npairs = 10\nbetter = 0.5\n",
    );
    for k in 0..5 {
        let _ = write!(text, "[judges.j{k}.pairwise]\nability = 1\nposition = 0.{k}\n");
    }
    text.push_str(
        "[estimate]\nrules = ['flip-rate', 'first-share', 'win-rate', 'position-effect']\n[vary]\n",
    );
    text.push_str(
        "'judges.j0.pairwise.position' = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]\n",
    );
    text.push_str("'world.sampled.pairs' = [10, 20, 30, 40, 50]\n");
    let report = reported(&text);
    assert_eq!(report.results.len(), 250);
    let start = Instant::now();
    let page = report::page(&report);
    let took = start.elapsed().as_secs_f64();
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    // A busy machine and an unoptimised build are allowed for; the second is for the shipped command.
    assert!(took < 5.0, "{took} s");
}
