//! How do tables leave? Rows of typed columns into a [`TableSink`]: JSON lines, CSV, Parquet or
//! SQLite. A file appears, or is replaced, when the table is whole.

mod csv;
mod jsonl;
mod parquet;
mod sqlite;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use quarry_model::Timestamp;

use crate::StoreError;
use crate::whole::whole;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// A moment: RFC 3339 text, or a timestamp type where the format has one.
    Time,
    /// Yes or no: 1 or 0 where the format knows no truth.
    Boolean,
    /// Several texts: a JSON array as text where the format has no lists.
    List,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnType,
}

impl Column {
    /// A column.
    #[must_use]
    pub fn new(name: &str, kind: ColumnType) -> Self {
        Self { name: name.to_owned(), kind }
    }
}

/// One value of a row. [`Cell::Null`] may stand in any column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// None.
    Null,
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A moment.
    Time(Timestamp),
    /// Yes or no.
    Boolean(bool),
    /// Several texts.
    List(Vec<String>),
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

/// A format that tables are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// One JSON object a line.
    Jsonl,
    /// RFC 4180 quoting, a header line, `\n` at line ends.
    Csv,
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// An SQLite database with one table.
    Sqlite,
}

/// Why a sink could not take a row.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Takes the rows of a table.
pub trait TableSink {
    /// Takes a row: a cell for every column, of its type or null.
    fn write(&mut self, row: Vec<Cell>) -> Result<(), SinkError>;

    /// Ends the table.
    fn finish(self: Box<Self>) -> Result<(), SinkError>;
}

/// Opens a sink that writes to `out`. SQLite needs a file: see [`write_table`].
fn stream<'a>(
    format: TableFormat,
    columns: &[Column],
    out: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn TableSink + 'a>, SinkError> {
    Ok(match format {
        TableFormat::Jsonl => Box::new(jsonl::JsonLines::new(columns, out)),
        TableFormat::Csv => Box::new(csv::Csv::new(columns, out)?),
        TableFormat::Parquet => Box::new(parquet::Parquet::new(columns, out)?),
        TableFormat::Sqlite => return Err("a database cannot be written to a stream".into()),
    })
}

/// Where a table goes.
pub enum TableOut<'a> {
    /// Into a file, which appears when it is whole.
    File(&'a Path),
    /// To standard output or the like.
    Stream(Box<dyn Write + Send + 'a>),
}

/// Writes a table called `name`: `rows` is called once and hands its rows to the sink. If it
/// fails, a file that was there before stays as it was.
pub fn write_table(
    name: &str,
    columns: &[Column],
    format: TableFormat,
    out: TableOut<'_>,
    rows: &mut dyn FnMut(&mut dyn TableSink) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    match out {
        TableOut::File(path) => write_file(name, columns, format, path, rows),
        TableOut::Stream(mut stream_out) if format == TableFormat::Sqlite => {
            let path = std::env::temp_dir().join(format!("quarry-{}.sqlite", std::process::id()));
            write_file(name, columns, format, &path, rows)?;
            let copied =
                File::open(&path).and_then(|mut file| std::io::copy(&mut file, &mut stream_out));
            let removed = fs::remove_file(&path);
            copied.and(removed).map_err(StoreError::io("copy", &path))
        }
        TableOut::Stream(out) => {
            let path = PathBuf::from("standard output");
            let failed = |source| StoreError::Table { path: path.clone(), source };
            let mut sink = stream(format, columns, out).map_err(failed)?;
            rows(sink.as_mut())?;
            sink.finish().map_err(failed)
        }
    }
}

fn write_file(
    name: &str,
    columns: &[Column],
    format: TableFormat,
    path: &Path,
    rows: &mut dyn FnMut(&mut dyn TableSink) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    whole(path, |partial| write_partial(name, columns, format, partial, rows))
}

fn write_partial(
    name: &str,
    columns: &[Column],
    format: TableFormat,
    path: &Path,
    rows: &mut dyn FnMut(&mut dyn TableSink) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let failed = |source| StoreError::Table { path: path.to_owned(), source };
    let file = File::create(path).map_err(StoreError::io("create", path))?;
    let mut sink: Box<dyn TableSink> = if format == TableFormat::Sqlite {
        Box::new(sqlite::Sqlite::new(name, columns, path).map_err(failed)?)
    } else {
        stream(format, columns, Box::new(BufWriter::new(file))).map_err(failed)?
    };
    rows(sink.as_mut())?;
    sink.finish().map_err(failed)
}
