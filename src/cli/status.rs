//! `judgelab status`: what is done, missing or broken of a run.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use judgelab::report::{About, Shard};
use judgelab::study::Spans;

use super::error::Failure;
use super::keep::{done, quoted};
use super::shards::{fill, list, out_of, read, read_checkpoint, typed};

/// What is typed after `status`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of a scenario's results, or of its shards
    folder: PathBuf,
}

/// What was found of a run.
#[derive(Default)]
struct Found {
    about: Option<About>,
    done: Spans,
    shards: u64,
    lines: Vec<String>,
}

pub(super) fn status(args: &Args) -> Result<(), Failure> {
    let folder = &args.folder;
    let listed = list(folder)?;
    let whole = folder.join("checkpoint.judgelab");
    let mut found = Found::default();
    for file in &listed.shards {
        match read(file) {
            Ok(shard) => found.take(file, &shard),
            Err(why) => found.lines.push(format!("broken: {}: {why}.\n", file.display())),
        }
    }
    for file in listed.unfinished.iter().chain(whole.is_file().then_some(&whole)) {
        match read_checkpoint(file) {
            Ok(shard) => found.unfinished(file, shard),
            Err(why) => found.lines.push(format!("broken: {}: {why}.\n", file.display())),
        }
    }
    if folder.join("shards").is_dir() || listed.shards.len() + listed.unfinished.len() > 0 {
        let foreign = listed.foreign.iter().map(|it| format!("foreign: {}.\n", it.display()));
        found.lines.extend(foreign);
    }
    let Some(about) = &found.about else {
        return if found.lines.is_empty() {
            let none = "nothing of a run in shards, and no checkpoint";
            Err(Failure::User(format!(
                "{}: the folder holds {none}; name the folder of a run.",
                folder.display()
            )))
        } else {
            super::print(&found.lines.concat())
        };
    };
    super::print(&told(folder, about, &found))
}

impl Found {
    /// Takes in a shard.
    fn take(&mut self, file: &Path, shard: &Shard) {
        let about = self.about.get_or_insert_with(|| shard.about.clone());
        if let Some(other) = shard.about.differs(about) {
            self.lines.push(format!("of another run: {}: it has {other}.\n", file.display()));
            return;
        }
        match self.done.with(&shard.spans) {
            Ok(done) => {
                self.done = done;
                self.shards += 1;
            }
            Err(twice) => self.lines.push(format!(
                "overlapping: {}: replicates {}..{} are in another shard too.\n",
                file.display(),
                twice.start,
                twice.end
            )),
        }
    }

    /// Takes in a checkpoint.
    fn unfinished(&mut self, file: &Path, shard: Shard) {
        let done = match &shard.about.precision {
            Some(_) => done(&shard),
            None => format!("{:.1} % of replicates {}", 100.0 * shard.done(), shard.spans),
        };
        self.lines.push(format!("unfinished: {}: {done}.\n", file.display()));
        self.about.get_or_insert(shard.about);
    }
}

fn told(folder: &Path, about: &About, found: &Found) -> String {
    let out = out_of(folder, about).unwrap_or_else(|| "out".into());
    let unfinished = found.shards == 0 && folder.join("checkpoint.judgelab").is_file();
    if let Some(precision) = about.precision.as_ref().filter(|_| unfinished) {
        // Nobody knows how many replicates it takes.
        let lines = found.lines.concat();
        return format!(
            "{}: a run to a precision.\n{lines}{}",
            about.name,
            go_on(about, precision, &out)
        );
    }
    let most = about.most();
    let missing = found.done.missing(0..most);
    let count = found.done.count();
    let share = 100.0 * count as f64 / most as f64;
    let mut text = format!(
        "{}: {count} of {most} replicates are done ({share:.1} %), in {} {}.\n",
        about.name,
        found.shards,
        if found.shards == 1 { "shard" } else { "shards" }
    );
    text.push_str(&found.lines.concat());
    if missing.is_empty() {
        let (folder, out) = (folder.display().to_string(), out.display().to_string());
        let _ = write!(
            text,
            "Nothing is missing. The results are had with:\n  judgelab merge {} --out {}\n",
            quoted(&folder),
            quoted(&out)
        );
    } else if unfinished {
        text.push_str(&go_on(about, "", &out));
    } else {
        let _ = write!(text, "Missing: {missing}. Run them with:\n{}", fill(about, &missing, &out));
    }
    text
}

/// How an interrupted run goes on.
fn go_on(about: &About, precision: &str, out: &Path) -> String {
    let blank = if precision.is_empty() { "" } else { " " };
    format!(
        "Go on with the command that was interrupted, and --resume:\n  {}{blank}{precision} --out {} --resume\n",
        typed(about),
        quoted(&out.display().to_string())
    )
}
