//! A task: one judge in one cell of a grid, and the rules that look at it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Design, SheetDesign};
use crate::estimators::Estimator;
use crate::evidence::Columns;

/// What an estimand refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The cases and tastes as they were drawn; it differs by replicate where they are drawn anew.
    World,
    /// The average over worlds that could have been drawn.
    Population,
}

impl Target {
    /// `world` or `population`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Target::World => "world",
            Target::Population => "population",
        }
    }
}

/// One judge (or own judge and third party) in one cell of a grid, and the rules that look at it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The cell of the grid.
    pub cell: usize,
    /// The judge under study.
    pub judge: Arc<str>,
    /// What is asked of pairs.
    pub design: Design,
    /// What is scored in place of pairs, if the rules read a sheet.
    pub sheet: Option<SheetDesign>,
    /// The rules, in the order of the tables.
    pub estimators: Vec<&'static Estimator>,
    /// What coverage and bias refer to.
    pub target: Target,
}

impl Task {
    /// Whether estimands are compared replicate by replicate.
    #[must_use]
    pub fn world_by_world(&self) -> bool {
        self.sheet.is_none() && self.target == Target::World && self.design.is_random()
    }

    /// Whether replicates may differ in more than the verdicts.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.sheet.as_ref().map_or_else(|| self.design.is_random(), SheetDesign::is_random)
    }

    /// The label of its estimands: what is drawn once is this world.
    #[must_use]
    pub fn target(&self) -> Target {
        if self.is_random() { self.target } else { Target::World }
    }

    /// The value that a rule's test calls no effect: its own, or the mean that is claimed of clusters; none without a test.
    #[must_use]
    pub fn null(&self, rule: &Estimator) -> Option<f64> {
        let claimed = || self.sheet.as_ref()?.world.ruled.claimed;
        rule.null.or_else(|| {
            rule.sheet.filter(|it| it.columns == Columns::Clusters).and_then(|_| claimed())
        })
    }

    /// How many cases are judged.
    #[must_use]
    pub fn cases(&self) -> u64 {
        let pairs = self.design.world.cases.len();
        self.sheet.as_ref().map_or(pairs, |it| it.world.ruled.cases) as u64
    }

    /// Verdicts asked of the judge under study.
    #[must_use]
    pub fn calls(&self) -> u64 {
        match &self.sheet {
            Some(sheet) => sheet.world.ruled.cells() as u64,
            None => self.design.world.cases.len() as u64 * self.design.protocol.calls(),
        }
    }

    /// Verdicts that a replicate takes.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.calls() * if self.sheet.is_some() { 1 } else { self.design.seats.len() as u64 }
    }
}
