//! A table as an SQLite database of its own.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::{Cell, Column, ColumnType, SinkError, TableSink};

pub(super) struct Sqlite {
    conn: Connection,
    insert: String,
}

impl Sqlite {
    /// Into the file at `path`, which is empty.
    pub(super) fn new(name: &str, columns: &[Column], path: &Path) -> Result<Self, SinkError> {
        let conn = Connection::open(path)?;
        // The file is thrown away if it does not become whole, so it needs no journal.
        conn.pragma_update(None, "journal_mode", "off")?;
        conn.pragma_update(None, "synchronous", "off")?;
        let definitions: Vec<String> = columns
            .iter()
            .map(|column| {
                let kind = match column.kind {
                    ColumnType::Text | ColumnType::Time | ColumnType::List => "TEXT",
                    ColumnType::Integer | ColumnType::Boolean => "INTEGER",
                    ColumnType::Float => "REAL",
                };
                format!("{} {kind}", identifier(&column.name))
            })
            .collect();
        let table = identifier(name);
        conn.execute_batch(&format!("CREATE TABLE {table} ({}); BEGIN", definitions.join(", ")))?;
        let places = vec!["?"; columns.len()].join(", ");
        Ok(Self { conn, insert: format!("INSERT INTO {table} VALUES ({places})") })
    }
}

impl TableSink for Sqlite {
    fn write(&mut self, row: Vec<Cell>) -> Result<(), SinkError> {
        let value = |cell| {
            Ok(match cell {
                Cell::Null => Value::Null,
                Cell::Text(text) => Value::Text(text),
                Cell::Integer(number) => Value::Integer(number),
                Cell::Float(number) => Value::Real(number),
                Cell::Time(at) => Value::Text(at.to_string()),
                Cell::Boolean(yes) => Value::Integer(yes.into()),
                Cell::List(texts) => Value::Text(serde_json::to_string(&texts)?),
            })
        };
        let values = row.into_iter().map(value).collect::<Result<Vec<_>, SinkError>>()?;
        let mut statement = self.conn.prepare_cached(&self.insert)?;
        statement.execute(rusqlite::params_from_iter(values))?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), SinkError> {
        self.conn.execute_batch("COMMIT")?;
        self.conn.close().map_err(|(_, error)| error)?;
        Ok(())
    }
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
