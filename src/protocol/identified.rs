//! What a design can tell apart: which biases its presentations identify, what the others are aliased with, and the
//! cheapest further data that would separate them.
//!
//! In log-odds, a verdict on a presentation is a sum of contrasts: the slot, the length, the judge's own answer, its
//! family's answer, and which answer of the pair is better. What is better is not known without gold labels, so each pair
//! has a coefficient of its own. A bias is identified exactly if its column is no combination of the others: any vector of
//! the null space is a pair of judges and worlds with different truths and one likelihood.

use super::{Design, Protocol};
use crate::evidence::{Asked, Order};
use crate::judges::Contrasts;
use crate::world::Mood;

/// A bias that a pairwise judge may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// For whoever is shown first.
    Position,
    /// Per doubling of length.
    Length,
    /// For its own answer.
    Own,
    /// For an answer of its family.
    Family,
}

impl Bias {
    /// Every bias.
    pub const ALL: [Bias; 4] = [Bias::Position, Bias::Length, Bias::Own, Bias::Family];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Bias::Position => "position",
            Bias::Length => "length",
            Bias::Own => "self-preference",
            Bias::Family => "family preference",
        }
    }

    fn of(self, contrasts: &Contrasts) -> f64 {
        match self {
            Bias::Position => 1.0,
            Bias::Length => contrasts.length,
            Bias::Own => contrasts.own,
            Bias::Family => contrasts.family,
        }
    }
}

/// Further data, the cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Each pair once more, in the other order.
    OtherOrder,
    /// The same answer twice, once padded to be longer, in both orders.
    PaddedTwins,
    /// The same pairs before a judge that has no stake in them.
    ThirdParty,
    /// Gold labels of which answer is better.
    Gold,
    /// Gold labels, and padded twins.
    GoldAndTwins,
    /// Gold labels, and a third party.
    GoldAndThirdParty,
}

impl Remedy {
    /// Every remedy, the cheapest first.
    pub const ALL: [Remedy; 6] = [
        Remedy::OtherOrder,
        Remedy::PaddedTwins,
        Remedy::ThirdParty,
        Remedy::Gold,
        Remedy::GoldAndTwins,
        Remedy::GoldAndThirdParty,
    ];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Remedy::OtherOrder => "ask each pair in the other order too",
            Remedy::PaddedTwins => {
                "add padded twins: the same answer, once longer, compared in both orders"
            }
            Remedy::ThirdParty => {
                "ask a third party, a judge without a stake, about the same pairs"
            }
            Remedy::Gold => "buy gold labels of which answer is better",
            Remedy::GoldAndTwins => "buy gold labels, and add padded twins",
            Remedy::GoldAndThirdParty => "buy gold labels, and ask a third party",
        }
    }
}

/// What a design says of one bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The bias.
    pub bias: Bias,
    /// What it cannot be told from; empty where it is identified.
    pub aliased: Vec<&'static str>,
    /// The cheapest data that would separate it, where it is aliased and any would.
    pub remedy: Option<Remedy>,
}

/// What is known of the pairs.
#[derive(Clone, Copy, Debug)]
struct Facts {
    asked: Asked,
    gold: bool,
    third: bool,
    twins: bool,
}

impl Facts {
    fn with(self, remedy: Remedy) -> Self {
        match remedy {
            Remedy::OtherOrder => Self { asked: Asked::Both, ..self },
            Remedy::PaddedTwins => Self { twins: true, ..self },
            Remedy::ThirdParty => Self { third: true, ..self },
            Remedy::Gold => Self { gold: true, ..self },
            Remedy::GoldAndTwins => Self { gold: true, twins: true, ..self },
            Remedy::GoldAndThirdParty => Self { gold: true, third: true, ..self },
        }
    }

    fn orders(self) -> &'static [Order] {
        Protocol { asked: self.asked, repeats: 1, combine: super::Combine::Each }.orders()
    }
}

/// What a design with a pairwise judge says of each bias that it varies; none for other judges. With `gold` it is known
/// which answer is better in each pair.
#[must_use]
pub fn standings(design: &Design, gold: bool) -> Option<Vec<Standing>> {
    let facts =
        Facts { asked: design.protocol.asked, gold, third: 1 < design.seats.len(), twins: false };
    let pairs = pairs(design)?;
    let columns = Columns::new(&pairs, facts);
    let one = |bias: Bias| {
        let column = columns.bias(bias)?;
        if column.iter().all(|x| *x == 0.0) {
            return None;
        }
        let aliased = columns.aliases(bias);
        let separates =
            |remedy: &Remedy| Columns::new(&pairs, facts.with(*remedy)).aliases(bias).is_empty();
        let remedy =
            if aliased.is_empty() { None } else { Remedy::ALL.into_iter().find(separates) };
        Some(Standing { bias, aliased, remedy })
    };
    Some(Bias::ALL.into_iter().filter_map(one).collect())
}

/// Pairs that are looked at: what holds for some holds for more like them.
const ENOUGH: usize = 24;

/// Contrasts with the first system shown first, and the sign of the label, of pairs that differ.
fn pairs(design: &Design) -> Option<Vec<(Contrasts, f64)>> {
    let seat = design.seats.first()?;
    let mut pairs: Vec<(Contrasts, f64)> = Vec::new();
    for kind in &design.world.kinds {
        for state in design.states(kind) {
            let pair = design.world.pair(&state.at, Mood::default());
            let contrasts = seat.judge.contrasts(&pair.shown(Order::Ab))?;
            let [a, b] = state.at.gold.compared().passes().map(|it| f64::from(u8::from(it)));
            let it = (contrasts, a - b);
            if pairs.len() < ENOUGH && !pairs.contains(&it) {
                pairs.push(it);
            }
        }
    }
    Some(pairs)
}

