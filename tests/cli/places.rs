//! Where results go, and what happens where they cannot.

use std::fs;
use std::process::{Command, Stdio};

use crate::desk::{Desk, JUDGELAB, SCENARIO, said};

#[test]
fn a_folder_that_cannot_be_made() {
    let desk = Desk::with(SCENARIO);
    assert_eq!(
        desk.types("run s.toml --out /dev/null/x").refused(),
        "/dev/null/x/s: the folder cannot be made (/dev/null is no folder); choose another with --out.\n"
    );
    assert_eq!(
        desk.types("run s.toml --out s.toml").refused(),
        "s.toml/s: the folder cannot be made (s.toml is no folder); choose another with --out.\n"
    );
    assert_eq!(desk.files(""), ["s.toml"]);
}

/// The superuser writes anywhere, so that the command is run as nobody where the test is run as the superuser.
#[cfg(unix)]
#[test]
fn a_folder_that_is_read_only() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    let desk = Desk::with(SCENARIO);
    let rights = |name: &str, mode| {
        fs::set_permissions(desk.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::create_dir(desk.path("locked")).unwrap();
    let root = fs::metadata(desk.path("locked")).unwrap().uid() == 0;
    rights("locked", 0o555);
    rights("", 0o755);
    fs::copy(JUDGELAB, desk.path("judgelab")).unwrap();
    rights("judgelab", 0o755);
    let mut command = Command::new(desk.path("judgelab"));
    command.current_dir(desk.path("")).args(["run", "s.toml", "--out", "locked"]);
    if root {
        command.uid(65_534).gid(65_534);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        told,
        "locked/s: the folder cannot be made (permission denied); choose another with --out.\n"
    );
    assert_eq!(output.status.code(), Some(2));
    rights("locked", 0o755);
    fs::create_dir(desk.path("locked/s")).unwrap();
    rights("locked/s", 0o555);
    let told = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert_eq!(
        told,
        "locked/s/report.json: the file cannot be written (permission denied); choose another folder with --out.\n"
    );
    assert_eq!(desk.files("locked"), [""; 0]);
}

#[test]
fn a_folder_where_a_file_belongs_leaves_the_other_files_as_they_were() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --quiet").done();
    fs::remove_file(desk.path("out/s/performance.csv")).unwrap();
    fs::create_dir(desk.path("out/s/performance.csv")).unwrap();
    let before = desk.bytes("out/s/report.json");
    assert_eq!(
        desk.types("run s.toml --seed 9").refused(),
        "out/s/performance.csv: a folder stands where this file belongs; remove it, or choose another folder with --out.\n"
    );
    assert_eq!(desk.bytes("out/s/report.json"), before);
    assert_eq!(
        desk.files("out"),
        [
            "s/charts/flips-primacy.svg",
            "s/charts/power-curve.svg",
            "s/charts/swap-primacy.svg",
            "s/manifest.json",
            "s/report.html",
            "s/report.json"
        ]
    );
}

#[test]
fn equal_stems_in_one_call() {
    let desk = Desk::with(SCENARIO);
    desk.put("other/s.toml", SCENARIO);
    desk.put("S.toml", SCENARIO);
    let told = desk.types("run s.toml other/s.toml").refused();
    let sentence = "other/s.toml: its results and those of s.toml would go to one folder, \"s\"; rename one, or run them apart.\n";
    assert_eq!(told, sentence);
    assert!(
        desk.types("run s.toml s.toml")
            .refused()
            .starts_with("s.toml: its results and those of s.toml")
    );
    assert!(
        desk.types("run s.toml S.toml")
            .refused()
            .starts_with("S.toml: its results and those of s.toml")
    );
    assert!(!desk.path("out").exists());
    assert_eq!(desk.types("check s.toml other/s.toml").done().lines().count(), 2);
}

#[test]
fn a_folder_stands_for_its_scenarios() {
    let desk = Desk::new();
    for name in ["in/b.toml", "in/a.toml", "in/c.toml/deeper.toml", "in/notes.txt"] {
        desk.put(name, SCENARIO);
    }
    let told = desk.types("check in").done();
    let names: Vec<&str> = told.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(names, ["in/a.toml", "in/b.toml"]);
    desk.types("run in --out results --quiet").done();
    let reports: Vec<String> =
        desk.files("results").into_iter().filter(|it| it.ends_with("report.json")).collect();
    assert_eq!(reports, ["a/report.json", "b/report.json"]);
}

#[test]
fn a_rerun_replaces_what_an_earlier_run_wrote_and_removes_what_it_does_not() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --quiet --draws").done();
    desk.put("out/s/notes.txt", "mine");
    let all = [
        "charts/flips-primacy.svg",
        "charts/power-curve.svg",
        "charts/swap-primacy.svg",
        "draws.csv",
        "manifest.json",
        "notes.txt",
        "performance.csv",
        "report.html",
        "report.json",
    ];
    assert_eq!(desk.files("out/s"), all);
    let before = desk.bytes("out/s/report.json");
    desk.put("s.toml", SCENARIO.split("[vary]").next().unwrap());
    desk.types("run s.toml --quiet").done();
    assert_eq!(
        desk.files("out/s"),
        ["manifest.json", "notes.txt", "performance.csv", "report.html", "report.json"]
    );
    assert!(!desk.path("out/s/charts").exists());
    assert_ne!(desk.bytes("out/s/report.json"), before);
}

