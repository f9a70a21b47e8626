//! Worlds whose answers are scored one by one: an answer at several lengths, two systems, candidates to choose from, cases in
//! clusters.

use std::collections::BTreeSet;

use super::table::{TableMistake, header_of, line, mistake, of_csv};
use crate::evidence::{Columns, Ruled};
use crate::quantity::Probability;

use super::nodes::normal;

/// What the answers of a scored world are like.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// One answer to each case at several lengths, all of quality 0, scored in one session.
    Lengths,
    /// Two systems, the first one better by so many score points, each scored in a session of its own.
    Systems {
        /// How much better the first system's answers are.
        gap: f64,
    },
    /// Candidates that pass with the same probability, truth drawn anew for each cell and replicate.
    Candidates {
        /// That probability.
        rate: Probability,
    },
    /// One answer to each case. The pass rate of a cluster's cases is drawn anew for it in each replicate, normal in log-odds.
    Clusters {
        /// The log-odds of the pass rate of a middling cluster.
        mean: f64,
        /// Their standard deviation over clusters.
        sd: f64,
    },
}

impl Answered {
    /// The probability that an answer passes, over all clusters; none where answers do not pass or fail.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        match self {
            Self::Candidates { rate } => Some(rate.get()),
            Self::Clusters { mean, sd } => {
                let nodes = normal(*mean, *sd, 1.0, &[], &[0.0]);
                Some(nodes.iter().map(|it| it.weight * logistic(it.at)).sum())
            }
            Self::Lengths | Self::Systems { .. } => None,
        }
    }
}

/// The probability of these log-odds.
#[must_use]
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

/// Answers that are scored one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The cases, unique; part of the address of everything drawn for them.
    pub cases: Vec<String>,
    /// The columns, unique.
    pub columns: Vec<String>,
    /// The cells.
    pub ruled: Ruled,
    /// What the answers are like.
    pub answered: Answered,
}

impl Scored {
    /// Two systems on so many cases.
    #[must_use]
    pub fn systems(cases: usize, names: &[String; 2], gap: f64) -> Self {
        let ruled = Ruled { cases, columns: 2, ..Ruled::default() };
        let cases = (0..cases).map(|case| case.to_string()).collect();
        Self { cases, columns: names.to_vec(), ruled, answered: Answered::Systems { gap } }
    }

    /// So many candidates on so many cases, and on as many fresh ones.
    #[must_use]
    pub fn candidates(cases: usize, candidates: usize, rate: Probability) -> Self {
        let seen = (0..cases).map(|case| case.to_string());
        let fresh = (0..cases).map(|case| format!("fresh {case}"));
        let ruled =
            Ruled { cases: 2 * cases, columns: candidates, held_out: cases, ..Ruled::default() };
        Self {
            cases: seen.chain(fresh).collect(),
            columns: (0..candidates).map(|it| it.to_string()).collect(),
            ruled,
            answered: Answered::Candidates { rate },
        }
    }

    /// Cases in clusters of these sizes, with the log-odds of a cluster's pass rate, mean and standard deviation. Without a
    /// claim, tests ask about the pass rate that is true.
    #[must_use]
    pub fn clusters(sizes: &[usize], [mean, sd]: [f64; 2], claimed: Option<f64>) -> Self {
        let answered = Answered::Clusters { mean, sd };
        let ruled = Ruled {
            cases: sizes.iter().sum(),
            columns: 1,
            clusters: sizes.to_vec(),
            claimed: claimed.or_else(|| answered.rate()),
            ..Ruled::default()
        };
        let of = |(cluster, size): (usize, &usize)| {
            (0..*size).map(move |case| format!("{case} of cluster {cluster}"))
        };
        let cases = sizes.iter().enumerate().flat_map(of).collect();
        Self { cases, columns: vec!["answer".to_owned()], ruled, answered }
    }

