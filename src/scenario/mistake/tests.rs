//! Tests of places, sentences and near misses.

use super::*;

#[test]
fn a_near_miss_is_suggested_and_a_different_word_is_not() {
    let known = ["position", "length", "self", "ability"];
    assert_eq!(suggestion("positon", known), Some("position"));
    assert_eq!(suggestion("postiion", known), Some("position"));
    assert_eq!(suggestion("Self", known), Some("self"));
    assert_eq!(suggestion("lenght", known), Some("length"));
    assert_eq!(suggestion("taste", known), None);
    assert_eq!(suggestion("position", ["position"]), None);
    assert_eq!(suggestion("win_rate", ["flip-rate", "win-rate"]), Some("win-rate"));
    assert_eq!(suggestion("a", ["b"]), None);
    assert_eq!(suggestion("", ["b"]), None);
    assert_eq!(suggestion(&"x".repeat(1_000_000), known), None);
}

#[test]
fn edit_distance_counts_a_swap_of_neighbours_once() {
    let distance =
        |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
    assert_eq!(distance("kitten", "sitting"), 3);
    assert_eq!(distance("abcd", "acbd"), 1);
    assert_eq!(distance("ca", "abc"), 3);
    assert_eq!(distance("", "abc"), 3);
}

#[test]
fn positions_count_lines_and_characters_from_one() {
    let source = Source::new(None, "\u{feff}aé\r\n\tb\n");
    let places: Vec<_> = [0, 3, 4, 6, 8, 9, 11, 99].map(|at| source.position(at)).into();
    assert_eq!(places, [(1, 1), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (3, 1)]);
    assert_eq!(Source::new(None, "").position(0), (1, 1));
}

#[test]
fn a_sentence_holds_file_line_value_rule_and_remedy() {
    let source = Source::new(Some("s.toml"), "a = 1\nb = 2\n");
    let mistake = source.mistake(10..11, "b is odd", "write 3");
    assert_eq!(mistake.to_string(), "s.toml:2: `2`: b is odd; write 3.");
    let mistake = source.mistake(0..0, "something is missing", "did you mean it?");
    assert_eq!(mistake.to_string(), "s.toml:1: something is missing; did you mean it?");
    let mistake = Source::new(None, "a").mistake(0..1, "no", "");
    assert_eq!(mistake.to_string(), "line 1: `a`: no.");
}

#[test]
fn an_empty_place_quotes_its_line_or_the_nearest_header() {
    let source = Source::new(None, "[a]\nb = \n\n\n");
    let there = source.mistake(8..8, "r", "m");
    assert_eq!((there.value.as_str(), there.line, there.column), ("b =", 2, 5));
    let below = source.mistake(10..10, "r", "m");
    assert_eq!((below.value.as_str(), below.line, below.span), ("[a]", 1, 0..3));
    let bare = Source::new(None, "b = 1\n\n").mistake(7..7, "r", "m");
    assert_eq!((bare.value.as_str(), bare.line), ("b = 1", 1));
    let beyond = source.mistake(500..900, "r", "m");
    assert_eq!(beyond.value, "[a]");
}

#[test]
fn values_are_cut_to_one_line_on_whole_characters() {
    assert_eq!(shorten("ü\tx"), "ü x");
    assert_eq!(shorten("[1,\n2]"), "[1,…");
    assert_eq!(shorten(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    assert_eq!(shorten(&"é".repeat(60)), "é".repeat(60));
}

#[test]
fn a_sentence_is_one_line_whatever_it_quotes() {
    let source = Source::new(None, "a");
    let mistake = source.mistake(0..1, "there is no \"a\nb\"", "x".repeat(10_000));
    assert_eq!(mistake.to_string().lines().count(), 1);
    assert!(mistake.to_string().starts_with("line 1: `a`: there is no \"a b\"; xxx"));
    assert_eq!(mistake.remedy.chars().count(), LONGEST + 1);
}

#[test]
fn mistakes_without_a_span_are_sorted_by_line() {
    let at = |line: usize, rule: &str| Mistake {
        line,
        span: 0..0,
        ..Source::new(None, "").mistake(0..0, rule, "")
    };
    let all = Mistakes::gather([at(3, "a"), at(1, "z"), at(2, "m")]);
    assert_eq!(all.iter().map(|it| it.line).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn mistakes_are_sorted_by_place_and_kept_once() {
    let source = Source::new(None, "a\nb\nc");
    let on = |at: usize| source.mistake(at..at + 1, "r", "m");
    let all = Mistakes::gather([on(4), on(0), on(4), on(2)]);
    assert_eq!(all.iter().map(|it| it.line).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(all.to_string().lines().count(), 3);
    assert_eq!(Mistakes::default().or(5), Ok(5));
}

#[test]
fn messages_are_retold_from_the_error_alone() {
    let source = Source::new(None, "[a]\nx = 3\n");
    let told = |message: &str| Mistake::from_error(&source, message, Some(8..9)).to_string();
    assert_eq!(
        told("duplicate key"),
        "line 2: `3`: this key or table is given twice; keep one of \
                                       the two."
    );
    assert_eq!(
        told("invalid type: string \"a, expected b\", expected f64"),
        "line 2: `3`: a number is expected here, not text; give a number without quotes."
    );
    assert_eq!(told("a rate is small; halve it"), "line 2: `3`: a rate is small; halve it.");
    assert!(Mistake::from_error(&source, "x", None).value.is_empty());
    assert_eq!(
        wording::complaint("unknown field `a`, expected b`, expected `c` or `d`"),
        wording::Complaint::UnknownKey(vec!["c", "d"])
    );
    let none = wording::complaint("unknown field `a`, there are no fields");
    assert_eq!(none, wording::Complaint::UnknownKey(Vec::new()));
}
