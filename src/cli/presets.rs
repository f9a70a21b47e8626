//! Published judges as presets: what `judgelab fit` says of public files of verdicts.

use std::fmt::Write;

use super::error::Failure;

/// A coefficient of a published judge: its key, its value, and its standard error where it has one.
type Fitted = (&'static str, f64, Option<f64>);

/// A published judge.
#[derive(Debug)]
pub(super) struct Preset {
    /// What it is asked for by, model and prompt.
    pub name: &'static str,
    source: &'static str,
    pairs: &'static str,
    /// What a unit of the ability is.
    scale: &'static str,
    /// The world: who is better, and the spread of the answers' lengths.
    better: &'static str,
    log_normal: f64,
    judge: &'static [Fitted],
}

impl Preset {
    /// What it is, in a line.
    pub(super) fn summary(&self) -> String {
        format!("fitted to {}, {}", self.pairs, self.source)
    }

    /// A scenario whose judge it is.
    pub(super) fn scenario(&self) -> String {
        let mut judge = String::new();
        for (key, value, error) in self.judge {
            let told = error.map(|error| format!("  # standard error {error}")).unwrap_or_default();
            let _ = writeln!(judge, "{key} = {value:?}{told}");
        }
        format!(
            "# The judge {name}, fitted by `judgelab fit` to {pairs}.\n# Source of the verdicts: {source}.\n\
             # Scale: {scale} Length: log-odds a doubling. Logistic link, maximum likelihood.\n\n\
             question = \"How often would the winner change with the order under this judge, and how much of that is bias?\"\n\
             seed = 1\nreplicates = 2000\n\n\
             [world.sampled]\npairs = 100\nbetter = {better}\nlength = {{ log-normal = {log_normal:?} }}  # as in the file\n\n\
             [judges.\"{name}\".pairwise]\n{judge}\n[protocol]\norders = \"both\"\n\n\
             [estimate]\nrules = [\"flip-rate\", \"first-share\", \"win-rate\", \"agreed-pairs\", \"position-effect\"]\n",
            name = self.name,
            pairs = self.pairs,
            source = self.source,
            scale = self.scale,
            better = self.better,
            log_normal = self.log_normal,
        )
    }
}

/// The preset of a name.
pub(super) fn preset(name: &str) -> Result<&'static Preset, Failure> {
    PRESETS.iter().find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|it| it.name).collect();
        Failure::User(format!(
            "--judge {name}: no published judge has this name; they are {}.",
            names.join(", ")
        ))
    })
}

const LABELLED: &str =
    "ability in log-odds for the answer that the label calls better; a true difference of 1 or -1.";
const UNLABELLED: &str = "no label tells quality, so ability is the lead of the first system, in log-odds, and a liking for it is not told apart.";

