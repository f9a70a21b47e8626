//! The analysis of real files, against values that were recomputed independently; and small files of our own.
//!
//! The real files are read from the folder named by `JUDGELAB_DATA`; without it their tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

#[path = "analyze/drawn.rs"]
mod drawn;
#[path = "analyze/gates.rs"]
mod gates;
#[path = "analyze/panels.rs"]
mod panels;
#[path = "analyze/questions.rs"]
mod questions;
#[path = "analyze/record.rs"]
mod record;
#[path = "analyze/right.rs"]
mod right;
#[path = "analyze/csv.rs"]
mod table;
#[path = "analyze/typed.rs"]
mod typed;

use std::fs;
use std::path::Path;

use judgelab::analysis::{
    Analysis, Between, Number, Options, Part, Raters, analyze, analyze_grades,
};
use judgelab::evidence::Verdict;
use judgelab::verdicts::{self, Ballot, Grade, Grades, NO_LENGTH, Read, Verdicts};
use right::Row;
use table::Columns;

/// A file of the folder; none, and a word of it, where the folder is not named.
fn data(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("JUDGELAB_DATA") else {
        eprintln!("JUDGELAB_DATA is not set: {name} is not read, and nothing is tested");
        return None;
    };
    Some(fs::read_to_string(Path::new(&folder).join(name)).unwrap())
}

/// To four decimals, or to four significant digits where it is small.
fn close(what: &str, got: f64, want: f64) {
    let by = if want.abs() < 0.001 { want.abs() * 1e-4 } else { 5.01e-5 };
    assert!((got - want).abs() <= by, "{what}: {got} is not {want}");
}

fn check(it: &Part, want: &Row) {
    let what = format!("{}/{}", want.part, want.judge);
    let position = it.position.given().unwrap();
    let counts =
        [it.pairs, it.invalid, position.consistent, position.first_first, position.second_second];
    assert_eq!(counts, want.counts, "{what}");
    assert_eq!(position.valid_pairs, it.pairs - it.invalid, "{what}");
    close(&what, position.exact_p, want.exact_p);
    close(&what, position.mid_p, want.mid_p);
    let beta = if want.haldane { &position.beta_haldane } else { &position.beta };
    assert_eq!(beta.value.is_some(), want.beta.is_some(), "{what}");
    if want.haldane {
        assert!(position.beta.value.is_none() && position.beta.reason.is_some(), "{what}");
    }
    if let Some((value, error)) = want.beta {
        close(&what, beta.value.unwrap(), value);
        close(&what, beta.se.unwrap(), error);
    }
    let first = &position.first_of_decisive;
    assert_eq!([first.count, first.of], want.first, "{what}");
    let wins = it.win_rate.given().unwrap();
    let record = |it: &judgelab::analysis::Record| [it.wins, it.losses, it.ties];
    assert_eq!(record(&wins.conservative_record), want.conservative, "{what}");
    assert_eq!(record(&wins.majority_record), want.majority, "{what}");
    for (name, value) in [
        ("conservative", want.conservative_rate),
        ("averaged", want.averaged),
        ("agreed", want.agreed),
    ] {
        close(&format!("{what} {name}"), wins.rates[name].value.unwrap(), value);
    }
    close(&what, position.between_orders.kappa.value.unwrap(), want.kappa);
    close(&what, position.between_orders.ac1.value.unwrap(), want.ac1);
    close(
        &what,
        position.position_consistency.value.unwrap(),
        want.counts[2] as f64 / position.valid_pairs as f64,
    );
}

fn llmbar() -> Option<Analysis> {
    let text = data("llmbar_verdicts.csv")?;
    let columns = Columns {
        item: "pair_id",
        judge: "judge",
        first: "first",
        winner: "winner",
        gold: "gold",
        stratum: "set",
        lengths: ["len_1", "len_2"],
        ..Columns::default()
    };
    Some(analyze(&table::verdicts(&text, columns), &Options::default()))
}

