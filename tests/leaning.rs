//! Judges that lean by a draw, one for a whole study: powers are integrated over it outside of the pairs.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::estimators::ESTIMATORS;
use judgelab::exact::{self, Laws};
use judgelab::study::Measure;
use support::{accept_mean, accept_share, close, plan, rows, value};

fn text(pairs: u32, judge: &str, more: &str) -> String {
    format!(
        "replicates = 4000\n[world.sampled]\npairs = {pairs}\nbetter = 0.5\n[judges.j.pairwise]\n{judge}\n\
         [estimate]\nrules = [\"position-effect\"]\n{more}"
    )
}

/// Mid-p tests given the lean, by binomial sums, integrated with `SciPy` (`scipy.integrate.quad`, absolute error 4e-13);
/// and what the rule should say: half the log of the ratio of the integrated shares.
const BY_QUADRATURE: [(u32, &str, f64, f64, f64); 2] = [
    (
        60,
        "ability = 1.0\nposition = 0.3\nposition-sd = 0.5",
        0.503_325_265_582_834_2,
        0.282_801_849_645_143_5,
        0.273_780_460_231_527_5,
    ),
    (
        40,
        "ability = 2.5\nposition-sd = 0.8",
        0.314_532_168_944_393_23,
        0.028_848_360_006_864_18,
        0.0,
    ),
];

#[test]
fn powers_are_averages_over_the_lean() {
    for (pairs, judge, power, fixed, says) in BY_QUADRATURE {
        let plan_of = |judge: &str| plan(&text(pairs, judge, ""));
        let it = plan_of(judge);
        let rule = ESTIMATORS.iter().find(|it| it.name() == "position-effect/mid-p").unwrap();
        let got = exact::power(&it.tasks[0].design, rule, it.settings).unwrap();
        close(judge, got.value, power, 1e-11);
        assert!(got.error < 1e-10, "{got:?}");
        let truths = judgelab::study::truths(&it.tasks[0], &it.settings);
        let place = it.tasks[0].estimators.iter().position(|it| it.name() == rule.name()).unwrap();
        close("what it should say", truths[place].estimand.unwrap(), says, 1e-9);
        close("a fair one", truths[place].fair.unwrap(), 0.0, 1e-12);
        // Without the lean the test has its usual power: the difference is what a fixed judge hides.
        let upright = plan_of(&judge.replace("position-sd", "taste = 0.0 # "));
        let got = exact::power(&upright.tasks[0].design, rule, upright.settings).unwrap();
        close(judge, got.value, fixed, 1e-11);
        assert_eq!(upright.tasks[0].design.leaning(), 0);
    }
}

/// One pass gives the power at every number of pairs, of nested worlds.
#[test]
fn a_curve_is_the_powers_one_by_one() {
    let rule = ESTIMATORS.iter().find(|it| it.name() == "position-effect/mid-p").unwrap();
    let laws = |pairs: u32| {
        let it = plan(&text(pairs, BY_QUADRATURE[0].1, ""));
        (Laws::of(&it.tasks[0].design, rule).unwrap(), it.settings)
    };
    let (whole, settings) = laws(60);
    let curve = whole.curve(rule, settings).unwrap();
    for pairs in [1, 7, 30, 60] {
        let (one, _) = laws(pairs);
        assert!(one.begins(&whole));
        let power = one.power(rule, settings).unwrap();
        close(&format!("{pairs}"), curve[pairs as usize - 1].value, power.value, 1e-10);
    }
}

/// Simulated and exact powers, by the acceptance rule (exact binomial, 1e-5 over all comparisons).
#[test]
fn simulated_powers_are_the_integrated_ones() {
    for (pairs, judge, power, _, says) in BY_QUADRATURE {
        let it = plan(&text(pairs, judge, ""));
        let (_, rows) = &support::rows(&it)[0];
        let name = "position-effect/mid-p";
        accept_share(judge, value(rows, name, Measure::Power), 4000, power, 10.0);
        assert!((value(rows, name, Measure::Estimand) - says).abs() < 1e-9);
    }
}

/// An interval from one study is about its judge: it holds the lean of that judge as often as it says, and the average of
/// all such judges much less often.
#[test]
fn an_interval_is_about_the_judge_of_its_study() {
    let judge = "ability = 1.0\nposition = 0.3\nposition-sd = 0.8";
    let about = |target: &str| {
        let it = plan(&text(200, judge, &format!("target = \"{target}\"\n")));
        let all = rows(&it);
        let rows = &all[0].1;
        let of = |measure| value(rows, "position-effect/mid-p", measure);
        let mean = rows.iter().find(|it| it.estimator.name() == "position-effect/mid-p");
        let figure = mean.unwrap().performance.get(Measure::Estimand).copied().unwrap();
        (of(Measure::Coverage), figure.value.unwrap(), figure.mcse)
    };
    let (this, mean, mcse) = about("world");
    let (all, ..) = about("population");
    assert!(0.945 < this && this < 0.985, "{this}");
    assert!(all < 0.45, "{all}");
    // The position preferences of the judges met: a mean of 0.3.
    accept_mean("the judges met", mean, mcse.unwrap(), 0.3);
}

/// The spread of the estimates is that of the judges too: it tells no smallest effect.
#[test]
fn what_could_not_be_seen_is_not_told_from_the_spread() {
    let it = plan(&text(60, BY_QUADRATURE[0].1, ""));
    let report = judgelab::report::Report::new(&it, &support::simulate(&it));
    for rule in &report.results[0].estimators {
        let least = rule.smallest.as_ref().unwrap();
        assert!(least.value.is_none() && least.reason.as_ref().unwrap().contains("another judge"));
    }
    let text = judgelab::report::text(&report, None);
    assert!(!text.contains("mostly miss") && !text.contains("however strong"), "{text}");
}

#[test]
fn what_cannot_be_integrated_is_refused() {
    let refused = |text: &str| {
        let mut none = |_: &str| Err(String::new());
        judgelab::scenario::Plan::from_toml(text, &mut none).unwrap_err().to_string()
    };
    let told = refused(&text(10, "position-sd = 0.1\nlink = \"clipped-linear\"", ""));
    assert!(told.contains("smooth link"), "{told}");
    let judge = |name: char| format!("[judges.{name}.pairwise]\nposition-sd = 0.5\n");
    let judges: String = ['a', 'b', 'c'].map(judge).concat();
    let panel = "[estimate]\nrules = [\"panel\"]\npanel = [\"a\", \"b\", \"c\"]\n";
    let told = refused(&format!("[world.sampled]\npairs = 4\nbetter = 0.5\n{judges}{panel}"));
    assert!(told.contains("at most two judges a position-sd"), "{told}");
}
