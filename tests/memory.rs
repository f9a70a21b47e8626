//! Memory holds distinct evidence, not replicates: four times the replicates take a few megabytes more, as rare evidence turns
//! up, and not four times as much.
#![cfg(target_os = "linux")]

use std::process::Command;

/// The peak of a run's memory in kilobytes, as the kernel tells it of a finished child.
fn peak(scenario: &str, replicates: u64) -> u64 {
    let out = tempfile::tempdir().expect("a temporary folder can be had");
    let script = format!(
        "{} run {} --replicates {replicates} --quiet --out {} >/dev/null & pid=$!; peak=0; while kill -0 $pid 2>/dev/null; do now=$(grep \
         -s VmHWM /proc/$pid/status | tr -dc 0-9); [ -n \"$now\" ] && peak=$now; sleep 0.02; done; echo $peak",
        env!("CARGO_BIN_EXE_judgelab"),
        scenario,
        out.path().display()
    );
    let done = Command::new("bash").arg("-c").arg(script).output().expect("bash runs");
    String::from_utf8_lossy(&done.stdout).trim().parse().unwrap_or(0)
}

#[test]
fn a_run_four_times_as_long_takes_little_more_memory() {
    for (scenario, replicates) in [("swap.toml", 100_000), ("graders-swap.toml", 30_000)] {
        let path = format!("{}/scenarios/{scenario}", env!("CARGO_MANIFEST_DIR"));
        let (short, long) = (peak(&path, replicates), peak(&path, 4 * replicates));
        assert!(0 < short && long < short + 12_000, "{scenario}: {short} kB, then {long} kB");
    }
}
