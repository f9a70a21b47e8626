use super::*;

/// Assessments of the fitness of 45 patients for anaesthesia, 1 to 4: three by the first observer, then one by each of four
/// others. Dawid & Skene (1979), table 1.
const PATIENTS: [&str; 45] = [
    "1111111", "3334334", "1122122", "2223121", "2223222", "2223322", "1222111", "3333433",
    "2222223", "2322223", "4444444", "2223343", "1111111", "2223212", "1211111", "1112111",
    "1111111", "1111111", "2222221", "2221322", "2222222", "2222221", "2223222", "2212222",
    "1111111", "1111111", "2322222", "1111111", "1111111", "1121121", "1111111", "3333233",
    "1111111", "2222222", "2223232", "4334343", "2212232", "2323233", "3333432", "1111111",
    "1111111", "1212111", "2322222", "1211111", "2222222",
];

fn patients() -> Vec<Answer> {
    let one = |(item, row): (usize, &&str)| {
        row.bytes()
            .enumerate()
            .map(move |(k, digit)| Answer {
                item,
                judge: k.saturating_sub(2),
                class: usize::from(digit - b'1'),
            })
            .collect::<Vec<_>>()
    };
    PATIENTS.iter().enumerate().flat_map(one).collect()
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() < tolerance, "{a} and {b}");
}

/// Dawid and Skene print .40, .42, .11 and .07; the further digits are those of the algorithm run in double precision from the
/// shares of votes (a second implementation, in Python).
#[test]
fn anaesthetists() {
    let fit = fit(&patients(), 4).unwrap();
    for (got, want) in fit.prevalence.iter().zip([0.39955, 0.42198, 0.11180, 0.06667]) {
        close(*got, want, 6e-6);
    }
    close(fit.height, -192.890_881, 6e-7);
    let first = [
        [0.8895, 0.1105, 0.0, 0.0],
        [0.0706, 0.8764, 0.0530, 0.0],
        [0.0, 0.3388, 0.6612, 0.0],
        [0.0, 0.0, 0.5556, 0.4444],
    ];
    for (got, want) in fit.errors[0].iter().flatten().zip(first.iter().flatten()) {
        close(*got, *want, 6e-5);
    }
    let labels: String = fit.labels().iter().map(|it| (it + 1).to_string()).collect();
    assert_eq!(labels, "142222132243121111222222112111131224233111212");
    let accuracy: f64 = (0..4).map(|k| fit.prevalence[k] * fit.errors[2][k][k]).sum();
    close(fit.accuracy(2), accuracy, 1e-15);
    let pairs = fit.dependence(&patients());
    assert_eq!(pairs.len(), 10);
    // By hand from the table: the second and third observers agree on 29 of 45.
    let two = pairs.iter().find(|it| it.judges == [1, 2]).unwrap();
    close(two.observed, 29.0 / 45.0, 1e-12);
    close(two.predicted, 0.604_644_697_1, 1e-9);
    assert_eq!(two.items, 45);
}

/// Leaving out each patient in turn: a second implementation, in `NumPy`.
#[test]
fn accuracies_with_errors() {
    let want = [
        (0.828_763_28, 0.053_626_887_28),
        (0.778_868_84, 0.068_614_851_17),
        (0.776_648_45, 0.060_285_773_84),
        (0.866_943_46, 0.051_149_203_99),
        (0.842_371_95, 0.060_595_974_56),
    ];
    for (got, (value, error)) in accuracies(&patients(), 4).unwrap().iter().zip(want) {
        close(got.value, value, 1e-8);
        close(got.error, error, 1e-8);
        assert_eq!(got.df, 44.0);
    }
    let one: Vec<Answer> = (0..9).map(|k| Answer { item: k / 3, judge: k % 3, class: 0 }).collect();
    assert!(accuracies(&one, 2).is_err());
    assert!(accuracies(&one[..3], 2).is_err());
}

/// Judges with planted errors: a table of expected counts, scaled up, gives back what was planted.
#[test]
fn planted_errors_come_back() {
    let right = [[0.9, 0.8], [0.7, 0.85], [0.8, 0.6]];
    let prevalence = [0.7, 0.3];
    let mut answers = Vec::new();
    let mut item = 0;
    for pattern in 0..8_usize {
        let class = |judge: usize| pattern >> judge & 1;
        let chance: f64 = (0..2)
            .map(|truth| {
                let said = (0..3).map(|judge| {
                    let right = right[judge][truth];
                    if class(judge) == truth { right } else { 1.0 - right }
                });
                prevalence[truth] * said.product::<f64>()
            })
            .sum();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        for _ in 0..libm::round(1e4 * chance) as u32 {
            answers.extend((0..3).map(|judge| Answer { item, judge, class: class(judge) }));
            item += 1;
        }
    }
    let fit = fit(&answers, 2).unwrap();
    close(fit.prevalence[0], 0.7, 2e-3);
    for (judge, right) in right.iter().enumerate() {
        (0..2).for_each(|truth| close(fit.errors[judge][truth][truth], right[truth], 2e-3));
    }
    for it in fit.dependence(&answers) {
        close(it.observed, it.predicted, 1e-3);
        assert!(0.5 < it.p);
    }
    // A fourth judge that copies the first: the model fits, and the check tells.
    let copied: Vec<Answer> = answers
        .iter()
        .filter(|it| it.judge == 1)
        .map(|it| Answer { judge: 3, ..*it })
        .chain(answers.iter().copied())
        .collect();
    let wrong = super::fit(&copied, 2).unwrap();
    let pairs = wrong.dependence(&copied);
    let told = pairs.iter().filter(|it| it.p < 1e-6 && it.judges != [1, 3]).count();
    assert!(0 < told, "{pairs:?}");
}

#[test]
fn what_cannot_be_fitted_is_said() {
    assert_eq!(fit(&[], 2), Err(FEW_JUDGES));
    let two: Vec<Answer> = (0..20)
        .map(|k| Answer { item: k / 2, judge: k % 2, class: usize::from(k % 3 == 0) })
        .collect();
    assert_eq!(fit(&two, 2), Err(FEW_JUDGES));
    assert!(fit(&two, 1).is_err());
    // All agree: one class, and nothing to divide by zero.
    let one: Vec<Answer> = (0..9).map(|k| Answer { item: k / 3, judge: k % 3, class: 0 }).collect();
    let sure = fit(&one, 2).unwrap();
    assert_eq!(sure.prevalence, [1.0, 0.0]);
    assert!(sure.dependence(&one).iter().all(|it| it.p == 1.0 && it.observed == 1.0));
}
