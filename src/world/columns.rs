//! Columns of a table as text, for judges that look their verdicts up by row.

use super::table::{TableMistake, header_of, line, of_csv};

/// A field of a column, and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The line, from 1.
    pub line: usize,
    /// What is written, without the white space around it.
    pub text: String,
}

/// The columns of these names in the text of a CSV file, by row, in the order of the file.
///
/// # Errors
/// A column that is missing, and what the table has instead.
pub fn columns<const N: usize>(
    text: &str,
    names: &[String; N],
) -> Result<Vec<[Cell; N]>, Vec<TableMistake>> {
    let (mut reader, header) = header_of(text)?;
    let found = names.each_ref().map(|name| header.iter().position(|it| it == name));
    let missing = names.iter().zip(found).filter(|it| it.1.is_none());
    let mistakes: Vec<TableMistake> = missing
        .map(|(name, _)| {
            let has = header.iter().collect::<Vec<_>>().join(", ");
            TableMistake {
                line: 1,
                value: String::new(),
                rule: format!("the column `{name}` is missing; the table has {has}"),
                remedy: "add the column, or name another".to_owned(),
            }
        })
        .collect();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| vec![of_csv(&error)])?;
        let line = line(record.position());
        rows.push(found.map(|at| {
            let text = at.and_then(|at| record.get(at)).unwrap_or("").to_owned();
            Cell { line, text }
        }));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_in_the_order_asked_with_their_lines() {
        let text = "id,x,y\nq1, pass ,\"two\nlines\"\nq2,fail,b\n";
        let rows = columns(text, &["y".to_owned(), "x".to_owned()]).unwrap();
        let cell = |line, text: &str| Cell { line, text: text.into() };
        assert_eq!(rows[0], [cell(2, "two\nlines"), cell(2, "pass")]);
        assert_eq!(rows[1], [cell(4, "b"), cell(4, "fail")]);
        let told = columns(text, &["z".to_owned()]).unwrap_err();
        assert_eq!((told[0].line, told.len()), (1, 1));
        assert!(told[0].rule.contains("`z` is missing; the table has id, x, y"));
    }
}
