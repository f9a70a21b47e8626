//! The search for a crossing where powers can only be simulated: a pilot that doubles its steps, six points around what it
//! found, then three close to the target, through which a probit line is drawn.
//!
//! Every question is answered by trials that no earlier one used, so the errors of the last three points are independent of
//! why they stand where they stand, and their line's interval holds its level.

use super::Impossible;
use crate::stats::interval::wilson;
use crate::stats::probit::{Point, Probit};
use crate::stats::special::normal_quantile;

/// The confidence of intervals that speak of a search's own error.
pub(super) const LEVEL: f64 = 0.95;

/// Where a crossing is looked for, and with how many trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    /// The smallest place.
    pub least: f64,
    /// The first step of the pilot.
    pub step: f64,
    /// The largest place.
    pub most: f64,
    /// The power that is wanted.
    pub target: f64,
    /// Trials in all.
    pub budget: u64,
    /// Whether places are roots of whole numbers: power rises with the root of a size.
    pub whole: bool,
}

/// A part of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What it is for.
    pub name: &'static str,
    /// Points that were simulated.
    pub points: u64,
    /// Replicates over all of them.
    pub replicates: u64,
}

/// A power that drops while the effect grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drop {
    pub from: Point,
    pub to: Point,
}

/// A crossing that was found.
#[derive(Clone, Debug)]
pub(super) struct Crossed {
    pub value: f64,
    pub interval: [f64; 2],
    /// The line through the last points; none where the power jumps.
    pub line: Option<Probit>,
    /// All points, rising.
    pub points: Vec<Point>,
    pub stages: Vec<Stage>,
    pub drop: Option<Drop>,
}

/// Why none was found, with the trials that say so.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lost {
    /// The power is reached at the smallest place already.
    Below(Point),
    /// It is not reached up to the largest; the highest there is.
    Above(Point),
    /// Something else is wrong with the question.
    Other(Impossible),
}

/// Simulates so many trials at a place, fresh ones each time, and returns the successes.
pub(super) type Ask<'a> = &'a mut dyn FnMut(f64, u64) -> Result<u64, Impossible>;

/// Heights of the six points above the target, on the probit scale.
const WIDE: [f64; 6] = [-1.2, -0.72, -0.24, 0.24, 0.72, 1.2];
/// Heights of the last three: powers of .71, .80 and .87 around .8.
const CLOSE: [f64; 3] = [-0.3, 0.0, 0.3];

struct Search<'a> {
    ask: Ask<'a>,
    range: Range,
    points: Vec<Point>,
    stages: Vec<Stage>,
}

/// The smallest place at which the target is reached.
pub(super) fn crossing(ask: Ask<'_>, range: Range) -> Result<Crossed, Lost> {
    let mut search = Search { ask, range, points: Vec::new(), stages: Vec::new() };
    let bracket = search.pilot()?;
    let pilot = search.points.clone();
    let places = match search.line(&pilot, bracket) {
        Some(line) => search.around(&line, &WIDE),
        None => search.between(bracket),
    };
    search.stage("six points around the range", &places, range.budget / 10)?;
    let wide = search.points[pilot.len()..].to_vec();
    let places = match search.line(&wide, span(&wide)) {
        Some(line) => search.around(&line, &CLOSE),
        None => search.between(search.bracket()),
    };
    let left = range.budget.saturating_sub(search.spent());
    search.stage("three points close to the answer", &places, left)?;
    let close = search.points[pilot.len() + wide.len()..].to_vec();
    search.found(wide.len(), &close)
}

