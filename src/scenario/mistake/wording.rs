//! What `serde` and `toml` say about a mistake, retold as a rule and a remedy in plain words.

use toml::de::DeValue;

use super::{shorten, suggestion};

/// What an error of `serde` is about, as far as it decides how to read on.
#[derive(Debug, PartialEq)]
pub(crate) enum Complaint<'m> {
    /// A table holds a key that it does not know; the known ones.
    UnknownKey(Vec<&'m str>),
    /// A choice that does not exist; the ones that do.
    UnknownChoice(Vec<&'m str>),
    /// A required key is not there.
    Missing(&'m str),
    /// A table that names one of several kinds names none.
    NoKind,
    /// A table that names one of several kinds names two or more.
    SeveralKinds,
    /// Neither text nor a table where a choice is expected.
    NoChoice,
    /// A value that does not fit.
    Value,
}

/// Sorts an error message of `serde` or of `toml`'s deserialiser.
pub(crate) fn complaint(message: &str) -> Complaint<'_> {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        return Complaint::UnknownKey(expected_names(rest));
    }
    if message.starts_with("unexpected keys in table: ") {
        let list = message.rsplit_once(", available keys: ").map_or("", |(_, list)| list);
        return Complaint::UnknownKey(list.split(", ").filter(|it| !it.is_empty()).collect());
    }
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        return Complaint::UnknownChoice(expected_names(rest));
    }
    if let Some(name) = message.strip_prefix("missing field `").and_then(|it| it.strip_suffix('`'))
    {
        return Complaint::Missing(name);
    }
    match message {
        "wanted exactly 1 element, found 0 elements"
        | "expected table with exactly 1 entry, found empty table" => Complaint::NoKind,
        "wanted exactly 1 element, more than 1 element" => Complaint::SeveralKinds,
        "wanted string or table" => Complaint::NoChoice,
        _ => Complaint::Value,
    }
}

/// The names in back quotes after the last "expected"; none for "there are no fields".
fn expected_names(rest: &str) -> Vec<&str> {
    let list = rest.rsplit_once("`, expected ").map_or("", |(_, list)| list);
    list.split('`').skip(1).step_by(2).collect()
}

/// Rule and remedy for a key that its table does not know. `place` is the table's path, empty for
/// the scenario itself.
pub(crate) fn unknown_key(name: &str, place: &str, known: &[&str]) -> (String, String) {
    let holder = if place.is_empty() { "a scenario".to_owned() } else { format!("`{place}`") };
    let rule = format!("{holder} has no key `{}`", shorten(name));
    (rule, offer(name, known, "known keys", "remove it"))
}

/// Rule and remedy for a choice that does not exist at `place`.
pub(crate) fn unknown_choice(name: &str, place: &str, known: &[&str]) -> (String, String) {
    let rule = format!("`{}` is no choice for `{place}`", shorten(name));
    (rule, offer(name, known, "choices", "remove it"))
}

/// Rule and remedy for an entry that a path of the grid names and nothing defines.
pub(crate) fn unknown_entry(name: &str, place: &str, known: &[&str]) -> (String, String) {
    let holder = if place.is_empty() { "the scenario".to_owned() } else { format!("`{place}`") };
    let rule = format!("{holder} has no entry `{}` to vary", shorten(name));
    (rule, offer(name, known, "entries", "add it outside `[vary]` first"))
}

/// Rule and remedy for a required key that is not there.
pub(crate) fn missing(name: &str, place: &str) -> (String, String) {
    let holder = if place.is_empty() { "a scenario".to_owned() } else { format!("`{place}`") };
    (format!("{holder} needs the key `{name}`"), format!("add `{name}`"))
}

