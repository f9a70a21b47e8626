//! `judgelab fit`: from a file of verdicts back to the laboratory.

use std::path::{Path, PathBuf};

use judgelab::analysis::{Twin, predict, twin as fitted};
use judgelab::report::twin as report;
use judgelab::scenario::Plan;
use judgelab::verdicts::Read;

use super::error::Failure;
use super::output::write_new;
use super::reading::{Reading, gathered, named};

/// What is typed after `fit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// The scenario to write; its pairs go to a file .csv beside it. Without it the fit is only told
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn fit(args: &Args) -> Result<(), Failure> {
    let files = &args.reading.files;
    let name = files.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(", ");
    let (read, _, gold) = gathered(&args.reading)?;
    let Read::Pairs(verdicts) = read else {
        return Err(Failure::User(format!(
            "{name}: the file holds grades of single answers, and a twin is fitted to comparisons; give a file of pairs, or use analyze."
        )));
    };
    named(&args.reading, &verdicts)?;
    let twin = fitted(&verdicts, &args.reading.options(gold))
        .map_err(|why| Failure::User(format!("{name}: {why}.")))?;
    let table = report::table(&twin);
    let places = args.output.as_deref().map(|it| places(it, table.is_some())).transpose()?;
    let beside = places.as_ref().and_then(|it| it.1.as_ref()?.file_name()?.to_str());
    let beside = table.as_ref().map(|_| beside.unwrap_or("twin.csv"));
    let scenario = report::scenario(&twin, &name, beside);
    let told = told(&name, &twin, &scenario, table.as_deref())?;
    super::print(&told)?;
    let Some((file, at)) = places else { return Ok(()) };
    if let (Some(at), Some(table)) = (&at, &table) {
        write_new(at, table.as_bytes())?;
    }
    write_new(&file, scenario.as_bytes())?;
    let file = file.display();
    super::print(&format!(
        "\n{file}: written. Run it with: judgelab run {file}\nWhat the next round needs: judgelab plan --scenario {file}\n"
    ))
}

/// Where the scenario and its pairs go; nothing that exists is written over.
fn places(file: &Path, table: bool) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let refused = |path: &Path, why: &str| Failure::User(format!("{}: {why}.", path.display()));
    if file.extension().is_none_or(|it| it != "toml") {
        return Err(refused(file, "a scenario is a file .toml; name one, such as twin.toml"));
    }
    let beside = table.then(|| file.with_extension("csv"));
    for path in std::iter::once(file).chain(beside.as_deref()) {
        if path.symlink_metadata().is_ok() {
            let why =
                "the file exists and is not overwritten; name another scenario, or remove this one";
            return Err(refused(path, why));
        }
    }
    Ok((file.to_owned(), beside))
}

/// The fit and its check, which runs the very scenario that is written.
fn told(name: &str, twin: &Twin, scenario: &str, table: Option<&str>) -> Result<String, Failure> {
    let mut open = |_: &str| table.map(str::to_owned).ok_or_else(|| "no such file".to_owned());
    let plan = Plan::from_toml(scenario, &mut open).map_err(|it| {
        Failure::User(format!("{name}: what is fitted to it is no scenario that runs: {it}"))
    })?;
    let prediction = predict(twin, &plan)
        .ok_or_else(|| Failure::User(format!("{name}: the twin compares no answers.")))?;
    Ok(report::text(twin, &prediction))
}
