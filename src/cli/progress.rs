//! Progress on stderr, and only on a terminal.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::interrupt::Running;

/// The longest name before a bar, in characters.
const LONGEST_NAME: usize = 24;

/// A number of decisions as one reads it.
fn millions(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{:.0} million", number / 1e6) }
}

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
        // With a name of usual length it fits into eighty columns; a line that wraps cannot be drawn over.
        let style = "{prefix} {bar:16} {percent:>3} %  {rate} decisions/s  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                // What cannot be drawn is not drawn.
                let _ = out.write_str(&millions(state.per_sec()));
            }));
        }
        bar.set_prefix(what.chars().take(LONGEST_NAME).collect::<String>());
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
            let seconds = expected.as_secs() + 1;
            self.bar
                .println(format!("{} decisions, about {seconds} s", millions(decisions as f64)));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
