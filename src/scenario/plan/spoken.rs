//! What a scenario says of its results and their price: published figures, conditions, costs.

use std::sync::Arc;

use super::Builder;
use crate::protocol::{Changes, Task};
use crate::scenario::costs::{self, Costed, Prices};
use crate::scenario::found::Found;
use crate::scenario::gates::{self, Condition, Known};
use crate::scenario::grid::Level;
use crate::scenario::places::Places;
use crate::scenario::published::{self, Published};
use crate::scenario::scored::{Gives, gives};
use crate::scenario::wire::{GateWire, PublishedWire, Wire, WorldWire};
use crate::scenario::worlds::Built;
use crate::world::TableWords;

/// Published figures, conditions, and by task the cases that changed.
pub(super) type Spoken = (Vec<Published>, Vec<Condition>, Vec<Option<Changes>>);

impl Builder<'_, '_, '_> {
    /// Published figures and conditions, placed, and the cases that they may list.
    pub(super) fn spoken_of(
        &self,
        (figures, conditions): &(Vec<PublishedWire>, Vec<GateWire>),
        cells: &[Vec<Level>],
        tasks: &[Task],
        found: &mut Vec<Found>,
    ) -> Spoken {
        let tables: Vec<&Built> =
            self.worlds.values().flatten().filter(|it| it.file.is_some()).collect();
        let file = |task: &Task| {
            let table = tables.iter().find(|it| Arc::ptr_eq(&it.world, &task.design.world));
            table?.file.as_deref()
        };
        let changes: Vec<Option<Changes>> =
            tasks.iter().map(|it| file(it).and_then(|_| it.design.changes())).collect();
        let places = Places { grid: self.grid, cells, tasks, costs: &self.costs };
        let published = published::published(figures, &places, found);
        let known = |task: usize| {
            let world = &tasks[task].design.world;
            let text = file(&tasks[task]).and_then(|it| self.texts.get(it)?.as_ref());
            // What cannot be read was told when the world was read.
            let words = text.and_then(|text| TableWords::read(text, world, &[]).ok());
            let strata = words.and_then(|it| it.strata).unwrap_or_default();
            let ids = world.cases.iter().map(|case| &*case.id);
            Known { changes: changes[task].as_ref(), strata: ids.zip(strata).collect() }
        };
        let gate = gates::conditions(conditions, &places, known, found);
        (published, gate, changes)
    }

    /// What the judges of a cell cost, where prices are given.
    pub(super) fn price(
        &mut self,
        cell: usize,
        wire: &Wire,
        built: &Built,
        found: &mut Vec<Found>,
    ) {
        let Some(cost) = &wire.cost else { return };
        let mut words = None;
        if let WorldWire::Table(table) = &wire.world
            && let Some(text) = self.texts.get(&table.file).and_then(Option::as_ref)
        {
            let systems = costs::systems(cost, &built.world);
            match TableWords::read(text, &built.world, &systems) {
                Ok(read) => words = Some(read),
                Err(mistakes) => self.in_file(&table.file, mistakes),
            }
        }
        let prices = Prices::new(cost, &built.world, words.as_ref(), found);
        for (name, judge) in &wire.judges {
            // Scores of single answers have no price here: their worlds hold no pairs.
            if let Ok(Gives::Pairs(protocol)) = gives(&wire.world, judge, &wire.protocol) {
                let cost = prices.cost(&built.world, &protocol);
                self.costs.push(Costed { cell, judge: name.as_str().into(), cost });
            }
        }
    }
}
