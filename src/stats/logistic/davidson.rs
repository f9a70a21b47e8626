//! One answer with ties: the log-likelihood in the log-odds eta and in ln nu, and its slopes.

/// Score and information of some answers to one presentation, in (eta, ln nu).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    /// Along eta and along ln nu.
    pub(crate) score: [f64; 2],
    /// The information: eta with eta, eta with ln nu, ln nu with ln nu.
    pub(crate) weight: [f64; 3],
}

impl Turn {
    /// The triangle (a, 0; b, c) whose square is the information, as [a, b, c].
    pub(crate) fn roots(&self) -> [f64; 3] {
        let along = self.weight[0].max(0.0).sqrt();
        if along == 0.0 {
            return [0.0, 0.0, self.weight[2].max(0.0).sqrt()];
        }
        let across = self.weight[1] / along;
        [along, across, (self.weight[2] - across * across).max(0.0).sqrt()]
    }
}

/// The log-likelihood of answers (first, tie, second); without ln nu there are no ties.
pub(crate) fn height(eta: f64, ln_nu: Option<f64>, said: [f64; 3]) -> f64 {
    match ln_nu {
        None => height_of_two(eta, libm::exp(-libm::fabs(eta)), said),
        Some(ln_nu) => Odds::new(eta, ln_nu).height(said),
    }
}

/// Score and information of answers (first, tie, second).
pub(crate) fn turn(eta: f64, ln_nu: Option<f64>, said: [f64; 3]) -> Turn {
    match ln_nu {
        None => turn_of_two(eta, libm::exp(-libm::fabs(eta)), said),
        Some(ln_nu) => Odds::new(eta, ln_nu).turn(said),
    }
}

/// The log-likelihood of answers with its score and information.
pub(super) fn seen(eta: f64, ln_nu: Option<f64>, said: [f64; 3]) -> (f64, Turn) {
    if let Some(ln_nu) = ln_nu {
        let odds = Odds::new(eta, ln_nu);
        return (odds.height(said), odds.turn(said));
    }
    let far = libm::exp(-libm::fabs(eta));
    (height_of_two(eta, far, said), turn_of_two(eta, far, said))
}

/// Of two answers, with e^-|eta|: the log-likelihood falls short by ln(1 + e^-|eta|), and by |eta| where the answer was not
/// the likelier one.
fn height_of_two(eta: f64, far: f64, [first, _, second]: [f64; 3]) -> f64 {
    let near = libm::log1p(far);
    // A count of zero keeps its infinite loss out.
    let part = |count: f64, towards: f64| {
        if count == 0.0 { 0.0 } else { -count * (near + f64::max(-towards, 0.0)) }
    };
    part(first, eta) + part(second, -eta)
}

fn turn_of_two(eta: f64, far: f64, [first, tie, second]: [f64; 3]) -> Turn {
    let count = first + tie + second;
    let less = far / (1.0 + far);
    let more = 1.0 / (1.0 + far);
    let p = if 0.0 <= eta { more } else { less };
    Turn { score: [first - count * p, 0.0], weight: [count * less * more, 0.0, 0.0] }
}

/// The odds of three answers, relative to the largest.
struct Odds {
    half: f64,
    ln_nu: f64,
    parts: [f64; 3],
    sum: f64,
    most: f64,
}

impl Odds {
    fn new(eta: f64, ln_nu: f64) -> Self {
        let half = 0.5 * eta;
        let most = libm::fabs(half).max(ln_nu);
        let parts = [half, ln_nu, -half].map(|it| libm::exp(it - most));
        Self { half, ln_nu, parts, sum: parts.iter().sum(), most }
    }

    fn height(&self, [first, tie, second]: [f64; 3]) -> f64 {
        let all = self.most + libm::log(self.sum);
        (first - second) * self.half + tie * self.ln_nu - (first + tie + second) * all
    }

    fn turn(&self, said: [f64; 3]) -> Turn {
        of_odds(self.parts, said)
    }
}

/// Score and information of answers (first, tie, second) whose probabilities are as these odds.
pub(crate) fn of_odds(odds: [f64; 3], [first, tie, second]: [f64; 3]) -> Turn {
    let count = first + tie + second;
    let sum: f64 = odds.iter().sum();
    let [p, t, q] = odds.map(|it| it / sum);
    let lean = p - q;
    Turn {
        score: [0.5 * (first - second - count * lean), tie - count * t],
        // (p + q)(1 - p - q) + 4 p q, without cancellation, is the variance of the sign.
        weight: [
            0.25 * count * ((p + q) * t + 4.0 * p * q),
            -0.5 * count * lean * t,
            count * t * (p + q),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slopes against differences of the log-likelihood.
    #[test]
    fn slopes_are_those_of_the_height() {
        let said = [2.0, 1.0, 4.0];
        let step = 1e-4;
        for (eta, ln_nu) in [(0.3, -0.7), (-2.0, 1.1), (9.0, -3.0), (0.0, 0.0)] {
            let h = |a: f64, b: f64| height(eta + a * step, Some(ln_nu + b * step), said);
            let got = turn(eta, Some(ln_nu), said);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 2e-6, "{a} and {b}");
            close(got.score[0], (h(1.0, 0.0) - h(-1.0, 0.0)) / (2.0 * step));
            close(got.score[1], (h(0.0, 1.0) - h(0.0, -1.0)) / (2.0 * step));
            let square = step * step;
            close(got.weight[0], -(h(1.0, 0.0) - 2.0 * h(0.0, 0.0) + h(-1.0, 0.0)) / square);
            close(got.weight[2], -(h(0.0, 1.0) - 2.0 * h(0.0, 0.0) + h(0.0, -1.0)) / square);
            let cross = h(1.0, 1.0) - h(1.0, -1.0) - h(-1.0, 1.0) + h(-1.0, -1.0);
            close(got.weight[1], -cross / (4.0 * square));
            let [a, b, c] = got.roots();
            close(a * a, got.weight[0]);
            close(a * b, got.weight[1]);
            close(b * b + c * c, got.weight[2]);
        }
    }

    /// nu = 0 is the logistic law.
    #[test]
    fn without_ties_it_is_logistic() {
        let said = [3.0, 0.0, 2.0];
        for eta in [-40.0, -1.0, 0.0, 0.4, 7.0] {
            assert!(
                (height(eta, None, said) - height(eta, Some(-60.0), said)).abs()
                    < 1e-10 * (1.0 + eta.abs())
            );
            let (two, three) = (turn(eta, None, said), turn(eta, Some(-60.0), said));
            assert!((two.score[0] - three.score[0]).abs() < 1e-12);
            assert!((two.weight[0] - three.weight[0]).abs() < 1e-12);
        }
    }
}
