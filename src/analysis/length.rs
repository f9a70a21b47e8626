//! Length: how much the odds of the first-shown answer rise with a doubling of its length against the other's.
//!
//! A judge's slope alone is no bias: longer answers may be better, and people prefer them too. So the slope of the label on
//! the same presentations stands beside it, and the difference of the two. The item is the cluster.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Options;
use super::detectable::{self, Detectable};
use super::number::Number;
use super::pairs::Pair;
use crate::evidence::{Gold, Order};
use crate::stats::logistic::{self, Cluster, Errors, Robust, Row};
use crate::verdicts::Names;

/// The unit of a slope.
pub(super) const UNIT: &str = "log-odds per doubling";
const METHOD: &str = "logistic fit, errors clustered by item: CR2 with Satterthwaite's degrees of freedom (Pustejovsky & Tipton 2018)";

/// The most systems whose strengths a fit holds.
pub(super) const MOST_SYSTEMS: usize = 100;

/// What the judge pays for length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Length {
    /// The unit of the slopes.
    pub unit: String,
    /// Decisive verdicts on answers of known lengths above 0.
    pub verdicts: u64,
    /// The slope, the slot held.
    pub slope: Slope,
    /// The slope, slot and systems held.
    pub with_systems: Slope,
    /// The same slope of the label, on the same presentations.
    pub gold: Slope,
    /// The judge's slope minus the label's: what it pays beyond what the label does.
    pub beyond_gold: Number,
    /// The smallest slope beyond the label's that these verdicts would have shown; without labels, the smallest slope.
    pub smallest_detectable: Detectable,
    /// The win rate of the first system between answers of equal length, the slot averaged out. It assumes that the slope is
    /// the same for all items and that length does not stand for quality.
    pub length_controlled_win_rate: Number,
    /// The same of each two systems that met, or of each system against the baseline that was named, where there are three
    /// systems or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub length_controlled: Vec<Controlled>,
}

/// What one system wins against another between answers of equal length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Controlled {
    /// The one.
    pub of: String,
    /// The other.
    pub against: String,
    /// How often it wins, of decisive verdicts. Besides what the rate of two systems assumes, strengths are those of one fit:
    /// what a system wins from a second and the second from a third says what it wins from the third.
    pub rate: Number,
}

/// A slope with both of its errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The slope with errors clustered by item.
    #[serde(flatten)]
    pub number: Number,
    /// Its error as if every verdict were independent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_se: Option<f64>,
}

impl Slope {
    fn none(reason: impl Into<String>) -> Self {
        Self { number: Number::none(reason), model_se: None }
    }
}

/// Regressors of a presentation: what the design makes of the pair, seen from the slot shown first.
type Design<'d> = &'d dyn Fn(&Pair, f64) -> Vec<(usize, f64)>;

/// A verdict on a pair and an order, as rows: wins of the first slot, wins of the second.
type Outcomes<'d> = &'d dyn Fn(&Pair, Order) -> (u32, u32);

/// The judge's own decisive verdicts.
pub(super) fn by_judge(pair: &Pair, order: Order) -> (u32, u32) {
    let votes = pair.votes(order);
    (u32::from(votes.first), u32::from(votes.second))
}

/// What the label says where the judge was asked.
fn by_gold(pair: &Pair, order: Order) -> (u32, u32) {
    if !pair.asked(order) {
        return (0, 0);
    }
    match (pair.gold, order) {
        (Some(Gold::A), Order::Ab) | (Some(Gold::B), Order::Ba) => (1, 0),
        (Some(Gold::B), Order::Ab) | (Some(Gold::A), Order::Ba) => (0, 1),
        _ => (0, 0),
    }
}

/// The rows of items as clusters; pairs come in the order of their items.
pub(super) fn clusters(pairs: &[Pair], design: Design<'_>, outcomes: Outcomes<'_>) -> Vec<Cluster> {
    let one = |pairs: &[Pair]| {
        let mut rows = Vec::new();
        for pair in pairs {
            for (order, turn) in Order::BOTH.into_iter().zip([1.0, -1.0]) {
                let (first, second) = outcomes(pair, order);
                if 0 < first + second {
                    let said = [f64::from(first), 0.0, f64::from(second)];
                    rows.push(Row { x: design(pair, turn), said });
                }
            }
        }
        Cluster { rows, times: 1.0 }
    };
    pairs.chunk_by(same_item).map(one).filter(|it| !it.rows.is_empty()).collect()
}

