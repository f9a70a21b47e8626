//! Answers about a scenario by simulation: the crossing, then its power and the test's size on replicates of their own.

use super::crossing::{Crossed, LEVEL, Lost, Range, Stage, crossing};
use super::scenario::{Search, Way, counted, sentence};
use super::{Answer, Around, Impossible, Method, Sought};
use crate::exact::Power;
use crate::protocol::Task;
use crate::scenario::Plan;
use crate::stats::interval::wilson;
use crate::stats::probit::Point;
use crate::study::{Stopped, Watch, rejections};

/// Replicates of a search, unless others are asked for.
pub const BUDGET: u64 = 20_000;
/// With fewer replicates the last points could not be told apart.
const FEWEST: u64 = 1_000;
/// With more a search would not end.
const MOST: u64 = 1_000_000_000;

const INTERRUPTED: &str = "the search was interrupted.";
/// The first replicate of a search: the grid of a study never comes near it, so the two share no draw.
pub(super) const FIRST: u64 = 1 << 40;

/// How a search simulates.
#[derive(Clone, Copy)]
pub struct Simulation<'w> {
    /// Whether it simulates even where powers could be summed.
    pub always: bool,
    /// Replicates of the whole search: three quarters look for the answer, an eighth confirms it, an eighth tells the size.
    pub budget: u64,
    /// Is told of decisions and says whether to go on.
    pub watch: Watch<'w>,
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { always, budget, .. } = self;
        f.debug_struct("Simulation").field("always", always).field("budget", budget).finish()
    }
}

/// A share of replicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// Its Monte Carlo standard error.
    pub mcse: f64,
    /// Wilson's 95 % interval.
    pub interval: [f64; 2],
    /// The replicates.
    pub replicates: u64,
}

impl Share {
    fn of(it: &Point) -> Self {
        let (value, n) = (it.share(), it.trials as f64);
        let interval = wilson(it.successes, it.trials, LEVEL);
        Self {
            value,
            mcse: libm::sqrt(value * (1.0 - value) / n),
            interval: [interval.low, interval.high],
            replicates: it.trials,
        }
    }

    const fn power(&self) -> Power {
        Power { value: self.value, error: self.mcse }
    }
}

/// What a simulated answer rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Replicates that were allowed.
    pub budget: u64,
    /// The confidence of the answer's interval.
    pub level: f64,
    /// What they were spent on; no replicate serves twice.
    pub stages: Vec<Stage>,
    /// The power at the answer, from replicates that the search did not see.
    pub power: Share,
    /// The power without the effect, from replicates of its own; none for a number of items.
    pub size: Option<Share>,
    /// What casts doubt on the answer, in sentences.
    pub notes: Vec<String>,
}

impl Search<'_, '_> {
    /// How many of so many fresh replicates are rejected with a value at the path.
    fn rejected(&mut self, value: f64, whole: bool, trials: u64) -> Result<u64, Impossible> {
        let plan = (self.plan_at)(value, whole)
            .map_err(|why| sentence(format!("{} = {value}: {why}", self.wanted.path)))?;
        let (task, rule) = self.chosen(&plan)?;
        let range = self.fresh..self.fresh + trials;
        self.fresh = range.end;
        let watch = self.simulation.watch;
        // A stage of few replicates ends before anybody could stop it, so the next one does not begin.
        if !watch(0) {
            return Err(Impossible::because(INTERRUPTED));
        }
        rejections(&task, rule, plan.seed, &range, &plan.settings, watch).map_err(|why| {
            Impossible::because(match why {
                Stopped::ByWatch => INTERRUPTED,
                Stopped::TooManyRepeats => {
                    "the repeats are too many for the verdicts that its judges may give."
                }
            })
        })
    }

    fn trial(&mut self, value: f64, whole: bool, trials: u64) -> Result<Point, Impossible> {
        let successes = self.rejected(value, whole, trials)?;
        Ok(Point { x: value, trials, successes })
    }

    fn budget(&self) -> Result<u64, Impossible> {
        let budget = self.simulation.budget;
        if (FEWEST..=MOST).contains(&budget) {
            return Ok(budget);
        }
        Err(Impossible(format!(
            "a search takes {FEWEST} to {MOST} replicates, not {budget}; {BUDGET} are usual."
        )))
    }

