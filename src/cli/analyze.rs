//! `judgelab analyze`: what real verdict files say, and what they could have shown.

use std::path::PathBuf;

use clap::ValueEnum;
use judgelab::analysis::{
    Analysis, Concern, Finding, Options, analyze as of_pairs, analyze_grades,
};
use judgelab::report::Analyzed;
use judgelab::report::analysis::Recorded;
use judgelab::verdicts::Read;

use super::error::Failure;
use super::format::{Form, of_analysis};
use super::interrupt::Running;
use super::output::{MANIFEST, Outputs};
use super::reading::{Reading, gathered, named};
use super::run::terminal_size;

/// What is typed after `analyze`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// A first-shown share within this distance of one half is of no account, such as 0.05: biased, equivalent or undecided
    #[arg(long, value_name = "SHARE", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
    /// How the sentences and tables are printed
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
    /// Write the page report.html, its charts, report.txt, report.json and manifest.json to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End with exit code 1 where a judge shows one of these; with undecided also where the file cannot tell
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
}

/// What a script may want to stop at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A preference for a slot; with --margin, one that may lie beyond it
    Position,
    /// More paid for length than the label pays
    Length,
    /// A preference for the judge's own system
    SelfPreference,
    /// Agreement with the label that is not told from chance
    Agreement,
    /// A reply that is no verdict
    Invalid,
    /// What was named cannot be told from these files
    Undecided,
}

impl FailOn {
    const fn concern(self) -> Option<Concern> {
        match self {
            Self::Position => Some(Concern::Position),
            Self::Length => Some(Concern::Length),
            Self::SelfPreference => Some(Concern::SelfPreference),
            Self::Agreement => Some(Concern::Agreement),
            Self::Invalid => Some(Concern::Invalid),
            Self::Undecided => None,
        }
    }
}

fn margin(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(margin) if 0.0 < margin && margin < 0.5 => Ok(margin),
        _ => Err("a margin is a share above 0 and below 0.5, such as 0.05".to_owned()),
    }
}

pub(super) fn analyze(args: &Args) -> Result<(), Failure> {
    let (together, sources, gold) = gathered(&args.reading)?;
    let options = Options { margin: args.margin, ..args.reading.options(gold) };
    let running = Running::watched();
    let mut stops = Vec::new();
    let recorded = match together {
        Read::Pairs(verdicts) => {
            named(&args.reading, &verdicts)?;
            let mut it = of_pairs(&verdicts, &options);
            it.files = sources;
            stops = stopped(args, &it, &options);
            Recorded::from(it)
        }
        Read::Grades(grades) => {
            let mut it = analyze_grades(&grades, &options);
            it.files = sources;
            Recorded::from(it)
        }
    };
    if let Some(folder) = &args.out {
        let mut outputs = Outputs::new(&running, folder.clone());
        let json = recorded.json();
        outputs.add("report.json", json.as_bytes())?;
        // What is drawn follows from the record alone, so it is drawn from what was written.
        draw(&Recorded::from_json(&json).map_err(Failure::User)?, &mut outputs)?;
        outputs.open(MANIFEST)?;
        let manifest = Analyzed::new(recorded.files(), &outputs.names());
        outputs.write(manifest.json().as_bytes())?;
        outputs.place()?;
    }
    let told = if args.json {
        recorded.json()
    } else {
        of_analysis(&recorded, args.format, terminal_size())
    };
    super::print(&told)?;
    if stops.is_empty() { Ok(()) } else { Err(Failure::Gate(stops.join("\n"))) }
}

/// Everything that is drawn from the record of an analysis.
pub(super) fn draw(it: &Recorded, outputs: &mut Outputs<'_>) -> Result<(), Failure> {
    outputs.add("report.txt", it.text(None).as_bytes())?;
    for picture in it.pictures() {
        outputs.add(&format!("{}.svg", picture.name), picture.svg.as_bytes())?;
    }
    outputs.add("report.html", it.page().as_bytes())
}

/// What a script is to stop at.
fn stopped(args: &Args, it: &Analysis, options: &Options) -> Vec<String> {
    let concerns: Vec<Concern> = args.fail_on.iter().filter_map(|it| it.concern()).collect();
    let mut stops: Vec<String> = it
        .found(&concerns, Finding::Seen, options)
        .into_iter()
        .map(|(judge, concern)| format!("{judge}: {} is seen.", concern.name()))
        .collect();
    if args.fail_on.contains(&FailOn::Undecided) {
        let undecided = it.found(&concerns, Finding::Undecided, options).into_iter();
        stops.extend(
            undecided.map(|(judge, concern)| format!("{judge}: {} is undecided.", concern.name())),
        );
    }
    stops
}
