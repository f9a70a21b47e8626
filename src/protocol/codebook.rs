//! A codebook: the answers to one pair as a small integer, so that what a pair adds to a rule's sums is one look-up.
//!
//! Every verdict adds its weight to the code; the sum of the weights says how many verdicts of each sort each order of
//! each judge drew. Repeats commute, so their order is not kept.

use std::cmp::Ordering;

use super::Protocol;
use crate::evidence::{Answers, Asked, Gold, Item, Order, Reading, Sums, Verdict, Votes};
use crate::judges::{Alphabet, Chances};
use crate::world::State;

/// The most codes that a codebook may hold.
pub const MOST_CODES: u64 = 1 << 20;

/// The digits of one judge's answers in one order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    alphabet: Alphabet,
    stride: u32,
    size: u32,
}

/// The length of A's answer against B's, by digit.
const LENGTHS: [Ordering; 3] = [Ordering::Equal, Ordering::Greater, Ordering::Less];

/// What a code tells of a case besides its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Its gold label.
    pub gold: bool,
    /// Some cases have no label.
    pub unlabelled: bool,
    /// How many strata are told apart; 1 where none are.
    pub strata: usize,
    /// Which answer is longer.
    pub lengths: bool,
}

/// What a code stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// By judge.
    pub answers: Vec<Answers>,
    /// The gold label, where codes carry it and there is one.
    pub gold: Option<Gold>,
    /// The stratum; 0 where codes do not carry it.
    pub stratum: u8,
    /// The length of A's answer against B's; equal where codes do not carry it.
    pub length: Ordering,
}

/// Codes for the answers of the judges of a pair, its gold label and its stratum.
#[derive(Clone, Debug, PartialEq)]
pub struct Codebook {
    protocol: Protocol,
    /// By judge, then by order. Under a random order both orders share a place, and a digit says which was shown.
    places: Vec<[Option<Place>; 2]>,
    order_stride: u32,
    gold_stride: u32,
    stratum_stride: u32,
    length_stride: u32,
    size: u32,
    /// By stratum: the share of the population that it is, in units of 1e-9.
    shares: Vec<u32>,
}

impl Codebook {
    /// A codebook for judges with these alphabets.
    ///
    /// # Errors
    /// The number of codes, if it is above [`MOST_CODES`].
    pub fn new(protocol: Protocol, judges: &[Alphabet], marked: Marked) -> Result<Self, u64> {
        let mut size: u64 = 1;
        let mut places = Vec::new();
        for alphabet in judges {
            let base = u64::from(protocol.repeats) + 1;
            let here = base.pow(1 + u32::from(alphabet.ties) + u32::from(alphabet.invalid));
            let mut orders = [None; 2];
            for order in protocol.orders() {
                if protocol.asked == Asked::Random && *order == Order::Ba {
                    orders[1] = orders[0];
                    continue;
                }
                let place = Place { alphabet: *alphabet, stride: small(size), size: small(here) };
                orders[*order as usize] = Some(place);
                size = size.saturating_mul(here);
                if MOST_CODES < size {
                    return Err(size);
                }
            }
            places.push(orders);
        }
        let order_stride = small(size);
        size *= if protocol.asked == Asked::Random { 2 } else { 1 };
        let gold_stride = small(size);
        let labels = Gold::ALL.len() as u64 + u64::from(marked.unlabelled);
        size *= if marked.gold { labels } else { 1 };
        let stratum_stride = small(size);
        size = size.saturating_mul(marked.strata as u64);
        let length_stride = small(size);
        size = size.saturating_mul(if marked.lengths { LENGTHS.len() as u64 } else { 1 });
        if MOST_CODES < size {
            return Err(size);
        }
        let size = small(size);
        let shares = Vec::new();
        Ok(Self {
            protocol,
            places,
            order_stride,
            gold_stride,
            stratum_stride,
            length_stride,
            size,
            shares,
        })
    }

    /// The same codebook with the shares of the population that strata are, in units of 1e-9.
    #[must_use]
    pub fn with_shares(self, shares: Vec<u32>) -> Self {
        Self { shares, ..self }
    }

