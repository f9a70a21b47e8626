//! Newton's method for log-likelihoods, with or without a maximum, and limits by the profile likelihood.

use super::dense::{Matrix, cholesky, dot, solve_lower, solve_upper};
use super::interval::Interval;
use super::root::{Sample, bracketed_root};
use super::special::normal_quantile;

/// Two regressors, or sums of several, always move together.
pub const ALIASED: &str = "the regressors cannot be told apart in these data";
/// The likelihood has no maximum.
pub const SEPARATED: &str = "the verdicts are separated: a coefficient has no finite estimate";

/// A log-likelihood that can be climbed.
pub(crate) trait Likelihood {
    /// Its value.
    fn height(&self, at: &[f64]) -> f64;
    /// Its gradient and the information, which is minus its curvature.
    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix);
    /// The largest log-odds of any row.
    fn reach(&self, at: &[f64]) -> f64;
    /// All of these, which may cost less together.
    fn look(&self, at: &[f64]) -> Look {
        let (score, information) = self.slopes(at);
        Look { height: self.height(at), score, information, reach: self.reach(at) }
    }
}

/// A likelihood seen from a point.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) height: f64,
    pub(crate) score: Vec<f64>,
    pub(crate) information: Matrix,
    pub(crate) reach: f64,
}

/// Where a climb ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Top {
    pub(crate) at: Vec<f64>,
    pub(crate) height: f64,
}

/// Newton steps after which a likelihood that still rises has no maximum: the usual number is 5 to 8.
const STEPS: usize = 40;
/// Log-odds beyond which a fitted verdict is as good as certain: at a maximum no row is.
const CERTAIN: f64 = 30.0;

/// The maximum of a concave likelihood, and what is seen from there.
///
/// # Errors
/// [`ALIASED`] where the information is singular at the start, [`SEPARATED`] where there is no maximum.
pub(crate) fn maximum(
    of: &impl Likelihood,
    start: Vec<f64>,
) -> Result<(Vec<f64>, Look), &'static str> {
    let mut seen = of.look(&start);
    let (mut here, mut before) = (start, f64::INFINITY);
    for step in 0..STEPS {
        // At the start all weights are equal, so a singular information is the design's; later it is separation's.
        let why = if step == 0 { ALIASED } else { SEPARATED };
        let lower = cholesky(&seen.information).ok_or(why)?;
        let newton = solve_upper(&lower, &solve_lower(&lower, &seen.score));
        let gain = dot(&newton, &seen.score);
        let mut size = 1.0;
        (here, seen) = loop {
            let at = moved(&here, &newton, size);
            let there = of.look(&at);
            if seen.height <= there.height + 1e-12 * seen.height.abs() || size < 1e-15 {
                break (at, there);
            }
            size /= 2.0;
        };
        if seen.reach > CERTAIN {
            return Err(SEPARATED);
        }
        // Near a maximum a step squares what is missing; where there is none, every step gains a fixed share of the last gain.
        let least = if gain < 1e-4 * before { 1e-14 } else { 1e-20 };
        if gain <= least * (1.0 + seen.height.abs()) {
            return Ok((here, seen));
        }
        before = gain;
    }
    Err(SEPARATED)
}

fn moved(from: &[f64], newton: &[f64], size: f64) -> Vec<f64> {
    from.iter().zip(newton).map(|(b, d)| b + size * d).collect()
}

/// The step, halved until the likelihood does not fall.
fn stepped(of: &impl Likelihood, from: &Top, newton: &[f64]) -> Top {
    let mut size = 1.0;
    loop {
        let at = moved(&from.at, newton, size);
        let height = of.height(&at);
        if from.height <= height + 1e-12 * from.height.abs() || size < 1e-15 {
            return Top { at, height };
        }
        size /= 2.0;
    }
}

/// As high as the likelihood gets, whether or not it has a maximum and whether or not it is concave: where coefficients run
/// away, the height still settles, because every further log-odd is worth a third of the one before.
pub(crate) fn supremum(of: &impl Likelihood, start: Vec<f64>) -> Top {
    let mut top = Top { height: of.height(&start), at: start };
    for _ in 0..5 * STEPS {
        let (score, information) = of.slopes(&top.at);
        let Some(newton) = damped(&information, &score) else { break };
        let newton = within_reach(of, &top.at, newton);
        let gain = dot(&newton, &score);
        let next = stepped(of, &top, &newton);
        if next.height <= top.height && gain < 1e-9 {
            break;
        }
        top = next;
        if gain <= 1e-14 * (1.0 + top.height.abs()) {
            break;
        }
    }
    top
}

