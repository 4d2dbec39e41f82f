//! The exported table of things: fixed columns, then one for each attribute that sites have in common.

use quarry_model::{ColumnKind, EntityCell, ThingRow};

use super::own::tell_apart;
use crate::table::{ColumnType, TableCell, TableColumn};
use crate::{Project, StoreError};

/// Columns that every thing has, and what SQLite calls the number of a row.
const TAKEN: [&str; 5] = ["thing", "name", "sites", "entities", "rowid"];

pub(super) fn columns(project: &Project) -> Result<Vec<TableColumn>, StoreError> {
    let mut rows = project.thing_columns()?;
    tell_apart(&mut rows, &TAKEN);
    let fixed = [
        TableColumn::new("thing", ColumnType::Text),
        TableColumn::new("name", ColumnType::Text),
        TableColumn::new("sites", ColumnType::List),
        TableColumn::new("entities", ColumnType::List),
    ];
    let own = rows.iter().map(|row| {
        let kind = match row.kind {
            _ if row.list => ColumnType::List,
            ColumnKind::Number | ColumnKind::Price => ColumnType::Float,
            _ => ColumnType::Text,
        };
        TableColumn::new(&row.name, kind)
    });
    Ok(fixed.into_iter().chain(own).collect())
}

pub(super) fn cells(row: ThingRow) -> Vec<TableCell> {
    let head = [
        TableCell::Text(row.thing),
        row.name.into(),
        TableCell::List(row.sites),
        TableCell::List(row.entities),
    ];
    let own = row.cells.into_iter().map(|cell| match cell {
        EntityCell::Null => TableCell::Null,
        EntityCell::Boolean(yes) => TableCell::Boolean(yes),
        EntityCell::Number(number) => TableCell::Float(number),
        EntityCell::Text(text) => TableCell::Text(text),
        EntityCell::List(texts) => TableCell::List(texts),
    });
    head.into_iter().chain(own).collect()
}
