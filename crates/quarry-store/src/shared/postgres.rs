//! The frontier in PostgreSQL.
//!
//! A crawler leases **hosts**, one crawler a host at a time, and from a host that it has it takes its addresses in batches. Leases end unless
//! [`SharedFrontier::commit`] renews them; whoever takes a host over puts back what its last crawler had taken. A crawler that was thought
//! dead finds its entries gone from `taken`: what it finishes late does not count (the row is the fencing token).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quarry_model::{End, Entry, EntryId, Frontier, FrontierCounts, HostRecord, Timestamp};

mod hosts;
mod port;
mod rows;

use self::rows::{NewRecord, NewRows, read_entry, save_record, state_of};
use super::SharedFrontier;
use super::connection::Database;
use super::groups::{AddressLookup, Addresses};
use super::schema::{MIGRATIONS, VERSION};
use super::statements as sql;
use crate::StoreError;
use crate::project::known::KnownRequests;

/// Addresses that are taken from a host at a time.
const BATCH: i64 = 32;
/// Pages that are reserved of the common budget at a time.
const RESERVED: i64 = 16;
/// Hosts that a look for work names, at most: others find some, too.
const MAX_OFFERED: i64 = 16;
/// Hosts with entries that a look for work passes, at most.
const MAX_PASSED: i32 = 5_000;
/// Entries of a host that a look for work counts.
const MAX_COUNTED: i64 = 100;
/// The lock that crawlers take while one of them makes the tables.
const MIGRATION_LOCK: i64 = 0x7175_6172_7279;
/// Counting a large table may take one part in so many of the time.
const COUNTING: u32 = 50;
/// What is counted in less time than this is always counted.
const COUNTED_AT_ONCE: Duration = Duration::from_millis(20);

/// How a crawler shares a frontier.
#[derive(Debug, Clone)]
pub struct SharedSettings {
    /// The schema of the database that has the tables of this crawl. Default `quarry`.
    pub schema: String,
    /// How long a host stays with a crawler that says nothing. Default 15 s: it is renewed every second.
    pub lease: Duration,
    /// Hosts that one crawler has at a time, at most. Default 4,096: it takes further ones only while it waits for those that it has.
    pub max_hosts: usize,
    /// Pages of the whole crawl, all crawlers together. The first crawler's holds. Default: no limit.
    pub pages: Option<u64>,
    /// How long a database that does not answer is waited for. Default ten minutes.
    pub patience: Duration,
    /// Requests that are known without asking the database, as a power of two; 16 bytes each. Default 18.
    pub known_bits: u32,
    /// Whether the hosts of a registered domain are asked by one crawler at a time, which keeps the pause between them. Default: no.
    pub by_domain: bool,
    /// The same for hosts at one IP address: how the addresses of a host are found. Default: they are not.
    pub addresses: Option<AddressLookup>,
}

impl Default for SharedSettings {
    fn default() -> Self {
        Self {
            schema: "quarry".to_owned(),
            lease: Duration::from_secs(15),
            max_hosts: 4_096,
            pages: None,
            patience: Duration::from_secs(600),
            known_bits: 18,
            by_domain: false,
            addresses: None,
        }
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
    /// When it was last asked for an address.
    asked: Instant,
    /// The groups that it is in, all of them this crawler's.
    groups: Vec<String>,
    /// Until when another host of its groups, asked by another crawler, made it wait.
    not_before: Timestamp,
}

/// What was counted last, when, and how long that took.
type Counted = Option<(Instant, Duration, FrontierCounts)>;

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
    /// Whether nothing was left of the budget.
    is_spent: bool,
    ids: BTreeMap<String, i32>,
    /// What is to be remembered of hosts, and whether the database has not been told yet.
    records: BTreeMap<String, (HostRecord, bool)>,
    /// Until when hosts are paused by now, where that is not in their records.
    paused: BTreeMap<String, Timestamp>,
    /// Hosts that were left to others lately.
    let_go: BTreeMap<String, Instant>,
    known: KnownRequests,
    commits: u32,
    claims: u64,
    looks: Mutex<i64>,
    counted: Mutex<Counted>,
    addresses: Addresses,
    /// Hosts that were refused because their addresses are being looked up, and whether one was since it was last asked.
    looked_up: Mutex<BTreeSet<i32>>,
    is_looking_up: bool,
}

/// Connects to the database at an address, makes its tables if there are none, and gets a number for this crawler.
pub(super) fn enter(url: &str, settings: &SharedSettings) -> Result<(Database, i64), StoreError> {
    let schema = settings.schema.replace('"', "");
    let setup = format!(
        "SET client_min_messages = warning; SET search_path = \"{schema}\"; SET jit = off;
         SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
         SET application_name = 'quarry {}'",
        schema.replace('\'', "")
    );
    let database = Database::connect(url, setup, settings.patience)?;
    let crawler = join(&database, settings)?;
    Ok((database, crawler))
}

