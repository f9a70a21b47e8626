//! Shards and merging.

use crate::desk::{CASES, Desk, ON_TABLE, SCENARIO};
use crate::{SEVERAL, SHEET, same};
use std::fmt::Write;

/// Whatever is studied, and in however many shards, run in any order.
#[test]
fn shards_merge_to_the_whole_run() {
    let pairs = SCENARIO.replace("replicates = 40", "replicates = 3000");
    for (scenario, n) in [(pairs.as_str(), 3), (SHEET, 7), (SEVERAL, 4), (ON_TABLE, 40)] {
        let desk = Desk::with(scenario);
        desk.put("cases.csv", CASES);
        let whole = desk.types("run s.toml --quiet").done();
        for k in (1..=n).rev() {
            let told = desk.types(&format!("run s.toml --shard {k}/{n} --out parts")).done();
            assert!(
                told.starts_with("parts/s/shards/") && told.contains(": replicates "),
                "{told}"
            );
        }
        assert_eq!(desk.files("parts/s").len(), n);
        assert_eq!(desk.types("merge parts/s --out merged --quiet").done(), whole);
        same(&desk, "out/s", "merged/s");
        let size: usize =
            desk.files("parts").iter().map(|it| desk.bytes(&format!("parts/{it}")).len()).sum();
        assert!(size < n * 20_000, "{size} bytes in {n} shards");
    }
}

/// The scenario and its files need not be there any more, and settings that were typed come along.
#[test]
fn shards_hold_what_a_merge_needs() {
    let desk = Desk::with(ON_TABLE);
    desk.put("cases.csv", CASES);
    desk.types("run s.toml --quiet --seed 9 --replicates 64").done();
    for k in [1, 2] {
        desk.types(&format!("run s.toml --shard {k}/2 --seed 9 --replicates 64 --out parts"))
            .done();
    }
    std::fs::remove_file(desk.path("s.toml")).unwrap();
    std::fs::remove_file(desk.path("cases.csv")).unwrap();
    desk.types("merge parts/s/shards --out merged").done();
    same(&desk, "out/s", "merged/s");
}

/// A table that is too large to be held is read again, and must be the same.
#[test]
fn large_tables_are_not_held() {
    let mut cases = CASES.to_owned();
    for k in 0..12_000 {
        let _ = writeln!(cases, "q{k:020},1,0");
    }
    let desk = Desk::with(&ON_TABLE.replace("replicates = 40", "replicates = 4"));
    desk.put("cases.csv", &cases);
    desk.types("run s.toml --quiet").done();
    desk.types("run s.toml --shard 1/1 --out parts").done();
    assert!(desk.bytes("parts/s/shards/0000000000-0000000004.shard").len() < 4000);
    let told = desk.types("merge parts/s --out merged").refused();
    assert!(told.contains(
        "\"cases.csv\" is too large to be held in shards; name the scenario with --scenario"
    ));
    desk.types("merge parts/s --out merged --scenario s.toml").done();
    same(&desk, "out/s", "merged/s");
    desk.put("cases.csv", CASES);
    let told = desk.types("merge parts/s --out again --scenario s.toml").refused();
    assert_eq!(told, "s.toml: the file \"cases.csv\" has changed since the shards were made.\n");
    assert!(!desk.path("again").exists());
}

#[test]
fn a_shard_that_stands_is_left_alone() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --range 10..20").done();
    let file = "out/s/shards/0000000010-0000000020.shard";
    let before = std::fs::metadata(desk.path(file)).unwrap().modified().unwrap();
    let told = desk.types("run s.toml --range 10..20").done();
    assert_eq!(told, format!("{file}: replicates 10..20 of 40 are there already.\n"));
    assert_eq!(std::fs::metadata(desk.path(file)).unwrap().modified().unwrap(), before);
    let told = desk.types("run s.toml --range 10..20 --seed 4").refused();
    assert_eq!(
        told,
        format!(
            "{file}: a shard of another run stands here: it has seed 3, not 4; remove it, or choose another folder with --out.\n"
        )
    );
}

