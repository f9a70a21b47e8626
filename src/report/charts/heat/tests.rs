use super::ramp::luminance;
use super::room::free_place;
use super::*;
use crate::report::canvas::xml::malformed;

fn map(power: impl Fn(f64, f64) -> f64) -> HeatMap {
    let (xs, ys) = ([25.0, 50.0, 100.0, 200.0], [0.0, 0.5, 1.0]);
    let side = |label: &str, values: &[f64], by_ratio| Side {
        label: label.to_owned(),
        values: values.to_vec(),
        texts: values.iter().map(f64::to_string).collect(),
        by_ratio,
    };
    let fine_x: Vec<f64> =
        (0..17).map(|k| 17.677_67 * libm::pow(2.0, f64::from(k) / 4.0)).collect();
    let fine_y: Vec<f64> = (0..13).map(|k| -0.25 + 0.125 * f64::from(k)).collect();
    let mesh = fine_y.iter().flat_map(|y| fine_x.iter().map(|x| power(*x, *y)).collect::<Vec<_>>());
    let cell = |x: f64, y: f64| Some(power(x, y)).filter(|it| it.is_finite());
    HeatMap {
        id: "map".to_owned(),
        title: "A finding".to_owned(),
        subtitle: "Power".to_owned(),
        x: side("pairs", &xs, true),
        y: side("position", &ys, false),
        cells: ys.map(|y| xs.map(|x| cell(x, y)).to_vec()).to_vec(),
        notes: vec![vec!["50 pairs: 80 %".to_owned()]],
        mesh: Mesh { powers: mesh.collect(), x: fine_x, y: fine_y },
        target: 0.8,
    }
}

/// A power that rises in both numbers, 80 % where pairs times the preference is 80.
fn usual(x: f64, y: f64) -> f64 {
    1.0 - libm::exp(-x * y.max(0.0) / 80.0 * libm::log(5.0))
}

#[test]
fn the_ramp_is_ordered_and_its_numbers_can_be_read() {
    let shares: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
    let light: Vec<f64> = shares.iter().map(|it| luminance(colour(*it).light)).collect();
    assert!(light.windows(2).all(|two| two[0] < two[1]), "{light:?}");
    for share in shares {
        let ink = luminance(if is_light(share) { ON_LIGHT } else { ON_DARK }.light);
        let ground = luminance(colour(share).light);
        let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
        assert!(contrast >= 4.0, "{share}: {contrast}");
    }
}

#[test]
fn values_lie_at_the_centres_of_their_cells() {
    let it = map(usual);
    assert_eq!(
        it.x.values.iter().map(|x| it.x.place(*x)).collect::<Vec<_>>(),
        [0.0, 1.0, 2.0, 3.0]
    );
    assert!((it.x.place(70.710_678_118_654_76) - 1.5).abs() < 1e-12);
    // Half a step out on either side: where the outermost cells end.
    assert!((it.x.place(17.677_669_529_663_69) + 0.5).abs() < 1e-12);
    assert_eq!((it.y.place(-0.25), it.y.place(1.25)), (-0.5, 2.5));
}

#[test]
fn the_contour_runs_where_the_power_is_the_target() {
    let it = map(usual);
    let layout = it.layout();
    let lines = it.contours(&layout);
    assert_eq!(lines.len(), 1);
    for (px, py) in &lines[0] {
        let x = 25.0 * libm::pow(2.0, (px - layout.map.left) / layout.cell.0 - 0.5);
        let y = 0.5 * ((layout.map.bottom - py) / layout.cell.1 - 0.5);
        assert!((usual(x, y) - 0.8).abs() < 0.02, "{x} {y}");
    }
}

#[test]
fn numbers_keep_off_the_contour_and_its_label() {
    let cell = Area { left: 0.0, right: 84.0, top: 0.0, bottom: 46.0 };
    assert_eq!(free_place(cell, 10.0, &[], None), (42.0, 23.0));
    let across = vec![vec![(-10.0, 23.0), (100.0, 23.0)]];
    let at = free_place(cell, 10.0, &across, None);
    assert!((at.1 - 23.0).abs() > 8.0, "{at:?}");
    let label = Area { left: 0.0, right: 84.0, top: 30.0, bottom: 46.0 };
    assert!(free_place(cell, 10.0, &across, Some(label)).1 < 15.0);
}

#[test]
fn a_power_is_never_rounded_up_to_what_it_has_not_reached() {
    assert_eq!(["79", "80", "99", "100", "0"], [0.7999, 0.8, 0.999, 1.0, 0.004].map(whole_percent));
}

#[test]
fn odd_shapes_are_drawn_all_the_same() {
    let gap = |x: f64, y: f64| if x > 90.0 { f64::NAN } else { usual(x, y) };
    let maps = [map(usual), map(|_, _| 1.0), map(|_, _| 0.0), map(gap), HeatMap::default()];
    for it in maps {
        let svg = it.svg();
        assert_eq!(malformed(&svg), None, "{svg}");
        assert!(!svg.contains("NaN"));
    }
    assert_eq!(map(|_, _| 1.0).contours(&map(usual).layout()), Vec::<Vec<_>>::new());
    assert!(map(gap).svg().contains("\u{2013}</text>"));
}
