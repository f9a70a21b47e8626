//! Replicates that outlive their process: a run saves them every few seconds and when it is stopped, and goes on from there.

use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use judgelab::report::{About, Broken, Kind, Shard};
use judgelab::scenario::Plan;
use judgelab::stream::Words;
use judgelab::study::{Enough, Gathered, Part, Portion, Precision, Spans, portions};
use tempfile::Builder;

use super::error::{Failure, say};
use super::interrupt::Running;
use super::output::readable;
use super::progress::Progress;
use super::source::plainly;

/// What is typed about time and saving.
#[derive(Debug, clap::Args)]
pub(super) struct Keeping {
    /// Go on from the checkpoint that an interrupted run left; start where there is none
    #[arg(long)]
    pub(super) resume: bool,
    /// Stop after this time, such as 55m, save what was done and end with exit code 75
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) max_time: Option<Duration>,
    /// How often a run saves what was done; one that is over sooner saves nothing
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = time)]
    pub(super) save_every: Duration,
}

fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "a time is a number with its unit, such as 90s, 55m or 1h30m".to_owned();
    humantime::parse_duration(text).ok().filter(|it| !it.is_zero()).ok_or_else(wrong)
}

/// Saving may take a twentieth of the time at most: what it costs to stop and to write, times this, is waited between.
const RARELY: u32 = 20;

/// A scenario's replicates so far.
#[derive(Debug)]
pub(super) struct Keeper<'r> {
    running: &'r Running,
    /// Where they are saved.
    file: PathBuf,
    shard: Shard,
    /// The command that goes on.
    go_on: String,
    clock: Clock,
    /// Whether the file holds some of them.
    saved: bool,
    /// Whether the user was told that they cannot be saved.
    told: bool,
}

/// When to save, and when to stop.
#[derive(Debug)]
struct Clock {
    start: Instant,
    last: Instant,
    every: Duration,
    interval: Duration,
    deadline: Option<Instant>,
    /// When the work was first asked to stop for a save.
    asked: Mutex<Option<Instant>>,
}

impl Clock {
    fn new(args: &Keeping, start: Instant) -> Self {
        Self {
            start,
            last: start,
            every: args.save_every,
            interval: args.save_every,
            deadline: args.max_time.and_then(|it| start.checked_add(it)),
            asked: Mutex::new(None),
        }
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|it| it <= Instant::now())
    }

    /// Whether the work should stop for a save, or for good; from then on the cost of the save is counted.
    fn is_due(&self) -> bool {
        let due = self.interval <= self.last.elapsed() || self.is_over();
        if due && let Ok(mut asked) = self.asked.lock() {
            asked.get_or_insert_with(Instant::now);
        }
        due
    }

    /// The save is done.
    fn restart(&mut self) {
        let asked = self.asked.get_mut().ok().and_then(Option::take);
        let cost = asked.map_or(Duration::ZERO, |it| it.elapsed());
        self.interval = self.every.max(cost * RARELY);
        self.last = Instant::now();
    }
}

impl<'r> Keeper<'r> {
    /// Nothing yet, or what a checkpoint holds, of the replicates `spans`; `start` is when the command began.
    ///
    /// # Errors
    /// When a checkpoint is wanted that belongs to something else, or when another file stands in its place.
    pub(super) fn new(
        running: &'r Running,
        (args, start): (&Keeping, Instant),
        file: PathBuf,
        about: About,
        spans: Spans,
    ) -> Result<Self, Failure> {
        let parts = about.studies.iter().map(|it| Part::none(it.tasks)).collect();
        let shard = Shard { kind: Kind::Checkpoint, about, spans, parts };
        let clock = Clock::new(args, start);
        let go_on = typed_again();
        let (saved, told) = (false, false);
        let mut keeper = Self { running, file, shard, go_on, clock, saved, told };
        match found(&keeper.file, args.resume)? {
            Some(shard) => keeper.take_up(shard)?,
            None => running.state().nothing_saved(),
        }
        Ok(keeper)
    }

    /// Goes on from a checkpoint.
    fn take_up(&mut self, shard: Shard) -> Result<(), Failure> {
        if self.shard.about.precision.is_some() {
            // The batch that was reached; it begins with the first ones.
            for (ours, theirs) in self.shard.about.studies.iter_mut().zip(&shard.about.studies) {
                ours.replicates = ours.replicates.max(theirs.replicates);
            }
        }
        let other = shard.about.differs(&self.shard.about).or_else(|| {
            let (theirs, ours) = (&shard.spans, &self.shard.spans);
            (theirs != ours).then(|| format!("replicates {theirs}, not {ours}"))
        });
        if let Some(other) = other {
            return Err(Failure::User(format!(
                "{}: the checkpoint is of another run: it has {other}; remove it, or run without --resume.",
                self.file.display()
            )));
        }
        self.shard.parts = shard.parts;
        self.saved = true;
        self.running.state().saved(&self.file, &self.go_on);
        Ok(())
    }

