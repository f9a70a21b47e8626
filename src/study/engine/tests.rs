//! The engine against a plain reading of its addresses: every word drawn and every judge asked one by one.

use super::*;
use crate::evidence::{Answers, Asked, Item, Verdict};
use crate::protocol::Task;
use crate::scenario::Plan;
use crate::stream::normal;

fn word(key: &Key, replicate: u64) -> u32 {
    let mut word = [0];
    Words::Keyed.fill(key, replicate, &mut word);
    word[0]
}

/// The sums of a reading in one replicate.
fn plain(task: &Task, gold: bool, reading: &Reading, seed: u64, replicate: u64) -> Sums {
    let (design, protocol) = (&task.design, &task.design.protocol);
    let mut sums = Sums::default();
    for (case, it) in design.world.cases.iter().enumerate() {
        let of = |purpose| word(&Address::root(seed, purpose).at("case", &it.id).key(), replicate);
        let kind = &design.world.kinds[it.kind];
        let truth = kind.gap.drawn(of(kind.gap.purpose()));
        let state = State::new(truth, kind.length.drawn(of(Purpose::Length)), kind.marks);
        let shown = if of(Purpose::WhichOrder) < 1 << 31 { Order::Ab } else { Order::Ba };
        let mut all = Vec::new();
        for (seat, judge) in design.seats.iter().enumerate() {
            let key = match &judge.opinion {
                Opinion::Own(name) => Address::root(seed, Purpose::Taste).at("judge", name),
                Opinion::Shared(name) => Address::root(seed, Purpose::Taste).at("opinion", name),
            };
            let key = key.at("case", &it.id).key();
            let taste = match &judge.taste {
                Taste::None => 0.0,
                Taste::Anew => normal(word(&key, replicate)),
                Taste::Once(tastes) => tastes[case],
            };
            let lean = match judge.lean {
                Lean::Anew => normal(word(&Lean::key(seed, &judge.name), replicate)),
                Lean::At(lean) => lean,
            };
            let mood = Mood { taste, lean };
            let mut answers = Answers::default();
            for order in protocol
                .orders()
                .iter()
                .filter(|it| protocol.asked != Asked::Random || **it == shown)
            {
                let law = design.chances_in(seat, &state, mood, *order).thresholds();
                for repeat in 0..protocol.repeats {
                    let word =
                        word(&verdict_key(seed, &judge.name, &it.id, *order, repeat), replicate);
                    let reached =
                        law.0.iter().filter(|threshold| **threshold <= u64::from(word)).count();
                    let says = [Verdict::First, Verdict::Tie, Verdict::Second, Verdict::Invalid];
                    answers = answers.plus(*order, says[reached]);
                }
            }
            all.push(protocol.combined(answers));
        }
        sums = sums.plus((reading.step)(&Item {
            answers: &all,
            gold: gold.then_some(state.label()),
            stratum: kind.marks.stratum,
            length: state.length.total_cmp(&0.0),
            share: 0,
        }));
    }
    sums
}

fn check(text: &str, replicates: Range<u64>) {
    let plan = Plan::from_toml(text, &mut |_| Err(String::new()))
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let job = |task: &Task| Job::new(task.design.clone(), task.estimators.clone(), false).unwrap();
    let engine = Engine::new(plan.seed, Words::Keyed, plan.tasks.iter().map(job).collect());
    let samples = engine.block(&replicates);
    for ((task, job), sample) in plan.tasks.iter().zip(&engine.jobs).zip(&samples) {
        for (k, reading) in job.readings.iter().enumerate() {
            for (r, replicate) in replicates.clone().enumerate() {
                let plain = plain(task, job.book.has_marks(), reading, plan.seed, replicate);
                assert_eq!(
                    sample.sums(job, k, r),
                    plain,
                    "{} of {} in {replicate}: {text}",
                    reading.name,
                    task.judge
                );
            }
        }
    }
}

const WORLDS: [&str; 6] = [
    "better = 0.7",
    "better = \"even\"\nlength = { ratio = 2.0 }",
    "quality = { sd = 0.8, gap = 0.3, margin = 0.4 }",
    "quality = { sd = 0.8, margin = 0.4 }\nlength = { log-normal = 0.5 }",
    "quality = { sd = 1.0, levels = 5000 }\nlength = { ratio = 2.0 }",
    "quality = { sd = 1.0, levels = 3 }\nlength = { log-normal = 0.5 }",
];

