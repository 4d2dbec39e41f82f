//! The attribute columns of the exported entities: those of the last harvest, with names that every reader takes and types
//! that every value fits.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::{ColumnKind, ColumnRow, EntityCell, EntityRow};

use crate::table::{ColumnType, Day, TableColumn};
use crate::{Project, StoreError};

/// Columns that every entity has, and what SQLite calls the number of a row.
const TAKEN: [&str; 7] = ["site", "entity", "entity_kind", "title", "_id", "_state", "rowid"];

/// The columns of the entities, or of those of one kind.
pub(super) struct Own {
    pub(super) rows: Vec<ColumnRow>,
    /// What they hold, in the same order.
    pub(super) kinds: Vec<ColumnType>,
    /// Their places among the cells of an entity.
    pub(super) places: Vec<usize>,
    /// The only kind of entities that is written; all where there is none.
    entity_kind: Option<String>,
}

impl Own {
    pub(super) fn read(project: &Project) -> Result<Self, StoreError> {
        Self::decide(project.columns()?, |visit| {
            project.each_entity(&mut |row| {
                visit(&row);
                Ok(())
            })
        })
    }

    /// Gives columns names and types; `each_entity` shows every entity and is called where values decide a type.
    pub(super) fn decide<E>(
        mut rows: Vec<ColumnRow>,
        each_entity: impl FnOnce(&mut dyn FnMut(&EntityRow)) -> Result<(), E>,
    ) -> Result<Self, E> {
        tell_apart(&mut rows, &TAKEN);
        let mut kinds: Vec<ColumnType> = rows.iter().map(kind).collect();
        let is_open = |kind: &ColumnType| matches!(kind, ColumnType::Date | ColumnType::Integer);
        if kinds.iter().any(is_open) {
            each_entity(&mut |row| {
                for (kind, cell) in kinds.iter_mut().zip(&row.cells) {
                    // A month, or a day with a time, is no date to other programs.
                    if *kind == ColumnType::Date && !is_day(cell) {
                        *kind = ColumnType::Text;
                    }
                    if *kind == ColumnType::Integer && !is_whole(cell) {
                        *kind = ColumnType::Float;
                    }
                }
            })?;
        }
        let places = (0..rows.len()).collect();
        Ok(Self { rows, kinds, places, entity_kind: None })
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = TableColumn> {
        self.rows.iter().zip(&self.kinds).map(|(row, kind)| TableColumn::new(&row.name, *kind))
    }

    /// Whether an entity is written.
    pub(super) fn has(&self, row: &EntityRow) -> bool {
        self.entity_kind.as_ref().is_none_or(|kind| *kind == row.entity_kind)
    }

    /// The tables of the kinds of entities with the names of the tables; none where there is but one kind.
    pub(super) fn of_kinds(&self) -> Vec<(String, Self)> {
        let of_columns = self.rows.iter().flat_map(|row| &row.kinds);
        let kinds: BTreeSet<&str> = of_columns.map(|of| of.entity_kind.as_str()).collect();
        if kinds.len() < 2 {
            return Vec::new();
        }
        kinds.into_iter().map(|kind| (super::kind_table(kind), self.of_kind(kind))).collect()
    }

    fn of_kind(&self, kind: &str) -> Self {
        let has = |at: &usize| self.rows[*at].kinds.iter().any(|of| of.entity_kind == kind);
        let places: Vec<usize> = (0..self.rows.len()).filter(has).collect();
        Self {
            rows: places.iter().map(|&at| self.rows[at].clone()).collect(),
            kinds: places.iter().map(|&at| self.kinds[at]).collect(),
            places,
            entity_kind: Some(kind.to_owned()),
        }
    }
}

fn kind(row: &ColumnRow) -> ColumnType {
    match row.kind {
        _ if row.list => ColumnType::List,
        ColumnKind::Number => ColumnType::Integer,
        ColumnKind::Price => ColumnType::Float,
        ColumnKind::Boolean => ColumnType::Boolean,
        ColumnKind::Date => ColumnType::Date,
        ColumnKind::Link | ColumnKind::Text => ColumnType::Text,
    }
}

/// Whether a cell is a whole number that every format can hold exactly.
fn is_whole(cell: &EntityCell) -> bool {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    match cell {
        EntityCell::Number(number) => number.fract() == 0.0 && number.abs() <= MAX_EXACT,
        cell => *cell == EntityCell::Null,
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
pub(super) fn tell_apart(rows: &mut [ColumnRow], names: &[&str]) {
    // Each name in lower case, and the number that its next namesake is tried with.
    let mut taken: BTreeMap<String, u32> =
        names.iter().map(|name| ((*name).to_owned(), 2)).collect();
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
