//! Numbers that cannot be wrong: each is checked once, where it enters, and never again.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Declares a checked number: its range, its sentence and its JSON Schema stand side by side.
macro_rules! checked {
    ($(#[$doc:meta])* $name:ident, $ok:expr, $rule:literal, $schema:tt) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// Checks the range.
            ///
            /// # Errors
            /// A sentence that names the rule, the value and the remedy.
            pub fn new(value: f64) -> Result<Self, String> {
                let ok: fn(f64) -> bool = $ok;
                if ok(value) { Ok(Self(value)) } else { Err(format!($rule, value)) }
            }

            /// The number itself.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = String;
            fn try_from(value: f64) -> Result<Self, String> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(it: $name) -> f64 {
                it.0
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

checked!(
    /// A probability, 0 to 1, both ends included.
    Probability,
    |p| (0.0..=1.0).contains(&p),
    "a probability lies between 0 and 1, not {}; give a share, not a percentage",
    { "type": "number", "minimum": 0, "maximum": 1 }
);

checked!(
    /// A coefficient in log-odds (or in the units of its link), within -50 to 50: beyond that every verdict is certain.
    LogOdds,
    |x| (-50.0..=50.0).contains(&x),
    "a coefficient in log-odds lies between -50 and 50, not {}; beyond that every verdict is certain",
    { "type": "number", "minimum": -50, "maximum": 50 }
);

checked!(
    /// A number of score points, within -100 to 100: a base, a difference in quality, a slope per doubling.
    Points,
    |x| (-100.0..=100.0).contains(&x),
    "a number of score points lies between -100 and 100, not {}; scores themselves lie between 0 and 10",
    { "type": "number", "minimum": -100, "maximum": 100 }
);

checked!(
    /// A positive, finite number of at most 10^6.
    Positive,
    |x| 0.0 < x && x <= 1e6,
    "this number is above 0 and at most 1000000, not {}; give a positive number",
    { "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000 }
);

checked!(
    /// A number of at least 0 and at most 10^6: a spread, a margin, a weight.
    NonNegative,
    |x| (0.0..=1e6).contains(&x),
    "this number is at least 0 and at most 1000000, not {}; give 0 or a positive number",
    { "type": "number", "minimum": 0, "maximum": 1_000_000 }
);

checked!(
    /// A confidence level, above one half and below 1; tests reject when p <= 1 - level.
    Level,
    |x| 0.5 < x && x < 1.0,
    "a confidence level lies above 0.5 and below 1, not {}; 0.95 is the usual choice",
    { "type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1 }
);

impl Level {
    /// The usual level, .95.
    pub const USUAL: Self = Self(0.95);

    /// The level of the test that goes with the interval: 1 - level.
    #[must_use]
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }
}

impl Probability {
    /// Never.
    pub const ZERO: Self = Self(0.0);
    /// As often as not.
    pub const HALF: Self = Self(0.5);
}

impl LogOdds {
    /// No effect.
    pub const ZERO: Self = Self(0.0);
}

impl Positive {
    /// Ten.
    pub const TEN: Self = Self(10.0);
}

impl Points {
    /// No effect.
    pub const ZERO: Self = Self(0.0);
}

impl NonNegative {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_range_is_told_the_rule_and_the_remedy() {
        for value in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
            let told = Probability::new(value).unwrap_err();
            assert!(
                told.contains("between 0 and 1") && told.contains(&value.to_string()),
                "{told}"
            );
        }
        assert!(LogOdds::new(-50.0).is_ok() && LogOdds::new(50.1).is_err());
        assert!(Positive::new(0.0).is_err() && NonNegative::new(0.0).is_ok());
        assert!(Level::new(0.5).is_err() && Level::new(1.0).is_err() && Level::new(0.95).is_ok());
    }
}
