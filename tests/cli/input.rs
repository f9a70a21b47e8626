//! Wrong input: one sentence with file, line, value, rule and remedy, and exit code 2.

use crate::desk::{CASES, Desk, ON_TABLE, SCENARIO, said};

/// Asserts that a scenario has one mistake, which `check` and `run` tell alike, and that nothing is written. A sentence
/// that ends in a colon stands for all that begin so.
#[track_caller]
fn wrong(desk: &Desk, sentence: &str) {
    let told = desk.types("check s.toml").refused();
    let first = told.lines().next().unwrap();
    assert!(first == sentence || sentence.ends_with(": ") && first.starts_with(sentence), "{told}");
    let marks = told.lines().skip(1).filter(|line| !line.starts_with("  "));
    assert_eq!(marks.count(), 0, "more than one mistake:\n{told}");
    assert_eq!(desk.types("run s.toml").refused(), told);
    assert_eq!(desk.files("out"), [""; 0]);
    assert!(!desk.path("out").exists());
}

#[track_caller]
fn replaced(from: &str, to: &str, sentence: &str) {
    assert!(SCENARIO.contains(from), "{from}");
    wrong(&Desk::with(&SCENARIO.replacen(from, to, 1)), sentence);
}

#[test]
fn an_unknown_key() {
    replaced(
        "ability",
        "abilty",
        "s.toml:10: `abilty`: `judges.primacy.pairwise` has no key `abilty`; did you mean `ability` (known keys: ",
    );
}

#[test]
fn a_misspelt_judge() {
    replaced(
        "'judges.primacy.",
        "'judges.primcay.",
        "s.toml:20: `'judges.primcay.pairwise.position'`: `judges` has no entry `primcay` to vary; did you mean `primacy`?",
    );
}

#[test]
fn a_probability_of_one_and_a_half() {
    replaced(
        "better = 0.75",
        "better = 1.5",
        "s.toml:7: `1.5`: a probability lies between 0 and 1, not 1.5; give a share, not a percentage.",
    );
}

#[test]
fn not_a_number() {
    for (from, line) in [("better = 0.75", 7), ("ability = 2.5", 10)] {
        let key = from.split_once(' ').unwrap().0;
        let desk = Desk::with(&SCENARIO.replace(from, &format!("{key} = nan")));
        let told = desk.types("check s.toml").refused();
        assert!(
            told.starts_with(&format!("s.toml:{line}: `nan`: ")) && told.contains("not NaN; "),
            "{told}"
        );
    }
}

#[test]
fn an_empty_grid() {
    replaced(
        "[6, 12]",
        "[]",
        "s.toml:21: `[]`: there is nothing to vary; give at least one value or remove the line.",
    );
}

#[test]
fn a_million_million_replicates() {
    replaced(
        "replicates = 40",
        "replicates = 1_000_000_000_000",
        "s.toml:3: `1_000_000_000_000`: a cell has 1 to 1000000000 replicates, not 1000000000000; 2000 give a share to about \
         one point.",
    );
    let told = Desk::with(SCENARIO).types("run s.toml --replicates 1000000000000").refused();
    let sentence = "a cell has 1 to 1000000000 replicates, not 1000000000000; 2000 give a share to about one point";
    assert!(told.contains("'--replicates <N>'") && told.contains(sentence), "{told}");
}

#[test]
fn no_replicates() {
    for (typed, why) in [
        ("0", "a cell has 1 to 1000000000 replicates, not 0; 2000 give"),
        ("x", "in digits"),
        ("-1", "not -1"),
    ] {
        let told =
            Desk::with(SCENARIO).types(&format!("run s.toml --replicates {typed}")).refused();
        assert!(told.contains(why), "{told}");
    }
    replaced(
        "replicates = 40",
        "replicates = 0",
        "s.toml:3: `0`: a cell has 1 to 1000000000 replicates, not 0; 2000 give a share to about one point.",
    );
}

#[test]
fn a_path_that_does_not_exist() {
    replaced(
        "'world.sampled.pairs'",
        "'world.sampld.pairs'",
        "s.toml:21: `'world.sampld.pairs'`: `world` has no entry `sampld` to vary; did you mean `sampled`?",
    );
    replaced(
        "primacy.pairwise.position'",
        "primacy.pairwise.positon'",
        "s.toml:20: `'judges.primacy.pairwise.positon'`: `judges.primacy.pairwise` has no key `positon`; did you mean \
         `position` (known keys: ",
    );
}

#[test]
fn a_misspelt_kind_is_told_once_where_it_stands() {
    let text = SCENARIO.replace("[judges.primacy.pairwise]", "[judges.primacy.pairwize]");
    let told = Desk::with(&text).types("check s.toml").refused();
    assert!(told.starts_with("s.toml:9: `pairwize`: `pairwize` is no choice for `judges.primacy`; did you mean `pairwise`"));
    assert_eq!(told.matches("s.toml:").count(), 1, "{told}");
}

