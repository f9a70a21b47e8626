//! Makes out what a file holds, from its columns and its first records.

mod named;
mod plain;

use super::columns::Sample;
use super::layout::Layout;
use crate::verdicts::options::Options;

/// How a file is to be read; the rule and the remedy where that cannot be made out.
pub(super) fn recognise(
    sample: &Sample,
    options: &Options,
    judge: &str,
) -> Result<Layout, (String, String)> {
    if options.map.is_empty() {
        for shape in named::SHAPES {
            if let Some(layout) = shape(sample, options, judge) {
                return Ok(layout);
            }
        }
    }
    plain::recognise(sample, options, judge)
}
