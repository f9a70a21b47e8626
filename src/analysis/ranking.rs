//! The systems by strength: Bradley and Terry's model, with the biases as covariates and without, and what changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Options;
use super::length::{MOST_SYSTEMS, log_ratio, stated};
use super::number::Number;
use super::pairs::Pair;
use crate::evidence::Order;
use crate::stats::bradley_terry::{Contests, Fit, Outcome, Rank, fit, ranks, ranks_of};
use crate::stats::logistic::{Errors, Robust};
use crate::verdicts::Names;

/// A ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The biases that the second fit holds.
    pub held: Vec<String>,
    /// The log-odds of the slot shown first.
    pub position: Number,
    /// The log-odds of a doubling of length.
    pub length: Number,
    /// The log-odds of the judge's own system beyond its strength.
    pub own: Number,
    /// The systems, strongest first by the fit without biases.
    pub systems: Vec<Ranked>,
    /// Whether the order of the systems is the same with the biases held.
    pub same_order: bool,
    /// Groups of systems that beat each other, directly or around corners; between groups no difference is finite.
    pub groups: Vec<Vec<String>>,
    /// Systems that never lost nor tied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undefeated: Vec<String>,
    /// Systems that never won nor tied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winless: Vec<String>,
    /// Sets of systems between which nothing was asked; 1 where all are connected.
    pub parts: usize,
}

/// A system in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its name.
    pub system: String,
    /// Log-odds above the mean of its group, verdicts as they are.
    pub strength: Number,
    /// Ranks that are not ruled out: best and worst.
    pub ranks: Option<[usize; 2]>,
    /// The strength with the biases held.
    pub strength_held: Number,
    /// The ranks with the biases held.
    pub ranks_held: Option<[usize; 2]>,
}

/// The covariates of a contest, in order.
const POSITION: usize = 0;
const LENGTH: usize = 1;
const OWN: usize = 2;

/// The pairs of one judge and its own system.
pub(super) type Judged<'p> = (&'p [Pair], Option<u32>);

/// The ranking of the systems by one judge, or by several together.
pub(super) fn ranking(
    judges: &[Judged<'_>],
    names: &Names,
    options: &Options,
) -> Result<Ranking, String> {
    let pairs = || judges.iter().flat_map(|it| it.0);
    let mut systems: Vec<u32> = pairs().flat_map(|it| it.systems).collect();
    systems.sort_unstable();
    systems.dedup();
    if systems.len() < 3 {
        return Err("two systems are compared by their win rate".to_owned());
    }
    if MOST_SYSTEMS < systems.len() {
        return Err(format!("{} systems are more than are ranked ({MOST_SYSTEMS})", systems.len()));
    }
    // With a length missing the slope would be told of other verdicts than the strengths.
    let measured = pairs().all(|it| log_ratio(it).is_some());
    // To a single judge the strength of its own system and its liking for it are the same.
    let owned = 1 < judges.len() && judges.iter().any(|it| it.1.is_some());
    let contests = contests(judges, &systems, owned);
    let mut covariates = vec![POSITION];
    covariates.extend(measured.then_some(LENGTH));
    covariates.extend(owned.then_some(OWN));
    let plain = fit(&contests, &[], Errors::Cr2);
    let held = fit(&contests, &covariates, Errors::Cr2);
    let level = options.level.get();
    let ranked_by = |fit: &Result<Fit, &'static str>, covariates: &[usize]| match fit {
        Ok(fit) => ranks_of(&contests, covariates, Some(fit), level),
        Err(_) => ranks(&contests, covariates, Errors::Cr2, level),
    };
    let plain_ranks = ranked_by(&plain, &[]);
    let held_ranks = ranked_by(&held, &covariates);
    let order = [order(&plain, systems.len()), order(&held, systems.len())];
    let name = |place: usize| names.name(systems[place]).to_owned();
    let ranked = |place: &usize| Ranked {
        system: name(*place),
        strength: strength(&plain, *place, options),
        ranks: of_ranks(&plain_ranks, *place),
        strength_held: strength(&held, *place, options),
        ranks_held: of_ranks(&held_ranks, *place),
    };
    let groups = crate::stats::bradley_terry::groups(&contests);
    let covariate = |place: usize| match (&held, covariates.iter().position(|it| *it == place)) {
        (_, None) if place == OWN => Number::none(NO_OWN),
        (_, None) => Number::none("not every pair has two lengths above 0"),
        (Ok(fit), Some(k)) => of_robust(&fit.covariates[k], options),
        (Err(why), _) => Number::none(*why),
    };
    let parts = groups.parts.iter().max().map_or(0, |most| most + 1);
    Ok(Ranking {
        held: covariates.iter().map(|it| ["position", "length", "own"][*it].to_owned()).collect(),
        position: covariate(POSITION),
        length: covariate(LENGTH),
        own: covariate(OWN),
        systems: order[0].iter().map(ranked).collect(),
        same_order: order[0] == order[1],
        groups: groups
            .members
            .iter()
            .map(|group| group.iter().map(|it| name(*it)).collect())
            .collect(),
        undefeated: groups.undefeated.iter().map(|it| name(*it)).collect(),
        winless: groups.winless.iter().map(|it| name(*it)).collect(),
        parts,
    })
}

