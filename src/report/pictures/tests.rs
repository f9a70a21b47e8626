//! Which charts a study gets, what their tables say beside formulas worked out here, and that strange studies stay readable.

use super::*;
use crate::report::canvas::xml::malformed;
use crate::scenario::Plan;
use crate::stream::Words;
use crate::study;

fn report(text: &str) -> Report {
    let plan = Plan::from_toml(text, &mut |file| Err(format!("no file {file}")));
    let plan = plan.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let range = 0..plan.replicates;
    let gathered =
        study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true);
    let report = Report::new(&plan, &gathered.unwrap_or_default());
    // Charts follow from the file alone.
    Report::from_json(&report.json()).unwrap_or_else(|why| panic!("{why}"))
}

fn names(pictures: &[Picture]) -> Vec<&str> {
    pictures.iter().map(|it| it.name.as_str()).collect()
}

/// A cell of a picture's table as a number.
fn cell(picture: &Picture, row: usize, column: usize) -> f64 {
    picture.data.rows[row].cells[column].parse().unwrap_or(f64::NAN)
}

fn of<'p>(pictures: &'p [Picture], name: &str) -> &'p Picture {
    let found = pictures.iter().find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no {name} among {:?}", names(pictures)))
}

const SWAP: &str = "seed = 1\nreplicates = 200\n[world.sampled]\npairs = 40\nbetter = 0.5\n[judges.j.pairwise]\nability = 2\n\
                    position = 0\n[estimate]\nrules = ['flip-rate', 'win-rate', 'position-effect']\n[vary]\n\
                    'judges.j.pairwise.position' = [0.0, 1.2, 2.0]\n";

/// With a = ability and b = position, a pair flips with probability p(1-q) + (1-p)q, p = sigma(a+b), q = sigma(a-b); the floor is
/// the same at b = 0: 2 sigma(2) sigma(-2) = 0.20999.
#[test]
fn flips_are_noise_and_position() {
    let pictures = pictures(&report(SWAP));
    assert_eq!(names(&pictures), ["swap-j", "power-curve", "flips-j", "recovery"]);
    let flips = of(&pictures, "flips-j");
    let sigma = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    for (row, b) in [0.0, 1.2, 2.0].into_iter().enumerate() {
        let (p, q) = (sigma(2.0 + b), sigma(2.0 - b));
        let rate = p * (1.0 - q) + (1.0 - p) * q;
        assert!((cell(flips, row, 3) - rate).abs() < 6e-5, "{b} {rate} {:?}", flips.data.rows[row]);
    }
    // sigma(4) sigma(0) + sigma(-4) sigma(0) = one half.
    assert!(
        flips.svg.contains("50.0\u{2009}% of j&apos;s pairs flip; 21.0 points"),
        "{}",
        flips.svg
    );
    assert!(flips.svg.contains(">noise</text>"));
    // Pairs change nothing in what flips; one plot without a name is enough.
    let text = SWAP.replace("2.0]\n", "2.0]\n'world.sampled.pairs' = [20, 40]\n");
    let pictures = super::pictures(&report(&text));
    let flips = of(&pictures, "flips-j");
    assert!(!flips.svg.contains("40 pairs") && flips.svg.matches(">noise</text>").count() == 1);
}

/// What is published of a cell does not take the exact lines away from between the cells.
#[test]
fn published_figures_leave_the_curves_as_they_are() {
    let published = "[[published]]\nat = { 'judges.j.pairwise.position' = 1.2 }\nestimator = 'flip-rate'\nvalue = 0.325\n\
                     digits = 3\n";
    let (with, without) = (report(&format!("{SWAP}{published}")), report(SWAP));
    assert!(!without.curve.is_empty() && with.published.len() == 1);
    assert_eq!((with.curve, with.powers), (without.curve, without.powers));
}

/// Planted and estimated: the position effect should say the planted position, whatever the ability.
#[test]
fn what_was_planted_stands_beside_its_estimates() {
    let pictures = pictures(&report(SWAP));
    let recovery = of(&pictures, "recovery");
    for (row, planted) in [0.0, 1.2, 2.0].into_iter().enumerate() {
        assert!((cell(recovery, row, 3) - planted).abs() < 5e-5);
    }
    // An estimate's mean lies at the middle of its bar, and the line of identity goes through the corners of what was planted.
    assert!(recovery.svg.contains(">as planted</text>"));
}

