//! Reading scenarios: a file, a folder of files, or `-` for standard input; and the files that they name.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use judgelab::scenario::{Mistake, Overrides, Plan};

use super::error::{Failure, pointed};

/// The largest scenario that is read, in bytes.
const MOST_SCENARIO: u64 = 16 << 20;
/// The largest file that a scenario may name, in bytes.
const MOST_DATA: u64 = 1 << 30;

/// A scenario with its text.
#[derive(Debug)]
pub(super) struct Source {
    /// What it is called in mistakes.
    pub name: String,
    /// The folder of its results.
    pub stem: String,
    /// Its text.
    pub text: String,
    /// Where relative file names start.
    folder: PathBuf,
}

/// A scenario whose studies can be run.
#[derive(Debug)]
pub(super) struct Planned {
    /// The scenario.
    pub source: Source,
    /// Its studies.
    pub plans: Vec<Plan>,
    /// The files that it names and their texts.
    pub files: Vec<(String, String)>,
}

/// Reads all scenarios: those in which nothing is wrong, and every mistake of the others.
pub(super) fn read(names: &[PathBuf], overrides: Overrides) -> (Vec<Planned>, String) {
    let mut good = Vec::new();
    let mut mistakes = Vec::new();
    for path in paths(names) {
        match path.and_then(|path| source(&path)).and_then(|source| source.planned(overrides)) {
            Ok(planned) => good.push(planned),
            Err(message) => mistakes.push(format!("{}\n", message.trim_end())),
        }
    }
    (good, mistakes.concat())
}

/// Reads all scenarios.
///
/// # Errors
/// Every mistake of every scenario.
pub(super) fn read_all(names: &[PathBuf], overrides: Overrides) -> Result<Vec<Planned>, Failure> {
    let (good, mistakes) = read(names, overrides);
    if mistakes.is_empty() { Ok(good) } else { Err(Failure::User(mistakes)) }
}

/// The files that are named, or why not; a folder stands for the `.toml` files in it, in order of their names.
fn paths(names: &[PathBuf]) -> Vec<Result<PathBuf, String>> {
    let mut paths = Vec::new();
    for (k, name) in names.iter().enumerate() {
        if name.as_os_str() == "-" && names[..k].contains(name) {
            paths.push(Err("-: standard input can be read once; name it once.".to_owned()));
        } else if name.is_dir() {
            match toml_files(name) {
                Ok(files) if files.is_empty() => {
                    paths.push(Err(format!(
                        "{}: the folder holds no .toml file; name a scenario.",
                        name.display()
                    )));
                }
                Ok(files) => paths.extend(files.into_iter().map(Ok)),
                Err(error) => {
                    let why = plainly(&error);
                    paths.push(Err(format!(
                        "{}: the folder cannot be read ({why}); name a scenario.",
                        name.display()
                    )));
                }
            }
        } else {
            paths.push(Ok(name.clone()));
        }
    }
    paths
}

fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "toml") && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn source(path: &Path) -> Result<Source, String> {
    let stdin = path.as_os_str() == "-";
    let name = if stdin { "stdin".to_owned() } else { path.display().to_string() };
    let bytes = if stdin {
        limited(std::io::stdin(), MOST_SCENARIO)
    } else {
        limited_file(path, MOST_SCENARIO)
    };
    let bytes = bytes
        .map_err(|why| format!("{name}: the scenario cannot be read ({why}); name a TOML file."))?;
    let text = text(bytes)
        .map_err(|line| format!("{name}:{line}: the text is not UTF-8; save the file as UTF-8."))?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(format!(
            "{name}:1: the scenario is empty; `judgelab new` writes one to start from."
        ));
    }
    let stem = if stdin {
        "stdin".into()
    } else {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    };
    if matches!(stem.as_str(), "" | "." | "..") {
        return Err(format!(
            "{name}: the results would have no folder of their own; rename the scenario."
        ));
    }
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Source { name, stem, text, folder })
}

pub(super) fn limited_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    limited(File::open(path).map_err(|error| plainly(&error))?, most)
}

/// All bytes, unless there are more than `most`: what never ends must not fill the memory.
fn limited(from: impl Read, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = from.take(most + 1).read_to_end(&mut bytes).map_err(|error| plainly(&error))?;
    if u64::try_from(read).is_ok_and(|read| read <= most) {
        Ok(bytes)
    } else {
        Err(format!("it is larger than {} MiB", most >> 20))
    }
}

/// The text of some bytes, or the line in which they are not UTF-8.
fn text(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        error.as_bytes()[..valid].split(|byte| *byte == b'\n').count()
    })
}

/// An error of the file system without its number.
pub(super) fn plainly(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

impl Source {
    /// A scenario whose text is known: its name in mistakes, the folder of its results, and its text.
    pub(super) fn known(name: &str, stem: &str, text: &str) -> Self {
        let [name, stem, text] = [name, stem, text].map(str::to_owned);
        Self { name, stem, text, folder: PathBuf::new() }
    }

    /// The text of a file that the scenario names.
    pub(super) fn file(&self, name: &str) -> Result<String, String> {
        let bytes = limited_file(&self.folder.join(name), MOST_DATA)?;
        text(bytes).map_err(|line| format!("line {line} is not UTF-8"))
    }

    fn planned(self, overrides: Overrides) -> Result<Planned, String> {
        let mut files: Vec<(String, String)> = Vec::new();
        let plans = Plan::all_from_toml(Some(&self.name), &self.text, overrides, &mut |file| {
            if let Some((_, text)) = files.iter().find(|it| it.0 == file) {
                return Ok(text.clone());
            }
            let text = self.file(file)?;
            files.push((file.to_owned(), text.clone()));
            Ok(text)
        });
        match plans {
            Ok(plans) => Ok(Planned { source: self, plans, files }),
            Err(mistakes) => {
                let named = |mistake| self.named(mistake, &files);
                Err(pointed(&mistakes.into_iter().map(named).collect(), &self.text))
            }
        }
    }

    /// A mistake in a file that the scenario names goes by a name that can be opened from here.
    fn named(&self, mut mistake: Mistake, files: &[(String, String)]) -> Mistake {
        if let Some(file) =
            mistake.file.as_ref().filter(|file| files.iter().any(|it| it.0 == **file))
        {
            mistake.file = Some(self.folder.join(file).display().to_string());
        }
        mistake
    }
}
