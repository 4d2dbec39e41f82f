//! Reads tables in plain text (CSV): a line of names, then lines of as many values.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What separates values, the most usual first.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// Lines behind the names, at the least.
const MIN_ROWS: usize = 3;

/// Length of the line of names, at the most: code without line ends is not looked at further.
const MAX_NAMES_BYTES: usize = 10_000;

/// The rows of a table as objects; `None` if not all of its lines have as many values.
pub(super) fn read(text: &str) -> Option<Value> {
    SEPARATORS.iter().find_map(|&separator| read_with(text, separator))
}

fn read_with(text: &str, separator: char) -> Option<Value> {
    if text.lines().next().is_none_or(|first| first.len() > MAX_NAMES_BYTES) {
        return None;
    }
    let mut rows = rows(text, separator).into_iter();
    let names = rows.next().filter(|names| names.len() > 1)?;
    let different: BTreeSet<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    if different.len() < names.len() {
        return None;
    }
    let mut found = Vec::new();
    for row in rows {
        if row.len() != names.len() {
            return None;
        }
        let values = row.into_iter().map(Value::String);
        found.push(Value::Object(names.iter().cloned().zip(values).collect::<Map<_, _>>()));
    }
    (found.len() >= MIN_ROWS).then_some(Value::Array(found))
}

/// Lines of values (RFC 4180): a value in quotes may hold separators, line ends and doubled quotes.
fn rows(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut value) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut in_quotes = false;
    while let Some(char) = chars.next() {
        match char {
            '"' if in_quotes && chars.peek() == Some(&'"') => {
                chars.next();
                value.push('"');
            }
            '"' if in_quotes || value.is_empty() => in_quotes = !in_quotes,
            _ if in_quotes => value.push(char),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                row.push(std::mem::take(&mut value).trim().to_owned());
                let row = std::mem::take(&mut row);
                if row.iter().all(String::is_empty) {
                    continue;
                }
                rows.push(row);
                // Text that is no table is not read to its end.
                if rows.last().map(Vec::len) != rows.first().map(Vec::len) {
                    return rows;
                }
            }
            char if char == separator => row.push(std::mem::take(&mut value).trim().to_owned()),
            char => value.push(char),
        }
    }
    if !value.is_empty() || !row.is_empty() {
        row.push(value.trim().to_owned());
        rows.push(row);
    }
    rows.retain(|row| row.iter().any(|value| !value.is_empty()));
    rows
}
