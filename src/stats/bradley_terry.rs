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
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::dense::{Matrix, dot};
use super::logistic::{self, Cluster, Errors, Profiled, Robust, Row, Table};
use super::sandwich::Sandwich;
pub use groups::{Groups, groups};
pub use ranks::{Rank, ranks, ranks_of};

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

/// Contests between systems numbered from 0, each on an item.
#[derive(Clone, Debug, Default)]
pub struct Contests {
    systems: usize,
    alike: Vec<Contest>,
    /// Places of what was alike: looked up, never iterated.
    places: HashTable<u32>,
    ballots: Vec<Ballot>,
}

impl PartialEq for Contests {
    fn eq(&self, other: &Self) -> bool {
        let of = |it: &Self| (it.systems, it.ballots.len());
        of(self) == of(other) && self.alike == other.alike && self.ballots == other.ballots
    }
}

/// The hash of two systems and the bits of the covariates.
fn hash(shown: [usize; 2], x: &[f64]) -> u64 {
    let bits = x.iter().fold(0_u64, |all, x| all.rotate_left(21) ^ x.to_bits());
    FixedState::default().hash_one((shown, bits))
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
        let hashed = hash([first, second], x);
        let same = |it: &u32| {
            let it = &self.alike[*it as usize];
            let bits = || it.covariates.iter().map(|x| x.to_bits());
            [it.first, it.second] == [first, second] && bits().eq(x.iter().map(|x| x.to_bits()))
        };
        let place = self.places.find(hashed, same).copied().unwrap_or_else(|| {
            let next = u32::try_from(self.alike.len()).expect("fewer than 2^32 contests");
            self.alike.push(Contest { first, second, covariates: x.to_vec(), said: [0.0; 3] });
            let alike = &self.alike;
            self.places.insert_unique(hashed, next, |it| {
                let it = &alike[*it as usize];
                hash([it.first, it.second], &it.covariates)
            });
            next
        });
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

/// Contests that some covariates do not tell apart.
struct Kinds {
    /// For each contest the first of its kind.
    of: Vec<u32>,
    /// How many kinds there are.
    many: usize,
}

impl Kinds {
    fn new(contests: &Contests, covariates: &[usize]) -> Self {
        let alike = &contests.alike;
        let x = |it: &Contest, k: &usize| it.covariates.get(*k).copied().unwrap_or(0.0);
        let hashed = |it: &Contest| {
            let x: Vec<f64> = covariates.iter().map(|k| x(it, k)).collect();
            hash([it.first, it.second], &x)
        };
        let mut first: HashTable<u32> = HashTable::new();
        let mut kind = |(place, it): (u32, &Contest)| {
            let same = |other: &u32| {
                let other = &alike[*other as usize];
                let bits = |k: &usize| x(it, k).to_bits() == x(other, k).to_bits();
                [it.first, it.second] == [other.first, other.second] && covariates.iter().all(bits)
            };
            let key = hashed(it);
            first.find(key, same).copied().unwrap_or_else(|| {
                first.insert_unique(key, place, |it| hashed(&alike[*it as usize]));
                place
            })
        };
        let of = (0_u32..).zip(alike).map(&mut kind).collect();
        Self { of, many: first.len() }
    }

    /// The first of each kind, and what was said in all of them.
    fn said<'c>(&self, contests: &'c Contests) -> impl Iterator<Item = (&'c Contest, [f64; 3])> {
        let mut said = vec![[0.0; 3]; contests.alike.len()];
        for (kind, it) in self.of.iter().zip(&contests.alike) {
            let sums = &mut said[*kind as usize];
            sums.iter_mut().zip(it.said).for_each(|(sum, it)| *sum += it);
        }
        let all = contests.alike.iter().zip(said).zip((0..).zip(self.of.clone()));
        all.filter(|it| it.1.0 == it.1.1).map(|it| it.0)
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
    fn terms<'c>(&'c self, it: &'c Contest) -> impl Iterator<Item = (usize, f64)> + 'c {
        let first_covariate = self.width - self.covariates.len();
        let strength = |system: usize, sign: f64| {
            let place = self.strengths[system].filter(|_| it.first != it.second);
            place.map(|place| (place, sign))
        };
        let strengths = [strength(it.first, 1.0), strength(it.second, -1.0)];
        let x = |covariate: &usize| it.covariates.get(*covariate).copied().unwrap_or(0.0);
        let covariates = (first_covariate..).zip(self.covariates.iter().map(x));
        strengths.into_iter().flatten().chain(covariates.filter(|it| it.1 != 0.0))
    }

    /// A weighted sum of strengths among the coefficients.
    fn contrast(&self, weights: &[(usize, f64)], width: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; width];
        for (system, weight) in weights {
            if let Some(place) = self.strengths[*system] {
                contrast[place] += weight;
            }
        }
        contrast
    }
}

