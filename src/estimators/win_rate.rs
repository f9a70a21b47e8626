//! The win rate of the first system, A, by every convention for orders, ties and flips; and the agreed pairs.
//!
//! For a forced choice the half-vote average, the conservative tie and the majority are the same number; they part when
//! the judge may tie. A win rate over agreed pairs only is no estimate of the win rate: which pairs agree depends on the
//! position preference, and for one pair the odds of AA to BB are e^(2u) where its own odds are e^u.

use super::share::{
    ANY, PAIRED_TEST, SHARE, SUMS, averaged, paired_limits, single, single_limits, step,
    untested_limits, value as share_value,
};
use super::{Estimator, Limits, TrueValue};
use crate::evidence::{Answers, Asked, Gold, Item, Needs, Reading, Sums, Verdict};

const SCORE: &str = "Wilson (1927) and the score test of 1/2; t over pairs with ties or repeats";

const WIN_RATE: Estimator = Estimator {
    rule: "win-rate",
    truth: TrueValue::BetterShare,
    needs: Needs { asked: &[Asked::Both], ..ANY },
    ..SHARE
};

static A_IN_AB: Reading =
    Reading { name: "points of A shown first", sums: SUMS, step: |it| single(it.answers[0].ab) };

/// A's share with A always shown first.
pub(super) static ONE_ORDER: Estimator = ONE_ORDER_WIN;

const ONE_ORDER_WIN: Estimator = Estimator {
    variant: "one-order",
    summary: "A's win rate with A shown first",
    method: SCORE,
    needs: Needs { asked: &[Asked::One, Asked::Both], ..ANY },
    reads: &A_IN_AB,
    limits: single_limits,
    ..WIN_RATE
};

/// How often A wins more than half of the pairs with A shown first.
pub(super) static FIRST_AHEAD: Estimator = Estimator {
    rule: "ranking",
    variant: "one-order",
    summary: "1 where A wins more than half of the points with A shown first",
    method: "no interval: the mean over replicates is how often",
    null: None,
    truth: TrueValue::None,
    value: |sums| share_value(sums).map(|it| f64::from(u8::from(0.5 < it))),
    limits: |_, _| Limits::none("a rank has no interval"),
    ..ONE_ORDER_WIN
};

static A_IN_BA: Reading = Reading {
    name: "points of A shown second",
    sums: SUMS,
    step: |it| single(it.answers[0].ba.turned()),
};

/// A's share with B always shown first.
pub(super) static OTHER_ORDER: Estimator = Estimator {
    variant: "other-order",
    summary: "A's win rate with B shown first",
    method: SCORE,
    needs: Needs { asked: &[Asked::Other, Asked::Both], ..ANY },
    reads: &A_IN_BA,
    limits: single_limits,
    ..WIN_RATE
};

static A_IN_EITHER: Reading = Reading {
    name: "points of A, one order a pair",
    sums: SUMS,
    step: |it| single(it.answers[0].for_a()),
};

/// A's share with the order drawn anew for each pair.
pub(super) static RANDOM_ORDER: Estimator = Estimator {
    variant: "random-order",
    summary: "A's win rate, one random order a pair",
    method: SCORE,
    needs: Needs { asked: &[Asked::Random], ..ANY },
    reads: &A_IN_EITHER,
    limits: single_limits,
    ..WIN_RATE
};

static A_AVERAGED: Reading = Reading {
    name: "points of A, both orders",
    sums: SUMS,
    step: |it| averaged(it.answers[0].ab, it.answers[0].ba.turned()),
};

/// Half votes: each order counts one half, a tie half of that. The chosen convention.
pub(super) static AVERAGED: Estimator = Estimator {
    variant: "averaged",
    chosen: true,
    summary: "A's win rate, average of both orders (half votes)",
    reads: &A_AVERAGED,
    limits: paired_limits,
    quick: Some(PAIRED_TEST),
    ..WIN_RATE
};

/// Four points for a win of A, two for a tie.
fn decided(verdict: Verdict) -> i64 {
    match verdict {
        Verdict::First => 4,
        Verdict::Second => 0,
        Verdict::Tie | Verdict::Invalid => 2,
    }
}

