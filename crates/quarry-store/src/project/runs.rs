//! The sessions of a project: runs, issues and counts, summed up as a report.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use quarry_model::{Issue, RunReport, SkipReason, Timestamp};
use rusqlite::{Connection, OptionalExtension};

use super::Project;
use crate::StoreError;

/// How far the time of a run may be behind on disk while nothing else happens.
const ELAPSED_EVERY: Duration = Duration::from_secs(1);

/// The project's name for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub i64);

/// An issue as it was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredIssue {
    /// The stable name of its kind.
    pub kind: String,
    /// Where.
    pub url: String,
    /// In words.
    pub detail: String,
    /// When.
    pub at: Timestamp,
}

/// Counts since the project was made, and what of them is not on disk yet.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pages: u64,
    issues: BTreeMap<String, u64>,
    skipped: BTreeMap<String, u64>,
    run: Option<Run>,
}

#[derive(Debug)]
struct Run {
    id: i64,
    requests: u64,
    bytes: u64,
    began: Instant,
    saved: Instant,
}

impl Tally {
    pub(super) fn load(conn: &Connection) -> rusqlite::Result<Self> {
        let mut tally = Self::default();
        let mut statement = conn.prepare("SELECT what, name, n FROM counts")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for row in rows {
            let (what, name, n): (String, String, i64) = row?;
            match what.as_str() {
                "issue" => tally.issues.insert(name, n as u64),
                "skipped" => tally.skipped.insert(name, n as u64),
                "pages" => {
                    tally.pages = n as u64;
                    None
                }
                _ => None,
            };
        }
        Ok(tally)
    }

    /// Forgets what concerns one round only.
    pub(super) fn begin_round(&mut self) {
        self.issues.clear();
        self.skipped.clear();
    }

    /// The present run, and the bytes that it has received.
    pub(super) fn run(&self) -> Option<(i64, u64)> {
        self.run.as_ref().map(|run| (run.id, run.bytes))
    }

    /// Whether the time that has passed is worth a commit of its own.
    pub(super) fn is_due(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.saved.elapsed() >= ELAPSED_EVERY)
    }

    pub(super) fn save(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        let mut statement = conn.prepare_cached("REPLACE INTO counts VALUES (?1, ?2, ?3)")?;
        statement.execute(("pages", "", self.pages as i64))?;
        for (what, counts) in [("issue", &self.issues), ("skipped", &self.skipped)] {
            for (name, n) in counts {
                statement.execute((what, name, *n as i64))?;
            }
        }
        if let Some(run) = &mut self.run {
            run.saved = Instant::now();
            let elapsed = i64::try_from(run.began.elapsed().as_millis()).unwrap_or(i64::MAX);
            conn.prepare_cached(
                "UPDATE runs SET requests = ?2, bytes = ?3, elapsed_ms = ?4 WHERE id = ?1",
            )?
            .execute((run.id, run.requests as i64, run.bytes as i64, elapsed))?;
        }
        Ok(())
    }
}

impl Project {
    /// Begins a run with these settings (JSON). Its time counts until [`Project::end_run`], or the
    /// last commit if it is killed.
    pub fn begin_run(&mut self, settings: &str, now: Timestamp) -> Result<RunId, StoreError> {
        self.change(|project| {
            let insert = |conn: &Connection| {
                conn.execute(
                    "INSERT INTO runs (started, version, settings, requests, bytes, elapsed_ms)
                     VALUES (?1, ?2, ?3, 0, 0, 0)",
                    (now.0, env!("CARGO_PKG_VERSION"), settings),
                )?;
                Ok(conn.last_insert_rowid())
            };
            let id = insert(&project.conn).map_err(project.db("begin a run"))?;
            let began = Instant::now();
            project.tally.run = Some(Run { id, requests: 0, bytes: 0, began, saved: began });
            Ok(RunId(id))
        })
    }

    /// Counts requests that the run has sent and bytes of bodies that it has received.
    pub fn add_counters(&mut self, requests: u64, bytes: u64) {
        if let Some(run) = &mut self.tally.run {
            run.requests += requests;
            run.bytes += bytes;
        }
    }

