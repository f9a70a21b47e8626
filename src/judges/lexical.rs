//! Lexical metrics: how far an answer repeats the words of a reference. Real programs, without chance and without a model.
//!
//! Texts are normalised as for `SQuAD` (Rajpurkar et al. 2016, section 6.1): lower case, punctuation deleted, the articles
//! *a*, *an* and *the* left out, white space folded. Two departures: punctuation beyond ASCII is deleted too, and a text of
//! articles alone keeps them, so that the option letter "A" is not the empty answer. Unicode is not recomposed: an accented
//! letter equals the same letter only in the same encoding.
//!
//! No metric reads meaning. One word that turns a claim around costs next to nothing, and the right claim in other words
//! earns next to nothing: that is what the scores are here to show.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is compared of an answer and its reference.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The same words in the same order.
    #[serde(rename = "exact-match")]
    Exact,
    /// Shared words, in any order.
    TokenF1,
    /// Shared words, in the same order.
    LcsF1,
}

impl Metric {
    /// Every metric, the strictest first.
    pub const ALL: [Metric; 3] = [Metric::Exact, Metric::LcsF1, Metric::TokenF1];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Exact => "exact match",
            Metric::TokenF1 => "token F1",
            Metric::LcsF1 => "LCS F1",
        }
    }

    /// The score of an answer, in 0..=1.
    #[must_use]
    pub fn score(self, answer: &str, reference: &str) -> f64 {
        match self {
            Metric::Exact => exact_match(answer, reference),
            Metric::TokenF1 => token_f1(answer, reference),
            Metric::LcsF1 => lcs_f1(answer, reference),
        }
    }
}

/// Whether a score passes: it reaches the threshold. A score that is no number never does.
#[must_use]
pub fn passes(score: f64, threshold: f64) -> bool {
    threshold <= score
}

/// The words that are compared, normalised, in their order.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let kept: String = text.to_lowercase().chars().filter(|c| !is_punctuation(*c)).collect();
    let content: Vec<_> =
        kept.split_whitespace().filter(|it| !is_article(it)).map(str::to_owned).collect();
    if content.is_empty() { kept.split_whitespace().map(str::to_owned).collect() } else { content }
}

/// 1 when the normalised texts are equal, two empty ones included, else 0.
#[must_use]
pub fn exact_match(answer: &str, reference: &str) -> f64 {
    f64::from(u8::from(tokens(answer) == tokens(reference)))
}

/// Harmonic mean of the share of the answer's words that the reference has and the share of the reference's words that the
/// answer has, repeated words counted as often as both have them: 2 overlap / (words of both), in 0..=1.
///
/// Two empty texts score 1, an empty text against another 0. Rajpurkar et al. (2016), section 6.1.
#[must_use]
pub fn token_f1(answer: &str, reference: &str) -> f64 {
    let (answer, reference) = (tokens(answer), tokens(reference));
    let mut left = BTreeMap::<&str, usize>::new();
    for word in &reference {
        *left.entry(word).or_default() += 1;
    }
    let mut overlap = 0;
    for word in &answer {
        if let Some(count) = left.get_mut(word.as_str())
            && 0 < *count
        {
            *count -= 1;
            overlap += 1;
        }
    }
    f1(overlap, answer.len(), reference.len())
}

/// As [`token_f1`], with the longest common subsequence in place of the overlap: words out of order do not count.
///
/// In 0..=1, never above the token F1. Time is the product of the lengths. ROUGE-L with beta = 1: Lin (2004), equations 2-4.
#[must_use]
pub fn lcs_f1(answer: &str, reference: &str) -> f64 {
    let (answer, reference) = (tokens(answer), tokens(reference));
    // One row of the table: longest[j] is for the answer's words so far and the reference's first j.
    let mut longest = vec![0_usize; reference.len() + 1];
    for word in &answer {
        let mut diagonal = 0;
        for (j, other) in reference.iter().enumerate() {
            let above = longest[j + 1];
            longest[j + 1] = if word == other { diagonal + 1 } else { above.max(longest[j]) };
            diagonal = above;
        }
    }
    f1(longest[reference.len()], answer.len(), reference.len())
}

