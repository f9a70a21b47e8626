//! What a table says of its cases beside their truth: their strata, and the words of prompts and answers.

use std::collections::BTreeMap;

use super::World;
use super::table::{TableMistake, header_of, line, mistake, of_csv};

/// Strata and words of cases, in the order of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct TableWords {
    /// Of the prompt without answers, from the column `prompt_words`, if the table has it.
    pub prompt: Option<Vec<f64>>,
    /// Of each named system's answers, from its column `words_NAME`, if the table has it.
    pub answers: Vec<Option<Vec<f64>>>,
    /// The stratum of each case, if the table has them.
    pub strata: Option<Vec<String>>,
    /// The named systems that the table does not know: it has neither their words nor their truth.
    pub unknown: Vec<String>,
}

impl TableWords {
    /// Reads the words of a world's cases from the table that it was read from.
    ///
    /// # Errors
    /// Every number of words that is none, with its line.
    pub fn read(text: &str, world: &World, systems: &[String]) -> Result<Self, Vec<TableMistake>> {
        let (mut reader, header) = header_of(text)?;
        let find = |name: &str| header.iter().position(|it| it == name);
        let id = find("id").unwrap_or(0);
        let mut rows: BTreeMap<String, (usize, csv::StringRecord)> = BTreeMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| vec![of_csv(&error)])?;
            let line = line(record.position());
            let name = record.get(id).unwrap_or("").to_owned();
            rows.insert(name, (line, record));
        }
        let mut mistakes = Vec::new();
        let mut column = |name: &str| -> Option<Vec<f64>> {
            let at = find(name)?;
            let words = world.cases.iter().filter_map(|case| rows.get(&case.id)).map(|row| {
                let field = row.1.get(at).unwrap_or("");
                let words: f64 = field.parse().unwrap_or(f64::NAN);
                if !(0.0..=1e9).contains(&words) {
                    let rule = format!("`{name}` is a number of words from 0");
                    mistakes.push(mistake(row.0, field, rule, "mend the number"));
                }
                words
            });
            Some(words.collect())
        };
        let strata = find("stratum").map(|at| {
            let rows = world.cases.iter().filter_map(|case| rows.get(&case.id));
            rows.map(|row| row.1.get(at).unwrap_or("").to_owned()).collect()
        });
        let prompt = column("prompt_words");
        let answers = systems.iter().map(|it| column(&format!("words_{it}"))).collect();
        let known = |it: &&String| {
            ["words", "truth"].iter().all(|of| find(&format!("{of}_{it}")).is_none())
        };
        let unknown = systems.iter().filter(known).cloned().collect();
        if mistakes.is_empty() {
            Ok(Self { prompt, answers, strata, unknown })
        } else {
            Err(mistakes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Table, Wanted};
    use super::*;

    const TEXT: &str =
        "id,truth_A,truth_B,words_A,prompt_words\nx,1,1,3,20\ny,1,0,5,30\nz,0,1,7,40\n";

    fn world(differing: bool) -> World {
        let systems = ["A", "B"].map(|it| Answer { system: it.into(), family: it.into() });
        let wanted = Wanted { differing, ..Wanted::default() };
        Table::read(TEXT, systems, wanted).unwrap().world
    }

    #[test]
    fn words_follow_the_cases_of_the_world() {
        let systems = ["A", "B", "C"].map(String::from);
        let words = TableWords::read(TEXT, &world(false), &systems).unwrap();
        assert_eq!(words.prompt, Some(vec![20.0, 30.0, 40.0]));
        assert_eq!(words.answers, [Some(vec![3.0, 5.0, 7.0]), None, None]);
        assert_eq!((words.unknown, words.strata), (vec!["C".to_owned()], None));
        let some = TableWords::read(TEXT, &world(true), &systems).unwrap();
        assert_eq!(some.answers[0], Some(vec![5.0, 7.0]));
        let text = TEXT.replace("id,", "id,stratum,").replace("x,", "x,s,").replace("z,", "z,t,");
        let text = text.replace("y,", "y,u,");
        let some = TableWords::read(&text, &world(true), &[]).unwrap();
        assert_eq!(some.strata, Some(vec!["u".to_owned(), "t".to_owned()]));
    }

    #[test]
    fn a_number_that_is_none_is_told_with_its_line() {
        let text = TEXT.replace(",40", ",-4").replace(",30", ",many");
        let told = TableWords::read(&text, &world(false), &["A".to_owned()]).unwrap_err();
        let told: Vec<_> = told.iter().map(|it| (it.line, it.value.as_str())).collect();
        assert_eq!(told, [(3, "many"), (4, "-4")]);
    }
}
