//! The pages of studies and analyses: text stays text, whatever the names; large reports stay small and quick.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod support;

use std::fmt::Write as _;
use std::time::Instant;

use judgelab::analysis::{Options, Source, analyze, analyze_grades};
use judgelab::report::analysis::Recorded;
use judgelab::report::{self, Report};
use judgelab::verdicts::{self, Read};
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

/// Thirty judges with names of 80 characters, shares of 0 and 1, one replicate: still pages with all charts.
#[test]
fn extremes_are_pages_with_charts() {
    let mut text = String::from(
        "seed = 1\nreplicates = 1\n[world.sampled]\npairs = 3\nbetter = 0.5\n[estimate]\n\
         rules = ['flip-rate', 'first-share', 'win-rate', 'position-effect']\n",
    );
    for k in 0..30 {
        let name = format!("{}&<{k}>\\\"", "long ".repeat(14));
        let _ = write!(text, "[judges.\"{name}\".pairwise]\nability = 50\nposition = {}\n", k % 3);
    }
    let report = reported(&text);
    let page = report::page(&report);
    assert!(page.ends_with("</html>\n") && !page.contains("NaN") && !page.contains("&<"));
    for it in report::pictures(&report) {
        assert!(!it.svg.contains("NaN") && !it.svg.contains("&<"), "{}", it.name);
    }
    assert!(page.contains("<figure>"));
}

/// Holds that every heading is linked to a word, or among the plain ones (told apart by bars).
fn headings_are_known(page: &str, plain: &str) {
    let mut unknown: Vec<&str> = Vec::new();
    for heading in page.split("<th scope=\"col\"").skip(1) {
        let text = heading.split_once('>').unwrap().1.split("</th>").next().unwrap();
        if let Some(link) = text.strip_prefix("<a href=\"#") {
            let id = link.split('"').next().unwrap();
            assert!(page.contains(&format!("<dt id=\"{id}\"")), "{id} leads nowhere");
        } else if plain.split('|').all(|it| it != text) && !unknown.contains(&text) {
            unknown.push(text);
        }
    }
    assert!(unknown.is_empty(), "{unknown:?} are neither linked nor plain");
}

/// The page of an analysis of a file's text.
fn analyzed(csv: &str, options: &Options) -> String {
    let read = verdicts::read("v.csv", csv.as_bytes(), &verdicts::Options::default()).unwrap();
    let recorded = match &read.read {
        Read::Pairs(it) => {
            let mut found = analyze(it, options);
            found.files = vec![Source::new("v.csv", &read)];
            Recorded::from(found)
        }
        Read::Grades(it) => Recorded::from(analyze_grades(it, options)),
    };
    Recorded::from_json(&recorded.json()).unwrap().page()
}

/// Verdicts of three judges with strata, repeats, lengths and labels.
fn verdicts_of_three() -> String {
    let mut csv =
        String::from("item,judge,stratum,repeat,first,second,verdict,len_first,len_second,gold\n");
    for (k, judge) in ["A", "j", "k"].into_iter().enumerate() {
        for pair in 0..24 {
            for repeat in 1..3 {
                for (order, [one, other]) in [["A", "B"], ["B", "A"]].iter().enumerate() {
                    let said = ["first", "second", "second", "tie", "first"];
                    let verdict = said[(pair * (k + 2) + order * repeat) % said.len()];
                    let lengths = [100 + 7 * pair, 130 + (5 * pair) % 37];
                    let gold = ["A", "B"][usize::from(pair % 3 == 0)];
                    let [long, short] = [lengths[order], lengths[1 - order]];
                    let stratum = ["x", "y"][pair % 2];
                    let _ = writeln!(
                        csv,
                        "{pair},{judge},{stratum},{repeat},{one},{other},{verdict},{long},{short},{gold}"
                    );
                }
            }
        }
    }
    csv
}

/// The same of the pages of an analysis, of comparisons with everything that can be told of them.
#[test]
fn headings_of_an_analysis_are_plain_or_explained() {
    let csv = verdicts_of_three();
    let own = Options { own: vec![("A".to_owned(), "A".to_owned())], ..Options::default() };
    let page = analyzed(&csv, &own);
    assert!(page.contains("self-preference"), "{page}");
    let plain = "first judge|minus|in|says A of A|says B of B|A by the label|B by the label|judge|pairs|whose|effect|found|estimate|unit|how|file|format|verdicts name the|\
         known because|records|kept|bad|against itself|length 0|row|of|low|high|rate|n|\
         both orders|two judges|and|stratum|repeat|assumed|whom it flatters|win rate of A|\
         first slot twice|second slot twice|A twice|B twice|a tie in both orders|\
         a tie in one order|ranking|position and length held|position, length and own held|\
         system|against";
    headings_are_known(&page, plain);
}

/// And of grades and of scores.
#[test]
fn headings_of_grades_are_plain_or_explained() {
    let mut grades = String::from("item,system,grade,label\n");
    let mut scores = String::from("item,system,score,label,length\n");
    for k in 0..40 {
        for (system, every) in [("new", 5), ("old", 3)] {
            let passes = if k % every == 0 { "fail" } else { "pass" };
            let label = ["", "pass", "fail", "pass"][k % 4];
            let _ = writeln!(grades, "{k},{system},{passes},{label}");
            let _ = writeln!(scores, "{k},{system},{},{},{}", k % every, k % 4, 50 + k * every);
        }
    }
    let plain = "system|cases|row|of|estimate|low|high|whose|effect|found|unit|how|assumed|\
         whom it flatters|judge|case|length|score|fitted|stratum";
    for text in [grades, scores] {
        headings_are_known(&analyzed(&text, &Options::default()), plain);
    }
}

/// Every heading of a table is a word of the list, or says by itself what stands below it.
#[test]
fn headings_are_plain_or_explained() {
    let text = "seed = 1\nreplicates = 20\n[world.sampled]\npairs = 9\nbetter = 0.5\n[judges.j.pairwise]\nability = 1\n\
                position = 0\n[estimate]\nrules = ['flip-rate', 'win-rate', 'position-effect', 'accuracy', 'kappa']\n\
                [vary]\n'judges.j.pairwise.position' = [0, 1, 2]\n";
    let plain = "judge|test|how|assumed|whom it flatters|panel|simulated|low|high|design|rule|planted|\
         position (log-odds)|position bias (log-odds)|flips|cell|interval|line";
    headings_are_known(&report::page(&reported(text)), plain);
}

fn fifty_cells_of_five_judges() -> Report {
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
    report
}

#[test]
fn a_large_report_is_under_two_megabytes() {
    let page = report::page(&fifty_cells_of_five_judges());
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
}

/// Page, charts, tables and record of 250 results: everything that `report` and the end of `run` write. The best of five counts,
/// because the machine may be busy with something else.
#[test]
#[ignore = "timed: release only"]
fn a_large_report_is_written_in_a_second() {
    let report = fifty_cells_of_five_judges();
    let mut best = f64::INFINITY;
    let mut bytes = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let json = report.json();
        let it = Report::from_json(&json).unwrap();
        let page = report::page(&it);
        let charts: usize = report::pictures(&it).iter().map(|it| it.svg.len()).sum();
        let (text, csv) = (report::text(&it, None), report::performance(&it));
        best = best.min(start.elapsed().as_secs_f64());
        bytes = json.len() + page.len() + charts + text.len() + csv.len();
    }
    eprintln!("{best:.3} s for {bytes} bytes");
    assert!(best < 1.0, "{best} s for {bytes} bytes");
}
