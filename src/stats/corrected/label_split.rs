//! How to divide labels between true passes and true fails for the shortest Rogan-Gladen interval.

use super::Known;

/// A division of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// labels spent on items that truly pass
    pub passes: u64,
    /// labels spent on items that truly fail
    pub fails: u64,
}

/// The part of the variance of Rogan and Gladen's rate that the labels bring:
/// \[(1-theta)^2 sp(1-sp)/m0 + theta^2 se(1-se)/m1\] / J^2. Infinite when a needed class has no
/// label.
///
/// # Errors
///
/// `theta`, the true rate of passes, or a rate of the judge lies outside \[0, 1\], or J is 0 or
/// less.
pub fn label_variance(split: Split, theta: f64, rates: &Known) -> Result<f64, &'static str> {
    let (j, passes, fails) = spreads(theta, rates)?;
    let part = |spread: f64, labels: u64| {
        if spread > 0.0 { spread * spread / labels as f64 } else { 0.0 }
    };
    Ok((part(passes, split.passes) + part(fails, split.fails)) / (j * j))
}

/// J, theta sqrt(se(1-se)) and (1-theta) sqrt(sp(1-sp)).
fn spreads(theta: f64, rates: &Known) -> Result<(f64, f64, f64), &'static str> {
    if !(0.0..=1.0).contains(&theta) {
        return Err("the true rate lies outside [0, 1]");
    }
    let spread = |q: f64| (q * (1.0 - q)).sqrt();
    let j = rates.youden()?;
    Ok((j, theta * spread(rates.sensitivity), (1.0 - theta) * spread(rates.specificity)))
}

/// The division of `labels` with the smallest [`label_variance`]: Neyman's allocation
/// m1 : m0 = theta sqrt(se(1-se)) : (1-theta) sqrt(sp(1-sp)), in whole labels and at least one each
/// (from two labels on). In practice `theta` and the rates come from a pilot.
///
/// # Errors
///
/// As [`label_variance`], and "fewer than two labels".
///
/// J. Neyman (1934), Journal of the Royal Statistical Society 97, 558-625.
pub fn neyman(labels: u64, theta: f64, rates: &Known) -> Result<Split, &'static str> {
    if labels < 2 {
        return Err("fewer than two labels");
    }
    let (_, passes, fails) = spreads(theta, rates)?;
    // A judge that never errs where it matters leaves the division free.
    let share = if passes + fails > 0.0 { passes / (passes + fails) } else { 0.5 };
    let low = whole(labels as f64 * share, labels);
    let down = Split { passes: low, fails: labels - low };
    let up = (low + 1).min(labels - 1);
    let up = Split { passes: up, fails: labels - up };
    // The variance is convex in the division, so the best whole one is beside the best real one.
    let better = label_variance(up, theta, rates)? < label_variance(down, theta, rates)?;
    Ok(if better { up } else { down })
}

/// The published adaptive rule, m1 = m / (1 + (1/p - 1) sqrt(kappa)) with
/// kappa = (m'(1-sp) + 1) / (m'(1-se) + 1) and m' pilot labels of either class, rounded to whole
/// labels, at least one each.
///
/// It stands for comparison: it puts the judge's rate `p` in place of the true one and sqrt(1-q) in
/// place of sqrt(q(1-q)), and [`neyman`] has the smaller variance.
///
/// # Errors
///
/// `p` lies outside \[0, 1\], a rate of the judge does, J is 0 or less, or "fewer than two labels".
///
/// C. Lee et al. (2025), arXiv 2511.21140.
pub fn published(labels: u64, p: f64, rates: &Known, pilot: u64) -> Result<Split, &'static str> {
    if labels < 2 {
        return Err("fewer than two labels");
    }
    if !(0.0..=1.0).contains(&p) {
        return Err("the judge's rate lies outside [0, 1]");
    }
    rates.youden()?;
    let misses = |q: f64| pilot as f64 * (1.0 - q) + 1.0;
    let kappa = misses(rates.specificity) / misses(rates.sensitivity);
    // p / (p + (1-p) sqrt(kappa)) is the same, and has a value at p = 0.
    let passes = labels as f64 * p / (p + (1.0 - p) * kappa.sqrt());
    let passes = whole((passes + 0.5).floor(), labels);
    Ok(Split { passes, fails: labels - passes })
}

