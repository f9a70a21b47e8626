//! `certify`: every method's performance in one design, and advice.

use crate::desk::{Desk, SCENARIO};

/// Certificates do not depend on the threads, agree with `run` where both speak, and say what to use.
#[test]
fn a_certificate_is_a_run_and_more() {
    let desk = Desk::with(SCENARIO);
    let told = desk.types("certify s.toml --quiet --out a --threads 1").done();
    desk.types("certify s.toml --quiet --out b --threads 2").done();
    desk.types("run s.toml --quiet --out c").done();
    let [a, b] = ["a", "b"].map(|it| desk.text(&format!("{it}/s/certificate.csv")));
    assert_eq!(a, b);
    let plain = desk.text("c/s/performance.csv");
    for line in plain.lines() {
        assert!(a.lines().any(|it| it == line), "{line}");
    }
    for measure in ["model_se", "se_ratio", "bias_eliminated_coverage", "type_s", "type_m"] {
        assert!(a.contains(&format!(",{measure},")), "{measure}");
    }
    assert!(told.contains("Use win-rate/averaged"), "{told}");
    let json = desk.types("certify s.toml --json --out d").done();
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    let advice = read["advice"].as_array().unwrap();
    assert!(advice.iter().any(|it| it["recommended"] == "win-rate/averaged"), "{advice:?}");
    assert_eq!(desk.text("d/s/certificate.json"), json);
}

/// Few clusters: the percentile bootstrap fails in every design, and a method that holds its level is named.
#[test]
fn a_certificate_of_few_clusters_names_a_method() {
    let desk = Desk::with(include_str!("../../scenarios/few-clusters.toml"));
    let told = desk.types("certify s.toml --quiet --json --replicates 800").done();
    let read: serde_json::Value = serde_json::from_str(&told).unwrap();
    let advice = read["advice"].as_array().unwrap();
    assert_eq!(advice.len(), 4);
    // With thirty clusters 800 replicates do not yet tell .065 from .05.
    for k in [0, 1, 3] {
        let because = advice[k]["because"].as_str().unwrap();
        assert!(because.contains("cluster-mean/percentile covers"), "{because}");
        let recommended = advice[k]["recommended"].as_str().unwrap();
        let sound = ["cr1", "cr2", "wild-rademacher", "wild-webb"];
        assert!(sound.iter().any(|it| recommended.ends_with(it)), "{recommended}");
    }
    assert!(!advice[3]["recommended"].as_str().unwrap().ends_with("cr1"));
}

/// Rules that are folded replicate by replicate are drawn again for the re-centred coverage: the counts must fit.
#[test]
fn folded_rules_are_certified_too() {
    let desk = Desk::with(
        "seed = 1\nreplicates = 300\n[world.sampled]\npairs = 60\nbetter = 0.5\nlength = { ratio = 2.0 }\n\
         [judges.j.pairwise]\nability = 1.0\nposition = 0.5\n[estimate]\nrules = ['joint-fit', 'kappa']\n",
    );
    desk.types("certify s.toml --quiet").done();
    let csv = desk.text("out/s/certificate.csv");
    let row = |rule: &str, measure: &str| {
        let start = format!("j,{rule},population,{measure},");
        let line = csv.lines().find(|line| line.starts_with(&start)).unwrap();
        let field = |k: usize| line.split(',').nth(k).unwrap().to_owned();
        (field(4).parse::<f64>().unwrap(), field(6))
    };
    for rule in ["joint-fit/position", "kappa/one-order"] {
        let (share, n) = row(rule, "bias_eliminated_coverage");
        assert!(0.85 < share && share < 1.0 && n == "300", "{rule}: {share} of {n}");
    }
}
