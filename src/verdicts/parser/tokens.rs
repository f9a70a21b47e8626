//! A reply as words and the few signs that bear on a verdict, quotations left out.

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// In lower case; "1.5", "A+" and "isn't" are one word, "it's" is two.
    Word(String),
    /// The end of a sentence.
    Stop,
    /// The end of a question.
    Question,
    /// Also a dash or semicolon.
    Comma,
    Colon,
    /// The end of a line.
    Break,
    Quote,
    /// One of > < =.
    Compare(char),
    /// Between alternatives.
    Slash,
    /// Double brackets.
    Open,
    Close,
    /// Any other sign but emphasis, which leaves nothing.
    Other,
}

impl Token {
    /// Whether it is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(it) if it == word)
    }

    /// Whether a sentence ends here.
    pub(super) fn ends_sentence(&self) -> bool {
        matches!(self, Token::Stop | Token::Question | Token::Break)
    }

    /// Whether it may stand beside a verdict that is alone.
    pub(super) fn is_trim(&self) -> bool {
        matches!(self, Token::Quote | Token::Open | Token::Close | Token::Other)
    }
}

/// More words than these between quotation marks are a quotation, not an emphasised verdict.
const EMPHASISED: usize = 3;

/// The words and signs of a reply, without reasoning, quoted lines and quotations.
pub(super) fn tokens(reply: &str) -> Vec<Token> {
    let said = reply.rsplit("</think>").next().unwrap_or(reply).trim();
    let mut tokens = Vec::new();
    for line in said.lines() {
        if !line.trim_start().starts_with('>') {
            let start = tokens.len();
            push_line(&line.chars().collect::<Vec<_>>(), &mut tokens);
            // A reply that is quoted as a whole quotes nobody.
            if !(line.len() == said.len() && quoted_whole(&tokens)) {
                unquote(&mut tokens, start);
            }
        }
        tokens.push(Token::Break);
    }
    tokens
}

fn quoted_whole(tokens: &[Token]) -> bool {
    let quotes = tokens.iter().filter(|it| **it == Token::Quote).count();
    quotes == 2 && tokens.first() == Some(&Token::Quote) && tokens.last() == Some(&Token::Quote)
}

/// Leaves out what stands between quotation marks, if it is longer than an emphasis.
fn unquote(tokens: &mut [Token], start: usize) {
    let mut from = start;
    while let Some(open) = next_quote(tokens, from) {
        let Some(close) = next_quote(tokens, open + 1) else { return };
        let words = tokens[open..close].iter().filter(|it| matches!(it, Token::Word(_))).count();
        if EMPHASISED < words {
            tokens[open..=close].fill(Token::Other);
        }
        from = close + 1;
    }
}

fn next_quote(tokens: &[Token], from: usize) -> Option<usize> {
    tokens[from..].iter().position(|it| *it == Token::Quote).map(|it| from + it)
}

fn push_line(line: &[char], tokens: &mut Vec<Token>) {
    let mut i = 0;
    while i < line.len() {
        if in_word(line, i) {
            let start = i;
            while i < line.len() && in_word(line, i) {
                i += 1;
            }
            push_word(&line[start..i], tokens);
            continue;
        }
        let doubled = line.get(i + 1) == Some(&line[i]);
        let token = match line[i] {
            '[' if doubled => Some(Token::Open),
            ']' if doubled => Some(Token::Close),
            '.' | '!' | '…' | '。' | '！' => Some(Token::Stop),
            '?' | '？' => Some(Token::Question),
            ',' | ';' | '–' | '—' | '，' => Some(Token::Comma),
            ':' | '：' => Some(Token::Colon),
            '"' | '“' | '”' | '„' | '«' | '»' => Some(Token::Quote),
            '>' | '<' | '=' => Some(Token::Compare(line[i])),
            '/' | '|' => Some(Token::Slash),
            c if c.is_whitespace() || matches!(c, '*' | '_' | '`' | '#' | '\'' | '’' | '‘') => {
                None
            }
            _ => Some(Token::Other),
        };
        i += if matches!(token, Some(Token::Open | Token::Close)) { 2 } else { 1 };
        tokens.extend(token);
    }
}

/// Whether the character belongs to a word: letters and digits, and what joins them to something else than they are alone.
fn in_word(line: &[char], i: usize) -> bool {
    let near = |at: Option<usize>, is: fn(char) -> bool| {
        at.and_then(|at| line.get(at)).is_some_and(|c| is(*c))
    };
    let between = |is: fn(char) -> bool| near(i.checked_sub(1), is) && near(Some(i + 1), is);
    match line[i] {
        c if c.is_alphanumeric() => true,
        // Also marks that combine with the letter before them.
        '+' | '%' | '$' | '€' | '^' | '@' | '\u{300}'..='\u{36f}' => true,
        '\'' | '’' => between(char::is_alphabetic),
        '.' | ',' | ':' => between(|c| c.is_ascii_digit()),
        '-' => {
            near(Some(i + 1), |c| c.is_ascii_digit())
                && !near(i.checked_sub(1), char::is_alphabetic)
        }
        _ => false,
    }
}

fn push_word(word: &[char], tokens: &mut Vec<Token>) {
    let word: String =
        word.iter().map(|c| if *c == '’' { '\'' } else { *c }).collect::<String>().to_lowercase();
    match word.strip_suffix("'s") {
        Some(stem) => tokens.extend([stem, "'s"].map(|it| Token::Word(it.to_owned()))),
        None => tokens.push(Token::Word(word)),
    }
}