    /// Replicates of a study that are wanted.
    pub(super) fn wanted(&self, plan: &Plan) -> u64 {
        self.shard.spans.within(0..plan.replicates).count()
    }

    /// Decisions of a study that need not be made again.
    pub(super) fn decisions(&self, study: usize, plan: &Plan) -> u64 {
        let each = plan.tasks.iter().enumerate();
        each.map(|(k, task)| self.shard.parts[study].spans(k).count() * task.decisions()).sum()
    }

    /// Simulates what is missing of a study, saving now and then.
    ///
    /// # Errors
    /// When the user or the clock says to stop.
    pub(super) fn simulate(
        &mut self,
        study: usize,
        plan: &Plan,
        progress: &Progress<'_>,
    ) -> Result<(), Failure> {
        if !self.shard.parts[study].fits(&plan.tasks) {
            return Err(self.unfit());
        }
        self.running.saves_from(self.clock.start.checked_add(self.clock.every));
        let done = self.simulate_missing(study, plan, progress);
        self.running.saves_from(None);
        done
    }

    /// Simulates batch by batch until a study is precise enough: how many replicates that took, and the largest error over the
    /// one that was asked for.
    ///
    /// # Errors
    /// When the user or the clock says to stop.
    pub(super) fn simulate_to(
        &mut self,
        study: usize,
        (plan, precision): (&Plan, &Precision),
        progress: &Progress<'_>,
    ) -> Result<(u64, f64), Failure> {
        loop {
            let replicates = self.shard.about.studies[study].replicates;
            let batch = Plan { replicates, ..plan.clone() };
            self.simulate(study, &batch, progress)?;
            let gathered = self.shard.parts[study].clone().gathered().unwrap_or_default();
            match precision.enough(&plan.tasks, &gathered, &plan.settings, replicates) {
                Enough::Yes(ratio) => return Ok((replicates, ratio)),
                Enough::Next(next) => self.shard.about.studies[study].replicates = next,
            }
        }
    }

    fn simulate_missing(
        &mut self,
        study: usize,
        plan: &Plan,
        progress: &Progress<'_>,
    ) -> Result<(), Failure> {
        let wanted = self.shard.spans.within(0..plan.replicates);
        for places in portions(&plan.tasks) {
            let held = self.shard.parts[study].spans(places[0]);
            if places.iter().any(|it| self.shard.parts[study].spans(*it) != held) {
                return Err(self.unfit());
            }
            let missing = wanted.ranges().iter().map(|it| held.missing(it.clone()));
            let missing: Vec<Range<u64>> = missing.flat_map(|it| it.ranges().to_vec()).collect();
            if missing.is_empty() {
                continue;
            }
            // A plan has checked that every task can be tabulated.
            let portion = Portion::new(&plan.tasks, &places, plan.seed, Words::Keyed)
                .map_err(|_| Failure::Interrupted(self.running.message()))?;
            for mut range in missing {
                while !range.is_empty() {
                    let watch = |decisions| progress.made(decisions) && !self.clock.is_due();
                    let (end, gathered) = portion.simulate(&range, &plan.settings, &watch);
                    self.add(study, &places, (range.start..end, gathered));
                    range.start = end;
                    self.look_up()?;
                }
            }
        }
        Ok(())
    }

    fn unfit(&self) -> Failure {
        Failure::User(format!(
            "{}: the checkpoint does not fit this judgelab; remove it, or run without --resume.",
            self.file.display()
        ))
    }

    fn add(
        &mut self,
        study: usize,
        places: &[usize],
        (range, gathered): (Range<u64>, Vec<Gathered>),
    ) {
        for (place, gathered) in places.iter().zip(gathered) {
            // Only what is missing was simulated, so nothing can be there twice.
            let _ = self.shard.parts[study].add(*place, range.clone(), gathered);
        }
    }

    /// Between two pieces of work: saves, or stops.
    fn look_up(&mut self) -> Result<(), Failure> {
        let lasts = self.clock.every <= self.clock.start.elapsed();
        if self.running.stopped() {
            if lasts || self.saved {
                self.save();
            }
            return Err(Failure::Interrupted(self.running.message()));
        }
        if self.clock.is_over() && self.shard.done() < 1.0 {
            self.save();
            return Err(self.out_of_time());
        }
        if self.clock.is_due() {
            self.save();
            self.clock.restart();
        }
        Ok(())
    }

    fn out_of_time(&self) -> Failure {
        let done = done(&self.shard);
        Failure::OutOfTime(if self.saved {
            format!(
                "{}: the time is over; {done}. Saved in {}; go on with:\n  {}",
                self.shard.about.typed,
                self.file.display(),
                self.go_on
            )
        } else {
            format!(
                "{}: the time is over, and nothing of the run was saved.",
                self.shard.about.typed
            )
        })
    }

