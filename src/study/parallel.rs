//! Blocks on all cores, or one after the other where there are no threads. This is the only file that names rayon.

use std::ops::Range;

use super::blocks::Blocks;

/// Folds blocks with `add`, which says whether to go on, and merges what the folds gave; tells up to which replicate. Every
/// thread takes the next block and finishes it, so what was done is the beginning of the range, without a gap. Merging is
/// exact and knows no order, so the result does not depend on how the blocks were spread.
#[cfg(feature = "parallel")]
pub(super) fn fold<T: Send>(
    blocks: &Blocks,
    start: impl Fn() -> T + Sync + Send,
    add: impl Fn(&mut T, Range<u64>) -> bool + Sync + Send,
    merge: impl Fn(T, T) -> T,
) -> (u64, T) {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let folds = rayon::broadcast(|_| {
        let mut fold = None;
        while !stopped.load(Ordering::Relaxed)
            && let Some(block) = blocks.at(next.fetch_add(1, Ordering::Relaxed))
        {
            if !add(fold.get_or_insert_with(&start), block) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        fold
    });
    let end = blocks.begin(next.into_inner());
    (end, folds.into_iter().flatten().reduce(merge).unwrap_or_else(start))
}

/// Folds blocks with `add`, which says whether to go on; tells up to which replicate.
#[cfg(not(feature = "parallel"))]
pub(super) fn fold<T>(
    blocks: &Blocks,
    start: impl Fn() -> T,
    add: impl Fn(&mut T, Range<u64>) -> bool,
    _merge: impl Fn(T, T) -> T,
) -> (u64, T) {
    let (mut fold, mut next) = (start(), 0);
    while let Some(block) = blocks.at(next) {
        next += 1;
        if !add(&mut fold, block) {
            break;
        }
    }
    (blocks.begin(next), fold)
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
