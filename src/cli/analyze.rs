//! `judgelab analyze`: what real verdict files say, and what they could have shown.

use std::path::PathBuf;

use clap::ValueEnum;
use judgelab::analysis::{Concern, Finding, Options, analyze as of_pairs, analyze_grades};
use judgelab::report::Analyzed;
use judgelab::report::analysis::Recorded;
use judgelab::verdicts::Read;

use super::error::Failure;
use super::format::{Form, of_analysis};
use super::interrupt::Running;
use super::output::{MANIFEST, Outputs};
use super::reading::{Reading, gathered, named, system};
use super::run::terminal_size;

/// What is typed after `analyze`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// A first-shown share within this distance of one half is of no account, such as 0.05: biased, equivalent or undecided
    #[arg(long, value_name = "SHARE", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Tell what each system wins against this one between answers of equal length, where there are three or more; without it
    /// each two that met are told
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
    /// How the sentences and tables are printed
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
    /// Write the page report.html, its charts, report.txt, report.json and manifest.json to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End with exit code 1 where a judge shows one of these; with undecided also where the files cannot tell
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
}

/// What a script may want to stop at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Comparisons: a preference for a slot; with --margin, one that may lie beyond it
    Position,
    /// Comparisons, scores: more or less paid for length than the label pays
    Length,
    /// Comparisons: a preference for the judge's own system, or against it
    SelfPreference,
    /// All files: agreement with the label that is not told from chance
    Agreement,
    /// Grades: more lenient or stricter than the label
    Leniency,
    /// Pass or fail: a pass rate as graded outside the limits of the corrected one
    Rate,
    /// Grades: two systems on the same cases differ
    Difference,
    /// All files: a reply that is no verdict
    Invalid,
    /// What was named besides cannot be told from these files
    Undecided,
}

impl FailOn {
    const fn concern(self) -> Option<Concern> {
        match self {
            Self::Position => Some(Concern::Position),
            Self::Length => Some(Concern::Length),
            Self::SelfPreference => Some(Concern::SelfPreference),
            Self::Agreement => Some(Concern::Agreement),
            Self::Leniency => Some(Concern::Leniency),
            Self::Rate => Some(Concern::Rate),
            Self::Difference => Some(Concern::Difference),
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
    let options = Options {
        margin: args.margin,
        baseline: args.baseline.clone(),
        ..args.reading.options(gold)
    };
    let running = Running::watched();
    let (recorded, stops) = match together {
        Read::Pairs(verdicts) => {
            named(&args.reading, &verdicts)?;
            if let Some(it) = &args.baseline {
                system(&format!("--baseline {it}"), it, &verdicts)?;
            }
            let asked = concerns(args, "comparisons", Concern::COMPARISONS)?;
            let mut it = of_pairs(&verdicts, &options);
            it.files = sources;
            let stops = stopped(args, &asked, |all, finding| it.found(all, finding, &options));
            (Recorded::from(it), stops)
        }
        Read::Grades(grades) => {
            if args.baseline.is_some() {
                let message = "--baseline: the files hold grades, and systems are held against a baseline in comparisons only; leave the option out.";
                return Err(Failure::User(message.to_owned()));
            }
            let mut it = analyze_grades(&grades, &options);
            it.files = sources;
            let what = if it.binary { "grades of pass and fail" } else { "scores" };
            let asked = concerns(args, what, it.concerns())?;
            let stops = stopped(args, &asked, |all, finding| it.found(all, finding, &options));
            (Recorded::from(it), stops)
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

/// What a script asks about, which these files must be able to answer.
fn concerns(args: &Args, what: &str, these: &[Concern]) -> Result<Vec<Concern>, Failure> {
    let asked: Vec<Concern> = args.fail_on.iter().filter_map(|it| it.concern()).collect();
    let names: Vec<&str> = these.iter().map(|it| it.name()).collect();
    let names = names.join(", ");
    if let Some(it) = asked.iter().find(|it| !these.contains(it)) {
        return Err(Failure::User(format!(
            "--fail-on {}: these files hold {what}, which cannot answer that; name any of {names}.",
            it.name()
        )));
    }
    if asked.is_empty() && !args.fail_on.is_empty() {
        return Err(Failure::User(format!(
            "--fail-on undecided: name what is to be decided too, any of {names}."
        )));
    }
    Ok(asked)
}

/// What a script is to stop at, judge by judge.
fn stopped<'a>(
    args: &Args,
    asked: &[Concern],
    found: impl Fn(&[Concern], Finding) -> Vec<(&'a str, Concern)>,
) -> Vec<String> {
    let seen = found(asked, Finding::Seen);
    let mut stops: Vec<String> =
        seen.into_iter().map(|(judge, it)| format!("{judge}: {}.", it.seen())).collect();
    if args.fail_on.contains(&FailOn::Undecided) {
        let undecided = found(asked, Finding::Undecided).into_iter();
        stops.extend(undecided.map(|(judge, it)| format!("{judge}: {} is undecided.", it.name())));
    }
    stops
}
