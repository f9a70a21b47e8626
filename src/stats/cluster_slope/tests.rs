//! Published and independently computed cluster-robust errors.

use super::*;

pub(super) fn sums(points: &[(f64, f64)]) -> ClusterSums {
    let mut sums = ClusterSums::default();
    for &(x, y) in points {
        sums.add(x, y);
    }
    sums
}

/// Fourteen answers at six lengths each (log2 of words): the published scores under a length bias
/// of 0, .6 and -.4, a digit for each length.
pub(super) fn lesson(scores: usize) -> Vec<ClusterSums> {
    const WORDS: [u32; 14] = [11, 13, 9, 14, 7, 7, 10, 12, 13, 10, 11, 12, 3, 4];
    const ADDED: [u32; 6] = [0, 11, 19, 31, 44, 54];
    const SCORES: [[&str; 14]; 3] = [
        [
            "443444", "344444", "344444", "553454", "443454", "444445", "334544", "534434",
            "444544", "434354", "445444", "444544", "444453", "544435",
        ],
        [
            "445555", "555555", "545555", "455555", "345555", "445555", "455555", "355555",
            "545555", "554555", "445555", "355455", "355555", "445455",
        ],
        [
            "444422", "333333", "543322", "434333", "534333", "434333", "443433", "443333",
            "444433", "544333", "443432", "342323", "554433", "433333",
        ],
    ];
    let cluster = |(words, digits): (&u32, &&str)| {
        let scores = digits.bytes().map(|digit| f64::from(digit - b'0'));
        let lengths = ADDED.iter().map(|added| libm::log2(f64::from(words + added)));
        sums(&lengths.zip(scores).collect::<Vec<_>>())
    };
    WORDS.iter().zip(&SCORES[scores]).map(cluster).collect()
}

/// Reaction times (ms) of 18 subjects over ten days of little sleep (Belenky et al. 2003; R lme4).
const SLEEP: [[f64; 10]; 18] = [
    [
        249.56, 258.7047, 250.8006, 321.4398, 356.8519, 414.6901, 382.2038, 290.1486, 430.5853,
        466.3535,
    ],
    [
        222.7339, 205.2658, 202.9778, 204.707, 207.7161, 215.9618, 213.6303, 217.7272, 224.2957,
        237.3142,
    ],
    [
        199.0539, 194.3322, 234.32, 232.8416, 229.3074, 220.4579, 235.4208, 255.7511, 261.0125,
        247.5153,
    ],
    [
        321.5426, 300.4002, 283.8565, 285.133, 285.7973, 297.5855, 280.2396, 318.2613, 305.3495,
        354.0487,
    ],
    [
        287.6079, 285.0, 301.8206, 320.1153, 316.2773, 293.3187, 290.075, 334.8177, 293.7469,
        371.5811,
    ],
    [
        234.8606, 242.8118, 272.9613, 309.7688, 317.4629, 309.9976, 454.1619, 346.8311, 330.3003,
        253.8644,
    ],
    [
        283.8424, 289.555, 276.7693, 299.8097, 297.171, 338.1665, 332.0265, 348.8399, 333.36,
        362.0428,
    ],
    [
        265.4731, 276.2012, 243.3647, 254.6723, 279.0244, 284.1912, 305.5248, 331.5229, 335.7469,
        377.299,
    ],
    [
        241.6083, 273.9472, 254.4907, 270.8021, 251.4519, 254.6362, 245.4523, 235.311, 235.7541,
        237.2466,
    ],
    [
        312.3666, 313.8058, 291.6112, 346.1222, 365.7324, 391.8385, 404.2601, 416.6923, 455.8643,
        458.9167,
    ],
    [
        236.1032, 230.3167, 238.9256, 254.922, 250.7103, 269.7744, 281.5648, 308.102, 336.2806,
        351.6451,
    ],
    [
        256.2968, 243.4543, 256.2046, 255.5271, 268.9165, 329.7247, 379.4445, 362.9184, 394.4872,
        389.0527,
    ],
    [
        250.5265, 300.0576, 269.8939, 280.5891, 271.8274, 304.6336, 287.7466, 266.5955, 321.5418,
        347.5655,
    ],
    [
        221.6771, 298.1939, 326.8785, 346.8555, 348.7402, 352.8287, 354.4266, 360.4326, 375.6406,
        388.5417,
    ],
    [
        271.9235, 268.4369, 257.2424, 277.6566, 314.8222, 317.2135, 298.1353, 348.1229, 340.28,
        366.5131,
    ],
    [
        225.264, 234.5235, 238.9008, 240.473, 267.5373, 344.1937, 281.1481, 347.5855, 365.163,
        372.2288,
    ],
    [
        269.8804, 272.4428, 277.8989, 281.7895, 279.1705, 284.512, 259.2658, 304.6306, 350.7807,
        369.4692,
    ],
    [
        269.4117, 273.474, 297.5968, 310.6316, 287.1726, 329.6076, 334.4818, 343.2199, 369.1417,
        364.1236,
    ],
];

