//! Which tables does a project give? For now its pages, with Common Crawl's column names first.

use quarry_model::PageRow;

use crate::project::truncation_name;
use crate::table::{Cell, Column, ColumnType, TableFormat, TableOut, write_table};
use crate::{Project, StoreError};

/// A table of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// One row per archived page.
    Pages,
}

impl Table {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
        }
    }

    /// Its columns.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        use ColumnType::{Integer, Text, Time};
        let columns = match self {
            Self::Pages => [
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
        write_table(table.name(), &table.columns(), format, out, &mut |sink| match table {
            Table::Pages => self.each_row("is_page", &mut |row| {
                rows += 1;
                let path = self.dir().join(table.name());
                sink.write(cells(row)).map_err(|source| StoreError::Table { path, source })
            }),
        })?;
        Ok(rows)
    }
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
