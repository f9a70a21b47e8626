//! Length: how much the odds of the first-shown answer rise with a doubling of its length against the other's.
//!
//! A judge's slope alone is no bias: longer answers may be better, and people prefer them too. So the slope of the label on
//! the same presentations stands beside it, and the difference of the two. The item is the cluster.

use serde::{Deserialize, Serialize};

use super::Options;
use super::detectable::{self, Detectable};
use super::number::Number;
use super::pairs::Pair;
use crate::evidence::{Gold, Order};
use crate::stats::logistic::{self, Errors, Robust, Table};
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
type Design<'d> = &'d dyn Fn(&Pair, f64, &mut Terms);

/// Regressors that are not zero, by place.
type Terms = Vec<(usize, f64)>;

/// A verdict on a pair and an order, as rows: wins of the first slot, wins of the second.
type Outcomes<'d> = &'d dyn Fn(&Pair, Order) -> (u32, u32);

/// The judge's own decisive verdicts.
pub(super) fn by_judge(pair: &Pair, order: Order) -> (u32, u32) {
    let votes = pair.votes(order);
    (u32::from(votes.first), u32::from(votes.second))
}

/// How many of a pair's verdicts are decisive.
fn decisive(pair: &Pair) -> u64 {
    let said = Order::BOTH.map(|order| by_judge(pair, order));
    said.into_iter().map(|(first, second)| u64::from(first + second)).sum()
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
fn table(pairs: &[Pair], design: Design<'_>, outcomes: Outcomes<'_>) -> Table {
    let (mut table, mut room) = (Table::default(), Terms::new());
    for item in pairs.chunk_by(same_item) {
        rows(item, design, outcomes, &mut table, &mut room);
        table.end(1.0);
    }
    table
}

fn rows(
    item: &[Pair],
    design: Design<'_>,
    outcomes: Outcomes<'_>,
    table: &mut Table,
    room: &mut Terms,
) {
    for pair in item {
        for (order, turn) in Order::BOTH.into_iter().zip([1.0, -1.0]) {
            let (first, second) = outcomes(pair, order);
            if 0 < first + second {
                room.clear();
                design(pair, turn, room);
                table.row(room.iter().copied(), [f64::from(first), 0.0, f64::from(second)]);
            }
        }
    }
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
fn contrasts(pair: &Pair, systems: &[u32], from: usize, turn: f64, to: &mut Terms) {
    let place = |(system, sign): (&u32, f64)| match systems.binary_search(system) {
        Ok(place @ 1..) => Some((from + place - 1, sign)),
        _ => None,
    };
    to.extend(pair.systems.iter().zip([turn, -turn]).filter_map(place));
}

/// A coefficient with errors clustered by item, and its error as if every verdict were independent.
type Coefficient = Result<(Robust, f64), &'static str>;

/// Coefficients of one fit.
fn coefficients<const K: usize>(table: &Table, width: usize, of: [usize; K]) -> [Coefficient; K] {
    let fit = match table.fit(width) {
        Ok(fit) => fit,
        Err(why) => return [Err(why); K],
    };
    let contrasts = of.map(|place| fit.unit(place));
    let model = fit.of_table(table, &contrasts, Errors::Model);
    let robust = fit.of_table(table, &contrasts, Errors::Cr2);
    let mut all = model.into_iter().zip(robust).map(|(model, robust)| Ok((robust?, model?.error)));
    [(); K].map(|()| all.next().unwrap_or(Err(logistic::NO_ROWS)))
}

/// A coefficient with its interval and the test of 0.
pub(super) fn stated(it: Robust, options: &Options) -> Number {
    let interval = it.interval(options.level.get());
    Number::exact(it.value).with_se(it.error).within(interval).with_p(it.p_value(0.0)).by(METHOD)
}

fn slope(table: &Table, width: usize, of: &Coefficient, options: &Options) -> Slope {
    match *of {
        Ok((it, model)) => Slope { number: stated(it, options), model_se: Some(model) },
        Err(logistic::SEPARATED) => {
            Slope { number: bounded(table, width, 1, options), model_se: None }
        }
        Err(why) => Slope::none(why),
    }
}

/// The slope of length where only the slot is held.
fn plain_slope(table: &Table, options: &Options) -> Slope {
    let [it] = coefficients(table, 2, [1]);
    slope(table, 2, &it, options)
}

/// What separated verdicts say of a coefficient: a bound, and no value.
fn bounded(table: &Table, width: usize, place: usize, options: &Options) -> Number {
    let number = Number::none(logistic::SEPARATED);
    match table.profile(width, place, options.level.get()) {
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
    let design = |pair: &Pair, turn: f64, x: &mut Terms| {
        x.push((0, 1.0));
        contrasts(pair, &systems, 1, turn, x);
    };
    let table = table(pairs, &design, &by_judge).alike();
    let [it] = coefficients(&table, systems.len(), [0]);
    match it {
        Ok((it, _)) => stated(it, options),
        Err(logistic::ALIASED) => {
            Number::none("the order goes with the systems: a fixed order tells them not apart")
        }
        Err(logistic::SEPARATED) => bounded(&table, systems.len(), 0, options),
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
fn slot_and_length(pair: &Pair, turn: f64, x: &mut Terms) {
    x.push((0, 1.0));
    x.extend(log_ratio(pair).filter(|it| *it != 0.0).map(|it| (1, turn * it)));
}

/// The analysis of length; none where the file gives no lengths.
pub(super) fn length(pairs: &[Pair], names: &Names, options: &Options) -> Option<Length> {
    let pairs = measured(pairs);
    if pairs.is_empty() {
        return None;
    }
    let judge = table(&pairs, &slot_and_length, &by_judge);
    let gold = table(&pairs, &slot_and_length, &by_gold);
    let Held { slope: with_systems, two, each } = with_systems(&pairs, names, options);
    let beyond_gold = if gold.is_empty() {
        Number::none("the file holds no label to compare with")
    } else {
        beyond(&pairs, options)
    };
    let own = plain_slope(&judge, options);
    let compared = if beyond_gold.value.is_some() { &beyond_gold } else { &own.number };
    Some(Length {
        unit: UNIT.to_owned(),
        verdicts: pairs.iter().map(decisive).sum(),
        smallest_detectable: detectable::by_error(compared, UNIT, options.level),
        slope: own,
        with_systems,
        gold: if gold.is_empty() {
            Slope::none("the file holds no label")
        } else {
            plain_slope(&gold, options)
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
    let design = |pair: &Pair, turn: f64, x: &mut Terms| {
        slot_and_length(pair, turn, x);
        contrasts(pair, &systems, 2, turn, x);
    };
    let table = table(pairs, &design, &by_judge);
    if systems.len() == 2 {
        // B's contrast is that of the pair turned round.
        let [length, b] = coefficients(&table, width, [1, 2]);
        let two = match b {
            Ok((it, _)) => equal_lengths(it, options),
            Err(why) => Number::none(why),
        };
        return Held { slope: slope(&table, width, &length, options), two, each: Vec::new() };
    }
    let [length] = coefficients(&table, width, [1]);
    let slope = slope(&table, width, &length, options);
    let asked = asked(pairs, &systems, names, options);
    let two = Number::none(match asked.len() {
        0 => {
            "more than two systems, and too many pairs of them to tell one by one: name one with --baseline"
        }
        _ => "more than two systems: each two are told by themselves",
    });
    let each = each(&table, &systems, &asked, options);
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
fn each(table: &Table, systems: &[u32], asked: &[[u32; 2]], options: &Options) -> Vec<Number> {
    let width = 1 + systems.len();
    let fit = match table.fit(width) {
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
    let robust = fit.of_table(table, &contrasts, Errors::Cr2);
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
    let mut items = of.map(|it| it.0.chunk_by(same_item).peekable());
    let (mut table, mut room) = (Table::default(), Terms::new());
    let key = |it: &&[Pair]| (it[0].stratum, it[0].item);
    while let Some(next) = items.iter_mut().filter_map(|it| it.peek().map(key)).min() {
        for ((items, (_, outcomes)), rater) in items.iter_mut().zip(of).zip([1.0, 0.0]) {
            let design = |pair: &Pair, turn: f64, x: &mut Terms| {
                let contrast = turn * contrast(pair).unwrap_or(0.0);
                let all = [1.0, contrast, rater, rater * contrast];
                x.extend(all.into_iter().enumerate().filter(|it| it.1 != 0.0));
            };
            if let Some(item) = items.next_if(|it| key(it) == next) {
                rows(item, &design, outcomes, &mut table, &mut room);
            }
        }
        table.end(1.0);
    }
    let [it] = coefficients(&table, 4, [3]);
    it.map(|it| it.0)
}

fn same_item(a: &Pair, b: &Pair) -> bool {
    (a.stratum, a.item) == (b.stratum, b.item)
}