    pub(super) fn number_by_simulation(&mut self) -> Result<Answer, Impossible> {
        let wanted = self.wanted;
        let (way, budget) = (self.way()?, self.budget()?);
        let plan = (self.plan_at)(way.at(way.reach), false).map_err(sentence)?;
        let (task, rule) = self.chosen(&plan)?;
        let size = task.cases();
        let range = Range {
            least: 0.0,
            step: way.step,
            most: way.reach,
            target: wanted.power,
            budget: budget / 4 * 3,
            whole: false,
        };
        let mut ask = |distance: f64, n: u64| self.rejected(way.at(distance), false, n);
        let found = crossing(&mut ask, range).map_err(|lost| self.no_number(lost, &way, &task))?;
        let digits = digits(found.interval[1] - found.interval[0]);
        let value = rounded(way.at(found.value), digits);
        let [low, high] = found.interval.map(|it| way.at(it));
        let interval = [floor(low.min(high), digits), ceil(low.max(high), digits)];
        let power = self.trial(value, false, budget / 8)?;
        let null = self.trial(wanted.from, false, budget / 8)?;
        let settings = plan.settings;
        let mut answer = self.answer(&task, rule, settings, Sought::Effect { size }, value);
        let at = |it: &Point| Around {
            effect: way.at(it.x),
            size,
            power: it.share(),
            trials: Some(it.trials),
        };
        (answer.interval, answer.around) = (interval, found.points.iter().map(at).collect());
        let plan = (self.plan_at)(value, false).map_err(sentence)?;
        answer.also = self.should_say(&plan)?;
        let place = |x: f64| format!("{:.4}", way.at(x));
        Ok(self.simulated(answer, found, power, Some(null), &place))
    }

    /// Why no value of a number was found.
    fn no_number(&self, lost: Lost, way: &Way, task: &Task) -> Impossible {
        let (path, from, target) = (self.wanted.path, way.from, self.wanted.power);
        let (end, size, all) = (way.at(way.reach), task.cases(), counted(task));
        match lost {
            Lost::Below(it) => Impossible(format!(
                "{path} <= {from}: with {from} the test rejects with probability {} already, and a power of {target} was asked \
                 for; ask for more, or start lower with --from.",
                told(&it)
            )),
            Lost::Above(it) => Impossible(format!(
                "{path} >= {end}, if a power of {target} is reached at all: with {size} {all} it is at most {} (at {:.4}); take \
                 more {all}, give another --to, or ask for less.",
                told(&it),
                way.at(it.x)
            )),
            Lost::Other(why) => why,
        }
    }

    /// Why no size was found.
    fn no_size(&self, lost: Lost, most: u64) -> Impossible {
        let (path, target) = (self.wanted.path, self.wanted.power);
        match lost {
            Lost::Below(it) | Lost::Above(it) => Impossible(format!(
                "no {path} up to {most} reaches a power of {target}: it is at most {} (at {:.0}); give a larger --to, a larger \
                 effect, or ask for less.",
                told(&it),
                it.x * it.x
            )),
            Lost::Other(why) => why,
        }
    }

    pub(super) fn whole_by_simulation(&mut self, plan: &Plan) -> Result<Answer, Impossible> {
        let wanted = self.wanted;
        let budget = self.budget()?;
        let (task, rule) = self.chosen(plan)?;
        let (cases, most) = self.wholes();
        // One pair has no spread: tests begin with two.
        let least = if cases { 2.0_f64.min(most as f64) } else { 1.0 };
        let range = Range {
            least: libm::sqrt(least),
            step: 1.0,
            most: libm::sqrt(most as f64),
            target: wanted.power,
            budget: budget / 4 * 3,
            whole: true,
        };
        let size_at = |x: f64| libm::rint(x * x);
        let mut ask = |x: f64, n: u64| self.rejected(size_at(x), true, n);
        let found = match crossing(&mut ask, range) {
            Ok(found) => found,
            Err(Lost::Below(it)) => Crossed {
                value: it.x,
                interval: [it.x; 2],
                line: None,
                points: vec![it],
                stages: Vec::new(),
                drop: None,
            },
            Err(lost) => return Err(self.no_size(lost, most)),
        };
        // The size that the line crosses at, or the next.
        let up = |x: f64| libm::ceil(x * x - 1e-9).max(least);
        let value = up(found.value);
        let power = self.trial(value, true, budget / 4)?;
        let scanned = found.points.last().map_or(value, |it| size_at(it.x));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let whole = |x: f64| x as u64;
        let sought = Sought::Size { effect: value, first: whole(value), scanned: whole(scanned) };
        let mut answer = self.answer(&task, rule, plan.settings, sought, value);
        answer.interval = found.interval.map(up);
        let at = |it: &Point| Around {
            effect: size_at(it.x),
            size: whole(size_at(it.x)),
            power: it.share(),
            trials: Some(it.trials),
        };
        answer.around = found.points.iter().map(at).collect();
        if !cases {
            answer.counted = "verdicts an order";
        }
        Ok(self.simulated(answer, found, power, None, &|x| format!("{:.0}", size_at(x))))
    }

