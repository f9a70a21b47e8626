//! Several judges of the same cases without a label: how common the truth is and how often each judge errs, by the model of
//! Dawid and Skene, beside the same figures against the label where there is one.
//!
//! The model takes errors as independent given the truth. Judges that share errors make it sure of itself and wrong, so what
//! speaks against that stands beside it: agreement beyond what it predicts, and errors that correlate against the label.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::number::Number;
use super::{Answer as Given, Options};
use crate::stats::dawid_skene::{Alike, Answer, FEW_JUDGES, Fit, fit_counted};
use crate::stats::multiplicity::holm;
use crate::stats::special::{phi_upper, t_quantile};

/// What the model assumes.
const ASSUMES: &str = "given the truth, judges err independently of each other, each at rates of its own that are the same for \
    all cases, and are right more often than not (Dawid & Skene 1979)";
const METHOD: &str = "expectation and maximisation; errors by leaving out groups of items in turn";

const EDGE: &str =
    "expectation and maximisation; the same without any group of items, so no error can be given";

/// Groups of items that are left out in turn: the fewest and the most.
const GROUPS: [usize; 2] = [10, 50];
/// Answers, those to alike cases once, above which fewer groups are left out, and the most that are fitted.
const ANSWERS: [usize; 2] = [4_000, 20_000];
const SATURATED: &str = "three judges of two classes agree as the model says whatever errors they share: it takes a fourth judge or labels to \
    tell";
const TOO_MANY: &str = "the judges answer the cases in too many different ways to be fitted here; name fewer with --judge";

/// Several judges without a label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latent {
    /// What it rests on.
    pub assumes: String,
    /// Cases with an answer.
    pub cases: u64,
    /// The classes of the truth and of what is said.
    pub classes: Vec<String>,
    /// How common each class is.
    pub prevalence: Vec<Number>,
    /// Each judge.
    pub judges: Vec<Estimated>,
    /// The two judges who agree most beyond what independent errors give, where agreement can tell.
    pub closest: Given<Closest>,
}

/// A judge as the model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimated {
    /// Its name.
    pub judge: String,
    /// How often it names the true class.
    pub accuracy: Number,
    /// Where the truth is the first class, how often it says so.
    pub sensitivity: Number,
    /// Where the truth is the last class, how often it says so.
    pub specificity: Number,
    /// By true class, how often it says which.
    pub says: Vec<Vec<f64>>,
    /// The sensitivity against the label.
    pub sensitivity_to_label: Number,
    /// The specificity against the label.
    pub specificity_to_label: Number,
}

/// Two judges, and how far they agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closest {
    /// The two.
    pub judges: [String; 2],
    /// Cases that both answered.
    pub cases: u64,
    /// The share of them on which they agree.
    pub observed: f64,
    /// The share that independent errors give.
    pub predicted: f64,
    /// The two-sided p-value with the error of all pairs of judges held (Holm), the prediction taken as known.
    pub p: f64,
}

/// One case: the item it belongs to, and the class that each judge named.
pub(super) type Case = ((u32, u32), Vec<Option<usize>>);

/// A judge with what it shows against the label: sensitivity and specificity.
pub(super) struct Named<'n> {
    pub name: &'n str,
    pub to_label: [Number; 2],
}

/// The fit of some judges to cases in the order of their items; `classes` are named from the first to the last.
pub(super) fn latent(
    judges: Vec<Named<'_>>,
    classes: &[&str],
    cases: &[Case],
    options: &Options,
) -> Result<Latent, &'static str> {
    // A judge without an answer has no errors to fit.
    let speaks = |k: &usize| cases.iter().any(|it| it.1[*k].is_some());
    let who: Vec<usize> = (0..judges.len()).filter(speaks).collect();
    if who.len() < 3 {
        return Err(FEW_JUDGES);
    }
    let judges = judges.into_iter().enumerate().filter(|it| who.contains(&it.0));
    let judges: Vec<Named<'_>> = judges.map(|it| it.1).collect();
    let said = |it: &Case| (it.0, who.iter().map(|k| it.1[*k]).collect());
    let cases: Vec<Case> = cases.iter().map(said).collect();
    let counted = Counted::new(&cases, classes.len())?;
    let fits = counted.fits()?;
    let names = counted.used.iter().map(|it| classes[*it].to_owned()).collect();
    let last = counted.used.len() - 1;
    // Three judges of two classes have as many rates as there are shares of answers: every agreement fits.
    let closest = if judges.len() == 3 && counted.used.len() == 2 {
        Given::or(None, SATURATED)
    } else {
        Given::Given(Box::new(counted.closest(&fits[0], &judges)))
    };
    let say = |of: &dyn Fn(&Fit) -> f64| jackknife(&fits, of, options);
    let prevalence = (0..=last).map(|k| say(&|it: &Fit| it.prevalence[k])).collect();
    let judge = |(k, it): (usize, Named<'_>)| {
        let [sensitivity_to_label, specificity_to_label] = it.to_label;
        let rate = |class: usize| {
            // A class that no case is of tells nothing of the judge.
            let none = |it: &Fit| it.errors[k][class].iter().sum::<f64>() == 0.0;
            if none(&fits[0]) {
                return Number::none("no case is of this class");
            }
            if fits.iter().any(none) {
                return Number::none("cases of this class are in one group of items only");
            }
            say(&|fit: &Fit| fit.errors[k][class][class])
        };
        Estimated {
            judge: it.name.to_owned(),
            accuracy: say(&|fit: &Fit| fit.accuracy(k)),
            sensitivity: rate(0),
            specificity: rate(last),
            says: fits[0].errors[k].clone(),
            sensitivity_to_label,
            specificity_to_label,
        }
    };
    let judges = judges.into_iter().enumerate().map(judge).collect();
    let cases = counted.whole().map(|it| it.1).sum();
    Ok(Latent { assumes: ASSUMES.to_owned(), cases, classes: names, prevalence, judges, closest })
}

