use super::*;

const PASS: Outcome = Outcome::Verdict(Verdict::First);
const FAIL: Outcome = Outcome::Verdict(Verdict::Second);
const FIRST: Outcome = PASS;
const SECOND: Outcome = FAIL;
const TIE: Outcome = Outcome::Verdict(Verdict::Tie);
use Outcome::{Conflicting, Missing};

fn grades(mode: Mode) -> Parser {
    Parser { vocabulary: Vocabulary::grades(), mode }
}

fn pairs(mode: Mode) -> Parser {
    Parser { vocabulary: Vocabulary::pairs(), mode }
}

fn hold(parser: &Parser, table: &[(&str, Outcome)]) {
    let read = table.iter().map(|(reply, expected)| (reply, parser.read(reply), expected));
    let wrong: Vec<_> = read.filter(|(_, read, expected)| read != *expected).collect();
    assert!(wrong.is_empty(), "reply, read, expected: {wrong:#?}");
}

#[test]
fn the_published_replies_are_read_as_published() {
    hold(
        &grades(Mode::Permissive),
        &[
            ("CORRECT", PASS),
            ("WRONG.", FAIL),
            ("Incorrect", FAIL),
            ("The answer is correct because...", PASS),
            ("Sure! WRONG", FAIL),
        ],
    );
}

#[test]
fn a_grade_is_read_from_the_wordings_that_assert_it() {
    hold(
        &grades(Mode::Permissive),
        &[
            ("Yes.", PASS),
            ("no", FAIL),
            ("No, the year is missing.", FAIL),
            ("False", FAIL),
            ("Grade: PASS", PASS),
            ("Score: 1", Missing),
            ("Verdict: 1", PASS),
            ("{\"reason\": \"the name is not correct at all\", \"verdict\": \"WRONG\"}", FAIL),
            ("{\"is_correct\": false}", FAIL),
            ("{\"wrong\": false, \"note\": null}", PASS),
            ("Correct: yes", PASS),
            ("<verdict>wrong</verdict>", FAIL),
            ("Is the answer correct? No.", FAIL),
            ("It's correct.", PASS),
            ("CORRECT: it names the capital", PASS),
            ("\"The reply is wrong.\"", FAIL),
            ("The date is not only correct but also complete.", PASS),
            ("The final answer: \\boxed{correct}", PASS),
            ("<think>Wrong? It looks wrong.</think>\n\nCORRECT", PASS),
        ],
    );
}

#[test]
fn a_negation_turns_a_grade_or_leaves_none() {
    hold(
        &grades(Mode::Permissive),
        &[
            ("not correct", FAIL),
            ("The answer isn't correct.", FAIL),
            ("The answer isn’t entirely correct.", FAIL),
            ("It cannot be called correct.", FAIL),
            ("That is not wrong.", PASS),
            ("There is nothing wrong with it.", PASS),
            ("It is not entirely wrong.", Missing),
            ("I do not think that the answer is correct.", Missing),
            ("It is not, strictly speaking, correct.", FAIL),
            ("It is not, strictly speaking, wrong.", Missing),
            ("Not complete and correct.", FAIL),
            ("Partially correct.", Missing),
            ("It is anything but correct.", Missing),
            ("This is far from correct", Missing),
            ("By no means correct", Missing),
            ("It is too vague to be correct.", Missing),
            ("It fails to be correct.", Missing),
            ("Final verdict: not correct", FAIL),
            ("The claim does not give a source, but it is correct.", PASS),
        ],
    );
}

#[test]
fn what_only_speaks_of_a_verdict_is_none() {
    hold(
        &grades(Mode::Permissive),
        &[
            ("", Missing),
            ("I cannot judge this.", Missing),
            ("The correct answer is Paris.", Missing),
            ("Correct answer: yes", Missing),
            ("Student answer: no", Missing),
            ("He gives the wrong year.", Missing),
            ("I was asked to say \"CORRECT if the names agree\".", Missing),
            ("The task was \"say whether the answer is correct\".", Missing),
            ("The page has it: \"This is correct, as all agree.\"", Missing),
            ("> reply CORRECT\nI will not.", Missing),
            ("Should I say CORRECT or WRONG?", Missing),
            ("CORRECT or WRONG", Missing),
            ("CORRECT/WRONG", Missing),
            ("I reply CORRECT if it matches, WRONG otherwise.", Missing),
            ("It would be correct with another date.", Missing),
            ("Is it correct?", Missing),
            ("He says that it is correct.", Missing),
            ("Are there any errors? No.", Missing),
            ("To be correct it needs a date", Missing),
            ("Correctly spelled, and of some correctness", Missing),
            ("Grade: A+ work", Missing),
            ("There is no doubt about the yes votes.", Missing),
            ("INCORRECT. The correct answer is Paris.", FAIL),
            ("WRONG\nCorrect answer: Paris", FAIL),
            ("Task: \"say whether it is correct or wrong\". It is wrong.", FAIL),
        ],
    );
}

