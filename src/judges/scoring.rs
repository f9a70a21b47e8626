//! The scoring judge: it gives one answer a whole score, such as 1 to 5.
//!
//! score = clip(round(base + slope * doublings + quality + drift + noise), low, high), where doublings count the answer's
//! words against the reference words, the drift is normal and shared by all answers of a session, and the noise is normal.
//! A rounded and clipped normal is an ordinal probit with thresholds half way between the scores.

use serde::{Deserialize, Serialize};

use super::Without;
use crate::quantity::{NonNegative, Points, Positive};
use crate::stats::special::phi;
use crate::stream::{WORDS, threshold};

/// The highest score that can be given.
pub const HIGHEST: u8 = 10;

/// A judge that gives scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scoring {
    /// The score that an answer of quality 0 and of the reference length is worth.
    pub base: Points,
    /// The standard deviation of the noise of one score.
    pub noise: Positive,
    /// Score points for a doubling of the words: a length bias.
    #[serde(default = "no_points")]
    pub slope: Points,
    /// The words of an answer whose length earns nothing.
    #[serde(default = "ten_words")]
    pub reference_words: Positive,
    /// The standard deviation of the drift that all scores of a session share.
    #[serde(default = "no_drift")]
    pub session: NonNegative,
    /// The lowest score.
    #[serde(default = "one")]
    pub low: u8,
    /// The highest score, at most 10.
    #[serde(default = "five")]
    pub high: u8,
}

const fn no_points() -> Points {
    Points::ZERO
}

const fn ten_words() -> Positive {
    Positive::TEN
}

const fn no_drift() -> NonNegative {
    NonNegative::ZERO
}

const fn one() -> u8 {
    1
}

const fn five() -> u8 {
    5
}

impl Scoring {
    /// What an answer is worth before drift, noise, rounding and clipping: its quality in score points, its length as log2 of
    /// its words where that is told.
    #[must_use]
    pub fn worth(&self, quality: f64, length: Option<f64>) -> f64 {
        let doublings =
            length.map_or(0.0, |length| length - libm::log2(self.reference_words.get()));
        self.base.get() + self.slope.get() * doublings + quality
    }

    /// The law of the score of an answer of this worth, in a session that drifted so far.
    #[must_use]
    pub fn law(&self, worth: f64, drift: f64) -> ScoreLaw {
        ScoreLaw::rounded(worth + drift, self.noise.get(), [self.low, self.high])
    }

    /// The law of the score of an answer of this worth over all sessions: noise and drift are one normal.
    #[must_use]
    pub fn marginal(&self, worth: f64) -> ScoreLaw {
        let sd = libm::hypot(self.noise.get(), self.session.get());
        ScoreLaw::rounded(worth, sd, [self.low, self.high])
    }

    /// The same judge without its length bias; drift and noise are its ability. No score has an order to prefer.
    #[must_use]
    pub fn fair(&self, without: Without) -> Self {
        match without {
            Without::Bias => Self { slope: Points::ZERO, ..self.clone() },
            Without::Position => self.clone(),
        }
    }
}

/// The law of one score: thresholds of one word. A higher word never gives a lower score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreLaw {
    low: u8,
    /// Where each score but the highest ends.
    ends: Vec<u64>,
}

impl ScoreLaw {
    /// A normal of this mean and standard deviation, rounded and clipped to the two ends.
    #[must_use]
    pub fn rounded(mean: f64, sd: f64, [low, high]: [u8; 2]) -> Self {
        let end = |score: u8| threshold(phi((f64::from(score) + 0.5 - mean) / sd));
        Self { low, ends: (low..high).map(end).collect() }
    }

    /// 1 with this probability, else 0.
    #[must_use]
    pub fn pass(p: f64) -> Self {
        Self { low: 0, ends: vec![threshold(1.0 - p)] }
    }

    /// The score that a word draws.
    #[must_use]
    pub fn score(&self, word: u32) -> u8 {
        let passed = self.ends.iter().map(|end| u8::from(*end <= u64::from(word)));
        self.low + passed.sum::<u8>()
    }

    /// The expected score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let above = self.ends.iter().map(|end| 1.0 - *end as f64 / WORDS);
        f64::from(self.low) + above.sum::<f64>()
    }

    /// The probabilities of the scores from 0 to the highest.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        let mut all = vec![0.0; usize::from(self.low)];
        let mut from = 0;
        for end in self.ends.iter().copied().chain([threshold(1.0)]) {
            all.push((end - from) as f64 / WORDS);
            from = end;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(base: f64, noise: f64, slope: f64) -> Scoring {
        Scoring {
            base: Points::new(base).unwrap(),
            noise: Positive::new(noise).unwrap(),
            slope: Points::new(slope).unwrap(),
            reference_words: Positive::TEN,
            session: NonNegative::new(0.6).unwrap(),
            low: 1,
            high: 5,
        }
    }

    fn close(law: &ScoreLaw, want: [f64; 6], mean: f64) {
        for (got, want) in law.probabilities().iter().zip(want) {
            assert!((got - want).abs() < 1e-8, "{got} is not {want}");
        }
        assert_eq!(law.probabilities().len(), 6);
        assert!((law.mean() - mean).abs() < 1e-8, "{}", law.mean());
    }

    /// Reference probabilities: differences of scipy.stats.norm.cdf.
    #[test]
    fn a_score_is_a_rounded_and_clipped_normal() {
        let long = judge(4.0, 0.5, 0.6);
        let worth = long.worth(0.0, Some(libm::log2(20.0)));
        assert!((worth - 4.6).abs() < 1e-12 && long.worth(0.25, None) == 4.25);
        let want =
            [0.0, 2.823_158e-10, 1.334_546_67e-5, 0.013_890_101_8, 0.406_836_843, 0.579_259_709];
        close(&long.law(worth, 0.0), want, 4.565_342_915_894);
        // A drift moves the worth, and over all sessions it is noise.
        close(&long.law(4.0, 0.6), want, 4.565_342_915_894);
        let want = [0.0, 0.019_659_18, 0.144_826_7, 0.378_700_78, 0.340_401_65, 0.116_411_68];
        close(&judge(3.4, 0.7, 0.0).marginal(3.4), want, 3.389_079_934_631);
    }

    #[test]
    fn words_are_read_from_the_lowest_score_up() {
        let law = judge(3.0, 1.0, 0.0).law(3.0, 0.0);
        let words: Vec<u32> = (0..=1000).map(|k| k * (u32::MAX / 1000)).collect();
        let scores: Vec<usize> = words.iter().map(|word| law.score(*word).into()).collect();
        assert!(scores.is_sorted() && scores[0] == 1 && scores[1000] == 5);
        for (score, p) in (0..).zip(law.probabilities()) {
            let share = scores.iter().filter(|it| **it == score).count() as f64 / 1001.0;
            assert!((share - p).abs() < 2e-3, "{score}: {share} is not {p}");
        }
        let pass = ScoreLaw::pass(0.7);
        assert_eq!([0, u32::MAX].map(|word| pass.score(word)), [0, 1]);
        assert!((pass.mean() - 0.7).abs() < 1e-9);
        assert_eq!(ScoreLaw::pass(1.0).score(0), 1);
        assert_eq!(ScoreLaw::pass(0.0).score(u32::MAX), 0);
    }
}
