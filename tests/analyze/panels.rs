//! Three judges or more without a label, by the model of Dawid and Skene: steps of expectation and maximisation and the
//! jackknife over 50 groups of items, dealt in turn, were programmed again in `NumPy`.

use serde_json::Value;

use super::drawn;
use super::typed::{analyze, at, holds};

const KEYS: [&str; 4] = ["value", "se", "low", "high"];

fn check(json: &Value, path: &str, want: [f64; 4]) {
    let want: Vec<(&str, f64)> = KEYS.into_iter().zip(want).collect();
    holds(json, path, &want, 2e-6);
}

#[test]
fn three_judges_and_the_label() {
    let csv = drawn::panel(false);
    let json = analyze(&csv, &["--gold", "gold", "--json"]).json();
    let latent = "/panel/without_labels";
    assert_eq!(at(&json, &format!("{latent}/classes")), &serde_json::json!(["A", "B"]));
    assert_eq!(at(&json, &format!("{latent}/cases")), 240);
    check(
        &json,
        &format!("{latent}/prevalence/0"),
        [0.694_356_18, 0.088_896_87, 0.515_711_23, 0.873_001_13],
    );
    for (judge, accuracy, sensitivity, specificity, label) in [
        (
            0,
            [0.837_617_94, 0.047_408_66, 0.742_346_68, 0.932_889_21],
            [0.818_125_35, 0.058_691_12, 0.700_181_13, 0.936_069_58],
            [0.881_900_86, 0.128_439_26, 0.623_792_50, 1.0],
            [0.873_239_437, 0.785_714_286],
        ),
        (
            1,
            [0.747_075_29, 0.045_854_23, 0.654_927_76, 0.839_222_83],
            [0.701_919_88, 0.052_567_82, 0.596_280_88, 0.807_558_88],
            [0.849_658_57, 0.088_595_00, 0.671_620_25, 1.0],
            [0.767_605_634, 0.806_122_449],
        ),
        (
            2,
            [0.742_763_02, 0.037_129_68, 0.668_148_14, 0.817_377_90],
            [0.758_822_27, 0.047_768_48, 0.662_827_92, 0.854_816_61],
            [0.706_279_90, 0.084_330_08, 0.536_812_26, 0.875_747_53],
            [0.788_732_394, 0.632_653_061],
        ),
    ] {
        let path = format!("{latent}/judges/{judge}");
        check(&json, &format!("{path}/accuracy"), accuracy);
        check(&json, &format!("{path}/sensitivity"), sensitivity);
        check(&json, &format!("{path}/specificity"), specificity);
        holds(&json, &format!("{path}/sensitivity_to_label"), &[("value", label[0])], 1e-8);
        holds(&json, &format!("{path}/specificity_to_label"), &[("value", label[1])], 1e-8);
    }
    let told = analyze(&csv, &["--gold", "gold"]).words();
    assert!(
        told.contains("Nothing here contradicts that assumption, which proves little"),
        "{told}"
    );
    assert!(told.contains("says A of A") && told.contains("B by the label"), "{told}");
}

