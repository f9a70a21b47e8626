//! Tests of the grid: its order, its limits, and mistakes that point at their line in `[vary]`.

use super::super::document::Document;
use super::super::document::tests::{GOOD, Judge, LogOdds, Wire, World};
use super::*;

/// The good file with lines under `[vary]`, which begin at line 27.
fn varied(lines: &str) -> String {
    format!("{GOOD}[vary]\n{lines}\n")
}

fn check(text: &str) -> Result<Vec<Point<Wire>>, Mistakes> {
    let document = Document::parse(None, text)?;
    let studies = document.studies()?;
    Grid::check(&studies[0].tree).map(|(_, points)| points)
}

fn wrong(lines: &str) -> Vec<String> {
    let told = |it: Mistake| format!("{} {}: {}; {}", it.line, it.value, it.rule, it.remedy);
    match check(&varied(lines)) {
        Ok(points) => panic!("{lines} gave {} cells", points.len()),
        Err(mistakes) => mistakes.into_iter().map(told).collect(),
    }
}

#[test]
fn the_first_path_is_outermost_and_the_last_varies_fastest() {
    let lines = "\"judges.primacy.pairwise.position\" = [0, 0.50]\n\
                 \"world.sampled.pairs\" = [1_4, 0x10, 3]";
    let points = check(&varied(lines)).unwrap();
    let levels: Vec<Vec<&str>> = points
        .iter()
        .map(|it| it.levels.iter().map(|level| level.text.as_str()).collect())
        .collect();
    let expected =
        [["0", "14"], ["0", "16"], ["0", "3"], ["0.50", "14"], ["0.50", "16"], ["0.50", "3"]];
    assert_eq!(levels, expected);
    for point in &points {
        let World::Sampled(world) = &point.content.world else { panic!("{point:?}") };
        assert_eq!(Some(f64::from(world.pairs)), point.levels[1].number);
        let Judge::Pairwise(judge) = &point.content.judges["primacy"] else { panic!("{point:?}") };
        assert_eq!(judge.position.as_ref().map(|LogOdds(it)| *it), point.levels[0].number);
    }
}

#[test]
fn a_study_without_a_grid_has_one_cell() {
    for text in [GOOD.to_owned(), varied("")] {
        let points = check(&text).unwrap();
        assert_eq!((points.len(), points[0].levels.len()), (1, 0));
    }
}

#[test]
fn a_known_key_may_be_absent_and_may_be_required() {
    let points = check(&varied("\"judges.primacy.pairwise.taste\" = [0, 1]")).unwrap();
    assert_eq!(points.len(), 2);
    let text = varied("\"world.sampled.better\" = [0.5]\n").replace("better = 0.75\n", "");
    assert_eq!(check(&text).unwrap().len(), 1);
    assert_eq!(
        check(&varied("protocol.orders = 1").replace("protocol.", "")).unwrap_err().len(),
        1
    );
    let points = check(&varied("\"judges.'my judge'.pointwise.accuracy\" = [0.5, 1]")).unwrap();
    assert_eq!(points.len(), 2);
    let whole = "\"world\" = [{ sampled = { pairs = 3, better = 1 } }, { table = { file = 'f' } }]";
    let points = check(&varied(whole)).unwrap();
    assert_eq!(points[1].levels[0].text, "{ table = { file = 'f' } }");
    assert_eq!(points[1].content.world, World::Table { file: "f".into() });
}

#[test]
fn mistakes_in_values_point_at_their_line_in_vary() {
    let found =
        wrong("\"world.sampled.better\" = [0.5, 1.5,\n  'x']\n\"world.sampled.pairs\" = [1, -1]");
    assert_eq!(
        found,
        [
            "27 1.5: a probability lies between 0 and 1, not 1.5; give one such as 0.5",
            "28 'x': a number is expected here, not text; give a number without quotes",
            "29 -1: a whole number is expected here, from 0 to 4294967295; give a value within \
             the limits",
        ]
    );
    let found = wrong("world = [{ sampled = { pairs = 3, beter = 1 } }]");
    assert_eq!(
        found,
        ["27 beter: `world.sampled` has no key `beter`; did you mean `better` \
                        (known keys: pairs, better)?"]
    );
}

