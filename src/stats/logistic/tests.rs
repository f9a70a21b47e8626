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
