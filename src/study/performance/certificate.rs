//! The measures of a certificate, beyond those of every study: whether the stated error is the true one, whether a failure to
//! cover is bias's fault, and what a significant result is worth.
//!
//! White et al. (2024), Statistics in Medicine, doi 10.1002/sim.10035 (model error, bias-eliminated coverage); Gelman &
//! Carlin (2014), Perspectives on Psychological Science 9, 641-651 (type S and type M).

use super::{Figure, Measure, Moments, NEVER, Sum, TOUCH, Totals};
use crate::estimators::{Settings, Undefined};
use crate::stats::special::normal_quantile;

/// Fewer significant replicates tell nothing of their sign or size.
const FEW: f64 = 30.0;
const TOO_FEW: Undefined = Undefined("fewer than 30 significant replicates");
const NO_EFFECT: Undefined = Undefined("there is no true effect to compare with");

/// A number with its Monte Carlo standard error and the replicates it rests on.
type Known = Result<(f64, f64, f64), Undefined>;

/// The figures that a certificate adds to a rule that should say `estimand` and whose test asks about `null`. `recentred` is the share of intervals that hold the mean estimate, where it is known.
pub(in crate::study) fn figures<S: Sum>(
    totals: &Totals<S>,
    (estimand, null): (Result<f64, Undefined>, Option<f64>),
    recentred: Known,
    settings: &Settings,
) -> Vec<Figure> {
    let n = totals.weight.value();
    let effect = null.map_or(Err(NO_EFFECT), |null| {
        // A true null is met within the rounding of sums.
        let effect = libm::fabs(estimand? - null);
        if effect <= TOUCH { Err(NO_EFFECT) } else { Ok(effect) }
    });
    let mut all = vec![
        (Measure::ModelSe, model_error(totals, settings)),
        (Measure::SeRatio, error_ratio(totals, settings)),
        (Measure::BiasEliminated, recentred),
    ];
    if null.is_some() {
        all.push((Measure::TypeS, effect.and_then(|_| type_s(totals))));
        all.push((Measure::TypeM, effect.and_then(|effect| type_m(totals, effect))));
    }
    let figure = |(measure, known): (Measure, Known)| {
        let over = known.map_or(0.0, |it| it.2);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        Figure {
            measure,
            value: known.map(|it| it.0),
            mcse: known.ok().map(|it| it.1),
            replicates: Some(over as u64),
            undefined: (n - over) as u64,
        }
    };
    all.into_iter().map(figure).collect()
}

/// The root of the mean squared error that intervals state: half their width over the normal quantile.
fn model_error<S: Sum>(totals: &Totals<S>, settings: &Settings) -> Known {
    let n = totals.finite.value();
    if n < 2.0 {
        return Err(Undefined("finite in fewer than two replicates"));
    }
    let (square, variance) = stated(totals, settings);
    let error = libm::sqrt(square);
    let mcse = if 0.0 < error { libm::sqrt(variance / (4.0 * n)) / error } else { 0.0 };
    Ok((error, mcse, n))
}

/// Mean and variance over replicates of the squared stated error.
fn stated<S: Sum>(totals: &Totals<S>, settings: &Settings) -> (f64, f64) {
    let n = totals.finite.value();
    let unit = 2.0 * normal_quantile(0.5 + settings.level.get() / 2.0);
    let (two, four) = (unit * unit, unit * unit * unit * unit);
    let square = totals.width[1].value() / n / two;
    let fourth = totals.width[3].value() / n / four;
    (square, (fourth - square * square).max(0.0) * n / (n - 1.0))
}

/// Stated error over true error.
fn error_ratio<S: Sum>(totals: &Totals<S>, settings: &Settings) -> Known {
    let (error, _, n) = model_error(totals, settings)?;
    let defined = totals.defined.value();
    let spread = Moments::new(&totals.estimate, defined, true);
    if defined < 2.0 || spread.sd.is_nan() || spread.sd <= 0.0 {
        return Err(Undefined("the estimates do not vary"));
    }
    let ratio = error / spread.sd;
    let (square, variance) = stated(totals, settings);
    let own = if 0.0 < square { variance / (4.0 * n * square * square) } else { 0.0 };
    let empirical = (spread.kurtosis - 1.0) / (4.0 * defined);
    Ok((ratio, ratio * libm::sqrt(own + empirical), n))
}