#[test]
fn a_path_that_leads_nowhere_is_named_with_its_near_miss() {
    let found = wrong("\"judges.primcay.pairwise.position\" = [1, 2]");
    assert_eq!(
        found,
        ["27 \"judges.primcay.pairwise.position\": `judges` has no entry `primcay` \
                        to vary; did you mean `primacy` (entries: primacy, my judge)?"]
    );
    let found = wrong("\"judges.primacy.pairwise.positon\" = [1, 2]");
    assert_eq!(
        found,
        ["27 \"judges.primacy.pairwise.positon\": `judges.primacy.pairwise` has no \
                        key `positon`; did you mean `position` (known keys: ability, position, \
                        taste)?"]
    );
    let found = wrong("\"judges.primcay\" = [{ lexical = {} }]");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("`judges` has no entry `primcay` to vary; did you mean `primacy`"));
    let found = wrong("\"judges.primacy.pairwize\" = [{ ability = 1 }, 3]");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("`judges.primacy` has no entry `pairwize`"), "{found:#?}");
    let found = wrong("\"protocl.orders\" = ['both']");
    assert!(
        found[0].contains("the scenario has no entry `protocl` to vary; did you mean `protocol`")
    );
    assert!(wrong("\"seed.x\" = [1]")[0].contains("`seed` is no table"));
    assert!(wrong("\"published.0.value\" = [1]")[0].contains("`published` is no table"));
    assert!(wrong("\"a..b\" = [1]")[0].contains("this is no path"));
    assert!(wrong("\"vary.x\" = [1]")[0].contains("no entry `vary`"));
    assert!(wrong("\"sed\" = [1]")[0].contains("a scenario has no key `sed`; did you mean `seed`"));
}

#[test]
fn lists_that_are_empty_repeated_or_no_lists_are_mistakes() {
    assert_eq!(
        wrong("seed = []"),
        ["27 []: there is nothing to vary; give at least one value or \
                                     remove the line"]
    );
    assert_eq!(
        wrong("seed = 3"),
        ["27 3: a varied path takes a list of values; put it in \
                                    brackets: [3]"]
    );
    let found = wrong("world.sampled.pairs = [1, 2]");
    assert_eq!(
        found[0],
        "27 world: a varied path takes a list of values; write the whole path in \
                          quotes: 'world.sampled.pairs' = [...]"
    );
    let found = wrong("'world.sampled.better' = [0.5, 1, 0.50, 1.0, -0.0, 0]");
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[0].starts_with("27 0.50: this value is listed twice;"), "{found:#?}");
    let found = wrong("world = [{ table = { file = '' } }]\n\"world.sampled.pairs\" = [3]");
    assert!(found[0].starts_with("28 "), "{found:#?}");
    assert!(found[0].contains("this path and that of line 27 vary the same place"));
    assert!(check("vary = 3\n").unwrap_err().to_string().contains("`vary` is a table of paths"));
}

#[test]
fn a_grid_has_a_limit() {
    let list: Vec<String> = (0..400).map(|it| it.to_string()).collect();
    let list = list.join(", ");
    let two = format!("seed = [{list}]\n\"world.sampled.pairs\" = [{list}]");
    let found = wrong(&two);
    assert_eq!(
        found,
        ["26 [vary]: the grid has 160000 cells, and a study at most 100000; shorten \
                        a list, or split the study"]
    );
    let more = [
        "seed",
        "replicates",
        "world.sampled.pairs",
        "world.sampled.better",
        "judges.primacy.pairwise.ability",
        "judges.primacy.pairwise.position",
        "judges.primacy.pairwise.taste",
        "protocol.repeats",
    ];
    let more: Vec<String> = more.iter().map(|path| format!("'{path}' = [{list}]")).collect();
    assert!(wrong(&more.join("\n"))[0].contains("has more than 18446744073709551615 cells"));
}

