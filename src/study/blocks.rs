//! Ranges of replicates: cut into blocks, and gathered from pieces.

use std::ops::Range;

/// A range cut at multiples of the block, so that blocks do not depend on where a range starts.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    range: Range<u64>,
    size: u64,
}

impl Blocks {
    /// A range in blocks of at most so many replicates.
    pub(super) fn new(range: &Range<u64>, size: u64) -> Self {
        Self { range: range.clone(), size }
    }

    /// Where a block begins; the end of the range for one behind the last.
    pub(super) fn begin(&self, block: u64) -> u64 {
        let at = (self.range.start / self.size).saturating_add(block).saturating_mul(self.size);
        at.clamp(self.range.start, self.range.end.max(self.range.start))
    }

    /// A block by its number; none behind the last.
    pub(super) fn at(&self, block: u64) -> Option<Range<u64>> {
        let block = self.begin(block)..self.begin(block.saturating_add(1));
        (!block.is_empty()).then_some(block)
    }

    /// All blocks, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        (0..).map_while(|block| self.at(block))
    }
}

/// Replicates: disjoint ranges in ascending order, none of them empty, with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans(Vec<Range<u64>>);

impl From<Range<u64>> for Spans {
    fn from(range: Range<u64>) -> Self {
        Self(if range.is_empty() { Vec::new() } else { vec![range] })
    }
}

impl Spans {
    /// The ranges.
    #[must_use]
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.0
    }

    /// How many replicates there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|it| it.end - it.start).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of both.
    ///
    /// # Errors
    /// Replicates that both hold.
    pub fn with(&self, other: &Self) -> Result<Self, Range<u64>> {
        let mut all = Vec::with_capacity(self.0.len() + other.0.len());
        all.extend_from_slice(&self.0);
        all.extend_from_slice(&other.0);
        all.sort_unstable_by_key(|it| it.start);
        if let Some(pair) = all.windows(2).find(|it| it[1].start < it[0].end) {
            return Err(pair[1].start..pair[0].end.min(pair[1].end));
        }
        Ok(Self::joined(all))
    }

    /// Ranges in ascending order that do not overlap; neighbours are joined.
    #[must_use]
    pub fn joined(ranges: impl IntoIterator<Item = Range<u64>>) -> Self {
        let mut joined: Vec<Range<u64>> = Vec::new();
        for next in ranges {
            match joined.last_mut() {
                Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
                _ => joined.push(next),
            }
        }
        Self(joined)
    }

    /// Those of a range that are not here.
    #[must_use]
    pub fn missing(&self, of: Range<u64>) -> Self {
        let mut gaps = Vec::new();
        let mut from = of.start;
        for it in self.within(of.clone()).0 {
            if from < it.start {
                gaps.push(from..it.start);
            }
            from = it.end;
        }
        if from < of.end {
            gaps.push(from..of.end);
        }
        Self(gaps)
    }

    /// Those that lie in a range.
    #[must_use]
    pub fn within(&self, range: Range<u64>) -> Self {
        let cut = self.0.iter().map(|it| it.start.max(range.start)..it.end.min(range.end));
        Self(cut.filter(|it| !it.is_empty()).collect())
    }
}

/// As one reads it: `0..2048, 4096..5000`.
impl std::fmt::Display for Spans {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (k, it) in self.0.iter().enumerate() {
            write!(f, "{}{}..{}", if k == 0 { "" } else { ", " }, it.start, it.end)?;
        }
        Ok(())
    }
}

/// The k-th of n ranges, from 0, that split so many replicates evenly, in whole blocks where these are many.
#[must_use]
pub fn share(replicates: u64, k: u64, n: u64) -> Range<u64> {
    /// Blocks a range, so that the ranges are even to an eighth.
    const EVEN: u64 = 8;
    let mut block = super::engine::BLOCK;
    while 1 < block && replicates.div_ceil(block) < n.saturating_mul(EVEN) {
        block /= 2;
    }
    let blocks = u128::from(replicates.div_ceil(block));
    let cut = |k: u64| {
        let before = blocks * u128::from(k) / u128::from(n.max(1));
        u64::try_from(before * u128::from(block)).map_or(replicates, |it| it.min(replicates))
    };
    cut(k)..cut(k.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_on_the_grid_and_cover_the_range() {
        let blocks: Vec<_> = Blocks::new(&(5..20), 8).iter().collect();
        assert_eq!(blocks, [5..8, 8..16, 16..20]);
        assert_eq!(Blocks::new(&(8..8), 8).iter().count(), 0);
        let blocks = Blocks::new(&(5..20), 8);
        assert_eq!([0, 1, 3, 9].map(|it| blocks.begin(it)), [5, 8, 20, 20]);
    }

    #[test]
    fn spans_join_and_tell_what_is_missing() {
        let of = |ranges: &[Range<u64>]| {
            ranges.iter().fold(Spans::default(), |all, it| all.with(&it.clone().into()).unwrap())
        };
        let spans = of(&[20..30, 0..10, 10..15]);
        assert_eq!(spans.ranges(), [0..15, 20..30]);
        assert_eq!((spans.count(), spans.to_string()), (25, "0..15, 20..30".to_owned()));
        assert_eq!(spans.missing(5..40).ranges(), [15..20, 30..40]);
        assert_eq!(spans.within(12..25).ranges(), [12..15, 20..25]);
        assert_eq!(spans.with(&(14..21).into()), Err(14..15));
        assert_eq!(spans.with(&(29..50).into()), Err(29..30));
        assert!(spans.missing(2..3).is_empty() && of(&[]).is_empty());
    }

    #[test]
    fn shares_are_even_and_cover_all() {
        for (replicates, n) in [(100_000, 5), (2000, 16), (7, 7), (10, 3), (1_000_000_000, 10_000)]
        {
            let shares: Vec<_> = (0..n).map(|k| share(replicates, k, n)).collect();
            assert!(shares.windows(2).all(|it| it[0].end == it[1].start));
            assert_eq!((shares[0].start, shares.last().unwrap().end), (0, replicates));
            let sizes = shares.iter().map(|it| it.end - it.start);
            let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
            assert!(
                0 < least && most <= (least + least / 4).max(least + 1),
                "{n}: {least}, {most}"
            );
        }
        assert_eq!(share(100_000, 1, 5), 19_456..39_936);
    }
}
