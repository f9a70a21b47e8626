//! What the likelihood alone says of a coefficient: limits that exist where the estimate does not.

use super::{Cluster, Data, Table};
use crate::stats::interval::Interval;
use crate::stats::newton::{Profile, Top, supremum};
use crate::stats::special::phi_upper;

/// A coefficient by the profile likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profiled {
    /// The estimate; none where the verdicts are separated along it, so that it is bounded on one side at most.
    pub value: Option<f64>,
    /// The values that a likelihood-ratio test does not reject; an end without a bound is infinite.
    pub interval: Interval,
}

/// The coefficient at a place with its profile-likelihood limits, for separated verdicts too: "at least x" is an interval from
/// x to infinity. Rows are taken as independent, so this is the answer where no robust error exists, and not otherwise.
///
/// D. J. Venzon, S. H. Moolgavkar (1988), Applied Statistics 37, 87-94.
///
/// # Errors
/// [`super::NO_ROWS`], or that no row bears on the coefficient.
pub fn profile(
    clusters: &[Cluster],
    width: usize,
    place: usize,
    level: f64,
) -> Result<Profiled, &'static str> {
    Table::of(clusters).profile(width, place, level)
}

/// A coefficient that may have any value.
fn seen<'a>(
    of: &'a Data<'a>,
    top: &'a Top,
    place: usize,
    start: &'a dyn Fn(f64) -> Vec<f64>,
) -> Profile<'a, Data<'a>> {
    Profile { of, top, place, start, least: f64::NEG_INFINITY }
}

/// The p-value of the likelihood-ratio test that the coefficient at a place is `null`; it exists for separated verdicts too.
/// Rows are taken as independent.
///
/// # Errors
/// [`super::NO_ROWS`].
pub fn ratio_test(
    clusters: &[Cluster],
    width: usize,
    place: usize,
    null: f64,
) -> Result<f64, &'static str> {
    let table = Table::of(clusters);
    let data = Data::new(&table, width)?;
    let start = |_| vec![0.0; data.width()];
    let top = supremum(&data, start(0.0));
    let loss = seen(&data, &top, place, &start).loss(null).max(0.0);
    Ok(2.0 * phi_upper(loss.sqrt()))
}

impl Table {
    /// As [`profile`].
    ///
    /// # Errors
    /// As [`profile`].
    pub fn profile(
        &self,
        width: usize,
        place: usize,
        level: f64,
    ) -> Result<Profiled, &'static str> {
        let data = Data::new(self, width)?;
        let mut largest = 0.0_f64;
        self.each(|x, _, _| {
            let entries = x.iter().filter(|it| it.0 == place);
            largest = entries.map(|it| it.1.abs()).fold(largest, f64::max);
        });
        if largest == 0.0 {
            return Err("no verdict bears on this coefficient");
        }
        let start = |_| vec![0.0; data.width()];
        let top = supremum(&data, start(0.0));
        let seen = seen(&data, &top, place, &start);
        let interval = seen.limits(1.0 / largest, level);
        let bounded = interval.low.is_finite() && interval.high.is_finite();
        Ok(Profiled { value: bounded.then(|| top.at[place]), interval })
    }
}
