//! Tables of the user's own making: columns by a map or by their names.

use super::super::columns::{Columns, Sample, hint};
use super::super::layout::{
    Asking, Code, Graded, Layout, Lengths, Naming, Paired, Rows, Systems, Turn,
};
use super::super::word::{grade, word};
use crate::verdicts::contents::Format;
use crate::verdicts::options::{Options, Role};

/// The rule and the remedy.
type Unknown = (String, String);

/// Makes out a table.
pub(super) fn recognise(
    sample: &Sample,
    options: &Options,
    judge: &str,
) -> Result<Layout, Unknown> {
    let columns = Columns::assign(sample, options).map_err(|name| {
        let rule = format!("no column is called {name}; there are {}", listed(&sample.columns));
        (rule, "map a column that is there, with --map role=column".to_owned())
    })?;
    let table = Table { sample, columns, judge, notes: Vec::new() };
    let key = sample.find("cmp_key").filter(|it| !table.columns.uses(*it));
    match (table.columns.get(Role::Verdict), key) {
        (Some(verdict), None) if table.is_of_pairs(verdict) => table.pairs(&[verdict], None),
        (Some(verdict), None) => Ok(table.grades(&[verdict])),
        (verdict, key) => {
            let mut judges: Vec<usize> = table.free(super::super::columns::Sample::is_verdict);
            judges.extend(verdict.filter(|_| judges.is_empty()));
            if judges.is_empty() { table.graded_by_columns() } else { table.pairs(&judges, key) }
        }
    }
}

/// The columns of a file, in a sentence.
fn listed(columns: &[String]) -> String {
    let shown: Vec<&str> = columns.iter().take(20).map(String::as_str).collect();
    let more = if shown.len() < columns.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

struct Table<'a> {
    sample: &'a Sample,
    columns: Columns,
    judge: &'a str,
    notes: Vec<String>,
}

