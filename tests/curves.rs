//! Power curves and power maps: the shape of a study decides which chart it has, and every number of the chart is held
//! against exact powers known from elsewhere.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::report::{self, PowerSurface, Report};
use judgelab::scenario::Overrides;
use judgelab::study::Measure;
use judgelab::study::detect::{self, Bias, Question};
use support::{accept_share, close, plan, shipped, simulate};

fn report_of(name: &str, replicates: u64) -> Report {
    let plan = shipped(name, Overrides { replicates: Some(replicates), seed: None });
    Report::new(&plan, &simulate(&plan))
}

fn report_on(text: &str) -> Report {
    let plan = plan(text);
    Report::new(&plan, &simulate(&plan))
}

fn surfaces(report: &Report) -> &[PowerSurface] {
    report.powers.as_ref().map_or(&[], |it| &it.surfaces)
}

fn charts(report: &Report) -> Vec<String> {
    report::pictures(report)
        .into_iter()
        .map(|it| it.name)
        .filter(|it| it.starts_with("power"))
        .collect()
}

/// A swap test of a judge that sees all pairs alike.
fn swap_test(rest: &str) -> String {
    format!(
        "question = \"?\"\nreplicates = 200\n[world.sampled]\npairs = 100\nbetter = \"first\"\n[judges.j.pairwise]\nability = 1.0\n\
         position = 0.5\n[estimate]\n{rest}"
    )
}

fn exact_at(it: &PowerSurface, x: f64) -> f64 {
    it.powers[it.x.iter().position(|at| *at == x).unwrap()]
}

/// A chart by its name.
fn picture(report: &Report, name: &str) -> String {
    report::pictures(report).into_iter().find(|it| it.name == name).unwrap().svg
}

/// Powers of the z-test with random truth, and the pairs that it needs, from an independent enumeration.
#[test]
fn pairs_that_self_preference_needs() {
    const REPLICATES: u64 = 300;
    let report = report_of("power-curve.toml", REPLICATES);
    assert_eq!(charts(&report), ["power-curve"]);
    let known = [("strong", 105.0, [0.16083, 0.90025]), ("mild", 440.0, [0.06979, 0.35343])];
    for (it, (judge, needed, powers)) in surfaces(&report).iter().zip(known) {
        assert_eq!(it.judge, judge);
        assert_eq!(it.crossings.iter().map(|it| it.at).collect::<Vec<_>>(), [needed]);
        assert!(it.error.unwrap() < 1e-9);
        for (pairs, want) in [14.0, 140.0].into_iter().zip(powers) {
            close(judge, exact_at(it, pairs), want, 0.5001e-5);
        }
        // Alpha 1e-5 over 22 comparisons.
        for result in report.results.iter().filter(|it| it.judge == judge) {
            let pairs = result.values[0].number.unwrap();
            let power = result.get("self-preference").unwrap().value(Measure::Power).unwrap();
            accept_share(&format!("{judge} {pairs}"), power, REPLICATES, exact_at(it, pairs), 22.0);
        }
    }
    let svg = &picture(&report, "power-curve");
    assert!(
        svg.contains("80\u{2009}% power takes 105 pairs with strong, 440 pairs with mild"),
        "{svg}"
    );
    for text in [">105 pairs</text>", ">440 pairs</text>", ">strong</text>", ">mild</text>"] {
        assert_eq!(svg.matches(text).count(), 1, "{text}");
    }
}

/// The smallest position preference that the mid-p test sees with 100 pairs of item effect 1 is .4534 by an independent
/// enumeration; the chart reads it off between two exact points.
#[test]
fn the_effect_at_which_a_curve_crosses() {
    let text = swap_test(
        "rules = [\"position-effect\"]\n[vary]\n\"judges.j.pairwise.position\" = [-1.0, 0.0, 0.5, 1.0]",
    );
    let report = report_on(&text);
    assert_eq!(charts(&report), ["power-curve"]);
    let [it] = surfaces(&report) else { panic!("one rule is to be relied on") };
    let [falling, rising] = it.crossings.as_slice() else { panic!("either sign: {it:?}") };
    assert!(rising.rises && !falling.rises);
    close("rising", rising.at, 0.4534, 4e-4);
    close("falling", falling.at, -0.4534, 4e-4);
    assert!(rising.within[0] < rising.at && rising.at < rising.within[1]);
    let svg = picture(&report, "power-curve");
    assert!(
        svg.contains("position of 0.453") && svg.contains("position of \u{2212}0.453"),
        "{svg}"
    );
}

