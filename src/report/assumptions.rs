//! What a simulated study takes for granted, and whom that flatters.

use serde::{Deserialize, Serialize};

use crate::evidence::Asked;
use crate::protocol::Target;
use crate::scenario::Plan;

/// Something taken for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// What is assumed.
    pub what: String,
    /// Whom or what it flatters if it does not hold.
    pub flatters: String,
}

fn assume(what: &str, flatters: &str) -> Assumption {
    Assumption { what: what.to_owned(), flatters: flatters.to_owned() }
}

/// What the studies of a plan take for granted, in the order of the pipeline.
pub(super) fn of(plan: &Plan) -> Vec<Assumption> {
    let tasks = &plan.tasks;
    let pairs = tasks.iter().any(|it| it.sheet.is_none() && it.design.protocol.asked != Asked::Each);
    let grades = tasks.iter().any(|it| it.sheet.is_none() && it.design.protocol.asked == Asked::Each);
    let sheets = tasks.iter().any(|it| it.sheet.is_some());
    let worlds = tasks.iter().any(|it| it.is_random());
    let fixed = tasks.iter().any(|it| !it.is_random() && it.target() == Target::World);
    let panels = tasks.iter().any(|it| 2 < it.design.seats.len());
    let repeats = tasks.iter().any(|it| 1 < it.design.protocol.repeats);
    let one_order = tasks
        .iter()
        .any(|it| it.sheet.is_none() && matches!(it.design.protocol.asked, Asked::One | Asked::Other));
    let labels = tasks.iter().any(|it| it.estimators.iter().any(|it| it.needs.gold));
    let all = [
        (pairs, "Given a pair and the judge's own opinion of it, every verdict is drawn by itself: one answer does not sway the next.",
         "A judge that remembers, or is asked twice in one conversation, looks more consistent than it is."),
        (pairs, "A preference adds the same log-odds to every pair.",
         "The averages, and any correction made from them: where a preference is strong on close pairs only, they promise too much."),
        (grades, "A judge errs at the same rates on every case of its kind.",
         "Corrected rates, where the labelled cases were easier than the rest."),
        (sheets, "Scores are a sum of effects and noise, rounded and cut off at the ends of the scale.",
         "Slopes and averages, where a judge uses the scale differently for good and bad answers."),
        (repeats, "Repeats of one question differ by chance alone.",
         "Averages over repeats, where a judge repeats itself from a cache."),
        (panels, "Judges share no more than the opinions that the scenario lets them share.",
         "Votes of many judges: what they all get wrong, no vote mends."),
        (one_order, "One order alone tells position and preference apart for no rule; what it adds is counted as the system's.",
         "The system that is shown first, if the judge prefers first answers."),
        (labels, "Gold labels are right, unless the scenario makes them stale.",
         "A judge that errs as the people who wrote the labels do."),
        (worlds, "Cases are drawn anew in each replicate, independently of each other.",
         "Every interval, where questions come in families of alike ones."),
        (fixed, "The cases are these and no others; chance is in the verdicts alone.",
         "Small sets: what was found on them is not yet true of the next set."),
    ];
    all.iter().filter(|it| it.0).map(|(_, what, flatters)| assume(what, flatters)).collect()
}