#[test]
fn a_rule_that_its_protocol_cannot_feed() {
    replaced(
        "'both'",
        "'one'",
        "s.toml:17: `'flip-rate'`: this protocol cannot feed \"flip-rate\": it needs both orders; set orders = \"both\".",
    );
}

#[test]
fn a_study_that_does_not_fit_into_memory() {
    let text = SCENARIO
        .replace("pairs = 12\n", "pairs = 1_000_000\n")
        .replace("'world.sampled.pairs' = [6, 12]\n", "");
    let desk = Desk::with(&text.replace("orders = 'both'", "repeats = 200"));
    let told = desk.types("check s.toml").refused();
    assert!(
        told.contains("s.toml:5: `world`: a cell asks 400000000 verdicts a replicate, and at most"),
        "{told}"
    );
}

#[test]
fn five_different_mistakes_are_told_at_once_in_their_order() {
    let text = SCENARIO
        .replace("seed = 3", "sed = 3")
        .replace("better = 0.75", "better = 1.5")
        .replace("ability = 2.5", "ability = 'much'")
        .replace("'both'", "'bth'")
        .replace("'flip-rate'", "'flop-rate'")
        .replace("world.sampled.pairs", "world.sampled.pears");
    let desk = Desk::with(&text);
    let told = desk.types("check s.toml").refused();
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("s.toml:")).collect();
    let places: Vec<&str> = lines.iter().map(|line| line.split(": ").next().unwrap()).collect();
    let expected = ["s.toml:2", "s.toml:7", "s.toml:10", "s.toml:14", "s.toml:17", "s.toml:21"];
    assert_eq!(places, expected, "{told}");
    assert!(lines.iter().all(|line| line.contains("; ") && line.ends_with(['.', '?'])), "{told}");
    assert!(
        lines[4].contains("there is no rule \"flop-rate\"; did you mean \"flip-rate\"?"),
        "{told}"
    );
    let marked = "  7 | better = 1.5\n    |          ^^^\n";
    assert!(told.contains(marked), "{told}");
}

#[test]
fn mistakes_of_all_files_are_told_at_once_and_sound_ones_beside_them() {
    let desk = Desk::with(SCENARIO);
    desk.put("bad.toml", SCENARIO.replace("2.5", "250"));
    desk.put("worse.toml", SCENARIO.replace("seed = 3", "seed = -3"));
    let told = desk.types("check bad.toml nothing.toml worse.toml s.toml");
    assert_eq!(told.code, Some(2));
    assert_eq!(told.out, "s.toml: no mistake; 6 cells, 40 replicates, 4320 decisions.\n");
    let places: Vec<&str> = told
        .err
        .lines()
        .filter(|it| !it.starts_with(' '))
        .map(|it| it.split(": ").next().unwrap())
        .collect();
    assert_eq!(places, ["bad.toml:10", "nothing.toml", "worse.toml:2"], "{}", told.err);
    assert!(!desk.types("run s.toml bad.toml").refused().is_empty());
    assert!(!desk.path("out").exists(), "a sound scenario was run though another has a mistake");
}

/// A scenario on a table of cases with a mistake in the table: what `check` says.
fn on_table(cases: impl AsRef<[u8]>) -> String {
    let desk = Desk::new();
    desk.put("in/s.toml", ON_TABLE);
    desk.put("in/cases.csv", cases);
    desk.types("check in/s.toml").refused()
}

#[test]
fn a_table_with_a_mistake_is_named_with_its_own_lines() {
    assert_eq!(
        on_table(CASES.replace("truth_B", "trth_B")),
        "in/cases.csv:1: the column `truth_B` is missing; the table has id, truth_A, trth_B; add the column, or choose other \
         systems.\n"
    );
    assert_eq!(
        on_table(CASES.replace("p3", "p1")),
        "in/cases.csv:4: `p1`: this id stands at line 2 already; give each case an id of its own.\n"
    );
    let several = on_table("id,truth_A,truth_B\np1,1\np2,x,1\np2,1,1\n");
    let places: Vec<&str> = several.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["in/cases.csv:2", "in/cases.csv:3", "in/cases.csv:4"], "{several}");
}

#[test]
fn a_table_that_is_no_table() {
    assert!(on_table("").starts_with(
        "in/s.toml:3: `'cases.csv'`: the file \"cases.csv\" is empty; give it a line of column"
    ));
    assert!(
        on_table(b"id\n\xff").contains("cannot be read (line 2 is not UTF-8); name a CSV file")
    );
    let desk = Desk::with(ON_TABLE);
    wrong(
        &desk,
        "s.toml:3: `'cases.csv'`: the file \"cases.csv\" cannot be read (no such file or directory); name a CSV file, \
         relative to the scenario.",
    );
    desk.put("cases.csv/file", "");
    let told = desk.types("check s.toml").refused();
    assert!(
        told.starts_with(
            "s.toml:3: `'cases.csv'`: the file \"cases.csv\" cannot be read (is a directory);"
        ),
        "{told}"
    );
}

