//! Takes the wanted values out of a JSON value, by their paths, and passes over everything else.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::{Row, characters};

/// The most paths that are told apart while a file is made out.
const MOST_PATHS: usize = 4096;
/// How deep they go.
const DEEPEST: usize = 6;
/// How many elements of a list have paths of their own.
const ELEMENTS: usize = 8;

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Nothing,
    Value(usize),
    /// The number of its characters.
    Length(usize),
}

#[derive(Clone, Debug)]
struct Node {
    children: Vec<(Box<str>, usize)>,
    keep: Keep,
}

/// A tree of paths, whose root is the record.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    nodes: Vec<Node>,
    /// The path of each column, by key.
    columns: Vec<Vec<Box<str>>>,
}

impl Paths {
    /// Without any path, to learn them.
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node { children: Vec::new(), keep: Keep::Nothing }],
            columns: Vec::new(),
        }
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The columns' names: their keys with dots between them.
    pub(super) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|path| path.join(".")).collect()
    }

    /// Only these columns, of which some are kept by their length.
    pub(super) fn only(&self, wanted: &[(usize, bool)]) -> Self {
        let mut paths = Self { columns: self.columns.clone(), ..Self::new() };
        for (column, length) in wanted {
            let Some(path) = self.columns.get(*column) else { continue };
            let mut at = 0;
            for key in path {
                // Elements of lists are passed one by one, so those before a wanted one have paths too.
                let element = key.parse::<usize>().ok().filter(|it| *it < ELEMENTS);
                for before in 0..element.unwrap_or(0) {
                    let before = before.to_string();
                    if paths.find(at, &before).is_none() {
                        paths.grow(at, &before);
                    }
                }
                at = paths.find(at, key).unwrap_or_else(|| paths.grow(at, key));
            }
            paths.nodes[at].keep =
                if *length { Keep::Length(*column) } else { Keep::Value(*column) };
        }
        paths
    }

    fn find(&self, node: usize, key: &str) -> Option<usize> {
        self.nodes[node].children.iter().find(|it| *it.0 == *key).map(|it| it.1)
    }

    fn grow(&mut self, node: usize, key: &str) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { children: Vec::new(), keep: Keep::Nothing });
        self.nodes[node].children.push((key.into(), at));
        at
    }

    /// Takes the values of a record.
    pub(super) fn take(&self, record: &[u8], row: &mut Row) -> Result<(), serde_json::Error> {
        row.clear(self.len());
        run(record, Taking { paths: self, at: 0, row })
    }

    /// Takes all values of a record, and learns their paths.
    pub(super) fn learn(&mut self, record: &[u8], row: &mut Row) -> Result<(), serde_json::Error> {
        row.clear(self.len());
        run(record, Learning { paths: self, at: 0, path: &mut Vec::new(), row })
    }

    fn column(&mut self, node: usize, path: &[Box<str>]) -> usize {
        if let Keep::Value(column) = self.nodes[node].keep {
            return column;
        }
        self.columns.push(path.to_vec());
        self.nodes[node].keep = Keep::Value(self.columns.len() - 1);
        self.columns.len() - 1
    }
}

fn run<'de>(
    record: &'de [u8],
    seed: impl DeserializeSeed<'de, Value = ()>,
) -> Result<(), serde_json::Error> {
    let mut json = serde_json::Deserializer::from_slice(record);
    // The root must be an object: what else stands in a list of records is no record.
    if record.trim_ascii_start().first() != Some(&b'{') {
        return Err(serde_json::Error::custom("it is no object"));
    }
    seed.deserialize(&mut json)?;
    json.end()
}

/// A key, looked up without being kept.
struct Key<'a> {
    paths: &'a Paths,
    at: usize,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.paths.find(self.at, key))
    }
}

/// Takes what is wanted below a node.
struct Taking<'a> {
    paths: &'a Paths,
    at: usize,
    row: &'a mut Row,
}

impl Taking<'_> {
    fn keep(self, value: &[u8]) {
        match self.paths.nodes[self.at].keep {
            Keep::Value(column) => self.row.set(column, value),
            Keep::Length(column) => self.row.set(column, characters(value).to_string().as_bytes()),
            Keep::Nothing => {}
        }
    }

    /// A number or a truth value: no text, so without a length.
    fn plain(self, value: &str) {
        if let Keep::Value(column) = self.paths.nodes[self.at].keep {
            self.row.set(column, value.as_bytes());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Taking<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Taking<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.keep(value.as_bytes());
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.plain(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.plain(&value.to_string());
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.plain(&value.to_string());
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.plain(&value.to_string());
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Taking { paths, at, row } = self;
        while let Some(child) = map.next_key_seed(Key { paths, at })? {
            match child {
                Some(at) => map.next_value_seed(Taking { paths, at, row })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Taking { paths, at, row } = self;
        for (_, child) in &paths.nodes[at].children {
            // Elements were learned in order, and all up to the last that is wanted have paths.
            if list.next_element_seed(Taking { paths, at: *child, row })?.is_none() {
                return Ok(());
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// Takes everything below a node, and learns its path.
struct Learning<'a> {
    paths: &'a mut Paths,
    at: usize,
    path: &'a mut Vec<Box<str>>,
    row: &'a mut Row,
}

impl Learning<'_> {
    fn keep(self, value: &[u8]) {
        if self.paths.len() < MOST_PATHS {
            let column = self.paths.column(self.at, self.path);
            self.row.set(column, value);
        }
    }

    /// The node below by its key, where paths still go on.
    fn below(&mut self, key: &str) -> Option<usize> {
        if let Some(at) = self.paths.find(self.at, key) {
            return Some(at);
        }
        let more = self.path.len() < DEEPEST && self.paths.nodes.len() < 2 * MOST_PATHS;
        more.then(|| self.paths.grow(self.at, key))
    }

    fn child(&mut self, at: usize, key: &str) -> Learning<'_> {
        self.path.push(key.into());
        Learning { paths: self.paths, at, path: self.path, row: self.row }
    }
}

impl<'de> DeserializeSeed<'de> for Learning<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Learning<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.keep(value.as_bytes());
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.keep(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.keep(value.to_string().as_bytes());
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.keep(value.to_string().as_bytes());
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.keep(value.to_string().as_bytes());
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.keep(b"");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.below(&key) {
                Some(at) => {
                    map.next_value_seed(self.child(at, &key))?;
                    self.path.pop();
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        for element in 0..ELEMENTS {
            let key = element.to_string();
            let Some(at) = self.below(&key) else { break };
            let found = list.next_element_seed(self.child(at, &key))?;
            self.path.pop();
            if found.is_none() {
                return Ok(());
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
