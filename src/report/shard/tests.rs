//! Shards survive their bytes; bytes that were cut or changed are refused by name.

use super::*;
use crate::stream::Words;
use crate::study::simulate;

const SCENARIO: &str = "replicates = 60\nseed = 4\n[world.table]\nfile = 'cases.csv'\nsystems = ['A', 'B']\n\
                        [judges.fair.pairwise]\nability = 2.5\n[estimate]\nrules = ['flip-rate']\n";
const CASES: &str = "id,truth_A,truth_B\np1,1,0\np2,0,1\np3,1,1\n";

fn about(overrides: Overrides) -> (About, Vec<Plan>) {
    let files = [("cases.csv".to_owned(), CASES.to_owned())];
    let plans =
        Plan::all_from_toml(None, SCENARIO, overrides, &mut |_| Ok(CASES.to_owned())).unwrap();
    (About::new(["s", "a folder/s.toml", SCENARIO], &files, overrides, &plans), plans)
}

fn shard(range: Range<u64>) -> Shard {
    let (about, plans) = about(Overrides::default());
    let plan = &plans[0];
    let gathered =
        simulate(&plan.tasks, plan.seed, Words::Keyed, range.clone(), &plan.settings, &|_| true);
    let mut part = Part::none(plan.tasks.len());
    for (task, gathered) in gathered.unwrap().into_iter().enumerate() {
        part.add(task, range.clone(), gathered).unwrap();
    }
    Shard { kind: Kind::Shard, about, spans: range.into(), parts: vec![part] }
}

#[test]
fn a_shard_survives_its_bytes_and_gives_its_plans() {
    let it = shard(10..40);
    let bytes = it.bytes();
    assert!(bytes.len() < 2000, "{}", bytes.len());
    let read = Shard::from_bytes(&bytes).unwrap();
    assert_eq!(read, it);
    assert_eq!((read.done(), read.about.most()), (1.0, 60));
    let (plans, files) = read.about.plans(&mut |_| Err("not asked".to_owned())).unwrap();
    assert_eq!((plans.len(), files[0].1.as_str()), (1, CASES));
    assert!(read.parts[0].fits(&plans[0].tasks));
    let mut none = it;
    none.about.files[0].text = None;
    assert_eq!(none.about.plans(&mut |_| Err("gone".to_owned())).unwrap_err(), "gone");
    let changed = none.about.plans(&mut |_| Ok(format!("{CASES}p4,0,0\n"))).unwrap_err();
    assert_eq!(changed, "the file \"cases.csv\" has changed since the shards were made");
}

#[test]
fn bytes_that_were_cut_or_changed_are_refused() {
    let bytes = shard(10..40).bytes();
    for cut in 0..bytes.len() {
        let why = Shard::from_bytes(&bytes[..cut]).unwrap_err();
        assert!(matches!((cut, &why), (0, Broken::Foreign) | (_, Broken::Truncated(..))), "{why}");
    }
    let why = Shard::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
    assert!(why.starts_with("it is cut short after ") && why.ends_with(" (replicates 10..40)"));
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(Shard::from_bytes(&changed).is_err(), "{at}");
    }
    let mut longer = bytes.clone();
    longer.push(b'\n');
    assert!(matches!(Shard::from_bytes(&longer), Err(Broken::Damaged(_))));
    assert_eq!(Shard::from_bytes(b"id,truth\np1,1\n"), Err(Broken::Foreign));
    let newer = b"judgelab shard 2\n{}\n";
    assert_eq!(Shard::from_bytes(newer), Err(Broken::Format("judgelab shard 2".to_owned())));
}

#[test]
fn what_differs_is_named() {
    let (ours, _) = about(Overrides::default());
    let differs = |change: &dyn Fn(&mut About)| {
        let mut other = ours.clone();
        change(&mut other);
        other.differs(&ours)
    };
    assert_eq!(differs(&|it| it.typed = "elsewhere/s.toml".to_owned()), None);
    assert_eq!(differs(&|it| it.version = "9".to_owned()).unwrap(), "version 9, not 0.1.0");
    assert_eq!(differs(&|it| it.studies[0].seed = 5).unwrap(), "seed 5, not 4");
    assert_eq!(differs(&|it| it.studies[0].replicates = 5).unwrap(), "replicates 5, not 60");
    assert!(differs(&|it| it.files[0].blake2b = "0".to_owned()).unwrap().starts_with("files "));
    assert!(differs(&|it| it.scenario_blake2b.clear()).unwrap().starts_with("scenario digest "));
    // The same seed, typed or written, is the same.
    let typed = Overrides { seed: Some(4), replicates: None };
    assert_eq!(about(typed).0.differs(&ours), None);
}

#[test]
fn merging_as_they_come_is_merging() {
    let whole = shard(0..60);
    let mut merger = Merger::default();
    for start in [30, 0, 50, 10, 40, 20] {
        merger.add(shard(start..start + 10).parts).unwrap();
    }
    assert_eq!(merger.finish().unwrap(), whole.parts);
    let mut twice = Merger::default();
    twice.add(shard(0..10).parts).unwrap();
    assert_eq!(twice.add(shard(5..15).parts), Err(5..10));
    assert_eq!(Merger::default().finish(), Ok(Vec::new()));
}
