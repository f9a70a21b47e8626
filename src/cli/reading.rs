//! How files of verdicts are read: the flags that every command about them takes.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use judgelab::analysis::{Options, Source};
use judgelab::quantity::Level;
use judgelab::verdicts::{self, Coding, Contents, Labels, Mode, Read, Role, Verdicts};

use super::detect::level;
use super::error::Failure;
use super::source::plainly;

/// Files of verdicts, and what is to be known of them.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// Files of verdicts (CSV, TSV, JSON, JSONL, gzip too), or - for standard input; several files are several judges, unless
    /// a column names them
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Which column is what, where their names do not tell: pair=id,first=left,second=right,verdict=pick
    #[arg(long, value_name = "ROLE=COLUMN,..", value_parser = Map::read)]
    map: Option<Map>,
    /// What a verdict names: the slot in which an answer was shown, or the system; deduced where it is not said
    #[arg(long)]
    coded: Option<Coded>,
    /// How a verdict is read from a judge's free text
    #[arg(long, value_enum, default_value_t = Text::Marked)]
    text: Text,
    /// Only these judges
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    judge: Vec<String>,
    /// The gold label: a column of the file, or judges whose majority it is
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    gold: Vec<String>,
    /// How the labelled cases were drawn; it decides how a pass rate is corrected
    #[arg(long, value_enum, default_value_t = Drawn::Unknown)]
    labels: Drawn,
    /// Which system is a judge's own; may be given several times
    #[arg(long, value_name = "JUDGE=SYSTEM", value_parser = own)]
    own: Vec<(String, String)>,
    /// The confidence level
    #[arg(long, value_name = "L", value_parser = level, allow_negative_numbers = true)]
    level: Option<Level>,
    /// Stop at the first line that cannot be used
    #[arg(long)]
    strict: bool,
}

/// A column map, which is one value to the command line.
#[derive(Clone, Debug)]
pub(super) struct Map(Vec<(Role, String)>);

impl Map {
    /// The columns by their roles.
    pub(super) fn roles(self) -> Vec<(Role, String)> {
        self.0
    }