/// Where answers are all but certain the likelihood is nearly straight and a Newton step flies off: none may more than double
/// the largest log-odds.
fn within_reach(of: &impl Likelihood, at: &[f64], mut newton: Vec<f64>) -> Vec<f64> {
    let whole: Vec<f64> = at.iter().zip(&newton).map(|(b, d)| b + d).collect();
    let (here, there) = (of.reach(at), of.reach(&whole));
    let most = 10.0 + 2.0 * here;
    if most < there {
        // The largest log-odds is convex along the step.
        let share = (most - here) / (there - here);
        for d in &mut newton {
            *d *= share;
        }
    }
    newton
}

/// A Newton step, its information raised along the diagonal until it is positive.
fn damped(information: &Matrix, score: &[f64]) -> Option<Vec<f64>> {
    let largest = (0..information.len()).map(|k| information[k][k].abs()).fold(0.0, f64::max);
    let mut more = 0.0;
    for _ in 0..30 {
        let mut raised = information.clone();
        (0..raised.len()).for_each(|k| raised[k][k] += more);
        if let Some(lower) = cholesky(&raised) {
            return Some(solve_upper(&lower, &solve_lower(&lower, score)));
        }
        more = if more == 0.0 { 1e-10 * largest.max(1e-10) } else { 10.0 * more };
    }
    None
}

/// A likelihood with one coefficient held.
struct Held<'a, L> {
    of: &'a L,
    place: usize,
    value: f64,
}

impl<L> Held<'_, L> {
    fn whole(&self, at: &[f64]) -> Vec<f64> {
        let mut whole = at.to_vec();
        whole.insert(self.place, self.value);
        whole
    }
}

impl<L: Likelihood> Likelihood for Held<'_, L> {
    fn height(&self, at: &[f64]) -> f64 {
        self.of.height(&self.whole(at))
    }

    fn slopes(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let (mut score, mut information) = self.of.slopes(&self.whole(at));
        score.remove(self.place);
        information.remove(self.place);
        for row in &mut information {
            row.remove(self.place);
        }
        (score, information)
    }

    fn reach(&self, at: &[f64]) -> f64 {
        self.of.reach(&self.whole(at))
    }
}

/// Doublings of the unit within which a limit is looked for.
const DOUBLINGS: u32 = 13;

/// A coefficient seen through the likelihood alone.
pub(crate) struct Profile<'a, L> {
    pub(crate) of: &'a L,
    /// The top over all coefficients.
    pub(crate) top: &'a Top,
    pub(crate) place: usize,
    /// Where a climb starts that holds the coefficient at a value; the value's own place is ignored.
    pub(crate) start: &'a dyn Fn(f64) -> Vec<f64>,
    /// The least value of the coefficient.
    pub(crate) least: f64,
}

impl<L: Likelihood> Profile<'_, L> {
    /// Twice what the log-likelihood loses when the coefficient is held at a value.
    pub(crate) fn loss(&self, value: f64) -> f64 {
        let mut start = (self.start)(value);
        start.remove(self.place);
        let held = Held { of: self.of, place: self.place, value };
        2.0 * (self.top.height - supremum(&held, start).height)
    }

    /// The values that a likelihood-ratio test does not reject, infinite where the likelihood never falls enough. `unit` is
    /// the size of the first step, best the standard error.
    pub(crate) fn limits(&self, unit: f64, level: f64) -> Interval {
        let z = normal_quantile(0.5 + level / 2.0);
        // The root of the loss is nearly straight, so that its crossing takes few climbs.
        let excess = |value: f64| self.loss(value).max(0.0).sqrt() - z;
        let limit = |sign: f64| {
            let mut inner = Sample { x: self.top.at[self.place], y: -z };
            for k in 0..DOUBLINGS {
                let far = self.top.at[self.place] + sign * z * unit * f64::from(1_u32 << k);
                let x = far.max(self.least);
                let outer = Sample { x, y: excess(x) };
                if 0.0 < outer.y {
                    return bracketed_root(inner, outer, 1e-9 * unit, excess);
                }
                if far < x {
                    return x;
                }
                inner = outer;
            }
            sign * f64::INFINITY
        };
        Interval { low: limit(-1.0), high: limit(1.0) }
    }
}
