//! Failures and their exit codes. Every message is a sentence that says what to do.

use std::io::Write;
use std::process::ExitCode;

use judgelab::scenario::Mistakes;

use super::interrupt;

/// The exit code of a run that its time limit stopped: "a temporary failure, try again" of sysexits.
const OUT_OF_TIME: u8 = 75;

/// Why a command does not end with 0.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something that the user can mend: input, usage, a folder.
    User(String),
    /// A gate that the user asked to stop at did not pass; the results stand.
    Gate(String),
    /// The user interrupted; how far the work came, unless that was told already.
    Interrupted(Option<String>),
    /// The time that the user gave is over; what was done is saved.
    OutOfTime(String),
}

impl Failure {
    /// Prints the message on stderr and gives the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::User(message) => (Some(message), 2),
            Self::Gate(message) => (Some(message), 1),
            Self::Interrupted(message) => (message, interrupt::code()),
            Self::OutOfTime(message) => (Some(message), OUT_OF_TIME),
        };
        if let Some(message) = message {
            say(&message);
        }
        ExitCode::from(code)
    }
}

/// Prints a line on stderr.
pub(super) fn say(message: &str) {
    // With stderr closed there is nobody left to tell; the exit code still does.
    let _ = writeln!(std::io::stderr(), "{}", message.trim_end());
}

/// The longest line that is shown under a mistake, in characters.
const LONGEST: usize = 160;

/// Each mistake as a sentence, and its line with a mark under the value.
pub(super) fn pointed(mistakes: &Mistakes, text: &str) -> String {
    let mut out = Vec::new();
    for mistake in mistakes {
        out.push(format!("{mistake}\n"));
        let of_scenario = !mistake.span.is_empty() && text.get(mistake.span.clone()).is_some();
        let Some(line) = text.lines().nth(mistake.line.saturating_sub(1)).filter(|_| of_scenario)
        else {
            continue;
        };
        if LONGEST < line.chars().count() {
            continue;
        }
        let line: String = line.trim_start_matches('\u{feff}').chars().map(shown).collect();
        let before: String = line
            .chars()
            .take(mistake.column - 1)
            .map(|c| if c == '\t' { c } else { ' ' })
            .collect();
        let length = text[mistake.span.clone()].lines().next().unwrap_or("").chars().count().max(1);
        let number = mistake.line.to_string();
        let margin = " ".repeat(number.len());
        out.push(format!("  {number} | {line}\n  {margin} | {before}{}\n", "^".repeat(length)));
    }
    out.concat()
}

/// A character of a file as it is shown: what could command a terminal becomes a sign for what cannot be shown.
fn shown(c: char) -> char {
    if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c }
}
