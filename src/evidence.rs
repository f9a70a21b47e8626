//! What an analyst could observe, and nothing else: answers to a pair with the few integer sums that a rule reads, or a
//! sheet of scores.
//!
//! Nothing here knows the planted truth, a judge, or where the answers came from. What one pair adds to a rule's sums is
//! said once, in [`Reading::step`]: files add it, the engine tabulates it, the exact room convolves its law.

mod answers;
mod counted;
mod reading;
mod sheet;
mod weighted;

pub use answers::{Answers, Gold, Item, Order, Verdict, Votes};
pub use counted::Counted;
pub use reading::{Asked, Judges, LANES, Needs, Reading, Repeats, Sums};
pub use sheet::{Columns, Expected, Ruled, Sheet};
pub use weighted::Weighted;
pub(crate) use weighted::merge;
