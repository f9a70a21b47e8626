//! The mean, and the least-squares slope, of points that come in clusters: cluster-robust standard
//! errors from six sums for each cluster.
//!
//! The sandwich needs no point again. With X'X = Q'Q scaled to the identity, a cluster enters by
//! the 2 x 2 matrix S of its design and the score u of its residuals, and the correction (I -
//! H)^(-1/2) of Bell and `McCaffrey` becomes (I - S)^(-1/2) u.
//!
//! The sums cancel where x or y are far from 0 compared with their spread: subtract a round number
//! first.

use super::interval::Interval;
use super::special::{t_quantile, t_tail};

pub mod bca;
pub mod bootstrap;
pub mod curtailed;
pub mod percentile;
pub mod scatter;
pub mod wild;

/// The sums of a cluster's points; exact while the points hold whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterSums {
    /// the number of points
    pub n: f64,
    /// sum of x
    pub x: f64,
    /// sum of y
    pub y: f64,
    /// sum of x^2
    pub xx: f64,
    /// sum of x y
    pub xy: f64,
    /// sum of y^2
    pub yy: f64,
}

impl ClusterSums {
    /// Adds a point.
    pub fn add(&mut self, x: f64, y: f64) {
        self.merge(&Self { n: 1.0, x, y, xx: x * x, xy: x * y, yy: y * y });
    }

    /// Adds the points of another cluster.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }

    /// The sums of the same points seen from another origin.
    fn seen_from(&self, x: f64, y: f64) -> Self {
        Self {
            n: self.n,
            x: self.x - x * self.n,
            y: self.y - y * self.n,
            xx: self.xx - x * (2.0 * self.x - x * self.n),
            xy: self.xy - x * self.y - y * self.x + x * y * self.n,
            yy: self.yy - y * (2.0 * self.y - y * self.n),
        }
    }

    fn is_finite(&self) -> bool {
        [self.n, self.x, self.y, self.xx, self.xy, self.yy].iter().all(|sum| sum.is_finite())
    }
}

/// How a standard error is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// As if all points were independent; N - 1 or N - 2 degrees of freedom. For comparison.
    Independent,
    /// The plain sandwich; clusters - 1 degrees of freedom.
    Cr0,
    /// CR0 with its variance times G / (G - 1), G the number of clusters; G - 1 degrees of freedom.
    Cr1,
    /// Bell and `McCaffrey`'s, unbiased where points are independent; Satterthwaite's degrees of
    /// freedom. The choice for few clusters.
    Cr2,
    /// The jackknife's, conservative; Satterthwaite's degrees of freedom.
    Cr3,
}

impl Errors {
    /// The correction of residuals in a direction in which a cluster has the share `h` of the
    /// design. Where it has all of it no residual is left to correct.
    fn correction(self, h: f64) -> f64 {
        let rest = 1.0 - h;
        match self {
            Self::Independent | Self::Cr0 | Self::Cr1 => 1.0,
            Self::Cr2 | Self::Cr3 if rest < 1e-10 => 0.0,
            Self::Cr2 => 1.0 / rest.sqrt(),
            Self::Cr3 => 1.0 / rest,
        }
    }
}

/// An estimate with its standard error and the degrees of freedom of its t law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Robust {
    /// the mean or the slope
    pub value: f64,
    /// its standard error, above 0
    pub error: f64,
    /// degrees of freedom, not always whole
    pub df: f64,
}

impl Robust {
    /// The t interval at a `level` in (0, 1); NaN limits for another.
    #[must_use]
    pub fn interval(&self, level: f64) -> Interval {
        let reach = -t_quantile(0.5 * (1.0 - level), self.df) * self.error;
        Interval { low: self.value - reach, high: self.value + reach }
    }

    /// The two-sided p-value of the t test that the value is `null`.
    #[must_use]
    pub fn p_value(&self, null: f64) -> f64 {
        t_tail((self.value - null) / self.error, self.df)
    }
}

