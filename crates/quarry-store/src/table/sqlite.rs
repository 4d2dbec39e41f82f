//! A table in an SQLite database.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use super::{ColumnType, SinkError, TableCell, TableColumn, TableSink};

/// Columns of one table: SQLite has room for 2,000. A wider table goes on in `NAME_2`, `NAME_3` …; rows that belong
/// together have the same rowid.
const WIDTH: usize = 1_900;
/// Bytes of the definitions of one table: SQLite reads statements of up to a million.
const DEFINED: usize = 400_000;

pub(super) struct Sqlite {
    conn: Connection,
    parts: Vec<Part>,
    /// SQL to be run at the end.
    index: String,
}

/// Some columns of a table.
struct Part {
    insert: String,
    width: usize,
}

impl Sqlite {
    /// Into the database at `path`, which has no table of this name.
    pub(super) fn new(
        name: &str,
        columns: &[TableColumn],
        index: &str,
        path: &Path,
    ) -> Result<Self, SinkError> {
        let conn = Connection::open(path)?;
        // The file is thrown away if it does not become whole, so it needs no journal.
        conn.pragma_update(None, "journal_mode", "off")?;
        conn.pragma_update(None, "synchronous", "off")?;
        let mut parts = Vec::new();
        for (number, columns) in split(columns).into_iter().enumerate() {
            let table = match number {
                0 => identifier(name),
                _ => identifier(&format!("{name}_{}", number + 1)),
            };
            let definitions: Vec<String> = columns.iter().map(definition).collect();
            conn.execute_batch(&format!("CREATE TABLE {table} ({})", definitions.join(", ")))?;
            let places = vec!["?"; columns.len()].join(", ");
            let insert = format!("INSERT INTO {table} VALUES ({places})");
            parts.push(Part { insert, width: columns.len() });
        }
        conn.execute_batch("BEGIN")?;
        Ok(Self { conn, parts, index: index.to_owned() })
    }
}

impl TableSink for Sqlite {
    fn write(&mut self, row: &[TableCell]) -> Result<(), SinkError> {
        let mut cells = row.iter();
        for part in &self.parts {
            let mut statement = self.conn.prepare_cached(&part.insert)?;
            let own = cells.by_ref().take(part.width);
            let values = own.map(value).collect::<Result<Vec<_>, SinkError>>()?;
            statement.execute(rusqlite::params_from_iter(values))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), SinkError> {
        self.conn.execute_batch(&self.index)?;
        self.conn.execute_batch("COMMIT")?;
        self.conn.close().map_err(|(_, error)| error)?;
        Ok(())
    }
}

/// A cell as SQLite takes it; texts are not copied.
fn value(cell: &TableCell) -> Result<ToSqlOutput<'_>, SinkError> {
    let owned = |text: String| ToSqlOutput::Owned(Value::Text(text));
    Ok(match cell {
        TableCell::Null => ToSqlOutput::Borrowed(ValueRef::Null),
        TableCell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        TableCell::Integer(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
        TableCell::Float(number) => ToSqlOutput::Borrowed(ValueRef::Real(*number)),
        TableCell::Time(at) => owned(at.to_string()),
        TableCell::Date(day) => owned(day.to_string()),
        TableCell::Boolean(yes) => ToSqlOutput::Borrowed(ValueRef::Integer((*yes).into())),
        TableCell::List(texts) => owned(serde_json::to_string(texts)?),
    })
}

/// Columns, as many together as a table has room for.
fn split(columns: &[TableColumn]) -> Vec<&[TableColumn]> {
    let (mut parts, mut from, mut bytes) = (Vec::new(), 0, 0);
    for (at, column) in columns.iter().enumerate() {
        let own = definition(column).len();
        if at > from && (at - from == WIDTH || bytes + own > DEFINED) {
            parts.push(&columns[from..at]);
            (from, bytes) = (at, 0);
        }
        bytes += own;
    }
    parts.push(&columns[from..]);
    parts
}

fn definition(column: &TableColumn) -> String {
    let kind = match column.kind {
        ColumnType::Text | ColumnType::Time | ColumnType::Date | ColumnType::List => "TEXT",
        ColumnType::Integer | ColumnType::Boolean => "INTEGER",
        ColumnType::Float => "REAL",
    };
    format!("{} {kind}", identifier(&column.name))
}

/// A name between quotes.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
