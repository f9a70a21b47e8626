//! Cells and judges share columns and change nothing by it: every cell of a grid, and every judge of a study, has the very
//! evidence that it has alone.

#![allow(clippy::unwrap_used)]

mod support;

use support::{plan, simulate};

const BASE: &str = r#"
seed = 5
replicates = 600
[world.sampled]
pairs = 9
WORLD
[judges.j.pairwise]
JUDGE
[protocol]
PROTOCOL
[estimate]
rules = ["first-share", "win-rate"]
"#;

fn text(world: &str, judge: &str, protocol: &str) -> String {
    BASE.replace("WORLD", world).replace("JUDGE", judge).replace("PROTOCOL", protocol)
}

/// The worlds that laws may be shared in: by one level, by levels, one by one.
const WORLDS: [&str; 4] = [
    "better = \"even\"",
    "better = 0.7\nlength = { ratio = 2.0 }",
    "quality = { sd = 1.0, levels = 16 }",
    "quality = { sd = 1.0, margin = 0.2 }\nlength = { log-normal = 0.5 }",
];

#[test]
fn a_cell_is_what_it_is_alone() {
    let judge =
        "ability = 1.1\nposition = 0.6\nself = 0.7\nown = \"A\"\nfamily = 0.4\nown-family = \"x\"";
    let families = "families = [\"x\", \"y\"]";
    let varied: [(&str, &str, &[&str]); 12] = [
        ("protocol.repeats", "repeats = 1", &["1", "3", "2"]),
        (
            "world.sampled.families",
            families,
            &["[\"x\", \"y\"]", "[\"y\", \"x\"]", "[\"x\", \"x\"]"],
        ),
        ("protocol.combine", "combine = \"each\"", &["\"majority\"", "\"each\""]),
        (
            "protocol.orders",
            "orders = \"both\"",
            &["\"one\"", "\"both\"", "\"random\"", "\"other\""],
        ),
        ("judges.j.pairwise.taste", "ability = 1.1", &["0.0", "1.0", "0.0001"]),
        ("judges.j.pairwise.taste-drawn", "ability = 1.1", &["\"once\"", "\"anew\""]),
        ("judges.j.pairwise.ties", "ability = 1.1", &["0.0", "0.5", "0.1"]),
        ("judges.j.pairwise.invalid", "ability = 1.1", &["0.1", "0.0"]),
        (
            "judges.j.pairwise.link",
            "ability = 1.1",
            &["\"probit\"", "\"logistic\"", "\"clipped-linear\""],
        ),
        ("judges.j.pairwise.position", "ability = 1.1", &["-0.3", "0.6", "2.0"]),
        ("world.sampled.pairs", "ability = 1.1", &["3", "9", "4"]),
        ("world.sampled.drawn", "ability = 1.1", &["\"once\"", "\"anew\""]),
    ];
    for (k, world) in WORLDS.iter().enumerate() {
        for (path, _, values) in &varied {
            let world =
                format!("{world}\n{}", if path.ends_with("families") { "" } else { families });
            let protocol = if k % 2 == 0 { "" } else { "repeats = 2" };
            let protocol = if path.ends_with("repeats") { "" } else { protocol };
            let judge = if path.ends_with("taste-drawn") {
                format!("{judge}\ntaste = 0.8")
            } else {
                judge.to_owned()
            };
            let base = text(&world, &judge, protocol);
            let grid = plan(&format!("{base}\n[vary]\n\"{path}\" = [{}]\n", values.join(", ")));
            let together = simulate(&grid);
            for (cell, value) in values.iter().enumerate() {
                let alone = plan(&format!("{base}\n[vary]\n\"{path}\" = [{value}]\n"));
                let alone = simulate(&alone);
                let tasks: Vec<usize> =
                    (0..grid.tasks.len()).filter(|task| grid.tasks[*task].cell == cell).collect();
                assert_eq!(tasks.len(), alone.len());
                for (task, alone) in tasks.iter().zip(&alone) {
                    assert!(&together[*task] == alone, "{path} = {value} in\n{base}");
                }
            }
        }
    }
}

#[test]
fn a_judge_is_what_it_is_alone() {
    let judges = [
        "ability = 1.0\nposition = 0.5",
        "ability = 1.0\nposition = 0.5\ntaste = 1.0\ntaste-drawn = \"anew\"",
        "ability = 1.0\nposition = 0.5\ntaste = 1.0\ntaste-drawn = \"once\"\nties = 0.4\ninvalid = 0.1",
    ];
    for world in WORLDS {
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
            let tables: Vec<String> = order[1..]
                .iter()
                .map(|k| format!("\n[judges.j{k}.pairwise]\n{}\n", judges[*k]))
                .collect();
            let rest = tables.concat();
            let first = format!("{}\n{rest}", judges[order[0]]);
            let base =
                text(world, &first, "").replace("judges.j.", &format!("judges.j{}.", order[0]));
            let all = plan(&base);
            let together = simulate(&all);
            for (task, gathered) in all.tasks.iter().zip(&together) {
                let k: usize = task.judge[1..].parse().unwrap();
                let alone =
                    text(world, judges[k], "").replace("judges.j.", &format!("judges.j{k}."));
                assert!(&simulate(&plan(&alone))[0] == gathered, "judge {k} of {order:?}\n{world}");
            }
        }
    }
}
