//! Whatever bytes a reader is given, it ends, with rows or with a mistake in one sentence, and never in a panic.
//!
//! Each reader is a plain function of bytes. It is fed with the small files of `tests/corpus`, changed in places. The suite does
//! so a few hundred times each; `cargo test --release --test fuzz -- --ignored` does it a million times in all.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use judgelab::scenario::{Overrides, Plan};
use judgelab::verdicts::{Coding, Mode, Options, Parser, Read, Vocabulary, read};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngSeed, TestRunner};

/// A reader, by the endings of the corpus files that it is fed with, and its share of a million inputs.
struct Target {
    read: fn(&[u8]),
    endings: &'static [&'static str],
    inputs: u32,
}

const TABLES: Target = Target { read: table, endings: &["csv", "tsv"], inputs: 350_000 };
const JSON: Target = Target { read: json, endings: &["json", "jsonl"], inputs: 350_000 };
const PACKED: Target = Target { read: packed, endings: &["csv", "jsonl"], inputs: 50_000 };
const REPLIES: Target = Target { read: replies, endings: &["txt", "tsv"], inputs: 200_000 };
const SCENARIOS: Target = Target { read: scenario, endings: &["toml"], inputs: 50_000 };

/// A table, as plain as it comes or with all that may be asked, by its last bits.
fn table(bytes: &[u8]) {
    let map = Options::parse_map("pair=q,first=m,second=n,winner=preference").unwrap();
    let all = Options {
        coded: Some(Coding::System),
        judges: vec!["haiku".to_owned()],
        gold: Some("annotator1".to_owned()),
        mode: Mode::Permissive,
        ..Options::default()
    };
    match bytes.len() % 8 {
        0 => held(bytes, &Options { map, ..Options::default() }),
        1 => held(bytes, &all),
        _ => held(bytes, &Options::default()),
    }
}

fn json(bytes: &[u8]) {
    match bytes.len() % 8 {
        0 => {
            let coded = Some(Coding::Slot);
            held(bytes, &Options { strict: true, coded, ..Options::default() });
        }
        _ => held(bytes, &Options::default()),
    }
}

/// A packed file, whole or with a bit of its own changed.
fn packed(bytes: &[u8]) {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    let mut packed = packer.finish().unwrap();
    if bytes.len().is_multiple_of(2) {
        let at = bytes.len() % packed.len();
        packed[at] ^= 1 << (bytes.len() / 2 % 8);
    }
    held(&packed, &Options::default());
}

fn replies(bytes: &[u8]) {
    static PARSERS: LazyLock<Vec<Parser>> = LazyLock::new(|| {
        let modes = [Mode::Strict, Mode::Marked, Mode::Permissive];
        let both = |mode| {
            [Vocabulary::pairs(), Vocabulary::grades()]
                .map(|vocabulary| Parser { vocabulary, mode })
        };
        modes.into_iter().flat_map(both).collect()
    });
    let text = String::from_utf8_lossy(bytes);
    let _ = PARSERS[bytes.len() % PARSERS.len()].read(&text);
}

fn scenario(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let plans = Plan::all_from_toml(Some("s.toml"), &text, Overrides::default(), &mut |_| {
        Ok("id,truth_A,truth_C\nq,1,0\n".to_owned())
    });
    if let Err(mistakes) = plans {
        assert!(!mistakes.is_empty());
        mistakes.iter().for_each(|it| assert_eq!(it.to_string().lines().count(), 1, "{it}"));
    }
}

/// Reads a file, and holds what must be true of whatever is read.
fn held(bytes: &[u8], options: &Options) {
    match read("x.csv", bytes, options) {
        Err(mistake) => {
            let told = mistake.to_string();
            assert!(
                !mistake.rule.is_empty() && !mistake.remedy.is_empty() && told.lines().count() == 1,
                "{told:?}"
            );
        }
        Ok(contents) => {
            let counts = &contents.counts;
            assert!(counts.bad <= counts.records && counts.first_bad.len() <= 5);
            let rows = match &contents.read {
                Read::Pairs(it) => {
                    for row in &it.ballots {
                        assert!(row.first != row.second);
                        assert!(
                            [row.first, row.second]
                                .iter()
                                .all(|place| !it.systems.name(*place).is_empty())
                        );
                        assert!(
                            !it.items.name(row.item).is_empty()
                                && !it.judges.name(row.judge).is_empty()
                        );
                    }
                    it.ballots.len()
                }
                Read::Grades(it) => {
                    assert!(it.grades.iter().all(|row| !row.score.is_infinite()));
                    it.grades.len()
                }
            };
            assert!(rows as u64 == counts.kept && 0 < rows);
        }
    }
}

