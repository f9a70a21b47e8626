//! Labels that keep out of each other's way and stay as near as they can to what they name.

/// Moves labels apart: `wanted[i]` is where the centre of label `i` would like to be and
/// `heights[i]` how tall it is (pixels). No two overlap, their order is that of the wishes, the sum
/// of squared displacements is the least possible, and all lie between `low` and `high` if there is
/// room; if there is not, they start at `low` and run over. A wish that is not finite counts as
/// `low`; a missing height as 0.
///
/// With the distances that neighbours must keep subtracted, this is isotonic regression, solved by
/// pooling adjacent violators: Ayer et al. (1955), "An empirical distribution function for
/// sampling with incomplete information", Annals of Mathematical Statistics 26(4), 641-647.
#[must_use]
pub fn dodge(wanted: &[f64], heights: &[f64], low: f64, high: f64) -> Vec<f64> {
    let wish = |i: usize| if wanted[i].is_finite() { wanted[i] } else { low };
    let height = |i: usize| heights.get(i).copied().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wish(a).total_cmp(&wish(b)).then(a.cmp(&b)));
    // How far each centre lies below the first when the labels touch.
    let mut offsets = vec![0.0; order.len()];
    for k in 1..order.len() {
        let keep = f64::midpoint(height(order[k - 1]), height(order[k]));
        offsets[k] = offsets[k - 1] + keep;
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (&i, offset) in order.iter().zip(&offsets) {
        let mut pool = (wish(i) - offset, 1);
        while let Some((mean, size)) = pools.pop_if(|last| last.0 > pool.0) {
            let both = size + pool.1;
            pool = ((mean * size as f64 + pool.0 * pool.1 as f64) / both as f64, both);
        }
        pools.push(pool);
    }
    let (Some(&upper), Some(&lower), Some(&reach)) = (order.first(), order.last(), offsets.last())
    else {
        return Vec::new();
    };
    let least = low + height(upper) / 2.0;
    let most = (high - height(lower) / 2.0 - reach).max(least);
    let mut placed = vec![low; order.len()];
    let means = pools.iter().flat_map(|&(mean, size)| std::iter::repeat_n(mean, size));
    for ((&i, offset), mean) in order.iter().zip(&offsets).zip(means) {
        // Not `clamp`, which panics on limits that are not numbers.
        placed[i] = mean.min(most).max(least) + offset;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_no_further_than_they_must() {
        // Two that collide part evenly; the third is far off and stays.
        assert_eq!(dodge(&[104.0, 100.0, 200.0], &[16.0; 3], 0.0, 300.0), [110.0, 94.0, 200.0]);
        // A pool that grows: the mean is kept.
        let placed = dodge(&[100.0, 101.0, 102.0, 101.0], &[16.0; 4], 0.0, 300.0);
        assert_eq!(placed, [77.0, 93.0, 125.0, 109.0]);
        // Against the upper edge, and with a label of two lines.
        assert_eq!(dodge(&[2.0, 3.0], &[16.0, 32.0], 0.0, 300.0), [8.0, 32.0]);
        assert_eq!(dodge(&[299.0, 290.0], &[16.0, 16.0], 0.0, 300.0), [292.0, 276.0]);
    }

    #[test]
    fn labels_without_room_or_without_a_wish_do_not_overlap() {
        assert_eq!(dodge(&[5.0, 6.0, 7.0], &[16.0; 3], 0.0, 20.0), [8.0, 24.0, 40.0]);
        assert_eq!(dodge(&[f64::NAN, 3.0], &[16.0; 2], 0.0, 99.0), [8.0, 24.0]);
        assert!(dodge(&[], &[], 0.0, 1.0).is_empty());
        assert_eq!(dodge(&[1.0], &[16.0], f64::NAN, f64::NAN).len(), 1);
    }
}
