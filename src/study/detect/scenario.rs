//! A parameter of a scenario: the value at which a rule's power reaches a target, exactly where its law can be summed.

use std::collections::BTreeMap;

use super::prepared::Also;
use super::search::{Effect, Told, smallest_effect, smallest_size};
use super::simulated::{self, Simulation};
use super::{Answer, Around, Impossible, Method, Sought};
use crate::estimators::{Estimator, Settings};
use crate::evidence::Asked;
use crate::exact::{self, Laws, Power, Unfit};
use crate::protocol::Task;
use crate::scenario::Plan;

/// Values of a coefficient, of a probability, and of what is half a probability: the first that the scenario takes ends the
/// search.
const ENDS: [f64; 4] = [50.0, 10.0, 1.0, 0.5];
/// The largest number of cases that is looked at, unless one is given.
const MOST_CASES: u64 = 4_000;
/// The same of repeats and other whole numbers.
const MOST_WHOLE: u64 = 64;

/// What is looked for in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter<'s> {
    /// The path of the number that is sought.
    pub path: &'s str,
    /// The power that is wanted.
    pub power: f64,
    /// The judge, where there are several.
    pub judge: Option<&'s str>,
    /// The rule, or the rule with its variant, where several have a test.
    pub estimator: Option<&'s str>,
    /// The value without the effect.
    pub from: f64,
    /// The last value that is looked at, on either side of `from`.
    pub to: Option<f64>,
}

/// Builds the scenario with a value at the path, written as a whole number where that is set.
pub type PlanAt<'p> = &'p mut dyn FnMut(f64, bool) -> Result<Plan, String>;

/// A search in a scenario.
pub(super) struct Search<'s, 'p> {
    pub wanted: &'s Parameter<'s>,
    pub plan_at: PlanAt<'p>,
    pub simulation: Simulation<'s>,
    /// The first replicate that nothing was simulated with yet.
    pub fresh: u64,
    /// Powers that were summed already, by the bits of their value.
    known: BTreeMap<u64, Power>,
    /// Whether a power had no exact sum.
    lawless: bool,
}

/// A number that is looked for: from no effect to the end of the search.
pub(super) struct Way {
    pub from: f64,
    /// 1 where values rise, -1 where they fall.
    pub sign: f64,
    /// How far the end lies.
    pub reach: f64,
    /// The first step.
    pub step: f64,
}

impl Way {
    pub(super) fn at(&self, distance: f64) -> f64 {
        self.from + self.sign * distance
    }
}

/// The smallest value of a parameter at which the chosen rule's power reaches the target; for a number of pairs or cases, the
/// smallest from which it stays. Powers are summed where there is a law to sum, and simulated where there is none.
///
/// # Errors
/// One sentence why there is none.
pub fn in_scenario(
    wanted: &Parameter<'_>,
    simulation: Simulation<'_>,
    plan_at: PlanAt<'_>,
) -> Result<Answer, Impossible> {
    if !(0.0 < wanted.power && wanted.power < 1.0) {
        return Err(Impossible(format!(
            "a power of {} is never reached with certainty: ask for one above 0 and below 1, such as 0.8.",
            wanted.power
        )));
    }
    let mut search = Search {
        wanted,
        plan_at,
        simulation,
        fresh: simulated::FIRST,
        known: BTreeMap::new(),
        lawless: false,
    };
    match (search.plan_at)(wanted.from + 0.375, false) {
        Ok(plan) => search.answered(&plan, true),
        Err(why) => match (search.plan_at)(libm::ceil(wanted.from.max(1.0)), true) {
            Ok(plan) => search.answered(&plan, false),
            Err(_) => Err(sentence(format!("{}: {why}", wanted.path))),
        },
    }
}

impl Search<'_, '_> {
    /// Exactly, unless there is no law to sum.
    fn answered(&mut self, plan: &Plan, by_number: bool) -> Result<Answer, Impossible> {
        let (task, _) = self.chosen(plan)?;
        if task.sheet.is_none() && !self.simulation.always {
            let answer = if by_number { self.number() } else { self.whole(plan) };
            if !self.lawless {
                return answer;
            }
        }
        if by_number { self.number_by_simulation() } else { self.whole_by_simulation(plan) }
    }

