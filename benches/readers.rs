//! What it costs to read a million verdicts: seconds, and bytes a verdict.
//!
//! `cargo bench --bench readers` reads tables and JSON lines of some 60 MB from memory, with the two orders of each pair next to
//! each other and shuffled, beside the parsers alone; and before that measures the memory (Linux only, by the kernel's high-water
//! mark) of a file that is made while it is read. As a test it reads a thousandth.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::process::ExitCode;
use std::time::Instant;

use judgelab::verdicts::{Contents, Options, read};

/// Seconds that a million rows may take.
const ADJACENT: f64 = 1.0;
const SHUFFLED: f64 = 2.0;
/// Bytes that a verdict may take, without names.
const BYTES: f64 = 64.0;

/// A row: its pair, and whether the second system is shown first.
fn row(text: &mut String, json: bool, pair: usize, turned: bool, judge: usize) {
    let (first, second) = if turned { ("claude", "gpt-4") } else { ("gpt-4", "claude") };
    let verdict = ["A", "B", "C", "A"][(pair + usize::from(turned)) % 4];
    let (one, two) = (100 + pair % 900, 200 + pair % 700);
    // Writing to a string cannot fail.
    let _ = if json {
        writeln!(
            text,
            "{{\"pair\":\"q{pair}\",\"first\":\"{first}\",\"second\":\"{second}\",\"verdict\":\"{verdict}\"}}"
        )
    } else {
        writeln!(
            text,
            "question-number-{pair},{first},{second},{verdict},judge-{judge},{one},{two}"
        )
    };
}

const HEADER: &str = "pair,first,second,verdict,judge,length_first,length_second\n";

/// A whole file; shuffled by a stride that has no divisor in common with the number of rows.
fn file(rows: usize, json: bool, shuffled: bool) -> String {
    let mut text = String::from(if json { "" } else { HEADER });
    for at in 0..rows {
        let at = if shuffled { at * 611_953 % rows } else { at };
        row(&mut text, json, at / 2, at % 2 == 1, 1);
    }
    text
}

/// Rows that are made while they are read: many judges on the same thousand pairs, so that names take no room.
struct Made {
    rows: usize,
    at: usize,
    text: String,
    given: usize,
}

impl Read for Made {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            self.text.clear();
            self.given = 0;
            let until = self.rows.min(self.at + 1000);
            for at in self.at..until {
                row(&mut self.text, false, at / 2 % 1000, at % 2 == 1, at / 2000);
            }
            self.at = until;
        }
        let rest = &self.text.as_bytes()[self.given..];
        let most = rest.len().min(buffer.len());
        buffer[..most].copy_from_slice(&rest[..most]);
        self.given += most;
        Ok(most)
    }
}

/// The most memory that this process has had, in bytes; none where the kernel does not tell.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}

/// Seconds that this process has had of a processor, which a busy machine does not change much; wall time where the kernel does
/// not tell.
fn spent(start: Instant) -> f64 {
    let told = || {
        let status = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        Some(status.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
    };
    told().unwrap_or_else(|| start.elapsed().as_secs_f64())
}

/// What the parsers alone take, the floor of any reader that uses them: records without a look at them.
fn floor(text: &str, json: bool) -> usize {
    if json {
        let whole = |it: &&str| serde_json::from_str::<serde::de::IgnoredAny>(it).is_ok();
        return text.lines().filter(whole).count();
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    std::iter::from_fn(|| reader.read_byte_record(&mut record).ok().filter(|more| *more)).count()
}

fn kept(contents: Result<Contents, judgelab::verdicts::Mistake>) -> Result<u64, String> {
    contents.map(|it| it.counts.kept).map_err(|it| it.to_string())
}

/// What was too slow or too large, and mistakes.
#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn run(rows: usize, whole: bool) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let before = peak();
    let made = Made { rows, at: 0, text: HEADER.to_owned(), given: 0 };
    let verdicts = kept(read("made.csv", made, &Options::default()))?;
    if let (Some(before), Some(after)) = (before, peak()) {
        let bytes = (after - before) / verdicts as f64;
        println!("{verdicts} verdicts of few names: {bytes:.1} bytes a verdict");
        if whole && BYTES < bytes {
            wrong.push(format!("{bytes:.1} bytes a verdict, and {BYTES} are allowed"));
        }
    }
    for (name, json, shuffled, most) in [
        ("table, adjacent", false, false, ADJACENT),
        ("table, shuffled", false, true, SHUFFLED),
        ("JSON lines, adjacent", true, false, ADJACENT),
        ("JSON lines, shuffled", true, true, SHUFFLED),
    ] {
        let text = file(rows, json, shuffled);
        let (mut best, mut least) = (f64::INFINITY, f64::INFINITY);
        let clock = Instant::now();
        for _ in 0..if whole { 3 } else { 1 } {
            let start = spent(clock);
            let verdicts = kept(read(name, text.as_bytes(), &Options::default()))?;
            let middle = spent(clock);
            if (verdicts, floor(&text, json)) != (rows as u64, rows) {
                return Err(format!("{name}: {verdicts} of {rows} rows were kept"));
            }
            best = best.min(middle - start);
            least = least.min(spent(clock) - middle);
        }
        println!(
            "{name}: {rows} rows, {:.0} MB in {best:.3} s; the parser alone {least:.3} s",
            text.len() as f64 / 1e6
        );
        if whole && most < best {
            wrong.push(format!("{name} took {best:.3} s, and {most} are allowed"));
        }
    }
    Ok(wrong)
}

#[expect(clippy::print_stderr, reason = "what is wrong is said")]
fn main() -> ExitCode {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    let whole = asked("--bench") && !asked("--test");
    match run(if whole { 1_000_000 } else { 1_000 }, whole) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("{}", wrong.join("\n"));
            ExitCode::FAILURE
        }
        Err(mistake) => {
            eprintln!("{mistake}");
            ExitCode::FAILURE
        }
    }
}
