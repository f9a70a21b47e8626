//! Jobs: their size, the script that runs them on a cluster, and very many shards.

use crate::desk::{Desk, SCENARIO};
#[cfg(target_os = "linux")]
use crate::same;

#[test]
fn the_size_of_a_job_is_told_before_it_runs() {
    let desk = Desk::with(SCENARIO);
    let told = desk.types("run s.toml --dry-run").done();
    let lines: Vec<&str> = told.lines().collect();
    let decisions = 40 * 2 * (6 + 12) * 3;
    let first = format!("s.toml: {decisions} decisions (40 replicates of 6 cells), about ");
    assert!(
        lines[0].starts_with(&first) && lines[0].ends_with(" of one core, under 1 MB of counts."),
        "{told}"
    );
    assert!(lines[1].starts_with("s.toml: one task; run it here, about "), "{told}");
    let told = desk.types("run s.toml --dry-run --replicates 1000000000").done();
    assert!(told.contains(" core-hours, ") || told.contains(" of one core, "), "{told}");
    assert_eq!(desk.files(""), ["s.toml"]);
}

#[test]
fn the_script_is_printed_and_written() {
    let desk = Desk::with(SCENARIO);
    std::fs::create_dir(desk.path("my folder")).unwrap();
    desk.put("my folder/it's.toml", SCENARIO);
    let line = [
        "submit",
        "my folder/it's.toml",
        "--slurm",
        "--tasks",
        "5",
        "--partition",
        "short",
        "--seed",
        "4",
        "--out",
        "my folder/out",
    ];
    let said = crate::desk::said(desk.command("").args(line)).done();
    let script = desk.text("my folder/out/it's/slurm.sh");
    assert!(said.starts_with(&script) && said.contains("Submit it with: bash "), "{said}");
    for part in [
        "#SBATCH --array=1-5\n",
        "#SBATCH --signal=B:TERM@60\n",
        "#SBATCH --requeue\n",
        "#SBATCH --partition=short\n",
        "--kill-on-invalid-dep=yes",
        " --seed 4 --out 'my folder/out' --shard \"$SLURM_ARRAY_TASK_ID/5\" --resume",
    ] {
        assert!(script.contains(part), "{part} in {script}");
    }
    let checked = std::process::Command::new("bash")
        .arg("-n")
        .arg(desk.path("my folder/out/it's/slurm.sh"))
        .status();
    assert!(checked.unwrap().success());
    for name in ["two/a.toml", "two/b.toml"] {
        desk.put(name, SCENARIO);
    }
    for (line, why) in [
        ("submit s.toml --slurm --tasks 41", "41 tasks are more than the 40 replicates"),
        ("submit s.toml --tasks 4", "--slurm"),
        ("submit s.toml --slurm --tasks 4 --time $(reboot)", "are expected here"),
        (
            "submit two --slurm --tasks 4",
            "two: the folder holds several scenarios; submit them one by one.",
        ),
        ("submit - --slurm --tasks 4", "-: tasks cannot read standard input; name a file."),
    ] {
        let told = desk.types(line);
        assert_eq!(told.code, Some(2));
        assert!(told.err.contains(why), "{line}: {}", told.err);
    }
}

/// Ten thousand shards of a hundred replicates each, written by one process.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "in release"]
fn ten_thousand_shards_merge_in_seconds() {
    use std::time::{Duration, Instant};
    const SHARDS: u64 = 10_000;
    let desk = Desk::with(&SCENARIO.replace("replicates = 40", "replicates = 1_000_000"));
    desk.types("run s.toml --quiet --out whole").done();
    let scenario = desk.text("s.toml");
    crate::split_by_library(&desk, &scenario, SHARDS);
    assert_eq!(desk.files("out/s/shards").len() as u64, SHARDS);
    let start = Instant::now();
    let mut child = std::process::Command::new(crate::desk::JUDGELAB)
        .current_dir(desk.path(""))
        .args(["merge", "out/s", "--out", "merged", "--quiet"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|it| it.starts_with("VmHWM:")).unwrap_or_default();
        peak = line.split_whitespace().nth(1).and_then(|it| it.parse().ok()).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    let time = start.elapsed();
    same(&desk, "whole/s", "merged/s");
    #[expect(clippy::print_stderr, reason = "figures are what it is for")]
    {
        eprintln!("{SHARDS} shards: {time:?}, {peak} kB");
    }
    assert!(time < Duration::from_secs(10) && 0 < peak && peak < 200_000, "{time:?}, {peak} kB");
}
