//! What a judge replies: the shares of its replies that are each verdict, and that are none. A reply that is no verdict is
//! counted here and enters no other rule.

use super::share::{ANY, SHARE, SUMS, step, untested_limits};
use super::{Estimator, Limits, Settings};
use crate::evidence::{Asked, Item, Needs, Reading, Sums, Votes};
use crate::stats::interval::wilson;

/// Every reply of a case, of both orders or both answers, and its repeats: how many are `of` this sort.
fn counted(it: &Item<'_>, of: fn(Votes) -> i64) -> Sums {
    let votes = [it.answers[0].ab, it.answers[0].ba];
    let all: i64 = votes.iter().map(|it| it.valid() + i64::from(it.invalid)).sum();
    step(votes.into_iter().map(of).sum(), all, 1 < all)
}

static FIRSTS: Reading = Reading {
    name: "replies: first",
    sums: SUMS,
    step: |it| counted(it, |votes| i64::from(votes.first)),
};
static TIES: Reading = Reading {
    name: "replies: tie",
    sums: SUMS,
    step: |it| counted(it, |votes| i64::from(votes.tie)),
};
static SECONDS: Reading = Reading {
    name: "replies: second",
    sums: SUMS,
    step: |it| counted(it, |votes| i64::from(votes.second)),
};
static INVALIDS: Reading = Reading {
    name: "replies: invalid",
    sums: SUMS,
    step: |it| counted(it, |votes| i64::from(votes.invalid)),
};

const COMPARED: &[Asked] = &[Asked::One, Asked::Other, Asked::Both, Asked::Random];
const ALL: &[Asked] = &[Asked::One, Asked::Other, Asked::Both, Asked::Random, Asked::Each];

const REPLIES: Estimator = Estimator {
    rule: "replies",
    method: "Wilson (1927); t over cases with several replies, Wilson over cases where all replies are alike",
    null: None,
    needs: Needs { asked: ALL, ..ANY },
    limits,
    ..SHARE
};

/// Replies for the answer shown first, or grades of pass.
pub(super) static FIRST: Estimator = Estimator {
    variant: "first",
    summary: "share of replies for the answer shown first; of grades, pass",
    reads: &FIRSTS,
    ..REPLIES
};

/// Replies for neither.
pub(super) static TIE: Estimator = Estimator {
    variant: "tie",
    summary: "share of replies for neither answer",
    needs: Needs { asked: COMPARED, ..ANY },
    reads: &TIES,
    ..REPLIES
};

/// Replies for the answer shown second, or grades of fail.
pub(super) static SECOND: Estimator = Estimator {
    variant: "second",
    summary: "share of replies for the answer shown second; of grades, fail",
    reads: &SECONDS,
    ..REPLIES
};

/// Replies that are no verdict.
pub(super) static INVALID: Estimator = Estimator {
    variant: "invalid",
    summary: "share of replies that are no verdict",
    reads: &INVALIDS,
    ..REPLIES
};

/// Where every reply is of the sort, or none is, the cases bound the share as if each had one reply.
fn limits(sums: &Sums, settings: &Settings) -> Limits {
    let limits = untested_limits(sums, settings);
    let [cases, w, x, ..] = sums.0;
    if limits.low.is_finite() || (x != 0 && x != w) || cases == 0 {
        return limits;
    }
    let all = if x == 0 { 0 } else { cases.unsigned_abs() };
    let interval = wilson(all, cases.unsigned_abs(), settings.level.get());
    Limits { low: interval.low, high: interval.high, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Answers, Order, Verdict};
    use crate::quantity::Level;

    fn estimate(rule: &Estimator, cases: &[[Verdict; 2]]) -> (f64, f64, f64) {
        let mut sums = Sums::default();
        for case in cases {
            let answers = Order::BOTH
                .into_iter()
                .zip(case)
                .fold(Answers::default(), |it, (order, verdict)| it.plus(order, *verdict));
            sums = sums.plus((rule.reads.step)(&Item {
                share: 0,
                answers: &[answers],
                gold: None,
                stratum: 0,
                length: std::cmp::Ordering::Equal,
            }));
        }
        let it = rule.estimate(&sums, &Settings { level: Level::USUAL });
        (it.value.unwrap(), it.limits.low, it.limits.high)
    }

    #[test]
    fn replies_are_counted_and_what_is_alike_is_bounded_by_the_cases() {
        use Verdict::{First, Invalid, Second, Tie};
        let cases = [[First, Second], [Tie, Invalid], [First, First], [Invalid, Second]];
        let shares = [&FIRST, &TIE, &SECOND, &INVALID].map(|rule| estimate(rule, &cases));
        assert_eq!(shares.map(|it| it.0), [3.0 / 8.0, 1.0 / 8.0, 2.0 / 8.0, 2.0 / 8.0]);
        assert!(shares.iter().all(|it| it.1 < it.0 && it.0 < it.2));
        // Wilson's upper limit of 0 of 4: z^2 / (4 + z^2) = 3.841459 / 7.841459.
        let (share, low, high) = estimate(&INVALID, &[[First, Second]; 4]);
        assert!(share == 0.0 && low == 0.0 && (high - 0.489_891).abs() < 1e-6, "{high}");
        assert_eq!(estimate(&FIRST, &[[First, First]; 4]).2, 1.0);
    }
}
