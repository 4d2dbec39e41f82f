//! Which tables does a project give? Entities, their columns, values, queries; and pages, with Common
//! Crawl's column names first.

use quarry_model::{ColumnKind, ColumnRow, EntityCell, EntityRow, PageRow};

use crate::project::truncation_name;
use crate::table::{Cell, Column, ColumnType, TableFormat, TableOut, write_table};
use crate::{Project, StoreError};

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

    /// Its columns; those of the entities come behind `site`, `entity` and `title`.
    fn columns(self, entities: &[ColumnRow]) -> Vec<Column> {
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
        let fixed = columns.iter().map(|(name, kind)| Column::new(name, *kind));
        let own = entities.iter().filter(|_| self == Self::Entities).map(|column| {
            let kind = match column.kind {
                _ if column.list => List,
                ColumnKind::Number | ColumnKind::Price => Float,
                ColumnKind::Boolean => Boolean,
                ColumnKind::Date | ColumnKind::Link | ColumnKind::Text => Text,
            };
            Column::new(&column.name, kind)
        });
        fixed.chain(own).chain(self.behind()).collect()
    }

    /// Columns of the entities that come last: no attribute is in their way.
    fn behind(self) -> Vec<Column> {
        let names: &[&str] = if self == Self::Entities { &["_id", "_state"] } else { &[] };
        names.iter().map(|name| Column::new(name, ColumnType::Text)).collect()
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
        let own = self.columns()?;
        let columns = table.columns(&own);
        write_table(table.name(), &columns, format, out, &mut |sink| {
            let mut write = |cells: Vec<Cell>| {
                rows += 1;
                let path = self.dir().join(table.name());
                sink.write(cells).map_err(|source| StoreError::Table { path, source })
            };
            match table {
                Table::Pages => self.each_page(&mut |row| write(cells(row))),
                Table::Entities => self.each_entity(&mut |row| write(entity_cells(row))),
                Table::Columns => own.iter().try_for_each(|row| write(column_cells(row))),
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

fn entity_cells(row: EntityRow) -> Vec<Cell> {
    let head = [Cell::Text(row.site), Cell::Text(row.entity), row.title.into()];
    let own = row.cells.into_iter().map(|cell| match cell {
        EntityCell::Null => Cell::Null,
        EntityCell::Boolean(yes) => Cell::Boolean(yes),
        EntityCell::Number(number) => Cell::Float(number),
        EntityCell::Text(text) => Cell::Text(text),
        EntityCell::List(texts) => Cell::List(texts),
    });
    let behind = [Cell::Text(row.id), Cell::Text(row.state.as_str().to_owned())];
    head.into_iter().chain(own).chain(behind).collect()
}

fn column_cells(row: &ColumnRow) -> Vec<Cell> {
    let number = |n: u64| Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    vec![
        Cell::Text(row.name.clone()),
        Cell::Text(row.kind.as_str().to_owned()),
        row.unit.clone().into(),
        Cell::Boolean(row.list),
        number(row.entities),
        Cell::Float(row.fill),
        number(row.distinct),
        number(row.conflicts),
        Cell::List(row.sources.iter().map(|source| source.as_str().to_owned()).collect()),
        Cell::List(row.names.clone()),
        Cell::List(row.examples.clone()),
        Cell::List(row.merged.clone()),
    ]
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