#[test]
fn conflicting_verdicts_are_settled_by_a_last_explicit_one_only() {
    hold(
        &grades(Mode::Permissive),
        &[
            ("The name is correct. The year is wrong.", Conflicting),
            ("The name is correct. The year is wrong.\nVerdict: WRONG", FAIL),
            ("The name is correct. The year is wrong. WRONG", FAIL),
            ("CORRECT\nWRONG", FAIL),
            ("WRONG. CORRECT.", Conflicting),
            ("CORRECT\nOn reflection the year is wrong", Conflicting),
            ("Yes, it is wrong.", Conflicting),
        ],
    );
    hold(
        &pairs(Mode::Permissive),
        &[
            ("[[C]] at first.\nOn balance [[B]].", SECOND),
            ("[[B]],[[A]],[[A]],[[B]]", Conflicting),
            ("I see [[A]] and later [[B]]", Conflicting),
            ("[[A]]\nIn short, B is better.", Conflicting),
            ("A is better in style.\nB is better in substance.\n[[B]]", SECOND),
        ],
    );
}

#[test]
fn a_choice_is_read_from_the_wordings_that_assert_it() {
    hold(
        &pairs(Mode::Permissive),
        &[
            ("[[A]]", FIRST),
            ("So [[b]] is better.", SECOND),
            ("I weighed both. [[C]]", TIE),
            ("For these reasons, [[A]] Assistant A is better.", FIRST),
            ("Both are fine.\n\nOverall, Assistant B is better.", SECOND),
            ("A>B", FIRST),
            ("[[A>>B]]", FIRST),
            ("My final verdict is: B > A", SECOND),
            ("[[A=B]]", TIE),
            ("1 < 2", SECOND),
            ("Weighing it all, A>>B.", FIRST),
            ("1", FIRST),
            ("(2)", SECOND),
            ("**Response 2**", SECOND),
            ("Output (a)", FIRST),
            ("The winner is the second answer.", SECOND),
            ("The winner is second answer", SECOND),
            ("First", FIRST),
            ("The second answer is better.", SECOND),
            ("Winner: Assistant A", FIRST),
            ("A\n\nIt has the source.", FIRST),
            ("Assistant A\nis long\nAssistant B\nis short\nVerdict: A", FIRST),
            ("The better response is B.", SECOND),
            ("I prefer A because it is short.", FIRST),
            ("It's a tie.", TIE),
            ("Tie", TIE),
            ("verdict = B", SECOND),
            ("{\"winner\": \"A\"}", FIRST),
            ("A's reply is worse than B's.", SECOND),
            ("Answer: B", SECOND),
            ("Hence \\boxed{B}", SECOND),
        ],
    );
}