fn join(database: &Database, settings: &SharedSettings) -> Result<i64, StoreError> {
    let schema = settings.schema.replace('"', "");
    let pages = settings.pages.and_then(|pages| i64::try_from(pages).ok());
    let lease = settings.lease.as_secs_f64();
    let (found, crawler) = database.run("make the tables", move |client, _| {
        let mut change = client.client.transaction()?;
        change.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK])?;
        change.batch_execute(&format!(
            "CREATE SCHEMA IF NOT EXISTS \"{schema}\";
                 CREATE TABLE IF NOT EXISTS version (version INT NOT NULL)"
        ))?;
        let found = change.query_opt("SELECT max(version) FROM version", &[])?;
        let found: i32 = found.and_then(|row| row.get::<_, Option<i32>>(0)).unwrap_or(0);
        if found > VERSION {
            return Ok((found, 0));
        }
        for (number, migration) in (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or(0)) {
            change.batch_execute(migration)?;
            change.execute("INSERT INTO version VALUES ($1)", &[&number])?;
        }
        change
            .execute("INSERT INTO budget (pages) VALUES ($1) ON CONFLICT DO NOTHING", &[&pages])?;
        let crawler = change.query_one("SELECT nextval('crawler_numbers')", &[])?;
        let crawler: i64 = crawler.get(0);
        change.execute(sql::RENEW, &[&crawler, &lease, &0_i64, &false])?;
        change.execute(sql::RESTORE_BUDGET, &[&lease])?;
        change.execute(sql::FORGET_CRAWLERS, &[&lease])?;
        change.commit()?;
        Ok((found, crawler))
    })?;
    if found > VERSION {
        let source = format!(
            "its tables have version {found}, this program knows {VERSION}; use the newer one"
        );
        return Err(StoreError::Shared { operation: "use the tables", source: source.into() });
    }
    Ok(crawler)
}

impl PostgresFrontier {
    /// Opens the frontier at an address such as `postgres://user@host/database`, and makes its tables if there are none. The connection is
    /// encrypted if the server can (`?sslmode=…`, `?sslrootcert=…` as libpq has them).
    pub fn open(url: &str, settings: SharedSettings) -> Result<Self, StoreError> {
        let (database, crawler) = enter(url, &settings)?;
        Ok(Self::new(database, crawler, settings))
    }

    /// Another crawler on the same connection, as simulations of many crawlers need it.
    pub fn beside(&self) -> Result<Self, StoreError> {
        let crawler = join(&self.database, &self.settings)?;
        Ok(Self::new(self.database.clone(), crawler, self.settings.clone()))
    }

    fn new(database: Database, crawler: i64, settings: SharedSettings) -> Self {
        let known = KnownRequests::new(settings.known_bits.min(30));
        let lookup = settings.addresses.clone();
        Self {
            database,
            settings,
            crawler,
            held: BTreeMap::new(),
            leased: BTreeMap::new(),
            finished: Vec::new(),
            reserved: 0,
            is_spent: false,
            ids: BTreeMap::new(),
            records: BTreeMap::new(),
            paused: BTreeMap::new(),
            let_go: BTreeMap::new(),
            known,
            commits: 0,
            claims: 0,
            looks: Mutex::new(0),
            counted: Mutex::new(None),
            addresses: Addresses::new(lookup),
            looked_up: Mutex::default(),
            is_looking_up: false,
        }
    }

    fn lease_seconds(&self) -> f64 {
        self.settings.lease.as_secs_f64()
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
        self.database.run("put addresses back", move |client, _| {
            client.execute(sql::PUT_BACK, &[&ids, &crawler, &0_i64, &0_i32]).map(drop)
        })
    }

