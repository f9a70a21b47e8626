//! `judgelab check`: every mistake at once.

use std::path::{Path, PathBuf};

use judgelab::analysis::identified;
use judgelab::report;
use judgelab::scenario::Overrides;
use judgelab::verdicts::{self, Read};

use super::error::Failure;
use super::reading::{Map, one, own};
use super::source::read;

/// What is typed after `check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenario files, folders of them, or - for standard input; with --design also files of verdicts (.csv, .json, ..)
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// Say of each bias whether the design can tell it from everything else, and what data would
    #[arg(long)]
    design: bool,
    /// Of a file of verdicts: which column is what, as for analyze
    #[arg(long, value_name = "ROLE=COLUMN,..", value_parser = Map::read, requires = "design")]
    map: Option<Map>,
    /// Of a file of verdicts: which system is a judge's own; may be given several times
    #[arg(long, value_name = "JUDGE=SYSTEM", value_parser = own, requires = "design")]
    own: Vec<(String, String)>,
}

/// Whether a file is taken to hold verdicts: scenarios are TOML.
fn holds_verdicts(path: &Path) -> bool {
    path.as_os_str() != "-" && path.is_file() && path.extension().is_none_or(|it| it != "toml")
}

pub(super) fn check(args: &Args) -> Result<(), Failure> {
    let (files, scenarios): (Vec<PathBuf>, Vec<PathBuf>) =
        args.scenarios.iter().cloned().partition(|it| args.design && holds_verdicts(it));
    let (good, mistakes) = read(&scenarios, Overrides::default());
    let mut lines = Vec::new();
    for file in &files {
        lines.push(of_file(file, args)?);
    }
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

/// What a file of verdicts can tell apart.
fn of_file(file: &Path, args: &Args) -> Result<String, Failure> {
    let map = args.map.clone().map(Map::roles).unwrap_or_default();
    let contents = one(file, &verdicts::Options { map, ..verdicts::Options::default() })?;
    match &contents.read {
        Read::Pairs(it) => {
            let told = report::identified_in_file(&identified(it, &args.own));
            Ok(format!("{}: {}.\n{told}", file.display(), count(contents.counts.kept, "verdict")))
        }
        Read::Grades(_) => Err(Failure::User(format!(
            "{}: it holds grades of single answers, which have no position, and no other answer to be longer than; analyze says what they tell.",
            file.display()
        ))),
    }
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
