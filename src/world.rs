//! The world: cases on which two systems answer, who is truly better in each, and what a judge is shown.
//!
//! A case's state (true difference, gold label, length ratio) is fixed, or drawn anew in each replicate from a law with
//! a few levels or a continuous one. Nothing here knows a judge.

mod columns;
mod gap;
mod length;
mod nodes;
mod pair;
mod sheet;
mod table;
mod words;

use serde::{Deserialize, Serialize};

use crate::evidence::Gold;

pub use columns::{Cell, columns};
pub use gap::{Gap, Quality, Truth};
pub use length::Length;
pub use nodes::{Node, normal};
pub use pair::{Answer, Mood, Pair, Shown};
pub use sheet::{Answered, Scored, logistic};
pub use table::{Table, TableMistake, Wanted};
pub use words::TableWords;

/// Whether something is drawn once for all replicates or anew in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Drawn {
    /// Once: replicates share it, and estimands refer to this world.
    Once,
    /// Anew in each replicate: estimands refer to the population of worlds.
    Anew,
}

/// A state of a case: what is drawn of it, apart from the judges' opinions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// True difference, A minus B.
    pub gap: f64,
    /// What is true; the label that was bought of it may say something else.
    pub gold: Gold,
    /// log2 length ratio, A over B.
    pub length: f64,
    /// What is fixed of it.
    pub marks: Marks,
}

/// What is fixed of a case, apart from its truth and its lengths; of a state, also what was drawn of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Whether the wording of A's and B's answer differs from the reference.
    pub reworded: [bool; 2],
    /// Its stratum, a place in [`World::strata`]; 0 where strata are not told apart.
    pub stratum: u8,
    /// Whether a gold label of it was bought.
    pub labelled: bool,
    /// Whether its label has gone stale: the reference no longer holds, and no right answer matches it.
    pub stale: bool,
    /// Its row in the table it was read from, from 0; 0 where no judge looks rows up.
    pub row: u32,
}

impl Default for Marks {
    fn default() -> Self {
        Self { reworded: [false; 2], stratum: 0, labelled: true, stale: false, row: 0 }
    }
}

impl State {
    /// The state of a case of which this is true, with these fixed marks.
    #[must_use]
    pub const fn new(truth: Truth, length: f64, marks: Marks) -> Self {
        let marks = Marks { stale: marks.stale || truth.stale, ..marks };
        Self { gap: truth.gap, gold: truth.gold, length, marks }
    }

    /// What the gold label says: the truth, unless it has gone stale. Then it fails both answers.
    #[must_use]
    pub const fn label(&self) -> Gold {
        if self.marks.stale { Gold::Tie } else { self.gold }
    }
}

/// The most strata that a world may tell apart.
pub const MOST_STRATA: usize = 8;

/// A stratum of the cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Stratum {
    /// Its name.
    pub name: String,
    /// The share of the population that it is, 0 to 1; none where that is not known.
    pub share: Option<f64>,
    /// The shares of it that A's and B's answer truly pass; none where only its cases are known.
    pub passes: Option<[f64; 2]>,
}

/// What a case may be like, before it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The true difference and the gold label.
    pub gap: Gap,
    /// The length ratio.
    pub length: Length,
    /// What is fixed of it.
    pub marks: Marks,
}

impl Kind {
    /// Whether replicates may differ.
    #[must_use]
    pub fn is_random(&self) -> bool {
        !matches!((&self.gap, &self.length), (Gap::Fixed { .. }, Length::Fixed(_)))
    }

    /// How many states it may take, each given by a level of its gap and a level of its length; `None` if continuous.
    #[must_use]
    pub fn levels(&self) -> Option<usize> {
        Some(self.gap.levels()? * self.length.levels()?)
    }
}

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, unique in the world; part of the address of everything drawn for it.
    pub id: String,
    /// Which kind of [`World::kinds`] it is.
    pub kind: usize,
}

/// The cases and the two systems that are compared on them.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The first system, A, and the second, B.
    pub systems: [Answer; 2],
    /// What cases may be like; cases that are alike share a kind.
    pub kinds: Vec<Kind>,
    /// The cases, in order. A world of fewer pairs holds the first of them.
    pub cases: Vec<Case>,
    /// The strata, in the order of their first case; empty where they are not told apart.
    pub strata: Vec<Stratum>,
}

impl World {
    /// Whether replicates may differ in something other than the verdicts and the judges' tastes.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.kinds.iter().any(Kind::is_random)
    }

    /// How many cases are of each kind.
    #[must_use]
    pub fn census(&self) -> Vec<u64> {
        let mut census = vec![0; self.kinds.len()];
        for case in &self.cases {
            census[case.kind] += 1;
        }
        census
    }

    /// The share of pairs in which A is truly better, ties as halves; expected, where it is drawn anew.
    #[must_use]
    pub fn better_share(&self) -> f64 {
        let census = self.census();
        let sum: f64 =
            self.kinds.iter().zip(&census).map(|(it, n)| it.gap.better_share() * *n as f64).sum();
        sum / self.cases.len() as f64
    }

    /// Whether some cases have no gold label: theirs are the rates that are sought.
    #[must_use]
    pub fn has_unlabelled(&self) -> bool {
        self.kinds.iter().any(|it| !it.marks.labelled)
    }

    /// The shares that A's and B's answer truly pass; expected, where truth is drawn anew. They are those of the
    /// population where the strata tell them, else those of the unlabelled cases, else those of all cases.
    #[must_use]
    pub fn pass_shares(&self) -> [f64; 2] {
        if let Some(shares) = self.population() {
            return shares;
        }
        let unlabelled = self.has_unlabelled();
        let (mut sums, mut cases) = ([0.0; 2], 0);
        for (kind, n) in self.kinds.iter().zip(self.census()) {
            if unlabelled && kind.marks.labelled {
                continue;
            }
            cases += n;
            for node in kind.gap.nodes(1.0, &[], &[]) {
                for (sum, passes) in sums.iter_mut().zip(node.at.gold.passes()) {
                    *sum += if passes { node.weight * n as f64 } else { 0.0 };
                }
            }
        }
        sums.map(|sum| sum / cases as f64)
    }

    /// The pass rates of the population that the strata divide, where they tell their shares and their rates.
    fn population(&self) -> Option<[f64; 2]> {
        let mut sums = [0.0; 2];
        for it in &self.strata {
            for (sum, rate) in sums.iter_mut().zip(it.passes?) {
                *sum += it.share? * rate;
            }
        }
        (!self.strata.is_empty()).then_some(sums)
    }

    /// What A and B answered in a case in a given state, with what is drawn of the judge.
    #[must_use]
    pub fn pair(&self, state: &State, mood: Mood) -> Pair<'_> {
        Pair {
            gap: state.gap,
            length: state.length,
            answers: &self.systems,
            mood,
            passes: state.gold.passes(),
            marks: state.marks,
        }
    }
}
