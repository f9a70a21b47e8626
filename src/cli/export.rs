//! `judgelab run --export-verdicts`: the simulated answers of one replicate, as files of verdicts.

use std::path::{Path, PathBuf};

use judgelab::report;
use judgelab::scenario::Plan;
use judgelab::study::Recorder;

use super::error::Failure;
use super::output::write_new;
use super::run::{Args, titled};
use super::source::Planned;

/// Writes the files, if they are asked for. Before the work: it would be a pity to find out afterwards that none can be.
pub(super) fn export(args: &Args, planned: &[Planned]) -> Result<(), Failure> {
    let Some(path) = &args.export_verdicts else { return Ok(()) };
    let cells: usize = planned.iter().flat_map(|it| &it.plans).map(|it| it.cells.len()).sum();
    for it in planned {
        for plan in &it.plans {
            for cell in 0..plan.cells.len() {
                let file = if cells == 1 { path.clone() } else { path.join(name(it, plan, cell)) };
                one(&file, (it, plan, cell), args.replicate)?;
            }
        }
    }
    Ok(())
}

/// The name of a cell's file among those of others.
fn name(planned: &Planned, plan: &Plan, cell: usize) -> PathBuf {
    let study = plan.name.as_ref().map(|it| format!("-{it}")).unwrap_or_default();
    let cell = if plan.cells.len() == 1 { String::new() } else { format!("-{}", cell + 1) };
    format!("{}{study}{cell}.csv", planned.source.stem).into()
}

fn one(
    file: &Path,
    (planned, plan, cell): (&Planned, &Plan, usize),
    replicate: u64,
) -> Result<(), Failure> {
    let tasks = plan.tasks.iter().filter(|it| it.cell == cell);
    let Some(recorder) = Recorder::new(tasks, plan.seed) else {
        return Err(Failure::User(format!(
            "--export-verdicts: the judges of {} grade single answers, and a file of verdicts holds comparisons; take a pairwise judge, or leave the option out.",
            titled(planned, plan)
        )));
    };
    write_new(file, report::verdicts(&recorder.replicate(replicate)).as_bytes())
}
