//! Quadrature over what is drawn: weighted nodes that stand for a law in exact sums.

use crate::stats::quadrature::{REACH, density, standard_normal};

/// A value and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<T> {
    /// The value.
    pub at: T,
    /// Its probability.
    pub weight: f64,
}

/// Spreads up to this many log-odds per standard deviation are integrated with equal steps.
const STEADY: f64 = 64.0;

/// A normal by whatever rule suits the integrand, which turns over `rate` log-odds per unit, bends or jumps at `bends` and
/// passes one half at `centres`.
///
/// A smooth integrand takes the trapezoidal rule: it converges geometrically, and a step of min(1/2, 1/(2 spread)) standard
/// deviations leaves an error below 2e-14 (logistic); Gauss-Hermite with 15 to 31 nodes would be off by up to .02 at large
/// spreads. One that bends takes 20-point Gauss-Legendre panels split at the bends, and one that turns over within a
/// hundredth of a standard deviation takes panels that grow away from its centres.
#[must_use]
pub fn normal(mean: f64, sd: f64, rate: f64, bends: &[f64], centres: &[f64]) -> Vec<Node<f64>> {
    let spread = libm::fabs(sd * rate);
    if sd == 0.0 || (spread == 0.0 && bends.is_empty()) {
        return vec![Node { at: mean, weight: 1.0 }];
    }
    if bends.is_empty() && spread <= STEADY {
        let steps = standard_normal(spread).into_iter();
        return steps.map(|(z, weight)| Node { at: mean + sd * z, weight }).collect();
    }
    panels(mean, sd, rate, bends, centres)
}

/// A normal by 20-point Gauss-Legendre panels.
fn panels(mean: f64, sd: f64, rate: f64, bends: &[f64], centres: &[f64]) -> Vec<Node<f64>> {
    let (low, high) = (mean - REACH * sd, mean + REACH * sd);
    let rate = libm::fabs(rate);
    let steep = STEADY < rate * sd;
    let mut ends = bends.to_vec();
    if steep {
        for centre in centres {
            // In log-odds: within a panel the logistic curve is far from its poles, or flat.
            ends.extend(
                [-40.0, -15.0, -6.0, -2.0, 0.0, 2.0, 6.0, 15.0, 40.0]
                    .map(|eta| centre + eta / rate),
            );
        }
    }
    ends.retain(|end| low < *end && *end < high);
    ends.extend([low, high]);
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let widest = if steep { sd } else { sd.min(4.0 / rate.max(1e-6)) };
    let mut nodes = Vec::new();
    for part in ends.windows(2) {
        let panels = libm::ceil((part[1] - part[0]) / widest).max(1.0);
        let width = (part[1] - part[0]) / panels;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 300 panels"
        )]
        for panel in 0..panels as u32 {
            let middle = part[0] + (f64::from(panel) + 0.5) * width;
            for (x, weight) in legendre() {
                let at = middle + x * width / 2.0;
                nodes.push(Node {
                    at,
                    weight: weight * width / 2.0 * density((at - mean) / sd) / sd,
                });
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
        (0.912_234_428_251_326, 0.062_672_048_334_109_06),
        (0.963_971_927_277_913_8, 0.040_601_429_800_386_94),
        (0.993_128_599_185_094_9, 0.017_614_007_139_152_12),
    ];
    HALF.into_iter().flat_map(|(x, weight)| [(-x, weight), (x, weight)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn mean(nodes: &[Node<f64>], f: impl Fn(f64) -> f64) -> f64 {
        nodes.iter().map(|it| it.weight * f(it.at)).sum()
    }

    /// Moments of the standard normal, by every rule.
    #[test]
    fn every_rule_integrates_the_normal() {
        for (rate, bends) in [(1.0, vec![]), (12.0, vec![]), (2.0, vec![0.3]), (3000.0, vec![])] {
            let nodes = normal(0.0, 1.0, rate, &bends, &[0.1]);
            for (power, want) in [(0, 1.0), (1, 0.0), (2, 1.0), (4, 3.0), (6, 15.0)] {
                let got = mean(&nodes, |z| z.powi(power));
                assert!((got - want).abs() < 1e-12 * 15.0, "rate {rate}, moment {power}: {got}");
            }
        }
    }

    /// E s(1 + 4.7 z)^2 for the logistic s, by two rules.
    #[test]
    fn the_rules_agree_at_a_large_spread() {
        let f = |z: f64| {
            let p = 1.0 / (1.0 + libm::exp(-1.0 - 4.7 * z));
            p * p
        };
        let (a, b) = (
            mean(&normal(0.0, 1.0, 4.7, &[], &[]), f),
            mean(&normal(0.0, 1.0, 4.7, &[0.5], &[]), f),
        );
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }

    /// 2 E s(t z)(1 - s(t z)) for a nearly deterministic judge is 2/t times the normal density at 0, up to O(t^-3), since the
    /// integral of s(1 - s) is 1.
    #[test]
    fn a_nearly_deterministic_judge_still_flips() {
        for spread in [200.0, 5000.0, 20_000.0, 1e6] {
            let flips = mean(&normal(0.0, 1.0, spread, &[], &[0.0]), |z| {
                let odds = libm::exp(-libm::fabs(spread * z));
                2.0 * odds / ((1.0 + odds) * (1.0 + odds))
            });
            let want = 2.0 / spread / libm::sqrt(2.0 * PI);
            assert!(
                (flips / want - 1.0).abs() < 2.0 / (spread * spread) + 1e-9,
                "{spread}: {flips} {want}"
            );
        }
    }

    #[test]
    fn a_jump_at_a_cut_is_exact() {
        let cut = 0.3;
        let above = mean(&normal(0.0, 1.0, 1.0, &[cut], &[]), |z| f64::from(u8::from(cut < z)));
        assert!((above - crate::stats::special::phi(-cut)).abs() < 1e-14);
    }
}
