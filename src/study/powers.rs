//! Exact powers between the cells of a grid: the line of a power curve, the mesh of a map, and where they cross a target.

use std::sync::Arc;

use super::parallel;
use crate::estimators::{Estimator, Settings, Undefined};
use crate::exact::{Laws, Power, Unfit};
use crate::protocol::Task;
use crate::scenario::{Along, Level, Plan};
use crate::stats::special::normal_quantile;

/// The power that studies are usually planned for.
pub const TARGET: f64 = 0.8;
/// Sums that all powers of a study may take: a few seconds.
const MOST_WORK: f64 = 4e6;
/// A probability nearer to 0 or 1 than this has no use for its quantile.
const CERTAIN: f64 = 1e-12;

/// The exact powers of one rule about one judge, along one varied number or two.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The values of the paths that it does not run along, in the order of the file.
    pub beside: Vec<Level>,
    /// The judge.
    pub judge: Arc<str>,
    /// The rule.
    pub estimator: &'static Estimator,
    /// Values of the first number that it runs along, rising.
    pub x: Vec<f64>,
    /// Values of the second; empty for a curve.
    pub y: Vec<f64>,
    /// Its powers, those of the first `y` first; or why there are none.
    pub powers: Result<Vec<Power>, Undefined>,
    /// Where a curve crosses the target; on a map, every row along the number of pairs or cases.
    pub crossings: Vec<Crossing>,
}

/// Where the power crosses the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The number; of pairs or cases, the smallest from which the power stays.
    pub at: f64,
    /// It lies between this
    pub low: f64,
    /// and this.
    pub high: f64,
    /// Whether larger numbers have the larger power.
    pub rises: bool,
    /// On a map, the value of the other number.
    pub other: Option<f64>,
}

/// A surface's point before its power is summed.
struct Point<'p> {
    /// The first number, and the second or 0.
    at: [f64; 2],
    task: &'p Task,
    laws: Result<Laws, Unfit>,
}

type Pending<'p> = (Surface, Vec<Point<'p>>);

/// The exact powers of every rule with a test that a plan asks for between its cells; of the variants of a rule, those of
/// the one to rely on.
#[must_use]
pub fn surfaces(plan: &Plan) -> Vec<Surface> {
    let Some(between) = &plan.between else { return Vec::new() };
    let along = &between.along;
    let mut all = pending(along, &between.cells, &between.tasks);
    let work = |all: &[Pending<'_>]| all.iter().map(|it| work(along, it)).sum::<f64>();
    if all.is_empty() || MOST_WORK < work(&all) {
        all = pending(along, &plan.cells, &plan.tasks);
    }
    let affordable = work(&all) <= MOST_WORK;
    let settings = plan.settings;
    parallel::map(all, |(mut surface, points): Pending<'_>| {
        if affordable {
            sum(&mut surface, &points, along, settings);
        } else {
            surface.powers = Err(Undefined("the exact powers are too much to sum"));
        }
        surface
    })
}

/// Every rule about every judge with its points in order, their laws at hand.
fn pending<'p>(along: &[Along], cells: &[Vec<Level>], tasks: &'p [Task]) -> Vec<Pending<'p>> {
    let mut all: Vec<Pending<'p>> = Vec::new();
    for task in tasks {
        let levels = &cells[task.cell];
        let mut at = [0.0; 2];
        for (at, it) in at.iter_mut().zip(along) {
            *at = levels[it.axis].number.unwrap_or(f64::NAN);
        }
        let others = levels.iter().enumerate().filter(|it| along.iter().all(|a| a.axis != it.0));
        let beside: Vec<Level> = others.map(|it| it.1.clone()).collect();
        for estimator in tests(task) {
            let same = |it: &Surface| {
                it.judge == task.judge
                    && it.beside == beside
                    && it.estimator.name() == estimator.name()
            };
            let place = all.iter().position(|it| same(&it.0)).unwrap_or_else(|| {
                all.push((Surface::new(task, beside.clone(), estimator), Vec::new()));
                all.len() - 1
            });
            all[place].1.push(Point { at, task, laws: Err(Unfit::TooLarge) });
        }
    }
    let order = |a: &Point<'_>, b: &Point<'_>| {
        a.at[1].total_cmp(&b.at[1]).then(a.at[0].total_cmp(&b.at[0]))
    };
    parallel::map(all, |(surface, mut points): Pending<'_>| {
        points.sort_by(order);
        points.dedup_by(|a, b| a.at == b.at);
        for it in points.iter_mut().filter(|it| it.task.sheet.is_none()) {
            it.laws = Laws::of(&it.task.design, surface.estimator);
        }
        (surface, points)
    })
}

