//! The chart of scores over the lengths of the answers, judge by judge, with the fitted slope.

use super::percent;
use crate::analysis::{Graded, Number, Scores};
use crate::report::Picture;
use crate::report::axis::number;
use crate::report::canvas::Dash;
use crate::report::charts::scatter::{Cloud, ScatterChart, kept};
use crate::report::charts::{Hue, Look};
use crate::report::grid::{Grid, Line};
use crate::report::numbers::plain;
use crate::stats::cluster_slope::scatter::Scatter;

const PEOPLE: Look = Look { hue: Hue::Vermilion, width: 2.0, dash: Dash::Dashed, marker: None };
/// The most judges of a chart.
const MOST_JUDGES: usize = 6;

/// What is shown of one judge.
type Shown<'g> = (&'g str, &'g Scores, &'g Scatter);

/// Scores over lengths, where the file tells lengths.
pub(super) fn lengths(it: &Graded) -> Option<Picture> {
    let judges = it.judges.iter().filter_map(|judge| {
        let scores = judge.scores.as_ref()?;
        Some((judge.judge.as_str(), scores, scores.over_lengths.as_ref()?))
    });
    let all: Vec<Shown> = judges.collect();
    let shown = &all[..all.len().min(MOST_JUDGES)];
    let whole = shown.iter().flat_map(|it| &it.2.points).flatten().all(|it| it[1] == it[1].round());
    let every = shown.iter().map(|it| it.2.every).max()?;
    let people = shown.iter().any(|it| it.1.human_centre.is_some());
    let people = if people { "; dashed: the line of the human scores" } else { "" };
    let more = all.len() - shown.len();
    let more =
        if more == 0 { String::new() } else { format!("; {more} more judges are in the tables") };
    let chart = ScatterChart {
        id: "length-slope".to_owned(),
        title: title(shown),
        subtitle: format!(
            "A line for each case{}; thick: the slope fitted to all scores, shaded: its {} interval{people}{more}",
            kept(every, whole),
            percent(it.level),
        ),
        x_label: "length of the answer, as the file counts it (log scale)".to_owned(),
        y_label: "score".to_owned(),
        cluster: "one case".to_owned(),
        whole,
        panels: shown.iter().map(|judge| cloud(judge, shown.len())).collect(),
    };
    Some(Picture {
        name: chart.id.clone(),
        svg: chart.svg(),
        caption: format!("{}. {}.", chart.title, chart.subtitle),
        data: data(shown),
    })
}

fn title(shown: &[Shown<'_>]) -> String {
    match shown {
        [(judge, scores, _)] => match scores.length_slope.value {
            Some(_) => format!(
                "A doubling of length moves the scores of {judge} by {} points",
                slope(&scores.length_slope)
            ),
            None => format!("Scores of {judge} over the lengths of the answers"),
        },
        _ => "Scores over the lengths of the answers, judge by judge".to_owned(),
    }
}

/// A slope with its interval: `0.36 (0.24 to 0.43)`; a dash where there is none.
fn slope(it: &Number) -> String {
    let Some(value) = it.value else { return "no slope".to_owned() };
    match (it.low, it.high) {
        (Some(low), Some(high)) => {
            format!("{} ({} to {})", number(value, 2), number(low, 2), number(high, 2))
        }
        _ => number(value, 2),
    }
}

fn cloud((judge, scores, scatter): &Shown<'_>, judges: usize) -> Cloud {
    let mut cloud = Cloud::of(scatter);
    if 1 < judges {
        cloud.name = format!("{judge}: {}", slope(&scores.length_slope));
    }
    if let (Some(centre), Some(people)) = (scores.human_centre, scores.human_length_slope.value) {
        cloud.add("people", PEOPLE, |x| centre[1] + people * (x - centre[0]));
    }
    let it = &scores.length_slope;
    let finite = |it: Option<f64>| it.filter(|it| it.is_finite());
    cloud.fit(scatter, it.value, [finite(it.low), finite(it.high)]);
    cloud
}

/// Every point beside the fitted value at its length.
fn data(shown: &[Shown<'_>]) -> Grid {
    let mut rows = Vec::new();
    for (judge, scores, scatter) in shown {
        let cases = scatter.points.iter().enumerate();
        for (case, [x, y]) in cases.flat_map(|(k, points)| points.iter().map(move |at| (k, at))) {
            let fitted = scores.length_slope.value;
            let case = case as u64 * scatter.every + 1;
            rows.push(Line::from(vec![
                (*judge).to_owned(),
                case.to_string(),
                plain(libm::exp2(*x)),
                plain(*y),
                fitted.map_or_else(|| "–".to_owned(), |slope| plain(scatter.at(slope, *x))),
            ]));
        }
    }
    let head = ["judge", "case", "length", "score", "fitted"];
    Grid { head: head.map(str::to_owned).to_vec(), words: 1, rows, ..Grid::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Options, analyze_grades};
    use crate::report::analysis::Recorded;
    use crate::verdicts::{Grade, Grades};

    fn grades(step: f64) -> Grades {
        let mut all = Grades::default();
        for name in ["", "a"] {
            all.systems.place(name);
        }
        all.judges.place("j");
        all.strata.place("");
        all.repeats.place("");
        for item in 0..10_u32 {
            all.items.place(&item.to_string());
            for (k, length) in [16, 32, 64].into_iter().enumerate() {
                let score = 1.0 + (step + f64::from(item % 2)) * k as f64;
                let label = if item < 4 { 2.0 + f64::from(item % 2) * k as f64 } else { f64::NAN };
                let line = 2;
                all.grades.push(Grade {
                    line,
                    item,
                    system: 1,
                    judge: 0,
                    stratum: 0,
                    repeat: 0,
                    length,
                    score,
                    label,
                });
            }
        }
        all
    }

    /// Scores that rise by a step a doubling, in every second case by one point more; people pay
    /// nothing in the one half and a point in the other.
    #[test]
    fn a_file_of_scores_is_drawn_over_its_lengths() {
        for (step, moved) in [(1.0, true), (0.5, false)] {
            let it = Recorded::from(analyze_grades(&grades(step), &Options::default()));
            let it = Recorded::from_json(&it.json()).unwrap();
            let pictures = it.pictures();
            let chart = pictures.iter().find(|it| it.name == "length-slope").unwrap();
            let told = format!("A doubling of length moves the scores of j by {:.2} (", step + 0.5);
            assert!(chart.caption.starts_with(&told), "{}", chart.caption);
            assert_eq!(chart.caption.contains("moved apart"), moved, "{}", chart.caption);
            assert!(chart.svg.contains(">people</text>"));
            let row = &chart.data.rows[2].cells;
            // Case 0 at 64; the mean of all is 3/2 + step at 32.
            assert_eq!(row[..4], ["j", "1", "64.0000", &plain(1.0 + 2.0 * step)]);
            assert_eq!(row[4], plain(2.0 + 2.0 * step));
        }
    }
}
