//! The chart of self-preference: what a judge gives its own system's answers beyond what third parties give them.

use super::{SHADED, about, effects, mark, of, percent};
use crate::analysis::{Analysis, SelfPreference};
use crate::report::Picture;
use crate::report::axis::Format;
use crate::report::charts::effects::{Effect, EffectChart};

/// A row for each judge that owns a system, against all third parties, and below it one for each third party by itself.
pub(super) fn own(it: &Analysis) -> Option<Picture> {
    let judges = it
        .judges
        .iter()
        .filter_map(|judge| Some((judge.judge.as_str(), judge.self_preference.given()?)));
    let all: Vec<(&str, &SelfPreference)> = judges.collect();
    let alpha = 1.0 - it.level;
    let seen = all.iter().filter(|it| it.1.share.number.p.is_some_and(|p| p <= alpha)).count();
    let rows = all.iter().flat_map(|(judge, it)| {
        let whole = Effect {
            name: format!("{judge} on {}", it.own),
            unseen: about(0.0, &it.share.smallest_detectable),
            marks: vec![mark(&it.share.number, "", Format::Percent)],
        };
        let each = it.by_third_party.iter().filter(|_| 1 < it.by_third_party.len());
        let each = each.map(|third| Effect {
            name: format!("beyond {}", third.judge),
            unseen: None,
            marks: vec![mark(&third.share, "", Format::Percent)],
        });
        std::iter::once(whole).chain(each)
    });
    effects(
        "self-preference",
        EffectChart {
            title: format!("{} self-preference", of(seen, all.len(), "judge")),
            subtitle: format!(
                "Win rate of a judge's own system by that judge, minus that by third parties on the same pairs, with its {} interval",
                percent(it.level)
            ),
            x_label: "own win rate beyond that of third parties (percentage points)".to_owned(),
            share: true,
            null: Some(0.0),
            shaded: SHADED.to_owned(),
            rows: rows.collect(),
            ..EffectChart::default()
        },
    )
}
