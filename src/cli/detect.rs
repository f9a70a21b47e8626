//! `judgelab detect` and `judgelab plan`: what could have been seen, and what it takes to see it.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use judgelab::quantity::{Level, NonNegative, Positive, Probability};
use judgelab::report;
use judgelab::scenario::{Overrides, Plan};
use judgelab::study::detect::{self as study, Answer, Bias, Question, Test, Truth};

use super::error::Failure;
use super::interrupt::Running;
use super::search::{InScenario, Search};
use super::source::{plainly, read_all};

/// A bias by its name on the command line.
#[derive(Clone, Copy, Debug)]
struct Named(Bias);

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Named; 8] = {
            let mut all = [Named(Bias::Position); 8];
            let mut k = 0;
            while k < 8 {
                all[k] = Named(Bias::ALL[k]);
                k += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.summary()))
    }
}

/// A test by its name on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TestName {
    /// Its size never exceeds the level
    Exact,
    /// The observed count weighs one half; the default where there is one
    MidP,
    /// The asymptotic test, its power summed exactly
    Asymptotic,
    /// The asymptotic test, planned by the published normal approximation
    Z,
}

impl From<TestName> for Test {
    fn from(it: TestName) -> Self {
        match it {
            TestName::Exact => Self::Exact,
            TestName::MidP => Self::MidP,
            TestName::Asymptotic => Self::Asymptotic,
            TestName::Z => Self::Z,
        }
    }
}

/// What both commands take.
#[derive(Debug, clap::Args)]
struct Known {
    /// What is looked for
    #[arg(required_unless_present = "scenario", conflicts_with = "scenario")]
    bias: Option<Named>,
    /// The power that is wanted; 0.8 by default
    #[arg(long, value_name = "P", value_parser = number, allow_negative_numbers = true)]
    power: Option<f64>,
    /// The confidence level; tests reject when p <= 1 - level; 0.95 by default
    #[arg(long, value_name = "L", value_parser = level, allow_negative_numbers = true)]
    level: Option<Level>,
    /// The test
    #[arg(long, value_name = "TEST")]
    test: Option<TestName>,
    /// Log-odds that a unit of true difference moves the judge
    #[arg(long, value_name = "X", value_parser = number, allow_negative_numbers = true)]
    ability: Option<f64>,
    /// The same, told as the log-odds of the better answer in every pair
    #[arg(long, value_name = "X", value_parser = number, allow_negative_numbers = true, conflicts_with = "ability")]
    item_effect: Option<f64>,
    /// Standard deviation of the judge's own opinion of a pair, in log-odds
    #[arg(long, value_name = "SD", value_parser = spread, allow_negative_numbers = true)]
    taste: Option<f64>,
    /// Which system is truly better: random, even, first, or a file of true differences
    #[arg(long, value_name = "TRUTH")]
    truth: Option<String>,
    /// In place of a judge: the share of pairs that flip, at the bias sought
    #[arg(long, value_name = "F", value_parser = share, allow_negative_numbers = true)]
    flip_rate: Option<f64>,
    /// The share of cases on which the two systems differ
    #[arg(long, value_name = "F", value_parser = share, allow_negative_numbers = true)]
    discordant: Option<f64>,
    /// The pass rate without a change
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true)]
    rate: Option<f64>,
    /// Doublings by which one answer of a pair is longer
    #[arg(long, value_name = "X", value_parser = doublings, allow_negative_numbers = true)]
    doublings: Option<f64>,
    /// The kappa of the null
    #[arg(long, value_name = "K", value_parser = number, allow_negative_numbers = true)]
    kappa0: Option<f64>,
    /// The share of "yes" of both raters
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true, conflicts_with = "raters")]
    prevalence: Option<f64>,
    /// The share of "yes" of each rater
    #[arg(long, value_names = ["P", "Q"], num_args = 2, value_parser = share, allow_negative_numbers = true)]
    raters: Option<Vec<f64>>,
    /// Test one side only
    #[arg(long)]
    one_sided: bool,
    #[command(flatten)]
    scenario: InScenario,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is typed after `detect`.
#[derive(Debug, clap::Args)]
pub(super) struct DetectArgs {
    #[command(flatten)]
    known: Known,
    /// Pairs, cases, labels or repeats at hand
    #[arg(long, visible_aliases = ["cases", "labels", "repeats", "items"], value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pairs: Option<u64>,
}

