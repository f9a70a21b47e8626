//! The answer in words: sentences made from the numbers, for the cell in which the effect is largest.

use super::numbers::{figure, plain, points};
use super::{Estimated, Measured, Report, Result};
use crate::study::Measure;

/// The answer of a study, in sentences: for each judge, what one order adds and the average leaves, what of the flips is
/// noise, whether the position effect is recovered, and what could not be seen.
#[must_use]
pub fn answer(report: &Report) -> Vec<String> {
    let mut judges: Vec<&str> = Vec::new();
    for result in &report.results {
        if !judges.contains(&result.judge.as_str()) {
            judges.push(&result.judge);
        }
    }
    let mut sentences = Vec::new();
    for judge in judges {
        let results: Vec<&Result> = report.results.iter().filter(|it| it.judge == judge).collect();
        let before = sentences.len();
        sentences.extend(swap(report, &results));
        sentences.extend(flips(report, &results));
        sentences.extend(position(report, &results));
        sentences.extend(self_preference(report, &results));
        sentences.extend(corrected(report, &results));
        sentences.extend(slices(report, &results));
        if sentences.len() == before {
            sentences.extend(results.last().and_then(|it| plain_mean(report, it)));
        }
    }
    sentences
}

/// The judge and the cell, as a phrase: `primacy at position 2.0, pairs 140`.
fn place(report: &Report, result: &Result) -> String {
    let short = report.short_paths();
    let at: Vec<String> = short
        .iter()
        .zip(&result.values)
        .map(|(path, value)| format!("{path} {}", value.text))
        .collect();
    if at.is_empty() {
        result.judge.clone()
    } else {
        format!("{} at {}", result.judge, at.join(", "))
    }
}

/// The result in which `size` is largest; the last of equal ones.
fn largest<'r>(
    results: &[&'r Result],
    size: impl Fn(&Result) -> Option<f64>,
) -> Option<&'r Result> {
    let sized =
        results.iter().filter_map(|it| Some((*it, size(it).filter(|size| size.is_finite())?)));
    sized.max_by(|a, b| a.1.total_cmp(&b.1)).map(|it| it.0)
}

fn value(result: &Result, name: &str, measure: Measure) -> Option<f64> {
    result.get(name)?.value(measure)
}

/// What a rule's estimand is beyond the fair judge's.
fn beyond_fair(result: &Result, name: &str) -> Option<f64> {
    Some(value(result, name, Measure::Estimand)? - value(result, name, Measure::Fair)?)
}

fn swap(report: &Report, results: &[&Result]) -> Option<String> {
    let result = largest(results, |it| Some(beyond_fair(it, "win-rate/one-order")?.abs()))?;
    let one = beyond_fair(result, "win-rate/one-order")?;
    let left = beyond_fair(result, "win-rate/averaged")?;
    let fair = value(result, "win-rate/averaged", Measure::Fair)?;
    let at = place(report, result);
    if one.abs() < 5e-4 && left.abs() < 5e-4 {
        return Some(format!(
            "{at}: neither one order nor the average moves the win rate away from the fair judge's {}.",
            plain(fair)
        ));
    }
    let truth = value(result, "win-rate/averaged", Measure::True);
    let truth = truth.map(|it| format!(" (the truth is {})", plain(it))).unwrap_or_default();
    Some(format!(
        "{at}: one order moves {}'s win rate by {} points from the fair judge's {}{truth}; averaging the two orders \
         leaves {} points.",
        result.systems[0],
        points(one),
        plain(fair),
        points(left)
    ))
}

fn flips(report: &Report, results: &[&Result]) -> Option<String> {
    let result = largest(results, |it| {
        Some(value(it, "flip-rate", Measure::Estimand)? - value(it, "flip-rate", Measure::Floor)?)
    })?;
    let (rate, floor) = (
        value(result, "flip-rate", Measure::Estimand)?,
        value(result, "flip-rate", Measure::Floor)?,
    );
    Some(format!(
        "{}: {} % of the pairs flip, and {} % would without any preference for a position: that is noise.",
        place(report, result),
        points(rate),
        points(floor)
    ))
}

/// The worst and the best power of the position test, and how often the effect is undefined.
fn position(report: &Report, results: &[&Result]) -> Option<String> {
    let name = ["position-effect/mid-p", "position-effect/clustered"]
        .into_iter()
        .find(|name| results.iter().any(|it| it.get(name).is_some()))?;
    // An effect without bounds has no value, and is one.
    let planted = |it: &Result| {
        let effect = it.get(name)?.get(Measure::Estimand)?.value;
        Some(effect.is_none_or(|beta| 1e-9 < beta.abs()))
    };
    let seen = |it: &Result| value(it, name, Measure::Power).filter(|_| planted(it) == Some(true));
    let best = largest(results, seen)?;
    let worst = largest(results, |it| Some(-seen(it)?))?;
    let sentence = |it: &Result| -> Option<String> {
        Some(format!(
            "{} % of the time at {}",
            percent(it.get(name)?.get(Measure::Power)?),
            at(report, it)
        ))
    };
    let undefined = share_undefined(worst.get(name)?);
    let undefined = match undefined {
        Some(share) if 0.005 < share => {
            format!(
                " There the effect is undefined in {} % of the replicates: nothing or everything flipped one way.",
                points(share)
            )
        }
        _ => String::new(),
    };
    let least = could_see(worst.get(name)?, worst.pairs);
    if best == worst {
        return Some(format!(
            "{}'s position effect is seen {}.{undefined}{least}",
            best.judge,
            sentence(best)?
        ));
    }
    Some(format!(
        "{}'s position effect is seen {}, but only {}.{undefined}{least}",
        best.judge,
        sentence(best)?,
        sentence(worst)?
    ))
}

