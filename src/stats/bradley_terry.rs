//! Strengths of systems from their contests: Bradley and Terry's model with ties and with biases as covariates.
//!
//! The odds of first, tie and second are e^(eta/2) : nu : e^(-eta/2), with eta the difference of two strengths plus the
//! covariates (the order, a difference of lengths, whose answer it is) times their slopes. Strengths are known up to a
//! constant, so all that is told is a difference: between two systems, or from the mean of those that can be compared.
//!
//! A difference has a finite estimate only inside a group of systems that beat each other directly or around corners (L. R. Ford
//! 1957, American Mathematical Monthly 64, 28-33; a tie counts both ways). Between groups the estimate is infinite, and the
//! contests between them then say nothing else, so the fit takes place inside the groups and `bound` tells what is known
//! across them. R. A. Bradley, M. E. Terry (1952), Biometrika 39, 324-345; R. R. Davidson (1970), Journal of the American
//! Statistical Association 65, 317-328; A. Agresti (2013), Categorical Data Analysis, 3rd ed., section 11.6.

mod groups;
mod ranks;

use std::collections::BTreeMap;

use super::dense::{Matrix, dot};
use super::logistic::{self, Cluster, Errors, Profiled, Robust, Row};
pub use groups::{Groups, groups};
pub use ranks::{Rank, ranks};

/// How a contest went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// For the one shown first.
    First,
    /// For neither.
    Tie,
    /// For the one shown second.
    Second,
}

/// Contests that were alike: the same two systems in the same order with the same covariates.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The system shown first.
    pub first: usize,
    /// The system shown second.
    pub second: usize,
    /// What favours the one shown first, in the order of the covariates.
    pub covariates: Vec<f64>,
    /// How often the first won, neither did, and the second did.
    pub said: [f64; 3],
}

/// One answer: on which item, which contest, how it went.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ballot {
    item: u32,
    contest: u32,
    outcome: Outcome,
}

/// Two systems and the bits of the covariates.
type Key = (usize, usize, Vec<u64>);

/// Contests between systems numbered from 0, each on an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contests {
    systems: usize,
    alike: Vec<Contest>,
    places: BTreeMap<Key, u32>,
    ballots: Vec<Ballot>,
}

impl Contests {
    /// None yet, between so many systems.
    #[must_use]
    pub fn new(systems: usize) -> Self {
        Self { systems, ..Self::default() }
    }

    /// Adds the answer to one contest on an item, which is what errors are clustered by.
    ///
    /// # Panics
    /// On a system that is not among those numbered.
    pub fn add(&mut self, item: u32, [first, second]: [usize; 2], x: &[f64], outcome: Outcome) {
        assert!(first.max(second) < self.systems, "a system beyond those numbered");
        let key = (first, second, x.iter().map(|x| x.to_bits()).collect());
        let next = u32::try_from(self.alike.len()).expect("fewer than 2^32 contests");
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.alike.push(Contest { first, second, covariates: x.to_vec(), said: [0.0; 3] });
        }
        self.alike[place as usize].said[outcome as usize] += 1.0;
        self.ballots.push(Ballot { item, contest: place, outcome });
    }

    /// How many systems there are.
    #[must_use]
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// What was alike, with counts.
    #[must_use]
    pub fn alike(&self) -> &[Contest] {
        &self.alike
    }
}

/// Where each system's strength stands among the regressors; that of a reference is zero and stands nowhere.
struct Design<'a> {
    strengths: Vec<Option<usize>>,
    covariates: &'a [usize],
    width: usize,
}

impl<'a> Design<'a> {
    /// With these systems as references.
    fn new(systems: usize, references: &[usize], covariates: &'a [usize]) -> Self {
        let mut next = 0;
        let strengths = (0..systems)
            .map(|system| {
                let free = !references.contains(&system);
                let place = next;
                next += usize::from(free);
                free.then_some(place)
            })
            .collect();
        Self { strengths, covariates, width: next + covariates.len() }
    }

