//! Pairs shown in both orders: position, self-preference, length, from a judge's law or from a flip rate.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Impossible;
use super::prepared::{Also, Powers, Prepared};
use super::question::{Bias, Question, Test, Truth, share};
use crate::estimators::{ESTIMATORS, Estimator, Settings};
use crate::evidence::{Answers, Asked, Gold, Item, LANES, Order, Reading, Sums, Verdict};
use crate::exact::{Claim, Differing, Lattice, Power, step_law};
use crate::judges::Pairwise;
use crate::protocol::{Combine, Design, Protocol, Seat, Taste};
use crate::quantity::{LogOdds, NonNegative};
use crate::stats::sample_size;
use crate::stats::special::normal_quantile;
use crate::world::{Answer, Case, Gap, Kind, Length, Marks, World};

/// The largest number of identical pairs whose powers are summed.
pub(super) const MOST_ALIKE: u64 = 200_000;
/// The same where a plane is convolved.
const MOST_ON_A_PLANE: u64 = 4_000;
/// The largest coefficient in log-odds.
const MOST_LOG_ODDS: f64 = 50.0;
/// The error of integrals over a judge's taste.
const QUADRATURE: f64 = 1e-10;

/// A rule by its name.
pub(super) fn rule(name: &str) -> Result<&'static Estimator, Impossible> {
    let found = ESTIMATORS.iter().copied().find(|it| it.name() == name);
    found.ok_or_else(|| Impossible(format!("there is no rule {name}.")))
}

/// Pairs that both orders give to the longer answer, A, or to the shorter, where the rule looks for FF and SS.
static LONGER: Reading = Reading {
    name: "longer and shorter, both orders",
    sums: &["pairs", "longer", "shorter"],
    step: |it: &Item<'_>| {
        let (one, other) = (it.answers[0].ab, it.answers[0].ba.turned());
        let mut sums = [0; LANES];
        sums[0] = i64::from(one.valid() * other.valid() > 0);
        sums[1] = i64::from(one.first) * i64::from(other.first);
        sums[2] = i64::from(one.second) * i64::from(other.second);
        Sums(sums)
    },
};

/// The law of what one pair adds to the sums.
type Law = Vec<(Sums, f64)>;

/// The judge and the pairs of a question.
#[derive(Clone)]
struct Judged {
    bias: Bias,
    ability: f64,
    taste: f64,
    doublings: f64,
    /// Distinct laws of the truth.
    gaps: Vec<Gap>,
    /// By pair: which of them it has; repeated.
    cycle: Vec<usize>,
    rule: &'static Estimator,
    /// The sums of a pair, as the rule reads them.
    reading: &'static Reading,
}

impl Judged {
    /// Why a number is no coefficient, or the judges and the world at an effect.
    fn design(&self, effect: f64, upright: bool) -> Result<Design, Impossible> {
        let odds = |x: f64| LogOdds::new(x).map_err(|why| Impossible(format!("{why}.")));
        let taste = NonNegative::new(self.taste).map_err(|why| Impossible(format!("{why}.")))?;
        let third = Pairwise { ability: odds(self.ability)?, taste, ..Pairwise::default() };
        let mut own = third.clone();
        match self.bias {
            Bias::SelfPreference => {
                own.self_preference = odds(effect)?;
                own.own = Some("A".to_owned());
            }
            Bias::Length => own.length = odds(effect)?,
            _ => own.position = odds(effect)?,
        }
        let seat = |name: &str, judge: Pairwise| Seat {
            name: name.into(),
            judge: Arc::new(judge),
            taste: if self.taste > 0.0 { Taste::Anew } else { Taste::None },
        };
        let mut seats = vec![seat("own", own)];
        if self.bias == Bias::SelfPreference {
            seats.push(seat("third", third));
        }
        let length = Length::Fixed(if self.bias == Bias::Length { self.doublings } else { 0.0 });
        let kind = |gap: &Gap| Kind {
            gap: if upright { turned_up(gap) } else { gap.clone() },
            length,
            marks: Marks::default(),
        };
        let cases = 0..self.gaps.len();
        let world = World {
            systems: ["A", "B"].map(|it| Answer { system: it.into(), family: it.into() }),
            kinds: self.gaps.iter().map(kind).collect(),
            cases: cases.map(|kind| Case { id: kind.to_string(), kind }).collect(),
            strata: Vec::new(),
        };
        let protocol = Protocol { asked: Asked::Both, repeats: 1, combine: Combine::Each };
        Ok(Design { world: Arc::new(world), seats, protocol })
    }

