//! Tests of reading: every mistake of a file, each at its line, and nothing that mending caused.

use indexmap::IndexMap;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wire {
    pub(crate) question: Option<String>,
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) replicates: u32,
    pub(crate) world: World,
    pub(crate) judges: IndexMap<String, Judge>,
    pub(crate) protocol: Option<Protocol>,
    #[serde(default)]
    pub(crate) published: Vec<Published>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum World {
    Sampled(Sampled),
    Table { file: String },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sampled {
    pub(crate) pairs: u32,
    pub(crate) better: Probability,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Judge {
    Pairwise(Pairwise),
    Pointwise { accuracy: Probability },
    Lexical {},
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pairwise {
    pub(crate) ability: f64,
    #[serde(default)]
    pub(crate) position: Option<LogOdds>,
    pub(crate) taste: Option<f64>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Protocol {
    orders: Orders,
    repeats: Option<u8>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Orders {
    Both,
    First,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    judge: String,
    value: f64,
    at: Option<Ends>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(try_from = "Vec<f64>")]
struct Ends(Vec<f64>);

impl TryFrom<Vec<f64>> for Ends {
    type Error = &'static str;

    fn try_from(ends: Vec<f64>) -> Result<Self, &'static str> {
        if ends.len() == 2 { Ok(Self(ends)) } else { Err("a range has two ends") }
    }
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(try_from = "f64")]
pub(crate) struct Probability(f64);

impl TryFrom<f64> for Probability {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let inside = (0.0..=1.0).contains(&value);
        inside.then_some(Self(value)).ok_or_else(|| {
            format!("a probability lies between 0 and 1, not {value}; give one such as 0.5")
        })
    }
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(try_from = "f64")]
pub(crate) struct LogOdds(pub(crate) f64);

impl TryFrom<f64> for LogOdds {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, &'static str> {
        value.is_finite().then_some(Self(value)).ok_or("log-odds are finite")
    }
}

pub(crate) const GOOD: &str = r#"# a comment
question = '''What is left?'''
seed = 7

[world.sampled]
pairs = 140
better = 0.75

[judges.primacy.pairwise]
ability = 2.5 # log-odds
position = 1

[judges."my judge"]
pointwise = { accuracy = 0.9 }

[protocol]
orders = "both"

[[published]]
judge = "primacy"
value = 0.5

[[published]]
judge = "my judge"
value = 1
"#;

fn read(text: &str) -> Result<Wire, Mistakes> {
    Document::parse(Some("s.toml"), text)?.studies()?[0].tree.read()
}

/// The mistakes of a text as `LINE VALUE: RULE; REMEDY`.
fn wrong(text: &str) -> Vec<String> {
    let told = |it: Mistake| format!("{} {}: {}; {}", it.line, it.value, it.rule, it.remedy);
    match read(text) {
        Ok(wire) => panic!("read {text:?} as {wire:?}"),
        Err(mistakes) => mistakes.into_iter().map(told).collect(),
    }
}

/// The mistakes of the good file with some of its text replaced.
fn spoilt(changes: &[(&str, &str)]) -> Vec<String> {
    let mut text = GOOD.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    wrong(&text)
}

use super::super::mistake::Mistake;

#[test]
fn a_good_file_is_read_with_integers_as_numbers_and_judges_in_file_order() {
    let wire = read(GOOD).unwrap();
    let Judge::Pairwise(primacy) = &wire.judges["primacy"] else { panic!("{wire:?}") };
    assert_eq!(primacy.position, Some(LogOdds(1.0)));
    assert_eq!(wire.judges.keys().collect::<Vec<_>>(), ["primacy", "my judge"]);
    assert_eq!(wire.published.len(), 2);
    let windows = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(read(&windows).unwrap(), wire);
}

#[test]
fn an_unknown_key_is_named_with_its_near_miss_and_its_value_is_read_as_meant() {
    let found = spoilt(&[("position = 1", "positon = 1")]);
    assert_eq!(
        found,
        ["11 positon: `judges.primacy.pairwise` has no key `positon`; did you mean \
                        `position` (known keys: ability, position, taste)?"]
    );
    // A required key that is misspelt is not missed as well, and its bad value is seen.
    let found = spoilt(&[("ability = 2.5", "abilty = 'x'")]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[1].starts_with("10 'x': a number is expected here, not text;"), "{found:#?}");
    let found = spoilt(&[("seed = 7", "seed = 7\nvery = 1")]);
    assert!(found[0].contains("did you mean `vary` (known keys: question, seed"), "{found:#?}");
    let found = spoilt(&[("ability = 2.5", "ability = 2.5\nzzzzzzzz = 1")]);
    assert!(found[0].ends_with("; remove it, or use one of ability, position, taste"));
    let found = spoilt(&[("accuracy = 0.9", "accuracy = 0.9, tries = 3, more = 1")]);
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn a_misspelt_kind_is_read_on_as_the_kind_that_was_meant() {
    let found = spoilt(&[("primacy.pairwise", "primacy.pairwize"), ("position = 1", "tast = 1")]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(
        found[0],
        "9 pairwize: `pairwize` is no choice for `judges.primacy`; did you mean \
                          `pairwise` (choices: pairwise, pointwise, lexical)?"
    );
    assert!(found[1].starts_with("11 tast: `judges.primacy.pairwise` has no key `tast`;"));
    let found = spoilt(&[("primacy.pairwise", "primacy.oracle")]);
    assert_eq!(
        found,
        ["9 oracle: `oracle` is no choice for `judges.primacy`; remove it, or use \
                        one of pairwise, pointwise, lexical"]
    );
    let found = spoilt(&[("\"both\"", "\"btoh\"")]);
    assert_eq!(
        found,
        ["17 \"btoh\": `btoh` is no choice for `protocol.orders`; did you mean \
                        `both` (choices: both, first)?"]
    );
}

#[test]
fn a_table_that_names_no_kind_or_several_is_told_which_there_are() {
    let kinds = "name one of pairwise, pointwise, lexical, as in";
    let found = spoilt(&[("pointwise = { accuracy = 0.9 }", "")]);
    let holder = "judges.\"my judge\"";
    let none = format!("`{holder}` does not say which kind it is; {kinds} [{holder}.pairwise]");
    assert_eq!(found, [format!("13 [{holder}]: {none}")]);
    // Keys without the kind between, several and one.
    let found = spoilt(&[("primacy.pairwise]", "primacy]"), ("accuracy = 0.9", "accuracy = 9")]);
    assert_eq!(found.len(), 2, "{found:#?}");
    let none = "`judges.primacy` does not say which kind it is";
    assert_eq!(found[0], format!("9 [judges.primacy]: {none}; {kinds} [judges.primacy.pairwise]"));
    let found = spoilt(&[("primacy.pairwise]", "primacy]"), ("position = 1", "")]);
    assert_eq!(found, [format!("9 [judges.primacy]: {none}; {kinds} [judges.primacy.pairwise]")]);
    let found = spoilt(&[("pointwise = ", "lexical = {}\npointwise = ")]);
    let several = format!("`{holder}` names several kinds; keep one of lexical, pointwise");
    assert_eq!(found, [format!("13 [{holder}]: {several}")]);
    let found = spoilt(&[("accuracy = 0.9 }", "accuracy = 9 }\nposition = 1")]);
    let beside = format!("`{holder}` holds `position` beside its kind `pointwise`");
    assert_eq!(found[0], format!("13 [{holder}]: {beside}; move it into [{holder}.pointwise]"));
    assert!(found[1].starts_with("14 9: a probability"), "{found:#?}");
    let found = spoilt(&[("pointwise = { accuracy = 0.9 }", "lexical = 3")]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let found = spoilt(&[("\"both\"", "3")]);
    assert_eq!(
        found,
        ["17 3: the name of a choice is expected here, not a whole number; use one of both, first"]
    );
    assert!(wrong("world = 'table'")[2].contains("1 'table': this choice takes keys of its own;"));
}

#[test]
fn values_that_do_not_fit_are_told_in_our_words() {
    let better = |value: &str| spoilt(&[("better = 0.75", &format!("better = {value}"))]);
    let limits = |shown: &str, value: &str| {
        [format!(
            "7 {shown}: a probability lies between 0 and 1, not {value}; give one such as 0.5"
        )]
    };
    assert_eq!(better("1.5"), limits("1.5", "1.5"));
    assert_eq!(better("-1"), limits("-1", "-1"));
    assert_eq!(better("nan"), limits("nan", "NaN"));
    let steep = "a number is expected here, not text; give a number without quotes";
    assert_eq!(better("\"steep\""), [format!("7 \"steep\": {steep}")]);
    let date = "a number is expected here, not a date or time; give a number without quotes";
    assert_eq!(better("2026-01-31"), [format!("7 2026-01-31: {date}")]);
    let large = "this number is too large; write a smaller one, or an exponent such as 1e30 if \
                 decimals are allowed";
    for huge in ["1000000000000000000000000000000", "1e400", &"9".repeat(45)] {
        assert_eq!(better(huge), [format!("7 {huge}: {large}")]);
    }
    assert!(read(&GOOD.replace("ability = 2.5", "ability = 1e30")).is_ok());
    let found = spoilt(&[("pairs = 140", "pairs = -3")]);
    assert_eq!(
        found,
        ["6 -3: a whole number is expected here, from 0 to 4294967295; give a value \
                        within the limits"]
    );
    let found = spoilt(&[("pairs = 140", "pairs = 1.0")]);
    assert_eq!(
        found,
        ["6 1.0: a whole number is expected here, not a number with a decimal \
                        point; write 1"]
    );
    let found = spoilt(&[("position = 1", "position = inf")]);
    assert_eq!(found, ["11 inf: log-odds are finite; correct this value"]);
    let found = spoilt(&[("value = 0.5", "value = 0.5\nat = 3")]);
    assert_eq!(
        found,
        ["22 3: a list is expected here, not a whole number; put it in brackets: [ ]"]
    );
}

#[test]
fn missing_keys_are_all_named_and_only_those() {
    let found = wrong("");
    assert_eq!(
        found,
        [
            "1 : a scenario needs the key `judges`; add `judges`",
            "1 : a scenario needs the key `seed`; add `seed`",
            "1 : a scenario needs the key `world`; add `world`",
        ]
    );
    let found = spoilt(&[("ability = 2.5 # log-odds\n", ""), ("pairs = 140\n", "")]);
    let needs = |line: u8, table: &str, key: &str| {
        format!("{line} [{table}]: `{table}` needs the key `{key}`; add `{key}`")
    };
    let expected =
        [needs(5, "world.sampled", "pairs"), needs(8, "judges.primacy.pairwise", "ability")];
    assert_eq!(found, expected);
    // The bad value is taken out; that its key is missing then is no news, but the other one is.
    let found = spoilt(&[("pairs = 140\n", ""), ("better = 0.75", "better = 2")]);
    assert_eq!(found.len(), 2, "{found:#?}");
    let found = spoilt(&[("judge = \"my judge\"\n", ""), ("judge = \"primacy\"\n", "")]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("19 [[published]]: `published` needs the key `judge`"));
    assert!(found[1].starts_with("22 [[published]]: `published` needs the key `judge`"));
}

#[test]
fn a_rule_about_a_whole_list_is_not_blamed_when_an_element_was_taken_out() {
    let found = spoilt(&[("value = 0.5", "value = 0.5\nat = [1, 'x']")]);
    assert_eq!(
        found,
        ["22 'x': a number is expected here, not text; give a number without quotes"]
    );
    let found = spoilt(&[("value = 0.5", "value = 0.5\nat = [1]")]);
    assert_eq!(found, ["22 [1]: a range has two ends; correct this value"]);
}

#[test]
fn mistakes_in_every_part_of_a_file_are_found_with_their_lines() {
    let found = spoilt(&[
        ("seed = 7", "seed = 'seven'"),
        ("better = 0.75", "better = 75"),
        ("position = 1", "positon = 'x'"),
        ("accuracy = 0.9", "accuracy = 9"),
        ("\"both\"", "3"),
        ("value = 1\n", "value = '1'\n"),
    ]);
    let lines: Vec<&str> = found.iter().map(|it| it.split_once(' ').unwrap().0).collect();
    assert_eq!(lines, ["3", "7", "11", "11", "14", "17", "25"], "{found:#?}");
}

#[test]
fn spans_lines_and_columns_hold_with_tabs_marks_and_long_values() {
    let text =
        "\u{feff}seed = 'ü'\t\nworld.sampled = {\tpairs = 1, better = 'é' }\r\njudges = {}\n";
    let mistakes = read(text).unwrap_err();
    let places: Vec<_> =
        mistakes.iter().map(|it| (it.line, it.column, &text[it.span.clone()])).collect();
    assert_eq!(places, [(1, 8, "'ü'"), (2, 39, "'é'")]);
    let long =
        format!("seed = \"{}\"\nworld.table.file = ''\njudges = {{}}", "ü".repeat(5_000_000));
    let mistakes = read(&long).unwrap_err();
    let only = mistakes.iter().next().unwrap();
    assert_eq!(only.value.chars().count(), 61);
    assert!(only.to_string().len() < 400, "{only}");
    assert_eq!(only.span, 7..10_000_009);
}

#[test]
fn syntax_mistakes_are_told_once_a_line_and_not_inside_what_is_never_closed() {
    let found = |text: &str| -> Vec<String> {
        let told = |it: &Mistake| format!("{}:{} {}: {}", it.line, it.column, it.value, it.rule);
        Document::parse(None, text).unwrap_err().iter().map(told).collect()
    };
    assert_eq!(found("a = 1\na = 2\n"), ["2:1 a: this key or table is given twice"]);
    assert_eq!(found("[a]\nb = 1\n[a]"), ["3:2 a: this key or table is given twice"]);
    assert_eq!(found("a = \nb = 1"), ["1:5 a =: nothing follows the equals sign"]);
    assert_eq!(
        found("x = 1\n[vary]\n\"a.b\" = [0, 1\n\n[next]\nb = 1\nc = 2\n"),
        ["3:9 [0, 1…: this list is not closed"]
    );
    assert_eq!(
        found("q = '''abc\n[next]\nb = 1\n"),
        ["1:5 '''abc…: this text is not closed, or holds a character that must be escaped"]
    );
    assert_eq!(found("a = steep\n\nb = 1 2\nc = 01\nd = \"x\n").len(), 4);
    let twice = found("a b = 1\nz = 3\nc d = 4\n");
    assert_eq!(twice.len(), 2, "{twice:#?}");
    assert!(twice[0].starts_with("1:3 a b = 1: a line sets `key = value`"), "{twice:#?}");
    assert!(found("[a\nb = 1\n")[0].starts_with("1:3 [a: this header is not closed"));
}

#[test]
fn deep_nesting_is_refused_before_it_is_built() {
    let keys = ["a"; 70].join(".");
    let braces = format!("{keys} = {{").repeat(75);
    let texts = [
        format!("[{keys}]\n{braces}a = 1{}", "}".repeat(75)),
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("[{}]", vec!["a"; 100_000].join(".")),
        format!("[{}]", vec!["\"a\""; 100_000].join(".")),
    ];
    for text in texts {
        let mistakes = Document::parse(None, &text).unwrap_err();
        assert!(mistakes.to_string().contains("nested too deeply"), "{mistakes}");
    }
    let dots = format!("a = [{}]\nb = \"{}\" # {}\n", "0.5, ".repeat(500), dots(500), dots(500));
    assert!(Document::parse(None, &dots).is_ok());
}

fn dots(number: usize) -> String {
    ".".repeat(number)
}

#[test]
fn a_study_replaces_shared_tables_as_a_whole_and_keeps_their_lines() {
    let text = "seed = 1\n[world.sampled]\npairs = 5\nbetter = 2\n[judges.a.lexical]\n\
                [studies.one]\nseed = 2\n[studies.two.world.sampled]\npairs = 6\n";
    let studies = Document::parse(None, text).unwrap().studies().unwrap();
    let names: Vec<_> = studies.iter().map(|it| it.name.as_deref()).collect();
    assert_eq!(names, [Some("one"), Some("two")]);
    assert_eq!(studies[0].tree.span("seed"), Some(86..87));
    let one = studies[0].tree.read::<Wire>().unwrap_err();
    assert!(one.to_string().starts_with("line 4: `2`: a probability lies"), "{one}");
    let two = studies[1].tree.read::<Wire>().unwrap_err();
    assert_eq!(
        two.to_string(),
        "line 8: `[studies.two.world.sampled]`: `world.sampled` needs the \
                                 key `better`; add `better`."
    );
    let told = |text: &str| Document::parse(None, text).unwrap().studies().unwrap_err().to_string();
    assert!(told("studies = 3").starts_with("line 1: `studies`: `studies` holds no study;"));
    assert!(told("[studies]").contains("holds no study"));
    assert!(told("[studies]\na = 3\nb = {}").starts_with("line 2: `3`: a study is a table;"));
    // A shared key that a study replaces is complained about where the study has it.
    let text = "sed = 1\n[studies.x]\nsed = 2\nworld.table.file = ''\njudges = {}";
    let twice = Document::parse(None, text).unwrap().studies().unwrap();
    let twice = twice[0].tree.read::<Wire>().unwrap_err();
    assert!(twice.to_string().starts_with("line 3: `sed`: a scenario has no key `sed`"), "{twice}");
    // What a study misses is missed at its own header.
    let lone = Document::parse(None, "seed = 1\n[studies.x]\nworld.table.file = ''").unwrap();
    let lone = lone.studies().unwrap()[0].tree.read::<Wire>().unwrap_err();
    assert!(lone.to_string().starts_with("line 2: `[studies.x]`: a scenario needs the key"));
}

#[test]
fn paths_may_be_quoted_and_fall_back_to_the_nearest_table() {
    let document = Document::parse(Some("s.toml"), GOOD).unwrap();
    let text = |path: &str| document.tree().span(path).map(|span| &GOOD[span]);
    assert_eq!(text("judges.primacy.pairwise.ability"), Some("2.5"));
    assert_eq!(text("judges.\"my judge\".pointwise.accuracy"), Some("0.9"));
    assert_eq!(text("judges . 'my judge' . pointwise . accuracy"), Some("0.9"));
    assert_eq!(text("published.1.value"), Some("1"));
    assert_eq!(text("judges.primacy.pairwise.taste"), None);
    let mistake = Mistake::at(document.tree(), "judges.primacy.pairwise.taste.x", "a", "b");
    assert_eq!(mistake.to_string(), "s.toml:9: `[judges.primacy.pairwise]`: a; b.");
    let mistake = Mistake::at(document.tree(), "nothing.here", "a", "b");
    assert_eq!((mistake.line, mistake.column, mistake.span), (1, 1, 0..0));
    for bad in ["", "a..b", ".a", "a.", "\"a", "'a'b", "\"\\q\""] {
        assert_eq!(parse_path(bad), None, "{bad}");
    }
    assert_eq!(parse_path(r#"a."b.c".'d"'"#).unwrap(), ["a", "b.c", "d\""]);
    assert_eq!(parse_path("\"\u{e9}\\\"\"").unwrap(), ["\u{e9}\""]);
}

/// Text of the good file, cut, repeated, and mixed with what syntax is made of.
fn texts() -> impl Strategy<Value = String> {
    let pieces: Vec<String> = GOOD.split_inclusive([' ', '\n', '.']).map(str::to_owned).collect();
    let signs =
        "[|]|{|}|[[|]]|\"|'|\"\"\"|'''|=|.|,|#|\n|\r\n|\\|\u{feff}|\t|vary|studies|é|1e9|nan";
    let signs: Vec<String> = signs.split('|').map(str::to_owned).collect();
    let one = prop_oneof![
        6 => prop::sample::select(pieces),
        3 => prop::sample::select(signs),
        1 => any::<String>(),
    ];
    prop::collection::vec(one, 0..60).prop_map(|parts| parts.concat())
}

/// Reads a text in every way there is, and looks at every place it names.
pub(crate) fn exercise(text: &str) {
    let check = |mistakes: &Mistakes| {
        assert!(!mistakes.is_empty());
        assert!(mistakes.len() <= 200);
        for it in mistakes {
            assert!(text.get(it.span.clone()).is_some(), "{it:?}");
            assert!((1..=text.split('\n').count()).contains(&it.line) && it.column > 0);
            assert!(!it.rule.is_empty() && !it.to_string().contains('\0'), "{it}");
        }
    };
    let studies = match Document::parse(Some("s.toml"), text).and_then(|it| it.studies()) {
        Ok(studies) => studies,
        Err(mistakes) => return check(&mistakes),
    };
    for study in studies {
        if let Err(mistakes) = study.tree.read::<Wire>() {
            check(&mistakes);
        }
        if let Err(mistakes) = super::super::grid::Grid::check::<Wire>(&study.tree) {
            check(&mistakes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in texts()) {
        exercise(&text);
    }

    #[test]
    fn no_change_of_one_place_panics(
        at in 0..GOOD.len(), length in 0..20_usize, new in "\\PC{0,3}"
    ) {
        let end = (at + length).min(GOOD.len());
        exercise(&format!("{}{new}{}", &GOOD[..at], &GOOD[end..]));
    }

    #[test]
    fn a_path_survives_being_shown(parts in prop::collection::vec("[\\x00-\\x7fé]{0,6}", 1..4)) {
        let shown = show_path(parts.iter().map(String::as_str));
        prop_assert_eq!(parse_path(&shown), Some(parts));
    }
}