/// What is typed after `plan`.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    known: Known,
    /// The effect to be seen, in its own unit: log-odds, a share, a kappa
    #[arg(long = "bias", visible_aliases = ["effect", "kappa", "drop", "margin"], value_name = "X", value_parser = number, allow_negative_numbers = true)]
    bias_size: Option<f64>,
    /// Shares of cases that only the one and only the other system passes; for drift the pass rates before and after
    #[arg(long, value_names = ["P", "Q"], num_args = 2, value_parser = share, allow_negative_numbers = true)]
    rates: Option<Vec<f64>>,
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|it| it.is_finite())
        .ok_or_else(|| "a number is expected here; write it in digits".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    number(text).and_then(Probability::new).map(Probability::get)
}

fn spread(text: &str) -> Result<f64, String> {
    number(text).and_then(NonNegative::new).map(NonNegative::get)
}

fn doublings(text: &str) -> Result<f64, String> {
    number(text).and_then(Positive::new).map(Positive::get)
}

pub(super) fn level(text: &str) -> Result<Level, String> {
    number(text).and_then(Level::new)
}

fn count(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| "a whole number above 0 is expected here; write it in digits".to_owned())
}

impl Known {
    /// The flags that were typed, and the biases that know them.
    fn refuse_strange(&self, bias: &str) -> Result<(), Failure> {
        const JUDGED: &[&str] = &["position", "self-preference", "length"];
        const FLIPPED: &[&str] = &["position", "self-preference", "length", "equivalence"];
        const AGREED: &[&str] = &["agreement"];
        let typed: [(&str, bool, &[&str]); 11] = [
            ("--ability", self.ability.is_some(), JUDGED),
            ("--item-effect", self.item_effect.is_some(), JUDGED),
            ("--taste", self.taste.is_some(), JUDGED),
            ("--truth", self.truth.is_some(), JUDGED),
            ("--flip-rate", self.flip_rate.is_some(), FLIPPED),
            ("--discordant", self.discordant.is_some(), &["difference"]),
            ("--rate", self.rate.is_some(), &["pass-rate", "drift"]),
            ("--doublings", self.doublings.is_some(), &["length"]),
            ("--kappa0", self.kappa0.is_some(), AGREED),
            ("--prevalence", self.prevalence.is_some() || self.raters.is_some(), AGREED),
            ("--one-sided", self.one_sided, AGREED),
        ];
        let strange = typed.iter().find(|it| it.1 && !it.2.contains(&bias));
        let Some((flag, _, known)) = strange else { return Ok(()) };
        Err(Failure::User(format!(
            "{flag}: {bias} does not look at it; it belongs to {}.",
            known.join(", ")
        )))
    }

    fn question(&self, bias: Bias) -> Result<Question, Failure> {
        self.refuse_strange(bias.name())?;
        let margins = match (self.raters.as_deref(), self.prevalence) {
            (Some([p, q]), _) => [*p, *q],
            (_, Some(p)) => [p; 2],
            _ => [0.5; 2],
        };
        let usual = Question::about(bias);
        Ok(Question {
            test: self.test.map(Test::from),
            level: self.level.unwrap_or(usual.level),
            power: self.power.unwrap_or(usual.power),
            one_sided: self.one_sided,
            ability: self.ability.or(self.item_effect),
            taste: self.taste.unwrap_or(usual.taste),
            truth: self.truth.as_deref().map_or(Ok(Truth::Random), truth)?,
            flip_rate: self.flip_rate,
            discordant: self.discordant,
            rate: self.rate,
            margins,
            kappa: self.kappa0.unwrap_or(usual.kappa),
            doublings: self.doublings.unwrap_or(usual.doublings),
            ..usual
        })
    }

    fn print(&self, what: &str, answer: Result<Answer, study::Impossible>) -> Result<(), Failure> {
        let answer = answer.map_err(|it| Failure::User(format!("{what}: {}", it.0)))?;
        super::print(&if self.json {
            report::detect::json(&answer)
        } else {
            report::detect::text(&answer)
        })
    }

