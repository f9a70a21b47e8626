//! The judge of a twin: one logistic fit with a taste per pair, and of each coefficient its error or why it has none.

use std::collections::BTreeMap;

use super::super::Options;
use super::super::length::log_ratio;
use super::super::pairs::Pair;
use super::Parameter;
use crate::evidence::{Gold, Order, Votes};
use crate::stats::dense::cholesky;
use crate::stats::interval::Interval;
use crate::stats::logistic::{self, ALIASED, Errors, Robust, SEPARATED};
use crate::stats::mixed::{self, Cluster};

/// What may speak for A in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// The label; without labels, A itself.
    Ability,
    /// The length of its answer.
    Length,
    /// It is the judge's own.
    Own,
}

/// A fit, whichever way it was had.
struct Fitted {
    /// By term, then the position.
    values: Vec<(f64, f64)>,
    taste: Option<(f64, f64, Option<Interval>)>,
    /// ln nu.
    ties: Option<(f64, f64)>,
    separated: bool,
}

/// Of more pairs that differ the error alone says enough, and limits take long.
const MOST_PROFILED: usize = 3_000;

const REMARK_LEAD: &str = "no label tells quality: this is the lead of the first system, and a liking for it is not told apart";
const REMARK_SEPARATED: &str =
    "verdicts go all one way somewhere: half a pair of each kind was added (Haldane 1956)";
const ALIKE: &str = "not identified: it moves together with another coefficient in these pairs";
const ONE_ORDER: &str =
    "not identified: every pair shows the same system first, and no label tells it from the slot";
const ONE_ANSWER: &str = "not identified: a pair has one answer";

/// What is known of the pairs before anything is fitted, and what can be.
struct Asked<'a> {
    pairs: &'a [Pair],
    /// Whether a label tells which answer is better, in some pair.
    labelled: bool,
    /// Whether some pair shows A first, and some pair B.
    both_orders: bool,
    /// 1 where A is the judge's own system, -1 where B is.
    own: Option<f64>,
    terms: Vec<Term>,
    position: bool,
    /// What moves together with other terms.
    dropped: Vec<Term>,
}

impl<'a> Asked<'a> {
    fn new(pairs: &'a [Pair], own: Option<&str>, systems: Option<&[String; 2]>) -> Self {
        let labelled = pairs.iter().any(|it| matches!(it.gold, Some(Gold::A | Gold::B)));
        let lengths = pairs.iter().any(|it| log_ratio(it).is_some_and(|x| x != 0.0));
        let side = own.zip(systems).and_then(|(own, it)| it.iter().position(|name| name == own));
        let own = side.map(|place| if place == 0 { 1.0 } else { -1.0 });
        let mut terms = vec![Term::Ability];
        terms.extend(lengths.then_some(Term::Length));
        terms.extend((labelled && own.is_some()).then_some(Term::Own));
        let both_orders =
            Order::BOTH.into_iter().all(|order| pairs.iter().any(|it| it.asked(order)));
        let position = labelled || both_orders;
        Self { pairs, labelled, both_orders, own, terms, position, dropped: Vec::new() }
    }

    /// How much speaks for A in a pair.
    fn favours(&self, pair: &Pair) -> Vec<f64> {
        let one = |term: &Term| match term {
            Term::Ability if self.labelled => match pair.gold {
                Some(Gold::A) => 1.0,
                Some(Gold::B) => -1.0,
                _ => 0.0,
            },
            Term::Ability => 1.0,
            Term::Length => log_ratio(pair).unwrap_or(0.0),
            Term::Own => self.own.unwrap_or(0.0),
        };
        self.terms.iter().map(one).collect()
    }

    /// Fits what the pairs can tell apart.
    fn fit(&mut self, options: &Options) -> Result<Fitted, &'static str> {
        loop {
            let clusters = clusters(self.pairs, &|pair| self.favours(pair));
            let terms = self.terms.len();
            match (aliased(&clusters, terms + usize::from(self.position)), terms) {
                (false, _) => return fit(&clusters, terms, self.position, options),
                // What is told last can be done without first.
                (true, 2..) => self.dropped.extend(self.terms.pop()),
                (true, _) if self.position => self.position = false,
                _ => return Err(ALIASED),
            }
        }
    }

    fn place(&self, term: Term) -> Option<usize> {
        self.terms.iter().position(|it| *it == term)
    }

    /// Why a term has no value.
    fn why(&self, term: Term, own_is_named: bool) -> &'static str {
        match term {
            _ if self.dropped.contains(&term) => ALIKE,
            Term::Ability => ALIKE,
            Term::Length => "the file gives no lengths that differ",
            Term::Own if !own_is_named => {
                "no system is said to be the judge's own; --own JUDGE=SYSTEM says so"
            }
            Term::Own if self.own.is_none() => {
                "not identified: its own system is not one of two that all pairs compare"
            }
            Term::Own => {
                "not identified: without labels a liking for its own is not told from its own being better"
            }
        }
    }
}

