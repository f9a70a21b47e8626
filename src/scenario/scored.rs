//! Worlds and judges of single scores: what a judge gives in a world, and whether a rule can be fed with it.

use std::sync::Arc;

use super::document::show_path;
use super::found::Found;
use super::rules;
use super::wire::{
    CandidatesWire, ClustersWire, JudgeWire, ProtocolWire, RatedWire, Wire, WorldWire,
};
use super::worlds::{self, Built};
use crate::estimators::Estimator;
use crate::evidence::{Asked, Columns, Gold};
use crate::judges::{HIGHEST, Pointwise, Scoring};
use crate::protocol::{Protocol, Rater, Target};
use crate::quantity::{Points, Probability};
use crate::world::{Answer, Case, Drawn, Gap, Kind, Length, Marks, Scored, World};

/// What a judge gives in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gives {
    /// Verdicts on pairs.
    Pairs(Protocol),
    /// A sheet of scores.
    Sheet(Columns),
}

/// What a judge gives in a world.
///
/// # Errors
/// Why it can give nothing, and the remedy.
pub(super) fn gives(
    world: &WorldWire,
    judge: &JudgeWire,
    protocol: &ProtocolWire,
) -> Result<Gives, (&'static str, &'static str)> {
    match (world, judge) {
        (WorldWire::Lengths(_), JudgeWire::Scoring(_)) => Ok(Gives::Sheet(Columns::Lengths)),
        (WorldWire::Lengths(_), _) => {
            Err(("a world of one answer at several lengths is scored", "use a scoring judge"))
        }
        (WorldWire::Rated(_), JudgeWire::Scoring(_)) => Ok(Gives::Sheet(Columns::Systems)),
        (WorldWire::Rated(_), JudgeWire::Pointwise(_)) => {
            Err(("rated answers do not pass or fail", "use scoring or pairwise judges"))
        }
        (WorldWire::Candidates(_), JudgeWire::Pointwise(_)) => {
            Ok(Gives::Sheet(Columns::Candidates))
        }
        (WorldWire::Candidates(_), _) => {
            Err(("candidates are graded, pass or fail", "use a pointwise judge"))
        }
        (WorldWire::Clusters(_), JudgeWire::Pointwise(_)) => Ok(Gives::Sheet(Columns::Clusters)),
        (WorldWire::Clusters(_), _) => {
            Err(("answers in clusters are graded, pass or fail", "use a pointwise judge"))
        }
        (_, JudgeWire::Scoring(_)) => Err((
            "a scoring judge scores answers one by one, and this world compares them",
            "use a world.lengths or a world.rated, or a pairwise judge",
        )),
        (_, judge) => {
            let asked = if judge.grades() { Asked::Each } else { protocol.orders.into() };
            let (repeats, combine) = (protocol.repeats.0, protocol.combine);
            Ok(Gives::Pairs(Protocol { asked, repeats, combine }))
        }
    }
}

impl Gives {
    /// Whether it feeds a rule.
    ///
    /// # Errors
    /// What is missing, and the remedy.
    pub(super) fn feeds(self, it: &Estimator) -> Result<(), (&'static str, &'static str)> {
        match (self, &it.sheet) {
            (Self::Pairs(protocol), None) => protocol.feeds(&it.needs),
            (Self::Sheet(columns), Some(rule)) if columns == rule.columns => Ok(()),
            (_, Some(rule)) => Err(match rule.columns {
                Columns::Lengths => (
                    "it needs scores of one answer at several lengths",
                    "use a world.lengths and scoring judges",
                ),
                Columns::Systems => {
                    ("it needs scores of two systems", "use a world.rated and scoring judges")
                }
                Columns::Candidates => (
                    "it needs candidates to choose from",
                    "use a world.candidates and pointwise judges",
                ),
                Columns::Clusters => (
                    "it needs graded answers in clusters",
                    "use a world.clusters and pointwise judges",
                ),
            }),
            (Self::Sheet(_), None) => {
                Err(("it needs pairs", "use a world of pairs, or a rule on scores"))
            }
        }
    }
}

