//! Panels, noise of runs and stale labels in the shipped scenarios, against figures that were computed independently
//! (`SciPy` 1.17 `quad` over the opinion or the case, then closed forms).

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use judgelab::protocol::Task;
use judgelab::scenario::{Overrides, Plan};
use judgelab::stream::{Address, Purpose, Words};
use judgelab::study::{self, Gathered, Measure, Row};
use support::{accept_mean, close, plan, row, value};

/// One study of a shipped file.
fn study_of(file: &str, name: &str) -> Plan {
    let text = fs::read_to_string(support::scenario(file)).unwrap();
    let plans = Plan::all_from_toml(None, &text, Overrides::default(), &mut |file| {
        fs::read_to_string(support::scenario(file)).map_err(|error| error.to_string())
    });
    let plans = plans.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    plans.into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap()
}

/// The estimand, and the mean of the simulation by the acceptance rule; `slack` is what the estimate is biased by.
fn holds(rows: &[Row], name: &str, exact: f64, slack: f64) {
    close(name, value(rows, name, Measure::Estimand), exact, 1e-9);
    let mean = row(rows, name).performance.get(Measure::Mean).unwrap();
    let (got, mcse) = (mean.value.unwrap(), mean.mcse.unwrap());
    let beyond = ((got - exact).abs() - slack).max(0.0);
    accept_mean(name, exact + beyond, mcse, exact);
}

/// One judge alone is right in .7752 of the pairs.
#[test]
fn a_vote_is_worth_its_opinions() {
    let plan = study_of("evaluation.toml", "judges-that-think-alike");
    let all = support::rows(&plan);
    for (rows, accuracy, rho, effective) in [
        (&all[0].1, 0.871_115_690_568, 0.0, 3.0),
        (&all[1].1, 0.808_461_286_347, 0.355_005_364_138, 1.754_374_958_235),
    ] {
        holds(rows, "panel/accuracy", accuracy, 0.0);
        holds(rows, "panel/error-correlation", rho, 0.005);
        holds(rows, "panel/effective-judges", effective, 0.05);
        // Averaging sees no difference: a win rate of .75 p + .25 (1 - p).
        holds(rows, "panel/mean", 0.5 + 0.5 * (0.775_200_245_397 - 0.5), 0.0);
    }
}

/// A case's log-odds of a pass are normal around 1.2 with variance 2.
#[test]
fn noise_of_runs_and_of_cases() {
    const WITHIN: f64 = 0.154_766_578_256_601;
    const BETWEEN: f64 = 0.052_468_383_890_753;
    let plan = study_of("labelled-set.toml", "noise-of-runs-and-of-cases");
    let all = support::rows(&plan);
    let z = 1.959_963_984_540_054;
    for (task, rows) in &all {
        let n = task.design.world.cases.len() as f64;
        let runs = f64::from(task.design.protocol.repeats);
        let sampling = z * ((BETWEEN + WITHIN / runs) / n).sqrt();
        holds(rows, "variation/sampling", sampling, sampling / n);
        // What the half-width says is what the score does: its standard deviation over replicates.
        let sd = row(rows, "win-rate/one-order").performance.get(Measure::EmpiricalSe).unwrap();
        let (got, mcse) = (sd.value.unwrap(), sd.mcse.unwrap());
        assert!((got - sampling / z).abs() < 4.5 * mcse, "{got} {sampling}");
        if runs == 1.0 {
            assert!(row(rows, "variation/within").performance.value(Measure::Estimand).is_none());
            continue;
        }
        holds(rows, "variation/within", WITHIN, 0.0);
        holds(rows, "variation/between", BETWEEN, 1.1 * (BETWEEN + WITHIN / runs) / n);
        holds(rows, "variation/run-to-run", z * (2.0 * WITHIN / runs / n).sqrt(), 1e-4);
    }
    let bar = |runs: u8, cases: usize, name: &str| {
        let it = all.iter().find(|it| {
            it.0.design.protocol.repeats == runs && it.0.design.world.cases.len() == cases
        });
        value(&it.unwrap().1, name, Measure::Estimand)
    };
    // Three points of 200 cases clear the bar of another run at eight runs a case, that of other cases never.
    let (run, sampling) = ("variation/run-to-run", "variation/sampling");
    assert!(0.03 < bar(4, 200, run) && bar(8, 200, run) < 0.03 && 0.03 < bar(8, 200, sampling));
    // Four times the cases halve the sampling bar; eight times the runs do not.
    assert!(bar(1, 800, sampling) < 0.5 * bar(1, 200, sampling) + 1e-12);
    assert!(0.5 * bar(1, 200, sampling) < bar(8, 200, sampling));
}

