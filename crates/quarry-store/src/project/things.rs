//! The table of things: what entities of several sites have in common, replaced as a whole by each linking.
//!
//! Its two tables are created when they are first needed, so that older programs still read the project.

use quarry_model::{ColumnRow, EntityCell, ThingRow};
use rusqlite::params;

use super::Project;
use crate::StoreError;

const CREATE: &str = "
-- One row per thing: entities of several sites that are one.
CREATE TABLE IF NOT EXISTS things (
    thing TEXT NOT NULL,
    name TEXT,
    sites TEXT NOT NULL,            -- JSON: a list
    entities TEXT NOT NULL,         -- JSON: a list of addresses
    cells TEXT NOT NULL             -- JSON: a value for each column
);
-- One row per column of the things.
CREATE TABLE IF NOT EXISTS thing_columns (
    position INTEGER PRIMARY KEY,
    about TEXT NOT NULL             -- JSON: a ColumnRow
);
DELETE FROM things;
DELETE FROM thing_columns;
";

impl Project {
    /// Begins a new table of things with these columns.
    pub fn begin_things(&mut self, columns: &[ColumnRow]) -> Result<(), StoreError> {
        let damaged = |error| self.damaged("thing_columns", error);
        let abouts = columns.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let abouts = abouts.map_err(damaged)?;
        self.change(|project| {
            let write = || {
                project.conn.execute_batch(CREATE)?;
                let insert = "INSERT INTO thing_columns (about) VALUES (?1)";
                let mut insert = project.conn.prepare_cached(insert)?;
                abouts.iter().try_for_each(|about| insert.execute([about]).map(drop))
            };
            write().map_err(project.db("begin the things"))
        })
    }

    /// Adds a thing: with a cell for every column.
    pub fn add_thing(&mut self, row: &ThingRow) -> Result<(), StoreError> {
        let damaged = |error| self.damaged("things", error);
        let cells = serde_json::to_string(&row.cells).map_err(damaged)?;
        let sites = serde_json::to_string(&row.sites).map_err(damaged)?;
        let entities = serde_json::to_string(&row.entities).map_err(damaged)?;
        self.change(|project| {
            let insert = || {
                let insert = "INSERT INTO things VALUES (?1, ?2, ?3, ?4, ?5)";
                let mut insert = project.conn.prepare_cached(insert)?;
                insert.execute(params![row.thing, row.name, sites, entities, cells])
            };
            insert().map(drop).map_err(project.db("add a thing"))
        })
    }

    /// Whether entities were ever linked here.
    pub fn has_things(&self) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'thing_columns'";
        let tables: i64 =
            self.conn.query_row(sql, [], |row| row.get(0)).map_err(self.db("find the things"))?;
        if tables == 0 {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM things)";
        self.conn.query_row(sql, [], |row| row.get(0)).map_err(self.db("find the things"))
    }

    /// How many things there are, and how many of them have several entities.
    pub fn thing_counts(&self) -> Result<(u64, u64), StoreError> {
        if !self.has_things()? {
            return Ok((0, 0));
        }
        let sql = "SELECT count(*), total(json_array_length(entities) > 1) FROM things";
        let count = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?));
        let counts = self.conn.query_row(sql, [], count).map_err(self.db("count the things"))?;
        Ok((counts.0 as u64, counts.1 as u64))
    }

    /// The columns of the things, in their order; none if nothing was linked.
    pub fn thing_columns(&self) -> Result<Vec<ColumnRow>, StoreError> {
        let mut columns = Vec::new();
        if self.has_things()? {
            self.each_fact("SELECT about FROM thing_columns ORDER BY position", &mut |row| {
                let about: String = row.get(0).map_err(self.db("read the columns of things"))?;
                let about = serde_json::from_str(&about);
                columns.push(about.map_err(|error| self.damaged("thing_columns", error))?);
                Ok(())
            })?;
        }
        Ok(columns)
    }

    /// Calls `visit` with every thing.
    pub fn each_thing(
        &self,
        visit: &mut dyn FnMut(ThingRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if !self.has_things()? {
            return Ok(());
        }
        let sql = "SELECT thing, name, sites, entities, cells FROM things ORDER BY rowid";
        self.each_fact(sql, &mut |row| {
            let db = |error| self.db("read the things")(error);
            let damaged = |error| self.damaged("things", error);
            let text = |at| row.get::<_, String>(at).map_err(db);
            let list = |at| -> Result<Vec<String>, StoreError> {
                serde_json::from_str(&text(at)?).map_err(damaged)
            };
            let cells: Vec<EntityCell> = serde_json::from_str(&text(4)?).map_err(damaged)?;
            visit(ThingRow {
                thing: text(0)?,
                name: row.get(1).map_err(db)?,
                sites: list(2)?,
                entities: list(3)?,
                cells,
            })
        })
    }
}
