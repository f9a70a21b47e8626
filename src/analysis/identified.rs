//! What the columns of a verdict file can tell apart: which biases of a judge they identify, what the others are aliased
//! with, and the cheapest further data that would separate them.
//!
//! As for designs of scenarios: in log-odds a verdict is a sum of contrasts, and without a label each pair has a coefficient of
//! its own, which turns with the order and which judges of the same pair share. A bias is identified exactly if its column is
//! no combination of the others.

use super::pairs::{Pair, pairs};
use crate::evidence::{Gold, Order};
use crate::protocol::{Bias, Remedy};
use crate::stats::logistic::apart_by;
use crate::verdicts::Verdicts;

/// What a file says of the biases of one judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The judge.
    pub judge: String,
    /// Its pairs.
    pub pairs: u64,
    /// Position, length and self-preference.
    pub biases: Vec<Told>,
}

/// What a file says of one bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The bias.
    pub bias: Bias,
    /// Whether it can be told from everything else.
    pub standing: Standing,
}

/// Whether a bias can be told from everything else.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// It can.
    Identified,
    /// The file says nothing of it; what it lacks.
    Absent(&'static str),
    /// It cannot be told from these; the cheapest data that would help, where any would.
    Aliased(Vec<&'static str>, Option<Remedy>),
}

/// The columns: three biases and a label's weight of the judge; position, length and a label's weight of third parties.
const COLUMNS: usize = 7;
const POSITION: usize = 0;
const LENGTH: usize = 1;
const OWN: usize = 2;
const BETTER: usize = 3;
const OTHERS: usize = 4;

/// One presentation: its columns, and how it turns.
type Row = ([f64; COLUMNS], f64);

/// The standings of each judge; `own` names judges with their systems.
#[must_use]
pub fn identified(verdicts: &Verdicts, own: &[(String, String)]) -> Vec<Standings> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); verdicts.judges.len()];
    for (row, it) in (0..).zip(&verdicts.ballots) {
        if let Some(of_judge) = rows.get_mut(it.judge as usize) {
            of_judge.push(row);
        }
    }
    let all: Vec<Vec<Pair>> = rows.iter().map(|rows| pairs(&verdicts.ballots, rows).all).collect();
    let owned = |judge: &str| {
        let (_, system) = own.iter().find(|it| it.0 == judge)?;
        verdicts.systems.find(system)
    };
    let told = |(k, judge): (usize, &str)| {
        let mut others: Vec<Pair> =
            all.iter().enumerate().filter(|it| it.0 != k).flat_map(|it| it.1.clone()).collect();
        others.sort_by_key(Pair::key);
        let file = File { pairs: &all[k], others: &others, own: owned(judge) };
        Standings { judge: judge.to_owned(), pairs: all[k].len() as u64, biases: file.biases() }
    };
    let judges = verdicts.judges.iter().enumerate().filter(|it| !all[it.0].is_empty());
    judges.map(told).collect()
}

/// A judge's pairs, those of the others, and its own system.
struct File<'p> {
    pairs: &'p [Pair],
    others: &'p [Pair],
    own: Option<u32>,
}