/// The whole part of `x`, kept from 1 to `labels - 1`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(x: f64, labels: u64) -> u64 {
    (x as u64).clamp(1, labels - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Worked table 2.7: p = .4, sp = .7, se = .9, 200 labels; the variances there are before the
    /// division by J^2.
    #[test]
    fn the_published_example_is_met() {
        let rates = Known { sensitivity: 0.9, specificity: 0.7 };
        let theta = rates.corrected(0.4).unwrap();
        let variance = |split| label_variance(split, theta, &rates).unwrap() * 0.36;
        let best = neyman(200, theta, &rates).unwrap();
        assert_eq!(best, Split { passes: 23, fails: 177 });
        assert!((variance(best) - 9.33e-4).abs() < 5e-7);
        let adaptive = published(200, 0.4, &rates, 10).unwrap();
        assert_eq!(adaptive, Split { passes: 64, fails: 136 });
        assert!((variance(adaptive) - 11.11e-4).abs() < 5e-7);
        let equal = Split { passes: 100, fails: 100 };
        assert!((variance(equal) - 14.83e-4).abs() < 5e-7);
    }

    #[test]
    fn edges_are_met_and_nonsense_is_refused() {
        let rates = Known { sensitivity: 0.9, specificity: 0.7 };
        assert_eq!(neyman(50, 0.0, &rates), Ok(Split { passes: 1, fails: 49 }));
        assert_eq!(neyman(50, 1.0, &rates), Ok(Split { passes: 49, fails: 1 }));
        assert_eq!(neyman(2, 0.3, &rates), Ok(Split { passes: 1, fails: 1 }));
        assert_eq!(published(50, 0.0, &rates, 10), Ok(Split { passes: 1, fails: 49 }));
        assert_eq!(published(50, 1.0, &rates, 10), Ok(Split { passes: 49, fails: 1 }));
        let perfect = Known { sensitivity: 1.0, specificity: 1.0 };
        assert_eq!(neyman(50, 0.3, &perfect), Ok(Split { passes: 25, fails: 25 }));
        assert_eq!(label_variance(Split { passes: 0, fails: 0 }, 0.3, &perfect), Ok(0.0));
        let empty = Split { passes: 0, fails: 9 };
        assert_eq!(label_variance(empty, 0.3, &rates), Ok(f64::INFINITY));
        assert_eq!(neyman(1, 0.3, &rates), Err("fewer than two labels"));
        assert_eq!(published(0, 0.3, &rates, 10), Err("fewer than two labels"));
        for odd in [-0.1, 1.1, f64::NAN] {
            assert!(neyman(9, odd, &rates).is_err() && published(9, odd, &rates, 10).is_err());
        }
        let coin = Known { sensitivity: 0.5, specificity: 0.5 };
        assert!(neyman(9, 0.3, &coin).is_err() && published(9, 0.3, &coin, 10).is_err());
    }

    proptest! {
        #[test]
        fn no_other_division_is_better(
            labels in 2_u64..60, theta in 0.0..=1.0_f64, se in 0.55..0.999_f64, sp in 0.55..0.999_f64,
        ) {
            let rates = Known { sensitivity: se, specificity: sp };
            let best = neyman(labels, theta, &rates).unwrap();
            prop_assert_eq!(best.passes + best.fails, labels);
            let least = label_variance(best, theta, &rates).unwrap();
            for passes in 1..labels {
                let other = Split { passes, fails: labels - passes };
                prop_assert!(least <= label_variance(other, theta, &rates).unwrap() * (1.0 + 1e-12));
            }
        }
    }
}