/// Rule and remedy for a table that should name one of the `known` kinds and holds the keys
/// `named` instead.
pub(crate) fn no_one_kind(place: &str, known: &[&str], named: &[&str]) -> (String, String) {
    let holder = if place.is_empty() { "a scenario".to_owned() } else { format!("`{place}`") };
    let (kinds, others): (Vec<&str>, Vec<&str>) =
        named.iter().copied().partition(|name| known.contains(name));
    match (kinds.as_slice(), known.first()) {
        ([], None) => (format!("{holder} does not say which kind it is"), "name it".into()),
        ([], Some(first)) => (
            format!("{holder} does not say which kind it is"),
            format!("name one of {}, as in [{place}.{first}]", known.join(", ")),
        ),
        ([kind], _) => (
            format!("{holder} holds `{}` beside its kind `{kind}`", shorten(&others.join("`, `"))),
            format!("move it into [{place}.{kind}]"),
        ),
        _ => (format!("{holder} names several kinds"), format!("keep one of {}", kinds.join(", "))),
    }
}

/// Rule and remedy for something else where one of the `known` choices is expected.
pub(crate) fn no_choice(found: &Found<'_>, known: &[&str]) -> (String, String) {
    let rule = format!("the name of a choice is expected here, not {}", found.noun(""));
    let remedy = match known {
        [] => "give it in quotes".to_owned(),
        _ => format!("use one of {}", known.join(", ")),
    };
    (rule, remedy)
}

/// "did you mean" for a near miss, and the list of what is known.
fn offer(name: &str, known: &[&str], what: &str, otherwise: &str) -> String {
    match (suggestion(name, known.iter().copied()), known) {
        (Some(meant), [_]) => format!("did you mean `{meant}`?"),
        (Some(meant), _) => format!("did you mean `{meant}` ({what}: {})?", known.join(", ")),
        (None, []) => otherwise.to_owned(),
        (None, [only]) => format!("write `{only}`, or {otherwise}"),
        (None, _) => format!("{otherwise}, or use one of {}", known.join(", ")),
    }
}

/// What stands in the document where an error was reported.
#[derive(Debug, Default)]
pub(crate) struct Found<'v>(pub(crate) Option<&'v DeValue<'v>>);

impl Found<'_> {
    /// The kind of value, in plain words; from the message where the value is not at hand.
    fn noun(&self, message: &str) -> &'static str {
        match self.0 {
            Some(DeValue::String(_)) => "text",
            Some(DeValue::Integer(_)) => "a whole number",
            Some(DeValue::Float(_)) => "a number with a decimal point",
            Some(DeValue::Boolean(_)) => "true or false",
            Some(DeValue::Datetime(_)) => "a date or time",
            Some(DeValue::Array(_)) => "a list",
            Some(DeValue::Table(_)) => "a table",
            None => noun_of(message),
        }
    }
}

impl Found<'_> {
    /// A remedy that knows what stands there already.
    fn remedy(&self, wanted: &str) -> Option<String> {
        match self.0? {
            DeValue::Float(number) if wanted == "a whole number" => {
                let number: f64 = number.as_str().parse().ok()?;
                let whole = number.fract() == 0.0 && number.abs() < 1e15;
                whole.then(|| format!("write {number:.0}"))
            }
            DeValue::Table(_) if wanted == "a list" => {
                Some("write its header in double brackets, [[ ]], or a list in [ ]".to_owned())
            }
            _ => None,
        }
    }
}

/// The kind of value that a message of `serde` names after "invalid type: ".
fn noun_of(message: &str) -> &'static str {
    let rest = message.strip_prefix("invalid type: ").unwrap_or_default();
    let starts = [
        ("string", "text"),
        ("integer", "a whole number"),
        ("floating point", "a number with a decimal point"),
        ("boolean", "true or false"),
        ("sequence", "a list"),
        ("map", "a table"),
    ];
    starts.iter().find(|(start, _)| rest.starts_with(start)).map_or("this", |(_, noun)| noun)
}

