//! Columns of a block: words become digits of a code, replicate by replicate. The hot path of the laboratory.

use crate::judges::Thresholds;

/// Adds to `digits` what each word's verdict weighs. The weights are those of first, tie, second (0) and invalid.
pub(super) fn add_fixed(digits: &mut [u32], words: &[u32], law: Thresholds, weights: [u32; 4]) {
    let first = weights[0];
    if let Some(below) = forced(law) {
        for (digit, word) in digits.iter_mut().zip(words) {
            *digit += if *word < below { first } else { 0 };
        }
    } else {
        for (digit, word) in digits.iter_mut().zip(words) {
            *digit += weigh(*word, law, weights);
        }
    }
}

/// As [`add_fixed`], with a law by level and a level by replicate.
pub(super) fn add_levels(
    digits: &mut [u32],
    words: &[u32],
    levels: &[u32],
    laws: &[Thresholds],
    weights: [u32; 4],
) {
    let first = weights[0];
    let forced: Option<Vec<u32>> = laws.iter().map(|law| forced(*law)).collect();
    match forced.as_deref() {
        Some([zero, one]) => {
            for ((digit, word), level) in digits.iter_mut().zip(words).zip(levels) {
                let below = if *level == 0 { *zero } else { *one };
                *digit += if *word < below { first } else { 0 };
            }
        }
        Some(below) => {
            for ((digit, word), level) in digits.iter_mut().zip(words).zip(levels) {
                *digit += if *word < below[*level as usize] { first } else { 0 };
            }
        }
        None => {
            for ((digit, word), level) in digits.iter_mut().zip(words).zip(levels) {
                *digit += weigh(*word, laws[*level as usize], weights);
            }
        }
    }
}

/// The threshold of a choice that knows neither ties nor invalid replies and is not certain.
fn forced(law: Thresholds) -> Option<u32> {
    let [first, tie, end] = law.0;
    if first == tie && end == 1 << 32 { u32::try_from(first).ok() } else { None }
}

/// The weight of one word's verdict.
pub(super) fn weigh(word: u32, law: Thresholds, weights: [u32; 4]) -> u32 {
    let word = u64::from(word);
    let [first, tie, end] = law.0;
    if word < first {
        weights[0]
    } else if word < tie {
        weights[1]
    } else if word < end {
        weights[2]
    } else {
        weights[3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_agree_with_one_word_at_a_time() {
        let words = [0, 1, 1 << 30, (1 << 31) - 1, 1 << 31, 3 << 30, u32::MAX];
        let weights = [1, 4, 0, 16];
        let full = 1_u64 << 32;
        let laws = [
            Thresholds([full; 3]),
            Thresholds([0, 0, full]),
            Thresholds([0; 3]),
            Thresholds([1 << 30, 1 << 31, 3 << 30]),
            Thresholds([1 << 31, 1 << 31, full]),
        ];
        for law in laws {
            let plain: Vec<u32> = words.iter().map(|word| 7 + weigh(*word, law, weights)).collect();
            let mut digits = [7; 7];
            add_fixed(&mut digits, &words, law, weights);
            assert_eq!(digits.to_vec(), plain);
            for levels in [vec![law], vec![law; 2], vec![law; 3]] {
                let mut digits = [7; 7];
                let of: Vec<u32> = (0..7).map(|r| r % levels.len() as u32).collect();
                add_levels(&mut digits, &words, &of, &levels, weights);
                assert_eq!(digits.to_vec(), plain);
            }
        }
    }
}
