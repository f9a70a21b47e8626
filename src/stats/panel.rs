//! Panels: how far the errors of several judges go together, and how many independent judges they are worth.

/// The correlation of two error indicators: `a` and `b` errors and `both` joint ones among `n` items, counts or
/// probabilities of one scale (Pearson's phi, 1900).
///
/// # Errors
///
/// "a judge never errs" and "a judge always errs": an indicator that is constant correlates with nothing.
pub fn error_correlation(n: f64, [a, b]: [f64; 2], both: f64) -> Result<f64, &'static str> {
    // What is smaller than the rounding of expected sums is none.
    let least = 1e-12 * n;
    if a <= least || b <= least {
        return Err("a judge never errs");
    }
    if n - a <= least || n - b <= least {
        return Err("a judge always errs");
    }
    Ok((n * both - a * b) / (a * (n - a) * b * (n - b)).sqrt())
}

/// How many independent judges a panel of `judges` is worth whose errors have a mean correlation `rho`:
/// K/(1 + (K - 1) rho) (Kish 1965, Survey Sampling, section 5.4, the design effect of a cluster).
///
/// # Errors
///
/// "errors that offset each other are worth any number of judges" where `rho` is -1/(K - 1) or less.
pub fn effective(judges: f64, rho: f64) -> Result<f64, &'static str> {
    let effect = 1.0 + (judges - 1.0) * rho;
    if effect <= 1e-12 {
        return Err("errors that offset each other are worth any number of judges");
    }
    Ok(judges / effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values: nine judges, and the six judges of a public benchmark.
    #[test]
    fn effective_judges() {
        for (judges, rho, want) in [
            (9.0, 0.0, 9.0),
            (9.0, 0.1, 5.0),
            (9.0, 0.2, 3.461_538),
            (9.0, 0.4375, 2.0),
            (9.0, 0.5, 1.8),
            (6.0, 0.363_727, 2.128_691),
            (3.0, 1.0, 1.0),
        ] {
            assert!((effective(judges, rho).unwrap() - want).abs() < 3e-6, "{judges} {rho}");
        }
        assert!(effective(3.0, -0.5).is_err());
    }

    /// numpy.corrcoef of [1,1,1,0,0,0,0,0] and [1,1,0,1,0,0,0,0]: 0.4666666666666667.
    #[test]
    fn correlations_of_errors() {
        assert!((error_correlation(8.0, [3.0, 3.0], 2.0).unwrap() - 7.0 / 15.0).abs() < 1e-15);
        assert!((error_correlation(1.0, [0.3, 0.3], 0.09).unwrap()).abs() < 1e-15);
        assert_eq!(error_correlation(8.0, [0.0, 3.0], 0.0), Err("a judge never errs"));
        assert_eq!(error_correlation(8.0, [3.0, 8.0], 3.0), Err("a judge always errs"));
    }
}
