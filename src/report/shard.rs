//! A shard: what some replicates of a scenario's studies gave, with all that a merge needs, as the bytes of one file.
//!
//! Four parts: a line that names the format; a line of JSON that says what it is about; the counts and sums in binary; and
//! the BLAKE2b-256 digest of all that, in hexadecimal.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::manifest::digest;
use crate::scenario::{Overrides, Plan};
use crate::study::{Part, Spans, Unfit};

/// The first line of a shard.
const FORMAT: &str = "judgelab shard 1";
/// What first lines of all formats have in common.
const FORMATS: &str = "judgelab shard ";
/// Bytes of the digest at the end.
const DIGEST: usize = 64;
/// The texts of the files that a scenario names are held up to so many bytes, for shards must be small.
const MOST_HELD: usize = 256 << 10;

/// What a file of replicates is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Ranges that are done in every cell.
    Shard,
    /// A range that is being done; some cells may be ahead of others.
    Checkpoint,
}

/// What a shard is about: equal in all shards that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of the laboratory.
    pub version: String,
    /// The version of its random numbers.
    pub stream: String,
    /// The scenario's name: its file's, without the ending.
    pub name: String,
    /// The scenario's file as it was typed, for commands that go on; the shards of one study may differ in it.
    pub typed: String,
    /// The seed that was typed in place of the scenario's.
    pub seed: Option<u64>,
    /// The replicates that were typed in place of the scenario's.
    pub replicates: Option<u64>,
    /// The digest of the scenario.
    pub scenario_blake2b: String,
    /// The scenario.
    pub scenario: String,
    /// The files that it names.
    pub files: Vec<Named>,
    /// The flags of the precision that is simulated to, if one was asked for: then the replicates of a study are those of its batches so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<String>,
    /// Its studies, in order.
    pub studies: Vec<Effective>,
}

/// A file that a scenario names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Its name in the scenario.
    pub name: String,
    /// Its digest.
    pub blake2b: String,
    /// Its text, where it is small.
    pub text: Option<String>,
}

/// A study's settings in effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effective {
    /// Its name, where the scenario holds several.
    pub name: Option<String>,
    /// Its seed.
    pub seed: u64,
    /// Its replicates a cell.
    pub replicates: u64,
    /// Its confidence level.
    pub level: f64,
    /// Its cells.
    pub cells: usize,
    /// Its tasks: judges of cells.
    pub tasks: usize,
}

/// What some replicates of a scenario's studies gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// What it is for.
    pub kind: Kind,
    /// What it is about.
    pub about: About,
    /// The replicates that it holds; of a checkpoint, those that it is to hold.
    pub spans: Spans,
    /// By study.
    pub parts: Vec<Part>,
}

/// The second line.
#[derive(Serialize, Deserialize)]
struct Head {
    kind: Kind,
    ranges: Vec<(u64, u64)>,
    about: About,
    body_bytes: usize,
}

/// Why bytes are no shard that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// They are something else.
    Foreign,
    /// They have a format of another version; its first line.
    Format(String),
    /// They end too early: how many there are and should be, and of which replicates.
    Truncated(usize, Option<(usize, Spans)>),
    /// They are not the bytes that were written, of these replicates.
    Damaged(Spans),
    /// They were written so and make no sense.
    Unfit(Unfit),
}

/// Plans, and the names and texts of the files that they were made from.
pub type PlansAndFiles = (Vec<Plan>, Vec<(String, String)>);

impl About {
    /// What a shard of a scenario is about: its name, its file as typed, its text, and the files that it names.
    #[must_use]
    pub fn new(
        [name, typed, scenario]: [&str; 3],
        files: &[(String, String)],
        overrides: Overrides,
        plans: &[Plan],
    ) -> Self {
        let held = files.iter().map(|it| it.1.len()).sum::<usize>() <= MOST_HELD;
        let named = |(name, text): &(String, String)| Named {
            name: name.clone(),
            blake2b: digest(text.as_bytes()),
            text: held.then(|| text.clone()),
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            stream: crate::stream::VERSION.to_owned(),
            name: name.to_owned(),
            typed: typed.to_owned(),
            seed: overrides.seed,
            replicates: overrides.replicates,
            scenario_blake2b: digest(scenario.as_bytes()),
            scenario: scenario.to_owned(),
            files: files.iter().map(named).collect(),
            precision: None,
            studies: plans.iter().map(Effective::new).collect(),
        }
    }

