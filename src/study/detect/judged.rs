//! Pairs that a judge of known coefficients is shown in both orders: their laws, their powers on a plane, and an effect in
//! points.

use std::sync::Arc;

use super::Impossible;
use super::alike::{outcomes, rule};
use super::prepared::{Also, Powers};
use super::question::Bias;
use crate::estimators::{Estimator, Settings};
use crate::evidence::{Asked, Gold, Item, LANES, Reading, Sums};
use crate::exact::{Lattice, Power, step_law};
use crate::judges::Pairwise;
use crate::protocol::{Combine, Design, Lean, Opinion, Protocol, Seat, Taste};
use crate::quantity::{LogOdds, NonNegative};
use crate::stats::sample_size;
use crate::world::{Answer, Case, Gap, Kind, Length, Marks, World};

/// The error of integrals over a judge's taste.
const QUADRATURE: f64 = 1e-10;

/// Pairs that both orders give to the longer answer, A, or to the shorter, where the rule looks for FF and SS.
pub(super) static LONGER: Reading = Reading {
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
pub(super) struct Judged {
    pub bias: Bias,
    pub ability: f64,
    pub taste: f64,
    pub doublings: f64,
    /// Distinct laws of the truth.
    pub gaps: Vec<Gap>,
    /// By pair: which of them it has; repeated.
    pub cycle: Vec<usize>,
    pub rule: &'static Estimator,
    /// The sums of a pair, as the rule reads them.
    pub reading: &'static Reading,
}

impl Judged {
    /// Why a number is no coefficient, or the judges and the world at an effect.
    pub(super) fn design(&self, effect: f64, upright: bool) -> Result<Design, Impossible> {
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
            opinion: Opinion::Own(name.into()),
            lean: Lean::At(0.0),
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
    pub(super) fn ways(&self, effect: f64) -> Result<[f64; 2], Impossible> {
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

    pub(super) fn approximate(&self, effect: f64, n: f64, za: f64) -> Result<f64, Impossible> {
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
    pub(super) fn in_units(&self, effect: f64) -> Result<Vec<Also>, Impossible> {
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

pub(super) const FIRST_SHARE: &str =
    "first-shown share beyond one half (one order minus the average)";
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

/// Powers of pairs with laws of their own, on a plane.
pub(super) struct OnAPlane {
    pub judged: Judged,
    pub settings: Settings,
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

/// The error that integrals over a taste add.
pub(super) fn quadrature(taste: f64) -> f64 {
    if taste > 0.0 { QUADRATURE } else { 0.0 }
}
