//! Which difference so many cases resolve at a discordance: the table of the chapter on labelled sets, and the powers at
//! its differences by two enumerations.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::estimators::{ESTIMATORS, Settings};
use judgelab::evidence::LANES;
use judgelab::quantity::Level;
use judgelab::stats::paired::{Region, mcnemar_exact, mcnemar_mid_p};
use judgelab::study::{self, Measure};
use support::close;

/// Discordance, and by cases (200, 250, 300, 1500) the difference in points that the z test sees four times in five, that
/// of the exact test, and that of the interval rule. Computed with `SciPy` 1.17 (normal quantiles; binomial sums).
type Row = (f64, [(f64, f64, f64); 4]);
const TABLE: [Row; 9] = [
    (0.05, [(4.40, 4.43, 3.10), (3.94, 4.00, 2.77), (3.60, 3.68, 2.53), (1.62, 1.66, 1.13)]),
    (0.0765, [(5.45, 5.57, 3.83), (4.88, 5.00, 3.43), (4.46, 4.60, 3.13), (2.00, 2.05, 1.40)]),
    (0.0956, [(6.09, 6.25, 4.29), (5.45, 5.64, 3.83), (4.98, 5.18, 3.50), (2.23, 2.29, 1.56)]),
    (0.10, [(6.23, 6.40, 4.38), (5.58, 5.78, 3.92), (5.09, 5.30, 3.58), (2.29, 2.34, 1.60)]),
    (0.12, [(6.82, 7.07, 4.80), (6.11, 6.36, 4.29), (5.58, 5.79, 3.92), (2.50, 2.56, 1.75)]),
    (
        52.0 / 300.0,
        [(8.20, 8.52, 5.77), (7.34, 7.58, 5.16), (6.71, 6.91, 4.71), (3.01, 3.06, 2.11)],
    ),
    (0.20, [(8.81, 9.12, 6.20), (7.89, 8.13, 5.54), (7.21, 7.42, 5.06), (3.23, 3.29, 2.26)]),
    (0.25, [(9.85, 10.15, 6.93), (8.82, 9.08, 6.20), (8.06, 8.31, 5.66), (3.61, 3.67, 2.53)]),
    (0.30, [(10.79, 11.12, 7.59), (9.66, 9.96, 6.79), (8.82, 9.09, 6.20), (3.96, 4.02, 2.77)]),
];
const CASES: [u64; 4] = [200, 250, 300, 1500];
const USUAL: Settings = Settings { level: Level::USUAL };

fn points(rule: &str, n: u64, psi: f64) -> f64 {
    let rule = ESTIMATORS.iter().find(|it| it.name() == rule).unwrap();
    let mut sums = [0.0; LANES];
    (sums[0], sums[1]) = (1.0, psi);
    100.0 * rule.value_at(&sums, n as f64, &USUAL).unwrap()
}

#[test]
fn the_table_to_its_digits() {
    for (psi, row) in TABLE {
        for (n, (z, exact, interval)) in CASES.into_iter().zip(row) {
            let what = |rule: &str| format!("{rule}, {psi} of {n}");
            close(&what("z"), points("resolution/z", n, psi), z, 5.1e-3);
            close(&what("exact"), points("resolution/exact", n, psi), exact, 5.1e-3);
            close(&what("interval"), points("resolution/interval", n, psi), interval, 5.1e-3);
        }
    }
    close("mid-p", points("resolution/mid-p", 300, 52.0 / 300.0), 6.63, 5.1e-3);
}

/// The tabled differences are rounded to a hundredth of a point, which moves a power by a thousandth.
#[test]
fn the_exact_test_has_its_power_at_the_tabled_differences() {
    for (psi, row) in TABLE {
        for (n, (_, exact, _)) in CASES.into_iter().zip(row) {
            let region = Region::new(mcnemar_exact, n, psi, 0.05).unwrap();
            close(&format!("{psi} of {n}"), region.power(exact / 100.0), 0.8, 2e-3);
        }
    }
    let region = Region::new(mcnemar_exact, 300, 52.0 / 300.0, 0.05).unwrap();
    close("the observed eight points", region.power(0.08), 0.909, 5.1e-4);
}

/// The sum over discordant counts and the convolution of the laws of single cases are two ways to one power.
#[test]
fn powers_are_those_of_the_law_of_a_graded_world() {
    for (n, psi, delta) in [(40, 0.3, 0.2), (60, 52.0 / 300.0, 0.12), (25, 1.0, 0.4)] {
        let first = f64::midpoint(psi, delta);
        let second = psi - first;
        let rest = 1.0 - psi;
        let joint =
            format!("joint = {{ both = {rest}, first = {first}, second = {second}, neither = 0 }}");
        let planted = format!("discordant = {psi}\ndifference = {delta}\nboth = {rest}");
        for law in [joint, planted] {
            let plan = support::plan(&format!(
                "replicates = 1\n[world.graded]\ncases = {n}\n{law}\n[judges.gold.pointwise]\n[estimate]\nrules = \
                 [\"difference\"]\n"
            ));
            let task = &plan.tasks[0];
            for (name, test) in [
                ("difference/exact", mcnemar_exact as fn(u64, u64) -> f64),
                ("difference/mid-p", mcnemar_mid_p),
            ] {
                let rule = task.estimators.iter().find(|it| it.name() == name).unwrap();
                let law = study::exactly(task, rule, &USUAL, usize::MAX).unwrap();
                let power = Region::new(test, n, psi, 0.05).unwrap().power(delta);
                // Words of 32 bits know the planted shares to 2^-32.
                close(name, law.value(Measure::Power).unwrap(), power, 1e-8);
            }
        }
    }
}
