//! A sheet's design: answers that a judge scores one by one. It gives the law of each score, and what to expect.

use std::sync::Arc;

use crate::estimators::{SheetRule, TrueValue, Undefined};
use crate::evidence::{Columns, Expected, Order};
use crate::judges::{Judge, Pointwise, ScoreLaw, Scoring, Without};
use crate::world::{Answer, Answered, Marks, Mood, Pair, Scored, logistic, normal};

/// A judge of single answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Rater {
    /// It gives scores.
    Scoring(Scoring),
    /// It passes or fails, which is a score of 1 or 0.
    Grading(Pointwise),
}

/// A judge and the answers that it scores.
#[derive(Clone, Debug)]
pub struct SheetDesign {
    /// What is scored.
    pub world: Arc<Scored>,
    /// The judge's name; part of the address of its scores.
    pub name: Arc<str>,
    /// The judge.
    pub rater: Rater,
}

impl SheetDesign {
    /// The same answers scored by a fair judge.
    #[must_use]
    pub fn fair(&self, without: Without) -> Self {
        let rater = match &self.rater {
            Rater::Scoring(judge) => Rater::Scoring(judge.fair(without)),
            // Its error rates are its ability.
            Rater::Grading(judge) => Rater::Grading(judge.clone()),
        };
        Self { rater, ..self.clone() }
    }

    /// Whether replicates may differ in more than the noise of single scores.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.world.answered.rate().is_some() || 0.0 < self.drift()
    }

    /// The standard deviation of what the scores of a session or of a cluster share.
    #[must_use]
    pub fn drift(&self) -> f64 {
        match (&self.rater, &self.world.answered) {
            (Rater::Scoring(judge), _) => judge.session.get(),
            (Rater::Grading(_), Answered::Clusters { sd, .. }) => *sd,
            (Rater::Grading(_), _) => 0.0,
        }
    }

    /// What decides the law of a cell's score: the answer's worth in score points, its chance to pass, or a middling cluster's
    /// log-odds.
    #[must_use]
    pub fn worth(&self, case: usize, column: usize) -> f64 {
        match (&self.rater, &self.world.answered) {
            (Rater::Scoring(judge), _) => {
                let ruled = &self.world.ruled;
                let length = ruled.lengths.get(ruled.place(case, column));
                judge.worth(self.world.quality(column), length.copied())
            }
            (Rater::Grading(judge), Answered::Candidates { rate }) => passed(judge, rate.get()),
            (Rater::Grading(_), Answered::Clusters { mean, .. }) => *mean,
            (Rater::Grading(_), _) => 0.0,
        }
    }

    /// The law of the score of an answer of this worth, in a session that drifted so far or a cluster so far from the middle.
    #[must_use]
    pub fn law(&self, worth: f64, drift: f64) -> ScoreLaw {
        match (&self.rater, &self.world.answered) {
            (Rater::Scoring(judge), _) => judge.law(worth, drift),
            (Rater::Grading(judge), Answered::Clusters { .. }) => {
                ScoreLaw::pass(passed(judge, logistic(worth + drift)))
            }
            (Rater::Grading(_), _) => ScoreLaw::pass(worth),
        }
    }

    /// What a rule should say: its functional at what the sheet is expected to hold.
    ///
    /// # Errors
    /// Why it says nothing.
    pub fn estimand(&self, rule: &SheetRule) -> Result<f64, Undefined> {
        let ruled = &self.world.ruled;
        let mut scores = Vec::with_capacity(ruled.cells());
        // Over all clusters the cases are alike.
        let in_clusters = match (&self.rater, &self.world.answered) {
            (Rater::Grading(judge), it @ Answered::Clusters { .. }) => {
                it.rate().map(|rate| passed(judge, rate))
            }
            _ => None,
        };
        for case in 0..ruled.cases {
            for column in 0..ruled.columns {
                let worth = self.worth(case, column);
                scores.push(match &self.rater {
                    Rater::Scoring(judge) => judge.marginal(worth).mean(),
                    Rater::Grading(_) => {
                        in_clusters.unwrap_or_else(|| ScoreLaw::pass(worth).mean())
                    }
                });
            }
        }
        let total = |column| self.total(column);
        (rule.estimand)(&Expected { ruled, scores: &scores, total: &total })
    }

    /// The law of a column's total over the cases that are not held out, drifts integrated; empty where that is too much, and
    /// for clusters, whose totals no rule asks for.
    fn total(&self, column: usize) -> Vec<f64> {
        if matches!(self.world.answered, Answered::Clusters { .. }) {
            return Vec::new();
        }
        let seen = self.world.ruled.seen();
        // Cases of equal worth, and how many they are.
        let mut alike: Vec<(f64, usize)> = Vec::new();
        for case in 0..seen {
            let worth = self.worth(case, column);
            match alike.iter_mut().find(|it| it.0 == worth) {
                Some(it) => it.1 += 1,
                None => alike.push((worth, 1)),
            }
        }
        // The mean score of so many cases turns over this many standard errors per point of drift.
        let rate = match &self.rater {
            Rater::Scoring(judge) => libm::sqrt(seen as f64) / judge.noise.get(),
            Rater::Grading(_) => 0.0,
        };
        let nodes = normal(0.0, self.drift(), rate, &[], &[]);
        if MOST < seen.saturating_mul(nodes.len()) {
            return Vec::new();
        }
        let mut sum: Vec<f64> = Vec::new();
        for node in nodes {
            let mut law = Total::of(vec![1.0]);
            for (worth, n) in &alike {
                let score = Total::of(self.law(*worth, node.at).probabilities());
                law = law.plus(&score.times(*n));
            }
            sum.resize(sum.len().max(law.from + law.chances.len()), 0.0);
            for (sum, p) in sum[law.from..].iter_mut().zip(&law.chances) {
                *sum += node.weight * p;
            }
        }
        sum
    }

    /// The world's or the judge's own value of what a rule estimates.
    #[must_use]
    pub fn truth(&self, of: TrueValue) -> Option<f64> {
        match (of, &self.rater, &self.world.answered) {
            (TrueValue::LengthSlope, Rater::Scoring(judge), _) => Some(judge.slope.get()),
            (TrueValue::QualityGap, _, Answered::Systems { gap }) => Some(*gap),
            (TrueValue::PassRate, _, answered) => answered.rate(),
            _ => None,
        }
    }

    /// What its columns are.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.world.kind()
    }
}

