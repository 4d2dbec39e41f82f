//! A table as comma-separated values, quoted as RFC 4180 has it.

use std::io::Write;

use super::{SinkError, TableCell, TableColumn, TableSink};

pub(super) struct Csv<'a> {
    out: Box<dyn Write + Send + 'a>,
    line: String,
}

impl<'a> Csv<'a> {
    pub(super) fn new(
        columns: &[TableColumn],
        out: Box<dyn Write + Send + 'a>,
    ) -> Result<Self, SinkError> {
        let mut csv = Self { out, line: String::new() };
        csv.write(columns.iter().map(|column| TableCell::Text(column.name.clone())).collect())?;
        Ok(csv)
    }
}

impl TableSink for Csv<'_> {
    fn write(&mut self, row: Vec<TableCell>) -> Result<(), SinkError> {
        self.line.clear();
        let only = row.len() == 1;
        for (i, cell) in row.into_iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            match cell {
                // A line without anything would be no row.
                TableCell::Null if only => self.line.push_str("\"\""),
                TableCell::Null => {}
                TableCell::Text(text) => quote(&text, &mut self.line),
                TableCell::Integer(number) => self.line.push_str(&number.to_string()),
                TableCell::Float(number) => self.line.push_str(&number.to_string()),
                TableCell::Time(at) => self.line.push_str(&at.to_string()),
                TableCell::Date(day) => self.line.push_str(&day.to_string()),
                TableCell::Boolean(yes) => self.line.push_str(if yes { "true" } else { "false" }),
                TableCell::List(texts) => quote(&serde_json::to_string(&texts)?, &mut self.line),
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
