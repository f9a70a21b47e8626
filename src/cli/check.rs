//! `judgelab check`: every mistake at once.

use std::path::PathBuf;

use judgelab::scenario::Overrides;

use super::error::{Failure, pointed};
use super::source::sources;

/// What is typed after `check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenario files, folders of them, or - for standard input
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
}

pub(super) fn check(args: &Args) -> Result<(), Failure> {
    let mut mistakes = String::new();
    let mut good = String::new();
    for source in sources(&args.scenarios)? {
        match source.plans(Overrides::default()) {
            Ok((plans, _)) => {
                for plan in plans {
                    let name = plan.name.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
                    good.push_str(&format!(
                        "{}{name}: no mistake; {} cells, {} replicates, {} decisions.\n",
                        source.name,
                        plan.cells.len(),
                        plan.replicates,
                        plan.decisions()
                    ));
                }
            }
            Err(Failure::Scenario(more, text)) => mistakes.push_str(&pointed(&more, &text)),
            Err(other) => return Err(other),
        }
    }
    super::print(&good)?;
    if mistakes.is_empty() { Ok(()) } else { Err(Failure::User(mistakes)) }
}
