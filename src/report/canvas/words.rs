//! How wide a text will be, guessed from average letter widths because the reader's font is not
//! known here, and how it breaks into lines that fit.

use super::Weight;

/// Advance widths in hundredths of an em for the printable ASCII characters, from the blank on:
/// the wider of the fonts Inter and `DejaVu` as a rule, because a margin too wide costs less than a label
/// cut off.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    30, 38, 46, 80, 64, 92, 75, 27, 39, 39, 50, 75, 31, 42, 31, 36, // blank to /
    64, 62, 64, 64, 64, 64, 64, 62, 64, 64, 33, 33, 75, 75, 75, 54, // 0 to ?
    99, 68, 68, 72, 76, 63, 60, 77, 75, 29, 54, 67, 57, 88, 75, 79, // @ to O
    64, 79, 69, 64, 62, 73, 68, 98, 67, 65, 67, 39, 36, 39, 75, 50, // P to _
    50, 60, 63, 57, 63, 61, 36, 63, 62, 28, 28, 58, 28, 94, 62, 61, // ` to o
    63, 63, 41, 53, 39, 62, 59, 82, 58, 59, 54, 58, 36, 58, 75,     // p to ~
];

/// The width in pixels that one line of text is expected to fill at a font size in pixels; meant to
/// err on the wide side.
#[must_use]
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let hundredths: u64 = text.chars().map(advance).sum();
    let boldness = match weight {
        Weight::Regular => 1.0,
        Weight::Bold => 1.1,
    };
    hundredths as f64 / 100.0 * size * boldness
}

/// The advance of one character in hundredths of an em.
fn advance(c: char) -> u64 {
    match c {
        ' '..='~' => WIDTHS.get(c as usize - 32).copied().map_or(65, u64::from),
        '\u{2009}' | '\u{202f}' => 20,
        '\u{a0}' => 30,
        // Marks that sit on the letter before them, joiners and direction marks take no room.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0,
        '\u{2013}' | '\u{b7}' => 50,
        // Latin, Greek and Cyrillic with accents; Cyrillic and signs are the wider.
        '\u{a1}'..='\u{3ff}' => 66,
        '\u{400}'..='\u{52f}' | '\u{2200}'..='\u{22ff}' => 80,
        // Dashes, arrows, East Asian scripts, pictures: a full em at most.
        _ => 100,
    }
}

/// Breaks a text at its blanks into at most `lines` lines (at least one) no wider than `room`
/// pixels. A word wider than the room is broken within; what does not fit at all ends in an
/// ellipsis. An empty text has no lines.
#[must_use]
pub fn wrap(text: &str, size: f64, weight: Weight, room: f64, lines: usize) -> Vec<String> {
    let fits = |line: &str| width(line, size, weight) <= room;
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(breaks).filter(|it| !it.is_empty()) {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            out.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                out.push(std::mem::take(&mut line));
                line.push(c);
            }
        }
    }
    if !line.is_empty() {
        out.push(line);
    }
    shortened(out, lines.max(1), fits)
}

/// Whether a line may end at a blank; thin ones keep a number and its sign together.
fn breaks(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{2009}' | '\u{202f}' | '\u{a0}')
}

/// Keeps the first `lines` lines and marks the last of them when some were dropped.
fn shortened(mut all: Vec<String>, lines: usize, fits: impl Fn(&str) -> bool) -> Vec<String> {
    if all.len() <= lines {
        return all;
    }
    all.truncate(lines);
    if let Some(last) = all.last_mut() {
        while !last.is_empty() && !fits(&format!("{last}\u{2026}")) {
            last.pop();
        }
        *last = format!("{}\u{2026}", last.trim_end());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_close_to_the_real_fonts_and_never_below_the_usual_one() {
        // Advances summed with fontTools 4: Inter 4.0 and DejaVu Sans 2.37, regular, in em.
        let cases = [
            ("better system shown first", 12.08, 12.80),
            ("Averaging both orders leaves 9.7 points", 18.88, 20.05),
            ("position bias (log-odds)", 11.26, 11.69),
        ];
        for (text, inter, deja_vu) in cases {
            let guess = width(text, 1.0, Weight::Regular);
            assert!(guess >= inter, "{text}: {guess} is less than {inter}");
            assert!(guess <= 1.06 * deja_vu, "{text}: {guess} is far above {deja_vu}");
            assert!(width(text, 12.0, Weight::Bold) > 12.0 * guess);
        }
    }

    #[test]
    fn greek_is_counted_by_letters_not_bytes() {
        let (greek, latin) = (width("αβγδ", 1.0, Weight::Regular), 4.0 * 0.66);
        assert!((greek - latin).abs() < 1e-12);
    }

    #[test]
    fn lines_fit_and_lose_no_word() {
        let text = "the share of pairs in which the verdict is the same in both orders";
        let lines = wrap(text, 12.0, Weight::Regular, 110.0, 20);
        assert!(lines.len() > 3);
        assert!(lines.iter().all(|line| width(line, 12.0, Weight::Regular) <= 110.0));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_number_is_not_parted_from_its_sign() {
        for room in 60..160 {
            let lines =
                wrap("never less than 100.0\u{2009}%", 12.0, Weight::Regular, f64::from(room), 9);
            assert!(lines.iter().all(|it| it != "%"), "{lines:?}");
        }
    }

    #[test]
    fn a_long_word_is_broken_and_the_rest_is_an_ellipsis() {
        let lines = wrap(&"x".repeat(200), 12.0, Weight::Regular, 100.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| width(line, 12.0, Weight::Regular) <= 100.0));
        assert!(lines[2].ends_with('\u{2026}'));
        assert!(wrap("  ", 12.0, Weight::Regular, 100.0, 3).is_empty());
        // No room at all still ends, one letter to a line.
        assert_eq!(wrap("abc", 12.0, Weight::Regular, -1.0, 9), ["a", "b", "c"]);
    }
}
