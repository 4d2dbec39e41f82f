//! The frontier in PostgreSQL.
//!
//! A crawler leases **hosts**, one crawler a host at a time, and from a host that it has it takes its addresses in batches. Leases end unless
//! [`SharedFrontier::commit`] renews them; whoever takes a host over puts back what its last crawler had taken. A crawler that was thought
//! dead finds its entries gone from `taken`: what it finishes late does not count (the row is the fencing token).
//!
//! The client has a thread of its own, because it may not wait inside the crawl's runtime.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use postgres::{Client, GenericClient, NoTls, Row};
use quarry_model::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostHold, HostRecord,
    HostWork, RobotsRecord, Timestamp,
};

use super::SharedFrontier;
use super::schema::{MIGRATIONS, VERSION};
use crate::StoreError;
use crate::project::frontier::key_hash;

/// Addresses that are taken from a host at a time.
const BATCH: i64 = 32;
/// Pages that are reserved of the common budget at a time. A killed crawler loses those that it had reserved.
const RESERVED: i64 = 16;
/// Hosts without work that a look for work names, at most.
const MAX_OFFERED: i64 = 64;
/// The lock that crawlers take while one of them makes the tables.
const MIGRATION_LOCK: i64 = 0x7175_6172_7279;

/// How a crawler shares a frontier.
#[derive(Debug, Clone)]
pub struct SharedSettings {
    /// The schema of the database that has the tables of this crawl. Default `quarry`.
    pub schema: String,
    /// How long a host stays with a crawler that says nothing. Default 15 s: it is renewed every second.
    pub lease: Duration,
    /// Hosts that one crawler has at a time, so that others have some, too. Default 16.
    pub max_hosts: usize,
    /// Pages of the whole crawl, all crawlers together. The first crawler's holds. Default: no limit.
    pub pages: Option<u64>,
}

impl Default for SharedSettings {
    fn default() -> Self {
        let lease = Duration::from_secs(15);
        Self { schema: "quarry".to_owned(), lease, max_hosts: 16, pages: None }
    }
}

/// A host that this crawler has.
#[derive(Debug)]
struct HeldHost {
    id: i32,
    fence: i64,
    /// Until when it is certainly ours.
    until: Instant,
    /// Addresses that were taken and are not leased yet, in order.
    batch: VecDeque<Entry>,
    /// Entries that are leased and not finished.
    leased: usize,
    /// When entries that were put back come due: they may come before those of the batch.
    waiting: BTreeSet<Timestamp>,
    /// Whether the database had no more of them.
    is_drained: bool,
}

/// A frontier in PostgreSQL that several crawlers share.
pub struct PostgresFrontier {
    database: Database,
    settings: SharedSettings,
    /// What this crawler is known by; no other ever has the same.
    crawler: i64,
    held: BTreeMap<String, HeldHost>,
    /// Leased entries, and their hosts.
    leased: BTreeMap<EntryId, String>,
    /// Finished entries that the database has not been told of.
    finished: Vec<(EntryId, End)>,
    /// Pages that are reserved of the budget and not used yet.
    reserved: i64,
    ids: BTreeMap<String, i32>,
}

type Task = Box<dyn FnOnce(&mut Client) + Send>;

/// The connection, on a thread of its own.
struct Database {
    tasks: SyncSender<Task>,
}

impl Database {
    fn connect(url: &str) -> Result<Self, StoreError> {
        let (tasks, waiting): (SyncSender<Task>, Receiver<Task>) = sync_channel(1);
        let (connected, outcome) = sync_channel(1);
        let url = url.to_owned();
        std::thread::spawn(move || match Client::connect(&url, NoTls) {
            Err(error) => drop(connected.send(Err(error))),
            Ok(mut client) => {
                let _ = connected.send(Ok(()));
                waiting.into_iter().for_each(|task| task(&mut client));
            }
        });
        match outcome.recv() {
            Ok(Ok(())) => Ok(Self { tasks }),
            Ok(Err(error)) => Err(failed("connect")(error)),
            Err(gone) => Err(StoreError::Shared { operation: "connect", source: gone.into() }),
        }
    }