    /// Replicates of the study that has most; a range of replicates is one of these.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.studies.iter().map(|it| it.replicates).max().unwrap_or(0)
    }

    /// The first thing in which shards differ that must be equal to be merged, as part of a sentence: what it is here and
    /// what there.
    #[must_use]
    pub fn differs(&self, other: &Self) -> Option<String> {
        let unlike = |what: &str, here: &dyn fmt::Display, there: &dyn fmt::Display| {
            let (here, there) = (here.to_string(), there.to_string());
            (here != there).then(|| format!("{what} {here}, not {there}"))
        };
        let files = |it: &Self| {
            it.files.iter().map(|it| format!("\"{}\" {}", it.name, it.blake2b)).collect::<Vec<_>>()
        };
        let study = |it: &Effective| {
            it.name.clone().map(|it| format!(" of study {it}")).unwrap_or_default()
        };
        let same = unlike("version", &self.version, &other.version)
            .or_else(|| unlike("stream version", &self.stream, &other.stream))
            .or_else(|| unlike("scenario name", &self.name, &other.name))
            .or_else(|| unlike("scenario digest", &self.scenario_blake2b, &other.scenario_blake2b))
            .or_else(|| {
                let asked =
                    |it: &Self| it.precision.clone().unwrap_or_else(|| "no --mcse".to_owned());
                unlike("the precision", &asked(self), &asked(other))
            })
            .or_else(|| unlike("files", &files(self).join(", "), &files(other).join(", ")));
        same.or_else(|| {
            self.studies.iter().zip(&other.studies).find_map(|(a, b)| {
                unlike(&format!("seed{}", study(a)), &a.seed, &b.seed).or_else(|| {
                    unlike(&format!("replicates{}", study(a)), &a.replicates, &b.replicates)
                })
            })
        })
        .or_else(|| (self.studies != other.studies).then(|| "studies that are others".to_owned()))
    }

    /// The plans again, with the texts of the files that the scenario names; `open` is asked for those that are not held.
    ///
    /// # Errors
    /// In one sentence, why they cannot be had.
    pub fn plans(
        &self,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<PlansAndFiles, String> {
        let mut files = Vec::new();
        for it in &self.files {
            let text = it.text.clone().map_or_else(|| open(&it.name), Ok)?;
            if digest(text.as_bytes()) != it.blake2b {
                return Err(format!(
                    "the file \"{}\" has changed since the shards were made",
                    it.name
                ));
            }
            files.push((it.name.clone(), text));
        }
        let overrides = Overrides { seed: self.seed, replicates: self.replicates };
        let plans =
            Plan::all_from_toml(Some(&self.typed), &self.scenario, overrides, &mut |name| {
                let known = files.iter().find(|it| it.0 == name);
                known.map(|it| it.1.clone()).ok_or_else(|| "it is not held".to_owned())
            })
            .map_err(|mistakes| mistakes.to_string())?;
        if plans.iter().map(Effective::new).ne(self.studies.iter().cloned()) {
            return Err("the scenario held gives other studies than the ones named".to_owned());
        }
        Ok((plans, files))
    }
}

impl Effective {
    fn new(plan: &Plan) -> Self {
        Self {
            name: plan.name.clone(),
            seed: plan.seed,
            replicates: plan.replicates,
            level: plan.settings.level.get(),
            cells: plan.cells.len(),
            tasks: plan.tasks.len(),
        }
    }
}