    pub(super) fn read(text: &str) -> Result<Self, String> {
        verdicts::Options::parse_map(text).map(Self)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Coded {
    /// The answer shown first or second
    Slot,
    /// The same system in both orders
    System,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Text {
    /// Exactly one verdict in the agreed form, at the end
    Strict,
    /// The last [[A]], [[B]] or [[C]]
    Marked,
    /// Any wording that asserts a verdict
    Permissive,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Drawn {
    /// A random sample of the judged cases
    Random,
    /// So many of each label, or an older set
    Balanced,
    /// Nobody knows: both corrections are shown
    Unknown,
}

pub(super) fn own(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((judge, system)) if !judge.is_empty() && !system.is_empty() => {
            Ok((judge.to_owned(), system.to_owned()))
        }
        _ => Err("write JUDGE=SYSTEM, such as gpt-4=gpt-4-turbo".to_owned()),
    }
}

impl Reading {
    /// How the files are read, with or without a column of labels.
    fn read_with(&self, gold: Option<&String>) -> verdicts::Options {
        let mut judges = self.judge.clone();
        if !judges.is_empty() && gold.is_none() {
            judges.extend(self.gold.iter().cloned());
        }
        verdicts::Options {
            map: self.map.clone().map(|it| it.0).unwrap_or_default(),
            coded: self.coded.map(|it| match it {
                Coded::Slot => Coding::Slot,
                Coded::System => Coding::System,
            }),
            judges,
            gold: gold.cloned(),
            mode: match self.text {
                Text::Strict => Mode::Strict,
                Text::Marked => Mode::Marked,
                Text::Permissive => Mode::Permissive,
            },
            strict: self.strict,
            labels: self.drawn(),
        }
    }

    const fn drawn(&self) -> Labels {
        match self.labels {
            Drawn::Random => Labels::Random,
            Drawn::Balanced => Labels::Balanced,
            Drawn::Unknown => Labels::Unknown,
        }
    }

    /// What an analysis is asked; its margin is not said here.
    pub(super) fn options(&self, gold: Vec<String>) -> Options {
        Options {
            level: self.level.unwrap_or(Level::USUAL),
            margin: None,
            judges: self.judge.clone(),
            gold,
            own: self.own.clone(),
            labels: self.drawn(),
            baseline: None,
        }
    }
}

/// Reads all files. The gold label is a column where a file has one of that name, else the judges of that name.
pub(super) fn gathered(args: &Reading) -> Result<(Read, Vec<Source>, Vec<String>), Failure> {
    let column = match args.gold.as_slice() {
        [one] => Some(one),
        _ => None,
    };
    let first = one(&args.files[0], &args.read_with(None))?;
    let judged = |name: &String| match &first.read {
        Read::Pairs(it) => it.judges.find(name).is_some(),
        Read::Grades(it) => it.judges.find(name).is_some(),
    };
    let by_column = column.filter(|it| !judged(it) && args.files[0].as_os_str() != "-");
    let reading = args.read_with(by_column);
    let first = match by_column {
        // Of several files another may hold the judge; the first file then has no such column.
        Some(_) => match one(&args.files[0], &reading) {
            Ok(it) => it,
            Err(_) if 1 < args.files.len() => return all(args, first, &args.read_with(None)),
            Err(why) => return Err(why),
        },
        None => first,
    };
    all(args, first, &reading)
}

/// The first file and all others.
fn all(
    args: &Reading,
    first: Contents,
    reading: &verdicts::Options,
) -> Result<(Read, Vec<Source>, Vec<String>), Failure> {
    let mut sources = vec![Source::new(&shown(&args.files[0]), &first)];
    let mut together = first.read;
    for path in &args.files[1..] {
        let mut it = one(path, reading)?;
        let read = std::mem::replace(&mut it.read, Read::Pairs(Verdicts::default()));
        if together.merge(read, &shown(path), &mut it.counts).is_err() {
            return Err(Failure::User(format!(
                "{}: of this file and {} one holds comparisons and the other grades; analyze them apart.",
                path.display(),
                args.files[0].display()
            )));
        }
        sources.push(Source::new(&shown(path), &it));
    }
    let gold = if reading.gold.is_some() { Vec::new() } else { args.gold.clone() };
    Ok((together, sources, gold))
}

fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

pub(super) fn one(path: &Path, reading: &verdicts::Options) -> Result<Contents, Failure> {
    let name = path.display().to_string();
    let mistake = |it: verdicts::Mistake| Failure::User(format!("{it}."));
    if path.as_os_str() == "-" {
        return verdicts::read(&name, std::io::stdin().lock(), reading).map_err(mistake);
    }
    let file = File::open(path).map_err(|error| {
        Failure::User(format!(
            "{name}: the file cannot be read ({}); name a file of verdicts.",
            plainly(&error)
        ))
    })?;
    verdicts::read(&name, file, reading).map_err(mistake)
}

/// The names of which one should have been named.
fn known(names: &verdicts::Names) -> String {
    let all: Vec<&str> = names.iter().take(12).collect();
    all.join(", ")
}

/// Names on the command line that no file holds are mistakes.
pub(super) fn named(args: &Reading, verdicts: &Verdicts) -> Result<(), Failure> {
    for judge in args.judge.iter().chain(args.own.iter().map(|it| &it.0)) {
        if verdicts.judges.find(judge).is_none() {
            return Err(Failure::User(format!(
                "{judge}: no judge of the files has this name; they are {}.",
                known(&verdicts.judges)
            )));
        }
    }
    for (judge, name) in &args.own {
        system(&format!("--own {judge}={name}"), name, verdicts)?;
    }
    Ok(())
}

/// A system on the command line that no file holds is a mistake.
pub(super) fn system(typed: &str, name: &str, verdicts: &Verdicts) -> Result<(), Failure> {
    if verdicts.systems.find(name).is_some() {
        return Ok(());
    }
    Err(Failure::User(format!(
        "{typed}: no system of the files has this name; they are {}.",
        known(&verdicts.systems)
    )))
}
