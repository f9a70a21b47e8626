//! Sums by stratum: cases, which of the two answers pass, and the share of the population that the stratum is.
//!
//! A case adds its stratum's share too, in units of 1e-9: divided by the cases it is the share again, at observed and at
//! expected sums alike.

use super::Undefined;
use super::share::ANY;
use crate::evidence::{Asked, Item, LANES, Needs, Reading, Repeats, Sums, Verdict};

/// The most strata that are compared one by one: each has three sums.
pub(super) const MOST: usize = LANES / 3;
/// The most strata that are weighed: each has four sums.
pub const MOST_WEIGHED: usize = LANES / 4;

/// The names of sums that each of eight strata has.
macro_rules! each_of_eight {
    ($($what:literal),+) => {
        &[$(
            concat!($what, " 1"), concat!($what, " 2"), concat!($what, " 3"), concat!($what, " 4"),
            concat!($what, " 5"), concat!($what, " 6"), concat!($what, " 7"), concat!($what, " 8")
        ),+]
    };
}

/// The names of sums that each of six strata has.
macro_rules! each_of_six {
    ($($what:literal),+) => {
        &[$(
            concat!($what, " 1"), concat!($what, " 2"), concat!($what, " 3"), concat!($what, " 4"),
            concat!($what, " 5"), concat!($what, " 6")
        ),+]
    };
}

/// Cases with two valid grades, and those that pass for one system only, stratum by stratum.
pub(super) static ONE_BY_ONE: Reading = Reading {
    name: "passes of both answers, by stratum",
    sums: each_of_eight!["cases", "first only", "second only"],
    step: |it| match both(it) {
        Some([first, second]) => sums::<MOST>(it, [first && !second, second && !first]),
        None => Sums::default(),
    },
};

/// The same with the shares of the strata.
pub(super) static PAIRED: Reading = Reading {
    name: "passes of both answers, strata weighed",
    sums: each_of_six!["cases", "first only", "second only", "share"],
    step: |it| match both(it) {
        Some([first, second]) => sums::<MOST_WEIGHED>(it, [first && !second, second && !first]),
        None => Sums::default(),
    },
};

/// Cases that the first system's answer passes.
pub(super) static FIRST: Reading = Reading {
    name: "passes of the first system, strata weighed",
    sums: each_of_six!["cases", "passes", "none", "share"],
    step: |it| match it.answers[0].ab.unanimous() {
        Some(said) => sums::<MOST_WEIGHED>(it, [said == Verdict::First, false]),
        None => Sums::default(),
    },
};

/// Cases that the second system's answer passes.
pub(super) static SECOND: Reading = Reading {
    name: "passes of the second system, strata weighed",
    sums: each_of_six!["cases", "passes", "none", "share"],
    step: |it| match it.answers[0].ba.unanimous() {
        Some(said) => sums::<MOST_WEIGHED>(it, [said == Verdict::First, false]),
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

/// One case, its two counts and its share: sum k of stratum s stands at k times the most strata, plus s.
fn sums<const STRATA: usize>(it: &Item<'_>, counts: [bool; 2]) -> Sums {
    let mut sums = [0; LANES];
    let stratum = usize::from(it.stratum);
    if stratum < STRATA {
        let all = [1, i64::from(counts[0]), i64::from(counts[1]), i64::from(it.share)];
        for (place, it) in (stratum..LANES).step_by(STRATA).zip(all) {
            sums[place] = it;
        }
    }
    Sums(sums)
}

/// A stratum with cases, its share known; all per pair, where they are expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
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
pub(super) fn weighed(sums: &[f64; LANES]) -> impl Iterator<Item = Weighed> {
    let all = *sums;
    (0..MOST_WEIGHED).filter(move |s| 0.0 < all[*s]).map(move |s| {
        let [cases, first, second, share] = [0, 1, 2, 3].map(|k: usize| all[k * MOST_WEIGHED + s]);
        let share = share / cases * 1e-9;
        Weighed { cases, surplus: first - second, squares: first + second, share }
    })
}

/// The sum over strata of share times mean surplus.
///
/// # Errors
/// Strata with cases do not make up the population, or the shares are not known.
pub(super) fn score(sums: &[f64; LANES]) -> Result<f64, Undefined> {
    let (mut shares, mut value) = (0.0, 0.0);
    for it in weighed(sums) {
        shares += it.share;
        value += it.share * it.surplus / it.cases;
    }
    if 1e-6 < libm::fabs(shares - 1.0) { Err(Undefined(UNSEEN)) } else { Ok(value) }
}

const UNSEEN: &str =
    "a stratum with a share of the population has no cases: nothing is known of it";