/// Agreement 0.9 at every prevalence; kappa (0.9 - e) / (1 - e), e = pm + (1-p)(1-m), m = 0.9 p + 0.1 (1-p).
#[test]
fn kappa_falls_where_agreement_stays() {
    let text = "seed = 2\nreplicates = 200\n[world.graded]\ncases = 200\nrate = 0.5\n[judges.j.pointwise]\nfalse-negative = 0.1\n\
                false-positive = 0.1\n[estimate]\nrules = ['grading']\n[vary]\n'world.graded.rate' = [0.5, 0.7, 0.9, 1.0]\n";
    let pictures = pictures(&report(text));
    assert_eq!(pictures[0].name, "kappa");
    for (k, p) in [0.5, 0.7, 0.9].into_iter().enumerate() {
        let m = 0.9 * p + 0.1 * (1.0 - p);
        let e = p * m + (1.0 - p) * (1.0 - m);
        assert!((cell(&pictures[0], k, 3) - 0.9).abs() < 6e-5);
        let row = &pictures[0].data.rows[4 + k];
        assert!((cell(&pictures[0], 4 + k, 3) - (0.9 - e) / (1.0 - e)).abs() < 6e-5, "{row:?}");
    }
    assert_eq!(malformed(&pictures[0].svg), None);
}

/// The judge says 0.95 p + 0.3 (1 - p); within four standard errors of the mean of 200 replicates, none above 0.02.
#[test]
fn a_lenient_judge_is_corrected() {
    let text = "seed = 3\nreplicates = 200\n[world.graded]\ncases = 400\nrate = 0.4\nlabels = { random = 100 }\n\
                [judges.j.pointwise]\nfalse-negative = 0.05\nfalse-positive = 0.3\n[estimate]\nrules = ['corrected-rate']\n\
                [vary]\n'world.graded.rate' = [0.2, 0.5, 0.9]\n";
    let pictures = pictures(&report(text));
    let rates = of(&pictures, "corrected-rate");
    assert_eq!(names(&pictures), ["corrected-rate", "coverage"]);
    for (row, p) in [0.2, 0.5, 0.9].into_iter().enumerate() {
        assert!((cell(rates, row, 4) - (0.95 * p + 0.3 * (1.0 - p))).abs() < 0.02);
        assert!((cell(rates, 3 + row, 4) - p).abs() < 0.02, "{:?}", rates.data.rows[3 + row]);
    }
    // A raw interval that never holds the truth is told in the title, and drawn at nothing rather than left out.
    let coverage = of(&pictures, "coverage");
    assert!(coverage.caption.contains("may hold 0.0\u{2009}%: raw"), "{}", coverage.caption);
}

#[test]
fn slices_are_told_as_changes_from_the_first_system_to_the_second() {
    let text = "seed = 4\nreplicates = 200\n[world.graded]\nsystems = ['old', 'new']\n[world.graded.strata]\n\
                plain = { share = 0.8, cases = 160, rates = [0.6, 0.7] }\nhard = { share = 0.2, cases = 40, rates = [0.5, 0.3] }\n\
                [judges.j.pointwise]\n[estimate]\nrules = ['slices', 'difference']\n";
    let pictures = pictures(&report(text));
    let slices = of(&pictures, "slices");
    // All cases: 0.8 x 0.1 - 0.2 x 0.2 = 0.04.
    for (row, change) in [0.04, 0.1, -0.2].into_iter().enumerate() {
        assert!((cell(slices, row, 2) - change).abs() < 6e-5, "{:?}", slices.data.rows);
    }
    let title = "new gains 4.0 points over all cases and loses 20.0 points in hard";
    assert!(slices.svg.contains(title), "{}", slices.caption);
}

/// The second of two coins, 0.9 against 0.1, is never ahead of the first with 40 cases, and with 1 in 1 of 100.
#[test]
fn rankings_err_less_with_more_cases() {
    let text = "seed = 5\nreplicates = 400\n[world.graded]\ncases = 1\nrates = [0.9, 0.1]\n[judges.j.pointwise]\n[estimate]\n\
                rules = ['ranking']\n[vary]\n'world.graded.cases' = [1, 5, 40]\n";
    let pictures = pictures(&report(text));
    let ranking = of(&pictures, "ranking");
    // Not ahead with one case: 1 - 0.9 x 0.9 = 0.19; four standard errors are 0.078.
    assert!((cell(ranking, 0, 4) - 0.19).abs() < 0.078, "{:?}", ranking.data.rows);
    assert!(cell(ranking, 2, 4).abs() < 1e-12);
}

