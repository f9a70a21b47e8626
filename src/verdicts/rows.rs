//! The rows of verdict files, as numbers and places in lists of names: no text of an answer is kept.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::evidence::Verdict;

/// A length that the file does not give.
pub const NO_LENGTH: u32 = u32::MAX;

/// Distinct names, in the order in which they were first read.
///
/// All names lie in one text, one behind the other: millions of them take little more than their letters.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Places with the hashes of their names: looked up, never iterated.
    places: HashTable<(u32, u32)>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.ends) == (&other.text, &other.ends)
    }
}

impl Eq for Names {}

/// The hash of a name: the same in every run.
#[expect(clippy::cast_possible_truncation, reason = "half of a hash is one too")]
fn hash(name: &[u8]) -> u32 {
    FixedState::default().hash_one(name) as u32
}

/// Half a hash, spread over the bits of which a table takes the upper ones and the lower ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Names {
    /// The place of a name, which is added where it is new.
    ///
    /// # Panics
    ///
    /// Never below 2^32 distinct names.
    pub fn place(&mut self, name: &str) -> u32 {
        let hashed = hash(name.as_bytes());
        self.find_hashed(name.as_bytes(), hashed).unwrap_or_else(|| self.insert(name, hashed))
    }

    fn insert(&mut self, name: &str, hashed: u32) -> u32 {
        let place = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct names");
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.places.insert_unique(spread(hashed), (place, hashed), |it| spread(it.1));
        place
    }

    /// The place of a name that was read.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name.as_bytes(), hash(name.as_bytes()))
    }

    /// The place of a name, given as bytes, which is added where it is new; it may be one of those that are looked at first.
    /// None for a new name that is empty or not UTF-8.
    pub(super) fn place_near(&mut self, name: &[u8], near: [u32; 2]) -> Option<u32> {
        let is = |place: &u32| (*place as usize) < self.len() && self.bytes(*place) == name;
        if let Some(place) = near.into_iter().find(is) {
            return Some(place);
        }
        let hashed = hash(name);
        self.find_hashed(name, hashed).or_else(|| {
            let name = str::from_utf8(name).ok().filter(|it| !it.is_empty())?;
            Some(self.insert(name, hashed))
        })
    }

    fn find_hashed(&self, name: &[u8], hashed: u32) -> Option<u32> {
        let same = |it: &(u32, u32)| it.1 == hashed && self.bytes(it.0) == name;
        self.places.find(spread(hashed), same).map(|it| it.0)
    }

    fn bytes(&self, place: u32) -> &[u8] {
        &self.text.as_bytes()[range(&self.ends, place)]
    }

    /// The name at a place; empty where there is none.
    #[must_use]
    pub fn name(&self, place: u32) -> &str {
        if (place as usize) < self.len() { &self.text[range(&self.ends, place)] } else { "" }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// In the order in which they were first read.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|place| {
            let start = place.checked_sub(1).map_or(0, |it| self.ends[it]);
            &self.text[start..self.ends[place]]
        })
    }
}

/// Where the name at a place that there is lies in the text.
fn range(ends: &[usize], place: u32) -> Range<usize> {
    let place = place as usize;
    place.checked_sub(1).map_or(0, |it| ends[it])..ends[place]
}

/// One verdict on two answers that were shown one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The line on which its record starts, from 1 (the number of the record in a JSON array).
    pub line: u32,
    /// The item: the question that both systems answered. Place in [`Verdicts::items`].
    pub item: u32,
    /// The system shown first. Place in [`Verdicts::systems`].
    pub first: u32,
    /// The system shown second.
    pub second: u32,
    /// The judge. Place in [`Verdicts::judges`].
    pub judge: u32,
    /// The stratum of the item. Place in [`Verdicts::strata`], whose first name is empty.
    pub stratum: u32,
    /// Which of several askings of the same presentation this was. Place in [`Verdicts::repeats`], whose first name is empty.
    pub repeat: u32,
    /// The length of the answer shown first, in the file's unit, or [`NO_LENGTH`].
    pub length_first: u32,
    /// The length of the answer shown second, or [`NO_LENGTH`].
    pub length_second: u32,
    /// What the judge said, in slots.
    pub verdict: Verdict,
    /// What the gold label (people, a key) says, in the slots of this row; `Invalid` where there is none.
    pub gold: Verdict,
}

/// Verdicts on pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts {
    /// Item names.
    pub items: Names,
    /// System names.
    pub systems: Names,
    /// Judge names.
    pub judges: Names,
    /// Stratum names; place 0 is the empty name of files without strata.
    pub strata: Names,
    /// Repeat names; place 0 is the empty name of files without repeats.
    pub repeats: Names,
    /// The rows, in file order.
    pub ballots: Vec<Ballot>,
}

/// One grade of one answer: pass or fail, or a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// The line on which its record starts, from 1.
    pub line: u32,
    /// The item. Place in [`Grades::items`].
    pub item: u32,
    /// The system that answered. Place in [`Grades::systems`]; 0 where the file names none.
    pub system: u32,
    /// The judge. Place in [`Grades::judges`].
    pub judge: u32,
    /// The stratum. Place in [`Grades::strata`].
    pub stratum: u32,
    /// The repeat or epoch. Place in [`Grades::repeats`].
    pub repeat: u32,
    /// The length of the answer, or [`NO_LENGTH`].
    pub length: u32,
    /// The judge's grade: 1 for pass and 0 for fail in pass/fail files; not a number where the reply was none.
    pub score: f64,
    /// The human label on the same scale; not a number where none was bought.
    pub label: f64,
}

/// Grades of single answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grades {
    /// Item names.
    pub items: Names,
    /// System names; one empty name where the file names none.
    pub systems: Names,
    /// Judge names.
    pub judges: Names,
    /// Stratum names; place 0 is the empty name.
    pub strata: Names,
    /// Repeat names; place 0 is the empty name.
    pub repeats: Names,
    /// The rows, in file order.
    pub grades: Vec<Grade>,
    /// Whether every grade is pass or fail.
    pub binary: bool,
}

/// What a file held.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// Comparisons of two answers.
    Pairs(Verdicts),
    /// Grades of single answers.
    Grades(Grades),
}

/// A line that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The line, from 1.
    pub line: u64,
    /// The offending text, shortened.
    pub value: String,
    /// The rule it breaks.
    pub rule: String,
}