/// Rule and remedy for a value that does not fit: `serde`'s words retold, our own passed through
/// (a message `rule; remedy` splits at its first semicolon).
pub(crate) fn retold(message: &str, found: &Found<'_>) -> (String, String) {
    if message.ends_with("number overflowed") || message.contains("` as i128, expected ") {
        let remedy = "write a smaller one, or an exponent such as 1e30 if decimals are allowed";
        return ("this number is too large".into(), remedy.into());
    }
    if let Some(expected) = message.strip_prefix("expected table, found ") {
        let rule = format!("a table is expected here, not {expected}");
        return (rule, "write an empty table, {}, for a kind without keys".into());
    }
    let expected = message.rsplit_once(", expected ").map(|(_, expected)| expected);
    match expected {
        Some(_) if message.starts_with("invalid type: unit variant") => (
            "this choice takes keys of its own".into(),
            "write it as a table, with its name at the end of the header".into(),
        ),
        Some(expected) if message.starts_with("invalid type: ") => {
            let (noun, remedy) = wanted(expected);
            let rule = format!("{noun} is expected here, not {}", found.noun(message));
            (rule, found.remedy(&noun).unwrap_or(remedy))
        }
        Some(expected) if message.starts_with("invalid value: ") => {
            let (noun, _) = wanted(expected);
            let limits = limits(expected);
            let rule = format!("{noun} is expected here{limits}");
            (rule, "give a value within the limits".into())
        }
        Some(expected) if message.starts_with("invalid length ") => {
            (format!("{} is expected here", wanted(expected).0), "give as many values".into())
        }
        _ => own(message),
    }
}

/// A message of our own, split at its first semicolon.
fn own(message: &str) -> (String, String) {
    let (rule, remedy) = message.split_once("; ").unwrap_or((message, "correct this value"));
    (rule.trim_end_matches('.').to_owned(), remedy.trim_end_matches('.').to_owned())
}

/// The limits of an integer type, as the end of a clause.
fn limits(expected: &str) -> String {
    let (low, high) = match expected {
        "u8" => (0, i128::from(u8::MAX)),
        "u16" => (0, i128::from(u16::MAX)),
        "u32" => (0, i128::from(u32::MAX)),
        "u64" | "usize" => (0, i128::from(u64::MAX)),
        "i8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
        "i16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "i32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "i64" | "isize" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        _ => return String::new(),
    };
    format!(", from {low} to {high}")
}

/// What a type is called in plain words, and how to give one.
fn wanted(expected: &str) -> (String, String) {
    let (noun, remedy) = match expected {
        "f64" | "f32" => ("a number", "give a number without quotes"),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
        | "isize" => ("a whole number", "give a number without quotes or decimal point"),
        "a string" | "string" | "a borrowed string" => ("text", "put it in quotes"),
        "a boolean" => ("true or false", "write true or false without quotes"),
        "a sequence" => ("a list", "put it in brackets: [ ]"),
        "a map" => ("a table", "put it in braces: { key = value }"),
        "a character" => ("a single character", "give one character in quotes"),
        _ if expected.starts_with("struct ") => ("a table", "put it in braces: { key = value }"),
        _ if expected.ends_with(" variant") => ("a table", "put it in braces: { key = value }"),
        _ if expected.starts_with("enum ") => ("text or a table", "give one of the two"),
        _ => return (expected.replace("an array of length", "a list of length"), own("").1),
    };
    (noun.to_owned(), remedy.to_owned())
}

/// Rule and remedy for a syntax error of `toml`; nothing for a message that is not one of them.
pub(crate) fn syntax(message: &str) -> Option<(String, String)> {
    let told = message.split_once(", expected ").map_or(message, |(told, _)| told);
    let known = SYNTAX.iter().find(|(start, ..)| told.starts_with(start));
    known.map(|(_, rule, remedy)| ((*rule).to_owned(), (*remedy).to_owned()))
}

/// Rule and remedy for whatever the parser of `toml` says.
pub(crate) fn parse(message: &str) -> (String, String) {
    let told = message.split_once(", expected ").map_or(message, |(told, _)| told);
    syntax(message)
        .unwrap_or_else(|| (format!("this is not TOML ({told})"), "correct this line".into()))
}

