//! The pairwise judge: a link of the log-odds of choosing the answer shown first.
//!
//! `eta = ability (q1 - q2) + taste u + position + length log2(len1/len2) + self (own1 - own2) + family (fam1 - fam2)`,
//! where 1 is shown first. Ties follow Davidson (1970): P(first) : P(tie) : P(second) = p : nu sqrt(p q) : q, which for
//! the logistic link is e^(eta/2) : nu : e^(-eta/2). A share `invalid` of the replies is no verdict.

use serde::{Deserialize, Serialize};

use super::{Along, Alphabet, Chances, Contrasts, Judge, Rates, Turns, Without};
use crate::evidence::Order;
use crate::quantity::{LogOdds, NonNegative, Probability};
use crate::stats::special::phi;
use crate::world::{Drawn, Pair, Shown};

/// How eta becomes the probability of choosing the answer shown first, before ties and invalid replies.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// 1 / (1 + e^-eta): coefficients are log-odds.
    #[default]
    Logistic,
    /// The normal CDF of eta: coefficients are standard deviations.
    Probit,
    /// 1/2 + eta, clipped to 0..1: coefficients are additive on the probability.
    ClippedLinear,
}

impl Link {
    /// The probabilities at eta, of the first answer and of the second; both precise when small.
    #[must_use]
    pub fn probabilities(self, eta: f64) -> (f64, f64) {
        match self {
            Link::Logistic => {
                let odds = libm::exp(-libm::fabs(eta));
                let (small, large) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
                if eta < 0.0 { (small, large) } else { (large, small) }
            }
            Link::Probit => (phi(eta), phi(-eta)),
            Link::ClippedLinear => ((0.5 + eta).clamp(0.0, 1.0), (0.5 - eta).clamp(0.0, 1.0)),
        }
    }

    /// The steepest slope in log-odds per unit of eta.
    const fn steepness(self) -> f64 {
        match self {
            Link::Logistic => 1.0,
            Link::Probit => 1.7,
            Link::ClippedLinear => 4.0,
        }
    }
}

/// A judge that compares two answers. Coefficients are in log-odds under the logistic link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Pairwise {
    /// Log-odds per unit of true difference.
    pub ability: LogOdds,
    /// Log-odds for whoever is shown first.
    pub position: LogOdds,
    /// Standard deviation of `position` from one replicate to the next, in log-odds: each study meets another judge of many
    /// (a prompt, a release), and all of its verdicts share how far that one leans.
    pub position_sd: NonNegative,
    /// Log-odds per doubling of length.
    pub length: LogOdds,
    /// Log-odds for the judge's own answer; needs `own`.
    #[serde(rename = "self")]
    pub self_preference: LogOdds,
    /// Log-odds for an answer of the judge's family; needs `own-family`.
    pub family: LogOdds,
    /// The system that is the judge's own.
    pub own: Option<String>,
    /// The family that is the judge's own.
    pub own_family: Option<String>,
    /// Standard deviation of the judge's own opinion of a pair, in log-odds; the opinion turns with the order.
    pub taste: NonNegative,
    /// Whether the opinion of a pair is drawn once or anew in each replicate; by default as the world is.
    pub taste_drawn: Option<Drawn>,
    /// The name of an opinion: judges that give the same name share their opinion of each pair, and err together.
    pub opinion: Option<String>,
    /// The link; logistic by default.
    pub link: Link,
    /// Davidson's nu: 0 for a forced choice, 1 for a tie as likely as either side between equals.
    pub ties: NonNegative,
    /// The probability of a reply that is no verdict.
    pub invalid: Probability,
}

impl Default for Pairwise {
    fn default() -> Self {
        Self {
            ability: LogOdds::ZERO,
            position: LogOdds::ZERO,
            position_sd: NonNegative::ZERO,
            length: LogOdds::ZERO,
            self_preference: LogOdds::ZERO,
            family: LogOdds::ZERO,
            own: None,
            own_family: None,
            taste: NonNegative::ZERO,
            taste_drawn: None,
            opinion: None,
            link: Link::Logistic,
            ties: NonNegative::ZERO,
            invalid: Probability::ZERO,
        }
    }
}

