//! Self-preference: what a judge gives its own answers beyond what a third party gives them, on the same pairs.

use super::share::{ANY, SHARE, SUMS, averaged, ratio, step, value};
use super::{Estimator, Limits, Quick, Scale, Settings, Undefined};
use crate::evidence::{Asked, Item, Judges, Needs, Reading, Sums};
use crate::stats::special::{normal_quantile, phi_upper};

/// Points of A by the own judge minus points of A by the third party, both averaged over the orders.
static GAPS: Reading = Reading {
    name: "own minus third party",
    sums: SUMS,
    step: |it: &Item<'_>| {
        let [own, third] = [0, 1].map(|judge: usize| {
            let answers = it.answers[judge];
            averaged(answers.ab, answers.ba.turned())
        });
        let ([_, w1, x1, ..], [_, w2, x2, ..]) = (own.0, third.0);
        let asked = it.answers.iter().flat_map(|answers| [answers.ab, answers.ba]);
        if asked.into_iter().all(|votes| votes.valid() + i64::from(votes.invalid) == 1) {
            // A pair in which a verdict is invalid has a weight of 0.
            return step(x1 - x2, w1.min(w2), false);
        }
        // With repeats a pair weighs by the product of its valid verdicts, the same for a pair that lost some.
        step(x1 * w2 - x2 * w1, w1 * w2, true)
    },
};

/// The mean over pairs of A's win rate by its own judge minus A's win rate by a third party (difference in
/// differences, Panickssery et al. 2024, in the form of a paired z test).
pub(super) static SELF_PREFERENCE: Estimator = Estimator {
    rule: "self-preference",
    variant: "",
    summary: "win rate of A by its own judge minus that by a third party, both orders averaged",
    method: "paired z test and interval over pairs, sd with n - 1; without variation nothing is rejected",
    scale: Scale::Difference,
    null: Some(0.0),
    needs: Needs { asked: &[Asked::Both], judges: Judges::OwnAndThird, ..ANY },
    reads: &GAPS,
    value,
    limits: z_limits,
    quick: Some(Quick { lanes: &[0, 1, 2, 3, 4, 5], p: z_test }),
    ..SHARE
};

fn z_test(sums: &Sums) -> Result<f64, Undefined> {
    let ratio = ratio(sums);
    let error = ratio.error().map_err(Undefined)?;
    Ok(2.0 * phi_upper(libm::fabs(ratio.x / ratio.w) / error))
}

fn z_limits(sums: &Sums, settings: &Settings) -> Limits {
    let ratio = ratio(sums);
    match ratio.error() {
        Ok(error) => {
            let mean = ratio.x / ratio.w;
            let half = normal_quantile(0.5 + settings.level.get() / 2.0) * error;
            Limits { low: mean - half, high: mean + half, p: z_test(sums) }
        }
        Err(why) => Limits::none(why),
    }
}