const JUDGES: [&str; 8] = [
    "pairwise]\nability = 1.5\nposition = 0.8",
    "pairwise]\nability = -1.0\nposition = -0.6\nties = 0.7\ninvalid = 0.1\ntaste = 1.0\ntaste-drawn = \"anew\"",
    "pairwise]\nability = 0.6\nlink = \"probit\"\ntaste = 0.8\ntaste-drawn = \"once\"",
    "pairwise]\nability = 0.3\nposition = 0.2\nlink = \"clipped-linear\"\nties = 0.4\ntaste = 0.2\ntaste-drawn = \"anew\"",
    "pairwise]\nability = 40\nself = 0.5\nown = \"B\"\ninvalid = 0.05",
    "scripted]\nsays = \"worse\"",
    "pairwise]\nability = 1.0\nposition = 0.3\nposition-sd = 0.8",
    "pairwise]\nability = 0.5\nposition-sd = 0.5\nlink = \"probit\"\nties = 0.3\ntaste = 0.7\ntaste-drawn = \"anew\"",
];

/// Every judge in every world, alone and against a third party, in all protocols. Laws that a cell only bounds decide
/// as the judge does, and so do judges that share columns.
#[test]
fn every_verdict_is_the_one_at_its_address() {
    for (k, world) in WORLDS.iter().enumerate() {
        let names = (0..JUDGES.len()).map(|j| format!("[judges.j{j}.{}\n", JUDGES[j]));
        let judges: String = names.collect();
        let length = if world.contains("length") { ["length = 0.4"; 2] } else { [""; 2] };
        let judges =
            judges.replacen("position = 0.8", &format!("position = 0.8\n{}", length[0]), 1);
        let judges = judges.replacen("ties = 0.4", &format!("ties = 0.4\n{}", length[1]), 1);
        for (protocol, rules) in [
            (
                "orders = \"both\"",
                "rules = [\"flip-rate\", \"accuracy\", \"kappa\", \"self-preference\"]\nthird-party = \"j1\"",
            ),
            ("orders = \"random\"\nrepeats = 2", "rules = [\"first-share\"]"),
            (
                "orders = \"both\"\nrepeats = 2",
                "rules = [\"first-share\"]\n[vary]\n\"world.sampled.pairs\" = [2, 4]",
            ),
        ] {
            let world = format!("[world.sampled]\npairs = 4\n{world}\n");
            let text =
                format!("seed = {k}\n{world}{judges}[protocol]\n{protocol}\n[estimate]\n{rules}\n");
            check(&text, 1000..1150);
        }
    }
}

/// Opinions that judges share, and labels that went stale.
#[test]
fn shared_opinions_and_stale_labels_are_drawn_at_their_addresses() {
    let judge = |name: &str, taste: &str| {
        format!("[judges.{name}.pairwise]\nability = 1.0\ntaste = {taste}\nopinion = \"house\"\n")
    };
    let judges = format!("{}{}", judge("a", "1.0"), judge("b", "0.5\nties = 0.4"));
    let own = "[judges.house.pairwise]\nability = 1.0\ntaste = 1.0\n";
    for drawn in ["anew", "once"] {
        let world = format!("[world.sampled]\npairs = 5\nbetter = 0.7\ndrawn = \"{drawn}\"\n");
        let rules = "rules = [\"panel\", \"win-rate\"]\npanel = [\"a\", \"house\", \"b\"]\n";
        check(&format!("{world}{judges}{own}[estimate]\n{rules}"), 1000..1150);
        let world = format!(
            "[world.graded]\ncases = 9\nrates = [0.6, 0.8]\nstale = 0.3\ndrawn = \"{drawn}\"\n"
        );
        let judges =
            "[judges.j.pointwise]\nby = \"label\"\n[judges.k.pointwise]\nagreement = 0.9\n";
        check(&format!("{world}{judges}[estimate]\nrules = [\"grading\"]\n"), 1000..1150);
    }
}

/// A world of many laws leaves no room to cut, and every verdict is asked.
#[test]
fn many_laws_are_decided_one_by_one() {
    let judge =
        "[judges.j.pairwise]\nability = 1.0\nties = 0.5\ntaste = 1.0\ntaste-drawn = \"once\"\n";
    let text = format!(
        "[world.sampled]\npairs = 9000\nquality = {{ sd = 1.0 }}\n{judge}[estimate]\nrules = [\"flip-rate\"]\n"
    );
    check(&text, 7..10);
}