/// A world of pairs that holds no case: its answers are scored one by one.
fn unpaired(scored: Scored, drawn: Drawn) -> Built {
    let systems = ["A", "B"].map(|it| Answer { system: it.into(), family: it.into() });
    let world = World { systems, kinds: Vec::new(), cases: Vec::new(), strata: Vec::new() };
    let has_lengths = !scored.ruled.lengths.is_empty();
    Built { world: Arc::new(world), has_lengths, drawn, scored: Some(Arc::new(scored)), file: None }
}

/// One answer at several lengths.
pub(super) fn lengths(scored: Scored) -> Built {
    unpaired(scored, Drawn::Once)
}

/// Candidates on cases, and on as many fresh ones.
pub(super) fn candidates(wire: &CandidatesWire) -> Built {
    let scored = Scored::candidates(wire.cases.0, wire.candidates.0, wire.rate);
    unpaired(scored, Drawn::Anew)
}

/// Graded answers to cases in clusters.
pub(super) fn clusters(wire: &ClustersWire) -> Built {
    let odds = [wire.mean.get(), wire.sd.get()];
    let claimed = wire.claimed.map(Probability::get);
    unpaired(Scored::clusters(wire.sizes.get(), odds, claimed), Drawn::Anew)
}

/// Two systems, rated one by one or compared.
pub(super) fn rated(wire: &RatedWire, found: &mut Vec<Found>) -> Option<Built> {
    let systems = worlds::answers(&wire.systems, None, "world.rated", found)?;
    let gap = wire.gap.get();
    let kind = Kind {
        gap: Gap::Fixed { gap, gold: Gold::of(gap, 0.0) },
        length: Length::Fixed(0.0),
        marks: Marks::default(),
    };
    let scored = Scored::systems(wire.cases.0, &wire.systems, gap);
    let cases = scored.cases.iter().map(|id| Case { id: id.clone(), kind: 0 }).collect();
    Some(Built {
        world: Arc::new(World { systems, kinds: vec![kind], cases, strata: Vec::new() }),
        has_lengths: false,
        drawn: Drawn::Once,
        scored: Some(Arc::new(scored)),
        file: None,
    })
}

/// What a study that scores answers one by one cannot ask for.
pub(super) fn check_study(wire: &Wire, found: &mut Vec<Found>) {
    if 1 < wire.protocol.repeats.0 {
        let rule = "an answer is scored once";
        found.push(Found::new("protocol.repeats", rule, "leave `repeats` out"));
    }
    if wire.estimate.target == Some(Target::World) {
        let rule = "scores are compared with what is expected over all sessions and worlds";
        found.push(Found::new("estimate.target", rule, "leave `target` out"));
    }
}

/// The judge of a sheet, if it is one.
pub(super) fn rater(
    name: &str,
    judge: &JudgeWire,
    built: &Built,
    found: &mut Vec<Found>,
) -> Option<Rater> {
    match judge {
        JudgeWire::Scoring(judge) => {
            check_scoring(name, judge, built, found);
            Some(Rater::Scoring(judge.clone()))
        }
        JudgeWire::Pointwise(judge) => {
            rules::check_pointwise(name, judge, found);
            check_graded(name, judge, found);
            Some(Rater::Grading(judge.clone()))
        }
        _ => None,
    }
}

/// Scores are in order, and a length bias needs lengths.
fn check_scoring(name: &str, judge: &Scoring, built: &Built, found: &mut Vec<Found>) {
    let at = |key: &str| show_path(["judges", name, "scoring", key]);
    if judge.high <= judge.low || HIGHEST < judge.high {
        let rule = format!(
            "scores run from low to a higher one of at most {HIGHEST}, not from {} to {}",
            judge.low, judge.high
        );
        found.push(Found::new(&at("high"), rule, "set low = 1 and high = 5"));
    }
    if judge.slope != Points::ZERO && !built.has_lengths {
        let (rule, remedy) =
            ("the world tells no lengths", "use a world.lengths, or set slope = 0");
        found.push(Found::new(&at("slope"), rule, remedy));
    }
}

/// An answer that is looked at by itself passes or fails.
fn check_graded(name: &str, judge: &Pointwise, found: &mut Vec<Found>) {
    if judge.invalid != Probability::ZERO {
        let rule = "a single answer passes or fails here, so every reply must be a verdict";
        let at = show_path(["judges", name, "pointwise", "invalid"]);
        found.push(Found::new(&at, rule, "leave `invalid` out"));
    }
}
