//! Which hosts this crawler has: taken with the groups that they are in, and left to others.

use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quarry_model::{HostHold, Timestamp};

use super::super::connection::Statements;
use super::super::groups::{apart, domain};
use super::{HeldHost, PostgresFrontier, sql};
use crate::StoreError;

/// Commits between two looks for crawlers that have nothing to do.
const SHARE_EVERY: u32 = 4;
/// How long a host that was left to others is not taken again.
const LET_GO: Duration = Duration::from_secs(2);

/// Takes a host for a crawler, and with it the groups that it is in.
struct Taker<'a> {
    host: i32,
    crawler: i64,
    /// Seconds.
    lease: f64,
    unused: i64,
    groups: &'a [String],
}

/// The fence of a host that was taken, and until when its groups made it wait.
type TakenHost = (i64, i64);

impl Taker<'_> {
    /// Nothing to be committed (`None`), or a host that another crawler's group keeps (`Some(None)`).
    fn take(
        &self,
        change: &mut postgres::Transaction<'_>,
        known: &mut Statements,
    ) -> Result<Option<Option<TakenHost>>, postgres::Error> {
        let Some(row) = known.query_opt(change, sql::HOST_CRAWLER, &[&self.host])? else {
            return Ok(None);
        };
        if let Some(old) = row.get::<_, Option<i64>>(0).filter(|old| *old != self.crawler) {
            if self.is_alive(change, known, old)? {
                return Ok(None);
            }
            self.free(change, known, old)?;
        }
        let Some(not_before) = self.take_groups(change, known)? else { return Ok(Some(None)) };
        let row = known.query_one(change, sql::TAKE_HOST, &[&self.host, &self.crawler])?;
        known.execute(change, sql::PUT_ALL_BACK, &[&vec![self.host]])?;
        known.execute(change, sql::RENEW, &[&self.crawler, &self.lease, &self.unused, &false])?;
        Ok(Some(Some((row.get(0), not_before))))
    }

    /// Until when the groups make their hosts wait; nothing, if another crawler has one of them.
    fn take_groups(
        &self,
        change: &mut postgres::Transaction<'_>,
        known: &mut Statements,
    ) -> Result<Option<i64>, postgres::Error> {
        if self.groups.is_empty() {
            return Ok(Some(0));
        }
        known.execute(change, sql::ADD_GROUPS, &[&self.groups])?;
        known.execute(change, sql::PUT_INTO_GROUPS, &[&self.host, &self.groups])?;
        let rows = known.query(change, sql::GROUPS, &[&self.host])?;
        if rows.len() < self.groups.len() {
            return Ok(None);
        }
        let (mut ids, mut not_before): (Vec<i32>, i64) = (Vec::new(), 0);
        for row in &rows {
            ids.push(row.get(0));
            if let Some(old) = row.get::<_, Option<i64>>(1).filter(|old| *old != self.crawler) {
                if self.is_alive(change, known, old)? {
                    return Ok(None);
                }
                not_before = not_before.max(self.free(change, known, old)?);
            }
            not_before = not_before.max(row.get(2));
        }
        known.execute(change, sql::TAKE_GROUPS, &[&ids, &self.crawler])?;
        Ok(Some(not_before))
    }

    fn is_alive(
        &self,
        change: &mut postgres::Transaction<'_>,
        known: &mut Statements,
        crawler: i64,
    ) -> Result<bool, postgres::Error> {
        let row = known.query_opt(change, sql::IS_ALIVE, &[&crawler, &self.lease])?;
        Ok(row.is_some_and(|row| row.get(0)))
    }

    /// Frees what a dead crawler had in the host's groups: should it only be slow, it finds that these hosts are no longer its own. The
    /// longest pause that is known of one of them.
    fn free(
        &self,
        change: &mut postgres::Transaction<'_>,
        known: &mut Statements,
        dead: i64,
    ) -> Result<i64, postgres::Error> {
        let rows = known.query(change, sql::FREE_GROUPS_HOSTS, &[&self.host, &dead])?;
        let hosts: Vec<i32> = rows.iter().map(|row| row.get(0)).collect();
        let not_before: Vec<i64> = rows.iter().map(|row| row.get(1)).collect();
        known.execute(change, sql::PUT_ALL_BACK, &[&hosts])?;
        known.execute(change, sql::LEAVE_GROUPS, &[&dead, &hosts, &not_before])?;
        Ok(not_before.into_iter().max().unwrap_or(0))
    }
}

impl PostgresFrontier {
    /// The number of a host, made if there is none.
    pub(super) fn host_id(&mut self, host: &str) -> Result<i32, StoreError> {
        self.learn_hosts([host].into_iter())?;
        let gone = || StoreError::Shared { operation: "add a host", source: "it is gone".into() };
        self.ids.get(host).copied().ok_or_else(gone)
    }

