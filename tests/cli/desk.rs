//! A folder to work in, and what the command says there.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A scenario that takes a moment and draws a chart; mistakes are made in it by replacing text.
pub(crate) const SCENARIO: &str = "\
question = 'What is left?'
seed = 3
replicates = 40

[world.sampled]
pairs = 12
better = 0.75

[judges.primacy.pairwise]
ability = 2.5
position = 1.0

[protocol]
orders = 'both'

[estimate]
rules = ['flip-rate', 'win-rate']

[vary]
'judges.primacy.pairwise.position' = [0.0, 0.5, 1.0]
'world.sampled.pairs' = [6, 12]
";

/// A scenario on a table of cases, which stands in `cases.csv`.
pub(crate) const ON_TABLE: &str = "\
replicates = 40
[world.table]
file = 'cases.csv'
systems = ['A', 'B']
[judges.fair.pairwise]
ability = 2.5
[estimate]
rules = ['flip-rate']
";

/// Its cases.
pub(crate) const CASES: &str = "id,truth_A,truth_B\np1,1,0\np2,0,1\np3,1,1\n";

/// The command.
pub(crate) const JUDGELAB: &str = env!("CARGO_BIN_EXE_judgelab");

/// A folder of its own for a test.
pub(crate) struct Desk(TempDir);

/// What a command said, and how it ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Desk {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with the scenario `s.toml`.
    pub(crate) fn with(scenario: &str) -> Self {
        let desk = Self::new();
        desk.put("s.toml", scenario);
        desk
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Where a name lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// The files below a folder, by their names from there, sorted; none if there is no such folder.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        below(&self.path(name), "", &mut found);
        found.sort();
        found
    }

    /// The command, about to be run here.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(JUDGELAB);
        command
            .current_dir(self.0.path())
            .args(line.split_whitespace())
            .env_remove("CLICOLOR_FORCE");
        command.timeout(std::time::Duration::from_mins(1));
        command
    }

    /// Types a line and waits for the end.
    pub(crate) fn types(&self, line: &str) -> Said {
        said(&mut self.command(line))
    }
}

/// Runs a command to its end.
pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Said {
    /// Asserts that it was done without a word on stderr, and gives what it said.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// Asserts that it was refused without a word on stdout, and gives why.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{}", self.err);
        assert!(!self.err.contains("panicked") && self.err.ends_with('\n'), "{}", self.err);
        self.err
    }
}

fn below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}
