//! The command as a script types it.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// What came back: the exit code, and what was printed where.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }

    /// The words of what was printed, whose lines are wrapped.
    pub(crate) fn words(&self) -> String {
        self.out.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// `judgelab analyze` on a file of this text.
pub(crate) fn analyze(csv: &str, more: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file.csv"), csv).unwrap();
    judgelab(folder.path(), &[&["analyze", "file.csv"], more].concat())
}

pub(crate) fn judgelab(folder: &Path, args: &[&str]) -> Said {
    let mut command = assert_cmd::Command::cargo_bin("judgelab").unwrap();
    let out = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: out.status.code(), out: text(out.stdout), err: text(out.stderr) }
}

/// A number of a JSON document, by its path.
pub(crate) fn at<'v>(json: &'v Value, path: &str) -> &'v Value {
    let found = json.pointer(path);
    found.unwrap_or_else(|| panic!("{path} is missing in {json:#}"))
}

/// A value, its limits and its p-value against those computed elsewhere.
#[track_caller]
pub(crate) fn holds(json: &Value, path: &str, want: &[(&str, f64)], by: f64) {
    for (key, want) in want {
        let got = at(json, &format!("{path}/{key}")).as_f64();
        let got = got.unwrap_or_else(|| panic!("{path}/{key} is null: {}", at(json, path)));
        assert!((got - want).abs() <= by, "{path}/{key}: {got} is not {want}");
    }
}