/// The rules of a task that have a test; of variants, the one to rely on.
fn tests(task: &Task) -> Vec<&'static Estimator> {
    let with_test = || task.estimators.iter().copied().filter(|it| it.null.is_some());
    let has_chosen = |rule: &str| with_test().any(|it| it.rule == rule && it.chosen);
    with_test().filter(|it| it.chosen || !has_chosen(it.rule)).collect()
}

/// Runs of points that differ in the number of pairs or cases alone, if that is varied; else of one point.
fn runs<'a, 'p>(along: &[Along], points: &'a [Point<'p>]) -> Vec<Vec<(usize, &'a Point<'p>)>> {
    // The second number varies slowest: where both are counted, runs lie along the first.
    let Some(counts) = along.iter().position(|it| it.counts) else {
        return points.iter().enumerate().map(|it| vec![it]).collect();
    };
    let mut runs: Vec<Vec<(usize, &Point<'_>)>> = Vec::new();
    for (k, point) in points.iter().enumerate() {
        let other = |it: &Point<'_>| it.at[1 - counts].to_bits();
        match runs.iter_mut().find(|run| other(run[0].1) == other(point)) {
            Some(run) => run.push((k, point)),
            None => runs.push(vec![(k, point)]),
        }
    }
    runs
}

fn work(along: &[Along], (surface, points): &Pending<'_>) -> f64 {
    let runs = runs(along, points).into_iter().filter_map(|run| run.last().copied());
    let laws = runs.filter_map(|it| it.1.laws.as_ref().ok());
    laws.map(|it| it.work(surface.estimator)).sum()
}

fn sum(surface: &mut Surface, points: &[Point<'_>], along: &[Along], settings: Settings) {
    let distinct = |which: usize| {
        let mut all: Vec<f64> = points.iter().map(|it| it.at[which]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    };
    surface.x = distinct(0);
    if along.len() == 2 {
        surface.y = distinct(1);
    }
    surface.powers = if points.iter().any(|it| it.task.sheet.is_some()) {
        Err(Undefined("a sheet of scores has no exact law"))
    } else if points.len() != surface.x.len() * surface.y.len().max(1) {
        Err(Undefined("the cells do not have the same rules"))
    } else {
        summed(surface, points, along, settings)
    };
}

/// The power of every point, and the crossings of a curve.
fn summed(
    surface: &mut Surface,
    points: &[Point<'_>],
    along: &[Along],
    settings: Settings,
) -> Result<Vec<Power>, Undefined> {
    let rule = surface.estimator;
    let mut powers = vec![Power { value: 0.0, error: 0.0 }; points.len()];
    for run in runs(along, points) {
        let Some(largest) = run.last().map(|it| &it.1.laws) else { continue };
        let largest = largest.as_ref().map_err(|why| told(*why))?;
        let nested =
            |it: &&(usize, &Point<'_>)| it.1.laws.as_ref().is_ok_and(|it| it.begins(largest));
        if 1 < run.len() && run.iter().all(|it| nested(&it)) {
            // One pass gives the power at every number of pairs.
            let curve = largest.curve(rule, settings).map_err(told)?;
            for (k, point) in &run {
                powers[*k] = curve[point.task.design.world.cases.len() - 1];
            }
            let counts = usize::from(!along[0].counts);
            let other = (along.len() == 2).then(|| run[0].1.at[1 - counts]);
            let found = for_good(&curve, run[0].1.at[counts]);
            surface.crossings.extend(found.map(|it| Crossing { other, ..it }));
            continue;
        }
        for (k, point) in run {
            let laws = point.laws.as_ref().map_err(|why| told(*why))?;
            powers[k] = laws.power(rule, settings).map_err(told)?;
        }
    }
    if let ([along], []) = (along, surface.crossings.as_slice()) {
        let line: Vec<_> =
            surface.x.iter().copied().zip(powers.iter().map(|it| it.value)).collect();
        if !along.counts {
            surface.crossings = crossings(&line, along.by_ratio);
            for it in surface.crossings.iter_mut().filter(|_| along.whole) {
                it.at = if it.rises { libm::ceil(it.at) } else { libm::floor(it.at) };
            }
        }
    }
    Ok(powers)
}

fn told(why: Unfit) -> Undefined {
    Undefined(match why {
        Unfit::MoreThanAPlane => "its test reads more sums than an exact power can follow",
        Unfit::TooLarge => "the exact powers are too much to sum",
    })
}

/// The smallest number of cases, not below the first of the chart, from which the power stays above the target.
fn for_good(curve: &[Power], first: f64) -> Option<Crossing> {
    let below = curve.iter().rposition(|it| it.value < TARGET)? + 1;
    let at = (below + 1) as f64;
    (below < curve.len() && first < at).then_some(Crossing {
        at,
        low: at,
        high: at,
        rises: true,
        other: None,
    })
}

/// Where a line through exact powers crosses the target: between two points, the probit of the power is as good as straight.
fn crossings(line: &[(f64, f64)], by_ratio: bool) -> Vec<Crossing> {
    let probit = |p: f64| normal_quantile(p.clamp(CERTAIN, 1.0 - CERTAIN));
    let cross = |two: &[(f64, f64)]| {
        let [(x, p), (further, q)] = *two else { return None };
        let rises = p < TARGET && TARGET <= q;
        let falls = TARGET <= p && q < TARGET;
        if !(rises || falls) {
            return None;
        }
        let share = (probit(TARGET) - probit(p)) / (probit(q) - probit(p));
        let at =
            if by_ratio { x * libm::pow(further / x, share) } else { x + (further - x) * share };
        Some(Crossing { at, low: x, high: further, rises, other: None })
    };
    line.windows(2).filter_map(cross).collect()
}

/// Where simulated powers cross the target, once: each point has its value and the limits of its interval. The limits cross
/// it where the answer's do; what lies between two points is not simulated, and is taken as straight.
#[must_use]
pub fn simulated_crossing(points: &[(f64, [f64; 3])], by_ratio: bool) -> Option<Crossing> {
    let line = |which: usize| points.iter().map(|it| (it.0, it.1[which])).collect::<Vec<_>>();
    let [value, low, high] = [0, 1, 2].map(|which| crossings(&line(which), by_ratio));
    let ([value], [low], [high]) = (value.as_slice(), low.as_slice(), high.as_slice()) else {
        return None;
    };
    let same = value.rises == low.rises && value.rises == high.rises;
    same.then_some(Crossing { low: low.at.min(high.at), high: low.at.max(high.at), ..*value })
}

impl Surface {
    fn new(task: &Task, beside: Vec<Level>, estimator: &'static Estimator) -> Self {
        Self {
            beside,
            judge: task.judge.clone(),
            estimator,
            x: Vec::new(),
            y: Vec::new(),
            powers: Err(Undefined("not summed")),
            crossings: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_from_which_a_saw_tooth_stays() {
        let curve = |powers: &[f64]| {
            powers.iter().map(|value| Power { value: *value, error: 0.0 }).collect::<Vec<_>>()
        };
        let teeth = curve(&[0.1, 0.7, 0.81, 0.79, 0.82, 0.83]);
        assert_eq!(for_good(&teeth, 1.0).map(|it| it.at), Some(5.0));
        // It began before the chart does, or it never stays.
        assert_eq!(for_good(&teeth, 5.0), None);
        assert_eq!(for_good(&curve(&[0.9, 0.7]), 1.0), None);
        assert_eq!(for_good(&curve(&[0.9, 0.95]), 1.0), None);
    }

    #[test]
    fn a_normal_power_is_crossed_where_it_should_be() {
        // Power of a one-sided z-test, 1 - Phi(1.96 - x): it is 80 % at x = 1.96 + 0.8416.
        let power = |x: f64| crate::stats::special::phi(x - 1.96);
        let line: Vec<_> = (0..9).map(|k| (f64::from(k), power(f64::from(k)))).collect();
        let found = crossings(&line, false);
        assert_eq!(found.len(), 1);
        assert!((found[0].at - 2.801_621_233_572_914).abs() < 1e-9, "{found:?}");
        assert_eq!((found[0].low, found[0].high, found[0].rises), (2.0, 3.0, true));
        // Both ways, where the effect may have either sign.
        let both = [(-1.0, 0.9), (0.0, 0.05), (1.0, 0.9)];
        let ways: Vec<bool> = crossings(&both, false).iter().map(|it| it.rises).collect();
        assert_eq!(ways, [false, true]);
    }

    #[test]
    fn what_was_simulated_crosses_within_limits_or_not_at_all() {
        let points =
            [(10.0, [0.5, 0.4, 0.6]), (20.0, [0.75, 0.7, 0.82]), (40.0, [0.95, 0.9, 0.99])];
        let found = simulated_crossing(&points, true);
        assert!(found.is_some_and(|it| it.low < it.at && it.at < it.high), "{found:?}");
        // The upper limits are above the target everywhere: no lower end.
        assert_eq!(simulated_crossing(&points[1..], true), None);
    }
}
