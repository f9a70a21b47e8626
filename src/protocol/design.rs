//! A design: judges asked by a protocol about a world. It gives the law of one pair, and the sums to expect.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::codebook::{Marked, product};
use super::{Codebook, Lean, Opinion, Protocol, Seat, Taste};
use crate::estimators::Estimator;
use crate::evidence::{Gold, LANES, Order, Reading, Sums};
use crate::judges::{Along, Chances, Turns, Without};
use crate::world::{Kind, Length, Mood, Node, Pair, State, World, normal};

/// What judges who share an opinion may think of a pair: the probability of each opinion, and by judge its chances.
type Opinions = Vec<(f64, Vec<(usize, [Chances; 2])>)>;

/// Judges, a protocol and a world.
#[derive(Clone, Debug)]
pub struct Design {
    /// What the judges are asked about.
    pub world: Arc<World>,
    /// One judge; the own judge and the third party; or a panel.
    pub seats: Vec<Seat>,
    /// What they are asked.
    pub protocol: Protocol,
}

impl Design {
    /// The codebook of a pair's answers, with the labels, strata and lengths that these rules look at.
    ///
    /// # Errors
    /// The number of codes, if there are too many repeats for the verdicts that the judges can give.
    pub fn codebook(&self, estimators: &[&Estimator]) -> Result<Codebook, u64> {
        let alphabets: Vec<_> = self.seats.iter().map(|it| it.judge.alphabet()).collect();
        let gold = estimators.iter().any(|it| it.needs.gold);
        let strata = estimators.iter().any(|it| it.needs.strata);
        let marked = Marked {
            gold,
            unlabelled: gold && self.world.has_unlabelled(),
            strata: if strata { self.world.strata.len().max(1) } else { 1 },
            lengths: estimators.iter().any(|it| it.needs.lengths),
        };
        Ok(Codebook::new(self.protocol, &alphabets, marked)?.with_shares(self.shares()))
    }

