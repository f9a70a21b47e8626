//! The interrupt: nothing half written, no temporary file, and word of how far the work came.
#![cfg(unix)]

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, JUDGELAB, SCENARIO};

fn started(desk: &Desk, line: &str) -> Child {
    let mut command = Command::new(JUDGELAB);
    command.current_dir(desk.path("")).args(line.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a temporary file stands in a folder: the work has begun.
fn begun(desk: &Desk, folder: &str) {
    let start = Instant::now();
    while !desk.files(folder).iter().any(|it| it.starts_with(".judgelab-")) {
        assert!(start.elapsed() < Duration::from_secs(20), "no temporary file in {folder}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signalled(child: Child, signals: &[&str]) -> (Output, Duration) {
    let start = Instant::now();
    for signal in signals {
        let status = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
        assert!(status.success());
    }
    let output = child.wait_with_output().unwrap();
    (output, start.elapsed())
}

/// Asserts the exit code (128 and the signal) and a sentence on stderr whose count of replicates stands in place of `#`, and gives the count.
#[track_caller]
fn told(output: &Output, code: i32, sentence: &str) -> u64 {
    let err = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{err}");
    let (before, after) = sentence.split_once('#').unwrap();
    let count = err.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    count.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{err}"))
}

#[test]
fn a_long_run_stops_soon_and_leaves_nothing() {
    let desk = Desk::with(SCENARIO);
    let child = started(&desk, "run s.toml --replicates 1000000000");
    begun(&desk, "out/s");
    std::thread::sleep(Duration::from_millis(300));
    let (output, time) = signalled(child, &["-INT"]);
    let sentence = "s.toml: interrupted; about # of 1000000000 replicates were done, and nothing of them was written.\n";
    let done = told(&output, 130, sentence);
    assert!(0 < done && done < 1_000_000_000, "{done}");
    assert!(time < Duration::from_secs(5), "{time:?}");
    assert_eq!(desk.files(""), ["s.toml"]);
    assert!(!desk.path("out").exists());
}

#[test]
fn what_was_complete_before_stands_and_an_earlier_run_is_not_touched() {
    let desk = Desk::with(SCENARIO);
    let long = SCENARIO.replace("replicates = 40", "replicates = 1_000_000_000");
    desk.put("long.toml", SCENARIO);
    desk.types("run long.toml --quiet").done();
    let before = desk.bytes("out/long/report.json");
    desk.put("long.toml", long);
    let child = started(&desk, "run s.toml long.toml");
    begun(&desk, "out/long");
    let (output, _) = signalled(child, &["-TERM"]);
    let sentence = "long.toml: interrupted; about # of 1000000000 replicates were done, and nothing of them was written; complete: out/s.\n";
    told(&output, 143, sentence);
    assert_eq!(desk.bytes("out/long/report.json"), before);
    let names = [
        "charts/flips-primacy.svg",
        "charts/power-curve.svg",
        "charts/swap-primacy.svg",
        "manifest.json",
        "performance.csv",
        "report.html",
        "report.json",
    ];
    assert_eq!(desk.files("out/long"), names);
    assert_eq!(desk.files("out/s"), names);
}

/// Many keys are hashed before the first replicate, and nobody looks up meanwhile. Some senders signal twice.
#[test]
fn work_that_does_not_look_up_is_ended_from_outside() {
    let text = SCENARIO.split("[vary]").next().unwrap().replace("pairs = 12", "pairs = 400_000");
    let desk = Desk::with(
        &text
            .replace("orders = 'both'", "orders = 'both'\nrepeats = 25")
            .replace("'flip-rate', ", ""),
    );
    let child = started(&desk, "run s.toml --replicates 1000000");
    begun(&desk, "out/s");
    let (output, time) = signalled(child, &["-INT", "-INT"]);
    told(
        &output,
        130,
        "s.toml: interrupted; about # of 1000000 replicates were done, and nothing of them was written.\n",
    );
    assert!(time < Duration::from_secs(5), "{time:?}");
    assert_eq!(desk.files(""), ["s.toml"]);
}

#[test]
fn writing_draws_stops_as_well() {
    let desk = Desk::with(SCENARIO);
    let child = started(&desk, "run s.toml --replicates 2000000 --draws --save-every 10m");
    let start = Instant::now();
    let temporaries = || desk.files("out/s").iter().filter(|it| it.contains(".judgelab-")).count();
    // The report, the table and the chart wait for the draws.
    while temporaries() < 4 {
        assert!(start.elapsed() < Duration::from_secs(25));
        std::thread::sleep(Duration::from_millis(5));
    }
    let (output, time) = signalled(child, &["-INT"]);
    told(
        &output,
        130,
        "s.toml: interrupted; about # of 2000000 replicates were done, and nothing of them was written.\n",
    );
    assert!(time < Duration::from_secs(5), "{time:?}");
    assert_eq!(desk.files(""), ["s.toml"]);
}
