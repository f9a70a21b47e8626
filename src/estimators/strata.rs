//! Sums by stratum: cases, which of the two answers pass, and the share of the population that the stratum is.
//!
//! Sum k of the stratum s stands at 8 k + s. A case adds its stratum's share too, in units of 1e-9: divided by the cases it
//! is the share again, at observed and at expected sums alike.

use super::Undefined;
use super::share::ANY;
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};

/// The most strata: what [`LANES`] holds four times.
pub(super) const MOST: usize = LANES / 4;

/// The names of sums that each stratum has.
macro_rules! by_stratum {
    ($($what:literal),+) => {
        &[$(
            concat!($what, " 1"), concat!($what, " 2"), concat!($what, " 3"), concat!($what, " 4"),
            concat!($what, " 5"), concat!($what, " 6"), concat!($what, " 7"), concat!($what, " 8")
        ),+]
    };
}

/// Cases with two valid grades, and those that pass for one system only.
pub(super) static PAIRED: Reading = Reading {
    name: "passes of both answers, by stratum",
    sums: by_stratum!["cases", "first only", "second only", "share"],
    step: |it| match both(it) {
        Some([first, second]) => sums(it, [first && !second, second && !first]),
        None => Sums::default(),
    },
};

/// Cases that the first system's answer passes.
pub(super) static FIRST: Reading = Reading {
    name: "passes of the first system, by stratum",
    sums: by_stratum!["cases", "passes", "none", "share"],
    step: |it| match it.answers[0].ab.unanimous() {
        Some(said) => sums(it, [said == Verdict::First, false]),
        None => Sums::default(),
    },
};

/// Cases that the second system's answer passes.
pub(super) static SECOND: Reading = Reading {
    name: "passes of the second system, by stratum",
    sums: by_stratum!["cases", "passes", "none", "share"],
    step: |it| match it.answers[0].ba.unanimous() {
        Some(said) => sums(it, [said == Verdict::First, false]),
        None => Sums::default(),
    },
};

/// Graded answers with strata.
pub(super) const NEEDS: Needs =
    Needs { asked: &[Asked::Each], repeats: Repeats::Once, strata: true, ..ANY };

/// Whether the two answers of a case pass, where both grades are valid.
pub(super) fn both(it: &Item<'_>) -> Option<[bool; 2]> {
    let answers = it.answers[0];
    Some([answers.ab.unanimous()? == Verdict::First, answers.ba.unanimous()? == Verdict::First])
}

fn sums(it: &Item<'_>, counts: [bool; 2]) -> Sums {
    let mut sums = [0; LANES];
    let stratum = usize::from(it.stratum);
    if stratum < MOST {
        sums[stratum] = 1;
        sums[MOST + stratum] = i64::from(counts[0]);
        sums[2 * MOST + stratum] = i64::from(counts[1]);
        sums[3 * MOST + stratum] = i64::from(it.share);
    }
    Sums(sums)
}

/// The sums of a stratum; all per pair, where they are expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stratum {
    /// Cases.
    pub cases: f64,
    /// The first count less the second: passes, or cases that pass for the first system only less for the second only.
    pub surplus: f64,
    /// The sum of the two counts: the sum of squares of what a case adds to the surplus.
    pub squares: f64,
    /// The share of the population that it is, 0 to 1.
    pub share: f64,
}

/// The strata that have cases.
pub(super) fn strata(sums: &[f64; LANES]) -> impl Iterator<Item = Stratum> {
    let all = *sums;
    (0..MOST).filter(move |s| 0.0 < all[*s]).map(move |s| Stratum {
        cases: all[s],
        surplus: all[MOST + s] - all[2 * MOST + s],
        squares: all[MOST + s] + all[2 * MOST + s],
        share: all[3 * MOST + s] / all[s] * 1e-9,
    })
}

/// The sum over strata of share times mean surplus.
///
/// # Errors
/// Strata with cases do not make up the population, or the shares are not known.
pub(super) fn weighted(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let (mut shares, mut value) = (0.0, 0.0);
    for it in strata(sums) {
        shares += it.share;
        value += it.share * it.surplus / it.cases;
    }
    if 1e-6 < libm::fabs(shares - 1.0) { Err(Undefined(UNSEEN)) } else { Ok(value) }
}

const UNSEEN: &str =
    "a stratum with a share of the population has no cases: nothing is known of it";
