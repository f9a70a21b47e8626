//! `judgelab check`: every mistake at once.

use std::path::PathBuf;

use judgelab::report;
use judgelab::scenario::Overrides;

use super::error::Failure;
use super::source::read;

/// What is typed after `check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenario files, folders of them, or - for standard input
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// Say of each bias whether the design can tell it from everything else, and what data would
    #[arg(long)]
    design: bool,
}

pub(super) fn check(args: &Args) -> Result<(), Failure> {
    let (good, mistakes) = read(&args.scenarios, Overrides::default());
    let mut lines = Vec::new();
    for planned in good {
        for plan in planned.plans {
            let name = plan.name.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
            lines.push(format!(
                "{}{name}: no mistake; {}, {}, {}.\n",
                planned.source.name,
                count(plan.cells.len() as u64, "cell"),
                count(plan.replicates, "replicate"),
                count(plan.decisions(), "decision"),
            ));
            if args.design {
                lines.push(report::identified(&plan));
            }
        }
    }
    super::print(&lines.concat())?;
    if mistakes.is_empty() { Ok(()) } else { Err(Failure::User(mistakes)) }
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
