//! The power of a rule on a design: the fastest exact sum that fits.

use super::{Claim, Differing, Lattice, MOST_STANCES, Power, Unfit, enumerate, step_law};
use crate::estimators::{Estimator, Settings};
use crate::evidence::{LANES, Sums};
use crate::protocol::{Codebook, Design, Lean, Taste};
use crate::world::{Kind, Length};

/// The error of integrals over what is drawn from a normal.
const QUADRATURE: f64 = 1e-10;
/// Steps of the plain convolution that are worth a wait: a second or two.
const MOST_STEPS: usize = 30_000_000;
/// Sums over all ways to lean that are worth a wait, by [`Laws::work`]: some seconds.
const MOST_AVERAGED: f64 = 1e7;
/// Pairs whose plane is worth a wait.
const MOST_ON_A_PLANE: usize = 4_000;

/// The laws of what a pair adds to a rule's sums, given how far the judge leans.
#[derive(Clone, Debug, PartialEq)]
struct Stance {
    /// The probability that it leans so.
    weight: f64,
    /// Distinct laws.
    laws: Vec<Vec<(Sums, f64)>>,
}

/// The law of what a pair adds to a rule's sums, for every distinct law, and by case which of them it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Laws {
    /// One, or from one end to the other where the judge leans by a draw.
    stances: Vec<Stance>,
    /// How many log-odds a standard deviation of its lean is worth.
    lean: f64,
    /// By case: a place among the laws.
    of_case: Vec<usize>,
    /// The error of each law's integrals.
    error: f64,
}

impl Laws {
    /// The laws of a design's cases as a rule reads them.
    ///
    /// # Errors
    /// When answers cannot be tabulated, or several judges lean by a draw.
    pub fn of(design: &Design, rule: &'static Estimator) -> Result<Self, Unfit> {
        if 1 < design.leaning() {
            return Err(Unfit::TooLarge);
        }
        let alike = design.alike();
        let stances = design.stance_count(design.verdicts_an_order());
        if 1.0 < stances && MOST_STANCES < stances * alike.len() as f64 {
            return Err(Unfit::TooLarge);
        }
        let book = design.codebook(&[rule]).map_err(|_| Unfit::TooLarge)?;
        let steps = book.steps(rule.reads);
        let cases = &design.world.cases;
        let own = design.seats.iter().any(|it| matches!(it.taste, Taste::Once(_)));
        let mut place = vec![0; design.world.kinds.len()];
        for (k, (case, _)) in alike.iter().enumerate() {
            place[cases[*case].kind] = k;
        }
        let stances = design.stances(design.verdicts_an_order()).into_iter().map(|it| Stance {
            weight: it.weight,
            laws: alike.iter().map(|(case, _)| step_law(&it.at, &book, &steps, *case)).collect(),
        });
        let leans = design.seats.iter().filter(|it| it.lean == Lean::Anew);
        // `alike` names a case of each law; where every case has opinions of its own, they are in order.
        let of_case = cases.iter().enumerate().map(|(k, it)| if own { k } else { place[it.kind] });
        let error = if design.world.kinds.iter().any(is_continuous)
            || design.seats.iter().any(|it| it.taste == Taste::Anew)
        {
            QUADRATURE
        } else {
            0.0
        };
        Ok(Self {
            stances: stances.collect(),
            lean: leans.map(|it| it.judge.rates().lean).sum(),
            of_case: of_case.collect(),
            error,
        })
    }

    /// The power at every number of cases from 1 to all of them, in the order of the world.
    ///
    /// # Errors
    /// When the test's law is no plane, or too large a one.
    pub fn curve(&self, rule: &'static Estimator, settings: Settings) -> Result<Vec<Power>, Unfit> {
        let most = self.of_case.len() as u64;
        let mut differing = Differing::new(Claim::Outside, by_ways(rule, settings));
        self.mixed(rule, |stance| {
            if let Some(ways) = stance.ways(rule) {
                let power = |n| differing.power(n, ways[0] + ways[1], share(ways));
                return Ok((1..=most).map(power).collect());
            }
            if MOST_ON_A_PLANE < self.of_case.len() {
                return Err(Unfit::TooLarge);
            }
            let laws: Vec<&[(Sums, f64)]> = stance.laws.iter().map(Vec::as_slice).collect();
            super::curve(rule, settings, &laws, self.of_case.iter().copied(), most)
        })
    }

    /// The power at all cases.
    ///
    /// # Errors
    /// When the test's law is no plane, or too large a one.
    pub fn power(&self, rule: &'static Estimator, settings: Settings) -> Result<Power, Unfit> {
        let most = self.of_case.len() as u64;
        let mut differing = Differing::new(Claim::Outside, by_ways(rule, settings));
        let powers = self.mixed(rule, |stance| {
            if let Some(ways) = stance.ways(rule) {
                return Ok(vec![differing.power(most, ways[0] + ways[1], share(ways))]);
            }
            if MOST_ON_A_PLANE < self.of_case.len() {
                return Err(Unfit::TooLarge);
            }
            let laws: Vec<&[(Sums, f64)]> = stance.laws.iter().map(Vec::as_slice).collect();
            let mut lattice = Lattice::new(rule, settings, &laws, most)?;
            for law in &self.of_case {
                lattice.add(laws[*law])?;
            }
            Ok(vec![lattice.power()])
        })?;
        powers.first().copied().ok_or(Unfit::TooLarge)
    }

