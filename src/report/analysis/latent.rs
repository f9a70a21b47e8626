//! Several judges without a label, in words and as a table.

use super::{p, plain, stated};
use crate::analysis::{Answer, Errors, Latent};
use crate::report::grid::{Grid, Line};

/// What the model says of the cases, what it rests on, and what speaks against that. `whose` begins the sentence.
pub(super) fn sentences(
    whose: &str,
    it: &Latent,
    errors: Option<&Errors>,
    alpha: f64,
) -> Vec<String> {
    let shares = it.classes.iter().zip(&it.prevalence);
    let shares: Vec<String> =
        shares.map(|(class, share)| format!("{class} {}", stated(share))).collect();
    vec![
        format!(
            "{whose} without a label: the truth is {} of {} cases, provided that, {}.",
            shares.join(", "),
            it.cases,
            it.assumes
        ),
        doubt(it, errors, alpha),
    ]
}

/// Whether anything speaks against independent errors.
fn doubt(it: &Latent, errors: Option<&Errors>, alpha: f64) -> String {
    let correlation = errors.map(|it| &it.error_correlation);
    let shared = correlation.is_some_and(|it| it.low.is_some_and(|low| 0.0 < low));
    let label = match correlation {
        Some(it) if it.value.is_some() => {
            format!("against the label their errors correlate by {}", stated(it))
        }
        _ => "no label tests it".to_owned(),
    };
    let (agreement, more) = match &it.closest {
        Answer::Given(it) => (
            format!(
                "{} and {} agree in {} of their cases where independent errors give {} (p {})",
                it.judges[0],
                it.judges[1],
                plain(it.observed),
                plain(it.predicted),
                p(it.p)
            ),
            it.p <= alpha && it.predicted < it.observed,
        ),
        Answer::None(why) => (why.reason.clone().unwrap_or_default(), false),
    };
    if more || shared {
        format!(
            "That assumption is contradicted: {agreement}; {label}. Judges that share errors make these shares, and the rates \
             of each judge below, wrong and too sure of themselves."
        )
    } else {
        format!(
            "Nothing here contradicts that assumption, which proves little: {agreement}; {label}."
        )
    }
}

/// Judge by judge, beside the label.
pub(super) fn table(it: &Latent) -> Grid {
    let [first, last] = [it.classes.first(), it.classes.last()];
    let [first, last] = [first, last].map(|it| it.map_or("", String::as_str));
    let head = [
        "without a label".to_owned(),
        "accuracy".to_owned(),
        format!("says {first} of {first}"),
        format!("says {last} of {last}"),
        format!("{first} by the label"),
        format!("{last} by the label"),
    ];
    let rows = it.judges.iter().map(|it| {
        Line::from(vec![
            it.judge.clone(),
            stated(&it.accuracy),
            stated(&it.sensitivity),
            stated(&it.specificity),
            stated(&it.sensitivity_to_label),
            stated(&it.specificity_to_label),
        ])
    });
    Grid { head: head.to_vec(), words: 1, rows: rows.collect(), ..Grid::default() }
}
