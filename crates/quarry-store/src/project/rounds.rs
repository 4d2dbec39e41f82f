//! Rounds of a crawl: each goes through the whole site once. A later round begins with an empty frontier; requests that are
//! repeated are conditional on the archived version.

use std::time::Duration;

use quarry_model::{
    Candidate, Entry, Exchange, Method, Round, RoundReport, Timestamp, Used, Validators,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Project;
use super::frontier::key_hash;
use super::pages::{NEWEST, VERDICT};
use crate::StoreError;

/// The present round, and what there was when it began.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundRow {
    pub(super) round: Round,
    /// Pages from this row on are of this round.
    pub(super) first_page: i64,
    pages: u64,
    bytes: u64,
    elapsed: Duration,
}

impl RoundRow {
    pub(super) fn load(conn: &Connection) -> rusqlite::Result<Self> {
        let sql =
            "SELECT number, ended IS NOT NULL, whole, harvested, stage, first_page, pages, bytes,
                   elapsed_ms
                   FROM rounds ORDER BY number DESC LIMIT 1";
        conn.query_row(sql, [], |row| {
            Ok(Self {
                round: Round {
                    number: row.get(0)?,
                    is_over: row.get(1)?,
                    is_whole: row.get(2)?,
                    is_harvested: row.get(3)?,
                    stage: row.get(4)?,
                },
                first_page: row.get(5)?,
                pages: row.get::<_, i64>(6)? as u64,
                bytes: row.get::<_, i64>(7)? as u64,
                elapsed: Duration::from_millis(row.get::<_, i64>(8)? as u64),
            })
        })
    }
}

/// What the archive holds of an address.
pub(super) struct Held {
    /// The page that has the body.
    pub(super) content: i64,
    pub(super) digest: [u8; 20],
    pub(super) validators: Validators,
    pub(super) fresh_until: Option<i64>,
    is_whole: bool,
}

impl Project {
    /// The present round.
    #[must_use]
    pub fn round(&self) -> Round {
        self.round.round
    }

    /// Begins another round: whatever was asked may be asked again. Counts and oddities begin anew; the archive and what is
    /// known of hosts stay. Commits.
    pub fn begin_round(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let before = self.report()?;
        let number = self.round().number + 1;
        let (is_over, is_whole, is_harvested) = (false, false, false);
        let round = RoundRow {
            round: Round { number, is_over, is_whole, is_harvested, stage: 0 },
            first_page: self.next_page,
            pages: self.tally.pages,
            bytes: before.bytes,
            elapsed: Duration::from_secs_f64(before.elapsed_s),
        };
        self.change(|project| {
            let begin = |conn: &Connection| {
                // Rows of the frontier that pages point to are about to go.
                conn.execute_batch(
                    "UPDATE pages SET via = (SELECT url FROM frontier f WHERE f.id = pages.via)
                     WHERE typeof(via) = 'integer';
                     DELETE FROM frontier; DELETE FROM seen; DELETE FROM issues;
                     DELETE FROM counts WHERE what <> 'pages'",
                )?;
                conn.execute(
                    "INSERT INTO rounds VALUES (?1, ?2, NULL, 0, 0, 0, ?3, ?4, ?5, ?6)",
                    params![
                        number,
                        now.0,
                        round.first_page,
                        round.pages as i64,
                        round.bytes as i64,
                        i64::try_from(round.elapsed.as_millis()).unwrap_or(i64::MAX),
                    ],
                )
            };
            begin(&project.conn).map_err(project.db("begin a round"))?;
            project.round = round;
            project.next_entry = 1;
            project.counts = quarry_model::FrontierCounts::default();
            project.known.clear();
            project.hosts.clear();
            project.tally.begin_round();
            *project.last_via.borrow_mut() = None;
            Ok(())
        })?;
        self.commit()
    }

