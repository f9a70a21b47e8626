//! Self-preference: what a judge gives its own system's answers beyond what third parties give them, on the same pairs.

use serde::{Deserialize, Serialize};

use super::between::{Difference, joined};
use super::length::{self, by_judge, stacked};
use super::number::Number;
use super::pairs::Pair;
use super::{Options, rule};
use crate::evidence::{Answers, Item, Sums, Votes};

/// Why one judge alone says nothing of it.
const NEEDS: &str = "it needs a second judge of the same pairs: one judge's liking for its own answers may be deserved";

/// What a judge gives its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPreference {
    /// The judge's own system.
    pub own: String,
    /// The third parties: other judges of the same pairs to whom neither system belongs.
    pub third_parties: Vec<String>,
    /// Pairs with the own system that third parties judged too.
    pub pairs: u64,
    /// The own win rate by the judge minus that by the third parties.
    pub share: Difference,
    /// The same in log-odds, the slot held.
    pub log_odds: Difference,
    /// Against each third party by itself.
    pub by_third_party: Vec<Third>,
}

/// One third party.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Third {
    /// Its name.
    pub judge: String,
    /// The difference of win rates.
    #[serde(flatten)]
    pub share: Number,
}

/// A judge and its pairs.
pub(super) type Named<'p> = (&'p str, &'p [Pair]);

/// The self-preference of a judge; `owner` says whether a judge owns a system.
pub(super) fn self_preference(
    judge: Named<'_>,
    own: u32,
    own_name: &str,
    others: &[(Named<'_>, Option<u32>)],
    options: &Options,
) -> Result<SelfPreference, &'static str> {
    let with_own = |pairs: &[Pair]| -> Vec<Pair> {
        pairs.iter().filter(|it| it.systems.contains(&own)).copied().collect()
    };
    let ours = with_own(judge.1);
    if ours.is_empty() {
        return Err("no pair holds its own system");
    }
    // A judge whose own system is in the pair is no third party of it.
    let third = |(it, owns): &(Named<'_>, Option<u32>)| -> Vec<Pair> {
        let neutral = |pair: &Pair| owns.is_none_or(|owns| !pair.systems.contains(&owns));
        with_own(it.1).into_iter().filter(neutral).collect()
    };
    let thirds: Vec<(&str, Vec<Pair>)> = others
        .iter()
        .map(|it| (it.0.0, third(it)))
        .filter(|it| joined(&ours, &it.1).next().is_some())
        .collect();
    if thirds.is_empty() {
        return Err(NEEDS);
    }
    let all = together(&thirds);
    let shared: Vec<(Pair, Pair)> = joined(&ours, &all).map(|(a, b)| (*a, *b)).collect();
    let (first, second): (Vec<Pair>, Vec<Pair>) = shared.iter().copied().unzip();
    // +1 where A is the own system, -1 where B is.
    let contrast = |pair: &Pair| Some(if pair.systems[0] == own { 1.0 } else { -1.0 });
    let log_odds = match stacked([(&first, &by_judge), (&second, &by_judge)], &contrast) {
        Ok(it) => length::stated(it, options),
        Err(why) => Number::none(why),
    };
    Ok(SelfPreference {
        own: own_name.to_owned(),
        third_parties: thirds.iter().map(|it| it.0.to_owned()).collect(),
        pairs: shared.len() as u64,
        share: Difference::of(share(&shared, own, options), "share", options),
        log_odds: Difference::of(log_odds, "log-odds", options),
        by_third_party: thirds
            .iter()
            .map(|(name, pairs)| {
                let shared: Vec<_> = joined(&ours, pairs).map(|(a, b)| (*a, *b)).collect();
                Third { judge: (*name).to_owned(), share: share(&shared, own, options) }
            })
            .collect(),
    })
}

/// The verdicts of several judges on a pair, each a repeat of the others.
fn together(thirds: &[(&str, Vec<Pair>)]) -> Vec<Pair> {
    let mut all: Vec<Pair> =
        thirds.iter().flat_map(|it| it.1.iter().map(Pair::majorities)).collect();
    all.sort_by_key(Pair::key);
    let plus = |a: Votes, b: Votes| Votes {
        first: a.first.saturating_add(b.first),
        tie: a.tie.saturating_add(b.tie),
        second: a.second.saturating_add(b.second),
        invalid: a.invalid.saturating_add(b.invalid),
    };
    let one = |group: &[Pair]| {
        let sum = |sum: Answers, it: &Pair| Answers {
            ab: plus(sum.ab, it.answers.ab),
            ba: plus(sum.ba, it.answers.ba),
        };
        Pair { answers: group.iter().fold(Answers::default(), sum), ..group[0] }
    };
    all.chunk_by(|a, b| a.key() == b.key()).map(one).collect()
}

/// The rule of the simulations, with the own system as A.
fn share(shared: &[(Pair, Pair)], own: u32, options: &Options) -> Number {
    let rule = rule("self-preference");
    let step = |sums: Sums, (ours, third): &(Pair, Pair)| {
        // Told of the own system: where it is B, its orders and slots are the other ones.
        let turn = |pair: &Pair| {
            if pair.systems[0] == own {
                pair.answers
            } else {
                Answers { ab: pair.answers.ba, ba: pair.answers.ab }
            }
        };
        let answers = [turn(&ours.majorities()), turn(third)];
        let length = std::cmp::Ordering::Equal;
        let item = Item { answers: &answers, gold: None, stratum: 0, length, share: 0 };
        sums.plus((rule.reads.step)(&item))
    };
    let sums = shared.iter().fold(Sums::default(), step);
    let number = Number::estimate(rule, &rule.estimate(&sums, &options.settings()));
    // The z interval is symmetric: half of it tells the error.
    let z = crate::stats::special::normal_quantile(0.5 + options.level.get() / 2.0);
    let half = number.high.zip(number.low).map(|(high, low)| (high - low) / 2.0);
    Number { se: half.filter(|it| it.is_finite()).map(|it| it / z), ..number }
}