/// Published values (clubSandwich).
#[test]
fn published_errors_of_a_slope_are_met() {
    let clusters: Vec<ClusterSums> = SLEEP
        .iter()
        .map(|times| {
            let day = |(day, &time): (u8, &f64)| (f64::from(day), time);
            sums(&(0..).zip(times).map(day).collect::<Vec<_>>())
        })
        .collect();
    for (errors, want) in [
        (Errors::Cr0, 1.502_237),
        (Errors::Cr1, 1.545_789),
        (Errors::Cr2, 1.545_789),
        (Errors::Cr3, 1.590_604),
    ] {
        let got = slope(&clusters, errors).unwrap();
        assert!((got.value - 10.467_286).abs() < 6e-7, "{got:?}");
        assert!((got.error - want).abs() < 6e-7, "{errors:?} {got:?}");
        assert!((got.df - 17.0).abs() < 1e-9, "{errors:?} {got:?}");
    }
}

/// Published values (clubSandwich): errors, degrees of freedom and p-values of a mean. The degrees of
/// freedom of CR3 are printed as 4.302853 there; with 30 digits they are 4.302852276.
#[test]
fn published_errors_of_a_mean_are_met() {
    const VALUES: [&[f64]; 6] = [
        &[1.0, 0.0, 1.0, 1.0],
        &[0.0, 0.0, 1.0],
        &[-1.0, 0.0, 0.0, 1.0, 1.0],
        &[1.0, 1.0],
        &[0.0, 0.0, 0.0, -1.0],
        &[1.0, 0.0, 1.0, 1.0, 1.0, 0.0],
    ];
    let clusters: Vec<ClusterSums> = VALUES
        .iter()
        .map(|values| sums(&values.iter().map(|&y| (0.0, y)).collect::<Vec<_>>()))
        .collect();
    for (errors, error, df, p) in [
        (Errors::Cr0, 0.154_426, 5.0, f64::NAN),
        (Errors::Cr1, 0.169_165, 5.0, 0.057_013),
        (Errors::Cr2, 0.170_301, 4.454_390, 0.064_278),
        (Errors::Cr3, 0.188_073, 4.302_852_276, f64::NAN),
    ] {
        let got = mean(&clusters, errors).unwrap();
        assert!((got.value - 0.416_667).abs() < 6e-7);
        assert!((got.error - error).abs() < 6e-7, "{errors:?} {got:?}");
        assert!((got.df - df).abs() < 6e-7, "{errors:?} {got:?}");
        assert!(p.is_nan() || (got.p_value(0.0) - p).abs() < 6e-7, "{errors:?} {got:?}");
        let limits = got.interval(1.0 - got.p_value(0.0));
        assert!(limits.low.abs() < 1e-12, "the interval at 1 - p ends at the null");
    }
    let got = mean(&clusters, Errors::Cr1).unwrap();
    assert!(((got.value / got.error) - 2.463_074).abs() < 6e-7);
}

/// Eight unequal clusters.
const POINTS: [&[(f64, f64)]; 8] = [
    &[(-0.7, -1.5), (-0.2, 0.4), (1.7, 0.7)],
    &[(0.5, 1.5), (-1.2, -3.6), (0.6, 0.4), (0.6, -1.1), (2.0, -0.9), (0.7, -1.4), (0.9, -1.3)],
    &[(1.2, -0.2), (0.7, 1.4)],
    &[
        (0.3, 0.8),
        (2.0, 1.7),
        (-0.9, -1.3),
        (0.9, -0.3),
        (1.4, -0.2),
        (-0.3, -0.9),
        (2.2, 0.7),
        (1.4, 0.4),
        (2.2, 3.0),
        (2.2, 0.5),
        (0.2, -0.3),
        (0.4, 0.5),
    ],
    &[(0.6, 0.9), (1.2, 1.7), (1.6, 2.6), (2.4, 2.8), (0.3, 2.2)],
    &[(2.2, 1.4)],
    &[
        (1.4, 0.6),
        (3.6, 2.3),
        (1.6, -0.1),
        (1.1, -0.6),
        (4.5, 2.0),
        (2.3, 1.8),
        (1.2, 2.1),
        (4.3, 5.3),
        (2.1, 0.8),
    ],
    &[(3.8, 0.1), (2.2, -1.1), (2.6, 0.3), (1.3, -1.1)],
];

type Rule = fn(&[ClusterSums], Errors) -> Result<Robust, &'static str>;
type Row = (Rule, f64, [(f64, f64); 4]);

