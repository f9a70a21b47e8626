//! A share whose numerator and denominator are summed by item: the ratio estimator, with the item
//! as the sampling unit.

use super::interval::Interval;
use super::special::{t_quantile, t_tail};

/// The sums over items that the ratio estimator reads: x is an item's numerator, w its denominator
/// (the valid answers of that item, say). All are exact while the items hold whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatioSums {
    /// the number of items
    pub items: u64,
    /// sum of w
    pub w: f64,
    /// sum of x
    pub x: f64,
    /// sum of x^2
    pub xx: f64,
    /// sum of x w
    pub xw: f64,
    /// sum of w^2
    pub ww: f64,
}

impl RatioSums {
    /// The sums of items of equal denominator 1, for which the ratio is the mean of x and its
    /// standard error the usual s / sqrt(n).
    #[must_use]
    pub fn of_mean(items: u64, sum: f64, squares: f64) -> Self {
        let n = items as f64;
        Self { items, w: n, x: sum, xx: squares, xw: sum, ww: n }
    }

    /// Adds an item.
    pub fn add(&mut self, x: f64, w: f64) {
        self.add_many(x, w, 1);
    }

    /// Adds so many equal items.
    pub fn add_many(&mut self, x: f64, w: f64, times: u64) {
        let n = times as f64;
        self.items += times;
        self.w += n * w;
        self.x += n * x;
        self.xx += n * x * x;
        self.xw += n * x * w;
        self.ww += n * w * w;
    }