/// Published judges that a logistic fit describes: files simulated from each are like the real one in every figure of `fit`.
pub(super) const PRESETS: [Preset; 8] = [
    Preset {
        name: "chatgpt-vanilla",
        source: "github.com/princeton-nlp/LLMBar, MIT, set Natural, ChatGPT with the prompt Vanilla_NoRules",
        pairs: "100 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 0.61,
        judge: &[
            ("ability", 2.2898, Some(0.5600)),
            ("position", 1.3573, Some(0.3656)),
            ("length", 0.2231, Some(0.2282)),
            ("taste", 1.6991, Some(0.7132)),
        ],
    },
    Preset {
        name: "palm2-vanilla",
        source: "github.com/princeton-nlp/LLMBar, MIT, set Natural, PaLM2 with the prompt Vanilla_NoRules",
        pairs: "100 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 0.61,
        judge: &[
            ("ability", 3.0359, Some(0.7226)),
            ("position", 0.3936, Some(0.2694)),
            ("length", 0.5644, Some(0.3073)),
            ("taste", 2.2703, Some(0.7585)),
            ("invalid", 0.03, Some(0.0121)),
        ],
    },
    Preset {
        name: "llama2-vanilla",
        source: "github.com/princeton-nlp/LLMBar, MIT, set Natural, LLaMA2 with the prompt Vanilla_NoRules",
        pairs: "100 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 0.61,
        judge: &[
            ("ability", 1.7479, Some(0.3561)),
            ("position", 0.5048, Some(0.2217)),
            ("length", 1.1963, Some(0.2928)),
            ("taste", 0.9674, Some(0.5528)),
        ],
    },
    Preset {
        name: "gpt-4-vanilla-adversarial",
        source: "github.com/princeton-nlp/LLMBar, MIT, set GPTInst, GPT-4 with the prompt Vanilla_NoRules",
        pairs: "92 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 1.03,
        judge: &[
            ("ability", 6.3097, Some(2.2581)),
            ("position", 0.3457, Some(0.3531)),
            ("length", 1.1983, Some(0.6618)),
            ("taste", 5.9179, Some(2.0590)),
        ],
    },
    Preset {
        name: "palm2-vanilla-adversarial",
        source: "github.com/princeton-nlp/LLMBar, MIT, set GPTInst, PaLM2 with the prompt Vanilla_NoRules",
        pairs: "92 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 1.03,
        judge: &[
            ("ability", 2.1808, Some(0.5836)),
            ("position", 0.0145, Some(0.2127)),
            ("length", 0.5721, Some(0.2328)),
            ("taste", 2.0352, Some(0.5968)),
            ("invalid", 0.0326, Some(0.0131)),
        ],
    },
    Preset {
        name: "llama2-vanilla-adversarial",
        source: "github.com/princeton-nlp/LLMBar, MIT, set GPTInst, LLaMA2 with the prompt Vanilla_NoRules",
        pairs: "92 pairs in both orders, with labels",
        scale: LABELLED,
        better: "0.5",
        log_normal: 1.03,
        judge: &[
            ("ability", -0.4354, Some(0.3651)),
            ("position", 0.8281, Some(0.2760)),
            ("length", 1.1601, Some(0.3174)),
            ("taste", 1.4984, Some(0.6086)),
            ("invalid", 0.0054, Some(0.0054)),
        ],
    },
    Preset {
        name: "claude-3-haiku",
        source: "github.com/Slimshilin/Position-Bias-Analyzer, MIT, MT-Bench, claude-3-haiku-20240307",
        pairs: "96 pairs in both orders, three times each",
        scale: UNLABELLED,
        better: "\"first\"",
        log_normal: 0.97,
        judge: &[
            ("ability", 1.5713, Some(0.2830)),
            ("position", -0.8843, Some(0.1435)),
            ("length", 0.7719, Some(0.1553)),
            ("taste", 2.0373, Some(0.3078)),
            ("ties", 0.1736, Some(0.0361)),
            ("invalid", 0.0017, Some(0.0017)),
        ],
    },
    Preset {
        name: "gemini-pro",
        source: "github.com/Slimshilin/Position-Bias-Analyzer, MIT, MT-Bench, gemini-pro",
        pairs: "96 pairs in both orders, three times each",
        scale: UNLABELLED,
        better: "\"first\"",
        log_normal: 0.97,
        judge: &[
            ("ability", 2.2884, Some(0.4240)),
            ("position", -1.4636, Some(0.1915)),
            ("length", 0.4968, Some(0.1957)),
            ("taste", 3.1425, Some(0.4571)),
            ("ties", 0.2322, Some(0.0483)),
            ("invalid", 0.0035, Some(0.0025)),
        ],
    },
];

#[cfg(test)]
mod tests {
    use judgelab::scenario::Plan;

    use super::*;

    #[test]
    fn every_preset_is_a_scenario_that_runs() {
        for it in &PRESETS {
            let text = it.scenario();
            let plan = Plan::from_toml(&text, &mut |_| Err(String::new()))
                .unwrap_or_else(|why| panic!("{why}\n{text}"));
            assert_eq!(&*plan.tasks[0].judge, it.name);
            assert!(text.contains("MIT") && text.contains("standard error"), "{text}");
        }
        assert!(preset("nobody").is_err());
    }
}
