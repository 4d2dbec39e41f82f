//! Writes tables: rows of typed columns, as JSON lines, CSV, Parquet or SQLite. A file appears, or is replaced, when the
//! table is whole.

mod csv;
mod day;
mod jsonl;
mod parquet;
mod sqlite;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use quarry_model::Timestamp;

use crate::StoreError;
use crate::whole::whole;
pub use day::Day;

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
    /// A day: ISO 8601 text, or a date type where the format has one.
    Date,
    /// Yes or no: 1 or 0 where the format knows no truth.
    Boolean,
    /// Several texts: a JSON array as text where the format has no lists.
    List,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnType,
}

impl TableColumn {
    /// A column.
    #[must_use]
    pub fn new(name: &str, kind: ColumnType) -> Self {
        Self { name: name.to_owned(), kind }
    }
}

/// One value of a row. [`TableCell::Null`] may stand in any column.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
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
    /// A day.
    Date(Day),
    /// Yes or no.
    Boolean(bool),
    /// Several texts.
    List(Vec<String>),
}

impl From<Option<String>> for TableCell {
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
    /// The same, with an apostrophe before texts that a spreadsheet would run as a formula.
    SafeCsv,
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// An SQLite database with one table.
    Sqlite,
}

/// Why a sink could not take a row.
type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Takes the rows of a table in one format.
trait TableSink {
    /// Takes a row: a cell for every column, of its type or null.
    fn write(&mut self, row: &[TableCell]) -> Result<(), SinkError>;

    /// Ends the table.
    fn finish(self: Box<Self>) -> Result<(), SinkError>;
}

/// A sink, and the path that its errors name.
type OpenSink<'a> = (Box<dyn TableSink + 'a>, &'a Path);

/// Takes the rows of a table, for one format or several.
pub struct Rows<'a> {
    sinks: Vec<OpenSink<'a>>,
}

impl Rows<'_> {
    /// Takes a row: a cell for every column, of its type or null.
    pub fn write(&mut self, row: Vec<TableCell>) -> Result<(), StoreError> {
        let mut sinks = self.sinks.iter_mut();
        sinks.try_for_each(|(sink, path)| sink.write(&row).map_err(failed(path)))
    }
}

/// Opens a sink that writes to `out`. SQLite needs a file: see [`write_table`].
fn stream<'a>(
    format: TableFormat,
    columns: &[TableColumn],
    out: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn TableSink + 'a>, SinkError> {
    Ok(match format {
        TableFormat::Jsonl => Box::new(jsonl::JsonLines::new(columns, out)),
        TableFormat::Csv => Box::new(csv::Csv::new(columns, out, false)?),
        TableFormat::SafeCsv => Box::new(csv::Csv::new(columns, out, true)?),
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

/// Writes a table called `name`: `fill` is called once and writes its rows. If it fails, a file that was there before stays
/// as it was.
///
/// ```
/// use quarry_store::table::{TableCell, TableColumn, ColumnType, TableFormat, TableOut, write_table};
///
/// let columns = [TableColumn::new("lamp", ColumnType::Text), TableColumn::new("weight", ColumnType::Float)];
/// let mut text = Vec::new();
/// let out = TableOut::Stream(Box::new(&mut text));
/// write_table("lamps", &columns, TableFormat::Csv, out, &mut |rows| {
///     rows.write(vec![TableCell::Text("Arc".into()), TableCell::Float(2.5)])?;
///     rows.write(vec![TableCell::Text("Bow".into()), TableCell::Null])
/// })?;
/// assert_eq!(text, b"lamp,weight\nArc,2.5\nBow,\n");
/// # Ok::<(), quarry_store::StoreError>(())
/// ```
pub fn write_table(
    name: &str,
    columns: &[TableColumn],
    format: TableFormat,
    out: TableOut<'_>,
    fill: Fill<'_>,
) -> Result<(), StoreError> {
    match out {
        TableOut::File(path) => write_file(name, columns, format, path, fill),
        TableOut::Stream(mut stream_out) if format == TableFormat::Sqlite => {
            let path = std::env::temp_dir().join(format!("quarry-{}.sqlite", std::process::id()));
            write_file(name, columns, format, &path, fill)?;
            let copied =
                File::open(&path).and_then(|mut file| std::io::copy(&mut file, &mut stream_out));
            let removed = fs::remove_file(&path);
            copied.and(removed).map_err(StoreError::io("copy", &path))
        }
        TableOut::Stream(out) => {
            let path = Path::new("standard output");
            let sink = stream(format, columns, out);
            run(vec![(sink.map_err(failed(path))?, path)], fill)
        }
    }
}

/// Several tables on their way into one SQLite database, which is whole or thrown away.
pub(crate) struct Database<'a> {
    /// The file that is being written.
    beside: &'a Path,
    /// The file that it will be.
    path: &'a Path,
}

impl<'a> Database<'a> {
    pub(crate) fn create(beside: &'a Path, path: &'a Path) -> Result<Self, StoreError> {
        File::create(beside).map_err(StoreError::io("create", path))?;
        Ok(Self { beside, path })
    }

    /// Adds a table, which is also written to these files in the same pass; `index` is SQL to be run when it is filled.
    pub(crate) fn add(
        &self,
        name: &str,
        columns: &[TableColumn],
        index: &str,
        files: &[(TableFormat, PathBuf)],
        fill: Fill<'_>,
    ) -> Result<(), StoreError> {
        let sink = sqlite::Sqlite::new(name, columns, index, self.beside);
        let sink: Box<dyn TableSink> = Box::new(sink.map_err(failed(self.path))?);
        write_files(columns, files, vec![(sink, self.path)], fill)
    }
}

/// Writes the rows of a table.
type Fill<'f> = &'f mut dyn FnMut(&mut Rows<'_>) -> Result<(), StoreError>;

/// Fills these sinks and these files in one pass; the files appear when all of them are whole.
fn write_files<'a>(
    columns: &[TableColumn],
    files: &'a [(TableFormat, PathBuf)],
    mut sinks: Vec<OpenSink<'a>>,
    fill: Fill<'_>,
) -> Result<(), StoreError> {
    let Some(((format, path), rest)) = files.split_first() else { return run(sinks, fill) };
    whole(path, |beside| {
        let file = File::create(beside).map_err(StoreError::io("create", path))?;
        let sink = stream(*format, columns, Box::new(BufWriter::new(file)));
        sinks.push((sink.map_err(failed(path))?, path));
        write_files(columns, rest, sinks, fill)
    })
}

fn write_file(
    name: &str,
    columns: &[TableColumn],
    format: TableFormat,
    path: &Path,
    fill: Fill<'_>,
) -> Result<(), StoreError> {
    if format == TableFormat::Sqlite {
        return whole(path, |beside| {
            Database::create(beside, path)?.add(name, columns, "", &[], fill)
        });
    }
    write_files(columns, &[(format, path.to_owned())], Vec::new(), fill)
}

/// Fills sinks to their ends.
fn run(sinks: Vec<OpenSink<'_>>, fill: Fill<'_>) -> Result<(), StoreError> {
    let mut rows = Rows { sinks };
    fill(&mut rows)?;
    rows.sinks.into_iter().try_for_each(|(sink, path)| sink.finish().map_err(failed(path)))
}

fn failed(path: &Path) -> impl Fn(SinkError) -> StoreError {
    move |source| StoreError::Table { path: path.to_owned(), source }
}
