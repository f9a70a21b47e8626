use super::*;

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() < tolerance, "{a} and {b}");
}

/// Home wins and away wins of each team at home against the others in alphabetical order, American League East, 1987: Agresti
/// (2013), table 11.10; the data set `baseball` of `BradleyTerry2`. Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York,
/// Toronto.
const BASEBALL: [[(u8, u8); 6]; 7] = [
    [(1, 6), (3, 4), (1, 5), (2, 5), (2, 4), (1, 6)],
    [(6, 0), (5, 2), (2, 5), (5, 1), (4, 2), (3, 3)],
    [(2, 4), (4, 2), (3, 3), (2, 5), (4, 3), (3, 4)],
    [(4, 3), (6, 0), (6, 1), (3, 3), (4, 3), (4, 2)],
    [(6, 0), (6, 1), (4, 2), (4, 3), (4, 3), (4, 2)],
    [(6, 1), (4, 3), (4, 2), (5, 1), (3, 3), (2, 5)],
    [(6, 0), (4, 3), (4, 2), (4, 3), (2, 5), (2, 4)],
];

fn baseball() -> Contests {
    let mut contests = Contests::new(7);
    let mut item = 0;
    for (home, row) in BASEBALL.iter().enumerate() {
        for (k, (won, lost)) in row.iter().enumerate() {
            let away = k + usize::from(home <= k);
            for (times, outcome) in [(won, Outcome::First), (lost, Outcome::Second)] {
                for _ in 0..*times {
                    contests.add(item, [home, away], &[1.0], outcome);
                    item += 1;
                }
            }
        }
    }
    contests
}

/// R's `BradleyTerry2`, against Baltimore: estimates and errors, without and with the effect of playing at home.
#[test]
fn baseball_without_and_with_home() {
    let contests = baseball();
    let plain = fit(&contests, &[], Errors::Model).unwrap();
    let strengths = [1.107_698, 0.683_853, 1.436_408, 1.581_356, 1.247_618, 1.294_485];
    let errors = [0.333_878, 0.331_876, 0.339_568, 0.343_256, 0.335_861, 0.336_669];
    for (k, (value, error)) in strengths.into_iter().zip(errors).enumerate() {
        let got = plain.difference([k + 1, 0]).unwrap();
        close(got.value, value, 6e-7);
        // R's errors are those of the last step but one.
        close(got.error, error, 2e-6);
    }
    let home = fit(&contests, &[0], Errors::Model).unwrap();
    let strengths = [1.143_803, 0.704_694, 1.475_357, 1.619_555, 1.281_340, 1.327_110];
    for (k, value) in strengths.into_iter().enumerate() {
        close(home.difference([k + 1, 0]).unwrap().value, value, 6e-7);
    }
    let at_home = home.covariates[0].unwrap();
    close(at_home.value, 0.302_261, 6e-7);
    close(at_home.error, 0.130_944, 6e-7);
    close(at_home.value / at_home.error, 2.30833, 6e-6);
    // From R: the error of Boston less Detroit, and the likelihood without the constant of counts.
    close(home.difference([1, 3]).unwrap().error, 0.311_264_654_7, 2e-7);
    close(home.height, -169.542_871_5, 1e-7);
    let sum: f64 = (0..7).map(|k| home.strength(k).unwrap().value).sum();
    close(sum, 0.0, 1e-12);
    assert!(home.groups.connected() && home.ties.is_none());
}

/// Stigler's citations among journals: Biometrika, Communications in Statistics, JASA, JRSS-B; a row is cited, a column cites.
#[test]
fn journals() {
    const CITED: [[u32; 4]; 4] =
        [[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]];
    let mut contests = Contests::new(4);
    let mut item = 0;
    for (one, row) in CITED.iter().enumerate() {
        for (other, times) in row.iter().enumerate().filter(|it| it.0 != one) {
            for _ in 0..*times {
                contests.add(item, [one, other], &[], Outcome::First);
                item += 1;
            }
        }
    }
    let fit = fit(&contests, &[], Errors::Model).unwrap();
    let want = [(-2.949_072, 0.102_545), (-0.479_570, 0.060_589), (0.268_954, 0.070_830)];
    for (k, (value, error)) in want.into_iter().enumerate() {
        let got = fit.difference([k + 1, 0]).unwrap();
        close(got.value, value, 6e-7);
        close(got.error, error, 6e-7);
    }
    let ranks = ranks(&contests, &[], Errors::Model, 0.95).unwrap();
    let places: Vec<[usize; 2]> = ranks.iter().map(|it| [it.best, it.worst]).collect();
    assert_eq!(places, [[2, 2], [4, 4], [3, 3], [1, 1]]);
}

