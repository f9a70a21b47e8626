//! The other commands, help, usage and colours.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::desk::{Desk, SCENARIO, said};

/// The scenarios that are shipped, by name.
fn shipped() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let paths = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut all: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .map(|path| {
            (
                path.file_stem().unwrap().to_str().unwrap().to_owned(),
                std::fs::read_to_string(path).unwrap(),
            )
        })
        .collect();
    all.sort();
    assert!(3 <= all.len());
    all
}

#[test]
fn the_version_names_the_stream() {
    let told = Desk::new().types("--version").done();
    assert_eq!(
        told,
        format!("judgelab {} ({})\n", env!("CARGO_PKG_VERSION"), judgelab::stream::VERSION)
    );
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli.rs");
    assert!(
        !std::fs::read_to_string(source).unwrap().contains(judgelab::stream::VERSION),
        "a second copy of the version"
    );
}

#[test]
fn nothing_typed_prints_help() {
    let said = Desk::new().types("");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    for command in ["run", "check", "detect", "plan", "list", "new", "schema", "completions", "man"]
    {
        assert!(said.err.lines().any(|line| line.trim_start().starts_with(command)), "{command}");
    }
    assert_eq!(Desk::new().types("--help").done(), said.err);
}

#[test]
fn usage_errors_are_told_and_are_2() {
    let lines = [
        "frob",
        "run",
        "check",
        "run s.toml --frob",
        "run s.toml --threads 0",
        "run s.toml --threads -1",
        "run s.toml --threads 99999999999999999999",
        "run s.toml --out",
        "completions tcsh",
        "completions",
        "list extra",
    ];
    for line in lines {
        let told = Desk::new().types(line).refused();
        assert!(told.starts_with("error: "), "{line}: {told}");
    }
    let told = Desk::new().types("run s.toml --threads 0").refused();
    assert!(
        told.contains("1 to 1024 threads can work; leave the option out for all cores"),
        "{told}"
    );
}

#[test]
fn help_is_no_wider_than_a_page() {
    let desk = Desk::new();
    for line in [
        "--help",
        "run --help",
        "run -h",
        "check --help",
        "new --help",
        "completions --help",
        "list",
    ] {
        let told = desk.types(line).done();
        let wide: Vec<&str> = told.lines().filter(|line| 100 < line.chars().count()).collect();
        assert!(wide.is_empty(), "{wide:#?}");
    }
    let told = desk.types("run --help").done();
    for option in [
        "--out <DIR>",
        "--replicates <N>",
        "--seed <N>",
        "--threads <N>",
        "--quiet",
        "--json",
        "--draws",
    ] {
        assert!(told.contains(option), "{told}");
    }
}

#[test]
fn colours_are_for_terminals_and_no_color_is_honoured() {
    let desk = Desk::new();
    assert!(!desk.types("run").err.contains('\u{1b}'));
    let forced = said(desk.command("run").env("CLICOLOR_FORCE", "1"));
    assert!(forced.err.contains('\u{1b}'), "there are colours to be silenced");
    let silenced = said(desk.command("run").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!silenced.err.contains('\u{1b}'), "{}", silenced.err);
}

#[test]
fn the_list_names_every_kind_rule_and_shipped_scenario() {
    let told = Desk::new().types("list").done();
    let first =
        |line: &str| line.strip_prefix("  ").and_then(|it| it.split(' ').next()).map(str::to_owned);
    let named: BTreeSet<String> = told.lines().filter_map(first).collect();
    for it in judgelab::estimators::ESTIMATORS {
        assert!(named.contains(&it.name()), "{}", it.name());
    }
    for (name, _) in shipped() {
        assert!(named.contains(&name), "scenario {name}: {told}");
    }
    assert!(named.contains("pairwise") && named.contains("scripted"), "{told}");
}