/// Statistic, value, then error and degrees of freedom of Independent, CR0, CR2, CR3: the N x N
/// matrices written out in `NumPy` 2.4, with eigenvectors of I - H and W = P P'. (CR0's degrees of
/// freedom are ours, clusters less one.)
const DENSE: [Row; 2] = [
    (
        mean,
        0.534_883_720_930_232_7,
        [
            (0.240_036_996_985_273_06, 42.0),
            (0.383_014_166_565_866_23, 7.0),
            (0.419_392_822_742_707, 4.677_056_784_182_21),
            (0.459_807_200_791_850_67, 4.291_281_887_974_519),
        ],
    ),
    (
        slope,
        0.730_508_917_578_600_4,
        [
            (0.156_577_247_320_998_56, 41.0),
            (0.172_110_786_798_967_7, 7.0),
            (0.205_440_388_753_000_25, 3.597_984_302_441_35),
            (0.249_328_972_414_665_03, 2.967_958_847_239_947_4),
        ],
    ),
];

#[test]
fn six_sums_give_what_the_whole_matrices_give() {
    let clusters = POINTS.map(sums);
    for (rule, value, wants) in DENSE {
        let kinds = [Errors::Independent, Errors::Cr0, Errors::Cr2, Errors::Cr3];
        for (errors, (error, df)) in kinds.into_iter().zip(wants) {
            let got = rule(&clusters, errors).unwrap();
            assert!((got.value - value).abs() < 1e-13, "{errors:?} {got:?}");
            assert!((got.error - error).abs() < 1e-13, "{errors:?} {got:?}");
            assert!((got.df - df).abs() < 1e-11, "{errors:?} {got:?} for {df}");
        }
        let cr1 = rule(&clusters, Errors::Cr1).unwrap();
        assert!((cr1.error - wants[1].0 * (8.0_f64 / 7.0).sqrt()).abs() < 1e-13);
    }
}

#[test]
fn origin_units_and_empty_clusters_do_not_matter() {
    let clusters = POINTS.map(sums);
    let moved: Vec<ClusterSums> = POINTS
        .iter()
        .rev()
        .map(|it| sums(&it.iter().map(|(x, y)| (4.0 * x + 8.0, 0.5 * y - 3.0)).collect::<Vec<_>>()))
        .chain([ClusterSums::default()])
        .collect();
    for errors in [Errors::Independent, Errors::Cr0, Errors::Cr1, Errors::Cr2, Errors::Cr3] {
        let (one, other) = (slope(&clusters, errors).unwrap(), slope(&moved, errors).unwrap());
        assert!((one.value - 8.0 * other.value).abs() < 1e-12, "{one:?} {other:?}");
        assert!((one.error - 8.0 * other.error).abs() < 1e-12, "{one:?} {other:?}");
        assert!((one.df - other.df).abs() < 1e-9, "{one:?} {other:?}");
    }
}

/// A cluster that alone shows a difference in x has no residual in one direction, where the
/// corrections must not divide by 0; errors and degrees of freedom as above, by a pseudo-inverse.
#[test]
fn a_cluster_that_carries_the_slope_alone_is_no_division_by_zero() {
    let mine = sums(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]);
    let clusters = [mine, sums(&[(5.0, 3.0), (5.0, 1.0)]), sums(&[(5.0, 0.0), (5.0, 2.0)])];
    for (errors, error, df) in [
        (Errors::Cr2, 0.132_266_002_874_007_42, 1.119_569_549_621_363),
        (Errors::Cr3, 0.178_815_453_839_440_86, 1.090_790_769_410_496_4),
    ] {
        let got = slope(&clusters, errors).unwrap();
        assert!((got.value + 0.092_233_009_708_737_71).abs() < 1e-14, "{got:?}");
        assert!((got.error - error).abs() < 1e-13 && (got.df - df).abs() < 1e-11, "{got:?}");
        // With the others at its own mean x the slope is its own, and nothing tells its error.
        let alone = [mine, sums(&[(1.0, 3.0)]), sums(&[(1.0, 0.0)])];
        assert_eq!(slope(&alone, errors), Err("no variation"));
    }
}

#[test]
fn what_cannot_be_estimated_says_why() {
    let one = sums(&[(0.0, 1.0), (1.0, 2.0)]);
    let flat = sums(&[(3.1, 1.0), (3.1, 2.0)]);
    for errors in [Errors::Independent, Errors::Cr0, Errors::Cr1, Errors::Cr2, Errors::Cr3] {
        assert_eq!(slope(&[], errors), Err("fewer than two clusters"));
        assert_eq!(mean(&[one, ClusterSums::default()], errors), Err("fewer than two clusters"));
        assert_eq!(slope(&[flat, flat], errors), Err("x does not vary"));
        let line = sums(&[(2.0, 3.0), (0.3, 1.3)]);
        assert_eq!(slope(&[one, line], errors), Err("no variation"));
        let same = sums(&[(0.0, 0.7), (1.0, 0.7)]);
        assert_eq!(mean(&[same, same], errors), Err("no variation"));
        let broken = ClusterSums { yy: f64::INFINITY, ..one };
        assert_eq!(slope(&[one, broken], errors), Err("a sum is not finite"));
    }
    let got = slope(&POINTS.map(sums), Errors::Cr2).unwrap();
    assert!(got.interval(0.95).contains(got.value) && got.interval(1.5).low.is_nan());
}
