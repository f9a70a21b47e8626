//! Panels of judges: the mean of their verdicts, their vote, its accuracy, and how far their errors go together.
//!
//! A judge speaks for a pair if each order asked of it has a valid verdict; one that does not abstains. Averaging cancels
//! preferences that point in different directions and never one that the judges share, and a panel whose errors go
//! together is worth fewer judges than it has.

use super::agreement::{class, hit};
use super::share::{ANY, SHARE, SUMS, paired_limits, step, untested_limits};
use super::{Estimator, Limits, Scale, TrueValue, Undefined};
use crate::evidence::{
    Answers, Asked, Gold, Item, Judges, LANES, Needs, Reading, Repeats, Sums, Verdict, Votes,
};
use crate::stats::panel::{effective, error_correlation};

/// The most judges whose errors and joint errors fit the sums of a reading: 1 + 5 + 10.
pub const MOST_JUDGES: usize = 5;

/// All votes of a judge that speaks, told of A.
fn voice(answers: &Answers) -> Option<Votes> {
    let lost = |votes: Votes| votes.valid() == 0 && 0 < votes.invalid;
    let votes = answers.for_a();
    (0 < votes.valid() && !lost(answers.ab) && !lost(answers.ba)).then_some(votes)
}

/// A judge's verdict, its orders averaged.
fn verdict(votes: Votes) -> Verdict {
    match votes.half_points().cmp(&votes.valid()) {
        std::cmp::Ordering::Greater => Verdict::First,
        std::cmp::Ordering::Equal => Verdict::Tie,
        std::cmp::Ordering::Less => Verdict::Second,
    }
}

/// What more of the judges say than anything else; a tie where nothing leads.
fn vote(all: &[Answers]) -> Option<Verdict> {
    let voices = all.iter().filter_map(voice).map(verdict);
    voices.fold(Votes::default(), Votes::plus).majority()
}

const PANEL: Needs = Needs {
    asked: &[Asked::Both, Asked::One, Asked::Other, Asked::Random],
    repeats: Repeats::Once,
    judges: Judges::Panel,
    ..ANY
};

static MEANS: Reading = Reading {
    name: "points of A, all judges",
    sums: SUMS,
    step: |it: &Item<'_>| {
        let voices = it.answers.iter().filter_map(voice);
        let (x, valid) =
            voices.fold((0, 0), |sum, it| (sum.0 + it.half_points(), sum.1 + it.valid()));
        step(x, 2 * valid, valid != 2 || x % 2 != 0)
    },
};

/// A's share of the verdicts of all judges.
pub(super) static MEAN: Estimator = Estimator {
    rule: "panel",
    variant: "mean",
    chosen: true,
    summary: "A's win rate, averaged over judges and orders",
    method: "t over pairs; 1/2 + Tango/2 (Tango 1998) and McNemar's score test for two forced choices a pair",
    truth: TrueValue::BetterShare,
    needs: PANEL,
    reads: &MEANS,
    ..SHARE
};

static VOTES: Reading = Reading {
    name: "points of A, the judges' vote",
    sums: SUMS,
    step: |it: &Item<'_>| match vote(it.answers) {
        Some(Verdict::First) => step(4, 4, false),
        Some(Verdict::Second) => step(0, 4, false),
        Some(_) => step(2, 4, false),
        None => Sums::default(),
    },
};

/// Each judge has one vote, the average of its orders.
pub(super) static VOTE: Estimator = Estimator {
    variant: "vote",
    chosen: false,
    summary: "A's win rate by the judges' vote, a tie as one half",
    method: "1/2 + Tango/2 (Tango 1998) and McNemar's score test",
    reads: &VOTES,
    limits: paired_limits,
    ..MEAN
};

static HITS: Reading = Reading {
    name: "hits of the judges' vote",
    sums: SUMS,
    step: |it: &Item<'_>| hit(vote(it.answers), it.gold),
};

/// The vote against gold.
pub(super) static ACCURACY: Estimator = Estimator {
    variant: "accuracy",
    chosen: false,
    summary: "share of right votes; a winner of a true tie is wrong, and a tie is right there alone",
    method: "Wilson (1927)",
    null: None,
    truth: TrueValue::None,
    needs: Needs { gold: true, ..PANEL },
    reads: &HITS,
    limits: untested_limits,
    ..MEAN
};

/// The place of a judge's errors among the sums, and of the joint errors of two judges.
const fn errors_of(judge: usize) -> usize {
    1 + judge
}

const fn joint_errors_of(a: usize, b: usize) -> usize {
    1 + MOST_JUDGES + b * (b - 1) / 2 + a
}

fn pairs(judges: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..judges).flat_map(|b| (0..b).map(move |a| (a, b)))
}

