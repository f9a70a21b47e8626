//! Cycles: A beats B, B beats C and C beats A, more often than noisy but consistent strengths would have it.

use super::clustered::RatioSums;
use super::interval::Interval;

/// Three systems compared with each other on one item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triad {
    /// Whether A beat B, B beat C, C beat A.
    pub won: [bool; 3],
    /// The probabilities of these, as the fitted strengths have them.
    pub expected: [f64; 3],
}

impl Triad {
    /// All three the same way round.
    #[must_use]
    pub fn cycles(&self) -> bool {
        self.won == [true; 3] || self.won == [false; 3]
    }

    /// The probability of a cycle from independent verdicts.
    #[must_use]
    pub fn chance(&self) -> f64 {
        let [ab, bc, ca] = self.expected;
        ab * bc * ca + (1.0 - ab) * (1.0 - bc) * (1.0 - ca)
    }
}

/// The share of cycles beside the share that strengths and noise predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycles {
    /// Triads.
    pub triads: u64,
    /// The share that cycles.
    pub observed: f64,
    /// The share that was to be expected.
    pub predicted: f64,
    /// Observed less predicted, with a t interval over items; the prediction counts as known.
    pub excess: Interval,
    /// The two-sided p-value of no excess.
    pub p: f64,
}

/// The triads item by item (triads of one item share verdicts, so the item is what varies).
///
/// # Errors
/// No triads, or items that do not vary.
pub fn cycles<T: AsRef<[Triad]>>(items: &[T], level: f64) -> Result<Cycles, &'static str> {
    let mut sums = RatioSums::default();
    let (mut triads, mut observed, mut predicted) = (0_u64, 0.0, 0.0);
    for item in items.iter().map(AsRef::as_ref).filter(|it| !it.is_empty()) {
        let cycled = item.iter().filter(|it| it.cycles()).count() as f64;
        let chance: f64 = item.iter().map(Triad::chance).sum();
        sums.add(cycled - chance, item.len() as f64);
        triads += item.len() as u64;
        observed += cycled;
        predicted += chance;
    }
    let n = triads as f64;
    sums.ratio()?;
    Ok(Cycles {
        triads,
        observed: observed / n,
        predicted: predicted / n,
        excess: sums.interval(level)?,
        p: sums.p_value(0.0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coins cycle in a quarter of all triads; a certain order never does.
    #[test]
    fn chance_alone() {
        let coin = Triad { won: [true; 3], expected: [0.5; 3] };
        assert!(coin.cycles() && coin.chance() == 0.25);
        let sure = Triad { won: [true, true, false], expected: [1.0, 1.0, 0.0] };
        assert!(!sure.cycles() && sure.chance() == 0.0);
        let uneven = Triad { won: [false; 3], expected: [0.9, 0.6, 0.2] };
        assert!(uneven.cycles() && (uneven.chance() - (0.108 + 0.032)).abs() < 1e-15);
    }

    /// Every pattern of three coins once: no excess at all; only cycles: all of it.
    #[test]
    fn observed_less_predicted() {
        let triad =
            |k: usize| Triad { won: [k & 1 == 0, k & 2 == 0, k & 4 == 0], expected: [0.5; 3] };
        let items: Vec<[Triad; 1]> = (0..8).map(|k| [triad(k)]).collect();
        let got = cycles(&items, 0.95).unwrap();
        assert_eq!((got.triads, got.observed, got.predicted, got.p), (8, 0.25, 0.25, 1.0));
        // A t interval of eight values .75, .75 and six times -.25: mean 0, sd .46291.
        assert!((got.excess.high - 2.364_624_251 * 0.462_910_05 / libm::sqrt(8.0)).abs() < 1e-6);
        let turning: Vec<[Triad; 1]> = [0, 0, 7, 7, 0, 7, 1, 0].map(|k| [triad(k)]).to_vec();
        let got = cycles(&turning, 0.95).unwrap();
        assert!(got.p < 0.01 && 0.2 < got.excess.low, "{got:?}");
    }

    #[test]
    fn no_triads_is_said() {
        assert!(cycles::<[Triad; 0]>(&[], 0.95).is_err());
    }
}
