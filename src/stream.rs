//! Randomness with an address: address -> `BLAKE2b` -> `ChaCha8` key; a replicate is a position in the key's stream.
//!
//! A decision *is* its address (purpose, judge, case, order shown, repeat). The replicate is not hashed: replicate `r`
//! is word `r` of the decision's key stream. So adding a judge, a case, an estimator or more replicates moves no
//! existing draw, and any order of evaluation gives the same words. This is the only file that names a generator.

use std::collections::BTreeMap;

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::stats::special::normal_quantile;

/// Names how addresses become words. It changes when, and only when, simulated numbers change.
pub const VERSION: &str = "judgelab stream 1";

/// What a draw is for. Addresses open with it, so two purposes never share a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// What a judge says of a presentation.
    Verdict,
    /// Which system is truly better.
    Truth,
    /// The true difference in quality.
    Quality,
    /// The lengths of the answers.
    Length,
    /// A judge's own opinion of a pair, which turns with the order.
    Taste,
    /// Which order a single random order shows.
    WhichOrder,
    /// How far a judge leans to the answer shown first, beyond its position preference, in a whole study.
    Lean,
    /// How much a judge drifts in a session.
    Session,
    /// Which cases a bootstrap draws.
    Resample,
}

impl Purpose {
    const fn label(self) -> &'static str {
        match self {
            Purpose::Verdict => "verdict",
            Purpose::Truth => "truth",
            Purpose::Quality => "quality",
            Purpose::Length => "length",
            Purpose::Taste => "taste",
            Purpose::WhichOrder => "which-order",
            Purpose::Lean => "lean",
            Purpose::Session => "session",
            Purpose::Resample => "resample",
        }
    }
}

/// Where a draw lives.
#[derive(Clone, Debug)]
pub struct Address(Blake2b<U32>);

impl Address {
    /// The address of everything that is drawn for `purpose` under a seed.
    #[must_use]
    pub fn root(seed: u64, purpose: Purpose) -> Self {
        Self(Blake2b::new())
            .part(VERSION.as_bytes())
            .part(&seed.to_le_bytes())
            .at("purpose", purpose.label())
    }

    /// The address one step further down. Labels and values are length-prefixed, so `("ab", "c")` is not `("a", "bc")`.
    #[must_use]
    pub fn at(self, label: &str, value: &str) -> Self {
        self.part(label.as_bytes()).part(value.as_bytes())
    }

    /// The key of the stream that lives here.
    #[must_use]
    pub fn key(self) -> Key {
        Key(self.0.finalize().into())
    }

    fn part(mut self, bytes: &[u8]) -> Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }
}

/// The 256-bit `ChaCha8` key of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key([u8; 32]);

/// Where words come from.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// Each address's own stream.
    Keyed,
    /// Words read back from a recording, replicate by replicate: published tables to the digit. An address that was
    /// not recorded, or a replicate past its end, reads its own stream.
    Recorded(&'a BTreeMap<Key, Vec<u32>>),
}

impl Words<'_> {
    /// Fills a column with the words of consecutive replicates, `first` on.
    pub fn fill(&self, key: &Key, first: u64, column: &mut [u32]) {
        let mut stream = ChaCha8Rng::from_seed(key.0);
        stream.set_word_pos(u128::from(first));
        let mut bytes = [0_u8; 1024];
        for part in column.chunks_mut(bytes.len() / 4) {
            let bytes = &mut bytes[..4 * part.len()];
            stream.fill_bytes(bytes);
            for (word, bytes) in part.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*bytes);
            }
        }
        if let Words::Recorded(all) = self
            && let Some(words) = all.get(key)
        {
            let from = usize::try_from(first).unwrap_or(usize::MAX).min(words.len());
            for (word, recorded) in column.iter_mut().zip(&words[from..]) {
                *word = *recorded;
            }
        }
    }

    /// The word that is drawn once for all replicates: that of replicate 0.
    #[must_use]
    pub fn once(&self, key: &Key) -> u32 {
        let mut word = [0];
        self.fill(key, 0, &mut word);
        word[0]
    }
}

/// A generator for what needs several or an unknown number of words in a replicate: same key, `ChaCha` stream `1 + r`.
#[must_use]
pub fn generator(key: &Key, replicate: u64) -> impl Rng + use<> {
    let mut generator = ChaCha8Rng::from_seed(key.0);
    generator.set_stream(1 + replicate);
    generator
}

/// 2^32, the number of words.
pub const WORDS: f64 = 4_294_967_296.0;

/// The uniform of a word: (word + 1/2) / 2^32, so it lies strictly between 0 and 1.
#[must_use]
pub fn uniform(word: u32) -> f64 {
    (f64::from(word) + 0.5) / WORDS
}

/// The standard normal of a word, by the inverse CDF of its uniform: |z| <= 6.34, spaced 2^-32 in probability.
#[must_use]
pub fn normal(word: u32) -> f64 {
    normal_quantile(uniform(word))
}

/// The word of a recorded uniform: floor(u 2^32).
#[must_use]
pub fn recorded(uniform: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, as wished"
    )]
    let word = (uniform * WORDS) as u32;
    word
}

/// The threshold of an event of probability `p`: it happens when the word lies below. 0 never happens, 1 always.
#[must_use]
pub fn threshold(p: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "p lies in 0..=1")]
    let threshold = libm::rint(p.clamp(0.0, 1.0) * WORDS) as u64;
    threshold
}
