//! Grades against labels, and the pass rate that the judge's errors are taken out of.

use serde::{Deserialize, Serialize};

use super::super::jackknife::Items;
use super::super::number::Number;
use super::super::raters::{Raters, cell, raters};
use super::super::{Options, rule};
use super::Case;
use crate::evidence::{Answers, Gold, Item, Order, Sums, Verdict};
use crate::stats::corrected::{Calibration, Count, youden};
use crate::stats::paired::{mcnemar_mid_p, tango};
use crate::verdicts::Labels;

/// How a judge's grades compare with the labels, pass as the first class and fail as the last; of repeats, their majority.
pub type Grading = Raters;

/// A verdict as a class: pass or fail.
const fn class(passes: bool) -> Gold {
    if passes { Gold::A } else { Gold::B }
}

/// Grade by label; none without labels.
pub(super) fn grading(cases: &[Case], options: &Options) -> Option<Grading> {
    let mut items = Items::default();
    for case in cases {
        if let (Some(said), Some(label)) = (case.passes(), case.label_passes()) {
            let mut cells = [0; 9];
            cells[cell(class(said), class(label))] = 1;
            items.add(cells);
        }
    }
    (0 < items.len()).then(|| raters(&items, options))
}

/// What the judge passes minus what the label passes, case by case.
pub(super) fn leniency(cases: &[Case], options: &Options) -> Number {
    let (mut more, mut fewer, mut all) = (0, 0, 0);
    for case in cases {
        if let (Some(said), Some(label)) = (case.passes(), case.label_passes()) {
            all += 1;
            more += u64::from(said && !label);
            fewer += u64::from(!said && label);
        }
    }
    if all == 0 {
        return Number::none("the file holds no label");
    }
    Number::exact((more as f64 - fewer as f64) / all as f64)
        .within(tango(more, fewer, all, options.level.get()))
        .with_p(mcnemar_mid_p(more, fewer))
        .by("paired difference, Tango (1998), and the mid-p test")
}

/// The pass rate of the unlabelled cases, corrected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corrected {
    /// Labelled and unlabelled cases.
    pub labelled: u64,
    /// Cases without a label.
    pub unlabelled: u64,
    /// How the labels are said to have been drawn.
    pub drawn: String,
    /// The correction to rely on; none while nobody says how the labels were drawn.
    pub chosen: Option<String>,
    /// Sensitivity plus specificity less 1, with its interval.
    pub youden: Number,
    /// As graded.
    pub raw: Number,
    /// By the judge's error rates; for labels drawn in any way.
    pub lang_reiczigel: Number,
    /// The same by the delta method.
    pub rogan_gladen: Number,
    /// By the share of true passes among what was passed and failed; for labels drawn at random.
    pub post_stratified: Number,
    /// Prediction-powered; for labels drawn at random.
    pub ppi: Number,
    /// What to do next, or what to mind.
    pub note: String,
}

const ASK: &str = "how the labels were drawn decides between the corrections: say --labels random if they are a random sample of the \
    judged cases, --labels balanced if so many of each label were taken or they are old";
const RANDOM: &str =
    "random labels: what is truly right among what the judge passed and failed carries over";
const BALANCED: &str = "balanced or old labels: only the judge's error rates carry over, not the shares among its verdicts";

/// The corrected pass rate; none without labels. With repeats, of each case's majority.
pub(super) fn corrected(cases: &[Case], options: &Options) -> Option<Corrected> {
    let labelled = cases.iter().filter(|it| it.label.is_some()).count() as u64;
    if labelled == 0 {
        return None;
    }
    let sums = sums(cases);
    let say = |name: &str| {
        let rule = rule(name);
        Number::estimate(rule, &rule.estimate(&sums, &options.settings()))
    };
    let (drawn, chosen, note) = match options.labels {
        Labels::Random => ("random", Some("post_stratified"), RANDOM),
        Labels::Balanced => ("balanced", Some("lang_reiczigel"), BALANCED),
        Labels::Unknown => ("unknown", None, ASK),
    };
    Some(Corrected {
        labelled,
        unlabelled: cases.len() as u64 - labelled,
        drawn: drawn.to_owned(),
        chosen: chosen.map(str::to_owned),
        youden: youden_of(&sums, options),
        raw: say("corrected-rate/raw"),
        lang_reiczigel: say("corrected-rate/lang-reiczigel"),
        rogan_gladen: say("corrected-rate/rogan-gladen"),
        post_stratified: say("corrected-rate/post-stratified"),
        ppi: say("corrected-rate/ppi++"),
        note: note.to_owned(),
    })
}

/// The sums that the rules of corrected rates read.
fn sums(cases: &[Case]) -> Sums {
    let step = rule("corrected-rate/raw").reads.step;
    let mut sums = Sums::default();
    for case in cases {
        let Some(passes) = case.passes() else { continue };
        let verdict = if passes { Verdict::First } else { Verdict::Second };
        let answers = [Answers::default().plus(Order::Ab, verdict)];
        let gold = case.label_passes().map(|it| Gold::graded(it, false));
        let length = std::cmp::Ordering::Equal;
        sums = sums.plus(step(&Item { answers: &answers, gold, stratum: 0, length, share: 0 }));
    }
    sums
}

fn youden_of(sums: &Sums, options: &Options) -> Number {
    let [_, _, pass_pass, pass_fail, fail_pass, fail_fail] =
        [0, 1, 2, 3, 4, 5].map(|k: usize| sums.0[k].unsigned_abs());
    let calibration = Calibration {
        sensitivity: Count { hits: pass_pass, trials: pass_pass + pass_fail },
        specificity: Count { hits: fail_fail, trials: fail_pass + fail_fail },
    };
    match youden(&calibration, options.level.get()) {
        Ok(it) => Number::exact(it.value).within(it.interval),
        Err(why) => Number::none(why),
    }
}