#[test]
fn mistakes_of_the_grid_and_of_the_rest_are_told_together_and_once() {
    let text = varied("\"judges.primcay.x\" = [1]\n\"world.sampled.pairs\" = [1, 2, -3]")
        .replace("better = 0.75", "better = 75");
    let found = check(&text).unwrap_err();
    let lines: Vec<usize> = found.iter().map(|it| it.line).collect();
    assert_eq!(lines, [7, 27, 28], "{found}");
    // A misspelt path may have been meant to give what is missing.
    let text = varied("\"world.smpled.better\" = [1]").replace("better = 0.75\n", "");
    assert_eq!(check(&text).unwrap_err().len(), 1);
}

#[test]
fn a_cell_knows_the_line_of_a_varied_value() {
    let text = varied("\"judges.primacy.pairwise.position\" = [7,\n 8]");
    let studies = Document::parse(None, &text).unwrap().studies().unwrap();
    let grid = Grid::of(&studies[0].tree).unwrap();
    let path = grid.axes()[0].path();
    let mistake = Mistake::at(&grid.cell(1).tree, path, "r", "m");
    assert_eq!((mistake.line, mistake.value.as_str()), (28, "8"));
    assert_eq!(grid.cells().count(), 2);
    assert_eq!(Mistake::at(&grid.cell(3).tree, path, "r", "m").line, 28);
}

#[test]
fn a_thousand_cells_are_read() {
    let list =
        |from: usize| (from..from + 32).map(|it| it.to_string()).collect::<Vec<_>>().join(",");
    let text = varied(&format!("seed = [{}]\n\"world.sampled.pairs\" = [{}]", list(0), list(5)));
    assert_eq!(check(&text).unwrap().len(), 1024);
}

#[test]
fn paths_that_vary_together_are_one() {
    let lines = "\"protocol.orders\" = ['both', 'first']\n[vary-together]\n\
                 \"judges.primacy.pairwise.position\" = [0, 0.5, 0.5]\n\"world.sampled.pairs\" = [14, 16, 3]";
    let points = check(&varied(lines)).unwrap();
    let levels: Vec<String> = points
        .iter()
        .map(|it| it.levels.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" "))
        .collect();
    let expected =
        ["0 14 both", "0 14 first", "0.5 16 both", "0.5 16 first", "0.5 3 both", "0.5 3 first"];
    assert_eq!(levels, expected);
    for point in &points {
        let World::Sampled(world) = &point.content.world else { panic!("{point:?}") };
        assert_eq!(Some(f64::from(world.pairs)), point.levels[1].number);
    }
}

#[test]
fn what_cannot_vary_together_is_told_with_its_line() {
    let two = |a: &str, b: &str| {
        wrong(&format!(
            "[vary-together]\n\"judges.primacy.pairwise.position\" = {a}\n\"world.sampled.pairs\" = {b}"
        ))
    };
    let told = two("[0, 1]", "[3, 4, 5]");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("29 ") && told[0].contains("has 3 values where that of line 28 has 2"),
        "{told:?}"
    );
    let told = two("[0, 1, 0]", "[3, 3, 3]");
    assert!(told[0].starts_with("28 0: this row of values is listed twice"), "{told:?}");
    assert!(two("[0, 1]", "[3, -4]")[0].contains("-4"));
    assert!(two("[0, 1]", "3")[0].contains("put it in brackets: [3]"));
    assert!(wrong("[vary-together]\n\"world.sampled.paris\" = [1]")[0].contains("paris"));
    let both =
        wrong("\"world.sampled.pairs\" = [1]\n[vary-together]\n\"world.sampled.pairs\" = [1]");
    assert!(both[0].contains("vary the same place"), "{both:?}");
}