/// What may stand where something else stood.
const PIECES: [&[u8]; 40] = [
    b"",
    b"\"",
    b"\"\"",
    b"'",
    b"\n",
    b"\r\n",
    b"\r",
    b",",
    b"\t",
    b";",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[A]]",
    b"[[B]]",
    b"\\",
    b"\\u00e9",
    b"\\ud800",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\x00",
    b"\xE9",
    b"\x1F\x8B",
    b"null",
    b"true",
    b"-1",
    b"0",
    b"1.5",
    b"1e999",
    b"99999999999999999999",
    b"A",
    b"A>B",
    b"tie",
    b"error",
    b"first",
    b"pair",
    b"winner",
    b"=",
];

/// A change at a place.
#[derive(Clone, Debug)]
enum Change {
    Put(Index, usize, usize),
    Cut(Index, usize),
    Repeat(Index, usize, usize),
    Byte(Index, u8),
    End(Index),
    /// The rest of another file of the corpus.
    Graft(Index, Index, Index),
    Deep(Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        6 => (at(), 0..8_usize, 0..PIECES.len()).prop_map(|(at, length, piece)| Change::Put(at, length, piece)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        2 => (at(), 1..40_usize, 1..4_usize).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        1 => at().prop_map(Change::End),
        1 => (at(), at(), at()).prop_map(|(at, file, from)| Change::Graft(at, file, from)),
        1 => (at(), 1..300_usize).prop_map(|(at, depth)| Change::Deep(at, depth)),
    ]
}

/// The place of an index in so many bytes, the end included.
fn place(at: Index, length: usize) -> usize {
    at.index(length + 1)
}

fn changed(corpus: &[Vec<u8>], file: Index, changes: &[Change]) -> Vec<u8> {
    let mut bytes = corpus[file.index(corpus.len())].clone();
    for change in changes {
        let length = bytes.len();
        let span = |at: &Index, many: usize| {
            let at = place(*at, length);
            at..(at + many).min(length)
        };
        match change {
            Change::Put(at, many, piece) => {
                drop(bytes.splice(span(at, *many), PIECES[*piece].iter().copied()));
            }
            Change::Cut(at, many) => drop(bytes.drain(span(at, *many))),
            Change::Repeat(at, many, times) => {
                let span = span(at, *many);
                let again = bytes[span.clone()].repeat(*times);
                drop(bytes.splice(span.end..span.end, again));
            }
            Change::Byte(at, byte) => drop(bytes.splice(span(at, 1), [*byte])),
            Change::End(at) => bytes.truncate(place(*at, length)),
            Change::Graft(at, file, from) => {
                let other = &corpus[file.index(corpus.len())];
                bytes.truncate(place(*at, length));
                bytes.extend_from_slice(&other[place(*from, other.len())..]);
            }
            Change::Deep(at, depth) => {
                let at = place(*at, length);
                drop(bytes.splice(at..at, b"[".repeat(*depth)));
            }
        }
    }
    bytes
}

/// Feeds a reader so many inputs; none may take longer than a second, however busy the machine.
fn fed(target: &Target, inputs: u32) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let fits = |it: &&std::path::PathBuf| {
        target.endings.iter().any(|end| it.extension().is_some_and(|own| own == *end))
    };
    let corpus: Vec<Vec<u8>> = files.iter().filter(fits).map(|it| fs::read(it).unwrap()).collect();
    assert!(!corpus.is_empty());
    for file in &corpus {
        (target.read)(file);
    }
    let config = ProptestConfig {
        cases: inputs,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    };
    let input = (any::<Index>(), vec(change(), 1..5));
    let run = TestRunner::new(config).run(&input, |(file, changes)| {
        let bytes = changed(&corpus, file, &changes);
        let start = Instant::now();
        (target.read)(&bytes);
        prop_assert!(
            start.elapsed() < Duration::from_secs(5),
            "{} bytes took {:?}",
            bytes.len(),
            start.elapsed()
        );
        Ok(())
    });
    if let Err(found) = run {
        panic!("{found}");
    }
}

#[test]
fn tables_end_without_a_panic() {
    fed(&TABLES, 700);
}

#[test]
fn json_ends_without_a_panic() {
    fed(&JSON, 700);
}

#[test]
fn packed_files_end_without_a_panic() {
    fed(&PACKED, 200);
}

#[test]
fn replies_end_without_a_panic() {
    fed(&REPLIES, 300);
}

#[test]
fn scenarios_end_without_a_panic() {
    fed(&SCENARIOS, 100);
}

#[test]
#[ignore = "a million inputs, in release"]
fn many_tables_and_replies() {
    for target in [TABLES, REPLIES] {
        fed(&target, target.inputs);
    }
}

#[test]
#[ignore = "a million inputs, in release"]
fn many_json_files_packed_files_and_scenarios() {
    for target in [JSON, PACKED, SCENARIOS] {
        fed(&target, target.inputs);
    }
}
