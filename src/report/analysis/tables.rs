//! The tables of an analysis.

use super::{p, short, stated, value};
use crate::analysis::{
    Agreement, Analysis, Between, Judge, Length, Named, Part, Ranking, Record, WinRate,
};
use crate::report::grid::{Grid, Line};

/// The tables of one judge.
pub(super) fn judge(judge: &Judge) -> Vec<Grid> {
    let mut all = Vec::new();
    if let Some(it) = judge.all.position.given() {
        let mut table = headed(&["position preference", "log-odds"], 1);
        for (name, it) in [
            ("chosen", &it.beta),
            ("Clopper-Pearson limits", &it.beta_exact),
            ("Haldane (half a flip added)", &it.beta_haldane),
        ] {
            add(&mut table, [name.to_owned(), stated(it)]);
        }
        add(&mut table, ["smallest detectable".to_owned(), detectable(&it.smallest_detectable)]);
        all.push(table);
        let mut table = headed(&["both orders", "estimate"], 1);
        for (name, it) in [
            ("share of the first slot", &it.first_share),
            ("first of decisive verdicts", &it.first_of_decisive.share),
            ("kappa between the orders", &it.between_orders.kappa),
            ("AC1 between the orders", &it.between_orders.ac1),
            ("position consistency (Shi)", &it.position_consistency),
            ("preference fairness (Shi)", &it.preference_fairness),
        ] {
            add(&mut table, [name.to_owned(), stated(it)]);
        }
        all.push(table);
    }
    all.extend(judge.all.win_rate.given().map(wins));
    all.extend(judge.all.agreement.given().map(agreement));
    for (what, parts) in [("stratum", &judge.strata), ("repeat", &judge.by_repeat)] {
        if !parts.is_empty() {
            all.push(parts_table(what, parts));
        }
    }
    all.extend(judge.ranking.given().map(ranking));
    if !judge.systems.is_empty() {
        all.push(systems(&judge.systems));
    }
    let length = judge.all.length.given();
    all.extend(length.filter(|it| !it.length_controlled.is_empty()).map(equal_lengths));
    all
}

/// What systems win between answers of equal length.
fn equal_lengths(it: &Length) -> Grid {
    let mut table = headed(&["at equal length", "against", "win rate", "p"], 2);
    for it in &it.length_controlled {
        let p = it.rate.p.map_or("–".to_owned(), p);
        add(&mut table, [it.of.clone(), it.against.clone(), stated(&it.rate), p]);
    }
    table
}

/// An empty table, whose columns from `words` on are numbers.
fn headed(names: &[&str], words: usize) -> Grid {
    let head = names.iter().map(|it| (*it).to_owned()).collect();
    Grid { head, words, ..Grid::default() }
}

/// Adds a row.
fn add(grid: &mut Grid, cells: impl Into<Vec<String>>) {
    grid.rows.push(Line::from(cells.into()));
}

fn detectable(it: &crate::analysis::Detectable) -> String {
    it.value.map_or("–".to_owned(), super::plain)
}

fn wins(it: &WinRate) -> Grid {
    let mut table = headed(&[&format!("win rate of {}", it.of), "rate", "w/l/t"], 1);
    for (name, rate) in &it.rates {
        let record = match name.as_str() {
            "conservative" => Some(it.conservative_record),
            "majority" => Some(it.majority_record),
            _ => None,
        };
        let record = record.map(told);
        let cells = vec![name.clone(), stated(rate), record.unwrap_or_default()];
        table.rows.push(Line { cells, chosen: *name == it.chosen });
    }
    table
}

/// Wins, losses and ties; nothing where no pair has both orders.
fn told(it: Record) -> String {
    if it == Record::default() {
        return String::new();
    }
    format!("{}/{}/{}", it.wins, it.losses, it.ties)
}

fn agreement(it: &Agreement) -> Grid {
    let mut table = headed(
        &[
            "against the label",
            "n",
            "accuracy",
            "kappa",
            "most",
            "AC1",
            "MCC",
            "sensitivity",
            "specificity",
            "prevalence",
        ],
        1,
    );
    let mut row = |name: &str, right: String, it: &crate::analysis::Raters| {
        add(
            &mut table,
            [
                name.to_owned(),
                it.verdicts.to_string(),
                right,
                stated(&it.kappa),
                value(&it.kappa_maximum),
                stated(&it.ac1),
                value(&it.mcc),
                value(&it.sensitivity),
                value(&it.specificity),
                value(&it.prevalence),
            ],
        );
    };
    for order in &it.by_order {
        row(&order.order, value(&order.accuracy.share), &order.raters);
    }
    row("in systems", value(&it.in_systems.raw), &it.in_systems);
    row("in slots", value(&it.in_slots.raw), &it.in_slots);
    table
}

fn parts_table(what: &str, parts: &[Named]) -> Grid {
    let mut table = headed(
        &[
            what,
            "pairs",
            "invalid",
            "FF",
            "SS",
            "flip rate",
            "mid-p",
            "Holm",
            "BH",
            "log-odds",
            "detectable",
            "win rate",
        ],
        1,
    );
    for it in parts {
        add(&mut table, part_row(&it.name, &it.part, [it.holm, it.bh]));
    }
    table
}