/// The coefficients of the judge, in the order of a scenario.
pub(super) fn parameters(
    pairs: &[Pair],
    own: Option<&str>,
    systems: Option<&[String; 2]>,
    options: &Options,
) -> Result<Vec<Parameter>, &'static str> {
    let mut asked = Asked::new(pairs, own, systems);
    let fitted = asked.fit(options)?;
    let remark = fitted.separated.then(|| REMARK_SEPARATED.to_owned());
    let told = |key: &'static str, it: Option<(f64, f64)>, why: &str| match it {
        Some((value, error)) => {
            Parameter { key, value, error: Some(error), limits: None, remark: remark.clone() }
        }
        None => none(key, why),
    };
    let term = |key: &'static str, term: Term| {
        let value = asked.place(term).map(|place| fitted.values[place]);
        told(key, value, asked.why(term, own.is_some()))
    };
    let mut ability = term("ability", Term::Ability);
    if !asked.labelled {
        ability.remark = Some(REMARK_LEAD.to_owned());
    }
    let slot = asked.position.then(|| fitted.values[asked.terms.len()]);
    let taste = match fitted.taste {
        Some((value, error, limits)) => Parameter {
            // At the edge an error means nothing.
            error: Some(error).filter(|_| 0.05 < value),
            limits,
            ..told("taste", Some((value, error)), "")
        },
        None => none("taste", ONE_ANSWER),
    };
    let nu = fitted.ties.map(|(ln, error)| (libm::exp(ln), libm::exp(ln) * error));
    Ok(vec![
        ability,
        told("position", slot, if asked.both_orders { ALIKE } else { ONE_ORDER }),
        term("length", Term::Length),
        term("self", Term::Own),
        taste,
        told("ties", nu, "no reply is a tie"),
        invalid(pairs),
    ])
}

fn none(key: &'static str, why: &str) -> Parameter {
    Parameter { key, value: 0.0, error: None, limits: None, remark: Some(why.to_owned()) }
}

fn invalid(pairs: &[Pair]) -> Parameter {
    let votes = || pairs.iter().flat_map(|it| [it.answers.ab, it.answers.ba]);
    let lost: u64 = votes().map(|it| u64::from(it.invalid)).sum();
    let all: u64 = lost + votes().map(|it| it.valid().unsigned_abs()).sum::<u64>();
    let share = lost as f64 / all.max(1) as f64;
    let error = libm::sqrt(share * (1.0 - share) / all.max(1) as f64);
    let remark = (lost == 0).then(|| "every reply is a verdict".to_owned());
    Parameter {
        key: "invalid",
        value: share,
        error: Some(error).filter(|_| 0 < lost),
        limits: None,
        remark,
    }
}

fn said(votes: Votes) -> [f64; 3] {
    [votes.first, votes.tie, votes.second].map(f64::from)
}

/// The pairs, those that are alike told once.
fn clusters(pairs: &[Pair], favours: &dyn Fn(&Pair) -> Vec<f64>) -> Vec<Cluster> {
    let mut all: BTreeMap<(Vec<u64>, [Counts; 2]), Cluster> = BTreeMap::new();
    for pair in pairs.iter().filter(|it| 0 < it.answers.for_a().valid()) {
        let (favours, answers) = (favours(pair), [pair.answers.ab, pair.answers.ba]);
        let key = (
            favours.iter().map(|it| it.to_bits()).collect(),
            answers.map(|it| [it.first, it.tie, it.second]),
        );
        all.entry(key)
            .and_modify(|it| it.times += 1.0)
            .or_insert_with(|| Cluster::pair(&favours, answers.map(said)));
    }
    all.into_values().collect()
}

type Counts = [u8; 3];

