//! What XML can hold, and a check for tests that a text is well formed.

/// The text with white space run together and without what XML 1.0 cannot hold.
pub(super) fn printable(text: &str) -> String {
    let legal = |c: &char| !matches!(c, '\0'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}');
    let blank = |c: char| if c.is_ascii_whitespace() { ' ' } else { c };
    let text: String = text.chars().map(blank).filter(legal).collect();
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// [`printable`] text with the five characters escaped that XML keeps for itself.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            other => out.push(other),
        }
    }
    out
}

/// Walks through an SVG text and says what is wrong with its XML: a tag that does not close in
/// order, an attribute without quotation marks or given twice, a bare `<` or `&`.
#[cfg(test)]
pub(crate) fn malformed(svg: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some((text, after)) = rest.split_once('<') {
        if bare_ampersand(text) {
            return Some(format!("bare & in {text:?}"));
        }
        let Some((tag, after)) = after.split_once('>') else {
            return Some("unfinished tag".to_owned());
        };
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let (tag, alone) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if let Some(fault) = bad_attributes(attributes) {
            return Some(format!("<{name}>: {fault}"));
        }
        if !alone {
            open.push(name);
        }
    }
    open.pop().map(|name| format!("<{name}> stays open"))
}

#[cfg(test)]
fn bad_attributes(text: &str) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((name, after)) = rest.split_once("=\"") else {
            return Some(format!("no value in {rest:?}"));
        };
        let Some((value, after)) = after.split_once('"') else {
            return Some(format!("no end of {name}"));
        };
        if seen.contains(&name) || name.contains(' ') || bare_ampersand(value) {
            return Some(format!("attribute {name:?} = {value:?}"));
        }
        seen.push(name);
        rest = after.trim_start();
    }
    None
}

#[cfg(test)]
fn bare_ampersand(text: &str) -> bool {
    let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    text.split('&').skip(1).any(|after| !known.iter().any(|name| after.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_stripped_of_what_xml_forbids() {
        let text = "a < b & \"c\" 'd' > \u{3b1}\u{1}\u{ffff}\n\t e";
        assert_eq!(escaped(text), "a &lt; b &amp; &quot;c&quot; &apos;d&apos; &gt; \u{3b1} e");
        // The thin and the unbreakable blank are not white space to be run together.
        assert_eq!(printable(" 1\u{2009}000\u{a0}%  "), "1\u{2009}000\u{a0}%");
    }

    #[test]
    fn the_check_sees_what_is_wrong() {
        assert_eq!(malformed("<a b=\"c\"><d/>e &amp; f</a>"), None);
        let wrong = ["<a>", "<a></b>", "<a b=c/>", "<a b=\"c\" b=\"d\"/>", "<a>x & y</a>", "<a"];
        assert!(wrong.into_iter().all(|text| malformed(text).is_some()));
    }
}