/// A third judge that says what the second says: the model takes both for infallible, agreement cannot tell, and the label does.
#[test]
fn a_copy_is_taken_for_the_truth_and_the_label_contradicts() {
    let csv = drawn::panel(true);
    let json = analyze(&csv, &["--gold", "gold", "--json"]).json();
    let latent = "/panel/without_labels";
    check(
        &json,
        &format!("{latent}/prevalence/0"),
        [0.533_333_33, 0.040_517_33, 0.451_910_71, 0.614_755_95],
    );
    check(
        &json,
        &format!("{latent}/judges/0/accuracy"),
        [0.670_833_33, 0.029_262_18, 0.612_028_78, 0.729_637_88],
    );
    for judge in [1, 2] {
        let it = at(&json, &format!("{latent}/judges/{judge}/accuracy"));
        assert!((it["value"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{it}");
        assert!(it["method"].as_str().unwrap().contains("no error can be given"), "{it}");
    }
    let closest = at(&json, &format!("{latent}/closest"));
    assert!(closest["reason"].as_str().unwrap().contains("fourth judge"), "{closest}");
    let told = analyze(&csv, &["--gold", "gold"]).words();
    assert!(told.contains("That assumption is contradicted"), "{told}");
    let bare = analyze(&csv.replace(",gold\n", ",note\n"), &[]).words();
    assert!(bare.contains("no label tests it"), "{bare}");
}

/// With a fourth judge agreement tells. The model still takes the copies for infallible; so the other two, who see the truth each
/// by itself, agree on more than it predicts: z 4.268275 of 240 presentations, of half as many pairs, six tests by Holm.
#[test]
fn a_fourth_judge_shows_shared_errors() {
    let mut csv = drawn::panel(true);
    let mut draws = drawn::Draws::new(9);
    let rows: Vec<String> =
        csv.lines().filter(|it| it.contains(",x,")).map(str::to_owned).collect();
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let gold = cells[5];
        let wrong = if gold == "a" { "b" } else { "a" };
        let said = if draws.share() < 0.85 { gold } else { wrong };
        csv += &format!("{},w,{},{},{said},{gold}\n", cells[0], cells[2], cells[3]);
    }
    let json = analyze(&csv, &["--json"]).json();
    let closest = at(&json, "/panel/without_labels/closest");
    assert_eq!(closest["judges"], serde_json::json!(["x", "w"]));
    holds(
        &json,
        "/panel/without_labels/closest",
        &[("observed", 0.7125), ("predicted", 0.576_357_887), ("p", 6.0 * 0.002_543_427_8)],
        2e-8,
    );
    let told = analyze(&csv, &[]).words();
    assert!(told.contains("That assumption is contradicted: x and w agree in 0.7125"), "{told}");
}

/// Pass and fail with some replies missing.
#[test]
fn grades_of_three_judges() {
    let csv = drawn::grades();
    let json = analyze(&csv, &["--json"]).json();
    let panel = "/without_labels/0/panel";
    assert_eq!(at(&json, &format!("{panel}/classes")), &serde_json::json!(["pass", "fail"]));
    check(
        &json,
        &format!("{panel}/prevalence/0"),
        [0.689_079_03, 0.089_610_51, 0.508_999_98, 0.869_158_09],
    );
    check(
        &json,
        &format!("{panel}/judges/1/sensitivity"),
        [0.761_785_73, 0.057_207_84, 0.646_822_27, 0.876_749_19],
    );
    check(
        &json,
        &format!("{panel}/judges/2/specificity"),
        [0.600_785_58, 0.093_126_89, 0.413_640_08, 0.787_931_08],
    );
    let told = analyze(&csv, &[]).words();
    assert!(told.contains("the truth is pass 0.689 [0.509, 0.869]"), "{told}");
    assert!(told.contains("says pass of pass"), "{told}");
}

/// A judge without an answer for a system has no errors there, wherever it stands in the list.
#[test]
fn a_silent_judge_is_left_out() {
    let mut draws = drawn::Draws::new(3);
    let mut csv = "case,system,judge,grade\n".to_owned();
    for case in 0..60 {
        let truth = draws.share() < 0.6;
        for judge in ["a", "b", "c", "d", "e"] {
            let right = draws.share() < 0.85;
            let grade = if right == truth { "pass" } else { "fail" };
            // Of system s the second and the last judge say nothing.
            let systems: &[&str] = if ["b", "e"].contains(&judge) { &["t"] } else { &["s", "t"] };
            for system in systems {
                csv += &format!("{case},{system},{judge},{grade}\n");
            }
        }
    }
    let json = analyze(&csv, &["--json"]).json();
    let names = |k: usize| -> Vec<Value> {
        let judges = at(&json, &format!("/without_labels/{k}/panel/judges")).as_array().unwrap();
        judges.iter().map(|it| it["judge"].clone()).collect()
    };
    assert_eq!(names(0), ["a", "c", "d"]);
    assert_eq!(names(1).len(), 5);
    // Systems that nobody asked about graded are not told of.
    let some = analyze(&(csv + "1,u,f,pass\n"), &["--judge", "a,b,c", "--json"]).json();
    let systems = at(&some, "/without_labels").as_array().unwrap();
    assert!(systems.iter().all(|it| it["system"] != "u"), "{systems:?}");
}
