//! What was found out about the site? Values and queries, replaced as a whole when a crawl or a
//! harvest has found them anew.

use quarry_model::{QueryRow, ValueRow, ValueSource};
use rusqlite::params;

use super::Project;
use crate::StoreError;

/// How many facts there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactCounts {
    /// Different entities.
    pub entities: u64,
    /// Different attributes.
    pub attributes: u64,
    /// Values of entities.
    pub pairs: u64,
    /// Queries.
    pub queries: u64,
}

impl Project {
    /// Puts these values in place of those that came from `source`.
    pub fn replace_values(
        &mut self,
        source: ValueSource,
        rows: impl Iterator<Item = ValueRow>,
    ) -> Result<(), StoreError> {
        self.change(|project| {
            let db = project.db("write the values");
            let insert = || {
                let conn = &project.conn;
                conn.execute("DELETE FROM facts WHERE source = ?1", [source.as_str()])?;
                let mut insert = conn
                    .prepare_cached("INSERT INTO facts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
                for row in rows {
                    insert.execute(params![
                        row.site,
                        row.entity,
                        row.attribute,
                        row.value,
                        row.source.as_str(),
                        row.page,
                        row.path,
                        row.confidence
                    ])?;
                }
                Ok(())
            };
            insert().map_err(db)
        })
    }

    /// Puts these queries in place of those that were known.
    pub fn replace_queries(
        &mut self,
        rows: impl Iterator<Item = QueryRow>,
    ) -> Result<(), StoreError> {
        self.change(|project| {
            let db = project.db("write the queries");
            let insert = || {
                let conn = &project.conn;
                conn.execute("DELETE FROM queries", [])?;
                let mut insert =
                    conn.prepare_cached("INSERT INTO queries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
                for row in rows {
                    let parents: Vec<String> =
                        row.parents.iter().map(|pairs| pairs.join(PAIRS)).collect();
                    insert.execute(params![
                        row.site,
                        row.query.join(PAIRS),
                        row.url,
                        row.entities as i64,
                        row.claimed.map(|n| n as i64),
                        parents.join(QUERIES),
                        row.state
                    ])?;
                }
                Ok(())
            };
            insert().map_err(db)
        })
    }

    /// How many facts there are.
    pub fn fact_counts(&self) -> Result<FactCounts, StoreError> {
        let count = |sql: &str| self.conn.query_row(sql, [], |row| row.get::<_, i64>(0));
        let counts = || {
            Ok(FactCounts {
                entities: count("SELECT count(DISTINCT site || ' ' || entity) FROM facts")? as u64,
                attributes: count("SELECT count(DISTINCT attribute) FROM facts")? as u64,
                pairs: count("SELECT count(*) FROM facts")? as u64,
                queries: count("SELECT count(*) FROM queries")? as u64,
            })
        };
        counts().map_err(self.db("count the facts"))
    }

    /// Calls `visit` with every row of a statement of texts, whole numbers and numbers.
    pub(crate) fn each_fact(
        &self,
        sql: &str,
        visit: &mut dyn FnMut(&rusqlite::Row<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.conn.prepare(sql).map_err(self.db("read the facts"))?;
        let mut rows = statement.query([]).map_err(self.db("read the facts"))?;
        while let Some(row) = rows.next().map_err(self.db("read the facts"))? {
            visit(row)?;
        }
        Ok(())
    }
}

/// Between the pairs of a query as text.
const PAIRS: &str = "; ";
/// Between queries as text.
const QUERIES: &str = " | ";
