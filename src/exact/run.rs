//! The run of neighbouring points that a test accepts, found by asking the test as seldom as possible.
//!
//! Along a line of a lattice the tests at hand accept one run of points: a z test those with enough spread, a sign test
//! those in the middle. Tests hold this against asking everywhere.

/// Points `low..=high`; none where `high < low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub low: i64,
    pub high: i64,
}

impl Run {
    /// No point.
    pub(super) const EMPTY: Self = Self { low: 0, high: -1 };

    pub(super) const fn is_empty(self) -> bool {
        self.high < self.low
    }

    /// The points that both hold.
    pub(super) fn within(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// What is known of a line from a smaller number of pairs: where it was asked, and the run that was found there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub asked: Run,
    pub run: Run,
}

/// The accepted run among the points of `range`. `guess` is the run of a neighbouring line, `known` of the same line before.
pub(super) fn find(
    range: Run,
    known: Option<Known>,
    guess: Run,
    accepts: &mut impl FnMut(i64) -> bool,
) -> Run {
    if range.is_empty() {
        return Run::EMPTY;
    }
    // A run that went to an end of the line goes to its new end.
    let moved = |it: Known| Run {
        low: if it.run.low == it.asked.low { range.low } else { it.run.low },
        high: if it.run.high == it.asked.high { range.high } else { it.run.high },
    };
    let near = known.filter(|it| !it.run.is_empty()).map_or(guess, moved);
    let seeds = [near.low, near.high, i64::midpoint(near.low, near.high)];
    if !near.is_empty() {
        for seed in seeds.map(|seed| seed.clamp(range.low, range.high)) {
            if accepts(seed) {
                return around(range, near, seed, accepts);
            }
        }
    }
    // A line without an accepted point gets one at an end, or where it is new: the rest is not asked again.
    let before = known.filter(|it| it.run.is_empty()).map_or(Run::EMPTY, |it| it.asked);
    for at in range.low..=range.high {
        let ask = at <= before.low || before.high <= at || at == range.low || at == range.high;
        if ask && accepts(at) {
            return around(range, Run::EMPTY, at, accepts);
        }
    }
    Run::EMPTY
}

/// The run about an accepted point; its ends are sought from where they were.
fn around(range: Run, near: Run, seed: i64, accepts: &mut impl FnMut(i64) -> bool) -> Run {
    let low = end(seed, near.low.clamp(range.low, seed), range.low, accepts);
    let high = end(seed, near.high.clamp(seed, range.high), range.high, accepts);
    Run { low, high }
}

/// The last accepted point on the way from `inside` to `limit`, looked for about `guess`, which lies between them.
fn end(inside: i64, guess: i64, limit: i64, accepts: &mut impl FnMut(i64) -> bool) -> i64 {
    let way = (limit - inside).signum();
    if way == 0 {
        return inside;
    }
    let (mut good, mut bad) = (inside, limit + way);
    let from = if guess == inside || accepts(guess) {
        good = guess;
        guess
    } else {
        bad = guess;
        inside
    };
    // Doubling steps until the test rejects, then halving.
    let mut stride = 1;
    let mut at = from + way;
    while bad == limit + way && (limit - at) * way >= 0 {
        if accepts(at) {
            good = at;
            if at == limit {
                return limit;
            }
            stride *= 2;
            at = if way > 0 { (at + stride).min(limit) } else { (at - stride).max(limit) };
        } else {
            bad = at;
        }
    }
    while 1 < (bad - good).abs() {
        let middle = i64::midpoint(good, bad);
        if accepts(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_is_found_from_any_guess() {
        for low in 0..12 {
            for high in low - 1..12 {
                let truth = Run { low, high };
                for guess_low in -2..14 {
                    for guess_high in guess_low - 1..14 {
                        let guess = Run { low: guess_low, high: guess_high };
                        let range = Run { low: 0, high: 11 };
                        let got = find(range, None, guess, &mut |at| low <= at && at <= high);
                        let same = got == truth || got.is_empty() && truth.is_empty();
                        assert!(same, "{got:?} is not {truth:?} from {guess:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_good_guess_costs_little() {
        let mut calls = 0;
        let mut accepts = |at: i64| {
            calls += 1;
            500 <= at
        };
        let run = Run { low: 500, high: 1000 };
        let known = Some(Known { asked: Run { low: 0, high: 1000 }, run });
        let got = find(Run { low: 0, high: 1004 }, known, Run::EMPTY, &mut accepts);
        assert_eq!(got, Run { low: 500, high: 1004 });
        assert!(calls <= 3, "{calls} calls");
    }
}
