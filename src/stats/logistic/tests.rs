use super::*;

/// Nine clusters of two, three and four rows.
fn clusters() -> Vec<Cluster> {
    let said = ["11", "001", "1110", "11", "111", "1010", "11", "101", "1010"];
    // The regressors: 1, a sign that alternates, and sin(g + 2 i) to three decimals.
    let third = [
        [0.0, 0.909, 0.0, 0.0],
        [0.841, 0.141, -0.959, 0.0],
        [0.909, -0.757, -0.279, 0.989],
        [0.141, -0.959, 0.0, 0.0],
        [-0.757, -0.279, 0.989, 0.0],
        [-0.959, 0.657, 0.412, -1.0],
        [-0.279, 0.989, 0.0, 0.0],
        [0.657, 0.412, -1.0, 0.0],
        [0.989, -0.544, -0.537, 0.991],
    ];
    let row = |(i, y): (usize, char), z: &[f64; 4]| {
        Row::new(&[1.0, if i % 2 == 0 { 1.0 } else { -1.0 }, z[i]], y == '1')
    };
    let one = |(said, z): (&str, [f64; 4])| Cluster {
        rows: said.chars().enumerate().map(|it| row(it, &z)).collect(),
        times: 1.0,
    };
    said.into_iter().zip(third).map(one).collect()
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} and {b}");
}

/// Coefficients and model errors by statsmodels 0.14 (GLM, binomial); CR0, CR2 and degrees of freedom from their definition
/// with full matrices in `NumPy`.
#[test]
fn a_fit_its_errors_and_degrees_of_freedom() {
    let data = clusters();
    let fit = fit(&data, 3).unwrap();
    let coefficients = [1.252_015_22, 1.516_935_97, -0.736_813_14];
    let model = [0.620_698_6, 0.611_252_67, 0.711_798_19];
    let cr0 = [0.619_934_66, 0.542_202_26, 0.672_884_04];
    let cr2 = [0.672_018_89, 0.589_766_37, 0.739_700_4];
    let df = [7.103_607_607, 7.332_961_291, 5.909_739_802];
    for k in 0..3 {
        close(fit.coefficients[k], coefficients[k]);
        close(fit.coefficient(&data, k, Errors::Model).unwrap().error, model[k]);
        close(fit.coefficient(&data, k, Errors::Cr0).unwrap().error, cr0[k]);
        let robust = fit.coefficient(&data, k, Errors::Cr2).unwrap();
        close(robust.error, cr2[k]);
        assert!((robust.df - df[k]).abs() < 1e-4, "{} and {}", robust.df, df[k]);
    }
}

/// A cluster given twice is the same as two clusters.
#[test]
fn multiplicities_are_clusters() {
    let once = clusters();
    let twice: Vec<Cluster> = once.iter().chain(&once).cloned().collect();
    let counted: Vec<Cluster> =
        once.iter().map(|it| Cluster { times: 2.0, ..it.clone() }).collect();
    let [a, b] = [&twice, &counted].map(|data| {
        let fit = fit(data, 3).unwrap();
        (0..3).map(|k| fit.coefficient(data, k, Errors::Cr2).unwrap()).collect::<Vec<_>>()
    });
    for (a, b) in a.iter().zip(&b) {
        close(a.value, b.value);
        close(a.error, b.error);
        close(a.df, b.df);
    }
}

/// Without regressors but the intercept, the fit is the logit of a share.
#[test]
fn an_intercept_is_a_logit() {
    let data = clusters();
    let yes = data.iter().flat_map(|it| &it.rows).filter(|row| 0.0 < row.said[0]).count();
    let fit = fit(&data, 1).unwrap();
    close(fit.coefficients[0], libm::log(yes as f64 / (27 - yes) as f64));
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let row = |x0: f64, x1: f64, y: bool| Row::new(&[x0, x1], y);
    let alone = |rows: Vec<Row>| vec![Cluster { rows, times: 1.0 }; 5];
    assert_eq!(fit(&[], 2), Err(NO_ROWS));
    assert_eq!(fit(&alone(vec![row(1.0, 1.0, true), row(1.0, 1.0, false)]), 2), Err(ALIASED));
    assert_eq!(fit(&alone(vec![row(1.0, 1.0, true), row(1.0, -1.0, false)]), 2), Err(SEPARATED));
    // Quasi-complete: one level of the sign has both answers, the other one only.
    let quasi = vec![row(1.0, 1.0, true), row(1.0, -1.0, false), row(1.0, -1.0, true)];
    assert_eq!(fit(&alone(quasi), 2), Err(SEPARATED));
    let all = vec![row(1.0, 0.0, true)];
    assert_eq!(fit(&alone(all), 1), Err(SEPARATED));
    let one = vec![Cluster { rows: vec![row(1.0, 0.0, true), row(1.0, 0.0, false)], times: 1.0 }];
    let fitted = fit(&one, 1).unwrap();
    assert!(fitted.coefficient(&one, 0, Errors::Cr2).is_err());
    assert!(fitted.coefficient(&one, 0, Errors::Model).is_ok());
}

fn alone(x: &[f64], y: bool) -> Cluster {
    Cluster { rows: vec![Row::new(x, y)], times: 1.0 }
}