    /// Runs statements, and waits for what they give.
    fn run<T: Send + 'static>(
        &self,
        operation: &'static str,
        task: impl FnOnce(&mut Client) -> Result<T, postgres::Error> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, outcome) = sync_channel(1);
        let task: Task = Box::new(move |client| drop(done.send(task(client))));
        let gone = || StoreError::Shared { operation, source: "the connection is closed".into() };
        self.tasks.send(task).map_err(|_| gone())?;
        outcome.recv().map_err(|_| gone())?.map_err(failed(operation))
    }
}

fn failed(operation: &'static str) -> impl Fn(postgres::Error) -> StoreError {
    move |source| StoreError::Shared { operation, source: source.into() }
}

impl PostgresFrontier {
    /// Opens the frontier at an address such as `postgres://user@host/database`, and makes its tables if there are none.
    pub fn open(url: &str, settings: SharedSettings) -> Result<Self, StoreError> {
        let database = Database::connect(url)?;
        let schema = settings.schema.replace('"', "");
        let pages = settings.pages.and_then(|pages| i64::try_from(pages).ok());
        let crawler = database.run("make the tables", move |client| {
            client.batch_execute("SET client_min_messages = warning")?;
            let mut change = client.transaction()?;
            change.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK])?;
            change.batch_execute(&format!(
                "CREATE SCHEMA IF NOT EXISTS \"{schema}\"; SET search_path = \"{schema}\";
                 CREATE TABLE IF NOT EXISTS version (version INT NOT NULL)"
            ))?;
            let found = change.query_opt("SELECT max(version) FROM version", &[])?;
            let found: i32 = found.and_then(|row| row.get::<_, Option<i32>>(0)).unwrap_or(0);
            for (number, migration) in
                (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or(0))
            {
                change.batch_execute(migration)?;
                change.execute("INSERT INTO version VALUES ($1)", &[&number])?;
            }
            change.execute(
                "INSERT INTO budget (pages) VALUES ($1) ON CONFLICT DO NOTHING",
                &[&pages],
            )?;
            let crawler: i64 = change.query_one("SELECT nextval('crawlers')", &[])?.get(0);
            change.commit()?;
            Ok((found, crawler))
        })?;
        let (found, crawler) = crawler;
        if found > VERSION {
            let source = format!(
                "its tables have version {found}, this program knows {VERSION}; use the newer one"
            );
            return Err(StoreError::Shared { operation: "use the tables", source: source.into() });
        }
        Ok(Self {
            database,
            settings,
            crawler,
            held: BTreeMap::new(),
            leased: BTreeMap::new(),
            finished: Vec::new(),
            reserved: 0,
            ids: BTreeMap::new(),
        })
    }

    /// The number of a host, made if there is none.
    fn host_id(&mut self, host: &str) -> Result<i32, StoreError> {
        if let Some(id) = self.ids.get(host) {
            return Ok(*id);
        }
        let name = host.to_owned();
        let id = self.database.run("add a host", move |client| {
            client
                .execute("INSERT INTO hosts (host) VALUES ($1) ON CONFLICT DO NOTHING", &[&name])?;
            let id: i32 =
                client.query_one("SELECT id FROM hosts WHERE host = $1", &[&name])?.get(0);
            client.execute(
                "INSERT INTO host_leases (host) VALUES ($1) ON CONFLICT DO NOTHING",
                &[&id],
            )?;
            Ok(id)
        })?;
        self.ids.insert(host.to_owned(), id);
        Ok(id)
    }

    /// Takes a host that nobody has, and puts back what its last crawler had taken.
    fn take_host(&mut self, host: &str) -> Result<HostHold, StoreError> {
        if self.held.len() >= self.settings.max_hosts {
            return Ok(HostHold::Refused);
        }
        let id = self.host_id(host)?;
        let (crawler, seconds) = (self.crawler, self.settings.lease.as_secs_f64());
        let asked = Instant::now();
        let fence = self.database.run("lease a host", move |client| {
            let mut change = client.transaction()?;
            let row = change.query_opt(
                "UPDATE host_leases SET crawler = $2, fence = fence + 1, until = now() + make_interval(secs => $3)
                 WHERE host = (SELECT host FROM host_leases WHERE host = $1
                                 AND (crawler IS NULL OR crawler = $2 OR until < now()) FOR UPDATE SKIP LOCKED)
                 RETURNING fence",
                &[&id, &crawler, &seconds],
            )?;
            let fence: Option<i64> = row.map(|row| row.get(0));
            if fence.is_some() {
                change.execute(PUT_ALL_BACK, &[&id])?;
            }
            change.commit()?;
            Ok(fence)
        })?;
        let Some(fence) = fence else { return Ok(HostHold::Refused) };
        let until = asked + self.settings.lease;
        let own = HeldHost {
            id,
            fence,
            until,
            batch: VecDeque::new(),
            leased: 0,
            waiting: BTreeSet::new(),
            is_drained: false,
        };
        self.held.insert(host.to_owned(), own);
        Ok(HostHold::Taken)
    }

    /// Gives back addresses that were taken and not leased, so that others stand in their order again.
    fn put_batch_back(&mut self, host: &str) -> Result<(), StoreError> {
        let Some(own) = self.held.get_mut(host) else { return Ok(()) };
        own.is_drained = false;
        let ids: Vec<i64> = own.batch.drain(..).map(|entry| entry.id.0).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let crawler = self.crawler;
        self.database.run("put addresses back", move |client| {
            client.execute(PUT_BACK, &[&ids, &crawler, &0_i64, &0_i32]).map(drop)
        })
    }

    /// Takes the next addresses of a host that are due.
    fn take_batch(&mut self, host: &str, now: Timestamp) -> Result<(), StoreError> {
        let Some(own) = self.held.get_mut(host) else { return Ok(()) };
        let (id, crawler, fence) = (own.id, self.crawler, own.fence);
        let rows = self.database.run("lease addresses", move |client| {
            client.query(TAKE, &[&id, &now.0, &BATCH, &crawler, &fence])
        })?;
        let mut entries =
            rows.iter().map(|row| read_entry(row, host)).collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(|own| (own.candidate.priority, own.candidate.depth, own.id));
        own.is_drained = entries.is_empty();
        own.batch.extend(entries);
        Ok(())
    }

    /// Whether a page may be asked for by the common budget.
    fn reserve(&mut self) -> Result<bool, StoreError> {
        if self.reserved == 0 {
            self.reserved = self.database.run("reserve pages", move |client| {
                let row = client.query_one(
                    "WITH old AS (SELECT reserved, pages FROM budget FOR UPDATE)
                     UPDATE budget SET reserved = old.reserved + least($1, greatest(coalesce(old.pages - old.reserved, $1), 0)) FROM old
                     RETURNING budget.reserved - old.reserved",
                    &[&RESERVED],
                )?;
                Ok(row.get(0))
            })?;
        }
        Ok(self.reserved > 0)
    }

    /// The host of a leased entry, which is leased no longer.
    fn unlease(&mut self, id: EntryId) -> Option<String> {
        let host = self.leased.remove(&id)?;
        if let Some(own) = self.held.get_mut(&host) {
            own.leased -= 1;
        }
        Some(host)
    }
}

