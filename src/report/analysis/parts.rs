//! What the page of an analysis is put together from.

pub(in crate::report) use super::sentences::some;
pub(in crate::report) use super::tables::overview;
pub(in crate::report) use super::{each, p, plain, stated, together};

use super::{Found, graded, sentences};
use crate::analysis::{Analysis, Detectable, Graded, Judge, Number};

/// The most judges that the answer tells of one by one.
const MOST_JUDGES: usize = 4;

/// The answer in a few sentences.
pub(in crate::report) fn answer(it: &Found) -> Vec<String> {
    match it {
        Found::Comparisons(it) if it.judges.len() <= MOST_JUDGES => {
            it.judges.iter().flat_map(|judge| one(judge, 1.0 - it.level)).collect()
        }
        Found::Comparisons(it) => many(it),
        Found::Grades(it) => {
            let all = it.judges.iter().take(MOST_JUDGES);
            all.flat_map(|judge| graded::answer(judge, it.binary)).collect()
        }
    }
}

/// Position, length and win rate of one judge.
fn one(judge: &Judge, alpha: f64) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(it) = judge.all.position.given() {
        told.extend(sentences::position(it).into_iter().take(1));
    } else {
        told.extend(judge.all.single_order.as_ref().map(sentences::one_order));
    }
    let length = judge.all.length.given();
    told.extend(length.map(|it| sentences::length(it, alpha)));
    told.extend(judge.all.win_rate.given().map(sentences::wins));
    vec![format!("{}: {}", judge.judge, told.join(" "))]
}

/// How many of many judges show a bias, and what the others could have shown.
fn many(it: &Analysis) -> Vec<String> {
    let positions = it.judges.iter().filter_map(|it| Some((it, it.all.position.given()?)));
    let (seen, others): (Vec<_>, Vec<_>) = positions.partition(|it| it.1.seen);
    let all = seen.len() + others.len();
    let mut told = Vec::new();
    if 0 < all {
        let names: Vec<&str> = seen.iter().take(6).map(|it| it.0.judge.as_str()).collect();
        let more = seen.len() - names.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let names =
            if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
        told.push(format!("A position bias was seen in {} of {all} judges{names}.", seen.len()));
    }
    let least = others.iter().filter_map(|it| it.1.smallest_detectable.value);
    let (low, high) =
        least.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (x.min(a), x.max(b)));
    if low <= high {
        told.push(format!(
            "In the others a preference below {} to {} log-odds, by judge, would have stayed unseen in 1 of 5 such files or more.",
            super::short(low),
            super::short(high)
        ));
    }
    let blind = others.iter().filter(|it| it.1.smallest_detectable.value.is_none()).count();
    if 0 < blind {
        told.push(format!(
            "In {blind} of the judges so few pairs flip that no preference could have been seen, however strong."
        ));
    }
    let without = it.judges.len() - all;
    if 0 < without {
        told.push(format!("{without} of the judges have no pair asked in both orders."));
    }
    told
}

/// A test: whose, of what, its estimate and p-value, and the effect that it sees four times in five.
type Test<'a> = (String, &'static str, &'a Number, Option<f64>, &'a Detectable);

/// Every test of an analysis.
pub(in crate::report) fn tests(it: &Found) -> Vec<Test<'_>> {
    match it {
        Found::Comparisons(it) => {
            let mut all: Vec<Test<'_>> = it.judges.iter().flat_map(of_judge).collect();
            for it in &it.between {
                let who = it.judges.join(" minus ");
                for (what, it) in [
                    ("first-shown share", &it.first_share),
                    ("position", &it.position),
                    ("length", &it.length),
                    ("right verdicts", &it.accuracy),
                ] {
                    if it.number.value.is_some() {
                        all.push((
                            who.clone(),
                            what,
                            &it.number,
                            it.number.p,
                            &it.smallest_detectable,
                        ));
                    }
                }
            }
            all
        }
        Found::Grades(it) => {
            let mut all = Vec::new();
            for judge in &it.judges {
                for it in &judge.comparisons {
                    let who = format!("{}: {}", judge.judge, it.systems.join(" minus "));
                    let it = &it.difference;
                    all.push((who, "mean grade", &it.number, it.number.p, &it.smallest_detectable));
                }
                if let Some(it) = &judge.scores {
                    let number = if it.beyond_human.value.is_some() {
                        &it.beyond_human
                    } else {
                        &it.length_slope
                    };
                    all.push((
                        judge.judge.clone(),
                        "length",
                        number,
                        number.p,
                        &it.smallest_detectable,
                    ));
                }
            }
            all
        }
    }
}

