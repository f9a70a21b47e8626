//! `judgelab certify`: how every interval and test does in a scenario's designs, and which one to use.

use std::path::PathBuf;

use judgelab::report::{self, Certificate, Manifest};
use judgelab::scenario::{Overrides, Plan};
use judgelab::stream::Words;
use judgelab::study;

use super::error::Failure;
use super::interrupt::Running;
use super::output::{MANIFEST, Outputs};
use super::progress::Progress;
use super::run::{replicates, seed, terminal_size, threads};
use super::source::{Planned, read_all};

/// What is typed after `certify`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A scenario file, or - for standard input
    scenario: PathBuf,
    /// The folder of the certificates; the scenario gets a folder in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Replicates a cell, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = replicates, allow_negative_numbers = true)]
    replicates: Option<u64>,
    /// The seed, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Threads; all cores by default. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// No progress and no notes; results are printed all the same
    #[arg(long, short)]
    quiet: bool,
    /// Print certificate.json alone; of several studies a list
    #[arg(long)]
    json: bool,
}

pub(super) fn certify(args: &Args) -> Result<(), Failure> {
    let running = Running::watched();
    let overrides = Overrides { seed: args.seed, replicates: args.replicates };
    let planned = read_all(std::slice::from_ref(&args.scenario), overrides)?;
    if let Some(threads) = args.threads {
        // The pool is built once in a process; a second call could only repeat the first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    let mut certificates = Vec::new();
    let mut folders = Vec::new();
    for it in &planned {
        for plan in &it.plans {
            let folder = args.out.join(&it.source.stem);
            let folder = plan.name.as_ref().map_or(folder.clone(), |name| folder.join(name));
            folders.push(folder.display().to_string());
            certificates.push(one(args, it, plan, folder, &running)?);
        }
    }
    super::print(&shown(args, &certificates, &folders))
}

/// Certifies one study and writes its files.
fn one(
    args: &Args,
    planned: &Planned,
    plan: &Plan,
    folder: PathBuf,
    running: &Running,
) -> Result<Certificate, Failure> {
    let source = &planned.source;
    running.begin(source.name.clone(), plan.replicates, plan.decisions());
    let mut outputs = Outputs::new(running, folder);
    outputs.open("certificate.json")?;
    let progress = Progress::new(&source.stem, plan.decisions(), args.quiet || args.json, running);
    let watch = |decisions| progress.made(decisions);
    let range = 0..plan.replicates;
    let gathered =
        study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &watch)
            .map_err(|_| Failure::Interrupted(running.message()))?;
    let certificate = Certificate::new(plan, &gathered);
    outputs.write(certificate.json().as_bytes())?;
    outputs.add("certificate.csv", report::performance(&certificate.report).as_bytes())?;
    outputs.open(MANIFEST)?;
    let manifest = Manifest::new(plan, &source.text, &planned.files, &outputs.names());
    outputs.write(manifest.json().as_bytes())?;
    if running.stopped() {
        return Err(Failure::Interrupted(running.message()));
    }
    outputs.place()?;
    Ok(certificate)
}

fn shown(args: &Args, certificates: &[Certificate], folders: &[String]) -> String {
    if args.json {
        return match certificates {
            [one] => one.json(),
            all => format!("{}\n", serde_json::to_string_pretty(all).unwrap_or_default()),
        };
    }
    let width = terminal_size();
    let mut text: Vec<String> = certificates.iter().map(|it| it.text(width)).collect();
    if !args.quiet {
        text.push(format!("certificate.json and certificate.csv: {}\n", folders.join(", ")));
    }
    text.join("\n")
}