/// A pair counts when both orders have a valid verdict.
fn both_valid(answers: &Answers) -> bool {
    answers.ab.valid() * answers.ba.valid() > 0
}

/// What both orders say together: a decisive verdict that all votes share, else a tie.
pub(super) fn conservative(answers: &Answers) -> Option<Verdict> {
    both_valid(answers).then(|| answers.for_a().unanimous().unwrap_or(Verdict::Tie))
}

static A_CONSERVATIVE: Reading = Reading {
    name: "points of A, conservative tie",
    sums: SUMS,
    step: |it| {
        conservative(&it.answers[0])
            .map_or_else(Sums::default, |said| step(decided(said), 4, false))
    },
};

/// A win only if both orders agree, else a tie: (tie, A) is a tie.
pub(super) static CONSERVATIVE: Estimator = Estimator {
    variant: "conservative",
    summary: "A's win rate, a win only where both orders agree, else a tie",
    reads: &A_CONSERVATIVE,
    ..WIN_RATE
};

static A_MAJORITY: Reading = Reading {
    name: "points of A, majority",
    sums: SUMS,
    step: |it| {
        let votes = it.answers[0].for_a();
        if !both_valid(&it.answers[0]) {
            return Sums::default();
        }
        step(2 + 2 * (i64::from(votes.first) - i64::from(votes.second)).signum(), 4, false)
    },
};

/// More decisive votes for A than for B: (tie, A) is a win.
pub(super) static MAJORITY: Estimator = Estimator {
    variant: "majority",
    summary: "A's win rate, the majority of the decisive votes; (tie, A) is a win",
    reads: &A_MAJORITY,
    ..WIN_RATE
};

/// The decisive verdict that a kept pair has in both orders.
fn kept(answers: &Answers) -> Option<Verdict> {
    conservative(answers).filter(|said| *said != Verdict::Tie)
}

static A_AGREED: Reading = Reading {
    name: "agreed pairs won by A",
    sums: SUMS,
    step: |it| {
        kept(&it.answers[0]).map_or_else(Sums::default, |said| step(decided(said), 4, false))
    },
};

/// AA / (AA + BB): conditional on agreement, and no estimate of the win rate.
pub(super) static AGREED: Estimator = Estimator {
    variant: "agreed",
    summary: "A's win rate among the pairs whose winner both orders share",
    method: "Wilson (1927) and the score test of 1/2",
    reads: &A_AGREED,
    limits: single_limits,
    ..WIN_RATE
};

const AGREED_PAIRS: Estimator = Estimator {
    rule: "agreed-pairs",
    method: "Wilson (1927)",
    null: None,
    truth: TrueValue::None,
    limits: untested_limits,
    ..WIN_RATE
};

static SHARE_KEPT: Reading = Reading {
    name: "agreed pairs of valid pairs",
    sums: SUMS,
    step: |it| {
        step(
            i64::from(kept(&it.answers[0]).is_some()),
            i64::from(both_valid(&it.answers[0])),
            false,
        )
    },
};

/// The share of pairs with the same decisive verdict in both orders; (tie, tie) is not kept.
pub(super) static KEPT: Estimator = Estimator {
    variant: "kept",
    summary: "share of pairs with the same winner in both orders",
    reads: &SHARE_KEPT,
    ..AGREED_PAIRS
};

/// Whether a decisive verdict, told of A, is right; on a true tie it is wrong.
fn right(said: Verdict, gold: Gold) -> bool {
    matches!((said, gold), (Verdict::First, Gold::A) | (Verdict::Second, Gold::B))
}

static KEPT_AND_RIGHT: Reading = Reading {
    name: "agreed pairs that are right",
    sums: SUMS,
    step: |it: &Item<'_>| match (kept(&it.answers[0]), it.gold) {
        (Some(said), Some(gold)) => step(i64::from(right(said, gold)), 1, false),
        _ => Sums::default(),
    },
};

/// The share of right winners among the kept pairs; a winner of a true tie is wrong.
pub(super) static KEPT_RIGHT: Estimator = Estimator {
    variant: "right",
    summary: "share of right winners among the kept pairs",
    needs: Needs { asked: &[Asked::Both], gold: true, ..ANY },
    reads: &KEPT_AND_RIGHT,
    ..AGREED_PAIRS
};
