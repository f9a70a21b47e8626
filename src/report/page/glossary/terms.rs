//! The words and their meanings, in the order in which a page lists them.

/// The name of its place, the words that link to it, and what it means.
pub(super) struct Term {
    pub(super) id: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) meaning: &'static str,
}

pub(super) const TERMS: &[Term] = &[
    Term {
        id: "without-a-label",
        names: &["without a label"],
        meaning: "What three or more judges tell of each other where nobody knows the truth, if their errors are independent given \
                  the truth (Dawid and Skene 1979): how often each is right, and how often it says a class of the cases that are \
                  of that class.",
    },
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
        names: &["smallest detectable", "smallest detectable effect", "detectable"],
        meaning: "The smallest effect that this test, with these pairs or cases, sees four times in five.",
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
    Term {
        id: "p",
        names: &["p", "p-value"],
        meaning: "How likely it is, if there is no effect, that the data lie as far from it as they do, or farther.",
    },
    Term {
        id: "adjusted",
        names: &["Holm", "BH"],
        meaning: "p-values that allow for the number of tests: Holm's bound the chance of a single false alarm, \
                  Benjamini and Hochberg's the share of false alarms among those that reject.",
    },
    Term {
        id: "exact",
        names: &["exact"],
        meaning: "Summed over everything that can happen: no Monte Carlo error.",
    },
    Term {
        id: "ff",
        names: &["FF", "SS"],
        meaning: "Pairs whose verdict follows the slot: the answer shown first won in both orders (FF), or the one \
                  shown second (SS).",
    },
    Term {
        id: "discordant",
        names: &["discordant"],
        meaning: "Cases on which two systems, or two orders, come out differently; only these tell the two apart.",
    },
    Term {
        id: "invalid",
        names: &["invalid", "no verdict"],
        meaning: "Replies that are no verdict or no grade, or pairs with such a reply.",
    },
    Term {
        id: "position",
        names: &["position preference", "position"],
        meaning: "What being shown first is worth to a judge, in log-odds; below 0 it prefers the second slot.",
    },
    Term {
        id: "haldane",
        names: &["Haldane"],
        meaning: "Half a flip added to both directions: a finite estimate where all flips go one way.",
    },
    Term {
        id: "clopper",
        names: &["Clopper-Pearson"],
        meaning: "Exact limits of a share, from the binomial law; rather too wide than too narrow.",
    },
    Term {
        id: "shi",
        names: &["position consistency", "preference fairness"],
        meaning: "By Shi and others (2024): the share of pairs with the same verdict in both orders, and SS minus FF \
                  as a share of the pairs.",
    },
    Term {
        id: "share",
        names: &["first-slot share"],
        meaning: "The share of verdicts won by the answer shown first, a tie as half; of two judges, the difference.",
    },
    Term {
        id: "length-slope",
        names: &["length slope"],
        meaning: "What a doubling of an answer's length is worth to a judge, in log-odds or score points; of two \
                  judges, the difference.",
    },
    Term {
        id: "self",
        names: &["self-preference"],
        meaning: "How much more often a judge's own system wins by its verdicts than by those of third parties on the \
                  same pairs.",
    },
    Term {
        id: "win-rate",
        names: &["win rate"],
        meaning: "The share of pairs that a system wins; the convention says how the verdicts of the two orders are \
                  put together.",
    },
    Term {
        id: "convention",
        names: &["convention"],
        meaning: "How two orders make one win rate: averaged counts each order by itself, a tie as half; conservative \
                  makes a tie of every pair that is not won twice; majority lets a win beside a tie count; agreed \
                  leaves out pairs whose orders disagree; shown-first and shown-second count one order.",
    },
    Term { id: "wlt", names: &["w/l/t"], meaning: "Wins, losses and ties, in pairs." },
    Term {
        id: "label",
        names: &["label", "against the label"],
        meaning: "What is held to be right: people's verdict or grade, where the file has one.",
    },
    Term {
        id: "accuracy",
        names: &["accuracy"],
        meaning: "The share of verdicts that agree with the label; of two judges, the difference.",
    },
    Term {
        id: "kappa",
        names: &["kappa"],
        meaning: "Cohen's kappa: the agreement beyond that of two raters who give each verdict as often as these do, \
                  but by chance. 0 is chance, 1 is full agreement.",
    },
    Term {
        id: "most",
        names: &["most"],
        meaning: "The largest kappa that two raters can reach who give each verdict as often as these do.",
    },
    Term {
        id: "ac1",
        names: &["AC1"],
        meaning: "Gwet's AC1: agreement beyond chance where chance is taken from how mixed the verdicts are; it does \
                  not collapse as kappa does where one verdict is rare.",
    },
    Term {
        id: "mcc",
        names: &["MCC"],
        meaning: "Matthews' correlation of verdict and label: 0 is chance, 1 is full agreement.",
    },
    Term {
        id: "sensitivity",
        names: &["sensitivity", "specificity"],
        meaning: "The share of what should pass that is passed, and of what should fail that is failed. Of \
                  comparisons, the same with the first of the two verdicts as the pass.",
    },
    Term {
        id: "prevalence",
        names: &["prevalence"],
        meaning: "The share that the label says should pass, or that it gives to the first of the two.",
    },
    Term {
        id: "youden",
        names: &["Youden's J"],
        meaning: "Sensitivity + specificity - 1: 0 for a judge that tosses a coin.",
    },
    Term {
        id: "corrected",
        names: &["corrected"],
        meaning: "The pass rate with the judge's errors, as they show on labelled cases, taken out.",
    },
    Term {
        id: "grade",
        names: &["mean grade"],
        meaning: "The mean over cases of their grades; of pass or fail, the pass rate. The case is the unit.",
    },
    Term {
        id: "difference",
        names: &["difference"],
        meaning: "The first minus the second, on the same cases.",
    },
    Term {
        id: "agree",
        names: &["agree"],
        meaning: "The share of presentations on which two judges say the same.",
    },
    Term {
        id: "alpha",
        names: &["Krippendorff's alpha", "Fleiss' kappa"],
        meaning: "Agreement of several raters beyond chance: 0 is chance, 1 is full agreement.",
    },
    Term {
        id: "strength",
        names: &["strength"],
        meaning: "By Bradley and Terry's model: log-odds above the mean of the systems. Held means: with the named \
                  biases of the judge held at 0.",
    },
    Term {
        id: "ranks",
        names: &["ranks"],
        meaning: "The best and the worst rank of a system that these verdicts do not rule out.",
    },
    Term {
        id: "conflicting",
        names: &["conflicting"],
        meaning: "Free texts that name two different verdicts; they count as no verdict.",
    },
    Term {
        id: "contradicted",
        names: &["contradicted", "duplicates"],
        meaning: "Verdicts on a presentation that had one already, with another word or with the same; both are left \
                  out.",
    },
    Term {
        id: "numbered",
        names: &["numbered repeats"],
        meaning: "Askings of the same presentation that the file does not number; they were numbered as repeats in \
                  their order.",
    },
];
