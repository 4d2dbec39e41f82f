//! Which tables does a project give? Pages, with Common Crawl's column names first; values and
//! queries.

use quarry_model::PageRow;

use crate::project::truncation_name;
use crate::table::{Cell, Column, ColumnType, TableFormat, TableOut, write_table};
use crate::{Project, StoreError};

/// A table of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// One row per archived page.
    Pages,
    /// One row per (entity, attribute, value).
    Values,
    /// One row per query that the site answers.
    Queries,
}

impl Table {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Values => "values",
            Self::Queries => "queries",
        }
    }

    /// Its columns.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        use ColumnType::{Float, Integer, Text, Time};
        let columns: &[(&str, ColumnType)] = match self {
            Self::Pages => &[
                ("url", Text),
                ("fetch_time", Time),
                ("fetch_status", Integer),
                ("content_mime_detected", Text),
                ("content_digest", Text),
                ("warc_filename", Text),
                ("warc_record_offset", Integer),
                ("warc_record_length", Integer),
                ("key", Text),
                ("content_mime_type", Text),
                ("fetch_redirect", Text),
                ("content_truncated", Text),
                ("depth", Integer),
                ("via", Text),
            ],
            Self::Values => &[
                ("site", Text),
                ("entity", Text),
                ("attribute", Text),
                ("value", Text),
                ("source", Text),
                ("page", Text),
                ("path", Text),
                ("confidence", Float),
            ],
            Self::Queries => &[
                ("query", Text),
                ("url", Text),
                ("entities", Integer),
                ("parents", Text),
                ("claimed", Integer),
                ("state", Text),
                ("site", Text),
            ],
        };
        columns.iter().map(|(name, kind)| Column::new(name, *kind)).collect()
    }
}

impl Project {
    /// Writes a table. Returns how many rows it has.
    pub fn export(
        &self,
        table: Table,
        format: TableFormat,
        out: TableOut<'_>,
    ) -> Result<u64, StoreError> {
        let mut rows = 0;
        let columns = table.columns();
        write_table(table.name(), &columns, format, out, &mut |sink| {
            let mut write = |cells: Vec<Cell>| {
                rows += 1;
                let path = self.dir().join(table.name());
                sink.write(cells).map_err(|source| StoreError::Table { path, source })
            };
            match table {
                Table::Pages => self.each_row("is_page", &mut |row| write(cells(row))),
                Table::Values | Table::Queries => {
                    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
                    let from = if table == Table::Values { "facts" } else { "queries" };
                    let sql = format!("SELECT {} FROM {from} ORDER BY rowid", names.join(", "));
                    self.each_fact(&sql, &mut |row| {
                        let cells = (0..columns.len()).map(|at| cell(row, at));
                        write(cells.collect::<Result<_, _>>().map_err(self.db("read the facts"))?)
                    })
                }
            }
        })?;
        Ok(rows)
    }
}

/// A cell of a fact: what the database holds there.
fn cell(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Cell> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(n) => Cell::Integer(n),
        ValueRef::Real(n) => Cell::Float(n),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Cell::Text(String::from_utf8_lossy(text).into_owned())
        }
    })
}

fn cells(row: PageRow) -> Vec<Cell> {
    let number = |n: u64| Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    vec![
        Cell::Text(row.url),
        Cell::Time(row.fetch_time),
        number(u64::from(row.fetch_status)),
        Cell::Text(row.content_mime_detected),
        Cell::Text(row.content_digest),
        Cell::Text(row.warc_filename),
        number(row.warc_record_offset),
        number(row.warc_record_length),
        Cell::Text(row.key),
        row.content_mime_type.into(),
        row.fetch_redirect.into(),
        row.content_truncated.map(|truncated| truncation_name(truncated).to_owned()).into(),
        number(u64::from(row.depth)),
        row.via.into(),
    ]
}
