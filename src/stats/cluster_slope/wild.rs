//! The wild cluster bootstrap-t of a mean, with the null imposed: each cluster's residual under the null is multiplied by
//! a random weight of mean 0 and variance 1, and t is compared with the t of such samples. It holds its level with few
//! and unequal clusters, where the percentile bootstrap does not.
//!
//! A. C. Cameron, J. B. Gelbach, D. L. Miller (2008), Review of Economics and Statistics 90, 414-427; M. D. Webb (2023),
//! Canadian Journal of Economics 56, 839-858 (six points).
//!
//! Whether a sample is at least as extreme as the data is the sign of a polynomial of degree four in the null value, so the
//! samples are drawn once for all null values, and the interval is had by inverting the test.

use rand::Rng;

use super::super::interval::Interval;
use super::bootstrap::below;
use super::{ClusterSums, Fit, Statistic};

/// The law of the random weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// -1 or 1. With at most [`ENUMERATED`] clusters all samples are listed, and no chance is left.
    Rademacher,
    /// Six equally likely values, -sqrt(3/2) to sqrt(3/2): for so few clusters that signs alone give too few samples.
    Webb,
}

/// The most clusters whose signs are listed: 2^12 samples.
pub const ENUMERATED: usize = 12;

/// Webb's six points.
const SIX: [f64; 6] = [
    -1.224_744_871_391_589,
    -1.0,
    -std::f64::consts::FRAC_1_SQRT_2,
    std::f64::consts::FRAC_1_SQRT_2,
    1.0,
    1.224_744_871_391_589,
];

/// Digits to the base of six that one word gives, and their number of combinations.
const DIGITS: usize = 11;
const COMBINATIONS: u32 = 362_797_056;

/// Samples that are as extreme as the data up to this relative rounding count as extreme: with whole numbers they are.
const ROUNDING: f64 = 1e-9;

/// The samples of a wild bootstrap.
#[derive(Clone, Debug)]
pub struct Wild {
    mean: f64,
    /// The standard error without corrections (CR0), the unit of the search for limits.
    error: f64,
    /// By power: the coefficients of the samples' polynomials in the null value's distance from the mean. A sample is at
    /// least as extreme as the data where its polynomial is not negative.
    coefficients: [Vec<f64>; 5],
    /// Samples that are the data, or their mirror image: extreme at every null value.
    always: usize,
}

impl Wild {
    /// Draws `samples` of them (Rademacher weights of at most [`ENUMERATED`] clusters are listed instead).
    ///
    /// # Errors
    ///
    /// A sum is not finite, there are fewer than two clusters with points, "no variation" between the means of clusters,
    /// or nothing was to be drawn.
    pub fn new(
        clusters: &[ClusterSums],
        weights: Weights,
        samples: usize,
        random: &mut impl Rng,
    ) -> Result<Self, &'static str> {
        let units = Units::of(clusters)?;
        let total = units.total(weights, samples)?;
        let mut coefficients: [Vec<f64>; 5] = Default::default();
        let mut always = 0;
        units.each(weights, total, random, |sample| {
            match sample {
                Some(polynomial) => {
                    coefficients.iter_mut().zip(polynomial).for_each(|(all, it)| all.push(it));
                }
                None => always += 1,
            }
            true
        });
        Ok(Self { mean: units.mean, error: units.error(), coefficients, always })
    }

    /// How many samples there are, the data among them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.always + self.coefficients[0].len()
    }

    /// The two-sided p-value of a null value of the mean: the share of samples, the data among them, whose |t| is at least
    /// that of the data. It is never 0.
    #[must_use]
    pub fn p_value(&self, null: f64) -> f64 {
        self.share(null - self.mean)
    }

    /// The interval of the null values that are not rejected at 1 - level, by bisection to a billionth of the standard
    /// error; the whole line where so few clusters can reject nothing. Where p crosses 1 - level several times, each limit
    /// is one of these places.
    #[must_use]
    pub fn interval(&self, level: f64) -> Interval {
        let limit = |side: f64| self.mean + side * self.reach(side, 1.0 - level);
        Interval { low: limit(-1.0), high: limit(1.0) }
    }

    /// How far the interval reaches on one side of the mean.
    fn reach(&self, side: f64, alpha: f64) -> f64 {
        // Far out only the data and their mirror images are extreme.
        if alpha < self.always as f64 / self.total() as f64 {
            return f64::INFINITY;
        }
        let holds = |gap: f64| alpha < self.share(side * gap);
        let (mut inside, mut outside) = (0.0, 2.0 * self.error);
        while holds(outside) {
            (inside, outside) = (outside, 2.0 * outside);
            if outside.is_infinite() {
                return f64::INFINITY;
            }
        }
        while 1e-9 * self.error < outside - inside {
            let middle = 0.5 * (inside + outside);
            // Between neighbouring numbers there is none.
            if middle <= inside || outside <= middle {
                break;
            }
            if holds(middle) { inside = middle } else { outside = middle }
        }
        outside
    }

    /// The share of samples that are extreme where the null value is so far from the mean.
    fn share(&self, gap: f64) -> f64 {
        let [c0, c1, c2, c3, c4] = &self.coefficients;
        let rest = c0.iter().zip(c1).zip(c2).zip(c3).zip(c4);
        let extreme: usize = rest
            .map(|((((c0, c1), c2), c3), c4)| {
                usize::from(is_extreme([*c0, *c1, *c2, *c3, *c4], gap))
            })
            .sum();
        (self.always + extreme) as f64 / self.total() as f64
    }
}