#[test]
fn files_that_are_no_scenario() {
    let desk = Desk::new();
    let told = |name: &str| {
        let told = desk.types(&format!("check {name}")).refused();
        assert_eq!(desk.types(&format!("run {name}")).refused(), told);
        told
    };
    desk.put("empty.toml", "\u{feff} \n");
    assert_eq!(
        told("empty.toml"),
        "empty.toml:1: the scenario is empty; `judgelab new` writes one to start from.\n"
    );
    desk.put("latin.toml", b"seed = 1\n# caf\xe9\n");
    assert_eq!(
        told("latin.toml"),
        "latin.toml:2: the text is not UTF-8; save the file as UTF-8.\n"
    );
    assert_eq!(
        told("none.toml"),
        "none.toml: the scenario cannot be read (no such file or directory); name a TOML file.\n"
    );
    desk.put("x.toml/readme", "");
    assert_eq!(told("x.toml"), "x.toml: the folder holds no .toml file; name a scenario.\n");
    desk.put("prose.toml", "Does averaging help?\n");
    assert!(
        told("prose.toml")
            .starts_with("prose.toml:1: `Does averaging help?`: a line sets `key = value`")
    );
    desk.put("..toml", SCENARIO);
    assert_eq!(
        told("..toml"),
        "..toml: the results would have no folder of their own; rename the scenario.\n"
    );
}

#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let told = Desk::new().types("check /dev/zero").refused();
    assert_eq!(
        told,
        "/dev/zero: the scenario cannot be read (it is larger than 16 MiB); name a TOML file.\n"
    );
}

#[test]
fn a_file_cannot_command_the_terminal() {
    let told = Desk::with("a = \u{1b}[31m\"\u{7}\"\n").types("check s.toml").refused();
    assert!(!told.contains(['\u{1b}', '\u{7}']), "{told:?}");
}

#[test]
fn a_judge_has_a_name_that_can_be_printed() {
    for name in ["\"\"", "\" \"", "\"a\\nb\""] {
        let told = Desk::with(&SCENARIO.replace("primacy", name)).types("check s.toml").refused();
        assert!(told.starts_with("s.toml:9: "), "{told}");
        assert!(
            told.contains("and this one cannot be printed; write [judges.NAME.KIND]"),
            "{told}"
        );
    }
}

#[test]
fn a_study_whose_name_is_no_folder_name() {
    let shared = SCENARIO.split("[vary]").next().unwrap();
    for (name, better) in
        [("../x", "x"), ("", "study"), ("a/b", "a-b"), ("con trol", "con-trol"), ("..", "study")]
    {
        let desk = Desk::with(&format!(
            "{shared}\n[studies.\"{name}\"]\nseed = 4\n[studies.fine]\nseed = -5\n"
        ));
        let told = desk.types("check s.toml").refused();
        let sentence = format!(
            "s.toml:20: `\"{name}\"`: a study names the folder of its results: 1 to 100 letters, digits, _, and - or . between \
             them; call it {better}.\n"
        );
        assert!(told.starts_with(&sentence), "{told}");
        assert!(
            told.contains("s.toml:23: `-5`: a seed"),
            "other mistakes are told as well: {told}"
        );
        assert_eq!(desk.types("run s.toml").refused(), told);
        assert_eq!(desk.files(""), ["s.toml"]);
    }
}

#[test]
fn standard_input_is_read_once() {
    let desk = Desk::with(SCENARIO);
    let fed = |line: &str, text: &str| said(desk.command(line).write_stdin(text));
    assert_eq!(
        fed("check -", SCENARIO).done(),
        "stdin: no mistake; 6 cells, 40 replicates, 4320 decisions.\n"
    );
    let told = fed("check -", &SCENARIO.replace("0.75", "75")).refused();
    assert!(told.starts_with("stdin:7: `75`: a probability"), "{told}");
    assert_eq!(
        fed("check -", "").refused(),
        "stdin:1: the scenario is empty; `judgelab new` writes one to start from.\n"
    );
    let twice = fed("check - -", SCENARIO);
    assert_eq!(twice.err, "-: standard input can be read once; name it once.\n");
    fed("run - --quiet", SCENARIO).done();
    desk.types("run s.toml --quiet").done();
    assert_eq!(desk.bytes("out/stdin/report.json"), desk.bytes("out/s/report.json"));
}
