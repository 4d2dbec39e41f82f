//! Exports the tables of a project: entities, their columns, values, queries, things; and pages, with Common
//! Crawl's column names first.

mod cells;
mod own;
mod things;

use std::path::{Path, PathBuf};

use quarry_model::{ColumnRow, EntityRow};

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
    /// One row per thing: entities of several sites that are one.
    Things,
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
            Self::Things => "things",
        }
    }

    /// Its columns; those of things are kept with them.
    fn columns(self, project: &Project, own: &Own) -> Result<Vec<TableColumn>, StoreError> {
        if self == Self::Things { things::columns(project) } else { Ok(self.own_columns(own)) }
    }

    /// Its columns, those of things aside; those of the entities stand between `title` and `_id`.
    fn own_columns(self, own: &Own) -> Vec<TableColumn> {
        use ColumnType::{Boolean, Float, Integer, List, Text, Time};
        let columns: &[(&str, ColumnType)] = match self {
            Self::Entities => {
                &[("site", Text), ("entity", Text), ("entity_kind", Text), ("title", Text)]
            }
            Self::Columns => &[
                ("name", Text),
                ("entity_kind", Text),
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
                ("entity_kind", Text),
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
            Self::Things => &[],
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
            Self::Columns | Self::Queries | Self::Things => "",
        }
    }
}

/// The table `entities` of rows that stand in no project: columns with the names and types that an export gives them.
pub struct EntityTable(Own);

impl EntityTable {
    /// Decides names and types of columns; `each_entity` shows every entity and is called where values decide a type.
    pub fn decide<E>(
        columns: Vec<ColumnRow>,
        each_entity: impl FnOnce(&mut dyn FnMut(&EntityRow)) -> Result<(), E>,
    ) -> Result<Self, E> {
        Own::decide(columns, each_entity).map(Self)
    }

    /// The columns of `entities`: those that every entity has, and between `title` and `_id` one for each attribute.
    #[must_use]
    pub fn columns(&self) -> Vec<TableColumn> {
        Table::Entities.own_columns(&self.0)
    }

    /// The cells of an entity, one for each column.
    #[must_use]
    pub fn cells(&self, row: EntityRow) -> Vec<TableCell> {
        cells::of_entity(row, &self.0)
    }

    /// The table `columns`: its columns, and its rows.
    #[must_use]
    pub fn column_table(&self) -> (Vec<TableColumn>, Vec<Vec<TableCell>>) {
        let rows = self.0.rows.iter().flat_map(cells::of_column);
        (Table::Columns.own_columns(&self.0), rows.collect())
    }
}

/// The name of the table of one kind of entities, and of its files: `entities-films`.
fn kind_table(kind: &str) -> String {
    let plain = |char: char| if char.is_alphanumeric() { char } else { '-' };
    let name: String = kind.to_lowercase().chars().map(plain).collect();
    format!("{KIND_TABLE}{}", name.trim_matches('-'))
}

/// What the names of tables of one kind begin with.
const KIND_TABLE: &str = "entities-";

impl Project {
    /// Writes a table. Returns how many rows it has.
    pub fn export(
        &self,
        table: Table,
        format: TableFormat,
        out: TableOut<'_>,
    ) -> Result<u64, StoreError> {
        let own = Own::read(self)?;
        self.export_own(table, table.name(), &own, format, out)
    }

    fn export_own(
        &self,
        table: Table,
        name: &str,
        own: &Own,
        format: TableFormat,
        out: TableOut<'_>,
    ) -> Result<u64, StoreError> {
        let columns = table.columns(self, own)?;
        let mut count = 0;
        write_table(name, &columns, format, out, &mut |rows| {
            count = self.write_rows(table, own, &columns, rows)?;
            Ok(())
        })?;
        Ok(count)
    }

    /// Writes all tables in all formats into the folder `tables`, and one of its own for each kind of entities where there are several.
    /// Each table is read once.
    pub fn export_all(&self) -> Result<(), StoreError> {
        let folder = self.dir().join("tables");
        std::fs::create_dir_all(&folder).map_err(StoreError::io("create the folder", &folder))?;
        let own = Own::read(self)?;
        let mut tables = TABLES.to_vec();
        tables.extend(self.has_things()?.then_some(Table::Things));
        self.write_database(&tables, &own, &folder.join(DATABASE), |name| {
            let file = |ending| folder.join(format!("{name}.{ending}"));
            FORMATS.map(|(format, ending)| (format, file(ending))).to_vec()
        })?;
        let kinds = own.of_kinds().into_iter();
        let things = tables.iter().filter(|table| **table == Table::Things);
        let things = things.flat_map(|table| FORMATS.map(|(_, ending)| (table, ending)));
        let things = things.map(|(table, ending)| format!("{}.{ending}", table.name()));
        let written =
            kinds.flat_map(|(name, _)| FORMATS.map(|(_, ending)| format!("{name}.{ending}")));
        remove_old_kinds(&folder, &written.chain(things).collect::<Vec<_>>())
    }

    /// Writes several tables into one SQLite database, which appears when all are whole. With the entities come the tables of their kinds.
    pub fn export_database(&self, tables: &[Table], path: &Path) -> Result<(), StoreError> {
        self.write_database(tables, &Own::read(self)?, path, |_| Vec::new())
    }

    /// Writes tables into a database, and each also into the files of its name.
    fn write_database(
        &self,
        tables: &[Table],
        own: &Own,
        path: &Path,
        files: impl Fn(&str) -> Vec<(TableFormat, PathBuf)>,
    ) -> Result<(), StoreError> {
        let kinds = own.of_kinds();
        let kinds = kinds.iter().filter(|_| tables.contains(&Table::Entities));
        let kinds = kinds.map(|(name, own)| (Table::Entities, name.as_str(), "", own));
        let all = tables.iter().map(|&table| (table, table.name(), table.index(), own));
        whole(path, |beside| {
            let database = Database::create(beside, path)?;
            all.chain(kinds).try_for_each(|(table, name, index, own)| {
                let columns = table.columns(self, own)?;
                database.add(name, &columns, index, &files(name), &mut |rows| {
                    self.write_rows(table, own, &columns, rows).map(drop)
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
            Table::Entities => self.each_entity(&mut |row| match own.has(&row) {
                true => write(cells::of_entity(row, own)),
                false => Ok(()),
            })?,
            Table::Things => self.each_thing(&mut |row| write(things::cells(row)))?,
            Table::Columns => {
                own.rows.iter().flat_map(cells::of_column).try_for_each(&mut write)?;
            }
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

/// Removes the tables of kinds, and of things, that the last harvest had and this one has not.
fn remove_old_kinds(folder: &Path, written: &[String]) -> Result<(), StoreError> {
    let files = std::fs::read_dir(folder).map_err(StoreError::io("read the folder", folder))?;
    for file in files.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let is_ours = FORMATS.iter().any(|(_, ending)| name.ends_with(&format!(".{ending}")));
        let comes_and_goes = name.starts_with(KIND_TABLE) || name.starts_with("things.");
        if comes_and_goes && is_ours && !written.contains(&name) {
            let path = file.path();
            std::fs::remove_file(&path).map_err(StoreError::io("remove the table", &path))?;
        }
    }
    Ok(())
}
