//! Grades of single answers: pass rates and what corrects them, two systems on the same cases, scores beside human scores.

mod compared;
mod concerns;
mod corrected;
mod scores;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use compared::{Compared, Passes, Slice};
pub use corrected::{Corrected, Grading};
pub use scores::Scores;

use super::latent::{Latent, Named, latent};
use super::number::Number;
use super::position::ratio_of;
use super::{Answer, Options, Source};
use crate::evidence::{Verdict, Votes};
use crate::stats::clustered::RatioSums;
use crate::verdicts::{Grade, Grades};

/// What a file of grades says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    /// The confidence level.
    pub level: f64,
    /// The files, where rows were read from some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Source>,
    /// Whether grades are pass or fail; else they are scores.
    pub binary: bool,
    /// Judge by judge.
    pub judges: Vec<JudgeGrades>,
    /// System by system what three or more judges say of pass and fail without a label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_labels: Vec<Unlabelled>,
}

/// What several judges say of one system without a label: the first class is pass, the last is fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unlabelled {
    /// The system; empty where the file names none.
    pub system: String,
    /// What they say.
    pub panel: Answer<Latent>,
}

/// What one judge's grades say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeGrades {
    /// Its name.
    pub judge: String,
    /// System by system.
    pub systems: Vec<SystemGrades>,
    /// Two systems on the same cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Compared>,
    /// Scores beside length and human scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

/// What one judge says of one system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemGrades {
    /// Its name; empty where the file names none.
    pub system: String,
    /// Cases.
    pub cases: u64,
    /// Replies.
    pub grades: u64,
    /// Replies that are no grade.
    pub invalid: u64,
    /// The most grades of one case; above 1 there are repeats (epochs), which are never counted as independent.
    pub repeats: u64,
    /// The mean grade, of pass or fail the pass rate; the case is the unit.
    pub mean: Number,
    /// The error of that mean as if every grade were independent, for comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub naive_se: Option<f64>,
    /// The share that the judge passes minus the share that the label passes, over labelled cases: above 0 it is more lenient.
    #[serde(default)]
    pub leniency: Number,
    /// How the grades compare with the labels.
    pub agreement: Answer<Grading>,
    /// The pass rate corrected for the judge's errors.
    pub corrected: Answer<Corrected>,
}

/// One case of one system: its grades and its label.
#[derive(Clone, Copy, Debug, Default)]
struct Case {
    stratum: u32,
    item: u32,
    /// Sum, sum of squares and number of the grades that are one.
    sum: f64,
    squares: f64,
    valid: u64,
    invalid: u64,
    /// Grades of pass and fail.
    votes: Votes,
    label: Option<f64>,
}

impl Case {
    fn mean(&self) -> Option<f64> {
        (0 < self.valid).then(|| self.sum / self.valid as f64)
    }

    /// Pass or fail by the majority of the grades; none without a majority.
    fn passes(&self) -> Option<bool> {
        match self.votes.majority()? {
            Verdict::First => Some(true),
            Verdict::Second => Some(false),
            Verdict::Tie | Verdict::Invalid => None,
        }
    }

    /// Pass or fail by the label.
    fn label_passes(&self) -> Option<bool> {
        self.label.map(|it| 0.5 < it)
    }

    fn key(&self) -> (u32, u32) {
        (self.stratum, self.item)
    }
}

/// The cases of one judge and one system, in the order of strata and items.
fn cases<'g>(grades: impl Iterator<Item = &'g Grade>) -> Vec<Case> {
    let mut all: BTreeMap<(u32, u32), Case> = BTreeMap::new();
    for it in grades {
        let case = all.entry((it.stratum, it.item)).or_insert_with(|| Case {
            stratum: it.stratum,
            item: it.item,
            ..Case::default()
        });
        if it.score.is_finite() {
            case.sum += it.score;
            case.squares += it.score * it.score;
            case.valid += 1;
            let verdict = if 0.5 < it.score { Verdict::First } else { Verdict::Second };
            case.votes = case.votes.plus(verdict);
        } else {
            case.invalid += 1;
            case.votes = case.votes.plus(Verdict::Invalid);
        }
        if it.label.is_finite() {
            case.label = Some(it.label);
        }
    }
    all.into_values().collect()
}

/// The analysis of grades.
#[must_use]
pub fn analyze_grades(grades: &Grades, options: &Options) -> Graded {
    let judges = (0..).zip(grades.judges.iter()).filter(|it| options.tells_of(it.1));
    let judges: Vec<(u32, &str)> = judges.collect();
    let told: Vec<JudgeGrades> =
        judges.iter().map(|(place, name)| judge(grades, *place, name, options)).collect();
    let without_labels = if grades.binary && 2 < judges.len() {
        let mut all: BTreeMap<(u32, u32), Vec<&Grade>> = BTreeMap::new();
        for it in &grades.grades {
            all.entry((it.system, it.judge)).or_default().push(it);
        }
        let systems = (0..).zip(grades.systems.iter());
        systems.filter_map(|it| unlabelled(&all, &judges, it, &told, options)).collect()
    } else {
        Vec::new()
    };
    Graded {
        level: options.level.get(),
        files: Vec::new(),
        binary: grades.binary,
        judges: told,
        without_labels,
    }
}

