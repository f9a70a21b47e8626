//! Cells between the cells of the grid, for charts of the power: exact powers are summed there, nothing is simulated.

use super::super::grid::{Grid, Level};
use super::super::wire::Wire;
use super::{Builder, Open, Overrides, Plan};
use crate::protocol::Task;

/// Intervals of a curve.
const CURVE_STEPS: u32 = 40;
/// The same of one along whole numbers, where tests of counts have teeth.
const WHOLE_STEPS: u32 = 160;
/// Points of a map from one value of the grid to the next.
const MAP_STEPS: u32 = 4;
/// A path is drawn along from so many values on.
const LEAST: usize = 3;
/// Cells that may lie between.
const MOST_CELLS: usize = 4_000;
/// Cases of their worlds: more would take longer to build than to simulate.
const MOST_CASES: u64 = 2_000_000;

/// Cells between the cells of the grid, along one varied number or two.
#[derive(Clone, Debug)]
pub struct Between {
    /// What varies, in the order of the file: one path for a curve, two for a map.
    pub along: Vec<Along>,
    /// A value for each path.
    pub cells: Vec<Vec<Level>>,
    /// One task or more for each judge of each cell; none where the cells are too many.
    pub tasks: Vec<Task>,
}

/// A varied number that a chart runs along.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// Its place among the varied paths.
    pub axis: usize,
    /// Whether equal ratios are equally far apart.
    pub by_ratio: bool,
    /// Whether it is the number of pairs or cases, of which a smaller world has the first.
    pub counts: bool,
    /// Whether it takes whole numbers only.
    pub whole: bool,
}

/// What lies between the cells of a plan; none where its shape fits no chart.
pub(super) fn between(
    grid: &Grid<'_>,
    plan: &Plan,
    overrides: Overrides,
    open: Open<'_>,
) -> Option<Between> {
    let tested = |task: &Task| task.estimators.iter().any(|it| it.null.is_some());
    if !plan.tasks.iter().any(tested) {
        return None;
    }
    let long: Vec<(usize, Vec<f64>)> = (0..grid.axes().len())
        .filter_map(|axis| Some((axis, rising(grid, axis)?)))
        .filter(|it| LEAST <= it.1.len())
        .collect();
    if long.is_empty() || 2 < long.len() {
        return None;
    }
    // Published figures and conditions speak of the cells of the grid, which these are not.
    let mut build = |grid: &Grid<'_>| {
        let points = grid.read::<Wire>().ok()?;
        let points =
            points.into_iter().map(|point| (point.levels, point.content.unspoken())).collect();
        Builder::new(grid, overrides, &mut *open).plan(None, points).ok()
    };
    let mut along = Vec::new();
    let mut texts = Vec::new();
    for (axis, numbers) in &long {
        let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
        let mut takes = |text: String| {
            let texts = [text];
            build(&grid.with_numbers(*axis, &texts)).is_some()
        };
        // No fraction of the range by an irrational number is whole.
        let whole = !takes(format!("{:?}", low + (high - low) / std::f64::consts::PI));
        let by_ratio = is_by_ratio(numbers, whole);
        let points = if long.len() == 1 {
            along_a_curve(numbers, by_ratio, whole)
        } else {
            let outer = half_a_step_out(numbers, by_ratio).map(|it| written(it, whole));
            let outer = outer.map(|text| takes(text.clone()).then_some(text));
            let outer = outer.map(|text| text.and_then(|it| it.parse().ok()));
            across_a_map(numbers, by_ratio, outer)
        };
        let mut list: Vec<String> = points.into_iter().map(|it| written(it, whole)).collect();
        list.dedup();
        texts.push(list);
        let path = grid.axes()[*axis].path();
        let counts = matches!(path.rsplit('.').next(), Some("pairs" | "cases"));
        along.push(Along { axis: *axis, by_ratio, counts, whole });
    }
    let mut finer = grid.clone();
    for (it, texts) in along.iter().zip(&texts) {
        finer = finer.with_numbers(it.axis, texts);
    }
    let largest = plan.tasks.iter().map(Task::cases).max().unwrap_or(0);
    let small = finer.size() <= MOST_CELLS && {
        let worlds = texts.iter().map(Vec::len).max().unwrap_or(0) as u64;
        largest.saturating_mul(worlds) <= MOST_CASES
    };
    let plan = if small { build(&finer) } else { None };
    let (cells, tasks) = plan.map_or_else(Default::default, |plan| (plan.cells, plan.tasks));
    Some(Between { along, cells, tasks })
}

/// The distinct values of an axis that moves alone, rising, if all are numbers.
fn rising(grid: &Grid<'_>, axis: usize) -> Option<Vec<f64>> {
    let levels = grid.axes()[axis].levels();
    let numbers: Option<Vec<f64>> = levels.iter().map(|it| it.number).collect();
    let mut numbers = numbers.filter(|_| grid.is_alone(axis))?;
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    Some(numbers)
}

/// Whole numbers that span a factor of eight are spread by their ratios.
fn is_by_ratio(numbers: &[f64], whole: bool) -> bool {
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    whole && 0.0 < low && 8.0 * low <= high
}

/// A number as the scenario would write it.
fn written(number: f64, whole: bool) -> String {
    if whole { format!("{number:.0}") } else { format!("{number:?}") }
}

/// The number that lies a share of the way from one to another.
fn part_way(from: f64, to: f64, share: f64, by_ratio: bool) -> f64 {
    if by_ratio {
        from * libm::pow(to / from, share)
    } else {
        // Nine decimals: the eighth part of 0.1 is 0.0125 and nothing longer.
        libm::rint((from + (to - from) * share) * 1e9) / 1e9
    }
}