    /// The round is over. If it is `whole`, pages that it has not reached count as removed; those that failed this time
    /// stay as they were. Tables that were made before its end are not those of the round. Commits.
    pub fn end_round(&mut self, whole: bool, now: Timestamp) -> Result<(), StoreError> {
        let RoundRow { round: Round { number, is_over, is_harvested, .. }, first_page, .. } =
            self.round;
        let is_harvested = is_harvested && is_over;
        self.change(|project| {
            let end = |conn: &Connection| {
                if whole {
                    conn.execute(
                        "UPDATE pages SET retired = ?1 WHERE is_page AND id < ?2 AND retired IS NULL
                         AND NOT EXISTS (SELECT 1 FROM pages n WHERE n.key_hash = pages.key_hash
                                         AND n.is_page AND n.id >= ?2)
                         AND NOT EXISTS (SELECT 1 FROM seen s JOIN frontier f ON f.id = s.entry
                                         WHERE s.hash = pages.key_hash AND f.state = 5)",
                        (number, first_page),
                    )?;
                }
                conn.execute(
                    "UPDATE rounds SET ended = ?2, whole = ?3, harvested = ?4 WHERE number = ?1",
                    (number, now.0, whole, is_harvested),
                )
            };
            end(&project.conn).map_err(project.db("end a round"))?;
            let round = &mut project.round.round;
            (round.is_over, round.is_whole, round.is_harvested) = (true, whole, is_harvested);
            Ok(())
        })?;
        self.commit()
    }

    /// Tables were made of the round. Commits.
    pub fn note_harvest(&mut self) -> Result<(), StoreError> {
        let number = self.round.round.number;
        self.change(|project| {
            let note = "UPDATE rounds SET harvested = 1 WHERE number = ?1";
            project.conn.execute(note, [number]).map_err(project.db("note a harvest"))?;
            project.round.round.is_harvested = true;
            Ok(())
        })?;
        self.commit()
    }

    /// One of the round's crawls is over, and the next begins. Commits.
    pub fn pass_stage(&mut self) -> Result<(), StoreError> {
        let number = self.round.round.number;
        self.change(|project| {
            let pass = "UPDATE rounds SET stage = stage + 1 WHERE number = ?1";
            project.conn.execute(pass, [number]).map_err(project.db("go on with a round"))?;
            project.round.round.stage += 1;
            Ok(())
        })?;
        self.commit()
    }

    /// What the present round has used of a budget.
    pub fn used(&self) -> Result<Used, StoreError> {
        let all = self.report()?;
        Ok(Used {
            pages: self.tally.pages.saturating_sub(self.round.pages),
            requests: self.requests_of_round()?,
            bytes: all.bytes.saturating_sub(self.round.bytes),
            time: Duration::from_secs_f64(all.elapsed_s).saturating_sub(self.round.elapsed),
        })
    }

    /// The archived answer to a request, body included, of any round: the content that a 304 answer confirms.
    pub fn held(&self, key: &str) -> Result<Option<Exchange>, StoreError> {
        let held = self.held_row(key).map_err(self.db("find a page"))?;
        held.map(|held| self.read_page(held.content)).transpose()
    }

