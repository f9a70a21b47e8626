//! Cells: the words that draw a pair's state and a judge's opinion, cut into parts.
//!
//! What a word draws rises with the word, and a judge's thresholds rise or fall with each thing drawn. So between the
//! corners of a cell a threshold lies between its values at the corners: a verdict's word outside of them is decided by
//! one look-up, and the judge is asked only about the few words between them. The verdicts are the same, bit by bit. (The
//! squeeze of rejection samplers: Devroye 1986, Non-Uniform Random Variate Generation, section II.3.)

use crate::stream::normal;
use crate::world::{Gap, Kind, State};

/// How something that is drawn from a word is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::study) enum Axis {
    /// Into the values it may take, this many.
    Values(u32),
    /// Into 2 to this power equal parts of the words.
    Parts(u32),
}

/// The cells of a kind of case: by difference, by length ratio, then by opinion and by lean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::study) struct Axes {
    pub gap: Axis,
    pub length: Axis,
    /// Of the judges whose opinions are drawn anew.
    pub taste: Axis,
    /// Of the judges whose lean is drawn anew.
    pub lean: Axis,
}

/// What is drawn of some judge anew in each replicate.
#[derive(Clone, Copy, Debug)]
pub(in crate::study) struct Anew {
    pub taste: bool,
    pub lean: bool,
}

/// The finest cut of one axis: it leaves one verdict in a thousand to the judge.
const MOST_BITS: u32 = 10;

impl Axis {
    /// No cut: nothing is drawn.
    pub(in crate::study) const ONE: Self = Self::Values(1);

    /// How many cells it has.
    pub(in crate::study) fn cells(self) -> u32 {
        match self {
            Self::Values(n) => n,
            Self::Parts(bits) => 1 << bits,
        }
    }

    /// Moves on to the cells of this axis within the cells so far.
    pub(in crate::study) fn refine(
        self,
        cells: &mut [u32],
        words: &[u32],
        value: impl Fn(u32) -> u32,
    ) {
        for (cell, word) in cells.iter_mut().zip(words) {
            *cell = match self {
                Self::Values(n) => n * *cell + value(*word),
                Self::Parts(bits) => (*cell << bits) + part(*word, bits),
            };
        }
    }

    /// What is drawn at the two ends of each cell, or the one value of each.
    fn ends<T>(self, value: impl Fn(u32) -> T, drawn: impl Fn(u32) -> T) -> Vec<Vec<T>> {
        (0..self.cells())
            .map(|cell| match self {
                Self::Values(_) => vec![value(cell)],
                Self::Parts(bits) => {
                    let last = part(u32::MAX, 32 - bits);
                    let first = if bits == 0 { 0 } else { cell << (32 - bits) };
                    vec![drawn(first), drawn(first | last)]
                }
            })
            .collect()
    }

    /// The standard normal at the ends of each cell; `fixed` where it is not drawn anew.
    pub(in crate::study) fn normals(self, fixed: f64) -> Vec<Vec<f64>> {
        self.ends(|_| fixed, normal)
    }
}

/// The uppermost bits of a word.
fn part(word: u32, bits: u32) -> u32 {
    word.checked_shr(32 - bits).unwrap_or(0)
}

impl Axes {
    /// The axes of a kind of case, cut so that there are at most so many cells, if values leave room to cut.
    pub(in crate::study) fn new(kind: &Kind, anew: Anew, most: u32) -> Self {
        let values =
            |levels: Option<usize>| levels.and_then(|it| u32::try_from(it).ok()).map(Axis::Values);
        let (gap, length) = (values(kind.gap.levels()), values(kind.length.levels()));
        let of = |anew: bool| if anew { None } else { Some(Axis::ONE) };
        let (taste, lean) = (of(anew.taste), of(anew.lean));
        if let [Some(gap), Some(length), Some(taste), Some(lean)] = [gap, length, taste, lean] {
            return Self { gap, length, taste, lean };
        }
        // Among things that are cut, many equally probable differences are cut as well.
        let gap = gap.filter(|_| !matches!(kind.gap, Gap::Normal(_)));
        let axes = [gap, length, taste, lean];
        let values: u32 = axes.iter().flatten().map(|axis| axis.cells()).product();
        let cut = axes.iter().filter(|axis| axis.is_none()).count();
        let bits =
            (most / values).checked_ilog2().unwrap_or(0) / u32::try_from(cut).unwrap_or(1).max(1);
        let [gap, length, taste, lean] =
            axes.map(|axis| axis.unwrap_or(Axis::Parts(bits.min(MOST_BITS))));
        Self { gap, length, taste, lean }
    }

    /// Whether a cell holds one state, and one opinion and one lean of each judge.
    pub(in crate::study) fn exact(&self) -> bool {
        [self.gap, self.length, self.taste, self.lean]
            .iter()
            .all(|axis| matches!(axis, Axis::Values(_)))
    }

    /// The states at the corners of each cell.
    pub(in crate::study) fn states(&self, kind: &Kind) -> Vec<Vec<State>> {
        let gaps = self.gap.ends(|level| kind.gap.state(level), |word| kind.gap.drawn(word));
        let lengths =
            self.length.ends(|level| kind.length.state(level), |word| kind.length.drawn(word));
        let mut cells = Vec::with_capacity(gaps.len() * lengths.len());
        for gaps in &gaps {
            for lengths in &lengths {
                let corners = gaps.iter().flat_map(|truth| {
                    lengths.iter().map(|length| State::new(*truth, *length, kind.marks))
                });
                cells.push(corners.collect());
            }
        }
        cells
    }
}
