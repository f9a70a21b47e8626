//! What a simulated study takes for granted, and whom that flatters.

use serde::{Deserialize, Serialize};

use crate::evidence::Asked;
use crate::protocol::Task;
use crate::scenario::Plan;

/// Something taken for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// What is assumed.
    pub what: String,
    /// Whom or what it flatters if it does not hold.
    pub flatters: String,
}

/// When something is taken for granted, what, and whom that flatters.
type Entry = (fn(&Task) -> bool, &'static str, &'static str);

/// In the order of the pipeline.
const TAKEN_FOR_GRANTED: [Entry; 10] = [
    (
        |it| it.sheet.is_none() && it.design.protocol.asked != Asked::Each,
        "Given a pair and the judge's own opinion of it, every verdict is drawn by itself: one answer does not sway the next.",
        "A judge that remembers, or is asked twice in one conversation, looks more consistent than it is.",
    ),
    (
        |it| it.sheet.is_none() && it.design.protocol.asked != Asked::Each,
        "A preference adds the same log-odds to every pair.",
        "The averages, and any correction made from them: where a preference is strong on close pairs only, they promise too much.",
    ),
    (
        |it| it.sheet.is_none() && it.design.protocol.asked == Asked::Each,
        "A judge errs at the same rates on every case of its kind.",
        "Corrected rates, where the labelled cases were easier than the rest.",
    ),
    (
        |it| it.sheet.is_some(),
        "Scores are a sum of effects and noise, rounded and cut off at the ends of the scale.",
        "Slopes and averages, where a judge uses the scale differently for good and bad answers.",
    ),
    (
        |it| 1 < it.design.protocol.repeats,
        "Repeats of one question differ by chance alone.",
        "Averages over repeats, where a judge repeats itself from a cache.",
    ),
    (
        |it| 2 < it.design.seats.len(),
        "Judges share no more than the opinions that the scenario lets them share.",
        "Votes of many judges: what they all get wrong, no vote mends.",
    ),
    (
        |it| it.sheet.is_none() && matches!(it.design.protocol.asked, Asked::One | Asked::Other),
        "With one order, what the position adds is counted as the system's.",
        "The system that is shown first, if the judge prefers first answers.",
    ),
    (
        |it| it.estimators.iter().any(|it| it.needs.gold),
        "Gold labels are right, unless the scenario makes them stale.",
        "A judge that errs as the people who wrote the labels do.",
    ),
    (
        Task::is_random,
        "Cases are drawn anew in each replicate, independently of each other.",
        "Every interval, where questions come in families of alike ones.",
    ),
    (
        |it| !it.is_random(),
        "The cases are these and no others; chance is in the verdicts alone.",
        "Small sets: what was found on them is not yet true of the next set.",
    ),
];

/// What the studies of a plan take for granted.
pub(super) fn of(plan: &Plan) -> Vec<Assumption> {
    let assumed = TAKEN_FOR_GRANTED.iter().filter(|it| plan.tasks.iter().any(|task| it.0(task)));
    assumed
        .map(|(_, what, flatters)| Assumption {
            what: (*what).to_owned(),
            flatters: (*flatters).to_owned(),
        })
        .collect()
}
