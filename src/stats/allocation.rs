//! How to spend a budget: on pairs, judges or repeats; on human labels or judge calls.
//!
//! Costs are in any one unit; variances are those of one verdict on the scale that is averaged (a share, say).

/// Variance components of a mean over items, judges and repeats (Cronbach et al. 1972, The Dependability of Behavioral
/// Measurements; a crossed design). All are >= 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Components {
    /// Between items (pairs, questions).
    pub item: f64,
    /// Between judges; 0 where the judges at hand are the only ones of interest.
    pub judge: f64,
    /// Items that one judge sees otherwise than another.
    pub item_judge: f64,
    /// Between repeats of one judge on one item.
    pub repeat: f64,
}

/// What things cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// An item, whatever it is asked.
    pub item: f64,
    /// One verdict (both orders of a swap test are two).
    pub call: f64,
}

/// Items, judges and repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// Items.
    pub items: u64,
    /// Judges, each asked about all items.
    pub judges: u64,
    /// Repeats of each judge on each item.
    pub repeats: u64,
}

impl Components {
    /// The variance of the mean: judge/J + item/n + item x judge/(nJ) + repeat/(nJK).
    #[must_use]
    pub fn variance(&self, of: &Design) -> f64 {
        let [n, j, k] = [of.items, of.judges, of.repeats].map(|it| it as f64);
        self.judge / j + self.item / n + self.item_judge / (n * j) + self.repeat / (n * j * k)
    }

    /// The real number of repeats that is best for one judge: sqrt(repeat / (item + item x judge) times the cost of an item
    /// over that of a call). Items that cost nothing are always worth more than repeats.
    #[must_use]
    pub fn best_repeats(&self, costs: &Costs) -> f64 {
        let between = self.item + self.item_judge;
        if costs.item == 0.0 || self.repeat == 0.0 {
            1.0
        } else {
            libm::sqrt(self.repeat / between * costs.item / costs.call)
        }
    }
}

impl Costs {
    /// What a design costs.
    #[must_use]
    pub fn of(&self, design: &Design) -> f64 {
        let [n, j, k] = [design.items, design.judges, design.repeats].map(|it| it as f64);
        n * (self.item + j * k * self.call)
    }

    /// The most items that a budget buys for so many judges and repeats.
    #[must_use]
    pub fn items(&self, budget: f64, judges: u64, repeats: u64) -> u64 {
        let each = self.item + judges as f64 * repeats as f64 * self.call;
        // A budget that is a multiple but for rounding buys the multiple.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let items = libm::floor(budget / each * (1.0 + 1e-12)) as u64;
        items
    }
}

/// The most judges and repeats that are tried.
pub const MOST_JUDGES: u64 = 50;
/// The most repeats that are tried.
pub const MOST_REPEATS: u64 = 200;

/// The design of least variance that a budget buys, with at most so many judges: every number of judges and repeats is
/// tried. Among equals the one with fewer judges, then fewer repeats.
///
/// # Errors
/// Why there is none: a cost or a variance that is negative or no number, or a budget that buys no two items.
pub fn best(
    components: &Components,
    costs: &Costs,
    budget: f64,
    most_judges: u64,
) -> Result<Design, &'static str> {
    let Components { item, judge, item_judge, repeat } = *components;
    if ![item, judge, item_judge, repeat].iter().all(|it| (0.0..=1e12).contains(it)) {
        return Err("a variance is a number from 0");
    }
    if item + judge + item_judge + repeat == 0.0 {
        return Err("without any variance every design is as good");
    }
    if !(costs.item >= 0.0 && costs.call > 0.0 && costs.item + costs.call < 1e12) {
        return Err("a call costs more than 0, and an item 0 or more");
    }
    let mut best: Option<(f64, Design)> = None;
    for judges in 1..=most_judges.clamp(1, MOST_JUDGES) {
        for repeats in 1..=MOST_REPEATS {
            let items = costs.items(budget, judges, repeats);
            if items < 2 {
                break;
            }
            let design = Design { items, judges, repeats };
            let variance = components.variance(&design);
            if best.is_none_or(|(least, _)| variance < least * (1.0 - 1e-12)) {
                best = Some((variance, design));
            }
        }
    }
    best.map(|it| it.1).ok_or("the budget buys fewer than two items")
}

