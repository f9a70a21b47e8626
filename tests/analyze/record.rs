//! The record: its names for scripts, that nothing is missing without a reason, and the files of `--out`.

use std::fs;

use serde_json::Value;

use super::drawn;
use super::typed::{analyze, at, judgelab};

/// The names that scripts rely on.
const NAMES: [&str; 22] = [
    "judge",
    "pairs",
    "invalid",
    "position/first_first",
    "position/second_second",
    "position/consistent",
    "position/flip_rate/value",
    "position/flip_rate/low",
    "position/flip_rate/high",
    "position/exact_p",
    "position/mid_p",
    "position/beta/value",
    "position/beta/se",
    "position/beta/low",
    "position/beta/high",
    "position/smallest_detectable/value",
    "win_rate/averaged/value",
    "win_rate/conservative/value",
    "win_rate/majority/value",
    "win_rate/agreed/value",
    "agreement/accuracy/value",
    "length/slope/value",
];

#[test]
fn scripts_find_every_name() {
    let json = analyze(&drawn::prompts(), &["--json"]).json();
    for judge in 0..2 {
        for name in NAMES {
            let it = at(&json, &format!("/judges/{judge}/{name}"));
            assert!(it.is_number() || it.is_string(), "{name}: {it}");
        }
    }
}

/// Every value that is null has its reason beside it; what is a limit may be null, because nothing bounds it; ranks have their
/// reason with the strength, and how a file was read is no estimate.
fn reasons(it: &Value, path: &str) {
    match it {
        Value::Object(all) => {
            if all.get("value").is_some_and(Value::is_null) {
                let reason = all.get("reason").and_then(Value::as_str).unwrap_or("");
                assert!(!reason.is_empty(), "{path} has neither a value nor a reason: {it}");
            }
            for (key, inner) in all {
                let limit = ["value", "low", "high"].contains(&key.as_str());
                let optional = ["ranks", "ranks_held", "chosen", "coded", "coded_because"];
                assert!(
                    limit || optional.contains(&key.as_str()) || !inner.is_null(),
                    "{path}/{key} is null without a reason"
                );
                reasons(inner, &format!("{path}/{key}"));
            }
        }
        Value::Array(all) => {
            for (k, inner) in all.iter().enumerate() {
                assert!(!inner.is_null(), "{path}/{k} is null");
                reasons(inner, &format!("{path}/{k}"));
            }
        }
        _ => {}
    }
}

/// One pair, no reply that is a verdict, one order, one judge that always says the same: nothing can be estimated, and
/// everything says why.
#[test]
fn what_cannot_be_estimated_has_a_reason() {
    let mut files = vec![
        ("prompts", drawn::prompts()),
        ("robin", drawn::robin()),
        ("scores", drawn::scores()),
        ("grades", drawn::grades()),
        ("panel", drawn::panel(true)),
        ("one pair", "pair,first,second,verdict\n1,a,b,first\n1,b,a,first\n".to_owned()),
        ("one order", "pair,first,second,verdict\n1,a,b,first\n2,a,b,first\n".to_owned()),
        (
            "ties",
            "pair,first,second,verdict\n1,a,b,tie\n1,b,a,tie\n2,a,b,tie\n2,b,a,tie\n".to_owned(),
        ),
        ("one grade", "case,system,judge,grade,label\n1,s,j,pass,pass\n".to_owned()),
        ("one score", "case,system,judge,score\n1,s,j,3\n2,s,j,3\n".to_owned()),
    ];
    let labels = "pair,first,second,verdict,gold,length_first,length_second\n1,a,b,first,first,9,9\n1,b,a,second,second,9,9\n";
    files.push(("one label", labels.to_owned()));
    files.push((
        "nothing said",
        "pair,first,second,verdict\n1,a,b,\n1,b,a,\n2,a,b,first\n".to_owned(),
    ));
    for (name, csv) in &files {
        for more in [&[][..], &["--margin", "0.05"]] {
            let json = analyze(csv, &[&["--json"], more].concat()).json();
            reasons(&json, name);
        }
    }
}

/// The folder of `--out`: every file, and the record draws all others again, byte for byte.
#[test]
fn the_folder_is_drawn_again_from_its_record() {
    let folder = tempfile::tempdir().unwrap();
    for (name, csv, gold) in [
        ("pairs", drawn::prompts(), "gold"),
        ("panel", drawn::panel(false), "gold"),
        ("scores", drawn::scores(), "human"),
    ] {
        fs::write(folder.path().join(format!("{name}.csv")), csv).unwrap();
        let file = format!("{name}.csv");
        let out = format!("out/{name}");
        let said = judgelab(folder.path(), &["analyze", &file, "--gold", gold, "--out", &out]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let json = judgelab(folder.path(), &["analyze", &file, "--gold", gold, "--json"]);
        let at = folder.path().join(&out);
        let read = || {
            let mut all: Vec<(String, String)> = Vec::new();
            for entry in walk(&at).into_iter().filter(|it| it != "manifest.json") {
                let text = fs::read_to_string(at.join(&entry)).unwrap();
                all.push((entry, text));
            }
            all
        };
        let before = read();
        let names: Vec<&str> = before.iter().map(|it| it.0.as_str()).collect();
        for name in ["report.json", "report.html", "report.txt"] {
            assert!(names.contains(&name), "{names:?}");
        }
        assert!(names.iter().any(|it| it.contains(".svg")), "{names:?}");
        let record = before.iter().find(|it| it.0 == "report.json").unwrap();
        assert_eq!(record.1, json.out, "the record is what --json prints");
        fs::remove_file(at.join("manifest.json")).unwrap();
        for (name, _) in before.iter().filter(|it| it.0 != "report.json") {
            fs::remove_file(at.join(name)).unwrap();
        }
        let again = judgelab(folder.path(), &["report", &out]);
        assert_eq!(again.code, Some(0), "{again:?}");
        assert!(before == read(), "{name} is drawn otherwise");
    }
}

/// The files below a folder, by their paths, in order.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            all.extend(walk(&path).into_iter().map(|it| format!("{name}/{it}")));
        } else {
            all.push(name);
        }
    }
    all.sort();
    all
}
