//! Two systems graded on the same cases: the paired difference, which cases were won and lost, and slice by slice.

use serde::{Deserialize, Serialize};

use super::super::between::Difference;
use super::super::detectable::{Detectable, POWER, by_error};
use super::super::number::Number;
use super::super::position::ratio_of;
use super::super::{Options, rule};
use super::Case;
use crate::estimators::Settings;
use crate::evidence::{Answers, Item, Order, Sums, Verdict};
use crate::stats::clustered::RatioSums;
use crate::stats::multiplicity::{benjamini_hochberg, holm};
use crate::stats::special::t_tail;
use crate::study::detect::{Bias, Question, detect};
use crate::verdicts::Grades;

/// The largest number of cases whose powers are summed for an analysis.
const MOST_SUMMED: u64 = 3_000;
/// The most cases that are listed by name.
const MOST_LISTED: usize = 200;

/// Two systems on the same cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The first system and the second.
    pub systems: [String; 2],
    /// Cases that both were graded on.
    pub cases: u64,
    /// Mean grade of the first system minus the second's, over cases: each case's grades are averaged first.
    pub difference: Difference,
    /// The same as if the systems had been graded on different cases.
    pub unpaired: Number,
    /// Pass or fail, of repeats each case's majority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<Passes>,
    /// Slice by slice, where the file names strata; of pass or fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<Slice>,
}

/// Which cases which system passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passes {
    /// Both pass.
    pub both: u64,
    /// The first only.
    pub first_only: u64,
    /// The second only.
    pub second_only: u64,
    /// Neither.
    pub neither: u64,
    /// Tango's interval and the mid-p test.
    pub mid_p: Number,
    /// Newcombe's interval and the exact test.
    pub exact: Number,
    /// The smallest difference that these cases would have shown.
    pub smallest_detectable: Detectable,
    /// Cases that only the first passes: regressions from the first to the second.
    pub lost: Vec<String>,
    /// Cases that only the second passes: improvements.
    pub won: Vec<String>,
}

/// One stratum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// Its name.
    pub stratum: String,
    /// Cases.
    pub cases: u64,
    /// The first only.
    pub first_only: u64,
    /// The second only.
    pub second_only: u64,
    /// First minus second, Tango's interval and the mid-p test by itself.
    pub difference: Number,
    /// The p-value with the error of all slices held (Holm).
    pub holm: f64,
    /// The p-value with the rate of false discoveries held (Benjamini & Hochberg).
    pub bh: f64,
}

/// A case of both systems.
type Both<'c> = (&'c Case, &'c Case);

/// The comparison; none where no case is shared.
pub(super) fn compared(
    grades: &Grades,
    (one, first): &(&str, Vec<Case>),
    (other, second): &(&str, Vec<Case>),
    options: &Options,
) -> Option<Compared> {
    let mut rest = second.iter().peekable();
    let both: Vec<Both<'_>> = first
        .iter()
        .filter_map(|case| {
            while rest.next_if(|it| it.key() < case.key()).is_some() {}
            rest.next_if(|it| it.key() == case.key()).map(|it| (case, it))
        })
        .collect();
    if both.is_empty() {
        return None;
    }
    let unit = if grades.binary { "share" } else { "score points" };
    Some(Compared {
        systems: [(*one).to_owned(), (*other).to_owned()],
        cases: both.len() as u64,
        difference: Difference::of(paired(&both, options), unit, options),
        unpaired: unpaired(&both),
        passes: if grades.binary { passes(grades, &both, options) } else { None },
        strata: if grades.binary { strata(grades, &both, options) } else { Vec::new() },
    })
}