/// Puts back what other crawlers, whose lease of the host has ended, had taken.
const PUT_ALL_BACK: &str = "
    WITH back AS (DELETE FROM taken WHERE host = $1 RETURNING *)
    INSERT INTO queue (id, host, priority, depth, due, attempts, candidate)
    SELECT id, host, priority, depth, 0, attempts, candidate FROM back";

/// Puts back entries of a crawler, not before `$3`, and counts `$4` attempts.
const PUT_BACK: &str = "
    WITH back AS (DELETE FROM taken WHERE id = ANY($1) AND crawler = $2 RETURNING *)
    INSERT INTO queue (id, host, priority, depth, due, attempts, candidate)
    SELECT id, host, priority, depth, $3, attempts + $4, candidate FROM back";

/// Takes the first addresses of a host.
const TAKE: &str = "
    WITH first AS (
        SELECT id FROM queue WHERE host = $1 AND due <= $2 ORDER BY priority, depth, id LIMIT $3 FOR UPDATE SKIP LOCKED
    ), moved AS (
        DELETE FROM queue USING first WHERE queue.id = first.id RETURNING queue.*
    )
    INSERT INTO taken (id, host, crawler, fence, priority, depth, attempts, candidate)
    SELECT id, host, $4, $5, priority, depth, attempts, candidate FROM moved
    RETURNING id, priority, depth, attempts, candidate";

