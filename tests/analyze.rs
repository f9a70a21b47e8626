//! The analysis of real files, against values that were recomputed independently; and small files of our own.
//!
//! The real files are read from the folder named by `JUDGELAB_DATA`; without it their tests say so and pass.

#![allow(clippy::unwrap_used)]

#[path = "analyze/right.rs"]
mod right;
#[path = "analyze/csv.rs"]
mod table;

use std::fs;
use std::path::Path;

use judgelab::analysis::{Analysis, Options, Part, analyze};
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
    close(&what, position.kappa_orders.value.unwrap(), want.kappa);
    close(&what, position.ac1_orders.value.unwrap(), want.ac1);
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
