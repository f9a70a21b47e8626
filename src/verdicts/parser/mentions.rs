//! Finds where a reply asserts a verdict, and passes over where it only speaks of one.

use super::tokens::Token;
use super::vocabulary::{Name, Place, Vocabulary, compared, is_noun};
use super::words::{
    BLAME, CONDITIONS, CONNECTORS, DETERMINERS, FILLERS, HEDGES, LABELS, PARTLY, PICKS, PRAISE,
    TURNS, VERBS, negates,
};
use crate::evidence::Verdict;

/// A verdict that a reply asserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) verdict: Verdict,
    /// The line it stands on.
    pub(super) line: usize,
    /// In double brackets, behind a label, or a line or sentence of its own.
    pub(super) explicit: bool,
}

/// How many words are looked at around a name, so that time grows with the length of a reply only.
const REACH: usize = 64;

/// A name in the reply, and what it asserts there.
struct Named {
    start: usize,
    end: usize,
    verdict: Verdict,
    mention: Option<Mention>,
}

/// Every verdict that is asserted, in order.
pub(super) fn mentions(vocabulary: &Vocabulary, tokens: &[Token]) -> Vec<Mention> {
    let end = tokens.iter().rposition(|it| *it != Token::Break).map_or(0, |it| it + 1);
    let reply = Reply { vocabulary, tokens: &tokens[..end] };
    let last = reply.tokens.iter().filter(|it| **it == Token::Break).count();
    let (mut named, mut line, mut at) = (Vec::new(), 0, 0);
    while at < end {
        line += usize::from(reply.tokens[at] == Token::Break);
        match reply.read(at, line == last) {
            Some((end, verdict, asserted)) => {
                let mention =
                    asserted.map(|(verdict, explicit)| Mention { verdict, line, explicit });
                named.push(Named { start: at, end, verdict, mention });
                at = end;
            }
            None => at += 1,
        }
    }
    reply.withdraw_offers(&mut named);
    named.into_iter().filter_map(|it| it.mention).collect()
}

struct Reply<'a> {
    vocabulary: &'a Vocabulary,
    tokens: &'a [Token],
}

/// A verdict, and whether it is explicit.
type Asserted = Option<(Verdict, bool)>;

impl<'a> Reply<'a> {
    /// The name at a token: where it ends, what it names, and what it asserts.
    fn read(&self, start: usize, on_last_line: bool) -> Option<(usize, Verdict, Asserted)> {
        let name = self.vocabulary.name(&self.tokens[start..])?;
        let end = start + name.words.len();
        if let Some((end, verdict)) = self.comparison(name, end) {
            let closes = on_last_line
                && self.tokens[end..].iter().all(|it| it.is_trim() || *it == Token::Stop);
            let explicit = self.stands_out(start, end, Place::Mark) || self.alone(start, end);
            return Some((end, verdict, (explicit || closes).then_some((verdict, explicit))));
        }
        if name.place == Place::Prose {
            if let Some((end, verdict)) = self.answered(name, end) {
                return Some((end, verdict, Some((verdict, true))));
            }
            return Some((end, name.verdict, self.grade(name.verdict, start, end)));
        }
        let doubted = self.next_word(end).is_some_and(|it| CONDITIONS.contains(&it))
            || self
                .before(start)
                .iter()
                .take(3)
                .chain(self.after(end).iter().take(2))
                .any(|it| negates(it))
            || self.asks(end)
            || name.place == Place::Sentence && self.answers_another_question(start);
        let asserted = if doubted {
            None
        } else if self.stands_out(start, end, name.place) {
            Some((name.verdict, true))
        } else if self.alone(start, end) {
            // Alone on a line it may also be a heading, unless the reply ends in it.
            Some((name.verdict, on_last_line))
        } else if name.place == Place::Sentence
            && self.opens(start)
            && self.next(end) == Some(&Token::Comma)
        {
            Some((name.verdict, false))
        } else if on_last_line && self.vocabulary.marked() {
            self.statement(name.verdict, start, end).map(|it| (it, false))
        } else {
            None
        };
        Some((end, name.verdict, asserted))
    }

    /// "A > B" and the like, from the end of its left name: where it ends and what it says.
    fn comparison(&self, left: &Name, end: usize) -> Option<(usize, Verdict)> {
        let sign = self.tokens[end..].iter().map_while(|it| match it {
            Token::Compare(c) => Some(*c),
            _ => None,
        });
        let sign: Vec<char> = sign.take(4).collect();
        let right = self.vocabulary.name(&self.tokens[end + sign.len()..])?;
        let end = end + sign.len() + right.words.len();
        let verdict = compared(left.verdict, &sign, right.verdict)?;
        self.vocabulary.marked().then_some((end, verdict))
    }