    /// Learns the numbers of hosts, which are made where there are none.
    pub(super) fn learn_hosts<'h>(
        &mut self,
        hosts: impl Iterator<Item = &'h str>,
    ) -> Result<(), StoreError> {
        let new: BTreeSet<String> =
            hosts.filter(|host| !self.ids.contains_key(*host)).map(str::to_owned).collect();
        if new.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = new.into_iter().collect();
        let rows = self.database.run("add hosts", move |client, _| {
            client.execute(sql::ADD_HOSTS, &[&names])?;
            let rows = client.query(sql::HOST_IDS, &[&names])?;
            let ids: Vec<i32> = rows.iter().map(|row| row.get(1)).collect();
            client.execute(sql::ADD_LEASES, &[&ids])?;
            Ok(rows)
        })?;
        self.ids.extend(rows.iter().map(|row| (row.get::<_, String>(0), row.get::<_, i32>(1))));
        Ok(())
    }

    /// Takes a host that nobody has, and puts back what its last crawler had taken.
    pub(super) fn take_host(&mut self, host: &str) -> Result<HostHold, StoreError> {
        if self.held.len() >= self.settings.max_hosts || self.is_spent {
            return Ok(HostHold::Refused);
        }
        if let Some(until) = self.let_go.get(host) {
            if Instant::now() < *until {
                return Ok(HostHold::Refused);
            }
            self.let_go.remove(host);
        }
        let id = self.host_id(host)?;
        let Some(addresses) = self.addresses.of(host) else {
            self.is_looking_up = true;
            self.looked_up().insert(id);
            return Ok(HostHold::Refused);
        };
        self.looked_up().remove(&id);
        let domain = self.settings.by_domain.then(|| domain(host)).flatten();
        let addresses = addresses.iter().map(IpAddr::to_string);
        let groups: Vec<String> = domain.into_iter().chain(addresses).collect();
        let (crawler, lease) = (self.crawler, self.lease_seconds());
        // Ours for as long as this crawler is alive; the next commit says so again.
        let until = Instant::now() + self.settings.lease;
        let unused = self.reserved;
        let names = groups.clone();
        let taken = self.database.run("lease a host", move |client, _| {
            let taker = Taker { host: id, crawler, lease, unused, groups: &names };
            client.change(|change, known| taker.take(change, known))
        })?;
        let Some(Some((fence, not_before))) = taken else { return Ok(HostHold::Refused) };
        let own = HeldHost {
            id,
            fence,
            until,
            batch: VecDeque::new(),
            leased: 0,
            waiting: BTreeSet::new(),
            is_drained: false,
            asked: Instant::now(),
            groups,
            not_before: Timestamp(not_before),
        };
        // What was remembered of it is what its last crawler has left.
        self.records.remove(host);
        self.paused.remove(host);
        self.held.insert(host.to_owned(), own);
        Ok(HostHold::Taken)
    }

    /// Hosts whose addresses are being looked up.
    pub(super) fn looked_up(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.looked_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until when a host must be left alone, as far as this crawler knows.
    pub(super) fn paused_until(&self, host: &str) -> Timestamp {
        let saved = self.records.get(host).map(|(record, _)| record.not_before);
        let of_groups = self.held.get(host).map(|own| own.not_before);
        let all = [saved, of_groups, self.paused.get(host).copied()];
        all.into_iter().flatten().max().unwrap_or_default()
    }

    /// Hosts that nothing is left of, or that the budget has no more pages for: others may add to them.
    pub(super) fn done_with(&self) -> Vec<String> {
        let is_over = |own: &HeldHost| {
            let is_empty = own.is_drained && own.batch.is_empty();
            // Nobody here has a use for it: whoever looks for work finds it again.
            let is_forgotten = own.waiting.is_empty() && own.asked.elapsed() > self.settings.lease;
            own.leased == 0 && (self.is_spent || is_empty || is_forgotten)
        };
        let held = self.held.iter().filter(|(_, own)| is_over(own));
        held.map(|(host, _)| host.clone()).collect()
    }

    /// Leaves every second of its hosts to others, if some of these have nothing to do.
    pub(super) fn share(&mut self, left: &mut Vec<String>) -> Result<(), StoreError> {
        self.commits += 1;
        if self.held.len() < 2 || !self.commits.is_multiple_of(SHARE_EVERY) {
            return Ok(());
        }
        let (crawler, lease) = (self.crawler, self.lease_seconds());
        let idle: i64 = self.database.run("look for idle crawlers", move |client, _| {
            Ok(client.query_one(sql::IDLE_CRAWLERS, &[&crawler, &lease])?.get(0))
        })?;
        if idle == 0 {
            return Ok(());
        }
        let most = self.held.len() / 2;
        let may_go = |host: &str| {
            self.held.get(host).is_some_and(|own| own.leased == 0)
                && !left.iter().any(|own| own == host)
        };
        // Hosts of one group go together: nobody else could ask one of them alone.
        let mut free: Vec<String> = Vec::new();
        for part in apart(self.held.iter().map(|(host, own)| (host.as_str(), &own.groups[..]))) {
            if free.len() + part.len() <= most && part.iter().all(|host| may_go(host)) {
                free.extend(part.into_iter().map(str::to_owned));
            }
        }
        for host in &free {
            self.put_batch_back(host)?;
            self.let_go.insert(host.clone(), Instant::now() + LET_GO);
        }
        left.extend(free);
        Ok(())
    }
}
