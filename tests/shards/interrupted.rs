//! Runs that were interrupted, stopped by their time limit, or killed.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, JUDGELAB, SCENARIO, Said};
use crate::{SEVERAL, same};

const CHECKPOINT: &str = "out/s/checkpoint.judgelab";

/// A study that takes some seconds: more of them where it is optimised.
fn long() -> String {
    SCENARIO.replace("replicates = 40", "replicates = 1_000_000").replace("[6, 12]", "[12, 60]")
}

fn started(desk: &Desk, line: &str) -> Child {
    let mut command = Command::new(JUDGELAB);
    command.current_dir(desk.path("")).args(line.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for(desk: &Desk, file: &str) {
    let start = Instant::now();
    while !desk.path(file).exists() {
        assert!(start.elapsed() < Duration::from_secs(40), "no {file}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signalled(child: Child, signal: &str) -> Said {
    let status = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
    assert!(status.success());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The command that a message tells to go on with.
#[track_caller]
fn go_on(said: &Said) -> String {
    let last = said.err.lines().last().unwrap_or_default();
    last.strip_prefix("  judgelab ").unwrap_or_else(|| panic!("{}", said.err)).to_owned()
}

#[test]
fn an_interrupted_run_goes_on_and_ends_in_the_same_bytes() {
    let desk = Desk::with(&long());
    desk.types("run s.toml --quiet --out whole").done();
    let line = "run s.toml --save-every 50ms --quiet";
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = started(
            &desk,
            if code == 130 { line } else { "run --resume s.toml --save-every 50ms --quiet" },
        );
        wait_for(&desk, CHECKPOINT);
        std::thread::sleep(Duration::from_millis(100));
        let said = signalled(child, signal);
        assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{}", said.err);
        assert!(said.err.starts_with("s.toml: interrupted; about "), "{}", said.err);
        assert!(
            said.err.contains("\nSaved in out/s/checkpoint.judgelab; go on with:\n"),
            "{}",
            said.err
        );
        assert_eq!(go_on(&said), "run --resume s.toml --save-every 50ms --quiet");
        assert_eq!(desk.files("out/s"), ["checkpoint.judgelab"]);
    }
    let told = desk.types("status out/s").done();
    assert!(told.contains("unfinished: out/s/checkpoint.judgelab: "), "{told}");
    // What differs is named, and nothing is lost.
    let before = desk.bytes(CHECKPOINT);
    let told = desk.types("run s.toml --resume --seed 9").refused();
    assert_eq!(
        told,
        "out/s/checkpoint.judgelab: the checkpoint is of another run: it has seed 3, not 9; remove it, or run without --resume.\n"
    );
    let told = desk.types("run s.toml --resume --replicates 4000001").refused();
    assert!(told.contains("not 4000001"), "{told}");
    assert_eq!(desk.bytes(CHECKPOINT), before);
    desk.types("run s.toml --resume").done();
    same(&desk, "whole/s", "out/s");
}

#[test]
fn a_time_limit_stops_cleanly_and_a_shard_goes_on() {
    let desk = Desk::with(&long());
    let line = "run s.toml --replicates 1000000 --max-time 300ms --quiet";
    let said = desk.types(line);
    assert_eq!((said.code, said.out.as_str()), (Some(75), ""), "{}", said.err);
    assert!(
        said.err.starts_with("s.toml: the time is over; ")
            && said.err.contains(" % of the work is done. Saved in"),
        "{}",
        said.err
    );
    assert_eq!(go_on(&said), "run --resume s.toml --replicates 1000000 --max-time 300ms --quiet");
    assert_eq!(desk.files("out/s"), ["checkpoint.judgelab"]);
    let line = "run s.toml --replicates 1000000 --shard 2/2 --out parts --max-time 100ms";
    let said = desk.types(line);
    assert_eq!(said.code, Some(75), "{}", said.err);
    assert_eq!(desk.files("parts/s/shards"), ["0000499712-0001000000.checkpoint"]);
    let told = desk.types("merge parts/s").refused();
    assert!(told.contains("the folder holds no shard"), "{told}");
    desk.types("run s.toml --replicates 1000000 --shard 1/2 --out parts").done();
    desk.types("run s.toml --replicates 1000000 --shard 2/2 --out parts --resume").done();
    let names = ["0000000000-0000499712.shard", "0000499712-0001000000.shard"];
    assert_eq!(desk.files("parts/s/shards"), names);
    desk.types("run s.toml --replicates 1000000 --resume --quiet").done();
    desk.types("merge parts/s --out merged --quiet").done();
    same(&desk, "out/s", "merged/s");
}

/// Studies that were finished before a stop are not simulated again, and all of them are in the checkpoint.
#[test]
fn several_studies_go_on() {
    let scenario = SEVERAL.replace("replicates = 400", "replicates = 40_000");
    let desk = Desk::with(&scenario);
    desk.put("cases.csv", crate::desk::CASES);
    desk.types("run s.toml --quiet --out whole").done();
    let stopped = || desk.types("run s.toml --quiet --max-time 200ms --save-every 10ms --resume");
    let mut stops = 0;
    let mut said = stopped();
    while said.code == Some(75) && stops < 1000 {
        stops += 1;
        said = stopped();
    }
    said.done();
    assert!(0 < stops);
    same(&desk, "whole/s", "out/s");
}

/// Batches of replicates until a precision is reached: a stop within one goes on to the same batches.
#[test]
fn a_precision_is_reached_by_the_same_batches() {
    let scenario = SEVERAL.replace("replicates = 400", "replicates = 2_000");
    let desk = Desk::with(&scenario);
    desk.put("cases.csv", crate::desk::CASES);
    let line = "run s.toml --quiet --mcse 0.003 --max-replicates 60000";
    desk.types(&format!("{line} --out whole")).done();
    let stopped = || desk.types(&format!("{line} --max-time 1ms --resume"));
    let mut stops = 0;
    let mut said = stopped();
    while said.code == Some(75) && stops < 1000 {
        assert!(said.err.contains(" replicates over all cells are done. Saved in"), "{}", said.err);
        if stops == 0 {
            let told = desk.types("status out/s").done();
            assert!(told.contains(" replicates over all cells are done.\n"), "{told}");
            assert!(told.contains("run s.toml --mcse 0.003 --measures mean,"), "{told}");
            let other = line.replace("0.003", "0.004");
            let told = desk.types(&format!("{other} --resume")).refused();
            assert!(told.contains("it has the precision --mcse 0.003 --measures mean,"), "{told}");
            let told = desk.types("run s.toml --quiet --resume").refused();
            assert!(told.contains("--max-replicates 60000, not no --mcse"), "{told}");
        }
        stops += 1;
        said = stopped();
    }
    said.done();
    assert!(0 < stops);
    same(&desk, "whole/s", "out/s");
}

#[test]
fn a_file_in_the_place_of_a_checkpoint_is_not_touched() {
    let desk = Desk::with(SCENARIO);
    desk.put(CHECKPOINT, "mine");
    let told = desk.types("run s.toml").refused();
    assert!(told.contains("this file stands where the checkpoint belongs"), "{told}");
    assert_eq!((desk.text(CHECKPOINT).as_str(), desk.files("out/s").len()), ("mine", 1));
    // A run that is over at once leaves none.
    std::fs::remove_file(desk.path(CHECKPOINT)).unwrap();
    desk.types("run s.toml --quiet --resume").done();
    assert!(!desk.path(CHECKPOINT).exists());
}

/// Killed at fifty moments: what stands is whole, and the end is the same. The moments come from a fixed sequence.
#[test]
#[ignore = "a minute, in release"]
fn killed_at_any_moment_it_goes_on() {
    let desk = Desk::with(&long());
    let start = Instant::now();
    desk.types("run s.toml --quiet --out whole").done();
    let whole = u64::try_from(start.elapsed().as_millis()).unwrap();
    let mut state = 20_u64;
    let (mut kills, mut held, mut ends) = (0, 0, 0);
    while kills < 50 {
        // Knuth's MMIX generator.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = (state >> 33) % whole.max(1);
        let mut child = started(&desk, "run s.toml --quiet --resume --save-every 20ms");
        std::thread::sleep(Duration::from_millis(wait));
        if child.try_wait().unwrap().is_some() {
            ends += 1;
            same(&desk, "whole/s", "out/s");
            std::fs::remove_dir_all(desk.path("out")).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        if desk.path(CHECKPOINT).exists() {
            held += 1;
            let told = desk.types("status out/s").done();
            assert!(told.contains("unfinished") && !told.contains("broken"), "{told}");
        }
        for file in ["report.json", "performance.csv", "manifest.json"] {
            if desk.path("out/s").join(file).exists() {
                assert!(
                    desk.bytes(&format!("out/s/{file}")) == desk.bytes(&format!("whole/s/{file}"))
                );
            }
        }
    }
    desk.types("run s.toml --quiet --resume").done();
    same(&desk, "whole/s", "out/s");
    assert!(
        10 < held,
        "{held} of {kills} kills left a checkpoint; {ends} runs ended before theirs"
    );
}
