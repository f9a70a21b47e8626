//! Holds the order of the rooms: a room imports only from rooms before it. The sources are read as text.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, each after those it may look into.
const ROOMS: [&str; 16] = [
    "quantity",
    "stats",
    "stream",
    "evidence",
    "verdicts",
    "estimators",
    "world",
    "judges",
    "protocol",
    "exact",
    "scenario",
    "study",
    "analysis",
    "report",
    "cli",
    "main",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The room of a source: the first part of its path below `src`.
fn room(file: &Path, src: &Path) -> String {
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

fn place(room: &str) -> Option<usize> {
    ROOMS.iter().position(|it| *it == room)
}

/// The rooms that a source looks into: what follows `crate::` or `judgelab::`, in uses and in paths; also inside braces.
fn looks_into(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        for start in ["crate::", "judgelab::"] {
            for (at, _) in code.match_indices(start) {
                let rest = &code[at + start.len()..];
                let names = if let Some(list) = rest.strip_prefix('{') {
                    list.split('}').next().unwrap().split(',').collect()
                } else {
                    vec![rest]
                };
                for name in names {
                    let name: String = name
                        .trim()
                        .chars()
                        .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                        .collect();
                    found.push((number + 1, name));
                }
            }
        }
    }
    found
}

#[test]
fn rooms_look_only_into_rooms_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in sources(&src) {
        let own = room(&file, &src);
        if own == "lib" {
            continue;
        }
        let shown = file.strip_prefix(&src).unwrap().display().to_string();
        let Some(here) = place(&own) else {
            wrong.push(format!("src/{shown} is in no known room"));
            continue;
        };
        for (line, name) in looks_into(&fs::read_to_string(&file).unwrap()) {
            // Readers of real files know evidence and numerics, and nothing of what is simulated.
            let apart =
                own == "verdicts" && !["verdicts", "evidence", "stats"].contains(&name.as_str());
            if let Some(there) = place(&name)
                && (here < there || apart)
            {
                wrong.push(format!(
                    "src/{shown}:{line} is in room {own} ({here}) and looks into {name} ({there})"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_test_can_fail() {
    let found = looks_into(
        "use crate::{stats, report::Report};\n// crate::cli\nlet x = crate::study::run();",
    );
    let names: Vec<&str> = found.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(names, ["stats", "report", "study"]);
}

/// What the library does not do, as absences in its sources.
#[test]
fn the_library_opens_nothing_and_knows_no_clock() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&src) {
        let own = room(&file, &src);
        if own == "cli" || own == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for absent in
            ["std::fs", "std::time", "std::env", "std::net", "println!", "thread_rng", "rayon::"]
        {
            let allowed = absent == "rayon::" && file.ends_with("study/parallel.rs");
            assert!(allowed || !code.contains(absent), "{} holds {absent}", file.display());
        }
    }
}

/// Only one file names a generator.
#[test]
fn one_file_names_the_generator() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&src) {
        let text = fs::read_to_string(&file).unwrap();
        let names = text.split("#[cfg(test)]").next().unwrap().contains("rand_chacha::")
            && !file.ends_with("tests.rs");
        assert_eq!(names, file.ends_with("stream.rs"), "{}", file.display());
    }
}