/// Missing replicates are refused, with the commands that fill them; these are run as they are told.
#[test]
fn what_is_missing_is_told_and_filled() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --quiet --out whole --seed 8").done();
    for range in ["0..10", "15..25"] {
        desk.types(&format!("run s.toml --range {range} --seed 8")).done();
    }
    let told = desk.types("merge out/s --out merged").refused();
    let commands = [
        "  judgelab run s.toml --seed 8 --range 10..15 --out out --resume",
        "  judgelab run s.toml --seed 8 --range 25..40 --out out --resume",
        "  judgelab merge out/s --out merged",
    ];
    let first =
        "out/s: 20 of 40 replicates are missing (10..15, 25..40). Run them, and merge again:";
    assert_eq!(told.lines().collect::<Vec<_>>(), [&[first][..], &commands].concat());
    assert!(!desk.path("merged").exists());
    let told = desk.types("status out/s").done();
    assert!(told.starts_with("s: 20 of 40 replicates are done (50.0 %), in 2 shards.\n"), "{told}");
    assert!(told.contains(commands[0]) && told.contains(commands[1]), "{told}");
    for command in commands {
        desk.types(command.trim_start().strip_prefix("judgelab ").unwrap()).done();
    }
    same(&desk, "whole/s", "merged/s");
    let told = desk.types("status out/s").done();
    assert_eq!(
        told,
        "s: 40 of 40 replicates are done (100.0 %), in 4 shards.\nNothing is missing. The results are had with:\n  \
         judgelab merge out/s --out out\n"
    );
}

/// A partial merge is a shard again, and holds the bytes that its replicates have in one piece.
#[test]
fn partial_merges_are_shards() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --quiet --out whole").done();
    for k in 1..=4 {
        desk.types(&format!("run s.toml --shard {k}/4")).done();
    }
    desk.types("run s.toml --range 0..20 --out half").done();
    let parts = "out/s/shards/0000000000-0000000010.shard out/s/shards/0000000010-0000000020.shard";
    desk.types(&format!("merge {parts} --out-shard a.shard --quiet")).done();
    assert_eq!(desk.bytes("a.shard"), desk.bytes("half/s/shards/0000000000-0000000020.shard"));
    let told = desk.types(&format!("merge {parts} --out-shard a.shard")).refused();
    assert!(told.starts_with("a.shard: the file exists and is not overwritten"), "{told}");
    let ends = "out/s/shards/0000000000-0000000010.shard out/s/shards/0000000030-0000000040.shard";
    desk.types(&format!("merge {ends} --out-shard ends.shard --quiet")).done();
    let middle =
        "out/s/shards/0000000020-0000000030.shard out/s/shards/0000000010-0000000020.shard";
    desk.types(&format!("merge {middle} ends.shard --out merged")).done();
    same(&desk, "whole/s", "merged/s");
}

/// Gates and JSON are those of the whole run.
#[test]
fn a_merge_ends_as_the_run_does() {
    let gate = "[[gate]]\nestimator = 'flip-rate'\nmeasure = 'mean'\nat-most = 0.01\n";
    let desk = Desk::new();
    desk.put("g.toml", format!("{}{gate}", SCENARIO.split("[vary]").next().unwrap()));
    desk.types("run g.toml --shard 1/1").done();
    let run = desk.types("run g.toml --quiet --out whole --fail-on gate");
    let merge = desk.types("merge out/g --quiet --out whole --fail-on gate");
    assert_eq!((run.code, &run), (Some(1), &merge));
    let json = desk.types("run g.toml --json --out whole").done();
    assert_eq!(desk.types("merge out/g --json --out merged").done(), json);
}

#[test]
fn parts_that_do_not_exist_are_refused() {
    let desk = Desk::with(SCENARIO);
    for (line, why) in [
        ("--shard 5/4", "shard 5 of 4 does not exist"),
        ("--shard 0/4", "shard 0 of 4 does not exist"),
        (
            "--shard 1/41",
            "s.toml: 41 shards are more than the 40 replicates; ask for fewer shards.",
        ),
        (
            "--range 10..41",
            "s.toml: --range 10..41 goes past the end; replicates run from 0 to 40.",
        ),
        ("--range 10..10", "a range ends behind its start"),
        ("--shard slurm", "SLURM_ARRAY_TASK_ID is not set"),
        ("--shard 1/2 --range 0..4", "cannot be used with"),
        ("--shard 1/2 --draws", "cannot be used with"),
        ("--range 0..4 --mcse 0.1", "cannot be used with"),
        ("--max-time 5", "a time is a number with its unit"),
    ] {
        let told = desk.types(&format!("run s.toml {line}"));
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{line}");
        assert!(told.err.contains(why), "{line}: {}", told.err);
    }
    assert_eq!(desk.files(""), ["s.toml"]);
}
