//! Grades of single answers in words and tables.

use super::sentences::some;
use super::{p, plain, stated, value};
use crate::analysis::{Answer, Compared, Corrected, Graded, JudgeGrades, Scores};
use crate::report::grid::{Grid, Line};

/// The tables of one judge: its systems, and the slices of each comparison.
pub(super) fn tables(judge: &JudgeGrades) -> Vec<Grid> {
    let slices = judge.comparisons.iter().filter(|it| !it.strata.is_empty()).map(strata);
    std::iter::once(systems(judge)).chain(slices).collect()
}

fn systems(judge: &JudgeGrades) -> Grid {
    let row = |it: &crate::analysis::SystemGrades| {
        let corrected = it.corrected.given();
        let agreement = it.agreement.given();
        Line::from(vec![
            it.system.clone(),
            it.cases.to_string(),
            it.invalid.to_string(),
            stated(&it.mean),
            corrected.map(|it| stated(relied(it))).unwrap_or_default(),
            agreement.map(|it| stated(&it.kappa)).unwrap_or_default(),
            agreement.map(|it| stated(&it.sensitivity)).unwrap_or_default(),
            agreement.map(|it| stated(&it.specificity)).unwrap_or_default(),
        ])
    };
    let head = [
        "system",
        "cases",
        "invalid",
        "mean grade",
        "corrected",
        "kappa",
        "sensitivity",
        "specificity",
    ];
    Grid {
        head: head.map(str::to_owned).to_vec(),
        words: 1,
        rows: judge.systems.iter().map(row).collect(),
        ..Grid::default()
    }
}

/// The corrected pass rate to show: the one to rely on, or the one that holds for labels drawn in any way.
pub(super) fn relied(it: &Corrected) -> &crate::analysis::Number {
    if it.chosen.as_deref() == Some("post_stratified") {
        &it.post_stratified
    } else {
        &it.lang_reiczigel
    }
}

/// The first sentences on each system and comparison.
pub(super) fn answer(judge: &JudgeGrades, binary: bool) -> Vec<String> {
    let what = if binary { "passes" } else { "scores" };
    let rates = judge.systems.iter().map(|it| {
        let name = if it.system.is_empty() { &judge.judge } else { &it.system };
        let corrected = it
            .corrected
            .given()
            .map(|it| format!("; corrected for the judge's errors {}", or_why(relied(it))));
        format!("{name} {what} {}{}.", stated(&it.mean), corrected.unwrap_or_default())
    });
    let compared = judge.comparisons.iter().flat_map(|it| compared(it).into_iter().take(1));
    rates.take(MOST_TOLD).chain(compared.take(MOST_TOLD)).collect()
}

/// The most systems or comparisons of an answer.
const MOST_TOLD: usize = 4;

pub(super) fn sentences(judge: &JudgeGrades, binary: bool) -> Vec<String> {
    let what = if binary { "passes" } else { "scores" };
    let mut all = Vec::new();
    for it in &judge.systems {
        let name = if it.system.is_empty() { "The system" } else { &it.system };
        let repeats = if 1 < it.repeats {
            format!("; up to {} grades a case, the case is the unit", it.repeats)
        } else {
            String::new()
        };
        all.push(format!(
            "{name} {what} {} of {}, {} no grade{repeats}.",
            stated(&it.mean),
            some(it.cases, "case"),
            some(it.invalid, "reply").replace("replys", "replies"),
        ));
        if let Some(it) = it.agreement.given() {
            all.push(format!(
                "Against {} labels it agrees in {}, kappa {} (at most {}), AC1 {}, MCC {}; it passes {} of what should pass and \
                 fails {} of what should fail; {} should pass.",
                it.verdicts,
                stated(&it.raw),
                stated(&it.kappa),
                value(&it.kappa_maximum),
                stated(&it.ac1),
                value(&it.mcc),
                stated(&it.sensitivity),
                stated(&it.specificity),
                stated(&it.prevalence)
            ));
        }
        if it.leniency.value.is_some() {
            all.push(format!(
                "On the labelled cases its pass rate minus the label's is {} (mid-p {}).",
                stated(&it.leniency),
                it.leniency.p.map_or("–".to_owned(), p)
            ));
        }
        if let Answer::Given(it) = &it.corrected {
            all.extend(corrected(it));
        }
    }
    all.extend(judge.comparisons.iter().flat_map(compared));
    all.extend(judge.scores.as_ref().map(scores));
    all
}

