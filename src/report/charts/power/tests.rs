use super::*;
use crate::report::canvas::xml::malformed;

/// A line that crosses 80 % at `middle`, exact and simulated, named `name`.
fn line(name: &str, middle: f64) -> Line {
    let power = |x: f64| 1.0 / (1.0 + libm::pow(middle / x, 2.0) / 4.0);
    let xs = [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0];
    let point = |x: f64| Point { x, y: power(x), low: power(x) - 0.03, high: power(x) + 0.03 };
    Line {
        label: vec![name.to_owned()],
        exact: xs.map(|x| (x, power(x))).to_vec(),
        points: xs.map(point).to_vec(),
        crossings: vec![(middle, format!("{middle} pairs"))],
    }
}

fn chart(lines: Vec<Line>) -> PowerChart {
    PowerChart {
        id: "power".to_owned(),
        title: "A finding".to_owned(),
        interval: "95 % Wilson interval".to_owned(),
        x_label: "pairs".to_owned(),
        y_label: "power".to_owned(),
        by_ratio: true,
        target: 0.8,
        level: 0.05,
        lines,
        ..PowerChart::default()
    }
}

#[test]
fn every_crossing_is_told_once_beside_its_line_or_beside_its_label() {
    for middles in [vec![100.0], vec![100.0, 600.0], vec![100.0, 104.0, 108.0, 112.0, 116.0, 120.0]]
    {
        let lines: Vec<Line> =
            middles.iter().map(|it| line(&format!("rule of {it}"), *it)).collect();
        let svg = chart(lines).svg();
        assert_eq!(malformed(&svg), None, "{svg}");
        let written = |text: String| {
            svg.lines().filter(|it| it.starts_with("<text") && it.contains(&text)).count()
        };
        for middle in &middles {
            let beside = written(format!(">{middle} pairs<"));
            // The thin blank before the sign is the axis' own.
            let told = written(format!("% at {middle} pairs<"));
            assert_eq!(beside + told, 1, "{middle}: {svg}");
        }
        assert!(
            middles.len() != 2 || written("% at".to_owned()) == 0,
            "two far apart have room: {svg}"
        );
    }
}

#[test]
fn numbers_keep_off_lines_markers_and_one_another() {
    let lines: Vec<Line> = [100.0, 104.0, 150.0, 400.0].map(|it| line("a", it)).to_vec();
    let chart = chart(lines);
    let (labels, noted) = chart.arranged();
    let plot = chart.frame(&labels).draw().1[0];
    // Placed for the plot that is drawn, not for one of another height.
    assert_eq!(noted, placed(&chart.lines, chart.target, &plot));
    assert!(noted.iter().any(|it| it.at.is_some()) && noted.iter().any(|it| it.at.is_none()));
}

#[test]
fn intervals_are_bars_beside_exact_lines_and_a_band_without() {
    let exact = chart(vec![line("a", 100.0)]).svg();
    assert!(exact.contains("bar = 95 % Wilson interval") && !exact.contains("opacity=\"0.18\""));
    let simulated = Line { exact: Vec::new(), ..line("a", 100.0) };
    let svg = chart(vec![simulated]).svg();
    assert!(svg.contains("band = 95 % Wilson interval") && svg.contains("opacity=\"0.18\""));
    let mut close = line("a", 100.0);
    close.points.iter_mut().for_each(|it| (it.low, it.high) = (it.y - 0.001, it.y + 0.001));
    assert!(chart(vec![close]).svg().contains("narrower than the markers"));
}

#[test]
fn odd_shapes_are_drawn_all_the_same() {
    let flat = |y: f64| Line {
        label: vec!["flat".to_owned()],
        exact: vec![(20.0, y), (200.0, y)],
        points: vec![Point { x: 20.0, y, low: y, high: f64::NAN }],
        crossings: Vec::new(),
    };
    for lines in
        [Vec::new(), vec![flat(0.0)], vec![flat(1.0), flat(f64::NAN)], vec![Line::default()]]
    {
        let svg = chart(lines).svg();
        assert_eq!(malformed(&svg), None, "{svg}");
        assert!(!svg.contains("NaN") && svg.contains("target 80"));
    }
}

#[test]
fn lines_differ_by_more_than_their_colour() {
    for (a, b) in (0..6).flat_map(|a| (0..a).map(move |b| (look(a), look(b)))) {
        assert!(a.hue != b.hue && (a.dash, a.marker) != (b.dash, b.marker), "{a:?} {b:?}");
    }
}