    /// A grade that is asked and answered: "correct: no", `"is_wrong": false`.
    fn answered(&self, name: &Name, end: usize) -> Option<(usize, Verdict)> {
        let signs = self.tokens[end..]
            .iter()
            .take_while(|it| matches!(it, Token::Quote | Token::Colon))
            .count();
        let at = end + signs;
        let answer =
            self.vocabulary.name(&self.tokens[at..]).filter(|it| it.place < Place::Prose)?;
        let end = at + answer.words.len();
        let asked = self.tokens[at - signs..at].contains(&Token::Colon);
        let verdict =
            if answer.verdict == Verdict::Second { turned(name.verdict)? } else { name.verdict };
        (asked && self.ends(end)).then_some((end, verdict))
    }

    /// What a grade in running text asserts.
    fn grade(&self, verdict: Verdict, start: usize, end: usize) -> Asserted {
        let before = self.before(start);
        let nearest = before.first().copied().unwrap_or_default();
        let next = self.next_word(end).unwrap_or_default();
        let tie = verdict == Verdict::Tie;
        let stands_out = self.stands_out(start, end, Place::Sentence) || self.alone(start, end);
        let described = if tie {
            // "It is a tie", but not "in case of a tie", "it breaks the tie", "a tie would be kind".
            let said =
                matches!(before.as_slice(), ["a", "is" | "'s" | "was" | "it", ..] | ["are", ..]);
            !(stands_out || said && (next == "between" || self.ends(end)))
        } else {
            DETERMINERS.contains(&nearest)
                || is_noun(next)
                || ["the", "me", "it", "them"].contains(&next)
        };
        let hedged = before.iter().any(|it| HEDGES.contains(it))
            || before.last() == Some(&"to")
            || before.starts_with(&["be", "to"])
            || matches!(&self.tokens[..start], [.., a, b] if a.is("anything") && b.is("but"))
            || PARTLY.contains(&nearest)
            || CONDITIONS.contains(&next)
            || self.asks(end);
        let heads = self.next(end) == Some(&Token::Colon)
            && !self.tokens[..start].iter().all(Token::is_trim);
        if described || hedged || heads {
            return None;
        }
        match before.iter().position(|it| negates(it)) {
            Some(at) if 0 < at && ["only", "just", "merely"].contains(&before[at - 1]) => {
                Some((verdict, false))
            }
            Some(0) => Some((turned(verdict)?, false)),
            // "Not entirely correct" is a fail; "not entirely wrong" may be either, and so may "not" from further away.
            Some(1 | 2) if verdict == Verdict::First => Some((Verdict::Second, false)),
            Some(_) => None,
            None => Some((verdict, stands_out)),
        }
    }

    /// What "Assistant A is better" says of an answer.
    fn statement(&self, verdict: Verdict, start: usize, end: usize) -> Option<Verdict> {
        let doubt = |word: &&str| {
            negates(word) || HEDGES.contains(word) || ["no", "less", "as"].contains(word)
        };
        let words = self.after(end);
        let words = match words.as_slice() {
            ["'s", noun, rest @ ..] if is_noun(noun) => rest,
            all => all,
        };
        let judged = words.iter().position(|it| PRAISE.contains(it) || BLAME.contains(it))?;
        let doubted =
            words[..judged].iter().chain(&self.before(start)).any(doubt) || self.asks(end);
        if doubted || !VERBS.contains(&words[0]) {
            return None;
        }
        if PRAISE.contains(&words[judged]) { Some(verdict) } else { turned(verdict) }
    }

    /// Whether nothing else is on the line, but what an answer is called.
    fn alone(&self, start: usize, end: usize) -> bool {
        let called = |it: &&Token| !it.is_trim() && !word(it).is_some_and(is_noun);
        self.tokens[..start].iter().rev().find(called).is_none_or(|it| *it == Token::Break)
            && self.tokens[end..]
                .iter()
                .find(|it| !it.is_trim() && **it != Token::Stop)
                .is_none_or(|it| *it == Token::Break)
    }

    /// Whether a name is a verdict by where it stands: in a mark, behind a label, or as a sentence.
    fn stands_out(&self, start: usize, end: usize, place: Place) -> bool {
        let marked = start.checked_sub(1).map(|it| &self.tokens[it]) == Some(&Token::Open)
            && self.tokens.get(end) == Some(&Token::Close);
        let stop =
            |token: Option<&Token>| token.is_none_or(|it| matches!(it, Token::Stop | Token::Break));
        let sentence = self.opens(start) && stop(self.next(end));
        marked && Place::Mark <= place
            || sentence && Place::Sentence <= place
            || self.labelled(start) && self.ends(end)
    }

    /// Whether what stands before a name announces it, and nothing else.
    fn labelled(&self, start: usize) -> bool {
        let (mut label, mut joined, mut colon) = (false, false, false);
        for token in self.tokens[..start].iter().rev().take(REACH) {
            match token {
                Token::Word(word) if LABELS.contains(&word.as_str()) => label = true,
                // "Answer:" announces; "the answer is no" may be the answer that is judged.
                Token::Word(word) if word == "answer" => label |= colon,
                Token::Word(word) if PICKS.contains(&word.as_str()) => {
                    (label, joined) = (true, true);
                }
                Token::Word(word) if ["is", "'s", "was"].contains(&word.as_str()) => {
                    joined |= !label;
                }
                Token::Word(word) if FILLERS.contains(&word.as_str()) || is_noun(word) => {}
                Token::Word(_) => return false,
                it if it.ends_sentence() || *it == Token::Comma => break,
                Token::Colon if label => break,
                it => {
                    joined = true;
                    colon |= *it == Token::Colon || matches!(it, Token::Compare(_));
                }
            }
        }
        label && joined
    }