    /// The laws of a pair's sums, by distinct truth.
    fn laws(&self, effect: f64, reading: &Reading, upright: bool) -> Result<Vec<Law>, Impossible> {
        let design = self.design(effect, upright)?;
        let book = design.codebook(&[self.rule]);
        let book = book.map_err(|_| Impossible::because("such pairs cannot be tabulated."))?;
        let steps = book.steps(reading);
        Ok((0..self.gaps.len()).map(|case| step_law(&design, &book, &steps, case)).collect())
    }

    /// The mean over pairs of a function of a step.
    fn mean(&self, laws: &[Law], of: impl Fn(&Sums) -> f64) -> f64 {
        let each = self
            .cycle
            .iter()
            .map(|law| -> f64 { laws[*law].iter().map(|(sums, p)| p * of(sums)).sum() });
        each.sum::<f64>() / self.cycle.len() as f64
    }

    /// The shares of pairs that differ one way and the other.
    fn ways(&self, effect: f64) -> Result<[f64; 2], Impossible> {
        let laws = self.laws(effect, self.reading, false)?;
        let outcomes = outcomes(self.rule);
        let of = |k: usize| self.mean(&laws, |sums| f64::from(u8::from(*sums == outcomes[k])));
        Ok([of(0), of(1)])
    }

    /// Mean and standard deviation of a pair's gap in self-preference.
    fn gap(&self, effect: f64) -> Result<(f64, f64), Impossible> {
        let laws = self.laws(effect, self.reading, false)?;
        let x = |sums: &Sums| sums.0[2] as f64 / sums.0[1].max(1) as f64;
        let mean = self.mean(&laws, x);
        let square = self.mean(&laws, |sums| x(sums) * x(sums));
        Ok((mean, libm::sqrt((square - mean * mean).max(0.0))))
    }

    fn approximate(&self, effect: f64, n: f64, za: f64) -> Result<f64, Impossible> {
        if self.bias == Bias::SelfPreference {
            let (mean, sd) = self.gap(effect)?;
            return Ok(sample_size::mean(mean, sd, n, za));
        }
        let [one, other] = self.ways(effect)?;
        Ok(sample_size::sign_test(one + other, one / (one + other), n, za))
    }

    /// The average of both orders, as the share of the better answer, or of the longer or the judge's own.
    fn averaged(&self, effect: f64) -> Result<f64, Impossible> {
        let reading = rule("win-rate/averaged")?.reads;
        let laws = self.laws(effect, reading, self.bias == Bias::Position)?;
        Ok(self.mean(&laws, |sums| sums.0[2] as f64 / sums.0[1].max(1) as f64))
    }

    /// The effect in points.
    fn in_units(&self, effect: f64) -> Result<Vec<Also>, Impossible> {
        let point = |name: &str, share: f64| Also {
            name: name.to_owned(),
            value: 100.0 * share,
            unit: "points",
        };
        let moved = self.averaged(effect)? - self.averaged(0.0)?;
        let mut all = Vec::new();
        if self.bias == Bias::Position {
            let share = self.laws(effect, rule("first-share")?.reads, false)?;
            let first = self.mean(&share, |sums| sums.0[2] as f64 / sums.0[1].max(1) as f64);
            all.push(point(FIRST_SHARE, first - 0.5));
            let [one, other] = self.ways(effect)?;
            all.push(Also { name: FLIPS.to_owned(), value: one + other, unit: "share" });
            all.push(point(MOVED_BETTER, moved));
        } else {
            let of = if self.bias == Bias::Length { MOVED_LONGER } else { MOVED_OWN };
            all.push(point(FIRST_SHARE, 0.0));
            all.push(point(of, moved));
        }
        Ok(all)
    }
}

