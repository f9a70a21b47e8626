//! A world from a CSV table: cases with the truth and the length of each system's answer.

use std::collections::{BTreeMap, BTreeSet};

use csv::{Position, StringRecord};

use super::gap::Gap;
use super::length::Length;
use super::{Answer, Case, Kind, MOST_STRATA, Marks, Stratum, World};
use crate::evidence::Gold;

/// What is wrong with a table: the line, the offending text, the rule and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableMistake {
    /// The line, from 1.
    pub line: usize,
    /// The offending text.
    pub value: String,
    /// The rule it breaks.
    pub rule: String,
    /// What to do about it.
    pub remedy: String,
}

pub(super) fn mistake(
    line: usize,
    value: &str,
    rule: impl Into<String>,
    remedy: &str,
) -> TableMistake {
    TableMistake { line, value: value.to_owned(), rule: rule.into(), remedy: remedy.to_owned() }
}

/// A table of cases, read for two of its systems.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The world of the chosen cases.
    pub world: World,
    /// Whether the table tells lengths.
    pub has_lengths: bool,
}

/// What to read of a table. Cases that differ in what is read do not share their law, so no more is read than is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only the cases in which the two systems' truths differ.
    pub differing: bool,
    /// The strata.
    pub strata: bool,
    /// The rows, for judges that look them up.
    pub rows: bool,
}

/// Where the columns are.
struct Columns {
    id: usize,
    stratum: Option<usize>,
    labelled: Option<usize>,
    truth: [usize; 2],
    words: [Option<usize>; 2],
    reworded: [Option<usize>; 2],
}

