//! What a script may stop at: comparisons, scores, pass and fail.

use super::drawn;
use super::typed::{analyze, at, holds};

/// So many cases with this grade and this label.
fn passes(rows: &[(u32, &str, &str)]) -> String {
    let mut csv = "case,system,judge,grade,label\n".to_owned();
    let mut case = 0;
    for (times, grade, label) in rows {
        for _ in 0..*times {
            csv += &format!("{case},s,j,{grade},{label}\n");
            case += 1;
        }
    }
    csv
}

fn code(csv: &str, args: &[&str]) -> Option<i32> {
    analyze(csv, args).code
}

/// 100 labelled cases at random among 300: 45 of 50 and 30 of 50 right, so that 65 pass where 50 should; of the rest 130 pass.
#[test]
fn pass_and_fail() {
    let csv = passes(&[
        (45, "pass", "pass"),
        (5, "fail", "pass"),
        (20, "pass", "fail"),
        (30, "fail", "fail"),
        (130, "pass", ""),
        (70, "fail", ""),
    ]);
    let read = ["--gold", "label", "--labels", "random"];
    let stops = |what: &str| code(&csv, &[&read[..], &["--fail-on", what]].concat());
    assert_eq!(stops("agreement"), Some(0));
    assert_eq!(stops("leniency"), Some(1));
    assert_eq!(stops("rate"), Some(1));
    assert_eq!(stops("invalid,undecided"), Some(0));
    // One system: nothing to set it against.
    assert_eq!(stops("difference"), Some(0));
    assert_eq!(stops("difference,undecided"), Some(1));
    let said = analyze(&csv, &[&read[..], &["--fail-on", "leniency,rate"]].concat());
    assert!(
        said.err.contains("j: leniency is seen") && said.err.contains("j: rate is seen"),
        "{said:?}"
    );
    let json = analyze(&csv, &[&read[..], &["--json"]].concat()).json();
    // 20 and 5 of 25 that differ: the mid-p sign test of SciPy, 2 P[Bin(25, 1/2) <= 5] - P[5].
    holds(&json, "/judges/0/systems/0/leniency", &[("value", 0.15), ("p", 0.002_493_918)], 1e-8);
    // Nobody says how the labels were drawn, so nobody knows which correction holds.
    let unknown = ["--gold", "label", "--fail-on"];
    assert_eq!(code(&csv, &[&unknown[..], &["rate"]].concat()), Some(0));
    assert_eq!(code(&csv, &[&unknown[..], &["rate,undecided"]].concat()), Some(1));
}

/// A judge that the labels do not tell from a coin, and one without labels.
#[test]
fn agreement_with_labels_of_grades() {
    let coin = passes(&[
        (10, "pass", "pass"),
        (10, "fail", "pass"),
        (10, "pass", "fail"),
        (10, "fail", "fail"),
    ]);
    let said = analyze(&coin, &["--gold", "label", "--fail-on", "agreement"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("j: agreement is not told from chance."), "{said:?}");
    let bare = passes(&[(10, "pass", ""), (10, "fail", "")]);
    assert_eq!(code(&bare, &["--fail-on", "agreement,leniency"]), Some(0));
    let said = analyze(&bare, &["--fail-on", "agreement,undecided"]);
    assert_eq!((said.code, said.err.contains("j: agreement is undecided.")), (Some(1), true));
}

/// All grades and scores as the labels have them leave no error to tell, and no doubt; nor does one point more each time.
#[test]
fn without_variation_there_is_no_doubt() {
    let right = passes(&[(10, "pass", "pass"), (10, "fail", "fail")]);
    assert_eq!(code(&right, &["--gold", "label", "--fail-on", "agreement,undecided"]), Some(0));
    let scores = |more: u32| {
        let row = |k: u32| format!("{k},s,j,{},{}\n", 1 + k % 4 + more, 1 + k % 4);
        "case,system,judge,score,human\n".to_owned()
            + &(0..12).map(row).collect::<Vec<_>>().concat()
    };
    let stops = |more, what| code(&scores(more), &["--gold", "human", "--fail-on", what]);
    assert_eq!(stops(0, "agreement,undecided"), Some(0));
    assert_eq!(stops(0, "leniency,undecided"), Some(0));
    assert_eq!(stops(1, "leniency"), Some(1));
}

/// The scores of the questions: p of leniency .0053, of length beyond people's .0014, alpha's lower limit .457, p of the difference
/// of the systems .53.
#[test]
fn scores() {
    let csv = drawn::scores();
    let stops = |what: &str| code(&csv, &["--gold", "human", "--fail-on", what]);
    for (what, want) in
        [("leniency", 1), ("length", 1), ("agreement", 0), ("difference", 0), ("invalid", 0)]
    {
        assert_eq!(stops(what), Some(want), "{what}");
    }
    assert_eq!(
        code(&csv, &["--gold", "human", "--level", "0.999", "--fail-on", "leniency,length"]),
        Some(0)
    );
    // Without the people, length alone is no bias.
    let alone: String = csv
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{},{},{}\n", cells[0], cells[1], cells[2], cells[3], cells[5])
        })
        .collect();
    assert_eq!(code(&alone, &["--fail-on", "length"]), Some(0));
    assert_eq!(code(&alone, &["--fail-on", "length,undecided"]), Some(1));
}

/// What these files cannot answer is one sentence, and so is a name that there is not.
#[test]
fn what_cannot_be_asked_is_said() {
    let pairs = "pair,first,second,verdict\n1,a,b,first\n1,b,a,first\n";
    let graded = passes(&[(4, "pass", "pass"), (4, "fail", "fail")]);
    for (csv, what, said) in [
        (
            graded.as_str(),
            "position",
            "--fail-on position: these files hold grades of pass and fail",
        ),
        (&graded, "length", "--fail-on length: these files hold grades of pass and fail"),
        (&drawn::scores(), "rate", "--fail-on rate: these files hold scores"),
        (pairs, "leniency", "--fail-on leniency: these files hold comparisons"),
        (pairs, "undecided", "--fail-on undecided: name what is to be decided too"),
    ] {
        let told = analyze(csv, &["--fail-on", what]);
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{what}: {told:?}");
        assert!(told.err.starts_with(said), "{what}: {told:?}");
        assert_eq!(told.err.lines().count(), 1, "{told:?}");
    }
    let told = analyze(pairs, &["--fail-on", "verbosity"]);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
    assert!(told.err.contains("verbosity") && told.err.contains("position"), "{told:?}");
}

/// Without labels there is nothing to compare with.
#[test]
fn grades_say_why_they_have_no_number() {
    let json = analyze(&passes(&[(4, "pass", ""), (4, "fail", "")]), &["--json"]).json();
    let system = "/judges/0/systems/0";
    for key in ["agreement", "corrected", "leniency"] {
        let it = at(&json, &format!("{system}/{key}"));
        assert!(it["value"].is_null() && it["reason"].is_string(), "{key}: {it}");
    }
}
