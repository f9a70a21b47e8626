//! `judgelab report`: tables, charts and the page once more, from `report.json` alone.

use std::fs;
use std::path::{Path, PathBuf};

use judgelab::report::Report;
use judgelab::report::analysis::Recorded;

use super::error::Failure;
use super::format::{Form, of_analysis, written};
use super::interrupt::Running;
use super::output::Outputs;
use super::run::{draw, terminal_size};
use super::source::plainly;

/// What is typed after `report`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folders of results, or folders of such folders
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// How the tables are printed
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Form,
    /// Nothing is printed but mistakes
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn report(args: &Args) -> Result<(), Failure> {
    let mut found = Vec::new();
    for folder in &args.folders {
        let before = found.len();
        find(folder, 0, &mut found);
        if found.len() == before {
            let message = "there is no report.json in this folder; name a folder that run or analyze has written";
            return Err(Failure::User(format!("{}: {message}.", folder.display())));
        }
    }
    let running = Running::watched();
    let mut reports = Vec::new();
    let mut analyses = Vec::new();
    for folder in &found {
        let mut outputs = Outputs::new(&running, folder.clone());
        match read(&folder.join("report.json"))? {
            Read::Study(report) => {
                draw(&report, &mut outputs)?;
                reports.push(*report);
            }
            Read::Analysis(it) => {
                super::analyze::draw(&it, &mut outputs)?;
                analyses.push(it);
            }
        }
        outputs.place_beside()?;
    }
    if args.quiet {
        return Ok(());
    }
    let studies = (!reports.is_empty()).then(|| written(&reports, args.format, terminal_size()));
    let analyses = analyses.iter().map(|it| of_analysis(it, args.format, terminal_size()));
    let told: Vec<String> = studies.into_iter().chain(analyses).collect();
    super::print(&told.join("\n"))
}

/// Folders below folders that are looked into: DIR/scenario/study.
const DEPTH: usize = 2;

/// The folders that hold a report, in the order of their names.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join("report.json").is_file() {
        found.push(folder.to_owned());
    }
    let inside = fs::read_dir(folder).ok().filter(|_| depth < DEPTH);
    let mut folders: Vec<PathBuf> = inside
        .into_iter()
        .flatten()
        .flatten()
        .map(|it| it.path())
        .filter(|it| it.is_dir())
        .collect();
    folders.sort();
    for it in folders {
        find(&it, depth + 1, found);
    }
}

/// What a `report.json` holds.
enum Read {
    /// A simulated study.
    Study(Box<Report>),
    /// An analysis of verdict files.
    Analysis(Recorded),
}

fn read(path: &Path) -> Result<Read, Failure> {
    let refused = |what: String| Failure::User(format!("{}: {what}.", path.display()));
    let text = fs::read_to_string(path).map_err(|error| {
        let why = plainly(&error);
        refused(format!("the report cannot be read ({why}); name another folder"))
    })?;
    if Recorded::is_in(&text) {
        return Recorded::from_json(&text).map(Read::Analysis).map_err(refused);
    }
    Report::from_json(&text).map(|it| Read::Study(Box::new(it))).map_err(refused)
}
