//! An analysis as it is recorded: every number that a sentence, a table or a chart shows, to be drawn again from it alone.

use serde::{Deserialize, Serialize};

use super::page;
use crate::analysis::{Analysis, Graded, Source};

/// The version of the shape of an analysis' `report.json`.
const SCHEMA_VERSION: u32 = 1;
/// What the record of comparisons is called.
const COMPARISONS: &str = "comparisons";
/// What the record of grades is called.
const GRADES: &str = "grades";

/// An analysis and the version that made it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The version of the laboratory.
    pub version: String,
    /// What was found.
    pub found: Found,
}

/// What was found in files of verdicts.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Of comparisons.
    Comparisons(Box<Analysis>),
    /// Of grades.
    Grades(Box<Graded>),
}

/// What a record says of itself.
#[derive(Serialize)]
struct Written<'a, T> {
    schema_version: u32,
    kind: &'static str,
    version: &'a str,
    #[serde(flatten)]
    analysis: &'a T,
}

/// The same, read: a report of a simulated study has no kind.
#[derive(Deserialize)]
struct Head {
    schema_version: u32,
    kind: String,
    version: String,
}

impl From<Analysis> for Recorded {
    fn from(it: Analysis) -> Self {
        Self::new(Found::Comparisons(Box::new(it)))
    }
}

impl From<Graded> for Recorded {
    fn from(it: Graded) -> Self {
        Self::new(Found::Grades(Box::new(it)))
    }
}

impl Recorded {
    fn new(found: Found) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), found }
    }

    /// The JSON text, indented, with a line feed at the end. Limits that bound nothing are null.
    #[must_use]
    pub fn json(&self) -> String {
        match &self.found {
            Found::Comparisons(it) => self.written(COMPARISONS, it.as_ref()),
            Found::Grades(it) => self.written(GRADES, it.as_ref()),
        }
    }

    fn written(&self, kind: &'static str, analysis: &impl Serialize) -> String {
        let it = Written { schema_version: SCHEMA_VERSION, kind, version: &self.version, analysis };
        format!("{}\n", serde_json::to_string_pretty(&it).unwrap_or_default())
    }

    /// Whether a JSON text is the record of an analysis.
    #[must_use]
    pub fn is_in(text: &str) -> bool {
        serde_json::from_str::<Head>(text)
            .is_ok_and(|it| [COMPARISONS, GRADES].contains(&it.kind.as_str()))
    }

    /// The analysis of a JSON text that this version has written.
    ///
    /// # Errors
    /// What is wrong with the text, and what to do.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| {
            format!(
                "line {}: this is no analysis of judgelab ({error}); analyze the files again",
                error.line()
            )
        };
        let head: Head = serde_json::from_str(text).map_err(wrong)?;
        if head.schema_version != SCHEMA_VERSION {
            return Err(format!(
                "the analysis has shape {} and this judgelab reads shape {SCHEMA_VERSION}; use the version that wrote it, or analyze the files again",
                head.schema_version
            ));
        }
        let found = if head.kind == GRADES {
            Found::Grades(serde_json::from_str(text).map_err(wrong)?)
        } else {
            Found::Comparisons(serde_json::from_str(text).map_err(wrong)?)
        };
        Ok(Self { version: head.version, found })
    }

    /// The page, whole.
    #[must_use]
    pub fn page(&self) -> String {
        page::page(self)
    }

    /// The charts.
    #[cfg(feature = "charts")]
    #[must_use]
    pub fn pictures(&self) -> Vec<crate::report::Picture> {
        super::pictures::pictures(&self.found)
    }

    /// The files that were read.
    #[must_use]
    pub fn files(&self) -> &[Source] {
        match &self.found {
            Found::Comparisons(it) => &it.files,
            Found::Grades(it) => &it.files,
        }
    }

    /// The confidence level.
    #[must_use]
    pub fn level(&self) -> f64 {
        match &self.found {
            Found::Comparisons(it) => it.level,
            Found::Grades(it) => it.level,
        }
    }
}
