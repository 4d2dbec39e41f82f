//! What does the assembled table look like? Its columns and its entities, replaced as a whole by a harvest.

use quarry_model::{ColumnRow, EntityCell, EntityRow, EntityState};
use rusqlite::params;

use super::Project;
use crate::StoreError;

impl Project {
    /// Puts this table of entities in place of the one that was there. Entities have a cell for every column.
    pub fn replace_entities(
        &mut self,
        columns: &[ColumnRow],
        entities: impl Iterator<Item = EntityRow>,
    ) -> Result<(), StoreError> {
        let entry = |error| self.damaged("entities", error);
        let abouts = columns.iter().map(serde_json::to_string);
        let abouts = abouts.collect::<Result<Vec<_>, _>>().map_err(entry)?;
        self.change(|project| {
            let db = |error| project.db("write the entities")(error);
            let conn = &project.conn;
            let clear = "DELETE FROM columns; DELETE FROM entities";
            conn.execute_batch(clear).map_err(db)?;
            for (column, about) in columns.iter().zip(abouts) {
                conn.prepare_cached("INSERT INTO columns (name, about) VALUES (?1, ?2)")
                    .and_then(|mut insert| insert.execute(params![column.name, about]))
                    .map_err(db)?;
            }
            let sql = "INSERT INTO entities VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let mut insert = conn.prepare_cached(sql).map_err(db)?;
            for row in entities {
                let cells = serde_json::to_string(&row.cells)
                    .map_err(|error| project.damaged("entities", error))?;
                let EntityRow { id, site, entity, title, state, .. } = row;
                insert
                    .execute(params![id, site, entity, title, state.as_str(), cells])
                    .map_err(db)?;
            }
            Ok(())
        })
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
        Ok(columns)
    }

    /// Calls `visit` with every entity.
    pub fn each_entity(
        &self,
        visit: &mut dyn FnMut(EntityRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = "SELECT id, site, entity, title, state, cells FROM entities ORDER BY rowid";
        self.each_fact(sql, &mut |row| {
            let text = |at| row.get::<_, String>(at).map_err(self.db("read the entities"));
            let damaged = |error| self.damaged("entities", error);
            let cells: Vec<EntityCell> = serde_json::from_str(&text(5)?).map_err(damaged)?;
            let state: EntityState = serde_json::from_value(text(4)?.into()).map_err(damaged)?;
            let title = row.get(3).map_err(self.db("read the entities"))?;
            let (id, site, entity) = (text(0)?, text(1)?, text(2)?);
            visit(EntityRow { id, site, entity, title, state, cells })
        })
    }

    fn damaged(&self, table: &'static str, source: serde_json::Error) -> StoreError {
        StoreError::Damaged { table, path: self.dir.join("state.sqlite"), source }
    }
}
