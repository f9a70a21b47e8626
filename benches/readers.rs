//! What it costs to read and to analyze a million verdicts: seconds, and bytes a verdict.
//!
//! `cargo bench --bench readers` reads tables and JSON lines of some 60 MB from memory, with the two orders of each pair next to
//! each other and shuffled, and analyzes them, beside the parsers alone and a loop over lines and commas; the table has lengths,
//! the lines have none. Before that it measures the memory (Linux only, by the kernel's high-water mark) of a file that is made
//! while it is read. Last comes a file of one random order a pair, with lengths. As a test it reads a thousandth.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read};
use std::process::ExitCode;
use std::time::Instant;

use judgelab::analysis;
use judgelab::report::analysis::Recorded;
use judgelab::verdicts::{self, Contents, Options, read};

/// Seconds that a million rows without lengths may take, from the file to the text that is printed.
const ADJACENT: f64 = 1.0;
const SHUFFLED: f64 = 2.0;
/// Seconds that 100,000 pairs with lengths, each asked once in a random order, may take.
const ONE_ORDER: f64 = 1.0;
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

/// What any program takes that only splits lines at commas.
fn lines(text: &str) -> usize {
    let split =
        |it: io::Result<String>| it.map_or(0, |line| usize::from(line.split(',').count() > 1));
    BufReader::new(text.as_bytes()).lines().map(split).sum()
}

/// Each pair once, in an order that a stride draws, with lengths of which hardly two are the same.
fn one_order(pairs: usize) -> String {
    let mut text = String::from(HEADER);
    for pair in 0..pairs {
        let turned = pair * 7919 % 13 < 6;
        let (first, second) = if turned { ("claude", "gpt-4") } else { ("gpt-4", "claude") };
        let verdict = ["A", "B", "A"][pair * 31 % 7 % 3];
        let (one, two) = (100 + pair * 7 % 997, 100 + pair * 5 % 1009);
        let _ = writeln!(text, "q{pair},{first},{second},{verdict},judge,{one},{two}");
    }
    text
}

fn contents(name: &str, input: impl Read) -> Result<Contents, String> {
    read(name, input, &Options::default()).map_err(|it| it.to_string())
}

/// The letters of what `judgelab analyze` prints.
fn analyzed(it: &Contents) -> usize {
    match &it.read {
        verdicts::Read::Pairs(it) => {
            let it = analysis::analyze(it, &analysis::Options::default());
            Recorded::from(it).text(None).len()
        }
        verdicts::Read::Grades(_) => 0,
    }
}

/// What was too slow or too large, and mistakes.
#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
fn run(rows: usize, whole: bool) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let before = peak();
    let made = Made { rows, at: 0, text: HEADER.to_owned(), given: 0 };
    let verdicts = contents("made.csv", made)?.counts.kept;
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
        let clock = Instant::now();
        let mut best = [f64::INFINITY; 4];
        for _ in 0..if whole { 3 } else { 1 } {
            let mut times = [spent(clock); 5];
            let it = contents(name, text.as_bytes())?;
            times[1] = spent(clock);
            let letters = analyzed(&it);
            times[2] = spent(clock);
            let parsed = floor(&text, json);
            times[3] = spent(clock);
            let split = lines(&text);
            times[4] = spent(clock);
            let kept = it.counts.kept;
            if (kept, parsed) != (rows as u64, rows) || letters == 0 || split < rows {
                return Err(format!("{name}: {kept} of {rows} rows were kept"));
            }
            (0..4).for_each(|k| best[k] = best[k].min(times[k + 1] - times[k]));
        }
        let [reading, analysis, parser, lines] = best;
        println!(
            "{name}: {rows} rows, {:.0} MB read in {reading:.3} s and analyzed in {analysis:.3} s; the parser alone \
             {parser:.3} s, lines split at commas {lines:.3} s",
            text.len() as f64 / 1e6
        );
        let took = reading + if json { analysis } else { 0.0 };
        if whole && most < took {
            wrong.push(format!("{name} took {took:.3} s, and {most} are allowed"));
        }
    }
    let text = one_order(rows.div_ceil(10));
    let clock = Instant::now();
    let start = spent(clock);
    let letters = analyzed(&contents("one order", text.as_bytes())?);
    let took = spent(clock) - start;
    println!("one order: {} rows read and analyzed in {took:.3} s", rows.div_ceil(10));
    if whole && ONE_ORDER < took || letters == 0 {
        wrong.push(format!("one order took {took:.3} s, and {ONE_ORDER} are allowed"));
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