/// Estimated strengths.
#[derive(Clone, Debug)]
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
    /// The strengths as regressors, in the basis in which the covariance is given.
    turned: Vec<Vec<f64>>,
    covariance: Matrix,
    sums: Sandwich,
    /// The weights of each group's mean.
    means: Vec<Vec<(usize, f64)>>,
}

/// Two systems are in groups between which one side won everything, or nothing was asked.
pub const APART: &str =
    "the difference has no finite estimate: the two never beat each other, not even around corners";

/// Fits strengths and the covariates with these places; contests between groups are left out, for in the limit they are certain
/// and say nothing.
///
/// # Errors
/// [`logistic::NO_ROWS`] where no group has two systems, [`logistic::ALIASED`] (a covariate is a sum of others or of systems:
/// one judge's own answers are such a covariate where they are one system's), or
/// [`logistic::SEPARATED`].
pub fn fit(contests: &Contests, covariates: &[usize], errors: Errors) -> Result<Fit, &'static str> {
    let groups = groups(contests);
    let references: Vec<usize> = groups.members.iter().map(|group| group[0]).collect();
    let design = Design::new(contests.systems, &references, covariates);
    let kinds = Kinds::new(contests, covariates);
    let mut rows = Table::default();
    for (contest, said) in kinds.said(contests) {
        if groups.inside(contest) {
            rows.row(design.terms(contest), said);
            rows.end(1.0);
        }
    }
    let fit = rows.fit(design.width)?;
    let width = fit.coefficients.len();
    let several = asked_on_several_items(contests, &groups);
    let means: Vec<Vec<(usize, f64)>> =
        groups.members.iter().map(|group| mean(group, &several)).collect();
    let systems = 0..contests.systems;
    let mut contrasts: Vec<Vec<f64>> = systems
        .clone()
        .map(|it| design.contrast(&from_mean(it, &means[groups.of[it]]), width))
        .collect();
    let unit = |place: usize| (0..width).map(|k| f64::from(u8::from(k == place))).collect();
    contrasts.extend((design.width - covariates.len()..width).map(unit));
    let mut sums = fit.no_clusters(&contrasts, errors);
    if errors != Errors::Model {
        each_item(contests, &kinds, &design, &groups, |item| fit.add(item, &mut sums));
    }
    let robust = |k: usize| sums.robust(k, dot(&contrasts[k], &fit.coefficients));
    let slopes = contests.systems..contests.systems + covariates.len();
    let place = |it: usize| design.strengths[it];
    let turned = |it: usize| fit.turned(place(it).map(|place| (place, 1.0)).into_iter());
    Ok(Fit {
        strengths: systems
            .clone()
            .map(|it| place(it).map_or(0.0, |k| fit.coefficients[k]))
            .collect(),
        turned: systems.clone().map(turned).collect(),
        df: systems.map(|k| robust(k).map_or(f64::INFINITY, |it| it.df)).collect(),
        covariates: slopes.map(robust).collect(),
        ties: (design.width < width).then(|| robust(contests.systems + covariates.len())),
        height: fit.height,
        covariance: sums.meat(),
        sums,
        means,
        groups,
    })
}

/// Systems with contests inside their group on two items or more: the error of any other is not told by items.
fn asked_on_several_items(contests: &Contests, groups: &Groups) -> Vec<bool> {
    let mut first_item = vec![None; contests.systems];
    let mut several = vec![false; contests.systems];
    for it in &contests.ballots {
        let contest = &contests.alike[it.contest as usize];
        if groups.inside(contest) {
            for system in [contest.first, contest.second] {
                several[system] |= *first_item[system].get_or_insert(it.item) != it.item;
            }
        }
    }
    several
}

/// The weights of a group's mean, over those asked on several items where there are any.
fn mean(group: &[usize], several: &[bool]) -> Vec<(usize, f64)> {
    let some: Vec<usize> = group.iter().copied().filter(|it| several[*it]).collect();
    let of = if some.is_empty() { group } else { &some };
    of.iter().map(|it| (*it, 1.0 / of.len() as f64)).collect()
}

