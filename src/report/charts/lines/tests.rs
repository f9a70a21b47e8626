//! Tests of lines over a number: what its SVG text says of plain and of strange numbers.

use super::super::swap::{Role, Standard};
use super::*;
use crate::report::canvas::xml::malformed;

/// Win rates in per cent of a judge with log-odds 2.5 whose first system is better in 75 % of
/// pairs, by position bias: both orders, averaged, and agreed pairs only, which do not move.
const RATES: [[f64; 5]; 4] = [
    [0.0, 71.2, 71.2, 71.2, 74.7],
    [0.5, 74.4, 67.2, 70.8, 74.7],
    [1.2, 78.5, 59.5, 69.0, 74.7],
    [2.0, 83.6, 47.0, 65.3, 74.7],
];

fn series(label: &str, role: Role, column: usize, half: f64) -> Series {
    let rates = RATES.map(|row| (row[0], row[column] / 100.0));
    let point = |(x, y)| Point { x, y, low: y - half, high: y + half };
    Series::new(label, role.look(), rates.map(point).to_vec(), rates.to_vec())
}

fn panel(name: &str, half: f64) -> Panel {
    let truth = Reference {
        label: "truth".to_owned(),
        look: Standard::Truth.look(),
        line: Course::Level(0.75),
    };
    let fair = Course::Along(vec![(0.0, 0.712), (2.0, 0.712)]);
    Panel {
        name: name.to_owned(),
        shades: Vec::new(),
        series: vec![
            series("first & better", Role::OneOrder, 1, half),
            series("second", Role::OtherOrder, 2, half),
            series("averaged", Role::Averaged, 3, half),
            series("agreed", Role::Agreed, 4, half),
        ],
        references: vec![
            truth,
            Reference { label: "fair".to_owned(), look: Standard::Fair.look(), line: fair },
        ],
    }
}

fn chart(panels: Vec<Panel>) -> LineChart {
    LineChart {
        id: "swap".to_owned(),
        title: "Averaging <both> orders".to_owned(),
        subtitle: "ability 2.5".to_owned(),
        interval: "95 % interval".to_owned(),
        x_label: "position bias".to_owned(),
        y_label: "win rate".to_owned(),
        y_format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        panels,
        ..LineChart::default()
    }
}

/// The contents of the text elements.
fn texts(svg: &str) -> Vec<&str> {
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    lines.filter_map(|line| line.split('>').nth(1)?.strip_suffix("</text")).collect()
}

/// The numbers of an attribute wherever it occurs.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let start = format!(" {attribute}=\"");
    let found = svg.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    found.flat_map(|text| text.split([' ', ','])).filter_map(|text| text.parse().ok()).collect()
}

#[test]
fn the_chart_is_well_formed_and_deterministic() {
    let one = chart(vec![panel("14 pairs", 0.02), panel("140 pairs", 0.01)]);
    let svg = one.svg();
    assert_eq!(malformed(&svg), None);
    assert_eq!(svg, one.clone().svg());
    assert!(texts(&svg).contains(&"first &amp; better"));
    assert!(texts(&svg).contains(&"14 pairs") && texts(&svg).contains(&"140 pairs"));
    // Labels stand once, beside the last plot of the row; numbers beside the first.
    let count = |text: &str| texts(&svg).iter().filter(|found| **found == text).count();
    assert_eq!((count("truth"), count("80\u{2009}%"), count("position bias")), (1, 1, 1));
}

#[test]
fn the_description_tells_the_numbers() {
    let svg = chart(vec![panel("", 0.02)]).svg();
    let description = svg.split("-desc\">").nth(1).and_then(|rest| rest.split('<').next());
    let description = description.unwrap_or("");
    assert!(description.starts_with("Along position bias. win rate: first &amp; better from"));
    assert!(description.contains("from 71.2\u{2009}% at 0 to 83.6\u{2009}% at 2"));
    assert!(
        description.ends_with(
            "; truth 75.0\u{2009}%; fair from 71.2\u{2009}% at 0 to 71.2\u{2009}% at 2."
        )
    );
}

#[test]
fn bands_thinner_than_markers_are_named_not_drawn() {
    let wide = chart(vec![panel("", 0.05)]).svg();
    assert!(wide.contains("opacity=\"0.18\"") && wide.contains("; band = 95 % interval<"));
    let thin = chart(vec![panel("", 0.001)]).svg();
    assert!(!thin.contains("opacity=\"0.18\""));
    assert!(thin.contains("; 95 % interval narrower than the markers<"));
    let none = chart(vec![panel("", f64::NAN)]).svg();
    assert!(!none.contains("95 % interval"));
}