impl Shard {
    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let body: Vec<u8> = self.parts.iter().flat_map(Part::bytes).collect();
        let head = Head {
            kind: self.kind,
            ranges: self.spans.ranges().iter().map(|it| (it.start, it.end)).collect(),
            about: self.about.clone(),
            body_bytes: body.len(),
        };
        let head = serde_json::to_string(&head).unwrap_or_default();
        let mut bytes = format!("{FORMAT}\n{head}\n").into_bytes();
        bytes.extend(body);
        bytes.extend(digest(&bytes).into_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Why they are no shard or checkpoint, or not as they were written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Broken> {
        let (format, rest) = line(bytes).ok_or_else(|| {
            let begun = !bytes.is_empty() && FORMAT.as_bytes().starts_with(bytes);
            if begun { Broken::Truncated(bytes.len(), None) } else { Broken::Foreign }
        })?;
        match std::str::from_utf8(format) {
            Ok(FORMAT) => {}
            Ok(other) if other.starts_with(FORMATS) => {
                return Err(Broken::Format(other.to_owned()));
            }
            _ => return Err(Broken::Foreign),
        }
        let (head, body) = line(rest).ok_or(Broken::Truncated(bytes.len(), None))?;
        let Ok(Head { kind, ranges, about, body_bytes }) = serde_json::from_slice(head) else {
            return Err(Broken::Unfit(Unfit("its second line cannot be read")));
        };
        let spans = spans(&ranges)?;
        let whole = (bytes.len() - body.len()).saturating_add(body_bytes).saturating_add(DIGEST);
        if bytes.len() < whole {
            return Err(Broken::Truncated(bytes.len(), Some((whole, spans))));
        }
        let (written, sum) = bytes.split_at(whole - DIGEST);
        if sum != digest(written).as_bytes() {
            return Err(Broken::Damaged(spans));
        }
        let parts = parts(&body[..body_bytes], about.studies.len()).map_err(Broken::Unfit)?;
        let shard = Self { kind, about, spans, parts };
        shard.check().map_err(Broken::Unfit)?;
        Ok(shard)
    }

    /// Whether the parts hold what they are said to hold.
    fn check(&self) -> Result<(), Unfit> {
        for (study, part) in self.about.studies.iter().zip(&self.parts) {
            if part.tasks() != study.tasks {
                return Err(Unfit("it has not as many tasks as it says"));
            }
            let wanted = self.spans.within(0..study.replicates);
            for task in 0..part.tasks() {
                let spans = part.spans(task);
                let held = match self.kind {
                    Kind::Shard => spans == wanted,
                    Kind::Checkpoint => {
                        spans.ranges().iter().all(|it| wanted.missing(it.clone()).is_empty())
                    }
                };
                if !held {
                    return Err(Unfit("it does not hold the replicates that it says"));
                }
            }
        }
        Ok(())
    }

    /// The share of its work that is done, 0 to 1: less than 1 for a checkpoint.
    #[must_use]
    pub fn done(&self) -> f64 {
        let studies = self.about.studies.iter();
        let wanted: u64 =
            studies.map(|it| self.spans.within(0..it.replicates).count() * it.tasks as u64).sum();
        self.parts.iter().map(Part::replicates).sum::<u64>() as f64 / wanted.max(1) as f64
    }
}

/// A line without its end, and what follows it.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn spans(ranges: &[(u64, u64)]) -> Result<Spans, Broken> {
    ranges.iter().try_fold(Spans::default(), |all, it| {
        all.with(&Spans::from(it.0..it.1)).map_err(|_| Broken::Unfit(Unfit("its ranges overlap")))
    })
}

fn parts(mut bytes: &[u8], studies: usize) -> Result<Vec<Part>, Unfit> {
    let mut parts = Vec::new();
    for _ in 0..studies {
        let (part, rest) = Part::from_bytes(bytes)?;
        parts.push(part);
        bytes = rest;
    }
    if bytes.is_empty() { Ok(parts) } else { Err(Unfit("it holds more than it says")) }
}

/// In part of a sentence, after the name of the file.
impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "it is no shard of judgelab"),
            Self::Format(other) => {
                write!(f, "it has the format \"{other}\", and this judgelab reads \"{FORMAT}\"")
            }
            Self::Truncated(has, None) => write!(f, "it is cut short after {has} bytes"),
            Self::Truncated(has, Some((of, spans))) => {
                write!(f, "it is cut short after {has} of {of} bytes (replicates {spans})")
            }
            Self::Damaged(spans) => {
                write!(
                    f,
                    "its digest is not that of its bytes: it was changed or damaged (replicates {spans})"
                )
            }
            Self::Unfit(Unfit(why)) => write!(f, "{why}"),
        }
    }
}

/// Merges parts of studies as they come, each at most some fourteen times for ten thousand.
#[derive(Clone, Debug, Default)]
pub struct Merger(Vec<(u32, Vec<Part>)>);

impl Merger {
    /// Adds parts, one for each study.
    ///
    /// # Errors
    /// Replicates that were added before.
    pub fn add(&mut self, mut parts: Vec<Part>) -> Result<(), Range<u64>> {
        let mut rank = 0;
        while let Some((_, last)) = self.0.pop_if(|last| last.0 <= rank) {
            parts = both(last, parts)?;
            rank += 1;
        }
        self.0.push((rank, parts));
        Ok(())
    }

    /// All that was added, by study; nothing where nothing was.
    ///
    /// # Errors
    /// Replicates that were added twice.
    pub fn finish(self) -> Result<Vec<Part>, Range<u64>> {
        let mut all = self.0.into_iter().rev().map(|it| it.1);
        let first = all.next().unwrap_or_default();
        all.try_fold(first, both)
    }
}

fn both(a: Vec<Part>, b: Vec<Part>) -> Result<Vec<Part>, Range<u64>> {
    a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect()
}

#[cfg(test)]
mod tests;
