//! Verdicts as real files write them, read into what the crate counts.

mod parser;
mod rows;

pub use parser::{Mode, Outcome, Parser, Tally, Vocabulary, VocabularyError};
pub use rows::{BadLine, Ballot, Grade, Grades, NO_LENGTH, Names, Read, Verdicts};
