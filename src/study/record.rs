//! The answers of one replicate themselves, one by one, as a file of verdicts holds them.
//!
//! The engine counts answers and forgets them; here each is drawn again at its address, one decision at a time.

use super::engine::verdict_key;
use crate::evidence::{Asked, Gold, Order, Verdict};
use crate::protocol::{Lean, Protocol, Seat, Task, Taste};
use crate::stream::{Address, Key, Purpose, Words, normal};
use crate::verdicts::{Ballot, NO_LENGTH, Names, Verdicts};
use crate::world::{Length, Mood, State, World};

/// The tasks of one cell, ready to hand over the answers of any replicate.
#[derive(Clone, Debug)]
pub struct Recorder<'a> {
    world: &'a World,
    protocol: Protocol,
    seats: Vec<&'a Seat>,
    /// By case.
    keys: Vec<Keys>,
    /// By seat.
    leans: Vec<Key>,
    /// Whether answers differ in length at all.
    lengths: bool,
    /// The names, without a row.
    names: Verdicts,
}

/// Where the draws of a case live.
#[derive(Clone, Debug)]
struct Keys {
    truth: Key,
    length: Key,
    which: Key,
    /// By seat.
    tastes: Vec<Key>,
    /// By seat, by order, by repeat.
    verdicts: Vec<[Vec<Key>; 2]>,
}

impl<'a> Recorder<'a> {
    /// A recorder of those tasks of a cell whose judges compare two answers; none where there are none.
    #[must_use]
    pub fn new(tasks: impl IntoIterator<Item = &'a Task>, seed: u64) -> Option<Self> {
        let compares = |it: &&Task| it.sheet.is_none() && it.design.protocol.asked != Asked::Each;
        let designs: Vec<_> = tasks.into_iter().filter(compares).map(|task| &task.design).collect();
        let first = designs.first()?;
        let (world, protocol) = (&*first.world, first.protocol);
        let mut seats: Vec<&Seat> = Vec::new();
        for seat in designs.iter().flat_map(|it| &it.seats) {
            if seats.iter().all(|other| other.name != seat.name) {
                seats.push(seat);
            }
        }
        let keys = world.cases.iter().map(|case| {
            let gap = world.kinds[case.kind].gap.purpose();
            keys(seed, &case.id, gap, &seats, protocol.repeats)
        });
        let keys = keys.collect();
        let lengths = world.kinds.iter().any(|it| it.length != Length::Fixed(0.0));
        let names = names(world, &seats, protocol);
        let leans = seats.iter().map(|it| Lean::key(seed, &it.name)).collect();
        Some(Self { world, protocol, seats, keys, leans, lengths, names })
    }

    /// What the judges said in a replicate. Lengths stand for their ratio: the shorter answer is [`SHORTER`] long.
    #[must_use]
    pub fn replicate(&self, replicate: u64) -> Verdicts {
        let word = |key: &Key| {
            let mut word = [0];
            Words::Keyed.fill(key, replicate, &mut word);
            word[0]
        };
        let mut out = self.names.clone();
        for (place, keys) in self.keys.iter().enumerate() {
            let kind = &self.world.kinds[self.world.cases[place].kind];
            let truth = kind.gap.drawn(word(&keys.truth));
            let state = State::new(truth, kind.length.drawn(word(&keys.length)), kind.marks);
            let shown_first = if word(&keys.which) < 1 << 31 { Order::Ab } else { Order::Ba };
            for (judge, seat) in self.seats.iter().enumerate() {
                let taste = match &seat.taste {
                    Taste::None => 0.0,
                    Taste::Anew => normal(word(&keys.tastes[judge])),
                    Taste::Once(tastes) => tastes[place],
                };
                let lean = match seat.lean {
                    Lean::Anew => normal(word(&self.leans[judge])),
                    Lean::At(lean) => lean,
                };
                let pair = self.world.pair(&state, Mood { taste, lean });
                for order in self.protocol.orders() {
                    if self.protocol.asked == Asked::Random && *order != shown_first {
                        continue;
                    }
                    let law = seat.judge.chances(&pair.shown(*order)).thresholds();
                    let asked = keys.verdicts[judge][*order as usize].iter().enumerate();
                    for (repeat, key) in asked {
                        let verdict = law.verdict(word(key));
                        out.ballots.push(self.ballot(
                            (place, judge, repeat, out.ballots.len()),
                            *order,
                            &state,
                            verdict,
                        ));
                    }
                }
            }
        }
        out
    }

