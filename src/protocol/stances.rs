//! Stances: a study meets its judges as they lean, and all pairs share that. Given the lean, pairs are independent.

use super::{Design, Lean, Seat};
use crate::stats::quadrature::{standard_normal, steps};
use crate::world::Node;

impl Design {
    /// How many judges lean by a draw that all pairs share.
    #[must_use]
    pub fn leaning(&self) -> usize {
        self.seats.iter().filter(|it| it.lean == Lean::Anew).count()
    }

    /// How many [`Design::stances`] of so many verdicts an order there are; a real number, for it may be any.
    #[must_use]
    pub fn stance_count(&self, verdicts: u64) -> f64 {
        let leaning = self.seats.iter().filter(|it| it.lean == Lean::Anew);
        leaning.map(|it| steps(spread(it, verdicts))).product()
    }

    /// The designs that a study may turn out to be, every lean fixed, with their probabilities: itself alone where no judge
    /// leans by a draw. A power is the average of theirs.
    ///
    /// A test on so many verdicts an order turns over within `1 / sqrt(verdicts)` log-odds, hence the step: the average of all
    /// nodes and that of every second one, from the middle on, differ by the error of the latter. Of one judge the middle is
    /// upright.
    #[must_use]
    pub fn stances(&self, verdicts: u64) -> Vec<Node<Self>> {
        let mut stances = vec![Node { at: self.clone(), weight: 1.0 }];
        for (k, seat) in self.seats.iter().enumerate().filter(|it| it.1.lean == Lean::Anew) {
            let nodes = standard_normal(spread(seat, verdicts));
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

    /// Verdicts an order, over all cases.
    #[must_use]
    pub fn verdicts_an_order(&self) -> u64 {
        self.world.cases.len() as u64 * u64::from(self.protocol.repeats)
    }
}

/// Over how many steps of the quadrature rule a standard deviation of a judge's lean goes.
fn spread(seat: &Seat, verdicts: u64) -> f64 {
    let turns = seat.judge.rates().lean * libm::sqrt(verdicts as f64);
    NODES * turns.max(1.0)
}

/// Steps of 0.4 standard errors of beta, which is at least `1 / sqrt(verdicts)`: of a power that is normal in it, even every second
/// node is good to `2 exp(-2 (pi / 0.8)^2)`, 1e-13.
const NODES: f64 = 1.25;
