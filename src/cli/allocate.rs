//! `judgelab allocate`: the best split of a budget between pairs, judges and repeats, or labels and calls.

use clap::Subcommand;
use judgelab::report::{Allocation, Way};
use judgelab::stats::allocation::{self, Components, Costs, Design, MOST_JUDGES, effective_judges};
use judgelab::stats::corrected::Known;
use judgelab::stats::corrected::label_split::{Split, label_variance, neyman, published};

use super::error::Failure;

/// What is to be split.
#[derive(Debug, Subcommand)]
pub(super) enum Args {
    /// Judge calls between pairs, judges and repeats
    Calls(Calls),
    /// A budget between human labels and judge calls (PPI++)
    Labels(Labels),
    /// Human labels between true passes and true fails (Rogan-Gladen)
    Classes(Classes),
    /// A panel: what one more judge adds
    Judges(Panel),
}

/// Variance components are on the scale that is averaged; a share of one half with independent pairs has 0.25 in all.
#[derive(Debug, clap::Args)]
pub(super) struct Calls {
    /// Variance between pairs
    #[arg(long, value_name = "V")]
    pair_variance: f64,
    /// Variance between repeats of one judge on one pair
    #[arg(long, value_name = "V")]
    repeat_variance: f64,
    /// Variance between judges; 0 where these judges are the only ones of interest
    #[arg(long, value_name = "V", default_value = "0")]
    judge_variance: f64,
    /// Variance of what one judge sees otherwise than another in a pair
    #[arg(long, value_name = "V", default_value = "0")]
    pair_judge_variance: f64,
    /// The cost of a pair, whatever it is asked
    #[arg(long, value_name = "COST", default_value = "0")]
    pair_cost: f64,
    /// The cost of one repeat of one judge on one pair (with both orders, of two calls)
    #[arg(long, value_name = "COST", default_value = "1")]
    call_cost: f64,
    /// What may be spent
    #[arg(long, value_name = "COST")]
    budget: f64,
    /// The most judges
    #[arg(long, value_name = "N", default_value = "1")]
    judges: u64,
    /// Print JSON alone
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Labels {
    /// The correlation of the judge's grade and the label
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    correlation: f64,
    /// The cost of a label
    #[arg(long, value_name = "COST")]
    label_cost: f64,
    /// The cost of a call
    #[arg(long, value_name = "COST")]
    call_cost: f64,
    /// What may be spent
    #[arg(long, value_name = "COST")]
    budget: f64,
    /// Print JSON alone
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Classes {
    /// Labels in all
    #[arg(long, value_name = "N")]
    labels: u64,
    /// The share that the judge passes, as graded
    #[arg(long, value_name = "P")]
    rate: f64,
    /// The judge's sensitivity
    #[arg(long, value_name = "P")]
    sensitivity: f64,
    /// The judge's specificity
    #[arg(long, value_name = "P")]
    specificity: f64,
    /// Pilot labels of each class, for the published rule that stands beside the best split
    #[arg(long, value_name = "N", default_value = "10")]
    pilot: u64,
    /// Print JSON alone
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Panel {
    /// Judges of the panel
    #[arg(long, value_name = "N")]
    judges: u64,
    /// The mean correlation of two judges' errors
    #[arg(long, value_name = "RHO", allow_negative_numbers = true)]
    correlation: f64,
    /// Print JSON alone
    #[arg(long)]
    json: bool,
}

pub(super) fn allocate(args: &Args) -> Result<(), Failure> {
    let (answer, json) = match args {
        Args::Calls(it) => (calls(it), it.json),
        Args::Labels(it) => (labels(it), it.json),
        Args::Classes(it) => (classes(it), it.json),
        Args::Judges(it) => (judges(it), it.json),
    };
    let answer = answer.map_err(|why| Failure::User(format!("allocate: {why}.")))?;
    super::print(&if json { answer.json() } else { answer.text() })
}

fn calls(it: &Calls) -> Result<Allocation, &'static str> {
    let components = Components {
        item: it.pair_variance,
        judge: it.judge_variance,
        item_judge: it.pair_judge_variance,
        repeat: it.repeat_variance,
    };
    let costs = Costs { item: it.pair_cost, call: it.call_cost };
    let best = allocation::best(&components, &costs, it.budget, it.judges)?;
    let error = |design: &Design| libm::sqrt(components.variance(design));
    let mut answer = vec![format!(
        "Ask {} about {} pairs, {} each: the standard error is {:.5}.",
        counted(best.judges, "judge"),
        best.items,
        if best.repeats == 1 { "once".to_owned() } else { format!("{} times", best.repeats) },
        error(&best)
    )];
    let real = components.best_repeats(&costs);
    answer.push(if it.pair_cost == 0.0 {
        "Pairs cost nothing here but their calls, so a new pair is always worth more than a repeat."
            .to_owned()
    } else {
        format!("For one judge the best number of repeats is {real:.2} before rounding.")
    });
    if 0.0 < it.judge_variance {
        let floor = libm::sqrt(it.judge_variance / best.judges as f64);
        answer.push(format!(
            "However many pairs are asked, the error stays above {floor:.5}: the judges themselves differ."
        ));
    }
    let mut rows = Vec::new();
    let most = it.judges.clamp(1, MOST_JUDGES);
    let near = |at: u64, most: u64| at.saturating_sub(1).max(1)..=(at + 2).min(most);
    for judges in near(best.judges, most) {
        for repeats in near(best.repeats, u64::MAX) {
            let items = costs.items(it.budget, judges, repeats);
            let design = Design { items, judges, repeats };
            if 1 < items {
                let mark = if design == best { " *" } else { "" };
                rows.push(Way {
                    name: format!("{} x {repeats}{mark}", counted(judges, "judge")),
                    values: [items as f64, costs.of(&design), error(&design)].map(Some).to_vec(),
                });
            }
        }
    }
    Ok(Allocation {
        question: "calls",
        answer,
        best: vec![
            ("pairs", best.items as f64),
            ("judges", best.judges as f64),
            ("repeats", best.repeats as f64),
            ("standard_error", error(&best)),
        ],
        columns: vec!["pairs", "cost", "standard error"],
        rows,
    })
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn labels(it: &Labels) -> Result<Allocation, &'static str> {
    let found = allocation::labels(it.correlation, it.label_cost, it.call_cost, it.budget)?;
    let square = it.correlation * it.correlation;
    let alone = libm::floor(it.budget / it.label_cost);
    let answer = vec![
        format!(
            "Label {} items and let the judge grade {} further ones: as precise as {:.0} labels alone, where the budget buys {alone}.",
            found.labelled, found.unlabelled, found.effective
        ),
        format!(
            "At this correlation no number of calls is worth more than a factor of {:.3}.",
            1.0 / (1.0 - square)
        ),
    ];
    let way = |name: String, n: f64, all: f64| Way {
        name,
        values: vec![
            Some(n),
            Some(all - n),
            Some(n * it.label_cost + all * it.call_cost),
            Some(1.0 / ((1.0 - square) / n + square / all)),
        ],
    };
    let mut rows = vec![way(
        "best *".to_owned(),
        found.labelled as f64,
        (found.labelled + found.unlabelled) as f64,
    )];
    for share in [0.25, 0.5, 0.75] {
        let n = libm::floor(it.budget * share / (it.label_cost + it.call_cost));
        let all = libm::floor((it.budget - n * it.label_cost) / it.call_cost);
        if 1.0 < n {
            rows.push(way(format!("{} % on labels", 100.0 * share), n, all.max(n)));
        }
    }
    Ok(Allocation {
        question: "labels",
        answer,
        best: vec![
            ("labels", found.labelled as f64),
            ("calls_only", found.unlabelled as f64),
            ("effective_labels", found.effective),
            ("left", found.left),
        ],
        columns: vec!["labelled", "graded only", "cost", "worth so many labels"],
        rows,
    })
}

fn classes(it: &Classes) -> Result<Allocation, &'static str> {
    let rates = Known { sensitivity: it.sensitivity, specificity: it.specificity };
    let theta = rates.corrected(it.rate)?;
    if !(0.0..=1.0).contains(&theta) {
        return Err(
            "no true rate gives the judge such a pass rate at this sensitivity and specificity",
        );
    }
    let best = neyman(it.labels, theta, &rates)?;
    let half = Split { passes: it.labels / 2, fails: it.labels - it.labels / 2 };
    let error = |split: Split| label_variance(split, theta, &rates).map(libm::sqrt);
    let least = error(best)?;
    let mut rows = Vec::new();
    let mut way = |name: &str, split: Split| {
        if let Ok(error) = error(split) {
            let excess = error * error / (least * least) - 1.0;
            rows.push(Way {
                name: name.to_owned(),
                values: [split.passes as f64, split.fails as f64, error, 100.0 * excess]
                    .map(|it| it.is_finite().then_some(it))
                    .to_vec(),
            });
        }
    };
    way("best (Neyman) *", best);
    if let Ok(split) = published(it.labels, it.rate, &rates, it.pilot) {
        way(&format!("Lee et al. (2025), pilot of {}", it.pilot), split);
    }
    way("half and half", half);
    Ok(Allocation {
        question: "classes",
        answer: vec![format!(
            "Label {} items that truly pass and {} that truly fail; a true rate of {theta:.4} is behind the {} that the judge passes. \
             Labels then add {least:.5} to the standard error (in squares). The true classes are not known beforehand: take the \
             numbers from a pilot, or sample by the judge's grade.",
            best.passes, best.fails, it.rate
        )],
        best: vec![
            ("true_passes", best.passes as f64),
            ("true_fails", best.fails as f64),
            ("standard_error", least),
        ],
        columns: vec!["true passes", "true fails", "error by labels", "more variance, %"],
        rows,
    })
}

fn judges(it: &Panel) -> Result<Allocation, &'static str> {
    let [now, more] =
        [it.judges, it.judges.saturating_add(1)].map(|k| effective_judges(k, it.correlation));
    let (now, more) = (now?, more?);
    let mut answer = vec![format!(
        "{} with errors that correlate by {} are worth {now:.3} independent ones; one more adds {:.3}.",
        counted(it.judges, "judge"),
        it.correlation,
        more - now
    )];
    if 0.0 < it.correlation {
        let limit = 1.0 / it.correlation;
        answer.push(format!("No panel of such judges is worth more than {limit:.3}."));
    }
    let known = [1, 2, 3, 5, 9, 15, 25, it.judges, it.judges.saturating_add(1)];
    let sizes: std::collections::BTreeSet<u64> = known.into_iter().collect();
    let rows = sizes.into_iter().filter_map(|k| {
        let worth = effective_judges(k, it.correlation).ok()?;
        let next = effective_judges(k + 1, it.correlation).ok();
        let mark = if k == it.judges { " *" } else { "" };
        Some(Way {
            name: format!("{}{mark}", counted(k, "judge")),
            values: vec![Some(worth), next.map(|it| it - worth), Some(worth / k as f64)],
        })
    });
    Ok(Allocation {
        question: "judges",
        answer,
        best: vec![("effective_judges", now), ("one_more_adds", more - now)],
        columns: vec!["worth", "one more adds", "worth a judge"],
        rows: rows.collect(),
    })
}
