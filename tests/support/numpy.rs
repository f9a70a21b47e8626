//! `NumPy`'s default generator, for published figures that were drawn with it: `SeedSequence` and PCG64 (XSL-RR; O'Neill
//! 2014), `random`, `integers` and `choice` by Lemire's method (2019) on buffered 32-bit halves, `normal` by the ziggurat
//! (Marsaglia & Tsang 2000). Draws are the same as `NumPy`'s to the bit, except that the ziggurat's tables are computed here
//! and differ from `NumPy`'s by at most 1.7e-14 of themselves.

use std::convert::Infallible;

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};
use rand::TryRng;

/// A generator.
pub struct Numpy {
    state: u128,
    increment: u128,
    /// The high half of a word whose low half was used; it survives calls that take whole words.
    spare: Option<u32>,
    ziggurat: Ziggurat,
}

/// The seed that a text stands for: its `BLAKE2b` digest of eight bytes, big-endian.
pub fn seed_of(key: &str) -> u64 {
    u64::from_be_bytes(Blake2b::<U8>::digest(key.as_bytes()).into())
}

impl Numpy {
    /// `default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let words = seed_sequence(seed);
        let wide = |k: usize| u128::from(words[k]) << 64 | u128::from(words[k + 1]);
        let increment = wide(2) << 1 | 1;
        let mut it = Self { state: 0, increment, spare: None, ziggurat: Ziggurat::new() };
        it.step();
        it.state = it.state.wrapping_add(wide(0));
        it.step();
        it
    }

    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    pub fn word(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn half(&mut self) -> u32 {
        self.spare.take().unwrap_or_else(|| {
            let word = self.word();
            self.spare = Some((word >> 32) as u32);
            word as u32
        })
    }

    /// `random()`.
    pub fn random(&mut self) -> f64 {
        (self.word() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// `integers(0, n)`.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 1 {
            return 0;
        }
        loop {
            let product = u64::from(self.half()) * u64::from(n);
            if n.wrapping_neg() % n <= product as u32 {
                return (product >> 32) as u32;
            }
        }
    }

    /// `standard_normal()`.
    pub fn normal(&mut self) -> f64 {
        loop {
            let word = self.word();
            let (layer, magnitude) = ((word & 255) as usize, word >> 9 & ((1 << 52) - 1));
            let signed = |x: f64| if word >> 8 & 1 == 1 { -x } else { x };
            let x = magnitude as f64 * self.ziggurat.width[layer];
            if magnitude < self.ziggurat.inside[layer] {
                return signed(x);
            }
            if layer == 0 {
                loop {
                    let over = -libm::log1p(-self.random()) / TAIL;
                    let under = -libm::log1p(-self.random());
                    if over * over < under + under {
                        // The sign of the tail is a bit of the magnitude.
                        return if magnitude >> 8 & 1 == 1 { -(TAIL + over) } else { TAIL + over };
                    }
                }
            }
            let (above, here) = (self.ziggurat.height[layer - 1], self.ziggurat.height[layer]);
            if (above - here) * self.random() + here < libm::exp(-0.5 * x * x) {
                return signed(x);
            }
        }
    }
}

/// Bootstraps of ours take 32-bit words as `integers` does.
impl TryRng for Numpy {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.half())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.word().to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

fn seed_sequence(seed: u64) -> [u64; 4] {
    let folded = |word: u32| word ^ word >> 16;
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |word: u32| {
        let word = word ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        folded(word.wrapping_mul(constant))
    };
    let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(&mut hash);
    for from in 0..4 {
        for to in (0..4).filter(|to| *to != from) {
            let (kept, mixed) = (pool[to].wrapping_mul(0xca01_f9dd), hash(pool[from]));
            pool[to] = folded(kept.wrapping_sub(mixed.wrapping_mul(0x4973_f715)));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut next = pool.into_iter().cycle().map(|word| {
        let word = word ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        u64::from(folded(word.wrapping_mul(constant)))
    });
    [(); 4].map(|()| next.next().unwrap() | next.next().unwrap() << 32)
}

/// Where the tail begins.
const TAIL: f64 = 3.654_152_885_361_009;

struct Ziggurat {
    inside: [u64; 256],
    width: [f64; 256],
    height: [f64; 256],
}

impl Ziggurat {
    fn new() -> Self {
        const SCALE: f64 = 4_503_599_627_370_496.0;
        let density = |x: f64| libm::exp(-0.5 * x * x);
        let mut it = Self { inside: [0; 256], width: [0.0; 256], height: [1.0; 256] };
        // Each of the 256 layers has the area of the base with its tail.
        let tail = libm::sqrt(std::f64::consts::FRAC_PI_2)
            * libm::erfc(TAIL * std::f64::consts::FRAC_1_SQRT_2);
        let area = TAIL * density(TAIL) + tail;
        let base = area / density(TAIL);
        (it.inside[0], it.width[0]) = ((TAIL / base * SCALE) as u64, base / SCALE);
        (it.width[255], it.height[255]) = (TAIL / SCALE, density(TAIL));
        let mut outer = TAIL;
        for layer in (1..255).rev() {
            let edge = libm::sqrt(-2.0 * libm::log(area / outer + density(outer)));
            it.inside[layer + 1] = (edge / outer * SCALE) as u64;
            (it.width[layer], it.height[layer]) = (edge / SCALE, density(edge));
            outer = edge;
        }
        it
    }
}