/// How a message of the parser begins, with our rule and remedy for it.
const SYNTAX: [(&str, &str, &str); 37] = [
    ("duplicate key", "this key or table is given twice", "keep one of the two"),
    (
        "cannot extend value of type inline table",
        "a table in braces cannot be continued outside them",
        "put the key inside the braces",
    ),
    (
        "cannot extend value",
        "this name already holds a value, so it cannot be a table as well",
        "rename or remove one of the two",
    ),
    (
        "string values must be quoted",
        "this is neither a number, true, false, a date nor quoted text",
        "put text in quotes, and a comma between the values of a list",
    ),
    ("invalid basic string", BAD_TEXT, "close the quotes, and write special characters as \\n"),
    ("invalid literal string", BAD_TEXT, "close the quotes on the same line"),
    ("invalid multi-line", BAD_TEXT, "close it with three quotes"),
    ("unclosed array table", "this header is not closed", "end it with ]]"),
    ("unclosed array", "this list is not closed", "close it with ]"),
    ("unclosed table", "this header is not closed", "end it with ]"),
    ("unclosed inline table", "this table is not closed", "close it with }"),
    (
        "key with no value",
        "a line sets `key = value`, and this one has no equals sign",
        "write one, put a key with spaces in quotes, or start a comment with #",
    ),
    ("missing value", "nothing follows the equals sign", "give a value"),
    ("unquoted keys cannot be empty", "a key is missing here", "give it a name"),
    (
        "invalid unquoted key",
        "a key without quotes is made of the letters a to z, digits, - and _",
        "put the key in quotes",
    ),
    ("invalid boolean", "true and false are written in small letters", "write true or false"),
    ("invalid date", "this is no date", "write it like 2026-01-31, or text in quotes"),
    ("invalid time", "this is no time", "write it like 09:30:00, or text in quotes"),
    ("invalid offset", "this is no time zone", "write it like Z or +01:00"),
    ("invalid float", BAD_NUMBER, LIKE_NUMBER),
    ("invalid fraction", BAD_NUMBER, LIKE_NUMBER),
    ("invalid mantissa", BAD_NUMBER, LIKE_NUMBER),
    ("invalid exponent", BAD_NUMBER, LIKE_NUMBER),
    ("unexpected leading zero", BAD_NUMBER, LIKE_NUMBER),
    ("unexpected sign", BAD_NUMBER, LIKE_NUMBER),
    ("redundant ", BAD_NUMBER, LIKE_NUMBER),
    ("`_` may only go between digits", BAD_NUMBER, LIKE_NUMBER),
    (
        "unexpected key or value",
        "something follows the end of this line's value",
        "remove it, or start a new line for the next key",
    ),
    ("missing comma", "two entries stand without a comma between them", "put a comma"),
    ("extra comma", "a comma stands without a value before it", "remove the comma"),
    (
        "unexpected `=` in array",
        "a list holds values, not keys",
        "close the list with ] before the next key",
    ),
    ("missing assignment", "a key in braces has no value", "write key = value"),
    (
        "missing escaped value",
        "a backslash in double quotes starts an escape such as \\n",
        "write \\\\ for a backslash, or use single quotes",
    ),
    ("too few unicode", "an escape \\u needs four digits", "write it like \\u00e9"),
    ("carriage return", "a carriage return stands alone", "save the file with usual line ends"),
    ("cannot recurse further", TOO_DEEP, FLATTEN),
    ("recursion limit", TOO_DEEP, FLATTEN),
];

const BAD_TEXT: &str = "this text is not closed, or holds a character that must be escaped";
const BAD_NUMBER: &str = "this is no number";
const LIKE_NUMBER: &str = "write it like 0.5, 12 or 1e6, or text in quotes";
pub(crate) const TOO_DEEP: &str = "tables or lists are nested too deeply";
pub(crate) const FLATTEN: &str = "use fewer levels";