/// Sets of answers, by group of items how often each came.
struct Counted {
    /// The classes in use.
    used: Vec<usize>,
    items: u64,
    groups: usize,
    all: BTreeMap<Vec<Option<usize>>, Vec<u64>>,
}

impl Counted {
    fn new(cases: &[Case], classes: usize) -> Result<Self, &'static str> {
        let said = |class: &usize| cases.iter().any(|it| it.1.contains(&Some(*class)));
        let used: Vec<usize> = (0..classes).filter(said).collect();
        if used.len() < 2 {
            return Err("all judges say the same of every case");
        }
        let items = cases.chunk_by(|a, b| a.0 == b.0);
        let count = items.clone().count();
        let mut all: BTreeMap<Vec<Option<usize>>, Vec<u64>> = BTreeMap::new();
        for (item, cases) in items.enumerate() {
            for (_, said) in cases.iter().filter(|it| it.1.iter().any(Option::is_some)) {
                let place = |class: usize| used.binary_search(&class).unwrap_or(0);
                let said = said.iter().map(|it| it.map(place)).collect();
                all.entry(said).or_insert_with(|| vec![0; GROUPS[1]])[item % GROUPS[1]] += 1;
            }
        }
        let judges = cases.first().map_or(0, |it| it.1.len());
        let answers = all.len() * judges;
        if ANSWERS[1] < answers {
            return Err(TOO_MANY);
        }
        // Groups of a number that divides the largest are made by folding.
        let groups = if answers <= ANSWERS[0] { GROUPS[1] } else { GROUPS[0] };
        Ok(Self { used, items: count as u64, groups: groups.min(count), all })
    }

    /// Each set of answers, and how often it came.
    fn whole(&self) -> impl Iterator<Item = (&Vec<Option<usize>>, u64)> {
        self.all.iter().map(|(said, times)| (said, times.iter().sum()))
    }

    /// The fit of all cases, then those without each group in turn.
    fn fits(&self) -> Result<Vec<Fit>, &'static str> {
        let without = |group: Option<usize>| -> Vec<Alike> {
            let one = |(said, times): (&Vec<Option<usize>>, &Vec<u64>)| {
                let stays = |at: &usize| Some(at % self.groups) != group;
                let times: u64 = (0..GROUPS[1]).filter(stays).map(|at| times[at]).sum();
                let answers = said.iter().enumerate();
                let answers = answers
                    .filter_map(|(judge, class)| Some(Answer { item: 0, judge, class: (*class)? }))
                    .collect();
                Alike { answers, times: times as f64 }
            };
            self.all.iter().map(one).collect()
        };
        let classes = self.used.len();
        let whole = fit_counted(&without(None), classes, None)?;
        let judges = whole.errors.len();
        let mut fits = Vec::with_capacity(self.groups + 1);
        for group in 0..self.groups {
            let fit = fit_counted(&without(Some(group)), classes, Some(&whole))?;
            let silent = |it: &Vec<Vec<f64>>| it.iter().flatten().all(|p| *p == 0.0);
            if (0..judges).any(|k| fit.errors.get(k).is_none_or(silent)) {
                return Err("a judge has answers in one group of items only");
            }
            fits.push(fit);
        }
        fits.insert(0, whole);
        Ok(fits)
    }

    /// The two judges who agree most beyond what the fit predicts.
    fn closest(&self, fit: &Fit, judges: &[Named<'_>]) -> Closest {
        let cases: u64 = self.whole().map(|it| it.1).sum();
        // Cases of one item are not independent: its items tell how much is known.
        let sure = (self.items as f64 / cases as f64).min(1.0).sqrt();
        let mut all = Vec::new();
        for b in 1..fit.errors.len() {
            for a in 0..b {
                let (mut both, mut agreed) = (0, 0);
                for (said, times) in self.whole() {
                    if let (Some(one), Some(other)) = (said[a], said[b]) {
                        both += times;
                        agreed += if one == other { times } else { 0 };
                    }
                }
                if 0 < both {
                    all.push(fit.compared([a, b], [both, agreed]));
                }
            }
        }
        let p: Vec<f64> =
            all.iter().map(|it| (2.0 * phi_upper((sure * it.z).abs())).min(1.0)).collect();
        let adjusted = holm(&p).unwrap_or(p);
        let most = (0..all.len()).max_by(|a, b| all[*a].z.total_cmp(&all[*b].z)).unwrap_or(0);
        let it = &all[most];
        Closest {
            judges: it.judges.map(|place| judges[place].name.to_owned()),
            cases: it.items,
            observed: it.observed,
            predicted: it.predicted,
            p: adjusted[most],
        }
    }
}

/// A probability of the whole fit with the t interval of its jackknife error; within 0 and 1.
///
/// B. Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, chapter 3.
fn jackknife(fits: &[Fit], of: &dyn Fn(&Fit) -> f64, options: &Options) -> Number {
    let value = of(&fits[0]);
    let left: Vec<f64> = fits[1..].iter().map(of).collect();
    let n = left.len() as f64;
    let mean = left.iter().sum::<f64>() / n;
    let spread: f64 = left.iter().map(|it| (it - mean) * (it - mean)).sum();
    let number = Number::exact(value).by(METHOD);
    let error = ((n - 1.0) / n * spread).sqrt();
    if n < 2.0 || error <= 1e-9 {
        return number.by(EDGE);
    }
    let half = t_quantile(0.5 + options.level.get() / 2.0, n - 1.0) * error;
    Number { low: Some((value - half).max(0.0)), high: Some((value + half).min(1.0)), ..number }
        .with_se(error)
}