#[test]
fn a_manifest_that_was_tampered_with_removes_nothing_outside_its_folder() {
    let desk = Desk::with(SCENARIO);
    desk.types("run s.toml --quiet").done();
    desk.put("precious", "");
    let absolute = desk.path("precious").display().to_string();
    let manifest = desk.text("out/s/manifest.json");
    let outputs = format!("\"outputs\": [\n    \"../../precious\",\n    \"{absolute}\",");
    desk.put("out/s/manifest.json", manifest.replace("\"outputs\": [", &outputs));
    desk.types("run s.toml --quiet").done();
    assert!(desk.path("precious").exists());
}

#[test]
fn two_judges_whose_names_are_no_file_names_do_not_share_a_chart() {
    let text = SCENARIO.replace(
        "[judges.primacy.pairwise]",
        "[judges.'a b'.pairwise]\nposition = 1\n[judges.'a/b'.pairwise]",
    );
    let text = text.replace(
        "'judges.primacy.pairwise.position' = [0.0, 0.5, 1.0]",
        "\"judges.'a b'.pairwise.position\" = [0, 1]\n\"judges.'a/b'.pairwise.position\" = [0, 1]",
    );
    let desk = Desk::with(&text);
    desk.types("run s.toml --quiet").done();
    let files = desk.files("out/s");
    let charts = files.iter().filter(|it| it.starts_with("charts/")).count();
    let pictures = desk.text("out/s/manifest.json").matches("charts/").count();
    assert_eq!(charts, pictures, "{files:?}");
    assert!(
        files.iter().all(|it| it.chars().all(|c| c.is_ascii_alphanumeric() || "./-".contains(c))),
        "{files:?}"
    );
}

/// The reader of stdout has gone before a line is printed.
#[test]
fn a_broken_pipe_is_no_failure_once_the_files_stand() {
    let desk = Desk::with(SCENARIO);
    for line in [
        "run s.toml",
        "run s.toml --json",
        "check s.toml",
        "list",
        "schema",
        "man",
        "completions zsh",
    ] {
        let mut command = Command::new(JUDGELAB);
        command.current_dir(desk.path("")).args(line.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.as_str()), (Some(0), ""), "{line}");
    }
    assert_eq!(
        desk.files("out/s"),
        [
            "charts/flips-primacy.svg",
            "charts/power-curve.svg",
            "charts/swap-primacy.svg",
            "manifest.json",
            "performance.csv",
            "report.html",
            "report.json"
        ]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_told() {
    let desk = Desk::with(SCENARIO);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(JUDGELAB);
    let output =
        command.current_dir(desk.path("")).args(["run", "s.toml"]).stdout(full).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        told,
        "stdout: the results cannot be written (no space left on device); send them elsewhere.\n"
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(desk.path("out/s/report.json").exists());
}

#[test]
fn a_new_scenario_is_sound_and_runs_and_overwrites_nothing() {
    let desk = Desk::new();
    let told = desk.types("new deep/mine.toml").done();
    assert_eq!(
        told,
        "deep/mine.toml: a scenario to start from. Run it with: judgelab run deep/mine.toml\n"
    );
    assert!(desk.types("check deep/mine.toml").done().starts_with("deep/mine.toml: no mistake; "));
    desk.types("run deep/mine.toml --replicates 20 --quiet").done();
    let text = desk.text("deep/mine.toml");
    assert_eq!(
        desk.types("new deep/mine.toml").refused(),
        "deep/mine.toml: the file exists and is not overwritten; name another file, or remove this one.\n"
    );
    assert_eq!(desk.text("deep/mine.toml"), text);
    assert_eq!(desk.types("new -").done(), text);
    assert_eq!(
        desk.types("new deep").refused(),
        "deep: a scenario cannot be written to a folder; add a file name.\n"
    );
    assert_eq!(
        desk.types("new /dev/null/x").refused(),
        "/dev/null: the folder cannot be made (/dev/null is no folder); name another file.\n"
    );
    desk.types("new").done();
    assert_eq!(desk.text("scenario.toml"), text);
    // The commented lines hold as well: what they show can be switched on one by one.
    for line in text.lines().filter(|line| line.starts_with("# ") && line.contains(" = ")) {
        let on = line.trim_start_matches("# ");
        let mut changed = text.replace(line, on);
        if on.starts_with("quality") {
            changed = changed.replace("better = 0.5 ", "# ");
        }
        if on.starts_with("length = 0.3") {
            changed = changed.replace("# length = { log", "length = { log");
        }
        if on.starts_with("self") {
            changed =
                changed.replace("[judges.mine.pairwise]", "[judges.mine.pairwise]\nown = 'A'");
        }
        let said = said(desk.command("check -").write_stdin(changed));
        assert_eq!(said.code, Some(0), "{line}\n{}", said.err);
    }
}