    /// The regressors of a contest.
    fn terms(&self, it: &Contest) -> Vec<(usize, f64)> {
        let first_covariate = self.width - self.covariates.len();
        let mut terms = Vec::new();
        if it.first != it.second {
            terms.extend(self.strengths[it.first].map(|place| (place, 1.0)));
            terms.extend(self.strengths[it.second].map(|place| (place, -1.0)));
        }
        for (k, covariate) in self.covariates.iter().enumerate() {
            let x = it.covariates.get(*covariate).copied().unwrap_or(0.0);
            if x != 0.0 {
                terms.push((first_covariate + k, x));
            }
        }
        terms
    }

    fn contrast(&self, system: usize, width: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; width];
        if let Some(place) = self.strengths[system] {
            contrast[place] = 1.0;
        }
        contrast
    }
}

/// Estimated strengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Who can be compared with whom.
    pub groups: Groups,
    /// The slopes of the covariates that were fitted, in log-odds, or why there is no error.
    pub covariates: Vec<Result<Robust, &'static str>>,
    /// ln nu, where there were ties inside groups.
    pub ties: Option<Result<Robust, &'static str>>,
    /// The log-likelihood of the contests inside groups, without the constant of counts.
    pub height: f64,
    strengths: Vec<f64>,
    /// Degrees of freedom of each system's distance from the mean of its group.
    df: Vec<f64>,
    covariance: Matrix,
}

/// Two systems are in groups between which one side won everything, or nothing was asked.
pub const APART: &str =
    "the difference has no finite estimate: the two never beat each other, not even around corners";

/// Fits strengths and the covariates with these places; contests between groups are left out, for they are the limit of certainty.
///
/// # Errors
/// [`logistic::NO_ROWS`] where no group has two systems, [`logistic::ALIASED`] (a covariate is a sum of others or of systems:
/// one judge's own answers are such a covariate where they are one system's), [`logistic::SEPARATED`], or that one item alone
/// decides.
pub fn fit(contests: &Contests, covariates: &[usize], errors: Errors) -> Result<Fit, &'static str> {
    let groups = groups(contests);
    let references: Vec<usize> = groups.members.iter().map(|group| group[0]).collect();
    let design = Design::new(contests.systems, &references, covariates);
    let inside = |it: &Contest| groups.of[it.first] == groups.of[it.second];
    let alike = contests.alike.iter().filter(|it| inside(it));
    let rows = alike.map(|it| Row { x: design.terms(it), said: it.said }).collect();
    let fit = logistic::fit(&[Cluster { rows, times: 1.0 }], design.width)?;
    let width = fit.coefficients.len();
    let mut contrasts: Vec<Vec<f64>> =
        (0..contests.systems).map(|system| from_mean(&design, &groups, system, width)).collect();
    let unit = |place: usize| (0..width).map(|k| f64::from(u8::from(k == place))).collect();
    contrasts.extend((design.width - covariates.len()..width).map(unit));
    let items = by_item(contests, &design, inside);
    let sums = fit.sandwich(&items, &contrasts, errors);
    let robust = |k: usize| sums.robust(k, dot(&contrasts[k], &fit.coefficients));
    let free: Vec<Vec<f64>> = (0..contests.systems)
        .map(|system| fit.turned(design.contrast(system, width).into_iter().enumerate()))
        .collect();
    let meat = sums.meat()?;
    let across =
        |a: &[f64], b: &[f64]| -> f64 { meat.iter().zip(a).map(|(row, a)| a * dot(row, b)).sum() };
    let covariance = free.iter().map(|a| free.iter().map(|b| across(a, b)).collect()).collect();
    let strengths = (0..contests.systems)
        .map(|system| design.strengths[system].map_or(0.0, |place| fit.coefficients[place]))
        .collect();
    let slopes = contests.systems..contests.systems + covariates.len();
    Ok(Fit {
        strengths,
        df: (0..contests.systems).map(|k| robust(k).map_or(f64::INFINITY, |it| it.df)).collect(),
        covariates: slopes.map(robust).collect(),
        ties: (design.width < width).then(|| robust(contests.systems + covariates.len())),
        height: fit.height,
        covariance,
        groups,
    })
}

/// The strength of a system less the mean of its group's.
fn from_mean(design: &Design, groups: &Groups, system: usize, width: usize) -> Vec<f64> {
    let mut contrast = design.contrast(system, width);
    let group = &groups.members[groups.of[system]];
    for place in group.iter().filter_map(|it| design.strengths[*it]) {
        contrast[place] -= 1.0 / group.len() as f64;
    }
    contrast
}

