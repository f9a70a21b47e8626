//! What must be uniform: p-values of exact tests under true nulls, ranks of the evidence in its exact law, ranks of planted
//! parameters in their posterior. Designs are drawn at random from a fixed seed, and the engine draws the evidence.

use std::fmt::Write;

use judgelab::estimators::Estimator;
use judgelab::evidence::{Sums, Weighted};
use judgelab::protocol::Task;
use judgelab::scenario::Plan;
use judgelab::stats::special::beta_cdf;
use judgelab::study;

use super::numpy::Numpy;
use super::plan;

/// The p-value of Kolmogorov's test that values are uniform on 0 to 1, with Stephens' correction (1970).
pub fn kolmogorov(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let apart = |(k, x): (usize, &f64)| (x - k as f64 / n).max((k + 1) as f64 / n - x);
    let distance = sorted.iter().enumerate().map(apart).fold(0.0, f64::max);
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| {
        let sign = if k % 2 == 0 { -2.0 } else { 2.0 };
        sign * libm::exp(-2.0 * f64::from(k * k) * lambda * lambda)
    };
    if lambda < 0.2 { 1.0 } else { (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0) }
}

/// The smaller p-value of two: of the values, and of how far they lie from the middle, which sees intervals that are too
/// short or too long; doubled for having looked twice.
pub fn uniform(values: &[f64]) -> f64 {
    assert!(values.iter().all(|it| (0.0..=1.0).contains(it)), "a rank beyond 0 to 1");
    let folded: Vec<f64> = values.iter().map(|it| (2.0 * it - 1.0).abs()).collect();
    (2.0 * kolmogorov(values).min(kolmogorov(&folded))).min(1.0)
}

/// Numbers for designs.
pub struct Chooser(pub Numpy);

impl Chooser {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random()
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len() as u32) as usize]
    }

    /// A judge with everything that turns with the order, and no position preference.
    fn judge(&mut self) -> String {
        let link = self.one_of(&["logistic", "probit", "logistic"]);
        let mut text = format!("link = \"{link}\"\nown = \"A\"\n");
        for (name, low, high) in
            [("ability", 0.0, 2.5), ("length", -0.5, 0.5), ("self", -0.8, 0.8), ("taste", 0.0, 1.5)]
        {
            let _ = writeln!(text, "{name} = {:.3}", self.between(low, high));
        }
        let more =
            self.one_of(&["", "ties = 0.6\n", "invalid = 0.1\n", "ties = 0.3\ninvalid = 0.05\n"]);
        text + "taste-drawn = \"anew\"\n" + more
    }

    fn world(&mut self, pairs: u32) -> String {
        let truth = self.one_of(&[
            "better = 0.7",
            "better = \"even\"",
            "better = 0.4\ndrawn = \"once\"",
            "quality = { sd = 0.8, gap = 0.3, levels = 32 }",
        ]);
        format!("[world.sampled]\npairs = {pairs}\n{truth}\nlength = {{ ratio = 1.7 }}\n")
    }

    /// A swap test.
    pub fn swap(&mut self, pairs: u32, position: f64, rules: &str, replicates: u32) -> String {
        format!(
            "seed = {}\nreplicates = {replicates}\n{}[judges.j.pairwise]\nposition = {position}\n{}[estimate]\nrules = [{rules}]\n",
            self.0.below(1 << 30),
            self.world(pairs),
            self.judge()
        )
    }

    /// Two systems of one pass rate, graded by a judge that errs.
    fn level(&mut self, cases: u32, replicates: u32) -> String {
        let rate = self.between(0.1, 0.9);
        format!(
            "seed = {}\nreplicates = {replicates}\n[world.graded]\ncases = {cases}\nrates = [{rate:.3}, {rate:.3}]\nrigidity = {:.3}\n\
             [judges.j.pointwise]\nfalse-negative = {:.3}\nfalse-positive = {:.3}\n[estimate]\nrules = [\"difference\"]\n",
            self.0.below(1 << 30),
            self.between(0.0, 2.0),
            self.between(0.0, 0.4),
            self.between(0.0, 0.4),
        )
    }
}

