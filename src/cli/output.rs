//! Writing: every file is written beside its place and renamed into it, and none is renamed before all are written.

use std::fs;
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use judgelab::report::outputs;
use tempfile::{Builder, NamedTempFile};

use super::error::Failure;
use super::interrupt::Running;
use super::source::plainly;

/// The name of the manifest, which names all files of a run or of an analysis.
pub(super) const MANIFEST: &str = "manifest.json";

/// The files of a study, written but not yet in their places. They are removed if they are dropped there, and so are
/// the folders that were made for them.
#[derive(Debug)]
pub(super) struct Outputs<'r> {
    running: &'r Running,
    folder: PathBuf,
    files: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    name: String,
    path: PathBuf,
    file: NamedTempFile,
}

impl<'r> Outputs<'r> {
    /// No files yet, of a study whose results go to `folder`.
    pub(super) fn new(running: &'r Running, folder: PathBuf) -> Self {
        Self { running, folder, files: Vec::new() }
    }

    /// Opens the next file, making the folders above it.
    pub(super) fn open(&mut self, name: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        if path.is_dir() {
            let message = "a folder stands where this file belongs; remove it, or choose another folder with --out";
            return Err(Failure::User(format!("{}: {message}.", path.display())));
        }
        let folder = path.parent().unwrap_or(&self.folder).to_owned();
        for missing in
            folder.ancestors().take_while(|it| !it.as_os_str().is_empty() && !it.exists())
        {
            self.running.state().making(missing);
        }
        fs::create_dir_all(&folder)
            .map_err(|error| no_folder(&folder, &error, "choose another with --out"))?;
        // An interrupt must not come between a new file and the note of it.
        let mut state = self.running.state();
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let file = Builder::new()
            .prefix(&format!(".judgelab-{last}-"))
            .tempfile_in(&folder)
            .map_err(|error| cannot(&path, &error))?;
        state.writing(file.path());
        self.files.push(Waiting { name: name.to_owned(), path, file });
        Ok(())
    }

    /// Adds bytes to the file that was opened last.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(it) = self.files.last_mut() else { return Ok(()) };
        it.file.write_all(bytes).map_err(|error| cannot(&it.path, &error))
    }

    /// Adds a whole file.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.open(name)?;
        self.write(bytes)
    }

    /// The names of the files, in the order in which they were opened.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|it| it.name.clone()).collect()
    }

    /// Puts all files into their places and leaves other files as they are.
    pub(super) fn place_beside(self) -> Result<(), Failure> {
        self.renamed(&[])
    }

    /// Puts all files into their places, and removes those that an earlier run wrote and this one does not.
    pub(super) fn place(self) -> Result<(), Failure> {
        let stale = stale(&self.folder, &self.names());
        self.renamed(&stale)
    }

    fn renamed(mut self, stale: &[PathBuf]) -> Result<(), Failure> {
        for it in &self.files {
            readable(it.file.path());
            it.file.as_file().sync_data().map_err(|error| cannot(&it.path, &error))?;
        }
        let mut state = self.running.state();
        for it in std::mem::take(&mut self.files) {
            it.file.persist(&it.path).map_err(|error| cannot(&it.path, &error.error))?;
        }
        state.complete(&self.folder);
        for path in stale {
            // An old file that cannot be removed is no reason to fail a run whose own files stand.
            let _ = fs::remove_file(path);
            let _ = path.parent().map(fs::remove_dir);
        }
        Ok(())
    }
}

impl Drop for Outputs<'_> {
    fn drop(&mut self) {
        self.files.clear();
        self.running.state().clean();
    }
}

/// Files of an earlier run or analysis that this one does not write again.
fn stale(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    let text = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    // A manifest that was tampered with must not lead out of the folder.
    let inside = |name: &&String| {
        Path::new(name.as_str())
            .components()
            .all(|it| matches!(it, std::path::Component::Normal(_)))
    };
    outputs(&text)
        .iter()
        .filter(inside)
        .filter(|it| !names.contains(it))
        .map(|it| folder.join(it))
        .collect()
}

/// Writes one new file, whole or not at all, and never over another.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let refused = |what: &str| Failure::User(format!("{}: {what}.", path.display()));
    if path.is_dir() {
        return Err(refused("a scenario cannot be written to a folder; add a file name"));
    }
    let exists =
        || refused("the file exists and is not overwritten; name another file, or remove this one");
    if path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| no_folder(folder, &error, "name another file"))?;
    let written = Builder::new().prefix(".judgelab-").tempfile_in(folder).and_then(|mut file| {
        file.write_all(bytes)?;
        readable(file.path());
        file.persist_noclobber(path).map_err(|error| error.error)
    });
    match written {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(refused(&format!(
            "the file cannot be written ({}); name another file",
            plainly(&error)
        ))),
    }
}

fn cannot(path: &Path, error: &Error) -> Failure {
    let why = plainly(error);
    Failure::User(format!(
        "{}: the file cannot be written ({why}); choose another folder with --out.",
        path.display()
    ))
}

fn no_folder(folder: &Path, error: &Error, remedy: &str) -> Failure {
    // The system says that a folder exists, or that something is none, and does not say what.
    let file = folder.ancestors().find(|it| it.exists() && !it.is_dir());
    let why = file.map_or_else(|| plainly(error), |it| format!("{} is no folder", it.display()));
    Failure::User(format!("{}: the folder cannot be made ({why}); {remedy}.", folder.display()))
}

/// Temporary files are the owner's alone; results have the rights that other new files have.
#[cfg(unix)]
pub(super) fn readable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // The rights are a courtesy; a file system without them still holds the results.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
pub(super) fn readable(_: &Path) {}
