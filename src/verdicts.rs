//! Verdicts as real files write them, read into what the crate counts.

mod parser;

pub use parser::{Mode, Outcome, Parser, Tally, Vocabulary, VocabularyError};
