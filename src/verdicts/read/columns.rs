//! Columns by their names, and what stands in them.

use super::super::options::{Coding, Options, Role};
use super::fields::Row;
use super::word::{Word, grade, word};

/// The start of a file: its columns, and some records.
#[derive(Debug, Default)]
pub(super) struct Sample {
    pub(super) columns: Vec<String>,
    /// The columns without case and signs.
    plain: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// What columns may be called, the most telling name first; case and signs do not matter.
const SYNONYMS: [(Role, &str); 17] = [
    (
        Role::Pair,
        "pairid pair itemid item questionid qid instructionid promptid exampleid sampleid idx id \
         uid caseid taskid battleid question case index",
    ),
    (
        Role::First,
        "first shownfirst firstsystem firstmodel systemfirst modelfirst firstshown slot1 slota \
         left",
    ),
    (
        Role::Second,
        "second shownsecond secondsystem secondmodel systemsecond modelsecond secondshown slot2 \
         slotb right",
    ),
    (Role::One, "modela model1 systema system1 generator1 assistanta assistant1 namea name1 a"),
    (Role::Two, "modelb model2 systemb system2 generator2 assistantb assistant2 nameb name2 b"),
    (Role::Order, "order swapped swap isswapped reversed presentation ordering"),
    (
        Role::Verdict,
        "verdict judgeverdict judgepick judgewinner judgechoice judgepreference judgedecision \
         pick decision choice winner preference preferred judgment judgement vote better \
         judgelabel pred prediction judgescore score rating grade points passed pass iscorrect \
         correct result outcome judgeresponse judgeoutput completion response",
    ),
    (
        Role::Gold,
        "gold goldlabel goldverdict goldwinner humanwinner humanlabel humanverdict \
         humanpreference humanpick humanchoice humanscore humanrating humangrade human label \
         truth groundtruth expert expertlabel reference target expected key",
    ),
    (Role::Judge, "judge judgemodel judgename judgeid annotator evaluator grader rater"),
    (Role::Repeat, "repeat rep repetition epoch run trial replicate attempt iteration seed"),
    (
        Role::Stratum,
        "stratum strata task set category subset slice domain dataset topic language source",
    ),
    (
        Role::LengthFirst,
        "lengthfirst lenfirst firstlength firstlen wordsfirst tokensfirst charsfirst answerfirst \
         textfirst firstanswer firstresponse responsefirst",
    ),
    (
        Role::LengthSecond,
        "lengthsecond lensecond secondlength secondlen wordssecond tokenssecond charssecond \
         answersecond textsecond secondanswer secondresponse responsesecond",
    ),
    (
        Role::LengthOne,
        "length1 len1 lengtha lena lengthone words1 wordsa tokens1 tokensa chars1 charsa output1 \
         outputa response1 responsea answer1 answera text1 texta",
    ),
    (
        Role::LengthTwo,
        "length2 len2 lengthb lenb lengthtwo words2 wordsb tokens2 tokensb chars2 charsb output2 \
         outputb response2 responseb answer2 answerb text2 textb",
    ),
    (Role::System, "system systemid model modelid modelname generator variant candidate"),
    (
        Role::Length,
        "length len words tokens chars answerlength responselength answer output response",
    ),
];

/// Columns by role.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    by_role: Vec<(Role, usize)>,
}

impl Columns {
    /// Columns by the user's map, then by their names. An error names a mapped column that is not there.
    pub(super) fn assign(sample: &Sample, options: &Options) -> Result<Self, String> {
        let mut found = Self::default();
        let gold = options.gold.iter().map(|it| (Role::Gold, it));
        for (role, name) in options.map.iter().map(|it| (it.0, &it.1)).chain(gold) {
            let column = sample.find(name).ok_or_else(|| name.clone())?;
            if found.get(role).is_none() {
                found.by_role.push((role, column));
            }
        }
        for (role, names) in SYNONYMS {
            if found.get(role).is_some() {
                continue;
            }
            let free = |column: &usize| !found.by_role.iter().any(|it| it.1 == *column);
            let named = |name: &str| sample.plain.iter().position(|it| it == name).filter(free);
            let column = names.split_whitespace().find_map(named);
            if let Some(column) = column {
                found.by_role.push((role, column));
            }
        }
        Ok(found)
    }