    /// Adds what the simulation took, and what casts doubt on it.
    fn simulated(
        &self,
        answer: Answer,
        found: Crossed,
        power: Point,
        size: Option<Point>,
        place: &dyn Fn(f64) -> String,
    ) -> Answer {
        let target = self.wanted.power;
        let confirmed = Share::of(&power);
        let mut stages = found.stages;
        stages.push(Stage { name: "the power at the answer", points: 1, replicates: power.trials });
        stages.extend(size.map(|it| Stage {
            name: "the size without the effect",
            points: 1,
            replicates: it.trials,
        }));
        let mut notes = Vec::new();
        if let Some(drop) = found.drop {
            notes.push(format!(
                "the power drops from {} at {} to {} at {} where it should rise: the test is blind to large effects, or another \
                 answer may lie beyond; narrow the search with --from and --to.",
                told(&drop.from),
                place(drop.from.x),
                told(&drop.to),
                place(drop.to.x)
            ));
        }
        if found.line.is_none() {
            notes.push(
                "the powers follow no smooth line here: the interval is the bracket between a power surely below and one surely \
                 not."
                    .to_owned(),
            );
        } else if !reaches(&power, target) && answer.interval[0] < answer.interval[1] {
            notes.push(format!(
                "the power at the answer is {}, which is not the {target} that was asked for: the powers bend more than the \
                 search can follow; narrow it with --from and --to, or raise --budget.",
                told(&power)
            ));
        }
        let simulated = Simulated {
            budget: self.simulation.budget,
            level: LEVEL,
            stages,
            power: confirmed,
            size: size.as_ref().map(Share::of),
            notes,
        };
        Answer {
            power: Some(confirmed.power()),
            size: simulated.size.map(|it| it.power()),
            method: Method::Simulated,
            simulated: Some(simulated),
            ..answer
        }
    }
}

/// Whether the power of a confirmation can be the target's. The answer's own error is at most as large as the confirmation's;
/// one true answer in five thousand is doubted.
fn reaches(it: &Point, target: f64) -> bool {
    let error = libm::sqrt(2.0 * target * (1.0 - target) / it.trials as f64);
    libm::fabs(it.share() - target) < 3.7 * error
}

/// A share with its Monte Carlo error, or with its interval where that error would be 0.
fn told(it: &Point) -> String {
    let Share { value, mcse, interval: [low, high], .. } = Share::of(it);
    if mcse == 0.0 {
        format!("{value:.3} [{low:.3}, {high:.3}]")
    } else {
        format!("{value:.3} ±{mcse:.3}")
    }
}

/// The power of ten whose multiples show two digits of a width, by what a number is multiplied to be rounded to them.
fn digits(width: f64) -> f64 {
    let places = 1.0 - libm::floor(libm::log10(width));
    if places.is_finite() { libm::pow(10.0, places.clamp(0.0, 10.0)) } else { 1e10 }
}

fn rounded(x: f64, digits: f64) -> f64 {
    libm::rint(x * digits) / digits
}

fn floor(x: f64, digits: f64) -> f64 {
    libm::floor(x * digits) / digits
}

fn ceil(x: f64, digits: f64) -> f64 {
    libm::ceil(x * digits) / digits
}