fn mtbench() -> Option<Analysis> {
    let text = data("mtbench_repetition_verdicts.csv")?;
    let columns = Columns {
        item: "question",
        judge: "judge",
        first: "first",
        second: "second",
        winner: "winner",
        repeat: "rep",
        lengths: ["len_first", "len_second"],
        by_slot: true,
        ..Columns::default()
    };
    Some(analyze(&table::verdicts(&text, columns), &Options::default()))
}

fn judge<'a>(all: &'a Analysis, name: &str) -> &'a judgelab::analysis::Judge {
    all.judges.iter().find(|it| it.judge == name).unwrap()
}

#[test]
fn every_row_of_llmbar() {
    let Some(all) = llmbar() else { return };
    for want in &right::LLMBAR {
        let part = judge(&all, want.judge).strata.iter().find(|it| it.name == want.part).unwrap();
        check(&part.part, want);
    }
}

#[test]
fn every_row_of_mtbench() {
    let Some(all) = mtbench() else { return };
    for want in &right::MTBENCH {
        let of = &judge(&all, want.judge).by_repeat;
        check(&of.iter().find(|it| it.name == want.part).unwrap().part, want);
    }
}

fn value(it: &Number) -> f64 {
    it.value.unwrap()
}

fn six(what: &str, got: f64, want: f64) {
    assert!((got - want).abs() < 1e-6, "{what}: {got} is not {want}");
}

#[test]
fn every_row_of_llmbar_against_gold() {
    let Some(all) = llmbar() else { return };
    for (part, name, [o0, o1, mean, both, kappa0, kappa1]) in right::GOLD {
        let part = judge(&all, name).strata.iter().find(|it| it.name == part).unwrap();
        let it = part.part.agreement.given().unwrap();
        let [first, second] = it.by_order.as_slice() else { panic!("two orders") };
        for (got, want) in [
            (&first.accuracy.share, o0),
            (&second.accuracy.share, o1),
            (&it.accuracy, mean),
            (&it.both_right.share, both),
            (&first.raters.kappa, kappa0),
            (&second.raters.kappa, kappa1),
        ] {
            six(name, value(got), want);
        }
    }
}

#[test]
fn repetitions_of_mtbench() {
    let Some(all) = mtbench() else { return };
    for (name, consistency, alpha, unanimous) in right::REPEATS {
        let it = judge(&all, name).repetition.as_ref().unwrap();
        six(name, value(&it.consistency), consistency);
        six(name, value(&it.krippendorff_alpha), alpha);
        assert_eq!(it.unanimous, unanimous, "{name}");
    }
}

/// `PandaLM`: one order a pair, three people and two judges.
fn pandalm() -> Option<Verdicts> {
    let text = data("pandalm_labels.csv")?;
    let mut out = Verdicts::default();
    out.strata.place("");
    out.repeats.place("");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (line, record) in (2..).zip(reader.records()) {
        let record = record.unwrap();
        let (first, second) = record[1].split_once('_').unwrap();
        let names = ["annotator1", "annotator2", "annotator3", "gpt35", "pandalm"];
        for (place, name) in names.iter().enumerate() {
            out.ballots.push(Ballot {
                line,
                item: out.items.place(&record[0]),
                first: out.systems.place(first),
                second: out.systems.place(second),
                judge: out.judges.place(name),
                stratum: 0,
                repeat: 0,
                length_first: record[7].parse().unwrap_or(NO_LENGTH),
                length_second: record[8].parse().unwrap_or(NO_LENGTH),
                verdict: match &record[2 + place] {
                    "1" => Verdict::First,
                    "2" => Verdict::Second,
                    "0" | "Tie" => Verdict::Tie,
                    _ => Verdict::Invalid,
                },
                gold: Verdict::Invalid,
            });
        }
    }
    Some(out)
}

