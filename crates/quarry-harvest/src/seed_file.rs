//! Reads a seed file: one known record a line, JSON objects or comma-separated values under a line of names.

use quarry_extract::attribute::{SeedAttributeId, SeedDb};
use serde_json::Value;

/// The column that says where a record came from.
const SITE: &str = "_site";

/// Why a seed file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// A line is no record.
    #[error("line {line} is not a JSON object; each line is one record")]
    NoObject {
        /// From 1.
        line: usize,
        /// What is wrong with it, if it is not even JSON.
        source: Option<serde_json::Error>,
    },
    /// A table that cannot be read.
    #[error("it is no table of comma-separated values")]
    NoTable(#[from] csv::Error),
    /// A table without anything.
    #[error("it is empty; it needs a line of column names")]
    Empty,
    /// A table without names.
    #[error("its first line has no column names")]
    NoNames,
    /// A row that is longer than the line of names.
    #[error("record {record} has {values} values, but there are {columns} columns")]
    TooManyValues {
        /// The line, from 1.
        record: usize,
        /// Its values.
        values: usize,
        /// Names in the first line.
        columns: usize,
    },
}

/// Reads known records. JSON lines if the first line is a JSON object, else CSV.
pub fn parse_seeds(bytes: &[u8]) -> Result<SeedDb, SeedError> {
    let text = decode(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') { json_lines(text) } else { table(text) }
}

/// UTF-8, or UTF-16 with a mark. Bytes that are neither become the sign for that; [`SeedDb::issues`]
/// speaks of it.
fn decode(bytes: &[u8]) -> String {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn json_lines(text: &str) -> Result<SeedDb, SeedError> {
    let mut seeds = SeedDb::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let no_object = |source| SeedError::NoObject { line: number, source };
        let value: Value = serde_json::from_str(line).map_err(|source| no_object(Some(source)))?;
        let Value::Object(object) = value else { return Err(no_object(None)) };
        let mut values = Vec::new();
        let mut site = String::new();
        for (name, value) in &object {
            if name == SITE {
                site = value.as_str().unwrap_or_default().to_owned();
            } else if !name.starts_with('_') {
                let attribute = seeds.attribute(name);
                each_text(value, &mut |text| values.push((attribute, text)));
            }
        }
        seeds.add(&site, None, values);
    }
    Ok(seeds)
}

fn each_text(value: &Value, take: &mut impl FnMut(String)) {
    match value {
        Value::Null => {}
        Value::Bool(truth) => take(truth.to_string()),
        Value::Number(number) => take(number.to_string()),
        Value::String(text) => take(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| each_text(value, take)),
        Value::Object(members) => members.values().for_each(|value| each_text(value, take)),
    }
}

fn table(text: &str) -> Result<SeedDb, SeedError> {
    let mut rows = rows(text)?.into_iter();
    let Some(names) = rows.next() else { return Err(SeedError::Empty) };
    if names.iter().all(|name| name.trim().is_empty()) {
        return Err(SeedError::NoNames);
    }
    let mut seeds = SeedDb::default();
    let columns: Vec<Option<SeedAttributeId>> = names
        .iter()
        .map(|name| name.trim())
        .map(|name| (!name.is_empty() && !name.starts_with('_')).then(|| seeds.attribute(name)))
        .collect();
    let site_at = names.iter().position(|name| name.trim() == SITE);
    for (number, row) in (2..).zip(rows) {
        if row.len() > names.len() {
            let (values, columns) = (row.len(), names.len());
            return Err(SeedError::TooManyValues { record: number, values, columns });
        }
        let site = site_at.and_then(|at| row.get(at)).cloned().unwrap_or_default();
        let values = columns.iter().zip(row).filter_map(|(column, cell)| Some(((*column)?, cell)));
        let values = values.flat_map(|(attribute, cell)| {
            cell_values(&cell).into_iter().map(move |value| (attribute, value))
        });
        let values: Vec<(SeedAttributeId, String)> = values.collect();
        seeds.add(&site, None, values);
    }
    Ok(seeds)
}

/// A cell may hold a list as JSON.
fn cell_values(cell: &str) -> Vec<String> {
    if cell.trim_start().starts_with('[')
        && let Ok(list @ Value::Array(_)) = serde_json::from_str(cell)
    {
        let mut values = Vec::new();
        each_text(&list, &mut |text| values.push(text));
        return values;
    }
    vec![cell.to_owned()]
}

/// The rows of a table; a semicolon or tab separates where the first line has no comma. Lines without anything are no records.
fn rows(text: &str) -> Result<Vec<Vec<String>>, csv::Error> {
    let first = text.lines().next().unwrap_or_default();
    let separator = [b',', b'\t', b';'].into_iter().find(|&c| first.contains(char::from(c)));
    let mut builder = csv::ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true).delimiter(separator.unwrap_or(b','));
    let row = |row: Result<csv::StringRecord, _>| Ok(row?.iter().map(str::to_owned).collect());
    let rows = builder.from_reader(text.as_bytes()).into_records().map(row);
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::{SeedAttributeId, json_lines, rows, table};

    #[test]
    fn rows_are_read_as_rfc_4180_has_them() {
        let cases: [(&str, &[&[&str]]); 5] = [
            ("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]),
            ("a,b\r\n\"1,\"\"x\"\"\r\ny\",2", &[&["a", "b"], &["1,\"x\"\r\ny", "2"]]),
            ("a;b\n1;2,5\n\n", &[&["a", "b"], &["1", "2,5"]]),
            ("a\tb\n1\t\n", &[&["a", "b"], &["1", ""]]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn both_forms_hold_the_same() {
        let lines =
            "{\"name\": \"A\", \"size\": 5, \"_site\": \"x\", \"tags\": [\"p\", \"q\"]}\n\n";
        let table = "name,size,_site,tags\nA,5,x,\"[\"\"p\"\", \"\"q\"\"]\"\n";
        let (lines, table) = (json_lines(lines).unwrap(), super::table(table).unwrap());
        assert_eq!(lines.records()[0].values(SeedAttributeId(2)), ["p", "q"]);
        assert_eq!(lines, table);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let message = |text| json_lines(text).unwrap_err().to_string();
        assert!(message("{\"a\": 1}\nnonsense").contains("line 2"));
        assert!(message("{\"a\": 1}\n[1]").contains("line 2"));
        assert!(table("").is_err());
        assert!(table("a,b\n1,2,3").unwrap_err().to_string().contains("3 values"));
    }
}
