//! The interrupt: work stops at its next look, or a second later from outside, and no temporary file stays behind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an interrupt waits for the work to stop by itself.
const GRACE: Duration = Duration::from_secs(1);

/// How long it waits where there is work to save; schedulers kill after thirty seconds.
const SAVING: Duration = Duration::from_secs(25);

/// The exit code of an interrupted command.
const INTERRUPTED: u8 = 130;

/// The exit code that the signal asks for which has come, if one has.
static CODE: AtomicU8 = AtomicU8::new(INTERRUPTED);

/// The exit code of an interrupted command: 128 and the signal, as shells have it.
pub(super) fn code() -> u8 {
    CODE.load(Ordering::SeqCst)
}

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
    /// Where replicates were saved, and the command that goes on from there.
    saved: Option<Saved>,
    /// From when on a stop saves what was done.
    saves_from: Option<Instant>,
    told: bool,
}

#[derive(Debug)]
struct Saved {
    file: PathBuf,
    go_on: String,
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
        running.clone().watch();
        running
    }

    /// Waits for a signal in a thread of its own. Where none can be watched for, it ends the process as it always does.
    #[cfg(unix)]
    fn watch(self: Arc<Self>) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let code = u8::try_from(128 + signal).unwrap_or(INTERRUPTED);
                self.interrupted(code, || signals.pending().next().is_some());
            }
        });
    }

    #[cfg(not(unix))]
    fn watch(self: Arc<Self>) {
        let _ = ctrlc::set_handler(move || self.interrupted(INTERRUPTED, || false));
    }

    /// Asks the work to stop, and ends a process whose work does not; at once where the user asks again.
    fn interrupted(&self, code: u8, mut again: impl FnMut() -> bool) {
        CODE.store(code, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
        let start = Instant::now();
        let saves = self.state().saves_from.is_some_and(|it| it <= start);
        let grace = if saves { SAVING } else { GRACE };
        while start.elapsed() < grace {
            std::thread::sleep(Duration::from_millis(50));
            // Some senders signal twice in one breath.
            if again() && GRACE < start.elapsed() {
                break;
            }
        }
        self.end();
    }

    /// Ends a process whose work does not look up.
    fn end(&self) {
        let mut state = self.state();
        state.clean();
        if let Some(message) = state.message(self.decisions()) {
            super::error::say(&message);
        }
        std::process::exit(i32::from(code()));
    }

    /// Takes note of when a stop begins to save what was done; never, without a time.
    pub(super) fn saves_from(&self, time: Option<Instant>) {
        self.state().saves_from = time;
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

    /// Takes note that a file is in its place.
    pub(super) fn written(&mut self, file: &Path) {
        self.temporary.remove(file);
    }

    /// Takes note of replicates that were saved in a file, from which `go_on` goes on.
    pub(super) fn saved(&mut self, file: &Path, go_on: &str) {
        self.saved = Some(Saved { file: file.to_owned(), go_on: go_on.to_owned() });
    }

    /// Takes note that nothing saved is left.
    pub(super) fn nothing_saved(&mut self) {
        self.saved = None;
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
                match &self.saved {
                    Some(saved) => format!(
                        "{name}: interrupted; about {done} of {replicates} replicates were done{stands}.\n{}",
                        saved.words()
                    ),
                    None => format!(
                        "{name}: interrupted; about {done} of {replicates} replicates were done, and nothing of them was \
                         written{stands}."
                    ),
                }
            }
            None if complete.is_empty() => "Interrupted before anything was written.".to_owned(),
            None => format!("Interrupted{stands}."),
        })
    }
}

impl Saved {
    fn words(&self) -> String {
        format!("Saved in {}; go on with:\n  {}", self.file.display(), self.go_on)
    }
}
