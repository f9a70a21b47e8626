//! Judge by judge: all pairs, each stratum, each repeat, and what judges say of each other.

use std::collections::BTreeMap;

use super::agreement::agreement;
use super::between::between;
use super::length::length;
use super::own::self_preference;
use super::pairs::{Pair, Pairs, class, pairs};
use super::panel::panel;
use super::position::{one_order, position};
use super::ranking::ranking;
use super::repetition::repetition;
use super::wins::win_rate;
use super::{Analysis, Answer, Between, Judge, Named, Options, Part, People, Replies};
use crate::evidence::{Gold, Order, Votes};
use crate::stats::multiplicity::{benjamini_hochberg, holm};
use crate::verdicts::Verdicts;

/// More repeats than these are not told one by one, and more judges not two by two.
const MOST_TOLD: usize = 20;

/// A judge of the file: its place, its rows and its pairs.
pub(super) struct Of {
    pub place: u32,
    rows: Vec<u32>,
    pub pairs: Pairs,
}

/// The judges of a file.
pub(super) struct Judged {
    /// Those that are told of, each pair with its label.
    pub told: Vec<Of>,
    /// Those whose majority is the label.
    people: Vec<Of>,
    /// What these say.
    gold: BTreeMap<(u32, u32, [u32; 2]), Gold>,
}

/// The judges of a file, and the labels.
pub(super) fn judged(verdicts: &Verdicts, options: &Options) -> Judged {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); verdicts.judges.len()];
    for (row, it) in (0..).zip(&verdicts.ballots) {
        if let Some(of_judge) = rows.get_mut(it.judge as usize) {
            of_judge.push(row);
        }
    }
    let some = (0..).zip(rows).filter(|it| !it.1.is_empty());
    let all: Vec<Of> = some
        .map(|(place, rows)| Of { place, pairs: pairs(&verdicts.ballots, &rows), rows })
        .collect();
    let name = |it: &Of| verdicts.judges.name(it.place);
    let (mut told, other): (Vec<Of>, Vec<Of>) =
        all.into_iter().partition(|it| options.tells_of(name(it)));
    let people: Vec<Of> =
        other.into_iter().filter(|it| options.gold.iter().any(|gold| gold == name(it))).collect();
    let gold = majority(&people);
    if !options.gold.is_empty() {
        for pair in told.iter_mut().flat_map(|it| &mut it.pairs.all) {
            pair.gold = gold.get(&pair.key()).copied();
        }
    }
    Judged { told, people, gold }
}

/// The analysis of comparisons.
#[must_use]
pub fn analyze(verdicts: &Verdicts, options: &Options) -> Analysis {
    let Judged { told, people, gold } = judged(verdicts, options);
    let name = |it: &Of| verdicts.judges.name(it.place);
    let named: Vec<(&str, &[Pair])> = told.iter().map(|it| (name(it), &*it.pairs.all)).collect();
    Analysis {
        level: options.level.get(),
        files: Vec::new(),
        judges: told.iter().map(|it| judge(it, &named, verdicts, options)).collect(),
        between: two_by_two(&named, options),
        panel: panel(&named, options),
        ranking: (1 < named.len()).then(|| ranked(&named, verdicts, options)),
        people: (!people.is_empty()).then(|| {
            let named: Vec<(&str, &[Pair])> =
                people.iter().map(|it| (name(it), &*it.pairs.all)).collect();
            let mut labels = [0; 3];
            for it in gold.values() {
                labels[*it as usize] += 1;
            }
            People {
                judges: named.iter().map(|it| it.0.to_owned()).collect(),
                labels,
                between: two_by_two(&named, options),
                panel: panel(&named, options),
            }
        }),
    }
}

