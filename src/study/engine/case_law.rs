//! How a case is decided: the laws of its verdicts by cell, and ids by which jobs share what is equal.

use std::collections::BTreeMap;

use super::Job;
use crate::evidence::{LANES, Order, Sums};
use crate::judges::{Chances, Thresholds};
use crate::protocol::{Lean, Taste};
use crate::study::columns::{Anew, Axes, Axis, Law};
use crate::world::{Mood, State};

/// How a case is decided.
#[derive(Debug)]
pub(in crate::study) struct CaseLaw {
    pub kind: usize,
    pub tastes: Vec<f64>,
    pub axes: Axes,
    /// By seat, by order.
    pub laws: Vec<[Law; 2]>,
    /// By cell of the state: what label, stratum and lengths add to the code, where all of the cell have the same.
    pub golds: Vec<Option<u32>>,
    /// An id that equal laws of any job share, by seat and order.
    pub ids: Vec<[usize; 2]>,
    /// An id that equal states of any job share.
    pub state_id: usize,
    /// By reading, by cell: expected steps, where worlds are compared one by one and a cell holds one.
    pub expected: Vec<Vec<[f64; LANES]>>,
}

/// Equal things get equal ids.
struct Ids<T>(BTreeMap<T, usize>);

impl<T> Default for Ids<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Ord> Ids<T> {
    fn of(&mut self, what: T) -> usize {
        let next = self.0.len();
        *self.0.entry(what).or_insert(next)
    }
}

/// Ids that all jobs share.
#[derive(Default)]
pub(super) struct Names {
    texts: Ids<String>,
    states: Ids<(usize, Axes)>,
    laws: Ids<What>,
}

/// Everything that decides the digits of a column. What is left out here would be shared by mistake.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct What {
    judge: usize,
    systems: usize,
    state: usize,
    /// The bits of an opinion that is drawn once.
    taste: Option<u64>,
    order: Order,
    weights: [u32; 4],
    repeats: u8,
}

/// Cells that a job may have, values apart: deciding them must cost less than they save.
const MOST_CELLS: usize = 1 << 13;

/// Names of a job's parts.
pub(super) struct Named {
    kinds: Vec<usize>,
    judges: Vec<usize>,
    systems: usize,
}

impl Named {
    pub(super) fn new(job: &Job, names: &mut Names) -> Self {
        let design = &job.design;
        Self {
            kinds: design.world.kinds.iter().map(|it| names.texts.of(format!("{it:?}"))).collect(),
            judges: design
                .seats
                .iter()
                .map(|it| names.texts.of(format!("{:?}", it.judge)))
                .collect(),
            systems: names.texts.of(format!("{:?}", design.world.systems)),
        }
    }
}

impl CaseLaw {
    /// The law of a kind of case, opinions that are drawn once given; one of so many laws of its job.
    pub(super) fn new(
        job: &Job,
        (kind, tastes): (usize, Vec<f64>),
        laws: usize,
        named: &Named,
        names: &mut Names,
    ) -> Self {
        let it = &job.design.world.kinds[kind];
        let anew = Anew {
            taste: job.design.seats.iter().any(|seat| seat.taste == Taste::Anew),
            lean: job.design.seats.iter().any(|seat| seat.lean == Lean::Anew),
        };
        let axes = Axes::new(it, anew, u32::try_from(MOST_CELLS / laws).unwrap_or(u32::MAX));
        let states = axes.states(it);
        let gold = |corners: &Vec<State>| {
            let mut golds = corners.iter().map(|state| job.book.mark(state));
            let first = golds.next()?;
            golds.all(|gold| gold == first).then_some(first)
        };
        let expect = |steps: &Vec<Sums>| {
            let moods: Vec<Mood> =
                job.design.seats.iter().zip(&tastes).map(|(seat, it)| seat.mood(*it)).collect();
            let one = |corners: &Vec<State>| job.in_state(steps, &corners[0], &moods);
            states.iter().map(one).collect()
        };
        let state_id = names.states.of((named.kinds[kind], axes));
        let mut law = Self {
            kind,
            axes,
            laws: Vec::new(),
            golds: states.iter().map(gold).collect(),
            ids: Vec::new(),
            state_id,
            expected: if axes.exact() {
                job.steps.iter().map(expect).collect()
            } else {
                Vec::new()
            },
            tastes: Vec::new(),
        };
        for (seat, taste) in tastes.iter().enumerate() {
            let moods = law.moods(job, seat, *taste);
            law.laws.push(Order::BOTH.map(|order| law_of(job, (seat, order), &states, &moods)));
            law.ids.push(Order::BOTH.map(|order| {
                names.laws.of(What {
                    judge: named.judges[seat],
                    systems: named.systems,
                    state: state_id,
                    taste: (job.design.seats[seat].taste != Taste::Anew).then(|| taste.to_bits()),
                    order,
                    weights: job.book.weights(seat, order),
                    repeats: job.design.protocol.repeats,
                })
            }));
        }
        law.tastes = tastes;
        law
    }

    /// What may be drawn of a judge, at the corners of each cell of its opinion and its lean.
    fn moods(&self, job: &Job, seat: usize, taste: f64) -> Vec<Vec<Mood>> {
        let it = &job.design.seats[seat];
        let axis = |anew: bool, axis: Axis| if anew { axis } else { Axis::ONE };
        let tastes = axis(it.taste == Taste::Anew, self.axes.taste).normals(taste);
        let leans = axis(it.lean == Lean::Anew, self.axes.lean).normals(it.mood(taste).lean);
        let corners = |tastes: &Vec<f64>, leans: &Vec<f64>| -> Vec<Mood> {
            let of = |taste: f64| leans.iter().map(move |lean| Mood { taste, lean: *lean });
            tastes.iter().flat_map(|taste| of(*taste)).collect()
        };
        tastes
            .iter()
            .flat_map(|tastes| leans.iter().map(move |leans| corners(tastes, leans)))
            .collect()
    }
}

/// The bounds of a judge's thresholds, by cell of the state, then of its mood: the extremes over the corners.
fn law_of(
    job: &Job,
    (seat, order): (usize, Order),
    states: &[Vec<State>],
    moods: &[Vec<Mood>],
) -> Law {
    let mut cells = Vec::with_capacity(states.len() * moods.len());
    for corners in states {
        for moods in moods {
            let each =
                corners.iter().flat_map(|state| moods.iter().map(move |mood| (state, *mood)));
            let chances =
                |(state, mood)| -> Chances { job.design.chances_in(seat, state, mood, order) };
            cells.push(bounds(each.map(|corner| chances(corner).thresholds())));
        }
    }
    Law::new(&cells, job.book.weights(seat, order))
}

/// The least and the greatest of each threshold.
fn bounds(laws: impl Iterator<Item = Thresholds>) -> [Thresholds; 2] {
    let mut bounds = [[u64::MAX; 3], [0; 3]];
    for law in laws {
        for (k, threshold) in law.0.into_iter().enumerate() {
            bounds[0][k] = bounds[0][k].min(threshold);
            bounds[1][k] = bounds[1][k].max(threshold);
        }
    }
    bounds.map(Thresholds)
}
