//! What a run prints and writes.

use serde_json::Value;

use crate::desk::{Desk, SCENARIO};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn results_are_printed_and_stderr_is_silent_where_it_is_no_terminal() {
    let desk = Desk::with(SCENARIO);
    let told = desk.types("run s.toml").done();
    assert!(told.starts_with("What is left?\n"), "{told}");
    assert!(told.ends_with("Tables, report.json, report.html and charts: out/s\n"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn quiet_silences_notes_and_never_results() {
    let desk = Desk::with(SCENARIO);
    let told = desk.types("run s.toml").done();
    let quiet = desk.types("run s.toml --quiet").done();
    assert_eq!(told, format!("{quiet}\nTables, report.json, report.html and charts: out/s\n"));
    assert_eq!(desk.types("run s.toml -q").done(), quiet);
}

#[test]
fn json_is_the_report_alone() {
    let desk = Desk::with(SCENARIO);
    let told = desk.types("run s.toml --json").done();
    assert_eq!(told, desk.text("out/s/report.json"));
    let report = json(&told);
    assert_eq!(report["seed"], 3);
    assert_eq!(report["results"].as_array().map(Vec::len), Some(6));
    desk.put("t.toml", SCENARIO);
    let both = json(&desk.types("run s.toml t.toml --json").done());
    assert_eq!(both.as_array().unwrap(), &[report.clone(), report]);
}

#[test]
fn draws_have_a_row_for_each_estimate_and_the_same_bytes_on_any_number_of_threads() {
    let desk = Desk::with(SCENARIO);
    for threads in [1, 2] {
        desk.types(&format!(
            "run s.toml --quiet --draws --replicates 1100 --threads {threads} --out {threads}"
        ))
        .done();
    }
    let names = [
        "charts/flips-primacy.svg",
        "charts/power-curve.svg",
        "charts/swap-primacy.svg",
        "draws.csv",
        "manifest.json",
        "performance.csv",
        "report.html",
        "report.json",
    ];
    assert_eq!(desk.files("1/s"), names);
    for name in names {
        assert_eq!(
            desk.bytes(&format!("1/s/{name}")),
            desk.bytes(&format!("2/s/{name}")),
            "{name}"
        );
    }
    let estimators =
        json(&desk.text("1/s/report.json"))["results"][0]["estimators"].as_array().unwrap().len();
    assert_eq!(desk.text("1/s/draws.csv").lines().count(), 1 + 6 * 1100 * estimators);
    assert!(
        json(&desk.text("1/s/manifest.json"))["outputs"]
            .as_array()
            .unwrap()
            .contains(&"draws.csv".into())
    );
}

/// The report without the text of its scenario.
fn apart_from_its_scenario(desk: &Desk) -> String {
    let mut report = json(&desk.text("out/s/report.json"));
    report["made"].take();
    report.to_string()
}

#[test]
fn seed_and_replicates_that_were_used_are_recorded() {
    let desk = Desk::with(SCENARIO);
    let recorded = |line: &str| {
        desk.types(&format!("run s.toml --quiet {line}")).done();
        let manifest = json(&desk.text("out/s/manifest.json"));
        assert_eq!(manifest["scenario"], SCENARIO);
        assert_eq!(manifest["stream"], judgelab::stream::VERSION);
        (
            manifest["seed"].as_u64().unwrap(),
            manifest["replicates"].as_u64().unwrap(),
            apart_from_its_scenario(&desk),
        )
    };
    let (seed, replicates, plain) = recorded("");
    assert_eq!((seed, replicates), (3, 40));
    let (seed, replicates, other) = recorded("--seed 9223372036854775807 --replicates 41");
    assert_eq!((seed, replicates), (i64::MAX as u64, 41));
    assert_ne!(plain, other);
    // What the flags set gives what the scenario gives that says the same.
    desk.put("s.toml", SCENARIO.replace("seed = 3", "seed = 5").replace("= 40", "= 7"));
    desk.types("run s.toml --quiet").done();
    let written = apart_from_its_scenario(&desk);
    desk.put("s.toml", SCENARIO);
    assert_eq!(recorded("--seed 5 --replicates 7").2, written);
    for seed in ["-1", "9223372036854775808", "1.5", "x"] {
        let told = desk.types(&format!("run s.toml --seed {seed}")).refused();
        assert!(told.contains("whole number") && told.contains("; "), "{told}");
    }
}

#[test]
fn studies_of_a_file_have_a_folder_each() {
    let shared = SCENARIO.split("[vary]").next().unwrap();
    let desk = Desk::with(&format!(
        "{shared}[studies.one]\nseed = 4\n[studies.v1.2]\n[studies.\"v1.2\"]\nseed = 5\n"
    ));
    // `[studies.v1.2]` is a table in a table, which no study has.
    assert!(desk.types("check s.toml").refused().contains("a scenario has no key `2`"));
    desk.put("s.toml", format!("{shared}[studies.one]\nseed = 4\n[studies.\"v1.2\"]\nseed = 5\n"));
    let told = desk.types("run s.toml").done();
    assert!(
        told.ends_with("Tables, report.json, report.html and charts: out/s/one, out/s/v1.2\n"),
        "{told}"
    );
    assert_eq!(json(&desk.text("out/s/one/manifest.json"))["seed"], 4);
    assert_eq!(json(&desk.text("out/s/v1.2/report.json"))["study"], "v1.2");
    let told = desk.types("check s.toml").done();
    assert!(
        told.starts_with("s.toml [one]: no mistake; 1 cell, 40 replicates, 960 decisions.\n"),
        "{told}"
    );
}
