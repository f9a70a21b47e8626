use super::*;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SIX_CLUSTERS: [&[f64]; 6] = [
    &[1.0, 0.0, 1.0, 1.0],
    &[0.0, 0.0, 1.0],
    &[-1.0, 0.0, 0.0, 1.0, 1.0],
    &[1.0, 1.0],
    &[0.0, 0.0, 0.0, -1.0],
    &[1.0, 0.0, 1.0, 1.0, 1.0, 0.0],
];
const FOUR_CLUSTERS: [&[f64]; 4] =
    [&[1.0, 1.0, 0.0, 1.0], &[0.0, 0.0, 1.0], &[1.0; 5], &[0.0, 1.0]];

fn clusters(values: &[&[f64]]) -> Vec<ClusterSums> {
    let one = |values: &&[f64]| {
        let mut sums = ClusterSums::default();
        values.iter().for_each(|y| sums.add(0.0, *y));
        sums
    };
    values.iter().map(one).collect()
}

fn counted(passes: &[(u8, u8)]) -> Vec<ClusterSums> {
    let one = |(n, y): &(u8, u8)| {
        let (n, y) = (f64::from(*n), f64::from(*y));
        ClusterSums { n, y, yy: y, ..ClusterSums::default() }
    };
    passes.iter().map(one).collect()
}