    /// How many codes there are.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    const fn has_gold(&self) -> bool {
        self.gold_stride < self.stratum_stride
    }

    /// Whether codes carry a gold label, a stratum or which answer is longer.
    #[must_use]
    pub const fn has_marks(&self) -> bool {
        self.gold_stride < self.size
    }

    /// What a case's label, stratum and lengths add to the code; nothing where no rule looks at them.
    #[must_use]
    pub fn mark(&self, state: &State) -> u32 {
        // No label is one more digit, after those of the labels.
        let label = if state.marks.labelled { state.label() as u32 } else { 1 + Gold::Both as u32 };
        let gold = if self.has_gold() { self.gold_stride * label } else { 0 };
        let apart = self.stratum_stride < self.length_stride;
        let stratum = if apart { self.stratum_stride * u32::from(state.marks.stratum) } else { 0 };
        let longer = u32::from(0.0 < state.length) + 2 * u32::from(state.length < 0.0);
        let length = if self.length_stride < self.size { self.length_stride * longer } else { 0 };
        gold + stratum + length
    }

    /// What the order shown adds to the code; nothing where it is not random.
    #[must_use]
    pub const fn order(&self, order: Order) -> u32 {
        if self.order_stride < self.gold_stride { self.order_stride * order as u32 } else { 0 }
    }

    /// What each verdict of a judge in an order adds to the code, in the order of [`Verdict`].
    #[must_use]
    pub fn weights(&self, judge: usize, order: Order) -> [u32; 4] {
        let Some(place) = self.places[judge][order as usize] else { return [0; 4] };
        let base = u32::from(self.protocol.repeats) + 1;
        let tie = if place.alphabet.ties { base } else { 0 };
        let invalid = match (place.alphabet.ties, place.alphabet.invalid) {
            (true, true) => base * base,
            (false, true) => base,
            (_, false) => 0,
        };
        [1, tie, 0, invalid].map(|digit| digit * place.stride)
    }

    /// What a code stands for; none for a code that no answers have.
    #[must_use]
    pub fn answers(&self, code: u32) -> Option<Decoded> {
        let random = self.order_stride < self.gold_stride;
        let shown = random.then(|| Order::BOTH[(code / self.order_stride % 2) as usize]);
        let mut all = Vec::with_capacity(self.places.len());
        for orders in &self.places {
            let mut answers = Answers::default();
            for (order, place) in Order::BOTH.into_iter().zip(orders) {
                let Some(place) = place.filter(|_| shown.is_none_or(|shown| shown == order)) else {
                    continue;
                };
                let votes = self.votes(place, code / place.stride % place.size)?;
                match order {
                    Order::Ab => answers.ab = votes,
                    Order::Ba => answers.ba = votes,
                }
            }
            all.push(answers);
        }
        let label = (code % self.stratum_stride / self.gold_stride) as usize;
        let gold = if self.has_gold() { Gold::ALL.get(label).copied() } else { None };
        let stratum = code % self.length_stride / self.stratum_stride;
        let stratum = u8::try_from(stratum).unwrap_or(0);
        let length = LENGTHS[(code / self.length_stride) as usize % LENGTHS.len()];
        Some(Decoded { answers: all, gold, stratum, length })
    }

    /// Votes of a place's digits.
    fn votes(&self, place: Place, digits: u32) -> Option<Votes> {
        let base = u32::from(self.protocol.repeats) + 1;
        let first = digits % base;
        let mut rest = digits / base;
        let mut tie = 0;
        if place.alphabet.ties {
            tie = rest % base;
            rest /= base;
        }
        let second = u32::from(self.protocol.repeats).checked_sub(first + tie + rest)?;
        let byte = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        Some(Votes {
            first: byte(first),
            tie: byte(tie),
            second: byte(second),
            invalid: byte(rest),
        })
    }

    /// What a pair of each code adds to a rule's sums.
    #[must_use]
    pub fn steps(&self, reading: &Reading) -> Vec<Sums> {
        (0..self.size).map(|code| self.item_step(reading, code)).collect()
    }

    fn item_step(&self, reading: &Reading, code: u32) -> Sums {
        let Some(mut it) = self.answers(code) else { return Sums::default() };
        for answers in &mut it.answers {
            *answers = self.protocol.combined(*answers);
        }
        let Decoded { answers, gold, stratum, length } = it;
        let share = self.shares.get(usize::from(stratum)).copied().unwrap_or(0);
        (reading.step)(&Item { answers: &answers, gold, stratum, length, share })
    }

    /// What is shown together: the orders, what they add to the code, and the probability.
    #[must_use]
    pub fn presentations(&self) -> Vec<(&'static [Order], u32, f64)> {
        if self.protocol.asked == Asked::Random {
            let one =
                |order: &'static Order| (std::slice::from_ref(order), self.order(*order), 0.5);
            return Order::BOTH.each_ref().map(one).to_vec();
        }
        vec![(self.protocol.orders(), 0, 1.0)]
    }

    /// Calls `each` with every code that judges with these chances (by judge, then by order) can give, and its
    /// probability; `mark` is what label and stratum add. The verdicts of a pair are independent, given what is shown.
    pub fn law(&self, chances: &[[Chances; 2]], mark: u32, each: &mut impl FnMut(u32, f64)) {
        let chances: Vec<_> = chances.iter().copied().enumerate().collect();
        for (orders, shown, p) in self.presentations() {
            self.product(&chances, orders, mark + shown, p, each);
        }
    }

    /// As [`Codebook::law`], for some of the judges in some orders; codes and probabilities start from `code` and `p`.
    pub fn product(
        &self,
        chances: &[(usize, [Chances; 2])],
        orders: &[Order],
        code: u32,
        p: f64,
        each: &mut impl FnMut(u32, f64),
    ) {
        let parts = chances.iter().flat_map(|(judge, it)| {
            orders.iter().map(move |order| self.part(*judge, *order, it[*order as usize]))
        });
        product(&parts.collect::<Vec<_>>(), code, p, each);
    }

    /// The law of one judge's votes in one order: a multinomial over repeats.
    fn part(&self, judge: usize, order: Order, chances: Chances) -> Vec<(u32, f64)> {
        let weights = self.weights(judge, order);
        let each = [
            (weights[Verdict::First as usize], chances.first),
            (weights[Verdict::Tie as usize], chances.tie),
            (weights[Verdict::Second as usize], chances.second),
            (weights[Verdict::Invalid as usize], chances.invalid),
        ];
        let mut law = vec![(0, 1.0)];
        for _ in 0..self.protocol.repeats {
            let mut next: Vec<(u32, f64)> = Vec::with_capacity(law.len() * 4);
            for (code, p) in &law {
                next.extend(
                    each.iter().filter(|it| 0.0 < it.1).map(|(add, q)| (code + add, p * q)),
                );
            }
            next.sort_by_key(|it| it.0);
            next.dedup_by(|b, a| {
                a.0 == b.0 && {
                    a.1 += b.1;
                    true
                }
            });
            law = next;
        }
        law
    }
}