/// What all judges say of one system, of repeats each case's majority; none of a system that none of them graded. The grades
/// are by system and judge.
fn unlabelled(
    grades: &BTreeMap<(u32, u32), Vec<&Grade>>,
    judges: &[(u32, &str)],
    (system, name): (u32, &str),
    told: &[JudgeGrades],
    options: &Options,
) -> Option<Unlabelled> {
    let mut all: BTreeMap<(u32, u32), Vec<Option<usize>>> = BTreeMap::new();
    for (place, (judge, _)) in judges.iter().enumerate() {
        let own = grades.get(&(system, *judge));
        for case in cases(own.into_iter().flatten().copied()) {
            let said = all.entry(case.key()).or_insert_with(|| vec![None; judges.len()]);
            said[place] = case.passes().map(|passes| usize::from(!passes));
        }
    }
    let of = |judge: &JudgeGrades| {
        let it = judge.systems.iter().find(|it| it.system == name)?.agreement.given()?;
        Some([it.sensitivity.clone(), it.specificity.clone()])
    };
    let named = judges.iter().zip(told).map(|(it, judge)| Named {
        name: it.1,
        to_label: of(judge)
            .unwrap_or_else(|| [(); 2].map(|()| Number::none("the file holds no label"))),
    });
    if all.is_empty() {
        return None;
    }
    let cases: Vec<_> = all.into_iter().collect();
    let panel = match latent(named.collect(), &["pass", "fail"], &cases, options) {
        Ok(it) => Answer::Given(Box::new(it)),
        Err(why) => Answer::or(None, why),
    };
    Some(Unlabelled { system: name.to_owned(), panel })
}

fn judge(grades: &Grades, place: u32, name: &str, options: &Options) -> JudgeGrades {
    let own: Vec<Grade> = grades.grades.iter().filter(|it| it.judge == place).copied().collect();
    let of = |system: u32| cases(own.iter().filter(|it| it.system == system));
    let all: Vec<(&str, Vec<Case>)> = (0..)
        .zip(grades.systems.iter())
        .map(|(place, name)| (name, of(place)))
        .filter(|it| !it.1.is_empty())
        .collect();
    let mut comparisons = Vec::new();
    for (place, one) in all.iter().enumerate() {
        for other in &all[place + 1..] {
            comparisons.extend(compared::compared(grades, one, other, options));
        }
    }
    JudgeGrades {
        judge: name.to_owned(),
        systems: all.iter().map(|it| system(it, grades.binary, options)).collect(),
        comparisons,
        scores: if grades.binary { None } else { scores::scores(&own, options) },
    }
}

fn system((name, cases): &(&str, Vec<Case>), binary: bool, options: &Options) -> SystemGrades {
    let sum = |f: fn(&Case) -> u64| cases.iter().map(f).sum::<u64>();
    let only = "it is told of pass or fail; these are scores";
    let (agreement, corrected) = if binary {
        (
            Answer::or(corrected::grading(cases, options), "the file holds no label"),
            Answer::or(corrected::corrected(cases, options), "the file holds no label"),
        )
    } else {
        (Answer::or(None, only), Answer::or(None, only))
    };
    SystemGrades {
        system: (*name).to_owned(),
        cases: cases.len() as u64,
        grades: sum(|it| it.valid + it.invalid),
        invalid: sum(|it| it.invalid),
        repeats: cases.iter().map(|it| it.valid + it.invalid).max().unwrap_or(0),
        mean: mean(cases, binary, options),
        naive_se: naive_error(cases),
        leniency: if binary { corrected::leniency(cases, options) } else { Number::none(only) },
        agreement,
        corrected,
    }
}

/// The mean over cases of their mean grade.
fn mean(cases: &[Case], binary: bool, options: &Options) -> Number {
    let valid: Vec<&Case> = cases.iter().filter(|it| 0 < it.valid).collect();
    if binary && valid.iter().all(|it| it.valid == 1) {
        let passed = valid.iter().filter(|it| it.passes() == Some(true)).count() as u64;
        return super::position::share_of(passed, valid.len() as u64, options);
    }
    let mut sums = RatioSums::default();
    valid.iter().filter_map(|it| it.mean()).for_each(|it| sums.add(it, 1.0));
    ratio_of(&sums, options).by("t over cases")
}

fn naive_error(cases: &[Case]) -> Option<f64> {
    let n: u64 = cases.iter().map(|it| it.valid).sum();
    let (sum, squares) =
        cases.iter().fold((0.0, 0.0), |it, case| (it.0 + case.sum, it.1 + case.squares));
    let n = n as f64;
    let spread = squares - sum * sum / n;
    (1.0 < n && 0.0 < spread).then(|| (spread / (n - 1.0) / n).sqrt())
}
