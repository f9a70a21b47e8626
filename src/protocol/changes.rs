//! Cases in which one of two graded answers passes and the other does not, where no chance decides.

use super::Design;
use crate::evidence::{Asked, Order};
use crate::judges::Chances;
use crate::world::{Kind, Mood};

/// Cases by name, in the order of the world. The first system is the new one, the second what it is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Only the first system's answer passes.
    pub improved: Vec<String>,
    /// Only the second system's answer passes.
    pub regressed: Vec<String>,
}

/// Whether an answer passes, if that is certain.
fn certain(chances: Chances) -> Option<bool> {
    match (chances.first, chances.second) {
        (1.0, _) => Some(true),
        (_, 1.0) => Some(false),
        _ => None,
    }
}

impl Design {
    /// The cases that changed from the second system to the first, as graded; none where answers are not graded one by one,
    /// where a world or a grade is drawn, or where a reply may be invalid.
    #[must_use]
    pub fn changes(&self) -> Option<Changes> {
        let [seat] = self.seats.as_slice() else { return None };
        if self.protocol.asked != Asked::Each || self.is_random() {
            return None;
        }
        let grades = |kind: &Kind| {
            let states = self.states(kind);
            let state = states.first()?;
            let pair = self.world.pair(&state.at, Mood::default());
            let [first, second] =
                Order::BOTH.map(|order| certain(seat.judge.chances(&pair.shown(order))));
            Some((first?, second?))
        };
        let by_kind: Vec<(bool, bool)> =
            self.world.kinds.iter().map(grades).collect::<Option<_>>()?;
        let mut changes = Changes::default();
        for case in &self.world.cases {
            match by_kind[case.kind] {
                (true, false) => changes.improved.push(case.id.clone()),
                (false, true) => changes.regressed.push(case.id.clone()),
                _ => {}
            }
        }
        Some(changes)
    }
}
