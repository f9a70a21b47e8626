use super::*;
use crate::estimators::ESTIMATORS;
use crate::evidence::LANES;
use crate::quantity::Level;

fn rule(name: &str) -> &'static Estimator {
    ESTIMATORS.iter().copied().find(|it| it.name() == name).unwrap()
}

fn sums(values: &[i64]) -> Sums {
    let mut sums = [0; LANES];
    sums[..values.len()].copy_from_slice(values);
    Sums(sums)
}

const SETTINGS: Settings = Settings { level: Level::USUAL };

/// The gap of a pair in half points, with these probabilities.
fn gaps(law: [f64; 5]) -> Vec<(Sums, f64)> {
    let each = [-4_i64, -2, 0, 2, 4].into_iter().zip(law);
    each.map(|(x, p)| (sums(&[1, 4, x, x * x, 4 * x, 16]), p)).collect()
}

/// The probability that the test rejects, by asking it everywhere.
fn everywhere(lattice: &Lattice) -> f64 {
    let plane = &lattice.plane;
    let mut rejected = 0.0;
    for row in plane.rows.low..=plane.rows.high {
        for (column, mass) in (plane.columns.low..).zip(plane.row(row)) {
            let mut sums = Sums::default();
            lattice.axes.fill(lattice.pairs, [row, column], &mut sums);
            if 0.0 < *mass && lattice.rule.rejects(&sums, &lattice.settings) {
                rejected += mass;
            }
        }
    }
    rejected
}

/// What is accepted along a line is one run, apart from its ends: the border is found as asking everywhere finds it.
#[test]
fn the_border_is_the_whole_plane() {
    let flips = |ff: f64, ss: f64| {
        vec![(sums(&[1, 0, 0]), 1.0 - ff - ss), (sums(&[1, 1, 0]), ff), (sums(&[1, 0, 1]), ss)]
    };
    let cases = [
        (rule("self-preference"), gaps([0.05, 0.15, 0.5, 0.2, 0.1])),
        (rule("self-preference"), gaps([0.0, 0.0, 0.6, 0.3, 0.1])),
        (rule("self-preference"), gaps([0.25, 0.1, 0.1, 0.2, 0.35])),
        (rule("position-effect/mid-p"), flips(0.3, 0.1)),
        (rule("position-effect/exact"), flips(0.05, 0.02)),
        (rule("position-effect/exact"), flips(0.6, 0.4)),
    ];
    for (rule, law) in cases {
        let mut lattice = Lattice::new(rule, SETTINGS, &[&law], 60).unwrap();
        for n in 1..=60 {
            lattice.add(&law).unwrap();
            let (border, whole) = (lattice.power(), everywhere(&lattice));
            assert!(
                (border.value - whole).abs() < 1e-14,
                "{} at {n}: {border:?} {whole}",
                rule.name()
            );
            assert!(border.error < 1.1e-12);
        }
    }
}

/// A cold start at many pairs finds what a warm one does.
#[test]
fn one_power_is_a_point_of_the_curve() {
    let law = gaps([0.02, 0.18, 0.5, 0.2, 0.1]);
    let curve = curve(rule("self-preference"), SETTINGS, &[&law], std::iter::repeat_n(0, 120), 120);
    let mut lattice = Lattice::new(rule("self-preference"), SETTINGS, &[&law], 120).unwrap();
    for _ in 0..120 {
        lattice.add(&law).unwrap();
    }
    assert!((lattice.power().value - curve.unwrap()[119].value).abs() < 1e-15);
}
