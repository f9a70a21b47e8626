//! The interrupt: work stops at its next look, or a second later from outside, and no temporary file stays behind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an interrupt waits for the work to stop by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The exit code of an interrupted command.
pub(super) const INTERRUPTED: u8 = 130;

/// What runs: how far it is, what it has written, and whether the user wants it to end.
#[derive(Debug, Default)]
pub(super) struct Running {
    stop: AtomicBool,
    decisions: AtomicU64,
    state: Mutex<State>,
}

/// What an interrupt must know to clean up and to say how far the work came.
#[derive(Debug, Default)]
pub(super) struct State {
    study: Option<Study>,
    /// Folders whose files are complete.
    complete: Vec<PathBuf>,
    /// Files that are not in their places yet.
    temporary: BTreeSet<PathBuf>,
    /// Folders that were made for them.
    made: BTreeSet<PathBuf>,
    told: bool,
}

#[derive(Debug)]
struct Study {
    name: String,
    replicates: u64,
    /// Decisions a replicate.
    each: u64,
}

impl Running {
    /// Watches for an interrupt from now on.
    pub(super) fn watched() -> Arc<Self> {
        let running = Arc::new(Self::default());
        let seen = running.clone();
        // Where no handler can be set, an interrupt ends the process as it always does.
        let _ = ctrlc::set_handler(move || {
            seen.stop.store(true, Ordering::SeqCst);
            std::thread::sleep(GRACE);
            seen.end();
        });
        running
    }

    /// Ends a process whose work does not look up.
    fn end(&self) {
        let mut state = self.state();
        state.clean();
        if let Some(message) = state.message(self.decisions()) {
            super::error::say(&message);
        }
        std::process::exit(i32::from(INTERRUPTED));
    }

    /// Begins a study of so many replicates.
    pub(super) fn begin(&self, name: String, replicates: u64, decisions: u64) {
        self.decisions.store(0, Ordering::Relaxed);
        self.state().study =
            Some(Study { name, replicates, each: (decisions / replicates.max(1)).max(1) });
    }

    /// Takes note of decisions.
    pub(super) fn made(&self, decisions: u64) {
        self.decisions.fetch_add(decisions, Ordering::Relaxed);
    }

    fn decisions(&self) -> u64 {
        self.decisions.load(Ordering::Relaxed)
    }

    /// Whether the user has interrupted.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// How far the work came, once.
    pub(super) fn message(&self) -> Option<String> {
        self.state().message(self.decisions())
    }

    /// What an interrupt must know; while it is held, no interrupt ends the process.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes note of a file that is not in its place yet.
    pub(super) fn writing(&mut self, file: &Path) {
        self.temporary.insert(file.to_owned());
    }

    /// Takes note of a folder that was made.
    pub(super) fn making(&mut self, folder: &Path) {
        self.made.insert(folder.to_owned());
    }

    /// Takes note that all files of a study are in their places.
    pub(super) fn complete(&mut self, folder: &Path) {
        self.temporary.clear();
        self.made.clear();
        self.complete.push(folder.to_owned());
        self.study = None;
    }

    /// Removes what is not in its place, and the folders that were made for it.
    pub(super) fn clean(&mut self) {
        for file in std::mem::take(&mut self.temporary) {
            // It may be gone already.
            let _ = std::fs::remove_file(file);
        }
        // A folder comes after the one that it lies in; one that holds anything is not removed.
        for folder in std::mem::take(&mut self.made).iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }

    fn message(&mut self, decisions: u64) -> Option<String> {
        if std::mem::replace(&mut self.told, true) {
            return None;
        }
        let complete: Vec<String> =
            self.complete.iter().map(|it| it.display().to_string()).collect();
        let stands = if complete.is_empty() {
            String::new()
        } else {
            format!("; complete: {}", complete.join(", "))
        };
        Some(match &self.study {
            Some(Study { name, replicates, each }) => {
                let done = (decisions / each).min(*replicates);
                format!(
                    "{name}: interrupted; about {done} of {replicates} replicates were done, and nothing of them was \
                     written{stands}."
                )
            }
            None if complete.is_empty() => "Interrupted before anything was written.".to_owned(),
            None => format!("Interrupted{stands}."),
        })
    }
}