fn or_why(it: &crate::analysis::Number) -> String {
    match (it.value, &it.reason) {
        (None, Some(why)) => format!("refused: {why}"),
        _ => stated(it),
    }
}

fn corrected(it: &Corrected) -> Vec<String> {
    let chosen = match it.chosen.as_deref() {
        Some("post_stratified") => format!("corrected pass rate {}", or_why(&it.post_stratified)),
        Some(_) => format!("corrected pass rate {}", or_why(&it.lang_reiczigel)),
        None => format!(
            "corrected pass rate {} for balanced or old labels, {} for random ones",
            or_why(&it.lang_reiczigel),
            or_why(&it.post_stratified)
        ),
    };
    vec![format!(
        "Of {} unlabelled cases: {chosen}; as graded {}. Youden's J {}. {} labels, {}.",
        it.unlabelled,
        stated(&it.raw),
        stated(&it.youden),
        it.labelled,
        it.note
    )]
}

fn compared(it: &Compared) -> Vec<String> {
    let [one, other] = &it.systems;
    let difference = &it.difference.number;
    let mut all = vec![format!(
        "{one} minus {other}: {} over {} (paired, p {}); as if unpaired p {}. A difference below {} would have stayed unseen in \
         1 of 5 such files or more.",
        stated(difference),
        some(it.cases, "case"),
        difference.p.map_or("–".to_owned(), p),
        it.unpaired.p.map_or("–".to_owned(), p),
        it.difference.smallest_detectable.value.map_or("–".to_owned(), plain)
    )];
    if let Some(it) = &it.passes {
        all.push(format!(
            "Case by case (of repeats the majority): both pass {}, {one} only {}, {other} only {}, neither {}; difference {} \
             (mid-p {}, exact p {}).",
            it.both,
            it.first_only,
            it.second_only,
            it.neither,
            stated(&it.mid_p),
            it.mid_p.p.map_or("–".to_owned(), p),
            it.exact.p.map_or("–".to_owned(), p)
        ));
        for (count, cases, one, other) in
            [(it.first_only, &it.lost, one, other), (it.second_only, &it.won, other, one)]
        {
            if !cases.is_empty() {
                let more = count - cases.len() as u64;
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                all.push(format!("Only {one} passes, {other} fails: {}{more}.", cases.join(", ")));
            }
        }
    }
    all
}

fn scores(it: &Scores) -> String {
    format!(
        "Against {} human scores its scores are higher by {} points, alpha {}. A doubling of length is worth {} points to it, {} to \
         people, a difference of {}.",
        it.labelled,
        stated(&it.leniency),
        stated(&it.krippendorff_alpha),
        or_why(&it.length_slope),
        or_why(&it.human_length_slope),
        or_why(&it.beyond_human)
    )
}

/// What three or more judges say of pass and fail without a label.
pub(super) fn together(it: &Graded) -> (Vec<String>, Vec<Grid>) {
    let (mut told, mut tables) = (Vec::new(), Vec::new());
    for of in &it.without_labels {
        let whose = match of.system.as_str() {
            "" => "All judges".to_owned(),
            system => format!("{system} by all judges"),
        };
        match &of.panel {
            Answer::Given(latent) => {
                told.extend(super::latent::sentences(&whose, latent, None, 1.0 - it.level));
                tables.push(super::latent::table(latent));
            }
            Answer::None(why) => {
                let why = why.reason.as_deref().unwrap_or("no reason given");
                told.push(format!("{whose} without a label: {why}."));
            }
        }
    }
    (told, tables)
}

fn strata(it: &Compared) -> Grid {
    let [one, other] = &it.systems;
    let [one, other] = [format!("{one} only"), format!("{other} only")];
    let head = ["stratum", "cases", &one, &other, "difference", "p", "Holm", "BH"];
    let rows = it.strata.iter().map(|it| {
        Line::from(vec![
            it.stratum.clone(),
            it.cases.to_string(),
            it.first_only.to_string(),
            it.second_only.to_string(),
            stated(&it.difference),
            it.difference.p.map(p).unwrap_or_default(),
            p(it.holm),
            p(it.bh),
        ])
    });
    Grid {
        head: head.map(str::to_owned).to_vec(),
        words: 1,
        rows: rows.collect(),
        ..Grid::default()
    }
}