/// The name of what is aliased when pairs have coefficients of their own.
const BETTER_EACH: &str = "which answer is better in each pair";
const BETTER_SYSTEM: &str = "which system is better";
const BETTER: &str = "which answer is better, as labelled";
const THIRD_PARTY: &str = "the third party's own biases";

/// The columns of the design matrix, by the name of what they stand for.
struct Columns(Vec<(&'static str, Vec<f64>)>);

impl Columns {
    fn new(pairs: &[(Contrasts, f64)], facts: Facts) -> Self {
        // Each row: the slot of the first system as a sign, the pair, and whether the third party answers. Two pairs of
        // each kind, so that no single one decides.
        let mut rows = Vec::new();
        for place in 0..2 * pairs.len() {
            // Under a random order a pair is seen once, and one like it the other way round.
            let random = facts.asked == Asked::Random;
            for order in facts.orders() {
                if random && (*order == Order::Ba) != (place < pairs.len()) {
                    continue;
                }
                let sign = if *order == Order::Ab { 1.0 } else { -1.0 };
                rows.push((sign, Some(place), false));
                if facts.third {
                    rows.push((sign, Some(place), true));
                }
            }
        }
        if facts.twins {
            rows.extend([(1.0, None, false), (-1.0, None, false)]);
        }
        let known = |place: Option<usize>| place.map(|place| &pairs[place % pairs.len()]);
        let mut columns = Vec::new();
        for third in [false, true].into_iter().take(1 + usize::from(facts.third)) {
            for bias in Bias::ALL {
                // The third party has no stake: neither own answer nor family.
                if third && matches!(bias, Bias::Own | Bias::Family) {
                    continue;
                }
                let cell = |(sign, place, by_third): &(f64, Option<usize>, bool)| {
                    if *by_third != third {
                        return 0.0;
                    }
                    match (bias, known(*place)) {
                        (Bias::Position, _) => 1.0,
                        (_, Some((contrasts, _))) => sign * bias.of(contrasts),
                        (Bias::Length, None) => *sign,
                        (_, None) => 0.0,
                    }
                };
                let name = if third { THIRD_PARTY } else { bias.name() };
                columns.push((name, rows.iter().map(cell).collect::<Vec<f64>>()));
            }
        }
        let mut better = |name: &'static str, of: &dyn Fn(usize) -> f64| {
            let cell = |(sign, place, _): &(f64, Option<usize>, bool)| {
                place.map_or(0.0, |place| sign * of(place))
            };
            columns.push((name, rows.iter().map(cell).collect()));
        };
        if facts.gold {
            better(BETTER, &|place| pairs[place % pairs.len()].1);
        } else if facts.asked == Asked::Random {
            better(BETTER_SYSTEM, &|_| 1.0);
        } else {
            for each in 0..2 * pairs.len() {
                better(BETTER_EACH, &|place| f64::from(u8::from(place == each)));
            }
        }
        Self(columns)
    }

    fn bias(&self, bias: Bias) -> Option<&Vec<f64>> {
        self.0.iter().find(|it| it.0 == bias.name()).map(|it| &it.1)
    }

    /// What a bias cannot be told from: the fewest sorts of columns that make up its own; empty where none do.
    fn aliases(&self, bias: Bias) -> Vec<&'static str> {
        let Some(target) = self.bias(bias) else { return Vec::new() };
        let mut names: Vec<&'static str> = Vec::new();
        for (name, _) in &self.0 {
            if *name != bias.name() && !names.contains(name) {
                names.push(name);
            }
        }
        let spans = |chosen: &[&'static str]| {
            let columns = self.0.iter().filter(|it| chosen.contains(&it.0)).map(|it| it.1.clone());
            is_combination(columns.collect(), target)
        };
        let alone: Vec<&str> = names.iter().copied().filter(|name| spans(&[*name])).collect();
        if !alone.is_empty() {
            return alone;
        }
        // Leave out what is not needed, from the last.
        if !spans(&names) {
            return Vec::new();
        }
        for name in names.clone().into_iter().rev() {
            let fewer: Vec<&str> = names.iter().copied().filter(|it| *it != name).collect();
            if spans(&fewer) {
                names = fewer;
            }
        }
        names
    }
}

/// Contrasts are sums of a few numbers of moderate size: what is left below this is rounding.
const ROUNDING: f64 = 1e-9;

/// Whether a column is a combination of others, by Gram-Schmidt with a second pass.
fn is_combination(columns: Vec<Vec<f64>>, target: &[f64]) -> bool {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let rest = |basis: &[Vec<f64>], column: &[f64]| {
        let mut rest = column.to_vec();
        for _ in 0..2 {
            for unit in basis {
                let along = dot(unit, &rest);
                rest.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
            }
        }
        rest
    };
    for column in columns {
        let left = rest(&basis, &column);
        let size = dot(&left, &left).sqrt();
        if ROUNDING * dot(&column, &column).sqrt().max(1.0) < size {
            basis.push(left.into_iter().map(|x| x / size).collect());
        }
    }
    let left = rest(&basis, target);
    dot(&left, &left).sqrt() <= ROUNDING * dot(target, target).sqrt().max(1.0)
}

#[cfg(test)]
mod tests;
