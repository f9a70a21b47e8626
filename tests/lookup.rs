//! Judges that look their verdicts up in the world's table: what they say, and what is told where they cannot.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::evidence::{Order, Verdict};
use judgelab::scenario::{Mistakes, Overrides, Plan};
use judgelab::study::{self, Measure};
use judgelab::verdicts::{Mode, Outcome, Parser, Vocabulary};
use judgelab::world::{Case, Mood};
use support::{close, value};

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

#[test]
fn lexical_judges_grade_texts_or_scores() {
    let table = "id,reference,answer_X,answer_Y,truth_X,truth_Y,f_X,f_Y\n\
                 a,the red fox,A red fox!,fox red,1,0,0.5,0.499\nb,one two,two one,three,1,1,1,0\n";
    let rules = "[estimate]\nrules = [\"pass-rate\"]\n";
    let rates = |judge: &str| {
        let plan = plan(&format!("{WORLD}[judges.l.lexical]\n{judge}\n{rules}"), table).unwrap();
        let all = support::rows(&plan);
        ["first", "second"].map(|it| value(&all[0].1, &format!("pass-rate/{it}"), Measure::Mean))
    };
    assert_eq!(rates("metric = \"exact-match\""), [0.5, 0.0]);
    assert_eq!(rates("metric = \"token-f1\""), [1.0, 0.5]);
    // In order, one word of two is left in each of the others.
    assert_eq!(rates("metric = \"lcs-f1\""), [1.0, 0.5]);
    assert_eq!(rates("metric = \"lcs-f1\"\nthreshold = 0.6"), [0.5, 0.0]);
    assert_eq!(rates("scores = \"f\""), [1.0, 0.0]);
    let wrong =
        |judge: &str, table: &str| told(&format!("[judges.l.lexical]\n{judge}\n{rules}"), table);
    assert!(wrong("", table).contains("add metric"));
    assert!(wrong("metric = \"lcs-f1\"\nscores = \"f\"", table).contains("remove one of them"));
    assert!(wrong("metric = \"bleu\"", table).contains("exact-match"));
    assert!(wrong("scores = \"g\"", table).contains("`g_X` is missing"));
    let far = wrong("scores = \"f\"", &table.replace("0.499", "1.499"));
    assert!(far.contains("t.csv:2: `1.499`: a score is a number, 0 to 1"), "{far}");
}

/// Replies by parser: pass, fail, conflicting, missing, of 38.
#[test]
fn three_ways_of_reading_the_same_replies() {
    let mut file = csv::Reader::from_path(support::scenario("data/replies.csv")).unwrap();
    let rows: Vec<_> = file.records().map(Result::unwrap).collect();
    for (mode, want) in [
        (Mode::Strict, [4, 4, 2, 28]),
        (Mode::Marked, [2, 2, 0, 34]),
        (Mode::Permissive, [12, 11, 4, 11]),
    ] {
        let parser = Parser { vocabulary: Vocabulary::grades(), mode };
        let tally = parser.tally(rows.iter().flat_map(|row| [row[4].trim(), row[5].trim()]));
        let got = [tally.first, tally.second, tally.conflicting, tally.missing];
        assert_eq!(got, want, "{mode:?}");
        // No reading turns a reply round: what is read as a verdict is what the reply means.
        for (row, k) in rows.iter().flat_map(|row| [(row, 0), (row, 1)]) {
            if let Outcome::Verdict(verdict) = parser.read(row[4 + k].trim()) {
                assert_eq!(verdict == Verdict::First, &row[2 + k] == "1", "{mode:?}: {row:?}");
            }
        }
        // The study counts the same.
        let study = lesson("verdict-parsing");
        let name = format!("{mode:?}").to_lowercase();
        let all = support::rows(&study);
        let (_, rows) = all.iter().find(|it| *it.0.judge == *name).unwrap();
        for (rule, count) in [("first", got[0]), ("second", got[1]), ("invalid", got[2] + got[3])] {
            let share = value(rows, &format!("replies/{rule}"), Measure::Mean);
            close(rule, 38.0 * share, count as f64, 1e-9);
        }
    }
}

fn lesson(name: &str) -> Plan {
    let text = std::fs::read_to_string(support::scenario("lesson.toml")).unwrap();
    let overrides = Overrides { replicates: Some(2000), seed: None };
    let plans = Plan::all_from_toml(None, &text, overrides, &mut |file| {
        std::fs::read_to_string(support::scenario(file)).map_err(|error| error.to_string())
    });
    plans.unwrap().into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap()
}

/// The law of a sum of independent passes.
fn passes(rates: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut law = vec![1.0];
    for p in rates {
        law.push(0.0);
        for k in (0..law.len()).rev() {
            law[k] = law[k] * (1.0 - p) + if k == 0 { 0.0 } else { law[k - 1] * p };
        }
    }
    law
}

/// How often a judge ranks two systems as the labels do, by the laws of both systems' passes.
#[test]
fn ranks_as_often_right_as_the_laws_of_the_passes_say() {
    let plan = lesson("judges-by-system");
    let gathered = support::simulate(&plan);
    for (task, gathered) in plan.tasks.iter().zip(&gathered) {
        let pair = ["A C", "A2 C", "A A2"][task.cell];
        let graded = Order::BOTH.map(|order| {
            let world = &task.design.world;
            let rate = |case: &Case| {
                let state = task.design.states(&world.kinds[case.kind])[0].at;
                task.design.chances_in(0, &state, Mood::default(), order).first
            };
            passes(world.cases.iter().map(rate))
        });
        let mut right = 0.0;
        for (a, p) in graded[0].iter().enumerate() {
            for (b, q) in graded[1].iter().enumerate() {
                let ranked = if pair == "A A2" { a == b } else { a < b };
                right += if ranked { p * q } else { 0.0 };
            }
        }
        let rule = task.estimators.iter().find(|it| it.name() == "ranking/right").unwrap();
        let law = study::exactly(task, rule, &plan.settings, 50_000_000).unwrap();
        close(pair, law.value(Measure::Mean).unwrap(), right, 1e-9);
        let rows = study::rows(task, gathered, &plan.settings);
        let simulated = value(&rows, "ranking/right", Measure::Mean);
        support::accept_share(pair, simulated, plan.replicates, right, 9.0);
        if (&*task.judge, task.cell) == ("strict", 0) {
            assert_eq!(format!("{right:.4}"), "0.6836");
        }
    }
}
