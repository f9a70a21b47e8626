//! `--format`: reports on stdout as text, Markdown or LaTeX.

use clap::ValueEnum;
use judgelab::report::analysis::Recorded;
use judgelab::report::{self, Report};

/// How reports are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// For a terminal
    #[default]
    Text,
    /// Markdown, for a pull request
    Markdown,
    /// LaTeX tables, for a paper (with booktabs)
    Latex,
    /// A short Markdown summary, for a comment of a CI
    Summary,
}

/// The reports as they are printed; `width` is the terminal's.
pub(super) fn written(reports: &[Report], form: Form, width: Option<u16>) -> String {
    match form {
        Form::Text => {
            let mut text: Vec<String> = reports.iter().map(|it| report::text(it, width)).collect();
            text.extend(report::document(reports));
            text.join("\n")
        }
        Form::Markdown => report::as_markdown(reports),
        Form::Latex => report::as_latex(reports),
        Form::Summary => report::as_summary(reports),
    }
}

/// An analysis as it is printed.
pub(super) fn of_analysis(it: &Recorded, form: Form, width: Option<u16>) -> String {
    match form {
        Form::Text => it.text(width),
        Form::Markdown => it.as_markdown(),
        Form::Latex => it.as_latex(),
        Form::Summary => it.as_summary(),
    }
}