impl Table {
    /// Reads the text of a CSV file.
    ///
    /// # Errors
    /// Every mistake in the table: a missing column, a duplicate id, a truth that is no number, a length of 0.
    pub fn read(
        text: &str,
        systems: [Answer; 2],
        wanted: Wanted,
    ) -> Result<Self, Vec<TableMistake>> {
        let (mut reader, header) = header_of(text)?;
        let names = [&systems[0].system, &systems[1].system].map(ToString::to_string);
        let columns = columns(&header, &names)?;
        let mut table = Self {
            world: World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() },
            has_lengths: columns.words.iter().all(Option::is_some),
        };
        let mut mistakes = Vec::new();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (row, record) in reader.records().enumerate() {
            match record {
                Ok(record) => {
                    let line = line(record.position());
                    let row = u32::try_from(row).unwrap_or(u32::MAX);
                    table.add((row, &record, line), &columns, wanted, &mut mistakes);
                    let id = record.get(columns.id).unwrap_or("").to_owned();
                    if let Some(first) = seen.insert(id.clone(), line) {
                        let rule = format!("this id stands at line {first} already");
                        mistakes.push(mistake(line, &id, rule, "give each case an id of its own"));
                    }
                }
                Err(error) => mistakes.push(of_csv(&error)),
            }
        }
        if seen.is_empty() && mistakes.is_empty() {
            mistakes.push(mistake(1, "", "the table has no cases", "add a line for each case"));
        } else if table.world.cases.is_empty() && mistakes.is_empty() {
            let rule = "the two systems' truths differ in no case";
            mistakes.push(mistake(1, "", rule, "take all cases, or other systems"));
        }
        if mistakes.is_empty() { Ok(table) } else { Err(mistakes) }
    }

    /// The first so many cases; beyond the last one the table begins anew, with further cases that are like them.
    #[must_use]
    pub fn of_size(mut self, cases: usize) -> Self {
        let all = &mut self.world.cases;
        let own = all.len();
        all.truncate(cases);
        let mut names: BTreeSet<String> = all.iter().map(|it| it.id.clone()).collect();
        for place in own..cases {
            let like = &all[place % own];
            let mut id = format!("{} ({})", like.id, 1 + place / own);
            while !names.insert(id.clone()) {
                id.push('\'');
            }
            let kind = like.kind;
            all.push(Case { id, kind });
        }
        self
    }

    fn add(
        &mut self,
        (row, record, line): (u32, &StringRecord, usize),
        columns: &Columns,
        wanted: Wanted,
        mistakes: &mut Vec<TableMistake>,
    ) {
        let field = |column: usize| record.get(column).unwrap_or("");
        let mut number = |column: usize, rule: &str, good: fn(f64) -> bool| {
            let value: f64 = field(column).parse().unwrap_or(f64::NAN);
            if !good(value) {
                mistakes.push(mistake(line, field(column), rule, "mend the number"));
            }
            value
        };
        let truth = columns.truth.map(|at| {
            number(at, "a truth is a finite number, 0 or 1 for wrong or right", |x| x.abs() <= 1e6)
        });
        let words = columns.words.map(|at| {
            at.map_or(1.0, |at| {
                number(at, "a length is a number of words above 0", |x| 0.0 < x && x <= 1e9)
            })
        });
        let mut flag =
            |at: Option<usize>, unmarked: bool, rule: &str, remedy: &str| match at.map(&field) {
                None => unmarked,
                Some("0") => false,
                Some("1") => true,
                Some(other) => {
                    mistakes.push(mistake(line, other, rule, remedy));
                    unmarked
                }
            };
        let reworded = columns.reworded.map(|at| {
            flag(at, false, "a wording flag is 0 or 1", "write 1 where the wording differs")
        });
        let labelled = flag(
            columns.labelled,
            true,
            "a label flag is 0 or 1",
            "write 0 where no gold label was bought",
        );
        let gap = truth[0] - truth[1];
        if wanted.differing && gap == 0.0 {
            return;
        }
        let stratum = match columns.stratum.filter(|_| wanted.strata) {
            Some(at) => self.stratum(field(at), line, mistakes),
            None => 0,
        };
        let row = if wanted.rows { row } else { 0 };
        let kind = Kind {
            gap: Gap::Fixed { gap, gold: label(truth) },
            length: Length::Fixed(libm::log2(words[0] / words[1])),
            marks: Marks { reworded, stratum, labelled, row, ..Marks::default() },
        };
        // Where rows are told apart no two cases are alike, and there is nothing to search for.
        let known = || self.world.kinds.iter().position(|other| *other == kind);
        let alike = if wanted.rows { None } else { known() };
        let place = alike.unwrap_or_else(|| {
            self.world.kinds.push(kind);
            self.world.kinds.len() - 1
        });
        self.world.cases.push(Case { id: field(columns.id).to_owned(), kind: place });
    }

    /// The place of a stratum among the world's.
    fn stratum(&mut self, name: &str, line: usize, mistakes: &mut Vec<TableMistake>) -> u8 {
        let strata = &mut self.world.strata;
        let place = strata.iter().position(|it| it.name == name).unwrap_or_else(|| {
            strata.push(Stratum { name: name.to_owned(), share: None, passes: None });
            strata.len() - 1
        });
        if place == MOST_STRATA {
            let rule = format!("a table has at most {MOST_STRATA} strata, and this is one more");
            mistakes.push(mistake(line, name, rule, "join small strata"));
        }
        u8::try_from(place).unwrap_or(u8::MAX)
    }
}

/// Truths of 0 and 1 are graded answers; others are compared.
fn label(truth: [f64; 2]) -> Gold {
    let graded = truth.iter().all(|it| *it == 0.0 || *it == 1.0);
    if graded {
        Gold::graded(truth[0] == 1.0, truth[1] == 1.0)
    } else {
        Gold::of(truth[0] - truth[1], 0.0)
    }
}

