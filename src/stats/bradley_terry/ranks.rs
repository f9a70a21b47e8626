//! Where a system may stand: the ranks that its differences to all others leave open.

use std::cmp::Ordering;

use super::{Contests, Errors, Fit, equal, fit};
use crate::stats::multiplicity::holm;

/// Ranks from 1, the strongest, that are not ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The best.
    pub best: usize,
    /// The worst.
    pub worst: usize,
}

/// The ranks of every system that hold with this level for each system by itself: one more than the systems that are stronger
/// for sure, up to all but those that are weaker for sure, by Holm's tests of its differences to all others. Differences
/// without a finite estimate are tested by their likelihood ratio.
///
/// M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024), Review of Economic Studies 91, 476-518.
///
/// # Errors
/// As [`fit`], except where no difference is finite.
pub fn ranks(
    contests: &Contests,
    covariates: &[usize],
    errors: Errors,
    level: f64,
) -> Result<Vec<Rank>, &'static str> {
    let groups = super::groups(contests);
    // Where every group is one system, nothing is fitted: all differences are infinite.
    let finite = groups.members.iter().any(|group| 1 < group.len());
    let fitted = if finite { Some(fit(contests, covariates, errors)?) } else { None };
    ranks_of(contests, covariates, fitted.as_ref(), level)
}

/// As [`ranks`], from the fit of the same covariates; none where every group is one system.
///
/// # Errors
/// That there are too few p-values to compare, which cannot be.
pub fn ranks_of(
    contests: &Contests,
    covariates: &[usize],
    fitted: Option<&Fit>,
    level: f64,
) -> Result<Vec<Rank>, &'static str> {
    let systems = contests.systems();
    let groups = super::groups(contests);
    // The p-value of a difference, and which of the two is ahead.
    let test = |one: usize, other: usize| {
        let pair = [one, other];
        if groups.parts[one] != groups.parts[other] {
            return (1.0, 0.0);
        }
        if let Some(Ok(it)) = fitted.map(|it| it.difference(pair)) {
            return (it.p_value(0.0), it.value);
        }
        // Of two groups the one that stands first has beaten the other, or the two are not compared and p is 1.
        let ahead = fitted.map_or_else(|| groups.ahead(pair), |it| it.ahead(pair));
        (equal(contests, covariates, pair), ahead)
    };
    let below: Vec<Vec<(f64, f64)>> =
        (0..systems).map(|one| (0..one).map(|other| test(one, other)).collect()).collect();
    let seen = |one: usize, other: usize| match one.cmp(&other) {
        Ordering::Greater => below[one][other],
        Ordering::Less => (below[other][one].0, -below[other][one].1),
        Ordering::Equal => (1.0, 0.0),
    };
    let all = |one: usize| (0..systems).map(|other| seen(one, other)).collect::<Vec<_>>();
    (0..systems).map(|system| rank(&all(system), system, level)).collect()
}

/// From p-values and signs of the differences to all others.
fn rank(tests: &[(f64, f64)], system: usize, level: f64) -> Result<Rank, &'static str> {
    let others: Vec<(f64, f64)> =
        tests.iter().enumerate().filter(|it| it.0 != system).map(|it| *it.1).collect();
    let p: Vec<f64> = others.iter().map(|it| it.0.clamp(0.0, 1.0)).collect();
    let adjusted = holm(&p)?;
    let sure = |sign: f64| {
        let some = adjusted.iter().zip(&others);
        some.filter(|(p, it)| **p <= 1.0 - level && 0.0 < sign * it.1).count()
    };
    Ok(Rank { best: 1 + sure(-1.0), worst: tests.len() - sure(1.0) })
}
