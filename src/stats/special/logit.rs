//! A tail probability inverted in the log-odds of its argument, where the tails of beta and
//! binomial laws are log-concave and a third-order Newton step is safe and fast.

/// A point of the unit interval known from both ends, so that neither p nor q = 1 - p loses digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Odds {
    pub(crate) p: f64,
    pub(crate) q: f64,
}

impl Odds {
    /// The point p, 0 <= p <= 1.
    pub(crate) fn new(p: f64) -> Self {
        Self { p, q: 1.0 - p }
    }

    /// The point whose log-odds are these.
    pub(crate) fn from_log_odds(log_odds: f64) -> Self {
        Self { p: 0.5, q: 0.5 }.shifted(log_odds)
    }

    /// The same point seen from the other end.
    pub(crate) fn mirrored(self) -> Self {
        Self { p: self.q, q: self.p }
    }

    /// The point whose log-odds are larger by `step`.
    fn shifted(self, step: f64) -> Self {
        // The factor is kept at or below one, so it can underflow but not overflow.
        let factor = libm::exp(-step.abs());
        let (p, q) = if step < 0.0 { (self.p * factor, self.q) } else { (self.p, self.q * factor) };
        Self { p: p / (p + q), q: q / (p + q) }
    }
}

/// A tail probability T at a point, as its logarithm's local shape in the log-odds L.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogTail {
    /// ln T
    pub(crate) value: f64,
    /// d ln T / dL
    pub(crate) slope: f64,
    /// T'' / T', derivatives in L
    pub(crate) bend: f64,
}

/// The point at which ln T equals `target`, by Halley's iteration from `start`.
///
/// The error shrinks cubically, so the step taken at a distance below 1e-5 is the last one. A
/// log-concave T makes even the plain Newton step converge from everywhere; the correction is
/// bounded so that it can shorten a step as far as it likes but no more than double it.
pub(crate) fn invert(start: Odds, target: f64, tail: impl Fn(Odds) -> LogTail) -> Odds {
    const LONGEST_STEP: f64 = 50.0;
    let mut at = start;
    for _ in 0..100 {
        if at.p <= 0.0 || at.q <= 0.0 {
            break;
        }
        let here = tail(at);
        let miss = target - here.value;
        let newton = miss / here.slope;
        let correction = 1.0 + 0.5 * newton * (here.bend - here.slope);
        let step = newton / correction.max(0.5);
        if step.is_nan() {
            break;
        }
        at = at.shifted(step.clamp(-LONGEST_STEP, LONGEST_STEP));
        if miss.abs() < 1e-5 {
            break;
        }
    }
    at
}
