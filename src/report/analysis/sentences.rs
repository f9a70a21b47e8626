//! What was found, in plain sentences; beside everything not seen, what would have been.

use super::{p, short, stated};
use crate::analysis::{
    Agreement, Analysis, Answer, Claim, Detectable, Judge, Length, Margin, Number, OneOrder, POWER,
    Part, Position, Ranking, Source, WinRate,
};

/// The sentences on one judge.
pub(super) fn judge(judge: &Judge, alpha: f64) -> Vec<String> {
    let mut all = vec![counts(judge)];
    match &judge.all.position {
        Answer::Given(it) => all.extend(position(it)),
        Answer::None(_) => {}
    }
    if let Some(it) = &judge.all.single_order {
        all.push(one_order(it));
    }
    if let Some(it) = judge.all.win_rate.given() {
        all.push(wins(it));
    }
    if let Some(it) = judge.all.agreement.given() {
        all.push(agreement(it));
    }
    if let Some(it) = judge.all.length.given() {
        all.push(length(it, alpha));
    }
    match &judge.self_preference {
        Answer::Given(it) => all.push(format!(
            "Self-preference: its own {} wins {} more of its votes than of the third parties' ({}; {} pairs){}.",
            it.own,
            stated(&it.share.number),
            it.third_parties.join(", "),
            it.pairs,
            unseen(it.share.number.p, &it.share.smallest_detectable, alpha),
        )),
        Answer::None(it) => {
            if let Some(why) = it.reason.as_deref().filter(|it| it.contains("second judge")) {
                all.push(format!("Self-preference: {why}."));
            }
        }
    }
    all.extend(judge.ranking.given().map(ranking));
    if let Some(it) = &judge.repetition {
        all.push(format!(
            "Repeats: asked again, it says the same as most often in {} of its verdicts; {} of {} presentations are unanimous. The \
             unit is {}.",
            stated(&it.consistency),
            it.unanimous,
            it.presentations,
            it.unit
        ));
    }
    all
}

/// How a file was read.
pub(super) fn source(it: &Source) -> String {
    let mut told = vec![format!("{}: {}, {}", it.file, it.format, some(it.records, "record"))];
    if let (Some(coding), Some(why)) = (&it.coded, &it.coded_because) {
        told.push(format!("verdicts name the {coding} ({why})"));
    }
    told.extend(counted(&[
        (it.bad, "could not be used"),
        (it.invalid, "hold no verdict"),
        (it.conflicting, "name different verdicts"),
        (it.self_play, "show a system against itself and are left out"),
        (it.duplicates, "say again what was read before and are left out"),
        (it.contradicted, "contradict what was read before and are left out"),
        (it.numbered, "ask the same again and were numbered as repeats"),
        (it.zero_lengths, "answers have length 0"),
    ]));
    let bad = it.first_bad.iter();
    let bad = bad.map(|(line, value, rule)| format!("line {line}: `{value}`: {rule}"));
    told.extend(bad);
    format!("{}.", told.join("; "))
}

