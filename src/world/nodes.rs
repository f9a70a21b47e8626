//! Quadrature over what is drawn: weighted nodes that stand for a law in exact sums.

use std::f64::consts::PI;

/// A value and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<T> {
    /// The value.
    pub at: T,
    /// Its probability.
    pub weight: f64,
}

/// How far out a normal is integrated, in standard deviations: beyond lies 2e-19.
const REACH: f64 = 9.0;

fn density(z: f64) -> f64 {
    libm::exp(-z * z / 2.0) / libm::sqrt(2.0 * PI)
}

/// A standard normal by the trapezoidal rule, for a smooth integrand that turns over `spread` log-odds per standard
/// deviation. The rule converges geometrically; a step of min(1/2, 1/(2 spread)) leaves an error below 2e-14 (logistic).
/// Gauss-Hermite with 15 to 31 nodes would be off by up to .02 at large spreads.
#[must_use]
pub fn normal_nodes(spread: f64) -> Vec<Node<f64>> {
    if spread == 0.0 {
        return vec![Node { at: 0.0, weight: 1.0 }];
    }
    let step = (0.5 / libm::fabs(spread)).clamp(1e-3, 0.5);
    #[expect(clippy::cast_possible_truncation, reason = "at most 9,000 steps")]
    let half = libm::ceil(REACH / step) as i32;
    let mut nodes: Vec<Node<f64>> = (-half..=half)
        .map(|k| {
            let z = f64::from(k) * step;
            Node { at: z, weight: step * density(z) }
        })
        .collect();
    normalise(&mut nodes);
    nodes
}

/// A normal with `mean` and `sd` by 20-point Gauss-Legendre panels that are split at the `cuts`, for an integrand that
/// may jump or bend there and turns over `rate` log-odds per unit.
pub(super) fn panels(mean: f64, sd: f64, cuts: &[f64], rate: f64) -> Vec<Node<f64>> {
    let (low, high) = (mean - REACH * sd, mean + REACH * sd);
    let mut ends: Vec<f64> = cuts.iter().copied().filter(|cut| low < *cut && *cut < high).collect();
    ends.extend([low, high]);
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let widest = sd.min(4.0 / libm::fabs(rate).max(1e-6)).max(sd / 200.0);
    let mut nodes = Vec::new();
    for part in ends.windows(2) {
        let panels = libm::ceil((part[1] - part[0]) / widest).max(1.0);
        let width = (part[1] - part[0]) / panels;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 3,600 panels")]
        for panel in 0..panels as u32 {
            let middle = part[0] + (f64::from(panel) + 0.5) * width;
            for (x, weight) in legendre() {
                let at = middle + x * width / 2.0;
                nodes.push(Node { at, weight: weight * width / 2.0 * density((at - mean) / sd) / sd });
            }
        }
    }
    normalise(&mut nodes);
    nodes
}

/// Weights that sum to 1 in the last digits too, so that probabilities do.
fn normalise(nodes: &mut [Node<f64>]) {
    let sum: f64 = nodes.iter().map(|it| it.weight).sum();
    for it in nodes {
        it.weight /= sum;
    }
}

/// Nodes and weights of the 20-point Gauss-Legendre rule on [-1, 1] (Abramowitz & Stegun 1964, table 25.4).
fn legendre() -> impl Iterator<Item = (f64, f64)> {
    const HALF: [(f64, f64); 10] = [
        (0.076_526_521_133_497_33, 0.152_753_387_130_725_85),
        (0.227_785_851_141_645_08, 0.149_172_986_472_603_75),
        (0.373_706_088_715_419_56, 0.142_096_109_318_382_05),
        (0.510_867_001_950_827_1, 0.131_688_638_449_176_63),
        (0.636_053_680_726_515, 0.118_194_531_961_518_42),
        (0.746_331_906_460_150_8, 0.101_930_119_817_240_44),
        (0.839_116_971_822_218_8, 0.083_276_741_576_704_75),
        (0.912_234_428_251_325_9, 0.062_672_048_334_109_06),
        (0.963_971_927_277_913_8, 0.040_601_429_800_386_94),
        (0.993_128_599_185_094_9, 0.017_614_007_139_152_12),
    ];
    HALF.into_iter().flat_map(|(x, weight)| [(-x, weight), (x, weight)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(nodes: &[Node<f64>], f: impl Fn(f64) -> f64) -> f64 {
        nodes.iter().map(|it| it.weight * f(it.at)).sum()
    }

    /// Moments of the standard normal, and the logistic-normal mean, which is 1/2 by symmetry.
    #[test]
    fn both_rules_integrate_the_normal() {
        for nodes in [normal_nodes(1.0), normal_nodes(12.0), panels(0.0, 1.0, &[0.3], 2.0)] {
            for (power, want) in [(0, 1.0), (1, 0.0), (2, 1.0), (4, 3.0), (6, 15.0)] {
                let got = mean(&nodes, |z| z.powi(power));
                assert!((got - want).abs() < 1e-12 * 15.0, "moment {power}: {got}");
            }
        }
    }

    /// E s(1 + 4.7 z)^2 for the logistic s: SciPy 1.16 `quad` with split range gives the constant; both rules agree.
    #[test]
    fn the_rules_agree_at_a_large_spread() {
        let f = |z: f64| {
            let p = 1.0 / (1.0 + libm::exp(-1.0 - 4.7 * z));
            p * p
        };
        let (a, b) = (mean(&normal_nodes(4.7), f), mean(&panels(0.0, 1.0, &[], 4.7), f));
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }

    #[test]
    fn a_jump_at_a_cut_is_exact() {
        let cut = 0.3;
        let above = mean(&panels(0.0, 1.0, &[cut], 1.0), |z| f64::from(u8::from(cut < z)));
        assert!((above - crate::stats::special::phi(-cut)).abs() < 1e-14);
    }
}