/// Ends entries of a crawler; those that were taken from it meanwhile are not its own any more.
const END: &str = "
    WITH told AS (SELECT * FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::TEXT[]) AS told (id, state, note)),
    gone AS (DELETE FROM taken USING told WHERE taken.id = told.id AND crawler = $4 RETURNING taken.id)
    INSERT INTO ended SELECT told.id, told.state, told.note FROM told JOIN gone USING (id)";

/// States of ended entries.
const DONE: i16 = 3;
const SKIPPED: i16 = 4;
const FAILED: i16 = 5;

fn state_of(end: &End) -> (i16, Option<String>) {
    match end {
        End::Done => (DONE, None),
        End::Skipped(reason) => (SKIPPED, Some(reason.as_str().to_owned())),
        End::Failed(why) => (FAILED, Some(why.replace('\0', " "))),
    }
}

fn read_entry(row: &Row, host: &str) -> Result<Entry, StoreError> {
    let candidate: Candidate = serde_json::from_str(row.get::<_, &str>(4)).map_err(|source| {
        StoreError::Shared { operation: "read an address", source: source.into() }
    })?;
    let number = |at: usize| u32::try_from(row.get::<_, i32>(at)).unwrap_or(0);
    let candidate =
        Candidate { host: host.to_owned(), priority: row.get(1), depth: number(2), ..candidate };
    Ok(Entry { id: EntryId(row.get(0)), candidate, attempts: number(3), fresh_until: None })
}

/// A candidate as the database takes it.
struct NewRow {
    hash: i64,
    host: i32,
    priority: i32,
    depth: i32,
    text: String,
}

/// Adds a candidate, or lessens the depth and priority of one that is queued. True if it is new.
fn add_one(client: &mut impl GenericClient, row: &NewRow) -> Result<bool, postgres::Error> {
    let NewRow { hash, host, priority, depth, text } = row;
    let added = client.execute(
        "WITH new AS (INSERT INTO seen (hash, entry) VALUES ($1, nextval(pg_get_serial_sequence('queue', 'id')))
                      ON CONFLICT DO NOTHING RETURNING entry)
         INSERT INTO queue (id, host, priority, depth, candidate) SELECT entry, $2, $3, $4, $5 FROM new",
        &[hash, host, priority, depth, text],
    )?;
    if added == 0 {
        client.execute(
            "UPDATE queue SET priority = least(priority, $2), depth = least(depth, $3)
             WHERE id = (SELECT entry FROM seen WHERE hash = $1) AND (priority > $2 OR depth > $3)",
            &[hash, priority, depth],
        )?;
    }
    Ok(added > 0)
}

