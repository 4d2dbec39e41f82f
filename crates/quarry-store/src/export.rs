//! Which tables does a project give? Entities, their columns, values, queries; and pages, with Common
//! Crawl's column names first.

mod cells;
mod own;

use std::path::Path;

use crate::table::{
    ColumnType, Database, Rows, TableCell, TableColumn, TableFormat, TableOut, write_table,
};
use crate::whole::whole;
use crate::{Project, StoreError};
use own::Own;

/// The tables that a harvest leaves, each in these formats, and all of them in one database.
const TABLES: [Table; 5] =
    [Table::Entities, Table::Values, Table::Columns, Table::Queries, Table::Pages];
const FORMATS: [(TableFormat, &str); 3] =
    [(TableFormat::Parquet, "parquet"), (TableFormat::Csv, "csv"), (TableFormat::Jsonl, "jsonl")];
const DATABASE: &str = "harvest.sqlite";

/// A table of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// One row per entity, a column per attribute.
    Entities,
    /// One row per column of the entities.
    Columns,
    /// One row per archived page, as it was found last.
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
            Self::Entities => "entities",
            Self::Columns => "columns",
            Self::Pages => "pages",
            Self::Values => "values",
            Self::Queries => "queries",
        }
    }

    /// Its columns; those of the entities stand between `title` and `_id`.
    fn columns(self, own: &Own) -> Vec<TableColumn> {
        use ColumnType::{Boolean, Float, Integer, List, Text, Time};
        let columns: &[(&str, ColumnType)] = match self {
            Self::Entities => &[("site", Text), ("entity", Text), ("title", Text)],
            Self::Columns => &[
                ("name", Text),
                ("kind", Text),
                ("unit", Text),
                ("list", Boolean),
                ("entities", Integer),
                ("fill", Float),
                ("distinct", Integer),
                ("conflicts", Integer),
                ("sources", List),
                ("names", List),
                ("examples", List),
                ("merged", List),
            ],
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
        let fixed = columns.iter().map(|(name, kind)| TableColumn::new(name, *kind));
        if self != Self::Entities {
            return fixed.collect();
        }
        let behind = ["_id", "_state"].map(|name| TableColumn::new(name, Text));
        fixed.chain(own.columns()).chain(behind).collect()
    }

    /// What readers look up in a database of several tables, as SQL.
    fn index(self) -> &'static str {
        match self {
            Self::Entities => "CREATE INDEX entities_entity ON entities (entity)",
            Self::Values => "CREATE INDEX values_entity ON \"values\" (entity)",
            Self::Pages => "CREATE INDEX pages_key ON pages (key)",
            Self::Columns | Self::Queries => "",
        }
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
        let own = Own::read(self)?;
        let columns = table.columns(&own);
        let mut count = 0;
        write_table(table.name(), &columns, format, out, &mut |rows| {
            count = self.write_rows(table, &own, &columns, rows)?;
            Ok(())
        })?;
        Ok(count)
    }

    /// Writes all tables in all formats into the folder `tables`.
    pub fn export_all(&self) -> Result<(), StoreError> {
        let folder = self.dir().join("tables");
        std::fs::create_dir_all(&folder).map_err(StoreError::io("create the folder", &folder))?;
        for table in TABLES {
            for (format, ending) in FORMATS {
                let path = folder.join(format!("{}.{ending}", table.name()));
                self.export(table, format, TableOut::File(&path))?;
            }
        }
        self.export_database(&TABLES, &folder.join(DATABASE))
    }

    /// Writes several tables into one SQLite database, which appears when all are whole.
    pub fn export_database(&self, tables: &[Table], path: &Path) -> Result<(), StoreError> {
        let own = Own::read(self)?;
        whole(path, |beside| {
            let database = Database::create(beside, path)?;
            tables.iter().try_for_each(|&table| {
                let columns = table.columns(&own);
                database.add(table.name(), &columns, table.index(), &mut |rows| {
                    self.write_rows(table, &own, &columns, rows).map(drop)
                })
            })
        })
    }

    /// Writes the rows of a table. Returns how many there are.
    fn write_rows(
        &self,
        table: Table,
        own: &Own,
        columns: &[TableColumn],
        rows: &mut Rows<'_>,
    ) -> Result<u64, StoreError> {
        let mut count = 0;
        let mut write = |cells: Vec<TableCell>| {
            count += 1;
            rows.write(cells)
        };
        match table {
            Table::Pages => self.each_page(&mut |row| write(cells::of_page(row)))?,
            Table::Entities => self.each_entity(&mut |row| write(cells::of_entity(row, own)))?,
            Table::Columns => own.rows.iter().try_for_each(|row| write(cells::of_column(row)))?,
            Table::Values | Table::Queries => {
                let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
                let from = if table == Table::Values { "facts" } else { "queries" };
                let sql = format!("SELECT {} FROM {from} ORDER BY rowid", names.join(", "));
                self.each_fact(&sql, &mut |row| {
                    let cells = (0..columns.len()).map(|at| cells::of_fact(row, at));
                    write(cells.collect::<Result<_, _>>().map_err(self.db("read the facts"))?)
                })?;
            }
        }
        Ok(count)
    }
}
