//! The tables of an analysis.

use comfy_table::{Cell, Table};

use super::{p, short, stated, value};
use crate::analysis::{Agreement, Analysis, Judge, Named, Ranking, WinRate};
use crate::report::table::{align, lines, plain_table};

/// The tables of one judge.
pub(super) fn judge(judge: &Judge) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(it) = judge.all.position.given() {
        let mut table = headed(&["position preference", "log-odds"]);
        for (name, it) in [
            ("chosen", &it.beta),
            ("Clopper-Pearson limits", &it.beta_exact),
            ("Haldane (half a flip added)", &it.beta_haldane),
        ] {
            table.add_row([name.to_owned(), stated(it)]);
        }
        table.add_row(["smallest detectable".to_owned(), detectable(&it.smallest_detectable)]);
        all.push(done(table, 1));
        let mut table = headed(&["both orders", ""]);
        for (name, it) in [
            ("share of the first slot", &it.first_share),
            ("first of decisive verdicts", &it.first_of_decisive.share),
            ("kappa between the orders", &it.between_orders.kappa),
            ("AC1 between the orders", &it.between_orders.ac1),
            ("position consistency (Shi)", &it.position_consistency),
            ("preference fairness (Shi)", &it.preference_fairness),
        ] {
            table.add_row([name.to_owned(), stated(it)]);
        }
        all.push(done(table, 1));
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
    all
}

fn headed(names: &[&str]) -> Table {
    let mut table = plain_table();
    table.set_header(names.iter().map(Cell::new));
    table
}

/// A table whose columns from `numbers` on are numbers.
fn done(mut table: Table, numbers: usize) -> String {
    let columns = table.column_count();
    align(&mut table, numbers..columns);
    format!("{}\n", lines(&table))
}

fn detectable(it: &crate::analysis::Detectable) -> String {
    it.value.map_or("–".to_owned(), super::plain)
}

fn wins(it: &WinRate) -> String {
    let mut table = headed(&[&format!("win rate of {}", it.of), "", "", "w/l/t"]);
    for (name, rate) in &it.rates {
        let record = match *name {
            "conservative" => Some(it.conservative_record),
            "majority" => Some(it.majority_record),
            _ => None,
        };
        let record = record.map(|it| format!("{}/{}/{}", it.wins, it.losses, it.ties));
        let mark = if *name == it.chosen { "<" } else { "" };
        table.add_row([
            (*name).to_owned(),
            stated(rate),
            mark.to_owned(),
            record.unwrap_or_default(),
        ]);
    }
    done(table, 1)
}

fn agreement(it: &Agreement) -> String {
    let mut table = headed(&[
        "against the label",
        "n",
        "right",
        "kappa",
        "most",
        "AC1",
        "MCC",
        "sensitivity",
        "specificity",
        "prevalence",
    ]);
    let mut row = |name: &str, right: String, it: &crate::analysis::Raters| {
        table.add_row([
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
        ]);
    };
    for order in &it.by_order {
        row(order.order, value(&order.accuracy.share), &order.raters);
    }
    row("in systems", value(&it.in_systems.raw), &it.in_systems);
    row("in slots", value(&it.in_slots.raw), &it.in_slots);
    format!("{}{}.\n", done(table, 1), it.codings)
}

fn parts_table(what: &str, parts: &[Named]) -> String {
    let mut table = headed(&[
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
    ]);
    for it in parts {
        table.add_row(part_row(it));
    }
    done(table, 1)
}

fn part_row(Named { name, part, holm, bh }: &Named) -> Vec<String> {
    let adjusted = |it: &Option<f64>| it.map(p).unwrap_or_default();
    let mut row = vec![name.clone(), part.pairs.to_string(), part.invalid.to_string()];
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
    let chosen = part.win_rate.given().and_then(|it| it.rates.get(it.chosen));
    row.push(chosen.map(stated).unwrap_or_default());
    row
}

fn systems(all: &[WinRate]) -> String {
    let mut table = headed(&["system", "against", "win rate", "", "w/l/t"]);
    for it in all {
        let record = it.conservative_record;
        table.add_row([
            it.of.clone(),
            it.against.clone(),
            it.rates.get(it.chosen).map(stated).unwrap_or_default(),
            it.chosen.to_owned(),
            format!("{}/{}/{}", record.wins, record.losses, record.ties),
        ]);
    }
    done(table, 2)
}

fn ranking(it: &Ranking) -> String {
    let held = format!("{} held", it.held.join(" and "));
    let mut table = headed(&["ranking", "strength", "ranks", &held, "ranks"]);
    let ranks = |it: &Option<[usize; 2]>| match it {
        Some([best, worst]) if best == worst => best.to_string(),
        Some([best, worst]) => format!("{best}-{worst}"),
        None => "–".to_owned(),
    };
    for it in &it.systems {
        table.add_row([
            it.system.clone(),
            stated(&it.strength),
            ranks(&it.ranks),
            stated(&it.strength_held),
            ranks(&it.ranks_held),
        ]);
    }
    done(table, 1)
}

/// Two judges at a time.
pub(super) fn together(it: &Analysis) -> Vec<String> {
    let people = it.people.iter().map(|it| &it.between);
    let each = std::iter::once(&it.between).chain(people).filter(|it| !it.is_empty());
    let ranked = it.ranking.as_ref().and_then(|it| it.given()).map(ranking);
    let tables = each.map(|all| {
        let mut table = headed(&[
            "two judges",
            "",
            "pairs",
            "agree",
            "kappa",
            "AC1",
            "first share",
            "p",
            "detectable",
            "length",
            "p",
            "right",
            "p",
        ]);
        for it in all {
            let raters = it.in_systems.given();
            let [one, other] = &it.judges;
            let test = |it: &crate::analysis::Difference| it.number.p.map(p).unwrap_or_default();
            let detectable = it.first_share.smallest_detectable.value;
            table.add_row([
                one.clone(),
                other.clone(),
                it.pairs.to_string(),
                raters.map(|it| value(&it.raw)).unwrap_or_default(),
                raters.map(|it| value(&it.kappa)).unwrap_or_default(),
                raters.map(|it| value(&it.ac1)).unwrap_or_default(),
                stated(&it.first_share.number),
                test(&it.first_share),
                detectable.map_or("–".to_owned(), super::plain),
                value(&it.length.number),
                test(&it.length),
                value(&it.accuracy.number),
                test(&it.accuracy),
            ]);
        }
        done(table, 2)
    });
    tables.chain(ranked).collect()
}