/// What happened at all, with its number.
fn counted<'a>(all: &'a [(u64, &'a str)]) -> impl Iterator<Item = String> + 'a {
    all.iter().filter(|it| 0 < it.0).map(|(count, what)| format!("{count} {what}"))
}

/// `1 pair`, `2 pairs`.
pub(in crate::report) fn some(count: u64, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

fn counts(judge: &Judge) -> String {
    let Part { pairs, invalid, one_sided, replies, .. } = &judge.all;
    let mut told =
        vec![format!("{}, {invalid} with a reply that is no verdict", some(*pairs, "pair"))];
    told.extend(counted(&[(*one_sided, "asked in one order only")]));
    told.push(format!(
        "replies: {} first, {} tie, {} second, {} no verdict",
        replies.first, replies.tie, replies.second, replies.invalid
    ));
    told.extend(counted(&[
        (judge.same_system, "rows show a system against itself and enter nothing"),
        (
            judge.duplicates,
            "rows ask a presentation again under the same name and count as repeats",
        ),
        (judge.gold_conflicts, "pairs carry contradicting labels and count as unlabelled"),
    ]));
    format!("{}.", told.join("; "))
}

/// What stays unseen, where nothing was seen.
fn unseen(p: Option<f64>, it: &Detectable, alpha: f64) -> String {
    match (p, it.value) {
        (Some(p), Some(value)) if alpha < p => format!(
            "; an effect below {} {} would have stayed unseen in 1 of {:.0} such files or more",
            short(value),
            it.unit,
            1.0 / (1.0 - POWER)
        ),
        _ => String::new(),
    }
}

pub(super) fn position(it: &Position) -> Vec<String> {
    let table = format!(
        "{} FF, {} SS of {}, mid-p {}, exact p {}",
        it.first_first,
        it.second_second,
        some(it.valid_pairs, "pair"),
        p(it.mid_p),
        p(it.exact_p)
    );
    let mut all = vec![if it.seen {
        let slot = if it.second_second < it.first_first { "first" } else { "second" };
        format!(
            "A position bias was seen: it prefers the answer shown {slot} by {} ({table}).",
            by(&it.beta)
        )
    } else {
        format!("No position bias was seen ({table}){}.", stayed(it))
    }];
    all.push(format!(
        "{} of the pairs flip; of a judge without a preference but as unsure, between {} and {} would. {} of {} pairs are \
         consistent.",
        stated(&it.flip_rate),
        super::plain(it.fair_floor.low),
        super::plain(it.fair_floor.high),
        it.consistent,
        it.valid_pairs
    ));
    all.extend(it.margin.as_ref().map(margin));
    all
}

/// A preference in log-odds; where all flips go one way, its bound.
fn by(it: &Number) -> String {
    match (it.value, it.low, it.high) {
        (None, Some(low), _) if low.is_finite() => {
            format!("{} log-odds or more", super::plain(low))
        }
        (None, _, Some(high)) if high.is_finite() => {
            format!("{} log-odds or more", super::plain(-high))
        }
        _ => format!("{} log-odds", stated(it)),
    }
}

fn stayed(it: &Position) -> String {
    let (beta, one_way) = (&it.smallest_detectable, &it.smallest_one_way);
    let files = format!("1 of {:.0} such files or more", 1.0 / (1.0 - beta.power));
    match (beta.value, one_way.value) {
        (Some(value), _) => format!(
            "; with these pairs a bias below beta = {} would have stayed unseen in {files}",
            short(value)
        ),
        (None, Some(share)) => format!(
            "; it flips so rarely that no bias could have been seen at this flip rate, and one that turned fewer than {} of the \
             pairs, all one way, would have stayed unseen in {files}",
            short(share)
        ),
        (None, None) => "; with so few pairs no bias could have been seen".to_owned(),
    }
}

fn margin(it: &Margin) -> String {
    let told = match it.claim {
        Claim::Biased => "biased: the preference is seen and not shown to lie within it",
        Claim::Equivalent => "equivalent: whatever preference there is lies within it",
        Claim::Undecided => "undecided: these pairs show neither a preference nor its absence",
    };
    let needed = match (it.claim, it.pairs_to_decide.value) {
        (Claim::Undecided, Some(pairs)) => format!(
            "; about {pairs} pairs at this flip rate decide for a judge without a preference, in 4 of 5 such files"
        ),
        _ => String::new(),
    };
    format!(
        "For a margin of {} of the first-shown share about one half it is {told} (equivalence p {}){needed}.",
        it.margin,
        p(it.equivalence_p)
    )
}

pub(super) fn one_order(it: &OneOrder) -> String {
    let held = match it.with_systems.value {
        Some(_) => format!(
            "with the systems' strengths held, the first slot has {} log-odds (p {})",
            stated(&it.with_systems),
            it.with_systems.p.map(p).unwrap_or_default()
        ),
        None => format!(
            "the systems' strengths cannot be held ({})",
            it.with_systems.reason.as_deref().unwrap_or("no reason given")
        ),
    };
    format!(
        "{} in one order only, {} of them with the first-named system first: the answer shown first wins {} of the points, \
         which holds the systems' difference too unless the order was drawn at random; {held}.",
        some(it.valid_pairs, "valid pair"),
        it.a_first,
        stated(&it.first_share)
    )
}

pub(super) fn wins(it: &WinRate) -> String {
    let chosen = it.rates.get(&it.chosen).map(stated).unwrap_or_default();
    let wins = if it.of.ends_with(" systems") {
        "The systems that the file names first win".to_owned()
    } else {
        format!("{} wins", it.of)
    };
    format!("{wins} {chosen} against {} ({}).", it.against, it.chosen)
}

fn agreement(it: &Agreement) -> String {
    let both = match it.both_right.of {
        0 => String::new(),
        of => format!(" (right in both orders: {} of {of})", it.both_right.count),
    };
    format!(
        "It is right in {} of its replies to {}{both}; kappa {} in systems, {} in slots: {}.",
        stated(&it.accuracy),
        some(it.labelled_pairs, "labelled pair"),
        stated(&it.in_systems.kappa),
        stated(&it.in_slots.kappa),
        it.codings
    )
}

pub(super) fn length(it: &Length, alpha: f64) -> String {
    let own = match it.slope.number.value {
        Some(_) => {
            format!("a doubling of length is worth {} log-odds to it", stated(&it.slope.number))
        }
        None => format!(
            "no slope can be given ({})",
            it.slope.number.reason.as_deref().unwrap_or("no reason given")
        ),
    };
    let gold = match (it.gold.number.value, it.beyond_gold.value) {
        (Some(_), Some(_)) => format!(
            "{} to the label, a difference of {}{}",
            stated(&it.gold.number),
            stated(&it.beyond_gold),
            unseen(it.beyond_gold.p, &it.smallest_detectable, alpha)
        ),
        _ => {
            "without a label nobody knows what length deserves, so this alone is no bias".to_owned()
        }
    };
    format!("Length: {own} ({} decisive verdicts), {gold}.{}", it.verdicts, equal_lengths(it))
}

/// What the first system wins between answers of equal length, and what that takes for granted.
fn equal_lengths(it: &Length) -> String {
    const ASSUMES: &str = "if a doubling is worth the same in all pairs and longer is not better";
    match it.length_controlled_win_rate.value {
        Some(_) => format!(
            " Between answers of equal length the first system wins {} of decisive verdicts, {ASSUMES}.",
            stated(&it.length_controlled_win_rate)
        ),
        None if it.length_controlled.is_empty() => String::new(),
        None => format!(
            " What systems win between answers of equal length is told below, {ASSUMES}, and if strengths add up from pair to \
             pair."
        ),
    }
}

/// Whether the biases change the order of the systems, and what cannot be compared.
fn ranking(it: &Ranking) -> String {
    let names: Vec<&str> = it.systems.iter().map(|it| it.system.as_str()).collect();
    let mut told = vec![format!(
        "By strength the systems stand {}; with {} held the order is {}",
        names.join(", "),
        it.held.join(" and "),
        if it.same_order { "the same" } else { "another" }
    )];
    if 1 < it.parts {
        told.push(format!("they fall into {} sets between which nothing was asked", it.parts));
    }
    for (all, what) in [(&it.undefeated, "never lost"), (&it.winless, "never won")] {
        if !all.is_empty() {
            let all = all.join(", ");
            told.push(format!("{all} {what}, which bounds a strength on one side only"));
        }
    }
    format!("{}.", told.join("; "))
}

/// The sentences on all judges together.
pub(super) fn together(it: &Analysis) -> Vec<String> {
    let mut all = Vec::new();
    for panel in it.panel.iter().chain(it.people.iter().filter_map(|it| it.panel.as_ref())) {
        all.push(format!(
            "{} together: Fleiss' kappa {}, Krippendorff's alpha {} over {} presentations.",
            panel.judges.join(", "),
            stated(&panel.fleiss_kappa),
            stated(&panel.krippendorff_alpha),
            panel.presentations
        ));
        if let Some(errors) = panel.errors.given() {
            all.push(format!(
                "Their errors correlate by {}, so {} judges are worth {} independent ones; their vote errs in {} of {} pairs.",
                stated(&errors.error_correlation),
                panel.judges.len(),
                stated(&errors.effective_judges),
                stated(&errors.vote_error_rate),
                errors.pairs
            ));
        }
        if let Some(latent) = panel.without_labels.given() {
            let whose = panel.judges.join(", ");
            let errors = panel.errors.given();
            all.extend(super::latent::sentences(&whose, latent, errors, 1.0 - it.level));
        }
    }
    all
}
