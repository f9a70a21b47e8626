//! The smallest position preference that a file could have shown: what stands beside every "not detected".

use serde::{Deserialize, Serialize};

use super::Options;
use super::number::Number;
use crate::quantity::Level;
use crate::stats::paired::mcnemar_mid_p;
use crate::stats::root::{Sample, bracketed_root};
use crate::stats::sample_size;
use crate::stats::special::{binomial_upper, normal_quantile};
use crate::stats::swap_difference::smallest_detectable;
use crate::study::detect::{Bias, Question, detect, plan};

/// The power at which an effect counts as one that would have been seen.
pub const POWER: f64 = 0.8;
/// The largest number of pairs whose powers are summed for an analysis; beyond it the normal approximation is as good.
const MOST_SUMMED: u64 = 3_000;
/// The largest log-odds that are looked at.
const MOST: f64 = 50.0;

/// The smallest effect that would have been seen with [`POWER`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detectable {
    /// The effect in its unit; none where no effect can be seen.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The unit of the effect.
    pub unit: String,
    /// The same effect as a shift of the first-shown share, from one half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// How often it would have been seen.
    pub power: f64,
    /// How it was come by.
    pub method: String,
}

impl Detectable {
    /// No effect could have been seen.
    pub(super) fn none(unit: &'static str, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), unit: unit.to_owned(), power: POWER, ..Self::default() }
    }
}

const LOG_ODDS: &str = "log-odds";
const EXACT: &str =
    "power of the mid-p sign test, summed exactly at these pairs and this flip rate";
const NORMAL: &str = "normal approximation to the sign test at these pairs and this flip rate";
const NO_FLIP: &str =
    "no pair flipped: at a flip rate of 0 there is nothing that a bias could show in";

/// One way's share of the flips at a position preference.
fn one_way(effect: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-2.0 * effect))
}

/// The smallest position preference that these pairs show at this number of flips.
pub(super) fn position(pairs: u64, flips: u64, level: Level) -> Detectable {
    if pairs == 0 {
        return Detectable::none(LOG_ODDS, "no pair has a verdict in both orders");
    }
    if flips == 0 {
        return Detectable::none(LOG_ODDS, NO_FLIP);
    }
    let rate = flips as f64 / pairs as f64;
    let (value, method) = if pairs <= MOST_SUMMED {
        let question = Question { level, flip_rate: Some(rate), ..Question::about(Bias::Position) };
        (detect(&question, pairs).map(|it| it.value).map_err(|why| why.0), EXACT)
    } else {
        (by_formula(pairs, rate, level), NORMAL)
    };
    match value {
        Ok(value) => Detectable {
            value: Some(value),
            reason: None,
            unit: LOG_ODDS.to_owned(),
            share: Some(rate * (one_way(value) - 0.5)),
            power: POWER,
            method: method.to_owned(),
        },
        Err(why) => Detectable::none(LOG_ODDS, why.trim_end_matches('.')),
    }
}

/// The smallest share of pairs that must flip, all one way, for the mid-p test to reject with [`POWER`].
pub(super) fn one_way_share(pairs: u64, options: &Options) -> Detectable {
    const UNIT: &str = "share of pairs flipped one way";
    let rejects = |flips| options.settings().rejects(mcnemar_mid_p(flips, 0));
    // 2^-k is below any level long before a thousand flips.
    let least = (1..1024).find(|flips| rejects(*flips)).filter(|least| *least <= pairs);
    let Some(least) = least else {
        return Detectable::none(
            UNIT,
            "too few pairs: even if all flip one way the test does not reject",
        );
    };
    let above = |share: f64| binomial_upper(least, pairs, share) - POWER;
    let [low, high] = [0.0, 1.0].map(|x| Sample { x, y: above(x) });
    Detectable {
        value: Some(bracketed_root(low, high, 1e-12, above)),
        unit: UNIT.to_owned(),
        power: POWER,
        method: "power of the mid-p sign test where all flips go one way, summed exactly"
            .to_owned(),
        ..Detectable::default()
    }
}

fn by_formula(pairs: u64, rate: f64, level: Level) -> Result<f64, String> {
    let za = normal_quantile(0.5 + level.get() / 2.0);
    let above =
        |effect: f64| sample_size::sign_test(rate, one_way(effect), pairs as f64, za) - POWER;
    let [low, high] = [1e-9, MOST].map(|x| Sample { x, y: above(x) });
    if high.y < 0.0 {
        return Err("too few pairs flip to show any preference".to_owned());
    }
    Ok(bracketed_root(low, high, 1e-9, above))
}

/// The pairs after which a judge without a preference is called equivalent at this margin with [`POWER`].
pub(super) fn pairs_to_decide(margin: f64, rate: f64, options: &Options) -> Option<u64> {
    let question = Question {
        level: options.level,
        flip_rate: Some(rate),
        ..Question::about(Bias::Equivalence)
    };
    let Ok(answer) = plan(&question, margin) else {
        let za = normal_quantile(options.level.get());
        let size = sample_size::needed(POWER, |n| sample_size::equivalence(rate, margin, n, za));
        return whole(size);
    };
    whole(answer.value)
}

fn whole(size: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 10^15")]
    let whole = libm::ceil(size) as u64;
    (size.is_finite() && 0.0 < size && size < 1e15).then_some(whole)
}

/// The smallest effect that an estimate with this error shows, on the normal scale.
pub(super) fn by_error(number: &Number, unit: &'static str, level: Level) -> Detectable {
    let Some(se) = number.se.filter(|se| se.is_finite() && 0.0 < *se) else {
        let why = number.reason.clone().unwrap_or_else(|| "it has no standard error".to_owned());
        return Detectable::none(unit, why);
    };
    Detectable {
        value: Some(smallest_detectable(se, level.get(), POWER)),
        reason: None,
        unit: unit.to_owned(),
        share: None,
        power: POWER,
        method: "normal approximation from the standard error at hand".to_owned(),
    }
}