/// Human labels and judge calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labels {
    /// Items with a label and a call.
    pub labelled: u64,
    /// Items with a call only.
    pub unlabelled: u64,
    /// As many labels alone would be as precise.
    pub effective: f64,
    /// What whole numbers leave of the budget.
    pub left: f64,
}

/// The split of a budget between labels and calls that is best for PPI++: its variance is
/// `s^2 ((1 - r^2)/n + r^2/(n + N))` with n labels, N further calls and the correlation r of grade and label, and its cost
/// `n label + (n + N) call`. The real optimum is `(n + N)/n = r / sqrt(1 - r^2) sqrt(label / call)`, cut to whole
/// numbers.
///
/// Angelopoulos, Duchi & Zrnic (2023), PPI++, arXiv 2311.01453; Boyeau et al. (2024), arXiv 2403.07008.
///
/// # Errors
/// A correlation outside [0, 1), a cost that is not above 0, or a budget for fewer than two labels.
pub fn labels(
    correlation: f64,
    label: f64,
    call: f64,
    budget: f64,
) -> Result<Labels, &'static str> {
    if !(0.0..1.0).contains(&correlation) {
        return Err("the correlation of grade and label is from 0 to below 1");
    }
    if !(label > 0.0 && call > 0.0 && label + call < 1e12) {
        return Err("a label and a call cost more than 0");
    }
    if budget.is_nan() || budget < 2.0 * (label + call) || 1e15 < budget {
        return Err("the budget buys fewer than two labels");
    }
    let square = correlation * correlation;
    let ratio = (correlation / libm::sqrt(1.0 - square) * libm::sqrt(label / call)).max(1.0);
    let real = budget / (label + ratio * call);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
    let [labelled, unlabelled] =
        [real, real * (ratio - 1.0)].map(|it| libm::floor(it * (1.0 + 1e-12)) as u64);
    if labelled < 2 {
        return Err("the budget buys fewer than two labels");
    }
    let [n, all] = [labelled, labelled + unlabelled].map(|it| it as f64);
    let effective = 1.0 / ((1.0 - square) / n + square / all);
    Ok(Labels { labelled, unlabelled, effective, left: budget - n * label - all * call })
}

