//! A probit line through shares: P(success) = Phi(intercept + slope x), and where it crosses a given share.

use super::interval::Interval;
use super::special::{normal_density, normal_quantile, phi, phi_upper};

/// Successes of some trials at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Trials.
    pub trials: u64,
    /// Successes among them.
    pub successes: u64,
}

impl Point {
    /// The share of successes.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.successes as f64 / self.trials as f64
    }
}

/// A maximum-likelihood line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probit {
    /// The line's height at `x = 0`.
    pub intercept: f64,
    /// How much it rises for a unit of x.
    pub slope: f64,
    /// The inverse information: variance of the intercept, covariance, variance of the slope.
    pub covariance: [f64; 3],
}

/// Scoring steps after which a likelihood that still rises has no maximum.
const STEPS: usize = 60;
/// Heights beyond which a share is as good as certain: at a maximum no line goes there between its points.
const CERTAIN: f64 = 12.0;

impl Probit {
    /// The line of largest likelihood, by Fisher's scoring; none where the points lie at fewer than two places, or are
    /// separated (all failures on one side, all successes on the other).
    #[must_use]
    pub fn of(points: &[Point]) -> Option<Self> {
        let points: Vec<Point> = points.iter().copied().filter(|it| 0 < it.trials).collect();
        let all: f64 = points.iter().map(|it| it.trials as f64).sum();
        // Around their own centre, in their own spread, the two coefficients hardly move together.
        let centre = points.iter().map(|it| it.trials as f64 * it.x).sum::<f64>() / all;
        let square = |it: &Point| it.trials as f64 * (it.x - centre) * (it.x - centre);
        let spread = libm::sqrt(points.iter().map(square).sum::<f64>() / all);
        if !(spread.is_finite() && 1e-12 * libm::fabs(centre) < spread) {
            return None;
        }
        let mut line = [0.0; 2];
        for _ in 0..STEPS {
            let Scored { score, information: [a, b, c] } = scored(&points, line, centre, spread)?;
            let whole = a * c - b * b;
            if whole.is_nan() || whole <= 1e-12 * a * c {
                return None;
            }
            let step =
                [(c * score[0] - b * score[1]) / whole, (a * score[1] - b * score[0]) / whole];
            // A step is never longer than what turns a share of one half into a certain one.
            let long = libm::fabs(step[0]).max(libm::fabs(step[1]));
            let short = if 2.0 < long { 2.0 / long } else { 1.0 };
            line = [line[0] + short * step[0], line[1] + short * step[1]];
            if long < 1e-12 {
                let [v, w, u] = [c / whole, -b / whole / spread, a / whole / (spread * spread)];
                let slope = line[1] / spread;
                let covariance = [v - 2.0 * centre * w + centre * centre * u, w - centre * u, u];
                return Some(Self { intercept: line[0] - centre * slope, slope, covariance });
            }
        }
        None
    }

    /// Where the line crosses a share, 0 to 1.
    #[must_use]
    pub fn crossing(&self, share: f64) -> f64 {
        (normal_quantile(share) - self.intercept) / self.slope
    }

    /// Fieller's set of crossings that the points do not refuse at this level; unbounded where the slope may be none.
    ///
    /// E. C. Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185.
    #[must_use]
    pub fn between(&self, share: f64, level: f64) -> Interval {
        let z = normal_quantile(0.5 + level / 2.0);
        let rest = normal_quantile(share) - self.intercept;
        let [v, w, u] = self.covariance.map(|it| z * z * it);
        // Those x with (rest - slope x)^2 <= z^2 Var(intercept + slope x).
        let [a, b, c] = [self.slope * self.slope - u, self.slope * rest + w, rest * rest - v];
        let under = b * b - a * c;
        if a.is_nan() || a <= 0.0 || under.is_nan() || under < 0.0 {
            return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let root = libm::sqrt(under);
        Interval { low: (b - root) / a, high: (b + root) / a }
    }
}

/// Score and information (three entries) of a line.
struct Scored {
    score: [f64; 2],
    information: [f64; 3],
}

fn scored(points: &[Point], line: [f64; 2], centre: f64, spread: f64) -> Option<Scored> {
    let (mut score, mut information) = ([0.0; 2], [0.0; 3]);
    for it in points {
        let x = (it.x - centre) / spread;
        let height = line[0] + line[1] * x;
        if height.is_nan() || CERTAIN < libm::fabs(height) {
            return None;
        }
        let (below, above, density) = (phi(height), phi_upper(height), normal_density(height));
        let (n, k) = (it.trials as f64, it.successes as f64);
        let pull = density * (k * above - (n - k) * below) / (below * above);
        let weight = n * density * density / (below * above);
        score = [score[0] + pull, score[1] + x * pull];
        let [a, b, c] = information;
        information = [a + weight, b + x * weight, c + x * x * weight];
    }
    Some(Scored { score, information })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, successes: u64, trials: u64) -> Point {
        Point { x, trials, successes }
    }

    /// R 4: `glm(cbind(k, n - k) ~ x, binomial("probit"))`, its `vcov`, and Fieller's quadratic solved there.
    #[test]
    fn the_line_of_r() {
        let points =
            [point(0.2, 61, 400), point(0.5, 133, 400), point(0.8, 262, 400), point(1.1, 441, 500)];
        let it = Probit::of(&points).unwrap();
        assert!((it.intercept + 1.603_803_250_112).abs() < 1e-9, "{it:?}");
        assert!((it.slope - 2.503_904_127_192).abs() < 1e-9);
        let want = [0.006_575_531_668, -0.008_074_505_878, 0.012_110_854_743];
        for (got, want) in it.covariance.iter().zip(want) {
            assert!((got - want).abs() < 1e-8, "{it:?}");
        }
        assert!((it.crossing(0.8) - 0.976_644_615_554).abs() < 1e-9);
        let between = it.between(0.8, 0.95);
        assert!((between.low - 0.940_759_823_872).abs() < 1e-7, "{between:?}");
        assert!((between.high - 1.017_163_464_187).abs() < 1e-7, "{between:?}");
    }

    #[test]
    fn what_has_no_line_says_so() {
        assert_eq!(Probit::of(&[]), None);
        assert_eq!(Probit::of(&[point(1.0, 3, 9)]), None);
        assert_eq!(Probit::of(&[point(1.0, 3, 9), point(1.0, 5, 9)]), None);
        assert_eq!(Probit::of(&[point(0.0, 0, 9), point(1.0, 9, 9)]), None);
        assert_eq!(Probit::of(&[point(0.0, 9, 9), point(1.0, 9, 9)]), None);
        // A slope that may be none bounds nothing.
        let flat = Probit::of(&[point(0.0, 5, 10), point(1.0, 6, 10)]).unwrap();
        assert_eq!(flat.between(0.9, 0.95).high, f64::INFINITY);
    }
}