/// Names of eighty characters, one pair, certain judges, rates of 0 and 1: every chart is a picture with text in it.
#[test]
fn strange_studies_have_readable_charts() {
    let long = "n".repeat(80);
    let pairwise = format!(
        "seed = 6\nreplicates = 20\n[world.sampled]\npairs = 1\nbetter = 0.5\nsystems = ['{long}', '<b>']\n[judges.'{long}'.pairwise]\n\
         ability = 50\nposition = 0\n[estimate]\nrules = ['flip-rate', 'win-rate', 'position-effect', 'ranking']\n[vary]\n\
         'judges.{long}.pairwise.position' = [0, 1]\n'world.sampled.pairs' = [1, 2]\n"
    );
    let graded = format!(
        "seed = 7\nreplicates = 20\n[world.graded]\ncases = 3\nrate = 0.5\nlabels = {{ random = 2 }}\n[judges.'{long}'.pointwise]\n\
         false-negative = 1\nfalse-positive = 1\n[judges.other.pointwise]\n[estimate]\n\
         rules = ['grading', 'corrected-rate', 'difference', 'ranking']\n[vary]\n'world.graded.rate' = [0, 0.5, 1]\n"
    );
    for text in [pairwise, graded] {
        let pictures = pictures(&report(&text));
        assert!(!pictures.is_empty() && pictures.len() <= MOST);
        for it in &pictures {
            assert_eq!(malformed(&it.svg), None, "{}", it.name);
            assert!(!it.svg.contains("NaN") && !it.svg.contains("inf\""), "{}", it.name);
            assert!(!it.svg.contains("<b>") && it.name.is_ascii() && it.svg.contains("<text"));
        }
    }
}

const LENGTHS: &str = "seed = 3\nreplicates = 8\n[world.lengths]\nfile = 'lengths.csv'\n[judges.j.scoring]\nbase = 3.0\nnoise = 0.6\n\
                       slope = 0.0\nreference-words = 32\n[estimate]\nrules = ['length-slope']\n[vary]\n\
                       'judges.j.scoring.slope' = [0.5, 0.0, -0.5, 0.25]\n";

/// The first replicate's scores, every second of 48 cases, beside a least-squares line that is worked out here over all of them.
#[test]
fn scores_lie_about_the_slope_that_is_fitted_to_them() {
    let cases: Vec<String> =
        (0..48).map(|k| format!("q{k},{},{},{}\n", 8 + k, 30 + k, 128)).collect();
    let cases = cases.concat();
    let table = format!("id,a,b,c\n{cases}");
    let plan = Plan::from_toml(LENGTHS, &mut |_| Ok(table.clone())).unwrap();
    let gathered =
        study::simulate(&plan.tasks, plan.seed, Words::Keyed, 0..8, &plan.settings, &|_| true);
    let report = Report::from_json(&Report::new(&plan, &gathered.unwrap()).json()).unwrap();
    assert_eq!(report.scored.len(), 3);
    for (k, it) in report.scored.iter().enumerate() {
        let sheet = plan.tasks[k].sheet.as_ref().unwrap();
        let scores = study::scores(&plan.tasks[k], plan.seed, 0).unwrap();
        let x = &sheet.world.ruled.lengths;
        let n = x.len() as f64;
        let y: Vec<f64> = scores.iter().map(|it| f64::from(*it)).collect();
        let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let over = |v: &[f64], mean: f64| -> f64 {
            x.iter().zip(v).map(|(x, v)| (x - mean_x) * (v - mean)).sum()
        };
        let slope = over(&y, mean_y) / over(x, mean_x);
        assert!((it.slope.unwrap() - slope).abs() < 1e-12);
        assert!((it.scores.at(slope, 0.0) - (mean_y - slope * mean_x)).abs() < 1e-12);
        assert!(it.low.unwrap() < slope && slope < it.high.unwrap());
        // 3 of the 4 planted slopes are kept, 100 points each: 33 cases of 3 answers, so every second.
        assert_eq!((it.scores.clusters, it.scores.every, it.scores.points.len()), (48, 2, 24));
        assert_eq!(it.scores.points[1][0], [x[6], y[6]]);
        let estimand = report.results[k].estimators[0].value(Measure::Estimand);
        assert_eq!(it.expected, estimand);
    }
    let pictures = pictures(&report);
    // A scale that ends takes its part of a slope: what the estimates scatter about is not what was planted.
    let recovery = of(&pictures, "recovery");
    assert!(recovery.svg.contains(">as expected</text>") && !recovery.svg.contains("planted"));
    let chart = of(&pictures, "length-slope");
    assert!(chart.caption.contains("one case in 2 is drawn"), "{}", chart.caption);
    // Planted at 0.5 about (log2 32, 3): at 128 words two doublings more, 4 points.
    let long = chart.data.rows.iter().find(|it| it.cells[2] == "7.0000").unwrap();
    assert_eq!(
        (long.cells[0].starts_with("planted 0.5, fitted"), long.cells[5].as_str()),
        (true, "4.0000")
    );
    assert_eq!(malformed(&chart.svg), None);
    assert_eq!(chart.svg.matches("<circle").count(), 3 * 24 * 3);
}