/// Every draw of a plan's only task, one after the other.
fn each_draw(plan: &Plan, each: &mut dyn FnMut(&study::Draw<'_>)) {
    let all = &plan.tasks[..1];
    let done = study::draws(all, plan.seed, 0..plan.replicates, &plan.settings, &mut |draw| {
        each(&draw);
        Ok::<(), ()>(())
    });
    assert_eq!(done, Ok(()));
}

/// Randomised p-values of the exact sign test, by the rule's mid-p and exact ones: the difference of the two is half the
/// probability of what was seen. Without a case that differs there is no test.
fn randomised(plan: &Plan, rule: &str, chooser: &mut Chooser, into: &mut Vec<f64>) {
    let (mut exact, mut mid_p) = (Vec::new(), Vec::new());
    each_draw(plan, &mut |draw| {
        // Either rule reads its two kinds of differing cases second and third.
        if draw.estimator.rule != rule || draw.sums.0[1] + draw.sums.0[2] == 0 {
            return;
        }
        match draw.estimator.variant {
            "exact" => exact.push(draw.estimate.limits.p.unwrap()),
            "mid-p" => mid_p.push(draw.estimate.limits.p.unwrap()),
            _ => {}
        }
    });
    assert_eq!(exact.len(), mid_p.len());
    let one = |(exact, mid_p): (f64, f64)| {
        (exact - 2.0 * (exact - mid_p) * chooser.0.random()).clamp(0.0, 1.0)
    };
    into.extend(exact.into_iter().zip(mid_p).map(one));
}

/// Randomised p-values of the exact sign test of swap tests at a position preference, over random designs.
pub fn p_values_of_positions(seed: u64, designs: u32, position: f64) -> Vec<f64> {
    let mut chooser = Chooser(Numpy::new(seed));
    let mut all = Vec::new();
    for _ in 0..designs {
        let pairs = 2 + chooser.0.below(80);
        let text = chooser.swap(pairs, position, "\"position-effect\"", 40);
        randomised(&plan(&text), "position-effect", &mut chooser, &mut all);
    }
    all
}

/// The same of paired differences between systems of one pass rate.
pub fn p_values_of_differences(seed: u64, designs: u32) -> Vec<f64> {
    let mut chooser = Chooser(Numpy::new(seed));
    let mut all = Vec::new();
    for _ in 0..designs {
        let cases = 2 + chooser.0.below(150);
        randomised(&plan(&chooser.level(cases, 40)), "difference", &mut chooser, &mut all);
    }
    all
}

/// Rules whose evidence is ranked, one for each design.
const RANKED: [&str; 8] = [
    "flip-rate",
    "first-share",
    "win-rate",
    "position-effect",
    "agreed-pairs",
    "replies",
    "accuracy",
    "kappa",
];

/// Ranks of simulated evidence in its exact law, over random designs: of a sum with random weights, the probability of
/// less, and a uniform share of the probability of just that. With `shift`, the law is that of a judge whose position
/// preference is so much larger: wrong on purpose.
pub fn ranks_of_evidence(seed: u64, designs: u32, shift: f64) -> Vec<f64> {
    let mut chooser = Chooser(Numpy::new(seed));
    let mut all = Vec::new();
    for k in 0..designs {
        let (pairs, position) = (2 + chooser.0.below(7), chooser.between(-1.0, 1.0));
        let rule = format!("\"{}\"", RANKED[k as usize % RANKED.len()]);
        let text = chooser.swap(pairs, position, &rule, 40);
        let said = format!("position = {position}\n");
        let wrong = text.replace(&said, &format!("position = {}\n", position + shift));
        let (right, wrong) = (plan(&text), plan(&wrong));
        all.extend(ranks(&right, &wrong.tasks[0], &mut chooser));
    }
    all
}

fn ranks(plan: &Plan, by: &Task, chooser: &mut Chooser) -> Vec<f64> {
    let rules = &plan.tasks[0].estimators;
    let rule: &'static Estimator = rules[chooser.0.below(rules.len() as u32) as usize];
    let law_of = |task: &Task| study::law(task, rule, 20_000_000).unwrap();
    let (law, own) = (law_of(by), law_of(&plan.tasks[0]));
    let weights: Vec<i64> =
        rule.reads.sums.iter().map(|_| i64::from(chooser.0.below(7)) - 3).collect();
    let plain = |sums: &Sums| weights.iter().zip(sums.0).map(|(w, x)| w * x).sum::<i64>();
    let mean = |law: &Weighted| {
        let mut mean = 0.0;
        law.each(|sums, p| mean += p * plain(sums) as f64);
        mean
    };
    // A wrong law is to be wrong in the same direction everywhere, or designs would cancel.
    let turn = if mean(&law) < mean(&own) { -1 } else { 1 };
    let score = |sums: &Sums| turn * plain(sums);
    let mut ranks = Vec::new();
    each_draw(plan, &mut |draw| {
        if !std::ptr::eq(draw.estimator, rule) {
            return;
        }
        let seen = score(draw.sums);
        let (mut less, mut same) = (0.0, 0.0);
        law.each(|sums, p| match score(sums).cmp(&seen) {
            std::cmp::Ordering::Less => less += p,
            std::cmp::Ordering::Equal => same += p,
            std::cmp::Ordering::Greater => {}
        });
        ranks.push((less + same * chooser.0.random()).clamp(0.0, 1.0));
    });
    ranks
}

/// Ranks of planted log ratios 1/2 ln(first only / second only) in their posterior. Cells are drawn from Dirichlet(1/2),
/// graded by the engine, and the posterior of the share of the first kind is Beta(prior + first, prior + second); with
/// `prior` 1/2 that is the prior they were drawn from.
pub fn ranks_of_ratios(seed: u64, draws: u32, prior: f64) -> Vec<f64> {
    let mut chooser = Chooser(Numpy::new(seed));
    let arcsine = |it: &mut Chooser| {
        let sine = libm::sin(std::f64::consts::FRAC_PI_2 * it.0.random());
        sine * sine
    };
    let mut all = Vec::new();
    for _ in 0..draws {
        let (differ, theta, pass) =
            (chooser.0.random(), arcsine(&mut chooser), arcsine(&mut chooser));
        let agree = 1.0 - differ;
        let text = format!(
            "seed = {}\nreplicates = 1\n[world.graded]\ncases = {}\njoint = {{ both = {:e}, first = {:e}, second = {:e}, neither = {:e} }}\n\
             [judges.j.pointwise]\n[estimate]\nrules = [\"difference\"]\n",
            chooser.0.below(1 << 30),
            1 + chooser.0.below(60),
            agree * pass,
            differ * theta,
            differ * (1.0 - theta),
            agree * (1.0 - pass)
        );
        let plan = plan(&text);
        let mut done = false;
        each_draw(&plan, &mut |draw| {
            if !done {
                let [first, second] = [draw.sums.0[1], draw.sums.0[2]].map(|it| it as f64);
                all.push(beta_cdf(theta, prior + first, prior + second));
                done = true;
            }
        });
    }
    all
}

/// Ranks of planted position preferences in their posterior over a population of judges, each with its own ability, taste,
/// ties and world: the likelihoods are the exact laws of their flips.
pub fn ranks_of_judges(seed: u64, judges: u32, replicates: u32) -> Vec<f64> {
    let mut chooser = Chooser(Numpy::new(seed));
    let mut population: Vec<(f64, Plan)> = (0..judges)
        .map(|_| {
            let position = 0.7 * chooser.0.normal();
            let text = chooser.swap(9, position, "\"position-effect\"", replicates);
            (position, plan(&text))
        })
        .collect();
    population.sort_by(|a, b| a.0.total_cmp(&b.0));
    let law = |it: &(f64, Plan)| {
        let task = &it.1.tasks[0];
        let mut all = std::collections::BTreeMap::new();
        let law = study::law(task, task.estimators[0], 20_000_000).unwrap();
        law.each(|sums, p| *all.entry((sums.0[1], sums.0[2])).or_insert(0.0) += p);
        all
    };
    let laws: Vec<_> = population.iter().map(law).collect();
    let mut ranks = Vec::new();
    for (place, (_, plan)) in population.iter().enumerate() {
        let rule = plan.tasks[0].estimators[0];
        each_draw(plan, &mut |draw| {
            if !std::ptr::eq(draw.estimator, rule) {
                return;
            }
            let seen = (draw.sums.0[1], draw.sums.0[2]);
            let likelihood: Vec<f64> =
                laws.iter().map(|law| law.get(&seen).copied().unwrap_or(0.0)).collect();
            let below: f64 = likelihood[..place].iter().sum();
            let all: f64 = likelihood.iter().sum();
            let rank = (below + likelihood[place] * chooser.0.random()) / all;
            ranks.push(rank.clamp(0.0, 1.0));
        });
    }
    ranks
}
