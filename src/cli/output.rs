//! Writing: every file is written beside its place and renamed into it, and none is renamed before all are written.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::Failure;
use super::source::plainly;

/// A file that is written but not yet in its place. It is removed if it is dropped there.
#[derive(Debug)]
pub(super) struct Waiting {
    file: NamedTempFile,
    path: PathBuf,
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::user(format!("{}: the file cannot be written ({}); choose another folder with --out.", path.display(), plainly(error)))
}

/// Opens a file beside its place, making the folders above it.
pub(super) fn open(path: &Path) -> Result<Waiting, Failure> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| cannot(path, &error))?;
    let file = tempfile::Builder::new()
        .prefix(".judgelab-")
        .tempfile_in(folder)
        .map_err(|error| cannot(path, &error))?;
    Ok(Waiting { file, path: path.to_owned() })
}

impl Waiting {
    /// Adds bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| cannot(&self.path, &error))
    }
}

/// Puts files into their places.
pub(super) fn place(files: Vec<Waiting>) -> Result<(), Failure> {
    for it in &files {
        readable(it.file.path());
        it.file.as_file().sync_data().map_err(|error| cannot(&it.path, &error))?;
    }
    for it in files {
        let path = it.path;
        it.file.persist(&path).map_err(|error| cannot(&path, &error.error))?;
    }
    Ok(())
}

/// Temporary files are the owner's alone; results have the rights that other new files have.
#[cfg(unix)]
fn readable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // The rights are a courtesy; a file system without them still holds the results.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn readable(_: &Path) {}

/// Writes whole files, all or none.
pub(super) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    let mut waiting = Vec::new();
    for (path, bytes) in files {
        let mut file = open(path)?;
        file.write(bytes)?;
        waiting.push(file);
    }
    place(waiting)
}
