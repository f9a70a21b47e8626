//! Reads the public verdict files in the folder that `JUDGELAB_DATA` names, and holds what is counted against figures that were
//! recomputed independently. Without the folder it says so and passes.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use judgelab::evidence::Verdict;
use judgelab::verdicts::{
    Ballot, Coding, Contents, Format, Grades, Known, Options, Read, Verdicts, read,
};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("JUDGELAB_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("JUDGELAB_DATA is not set: no public file is read");
    }
    folder
}

fn contents(file: &str, options: &Options) -> Option<Contents> {
    let path = folder()?.join(file);
    let opened = File::open(&path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    Some(read(file, opened, options).unwrap_or_else(|it| panic!("{it}")))
}

fn pairs(contents: &Contents) -> &Verdicts {
    match &contents.read {
        Read::Pairs(it) => it,
        Read::Grades(_) => panic!("these are pairs"),
    }
}

fn grades(contents: &Contents) -> &Grades {
    match &contents.read {
        Read::Grades(it) => it,
        Read::Pairs(_) => panic!("these are grades"),
    }
}

/// Pairs; of these invalid; first slot twice; second slot twice; the same verdict in both orders.
type Cells = [u32; 5];

/// Cells by judge, stratum and repeat.
fn cells(verdicts: &Verdicts) -> BTreeMap<String, Cells> {
    let mut shown: BTreeMap<_, [Option<Verdict>; 2]> = BTreeMap::new();
    let place = |it: &Ballot| {
        let low = it.first.min(it.second);
        let high = it.first.max(it.second);
        (it.judge, it.repeat, it.item, low, high)
    };
    let mut group = BTreeMap::new();
    for it in &verdicts.ballots {
        let order = usize::from(it.second < it.first);
        assert!(
            shown.entry(place(it)).or_default()[order].replace(it.verdict).is_none(),
            "twice: {it:?}"
        );
        group.insert(place(it), it.stratum);
    }
    let mut cells: BTreeMap<String, Cells> = BTreeMap::new();
    for (pair, orders) in shown {
        let [Some(ab), Some(ba)] = orders else { panic!("{pair:?} was shown in one order only") };
        let name = format!(
            "{}|{}|{}",
            verdicts.strata.name(group[&pair]),
            verdicts.judges.name(pair.0),
            verdicts.repeats.name(pair.1)
        );
        let cell = cells.entry(name).or_default();
        cell[0] += 1;
        match (ab, ba) {
            (Verdict::Invalid, _) | (_, Verdict::Invalid) => cell[1] += 1,
            (Verdict::First, Verdict::First) => cell[2] += 1,
            (Verdict::Second, Verdict::Second) => cell[3] += 1,
            (Verdict::First, Verdict::Second)
            | (Verdict::Second, Verdict::First)
            | (Verdict::Tie, Verdict::Tie) => {
                cell[4] += 1;
            }
            _ => {}
        }
    }
    cells
}

/// `LLMBar`: set, judge, pairs, invalid, first twice, second twice, consistent.
const LLMBAR: [(&str, Cells); 16] = [
    ("natural|GPT-4/Vanilla_NoRules|", [100, 0, 2, 1, 97]),
    ("natural|GPT-4/Rating|", [100, 0, 0, 10, 90]),
    ("natural|GPT-4/Swap_CoT|", [100, 0, 0, 0, 100]),
    ("natural|ChatGPT/Vanilla_NoRules|", [100, 0, 30, 2, 68]),
    ("natural|ChatGPT/Rating|", [100, 0, 0, 47, 53]),
    ("natural|PaLM2/Vanilla_NoRules|", [100, 3, 11, 5, 81]),
    ("natural|LLaMA2/Vanilla_NoRules|", [100, 0, 19, 7, 74]),
    ("natural|Falcon/CoT|", [100, 0, 86, 0, 14]),
    ("gptinst|GPT-4/Vanilla_NoRules|", [92, 0, 6, 3, 83]),
    ("gptinst|GPT-4/Rating|", [92, 0, 1, 11, 80]),
    ("gptinst|GPT-4/Swap_CoT|", [92, 0, 2, 1, 89]),
    ("gptinst|ChatGPT/Vanilla_NoRules|", [92, 0, 44, 0, 48]),
    ("gptinst|ChatGPT/Rating|", [92, 0, 0, 50, 42]),
    ("gptinst|PaLM2/Vanilla_NoRules|", [92, 4, 11, 11, 66]),
    ("gptinst|LLaMA2/Vanilla_NoRules|", [92, 1, 20, 4, 67]),
    ("gptinst|Falcon/CoT|", [92, 1, 82, 1, 8]),
];

#[test]
fn llmbar() {
    let Some(contents) = contents("llmbar_verdicts.csv", &Options::default()) else { return };
    let coded = contents.coded.unwrap();
    assert_eq!((coded.coding, coded.known), (Coding::System, Known::Values));
    assert_eq!(
        (contents.counts.records, contents.counts.kept, contents.counts.bad),
        (3072, 3072, 0)
    );
    let expected: BTreeMap<String, Cells> =
        LLMBAR.iter().map(|it| (it.0.to_owned(), it.1)).collect();
    assert_eq!(cells(pairs(&contents)), expected);
}

/// Accuracy against gold in each order of two judges on the natural set.
#[test]
fn gold_labels_and_lengths_of_llmbar() {
    let options = Options { judges: vec!["ChatGPT/Rating".to_owned()], ..Options::default() };
    let Some(contents) = contents("llmbar_verdicts.csv", &options) else { return };
    assert_eq!(contents.counts.other_judges, 3072 - 384);
    let verdicts = pairs(&contents);
    let natural = verdicts.strata.find("natural").unwrap();
    let one = verdicts.systems.find("output_1").unwrap();
    let right = |order: bool| {
        let rows = verdicts
            .ballots
            .iter()
            .filter(|it| it.stratum == natural && (it.first == one) == order);
        rows.filter(|it| it.verdict == it.gold).count()
    };
    assert_eq!((right(true), right(false)), (74, 63));
    let [ab, ba] = [0, 1].map(|row: usize| verdicts.ballots[row]);
    assert_eq!((ab.length_first, ab.length_second), (150, 130));
    assert_eq!((ba.length_first, ba.length_second), (130, 150));
}

#[test]
fn llmbar_as_its_authors_write_it() {
    for (file, expected) in [
        ("raw/llmbar_natural_gpt4.result.json", [100, 0, 2, 1, 97]),
        ("raw/llmbar_natural_chatgpt.result.json", [100, 0, 30, 2, 68]),
    ] {
        let Some(contents) = contents(file, &Options::default()) else { return };
        assert_eq!(
            (contents.format, contents.coded.unwrap().known),
            (Format::LlmBar, Known::Format)
        );
        let name = file.trim_start_matches("raw/").trim_end_matches(".result.json");
        assert_eq!(cells(pairs(&contents)), BTreeMap::from([(format!("|{name}|"), expected)]));
        assert_eq!(contents.counts.bad, 0);
        let first = pairs(&contents).ballots[0];
        assert_eq!(
            (first.length_first, first.length_second, first.gold),
            (150, 130, Verdict::First)
        );
    }
}

/// Pairs, invalid, first twice, second twice, consistent of the repetitions, by judge.
const MT_BENCH: [(&str, [Cells; 3]); 9] = [
    ("claude-3-haiku-20240307", [[96, 0, 6, 19, 64], [96, 1, 3, 23, 64], [96, 0, 4, 27, 58]]),
    ("claude-3-opus-20240229", [[96, 0, 0, 18, 74], [96, 0, 1, 20, 73], [96, 0, 0, 13, 77]]),
    ("claude-3-sonnet-20240229", [[96, 0, 2, 21, 69], [96, 1, 1, 18, 68], [96, 0, 0, 17, 71]]),
    ("gemini-pro", [[96, 2, 1, 26, 57], [96, 0, 1, 21, 63], [96, 0, 3, 21, 68]]),
    ("gpt-3.5-turbo-0125", [[96, 5, 5, 8, 78], [96, 10, 7, 10, 68], [96, 7, 4, 11, 74]]),
    ("gpt-3.5-turbo-1106", [[96, 1, 5, 14, 76], [96, 0, 4, 12, 78], [96, 1, 3, 10, 82]]),
    ("gpt-4-0125-preview", [[96, 0, 1, 3, 84], [96, 0, 1, 4, 84], [96, 0, 0, 3, 82]]),
    ("gpt-4-0613", [[96, 0, 3, 3, 85], [96, 0, 5, 2, 83], [96, 0, 4, 3, 83]]),
    ("gpt-4-1106-preview", [[96, 0, 0, 3, 78], [96, 0, 4, 5, 78], [96, 0, 1, 1, 77]]),
];

/// Without strata, which are tasks here.
fn over_strata(cells: &BTreeMap<String, Cells>) -> BTreeMap<String, Cells> {
    let mut all: BTreeMap<String, Cells> = BTreeMap::new();
    for (name, cell) in cells {
        let sum = all.entry(name.split_once('|').unwrap().1.to_owned()).or_default();
        (0..5).for_each(|it| sum[it] += cell[it]);
    }
    all
}

#[test]
fn mt_bench_repetitions() {
    let Some(contents) = contents("mtbench_repetition_verdicts.csv", &Options::default()) else {
        return;
    };
    assert_eq!(contents.coded.unwrap().coding, Coding::Slot);
    assert_eq!((contents.counts.kept, contents.counts.bad, contents.counts.invalid), (5184, 0, 28));
    let found = over_strata(&cells(pairs(&contents)));
    assert_eq!(found.len(), 27);
    for (judge, repeats) in MT_BENCH {
        for (repeat, expected) in repeats.iter().enumerate() {
            assert_eq!(
                found[&format!("{judge}|{}", repeat + 1)],
                *expected,
                "{judge} {}",
                repeat + 1
            );
        }
    }
}

/// The winner's column of the same file, which names systems.
#[test]
fn mt_bench_by_system() {
    let map = Options::parse_map("verdict=winner").unwrap();
    let Some(contents) =
        contents("mtbench_repetition_verdicts.csv", &Options { map, ..Options::default() })
    else {
        return;
    };
    assert_eq!(contents.coded.unwrap().coding, Coding::System);
    let found = over_strata(&cells(pairs(&contents)));
    assert_eq!(found["gpt-3.5-turbo-0125|2"], [96, 10, 7, 10, 68]);
}

#[test]
fn free_text_of_the_position_bias_analyzer() {
    let Some(contents) = contents("raw/mtbench_rep1_gpt-3.5-turbo-0125.tsv", &Options::default())
    else {
        return;
    };
    assert_eq!(
        (contents.format, contents.counts.records, contents.counts.invalid),
        (Format::PositionBias, 192, 5)
    );
    let found = over_strata(&cells(pairs(&contents)));
    assert_eq!(found, BTreeMap::from([("gpt-3.5-turbo-0125|".to_owned(), [96, 5, 5, 8, 78])]));
    let row = pairs(&contents).ballots[1];
    assert_eq!((row.length_first, row.length_second), (2331, 4278));
}

#[test]
fn pandalm_labels() {
    let Some(contents) = contents("pandalm_labels.csv", &Options::default()) else { return };
    let verdicts = pairs(&contents);
    assert_eq!(
        (contents.format, contents.counts.records, verdicts.judges.len()),
        (Format::PandaLm, 999, 5)
    );
    let count = |judge: &str| {
        let judge = verdicts.judges.find(judge).unwrap();
        [Verdict::First, Verdict::Second, Verdict::Tie, Verdict::Invalid].map(|verdict| {
            verdicts.ballots.iter().filter(|it| it.judge == judge && it.verdict == verdict).count()
        })
    };
    assert_eq!(count("gpt35"), [460, 476, 38, 25]);
    assert_eq!(count("pandalm"), [433, 459, 107, 0]);
}

#[test]
fn gpqa_scores() {
    let Some(contents) = contents("raw/gpqa_diamond_scores.csv", &Options::default()) else {
        return;
    };
    let grades = grades(&contents);
    assert_eq!((grades.grades.len(), grades.items.len(), grades.systems.len()), (1980, 198, 2));
    assert!(grades.binary && grades.repeats.len() == 6);
    assert_eq!(grades.grades.iter().filter(|it| it.score == 1.0).count(), 1280);
    let mean = |system: u32| {
        let scores = grades.grades.iter().filter(|it| it.system == system).map(|it| it.score);
        scores.sum::<f64>() / 990.0
    };
    assert!(
        (mean(0) - mean(1) - 0.058_586).abs() < 1e-6
            || (mean(1) - mean(0) - 0.058_586).abs() < 1e-6
    );
}

/// A file that is read against its coding is caught.
#[test]
fn misreads_are_caught() {
    let Some(folder) = folder() else { return };
    let options = Options {
        coded: Some(Coding::Slot),
        judges: vec!["GPT-4/Vanilla_NoRules".to_owned()],
        ..Options::default()
    };
    let file = File::open(folder.join("llmbar_verdicts.csv")).unwrap();
    let mistake = read("llmbar_verdicts.csv", file, &options).unwrap_err();
    assert!(
        mistake.rule.contains("misread") && mistake.remedy.contains("--coded system"),
        "{mistake}"
    );
}