#[test]
fn people_and_judges_of_pandalm() {
    let Some(file) = pandalm() else { return };
    let gold = ["annotator1", "annotator2", "annotator3"].map(str::to_owned).to_vec();
    let all = analyze(&file, &Options { gold, ..Options::default() });
    let people = all.people.as_ref().unwrap();
    let in_slots = |it: &Between| -> Raters { it.in_slots.given().unwrap().clone() };
    let kappas = [(0.852_023, 0.876_614), (0.878_944, 0.899_407), (0.861_661, 0.883_298)];
    for (between, (kappa, ac1)) in people.between.iter().zip(kappas) {
        six("kappa of two people", value(&in_slots(between).kappa), kappa);
        six("AC1 of two people", value(&in_slots(between).ac1), ac1);
    }
    let panel = people.panel.as_ref().unwrap();
    six("Fleiss", value(&panel.fleiss_kappa), 0.864_175);
    six("Krippendorff", value(&panel.krippendorff_alpha), 0.864_221);
    assert_eq!(people.labels[1], 105);
    for (name, accuracy, kappa, valid, replies) in [
        ("gpt35", 0.697_698, 0.492_865, 974, [460, 38, 476]),
        ("pandalm", 0.667_668, 0.435_355, 999, [433, 107, 459]),
    ] {
        let it = judge(&all, name);
        let agreement = it.all.agreement.given().unwrap();
        six(name, value(&agreement.accuracy), accuracy);
        six(name, value(&agreement.in_slots.kappa), kappa);
        assert_eq!(agreement.in_slots.verdicts, valid);
        let table = agreement.in_slots.table;
        let labels = [0, 1, 2].map(|k: usize| table.iter().map(|row| row[k]).sum::<u64>());
        if valid == 999 {
            assert_eq!(labels, [422, 105, 472]);
        } else {
            six(name, value(&agreement.in_slots.raw), 0.715_606);
        }
        let said = it.all.replies;
        assert_eq!([said.first, said.tie, said.second], replies);
    }
}

/// The slopes and their errors as if every verdict were independent, which is how they were computed.
#[test]
fn length_slopes_of_pandalm() {
    let Some(file) = pandalm() else { return };
    let gold = ["annotator1", "annotator2", "annotator3"].map(str::to_owned).to_vec();
    let all = analyze(&file, &Options { gold, ..Options::default() });
    for (name, slope, error, n) in
        [("gpt35", 0.311_426, 0.047_872, 882), ("pandalm", 0.357_627, 0.048_415, 838)]
    {
        let it = judge(&all, name).all.length.given().unwrap();
        assert_eq!(it.verdicts, n);
        six(name, value(&it.slope.number), slope);
        six(name, it.slope.model_se.unwrap(), error);
        six("people", value(&it.gold.number), 0.481_559);
        six("people", it.gold.model_se.unwrap(), 0.055_462);
        // Judges are less sensitive to length than people here.
        assert!(value(&it.beyond_gold) < 0.0);
        six(name, value(&it.beyond_gold), slope - value(&it.gold.number));
    }
}

#[test]
fn two_systems_of_gpqa() {
    let Some(text) = data("raw/gpqa_diamond_scores.csv") else { return };
    let mut file = Grades { binary: true, ..Grades::default() };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (line, record) in (2..).zip(reader.records()) {
        let record = record.unwrap();
        let grade = Grade {
            line,
            item: file.items.place(&record[0]),
            system: file.systems.place(&record[1]),
            judge: file.judges.place("key"),
            stratum: file.strata.place(""),
            repeat: file.repeats.place(&record[3]),
            length: NO_LENGTH,
            score: record[2].parse().unwrap_or(f64::NAN),
            label: f64::NAN,
        };
        file.grades.push(grade);
    }
    let all = analyze_grades(&file, &Options::default());
    let judge = &all.judges[0];
    let [it] = judge.comparisons.as_slice() else { panic!("one comparison") };
    assert_eq!((it.cases, it.systems[0].contains("nano")), (198, true));
    let difference = &it.difference.number;
    // First minus second here is nano minus mini.
    six("difference", -value(difference), -0.058_586);
    six("low", -difference.high.unwrap(), -0.113_387);
    six("high", -difference.low.unwrap(), -0.003_785);
    six("paired p", difference.p.unwrap(), 0.036_271);
    six("unpaired p", it.unpaired.p.unwrap(), 0.148_646);
    for (system, naive, clustered) in [(0, 0.014_884, 0.027_596), (1, 0.015_456, 0.029_620)] {
        six("clustered error", judge.systems[system].mean.se.unwrap(), clustered);
        six("naive error", judge.systems[system].naive_se.unwrap(), naive);
    }
}

