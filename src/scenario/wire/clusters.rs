//! Cases in clusters as they are written: sizes as a list, or as words like "6 x 30".

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::quantity::{LogOdds, NonNegative, Probability};

/// Graded answers to cases that come in clusters: questions of one document or domain. The log-odds of a cluster's pass rate
/// are drawn anew for it in each replicate.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClustersWire {
    /// How many cases each cluster has: a list such as [100, 60, 40], or words such as "6 x 30" or "2 x 50, 10".
    pub sizes: Sizes,
    /// The pass rate of a middling cluster, in log-odds.
    pub mean: LogOdds,
    /// The standard deviation of these log-odds over clusters.
    pub sd: NonNegative,
    /// The pass rate that tests ask about; by default the true one over all clusters, so that their rejections are their size.
    pub claimed: Option<Probability>,
}

/// The sizes of clusters: 2 to 10,000 of them, each of 1 case or more, at most 1,000,000 together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<usize>);

const MOST_CLUSTERS: usize = 10_000;
const MOST_CASES: usize = 1_000_000;

impl Sizes {
    /// By cluster.
    pub fn get(&self) -> &[usize] {
        &self.0
    }

    fn new(sizes: Vec<usize>) -> Result<Self, String> {
        if !(2..=MOST_CLUSTERS).contains(&sizes.len()) {
            return Err(format!(
                "there are 2 to {MOST_CLUSTERS} clusters, not {}; give their sizes, such as \"6 x 30\"",
                sizes.len()
            ));
        }
        let cases = sizes.iter().fold(0_usize, |sum, size| sum.saturating_add(*size));
        if sizes.contains(&0) || MOST_CASES < cases {
            return Err(format!(
                "a cluster has 1 case or more, and all of them at most {MOST_CASES}; mend the sizes"
            ));
        }
        Ok(Self(sizes))
    }

    fn of_words(words: &str) -> Result<Self, String> {
        let mut sizes = Vec::new();
        for term in words.split(',') {
            let number = |text: &str| text.trim().parse::<usize>().ok();
            let term = term.trim();
            let read = match term.split_once(['x', '×']) {
                Some((count, size)) => number(count).zip(number(size)),
                None => number(term).map(|size| (1, size)),
            };
            let Some((count, size)) = read else {
                return Err(format!(
                    "sizes are numbers, or a number of clusters times their size, not \"{term}\"; write \"6 x 30\" or \"100, 60, 40\""
                ));
            };
            sizes.extend(std::iter::repeat_n(size, count.min(MOST_CLUSTERS + 1)));
            if MOST_CLUSTERS < sizes.len() {
                break;
            }
        }
        Self::new(sizes)
    }
}

impl JsonSchema for Sizes {
    fn schema_name() -> Cow<'static, str> {
        "Sizes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "string", "pattern": "^ *[0-9]+( *[x×] *[0-9]+)? *(, *[0-9]+( *[x×] *[0-9]+)? *)*$" },
                { "type": "array", "items": { "type": "integer", "minimum": 1 }, "minItems": 2 }
            ]
        })
    }
}

impl<'de> Deserialize<'de> for Sizes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizesVisitor)
    }
}

struct SizesVisitor;

impl<'de> Visitor<'de> for SizesVisitor {
    type Value = Sizes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of sizes, or words such as \"6 x 30\"")
    }

    fn visit_str<E: de::Error>(self, words: &str) -> Result<Sizes, E> {
        Sizes::of_words(words).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sizes, A::Error> {
        let mut sizes = Vec::new();
        while let Some(size) = list.next_element::<i64>()? {
            let rule = || format!("a cluster has 1 case or more, not {size}; mend its size");
            let size = usize::try_from(size).map_err(|_| de::Error::custom(rule()))?;
            sizes.push(size);
        }
        Sizes::new(sizes).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sizes: &str) -> Result<Vec<usize>, String> {
        let text = format!("sizes = {sizes}\nmean = 0.85\nsd = 0.35");
        let read: Result<ClustersWire, _> = toml::from_str(&text);
        read.map(|it| it.sizes.0).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn sizes_are_a_list_or_words() {
        assert_eq!(read("[3, 1, 2]"), Ok(vec![3, 1, 2]));
        assert_eq!(read("\"3x2\""), Ok(vec![2, 2, 2]));
        assert_eq!(read("\" 2 x 5, 10 , 1 × 7\""), Ok(vec![5, 5, 10, 7]));
    }

    #[test]
    fn sizes_that_cannot_be_are_told() {
        for (sizes, words) in [
            ("[]", "2 to 10000 clusters, not 0"),
            ("[30]", "not 1"),
            ("\"6 x\"", "not \"6 x\""),
            ("\"\"", "not \"\""),
            ("\"99999999999 x 3\"", "2 to 10000 clusters"),
            ("\"3 x 999999\"", "at most 1000000"),
            ("[3, 0]", "1 case or more"),
            ("[3, -1]", "not -1"),
            ("7", "a list of sizes"),
        ] {
            let told = read(sizes).unwrap_err();
            assert!(told.contains(words), "{sizes}: {told}");
        }
    }
}
