//! Stances: a study meets its judges as they lean, and all pairs share that. Given the lean, pairs are independent.

use super::{Design, Lean, Seat};
use crate::stats::quadrature::standard_normal;
use crate::world::Node;

impl Design {
    /// How many judges lean by a draw that all pairs share.
    #[must_use]
    pub fn leaning(&self) -> usize {
        self.seats.iter().filter(|it| it.lean == Lean::Anew).count()
    }

    /// The designs that a study may turn out to be, every lean fixed, with their probabilities: itself alone where no judge
    /// leans by a draw. A power is the average of theirs.
    ///
    /// A test on so many pairs turns over within `1 / sqrt(pairs)` log-odds, hence the step: the average of all nodes and that
    /// of every second one, from the middle on, differ by the error of the latter. Of one judge the middle is upright.
    #[must_use]
    pub fn stances(&self, pairs: u64) -> Vec<Node<Self>> {
        let mut stances = vec![Node { at: self.clone(), weight: 1.0 }];
        for (k, seat) in self.seats.iter().enumerate().filter(|it| it.1.lean == Lean::Anew) {
            let turns = seat.judge.rates().lean * libm::sqrt(pairs as f64);
            let nodes = standard_normal(NODES * turns.max(1.0));
            let with = |stance: &Node<Self>, (lean, weight): (f64, f64)| {
                let mut at = stance.at.clone();
                at.seats[k] = Seat { lean: Lean::At(lean), ..seat.clone() };
                Node { at, weight: stance.weight * weight }
            };
            stances = stances
                .iter()
                .flat_map(|it| nodes.iter().map(move |node| with(it, *node)))
                .collect();
        }
        stances
    }
}

/// Steps of 0.4 standard errors of beta, which is at least `1 / sqrt(pairs)`: of a power that is normal in it, even every second
/// node is good to `2 exp(-2 (pi / 0.8)^2)`, 1e-13.
const NODES: f64 = 1.25;