/// The law of a sum of independent parts, from `code` and `p` on.
pub(super) fn product(
    parts: &[Vec<(u32, f64)>],
    code: u32,
    p: f64,
    each: &mut impl FnMut(u32, f64),
) {
    match parts {
        [] => each(code, p),
        [first, rest @ ..] => {
            for (add, q) in first {
                product(rest, code + add, p * q, each);
            }
        }
    }
}

/// Sizes are held below [`MOST_CODES`].
fn small(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Combine;
    use crate::world::Marks;

    fn protocol(asked: Asked, repeats: u8) -> Protocol {
        Protocol { asked, repeats, combine: Combine::Each }
    }

    const ALL: Alphabet = Alphabet { ties: true, invalid: true };
    const PLAIN: Marked = Marked { gold: false, unlabelled: false, strata: 1, lengths: false };
    const MARKED: Marked = Marked { gold: true, unlabelled: true, strata: 3, lengths: true };

    /// Codes are sums of weights: adding verdicts one by one and decoding gives the same votes back.
    #[test]
    fn codes_are_read_back() {
        let verdicts = [Verdict::First, Verdict::Tie, Verdict::Second, Verdict::Invalid];
        for (asked, repeats) in
            [(Asked::Both, 1), (Asked::Both, 3), (Asked::One, 2), (Asked::Random, 2)]
        {
            let book = Codebook::new(protocol(asked, repeats), &[ALL], MARKED).unwrap();
            for seed in 0..2000_usize {
                let mut answers = Answers::default();
                let mut digits = seed;
                let shown = Order::BOTH[seed % 2];
                let marks = Marks { stratum: 2, labelled: seed % 3 != 0, ..Marks::default() };
                let at = seed % 3;
                let length = [0.0, 0.5, -0.5][at];
                let state = State { gap: -1.0, gold: Gold::B, length, marks };
                let mut code = book.mark(&state) + book.order(shown);
                for order in protocol(asked, repeats).orders() {
                    if asked == Asked::Random && *order != shown {
                        continue;
                    }
                    for _ in 0..repeats {
                        digits /= 3;
                        let verdict = verdicts[(digits ^ seed >> 3) % 4];
                        answers = answers.plus(*order, verdict);
                        code += book.weights(0, *order)[verdict as usize];
                    }
                }
                let gold = marks.labelled.then_some(Gold::B);
                let want =
                    Decoded { answers: vec![answers], gold, stratum: 2, length: LENGTHS[at] };
                assert_eq!(book.answers(code), Some(want), "{asked:?}");
            }
        }
    }

    #[test]
    fn laws_sum_to_one_over_possible_codes() {
        let chances = Chances { first: 0.5, tie: 0.2, second: 0.2, invalid: 0.1 };
        for (asked, repeats) in [(Asked::Both, 2), (Asked::Random, 3), (Asked::Other, 1)] {
            let book = Codebook::new(protocol(asked, repeats), &[ALL], PLAIN).unwrap();
            let mut sum = 0.0;
            book.law(&[[chances; 2]], 0, &mut |code, p| {
                assert!(book.answers(code).is_some());
                sum += p;
            });
            assert!((sum - 1.0_f64).abs() < 1e-14);
        }
    }

    #[test]
    fn too_many_codes_are_refused() {
        assert!(Codebook::new(protocol(Asked::Both, 30), &[ALL], PLAIN).is_err());
        let forced = Alphabet { ties: false, invalid: false };
        let labelled = Marked { gold: true, ..PLAIN };
        assert!(Codebook::new(protocol(Asked::Both, 255), &[forced], labelled).is_ok());
    }
}
