//! Reading scenarios: a file, a folder of files, or `-` for standard input; and the files that they name.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use judgelab::scenario::{Overrides, Plan};

use super::error::Failure;

/// A scenario with its text and the files it names.
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

/// The scenarios that are named; a folder stands for the `.toml` files in it, in order of their names.
pub(super) fn sources(names: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for name in names {
        if name.is_dir() {
            let mut files = toml_files(name)?;
            files.sort();
            if files.is_empty() {
                return Err(Failure::user(format!("{}: the folder holds no .toml file; name a scenario.", name.display())));
            }
            for file in files {
                sources.push(source(&file)?);
            }
        } else {
            sources.push(source(name)?);
        }
    }
    Ok(sources)
}

fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable =
        |error| Failure::user(format!("{}: the folder cannot be read ({error}); name a scenario.", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
    Ok(files)
}

fn source(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| {
        Failure::user(format!("{name}: the scenario cannot be read ({}); name a TOML file.", plainly(&error)))
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        Failure::user(format!("{name}:{line}: the text is not UTF-8; save the file as UTF-8."))
    })?;
    let stem = if name == "-" { "stdin".into() } else { path.file_stem().unwrap_or_default().to_string_lossy().into_owned() };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Source { name, stem, text, folder })
}

/// An error of the file system without its number.
pub(super) fn plainly(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

impl Source {
    /// The plans of its studies, and the files that it names with their texts.
    pub(super) fn plans(&self, overrides: Overrides) -> Result<(Vec<Plan>, Vec<(String, String)>), Failure> {
        let mut files: Vec<(String, String)> = Vec::new();
        let plans = Plan::all_from_toml(Some(&self.name), &self.text, overrides, &mut |file| {
            if let Some((_, text)) = files.iter().find(|it| it.0 == file) {
                return Ok(text.clone());
            }
            let bytes = fs::read(self.folder.join(file)).map_err(|error| plainly(&error))?;
            let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
            files.push((file.to_owned(), text.clone()));
            Ok(text)
        });
        match plans {
            Ok(plans) => Ok((plans, files)),
            Err(mistakes) => Err(Failure::Scenario(mistakes, self.text.clone())),
        }
    }
}
