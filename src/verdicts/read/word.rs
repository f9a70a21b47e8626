//! What a cell of a verdict column says: one table for the many ways of writing it.

use crate::evidence::Verdict;

/// What a short verdict says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A slot, and nothing else: first, left.
    Slot(Verdict),
    /// A, 1, `model_a`: the first slot or the first system.
    One,
    /// B, 2, `model_b`.
    Two,
    /// Neither.
    Tie,
    /// A reply that was no verdict.
    Invalid,
    /// Nothing.
    Missing,
}

/// The longest cell that is a word, in bytes.
const LONGEST: usize = 40;

/// What an answer may be called before its letter or number.
const NOUNS: [&[u8]; 16] = [
    b"model",
    b"output",
    b"response",
    b"answer",
    b"assistant",
    b"generator",
    b"system",
    b"option",
    b"candidate",
    b"text",
    b"summary",
    b"reply",
    b"completion",
    b"solution",
    b"game",
    b"chatbot",
];

const TIES: [&[u8]; 17] = [
    b"c",
    b"0",
    b"tie",
    b"ties",
    b"tied",
    b"draw",
    b"equal",
    b"equals",
    b"both",
    b"neither",
    b"same",
    b"even",
    b"bothbad",
    b"bothgood",
    b"tiebothbad",
    b"nopreference",
    b"0.0",
];

const INVALID: [&[u8]; 12] = [
    b"error",
    b"$error$",
    b"garbage",
    b"invalid",
    b"unparsed",
    b"unparsable",
    b"unparseable",
    b"unknown",
    b"refused",
    b"refusal",
    b"failed",
    b"?",
];

const MISSING: [&[u8]; 10] =
    [b"", b"null", b"none", b"nan", b"na", b"n/a", b"nil", b"-", b"undefined", b"<na>"];

/// What a short cell says; none where it is not in the table.
pub(super) fn word(cell: &[u8]) -> Option<Word> {
    match cell {
        [b'A' | b'a' | b'1'] => return Some(Word::One),
        [b'B' | b'b' | b'2'] => return Some(Word::Two),
        [b'C' | b'c' | b'0'] => return Some(Word::Tie),
        _ if LONGEST < cell.len() => return None,
        _ => {}
    }
    let mut plain = [0; LONGEST];
    let plain = folded(cell, &mut plain);
    if let Some(at) = plain.iter().position(|it| matches!(it, b'>' | b'<' | b'=' | b'~')) {
        return compared(plain, at);
    }
    if TIES.contains(&plain) {
        Some(Word::Tie)
    } else if MISSING.contains(&plain) {
        Some(Word::Missing)
    } else if INVALID.contains(&plain) {
        Some(Word::Invalid)
    } else {
        side(plain)
    }
}

/// In lower case, without brackets, quotes and emphasis, and without what joins words.
fn folded<'a>(cell: &[u8], plain: &'a mut [u8; LONGEST]) -> &'a [u8] {
    let mut length = 0;
    for byte in cell {
        let dropped = match byte {
            b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'"' | b'\'' | b'*' | b'`' | b':' => true,
            b'_' | b'-' | b'#' => 0 < length,
            other => other.is_ascii_whitespace(),
        };
        if !dropped {
            plain[length] = byte.to_ascii_lowercase();
            length += 1;
        }
    }
    let plain = &plain[..length];
    plain.strip_suffix(b".").unwrap_or(plain)
}

fn side(plain: &[u8]) -> Option<Word> {
    let bare = NOUNS.iter().find_map(|noun| plain.strip_prefix(*noun)).unwrap_or(plain);
    let bare = NOUNS.iter().find_map(|noun| bare.strip_suffix(*noun)).unwrap_or(bare);
    Some(match bare {
        b"a" | b"1" | b"1.0" => Word::One,
        b"b" | b"2" | b"2.0" => Word::Two,
        b"c" => Word::Tie,
        b"first" | b"left" | b"1st" => Word::Slot(Verdict::First),
        b"second" | b"right" | b"2nd" => Word::Slot(Verdict::Second),
        _ => return None,
    })
}

/// "A>B", "B>>A", "A=B": the sign at a place, and how often it stands there does not matter.
fn compared(plain: &[u8], at: usize) -> Option<Word> {
    let sign = plain[at];
    let rest = &plain[at..];
    let right = &rest[rest.iter().take_while(|it| **it == sign).count()..];
    let (left, right) = (side(&plain[..at])?, side(right)?);
    match (sign, left == right) {
        (_, true) => None,
        (b'>', _) => Some(left),
        (b'<', _) => Some(right),
        _ => Some(Word::Tie),
    }
}

/// What a grade of a single answer says: 1 for pass, 0 for fail, a score, or not a number for none. None where it is no grade.
pub(super) fn grade(cell: &[u8]) -> Option<f64> {
    if LONGEST < cell.len() {
        return None;
    }
    let mut plain = [0; LONGEST];
    let plain = folded(cell, &mut plain);
    match plain {
        b"pass" | b"passed" | b"true" | b"yes" | b"y" | b"correct" | b"right" | b"good"
        | b"success" => Some(1.0),
        b"fail" | b"failed" | b"false" | b"no" | b"n" | b"incorrect" | b"wrong" | b"bad"
        | b"failure" => Some(0.0),
        _ if MISSING.contains(&plain) || INVALID.contains(&plain) => Some(f64::NAN),
        _ => str::from_utf8(plain).ok()?.parse::<f64>().ok().filter(|it| it.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_reads_every_writing() {
        let all = [
            (
                Word::One,
                "A|a|1|1.0|model_1|Model A|output_1|[[A]]|A>B|A>>B|A > B|b<a|1>2|Response A.|assistant_a|Output (a)",
            ),
            (Word::Two, "B|2|2.0|model_b|MODEL_2|generator_2|B>A|B>>A|[[B]]|model_b > model_a"),
            (Word::Tie, "C|0|tie|Tie|TIE|draw|A=B|B=A|a==b|tie (bothbad)|both_bad|neither|A~B"),
            (Word::Slot(Verdict::First), "first|First|left|First answer|answer first"),
            (Word::Slot(Verdict::Second), "second|RIGHT"),
            (Word::Invalid, "error|garbage|$ERROR$|unparsed|?"),
            (Word::Missing, "null|None|NaN|N/A|-|"),
        ];
        for (says, written) in all {
            for cell in written.split('|') {
                assert_eq!(word(cell.as_bytes()), Some(says), "{cell}");
            }
        }
        for cell in [
            "gpt-4",
            "-1",
            "3",
            "A>A",
            ">",
            "A>",
            "AB",
            "1.46",
            "true",
            "a b c d e f g h i j k l m n o p q r s t u v",
        ] {
            assert_eq!(word(cell.as_bytes()), None, "{cell}");
        }
    }

    #[test]
    fn grades_are_numbers_or_none() {
        for (cell, value) in
            [("pass", 1.0), ("FAIL", 0.0), ("True", 1.0), ("4.5", 4.5), ("-2", -2.0), ("1", 1.0)]
        {
            assert_eq!(grade(cell.as_bytes()), Some(value), "{cell}");
        }
        assert!(grade(b"").is_some_and(f64::is_nan) && grade(b"error").is_some_and(f64::is_nan));
        for cell in ["inf", "1e999", "excellent", "4/5"] {
            assert_eq!(grade(cell.as_bytes()), None, "{cell}");
        }
    }
}
