//! The true difference between the two answers of a case, which of them is right, and whether its label has gone stale.

use super::nodes::{self, Node};
use crate::evidence::Gold;
use crate::stats::special::{normal_quantile, phi};
use crate::stream::{Purpose, WORDS, normal, threshold};

/// Latent quality, normal for each answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Mean difference, A minus B.
    pub mean: f64,
    /// Standard deviation of the difference: sqrt 2 times that of one answer.
    pub sd: f64,
    /// A pair whose difference is at most this is truly tied.
    pub margin: f64,
    /// The number of equiprobable values the difference may take; `None` for a continuous one.
    pub levels: Option<u32>,
}

/// The true difference of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Gap {
    /// The same in every replicate.
    Fixed {
        /// A minus B, in units of quality.
        gap: f64,
        /// Which is better.
        gold: Gold,
    },
    /// 1 with this probability, else -1, anew in each replicate.
    Sign(f64),
    /// Normal, anew in each replicate.
    Normal(Quality),
    /// Two graded answers. The difference is 1, 0 or -1.
    Graded {
        /// The probability of each truth of [`Gold::ALL`].
        law: [f64; 4],
        /// The share of the labels that have gone stale, whatever is true.
        stale: f64,
    },
}

/// What is true of a case, and whether its label still says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// The true difference, A minus B.
    pub gap: f64,
    /// Which is better, or which of two graded answers are right.
    pub gold: Gold,
    /// The reference that the label was made from no longer holds.
    pub stale: bool,
}

impl Truth {
    const fn fresh(gap: f64, gold: Gold) -> Self {
        Self { gap, gold, stale: false }
    }
}

impl Quality {
    /// The difference that a standard normal deviate stands for.
    #[must_use]
    pub fn at(&self, z: f64) -> f64 {
        self.mean + self.sd * z
    }

    /// The label of a difference.
    #[must_use]
    pub fn gold(&self, gap: f64) -> Gold {
        Gold::of(gap, self.margin)
    }

    /// The difference of a level: the quantile at its middle.
    #[must_use]
    pub fn level(&self, level: u32, of: u32) -> f64 {
        self.at(normal_quantile((f64::from(level) + 0.5) / f64::from(of)))
    }
}

/// One of so many levels, each as probable as the next.
fn equiprobable(word: u32, levels: u32) -> u32 {
    ((u64::from(word) * u64::from(levels)) >> 32) as u32
}

impl Gap {
    /// What its draws are for.
    #[must_use]
    pub const fn purpose(&self) -> Purpose {
        if matches!(self, Gap::Normal(_)) { Purpose::Quality } else { Purpose::Truth }
    }