#[test]
fn check_says_what_a_design_tells_apart() {
    let desk = Desk::new();
    let shipped = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
        desk.types(&format!("check --design {}", path.display())).done()
    };
    let all = shipped("three-biases.toml");
    for bias in ["position", "length", "self-preference"] {
        assert!(all.contains(&format!("- {bias}: identified.")), "{all}");
    }
    assert!(shipped("swap.toml").contains("- position: identified."));
    let one = SCENARIO.replace("orders = 'both'", "orders = 'one'").replace("'flip-rate', ", "");
    desk.put("one.toml", one);
    let told = desk.types("check --design one.toml").done();
    let said = "- position: aliased with which answer is better in each pair; to separate them, ask each pair in the other order too.";
    assert!(told.replace('\n', " ").contains(said), "{told}");
}

#[test]
fn every_shipped_scenario_is_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let told = Desk::new().types(&format!("check {}", folder.display())).done();
    assert!(shipped().iter().all(|(name, _)| told.contains(&format!("/{name}.toml"))), "{told}");
}

#[test]
fn the_schema_is_one_and_knows_the_keys_of_every_shipped_scenario() {
    let told = Desk::new().types("schema").done();
    let schema: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let mut checked = 0;
    sound(&schema, &schema, &mut checked);
    assert!(20 < checked, "{checked}");
    let keys = schema["properties"].as_object().unwrap();
    for (name, text) in shipped() {
        let scenario: toml::Table = text.parse().unwrap();
        for key in scenario.keys() {
            assert!(keys.contains_key(key), "{name}: {key}");
        }
        if let Some(Value::Object(_)) = schema.pointer("/$defs/JudgeWire") {
            for judge in scenario
                .get("judges")
                .and_then(toml::Value::as_table)
                .into_iter()
                .flat_map(toml::Table::values)
            {
                let kind = judge.as_table().unwrap().keys().next().unwrap().clone();
                let kinds = schema["$defs"]["JudgeWire"]["oneOf"].as_array().unwrap();
                assert!(kinds.iter().any(|it| it["required"][0] == *kind), "{name}: {kind}");
            }
        }
    }
}

/// Every reference of a schema leads somewhere, every type is one, every required key is described.
fn sound(whole: &Value, part: &Value, checked: &mut usize) {
    match part {
        Value::Array(all) => all.iter().for_each(|it| sound(whole, it, checked)),
        Value::Object(keys) => {
            if let Some(to) = keys.get("$ref") {
                let to = to.as_str().unwrap().strip_prefix('#').unwrap();
                assert!(whole.pointer(to).is_some(), "{to}");
                *checked += 1;
            }
            let types = ["object", "array", "string", "number", "integer", "boolean", "null"];
            let one = |it: &Value| it.as_str().is_none_or(|it| types.contains(&it));
            match keys.get("type") {
                Some(Value::Array(all)) => assert!(all.iter().all(one), "{part}"),
                Some(it) => assert!(one(it), "{part}"),
                None => {}
            }
            if let (Some(Value::Array(required)), Some(Value::Object(known))) =
                (keys.get("required"), keys.get("properties"))
            {
                assert!(
                    required.iter().all(|it| known.contains_key(it.as_str().unwrap())),
                    "{part}"
                );
            }
            keys.values().for_each(|it| sound(whole, it, checked));
        }
        _ => {}
    }
}

#[test]
fn completions_and_the_manual_name_every_option() {
    let desk = Desk::new();
    for (shell, sign) in
        [("bash", "complete -F"), ("zsh", "#compdef judgelab"), ("fish", "complete -c judgelab")]
    {
        let told = desk.types(&format!("completions {shell}")).done();
        assert!(
            told.contains(sign) && told.contains("replicates") && told.contains("schema"),
            "{shell}: {told}"
        );
    }
    let told = desk.types("man").done();
    assert!(told.starts_with(".ie") || told.starts_with(".TH judgelab"), "{told}");
    for name in
        ["JUDGELAB RUN", "JUDGELAB CHECK", "JUDGELAB NEW", "\\-\\-replicates", "\\-\\-draws", "130"]
    {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(!told.contains("judgelab\\-run(1)"), "the manual has one page: {told}");
}
