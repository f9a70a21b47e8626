//! Scores beside human scores, systems by strength, two prompts on the same pairs, margins: small drawn files whose figures
//! were computed again in Python (`NumPy`, `SciPy`, statsmodels; CR2 cluster by cluster from its definition).

use super::drawn;
use super::typed::{analyze, at, holds};

/// The paired t test of `SciPy`, Krippendorff's alpha from its definition over all pairs of values with a jackknife over cases,
/// least squares with CR2.
#[test]
fn scores_beside_human_scores() {
    let json = analyze(&drawn::scores(), &["--gold", "human", "--json"]).json();
    assert_eq!(at(&json, "/binary"), false);
    holds(
        &json,
        "/judges/0/comparisons/0/difference",
        &[
            ("value", -0.208_333_333),
            ("low", -0.890_112_698),
            ("high", 0.473_446_032),
            ("p", 0.533_538_493),
        ],
        2e-8,
    );
    let scores = "/judges/0/scores";
    holds(
        &json,
        &format!("{scores}/leniency"),
        &[("value", 0.4375), ("low", 0.143_411_396), ("high", 0.731_588_604), ("p", 0.005_324_572)],
        2e-8,
    );
    holds(
        &json,
        &format!("{scores}/krippendorff_alpha"),
        &[
            ("value", 0.622_248_085),
            ("se", 0.079_932_165),
            ("low", 0.456_895_803),
            ("high", 0.787_600_366),
        ],
        2e-8,
    );
    for (key, want) in [
        (
            "length_slope",
            [0.449_626_423, 0.236_298_615, -0.069_411_574, 0.968_664_421, 0.083_111_740],
        ),
        (
            "human_length_slope",
            [-0.073_540_762, 0.191_521_324, -0.494_223_908, 0.347_142_385, 0.708_190_599],
        ),
        (
            "beyond_human",
            [0.523_167_185, 0.124_615_468, 0.249_445_043, 0.796_889_327, 0.001_436_991],
        ),
    ] {
        let keys = ["value", "se", "low", "high", "p"];
        let want: Vec<(&str, f64)> = keys.into_iter().zip(want).collect();
        holds(&json, &format!("{scores}/{key}"), &want, 2e-7);
    }
    // (1.959964 + .841621) errors.
    holds(
        &json,
        &format!("{scores}/smallest_detectable"),
        &[("value", 2.801_585_218 * 0.124_615_468)],
        1e-6,
    );
}

const ROBIN: [([f64; 3], [f64; 3]); 4] = [
    (
        [-0.056_087_395, -0.389_504_314, 0.277_329_524],
        [-0.172_490_818, -0.574_782_705, 0.229_801_070],
    ),
    ([0.145_255_537, -0.121_317_809, 0.411_828_884], [0.290_096_768, 0.033_828_545, 0.546_364_990]),
    ([0.468_427_836, 0.016_451_780, 0.920_403_891], [0.611_066_539, 0.109_585_977, 1.112_547_101]),
    (
        [-0.557_595_978, -0.963_002_232, -0.152_189_723],
        [-0.728_672_489, -1.177_395_061, -0.279_949_916],
    ),
];

/// A logistic fit of statsmodels on the contrasts of the systems, with slot and length and without; strengths about their mean.
#[test]
fn systems_by_strength_with_the_biases_and_without() {
    let json = analyze(&drawn::robin(), &["--json"]).json();
    let ranking = "/judges/0/ranking";
    assert_eq!(at(&json, &format!("{ranking}/held")), &serde_json::json!(["position", "length"]));
    let keys = ["value", "low", "high"];
    for (place, system) in [(0, 2), (1, 1), (2, 0), (3, 3)] {
        let path = format!("{ranking}/systems/{place}");
        assert_eq!(at(&json, &format!("{path}/system")), &format!("s{system}"));
        let (plain, held) = ROBIN[system];
        for (name, want) in [("strength", plain), ("strength_held", held)] {
            let want: Vec<(&str, f64)> = keys.into_iter().zip(want).collect();
            holds(&json, &format!("{path}/{name}"), &want, 2e-6);
        }
    }
    holds(
        &json,
        &format!("{ranking}/position"),
        &[
            ("value", 0.855_650_999),
            ("se", 0.149_334_984),
            ("low", 0.540_214_928),
            ("high", 1.171_087_070),
        ],
        2e-6,
    );
    holds(
        &json,
        &format!("{ranking}/length"),
        &[("value", 0.579_984_858), ("se", 0.160_575_525), ("p", 0.003_396_155)],
        2e-6,
    );
    assert_eq!(at(&json, &format!("{ranking}/parts")), 1);
}