/// 24 items with three contests each among four systems; a digit is first, tie or second.
fn tied() -> Contests {
    let said = "202021100020012220110122001100200011101112202020221220002002000200000000";
    let pairs: Vec<[usize; 2]> =
        (0..4).flat_map(|a| (0..4).filter(move |b| *b != a).map(move |b| [a, b])).collect();
    let mut contests = Contests::new(4);
    for (k, digit) in said.chars().enumerate() {
        let (item, turn) = (k / 3, k % 3);
        let length = ((item * 3 + turn * 5) % 7) as f64 / 2.0 - 1.5;
        let outcome = match digit {
            '0' => Outcome::First,
            '1' => Outcome::Tie,
            _ => Outcome::Second,
        };
        let pair = pairs[(5 * item + 7 * turn) % 12];
        contests.add(u32::try_from(item).unwrap(), pair, &[1.0, length], outcome);
    }
    contests
}

/// Ties, position and length: estimates by BFGS on the written-out likelihood, CR2 errors and degrees of freedom by full
/// matrices of the multinomial in `NumPy`.
#[test]
fn ties_and_biases_with_clustered_errors() {
    let contests = tied();
    let fit = fit(&contests, &[0, 1], Errors::Cr2).unwrap();
    close(fit.height, -65.164_128_834_7, 1e-9);
    let first = fit.difference([1, 0]).unwrap();
    close(first.value, 1.670_026_467_07, 1e-8);
    close(first.error, 0.619_655_429_9, 1e-8);
    let want = [
        (0.689_728_874_34, 0.364_140_833_4, 22.353_528_6),
        (0.728_429_829_92, 0.391_314_427_6, 17.208_917_0),
        (-0.411_292_750_62, 0.299_337_624_6, 22.692_425_9),
    ];
    let got = [fit.covariates[0].unwrap(), fit.covariates[1].unwrap(), fit.ties.unwrap().unwrap()];
    for (got, (value, error, df)) in got.into_iter().zip(want) {
        close(got.value, value, 1e-8);
        close(got.error, error, 1e-8);
        close(got.df, df, 1e-5);
    }
    close(fit.difference([1, 2]).unwrap().error, 0.481_396_989_3, 1e-8);
    let above = fit.strength(1).unwrap();
    close(above.value, 0.970_421_580_6, 1e-8);
    close(above.error, 0.371_257_695_9, 1e-8);
    close(above.df, 14.857_939_7, 1e-5);
    let model = super::fit(&contests, &[0, 1], Errors::Model).unwrap();
    close(model.strength(1).unwrap().error, 0.374_382_889_7, 1e-8);
}

fn contests(systems: usize, won: &[(usize, usize, u32)]) -> Contests {
    let mut contests = Contests::new(systems);
    let mut item = 0;
    for (one, other, times) in won {
        for _ in 0..*times {
            contests.add(item, [*one, *other], &[1.0], Outcome::First);
            item += 1;
        }
    }
    contests
}

#[test]
fn the_undefeated_and_the_winless_are_bounded_and_not_ranked_by_a_huge_number() {
    // 3 always wins, 4 always loses, 5 and 6 play only each other, 7 nobody.
    let won = [
        (0, 1, 6),
        (1, 0, 4),
        (1, 2, 5),
        (2, 0, 5),
        (0, 2, 5),
        (3, 0, 4),
        (3, 1, 4),
        (2, 4, 9),
        (5, 6, 2),
        (6, 5, 3),
    ];
    let data = contests(8, &won);
    let groups = groups(&data);
    assert_eq!(groups.undefeated, [3]);
    assert_eq!(groups.winless, [4]);
    assert!(!groups.connected());
    assert_eq!(groups.members.iter().find(|it| it.contains(&0)).unwrap(), &[0, 1, 2]);
    assert!(groups.of[3] < groups.of[0] && groups.of[0] < groups.of[4]);
    assert_eq!(groups.parts[0], groups.parts[4]);
    assert_ne!(groups.parts[0], groups.parts[5]);
    assert_ne!(groups.parts[7], groups.parts[5]);
    let fit = fit(&data, &[], Errors::Model).unwrap();
    assert_eq!(fit.difference([3, 0]), Err(APART));
    assert_eq!(fit.strength(7), Err(APART));
    close(fit.difference([6, 5]).unwrap().value, libm::log(1.5), 1e-9);
    // Eight wins and no loss: at least so much, by the likelihood ratio.
    let top = bound(&data, &[], [3, 0], 0.95).unwrap();
    assert!(top.value.is_none() && 0.0 < top.interval.low && top.interval.low < 3.0, "{top:?}");
    assert_eq!(top.interval.high, f64::INFINITY);
    let bottom = bound(&data, &[], [4, 2], 0.95).unwrap();
    // Nine losses in a row against one system: ln L = -9 ln(1 + e^d) is 1.9207 below its supremum of zero.
    close(bottom.interval.high, libm::log(libm::expm1(3.841_458_820_694_124 / 18.0)), 1e-7);
    assert_eq!(bottom.interval.low, f64::NEG_INFINITY);
    let never = bound(&data, &[], [5, 0], 0.95).unwrap();
    assert_eq!([never.interval.low, never.interval.high], [f64::NEG_INFINITY, f64::INFINITY]);
    let ranks = ranks(&data, &[], Errors::Model, 0.95).unwrap();
    assert_eq!([ranks[7].best, ranks[7].worst], [1, 8]);
    assert!(ranks[4].best > 1 && ranks[3].worst < 8, "{ranks:?}");
}