/// As many independent judges would be as good as `judges` whose errors correlate by `correlation`:
/// `K / (1 + (K - 1) rho)` (Kish 1965, Survey Sampling). At most 1/rho, however many are asked.
///
/// # Errors
/// No judge, or a correlation at which so many judges cannot all correlate.
pub fn effective_judges(judges: u64, correlation: f64) -> Result<f64, &'static str> {
    if judges == 0 {
        return Err("a panel has at least one judge");
    }
    let k = judges as f64;
    let spread = 1.0 + (k - 1.0) * correlation;
    if correlation.is_nan() || 1.0 < correlation || spread <= 0.0 {
        return Err("the errors of so many judges cannot all correlate by this much");
    }
    Ok(k / spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::special::normal_quantile;

    /// K* = sqrt(within / between times pair over repeat) is 2.45 here: the whole optimum is 2 or 3.
    #[test]
    fn repeats_against_pairs() {
        let components = Components { item: 0.02, repeat: 0.06, ..Components::default() };
        let costs = Costs { item: 2.0, call: 1.0 };
        assert!((components.best_repeats(&costs) - 6.0_f64.sqrt()).abs() < 1e-12);
        let found = best(&components, &costs, 1200.0, 1).unwrap();
        assert_eq!(found, Design { items: 300, judges: 1, repeats: 2 });
        // Items for nothing: never repeat.
        let free = Costs { item: 0.0, call: 1.0 };
        assert_eq!(
            best(&components, &free, 500.0, 1).unwrap(),
            Design { items: 500, judges: 1, repeats: 1 }
        );
    }

    /// Judges that differ cannot be bought off with items: the variance stays above judge/J.
    #[test]
    fn more_items_never_go_below_the_judges() {
        let components = Components { item: 0.1, judge: 0.01, item_judge: 0.05, repeat: 0.1 };
        let costs = Costs { item: 0.0, call: 1.0 };
        let one = best(&components, &costs, 1e6, 1).unwrap();
        assert!(0.01 < components.variance(&one));
        let many = best(&components, &costs, 1000.0, 50).unwrap();
        assert_eq!(many.repeats, 1);
        assert!(
            5 < many.judges && components.variance(&many) < components.variance(&one),
            "{many:?}"
        );
    }

    /// The mean squared error of simulated means is the formula's, at the optimum and beside it (4,000 means; the standard
    /// error of a variance is 2.2 %, so within 9 %).
    #[test]
    fn the_variance_is_that_of_simulated_means() {
        let components = Components { item: 0.3, judge: 0.02, item_judge: 0.1, repeat: 0.4 };
        let mut state = 7_u64;
        let mut normal = |variance: f64| {
            // Knuth's MMIX generator, its upper bits.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            variance.sqrt() * normal_quantile(((state >> 11) as f64 + 0.5) / 2.0_f64.powi(53))
        };
        for design in [(12_u64, 2_u64, 2_u64), (10, 3, 1), (20, 1, 3)] {
            let (n, j, k) = design;
            let mut squares = 0.0;
            for _ in 0..4000 {
                let judges: Vec<f64> = (0..j).map(|_| normal(components.judge)).collect();
                let mut sum = 0.0;
                for _ in 0..n {
                    let item = normal(components.item);
                    for judge in &judges {
                        let own = normal(components.item_judge);
                        sum += (0..k)
                            .map(|_| judge + item + own + normal(components.repeat))
                            .sum::<f64>();
                    }
                }
                let mean = sum / (n * j * k) as f64;
                squares += mean * mean / 4000.0;
            }
            let design = Design { items: n, judges: j, repeats: k };
            let ratio = squares / components.variance(&design);
            assert!((ratio - 1.0).abs() < 0.09, "{design:?}: {ratio}");
        }
    }

    /// rho .7 and .5, a label 100 times as dear as a call, a budget of 500 (`ppi_py` gives 455 + 4008, and 473 + 2256 with
    /// effective sizes 813 and 596).
    #[test]
    fn labels_against_calls() {
        let found = labels(0.7, 1.0, 0.01, 500.0).unwrap();
        assert_eq!((found.labelled, found.unlabelled), (455, 4008));
        assert!((found.effective - 813.0).abs() < 1.0, "{found:?}");
        let found = labels(0.5, 1.0, 0.01, 500.0).unwrap();
        assert_eq!((found.labelled, found.unlabelled), (472, 2256));
        assert!((found.effective - 596.0).abs() < 1.0, "{found:?}");
        // A grade that says nothing buys nothing: labels only.
        let found = labels(0.0, 1.0, 1.0, 100.0).unwrap();
        assert_eq!((found.labelled, found.unlabelled), (50, 0));
        assert!(labels(1.0, 1.0, 1.0, 100.0).is_err() && labels(0.5, 1.0, 1.0, 1.0).is_err());
    }

    #[test]
    fn judges_that_err_together() {
        for (k, rho, effective) in [
            (9, 0.0, 9.0),
            (9, 0.1, 5.0),
            (9, 0.2, 3.461_538_461_5),
            (9, 0.4375, 2.0),
            (9, 0.5, 1.8),
            (6, 0.363_727, 2.128_691),
        ] {
            assert!((effective_judges(k, rho).unwrap() - effective).abs() < 2e-6);
        }
        assert!(effective_judges(9, -0.2).is_err() && effective_judges(0, 0.1).is_err());
    }
}