#[test]
fn series_differ_by_colour_dash_and_marker() {
    let roles = [Role::OneOrder, Role::OtherOrder, Role::Averaged, Role::Agreed];
    let more = (0..4).map(Role::Other);
    let looks: Vec<Look> = roles.into_iter().chain(more).map(Role::look).collect();
    for (i, a) in looks.iter().enumerate() {
        for b in &looks[i + 1..] {
            assert!(a.hue != b.hue || a.dash != b.dash);
            assert!(a.marker != b.marker || a.dash != b.dash || a.hue != b.hue);
        }
    }
    let mut markers = looks[..4].iter().enumerate();
    let twice = |(i, a): (usize, &Look)| looks[i + 1..4].iter().any(|b| a.marker == b.marker);
    assert!(!markers.any(twice));
}

#[test]
fn a_missing_value_has_no_marker_and_breaks_the_line() {
    let whole = chart(vec![panel("", f64::NAN)]);
    let mut broken = whole.clone();
    let one = &mut broken.panels[0].series[0];
    one.points[1].y = f64::NAN;
    one.exact[1].1 = f64::INFINITY;
    let (whole, broken) = (whole.svg(), broken.svg());
    assert_eq!(malformed(&broken), None);
    assert!(!broken.contains("NaN") && !broken.contains("inf"));
    let notes = |svg: &str| svg.matches("<title>first").count();
    assert_eq!((notes(&whole), notes(&broken)), (4, 3));
    // Of the three stretches between four points only the last is left whole.
    let line = |svg: &str| {
        let line = svg.split("stroke=\"#D55E00\" stroke-width=\"20\" points=\"").nth(1);
        line.and_then(|rest| rest.split('"').next()).map_or(0, |list| list.split(' ').count())
    };
    assert_eq!((line(&whole), line(&broken)), (4, 2));
}

#[test]
fn nothing_is_drawn_outside_the_picture() {
    let mut odd =
        panel("a name that is much too long for a plot so narrow ".repeat(3).as_str(), 0.9);
    odd.series[0].label = "unbreakable".repeat(40);
    odd.series[1].label = "a label of very many words ".repeat(20);
    odd.series[2].points[3].high = f64::INFINITY;
    odd.series[3].points[0].y = 1.7;
    odd.references[0].line = Course::Level(-3.0);
    for count in [0, 1, 2, 3, 4, 6, 7] {
        let svg = chart(vec![odd.clone(); count]).svg();
        assert_eq!(malformed(&svg), None);
        let view = numbers(&svg, "viewBox");
        let most = view[2].max(view[3]);
        for attribute in ["x", "x1", "x2", "cx"] {
            let all = numbers(&svg, attribute);
            assert!(all.iter().all(|x| (0.0..=view[2]).contains(x)), "{attribute} {count}");
        }
        for attribute in ["y", "y1", "y2", "cy"] {
            let all = numbers(&svg, attribute);
            assert!(all.iter().all(|y| (0.0..=view[3]).contains(y)), "{attribute} {count}");
        }
        assert!(numbers(&svg, "points").iter().all(|xy| (0.0..=most).contains(xy)));
    }
}

#[test]
fn one_point_equal_values_and_nothing_at_all_are_drawn() {
    let mut lone = panel("", 0.001);
    lone.series.truncate(1);
    lone.series[0].exact.clear();
    lone.series[0].points.truncate(1);
    let mut equal = panel("", 0.0);
    for one in &mut equal.series {
        one.points.iter_mut().for_each(|point| point.y = 1.0);
        one.exact.iter_mut().for_each(|point| point.1 = 1.0);
    }
    for case in [vec![lone], vec![equal], vec![], vec![Panel::default()]] {
        let svg = chart(case).svg();
        assert_eq!(malformed(&svg), None);
        assert!(texts(&svg).iter().filter(|text| text.ends_with('%')).count() >= 3);
    }
    assert!(texts(&LineChart::default().svg()).contains(&"no values"));
}

#[test]
fn win_rates_are_shown_over_round_numbers_within_bounds() {
    let range = |panels: &[Panel]| chart(Vec::new()).range(panels);
    let (low, high) = range(&[panel("", f64::NAN)]);
    assert_eq!((low, high), (0.4, 0.9));
    // An interval a hair beyond a round number does not open a further step.
    let mut hair = panel("", f64::NAN);
    hair.series[0].points[0].low = 0.3999;
    assert_eq!(range(&[hair]), (0.4, 0.9));
    assert_eq!(range(&[]), (0.0, 1.0));
    let mut top = panel("", f64::NAN);
    top.series.clear();
    top.references[0].line = Course::Level(1.0);
    top.references.truncate(1);
    let (low, high) = range(&[top]);
    assert!(low < 0.96 && high == 1.0);
}
