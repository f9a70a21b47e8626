//! What a protocol costs: calls, the words of their prompts and, at rates that the user gives, tokens and money.

/// What is paid, as the user gives it. Nothing is known that is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Tokens a word.
    pub tokens_per_word: Option<f64>,
    /// Tokens of a reply.
    pub output_tokens: Option<f64>,
    /// Prices of a million input and output tokens.
    pub prices: Option<[f64; 2]>,
}

/// What a judge is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompts {
    /// How many different prompts: one a graded answer, one a compared pair.
    pub count: u64,
    /// The words of each, where they are known; an order that is turned round has as many.
    pub words: Option<Vec<f64>>,
    /// How often each is asked: orders times repeats.
    pub times: u64,
}

/// What a judge, or several, cost in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Calls.
    pub calls: u64,
    /// Words of all prompts.
    pub words: Option<f64>,
    /// The median words of a prompt; none for several judges.
    pub median_words: Option<f64>,
    /// Tokens read.
    pub input_tokens: Option<f64>,
    /// Tokens written.
    pub output_tokens: Option<f64>,
    /// What they cost, in the currency of the prices.
    pub money: Option<f64>,
}

/// One of the figures of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostMeasure {
    /// Calls.
    Calls,
    /// Words of all prompts.
    Words,
    /// The median words of a prompt.
    MedianWords,
    /// Tokens read.
    InputTokens,
    /// Tokens written.
    OutputTokens,
    /// Money.
    Money,
}

impl CostMeasure {
    /// Every measure, in the order of tables.
    pub const ALL: [CostMeasure; 6] = [
        CostMeasure::Calls,
        CostMeasure::Words,
        CostMeasure::MedianWords,
        CostMeasure::InputTokens,
        CostMeasure::OutputTokens,
        CostMeasure::Money,
    ];

    /// Its name, in the place of a rule's.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CostMeasure::Calls => "cost/calls",
            CostMeasure::Words => "cost/words",
            CostMeasure::MedianWords => "cost/median-words",
            CostMeasure::InputTokens => "cost/input-tokens",
            CostMeasure::OutputTokens => "cost/output-tokens",
            CostMeasure::Money => "cost/money",
        }
    }
}

impl Cost {
    /// The cost of asking each prompt so often.
    #[must_use]
    pub fn of(prompts: &Prompts, rates: &Rates) -> Self {
        let calls = prompts.count.saturating_mul(prompts.times);
        let sum = |words: &Vec<f64>| words.iter().sum::<f64>() * prompts.times as f64;
        let words = prompts.words.as_ref().map(sum);
        let input_tokens = rates.tokens_per_word.and_then(|each| Some(each * words?));
        let output_tokens = rates.output_tokens.map(|each| each * calls as f64);
        let money = rates.prices.and_then(|[input, output]| {
            Some((input * input_tokens? + output * output_tokens?) / 1e6)
        });
        let median_words = prompts.words.as_ref().and_then(|it| median(it));
        Self { calls, words, median_words, input_tokens, output_tokens, money }
    }

    /// What two judges cost together; a number that one of them lacks is lacking.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let both = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
        Self {
            calls: self.calls.saturating_add(other.calls),
            words: both(self.words, other.words),
            median_words: None,
            input_tokens: both(self.input_tokens, other.input_tokens),
            output_tokens: both(self.output_tokens, other.output_tokens),
            money: both(self.money, other.money),
        }
    }

    /// One of its figures.
    #[must_use]
    pub fn get(&self, measure: CostMeasure) -> Option<f64> {
        match measure {
            CostMeasure::Calls => Some(self.calls as f64),
            CostMeasure::Words => self.words,
            CostMeasure::MedianWords => self.median_words,
            CostMeasure::InputTokens => self.input_tokens,
            CostMeasure::OutputTokens => self.output_tokens,
            CostMeasure::Money => self.money,
        }
    }
}

/// The middle value, or the mean of the middle two.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_counted_by_hand() {
        let prompts = Prompts { count: 3, words: Some(vec![10.0, 40.0, 16.0]), times: 4 };
        let plain = Cost::of(&prompts, &Rates::default());
        assert_eq!((plain.calls, plain.words, plain.median_words), (12, Some(264.0), Some(16.0)));
        assert_eq!((plain.input_tokens, plain.output_tokens, plain.money), (None, None, None));
        let rates = Rates {
            tokens_per_word: Some(1.25),
            output_tokens: Some(10.0),
            prices: Some([2.0, 8.0]),
        };
        let paid = Cost::of(&prompts, &rates);
        assert_eq!((paid.input_tokens, paid.output_tokens), (Some(330.0), Some(120.0)));
        assert_eq!(paid.money, Some((2.0 * 330.0 + 8.0 * 120.0) / 1e6));
        let both = paid.plus(paid);
        assert_eq!((both.calls, both.money), (24, paid.money.map(|it| 2.0 * it)));
        assert_eq!(paid.plus(plain).money, None);
    }

    #[test]
    fn the_median_of_an_even_number_is_between() {
        let of = |words: &[f64]| {
            let prompts = Prompts { count: 2, words: Some(words.to_vec()), times: 1 };
            Cost::of(&prompts, &Rates::default()).median_words
        };
        assert_eq!(of(&[1.0, 9.0, 3.0, 4.0]), Some(3.5));
        assert_eq!(of(&[]), None);
    }
}
