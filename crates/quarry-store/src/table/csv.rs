//! A table as comma-separated values, quoted as RFC 4180 has it.

use std::fmt::Write as _;
use std::io::Write;

use super::{SinkError, TableCell, TableColumn, TableSink};

pub(super) struct Csv<'a> {
    out: Box<dyn Write + Send + 'a>,
    line: String,
    /// Whether formulas are made harmless.
    is_safe: bool,
}

impl<'a> Csv<'a> {
    pub(super) fn new(
        columns: &[TableColumn],
        out: Box<dyn Write + Send + 'a>,
        is_safe: bool,
    ) -> Result<Self, SinkError> {
        let mut csv = Self { out, line: String::new(), is_safe };
        let names: Vec<TableCell> =
            columns.iter().map(|column| TableCell::Text(column.name.clone())).collect();
        csv.write(&names)?;
        Ok(csv)
    }
}

impl TableSink for Csv<'_> {
    fn write(&mut self, row: &[TableCell]) -> Result<(), SinkError> {
        self.line.clear();
        let only = row.len() == 1;
        for (i, cell) in row.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            match cell {
                // A line without anything would be no row.
                TableCell::Null if only => self.line.push_str("\"\""),
                TableCell::Null => {}
                TableCell::Text(text) if self.is_safe && is_formula(text) => {
                    quote(&format!("'{text}"), &mut self.line);
                }
                TableCell::Text(text) => quote(text, &mut self.line),
                TableCell::Integer(number) => _ = write!(self.line, "{number}"),
                TableCell::Float(number) => _ = write!(self.line, "{number}"),
                TableCell::Time(at) => _ = write!(self.line, "{at}"),
                TableCell::Date(day) => _ = write!(self.line, "{day}"),
                TableCell::Boolean(yes) => self.line.push_str(if *yes { "true" } else { "false" }),
                TableCell::List(texts) => quote(&serde_json::to_string(texts)?, &mut self.line),
            }
        }
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }
}

/// Whether a spreadsheet would run a text: it begins with one of their signs, in the width of either half of the
/// world, perhaps behind blanks.
fn is_formula(text: &str) -> bool {
    let first = text.trim_start_matches([' ', '\u{a0}', '\u{3000}', '\n']).chars().next();
    first.is_some_and(|c| {
        matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠' | '|' | '%')
    })
}

/// Empty text is quoted, to tell it from no value.
fn quote(text: &str, out: &mut String) {
    if !text.is_empty() && !text.contains(['"', ',', '\n', '\r']) {
        return out.push_str(text);
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_texts() {
        let formulas =
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1", "=HYPERLINK(\"x\")"];
        assert!(formulas.iter().all(|text| is_formula(text)));
        assert!(["a=1", "", "1-2", "'=1"].iter().all(|text| !is_formula(text)));
    }

    #[test]
    fn quotes_what_needs_it() {
        fn check(text: &str, expect: &str) {
            let mut out = String::new();
            quote(text, &mut out);
            assert_eq!(out, expect);
        }
        check("plain text", "plain text");
        check("", "\"\"");
        check("a,b", "\"a,b\"");
        check("say \"hi\"", "\"say \"\"hi\"\"\"");
        check("two\nlines", "\"two\nlines\"");
    }
}