/// log2 of A's length against B's.
pub(super) fn log_ratio(pair: &Pair) -> Option<f64> {
    let [a, b] = pair.lengths?;
    (0 < a && 0 < b).then(|| libm::log2(f64::from(a)) - libm::log2(f64::from(b)))
}

/// The systems that occur, in order.
fn systems(pairs: &[Pair]) -> Vec<u32> {
    let mut all: Vec<u32> = pairs.iter().flat_map(|it| it.systems).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The contrasts of the systems, the first of which is the reference, from place `from` on.
fn contrasts(pair: &Pair, systems: &[u32], from: usize, turn: f64) -> Vec<(usize, f64)> {
    let place = |(system, sign): (&u32, f64)| match systems.binary_search(system) {
        Ok(place @ 1..) => Some((from + place - 1, sign)),
        _ => None,
    };
    pair.systems.iter().zip([turn, -turn]).filter_map(place).collect()
}

/// The same clusters once, with how many there are. Worth its while where few designs differ.
fn alike(clusters: Vec<Cluster>) -> Vec<Cluster> {
    type Bits = Vec<(Vec<(usize, u64)>, [u64; 3])>;
    let bits = |it: &Cluster| -> Bits {
        let row = |it: &Row| {
            let x = it.x.iter().map(|(place, x)| (*place, x.to_bits())).collect();
            (x, it.said.map(f64::to_bits))
        };
        it.rows.iter().map(row).collect()
    };
    let mut all: BTreeMap<Bits, Cluster> = BTreeMap::new();
    for it in clusters {
        all.entry(bits(&it)).and_modify(|same| same.times += it.times).or_insert(it);
    }
    all.into_values().collect()
}

/// One coefficient with errors clustered by item.
pub(super) fn coefficient(
    clusters: &[Cluster],
    width: usize,
    place: usize,
) -> Result<(Robust, f64), &'static str> {
    let fit = logistic::fit(clusters, width)?;
    let model = fit.coefficient(clusters, place, Errors::Model)?;
    Ok((fit.coefficient(clusters, place, Errors::Cr2)?, model.error))
}

/// A coefficient with its interval and the test of 0.
pub(super) fn stated(it: Robust, options: &Options) -> Number {
    let interval = it.interval(options.level.get());
    Number::exact(it.value).with_se(it.error).within(interval).with_p(it.p_value(0.0)).by(METHOD)
}

fn slope(clusters: &[Cluster], width: usize, options: &Options) -> Slope {
    match coefficient(clusters, width, 1) {
        Ok((it, model)) => Slope { number: stated(it, options), model_se: Some(model) },
        Err(logistic::SEPARATED) => {
            Slope { number: bounded(clusters, width, 1, options), model_se: None }
        }
        Err(why) => Slope::none(why),
    }
}

/// What separated verdicts say of a coefficient: a bound, and no value.
fn bounded(clusters: &[Cluster], width: usize, place: usize, options: &Options) -> Number {
    let number = Number::none(logistic::SEPARATED);
    match logistic::profile(clusters, width, place, options.level.get()) {
        Ok(it) => number
            .within(it.interval)
            .by("profile likelihood, verdicts as if independent (Venzon & Moolgavkar 1988)"),
        Err(_) => number,
    }
}

/// The intercept of a fit that holds the systems' strengths.
pub(super) fn position_with_systems(pairs: &[Pair], options: &Options) -> Number {
    let systems = systems(pairs);
    if MOST_SYSTEMS < systems.len() {
        return too_many(systems.len());
    }
    let design = |pair: &Pair, turn: f64| {
        let mut x = vec![(0, 1.0)];
        x.extend(contrasts(pair, &systems, 1, turn));
        x
    };
    let clusters = alike(clusters(pairs, &design, &by_judge));
    match coefficient(&clusters, systems.len(), 0) {
        Ok((it, _)) => stated(it, options),
        Err(logistic::ALIASED) => {
            Number::none("the order goes with the systems: a fixed order tells them not apart")
        }
        Err(logistic::SEPARATED) => bounded(&clusters, systems.len(), 0, options),
        Err(why) => Number::none(why),
    }
}