const NO_OWN: &str = "it takes several judges, of whom one owns a system: to one judge its own system's strength and its liking for \
    it are the same";

/// Every verdict as a contest, items numbered across judges.
fn contests(judges: &[Judged<'_>], systems: &[u32], owned: bool) -> Contests {
    let place = |system: u32| systems.binary_search(&system).unwrap_or(0);
    let mut contests = Contests::new(systems.len());
    let mut items: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (pairs, own) in judges {
        for pair in *pairs {
            let next = u32::try_from(items.len()).unwrap_or(u32::MAX);
            let item = *items.entry((pair.stratum, pair.item)).or_insert(next);
            let [a, b] = pair.systems;
            let length = log_ratio(pair).unwrap_or(0.0);
            let owns = |system| if owned && Some(system) == *own { 1.0 } else { 0.0 };
            for (order, turn) in Order::BOTH.into_iter().zip([1.0, -1.0]) {
                let shown = if order == Order::Ab { [a, b] } else { [b, a] }.map(place);
                let mut x = [0.0; 3];
                (x[POSITION], x[LENGTH], x[OWN]) = (1.0, turn * length, turn * (owns(a) - owns(b)));
                let votes = pair.votes(order);
                for (outcome, times) in [
                    (Outcome::First, votes.first),
                    (Outcome::Tie, votes.tie),
                    (Outcome::Second, votes.second),
                ] {
                    (0..times).for_each(|_| contests.add(item, shown, &x, outcome));
                }
            }
        }
    }
    contests
}

/// The systems, strongest first; groups in their order, and where a strength is unknown as they come.
fn order(fit: &Result<Fit, &'static str>, systems: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..systems).collect();
    if let Ok(fit) = fit {
        let key = |place: &usize| {
            let strength = fit.strength(*place).map_or(0.0, |it| it.value);
            (fit.groups.of[*place], -strength)
        };
        all.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
    }
    all
}

fn strength(fit: &Result<Fit, &'static str>, place: usize, options: &Options) -> Number {
    match fit {
        Ok(fit) => of_robust(&fit.strength(place), options),
        Err(why) => Number::none(*why),
    }
}

fn of_robust(it: &Result<Robust, &'static str>, options: &Options) -> Number {
    match it {
        Ok(it) => stated(*it, options),
        Err(why) => Number::none(*why),
    }
}

fn of_ranks(ranks: &Result<Vec<Rank>, &'static str>, place: usize) -> Option<[usize; 2]> {
    ranks.as_ref().ok().map(|it| [it[place].best, it[place].worst])
}