/// 2 m / (a + b), where 0 / 0 is agreement.
fn f1(shared: usize, answer: usize, reference: usize) -> f64 {
    match answer + reference {
        0 => 1.0,
        both => 2.0 * shared as f64 / both as f64,
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

/// ASCII punctuation, and the dashes, quotes, dots, brackets and marks of other scripts.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(
            c,
            '¡' | '¿'
                | '«'
                | '»'
                | '·'
                | '\u{37e}'
                | '\u{589}'
                | '\u{60c}'
                | '\u{61b}'
                | '\u{61f}'
                | '\u{964}'
        )
        || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
        || matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff3d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(answer: &str, reference: &str) -> [f64; 3] {
        [exact_match, token_f1, lcs_f1].map(|metric| metric(answer, reference))
    }

    #[test]
    fn case_punctuation_articles_and_white_space_do_not_count() {
        assert_eq!(all("The  EAST!\n", "in-an east"), [0.0, 2.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(all("«Ça va», l’été…", "ça VA l'été"), [1.0; 3]);
        assert_eq!(all("東京。", "東京"), [1.0; 3]);
        assert_eq!(tokens("Twenty-one\u{a0}$ the\tanthem, an a.m."), ["twentyone", "anthem", "am"]);
    }

    #[test]
    fn empty_texts_agree_with_each_other_only() {
        assert_eq!(all("", ""), [1.0; 3]);
        assert_eq!(all(" ?! ", ""), [1.0; 3]);
        assert_eq!(all("", "honey"), [0.0; 3]);
        assert_eq!(all("honey", "..."), [0.0; 3]);
        // A letter that happens to be an article is an answer.
        assert_eq!(all("A.", "a"), [1.0; 3]);
        assert_eq!(all("A", ""), [0.0; 3]);
        assert_eq!(all("A", "B"), [0.0; 3]);
    }

    #[test]
    fn repeats_count_as_often_as_both_have_them_and_order_counts_for_the_subsequence() {
        assert_eq!(all("go go go", "go go"), [0.0, 0.8, 0.8]);
        assert_eq!(all("c b e d", "d e b c"), [0.0, 1.0, 0.25]);
        assert_eq!(all("a1 x b1 y c1", "a1 b1 z c1"), [0.0, 2.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn scores_are_ordered_and_symmetric() {
        let texts = [
            "",
            "one",
            "one two",
            "two one",
            "one two two three",
            "three ONE, two",
            "the",
            "über drei 四 五",
            "五 四",
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (*a, b))) {
            let [exact, token, lcs] = all(a, b);
            assert!(exact <= lcs && lcs <= token && (0.0..=1.0).contains(&token), "{a:?} {b:?}");
            assert_eq!(all(a, b), all(b, a), "{a:?} {b:?}");
        }
    }

    /// The second exercise of the lesson: one word left out turns the claim round and costs a word of eleven, the right claim
    /// in other words shares one of them. The fractions are published; these texts are ours.
    #[test]
    fn exercise_two_a_negation_is_cheap_and_a_rewording_is_dear() {
        let reference = "The museum is not open on Mondays";
        let [_, opposite, same_order] = all("The museum is open on Mondays", reference);
        assert_eq!([opposite, same_order], [10.0 / 11.0; 2]);
        let reworded = "At the start of each week the museum stays shut";
        assert_eq!(token_f1(reworded, reference), 1.0 / 7.0);
        assert!(passes(opposite, 0.5) && !passes(token_f1(reworded, reference), 0.5));
    }

    #[test]
    fn a_threshold_is_reached_from_below_and_by_numbers_only() {
        assert!(passes(0.5, 0.5) && passes(0.0, 0.0));
        assert!(!passes(0.499, 0.5) && !passes(f64::NAN, 0.0) && !passes(1.0, f64::NAN));
    }

    /// What a metric says of a system, with the threshold 1/2.
    #[derive(Debug, PartialEq, Eq)]
    struct Counts {
        agree: u32,
        false_negative: u32,
        false_positive: u32,
    }

    fn counts(scored: impl Iterator<Item = (bool, f64)>) -> Counts {
        let mut counts = Counts { agree: 0, false_negative: 0, false_positive: 0 };
        for (right, score) in scored {
            *match (right, passes(score, 0.5)) {
                (true, false) => &mut counts.false_negative,
                (false, true) => &mut counts.false_positive,
                _ => &mut counts.agree,
            } += 1;
        }
        counts
    }

    /// Scores of the lesson's 18 hard cases as fractions: whether A and C are right, token F1 of A (its LCS F1 is the same),
    /// token F1 and LCS F1 of C. Only A's R05 is an exact match among them.
    type Hard = (&'static str, [bool; 2], [(u32, u32); 3]);
    const HARD: [Hard; 18] = [
        ("R01", [false, true], [(1, 3), (4, 15), (2, 15)]),
        ("R02", [true, true], [(7, 12), (1, 9), (1, 9)]),
        ("R03", [true, true], [(14, 19), (0, 1), (0, 1)]),
        ("R04", [true, true], [(11, 12), (2, 25), (2, 25)]),
        ("R05", [true, true], [(1, 1), (4, 7), (3, 7)]),
        ("R06", [false, false], [(2, 21), (0, 1), (0, 1)]),
        ("R07", [false, true], [(2, 23), (2, 3), (2, 3)]),
        ("R08", [false, true], [(2, 17), (1, 8), (1, 8)]),
        ("R09", [false, true], [(1, 9), (4, 19), (4, 19)]),
        ("R10", [true, false], [(14, 29), (0, 1), (0, 1)]),
        ("R11", [false, true], [(0, 1), (1, 8), (1, 8)]),
        ("R12", [false, false], [(4, 15), (4, 13), (4, 13)]),
        ("R13", [true, true], [(10, 13), (4, 19), (4, 19)]),
        ("R14", [false, true], [(1, 13), (2, 17), (2, 17)]),
        ("R15", [true, true], [(26, 31), (10, 23), (8, 23)]),
        ("R16", [false, false], [(0, 1), (4, 17), (4, 17)]),
        ("R17", [false, true], [(3, 11), (2, 9), (2, 9)]),
        ("R18", [true, true], [(18, 23), (0, 1), (0, 1)]),
    ];

    /// The 18 easy cases are exact matches (all three scores 1) or wrong: the scores of the wrong answers of A and of C.
    const WRONG_A: [(u32, u32); 4] = [(0, 1), (1, 9), (0, 1), (4, 65)];
    const WRONG_C: [(u32, u32); 2] = [(0, 1), (0, 1)];

    /// All 36 cases of a system: right or wrong, and its score in a column of `HARD`, or exact match where there is none.
    fn lesson(system: usize, column: Option<usize>) -> Vec<(bool, f64)> {
        let ratio = |(m, n): (u32, u32)| f64::from(m) / f64::from(n);
        let exact =
            |score: f64| if column.is_none() { f64::from(u8::from(score == 1.0)) } else { score };
        let wrong: &[(u32, u32)] = if system == 0 { &WRONG_A } else { &WRONG_C };
        let hard = HARD
            .iter()
            .map(|(_, right, scores)| (right[system], ratio(scores[column.unwrap_or(system)])));
        let easy = wrong.iter().map(|it| (false, ratio(*it)));
        let matched = std::iter::repeat_n((true, 1.0), 18 - wrong.len());
        hard.chain(easy).chain(matched).map(|(right, score)| (right, exact(score))).collect()
    }

    #[test]
    fn the_published_metrics_come_out_of_the_published_scores() {
        // System, column, mean score, agreements of 36, false negatives; never a false positive.
        for (system, column, mean, agree, false_negative) in [
            (0, None, 0.416_666_666_667, 29, 7),
            (0, Some(0), 0.601_205_627_152, 35, 1),
            (1, None, 0.444_444_444_444, 22, 14),
            (1, Some(1), 0.546_793_443_404, 24, 12),
            (1, Some(2), 0.536_706_026_795, 23, 13),
        ] {
            let scored = lesson(system, column);
            assert_eq!(scored.len(), 36);
            let average = scored.iter().map(|(_, score)| score).sum::<f64>() / 36.0;
            assert!((average - mean).abs() < 1e-12, "{system} {column:?} {average}");
            let expected = Counts { agree, false_negative, false_positive: 0 };
            assert_eq!(counts(scored.into_iter()), expected, "{system} {column:?}");
        }
    }

    #[test]
    fn the_right_answers_with_the_lowest_f1_are_the_published_ones_and_two_of_fourteen_pass() {
        let mut right: Vec<_> =
            HARD.iter().filter(|it| it.1[1]).map(|it| (it.2[1], it.0)).collect();
        // By the score, ties by the name of the case.
        right.sort_by(|((a, b), x), ((c, d), y)| (a * d).cmp(&(c * b)).then(x.cmp(y)));
        let order: Vec<_> = right.iter().map(|it| it.1).collect();
        let published = "R03 R18 R04 R02 R14 R08 R11 R09 R13 R17 R01 R15 R05 R07";
        assert_eq!(order.join(" "), published);
        assert_eq!(right.iter().filter(|((m, n), _)| n <= &(2 * m)).count(), 2);
    }

    #[test]
    fn on_texts_every_metric_prefers_the_system_that_copies_to_the_one_that_is_right_more_often() {
        let mut file =
            csv::Reader::from_reader(include_bytes!("../../scenarios/data/lexical.csv").as_slice());
        let header = "id,question,reference,answer_extractor,answer_rewording,truth_extractor,truth_rewording";
        assert_eq!(file.headers().unwrap().iter().collect::<Vec<_>>().join(","), header);
        let rows: Vec<_> = file.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 12);
        let right = [5, 6].map(|truth| rows.iter().filter(|row| &row[truth] == "1").count());
        assert_eq!(right, [9, 10]);
        let of = |metric: Metric, system: usize| {
            counts(
                rows.iter()
                    .map(|row| (&row[5 + system] == "1", metric.score(&row[3 + system], &row[2]))),
            )
        };
        // Agreements of 12, false negatives, false positives: the extractor, then the rewording.
        for (metric, extractor, rewording) in [
            (Metric::Exact, [11, 1, 0], [2, 10, 0]),
            (Metric::LcsF1, [10, 0, 2], [3, 9, 0]),
            (Metric::TokenF1, [10, 0, 2], [4, 8, 0]),
        ] {
            for (system, [agree, false_negative, false_positive]) in
                [extractor, rewording].into_iter().enumerate()
            {
                let expected = Counts { agree, false_negative, false_positive };
                assert_eq!(of(metric, system), expected, "{} {system}", metric.name());
            }
        }
    }
}