/// A file as the readers read it, and its analysis.
fn read(name: &str, options: &Options) -> Option<Analysis> {
    let folder = std::env::var_os("JUDGELAB_DATA")?;
    let file = fs::File::open(Path::new(&folder).join(name)).unwrap();
    let contents = verdicts::read(name, file, &verdicts::Options::default()).unwrap();
    match &contents.read {
        Read::Pairs(it) => Some(analyze(it, options)),
        Read::Grades(_) => panic!("{name} holds pairs"),
    }
}

/// The same figures through the readers, from the tables and from the raw formats.
#[test]
fn the_readers_lead_to_the_same_figures() {
    let options = Options::default();
    let Some(all) = read("llmbar_verdicts.csv", &options) else { return };
    for want in &right::LLMBAR {
        let part = judge(&all, want.judge).strata.iter().find(|it| it.name == want.part).unwrap();
        check(&part.part, want);
    }
    let all = read("mtbench_repetition_verdicts.csv", &options).unwrap();
    for want in &right::MTBENCH {
        let of = &judge(&all, want.judge).by_repeat;
        check(&of.iter().find(|it| it.name == want.part).unwrap().part, want);
    }
    for (file, part, of) in [
        ("raw/llmbar_natural_gpt4.result.json", "natural", "GPT-4/Vanilla_NoRules"),
        ("raw/llmbar_natural_chatgpt.result.json", "natural", "ChatGPT/Vanilla_NoRules"),
        ("raw/mtbench_rep1_gpt-3.5-turbo-0125.tsv", "1", "gpt-3.5-turbo-0125"),
    ] {
        let all = read(file, &options).unwrap();
        let mut rows = right::LLMBAR.iter().chain(&right::MTBENCH);
        let want = rows.find(|it| (it.part, it.judge) == (part, of)).unwrap();
        check(&all.judges[0].all, want);
    }
}

const SWAPPED: &str = "pair,judge,first,second,winner,gold,len_a,len_b\n";

/// Our own small files: columns pair, judge, first, second, winner.
fn small(rows: &str) -> Verdicts {
    let columns = Columns {
        item: "pair",
        judge: "judge",
        first: "first",
        second: "second",
        winner: "winner",
        gold: "gold",
        lengths: ["len_a", "len_b"],
        by_slot: true,
        ..Columns::default()
    };
    table::verdicts(&format!("{SWAPPED}{rows}"), columns)
}

/// Three pairs: A twice, first slot twice, one order without a verdict.
#[test]
fn a_file_by_hand() {
    let file = small(
        "1,j,a,b,a,a,20,10\n1,j,b,a,a,a,10,20\n2,j,a,b,a,b,5,10\n2,j,b,a,b,b,10,5\n3,j,a,b,,a,8,8\n3,j,b,a,b,a,8,8\n",
    );
    let all = analyze(&file, &Options { margin: Some(0.1), ..Options::default() });
    let it = &all.judges[0];
    assert_eq!((it.all.pairs, it.all.invalid, it.all.one_sided), (3, 1, 0));
    let position = it.all.position.given().unwrap();
    assert_eq!((position.first_first, position.second_second, position.consistent), (1, 0, 1));
    // One flip of two pairs: beta is bounded on one side only, and nothing could have been seen.
    assert!(position.beta.value.is_none() && position.beta.high == Some(f64::INFINITY));
    assert!(!position.seen && position.smallest_detectable.value.is_none());
    assert!(position.smallest_one_way.value.is_none());
    // First slot: pair 1 once, pair 2 twice, pair 3 once.
    assert_eq!([position.first_of_decisive.count, position.first_of_decisive.of], [4, 5]);
    let agreement = it.all.agreement.given().unwrap();
    assert_eq!(agreement.labels, [2, 0, 1]);
    // Right: pair 1 twice, pair 2 in order BA alone, pair 3 never (no verdict, and b).
    assert!((value(&agreement.accuracy) - 0.5).abs() < 1e-12);
    assert_eq!((agreement.both_right.count, agreement.both_right.of), (1, 3));
}

