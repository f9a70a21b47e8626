//! Small files that are drawn by a rule of a few lines, so that a second implementation can draw the same ones.

use std::fmt::Write as _;

/// x <- 1664525 x + 1013904223 modulo 2^32, of which the upper half is a share.
pub(crate) struct Draws(u32);

impl Draws {
    pub(crate) fn new(seed: u32) -> Self {
        Self(seed)
    }

    pub(crate) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 16) / 65536.0
    }

    /// A whole number from 0 to below `many`.
    fn whole(&mut self, many: f64) -> u32 {
        (self.share() * many) as u32
    }
}

pub(crate) fn logistic(eta: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-eta))
}

/// 24 cases of two systems, scored from 1 to 5 by a judge that pays for length, and by people.
pub(crate) fn scores() -> String {
    let mut draws = Draws::new(11);
    let mut csv = "case,system,judge,score,human,words\n".to_owned();
    for case in 0..24 {
        for system in 0..2 {
            let ahead = if system == 1 && case % 3 == 0 { 0.4 } else { 0.0 };
            let quality = draws.share() * 3.0 + 1.2 + ahead;
            let human = libm::rint(quality + draws.share() - 0.5).clamp(1.0, 5.0);
            let words = 40 + draws.whole(400.0);
            let long = 0.5 * libm::log2(f64::from(words) / 200.0);
            let score = libm::rint(quality + long + draws.share() * 1.6 - 0.5).clamp(1.0, 5.0);
            let _ = writeln!(csv, "{case},s{system},j,{score},{human},{words}");
        }
    }
    csv
}

/// Four systems, each two on 18 items in both orders, by a judge with a liking for the slot and for length.
pub(crate) fn robin() -> String {
    let mut draws = Draws::new(5);
    let mut csv = "pair,first,second,verdict,length_first,length_second\n".to_owned();
    let strength = [0.0, 0.6, 1.1, -0.4];
    for item in 0..18 {
        let words: Vec<u32> = (0..4).map(|_| 60 + draws.whole(300.0)).collect();
        for a in 0..4 {
            for b in a + 1..4 {
                for (x, y) in [(a, b), (b, a)] {
                    let gap = libm::log2(f64::from(words[x]) / f64::from(words[y]));
                    let eta = strength[x] - strength[y] + 0.5 * gap + 0.7;
                    let first = draws.share() < logistic(eta);
                    let said = if first { "first" } else { "second" };
                    let _ = writeln!(csv, "{item},s{x},s{y},{said},{},{}", words[x], words[y]);
                }
            }
        }
    }
    csv
}

/// 80 labelled pairs in both orders by two prompts of one judge: one likes the first slot and length, the other hardly.
pub(crate) fn prompts() -> String {
    let mut draws = Draws::new(77);
    let mut csv = "pair,judge,first,second,verdict,length_first,length_second,gold\n".to_owned();
    for pair in 0..80 {
        let quality = 3.0 * (draws.share() - 0.5);
        let [a, b] = [(); 2].map(|()| 50 + draws.whole(300.0));
        let gold = draws.share() < 0.75;
        let gap = libm::log2(f64::from(a) / f64::from(b));
        let taste = 2.0 * (draws.share() - 0.5);
        for (judge, position, length) in [("long", 1.0, 0.8), ("short", -0.3, 0.1)] {
            for (turn, shown, words) in [(1.0, "a,b", [a, b]), (-1.0, "b,a", [b, a])] {
                let truth = if gold { 1.2 } else { -1.2 };
                let eta = turn * (quality + taste + truth + length * gap) + position;
                let said = if draws.share() < logistic(eta) { "first" } else { "second" };
                let better = if gold == (turn > 0.0) { "first" } else { "second" };
                let [one, other] = words;
                let _ = writeln!(csv, "{pair},{judge},{shown},{said},{one},{other},{better}");
            }
        }
    }
    csv
}

/// Sensitivity and specificity of three judges.
const RATES: [(&str, f64, f64); 3] = [("x", 0.9, 0.8), ("y", 0.75, 0.85), ("z", 0.8, 0.65)];

/// 120 labelled pairs in both orders by three judges who err independently; with `copies` the third says what the second said.
pub(crate) fn panel(copies: bool) -> String {
    let mut draws = Draws::new(404);
    let mut csv = "pair,judge,first,second,winner,gold\n".to_owned();
    for pair in 0..120 {
        let gold = draws.share() < 0.6;
        for shown in ["a,b", "b,a"] {
            let mut last = false;
            for (judge, sensitivity, specificity) in RATES {
                let for_a = if gold { sensitivity } else { 1.0 - specificity };
                let said = draws.share() < for_a;
                let said = if copies && judge == "z" { last } else { said };
                last = said;
                let name = |a| if a { "a" } else { "b" };
                let _ = writeln!(csv, "{pair},{judge},{shown},{},{}", name(said), name(gold));
            }
        }
    }
    csv
}

/// 200 cases of pass and fail by the same judges, without a label; one reply in 40 is none.
pub(crate) fn grades() -> String {
    let mut draws = Draws::new(31);
    let mut csv = "case,judge,grade\n".to_owned();
    for case in 0..200 {
        let truth = draws.share() < 0.7;
        for (judge, sensitivity, specificity) in RATES {
            let passes = if truth { sensitivity } else { 1.0 - specificity };
            let said = if draws.share() < passes { "pass" } else { "fail" };
            let said = if draws.share() < 0.025 { "" } else { said };
            let _ = writeln!(csv, "{case},{judge},{said}");
        }
    }
    csv
}