fn is_extreme([c0, c1, c2, c3, c4]: [f64; 5], gap: f64) -> bool {
    0.0 <= c0 + gap * (c1 + gap * (c2 + gap * (c3 + gap * c4)))
}

/// Whether the wild bootstrap rejects a null value: p <= `alpha`, to the bit as [`Wild::p_value`] says it on the same random
/// words. Samples are drawn only until that is decided.
///
/// # Errors
///
/// As [`Wild::new`].
pub fn rejects(
    clusters: &[ClusterSums],
    (weights, samples): (Weights, usize),
    null: f64,
    alpha: f64,
    random: &mut impl Rng,
) -> Result<bool, &'static str> {
    let units = Units::of(clusters)?;
    let total = units.total(weights, samples)?;
    let gap = null - units.mean;
    let within = |extreme: usize| extreme as f64 / total as f64 <= alpha;
    let (mut extreme, mut left) = (0, total);
    units.each(weights, total, random, |sample| {
        left -= 1;
        extreme += usize::from(sample.is_none_or(|it| is_extreme(it, gap)));
        within(extreme) && !within(extreme + left)
    });
    Ok(within(extreme))
}

/// The clusters seen from their mean: what each adds to the sums of a sample.
struct Units {
    /// By cluster: y, n, y n, n^2, to be multiplied by the weight.
    plain: Vec<[f64; 4]>,
    /// By cluster: y^2, y n, n^2, to be multiplied by the weight's square.
    squares: Vec<[f64; 3]>,
    mean: f64,
    /// The number of points.
    n: f64,
    /// The sums of `squares`, which signs leave as they are.
    sums: [f64; 3],
}

