//! Gates, and the exit codes of a script that asks for them; what a round costs.

use serde_json::Value;

use crate::desk::Desk;

const GRADED: &str = "\
seed = 3
replicates = 40
[world.table]
file = 'cases.csv'
systems = ['new', 'old']
[judges.gold.pointwise]
[estimate]
rules = ['difference']
";

const CASES: &str = "\
id,stratum,truth_new,truth_old,words_new,words_old,prompt_words
a,easy,1,0,10,20,100
b,easy,0,1,12,22,110
c,hard,1,1,14,24,120
d,hard,0,1,16,26,130
";

fn desk(gate: &str) -> Desk {
    let desk = Desk::with(&format!("{GRADED}{gate}"));
    desk.put("cases.csv", CASES);
    desk
}

fn report(desk: &Desk) -> Value {
    serde_json::from_str(&desk.text("out/s/report.json")).unwrap()
}

const BROKEN: &str = "\
[[gate]]
estimator = 'difference/mid-p'
at-least = -0.3
[[gate]]
no-regression-in = ['hard']
[[gate]]
no-regression-in = ['easy', 'hard']
";

#[test]
fn a_gate_that_fails_ends_with_one_if_asked_and_its_files_stand() {
    let desk = desk(BROKEN);
    let told = desk.types("run s.toml").done();
    for line in [
        "gold: from old to new improved: a; regressed: b, d.",
        "PASSES gold difference/mid-p should say is -0.2500, to be at least -0.3000",
        "FAILS gold: no regression in hard: d",
        "FAILS gold: no regression in easy, hard: b, d",
        "The gate FAILS: 2 of 3 conditions broken.",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    let before = desk.bytes("out/s/report.json");
    std::fs::remove_dir_all(desk.path("out")).unwrap();
    for flag in ["gate", "gate,undecided"] {
        let said = desk.types(&format!("run s.toml --fail-on {flag}"));
        assert_eq!(said.code, Some(1), "{said:?}");
        assert_eq!(said.err, "out/s: The gate FAILS: 2 of 3 conditions broken.\n");
        assert_eq!(said.out, told);
        assert_eq!(desk.bytes("out/s/report.json"), before);
    }
    desk.types("run s.toml --fail-on undecided").done();
    let gate = &report(&desk)["gate"];
    assert_eq!(gate["outcome"], "fails");
    assert_eq!(gate["conditions"][2]["regressed"], serde_json::json!(["b", "d"]));
    assert_eq!(gate["conditions"][0]["at_least"], -0.3);
    let changed = &report(&desk)["results"][0]["changed"];
    assert_eq!(changed, &serde_json::json!({ "improved": ["a"], "regressed": ["b", "d"] }));
}

#[test]
fn a_gate_that_passes_ends_with_zero() {
    let gate =
        "[[gate]]\nestimator = 'difference/exact'\nmeasure = 'p'\nat-least = 0.5\nat-most = 1\n";
    let told = desk(gate).types("run s.toml --fail-on gate,undecided").done();
    assert!(told.contains("The gate PASSES: its condition holds."), "{told}");
}

/// The power of a random study is known to its Monte Carlo error; where the law can be summed it is known exactly.
#[test]
fn monte_carlo_error_leaves_a_gate_undecided() {
    let random = GRADED.replace(
        "[world.table]\nfile = 'cases.csv'\nsystems = ['new', 'old']\n",
        "[world.graded]\ncases = 400\nrates = [0.7, 0.8]\n",
    );
    let gate = |bound: f64| {
        format!(
            "{random}[[gate]]\nestimator = 'difference/mid-p'\nmeasure = 'power'\nat-least = {bound}\n"
        )
    };
    let desk = Desk::with(&gate(0.95));
    let told = desk.types("run s.toml --fail-on gate").done();
    assert!(told.contains("UNDECIDED gold difference/mid-p rejects is 0.9"), "{told}");
    assert!(told.contains("The gate is UNDECIDED: 1 of 1 conditions within 2 Monte"), "{told}");
    assert_eq!(desk.types("run s.toml --fail-on gate,undecided").code, Some(1));
    assert_eq!(desk.types("run s.toml --fail-on undecided").code, Some(1));
    desk.put("s.toml", gate(0.5));
    desk.types("run s.toml --fail-on gate,undecided").done();
    // Thirty cases can be summed.
    desk.put("s.toml", gate(0.17).replace("400", "30"));
    let told = desk.types("run s.toml --fail-on gate,undecided");
    assert!(!told.out.contains("±0.0") || !told.out.contains("UNDECIDED"), "{}", told.out);
}

#[test]
fn to_fail_on_a_gate_that_is_not_there_is_a_mistake() {
    let told = desk("").types("run s.toml --fail-on gate").refused();
    assert!(told.starts_with("--fail-on: no study has a gate; add"), "{told}");
    assert!(!desk("").path("out").exists());
    assert!(desk(BROKEN).types("run s.toml --fail-on gates").refused().contains("gate"));
}

#[test]
fn mistakes_in_a_gate_are_told_with_their_lines() {
    let told = |gate: &str, sentence: &str| {
        let told = desk(gate).types("check s.toml").refused();
        assert!(told.contains(sentence), "{sentence}\n{told}");
    };
    let bound = "[[gate]]\nestimator = 'difference/exact'\n";
    told(
        "[[gate]]\nestimator = 'difference/exakt'\nat-least = 0\n",
        "s.toml:10: `'difference/exakt'`: this study has no rule \"difference/exakt\"; did you mean \"difference/exact\"?",
    );
    told(bound, "s.toml:9:");
    told(bound, "this condition has no bound; add at-least = 0.0 or at-most = 0.0");
    told(
        &format!("{bound}at-least = 1\nat-most = 0\n"),
        "s.toml:12: `0`: nothing is at least 1 and at most 0",
    );
    told(&format!("{bound}at-least = nan\n"), "a bound is a finite number");
    told(&format!("{bound}measure = 'lower'\nat-least = 0\n"), "s.toml:11:");
    told(&format!("{bound}judge = 'silver'\nat-least = 0\n"), "there is no judge \"silver\"");
    told(&format!("{bound}at = {{ 'world.x' = 1 }}\nat-least = 0\n"), "\"world.x\" is not varied");
    told(
        "[[gate]]\nno-regression-in = ['hrad']\n",
        "s.toml:10: `'hrad'`: there is no stratum \"hrad\"; did you mean \"hard\"?",
    );
    told("[[gate]]\nno-regression-in = []\n", "names no stratum; there are easy, hard");
    told("[[gate]]\nat-least = 0\n", "a condition bounds an estimator, or names strata");
    told(&format!("{bound}no-regression-in = ['hard']\n"), "a condition bounds an estimator");
    told(
        "[[gate]]\nestimator = 'cost/calls'\nat-most = 9\n",
        "does not tell \"cost/calls\"; add a table [cost]",
    );
    let chance = format!("{GRADED}[[gate]]\nno-regression-in = ['hard']\n")
        .replace("[judges.gold.pointwise]", "[judges.gold.pointwise]\nfalse-negative = 0.1");
    let desk = Desk::with(&chance);
    desk.put("cases.csv", CASES);
    let told = desk.types("check s.toml").refused();
    assert!(told.contains("regressions are listed where no chance decides; take"), "{told}");
    desk.put("s.toml", format!("{GRADED}[[gate]]\nno-regression-in = ['hard']\n"));
    desk.put("cases.csv", "id,truth_new,truth_old\na,1,0\n");
    let told = desk.types("check s.toml").refused();
    assert!(told.contains("the table tells no strata; add a column `stratum`"), "{told}");
}

const COST: &str = "\
[judges.other.pairwise]
ability = 1.0
[protocol]
repeats = 2
[cost]
tokens-per-word = 1.5
output-tokens = 10
input-price = 2
output-price = 8
currency = 'EUR'
";

#[test]
fn a_round_costs_what_it_costs_by_hand() {
    let text = format!("{GRADED}{COST}").replace("'difference'", "'pass-rate', 'win-rate'");
    let desk = Desk::with(&text);
    desk.put("cases.csv", CASES);
    let told = desk.types("run s.toml").done();
    // Four cases, two answers, two repeats; four pairs, two orders, two repeats.
    let rows = report(&desk)["costs"].clone();
    let money = |words: f64| (2.0 * 1.5 * words + 8.0 * 160.0) / 1e6;
    let (one, two) = (2.0 * (2.0 * 460.0 + 144.0), 4.0 * (460.0 + 144.0));
    for (row, (calls, words, median, money)) in rows.as_array().unwrap().iter().zip([
        (16, one, Some(133.0), money(one)),
        (16, two, Some(151.0), money(two)),
        (32, one + two, None, money(one) + money(two)),
    ]) {
        assert_eq!(row["calls"], calls, "{rows}");
        assert_eq!(row["words"], words, "{rows}");
        assert_eq!(row["median_words"].as_f64(), median, "{rows}");
        assert!((row["money"].as_f64().unwrap() - money).abs() < 1e-15, "{rows}");
    }
    assert!(told.contains("cost of one round\njudge"), "{told}");
    assert!(told.contains("EUR") && told.contains("\ntotal "), "{told}");
}

#[test]
fn what_is_not_given_is_not_told_and_a_price_needs_its_tokens() {
    let told = desk("[cost]\n").types("run s.toml").done();
    assert!(
        told.contains("calls") && !told.contains("tokens") && !told.contains("money"),
        "{told}"
    );
    let wrong = |cost: &str, sentence: &str| {
        let told = desk(&format!("[cost]\n{cost}")).types("check s.toml").refused();
        assert!(told.contains(sentence), "{sentence}\n{told}");
    };
    wrong("input-price = 1\n", "money needs both prices; add output-price");
    wrong("input-price = 1\noutput-price = 2\n", "money needs tokens; add tokens-per-word");
    wrong(
        "input-price = 1\noutput-price = 2\ntokens-per-word = 1\n",
        "money needs the tokens of a reply; add output-tokens",
    );
    wrong(
        "systems = ['new', 'newer']\n",
        "s.toml:10: `['new', 'newer']`: the table has no system \"newer\"",
    );
    wrong("systems = ['new', 'new']\n", "systems are named once each");
    let bare = desk("[cost]\ntokens-per-word = 1.3\n");
    bare.put("cases.csv", "id,truth_new,truth_old\na,1,0\n");
    let told = bare.types("check s.toml").refused();
    assert!(
        told.contains("tokens need the words of prompts and of answers; add prompt-words"),
        "{told}"
    );
    bare.put("cases.csv", CASES.replace(",130", ",-130"));
    let told = bare.types("check s.toml").refused();
    assert!(told.contains("cases.csv:5: `-130`: `prompt_words` is a number of words"), "{told}");
}

#[test]
fn a_cost_can_be_a_condition() {
    let gate = "[cost]\nprompt-words = 5\n[[gate]]\nestimator = 'cost/words'\nat-most = 183\n";
    assert_eq!(desk(gate).types("run s.toml --fail-on gate").code, Some(1));
    desk(&gate.replace("183", "184")).types("run s.toml --fail-on gate").done();
    let told = desk(&gate.replace("at-most", "measure = 'power'\nat-most"))
        .types("check s.toml")
        .refused();
    assert!(
        told.contains("s.toml:13: `'power'`: a cost has no measures; remove this key"),
        "{told}"
    );
}

/// A single agreeing case bounds nothing, and no lower limit that is left out helps a gate.
#[test]
fn a_limit_that_bounds_nothing_fails() {
    let random = GRADED
        .replace(
            "[world.table]\nfile = 'cases.csv'\nsystems = ['new', 'old']\n[judges.gold.pointwise]\n",
            "[world.sampled]\npairs = 3\nbetter = 0.9\n[judges.gold.pairwise]\nability = 3\nposition = 0.5\n",
        )
        .replace("'difference'", "'position-effect'");
    let gate = "[[gate]]\nestimator = 'position-effect/exact'\nmeasure = 'low'\nat-least = -9.0\n";
    let desk = Desk::with(&format!("{random}{gate}"));
    let said = desk.types("run s.toml --fail-on gate");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("lower limit is -∞, to be at least -9.0000"), "{}", said.out);
    assert!(report(&desk)["gate"]["conditions"][0]["value"].is_null());
}