    /// What a scenario is asked; without a parameter, the number of its pairs or cases where `sizes` is set.
    fn in_scenario(&self, file: &Path, sizes: bool) -> Result<(), Failure> {
        self.refuse_strange("a scenario")?;
        for (flag, typed) in [("--test", self.test.is_some()), ("--level", self.level.is_some())] {
            if typed {
                return Err(Failure::User(format!(
                    "{flag}: a scenario says this itself; choose by --estimator, or edit it."
                )));
            }
        }
        let all = read_all(&[file.to_owned()], Overrides::default())?;
        let one = all
            .first()
            .ok_or_else(|| Failure::User(format!("{}: no scenario.", file.display())))?;
        let asked = &self.scenario;
        let named = |plan: &&Plan| asked.study.is_none() || plan.name == asked.study;
        let mut plans = one.plans.iter().filter(named);
        let (plan, other) = (plans.next(), plans.next());
        let (Some(plan), None) = (plan, other) else {
            let names: Vec<&str> = one.plans.iter().filter_map(|it| it.name.as_deref()).collect();
            return Err(Failure::User(format!(
                "{}: one study is asked about; give --study with one of {}.",
                one.source.name,
                names.join(", ")
            )));
        };
        let running = Running::watched();
        let search = Search { asked, power: self.power, sizes, plan, source: &one.source };
        let answer = search.run(Overrides::default(), &|_| !running.stopped());
        if running.stopped() {
            return Err(Failure::Interrupted(Some(
                "interrupted; nothing was found yet.".to_owned(),
            )));
        }
        self.print(&one.source.name, answer)
    }
}

/// A truth by its word, or from a file of numbers.
fn truth(text: &str) -> Result<Truth, Failure> {
    match text {
        "random" => Ok(Truth::Random),
        "even" => Ok(Truth::Even),
        "first" => Ok(Truth::First),
        file => given(Path::new(file)).map(Truth::Given),
    }
}

fn given(file: &Path) -> Result<Vec<f64>, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::User(format!(
            "--truth {name}: the file cannot be read ({}); give random, even, first, or a file of true differences.",
            plainly(&error)
        ))
    })?;
    let mut gaps = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let content = content.split('#').next().unwrap_or("");
        for word in content.split([',', ' ', '\t']).filter(|word| !word.is_empty()) {
            let gap: f64 = word.parse().unwrap_or(f64::NAN);
            if gap.is_nan() || 1e6 < gap.abs() {
                return Err(Failure::User(format!(
                    "{name}:{}: {word} is no true difference; write one finite number a pair.",
                    line + 1
                )));
            }
            gaps.push(gap);
        }
    }
    Ok(gaps)
}

pub(super) fn detect(args: &DetectArgs) -> Result<(), Failure> {
    let known = &args.known;
    let bias = match (known.bias, &known.scenario.scenario) {
        (Some(Named(bias)), _) => bias,
        (None, Some(file)) => return known.in_scenario(file, false),
        (None, None) => return Ok(()),
    };
    let question = known.question(bias)?;
    let given = match &question.truth {
        Truth::Given(gaps) => u64::try_from(gaps.len()).ok(),
        _ => None,
    };
    let size = args.pairs.or(given).ok_or_else(|| {
        Failure::User(format!(
            "{}: the answer depends on how many there are; give --pairs (or --cases, --labels, --repeats).",
            bias.name()
        ))
    })?;
    known.print(bias.name(), study::detect(&question, size))
}

pub(super) fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let known = &args.known;
    let bias = match (known.bias, &known.scenario.scenario) {
        (Some(Named(bias)), _) => bias,
        (None, Some(file)) => return known.in_scenario(file, true),
        (None, None) => return Ok(()),
    };
    let mut question = known.question(bias)?;
    let mut effect = args.bias_size;
    if let Some([p, q]) = args.rates.as_deref() {
        let (p, q) = (p.max(*q), p.min(*q));
        match bias {
            Bias::Difference => question.discordant = Some(p + q),
            Bias::Drift | Bias::PassRate => question.rate = Some(p),
            _ => {
                return Err(Failure::User(format!(
                    "--rates: {} does not look at it; it belongs to difference, pass-rate, drift.",
                    bias.name()
                )));
            }
        }
        effect = Some(p - q);
    }
    let effect = effect.ok_or_else(|| {
        Failure::User(format!(
            "{}: the answer depends on the effect to be seen; give --bias (or --effect, --drop, --margin, --kappa, --rates).",
            bias.name()
        ))
    })?;
    known.print(bias.name(), study::plan(&question, effect))
}