impl Units {
    fn of(clusters: &[ClusterSums]) -> Result<Self, &'static str> {
        let fit = Fit::of(clusters, Statistic::Mean)?;
        let each = || fit.clusters.iter();
        let squares: Vec<_> = each().map(|it| [it.y * it.y, it.y * it.n, it.n * it.n]).collect();
        let sums = squares.iter().fold([0.0; 3], |sums, it| added(sums, 1.0, it));
        // What is smaller than the rounding of the sums is no variation.
        let raw: f64 = clusters.iter().map(|it| it.y * it.y).sum();
        if sums[0] <= 1e-20 * raw {
            return Err("no variation");
        }
        let plain = each().map(|it| [it.y, it.n, it.y * it.n, it.n * it.n]).collect();
        Ok(Self { plain, squares, mean: fit.mean, n: fit.n, sums })
    }

    fn error(&self) -> f64 {
        self.sums[0].sqrt() / self.n
    }

    /// Whether the samples are listed. A sample and its mirror image have one |t|, so one of the two is.
    fn is_listed(&self, weights: Weights) -> bool {
        weights == Weights::Rademacher && self.plain.len() <= ENUMERATED
    }

    /// The number of samples, the data among them.
    fn total(&self, weights: Weights, samples: usize) -> Result<usize, &'static str> {
        if self.is_listed(weights) {
            Ok(1 << (self.plain.len() - 1))
        } else if samples == 0 {
            Err("no sample was asked for")
        } else {
            Ok(samples + 1)
        }
    }

    /// Shows every sample, none for one that is the data or their mirror image, until it is told to stop.
    fn each(
        &self,
        weights: Weights,
        total: usize,
        random: &mut impl Rng,
        mut show: impl FnMut(Option<[f64; 5]>) -> bool,
    ) {
        let mut go_on = show(None);
        if self.is_listed(weights) {
            let mut signs = vec![1.0; self.plain.len()];
            let mut sums = self.plain.iter().fold([0.0; 4], |sums, it| added(sums, 1.0, it));
            // In the order of Gray's code, one sign changes at a time; the last never does.
            for step in 1..total {
                if !go_on {
                    return;
                }
                let changed = step.trailing_zeros() as usize;
                sums = added(sums, -2.0 * signs[changed], &self.plain[changed]);
                signs[changed] = -signs[changed];
                go_on = show(Some(self.polynomial(sums, self.sums)));
            }
            return;
        }
        let mut drawn = vec![0.0; self.plain.len()];
        for _ in 1..total {
            if !go_on {
                return;
            }
            draw(weights, &mut drawn, random);
            let constant = drawn.iter().all(|it| *it == drawn[0]);
            go_on = show((!constant).then(|| self.sample(weights, &drawn)));
        }
    }

    fn sample(&self, weights: Weights, drawn: &[f64]) -> [f64; 5] {
        let each = drawn.iter().zip(&self.plain);
        let plain = each.fold([0.0; 4], |sums, (weight, it)| added(sums, *weight, it));
        let squares = if weights == Weights::Rademacher {
            self.sums
        } else {
            let each = drawn.iter().zip(&self.squares);
            each.fold([0.0; 3], |sums, (weight, it)| added(sums, weight * weight, it))
        };
        self.polynomial(plain, squares)
    }

    /// A sample's polynomial: its t^2 less the data's, times both denominators.
    ///
    /// With residuals e = y - n g for a null value g from the mean, the sample's numerator is sum w e = a - g b, and its
    /// denominator the sum of (w e - n (a - g b) / N)^2, a polynomial of degree two. The data's are N g and sum y^2.
    fn polynomial(&self, [a, b, yn, nn]: [f64; 4], [wyy, wyn, wnn]: [f64; 3]) -> [f64; 5] {
        let [spread, _, sizes] = self.sums;
        let (n, share) = (self.n, sizes / (self.n * self.n));
        let constant = wyy - 2.0 * a * yn / n + share * a * a;
        let linear = 2.0 * ((a * nn + b * yn) / n - wyn - share * a * b);
        let square = wnn - 2.0 * b * nn / n + share * b * b;
        let own = n * n * (1.0 - ROUNDING);
        [
            spread * a * a,
            -2.0 * spread * a * b,
            spread * b * b - own * constant,
            -own * linear,
            -own * square,
        ]
    }
}

fn added<const K: usize>(mut sums: [f64; K], weight: f64, unit: &[f64; K]) -> [f64; K] {
    for (sum, it) in sums.iter_mut().zip(unit) {
        *sum += weight * it;
    }
    sums
}

/// Draws a weight for each cluster: 32 signs or eleven of Webb's points a word.
fn draw(weights: Weights, drawn: &mut [f64], random: &mut impl Rng) {
    match weights {
        Weights::Rademacher => {
            for part in drawn.chunks_mut(32) {
                let mut word = random.next_u32();
                for it in part {
                    *it = if word & 1 == 0 { 1.0 } else { -1.0 };
                    word >>= 1;
                }
            }
        }
        Weights::Webb => {
            for part in drawn.chunks_mut(DIGITS) {
                let mut digits = below(COMBINATIONS, random);
                for it in part {
                    *it = SIX[digits % 6];
                    digits /= 6;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
