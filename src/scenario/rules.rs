//! The rules of a study and the judges they look at: what is asked for, and what can be had.

use std::sync::Arc;

use indexmap::IndexMap;

use super::document::show_path;
use super::found::{Found, meant};
use super::scored::{Gives, gives};
use super::wire::{JudgeWire, Wire};
use super::worlds::{Built, shares_rule};
use crate::estimators::{ESTIMATORS, Estimator, MOST_WEIGHED, panel, rules};
use crate::evidence::Judges;
use crate::judges::{Link, Pairwise, Pointwise};
use crate::protocol::Seat;
use crate::quantity::{LogOdds, NonNegative, Probability};
use crate::world::{Wanted, World};

/// The rules that a study names, in all their variants.
pub(super) struct Rules {
    chosen: Vec<&'static Estimator>,
    /// Whether a judge looks its verdicts up by row.
    rows: bool,
}

impl Rules {
    /// Looks the names up. A rule that no judge of the study can feed is a mistake.
    pub(super) fn new(study: &Wire, found: &mut Vec<Found>) -> Self {
        let wire = &study.estimate;
        if wire.rules.is_empty() {
            let known = rules().join(", ");
            let remedy = format!("there are {known}");
            found.push(Found::new("estimate.rules", "a study needs a rule", remedy).alone());
        }
        let given = given(study, found);
        let mut chosen: Vec<&'static Estimator> = Vec::new();
        for (k, rule) in wire.rules.iter().enumerate() {
            let at = format!("estimate.rules.{k}");
            if wire.rules[..k].contains(rule) {
                found.push(Found::new(&at, "this rule is named twice", "name it once").alone());
                continue;
            }
            let variants: Vec<_> =
                ESTIMATORS.iter().copied().filter(|it| it.rule == rule).collect();
            let Some(first) = variants.first() else {
                let known = rules();
                let rule = format!("there is no rule \"{rule}\"");
                found.push(
                    Found::new(&at, rule, meant(&wire.rules[k], known.iter().copied())).alone(),
                );
                continue;
            };
            let fed = |it: &&Estimator| given.iter().any(|given| given.feeds(it).is_ok());
            if let (false, Some(given)) = (variants.iter().any(fed), given.first())
                && let Err((why, remedy)) = given.feeds(first)
            {
                let rule = format!("this protocol cannot feed \"{rule}\": {why}");
                found.push(Found::new(&at, rule, remedy));
            }
            chosen.extend(variants);
        }
        // Kappa is never printed alone: it moves with how common the classes are.
        if wire.rules.iter().any(|rule| rule == "kappa")
            && wire.rules.iter().all(|rule| rule != "accuracy")
        {
            chosen.extend(ESTIMATORS.iter().copied().filter(|it| it.rule == "accuracy"));
        }
        Self { chosen, rows: study.judges.values().any(JudgeWire::looks_up) }
    }