/// What the test could have seen with so many pairs, as a sentence after others.
fn could_see(it: &Estimated, pairs: u64) -> String {
    let Some(least) = it.smallest.as_ref() else { return String::new() };
    match least.value {
        Some(value) => format!(
            " At this flip rate {pairs} pairs mostly miss a preference below {}{} log-odds.",
            if least.mcse.is_some() { "about " } else { "" },
            super::numbers::significant(value, 3)
        ),
        // Where it could not be told, nothing is known of what the pairs see.
        None if least.method != "exact" => String::new(),
        None => format!(
            " At this flip rate {pairs} pairs see no preference, however strong, four times in five."
        ),
    }
}

/// The cell, as a phrase.
fn at(report: &Report, result: &Result) -> String {
    let short = report.short_paths();
    let values: Vec<String> = short
        .iter()
        .zip(&result.values)
        .map(|(path, value)| format!("{path} {}", value.text))
        .collect();
    if values.is_empty() {
        format!("{} pair{}", result.pairs, if result.pairs == 1 { "" } else { "s" })
    } else {
        values.join(", ")
    }
}

/// A share of replicates in per cent, with its Monte Carlo standard error.
fn percent(it: &Measured) -> String {
    let Some(value) = it.value else { return "an undefined share".to_owned() };
    match it.mcse {
        Some(error) if 0.0 < error => format!("{} ± {}", points(value), points(error)),
        _ => points(value),
    }
}

fn share_undefined(it: &Estimated) -> Option<f64> {
    let mean = it.get(Measure::Mean)?;
    let all = mean.replicates? + mean.undefined;
    (0 < all).then(|| mean.undefined as f64 / all as f64)
}

fn self_preference(report: &Report, results: &[&Result]) -> Option<String> {
    let result =
        largest(results, |it| Some(value(it, "self-preference", Measure::Estimand)?.abs()))?;
    let gap = value(result, "self-preference", Measure::Estimand)?;
    Some(format!(
        "{} lets {} win {} points {} often than the third party does; the test sees it {} % of the time.",
        place(report, result),
        result.systems[0],
        points(gap.abs()),
        if gap < 0.0 { "less" } else { "more" },
        percent(result.get("self-preference")?.get(Measure::Power)?)
    ))
}

/// What the judge reports of unlabelled answers, and what is left when its errors are corrected.
fn corrected(report: &Report, results: &[&Result]) -> Option<String> {
    let off = |it: &Result| {
        let raw = it.get("corrected-rate/raw")?;
        Some((raw.value(Measure::Mean)? - raw.value(Measure::Estimand)?).abs())
    };
    let result = largest(results, off)?;
    let corrected = result.get("corrected-rate/lang-reiczigel")?;
    let raw = result.get("corrected-rate/raw")?;
    let truth = raw.value(Measure::True)?;
    let said = format!(
        "{} reports {} where the true rate is {}; corrected by its error rates among the labels it is {}",
        place(report, result),
        figure(raw.get(Measure::Mean)),
        plain(truth),
        figure(corrected.get(Measure::Mean))
    );
    // Where verdicts are certain the correction should not say the truth, and there is nothing to cover.
    let aims = corrected.value(Measure::Estimand).is_some_and(|it| (it - truth).abs() < 1e-6);
    let held = if aims {
        let held = percent(corrected.get(Measure::Coverage)?);
        format!(", with limits that hold the true rate {held} % of the time")
    } else {
        String::new()
    };
    let refused = share_undefined(corrected).filter(|share| 0.005 < *share);
    let refused = refused.map_or(String::new(), |share| {
        format!(
            " In {} % of the replicates the labels do not tell the judge from a coin, and the correction is refused.",
            points(share)
        )
    });
    Some(format!("{said}{held}.{refused}"))
}

/// The slice that lost most, beside all cases, and how often any slice is flagged.
fn slices(report: &Report, results: &[&Result]) -> Option<String> {
    let result = largest(results, |it| value(it, "slices/holm", Measure::Estimand))?;
    let loss = |k: usize| value(result, &format!("slices/{}", k + 1), Measure::Estimand);
    let names = result.strata.iter().enumerate();
    let sized = names.filter_map(|(k, name)| Some((name, loss(k)?)));
    let (name, worst) = sized.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let moves = |loss: f64| {
        format!("{} {}", if loss < 0.0 { "gains" } else { "loses" }, points(loss.abs()))
    };
    let [_, second] = &result.systems;
    let all = value(result, "difference/mid-p", Measure::Estimand);
    let all = all.map_or(String::new(), |it| format!(", and {} over all cases", moves(it)));
    let numbered: Vec<String> =
        result.strata.iter().enumerate().map(|(k, name)| format!("{} {name}", k + 1)).collect();
    Some(format!(
        "{}: at worst {second} {} points, in {name}{all}; Holm flags some slice {} % of the time. Slices are {}.",
        place(report, result),
        moves(worst),
        percent(result.get("slices/holm")?.get(Measure::Power)?),
        numbered.join(", ")
    ))
}

fn plain_mean(report: &Report, result: &Result) -> Option<String> {
    let it = result.estimators.first()?;
    let should = it.value(Measure::Estimand).map_or("undefined".to_owned(), plain);
    let at = place(report, result);
    if let Some(fair) = it.value(Measure::Fair)
        && it.value(Measure::Estimand).is_some_and(|value| 5e-5 < (value - fair).abs())
    {
        return Some(format!(
            "{at}: biases move {} from the fair judge's {} to {should}.",
            it.name,
            plain(fair)
        ));
    }
    Some(format!(
        "{at}: {} should say {should}, and on average says {}.",
        it.name,
        figure(it.get(Measure::Mean))
    ))
}
