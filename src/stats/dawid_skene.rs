//! The truth behind several judges when nobody knows it: latent classes by expectation and maximisation.
//!
//! Given the true class, judges are taken to err independently, each with its own table of errors. Where they share errors the
//! model is wrong and sure of itself, so the agreement that it predicts stands beside the one observed ([`Dependence`]): more
//! agreement than predicted is shared error. A. P. Dawid, A. M. Skene (1979), Applied Statistics 28, 20-28.

use super::sandwich::Robust;
use super::special::phi_upper;

/// One answer: about which item, from which judge, and which class it named; all numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The item.
    pub item: usize,
    /// The judge; repeated answers of one judge on an item count as independent draws.
    pub judge: usize,
    /// The class.
    pub class: usize,
}

/// A fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The share of each class among the items.
    pub prevalence: Vec<f64>,
    /// Of each judge and true class, the probabilities of what is said.
    pub errors: Vec<Vec<Vec<f64>>>,
    /// Of each item, the probability of each class.
    pub truth: Vec<Vec<f64>>,
    /// The log-likelihood, without the constant of repeated answers.
    pub height: f64,
    /// Steps taken.
    pub steps: usize,
}

/// Fewer judges cannot tell their errors from the truth.
pub const FEW_JUDGES: &str =
    "fewer than three judges with a common item: their errors cannot be told from the truth";
/// No step is the last.
const ENDLESS: &str = "the likelihood is so flat that it still rises after very many steps";

const STEPS: usize = 100_000;
/// Answers that all steps together may look at: seconds.
const WORK: usize = 200_000_000;
/// The largest change of a probability of truth in the last step.
const SETTLED: f64 = 1e-12;

/// Items that were answered alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Alike {
    /// The answers about each of them, told of any one item.
    pub answers: Vec<Answer>,
    /// How many items they are; any number >= 0.
    pub times: f64,
}

/// Answers as counts, item by item.
struct Counts<'a> {
    answers: Vec<&'a [Answer]>,
    /// How many items are like this.
    times: Vec<f64>,
    judges: usize,
    classes: usize,
}

/// Fits prevalences, errors and truths, starting from the shares of votes; the classes keep their names as long as judges are
/// right more often than not.
///
/// # Errors
/// [`FEW_JUDGES`], fewer than two classes, or no end of climbing.
pub fn fit(answers: &[Answer], classes: usize) -> Result<Fit, &'static str> {
    let mut sorted = answers.to_vec();
    sorted.sort_by_key(|it| (it.item, it.judge, it.class));
    let items: Vec<&[Answer]> = sorted.chunk_by(|a, b| a.item == b.item).collect();
    let counts = Counts::new(items.into_iter().map(|it| (it, 1.0)), classes)?;
    let truth = counts.votes();
    counts.climbed(truth)
}

/// The same of items that are counted by their answers, each item's in the order of judges, starting from the shares of votes or
/// from an earlier fit. The truths of the fit are those of the groups with items in them.
///
/// # Errors
/// As [`fit`].
pub fn fit_counted(
    items: &[Alike],
    classes: usize,
    start: Option<&Fit>,
) -> Result<Fit, &'static str> {
    let some = items.iter().filter(|it| 0.0 < it.times && !it.answers.is_empty());
    let counts = Counts::new(some.map(|it| (it.answers.as_slice(), it.times)), classes)?;
    let truth = match start {
        Some(it) if counts.judges <= it.errors.len() && it.prevalence.len() == classes => {
            counts.expected(&it.prevalence, &it.errors).0
        }
        _ => counts.votes(),
    };
    counts.climbed(truth)
}

impl<'a> Counts<'a> {
    fn new(
        items: impl Iterator<Item = (&'a [Answer], f64)>,
        classes: usize,
    ) -> Result<Self, &'static str> {
        let (answers, times): (Vec<&[Answer]>, Vec<f64>) = items.unzip();
        let all = || answers.iter().copied().flatten();
        let judges = all().map(|it| it.judge + 1).max().unwrap_or(0);
        if classes < 2 || all().any(|it| classes <= it.class) {
            return Err("answers need two classes or more, all among those numbered");
        }
        let voices = |item: &&[Answer]| item.chunk_by(|a, b| a.judge == b.judge).count();
        if answers.iter().map(voices).max().unwrap_or(0) < 3 {
            return Err(FEW_JUDGES);
        }
        Ok(Self { answers, times, judges, classes })
    }