/// The answers as clusters of rows, in the order in which items first came.
fn by_item(
    contests: &Contests,
    design: &Design,
    inside: impl Fn(&Contest) -> bool,
) -> Vec<Cluster> {
    let mut ballots: Vec<&Ballot> = contests.ballots.iter().collect();
    ballots.sort_by_key(|it| (it.item, it.contest));
    let items = ballots.chunk_by(|a, b| a.item == b.item).map(|item| {
        let mut rows = Vec::new();
        for same in item.chunk_by(|a, b| a.contest == b.contest) {
            let contest = &contests.alike[same[0].contest as usize];
            if inside(contest) {
                let mut said = [0.0; 3];
                for it in same {
                    said[it.outcome as usize] += 1.0;
                }
                rows.push(Row { x: design.terms(contest), said });
            }
        }
        Cluster { rows, times: 1.0 }
    });
    items.filter(|it| !it.rows.is_empty()).collect()
}

impl Fit {
    /// By how many log-odds the first of two systems is stronger.
    ///
    /// # Errors
    /// [`APART`], or that the contests do not vary.
    pub fn difference(&self, [one, other]: [usize; 2]) -> Result<Robust, &'static str> {
        if self.groups.of[one] != self.groups.of[other] {
            return Err(APART);
        }
        let weights = [(one, 1.0), (other, -1.0)];
        self.weighted(&weights, self.df[one].min(self.df[other]))
    }

    /// How many log-odds a system stands above the mean of its group; zeros sum.
    ///
    /// # Errors
    /// [`APART`] for a group of one, or that the contests do not vary.
    pub fn strength(&self, system: usize) -> Result<Robust, &'static str> {
        let group = &self.groups.members[self.groups.of[system]];
        if group.len() < 2 {
            return Err(APART);
        }
        let share = 1.0 / group.len() as f64;
        let mut weights: Vec<(usize, f64)> = group.iter().map(|it| (*it, -share)).collect();
        weights.push((system, 1.0));
        self.weighted(&weights, self.df[system])
    }

    fn weighted(&self, weights: &[(usize, f64)], df: f64) -> Result<Robust, &'static str> {
        let value = weights.iter().map(|(k, w)| w * self.strengths[*k]).sum();
        let pairs = weights.iter().flat_map(|a| weights.iter().map(move |b| (a, b)));
        let variance: f64 = pairs.map(|((j, v), (k, w))| v * w * self.covariance[*j][*k]).sum();
        if variance.is_nan() || variance <= 1e-12 * self.covariance[weights[0].0][weights[0].0] {
            return Err("the contests do not vary");
        }
        Ok(Robust { value, error: variance.sqrt(), df })
    }
}

/// Rows of all contests with one system as the reference, and the place of another's strength.
fn against(
    contests: &Contests,
    covariates: &[usize],
    [one, other]: [usize; 2],
) -> (Cluster, usize, usize) {
    let design = Design::new(contests.systems, &[other], covariates);
    let row = |it: &Contest| Row { x: design.terms(it), said: it.said };
    let rows = contests.alike.iter().map(row).collect();
    (Cluster { rows, times: 1.0 }, design.width, design.strengths[one].unwrap_or(0))
}

/// What is known of the difference between two systems where it has no finite estimate: limits by the profile likelihood, of
/// which one or both are infinite ("at least x"). Answers are taken as independent.
///
/// # Errors
/// For a system against itself, or one without contests.
pub fn bound(
    contests: &Contests,
    covariates: &[usize],
    pair: [usize; 2],
    level: f64,
) -> Result<Profiled, &'static str> {
    if pair[0] == pair[1] {
        return Err("a system against itself");
    }
    let (rows, width, place) = against(contests, covariates, pair);
    logistic::profile(&[rows], width, place, level)
}

/// The p-value of the likelihood-ratio test that two systems are equally strong. Answers are taken as independent.
fn equal(contests: &Contests, covariates: &[usize], pair: [usize; 2]) -> f64 {
    let (rows, width, place) = against(contests, covariates, pair);
    logistic::ratio_test(&[rows], width, place, 0.0).unwrap_or(1.0)
}

#[cfg(test)]
mod tests;
