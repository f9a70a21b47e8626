//! `detect` and `plan`: the forms that scripts rely on, and questions that have no answer.

use serde_json::Value;

use crate::desk::Desk;

fn answered(desk: &Desk, line: &str) -> Value {
    serde_json::from_str(&desk.types(line).done()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[track_caller]
fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("no {key} in {json}"))
}

/// The line, what is asked, the value and how close, the power, the test, how it was come by.
const FORMS: [(&str, f64, f64, &str, &str); 16] = [
    (
        "detect self-preference --pairs 140 --ability 2.5 --power 0.8 --json",
        0.8709,
        5e-5,
        "z",
        "exact",
    ),
    ("detect self-preference --pairs 14 --ability 2.5 --json", 2.6067, 5e-5, "z", "exact"),
    ("plan self-preference --bias 1.0 --ability 2.5 --power 0.8 --json", 105.0, 0.0, "z", "exact"),
    (
        "detect position --pairs 100 --item-effect 1 --test exact --json",
        0.4761,
        5e-5,
        "exact",
        "exact",
    ),
    ("detect position --pairs 200 --flip-rate 0.35 --json", 0.3439, 5e-5, "mid-p", "exact"),
    (
        "detect position --pairs 200 --flip-rate 0.35 --test z --json",
        0.342,
        5e-4,
        "z",
        "normal approximation",
    ),
    ("plan difference --rates 0.20 0.10 --test mid-p --json", 230.0, 0.0, "mid-p", "exact"),
    ("plan difference --rates 0.10 0.20 --test exact --json", 249.0, 0.0, "exact", "exact"),
    (
        "plan difference --rates 0.20 0.10 --test asymptotic --json",
        229.0,
        0.0,
        "asymptotic",
        "exact",
    ),
    ("detect difference --cases 300 --discordant 0.1733 --json", 0.0663, 5e-5, "mid-p", "exact"),
    (
        "plan equivalence --flip-rate 0.35 --margin 0.05 --test z --json",
        300.0,
        0.0,
        "z",
        "normal approximation",
    ),
    ("plan agreement --kappa0 0.4 --kappa 0.6 --json", 153.0, 0.0, "z", "normal approximation"),
    (
        "plan agreement --kappa0 0.4 --kappa 0.6 --one-sided --json",
        119.0,
        0.0,
        "z",
        "normal approximation",
    ),
    (
        "plan drift --rates 0.5 0.75 --power 0.9 --test z --json",
        77.0,
        0.0,
        "z",
        "normal approximation",
    ),
    ("detect pass-rate --cases 200 --rate 0.8 --json", 0.0845, 5e-5, "mid-p", "exact"),
    ("detect length --pairs 100 --item-effect 1 --json", 0.5565, 5e-5, "mid-p", "exact"),
];

#[test]
fn scripts_may_rely_on_these_forms() {
    let desk = Desk::new();
    for (line, value, by, test, method) in FORMS {
        let json = answered(&desk, line);
        assert!((number(&json, "value") - value).abs() <= by, "{line}: {json}");
        assert_eq!(
            (json["test"].as_str(), json["method"].as_str()),
            (Some(test), Some(method)),
            "{line}"
        );
        let target = if line.contains("--power 0.9") { 0.9 } else { 0.8 };
        let power = number(&json, "power");
        let exact = method == "exact";
        assert!(!exact || target <= power && power < target + 0.02, "{line}: power {power}");
        assert!((0.02..0.06).contains(&number(&json, "size")), "{line}: {json}");
        assert!(
            json["interval"].as_array().is_some_and(|it| it.len() == 2) && json["unit"].is_string()
        );
        assert!(number(&json, "error") < 1e-9, "{line}");
    }
}