    /// The shares of the population that strata are, in units of 1e-9: fine enough for any share that is written.
    fn shares(&self) -> Vec<u32> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share is 0 to 1"
        )]
        let share = |share: f64| libm::rint(share * 1e9) as u32;
        self.world.strata.iter().map(|it| it.share.map_or(0, share)).collect()
    }

    /// The same design with fair judges; none if a judge has no fair self.
    #[must_use]
    pub fn fair(&self, without: Without) -> Option<Self> {
        let fair = |it: &Seat| {
            let judge = it.judge.fair(without)?.into();
            Some(Seat { judge, lean: Lean::At(0.0), ..it.clone() })
        };
        Some(Self { seats: self.seats.iter().map(fair).collect::<Option<_>>()?, ..self.clone() })
    }

    /// Whether replicates may differ in more than the verdicts: estimands then refer to the population of worlds.
    #[must_use]
    pub fn is_random(&self) -> bool {
        let drawn = |it: &Seat| it.taste == Taste::Anew || it.lean == Lean::Anew;
        self.world.is_random() || self.seats.iter().any(drawn)
    }

    /// The chances of a judge on a pair in a state, by order.
    #[must_use]
    pub fn chances(&self, seat: usize, state: &State, mood: Mood) -> [Chances; 2] {
        Order::BOTH.map(|order| self.chances_in(seat, state, mood, order))
    }

    /// The chances of a judge on a pair in a state and an order.
    #[must_use]
    pub fn chances_in(&self, seat: usize, state: &State, mood: Mood, order: Order) -> Chances {
        let pair = self.world.pair(state, mood);
        self.seats[seat].judge.chances(&pair.shown(order))
    }

    /// The states of a kind of case and their probabilities. A continuous length that one judge's taste pools stays at its
    /// mean: the taste carries it.
    #[must_use]
    pub fn states(&self, kind: &Kind) -> Vec<Node<State>> {
        let (length, marks) = (kind.length.state(0), kind.marks);
        let start = State { gap: 0.0, gold: Gold::Tie, length, marks };
        let mut states = Vec::new();
        if kind.length.levels().is_some() || self.pooled(kind).is_some() {
            let lengths = match self.pooled(kind) {
                Some(_) => vec![Node { at: length, weight: 1.0 }],
                None => kind.length.nodes(0.0, &[], &[]),
            };
            for length in lengths {
                self.add_gaps(
                    kind,
                    State { length: length.at, ..start },
                    length.weight,
                    &mut states,
                );
            }
            return states;
        }
        let mut gaps = Vec::new();
        self.add_gaps(kind, start, 1.0, &mut gaps);
        for gap in gaps {
            let (rate, turns) = self.steepest(&gap.at, Along::Length);
            for length in kind.length.nodes(rate, &turns.bends, &turns.centres) {
                let at = State { length: length.at, ..gap.at };
                states.push(Node { at, weight: gap.weight * length.weight });
            }
        }
        states
    }

    fn add_gaps(&self, kind: &Kind, from: State, weight: f64, states: &mut Vec<Node<State>>) {
        let (rate, turns) = self.steepest(&from, Along::Gap);
        let nodes = kind.gap.nodes(rate, &turns.bends, &turns.centres);
        states.extend(nodes.into_iter().map(|node| {
            let at = State::new(node.at, from.length, from.marks);
            Node { at, weight: weight * node.weight }
        }));
    }

    /// Where one judge's log-odds hold a normal length and a normal taste, both are one normal: the standard deviation of
    /// their sum, in those of the taste.
    fn pooled(&self, kind: &Kind) -> Option<f64> {
        let (Length::Normal(_, sd), [seat]) = (kind.length, self.seats.as_slice()) else {
            return None;
        };
        let rates = seat.judge.rates();
        let ratio = sd * rates.length / rates.taste;
        let pools = seat.taste == Taste::Anew && rates.pooled && 0.0 < rates.taste;
        pools.then(|| libm::sqrt(1.0 + ratio * ratio))
    }

    /// The steepest of the judges along a contrast, and where any of them turns.
    fn steepest(&self, state: &State, along: Along) -> (f64, Turns) {
        let pair = self.world.pair(state, Mood::default());
        let (mut rate, mut all) = (0.0, Turns::default());
        for seat in &self.seats {
            let rates = seat.judge.rates();
            let own = match along {
                Along::Gap => rates.gap,
                Along::Length => rates.length,
                Along::Taste => rates.taste,
            };
            rate = f64::max(rate, libm::fabs(own));
            let turns = seat.judge.turns(&Pair { mood: seat.mood(0.0), ..pair }, along);
            all.bends.extend(turns.bends);
            all.centres.extend(turns.centres);
        }
        (rate, all)
    }

    /// Calls `each` with every code of a pair in a state, and its probability: opinions integrated, verdicts independent
    /// given what is shown. Circles of judges that share no opinion are independent, so each is integrated by itself.
    pub fn law_in_state(
        &self,
        book: &Codebook,
        state: &State,
        case: usize,
        each: &mut impl FnMut(u32, f64),
    ) {
        let circles: Vec<_> =
            self.circles().iter().map(|it| self.opinions(it, state, case)).collect();
        let mark = book.mark(state);
        for (orders, shown, p) in book.presentations() {
            if let [circle] = circles.as_slice() {
                for (weight, chances) in circle {
                    book.product(chances, orders, mark + shown, p, &mut |code, q| {
                        each(code, weight * q);
                    });
                }
                continue;
            }
            let laws = circles.iter().map(|circle| {
                let mut law: BTreeMap<u32, f64> = BTreeMap::new();
                for (weight, chances) in circle {
                    book.product(chances, orders, 0, *weight, &mut |code, q| {
                        *law.entry(code).or_insert(0.0) += q;
                    });
                }
                law.into_iter().collect()
            });
            product(&laws.collect::<Vec<_>>(), mark + shown, p, each);
        }
    }

    /// Seats by whose opinion they have; those without one that is drawn anew stand together.
    fn circles(&self) -> Vec<Vec<usize>> {
        let whose = |seat: &Seat| (seat.taste == Taste::Anew).then(|| seat.opinion.clone());
        let mut circles: Vec<(Option<Opinion>, Vec<usize>)> = Vec::new();
        for (k, seat) in self.seats.iter().enumerate() {
            let whose = whose(seat);
            match circles.iter_mut().find(|it| it.0 == whose) {
                Some(circle) => circle.1.push(k),
                None => circles.push((whose, vec![k])),
            }
        }
        circles.into_iter().map(|it| it.1).collect()
    }

    /// The opinions that a circle of judges may have of a pair: the probability of each, and its judges' chances.
    fn opinions(&self, circle: &[usize], state: &State, case: usize) -> Opinions {
        let pair = self.world.pair(state, Mood::default());
        let (mut rate, mut all) = (0.0, Turns::default());
        for seat in circle.iter().map(|seat| &self.seats[*seat]) {
            if seat.taste == Taste::Anew {
                rate = f64::max(rate, libm::fabs(seat.judge.rates().taste));
                let turns = seat.judge.turns(&Pair { mood: seat.mood(0.0), ..pair }, Along::Taste);
                all.bends.extend(turns.bends);
                all.centres.extend(turns.centres);
            }
        }
        let anew = circle.iter().any(|seat| self.seats[*seat].taste == Taste::Anew);
        let nodes = if anew {
            let spread = self.pooled(&self.world.kinds[self.world.cases[case].kind]);
            normal(0.0, spread.unwrap_or(1.0), rate, &all.bends, &all.centres)
        } else {
            vec![Node { at: 0.0, weight: 1.0 }]
        };
        let chances = |seat: usize, at: f64| {
            let it = &self.seats[seat];
            let taste = if let Taste::Once(tastes) = &it.taste { tastes[case] } else { at };
            self.chances(seat, state, it.mood(taste))
        };
        let of = |node: Node<f64>| {
            (node.weight, circle.iter().map(|seat| (*seat, chances(*seat, node.at))).collect())
        };
        nodes.into_iter().map(of).collect()
    }

    /// Calls `each` with every code of a case and its probability, everything integrated that is drawn for the case alone.
    /// Judges whose lean is drawn stand upright: see [`Design::stances`].
    pub fn law(&self, book: &Codebook, case: usize, each: &mut impl FnMut(u32, f64)) {
        for state in self.states(&self.world.kinds[self.world.cases[case].kind]) {
            self.law_in_state(book, &state.at, case, &mut |code, p| {
                each(code, state.weight * p);
            });
        }
    }

    /// Cases that share a law, as (a case, how many).
    #[must_use]
    pub fn alike(&self) -> Vec<(usize, u64)> {
        let own_taste = self.seats.iter().any(|it| matches!(it.taste, Taste::Once(_)));
        let cases = &self.world.cases;
        if own_taste {
            return (0..cases.len()).map(|case| (case, 1)).collect();
        }
        let mut first = vec![None; self.world.kinds.len()];
        for (case, it) in cases.iter().enumerate() {
            first[it.kind] = first[it.kind].or(Some(case));
        }
        first
            .into_iter()
            .zip(self.world.census())
            .filter_map(|(case, n)| Some((case?, n)))
            .collect()
    }

    /// The expected sums of readings, a pair: what estimands are functionals of.
    #[must_use]
    pub fn expected(&self, book: &Codebook, readings: &[&Reading]) -> Vec<[f64; LANES]> {
        let steps: Vec<Vec<Sums>> = readings.iter().map(|it| book.steps(it)).collect();
        let mut law = vec![0.0; book.size() as usize];
        for stance in self.stances(1) {
            for (case, alike) in self.alike() {
                let weight = stance.weight * alike as f64 / self.world.cases.len() as f64;
                stance.at.law(book, case, &mut |code, p| law[code as usize] += weight * p);
            }
        }
        steps.iter().map(|steps| expect(steps, &law)).collect()
    }
}

/// The expected step under a law of codes.
fn expect(steps: &[Sums], law: &[f64]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (step, p) in steps.iter().zip(law).filter(|it| 0.0 < *it.1) {
        for (sum, step) in sums.iter_mut().zip(step.0) {
            *sum += p * step as f64;
        }
    }
    sums
}
