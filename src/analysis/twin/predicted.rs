//! The posterior-predictive check, at the estimates: files simulated from the twin, and where the real one lies among them.

use super::super::pairs::Pair;
use super::{Twin, all_pairs};
use crate::evidence::{Gold, Order};
use crate::scenario::Plan;
use crate::study::Recorder;

/// What is compared, by name.
const NAMES: [&str; 9] = [
    "first slot wins both orders (FF)",
    "second slot wins both orders (SS)",
    "same verdict in both orders",
    "flip rate",
    "share won by the first slot",
    "win rate of the first system",
    "agreement with the label",
    "replies that are ties",
    "replies that are no verdict",
];

/// The figures of a file, in the order of the names; none where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures([Option<f64>; NAMES.len()]);

impl Figures {
    /// Repeats of an order are boiled down to their majority for what compares two orders; everything else counts replies.
    pub(super) fn of(pairs: &[Pair]) -> Self {
        let (mut valid, mut ff, mut ss, mut consistent, mut both) = (0_u64, 0, 0, 0, false);
        let (mut replies, mut points, mut for_a, mut ties, mut lost) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let (mut right, mut labelled) = (0.0, 0.0);
        for pair in pairs {
            let single = pair.majorities();
            both |= pair.asked(Order::Ab) && pair.asked(Order::Ba);
            if let (Some(ab), Some(ba)) = (single.said(Order::Ab), single.said(Order::Ba)) {
                valid += 1;
                consistent += u64::from(ab == ba);
                ff += u64::from(ab == Gold::A && ba == Gold::B);
                ss += u64::from(ab == Gold::B && ba == Gold::A);
            }
            let all = pair.answers.for_a();
            let [ab, ba] = [pair.answers.ab, pair.answers.ba];
            replies += all.valid() as f64;
            for_a += all.half_points() as f64 / 2.0;
            points += (ab.half_points() + ba.half_points()) as f64 / 2.0;
            ties += f64::from(all.tie);
            lost += f64::from(all.invalid);
            if let Some(gold) = pair.gold {
                labelled += all.valid() as f64;
                right += f64::from(match gold {
                    Gold::A => all.first,
                    Gold::B => all.second,
                    Gold::Tie | Gold::Both => all.tie,
                });
            }
        }
        let share = |part: f64, of: f64| (0.0 < of).then(|| part / of);
        let count = |it: u64| both.then_some(it as f64);
        let asked = replies + lost;
        Self([
            count(ff),
            count(ss),
            count(consistent),
            share((ff + ss) as f64, valid as f64).filter(|_| both),
            share(points, replies),
            share(for_a, replies),
            share(right, labelled),
            share(ties, asked),
            share(lost, asked),
        ])
    }
}

/// One figure of the file among those of simulated files.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// What it is.
    pub name: &'static str,
    /// The file's own.
    pub file: f64,
    /// The mean over simulated files.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
    /// The two-sided predictive p-value: twice the smaller share of files at least as far out, the real one among them.
    pub p: f64,
}

/// The check of a twin.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// How many files were simulated.
    pub files: u64,
    /// Figure by figure.
    pub figures: Vec<Predicted>,
}

impl Prediction {
    /// The figures that the twin does not give, with the error of all of them held at 5 % (Bonferroni).
    pub fn missed(&self) -> impl Iterator<Item = &Predicted> {
        let bound = 0.05 / self.figures.len().max(1) as f64;
        self.figures.iter().filter(move |it| it.p <= bound)
    }
}

/// Verdicts that a check simulates, and the fewest and the most files.
const WORK: u64 = 4_000_000;
const FILES: [u64; 2] = [199, 1999];

/// Simulates files from the twin's own scenario. None where it asks for no comparisons.
#[must_use]
pub fn predict(twin: &Twin, plan: &Plan) -> Option<Prediction> {
    let recorder = Recorder::new(&plan.tasks, plan.seed)?;
    let each: u64 = plan.tasks.iter().map(crate::protocol::Task::decisions).sum();
    let files = (WORK / each.max(1)).clamp(FILES[0], FILES[1]);
    let drawn: Vec<Figures> = (0..files)
        .map(|replicate| Figures::of(&all_pairs(&recorder.replicate(replicate).ballots)))
        .collect();
    let one = |place: usize| {
        let file = twin.figures.0[place]?;
        let values: Vec<f64> = drawn.iter().filter_map(|it| it.0[place]).collect();
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|it| (it - mean) * (it - mean)).sum();
        let close = 1e-9 * (1.0 + libm::fabs(file));
        let below = values.iter().filter(|it| **it <= file + close).count() as f64;
        let above = values.iter().filter(|it| file - close <= **it).count() as f64;
        let p = (2.0 * (1.0 + below.min(above)) / (1.0 + n)).min(1.0);
        let sd = libm::sqrt(squares / (n - 1.0).max(1.0));
        Some(Predicted { name: NAMES[place], file, mean, sd, p })
    };
    Some(Prediction { files, figures: (0..NAMES.len()).filter_map(one).collect() })
}