impl Search<'_> {
    fn spent(&self) -> u64 {
        self.stages.iter().map(|it| it.replicates).sum()
    }

    /// A place that can be asked about.
    fn snapped(&self, place: f64) -> f64 {
        let Range { least, most, whole, .. } = self.range;
        let place = place.clamp(least, most);
        if whole { libm::sqrt(libm::rint(place * place)) } else { place }
    }

    fn at(&mut self, place: f64, trials: u64) -> Result<Point, Lost> {
        let successes = (self.ask)(place, trials).map_err(Lost::Other)?;
        let point = Point { x: place, trials, successes };
        self.points.push(point);
        Ok(point)
    }

    fn stage(&mut self, name: &'static str, places: &[f64], trials: u64) -> Result<(), Lost> {
        let each = (trials / places.len().max(1) as u64).max(1);
        for place in places {
            self.at(*place, each)?;
        }
        let points = places.len() as u64;
        self.stages.push(Stage { name, points, replicates: points * each });
        Ok(())
    }

    /// Doubles the step until the power is well above the target; the places on either side of the target.
    fn pilot(&mut self) -> Result<[f64; 2], Lost> {
        let Range { least, step, most, target, budget, whole } = self.range;
        let each = (budget / 400).max(20);
        let error = libm::sqrt(target * (1.0 - target) / each as f64);
        let enough = (target + 2.0 * error).min(f64::midpoint(1.0, target));
        let start = self.at(least, each)?;
        if target <= start.share() {
            let again = self.at(least, 10 * each)?;
            if target <= again.share() {
                return Err(Lost::Below(again));
            }
        }
        let (mut low, mut step) = (least, step);
        while low < most {
            let place = self.snapped(if whole {
                libm::sqrt(least * least + step * step)
            } else {
                least + step
            });
            let here = self.at(place, each)?;
            if enough <= here.share() {
                self.pilot_stage();
                return Ok([low, place]);
            }
            // A power that may be the target's already is no lower end.
            if here.share() < target - 2.0 * error {
                low = place;
            } else if most <= place {
                break;
            }
            step *= if whole { libm::sqrt(2.0) } else { 2.0 };
        }
        self.summit(each)
    }

    fn pilot_stage(&mut self) {
        let replicates = self.points.iter().map(|it| it.trials).sum();
        let points = self.points.len() as u64;
        self.stages.push(Stage { name: "a pilot of doubling steps", points, replicates });
    }

    /// Where doubling steps did not reach the target: a closer look around the best of them.
    fn summit(&mut self, each: u64) -> Result<[f64; 2], Lost> {
        let at = best(&self.points);
        let low = self.points[at.saturating_sub(1)].x;
        let high = self.points[(at + 1).min(self.points.len() - 1)].x;
        let before = self.points.len();
        for place in self.between([low, high]) {
            self.at(place, 4 * each)?;
        }
        let top = before + best(&self.points[before..]);
        // The best of several is chosen for its luck too: it is asked again, beside the end.
        let top = self.at(self.points[top].x, 10 * each)?;
        let end = self.at(self.range.most, 10 * each)?;
        let top = if top.share() <= end.share() { end } else { top };
        self.pilot_stage();
        let sure = wilson(top.successes, top.trials, 0.999);
        if sure.high < self.range.target
            || top.share() < self.range.target && self.range.most <= top.x
        {
            return Err(Lost::Above(top));
        }
        Ok([self.range.least.max(low.min(top.x)), top.x])
    }

    /// The line of some points, where it rises and crosses the target not far outside of a bracket.
    fn line(&self, points: &[Point], [low, high]: [f64; 2]) -> Option<Probit> {
        let line = Probit::of(points)?;
        let room = 0.25 * (high - low);
        let crossing = line.crossing(self.range.target);
        let inside = low - room <= crossing && crossing <= high + room;
        (0.0 < line.slope && inside).then_some(line)
    }

    /// Places where a line has these heights above the target.
    fn around(&self, line: &Probit, heights: &[f64]) -> Vec<f64> {
        let centre = line.crossing(self.range.target);
        self.distinct(heights.iter().map(|it| centre + it / line.slope))
    }

    /// Six places up to the upper end.
    fn between(&self, [low, high]: [f64; 2]) -> Vec<f64> {
        self.distinct((1..=6).map(|k| low + (high - low) * f64::from(k) / 6.0))
    }

    fn distinct(&self, places: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut places: Vec<f64> = places.map(|it| self.snapped(it)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    /// The last place whose power is surely below the target, and the first after it whose power is surely not.
    fn bracket(&self) -> [f64; 2] {
        let Range { least, most, target, .. } = self.range;
        let mut points = self.points.clone();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let sure = |it: &Point| wilson(it.successes, it.trials, 0.99);
        let high = points.iter().position(|it| target <= sure(it).low).unwrap_or(points.len());
        let low = points[..high].iter().rev().find(|it| sure(it).high < target);
        [low.map_or(least, |it| it.x), points.get(high).map_or(most, |it| it.x)]
    }

    /// The answer: from the line of the last points; where they have none, because the power jumps, from what encloses it.
    fn found(mut self, wide: usize, close: &[Point]) -> Result<Crossed, Lost> {
        let Range { least, most, target, .. } = self.range;
        let bounded = |it: &Probit| it.between(target, LEVEL).low.is_finite();
        // Few trials may leave the last points beside the answer: then the wider ones help.
        let wide = &self.points[self.points.len() - close.len() - wide..];
        let line = self
            .line(close, span(close))
            .filter(bounded)
            .or_else(|| self.line(wide, span(wide)).filter(bounded));
        let (value, interval) = if let Some(line) = &line {
            let between = line.between(target, LEVEL);
            (line.crossing(target), [between.low, between.high])
        } else {
            let [low, high] = self.bracket();
            let reaches = |it: &&Point| low < it.x && it.x <= high && target <= it.share();
            let first = self.points.iter().filter(reaches).map(|it| it.x).fold(high, f64::min);
            (first, [low, high])
        };
        if most < value {
            let last = self.at(most, self.range.budget / 40)?;
            return Err(Lost::Above(last));
        }
        if value <= least {
            let first = self.at(least, self.range.budget / 40)?;
            return Err(Lost::Below(first));
        }
        self.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let drop = drop_of(&self.points);
        let interval = [interval[0].clamp(least, value), interval[1].clamp(value, most)];
        Ok(Crossed { value, interval, line, points: self.points, stages: self.stages, drop })
    }
}

/// The first and the last place.
fn span(points: &[Point]) -> [f64; 2] {
    let places = || points.iter().map(|it| it.x);
    [places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max)]
}

/// The first of the points with the largest share, by its place among them.
fn best(points: &[Point]) -> usize {
    let better =
        |best: usize, k: usize| if points[best].share() < points[k].share() { k } else { best };
    (0..points.len()).fold(0, better)
}

/// The clearest drop of rising points that chance does not explain: two standard errors, held over all pairs of points.
fn drop_of(points: &[Point]) -> Option<Drop> {
    let mut worst: Option<(f64, Drop)> = None;
    for (k, to) in points.iter().enumerate() {
        for from in points[..k].iter().filter(|it| it.x < to.x) {
            let (n, m) = (from.trials as f64, to.trials as f64);
            let pooled = (from.successes + to.successes) as f64 / (n + m);
            let error = libm::sqrt(pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m));
            let drop = (from.share() - to.share()) / error;
            if worst.is_none_or(|it| it.0 < drop) && 0.0 < drop {
                worst = Some((drop, Drop { from: *from, to: *to }));
            }
        }
    }
    let pairs = points.len() * points.len().saturating_sub(1) / 2;
    let two_errors = 0.022_75 / pairs.max(1) as f64;
    worst.filter(|it| -normal_quantile(two_errors) < it.0).map(|it| it.1)
}

#[cfg(test)]
mod tests;
