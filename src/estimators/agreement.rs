//! Agreement with gold labels: accuracy and Cohen's kappa, for one order and for what both orders say together.
//!
//! Three classes: A, tie, B. A decisive verdict on a true tie is wrong, a tie there is right. Accuracy without the true
//! ties is printed beside it. Kappa depends on how common the classes are; read it with the accuracy.

use super::grading::kappa_limits;
use super::share::{ANY, SHARE, SUMS, step, untested_limits};
use super::win_rate::conservative;
use super::{Estimator, Scale, TrueValue, Undefined};
use crate::evidence::{Answers, Asked, Gold, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};
use crate::stats::kappa::cohen_kappa;

/// The one valid verdict of an order, told of A.
fn one_order(answers: &Answers) -> Option<Verdict> {
    answers.ab.unanimous()
}

fn other_order(answers: &Answers) -> Option<Verdict> {
    answers.ba.turned().unanimous()
}

/// A verdict, told of A, as a label.
pub(super) fn class(verdict: Verdict) -> Option<Gold> {
    match verdict {
        Verdict::First => Some(Gold::A),
        Verdict::Tie => Some(Gold::Tie),
        Verdict::Second => Some(Gold::B),
        Verdict::Invalid => None,
    }
}

/// One pair that counts, and whether what was said is right.
pub(super) fn hit(said: Option<Verdict>, gold: Option<Gold>) -> Sums {
    match (said.and_then(class), gold) {
        (Some(said), Some(gold)) => step(i64::from(said == gold.compared()), 1, false),
        _ => Sums::default(),
    }
}

/// Pairs whose gold label is no tie.
fn decisive(it: &Item<'_>) -> Option<Gold> {
    it.gold.filter(|gold| gold.compared() != Gold::Tie)
}

const ACCURACY: Estimator = Estimator {
    rule: "accuracy",
    method: "Wilson (1927)",
    null: None,
    truth: TrueValue::None,
    limits: untested_limits,
    ..SHARE
};

const ONE: Needs =
    Needs { asked: &[Asked::One, Asked::Both], repeats: Repeats::Once, gold: true, ..ANY };
const OTHER: Needs = Needs { asked: &[Asked::Other, Asked::Both], ..ONE };
const SWAP: Needs = Needs { asked: &[Asked::Both], ..ONE };

static HITS_ONE: Reading = Reading {
    name: "hits, A first",
    sums: SUMS,
    step: |it| hit(one_order(&it.answers[0]), it.gold),
};
static HITS_OTHER: Reading = Reading {
    name: "hits, B first",
    sums: SUMS,
    step: |it| hit(other_order(&it.answers[0]), it.gold),
};
static HITS_SWAP: Reading = Reading {
    name: "hits, both orders",
    sums: SUMS,
    step: |it| hit(conservative(&it.answers[0]), it.gold),
};
static SURE_ONE: Reading = Reading {
    name: "hits, A first, no true ties",
    sums: SUMS,
    step: |it| hit(one_order(&it.answers[0]), decisive(it)),
};
static SURE_OTHER: Reading = Reading {
    name: "hits, B first, no true ties",
    sums: SUMS,
    step: |it| hit(other_order(&it.answers[0]), decisive(it)),
};
static SURE_SWAP: Reading = Reading {
    name: "hits, both orders, no true ties",
    sums: SUMS,
    step: |it| hit(conservative(&it.answers[0]), decisive(it)),
};

/// With A shown first.
pub(super) static ACCURACY_ONE: Estimator = Estimator {
    variant: "one-order",
    summary: "share of right verdicts with A shown first; a winner of a true tie is wrong",
    needs: ONE,
    reads: &HITS_ONE,
    ..ACCURACY
};
/// With B shown first.
pub(super) static ACCURACY_OTHER: Estimator = Estimator {
    variant: "other-order",
    summary: "share of right verdicts with B shown first; a winner of a true tie is wrong",
    needs: OTHER,
    reads: &HITS_OTHER,
    ..ACCURACY
};
/// Both orders together, a tie where they disagree.
pub(super) static ACCURACY_SWAP: Estimator = Estimator {
    variant: "swap",
    summary: "share of right verdicts of both orders, a tie where they disagree",
    needs: SWAP,
    reads: &HITS_SWAP,
    ..ACCURACY
};
/// With A shown first, true ties left out.
pub(super) static DECISIVE_ONE: Estimator = Estimator {
    variant: "one-order-no-ties",
    summary: "the same without the true ties",
    reads: &SURE_ONE,
    needs: ONE,
    ..ACCURACY
};
/// With B shown first, true ties left out.
pub(super) static DECISIVE_OTHER: Estimator = Estimator {
    variant: "other-order-no-ties",
    summary: "the same without the true ties",
    reads: &SURE_OTHER,
    needs: OTHER,
    ..ACCURACY
};
/// Both orders together, true ties left out.
pub(super) static DECISIVE_SWAP: Estimator = Estimator {
    variant: "swap-no-ties",
    summary: "the same without the true ties",
    reads: &SURE_SWAP,
    needs: SWAP,
    ..ACCURACY
};

