//! Rows of several files as one: the same name is the same judge, item or system.

use super::rows::{Ballot, Grade, Grades, Names, Verdicts};

/// The places of another file's names in these, which take what is new.
fn places(names: &mut Names, other: &Names) -> Vec<u32> {
    other.iter().map(|name| names.place(name)).collect()
}

/// The place that a row's place has become; rows name only what their file's lists hold.
fn moved(places: &[u32], place: u32) -> u32 {
    places.get(place as usize).copied().unwrap_or(place)
}

impl Verdicts {
    /// Adds the rows of another file behind these.
    pub fn append(&mut self, other: &Self) {
        let items = places(&mut self.items, &other.items);
        let systems = places(&mut self.systems, &other.systems);
        let judges = places(&mut self.judges, &other.judges);
        let strata = places(&mut self.strata, &other.strata);
        let repeats = places(&mut self.repeats, &other.repeats);
        self.ballots.extend(other.ballots.iter().map(|it| Ballot {
            item: moved(&items, it.item),
            first: moved(&systems, it.first),
            second: moved(&systems, it.second),
            judge: moved(&judges, it.judge),
            stratum: moved(&strata, it.stratum),
            repeat: moved(&repeats, it.repeat),
            ..*it
        }));
    }
}

impl Grades {
    /// Adds the rows of another file behind these; both are pass or fail, or the whole is of scores.
    pub fn append(&mut self, other: &Self) {
        let items = places(&mut self.items, &other.items);
        let systems = places(&mut self.systems, &other.systems);
        let judges = places(&mut self.judges, &other.judges);
        let strata = places(&mut self.strata, &other.strata);
        let repeats = places(&mut self.repeats, &other.repeats);
        self.binary &= other.binary;
        self.grades.extend(other.grades.iter().map(|it| Grade {
            item: moved(&items, it.item),
            system: moved(&systems, it.system),
            judge: moved(&judges, it.judge),
            stratum: moved(&strata, it.stratum),
            repeat: moved(&repeats, it.repeat),
            ..*it
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Verdict;
    use crate::verdicts::NO_LENGTH;

    fn file(judge: &str, systems: [&str; 2]) -> Verdicts {
        let mut it = Verdicts::default();
        it.ballots.push(Ballot {
            line: 2,
            item: it.items.place("q1"),
            first: it.systems.place(systems[0]),
            second: it.systems.place(systems[1]),
            judge: it.judges.place(judge),
            stratum: it.strata.place(""),
            repeat: it.repeats.place(""),
            length_first: NO_LENGTH,
            length_second: 7,
            verdict: Verdict::First,
            gold: Verdict::Invalid,
        });
        it
    }

    #[test]
    fn names_keep_their_meaning() {
        let mut all = file("one", ["a", "b"]);
        all.append(&file("two", ["b", "a"]));
        let [first, second] = all.ballots[..] else { panic!("two rows") };
        assert_eq!((first.first, second.first), (0, 1));
        assert_eq!((all.judges.name(second.judge), second.item), ("two", first.item));
        assert_eq!((all.systems.len(), second.length_second), (2, 7));
    }
}