fn too_many(systems: usize) -> Number {
    Number::none(format!("{systems} systems are more than this fit holds ({MOST_SYSTEMS})"))
}

/// Pairs whose lengths are known and above 0.
pub(super) fn measured(pairs: &[Pair]) -> Vec<Pair> {
    pairs.iter().filter(|it| log_ratio(it).is_some()).copied().collect()
}

/// Slot and length.
pub(super) fn slot_and_length(pair: &Pair, turn: f64) -> Vec<(usize, f64)> {
    vec![(0, 1.0), (1, turn * log_ratio(pair).unwrap_or(0.0))]
}

/// The analysis of length; none where the file gives no lengths.
pub(super) fn length(pairs: &[Pair], names: &Names, options: &Options) -> Option<Length> {
    let pairs = measured(pairs);
    if pairs.is_empty() {
        return None;
    }
    let judge = clusters(&pairs, &slot_and_length, &by_judge);
    let gold = clusters(&pairs, &slot_and_length, &by_gold);
    let Held { slope: with_systems, two, each } = with_systems(&pairs, names, options);
    let beyond_gold = if gold.is_empty() {
        Number::none("the file holds no label to compare with")
    } else {
        beyond(&pairs, options)
    };
    let own = slope(&judge, 2, options);
    let compared = if beyond_gold.value.is_some() { &beyond_gold } else { &own.number };
    Some(Length {
        unit: UNIT.to_owned(),
        verdicts: judge.iter().map(|it| it.rows.len() as u64).sum(),
        smallest_detectable: detectable::by_error(compared, UNIT, options.level),
        slope: own,
        with_systems,
        gold: if gold.is_empty() {
            Slope::none("the file holds no label")
        } else {
            slope(&gold, 2, options)
        },
        beyond_gold,
        length_controlled_win_rate: two,
        length_controlled: each,
    })
}

/// A fit that holds the systems' strengths.
struct Held {
    slope: Slope,
    /// The first system against the second at equal lengths, where there are two.
    two: Number,
    /// Where there are more, each two of them that are asked about.
    each: Vec<Controlled>,
}

/// The most pairs of systems that are told one by one.
const MOST_MET: usize = 60;

/// The slope with the systems held, and what systems win between answers of equal length.
fn with_systems(pairs: &[Pair], names: &Names, options: &Options) -> Held {
    let systems = systems(pairs);
    let width = 1 + systems.len();
    if MOST_SYSTEMS < systems.len() {
        let why = too_many(systems.len());
        let slope = Slope { number: why.clone(), model_se: None };
        return Held { slope, two: why, each: Vec::new() };
    }
    let design = |pair: &Pair, turn: f64| {
        let mut x = slot_and_length(pair, turn);
        x.extend(contrasts(pair, &systems, 2, turn));
        x
    };
    let clusters = clusters(pairs, &design, &by_judge);
    let slope = slope(&clusters, width, options);
    if systems.len() == 2 {
        // B's contrast is that of the pair turned round.
        let two = match coefficient(&clusters, width, 2) {
            Ok((it, _)) => equal_lengths(it, options),
            Err(why) => Number::none(why),
        };
        return Held { slope, two, each: Vec::new() };
    }
    let asked = asked(pairs, &systems, names, options);
    let two = Number::none(match asked.len() {
        0 => {
            "more than two systems, and too many pairs of them to tell one by one: name one with --baseline"
        }
        _ => "more than two systems: each two are told by themselves",
    });
    let each = each(&clusters, &systems, &asked, options);
    let each = each.into_iter().zip(&asked).map(|(rate, [of, against])| Controlled {
        of: names.name(*of).to_owned(),
        against: names.name(*against).to_owned(),
        rate,
    });
    Held { slope, two, each: each.collect() }
}

