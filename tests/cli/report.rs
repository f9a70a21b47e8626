//! `judgelab report` and `--format`: everything that is drawn follows from report.json alone.

use std::fs;

use crate::desk::{Desk, SCENARIO};

#[test]
fn a_folder_with_nothing_but_the_report_is_drawn_again_byte_for_byte() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml").done();
    let names = desk.files("out/s");
    fs::create_dir_all(desk.path("other/s")).unwrap();
    fs::copy(desk.path("out/s/report.json"), desk.path("other/s/report.json")).unwrap();
    let told = desk.types("report other").done();
    assert!(desk.types("run s.toml --quiet").done() == told);
    for name in names.iter().filter(|it| *it != "manifest.json") {
        assert!(
            desk.bytes(&format!("out/s/{name}")) == desk.bytes(&format!("other/s/{name}")),
            "{name}"
        );
    }
    assert_eq!(desk.files("other/s").len() + 1, names.len());
}

#[test]
fn redrawing_leaves_the_other_files_of_a_run_alone() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --draws").done();
    let before = desk.files("out/s");
    desk.types("report out --quiet").done();
    assert_eq!(desk.files("out/s"), before);
}

#[test]
fn tables_for_papers_and_pull_requests() {
    let desk = Desk::with(SCENARIO);
    let latex = desk.types("run s.toml --format latex").done();
    assert!(latex.contains("\\begin{tabular}") && latex.contains("\\toprule"), "{latex}");
    let markdown = desk.types("report out --format markdown").done();
    assert!(markdown.contains("| ---: |"), "{markdown}");
    let summary = desk.types("report out --format summary").done();
    assert!(summary.starts_with("### ") && summary.len() < markdown.len(), "{summary}");
    assert!(desk.types("run s.toml --format latex --json").refused().contains("--json"));
}

#[test]
fn what_is_no_report_is_refused_in_a_sentence() {
    let desk = Desk::with(SCENARIO);
    assert_eq!(
        desk.types("report nowhere").refused(),
        "nowhere: there is no report.json in this folder; name a folder that run or analyze has written.\n"
    );
    fs::create_dir(desk.path("odd")).unwrap();
    desk.put("odd/report.json", "{\"schema_version\": 99}");
    assert_eq!(
        desk.types("report odd").refused(),
        "odd/report.json: the report has shape 99 and this judgelab reads shape 1; use the version that wrote it, or run the \
         scenario again.\n"
    );
    desk.put("odd/report.json", "{\n \"schema_version\": 1}");
    let told = desk.types("report odd").refused();
    assert!(told.starts_with("odd/report.json: line 2: this is no report of judgelab"), "{told}");
    assert_eq!(desk.files("odd"), ["report.json"]);
}
