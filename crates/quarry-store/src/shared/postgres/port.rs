//! What an engine asks of the frontier, answered by what this crawler holds and by the database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use quarry_model::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostHold, HostRecord,
    HostWork, RobotsRecord, Timestamp,
};

use super::rows::{DONE, FAILED, NewRows, SKIPPED, state_of};
use super::{
    COUNTED_AT_ONCE, COUNTING, HeldHost, MAX_COUNTED, MAX_OFFERED, MAX_PASSED, PostgresFrontier,
    sql,
};
use crate::StoreError;
use crate::project::frontier::key_hash;

impl Frontier for PostgresFrontier {
    type Error = StoreError;

    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, StoreError> {
        self.learn_hosts(candidates.iter().map(|candidate| candidate.host.as_str()))?;
        let (mut rows, mut places) = (NewRows::default(), BTreeMap::new());
        for candidate in candidates {
            let hash = key_hash(&candidate.request.key());
            if self.known.covers(hash, candidate.depth, candidate.priority) {
                continue;
            }
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
            let text = serde_json::to_string(candidate).map_err(|source| StoreError::Shared {
                operation: "write an address",
                source: source.into(),
            })?;
            let host = self.host_id(&candidate.host)?;
            rows.put(&mut places, (hash as i64, host, priority, depth, text));
        }
        if rows.hashes.is_empty() {
            return Ok(Added { new: 0, known: candidates.len() });
        }
        let mut new = 0;
        for rows in rows.parts() {
            new += self.add_rows(rows)?;
        }
        if new > 0 {
            // The engine looks again at every host that it has added to, and at none where nothing was new.
            for candidate in candidates {
                if let Some(own) = self.held.get_mut(&candidate.host) {
                    own.is_drained = false;
                }
            }
        }
        for candidate in candidates {
            let hash = key_hash(&candidate.request.key());
            if !self.known.covers(hash, candidate.depth, candidate.priority) {
                self.known.remember(hash, candidate.depth, candidate.priority);
            }
        }
        Ok(Added { new, known: candidates.len() - new })
    }

    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, StoreError> {
        if self.hold(host)? == HostHold::Refused || !self.reserve()? {
            return Ok(None);
        }
        if let Some(own) = self.held.get_mut(host) {
            own.asked = Instant::now();
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
        self.database.run("put an address back", move |client, _| {
            client
                .execute(sql::PUT_BACK, &[&vec![id.0], &crawler, &due.0, &i32::from(attempted)])
                .map(drop)
        })
    }

    fn claim(&mut self, candidate: &Candidate) -> Result<bool, StoreError> {
        self.put_batch_back(&candidate.host)?;
        let hash = key_hash(&candidate.request.key()) as i64;
        self.claims += 1;
        // Tells whether a claim whose answer was lost was this one.
        let own = format!("claim {} of crawler {}", self.claims, self.crawler);
        self.database.run("claim an address", move |client, is_again| {
            let done = client.change(|change, known| {
                if is_again
                    && known.query_one(change, sql::HAS_CLAIMED, &[&hash, &own])?.get::<_, bool>(0)
                {
                    return Ok(Some(true));
                }
                let entry = match known.query_opt(change, sql::CLAIM_NEW, &[&hash])? {
                    Some(row) => Some(row),
                    None => known.query_opt(change, sql::CLAIM_QUEUED, &[&hash])?,
                };
                let entry: Option<i64> = entry.map(|row| row.get(0));
                if let Some(entry) = entry {
                    known.execute(change, sql::CLAIMED, &[&entry, &DONE, &own])?;
                }
                Ok(Some(entry.is_some()))
            })?;
            Ok(done.unwrap_or_default())
        })
    }

    fn work(&self) -> Result<Vec<HostWork>, StoreError> {
        let (crawler, lease) = (self.crawler, self.lease_seconds());
        let held: BTreeSet<i32> = self.held.values().map(|own| own.id).collect();
        let look = {
            let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
            *looks += 1;
            *looks
        };
        let is_spent = self.is_spent;
        // Hosts whose addresses are known by now come before others.
        let looked_up = self.looked_up().clone();
        let rows = self.database.run("look for work", move |client, _| {
            let mut ids = held.clone();
            if !is_spent {
                // Crawlers begin at different hosts, and go around.
                let most: i32 = client.query_one(sql::LAST_HOST, &[])?.get(0);
                let start = (crawler.wrapping_mul(40_503).wrapping_add(look.wrapping_mul(7_919)))
                    .rem_euclid(i64::from(most) + 1);
                let start = i32::try_from(start).unwrap_or(0);
                let mut wanted = (MAX_OFFERED - looked_up.len() as i64).max(0);
                ids.extend(&looked_up);
                for (from, to) in [(start, most.saturating_add(1)), (0, start)] {
                    let free = client.query(
                        sql::FREE_HOSTS,
                        &[&from, &to, &crawler, &wanted, &lease, &MAX_PASSED],
                    )?;
                    wanted -= free.len() as i64;
                    ids.extend(free.iter().map(|row| row.get::<_, i32>(0)));
                }
                let dead =
                    client.query(sql::DEAD_CRAWLERS_HOSTS, &[&crawler, &MAX_OFFERED, &lease])?;
                ids.extend(dead.iter().map(|row| row.get::<_, i32>(0)));
            }
            let ids: Vec<i32> = ids.into_iter().collect();
            client.query(sql::WORK, &[&ids, &crawler, &MAX_COUNTED])
        })?;
        // What nothing is left of is not asked for again.
        let is_left =
            |id: &i32| rows.iter().any(|row| self.ids.get(row.get::<_, &str>(0)) == Some(id));
        self.looked_up().retain(is_left);
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
        if let Some((at, took, counts)) =
            &*self.counted.lock().unwrap_or_else(PoisonError::into_inner)
            && *took > COUNTED_AT_ONCE
            && at.elapsed() < *took * COUNTING
        {
            return Ok(*counts);
        }
        let began = Instant::now();
        let row =
            self.database.run("count addresses", |client, _| client.query_one(sql::COUNTS, &[]))?;
        let took = began.elapsed();
        let at = |at: usize| u64::try_from(row.get::<_, i64>(at)).unwrap_or(0);
        // What this crawler has taken and not leased waits; what it has finished is over.
        let waiting: usize = self.held.values().map(|own| own.batch.len()).sum();
        let of = |state: i16| {
            self.finished.iter().filter(|(_, end)| state_of(end).0 == state).count() as u64
        };
        let counts = FrontierCounts {
            queued: at(0) + waiting as u64,
            leased: at(1).saturating_sub((waiting + self.finished.len()) as u64),
            done: at(2) + of(DONE),
            skipped: at(3) + of(SKIPPED),
            failed: at(4) + of(FAILED),
        };
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Instant::now(), took, counts));
        Ok(counts)
    }

    fn release_leases(&mut self) -> Result<u64, StoreError> {
        let hosts: Vec<String> = self.held.keys().cloned().collect();
        hosts.iter().try_for_each(|host| self.put_batch_back(host))?;
        let ids: Vec<i64> = std::mem::take(&mut self.leased).into_keys().map(|id| id.0).collect();
        self.held.values_mut().for_each(|own| own.leased = 0);
        let (released, crawler) = (ids.len() as u64, self.crawler);
        self.reserved += ids.len() as i64;
        if !ids.is_empty() {
            self.database.run("release leases", move |client, _| {
                client.execute(sql::PUT_BACK, &[&ids, &crawler, &0_i64, &0_i32]).map(drop)
            })?;
        }
        Ok(released)
    }

    fn host(&self, host: &str) -> Result<Option<HostRecord>, StoreError> {
        let own = self.held.get(host);
        let groups = own.map(|own| own.groups.clone()).unwrap_or_default();
        if let Some((record, _)) = self.records.get(host) {
            let not_before = self.paused_until(host);
            return Ok(Some(HostRecord { not_before, groups, ..record.clone() }));
        }
        let name = host.to_owned();
        let row = self
            .database
            .run("read a host", move |client, _| client.query_opt(sql::HOST, &[&name]))?;
        let of_groups = own.map_or(Timestamp(0), |own| own.not_before);
        if row.is_none() && !groups.is_empty() {
            let host = host.to_owned();
            return Ok(Some(HostRecord {
                host,
                not_before: of_groups,
                groups,
                ..HostRecord::default()
            }));
        }
        Ok(row.map(|row| {
            let robots = row.get::<_, Option<i64>>(3).map(|at| RobotsRecord {
                at: Timestamp(at),
                status: row.get::<_, Option<i32>>(4).and_then(|status| u16::try_from(status).ok()),
                body: row.get::<_, Option<String>>(5).unwrap_or_default(),
            });
            HostRecord {
                host: host.to_owned(),
                robots,
                not_before: of_groups.max(Timestamp(row.get(0))),
                delay: Duration::from_micros(u64::try_from(row.get::<_, i64>(1)).unwrap_or(0)),
                troubles: u32::try_from(row.get::<_, i32>(2)).unwrap_or(0),
                groups,
            }
        }))
    }

    fn save_host(&mut self, record: &HostRecord) -> Result<(), StoreError> {
        if !self.held.contains_key(&record.host) {
            self.records.insert(record.host.clone(), (record.clone(), true));
            self.renew(&[])?;
            self.records.remove(&record.host);
            return Ok(());
        }
        let lease = i64::try_from(self.settings.lease.as_millis()).unwrap_or(i64::MAX);
        let is_kept = self.records.get(&record.host).is_some_and(|(kept, _)| {
            kept.robots == record.robots
                && kept.delay == record.delay
                && kept.troubles == record.troubles
                && record.not_before.0.saturating_sub(kept.not_before.0) < lease
        });
        if is_kept {
            // A pause shorter than a lease need only be known to whoever has the host next.
            self.paused.insert(record.host.clone(), record.not_before);
            return Ok(());
        }
        self.paused.remove(&record.host);
        self.records.insert(record.host.clone(), (record.clone(), true));
        Ok(())
    }

    fn hold(&mut self, host: &str) -> Result<HostHold, StoreError> {
        match self.held.get(host) {
            Some(own) if Instant::now() < own.until => Ok(HostHold::Held),
            Some(_) => {
                // The lease was not renewed in time: another crawler may have the host.
                self.renew(&[])?;
                if self.held.get(host).is_some_and(|own| Instant::now() < own.until) {
                    return Ok(HostHold::Held);
                }
                self.held.remove(host);
                self.leased.retain(|_, own| own != host);
                self.take_host(host)
            }
            None => self.take_host(host),
        }
    }

    fn wants_work(&self) -> bool {
        !self.is_spent && self.held.len() < self.settings.max_hosts
    }

    fn is_over(&mut self) -> Result<bool, StoreError> {
        if std::mem::take(&mut self.is_looking_up) {
            return Ok(false);
        }
        let (crawler, lease) = (self.crawler, self.lease_seconds());
        self.database.run("look for other crawlers", move |client, _| {
            Ok(client.query_one(sql::IS_OVER, &[&crawler, &lease])?.get(0))
        })
    }
}
