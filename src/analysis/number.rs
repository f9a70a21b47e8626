//! A number of an analysis: its value or the reason why there is none, its interval, and how both were come by.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::estimators::{Estimate, Estimator, Limits, Scale, Undefined};
use crate::stats::interval::Interval;

/// A number with its uncertainty, or why it cannot be estimated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// The estimate; none where it cannot be given.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub se: Option<f64>,
    /// The lower limit; minus infinity, null in JSON, where nothing bounds it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "finite",
        deserialize_with = "low"
    )]
    pub low: Option<f64>,
    /// The upper limit; infinity, null in JSON, where nothing bounds it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "finite",
        deserialize_with = "high"
    )]
    pub high: Option<f64>,
    /// The two-sided p-value of its null value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// The interval and the test, with their paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

/// JSON has no infinity: a limit that bounds nothing is null.
#[expect(clippy::ref_option, reason = "the form that serde asks for")]
fn finite<S: Serializer>(limit: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    limit.filter(|it| it.is_finite()).serialize(to)
}

/// A lower limit that is null bounds nothing; one that is missing was never given.
fn low<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::deserialize(from)?.or(Some(f64::NEG_INFINITY)))
}

/// An upper limit in the same way.
fn high<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::deserialize(from)?.or(Some(f64::INFINITY)))
}

impl Number {
    /// What cannot be estimated.
    #[must_use]
    pub fn none(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::default() }
    }

    /// A value without an interval: exact, or with its uncertainty elsewhere.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        Self { value: Some(value), ..Self::default() }
    }

    /// A value, or why there is none.
    #[must_use]
    pub fn of(value: Result<f64, &'static str>) -> Self {
        match value {
            Ok(value) => Self::exact(value),
            Err(why) => Self::none(why),
        }
    }

    /// With an interval.
    #[must_use]
    pub fn within(mut self, interval: Interval) -> Self {
        (self.low, self.high) = (Some(interval.low), Some(interval.high));
        self
    }

    /// With a standard error.
    #[must_use]
    pub fn with_se(mut self, se: f64) -> Self {
        self.se = Some(se);
        self
    }

    /// With the p-value of its null value.
    #[must_use]
    pub fn with_p(mut self, p: f64) -> Self {
        self.p = Some(p);
        self
    }

    /// With the way it was come by.
    #[must_use]
    pub fn by(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// What a rule says.
    #[must_use]
    pub fn estimate(rule: &Estimator, it: &Estimate) -> Self {
        let Limits { low, high, p } = it.limits;
        let number = match it.value {
            Ok(value) => Self::exact(value),
            Err(Undefined(why)) => Self::none(why),
        };
        // A t interval of a share may reach beyond what a share can be.
        let cut = |limit: f64| match rule.scale {
            Scale::Share if limit.is_finite() => limit.clamp(0.0, 1.0),
            _ => limit,
        };
        Self { low: Some(cut(low)), high: Some(cut(high)), p: p.ok(), ..number }.by(rule.method)
    }

    /// Whether its interval leaves a value out on one side.
    #[must_use]
    pub fn excludes(&self, null: f64) -> bool {
        self.low.is_some_and(|low| null < low) || self.high.is_some_and(|high| high < null)
    }
}