fn columns(header: &StringRecord, systems: &[String; 2]) -> Result<Columns, Vec<TableMistake>> {
    let find = |name: &str| header.iter().position(|it| it == name);
    let mut missing = Vec::new();
    let mut need = |name: String| {
        find(&name).unwrap_or_else(|| {
            let has = header.iter().collect::<Vec<_>>().join(", ");
            let rule = format!("the column `{name}` is missing; the table has {has}");
            missing.push(mistake(1, "", rule, "add the column, or choose other systems"));
            0
        })
    };
    let id = need("id".to_owned());
    let truth = [0, 1].map(|k: usize| need(format!("truth_{}", systems[k])));
    if !missing.is_empty() {
        return Err(missing);
    }
    let each = |what: &str| [0, 1].map(|k: usize| find(&format!("{what}_{}", systems[k])));
    Ok(Columns {
        id,
        stratum: find("stratum"),
        labelled: find("labelled"),
        truth,
        words: each("words"),
        reworded: each("reworded"),
    })
}

/// A reader of the text of a CSV file, past its header, and the header.
pub(super) fn header_of(
    text: &str,
) -> Result<(csv::Reader<&[u8]>, StringRecord), Vec<TableMistake>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes());
    let header = reader.headers().map_err(|error| vec![of_csv(&error)])?.clone();
    Ok((reader, header))
}

pub(super) fn line(position: Option<&Position>) -> usize {
    position.and_then(|it| usize::try_from(it.line()).ok()).unwrap_or(1)
}

pub(super) fn of_csv(error: &csv::Error) -> TableMistake {
    let at = line(error.position());
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let rule = format!("this line has {len} fields and the header {expected_len}");
            mistake(at, "", rule, "give each line a field for each column")
        }
        _ => mistake(at, "", "this line is no CSV", "mend the quotes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn systems() -> [Answer; 2] {
        ["A", "C"].map(|name| Answer { system: name.into(), family: name.into() })
    }

    #[test]
    fn cases_keep_their_order_and_their_lengths() {
        let text = "id,truth_A,truth_C,words_A,words_C\nq1,1,0,8,2\nq2,1,1,3,3\n q3 ,0,1,8,2\n";
        let all = Table::read(text, systems(), Wanted::default()).unwrap();
        assert_eq!(
            all.world.cases.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(),
            ["q1", "q2", "q3"]
        );
        assert_eq!(all.world.kinds[0].length, Length::Fixed(2.0));
        let differing =
            Table::read(text, systems(), Wanted { differing: true, ..Wanted::default() }).unwrap();
        assert_eq!(differing.world.cases.len(), 2);
        assert!((differing.world.better_share() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_table_that_ends_begins_anew() {
        let text = "id,truth_A,truth_C\nq,1,0\nq (2),0,1\n";
        let read = || Table::read(text, systems(), Wanted::default()).unwrap();
        let ids = |n| -> Vec<(String, usize)> {
            read().of_size(n).world.cases.into_iter().map(|it| (it.id, it.kind)).collect()
        };
        assert_eq!(ids(1), [("q".to_owned(), 0)]);
        let (names, kinds): (Vec<_>, Vec<_>) = ids(5).into_iter().unzip();
        assert_eq!(names, ["q", "q (2)", "q (2)'", "q (2) (2)", "q (3)"]);
        assert_eq!(kinds, [0, 1, 0, 1, 0]);
    }

    #[test]
    fn every_mistake_of_a_table_is_told_with_its_line() {
        let told = |text: &str| -> Vec<(usize, String)> {
            let all = Table::read(text, systems(), Wanted::default()).unwrap_err();
            all.into_iter().map(|it| (it.line, it.rule)).collect()
        };
        assert!(told("id,truth_A\nq,1\n")[0].1.contains("truth_C"));
        let twice = told("id,truth_A,truth_C\nq,1,0\nq,x,1\n");
        assert_eq!(twice.iter().map(|it| it.0).collect::<Vec<_>>(), [3, 3]);
        assert!(told("id,truth_A,truth_C\nq,1\n")[0].1.contains("2 fields"));
        assert!(told("id,truth_A,truth_C,words_A,words_C\nq,1,0,0,4\n")[0].1.contains("above 0"));
        assert!(told("id,truth_A,truth_C\n")[0].1.contains("no cases"));
        assert!(told("")[0].1.contains("missing"));
    }
}