/// Each system against the baseline that was named; without one, those that met. None where they are too many.
fn asked(pairs: &[Pair], systems: &[u32], names: &Names, options: &Options) -> Vec<[u32; 2]> {
    let baseline = options.baseline.as_ref().and_then(|it| names.find(it));
    if let Some(it) = baseline.filter(|it| systems.contains(it)) {
        return systems.iter().filter(|of| **of != it).map(|of| [*of, it]).collect();
    }
    let mut met: Vec<[u32; 2]> = pairs.iter().map(|it| it.systems).collect();
    met.sort_unstable();
    met.dedup();
    if MOST_MET < met.len() { Vec::new() } else { met }
}

/// What the first of each two systems wins against the second between answers of equal length.
fn each(
    clusters: &[Cluster],
    systems: &[u32],
    asked: &[[u32; 2]],
    options: &Options,
) -> Vec<Number> {
    let width = 1 + systems.len();
    let fit = match logistic::fit(clusters, width) {
        Ok(fit) => fit,
        Err(why) => return asked.iter().map(|_| Number::none(why)).collect(),
    };
    let against = |[of, against]: &[u32; 2]| {
        let mut contrast = vec![0.0; fit.coefficients.len()];
        for (system, sign) in [(of, -1.0), (against, 1.0)] {
            if let Ok(place @ 1..) = systems.binary_search(system) {
                contrast[1 + place] = sign;
            }
        }
        contrast
    };
    let contrasts: Vec<Vec<f64>> = asked.iter().map(against).collect();
    let robust = fit.contrasts(clusters, &contrasts, Errors::Cr2);
    let rate = |it: Result<Robust, &'static str>| match it {
        Ok(it) => equal_lengths(it, options),
        Err(why) => Number::none(why),
    };
    robust.into_iter().map(rate).collect()
}

/// The chance that goes with B's log-odds against A, told of A.
fn equal_lengths(b: Robust, options: &Options) -> Number {
    let chance = |eta: f64| 1.0 / (1.0 + libm::exp(eta));
    let interval = b.interval(options.level.get());
    let mut number = Number::exact(chance(b.value))
        .by("logistic fit at equal lengths, the slot held at neither");
    (number.low, number.high) = (Some(chance(interval.high)), Some(chance(interval.low)));
    number.with_p(b.p_value(0.0))
}

/// The judge's slope minus the label's: both in one fit, the rows of an item in one cluster.
fn beyond(pairs: &[Pair], options: &Options) -> Number {
    match stacked([(pairs, &by_judge), (pairs, &by_gold)], &log_ratio) {
        Ok(it) => stated(it, options),
        Err(why) => Number::none(why),
    }
}

/// What A has more of than B: log2 of length, or being somebody's own.
type Contrast<'d> = &'d dyn Fn(&Pair) -> Option<f64>;

/// The slope of the first minus the slope of the second, of two raters of the same items in one fit: slot, contrast, and
/// how both differ between the raters, the rows of an item in one cluster.
pub(super) fn stacked(
    of: [(&[Pair], Outcomes<'_>); 2],
    contrast: Contrast<'_>,
) -> Result<Robust, &'static str> {
    let mut all: BTreeMap<(u32, u32), Vec<Row>> = BTreeMap::new();
    for ((pairs, outcomes), rater) in of.into_iter().zip([1.0, 0.0]) {
        let design = |pair: &Pair, turn: f64| {
            let contrast = turn * contrast(pair).unwrap_or(0.0);
            let all = [1.0, contrast, rater, rater * contrast];
            all.into_iter().enumerate().filter(|it| it.1 != 0.0).collect()
        };
        for of_item in pairs.chunk_by(same_item) {
            let rows = clusters(of_item, &design, outcomes).into_iter().flat_map(|it| it.rows);
            all.entry((of_item[0].stratum, of_item[0].item)).or_default().extend(rows);
        }
    }
    let some = all.into_values().filter(|rows| !rows.is_empty());
    let clusters: Vec<Cluster> = some.map(|rows| Cluster { rows, times: 1.0 }).collect();
    coefficient(&clusters, 4, 3).map(|it| it.0)
}

fn same_item(a: &Pair, b: &Pair) -> bool {
    (a.stratum, a.item) == (b.stratum, b.item)
}
