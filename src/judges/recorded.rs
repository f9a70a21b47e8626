//! A recorded judge: it says what is written in a table, row by row, without chance. So real verdicts go through every rule.

use std::sync::Arc;

use super::{Alphabet, Chances, Judge, Rates, Without};
use crate::evidence::Verdict;
use crate::world::Shown;

/// A judge whose verdicts are written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// By row of the table, by order shown: A first, or A's grade; B first, or B's grade.
    verdicts: Arc<[[Verdict; 2]]>,
}

impl Recorded {
    /// A judge that says these verdicts, by row from 0, by order shown. Of graded answers the first is A's grade and the
    /// second is B's; "first" is pass and "second" is fail.
    #[must_use]
    pub fn new(verdicts: Vec<[Verdict; 2]>) -> Self {
        Self { verdicts: verdicts.into() }
    }

    fn says(&self, verdict: Verdict) -> bool {
        self.verdicts.iter().flatten().any(|it| *it == verdict)
    }
}

impl Judge for Recorded {
    /// Certain of what is written; a row that is not there is no verdict.
    fn chances(&self, shown: &Shown<'_>) -> Chances {
        let (row, order) = shown.place();
        let verdict =
            self.verdicts.get(row as usize).map_or(Verdict::Invalid, |it| it[order as usize]);
        let chance = |of: Verdict| f64::from(u8::from(verdict == of));
        Chances {
            first: chance(Verdict::First),
            tie: chance(Verdict::Tie),
            second: chance(Verdict::Second),
            invalid: chance(Verdict::Invalid),
        }
    }

    /// None: what is written does not say what another judge would have said.
    fn fair(&self, _: Without) -> Option<Box<dyn Judge>> {
        None
    }

    fn rates(&self) -> Rates {
        Rates::default()
    }

    fn alphabet(&self) -> Alphabet {
        Alphabet { ties: self.says(Verdict::Tie), invalid: self.says(Verdict::Invalid) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Order;
    use crate::world::{Answer, Marks, Mood, Pair};

    #[test]
    fn each_row_says_its_own_verdicts_in_each_order() {
        use Verdict::{First, Invalid, Second, Tie};
        let judge = Recorded::new(vec![[First, Second], [Tie, Invalid]]);
        assert_eq!(judge.alphabet(), Alphabet { ties: true, invalid: true });
        let forced = Recorded::new(vec![[First, Second]]).alphabet();
        assert_eq!(forced, Alphabet { ties: false, invalid: false });
        let answers = ["a", "b"].map(|name| Answer { system: name.into(), family: name.into() });
        let at = |row: u32| {
            let marks = Marks { row, ..Marks::default() };
            let passes = [true, false];
            let pair = Pair {
                gap: 1.0,
                length: 0.0,
                answers: &answers,
                mood: Mood::default(),
                passes,
                marks,
            };
            Order::BOTH.map(|order| {
                let it = judge.chances(&pair.shown(order));
                [it.first, it.tie, it.second, it.invalid]
            })
        };
        assert_eq!(at(0), [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
        assert_eq!(at(1), [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        assert_eq!(at(2), [[0.0, 0.0, 0.0, 1.0]; 2]);
    }
}