    /// Writes the replicates beside their place and renames the file, so that it is whole at every moment.
    fn save(&mut self) {
        match self.written() {
            Ok(()) => {
                self.saved = true;
                self.running.state().saved(&self.file, &self.go_on);
            }
            Err(error) if !self.told => {
                self.told = true;
                say(&format!(
                    "{}: the checkpoint cannot be written ({}); an interrupt would lose the run.",
                    self.file.display(),
                    plainly(&error)
                ));
            }
            Err(_) => {}
        }
    }

    fn written(&self) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = {
            // An interrupt must not come between a new file and the note of it.
            let mut state = self.running.state();
            let file = Builder::new().prefix(&temporary(&self.file)).tempfile_in(folder)?;
            state.writing(file.path());
            file
        };
        let written = file.write_all(&self.shard.bytes()).and_then(|()| file.as_file().sync_data());
        let path = file.path().to_owned();
        readable(&path);
        let mut state = self.running.state();
        let placed = written
            .and_then(|()| file.persist(&self.file).map(|_| ()).map_err(|error| error.error));
        state.written(&path);
        placed
    }

    /// What the replicates of a study gave; the keeper holds on to it while another study may want to be saved.
    pub(super) fn gathered(&mut self, study: usize) -> Vec<Gathered> {
        let last = study + 1 == self.shard.parts.len();
        let parts = &mut self.shard.parts;
        let part = if last { std::mem::take(&mut parts[study]) } else { parts[study].clone() };
        part.gathered().unwrap_or_default()
    }

    /// The replicates as a finished shard.
    pub(super) fn into_shard(self) -> Shard {
        Shard { kind: Kind::Shard, ..self.shard }
    }

    /// The checkpoint's file, to be removed when all is done.
    pub(super) fn file(&self) -> PathBuf {
        self.file.clone()
    }
}

/// How much of a checkpoint's work is done: under a precision nobody knows how much there is.
pub(super) fn done(checkpoint: &Shard) -> String {
    if checkpoint.about.precision.is_some() {
        let made = checkpoint.parts.iter().map(Part::replicates).sum::<u64>();
        return format!("{made} replicates over all cells are done");
    }
    format!("{:.1} % of the work is done", 100.0 * checkpoint.done())
}

/// How the temporary files of a checkpoint begin: no other process writes such.
fn temporary(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    format!(".judgelab-{name}-")
}

/// The checkpoint at a place, if it is wanted.
fn found(file: &Path, wanted: bool) -> Result<Option<Shard>, Failure> {
    let refused = |why: &dyn std::fmt::Display, remedy: &str| {
        Failure::User(format!("{}: {why}; {remedy}.", file.display()))
    };
    if wanted {
        sweep(file);
    }
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        // A folder that cannot be is told by whoever makes it.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => {
            let why = format!("the checkpoint cannot be read ({})", plainly(&error));
            return Err(refused(&why, "choose another folder with --out"));
        }
    };
    match Shard::from_bytes(&bytes) {
        Err(Broken::Foreign) => Err(refused(
            &"this file stands where the checkpoint belongs, and is none",
            "move it, or choose another folder with --out",
        )),
        _ if !wanted => {
            if std::io::stderr().is_terminal() {
                let message = "it holds what an interrupted run did; --resume goes on from there";
                say(&format!("{}: {message}.", file.display()));
            }
            Ok(None)
        }
        Ok(shard) if shard.kind == Kind::Checkpoint => Ok(Some(shard)),
        Ok(_) => {
            Err(refused(&"it is a shard and no checkpoint", "move it, or run without --resume"))
        }
        Err(why) => Err(refused(&why, "remove it, or run without --resume")),
    }
}

/// Removes the temporary files that a process left which was killed while it wrote a file, or any file of a folder.
pub(super) fn sweep(file: &Path) {
    let (folder, prefix) = if file.is_dir() {
        (file, ".judgelab-".to_owned())
    } else {
        (file.parent().unwrap_or(Path::new(".")), temporary(file))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            // It may be gone already.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes checkpoints that are not needed any more.
pub(super) fn discard(running: &Running, files: &[PathBuf]) {
    running.state().nothing_saved();
    for file in files {
        let ours = fs::read(file).is_ok_and(|it| Shard::from_bytes(&it) != Err(Broken::Foreign));
        if ours {
            // What cannot be removed is refused or replaced by the next run.
            let _ = fs::remove_file(file);
        }
    }
}

/// The command as it was typed, with `--resume`.
fn typed_again() -> String {
    let mut words: Vec<String> =
        std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
    if !words.iter().any(|it| it == "--resume") {
        words.insert(words.len().min(1), "--resume".to_owned());
    }
    words.insert(0, "judgelab".to_owned());
    words.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}