impl File<'_> {
    fn biases(&self) -> Vec<Told> {
        let lengths = self.pairs.iter().any(|it| it.lengths.is_some_and(|[a, b]| a != b));
        let owns = |own: u32| self.pairs.iter().any(|it| it.systems.contains(&own));
        let absent = [
            (POSITION, Bias::Position, None),
            (LENGTH, Bias::Length, (!lengths).then_some("the file gives no lengths that differ")),
            (
                OWN,
                Bias::Own,
                match self.own {
                    None => Some("no system is named as the judge's own (--own JUDGE=SYSTEM)"),
                    Some(own) if !owns(own) => Some("no pair holds the judge's own system"),
                    Some(_) => None,
                },
            ),
        ];
        let one = |(column, bias, why): (usize, Bias, Option<&'static str>)| Told {
            bias,
            standing: why.map_or_else(|| self.standing(column), Standing::Absent),
        };
        absent.into_iter().map(one).collect()
    }

    fn standing(&self, column: usize) -> Standing {
        let gram = self.gram(None);
        if apart_by(&gram).identified[column] {
            return Standing::Identified;
        }
        let helps = |it: &Remedy| apart_by(&self.gram(Some(*it))).identified[column];
        let remedy = Remedy::ALL.into_iter().find(helps);
        Standing::Aliased(aliases(&gram, column), remedy)
    }

    /// The products of the columns, once the pairs' own coefficients are fitted away; with a remedy's data besides.
    fn gram(&self, with: Option<Remedy>) -> Vec<Vec<f64>> {
        let gold =
            matches!(with, Some(Remedy::Gold | Remedy::GoldAndTwins | Remedy::GoldAndThirdParty));
        let twins = matches!(with, Some(Remedy::PaddedTwins | Remedy::GoldAndTwins));
        let third = matches!(with, Some(Remedy::ThirdParty | Remedy::GoldAndThirdParty));
        let mut gram = vec![vec![0.0; COLUMNS]; COLUMNS];
        let mut others = self.others;
        for (number, pair) in self.pairs.iter().enumerate() {
            // A label that would be bought is taken to be now this, now that.
            let bought = if number.is_multiple_of(2) { Gold::A } else { Gold::B };
            let label = pair.gold.or(gold.then_some(bought));
            let both = with == Some(Remedy::OtherOrder);
            let mut rows: Vec<Row> = Vec::new();
            for order in Order::BOTH {
                if both || pair.asked(order) {
                    rows.push(self.row(pair, order, label, false));
                }
                if third {
                    rows.push(self.row(pair, order, label, true));
                }
            }
            let before = others.partition_point(|it| it.key() < pair.key());
            others = &others[before..];
            for other in others.iter().take_while(|it| it.key() == pair.key()) {
                let asked = Order::BOTH.into_iter().filter(|order| other.asked(*order));
                rows.extend(asked.map(|order| self.row(pair, order, label, true)));
            }
            add(&mut gram, rows, label.is_none());
        }
        if twins {
            // Two copies of one answer, one of them longer: neither is better, and that is known.
            let twin = |turn: f64| {
                let mut columns = [0.0; COLUMNS];
                (columns[POSITION], columns[LENGTH]) = (1.0, turn);
                (columns, turn)
            };
            add(&mut gram, vec![twin(1.0), twin(-1.0)], false);
        }
        gram
    }

    fn row(&self, pair: &Pair, order: Order, label: Option<Gold>, other: bool) -> Row {
        let turn = if order == Order::Ab { 1.0 } else { -1.0 };
        let doublings = pair.lengths.filter(|[a, b]| 0 < *a && 0 < *b);
        let doublings =
            doublings.map_or(0.0, |[a, b]| libm::log2(f64::from(a)) - libm::log2(f64::from(b)));
        let owns = |system: u32| f64::from(u8::from(self.own == Some(system)));
        let own = owns(pair.systems[0]) - owns(pair.systems[1]);
        let better = match label.map(Gold::compared) {
            Some(Gold::A) => 1.0,
            Some(Gold::B) => -1.0,
            _ => 0.0,
        };
        let mut columns = [0.0; COLUMNS];
        let start = if other { OTHERS } else { 0 };
        columns[start + POSITION] = 1.0;
        columns[start + LENGTH] = turn * doublings;
        columns[if other { OTHERS + OWN } else { BETTER }] = turn * better;
        if !other {
            columns[OWN] = turn * own;
        }
        (columns, turn)
    }
}

/// Adds a pair's rows, without what its own coefficient explains where no label stands for it.
fn add(gram: &mut [Vec<f64>], mut rows: Vec<Row>, own_coefficient: bool) {
    if own_coefficient && !rows.is_empty() {
        let n = rows.len() as f64;
        for column in 0..COLUMNS {
            let share = rows.iter().map(|(x, turn)| x[column] * turn).sum::<f64>() / n;
            for (x, turn) in &mut rows {
                x[column] -= share * *turn;
            }
        }
    }
    for (x, _) in &rows {
        for (line, a) in gram.iter_mut().zip(x) {
            line.iter_mut().zip(x).for_each(|(sum, b)| *sum += a * b);
        }
    }
}