impl Pairwise {
    fn eta(&self, shown: &Shown<'_>) -> f64 {
        let mut eta = self.ability.get() * shown.gap()
            + self.taste.get() * shown.taste()
            + self.position.get()
            + self.position_sd.get() * shown.lean()
            + self.length.get() * shown.length();
        // Names are compared only where something hangs on them: this runs once a decision where quality is continuous.
        if self.self_preference != LogOdds::ZERO {
            let own = shown.contrast(|it| self.own.as_deref() == Some(&*it.system));
            eta += self.self_preference.get() * own;
        }
        if self.family != LogOdds::ZERO {
            let family = shown.contrast(|it| self.own_family.as_deref() == Some(&*it.family));
            eta += self.family.get() * family;
        }
        eta
    }
}

impl Judge for Pairwise {
    fn chances(&self, shown: &Shown<'_>) -> Chances {
        let eta = self.eta(shown);
        let (p, q) = self.link.probabilities(eta);
        let nu = self.ties.get();
        let invalid = self.invalid.get();
        if nu == 0.0 {
            return Chances {
                first: p * (1.0 - invalid),
                tie: 0.0,
                second: q * (1.0 - invalid),
                invalid,
            };
        }
        let tie = nu * libm::sqrt(p * q);
        let valid = (1.0 - invalid) / (p + tie + q);
        Chances { first: p * valid, tie: tie * valid, second: q * valid, invalid }
    }

    fn fair(&self, without: Without) -> Option<Box<dyn Judge>> {
        let mut fair =
            Self { position: LogOdds::ZERO, position_sd: NonNegative::ZERO, ..self.clone() };
        if without == Without::Bias {
            (fair.length, fair.self_preference, fair.family) =
                (LogOdds::ZERO, LogOdds::ZERO, LogOdds::ZERO);
        }
        Some(Box::new(fair))
    }

    fn rates(&self) -> Rates {
        let steep = self.link.steepness();
        Rates {
            gap: steep * self.ability.get(),
            length: steep * self.length.get(),
            taste: steep * self.taste.get(),
            lean: steep * self.position_sd.get(),
            pooled: true,
        }
    }

    fn alphabet(&self) -> Alphabet {
        Alphabet { ties: 0.0 < self.ties.get(), invalid: 0.0 < self.invalid.get() }
    }

    fn contrasts(&self, shown: &Shown<'_>) -> Option<Contrasts> {
        Some(Contrasts {
            length: shown.length(),
            own: shown.contrast(|it| self.own.as_deref() == Some(&*it.system)),
            family: shown.contrast(|it| self.own_family.as_deref() == Some(&*it.family)),
        })
    }

    fn turns(&self, pair: &Pair<'_>, along: Along) -> Turns {
        let (rate, at) = match along {
            Along::Gap => (self.ability.get(), pair.gap),
            Along::Length => (self.length.get(), pair.length),
            Along::Taste => (self.taste.get(), pair.mood.taste),
        };
        if rate == 0.0 {
            return Turns::default();
        }
        // In the two orders eta is t + position and -t + position, where t turns with the order and is linear in each contrast.
        let position = self.position.get() + self.position_sd.get() * pair.mood.lean;
        let t = self.eta(&pair.shown(Order::Ab)) - position;
        let where_t_is = |wanted: f64| at + (wanted - t) / rate;
        let mut bends = Vec::new();
        if self.link == Link::ClippedLinear {
            let edges = [0.5 - position, -0.5 - position, position - 0.5, position + 0.5];
            // Davidson's tie is a root at the edges: panels that shrink towards them.
            let near: &[f64] =
                if self.ties.get() == 0.0 { &[0.0] } else { &[-0.03, -1e-3, 0.0, 1e-3, 0.03] };
            bends.extend(
                edges.iter().flat_map(|edge| near.iter().map(move |by| where_t_is(edge + by))),
            );
        }
        Turns { bends, centres: [position, -position].map(where_t_is).to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Answer, Marks, Mood};

    fn odds(x: f64) -> LogOdds {
        LogOdds::new(x).unwrap()
    }

    fn answers() -> [Answer; 2] {
        ["a", "b"].map(|name| Answer { system: name.into(), family: format!("{name}s").into() })
    }

    fn pair(answers: &[Answer; 2], gap: f64, length: f64) -> Pair<'_> {
        Pair {
            gap,
            length,
            answers,
            mood: Mood { taste: 0.4, lean: 0.5 },
            passes: [false; 2],
            marks: Marks::default(),
        }
    }

