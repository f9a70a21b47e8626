//! Adjusted p-values for several tests at once: reject what is at most the level, and the error
//! rate of the whole family is held.

/// Holm's step-down adjustment: the chance of any false rejection is held, whatever the dependence.
/// The adjusted p-values stand in the order given and are at most 1.
///
/// # Errors
///
/// "a p-value lies outside \[0, 1\]".
///
/// S. Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, &'static str> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        largest = largest.max((left * p_values[at]).min(1.0));
        adjusted[at] = largest;
    }
    Ok(adjusted)
}

/// The step-up adjustment of Benjamini and Hochberg: the expected share of false rejections among
/// all is held for independent or positively dependent tests. In the order given, at most 1.
///
/// # Errors
///
/// As [`holm`].
///
/// Y. Benjamini, Y. Hochberg (1995), Journal of the Royal Statistical Society B 57, 289-300.
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, &'static str> {
    step_up(p_values, 1.0)
}

/// The step-up adjustment of Benjamini and Yekutieli: as [`benjamini_hochberg`], times
/// 1 + 1/2 + ... + 1/m, which holds the share under any dependence.
///
/// # Errors
///
/// As [`holm`].
///
/// Y. Benjamini, D. Yekutieli (2001), Annals of Statistics 29, 1165-1188, theorem 1.3.
pub fn benjamini_yekutieli(p_values: &[f64]) -> Result<Vec<f64>, &'static str> {
    step_up(p_values, (1..=p_values.len()).map(|i| 1.0 / i as f64).sum())
}

fn step_up(p_values: &[f64], factor: f64) -> Result<Vec<f64>, &'static str> {
    let order = ascending(p_values)?;
    let tests = p_values.len() as f64;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &at) in order.iter().enumerate().rev() {
        smallest = smallest.min(factor * tests * p_values[at] / (rank + 1) as f64);
        adjusted[at] = smallest;
    }
    Ok(adjusted)
}

/// The places of the p-values from the smallest on; equal ones keep their order.
fn ascending(p_values: &[f64]) -> Result<Vec<usize>, &'static str> {
    if !p_values.iter().all(|p| (0.0..=1.0).contains(p)) {
        return Err("a p-value lies outside [0, 1]");
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const P: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];

    /// Published values (Benjamini and Hochberg 1995, table 1).
    #[test]
    fn published_adjustments_are_met() {
        let near = |got: &[f64], want: &[f64]| {
            got.iter().zip(want).all(|(got, want)| (got - want).abs() < 5.1e-7)
        };
        let rejected = |adjusted: &[f64]| adjusted.iter().filter(|&&p| p <= 0.05).count();
        let bh = benjamini_hochberg(&P).unwrap();
        assert!(near(
            &bh,
            &[
                0.0015, 0.003, 0.0095, 0.035_625, 0.0603, 0.063_857, 0.063_857, 0.0645, 0.0765,
                0.486, 0.581_182, 0.714_875, 0.753_231, 0.813_214, 1.0
            ]
        ));
        let steps = holm(&P).unwrap();
        assert!(near(
            &steps,
            &[0.0015, 0.0056, 0.0247, 0.1140, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1.0]
        ));
        assert!(steps[9..].iter().all(|&p| p == 1.0));
        let by = benjamini_yekutieli(&P).unwrap();
        assert_eq!((rejected(&steps), rejected(&bh), rejected(&by)), (3, 4, 3));
        // 1 + 1/2 + ... + 1/15 = 3.318228993...
        assert!((by[0] / bh[0] - 3.318_228_993_228_993).abs() < 1e-12 && by[14] == 1.0);
        let bonferroni = P.iter().filter(|&&p| 15.0 * p <= 0.05).count();
        assert_eq!(bonferroni, 3);
    }

    #[test]
    fn edges_are_met_and_nonsense_is_refused() {
        for method in [holm, benjamini_hochberg, benjamini_yekutieli] {
            assert_eq!(method(&[]), Ok(vec![]));
            assert_eq!(method(&[0.03]), Ok(vec![0.03]));
            assert_eq!(method(&[0.0, 1.0]), Ok(vec![0.0, 1.0]));
            for odd in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
                assert_eq!(method(&[0.5, odd]), Err("a p-value lies outside [0, 1]"));
            }
        }
        assert_eq!(holm(&[0.04, 0.01, 0.02]), Ok(vec![0.04, 0.03, 0.04]));
    }

    proptest! {
        #[test]
        fn they_keep_the_order_and_nest(p in proptest::collection::vec(0.0..=1.0_f64, 1..30)) {
            let (bh, by) = (benjamini_hochberg(&p).unwrap(), benjamini_yekutieli(&p).unwrap());
            let steps = holm(&p).unwrap();
            for i in 0..p.len() {
                prop_assert!(p[i] <= bh[i] * (1.0 + 1e-15) && bh[i] <= steps[i] * (1.0 + 1e-15));
                prop_assert!(bh[i] <= by[i] * (1.0 + 1e-15) && by[i] <= 1.0 && steps[i] <= 1.0);
                prop_assert!(steps[i] <= p.len() as f64 * p[i] + 1e-15);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || (bh[i] <= bh[j] && steps[i] <= steps[j]));
                }
            }
        }
    }
}