    /// The rules that are fed by what a judge gives, that look at these judges together, and that speak of one of so many strata.
    pub(super) fn fed_by(
        &self,
        given: Gives,
        judges: Judges,
        strata: usize,
    ) -> Vec<&'static Estimator> {
        let fed = |it: &&&Estimator| {
            let beyond =
                it.needs.strata && it.variant.parse::<usize>().is_ok_and(|one| strata < one);
            it.needs.judges == judges && given.feeds(it).is_ok() && !beyond
        };
        self.chosen.iter().filter(fed).copied().collect()
    }

    /// What a rule looks at, the world must tell: strata and their shares, labelled and unlabelled cases.
    pub(super) fn check_world(&self, world: &World, found: &mut Vec<Found>) {
        let mut told: Vec<&str> = Vec::new();
        for it in &self.chosen {
            if told.contains(&it.rule) {
                continue;
            }
            told.push(it.rule);
            if it.rule == "stratified-rate" && MOST_WEIGHED < world.strata.len() {
                let strata = world.strata.len();
                let rule =
                    format!("at most {MOST_WEIGHED} strata are weighed, and there are {strata}");
                found.push(Found::new("estimate.rules", rule, "join small strata"));
                continue;
            }
            let labelled = world.kinds.iter().any(|it| it.marks.labelled);
            let (what, remedy) = if it.needs.strata && world.strata.is_empty() {
                ("strata", "add a table [world.graded.strata.NAME], or a column `stratum`")
            } else if it.rule == "stratified-rate"
                && world.strata.iter().any(|it| it.share.is_none())
            {
                ("the shares of the strata", "add weights = { NAME = 0.4, ... } under [estimate]")
            } else if it.rule == "corrected-rate" && !(labelled && world.has_unlabelled()) {
                ("labelled and unlabelled cases", "add labels = { random = 200 } to a graded world")
            } else {
                continue;
            };
            let rule = format!("\"{}\" needs {what}, and the world does not tell them", it.rule);
            found.push(Found::new("estimate.rules", rule, remedy));
        }
    }

    /// What they look at besides truth and lengths.
    pub(super) fn wanted(&self) -> Wanted {
        let strata = self.chosen.iter().any(|it| it.needs.strata);
        Wanted { strata, rows: self.rows, ..Wanted::default() }
    }

    /// The judge that the others are compared with, if a rule needs one.
    pub(super) fn third_party<'s>(
        &self,
        wire: &Wire,
        seats: &'s [Seat],
        found: &mut Vec<Found>,
    ) -> Option<&'s Seat> {
        let rule = self.chosen.iter().find(|it| it.needs.judges == Judges::OwnAndThird)?.rule;
        let names = wire.judges.keys().map(String::as_str);
        let Some(third) = &wire.estimate.third_party else {
            let what = format!("\"{rule}\" compares a judge with a third party");
            found.push(Found::new("estimate.rules", what, "set third-party to a judge's name"));
            return None;
        };
        if wire.judges.len() < 2 {
            let remedy = "add a second table under [judges]";
            found.push(Found::new(
                "estimate.third-party",
                format!("\"{rule}\" needs two judges"),
                remedy,
            ));
            return None;
        }
        let seat = seats.iter().find(|seat| *seat.name == **third);
        if seat.is_none() {
            let what = format!("there is no judge \"{third}\"");
            found.push(Found::new("estimate.third-party", what, meant(third, names)));
        }
        seat
    }
}

/// A world whose strata have the shares that the analyst gives. A share of a stratum that no case is from is kept out: rules
/// see that something is missing.
pub(super) fn weighted(
    built: Built,
    weights: &IndexMap<String, Probability>,
    found: &mut Vec<Found>,
) -> Option<Built> {
    if weights.is_empty() {
        return Some(built);
    }
    let at = "estimate.weights";
    let sum: f64 = weights.values().map(|it| it.get()).sum();
    if 1e-6 < libm::fabs(sum - 1.0) {
        let rule = shares_rule("the weights of the strata", sum);
        found.push(Found::new(at, rule, "give shares of the population that sum to 1"));
        return None;
    }
    let mut world = (*built.world).clone();
    for it in &mut world.strata {
        let Some(share) = weights.get(&it.name) else {
            let rule = format!("the stratum \"{}\" has no weight", it.name);
            found.push(Found::new(at, rule, "give each stratum a share of the population"));
            return None;
        };
        it.share = Some(share.get());
    }
    Some(Built { world: Arc::new(world), ..built })
}

/// What tables and charts call a panel.
pub(super) const PANEL: &str = "panel";

impl Rules {
    /// The judges of the panel, if a rule looks at one.
    pub(super) fn panel(
        &self,
        wire: &Wire,
        seats: &[Seat],
        found: &mut Vec<Found>,
    ) -> Option<Vec<Seat>> {
        let rule = self.chosen.iter().find(|it| it.needs.judges == Judges::Panel)?.rule;
        let Some(names) = &wire.estimate.panel else {
            let what = format!("\"{rule}\" looks at several judges together");
            let remedy = "set panel to a list of judges' names";
            found.push(Found::new("estimate.rules", what, remedy));
            return None;
        };
        let before = found.len();
        if !(2..=panel::MOST_JUDGES).contains(&names.len()) {
            let what =
                format!("a panel has 2 to {} judges, not {}", panel::MOST_JUDGES, names.len());
            found.push(Found::new("estimate.panel", what, "name so many judges"));
        }
        if wire.judges.contains_key(PANEL) {
            let what = "a judge of this name would be taken for the panel of the study";
            found.push(Found::new("judges.panel", what, "give it another name"));
        }
        let mut members = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let at = format!("estimate.panel.{k}");
            let known = wire.judges.keys().map(String::as_str);
            if !wire.judges.contains_key(name) {
                let what = format!("there is no judge \"{name}\"");
                found.push(Found::new(&at, what, meant(name, known)));
            } else if names[..k].contains(name) {
                found.push(Found::new(&at, "this judge is named twice", "name it once"));
            } else if wire.judges[name].grades() {
                let what = "a judge that grades single answers has no vote";
                found.push(Found::new(&at, what, "name judges that compare two answers"));
            }
            // A judge without a seat has a mistake of its own.
            members.extend(seats.iter().find(|seat| *seat.name == **name).cloned());
        }
        (found.len() == before && members.len() == names.len()).then_some(members)
    }
}