    /// Takes the next addresses of a host that are due.
    fn take_batch(&mut self, host: &str, now: Timestamp) -> Result<(), StoreError> {
        let Some(own) = self.held.get_mut(host) else { return Ok(()) };
        let (id, crawler, fence) = (own.id, self.crawler, own.fence);
        let finished = self.finished.iter().map(|(id, _)| id.0);
        let ours: Vec<i64> = self.leased.keys().map(|id| id.0).chain(finished).collect();
        let rows = self.database.run("lease addresses", move |client, is_again| {
            if is_again {
                // The first time may have taken some and lost the answer.
                client.execute(sql::PUT_UNKNOWN_BACK, &[&id, &crawler, &ours])?;
            }
            client.query(sql::TAKE, &[&id, &now.0, &BATCH, &crawler, &fence])
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
            let lease = self.lease_seconds();
            self.reserved = self.database.run("reserve pages", move |client, _| {
                let mut reserved: i64 = client.query_one(sql::RESERVE, &[&RESERVED])?.get(0);
                if reserved == 0 && client.execute(sql::RESTORE_BUDGET, &[&lease])? > 0 {
                    reserved = client.query_one(sql::RESERVE, &[&RESERVED])?.get(0);
                }
                Ok(reserved)
            })?;
        }
        self.is_spent = self.reserved == 0;
        Ok(!self.is_spent)
    }

    /// The host of a leased entry, which is leased no longer.
    fn unlease(&mut self, id: EntryId) -> Option<String> {
        let host = self.leased.remove(&id)?;
        if let Some(own) = self.held.get_mut(&host) {
            own.leased -= 1;
        }
        Some(host)
    }

    /// Says that this crawler is alive, ends what was finished, leaves hosts to others, and learns which hosts are still its own.
    fn renew(&mut self, left: &[String]) -> Result<(), StoreError> {
        let (mut ids, mut states, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (id, end) in &self.finished {
            let (state, note) = state_of(end);
            ids.push(id.0);
            states.push(state);
            notes.push(note);
        }
        let (mut left_ids, mut left_until) = (Vec::new(), Vec::new());
        for host in left {
            if let Some(id) = self.ids.get(host) {
                left_ids.push(*id);
                left_until.push(self.paused_until(host).0);
            }
        }
        let (crawler, lease, unused) = (self.crawler, self.lease_seconds(), self.reserved);
        let wants = self.held.len() == left.len() && !self.is_spent;
        let asked = Instant::now();
        let records: Vec<NewRecord> = self.records_to_save(left)?;
        let own: BTreeSet<(i32, i64)> = self.database.run("commit", move |client, _| {
            let own = client.change(|change, known| {
                if !ids.is_empty() {
                    known.execute(change, sql::END, &[&ids, &states, &notes, &crawler])?;
                }
                for (id, record) in &records {
                    save_record(change, known, *id, record)?;
                }
                if !left_ids.is_empty() {
                    known.execute(change, sql::LEAVE, &[&crawler, &left_ids])?;
                    known.execute(
                        change,
                        sql::LEAVE_GROUPS,
                        &[&crawler, &left_ids, &left_until],
                    )?;
                }
                known.execute(change, sql::RENEW, &[&crawler, &lease, &unused, &wants])?;
                // Who takes a host of a crawler that is late locks its row first: what stands here now stays.
                let rows = known.query(change, sql::OWN_HOSTS, &[&crawler])?;
                Ok(Some(rows.iter().map(|row| (row.get(0), row.get(1))).collect()))
            })?;
            Ok(own.unwrap_or_default())
        })?;
        self.finished.clear();
        left.iter().for_each(|host| drop(self.held.remove(host)));
        let until = asked + self.settings.lease;
        self.held
            .values_mut()
            .filter(|held| own.contains(&(held.id, held.fence)))
            .for_each(|held| held.until = until);
        Ok(())
    }

    /// Adds rows that are not known here; how many the database did not know.
    fn add_rows(&self, rows: NewRows) -> Result<usize, StoreError> {
        self.database.run("add addresses", move |client, _| {
            let NewRows { hashes, hosts, priorities, depths, texts } = &rows;
            let new = client.query(sql::ADD, &[hashes, hosts, priorities, depths, texts])?;
            let new: BTreeSet<i64> = new.iter().map(|row| row.get(0)).collect();
            if new.len() < hashes.len() {
                let old = |at: &usize| !new.contains(&hashes[*at]);
                let at: Vec<usize> = (0..hashes.len()).filter(old).collect();
                let of = |column: &[i32]| at.iter().map(|at| column[*at]).collect::<Vec<i32>>();
                let hashes: Vec<i64> = at.iter().map(|at| hashes[*at]).collect();
                client.execute(sql::LOWER, &[&hashes, &of(priorities), &of(depths)])?;
            }
            Ok(new.len())
        })
    }

    /// What the database must be told of hosts: what has changed, and the pauses of hosts that are left to others.
    fn records_to_save(&mut self, left: &[String]) -> Result<Vec<NewRecord>, StoreError> {
        for host in left {
            if let Some(not_before) = self.paused.remove(host)
                && let Some((record, is_new)) = self.records.get_mut(host)
            {
                (record.not_before, *is_new) = (not_before, true);
            }
        }
        let new: Vec<HostRecord> = (self.records.values_mut())
            .filter(|(_, is_new)| *is_new)
            .map(|(record, is_new)| {
                *is_new = false;
                record.clone()
            })
            .collect();
        // What others do with a host from now on is not known here.
        left.iter().for_each(|host| drop(self.records.remove(host)));
        new.into_iter().map(|record| Ok((self.host_id(&record.host)?, record))).collect()
    }
}

impl SharedFrontier for PostgresFrontier {
    fn commit(&mut self) -> Result<(), StoreError> {
        let mut left = self.done_with();
        for host in &left {
            self.put_batch_back(host)?;
        }
        self.share(&mut left)?;
        self.renew(&left)
    }
}

impl Drop for PostgresFrontier {
    /// Lets go of hosts and of what was not used of the budget, so that others need not wait. A crawler that is killed cannot.
    fn drop(&mut self) {
        let _ = self.release_leases();
        let all: Vec<String> = self.held.keys().cloned().collect();
        let _ = self.renew(&all);
        let (crawler, unused) = (self.crawler, self.reserved);
        let _ = self.database.run("leave", move |client, _| {
            client.change(|change, known| {
                known.execute(change, sql::LEAVE_ALL, &[&crawler])?;
                known.execute(change, sql::LEAVE_ALL_GROUPS, &[&crawler])?;
                if known.execute(change, sql::FORGET_CRAWLER, &[&crawler])? > 0 {
                    known.execute(change, sql::GIVE_BACK, &[&unused])?;
                }
                Ok(Some(()))
            })
        });
    }
}