    /// The words at which the levels of a graded pair end. One word draws truth and staleness: where some labels are stale
    /// each truth's words end with the stale ones, so a stale label moves no truth. Unused ends lie above every word.
    fn ends(law: &[f64; 4], stale: f64) -> [u64; 8] {
        let (mut sum, mut start, mut ends) = (0.0, 0, [threshold(1.0); 8]);
        for (k, p) in law.iter().enumerate() {
            sum += p;
            let end = if k == 3 { threshold(1.0) } else { threshold(sum) };
            if stale == 0.0 {
                ends[k] = end;
            } else {
                // Both are whole numbers below 2^33, so nothing is lost but the rounding to a word.
                let gone = libm::round(stale * (end - start) as f64);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "0 to 2^32"
                )]
                let gone = gone as u64;
                (ends[2 * k], ends[2 * k + 1]) = (end - gone, end);
            }
            start = end;
        }
        ends
    }

    /// The level of a word, given the ends.
    fn reached(ends: &[u64; 8], word: u32) -> u32 {
        ends[..7].iter().map(|end| u32::from(*end <= u64::from(word))).sum()
    }

    /// How many values it may take; `None` if continuous.
    #[must_use]
    pub fn levels(&self) -> Option<usize> {
        match self {
            Gap::Fixed { .. } => Some(1),
            Gap::Sign(_) => Some(2),
            Gap::Graded { stale, .. } => Some(if *stale == 0.0 { 4 } else { 8 }),
            Gap::Normal(quality) => quality.levels.map(|it| it as usize),
        }
    }

    /// The level that a word draws: truth is A's below its threshold, quality's levels are equiprobable.
    #[must_use]
    pub fn level(&self, word: u32) -> u32 {
        match self {
            Gap::Fixed { .. } => 0,
            Gap::Sign(p) => u32::from(u64::from(word) >= threshold(*p)),
            Gap::Graded { law, stale } => Self::reached(&Self::ends(law, *stale), word),
            Gap::Normal(quality) => equiprobable(word, quality.levels.unwrap_or(1)),
        }
    }

    /// The levels that words draw: as [`Gap::level`], with what the words share computed once.
    pub fn fill_levels(&self, words: &[u32], levels: &mut [u32]) {
        let each = levels.iter_mut().zip(words);
        match self {
            Gap::Sign(p) => {
                let end = threshold(*p);
                each.for_each(|(level, word)| *level = u32::from(end <= u64::from(*word)));
            }
            Gap::Graded { law, stale } => {
                let ends = Self::ends(law, *stale);
                each.for_each(|(level, word)| *level = Self::reached(&ends, *word));
            }
            Gap::Normal(Quality { levels: Some(of), .. }) => {
                each.for_each(|(level, word)| *level = equiprobable(*word, *of));
            }
            _ => each.for_each(|(level, word)| *level = self.level(*word)),
        }
    }

    /// What is true at a level.
    #[must_use]
    pub fn state(&self, level: u32) -> Truth {
        match self {
            Gap::Fixed { gap, gold } => Truth::fresh(*gap, *gold),
            Gap::Sign(_) if level == 0 => Truth::fresh(1.0, Gold::A),
            Gap::Sign(_) => Truth::fresh(-1.0, Gold::B),
            Gap::Graded { stale, .. } => {
                let two = u32::from(*stale != 0.0);
                let gold = Gold::ALL[(level >> two).min(3) as usize];
                let [a, b] = gold.passes().map(|pass| f64::from(u8::from(pass)));
                Truth { gap: a - b, gold, stale: level & two == 1 }
            }
            Gap::Normal(quality) => {
                let gap = quality.level(level, quality.levels.unwrap_or(1));
                Truth::fresh(gap, quality.gold(gap))
            }
        }
    }

    /// What is true where a word draws it.
    #[must_use]
    pub fn drawn(&self, word: u32) -> Truth {
        match self {
            Gap::Normal(quality) if quality.levels.is_none() => {
                let gap = quality.at(normal(word));
                Truth::fresh(gap, quality.gold(gap))
            }
            _ => self.state(self.level(word)),
        }
    }

    /// What may be true and its probability, for exact sums. `rate` is how many log-odds a unit of difference is
    /// worth; the integrand may bend at `bends` and passes one half at `centres`.
    #[must_use]
    pub fn nodes(&self, rate: f64, bends: &[f64], centres: &[f64]) -> Vec<Node<Truth>> {
        match self {
            Gap::Sign(p) => {
                // The probability that is simulated, which a threshold rounds to a multiple of 2^-32.
                let p = threshold(*p) as f64 / WORDS;
                vec![
                    Node { at: self.state(0), weight: p },
                    Node { at: self.state(1), weight: 1.0 - p },
                ]
            }
            Gap::Graded { law, stale } => {
                let mut start = 0;
                let ends = (0_u32..).zip(Self::ends(law, *stale));
                let node = |(level, end)| {
                    let weight = (end - std::mem::replace(&mut start, end)) as f64 / WORDS;
                    Node { at: self.state(level), weight }
                };
                ends.take(self.levels().unwrap_or(0)).map(node).collect()
            }
            Gap::Normal(quality) if quality.levels.is_none() => {
                let mut cuts = vec![-quality.margin, quality.margin];
                cuts.extend_from_slice(bends);
                nodes::normal(quality.mean, quality.sd, rate, &cuts, centres)
                    .into_iter()
                    .map(|it| Node {
                        at: Truth::fresh(it.at, quality.gold(it.at)),
                        weight: it.weight,
                    })
                    .collect()
            }
            _ => {
                let levels = self.levels().unwrap_or(1);
                let weight = 1.0 / levels as f64;
                (0..u32::try_from(levels).unwrap_or(u32::MAX))
                    .map(|level| Node { at: self.state(level), weight })
                    .collect()
            }
        }
    }

    /// The probability that A is truly better, a tie as one half.
    #[must_use]
    pub fn better_share(&self) -> f64 {
        match self {
            Gap::Normal(quality) if quality.levels.is_none() => {
                let above = phi((quality.mean - quality.margin) / quality.sd);
                let below = phi((-quality.margin - quality.mean) / quality.sd);
                0.5 + (above - below) / 2.0
            }
            _ => self
                .nodes(1.0, &[], &[])
                .iter()
                .map(|it| match it.at.gold {
                    Gold::A => it.weight,
                    Gold::Tie | Gold::Both => it.weight / 2.0,
                    Gold::B => 0.0,
                })
                .sum(),
        }
    }
}