/// What is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The mean of y over all points; x is not read.
    Mean,
    /// The least-squares slope of y on x over all points, with one intercept.
    Slope,
}

/// The mean of y over all points, with its standard error; x is not read (leave it 0).
///
/// # Errors
///
/// A sum is not finite, there are fewer than two clusters with points, or "no variation" when no
/// error is left.
///
/// R. M. Bell, D. F. `McCaffrey` (2002), Survey Methodology 28, 169-181; J. E. Pustejovsky, E.
/// Tipton (2018), Journal of Business & Economic Statistics 36, 672-683.
pub fn mean(clusters: &[ClusterSums], errors: Errors) -> Result<Robust, &'static str> {
    robust(clusters, Statistic::Mean, errors)
}

/// The slope of y on x by least squares over all points, with one intercept, and its standard
/// error.
///
/// # Errors
///
/// As [`mean`], and "x does not vary".
pub fn slope(clusters: &[ClusterSums], errors: Errors) -> Result<Robust, &'static str> {
    robust(clusters, Statistic::Slope, errors)
}

/// The pooled fit, with the clusters seen from its centre.
struct Fit {
    clusters: Vec<ClusterSums>,
    n: f64,
    mean: f64,
    spread: f64,
    slope: f64,
}

impl Fit {
    fn of(clusters: &[ClusterSums], statistic: Statistic) -> Result<Self, &'static str> {
        let used = || clusters.iter().filter(|cluster| cluster.n > 0.0);
        if !clusters.iter().all(ClusterSums::is_finite) {
            return Err("a sum is not finite");
        }
        if used().count() < 2 {
            return Err("fewer than two clusters");
        }
        let (n, mean_x, mean_y) = centre(used());
        let clusters: Vec<_> = used().map(|cluster| cluster.seen_from(mean_x, mean_y)).collect();
        if statistic == Statistic::Mean {
            return Ok(Self { clusters, n, mean: mean_y, spread: 1.0, slope: 0.0 });
        }
        let spread: f64 = clusters.iter().map(|cluster| cluster.xx).sum();
        // What is smaller than the rounding of the sums is no variation.
        let squares: f64 = used().map(|cluster| cluster.xx).sum();
        if spread <= 1e-12 * squares {
            return Err("x does not vary");
        }
        let slope = clusters.iter().map(|cluster| cluster.xy).sum::<f64>() / spread;
        Ok(Self { clusters, n, mean: mean_y, spread, slope })
    }

    /// The sum of squared residuals.
    fn residual(&self) -> f64 {
        let of = |it: &ClusterSums| it.yy - self.slope * (2.0 * it.xy - self.slope * it.xx);
        self.clusters.iter().map(of).sum()
    }

    /// The design and the score of a cluster, in units in which the whole design is the identity.
    fn part(&self, it: &ClusterSums, statistic: Statistic) -> (Symmetric, [f64; 2]) {
        let level = it.y - self.slope * it.x;
        if statistic == Statistic::Mean {
            return (Symmetric { a: it.n / self.n, b: 0.0, d: 0.0 }, [level / self.n.sqrt(), 0.0]);
        }
        let design = Symmetric {
            a: it.n / self.n,
            b: it.x / (self.n * self.spread).sqrt(),
            d: it.xx / self.spread,
        };
        let tilt = it.xy - self.slope * it.xx;
        (design, [level / self.n.sqrt(), tilt / self.spread.sqrt()])
    }
}

/// The number of points and their mean x and y.
fn centre<'a>(clusters: impl Iterator<Item = &'a ClusterSums>) -> (f64, f64, f64) {
    let mut all = ClusterSums::default();
    clusters.for_each(|cluster| all.merge(cluster));
    (all.n, all.x / all.n, all.y / all.n)
}

