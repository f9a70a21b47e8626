//! One line for each word that a table or an answer uses without explaining it.

mod terms;

use maud::{Markup, html};

use terms::{TERMS, Term};

/// The words, linked to their meaning where they have one.
pub(super) fn linked(words: &str) -> Markup {
    let term = TERMS.iter().find(|it| it.names.contains(&words));
    html! {
        @if let Some(term) = term { a href={ "#word-" (term.id) } { (words) } } @else { (words) }
    }
}

/// The list of the words that a page uses, whose body is `text`; none where it uses none.
pub(super) fn used(text: &str) -> Option<Markup> {
    let used: Vec<&Term> = TERMS.iter().filter(|it| is_used(it, text)).collect();
    let list = html! {
        dl {
            @for term in &used {
                dt id={ "word-" (term.id) } { (term.names.join(", ")) }
                dd { (term.meaning) }
            }
        }
    };
    (!used.is_empty()).then_some(list)
}

/// Whether a page links to a word, or has it in its text.
fn is_used(term: &Term, text: &str) -> bool {
    let link = format!("href=\"#word-{}\"", term.id);
    // A plain word such as "mean" says other things in a sentence.
    let marked = |name: &&&str| name.contains(|c: char| c.is_uppercase() || " -/".contains(c));
    let mut names = term.names.iter().filter(marked);
    text.contains(&link) || names.any(|name| has_word(text, name))
}

fn has_word(text: &str, word: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
    text.match_indices(word).any(|(at, _)| {
        apart(text[..at].chars().next_back()) && apart(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_one_meaning_and_one_place() {
        for (k, one) in TERMS.iter().enumerate() {
            for other in &TERMS[k + 1..] {
                assert!(
                    one.id != other.id && one.names.iter().all(|it| !other.names.contains(it)),
                    "{}",
                    one.id
                );
            }
            assert!(one.meaning.ends_with('.'), "{}", one.id);
        }
    }

    #[test]
    fn a_page_lists_the_words_that_it_uses() {
        let list = |text: &str| used(text).map(maud::PreEscaped::into_string).unwrap_or_default();
        assert_eq!(list("<p>nothing of the kind</p>"), "");
        assert!(list("12 FF, 3 SS").contains("id=\"word-ff\""));
        assert!(!list("BUFF and length-slopes").contains("word-"));
        let linked = linked("p").into_string();
        assert!(linked.contains("#word-p") && list(&linked).contains("id=\"word-p\""));
    }
}
