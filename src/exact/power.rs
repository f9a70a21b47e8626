//! The power of a rule on a design: the fastest exact sum that fits.

use super::{Claim, Differing, Lattice, Power, Unfit, enumerate, step_law};
use crate::estimators::{Estimator, Settings};
use crate::evidence::{LANES, Sums};
use crate::protocol::{Codebook, Design, Taste};
use crate::world::{Kind, Length};

/// The error of integrals over what is drawn from a normal.
const QUADRATURE: f64 = 1e-10;
/// Steps of the plain convolution that are worth a wait: a second or two.
const MOST_STEPS: usize = 30_000_000;
/// Pairs whose plane is worth a wait.
const MOST_ON_A_PLANE: usize = 4_000;

/// The law of what a pair adds to a rule's sums, for every distinct law, and by case which of them it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Laws {
    /// Distinct laws.
    pub laws: Vec<Vec<(Sums, f64)>>,
    /// By case: a place in `laws`.
    pub of_case: Vec<usize>,
    /// The error of each law's integrals.
    pub error: f64,
}

impl Laws {
    /// The laws of a design's cases as a rule reads them.
    ///
    /// # Errors
    /// When answers cannot be tabulated.
    pub fn of(design: &Design, rule: &'static Estimator) -> Result<Self, Unfit> {
        let book = design.codebook(&[rule]).map_err(|_| Unfit::TooLarge)?;
        let steps = book.steps(rule.reads);
        let cases = &design.world.cases;
        let alike = design.alike();
        let own = design.seats.iter().any(|it| matches!(it.taste, Taste::Once(_)));
        let mut place = vec![0; design.world.kinds.len()];
        let mut laws = Vec::with_capacity(alike.len());
        for (k, (case, _)) in alike.iter().enumerate() {
            place[cases[*case].kind] = k;
            laws.push(step_law(design, &book, &steps, *case));
        }
        // `alike` names a case of each law; where every case has opinions of its own, they are in order.
        let of_case = cases.iter().enumerate().map(|(k, it)| if own { k } else { place[it.kind] });
        let error = if design.world.kinds.iter().any(is_continuous)
            || design.seats.iter().any(|it| it.taste == Taste::Anew)
        {
            QUADRATURE
        } else {
            0.0
        };
        Ok(Self { of_case: of_case.collect(), laws, error })
    }

    /// The power at every number of cases from 1 to all of them, in the order of the world.
    ///
    /// # Errors
    /// When the test's law is no plane, or too large a one.
    pub fn curve(&self, rule: &'static Estimator, settings: Settings) -> Result<Vec<Power>, Unfit> {
        let laws: Vec<&[(Sums, f64)]> = self.laws.iter().map(Vec::as_slice).collect();
        if let Some(ways) = self.ways(rule) {
            let rejects = by_ways(rule, settings);
            let mut differing = Differing::new(Claim::Outside, rejects);
            let each = 1..=self.of_case.len() as u64;
            let power = |n| self.widened(differing.power(n, ways[0] + ways[1], share(ways)));
            return Ok(each.map(power).collect());
        }
        if MOST_ON_A_PLANE < self.of_case.len() {
            return Err(Unfit::TooLarge);
        }
        let most = self.of_case.len() as u64;
        let powers = super::curve(rule, settings, &laws, self.of_case.iter().copied(), most)?;
        Ok(powers.into_iter().map(|it| self.widened(it)).collect())
    }

    /// The power at all cases.
    ///
    /// # Errors
    /// When the test's law is no plane, or too large a one.
    pub fn power(&self, rule: &'static Estimator, settings: Settings) -> Result<Power, Unfit> {
        if let Some(ways) = self.ways(rule) {
            let mut differing = Differing::new(Claim::Outside, by_ways(rule, settings));
            let n = self.of_case.len() as u64;
            return Ok(self.widened(differing.power(n, ways[0] + ways[1], share(ways))));
        }
        if MOST_ON_A_PLANE < self.of_case.len() {
            return Err(Unfit::TooLarge);
        }
        let laws: Vec<&[(Sums, f64)]> = self.laws.iter().map(Vec::as_slice).collect();
        let mut lattice = Lattice::new(rule, settings, &laws, self.of_case.len() as u64)?;
        for law in &self.of_case {
            lattice.add(laws[*law])?;
        }
        Ok(self.widened(lattice.power()))
    }

    /// How much there is to sum for [`Laws::power`], and for all of [`Laws::curve`] on a plane: about half a microsecond each.
    #[must_use]
    pub fn work(&self, rule: &Estimator) -> f64 {
        let cases = self.of_case.len() as f64;
        if self.ways(rule).is_some() { cases } else { cases * cases }
    }

    /// Whether these are the laws of the first cases of a larger world.
    #[must_use]
    pub fn begins(&self, larger: &Self) -> bool {
        let both = self.of_case.iter().zip(&larger.of_case);
        self.of_case.len() <= larger.of_case.len()
            && both.into_iter().all(|(a, b)| self.laws[*a] == larger.laws[*b])
    }

    fn widened(&self, it: Power) -> Power {
        Power { error: it.error + self.error, ..it }
    }

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
    let law = enumerate(design, &book, rule.reads, MOST_STEPS).map_err(|_| Unfit::TooLarge)?;
    let mut rejected = 0.0;
    law.each(|sums, p| rejected += if rule.rejects(sums, &settings) { p } else { 0.0 });
    Ok(Power { value: rejected.clamp(0.0, 1.0), error: error + 1e-12 })
}
