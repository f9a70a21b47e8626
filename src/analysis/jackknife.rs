//! Errors of numbers that a table gives, by leaving out one item at a time. Items that add the same to the table are left
//! out together, so the cost is the number of distinct items.

use std::collections::BTreeMap;

use super::Options;
use super::number::Number;
use crate::stats::special::t_quantile;

/// What items add to a table, and how many add it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Items<const K: usize>(BTreeMap<[u32; K], u64>);

impl<const K: usize> Items<K> {
    /// One item more; one that adds nothing counts too.
    pub(super) fn add(&mut self, cells: [u32; K]) {
        self.add_many(cells, 1);
    }

    /// So many equal items more.
    pub(super) fn add_many(&mut self, cells: [u32; K], times: u64) {
        *self.0.entry(cells).or_insert(0) += times;
    }

    /// How many items there are.
    pub(super) fn len(&self) -> u64 {
        self.0.values().sum()
    }

    /// The table of all.
    pub(super) fn table(&self) -> [f64; K] {
        let mut table = [0.0; K];
        for (cells, times) in &self.0 {
            for (sum, cell) in table.iter_mut().zip(cells) {
                *sum += f64::from(*cell) * *times as f64;
            }
        }
        table
    }

    /// Whether every item adds one to one cell: the items are a simple sample.
    pub(super) fn simple(&self) -> bool {
        self.0.keys().all(|cells| cells.iter().sum::<u32>() == 1)
    }

    /// The jackknife error of what a table gives; none where leaving out an item leaves nothing to tell, or nothing varies.
    ///
    /// B. Efron, C. Stein (1981), Annals of Statistics 9, 586-596.
    pub(super) fn error(&self, of: &dyn Fn(&[f64; K]) -> Result<f64, &'static str>) -> Option<f64> {
        let (n, table) = (self.len() as f64, self.table());
        let mut left = Vec::with_capacity(self.0.len());
        for (cells, times) in &self.0 {
            let mut rest = table;
            for (sum, cell) in rest.iter_mut().zip(cells) {
                *sum -= f64::from(*cell);
            }
            left.push((of(&rest).ok()?, *times as f64));
        }
        let mean = left.iter().map(|(value, times)| value * times).sum::<f64>() / n;
        let spread: f64 =
            left.iter().map(|(value, times)| times * (value - mean) * (value - mean)).sum();
        let error = ((n - 1.0) / n * spread).sqrt();
        (1.0 < n && 1e-12 < error).then_some(error)
    }

    /// The number that the table gives, with the t interval of its jackknife error.
    pub(super) fn number(
        &self,
        of: &dyn Fn(&[f64; K]) -> Result<f64, &'static str>,
        options: &Options,
    ) -> Number {
        let number = Number::of(of(&self.table()));
        let (Some(value), Some(error)) = (number.value, self.error(of)) else { return number };
        let half = t_quantile(0.5 + options.level.get() / 2.0, self.len() as f64 - 1.0) * error;
        let mut number = number.with_se(error).by("jackknife over items (Efron & Stein 1981)");
        (number.low, number.high) = (Some(value - half), Some(value + half));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The jackknife error of a mean is s / sqrt(n): 3 of 10 give sqrt(.3 x .7 / 9).
    #[test]
    fn the_error_of_a_share() {
        let mut items = Items::<2>::default();
        for k in 0..10 {
            items.add([u32::from(k < 3), 1]);
        }
        let share = |it: &[f64; 2]| if it[1] > 0.0 { Ok(it[0] / it[1]) } else { Err("nothing") };
        let error = items.error(&share).unwrap();
        assert!((error - libm::sqrt(0.3 * 0.7 / 9.0)).abs() < 1e-12, "{error}");
    }
}
