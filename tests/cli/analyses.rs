//! `judgelab analyze --out` and `judgelab report`: the page, the charts and the text of an analysis follow from its record.

use std::fmt::Write as _;
use std::fs;

use crate::desk::Desk;

/// Verdicts of some judges on `pairs` pairs in both orders; each by its own pattern of `first`, `second`, `tie`, `?`.
fn verdicts(judges: &[(String, &str)], pairs: usize) -> String {
    let mut out = String::from("item,judge,first,second,verdict,len_first,len_second,gold\n");
    for (name, pattern) in judges {
        let said: Vec<&str> = pattern.split(' ').collect();
        for pair in 0..pairs {
            for (order, [one, other]) in [["A", "B"], ["B", "A"]].iter().enumerate() {
                let verdict = said[(2 * pair + order) % said.len()];
                let lengths = [100 + 7 * pair, 130 + 5 * pair];
                let gold = if pair % 3 == 0 { "B" } else { "A" };
                let quoted = name.replace('"', "\"\"");
                let [long, short] = [lengths[order], lengths[1 - order]];
                let _ = writeln!(
                    out,
                    "{pair},\"{quoted}\",{one},{other},{verdict},{long},{short},{gold}"
                );
            }
        }
    }
    out
}

fn redrawn(desk: &Desk, out: &str) {
    // The manifest names what was read and written, and is no drawing.
    let mut names = desk.files(out);
    names.retain(|it| it != "manifest.json");
    fs::create_dir_all(desk.path("again")).unwrap();
    fs::copy(desk.path(&format!("{out}/report.json")), desk.path("again/report.json")).unwrap();
    desk.types("report again --quiet").done();
    assert_eq!(desk.files("again"), names);
    for name in &names {
        assert!(
            desk.bytes(&format!("{out}/{name}")) == desk.bytes(&format!("again/{name}")),
            "{name}"
        );
    }
}

const MIXED: &str = "first second first first tie second second first ? first first second";

