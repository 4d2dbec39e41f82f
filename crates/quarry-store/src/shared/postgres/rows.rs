//! Entries, hosts and candidates as rows of the database.

use std::collections::BTreeMap;

use postgres::Row;
use quarry_model::{Candidate, End, Entry, EntryId, HostRecord};

use super::super::connection::Statements;
use super::sql;
use crate::StoreError;

/// The number of a host, and what is to be remembered of it.
pub(super) type NewRecord = (i32, HostRecord);

pub(super) fn save_record(
    change: &mut postgres::Transaction<'_>,
    known: &mut Statements,
    id: i32,
    record: &HostRecord,
) -> Result<(), postgres::Error> {
    let robots = record.robots.as_ref();
    known
        .execute(
            change,
            sql::SAVE_HOST,
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
}

/// States of ended entries.
pub(super) const DONE: i16 = 3;
pub(super) const SKIPPED: i16 = 4;
pub(super) const FAILED: i16 = 5;

pub(super) fn state_of(end: &End) -> (i16, Option<String>) {
    match end {
        End::Done => (DONE, None),
        End::Skipped(reason) => (SKIPPED, Some(reason.as_str().to_owned())),
        End::Failed(why) => (FAILED, Some(why.replace('\0', " "))),
    }
}

pub(super) fn read_entry(row: &Row, host: &str) -> Result<Entry, StoreError> {
    let candidate: Candidate = serde_json::from_str(row.get::<_, &str>(4)).map_err(|source| {
        StoreError::Shared { operation: "read an address", source: source.into() }
    })?;
    let number = |at: usize| u32::try_from(row.get::<_, i32>(at)).unwrap_or(0);
    let candidate =
        Candidate { host: host.to_owned(), priority: row.get(1), depth: number(2), ..candidate };
    Ok(Entry { id: EntryId(row.get(0)), candidate, attempts: number(3), fresh_until: None })
}

/// Candidates as the database takes them, a column each.
#[derive(Debug, Default)]
pub(super) struct NewRows {
    pub(super) hashes: Vec<i64>,
    pub(super) hosts: Vec<i32>,
    pub(super) priorities: Vec<i32>,
    pub(super) depths: Vec<i32>,
    pub(super) texts: Vec<String>,
}

/// Rows that one statement adds.
const ADDED_AT_ONCE: usize = 500;

impl NewRows {
    /// The same rows, a statement's at a time.
    pub(super) fn parts(mut self) -> Vec<Self> {
        let mut parts = Vec::new();
        while self.hashes.len() > ADDED_AT_ONCE {
            let at = ADDED_AT_ONCE;
            let rest = Self {
                hashes: self.hashes.split_off(at),
                hosts: self.hosts.split_off(at),
                priorities: self.priorities.split_off(at),
                depths: self.depths.split_off(at),
                texts: self.texts.split_off(at),
            };
            parts.push(std::mem::replace(&mut self, rest));
        }
        parts.push(self);
        parts
    }

    /// Adds a row, or lessens what the same request has in an earlier one.
    pub(super) fn put(
        &mut self,
        places: &mut BTreeMap<i64, usize>,
        row: (i64, i32, i32, i32, String),
    ) {
        let (hash, host, priority, depth, text) = row;
        if let Some(&at) = places.get(&hash) {
            self.priorities[at] = self.priorities[at].min(priority);
            self.depths[at] = self.depths[at].min(depth);
            return;
        }
        places.insert(hash, self.hashes.len());
        self.hashes.push(hash);
        self.hosts.push(host);
        self.priorities.push(priority);
        self.depths.push(depth);
        self.texts.push(text);
    }
}