const FIRST_SHARE: &str = "first-shown share beyond one half (one order minus the average)";
const FLIPS: &str = "pairs that flip";
const MOVED_BETTER: &str =
    "the better answer's win rate, average of both orders, against the fair judge's";
const MOVED_LONGER: &str =
    "the longer answer's win rate, average of both orders, against the fair judge's";
const MOVED_OWN: &str =
    "the own answer's win rate, average of both orders, against the fair judge's";

/// A truth with the better answer always the first system's.
fn turned_up(gap: &Gap) -> Gap {
    match gap {
        Gap::Fixed { gap, .. } => Gap::Fixed { gap: libm::fabs(*gap), gold: Gold::A },
        _ => Gap::Fixed { gap: 1.0, gold: Gold::A },
    }
}

/// What a rule reads of a pair that differs one way, the other way, and not at all.
pub(super) fn outcomes(rule: &Estimator) -> [Sums; 3] {
    use Verdict::{First, Second};
    // What turns with the order is position; what does not is a preference for an answer.
    let turns = rule.needs.asked == [Asked::Both] && rule.rule != "win-rate";
    let pair = |one: Verdict, other: Verdict| {
        let answers = Answers::default().plus(Order::Ab, one).plus(Order::Ba, other);
        (rule.reads.step)(&Item { answers: &[answers], ..ITEM })
    };
    if turns {
        [pair(First, First), pair(Second, Second), pair(First, Second)]
    } else {
        [pair(First, Second), pair(Second, First), pair(First, First)]
    }
}

const ITEM: Item<'static> = Item { answers: &[], gold: None, stratum: 0, length: Ordering::Equal };

/// Whether a rule rejects b pairs one way and c the other, of n.
pub(super) fn verdict(
    rule: &'static Estimator,
    settings: Settings,
) -> Box<dyn Fn(u64, u64, u64) -> bool> {
    let outcomes = outcomes(rule);
    Box::new(move |b, c, n| {
        let counts = [b, c, n - b - c].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        let mut sums = [0; LANES];
        for (count, outcome) in counts.into_iter().zip(&outcomes) {
            for (sum, step) in sums.iter_mut().zip(outcome.0) {
                *sum += count * step;
            }
        }
        rule.rejects(&Sums(sums), &settings)
    })
}

/// Powers of identical pairs that differ one way or the other.
pub(super) struct Alike<W> {
    pub differing: Differing<Box<dyn Fn(u64, u64, u64) -> bool>>,
    /// The shares that differ one way and the other, at an effect.
    pub ways: W,
    pub null: f64,
    pub error: f64,
}

impl<W: Fn(f64) -> Result<[f64; 2], Impossible>> Powers for Alike<W> {
    fn power(&mut self, effect: f64, size: u64) -> Result<Option<Power>, Impossible> {
        Ok(self.powers(effect, size..=size)?.pop())
    }

    fn curve(&mut self, effect: f64, to: u64) -> Result<Vec<Power>, Impossible> {
        self.powers(effect, 1..=to)
    }

    fn size(&mut self, _: f64, size: u64) -> Result<Option<Power>, Impossible> {
        self.power(self.null, size)
    }
}

impl<W: Fn(f64) -> Result<[f64; 2], Impossible>> Alike<W> {
    fn powers(
        &mut self,
        effect: f64,
        sizes: std::ops::RangeInclusive<u64>,
    ) -> Result<Vec<Power>, Impossible> {
        let [one, other] = (self.ways)(effect)?;
        let share = (one + other).min(1.0);
        let way = if share > 0.0 { one / (one + other) } else { 0.5 };
        Ok(sizes
            .map(|size| {
                let power = self.differing.power(size, share, way);
                Power { error: power.error + self.error, ..power }
            })
            .collect())
    }
}

/// Powers of pairs with laws of their own, on a plane.
struct OnAPlane {
    judged: Judged,
    settings: Settings,
}