#[test]
fn an_analysis_is_drawn_again_from_its_record_alone() {
    let desk = Desk::new();
    let judges = [("one".to_owned(), MIXED), ("always".to_owned(), "first")];
    desk.put("v.csv", verdicts(&judges, 20));
    let told = desk.types("analyze v.csv --out out --margin 0.1").done();
    let names = [
        "length.svg",
        "manifest.json",
        "position.svg",
        "report.html",
        "report.json",
        "report.txt",
        "swap-cells.svg",
    ];
    assert_eq!(desk.files("out"), names);
    assert!(desk.types("report out").done() == told);
    redrawn(&desk, "out");
    // All flips of the second judge go one way: its interval has no upper end, and is an arrow.
    let chart = desk.text("out/position.svg");
    assert!(chart.contains("only a bound is known") && chart.contains("<polygon"), "{chart}");
    let cells = desk.text("out/swap-cells.svg");
    assert!(cells.contains(">FF 20</text>"), "{cells}");
    let page = desk.text("out/report.html");
    for part in [
        "What do 2 judges do in v.csv, and what could have been seen?",
        "What this could not see",
        "How the files were read",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn strange_names_and_undefined_numbers_are_a_page() {
    let desk = Desk::new();
    let long = "x".repeat(80);
    let names = ["<script>alert(1)</script>", "a&b\"", &long];
    let mut judges: Vec<(String, &str)> =
        names.iter().map(|it| ((*it).to_owned(), MIXED)).collect();
    judges.extend((3..30).map(|k| (format!("judge {k}"), "first second")));
    desk.put("many.csv", verdicts(&judges, 9));
    desk.put("one.csv", verdicts(&judges[3..4], 1));
    for name in ["many", "one"] {
        desk.types(&format!("analyze {name}.csv --out {name}")).done();
        redrawn(&desk, name);
        fs::remove_dir_all(desk.path("again")).unwrap();
        let page = desk.text(&format!("{name}/report.html"));
        assert!(page.ends_with("</html>\n") && !page.contains("NaN") && !page.contains("<script>"));
        assert!(desk.text(&format!("{name}/position.svg")).contains(">no pair flipped</text>"));
    }
    let page = desk.text("many/report.html");
    assert!(page.contains("<h3>&lt;script&gt;alert(1)&lt;/script&gt;</h3>"));
    assert!(page.contains("<h3>a&amp;b&quot;</h3>") && page.contains(&long));
}

#[test]
fn grades_are_drawn_too() {
    let desk = Desk::new();
    let mut text = String::from("item,system,verdict,label\n");
    for k in 0..40 {
        for (system, every) in [("new", 5), ("old", 3)] {
            let passes = if k % every == 0 { "fail" } else { "pass" };
            let label = if 20 <= k {
                ""
            } else if k % 4 == 0 {
                "fail"
            } else {
                "pass"
            };
            let _ = writeln!(text, "{k},{system},{passes},{label}");
        }
    }
    desk.put("g.csv", text);
    desk.types("analyze g.csv --labels random --out out").done();
    let names = [
        "differences.svg",
        "grades.svg",
        "manifest.json",
        "report.html",
        "report.json",
        "report.txt",
    ];
    assert_eq!(desk.files("out"), names);
    // 32 of 40 and 26 of 40 pass; the difference is 0.15.
    let chart = desk.text("out/grades.svg");
    assert!(
        chart.contains(">graded 80\u{2009}% (") && chart.contains(">graded 65\u{2009}% ("),
        "{chart}"
    );
    assert!(desk.text("out/differences.svg").contains(">15\u{2009}% ("));
    redrawn(&desk, "out");
}

/// A second analysis in the same folder takes away what only the first one drew, and leaves other files alone; and so after a run.
#[test]
fn charts_of_an_earlier_analysis_do_not_stay() {
    let desk = Desk::new();
    desk.put("v.csv", verdicts(&[("j".to_owned(), MIXED)], 12));
    desk.put("g.csv", "item,verdict\n1,pass\n2,fail\n3,pass\n");
    desk.types("analyze v.csv --out out").done();
    assert!(desk.files("out").contains(&"swap-cells.svg".to_owned()));
    desk.put("out/notes.txt", "mine");
    desk.types("analyze g.csv --out out").done();
    let names =
        ["grades.svg", "manifest.json", "notes.txt", "report.html", "report.json", "report.txt"];
    assert_eq!(desk.files("out"), names);
    let manifest = desk.text("out/manifest.json");
    assert!(manifest.contains("\"g.csv\"") && manifest.contains("\"grades.svg\""), "{manifest}");
    // A manifest that was tampered with must not lead out of the folder.
    desk.put("kept.txt", "mine");
    desk.put("out/manifest.json", "{\"outputs\": [\"../kept.txt\", \"grades.svg\"]}");
    desk.types("analyze v.csv --out out").done();
    assert!(desk.path("kept.txt").is_file() && !desk.path("out/grades.svg").exists());
}

/// Its own system wins always by itself, and in a third of the pairs by each of two third parties; names that look like markup
/// stay names.
#[test]
fn self_preference_is_drawn() {
    let desk = Desk::new();
    let third = "second first second first first second";
    let judges = [("<i>mine", "first second"), ("b", third), ("c", third)];
    desk.put("v.csv", verdicts(&judges.map(|it| (it.0.to_owned(), it.1)), 30));
    desk.types("analyze v.csv --own <i>mine=A --out out").done();
    let chart = desk.text("out/self-preference.svg");
    assert!(chart.contains(">The judge shows a self-preference</text>"), "{chart}");
    assert!(chart.contains(">67\u{2009}% (") && chart.contains(">beyond b</text>"), "{chart}");
    assert!(chart.contains("&lt;i&gt;mine on A") && !chart.contains("<i>"), "{chart}");
    redrawn(&desk, "out");
}

#[test]
fn an_analysis_in_other_forms() {
    let desk = Desk::new();
    desk.put("v.csv", verdicts(&[("j_1".to_owned(), MIXED)], 12));
    let latex = desk.types("analyze v.csv --format latex").done();
    assert!(latex.contains("\\caption{j\\_1}") && latex.contains("\\toprule"), "{latex}");
    let markdown = desk.types("analyze v.csv --format markdown").done();
    assert!(markdown.contains("### j\\_1\n") && markdown.contains("| ---: |"), "{markdown}");
    let summary = desk.types("analyze v.csv --format summary").done();
    assert!(
        summary.starts_with("### Verdict files") && summary.len() < markdown.len(),
        "{summary}"
    );
    assert!(desk.types("analyze v.csv --format latex --json").refused().contains("--json"));
}

#[test]
fn a_record_of_another_shape_is_refused_in_a_sentence() {
    let desk = Desk::new();
    fs::create_dir(desk.path("odd")).unwrap();
    let head = "{\"kind\": \"comparisons\", \"version\": \"0.1.0\", \"schema_version\": ";
    desk.put("odd/report.json", format!("{head}99}}"));
    assert_eq!(
        desk.types("report odd").refused(),
        "odd/report.json: the analysis has shape 99 and this judgelab reads shape 1; use the version that wrote it, or \
         analyze the files again.\n"
    );
    desk.put("odd/report.json", format!("{head}1}}"));
    let told = desk.types("report odd").refused();
    assert!(told.contains("this is no analysis of judgelab") && told.contains("`level`"), "{told}");
}
