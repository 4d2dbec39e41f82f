//! The tables of values and queries, replaced as a whole by each crawl and harvest.

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
            let replace = || {
                project.conn.execute("DELETE FROM facts WHERE source = ?1", [source.as_str()])?;
                rows.into_iter().try_for_each(|row| project.insert_value(&row))
            };
            replace().map_err(db)
        })
    }

    pub(super) fn insert_value(&self, row: &ValueRow) -> rusqlite::Result<()> {
        let insert = "INSERT INTO facts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        self.conn.prepare_cached(insert)?.execute(params![
            row.site,
            row.entity,
            row.attribute,
            row.value,
            row.source.as_str(),
            row.page,
            row.path,
            row.confidence,
            row.entity_kind
        ])?;
        Ok(())
    }

    /// Calls `visit` with every value, or with those of one attribute, entity by entity.
    pub fn each_value(
        &self,
        attribute: Option<&str>,
        visit: &mut dyn FnMut(ValueRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let db = |error| self.db("read the values")(error);
        let sql =
            "SELECT site, entity, attribute, value, source, page, path, confidence, entity_kind
            FROM facts
            WHERE ?1 IS NULL OR attribute = ?1 ORDER BY site, entity, rowid";
        let mut statement = self.conn.prepare(sql).map_err(db)?;
        let mut rows = statement.query([attribute]).map_err(db)?;
        while let Some(row) = rows.next().map_err(db)? {
            let text = |at| row.get::<_, String>(at).map_err(db);
            let source = text(4)?;
            let source = ValueSource::from_name(&source).unwrap_or(ValueSource::Spec);
            visit(ValueRow {
                site: text(0)?,
                entity: text(1)?,
                attribute: text(2)?,
                value: text(3)?,
                source,
                page: text(5)?,
                path: text(6)?,
                confidence: row.get(7).map_err(db)?,
                entity_kind: text(8)?,
            })?;
        }
        Ok(())
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

    /// Puts these query graphs, each as JSON, in place of those of the last crawl.
    pub fn replace_query_graphs(&mut self, graphs: &[String]) -> Result<(), StoreError> {
        self.change(|project| {
            let replace = || {
                let conn = &project.conn;
                conn.execute("DELETE FROM query_graphs", [])?;
                let mut insert =
                    conn.prepare_cached("INSERT INTO query_graphs (graph) VALUES (?1)")?;
                graphs.iter().try_for_each(|graph| insert.execute([graph]).map(drop))
            };
            replace().map_err(project.db("write the query graphs"))
        })
    }

    /// The query graphs of the last crawl by queries, each as JSON.
    pub fn query_graphs(&self) -> Result<Vec<String>, StoreError> {
        let mut graphs = Vec::new();
        self.each_fact("SELECT graph FROM query_graphs ORDER BY number", &mut |row| {
            graphs.push(row.get(0).map_err(self.db("read the query graphs"))?);
            Ok(())
        })?;
        Ok(graphs)
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
