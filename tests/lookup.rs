//! Judges that look their verdicts up in the world's table: what they say, and what is told where they cannot.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::scenario::{Mistakes, Overrides, Plan};
use judgelab::study::{self, Measure};
use support::value;

fn plan(scenario: &str, table: &str) -> Result<Plan, Mistakes> {
    let overrides = Overrides { replicates: Some(3), seed: None };
    Plan::all_from_toml(None, scenario, overrides, &mut |_| Ok(table.to_owned()))
        .map(|mut plans| plans.remove(0))
}

const WORLD: &str = "[world.table]\nfile = \"t.csv\"\nsystems = [\"X\", \"Y\"]\n";

fn told(scenario: &str, table: &str) -> String {
    plan(&format!("{WORLD}{scenario}"), table).unwrap_err().to_string()
}

#[test]
fn grades_are_what_is_written() {
    let table = "id,truth_X,truth_Y,g_X,g_Y\na,1,0,pass,0\nb,1,1,fail,1\nc,0,1,1,invalid\n";
    let scenario = format!(
        "{WORLD}[judges.g.recorded]\ncolumn = \"g\"\n[estimate]\nrules = [\"pass-rate\", \"grading\"]\n"
    );
    let plan = plan(&scenario, table).unwrap();
    let all = support::rows(&plan);
    let rows = &all[0].1;
    let at = |name: &str| value(rows, name, Measure::Estimand);
    assert_eq!((at("pass-rate/first"), at("pass-rate/second")), (2.0 / 3.0, 0.5));
    assert_eq!(at("grading/agreement/first"), 1.0 / 3.0);
    // Without chance every replicate says the same, and enumeration agrees.
    assert_eq!(value(rows, "pass-rate/first", Measure::Mean), 2.0 / 3.0);
    assert_eq!(value(rows, "pass-rate/first", Measure::EmpiricalSe), 0.0);
    let (task, rule) = (&plan.tasks[0], plan.tasks[0].estimators[0]);
    let law = study::exactly(task, rule, &plan.settings, usize::MAX).unwrap();
    assert_eq!(law.value(Measure::Mean).unwrap(), 2.0 / 3.0);
}

#[test]
fn preferences_are_told_in_slots_and_rows_survive_the_choice_of_cases() {
    let table = "id,truth_X,truth_Y,p_AB,p_BA\na,1,1,tie,C\nb,1,0,first,second\nc,0,1,A,first\n\
                 d,1,0,B,invalid\n";
    for (cases, flips, one) in [("all", 1.0 / 3.0, 2.5 / 4.0), ("differing", 0.5, 2.0 / 3.0)] {
        let scenario = format!(
            "{WORLD}cases = \"{cases}\"\n[judges.p.recorded]\ncolumn = \"p\"\nsays = \"preferences\"\n\
             [estimate]\nrules = [\"flip-rate\", \"win-rate\"]\n"
        );
        let all = support::rows(&plan(&scenario, table).unwrap());
        assert_eq!(value(&all[0].1, "win-rate/one-order", Measure::Mean), one, "{cases}");
        assert_eq!(value(&all[0].1, "flip-rate", Measure::Mean), flips, "{cases}");
    }
}

#[test]
fn one_order_needs_one_column() {
    let table = "id,truth_X,truth_Y,p_AB\na,1,1,tie\nb,1,0,first\n";
    let scenario = |orders: &str| {
        format!(
            "{WORLD}[judges.p.recorded]\ncolumn = \"p\"\nsays = \"preferences\"\n[protocol]\norders = \
             \"{orders}\"\n[estimate]\nrules = [\"win-rate\"]\n"
        )
    };
    let all = support::rows(&plan(&scenario("one"), table).unwrap());
    assert_eq!(value(&all[0].1, "win-rate/one-order", Measure::Mean), 0.75);
    let missing = plan(&scenario("both"), table).unwrap_err().to_string();
    assert!(
        missing.contains("the column `p_BA` is missing") && missing.contains("t.csv:1"),
        "{missing}"
    );
}

#[test]
fn what_is_no_verdict_is_told_or_counted() {
    let table =
        "id,truth_X,truth_Y,g_X,g_Y\na,1,0,\"CORRECT\",WRONG.\nb,1,1,I cannot say,CORRECT\n";
    let judge = "[judges.g.recorded]\ncolumn = \"g\"\n";
    let rules = "[estimate]\nrules = [\"pass-rate\"]\n";
    let plain = told(&format!("{judge}{rules}"), table);
    assert_eq!(plain.matches("a grade is pass or 1").count(), 4, "{plain}");
    assert!(plain.contains("t.csv:3") && plain.contains("I cannot say"), "{plain}");
    let parsed = format!("{WORLD}{judge}parser = \"strict\"\n{rules}");
    let all = support::rows(&plan(&parsed, table).unwrap());
    // The reply that is no verdict leaves the share of the other.
    assert_eq!(value(&all[0].1, "pass-rate/first", Measure::Mean), 1.0);
    assert_eq!(value(&all[0].1, "pass-rate/second", Measure::Mean), 0.5);
}

#[test]
fn a_judge_without_rows_is_a_mistake() {
    let judge = "[judges.g.recorded]\ncolumn = \"g\"\n[estimate]\nrules = [\"pass-rate\"]\n";
    let sampled = format!("[world.counts]\nboth = 1\nfirst = 1\nsecond = 1\nneither = 1\n{judge}");
    let told_of = plan(&sampled, "").unwrap_err().to_string();
    assert!(told_of.contains("the world has none"), "{told_of}");
    let table = "id,truth_X,truth_Y,g_X,g_Y\na,1,0,1,0\n";
    let repeated = told(&format!("[protocol]\nrepeats = 3\n{judge}"), table);
    assert!(repeated.contains("repeating it adds nothing"), "{repeated}");
    // A grid tells a mistake of the table once.
    let twice = told(
        &format!("[vary]\n\"protocol.orders\" = [\"one\", \"both\"]\n{judge}"),
        "id,truth_X,truth_Y\na,1,0\n",
    );
    assert_eq!(twice.matches("is missing").count(), 2, "{twice}");
}
