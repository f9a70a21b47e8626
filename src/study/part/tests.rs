//! Any split of the replicates and any order of merging gives the same bytes.

use proptest::prelude::*;

use super::*;
use crate::scenario::{Overrides, Plan};
use crate::stream::Words;
use crate::study::{Portion, portions, simulate};

/// Counted rules on pairs, rules that are folded (a wide reading; worlds compared one by one), and a sheet.
const PLANS: [&str; 4] = [
    "[world.sampled]\npairs = 14\nbetter = 0.75\n[judges.a.pairwise]\nability = 2.5\nposition = 2.0\n[estimate]\n\
     rules = ['flip-rate', 'win-rate', 'position-effect']\n[vary]\n'judges.a.pairwise.position' = [0.0, 2.0]",
    "[world.sampled]\npairs = 14\nbetter = 0.75\nlength = { log-normal = 0.5 }\n[judges.a.pairwise]\nability = 2.5\n\
     position = 1.0\nlength = 0.3\n[estimate]\nrules = ['joint-fit']",
    "[world.sampled]\npairs = 14\nquality = { sd = 1.0 }\n[judges.a.pairwise]\nability = 2.5\n[estimate]\n\
     target = 'world'\nrules = ['win-rate', 'position-effect']",
    "[world.rated]\ncases = 12\ngap = 0.5\n[judges.a.scoring]\nbase = 3.0\nnoise = 0.8\n[estimate]\nrules = ['rating']",
];

const REPLICATES: u64 = 300;

fn plans() -> Vec<Plan> {
    let overrides = Overrides { seed: Some(5), replicates: Some(REPLICATES) };
    let plan = |text: &&str| {
        let plans = Plan::all_from_toml(None, text, overrides, &mut |_| Err("no file".into()));
        plans.unwrap_or_else(|mistakes| panic!("{mistakes}")).remove(0)
    };
    PLANS.iter().map(plan).collect()
}

fn part(plan: &Plan, range: Range<u64>) -> Part {
    let mut part = Part::none(plan.tasks.len());
    for places in portions(&plan.tasks) {
        let portion = Portion::new(&plan.tasks, &places, plan.seed, Words::Keyed).unwrap();
        let (end, gathered) = portion.simulate(&range, &plan.settings, &|_| true);
        for (place, gathered) in places.into_iter().zip(gathered) {
            part.add(place, range.start..end, gathered).unwrap();
        }
    }
    part
}

#[test]
fn a_part_survives_its_bytes_and_holds_what_a_run_gives() {
    for plan in plans() {
        let whole = part(&plan, 0..REPLICATES);
        let bytes = whole.bytes();
        let (read, rest) = Part::from_bytes(&bytes).unwrap();
        assert_eq!((&read, rest), (&whole, &[][..]));
        assert_eq!(whole.common_spans(), Some(Spans::from(0..REPLICATES)));
        let run = simulate(&plan.tasks, 5, Words::Keyed, 0..REPLICATES, &plan.settings, &|_| true);
        assert_eq!(whole.gathered().unwrap(), run.unwrap());
    }
}

/// A stop leaves the beginning of the range, and going on from there ends in the same bytes.
#[test]
fn a_stop_leaves_a_beginning() {
    for plan in plans() {
        let mut stopped = Part::none(plan.tasks.len());
        for places in portions(&plan.tasks) {
            let portion = Portion::new(&plan.tasks, &places, plan.seed, Words::Keyed).unwrap();
            let mut from = 0;
            while from < REPLICATES {
                let (end, gathered) =
                    portion.simulate(&(from..REPLICATES), &plan.settings, &|_| false);
                assert!(from < end);
                for (place, gathered) in places.iter().zip(gathered) {
                    stopped.add(*place, from..end, gathered).unwrap();
                }
                from = end;
            }
        }
        assert_eq!(stopped.bytes(), part(&plan, 0..REPLICATES).bytes());
    }
}

#[test]
fn replicates_are_never_counted_twice() {
    let plan = &plans()[0];
    let (a, b) = (part(plan, 0..20), part(plan, 15..30));
    assert_eq!(a.clone().merge(b), Err(15..20));
    assert_eq!(a.clone().merge(a), Err(0..20));
}

/// Bytes that are cut or changed are refused or read as some part, and nothing panics.
#[test]
fn other_bytes_are_refused() {
    for plan in plans() {
        let bytes = part(&plan, 0..40).bytes();
        for cut in 0..bytes.len().min(400) {
            assert!(Part::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len().min(400) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x15;
            let _ = Part::from_bytes(&changed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_split_in_any_order_has_the_same_bytes(
        which in 0..PLANS.len(),
        cuts in proptest::collection::btree_set(1..REPLICATES, 0..8),
        order in proptest::collection::vec(any::<prop::sample::Index>(), 10),
        through_bytes in any::<bool>(),
    ) {
        let plan = &plans()[which];
        let whole = part(plan, 0..REPLICATES).bytes();
        let ends: Vec<u64> =
            std::iter::once(0).chain(cuts).chain(std::iter::once(REPLICATES)).collect();
        let mut parts: Vec<Part> = ends.windows(2).map(|it| part(plan, it[0]..it[1])).collect();
        // Any two are merged, until one is left.
        for index in order.iter().cycle() {
            if parts.len() == 1 {
                break;
            }
            let a = parts.swap_remove(index.index(parts.len()));
            let b = parts.swap_remove(index.index(parts.len()));
            let merged = a.merge(b).unwrap();
            parts.push(if through_bytes { Part::from_bytes(&merged.bytes()).unwrap().0 } else { merged });
        }
        prop_assert_eq!(parts.pop().unwrap().bytes(), whole);
    }
}