/// Points along the range, the values of the grid among them.
fn along_a_curve(numbers: &[f64], by_ratio: bool, whole: bool) -> Vec<f64> {
    let steps = if whole { WHOLE_STEPS } else { CURVE_STEPS };
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    let share = |k| f64::from(k) / f64::from(steps);
    let mut points: Vec<f64> =
        (1..steps).map(|k| part_way(low, high, share(k), by_ratio)).collect();
    points.extend(numbers);
    points.sort_by(f64::total_cmp);
    points.dedup();
    points
}

/// The values half a step beyond the first and the last, where a map's outermost cells end.
fn half_a_step_out(numbers: &[f64], by_ratio: bool) -> [f64; 2] {
    let last = numbers.len() - 1;
    [
        part_way(numbers[0], numbers[1], -0.5, by_ratio),
        part_way(numbers[last - 1], numbers[last], 1.5, by_ratio),
    ]
}

/// Points between the values of the grid, and as far out as the scenario goes.
fn across_a_map(numbers: &[f64], by_ratio: bool, outer: [Option<f64>; 2]) -> Vec<f64> {
    let share = |k| f64::from(k) / f64::from(MAP_STEPS);
    let mut points = numbers.to_vec();
    for two in numbers.windows(2) {
        points.extend((1..MAP_STEPS).map(|k| part_way(two[0], two[1], share(k), by_ratio)));
    }
    let last = numbers[numbers.len() - 1];
    for (end, out) in [numbers[0], last].into_iter().zip(outer) {
        if let Some(out) = out {
            points.extend([part_way(end, out, 0.5, by_ratio), out]);
        }
    }
    points.sort_by(f64::total_cmp);
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(vary: &str) -> Plan {
        let text = format!(
            "question = \"?\"\n[world.sampled]\npairs = 9\nbetter = 0.5\n[judges.j.pairwise]\nposition = 1.0\n[protocol]\norders = \"both\"\n\
             [estimate]\nrules = [\"position-effect\"]\n[vary]\n{vary}"
        );
        Plan::from_toml(&text, &mut |_| Err(String::new())).unwrap_or_else(|it| panic!("{it}"))
    }

    fn numbers(plan: &Plan, axis: usize) -> Vec<f64> {
        let Some(between) = &plan.between else { return Vec::new() };
        let mut all: Vec<f64> = between.cells.iter().filter_map(|it| it[axis].number).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    #[test]
    fn the_shape_of_the_grid_decides() {
        let pairs = "\"world.sampled.pairs\" = [10, 20, 80]\n";
        let position = "\"judges.j.pairwise.position\" = [0.0, 0.5, 1.0]\n";
        let along = |text: &str| {
            plan(text).between.map(|it| it.along.iter().map(|it| it.axis).collect::<Vec<_>>())
        };
        assert_eq!(along(pairs), Some(vec![0]));
        assert_eq!(along(&format!("{position}{pairs}")).map(|it| it.len()), Some(2));
        let short = format!("{pairs}\"protocol.repeats\" = [1, 2]");
        assert_eq!(along(&short).map(|it| it.len()), Some(1));
        assert_eq!(along("\"world.sampled.pairs\" = [10, 20]"), None);
        assert_eq!(along("\"world.sampled.better\" = [0.5, \"even\", \"first\"]"), None);
    }

    #[test]
    fn whole_numbers_stay_whole_and_far_ones_are_spread_by_ratio() {
        let it = plan("\"world.sampled.pairs\" = [10, 20, 80]");
        let along = &it.between.as_ref().map(|it| it.along.clone()).unwrap_or_default()[0];
        assert!(along.whole && along.counts && along.by_ratio);
        let all = numbers(&it, 0);
        assert!(
            all.iter().all(|it| it.fract() == 0.0)
                && [10.0, 20.0, 80.0].iter().all(|it| all.contains(it))
        );
        assert_eq!((all[0], all[all.len() - 1]), (10.0, 80.0));
        let it = plan("\"judges.j.pairwise.position\" = [0, 1, 2]");
        let along = &it.between.as_ref().map(|it| it.along.clone()).unwrap_or_default()[0];
        assert!(!along.whole && !along.counts && !along.by_ratio);
        assert_eq!(numbers(&it, 0).len(), 41);
    }

    #[test]
    fn a_map_reaches_half_a_step_out_where_the_scenario_goes_there() {
        let it = plan(
            "\"judges.j.pairwise.position\" = [0.0, 0.5, 1.0]\n\"world.sampled.pairs\" = [10, 20, 40, 80]",
        );
        // Half a step below no position preference is one the other way.
        let [pairs, positions] = [1, 0].map(|axis| {
            let all = numbers(&it, axis);
            (all.len(), all[0], all[all.len() - 1])
        });
        let (a, b) = if positions.2 < 5.0 { (pairs, positions) } else { (positions, pairs) };
        assert_eq!(a, (17, 7.0, 113.0));
        assert_eq!(b, (13, -0.25, 1.25));
        let it = plan(
            "\"world.sampled.better\" = [0.0, 0.5, 1.0]\n\"judges.j.pairwise.position\" = [0.0, 0.5, 1.0]",
        );
        let better = [0, 1].map(|axis| numbers(&it, axis)).into_iter().find(|it| it[0] == 0.0);
        assert_eq!(better.map(|it| it[it.len() - 1]), Some(1.0));
    }
}
