//! Several judges of the same pairs: how far they agree beyond chance, how far their errors go together, and how many
//! independent judges they are worth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::agreement::{agreement, in_slots};
use super::latent::{Case, Latent, Named, latent};
use super::number::Number;
use super::pairs::{Pair, kinds};
use super::{Answer, Options};
use crate::evidence::{Gold, Order};
use crate::stats::agreement::item_errors::fleiss_error;
use crate::stats::agreement::krippendorff::{Metric, krippendorff_alpha};
use crate::stats::agreement::many::fleiss_kappa;
use crate::stats::interval::Interval;
use crate::stats::panel::{effective, error_correlation};
use crate::stats::special::{normal_quantile, t_quantile};

/// The most judges whose errors are looked at together.
const MOST_JUDGES: usize = 32;

/// A panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Its judges.
    pub judges: Vec<String>,
    /// Presentations that at least two of them judged.
    pub presentations: u64,
    /// Fleiss' kappa of the verdicts about the slots.
    pub fleiss_kappa: Number,
    /// Krippendorff's alpha, nominal, of the same.
    pub krippendorff_alpha: Number,
    /// Against the label: how far their errors go together.
    pub errors: Answer<Errors>,
    /// Without a label: how common the truth is, and how often each errs. A case is one presentation, told of the systems.
    #[serde(default = "not_asked")]
    pub without_labels: Answer<Latent>,
}

/// Errors of a panel against the label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Labelled pairs on which all judges speak.
    pub pairs: u64,
    /// The mean correlation of two judges' errors.
    pub error_correlation: Number,
    /// How many independent judges the panel is worth (Kish 1965).
    pub effective_judges: Number,
    /// How often each judge errs; its orders averaged, a tie between them is a tie.
    pub error_rates: Vec<f64>,
    /// How often the judges' vote errs.
    pub vote_error_rate: Number,
}

fn not_asked() -> Answer<Latent> {
    Answer::or(None, "an older version did not ask")
}

/// The panel of some judges; none of fewer than two.
pub(super) fn panel(judges: &[(&str, &[Pair])], options: &Options) -> Option<Panel> {
    if judges.len() < 2 || MOST_JUDGES < judges.len() {
        return None;
    }
    let presentations = presentations(judges);
    let counts: Vec<[f64; 3]> = presentations
        .values()
        .map(|said| {
            let mut counts = [0.0; 3];
            said.iter().flatten().for_each(|it| counts[*it as usize] += 1.0);
            counts
        })
        .collect();
    let values: Vec<Vec<Option<f64>>> = presentations
        .values()
        .map(|said| said.iter().map(|it| it.map(|it| f64::from(it as u8))).collect())
        .collect();
    Some(Panel {
        judges: judges.iter().map(|it| it.0.to_owned()).collect(),
        presentations: counts.iter().filter(|it| 1.0 < it.iter().sum()).count() as u64,
        fleiss_kappa: fleiss(&counts, options),
        krippendorff_alpha: Number::of(krippendorff_alpha(&values, Metric::Nominal)),
        errors: Answer::or(errors(judges, options), "no labelled pair on which all judges speak"),
        without_labels: match without_labels(judges, &presentations, options) {
            Ok(it) => Answer::Given(Box::new(it)),
            Err(why) => Answer::or(None, why),
        },
    })
}

/// The truth behind the judges: which of the two systems is better, told of each presentation.
fn without_labels(
    judges: &[(&str, &[Pair])],
    presentations: &BTreeMap<Shown, Vec<Option<Gold>>>,
    options: &Options,
) -> Result<Latent, &'static str> {
    let named = judges.iter().map(|(name, pairs)| {
        let against = agreement(&kinds(*pairs), options).map(|it| it.in_systems);
        let to_label = against.map_or_else(
            || [(); 2].map(|()| Number::none("the file holds no label")),
            |it| [it.sensitivity, it.specificity],
        );
        Named { name, to_label }
    });
    let cases: Vec<Case> = presentations
        .iter()
        .map(|(((stratum, item, _), order), said)| {
            let told = said.iter().map(|it| it.map(|it| in_slots(it, *order) as usize));
            ((*stratum, *item), told.collect())
        })
        .collect();
    latent(named.collect(), &["A", "tie", "B"], &cases, options)
}

fn fleiss(counts: &[[f64; 3]], options: &Options) -> Number {
    let number = Number::of(fleiss_kappa(counts).map(|it| it.value));
    let (Some(value), Ok(error)) = (number.value, fleiss_error(counts)) else { return number };
    let half = normal_quantile(0.5 + options.level.get() / 2.0) * error;
    let interval = Interval { low: value - half, high: (value + half).min(1.0) };
    number.with_se(error).within(interval).by("presentations as a sample, raters as they are")
}

/// A presentation: its pair and its order.
type Shown = ((u32, u32, [u32; 2]), Order);

/// What each judge says of each presentation, in slots.
fn presentations(judges: &[(&str, &[Pair])]) -> BTreeMap<Shown, Vec<Option<Gold>>> {
    let mut all: BTreeMap<Shown, Vec<Option<Gold>>> = BTreeMap::new();
    for (place, (_, pairs)) in judges.iter().enumerate() {
        for pair in *pairs {
            let pair = pair.majorities();
            for order in Order::BOTH {
                if let Some(said) = pair.said(order) {
                    let row = all.entry((pair.key(), order));
                    row.or_insert_with(|| vec![None; judges.len()])[place] =
                        Some(in_slots(said, order));
                }
            }
        }
    }
    all
}