#[test]
fn what_only_speaks_of_the_answers_is_no_choice() {
    hold(
        &pairs(Mode::Permissive),
        &[
            ("First, a look at the two answers", Missing),
            ("1. Assistant A is thorough\n2. Assistant B is short", Missing),
            ("A response that is better needs a source.", Missing),
            ("Assistant A is better at spelling.\nNow the facts", Missing),
            ("Assistant A: 8\nAssistant B: 7", Missing),
            ("A:", Missing),
            ("Rating: [[1]]", Missing),
            ("Verdict: 1/10", Missing),
            ("Verdict: 1.5", Missing),
            ("Verdict: -1", Missing),
            ("Answer: 2 apples", Missing),
            ("Correct answer: B", Missing),
            ("A > B > C", Missing),
            ("[[A > B > C]]", Missing),
            ("Verdict: A > B > A", Missing),
            ("A -> B", Missing),
            ("If A is better I say so.", Missing),
            ("Assistant A is not better.", Missing),
            ("A is no better than B.", Missing),
            ("Neither A nor B is better", Missing),
            ("Which is better, A or B?", Missing),
            ("It is not a tie.", Missing),
            ("This breaks the tie.", Missing),
            ("In case of a tie, look again.", Missing),
            ("[[A]], [[B]] or [[C]]", Missing),
            (
                "Say [[A]] if Assistant A is better, [[B]] if Assistant B is better, and [[C]] for a tie.",
                Missing,
            ),
            ("My verdict is not A", Missing),
            ("I do not pick [[A]].", Missing),
            ("[[A]] is not better.", Missing),
            ("Should it be [[B]]?", Missing),
            ("**Assistant A**\n- long\n**Assistant B**\n- short", Conflicting),
            ("A short note on how I see it", Missing),
            ("Between A and B, B is better.", SECOND),
        ],
    );
}

#[test]
fn marked_reads_the_last_mark_and_nothing_else() {
    hold(
        &pairs(Mode::Marked),
        &[
            ("[[C]] or rather [[B]], which is better", SECOND),
            ("[[B]],[[A]],[[A]],[[B]]", SECOND),
            ("[[A>>B]]", FIRST),
            ("[[[A]]]", FIRST),
            ("[[ [[A]] ]]", FIRST),
            ("[A]", Missing),
            ("Assistant A is better.", Missing),
            ("[[a]] [[D]] [[A", Missing),
        ],
    );
}

#[test]
fn strict_reads_exactly_one_verdict_in_the_agreed_form_at_the_end() {
    hold(
        &pairs(Mode::Strict),
        &[
            ("[[A]]", FIRST),
            ("Long thoughts.\nFinal verdict: **[[C]]**.\n", TIE),
            ("[[A]] so I repeat [[A]]", FIRST),
            ("[[A]] or [[B]]", Conflicting),
            ("[[A]] is better", Missing),
            ("[[a]]", Missing),
            ("A", Missing),
        ],
    );
    hold(
        &grades(Mode::Strict),
        &[
            ("CORRECT", PASS),
            ("The year differs.\n\"WRONG.\"\n", FAIL),
            ("Because of the year.\nFinal verdict: INCORRECT", FAIL),
            ("CORRECT\nWRONG", Conflicting),
            ("CORRECT\nsince the year agrees", Missing),
            ("correct", Missing),
            ("This is NOT CORRECT", Missing),
            ("The correct answer: WRONG", Missing),
            ("yes", Missing),
        ],
    );
}

#[test]
fn names_of_the_users_own_are_read_where_they_stand_alone() {
    let vocabulary = Vocabulary::named(&["C", "Great"], &["P"], &["I", "not good"]).unwrap();
    let parser = Parser { vocabulary: vocabulary.clone(), mode: Mode::Permissive };
    hold(
        &parser,
        &[
            ("GRADE: C", PASS),
            ("I think that this is great.\nGrade: i", FAIL),
            ("grade: P.", TIE),
            ("Not  good!", FAIL),
            ("I would say great", Missing),
        ],
    );
    let strict = Parser { vocabulary: vocabulary.clone(), mode: Mode::Strict };
    hold(&strict, &[("Thoughts.\nGRADE: C", PASS), ("GRADE: c", Missing), ("not good", FAIL)]);
    let marked = Parser { vocabulary: vocabulary.in_brackets(), mode: Mode::Strict };
    hold(&marked, &[("So it is [[Great]]", PASS), ("GRADE: C", Missing)]);

    let error = |first: &[&str], tie: &[&str], second: &[&str]| {
        Vocabulary::named(first, tie, second).unwrap_err()
    };
    assert_eq!(error(&["yes"], &["?!"], &["no"]), VocabularyError::Empty("?!".to_owned()));
    assert_eq!(error(&["Same"], &[], &["no", "same."]), VocabularyError::Twice("same.".to_owned()));
    assert_eq!(error(&["yes"], &["maybe"], &[]), VocabularyError::Nameless);
}

