//! The English that a reply is read by: words that announce a verdict, and words that take it back.

/// Words that announce a verdict: "Winner: A", "the final verdict is B", "the better answer is A".
pub(super) const LABELS: [&str; 13] = [
    "verdict",
    "grade",
    "judgment",
    "judgement",
    "decision",
    "winner",
    "result",
    "conclusion",
    "choice",
    "preference",
    "better",
    "best",
    "boxed",
];
/// Words that announce one without a sign or verb between.
pub(super) const PICKS: [&str; 6] = ["prefer", "choose", "pick", "select", "favor", "favour"];
/// Words that may stand around an announcement.
pub(super) const FILLERS: [&str; 16] = [
    "my",
    "the",
    "final",
    "overall",
    "therefore",
    "thus",
    "so",
    "hence",
    "i",
    "would",
    "be",
    "is",
    "was",
    "'s",
    "that",
    "then",
];
/// Words behind which another clause begins; "and" does not end the reach of a "not".
pub(super) const TURNS: [&str; 10] =
    ["but", "yet", "however", "although", "though", "while", "whereas", "because", "so", "since"];
/// Words that make a clause a condition, a wish, a guess or the word of another.
pub(super) const HEDGES: [&str; 20] = [
    "if", "whether", "would", "could", "should", "might", "may", "must", "unless", "when",
    "unclear", "doubt", "doubtful", "unlikely", "perhaps", "maybe", "claims", "claimed", "says",
    "said",
];
/// Words that turn a verdict round, beside those in "n't".
const NEGATORS: [&str; 10] =
    ["not", "cannot", "never", "neither", "nor", "non", "nothing", "hardly", "nobody", "without"];
/// Words behind a verdict that take it back.
pub(super) const CONDITIONS: [&str; 8] =
    ["if", "when", "unless", "otherwise", "only", "for", "means", "or"];
/// A described thing is not graded: "the correct answer is Paris".
pub(super) const DETERMINERS: [&str; 9] =
    ["the", "a", "an", "no", "any", "some", "every", "which", "what"];
/// Half praise is no grade: "partly", "close to", "far from", "less than", "by no means" correct.
pub(super) const PARTLY: [&str; 14] = [
    "partially",
    "partly",
    "mostly",
    "almost",
    "nearly",
    "somewhat",
    "half",
    "largely",
    "to",
    "from",
    "than",
    "of",
    "means",
    "longer",
];
/// Words that name what is offered side by side.
pub(super) const CONNECTORS: [&str; 5] = ["or", "and", "nor", "vs", "versus"];
/// Verbs of a statement: "Assistant A gives the better answer".
pub(super) const VERBS: [&str; 15] = [
    "is",
    "'s",
    "was",
    "wins",
    "won",
    "performs",
    "performed",
    "does",
    "did",
    "provides",
    "provided",
    "gives",
    "gave",
    "offers",
    "offered",
];
/// What a statement says of the answer that it prefers.
pub(super) const PRAISE: [&str; 9] =
    ["better", "best", "superior", "stronger", "preferable", "preferred", "winner", "wins", "won"];
/// What it says of the other.
pub(super) const BLAME: [&str; 4] = ["worse", "worst", "inferior", "weaker"];

/// Whether a word is or ends in a "not".
pub(super) fn negates(word: &str) -> bool {
    NEGATORS.contains(&word) || word.ends_with("n't")
}

/// Whether every word before a colon only announces a verdict: "Final verdict: CORRECT".
pub(super) fn announces(text: &str) -> bool {
    let known = |word: &str| [&LABELS[..], &FILLERS, &["answer"]].concat().contains(&word);
    let words = text.to_lowercase();
    let mut words =
        words.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).peekable();
    words.peek().is_some() && words.all(known)
}