    fn ballot(
        &self,
        (case, judge, repeat, row): (usize, usize, usize, usize),
        order: Order,
        state: &State,
        verdict: Verdict,
    ) -> Ballot {
        let [a, b] = if self.lengths { lengths(state.length) } else { [NO_LENGTH; 2] };
        let (gold, turned) = (gold(state), order == Order::Ba);
        let of = |straight: [u32; 2]| if turned { [straight[1], straight[0]] } else { straight };
        let ([first, second], [length_first, length_second]) = (of([0, 1]), of([a, b]));
        let strata = usize::from(!self.world.strata.is_empty());
        Ballot {
            line: small(row + 2),
            item: small(case),
            first,
            second,
            judge: small(judge),
            stratum: small(strata * (1 + usize::from(state.marks.stratum))),
            repeat: if 1 < self.protocol.repeats { small(repeat + 1) } else { 0 },
            length_first,
            length_second,
            verdict,
            gold: match gold {
                Verdict::First if turned => Verdict::Second,
                Verdict::Second if turned => Verdict::First,
                same => same,
            },
        }
    }
}

fn keys(seed: u64, case: &str, gap: Purpose, seats: &[&Seat], repeats: u8) -> Keys {
    let of = |purpose| Address::root(seed, purpose).at("case", case).key();
    let asks = |seat: &&Seat| {
        Order::BOTH.map(|order| {
            (0..repeats).map(|repeat| verdict_key(seed, &seat.name, case, order, repeat)).collect()
        })
    };
    Keys {
        truth: of(gap),
        length: of(Purpose::Length),
        which: of(Purpose::WhichOrder),
        tastes: seats.iter().map(|it| it.opinion.key(seed, case)).collect(),
        verdicts: seats.iter().map(asks).collect(),
    }
}

fn names(world: &World, seats: &[&Seat], protocol: Protocol) -> Verdicts {
    let mut names = Verdicts::default();
    let place = |names: &mut Names, name: &str| {
        names.place(name);
    };
    world.cases.iter().for_each(|it| place(&mut names.items, &it.id));
    world.systems.iter().for_each(|it| place(&mut names.systems, &it.system));
    for it in seats {
        place(&mut names.judges, &it.name);
    }
    place(&mut names.strata, "");
    world.strata.iter().for_each(|it| place(&mut names.strata, &it.name));
    place(&mut names.repeats, "");
    if 1 < protocol.repeats {
        (1..=protocol.repeats).for_each(|it| place(&mut names.repeats, &it.to_string()));
    }
    names
}

/// What the label says of A first; no verdict where none was bought.
fn gold(state: &State) -> Verdict {
    if !state.marks.labelled {
        return Verdict::Invalid;
    }
    match state.label().compared() {
        Gold::A => Verdict::First,
        Gold::B => Verdict::Second,
        Gold::Tie | Gold::Both => Verdict::Tie,
    }
}

/// The length of the shorter answer, of which a world knows the ratio alone: long enough that rounding is lost in the noise.
pub const SHORTER: u32 = 10_000;

/// Whole lengths of A's and B's answer with this log2 ratio; answers that differ stay different.
fn lengths(doublings: f64) -> [u32; 2] {
    let ratio = libm::fabs(doublings).min(30.0);
    // What would not fit is taken from the shorter one.
    let shorter =
        libm::round(f64::from(SHORTER) * libm::exp2(-(ratio - 17.0).clamp(0.0, 13.0))).max(1.0);
    let longer = libm::round(shorter * libm::exp2(ratio));
    let longer = if ratio == 0.0 { shorter } else { longer.max(shorter + 1.0) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 2^31")]
    let [shorter, longer] = [shorter, longer].map(|it| it as u32);
    if doublings < 0.0 { [shorter, longer] } else { [longer, shorter] }
}

/// Cases and verdicts of a cell are held far below 2^32.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_keep_their_ratio() {
        assert_eq!(lengths(0.0), [SHORTER; 2]);
        assert_eq!(lengths(1.0), [2 * SHORTER, SHORTER]);
        assert_eq!(lengths(-3.0), [SHORTER, 8 * SHORTER]);
        assert_eq!(lengths(1e-9), [SHORTER + 1, SHORTER]);
        for doublings in [0.3, -2.7, 16.9, -22.4, 29.0, 400.0] {
            let [a, b] = lengths(doublings).map(f64::from);
            let told = libm::log2(a / b);
            assert!((told - doublings.clamp(-30.0, 30.0)).abs() < 0.2, "{doublings}: {told}");
            assert!(20.0 < doublings.abs() || (told - doublings).abs() < 1e-4, "{doublings}");
        }
    }
}