fn wild(clusters: &[ClusterSums], weights: Weights, samples: usize, seed: u64) -> Wild {
    Wild::new(clusters, weights, samples, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

/// Null values with p by signs and by Webb's points, all samples listed: `NumPy`, from the definition (residuals under the
/// null times weights, t with the CR1 error of each sample). The first p of the first block is published.
const OF_SIX: [(f64, f64, f64); 9] = [
    (0.0, 0.09375, 0.066_400_892),
    (0.1, 0.156_25, 0.144_418_724),
    (0.2, 0.312_5, 0.257_716_049),
    (0.25, 0.437_5, 0.374_699_931),
    (0.3, 0.531_25, 0.520_318_930),
    (0.5, 0.687_5, 0.669_152_949),
    (0.6, 0.375, 0.379_586_763),
    (0.75, 0.125, 0.089_248_971),
    (0.9, 0.062_5, 0.031_335_734),
];
const OF_FOUR: [(f64, f64, f64); 9] = [
    (0.0, 0.125, 0.055_555_556),
    (0.1, 0.125, 0.055_555_556),
    (0.2, 0.125, 0.058_641_975),
    (0.25, 0.125, 0.061_728_395),
    (0.3, 0.125, 0.080_246_914),
    (0.5, 0.5, 0.361_111_111),
    (0.6, 0.75, 0.657_407_407),
    (0.75, 1.0, 0.777_777_778),
    (0.9, 0.25, 0.243_827_160),
];

#[test]
fn p_values_are_those_of_the_definition() {
    let samples = 40_000;
    for (data, table) in [(clusters(&SIX_CLUSTERS), OF_SIX), (clusters(&FOUR_CLUSTERS), OF_FOUR)] {
        let listed = wild(&data, Weights::Rademacher, 0, 1);
        let drawn = wild(&data, Weights::Webb, samples, 1);
        assert_eq!((listed.total(), drawn.total()), (1 << (data.len() - 1), samples + 1));
        for (null, signs, webb) in table {
            let p = listed.p_value(null);
            assert!((p - signs).abs() < 1e-15, "{null}: {p} is not {signs}");
            // 18 comparisons at a level of 7e-6 each.
            let (p, error) = (drawn.p_value(null), (webb * (1.0 - webb) / samples as f64).sqrt());
            assert!((p - webb).abs() < 4.5 * error + 1e-4, "{null}: {p} is not {webb}");
        }
    }
}

/// Where p crosses the level, by bisection over all samples in `NumPy`. At .75 and 1 residuals vanish: there samples tie
/// with the data.
#[test]
fn the_interval_inverts_the_test() {
    let data = clusters(&SIX_CLUSTERS);
    let signs = [
        (0.9, [0.013_946_200_9, 0.75]),
        (0.8, [0.160_080_741_9, 0.696_790_488_9]),
        (0.95, [-0.25, 1.0]),
    ];
    for (level, want) in signs {
        let got = wild(&data, Weights::Rademacher, 0, 1).interval(level);
        assert!((got.low - want[0]).abs() < 3e-9 && (got.high - want[1]).abs() < 3e-9, "{got:?}");
    }
    let six = [
        (0.9, [0.033_845_365_6, 0.741_813_500_2]),
        (0.8, [0.169_156_030_8, 0.684_380_615_4]),
        (0.95, [-0.028_138_856_9, 0.823_543_131]),
    ];
    for (level, want) in six {
        // The error of a quantile of 40,000 samples, by the slope of p at the limits, is below .002 but at the last.
        let got = wild(&data, Weights::Webb, 40_000, 1).interval(level);
        assert!((got.low - want[0]).abs() < 0.01 && (got.high - want[1]).abs() < 0.01, "{got:?}");
    }
}

/// Sixteen samples never give a p below 1/8.
#[test]
fn too_few_clusters_reject_nothing() {
    let data = clusters(&FOUR_CLUSTERS);
    let listed = wild(&data, Weights::Rademacher, 0, 1);
    assert_eq!(listed.interval(0.95), Interval { low: f64::NEG_INFINITY, high: f64::INFINITY });
    assert!(listed.p_value(1e9) > 0.124 && listed.interval(0.8).high.is_finite());
}

#[test]
fn what_cannot_be_tested_says_why() {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let mut why = |data: &[ClusterSums], samples| {
        let said = Wild::new(data, Weights::Webb, samples, random).unwrap_err();
        let rejects = rejects(data, (Weights::Webb, samples), 0.0, 0.05, random);
        assert_eq!(rejects.unwrap_err(), said);
        said
    };
    let data = clusters(&SIX_CLUSTERS);
    assert_eq!(why(&data[..1], 9), "fewer than two clusters");
    assert_eq!(why(&data, 0), "no sample was asked for");
    // Equal means leave no error, whatever the sizes.
    assert_eq!(why(&counted(&[(4, 1), (8, 2), (40, 10)]), 9), "no variation");
    assert_eq!(why(&[ClusterSums { y: f64::NAN, ..data[0] }, data[1]], 9), "a sum is not finite");
}

/// Above twelve clusters signs are drawn; below, the listed p is what many draws approach. Thirteen clusters against a list
/// of 4,096 made by hand, from the definition.
#[test]
fn drawn_signs_approach_the_listed_ones() {
    let passes: Vec<(u8, u8)> = (0..13_u8).map(|k| (5 + k, 2 + k * k % 7)).collect();
    let (data, null) = (counted(&passes), 0.3);
    let n: f64 = data.iter().map(|it| it.n).sum();
    let t = |y: &dyn Fn(usize) -> f64| {
        let mean = (0..13).map(y).sum::<f64>() / n;
        let square = |k: usize| (y(k) - data[k].n * mean).powi(2);
        (mean - null).abs() / (0..13).map(square).sum::<f64>().sqrt()
    };
    let own = t(&|k| data[k].y);
    let extreme = (0..1_usize << 12).filter(|signs| {
        let sign = |k: usize| if signs >> k & 1 == 0 { 1.0 } else { -1.0 };
        let y = |k: usize| data[k].n * null + sign(k) * (data[k].y - data[k].n * null);
        own * (1.0 - 1e-9) <= t(&y)
    });
    let want = extreme.count() as f64 / 4096.0;
    let got = wild(&data, Weights::Rademacher, 40_000, 3).p_value(null);
    assert!(0.01 < want && want < 0.99);
    assert!((got - want).abs() < 4.5 * (want * (1.0 - want) / 4e4).sqrt(), "{got} is not {want}");
}

/// Webb's points come equally often, and each sign too.
#[test]
fn weights_have_their_law() {
    let random = &mut ChaCha8Rng::seed_from_u64(2);
    let mut drawn = vec![0.0; 66_000];
    draw(Weights::Webb, &mut drawn, random);
    for point in SIX {
        let count = drawn.iter().filter(|it| **it == point).count() as f64;
        assert!((count - 11_000.0).abs() < 4.5 * 96.0, "{point}: {count}");
    }
    assert!((SIX.iter().map(|it| it * it).sum::<f64>() - 6.0).abs() < 1e-15);
    draw(Weights::Rademacher, &mut drawn, random);
    let up = drawn.iter().filter(|it| **it == 1.0).count() as f64;
    assert!((up - 33_000.0).abs() < 4.5 * 129.0, "{up}");
    assert!(drawn.iter().all(|it| it.abs() == 1.0));
}

proptest! {
    /// A verdict that stops early is the verdict of all samples.
    #[test]
    fn a_curtailed_verdict_is_the_verdict(
        passes in proptest::collection::vec((1_u8..40, 0.0..1.0_f64), 2..16),
        null in 0.0..1.0_f64, alpha in 0.01..0.3_f64, seed in 0_u64..1000,
    ) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let passes: Vec<(u8, u8)> =
            passes.iter().map(|(n, p)| (*n, (f64::from(*n) * p).round() as u8)).collect();
        let data = counted(&passes);
        for weights in [Weights::Rademacher, Weights::Webb] {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let quick = rejects(&data, (weights, 199), null, alpha, &mut random);
            let whole = Wild::new(&data, weights, 199, &mut ChaCha8Rng::seed_from_u64(seed));
            match (quick, whole) {
                (Ok(quick), Ok(whole)) => {
                    prop_assert_eq!(quick, whole.p_value(null) <= alpha);
                    prop_assert!(whole.interval(1.0 - alpha).contains(whole.mean));
                }
                (quick, whole) => prop_assert_eq!(quick.unwrap_err(), whole.unwrap_err()),
            }
        }
    }
}