impl Frontier for PostgresFrontier {
    type Error = StoreError;

    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, StoreError> {
        let mut rows = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let (priority, depth) =
                (candidate.priority, i32::try_from(candidate.depth).unwrap_or(i32::MAX));
            // What comes before addresses that were taken already must not wait for them.
            let is_before = |own: &Entry| {
                candidate.priority < own.candidate.priority
                    || candidate.depth < own.candidate.depth
                    || own.candidate.request == candidate.request
            };
            if self.held.get(&candidate.host).is_some_and(|own| own.batch.iter().any(is_before)) {
                self.put_batch_back(&candidate.host)?;
            }
            if let Some(own) = self.held.get_mut(&candidate.host) {
                own.is_drained = false;
            }
            let text = serde_json::to_string(candidate).map_err(|source| StoreError::Shared {
                operation: "write an address",
                source: source.into(),
            })?;
            let hash = key_hash(&candidate.request.key()) as i64;
            rows.push(NewRow { hash, host: self.host_id(&candidate.host)?, priority, depth, text });
        }
        let known = rows.len();
        let new = self.database.run("add addresses", move |client| {
            // One statement after the other: a transaction would keep crawlers waiting that add the same address.
            rows.iter().try_fold(0, |new, row| Ok(new + usize::from(add_one(client, row)?)))
        })?;
        Ok(Added { new, known: known - new })
    }

    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, StoreError> {
        if self.hold(host)? == HostHold::Refused || !self.reserve()? {
            return Ok(None);
        }
        let comes_due = |own: &HeldHost| own.waiting.first().is_some_and(|due| *due <= now);
        if self.held.get(host).is_some_and(comes_due) {
            self.put_batch_back(host)?;
            if let Some(own) = self.held.get_mut(host) {
                own.waiting = own.waiting.split_off(&Timestamp(now.0.saturating_add(1)));
            }
        }
        if self.held.get(host).is_some_and(|own| own.batch.is_empty()) {
            self.take_batch(host, now)?;
        }
        let Some(own) = self.held.get_mut(host) else { return Ok(None) };
        let Some(entry) = own.batch.pop_front() else { return Ok(None) };
        own.leased += 1;
        self.reserved -= 1;
        self.leased.insert(entry.id, host.to_owned());
        Ok(Some(entry))
    }

    fn finish(&mut self, id: EntryId, end: &End) -> Result<(), StoreError> {
        if self.unlease(id).is_some() {
            self.finished.push((id, end.clone()));
            // What was not asked costs nothing of the budget.
            self.reserved += i64::from(matches!(end, End::Skipped(_)));
        }
        Ok(())
    }

    fn put_back(&mut self, id: EntryId, due: Timestamp, attempted: bool) -> Result<(), StoreError> {
        let Some(host) = self.unlease(id) else { return Ok(()) };
        self.reserved += 1;
        self.put_batch_back(&host)?;
        if let Some(own) = self.held.get_mut(&host) {
            own.waiting.insert(due);
        }
        let crawler = self.crawler;
        self.database.run("put an address back", move |client| {
            client
                .execute(PUT_BACK, &[&vec![id.0], &crawler, &due.0, &i32::from(attempted)])
                .map(drop)
        })
    }

    fn claim(&mut self, candidate: &Candidate) -> Result<bool, StoreError> {
        self.put_batch_back(&candidate.host)?;
        let hash = key_hash(&candidate.request.key()) as i64;
        self.database.run("claim an address", move |client| {
            let mut change = client.transaction()?;
            let new = change.query_opt(
                "INSERT INTO seen (hash, entry) VALUES ($1, nextval(pg_get_serial_sequence('queue', 'id')))
                 ON CONFLICT DO NOTHING RETURNING entry",
                &[&hash],
            )?;
            let entry = match new {
                Some(row) => Some(row),
                None => change.query_opt(
                    "DELETE FROM queue WHERE id = (SELECT entry FROM seen WHERE hash = $1) RETURNING id",
                    &[&hash],
                )?,
            };
            let entry: Option<i64> = entry.map(|row| row.get(0));
            if let Some(entry) = entry {
                change.execute("INSERT INTO ended VALUES ($1, $2, NULL)", &[&entry, &DONE])?;
            }
            change.commit()?;
            Ok(entry.is_some())
        })
    }

    fn work(&self) -> Result<Vec<HostWork>, StoreError> {
        let crawler = self.crawler;
        let rows = self.database.run("look for work", move |client| {
            client.query(
                "WITH open AS (
                     SELECT hosts.id, hosts.host FROM host_leases JOIN hosts ON hosts.id = host_leases.host
                     WHERE (crawler IS NULL OR crawler = $1 OR until < now())
                       AND (EXISTS (SELECT FROM queue WHERE queue.host = hosts.id)
                            OR EXISTS (SELECT FROM taken WHERE taken.host = hosts.id))
                     ORDER BY crawler IS DISTINCT FROM $1, hosts.host LIMIT $2
                 ), entries AS (
                     SELECT open.host, queue.due, 1 AS n FROM open JOIN queue ON queue.host = open.id
                     UNION ALL
                     SELECT open.host, 0, 1 FROM open JOIN taken ON taken.host = open.id WHERE taken.crawler <> $1
                 )
                 SELECT host, count(*), min(due) FROM entries GROUP BY host ORDER BY host COLLATE \"C\"",
                &[&crawler, &MAX_OFFERED],
            )
        })?;
        let mut work: BTreeMap<String, HostWork> = BTreeMap::new();
        for row in &rows {
            let (host, queued): (String, i64) = (row.get(0), row.get(1));
            let own =
                HostWork { host: host.clone(), queued: queued as u64, due: Timestamp(row.get(2)) };
            work.insert(host, own);
        }
        for (host, own) in self.held.iter().filter(|(_, own)| !own.batch.is_empty()) {
            let none = HostWork { host: host.clone(), queued: 0, due: Timestamp(0) };
            let known = work.entry(host.clone()).or_insert(none);
            known.queued += own.batch.len() as u64;
            known.due = Timestamp(0);
        }
        Ok(work.into_values().collect())
    }

    fn counts(&self) -> Result<FrontierCounts, StoreError> {
        let row = self.database.run("count addresses", |client| {
            client.query_one(
                "SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM taken),
                        count(*) FILTER (WHERE state = 3), count(*) FILTER (WHERE state = 4),
                        count(*) FILTER (WHERE state = 5) FROM ended",
                &[],
            )
        })?;
        let at = |at: usize| u64::try_from(row.get::<_, i64>(at)).unwrap_or(0);
        // What this crawler has taken and not leased waits; what it has finished is over.
        let waiting: usize = self.held.values().map(|own| own.batch.len()).sum();
        let of = |state: i16| {
            self.finished.iter().filter(|(_, end)| state_of(end).0 == state).count() as u64
        };
        Ok(FrontierCounts {
            queued: at(0) + waiting as u64,
            leased: at(1).saturating_sub((waiting + self.finished.len()) as u64),
            done: at(2) + of(DONE),
            skipped: at(3) + of(SKIPPED),
            failed: at(4) + of(FAILED),
        })
    }

    fn release_leases(&mut self) -> Result<u64, StoreError> {
        let hosts: Vec<String> = self.held.keys().cloned().collect();
        hosts.iter().try_for_each(|host| self.put_batch_back(host))?;
        let ids: Vec<i64> = std::mem::take(&mut self.leased).into_keys().map(|id| id.0).collect();
        self.held.values_mut().for_each(|own| own.leased = 0);
        let (released, crawler) = (ids.len() as u64, self.crawler);
        self.reserved += ids.len() as i64;
        if !ids.is_empty() {
            self.database.run("release leases", move |client| {
                client.execute(PUT_BACK, &[&ids, &crawler, &0_i64, &0_i32]).map(drop)
            })?;
        }
        Ok(released)
    }

    fn host(&self, host: &str) -> Result<Option<HostRecord>, StoreError> {
        let name = host.to_owned();
        let row = self.database.run("read a host", move |client| {
            client.query_opt(
                "SELECT not_before, delay_us, troubles, robots_at, robots_status, robots_body
                 FROM host_records JOIN hosts ON hosts.id = host_records.host WHERE hosts.host = $1",
                &[&name],
            )
        })?;
        Ok(row.map(|row| {
            let robots = row.get::<_, Option<i64>>(3).map(|at| RobotsRecord {
                at: Timestamp(at),
                status: row.get::<_, Option<i32>>(4).and_then(|status| u16::try_from(status).ok()),
                body: row.get::<_, Option<String>>(5).unwrap_or_default(),
            });
            HostRecord {
                host: host.to_owned(),
                robots,
                not_before: Timestamp(row.get(0)),
                delay: Duration::from_micros(u64::try_from(row.get::<_, i64>(1)).unwrap_or(0)),
                troubles: u32::try_from(row.get::<_, i32>(2)).unwrap_or(0),
            }
        }))
    }

    fn save_host(&mut self, record: &HostRecord) -> Result<(), StoreError> {
        let id = self.host_id(&record.host)?;
        let record = record.clone();
        self.database.run("save a host", move |client| {
            let robots = record.robots.as_ref();
            client
                .execute(
                    "INSERT INTO host_records VALUES ($1, $2, $3, $4, $5, $6, $7)
                     ON CONFLICT (host) DO UPDATE SET not_before = excluded.not_before, delay_us = excluded.delay_us,
                         troubles = excluded.troubles, robots_at = excluded.robots_at,
                         robots_status = excluded.robots_status, robots_body = excluded.robots_body",
                    &[
                        &id,
                        &record.not_before.0,
                        &i64::try_from(record.delay.as_micros()).unwrap_or(i64::MAX),
                        &i32::try_from(record.troubles).unwrap_or(i32::MAX),
                        &robots.map(|own| own.at.0),
                        &robots.and_then(|own| own.status).map(i32::from),
                        &robots.map(|own| own.body.replace('\0', " ")),
                    ],
                )
                .map(drop)
        })
    }

    fn hold(&mut self, host: &str) -> Result<HostHold, StoreError> {
        match self.held.get(host) {
            Some(own) if Instant::now() < own.until => Ok(HostHold::Held),
            Some(_) => {
                // The lease was not renewed in time: another crawler may have the host.
                self.held.remove(host);
                self.leased.retain(|_, own| own != host);
                self.take_host(host)
            }
            None => self.take_host(host),
        }
    }

    fn is_over(&mut self) -> Result<bool, StoreError> {
        let crawler = self.crawler;
        self.database.run("look for other crawlers", move |client| {
            let row = client.query_one(
                "SELECT NOT EXISTS (SELECT FROM host_leases WHERE crawler <> $1 AND until > now())",
                &[&crawler],
            )?;
            Ok(row.get(0))
        })
    }
}