fn robust(
    clusters: &[ClusterSums],
    statistic: Statistic,
    errors: Errors,
) -> Result<Robust, &'static str> {
    let fit = Fit::of(clusters, statistic)?;
    // The place of the estimate among intercept and slope, and the unit of its error.
    let (place, value, scale) = match statistic {
        Statistic::Mean => (0, fit.mean, fit.n),
        Statistic::Slope => (1, fit.slope, fit.spread),
    };
    let count = fit.clusters.len() as f64;
    let residual = fit.residual();
    let total: f64 = fit.clusters.iter().map(|cluster| cluster.yy).sum();
    let raw: f64 = clusters.iter().map(|cluster| cluster.yy).sum();
    if residual <= 1e-13 * (total + raw) {
        return Err("no variation");
    }
    let mut meat = 0.0;
    let mut freedom = Satterthwaite::default();
    for cluster in &fit.clusters {
        let (design, score) = fit.part(cluster, statistic);
        let correction = design.map(|h| errors.correction(h));
        let corrected = correction.times(score)[place];
        meat += corrected * corrected;
        freedom.add(design, errors, place);
    }
    let (variance, df) = match errors {
        Errors::Independent => {
            let df = fit.n - 1.0 - place as f64;
            (residual / df, df)
        }
        Errors::Cr0 => (meat, count - 1.0),
        Errors::Cr1 => (meat * count / (count - 1.0), count - 1.0),
        Errors::Cr2 | Errors::Cr3 => (meat, freedom.df()),
    };
    // Residuals that cancel within every cluster leave nothing to judge the error by.
    if variance > 1e-13 * residual && variance.is_finite() && df > 0.0 {
        Ok(Robust { value, error: (variance / scale).sqrt(), df })
    } else {
        Err("no variation")
    }
}

/// A symmetric 2 x 2 matrix a b / b d.
#[derive(Clone, Copy)]
struct Symmetric {
    a: f64,
    b: f64,
    d: f64,
}

impl Symmetric {
    /// The matrix with the same eigenvectors and `f` of the eigenvalues.
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let (middle, half) = (0.5 * (self.a + self.d), 0.5 * (self.a - self.d));
        let radius = libm::hypot(half, self.b);
        let (high, low) = (f(middle + radius), f(middle - radius));
        let (mean, gap) = (0.5 * (high + low), 0.5 * (high - low));
        if radius <= 0.0 {
            return Self { a: mean, b: 0.0, d: mean };
        }
        let (cos, sin) = (half / radius, self.b / radius);
        Self { a: mean + gap * cos, b: gap * sin, d: mean - gap * cos }
    }

    fn times(self, v: [f64; 2]) -> [f64; 2] {
        [self.a * v[0] + self.b * v[1], self.b * v[0] + self.d * v[1]]
    }

    fn column(self, place: usize) -> [f64; 2] {
        if place == 0 { [self.a, self.b] } else { [self.b, self.d] }
    }
}

/// Satterthwaite's degrees of freedom tr(W)^2 / tr(W^2), where the points are independent with one
/// variance: W holds `lengths` on its diagonal less the products of one vector for each cluster.
#[derive(Default)]
struct Satterthwaite {
    trace: f64,
    squares: f64,
    products: [f64; 3],
}

impl Satterthwaite {
    fn add(&mut self, design: Symmetric, errors: Errors, place: usize) {
        let square = |f: f64| f * f;
        let of = |h: f64| errors.correction(h);
        let length = design.map(|h| square(of(h)) * h).column(place)[place];
        let [s, t] = design.map(|h| of(h) * h).column(place);
        let own = s * s + t * t;
        self.trace += length - own;
        self.squares += length * (length - 2.0 * own);
        for (sum, product) in self.products.iter_mut().zip([s * s, s * t, t * t]) {
            *sum += product;
        }
    }

    fn df(&self) -> f64 {
        let [ss, st, tt] = self.products;
        self.trace * self.trace / (self.squares + ss * ss + 2.0 * st * st + tt * tt)
    }
}

#[cfg(test)]
mod tests;