/// What most of the people say of each pair; neither where none leads.
fn majority(people: &[Of]) -> BTreeMap<(u32, u32, [u32; 2]), Gold> {
    let mut votes: BTreeMap<(u32, u32, [u32; 2]), Votes> = BTreeMap::new();
    for pair in people.iter().flat_map(|it| &it.pairs.all) {
        if let Some(verdict) = pair.majorities().answers.for_a().majority() {
            let votes = votes.entry(pair.key()).or_default();
            *votes = votes.plus(verdict);
        }
    }
    let said = |votes: Votes| votes.majority().and_then(class);
    votes.into_iter().filter_map(|(key, votes)| Some((key, said(votes)?))).collect()
}

fn two_by_two(judges: &[(&str, &[Pair])], options: &Options) -> Vec<Between> {
    if MOST_TOLD < judges.len() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (place, one) in judges.iter().enumerate() {
        for other in &judges[place + 1..] {
            all.extend(between([one.0, other.0], one.1, other.1, options));
        }
    }
    all
}

fn judge(it: &Of, all: &[(&str, &[Pair])], verdicts: &Verdicts, options: &Options) -> Judge {
    let name = verdicts.judges.name(it.place);
    let Pairs { all: pairs, most_repeats, same_system, duplicates, gold_conflicts } = &it.pairs;
    let repeats = 1 < *most_repeats;
    let mut strata = Vec::new();
    for group in pairs.chunk_by(|a, b| a.stratum == b.stratum) {
        let name = verdicts.strata.name(group[0].stratum).to_owned();
        let part = part(group, repeats, verdicts, options);
        strata.push(Named { name, part, holm: None, bh: None });
    }
    if strata.len() < 2 {
        strata.clear();
    }
    adjusted(&mut strata);
    Judge {
        judge: name.to_owned(),
        all: part(pairs, repeats, verdicts, options),
        repeats: *most_repeats,
        same_system: *same_system,
        duplicates: *duplicates,
        gold_conflicts: *gold_conflicts,
        self_preference: own(name, pairs, all, verdicts, options),
        ranking: ranked(&[(name, pairs)], verdicts, options),
        repetition: repeats.then(|| repetition(&verdicts.ballots, &it.rows, options)),
        systems: systems(pairs, verdicts, options),
        strata,
        by_repeat: by_repeat(verdicts, it, options),
    }
}

/// The position tests of several strata as one family.
fn adjusted(strata: &mut [Named]) {
    let tested: Vec<usize> =
        (0..strata.len()).filter(|k| strata[*k].part.position.given().is_some()).collect();
    let p = |k: &usize| {
        let it = strata[*k].part.position.given()?;
        Some(it.beta.p.unwrap_or(it.mid_p))
    };
    let p: Vec<f64> = tested.iter().filter_map(p).collect();
    if p.len() < 2 {
        return;
    }
    let (Ok(holm), Ok(bh)) = (holm(&p), benjamini_hochberg(&p)) else { return };
    for ((place, holm), bh) in tested.into_iter().zip(holm).zip(bh) {
        (strata[place].holm, strata[place].bh) = (Some(holm), Some(bh));
    }
}

fn own(
    name: &str,
    pairs: &[Pair],
    all: &[(&str, &[Pair])],
    verdicts: &Verdicts,
    options: &Options,
) -> Answer<super::SelfPreference> {
    let system = |judge: &str| owned(judge, verdicts, options);
    let Some(own) = system(name) else {
        return Answer::or(None, "no system of the file is said to be its own");
    };
    let others: Vec<_> =
        all.iter().filter(|it| it.0 != name).map(|it| (*it, system(it.0))).collect();
    match self_preference((name, pairs), own, verdicts.systems.name(own), &others, options) {
        Ok(it) => Answer::Given(Box::new(it)),
        Err(why) => Answer::or(None, why),
    }
}

/// A judge's own system, where it is said.
fn owned(judge: &str, verdicts: &Verdicts, options: &Options) -> Option<u32> {
    let own = options.own.iter().find(|it| it.0 == judge)?;
    verdicts.systems.find(&own.1)
}