/// Judge by judge, all pairs of each.
pub(in crate::report) fn overview(it: &Analysis) -> Grid {
    let row = |judge: &Judge| {
        let mut cells = part_row(&judge.judge, &judge.all, [None; 2]);
        // Judges are not adjusted for one another.
        cells.drain(7..9);
        Line::from(cells)
    };
    let head = [
        "judge",
        "pairs",
        "invalid",
        "FF",
        "SS",
        "flip rate",
        "mid-p",
        "log-odds",
        "detectable",
        "win rate",
    ];
    Grid { rows: it.judges.iter().map(row).collect(), ..headed(&head, 1) }
}

fn part_row(name: &str, part: &Part, [holm, bh]: [Option<f64>; 2]) -> Vec<String> {
    let adjusted = |it: Option<f64>| it.map(p).unwrap_or_default();
    let mut row = vec![name.to_owned(), part.pairs.to_string(), part.invalid.to_string()];
    match part.position.given() {
        Some(it) => row.extend([
            it.first_first.to_string(),
            it.second_second.to_string(),
            stated(&it.flip_rate),
            p(it.mid_p),
            adjusted(holm),
            adjusted(bh),
            stated(&it.beta),
            it.smallest_detectable.value.map_or("–".to_owned(), short),
        ]),
        None => row.extend(vec!["–".to_owned(); 8]),
    }
    let chosen = part.win_rate.given().and_then(|it| it.rates.get(&it.chosen));
    row.push(chosen.map(stated).unwrap_or_default());
    row
}

fn systems(all: &[WinRate]) -> Grid {
    let mut table = headed(&["system", "against", "win rate", "convention", "w/l/t"], 2);
    for it in all {
        let record = it.conservative_record;
        add(
            &mut table,
            [
                it.of.clone(),
                it.against.clone(),
                it.rates.get(&it.chosen).map(stated).unwrap_or_default(),
                it.chosen.clone(),
                told(record),
            ],
        );
    }
    table
}

fn ranking(it: &Ranking) -> Grid {
    let held = format!("{} held", it.held.join(" and "));
    let mut table = headed(&["ranking", "strength", "ranks", &held, "ranks"], 1);
    let ranks = |it: &Option<[usize; 2]>| match it {
        Some([best, worst]) if best == worst => best.to_string(),
        Some([best, worst]) => format!("{best}-{worst}"),
        None => "–".to_owned(),
    };
    for it in &it.systems {
        add(
            &mut table,
            [
                it.system.clone(),
                stated(&it.strength),
                ranks(&it.ranks),
                stated(&it.strength_held),
                ranks(&it.ranks_held),
            ],
        );
    }
    table
}

/// All judges: two at a time, what they say without a label, and the systems by strength.
pub(super) fn together(it: &Analysis) -> Vec<Grid> {
    let people = it.people.iter().map(|it| &it.between);
    let each = std::iter::once(&it.between).chain(people).filter(|it| !it.is_empty());
    let panels = it.panel.iter().chain(it.people.iter().filter_map(|it| it.panel.as_ref()));
    let latent = panels.filter_map(|it| it.without_labels.given()).map(super::latent::table);
    let ranked = it.ranking.as_ref().and_then(|it| it.given()).map(ranking);
    each.flat_map(|it| [agreements(it), differences(it)]).chain(latent).chain(ranked).collect()
}

/// How far each two judges agree.
fn agreements(all: &[Between]) -> Grid {
    let mut table = headed(&["two judges", "and", "pairs", "agree", "kappa", "AC1"], 2);
    for it in all {
        let raters = it.in_systems.given();
        let [one, other] = &it.judges;
        add(
            &mut table,
            [
                one.clone(),
                other.clone(),
                it.pairs.to_string(),
                raters.map(|it| stated(&it.raw)).unwrap_or_default(),
                raters.map(|it| stated(&it.kappa)).unwrap_or_default(),
                raters.map(|it| stated(&it.ac1)).unwrap_or_default(),
            ],
        );
    }
    table
}

/// What each two judges differ in, on the same pairs.
fn differences(all: &[Between]) -> Grid {
    let head = ["first judge", "minus", "in", "difference", "p", "detectable", "unit"];
    let mut table = headed(&head, 3);
    for two in all {
        let [one, other] = &two.judges;
        let effects = [
            ("first-shown share", &two.first_share),
            ("position", &two.position),
            ("length", &two.length),
            ("right verdicts", &two.accuracy),
        ];
        for (what, it) in effects.into_iter().filter(|it| it.1.number.value.is_some()) {
            add(
                &mut table,
                [
                    one.clone(),
                    other.clone(),
                    what.to_owned(),
                    stated(&it.number),
                    it.number.p.map_or("–".to_owned(), p),
                    detectable(&it.smallest_detectable),
                    it.smallest_detectable.unit.clone(),
                ],
            );
        }
    }
    table
}
