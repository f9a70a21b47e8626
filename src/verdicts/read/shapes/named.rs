//! Formats that published tools write.

use super::super::columns::Sample;
use super::super::layout::{Asking, Code, Layout, Lengths, Naming, Paired, Rows, Systems, Turn};
use crate::verdicts::contents::Format;
use crate::verdicts::options::{Coding, Options};

/// What makes a format out, or does not.
type Shape = fn(&Sample, &Options, &str) -> Option<Layout>;

/// The formats, the most particular first.
pub(super) const SHAPES: [Shape; 5] = [llmbar, fastchat, judgebench, position_bias, alpaca];

fn fixed(name: &str) -> Naming {
    Naming::Fixed(name.to_owned())
}

fn none() -> Naming {
    fixed("")
}

/// Verdicts of a format that names systems or slots as it does.
fn paired(item: Naming, askings: Vec<Asking>, coding: Coding) -> Paired {
    Paired {
        item,
        stratum: none(),
        askings,
        coding: Some(coding),
        hint: None,
        gold_coding: Some(Coding::System),
    }
}

fn layout(format: Format, rows: Paired, notes: &[&str]) -> Layout {
    Layout {
        format,
        rows: Rows::Pairs(rows),
        notes: notes.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// Lengths of the texts of systems one and two, where both are there.
fn texts(sample: &Sample, one: &str, two: &str) -> Lengths {
    match (sample.find(one), sample.find(two)) {
        (Some(one), Some(two)) => {
            Lengths { columns: [vec![one], vec![two]], of_systems: true, texts: true }
        }
        _ => Lengths::default(),
    }
}

/// The numbers that stand for `*` in columns of such a name.
fn numbers(sample: &Sample, before: &str, after: &str) -> Vec<usize> {
    let number = |it: &String| it.strip_prefix(before)?.strip_suffix(after)?.parse::<usize>().ok();
    let mut numbers: Vec<usize> = sample.columns.iter().filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// `LLMBar`: results with and without swapping, winners already told by system.
fn llmbar(sample: &Sample, _: &Options, judge: &str) -> Option<Layout> {
    let results = numbers(sample, "results.", ".swap = False.winner");
    let gold = sample.find("label").map(|it| (it, Code::Word));
    let mut askings = Vec::new();
    for result in &results {
        for (swap, turn) in [("False", Turn::Straight), ("True", Turn::Turned)] {
            let Some(verdict) = sample.find(&format!("results.{result}.swap = {swap}.winner"))
            else {
                continue;
            };
            askings.push(Asking {
                systems: Systems::OneTwo(fixed("output_1"), fixed("output_2")),
                turn,
                judge: fixed(judge),
                repeat: if results.len() < 2 { none() } else { fixed(&(result + 1).to_string()) },
                verdict,
                code: Code::Word,
                gold,
                lengths: texts(sample, "output_1", "output_2"),
            });
        }
    }
    let rows = paired(Naming::Number, askings, Coding::System);
    (!results.is_empty()).then(|| layout(Format::LlmBar, rows, &[]))
}

/// `FastChat`: two games a line, the second with model 2 shown first; winners told by model.
fn fastchat(sample: &Sample, _: &Options, judge: &str) -> Option<Layout> {
    let find = |name: &str| sample.find(name);
    let games = [(find("g1_winner")?, Turn::Straight), (find("g2_winner")?, Turn::Turned)];
    let [one, two] = [find("model_1")?, find("model_2")?];
    let parts: Vec<usize> = ["judge.0", "judge.1"].iter().filter_map(|it| find(it)).collect();
    let judge = match (find("judge"), parts.is_empty()) {
        (Some(column), _) => Naming::Column(column),
        (None, false) => Naming::Joined(parts),
        _ => fixed(judge),
    };
    let item = [find("question_id").or(find("id"))?].into_iter().chain(find("turn")).collect();
    let asking = |(verdict, turn)| Asking {
        systems: Systems::OneTwo(Naming::Column(one), Naming::Column(two)),
        turn,
        judge: judge.clone(),
        repeat: none(),
        verdict,
        code: Code::Word,
        gold: None,
        lengths: Lengths::default(),
    };
    let rows = paired(Naming::Joined(item), games.map(asking).to_vec(), Coding::System);
    Some(layout(Format::FastChat, rows, &[]))
}

/// `JudgeBench`: decisions by slot, the second with response B shown first; the label by response.
fn judgebench(sample: &Sample, _: &Options, judge: &str) -> Option<Layout> {
    let decisions = numbers(sample, "judgments.", ".decision");
    let item = sample.find("pair_id").map_or(Naming::Number, Naming::Column);
    let asking = |number: &usize| Asking {
        systems: Systems::OneTwo(fixed("response_A"), fixed("response_B")),
        turn: if number.is_multiple_of(2) { Turn::Straight } else { Turn::Turned },
        judge: ["judge_name", "judge_model", "judge"]
            .iter()
            .find_map(|it| sample.find(it))
            .map_or_else(|| fixed(judge), Naming::Column),
        repeat: if decisions.len() <= 2 { none() } else { fixed(&(number / 2 + 1).to_string()) },
        verdict: sample.find(&format!("judgments.{number}.decision")).unwrap_or(0),
        code: Code::Word,
        gold: sample.find("label").map(|it| (it, Code::Word)),
        lengths: texts(sample, "response_A", "response_B"),
    };
    let stratum = sample.find("source").map_or_else(none, Naming::Column);
    let rows =
        Paired { stratum, ..paired(item, decisions.iter().map(asking).collect(), Coding::Slot) };
    (!decisions.is_empty()).then(|| layout(Format::JudgeBench, rows, &[]))
}

/// The position bias analyzer: `id;first;second`, and the judge's text in the last column, which bears its name.
fn position_bias(sample: &Sample, _: &Options, _: &str) -> Option<Layout> {
    let index = sample.find("cmp_index")?;
    let verdict = sample.columns.len().checked_sub(1).filter(|it| *it != index)?;
    let part = |part| Naming::Part { column: index, separator: ';', part, of: 3 };
    let answers = |start: &str| -> Vec<usize> {
        let named = |it: &usize| sample.columns[*it].starts_with(start);
        (0..sample.columns.len()).filter(named).collect()
    };
    let columns = [answers("answer1_"), answers("answer2_")];
    let known = columns.iter().all(|it| !it.is_empty());
    let asking = Asking {
        systems: Systems::Shown(part(1), part(2)),
        turn: Turn::Unplaced,
        judge: fixed(&sample.columns[verdict]),
        repeat: none(),
        verdict,
        code: Code::Text,
        gold: None,
        lengths: if known {
            Lengths { columns, of_systems: false, texts: true }
        } else {
            Lengths::default()
        },
    };
    let stratum = sample.find("task").map_or_else(none, Naming::Column);
    let rows = Paired { stratum, ..paired(part(0), vec![asking], Coding::Slot) };
    Some(layout(Format::PositionBias, rows, &[]))
}

/// `AlpacaEval`: a preference from 1 to 2; the order shown is drawn at random and not written down.
fn alpaca(sample: &Sample, _: &Options, judge: &str) -> Option<Layout> {
    let [one, two] = [sample.find("generator_1")?, sample.find("generator_2")?];
    let verdict = sample.find("preference")?;
    let item = sample.find("instruction").map_or(Naming::Number, |it| Naming::Digest(vec![it]));
    let asking = Asking {
        systems: Systems::OneTwo(Naming::Column(one), Naming::Column(two)),
        turn: Turn::Straight,
        judge: sample.find("annotator").map_or_else(|| fixed(judge), Naming::Column),
        repeat: none(),
        verdict,
        code: Code::Preference,
        gold: None,
        lengths: texts(sample, "output_1", "output_2"),
    };
    let stratum = sample.find("dataset").map_or_else(none, Naming::Column);
    let rows = Paired { stratum, ..paired(item, vec![asking], Coding::System) };
    let note = "AlpacaEval draws the order at random and does not write it down: generator 1 stands as the one shown first, so \
                these verdicts say nothing about position.";
    Some(layout(Format::AlpacaEval, rows, &[note]))
}
