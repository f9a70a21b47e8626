//! Whatever a scenario holds, reading it ends in a plan or in mistakes, and never in a panic.

use std::path::Path;

use judgelab::scenario::{Overrides, Plan};
use proptest::prelude::*;

use crate::desk::{CASES, ON_TABLE, SCENARIO};

/// What a person may type where something else stood.
const PIECES: [&str; 24] = [
    "0", "-1", "1e300", "nan", "inf", "''", "[]", "{}", "\n", "[", "]", "[[", "\"", "'''", "=",
    ".", ",", "#", "é", "true", "999999", "studies", "vary", "\u{0}",
];

fn read(text: &str) {
    let read = Plan::all_from_toml(Some("s.toml"), text, Overrides::default(), &mut |_| {
        Ok(CASES.to_owned())
    });
    if let Err(mistakes) = read {
        assert!(!mistakes.is_empty());
        for it in &mistakes {
            let told = it.to_string();
            assert!(!told.contains(['\n', '\0']) && told.ends_with(['.', '?', '!']), "{told:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(11), ..ProptestConfig::default() })]

    #[test]
    fn no_scenario_panics(
        on_table in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, 0..PIECES.len()), 1..4),
    ) {
        let mut text = if on_table { ON_TABLE } else { SCENARIO }.to_owned();
        for (at, length, piece) in changes {
            let at = text.floor_char_boundary(at.index(text.len()));
            let end = text.ceil_char_boundary((at + length).min(text.len()));
            text.replace_range(at..end, PIECES[piece]);
        }
        read(&text);
    }

    #[test]
    fn no_table_panics(
        at in any::<prop::sample::Index>(), length in 0..6_usize, new in "[\\PC\",;\n\r]{0,3}",
    ) {
        let at = at.index(CASES.len());
        let cases = format!("{}{new}{}", &CASES[..at], &CASES[(at + length).min(CASES.len())..]);
        let read = Plan::from_toml(ON_TABLE, &mut |_| Ok(cases.clone()));
        let told = read.err().map(|mistakes| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>());
        prop_assert!(told.is_none_or(|told| !told.is_empty() && told.iter().all(|it| it.lines().count() == 1)));
    }
}

#[test]
fn shipped_scenarios_cut_anywhere_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let text = std::fs::read_to_string(folder.join("lesson-position.toml")).unwrap();
    for end in (0..text.len()).step_by(7).filter(|at| text.is_char_boundary(*at)) {
        read(&text[..end]);
    }
}
