//! Two raters' agreement beyond chance: Cohen's kappa against a value, by Cantor's sample sizes.

use std::collections::BTreeMap;

use super::Impossible;
use super::prepared::{Also, Powers, Prepared};
use super::question::{Question, Test};
use crate::exact::{Power, tables};
use crate::stats::kappa::cohen_kappa;
use crate::stats::sample_size::{cantor, donner_eliasziw, kappa_variance, raters};
use crate::stats::special::normal_quantile;

/// The normal quantile of the test, by its sides.
fn quantile(question: &Question) -> f64 {
    let level = question.level.get();
    normal_quantile(if question.one_sided { level } else { 0.5 + level / 2.0 })
}

/// Powers of the z test of kappa with the error at the null, over all tables of two raters.
struct Kappa {
    margins: [f64; 2],
    null: f64,
    za: f64,
    one_sided: bool,
}

impl Kappa {
    /// One side is that of the kappa that is true.
    fn rejects(&self, table: [u64; 4], n: u64, below: bool) -> bool {
        let [both, first, second, neither] = table.map(|it| it as f64);
        let Ok(kappa) = cohen_kappa(&[[both, first], [second, neither]]) else { return false };
        let Some(spread) = raters(self.margins, self.null).map(kappa_variance) else {
            return false;
        };
        let z = (kappa.value - self.null) * libm::sqrt(n as f64 / spread);
        self.za
            <= match (self.one_sided, below) {
                (false, _) => libm::fabs(z),
                (true, false) => z,
                (true, true) => -z,
            }
    }
}

impl Powers for Kappa {
    fn power(&mut self, kappa: f64, size: u64) -> Result<Option<Power>, Impossible> {
        let Some(law) = raters(self.margins, kappa).filter(|_| size <= tables::MOST_ITEMS) else {
            return Ok(None);
        };
        Ok(Some(tables::two_raters(size, law, |table| {
            self.rejects(table, size, kappa < self.null)
        })))
    }

    fn size(&mut self, _: f64, size: u64) -> Result<Option<Power>, Impossible> {
        self.power(self.null, size)
    }
}

pub(super) fn prepare(question: &Question) -> Result<Prepared, Impossible> {
    if question.test() != Test::Z {
        return Err(Impossible::because(
            "kappa is tested by a z test and planned by Cantor's formula; give --test z.",
        ));
    }
    let (margins, null) = (question.margins, question.kappa);
    if margins.iter().any(|p| !(0.0 < *p && *p < 1.0)) {
        return Err(Impossible::because(
            "the raters' shares of \"yes\" lie above 0 and below 1; with fewer classes there is no kappa.",
        ));
    }
    if raters(margins, null).is_none() || 1.0 <= null {
        return Err(Impossible(format!(
            "raters with these shares of \"yes\" cannot have a kappa of {null}."
        )));
    }
    // The largest kappa that the margins leave room for: the rarer "yes" always agreed on.
    let [p, q] = margins;
    let chance = p * q + (1.0 - p) * (1.0 - q);
    let agreed = 1.0 - libm::fabs(p - q);
    let most = (agreed - chance) / (1.0 - chance);
    let least = ((libm::fabs(p + q - 1.0) - chance) / (1.0 - chance)).max(-1.0);
    let za = quantile(question);
    let sided = if question.one_sided { "one-sided" } else { "two-sided" };
    Ok(Prepared {
        powers: Box::new(Kappa { margins, null, za, one_sided: question.one_sided }),
        known: BTreeMap::new(),
        effect: "kappa",
        unit: "kappa",
        counted: "items",
        null,
        least_effect: least,
        most_effect: most,
        beyond: format!("with these shares of \"yes\" it lies between {least:.4} and {most:.4}"),
        step: (most - null) / 64.0,
        most: None,
        rule: format!("z test of Cohen's kappa with its error at the null, {sided} (Cantor 1996)"),
        approximate: Box::new(move |kappa, n| cantor(margins, null, kappa, n, za)),
        in_units: Box::new(|_| Vec::new()),
        assumed: vec![
            ("null", format!("kappa {null}")),
            ("shares of \"yes\"", format!("{p} and {q}")),
            ("sides", sided.to_owned()),
        ],
    })
}

/// Donner and Eliasziw's sample size, which is two-sided, and for one prevalence only.
pub(super) fn published(question: &Question, kappa: f64) -> Vec<Also> {
    let [p, q] = question.margins;
    if p.to_bits() != q.to_bits() {
        return Vec::new();
    }
    let za = normal_quantile(0.5 + question.level.get() / 2.0);
    let n = donner_eliasziw(p, question.kappa, kappa, za, normal_quantile(question.power));
    let name = "goodness-of-fit test, two-sided (Donner and Eliasziw 1992)".to_owned();
    vec![Also { name, value: libm::ceil(n), unit: "items" }]
}
