//! Names of studies: each is the name of a folder, on any file system.

use std::collections::BTreeMap;

use toml::de::DeTable;

use super::{Document, show_path};
use crate::scenario::mistake::Mistake;

impl Document<'_> {
    /// Names of studies that cannot be those of their folders.
    pub(crate) fn misnamed(&self) -> Vec<Mistake> {
        let source = self.tree.source();
        let studies = self.tree.find("studies").and_then(|it| it.get_ref().as_table());
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut mistakes = Vec::new();
        for name in studies.into_iter().flat_map(DeTable::keys) {
            if let Some((rule, remedy)) = no_folder(name.get_ref()) {
                mistakes.push(source.mistake(name.span(), rule, remedy));
            }
            // Some file systems do not tell folders apart whose names differ in case alone.
            let line = source.line(name.span().start);
            if let Some(other) = known.insert(name.get_ref().to_lowercase(), line) {
                let rule = format!("this name and that of line {other} differ only in case");
                mistakes.push(source.mistake(name.span(), rule, "rename one of the two"));
            }
        }
        mistakes
    }
}

/// The longest name of a study, in bytes; file systems take 255.
const LONGEST_NAME: usize = 100;

/// Why a study's name cannot be that of its folder, and a name that can.
fn no_folder(name: &str) -> Option<(&'static str, String)> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let outer = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let ends = outer(name.chars().next()) && outer(name.chars().next_back());
    if ends && name.chars().all(inner) && name.len() <= LONGEST_NAME {
        return None;
    }
    let cut: String = name.chars().take(LONGEST_NAME / 4).collect();
    let words = cut.split(|c: char| !inner(c)).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let better = match joined.trim_matches(['-', '.']) {
        "" => "study",
        better => better,
    };
    let rule = "a study names the folder of its results: 1 to 100 letters, digits, _, and - or . \
                between them";
    Some((rule, format!("call it {}", show_path([better]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_folder_name_is_told_one_that_is() {
        for good in ["a", "two-sided", "v1.2", "été", "_x", "A1", &"x".repeat(100)] {
            assert_eq!(no_folder(good), None, "{good}");
        }
        let better = |name: &str| no_folder(name).map(|(_, remedy)| remedy).unwrap();
        assert_eq!(better(""), "call it study");
        assert_eq!(better(".."), "call it study");
        assert_eq!(better("../x"), "call it x");
        assert_eq!(better("a/b"), "call it a-b");
        assert_eq!(better("con trol"), "call it con-trol");
        assert_eq!(better("con\u{7}trol"), "call it con-trol");
        assert_eq!(better("C:\\x"), "call it C-x");
        assert_eq!(better("a."), "call it a");
        for bad in ["-x", ".x", "a\0b", &"x".repeat(101), "é/\u{1F600}"] {
            let better = better(bad).replace("call it ", "").replace('"', "");
            assert_eq!(no_folder(&better), None, "{bad}: {better}");
        }
    }

    #[test]
    fn names_are_told_with_their_lines_and_so_are_those_that_differ_in_case() {
        let text = "[studies.one]\n[studies.\"a/b\"]\n[studies.One]\n";
        let document = Document::parse(None, text).unwrap();
        let told: Vec<String> = document.misnamed().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("line 2: `\"a/b\"`: a study names the folder"), "{told:?}");
        assert!(
            told[1].contains("line 3: `One`: this name and that of line 1 differ only in case"),
            "{told:?}"
        );
    }
}