/// The probability that a judge passes an answer that is right with this probability.
fn passed(judge: &Pointwise, rate: f64) -> f64 {
    let [wrong, right] = [false, true].map(|it| passes(judge, it));
    right * rate + wrong * (1.0 - rate)
}

/// The probability that a judge passes an answer that is right or wrong.
fn passes(judge: &Pointwise, right: bool) -> f64 {
    let answers = ["", ""].map(|it| Answer { system: it.into(), family: it.into() });
    let pair = Pair {
        gap: 0.0,
        length: 0.0,
        answers: &answers,
        mood: Mood::default(),
        passes: [right; 2],
        marks: Marks::default(),
    };
    judge.chances(&pair.shown(Order::Ab)).first
}

/// The most cases times drifts for which the law of a total is computed: about a fifth of a second.
const MOST: usize = 2_000_000;

/// What is less likely than this is cut off at both ends of the law of a total.
const NEVER: f64 = 1e-20;

/// The law of a whole number: its chances from some number on.
struct Total {
    from: usize,
    chances: Vec<f64>,
}

impl Total {
    fn of(chances: Vec<f64>) -> Self {
        Self { from: 0, chances }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        let last = self.chances.iter().rposition(|p| NEVER < *p).map_or(0, |at| at + 1);
        self.chances.truncate(last);
        let first = self.chances.iter().position(|p| NEVER < *p).unwrap_or(0);
        self.chances.drain(..first);
        Self { from: self.from + first, ..self }
    }

    /// The law of the sum of two independent numbers.
    fn plus(&self, other: &Self) -> Self {
        let mut chances = vec![0.0; (self.chances.len() + other.chances.len()).saturating_sub(1)];
        for (k, p) in self.chances.iter().enumerate() {
            for (sum, q) in chances[k..].iter_mut().zip(&other.chances) {
                *sum += p * q;
            }
        }
        Self { from: self.from + other.from, chances }.trimmed()
    }

    /// The law of the sum of n independent numbers of this law, by squaring.
    fn times(self, mut n: usize) -> Self {
        let (mut sum, mut law) = (Self::of(vec![1.0]), self);
        while 0 < n {
            if n % 2 == 1 {
                sum = sum.plus(&law);
            }
            n /= 2;
            if 0 < n {
                law = law.plus(&law);
            }
        }
        sum
    }
}