    /// The fit that steps from these truths lead to.
    fn climbed(&self, mut truth: Vec<Vec<f64>>) -> Result<Fit, &'static str> {
        let answers = self.answers.iter().map(|it| it.len()).sum::<usize>();
        for steps in 1..=STEPS.min(WORK / answers.max(1)) {
            let (prevalence, errors) = self.maximised(&truth);
            let (next, height) = self.expected(&prevalence, &errors);
            let moved = truth.iter().flatten().zip(next.iter().flatten());
            let most = moved.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            truth = next;
            if most <= SETTLED {
                let (prevalence, errors) = self.maximised(&truth);
                return Ok(Fit { prevalence, errors, truth, height, steps });
            }
        }
        Err(ENDLESS)
    }

    /// The share of votes of each class, item by item.
    fn votes(&self) -> Vec<Vec<f64>> {
        let one = |item: &&[Answer]| {
            let mut votes = vec![0.0; self.classes];
            item.iter().for_each(|it| votes[it.class] += 1.0 / item.len() as f64);
            votes
        };
        self.answers.iter().map(one).collect()
    }

    /// Prevalences and errors where the truths are as probable as this.
    fn maximised(&self, truth: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<Vec<f64>>>) {
        let mut prevalence = vec![0.0; self.classes];
        let mut errors = vec![vec![vec![0.0; self.classes]; self.classes]; self.judges];
        let all: f64 = self.times.iter().sum();
        for ((item, times), truth) in self.answers.iter().zip(&self.times).zip(truth) {
            for (class, share) in truth.iter().enumerate() {
                let share = times * share;
                prevalence[class] += share / all;
                item.iter().for_each(|it| errors[it.judge][class][it.class] += share);
            }
        }
        for row in errors.iter_mut().flatten() {
            let sum: f64 = row.iter().sum();
            if 0.0 < sum {
                for it in row {
                    *it /= sum;
                }
            }
        }
        (prevalence, errors)
    }

    /// How probable each truth is, and the log-likelihood.
    fn expected(&self, prevalence: &[f64], errors: &[Vec<Vec<f64>>]) -> (Vec<Vec<f64>>, f64) {
        let mut height = 0.0;
        let mut logs = errors.to_vec();
        for it in logs.iter_mut().flatten().flatten() {
            *it = libm::log(*it);
        }
        let one = |(item, times): (&&[Answer], &f64)| {
            let of = |class: usize| {
                let said = item.iter().map(|it| logs[it.judge][class][it.class]);
                libm::log(prevalence[class]) + said.sum::<f64>()
            };
            let joint: Vec<f64> = (0..self.classes).map(of).collect();
            let most = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = joint.iter().map(|it| libm::exp(it - most)).sum();
            height += times * (most + libm::log(sum));
            joint.iter().map(|it| libm::exp(it - most) / sum).collect()
        };
        let truth = self.answers.iter().zip(&self.times).map(one).collect();
        (truth, height)
    }
}

/// Groups of items that are left out in turn.
const GROUPS: usize = 50;

/// The probability that each judge names the true class of an item drawn at random, with jackknife errors over items (over up to 50
/// groups of items, dealt in turn) and as many degrees of freedom less one.
///
/// B. Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, chapter 3.
///
/// # Errors
/// As [`fit`], with and without any of the groups; fewer than two items, or judges that do not vary.
pub fn accuracies(answers: &[Answer], classes: usize) -> Result<Vec<Robust>, &'static str> {
    let whole = fit(answers, classes)?;
    let mut items: Vec<usize> = answers.iter().map(|it| it.item).collect();
    items.sort_unstable();
    items.dedup();
    let groups = items.len().min(GROUPS);
    if groups < 2 {
        return Err("fewer than two items");
    }
    let judges = whole.errors.len();
    let mut sums = vec![[0.0; 2]; judges];
    for group in 0..groups {
        let stays = |item: usize| items.binary_search(&item).is_ok_and(|at| at % groups != group);
        let rest: Vec<Answer> = answers.iter().copied().filter(|it| stays(it.item)).collect();
        let part = fit(&rest, classes)?;
        for (judge, [sum, squares]) in sums.iter_mut().enumerate() {
            if part.errors.len() <= judge {
                return Err("a judge with answers in one group of items only");
            }
            // As distances from the whole, whose squares lose no digits.
            let moved = part.accuracy(judge) - whole.accuracy(judge);
            *sum += moved;
            *squares += moved * moved;
        }
    }
    let n = groups as f64;
    let one = |(judge, [sum, squares]): (usize, &[f64; 2])| {
        let error = ((n - 1.0) / n * (squares - sum * sum / n)).max(0.0).sqrt();
        if error <= 1e-9 {
            return Err("the judges do not vary over items");
        }
        Ok(Robust { value: whole.accuracy(judge), error, df: n - 1.0 })
    };
    sums.iter().enumerate().map(one).collect()
}

