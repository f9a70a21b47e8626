//! One line for each word that a table or an answer uses without explaining it.

use maud::{Markup, html};

/// The name of its place, the words that link to it, and what it means.
struct Term {
    id: &'static str,
    names: &'static [&'static str],
    meaning: &'static str,
}

const TERMS: &[Term] = &[
    Term {
        id: "estimand",
        names: &["should say", "estimand"],
        meaning: "What the rule says of the answers that are expected, without chance: the number that its estimates scatter about, \
                  and that bias and coverage refer to.",
    },
    Term {
        id: "fair",
        names: &["fair judge", "fair"],
        meaning: "What the rule would say if the judge had no preference for a position, a length or its own answers, with its \
                  ability and its ties as they are.",
    },
    Term {
        id: "floor",
        names: &["noise floor"],
        meaning: "The flips that noise alone makes: the same judge without a preference for a position.",
    },
    Term {
        id: "truth",
        names: &["truth"],
        meaning: "The world's own value, such as the share of pairs in which the first system is truly better.",
    },
    Term {
        id: "mean",
        names: &["mean"],
        meaning: "The average estimate over the replicates in which it is defined.",
    },
    Term {
        id: "bias",
        names: &["bias"],
        meaning: "The mean estimate minus what the rule should say.",
    },
    Term {
        id: "sd",
        names: &["sd"],
        meaning: "The standard deviation of the estimates over replicates: their true standard error.",
    },
    Term {
        id: "rmse",
        names: &["rmse"],
        meaning: "The root of the mean squared distance from what the rule should say.",
    },
    Term {
        id: "coverage",
        names: &["coverage"],
        meaning: "The share of replicates whose interval holds what the rule should say; an honest 95 % interval does so in 95 %.",
    },
    Term {
        id: "power",
        names: &["rejects", "power"],
        meaning: "The share of replicates whose test rejects \"no effect\": the power where there is an effect, the size where there is \
                  none.",
    },
    Term {
        id: "defined",
        names: &["defined"],
        meaning: "The share of replicates in which there is an estimate at all; ten flips all one way have no finite effect.",
    },
    Term {
        id: "mcse",
        names: &["MCSE", "±"],
        meaning: "Monte Carlo standard error: how far a simulated number would move if all replicates were drawn again. Numbers \
                  without it are exact.",
    },
    Term {
        id: "smallest",
        names: &["smallest detectable", "smallest detectable effect"],
        meaning: "The smallest effect that this test, with these pairs, sees four times in five.",
    },
    Term {
        id: "variant",
        names: &["variant"],
        meaning: "Which interval, test or convention of the rule; the shaded one is the one to rely on.",
    },
    Term {
        id: "log-odds",
        names: &["log-odds"],
        meaning: "The logarithm of the odds p / (1 - p): 0 is even, 1 turns an even choice into 73 %.",
    },
    Term {
        id: "flip",
        names: &["flip", "flip rate"],
        meaning: "A pair whose winner changes with the order in which its answers are shown.",
    },
    Term {
        id: "mid-p",
        names: &["mid-p"],
        meaning: "An exact test that counts half of the probability of what was seen; it keeps its level on average and wastes less \
                  power than the exact test.",
    },
    Term {
        id: "replicate",
        names: &["replicate", "replicates"],
        meaning: "One run of the whole study with new chance: every decision drawn anew.",
    },
];

/// The words, linked to their meaning where they have one.
pub(super) fn linked(words: &str) -> Markup {
    let term = TERMS.iter().find(|it| it.names.contains(&words));
    html! {
        @if let Some(term) = term { a href={ "#word-" (term.id) } { (words) } } @else { (words) }
    }
}

/// The list of all words.
pub(super) fn all() -> Markup {
    html! {
        dl {
            @for term in TERMS {
                dt id={ "word-" (term.id) } { (term.names.join(", ")) }
                dd { (term.meaning) }
            }
        }
    }
}