    pub(super) fn held_row(&self, key: &str) -> rusqlite::Result<Option<Held>> {
        let sql = format!(
            "SELECT coalesce(base, id), digest, etag, last_modified, fresh_until,
             truncated IS NULL, status, base IS NOT NULL FROM pages
             WHERE key_hash = ?1 AND coalesce(key, url) = ?2 AND {VERDICT} ORDER BY id DESC LIMIT 1"
        );
        let read = |row: &Row<'_>| {
            let has_body = matches!(row.get::<_, u16>(6)?, 200..=299) || row.get(7)?;
            Ok(has_body.then_some(Held {
                content: row.get(0)?,
                digest: row.get(1)?,
                validators: Validators { etag: row.get(2)?, last_modified: row.get(3)? },
                fresh_until: row.get(4)?,
                is_whole: row.get(5)?,
            }))
        };
        let found = self
            .conn
            .prepare_cached(&sql)?
            .query_row((key_hash(key) as i64, key), read)
            .optional()?;
        Ok(found.flatten())
    }

    /// An entry with what an earlier round has archived of it.
    pub(super) fn with_held(&self, mut entry: Entry) -> rusqlite::Result<Entry> {
        let Candidate { request, .. } = &mut entry.candidate;
        if self.round.round.number == 1 || request.method != Method::Get {
            return Ok(entry);
        }
        // Half a page is asked for as a whole.
        if let Some(held) = self.held_row(&request.url)?.filter(|held| held.is_whole) {
            request.unless = held.validators;
            entry.fresh_until = held.fresh_until.map(Timestamp);
        }
        Ok(entry)
    }

    /// Notes that a page was not asked because what the archive has of it still holds.
    pub fn put_fresh(
        &mut self,
        key: &str,
        depth: u32,
        via: Option<&str>,
    ) -> Result<(), StoreError> {
        let id = self.next_page;
        self.change(|project| {
            let held = project.held_row(key).map_err(project.db("find a page"))?;
            let Some(held) = held else { return Ok(()) };
            let (via_text, via_id) = project.via_column(via)?;
            let insert = |conn: &Connection| {
                conn.prepare_cached(
                    "INSERT INTO pages SELECT ?1, key_hash, is_page, url, key, fetch_time, status,
                     mime_detected, mime_type, digest, 0, 0, 0, 0, 0, redirect, truncated, ?2,
                     coalesce(?3, ?4), NULL, size, ?5, ?6, ?7, id, NULL FROM pages WHERE id = ?8",
                )?
                .execute(params![
                    id,
                    depth,
                    via_id,
                    via_text,
                    held.validators.etag,
                    held.validators.last_modified,
                    held.fresh_until,
                    held.content,
                ])
            };
            insert(&project.conn).map_err(project.db("add a page"))?;
            project.next_page += 1;
            project.tally.pages += 1;
            Ok(())
        })
    }

    /// How many pages there are, each once.
    pub(super) fn page_count(&self) -> Result<u64, StoreError> {
        if self.round.round.number == 1 {
            return Ok(self.tally.pages);
        }
        let sql = format!("SELECT count(*) FROM ({NEWEST})");
        let count = self.conn.query_row(&sql, [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(self.db("count the pages"))? as u64)
    }

    /// What the present round has found, if it is not the first.
    pub(super) fn round_report(&self) -> Result<Option<RoundReport>, StoreError> {
        if self.round.round.number == 1 {
            return Ok(None);
        }
        self.compare_round().map(Some).map_err(self.db("compare the rounds"))
    }

    fn compare_round(&self) -> rusqlite::Result<RoundReport> {
        let RoundRow { round, first_page, bytes, .. } = self.round;
        let Round { number, is_whole, .. } = round;
        let mut report = RoundReport { round: number, whole: is_whole, ..RoundReport::default() };
        // Each page of the round, with what was there before.
        let sql = format!(
            "SELECT r.file = 0, r.status, r.base IS NOT NULL, r.redirect, p.status, p.redirect,
                    coalesce(b.size, b.length, 0)
             FROM pages r
             LEFT JOIN pages p ON p.id = (
                 SELECT max(id) FROM pages o WHERE o.key_hash = r.key_hash AND o.id < ?1
                 AND o.is_page AND (o.retired IS NULL OR o.retired >= ?2) AND {VERDICT})
             LEFT JOIN pages b ON b.id = r.base
             WHERE r.is_page AND r.id >= ?1"
        );
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query((first_page, number))?;
        while let Some(row) = rows.next()? {
            let seen = PageVisit {
                is_fresh: row.get(0)?,
                status: row.get(1)?,
                is_same: row.get(2)?,
                redirect: row.get(3)?,
                before: row.get(4)?,
                redirect_before: row.get(5)?,
            };
            seen.count(&mut report);
            if seen.is_fresh || seen.status == 304 {
                report.bytes_saved += row.get::<_, i64>(6)? as u64;
            }
        }
        let unreached = format!(
            "SELECT count(*) FROM (SELECT max(CASE WHEN {VERDICT} THEN id END) AS newest FROM pages
             WHERE retired = ?1 AND is_page GROUP BY key_hash) n
             JOIN pages p ON p.id = n.newest WHERE p.status < 400"
        );
        report.unreached =
            self.conn.query_row(&unreached, [number], |row| row.get::<_, i64>(0))? as u64;
        let (run, own) = self.tally.run().unwrap_or_default();
        let sum = "SELECT coalesce(sum(bytes), 0) FROM runs WHERE id <> ?1";
        let others: i64 = self.conn.query_row(sum, [run], |row| row.get(0))?;
        report.bytes = (others as u64 + own).saturating_sub(bytes);
        Ok(report)
    }
}

/// A page of the round, and the same address before it.
struct PageVisit {
    is_fresh: bool,
    status: u16,
    is_same: bool,
    redirect: Option<String>,
    before: Option<u16>,
    redirect_before: Option<String>,
}

impl PageVisit {
    fn count(&self, report: &mut RoundReport) {
        if self.is_fresh {
            report.fresh += 1;
            return;
        }
        report.asked += 1;
        let was_there = self.before.is_some_and(|status| status < 400);
        match self.status {
            304 => report.not_modified += 1,
            200..=299 if self.is_same => report.unchanged += 1,
            300..=399 if was_there && self.redirect == self.redirect_before => {
                report.unchanged += 1;
            }
            200..=399 if was_there => report.changed += 1,
            200..=399 => report.new += 1,
            404 | 410 if was_there => report.gone += 1,
            _ => {}
        }
    }
}
