//! A table as JSON lines.

use std::io::Write;

use serde_json::Value;

use super::{SinkError, TableCell, TableColumn, TableSink};

pub(super) struct JsonLines<'a> {
    /// Each name as JSON, with the comma or brace before it and the colon after it.
    names: Vec<String>,
    out: Box<dyn Write + Send + 'a>,
}

impl<'a> JsonLines<'a> {
    pub(super) fn new(columns: &[TableColumn], out: Box<dyn Write + Send + 'a>) -> Self {
        let name = |(i, column): (usize, &TableColumn)| {
            let mark = if i == 0 { '{' } else { ',' };
            format!("{mark}{}:", Value::from(column.name.as_str()))
        };
        Self { names: columns.iter().enumerate().map(name).collect(), out }
    }
}

impl TableSink for JsonLines<'_> {
    fn write(&mut self, row: &[TableCell]) -> Result<(), SinkError> {
        for (name, cell) in self.names.iter().zip(row) {
            self.out.write_all(name.as_bytes())?;
            let out = &mut self.out;
            match cell {
                TableCell::Null => out.write_all(b"null")?,
                TableCell::Text(text) => serde_json::to_writer(out, text)?,
                TableCell::Integer(number) => serde_json::to_writer(out, number)?,
                TableCell::Float(number) => serde_json::to_writer(out, number)?,
                TableCell::Time(at) => serde_json::to_writer(out, &at.to_string())?,
                TableCell::Date(day) => serde_json::to_writer(out, &day.to_string())?,
                TableCell::Boolean(yes) => serde_json::to_writer(out, yes)?,
                TableCell::List(texts) => serde_json::to_writer(out, texts)?,
            }
        }
        self.out.write_all(b"}\n")?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }
}