/// What a judge says of a pair, its orders averaged; none where an order that was asked has no verdict.
fn voice(pair: &Pair) -> Option<Gold> {
    let pair = pair.majorities();
    let lost = |order| pair.asked(order) && pair.votes(order).valid() == 0;
    let votes = pair.answers.for_a();
    if votes.valid() == 0 || Order::BOTH.into_iter().any(lost) {
        return None;
    }
    Some(match votes.half_points().cmp(&votes.valid()) {
        std::cmp::Ordering::Greater => Gold::A,
        std::cmp::Ordering::Equal => Gold::Tie,
        std::cmp::Ordering::Less => Gold::B,
    })
}

/// The judges that err on each pair, as bits, and whether their vote does.
type Patterns = BTreeMap<(u32, bool), u64>;

/// What the judges say of a pair, and its label.
type Said = (Vec<Gold>, Gold);

fn errors(judges: &[(&str, &[Pair])], options: &Options) -> Option<Errors> {
    let mut said: BTreeMap<(u32, u32, [u32; 2]), Said> = BTreeMap::new();
    for (_, pairs) in judges {
        for pair in *pairs {
            if let (Some(voice), Some(gold)) = (voice(pair), pair.gold) {
                said.entry(pair.key()).or_insert_with(|| (Vec::new(), gold)).0.push(voice);
            }
        }
    }
    let mut patterns = Patterns::new();
    for (voices, gold) in said.values().filter(|it| it.0.len() == judges.len()) {
        let mut bits = 0;
        let mut counts = [0; 3];
        for (place, voice) in voices.iter().enumerate() {
            bits |= u32::from(voice != gold) << place;
            counts[*voice as usize] += 1;
        }
        *patterns.entry((bits, plurality(counts) != *gold)).or_insert(0) += 1;
    }
    let n: u64 = patterns.values().sum();
    if n == 0 {
        return None;
    }
    let share = |of: &dyn Fn(&(u32, bool)) -> bool| -> u64 {
        patterns.iter().filter(|it| of(it.0)).map(|it| it.1).sum()
    };
    let places = 0..judges.len();
    let rates = places.map(|place| share(&|it| it.0 >> place & 1 == 1) as f64 / n as f64);
    let correlation = correlation(&patterns, judges.len(), options);
    Some(Errors {
        pairs: n,
        effective_judges: effective_judges(&correlation, judges.len()),
        error_correlation: correlation,
        error_rates: rates.collect(),
        vote_error_rate: super::position::share_of(share(&|it| it.1), n, options),
    })
}

/// What more judges say than anything else; a tie where nothing leads.
fn plurality(counts: [u32; 3]) -> Gold {
    let [a, tie, b] = counts;
    if b.max(tie) < a {
        Gold::A
    } else if a.max(tie) < b {
        Gold::B
    } else {
        Gold::Tie
    }
}

/// The mean correlation of two judges' errors in weighted patterns.
fn mean_correlation(patterns: &[(u32, f64)], judges: usize) -> Result<f64, &'static str> {
    let n: f64 = patterns.iter().map(|it| it.1).sum();
    let count = |bits: u32| -> f64 {
        patterns.iter().filter(|it| it.0 & bits == bits).map(|it| it.1).sum()
    };
    let (mut sum, mut terms) = (0.0, 0.0);
    for b in 1..judges {
        for a in 0..b {
            let (a, b) = (1 << a, 1 << b);
            sum += error_correlation(n, [count(a), count(b)], count(a | b))?;
            terms += 1.0;
        }
    }
    Ok(sum / terms)
}

fn correlation(patterns: &Patterns, judges: usize, options: &Options) -> Number {
    let mut all: BTreeMap<u32, f64> = BTreeMap::new();
    for ((bits, _), times) in patterns {
        *all.entry(*bits).or_insert(0.0) += *times as f64;
    }
    let mut all: Vec<(u32, f64)> = all.into_iter().collect();
    let n: f64 = all.iter().map(|it| it.1).sum();
    let value = match mean_correlation(&all, judges) {
        Ok(value) => value,
        Err(why) => return Number::none(why),
    };
    // The jackknife over pairs; pairs with the same errors are left out alike.
    let mut left = Vec::with_capacity(all.len());
    for place in 0..all.len() {
        all[place].1 -= 1.0;
        let Ok(it) = mean_correlation(&all, judges) else { return Number::exact(value) };
        all[place].1 += 1.0;
        left.push((it, all[place].1));
    }
    let mean = left.iter().map(|it| it.0 * it.1).sum::<f64>() / n;
    let spread: f64 = left.iter().map(|it| it.1 * (it.0 - mean) * (it.0 - mean)).sum();
    let error = ((n - 1.0) / n * spread).sqrt();
    let half = t_quantile(0.5 + options.level.get() / 2.0, n - 1.0) * error;
    let mut number = Number::exact(value).with_se(error).by("jackknife over pairs");
    (number.low, number.high) = (Some(value - half), Some(value + half));
    number
}

fn effective_judges(correlation: &Number, judges: usize) -> Number {
    let Some(rho) = correlation.value else { return correlation.clone() };
    let of = |rho: f64| effective(judges as f64, rho);
    let mut number = Number::of(of(rho)).by("the limits of the error correlation, turned round");
    if number.value.is_some() {
        // Errors that offset each other are worth any number of judges.
        let limit = |rho: Option<f64>| rho.map(|rho| of(rho).unwrap_or(f64::INFINITY));
        (number.low, number.high) = (limit(correlation.high), limit(correlation.low));
    }
    number
}