    /// Reads the text of a CSV file: a column `id`, and columns of word counts, one for each length.
    ///
    /// # Errors
    /// Every mistake in the table: a missing column, a duplicate id, a length that is no number above 0.
    pub fn lengths(text: &str) -> Result<Self, Vec<TableMistake>> {
        let (mut reader, header) = header_of(text)?;
        if header.get(0) != Some("id") || header.len() < 3 {
            let rule = "a table of lengths has a column `id` and two or more columns of words";
            return Err(vec![mistake(1, "", rule, "name them id,words1,words2 and so on")]);
        }
        let columns: Vec<String> = header.iter().skip(1).map(str::to_owned).collect();
        let (mut cases, mut lengths) = (Vec::new(), Vec::new());
        let (mut mistakes, mut seen) = (Vec::new(), BTreeSet::new());
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    mistakes.push(of_csv(&error));
                    continue;
                }
            };
            let at = line(record.position());
            let id = record.get(0).unwrap_or_default();
            if !seen.insert(id.to_owned()) {
                let remedy = "give each case an id of its own";
                mistakes.push(mistake(at, id, "this id stands in the table already", remedy));
            }
            cases.push(id.to_owned());
            for field in record.iter().skip(1) {
                let words: f64 = field.parse().unwrap_or(f64::NAN);
                if !(0.0 < words && words <= 1e9) {
                    let rule = "a length is a number of words above 0";
                    mistakes.push(mistake(at, field, rule, "mend the number"));
                }
                lengths.push(libm::log2(words));
            }
        }
        if cases.is_empty() && mistakes.is_empty() {
            mistakes.push(mistake(1, "", "the table has no cases", "add a line for each case"));
        }
        let ruled =
            Ruled { cases: cases.len(), columns: columns.len(), lengths, ..Ruled::default() };
        let read = Self { cases, columns, ruled, answered: Answered::Lengths };
        if mistakes.is_empty() { Ok(read) } else { Err(mistakes) }
    }

    /// What the columns are.
    #[must_use]
    pub const fn kind(&self) -> Columns {
        match self.answered {
            Answered::Lengths => Columns::Lengths,
            Answered::Systems { .. } => Columns::Systems,
            Answered::Candidates { .. } => Columns::Candidates,
            Answered::Clusters { .. } => Columns::Clusters,
        }
    }

    /// How good the answers of a column are, in score points.
    #[must_use]
    pub fn quality(&self, column: usize) -> f64 {
        match self.answered {
            Answered::Systems { gap } if column == 0 => gap,
            _ => 0.0,
        }
    }

    /// By cell: the session in which it is scored, or its cluster. What they share is drawn once for all of them.
    #[must_use]
    pub fn sessions(&self) -> Vec<usize> {
        let columns = self.ruled.columns;
        match self.answered {
            Answered::Lengths => vec![0; self.ruled.cells()],
            Answered::Systems { .. } | Answered::Candidates { .. } => {
                (0..self.ruled.cells()).map(|cell| cell % columns).collect()
            }
            Answered::Clusters { .. } => {
                let sizes = self.ruled.clusters.iter().enumerate();
                sizes.flat_map(|(k, size)| std::iter::repeat_n(k, size * columns)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_lengths_keeps_its_order() {
        let read = Scored::lengths("id, short, long\nq1,4,16\n q2 ,1,1024\n").unwrap();
        assert_eq!(read.cases, ["q1", "q2"]);
        assert_eq!(read.columns, ["short", "long"]);
        assert_eq!(read.ruled.lengths, [2.0, 4.0, 0.0, 10.0]);
        assert_eq!(read.ruled.place(1, 1), 3);
    }

    #[test]
    fn every_mistake_of_a_table_of_lengths_is_told_with_its_line() {
        let told = |text: &str| -> Vec<(usize, String)> {
            let all = Scored::lengths(text).unwrap_err();
            all.into_iter().map(|it| (it.line, it.rule)).collect()
        };
        assert!(told("")[0].1.contains("`id`"));
        assert!(told("id,words\nq,4\n")[0].1.contains("two or more"));
        let twice = told("id,a,b\nq,1,0\nq,x,3\nr,1\n");
        assert_eq!(twice.iter().map(|it| it.0).collect::<Vec<_>>(), [2, 3, 3, 4]);
        assert!(told("id,a,b\n")[0].1.contains("no cases"));
    }
}