    /// Counts addresses that were not asked. Entries of the frontier that end as skipped are
    /// counted by this function, too.
    pub fn count_skipped(&mut self, reason: SkipReason, n: u64) {
        *self.tally.skipped.entry(reason.as_str().to_owned()).or_default() += n;
    }

    /// Notes an issue: counted in any case, kept with its details as long as there are not too
    /// many of its kind.
    pub fn note_issue(&mut self, issue: &Issue, now: Timestamp) -> Result<(), StoreError> {
        self.change(|project| {
            let count = project.tally.issues.entry(issue.kind.as_str().to_owned()).or_default();
            *count += 1;
            if *count > project.issues_per_kind {
                return Ok(());
            }
            let insert = |conn: &Connection| {
                conn.prepare_cached(
                    "INSERT INTO issues (kind, url, detail, at) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute((issue.kind.as_str(), &issue.url, &issue.detail, now.0))
            };
            insert(&project.conn).map_err(project.db("note an issue"))?;
            Ok(())
        })
    }

    /// Ends the run, and commits.
    pub fn end_run(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let Some(id) = self.tally.run.as_ref().map(|run| run.id) else { return Ok(()) };
        self.change(|project| {
            let end = project.conn.execute("UPDATE runs SET ended = ?2 WHERE id = ?1", (id, now.0));
            end.map_err(project.db("end a run"))?;
            Ok(())
        })?;
        self.commit()?;
        self.tally.run = None;
        Ok(())
    }

    /// The settings of the newest run (JSON).
    pub fn last_settings(&self) -> Result<Option<String>, StoreError> {
        self.conn
            .query_row("SELECT settings FROM runs ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
            .optional()
            .map_err(self.db("read the runs"))
    }

    /// The counts of all runs of the project together, up to this moment.
    pub fn report(&self) -> Result<RunReport, StoreError> {
        let current = self.tally.run.as_ref();
        let sums = "SELECT coalesce(sum(requests), 0), coalesce(sum(bytes), 0),
                    coalesce(sum(elapsed_ms), 0) FROM runs WHERE id <> ?1";
        let (requests, bytes, elapsed_ms): (i64, i64, i64) = self
            .conn
            .query_row(sums, [current.map_or(0, |run| run.id)], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .map_err(self.db("read the runs"))?;
        let now = current.map(|run| run.began.elapsed().as_secs_f64()).unwrap_or_default();
        let facts = self.fact_counts()?;
        Ok(RunReport {
            entities: facts.entities,
            attributes: facts.attributes,
            pairs: facts.pairs,
            queries: facts.queries,
            requests: requests as u64 + current.map_or(0, |run| run.requests),
            pages: self.page_count()?,
            bytes: bytes as u64 + current.map_or(0, |run| run.bytes),
            skipped: self.tally.skipped.clone(),
            elapsed_s: elapsed_ms as f64 / 1_000.0 + now,
            issues: self.tally.issues.clone(),
            failed: self.counts.failed,
            queued: self.counts.queued + self.counts.leased,
            again: self.round_report()?,
            ..RunReport::default()
        })
    }

    /// Requests that the runs of the present round have sent.
    pub(super) fn requests_of_round(&self) -> Result<u64, StoreError> {
        let current = self.tally.run.as_ref();
        let sum = "SELECT coalesce(sum(requests), 0) FROM runs WHERE id <> ?1
                   AND started >= (SELECT max(began) FROM rounds)";
        let before: i64 = self
            .conn
            .query_row(sum, [current.map_or(0, |run| run.id)], |row| row.get(0))
            .map_err(self.db("read the runs"))?;
        Ok(before as u64 + current.map_or(0, |run| run.requests))
    }

    /// The newest issues that were kept with their details, oldest first.
    pub fn issues(&self, limit: usize) -> Result<Vec<StoredIssue>, StoreError> {
        let list = || {
            let mut statement = self.conn.prepare(
                "SELECT kind, url, detail, at FROM
                 (SELECT * FROM issues ORDER BY id DESC LIMIT ?1) ORDER BY id",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map([limit], |row| {
                Ok(StoredIssue {
                    kind: row.get(0)?,
                    url: row.get(1)?,
                    detail: row.get(2)?,
                    at: Timestamp(row.get(3)?),
                })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        list().map_err(self.db("read the issues"))
    }
}
