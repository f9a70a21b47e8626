//! The pieces of Efron's `BCa` interval, for any statistic: quantiles of resampled values, bias
//! correction, acceleration.

use super::super::special::{normal_quantile, phi};

/// The probability left out on either side.
pub(super) fn tail(level: f64) -> Result<f64, &'static str> {
    if 0.0 < level && level < 1.0 {
        Ok(0.5 * (1.0 - level))
    } else {
        Err("the level lies outside (0, 1)")
    }
}

/// The quantile of `values` at `p`, interpolated between the order statistics around (N - 1) p (R's
/// type 7, the default of R and `NumPy`); nothing without values or for a `p` outside \[0, 1\]. It
/// changes the order of the values.
#[must_use]
pub fn quantile(values: &mut [f64], p: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let place = (values.len() - 1) as f64 * p;
    // Below the length, since p is at most 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = place as usize;
    let (_, &mut low, above) = values.select_nth_unstable_by(whole, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Some(low + (place - whole as f64) * (next - low))
}

/// `BCa`'s z0: the normal quantile of the share of resamples below the estimate, those equal to it
/// (up to rounding) counted half.
///
/// # Errors
///
/// All resamples lie on one side of the estimate, or there are none.
pub fn bias_correction(resamples: &[f64], estimate: f64) -> Result<f64, &'static str> {
    let low = resamples.iter().copied().fold(f64::INFINITY, f64::min);
    let high = resamples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let near = 1e-12 * (high - low);
    let weight = |value: &f64| {
        let gap = value - estimate;
        if gap.abs() <= near { 0.5 } else { f64::from(u8::from(gap < 0.0)) }
    };
    let share = resamples.iter().map(weight).sum::<f64>() / resamples.len() as f64;
    if 0.0 < share && share < 1.0 {
        Ok(normal_quantile(share))
    } else {
        Err("all resamples lie on one side of the estimate")
    }
}

/// The probabilities at which `BCa` reads the resampled values:
/// `Phi(z0 + (z0 + z) / (1 - a (z0 + z)))` for the normal quantiles z of the level.
///
/// # Errors
///
/// The level is outside (0, 1), or a denominator is 0 or less.
pub fn bca_levels(z0: f64, acceleration: f64, level: f64) -> Result<[f64; 2], &'static str> {
    let z = normal_quantile(tail(level)?);
    let at = |z: f64| {
        let room = 1.0 - acceleration * (z0 + z);
        (room > 0.0).then(|| phi(z0 + (z0 + z) / room))
    };
    let refused = "the acceleration is too large for the level";
    Ok([at(z).ok_or(refused)?, at(-z).ok_or(refused)?])
}

/// `BCa`'s acceleration from jackknifed values: sum d^3 / (6 (sum d^2)^(3/2)), d the distance from
/// their mean down to each.
///
/// # Errors
///
/// "no variation" when the values are all the same or missing.
pub fn acceleration(jackknifed: &[f64]) -> Result<f64, &'static str> {
    let [_, squares, cubes] = powers(jackknifed);
    if squares > 0.0 { Ok(cubes / (6.0 * squares * squares.sqrt())) } else { Err("no variation") }
}

/// The jackknife's standard error sqrt((n-1)/n sum d^2).
///
/// # Errors
///
/// As [`acceleration`].
pub fn jackknife_error(jackknifed: &[f64]) -> Result<f64, &'static str> {
    let [n, squares, _] = powers(jackknifed);
    if squares > 0.0 { Ok(((n - 1.0) / n * squares).sqrt()) } else { Err("no variation") }
}

/// The number of values, and the sums of squares and cubes of their distances from the mean.
fn powers(values: &[f64]) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let gaps = values.iter().map(|value| mean - value);
    gaps.fold([n, 0.0, 0.0], |[n, squares, cubes], gap| {
        [n, squares + gap * gap, cubes + gap * gap * gap]
    })
}

#[cfg(test)]
mod tests {
    use super::super::ClusterSums;
    use super::*;

    /// Published values: the correlation of the law school's fifteen, jackknifed.
    #[test]
    fn the_published_pieces_of_bca_are_met() {
        const SCHOOLS: [(f64, f64); 15] = [
            (576.0, 3.39),
            (635.0, 3.30),
            (558.0, 2.81),
            (578.0, 3.03),
            (666.0, 3.44),
            (580.0, 3.07),
            (555.0, 3.00),
            (661.0, 3.43),
            (651.0, 3.36),
            (605.0, 3.13),
            (653.0, 3.12),
            (575.0, 2.74),
            (545.0, 2.76),
            (572.0, 2.88),
            (594.0, 2.96),
        ];
        let correlation = |left_out: usize| {
            let mut all = ClusterSums::default();
            for (at, &(x, y)) in SCHOOLS.iter().enumerate() {
                if at != left_out {
                    all.add(x - 600.0, y - 3.0);
                }
            }
            let (x, y) = (all.xx - all.x * all.x / all.n, all.yy - all.y * all.y / all.n);
            (all.xy - all.x * all.y / all.n) / (x * y).sqrt()
        };
        assert!((correlation(99) - 0.776_374).abs() < 6e-7);
        let values: Vec<f64> = (0..15).map(correlation).collect();
        assert!((acceleration(&values).unwrap() + 0.075_671_6).abs() < 6e-8);
        assert!((jackknife_error(&values).unwrap() - 0.142_519).abs() < 6e-7);
        let [low, high] = bca_levels(0.1, acceleration(&values).unwrap(), 0.95).unwrap();
        assert!((low - 0.019_479_1).abs() < 6e-8 && (high - 0.970_092_8).abs() < 6e-8);
        // Without bias and acceleration it is the percentile interval.
        let [low, high] = bca_levels(0.0, 0.0, 0.9).unwrap();
        assert!((low - 0.05).abs() < 1e-15 && (high - 0.95).abs() < 1e-15);
        // Three below, two equal, one above: 4/6; equal up to rounding counts as equal.
        let values = [1.0, 2.0, 2.5, 3.0, 0.1 + 0.2 + 2.7, 9.0];
        assert_eq!(bias_correction(&values, 3.0), Ok(normal_quantile(4.0 / 6.0)));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        assert_eq!(acceleration(&[2.0, 2.0]), Err("no variation"));
        assert_eq!(jackknife_error(&[]), Err("no variation"));
        assert!(bias_correction(&[1.0, 2.0], 3.0).unwrap_err().contains("one side"));
        assert!(bias_correction(&[], 3.0).unwrap_err().contains("one side"));
        assert!(bca_levels(0.0, 0.6, 0.95).unwrap_err().contains("too large"));
        for level in [0.0, 1.0, f64::NAN] {
            assert!(bca_levels(0.0, 0.0, level).unwrap_err().contains("level"));
        }
        assert_eq!(quantile(&mut [], 0.5), None);
        assert_eq!(quantile(&mut [1.0], 1.5), None);
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0], 1.0), Some(4.0));
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0], 0.75), Some(3.0));
    }
}