static ERRORS: Reading = Reading {
    name: "errors of the judges",
    sums: &[
        "pairs", "errors 1", "errors 2", "errors 3", "errors 4", "errors 5", "1 and 2", "1 and 3",
        "2 and 3", "1 and 4", "2 and 4", "3 and 4", "1 and 5", "2 and 5", "3 and 5", "4 and 5",
    ],
    step: |it: &Item<'_>| {
        let errs = |gold: Gold, answers| Some(class(verdict(voice(answers)?))? != gold.compared());
        let mut sums = [0; LANES];
        let errors: Option<Vec<bool>> =
            it.gold.and_then(|gold| it.answers.iter().map(|answers| errs(gold, answers)).collect());
        let Some(errors) = errors.filter(|it| it.len() <= MOST_JUDGES) else {
            return Sums::default();
        };
        sums[0] = 1;
        // A judge that the panel has not is told from one that never errs: it errs -1 times a pair.
        sums[errors_of(0)..=errors_of(MOST_JUDGES - 1)].fill(-1);
        for (judge, errs) in errors.iter().enumerate() {
            sums[errors_of(judge)] = i64::from(*errs);
        }
        for (a, b) in pairs(errors.len()) {
            sums[joint_errors_of(a, b)] = i64::from(errors[a] && errors[b]);
        }
        Sums(sums)
    },
};

/// How many judges there are, and the mean correlation of their errors.
fn correlation(sums: &[f64; LANES]) -> Result<(f64, f64), Undefined> {
    let n = sums[0];
    if n <= 0.0 {
        return Err(Undefined("no pair on which all judges speak"));
    }
    let judges = (0..MOST_JUDGES).filter(|judge| 0.0 <= sums[errors_of(*judge)]).count();
    let (mut sum, mut terms) = (0.0, 0.0);
    for (a, b) in pairs(judges) {
        let errors = [sums[errors_of(a)], sums[errors_of(b)]];
        sum += error_correlation(n, errors, sums[joint_errors_of(a, b)]).map_err(Undefined)?;
        terms += 1.0;
    }
    Ok((judges as f64, sum / terms))
}

/// The errors of one judge: its verdict, orders averaged, is not the gold label.
pub(super) static ERROR_CORRELATION: Estimator = Estimator {
    variant: "error-correlation",
    chosen: false,
    summary: "mean over pairs of judges of the correlation of their errors",
    method: "no interval: errors of pairs do not tell the spread of their mean",
    scale: Scale::Correlation,
    null: None,
    truth: TrueValue::None,
    needs: Needs { gold: true, ..PANEL },
    reads: &ERRORS,
    value: |sums| correlation(sums).map(|it| it.1),
    limits: |_, _| Limits::none("errors of pairs do not tell the spread of their mean"),
    ..MEAN
};

/// K/(1 + (K - 1) rho).
pub(super) static EFFECTIVE_JUDGES: Estimator = Estimator {
    variant: "effective-judges",
    summary: "how many independent judges the panel is worth (Kish 1965)",
    scale: Scale::Judges,
    value: |sums| {
        let (judges, rho) = correlation(sums)?;
        effective(judges, rho).map_err(Undefined)
    },
    ..ERROR_CORRELATION
};

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::evidence::Order;

    fn said(ab: Verdict, ba: Verdict) -> Answers {
        Answers::default().plus(Order::Ab, ab).plus(Order::Ba, ba)
    }

    const A: (Verdict, Verdict) = (Verdict::First, Verdict::Second);
    const B: (Verdict, Verdict) = (Verdict::Second, Verdict::First);
    const FLIP: (Verdict, Verdict) = (Verdict::First, Verdict::First);
    const LOST: (Verdict, Verdict) = (Verdict::First, Verdict::Invalid);

    fn panel(all: &[(Verdict, Verdict)]) -> Vec<Answers> {
        all.iter().map(|it| said(it.0, it.1)).collect()
    }

    #[test]
    fn a_vote_is_a_plurality_of_those_who_speak() {
        for (all, want) in [
            (&[A, A, B][..], Some(Verdict::First)),
            (&[A, B], Some(Verdict::Tie)),
            (&[A, B, FLIP], Some(Verdict::Tie)),
            (&[A, FLIP, FLIP], Some(Verdict::Tie)),
            (&[B, LOST, LOST], Some(Verdict::Second)),
            (&[LOST, LOST], None),
        ] {
            assert_eq!(vote(&panel(all)), want);
        }
    }

    #[test]
    fn sums_of_a_pair() {
        let answers = panel(&[A, B, FLIP, LOST]);
        let item = Item {
            answers: &answers,
            gold: Some(Gold::A),
            stratum: 0,
            length: Ordering::Equal,
            share: 0,
        };
        let sums = |reading: &Reading| (reading.step)(&item).0;
        // Six valid verdicts of judges that speak, three of them for A.
        assert_eq!(sums(&MEANS)[..7], [1, 12, 6, 36, 72, 144, 1]);
        assert_eq!(sums(&ERRORS), [0; LANES]);
        let item = Item { answers: &answers[..3], ..item };
        let errors = (ERRORS.step)(&item).0;
        assert_eq!(errors[..9], [1, 0, 1, 1, -1, -1, 0, 0, 1]);
    }

    /// Five judges, four items, errors by hand: numpy.corrcoef of the rows below, mean over pairs, -0.1333333333333333.
    #[test]
    fn five_judges_fill_the_sums() {
        let errors = [[1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]];
        let mut all = Sums::default();
        for item in 0..4 {
            let answers = panel(&errors.map(|it| if it[item] == 1 { B } else { A }));
            let item = Item {
                answers: &answers,
                gold: Some(Gold::A),
                stratum: 0,
                length: Ordering::Equal,
                share: 0,
            };
            all = all.plus((ERRORS.step)(&item));
        }
        let (judges, rho) = correlation(&all.real()).unwrap();
        assert_eq!(judges, 5.0);
        assert!((rho + 2.0 / 15.0).abs() < 1e-15, "{rho}");
    }
}