/// One order a pair, A first in three quarters of the pairs: the share of the first slot holds the systems' difference too. By
/// hand, from two cells: position + strength = logit 60/75 where A is first, position - strength = logit 10/25 where B is.
#[test]
fn one_order_a_pair() {
    let mut rows = String::new();
    for k in 0..100 {
        let first = k < 75;
        // The answer shown first wins 60 of 75 where it is A, 10 of 25 where it is B.
        let wins = if first { k < 60 } else { k < 85 };
        let (one, other) = if first { ("a", "b") } else { ("b", "a") };
        rows += &format!("{k},j,{one},{other},{},,,\n", if wins { one } else { other });
    }
    let all = analyze(&small(&rows), &Options::default());
    let part = &all.judges[0].all;
    assert!(part.position.given().is_none());
    let it = part.single_order.as_ref().unwrap();
    assert_eq!((it.valid_pairs, it.a_first), (100, 75));
    let logit = |p: f64| libm::log(p / (1.0 - p));
    let want = f64::midpoint(logit(0.8), logit(0.4));
    assert!((value(&it.with_systems) - want).abs() < 1e-9, "{:?}", it.with_systems);
    assert!((value(&it.first_share) - 0.7).abs() < 1e-12);
    // A fixed order cannot tell the slot from the system.
    let fixed: String =
        (0..20).map(|k| format!("{k},j,a,b,{},,,\n", if k < 9 { "a" } else { "b" })).collect();
    let all = analyze(&small(&fixed), &Options::default());
    let it = all.judges[0].all.single_order.as_ref().unwrap();
    assert!(it.with_systems.reason.as_ref().unwrap().contains("order goes with the systems"));
}

/// The longer answer always wins: no slope, but a bound.
#[test]
fn separated_lengths_are_bounded() {
    let mut rows = String::new();
    for k in 0..12 {
        let (a, b) = if k % 2 == 0 { (40, 10) } else { (10, 30) };
        let longer = if b < a { "a" } else { "b" };
        rows += &format!("{k},j,a,b,{longer},,{a},{b}\n{k},j,b,a,{longer},,{b},{a}\n");
    }
    let all = analyze(&small(&rows), &Options::default());
    let length = all.judges[0].all.length.given().unwrap();
    let slope = &length.slope.number;
    assert!(slope.value.is_none() && slope.reason.is_some(), "{slope:?}");
    assert!(0.0 < slope.low.unwrap() && slope.high == Some(f64::INFINITY), "{slope:?}");
}

/// The judge gives its own system 15 of 20 pairs, the third party 10 of 20: a difference of .25.
#[test]
fn self_preference_needs_a_second_judge() {
    let mut rows = String::new();
    for k in 0..20 {
        for (judge, wins) in [("own", k < 15), ("third", k < 10)] {
            let winner = if wins { "b" } else { "a" };
            rows += &format!("{k},{judge},a,b,{winner},,,\n{k},{judge},b,a,{winner},,,\n");
        }
    }
    let own = vec![("own".to_owned(), "b".to_owned())];
    let all = analyze(&small(&rows), &Options { own: own.clone(), ..Options::default() });
    let it = judge(&all, "own").self_preference.given().unwrap();
    assert_eq!((it.pairs, it.third_parties.as_slice()), (20, ["third".to_owned()].as_slice()));
    assert!((value(&it.share.number) - 0.25).abs() < 1e-12);
    // The slot is held: logit 3/4 - logit 1/2.
    assert!((value(&it.log_odds.number) - libm::log(3.0)).abs() < 1e-9);
    let alone: String =
        rows.lines().filter(|it| it.contains(",own,")).map(|it| format!("{it}\n")).collect();
    let all = analyze(&small(&alone), &Options { own, ..Options::default() });
    assert!(all.judges[0].self_preference.reason().unwrap().contains("second judge"));
}