    /// How much there is to sum for [`Laws::power`], and for all of [`Laws::curve`] on a plane: about half a microsecond each.
    #[must_use]
    pub fn work(&self, rule: &Estimator) -> f64 {
        let cases = self.of_case.len() as f64;
        let each = |it: &Stance| if it.ways(rule).is_some() { cases } else { cases * cases };
        self.stances.iter().map(each).sum()
    }

    /// Whether these are the laws of the first cases of a larger world.
    #[must_use]
    pub fn begins(&self, larger: &Self) -> bool {
        let [one, other] = [self, larger].map(|it| &it.stances[it.stances.len() / 2].laws);
        let both = self.of_case.iter().zip(&larger.of_case);
        self.of_case.len() <= larger.of_case.len()
            && self.lean.to_bits() == larger.lean.to_bits()
            && both.into_iter().all(|(a, b)| one[*a] == other[*b])
    }

    /// The average over how far the judge leans.
    fn mixed(
        &self,
        rule: &Estimator,
        mut of: impl FnMut(&Stance) -> Result<Vec<Power>, Unfit>,
    ) -> Result<Vec<Power>, Unfit> {
        if 1 < self.stances.len() && MOST_AVERAGED < self.work(rule) {
            return Err(Unfit::TooLarge);
        }
        let powers = self.stances.iter().map(|stance| Ok((stance.weight, of(stance)?)));
        let powers = average(powers.collect::<Result<_, _>>()?).into_iter();
        Ok(powers.map(|it| Power { error: it.error + self.error, ..it }).collect())
    }
}

impl Stance {
    /// The shares of pairs that differ one way and the other, where all pairs have one law and the test reads nothing else.
    fn ways(&self, rule: &Estimator) -> Option<[f64; 2]> {
        let (lanes, [law]) = (rule.quick?.lanes, self.laws.as_slice()) else { return None };
        let [one, other] = *lanes else { return None };
        let mut ways = [0.0; 2];
        for (sums, p) in law {
            match (sums.0[one], sums.0[other]) {
                (0, 0) => {}
                (1, 0) => ways[0] += p,
                (0, 1) => ways[1] += p,
                _ => return None,
            }
        }
        Some(ways)
    }
}

/// Powers averaged over nodes. Of one node there is no error; of several the average of every second one, from the middle on,
/// tells it.
fn average(nodes: Vec<(f64, Vec<Power>)>) -> Vec<Power> {
    let middle = nodes.len() / 2;
    let several = 1 < nodes.len();
    let mut sums: Vec<[f64; 3]> = Vec::new();
    for (k, (weight, powers)) in nodes.into_iter().enumerate() {
        sums.resize(powers.len(), [0.0; 3]);
        let every_second = k % 2 == middle % 2;
        for (sum, it) in sums.iter_mut().zip(powers) {
            sum[0] += weight * it.value;
            sum[1] += if every_second { 2.0 * weight * it.value } else { 0.0 };
            sum[2] += weight * it.error;
        }
    }
    let power = |[value, coarse, error]: [f64; 3]| {
        let missed = if several { libm::fabs(value - coarse) } else { 0.0 };
        Power { value, error: error + missed }
    };
    sums.into_iter().map(power).collect()
}

fn is_continuous(kind: &Kind) -> bool {
    kind.gap.levels().is_none() || matches!(kind.length, Length::Normal(..))
}

fn share([one, other]: [f64; 2]) -> f64 {
    if one + other > 0.0 { one / (one + other) } else { 0.5 }
}

/// Whether a test that reads two counts alone rejects them.
fn by_ways(rule: &'static Estimator, settings: Settings) -> impl Fn(u64, u64, u64) -> bool {
    let lanes = rule.quick.map_or(&[][..], |quick| quick.lanes);
    move |b, c, _| {
        let mut sums = [0; LANES];
        for (lane, count) in lanes.iter().zip([b, c]) {
            sums[*lane] = i64::try_from(count).unwrap_or(i64::MAX);
        }
        rule.rejects(&Sums(sums), &settings)
    }
}

/// The power of a rule's test on a design: on a plane where it fits, else by the plain convolution.
///
/// # Errors
/// When neither can be had in a few seconds.
pub fn power(
    design: &Design,
    rule: &'static Estimator,
    settings: Settings,
) -> Result<Power, Unfit> {
    let laws = Laws::of(design, rule)?;
    match laws.power(rule, settings) {
        Err(Unfit::MoreThanAPlane) => plainly(design, rule, settings, laws.error),
        other => other,
    }
}

fn plainly(
    design: &Design,
    rule: &'static Estimator,
    settings: Settings,
    error: f64,
) -> Result<Power, Unfit> {
    let book: Codebook = design.codebook(&[rule]).map_err(|_| Unfit::TooLarge)?;
    let verdicts = design.verdicts_an_order();
    if MOST_STANCES < design.stance_count(verdicts) {
        return Err(Unfit::TooLarge);
    }
    let stances = design.stances(verdicts);
    let most = MOST_STEPS / stances.len();
    let power = |design: &Design| {
        let law = enumerate(design, &book, rule.reads, most).map_err(|_| Unfit::TooLarge)?;
        let mut rejected = 0.0;
        law.each(|sums, p| rejected += if rule.rejects(sums, &settings) { p } else { 0.0 });
        Ok(vec![Power { value: rejected.clamp(0.0, 1.0), error: error + 1e-12 }])
    };
    let powers = stances.iter().map(|it| Ok((it.weight, power(&it.at)?)));
    average(powers.collect::<Result<_, _>>()?).pop().ok_or(Unfit::TooLarge)
}