    pub(super) fn get(&self, role: Role) -> Option<usize> {
        self.by_role.iter().find(|it| it.0 == role).map(|it| it.1)
    }

    /// Both columns, where both are there.
    pub(super) fn both(&self, one: Role, two: Role) -> Option<[usize; 2]> {
        Some([self.get(one)?, self.get(two)?])
    }

    /// Gives a role to a column, instead of the one it had.
    pub(super) fn set(&mut self, role: Role, column: usize) {
        self.by_role.retain(|it| it.0 != role && it.1 != column);
        self.by_role.push((role, column));
    }

    /// Frees the column of a role.
    pub(super) fn free(&mut self, role: Role) -> Option<usize> {
        let column = self.get(role)?;
        self.by_role.retain(|it| it.0 != role);
        Some(column)
    }

    /// Whether a column has a role.
    pub(super) fn uses(&self, column: usize) -> bool {
        self.by_role.iter().any(|it| it.1 == column)
    }
}

/// A name without case and signs.
fn folded(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Sample {
    pub(super) fn new(columns: Vec<String>, rows: Vec<Row>) -> Self {
        let plain = columns.iter().map(|it| folded(it)).collect();
        Self { columns, plain, rows }
    }

    /// The column of a name; where none has it to the letter, case and signs do not matter.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|it| it == name);
        let plain = folded(name);
        exact.or_else(|| self.plain.iter().position(|it| *it == plain))
    }

    /// What stands in a column, without what is empty.
    pub(super) fn values(&self, column: usize) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(move |row| row.get(column).trim_ascii()).filter(|it| !it.is_empty())
    }

    /// Whether a column has values, all of which are such.
    pub(super) fn all(&self, column: usize, such: impl Fn(&[u8]) -> bool) -> bool {
        self.values(column).next().is_some() && self.values(column).all(such)
    }

    /// Whether a column holds free text: long values that are no verdict in a word.
    pub(super) fn is_text(&self, column: usize) -> bool {
        self.values(column).any(|it| {
            (40 < it.len() || it.contains(&b'\n') || it.windows(2).any(|it| it == b"[["))
                && word(it).is_none()
        })
    }

    /// Whether a column holds numbers.
    pub(super) fn is_numeric(&self, column: usize) -> bool {
        self.all(column, |it| matches!(word(it), Some(Word::Missing)) || number(it).is_some())
    }

    /// Whether a column holds verdicts on pairs in words, of which one at least is decisive.
    pub(super) fn is_verdict(&self, column: usize) -> bool {
        let decisive = |it: &[u8]| matches!(word(it), Some(Word::One | Word::Two | Word::Slot(_)));
        self.all(column, |it| word(it).is_some()) && self.values(column).any(decisive)
    }

    /// Whether a column holds grades that are no verdict on a pair.
    pub(super) fn is_grade(&self, column: usize) -> bool {
        self.all(column, |it| grade(it).is_some())
    }

    /// Whether verdicts are written 0 and 1: nothing else stands there, and both do.
    pub(super) fn starts_from_zero(&self, column: usize) -> bool {
        let missing = |it: &[u8]| matches!(word(it), Some(Word::Missing | Word::Invalid));
        self.all(column, |it| matches!(it, b"0" | b"1") || missing(it))
            && [b"0", b"1"].iter().all(|digit| self.values(column).any(|it| it == *digit))
    }

    /// Up to three different values of a column.
    pub(super) fn distinct(&self, columns: &[usize]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for value in columns.iter().flat_map(|it| self.values(*it)) {
            let value = String::from_utf8_lossy(value);
            if found.len() < 3 && !found.iter().any(|it| *it == value) {
                found.push(value.into_owned());
            }
        }
        found
    }
}

/// A number that a cell is.
pub(super) fn number(cell: &[u8]) -> Option<f64> {
    str::from_utf8(cell).ok()?.parse::<f64>().ok().filter(|it| it.is_finite())
}

/// What the name of a verdict's column hints at: a winner is a system, a pick or a verdict is a slot.
pub(super) fn hint(name: &str) -> Option<Coding> {
    let name = folded(name);
    let has = |words: &[&str]| words.iter().any(|it| name.contains(it));
    if has(&["winner", "better", "preferred", "best"]) {
        Some(Coding::System)
    } else if has(&["verdict", "pick", "slot", "choice", "decision", "position"]) {
        Some(Coding::Slot)
    } else {
        None
    }
}
