//! Failures and their exit codes. Every message is a sentence that says what to do.

use std::io::Write;
use std::process::ExitCode;

use judgelab::scenario::Mistakes;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something that the user can mend: input, usage, a folder.
    User(String),
    /// Mistakes in a scenario, with its text.
    Scenario(Mistakes, String),
    /// The user interrupted.
    Interrupted(String),
}

impl Failure {
    pub(super) fn user(message: String) -> Self {
        Self::User(message)
    }

    /// Prints the message on stderr and gives the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::User(message) => (message, 2),
            Self::Scenario(mistakes, text) => (pointed(&mistakes, &text), 2),
            Self::Interrupted(message) => (message, 130),
        };
        // With stderr closed there is nobody left to tell; the exit code still does.
        let _ = writeln!(std::io::stderr(), "{}", message.trim_end());
        ExitCode::from(code)
    }
}

/// Each mistake as a sentence, and its line with a mark under the value.
pub(super) fn pointed(mistakes: &Mistakes, text: &str) -> String {
    let mut out = String::new();
    for mistake in mistakes {
        out.push_str(&format!("{mistake}\n"));
        let of_scenario = !mistake.span.is_empty() && text.get(mistake.span.clone()).is_some();
        let Some(line) = text.lines().nth(mistake.line.saturating_sub(1)).filter(|_| of_scenario) else { continue };
        if 160 < line.chars().count() {
            continue;
        }
        let before: String =
            line.chars().take(mistake.column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let length = text[mistake.span.clone()].lines().next().unwrap_or("").chars().count().max(1);
        let number = mistake.line.to_string();
        let margin = " ".repeat(number.len());
        out.push_str(&format!("  {number} | {line}\n  {margin} | {before}{}\n", "^".repeat(length)));
    }
    out
}