#[test]
fn a_reply_of_one_name_is_read_the_same_in_any_case_and_punctuation() {
    let around = [
        "{}",
        "{}.",
        "{}!",
        "{}...",
        " {} ",
        "\n{}\n\n",
        "**{}**",
        "__{}__",
        "`{}`",
        "\"{}\"",
        "“{}”.",
        "'{}'",
        "«{}»",
        "({})",
        "[{}]",
        "# {}",
        "- {}",
        "* {}",
        "✅ {}",
        "{}\r\n",
        "\"{}.\"",
        "Verdict: {}",
        "**Final verdict:** {}.",
        "My verdict is {}",
        "verdict = \"{}\"",
        "The final verdict is: **{}**",
        "Reasons.\n\n{}",
        "</think>{}",
    ];
    let names = [
        (
            grades(Mode::Permissive),
            [("correct", PASS), ("incorrect", FAIL), ("wrong", FAIL), ("yes", PASS), ("no", FAIL)],
        ),
        (
            pairs(Mode::Permissive),
            [("a", FIRST), ("b", SECOND), ("tie", TIE), ("1", FIRST), ("response 2", SECOND)],
        ),
    ];
    for (parser, names) in names {
        for ((name, expected), around) in
            names.iter().flat_map(|it| around.map(|around| (it, around)))
        {
            let title = name[..1].to_uppercase() + &name[1..];
            for cased in [name.to_string(), title, name.to_uppercase()] {
                let reply = around.replace("{}", &cased);
                assert_eq!(parser.read(&reply), *expected, "{reply:?}");
            }
        }
    }
}

#[test]
fn no_text_panics_and_any_outcome_is_a_verdict_or_counted_as_none() {
    let pieces = [
        "correct",
        "WRONG",
        "[[A]]",
        "[[",
        "]]",
        "b",
        "1",
        "2",
        ">",
        "=",
        "<",
        "/",
        ":",
        ".",
        "?",
        "\"",
        "'",
        "’s",
        "\n",
        " ",
        "not",
        "or",
        "is better",
        "verdict",
        "-",
        "“",
        "é",
        "e\u{301}",
        "İ",
        "ß",
        "𝔄",
        "\u{0}",
        "\u{202e}",
        "</think>",
        "tie",
        "no",
        ",",
        "+",
    ];
    let mut state = 7_u64;
    let mut below = |n: usize| {
        // Knuth's MMIX constants: enough to mix pieces, and the same on every run.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let parsers = [Mode::Strict, Mode::Marked, Mode::Permissive]
        .map(|mode| [grades(mode), pairs(mode)])
        .concat();
    for _ in 0..4000 {
        let reply: String = (0..below(12))
            .map(|_| pieces[below(pieces.len())])
            .collect::<Vec<_>>()
            .join([" ", ""][below(2)]);
        for parser in &parsers {
            let outcome = parser.read(&reply);
            assert_ne!(outcome, Outcome::Verdict(Verdict::Invalid), "{reply:?}");
            assert_eq!(parser.read(&reply), outcome);
        }
    }
}

#[test]
fn long_replies_are_read_to_their_end() {
    for piece in [
        "correct ",
        "[[",
        "1 ",
        "\" x ",
        "not ",
        "A > ",
        "A < ",
        "(",
        "is better ",
        "verdict: ",
        "no, ",
        "? no. ",
        "A or ",
    ] {
        for parser in [
            grades(Mode::Permissive),
            pairs(Mode::Permissive),
            pairs(Mode::Marked),
            grades(Mode::Strict),
        ] {
            let outcome = parser.read(&piece.repeat(10_000));
            assert_ne!(outcome, Outcome::Verdict(Verdict::Invalid));
        }
    }
}

#[test]
fn a_tally_counts_every_reply_once() {
    let replies = ["[[A]]", "[[B]]", "[[B]] indeed", "[[C]]", "[[A]] [[B]]", "no idea", ""];
    let tally = pairs(Mode::Permissive).tally(replies);
    assert_eq!(tally, Tally { first: 1, tie: 1, second: 2, conflicting: 1, missing: 2 });
    assert_eq!((tally.replies(), tally.out_of_format()), (7, 3));
    assert_eq!(
        [Conflicting, Missing, TIE].map(Outcome::verdict),
        [Verdict::Invalid, Verdict::Invalid, Verdict::Tie]
    );
}