    /// Whether nothing behind a name goes on with it: "A strong answer", "1/10".
    fn ends(&self, end: usize) -> bool {
        let mut behind = self.tokens[end..].iter().filter(|it| !it.is_trim());
        match behind.next() {
            Some(Token::Word(word)) => word == "because",
            // The end of an element: "<verdict>A</verdict>".
            Some(Token::Compare('<')) => behind.next() == Some(&Token::Slash),
            Some(Token::Compare(_) | Token::Slash | Token::Colon | Token::Question) => false,
            _ => true,
        }
    }

    /// Whether a name is the reply to a question that did not ask for it: "Are there errors? No."
    fn answers_another_question(&self, start: usize) -> bool {
        let Some(mark) =
            self.tokens[..start].iter().rposition(|it| !it.is_trim() && *it != Token::Break)
        else {
            return false;
        };
        if self.tokens[mark] != Token::Question {
            return false;
        }
        let from =
            self.tokens[..mark].iter().rposition(Token::ends_sentence).map_or(0, |it| it + 1);
        !(from.max(mark.saturating_sub(REACH))..mark).any(|at| {
            let asked = self.vocabulary.name(&self.tokens[at..mark]);
            asked.is_some_and(|it| it.place == Place::Prose && it.verdict == Verdict::First)
        })
    }

    /// Takes back what is only offered side by side: "[[A]], [[B]] or [[C]]".
    fn withdraw_offers(&self, named: &mut [Named]) {
        let mut first = 0;
        while first < named.len() {
            let (mut last, mut connected) = (first, false);
            while let Some(next) = named.get(last + 1)
                && let Some(connects) = self.side_by_side(named[last].end, next.start)
                && (connects || !connected)
            {
                connected |= connects;
                last += 1;
            }
            let group = &mut named[first..=last];
            if connected && group.iter().any(|it| it.verdict != group[0].verdict) {
                for it in group {
                    it.mention = None;
                }
            }
            first = last + 1;
        }
    }

    /// Whether two names stand side by side, and if so, whether an "or" connects them.
    fn side_by_side(&self, end: usize, start: usize) -> Option<bool> {
        let mut connected = false;
        for token in &self.tokens[end..start] {
            match token {
                Token::Word(word) if CONNECTORS.contains(&word.as_str()) => connected = true,
                Token::Slash => connected = true,
                it if it.is_trim() || *it == Token::Comma => {}
                _ => return None,
            }
        }
        Some(connected)
    }

    fn previous(&self, start: usize) -> Option<&'a Token> {
        self.tokens[..start].iter().rev().find(|it| !it.is_trim())
    }

    fn next(&self, end: usize) -> Option<&'a Token> {
        self.tokens[end..].iter().find(|it| !it.is_trim())
    }

    fn next_word(&self, end: usize) -> Option<&'a str> {
        self.next(end).and_then(word)
    }

    /// Whether a sentence starts here.
    fn opens(&self, start: usize) -> bool {
        self.previous(start).is_none_or(Token::ends_sentence)
    }

    /// Whether the sentence is a question.
    fn asks(&self, end: usize) -> bool {
        let close = self.tokens[end..].iter().take(REACH).find(|it| it.ends_sentence());
        close == Some(&Token::Question)
    }

    /// The words of the clause before a name, the nearest first; of the whole sentence where a comma stands between.
    fn before(&self, start: usize) -> Vec<&'a str> {
        let aside = self.previous(start) == Some(&Token::Comma);
        let clause = self.tokens[..start].iter().rev().take_while(|it| {
            !(it.ends_sentence()
                || !aside && (turns(it) || matches!(it, Token::Comma | Token::Colon)))
        });
        clause.filter_map(word).take(REACH).collect()
    }

    /// The words of the clause behind a name.
    fn after(&self, end: usize) -> Vec<&'a str> {
        let clause = self.tokens[end..].iter().take_while(|it| {
            !(it.ends_sentence()
                || turns(it)
                || it.is("and")
                || matches!(it, Token::Comma | Token::Colon))
        });
        clause.filter_map(word).take(8).collect()
    }
}

fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

fn turns(token: &Token) -> bool {
    word(token).is_some_and(|it| TURNS.contains(&it))
}

/// The verdict for the other side; the other side of a tie is not known.
fn turned(verdict: Verdict) -> Option<Verdict> {
    match verdict {
        Verdict::First => Some(Verdict::Second),
        Verdict::Second => Some(Verdict::First),
        Verdict::Tie | Verdict::Invalid => None,
    }
}
