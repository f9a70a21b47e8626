//! What a scenario is asked: by flags, or by its table `[detect]`.

use std::path::PathBuf;

use judgelab::quantity::Probability;
use judgelab::scenario::{Overrides, Plan, Set};
use judgelab::study::Watch;
use judgelab::study::detect::{self as study, Answer};

use super::detect::number;
use super::source::Source;

/// A question about a scenario of one's own, in place of a bias.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "In a scenario, in place of a bias")]
pub(super) struct InScenario {
    /// A scenario; its table [detect] says what is looked for, where flags do not
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// The study, where the scenario holds several
    #[arg(long, value_name = "NAME", requires = "scenario", conflicts_with = "bias")]
    pub study: Option<String>,
    /// The path of the number that is sought, such as judges.NAME.pairwise.position
    #[arg(long, value_name = "PATH", requires = "scenario", conflicts_with = "bias")]
    pub parameter: Option<String>,
    /// The judge, where there are several
    #[arg(long, value_name = "NAME", requires = "scenario", conflicts_with = "bias")]
    pub judge: Option<String>,
    /// The rule with its variant, such as position-effect/mid-p
    #[arg(long, value_name = "RULE", requires = "scenario", conflicts_with = "bias")]
    pub estimator: Option<String>,
    /// The value without the effect, where the search starts
    #[arg(long, value_name = "X", requires = "scenario", conflicts_with = "bias", value_parser = number, allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// The last value that is looked at
    #[arg(long, value_name = "X", requires = "scenario", conflicts_with = "bias", value_parser = number, allow_negative_numbers = true)]
    pub to: Option<f64>,
    /// Simulate the powers even where they can be summed
    #[arg(long, requires = "scenario", conflicts_with = "bias")]
    pub simulate: bool,
    /// Replicates of a search whose powers are simulated; 20000 by default
    #[arg(long, value_name = "N", requires = "scenario", conflicts_with = "bias", value_parser = super::run::replicates, allow_negative_numbers = true)]
    pub budget: Option<u64>,
}

/// A search in one study of a scenario.
pub(super) struct Search<'a> {
    pub asked: &'a InScenario,
    pub power: Option<f64>,
    /// Whether a number of pairs or cases is sought.
    pub sizes: bool,
    pub plan: &'a Plan,
    pub source: &'a Source,
}

impl Search<'_> {
    pub(super) fn run(
        &self,
        overrides: Overrides,
        watch: Watch<'_>,
    ) -> Result<Answer, study::Impossible> {
        let Self { asked, sizes, plan, source, .. } = *self;
        let table = plan.detect.as_ref();
        let path = match (&asked.parameter, table.filter(|_| !sizes)) {
            (Some(path), _) => path.clone(),
            (None, Some(table)) => table.parameter.clone(),
            (None, None) if sizes => if source.text.contains("world.graded") {
                "world.graded.cases"
            } else if source.text.contains("world.table") {
                "world.table.pairs"
            } else {
                "world.sampled.pairs"
            }
            .to_owned(),
            (None, None) => {
                return Err(study::Impossible(
                    "it has no table [detect]; give --parameter with the path of the number that is sought.".to_owned(),
                ));
            }
        };
        let power = self.power.or(table.and_then(|it| it.power).map(Probability::get));
        let wanted = study::Parameter {
            path: &path,
            power: power.unwrap_or(0.8),
            judge: asked.judge.as_deref().or(table.and_then(|it| it.judge.as_deref())),
            estimator: asked.estimator.as_deref().or(table.and_then(|it| it.estimator.as_deref())),
            from: asked.from.or(table.filter(|_| !sizes).and_then(|it| it.from)).unwrap_or(0.0),
            to: asked.to.or(table.filter(|_| !sizes).and_then(|it| it.to)),
        };
        let budget = asked.budget.or(table.and_then(|it| it.budget).map(|it| it.0));
        let simulation = study::Simulation {
            always: asked.simulate || table.is_some_and(|it| it.simulate),
            budget: budget.unwrap_or(study::BUDGET),
            watch,
        };
        let mut plan_at = |value: f64, whole: bool| {
            let set = Set { study: plan.name.as_deref(), path: &path, value, whole, overrides };
            Plan::with_set(&source.text, &set, &mut |file| source.file(file))
        };
        study::in_scenario(&wanted, simulation, &mut plan_at)
    }
}

/// What the table `[detect]` of a study asks.
pub(super) fn of_table(
    plan: &Plan,
    source: &Source,
    overrides: Overrides,
    watch: Watch<'_>,
) -> Result<Answer, study::Impossible> {
    let asked = &InScenario::default();
    Search { asked, power: None, sizes: false, plan, source }.run(overrides, watch)
}
