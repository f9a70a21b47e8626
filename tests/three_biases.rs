//! A judge with three biases at once, `scenarios/three-biases.toml`: what recovers them, and what the pairs cannot tell.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::estimators::Undefined;
use judgelab::protocol::standings;
use judgelab::report::{self, Certificate, Report};
use judgelab::scenario::Overrides;
use judgelab::study::{Measure, Row};
use support::{accept_mean, accept_share, close, plan, row, rows, shipped, simulate, value};

/// What was planted, by the estimators that should give it back: the logistic fit with errors clustered by pair, the
/// conditional logit, the swap estimator with its two intervals.
const PLANTED: [(&str, f64); 7] = [
    ("joint-fit/position", 0.5),
    ("joint-fit/longer", 0.4),
    ("joint-fit/first-system", 0.6),
    ("joint-fit/better", 1.5),
    ("joint-fit/conditional-logit", 0.5),
    ("position-effect/mid-p", 0.5),
    ("position-effect/exact", 0.5),
];

/// Estimands are the planted values; means lie within what 4 Monte Carlo standard errors and the bias of a maximum of
/// likelihood at 400 pairs (about 1.5 % of the coefficient) allow; coverages are .95 by the exact binomial test at 1e-5,
/// or above it where an interval is conservative.
#[test]
fn all_are_recovered() {
    let plan = shipped("three-biases.toml", Overrides { replicates: Some(2000), seed: None });
    let (_, rows) = rows(&plan).remove(0);
    for (name, planted) in PLANTED {
        close(name, value(&rows, name, Measure::Estimand), planted, 1e-9);
        let mean = row(&rows, name).performance.get(Measure::Mean).unwrap();
        assert_eq!(mean.undefined, 0);
        let by = 4.0 * mean.mcse.unwrap() + 0.02 * planted;
        close(name, mean.value.unwrap(), planted, by);
        let coverage = value(&rows, name, Measure::Coverage);
        let conservative = name.ends_with("exact") && 0.95 < coverage;
        if !conservative {
            accept_share(name, coverage, plan.replicates, 0.95, 7.0);
        }
    }
    // The conditional logit is the swap estimator: the same value, other limits.
    let of = |name: &str| value(&rows, name, Measure::Mean);
    close("means", of("joint-fit/conditional-logit"), of("position-effect/mid-p"), 1e-9);
}

/// A certificate says which of the two that give the position to use, and stars the variants to rely on.
#[test]
fn the_certificate_tells_them_apart() {
    let plan = shipped("three-biases.toml", Overrides { replicates: Some(400), seed: None });
    let certificate = Certificate::new(&plan, &simulate(&plan));
    let advice = certificate.advice.iter().find(|it| 1 < it.methods.len()).unwrap();
    assert_eq!(advice.methods, ["joint-fit/position", "joint-fit/conditional-logit"]);
    assert_eq!(advice.recommended.as_deref(), Some("joint-fit/position"), "{}", advice.because);
    let text = certificate.text(None);
    assert!(text.contains("\njoint-fit/position *  "), "{text}");
    assert!(text.contains("\njoint-fit/conditional-logit  "), "{text}");
}

/// Worlds in which contrasts never vary apart, and the coefficients that are lost.
const ALIASED: [(&str, &str, &[&str]); 2] = [
    ("length = { ratio = 2.0 }", "length = { first-longer = 2.0 }", &["longer", "first-system"]),
    ("better = 0.5", "better = \"first\"", &["first-system", "better"]),
];

/// Aliased numbers are not reported: no estimand, no estimate, the reason in their place; the others keep theirs. What the
/// fit refuses is what the design says is aliased.
#[test]
fn aliased_numbers_are_no_estimates() {
    let text = include_str!("../scenarios/three-biases.toml").replace("= 1000", "= 200");
    for (from, to, lost) in ALIASED {
        assert!(text.contains(from));
        let plan = plan(&text.replace(from, to));
        let (task, rows) = rows(&plan).remove(0);
        let joint =
            |rows: &[Row], name: &str| row(rows, &format!("joint-fit/{name}")).performance.clone();
        for name in ["position", "longer", "first-system", "better", "conditional-logit"] {
            let it = joint(&rows, name);
            let (estimand, mean) =
                (it.get(Measure::Estimand).unwrap(), it.get(Measure::Mean).unwrap());
            if lost.contains(&name) {
                let Err(Undefined(why)) = estimand.value else { panic!("{name} has an estimand") };
                assert!(why.starts_with("aliased: "), "{why}");
                assert_eq!(mean.undefined, 200);
                assert_eq!(it.reasons.keys().collect::<Vec<_>>(), [&Undefined(why)]);
                assert_eq!(it.value(Measure::Power), Some(0.0));
            } else {
                accept_mean(
                    name,
                    mean.value.unwrap(),
                    mean.mcse.unwrap() + 0.005,
                    estimand.value.unwrap(),
                );
            }
        }
        close("position", joint(&rows, "position").value(Measure::Estimand).unwrap(), 0.5, 1e-9);
        let says = standings(&task.design, true).unwrap();
        for (bias, name) in
            [("position", "position"), ("length", "longer"), ("self-preference", "first-system")]
        {
            let standing = says.iter().find(|it| it.bias.name() == bias).unwrap();
            assert_eq!(standing.aliased.is_empty(), !lost.contains(&name), "{bias}");
        }
        let told = report::text(&Report::new(&plan, &simulate(&plan)), None);
        assert!(
            told.contains(&format!("No estimate of joint-fit/{}: aliased:", lost[0])),
            "{told}"
        );
    }
}
