//! Files that are no shards, or not those of one run, and disks that are full.

use crate::desk::{Desk, SCENARIO};

const FIRST: &str = "out/s/shards/0000000000-0000000020.shard";
const SECOND: &str = "out/s/shards/0000000020-0000000040.shard";

fn split() -> Desk {
    let desk = Desk::with(SCENARIO);
    for k in [1, 2] {
        desk.types(&format!("run s.toml --shard {k}/2")).done();
    }
    desk
}

/// Asserts that a merge is refused so, that it has written nothing, and that a file is as it was.
#[track_caller]
fn refused(desk: &Desk, line: &str, why: &str) {
    let before = desk.files("out");
    let told = desk.types(&format!("merge {line} --out merged")).refused();
    assert!(told.contains(why), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!desk.path("merged").exists());
    assert_eq!(desk.files("out"), before);
}

#[test]
fn shards_of_other_runs_are_refused() {
    let desk = split();
    let other = |flags: &str, range: &str| {
        let folder = format!("other{}", flags.replace([' ', '-'], ""));
        desk.types(&format!("run s.toml --range {range} --out {folder} {flags}")).done();
        format!("{folder}/s/shards")
    };
    let seed = other("--seed 4", "20..40");
    refused(
        &desk,
        &format!("{FIRST} {seed}"),
        &format!("it has seed 4, not 3 as {FIRST} has; merge the shards of one run only."),
    );
    let replicates = other("--replicates 50", "20..40");
    refused(&desk, &format!("{FIRST} {replicates}"), "it has replicates 50, not 40 as ");
    desk.put("s.toml", format!("{SCENARIO}\n# another remark\n"));
    let scenario = other("", "20..40");
    refused(&desk, &format!("{FIRST} {scenario}"), "it has scenario digest ");
}

#[test]
fn overlapping_ranges_are_refused() {
    let desk = split();
    desk.types("run s.toml --range 15..25 --out more").done();
    let more = "more/s/shards/0000000015-0000000025.shard";
    refused(
        &desk,
        &format!("{FIRST} {more}"),
        &format!("{more}: replicates 15..20 are in {FIRST} too; merge one of the two."),
    );
    refused(
        &desk,
        &format!("{more} out/s"),
        &format!("{FIRST}: replicates 15..20 are in {more} too"),
    );
    refused(&desk, &format!("{FIRST} {FIRST}"), "replicates 0..20 are in");
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let desk = split();
    let good = desk.bytes(FIRST);
    desk.put(FIRST, &good[..good.len() - 7]);
    let why = format!(
        "{FIRST}: it is cut short after {} of {} bytes (replicates 0..20); remove it and run its range again.",
        good.len() - 7,
        good.len()
    );
    refused(&desk, "out/s", &why);
    let told = desk.types("status out/s").done();
    assert!(told.contains("broken: "), "{told}");
    assert!(told.contains("judgelab run s.toml --range 0..20 --out out --resume"), "{told}");
    // A broken shard is not written over.
    let told = desk.types("run s.toml --shard 1/2").refused();
    assert!(told.starts_with(&format!("{FIRST}: it is cut short")), "{told}");
    let mut flipped = good.clone();
    let middle = good.len() - 100;
    flipped[middle] ^= 1;
    desk.put(FIRST, &flipped);
    refused(
        &desk,
        "out/s",
        "its digest is not that of its bytes: it was changed or damaged (replicates 0..20)",
    );
    desk.put(FIRST, "id,truth\n1,0\n");
    refused(&desk, "out/s", "it is no shard of judgelab");
    let told = desk.types("run s.toml --shard 1/2").refused();
    assert!(told.contains("it is no shard of judgelab"), "{told}");
    assert_eq!(desk.text(FIRST), "id,truth\n1,0\n");
    desk.put(FIRST, &good);
    desk.put("out/s/shards/notes.txt", "mine");
    refused(
        &desk,
        "out/s",
        "out/s/shards/notes.txt: a folder of shards holds nothing else; move this file, or name the shards.",
    );
    assert_eq!(desk.text("out/s/shards/notes.txt"), "mine");
    desk.types(&format!("merge {FIRST} {SECOND} --out merged")).done();
    for (line, why) in
        [("nowhere", "cannot be read"), ("merged/s", "a folder of shards holds nothing else")]
    {
        let told = desk.types(&format!("merge {line}")).refused();
        assert!(told.contains(why), "{told}");
    }
    let told = desk.types("status merged/s").refused();
    assert!(told.contains("nothing of a run in shards, and no checkpoint"), "{told}");
}

/// Needs the right to mount; says so where it cannot.
#[cfg(target_os = "linux")]
#[test]
fn full_and_read_only_disks_are_told() {
    let desk = Desk::with(SCENARIO);
    std::fs::create_dir(desk.path("disk")).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        command.args(arguments).arg(desk.path("disk")).output().is_ok_and(|it| it.status.success())
    };
    if !run("mount", &["-t", "tmpfs", "-o", "size=4k", "judgelab"]) {
        return;
    }
    let full = desk.types("run s.toml --shard 1/2 --out disk");
    let left = desk.files("disk");
    let read_only = run("mount", &["-o", "remount,ro"]);
    let refused = desk.types("run s.toml --shard 1/2 --out disk");
    let merged = desk.types("run s.toml --out disk");
    assert!(run("umount", &[]));
    let told = full.refused();
    assert!(told.contains("no space left on device") && told.lines().count() == 1, "{told}");
    assert_eq!(left, [""; 0]);
    assert!(read_only);
    for told in [refused.refused(), merged.refused()] {
        assert!(told.contains("read-only file system") && told.lines().count() == 1, "{told}");
    }
}