/// Complete separation: yes above a threshold, no below. The slope is at least what R says, where the deviance of `glm` with
/// the slope in an offset is 3.841459 (`uniroot`).
#[test]
fn a_separated_slope_is_bounded_on_one_side() {
    let data: Vec<Cluster> = (1..=8).map(|k| alone(&[1.0, 0.5 * f64::from(k)], 4 < k)).collect();
    assert_eq!(fit(&data, 2), Err(SEPARATED));
    let slope = profile(&data, 2, 1, 0.95).unwrap();
    assert_eq!((slope.value, slope.interval.high), (None, f64::INFINITY));
    assert!((slope.interval.low - 1.603_624_939_8).abs() < 1e-6, "{slope:?}");
    // Turned over, it is at most that.
    let turned: Vec<Cluster> = (1..=8).map(|k| alone(&[1.0, -0.5 * f64::from(k)], 4 < k)).collect();
    let slope = profile(&turned, 2, 1, 0.95).unwrap();
    assert_eq!(slope.interval.low, f64::NEG_INFINITY);
    assert!((slope.interval.high + 1.603_624_939_8).abs() < 1e-6, "{slope:?}");
    assert!(ratio_test(&data, 2, 1, 0.0).unwrap() < 0.01);
    assert!(profile(&data, 3, 2, 0.95).is_err());
    assert_eq!(profile(&[], 1, 0, 0.95), Err(NO_ROWS));
}

/// Quasi-complete: of two groups the second always says yes. The group's coefficient has a lower limit (R, as above), the slope
/// keeps its estimate and limits (the profile by `SciPy`).
#[test]
fn a_separated_group_leaves_the_other_coefficients() {
    let z = [0.3, -0.2, 0.5, 0.9, -0.7, 0.1, -0.4, 0.8, 0.2, -0.6];
    let said = [true, false, false, true, false, true, true, true, true, true];
    let rows = z.into_iter().zip(said).enumerate();
    let data: Vec<Cluster> =
        rows.map(|(k, (z, y))| alone(&[1.0, z, f64::from(u8::from(4 < k))], y)).collect();
    assert_eq!(fit(&data, 3), Err(SEPARATED));
    let group = profile(&data, 3, 2, 0.95).unwrap();
    assert_eq!((group.value, group.interval.high), (None, f64::INFINITY));
    assert!((group.interval.low - 1.391_420_171_2).abs() < 1e-5, "{group:?}");
    let slope = profile(&data, 3, 1, 0.95).unwrap();
    assert!((slope.value.unwrap() - 4.046_859_720_6).abs() < 1e-5, "{slope:?}");
    assert!((slope.interval.low + 0.611_128_387).abs() < 1e-5, "{slope:?}");
    assert!((slope.interval.high - 18.384_384_725_7).abs() < 1e-6, "{slope:?}");
}

/// Thirty systems, position and length in 100,000 rows: planted coefficients within four of their own errors.
#[test]
#[ignore = "slow without optimisation: a wide design of 100,000 rows"]
fn a_wide_design_of_many_rows() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(11);
    let systems = 30;
    let width = systems - 1 + 2;
    let data: Vec<Cluster> = (0..50_000)
        .map(|_| {
            let one = random.random_range(0..systems);
            let other = (one + random.random_range(1..systems)) % systems;
            let length = random.random_range(-2.0..2.0);
            let rows = [1.0, -1.0].map(|turn| {
                let mut x = vec![0.0; width];
                if 0 < one {
                    x[one - 1] = turn;
                }
                if 0 < other {
                    x[other - 1] = -turn;
                }
                x[width - 2] = 1.0;
                x[width - 1] = turn * length;
                let eta = 0.05 * turn * (one as f64 - other as f64) + 0.5 + 0.3 * turn * length;
                Row::new(&x, random.random_bool(1.0 / (1.0 + libm::exp(-eta))))
            });
            Cluster { rows: rows.to_vec(), times: 1.0 }
        })
        .collect();
    let fit = fit(&data, width).unwrap();
    let unit = |place: usize| (0..width).map(|k| f64::from(u8::from(k == place))).collect();
    let contrasts: Vec<Vec<f64>> = (0..width).map(unit).collect();
    let got = fit.contrasts(&data, &contrasts, Errors::Cr2);
    for (k, it) in got.into_iter().enumerate() {
        let it = it.unwrap();
        let truth = match k {
            29 => 0.5,
            30 => 0.3,
            _ => 0.05 * (k + 1) as f64,
        };
        assert!((it.value - truth).abs() < 4.0 * it.error, "{k}: {it:?}");
        assert!(100.0 < it.df, "{k}: {it:?}");
    }
}

/// Of many clusters a part is looked at first, and alike ones are one many times: neither changes the fit.
#[test]
fn many_clusters_are_fitted_as_few_with_counts() {
    let once = clusters();
    let mut many = Table::default();
    for k in 0..36_000 {
        let it = &once[k * 7 % 9];
        it.rows.iter().for_each(|row| many.row(row.x.iter().copied(), row.said));
        many.end(1.0);
    }
    let few = many.alike();
    assert_eq!((many.len(), few.len(), few.rows()), (36_000, 9, 27));
    let contrasts = [vec![0.0, 1.0, 0.0], vec![1.0, 0.0, -1.0]];
    let [a, b] = [&many, &few].map(|it| {
        let fit = it.fit(3).unwrap();
        fit.of_table(it, &contrasts, Errors::Cr2)
            .into_iter()
            .map(Result::unwrap)
            .collect::<Vec<_>>()
    });
    for (a, b) in a.iter().zip(&b) {
        close(a.value, b.value);
        close(a.error, b.error);
        close(a.df, b.df);
    }
    let plain = fit(&once, 3).unwrap();
    close(a[0].value, plain.coefficients[1]);
}