static B_BETTER: Reading = Reading {
    name: "hits, A first, B better",
    sums: SUMS,
    step: |it| hit(one_order(&it.answers[0]), it.gold.filter(|gold| *gold == Gold::B)),
};
static A_BETTER: Reading = Reading {
    name: "hits, A first, A better",
    sums: SUMS,
    step: |it| hit(one_order(&it.answers[0]), it.gold.filter(|gold| *gold == Gold::A)),
};
/// With A shown first, where A is the worse: where A is the longer or the judge's own, what the preference costs.
pub(super) static ACCURACY_B_BETTER: Estimator = Estimator {
    variant: "one-order-b-better",
    summary: "the same where B is truly better",
    reads: &B_BETTER,
    needs: ONE,
    ..ACCURACY
};
/// With A shown first, where B is the worse.
pub(super) static ACCURACY_A_BETTER: Estimator = Estimator {
    variant: "one-order-a-better",
    summary: "the same where A is truly better",
    reads: &A_BETTER,
    needs: ONE,
    ..ACCURACY
};

const CELLS: &[&str] = &["AA", "AT", "AB", "TA", "TT", "TB", "BA", "BT", "BB"];

/// One cell of the table verdict x gold.
fn cell(said: Option<Verdict>, gold: Option<Gold>) -> Sums {
    let mut sums = [0; LANES];
    if let (Some(said), Some(gold)) = (said.and_then(class), gold) {
        sums[3 * said as usize + gold.compared() as usize] = 1;
    }
    Sums(sums)
}

fn rows(sums: &[f64; LANES]) -> [[f64; 3]; 3] {
    [[sums[0], sums[1], sums[2]], [sums[3], sums[4], sums[5]], [sums[6], sums[7], sums[8]]]
}

static TABLE_ONE: Reading = Reading {
    name: "verdict x gold, A first",
    sums: CELLS,
    step: |it| cell(one_order(&it.answers[0]), it.gold),
};
static TABLE_OTHER: Reading = Reading {
    name: "verdict x gold, B first",
    sums: CELLS,
    step: |it| cell(other_order(&it.answers[0]), it.gold),
};
static TABLE_SWAP: Reading = Reading {
    name: "verdict x gold, both orders",
    sums: CELLS,
    step: |it| cell(conservative(&it.answers[0]), it.gold),
};

const KAPPA: Estimator = Estimator {
    rule: "kappa",
    method: "normal interval with the error of Fleiss, Cohen & Everitt (1969); test of 0 with its null error",
    scale: Scale::Kappa,
    null: Some(0.0),
    value: |sums| cohen_kappa(&rows(sums)).map(|it| it.value).map_err(Undefined),
    limits: |sums, settings| kappa_limits(&rows(&sums.real()), settings),
    ..ACCURACY
};

/// Cohen's kappa with A shown first.
pub(super) static KAPPA_ONE: Estimator = Estimator {
    variant: "one-order",
    summary: "agreement with gold beyond chance, A shown first; three classes",
    needs: ONE,
    reads: &TABLE_ONE,
    ..KAPPA
};
/// Cohen's kappa with B shown first.
pub(super) static KAPPA_OTHER: Estimator = Estimator {
    variant: "other-order",
    summary: "agreement with gold beyond chance, B shown first; three classes",
    needs: OTHER,
    reads: &TABLE_OTHER,
    ..KAPPA
};
/// Cohen's kappa of both orders together.
pub(super) static KAPPA_SWAP: Estimator = Estimator {
    variant: "swap",
    summary: "agreement of both orders with gold beyond chance, a tie where they disagree",
    needs: SWAP,
    reads: &TABLE_SWAP,
    ..KAPPA
};