/// Whether the regressors move together in what was asked, whatever was answered.
fn aliased(clusters: &[Cluster], width: usize) -> bool {
    let mut products = vec![vec![0.0; width]; width];
    let rows = clusters.iter().flat_map(|it| it.rows.iter().map(move |row| (row, it.times)));
    for (row, times) in rows.filter(|it| 0.0 < it.0.said.iter().sum::<f64>()) {
        for (j, x) in row.x.iter().filter(|it| it.0 < width) {
            for (k, y) in row.x.iter().filter(|it| it.0 < width) {
                products[*j][*k] += times * x * y;
            }
        }
    }
    cholesky(&products).is_none()
}

/// Fits the terms and, where it is identified, the position; what has no maximum is fitted with half a pair of each kind.
fn fit(
    clusters: &[Cluster],
    terms: usize,
    position: bool,
    options: &Options,
) -> Result<Fitted, &'static str> {
    match once(clusters, terms, position, options) {
        // The regressors are told apart; so an information that is singular is that of a fit on its way to infinity.
        Err(SEPARATED | ALIASED) => {
            let more = [clusters, &halves(clusters, terms)].concat();
            let it = once(&more, terms, position, options)?;
            Ok(Fitted { separated: true, ..it })
        }
        other => other,
    }
}

fn once(
    clusters: &[Cluster],
    terms: usize,
    position: bool,
    options: &Options,
) -> Result<Fitted, &'static str> {
    let width = terms + usize::from(position);
    let answers = |it: &Cluster| it.rows.iter().flat_map(|row| row.said).sum::<f64>();
    if clusters.iter().all(|it| answers(it) <= 1.0) {
        return independent(clusters, width);
    }
    let fit = mixed::fit(clusters, width)?;
    let pair = |it: Robust| (it.value, it.error);
    let taste = pair(fit.taste());
    let limits = if clusters.len() <= MOST_PROFILED {
        Some(fit.limits(clusters, width, options.level.get())?)
    } else {
        None
    };
    Ok(Fitted {
        values: (0..width).map(|place| pair(fit.coefficient(place))).collect(),
        taste: Some((taste.0, taste.1, limits)),
        ties: fit.ties().map(pair),
        separated: false,
    })
}

/// One answer a pair: nothing tells a taste.
fn independent(clusters: &[Cluster], width: usize) -> Result<Fitted, &'static str> {
    let row = |it: &mixed::Row| logistic::Row { x: it.x.clone(), said: it.said };
    let plain: Vec<logistic::Cluster> = clusters
        .iter()
        .map(|it| logistic::Cluster { rows: it.rows.iter().map(row).collect(), times: it.times })
        .collect();
    let fit = logistic::fit(&plain, width)?;
    let of = |place| {
        let it = fit.coefficient(&plain, place, Errors::Model)?;
        Ok((it.value, it.error))
    };
    let values = (0..width).map(of).collect::<Result<_, &'static str>>()?;
    let ties = if width < fit.coefficients.len() { Some(of(width)?) } else { None };
    Ok(Fitted { values, taste: None, ties, separated: false })
}

/// Half a pair of each kind: both slots, both systems, spread over pairs that nothing speaks for and pairs that one term
/// speaks for, either way. Where pairs have one answer, half an answer of each kind.
fn halves(clusters: &[Cluster], terms: usize) -> Vec<Cluster> {
    let answers = |it: &Cluster| it.rows.iter().flat_map(|row| row.said).sum::<f64>();
    let one = clusters.iter().all(|it| answers(it) <= 1.0);
    let (first, second, none) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]);
    let asked =
        |order: usize| clusters.iter().any(|it| 0.0 < it.rows[order].said.iter().sum::<f64>());
    let kinds = match (one, asked(0), asked(1)) {
        (false, ..) => vec![[first, first], [second, second], [first, second], [second, first]],
        (_, true, false) => vec![[first, none], [second, none]],
        (_, false, _) => vec![[none, first], [none, second]],
        _ => vec![[first, none], [second, none], [none, first], [none, second]],
    };
    let mut spoken = vec![vec![0.0; terms]];
    for term in 0..terms {
        for sign in [1.0, -1.0] {
            spoken.push((0..terms).map(|k| if k == term { sign } else { 0.0 }).collect());
        }
    }
    let times = 0.5 / spoken.len() as f64;
    let each = spoken.iter().flat_map(|favours| {
        kinds.iter().map(move |kind| Cluster { times, ..Cluster::pair(favours, *kind) })
    });
    each.collect()
}
