//! A run that is split, interrupted or killed ends in the bytes of the run that was left alone.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "shards/damaged.rs"]
mod damaged;
#[path = "cli/desk.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod desk;
#[path = "shards/interrupted.rs"]
mod interrupted;
#[path = "shards/split.rs"]
mod split;
#[path = "shards/submitted.rs"]
mod submitted;

use desk::Desk;

/// Scores of words: every rule is looked at replicate by replicate.
pub(crate) const SHEET: &str = "\
seed = 11
replicates = 300
[world.rated]
cases = 12
gap = 0.5
[judges.r.scoring]
base = 3.0
noise = 0.8
[estimate]
rules = ['rating']
";

/// Several studies of different length, one of them with a wide reading that is folded and one on a table.
pub(crate) const SEVERAL: &str = "\
seed = 5
[world.sampled]
pairs = 14
better = 0.75
[judges.fair.pairwise]
ability = 2.5
[studies.short]
replicates = 90
estimate = { rules = ['flip-rate'] }
[studies.folded]
replicates = 400
estimate = { rules = ['win-rate', 'position-effect'], target = 'world' }
[studies.on-table]
replicates = 250
world = { table = { file = 'cases.csv', systems = ['A', 'B'] } }
estimate = { rules = ['accuracy'] }
";

/// Asserts that two folders hold the same files with the same bytes.
#[track_caller]
pub(crate) fn same(desk: &Desk, a: &str, b: &str) {
    let files = desk.files(a);
    assert!(!files.is_empty() && files == desk.files(b), "{files:?} and {:?}", desk.files(b));
    for file in files {
        assert!(desk.bytes(&format!("{a}/{file}")) == desk.bytes(&format!("{b}/{file}")), "{file}");
    }
}