impl OnAPlane {
    /// Powers at every size where `each` is set, else at the last alone.
    fn powers(&self, effect: f64, to: u64, each: bool) -> Result<Vec<Power>, Impossible> {
        let laws = self.judged.laws(effect, self.judged.reading, false)?;
        let refs: Vec<&[(Sums, f64)]> = laws.iter().map(Vec::as_slice).collect();
        let unfit = |_| Impossible::because("the law of this evidence is too large to sum.");
        let mut lattice =
            Lattice::new(self.judged.rule, self.settings, &refs, to).map_err(unfit)?;
        let mut powers = Vec::new();
        for (pair, law) in (1..=to).zip(self.judged.cycle.iter().cycle()) {
            lattice.add(refs[*law]).map_err(unfit)?;
            if each || pair == to {
                let power = lattice.power();
                powers.push(Power { error: power.error + quadrature(self.judged.taste), ..power });
            }
        }
        Ok(powers)
    }
}

impl Powers for OnAPlane {
    fn power(&mut self, effect: f64, size: u64) -> Result<Option<Power>, Impossible> {
        Ok(self.powers(effect, size, false)?.pop())
    }

    fn curve(&mut self, effect: f64, to: u64) -> Result<Vec<Power>, Impossible> {
        self.powers(effect, to, true)
    }

    fn size(&mut self, _: f64, size: u64) -> Result<Option<Power>, Impossible> {
        self.power(0.0, size)
    }
}

fn quadrature(taste: f64) -> f64 {
    if taste > 0.0 { QUADRATURE } else { 0.0 }
}

/// The rule of a bias and a test.
fn rule_of(bias: Bias, test: Test) -> Result<&'static Estimator, Impossible> {
    rule(match (bias, test) {
        (Bias::SelfPreference, Test::Asymptotic | Test::Z) => "self-preference",
        (Bias::SelfPreference, _) => {
            return Err(Impossible::because(
                "self-preference is tested by a paired z test, which has no exact and no mid-p version; give --test z.",
            ));
        }
        (_, Test::Exact) => "position-effect/exact",
        (_, Test::MidP) => "position-effect/mid-p",
        (Bias::Length, _) => "win-rate/averaged",
        _ => "first-share",
    })
}

/// The rule with its paper.
pub(super) fn told(rule: &Estimator) -> String {
    format!("{}: {}", rule.name(), rule.method)
}

pub(super) fn prepare(question: &Question) -> Result<Prepared, Impossible> {
    let rule = rule_of(question.bias, question.test())?;
    if question.flip_rate.is_some() {
        return by_flip_rate(question, rule);
    }
    let ability = question.ability.ok_or_else(|| {
        let or = if question.bias == Bias::Position { " or --flip-rate" } else { "" };
        Impossible(format!(
            "the answer depends on how hard the pairs are; give --ability, --item-effect{or}."
        ))
    })?;
    let (gaps, cycle) = pairs(&question.truth)?;
    // The asymptotic test of length is that of the win rate, which reads the answers as they are.
    let reading =
        if question.bias == Bias::Length && rule.reads.lanes() == 3 { &LONGER } else { rule.reads };
    let judged = Judged {
        bias: question.bias,
        ability,
        taste: question.taste,
        doublings: question.doublings,
        gaps,
        cycle,
        rule,
        reading,
    };
    judged.design(0.0, false)?;
    let settings = question.settings();
    let za = normal_quantile(0.5 + question.level.get() / 2.0);
    let alike = judged.gaps.len() == 1 && question.bias != Bias::SelfPreference;
    let powers: Box<dyn Powers> = if alike {
        let by = judged.clone();
        Box::new(Alike {
            differing: Differing::new(Claim::Outside, verdict(rule, settings)),
            ways: move |effect| by.ways(effect),
            null: 0.0,
            error: quadrature(question.taste),
        })
    } else {
        Box::new(OnAPlane { judged: judged.clone(), settings })
    };
    let (approximate, in_units) = (judged.clone(), judged);
    let (effect, unit) = match question.bias {
        Bias::SelfPreference => ("self-preference", "log-odds"),
        Bias::Length => ("length preference", "log-odds per doubling"),
        _ => ("position preference", "log-odds"),
    };
    let most_effect = match question.bias {
        Bias::Length => MOST_LOG_ODDS / question.doublings.max(1.0),
        _ => MOST_LOG_ODDS,
    };
    Ok(Prepared {
        powers,
        known: BTreeMap::new(),
        effect,
        unit,
        counted: "pairs",
        null: 0.0,
        least_effect: 0.0,
        most_effect,
        beyond: format!(
            "it lies between 0 and {most_effect} {unit}, beyond which every verdict is certain"
        ),
        step: 0.0625,
        most: Some(if alike { MOST_ALIKE } else { MOST_ON_A_PLANE }),
        rule: told(rule),
        approximate: Box::new(move |effect, n| approximate.approximate(effect, n, za).ok()),
        in_units: Box::new(move |effect| in_units.in_units(effect).unwrap_or_default()),
        assumed: assumed(question, ability),
    })
}

