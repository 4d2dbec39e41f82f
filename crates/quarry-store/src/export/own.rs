//! Which columns do the entities have of their own? Those of the last harvest, with names that every reader takes and types
//! that every value fits.

use std::collections::BTreeMap;

use quarry_model::{ColumnKind, ColumnRow, EntityCell};

use crate::table::{ColumnType, Day, TableColumn};
use crate::{Project, StoreError};

/// Columns that every entity has, and what SQLite calls the number of a row.
const TAKEN: [&str; 6] = ["site", "entity", "title", "_id", "_state", "rowid"];

/// The columns of the entities.
pub(super) struct Own {
    pub(super) rows: Vec<ColumnRow>,
    /// What they hold, in the same order.
    pub(super) kinds: Vec<ColumnType>,
}

impl Own {
    pub(super) fn read(project: &Project) -> Result<Self, StoreError> {
        let mut rows = project.columns()?;
        tell_apart(&mut rows);
        let mut kinds: Vec<ColumnType> = rows.iter().map(kind).collect();
        if kinds.contains(&ColumnType::Date) {
            project.each_entity(&mut |row| {
                for (kind, cell) in kinds.iter_mut().zip(&row.cells) {
                    // A month, or a day with a time, is no date to other programs.
                    if *kind == ColumnType::Date && !is_day(cell) {
                        *kind = ColumnType::Text;
                    }
                }
                Ok(())
            })?;
        }
        Ok(Self { rows, kinds })
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = TableColumn> {
        self.rows.iter().zip(&self.kinds).map(|(row, kind)| TableColumn::new(&row.name, *kind))
    }
}

fn kind(row: &ColumnRow) -> ColumnType {
    match row.kind {
        _ if row.list => ColumnType::List,
        ColumnKind::Number | ColumnKind::Price => ColumnType::Float,
        ColumnKind::Boolean => ColumnType::Boolean,
        ColumnKind::Date => ColumnType::Date,
        ColumnKind::Link | ColumnKind::Text => ColumnType::Text,
    }
}

fn is_day(cell: &EntityCell) -> bool {
    match cell {
        EntityCell::Text(text) => Day::parse(text).is_some(),
        cell => *cell == EntityCell::Null,
    }
}

/// To SQLite and DuckDB, names that differ in capitals alone are the same; a name without a visible character cannot be
/// written in a query.
fn tell_apart(rows: &mut [ColumnRow]) {
    // Each name in lower case, and the number that its next namesake is tried with.
    let mut taken: BTreeMap<String, u32> = TAKEN.map(|name| (name.to_owned(), 2)).into();
    for row in rows {
        let plain = row.name.replace(char::is_control, " ");
        let name = if plain.trim().is_empty() { "unnamed" } else { &plain };
        let mut free = name.to_owned();
        while taken.contains_key(&free.to_lowercase()) {
            let number = taken.entry(name.to_lowercase()).or_insert(2);
            free = format!("{name} {number}");
            *number += 1;
        }
        taken.insert(free.to_lowercase(), 2);
        row.name = free;
    }
}