fn ranked(
    judges: &[(&str, &[Pair])],
    verdicts: &Verdicts,
    options: &Options,
) -> Answer<super::Ranking> {
    let judged: Vec<_> = judges.iter().map(|it| (it.1, owned(it.0, verdicts, options))).collect();
    match ranking(&judged, &verdicts.systems, options) {
        Ok(it) => Answer::Given(Box::new(it)),
        Err(why) => Answer::or(None, &why),
    }
}

/// The win rates of each two systems, where there are several.
fn systems(pairs: &[Pair], verdicts: &Verdicts, options: &Options) -> Vec<super::WinRate> {
    let mut by: BTreeMap<[u32; 2], Vec<Pair>> = BTreeMap::new();
    for pair in pairs {
        by.entry(pair.systems).or_default().push(*pair);
    }
    if by.len() < 2 {
        return Vec::new();
    }
    let name = |place: u32| verdicts.systems.name(place).to_owned();
    by.iter().filter_map(|([a, b], pairs)| win_rate(pairs, name(*a), name(*b), options)).collect()
}

/// Each repeat by itself, where rows name several.
fn by_repeat(verdicts: &Verdicts, of: &Of, options: &Options) -> Vec<Named> {
    let repeat = |row: &u32| verdicts.ballots[*row as usize].repeat;
    let gold: BTreeMap<_, _> =
        of.pairs.all.iter().filter_map(|it| Some((it.key(), it.gold?))).collect();
    let mut names: Vec<u32> = of.rows.iter().map(repeat).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 || MOST_TOLD < names.len() {
        return Vec::new();
    }
    let one = |name: &u32| {
        let own: Vec<u32> = of.rows.iter().filter(|row| repeat(row) == *name).copied().collect();
        let mut it = pairs(&verdicts.ballots, &own);
        for pair in &mut it.all {
            pair.gold = gold.get(&pair.key()).copied();
        }
        Named {
            name: verdicts.repeats.name(*name).to_owned(),
            part: part(&it.all, 1 < it.most_repeats, verdicts, options),
            holm: None,
            bh: None,
        }
    };
    names.iter().map(one).collect()
}

fn part(pairs: &[Pair], repeats: bool, verdicts: &Verdicts, options: &Options) -> Part {
    let lost = |pair: &Pair, order| pair.asked(order) && pair.votes(order).valid() == 0;
    let mut replies = Replies::default();
    for votes in pairs.iter().flat_map(|it| [it.answers.ab, it.answers.ba]) {
        replies.first += u64::from(votes.first);
        replies.tie += u64::from(votes.tie);
        replies.second += u64::from(votes.second);
        replies.invalid += u64::from(votes.invalid);
    }
    let count = |f: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|it| f(it)).count() as u64;
    let (of, against) = opponents(pairs, verdicts);
    Part {
        pairs: pairs.len() as u64,
        invalid: count(&|it| Order::BOTH.into_iter().any(|order| lost(it, order))),
        one_sided: count(&|it| it.asked(Order::Ab) != it.asked(Order::Ba)),
        replies,
        position: Answer::or(position(pairs, repeats, options), "no pair was asked in both orders"),
        single_order: one_order(pairs, options),
        win_rate: Answer::or(win_rate(pairs, of, against, options), "there is no pair"),
        agreement: Answer::or(
            agreement(pairs, options),
            "the file holds no label; name a judge with --gold",
        ),
        length: Answer::or(
            length(pairs, &verdicts.systems, options),
            "the file gives no lengths above 0",
        ),
    }
}

/// System A and system B of some pairs, by name; a number where there are several.
fn opponents(pairs: &[Pair], verdicts: &Verdicts) -> (String, String) {
    let name = |k: usize| {
        let mut all: Vec<u32> = pairs.iter().map(|it| it.systems[k]).collect();
        all.sort_unstable();
        all.dedup();
        match all.as_slice() {
            [one] => verdicts.systems.name(*one).to_owned(),
            several => format!("{} systems", several.len()),
        }
    };
    (name(0), name(1))
}