fn assumed(question: &Question, ability: f64) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("truth", question.truth.told()),
        ("ability", format!("{ability} log-odds a unit of true difference")),
    ];
    if question.taste > 0.0 {
        all.push(("taste", format!("standard deviation {} log-odds", question.taste)));
    }
    if question.bias == Bias::Length {
        all.push(("length", format!("one answer is longer by {} doublings", question.doublings)));
    }
    if question.bias == Bias::SelfPreference {
        let third = "a third party judges the same pairs with the same ability and no preference";
        all.push(("compared with", third.to_owned()));
    }
    all
}

/// The distinct truths of pairs, and which of them each pair has.
fn pairs(truth: &Truth) -> Result<(Vec<Gap>, Vec<usize>), Impossible> {
    let fixed = |gap: f64| Gap::Fixed { gap, gold: Gold::of(gap, 0.0) };
    match truth {
        Truth::Random => Ok((vec![Gap::Sign(0.5)], vec![0])),
        Truth::First => Ok((vec![fixed(1.0)], vec![0])),
        Truth::Even => Ok((vec![fixed(1.0), fixed(-1.0)], vec![0, 1])),
        Truth::Given(gaps) => {
            if gaps.is_empty() || gaps.iter().any(|gap| !gap.is_finite()) {
                return Err(Impossible::because(
                    "the truths are finite numbers, one for each pair; give at least one.",
                ));
            }
            let mut distinct: Vec<f64> = gaps.clone();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            let place = |gap: &f64| distinct.binary_search_by(|it| it.total_cmp(gap)).unwrap_or(0);
            let cycle = gaps.iter().map(place).collect();
            Ok((distinct.iter().map(|gap| fixed(*gap)).collect(), cycle))
        }
    }
}

/// One way's share of the flips at a position preference: FF to SS is e^(2 beta), whatever the pairs.
fn one_way(effect: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-2.0 * effect))
}

fn by_flip_rate(question: &Question, rule: &'static Estimator) -> Result<Prepared, Impossible> {
    if question.bias != Bias::Position {
        return Err(Impossible(format!(
            "a flip rate says nothing about {}; give --ability or --item-effect.",
            question.bias.name()
        )));
    }
    let flips = share(question.flip_rate, "--flip-rate", "the flip rate")?;
    let za = normal_quantile(0.5 + question.level.get() / 2.0);
    Ok(Prepared {
        powers: Box::new(Alike {
            differing: Differing::new(Claim::Outside, verdict(rule, question.settings())),
            ways: move |effect| Ok([flips * one_way(effect), flips * one_way(-effect)]),
            null: 0.0,
            error: 0.0,
        }),
        known: BTreeMap::new(),
        effect: "position preference",
        unit: "log-odds",
        counted: "pairs",
        null: 0.0,
        least_effect: 0.0,
        most_effect: MOST_LOG_ODDS,
        beyond: "it lies between 0 and 50 log-odds, beyond which every verdict is certain"
            .to_owned(),
        step: 0.0625,
        most: Some(MOST_ALIKE),
        rule: told(rule),
        approximate: Box::new(move |effect, n| {
            Some(sample_size::sign_test(flips, one_way(effect), n, za))
        }),
        in_units: Box::new(move |effect| {
            let value = 100.0 * flips * (one_way(effect) - 0.5);
            vec![Also { name: FIRST_SHARE.to_owned(), value, unit: "points" }]
        }),
        assumed: vec![(
            "flip rate",
            format!("{flips} at the bias sought, FF + SS ~ Bin(n, {flips})"),
        )],
    })
}
