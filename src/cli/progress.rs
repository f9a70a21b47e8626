//! Progress on stderr, and only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt::Running;

/// Counts decisions and shows them.
#[derive(Debug)]
pub(super) struct Progress<'r> {
    bar: ProgressBar,
    running: &'r Running,
}

impl<'r> Progress<'r> {
    /// A bar over `decisions`, hidden if `quiet` or if stderr is no terminal.
    pub(super) fn new(what: &str, decisions: u64, quiet: bool, running: &'r Running) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(decisions), target);
        let style = "{prefix} {bar:30} {percent:>3} %  {human_pos} of {human_len} decisions  {per_sec}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        Self { bar, running }
    }

    /// Takes note of decisions; whether to go on.
    pub(super) fn made(&self, decisions: u64) -> bool {
        self.running.made(decisions);
        self.bar.inc(decisions);
        !self.running.stopped()
    }

    /// Whether nobody sees it.
    pub(super) fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// Says how long a run will take, if that is worth saying.
    pub(super) fn announce(&self, decisions: u64, expected: Duration) {
        if Duration::from_secs(2) < expected {
            self.bar.println(format!("{decisions} decisions, about {} s", expected.as_secs() + 1));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