/// Every row of a map crosses at the pairs that `plan` finds by its own search.
#[test]
fn a_map_and_a_plan_say_the_same() {
    let report = report_of("power-map.toml", 40);
    assert_eq!(charts(&report), ["power-map"]);
    let [it] = surfaces(&report) else { panic!("one rule is to be relied on") };
    assert_eq!(it.powers.len(), it.x.len() * it.y.len());
    let question = Question { ability: Some(2.0), ..Question::about(Bias::Position) };
    for position in [0.2, 0.4, 0.8] {
        let needed = detect::plan(&question, position).unwrap();
        let crossing = it.crossings.iter().find(|it| it.other == Some(position)).unwrap();
        assert_eq!(crossing.at, needed.value, "{position}");
        let row = it.y.iter().position(|y| *y == position).unwrap();
        for (x, power) in it.x.iter().zip(&it.powers[row * it.x.len()..]) {
            let reached = needed.value <= *x;
            assert!(!reached || 0.8 <= *power, "{x} {power}");
        }
    }
    // Cells reach half a step beyond the values: 800 times the root of 2, and a preference the other way.
    assert_eq!((it.x[it.x.len() - 1], it.y[0]), (1131.0, -0.05));
    let svg = &picture(&report, "power-map");
    assert!(
        svg.contains(">80\u{2009}%</text>") && svg.contains("cells and line are exact"),
        "{svg}"
    );
}

#[test]
fn the_shape_of_a_study_decides_its_chart() {
    let pairs = "\"world.sampled.pairs\" = [10, 20, 40]\n";
    let position = "\"judges.j.pairwise.position\" = [0.0, 0.5, 1.0]\n";
    let both = "rules = [\"position-effect\", \"first-share\"]\n[vary]\n";
    let of = |rest: &str| charts(&report_on(&swap_test(rest)));
    assert_eq!(of(&format!("{both}{pairs}")), ["power-curve"]);
    // A map for each rule.
    assert_eq!(of(&format!("{both}{pairs}{position}")), ["power-map-1", "power-map-2"]);
    assert_eq!(
        of("rules = [\"position-effect\"]\n[vary]\n\"world.sampled.pairs\" = [10, 20]"),
        [""; 0]
    );
    // A rule without a test has no power.
    assert_eq!(of(&format!("rules = [\"flip-rate\"]\n[vary]\n{pairs}")), [""; 0]);
    // What has no order makes lines beside each other.
    let orders = "\"protocol.orders\" = [\"one\", \"both\"]\n";
    let report = report_on(&swap_test(&format!(
        "rules = [\"first-share\"]\n[protocol]\norders = \"both\"\n[vary]\n{pairs}{orders}"
    )));
    assert_eq!((charts(&report), surfaces(&report).len()), (vec!["power-curve".to_owned()], 2));
}

/// Where no exact law can be had the chart says so, and a crossing has the limits of its simulation.
#[test]
fn without_an_exact_law_points_stand_alone() {
    let text =
        swap_test("rules = [\"joint-fit\"]\n[vary]\n\"world.sampled.pairs\" = [20, 60, 180, 540]")
            .replace("better = \"first\"", "better = 0.5\nlength = { ratio = 2.0 }");
    let report = report_on(&text);
    let position =
        surfaces(&report).iter().find(|it| it.estimator == "joint-fit/position").unwrap();
    assert!(position.powers.is_empty() && position.reason.is_some());
    let [crossing] = position.crossings.as_slice() else { panic!("{position:?}") };
    assert!(
        !crossing.exact && crossing.within[0] < crossing.at && crossing.at < crossing.within[1]
    );
    let svg = picture(&report, "power-curve");
    assert!(svg.contains("nothing is exact") && svg.contains("band = 95"), "{svg}");
}

/// All that a chart shows is in report.json.
#[test]
fn charts_are_drawn_again_from_the_file() {
    for (name, replicates) in [("power-curve.toml", 20), ("power-map.toml", 20)] {
        let report = report_of(name, replicates);
        let again: Report = serde_json::from_str(&report.json()).unwrap();
        assert_eq!(report::pictures(&again), report::pictures(&report), "{name}");
    }
}