/// Half-widths are those of a target world too: there the spread is of the cases at hand.
#[test]
fn variances_of_the_world_that_was_drawn() {
    let text = "seed = 5\nreplicates = 2000\n[world.sampled]\npairs = 40\nquality = { sd = 1.0 }\n[judges.run.pairwise]\n\
                ability = 1.0\n[protocol]\norders = \"one\"\nrepeats = 4\n[estimate]\ntarget = \"world\"\n\
                rules = [\"variation\"]\n";
    let world = support::rows(&plan(text));
    let population = support::rows(&plan(&text.replace("\"world\"", "\"population\"")));
    for name in ["variation/within", "variation/run-to-run", "variation/between"] {
        let estimand = row(&world[0].1, name).performance.get(Measure::Estimand).unwrap();
        let whole = value(&population[0].1, name, Measure::Estimand);
        // The spread of 40 cases around their own mean is lower by one in 40, a root of a mean lower than that of its mean.
        let slack = if name == "variation/within" { 1e-9 } else { whole / 35.0 };
        let got = estimand.value.unwrap();
        assert!((got - whole).abs() < slack + 4.5 * estimand.mcse.unwrap(), "{name} {got} {whole}");
    }
}

/// Of 300 cases 199 pass for both systems, 38 for B alone and 14 for A alone.
#[test]
fn stale_labels_lower_levels_and_shrink_differences() {
    let plan = study_of("labelled-set.toml", "stale-labels");
    let all = support::rows(&plan);
    for (task, rows) in &all {
        let stale = [0.0, 0.05, 0.08][task.cell];
        let by_label = &*task.judge == "label";
        let kept = if by_label { 1.0 - stale } else { 1.0 };
        let (b, a) = (237.0 / 300.0, 213.0 / 300.0);
        let exact = |name: &str, exact: f64| {
            // Thresholds are multiples of 2^-32.
            close(name, value(rows, name, Measure::Estimand), exact, 3e-9);
            let mean = row(rows, name).performance.get(Measure::Mean).unwrap();
            accept_mean(name, mean.value.unwrap(), mean.mcse.unwrap(), exact);
        };
        exact("pass-rate/first", kept * b);
        exact("pass-rate/second", kept * a);
        exact("difference/mid-p", kept * 24.0 / 300.0);
        close("truth", value(rows, "difference/mid-p", Measure::True), 0.08, 1e-9);
        // A judge of the truth disagrees with every stale label of a right answer.
        let agreement = if by_label { 1.0 } else { 1.0 - stale * b };
        close(
            "agreement",
            value(rows, "grading/agreement/first", Measure::Estimand),
            agreement,
            3e-9,
        );
    }
}

fn gathered(text: &str) -> Vec<(Task, Gathered)> {
    let plan = plan(text);
    let gathered = support::simulate(&plan);
    plan.tasks.into_iter().zip(gathered).collect()
}

/// A label that is not stale moves no draw, nor does it move a truth where it is.
#[test]
fn stale_labels_move_no_truth() {
    let text = |stale: &str| {
        format!(
            "[world.graded]\ncases = 50\nrates = [0.6, 0.8]\n{stale}\n[judges.j.pointwise]\nagreement = 0.9\n[estimate]\n\
             rules = [\"pass-rate\"]\n"
        )
    };
    let fresh = gathered(&text(""));
    for stale in ["stale = 0.0", "stale = 0.3"] {
        assert!(gathered(&text(stale))[0].1 == fresh[0].1, "{stale}");
    }
}

