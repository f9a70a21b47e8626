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

/// Writes so many shards of the scenario `s.toml`, as that many processes would.
#[cfg(target_os = "linux")]
pub(crate) fn split_by_library(desk: &Desk, scenario: &str, shards: u64) {
    use judgelab::report::{About, Kind, Shard};
    use judgelab::scenario::{Overrides, Plan};
    use judgelab::stream::Words;
    use judgelab::study::{Part, Portion, Spans, portions, share};

    let none = Overrides::default();
    let plans = Plan::all_from_toml(None, scenario, none, &mut |_| Err("none".into())).unwrap();
    let plan = &plans[0];
    let about = About::new(["s", "s.toml", scenario], &[], none, &plans);
    let places = portions(&plan.tasks).remove(0);
    assert_eq!(places.len(), plan.tasks.len());
    let portion = Portion::new(&plan.tasks, &places, plan.seed, Words::Keyed).unwrap();
    for k in 0..shards {
        let range = share(plan.replicates, k, shards);
        let (_, gathered) = portion.simulate(&range, &plan.settings, &|_| true);
        let mut part = Part::none(places.len());
        for (task, gathered) in gathered.into_iter().enumerate() {
            part.add(task, range.clone(), gathered).unwrap();
        }
        let spans = Spans::from(range.clone());
        let shard = Shard { kind: Kind::Shard, about: about.clone(), spans, parts: vec![part] };
        let name = format!("out/s/shards/{:010}-{:010}.shard", range.start, range.end);
        desk.put(&name, shard.bytes());
    }
}