    /// The task and the rule that are looked at.
    pub(super) fn chosen(&self, plan: &Plan) -> Result<(Task, &'static Estimator), Impossible> {
        let wanted = self.wanted;
        let mut all: Vec<(&Task, &'static Estimator)> = Vec::new();
        for task in &plan.tasks {
            if wanted.judge.is_none_or(|judge| *task.judge == *judge) {
                all.extend(
                    task.estimators.iter().filter(|it| it.null.is_some()).map(|it| (task, *it)),
                );
            }
        }
        let before: Vec<String> =
            all.iter().map(|it| format!("{} of {}", it.1.name(), it.0.judge)).collect();
        if let Some(name) = wanted.estimator {
            let whole = all.iter().any(|it| it.1.name() == name);
            all.retain(|it| it.1.name() == name || !whole && it.1.rule == name);
        }
        // Variants of one rule about one judge have one to rely on.
        let alike = |it: &(&Task, &'static Estimator)| {
            all.first().is_some_and(|one| one.1.rule == it.1.rule && one.0.judge == it.0.judge)
        };
        if all.iter().all(alike) && all.iter().filter(|it| it.1.chosen).count() == 1 {
            all.retain(|it| it.1.chosen);
        }
        match all.as_slice() {
            [(task, rule)] => Ok(((*task).clone(), rule)),
            [] => Err(Impossible(format!(
                "no such judge has such a rule with a test; there is {}.",
                if before.is_empty() { "none".to_owned() } else { before.join(", ") }
            ))),
            many => {
                let names: Vec<String> =
                    many.iter().map(|it| format!("{} of {}", it.1.name(), it.0.judge)).collect();
                Err(Impossible(format!(
                    "several rules have a test: choose the judge and the estimator among {}.",
                    names.join(", ")
                )))
            }
        }
    }

    fn power(&mut self, value: f64, whole: bool) -> Result<Power, Impossible> {
        if let Some(known) = self.known.get(&value.to_bits()) {
            return Ok(*known);
        }
        let plan = (self.plan_at)(value, whole)
            .map_err(|why| sentence(format!("{} = {value}: {why}", self.wanted.path)))?;
        let (task, rule) = self.chosen(&plan)?;
        let power =
            exact::power(&task.design, rule, plan.settings).map_err(|it| self.no_law(it))?;
        self.known.insert(value.to_bits(), power);
        Ok(power)
    }

    /// From where to where a number is looked for.
    pub(super) fn way(&mut self) -> Result<Way, Impossible> {
        let wanted = self.wanted;
        let end = match wanted.to {
            Some(end) => end,
            None => ENDS
                .into_iter()
                .find(|end| wanted.from < *end && (self.plan_at)(*end, false).is_ok())
                .ok_or_else(|| {
                    Impossible(format!(
                        "{}: no end of the search is known; give --to.",
                        wanted.path
                    ))
                })?,
        };
        let (sign, reach) = ((end - wanted.from).signum(), libm::fabs(end - wanted.from));
        Ok(Way { from: wanted.from, sign, reach, step: (reach / 256.0).min(0.0625) })
    }

    fn number(&mut self) -> Result<Answer, Impossible> {
        let wanted = self.wanted;
        let way = self.way()?;
        let (at, reach) = (|distance| way.at(distance), way.reach);
        let plan = (self.plan_at)(at(reach), false).map_err(sentence)?;
        let (task, rule) = self.chosen(&plan)?;
        let size = task.cases();
        let counted = counted(&task);
        let range = Effect { null: 0.0, most: reach, step: way.step };
        let mut power = |distance: f64, _: u64| self.power(at(distance), false).map(Some);
        let words = Told { effect: wanted.path, unit: "", counted, target: wanted.power, size };
        let found = smallest_effect(&mut power, size, wanted.power, range, None)
            .map_err(|missed| missed.told(&words))?;
        let value = at(found.value);
        let mut around = Vec::new();
        for share in [0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5] {
            let distance = share * found.value;
            if distance <= reach {
                let power = self.power(at(distance), false)?.value;
                around.push(Around { effect: at(distance), size, power, trials: None });
            }
        }
        let (power, null) = (self.power(value, false)?, self.power(wanted.from, false)?);
        let by = (found.interval[1] - found.interval[0]) / 2.0;
        let plan = (self.plan_at)(value, false).map_err(sentence)?;
        let settings = plan.settings;
        let mut answer = self.answer(&task, rule, settings, Sought::Effect { size }, value);
        (answer.interval, answer.around) = ([value - by, value + by], around);
        (answer.power, answer.size) = (Some(power), Some(null));
        answer.also = self.should_say(&plan)?;
        Ok(answer)
    }

    /// What the rule should say at the answer.
    pub(super) fn should_say(&self, plan: &Plan) -> Result<Vec<Also>, Impossible> {
        let (task, rule) = self.chosen(plan)?;
        let task = Task { estimators: vec![rule], ..task };
        let estimand =
            super::super::truths(&task, &plan.settings).pop().and_then(|it| it.estimand.ok());
        let name = format!("what {} should say there", rule.name());
        Ok(estimand
            .map(|value| Also { name, value, unit: rule.scale.unit() })
            .into_iter()
            .collect())
    }

    /// Whether cases are counted, and the largest number that is looked at.
    pub(super) fn wholes(&self) -> (bool, u64) {
        let cases = matches!(self.wanted.path.rsplit('.').next(), Some("pairs" | "cases"));
        let most = if cases { MOST_CASES } else { MOST_WHOLE };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        (cases, self.wanted.to.map_or(most, |to| to.clamp(1.0, 1e6) as u64))
    }

    fn whole(&mut self, plan: &Plan) -> Result<Answer, Impossible> {
        let wanted = self.wanted;
        let (task, rule) = self.chosen(plan)?;
        let settings = plan.settings;
        let (cases, most) = self.wholes();
        let mut curve = |to: u64| if cases { self.prefixes(to) } else { self.each(to) };
        let near = if cases { 100 } else { most };
        let sizes = smallest_size(&mut curve, wanted.power, near, most)?.ok_or_else(|| {
            Impossible(format!(
                "no {} up to {most} reaches a power of {}.",
                wanted.path, wanted.power
            ))
        })?;
        let powers = curve(sizes.scanned)?;
        let power = |n: u64| usize::try_from(n - 1).ok().and_then(|at| powers.get(at).copied());
        let around = super::neighbours(&sizes);
        let around = around.into_iter().filter_map(|n| {
            Some(Around { effect: n as f64, size: n, power: power(n)?.value, trials: None })
        });
        let around = around.collect();
        let value = sizes.good as f64;
        let sought = Sought::Size { effect: value, first: sizes.first, scanned: sizes.scanned };
        let mut answer = self.answer(&task, rule, settings, sought, value);
        (answer.around, answer.power) = (around, power(sizes.good));
        if !cases {
            answer.counted = "verdicts an order";
        }
        Ok(answer)
    }

    /// Powers at the first cases of a world.
    fn prefixes(&mut self, to: u64) -> Result<Vec<Power>, Impossible> {
        let plan = (self.plan_at)(to as f64, true).map_err(sentence)?;
        let (task, rule) = self.chosen(&plan)?;
        let laws = Laws::of(&task.design, rule).map_err(|it| self.no_law(it))?;
        laws.curve(rule, plan.settings).map_err(|it| self.no_law(it))
    }

    /// Takes note that the law is wanting: a simulation answers in its place.
    fn no_law(&mut self, unfit: Unfit) -> Impossible {
        self.lawless = true;
        Impossible::because(match unfit {
            Unfit::MoreThanAPlane => {
                "this rule's test reads more sums than an exact power can follow."
            }
            Unfit::TooLarge => "the law of this evidence is too large to sum exactly.",
        })
    }

    fn each(&mut self, to: u64) -> Result<Vec<Power>, Impossible> {
        (1..=to).map(|value| self.power(value as f64, true)).collect()
    }

    pub(super) fn answer(
        &self,
        task: &Task,
        rule: &'static Estimator,
        settings: Settings,
        sought: Sought,
        value: f64,
    ) -> Answer {
        let counted = counted(task);
        let test = if rule.variant.is_empty() { rule.rule } else { rule.variant };
        let path = self.wanted.path;
        let odds = ["position", "length", "self", "family", "ability", "taste"];
        let unit = if path.ends_with("scoring.slope") {
            "score points per doubling"
        } else if odds.iter().any(|it| path.ends_with(it)) {
            "log-odds"
        } else {
            ""
        };
        Answer {
            sought,
            bias: "scenario",
            effect: path.to_owned(),
            value,
            unit: if matches!(sought, Sought::Size { .. }) { counted } else { unit },
            counted,
            interval: [value, value],
            target: self.wanted.power,
            power: None,
            size: None,
            method: Method::Exact,
            test: test.to_owned(),
            rule: super::alike::told(rule),
            level: settings.level.get(),
            sides: 2,
            assumed: vec![("judge", task.judge.to_string())],
            also: Vec::new(),
            beside: Vec::new(),
            around: Vec::new(),
            simulated: None,
        }
    }
}

/// A reason with its full stop.
pub(super) fn sentence(why: String) -> Impossible {
    Impossible(if why.ends_with(['.', '?', ')']) { why } else { why + "." })
}

pub(super) fn counted(task: &Task) -> &'static str {
    let each = task.sheet.is_some() || task.design.protocol.asked == Asked::Each;
    if each { "cases" } else { "pairs" }
}
