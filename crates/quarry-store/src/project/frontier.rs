//! The frontier on disk: the [`Frontier`] port over the project's database.
//!
//! An entry is found by the 64-bit hash of its request's key in `seen`, leased by a partial index
//! that holds ready entries only, and waits in another one. Every operation is O(log n); memory
//! holds counts per host, nothing per entry.

use quarry_model::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostHold, HostRecord,
    HostWork, Method, Request, RequestRole, RequestState, Timestamp, Validators,
};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use xxhash_rust::xxh3::xxh3_64;

use super::Project;
use super::hosts::read_host;
use super::schema::state;
use crate::StoreError;

/// The hash of a request key. 0 is kept for "none".
pub(crate) fn key_hash(key: &str) -> u64 {
    xxh3_64(key.as_bytes()).max(1)
}

/// What a known entry is like.
struct StoredEntry {
    id: i64,
    host: i64,
    state: u8,
    depth: u32,
    priority: i32,
}

impl Project {
    fn add_all(&mut self, candidates: &[Candidate]) -> Result<Added, StoreError> {
        let mut added = Added::default();
        for candidate in candidates {
            let hash = key_hash(&candidate.request.key());
            if self.known.covers(hash, candidate.depth, candidate.priority) {
                added.known += 1;
            } else if self.insert(candidate, hash, state::READY)? {
                added.new += 1;
            } else {
                added.known += 1;
                self.lower(candidate, hash)?;
            }
        }
        Ok(added)
    }

    /// Inserts an entry unless its key is known.
    fn insert(&mut self, candidate: &Candidate, hash: u64, state: u8) -> Result<bool, StoreError> {
        let id = self.next_entry;
        let seen = |conn: &Connection| {
            conn.prepare_cached("INSERT INTO seen VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute((hash as i64, id))
        };
        if seen(&self.conn).map_err(self.db("add to the frontier"))? == 0 {
            return Ok(false);
        }
        let host = self.host_id(&candidate.host)?;
        let (via_text, via_id) = self.via_column(candidate.via.as_deref())?;
        let request = &candidate.request;
        let entry = |conn: &Connection| {
            conn.prepare_cached(
                "INSERT INTO frontier VALUES
                 (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7, ?8, ?9, ?10, ?11, coalesce(?12, ?13), NULL)",
            )?
            .execute(params![
                id,
                host,
                state,
                candidate.priority,
                candidate.depth,
                matches!(candidate.role, RequestRole::Sitemap),
                matches!(request.method, Method::Post),
                request.url,
                request.body,
                request.unless.etag,
                request.unless.last_modified,
                via_id,
                via_text,
            ])
        };
        entry(&self.conn).map_err(self.db("add to the frontier"))?;
        self.next_entry += 1;
        if state == state::READY {
            self.known.remember(hash, candidate.depth, candidate.priority);
            self.counts.queued += 1;
            if let Some(queue) = self.hosts.by_id(host) {
                queue.ready += 1;
            }
        } else {
            self.known.remember(hash, 0, i32::MIN);
            self.counts.done += 1;
        }
        Ok(true)
    }

    /// Gives a known entry that is still queued the lesser of both depths and priorities.
    fn lower(&mut self, candidate: &Candidate, hash: u64) -> Result<(), StoreError> {
        let Some(found) = self.find_entry(hash).map_err(self.db("read the frontier"))? else {
            return Ok(());
        };
        if found.state > state::LEASED {
            self.known.remember(hash, 0, i32::MIN);
            return Ok(());
        }
        let (mut depth, mut priority) = (found.depth, found.priority);
        if found.state != state::LEASED {
            depth = depth.min(candidate.depth);
            priority = priority.min(candidate.priority);
            if (depth, priority) != (found.depth, found.priority) {
                let update = |conn: &Connection| {
                    conn.prepare_cached(
                        "UPDATE frontier SET depth = ?2, priority = ?3 WHERE id = ?1",
                    )?
                    .execute((found.id, depth, priority))
                };
                update(&self.conn).map_err(self.db("change the frontier"))?;
            }
        }
        self.known.remember(hash, depth, priority);
        Ok(())
    }

    fn find_entry(&self, hash: u64) -> rusqlite::Result<Option<StoredEntry>> {
        self.conn
            .prepare_cached(
                "SELECT f.id, f.host, f.state, f.depth, f.priority
                 FROM seen s JOIN frontier f ON f.id = s.entry WHERE s.hash = ?1",
            )?
            .query_row([hash as i64], |row| {
                Ok(StoredEntry {
                    id: row.get(0)?,
                    host: row.get(1)?,
                    state: row.get(2)?,
                    depth: row.get(3)?,
                    priority: row.get(4)?,
                })
            })
            .optional()
    }

    /// What became of a request; none if it was never proposed.
    pub fn request_state(&self, key: &str) -> Result<Option<RequestState>, StoreError> {
        let find = || {
            self.conn
                .prepare_cached(
                    "SELECT f.state, f.note FROM seen s JOIN frontier f ON f.id = s.entry
                     WHERE s.hash = ?1",
                )?
                .query_row([key_hash(key) as i64], |row| {
                    Ok((row.get::<_, u8>(0)?, row.get::<_, Option<String>>(1)?))
                })
                .optional()
        };
        let found = find().map_err(self.db("read the frontier"))?;
        Ok(found.map(|(state, note)| match state {
            state::READY | state::WAITING | state::LEASED => RequestState::Queued,
            state::DONE => RequestState::Done,
            state::SKIPPED => RequestState::Skipped(note),
            _ => RequestState::Failed(note),
        }))
    }

    /// The row of a host, made if there is none.
    fn host_id(&mut self, host: &str) -> Result<i64, StoreError> {
        if let Some(queue) = self.hosts.get(host) {
            return Ok(queue.id);
        }
        let insert = |conn: &Connection| {
            conn.prepare_cached("INSERT INTO hosts (host) VALUES (?1)")?.execute([host])?;
            Ok(conn.last_insert_rowid())
        };
        let id = insert(&self.conn).map_err(self.db("add a host"))?;
        self.hosts.insert(host.to_owned(), id);
        Ok(id)
    }

    /// How an address stands in a `via` column: by the entry that has it, which is short, or else
    /// as it is.
    pub(super) fn via_column<'a>(
        &self,
        via: Option<&'a str>,
    ) -> Result<(Option<&'a str>, Option<i64>), StoreError> {
        let Some(via) = via else { return Ok((None, None)) };
        let mut last = self.last_via.borrow_mut();
        let entry = match &*last {
            Some((address, entry)) if address == via => *entry,
            _ => {
                let entry = self.entry_with_url(via).map_err(self.db("read the frontier"))?;
                *last = Some((via.to_owned(), entry));
                entry
            }
        };
        Ok(if entry.is_some() { (None, entry) } else { (Some(via), None) })
    }

