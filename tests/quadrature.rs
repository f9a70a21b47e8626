//! Estimands of worlds with continuous quality, length and taste against `SciPy` 1.17 (`quad`, split where the clipped link
//! bends): one normal for the sum of what turns with the order. Held to 1e-9.

#![allow(clippy::unwrap_used)]

mod support;

use judgelab::study::Measure;
use support::{close, plan, value};

/// ability, position, length, taste, sd, length of the world, ties; flip rate, one order, position effect.
type Row = (f64, f64, f64, f64, f64, &'static str, f64, [f64; 3]);

const CLIPPED: [Row; 6] = [
    (
        0.3,
        0.1,
        0.2,
        0.0,
        1.0,
        "length = { ratio = 2.0 }",
        0.0,
        [0.272_004_899_6, 0.632_616_802_1, 0.567_719_421_1],
    ),
    (
        0.3,
        0.1,
        0.2,
        0.0,
        1.0,
        "length = { log-normal = 0.6 }",
        0.0,
        [0.264_690_542_6, 0.629_327_274_4, 0.569_189_802_9],
    ),
    (0.3, 0.1, 0.0, 0.4, 1.0, "", 0.0, [0.230_525_278_9, 0.614_103_495_1, 0.578_234_662_2]),
    (0.3, 0.1, 0.0, 0.0, 1.0, "", 0.5, [0.201_310_021_6, 0.634_865_325_5, 0.579_732_072_3]),
    (
        0.3,
        0.1,
        0.2,
        0.4,
        1.0,
        "length = { log-normal = 0.6 }",
        0.5,
        [0.148_620_831_1, 0.604_567_513_6, 0.605_230_680_8],
    ),
    (
        0.3,
        0.2,
        0.5,
        1.5,
        0.2,
        "length = { log-normal = 0.6 }",
        1.0,
        [0.064_944_229_6, 0.569_361_241_0, 1.321_395_817_5],
    ),
];

#[test]
fn the_clipped_link_is_integrated_exactly() {
    for (ability, position, length, taste, sd, world, ties, want) in CLIPPED {
        let text = format!(
            "replicates = 2\n[world.sampled]\npairs = 5\nquality = {{ sd = {sd}, gap = 0.3 }}\n{world}\n[judges.j.pairwise]\nlink = \
             \"clipped-linear\"\nability = {ability}\nposition = {position}\nlength = {length}\ntaste = {taste}\nties = {ties}\n\
             [estimate]\nrules = [\"flip-rate\", \"win-rate\", \"position-effect\"]\n"
        );
        let rows = support::rows(&plan(&text));
        for (name, want) in
            ["flip-rate", "win-rate/one-order", "position-effect/mid-p"].into_iter().zip(want)
        {
            close(
                &format!("{name}\n{text}"),
                value(&rows[0].1, name, Measure::Estimand),
                want,
                1e-9,
            );
        }
    }
}

/// A nearly deterministic judge: the flip rate of a taste of sd t is 2/(t sqrt(2 pi)) up to O(t^-3) where nothing else
/// decides, and the planted position is recovered exactly at any taste.
#[test]
fn a_large_taste_is_integrated_exactly() {
    for taste in [300.0, 5000.0, 1e6] {
        let text = format!(
            "replicates = 2\n[world.sampled]\npairs = 5\nbetter = 0.5\n[judges.j.pairwise]\nposition = 0.7\ntaste = {taste}\n\
             [estimate]\nrules = [\"flip-rate\", \"position-effect\"]\n"
        );
        let rows = support::rows(&plan(&text));
        let floor = value(&rows[0].1, "flip-rate", Measure::Floor);
        let want = 2.0 / (taste * libm::sqrt(2.0 * std::f64::consts::PI));
        close("floor", floor / want, 1.0, 3.0 / (taste * taste) + 1e-9);
        close("position", value(&rows[0].1, "position-effect/mid-p", Measure::Estimand), 0.7, 1e-9);
    }
}
