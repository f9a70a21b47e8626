//! Powers of identical pairs that differ one way or the other, as a rule decides them.

use std::cmp::Ordering;

use super::Impossible;
use super::prepared::Powers;
use crate::estimators::{ESTIMATORS, Estimator, Settings};
use crate::evidence::{Answers, Asked, Item, LANES, Order, Sums, Verdict};
use crate::exact::{Differing, Power};

/// The largest number of identical pairs whose powers are summed.
pub(super) const MOST_ALIKE: u64 = 200_000;

/// A rule by its name.
pub(super) fn rule(name: &str) -> Result<&'static Estimator, Impossible> {
    let found = ESTIMATORS.iter().copied().find(|it| it.name() == name);
    found.ok_or_else(|| Impossible(format!("there is no rule {name}.")))
}

/// The rule with its paper.
pub(super) fn told(rule: &Estimator) -> String {
    format!("{}: {}", rule.name(), rule.method)
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

const ITEM: Item<'static> =
    Item { answers: &[], gold: None, stratum: 0, length: Ordering::Equal, share: 0 };

/// Whether (b, c) of n pairs is rejected.
pub(super) type Rejects = Box<dyn Fn(u64, u64, u64) -> bool>;

/// Whether a rule rejects b pairs one way and c the other, of n.
pub(super) fn verdict(rule: &'static Estimator, settings: Settings) -> Rejects {
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
    pub differing: Differing<Rejects>,
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
