//! Verdicts as real files write them, read into what the crate counts.

mod contents;
mod merge;
mod options;
mod parser;
mod read;
mod rows;

pub use contents::{Coded, Contents, Counts, Format, Known, Mistake};
pub use options::{Coding, Labels, Options, Role};
pub use parser::{Mode, Outcome, Parser, Tally, Vocabulary, VocabularyError};
pub use read::read;
pub use rows::{BadLine, Ballot, Grade, Grades, NO_LENGTH, Names, Read, Verdicts};