    /// The ratio sum x / sum w.
    ///
    /// # Errors
    ///
    /// "nothing to divide by" when the denominators do not sum to a positive number.
    pub fn ratio(&self) -> Result<f64, &'static str> {
        if self.w > 0.0 { Ok(self.x / self.w) } else { Err("nothing to divide by") }
    }

    /// The standard error sqrt(n/(n-1) sum e^2) / sum w, with e = x - ratio * w.
    ///
    /// # Errors
    ///
    /// "nothing to divide by", "fewer than two items", or "no variation" when every item has the
    /// same ratio, so that the standard error would be 0.
    ///
    /// W. G. Cochran (1977), Sampling Techniques, 3rd ed., eq. 6.13 (linearisation).
    pub fn error(&self) -> Result<f64, &'static str> {
        let ratio = self.ratio()?;
        if self.items < 2 {
            return Err("fewer than two items");
        }
        let (cross, square) = (2.0 * ratio * self.xw, ratio * ratio * self.ww);
        let residual = self.xx - cross + square;
        // What is smaller than the rounding of its three terms is no variation.
        if residual <= 1e-13 * (self.xx + cross.abs() + square) {
            return Err("no variation");
        }
        let n = self.items as f64;
        Ok((n / (n - 1.0) * residual).sqrt() / self.w)
    }

    /// The t interval of the ratio with items - 1 degrees of freedom, `level` in (0, 1). It is not
    /// cut to the range of a share.
    ///
    /// # Errors
    ///
    /// As [`RatioSums::error`].
    pub fn interval(&self, level: f64) -> Result<Interval, &'static str> {
        let (ratio, error) = (self.ratio()?, self.error()?);
        let reach = -t_quantile(0.5 * (1.0 - level), self.df()) * error;
        Ok(Interval { low: ratio - reach, high: ratio + reach })
    }

    /// The two-sided p-value of the t test that the ratio is `null`; it agrees with the interval.
    ///
    /// # Errors
    ///
    /// As [`RatioSums::error`].
    pub fn p_value(&self, null: f64) -> Result<f64, &'static str> {
        Ok(t_tail((self.ratio()? - null) / self.error()?, self.df()))
    }

    fn df(&self) -> f64 {
        self.items as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(items: &[&[f64]]) -> RatioSums {
        let mut sums = RatioSums::default();
        for item in items {
            sums.add(item.iter().sum(), item.len() as f64);
        }
        sums
    }

    /// Published values: the CR1 error of a mean with clusters as items, its t and p (clubSandwich).
    #[test]
    fn it_is_the_clustered_error_of_a_mean() {
        let sums = of(&[
            &[1.0, 0.0, 1.0, 1.0],
            &[0.0, 0.0, 1.0],
            &[-1.0, 0.0, 0.0, 1.0, 1.0],
            &[1.0, 1.0],
            &[0.0, 0.0, 0.0, -1.0],
            &[1.0, 0.0, 1.0, 1.0, 1.0, 0.0],
        ]);
        assert!((sums.ratio().unwrap() - 0.416_667).abs() < 6e-7);
        assert!((sums.error().unwrap() - 0.169_165).abs() < 6e-7);
        assert!((sums.p_value(0.0).unwrap() - 0.057_013).abs() < 6e-7);
        // The published value has no n/(n-1).
        let sums = of(&[&[1.0, 1.0, 0.0, 1.0], &[0.0, 0.0, 1.0], &[1.0; 5], &[0.0, 1.0]]);
        assert!((sums.ratio().unwrap() - 0.714_286).abs() < 6e-7);
        assert!((sums.error().unwrap() * 0.75_f64.sqrt() - 0.134_601).abs() < 6e-7);
    }

    #[test]
    fn equal_denominators_give_the_t_interval_of_a_mean() {
        // 1, 2, 3, 4: mean 2.5, s / sqrt(4) = sqrt(5/12), t(.975; 3) = 3.1824463
        let sums = RatioSums::of_mean(4, 10.0, 30.0);
        let limits = sums.interval(0.95).unwrap();
        let reach = 3.182_446_305_283_708_6 * (5.0_f64 / 12.0).sqrt();
        assert!(
            (limits.low - 2.5 + reach).abs() < 1e-14 && (limits.high - 2.5 - reach).abs() < 1e-14
        );
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let mut sums = RatioSums::default();
        assert_eq!(sums.ratio(), Err("nothing to divide by"));
        sums.add(1.0, 3.0);
        assert_eq!(sums.error(), Err("fewer than two items"));
        assert_eq!(sums.interval(0.95), Err("fewer than two items"));
        for _ in 0..1000 {
            sums.add(1.0, 3.0);
            sums.add(2.0, 6.0);
        }
        assert_eq!(sums.ratio(), Ok(1.0 / 3.0));
        assert_eq!(sums.error(), Err("no variation"));
        assert_eq!(sums.p_value(0.5), Err("no variation"));
        sums.add(1.0, 4.0);
        assert!(sums.error().unwrap() > 0.0);
        assert_eq!(RatioSums::of_mean(9, 0.0, 0.0).error(), Err("no variation"));
        // Rounding leaves residual sums of either sign, which are still no variation.
        for denominator in [3.0, 7.0, 11.0, 49.0] {
            let mut sums = RatioSums::default();
            for i in 1..200 {
                sums.add(f64::from(i), denominator * f64::from(i));
                assert!(i == 1 || sums.error() == Err("no variation"), "{i} of {denominator}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_test_and_the_interval_agree(
            items in proptest::collection::vec((0_u32..5, 1_u32..5), 2..40),
            null in 0.0..2.0_f64, level in 0.5..0.999_f64,
        ) {
            let mut sums = RatioSums::default();
            for (x, w) in &items {
                sums.add(f64::from(*x), f64::from(*w));
            }
            if let Ok(limits) = sums.interval(level) {
                prop_assert!(limits.contains(sums.ratio().unwrap()));
                let p = sums.p_value(null).unwrap();
                prop_assume!((p - (1.0 - level)).abs() > 1e-9);
                prop_assert_eq!(p <= 1.0 - level, !limits.contains(null));
            }
        }

        #[test]
        fn the_error_is_that_of_the_residuals(
            items in proptest::collection::vec((0_u32..5, 1_u32..5), 2..40),
        ) {
            let mut sums = RatioSums::default();
            for (x, w) in &items {
                sums.add(f64::from(*x), f64::from(*w));
            }
            let (ratio, n) = (sums.ratio().unwrap(), items.len() as f64);
            let residual: f64 =
                items.iter().map(|(x, w)| (f64::from(*x) - ratio * f64::from(*w)).powi(2)).sum();
            let want = (n / (n - 1.0) * residual).sqrt() / sums.w;
            let got = sums.error().unwrap_or(0.0);
            prop_assert!((got - want).abs() < 1e-8, "{} for {}", got, want);
        }
    }
}
