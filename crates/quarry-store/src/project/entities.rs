//! The assembled table: columns, entities and values, replaced as a whole by a harvest, row by row.
//!
//! [`Project::begin_tables`] puts the tables of the last harvest aside, so that the new ones can be compared with them while they are
//! written. All of it is one transaction: a harvest that is broken off changes nothing.

use quarry_model::{ColumnRow, EntityCell, EntityRow, EntityState, ValueRow};
use rusqlite::{OptionalExtension, params};

use super::Project;
use crate::StoreError;

/// The entities of the last harvest, while the next one is written.
#[derive(Debug, Default)]
pub(super) struct OldEntities {
    /// Rows that an entity of the new harvest was found to be, a bit each.
    taken: Vec<u64>,
}

impl OldEntities {
    fn take(&mut self, row: i64) {
        let at = row as usize / 64;
        if self.taken.len() <= at {
            self.taken.resize(at + 1, 0);
        }
        self.taken[at] |= 1 << (row as usize % 64);
    }

    fn is_taken(&self, row: i64) -> bool {
        self.taken.get(row as usize / 64).is_some_and(|bits| bits & (1 << (row as usize % 64)) != 0)
    }
}

const ASIDE: &str = "
DELETE FROM facts;
ALTER TABLE entities RENAME TO old_entities;
CREATE TABLE entities (
    id TEXT NOT NULL,
    site TEXT NOT NULL,
    entity TEXT NOT NULL,
    title TEXT,
    state TEXT NOT NULL,            -- new, same, changed, removed
    cells TEXT NOT NULL,
    other_ids TEXT,                 -- JSON: ids by other addresses; NULL: none
    entity_kind TEXT NOT NULL DEFAULT ''
);
CREATE INDEX old_entities_id ON old_entities (id);
CREATE TEMP TABLE old_ids (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO old_ids SELECT other.value, old.rowid
    FROM old_entities AS old, json_each(old.other_ids) AS other
    WHERE old.other_ids IS NOT NULL AND old.state <> 'removed';
";

const ROWS: &str = "rowid, id, site, entity, title, state, cells, other_ids, entity_kind";

impl Project {
    /// Begins the tables of a harvest: empty ones for values and entities. Those of the last harvest can be looked up by
    /// [`Project::take_old_entity`] until [`Project::finish_tables`]; [`Project::columns`] are theirs till then.
    pub fn begin_tables(&mut self) -> Result<(), StoreError> {
        self.change(|project| {
            project.conn.execute_batch(ASIDE).map_err(project.db("begin the tables"))?;
            project.old = OldEntities::default();
            Ok(())
        })
    }

    /// Forgets the entities of the last harvest: nothing is compared with them.
    pub fn forget_old_entities(&mut self) -> Result<(), StoreError> {
        self.change(|project| {
            let forget = "DELETE FROM old_entities";
            project.conn.execute_batch(forget).map_err(project.db("begin the tables"))
        })
    }

    /// The entity of the last harvest with one of these ids, unless it was taken before.
    pub fn old_entity(&self, ids: &[&str]) -> Result<Option<EntityRow>, StoreError> {
        Ok(self.find_old(ids)?.map(|(_, entity)| entity))
    }

    /// The same; it is not given again, and not removed.
    pub fn take_old_entity(&mut self, ids: &[&str]) -> Result<Option<EntityRow>, StoreError> {
        Ok(self.find_old(ids)?.map(|(row, entity)| {
            self.old.take(row);
            entity
        }))
    }

    fn find_old(&self, ids: &[&str]) -> Result<Option<(i64, EntityRow)>, StoreError> {
        for id in ids {
            let find = || -> rusqlite::Result<Option<i64>> {
                let sql = "SELECT rowid FROM old_entities WHERE id = ?1 AND state <> 'removed'
                    UNION ALL SELECT row FROM old_ids WHERE id = ?1";
                self.conn.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()
            };
            let found = find().map_err(self.db("look up an entity"))?;
            let Some(row) = found.filter(|row| !self.old.is_taken(*row)) else { continue };
            let mut entity = None;
            let sql = format!("SELECT {ROWS} FROM old_entities WHERE rowid = {row}");
            self.each_entity_row(&sql, &mut |_, found| {
                entity = Some((row, found));
                Ok(())
            })?;
            return Ok(entity);
        }
        Ok(None)
    }

    /// Adds an entity: with a cell for every column.
    pub fn add_entity(&mut self, row: &EntityRow) -> Result<(), StoreError> {
        let damaged = |error| self.damaged("entities", error);
        let cells = serde_json::to_string(&row.cells).map_err(damaged)?;
        let other_ids = match row.other_ids.as_slice() {
            [] => None,
            ids => Some(serde_json::to_string(ids).map_err(damaged)?),
        };
        self.change(|project| {
            let EntityRow { id, site, entity, title, state, entity_kind, .. } = row;
            let insert = "INSERT INTO entities VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let written = project.conn.prepare_cached(insert).and_then(|mut insert| {
                let state = state.as_str();
                insert.execute(params![
                    id,
                    site,
                    entity,
                    title,
                    state,
                    cells,
                    other_ids,
                    entity_kind
                ])
            });
            written.map(drop).map_err(project.db("write an entity"))
        })
    }

    /// Adds a value.
    pub fn add_value(&mut self, row: &ValueRow) -> Result<(), StoreError> {
        self.change(|project| {
            let written = project.insert_value(row);
            written.map_err(project.db("write a value"))
        })
    }

    /// Ends the tables. Entities of the last harvest that were not taken are gone: they are kept as removed, without
    /// values. What was written lasts after the next commit.
    pub fn finish_tables(&mut self, columns: &[ColumnRow]) -> Result<u64, StoreError> {
        let abouts = columns.iter().map(serde_json::to_string);
        let abouts: Vec<String> =
            abouts.collect::<Result<_, _>>().map_err(|error| self.damaged("columns", error))?;
        let mut removed = 0;
        let mut last = 0;
        loop {
            // In steps: rows cannot be added while they are read.
            let mut gone = Vec::new();
            let sql = format!(
                "SELECT {ROWS} FROM old_entities WHERE rowid > {last} AND state <> 'removed'
                 ORDER BY rowid LIMIT 1000"
            );
            let mut read = 0;
            self.each_entity_row(&sql, &mut |row, entity| {
                (read, last) = (read + 1, row);
                if !self.old.is_taken(row) {
                    gone.push(entity);
                }
                Ok(())
            })?;
            for entity in gone {
                removed += 1;
                self.add_entity(&EntityRow {
                    state: EntityState::Removed,
                    cells: vec![EntityCell::Null; columns.len()],
                    ..entity
                })?;
            }
            if read == 0 {
                break;
            }
        }
        self.change(|project| {
            let write = || {
                let conn = &project.conn;
                conn.execute_batch(
                    "DROP TABLE old_entities; DROP TABLE temp.old_ids; DELETE FROM columns",
                )?;
                let mut insert =
                    conn.prepare_cached("INSERT INTO columns (name, about) VALUES (?1, ?2)")?;
                for (column, about) in columns.iter().zip(&abouts) {
                    insert.execute(params![column.name, about])?;
                }
                Ok(())
            };
            write().map_err(project.db("write the columns"))
        })?;
        Ok(removed)
    }

    /// The columns of the entities, in their order.
    pub fn columns(&self) -> Result<Vec<ColumnRow>, StoreError> {
        let mut columns = Vec::new();
        self.each_fact("SELECT about FROM columns ORDER BY position", &mut |row| {
            let about: String = row.get(0).map_err(self.db("read the columns"))?;
            let about = serde_json::from_str(&about);
            columns.push(about.map_err(|error| self.damaged("columns", error))?);
            Ok(())
        })?;
        columns.iter_mut().for_each(know_printed);
        Ok(columns)
    }

    /// Calls `visit` with every entity.
    pub fn each_entity(
        &self,
        visit: &mut dyn FnMut(EntityRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = format!("SELECT {ROWS} FROM entities ORDER BY rowid");
        self.each_entity_row(&sql, &mut |_, row| visit(row))
    }

    fn each_entity_row(
        &self,
        sql: &str,
        visit: &mut dyn FnMut(i64, EntityRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.each_fact(sql, &mut |row| {
            let db = |error| self.db("read the entities")(error);
            let text = |at| row.get::<_, String>(at).map_err(db);
            let damaged = |error| self.damaged("entities", error);
            let cells: Vec<EntityCell> = serde_json::from_str(&text(6)?).map_err(damaged)?;
            let state: EntityState = serde_json::from_value(text(5)?.into()).map_err(damaged)?;
            let other_ids: Option<String> = row.get(7).map_err(db)?;
            let other_ids = other_ids.map(|ids| serde_json::from_str(&ids)).transpose();
            let other_ids = other_ids.map_err(damaged)?.unwrap_or_default();
            let (id, site, entity, title) = (text(1)?, text(2)?, text(3)?, row.get(4).map_err(db)?);
            let number: i64 = row.get(0).map_err(db)?;
            let entity_kind = text(8)?;
            let row = EntityRow { id, site, entity, entity_kind, other_ids, title, state, cells };
            visit(number, row)
        })
    }

    pub(super) fn damaged(&self, table: &'static str, source: serde_json::Error) -> StoreError {
        StoreError::Damaged { table, path: self.dir.join("state.sqlite"), source }
    }
}

/// Columns of version 3 and before do not say which of their names sites print: those of lists may be guesses, others are not.
fn know_printed(column: &mut ColumnRow) {
    if column.printed.is_empty() {
        let printed = column.names.iter().filter(|name| !name.starts_with("list "));
        let quoted = printed.filter_map(|name| name.split_once(' ')).map(|(_, name)| name);
        column.printed = quoted.filter_map(|name| serde_json::from_str(name).ok()).collect();
    }
}