impl Table<'_> {
    /// Columns that have no role and hold such values.
    fn free(&self, such: impl Fn(&Sample, usize) -> bool) -> Vec<usize> {
        let never = ["turn", "round", "cmp_key"];
        let free = |it: &usize| {
            let name = self.sample.columns[*it].to_lowercase();
            !self.columns.uses(*it) && !never.contains(&name.as_str()) && such(self.sample, *it)
        };
        (0..self.sample.columns.len()).filter(free).collect()
    }

    /// Whether verdicts compare two answers.
    fn is_of_pairs(&self, verdict: usize) -> bool {
        let has = |role| self.columns.get(role).is_some();
        if has(Role::First) || has(Role::One) && has(Role::Two) || has(Role::Order) {
            return true;
        }
        let texts: Vec<&[u8]> = self.sample.values(verdict).collect();
        let marked = |it: &&[u8]| {
            [&b"[[A"[..], b"[[B", b"[[C"].iter().any(|mark| it.windows(3).any(|it| it == *mark))
        };
        if self.sample.is_text(verdict) {
            return texts.iter().any(marked);
        }
        let letters = |it: &&[u8]| word(it).is_some() && grade(it).is_none();
        self.sample.is_verdict(verdict)
            && (texts.iter().any(letters) || has(Role::LengthOne) && has(Role::LengthTwo))
    }

    fn name(&self, role: Role) -> Naming {
        self.columns.get(role).map_or_else(|| Naming::Fixed(String::new()), Naming::Column)
    }

    /// The item: its number, or a digest of its text, within its stratum.
    fn item(&mut self) -> Naming {
        let is_text = |it: &usize| self.sample.values(*it).any(|it| 60 < it.len());
        let texts = ["instruction", "prompt", "input", "question", "query"];
        let pair = match self.columns.get(Role::Pair) {
            Some(column) if !is_text(&column) => column,
            text => {
                let text = text.or_else(|| texts.iter().find_map(|it| self.sample.find(it)));
                if text.is_none() {
                    let note = "No column names the item, so each record is an item of its own; \
                                --map pair=COLUMN names one.";
                    self.notes.push(note.to_owned());
                }
                return text.map_or(Naming::Number, |it| Naming::Digest(vec![it]));
            }
        };
        let turn = self.sample.find("turn").filter(|it| !self.columns.uses(*it));
        let parts: Vec<usize> =
            self.columns.get(Role::Stratum).into_iter().chain([pair]).chain(turn).collect();
        if parts.len() == 1 { Naming::Column(pair) } else { Naming::Joined(parts) }
    }

    fn judge(&self, column: Option<usize>) -> Naming {
        let parts: Vec<usize> =
            ["judge.0", "judge.1"].iter().filter_map(|it| self.sample.find(it)).collect();
        match (column, parts.is_empty()) {
            (Some(column), _) => Naming::Column(column),
            (None, false) => Naming::Joined(parts),
            _ => Naming::Fixed(self.judge.to_owned()),
        }
    }

    fn code(&mut self, column: usize) -> Code {
        if self.sample.is_text(column) {
            Code::Text
        } else if self.sample.starts_from_zero(column) {
            let name = &self.sample.columns[column];
            self.notes
                .push(format!("The column {name} holds 0 and 1 only: read as first and second."));
            Code::FromZero
        } else {
            Code::Word
        }
    }

    fn turn(&self) -> Turn {
        self.columns.get(Role::Order).map_or(Turn::Unplaced, |column| Turn::By {
            column,
            from_one: self.sample.values(column).any(|it| it == b"2"),
        })
    }

    /// The two systems of a record.
    fn systems(&self, verdict: usize, key: Option<usize>) -> Result<Systems, Unknown> {
        let by = Naming::Column;
        let fixed = |name: &str| Naming::Fixed(name.to_owned());
        if let Some(column) = key {
            let joined = |it: &[u8]| it.split(|it| *it == b'_').count() == 2;
            let part = |part| Naming::Part { column, separator: '_', part, of: 2 };
            let split = self.sample.all(column, joined);
            return Ok(if split {
                Systems::Shown(part(0), part(1))
            } else {
                Systems::Shown(fixed("1"), fixed("2"))
            });
        }
        if let Some([first, second]) = self.columns.both(Role::First, Role::Second) {
            return Ok(Systems::Shown(by(first), by(second)));
        }
        if let Some(first) = self.columns.get(Role::First) {
            return self.first_only(first, verdict);
        }
        let ordered = self.columns.get(Role::Order).is_some();
        Ok(match self.columns.both(Role::One, Role::Two) {
            Some([one, two]) if ordered => Systems::OneTwo(by(one), by(two)),
            Some([one, two]) => Systems::Shown(by(one), by(two)),
            None if ordered => Systems::OneTwo(fixed("A"), fixed("B")),
            None => Systems::Shown(fixed("A"), fixed("B")),
        })
    }

    /// Only the system shown first is named: the other is the other one of the two in the file.
    fn first_only(&self, first: usize, verdict: usize) -> Result<Systems, Unknown> {
        let mut names = self.sample.distinct(&[first]);
        if names.len() == 1 {
            names = self.sample.distinct(&[first, verdict]);
            names.retain(|it| {
                self.sample.values(first).any(|own| own == it.as_bytes())
                    || word(it.as_bytes()).is_none()
            });
        }
        let column = first;
        <[String; 2]>::try_from(names)
            .map(|systems| Systems::Shown(Naming::Column(column), Naming::Other { column, systems }))
            .map_err(|_| {
                let name = &self.sample.columns[first];
                let rule = format!("the column {name} names the system shown first, and nothing names the other one");
                (rule, "name it with --map second=COLUMN".to_owned())
            })
    }

    fn lengths(&self) -> Lengths {
        let both = |one, two| self.columns.both(one, two);
        let placed = self.columns.get(Role::Order).is_some();
        let (columns, of_systems) = match both(Role::LengthFirst, Role::LengthSecond) {
            Some(columns) => (columns, false),
            None => match both(Role::LengthOne, Role::LengthTwo) {
                Some(columns) => (columns, placed),
                None => return Lengths::default(),
            },
        };
        let texts = !columns.iter().all(|it| self.sample.is_numeric(*it));
        Lengths { columns: columns.map(|it| vec![it]), of_systems, texts }
    }

    fn pairs(mut self, verdicts: &[usize], key: Option<usize>) -> Result<Layout, Unknown> {
        let arena = self.human_beside_judge(verdicts);
        let wide = 1 < verdicts.len() || key.is_some();
        if !wide
            && self.columns.get(Role::Judge).is_none()
            && let Some(model) = self.columns.free(Role::System)
        {
            self.columns.set(Role::Judge, model);
        }
        let item = self.item();
        let gold = self
            .columns
            .get(Role::Gold)
            .filter(|it| !verdicts.contains(it))
            .map(|it| (it, self.code(it)));
        let mut askings = Vec::new();
        for verdict in verdicts {
            let column = Naming::Fixed(self.sample.columns[*verdict].clone());
            askings.push(Asking {
                systems: self.systems(*verdict, key)?,
                turn: self.turn(),
                judge: if wide { column } else { self.judge(self.columns.get(Role::Judge)) },
                repeat: self.name(Role::Repeat),
                verdict: *verdict,
                code: self.code(*verdict),
                gold,
                lengths: self.lengths(),
            });
        }
        let rows = Paired {
            item,
            stratum: self.name(Role::Stratum),
            askings,
            coding: None,
            hint: verdicts.first().and_then(|it| hint(&self.sample.columns[*it])),
            gold_coding: None,
        };
        let format = match (key, arena) {
            (Some(_), _) => Format::PandaLm,
            (None, true) => Format::Arena,
            _ if wide => Format::Wide,
            _ => Format::Plain,
        };
        Ok(Layout { format, rows: Rows::Pairs(rows), notes: self.notes })
    }

    /// Battles: beside a judge's pick, `winner` is what people say. Whether people are there at all.
    fn human_beside_judge(&mut self, verdicts: &[usize]) -> bool {
        let own = |it: &usize| self.sample.columns[*it].to_lowercase().starts_with("judge");
        let [verdict] = verdicts else { return false };
        if own(verdict)
            && self.columns.get(Role::Gold).is_none()
            && let Some(winner) = self.sample.find("winner")
        {
            self.columns.set(Role::Gold, winner);
        }
        let human = self.columns.get(Role::Gold).map(|it| self.sample.columns[it].to_lowercase());
        own(verdict) && human.is_some_and(|it| it.contains("human") || it == "winner")
    }

    /// No column of verdicts: numbers in columns of judges, beside a label.
    fn graded_by_columns(self) -> Result<Layout, Unknown> {
        let judges = self.free(super::super::columns::Sample::is_grade);
        if judges.is_empty() || self.columns.get(Role::Gold).is_none() {
            let rule = format!(
                "no verdicts were found; there are the columns {}",
                listed(&self.sample.columns)
            );
            let remedy = "say which is which, for example --map pair=id,first=model_a,second=model_b,verdict=pick";
            return Err((rule, remedy.to_owned()));
        }
        Ok(self.grades(&judges))
    }

    fn grades(mut self, scores: &[usize]) -> Layout {
        let wide = self.columns.get(Role::Verdict).is_none();
        let item = self.item();
        let judge = |it: &usize| {
            let column = Naming::Fixed(self.sample.columns[*it].clone());
            let judge = if wide { column } else { self.judge(self.columns.get(Role::Judge)) };
            (judge, *it, self.sample.is_text(*it))
        };
        let label = self.columns.get(Role::Gold).filter(|it| !scores.contains(it));
        let rows = Graded {
            item,
            stratum: self.name(Role::Stratum),
            system: self.name(Role::System),
            repeat: self.name(Role::Repeat),
            judges: scores.iter().map(judge).collect(),
            label,
            length: self.columns.get(Role::Length).map(|it| (it, !self.sample.is_numeric(it))),
        };
        Layout { format: Format::Graded, rows: Rows::Grades(rows), notes: self.notes }
    }
}