/// What is typed, and what comes out.
#[test]
fn the_command_and_its_exit_codes() {
    let mut csv = "pair,first,second,winner\n".to_owned();
    for k in 0..30 {
        // The first slot wins 20 pairs twice; the rest go to a.
        let [one, other] = if k < 20 { ["a", "b"] } else { ["a", "a"] };
        csv += &format!("{k},a,b,{one}\n{k},b,a,{other}\n");
    }
    let run = |more: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("judgelab").unwrap();
        let out = command.arg("analyze").args(more).arg("-").write_stdin(csv.clone());
        let out = out.output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        // Lines are wrapped; the words stay.
        (out.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (code, text) = run(&[]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("A position bias was seen") && text.contains("20 FF, 0 SS of 30 pairs"),
        "{text}"
    );
    assert_eq!(run(&["--fail-on", "position"]).0, Some(1));
    assert_eq!(run(&["--fail-on", "length"]).0, Some(0));
    assert_eq!(run(&["--fail-on", "length,undecided"]).0, Some(1));
    assert_eq!(run(&["--margin", "0.7"]).0, Some(2));
    assert_eq!(run(&["--own", "nobody=a"]).0, Some(2));
    let (code, json) = run(&["--json"]);
    assert_eq!(code, Some(0));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let it = &json["judges"][0];
    assert_eq!((&it["pairs"], &it["invalid"]), (&30.into(), &0.into()));
    let position = &it["position"];
    assert_eq!(
        (&position["first_first"], &position["second_second"], &position["consistent"]),
        (&20.into(), &0.into(), &10.into())
    );
    assert!(position["beta"]["value"].is_null() && position["beta"]["reason"].is_string());
    assert!(position["beta"]["low"].as_f64().unwrap() > 0.0 && position["beta"]["high"].is_null());
    assert!(position["exact_p"].as_f64().unwrap() < 2e-6);
    assert!(position["flip_rate"]["low"].as_f64().unwrap() > 0.4);
    assert_eq!(it["length"]["value"], serde_json::Value::Null);
    assert!(it["length"]["reason"].is_string() && it["agreement"]["reason"].is_string());
    assert!((it["win_rate"]["averaged"]["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
}

/// A file of grades: cases of one system with a grade and, of some, a label.
fn graded(rows: &[(u64, f64, f64)]) -> Grades {
    let mut file = Grades { binary: true, ..Grades::default() };
    let (judge, system) = (file.judges.place("j"), file.systems.place("s"));
    let (stratum, repeat) = (file.strata.place(""), file.repeats.place(""));
    for (times, score, label) in rows {
        for _ in 0..*times {
            let item = file.items.place(&file.grades.len().to_string());
            let (score, label, length) = (*score, *label, NO_LENGTH);
            let line = 1;
            file.grades.push(Grade {
                line,
                item,
                system,
                judge,
                stratum,
                repeat,
                length,
                score,
                label,
            });
        }
    }
    file
}

/// A published example: 400 of 1,000 pass, specificity 140 of 200, sensitivity 180 of 200: .166667 [.056351, .262733].
#[test]
fn a_corrected_pass_rate_asks_how_labels_were_drawn() {
    let none = f64::NAN;
    let rows = [
        (400, 1.0, none),
        (600, 0.0, none),
        (180, 1.0, 1.0),
        (20, 0.0, 1.0),
        (60, 1.0, 0.0),
        (140, 0.0, 0.0),
    ];
    let options = Options { labels: verdicts::Labels::Balanced, ..Options::default() };
    let all = analyze_grades(&graded(&rows), &options);
    let it = all.judges[0].systems[0].corrected.given().unwrap();
    assert_eq!(
        (it.labelled, it.unlabelled, it.chosen.clone()),
        (400, 1000, Some("lang_reiczigel".to_owned()))
    );
    six("value", value(&it.lang_reiczigel), 0.166_667);
    six("low", it.lang_reiczigel.low.unwrap(), 0.056_351);
    six("high", it.lang_reiczigel.high.unwrap(), 0.262_733);
    six("Youden", value(&it.youden), 0.6);
    let all = analyze_grades(&graded(&rows), &Options::default());
    let it = all.judges[0].systems[0].corrected.given().unwrap();
    assert!(it.chosen.is_none() && it.note.contains("--labels"));
    // A judge that the labels do not tell from a coin corrects nothing.
    let coin = [
        (40, 1.0, none),
        (60, 0.0, none),
        (5, 1.0, 1.0),
        (5, 0.0, 1.0),
        (5, 1.0, 0.0),
        (5, 0.0, 0.0),
    ];
    let all = analyze_grades(&graded(&coin), &options);
    let it = all.judges[0].systems[0].corrected.given().unwrap();
    assert!(it.lang_reiczigel.value.is_none() && it.lang_reiczigel.reason.is_some());
}

/// Two systems on 24 cases of two strata: in the first, a alone passes 5 of 12 (mid-p 1/32), in the second nothing differs.
#[test]
fn slices_are_a_family_of_tests() {
    let mut file = Grades { binary: true, ..Grades::default() };
    let (judge, repeat) = (file.judges.place("j"), file.repeats.place(""));
    for k in 0..24 {
        for (name, score) in [("a", 1.0), ("b", if k < 5 { 0.0 } else { 1.0 })] {
            let grade = Grade {
                line: 1,
                item: file.items.place(&k.to_string()),
                system: file.systems.place(name),
                judge,
                stratum: file.strata.place(if k < 12 { "hard" } else { "easy" }),
                repeat,
                length: NO_LENGTH,
                score,
                label: f64::NAN,
            };
            file.grades.push(grade);
        }
    }
    let all = analyze_grades(&file, &Options::default());
    let it = &all.judges[0].comparisons[0];
    let passes = it.passes.as_ref().unwrap();
    assert_eq!((passes.first_only, passes.second_only, passes.lost.len()), (5, 0, 5));
    let [hard, easy] = it.strata.as_slice() else { panic!("two strata") };
    six("mid-p", hard.difference.p.unwrap(), 1.0 / 32.0);
    six("Holm", hard.holm, 1.0 / 16.0);
    six("BH", hard.bh, 1.0 / 16.0);
    assert_eq!((easy.holm, easy.first_only), (1.0, 0));
}

/// Eight pairs, two judges who err on 1, 2, 3 and on 1, 2, 4: numpy.corrcoef of the two rows, .4666666667; 2/(1 + rho) judges.
#[test]
fn a_panel_is_worth_fewer_judges_than_it_has() {
    let mut rows = String::new();
    for k in 0..8 {
        for (judge, errs) in [("x", k < 3), ("y", k < 2 || k == 3)] {
            let winner = if errs { "b" } else { "a" };
            rows += &format!("{k},{judge},a,b,{winner},a,,\n{k},{judge},b,a,{winner},a,,\n");
        }
    }
    let all = analyze(&small(&rows), &Options::default());
    let errors = all.panel.as_ref().unwrap().errors.given().unwrap();
    six("correlation", value(&errors.error_correlation), 0.466_666_667);
    six("judges", value(&errors.effective_judges), 2.0 / 1.466_666_667);
    assert_eq!((errors.pairs, errors.error_rates.as_slice()), (8, [0.375, 0.375].as_slice()));
    // The same pairs side by side: both differ from each other on 3 and 4 alone.
    let between = &all.between[0];
    six("agreement", value(&between.in_systems.given().unwrap().raw), 0.75);
    six("right", value(&between.accuracy.number), 0.0);
}
