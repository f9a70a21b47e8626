//! `run --mcse`: replicates until the numbers are known well enough.

use crate::desk::{Desk, SCENARIO};

fn replicates(desk: &Desk, folder: &str) -> String {
    let manifest = std::fs::read_to_string(desk.path(folder).join("s/manifest.json")).unwrap();
    let line = manifest.lines().find(|line| line.contains("\"replicates\"")).unwrap();
    line.chars().filter(char::is_ascii_digit).collect()
}

/// It stops at the same replicate whatever the threads, and a plain run of so many replicates has the same figures.
#[test]
fn the_replicates_follow_from_counts_alone() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --mcse 0.02 --measures power,coverage --quiet --out a --threads 1")
        .done();
    desk.types("run s.toml --mcse 0.02 --measures power,coverage --quiet --out b --threads 2")
        .done();
    let n = replicates(&desk, "a");
    assert_eq!(n, replicates(&desk, "b"));
    desk.types(&format!("run s.toml --replicates {n} --quiet --out c")).done();
    let read = |folder: &str| {
        std::fs::read_to_string(desk.path(folder).join("s/performance.csv")).unwrap()
    };
    assert_eq!(read("a"), read("b"));
    assert_eq!(read("a"), read("c"));
}

/// The scenario's replicates are the least, a multiple of the batch is the next stop, and the most are the most.
#[test]
fn least_and_most() {
    let desk = Desk::with(SCENARIO);
    let few = desk.types("run s.toml --mcse 10 --quiet").done();
    assert!(few.contains("Replicates were added until no error was above 10"), "{few}");
    let least: u64 = replicates(&desk, "out").parse().unwrap();
    assert!(SCENARIO.contains(&format!("replicates = {least}\n")), "{least}");
    let told = desk.types("run s.toml --mcse 0.0001 --max-replicates 3000 --quiet").done();
    assert!(told.contains("NOT PRECISE ENOUGH"), "{told}");
    assert_eq!(replicates(&desk, "out"), "3000");
}

#[test]
fn mistakes() {
    let desk = Desk::with(SCENARIO);
    for (typed, said) in [
        ("run s.toml --mcse 0", "an error is a number above 0"),
        ("run s.toml --mcse nan", "an error is a number above 0"),
        ("run s.toml --mcse 0.1 --measures estimand", "the measures with a Monte Carlo error"),
        ("run s.toml --max-replicates 9", "--mcse"),
    ] {
        let told = desk.types(typed).refused();
        assert!(told.contains(said), "{told}");
    }
}