/// The weights of a system less a mean.
fn from_mean(system: usize, mean: &[(usize, f64)]) -> Vec<(usize, f64)> {
    mean.iter().map(|(k, w)| (*k, -w)).chain([(system, 1.0)]).collect()
}

/// The answers of one item: contests and how they went.
type Answers = Vec<(u32, [u32; 3])>;

/// The answers of each item as a cluster, one after the other, so that they need not all be held. Where contests are few,
/// items are alike, and those that are count as one cluster many times.
fn each_item(
    contests: &Contests,
    kinds: &Kinds,
    design: &Design,
    groups: &Groups,
    mut add: impl FnMut(&Table),
) {
    let kind = |it: &Ballot| Ballot { contest: kinds.of[it.contest as usize], ..*it };
    let mut ballots: Vec<Ballot> = contests.ballots.iter().map(kind).collect();
    ballots.sort_unstable_by_key(|it| (it.item, it.contest));
    let mut table = Table::default();
    let mut cluster = |answers: &Answers, times: f64| {
        table.clear();
        for (contest, said) in answers {
            table.row(design.terms(&contests.alike[*contest as usize]), said.map(f64::from));
        }
        table.end(times);
        add(&table);
    };
    let few = kinds.many < contests.ballots.len() / 8;
    let mut alike: BTreeMap<Answers, u64> = BTreeMap::new();
    let mut answers = Answers::new();
    for item in ballots.chunk_by(|a, b| a.item == b.item) {
        answers.clear();
        for same in item.chunk_by(|a, b| a.contest == b.contest) {
            if groups.inside(&contests.alike[same[0].contest as usize]) {
                let mut said = [0; 3];
                for it in same {
                    said[it.outcome as usize] += 1;
                }
                answers.push((same[0].contest, said));
            }
        }
        if !few {
            cluster(&answers, 1.0);
        } else if let Some(times) = alike.get_mut(&answers) {
            *times += 1;
        } else {
            alike.insert(answers.clone(), 1);
        }
    }
    for (answers, times) in &alike {
        cluster(answers, *times as f64);
    }
}

impl Fit {
    /// By how many log-odds the first of two systems is stronger.
    ///
    /// # Errors
    /// [`APART`]; that one item alone decides, or that the contests do not vary.
    pub fn difference(&self, [one, other]: [usize; 2]) -> Result<Robust, &'static str> {
        if self.groups.of[one] != self.groups.of[other] {
            return Err(APART);
        }
        let weights = [(one, 1.0), (other, -1.0)];
        self.weighted(&weights, self.df[one].min(self.df[other]))
    }

    /// How many log-odds a system stands above the mean of its group (of those in it that were asked on two items or more).
    ///
    /// # Errors
    /// [`APART`] for a group of one; that one item alone decides, or that the contests do not vary.
    pub fn strength(&self, system: usize) -> Result<Robust, &'static str> {
        let group = self.groups.of[system];
        if self.groups.members[group].len() < 2 {
            return Err(APART);
        }
        self.weighted(&from_mean(system, &self.means[group]), self.df[system])
    }

    /// The estimate of [`Fit::difference`] without its error; across groups the sign of infinity, and 0 where neither is ahead.
    fn ahead(&self, [one, other]: [usize; 2]) -> f64 {
        if self.groups.of[one] == self.groups.of[other] {
            self.strengths[one] - self.strengths[other]
        } else {
            self.groups.ahead([one, other])
        }
    }

    fn weighted(&self, weights: &[(usize, f64)], df: f64) -> Result<Robust, &'static str> {
        let value = weights.iter().map(|(k, w)| w * self.strengths[*k]).sum();
        let mut unit = vec![0.0; self.covariance.len()];
        for (k, w) in weights {
            unit.iter_mut().zip(&self.turned[*k]).for_each(|(unit, x)| *unit += w * x);
        }
        self.sums.told(&unit)?;
        let variance: f64 =
            self.covariance.iter().zip(&unit).map(|(row, x)| x * dot(row, &unit)).sum();
        if variance.is_nan() || variance <= 1e-12 * dot(&unit, &unit) {
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
    let row = |it: &Contest| Row { x: design.terms(it).collect(), said: it.said };
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