/// What a column cannot be told from: the others without which it could be, and the better answer where nothing is left of
/// the column itself.
fn aliases(gram: &[Vec<f64>], column: usize) -> Vec<&'static str> {
    const BETTER_ANSWER: &str = "which answer is better";
    let names = [
        (POSITION, Bias::Position.name()),
        (LENGTH, Bias::Length.name()),
        (OWN, Bias::Own.name()),
        (BETTER, BETTER_ANSWER),
    ];
    if gram[column][column] < 1e-9 {
        return vec![BETTER_ANSWER];
    }
    let without = |other: usize| -> bool {
        let mut fewer = gram.to_vec();
        for (k, line) in fewer.iter_mut().enumerate() {
            line[other] = 0.0;
            if k == other {
                line.fill(0.0);
            }
        }
        apart_by(&fewer).identified[column]
    };
    let partners = names.into_iter().filter(|it| it.0 != column && without(it.0));
    let partners: Vec<&'static str> = partners.map(|it| it.1).collect();
    if partners.is_empty() { vec![BETTER_ANSWER] } else { partners }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Verdict;
    use crate::verdicts::{Ballot, NO_LENGTH};

    /// Pairs in the orders asked; every other pair's first answer is twice as long.
    fn file(judges: &[&str], both: bool, lengths: bool, gold: bool) -> Verdicts {
        let mut it = Verdicts::default();
        let (none, repeat) = (it.strata.place(""), it.repeats.place(""));
        let [a, b] = ["a", "b"].map(|name| it.systems.place(name));
        for judge in judges {
            let judge = it.judges.place(judge);
            for k in 0..12_u32 {
                let item = it.items.place(&format!("q{k}"));
                let words = [[20, 10], [10, 10], [5, 10]][k as usize % 3];
                let words = if lengths { words } else { [NO_LENGTH; 2] };
                let better = if k % 4 < 2 { Verdict::First } else { Verdict::Second };
                for turned in [false, true].into_iter().filter(|turned| both || !turned) {
                    let (first, second) = if turned { (b, a) } else { (a, b) };
                    let at = usize::from(turned);
                    let label = if turned { super::super::pairs::turned(better) } else { better };
                    it.ballots.push(Ballot {
                        line: 1,
                        item,
                        first,
                        second,
                        judge,
                        stratum: none,
                        repeat,
                        length_first: words[at],
                        length_second: words[1 - at],
                        verdict: Verdict::First,
                        gold: if gold { label } else { Verdict::Invalid },
                    });
                }
            }
        }
        it
    }

    fn told(it: &Verdicts, own: bool) -> Vec<Standing> {
        let owned = [("one".to_owned(), "a".to_owned())];
        let own = if own { &owned[..] } else { &[] };
        identified(it, own)[0].biases.iter().map(|it| it.standing.clone()).collect()
    }

    #[test]
    fn a_swap_test_tells_the_position_and_nothing_else() {
        let told = told(&file(&["one"], true, true, false), true);
        assert_eq!(told[0], Standing::Identified);
        let better = vec!["which answer is better"];
        assert_eq!(told[1], Standing::Aliased(better.clone(), Some(Remedy::PaddedTwins)));
        assert_eq!(told[2], Standing::Aliased(better, Some(Remedy::ThirdParty)));
    }

    #[test]
    fn one_order_tells_nothing_without_labels() {
        let told = told(&file(&["one"], false, false, false), false);
        let better = vec!["which answer is better"];
        assert_eq!(told[0], Standing::Aliased(better, Some(Remedy::OtherOrder)));
        assert!(matches!(told[1], Standing::Absent(_)) && matches!(told[2], Standing::Absent(_)));
    }

    #[test]
    fn labels_and_third_parties_tell_the_rest() {
        let labelled = told(&file(&["one"], true, true, true), true);
        assert_eq!(labelled, [Standing::Identified, Standing::Identified, Standing::Identified]);
        let third = told(&file(&["one", "two"], true, true, false), true);
        assert_eq!((&third[0], &third[2]), (&Standing::Identified, &Standing::Identified));
        // One order and one system always first: the slot is the system, label or not.
        let one_order = told(&file(&["one"], false, true, true), true);
        assert_eq!(
            one_order[0],
            Standing::Aliased(vec!["self-preference"], Some(Remedy::OtherOrder))
        );
    }
}
