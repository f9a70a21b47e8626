//! Names of items, systems, judges as the records give them.

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};

use super::super::rows::Names;
use super::fields::{Fields, Record, quoted};
use super::layout::Naming;

/// Room for one name that does not stand in the record as it is, and what was met while making names.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    text: String,
    /// Whether something that is not UTF-8 was read as Latin-1.
    pub(super) latin1: bool,
}

impl Scratch {
    /// A value as text: UTF-8, or else Latin-1.
    pub(super) fn text<'a>(&'a mut self, value: &'a [u8]) -> &'a str {
        if let Ok(text) = str::from_utf8(value) {
            text
        } else {
            self.latin1 = true;
            self.text.clear();
            self.text.extend(value.iter().copied().map(char::from));
            &self.text
        }
    }

    /// The name that a record gives; an error quotes what gives none.
    pub(super) fn name<'a>(
        &'a mut self,
        naming: &'a Naming,
        record: Record<'a>,
    ) -> Result<&'a str, (String, String)> {
        let Record { fields, number, .. } = record;
        match naming {
            Naming::Fixed(name) => Ok(name),
            Naming::Column(column) => Ok(self.text(fields.get(*column))),
            Naming::Joined(columns) => Ok(self.joined(columns, fields)),
            Naming::Part { column, separator, part, of } => {
                let value = fields.get(*column);
                let text = self.text(value);
                let parts = text.splitn(*of, *separator);
                match (parts.clone().count() == *of, parts.clone().nth(*part)) {
                    (true, Some(part)) => Ok(part.trim()),
                    _ => Err((
                        quoted(value),
                        format!("it has no {of} parts with `{separator}` between them"),
                    )),
                }
            }
            Naming::Number => {
                self.text.clear();
                self.text.push_str(&number.to_string());
                Ok(&self.text)
            }
            Naming::Digest(columns) => {
                let mut digest = Blake2b::<U8>::new();
                for column in columns {
                    let value = fields.get(*column);
                    digest.update((value.len() as u64).to_le_bytes());
                    digest.update(value);
                }
                let digest: [u8; 8] = digest.finalize().into();
                self.text = format!("{:016x}", u64::from_be_bytes(digest));
                Ok(&self.text)
            }
            Naming::Other { column, systems } => {
                let value = fields.get(*column);
                if let Some(at) = systems.iter().position(|it| it.as_bytes() == value) {
                    Ok(&systems[1 - at])
                } else {
                    let rule = format!("the systems are {} and {}", systems[0], systems[1]);
                    Err((quoted(value), rule))
                }
            }
        }
    }

    fn joined<'a>(&'a mut self, columns: &[usize], fields: Fields<'_>) -> &'a str {
        self.text.clear();
        for value in columns.iter().map(|it| fields.get(*it)).filter(|it| !it.is_empty()) {
            if !self.text.is_empty() {
                self.text.push('/');
            }
            if let Ok(text) = str::from_utf8(value) {
                self.text.push_str(text);
            } else {
                self.latin1 = true;
                self.text.extend(value.iter().copied().map(char::from));
            }
        }
        &self.text
    }
}

/// The place of the name that a record gives, of which two may be tried first; what must have a name is told by `must`.
pub(super) fn place(
    scratch: &mut Scratch,
    names: &mut Names,
    naming: &Naming,
    record: Record<'_>,
    near: [u32; 2],
    must: Option<&str>,
) -> Result<u32, (String, String)> {
    if let Naming::Column(column) = naming
        && let Some(place) = names.place_near(record.fields.get(*column), near)
    {
        return Ok(place);
    }
    match (scratch.name(naming, record)?, must) {
        ("", Some(what)) => Err((String::new(), format!("the {what} is not named"))),
        (name, _) => {
            Ok(names.place_near(name.as_bytes(), near).unwrap_or_else(|| names.place(name)))
        }
    }
}