    #[test]
    fn every_term_enters_with_its_sign() {
        let judge = Pairwise {
            ability: odds(2.5),
            position: odds(0.3),
            position_sd: NonNegative::new(0.6).unwrap(),
            length: odds(0.2),
            self_preference: odds(0.7),
            family: odds(-0.4),
            own: Some("a".into()),
            own_family: Some("bs".into()),
            taste: NonNegative::new(0.5).unwrap(),
            ..Pairwise::default()
        };
        let answers = answers();
        let pair = pair(&answers, 1.0, 2.0);
        let turned = 2.5 + 0.2 * 2.0 + 0.7 + 0.4 + 0.5 * 0.4;
        assert!((judge.eta(&pair.shown(Order::Ab)) - (turned + 0.3 + 0.6 * 0.5)).abs() < 1e-15);
        assert!((judge.eta(&pair.shown(Order::Ba)) - (-turned + 0.3 + 0.6 * 0.5)).abs() < 1e-15);
    }

    /// Davidson's model on the logistic scale, and FF/SS = e^(2 beta) with ties too.
    #[test]
    fn davidson_ties() {
        let (position, nu) = (0.4, 0.8);
        let judge = Pairwise {
            ability: odds(1.0),
            position: odds(position),
            ties: NonNegative::new(nu).unwrap(),
            ..Pairwise::default()
        };
        let answers = answers();
        let pair = pair(&answers, 0.9, 0.0);
        let [ab, ba] = Order::BOTH.map(|order| judge.chances(&pair.shown(order)));
        let eta = 0.9 + position;
        let sum = libm::exp(eta / 2.0) + nu + libm::exp(-eta / 2.0);
        assert!((ab.first - libm::exp(eta / 2.0) / sum).abs() < 1e-15);
        assert!((ab.tie - nu / sum).abs() < 1e-15);
        let ratio = ab.first * ba.first / (ab.second * ba.second);
        assert!((0.5 * libm::log(ratio) - position).abs() < 1e-14);
    }

    #[test]
    fn links_and_invalid_replies() {
        assert!((Link::Probit.probabilities(1.0).0 - 0.841_344_746_068_542_9).abs() < 1e-15);
        assert_eq!(Link::ClippedLinear.probabilities(0.75), (1.0, 0.0));
        let judge = Pairwise {
            position: odds(0.1),
            link: Link::ClippedLinear,
            invalid: Probability::new(0.2).unwrap(),
            ..Pairwise::default()
        };
        let it = judge.chances(&pair(&answers(), 0.0, 0.0).shown(Order::Ab));
        assert!((it.first - 0.48).abs() < 1e-15 && it.invalid == 0.2);
    }

    #[test]
    fn a_fair_judge_keeps_ability_and_loses_bias() {
        let judge = Pairwise {
            ability: odds(2.0),
            position: odds(1.0),
            length: odds(0.5),
            ..Pairwise::default()
        };
        let answers = answers();
        let shown = pair(&answers, 1.0, 1.0).shown(Order::Ab);
        let p = |judge: &dyn Judge| judge.chances(&shown).first;
        assert!(
            (p(&*judge.fair(Without::Bias).unwrap()) - 1.0 / (1.0 + libm::exp(-2.0))).abs() < 1e-15
        );
        assert!(
            (p(&*judge.fair(Without::Position).unwrap()) - 1.0 / (1.0 + libm::exp(-2.5))).abs()
                < 1e-15
        );
    }
}
