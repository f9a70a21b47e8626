//! The graders page's swap study, `scenarios/graders-swap.toml`: the exact figures of the model (quality normal and drawn
//! anew, tie margin 0.3, logistic slope 10/3), the simulation by the acceptance rule, and the page's figures within three
//! standard deviations of one study of 200 pairs. The exact figures, the standard deviations (20,000 runs) and the
//! published figures were computed independently of this crate.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::scenario::Overrides;
use judgelab::study::Measure;
use support::{accept_mean, close, row, shipped, value};

/// judge, rule, exact (`SciPy` 1.17 `quad`, split at the tie margin), sd of one study, published (if the page prints it).
const FIGURES: [(&str, &str, f64, f64, Option<f64>); 12] = [
    ("fair", "flip-rate", 0.158_324_689_163, 0.025_805, Some(0.115)),
    ("fair", "first-share", 0.5, 0.013_979, Some(0.4975)),
    ("fair", "kappa/one-order", 0.631_197_375_705, 0.043_094, Some(0.72)),
    ("fair", "accuracy/one-order", 0.784_620_010_286, 0.029_130, None),
    ("first", "first-share", 0.701_613_118_442, 0.017_394, Some(0.6775)),
    ("first", "flip-rate", 0.407_138_637_976, 0.034_529, Some(0.355)),
    ("first", "agreed-pairs/kept", 0.592_861_362_024, 0.034_529, Some(0.645)),
    ("first", "agreed-pairs/right", 0.956_140_557_236, 0.018_857, Some(0.953_488_372_093)),
    ("first", "accuracy/one-order", 0.698_138_639_904, 0.032_425, Some(0.76)),
    ("first", "kappa/one-order", 0.483_112_326_617, 0.045_579, Some(0.56)),
    ("first", "kappa/swap", 0.578_723_281_636, 0.042_934, Some(0.55)),
    ("fair", "agreed-pairs/kept", 0.841_675_310_837, 0.025_805, Some(0.885)),
];

#[test]
fn every_figure() {
    let plan = shipped("graders-swap.toml", Overrides::default());
    let all = support::rows(&plan);
    for (judge, name, exact, sd, published) in FIGURES {
        let (_, rows) = all.iter().find(|it| &*it.0.judge == judge).unwrap();
        close(name, value(rows, name, Measure::Estimand), exact, 1e-9);
        let mean = row(rows, name).performance.get(Measure::Mean).unwrap();
        // A kappa is a ratio: its mean differs from the ratio of means by O(1/n), here by less than 0.002.
        let slack = if name.starts_with("kappa") { 0.002 } else { 0.0 };
        let (got, mcse) = (mean.value.unwrap(), mean.mcse.unwrap());
        accept_mean(name, got, mcse + slack / 4.0, exact);
        let spread = value(rows, name, Measure::EmpiricalSe);
        close(&format!("sd of {name}"), spread, sd, 0.03 * sd);
        if let Some(published) = published {
            assert!(
                (published - exact).abs() <= 3.0 * sd,
                "{judge} {name}: {published} is far from {exact}"
            );
        }
    }
}

/// True ties expected of 200, and pairs that are both-second under the position preference.
#[test]
fn ties_and_second_second_pairs() {
    let plan = shipped("graders-swap.toml", Overrides { replicates: Some(10), seed: None });
    let task = &plan.tasks[1];
    let book = task.design.codebook(&task.estimators).unwrap();
    let kappa = task.estimators.iter().find(|it| it.name() == "kappa/one-order").unwrap();
    let table = task.design.expected(&book, &[kappa.reads])[0];
    let ties: f64 = [1, 4, 7].iter().map(|k| table[*k]).sum();
    // 200 P(|d| <= 0.3) for d normal with variance 2: 200 erf(0.15).
    close("ties", 200.0 * ties, 200.0 * libm::erf(0.15), 1e-9);
    let rows = support::rows(&plan);
    let (_, rows) = &rows[1];
    let (flips, first) = (
        value(rows, "flip-rate", Measure::Estimand),
        value(rows, "first-share", Measure::Estimand),
    );
    close("SS", 200.0 * (flips / 2.0 - (first - 0.5)), 0.391_240_109_258, 1e-9);
}