/// The t interval and test of the differences of case means.
fn paired(both: &[Both<'_>], options: &Options) -> Number {
    let mut sums = RatioSums::default();
    for (a, b) in both {
        if let (Some(a), Some(b)) = (a.mean(), b.mean()) {
            sums.add(a - b, 1.0);
        }
    }
    let number = ratio_of(&sums, options);
    match sums.p_value(0.0) {
        Ok(p) => number.with_p(p).by("paired t over cases"),
        Err(_) => number,
    }
}

/// Welch's t test of the case means.
fn unpaired(both: &[Both<'_>]) -> Number {
    let of = |side: fn(&Both<'_>) -> Option<f64>| {
        let mut sums = RatioSums::default();
        both.iter().filter_map(side).for_each(|it| sums.add(it, 1.0));
        Some((sums.ratio().ok()?, sums.error().ok()?, sums.items as f64))
    };
    let (Some((x, s, n)), Some((y, t, m))) = (of(|it| it.0.mean()), of(|it| it.1.mean())) else {
        return Number::none("a system's grades do not vary");
    };
    let (s, t) = (s * s, t * t);
    let df = (s + t) * (s + t) / (s * s / (n - 1.0) + t * t / (m - 1.0));
    let error = (s + t).sqrt();
    let p = t_tail((x - y) / error, df);
    Number::exact(x - y)
        .with_se(error)
        .with_p(p)
        .by("Welch (1947) over case means, blind to the pairing")
}

/// What the rules of paired differences read of two cases; of repeats, the majority.
fn step((a, b): Both<'_>) -> Sums {
    let step = rule("difference/mid-p").reads.step;
    let verdict = |it: bool| if it { Verdict::First } else { Verdict::Second };
    let (Some(a), Some(b)) = (a.passes(), b.passes()) else { return Sums::default() };
    let answers = [Answers::default().plus(Order::Ab, verdict(a)).plus(Order::Ba, verdict(b))];
    let length = std::cmp::Ordering::Equal;
    step(&Item { answers: &answers, gold: None, stratum: 0, length, share: 0 })
}

fn sums(both: &[Both<'_>]) -> Sums {
    both.iter().fold(Sums::default(), |sums, it| sums.plus(step(*it)))
}

fn say(name: &str, sums: &Sums, settings: &Settings) -> Number {
    let rule = rule(name);
    Number::estimate(rule, &rule.estimate(sums, settings))
}

fn passes(grades: &Grades, both: &[Both<'_>], options: &Options) -> Option<Passes> {
    let sums = sums(both);
    let [both_pass, first_only, second_only, neither] =
        [0, 1, 2, 3].map(|k: usize| sums.0[k].unsigned_abs());
    let n = both_pass + first_only + second_only + neither;
    if n == 0 {
        return None;
    }
    let named = |place: usize| -> Vec<String> {
        let of = both.iter().filter(|it| step(**it).0[place] == 1).take(MOST_LISTED);
        of.map(|it| grades.items.name(it.0.item).to_owned()).collect()
    };
    let mid_p = say("difference/mid-p", &sums, &options.settings());
    Some(Passes {
        both: both_pass,
        first_only,
        second_only,
        neither,
        exact: say("difference/exact", &sums, &options.settings()),
        smallest_detectable: detectable(n, first_only + second_only, &mid_p, options),
        mid_p,
        lost: named(1),
        won: named(2),
    })
}

fn detectable(n: u64, discordant: u64, number: &Number, options: &Options) -> Detectable {
    if discordant == 0 {
        return Detectable::none("share", "the systems differ on no case");
    }
    let psi = discordant as f64 / n as f64;
    if MOST_SUMMED < n {
        let z = crate::stats::special::normal_quantile(0.5 + options.level.get() / 2.0);
        let half = number.high.zip(number.low).map(|(high, low)| (high - low) / 2.0);
        return by_error(
            &Number { se: half.map(|it| it / z), ..number.clone() },
            "share",
            options.level,
        );
    }
    let question = Question {
        level: options.level,
        discordant: Some(psi),
        ..Question::about(Bias::Difference)
    };
    match detect(&question, n) {
        Ok(it) => Detectable {
            value: Some(it.value),
            unit: "share".to_owned(),
            power: POWER,
            method: "power of the mid-p test, summed exactly at these cases and this share of differing ones".to_owned(),
            ..Detectable::default()
        },
        Err(why) => Detectable::none("share", why.0),
    }
}

fn strata(grades: &Grades, both: &[Both<'_>], options: &Options) -> Vec<Slice> {
    let mut slices: Vec<Slice> = both
        .chunk_by(|a, b| a.0.stratum == b.0.stratum)
        .map(|group| {
            let sums = sums(group);
            let [both_pass, first_only, second_only, neither] =
                [0, 1, 2, 3].map(|k: usize| sums.0[k].unsigned_abs());
            Slice {
                stratum: grades.strata.name(group[0].0.stratum).to_owned(),
                cases: both_pass + first_only + second_only + neither,
                first_only,
                second_only,
                difference: say("difference/mid-p", &sums, &options.settings()),
                holm: 1.0,
                bh: 1.0,
            }
        })
        .collect();
    if slices.len() < 2 {
        return Vec::new();
    }
    let p: Vec<f64> = slices.iter().map(|it| it.difference.p.unwrap_or(1.0)).collect();
    let (holm, bh) = (holm(&p).unwrap_or_default(), benjamini_hochberg(&p).unwrap_or_default());
    for ((slice, holm), bh) in slices.iter_mut().zip(holm).zip(bh) {
        (slice.holm, slice.bh) = (holm, bh);
    }
    slices
}
