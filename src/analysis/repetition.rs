//! Repeats of the same presentation: how far a judge repeats itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Options;
use super::number::Number;
use super::pairs::order;
use super::position::ratio_of;
use crate::evidence::{Order, Verdict, Votes};
use crate::stats::agreement::krippendorff::{Metric, krippendorff_alpha};
use crate::stats::clustered::RatioSums;
use crate::verdicts::Ballot;

/// How far a judge says the same again. A presentation is one pair in one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// What was done with the repeats.
    pub unit: String,
    /// Presentations with a verdict.
    pub presentations: u64,
    /// Presentations in which all replies are the same verdict.
    pub unanimous: u64,
    /// The mean share of the commonest verdict among a presentation's replies (Shi et al. 2024); a reply that is no verdict
    /// repeats nothing.
    pub consistency: Number,
    /// The same among the replies that are verdicts.
    pub consistency_of_valid: Number,
    /// Krippendorff's alpha, nominal, over the repeats; verdicts told of the slots.
    pub krippendorff_alpha: Number,
    /// The same with verdicts told of the systems, whose classes are as common as each system is better.
    pub krippendorff_alpha_in_systems: Number,
}

const UNIT: &str = "the pair: repeats are clustered in the log-odds, and boiled down to each order's majority in counts and sign tests";

/// A presentation: stratum, item, systems, and which is first.
type Shown = (u32, u32, [u32; 2], Order);

/// The repeats of one judge's rows.
pub(super) fn repetition(ballots: &[Ballot], rows: &[u32], options: &Options) -> Repetition {
    let mut all: BTreeMap<Shown, Votes> = BTreeMap::new();
    for row in rows {
        let it = &ballots[*row as usize];
        if it.first != it.second {
            let systems = [it.first.min(it.second), it.first.max(it.second)];
            let votes = all.entry((it.stratum, it.item, systems, order(it))).or_default();
            *votes = votes.plus(it.verdict);
        }
    }
    let mut pairs: BTreeMap<(u32, u32, [u32; 2]), [f64; 3]> = BTreeMap::new();
    let mut unanimous = 0;
    let mut presentations = 0;
    for ((stratum, item, systems, _), votes) in &all {
        if votes.valid() == 0 {
            continue;
        }
        presentations += 1;
        unanimous += u64::from(votes.invalid == 0 && votes.unanimous().is_some());
        let most = f64::from(votes.first.max(votes.tie).max(votes.second));
        let valid = votes.valid() as f64;
        let [of_replies, of_valid, asked] = pairs.entry((*stratum, *item, *systems)).or_default();
        *of_replies += most / (valid + f64::from(votes.invalid));
        *of_valid += most / valid;
        *asked += 1.0;
    }
    let mean = |place: usize| {
        let mut sums = RatioSums::default();
        for it in pairs.values() {
            sums.add(it[place], it[2]);
        }
        ratio_of(&sums, options)
    };
    Repetition {
        unit: UNIT.to_owned(),
        presentations,
        unanimous,
        consistency: mean(0),
        consistency_of_valid: mean(1),
        krippendorff_alpha: alpha(all.values().copied()),
        krippendorff_alpha_in_systems: alpha(all.iter().map(in_systems)),
    }
}

/// Votes told of system A's slot being "first".
fn in_systems(((.., order), votes): (&Shown, &Votes)) -> Votes {
    if *order == Order::Ab { *votes } else { votes.turned() }
}

fn alpha(all: impl Iterator<Item = Votes>) -> Number {
    let values = |votes: Votes| -> Vec<Option<f64>> {
        let counts = [
            (Verdict::First, votes.first),
            (Verdict::Tie, votes.tie),
            (Verdict::Second, votes.second),
        ];
        let each = |(verdict, count): (Verdict, u8)| {
            std::iter::repeat_n(Some(f64::from(verdict as u8)), usize::from(count))
        };
        counts.into_iter().flat_map(each).collect()
    };
    let items: Vec<_> = all.map(values).collect();
    Number::of(krippendorff_alpha(&items, Metric::Nominal))
}