/// From the same fit: the chance that goes with the difference of two strengths.
#[test]
fn what_systems_win_at_equal_length() {
    let want = [
        ("s0", "s1", [0.386_372_157, 0.266_179_561, 0.522_214_884, 0.094_452_033]),
        ("s0", "s2", [0.313_553_701, 0.173_698_350, 0.498_131_262, 0.048_072_995]),
        ("s0", "s3", [0.635_568_593, 0.476_539_173, 0.769_639_298, 0.088_763_795]),
        ("s1", "s2", [0.420_439_425, 0.289_909_777, 0.563_131_942, 0.254_667_246]),
        ("s1", "s3", [0.734_732_796, 0.613_667_645, 0.828_464_401, 0.001_272_707]),
        ("s2", "s3", [0.792_447_021, 0.615_596_332, 0.901_017_341, 0.004_715_560]),
    ];
    let robin = drawn::robin();
    let json = analyze(&robin, &["--json"]).json();
    let length = "/judges/0/length";
    assert!(at(&json, &format!("{length}/length_controlled_win_rate/value")).is_null());
    let keys = ["value", "low", "high", "p"];
    for (k, (of, against, want)) in want.into_iter().enumerate() {
        let path = format!("{length}/length_controlled/{k}");
        assert_eq!(at(&json, &format!("{path}/of")), of);
        assert_eq!(at(&json, &format!("{path}/against")), against);
        let want: Vec<(&str, f64)> = keys.into_iter().zip(want).collect();
        holds(&json, &format!("{path}/rate"), &want, 2e-6);
    }
    // Each against s3 alone.
    let json = analyze(&robin, &["--baseline", "s3", "--json"]).json();
    let all = at(&json, &format!("{length}/length_controlled")).as_array().unwrap();
    let of: Vec<_> = all.iter().map(|it| [&it["of"], &it["against"]]).collect();
    assert_eq!(of, [["s0", "s3"], ["s1", "s3"], ["s2", "s3"]]);
    holds(&json, &format!("{length}/length_controlled/2/rate"), &[("value", 0.792_447_021)], 2e-6);
    let said = analyze(&robin, &["--baseline", "s9"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(
        said.err.starts_with("--baseline s9: no system of the files has this name"),
        "{said:?}"
    );
    let told = analyze(&robin, &[]).words();
    assert!(told.contains("at equal length") && told.contains("strengths add up"), "{told}");
}

/// A fifth system that loses everything, and two more that met nobody else: no strength is finite between the sets, which is said.
#[test]
fn winless_and_disconnected_systems_are_said() {
    let mut csv = drawn::robin();
    for item in 0..18 {
        for (shown, said) in
            [("s0,z", "first"), ("z,s0", "second"), ("x,y", "first"), ("y,x", "first")]
        {
            csv += &format!("{item},{shown},{said},100,100\n");
        }
    }
    let said = analyze(&csv, &["--json"]).json();
    let ranking = "/judges/0/ranking";
    assert_eq!(at(&said, &format!("{ranking}/parts")), 2);
    assert_eq!(at(&said, &format!("{ranking}/winless")), &serde_json::json!(["z"]));
    let groups = at(&said, &format!("{ranking}/groups")).as_array().unwrap();
    assert!(groups.contains(&serde_json::json!(["x", "y"])), "{groups:?}");
    assert!(groups.contains(&serde_json::json!(["s0", "s1", "s2", "s3"])), "{groups:?}");
    // Within their group the four keep their strengths.
    let systems = at(&said, &format!("{ranking}/systems")).as_array().unwrap();
    let two = systems.iter().find(|it| it["system"] == "s2").unwrap();
    assert!((two["strength"]["value"].as_f64().unwrap() - ROBIN[2].0[0]).abs() < 2e-6, "{two}");
    let alone = systems.iter().find(|it| it["system"] == "z").unwrap();
    assert!(
        alone["strength"]["value"].is_null() && alone["strength"]["reason"].is_string(),
        "{alone}"
    );
    let told = analyze(&csv, &[]).words();
    assert!(told.contains("2 sets between which nothing was asked"), "{told}");
    assert!(told.contains("z never won"), "{told}");
}

/// Paired t tests of `SciPy`, the influence of each pair on 1/2 ln(FF/SS), and a stacked logistic fit with CR2.
#[test]
fn two_prompts_on_the_same_pairs() {
    let csv = drawn::prompts();
    let json = analyze(&csv, &["--json"]).json();
    let two = "/between/0";
    assert_eq!(at(&json, &format!("{two}/judges")), &serde_json::json!(["long", "short"]));
    assert_eq!(at(&json, &format!("{two}/pairs")), 80);
    let power = 2.801_585_218;
    for (key, unit, want) in [
        (
            "first_share",
            "share",
            [0.1875, 0.043_003_348, 0.101_903_976, 0.273_096_024, 0.000_038_801],
        ),
        ("accuracy", "share", [-0.05, 0.040_370_123, -0.130_354_720, 0.030_354_720, 0.219_183_657]),
        (
            "position",
            "log-odds",
            [1.237_668_599, 0.318_661_779, 0.613_102_988, 1.862_234_210, 0.000_102_770],
        ),
        (
            "length",
            "log-odds per doubling",
            [0.217_662_578, 0.144_282_533, -0.075_772_496, 0.511_097_653, 0.140_826_871],
        ),
    ] {
        let path = format!("{two}/{key}");
        let keys = ["value", "se", "low", "high", "p"];
        let numbers: Vec<(&str, f64)> = keys.into_iter().zip(want).collect();
        holds(&json, &path, &numbers, 2e-6);
        holds(&json, &format!("{path}/smallest_detectable"), &[("value", power * want[1])], 1e-5);
        assert_eq!(at(&json, &format!("{path}/smallest_detectable/unit")), unit);
    }
    let told = analyze(&csv, &[]).words();
    for effect in ["first-shown share", "position", "length", "right verdicts"] {
        assert!(told.contains(&format!("long short {effect}")), "{effect}: {told}");
    }
}

/// Pairs by their two orders: the first slot twice, the second twice, a twice, b twice.
fn swaps(counts: [u32; 4]) -> String {
    let mut csv = "pair,first,second,verdict\n".to_owned();
    let said = [["first", "first"], ["second", "second"], ["first", "second"], ["second", "first"]];
    let kinds = counts.iter().zip(said).flat_map(|(times, said)| (0..*times).map(move |_| said));
    for (pair, [ab, ba]) in kinds.enumerate() {
        csv += &format!("{pair},a,b,{ab}\n{pair},b,a,{ba}\n");
    }
    csv
}

/// The two binomial tails of `SciPy`, half of the observed count each; the pairs after which the power of that pair of tests,
/// summed over flips and their directions, first reaches .8.
#[test]
fn biased_equivalent_or_undecided() {
    for (counts, margin, claim, p, pairs) in [
        ([30, 2, 34, 34], "0.1", "biased", 0.971_904_615, None),
        ([12, 9, 40, 39], "0.1", "equivalent", 0.0, None),
        ([14, 9, 19, 18], "0.05", "undecided", 0.410_040_366, Some(321)),
    ] {
        let csv = swaps(counts);
        let json = analyze(&csv, &["--margin", margin, "--json"]).json();
        let path = "/judges/0/position/margin";
        assert_eq!(at(&json, &format!("{path}/claim")), claim, "{counts:?}");
        holds(&json, path, &[("equivalence_p", p)], 2e-8);
        let told = analyze(&csv, &["--margin", margin]).words();
        assert!(told.contains(&format!("it is {claim}:")), "{told}");
        if let Some(pairs) = pairs {
            holds(&json, &format!("{path}/pairs_to_decide"), &[("value", f64::from(pairs))], 0.0);
            assert!(told.contains(&format!("about {pairs} pairs at this flip rate")), "{told}");
        }
        let stops = |what: &str| analyze(&csv, &["--margin", margin, "--fail-on", what]).code;
        assert_eq!(stops("position"), Some(i32::from(claim == "biased")));
        assert_eq!(stops("position,undecided"), Some(i32::from(claim != "equivalent")));
    }
}

/// Three sets: 12, 1 and 5 pairs flip to the first slot and 0, 0 and 4 to the second. The mid-p values are 2^-12, 1/2 and (by hand,
/// 9 of which 4: (1 - P[4])) .753906; Holm and BH of the three.
#[test]
fn strata_are_a_family() {
    let mut csv = "pair,first,second,verdict,category\n".to_owned();
    for (set, counts) in [("x", [12, 0]), ("y", [1, 0]), ("z", [5, 4])] {
        let mut pair = 0;
        for (times, said) in counts.into_iter().zip(["first", "second"]) {
            for _ in 0..times {
                csv += &format!("{set}{pair},a,b,{said},{set}\n{set}{pair},b,a,{said},{set}\n");
                pair += 1;
            }
        }
        for _ in 0..6 {
            csv += &format!("{set}{pair},a,b,first,{set}\n{set}{pair},b,a,second,{set}\n");
            pair += 1;
        }
    }
    let json = analyze(&csv, &["--json"]).json();
    let p = [1.0 / 4096.0, 0.5, 0.753_906_25];
    let holm = [3.0 / 4096.0, 1.0, 1.0];
    let bh = [3.0 / 4096.0, 0.75, 0.753_906_25];
    for k in 0..3 {
        let path = format!("/judges/0/strata/{k}");
        holds(&json, &path, &[("holm", holm[k]), ("bh", bh[k])], 1e-12);
        holds(&json, &format!("{path}/position"), &[("mid_p", p[k])], 1e-12);
    }
}

/// Ten pairs asked three times in each order: the same replies three times over leave errors and tests where they were.
#[test]
fn repeats_are_not_counted_as_more_pairs() {
    let mut once = "pair,first,second,verdict,repeat\n".to_owned();
    let mut thrice = once.clone();
    for pair in 0..20 {
        let [ab, ba] = match pair {
            0..8 => ["first", "first"],
            8..10 => ["second", "second"],
            10..16 => ["first", "second"],
            _ => ["second", "first"],
        };
        for repeat in 1..=3 {
            let rows = format!("{pair},a,b,{ab},{repeat}\n{pair},b,a,{ba},{repeat}\n");
            thrice += &rows;
            if repeat == 1 {
                once += &rows;
            }
        }
    }
    let [one, three] = [once, thrice].map(|csv| analyze(&csv, &["--json"]).json());
    let position = "/judges/0/position";
    for key in ["valid_pairs", "first_first", "second_second", "consistent", "mid_p", "exact_p"] {
        let path = format!("{position}/{key}");
        assert_eq!(at(&one, &path), at(&three, &path));
    }
    // 1/2 ln 4 with the error 1/2 sqrt(1/8 + 1/2), clustered by pair: CR0, for which three times the answers are one.
    let beta =
        |json: &serde_json::Value| at(json, &format!("{position}/beta/value")).as_f64().unwrap();
    assert!(
        (beta(&one) - libm::log(2.0)).abs() < 1e-12
            && (beta(&three) - libm::log(2.0)).abs() < 1e-12
    );
    let error = at(&three, &format!("{position}/beta/se")).as_f64().unwrap();
    assert!((0.9..1.2).contains(&(error / (0.5 * libm::sqrt(0.625)))), "{error}");
    for key in ["low", "high"] {
        let path = format!("{position}/flip_rate/{key}");
        let [one, three] = [&one, &three].map(|it| at(it, &path).as_f64().unwrap());
        assert!((one - three).abs() < 0.05, "{key}: {one} and {three}");
    }
    assert_eq!(at(&three, "/judges/0/repetition/unanimous"), 40);
}