fn of_judge(judge: &Judge) -> Vec<Test<'_>> {
    let who = || judge.judge.clone();
    let mut all: Vec<Test<'_>> = Vec::new();
    if let Some(it) = judge.all.position.given() {
        let p = it.beta.p.or(Some(it.mid_p));
        all.push((who(), "position", &it.beta, p, &it.smallest_detectable));
        if it.smallest_detectable.value.is_none() {
            all.push((who(), "position, all one way", &it.beta, p, &it.smallest_one_way));
        }
    }
    if let Some(it) = judge.all.length.given() {
        let labelled = it.beyond_gold.value.is_some();
        let number = if labelled { &it.beyond_gold } else { &it.slope.number };
        let what = if labelled { "length beyond the label" } else { "length" };
        all.push((who(), what, number, number.p, &it.smallest_detectable));
    }
    if let Some(it) = judge.self_preference.given() {
        let it = &it.share;
        all.push((who(), "self-preference", &it.number, it.number.p, &it.smallest_detectable));
    }
    all
}

/// What figures without a label take for granted.
const INDEPENDENT: [&str; 2] = [
    "without a label: judges err independently of each other, given the truth",
    "judges of one family, which share errors and so confirm each other",
];

/// What is taken for granted, and whom it flatters.
pub(in crate::report) fn assumptions(it: &Found) -> Vec<[&'static str; 2]> {
    match it {
        Found::Comparisons(it) => {
            let any = |has: fn(&Judge) -> bool| it.judges.iter().any(has);
            let mut all = vec![[
                "pairs are a sample of independent cases; several verdicts on one pair are not",
                "files in which many pairs share a prompt: their intervals are too narrow",
            ]];
            if any(|it| it.all.position.given().is_some()) {
                all.push([
                    "nothing but the order differs between the two askings of a pair",
                    "judges that were asked with other settings in one order",
                ]);
            }
            if any(|it| it.all.single_order.is_some()) {
                all.push([
                    "with one order a pair, strength of a system and order are told apart by a fit",
                    "designs that always show one system first",
                ]);
            }
            if any(|it| it.all.agreement.given().is_some()) {
                all.push(["the label is right", "judges that share the labellers' tastes"]);
            }
            let panels = it.panel.iter().chain(it.people.iter().filter_map(|it| it.panel.as_ref()));
            if panels.clone().any(|it| it.without_labels.given().is_some()) {
                all.push(INDEPENDENT);
            }
            if any(|it| it.all.length.given().is_some()) {
                all.push([
                    "length pays the same per doubling in every pair",
                    "judges that reward length only where it helps: without a label that looks like a bias",
                ]);
            }
            if any(|it| it.self_preference.given().is_some()) {
                all.push([
                    "the third parties prefer no system for being theirs",
                    "judges whose relatives are among the third parties",
                ]);
            }
            all
        }
        Found::Grades(it) => of_grades(it),
    }
}

/// What the analysis of grades takes for granted.
fn of_grades(it: &Graded) -> Vec<[&'static str; 2]> {
    let systems = it.judges.iter().flat_map(|it| &it.systems);
    let mut all = vec![[
        "cases are a sample of independent ones; several grades of one case are not",
        "files in which cases share a source: their intervals are too narrow",
    ]];
    if systems.clone().any(|it| it.agreement.given().is_some()) {
        all.push(["the label is right", "judges that share the labellers' tastes"]);
    }
    if systems.clone().any(|it| it.corrected.given().is_some()) {
        all.push([
            "the judge errs on unlabelled cases as it does on labelled ones",
            "judges that were tuned on the labelled cases",
        ]);
    }
    if it.without_labels.iter().any(|it| it.panel.given().is_some()) {
        all.push(INDEPENDENT);
    }
    all
}