#[test]
fn what_is_assumed_and_what_others_say_stands_in_the_answer() {
    let desk = Desk::new();
    let told = desk.types("detect position --pairs 100 --item-effect 1").done();
    let first = told.lines().next().unwrap();
    assert!(
        first.starts_with("With 100 pairs, the smallest position preference")
            && first.contains("mid-p"),
        "{told}"
    );
    for part in [
        "random: -1 or +1",
        "exact test",
        "0.4761",
        "first-shown share",
        "average of both orders",
        "Size   0.0483",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = desk.types("plan equivalence --flip-rate 0.35 --margin 0.05 --test exact").done();
    assert!(told.contains("do so first, but some larger numbers do not"), "{told}");
    for truth in ["even", "first"] {
        let told =
            desk.types(&format!("detect position --pairs 60 --ability 1 --truth {truth}")).done();
        assert!(told.contains(&format!("truth: {truth}: ")), "{told}");
    }
    desk.put("gaps.txt", "0.5 -0.25, 1 # three\n-1\n");
    let json = answered(&desk, "detect position --truth gaps.txt --pairs 80 --ability 1 --json");
    assert!(json["assumed"]["truth"].as_str().unwrap().starts_with("4 true differences"), "{json}");
}

#[test]
fn questions_without_an_answer_say_why() {
    let desk = Desk::new();
    desk.put("gaps.txt", "0.5\nwide\n");
    for (line, why) in [
        ("detect position --pairs 100 --item-effect 1 --power 1", "never reached with certainty"),
        (
            "detect position --pairs 100 --item-effect 1 --power 0.02",
            "without any position preference",
        ),
        ("detect position --pairs 1 --item-effect 1", "whatever they say"),
        ("detect position --pairs 0 --item-effect 1", "nothing to see"),
        ("detect position --pairs 100 --flip-rate 0", "whatever the number of pairs"),
        ("detect position --pairs 100 --flip-rate 35", "a probability lies between 0 and 1"),
        ("detect position --pairs 100", "give --ability, --item-effect or --flip-rate"),
        ("detect position --item-effect 1", "give --pairs"),
        (
            "detect position --pairs 100 --item-effect 1 --rate 0.5",
            "it belongs to pass-rate, drift",
        ),
        ("detect position --pairs 9 --ability 1 --truth none.txt", "cannot be read"),
        (
            "detect position --pairs 9 --ability 1 --truth gaps.txt",
            "gaps.txt:2: wide is no true difference",
        ),
        ("detect self-preference --pairs 14 --ability 2.5 --truth first", "at most 0.136"),
        ("detect self-preference --pairs 14 --ability 2.5 --test exact", "no exact and no mid-p"),
        ("detect self-preference --pairs 5000 --ability 2.5", "at most 4000"),
        ("detect agreement --cases 50 --test exact", "give --test z"),
        ("detect difference --cases 300", "--discordant"),
        ("plan position --bias 0 --item-effect 1", "is no effect"),
        ("plan position --bias 60 --item-effect 1", "beyond which every verdict is certain"),
        ("plan position --bias 0.0001 --item-effect 1", "by the normal approximation"),
        ("plan position --item-effect 1", "give --bias"),
        ("plan position --rates 0.1 0.2", "belongs to difference"),
        ("plan difference --rates 0.1 0.1", "is no effect"),
        ("plan equivalence --flip-rate 0.35 --margin 0.3", "within 0.175 of one half anyway"),
        ("plan agreement --kappa 1.2 --kappa0 0.4", "cannot be"),
        ("detect frob --pairs 3", "invalid value 'frob'"),
        ("detect", "required"),
    ] {
        let told = desk.types(line).refused();
        assert!(told.contains(why), "{line}: {told}");
        let sentences = told.trim_end().lines().count();
        assert!(told.starts_with("error: ") || sentences == 1, "{line}: {told}");
    }
}

const SCENARIO: &str = "\
[world.sampled]
pairs = 140
better = 0.5
[judges.own.pairwise]
ability = 2.5
own = 'A'
[judges.third.pairwise]
ability = 2.5
[estimate]
rules = ['self-preference', 'position-effect']
third-party = 'third'
[detect]
parameter = 'judges.own.pairwise.self'
judge = 'own'
estimator = 'self-preference'
";

#[test]
fn a_scenario_holds_its_question() {
    let desk = Desk::with(SCENARIO);
    let json = answered(&desk, "detect --scenario s.toml --json");
    assert!((number(&json, "value") - 0.8709).abs() < 5e-5 && json["bias"] == "scenario", "{json}");
    let json = answered(
        &desk,
        "detect --scenario s.toml --parameter judges.own.pairwise.position --estimator position-effect --json",
    );
    // The planted position is the item-effect 2.5 of its pairs: as `detect position` says.
    let direct = answered(&desk, "detect position --pairs 140 --item-effect 2.5 --json");
    assert!((number(&json, "value") - number(&direct, "value")).abs() < 1e-7, "{json}");
    desk.put("b.toml", SCENARIO.replace("own = 'A'", "own = 'A'\nself = 1.0"));
    let json = answered(&desk, "plan --scenario b.toml --json");
    assert_eq!((number(&json, "value"), number(&json, "first")), (105.0, 105.0), "{json}");
}

#[test]
fn a_scenario_that_cannot_answer_says_why() {
    let desk = Desk::with(SCENARIO);
    desk.put("plain.toml", SCENARIO.split("[detect]").next().unwrap());
    desk.put("varied.toml", format!("{SCENARIO}[vary]\n'world.sampled.pairs' = [14, 140]\n"));
    for (line, why) in [
        (
            "detect --scenario s.toml --parameter judges.own.pairwise.positoin",
            "did you mean `position`",
        ),
        (
            "detect --scenario s.toml --parameter judges.own.pairwise.position --judge nobody",
            "no such judge",
        ),
        ("detect --scenario s.toml --parameter protocol.orders", "protocol.orders"),
        ("detect --scenario plain.toml", "it has no table [detect]"),
        (
            "detect --scenario plain.toml --parameter judges.own.pairwise.position --judge own",
            "several rules have a test",
        ),
        ("detect --scenario varied.toml", "the scenario varies world.sampled.pairs too"),
        ("detect --scenario s.toml --test exact", "choose by --estimator"),
        ("detect --scenario none.toml", "cannot be read"),
        ("detect position --scenario s.toml", "cannot be used with"),
    ] {
        let told = desk.types(line).refused();
        assert!(told.contains(why), "{line}: {told}");
    }
}

#[test]
fn a_rule_without_a_law_is_searched_by_simulation() {
    let desk = Desk::with(&FIT.replace("[detect]", "[detect]\nbudget = 1000"));
    let line = "detect --scenario s.toml --json";
    let json = answered(&desk, line);
    assert_eq!(json["method"], "simulated", "{json}");
    for key in ["value", "power", "size", "error"] {
        assert!(number(&json, key).is_finite(), "{key}: {json}");
    }
    assert!(json["test"] == "position" && json["interval"].as_array().unwrap().len() == 2);
    let (low, value) = (json["interval"][0].as_f64().unwrap(), number(&json, "value"));
    assert!(0.0 < low && low < value && value < json["interval"][1].as_f64().unwrap(), "{json}");
    assert!(json["simulation"]["power"]["mcse"].as_f64().unwrap() > 0.0, "{json}");
    // The same bytes with any number of threads.
    let mut alone = desk.command(line);
    let alone = crate::desk::said(alone.env("RAYON_NUM_THREADS", "1")).done();
    assert_eq!(alone, desk.types(line).done());
    let told = desk.types("detect --scenario s.toml").done();
    for part in ["], by simulation.", "Test   position (joint-fit/position", "none used twice", "±"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn an_exact_search_is_simulated_on_demand() {
    let desk = Desk::with(SCENARIO);
    let json = answered(&desk, "detect --scenario s.toml --simulate --budget 4000 --json");
    assert_eq!(
        (json["method"].as_str(), json["test"].as_str()),
        (Some("simulated"), Some("self-preference"))
    );
    assert!((number(&json, "value") - 0.8709).abs() < 0.1, "{json}");
    desk.put("b.toml", SCENARIO.replace("own = 'A'", "own = 'A'\nself = 1.0"));
    let line = "plan --scenario b.toml --simulate --budget 4000";
    let json = answered(&desk, &format!("{line} --json"));
    assert!((number(&json, "value") - 105.0).abs() < 20.0, "{json}");
    assert!(desk.types(line).done().contains("a saw-tooth of the power is smoothed over"));
    for (line, why) in [
        ("detect --scenario s.toml --simulate --budget 10", "a search takes 1000"),
        ("detect --scenario s.toml --simulate --budget 2000 --from 3", "self <= 3"),
        ("detect --scenario s.toml --simulate --budget 2000 --to 0.2", "self >= 0.2"),
        ("detect position --pairs 100 --item-effect 1 --simulate", "cannot be used with"),
    ] {
        let told = desk.types(line).refused();
        assert!(told.contains(why), "{line}: {told}");
    }
}

#[test]
fn a_run_answers_the_table() {
    let desk = Desk::with(&format!("replicates = 50\n{SCENARIO}"));
    let told = desk.types("run s.toml --quiet").done();
    assert!(told.contains("is 0.8709"), "{told}");
    let json: Value = serde_json::from_str(&desk.text("out/s/report.json")).unwrap();
    assert!((number(&json["detect"], "value") - 0.8709).abs() < 5e-5, "{json}");
    assert_eq!(json["detect"], answered(&desk, "detect --scenario s.toml --json"));
    // By simulation it is the answer of `detect` too, whatever the replicates of the grid.
    desk.put("f.toml", FIT.replace("[detect]", "[detect]\nbudget = 1000"));
    desk.types("run f.toml --quiet --replicates 20").done();
    let json: Value = serde_json::from_str(&desk.text("out/f/report.json")).unwrap();
    assert_eq!(json["detect"], answered(&desk, "detect --scenario f.toml --json"));
    // A question without an answer is told in the report; the grid stands.
    desk.put("n.toml", format!("replicates = 50\n{SCENARIO}to = 0.1\n"));
    let told = desk.types("run n.toml --quiet").done();
    assert!(told.contains("[detect] has no answer: "), "{told}");
}

/// A logistic fit, whose test reads sixteen sums.
const FIT: &str = "\
replicates = 30
[world.sampled]
pairs = 40
better = 0.5
length = { ratio = 2.0 }
[judges.biased.pairwise]
ability = 1.0
[estimate]
rules = ['joint-fit']
[detect]
parameter = 'judges.biased.pairwise.position'
estimator = 'joint-fit/position'
";