fn significant<S: Sum>(totals: &Totals<S>) -> Result<f64, Undefined> {
    let n = totals.significant.value();
    if n < FEW { Err(TOO_FEW) } else { Ok(n) }
}

/// The share of significant estimates on the wrong side of the null value.
fn type_s<S: Sum>(totals: &Totals<S>) -> Known {
    let n = significant(totals)?;
    let share = totals.wrong_side.value() / n;
    Ok((share, libm::sqrt(share * (1.0 - share) / n), n))
}

/// How many times too far from the null value significant estimates lie, on average.
fn type_m<S: Sum>(totals: &Totals<S>, effect: f64) -> Known {
    let n = significant(totals)?;
    let [mean, square] = [0, 1].map(|k| totals.away[k].value() / n);
    let sd = libm::sqrt((square - mean * mean).max(0.0) * n / (n - 1.0));
    Ok((mean / effect, sd / effect / libm::sqrt(n), n))
}

/// The share of intervals that hold the mean estimate, of `n` replicates.
pub(in crate::study) fn recentred(held: f64, n: f64) -> Known {
    if n <= 0.0 {
        return Err(NEVER);
    }
    let share = held / n;
    Ok((share, libm::sqrt(share * (1.0 - share) / n), n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::{Estimate, Limits};
    use crate::quantity::Level;

    /// Forty estimates of an effect of 0.5 with known errors: every figure again from its definition, one by one.
    #[test]
    fn figures_follow_their_definitions() {
        let settings = Settings { level: Level::USUAL };
        let values: Vec<f64> = (0..40).map(|k| 0.5 + 0.9 * libm::sin(f64::from(k))).collect();
        let errors: Vec<f64> = (0..40).map(|k| 0.3 + 0.01 * f64::from(k % 7)).collect();
        let z = normal_quantile(0.975);
        let mut totals = Totals::<f64>::default();
        for (value, error) in values.iter().zip(&errors) {
            // All but the third of five are called significant.
            let p = if libm::fabs(*value) < 0.1 { 0.5 } else { 0.001 };
            let limits = Limits { low: value - z * error, high: value + z * error, p: Ok(p) };
            let it = Estimate { value: Ok(*value), limits };
            totals.add(&it, (Ok(0.5), Some(0.0)), &settings, 1.0);
        }
        let known = figures(&totals, (Ok(0.5), Some(0.0)), recentred(38.0, 40.0), &settings);
        let get = |measure| known.iter().find(|it| it.measure == measure).unwrap();
        let close = |measure, value: f64, mcse: f64| {
            let it = get(measure);
            assert!((it.value.unwrap() - value).abs() < 1e-9, "{it:?}: {value}");
            assert!((it.mcse.unwrap() - mcse).abs() < 1e-9, "{it:?}: {mcse}");
        };
        let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
        let variance = |xs: &[f64]| {
            let m = mean(xs);
            xs.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / (xs.len() - 1) as f64
        };
        let squares: Vec<f64> = errors.iter().map(|e| e * e).collect();
        let model = mean(&squares).sqrt();
        close(Measure::ModelSe, model, (variance(&squares) / 160.0).sqrt() / model);
        let sd = variance(&values).sqrt();
        assert!((get(Measure::SeRatio).value.unwrap() - model / sd).abs() < 1e-9);
        let significant: Vec<f64> = values.iter().copied().filter(|x| 0.1 <= x.abs()).collect();
        let n = significant.len() as f64;
        assert!(30.0 < n && n < 40.0);
        let wrong = significant.iter().filter(|x| **x < 0.0).count() as f64 / n;
        assert!(0.0 < wrong);
        close(Measure::TypeS, wrong, (wrong * (1.0 - wrong) / n).sqrt());
        let sizes: Vec<f64> = significant.iter().map(|x| x.abs()).collect();
        close(Measure::TypeM, mean(&sizes) / 0.5, (variance(&sizes) / n).sqrt() / 0.5);
        close(Measure::BiasEliminated, 0.95, (0.95 * 0.05_f64 / 40.0).sqrt());
    }

    #[test]
    fn without_an_effect_there_is_no_wrong_sign() {
        let settings = Settings { level: Level::USUAL };
        let known = figures(
            &Totals::<f64>::default(),
            (Ok(0.0), Some(0.0)),
            recentred(0.0, 0.0),
            &settings,
        );
        let type_s = known.iter().find(|it| it.measure == Measure::TypeS).unwrap();
        assert_eq!(type_s.value, Err(NO_EFFECT));
    }
}
