//! Reads tables in plain text (CSV): a line of names, then lines of as many values.

use std::collections::BTreeSet;

use csv::{ReaderBuilder, Trim};
use serde_json::{Map, Value};

/// What separates values, the most usual first.
const SEPARATORS: [u8; 4] = *b",;\t|";
/// Lines behind the names, at the least.
const MIN_ROWS: usize = 3;
/// Length of the line of names, at the most: code without line ends is not looked at further.
const MAX_NAMES_BYTES: usize = 10_000;

/// The rows of a table as objects; `None` if not all of its lines have as many values.
pub(super) fn read(text: &str) -> Option<Value> {
    if text.lines().next().is_none_or(|first| first.len() > MAX_NAMES_BYTES) {
        return None;
    }
    SEPARATORS.iter().find_map(|&separator| read_with(text, separator))
}

fn read_with(text: &str, separator: u8) -> Option<Value> {
    let mut builder = ReaderBuilder::new();
    let builder = builder.delimiter(separator).trim(Trim::All).flexible(true);
    let mut table = builder.from_reader(text.as_bytes());
    let names = table.headers().ok().filter(|names| names.len() > 1)?.clone();
    let different: BTreeSet<&str> = names.iter().filter(|name| !name.is_empty()).collect();
    if different.len() < names.len() {
        return None;
    }
    let mut found = Vec::new();
    for row in table.records() {
        let row = row.ok()?;
        if row.iter().all(str::is_empty) {
            continue;
        }
        // Text that is no table is not read to its end.
        if row.len() != names.len() {
            return None;
        }
        let values = names.iter().zip(&row);
        let fields = values.map(|(name, value)| (name.to_owned(), value.into()));
        found.push(Value::Object(fields.collect::<Map<_, _>>()));
    }
    (found.len() >= MIN_ROWS).then_some(Value::Array(found))
}
