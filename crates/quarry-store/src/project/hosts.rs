//! Hosts of the frontier: counts of queued requests per host, kept in memory, and the stored state of
//! each host.

use std::collections::BTreeMap;
use std::time::Duration;

use quarry_model::{FrontierCounts, HostRecord, HostWork, RobotsRecord, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row};

/// The queued entries of one host.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HostQueue {
    /// Its row in `hosts`.
    pub(super) id: i64,
    /// Entries that may be leased at once.
    pub(super) ready: u64,
    /// Entries that were put back and wait.
    pub(super) waiting: u64,
    /// When the first of those is due.
    pub(super) first_due: i64,
}

/// Every host of the frontier.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    by_name: BTreeMap<String, usize>,
    by_id: BTreeMap<i64, usize>,
    queues: Vec<HostQueue>,
}

impl Hosts {
    pub(super) fn get(&self, name: &str) -> Option<&HostQueue> {
        self.by_name.get(name).map(|&at| &self.queues[at])
    }

    pub(super) fn by_id(&mut self, id: i64) -> Option<&mut HostQueue> {
        self.by_id.get(&id).map(|&at| &mut self.queues[at])
    }

    pub(super) fn insert(&mut self, name: String, id: i64) {
        self.by_name.insert(name, self.queues.len());
        self.by_id.insert(id, self.queues.len());
        self.queues.push(HostQueue { id, ..HostQueue::default() });
    }

    /// Forgets what is queued.
    pub(super) fn clear(&mut self) {
        for queue in &mut self.queues {
            *queue = HostQueue { id: queue.id, ..HostQueue::default() };
        }
    }

    /// The hosts that have queued entries, in order of name.
    pub(super) fn work(&self) -> Vec<HostWork> {
        let queued = self.by_name.iter().map(|(name, &at)| (name, &self.queues[at]));
        queued
            .filter(|(_, queue)| queue.ready + queue.waiting > 0)
            .map(|(name, queue)| HostWork {
                host: name.clone(),
                queued: queue.ready + queue.waiting,
                due: Timestamp(if queue.ready > 0 { 0 } else { queue.first_due }),
            })
            .collect()
    }
}

/// From `not_before, delay_us, troubles, robots_at, robots_status, robots_body`.
pub(super) fn read_host(row: &Row<'_>, host: &str) -> rusqlite::Result<HostRecord> {
    let robots = match row.get::<_, Option<i64>>(3)? {
        Some(at) => Some(RobotsRecord {
            at: Timestamp(at),
            status: row.get(4)?,
            body: row.get::<_, Option<String>>(5)?.unwrap_or_default(),
        }),
        None => None,
    };
    Ok(HostRecord {
        host: host.to_owned(),
        robots,
        not_before: Timestamp(row.get(0)?),
        delay: Duration::from_micros(row.get::<_, i64>(1)?.unsigned_abs()),
        troubles: row.get(2)?,
        groups: Vec::new(),
    })
}

/// The hosts with their queues, from the partial indexes.
pub(super) fn load_hosts(conn: &Connection) -> rusqlite::Result<Hosts> {
    let mut hosts = Hosts::default();
    let mut all = conn.prepare("SELECT id, host FROM hosts")?;
    for row in all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (id, name): (i64, String) = row?;
        hosts.insert(name, id);
    }
    let mut ready =
        conn.prepare("SELECT host, count(*), 0 FROM frontier WHERE state = 0 GROUP BY host")?;
    let mut waiting = conn
        .prepare("SELECT host, count(*), min(due) FROM frontier WHERE state = 1 GROUP BY host")?;
    for (statement, is_ready) in [(&mut ready, true), (&mut waiting, false)] {
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for row in rows {
            let (host, n, due): (i64, i64, i64) = row?;
            let Some(queue) = hosts.by_id(host) else { continue };
            if is_ready {
                queue.ready = n as u64;
            } else {
                (queue.waiting, queue.first_due) = (n as u64, due);
            }
        }
    }
    Ok(hosts)
}

const COUNTS: [&str; 5] = ["queued", "leased", "done", "skipped", "failed"];

pub(super) fn load_counts(conn: &Connection) -> rusqlite::Result<FrontierCounts> {
    let mut statement =
        conn.prepare("SELECT n FROM counts WHERE what = 'frontier' AND name = ?1")?;
    let mut get = |name: &str| -> rusqlite::Result<u64> {
        let n = statement.query_row([name], |row| row.get::<_, i64>(0)).optional()?;
        Ok(n.unwrap_or(0) as u64)
    };
    let [queued, leased, done, skipped, failed] = COUNTS;
    Ok(FrontierCounts {
        queued: get(queued)?,
        leased: get(leased)?,
        done: get(done)?,
        skipped: get(skipped)?,
        failed: get(failed)?,
    })
}

pub(super) fn save_counts(conn: &Connection, counts: &FrontierCounts) -> rusqlite::Result<()> {
    let FrontierCounts { queued, leased, done, skipped, failed } = *counts;
    let mut statement = conn.prepare_cached("REPLACE INTO counts VALUES ('frontier', ?1, ?2)")?;
    for (name, n) in COUNTS.iter().zip([queued, leased, done, skipped, failed]) {
        statement.execute((name, n as i64))?;
    }
    Ok(())
}