    fn entry_with_url(&self, url: &str) -> rusqlite::Result<Option<i64>> {
        // The address is compared: a POST has another key, and hashes may collide.
        self.conn
            .prepare_cached(
                "SELECT f.id FROM seen s JOIN frontier f ON f.id = s.entry
                 WHERE s.hash = ?1 AND f.url = ?2",
            )?
            .query_row((key_hash(url) as i64, url), |row| row.get(0))
            .optional()
    }

    /// The address that a `via` column stands for.
    pub(super) fn via_text(&self, value: ValueRef<'_>) -> rusqlite::Result<Option<String>> {
        match value {
            ValueRef::Integer(id) => self
                .conn
                .prepare_cached("SELECT url FROM frontier WHERE id = ?1")?
                .query_row([id], |row| row.get(0))
                .optional(),
            ValueRef::Text(text) => Ok(Some(String::from_utf8_lossy(text).into_owned())),
            _ => Ok(None),
        }
    }

    fn lease_first(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, StoreError> {
        let Some(queue) = self.hosts.get(host).copied() else { return Ok(None) };
        let waiting_is_due = queue.waiting > 0 && queue.first_due <= now.0;
        if waiting_is_due {
            self.change(|project| {
                project.wake(queue.id, now).map_err(project.db("wake waiting entries"))
            })?;
        } else if queue.ready == 0 {
            return Ok(None);
        }
        self.change(|project| {
            let entry = project.first_ready(host, queue.id);
            let Some(entry) = entry.map_err(project.db("lease an entry"))? else {
                return Ok(None);
            };
            let lease = |conn: &Connection| {
                conn.prepare_cached("UPDATE frontier SET state = 2 WHERE id = ?1")?
                    .execute([entry.id.0])
            };
            lease(&project.conn).map_err(project.db("lease an entry"))?;
            if let Some(queue) = project.hosts.by_id(queue.id) {
                queue.ready -= 1;
            }
            project.counts.queued -= 1;
            project.counts.leased += 1;
            Ok(Some(entry))
        })
    }

    /// Makes the waiting entries of a host ready that are due.
    fn wake(&mut self, host: i64, now: Timestamp) -> rusqlite::Result<()> {
        let woken = self
            .conn
            .prepare_cached(
                "UPDATE frontier SET state = 0, due = 0
                 WHERE state = 1 AND host = ?1 AND due <= ?2",
            )?
            .execute((host, now.0))? as u64;
        let first_due = self.first_due(host)?;
        if let Some(queue) = self.hosts.by_id(host) {
            queue.ready += woken;
            queue.waiting -= woken;
            queue.first_due = first_due;
        }
        Ok(())
    }

    fn first_due(&self, host: i64) -> rusqlite::Result<i64> {
        self.conn
            .prepare_cached("SELECT min(due) FROM frontier WHERE state = 1 AND host = ?1")?
            .query_row([host], |row| Ok(row.get::<_, Option<i64>>(0)?.unwrap_or(0)))
    }

    fn first_ready(&self, host: &str, host_id: i64) -> rusqlite::Result<Option<Entry>> {
        self.conn
            .prepare_cached(
                "SELECT id, method, url, body, etag, last_modified, role, depth, priority, via,
                        attempts
                 FROM frontier WHERE state = 0 AND host = ?1
                 ORDER BY priority, depth, id LIMIT 1",
            )?
            .query_row([host_id], |row| self.read_entry(row, host))
            .optional()
    }

    fn read_entry(&self, row: &Row<'_>, host: &str) -> rusqlite::Result<Entry> {
        let request = Request {
            method: if row.get::<_, bool>(1)? { Method::Post } else { Method::Get },
            url: row.get(2)?,
            body: row.get(3)?,
            unless: Validators { etag: row.get(4)?, last_modified: row.get(5)? },
        };
        let candidate = Candidate {
            request,
            host: host.to_owned(),
            role: if row.get::<_, bool>(6)? { RequestRole::Sitemap } else { RequestRole::Page },
            depth: row.get(7)?,
            priority: row.get(8)?,
            via: self.via_text(row.get_ref(9)?)?,
        };
        let (id, attempts) = (EntryId(row.get(0)?), row.get(10)?);
        self.with_held(Entry { id, candidate, attempts, fresh_until: None })
    }

    /// The host of a leased entry, or `None` if the entry is not leased.
    fn leased_host(&self, id: EntryId) -> rusqlite::Result<Option<i64>> {
        self.conn
            .prepare_cached("SELECT host FROM frontier WHERE id = ?1 AND state = 2")?
            .query_row([id.0], |row| row.get(0))
            .optional()
    }

    fn release_all(&mut self) -> rusqlite::Result<u64> {
        let mut released = 0;
        {
            let mut leased = self.conn.prepare_cached(
                "SELECT host, count(*) FROM frontier WHERE state = 2 GROUP BY host",
            )?;
            let rows = leased.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
            for row in rows {
                let (host, n) = row?;
                released += n as u64;
                if let Some(queue) = self.hosts.by_id(host) {
                    queue.ready += n as u64;
                }
            }
        }
        self.conn.execute("UPDATE frontier SET state = 0, due = 0 WHERE state = 2", [])?;
        self.counts.queued += released;
        self.counts.leased -= released;
        Ok(released)
    }

    /// Puts back what a killed process had leased. Commits, so that a reader sees it.
    pub(super) fn release_at_start(&mut self) -> Result<u64, StoreError> {
        if self.counts.leased == 0 {
            return Ok(0);
        }
        let released = self.release_leases()?;
        self.commit()?;
        Ok(released)
    }
}

impl Frontier for Project {
    type Error = StoreError;

    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.add(candidates);
        }
        if candidates.is_empty() {
            return Ok(Added::default());
        }
        self.change(|project| project.add_all(candidates))
    }

    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.lease(host, now);
        }
        self.lease_first(host, now)
    }

    fn finish(&mut self, id: EntryId, end: &End) -> Result<(), StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.finish(id, end);
        }
        let (state, note) = match end {
            End::Done => (state::DONE, None),
            End::Skipped(reason) => (state::SKIPPED, Some(reason.as_str())),
            End::Failed(why) => (state::FAILED, Some(why.as_str())),
        };
        self.change(|project| {
            let finish = |conn: &Connection| {
                conn.prepare_cached(
                    "UPDATE frontier SET state = ?2, note = ?3 WHERE id = ?1 AND state = 2",
                )?
                .execute((id.0, state, note))
            };
            if finish(&project.conn).map_err(project.db("end an entry"))? == 0 {
                return Ok(());
            }
            project.counts.leased -= 1;
            match end {
                End::Done => project.counts.done += 1,
                End::Skipped(_) => project.counts.skipped += 1,
                End::Failed(_) => project.counts.failed += 1,
            }
            Ok(())
        })
    }

    fn put_back(&mut self, id: EntryId, due: Timestamp, attempted: bool) -> Result<(), StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.put_back(id, due, attempted);
        }
        self.change(|project| {
            let host = project.leased_host(id).map_err(project.db("put an entry back"))?;
            let Some(host) = host else { return Ok(()) };
            let put_back = |conn: &Connection| {
                conn.prepare_cached(
                    "UPDATE frontier SET state = 1, due = ?2, attempts = attempts + ?3
                     WHERE id = ?1",
                )?
                .execute((id.0, due.0, attempted))
            };
            put_back(&project.conn).map_err(project.db("put an entry back"))?;
            project.counts.leased -= 1;
            project.counts.queued += 1;
            if let Some(queue) = project.hosts.by_id(host) {
                let first = queue.waiting == 0 || due.0 < queue.first_due;
                queue.first_due = if first { due.0 } else { queue.first_due };
                queue.waiting += 1;
            }
            Ok(())
        })
    }

    fn claim(&mut self, candidate: &Candidate) -> Result<bool, StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.claim(candidate);
        }
        let hash = key_hash(&candidate.request.key());
        self.change(|project| {
            if project.insert(candidate, hash, state::DONE)? {
                return Ok(true);
            }
            let found = project.find_entry(hash).map_err(project.db("read the frontier"))?;
            let Some(found) = found.filter(|found| found.state <= state::WAITING) else {
                return Ok(false);
            };
            let claim = |conn: &Connection| {
                conn.prepare_cached("UPDATE frontier SET state = 3 WHERE id = ?1")?
                    .execute([found.id])
            };
            claim(&project.conn).map_err(project.db("claim an address"))?;
            let first_due =
                project.first_due(found.host).map_err(project.db("claim an address"))?;
            if let Some(queue) = project.hosts.by_id(found.host) {
                if found.state == state::READY {
                    queue.ready -= 1;
                } else {
                    queue.waiting -= 1;
                    queue.first_due = first_due;
                }
            }
            project.counts.queued -= 1;
            project.counts.done += 1;
            project.known.remember(hash, 0, i32::MIN);
            Ok(true)
        })
    }

    fn work(&self) -> Result<Vec<HostWork>, StoreError> {
        if let Some(shared) = &self.shared {
            return shared.work();
        }
        Ok(self.hosts.work())
    }

    fn counts(&self) -> Result<FrontierCounts, StoreError> {
        if let Some(shared) = &self.shared {
            return shared.counts();
        }
        Ok(self.counts)
    }

    fn release_leases(&mut self) -> Result<u64, StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.release_leases();
        }
        if self.counts.leased == 0 {
            return Ok(0);
        }
        self.change(|project| project.release_all().map_err(project.db("release leases")))
    }

    fn host(&self, host: &str) -> Result<Option<HostRecord>, StoreError> {
        if let Some(shared) = &self.shared {
            return shared.host(host);
        }
        let find = || {
            self.conn
                .prepare_cached(
                    "SELECT not_before, delay_us, troubles, robots_at, robots_status, robots_body
                     FROM hosts WHERE host = ?1 AND not_before IS NOT NULL",
                )?
                .query_row([host], |row| read_host(row, host))
                .optional()
        };
        find().map_err(self.db("read a host"))
    }

    fn save_host(&mut self, record: &HostRecord) -> Result<(), StoreError> {
        if let Some(shared) = &mut self.shared {
            return shared.save_host(record);
        }
        self.change(|project| {
            let id = project.host_id(&record.host)?;
            let robots = record.robots.as_ref();
            let save = |conn: &Connection| {
                conn.prepare_cached(
                    "UPDATE hosts SET not_before = ?2, delay_us = ?3, troubles = ?4,
                     robots_at = ?5, robots_status = ?6, robots_body = ?7 WHERE id = ?1",
                )?
                .execute(params![
                    id,
                    record.not_before.0,
                    i64::try_from(record.delay.as_micros()).unwrap_or(i64::MAX),
                    record.troubles,
                    robots.map(|robots| robots.at.0),
                    robots.and_then(|robots| robots.status),
                    robots.map(|robots| robots.body.as_str()),
                ])
            };
            save(&project.conn).map_err(project.db("save a host"))?;
            Ok(())
        })
    }

    fn hold(&mut self, host: &str) -> Result<HostHold, StoreError> {
        self.shared.as_mut().map_or(Ok(HostHold::Held), |shared| shared.hold(host))
    }

    fn wants_work(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.wants_work())
    }

    fn is_over(&mut self) -> Result<bool, StoreError> {
        self.shared.as_mut().map_or(Ok(true), |shared| shared.is_over())
    }
}