/// Judges of one opinion and one strength of it differ in what they say by chance alone: without chance, not at all.
#[test]
fn an_opinion_is_shared_by_its_name() {
    let judge =
        |name: &str, opinion: &str| format!("[judges.{name}.pairwise]\ntaste = 1e6\n{opinion}\n");
    let text = |drawn: &str, opinions: [&str; 3]| {
        format!(
            "[world.sampled]\npairs = 30\nbetter = 0.5\ndrawn = \"{drawn}\"\n{}{}{}[protocol]\norders = \"one\"\n[estimate]\n\
             rules = [\"win-rate\"]\n",
            judge("a", opinions[0]),
            judge("b", opinions[1]),
            judge("c", opinions[2])
        )
    };
    for drawn in ["anew", "once"] {
        let own = gathered(&text(drawn, [""; 3]));
        let some = gathered(&text(drawn, ["opinion = \"b\"", "", "opinion = \"b\""]));
        assert!(some[0].1 == some[2].1 && own[0].1 != own[2].1, "{drawn}");
        // An opinion that is called as a judge is not that judge's own, and whoever shares none keeps his.
        assert!(some[0].1 != some[1].1 && some[1].1 == own[1].1, "{drawn}");
    }
    // The address is for good.
    let key = Address::root(1, Purpose::Taste).at("opinion", "house").at("case", "0").key();
    let opinion = judgelab::protocol::Opinion::Shared("house".into());
    assert_eq!(opinion.key(1, "0"), key);
    assert_eq!(Words::Keyed.once(&key), Words::Keyed.once(&opinion.key(1, "0")));
}

/// A panel of judges whose opinions are integrated one circle at a time has the law of all opinions integrated at once.
#[test]
fn circles_of_opinions_are_independent() {
    let text = "[world.sampled]\npairs = 1\nbetter = 0.7\n[judges.a.pairwise]\nability = 1.0\ntaste = 1.5\nopinion = \"house\"\n\
                [judges.b.pairwise]\nability = 2.0\ntaste = 0.5\n[judges.c.pairwise]\nability = 1.0\ntaste = 1.5\n\
                opinion = \"house\"\n[protocol]\norders = \"one\"\n[estimate]\nrules = [\"panel\"]\npanel = [\"a\", \"b\", \"c\"]\n";
    let plan = plan(text);
    let truths = study::truths(&plan.tasks[0], &plan.settings);
    let at = |name: &str| {
        let place = plan.tasks[0].estimators.iter().position(|it| it.name() == name).unwrap();
        truths[place].estimand.unwrap()
    };
    close("accuracy", at("panel/accuracy"), ACCURACY, 1e-9);
    close("correlation", at("panel/error-correlation"), CORRELATION, 1e-9);
}

/// E over the shared and the own opinion of the chance that two of three are right, and a third of the correlation of the
/// two that share one.
const ACCURACY: f64 = 0.788_833_352_036;
const CORRELATION: f64 = 0.093_108_548_314;

/// What cannot be a panel is told with its remedy.
#[test]
fn mistakes_of_a_panel() {
    let text = |panel: &str, more: &str| {
        format!(
            "[world.sampled]\npairs = 3\nbetter = 0.5\n[judges.a.pairwise]\n[judges.b.pairwise]\n[judges.grader.pointwise]\n\
             {more}[estimate]\nrules = [\"panel\"]\n{panel}\n"
        )
    };
    for (panel, more, says) in [
        ("", "", "set panel to a list of judges' names"),
        ("panel = [\"a\"]", "", "2 to 5 judges, not 1"),
        ("panel = [\"a\", \"a\"]", "", "named twice"),
        ("panel = [\"a\", \"bb\"]", "", "there is no judge \"bb\""),
        ("panel = [\"a\", \"grader\"]", "", "no vote"),
        ("panel = [\"a\", \"b\"]", "[judges.panel.pairwise]\n", "taken for the panel"),
    ] {
        let all = Plan::from_toml(&text(panel, more), &mut |_| Err(String::new()));
        let told = all.unwrap_err().to_string();
        assert!(told.contains(says), "{says}: {told}");
    }
}