/// Where a difference is finite, the profile meets the estimate and R.
#[test]
fn the_profile_of_a_finite_difference() {
    let data = baseball();
    let fit = fit(&data, &[0], Errors::Model).unwrap();
    let got = bound(&data, &[0], [1, 0], 0.95).unwrap();
    close(got.value.unwrap(), fit.difference([1, 0]).unwrap().value, 1e-7);
    close(got.interval.low, BOSTON[0], 2e-6);
    close(got.interval.high, BOSTON[1], 2e-6);
}

/// Where the deviance of R's `glm`, Boston's strength held by an offset, has risen by 3.841459 (`uniroot`).
const BOSTON: [f64; 2] = [0.497_970_024_482, 1.827_907_878_157];

#[test]
fn what_cannot_be_fitted_is_said() {
    let why = |it: Result<Fit, &'static str>| it.map(|_| ()).unwrap_err();
    assert_eq!(why(fit(&contests(2, &[]), &[], Errors::Cr2)), logistic::NO_ROWS);
    let ladder = contests(3, &[(0, 1, 3), (1, 2, 3)]);
    assert_eq!(why(fit(&ladder, &[], Errors::Cr2)), logistic::NO_ROWS);
    assert!(ranks(&ladder, &[], Errors::Cr2, 0.95).is_ok());
    // The one shown first always wins: the order decides all.
    let order = contests(2, &[(0, 1, 5), (1, 0, 5)]);
    assert_eq!(why(fit(&order, &[0], Errors::Model)), logistic::SEPARATED);
    let first = bound(&order, &[0], [0, 1], 0.95).unwrap();
    assert!(first.interval.low.is_infinite() && first.interval.high.is_infinite());
    assert!(fit(&order, &[], Errors::Model).is_ok());
    assert!(bound(&order, &[], [1, 1], 0.95).is_err());
    // A covariate that is the difference of two systems.
    let mut own = Contests::new(2);
    for (k, outcome) in [Outcome::First, Outcome::Second, Outcome::First].into_iter().enumerate() {
        own.add(u32::try_from(k).unwrap(), [0, 1], &[1.0], outcome);
    }
    assert_eq!(why(fit(&own, &[0], Errors::Model)), logistic::ALIASED);
}

/// A system asked on one item only has no clustered error, and the others keep theirs.
#[test]
fn one_item_tells_no_error_of_its_own() {
    let data = tied();
    let before = fit(&data, &[], Errors::Cr2).unwrap();
    let mut wider = Contests { systems: 5, ..data.clone() };
    for outcome in [Outcome::First, Outcome::Second] {
        wider.add(99, [4, 0], &[1.0], outcome);
    }
    let after = fit(&wider, &[], Errors::Cr2).unwrap();
    assert!(after.difference([4, 0]).is_err() && after.strength(4).is_err());
    let [a, b] = [&before, &after].map(|it| it.strength(1).unwrap());
    close(a.value, b.value, 0.05);
    close(a.error, b.error, 0.05);
    assert!(fit(&wider, &[], Errors::Model).unwrap().difference([4, 0]).is_ok());
    assert_eq!(ranks(&wider, &[], Errors::Cr2, 0.95).unwrap()[4], Rank { best: 1, worst: 5 });
}