/// Two judges on the items that both judged, by their first answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependence {
    /// The two judges.
    pub judges: [usize; 2],
    /// Items that both judged.
    pub items: u64,
    /// The share of them on which they agree.
    pub observed: f64,
    /// The share that independent errors predict.
    pub predicted: f64,
    /// The standardised excess of agreement, with the prediction taken as known.
    pub z: f64,
    /// Its two-sided p-value, not adjusted for the number of pairs of judges.
    pub p: f64,
}

impl Fit {
    /// The most probable class of each item, in the order of item numbers; of equals the first.
    #[must_use]
    pub fn labels(&self) -> Vec<usize> {
        let best = |truth: &Vec<f64>| {
            (1..truth.len()).fold(0, |best, k| if truth[best] < truth[k] { k } else { best })
        };
        self.truth.iter().map(best).collect()
    }

    /// The probability that a judge names the true class of an item drawn at random.
    #[must_use]
    pub fn accuracy(&self, judge: usize) -> f64 {
        self.prevalence.iter().enumerate().map(|(k, share)| share * self.errors[judge][k][k]).sum()
    }

    /// Observed against predicted agreement of each two judges with an item in common.
    #[must_use]
    pub fn dependence(&self, answers: &[Answer]) -> Vec<Dependence> {
        let mut sorted = answers.to_vec();
        // A stable sort: the first answer of a judge on an item stays first.
        sorted.sort_by_key(|it| (it.item, it.judge));
        sorted.dedup_by_key(|it| (it.item, it.judge));
        let judges = self.errors.len();
        let mut both = vec![[0_u64; 2]; judges * judges];
        for item in sorted.chunk_by(|a, b| a.item == b.item) {
            for (k, one) in item.iter().enumerate() {
                for other in &item[..k] {
                    let cell = &mut both[other.judge * judges + one.judge];
                    cell[0] += 1;
                    cell[1] += u64::from(one.class == other.class);
                }
            }
        }
        let pairs = (0..judges).flat_map(|a| (a + 1..judges).map(move |b| [a, b]));
        let pairs = pairs.map(|it| (it, both[it[0] * judges + it[1]]));
        pairs.filter(|it| 0 < it.1[0]).map(|(pair, counts)| self.compared(pair, counts)).collect()
    }

    /// Two judges who agree on so many of the items that both judged.
    #[must_use]
    pub fn compared(&self, judges: [usize; 2], [items, agreed]: [u64; 2]) -> Dependence {
        let [one, other] = judges.map(|judge| &self.errors[judge]);
        let same = |class: usize| -> f64 {
            one[class].iter().zip(&other[class]).map(|(a, b)| a * b).sum()
        };
        let predicted: f64 =
            self.prevalence.iter().enumerate().map(|(k, share)| share * same(k)).sum();
        let predicted = predicted.clamp(0.0, 1.0);
        let observed = agreed as f64 / items as f64;
        let error = (predicted * (1.0 - predicted) / items as f64).sqrt();
        let gap = observed - predicted;
        // A prediction of certainty that comes true is no excess.
        let z = if gap.abs() < 1e-9 { 0.0 } else { gap / error };
        Dependence { judges, items, observed, predicted, z, p: 2.0 * phi_upper(z.abs()) }
    }
}

#[cfg(test)]
mod tests;
