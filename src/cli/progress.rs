//! Progress on stderr, and only on a terminal; and the interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether the user has interrupted. A second interrupt ends the process at once.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    // Where no handler can be set, an interrupt ends the process as it always does, and temporary files stay behind.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    stop
}

/// Counts decisions and shows them.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    done: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// A bar over `decisions`, hidden if `quiet` or if stderr is no terminal.
    pub(super) fn new(what: &str, decisions: u64, quiet: bool, stop: Arc<AtomicBool>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(decisions), ProgressDrawTarget::stderr());
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = "{prefix} {bar:30} {percent:>3} %  {human_pos} of {human_len} decisions  {per_sec}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        Self { bar, done: AtomicU64::new(0), stop }
    }

    /// Takes note of decisions; whether to go on.
    pub(super) fn made(&self, decisions: u64) -> bool {
        self.done.fetch_add(decisions, Ordering::Relaxed);
        self.bar.inc(decisions);
        !self.stop.load(Ordering::SeqCst)
    }

    /// Decisions made so far.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether the user has interrupted.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Says how long a run will take, if that is worth saying.
    pub(super) fn announce(&self, decisions: u64, expected: Duration) {
        if Duration::from_secs(2) < expected && !self.bar.is_hidden() {
            self.bar.println(format!("{decisions} decisions, about {} s", expected.as_secs() + 1));
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