/// What the judges of a study give, each once. One that can give nothing is a mistake.
fn given(study: &Wire, found: &mut Vec<Found>) -> Vec<Gives> {
    let mut all: Vec<Gives> = Vec::new();
    for (name, judge) in &study.judges {
        match gives(&study.world, judge, &study.protocol) {
            Ok(it) if all.contains(&it) => {}
            Ok(it) => all.push(it),
            Err((rule, remedy)) => {
                found.push(Found::new(&show_path(["judges", name]), rule, remedy));
            }
        }
    }
    all
}

/// A judge goes by its name in tables and charts.
pub(super) fn check_name(name: &str, found: &mut Vec<Found>) {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        let rule = "tables and charts call a judge by its name, and this one cannot be printed";
        found.push(Found::new(&show_path(["judges", name]), rule, "write [judges.NAME.KIND]"));
    }
}

/// A pointwise judge has error rates or one rate of agreement.
pub(super) fn check_pointwise(name: &str, judge: &Pointwise, found: &mut Vec<Found>) {
    let rates = [judge.false_negative, judge.false_positive];
    if judge.agreement.is_some() && rates.iter().any(|rate| *rate != Probability::ZERO) {
        let at = show_path(["judges", name, "pointwise", "agreement"]);
        let rule = "a judge has error rates or one rate of agreement, not both";
        found.push(Found::new(&at, rule, "remove agreement, or false-negative and false-positive"));
    }
}

/// What a pairwise judge says of itself must fit the world.
/// The largest standard deviation of a position preference, in log-odds.
const MOST_LEAN: f64 = 20.0;

pub(super) fn check_pairwise(name: &str, judge: &Pairwise, built: &Built, found: &mut Vec<Found>) {
    let at = |key: &str| show_path(["judges", name, "pairwise", key]);
    let systems = &built.world.systems;
    let mut known = |key: &str,
                     effect: &str,
                     value: Option<&String>,
                     strength: LogOdds,
                     names: [&str; 2]| match value {
        Some(own) if !names.contains(&own.as_str()) => {
            found.push(Found::new(
                &at(key),
                format!("the world has no {effect} \"{own}\""),
                meant(own, names),
            ));
        }
        None if strength != LogOdds::ZERO => {
            let remedy = format!("set {key} to \"{}\" or \"{}\"", names[0], names[1]);
            let rule = format!("a judge that prefers its own {effect} must say which that is");
            found.push(Found::new(&at(if key == "own" { "self" } else { "family" }), rule, remedy));
        }
        _ => {}
    };
    let systems_of = [&*systems[0].system, &*systems[1].system];
    known("own", "system", judge.own.as_ref(), judge.self_preference, systems_of);
    let families = [&*systems[0].family, &*systems[1].family];
    known("own-family", "family", judge.own_family.as_ref(), judge.family, families);
    if judge.position_sd != NonNegative::ZERO && judge.link == Link::ClippedLinear {
        let rule =
            "a judge that leans by a draw has a smooth link, so that its law can be integrated";
        found.push(Found::new(&at("position-sd"), rule, "use the logistic or the probit link"));
    }
    if MOST_LEAN < judge.position_sd.get() {
        let rule = "so far apart all judges but a few always say the first or always the second";
        let remedy = format!("give a standard deviation of at most {MOST_LEAN} log-odds");
        found.push(Found::new(&at("position-sd"), rule, remedy));
    }
    if judge.length != LogOdds::ZERO && !built.has_lengths {
        let (rule, remedy) = ("the world tells no lengths", "give it lengths, or set length = 0");
        found.push(Found::new(&at("length"), rule, remedy));
    }
}
