//! Tests of the dots: what their SVG text says of plain and of strange numbers.

use super::super::Hue;
use super::*;
use crate::report::canvas::xml::malformed;

fn look(marker: Marker) -> Look {
    Look { hue: Hue::Blue, width: 1.6, dash: Dash::Solid, marker: Some(marker) }
}

fn row(name: &str, x: f64, half: f64) -> Row {
    let look = look(Marker::Circle);
    Row { name: name.to_owned(), dots: vec![Dot { x, low: x - half, high: x + half, look }] }
}

fn chart(rows: Vec<Row>) -> DotChart {
    DotChart {
        id: "coverage".to_owned(),
        title: "One <covers>".to_owned(),
        x_label: "coverage".to_owned(),
        format: Format::Percent,
        bounds: Some((0.0, 1.0)),
        groups: vec![Group { name: "14 pairs".to_owned(), rows }],
        references: vec![(0.95, "nominal".to_owned(), look(Marker::Circle))],
        keys: vec![("as stated".to_owned(), look(Marker::Circle))],
        ..DotChart::default()
    }
}

#[test]
fn rows_are_named_and_told_in_numbers() {
    let svg = chart(vec![row("mid-p", 0.941, 0.01), row("exact", 0.978, 0.006)]).svg();
    assert_eq!(malformed(&svg), None);
    for text in [">mid-p</text>", ">exact</text>", ">14 pairs</text>", ">nominal</text>"] {
        assert!(svg.contains(text), "{text}");
    }
    let told = "14 pairs: mid-p 94.1\u{2009}% (93.1\u{2009}% to 95.1\u{2009}%); exact 97.8";
    assert!(svg.contains(told), "{svg}");
}

/// A row lies higher than the next, and dots at their places: (0.95 - low) / (high - low) of the way.
#[test]
fn dots_stand_at_their_numbers() {
    let it = chart(vec![row("a", 0.92, f64::NAN), row("b", 0.96, f64::NAN)]);
    let (low, high) = it.range();
    assert_eq!((low, high), (0.91, 0.97));
    let frame = it.frame();
    let plot = frame.draw().1[0];
    let svg = it.svg();
    for (k, x) in [(1, 0.92), (2, 0.96)] {
        let (x, y) = plot.at((x, 3.0 - f64::from(k) - 0.5));
        let circle = format!("cx=\"{:.0}\" cy=\"{:.0}\"", x * 10.0, y * 10.0);
        assert!(svg.contains(&circle), "{circle} {svg}");
    }
}

#[test]
fn strange_numbers_stay_inside_and_rows_without_any_say_so() {
    let long =
        "a name of eighty characters that goes on and on until it has all of its letters".repeat(2);
    let rows = vec![
        row(&long, 0.0, 0.3),
        row("one", 1.0, f64::NAN),
        row("out of range", 1.7, 0.1),
        Row { name: "none".to_owned(), dots: Vec::new() },
        row("undefined", f64::NAN, 0.1),
    ];
    let svg = chart(rows).svg();
    assert_eq!(malformed(&svg), None);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert_eq!(svg.matches(">no value</text>").count(), 2);
    // What is out of range has no marker, not even at the border.
    assert_eq!(svg.matches("<title>").count(), 2);
    assert_eq!(malformed(&DotChart::default().svg()), None);
    assert!(DotChart::default().svg().contains(">no values</text>"));
}