impl SharedFrontier for PostgresFrontier {
    fn commit(&mut self) -> Result<(), StoreError> {
        let (mut ids, mut states, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (id, end) in &self.finished {
            let (state, note) = state_of(end);
            ids.push(id.0);
            states.push(state);
            notes.push(note);
        }
        // A host that nothing is left of is for others, who may add to it.
        let is_over = |own: &HeldHost| own.is_drained && own.batch.is_empty() && own.leased == 0;
        let left: Vec<String> = self
            .held
            .iter()
            .filter(|(_, own)| is_over(own))
            .map(|(host, _)| host.clone())
            .collect();
        let left_ids: Vec<i32> =
            left.iter().filter_map(|host| self.ids.get(host).copied()).collect();
        let (crawler, seconds) = (self.crawler, self.settings.lease.as_secs_f64());
        let asked = Instant::now();
        let renewed = self.database.run("commit", move |client| {
            let mut change = client.transaction()?;
            if !ids.is_empty() {
                change.execute(END, &[&ids, &states, &notes, &crawler])?;
            }
            if !left_ids.is_empty() {
                change.execute(
                    "UPDATE host_leases SET crawler = NULL WHERE crawler = $1 AND host = ANY($2)",
                    &[&crawler, &left_ids],
                )?;
            }
            let rows = change.query(
                "UPDATE host_leases SET until = now() + make_interval(secs => $2) WHERE crawler = $1 RETURNING host, fence",
                &[&crawler, &seconds],
            )?;
            let renewed = rows.iter().map(|row| (row.get(0), row.get(1))).collect::<Vec<(i32, i64)>>();
            change.commit()?;
            Ok(renewed)
        })?;
        self.finished.clear();
        left.iter().for_each(|host| drop(self.held.remove(host)));
        let until = asked + self.settings.lease;
        self.held
            .values_mut()
            .filter(|own| renewed.contains(&(own.id, own.fence)))
            .for_each(|own| own.until = until);
        Ok(())
    }
}

impl Drop for PostgresFrontier {
    /// Lets go of hosts and of what was not used of the budget, so that others need not wait. A crawler that is killed cannot.
    fn drop(&mut self) {
        let _ = self.release_leases();
        let (crawler, unused) = (self.crawler, self.reserved);
        let _ = self.database.run("leave", move |client| {
            client
                .execute("UPDATE host_leases SET crawler = NULL WHERE crawler = $1", &[&crawler])?;
            client
                .execute("UPDATE budget SET reserved = greatest(reserved - $1, 0)", &[&unused])
                .map(drop)
        });
    }
}
