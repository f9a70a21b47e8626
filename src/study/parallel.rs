//! Blocks on all cores, or one after the other where there are no threads. This is the only file that names rayon.

use std::ops::Range;

/// Folds blocks with `add` (none to stop) and merges what the folds gave. Merging is exact and knows no order, so the
/// result does not depend on how the blocks were spread.
#[cfg(feature = "parallel")]
pub(super) fn fold<T: Send>(
    blocks: Vec<Range<u64>>,
    start: impl Fn() -> T + Sync + Send,
    add: impl Fn(T, Range<u64>) -> Option<T> + Sync + Send,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> Option<T> {
    use rayon::prelude::*;
    blocks.into_par_iter().try_fold(&start, add).try_reduce(&start, |a, b| Some(merge(a, b)))
}

/// Folds blocks with `add` (none to stop).
#[cfg(not(feature = "parallel"))]
pub(super) fn fold<T>(
    blocks: Vec<Range<u64>>,
    start: impl Fn() -> T,
    add: impl Fn(T, Range<u64>) -> Option<T>,
    _merge: impl Fn(T, T) -> T,
) -> Option<T> {
    blocks.into_iter().try_fold(start(), add)
}

/// What `f` gives for each item, in order.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(f).collect()
}

/// What `f` gives for each item, in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, R>(items: Vec<T>, f: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}
