//! Golden outputs, byte for byte: a change of any printed number is value-breaking and needs a line in the changelog.
//! `UPDATE_GOLDEN=1 cargo test --test golden` writes them again.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::Path;

use judgelab::report::{self, Report};
use judgelab::scenario::Overrides;
use support::{shipped, simulate};

fn holds(path: &str, now: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, now).unwrap();
    }
    let then = fs::read_to_string(&file).unwrap_or_default();
    if then != now {
        let different = then.lines().zip(now.lines()).position(|(then, now)| then != now);
        let line = different.unwrap_or_else(|| then.lines().count().min(now.lines().count()));
        panic!(
            "{path} differs at line {}:\n  then {:?}\n  now  {:?}\nIf that is meant, run UPDATE_GOLDEN=1 cargo test --test golden and \
             tell the changelog.",
            line + 1,
            then.lines().nth(line),
            now.lines().nth(line)
        );
    }
}

fn report_of(name: &str, replicates: Option<u64>) -> Report {
    let plan = shipped(name, Overrides { replicates, seed: None });
    let gathered = simulate(&plan);
    Report::new(&plan, &gathered)
}

#[test]
fn performance_of_every_scenario() {
    for name in ["swap", "lesson-position", "graders-swap", "three-biases"] {
        let report = report_of(&format!("{name}.toml"), Some(40));
        holds(&format!("tests/golden/{name}.performance.csv"), &report::performance(&report));
    }
}

#[test]
fn the_text_of_a_report() {
    let report = report_of("swap.toml", Some(40));
    holds("tests/golden/swap.txt", &report::text(&report, None));
}

/// The gallery that the README shows: charts of shipped scenarios with their own replicates.
#[test]
fn the_gallery() {
    let shown = [
        ("swap", "swap-primacy"),
        ("power-curve", "power-curve"),
        ("power-map", "power-map"),
        ("teach-kappa", "kappa"),
        ("teach-lenient", "corrected-rate"),
    ];
    for (scenario, chart) in shown {
        let pictures = report::pictures(&report_of(&format!("{scenario}.toml"), None));
        let picture = pictures.into_iter().find(|it| it.name == chart).unwrap();
        holds(&format!("out/gallery/{chart}.svg"), &picture.svg);
    }
}
